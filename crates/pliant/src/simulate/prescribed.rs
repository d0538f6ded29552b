//! Motions of prescribed joints.

use super::bounds::Excess;
use super::diagram_error::{DiagramError, JumpCause};
use super::signal::Signal;
use super::smoothness::{Flaw, Way};
use super::table::Interpolation;
use crate::arm::Arm;
use crate::scalar::Jet;

/// The motion of a prescribed coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedMotion {
    /// The velocity coordinate, by index.
    pub velocity: usize,
    /// What the signal gives.
    pub given: PrescribedQuantity,
    /// The signal.
    pub signal: Signal,
}

/// The prescribed quantity: position, rate or acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrescribedQuantity {
    /// The coordinate (rad, m).
    Position,
    /// Its velocity (rad/s, m/s).
    Rate,
    /// Its acceleration (rad/s², m/s²).
    Acceleration,
}

impl PrescribedQuantity {
    /// How many derivatives lie between the position and it.
    const fn order(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Rate => 1,
            Self::Acceleration => 2,
        }
    }

    /// How many of value, rate and acceleration of its signal must not jump: those of position and
    /// rate of the coordinate.
    const fn kept(self) -> usize {
        2 - self.order()
    }
}

impl PrescribedMotion {
    /// What is to be known of it before a run of a duration (s); where no joint can follow, an error.
    pub(super) fn way(&self, arm: &Arm, duration: f64) -> Result<Way, DiagramError> {
        let way = Way::along(&self.signal, self.given.kept(), duration);
        way.map_err(|flaw| self.refuse(arm, flaw))
    }

    /// What it starts with in a run of a duration (s): at a corner there, the rates that follow.
    pub(crate) fn start(&self, duration: f64) -> Jet {
        let (now, way) =
            (self.signal.jet(0.0), Way::along(&self.signal, self.given.kept(), duration));
        let after = self.signal.jet(way.unwrap_or_default().beside(0.0, false));
        match self.given {
            PrescribedQuantity::Position => Jet { value: now.value, ..after },
            PrescribedQuantity::Rate | PrescribedQuantity::Acceleration => after,
        }
    }

    fn refuse(&self, arm: &Arm, flaw: Flaw) -> DiagramError {
        let coordinate = arm.velocity_names()[self.velocity].clone();
        let (what, unit) = self.quantity(arm, flaw.derivative());
        match flaw {
            Flaw::Jump { time, by, .. } => {
                let cause = cause(&self.signal, time);
                DiagramError::Jump { coordinate, time, what, by, unit, cause }
            }
            Flaw::Unbounded { time, value, .. } => {
                DiagramError::Unbounded { coordinate, time, what, value, unit }
            }
        }
    }

    /// What a derivative of the signal is of the coordinate, and its unit.
    fn quantity(&self, arm: &Arm, derivative: usize) -> (&'static str, &'static str) {
        let order = (self.given.order() + derivative).min(2);
        let units = arm.velocity_coordinates()[self.velocity].dimension.units();
        (["position", "rate", "acceleration"][order], units[order])
    }

    /// The jump within a step from one time to another (s).
    pub(super) fn jump_within(&self, arm: &Arm, way: &Way, start: f64, end: f64) -> Option<Excess> {
        match way.jump_within(&self.signal, self.given.kept(), start, end)? {
            Flaw::Jump { time: at, derivative, by } => {
                let (quantity, unit) = self.quantity(arm, derivative);
                Some(Excess::Jump { quantity: quantity.into(), by, unit: unit.into(), at })
            }
            Flaw::Unbounded { .. } => None,
        }
    }
}

/// What it is in a signal that jumps at a time.
fn cause(signal: &Signal, time: f64) -> JumpCause {
    match signal {
        Signal::Table(table) => {
            let (times, is_cubic) = (table.times(), table.interpolation() == Interpolation::Cubic);
            let is_end = times.first() == Some(&time) || times.last() == Some(&time);
            match (is_end, is_cubic, times.contains(&time)) {
                (true, _, _) => JumpCause::TableEnd,
                (false, false, true) => JumpCause::TableCorner,
                _ => JumpCause::Signal,
            }
        }
        Signal::Sum(parts) => {
            let causes = parts.iter().map(|part| cause(part, time));
            causes.into_iter().find(|one| *one != JumpCause::Signal).unwrap_or(JumpCause::Signal)
        }
        _ => JumpCause::Signal,
    }
}
