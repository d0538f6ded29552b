//! The keys of controllers.

use super::model_law::OBSERVER;
use super::signal_keys::TARGETS;
use crate::arm_file::ArmTable;
use crate::spec::{Form, Key, TableSpec, optional, required};
use crate::table::Table as _;
use crate::units;

/// Whether the time to go shrinks.
const WINDOWS: &[&str] = &["fixed", "receding"];

/// What a law of least energy aims at.
const AIMS: &[&str] = &["end", "present"];

/// Akmehmet's forms of the model.
const FORMS: &[&str] = &["syst1", "syst2", "syst3"];

/// What counts as effort.
const EFFORTS: &[&str] = &["ideal", "whole"];

/// What every controller has.
const CONTROLLER: &[Key] = &[
    required("kind", Form::Text, "The law."),
    required("name", Form::Text, "Its name, with which its channels begin."),
    optional(
        "delay",
        Form::Number(&units::TIME),
        "How late its forces act [s]; 0 if left out. Until the first arrive they are zero.",
    ),
];

/// For laws that may look at the true state.
const MAY_SEE: &[Key] = &[optional(
    "oracle",
    Form::Flag,
    "Whether it looks at the true state instead of sensors; false if left out.",
)];

const TICKS: &[Key] =
    &[required("period", Form::Number(&units::TIME), "The time between two ticks [s].")];

/// What every controller with a model has. Its targets are those of the plan.
const WITH_MODEL: &[Key] = &[
    optional(
        "sensors",
        Form::Texts,
        "The encoders of the joints of the plan, by name, in any order, and with an observer strain \
         gauges; not with oracle = true.",
    ),
    optional(
        "observer",
        Form::Table(&OBSERVER),
        "How it knows what nothing measures, bending above all, from its sensors and its model; it \
         is believed at rest if left out.",
    ),
    optional(
        "model",
        Form::TextOrTable(ArmTable::SPEC),
        "The arm that it believes in: the path of its file, from the folder of the scenario, or the \
         arm itself; that of the scenario if left out. Joints are known by their names.",
    ),
    optional(
        "knows_loads",
        Form::Flag,
        "Whether it knows the loads of the scenario; false if left out.",
    ),
    optional(
        "limits",
        Form::PerCoordinate,
        "The largest force of each motor by name, either way [N m, N]; none if left out.",
    ),
    optional(
        "saturation",
        Form::Number(&units::NUMBER),
        "The share of the run for which a motor may be at its limit without a warning; 0.05 if left \
         out.",
    ),
];

/// For laws that may act without a clock.
const MAY_TICK: &[Key] = &[optional(
    "period",
    Form::Number(&units::TIME),
    "The time between two ticks [s]; with oracle = true it may be left out: then it acts at every \
     instant.",
)];

const GAINS: &[Key] = &[
    required(
        "stiffness",
        Form::PerCoordinate,
        "Acceleration per distance from the target: one number, or one for each joint by name \
         [1/s^2].",
    ),
    required(
        "damping",
        Form::PerCoordinate,
        "Acceleration per speed towards it: one number, or one for each joint by name [1/s].",
    ),
];

/// When the matrices of the model are computed anew.
const UPDATES: &[Key] = &[
    optional(
        "update_period",
        Form::Number(&units::TIME),
        "After which time the matrices of the model are computed anew [s]; at every tick if none \
         of these keys is given.",
    ),
    optional(
        "update_change",
        Form::Number(&units::NUMBER),
        "Or by which part they must have changed to be taken anew.",
    ),
    optional(
        "update_distance",
        Form::Number(&units::NUMBER),
        "Or how far a joint must be from its target or from the place of the last time [rad, m].",
    ),
    optional(
        "update_along_plan",
        Form::Number(&units::TIME),
        "Or they are tabulated along the plan with this time between [s].",
    ),
    optional(
        "update_cells",
        Form::Count,
        "Or they are tabulated over the workspace with so many places for each joint.",
    ),
];

