//! What would be right where something is wrong with a scenario.

use super::fault_kind::ScenarioFaultKind;
use crate::Help;
use crate::scalar::short;

impl Help for ScenarioFaultKind {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Arm(_) | Self::ModelArm(_) => "mend the description of the arm".into(),
            Self::OtherEquations { .. } => "for comparison only".into(),
            Self::Unsupported(error) => return error.help(),
            Self::NeedsPeriod => "give it a sampling period".into(),
            Self::MethodOfEngine => "take Radau5, or leave the choice".into(),
            Self::Unknown { known, .. } | Self::UnknownChannel { known, .. } => {
                list("there is", known)
            }
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::Negative { .. } => "give zero or more".into(),
            Self::OutOfRange { least, most, .. } => format!("give a number from {least:?} to {most:?}"),
            Self::TooMany { what: "rows", .. } => "record less often, or for a shorter time".into(),
            Self::TooMany { .. } => "give a longer step, or a method with a tolerance".into(),
            Self::NoTime { .. } => "give a positive time".into(),
            Self::Interval { .. } => "give a time from 1 ns to 1e9 s".into(),
            Self::Clock(error) => return error.help(),
            Self::State(error) => return error.help(),
            Self::StartsOutside { is_given: true, .. } => "start it inside, or ignore the limits".into(),
            Self::StartsOutside { .. } => {
                "the scenario does not give it, so it is neutral; start it inside, or ignore the limits".into()
            }
            Self::StartsOffMotion { .. } => {
                "it starts where its motion does: leave its start out, or let the motion begin there".into()
            }
            Self::IllConditioned(error) => return error.help(),
            Self::NoEquilibrium(error) => {
                let more = error.help().map_or_else(String::new, |help| format!("; or {help}"));
                format!("start as given, with the joints elsewhere or stiffer links{more}")
            }
            Self::UnstableEquilibrium => "start elsewhere, or as given".into(),
            Self::Expression { error, .. } => return error.help(),
            Self::Signal(error) => return error.help(),
            Self::BadName(error) => return error.help(),
            Self::NoName => "give it one: results are named after it".into(),
            Self::MotionTwice { .. } | Self::Twice { .. } => "remove one of them".into(),
            Self::NoMotor { why, .. } => why.help().unwrap_or_else(|| "drive a joint".to_owned()),
            Self::MotorOfPrescribed { .. } => "prescribe its motion instead".into(),
            Self::NotPrescribed { .. } => "make its joint a prescribed one, or drive it by a motor".into(),
            Self::GaugeSlides { .. } => "measure a link that does not slide, or the tip of this one".into(),
            Self::NotBending { .. } => "measure a link that bends, or let this one bend".into(),
            Self::OffBeam { length, .. } => format!("give a place from 0 to {} m", short(*length)),
            Self::Point { order, .. } => format!("give {order}"),
            Self::Path(error) => return error.help(),
            Self::StartsOffPlan { .. } => {
                "the controller jerks it there: start where the plan begins, or leave the start out".into()
            }
            Self::PlanTurnsFreely => "plan those with one coordinate".into(),
            Self::PlanBeyondLimits { .. } => "stay within the limits, or ignore them".into(),
            Self::Plan(error) => return error.help(),
            Self::KeptAttitude { error, .. } => {
                let own = error.help().map_or_else(String::new, |help| format!("{help}; "));
                format!("{own}or give the initial configuration, the attitude itself, or a configuration on the desired branch")
            }
            Self::Attitudes { .. } => "give one for all points, or one for each".into(),
            Self::TurnsWithoutStop => "stop at each point, or give one attitude for all".into(),
            Self::NotARotation { .. } => {
                "its columns are perpendicular, of length 1, and the third is the first times the second".into()
            }
            Self::NoTip => "name a frame".into(),
            Self::NobodyFollows => "add a controller that follows it".into(),
            Self::EndsBeforePlan { enough, .. } => format!(
                "unless it is meant, let it last {} s, so that the arm comes to rest: settling times need that",
                short(*enough)
            ),
            Self::TwoFollow { .. } => "remove one of them, unless it is meant".into(),
            Self::ShapedLine => "plan the joints".into(),
            Self::NoServos { .. } => "give stiffness and damping of the servos".into(),
            Self::Shaper { error, .. } => return error.help(),
            Self::NoJoints => "give it one".into(),
            Self::DrivesTwice { .. } => "remove one of the two joints".into(),
            Self::NoPosition { .. } => "control joints that turn or slide about one axis".into(),
            Self::SensorOfFullState => "remove the sensor, or use sensors only".into(),
            Self::JointUnmeasured { .. } | Self::NoSensors => "name encoders, or use the full state".into(),
            Self::MeasuresOther { joint, .. } => format!("name an encoder of {joint}"),
            Self::NoStrain { .. } => "name a strain sensor".into(),
            Self::SlowSensors { .. } => {
                "the damping then acts in jerks: give both the same period".into()
            }
            Self::NothingToFollow => "give the scenario a plan".into(),
            Self::Continuous => "give it a sampling period, or the full state".into(),
            Self::NoEncoder { .. } => "name its encoder too".into(),
            Self::SensorTwice { .. } => "name it once".into(),
            Self::UselessSensor { .. } => "leave it out, or add an estimator for strain gauges".into(),
            Self::ModelLacksJoint { .. } => "name the joints alike".into(),
            Self::ModelLacksFrame { .. } => "give the model such a frame".into(),
            Self::Model(error) => return error.help(),
            Self::PrescribedUnseen { .. } => {
                "let a motor drive the joint, or use the full state".into()
            }
            Self::Law(error) => return error.help(),
            Self::Controller(error) => return error.help(),
            Self::Estimator(error) => return error.help(),
            Self::ModelIsRigid { .. } => {
                "leave this gauge out, or give the model a link that bends".into()
            }
            Self::NotForEstimator { .. } => {
                "name encoders of the joints of the plan and strain gauges".into()
            }
            Self::Late { .. } => "leave the delays out to see what they change".into(),
            Self::UnstableLoop(own) => return own.help(),
            Self::LoopUntold { error, .. } => return error.help(),
            Self::Diagram(error) => return error.help(),
        })
    }
}

/// The first of some names.
fn list(before: &str, names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    if names.len() > SHOWN {
        shown.push("…");
    }
    format!("{before}: {}", shown.join(", "))
}
