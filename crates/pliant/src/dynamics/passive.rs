//! Passive forces: springs, dampers and friction of joints, beams, and force elements.
//!
//! Every algorithm gets them here, summed, and knows none of the kinds. Those of joints and beams
//! are static data of the arm. A [`ForceElement`](crate::arm::ForceElement) that acts on frames
//! needs their poses and velocities first; its wrenches become generalised forces as those of
//! [loads](super::loads) do, `Q = Σ Jᵀ F`.

use super::kinematics::{self, Axes, Moving};
use super::loads::Load;
use crate::arm::{Arm, BoundElement};
use crate::scalar::{Program, Scalar};
use crate::spatial::{Motion, Pose};

/// Buffers of force elements, sized once from an arm; nothing where it has none.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    room: Option<Box<Room<S>>>,
}

#[derive(Clone, Debug)]
struct Room<S> {
    /// Where an element acts on a frame.
    frames: Option<kinematics::Workspace<S>>,
    /// What a formula computes.
    values: Vec<S>,
    /// Velocities of zero.
    rest: Vec<S>,
}

/// Which laws of an element.
type Laws = for<'a> fn(&'a BoundElement) -> [Option<&'a Program>; 2];

const ELASTIC: Laws = |element| [element.elastic(), None];
const OTHER: Laws = |element| [None, element.other()];
const ALL: Laws = |element| [element.elastic(), element.other()];

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let room = arm.elements.iter().map(BoundElement::room).max().map(|values| {
            let acts_on_frame = arm.elements.iter().any(|element| !element.frames.is_empty());
            Box::new(Room {
                frames: acts_on_frame.then(|| kinematics::Workspace::new(arm)),
                values: vec![S::ZERO; values],
                rest: vec![S::ZERO; arm.nv()],
            })
        });
        Self { room }
    }

    /// The room where the arm has elements; a workspace of one without is of another arm.
    fn room(&mut self, arm: &Arm<S>) -> Option<&mut Room<S>> {
        if arm.elements.is_empty() {
            return None;
        }
        assert!(self.room.is_some(), "this workspace was made for an arm without force elements");
        self.room.as_deref_mut()
    }

    /// Adds what holds springs, beams and stored energies (N m, N).
    pub(crate) fn add_elastic(&mut self, arm: &Arm<S>, q: &[S], force: &mut [S]) {
        arm.add_spring_forces(q, force);
        if let Some(room) = self.room(arm) {
            let rest = std::mem::take(&mut room.rest);
            room.each_force(arm, [q, &rest], ELASTIC, |v, pull| force[v] -= pull);
            room.rest = rest;
        }
    }

    /// Adds what drives dampers, friction and the damping of beams, and withstands the forces of
    /// elements that have no energy (N m, N).
    pub(crate) fn add_damping(&mut self, arm: &Arm<S>, q: &[S], u: &[S], force: &mut [S]) {
        arm.add_damping_forces(q, u, force);
        if let Some(room) = self.room(arm) {
            room.each_force(arm, [q, u], OTHER, |v, drag| force[v] -= drag);
        }
    }

    /// Adds both.
    pub(crate) fn add(&mut self, arm: &Arm<S>, q: &[S], u: &[S], force: &mut [S]) {
        arm.add_spring_forces(q, force);
        arm.add_damping_forces(q, u, force);
        if let Some(room) = self.room(arm) {
            room.each_force(arm, [q, u], ALL, |v, own| force[v] -= own);
        }
    }

    /// Takes both from the motors' forces (N m, N).
    pub(crate) fn subtract(&mut self, arm: &Arm<S>, q: &[S], u: &[S], force: &mut [S]) {
        arm.subtract_passive_forces(q, u, force);
        if let Some(room) = self.room(arm) {
            room.each_force(arm, [q, u], ALL, |v, own| force[v] += own);
        }
    }

    /// What springs of joints and elements store (J); beams know their own.
    pub(crate) fn stored(&mut self, arm: &Arm<S>, moving: &Moving<'_, S>, q: &[S], u: &[S]) -> S {
        let mut energy = arm.joint_elastic_energy(q);
        if let Some(room) = self.room(arm) {
            for element in arm.elements.iter() {
                element.set([q, u], |frame| frame_of(Some(moving), frame), &mut room.values);
                energy += element.energy(&mut room.values);
            }
        }
        energy
    }

    /// The power of dampers, friction, the damping of beams, and elements beside their energies
    /// (W): negative where they take it.
    pub(crate) fn power(&mut self, arm: &Arm<S>, q: &[S], u: &[S]) -> S {
        let joints = -arm.joint_dissipation(u);
        let mut power = arm.bodies.iter().fold(joints, |sum, body| match body.bend {
            Some(bend) => {
                sum - arm.flexible_bodies[bend].dissipation(&q[body.bend_q()], &u[body.bend_v()])
            }
            None => sum,
        });
        if let Some(room) = self.room(arm) {
            room.each_force(arm, [q, u], OTHER, |v, drag| power += drag * u[v]);
        }
        power
    }

    /// The wrenches of elements on frames, as loads.
    pub(crate) fn wrenches(
        &mut self,
        arm: &Arm<S>,
        moving: &Moving<'_, S>,
        state: [&[S]; 2],
    ) -> Vec<Load<S>> {
        let mut loads = Vec::new();
        if let Some(room) = self.room(arm) {
            let moving = Some(moving);
            each_law(arm, moving, state, ALL, &mut room.values, |element, law, values| {
                let wrenches = element.wrenches(law, values);
                loads.extend(wrenches.map(|(frame, wrench)| Load {
                    frame,
                    wrench,
                    axes: Axes::World,
                }));
            });
        }
        loads
    }
}

impl<S: Scalar> Room<S> {
    /// Hands out the generalised forces of elements on the arm, by velocity (N m, N). Not inlined: the
    /// recursions of arms without elements are half a per cent slower otherwise.
    #[cold]
    #[inline(never)]
    fn each_force(
        &mut self,
        arm: &Arm<S>,
        [q, u]: [&[S]; 2],
        laws: Laws,
        mut take: impl FnMut(usize, S),
    ) {
        // accelerations are not needed
        let moving = self.frames.as_mut().map(|frames| frames.move_with(arm, q, u, u));
        let moving = moving.as_ref();
        each_law(arm, moving, [q, u], laws, &mut self.values, |element, law, values| {
            if let Some(moving) = moving {
                for (frame, wrench) in element.wrenches(law, values) {
                    let add = |v, column: Motion<S>| take(v, column.dot(&wrench));
                    moving.placed().each_column(frame, add);
                }
            }
            for (v, force) in element.forces(law, values) {
                take(v, force);
            }
        });
    }
}

/// Evaluates laws of all elements, and hands out each with its numbers.
fn each_law<S: Scalar>(
    arm: &Arm<S>,
    moving: Option<&Moving<'_, S>>,
    state: [&[S]; 2],
    laws: Laws,
    values: &mut [S],
    mut take: impl FnMut(&BoundElement, &Program, &[S]),
) {
    for element in arm.elements.iter() {
        element.set(state, |frame| frame_of(moving, frame), values);
        for law in laws(element).into_iter().flatten() {
            law.run(values);
            take(element, law, values);
        }
    }
}

/// The pose of a frame in the world and its velocity, world axes.
fn frame_of<S: Scalar>(moving: Option<&Moving<'_, S>>, frame: usize) -> (Pose<S>, Motion<S>) {
    moving.map_or((Pose::IDENTITY, Motion::ZERO), |moving| {
        (moving.placed().pose(frame), moving.twist(frame, Axes::World))
    })
}
