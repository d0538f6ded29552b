//! Joints, actuators and links.

use super::beam::Beam;
use super::{PoseArgument, unknown_word};
use crate::denavit_hartenberg::convention;
use crate::error::{Kind, raise};
use pliant::arm::{self, DhRow, DhVariable, Limits};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// A joint. Axes are in the frame of the joint on its parent, of any length.
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Joint(arm::Joint);

#[pymethods]
impl Joint {
    /// No freedom.
    #[staticmethod]
    fn fixed() -> Self {
        Self(arm::Joint::Fixed)
    }

    /// Turns about an axis (rad).
    #[staticmethod]
    fn revolute(axis: [f64; 3]) -> Self {
        Self(arm::Joint::Revolute { axis })
    }

    /// Slides along an axis (m).
    #[staticmethod]
    fn prismatic(axis: [f64; 3]) -> Self {
        Self(arm::Joint::Prismatic { axis })
    }

    /// Slides along and turns about an axis (m, rad).
    #[staticmethod]
    fn cylindrical(axis: [f64; 3]) -> Self {
        Self(arm::Joint::Cylindrical { axis })
    }

    /// Turns about the first axis, then about the second as carried along (rad, rad).
    #[staticmethod]
    fn universal(first: [f64; 3], second: [f64; 3]) -> Self {
        Self(arm::Joint::Universal { first, second })
    }

    /// Slides in its x-y plane, then turns about z (m, m, rad).
    #[staticmethod]
    fn planar() -> Self {
        Self(arm::Joint::Planar)
    }

    /// Turns freely: a unit quaternion ``(w, x, y, z)``, velocity in the outboard frame (rad/s).
    #[staticmethod]
    fn spherical() -> Self {
        Self(arm::Joint::Spherical)
    }

    /// Moves freely: position and quaternion, velocity of the outboard frame in its own axes.
    #[staticmethod]
    fn free() -> Self {
        Self(arm::Joint::Free)
    }

    /// The word for its kind.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.word()
    }

    fn __repr__(&self) -> String {
        let axes: Vec<String> = self.0.axes().iter().map(|axis| format!("{axis:?}")).collect();
        format!("Joint.{}({})", self.0.word(), axes.join(", "))
    }
}

/// A motor with its gear on a joint of one degree of freedom.
///
/// force (N m, N) and speed (rad/s, m/s): the largest, by default without limit; rotor_inertia:
/// kg m²; gear: how far the rotor turns for a turn of the joint; stiffness (N m/rad, N/m) and damping
/// (N m s/rad, N s/m) of the spring between motor and link, without one the joint is rigid; viscous
/// and coulomb: friction (N m s/rad, N m), the latter turning round over coulomb_speed (rad/s).
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Actuator(arm::Actuator);

#[pymethods]
impl Actuator {
    #[new]
    #[pyo3(signature = (
        *, force=f64::INFINITY, speed=f64::INFINITY, rotor_inertia=0.0, gear=1.0, stiffness=None,
        damping=0.0, viscous=0.0, coulomb=0.0, coulomb_speed=0.0
    ), text_signature = "(*, force=inf, speed=inf, rotor_inertia=0.0, gear=1.0, stiffness=None, damping=0.0, viscous=0.0, coulomb=0.0, coulomb_speed=0.0)")]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn new(
        force: f64,
        speed: f64,
        rotor_inertia: f64,
        gear: f64,
        stiffness: Option<f64>,
        damping: f64,
        viscous: f64,
        coulomb: f64,
        coulomb_speed: f64,
    ) -> Self {
        Self(arm::Actuator {
            force,
            speed,
            rotor_inertia,
            gear,
            stiffness,
            damping,
            viscous,
            coulomb,
            coulomb_speed,
        })
    }

    fn __repr__(&self) -> String {
        let arm::Actuator { force, speed, rotor_inertia, gear, stiffness, .. } = self.0;
        let arm::Actuator { damping, viscous, coulomb, coulomb_speed, .. } = self.0;
        let usual = arm::Actuator::default();
        let numbers = [
            ("force", force, usual.force),
            ("speed", speed, usual.speed),
            ("rotor_inertia", rotor_inertia, usual.rotor_inertia),
            ("gear", gear, usual.gear),
            ("stiffness", stiffness.unwrap_or(0.0), 0.0),
            ("damping", damping, usual.damping),
            ("viscous", viscous, usual.viscous),
            ("coulomb", coulomb, usual.coulomb),
            ("coulomb_speed", coulomb_speed, usual.coulomb_speed),
        ];
        let told = numbers.iter().filter(|(_, value, usual)| value != usual);
        let told: Vec<String> = told.map(|(name, value, _)| format!("{name}={value:?}")).collect();
        format!("Actuator({})", told.join(", "))
    }
}

