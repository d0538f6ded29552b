//! What can be wrong with a scenario.

codes! { SCENARIO:
    EXPRESSION = "pliant::scenario::expression", "an expression that cannot be read",
        "Expressions know numbers, `+ - * / ^`, parentheses, the constants `pi` and `e`, and the\n\
        functions `sin cos tan exp log sqrt abs min max sign step atan2 tanh`. Inputs and\n\
        prescribed motions depend on the time `t` only; events may also name every channel that\n\
        a run can record, such as `upper.rate` or `fore.tip.position.x`. A name with other\n\
        letters than `a-z 0-9 _ .` stands in braces: `{link 0}`. All numbers are in SI units and\n\
        radians, and products are written with `*`.\n";

    METHOD = "pliant::scenario::method", "a setting that a method cannot have",
        "Methods with a `tolerance` (`dop853`, `dopri5`, `radau5`, and `auto`, which chooses) find\n\
        their own steps; a tolerance lies between 1e-15 and 0.1, and 1e-9 is a good one. Methods\n\
        with a `step` (`rk4`, `generalised-alpha`) keep it. The `spectral_radius` of\n\
        `generalised-alpha`, from 0 to 1, is the factor by which each step shrinks vibrations that\n\
        are far too fast for it.\n";

    NO_TIME = "pliant::scenario::not-a-time", "a time that cannot be",
        "Durations, steps, periods and the time between two rows are positive; delays and starts\n\
        are zero or positive. Periods between 1 ns and 1e9 s can be counted.\n";

    TABLE = "pliant::scenario::table", "a table that cannot be followed",
        "A table of a function of time has as many `values` as `times`, at least one, and the\n\
        times ascend. Both may be in a CSV file instead: `file = \"torque.csv\"`, its first line\n\
        naming the columns, chosen by `time` and `column`, or else the first and the second.\n\
        Numbers are in SI units unless a unit stands behind the name: `t,torque [mN m]`. For a\n\
        jump give two times that are a little apart, or take `interpolation = \"hold\"`.\n";

    STARTS_OUTSIDE = "pliant::scenario::starts-outside-limits", "a start outside the limits",
        "A joint starts where the arm's file says that it cannot go. Start it inside, widen the\n\
        limits in the arm's file, or write `limits = \"ignore\"` in the scenario.\n";

    UNKNOWN_CHANNEL = "pliant::scenario::unknown-channel", "no such channel",
        "`record = { channels = […] }` takes groups of channels (coordinates, velocities,\n\
        accelerations, forces, frames, frame-velocities, energies, momenta, sensors, outputs and\n\
        references of controllers), names such as `upper.rate`, `upper.force`,\n\
        `fore.tip.position.x`, `energy.drift`, and names in which a star stands\n\
        for anything: `*.position.*`.\n";

    MOTION = "pliant::scenario::motion", "a motion or a motor where it cannot be",
        "The motion of a joint is either free, then motors and loads drive it by `[[input]]`, or\n\
        it is prescribed in the arm's file by `prescribed = true`, then `[[prescribed]]` gives it\n\
        and the force of its motor follows. A prescribed position must not jump, nor its rate:\n\
        that would take an infinite force. Take a cubic table or a smooth expression.\n\n\
        Motors drive joints. Coordinates of bending, and the hinges between the rigid pieces of a\n\
        link, have none: what pushes there is a load. The motor of an elastic joint is named by\n\
        the joint, and acts on its side of the spring.\n";

    SENSOR = "pliant::scenario::sensor", "a sensor that cannot measure",
        "Strain is measured on links that bend, at a place on the part that bends. Noise and\n\
        resolution are zero or positive. Every sensor has a name of its own, which is that of its\n\
        channel.\n";

    CONTROLLER = "pliant::scenario::controller", "a controller that cannot work like this",
        "A controller drives the motors of joints by `[[controller.joint]]`, each once. It sees\n\
        only what its sensors show: every joint names an encoder of its own coordinate, which\n\
        should measure at least as often as the controller ticks. With `full_state = true` it looks at\n\
        the true state instead. Gains and limits are zero or positive. Those with a model follow\n\
        the `[plan]` and drive its joints.\n\n\
        What bends nothing measures directly. `estimator` makes it out of encoders, strain gauges\n\
        and the model: every vibration that does not die out must stretch some gauge. `kalman` is\n\
        right near the posture at the start, `extended` everywhere.\n\n\
        `composite` and `pseudolink` have a regulator of the vibrations, whose weights cannot all\n\
        be zero. `rows` names the joints whose pseudolinks follow the plan. With too many of them\n\
        no motor moves what it must: the determinant of H22 - H21 F, in parts of what it is in\n\
        other postures, is recorded, and below `guard` the run ends. `pliant new track` is an example.\n";

    PLAN = "pliant::scenario::plan", "a plan that cannot be followed",
        "`[plan]` leads the tip or the joints through points, one duration for each stretch between\n\
        two. The tip must be able to reach every point of its path, on the branch of the posture at\n\
        the start, without a singular posture on the way: there the joints would have to move\n\
        infinitely fast. As many joints move as the path fixes numbers: three for a place, six with\n\
        the attitude. JointCondition the others.\n\n\
        A `shaper` makes plans of joints longer so that they leave no vibration behind. It is made\n\
        for the arm at the end of the plan with its joints on the servo whose stiffness and damping\n\
        it is told, and only for vibrations that what follows the plan can see in its ticks.\n";

    NO_EQUILIBRIUM = "pliant::scenario::no-equilibrium", "no static equilibrium",
        "`start = \"static equilibrium\"` bends the links as they rest under gravity and the loads of\n\
        `[[input]]` as they are at the start, the joints held where `[initial]` has them. There is\n\
        none where the links are too soft for what they carry: then start as given, and let it\n\
        fall. Nor is there one with a motor on the bending of a link.\n";

    ARM_IN_SCENARIO = "pliant::scenario::arm", "the arm of a scenario cannot be read",
        "`arm` names a file by its path from the folder of the scenario, or holds the arm itself:\n\
        `[arm]` with its keys, and its links below lines `[[arm.link]]`.\n";

    OTHER_EQUATIONS = "pliant::scenario::other-equations", "an arm that moves by equations of a document",
        "A link of the arm has `rotation = \"first-order\"` or `velocity = \"theodore-24\"`, and the arm\n\
        moves by the equations of King's thesis or of Theodore and Ghosal's paper. What is\n\
        computed besides the motion does not know them; the message says what that is.\n";

    CANNOT_RUN = "pliant::scenario::cannot-run", "the scenario cannot be run",
        "The scenario breaks a rule that has no page of its own, and the message says which.\n";
}
