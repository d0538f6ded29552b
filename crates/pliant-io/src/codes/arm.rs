//! What can be wrong with an arm.

codes! { ARM:
    BAD_NAME = "pliant::arm::bad-name", "a name breaks the rule for names",
        "Names of links, joints, frames, sensors and controllers become columns, labels and entries\n\
        of archives. A name has 1 to 100 characters that can be seen: letters of any script, digits,\n\
        signs, and blanks between them. It has no control character, no character that is invisible\n\
        (joiners such as U+200D and variation selectors such as U+FE0F are, though emoji use them) or\n\
        changes the direction of writing, and no `/` or `\\`; it is neither `.` nor `..` nor `t`,\n\
        which is the time, and neither begins nor ends with a blank.\n\n\
        The name of the arm and of an event may have 200 characters, and `/` and `\\` too, or be `t`.\n\n\
        The message gives the nearest name that keeps the rule. In a URDF such names are replaced by\n\
        it, with a warning that gives both, and a number is added where another has that name.\n";

    EMPTY_NAME = "pliant::arm::empty-name", "a name is empty",
        "Tables, states and results refer to links, joints and frames by name. Give each a name of\n\
        at least one letter.\n";

    DUPLICATE_NAME = "pliant::arm::duplicate-name", "a name is used twice",
        "The names of links must be unique, and so must those of joints and those of frames. Every\n\
        link is also a frame of its own name, so no other frame can have the name of a link. The\n\
        name `ground` is reserved for the fixed base.\n";

    UNKNOWN_PARENT = "pliant::arm::unknown-parent", "the parent of a link does not exist",
        "The `parent` of a link is the name of another link, or `ground`. By default it is the\n\
        previous link in the file, and the ground for the first link. Names are case-sensitive.\n";

    CYCLE = "pliant::arm::cycle", "the parents of links form a cycle",
        "Following the parents from a link towards the ground leads back to the same link. An arm\n\
        is a tree: every link is attached to exactly one other link or to the ground. pliant does\n\
        not model closed chains such as four-bar linkages.\n";

    ZERO_AXIS = "pliant::arm::zero-axis", "an axis of length zero",
        "An axis `[0, 0, 0]` has no direction. Give a direction; its length does not matter.\n";

    PARALLEL_AXES = "pliant::arm::parallel-axes", "the axes of a universal joint are parallel",
        "A universal joint rotates about two axes, and these must differ. With parallel axes it\n\
        would be a revolute joint with a redundant coordinate.\n";

    NOT_A_ROTATION = "pliant::arm::not-a-rotation", "a matrix is not a rotation",
        "The rows of a rotation matrix are orthonormal and right-handed (its determinant is 1). A\n\
        matrix rounded to six digits or more is accepted and orthonormalised. When in doubt, give\n\
        `rpy`, or `axis` and `angle`.\n";

    NOT_A_QUATERNION = "pliant::arm::not-a-quaternion", "a quaternion is not of length 1",
        "A quaternion `[w, x, y, z]` of length 1 describes a rotation. The scalar part comes first;\n\
        some programs put it last. The identity is `[1, 0, 0, 0]`.\n";

    NEGATIVE_MASS = "pliant::arm::negative-mass", "a negative mass",
        "Masses are zero or positive. To model a hole, describe the remaining material.\n";

    NEGATIVE_INERTIA = "pliant::arm::negative-inertia", "an inertia that no body has",
        "The principal moments of an inertia tensor are never negative. Common causes: a product\n\
        of inertia that is too large compared with the moments, a moment with the wrong sign, or an\n\
        inertia about the frame's origin that was given as one about the centre of mass. In the\n\
        last case write `inertia = { xx = …, yy = …, zz = …, about = \"origin\" }`.\n\n\
        Some published robots have such inertias. A URDF is read with a warning, and so is an arm\n\
        file with `lenient = true`; the numbers are then used as given.\n";

    ASYMMETRIC_INERTIA = "pliant::arm::asymmetric-inertia", "an inertia tensor that is not symmetric",
        "The entry in row i and column j of an inertia tensor equals the entry in row j and column\n\
        i. Give it by rows with equal entries, or as `{ xx, yy, zz, xy, xz, yz }`.\n";

    NEGATIVE_COEFFICIENT = "pliant::arm::negative-coefficient", "a negative coefficient",
        "Stiffness, damping and armature are zero or positive. A negative one would feed energy\n\
        into the arm.\n";

    ACTUATOR = "pliant::arm::actuator", "an impossible actuator",
        "An `actuator` drives a joint with one coordinate. Its limits `torque` (or `force`, of a\n\
        prismatic joint) and `speed`, its `gear` and its `stiffness` are positive if given;\n\
        `rotor_inertia` and the friction keys are zero or positive. Dry friction `coulomb` needs\n\
        `coulomb_speed`, the speed over which its sign changes smoothly.\n\n\
        With `stiffness` the joint is elastic: the link keeps its coordinate, and the motor gets\n\
        its own, named after the joint with the suffix `.motor`. A spring and a damper (`damping`)\n\
        couple them. The motor then needs inertia: `rotor_inertia`, or the joint's `armature`; both\n\
        add up on the motor's side.\n";

    NOT_POSITIVE = "pliant::arm::not-positive", "a length that must be positive",
        "Edges, radii and walls of shapes and sections are positive, and so is the `length` of a\n\
        link. A wall is not thicker than the radius, and a rod or cylinder has two different end\n\
        points.\n";

    IMPOSSIBLE_BEAM = "pliant::arm::impossible-beam", "an impossible property of a flexible link",
        "A flexible link needs a stiffness for each kind of deformation, a mass, a damping below\n\
        critical, and no more modes than its finite elements have: two per element in bending, one\n\
        in twist and stretch. A section given by dimensions and material has all stiffnesses; a\n\
        `given` one needs `EIz` to bend along y, `EIy` along z, `GJ` to twist, `EA` to stretch, and\n\
        `kappaGAy`, `kappaGAz` to shear. The `length` of the link includes its rigid ends and must\n\
        leave a flexible part.\n";

    STATIONS = "pliant::arm::stations", "stations that do not describe the link",
        "The `stations` of a link give its cross-section at positions along it, from the root to\n\
        the tip of the flexible part. `at` counts from the root of the link, including a `rigid`\n\
        root. Dimensions vary linearly between two stations, so both have the same kind and\n\
        material. For a step, give two stations at the same position.\n";

    SHEAR_WITHOUT_ELEMENTS = "pliant::arm::shear-without-elements", "shapes without shear",
        "The modes of uniform links (`clamped-free`, `clamped-mass`, `root-pinned`) are those of a\n\
        slender link, whose sections stay perpendicular to its axis. The default shapes, finite\n\
        elements and their eigenmodes can shear: leave `shapes` out, or write `shapes =\n\
        \"elements\"` or `shapes = \"eigenmodes\"` with `elements = 8`.\n";

    BENDS_NOTHING = "pliant::arm::bends-nothing", "a shape without inertia of its own",
        "A coordinate of bending, twist or stretch needs inertia of its own, besides the inertia\n\
        that other coordinates move already; without it the mass matrix is singular. Sections given\n\
        by dimensions have that inertia; a `given` one needs `rhoA`, and for twist `rhoIy` and\n\
        `rhoIz`. A payload with `inertia` or a child link at the tip is sufficient for one shape per\n\
        direction. Use fewer shapes, or give the section its inertia.\n";

    SEGMENTS_OF_MODES = "pliant::arm::segments-of-modes", "segments that are not finite elements",
        "`segments` divides a link into segments for large deflections, each fixed to the tip of\n\
        the previous one. The modes of a beam with a free tip transmit no moment to the next\n\
        segment; use `shapes = \"elements\", elements = 1`, with `y = true` instead of a count.\n\
        Damping ratios apply to the modes of a whole link; for segments write\n\
        `damping = { stiffness = \"1e-4 s\" }`.\n";

    UNBALANCED_LAYUP = "pliant::arm::unbalanced-layup", "a layup that is not balanced",
        "If the plies at an angle are not matched by as many at the opposite angle, the beam twists\n\
        under tension. pliant does not model this coupling, and the stiffness would be too high.\n\
        Give every ply its mirror image: `[\"0 deg\", \"45 deg\", \"-45 deg\"]`. Plies along and across\n\
        the axis need none.\n";

    OUTSIDE_LENGTH = "pliant::arm::outside-length", "a position beyond the end of a link",
        "`at` is a position along a link with a `length`, from 0 at its root to the length at its\n\
        tip, including rigid ends. To attach something further out, place it relative to the tip by\n\
        `placement` or `position`.\n";

    NO_LENGTH = "pliant::arm::no-length", "a position along a link without length",
        "`at` is a position along a link with a `length`. Other links have a single frame; place\n\
        things in it by `placement` or `position`.\n";

    COUNT_OUT_OF_RANGE = "pliant::arm::count-out-of-range", "a number of shapes or pieces out of range",
        "The limits are 20 shapes per direction, 100 elements, 200 segments, and 100 modal\n\
        coordinates per segment or 500 per link. Few are sufficient: two or three shapes per\n\
        direction give the lowest frequencies to 1 %, and eigenmodes of many elements are still few\n\
        coordinates.\n";

    NOT_SLENDER = "pliant::arm::not-slender", "a link too thick to neglect shear",
        "A warning. The sections of a short, thick link shear, which lowers its frequencies; without\n\
        shear they are too high. The default shapes, finite elements and their eigenmodes shear\n\
        where it matters, unless `shear = false` says otherwise; leave `shapes` and `shear` out.\n\
        For a link that hardly deflects this may not matter.\n";

    FIRST_ORDER_ROTATION = "pliant::arm::first-order-rotation", "sections rotate to first order",
        "`rotation = \"first-order\"` uses the rotation of the sections of King's thesis, to reproduce\n\
        his numbers. In motions out of a plane it does not conserve energy, which gives a warning.\n\
        His equations are for serial chains of revolute joints and links without foreshortening\n\
        (`foreshortening = false`); for other arms this is an error. Leave it out for the exact\n\
        rotation.\n";

    SMALL_ANGLE_ROTATION = "pliant::arm::small-angle-rotation", "sections rotate by small angles",
        "`rotation = \"small-angle\"` uses the rotation of Korayem and Shafei's paper, the unit matrix\n\
        plus the angles, to reproduce its numbers by its Gibbs-Appell equations. It does not conserve\n\
        energy where something hangs on the link, which gives a warning; from three links on, and\n\
        deflections of some per cent, its inertia matrix may be indefinite. The equations are for\n\
        serial chains of revolute joints and links without foreshortening\n\
        (`foreshortening = false`); for other arms this is an error. Leave it out for the exact\n\
        rotation.\n";

    FREE_TIP = "pliant::arm::free-tip", "a loaded tip with the shapes of a free one",
        "A warning. The shapes \"clamped-free\" have no moment and no shear force at the tip, and\n\
        converge slowly where a payload or further links pass some on. The errors told are those of\n\
        the link alone, clamped at its root, with everything that it carries as rigid bodies, against\n\
        many finite elements. The default shapes are for what a link carries: leave `shapes` out.\n\
        Of a sliding link, these shapes are accurate if the load is small compared with the part\n\
        outside the hub: M/(rhoA l) and J/(rhoA l^3) below about 0.1 at the largest length (remark 5\n\
        of Theodore and Ghosal). Otherwise use `shapes = \"clamped-mass\"`, which includes the load,\n\
        or at least four shapes per direction.\n";

    THEODORE_24 = "pliant::arm::theodore-24", "a sliding link with the velocity of Theodore (24)",
        "A warning. `velocity = \"theodore-24\"` computes the kinetic energy of a sliding link from\n\
        equation (24) of Theodore and Ghosal as printed: the transverse velocity at a fixed\n\
        position, the axial velocity of the material point. It reproduces their numbers. The error\n\
        of the Coriolis forces is then as large as these forces wherever the hub rotates, and fast\n\
        sliding (above 1/20 of the group velocity) is wrong even where it does not. Do not use it\n\
        for results.\n";

    LIMITS_CROSSED = "pliant::arm::limits-crossed", "limits in the wrong order",
        "The limits of a joint are `[lower, upper]`. Write `-inf` or `inf` for no limit on one side.\n";

    UNKNOWN_COORDINATE = "pliant::arm::unknown-coordinate", "a joint has no such coordinate",
        "Joints with several coordinates name them: cylindrical `slide`, `turn`; universal\n\
        `first`, `second`; planar `x`, `y`, `turn`; spherical `turn_x`, `turn_y`, `turn_z`; free\n\
        `move_x`, `move_y`, `move_z`, `turn_x`, `turn_y`, `turn_z`.\n";

    REFUSED = "pliant::arm::refused", "the arm cannot be built",
        "The arm violates a rule that has no explanation of its own; the message says which. At the\n\
        end of a long list of errors this code stands for those not shown: fix the first ones and\n\
        check again, since later errors often follow from them.\n";

    TRIANGLE_INEQUALITY = "pliant::arm::triangle-inequality", "moments of inertia that no body has",
        "A warning. The largest principal moment of a body is at most the sum of the other two;\n\
        a flat plate reaches it. pliant can compute with other moments, but no body has them. Often\n\
        axes were exchanged, or the numbers refer to another reference point.\n";

    TOTAL_MASS = "pliant::arm::total-mass", "the links together have another mass",
        "A warning. The file says with `total_mass` what all links together weigh, and they do not:\n\
        perhaps a `mass` was removed when a link got a `section`, which weighs less than the whole\n\
        link. What the section does not account for stays as rigid parts, `body` at the root and\n\
        `payload` at the tip; `pliant convert robot.urdf --bend LINK` computes them. If the change is\n\
        meant, adapt or remove `total_mass`.\n";

    BEYOND_TIP = "pliant::arm::beyond-tip", "a link one length beyond the tip of its parent",
        "A warning. What hangs on a link with a `length` is placed from its tip. Here the placement\n\
        leads as far again as the parent is long, as if it were still from the parent's root: that\n\
        happens when `length` is added to a link whose children were placed from its frame.\n\n\
        A link at the tip needs no `placement`, or a short one, in the axes of the tip; `at = 0` places\n\
        from the root, at the rigid end of the link. `pliant convert robot.urdf --bend LINK` makes a\n\
        link flexible and leaves everything where it was. If the distance is meant, write `at` too.\n";

    MOVES_NOTHING = "pliant::arm::moves-nothing", "a joint moves no mass",
        "A warning. Neither this link nor any outboard link has mass or inertia, so the joint\n\
        accelerates without force: the mass matrix is singular. Forces, energies and poses can be\n\
        computed, accelerations cannot. Give a link mass or inertia, give the joint `armature`, or\n\
        prescribe its motion by `prescribed`.\n";

    ILL_CONDITIONED = "pliant::arm::ill-conditioned", "a mass matrix that is nearly singular",
        "A warning. Some motion of several coordinates together moves next to nothing of the mass that\n\
        each of them moves alone: two joints about one axis with next to nothing between them, masses\n\
        that differ by more than numbers have digits, or shapes of a link that are nearly alike.\n\
        Accelerations then keep hardly a correct digit, and energies\n\
        drift. The condition is the largest eigenvalue of the mass matrix over the smallest, scaled\n\
        so that its diagonal is 1, whatever the units; it is told beyond 1e13. Give what lies between\n\
        these joints mass or inertia, give a joint `armature`, or fix or prescribe one of them.\n";

    DOUBTFUL = "pliant::arm::doubtful", "the arm is suspicious",
        "A warning without an explanation of its own. pliant can compute the arm, but something\n\
        about it is unlikely; the message says what. Check it, and leave it or fix it. At the end of\n\
        a long list of warnings this code stands for those not shown.\n";
}
