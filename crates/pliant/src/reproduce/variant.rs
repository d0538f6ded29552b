//! Variants of the equations of motion, for comparison with the documents they are from.

use super::algorithm::{Workspace, check_mass};
use super::chain::Rotation;
use super::theodore24::{self, Theodore24};
use super::unsupported::Unsupported;
use crate::Help;
use crate::analyse::Places;
use crate::arm::{Arm, Builder, Link};
use crate::beam::Basis;
use crate::dynamics::EvaluationError;
use crate::simulate::ForwardDynamics;
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// Which links of an arm are to have which variant of the equations, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// Links whose sections turn by King's first order: see [`Rotation::FirstOrder`].
    pub first_order: Vec<String>,
    /// Links whose sections turn by Korayem's small angles: see [`Rotation::Small`].
    pub small_angle: Vec<String>,
    /// Links that slide with the velocity of Theodore (24).
    pub theodore24: Vec<String>,
}

/// The largest turn of a section (rad) about a second axis where rotations are of first order; half
/// of it is the relative error of the angular velocity.
pub const LARGEST_TURN: f64 = 0.02;

/// A link that turns too far for rotations of first order.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("link \"{link}\": {}", self.reason())]
pub struct LargeTurn {
    /// The link.
    pub link: String,
    /// The second largest of the three turns (rad).
    pub value: f64,
}

impl Help for LargeTurn {
    fn help(&self) -> Option<String> {
        Some("let its sections turn exactly".into())
    }
}

impl LargeTurn {
    /// What the state has, and up to where rotations of first order are right.
    pub fn reason(&self) -> String {
        let value = self.value;
        format!(
            "its sections turn about several axes, about the second by {value:.3} rad, and rotations of first order are right up to {LARGEST_TURN} rad"
        )
    }
}

impl Variants {
    /// Whether no link is to have any.
    pub fn is_empty(&self) -> bool {
        self.first_order.is_empty() && self.small_angle.is_empty() && self.theodore24.is_empty()
    }

    /// What keeps the links of a description from them, as far as it can be said before it is
    /// built.
    pub fn lacks(&self, description: &Builder) -> Vec<Unsupported> {
        let mut all = Vec::new();
        for link in description.parts().links.iter().map(Link::parts) {
            let Some(beam) = link.beam else { continue };
            let is_asked = |names: &[String]| names.iter().any(|name| name == link.name);
            let link = link.name.to_owned();
            let (slides, ways) = (beam.slide.is_some(), beam.basis.ways());
            let is_pieces = matches!(beam.basis, Basis::Pieces { .. });
            let turns = is_asked(&self.first_order) || is_asked(&self.small_angle);
            if turns && slides {
                all.push(Unsupported::Slides { link: link.clone() });
            } else if turns && is_pieces {
                all.push(Unsupported::Pieces { link: link.clone() });
            }
            // of whatever link: King and Korayem have one kind of beam
            let shortens = beam.foreshortening && ways.bend_y + ways.bend_z > 0;
            let is_chain = !(self.first_order.is_empty() && self.small_angle.is_empty());
            if is_chain && shortens && !slides && !is_pieces {
                all.push(Unsupported::Foreshortening { link: link.clone() });
            }
            if is_asked(&self.theodore24) && beam.profile.fault(beam.length).is_none() {
                let lack = |what| Unsupported::Theodore24 { link: link.clone(), what };
                all.extend(theodore24::unknown(beam).map(lack));
            }
        }
        all
    }

    /// The equations of an arm whose links have them, none where no link has any.
    pub fn of(&self, arm: &Arm) -> Result<Option<Variant>, Unsupported> {
        let among = |names: &[String], link: &str| names.iter().any(|name| name == link);
        match [&self.first_order[..], &self.small_angle, &self.theodore24] {
            [[], [], []] => Ok(None),
            [links, [], []] => Variant::first_order(arm, |link| among(links, link)).map(Some),
            [[], links, []] => Variant::small_angle(arm, |link| among(links, link)).map(Some),
            [[], [], links] => Variant::theodore24(arm, |link| among(links, link)).map(Some),
            _ => Err(Unsupported::Both),
        }
    }

    /// The links of an arm that turn too far for rotations of first order. For many states of one
    /// arm, [`TurnCheck`] is faster.
    pub fn out_of_range(&self, arm: &Arm, q: &[f64]) -> Vec<LargeTurn> {
        TurnCheck::new(self, arm).at(q)
    }
}

/// What [`Variants::out_of_range`] looks at, made once for many states.
#[derive(Clone, Debug)]
pub struct TurnCheck {
    links: Vec<(String, Vec<Segment>)>,
}

/// The bending coordinates of a part of a link, and its shapes.
type Segment = (Range<usize>, Places);

