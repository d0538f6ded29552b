//! Scenarios as data: all faults at once, and runs that depend on nothing but the data.

use crate::random::Random;
use pliant::Help as _;
use pliant::arm::{Actuator, Builder, ElementPosition, ForceElement, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{
    CompositeDescription, ComputedTorqueDescription, ControlContext, ControlError, ControlLaw,
    DecouplingDescription, EnergyTorqueDescription, EstimatorKind, GravityPd, GravityPdDescription,
    HorizonDescription, LawDescription, LawSite, MatrixUpdate, Model, PidDescription,
    PseudolinkRows,
};
use pliant::integrate::StateVisitor;
use pliant::plan::{Path, ShaperKind};
use pliant::reproduce::akmehmet::{Effort, EnergyFeedbackDescription, Form};
use pliant::scalar::Scalar;
use pliant::scenario::{
    ControllerDescription, EstimatorDescription, MeasuredQuantity, PdJoint, PlanDescription,
    PlanFollower, PlanKind, Scenario, SensorDescription, ShaperDescription, Simulation,
    StrainJoint,
};
use pliant::simulate::{IntegrationMethod, Progress, Rows, Signal};
use std::ops::ControlFlow;
use std::sync::Arc;

const PERIOD: f64 = 0.005;

/// Two bars that bend in the plane in which their joints turn.
fn arm() -> Builder {
    let material = Material::named("aluminium").expect("known");
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let beam = Beam::new(0.8, matter, Basis::ClampedFree(Ways::new(1, 0, 0, 0)));
    let link = |name: &str| {
        let link = Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.1]);
        link.beam(beam.clone()).tip_frame(format!("{name}.tip"))
    };
    Builder::new("two bars").link(link("upper")).link(link("fore").payload(0.3, [0.0; 3]))
}

/// A move of both joints, with an encoder on each and a gauge on each bar.
fn moving() -> Scenario {
    let gauge = |name: &str, link: &str| {
        SensorDescription::strain(name, link, 0.05, [0.01, 0.0], PERIOD).noisy(1e-6)
    };
    let encoder = |name: &str, joint: &str| {
        SensorDescription::encoder(name, joint, PERIOD).noisy(1e-5).quantised(1e-5)
    };
    Scenario::new(arm(), 0.25)
        .method(IntegrationMethod::Dop853 { tolerance: 1e-7 })
        .record(0.01, ["*"])
        .sensor(encoder("shoulder", "upper"))
        .sensor(encoder("elbow", "fore"))
        .sensor(gauge("first", "upper"))
        .sensor(gauge("second", "fore"))
        .plan(PlanDescription::joints([[0.0, 0.0], [0.3, -0.4]], [0.5]))
}

/// Each law, as seen through encoders and through both estimators.
pub(crate) fn built() -> Vec<(String, Simulation)> {
    let horizon = HorizonDescription { gains_period: Some(0.02), ..HorizonDescription::new(0.06) };
    let update = MatrixUpdate::Every(0.01);
    let composite = CompositeDescription::new(100.0, 20.0);
    let rows = PseudolinkRows::Joints(vec!["fore".to_owned()]);
    let laws: [(&str, Box<dyn LawDescription>); 8] = [
        ("pid", PidDescription::pd(100.0, 10.0).integral(50.0).into()),
        ("gravity-pd", GravityPdDescription::new(100.0, 10.0).into()),
        ("computed torque", ComputedTorqueDescription::new(100.0, 20.0).updated(update).into()),
        ("decoupling", DecouplingDescription::new(100.0, 20.0).into()),
        ("composite", composite.clone().into()),
        ("pseudolink", composite.pseudolinks(rows).into()),
        ("energy torque", EnergyTorqueDescription { horizon, update, as_printed: false }.into()),
        (
            "energy feedback",
            EnergyFeedbackDescription {
                horizon,
                update,
                form: Form::Syst3,
                effort: Effort::Ideal,
                penalty: 1.0.into(),
            }
            .into(),
        ),
    ];
    let all = ["shoulder", "elbow", "first", "second"];
    let mut built = Vec::new();
    for (name, law) in laws {
        let followers = [
            ("encoders", PlanFollower::new(law.clone()).sensors([all[0], all[1]])),
            ("kalman", {
                let estimator = EstimatorDescription::new(EstimatorKind::Kalman);
                PlanFollower::new(law.clone()).estimating(all, estimator)
            }),
            ("extended", {
                let estimator = EstimatorDescription::new(EstimatorKind::Extended);
                PlanFollower::new(law).estimating(all, estimator)
            }),
        ];
        for (source, follower) in followers {
            let controller = ControllerDescription::follow("law", follower.limited(30.0));
            let scenario = moving().controller(controller.every(PERIOD));
            let built_one = scenario.build().unwrap_or_else(|why| panic!("{name}: {why}"));
            built.push((format!("{name}, {source}"), built_one));
        }
    }
    built
}

