//! The frame whose motion is watched.

use super::joint::APPROACH;
use super::rest::Arrival;
use super::sums::Errors;
use crate::arm::Arm;
use crate::dynamics::kinematics::Workspace;
use crate::integrate::{StateVisitor, Stateful};
use crate::scenario::TipTracking;
use crate::simulate::TrackingTarget;

pub(super) struct Tip<'a> {
    target: &'a TrackingTarget,
    frame: usize,
    /// The column of its distance from the target.
    column: usize,
    errors: Errors,
    end: f64,
    arrived: Arrival<3>,
    work: Workspace,
}

impl Stateful for Tip<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.errors.visit_state(state);
        self.arrived.visit_state(state);
    }
}

impl<'a> Tip<'a> {
    /// The frame of a target, with the column of its distance from there, whose plan ends at a time.
    pub(super) fn new(
        arm: &Arm,
        target: &'a TrackingTarget,
        column: usize,
        end: f64,
    ) -> Option<Self> {
        let (errors, arrived) = (Errors::default(), Arrival::new(end));
        let (frame, work) = (target.frame()?, Workspace::new(arm));
        Some(Self { target, frame, column, errors, end, arrived, work })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, arm: &Arm, (t, since): (f64, f64), values: &[f64], q: &[f64]) {
        self.errors.see(values[self.column], since);
        let place = self.work.place(arm, q).pose(self.frame).position;
        self.arrived.see(t, place.to_array());
    }

    /// The way that its plan leads it at the end, of length 1.
    fn approach(&mut self, arm: &Arm) -> Option<[f64; 3]> {
        let mut unbent = Vec::new();
        let mut at = |t: f64| self.target.place(arm, t, &mut self.work, &mut unbent);
        let way = at(self.end)? - at((1.0 - APPROACH) * self.end)?;
        let length = way.norm();
        (length > 0.0).then(|| (way * (1.0 / length)).to_array())
    }

    /// How it followed, until a time (s), for the longest period of the arm (s), and the band within
    /// which it has settled (m).
    pub(super) fn finish(
        mut self,
        arm: &Arm,
        duration: f64,
        period: f64,
        band: f64,
    ) -> TipTracking {
        let rest = self.arrived.rest(period);
        let still = rest.and_then(|rest| self.arrived.still_from(&rest, band));
        let direction = self.approach(arm);
        TipTracking {
            frame: arm.frames()[self.frame].name().to_owned(),
            most: self.errors.most,
            rms: self.errors.rms(duration),
            last: self.errors.last,
            includes_sag: matches!(self.target, TrackingTarget::Unbent { .. })
                && !arm.flexible_links().is_empty(),
            band,
            still_from: still,
            settling_time: still.map(|still| (still - self.end).max(0.0)),
            residual_amplitude: rest.map(|rest| rest.amplitude),
            overshoot: rest
                .zip(direction)
                .map(|(rest, direction)| self.arrived.overshoot(&rest, &direction)),
        }
    }
}
