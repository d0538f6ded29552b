//! Shapers of plans: commands that leave no vibration behind.

use super::Bench;
use super::followers::Follower;
use super::plan::signals;
use crate::control::PerJoint;
use crate::plan::{Servo, ShapedMode, Shaper, ShaperError, ShaperKind, vibrations};
use crate::scalar::short;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::scenario::plan_description::{PlanKind, ShaperDescription};
use crate::simulate::{SensorQuantity, Signal};
use std::sync::Arc;

/// More modes than this are refused: each lengthens the command.
const MOST_MODES: usize = 20;

impl Bench<'_> {
    /// Convolves the joints of the plan with its shaper, for the controllers that follow it.
    pub(super) fn shape(&mut self, followers: &[Follower<'_>]) -> Option<()> {
        let description = self.scenario.plan.as_ref()?;
        let shaper = description.shaper.as_ref()?;
        let place = FaultPlace::new("plan").key("shaper");
        if !matches!(description.kind, PlanKind::Joints { .. }) {
            self.refuse(&place, ScenarioFaultKind::ShapedLine);
            return None;
        }
        if !(1..=MOST_MODES).contains(&shaper.modes) {
            let (key, value) = ("modes".to_owned(), shaper.modes as f64);
            let most = MOST_MODES as f64;
            let kind = ScenarioFaultKind::OutOfRange { key, value, least: 1.0, most };
            self.refuse(&place.key("modes"), kind);
        }
        if let Some(value) = shaper.period.filter(|period| !(period.is_finite() && *period > 0.0)) {
            let key = "period".to_owned();
            self.refuse(&place.key("period"), ScenarioFaultKind::NoTime { key, value });
        }
        let plan = self.plan.clone()?;
        let Some(Signal::Planned { path, .. }) = plan.signals.first() else { return None };
        let names = plan.velocities.iter().map(|&v| self.arm.velocity_names()[v].clone());
        let [stiffness, damping] =
            self.servos(&place, shaper, followers, &names.collect::<Vec<_>>())?;
        if self.has_errors() {
            // who follows the plan, and how, may not be known
            return None;
        }
        let arm = Arc::clone(&self.arm);
        let (start, end) = (path.at(path.start()), path.at(path.end()));
        let mut q = self.diagram.q.clone();
        let mut servos = Vec::new();
        for (k, &v) in plan.velocities.iter().enumerate() {
            for side in [v, arm.motor_of(v)] {
                q[arm.coordinate_of(side)?] = end[k].value;
            }
            let reach = end[k].value - start[k].value;
            let (stiffness, damping) = (stiffness[k], damping[k]);
            let velocity = self.measured_side(followers.first(), k, v);
            servos.push(Servo { velocity, stiffness, damping, reach });
        }
        let slowest = slowest(followers);
        let period = shaper.period.or(slowest.map(|(_, period)| period));
        let modes = match self.tip {
            Some(frame) => vibrations(&arm, &q, &servos, frame).map_err(ShaperError::from),
            None => Ok(Vec::new()),
        };
        let made = modes.and_then(|modes| match modes.get(..shaper.modes) {
            Some(modes) => {
                let made = Shaper::new(shaper.kind, modes, period.map(f64::recip))?;
                Ok((words(shaper.kind, modes, &made), made))
            }
            None => Err(ShaperError::TooFew { found: modes.len(), asked: shaper.modes }),
        });
        match made {
            Ok((words, made)) => {
                let shaped = Arc::new(path.shaped(&made));
                let plan = self.plan.as_mut()?;
                (plan.signals, plan.end, plan.shaper) =
                    (signals(&shaped), shaped.end(), Some(words));
            }
            Err(error) => {
                let key = match error {
                    ShaperError::TooFast { .. } => "period",
                    ShaperError::Left { .. } | ShaperError::Damped { .. } => "left",
                    _ => "modes",
                };
                let of_controller = slowest.filter(|_| {
                    shaper.period.is_none() && matches!(error, ShaperError::TooFast { .. })
                });
                let period = of_controller.map(|(_, period)| period);
                self.refuse(&place.key(key), ScenarioFaultKind::Shaper { error, period });
                if let (Some(fault), Some((one, _))) = (self.faults.last_mut(), of_controller) {
                    fault.related = Some(one.place.key("name"));
                }
            }
        }
        Some(())
    }

    /// Stiffness and damping of the servos: as given, or those of the controller that follows the
    /// plan.
    fn servos(
        &mut self,
        place: &FaultPlace,
        shaper: &ShaperDescription,
        followers: &[Follower<'_>],
        joints: &[String],
    ) -> Option<[Vec<f64>; 2]> {
        let servo = followers.first().and_then(|one| one.description.law.servo());
        let ([stiffness, damping], is_given) = match (&shaper.servos, servo) {
            (Some([stiffness, damping]), _) => ([stiffness, damping], true),
            (None, Some(gains)) => (gains, false),
            (None, None) => {
                let why = match followers.first().and_then(|one| one.place.owner.clone()) {
                    Some(owner) => format!("{owner} is no spring and damper of each joint"),
                    // which are not known, and why has been told
                    None if self.has_errors() => return None,
                    None => "no controller follows the plan".to_owned(),
                };
                self.refuse(place, ScenarioFaultKind::NoServos { why });
                return None;
            }
        };
        let arm = Arc::clone(&self.arm);
        let mut numbers = |key: &'static str, gains: &PerJoint| {
            let found = gains.numbers(key, joints, arm.velocity_names(), None);
            // those of a controller are refused where it is built
            found.map_err(|error| is_given.then(|| self.refuse(&place.key(key), error))).ok()
        };
        let (stiffness, damping) = (numbers("stiffness", stiffness), numbers("damping", damping));
        Some([stiffness?, damping?])
    }

    /// The side of a joint of the plan that a controller measures, as velocity coordinate; with the
    /// full state it is the link's.
    fn measured_side(
        &self,
        follower: Option<&Follower<'_>>,
        joint: usize,
        velocity: usize,
    ) -> usize {
        let motor = self.arm.motor_of(velocity);
        let Some(follower) = follower else { return motor };
        let sensor = follower.encoders.get(joint).map(|&sensor| &self.diagram.sensors[sensor]);
        match sensor.map(|sensor| &sensor.quantity) {
            Some(SensorQuantity::Coordinate(seen))
                if self.arm.coordinate_of(motor) == Some(*seen) =>
            {
                motor
            }
            _ => velocity,
        }
    }
}

/// The controller with the longest time between two ticks (s) of those that follow the plan.
fn slowest<'f, 'a>(followers: &'f [Follower<'a>]) -> Option<(&'f Follower<'a>, f64)> {
    let periods = followers.iter().filter_map(|one| Some((one, one.timing?.0.period())));
    periods.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// What a shaper is made for.
fn words(kind: ShaperKind, modes: &[ShapedMode], shaper: &Shaper) -> String {
    let kind = match kind {
        ShaperKind::Zv => "ZV",
        ShaperKind::Zvd => "ZVD",
        ShaperKind::Ei { .. } => "EI",
    };
    let rounded = |x: f64| short((1e4 * x).round() / 1e4);
    let mode = |one: &ShapedMode| {
        format!("{} Hz (damping ratio {})", rounded(one.hertz()), rounded(one.ratio))
    };
    let modes: Vec<String> = modes.iter().map(mode).collect();
    let longer = rounded(shaper.duration());
    format!("{kind} for {}; the command is longer by {longer} s", modes.join(" and "))
}