fn rows(simulation: &Simulation) -> (Vec<Vec<u64>>, Vec<u64>) {
    let mut rows = Rows::new();
    let outcome = simulation.run(&mut rows, &mut ()).expect("a run");
    (bits(&rows), outcome.summary.state.iter().map(|x| x.to_bits()).collect())
}

fn bits(rows: &Rows) -> Vec<Vec<u64>> {
    let column = |name: &str| rows.column(name).expect("recorded");
    let of = |name: &str| column(name).iter().map(|x| x.to_bits()).collect();
    rows.channels.iter().map(|channel| of(&channel.name)).collect()
}

#[test]
fn built_scenarios_run_alike_on_two_threads_and_again() {
    let built = built();
    assert!(built.len() >= 16);
    let one_by_one: Vec<_> = built.iter().map(|(_, one)| rows(one)).collect();
    let shared = &built;
    let both = std::thread::scope(|threads| {
        let each = |half: &[(String, Simulation)], turn: usize| {
            let own = half.iter().enumerate().filter(move |(k, _)| k % 2 == turn);
            own.map(|(k, (_, one))| (k, rows(one))).collect::<Vec<_>>()
        };
        let halves = [0, 1].map(|turn| threads.spawn(move || each(shared, turn)));
        halves.map(|half| half.join().expect("no panic")).into_iter().flatten().collect::<Vec<_>>()
    });
    assert_eq!(both.len(), built.len());
    for (k, found) in both {
        assert!(one_by_one[k] == found, "{} on another thread", built[k].0);
    }
}

