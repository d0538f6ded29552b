//! What can be wrong with a description of an arm.

use super::beam_checks::check_beam;
use super::link::{Link, Mass};
use crate::beam::{Basis, Beam};
use crate::spatial::{RigidInertia, Sym3, Vec3};
use nalgebra::{Matrix3, SymmetricEigen};
use std::fmt;

/// Everything that is wrong with a description, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    /// The faults, in the order of the links.
    pub faults: Vec<Fault>,
}

/// One fault of one link.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("link \"{name}\": {kind}")]
pub struct Fault {
    /// The position of the link in the description.
    pub link: usize,
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A name is used twice.
    #[error("the {what} name \"{name}\" is already taken; names of {what}s must differ")]
    DuplicateName {
        /// Link, coordinate or frame.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name is empty.
    #[error("the {what} name is empty; give it one")]
    EmptyName {
        /// Link, joint or frame.
        what: &'static str,
    },
    /// The parent does not exist.
    #[error(
        "it hangs on \"{parent}\", which is not a link of this arm; name another link or the ground"
    )]
    UnknownParent {
        /// The name given.
        parent: String,
    },
    /// It hangs on itself through others.
    #[error("it hangs on itself: {path}; one link of the circle must hang on the ground")]
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
    #[error("the two axes of the universal joint are parallel; give two different directions")]
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
    #[error(
        "the rotation of {what} is not orthonormal and right-handed (off by {error:.1e}); its columns must be perpendicular unit vectors with x × y = z"
    )]
    NotARotation {
        /// Whose rotation.
        what: String,
        /// Largest entry of `RᵀR − 1`, or 2 for a left-handed matrix.
        error: f64,
    },
    /// Less than no mass.
    #[error("the mass is negative: {mass} kg; give zero or more")]
    NegativeMass {
        /// The mass given (kg).
        mass: f64,
    },
    /// A tensor no matter has.
    #[error(
        "the inertia tensor has a negative principal moment: {moment} kg m²; check signs and products of inertia"
    )]
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
    #[error(
        "the moments of its masses are too large to compute with; give masses and distances in kg and m"
    )]
    InertiaOverflow,
    /// A number of a beam that cannot be.
    #[error("the beam's {quantity} is {value}; it must be {needed}")]
    Beam {
        /// Which number.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// What is possible.
        needed: &'static str,
    },
    /// Stations that do not reach from end to end.
    #[error(
        "the stations of the beam run from {first} m to {last} m; they must cover its length, from 0 m to {length} m"
    )]
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
        "the sections of the stations at {place} m and after it are of different kinds or materials; put two stations at one place for a step"
    )]
    StationKinds {
        /// The inner station (m).
        place: f64,
    },
    /// Modes that cannot be put end to end.
    #[error(
        "its beam is divided into segments, which need finite elements: the modes of a beam with a free tip pass no moment on to the next segment"
    )]
    SegmentsOfModes,
    /// Ratios of modes that no segment has.
    #[error(
        "its beam is divided into segments, which have no damping ratios: those are of the modes of the whole; damp in proportion to mass or stiffness"
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
    /// Something that Theodore (24) does not know.
    #[error("the paper's velocity (24) of its beam does not know {what}")]
    NotForPaperVelocity {
        /// What was asked of it.
        what: &'static str,
    },
    /// Shapes that follow the length change too much over the stroke.
    #[error(
        "its clamped-mass shapes change too much over the stroke to be tabulated; shorten the stroke, use fewer shapes or the scale one, or take clamped-free shapes or finite elements"
    )]
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
        "its bending coordinate \"{coordinate}\" moves no inertia that the ones before it do not move; use fewer shapes, or give the section or what it carries inertia"
    )]
    BendsNothing {
        /// The coordinate.
        coordinate: String,
    },
    /// Integrals that overflow or vanish.
    #[error(
        "the masses or stiffnesses of its beam are too large or too small to compute with; give lengths in m, moduli in Pa, densities in kg/m³"
    )]
    BeamOutOfRange,
    /// Shapes that cannot shear.
    #[error(
        "its beam shall shear, which the modes of uniform beams cannot; use finite elements or their eigenmodes"
    )]
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
    #[error("the {quantity} is negative: {value}; give zero or more")]
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
    /// A quaternion of rest that is none.
    #[error("the rest attitude is not a quaternion: its length is {length}, should be 1")]
    NotAQuaternion {
        /// Its length.
        length: f64,
    },
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

