//! Force elements: laws of force that a user adds to an arm.

use super::faults::{Fault, FaultKind};
use super::tree::Arm;
use crate::name::check_name;
use crate::scalar::{Program, Scalar};
use crate::spatial::{Force, Mat3, Motion, Pose, Vec3, euler_xyz};
use std::sync::Arc;

/// A law of force between frames of an arm, the world and coordinates: a contact spring, a cable,
/// drag, a spring between two joints.
///
/// It names what it acts on, and has a stored energy, or a force, or both:
///
/// - [`energy`](ForceElement::energy) `V`, of places alone. Its force is `−∂V`, which pliant
///   differentiates exactly, so that force and energy always belong together. It counts as elastic:
///   in [`Energies::elastic`](crate::dynamics::energy::Energies::elastic) and in the elastic forces.
/// - [`force`](ForceElement::force), of places and velocities: whatever has no energy, such as
///   dampers, drag, and forces that follow the arm. It counts as damping, and what it takes or gives
///   is in [`Power::dampers`](crate::dynamics::energy::Power::dampers).
///
/// Both are written once, for every [`Scalar`]. A scalar has no order, so they have no branches:
/// `½(x + √(x² + s²))` stands for the larger of `x` and 0, `√(x² + s²)` for `|x|`, rounded over `s`.
/// [`Builder::element`](super::Builder::element) runs them once, on numbers that note every
/// operation, and the arm keeps these operations. Therefore every algorithm, derivative, integrator
/// and analysis has them, and the element is not asked again: what it reads from elsewhere is read
/// when it is added. Of [`Scalar::stumpff`] an energy may ask for 8.
///
/// ```
/// use pliant::arm::{Builder, ElementPosition, ForceElement, Joint, Link};
/// use pliant::scalar::Scalar;
///
/// /// A spring of stiffness `k` (N m/rad) between two joints that turn.
/// struct Spring {
///     k: f64,
/// }
///
/// impl ForceElement for Spring {
///     fn coordinates(&self) -> Vec<String> {
///         vec!["upper".into(), "fore".into()]
///     }
///
///     fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
///         let stretch = at.coordinates[1] - at.coordinates[0];
///         S::from_f64(0.5 * self.k) * stretch * stretch
///     }
/// }
///
/// let turning = |name| Link::new(name).joint(Joint::revolute([0.0, 1.0, 0.0]));
/// let arm = Builder::new("two")
///     .link(turning("upper").payload(1.0, [1.0, 0.0, 0.0]))
///     .link(turning("fore").payload(1.0, [1.0, 0.0, 0.0]))
///     .element("spring", &Spring { k: 20.0 })
///     .build()?;
/// assert_eq!(arm.elastic_forces(&[0.1, 0.4])?.as_slice(), [-6.000000000000001, 6.000000000000001]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ForceElement {
    /// The frames that it acts on, by name: those of links, and those that links were given.
    fn frames(&self) -> Vec<String> {
        Vec::new()
    }

    /// The coordinates that it acts on, by name: of joints of one axis each, of lengths and of
    /// bending. Spherical and free joints have none: act on the frame of their link.
    fn coordinates(&self) -> Vec<String> {
        Vec::new()
    }

    /// The stored energy (J).
    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let _ = at;
        S::ZERO
    }

    /// The forces on the arm beyond those of the energy (N, N m); they are zero before the call.
    fn force<S: Scalar>(
        &self,
        at: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let _ = (at, velocity, force);
    }
}

/// Where a force element is, in the order of the names that it gives.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ElementPosition<S> {
    /// The poses of its frames in the world (m).
    pub frames: Vec<Pose<S>>,
    /// Its coordinates (rad, m).
    pub coordinates: Vec<S>,
}

/// How a force element moves, in the order of the names that it gives.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ElementVelocity<S> {
    /// The velocities of its frames and of their origins, world axes (m/s, rad/s).
    pub frames: Vec<Motion<S>>,
    /// The rates of its coordinates (rad/s, m/s).
    pub coordinates: Vec<S>,
}

