//! Sensors of a moving arm.

use super::clock::{Clock, Delay};
use super::delay_line::{DelayLine, quantise};
use super::diagram_error::DiagramError;
use super::noise::Noise;
use crate::arm::Arm;
use crate::dynamics::kinematics::{Axes, Moving, Workspace};
use crate::integrate::{StateVisitor, Stateful};
use std::f64::consts::TAU;

/// A sampled sensor with quantisation, noise and delay.
///
/// Noise comes first, rounding second, the delay last.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Its name.
    pub name: String,
    /// What it measures.
    pub quantity: SensorQuantity,
    /// When it does.
    pub clock: Clock,
    /// The step to whose multiples it rounds, in the unit of the quantity; zero for none.
    pub resolution: f64,
    /// The standard deviation of its noise, in the unit of the quantity.
    pub noise: f64,
    /// How late its values are seen. Until the first arrives it shows that one already, as if the
    /// arm had stood where it starts; before its first tick it shows zero.
    pub delay: Delay,
}

/// What a sensor measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SensorQuantity {
    /// A configuration coordinate, by index (rad, m).
    Coordinate(usize),
    /// The axial strain of a beam on its surface: `ε = u' + z θ_y' − y θ_z'`, which is `−y κ` in
    /// pure bending.
    Strain {
        /// The link, by index.
        link: usize,
        /// The distance from the root of the part that bends (m).
        distance: f64,
        /// The place in the section, from the axis (m).
        place: [f64; 2],
    },
    /// The acceleration of a frame's origin less gravity, in the frame's axes (m/s²): what an
    /// accelerometer feels.
    SpecificForce {
        /// The frame, by index.
        frame: usize,
    },
    /// The position of a frame in the world (m).
    Position {
        /// The frame, by index.
        frame: usize,
    },
}

impl Sensor {
    /// An ideal sensor on a clock.
    pub fn new(name: impl Into<String>, quantity: SensorQuantity, clock: Clock) -> Self {
        let name = name.into();
        Self { name, quantity, clock, resolution: 0.0, noise: 0.0, delay: Delay::None }
    }

    /// An encoder on an angle.
    pub fn encoder(
        name: impl Into<String>,
        coordinate: usize,
        counts_per_turn: u32,
        clock: Clock,
    ) -> Self {
        let resolution = TAU / f64::from(counts_per_turn);
        Self { resolution, ..Self::new(name, SensorQuantity::Coordinate(coordinate), clock) }
    }

    /// What is added to its name for each number it gives.
    pub(super) fn suffixes(&self) -> &'static [&'static str] {
        match self.quantity {
            SensorQuantity::Coordinate(_) | SensorQuantity::Strain { .. } => &[""],
            SensorQuantity::SpecificForce { .. } | SensorQuantity::Position { .. } => {
                &[".x", ".y", ".z"]
            }
        }
    }

    /// The number of its outputs.
    pub fn width(&self) -> usize {
        self.suffixes().len()
    }

    /// What it shows of an arm at rest, without noise and rounding.
    pub(crate) fn at_rest(&self, arm: &Arm, q: &[f64]) -> Vec<f64> {
        let ideal = Self { resolution: 0.0, noise: 0.0, delay: Delay::None, ..self.clone() };
        let Ok(mut probe) = Probe::new(&ideal, arm, 0, 0) else { return vec![0.0; self.width()] };
        let (rest, mut frames) = (vec![0.0; arm.nv()], Workspace::new(arm));
        let moving = frames.move_with(arm, q, &rest, &rest);
        probe.sample(arm, &Seen { q, moving: Some(&moving) });
        probe.line.shown().to_vec()
    }

    pub(super) fn check(&self, arm: &Arm) -> Result<(), DiagramError> {
        let sensor = || format!("sensor \"{}\"", self.name);
        let (what, index, count) = match self.quantity {
            SensorQuantity::Coordinate(index) => ("coordinate", index, arm.nq()),
            SensorQuantity::Strain { link, .. } => ("link", link, arm.body_count()),
            SensorQuantity::SpecificForce { frame } | SensorQuantity::Position { frame } => {
                ("frame", frame, arm.frames().len())
            }
        };
        if index >= count {
            return Err(DiagramError::NoSuch { of: sensor(), what, index, count });
        }
        for (what, value) in [("resolution", self.resolution), ("noise", self.noise)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(DiagramError::Negative { of: sensor(), what, value });
            }
        }
        if let SensorQuantity::Strain { link, distance, .. } = self.quantity {
            let name = || arm.link_names()[link].clone();
            if arm.sliding_of(link).is_some() {
                return Err(DiagramError::GaugeSlides { of: sensor(), link: name() });
            }
            let Some(beam) = arm.beam_of(link) else {
                return Err(DiagramError::NotBending { of: sensor(), link: name() });
            };
            if !(0.0..=beam.length).contains(&distance) {
                let (link, length) = (name(), beam.length);
                return Err(DiagramError::BeyondBeam { of: sensor(), link, distance, length });
            }
        }
        Ok(())
    }
}

