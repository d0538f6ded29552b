//! What would be right is told apart from what is wrong, however deep the error is wrapped.

use pliant::Help;
use pliant::analyse::AnalysisError;
use pliant::arm::{Builder, Link, NoMotor};
use pliant::dynamics::EvaluationError;
use pliant::integrate::{Failure, SetupError};
use pliant::plan::{IkError, PlanError};
use pliant::simulate::{DiagramError, RunError};
use std::convert::Infallible;

#[test]
fn the_help_of_an_inner_error_is_passed_on() {
    let massless = EvaluationError::SingularMassMatrix { coordinate: "tip".into() };
    let help = massless.help();
    assert!(help.as_deref().is_some_and(|help| help.contains("armature")), "{help:?}");
    let analysed = AnalysisError::from(massless);
    let planned = PlanError::Unreachable { time: 0.5, source: IkError::NoRest(analysed.clone()) };
    assert_eq!((analysed.help(), planned.help()), (help.clone(), help.clone()));
    let said = planned.to_string();
    assert!(said.contains("tip") && !said.contains("armature"), "{said}");
    assert_eq!(planned.with_help(), format!("{said}; {}", help.unwrap_or_default()));

    let motor = DiagramError::NoMotor { coordinate: "boom.y1".into(), source: NoMotor::Bending };
    let run = RunError::<Infallible>::Diagram(motor);
    assert_eq!(
        (run.to_string().as_str(), run.help().as_deref()),
        ("boom.y1 bends a link and has no motor", Some("drive a joint, or load a frame"))
    );
    let setup = Failure::<Infallible>::Setup(SetupError::NoTimes);
    assert_eq!(setup.help(), SetupError::NoTimes.help());
    let boxed: Box<dyn Help + Send + Sync> = run.clone().into();
    assert_eq!(boxed.help(), run.help());
}

#[test]
fn each_fault_of_an_arm_has_its_own_help() {
    let heavy = |name: &str, mass: f64| Link::new(name).payload(mass, [0.0; 3]);
    let arm = Builder::new("two faults").link(heavy("one", -1.0)).link(heavy("", 1.0)).build();
    let error = arm.expect_err("two faults");
    let lines: Vec<String> = error.with_help().lines().map(str::to_owned).collect();
    let helps = error.help().unwrap_or_default();
    assert_eq!((lines.len(), helps.lines().count()), (error.faults.len(), error.faults.len()));
    assert_eq!(lines[0], "link \"one\": the mass is negative: -1 kg; give zero or more");
    assert!(helps.starts_with("link \"one\": give zero or more\n"), "{helps}");
}
