//! The channels that a run can record.

use super::channels::{Channel, ChannelRole};
use super::diagram::Diagram;
use super::link_channels::{DeflectedFrame, loaded_links};
use super::sensor::{Sensor, SensorQuantity};
use super::sliding_channels::{SlidingWave, WaveQuantity};
use super::target::TrackingTarget;
use crate::arm::{Arm, Coordinate};

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
    /// Of a target, and its component; of a frame the fourth is the distance.
    Error(usize, usize),
    /// Of a frame that deformation moves, by its place among these, and the component.
    Deflection(usize, usize),
    /// Of a link by index, and which of its largest internal forces.
    Internal(usize, usize),
    /// A row and a column.
    Mass(usize, usize),
    /// Of a link that slides, by its place among their planes.
    Wave(usize, WaveQuantity),
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
        all.add_errors(arm, &scenario.targets);
        all.add_deflections(arm);
        all.add_internal_forces(arm);
        all.add_waves(arm);
        // many, and seldom wanted
        if scenario.asks_for_mass_matrix() {
            all.add_mass_matrix(arm);
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

impl Catalogue {
    fn add_errors(&mut self, arm: &Arm, targets: &[TrackingTarget]) {
        for (i, target) in targets.iter().enumerate() {
            if let TrackingTarget::Coordinate { coordinate, .. } = target {
                let Some(own) = arm.configuration_coordinates().get(*coordinate) else { continue };
                let name = format!("{}.error", own.name);
                let channel = Channel {
                    subject: own.link.clone(),
                    coordinate: Some(own.role),
                    index: own.index,
                    ..Channel::new(name, own.dimension.units()[0], ChannelRole::Error)
                };
                self.push(channel, Origin::Error(i, 0));
            }
            let Some(frame) = target.frame().and_then(|frame| arm.frames().get(frame)) else {
                continue;
            };
            for (index, part) in ["x", "y", "z", "distance"].into_iter().enumerate() {
                let name = format!("{}.error.{part}", frame.name());
                let subject = frame.name().to_owned();
                let channel = Channel::new(name, "m", ChannelRole::Error);
                self.push(Channel { subject, index, ..channel }, Origin::Error(i, index));
            }
        }
    }

    fn add_deflections(&mut self, arm: &Arm) {
        let parts = [
            ("deflection.x", "m", ChannelRole::Deflection),
            ("deflection.y", "m", ChannelRole::Deflection),
            ("deflection.z", "m", ChannelRole::Deflection),
            ("slope.y", "rad", ChannelRole::Slope),
            ("slope.z", "rad", ChannelRole::Slope),
            ("twist", "rad", ChannelRole::Slope),
        ];
        for (i, moved) in DeflectedFrame::of(arm).iter().enumerate() {
            let subject = arm.frames()[moved.frame].name();
            for (index, (part, unit, role)) in parts.into_iter().enumerate() {
                let channel = Channel::new(format!("{subject}.{part}"), unit, role);
                let subject = subject.to_owned();
                self.push(Channel { subject, index, ..channel }, Origin::Deflection(i, index));
            }
        }
    }

    fn add_internal_forces(&mut self, arm: &Arm) {
        let parts = [
            ("moment", "N m", ChannelRole::BendingMoment),
            ("shear", "N", ChannelRole::ShearForce),
            ("torsion", "N m", ChannelRole::Torsion),
            ("stress", "Pa", ChannelRole::Stress),
            ("margin", "1", ChannelRole::Margin),
        ];
        for (link, count) in loaded_links(arm) {
            let subject = &arm.link_names()[link];
            for (index, (part, unit, role)) in parts.into_iter().enumerate().take(count) {
                let channel = Channel::new(format!("{subject}.{part}"), unit, role);
                let subject = subject.clone();
                self.push(Channel { subject, index, ..channel }, Origin::Internal(link, index));
            }
        }
    }

    fn add_waves(&mut self, arm: &Arm) {
        for (i, wave) in SlidingWave::of(arm).iter().enumerate() {
            let (subject, letter) = (&arm.link_names()[wave.link], wave.letter);
            let mut add = |name: String, unit, role, index, quantity| {
                let subject = subject.clone();
                let channel = Channel { subject, index, ..Channel::new(name, unit, role) };
                self.push(channel, Origin::Wave(i, quantity));
            };
            for mode in 1..=wave.modes {
                let parts = [("", "1"), (".by_length", "1/m"), (".by_length2", "1/m^2")];
                for (times, (suffix, unit)) in parts.into_iter().enumerate() {
                    let name = format!("{subject}.beta.{letter}{mode}{suffix}");
                    let quantity = WaveQuantity::WaveNumber(mode, times);
                    add(name, unit, ChannelRole::WaveNumber, mode - 1, quantity);
                }
            }
            let name = format!("{subject}.group_velocity.{letter}");
            add(name, "m/s", ChannelRole::GroupVelocity, 0, WaveQuantity::GroupVelocity);
        }
    }

    fn add_mass_matrix(&mut self, arm: &Arm) {
        let all = arm.velocity_coordinates();
        for (i, row) in all.iter().enumerate() {
            for (j, column) in all.iter().enumerate().skip(i) {
                let lengths = [row, column].map(|own| own.dimension.units()[0] == "m");
                let unit = match lengths {
                    [true, true] => "kg",
                    [false, false] => "kg m^2",
                    _ => "kg m",
                };
                let name = format!("mass.{}.{}", row.name, column.name);
                let channel = Channel::new(name, unit, ChannelRole::MassMatrix);
                let index = i * all.len() + j;
                self.push(Channel { index, ..channel }, Origin::Mass(i, j));
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
