//! What is physically doubtful about an arm but allowed.

use super::checks::is_negative;
use super::link::Link;
use super::pieces::{Carried, Piece};
use super::tree::Body;
use crate::Help;
use crate::beam::{Basis, Beam, Matter, SLENDER, Section, ShapeErrors, Ways};
use crate::scalar::short;
use crate::spatial::RigidInertia;

/// What is physically doubtful although it can be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// `I₁ + I₂ < I₃`.
    #[error(
        "link \"{link}\": the principal moments {smallest:.4e} + {middle:.4e} < {largest:.4e} kg m² violate the triangle inequality: no mass distribution has them"
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
        "link \"{link}\": the inertia tensor has a negative principal moment, {moment:.4e} kg m²: no mass distribution has it"
    )]
    NegativeInertia {
        /// The link.
        link: String,
        /// The smallest principal moment (kg m²).
        moment: f64,
    },
    /// Shapes with a free tip where the tip is loaded.
    #[error(
        "link \"{link}\": its few shapes have a free tip, but at its largest length the load is {mass:.3} of the mass and {inertia:.3} of the inertia of the part outside, and makes it slower by {percent:.1} %", percent = 100.0 * slower
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
    /// Shapes of a free tip that are wrong for what the link carries.
    #[error(
        "link \"{link}\": its shapes are for a tip without load, but with what it carries, clamped at its root, its first frequency is off by {frequency:+.1} % and its static deflection by {sag:+.1} %", frequency = 100.0 * frequency, sag = 100.0 * sag
    )]
    UnloadedShapes {
        /// The link.
        link: String,
        /// The relative error of the first frequency of the link with everything outboard as rigid
        /// bodies, clamped at its root, in the plane of the larger error.
        frequency: f64,
        /// The relative error of the static deflection of its tip, across it.
        sag: f64,
    },
    /// A beam too thick to leave shear out.
    #[error(
        "link \"{link}\": the beam is thick for its length (ratio {ratio:.3}, slender below 0.02), and its frequencies come out too high"
    )]
    NotSlender {
        /// The link.
        link: String,
        /// `√(EI/κGA)/L` or `√(I/A)/L`, the larger.
        ratio: f64,
    },
    /// A beam wider than it is long.
    #[error("link \"{link}\": its section is {} m wide, wider than the {} m that it is long", short(*.width), short(*.length))]
    WiderThanLong {
        /// The link.
        link: String,
        /// The largest width of its sections (m).
        width: f64,
        /// Its length (m).
        length: f64,
    },
    /// Another mass than was said.
    #[error("the links together weigh {} kg, not {} kg", short(*.found), short(*.expected))]
    TotalMass {
        /// The mass that was said (kg).
        expected: f64,
        /// The mass of all links (kg).
        found: f64,
    },
    /// A freedom that moves nothing.
    #[error(
        "link \"{link}\": its joint moves no mass, so that its accelerations cannot be computed"
    )]
    MovesNothing {
        /// The link.
        link: String,
    },
}

impl Help for Warning {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::TriangleInequality { .. } => "check its moments, and which axis each is about",
            Self::NegativeInertia { .. } => "check signs and products of inertia",
            Self::UnloadedShapes { .. } => "take modes of the loaded beam, or more of these shapes",
            Self::FreeTip { .. } => "take clamped-mass shapes, or four or more of these",
            Self::NotSlender { .. } => {
                "switch on shear, with modes of the loaded beam, finite elements or their eigenmodes"
            }
            Self::WiderThanLong { .. } => "check the units: is it mm?",
            Self::TotalMass { .. } => "bring back what is missing, or say the new mass",
            Self::MovesNothing { .. } => {
                "give this link, or one that it carries, mass or inertia; or give the joint armature, or prescribe it"
            }
        };
        Some(help.into())
    }
}

/// A beam that slides and has few shapes with a free tip, though its tip is loaded: Theodore's
/// remark 5, at the largest length. What hangs on further joints has no shapes of its own.
pub(super) fn free_tip(link: &Link, carried: &Carried) -> Option<Warning> {
    let beam = link.beam.as_ref()?;
    let [_, largest] = beam.slide?.stroke;
    let Basis::ClampedFree(Ways { bend_y, bend_z, .. }) = beam.basis else { return None };
    let few = |count: usize| (1..ENOUGH_SHAPES).contains(&count);
    if carried.moves || !(few(bend_y) || few(bend_z)) {
        return None;
    }
    let [mass, inertia, frequency] = beam.load_ratios(&carried.load(beam), largest);
    let link = link.name.clone();
    (mass > LIGHT || inertia > LIGHT).then_some(Warning::FreeTip {
        link,
        mass,
        inertia,
        slower: 1.0 - frequency,
    })
}

