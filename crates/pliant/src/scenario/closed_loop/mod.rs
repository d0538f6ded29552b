//! The loop that controllers close around an arm, as a linear system.
//!
//! Near a posture of its plan, at rest, the arm is [linear](crate::arm::Arm::linearise) without dry
//! friction. What acts at every instant is part of it, `A + B K`. What acts at ticks is a map from what
//! it listens to and what it remembers to what it puts out and remembers, whose slopes are central
//! differences about the state in which it settles: every law, estimator and block of a user's own has
//! them. Sensors, ticks, delays and holds then follow each other over the common period of all clocks
//! in the order of a run, with `e^{At}` between them. Noise, resolution and limits are left out.

mod block_slopes;
mod line;
mod period_map;
mod plant;

use super::Simulation;
use crate::Help;
use crate::analyse::{AnalysisError, Input, OperatingPoint, Output, StateSpace};
use crate::linear::{C, eigenvector};
use crate::simulate::BlockError;
use nalgebra::DMatrix;
use period_map::PeriodMap;
use plant::{LinearPlant, Ports};

/// The loop that controllers close around an arm, linear near a posture of its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedLoop {
    /// The system: `ẋ = Ax + Bu`, or with a [period](Self::period) `x⁺ = Ax + Bu` from just before one
    /// instant at which all clocks tick to just before the next. The states are those of the arm, what
    /// sensors and outputs hold and what is under way, and what controllers remember; the inputs are
    /// the references of controllers, then what was asked for, both constant over a period.
    pub system: StateSpace,
    /// The common period of all clocks (s); none where everything acts at every instant.
    pub period: Option<f64>,
    /// How often the fastest controller ticks in a period.
    pub ticks: f64,
    /// The posture.
    pub point: OperatingPoint,
    /// The motors that controllers drive, as velocity coordinates.
    pub motors: Vec<usize>,
    /// The states that are the rates of these motors.
    rates: Vec<usize>,
    /// The forces of the motors, by the states.
    forces: DMatrix<f64>,
    /// The fastest growth while the driven joints are held (1/s).
    held: f64,
}

/// Why there is no linear loop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopError {
    /// Nothing acts on measurements.
    #[error("no controller closes a loop")]
    NoLoop,
    /// The arm has no linear system there.
    #[error("the arm cannot be linearised: {0}")]
    Arm(#[from] AnalysisError),
    /// The clocks have no period together that can be counted.
    #[error("the clocks have no common period")]
    NoCommonPeriod,
    /// The clocks come together too seldom.
    #[error("the clocks come together only after {ticks} ticks, {period} s")]
    TooManyTicks {
        /// How many ticks of all different clocks.
        ticks: f64,
        /// The common period (s).
        period: f64,
    },
    /// A sensor of something that has no velocity.
    #[error("sensor \"{sensor}\" measures a coordinate without a velocity of its own")]
    Unmeasured {
        /// The sensor.
        sensor: String,
    },
    /// A controller cannot act in the posture.
    #[error("\"{controller}\" gives up in this posture: {reason}")]
    GaveUp {
        /// Its name.
        controller: String,
        /// Why.
        reason: String,
    },
    /// A controller has no slopes there.
    #[error("\"{controller}\" does not follow small changes smoothly")]
    NotSmooth {
        /// Its name.
        controller: String,
    },
    /// A controller does not tell what it remembers as numbers.
    #[error("\"{controller}\" does not tell as numbers what it remembers")]
    Opaque {
        /// Its name.
        controller: String,
    },
    /// Too much is held, under way and remembered.
    #[error("the loop has {states} states, more than are looked at")]
    TooManyStates {
        /// How many.
        states: usize,
    },
    /// Numbers beyond what floats hold.
    #[error("the numbers of the loop leave the range of computation")]
    OutOfRange,
    /// A controller remembers too much.
    #[error("\"{controller}\" remembers too many numbers")]
    TooLarge {
        /// Its name.
        controller: String,
    },
}

impl Help for LoopError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoLoop => "add a controller",
            Self::Arm(error) => return error.help(),
            Self::NoCommonPeriod | Self::TooManyTicks { .. } => {
                "give controllers and sensors periods that are multiples of each other"
            }
            Self::Unmeasured { .. } => "measure a joint of one coordinate",
            Self::GaveUp { .. } => "leave this posture out of the plan",
            Self::TooManyStates { .. } => "give shorter delays, or longer periods",
            Self::Opaque { .. } => "let it visit numbers as its state",
            Self::NotSmooth { .. } | Self::TooLarge { .. } | Self::OutOfRange => {
                "judge it by a run"
            }
        };
        Some(help.into())
    }
}