/// Mass (kg), centre of mass (m) and inertia tensor about the centre (kg m²).
type Body = (f64, [f64; 3], [[f64; 3]; 3]);

/// One number, or one per degree of freedom.
#[derive(FromPyObject)]
enum PerFreedom {
    One(f64),
    Each(Vec<f64>),
}

impl PerFreedom {
    fn list(self) -> Vec<f64> {
        match self {
            Self::One(number) => vec![number],
            Self::Each(numbers) => numbers,
        }
    }
}

/// What a link hangs on, besides the link's name.
#[derive(FromPyObject)]
enum Place {
    Section(f64),
    Word(String),
}

/// One link: a joint, where it sits on its parent, and the matter it moves, in the link frame, which
/// moves with it.
///
/// joint: by default fixed; joint_name: how its coordinates are called; parent: the name of a link
/// or ``"ground"``, by default the link before it; placement: pose of the joint on its parent, a
/// position ``(3,)`` or a homogeneous matrix ``(4, 4)``, in the frame of the tip of a parent that has
/// a beam, unless ``at`` says ``"root"`` or a distance along that beam (m); outboard: pose of the link
/// frame in the frame that the joint moves. body: its matter, ``(mass, centre, tensor)`` (kg, m,
/// kg m²), at the root of a link with a beam, and tip_body at its tip; payload: a point mass
/// ``(mass, place)``, on the tip of a beam. beam: a ``Beam``. stiffness (N m/rad, N/m) with the
/// configuration of ``rest``, damping (N m s/rad, N s/m) and armature (kg m², kg) of the joint, a
/// number or one per degree of freedom; limits: ``(lower, upper)`` (rad, m) or ``None`` for each
/// coordinate; actuator: an ``Actuator``; prescribed: whether its motion is given. frames: poses by
/// name, on the tip of a beam; root_frames: in the link frame; section_frames: by name ``(distance,
/// pose)`` along the beam; tip_frame: which of them is its outer end. dh: ``(theta, d, a, alpha)``
/// (rad, m, m, rad), a Denavit-Hartenberg row in place of joint, placement and outboard, whose joint
/// moves ``dh_moves``, ``"theta"`` or ``"d"``, in the order of ``dh_convention``, ``"standard"`` or
/// ``"modified"``.
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Link(pub(super) arm::Link);

