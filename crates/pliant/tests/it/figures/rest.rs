//! Settling time, residual amplitude and overshoot of a wheel on a servo, whose error is known:
//! `ë + 2ζω ė + ω² e = r̈`, with the accelerations `a, −a` of a plan that has half its time for each.

use super::{completed, near};
use pliant::arm::{Builder, Joint, Link};
use pliant::control::GravityPdDescription;
use pliant::plan::TimeScaling;
use pliant::scenario::{
    ControllerDescription, Passing, PdJoint, PlanDescription, PlanFollower, RunFigure, Scenario,
    SensorDescription, Tracking,
};
use pliant::simulate::{IntegrationMethod, Signal, Status};

const OMEGA: f64 = 20.0;
const WAY: f64 = 0.5;
const TIME: f64 = 0.5;
/// From the axis to the frame that is watched (m).
const RADIUS: f64 = 0.8;

fn wheel() -> Builder {
    let link = Link::new("wheel")
        .joint(Joint::revolute([0.0, 0.0, 1.0]))
        .body(1.0, [0.0; 3], [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1.0]])
        .frame("rim", pliant::spatial::Pose::at(RADIUS, 0.0, 0.0))
        .tip_frame("rim");
    Builder::new("wheel").gravity([0.0; 3]).link(link)
}

fn scenario(damping_ratio: f64, duration: f64) -> Scenario {
    let law = GravityPdDescription::new(OMEGA * OMEGA, 2.0 * damping_ratio * OMEGA);
    let plan = PlanDescription::joints([[0.0], [WAY]], [TIME]);
    Scenario::new(wheel(), duration)
        .method(IntegrationMethod::Dop853 { tolerance: 1e-10 })
        .record(2e-3, ["errors"])
        .plan(plan.passing(Passing::Stop(TimeScaling::Trapezoid(0.5 * TIME))))
        .controller(ControllerDescription::follow("servo", PlanFollower::new(law).full_state()))
}

/// The response of the error to a unit step of the acceleration.
fn step(damping_ratio: f64, t: f64) -> f64 {
    if t < 0.0 {
        return 0.0;
    }
    let (decay, omega) = (damping_ratio * OMEGA, OMEGA * (1.0 - damping_ratio.powi(2)).sqrt());
    let (sin, cos) = (omega * t).sin_cos();
    (1.0 - (-decay * t).exp() * (cos + decay / omega * sin)) / OMEGA.powi(2)
}

fn error(damping_ratio: f64, t: f64) -> f64 {
    let a = 4.0 * WAY / TIME.powi(2);
    let at = |from: f64| step(damping_ratio, t - from);
    a * (at(0.0) - 2.0 * at(0.5 * TIME) + at(TIME))
}

/// How far the plan is from its end.
fn left(t: f64) -> f64 {
    let a = 4.0 * WAY / TIME.powi(2);
    if t < 0.5 * TIME { WAY - 0.5 * a * t * t } else { 0.5 * a * (TIME - t).max(0.0).powi(2) }
}

/// The distance of the rim from its final place.
fn off(damping_ratio: f64, t: f64) -> f64 {
    (2.0 * RADIUS * (0.5 * (left(t) + error(damping_ratio, t))).sin()).abs()
}

fn tracking(scenario: &Scenario) -> Tracking {
    completed(scenario).0.tracking.expect("a controller")
}

#[test]
fn a_tip_settles_when_the_known_vibration_does() {
    // the last is within its band before the plan has arrived
    for (band, damping_ratio) in [(1e-3, 0.05), (4e-3, 0.05), (1e-3, 0.2), (0.06, 0.9)] {
        let scenario = scenario(damping_ratio, 14.0).settling_band(band);
        let tracking = tracking(&scenario);
        let tip = tracking.tip.as_ref().expect("a tip");
        assert_eq!((tip.frame.as_str(), tip.band, tracking.plan_end), ("rim", band, Some(TIME)));
        // a ten thousandth of a second is short beside a period
        let mut times = (0..140_000).map(|k| 1e-4 * f64::from(k));
        let last = times.rfind(|&t| off(damping_ratio, t) > band).expect("it is off");
        // linear between rows: h² ω²/8 of the band
        near(tip.still_from.expect("it settles"), last, 1e-3);
        let after = tip.still_from.map(|still| (still - TIME).max(0.0));
        assert_eq!((tip.settling_time, last < TIME), (after, band > 0.05));
        // the way beyond the end, along the way of the plan
        let beyond = (0..14_000).map(|k| -error(damping_ratio, TIME + 1e-4 * f64::from(k)));
        let beyond = beyond.fold(0.0, f64::max);
        near(tracking.joints[0].overshoot.expect("a rest"), beyond, 1e-3);
        // an arc beside its tangent: the square of the angle
        near(tip.overshoot.expect("a rest"), RADIUS * beyond, 2e-3);
        let residual = tip.residual_amplitude.expect("a rest");
        let from = 14.0 - 0.25 * (14.0 - TIME);
        let want = (0..3000).map(|k| off(damping_ratio, from + 1e-3 * f64::from(k)));
        // the middle of a decaying vibration is not where it ends
        let want = want.fold(0.0, f64::max);
        assert!(residual >= 0.5 * want && residual <= 1.5 * want + 1e-9, "{residual} {want}");
    }
}

