//! The channels that a run can record.

use super::diagram::Diagram;
use super::sensor::{Sensor, SensorQuantity};
use crate::arm::{Arm, Coordinate, CoordinateRole};
use serde::{Deserialize, Serialize};

/// A quantity that a run records over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name, such as `upper.rate` or `tip.position.x`.
    pub name: String,
    /// Its unit; empty where there is none.
    pub unit: String,
    /// What it is.
    #[serde(default)]
    pub role: ChannelRole,
    /// The link, frame, sensor, sampled block or reference that it belongs to; empty for balances
    /// of the whole arm.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What the coordinate is that it belongs to, if it is one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<CoordinateRole>,
    /// Which of the numbers of its role and subject it is: of a coordinate its place in `q` or `u`,
    /// of a vector the component.
    #[serde(default)]
    pub index: usize,
    /// What of itself a sampled block tells by it.
    #[serde(default, skip_serializing_if = "Telemetry::is_other")]
    pub telemetry: Telemetry,
}

impl Channel {
    /// A channel without a subject.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, role: ChannelRole) -> Self {
        let (name, unit, subject) = (name.into(), unit.into(), String::new());
        let telemetry = Telemetry::Other;
        Self { name, unit, role, subject, coordinate: None, index: 0, telemetry }
    }

    /// The time in seconds, which results have as their first column.
    pub fn time() -> Self {
        Self::new("t", "s", ChannelRole::Time)
    }

    /// The heading of its column: the name, with the unit in brackets.
    pub fn column(&self) -> String {
        if self.unit.is_empty() {
            return self.name.clone();
        }
        format!("{} [{}]", self.name, self.unit)
    }

    /// A channel of which only the heading of its column is known.
    pub fn from_column(column: &str) -> Self {
        let parts = column.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
        let (name, unit) = parts.unwrap_or((column, ""));
        Self::new(name, unit, ChannelRole::Other)
    }

    /// Whether it is a coordinate that deforms a link, or its rate, acceleration or force.
    pub fn deforms(&self) -> bool {
        self.coordinate.is_some_and(CoordinateRole::deforms)
    }
}

/// The role of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ChannelRole {
    /// The time of the rows.
    Time,
    /// A coordinate.
    Position,
    /// A velocity coordinate.
    Velocity,
    /// The rate of a velocity coordinate.
    Acceleration,
    /// The force along a velocity coordinate.
    Force,
    /// The position of a frame, world axes.
    FramePosition,
    /// The attitude of a frame as a quaternion `(w, x, y, z)`.
    FrameOrientation,
    /// The velocity of a frame, world axes.
    FrameVelocity,
    /// The angular velocity of a frame, world axes.
    FrameAngularVelocity,
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy of gravity.
    PotentialEnergy,
    /// Elastic energy.
    ElasticEnergy,
    /// The sum of the energies.
    TotalEnergy,
    /// Work since the start: of the motors, of loads, of what damps.
    Work,
    /// What the balance of energies and works leaves.
    EnergyDrift,
    /// Momentum, world axes.
    Momentum,
    /// Angular momentum about the world's origin, world axes.
    AngularMomentum,
    /// What a sensor shows.
    Sensor,
    /// What a sampled block commands.
    Command,
    /// Telemetry of a sampled block.
    Telemetry,
    /// What a controller takes a coordinate to be that nothing measures.
    Estimate,
    /// A reference.
    Reference,
    /// Anything else.
    #[default]
    Other,
}

/// What a control law tells of itself beside its forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Telemetry {
    /// The determinant that guards pseudolinks, in parts of what is large for it.
    Determinant,
    /// How far the reference is ahead of a pseudolink.
    PseudolinkError,
    /// The rate of that.
    PseudolinkErrorRate,
    /// What a law of least energy counts as effort: an idealised torque, or the whole force.
    Effort,
    /// A gain of that on the place of a joint.
    Gain,
    /// A gain of that on the rate of a joint.
    RateGain,
    /// An entry of the mass matrix that the gains were made from.
    Inertia,
    /// The force of an integral.
    Integral,
    /// Anything else; also what a later version calls otherwise.
    #[default]
    #[serde(other)]
    Other,
}

