//! What can be wrong with a URDF. What can be wrong with any arm has the same code as there.

codes! { URDF:
    XML = "pliant::urdf::xml", "the file is not well-formed XML",
        "URDF is XML: one outermost element, every `<tag>` closed by its `</tag>` (or written\n\
        `<tag/>`), attribute values in quotes, and `&` and `<` in values written `&amp;`, `&lt;`.\n\n\
        Reading stopped at the underlined position. The cause may be just before it.\n";

    DOCTYPE = "pliant::urdf::doctype", "the file declares a document type",
        "A `<!DOCTYPE ...>` can define entities that grow without bound when they are expanded,\n\
        and no URDF needs one, so pliant rejects it. Remove the declaration, and replace its\n\
        entities by their values.\n";

    TOO_COMPLEX = "pliant::urdf::too-complex", "the file is too complex for a robot",
        "pliant limits the number of elements, attributes and links of a URDF, and the depth of\n\
        nesting, so that a broken file cannot exhaust the memory. The limits are some hundred times\n\
        what the largest published robots need.\n";

    XACRO = "pliant::urdf::xacro", "the file is xacro, not URDF",
        "xacro is a macro language that generates URDF files. pliant reads the result:\n\n\
        ```sh\nxacro robot.urdf.xacro > robot.urdf\npliant check robot.urdf\n```\n\n\
        The command `xacro` is part of ROS, and there is a Python package of that name. A file\n\
        that only declares the namespace `xmlns:xacro` is fine.\n";

    NOT_A_ROBOT = "pliant::urdf::not-a-robot", "the outermost element is not `robot`",
        "A URDF has the outermost element `<robot name=\"...\">`, with `<link>` and `<joint>` inside.\n\
        SDF (`<sdf>`), MJCF (`<mujoco>`) and SRDF are other formats. Most simulators can export\n\
        URDF.\n";

    NO_LINKS = "pliant::urdf::no-links", "the robot has no links",
        "A robot needs at least one `<link name=\"...\">`, directly inside `<robot>`.\n";

    MISSING_PART = "pliant::urdf::missing-part", "a required part is missing",
        "An element lacks a required attribute or child element. A complete example:\n\n\
        ```xml\n\
        <link name=\"arm\">\n  <inertial>\n    <origin xyz=\"0.25 0 0\"/>\n    <mass value=\"1.2\"/>\n\
        \x20   <inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/>\n\
        \x20 </inertial>\n</link>\n\
        <joint name=\"shoulder\" type=\"revolute\">\n  <parent link=\"base\"/>\n  <child link=\"arm\"/>\n\
        \x20 <origin xyz=\"0 0 0.5\" rpy=\"0 0 0\"/>\n  <axis xyz=\"0 0 1\"/>\n\
        \x20 <limit lower=\"-2\" upper=\"2\" effort=\"10\" velocity=\"3\"/>\n</joint>\n```\n\n\
        The default `origin` is zero, the default `axis` is `1 0 0`, and a link without `inertial`\n\
        has no mass.\n";

    BAD_NUMBER = "pliant::urdf::bad-number", "not a number, or not the right count",
        "Numbers in a URDF are plain decimals (`0.25`, `-1e-3`) in metres, radians, kilograms and\n\
        kg m², without units, separated by blanks. Vectors (`xyz`, `rpy`) have three. NaN and\n\
        infinity are rejected.\n";

    UNKNOWN_LINK = "pliant::urdf::unknown-link", "a joint refers to a link that does not exist",
        "The `link` of `<parent>` and of `<child>` is the name of a `<link>` of the same file. Names\n\
        are case-sensitive.\n";

    TWO_PARENTS = "pliant::urdf::two-parents", "a link is the child of two joints",
        "URDF describes trees: each link but the root is the child of exactly one joint. Neither\n\
        URDF nor pliant supports closed chains such as four-bar linkages.\n";

    TWO_ROOTS = "pliant::urdf::two-roots", "the robot consists of several trees",
        "The root is the link that is not the child of any joint; there must be exactly one. Connect\n\
        the other trees by joints, of type `fixed` if they do not move.\n";

    JOINT_TYPE = "pliant::urdf::joint-type", "the joint type is unknown",
        "| type | motion |\n|---|---|\n\
        | `revolute` | rotation about `axis`, within `limit` |\n\
        | `continuous` | rotation about `axis`, without limits |\n\
        | `prismatic` | translation along `axis`, within `limit` |\n\
        | `planar` | translation in the plane normal to `axis`, and rotation about it |\n\
        | `floating` | all six degrees of freedom |\n\
        | `spherical`, `ball` | free rotation; not in the standard |\n\
        | `fixed` | none |\n\n\
        Write the type in lower case.\n";

    MIMIC = "pliant::urdf::mimic", "a joint follows another",
        "A warning. `<mimic>` couples a joint to another one. pliant treats all joints as\n\
        independent coordinates: your inputs must move them together.\n";

    FRICTION = "pliant::urdf::friction", "dry friction is smoothed",
        "A warning. The `friction` of `<dynamics>` is a constant force against the motion, which\n\
        jumps when the velocity changes sign. pliant smooths the jump; a URDF does not say over\n\
        which speed, so pliant uses 0.01 rad/s or m/s. To choose another, convert the file to an\n\
        arm file and set `coulomb_speed` of the joint's `actuator`.\n";

    RANGE = "pliant::urdf::range", "a joint has no usable range",
        "A warning. A revolute or prismatic joint should have a `<limit>` with `lower` and `upper`.\n\
        By the standard both default to 0, and the joint could not move at all, so pliant treats a\n\
        missing or empty range as no limits.\n\n\
        A joint that rotates without limits is of type `continuous` and has no range.\n";

    POINT_MASS = "pliant::urdf::point-mass", "a mass without an inertia tensor",
        "A warning. A `<mass>` without `<inertia>` is treated as a point mass at the `<origin>` of\n\
        `<inertial>`.\n";

    LEFT_ASIDE = "pliant::urdf::left-aside", "something is not used",
        "A warning. pliant reads from a URDF what its dynamics needs. It ignores visuals (`visual`,\n\
        `collision`, `material`) silently and lists other parts, such as `transmission` and\n\
        `gazebo`, once. It never opens meshes.\n";

    UNKNOWN_ELEMENT = "pliant::urdf::unknown-element", "an unknown element or attribute",
        "A warning. URDF has no element or attribute of this name here, so it is ignored. It may be\n\
        misspelled, or one level too high or too low.\n";
}