#[test]
fn a_vibration_that_stays_is_told_by_its_amplitude_and_never_settles() {
    let tracking = tracking(&scenario(0.0, 4.0));
    let tip = tracking.tip.as_ref().expect("a tip");
    let amplitude = (0..1000).map(|k| off(0.0, TIME + 1e-3 * f64::from(k))).fold(0.0, f64::max);
    assert!(amplitude > 5e-3, "{amplitude}");
    near(tip.residual_amplitude.expect("a rest"), amplitude, 1e-3);
    assert_eq!(tip.settling_time, None);
    near(tip.overshoot.expect("a rest"), amplitude, 2e-3);
    let figure = |name: &str| value(&tracking, "rim", name);
    assert_eq!((figure("settling_time"), figure("still_from")), (None, None));
    assert_eq!(figure("residual_amplitude"), tip.residual_amplitude);
}

fn value(tracking: &Tracking, subject: &str, name: &str) -> Option<f64> {
    let all = RunFigure::of(Some(tracking), &[]);
    let own = all.iter().find(|one| one.subject == subject && one.name == name);
    own.unwrap_or_else(|| panic!("no {name} of {subject}")).value
}

#[test]
fn a_run_that_ends_with_its_plan_has_no_rest() {
    for duration in [0.3, TIME, TIME + 0.003] {
        let tracking = tracking(&scenario(0.05, duration));
        let tip = tracking.tip.as_ref().expect("a tip");
        assert_eq!((tip.settling_time, tip.residual_amplitude, tip.overshoot), (None, None, None));
        assert_eq!(tracking.joints[0].overshoot, None);
        for name in ["settling_time", "still_from", "residual_amplitude", "overshoot"] {
            assert_eq!(value(&tracking, "rim", name), None, "{name} after {duration} s");
        }
        assert_eq!(value(&tracking, "wheel", "settling_time"), None, "after {duration} s");
        assert!(value(&tracking, "rim", "largest_error").is_some());
    }
}

/// `exp(−πζ/√(1 − ζ²))` of the step.
#[test]
fn a_joint_overshoots_its_own_target_as_textbooks_say() {
    let damping_ratio: f64 = 0.3;
    let joint = PdJoint {
        motor: "wheel".into(),
        sensor: Some("encoder".into()),
        stiffness: OMEGA * OMEGA,
        damping: 2.0 * damping_ratio * OMEGA,
        limit: None,
        target: Signal::Constant(WAY),
    };
    let servo = ControllerDescription::pd("servo", 1e-4, [joint]);
    let scenario = Scenario::new(wheel(), 3.0)
        .record(1e-3, ["errors"])
        .sensor(SensorDescription::encoder("encoder", "wheel", 1e-4))
        .controller(servo);
    let tracking = tracking(&scenario);
    let want = (-std::f64::consts::PI * damping_ratio / (1.0 - damping_ratio.powi(2)).sqrt()).exp();
    // ticks of 0.1 ms are late by half of one: ζ is lower by a thousandth
    near(tracking.joints[0].overshoot.expect("a rest"), WAY * want, 5e-3);
    assert_eq!(tracking.tip, None);
    // without a motor that holds it, it goes the other way
    let mut pulled = scenario;
    pulled.gravity = Some([0.0, -9.81, 0.0]);
    pulled.arm = hanging();
    let fallen = super::completed(&pulled).0.tracking.expect("a controller");
    assert_eq!(fallen.joints[0].overshoot, None, "{fallen:?}");
}

/// A wheel with a weight that its servo cannot hold.
fn hanging() -> Builder {
    let link = Link::new("wheel")
        .joint(Joint::revolute([0.0, 0.0, 1.0]))
        .damping(&[500.0])
        .body(1.0, [0.0; 3], [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1.0]])
        .payload(100.0, [RADIUS, 0.0, 0.0]);
    Builder::new("wheel").link(link)
}

/// Ticks too long for the damping: the run breaks down, and tells what it knows.
#[test]
fn a_run_that_diverges_has_figures_but_no_rest() {
    let law = GravityPdDescription::new(100.0, 1000.0);
    let follower = PlanFollower::new(law).full_state();
    let mut diverging = scenario(0.0, 4.0);
    diverging.controllers = vec![ControllerDescription::follow("servo", follower).every(0.01)];
    diverging.plan = Some(PlanDescription::joints([[0.0], [WAY]], [0.01]));
    let (outcome, _) = completed(&diverging);
    assert_eq!(outcome.summary.ending.status, Status::Failed);
    let tip = outcome.tracking.as_ref().and_then(|tracking| tracking.tip.as_ref()).expect("a tip");
    assert_eq!((tip.settling_time, tip.residual_amplitude), (None, None));
    let figures = outcome.figures();
    assert!(figures.iter().all(|one| one.value.is_none_or(f64::is_finite)), "{figures:?}");
    assert!(figures.iter().any(|one| one.name == "peak_torque" && one.value.is_some()));
}