impl Telemetry {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_other(&self) -> bool {
        *self == Self::Other
    }
}

/// Groups of channels, for selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelGroup {
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
    /// What sampled blocks put out, as it acts.
    Outputs,
    /// References.
    References,
}

impl ChannelGroup {
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

    /// The group of a role; the time and roles that runs do not record have none.
    pub const fn of(role: ChannelRole) -> Option<Self> {
        Some(match role {
            ChannelRole::Position => Self::Coordinates,
            ChannelRole::Velocity => Self::Velocities,
            ChannelRole::Acceleration => Self::Accelerations,
            ChannelRole::Force => Self::Forces,
            ChannelRole::FramePosition | ChannelRole::FrameOrientation => Self::Frames,
            ChannelRole::FrameVelocity | ChannelRole::FrameAngularVelocity => Self::FrameVelocities,
            ChannelRole::KineticEnergy
            | ChannelRole::PotentialEnergy
            | ChannelRole::ElasticEnergy
            | ChannelRole::TotalEnergy
            | ChannelRole::Work
            | ChannelRole::EnergyDrift => Self::Energies,
            ChannelRole::Momentum | ChannelRole::AngularMomentum => Self::Momenta,
            ChannelRole::Sensor => Self::Sensors,
            ChannelRole::Command | ChannelRole::Telemetry | ChannelRole::Estimate => Self::Outputs,
            ChannelRole::Reference => Self::References,
            ChannelRole::Time | ChannelRole::Other => return None,
        })
    }

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
/// numbers of sensors and blocks.
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
    /// The channels that a scenario can record.
    pub fn new(scenario: &Diagram) -> Self {
        let mut all = Self { channels: Vec::new(), origins: Vec::new() };
        let arm = &*scenario.arm;
        all.add_motion(arm);
        all.add_frames(arm);
        all.add_balances(scenario.has_energies());
        let mut number = 0;
        for sensor in &scenario.sensors {
            for (index, suffix) in sensor.suffixes().iter().enumerate() {
                let name = format!("{}{suffix}", sensor.name);
                let channel = Channel::new(name, sensor_unit(arm, sensor), ChannelRole::Sensor);
                let subject = sensor.name.clone();
                all.push(Channel { subject, index, ..channel }, Origin::Sensor(number));
                number += 1;
            }
        }
        let outputs =
            scenario.blocks.iter().flat_map(|block| block.outputs.iter().map(move |o| (block, o)));
        for (number, (block, output)) in outputs.enumerate() {
            let name = format!("{}.{}", block.name, output.name);
            let subject = block.name.clone();
            let driven = output.motor.and_then(|v| arm.velocity_coordinates().get(v));
            let driven = driven.map(|own| (own.index, own.role));
            let (index, coordinate) = match output.coordinate.or(driven) {
                Some((index, role)) => (index, Some(role)),
                None => (number, None),
            };
            let (channel, telemetry) =
                (Channel::new(name, &output.unit, output.role), output.telemetry);
            let channel = Channel { subject, coordinate, index, telemetry, ..channel };
            all.push(channel, Origin::Output(number));
        }
        for (number, reference) in scenario.references.iter().enumerate() {
            let channel = Channel::new(&reference.name, &reference.unit, ChannelRole::Reference);
            let subject = reference.name.clone();
            all.push(Channel { subject, ..channel }, Origin::Reference(number));
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

    fn push(&mut self, channel: Channel, origin: Origin) {
        self.channels.push(channel);
        self.origins.push(origin);
    }

    fn add_motion(&mut self, arm: &Arm) {
        let mut add =
            |role, all: &[Coordinate], suffix: &str, unit: usize, origin: fn(usize) -> Origin| {
                for own in all {
                    let channel = Channel {
                        subject: own.link.clone(),
                        coordinate: Some(own.role),
                        index: own.index,
                        ..Channel::new(
                            format!("{}{suffix}", own.name),
                            own.dimension.units()[unit],
                            role,
                        )
                    };
                    self.push(channel, origin(own.index));
                }
            };
        let velocities = arm.velocity_coordinates();
        add(ChannelRole::Position, arm.configuration_coordinates(), "", 0, Origin::Coordinate);
        add(ChannelRole::Velocity, velocities, ".rate", 1, Origin::Velocity);
        add(ChannelRole::Acceleration, velocities, ".acceleration", 2, Origin::Acceleration);
        add(ChannelRole::Force, velocities, ".force", 3, Origin::Force);
    }

    fn add_frames(&mut self, arm: &Arm) {
        use ChannelRole::{FrameAngularVelocity, FrameOrientation, FramePosition, FrameVelocity};
        let of = |frame: &str, word: &str, letter: &str, index, unit: &str, role| Channel {
            subject: frame.to_owned(),
            index,
            ..Channel::new(format!("{frame}.{word}.{letter}"), unit, role)
        };
        for (i, frame) in arm.frames().iter().enumerate() {
            for (k, axis) in AXES.iter().enumerate() {
                let channel = of(frame.name(), "position", axis, k, "m", FramePosition);
                self.push(channel, Origin::Position(i, k));
            }
            for (k, part) in ["w", "x", "y", "z"].iter().enumerate() {
                let channel = of(frame.name(), "quaternion", part, k, "1", FrameOrientation);
                self.push(channel, Origin::Quaternion(i, k));
            }
        }
        for (i, frame) in arm.frames().iter().enumerate() {
            let both =
                [("velocity", "m/s", FrameVelocity), ("spin", "rad/s", FrameAngularVelocity)];
            for (half, (word, unit, role)) in both.into_iter().enumerate() {
                for (k, axis) in AXES.iter().enumerate() {
                    let channel = of(frame.name(), word, axis, k, unit, role);
                    self.push(channel, Origin::Twist(i, 3 * half + k));
                }
            }
        }
    }

    fn add_balances(&mut self, has_energies: bool) {
        use ChannelRole::{
            AngularMomentum, ElasticEnergy, EnergyDrift, KineticEnergy, Momentum, PotentialEnergy,
            TotalEnergy, Work,
        };
        let energies = [
            ("kinetic", KineticEnergy),
            ("potential", PotentialEnergy),
            ("elastic", ElasticEnergy),
            ("total", TotalEnergy),
        ];
        for (i, (part, role)) in energies.into_iter().enumerate() {
            self.push(Channel::new(format!("energy.{part}"), "J", role), Origin::Energy(i));
        }
        for (index, part) in ["motors", "loads", "dampers"].iter().enumerate() {
            let channel = Channel { index, ..Channel::new(format!("work.{part}"), "J", Work) };
            self.push(channel, Origin::Work(index));
        }
        if has_energies {
            self.push(Channel::new("energy.drift", "J", EnergyDrift), Origin::Drift);
        }
        let momenta =
            [("momentum", "kg m/s", Momentum), ("momentum.angular", "kg m^2/s", AngularMomentum)];
        for (half, (word, unit, role)) in momenta.into_iter().enumerate() {
            for (index, axis) in AXES.iter().enumerate() {
                let channel =
                    Channel { index, ..Channel::new(format!("{word}.{axis}"), unit, role) };
                self.push(channel, Origin::Momentum(3 * half + index));
            }
        }
    }
}

fn sensor_unit(arm: &Arm, sensor: &Sensor) -> &'static str {
    match sensor.quantity {
        SensorQuantity::Coordinate(index) => {
            arm.configuration_units().get(index).map_or("", |u| u[0])
        }
        SensorQuantity::Strain { .. } => "1",
        SensorQuantity::SpecificForce { .. } => "m/s^2",
        SensorQuantity::Position { .. } => "m",
    }
}
