//! A link as a person describes it.

use super::actuator::Actuator;
use super::coordinate::CoordinateRole;
use super::joint::Joint;
use crate::beam::{Beam, Dimension};
use crate::spatial::{Pose, RigidInertia, Sym3, Vec3, nearest_rotation};

/// What a link hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parent {
    /// The link added before this one, or the ground for the first.
    Previous,
    /// The ground.
    Ground,
    /// A link by name.
    Link(String),
}

/// Where on a link something is attached: a joint, a frame or a mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Attachment {
    /// Not said: the tip of a link that has a beam, the link frame of one that has none.
    #[default]
    Unspecified,
    /// The link frame, in which a beam has its root.
    Root,
    /// The tip of the beam: its outer end with its rigid part.
    Tip,
    /// The section of the beam at this distance from its root, rigid parts counted (m).
    Section(f64),
}

impl Attachment {
    /// How far from the root of the link's beam it is (m); none in the link frame.
    pub fn distance(self, beam: Option<&Beam>) -> Option<f64> {
        match self {
            Self::Unspecified | Self::Tip => beam.map(Beam::whole_length),
            Self::Root => None,
            Self::Section(distance) => Some(distance),
        }
    }
}

/// The range one coordinate may use (rad, m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest value.
    pub lower: f64,
    /// Largest value.
    pub upper: f64,
}

/// One link: a joint, where it sits on its parent, and the matter it moves.
///
/// Everything that belongs to the link (masses, frames, children) is given in the *link frame*.
/// That is the joint's outboard frame, unless [`Link::outboard`] says otherwise.
///
/// A link with a [beam](Link::beam) has its root in the link frame, and what it carries is on its
/// tip unless told otherwise, in the frame there:
///
/// | | on the tip | at the root | at another section |
/// |---|---|---|---|
/// | mass | [`Link::payload`], [`Link::tip_body`] | [`Link::body`] | of a child |
/// | child | as it is | [`Link::at_root`] | [`Link::at_section`] |
/// | frame | [`Link::frame`] | [`Link::root_frame`] | [`Link::section_frame`] |
///
/// The frame of the tip has its origin at the outer end of the beam with its rigid part, and the axes
/// of the section there.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub(crate) name: String,
    pub(crate) joint_name: Option<String>,
    pub(crate) parent: Parent,
    pub(crate) placement: Pose<f64>,
    pub(crate) joint: Joint,
    pub(crate) outboard: Pose<f64>,
    /// Of a piece: all that moves with its link frame. See [`Link::root_inertia`].
    pub(crate) inertia: RigidInertia<f64>,
    pub(crate) masses: Vec<(Attachment, Mass)>,
    /// How far the tensor given for each mass was from symmetric (kg m²).
    pub(crate) skews: Vec<f64>,
    pub(crate) limits: Vec<Option<Limits>>,
    pub(crate) stiffness: Vec<f64>,
    pub(crate) rest: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    pub(crate) armature: Vec<f64>,
    pub(crate) actuator: Option<Actuator>,
    pub(crate) prescribed: bool,
    /// Whether its joint is a hinge between rigid pieces of a beam.
    pub(crate) hinge: bool,
    pub(crate) frames: Vec<(String, Attachment, Pose<f64>)>,
    pub(crate) beam: Option<Beam>,
    /// How its coordinates of bending begin, where it is not with its name.
    pub(crate) bending_name: Option<String>,
    /// Where on its parent it is attached.
    pub(crate) attachment: Attachment,
    /// Which of its frames stands at its outer end.
    pub(crate) tip_frame: Option<String>,
}

/// One contribution to a link's inertia, in the frame of its [`Attachment`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// Its mass (kg).
    pub kilograms: f64,
    /// The centre of mass (m).
    pub centre: Vec3<f64>,
    /// The inertia tensor about the centre (kg m²).
    pub tensor: Sym3<f64>,
}

impl Mass {
    /// The mass, and how far the tensor given by rows is from symmetric (kg m²).
    fn new(kilograms: f64, centre: [f64; 3], tensor: [[f64; 3]; 3]) -> (Self, f64) {
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = tensor;
        let skew = (xy - yx).abs().max((xz - zx).abs()).max((yz - zy).abs());
        let tensor = Sym3 { xx, yy, zz, xy, xz, yz };
        (Self { kilograms, centre: centre.into(), tensor }, skew)
    }

    pub(crate) fn inertia(&self) -> RigidInertia<f64> {
        RigidInertia::new(self.kilograms, self.centre, self.tensor)
    }
}