/// What physics doubts although it can be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// `I₁ + I₂ < I₃`.
    #[error(
        "link \"{link}\": the principal moments {smallest:.4e} + {middle:.4e} < {largest:.4e} kg m² violate the triangle inequality; no mass distribution has them"
    )]
    TriangleInequality {
        /// The link.
        link: String,
        /// Principal moment (kg m²).
        smallest: f64,
        /// Principal moment (kg m²).
        middle: f64,
        /// Principal moment (kg m²).
        largest: f64,
    },
    /// `I₁ < 0`, where the builder was told to take it.
    #[error(
        "link \"{link}\": the inertia tensor has a negative principal moment: {moment:.4e} kg m²; no mass distribution has it"
    )]
    NegativeInertia {
        /// The link.
        link: String,
        /// The smallest principal moment (kg m²).
        moment: f64,
    },
    /// Sections that turn to first order.
    #[error(
        "link \"{link}\": the rotation of its sections is King's, to first order; energy is conserved only as long as all bending is in one plane"
    )]
    FirstOrderRotation {
        /// The link.
        link: String,
    },
    /// A velocity that is for comparison only.
    #[error(
        "link \"{link}\": its velocity is that of Theodore and Ghosal's equation (24), for comparison only: it leaves out how matter moves through the shapes, which falsifies the Coriolis forces by their own size wherever the hub turns; write velocity = \"material\" for results"
    )]
    PaperVelocity {
        /// The link.
        link: String,
    },
    /// Shapes with a free tip where the tip is loaded.
    #[error(
        "link \"{link}\": its few shapes have a free tip, but at its largest length the load is {mass:.3} of the mass and {inertia:.3} of the inertia of the part outside, and makes it slower by {percent:.1} %; take clamped-mass shapes, or four or more of these", percent = 100.0 * slower
    )]
    FreeTip {
        /// The link.
        link: String,
        /// `M_L/(ρA l)` at the largest length.
        mass: f64,
        /// `J_L/(ρA l³)` at the largest length.
        inertia: f64,
        /// What the load takes off the first frequency, as a part of it.
        slower: f64,
    },
    /// A beam too thick to leave shear out.
    #[error(
        "link \"{link}\": the beam is thick for its length (ratio {ratio:.3}, slender below 0.02), and its frequencies come out too high; switch on shear, with finite elements or their eigenmodes"
    )]
    NotSlender {
        /// The link.
        link: String,
        /// `√(EI/κGA)/L` or `√(I/A)/L`, the larger.
        ratio: f64,
    },
    /// A freedom that moves nothing.
    #[error(
        "link \"{link}\": its joint moves no mass; accelerations cannot be computed unless the joint is prescribed or has armature"
    )]
    MovesNothing {
        /// The link.
        link: String,
    },
}

/// The tolerance to which a rotation must be one; a matrix typed with six digits passes.
const ROTATION_TOLERANCE: f64 = 1e-5;

