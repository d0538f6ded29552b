//! How faults of a scenario are told in the words of its file.

use super::method::{SPECTRAL_RADIUS, TOLERANCE};
use super::place::Located;
use super::refusal::{CONTROLLER, PLAN, Part};
use crate::codes::{self, Code};
use crate::file_help;
use crate::nearest::nearest;
use crate::node::quoted;
use crate::state;
use crate::toml_out;
use crate::units::short;
use pliant::Help;
use pliant::control::LawError;
use pliant::dynamics::EvaluationError;
use pliant::scenario::{PlaceStep, ScenarioFault, ScenarioFaultKind as Kind};
use pliant::simulate::{ChannelGroup, DiagramError};

/// How a fault is told in a file: its code, a few words under it, and what to do.
pub(super) struct Words {
    pub(super) code: &'static Code,
    pub(super) label: Option<String>,
    pub(super) help: Option<String>,
}

fn words(code: &'static Code, label: &str, help: &str) -> Words {
    Words { code, label: Some(label.to_owned()), help: Some(help.to_owned()) }
}

impl Part {
    /// How what cannot work is told, with what to do.
    fn words(&self, help: Option<String>) -> Words {
        let help = help.unwrap_or_else(|| self.usual_help.to_owned());
        words(self.code, self.label, &help)
    }
}

/// How a fault is told.
pub(super) fn told(kind: &Kind, fault: &ScenarioFault, place: &Located) -> Words {
    let is_below = |value: f64| if value < 0.0 { "below zero" } else { "zero" };
    match kind {
        Kind::OtherEquations { .. } => {
            Words { code: &codes::OTHER_EQUATIONS, label: None, help: None }
        }
        Kind::MethodOfEngine => words(
            &codes::METHOD,
            "not for equations of a document",
            "write method = \"radau5\", or leave out the method",
        ),
        Kind::Unknown { what, name, known } => Words {
            code: &codes::UNKNOWN_NAME,
            label: Some(format!("no such {what}")),
            help: Some(state::known_names_of(
                if *what == "sensor" { "scenario" } else { "arm" },
                name,
                || known.iter().map(String::as_str),
            )),
        },
        Kind::NotFinite { .. } => {
            Words { code: &codes::NOT_FINITE, label: Some("not finite".to_owned()), help: None }
        }
        Kind::Negative { .. } => {
            let code = match fault.place.steps.first() {
                Some(PlaceStep::Key(key)) if key == "sensor" => &codes::SENSOR,
                _ => &codes::CONTROLLER,
            };
            words(code, "below zero", "give zero or more")
        }
        Kind::OutOfRange { .. } if fault.place.last_key() == Some("saturation") => {
            CONTROLLER.words(Some("give a share of the run, 0 to 1".to_owned()))
        }
        Kind::OutOfRange { key, .. } => {
            let (label, usual) = match fault.place.last_key() {
                Some("tolerance") => ("cannot be kept", TOLERANCE),
                _ => ("no such factor", SPECTRAL_RADIUS),
            };
            words(&codes::METHOD, label, &format!("write {key} = {usual:?}"))
        }
        Kind::TooMany { what: "rows", count, length } => {
            let every = count * length / 1e6;
            let help = if every < 1e9 {
                format!("write every = \"{every:.1e} s\", or give a shorter duration")
            } else {
                "give a shorter duration".to_owned()
            };
            words(&codes::NO_TIME, "too many rows", &help)
        }
        Kind::TooMany { .. } => {
            words(&codes::METHOD, "too short", "give step = \"1 ms\", or a method with a tolerance")
        }
        Kind::NoTime { key, value } => words(
            &codes::NO_TIME,
            is_below(*value),
            &format!("give a positive time, such as {key} = \"5 s\""),
        ),
        Kind::Interval { .. } => {
            let help = "give a time from 1 ns to 1e9 s, such as every = \"5 ms\"";
            Words { code: &codes::NO_TIME, label: None, help: Some(help.to_owned()) }
        }
        Kind::Clock(_) => {
            let help = "give a time from 1 ns to 1e9 s, with few digits";
            Words { code: &codes::NO_TIME, label: None, help: Some(help.to_owned()) }
        }
        Kind::State(EvaluationError::OutOfStroke { .. }) => words(
            &codes::OUTSIDE_STROKE,
            "outside the stroke",
            "give a length within the link's slides = { from, to }",
        ),
        Kind::State(_) => Words {
            code: &codes::NOT_A_QUATERNION,
            label: None,
            help: Some("the order is (w, x, y, z); no turn is 1, 0, 0, 0".to_owned()),
        },
        Kind::StartsOutside { .. } => {
            let then = "start it inside, or write limits = \"ignore\"";
            let help = if place.is_given {
                then.to_owned()
            } else {
                format!("the scenario does not give it, so it is neutral; {then}")
            };
            words(&codes::STARTS_OUTSIDE, "outside its limits", &help)
        }
        Kind::NoEquilibrium(error) => {
            let more = error.help().map_or_else(String::new, |help| format!("; or {help}"));
            let help =
                format!("start = \"as given\", with the joints elsewhere or stiffer links{more}");
            words(&codes::NO_EQUILIBRIUM, "not found", &help)
        }
        Kind::UnstableEquilibrium => {
            words(&codes::NO_EQUILIBRIUM, "unstable", "start elsewhere, or as given")
        }
        Kind::UnknownChannel { name, known } => {
            words(&codes::UNKNOWN_CHANNEL, "no such channel", &channels(name, known))
        }
        Kind::Expression { .. } => {
            Words { code: &codes::EXPRESSION, label: Some("here".to_owned()), help: None }
        }
        Kind::BadName(error) => {
            let help = format!("call it {}", toml_out::quoted(&error.nearest));
            words(&codes::BAD_NAME, "not a name", &help)
        }
        Kind::Diagram(error) => {
            let code = match error {
                DiagramError::Jump { .. }
                | DiagramError::Unbounded { .. }
                | DiagramError::NoPosition { .. }
                | DiagramError::MotorOfPrescribed { .. }
                | DiagramError::NoMotor { .. }
                | DiagramError::NotPrescribed { .. }
                | DiagramError::PrescribedTwice { .. } => &codes::MOTION,
                DiagramError::SameName { .. } => &codes::SENSOR,
                DiagramError::Clock { .. } => &codes::NO_TIME,
                DiagramError::Event { .. } => &codes::EXPRESSION,
                _ => &codes::CANNOT_RUN,
            };
            let help = file_help::diagram(error);
            words(code, "here", &help.unwrap_or_else(|| "change the scenario".to_owned()))
        }
        Kind::UnstableLoop(own) => Words {
            code: &codes::LOOP,
            label: Some("unstable".to_owned()),
            help: Some(file_help::unstable(own)),
        },
        Kind::LoopUntold { .. } => Words { code: &codes::LOOP, label: None, help: None },
        _ => of_part(kind),
    }
}

