//! Scenarios with parts that are code: what their files say, and how their runs go on.

use pliant::arm::{Builder, Joint, Link};
use pliant::control::{ControlContext, ControlError, ControlLaw, Model};
use pliant::integrate::StateVisitor;
use pliant::scenario::{ControllerDescription, PlanDescription, PlanFollower, Scenario};
use pliant::simulate::{
    Direction, Event, EventAction, EventQuantity, Progress, Signal, SignalFunction,
};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::Error;
use pliant_io::scenario::{
    Overrides, Resumed, RunFailure, Setup, WriteError, parse, record, resume, run,
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pliant-{name}-{}", std::process::id()))
}

#[derive(Debug)]
struct Push;

impl SignalFunction for Push {
    fn name(&self) -> &'static str {
        "push"
    }

    fn value(&self, t: f64, _: bool) -> Result<f64, Box<dyn pliant::Help + Send + Sync>> {
        Ok(0.3 * (3.0 * t).sin())
    }
}

/// A servo that counts its ticks in letters.
#[derive(Clone, Debug)]
struct Servo {
    is_told: bool,
    ticks: Vec<u8>,
}

impl ControlLaw for Servo {
    fn start(&mut self) {
        self.ticks.clear();
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let mut told = self.is_told.then(|| self.ticks.clone());
        state.bytes(&mut told);
        self.ticks = told.unwrap_or_default();
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        self.ticks.push(b'x');
        let weight = 9.81 * (1.0 - 1.0 / self.ticks.len() as f64);
        forces[0] = 80.0 * (now.reference[0].value - now.q[0]) - 12.0 * now.u[0] + weight;
        Ok(())
    }
}

fn scenario(is_told: bool) -> Scenario {
    let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let arm = Builder::new("pendulum").link(bob.payload(2.0, [0.5, 0.0, 0.0]));
    let servo = PlanFollower::new(Servo { is_told, ticks: Vec::new() }).full_state();
    let never = |_: f64, _: &[f64], _: &[f64]| 1.0;
    Scenario::new(arm, 2.0)
        .motor("bob", Signal::function(Push))
        .motor("bob", Signal::Constant(0.25))
        .plan(PlanDescription::joints([[0.0], [0.5]], [0.8]))
        .controller(ControllerDescription::follow("servo", servo).every(1e-3))
        .event(Event {
            name: "never".to_owned(),
            quantity: EventQuantity::Function(Arc::new(never)),
            direction: Direction::Either,
            action: EventAction::Report,
        })
}

#[test]
fn a_file_says_what_it_leaves_out() {
    let simulation = scenario(true).build().expect("a simulation");
    let refused = Setup::new(simulation.clone()).err().expect("code");
    assert!(matches!(refused, WriteError::Function { .. }), "{refused}");
    let setup = Setup::of_program(simulation).expect("the rest can be said");
    assert_eq!(setup.left_out.len(), 3, "{:?}", setup.left_out);
    for part in ["# the motor of bob is a function", "# event \"never\"", "# controller \"servo\""]
    {
        assert!(setup.text.contains(part), "{part}: {}", setup.text);
    }
    // what is left can be read, and has what can be said
    let source = Source::new("scenario.toml", setup.text.as_str());
    let read = parse(&source, Path::new(""), &Overrides::default()).expect("a scenario");
    let rest = &read.simulation.scenario;
    assert_eq!((rest.inputs.len(), rest.controllers.len(), rest.events.len()), (1, 0, 0));
    assert!(rest.plan.is_some());
}

#[test]
fn a_run_of_a_program_goes_on_by_that_program_only() {
    let setup = |is_told| {
        let simulation = scenario(is_told).build().expect("a simulation");
        Setup::of_program(simulation).expect("a setup")
    };
    let on = |_: &Progress| ControlFlow::Continue(());
    let until = |progress: &Progress| {
        if progress.time > 1.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (parts, whole, memory) =
        (folder("program-parts"), folder("program-whole"), folder("program-memory"));
    let result = |folder: &Path| std::fs::read(folder.join("result.parquet")).expect("a result");
    let told = setup(true);
    let _ = run(&told, &parts, Existing::Refuse, &mut { until }).expect("half a run");
    // the text alone is another scenario
    let source = Source::new("scenario.toml", told.text.as_str());
    let read = parse(&source, Path::new(""), &Overrides::default()).expect("a scenario");
    let refused = resume(&read, &parts, None, &mut { on }).expect_err("the law is not there");
    assert!(matches!(refused, RunFailure::Results(Error::CannotContinue { .. })), "{refused}");
    let resumed = resume(&told, &parts, None, &mut { on }).expect("the other half");
    assert!(matches!(resumed, Resumed::Finished(_)));
    let _ = run(&told, &whole, Existing::Refuse, &mut { on }).expect("a run");
    assert_eq!(result(&parts), result(&whole));
    // and in memory it has the same bytes
    let recorded = record(&told, &mut { on }).expect("a run");
    recorded.save(&memory, Existing::Refuse).expect("room");
    assert_eq!(result(&memory), result(&whole));
    for folder in [&parts, &whole, &memory] {
        std::fs::remove_dir_all(folder).expect("ours");
    }
    let untold = setup(false);
    let finished = run(&untold, &parts, Existing::Refuse, &mut { until }).expect("half a run");
    let more = &finished.written.metadata.more;
    assert!(more["cannot be continued"].contains("servo"), "{more:?}");
    assert!(!parts.join("checkpoint.bin").exists());
    drop(finished);
    let refused = resume(&untold, &parts, None, &mut { on }).expect_err("no checkpoint");
    assert!(refused.to_string().contains("checkpoint"), "{refused}");
    std::fs::remove_dir_all(&parts).expect("ours");
}
