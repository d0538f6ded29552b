//! What can be wrong with a scenario.

codes! { SCENARIO:
    EXPRESSION = "pliant::scenario::expression", "an expression that cannot be read",
        "Expressions consist of numbers, `+ - * / ^`, parentheses, the constants `pi` and `e`, and\n\
        the functions `sin cos tan exp log sqrt abs min max sign step atan2 tanh`. Inputs and\n\
        prescribed motions depend on the time `t` only; events may also use every channel that a\n\
        run can record, such as `upper.rate` or `fore.tip.position.x`. Put a name with characters\n\
        other than `a-z 0-9 _ .` in braces: `{link 0}`. All numbers are in SI units and radians.\n\
        Write products with `*`.\n";

    NOT_A_SCENARIO = "pliant::scenario::not-a-scenario", "an arm where a scenario is needed",
        "The file describes an arm and no motion of it. A scenario is a file of its own, which names\n\
        the arm and says how it starts, what acts on it and for how long:\n\
        `pliant new motion --arm arm.toml` writes one. Commands for arms read scenarios too and take\n\
        their arm.\n";

    METHOD = "pliant::scenario::method", "an invalid setting of an integrator",
        "Integrators with a `tolerance` (`dop853`, `dopri5`, `adams`, `radau5`, and `auto`, which\n\
        takes turns) adapt their steps; a tolerance is between 1e-15 and 0.1, and 1e-9 is a good\n\
        value.\n\
        Integrators with a `step` (`rk4`, `generalised-alpha`) keep it fixed. The `spectral_radius`\n\
        of `generalised-alpha`, from 0 to 1, is the factor by which each step damps vibrations much\n\
        faster than the step.\n";

    NO_TIME = "pliant::scenario::not-a-time", "an invalid time",
        "Durations, steps, periods and the time between two rows are positive; delays and starts\n\
        are zero or positive. Periods are between 1 ns and 1e9 s.\n";

    TABLE = "pliant::scenario::table", "an invalid table of a function",
        "A table of a function of time has as many `values` as `times`, at least one, and the\n\
        times increase. Both may come from a CSV file: `file = \"torque.csv\"`. Its first line names\n\
        the columns; `time` and `column` select them, by default the first and the second. Numbers\n\
        are in SI units unless the name is followed by a unit: `t,torque [mN m]`. For a jump, give\n\
        two times close together, or use `interpolation = \"hold\"`.\n";

    STARTS_OUTSIDE = "pliant::scenario::starts-outside-limits", "an initial position outside the limits",
        "The initial position of a joint is outside its limits in the arm file. Start it inside,\n\
        widen the limits in the arm file, or write `limits = \"ignore\"` in the scenario.\n";

    UNKNOWN_CHANNEL = "pliant::scenario::unknown-channel", "no such channel",
        "`record = { channels = […] }` takes groups of channels (coordinates, velocities,\n\
        accelerations, forces, frames, frame-velocities, energies, momenta, sensors, outputs and\n\
        references of controllers), names such as `upper.rate`, `upper.force`,\n\
        `fore.tip.position.x`, `energy.drift`, and patterns in which a star matches anything:\n\
        `*.position.*`.\n";

    MOTION = "pliant::scenario::motion", "a misplaced motor or prescribed motion",
        "The motion of a joint is either free or prescribed. Motors and loads drive a free joint, by\n\
        `[[input]]`. A joint with `prescribed = true` in the arm file follows `[[prescribed]]`, and\n\
        its motor force is computed. A prescribed position and its rate must be finite and\n\
        continuous: a jump would need an infinite force. Corners inside expressions (`abs`, `sign`,\n\
        `min`, …) and poles are looked for too; those at which only the acceleration jumps are fine.\n\
        Use a cubic table over the whole run or a smooth expression. An `[initial]` or `[rates]` value\n\
        of a prescribed coordinate that differs from the start of its motion is a warning: it starts\n\
        where its motion does.\n\n\
        Motors drive joints only. Modal coordinates, and the hinges between the rigid pieces of a\n\
        link, have none; apply a load instead. The motor of an elastic joint has the name of the\n\
        joint and acts on the motor side of the spring.\n";

    SENSOR = "pliant::scenario::sensor", "an invalid sensor",
        "Strain is measured on flexible links, at a position on the flexible part. Noise and\n\
        resolution are zero or positive. Every sensor has a unique name, which is also the name of\n\
        its channel.\n";

    CONTROLLER = "pliant::scenario::controller", "an invalid controller",
        "A controller drives the motors of joints by `[[controller.joint]]`, each once. Its only\n\
        inputs are its sensors: every joint names an encoder of its own coordinate, whose period\n\
        should not exceed that of the controller. With `full_state = true` it uses the full state\n\
        instead. Gains and limits are zero or positive. Model-based controllers track the `[plan]`\n\
        and drive its joints.\n\n\
        Modal coordinates are not measured directly. An `estimator` computes them from encoders,\n\
        strain gauges and the model: every undamped vibration must strain some gauge. `kalman` is\n\
        accurate near the initial configuration, `extended` everywhere.\n\n\
        `composite` and `pseudolink` include a regulator of the vibrations, whose weights cannot all\n\
        be zero. `rows` names the joints whose pseudolinks track the plan. With too many of them\n\
        H22 - H21 F becomes singular. Its determinant, relative to its size in other configurations,\n\
        is recorded, and below `guard` the run ends. `pliant new track` is an example.\n";

    LOOP = "pliant::scenario::unstable-loop", "an unstable loop",
        "The loop that controllers close around the arm is linearised with its sampling, hold and\n\
        delays, at rest in some postures of the plan. A small error that grows from tick to tick\n\
        makes the run diverge, however small the error. Light joints with much damping are the usual\n\
        cause: a joint of inertia J with a damping d is stable only while d times the period is below\n\
        2 J. The message gives the cures in numbers: the motor inertia behind the gear (`armature` of\n\
        the joint, or `rotor_inertia` times `gear` squared of its actuator), the longest period, or a\n\
        law without a period. Lower gains help too.\n\n\
        Noise, resolution, limits and dry friction are left out, and so are velocities. Clocks that\n\
        come together only after more than 10,000 ticks are not looked at. `pliant linearise SCENARIO\n\
        --closed` shows the poles.\n";

    PLAN = "pliant::scenario::plan", "an infeasible plan",
        "`[plan]` moves the tip or the joints through points, with one duration per segment between\n\
        two points. The tip must be able to reach every point of its path on the branch of the\n\
        initial configuration, without passing a singular one, where the joint velocities would be\n\
        infinite. The number of moving joints equals the number of path coordinates: three for a\n\
        position, six with the orientation. List the others in `hold`.\n\n\
        A run that ends before its plan is a warning: nothing comes to rest in it, so that it has no\n\
        settling times and no residual vibration. Make its `duration` longer, by as much as the arm\n\
        needs to settle. One that ends with its plan, or less than the longest period of vibration\n\
        after it, has none either, without a warning.\n\n\
        A `shaper` lengthens a joint plan so that it leaves no residual vibration. It is designed\n\
        for the arm at the end of the plan, with its joints on a servo of the given stiffness and\n\
        damping, and only for vibrations below the Nyquist frequency of the controller.\n";

    NO_EQUILIBRIUM = "pliant::scenario::no-equilibrium", "no static equilibrium",
        "`start = \"static equilibrium\"` starts with the static deflection under gravity and the\n\
        initial loads of `[[input]]`, with the joints locked at their `[initial]` positions. There\n\
        is no equilibrium if the links are too soft for their load: then start as given. Nor is\n\
        there one with a motor on a modal coordinate.\n";

    ARM_IN_SCENARIO = "pliant::scenario::arm", "the arm of a scenario cannot be read",
        "`arm` is the path of a file, relative to the folder of the scenario, or the arm itself:\n\
        `[arm]` with its keys, and its links as `[[arm.link]]`.\n";

    OTHER_EQUATIONS = "pliant::scenario::other-equations", "an arm with published equations",
        "A link of the arm has `rotation = \"first-order\"`, `rotation = \"small-angle\"` or\n\
        `velocity = \"theodore-24\"`, and the simulation uses the equations of King's thesis, of\n\
        Korayem and Shafei's or of Theodore and Ghosal's paper. Some other results do not use them;\n\
        the message says which.\n";

    CANNOT_RUN = "pliant::scenario::cannot-run", "the scenario cannot be run",
        "The scenario violates a rule that has no explanation of its own; the message says which.\n";
}
