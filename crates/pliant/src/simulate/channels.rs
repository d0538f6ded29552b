//! What can be recorded of a run.

use super::scenario::Scenario;
use super::sensor::{Quantity, Sensor};
use crate::arm::Arm;

/// A number that a run can record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name, such as `upper.rate` or `tip.position.x`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// What it belongs to.
    pub group: Group,
}

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Coordinates: `upper`, `upper.y1`.
    Coordinates,
    /// Velocities: `upper.rate`.
    Velocities,
    /// Accelerations: `upper.acceleration`.
    Accelerations,
    /// Forces of motors, those of prescribed joints included: `upper.force`.
    Forces,
    /// Positions and orientations of frames: `tip.position.x`, `tip.quaternion.w`.
    Frames,
    /// Velocities of frames, world axes: `tip.velocity.x`, `tip.spin.x`.
    FrameVelocities,
    /// Energies, the works done since the start, and what the balance of both leaves, if there is
    /// one: `energy.kinetic`, `work.motors`, `energy.drift`.
    Energies,
    /// Momenta, world axes, about the world's origin: `momentum.x`, `momentum.angular.x`.
    Momenta,
    /// What sensors show.
    Sensors,
    /// What sampled parts put out, as it acts.
    Outputs,
    /// References.
    References,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Coordinates,
        Self::Velocities,
        Self::Accelerations,
        Self::Forces,
        Self::Frames,
        Self::FrameVelocities,
        Self::Energies,
        Self::Momenta,
        Self::Sensors,
        Self::Outputs,
        Self::References,
    ];

    /// The word that selects it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Coordinates => "coordinates",
            Self::Velocities => "velocities",
            Self::Accelerations => "accelerations",
            Self::Forces => "forces",
            Self::Frames => "frames",
            Self::FrameVelocities => "frame-velocities",
            Self::Energies => "energies",
            Self::Momenta => "momenta",
            Self::Sensors => "sensors",
            Self::Outputs => "outputs",
            Self::References => "references",
        }
    }
}

/// Where the number of a channel comes from; indices of coordinates, velocities, frames, and of
/// numbers of sensors and parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Coordinate(usize),
    Velocity(usize),
    Acceleration(usize),
    Force(usize),
    Position(usize, usize),
    Quaternion(usize, usize),
    Twist(usize, usize),
    Energy(usize),
    Work(usize),
    Drift,
    Momentum(usize),
    Sensor(usize),
    Output(usize),
    Reference(usize),
}

/// All channels of a scenario.
#[derive(Clone, Debug)]
pub struct Catalogue {
    channels: Vec<Channel>,
    origins: Vec<Origin>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Catalogue {
    /// What can be recorded of a scenario.
    pub fn new(scenario: &Scenario<'_>) -> Self {
        let mut all = Self { channels: Vec::new(), origins: Vec::new() };
        let arm = scenario.arm;
        all.add_motion(arm);
        all.add_frames(arm);
        all.add_balances(scenario.has_energies());
        let mut number = 0;
        for sensor in &scenario.sensors {
            for suffix in sensor.suffixes() {
                let name = format!("{}{suffix}", sensor.name);
                all.push(Group::Sensors, name, sensor_unit(arm, sensor), Origin::Sensor(number));
                number += 1;
            }
        }
        let outputs =
            scenario.parts.iter().flat_map(|part| part.outputs.iter().map(move |o| (part, o)));
        for (number, (part, output)) in outputs.enumerate() {
            let name = format!("{}.{}", part.name, output.name);
            all.push(Group::Outputs, name, &output.unit, Origin::Output(number));
        }
        for (number, reference) in scenario.references.iter().enumerate() {
            let name = reference.name.clone();
            all.push(Group::References, name, &reference.unit, Origin::Reference(number));
        }
        all
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The index of a channel by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.channels.iter().position(|channel| channel.name == name)
    }

    pub(super) fn origin(&self, index: usize) -> Origin {
        self.origins[index]
    }

    fn push(&mut self, group: Group, name: String, unit: &str, origin: Origin) {
        self.channels.push(Channel { name, unit: unit.to_owned(), group });
        self.origins.push(origin);
    }

    fn add_motion(&mut self, arm: &Arm) {
        for (i, (name, units)) in
            arm.configuration_names().iter().zip(arm.configuration_units()).enumerate()
        {
            self.push(Group::Coordinates, name.clone(), units[0], Origin::Coordinate(i));
        }
        let names = || arm.velocity_names().iter().zip(arm.velocity_units()).enumerate();
        for (i, (name, units)) in names() {
            self.push(Group::Velocities, format!("{name}.rate"), units[1], Origin::Velocity(i));
        }
        for (i, (name, units)) in names() {
            let (name, origin) = (format!("{name}.acceleration"), Origin::Acceleration(i));
            self.push(Group::Accelerations, name, units[2], origin);
        }
        for (i, (name, units)) in names() {
            self.push(Group::Forces, format!("{name}.force"), units[3], Origin::Force(i));
        }
    }

    fn add_frames(&mut self, arm: &Arm) {
        for (i, frame) in arm.frames().iter().enumerate() {
            let name = frame.name();
            for (k, axis) in AXES.iter().enumerate() {
                let name = format!("{name}.position.{axis}");
                self.push(Group::Frames, name, "m", Origin::Position(i, k));
            }
            for (k, part) in ["w", "x", "y", "z"].iter().enumerate() {
                let name = format!("{name}.quaternion.{part}");
                self.push(Group::Frames, name, "1", Origin::Quaternion(i, k));
            }
        }
        for (i, frame) in arm.frames().iter().enumerate() {
            for (k, (word, unit)) in [("velocity", "m/s"), ("spin", "rad/s")].iter().enumerate() {
                for (axis, letter) in AXES.iter().enumerate() {
                    let name = format!("{}.{word}.{letter}", frame.name());
                    let origin = Origin::Twist(i, 3 * k + axis);
                    self.push(Group::FrameVelocities, name, unit, origin);
                }
            }
        }
    }

    fn add_balances(&mut self, has_energies: bool) {
        let group = Group::Energies;
        for (i, part) in ["kinetic", "potential", "elastic", "total"].iter().enumerate() {
            self.push(group, format!("energy.{part}"), "J", Origin::Energy(i));
        }
        for (i, part) in ["motors", "loads", "dampers"].iter().enumerate() {
            self.push(group, format!("work.{part}"), "J", Origin::Work(i));
        }
        if has_energies {
            self.push(group, "energy.drift".to_owned(), "J", Origin::Drift);
        }
        for (k, (word, unit)) in
            [("momentum", "kg m/s"), ("momentum.angular", "kg m^2/s")].iter().enumerate()
        {
            for (axis, letter) in AXES.iter().enumerate() {
                let name = format!("{word}.{letter}");
                self.push(Group::Momenta, name, unit, Origin::Momentum(3 * k + axis));
            }
        }
    }
}

fn sensor_unit(arm: &Arm, sensor: &Sensor) -> &'static str {
    match sensor.quantity {
        Quantity::Coordinate(index) => arm.configuration_units().get(index).map_or("", |u| u[0]),
        Quantity::Strain { .. } => "1",
        Quantity::SpecificForce { .. } => "m/s^2",
        Quantity::Position { .. } => "m",
    }
}
