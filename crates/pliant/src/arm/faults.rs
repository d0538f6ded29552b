//! What can be wrong with a description of an arm.

use crate::Help;
use crate::name::{NameError, shown};
use std::fmt;

/// Everything that is wrong with a description, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    /// The faults, in the order of the links; those of force elements where the links have none.
    pub faults: Vec<Fault>,
}

/// One fault of one link or force element.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {kind}", self.subject())]
pub struct Fault {
    /// Link, force element, or the arm as a whole.
    pub what: &'static str,
    /// The position of the link, or of the element among elements, in the description.
    pub link: usize,
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub kind: FaultKind,
}

impl Fault {
    /// What is at fault: by its name, or else by its place.
    fn subject(&self) -> String {
        match (self.what, self.name.as_str()) {
            ("arm", "") => "the arm".to_owned(),
            (what, "") => format!("{what} number {}", self.link + 1),
            (_, name) => format!("{} \"{}\"", self.what, shown(name)),
        }
    }
}

impl Help for Fault {
    fn help(&self) -> Option<String> {
        self.kind.help()
    }
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A name is used twice.
    #[error("the {what} name \"{name}\" is already taken")]
    DuplicateName {
        /// Link, coordinate, frame or force element.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name is empty.
    #[error("the {what} name is empty")]
    EmptyName {
        /// Link, joint, frame or force element.
        what: &'static str,
    },
    /// A name that breaks the rule for names.
    #[error("the {what} name {error}")]
    BadName {
        /// Link, joint, frame, force element or arm.
        what: &'static str,
        /// What is wrong with it.
        error: NameError,
    },
    /// The parent does not exist.
    #[error("it hangs on \"{parent}\", which is not a link of this arm")]
    UnknownParent {
        /// The name given.
        parent: String,
    },
    /// It hangs on itself through others.
    #[error("it hangs on itself: {path}")]
    Cycle {
        /// The links on the way round.
        path: String,
    },
    /// An axis without direction.
    #[error("the joint axis has no direction: [{x}, {y}, {z}]", x = axis[0], y = axis[1], z = axis[2])]
    ZeroAxis {
        /// The axis given.
        axis: [f64; 3],
    },
    /// Two axes that are one.
    #[error("the two axes of the universal joint are parallel")]
    ParallelAxes,
    /// NaN or infinite.
    #[error("{quantity} is not a finite number: {value}")]
    NotFinite {
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// A matrix that is not a rotation.
    #[error("the rotation of {what} is not orthonormal and right-handed (off by {error:.1e})")]
    NotARotation {
        /// Whose rotation.
        what: String,
        /// Largest entry of `RᵀR − 1`, or 2 for a left-handed matrix.
        error: f64,
    },
    /// Less than no mass.
    #[error("the mass is negative: {mass} kg")]
    NegativeMass {
        /// The mass given (kg).
        mass: f64,
    },
    /// A tensor no matter has.
    #[error("the inertia tensor has a negative principal moment: {moment} kg m²")]
    NegativeInertia {
        /// The smallest principal moment (kg m²).
        moment: f64,
    },
    /// A tensor that is not symmetric.
    #[error(
        "the inertia tensor is not symmetric: two entries that mirror each other differ by {difference} kg m²"
    )]
    AsymmetricInertia {
        /// The largest difference (kg m²).
        difference: f64,
    },
    /// Numbers whose products overflow.
    #[error("the moments of its masses are too large to compute with")]
    InertiaOverflow,
    /// The same with what hangs on it.
    #[error("the {quantity} of the link with all that hangs on it is too large to compute with")]
    OutboardOverflow {
        /// Mass, mass times distance or moment of inertia.
        quantity: &'static str,
    },
    /// A number of a beam that cannot be.
    #[error("the beam's {quantity} is {value}")]
    Beam {
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What is possible.
        needed: &'static str,
    },
    /// Stations that do not reach from end to end.
    #[error("the stations of the beam run from {first} m to {last} m")]
    Stations {
        /// The first station (m).
        first: f64,
        /// The last station (m).
        last: f64,
        /// The length of the part that bends (m).
        length: f64,
    },
    /// Neighbours between which no section is defined.
    #[error(
        "the sections of the stations at {place} m and after it are of different kinds or materials"
    )]
    StationKinds {
        /// The inner station (m).
        place: f64,
    },
    /// Modes that cannot be put end to end.
    #[error(
        "its beam is divided into segments, which the modes of a beam with a free tip cannot be: they pass no moment on to the next segment"
    )]
    SegmentsOfModes,
    /// Ratios of modes that no segment has.
    #[error(
        "its beam is divided into segments, which have no damping ratios: those are of the modes of the whole"
    )]
    RatiosOfSegments,
    /// Something that rigid pieces do not do.
    #[error("its beam is made of rigid pieces, which cannot {what}")]
    NotForPieces {
        /// What was asked of them.
        what: &'static str,
    },
    /// Something that a beam that slides does not do.
    #[error("its beam slides, and such a beam cannot {what}")]
    NotForSliding {
        /// What was asked of it.
        what: &'static str,
    },
    /// Shapes that follow the length change too much over the stroke.
    #[error("its clamped-mass shapes change too much over the stroke to be tabulated")]
    StrokeTooLong,
    /// A place on a beam that slides where nothing can hang.
    #[error(
        "the section at {distance} m is part of a beam that slides, on which things hang at the tip alone, at {length} m"
    )]
    NotAtTip {
        /// The distance from the inner end (m).
        distance: f64,
        /// The whole length (m).
        length: f64,
    },
    /// A coordinate of bending that moves nothing.
    #[error(
        "its bending coordinate \"{coordinate}\" moves no inertia that the ones before it do not move"
    )]
    BendsNothing {
        /// The coordinate.
        coordinate: String,
    },
    /// Integrals that overflow or vanish.
    #[error("the masses or stiffnesses of its beam are too large or too small to compute with")]
    BeamOutOfRange,
    /// Shapes that cannot shear.
    #[error("its beam shall shear, which the modes of uniform beams cannot")]
    ShearWithoutElements,
    /// A place that is not on the beam.
    #[error("the section at {distance} m is not on the beam, which is {length} m long")]
    SectionOutside {
        /// The distance from the root (m).
        distance: f64,
        /// The length of the beam (m).
        length: f64,
    },
    /// A section of a link that has no beam.
    #[error("it asks for a section of \"{link}\", which has no beam")]
    NoBeam {
        /// The link without a beam.
        link: String,
    },
    /// A negative coefficient.
    #[error("the {quantity} is negative: {value}")]
    Negative {
        /// Stiffness, damping or armature.
        quantity: &'static str,
        /// The value.
        value: f64,
    },
    /// A list of the wrong length.
    #[error("{quantity} has {given} numbers, the {joint} joint needs {needed}")]
    WrongCount {
        /// Which list.
        quantity: &'static str,
        /// How many were given.
        given: usize,
        /// How many are needed.
        needed: usize,
        /// The kind of joint.
        joint: &'static str,
    },
    /// Lower above upper.
    #[error("the limits are crossed: lower {lower} is above upper {upper}")]
    LimitsCrossed {
        /// As given.
        lower: f64,
        /// As given.
        upper: f64,
    },
    /// A drive that cannot be.
    #[error(transparent)]
    Actuator(#[from] super::actuator::ActuatorFault),
    /// A force element on a frame that does not exist.
    #[error("it acts on the frame \"{frame}\", which this arm does not have")]
    UnknownFrame {
        /// The name given.
        frame: String,
    },
    /// A force element on a coordinate that does not exist.
    #[error("it acts on the coordinate \"{coordinate}\", which this arm does not have")]
    UnknownCoordinate {
        /// The name given.
        coordinate: String,
    },
    /// A force element on a coordinate of a spherical or free joint.
    #[error(
        "it acts on \"{coordinate}\", of a joint whose attitude is a quaternion: no velocity is the rate of one of its coordinates"
    )]
    NoRate {
        /// The name given.
        coordinate: String,
    },
    /// A force element without frames and coordinates.
    #[error("it acts on no frame and on no coordinate")]
    ActsOnNothing,
    /// A quaternion of rest that is none.
    #[error("the rest attitude is not a quaternion: its length is {length}, should be 1")]
    NotAQuaternion {
        /// Its length.
        length: f64,
    },
}