#[test]
fn built_scenarios_go_on_from_their_state() {
    let mut gone_on_with = 0;
    for (name, simulation) in built() {
        let mut whole = Rows::new();
        let outcome = simulation.run(&mut whole, &mut ()).expect("a run");
        if !outcome.is_complete() {
            continue;
        }
        gone_on_with += 1;
        let steps = outcome.summary.statistics.steps;
        let stop = 1 + Random::new(steps as u64).below(steps - 1);
        let mut watch = |progress: &Progress| {
            if progress.steps == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (mut first, mut second) = (Rows::new(), Rows::new());
        let stopped = simulation.run(&mut first, &mut watch).expect("a run");
        let state = &stopped.summary.state;
        let gone_on = simulation.resume(state, &mut second, &mut ()).expect("a run");
        let halves = bits(&first).into_iter().zip(bits(&second));
        let both: Vec<Vec<u64>> = halves.map(|(first, second)| [first, second].concat()).collect();
        assert!(both == bits(&whole), "{name}, stopped at step {stop} of {steps}");
        // with all figures and warnings, every number to its last digit
        let (gone_on, outcome) = (format!("{gone_on:?}"), format!("{outcome:?}"));
        assert!(gone_on == outcome, "{name}, stopped at step {stop} of {steps}");
    }
    assert!(gone_on_with >= 12, "{gone_on_with}");
}

/// Faults of independent parts are told together, each with its place and its remedy.
#[test]
fn all_faults_are_told_at_once() {
    let law = GravityPdDescription::new([("upper", 100.0)], -1.0);
    let gauge = MeasuredQuantity::Strain { link: "upper".to_owned(), at: 3.0, place: [0.0; 2] };
    let joint = PdJoint {
        motor: "upper".to_owned(),
        sensor: Some("nothing".to_owned()),
        stiffness: -2.0,
        damping: 0.0,
        limit: None,
        target: Signal::Constant(0.0),
    };
    let scenario = Scenario::new(arm(), -1.0)
        .initial("lower", 0.0)
        .motor("upper.y1", Signal::Constant(1.0))
        .load("hand", [0.0; 3], [0.0; 3], Signal::Constant(1.0))
        .sensor(SensorDescription::encoder("shoulder", "upper", PERIOD))
        .sensor(SensorDescription::new("gauge", gauge, 0.0))
        .plan(PlanDescription::joints([[0.0, 0.0], [1.0, 0.0]], [1.0]))
        .controller(
            ControllerDescription::follow("law", PlanFollower::new(law).full_state()).every(PERIOD),
        )
        .controller(ControllerDescription::pd("servo", PERIOD, [joint]))
        .record(0.01, ["nowhere"]);
    let Err(error) = scenario.build() else { panic!("it cannot be built") };
    let mut places: Vec<String> =
        error.faults.iter().map(|fault| fault.place.to_string()).collect();
    places.sort();
    let want = [
        "controller[0].damping",
        "controller[0].stiffness",
        "controller[1].joint[0].sensor",
        "controller[1].joint[0].stiffness",
        "duration",
        "initial.lower",
        "input[0].motor",
        "input[1].frame",
        "record.channels[0]",
        "sensor[1].at",
        "sensor[1].period",
    ];
    assert_eq!(places, want, "{error}");
    for fault in &error.faults {
        assert!(fault.help().is_some_and(|help| !help.is_empty()), "{fault}");
    }
    let text = error.to_string();
    assert!(text.contains("controller \"law\": stiffness leaves out the joint \"fore\""), "{text}");
}

/// A shaper without gains takes those of the controller that follows the plan.
#[test]
fn servos_of_shapers_are_those_of_controllers() {
    let gains = || ([("upper", 400.0), ("fore", 200.0)], [("upper", 8.0), ("fore", 4.0)]);
    let shaped = |shaper: ShaperDescription| {
        let plan = PlanDescription::joints([[0.0, 0.0], [1.5, 0.0]], [1.0]).shaped(shaper);
        let law = GravityPdDescription::new(gains().0, gains().1);
        let scenario = Scenario::new(arm(), 0.1).gravity([0.0; 3]).record(0.01, ["*"]).plan(plan);
        scenario
            .controller(ControllerDescription::follow("servo", PlanFollower::new(law).full_state()))
            .build()
    };
    let own = ShaperDescription::new(ShaperKind::Zvd, 1);
    let typed =
        ShaperDescription { servos: Some([gains().0.into(), gains().1.into()]), ..own.clone() };
    let [own, typed] = [own, typed].map(|shaper| shaped(shaper).expect("it is built"));
    let words = own.plan.as_ref().and_then(|plan| plan.shaper.clone());
    assert!(words.is_some(), "it is shaped");
    assert_eq!(words, typed.plan.as_ref().and_then(|plan| plan.shaper.clone()));
    assert!(rows(&own) == rows(&typed));

    let law = ComputedTorqueDescription::new(100.0, 20.0);
    let plan = PlanDescription::joints([[0.0, 0.0], [1.5, 0.0]], [1.0]);
    let scenario = Scenario::new(arm(), 0.1)
        .plan(plan.shaped(ShaperDescription::new(ShaperKind::Zvd, 1)))
        .controller(ControllerDescription::follow("servo", PlanFollower::new(law).full_state()));
    let Err(error) = scenario.build() else { panic!("whose servos?") };
    assert_eq!(error.faults[0].place.to_string(), "plan.shaper", "{error}");
}

/// What only Rust can say: numbers that files cannot hold, laws that do not fit.
#[test]
fn what_has_no_sense_is_refused_where_it_stands() {
    let follow = |law: Box<dyn LawDescription>| {
        ControllerDescription::follow("law", PlanFollower::new(law).full_state())
    };
    let ticking = |law: Box<dyn LawDescription>| moving().controller(follow(law).every(PERIOD));
    let torque = |update| ComputedTorqueDescription::new(1.0, 1.0).updated(update).into();
    let composite = || CompositeDescription::new(1.0, 1.0);
    let short = GravityPd { stiffness: vec![1.0], damping: vec![1.0] };
    let path = Path::minimum_jerk(&[vec![0.0], vec![1.0]], &[1.0], 0.0).expect("a path");
    let beyond = Signal::Planned { path: Arc::new(path), component: 7 };
    let nan = f64::NAN;
    let pd = |joint: PdJoint| moving().controller(ControllerDescription::pd("pd", PERIOD, [joint]));
    let joint = || PdJoint {
        motor: "upper".to_owned(),
        sensor: Some("shoulder".to_owned()),
        stiffness: 1.0,
        damping: 1.0,
        limit: None,
        target: Signal::Constant(0.0),
    };
    let strain = |stiffness, limit| {
        let (motor, sensor) = ("upper".to_owned(), "first".to_owned());
        let joint = StrainJoint { motor, sensor, stiffness, damping: 0.0, limit };
        moving().controller(ControllerDescription::strain_pd("fast", PERIOD, [joint]))
    };
    let shaped = |modes, period| {
        let shaper = ShaperDescription { period, ..ShaperDescription::new(ShaperKind::Zv, modes) };
        let plan = PlanDescription::joints([[0.0, 0.0], [0.3, -0.4]], [0.5]).shaped(shaper);
        ticking(GravityPdDescription::new(1.0, 1.0).into()).plan(plan)
    };
    let named = PlanKind::Joints { joints: Some(vec!["upper".to_owned(), "upper".to_owned()]) };
    let one = |steps: f64| Signal::Constant(steps);
    let cases: Vec<(&str, Scenario)> = vec![
        ("controller[0].kind", ticking(short.into())),
        ("controller[0].kind", moving().controller(follow(Counting(0.0).into()))),
        ("controller[0].kind", ticking(Silent.into())),
        (
            "controller[0].kind",
            moving()
                .controller(ControllerDescription::follow("law", PlanFollower::new(composite()))),
        ),
        ("controller[0].update_period", ticking(torque(MatrixUpdate::Every(nan)))),
        ("controller[0].update_period", ticking(torque(MatrixUpdate::Every(0.0)))),
        ("controller[0].update_change", ticking(torque(MatrixUpdate::Changed(nan)))),
        ("controller[0].update_cells", ticking(torque(MatrixUpdate::OverWorkspace(0)))),
        ("controller[0].update_cells", ticking(torque(MatrixUpdate::OverWorkspace(usize::MAX)))),
        ("controller[0].stiffness", ticking(GravityPdDescription::new(f64::INFINITY, 1.0).into())),
        (
            "controller[0].stiffness",
            ticking(
                GravityPdDescription::new([("upper", 1.0), ("fore", 1.0), ("fore", 2.0)], 1.0)
                    .into(),
            ),
        ),
        (
            "controller[0].gains_period",
            ticking(CompositeDescription { gains_period: nan, ..composite() }.into()),
        ),
        (
            "controller[0].horizon",
            ticking(
                EnergyTorqueDescription {
                    horizon: HorizonDescription::new(1e300),
                    update: MatrixUpdate::Always,
                    as_printed: false,
                }
                .into(),
            ),
        ),
        (
            "controller[0].name",
            moving().controller(ControllerDescription::pd("", PERIOD, [joint()])),
        ),
        ("controller[0].joint[0].target", pd(PdJoint { target: one(nan), ..joint() })),
        ("controller[0].joint[0].damping", pd(PdJoint { damping: f64::INFINITY, ..joint() })),
        ("controller[0].joint[0].limit", pd(PdJoint { limit: Some(nan), ..joint() })),
        ("controller[0].joint[0].stiffness", strain(nan, None)),
        ("controller[0].joint[0].limit", strain(1.0, Some(-1.0))),
        ("input[0]", moving().motor("upper", one(nan))),
        ("input[0]", moving().motor("upper", beyond.clone())),
        ("input[0].force", moving().load("fore.tip", [nan, 0.0, 0.0], [0.0; 3], one(1.0))),
        (
            "input[0]",
            moving().load("fore.tip", [0.0; 3], [0.0; 3], beyond).from_static_equilibrium(),
        ),
        ("initial.fore", moving().initial("fore", 0.0).initial("fore", 1.0)),
        ("sensor[4].name", moving().sensor(SensorDescription::encoder("", "upper", PERIOD))),
        (
            "sensor[4].y",
            moving().sensor(SensorDescription::strain("g", "upper", 0.1, [nan, 0.0], PERIOD)),
        ),
        (
            "sensor[4].noise",
            moving().sensor(SensorDescription::encoder("e", "upper", PERIOD).noisy(f64::INFINITY)),
        ),
        ("plan.shaper.modes", shaped(0, None)),
        ("plan.shaper.period", shaped(1, Some(nan))),
        (
            "plan.joints[1]",
            moving().plan(PlanDescription::new(named, [[0.0, 0.0], [1.0, 1.0]], [1.0])),
        ),
    ];
    for (place, scenario) in cases {
        let Err(error) = scenario.build() else { panic!("built in spite of {place}") };
        let found =
            error.faults.iter().any(|fault| !fault.is_warning && fault.place.to_string() == place);
        assert!(found, "{place}: {error}");
    }
}

/// A law that remembers.
#[derive(Clone, Debug)]
struct Counting(f64);

impl ControlLaw for Counting {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.0);
    }

    fn forces(
        &mut self,
        _: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        self.0 += 1.0;
        forces.fill(self.0);
        Ok(())
    }
}

