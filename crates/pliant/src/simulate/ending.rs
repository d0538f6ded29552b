//! How a run ends.

use super::plant::Plant;
use super::run::Course;
use super::summary::{Breakdown, Drift, Ending, Reason, Summary};
use crate::integrate::{Failure, Method};
use std::convert::Infallible;

impl<'s, M: Method<Plant<'s>>> Course<'s, M> {
    /// The method gave up; the stepper stands at its last accepted step.
    pub(super) fn failed(&mut self, failure: &Failure<Infallible>) -> Ending {
        let (reason, step, component) = Reason::of(failure);
        let coordinate = component.map(|component| self.channel_of(component));
        self.broken(reason, step.unwrap_or(0.0), coordinate)
    }

    /// The energy is no number any more.
    pub(super) fn diverged(&mut self, step: f64) -> Ending {
        let state = self.stepper.state();
        let speeds = &state[self.arm.nq()..self.arm.nq() + self.arm.nv()];
        let sizes = speeds.iter().map(|u| u.abs()).enumerate();
        let fastest = sizes.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(v, _)| v);
        let coordinate = fastest.map(|v| self.channel_of(self.arm.nq() + v));
        self.broken(Reason::NotFinite, step, coordinate)
    }

    pub(super) fn broken(
        &mut self,
        reason: Reason,
        step: f64,
        coordinate: Option<String>,
    ) -> Ending {
        self.stand_at_last_step();
        let (time, energy) = (self.time, self.balance.total);
        Ending::Broken(Breakdown { time, coordinate, energy, step, reason })
    }

    /// The run ends where the stepper stands.
    pub(super) fn stand_at_last_step(&mut self) {
        self.time = self.stepper.time();
        self.sample.copy_from_slice(self.stepper.state());
    }

    /// The name of a component of the state.
    fn channel_of(&self, component: usize) -> String {
        let (q, u) = (self.arm.configuration_names(), self.arm.velocity_names());
        match (q.get(component), component.checked_sub(q.len()).and_then(|v| u.get(v))) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => format!("{name}.rate"),
            (None, None) => {
                let works = ["work.motors", "work.loads", "work.dampers"];
                let at = component.saturating_sub(q.len() + u.len());
                works.get(at).copied().unwrap_or_default().to_owned()
            }
        }
    }

    pub(super) fn sum_up(self, ending: Ending) -> Summary {
        let (q, rest) = self.sample.split_at(self.arm.nq());
        let balance = &self.balance;
        let momenta = |i: usize| Drift::new(balance.momentum_drifts[i], balance.momentum_sizes[i]);
        Summary {
            ending,
            time: self.time,
            q: q.to_vec(),
            u: rest[..self.arm.nv()].to_vec(),
            statistics: self.stepper.statistics(),
            rows: self.recording.rows,
            energy_drift: Drift::new(balance.largest_drift, balance.kinetic),
            momentum_drift: balance.is_adrift.then(|| [momenta(0), momenta(1)]),
            extremes: self.recording.extremes,
            events: self.happened,
        }
    }
}