/// What a force element exerts on the arm, in the order of the names that it gives.
#[derive(Debug)]
#[non_exhaustive]
pub struct ElementForce<'a, S> {
    /// The wrenches on its frames, about their origins, world axes (N, N m).
    pub frames: &'a mut [Force<S>],
    /// The generalised forces on its coordinates (N m, N).
    pub coordinates: &'a mut [S],
}

/// A force element as a description keeps it: its name, what it acts on, and its recorded formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedElement {
    name: String,
    frames: Vec<String>,
    coordinates: Vec<String>,
    laws: Arc<Laws>,
}

/// The formulas of an element. Their inputs are the rotation (by columns) and the position of each
/// frame, the coordinates, the velocity of each frame, and the rates of the coordinates.
#[derive(Debug, PartialEq)]
struct Laws {
    /// The stored energy (J).
    energy: Program,
    /// Its forces, and the others: wrenches on the frames, forces on the coordinates.
    elastic: Program,
    other: Program,
}

/// A force element of an arm.
#[derive(Clone, Debug)]
pub(crate) struct BoundElement {
    pub(crate) name: String,
    /// The frames that it acts on, by index.
    pub(crate) frames: Vec<usize>,
    /// The places of its coordinates in `q` and in `u`.
    pub(crate) coordinates: Vec<[usize; 2]>,
    laws: Arc<Laws>,
}

/// How many numbers a pose and a velocity are.
const POSE: usize = 12;
const TWIST: usize = 6;

fn vector<S: Scalar>(numbers: &[S]) -> Vec3<S> {
    Vec3::new(numbers[0], numbers[1], numbers[2])
}

fn position<S: Scalar>(inputs: &[S], frames: usize, coordinates: usize) -> ElementPosition<S> {
    let pose = |numbers: &[S]| Pose {
        rotation: Mat3 { columns: [0, 3, 6].map(|k| vector(&numbers[k..])) },
        position: vector(&numbers[9..]),
    };
    let (poses, rest) = inputs.split_at(POSE * frames);
    ElementPosition {
        frames: poses.chunks_exact(POSE).map(pose).collect(),
        coordinates: rest[..coordinates].to_vec(),
    }
}

/// From what follows the position in the inputs.
fn velocity<S: Scalar>(inputs: &[S], frames: usize, coordinates: usize) -> ElementVelocity<S> {
    let twist = |numbers: &[S]| Motion::new(vector(numbers), vector(&numbers[3..]));
    let (twists, rest) = inputs.split_at(TWIST * frames);
    ElementVelocity {
        frames: twists.chunks_exact(TWIST).map(twist).collect(),
        coordinates: rest[..coordinates].to_vec(),
    }
}

