//! Every key of an arm file, described once.

use super::beam_keys::LENGTH;
use super::matter_keys::{BODY, INERTIA, MASS, PAYLOAD, SHAPES};
use super::placement::Dh;
use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::table::Table as _;
use crate::units;

/// The kinds of joints.
pub(crate) const JOINT_KINDS: &[&str] =
    &["fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "free"];

pub(crate) static ARM: TableSpec = TableSpec {
    name: "the arm",
    doc: "An arm of pliant: a tree of links on joints.",
    example: "begin a link with the line [[link]], its keys below",
    keys: &[&[
        optional("name", Form::Text, "The name of the arm; the file's name if left out."),
        optional(
            "gravity",
            Form::Vector(&units::ACCELERATION),
            "The acceleration of gravity in world axes; [0, 0, -9.81] if left out.",
        ),
        optional(
            "lenient",
            Form::Flag,
            "True to accept inertias that no body has, with a warning; arms converted from other \
             formats may need it.",
        ),
        required("link", Form::Tables(&LINK), "The links. Each begins with the line [[link]]."),
    ]],
    elsewhere: &[],
    later: &[("actuator", "actuators"), ("controller", "controllers")],
};

pub(crate) static LINK: TableSpec = TableSpec {
    name: "a link",
    doc: "A link: a joint, where it sits on its parent, and the matter that it moves. All that \
          belongs to the link is given in its own frame, which moves with it.",
    example: "begin a link with the line [[link]], its keys below",
    keys: &[
        &[
            required("name", Form::Text, "The name of the link; its coordinates bear it too."),
            optional(
                "parent",
                Form::Text,
                "The link it hangs on, or \"ground\". If left out: the link before it in the file, \
             and the ground for the first.",
            ),
            optional(
                "joint",
                Form::WordOrTable(JOINT_KINDS, &JOINT),
                "How it moves against its parent; if left out \"fixed\", and \"revolute\" with dh.",
            ),
            optional(
                "placement",
                Form::PositionOrTable(&PLACEMENT),
                "Where the joint sits in the parent's frame; at its origin if left out. On a parent \
             with a length: in the frame of its tip, or of the place that at says.",
            ),
            optional(
                "at",
                Form::Number(&units::LENGTH),
                "How far out along a parent that has a length the joint sits [m]; at the parent's tip \
             if left out, at = 0 is its root.",
            ),
            optional(
                "outboard",
                Form::PositionOrTable(&PLACEMENT),
                "Where the link's frame sits in the frame that the joint moves; at its origin if left \
             out.",
            ),
            optional(
                "dh",
                Form::Table(Dh::SPEC),
                "A row of Denavit-Hartenberg parameters, instead of a placement; the joint moves \
             about or along z.",
            ),
        ],
        MASS,
        &[
            optional(
                "inertia",
                Form::Inertia(&INERTIA),
                "Inertia about the centre of mass [kg m^2], axes of the link frame: three moments, \
             three rows, or a table; a point mass if left out.",
            ),
            optional(
                "shape",
                Form::ByKind("shape", SHAPES),
                "A body by its shape and its mass or density, instead of mass, com and inertia.",
            ),
            optional(
                "body",
                Form::Tables(&BODY),
                "Several bodies, each with mass, com and inertia, or with a shape; on a link with a \
             section in addition to it, at its root.",
            ),
            optional(
                "payload",
                Form::Tables(&PAYLOAD),
                "Something that the link carries, in addition to its own matter; at the tip of a link \
             that has a length.",
            ),
            optional(
                "frames",
                Form::Tables(&FRAME),
                "Further frames on the link: tools, sensors, places for loads.",
            ),
        ],
        LENGTH,
    ],
    elsewhere: &[],
    later: &[("slides", "links that slide through their joints")],
};

pub(crate) static JOINT: TableSpec = TableSpec {
    name: "a joint",
    doc: "A joint of 0 to 6 degrees of freedom.",
    example: "write { kind = \"revolute\", axis = \"z\" }",
    keys: &[&[
        required("kind", Form::Word(JOINT_KINDS), "The kind of joint."),
        optional(
            "axis",
            Form::Axis,
            "The axis of a revolute, prismatic or cylindrical joint: \"x\", \"-y\" or [1, 1, 0]; \
             \"z\" if left out.",
        ),
        optional(
            "axes",
            Form::Axes,
            "The two axes of a universal joint: the first stays with the parent, the second with \
             the link; [\"x\", \"y\"] if left out.",
        ),
        optional("name", Form::Text, "The name of its coordinates; the link's name if left out."),
        optional(
            "limits",
            Form::Limits,
            "The range: [\"-170 deg\", \"170 deg\"]; by coordinate if there are several.",
        ),
        optional(
            "spring",
            Form::PerCoordinate,
            "Stiffness of a spring in the joint [N m/rad or N/m].",
        ),
        optional(
            "rest",
            Form::PerCoordinate,
            "Where the spring is relaxed [rad or m]; the neutral configuration if left out.",
        ),
        optional("damping", Form::PerCoordinate, "Viscous damping [N m s/rad or N s/m]."),
        optional(
            "armature",
            Form::PerCoordinate,
            "Inertia that the motor adds, seen at the joint: rotor inertia times gear ratio \
             squared [kg m^2 or kg].",
        ),
        optional(
            "actuator",
            Form::Table(&ACTUATOR),
            "What drives a joint of one coordinate: limits, rotor and gear, friction, and the \
             spring of an elastic joint.",
        ),
        optional(
            "prescribed",
            Form::Flag,
            "True when the motion is given from outside and the force is the answer; that of the \
             motor where the joint is elastic.",
        ),
    ]],
    elsewhere: &[],
    later: &[("slides", "links that slide through their joints")],
};

pub(crate) static ACTUATOR: TableSpec = TableSpec {
    name: "an actuator",
    doc: "What drives a revolute or prismatic joint. All is counted at the joint, behind the gear, \
          but for the inertia of the rotor.",
    example: "write { torque = \"50 N m\", speed = \"3 rad/s\", rotor_inertia = \"1e-4 kg m^2\", \
              gear = 100 }",
    keys: &[&[
        optional(
            "torque",
            Form::Number(&units::MOMENT),
            "The largest torque of a revolute joint's motor, either way [N m]; none if left out.",
        ),
        optional(
            "force",
            Form::Number(&units::FORCE),
            "The largest force of a prismatic joint's motor, either way [N]; none if left out.",
        ),
        optional(
            "speed",
            Form::Measured,
            "The speed up to which the motor drives [rad/s or m/s]; from there to a tenth beyond, \
             its force fades. Braking is not limited. None if left out.",
        ),
        optional(
            "rotor_inertia",
            Form::Number(&units::INERTIA),
            "The inertia of the rotor about its own axis [kg m^2]. Seen at the joint it is gear \
             squared times as much, and added to armature.",
        ),
        optional(
            "gear",
            Form::Number(&units::NUMBER),
            "How far the rotor turns for a turn of the joint, or in rad per m where it slides; 1 \
             if left out.",
        ),
        optional(
            "stiffness",
            Form::Measured,
            "A spring between motor and link [N m/rad or N/m], which makes the joint elastic: the \
             motor has a coordinate of its own, NAME.motor. Rigid if left out.",
        ),
        optional("damping", Form::Measured, "A damper beside that spring [N m s/rad or N s/m]."),
        optional(
            "viscous",
            Form::Measured,
            "Viscous friction of motor and gear [N m s/rad or N s/m].",
        ),
        optional(
            "coulomb",
            Form::Measured,
            "Dry friction of motor and gear [N m or N]; it needs coulomb_speed.",
        ),
        optional(
            "coulomb_speed",
            Form::Measured,
            "The speed over which dry friction turns round [rad/s or m/s]: it is coulomb u / \
             sqrt(u^2 + coulomb_speed^2).",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

/// How something is turned; at most one way may be used.
pub(super) const TURN: &[Key] = &[
    optional(
        "rpy",
        Form::Vector(&units::ANGLE),
        "Roll, pitch, yaw [rad]: turns about the fixed axes x, then y, then z.",
    ),
    optional(
        "rotation",
        Form::Matrix,
        "A rotation matrix by rows; its columns are the turned axes.",
    ),
    optional("quaternion", Form::Quaternion, "A unit quaternion [w, x, y, z]."),
    optional("axis", Form::Axis, "The axis of a turn by the key angle."),
    optional("angle", Form::Number(&units::ANGLE), "The angle of a turn about the key axis [rad]."),
];

const POSITION: &[Key] = &[optional(
    "position",
    Form::Vector(&units::LENGTH),
    "Position of the origin [m]; zero if left out.",
)];

pub(crate) static ATTITUDE: TableSpec = TableSpec {
    name: "an attitude",
    doc: "How a frame is turned.",
    example: "write { rpy = [0, 0, \"90 deg\"] }",
    keys: &[TURN],
    elsewhere: &[],
    later: &[],
};

pub(crate) static PLACEMENT: TableSpec = TableSpec {
    name: "a placement",
    doc: "Where a frame is, and how it is turned.",
    example: "write { position = [0, 0, \"10 mm\"], rpy = [0, 0, \"90 deg\"] }",
    keys: &[POSITION, TURN],
    elsewhere: &[],
    later: &[],
};

pub(crate) static FRAME: TableSpec = TableSpec {
    name: "a frame",
    doc: "A further frame on a link.",
    example: "write { name = \"tip\", position = [0, 0, \"10 mm\"] }",
    keys: &[
        &[
            required("name", Form::Text, "The name of the frame."),
            optional(
                "at",
                Form::Number(&units::LENGTH),
                "How far out along a link that has a length [m]; at its tip if left out, at = 0 \
                 is its root.",
            ),
        ],
        POSITION,
        TURN,
    ],
    elsewhere: &[],
    later: &[],
};