/// How a fault of an input, a sensor, the plan or a controller is told.
fn of_part(kind: &Kind) -> Words {
    match kind {
        Kind::MotionTwice { .. } => words(&codes::MOTION, "given again", "remove one of them"),
        Kind::NoMotor { .. } => {
            Words { code: &codes::MOTION, label: Some("no motor here".to_owned()), help: None }
        }
        Kind::MotorOfPrescribed { .. } => words(
            &codes::MOTION,
            "prescribed in the arm's file",
            "give its motion by [[prescribed]] instead",
        ),
        Kind::NotPrescribed { .. } => words(
            &codes::MOTION,
            "moves freely",
            "write joint = { …, prescribed = true } in the arm's file, or drive it by [[input]]",
        ),
        Kind::GaugeSlides { .. } => words(
            &codes::SENSOR,
            "a gauge on it would pass into the hub",
            "measure a link that does not slide, or the tip of this one",
        ),
        Kind::NotBending { .. } => words(
            &codes::SENSOR,
            "rigid, so that it has no strain",
            "measure a link with bends, or let this one bend",
        ),
        Kind::OffBeam { length, .. } => {
            let label = format!("that part is {} m long", short(*length));
            Words { code: &codes::SENSOR, label: Some(label), help: None }
        }
        Kind::Point { .. } => {
            Words { code: &codes::PLAN, label: Some("not such a point".to_owned()), help: None }
        }
        Kind::KeptAttitude { error, .. } => PLAN.words(Some(format!(
            "{}; or give the start below a line [initial], the attitude as attitudes = {{ rpy = [0, \"90 deg\", 0] }}, or another posture in near",
            error.help().unwrap_or_default()
        ))),
        Kind::NotARotation { .. }
        | Kind::Attitudes { .. }
        | Kind::TurnsWithoutStop
        | Kind::StartsOffPlan { .. } => {
            Words { code: &codes::PLAN, label: None, help: kind.help() }
        }
        Kind::StartsOffMotion { .. } => Words { code: &codes::MOTION, label: None, help: None },
        Kind::IllConditioned(_) => Words { code: &codes::ILL_CONDITIONED, label: None, help: None },
        Kind::Path(_) | Kind::Plan(_) | Kind::PlanTurnsFreely | Kind::NoTip | Kind::ShapedLine => {
            PLAN.words(kind.help())
        }
        Kind::PlanBeyondLimits { lower, upper, unit, .. } => {
            let [lower, upper] = [*lower, *upper].map(short);
            words(
                &codes::PLAN,
                &format!("it goes from {lower} to {upper} {unit}"),
                "stay within the limits, or write limits = \"ignore\"",
            )
        }
        Kind::NobodyFollows => words(
            &codes::PLAN,
            "this plan",
            "add one below a line [[controller]], such as kind = \"computed-torque\"",
        ),
        Kind::EndsBeforePlan { end, .. } => Words {
            code: &codes::PLAN,
            label: Some(format!("the plan ends at {} s", short(*end))),
            help: kind.help(),
        },
        Kind::TwoFollow { .. } => {
            words(&codes::PLAN, "this plan", "remove one of them, unless it is meant")
        }
        Kind::NoServos { .. } => words(
            &codes::PLAN,
            "cannot be shaped like this",
            "add stiffness and damping of the servos",
        ),
        Kind::Shaper { error, .. } => {
            let help = error.help().unwrap_or_else(|| "change the shaper".to_owned());
            words(&codes::PLAN, "cannot be shaped like this", &help)
        }
        _ => of_controllers(kind),
    }
}

