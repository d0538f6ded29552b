//! From a description to a checked arm.

use super::assemble::{assemble, canonical_joint};
use super::beam_checks::check_inertia;
use super::checks::{self, check_names};
use super::diagnostics::{Warning, beam_warnings, free_tip, mass_warning, unloaded_shapes};
use super::element::{self, ForceElement, RecordedElement};
use super::faults::{BuildError, Fault, FaultKind};
use super::link::{Link, Parent};
use super::pieces::{Piece, divide, look_up_loads, outboard, shear_like};
use super::tree::Arm;
use crate::beam::Beam;
use crate::name::check_title;
use std::collections::HashMap;
use std::sync::Arc;

/// Collects links and builds an [`Arm`] from them.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::spatial::Pose;
///
/// let rod = [[0.0, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
/// let arm = Builder::new("double pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("upper").joint(Joint::revolute([0.0, 0.0, 1.0])).body(1.0, [0.25, 0.0, 0.0], rod))
///     .link(
///         Link::new("fore")
///             .joint(Joint::revolute([0.0, 0.0, 1.0]))
///             .placed(Pose::at(0.5, 0.0, 0.0))
///             .body(1.0, [0.25, 0.0, 0.0], rod),
///     )
///     .build()?;
/// assert_eq!(arm.velocity_names(), ["upper", "fore"]);
/// # Ok::<(), pliant::arm::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    pub(super) name: String,
    pub(super) gravity: [f64; 3],
    pub(super) links: Vec<Link>,
    elements: Vec<RecordedElement>,
    lenient: bool,
    total_mass: Option<f64>,
    /// Whether frames have names that no description can give.
    has_own_frames: bool,
    /// The arm whose shapes beams have.
    shaped: Option<Arc<Arm>>,
}

/// What a [`Builder`] has collected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuilderParts<'a> {
    /// The arm's name.
    pub name: &'a str,
    /// The gravity acceleration (m/s²), world.
    pub gravity: [f64; 3],
    /// The links as they were added.
    pub links: &'a [Link],
    /// The force elements as they were added.
    pub elements: &'a [RecordedElement],
    /// Whether [`Builder::lenient`] was asked for.
    pub lenient: bool,
    /// The mass that all links together should have (kg), if it was said.
    pub total_mass: Option<f64>,
}

impl BuilderParts<'_> {
    /// The link that a link hangs on, both by their places in the description; none for the ground,
    /// and where there is no such link.
    pub fn parent_of(&self, link: usize) -> Option<usize> {
        match self.links[link].parts().parent {
            Parent::Previous => link.checked_sub(1),
            Parent::Ground => None,
            Parent::Link(name) => self.links.iter().position(|one| one.name == *name),
        }
    }
}

/// Gravity where a description says nothing (m/s²).
const STANDARD_GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

