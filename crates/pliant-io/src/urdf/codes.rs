//! What can be wrong with a URDF. What can be wrong with any arm has the same code as there.

codes! { URDF:
    XML = "pliant::urdf::xml", "the file is not well-formed XML",
        "URDF is XML: one outermost element, every `<tag>` closed by its `</tag>` (or written\n\
        `<tag/>`), attribute values in quotes, and `&` and `<` in values written `&amp;`, `&lt;`.\n\n\
        The underlined place is where reading had to stop. The cause may stand just before it.\n";

    DOCTYPE = "pliant::urdf::doctype", "the file declares a document type",
        "A `<!DOCTYPE ...>` can define entities that grow without bound when they are expanded,\n\
        and no URDF needs one. pliant does not read files that have it. Remove the declaration,\n\
        and write out what its entities stood for.\n";

    TOO_COMPLEX = "pliant::urdf::too-complex", "the file has more in it than any robot",
        "pliant limits how many elements, attributes and links a URDF may have, and how deep they\n\
        are nested, so that a broken file cannot use up the memory. The limits are some hundred\n\
        times what the largest published robots need.\n";

    XACRO = "pliant::urdf::xacro", "the file is xacro, not URDF",
        "xacro is a macro language from which URDF files are made. pliant reads the result:\n\n\
        ```sh\nxacro robot.urdf.xacro > robot.urdf\npliant check robot.urdf\n```\n\n\
        The command `xacro` is part of ROS, and there is a Python package of that name. A file\n\
        that only declares the namespace `xmlns:xacro` is fine.\n";

    NOT_A_ROBOT = "pliant::urdf::not-a-robot", "the outermost element is not `robot`",
        "A URDF has the outermost element `<robot name=\"...\">`, with `<link>` and `<joint>` inside.\n\
        SDF (`<sdf>`), MJCF (`<mujoco>`) and SRDF are other formats. Most simulators can export\n\
        URDF.\n";

    NO_LINKS = "pliant::urdf::no-links", "the robot has no links",
        "A robot needs at least one `<link name=\"...\">`, directly inside `<robot>`.\n";

    MISSING_PART = "pliant::urdf::missing-part", "something required is not there",
        "An element lacks an attribute or an element that has no default. A complete pair:\n\n\
        ```xml\n\
        <link name=\"arm\">\n  <inertial>\n    <origin xyz=\"0.25 0 0\"/>\n    <mass value=\"1.2\"/>\n\
        \x20   <inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/>\n\
        \x20 </inertial>\n</link>\n\
        <joint name=\"shoulder\" type=\"revolute\">\n  <parent link=\"base\"/>\n  <child link=\"arm\"/>\n\
        \x20 <origin xyz=\"0 0 0.5\" rpy=\"0 0 0\"/>\n  <axis xyz=\"0 0 1\"/>\n\
        \x20 <limit lower=\"-2\" upper=\"2\" effort=\"10\" velocity=\"3\"/>\n</joint>\n```\n\n\
        Without `origin` there is no offset, without `axis` it is `1 0 0`, and a link without\n\
        `inertial` has no mass.\n";

    BAD_NUMBER = "pliant::urdf::bad-number", "not a number, or not the right count",
        "Numbers in a URDF are plain decimals (`0.25`, `-1e-3`) in metres, radians, kilograms and\n\
        kg m², without units, separated by blanks. Vectors (`xyz`, `rpy`) have three. NaN and\n\
        infinity are refused.\n";

    UNKNOWN_LINK = "pliant::urdf::unknown-link", "a joint refers to a link that is not there",
        "The `link` of `<parent>` and of `<child>` is the name of a `<link>` of the same file,\n\
        letter by letter. Capitals matter.\n";

    TWO_PARENTS = "pliant::urdf::two-parents", "a link is the child of two joints",
        "URDF describes trees: each link but one is the child of exactly one joint. Closed chains,\n\
        such as four-bar linkages, are part neither of URDF nor of pliant.\n";

    TWO_ROOTS = "pliant::urdf::two-roots", "the robot falls into several trees",
        "The link that is no joint's child is the root, and there is exactly one. Connect the other\n\
        trees by joints, of type `fixed` if they do not move.\n";

    JOINT_TYPE = "pliant::urdf::joint-type", "the joint type is unknown",
        "| type | moves |\n|---|---|\n\
        | `revolute` | turns about `axis`, within `limit` |\n\
        | `continuous` | turns about `axis`, without end |\n\
        | `prismatic` | slides along `axis`, within `limit` |\n\
        | `planar` | slides in the plane normal to `axis`, and turns about it |\n\
        | `floating` | moves freely |\n\
        | `spherical`, `ball` | turns freely; not in the standard |\n\
        | `fixed` | does not move |\n\n\
        Small letters only.\n";

    MIMIC = "pliant::urdf::mimic", "a joint follows another",
        "A warning. `<mimic>` couples a joint to another one. To pliant all joints are independent\n\
        coordinates: whoever moves the arm must move them together.\n";

    FRICTION = "pliant::urdf::friction", "dry friction is smoothed",
        "A warning. The `friction` of `<dynamics>` is a constant force against the motion, which\n\
        jumps where that turns round. pliant lets it turn round smoothly, and a URDF does not say\n\
        over which speed: 0.01 rad/s or m/s is taken. Where it matters, convert the file to an arm\n\
        file and set `coulomb_speed` of the joint's `actuator`.\n";

    RANGE = "pliant::urdf::range", "the range of a joint is doubtful",
        "A warning. A revolute or prismatic joint should have a `<limit>` with `lower` and `upper`.\n\
        By the standard 0 stands for what is not given, and the joint could not move at all, so a\n\
        missing or empty range is taken as none.\n\n\
        A joint that turns without end is of type `continuous`, and has no range.\n";

    POINT_MASS = "pliant::urdf::point-mass", "a mass without an inertia tensor",
        "A warning. With a `<mass>` but without `<inertia>` the matter is taken as a point at the\n\
        `<origin>` of `<inertial>`.\n";

    LEFT_ASIDE = "pliant::urdf::left-aside", "something is not used",
        "A warning. pliant takes from a URDF what its dynamics needs. Pictures (`visual`,\n\
        `collision`, `material`) are passed over in silence. Other parts, such as `transmission`,\n\
        `gazebo`, are listed once. Meshes are never opened.\n";

    UNKNOWN_ELEMENT = "pliant::urdf::unknown-element", "an element or attribute is not known here",
        "A warning. URDF has no element or attribute of this name at this place, and it is not\n\
        used. Often it is misspelled, or stands one level too high or too deep.\n";
}
