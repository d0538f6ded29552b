//! What can be wrong with a study.

codes! { STUDY:
    UNKNOWN_VALUE = "pliant::study::unknown-value", "a parameter of what the scenario does not say",
        "A parameter of a study names a value of its scenario by its path, as `--set` does:\n\
        `duration`, `initial.upper`, `controller.servo.joint.upper.stiffness`. What belongs to the arm\n\
        begins with `arm`, also when it has its own file: `arm.link.upper.payload.mass`,\n\
        `gravity[2]`. The value must be in the file; add what it lacks to all runs first:\n\
        `set = [\"arm.link.upper.payload={ mass = 1, position = [1, 0, 0] }\"]`.\n";

    NO_NUMBER = "pliant::study::no-number", "a parameter of what is no number",
        "`from`, `to`, `mean` and `deviation` change numbers. Where the scenario has a text, a list or\n\
        true and false, such as the kind of a controller, give `values`:\n\
        `values = [\"pid\", \"composite\"]`. Of a material by name, write its numbers out; of a vector,\n\
        name a component: `gravity[2]`.\n\n\
        A study holds all that its runs need, so that it goes on and goes elsewhere without other\n\
        files; names of files cannot be parameters.\n";

    VALUES = "pliant::study::values", "values that a parameter cannot have",
        "A parameter has `values`; or `from` and `to`, with a `count` in grids and lists; or the `mean`\n\
        and the `deviation` of a normal distribution, which `from` and `to` may cut. A range goes from a\n\
        smaller to a larger number, and a logarithmic one from a positive one. No two parameters change\n\
        the same value.\n";

    DESIGN = "pliant::study::design", "a design that does not fit its parameters",
        "`design` says which values the parameters have together. A `grid` has all combinations of their\n\
        values, a `list` the first of each, the second of each, and so on: its parameters have equally\n\
        many. `random`, `sobol` and `sensitivity` draw `runs` values of each from their distributions;\n\
        of `values` each is equally likely. `sensitivity` takes `runs` times the number of parameters\n\
        and two more. At most 4.5e15 runs are counted.\n";

    CONSTRAINT = "pliant::study::constraint", "a constraint that cannot be read",
        "A constraint is two expressions with `<`, `<=`, `>` or `>=` between them. They consist of\n\
        numbers, `+ - * / ^`, parentheses, `pi`, `e`, functions such as `sqrt` and `min`, and the names\n\
        of parameters that are numbers, in SI units and radians. In an optimisation figures of the run\n\
        may be compared too. A name with characters other than `a-z 0-9 _ .` stands in braces:\n\
        `{link 0} > 0`. It must leave some of the draws.\n";

    OPTIMISE = "pliant::study::optimise", "an optimisation that cannot be begun",
        "A study with a table `[optimise]` chooses its runs itself: it names one figure of runs that is to\n\
        be small (`minimise`) or large (`maximise`), or two, whose Pareto front is sought. A parameter may\n\
        be such a figure too. Parameters are numbers between `from` and `to`; where these are more than\n\
        ten times apart, `scale = \"logarithmic\"` makes the search shorter. Each `[[constraint]]` may\n\
        compare figures of the run: `\"{frequency.1} >= 20\"`. `evaluations` limits the trials, and the\n\
        `tolerance` is a part of the ranges, between 0 and 1. `pliant optimise` runs it.\n";

    UNKNOWN_FIGURE = "pliant::study::unknown-figure", "no run of the study has such a figure",
        "`figures` lists what is kept of each run, by name or with a star for anything. A figure has the\n\
        name of a frame, joint, motor or link before it: `fore.tip.settling_time`, `fore.peak_stress`,\n\
        `motors.energy_used`, which `summary.json` of a run lists as `figures`. There are also\n\
        `energy_drift`, the `mass` of the arm, the least and the most of recorded channels\n\
        (`fore.tip.position.y.max`), natural frequencies at the start with the joints held\n\
        (`frequency.1`), and the poles of the closed loop there, or of the motion without controllers:\n\
        `pole.1.frequency`, `pole.1.damping_ratio`, `poles.least_damping_ratio`, `poles.fastest_growth`.\n\
        `\"*\"` is all of them.\n";
}
