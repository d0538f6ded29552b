//! The keys of links with a length: sections, materials, and how they bend.

use super::keys::PLACEMENT;
use super::matter_keys::ROUND;
use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::units;

/// Materials by name.
pub(super) const MATERIALS: &[&str] =
    &["steel", "aluminium", "aluminum", "titanium", "cfrp-ud", "cfrp-tube", "cfrp-quasi-isotropic"];

/// The families of shapes.
const FAMILIES: &[&str] =
    &["clamped-free", "clamped-mass", "root-pinned", "elements", "eigenmodes", "rigid-pieces"];

/// The scales of clamped-mass shapes of a link that slides.
const SCALES: &[&str] = &["one", "tip"];

/// The velocities from which the kinetic energy of a link that slides may be made.
const VELOCITIES: &[&str] = &["material", "paper"];

/// How the root of rigid pieces may be held.
const ROOTS: &[&str] = &["clamped", "pinned"];

const MATERIAL_FORM: Form = Form::WordOrTable(MATERIALS, &MATERIAL);

const SECTION_FORM: Form = Form::OneByKind("section", SECTIONS);

/// What makes a link long, and what makes it bend.
pub(super) const LENGTH: &[Key] = &[
    optional(
        "length",
        Form::Number(&units::LENGTH),
        "How long the link is [m], along the x axis of its frame, with its rigid parts. Children, \
         payload and frames then sit at its tip, which is also a frame, NAME.tip.",
    ),
    optional(
        "root",
        Form::PositionOrTable(&PLACEMENT),
        "Where the length begins in the link's frame, when it is not at its origin, and how it is \
         turned, when it is not along x.",
    ),
    optional(
        "section",
        SECTION_FORM,
        "The cross-section, the same over the whole length. With the material it gives the link \
         its mass, and its stiffness where it bends.",
    ),
    optional(
        "stations",
        Form::Tables(&STATION),
        "Cross-sections at places along the link, instead of one section: between two of them \
         dimensions run linearly, and two at one place make a step.",
    ),
    optional(
        "material",
        MATERIAL_FORM,
        "What the link is made of: a name, or a table of its properties.",
    ),
    optional(
        "bends",
        Form::Table(&BENDS),
        "How the link may bend, twist and stretch; it is rigid if left out.",
    ),
    optional(
        "rigid",
        Form::Table(&RIGID),
        "Parts at the ends of a link that bends that do not bend.",
    ),
];

