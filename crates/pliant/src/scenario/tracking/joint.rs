//! Joints that have a target.

use super::rest::Arrival;
use super::sums::Errors;
use crate::arm::Arm;
use crate::integrate::{StateVisitor, Stateful};
use crate::scenario::run::RunWarning;
use crate::scenario::{DrivenMotors, JointTracking, Simulation};
use crate::simulate::Signal;

/// A joint has settled when its error stays below this part of its way, or a millionth (rad, m).
const SETTLED: f64 = 0.02;

/// It has to stay there at the end for this part of the run, and for so many rows: that it passes
/// by is not to settle.
const STAYED: (f64, usize) = (0.05, 5);

/// It ends far from its plan when its last error is above this part of its way, and above this (rad,
/// m).
const FAR: (f64, f64) = (0.1, 0.01);

/// The part of its plan, at the end, that tells from where a joint comes.
pub(super) const APPROACH: f64 = 0.1;

pub(super) struct Joint {
    name: String,
    unit: String,
    signal: Signal,
    coordinate: usize,
    velocity: usize,
    /// The columns of its error and the rate of that where a controller leads a pseudolink instead.
    pseudolink: Option<[usize; 2]>,
    errors: Errors,
    most_rate_error: f64,
    /// The way of the plan, or from where it stood to where the plan begins if that is longer.
    way: [f64; 2],
    /// The last time at which the error was too large.
    loose: Option<f64>,
    /// How many rows ended since.
    inside: usize,
    /// From when on it is to settle (s).
    end: f64,
    arrived: Arrival<1>,
    /// Where it stood, and until when its target changed (s).
    start: f64,
    moved: f64,
    target: f64,
}

impl Stateful for Joint {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.errors.visit_state(state);
        state.numbers(&mut self.way);
        state.option(&mut self.loose, || 0.0, StateVisitor::number);
        state.size(&mut self.inside);
        self.arrived.visit_state(state);
        let Self { most_rate_error, start, moved, target, .. } = self;
        for number in [most_rate_error, start, moved, target] {
            state.number(number);
        }
    }
}

impl Joint {
    /// A velocity coordinate that is to follow a signal, which ends at a time.
    pub(super) fn new(arm: &Arm, velocity: usize, signal: &Signal, end: f64) -> Option<Self> {
        let coordinate = arm.coordinate_of(velocity)?;
        Some(Self {
            name: arm.velocity_names()[velocity].clone(),
            pseudolink: None,
            unit: arm.configuration_coordinates()[coordinate].dimension.units()[0].to_owned(),
            signal: signal.clone(),
            coordinate,
            velocity,
            errors: Errors::default(),
            most_rate_error: 0.0,
            way: [signal.value(0.0); 2],
            loose: None,
            inside: 0,
            end,
            arrived: Arrival::new(end),
            start: f64::NAN,
            moved: 0.0,
            target: signal.value(0.0),
        })
    }

    /// Its pseudolink instead, by the columns of the error and the rate of that.
    pub(super) fn of_pseudolink(self, columns: [usize; 2]) -> Self {
        let name = format!("{}.pseudolink", self.name);
        Self { name, pseudolink: Some(columns), ..self }
    }

    /// Those of a controller that leads each to a target of its own.
    pub(super) fn of_pd<'a>(
        simulation: &'a Simulation,
        controller: &'a DrivenMotors,
    ) -> impl Iterator<Item = Self> + 'a {
        let arm = &simulation.arm;
        controller.targets.iter().filter_map(|target| {
            let is_own = |&v: &usize| arm.coordinate_of(v) == Some(target.coordinate);
            Self::new(arm, (0..arm.nv()).find(is_own)?, &target.signal, 0.0)
        })
    }

    /// A row of the run; gives the error and its rate.
    pub(super) fn row(
        &mut self,
        (t, since): (f64, f64),
        values: &[f64],
        [q, u]: [&[f64]; 2],
    ) -> [f64; 2] {
        let wanted = self.signal.jet(t);
        let [error, error_rate] = self.pseudolink.map_or_else(
            || [wanted.value - q[self.coordinate], wanted.rate - u[self.velocity]],
            |columns| columns.map(|column| values[column]),
        );
        let place = wanted.value - error;
        let [low, high] = self.way;
        self.way = [low.min(wanted.value), high.max(wanted.value)];
        if since == 0.0 {
            self.way = [low.min(place), high.max(place)];
            self.start = place;
        }
        if wanted.value != self.target {
            (self.target, self.moved) = (wanted.value, t);
        }
        self.arrived.see(t, [place]);
        self.errors.see(error, since);
        self.most_rate_error = self.most_rate_error.max(error_rate.abs());
        let way = self.way[1] - self.way[0];
        self.inside += 1;
        if error.abs() > (SETTLED * way).max(1e-6) {
            (self.loose, self.inside) = (Some(t), 0);
        }
        [error, error_rate]
    }

    /// When it has settled after its end (s), of so many rows until a time.
    fn settled_after(&self, last: f64) -> Option<f64> {
        let since = self.loose.unwrap_or(0.0);
        let (part, rows) = STAYED;
        let stayed = self.inside >= rows && last - since >= part * last;
        let has_rows = self.end == 0.0 || self.arrived.rows_after() >= rows;
        (stayed && has_rows).then(|| (since - self.end).max(0.0))
    }

    /// How far it went beyond its final value, the way that its target led it; none where that does
    /// not move or still moves it, where it went the other way, or where there is no rest.
    fn overshoot(&self, period: f64) -> Option<f64> {
        let from = if self.end > 0.0 {
            self.signal.value((1.0 - APPROACH) * self.end)
        } else {
            self.start
        };
        let way = self.target - from;
        let rest = self.arrived.rest(period).filter(|rest| rest.from >= self.moved)?;
        let gone = (rest.middle[0] - self.start) * way;
        let is_led = way != 0.0 && (self.end > 0.0 || gone > 0.0);
        is_led.then(|| self.arrived.overshoot(&rest, &[way.signum()]))
    }

    /// That it ended far from its plan.
    pub(super) fn warning(&self) -> Option<RunWarning> {
        let (error, way) = (self.errors.last, self.way[1] - self.way[0]);
        (error.abs() > (FAR.0 * way).max(FAR.1)).then(|| RunWarning::OffPlan {
            joint: self.name.clone(),
            error,
            unit: self.unit.clone(),
            way,
        })
    }

    /// How it followed, until a time (s), for the longest period of the arm (s).
    pub(super) fn finish(&self, duration: f64, period: f64) -> JointTracking {
        JointTracking {
            name: self.name.clone(),
            unit: self.unit.clone(),
            most: self.errors.most,
            rms: self.errors.rms(duration),
            last: self.errors.last,
            most_rate: self.most_rate_error,
            settled_after: self.settled_after(duration),
            overshoot: self.overshoot(period),
        }
    }
}