/// A sensor at work.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    quantity: SensorQuantity,
    clock: Clock,
    resolution: f64,
    deviation: f64,
    noise: Noise,
    /// How many ticks have been.
    ticks: u64,
    /// The first of the coordinates of bending, and the strain per unit of each.
    strains: (usize, Vec<f64>),
    pub(super) line: DelayLine,
}

/// What sensors look at.
pub(super) struct Seen<'a> {
    pub(super) q: &'a [f64],
    /// There where a sensor sees frames.
    pub(super) moving: Option<&'a Moving<'a, f64>>,
}

impl Stateful for Probe {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.count(&mut self.ticks);
        self.noise.visit_state(state);
        self.line.visit_state(state);
    }
}

impl Probe {
    pub(super) fn new(
        sensor: &Sensor,
        arm: &Arm,
        seed: u64,
        stream: u64,
    ) -> Result<Self, DiagramError> {
        sensor.check(arm)?;
        let line = DelayLine::new(sensor.clock, sensor.delay, sensor.width());
        let line = line.map_err(|source| DiagramError::Clock {
            of: format!("sensor \"{}\"", sensor.name),
            source,
        })?;
        let strains = match sensor.quantity {
            SensorQuantity::Strain { link, distance, place } => {
                let strains = arm.beam_of(link).map(|beam| beam.axial_strains(distance, place));
                (arm.bending_of(link).0.start, strains.unwrap_or_default())
            }
            _ => (0, Vec::new()),
        };
        Ok(Self {
            quantity: sensor.quantity,
            clock: sensor.clock,
            resolution: sensor.resolution,
            deviation: sensor.noise,
            noise: Noise::new(seed, stream),
            ticks: 0,
            strains,
            line,
        })
    }

    /// When it measures next.
    pub(super) fn next_tick(&self) -> f64 {
        self.clock.tick(self.ticks)
    }

    /// Whether it looks at frames.
    pub(super) fn sees_frames(&self) -> bool {
        matches!(
            self.quantity,
            SensorQuantity::SpecificForce { .. } | SensorQuantity::Position { .. }
        )
    }

    /// Whether it feels accelerations.
    pub(super) fn feels_forces(&self) -> bool {
        matches!(self.quantity, SensorQuantity::SpecificForce { .. })
    }

    /// Measures.
    pub(super) fn sample(&mut self, arm: &Arm, seen: &Seen<'_>) {
        let mut row = [0.0; 3];
        let width = match self.quantity {
            SensorQuantity::Coordinate(index) => {
                row[0] = seen.q[index];
                1
            }
            SensorQuantity::Strain { .. } => {
                let (first, strains) = &self.strains;
                row[0] = strains.iter().zip(&seen.q[*first..]).map(|(e, d)| e * d).sum();
                1
            }
            SensorQuantity::SpecificForce { frame } => {
                if let Some(moving) = seen.moving {
                    let rotation = moving.placed().pose(frame).rotation;
                    let acceleration = moving.acceleration(frame, Axes::Own).linear;
                    row = (acceleration - rotation.transpose_mul(arm.gravity())).to_array();
                }
                3
            }
            SensorQuantity::Position { frame } => {
                if let Some(moving) = seen.moving {
                    row = moving.placed().pose(frame).position.to_array();
                }
                3
            }
        };
        for value in &mut row[..width] {
            if self.deviation > 0.0 {
                *value += self.deviation * self.noise.gaussian();
            }
            *value = quantise(*value, self.resolution);
        }
        if self.ticks == 0 {
            self.line.show(&row[..width]);
        }
        self.line.put(&row[..width]);
        self.ticks += 1;
    }
}