/// The regulator of vibrations.
const COMPOSITE: &[Key] = &[
    optional(
        "bending_weight",
        Form::Number(&units::NUMBER),
        "What the square of bending costs [1/m^2, 1/rad^2]; 1e4 if left out.",
    ),
    optional(
        "rate_weight",
        Form::Number(&units::NUMBER),
        "What the square of its rate costs [s^2/m^2, s^2/rad^2]; 0 if left out.",
    ),
    optional(
        "input_weight",
        Form::Number(&units::NUMBER),
        "What the square of an acceleration costs [s^4/rad^2, s^4/m^2]; 1 if left out.",
    ),
    optional(
        "gains_period",
        Form::Number(&units::TIME),
        "The time between two sets of gains [s]; 50 ms if left out.",
    ),
    optional(
        "guard",
        Form::Number(&units::NUMBER),
        "The least determinant of H22 - H21 F, relative to what it is in other postures, with which \
         it goes on; 0.01 if left out.",
    ),
];

const HORIZON: &[Key] = &[
    required("horizon", Form::Number(&units::TIME), "How far ahead it looks [s]."),
    optional(
        "gains_period",
        Form::Number(&units::TIME),
        "The time between two sets of gains [s]; that of the ticks if left out.",
    ),
    optional(
        "window",
        Form::Word(WINDOWS),
        "Whether time is cut into windows of the horizon's length, of which the rest is the time to \
         go, or that is always the whole; fixed if left out.",
    ),
    optional(
        "aim",
        Form::Word(AIMS),
        "Whether it aims at the end of the time to go, or at the present target as it moves on; end \
         if left out.",
    ),
];