#[pymethods]
impl Link {
    #[new]
    #[pyo3(signature = (
        name, *, joint=None, joint_name=None, parent=None, placement=None, at=None, outboard=None,
        body=None, tip_body=None, payload=None, beam=None, stiffness=None, rest=None, damping=None,
        armature=None, limits=None, actuator=None, prescribed=false, frames=None, root_frames=None,
        section_frames=None, tip_frame=None, dh=None, dh_moves="theta", dh_convention="standard"
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn new(
        py: Python<'_>,
        name: String,
        joint: Option<Bound<'_, Joint>>,
        joint_name: Option<String>,
        parent: Option<String>,
        placement: Option<PoseArgument>,
        at: Option<Place>,
        outboard: Option<PoseArgument>,
        body: Option<Body>,
        tip_body: Option<Body>,
        payload: Option<(f64, [f64; 3])>,
        beam: Option<Bound<'_, Beam>>,
        stiffness: Option<PerFreedom>,
        rest: Option<PerFreedom>,
        damping: Option<PerFreedom>,
        armature: Option<PerFreedom>,
        limits: Option<Vec<Option<[f64; 2]>>>,
        actuator: Option<Bound<'_, Actuator>>,
        prescribed: bool,
        frames: Option<BTreeMap<String, PoseArgument>>,
        root_frames: Option<BTreeMap<String, PoseArgument>>,
        section_frames: Option<BTreeMap<String, (f64, PoseArgument)>>,
        tip_frame: Option<String>,
        dh: Option<[f64; 4]>,
        dh_moves: &str,
        dh_convention: &str,
    ) -> PyResult<Self> {
        let mut link = arm::Link::new(name);
        if let Some([theta, d, a, alpha]) = dh {
            if joint.is_some() || placement.is_some() || outboard.is_some() {
                let message = "dh stands beside joint, placement or outboard, which it replaces";
                return Err(raise(py, Kind::Argument, message, Some("give one or the others")));
            }
            let variable = match dh_moves {
                "theta" => DhVariable::Theta,
                "d" => DhVariable::D,
                word => return Err(unknown_word(py, "dh_moves", word, &["theta", "d"])),
            };
            link = link.dh(convention(py, dh_convention)?, DhRow { theta, d, a, alpha }, variable);
        }
        if let Some(joint) = joint {
            link = link.joint(joint.get().0);
        }
        if let Some(name) = joint_name {
            link = link.joint_name(name);
        }
        link = match parent.as_deref() {
            None => link,
            Some("ground") => link.on_ground(),
            Some(parent) => link.on(parent),
        };
        if let Some(pose) = placement {
            link = link.placed(pose.0);
        }
        link = match at {
            None => link,
            Some(Place::Section(distance)) => link.at_section(distance),
            Some(Place::Word(word)) if word == "root" => link.at_root(),
            Some(Place::Word(word)) if word == "tip" => link,
            Some(Place::Word(word)) => {
                return Err(unknown_word(py, "at", &word, &["root", "tip", "a distance (m)"]));
            }
        };
        if let Some(pose) = outboard {
            link = link.outboard(pose.0);
        }
        if let Some(beam) = beam {
            link = link.beam(beam.get().0.clone());
        }
        if let Some((mass, centre, tensor)) = body {
            link = link.body(mass, centre, tensor);
        }
        if let Some((mass, centre, tensor)) = tip_body {
            link = link.tip_body(mass, centre, tensor);
        }
        if let Some((mass, place)) = payload {
            link = link.payload(mass, place);
        }
        let list = |given: Option<PerFreedom>| given.map_or_else(Vec::new, PerFreedom::list);
        if let Some(stiffness) = stiffness {
            link = link.spring(&stiffness.list(), &list(rest));
        }
        if let Some(damping) = damping {
            link = link.damping(&damping.list());
        }
        if let Some(armature) = armature {
            link = link.armature(&armature.list());
        }
        if let Some(limits) = limits {
            let pair = |pair: &Option<[f64; 2]>| pair.map(|[lower, upper]| Limits { lower, upper });
            link = link.limits(&limits.iter().map(pair).collect::<Vec<_>>());
        }
        if let Some(actuator) = actuator {
            link = link.actuator(actuator.get().0);
        }
        if prescribed {
            link = link.prescribed();
        }
        for (name, pose) in frames.into_iter().flatten() {
            link = link.frame(name, pose.0);
        }
        for (name, pose) in root_frames.into_iter().flatten() {
            link = link.root_frame(name, pose.0);
        }
        for (name, (distance, pose)) in section_frames.into_iter().flatten() {
            link = link.section_frame(name, distance, pose.0);
        }
        if let Some(name) = tip_frame {
            link = link.tip_frame(name);
        }
        Ok(Self(link))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.0.parts().name
    }

    fn __repr__(&self) -> String {
        format!("Link(\"{}\", joint={})", self.0.parts().name, self.0.parts().joint.word())
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Joint>()?;
    module.add_class::<Actuator>()?;
    module.add_class::<Link>()
}
