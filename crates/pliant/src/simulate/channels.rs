//! What channels are.

use crate::arm::CoordinateRole;
use crate::name::TIME;
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
        Self::new(TIME, "s", ChannelRole::Time)
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
    /// How far a coordinate or a frame is from where it should be.
    Error,
    /// How far deformation displaces a frame of a link.
    Deflection,
    /// How far deformation turns a frame of a link: its slopes and its twist.
    Slope,
    /// The largest bending moment along a link.
    BendingMoment,
    /// The largest shear force along a link.
    ShearForce,
    /// The largest torque along a link.
    Torsion,
    /// The largest equivalent stress of a link.
    Stress,
    /// The smallest ratio of strength to stress of a link.
    Margin,
    /// An entry of the mass matrix.
    MassMatrix,
    /// A wave number of a link that slides, or its derivatives by the length.
    WaveNumber,
    /// The group velocity of a link that slides.
    GroupVelocity,
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
    /// A gain of a control law that has many of them.
    Gain,
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
    /// A gain on the place of a joint, or on a coordinate of bending.
    Gain,
    /// A gain on its rate.
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
    /// Errors of what has a target: `upper.error`, `tip.error.x`, `tip.error.distance`.
    Errors,
    /// Deflections, slopes and twists of frames on links that bend, in the axes that they have while
    /// nothing bends: `upper.tip.deflection.z`, `upper.tip.slope.z`, `upper.tip.twist`.
    Deflections,
    /// The largest bending moment, shear force, torque and stress along each link that bends, and
    /// the smallest margin: `upper.moment`, `upper.shear`, `upper.torsion`, `upper.stress`,
    /// `upper.margin`.
    InternalForces,
    /// Gains of control laws, and the mass matrices that they were made from:
    /// `servo.upper.gain.fore.y1`.
    Gains,
    /// Entries of the mass matrix, each pair of coordinates once: `mass.upper.fore`.
    MassMatrix,
    /// Of links that slide, at the present length: the wave numbers of their modes and the first two
    /// derivatives by the length, `boom.beta.y1`, `boom.beta.y1.by_length`, `boom.beta.y1.by_length2`,
    /// and the group velocity `boom.group_velocity.y`.
    WaveNumbers,
}

impl ChannelGroup {
    /// All of them.
    pub const ALL: [Self; 17] = [
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
        Self::Errors,
        Self::Deflections,
        Self::InternalForces,
        Self::Gains,
        Self::MassMatrix,
        Self::WaveNumbers,
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
            ChannelRole::Error => Self::Errors,
            ChannelRole::Deflection | ChannelRole::Slope => Self::Deflections,
            ChannelRole::BendingMoment
            | ChannelRole::ShearForce
            | ChannelRole::Torsion
            | ChannelRole::Stress
            | ChannelRole::Margin => Self::InternalForces,
            ChannelRole::Gain => Self::Gains,
            ChannelRole::MassMatrix => Self::MassMatrix,
            ChannelRole::WaveNumber | ChannelRole::GroupVelocity => Self::WaveNumbers,
            ChannelRole::Time | ChannelRole::Other => return None,
        })
    }

    /// Whether a channel is in it. Gains that are few are outputs as well.
    pub fn has(self, channel: &Channel) -> bool {
        let tells_gain =
            matches!(channel.telemetry, Telemetry::Gain | Telemetry::RateGain | Telemetry::Inertia);
        Self::of(channel.role) == Some(self) || self == Self::Gains && tells_gain
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
            Self::Errors => "errors",
            Self::Deflections => "deflections",
            Self::InternalForces => "internal-forces",
            Self::Gains => "gains",
            Self::MassMatrix => "mass-matrix",
            Self::WaveNumbers => "wave-numbers",
        }
    }
}