impl From<BlockError> for LoopError {
    fn from(error: BlockError) -> Self {
        Self::GaveUp { controller: error.block, reason: error.reason.to_string() }
    }
}

/// A motion of the loop that grows.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowingMode {
    /// The pole: `z` of a period, or `s` (1/s) where everything acts at every instant.
    pub pole: C,
    /// How fast it grows: `ln |z|` per period, or the real part of `s` (1/s).
    pub rate: f64,
    /// The motor that takes most part, as velocity coordinate: the largest product of force and rate.
    pub motor: usize,
}

impl ClosedLoop {
    /// How fast a pole grows (1/s); negative where it decays.
    pub fn growth(&self, pole: C) -> f64 {
        match self.period {
            Some(period) => pole.norm().ln() / period,
            None => pole.re,
        }
    }

    /// The spectral radius of one tick: `max |z|^(1/ticks)`; `None` where everything acts at every
    /// instant.
    pub fn spectral_radius(&self) -> Option<f64> {
        self.period?;
        let largest = self.system.poles().iter().map(|pole| pole.norm()).fold(0.0, f64::max);
        Some(largest.powf(self.ticks.recip()))
    }

    /// What grows faster than a rate (1/s) and than it would with the driven joints held, fastest
    /// first; one for each pair of poles.
    pub fn growing(&self, faster: f64) -> Vec<GrowingMode> {
        let least = faster.max(1.5 * self.held);
        let poles = self.system.poles().into_iter();
        let grows = |pole: &C| self.growth(*pole) > least && pole.im >= 0.0;
        let mut found: Vec<GrowingMode> = poles
            .filter(grows)
            .filter_map(|pole| {
                let motion = eigenvector(&self.system.a, pole);
                let forces = self.forces.map(C::from) * &motion;
                let part = |k: &usize| forces[*k].norm() * motion[self.rates[*k]].norm();
                let most = (0..self.motors.len()).max_by(|a, b| part(a).total_cmp(&part(b)))?;
                Some(GrowingMode { pole, rate: self.growth(pole), motor: self.motors[most] })
            })
            .collect();
        found.sort_by(|a, b| b.rate.total_cmp(&a.rate));
        found
    }
}

impl Simulation {
    /// The loop that its controllers close, near where plan and targets have the arm at a time (s), at
    /// rest, with further inputs and outputs.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::scenario::{ControllerDescription, ControllerKind, PdJoint, Scenario};
    ///
    /// let wheel = Link::new("wheel").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]);
    /// let mut scenario = Scenario::new(Builder::new("arm").gravity([0.0; 3]).link(wheel), 1.0);
    /// let joint = PdJoint {
    ///     motor: "wheel".into(),
    ///     sensor: None,
    ///     stiffness: 0.0,
    ///     damping: 1500.0,
    ///     limit: None,
    ///     target: 0.0.into(),
    /// };
    /// scenario.controllers.push(ControllerDescription {
    ///     name: "servo".into(),
    ///     period: Some(1e-3),
    ///     delay: 0.0,
    ///     kind: ControllerKind::Pd { full_state: true, joints: vec![joint] },
    /// });
    /// let closed = scenario.build()?.closed_loop(0.0, &[], &[])?;
    /// // u⁺ = (1 − d T / J) u
    /// let pole = closed.system.poles().iter().map(|z| z.re).fold(f64::INFINITY, f64::min);
    /// assert!((pole + 0.5).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closed_loop(
        &self,
        time: f64,
        inputs: &[Input],
        outputs: &[Output],
    ) -> Result<ClosedLoop, LoopError> {
        if self.diagram.blocks.is_empty() && self.diagram.feedback.is_none() {
            return Err(LoopError::NoLoop);
        }
        let plant = LinearPlant::new(self, time, Ports { inputs, outputs })?;
        let held = plant::growth_when_held(self, &plant, time)?;
        let n = plant.moving.len();
        let place = |motor: &usize| plant.moving.iter().position(|v| v == motor);
        let rates = plant.motors.iter().filter_map(place).map(|k| n + k).collect();
        let (system, period, ticks, forces) = if self.diagram.blocks.is_empty() {
            let forces = plant.feedback.columns(0, 2 * n).into_owned();
            (plant.without_motors(), None, 0.0, forces)
        } else {
            let PeriodMap { system, period, ticks, forces } = PeriodMap::new(self, &plant, time)?;
            (system, Some(period), ticks, forces)
        };
        if !system.a.iter().all(|entry| entry.is_finite()) {
            return Err(LoopError::OutOfRange);
        }
        let LinearPlant { point, motors, .. } = plant;
        Ok(ClosedLoop { system, period, ticks, point, motors, rates, forces, held })
    }
}