/// A description that makes no law and does not say why.
#[derive(Clone, Debug)]
struct Silent;

impl LawDescription for Silent {
    fn law(&self, _: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        None
    }
}

/// A model that cannot be built is told: rigid joints have no motor side for an element to act on.
#[test]
fn models_that_cannot_be_built_are_told() {
    struct Brake;
    impl ForceElement for Brake {
        fn coordinates(&self) -> Vec<String> {
            vec!["bob.motor".into()]
        }
        fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
            at.coordinates[0] * at.coordinates[0]
        }
    }
    let actuator = Actuator { rotor_inertia: 0.01, stiffness: Some(100.0), ..Actuator::default() };
    let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).actuator(actuator);
    let arm = Builder::new("bob").link(bob.payload(1.0, [0.5, 0.0, 0.0])).element("brake", &Brake);
    let follower = PlanFollower::new(GravityPdDescription::new(1.0, 1.0)).full_state();
    let scenario = Scenario::new(arm, 1.0)
        .plan(PlanDescription::joints([[0.0], [1.0]], [1.0]))
        .controller(ControllerDescription::follow("law", follower).every(PERIOD));
    let Err(error) = scenario.build() else { panic!("its model cannot be built") };
    assert_eq!(error.faults[0].place.to_string(), "controller[0].model", "{error}");
}
