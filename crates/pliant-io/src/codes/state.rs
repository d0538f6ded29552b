//! What can be wrong with a state.

codes! { STATE:
    UNKNOWN_NAME = "pliant::state::unknown-name", "the arm has no such coordinate or frame",
        "A state names a coordinate, a joint or a frame that the arm does not have. Coordinates\n\
        have the name of their joint, or of its link if the joint has no name; `pliant info ARM`\n\
        lists them.\n\n\
        A state gives `q`, `u`, `tau` as lists in the order of the coordinates, or by name:\n\
        `{\"q\": {\"upper\": \"45 deg\", \"fore\": 0.1}}`. The defaults are neutral or zero.\n";

    WRONG_LENGTH = "pliant::state::wrong-length", "a vector of the wrong length",
        "A list in a state has one number per coordinate, in the order of the arm. `q` of an arm\n\
        with spherical or free joints is longer than `u`: it contains quaternions. Values by name\n\
        avoid counting: `{\"q\": {\"upper\": 0.3}}`.\n";

    SINGULAR = "pliant::state::singular-mass-matrix", "accelerations do not exist",
        "The mass matrix is singular: some coordinate can accelerate without any force, so the\n\
        acceleration is undefined. Everything else can be computed. Either request only what\n\
        exists, `pliant dynamics ARM --only mass_matrix,gravity`, or give the links that the\n\
        coordinate moves mass or inertia, or give its joint `armature`, or prescribe its motion.\n";

    OUTSIDE_LIMITS = "pliant::state::outside-limits", "a coordinate outside its limits",
        "A warning. A coordinate of the state is outside its limits in the arm file. The results\n\
        ignore the limit.\n";

    OUTSIDE_STROKE = "pliant::state::outside-stroke", "a sliding link beyond its stroke",
        "The length of a link outside its hub is between `from` and `to` of its `slides`. Beyond\n\
        them the link would leave its hub or have no flexible length. Limits can be ignored, a\n\
        stroke cannot.\n";

    UNUSED_ACCELERATION = "pliant::state::unused-acceleration", "an acceleration that is not used",
        "A warning. `ud` gives the accelerations of joints whose motion is prescribed in the arm\n\
        file, by `prescribed = true`. The accelerations of all other joints are computed from the\n\
        forces `tau`.\n";

    LARGE_SLOPE = "pliant::state::large-slope", "a deflection too large for the shapes",
        "A warning. Shapes describe small deflections of a straight link. Where the slope within\n\
        one segment exceeds about 0.3 (17 degrees), its square is no longer negligible. Divide the\n\
        link, `bends = { …, segments = 4 }`: each segment has its own shapes and deflects little,\n\
        and together they can deflect arbitrarily far.\n";

    NO_FORESHORTENING = "pliant::state::no-foreshortening", "geometric stiffness is missing",
        "A warning. With `foreshortening = false` bending does not shorten a link, and its stiffness\n\
        does not depend on the axial load: a rotating link should get stiffer, a compressed one\n\
        softer until it buckles. The error is small while the link rotates slower than about a\n\
        tenth of its first bending frequency and the axial load is below about 5 % of the buckling\n\
        load. Write `foreshortening = true`, or leave the key out.\n";

    TURN_OF_FIRST_ORDER = "pliant::state::turn-of-first-order", "first-order rotation about several axes",
        "A warning. With `rotation = \"first-order\"` the sections of a link rotate as in King's\n\
        thesis, which is correct for rotation about one axis. Here they rotate about two or three.\n\
        The relative error of the angular velocity is about half the second rotation angle. Write\n\
        `rotation = \"exact\"`, or leave the key out.\n";
}
