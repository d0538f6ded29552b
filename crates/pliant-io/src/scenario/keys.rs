//! Every key of a scenario file, described once.

use super::controller_keys::CONTROLLERS;
use super::plan_keys::PLANS;
use super::signal_keys::{INPUTS, PRESCRIBED};
use crate::arm_file::ArmTable;
use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::table::Table as _;
use crate::units;

/// The methods of integration.
const METHODS: &[&str] = &["auto", "dop853", "dopri5", "radau5", "rk4", "generalised-alpha"];

/// How a run starts.
pub(crate) const STARTS: &[&str] = &["as given", "static equilibrium"];

/// What happens at the limits of joints.
pub(crate) const LIMITS: &[&str] = &["stop", "report", "ignore"];

/// Which crossings count.
pub(crate) const DIRECTIONS: &[&str] = &["rising", "falling", "both"];

/// What an event does.
pub(crate) const ACTIONS: &[&str] = &["stop", "report"];

pub(crate) static SCENARIO: TableSpec = TableSpec {
    name: "a scenario",
    doc: "A scenario of pliant: an arm, how it starts, what acts on it, for how long, and what is \
          recorded.",
    example: "write arm = \"two-link.toml\" and duration = \"5 s\"",
    keys: &[
        &[
            required(
                "arm",
                Form::TextOrTable(ArmTable::SPEC),
                "The arm: the path of its file, from the folder of the scenario, or the arm itself.",
            ),
            optional(
                "gravity",
                Form::Vector(&units::ACCELERATION),
                "The acceleration of gravity in world axes, instead of that of the arm.",
            ),
            required("duration", Form::Number(&units::TIME), "How long it lasts [s]."),
            optional(
                "start",
                Form::Word(STARTS),
                "\"as given\" in initial, or \"static equilibrium\": the joints as given, the \
                 links bent as they rest there under gravity and the loads of that instant; as given \
                 if left out.",
            ),
            optional(
                "initial",
                Form::PerCoordinate,
                "Coordinates at the start by name [rad, m]; neutral if left out.",
            ),
            optional(
                "rates",
                Form::PerCoordinate,
                "Velocities at the start by name [rad/s, m/s]; zero if left out.",
            ),
            optional(
                "method",
                Form::Word(METHODS),
                "The method of integration: dop853 (order 8) and dopri5 (order 5) with steps by \
                 tolerance, radau5, implicit, for stiff arms; rk4, of order 4 with a fixed step, or \
                 generalised-alpha, implicit, of order 2 with a fixed step, which damps what is too \
                 fast for it; auto chooses by the highest frequency and says why; auto if left out.",
            ),
            optional(
                "tolerance",
                Form::Number(&units::NUMBER),
                "The error allowed in each step, relative and absolute, not for methods with a \
                 step; 1e-9 if left out.",
            ),
            optional(
                "step",
                Form::Number(&units::TIME),
                "The length of a step, for rk4 and generalised-alpha [s].",
            ),
            optional(
                "spectral_radius",
                Form::Number(&units::NUMBER),
                "For generalised-alpha: the factor, from 0 to 1, by which each step shrinks what \
                 is far too fast for it; 0.8 if left out.",
            ),
            optional("record", Form::Table(&RECORD), "What is recorded, and how often."),
            optional(
                "limits",
                Form::Word(LIMITS),
                "What happens when a joint meets its limit: the run stops, or it is reported, or \
                 limits are ignored; reported if left out.",
            ),
            optional("seed", Form::Count, "What the noise of sensors starts from; 0 if left out."),
        ],
        &[
            optional(
                "input",
                Form::ByKind("input", INPUTS),
                "Forces of motors, and loads on frames, as functions of time.",
            ),
            optional(
                "prescribed",
                Form::ByKind("prescribed", PRESCRIBED),
                "Motions of prescribed joints as functions of time.",
            ),
            optional("sensor", Form::ByKind("sensor", SENSORS), "What is measured."),
            optional(
                "plan",
                Form::OneByKind("plan", PLANS),
                "Where controllers with a model are to lead the arm.",
            ),
            optional(
                "controller",
                Form::ByKind("controller", CONTROLLERS),
                "What drives motors by what is measured, at the ticks of a clock.",
            ),
            optional("event", Form::Tables(&EVENT), "What to look out for."),
        ],
    ],
    elsewhere: &[],
    later: &[("payload", "payloads that change")],
};

