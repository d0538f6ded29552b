//! What can be wrong with a state.

codes! { STATE:
    UNKNOWN_NAME = "pliant::state::unknown-name", "the arm has no such coordinate or frame",
        "A state names a coordinate, a joint or a frame that the arm does not have. Coordinates\n\
        bear the name of their joint, or of its link where the joint has no name of its own;\n\
        `pliant info ARM` lists them.\n\n\
        A state gives `q`, `u`, `tau` as lists in the order of the coordinates, or by name:\n\
        `{\"q\": {\"upper\": \"45 deg\", \"fore\": 0.1}}`. What is left out is neutral or zero.\n";

    WRONG_LENGTH = "pliant::state::wrong-length", "a vector of the wrong length",
        "A list in a state has one number per coordinate, in the order of the arm. `q` of an arm\n\
        with spherical or free joints is longer than `u`: it holds quaternions. Naming the\n\
        coordinates avoids counting: `{\"q\": {\"upper\": 0.3}}`.\n";

    SINGULAR = "pliant::state::singular-mass-matrix", "accelerations do not exist",
        "The mass matrix is singular: some coordinate can accelerate without any force, so the\n\
        acceleration has no definite value. All else can be computed. Either ask only for what\n\
        exists, `pliant dynamics ARM --only mass_matrix,gravity`, or give the links that the\n\
        coordinate moves mass or inertia, or give its joint `armature`, or prescribe its motion.\n";

    OUTSIDE_LIMITS = "pliant::state::outside-limits", "a coordinate outside its limits",
        "A warning. The state puts a coordinate where the arm's file says that it cannot go. The\n\
        numbers are computed as if there were no limit.\n";

    UNUSED_ACCELERATION = "pliant::state::unused-acceleration", "an acceleration that is not used",
        "A warning. `ud` gives the accelerations of joints whose motion is prescribed in the arm\n\
        file, by `prescribed = true`. All other joints move as the forces `tau` make them, and\n\
        their accelerations are the answer.\n";
}