/// How a fault of a controller is told.
fn of_controllers(kind: &Kind) -> Words {
    let doubt = |label, help| words(&codes::CONTROLLER, label, help);
    let help = |help: &str| CONTROLLER.words(Some(help.to_owned()));
    match kind {
        Kind::NoJoints => Words {
            code: &codes::CONTROLLER,
            label: None,
            help: Some("give it one below a line [[controller.joint]]".to_owned()),
        },
        Kind::DrivesTwice { .. } => doubt("given before", "remove one of the two joints"),
        Kind::NoPosition { .. } => {
            doubt("turns freely", "control joints that turn or slide about one axis")
        }
        Kind::SensorOfFullState => words(
            &codes::CONFLICT,
            "the true state needs no sensor",
            "remove sensor, or full_state = true",
        ),
        Kind::JointUnmeasured { .. } => doubt(
            "sensor is missing",
            "add sensor = \"…\" with the name of an encoder, or full_state = true to the controller",
        ),
        Kind::MeasuresOther { joint, .. } => doubt(
            "measures something else",
            &format!("name an encoder with coordinate = {}", quoted(joint)),
        ),
        Kind::NoStrain { .. } => {
            doubt("measures something else", "name a sensor with kind = \"strain\"")
        }
        Kind::SlowSensors { .. } => doubt(
            "slower than the controller",
            "the damping then acts in jerks: give both the same period",
        ),
        Kind::NothingToFollow => help("give the scenario a [plan]"),
        Kind::Continuous => help("add period = \"1 ms\", or full_state = true"),
        Kind::NeedsPeriod => help("add period = \"1 ms\""),
        Kind::NoSensors => {
            help("add sensors = [\"…\"] with the names of encoders, or full_state = true")
        }
        Kind::PrescribedUnseen { .. } => doubt(
            "takes it to be at rest",
            "let a motor drive the joint, or take full_state = true",
        ),
        Kind::ModelIsRigid { .. } | Kind::NotForEstimator { .. } => Words {
            label: Some("its estimator cannot use this".to_owned()),
            ..CONTROLLER.words(kind.help())
        },
        Kind::Late { .. } => {
            doubt("assumes that nothing is late", "leave the delays out to see what they change")
        }
        Kind::Estimator(error) => CONTROLLER.words(file_help::estimator(error)),
        Kind::Law(error) => of_law(error),
        _ => CONTROLLER.words(kind.help()),
    }
}

/// How a fault of a law is told.
fn of_law(error: &LawError) -> Words {
    let doubt = |label, help| words(&codes::CONTROLLER, label, help);
    match error {
        LawError::UnknownJoint { name, known } => Words {
            code: &codes::UNKNOWN_NAME,
            label: Some("no such coordinate".to_owned()),
            help: Some(state::known_names(name, || known.iter().map(String::as_str))),
        },
        LawError::UnknownRow { name, known } => {
            let near = nearest(name, known.iter().map(String::as_str));
            Words {
                code: &codes::UNKNOWN_NAME,
                label: Some("no such joint".to_owned()),
                help: near.map(|near| format!("did you mean \"{near}\"?")).or_else(|| error.help()),
            }
        }
        LawError::NoClock { what: "a horizon" } => {
            CONTROLLER.words(Some("add period = \"10 ms\"".to_owned()))
        }
        LawError::NoClock { .. } => CONTROLLER.words(Some("add period = \"1 ms\"".to_owned())),
        LawError::NothingBends => doubt(
            "has nothing to do besides",
            "take kind = \"computed-torque\"; elastic joints are rigid to laws with a model",
        ),
        LawError::BendingUnseen => doubt(
            "takes no vibrations out",
            "add estimator = { kind = \"extended\" } and strain gauges, or full_state = true",
        ),
        LawError::NoPseudolink => {
            CONTROLLER.words(Some("name joints in rows, or take kind = \"composite\"".to_owned()))
        }
        LawError::Growth { .. } => Words {
            label: Some("the joints will not stay on their path".to_owned()),
            ..CONTROLLER.words(error.help())
        },
        _ => CONTROLLER.words(error.help()),
    }
}

/// The channel that was meant, or those that there are.
fn channels(pattern: &str, known: &[String]) -> String {
    let groups = || ChannelGroup::ALL.iter().map(|group| group.word());
    let names =
        || known.iter().map(String::as_str).filter(|name| !groups().any(|own| own == *name));
    match nearest(pattern, groups().chain(names())) {
        _ if pattern == "energy.drift" => {
            "the equations that the arm asks for have no balance of energy".to_owned()
        }
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!(
            "groups are {}; names are such as {}",
            groups().collect::<Vec<_>>().join(", "),
            names().next_back().unwrap_or("t")
        ),
    }
}
