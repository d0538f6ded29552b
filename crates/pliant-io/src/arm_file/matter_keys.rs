//! The keys of masses, inertias and shapes.

use super::keys::TURN;
use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::units;

/// A mass and where it is.
pub(super) const MASS: &[Key] = &[
    optional("mass", Form::Number(&units::MASS), "Mass [kg]."),
    optional(
        "com",
        Form::Vector(&units::LENGTH),
        "Centre of mass [m], link frame; the origin if left out.",
    ),
];

pub(crate) static BODY: TableSpec = TableSpec {
    name: "a body",
    doc: "A rigid body on a link: mass, com and inertia, or a shape.",
    example: "write { mass = \"2 kg\", com = [0, 0, \"10 mm\"], inertia = [0.1, 0.1, 0.1] }",
    keys: &[
        MASS,
        &[
            optional(
                "inertia",
                Form::Inertia(&INERTIA),
                "Inertia about the centre of mass [kg m^2], axes of the link frame.",
            ),
            optional(
                "shape",
                Form::ByKind("shape", SHAPES),
                "Its shape, with its mass or density.",
            ),
        ],
    ],
    elsewhere: &[],
    later: &[],
};

pub(crate) static PAYLOAD: TableSpec = TableSpec {
    name: "a payload",
    doc: "Something that a link carries: at its tip, when the link has a length.",
    example: "write { mass = \"2 kg\", position = [0, 0, \"10 mm\"] }",
    keys: &[
        &[required("mass", Form::Number(&units::MASS), "Mass [kg].")],
        &[
            optional(
                "position",
                Form::Vector(&units::LENGTH),
                "Where its centre of mass is [m], from the tip of a link that has a length, \
                 otherwise from the origin of the link frame; there if left out.",
            ),
            optional(
                "inertia",
                Form::Inertia(&INERTIA),
                "Inertia about its centre of mass [kg m^2]; a point mass if left out.",
            ),
        ],
    ],
    elsewhere: &[],
    later: &[],
};

pub(crate) static INERTIA: TableSpec = TableSpec {
    name: "an inertia",
    doc: "Moments and products of inertia; those left out are zero. xy is the entry of the tensor, \
          minus the integral of x y dm.",
    example: "write { xx = 0.1, yy = 0.1, zz = 0.1 }",
    keys: &[&[
        optional("xx", Form::Number(&units::INERTIA), "Moment about x."),
        optional("yy", Form::Number(&units::INERTIA), "Moment about y."),
        optional("zz", Form::Number(&units::INERTIA), "Moment about z."),
        optional("xy", Form::Number(&units::INERTIA), "Entry xy of the tensor."),
        optional("xz", Form::Number(&units::INERTIA), "Entry xz of the tensor."),
        optional("yz", Form::Number(&units::INERTIA), "Entry yz of the tensor."),
        optional(
            "about",
            Form::Word(&["com", "origin"]),
            "The point of reference: the centre of mass, or the origin of the link frame; com if \
             left out.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

/// What every shape has.
const SHAPE: &[Key] = &[
    required("kind", Form::Text, "The kind of shape."),
    optional("mass", Form::Number(&units::MASS), "Mass [kg]; or give density."),
    optional("density", Form::Number(&units::DENSITY), "Density [kg/m^3]; or give mass."),
];

const ENDS: &[Key] = &[
    optional(
        "from",
        Form::Vector(&units::LENGTH),
        "The middle of one end [m]; the origin of the link frame if left out.",
    ),
    required("to", Form::Vector(&units::LENGTH), "The middle of the other end [m]."),
];

const CENTRE: &[Key] = &[optional(
    "position",
    Form::Vector(&units::LENGTH),
    "Where its centre is [m]; the origin of the link frame if left out.",
)];

pub(super) const ROUND: &[Key] = &[
    optional("radius", Form::Number(&units::LENGTH), "Radius [m]; or give diameter."),
    optional("diameter", Form::Number(&units::LENGTH), "Diameter [m]; or give radius."),
];

pub(crate) static SHAPES: &[&TableSpec] = &[
    &TableSpec {
        name: "box",
        doc: "A box.",
        example: "write { kind = \"box\", size = [0.1, 0.2, 0.3], mass = \"2 kg\" }",
        keys: &[
            SHAPE,
            &[required(
                "size",
                Form::Vector(&units::LENGTH),
                "Its edges along its own x, y and z [m].",
            )],
            CENTRE,
            TURN,
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "cylinder",
        doc: "A solid cylinder between two points.",
        example: "write { kind = \"cylinder\", to = [0.5, 0, 0], diameter = \"50 mm\", mass = \"2 kg\" }",
        keys: &[SHAPE, ENDS, ROUND],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "tube",
        doc: "A hollow cylinder between two points.",
        example: "write { kind = \"tube\", to = [0.5, 0, 0], diameter = \"50 mm\", wall = \"3 mm\", mass = \"2 kg\" }",
        keys: &[
            SHAPE,
            ENDS,
            ROUND,
            &[required(
                "wall",
                Form::Number(&units::LENGTH),
                "Thickness of the wall [m], inward from the radius.",
            )],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "sphere",
        doc: "A solid sphere.",
        example: "write { kind = \"sphere\", diameter = \"50 mm\", mass = \"2 kg\" }",
        keys: &[SHAPE, CENTRE, ROUND],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "rod",
        doc: "A thin rod between two points; it has a mass, not a density.",
        example: "write { kind = \"rod\", to = [0.5, 0, 0], mass = \"2 kg\" }",
        keys: &[SHAPE, ENDS],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "point",
        doc: "A point mass.",
        example: "write { kind = \"point\", mass = \"2 kg\" }",
        keys: &[SHAPE, CENTRE],
        elsewhere: &[],
        later: &[],
    },
];