/// Checks the numbers of one link on its own.
pub(crate) fn check_link(link: &Link, mut fault: impl FnMut(FaultKind)) {
    let own = [("the placement", &link.placement), ("the outboard frame", &link.outboard)];
    let root = link.beam.iter().map(|beam| ("the beam's root", &beam.root));
    let own = own.into_iter().chain(root).map(|(what, pose)| (what, what.to_owned(), pose));
    let frames = link.frames.iter().map(|(name, pose)| (name, pose));
    let frames = frames.chain(link.section_frames.iter().map(|(name, _, pose)| (name, pose)));
    let frames = frames.map(|(name, pose)| ("a frame", format!("frame \"{name}\""), pose));
    for (quantity, what, pose) in own.chain(frames) {
        let [x, y, z] = pose.rotation.columns;
        let numbers = [x, y, z, pose.position].map(crate::spatial::Vec3::to_array);
        if let Some(value) = first_bad(numbers.as_flattened()) {
            fault(FaultKind::NotFinite { quantity, value });
            continue;
        }
        let unit = pose.rotation.transpose_matmul(&pose.rotation).to_rows();
        let mut error = 0.0_f64;
        for (i, row) in unit.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                error = error.max((entry - f64::from(u8::from(i == j))).abs());
            }
        }
        if x.cross(y).dot(z) < 0.0 {
            error = 2.0;
        }
        if error > ROTATION_TOLERANCE {
            fault(FaultKind::NotARotation { what, error });
        }
    }
    let own = link.masses.iter().zip(&link.skews);
    for (mass, &skew) in own.chain(link.tip_masses.iter().zip(&link.tip_skews)) {
        let Sym3 { xx, yy, zz, xy, xz, yz } = mass.tensor;
        let centre = mass.centre.to_array();
        if !mass.kilograms.is_finite() {
            fault(FaultKind::NotFinite { quantity: "the mass", value: mass.kilograms });
        } else if let Some(value) = first_bad(&centre) {
            fault(FaultKind::NotFinite { quantity: "the centre of mass", value });
        } else if let Some(value) = first_bad(&[xx, yy, zz, xy, xz, yz]) {
            fault(FaultKind::NotFinite { quantity: "the inertia tensor", value });
        } else {
            if mass.kilograms < 0.0 {
                fault(FaultKind::NegativeMass { mass: mass.kilograms });
            }
            let [smallest, _, largest] = principal_moments(&mass.tensor);
            if is_negative(smallest, largest) {
                fault(FaultKind::NegativeInertia { moment: smallest });
            }
            if skew > 1e-6 * largest.abs() {
                fault(FaultKind::AsymmetricInertia { difference: skew });
            }
        }
    }
    let RigidInertia { mass, first, second } = link.inertia;
    let Sym3 { xx, yy, zz, xy, xz, yz } = second;
    let moments = [mass, first.x, first.y, first.z, xx, yy, zz, xy, xz, yz];
    let given = |m: &Mass| {
        let Sym3 { xx, yy, zz, xy, xz, yz } = m.tensor;
        let Vec3 { x, y, z } = m.centre;
        first_bad(&[m.kilograms, x, y, z, xx, yy, zz, xy, xz, yz]).is_none()
    };
    if first_bad(&moments).is_some() && link.masses.iter().all(given) {
        fault(FaultKind::InertiaOverflow);
    }
    match &link.beam {
        Some(beam) => {
            check_beam(beam, &mut fault);
            let pinned = matches!(beam.basis, Basis::Pieces { pinned: true, .. });
            if pinned && (link.joint.nv() == 0 || link.prescribed) {
                fault(FaultKind::NotForPieces {
                    what: "have a pinned root where the joint holds it",
                });
            }
        }
        None if !link.tip_masses.is_empty() => {
            fault(FaultKind::NoBeam { link: link.name.clone() });
        }
        None => {}
    }
    let (nq, nv, joint) = (link.joint.nq(), link.joint.nv(), link.joint.word());
    for (quantity, list, needed) in [
        ("stiffness", &link.stiffness, nv),
        ("rest position", &link.rest, nq),
        ("damping", &link.damping, nv),
        ("armature", &link.armature, nv),
    ] {
        if !list.is_empty() && list.len() != needed {
            fault(FaultKind::WrongCount { quantity, given: list.len(), needed, joint });
        }
        if let Some(value) = first_bad(list) {
            fault(FaultKind::NotFinite { quantity, value });
        } else if quantity != "rest position" {
            for &value in list.iter().filter(|v| **v < 0.0) {
                fault(FaultKind::Negative { quantity, value });
            }
        }
    }
    if let Some(actuator) = &link.actuator {
        actuator.check(link, |kind| fault(kind.into()));
    }
    let attitude = match link.joint {
        super::Joint::Spherical => link.rest.get(..4),
        super::Joint::Free => link.rest.get(3..7),
        _ => None,
    };
    if let Some(attitude) = attitude {
        let length = attitude.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (length - 1.0).abs() > ROTATION_TOLERANCE {
            fault(FaultKind::NotAQuaternion { length });
        }
    }
    if !link.limits.is_empty() && link.limits.len() != nq {
        fault(FaultKind::WrongCount {
            quantity: "limits",
            given: link.limits.len(),
            needed: nq,
            joint,
        });
    }
    for limits in link.limits.iter().flatten() {
        let (lower, upper) = (limits.lower, limits.upper);
        if lower.is_nan() || upper.is_nan() {
            fault(FaultKind::NotFinite { quantity: "a limit", value: f64::NAN });
        } else if lower > upper {
            fault(FaultKind::LimitsCrossed { lower, upper });
        }
    }
}

/// Checks the sections that a link uses, of its parent's beam and of its own.
pub(crate) fn check_sections(link: &Link, parent: Option<&Link>, mut fault: impl FnMut(FaultKind)) {
    let check = |carrier: Option<&Link>, distance: f64, fault: &mut dyn FnMut(FaultKind)| {
        if let Some(length) = carrier.and_then(|c| c.beam.as_ref()).map(Beam::whole_length) {
            if !(0.0..=length * (1.0 + 1e-12)).contains(&distance) {
                fault(FaultKind::SectionOutside { distance, length });
            }
        } else {
            let link = carrier.map_or_else(|| "the ground".to_owned(), |link| link.name.clone());
            fault(FaultKind::NoBeam { link });
        }
    };
    if let Some(distance) = link.section {
        check(parent, distance, &mut fault);
        let beam = parent.and_then(|parent| parent.beam.as_ref());
        if let Some(length) = beam.filter(|beam| beam.slide.is_some()).map(|beam| beam.length)
            && (distance - length).abs() > 1e-9 * length
        {
            fault(FaultKind::NotAtTip { distance, length });
        }
    }
    for (_, distance, _) in &link.section_frames {
        check(Some(link), *distance, &mut fault);
    }
}

/// The first number that is not finite.
pub(crate) fn first_bad(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().find(|x| !x.is_finite())
}

/// Whether the smallest principal moment is below zero by more than rounding.
pub(crate) fn is_negative(smallest: f64, largest: f64) -> bool {
    smallest < -1e-9 * largest.abs()
}

/// The eigenvalues in ascending order.
pub(crate) fn principal_moments(tensor: &Sym3<f64>) -> [f64; 3] {
    let Sym3 { xx, yy, zz, xy, xz, yz } = *tensor;
    let matrix = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let mut moments: [f64; 3] = SymmetricEigen::new(matrix).eigenvalues.into();
    moments.sort_by(f64::total_cmp);
    moments
}