/// Shapes of a free tip where something hangs, if their errors are worth a word. The errors are those
/// of the link alone, so that each is told where it arises.
pub(super) fn unloaded_shapes(link: &Link, carried: &Carried) -> Option<Warning> {
    let beam = link.beam.as_ref()?;
    if carried.hung.is_empty() || beam.slide.is_some() || beam.reduction.is_some() {
        return None;
    }
    let ShapeErrors { frequency, sag } = beam.free_tip_errors(&carried.loads())?;
    (frequency.abs().max(sag.abs()) > WRONG).then(|| Warning::UnloadedShapes {
        link: link.name.clone(),
        frequency,
        sag,
    })
}

/// Errors of a frequency or a deflection above this are told.
const WRONG: f64 = 0.01;

/// With so many shapes the condition at the tip hardly matters.
const ENOUGH_SHAPES: usize = 4;

/// What is small beside 1 in Theodore's remark 5.
const LIGHT: f64 = 0.1;

/// A sum of masses that is not the expected one (kg).
pub(super) fn mass_warning(expected: f64, pieces: &[Piece]) -> Option<Warning> {
    let mass =
        |Piece { link, .. }: &Piece| link.inertia.mass + link.beam.as_ref().map_or(0.0, Beam::mass);
    let found = pieces.iter().map(mass).sum::<f64>();
    let differs = (found - expected).abs() > SAME_MASS * expected.abs();
    differs.then_some(Warning::TotalMass { expected, found })
}

/// The part of a mass that may come from rounding.
const SAME_MASS: f64 = 1e-3;

/// Joints that move no mass, their own or further out.
pub(super) fn idle_warnings(
    bodies: &[Body<f64>],
    stations: &[usize],
    armature: &[f64],
    names: &[String],
) -> Vec<Warning> {
    let mut carried: Vec<RigidInertia<f64>> = bodies.iter().map(|b| b.inertia).collect();
    for i in (0..bodies.len()).rev() {
        if let Some(parent) = stations[bodies[i].parent].checked_sub(1) {
            carried[parent] = carried[parent].plus(&carried[i]);
        }
    }
    bodies
        .iter()
        .enumerate()
        .filter(|(i, body)| {
            let matter = &carried[*i];
            body.nv > 0
                && body.bend.is_none()
                && !body.prescribed
                && matter.mass == 0.0
                && matter.second.trace() == 0.0
                && armature[body.v_range()].contains(&0.0)
        })
        .map(|(i, _)| Warning::MovesNothing { link: names[i].clone() })
        .collect()
}

/// The first of the link's tensors that no matter has. A negative moment gets here only when the
/// builder is lenient.
pub(super) fn tensor_warning(link: &Link) -> Option<Warning> {
    link.masses.iter().find_map(|(_, mass)| {
        let [smallest, middle, largest] = mass.tensor.eigenvalues();
        let link = &link.name;
        if is_negative(smallest, largest) {
            Some(Warning::NegativeInertia { link: link.clone(), moment: smallest })
        } else if smallest + middle < largest * (1.0 - 1e-6) {
            Some(Warning::TriangleInequality { link: link.clone(), smallest, middle, largest })
        } else {
            None
        }
    })
}

/// Where the options chosen for a beam are not right for it.
pub(super) fn beam_warnings(link: &str, beam: &Beam) -> Vec<Warning> {
    let link = link.to_owned();
    let mut warnings = Vec::new();
    let bends = beam.basis.ways();
    let thickness = |matter: &Matter| {
        let Section { ei_z, ei_y, kga_y, kga_z, rho_a, rho_i_z, rho_i_y, .. } = matter.section();
        [(bends.bend_y, ei_z, kga_y, rho_i_z), (bends.bend_z, ei_y, kga_z, rho_i_y)]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(_, ei, kga, rho_i)| kga.map_or(0.0, |kga| ei / kga).max(rho_i / rho_a))
            .fold(0.0, f64::max)
    };
    let stations = beam.profile.stations().iter();
    let thickness = stations.map(|(_, matter)| thickness(matter)).fold(0.0, f64::max);
    let ratio = thickness.sqrt() / beam.length;
    let stations = beam.profile.stations().iter();
    let widths = stations.filter_map(|(_, matter)| match matter {
        Matter::Made { outline, .. } => Some(outline.extent().into_iter().fold(0.0, f64::max)),
        Matter::Given(_) => None,
    });
    let (width, length) = (widths.fold(0.0, f64::max), beam.length);
    if width > length {
        return vec![Warning::WiderThanLong { link, width, length }];
    }
    if !beam.shear && ratio > SLENDER {
        warnings.push(Warning::NotSlender { link, ratio });
    }
    warnings
}
