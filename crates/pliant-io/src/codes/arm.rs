//! What can be wrong with an arm.

codes! { ARM:
    EMPTY_NAME = "pliant::arm::empty-name", "a name is empty",
        "Links, joints and frames are found by their names, in tables, states and results. Give\n\
        each a name of at least one letter.\n";

    DUPLICATE_NAME = "pliant::arm::duplicate-name", "a name is used twice",
        "Names of links must differ, so must those of joints, and those of frames. Every link is\n\
        also a frame of its own name, so a further frame cannot be called like a link. The name\n\
        `ground` is taken by what the arm stands on.\n";

    UNKNOWN_PARENT = "pliant::arm::unknown-parent", "a link hangs on nothing",
        "The `parent` of a link is the name of another link, or `ground`. Without the key it is\n\
        the link before it in the file, and the ground for the first link. Names are compared\n\
        letter by letter; capitals matter.\n";

    CYCLE = "pliant::arm::cycle", "links hang on one another in a circle",
        "Following the parents from a link outward to the ground leads back to the same link. An\n\
        arm is a tree: every link hangs on exactly one other link or on the ground. Closed chains,\n\
        such as four-bar linkages, are not part of pliant.\n";

    ZERO_AXIS = "pliant::arm::zero-axis", "an axis without direction",
        "An axis `[0, 0, 0]` points nowhere. Give a direction; its length does not matter.\n";

    PARALLEL_AXES = "pliant::arm::parallel-axes", "two axes that are one",
        "A universal joint turns about two axes, and these must differ. With parallel axes it\n\
        would be a revolute joint counted twice.\n";

    NOT_A_ROTATION = "pliant::arm::not-a-rotation", "a matrix is not a rotation",
        "The rows of a rotation matrix have length 1, stand at right angles, and are right-handed\n\
        (its determinant is 1). A matrix that was rounded to six digits or more is accepted and\n\
        made exact. When in doubt, give `rpy`, or `axis` and `angle`.\n";

    NOT_A_QUATERNION = "pliant::arm::not-a-quaternion", "a quaternion is not of length 1",
        "A quaternion `[w, x, y, z]` describes a turn when its length is 1. The scalar part comes\n\
        first; some programs put it last. No turn is `[1, 0, 0, 0]`.\n";

    NEGATIVE_MASS = "pliant::arm::negative-mass", "a mass below zero",
        "Masses are zero or positive. To cut a hole, describe what remains.\n";

    NEGATIVE_INERTIA = "pliant::arm::negative-inertia", "an inertia that no body has",
        "The principal moments of an inertia tensor are never negative. Common causes: a product\n\
        of inertia that is too large beside the moments, a moment with the wrong sign, or an\n\
        inertia about the frame's origin that was given as one about the centre of mass. In the\n\
        last case write `inertia = { xx = …, yy = …, zz = …, about = \"origin\" }`.\n\n\
        Published robots have such inertias. A URDF is read with a warning, and so is an arm file\n\
        with `lenient = true`; the numbers are then used as they are.\n";

    ASYMMETRIC_INERTIA = "pliant::arm::asymmetric-inertia", "an inertia tensor that is not symmetric",
        "The entry in row i and column j of an inertia tensor equals the entry in row j and column\n\
        i. Give it by rows with equal entries, or as `{ xx, yy, zz, xy, xz, yz }`.\n";

    NEGATIVE_COEFFICIENT = "pliant::arm::negative-coefficient", "a coefficient below zero",
        "Stiffness, damping and armature are zero or positive. A negative one would feed energy\n\
        into the arm.\n";

    ACTUATOR = "pliant::arm::actuator", "an actuator that cannot be",
        "An `actuator` drives a joint with one coordinate. Its limits `torque` (or `force`, of a\n\
        prismatic joint) and `speed`, its `gear` and its `stiffness` are above zero where they are\n\
        given, `rotor_inertia` and what describes friction are zero or more. Dry friction `coulomb`\n\
        needs the speed `coulomb_speed` over which it turns round.\n\n\
        With `stiffness` the joint is elastic: the link keeps its coordinate, and the motor has one\n\
        of its own, called like the joint with `.motor` behind it, with a spring and a damper\n\
        (`damping`) between them. The motor then needs inertia: `rotor_inertia`, or the joint's\n\
        `armature`; both add up, on the motor's side.\n";

    NOT_POSITIVE = "pliant::arm::not-positive", "a length that must be positive",
        "Edges, radii and walls of shapes and sections are longer than zero, a wall is not thicker\n\
        than the radius, a link with a `length` is longer than zero, and a rod or cylinder ends\n\
        elsewhere than it begins.\n";

    IMPOSSIBLE_BEAM = "pliant::arm::impossible-beam", "a number that no bending link has",
        "A link that bends needs a stiffness for each way in which it bends, a mass, a damping\n\
        below critical, and no more modes than its finite elements have: two per element in\n\
        bending, one in twist and stretch. A section by its dimensions and its material has all\n\
        the stiffnesses; a `given` one needs `EIz` to bend along y, `EIy` along z, `GJ` to twist,\n\
        `EA` to stretch, and `kappaGAy`, `kappaGAz` to shear. Rigid parts at the ends count in\n\
        the link's `length` and leave something to bend.\n";

    STATIONS = "pliant::arm::stations", "stations that do not describe the link",
        "The `stations` of a link give its cross-section at places along it. They go outward, the\n\
        first at the root and the last at the tip (of the part that bends, where the link has\n\
        `rigid` parts; `at` counts from the root of the link all the same). Between two stations\n\
        dimensions run linearly, so both have the same kind and material. A sudden change is two\n\
        stations at one place.\n";

    SHEAR_WITHOUT_ELEMENTS = "pliant::arm::shear-without-elements", "shapes that cannot shear",
        "The modes of uniform links (`clamped-free`, `clamped-mass`, `root-pinned`) are those of a\n\
        slender link, whose sections stay at right angles to its axis. Shear needs finite elements:\n\
        `shapes = \"eigenmodes\", elements = 8`, or `shapes = \"elements\"`.\n";

    BENDS_NOTHING = "pliant::arm::bends-nothing", "a shape that moves no inertia of its own",
        "A coordinate of bending, twist or stretch needs inertia to move, its own and not only what\n\
        other coordinates move already: without it any force would move it at once. Sections by\n\
        their dimensions have that inertia; a `given` one needs `rhoA`, and for twist `rhoIy` and\n\
        `rhoIz`. A payload with `inertia` or a further link at the tip carries one shape each way,\n\
        not more. Use fewer shapes, or give the section its inertia.\n";

    SEGMENTS_OF_MODES = "pliant::arm::segments-of-modes", "segments that are not finite elements",
        "`segments` divides a link into pieces, each fixed to the tip of the one before, so that it\n\
        may bend far. The modes of a beam whose tip is free pass no moment on to the next piece;\n\
        use `shapes = \"elements\", elements = 1`, with `y = true` instead of a count. Damping ratios\n\
        are of the modes of a whole link; in segments damp by `{ stiffness = \"1e-4 s\" }`.\n";

    UNBALANCED_LAYUP = "pliant::arm::unbalanced-layup", "a layup without its mirror images",
        "A layup whose plies at an angle are not matched by as many at the opposite angle twists\n\
        when it is pulled, which a beam of pliant does not do; its stiffness would come out too\n\
        high. Give every ply its mirror image: `[\"0 deg\", \"45 deg\", \"-45 deg\"]`. Plies along and\n\
        across the axis need none.\n";

    OUTSIDE_LENGTH = "pliant::arm::outside-length", "a place beyond the end of a link",
        "`at` says how far out along a link with a `length` something sits, from 0 at its root to\n\
        the length at its tip, rigid parts counted. What is further out hangs on the tip, by a\n\
        `placement` or `position`.\n";

    NO_LENGTH = "pliant::arm::no-length", "a place along a link without length",
        "`at` counts along a link with a `length`. Other links have one frame; what hangs on them\n\
        is placed in it by `placement` or `position`.\n";

    COUNT_OUT_OF_RANGE = "pliant::arm::count-out-of-range", "a number of shapes or pieces out of range",
        "pliant computes with up to 20 shapes each way, 100 elements, 200 segments, and 100\n\
        coordinates of bending per segment or 500 per link. Few are enough: two or three shapes\n\
        each way give the lowest frequencies to a per cent, and eigenmodes of many elements are\n\
        still few coordinates.\n";

    NOT_SLENDER = "pliant::arm::not-slender", "a link too thick to leave out shear",
        "A warning. In a short, thick link sections shear, which lowers the frequencies; without\n\
        shear they come out too high. Switch it on: `bends = { …, shapes = \"eigenmodes\",\n\
        elements = 8, shear = true }`. For a link that hardly bends this may not matter.\n";

    FIRST_ORDER_ROTATION = "pliant::arm::first-order-rotation", "sections that turn to first order",
        "`rotation = \"first-order\"` takes the rotation of the sections as King's thesis does. It\n\
        reproduces his numbers; outside a plane energy is then not conserved: a warning. His\n\
        equations are for serial chains of turning joints and links that do not shorten\n\
        (`foreshortening = false`); for other arms it is an error. Leave it out for the exact\n\
        rotation.\n";

    FREE_TIP = "pliant::arm::free-tip", "a loaded tip with the shapes of a free one",
        "A warning about a link that slides. Shapes of a free tip are right where the load is small\n\
        beside the part outside: M/(rhoA l) and J/(rhoA l^3) below about 0.1 at the largest length\n\
        (remark 5 of Theodore and Ghosal). Else they converge slowly. `shapes = \"clamped-mass\"`\n\
        knows the load; four or more shapes each way do as well.\n";

    THEODORE_24 = "pliant::arm::theodore-24", "a link that slides with the velocity of Theodore (24)",
        "A warning. `velocity = \"theodore-24\"` makes the kinetic energy of a link that slides from\n\
        equation (24) of Theodore and Ghosal as it is printed: across the link at a fixed place,\n\
        along it with the matter. It reproduces their numbers. The Coriolis forces are then wrong\n\
        by their own size wherever the hub turns, and fast sliding (more than a twentieth of the\n\
        group velocity) is wrong even where it does not. Leave it out for results.\n";

    LIMITS_CROSSED = "pliant::arm::limits-crossed", "limits in the wrong order",
        "The limits of a joint are `[lower, upper]`, the smaller one first. An open side is\n\
        `-inf` or `inf`.\n";

    UNKNOWN_COORDINATE = "pliant::arm::unknown-coordinate", "a joint has no such coordinate",
        "Joints with several coordinates name them: cylindrical `slide`, `turn`; universal\n\
        `first`, `second`; planar `x`, `y`, `turn`; spherical `turn_x`, `turn_y`, `turn_z`; free\n\
        `move_x`, `move_y`, `move_z`, `turn_x`, `turn_y`, `turn_z`.\n";

    REFUSED = "pliant::arm::refused", "the arm cannot be built",
        "The arm breaks a rule that has no page of its own, and the message says which. At the end\n\
        of a long list of errors the code stands for those that are not shown: mend the first\n\
        ones and check again, for later ones often follow from them.\n";

    TRIANGLE_INEQUALITY = "pliant::arm::triangle-inequality", "moments of inertia that no body has",
        "A warning. The largest principal moment of a body is at most the sum of the other two;\n\
        a flat plate reaches it. Everything can be computed with other moments, but no body has\n\
        them. Often axes were mixed up, or the numbers belong to another reference point.\n";

    MOVES_NOTHING = "pliant::arm::moves-nothing", "a joint moves no mass",
        "A warning. Neither this link nor any link that it carries has mass or inertia, so no\n\
        force is needed to accelerate the joint: the mass matrix is singular. Forces, energies\n\
        and poses can be computed, accelerations cannot. Give a mass or an inertia, give the\n\
        joint `armature`, or let its motion be `prescribed`.\n";

    DOUBTFUL = "pliant::arm::doubtful", "something is doubtful",
        "A warning without a page of its own. The arm can be computed, but something about it is\n\
        unlikely, and the message says what: look at it once, then leave it or mend it. At the end\n\
        of a long list of warnings the code stands for those that are not shown.\n";
}