impl RecordedElement {
    /// Records the formulas of an element.
    pub(super) fn new(name: String, element: &impl ForceElement) -> Self {
        let (frames, coordinates) = (element.frames(), element.coordinates());
        let (nf, nc) = (frames.len(), coordinates.len());
        let places = POSE * nf + nc;
        let inputs = places + TWIST * nf + nc;
        let energy = Program::record(inputs, |x| vec![element.energy(&position(x, nf, nc))]);
        let elastic = Program::record(inputs, |x| {
            let slopes = energy.gradient(x);
            let slopes = position(&slopes, nf, nc);
            let mut forces = Vec::new();
            for (pose, slope) in position(x, nf, nc).frames.iter().zip(slopes.frames) {
                // a turn δθ changes each axis c by δθ×c, and V by δθ·Σ c × ∂V/∂c
                let axes = pose.rotation.columns.into_iter().zip(slope.rotation.columns);
                let moment = axes
                    .filter(|(_, slope)| *slope != Vec3::ZERO)
                    .fold(Vec3::ZERO, |sum, (c, slope)| sum + c.cross(slope));
                forces.extend(Force::new(-slope.position, -moment).to_array());
            }
            forces.extend(slopes.coordinates.into_iter().map(|slope| -slope));
            forces
        });
        let other = Program::record(inputs, |x| {
            let (mut wrenches, mut forces) = (vec![Force::ZERO; nf], vec![Scalar::ZERO; nc]);
            let (at, velocity) = (position(x, nf, nc), velocity(&x[places..], nf, nc));
            let mut force = ElementForce { frames: &mut wrenches, coordinates: &mut forces };
            element.force(&at, &velocity, &mut force);
            wrenches.into_iter().flat_map(Force::to_array).chain(forces).collect()
        });
        Self { name, frames, coordinates, laws: Arc::new(Laws { energy, elastic, other }) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the frames that it acts on.
    pub fn frames(&self) -> &[String] {
        &self.frames
    }

    /// The names of the coordinates that it acts on.
    pub fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    /// The element of an arm, which is complete but for its elements.
    fn bind(&self, arm: &Arm, mut fault: impl FnMut(FaultKind)) -> BoundElement {
        let mut frames = Vec::new();
        for frame in &self.frames {
            match arm.frame(frame) {
                Ok(index) => frames.push(index),
                Err(_) => fault(FaultKind::UnknownFrame { frame: frame.clone() }),
            }
        }
        let mut coordinates = Vec::new();
        for coordinate in &self.coordinates {
            let is_it = |name: &String| name == coordinate;
            match arm.velocity_names().iter().position(is_it) {
                Some(v) => match arm.coordinate_of(v) {
                    Some(q) => coordinates.push([q, v]),
                    None => fault(FaultKind::NoRate { coordinate: coordinate.clone() }),
                },
                None if arm.configuration_names().iter().any(is_it) => {
                    fault(FaultKind::NoRate { coordinate: coordinate.clone() });
                }
                None => fault(FaultKind::UnknownCoordinate { coordinate: coordinate.clone() }),
            }
        }
        if self.frames.is_empty() && self.coordinates.is_empty() {
            fault(FaultKind::ActsOnNothing);
        }
        let Laws { energy, elastic, other } = &*self.laws;
        if let Some(value) = [energy, elastic, other].into_iter().find_map(Program::bad_constant) {
            fault(FaultKind::NotFinite { quantity: "a number of its formulas", value });
        }
        let (name, laws) = (self.name.clone(), Arc::clone(&self.laws));
        BoundElement { name, frames, coordinates, laws }
    }
}

/// The elements of an arm, which is complete but for them.
pub(super) fn bind(
    elements: &[RecordedElement],
    arm: &Arm,
) -> Result<Vec<BoundElement>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut bound = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let what = "force element";
        let name = &element.name;
        let mut fault = |kind| {
            faults.push(Fault { what, link: index, name: name.clone(), kind });
        };
        if name.is_empty() {
            fault(FaultKind::EmptyName { what });
        } else if let Err(error) = check_name(name) {
            fault(FaultKind::BadName { what, error });
        } else if elements[..index].iter().any(|other| other.name == *name) {
            fault(FaultKind::DuplicateName { what, name: name.clone() });
        }
        bound.push(element.bind(arm, fault));
    }
    if faults.is_empty() { Ok(bound) } else { Err(faults) }
}

impl BoundElement {
    /// The forces of its energy.
    pub(crate) fn elastic(&self) -> Option<&Program> {
        Some(&self.laws.elastic).filter(|law| !law.is_zero())
    }

    /// The forces beyond those of its energy.
    pub(crate) fn other(&self) -> Option<&Program> {
        Some(&self.laws.other).filter(|law| !law.is_zero())
    }

    /// How many numbers an evaluation needs.
    pub(crate) fn room(&self) -> usize {
        let Laws { energy, elastic, other } = &*self.laws;
        energy.room().max(elastic.room()).max(other.room())
    }

