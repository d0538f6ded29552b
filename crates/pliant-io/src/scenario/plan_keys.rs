//! The keys of plans and of their shapers.

use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::units;

/// How speed is spread over a stretch.
pub(crate) const PROFILES: &[&str] = &["parabolic", "trapezoid", "pulses", "minimum-jerk"];

/// What every plan has.
const PLAN: &[Key] = &[
    required("kind", Form::Text, "What goes through the points: the tip, or the joints."),
    required("points", Form::MeasuredRows, "The points, each a list of numbers."),
    required(
        "durations",
        Form::Numbers(&units::TIME),
        "How long each stretch between two points takes [s].",
    ),
    optional("start", Form::Number(&units::TIME), "When it starts [s]; 0 if left out."),
    optional(
        "profile",
        Form::Word(PROFILES),
        "How speed is spread over each stretch, which begins and ends at rest: a parabola, a \
         trapezoid, half sines of acceleration, or the least jerk; minimum-jerk if left out.",
    ),
    optional(
        "accelerate",
        Form::Number(&units::TIME),
        "How long trapezoids and pulses take to speed up [s].",
    ),
    optional(
        "blend",
        Form::Number(&units::TIME),
        "Or parabolas of this duration round the points in between, which it then passes without \
         a stop [s]; not with a profile.",
    ),
    optional(
        "through",
        Form::Flag,
        "Or whether it goes through the points in between without a stop, with the least jerk; \
         not with a profile. False if left out.",
    ),
];

pub(crate) static PLANS: &[&TableSpec] = &[
    &TableSpec {
        name: "line",
        doc: "The tip goes through points, on straight lines if it stops at each. The joints \
              follow from it, on the branch of the posture at the start; where there are more of \
              them than needed, with the least rates.",
        example: "write points = [[1, 0, 0], [-0.5, 0.5, 0.5]] and durations = [\"1.6 s\"] below a \
                  line [plan]",
        keys: &[
            PLAN,
            &[
                optional("frame", Form::Text, "What goes; the tip of the arm if left out."),
                optional(
                    "keep_attitude",
                    Form::Flag,
                    "Whether it keeps the attitude of the start, for six joints; false if left out.",
                ),
                optional("hold", Form::Texts, "Joints that stay where they are."),
                optional(
                    "near",
                    Form::PerCoordinate,
                    "A posture on the branch that the arm should take, by name [rad, m]; where it \
                     starts if left out.",
                ),
                optional(
                    "sag",
                    Form::Flag,
                    "Whether the points are those of the bent arm at rest instead of the straight \
                     one; false if left out.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "joints",
        doc: "The joints go through postures.",
        example: "write points = [[0, 0], [\"30 deg\", \"-20 deg\"]] and durations = [\"1 s\"] below a \
                  line [plan]",
        keys: &[
            PLAN,
            &[
                optional(
                    "joints",
                    Form::Texts,
                    "Which joints, in the order of the numbers; all if left out.",
                ),
                optional(
                    "shaper",
                    Form::Table(&SHAPER),
                    "A shaper that makes the command longer and leaves no vibration behind.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
];

/// Kinds of shapers.
pub(crate) const SHAPERS: &[&str] = &["zv", "zvd", "ei"];

pub(crate) static SHAPER: TableSpec = TableSpec {
    name: "a shaper",
    doc: "Splits the command into smaller ones whose vibrations cancel, for the frequencies and \
          damping of the arm at the end of the plan with its joints on their servos. The servo of an \
          elastic joint drives its motor and measures what the controller that follows the plan \
          does: the side of its encoder, or the link with oracle = true.",
    example: "write shaper = { kind = \"zvd\", modes = 2, stiffness = { upper = 400 }, damping = { upper = 8 } }",
    keys: &[&[
        required(
            "kind",
            Form::Word(SHAPERS),
            "Zero vibration, the same with zero slope over the frequency, or extra-insensitive.",
        ),
        optional(
            "modes",
            Form::Count,
            "For how many of the slowest vibrations that the command stirs; 1 if left out.",
        ),
        required(
            "stiffness",
            Form::PerCoordinate,
            "Force per distance of the servo of each joint by name [N m/rad, N/m].",
        ),
        required(
            "damping",
            Form::PerCoordinate,
            "Force per speed of the servo of each joint by name [N m s/rad, N s/m].",
        ),
        optional(
            "left",
            Form::Number(&units::NUMBER),
            "For ei: the part of the vibration that may be left at its own frequency; 0.05 if left \
             out. Modes that die down as much within a period are refused.",
        ),
        optional(
            "period",
            Form::Number(&units::TIME),
            "The time between two ticks of what follows the plan [s], with modes that it cannot see \
             refused; that of the slowest controller that follows it if left out, or none if they \
             act at every instant.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};