pub(crate) static RECORD: TableSpec = TableSpec {
    name: "record",
    doc: "What is recorded, and how often.",
    example: "write record = { every = \"5 ms\", channels = [\"coordinates\", \"energies\"] }",
    keys: &[&[
        optional(
            "every",
            Form::Number(&units::TIME),
            "The time between two rows [s]; 10 ms if left out.",
        ),
        optional(
            "channels",
            Form::Texts,
            "Groups (coordinates, velocities, accelerations, forces, frames, frame-velocities, \
             energies, momenta, sensors, outputs and references of controllers), names \
             (upper.rate), or names with a star (*.position.x). If left out: coordinates, \
             velocities, forces, energies, sensors, outputs, references and the positions of tips.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static EVENT: TableSpec = TableSpec {
    name: "an event",
    doc: "An expression that crosses zero.",
    example: "write expression = \"upper + 1.57\" below a line [[event]]",
    keys: &[&[
        optional("name", Form::Text, "Its name; the expression if left out."),
        required(
            "expression",
            Form::Text,
            "An expression of the time t and of channels in SI units, such as \
             \"fore.tip.position.y + 2\".",
        ),
        optional("direction", Form::Word(DIRECTIONS), "Which crossings count; both if left out."),
        optional(
            "action",
            Form::Word(ACTIONS),
            "Whether the run stops there, or only reports it; report if left out.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

/// What every sensor has.
const SENSOR: &[Key] = &[
    required("kind", Form::Text, "The kind of sensor."),
    required("name", Form::Text, "Its name, which is that of its channel."),
    required("period", Form::Number(&units::TIME), "The time between two measurements [s]."),
    optional("delay", Form::Number(&units::TIME), "How late it shows them [s]; 0 if left out."),
    optional(
        "noise",
        Form::Measured,
        "The standard deviation of its noise, in the unit of what it measures; 0 if left out.",
    ),
    optional(
        "resolution",
        Form::Measured,
        "The step to whose multiples it rounds, in the unit of what it measures; 0 if left out.",
    ),
];

const OF_FRAME: &[Key] = &[required("frame", Form::Text, "The frame it sits on.")];

pub(crate) static SENSORS: &[&TableSpec] = &[
    &TableSpec {
        name: "encoder",
        doc: "Measures a coordinate.",
        example: "write { kind = \"encoder\", name = \"shaft\", coordinate = \"upper\", period = \"1 ms\" }",
        keys: &[
            SENSOR,
            &[
                required("coordinate", Form::Text, "What it measures."),
                optional(
                    "counts",
                    Form::Count,
                    "How many steps it has in a turn, instead of a resolution.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "strain",
        doc: "Measures the strain along a link on its surface; positive is stretched.",
        example: "write { kind = \"strain\", name = \"gauge\", link = \"upper\", at = \"50 mm\", y = \"5 mm\", period = \"1 ms\" }",
        keys: &[
            SENSOR,
            &[
                required("link", Form::Text, "The link."),
                required(
                    "at",
                    Form::Number(&units::LENGTH),
                    "How far from the root of the part that bends [m].",
                ),
                optional(
                    "y",
                    Form::Number(&units::LENGTH),
                    "How far from the axis along y [m]; 0 if left out.",
                ),
                optional(
                    "z",
                    Form::Number(&units::LENGTH),
                    "How far from the axis along z [m]; 0 if left out.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "accelerometer",
        doc: "Measures the acceleration of a frame less gravity, in the axes of the frame.",
        example: "write { kind = \"accelerometer\", name = \"imu\", frame = \"fore.tip\", period = \"1 ms\" }",
        keys: &[SENSOR, OF_FRAME],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "position",
        doc: "Measures where a frame is in the world.",
        example: "write { kind = \"position\", name = \"camera\", frame = \"fore.tip\", period = \"20 ms\" }",
        keys: &[SENSOR, OF_FRAME],
        elsewhere: &[],
        later: &[],
    },
];