pub(crate) static RIGID: TableSpec = TableSpec {
    name: "the rigid parts",
    doc: "Parts at the ends of a bending link that do not bend, of the section next to them. They \
          are part of the link's length.",
    example: "write { root = \"50 mm\", tip = \"30 mm\" }",
    keys: &[&[
        optional("root", Form::Number(&units::LENGTH), "Length of the part at the root [m]."),
        optional("tip", Form::Number(&units::LENGTH), "Length of the part at the tip [m]."),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static STATION: TableSpec = TableSpec {
    name: "a station",
    doc: "The cross-section at a place along a link.",
    example: "write { at = \"0 m\", section = { kind = \"round\", diameter = \"10 mm\" } }",
    keys: &[&[
        required("at", Form::Number(&units::LENGTH), "How far out along the link it is [m]."),
        required("section", SECTION_FORM, "The cross-section there."),
        optional("material", MATERIAL_FORM, "The material there; the link's if left out."),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static MATERIAL: TableSpec = TableSpec {
    name: "a material",
    doc: "What a link is made of: its properties, or those of a known material with changes, or a \
          layup of carbon fibre T300/5208.",
    example: "write material = \"aluminium\", or { young = \"70 GPa\", shear = \"26 GPa\", \
              density = \"2700 kg/m^3\" }",
    keys: &[&[
        optional("name", Form::Word(MATERIALS), "A known material; the other keys change it."),
        optional(
            "layup",
            Form::Numbers(&units::ANGLE),
            "The angles of the plies of T300/5208 to the link's axis [rad], each +a with its -a; \
             the other keys change the result.",
        ),
        optional("young", Form::Number(&units::MODULUS), "Young's modulus along the link [Pa]."),
        optional("shear", Form::Number(&units::MODULUS), "Shear modulus [Pa]."),
        optional("density", Form::Number(&units::DENSITY), "Density [kg/m^3]."),
        optional("strength", Form::Number(&units::PRESSURE), "The stress it may bear [Pa]."),
    ]],
    elsewhere: &[],
    later: &[],
};

const KIND: &[Key] = &[required("kind", Form::Text, "The kind of section.")];

const SIDES: &[Key] = &[
    required("height", Form::Number(&units::LENGTH), "Over all along y [m]."),
    required("width", Form::Number(&units::LENGTH), "Over all along z [m]."),
];

const WALL: &[Key] =
    &[required("wall", Form::Number(&units::LENGTH), "Thickness of the wall [m], inward.")];

pub(crate) static SECTIONS: &[&TableSpec] = &[
    &TableSpec {
        name: "round",
        doc: "A full circle.",
        example: "write { kind = \"round\", diameter = \"10 mm\" }",
        keys: &[KIND, ROUND],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "tube",
        doc: "A circle with a circular hole.",
        example: "write { kind = \"tube\", diameter = \"40 mm\", wall = \"2 mm\" }",
        keys: &[KIND, ROUND, WALL],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "rectangle",
        doc: "A full rectangle.",
        example: "write { kind = \"rectangle\", height = \"40 mm\", width = \"20 mm\" }",
        keys: &[KIND, SIDES],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "box",
        doc: "A rectangle with a rectangular hole, its walls equally thick.",
        example: "write { kind = \"box\", height = \"40 mm\", width = \"20 mm\", wall = \"2 mm\" }",
        keys: &[KIND, SIDES, WALL],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "i",
        doc: "Two flanges across y, joined by a web.",
        example: "write { kind = \"i\", height = \"40 mm\", width = \"20 mm\", web = \"2 mm\", \
                  flange = \"3 mm\" }",
        keys: &[
            KIND,
            SIDES,
            &[
                required("web", Form::Number(&units::LENGTH), "Thickness of the web, along z [m]."),
                required(
                    "flange",
                    Form::Number(&units::LENGTH),
                    "Thickness of each flange, along y [m].",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "given",
        doc: "A section by its properties; those left out are zero.",
        example: "write { kind = \"given\", EIy = 34, EIz = 34, GJ = 26, rhoA = 0.2 }",
        keys: &[
            KIND,
            &[
                optional("EA", Form::Number(&units::FORCE), "Stiffness against stretching [N]."),
                optional(
                    "EIy",
                    Form::Number(&units::BENDING_STIFFNESS),
                    "Bending stiffness about y, against deflection along z [N m^2].",
                ),
                optional(
                    "EIz",
                    Form::Number(&units::BENDING_STIFFNESS),
                    "Bending stiffness about z, against deflection along y [N m^2].",
                ),
                optional(
                    "GJ",
                    Form::Number(&units::BENDING_STIFFNESS),
                    "Stiffness against twist [N m^2].",
                ),
                optional(
                    "kappaGAy",
                    Form::Number(&units::FORCE),
                    "Shear stiffness along y [N]; rigid against shear if left out.",
                ),
                optional(
                    "kappaGAz",
                    Form::Number(&units::FORCE),
                    "Shear stiffness along z [N]; rigid against shear if left out.",
                ),
                required("rhoA", Form::Number(&units::MASS_PER_LENGTH), "Mass per length [kg/m]."),
                optional(
                    "rhoIy",
                    Form::Number(&units::INERTIA_PER_LENGTH),
                    "Inertia of the section against turning about y, per length [kg m].",
                ),
                optional(
                    "rhoIz",
                    Form::Number(&units::INERTIA_PER_LENGTH),
                    "Inertia of the section against turning about z, per length [kg m]; both \
                     together resist twist.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
];

pub(crate) static BENDS: TableSpec = TableSpec {
    name: "bends",
    doc: "How a link may bend: how many shapes each way, of which family, and what goes with them.",
    example: "write { y = 2, z = 2, twist = 1 }: how many shapes each way",
    keys: &[&[
        optional(
            "y",
            Form::CountOrFlag,
            "How many shapes with deflection along y; none if left out. With shapes = \
             \"elements\" or \"rigid-pieces\": true or false, as for the other ways.",
        ),
        optional("z", Form::CountOrFlag, "How many shapes with deflection along z."),
        optional("twist", Form::CountOrFlag, "How many shapes of twist about x."),
        optional("stretch", Form::CountOrFlag, "How many shapes of stretch along x."),
        optional(
            "shapes",
            Form::Word(FAMILIES),
            "Which family: modes of the uniform link, \"clamped-free\", \"clamped-mass\" (with a \
             load at the tip) or \"root-pinned\"; \"elements\", finite elements; or \
             \"eigenmodes\" of the finite elements, for links that are not uniform and for joints \
             that turn freely; or \"rigid-pieces\" with springs between them, for deflections of \
             any size and for speed. clamped-free if left out.",
        ),
        optional(
            "elements",
            Form::Count,
            "How many finite elements, with shapes = \"elements\" or \"eigenmodes\".",
        ),
        optional(
            "pieces",
            Form::Count,
            "How many pieces, with shapes = \"rigid-pieces\". Between them are one hinge less, named \
             link.h1, link.h2 and so on, amid equal lengths: the end pieces are half as long.",
        ),
        optional(
            "root",
            Form::Word(ROOTS),
            "How the root of rigid pieces is held: \"clamped\", by a joint that is locked or driven, \
             or \"pinned\", by one that turns freely; all pieces are then equally long. clamped if \
             left out.",
        ),
        optional(
            "segments",
            Form::Count,
            "Into how many pieces, one fixed to the tip of the other, the link is divided, each \
             with all the shapes: for large deflections; 1 if left out.",
        ),
        optional(
            "stiffening",
            Form::Flag,
            "Whether bending shortens the link, and so pulling it, as by a spin, stiffens it; \
             true if left out.",
        ),
        optional(
            "shear",
            Form::Flag,
            "Whether sections shear (Timoshenko), with finite elements or their eigenmodes; false \
             if left out.",
        ),
        optional(
            "rotation",
            Form::Word(&["exact", "first-order"]),
            "How sections turn: \"exact\", or \"first-order\" as in King's thesis, which does not \
             conserve energy outside a plane; exact if left out.",
        ),
        optional(
            "damping",
            Form::NumberOrTable(&BEAM_DAMPING),
            "The ratio to critical damping of the link's own modes, such as 0.01, or a table; \
             none if left out.",
        ),
        optional(
            "load",
            Form::WordOrTable(&["outboard"], &LOAD),
            "What the shapes \"clamped-mass\" and \"eigenmodes\" take to hang at the tip: \
             \"outboard\", all that is further out in the neutral configuration, or a table. It \
             forms the shapes and weighs nothing. outboard if left out.",
        ),
        optional(
            "hinge",
            Form::Table(&HINGE),
            "For eigenmodes of a link whose joint turns freely: the inertia of its hub.",
        ),
        optional(
            "slides",
            Form::Table(&SLIDES),
            "For a link that slides through its joint: how far it comes out. The link's length is \
             then its whole length, its root the mouth, and the part inside stays straight. The \
             length outside is the coordinate NAME.l.",
        ),
        optional(
            "combinations",
            Form::Rows,
            "Combinations of the shapes to use instead of them: for each coordinate a row with \
             one factor per shape.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static BEAM_DAMPING: TableSpec = TableSpec {
    name: "the damping of a link",
    doc: "What damps the bending of a link; what is given adds up.",
    example: "write 0.01, a ratio to critical damping, or { mass = 0.1, stiffness = 1e-4 }",
    keys: &[&[
        optional("ratio", Form::Number(&units::NUMBER), "One ratio for all modes."),
        optional(
            "ratios",
            Form::Numbers(&units::NUMBER),
            "A ratio for each mode, from the lowest; as many as there are shapes.",
        ),
        optional("mass", Form::Number(&units::RATE), "In proportion to the mass [1/s]."),
        optional("stiffness", Form::Number(&units::TIME), "In proportion to the stiffness [s]."),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static LOAD: TableSpec = TableSpec {
    name: "the load of the shapes",
    doc: "What the shapes take to hang at the tip. It forms the shapes and weighs nothing.",
    example: "write { mass = \"2 kg\" }",
    keys: &[&[
        optional("mass", Form::Number(&units::MASS), "Mass [kg]."),
        optional(
            "offset",
            Form::Number(&units::LENGTH),
            "How far beyond the tip its centre lies along x [m].",
        ),
        optional(
            "inertia",
            Form::Vector(&units::INERTIA),
            "Moments of inertia about the tip [kg m^2].",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static SLIDES: TableSpec = TableSpec {
    name: "slides",
    doc: "How a link slides through its joint, and what drives it.",
    example: "write { from = \"0.3 m\", to = \"1 m\" }: the smallest and the largest length outside",
    keys: &[&[
        required("from", Form::Number(&units::LENGTH), "The smallest length outside [m]."),
        required("to", Form::Number(&units::LENGTH), "The largest length outside [m]."),
        optional(
            "prescribed",
            Form::Flag,
            "Whether a scenario says how it slides, and the force of the drive follows; false if \
             left out.",
        ),
        optional("damping", Form::Number(&units::DAMPING), "Viscous damping of the drive [N s/m]."),
        optional("armature", Form::Number(&units::MASS), "Inertia that the drive adds [kg]."),
        optional(
            "scale",
            Form::Word(SCALES),
            "The scale of the shapes \"clamped-mass\": \"one\", that of the formula, or \"tip\", \
             a deflection of 1 at the tip at every length. Motions do not depend on it. one if \
             left out.",
        ),
        optional(
            "velocity",
            Form::Word(VELOCITIES),
            "\"material\", the velocity of the link's matter, or \"paper\", equation (24) of \
             Theodore and Ghosal as printed, for comparison only: it falsifies the Coriolis forces. \
             material if left out.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static HINGE: TableSpec = TableSpec {
    name: "the hinge",
    doc: "The inertia of a hub that turns freely with the root; a way left out is clamped.",
    example: "write { y = \"0.1 kg m^2\" }",
    keys: &[&[
        optional(
            "y",
            Form::Number(&units::INERTIA),
            "Its inertia about z [kg m^2], in the plane of bending along y.",
        ),
        optional(
            "z",
            Form::Number(&units::INERTIA),
            "Its inertia about y [kg m^2], in the plane of bending along z.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};