impl Help for FaultKind {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::DuplicateName { what, .. } => format!("names of {what}s must differ"),
            Self::EmptyName { .. } => "give it one".into(),
            Self::BadName { error, .. } => return error.help(),
            Self::UnknownParent { .. } => "name another link or the ground".into(),
            Self::Cycle { .. } => "one link of the circle must hang on the ground".into(),
            Self::ZeroAxis { .. } => "give the direction of the axis".into(),
            Self::ParallelAxes => "give two different directions".into(),
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::NotARotation { .. } => {
                "its columns must be perpendicular unit vectors with x × y = z".into()
            }
            Self::NegativeMass { .. } | Self::Negative { .. } => "give zero or more".into(),
            Self::NegativeInertia { .. } => "check signs and products of inertia".into(),
            Self::AsymmetricInertia { .. } => "give both entries the same value".into(),
            Self::InertiaOverflow | Self::OutboardOverflow { .. } => "give masses and distances in kg and m".into(),
            Self::Beam { needed, .. } => format!("it must be {needed}"),
            Self::Stations { length, .. } => {
                format!("they must cover its length, from 0 m to {length} m")
            }
            Self::StationKinds { .. } => "put two stations at one place for a step".into(),
            Self::SegmentsOfModes => "use finite elements, or leave it undivided".into(),
            Self::RatiosOfSegments => "damp in proportion to mass or stiffness".into(),
            Self::NotForPieces { .. } => "leave that out, or use other shapes".into(),
            Self::NotForSliding { .. } => "leave that out, or keep the link from sliding".into(),
            Self::StrokeTooLong => {
                "shorten the stroke, use fewer shapes or `Scale::One`, or take clamped-free shapes or finite elements".into()
            }
            Self::NotAtTip { .. } => "hang it on the tip".into(),
            Self::BendsNothing { .. } => {
                "use fewer shapes, or give the section or what it carries inertia".into()
            }
            Self::BeamOutOfRange => "give lengths in m, moduli in Pa, densities in kg/m³".into(),
            Self::ShearWithoutElements => "use finite elements or their eigenmodes".into(),
            Self::SectionOutside { length, .. } => {
                format!("give a distance from 0 m to {length} m")
            }
            Self::NoBeam { .. } => "give that link a beam, or name no section of it".into(),
            Self::WrongCount { .. } => "give one per coordinate of the joint".into(),
            Self::LimitsCrossed { .. } => "give the smaller one first".into(),
            Self::Actuator(fault) => return fault.help(),
            Self::UnknownFrame { .. } => {
                "name a link, or a frame that a link was given".into()
            }
            Self::UnknownCoordinate { .. } => {
                "name one of the arm's coordinates, such as a joint".into()
            }
            Self::NoRate { .. } => "let it act on the frame of the link instead".into(),
            Self::ActsOnNothing => "name a frame or a coordinate that it acts on".into(),
            Self::NotAQuaternion { .. } => {
                "divide it by its length; the order is (w, x, y, z)".into()
            }
        })
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

impl Help for BuildError {
    /// One line for each fault that has a help.
    fn help(&self) -> Option<String> {
        let of = |fault: &Fault| Some(format!("{}: {}", fault.subject(), fault.help()?));
        let lines: Vec<String> = self.faults.iter().filter_map(of).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// One line for each fault.
    fn with_help(&self) -> String {
        self.faults.iter().map(Fault::with_help).collect::<Vec<_>>().join("\n")
    }
}