impl Builder {
    /// An arm without links, with gravity 9.81 m/s² along −z.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            gravity: STANDARD_GRAVITY,
            links: Vec::new(),
            elements: Vec::new(),
            lenient: false,
            total_mass: None,
            has_own_frames: false,
            shaped: None,
        }
    }

    /// Allows frames with names that break the rule, and so are nobody else's.
    #[must_use]
    pub(crate) fn own_frames(mut self) -> Self {
        self.has_own_frames = true;
        self
    }

    /// The gravity acceleration (m/s²), world.
    #[must_use]
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity;
        self
    }

    /// Adds a link.
    #[must_use]
    pub fn link(mut self, link: Link) -> Self {
        self.links.push(link);
        self
    }

    /// Adds a force element under a name. It is recorded here: later changes to it have no effect.
    #[must_use]
    pub fn element(mut self, name: impl Into<String>, element: &impl ForceElement) -> Self {
        self.elements.push(RecordedElement::new(name.into(), element));
        self
    }

    /// Keeps inertia tensors that no matter has as they are given, with a
    /// [`Warning::NegativeInertia`] instead of a fault: published robots have them, and the motion
    /// may well be fine, because other masses move along.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Gives beams the shapes that another arm found for its own, wherever they bend along the same
    /// line in the same ways; damping ratios are then of its modes. What beams are made of and carry
    /// may differ: their deflections are combinations of the same shapes. Of beams that cannot have
    /// them [`Arm::reshaped_link`] tells.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    /// use std::sync::Arc;
    ///
    /// let material = Material::named("steel").expect("known");
    /// let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    /// let describe = |payload: f64| {
    ///     let beam = Beam::new(1.0, matter.clone(), Basis::loaded(Ways::new(2, 0, 0, 0)));
    ///     let bar = Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
    ///     Builder::new("arm").link(bar.payload(payload, [1.0, 0.0, 0.0]))
    /// };
    /// let nominal = Arc::new(describe(1.0).build()?);
    /// let heavier = describe(4.0).in_shapes_of(&nominal).build()?;
    /// assert_eq!(heavier.reshaped_link(&nominal), None);
    /// # Ok::<(), pliant::arm::BuildError>(())
    /// ```
    #[must_use]
    pub fn in_shapes_of(mut self, other: &Arc<Arm>) -> Self {
        self.shaped = Some(Arc::clone(other));
        self
    }

    /// The mass that all links together should have (kg), as a check: another sum is a
    /// [`Warning::TotalMass`].
    #[must_use]
    pub fn total_mass(mut self, kilograms: f64) -> Self {
        self.total_mass = Some(kilograms);
        self
    }

    /// Changes every link, which comes with its place in the description.
    #[must_use]
    pub fn map_links(mut self, mut change: impl FnMut(usize, Link) -> Link) -> Self {
        let links = self.links.into_iter().enumerate();
        self.links = links.map(|(number, link)| change(number, link)).collect();
        self
    }

    /// Changes every beam, for instance to one with more shapes.
    #[must_use]
    pub fn map_beams(mut self, mut change: impl FnMut(Beam) -> Beam) -> Self {
        for link in &mut self.links {
            link.beam = link.beam.take().map(&mut change);
        }
        self
    }

    /// The flexible links with their beams, in the order of the description.
    pub fn beams(&self) -> impl Iterator<Item = (&str, &Beam)> {
        self.links.iter().filter_map(|link| Some((link.name.as_str(), link.beam.as_ref()?)))
    }

    /// Takes the springs between motors and links away: the joints are rigid, and the inertia of the
    /// rotors stays.
    #[must_use]
    pub fn rigid_joints(mut self) -> Self {
        for actuator in self.links.iter_mut().filter_map(|link| link.actuator.as_mut()) {
            (actuator.stiffness, actuator.damping) = (None, 0.0);
        }
        self
    }

    /// What has been collected so far.
    pub fn parts(&self) -> BuilderParts<'_> {
        BuilderParts {
            name: &self.name,
            gravity: self.gravity,
            links: &self.links,
            elements: &self.elements,
            lenient: self.lenient,
            total_mass: self.total_mass,
        }
    }

    /// Checks everything and builds the arm; all faults are reported together.
    pub fn build(self) -> Result<Arm, BuildError> {
        let shaped = self.shaped.clone();
        self.build_in_shapes_of(shaped.as_deref())
    }

    /// The same with the shapes of another arm, wherever beams bend like those of it; damping ratios
    /// are then of its modes.
    pub(crate) fn build_in_shapes_of(self, other: Option<&Arm>) -> Result<Arm, BuildError> {
        let mut faults = Vec::new();
        if let Err(error) = check_title(&self.name) {
            let (what, name) = ("arm", self.name.clone());
            faults.push(Fault { what, link: 0, name, kind: FaultKind::BadName { what, error } });
        }
        let mut fault = |link: usize, kind| {
            let name = self.links.get(link).map_or_else(String::new, |l| l.name.clone());
            faults.push(Fault { what: "link", link, name, kind });
        };
        if let Some(value) = checks::first_bad(&self.gravity) {
            fault(0, FaultKind::NotFinite { quantity: "gravity", value });
        }
        check_names(&self.links.iter().collect::<Vec<_>>(), &mut fault);
        for (i, link) in self.links.iter().enumerate() {
            if !self.has_own_frames {
                checks::check_rule(link, |kind| fault(i, kind));
            }
            checks::check_link(link, |kind| match kind {
                FaultKind::NegativeInertia { .. } if self.lenient => {}
                kind => fault(i, kind),
            });
        }
        let order = order_parents_first(&self.links, &mut fault);
        for &(i, parent) in &order {
            checks::check_sections(&self.links[i], parent.map(|p| &self.links[p]), |kind| {
                fault(i, kind);
            });
        }
        for (i, link) in self.links.iter().enumerate() {
            canonical_joint(&link.joint, |kind| fault(i, kind));
        }
        if !faults.is_empty() {
            faults.sort_by_key(|f| f.link);
            return Err(BuildError { faults });
        }
        let mut exact = self;
        exact.links.iter_mut().for_each(Link::straighten);
        let mut pieces = divide(&exact.links, &order);
        let carried = outboard(&pieces);
        look_up_loads(&mut pieces, &carried);
        if let Some(other) = other {
            shear_like(&mut pieces, other);
        }
        let fault_of = |piece: &Piece, kind| {
            let name = exact.links[piece.owner].name.clone();
            Fault { what: "link", link: piece.owner, name, kind }
        };
        // the outermost: those that carry it follow from it
        let too_large = pieces.iter().zip(&carried).rev();
        let mut too_large = too_large.filter_map(|(piece, own)| Some((piece, own.overflows?)));
        if let Some((piece, quantity)) = too_large.next() {
            faults.push(fault_of(piece, FaultKind::OutboardOverflow { quantity }));
        }
        if pieces.len() > exact.links.len() {
            let links: Vec<&Link> = pieces.iter().map(|piece| &piece.link).collect();
            check_names(&links, &mut |i, kind| faults.push(fault_of(&pieces[i], kind)));
        }
        if !faults.is_empty() {
            return Err(BuildError { faults });
        }
        // of whole links: a segment is not slender, the link may be
        let beam_warnings = |link: &Link| match &link.beam {
            Some(beam) => beam_warnings(&link.name, beam),
            None => Vec::new(),
        };
        let mut warnings: Vec<Warning> = exact.links.iter().flat_map(beam_warnings).collect();
        warnings.extend(pieces.iter().zip(&carried).filter_map(|(p, own)| {
            free_tip(&p.link, own).or_else(|| unloaded_shapes(&p.link, own))
        }));
        warnings.extend(exact.total_mass.and_then(|expected| mass_warning(expected, &pieces)));
        let mut arm = assemble(&exact, &pieces, &carried, warnings, other);
        for (piece, carried) in pieces.iter().zip(&carried) {
            let at = arm.topology.links.iter().position(|name| *name == piece.link.name);
            let bend = at.and_then(|at| arm.bodies[at].bend);
            if let (Some(beam), Some(bend)) = (&piece.link.beam, bend) {
                let names: Vec<String> = piece.link.bending_names();
                let kind = check_inertia(beam, &arm.flexible_bodies[bend], carried, &names);
                faults.extend(kind.map(|kind| fault_of(piece, kind)));
            }
        }
        match element::bind(&exact.elements, &arm) {
            Ok(elements) => arm.elements = elements.into(),
            Err(more) => faults.extend(more),
        }
        if faults.is_empty() { Ok(arm) } else { Err(BuildError { faults }) }
    }
}