impl TurnCheck {
    /// For the links of an arm that are to turn by first order.
    pub fn new(variants: &Variants, arm: &Arm) -> Self {
        let segments = |name: &String| {
            let link = arm.link_names().iter().position(|link| link == name);
            let segments = link.map_or(Vec::new(), |link| arm.segments(link)).into_iter();
            let places =
                |segment| Some((arm.bending_of(segment).0, Places::new(arm.beam_of(segment)?)));
            (name.clone(), segments.filter_map(places).collect())
        };
        Self { links: variants.first_order.iter().map(segments).collect() }
    }

    /// The links that turn too far in a configuration.
    pub fn at(&self, q: &[f64]) -> Vec<LargeTurn> {
        let mut found = Vec::new();
        for (link, segments) in &self.links {
            let turns = segments.iter().map(|(bending, places)| {
                places.largest(&q[bending.clone()], |shape| shape.rotation, second)
            });
            let value = turns.fold(0.0, f64::max);
            if value > LARGEST_TURN {
                found.push(LargeTurn { link: link.clone(), value });
            }
        }
        found
    }
}

/// The second largest of three turns.
fn second(turn: [f64; 3]) -> f64 {
    let mut turn = turn.map(f64::abs);
    turn.sort_by(f64::total_cmp);
    turn[1]
}

/// An arm with other equations of motion than the engine's, f64 alone.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
/// use pliant::reproduce::Variant;
///
/// let outline = CrossSection::Round { diameter: 0.01 };
/// let material = Material::named("aluminium").ok_or("unknown")?;
/// let basis = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
/// let beam = Beam { foreshortening: false, ..Beam::new(1.0, Matter::Made { outline, material }, basis) };
/// let arm = Builder::new("King's")
///     .link(Link::new("inner").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam))
///     .link(Link::new("outer").at_section(1.0).payload(1.0, [0.2, 0.0, 0.0]))
///     .build()?;
/// let mut king = Variant::first_order(&arm, |link| link == "inner")?;
/// let q = [0.3, 0.02, 0.03];
/// let difference = king.mass_matrix(&q)? - arm.mass_matrix(&q)?;
/// assert!((1e-9..1e-2).contains(&difference.amax()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    arm: Arm,
    equations: Equations,
}

#[derive(Clone, Debug)]
enum Equations {
    FirstOrder(Box<Workspace>),
    SmallAngle(Box<Workspace>),
    Theodore24(Box<Theodore24>),
}

type Answer<T> = Result<T, EvaluationError>;

impl Variant {
    /// The sections of the links that are chosen by name turn by King's first order,
    /// [`Rotation::FirstOrder`], by his recurrences: for serial chains whose beams do not shorten.
    /// Frames and energies of [`Variant::arm`] remain those of exact rotation, so that a run has no
    /// balance of energy.
    pub fn first_order(arm: &Arm, chosen: impl Fn(&str) -> bool) -> Result<Self, Unsupported> {
        let work = Workspace::by_recurrences(arm, rotations(arm, chosen, Rotation::FirstOrder))?;
        check_mass(arm)?;
        Ok(Self { arm: arm.clone(), equations: Equations::FirstOrder(Box::new(work)) })
    }

    /// The sections of the links that are chosen by name turn by Korayem (6), [`Rotation::Small`],
    /// by the Gibbs-Appell equations: for serial chains whose beams do not shorten. Frames and
    /// energies of [`Variant::arm`] remain those of exact rotation, so that a run has no balance of
    /// energy; where no link hangs on one that turns so, the equations are those of the engine.
    /// From three links on, and sections that turn by some hundredths of a radian, the inertia
    /// matrix may be indefinite.
    pub fn small_angle(arm: &Arm, chosen: impl Fn(&str) -> bool) -> Result<Self, Unsupported> {
        let work = Workspace::by_gibbs_appell(arm, rotations(arm, chosen, Rotation::Small))?;
        Ok(Self { arm: arm.clone(), equations: Equations::SmallAngle(Box::new(work)) })
    }

    /// The links that are chosen by name, of those that slide, have the velocity of Theodore (24)
    /// as it is printed, for comparison only: it leaves out how matter moves through the shapes.
    /// Energies and momenta of [`Variant::arm`] are those of this velocity.
    pub fn theodore24(arm: &Arm, chosen: impl Fn(&str) -> bool) -> Result<Self, Unsupported> {
        let slides = |body| arm.sliding_of(body).is_some();
        let bodies: Vec<usize> = chosen_links(arm, chosen, slides).collect();
        let arm = theodore24::integrated(arm, &bodies)?;
        let work = Theodore24::new(&arm, &bodies);
        Ok(Self { arm, equations: Equations::Theodore24(Box::new(work)) })
    }

    /// The arm, whose coordinates, frames and energies are meant.
    pub fn arm(&self) -> &Arm {
        &self.arm
    }

