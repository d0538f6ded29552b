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

    OUTSIDE_STROKE = "pliant::state::outside-stroke", "a link that slides beyond its stroke",
        "The length of a link outside its hub lies between `from` and `to` of its `slides`; beyond\n\
        them the link would leave its hub, or have no length to bend. Limits can be ignored, a\n\
        stroke cannot.\n";

    UNUSED_ACCELERATION = "pliant::state::unused-acceleration", "an acceleration that is not used",
        "A warning. `ud` gives the accelerations of joints whose motion is prescribed in the arm\n\
        file, by `prescribed = true`. All other joints move as the forces `tau` make them, and\n\
        their accelerations are the answer.\n";

    LARGE_SLOPE = "pliant::state::large-slope", "a link that bends too far for its shapes",
        "A warning. Shapes are small deflections of a straight link: where its slope within one\n\
        piece is above about 0.3 (17 degrees), the square of the slope can no longer be left\n\
        out. Divide the link, `bends = { …, segments = 4 }`: each segment has its own shapes and\n\
        bends little, and together they bend as far as they like.\n";

    NOT_STIFFENED = "pliant::state::not-stiffened", "a stiffness that is left out",
        "A warning. With `foreshortening = false` bending does not shorten a link, and what an axial\n\
        load does to its stiffness is lost: a link that spins gets stiffer, one that is pushed\n\
        gets softer and buckles at last. This is no harm while the link turns slower than about a\n\
        tenth of its first bending frequency and the axial load is below about 5 % of the\n\
        load under which it buckles. Write `foreshortening = true`, or leave the key out.\n";

    TURN_OF_FIRST_ORDER = "pliant::state::turn-of-first-order", "first-order turns about several axes",
        "A warning. With `rotation = \"first-order\"` the sections of a link turn as in King's\n\
        thesis, which is right while they turn about one axis. Here they turn about two or three,\n\
        and half of the second turn is about the relative error of the angular velocity. Write\n\
        `rotation = \"exact\"`, or leave the key out.\n";
}