/// What was said about a [`Link`]. Lists that were not given are empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkParts<'a> {
    /// Its name.
    pub name: &'a str,
    /// The name of the joint's coordinates, if it is not the link's.
    pub joint_name: Option<&'a str>,
    /// What it hangs on.
    pub parent: &'a Parent,
    /// Where on its parent it is attached.
    pub attachment: Attachment,
    /// The joint's inboard frame in the frame of the attachment.
    pub placement: Pose<f64>,
    /// The joint.
    pub joint: Joint,
    /// The link frame in the joint's outboard frame.
    pub outboard: Pose<f64>,
    /// Its matter and what it carries, one by one, each in the frame of its attachment.
    pub masses: &'a [(Attachment, Mass)],
    /// The range of each configuration coordinate.
    pub limits: &'a [Option<Limits>],
    /// One per degree of freedom (N m/rad, N/m).
    pub stiffness: &'a [f64],
    /// The configuration at which the springs rest.
    pub rest: &'a [f64],
    /// One per degree of freedom (N m s/rad, N s/m).
    pub damping: &'a [f64],
    /// One per degree of freedom (kg m², kg).
    pub armature: &'a [f64],
    /// What drives it.
    pub actuator: Option<&'a Actuator>,
    /// Whether its motion is given from outside.
    pub prescribed: bool,
    /// Further frames: name, attachment, pose there.
    pub frames: &'a [(String, Attachment, Pose<f64>)],
    /// The beam that bends.
    pub beam: Option<&'a Beam>,
    /// Which of its frames stands at its outer end, where it was said.
    pub tip_frame: Option<&'a str>,
}

impl<'a> LinkParts<'a> {
    /// The masses in the link frame.
    pub fn root_masses(&self) -> impl Iterator<Item = &'a Mass> + use<'a> {
        masses_at(self.masses, self.beam, false)
    }

    /// The masses on the tip of the beam, in the frame there.
    pub fn tip_masses(&self) -> impl Iterator<Item = &'a Mass> + use<'a> {
        masses_at(self.masses, self.beam, true)
    }
}

/// The masses on the tip of the beam, or those in the link frame.
fn masses_at<'a>(
    masses: &'a [(Attachment, Mass)],
    beam: Option<&'a Beam>,
    tip: bool,
) -> impl Iterator<Item = &'a Mass> + use<'a> {
    let there = move |(at, _): &&(Attachment, Mass)| at.distance(beam).is_some() == tip;
    masses.iter().filter(there).map(|(_, mass)| mass)
}