/// The order in which bodies are numbered, with the position of each parent in the description:
/// as described, but a link waits for its parent.
fn order_parents_first(
    links: &[Link],
    fault: &mut impl FnMut(usize, FaultKind),
) -> Vec<(usize, Option<usize>)> {
    let by_name: HashMap<&str, usize> =
        links.iter().enumerate().rev().map(|(i, l)| (l.name.as_str(), i)).collect();
    let parents: Vec<Option<usize>> = links
        .iter()
        .enumerate()
        .map(|(i, link)| match &link.parent {
            Parent::Previous => i.checked_sub(1),
            Parent::Ground => None,
            Parent::Link(name) => {
                let parent = by_name.get(name.as_str()).copied();
                if parent.is_none() {
                    fault(i, FaultKind::UnknownParent { parent: name.clone() });
                }
                parent
            }
        })
        .collect();
    let mut order = Vec::with_capacity(links.len());
    let mut placed = vec![false; links.len()];
    for start in 0..links.len() {
        // climb to the first placed ancestor, then come back down
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at.filter(|&i| !placed[i]) {
            if let Some(first) = path.iter().position(|&j| j == i) {
                let names: Vec<&str> =
                    path[first..].iter().chain([&i]).map(|&j| links[j].name.as_str()).collect();
                fault(i, FaultKind::Cycle { path: names.join(" on ") });
                break;
            }
            path.push(i);
            at = parents[i];
        }
        for &i in path.iter().rev() {
            placed[i] = true;
            order.push((i, parents[i]));
        }
    }
    order
}