    /// As [`rnea_into`](crate::dynamics::rnea::rnea_into).
    ///
    /// # Panics
    /// When a slice does not have the length that the arm asks for.
    pub fn inverse_dynamics_into(&mut self, q: &[f64], u: &[f64], ud: &[f64], tau: &mut [f64]) {
        let arm = &self.arm;
        match &mut self.equations {
            Equations::FirstOrder(work) | Equations::SmallAngle(work) => {
                work.inverse_dynamics_into(arm, [q, u, ud], tau);
            }
            Equations::Theodore24(work) => work.inverse_dynamics_into(arm, [q, u, ud], tau),
        }
    }

    /// As [`Arm::mass_matrix`].
    pub fn mass_matrix(&mut self, q: &[f64]) -> Answer<DMatrix<f64>> {
        self.arm.check_configuration(q)?;
        match &mut self.equations {
            Equations::FirstOrder(work) | Equations::SmallAngle(work) => {
                Ok(work.mass_matrix(&self.arm, q))
            }
            Equations::Theodore24(_) => self.arm.mass_matrix(q),
        }
    }

    /// As [`Arm::inverse_dynamics`].
    pub fn inverse_dynamics(&mut self, q: &[f64], u: &[f64], ud: &[f64]) -> Answer<DVector<f64>> {
        self.arm.check_configuration(q)?;
        self.arm.check_velocities("u", u)?;
        self.arm.check_velocities("u̇", ud)?;
        let mut tau = DVector::zeros(self.arm.nv());
        self.inverse_dynamics_into(q, u, ud, tau.as_mut_slice());
        Ok(tau)
    }

    /// As [`Arm::bias`].
    pub fn bias(&mut self, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        let rest = vec![0.0; self.arm.nv()];
        self.inverse_dynamics(q, u, &rest)
    }

    /// As [`Arm::coriolis`].
    pub fn coriolis(&mut self, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        let rest = vec![0.0; self.arm.nv()];
        let bias = self.bias(q, u)?;
        Ok(bias - self.bias(q, &rest)? - self.arm.damping_forces(q, u)?)
    }

    /// As [`Arm::gravity_forces`].
    pub fn gravity_forces(&mut self, q: &[f64]) -> Answer<DVector<f64>> {
        let rest = vec![0.0; self.arm.nv()];
        Ok(self.bias(q, &rest)? - self.arm.elastic_forces(q)?)
    }

    /// As [`Arm::hybrid_dynamics`].
    pub fn hybrid_dynamics(
        &mut self,
        q: &[f64],
        u: &[f64],
        tau: &[f64],
        ud: &[f64],
    ) -> Answer<(DVector<f64>, DVector<f64>)> {
        self.arm.check_velocities("u", u)?;
        self.arm.check_velocities("τ", tau)?;
        self.arm.check_velocities("u̇", ud)?;
        let mass = self.mass_matrix(q)?;
        // the matrix of small angles may be indefinite: there only a pivot of nothing is refused
        let is_small = matches!(self.equations, Equations::SmallAngle(_));
        self.arm.check_inertia(&mass, |pivot| if is_small { pivot.abs() } else { pivot })?;
        let [mut tau, mut ud] = [tau, ud].map(DVector::from_column_slice);
        self.accelerations_into(q, u, tau.as_mut_slice(), ud.as_mut_slice());
        Ok((tau, ud))
    }
}

impl ForwardDynamics for Variant {
    /// Frames of first order or small angles are nowhere computed, so their energies are not known.
    fn has_energies(&self) -> bool {
        matches!(self.equations, Equations::Theodore24(_))
    }

    fn accelerations_into(&mut self, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]) {
        let arm = &self.arm;
        match &mut self.equations {
            Equations::FirstOrder(work) | Equations::SmallAngle(work) => {
                work.forward_dynamics_into(arm, [q, u], tau, ud);
            }
            Equations::Theodore24(work) => work.forward_dynamics_into(arm, [q, u], tau, ud),
        }
    }
}

/// Which rotation the sections of each body have: this one those of the links that are chosen.
fn rotations(arm: &Arm, chosen: impl Fn(&str) -> bool, rotation: Rotation) -> Vec<Rotation> {
    let mut rotations = vec![Rotation::Exact; arm.body_count()];
    for link in chosen_links(arm, chosen, |body| arm.bodies[body].bend.is_some()) {
        for segment in arm.segments(link) {
            rotations[segment] = rotation;
        }
    }
    rotations
}

/// The links that are chosen by name, among bodies of a kind.
fn chosen_links<'a>(
    arm: &'a Arm,
    chosen: impl Fn(&str) -> bool + 'a,
    of_kind: impl Fn(usize) -> bool + 'a,
) -> impl Iterator<Item = usize> + 'a {
    let names = arm.link_names().iter().enumerate();
    names.filter(move |&(body, name)| of_kind(body) && chosen(name)).map(|(body, _)| body)
}