impl Link {
    /// A massless link fixed to the link added before it.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            joint_name: None,
            parent: Parent::Previous,
            placement: Pose::IDENTITY,
            joint: Joint::Fixed,
            outboard: Pose::IDENTITY,
            inertia: RigidInertia::ZERO,
            masses: Vec::new(),
            skews: Vec::new(),
            limits: Vec::new(),
            stiffness: Vec::new(),
            rest: Vec::new(),
            damping: Vec::new(),
            armature: Vec::new(),
            actuator: None,
            prescribed: false,
            hinge: false,
            frames: Vec::new(),
            beam: None,
            bending_name: None,
            attachment: Attachment::Unspecified,
            tip_frame: None,
        }
    }

    /// Hangs it on another link by name.
    #[must_use]
    pub fn on(mut self, parent: impl Into<String>) -> Self {
        self.parent = Parent::Link(parent.into());
        self
    }

    /// Hangs it on the ground.
    #[must_use]
    pub fn on_ground(mut self) -> Self {
        self.parent = Parent::Ground;
        self
    }

    /// The joint that moves it.
    #[must_use]
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joint = joint;
        self
    }

    /// A name for the joint's coordinates; the link's own name otherwise.
    #[must_use]
    pub fn joint_name(mut self, name: impl Into<String>) -> Self {
        self.joint_name = Some(name.into());
        self
    }

    /// Where the joint's inboard frame sits on the parent: in the frame of its tip where it has a
    /// beam, unless [`Link::at_root`] or [`Link::at_section`] says otherwise; in its link frame where
    /// it has none.
    #[must_use]
    pub fn placed(mut self, inboard_in_parent: Pose<f64>) -> Self {
        self.placement = inboard_in_parent;
        self
    }

    /// Where the link frame sits in the joint's outboard frame, when it is not the same.
    #[must_use]
    pub fn outboard(mut self, link_in_outboard: Pose<f64>) -> Self {
        self.outboard = link_in_outboard;
        self
    }

    /// Adds a rigid body, the link's own: mass (kg), centre of mass (m) and inertia tensor about the
    /// centre, by rows (kg m²), link frame. On a link with a beam it is at the root, like a hub.
    #[must_use]
    pub fn body(self, mass: f64, centre: [f64; 3], tensor: [[f64; 3]; 3]) -> Self {
        self.mass_at(Attachment::Root, mass, centre, tensor)
    }

    /// Adds a rigid body to the tip of the beam, like [`Link::body`], in the frame of the tip: its
    /// origin at the end of the beam with its rigid part, its axes those of the section there.
    #[must_use]
    pub fn tip_body(self, mass: f64, centre: [f64; 3], tensor: [[f64; 3]; 3]) -> Self {
        self.mass_at(Attachment::Tip, mass, centre, tensor)
    }

    /// Adds a point mass (kg) at a place (m): of the frame of the tip where the link has a beam, of
    /// the link frame where it has none.
    #[must_use]
    pub fn payload(self, mass: f64, place: [f64; 3]) -> Self {
        self.mass_at(Attachment::Unspecified, mass, place, [[0.0; 3]; 3])
    }

    fn mass_at(
        mut self,
        at: Attachment,
        mass: f64,
        centre: [f64; 3],
        tensor: [[f64; 3]; 3],
    ) -> Self {
        let (mass, skew) = Mass::new(mass, centre, tensor);
        self.masses.push((at, mass));
        self.skews.push(skew);
        self
    }

    /// Springs, one per degree of freedom: stiffness (N m/rad, N/m) and the configuration of rest
    /// (`nq` numbers; empty for neutral).
    #[must_use]
    pub fn spring(mut self, stiffness: &[f64], rest: &[f64]) -> Self {
        self.stiffness = stiffness.to_vec();
        self.rest = rest.to_vec();
        self
    }

    /// Viscous damping, one per degree of freedom (N m s/rad, N s/m).
    #[must_use]
    pub fn damping(mut self, damping: &[f64]) -> Self {
        self.damping = damping.to_vec();
        self
    }

    /// Inertia that the drive adds to each degree of freedom (kg m², kg).
    #[must_use]
    pub fn armature(mut self, armature: &[f64]) -> Self {
        self.armature = armature.to_vec();
        self
    }

    /// What drives a joint of one coordinate. The inertia of its rotor is added to the
    /// [armature](Link::armature); where it has a spring, both are on the motor's side of it, and a
    /// [prescribed](Link::prescribed) motion is the motor's.
    #[must_use]
    pub fn actuator(mut self, actuator: Actuator) -> Self {
        self.actuator = Some(actuator);
        self
    }

    /// The range of each configuration coordinate; quaternions have none.
    #[must_use]
    pub fn limits(mut self, limits: &[Option<Limits>]) -> Self {
        self.limits = limits.to_vec();
        self
    }

    /// The joint's motion is given from outside; its generalised force is an answer.
    #[must_use]
    pub fn prescribed(mut self) -> Self {
        self.prescribed = true;
        self
    }

    /// A beam that bends, clamped in the link frame; its tip carries what hangs on the link.
    #[must_use]
    pub fn beam(mut self, beam: Beam) -> Self {
        self.beam = Some(beam);
        self
    }

    /// Attaches the joint's inboard frame to the section of the parent's beam at this distance
    /// from its root, rigid parts counted (m); [`Link::placed`] is then relative to that section's
    /// frame.
    #[must_use]
    pub fn at_section(mut self, distance: f64) -> Self {
        self.attachment = Attachment::Section(distance);
        self
    }

    /// Attaches the joint's inboard frame to the root of its parent: [`Link::placed`] is then
    /// relative to the parent's link frame, also where the parent has a beam.
    #[must_use]
    pub fn at_root(mut self) -> Self {
        self.attachment = Attachment::Root;
        self
    }

    /// Adds a frame fixed to the section of the own beam at this distance from its root, rigid parts
    /// counted (m).
    #[must_use]
    pub fn section_frame(
        mut self,
        name: impl Into<String>,
        distance: f64,
        pose: Pose<f64>,
    ) -> Self {
        self.frames.push((name.into(), Attachment::Section(distance), pose));
        self
    }

    /// Adds a frame to watch or to load, by its pose in the frame of the tip where the link has a
    /// beam, in the link frame where it has none.
    #[must_use]
    pub fn frame(mut self, name: impl Into<String>, pose: Pose<f64>) -> Self {
        self.frames.push((name.into(), Attachment::Unspecified, pose));
        self
    }

    /// Adds a frame by its pose in the link frame, also where the link has a beam.
    #[must_use]
    pub fn root_frame(mut self, name: impl Into<String>, pose: Pose<f64>) -> Self {
        self.frames.push((name.into(), Attachment::Root, pose));
        self
    }

    /// Says which of its frames stands at its outer end, by name; a name of no frame of its own says
    /// nothing. A beam that carries something has such a frame already.
    #[must_use]
    pub fn tip_frame(mut self, name: impl Into<String>) -> Self {
        self.tip_frame = Some(name.into());
        self
    }

    /// What has been said so far.
    pub fn parts(&self) -> LinkParts<'_> {
        LinkParts {
            name: &self.name,
            joint_name: self.joint_name.as_deref(),
            parent: &self.parent,
            attachment: self.attachment,
            placement: self.placement,
            joint: self.joint,
            outboard: self.outboard,
            masses: &self.masses,
            limits: &self.limits,
            stiffness: &self.stiffness,
            rest: &self.rest,
            damping: &self.damping,
            armature: &self.armature,
            actuator: self.actuator.as_ref(),
            prescribed: self.prescribed,
            frames: &self.frames,
            beam: self.beam.as_ref(),
            tip_frame: self.tip_frame.as_deref(),
        }
    }

    /// The masses in the link frame, added up.
    pub(crate) fn root_inertia(&self) -> RigidInertia<f64> {
        let own = self.parts().root_masses();
        own.fold(RigidInertia::ZERO, |sum, mass| sum.plus(&mass.inertia()))
    }

    /// Takes the masses on the tip of a beam off.
    pub(crate) fn take_tip_masses(&mut self, beam: &Beam) -> Vec<Mass> {
        let is_root = |(at, _): &(Attachment, Mass)| at.distance(Some(beam)).is_none();
        let (root, tip) = std::mem::take(&mut self.masses).into_iter().partition(is_root);
        self.masses = root;
        let tip: Vec<(Attachment, Mass)> = tip;
        tip.into_iter().map(|(_, mass)| mass).collect()
    }

    /// The names of the joint's configuration coordinates.
    pub(crate) fn configuration_names(&self) -> impl Iterator<Item = String> + '_ {
        self.joint.configuration_suffixes().iter().map(|suffix| self.coordinate(suffix))
    }

    /// The names of the joint's velocity coordinates.
    pub(crate) fn velocity_names(&self) -> impl Iterator<Item = String> + '_ {
        self.joint.velocity_suffixes().iter().map(|suffix| self.coordinate(suffix))
    }

    /// The names of the coordinates of bending, the length of a beam that slides first, and what
    /// they are.
    pub(crate) fn bending_coordinates(&self) -> Vec<(String, CoordinateRole, Dimension)> {
        let Some(beam) = &self.beam else { return Vec::new() };
        let link = self.bending_name.as_deref().unwrap_or(&self.name);
        let length =
            beam.slide.map(|_| (format!("{link}.l"), CoordinateRole::Length, Dimension::Length));
        let bending = beam.coordinates().into_iter().map(|own| {
            let name = format!("{link}.{}", own.suffix);
            (name, CoordinateRole::Deformation(own.deformation), own.dimension)
        });
        length.into_iter().chain(bending).collect()
    }

    /// The names of the coordinates of bending.
    pub(crate) fn bending_names(&self) -> Vec<String> {
        self.bending_coordinates().into_iter().map(|(name, ..)| name).collect()
    }

    /// The name of the joint: its own, or the link's.
    pub(crate) fn own_joint_name(&self) -> &str {
        self.joint_name.as_deref().unwrap_or(&self.name)
    }

    fn coordinate(&self, suffix: &str) -> String {
        let joint = self.own_joint_name();
        if suffix.is_empty() { joint.to_owned() } else { format!("{joint}.{suffix}") }
    }

    /// Makes rotations exact that were typed with a few digits.
    pub(crate) fn straighten(&mut self) {
        let own = [&mut self.placement, &mut self.outboard].into_iter();
        let frames = self.frames.iter_mut().map(|(_, _, pose)| pose);
        let beam = self.beam.iter_mut().map(|beam| &mut beam.root);
        for pose in own.chain(frames).chain(beam) {
            pose.rotation = nearest_rotation(&pose.rotation);
        }
    }
}