pub(crate) static PD_JOINT: TableSpec = TableSpec {
    name: "a joint of a controller",
    doc: "A joint, its gains and its target.",
    example: "write motor, sensor, stiffness, damping and target below a line [[controller.joint]]",
    keys: &[&[
        required("motor", Form::Text, "The coordinate whose motor it drives."),
        optional(
            "sensor",
            Form::Text,
            "The encoder of that coordinate, by its name; not with oracle = true.",
        ),
        required("stiffness", Form::Measured, "Force per distance from the target [N m/rad, N/m]."),
        required("damping", Form::Measured, "Force per speed towards it [N m s/rad, N s/m]."),
        optional(
            "limit",
            Form::Measured,
            "The largest force of the motor, either way [N m, N]; none if left out.",
        ),
        required(
            "target",
            Form::OneByKind("target", TARGETS),
            "Where the coordinate should be, as a function of time [rad, m].",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static STRAIN_JOINT: TableSpec = TableSpec {
    name: "a motor of strain-pd",
    doc: "A motor, the strain that it damps, and its gains.",
    example: "write motor, sensor, stiffness and damping below a line [[controller.joint]]",
    keys: &[&[
        required("motor", Form::Text, "The coordinate whose motor it drives."),
        required("sensor", Form::Text, "The strain sensor, by its name."),
        required("stiffness", Form::Measured, "Force per strain, against it [N m, N]."),
        required("damping", Form::Measured, "Force per rate of strain [N m s, N s]."),
        optional(
            "limit",
            Form::Measured,
            "The largest force of the motor, either way [N m, N]; none if left out.",
        ),
    ]],
    elsewhere: &[],
    later: &[],
};

pub(crate) static CONTROLLERS: &[&TableSpec] = &[
    &TableSpec {
        name: "pd",
        doc: "A spring and a damper from each joint to its target. The rate of a joint is taken \
              from the change of its encoder between two ticks.",
        example: "add its joints, each below a line [[controller.joint]] with motor, sensor, \
                  stiffness, damping and target",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            TICKS,
            &[required("joint", Form::Tables(&PD_JOINT), "The joints that it drives.")],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "strain-pd",
        doc: "Forces against the strains of links and their rates, in addition to what other \
              controllers give: the fast part of King's multirate scheme, 4.9.",
        example: "add its motors, each below a line [[controller.joint]] with motor, sensor, \
                  stiffness and damping",
        keys: &[
            CONTROLLER,
            TICKS,
            &[required("joint", Form::Tables(&STRAIN_JOINT), "The motors that it drives.")],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "gravity-pd",
        doc: "A spring and a damper from each joint to the plan, and what holds the model of the \
              arm against gravity.",
        example: "write stiffness = { upper = 100 } and damping = { upper = 10 }",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            MAY_TICK,
            WITH_MODEL,
            &[
                required(
                    "stiffness",
                    Form::PerCoordinate,
                    "Force per distance from the target of each joint by name [N m/rad, N/m].",
                ),
                required(
                    "damping",
                    Form::PerCoordinate,
                    "Force per speed towards it of each joint by name [N m s/rad, N s/m].",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "computed-torque",
        doc: "The model turns accelerations of the joints into forces: Akmehmet (3.6), King (4-2).",
        example: "write stiffness = 100 and damping = 20",
        keys: &[CONTROLLER, MAY_SEE, MAY_TICK, WITH_MODEL, GAINS, UPDATES],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "decoupling",
        doc: "The same for links that bend: the joints move as if these did not, King (4-6). \
              Bending is seen by oracle = true or an observer; otherwise it is believed to follow at \
              rest.",
        example: "write stiffness = 100 and damping = 20",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            MAY_TICK,
            WITH_MODEL,
            GAINS,
            &[optional(
                "update_period",
                Form::Number(&units::TIME),
                "After which time the matrices of the model are computed anew [s]; at every tick \
                 if left out.",
            )],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "composite",
        doc: "The joints follow the plan while a linear quadratic regulator takes the vibrations out: \
              King (4-14) to (4-18). Bending is seen by oracle = true or an observer; otherwise it \
              is believed at rest.",
        example: "write stiffness = 100 and damping = 20",
        keys: &[CONTROLLER, MAY_SEE, TICKS, WITH_MODEL, GAINS, COMPOSITE],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "pseudolink",
        doc: "The same for pseudolinks, the straight lines from joint to joint: King (4-19) to (4-32).",
        example: "write stiffness = 100, damping = 20 and rows = [\"upper\", \"fore\"]",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            TICKS,
            WITH_MODEL,
            GAINS,
            COMPOSITE,
            &[optional(
                "rows",
                Form::Texts,
                "The joints whose pseudolinks follow the plan; all if left out. The others follow it \
                 by their angles.",
            )],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "energy-torque",
        doc: "Computed torque of least energy: Akmehmet (3.11).",
        example: "write horizon = \"40 ms\"",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            TICKS,
            WITH_MODEL,
            HORIZON,
            UPDATES,
            &[optional(
                "as_printed",
                Form::Flag,
                "Whether the end of a window stands in (3.11) as if it were the present, as in Table \
                 5.2; false if left out.",
            )],
        ],
        elsewhere: &[],
        later: &[],
    },
    &TableSpec {
        name: "energy-feedback",
        doc: "Adaptive feedback of least energy: Akmehmet (3.15) to (3.18).",
        example: "write horizon = \"40 ms\"",
        keys: &[
            CONTROLLER,
            MAY_SEE,
            TICKS,
            WITH_MODEL,
            HORIZON,
            UPDATES,
            &[
                optional("form", Form::Word(FORMS), "The form of the model; syst2 if left out."),
                optional(
                    "effort",
                    Form::Word(EFFORTS),
                    "Whether the whole force counts as effort, or that without the forces of the \
                     model at rest of acceleration; both give the same forces. Ideal if left out.",
                ),
                optional(
                    "penalty",
                    Form::PerCoordinate,
                    "How much the effort of each joint counts, for form = \"syst3\": one number, or \
                     one for each joint by name; 1 if left out.",
                ),
            ],
        ],
        elsewhere: &[],
        later: &[],
    },
];