    /// Sets the inputs of the formulas.
    pub(crate) fn set<S: Scalar>(
        &self,
        [q, u]: [&[S]; 2],
        frame: impl Fn(usize) -> (Pose<S>, Motion<S>),
        values: &mut [S],
    ) {
        let (nf, nc) = (self.frames.len(), self.coordinates.len());
        let (poses, rest) = values.split_at_mut(POSE * nf);
        let (places, rest) = rest.split_at_mut(nc);
        let (twists, rates) = rest.split_at_mut(TWIST * nf);
        for (k, &index) in self.frames.iter().enumerate() {
            let (pose, twist) = frame(index);
            let to = &mut poses[POSE * k..POSE * (k + 1)];
            for (to, axis) in to.chunks_exact_mut(3).zip(pose.rotation.columns) {
                to.copy_from_slice(&axis.to_array());
            }
            to[9..].copy_from_slice(&pose.position.to_array());
            twists[TWIST * k..TWIST * (k + 1)].copy_from_slice(&twist.to_array());
        }
        for (k, &[at, v]) in self.coordinates.iter().enumerate() {
            (places[k], rates[k]) = (q[at], u[v]);
        }
    }

    /// The stored energy (J), the inputs being set.
    pub(crate) fn energy<S: Scalar>(&self, values: &mut [S]) -> S {
        self.laws.energy.run(values);
        self.laws.energy.output(0, values)
    }

    /// The wrench on each frame, by index, from an evaluation of one of its laws.
    pub(crate) fn wrenches<S: Scalar>(
        &self,
        law: &Program,
        values: &[S],
    ) -> impl Iterator<Item = (usize, Force<S>)> {
        let vector = |first: usize| {
            let [x, y, z] = [0, 1, 2].map(|k| law.output(first + k, values));
            Vec3::new(x, y, z)
        };
        let wrench = move |k: usize| Force::new(vector(TWIST * k), vector(TWIST * k + 3));
        self.frames.iter().enumerate().map(move |(k, &frame)| (frame, wrench(k)))
    }

    /// The force on each coordinate, by velocity, from an evaluation of one of its laws.
    pub(crate) fn forces<S: Scalar>(
        &self,
        law: &Program,
        values: &[S],
    ) -> impl Iterator<Item = (usize, S)> {
        let first = TWIST * self.frames.len();
        let force = move |(k, &[_, v]): (usize, &[usize; 2])| (v, law.output(first + k, values));
        self.coordinates.iter().enumerate().map(force)
    }

    /// Whether its wrenches cancel wherever its frames are and however they move: then it does not
    /// touch the world. A few places stand for all.
    pub(crate) fn is_internal(&self) -> bool {
        let mut values = vec![0.0; self.room()];
        (0..3).all(|place| {
            // frames anywhere, by fractions of multiples of an irrational number
            let number = |frame: usize, k: usize| {
                let count = (place * self.frames.len() + frame) * POSE + k + 1;
                (count as f64 * 0.618_033_988_749_894_9).fract() * 2.0 - 1.0
            };
            let some = |frame: usize, k: usize| {
                Vec3::new(number(frame, k), number(frame, k + 1), number(frame, k + 2))
            };
            let frame_at = |frame: usize| {
                let [x, y, z] = some(frame, 0).to_array();
                let pose = Pose::new(euler_xyz(x, y, z), some(frame, 3));
                (pose, Motion::new(some(frame, 6), some(frame, 9)))
            };
            let (q, u) = (vec![0.3; self.largest(0)], vec![0.3; self.largest(1)]);
            self.set([&q, &u], frame_at, &mut values);
            let (mut sum, mut size) = (Force::ZERO, 0.0);
            for law in self.elastic().into_iter().chain(self.other()) {
                law.run(&mut values);
                for (frame, wrench) in self.wrenches(law, &values) {
                    let there = Pose { rotation: Mat3::IDENTITY, ..frame_at(frame).0 };
                    sum += there.force_to_outer(&wrench);
                    size += wrench.force.norm() + wrench.moment.norm();
                }
            }
            sum.force.norm() + sum.moment.norm() <= 1e-9 * size
        })
    }

    /// How long `q` (0) or `u` (1) must be for its coordinates.
    fn largest(&self, which: usize) -> usize {
        self.coordinates.iter().map(|places| places[which] + 1).max().unwrap_or(0)
    }
}

impl<S: Scalar> Arm<S> {
    /// The names of the force elements, in the order of the description.
    pub fn element_names(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().map(|element| element.name.as_str())
    }
}
