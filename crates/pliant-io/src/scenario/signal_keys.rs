//! The keys of functions of time.

use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::units;

/// What every input has.
const ON: &[Key] = &[
    required("kind", Form::Text, "The kind of function."),
    optional(
        "motor",
        Form::Text,
        "The coordinate whose motor it drives; its numbers are forces [N m, N].",
    ),
    optional(
        "frame",
        Form::Text,
        "Or the frame that it loads; its numbers are then factors of force and moment.",
    ),
    optional("force", Form::Vector(&units::FORCE), "The force on the frame [N]; zero if left out."),
    optional(
        "moment",
        Form::Vector(&units::MOMENT),
        "The moment about the frame's origin [N m]; zero if left out.",
    ),
    optional(
        "axes",
        Form::Word(&["world", "own"]),
        "In which axes both are given: the world's, or the frame's own; world if left out.",
    ),
];

/// What every target has.
const TARGET: &[Key] = &[required("kind", Form::Text, "The kind of function.")];

/// What is given of a prescribed motion.
const GIVEN: &[&str] = &["position", "rate", "acceleration"];

/// What every prescribed motion has.
const MOTION: &[Key] = &[
    required("kind", Form::Text, "The kind of function."),
    required("coordinate", Form::Text, "The coordinate that it moves."),
    optional(
        "gives",
        Form::Word(GIVEN),
        "What its numbers are: the position, its rate or its acceleration; position if left out.",
    ),
];

const CONSTANT: &[Key] = &[required("value", Form::Measured, "The value.")];

const STEP: &[Key] = &[
    required("at", Form::Number(&units::TIME), "The instant [s]."),
    optional("before", Form::Measured, "The value before; 0 if left out."),
    required("after", Form::Measured, "The value from then on."),
];

const RAMP: &[Key] = &[
    optional("start", Form::Number(&units::TIME), "When it starts [s]; 0 if left out."),
    required("duration", Form::Number(&units::TIME), "How long it takes [s]."),
    optional("from", Form::Measured, "The value until it starts; 0 if left out."),
    required("to", Form::Measured, "The value once it has ended."),
];

/// What sines and chirps have.
const WAVE: &[Key] = &[
    required("amplitude", Form::Measured, "The amplitude."),
    optional("phase", Form::Number(&units::ANGLE), "The phase at the start; 0 if left out."),
    optional("offset", Form::Measured, "The mean; 0 if left out."),
    optional("start", Form::Number(&units::TIME), "When it starts [s]; 0 if left out."),
];

const SINE: &[Key] =
    &[required("frequency", Form::Number(&units::FREQUENCY), "The frequency [Hz].")];

const CHIRP: &[Key] = &[
    required("from", Form::Number(&units::FREQUENCY), "The frequency at the start [Hz]."),
    required("to", Form::Number(&units::FREQUENCY), "The frequency at the end [Hz]."),
    required("duration", Form::Number(&units::TIME), "How long the sweep takes [s]."),
];

/// What stands between the times of a table.
pub(crate) const INTERPOLATIONS: &[&str] = &["hold", "linear", "cubic"];

const TABLE: &[Key] = &[
    optional("times", Form::Numbers(&units::TIME), "Ascending times [s]."),
    optional("values", Form::MeasuredList, "A value for each."),
    optional(
        "file",
        Form::Text,
        "Or a CSV file with both, by its path from the folder of the scenario. Its first line \
         names the columns, with their units where they are not SI: t,torque [mN m].",
    ),
    optional("csv", Form::Text, "Or what would be in that file."),
    optional("time", Form::Text, "The column of the times; the first if left out."),
    optional("column", Form::Text, "The column of the values; the second if left out."),
    optional(
        "interpolation",
        Form::Word(INTERPOLATIONS),
        "What stands between: the last value, straight lines, or a smooth cubic; linear if left \
         out, cubic for prescribed motions and targets.",
    ),
];

const EXPRESSION: &[Key] = &[required(
    "expression",
    Form::Text,
    "An expression of the time t, in SI units, such as \"10 * sin(2 * pi * t)\".",
)];

macro_rules! kinds {
    ($(#[$doc:meta])* $list:ident, $common:ident, $subject:literal) => {
        $(#[$doc])*
        pub(crate) static $list: &[&TableSpec] = &[
            &TableSpec {
                name: "constant",
                doc: "Always the same.",
                example: concat!("write { ", $subject, ", kind = \"constant\", value = 2 }"),
                keys: &[$common, CONSTANT],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "step",
                doc: "One value before an instant, another from it on.",
                example: concat!("write { ", $subject, ", kind = \"step\", at = \"1 s\", after = 5 }"),
                keys: &[$common, STEP],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "ramp",
                doc: "From one value to another along a straight line.",
                example: concat!("write { ", $subject, ", kind = \"ramp\", duration = \"1 s\", to = 5 }"),
                keys: &[$common, RAMP],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "sine",
                doc: "A sine; it stands still before its start.",
                example: concat!(
                    "write { ",
                    $subject,
                    ", kind = \"sine\", amplitude = 5, frequency = \"2 Hz\" }"
                ),
                keys: &[$common, WAVE, SINE],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "chirp",
                doc: "A sine whose frequency goes from one value to another and stays there.",
                example: concat!(
                    "write { ",
                    $subject,
                    ", kind = \"chirp\", amplitude = 5, from = \"1 Hz\", to = \"20 Hz\", duration = \"10 s\" }"
                ),
                keys: &[$common, WAVE, CHIRP],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "table",
                doc: "Values at times; before the first and after the last it stands still.",
                example: concat!(
                    "write { ",
                    $subject,
                    ", kind = \"table\", times = [0, 1, 2], values = [0, 5, 0] }"
                ),
                keys: &[$common, TABLE],
                elsewhere: &[],
                later: &[],
            },
            &TableSpec {
                name: "expression",
                doc: "A small expression of the time.",
                example: concat!(
                    "write { ",
                    $subject,
                    ", kind = \"expression\", expression = \"10 * sin(2 * pi * t)\" }"
                ),
                keys: &[$common, EXPRESSION],
                elsewhere: &[],
                later: &[],
            },
        ];
    };
}

kinds! {
    /// The kinds of inputs.
    INPUTS, ON, "motor = \"upper\""
}

kinds! {
    /// The kinds of prescribed motions.
    PRESCRIBED, MOTION, "coordinate = \"base\""
}

kinds! {
    /// The kinds of targets of controllers.
    TARGETS, TARGET, "target = …"
}
