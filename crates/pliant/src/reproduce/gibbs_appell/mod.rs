//! Inertia matrix and right-hand side, `I(Θ) Θ̈ = Re`, by the recursive Gibbs-Appell formulation.
//!
//! Korayem (94), steps 1 to 10, corrected: all products are of 3×3 and 3×1 matrices, each link's
//! in its own axes. The organisation is that of the paper, so that its table of operations can be
//! counted: what it computes anew, or adds as a whole matrix of which one entry is used, is
//! computed anew and added here. Terms that vanish at the ends of the chain are left out, as its
//! totals leave them out. The corrections are named where they are made; with [`Rotation::Exact`]
//! the rotations `θ_ij` of the shapes become `J_l θ_ij`.
//!
//! For serial chains of revolute and fixed joints: [`Unsupported`] says what keeps an arm from it.

mod inertia;
mod right_side;
mod sums;

use super::chain::{self, Link, Rotation};
use super::unsupported::Unsupported;
use crate::arm::{Arm, JointKind};
use crate::dynamics::passive;
use crate::scalar::Scalar;
use crate::spatial::{Mat3, Vec3};
use sums::Sums;

/// Buffers of [`gibbs_appell_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Of the sections of each link.
    rotations: Vec<Rotation>,
    links: Vec<Link<S>>,
    /// The velocity index of each revolute joint.
    joints: Vec<Option<usize>>,
    /// The first velocity index of each link's bending.
    modal_at: Vec<usize>,
    /// What the motors give beyond passive forces (N m, N).
    net: Vec<S>,
    passive: passive::Workspace<S>,
    /// `^{i-1}R_i`, for the first link from the ground.
    hops: Vec<Mat3<S>>,
    /// `ω_i`, own axes.
    omega: Vec<Vec3<S>>,
    /// `ω̇_v,i`: without second derivatives, own axes.
    alpha: Vec<Vec3<S>>,
    /// `r̈_Ov,i`: without second derivatives, gravity included, own axes.
    accel: Vec<Vec3<S>>,
    /// `S_i` and `T_i`, own axes.
    own_force: Vec<Vec3<S>>,
    own_moment: Vec<Vec3<S>>,
    /// `φ_i` and `χ_i`, own axes.
    force: Vec<Vec3<S>>,
    moment: Vec<Vec3<S>>,
    /// `Q_jf`, by velocity index.
    modal: Vec<S>,
    sums: Sums<S>,
    /// `^jR_n α + ^jr × ^jR_n ε` of the last link's shapes: link by link.
    last: Vec<Vec3<S>>,
}

/// The steps of the paper, in order. The first are its equations (24) to (33) and (60) to (64),
/// which it does not count, and the forces of springs and dampers, which it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum GibbsAppellStep {
    /// Each link by itself.
    Shapes = 0,
    /// From link to link: step 1.
    Rotations,
    /// Velocities and the known part of accelerations: step 2.
    Rates,
    /// Forces of each link by itself: step 3.
    OwnForces,
    /// Forces that each link carries: step 4.
    CarriedForces,
    /// Forces of bending: step 5.
    ModalForces,
    /// `Re`: step 6.
    RightSide,
    /// Rotations between all links: step 7.
    AllRotations,
    /// Positions of all links from one another: step 8.
    Positions,
    /// Sums over the links further out: step 9.
    Sums,
    /// The inertia matrix: step 10.
    Inertia,
}

impl GibbsAppellStep {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Shapes,
        Self::Rotations,
        Self::Rates,
        Self::OwnForces,
        Self::CarriedForces,
        Self::ModalForces,
        Self::RightSide,
        Self::AllRotations,
        Self::Positions,
        Self::Sums,
        Self::Inertia,
    ];
    /// Those that the inertia matrix needs.
    pub const OF_INERTIA: [Self; 6] = [
        Self::Shapes,
        Self::Rotations,
        Self::AllRotations,
        Self::Positions,
        Self::Sums,
        Self::Inertia,
    ];
}

/// What a step reads and writes.
pub struct StepData<'a, S> {
    /// Configuration.
    pub q: &'a [S],
    /// Velocities.
    pub u: &'a [S],
    /// Motors' forces (N m, N).
    pub tau: &'a [S],
    /// The inertia matrix, row by row, both triangles (kg m², kg m, kg).
    pub mass: &'a mut [S],
    /// The right-hand side (N m, N).
    pub right: &'a mut [S],
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation of an arm, or why the arm is not for this method.
    pub fn new(arm: &Arm<S>, rotation: Rotation) -> Result<Self, Unsupported> {
        Self::turning(arm, vec![rotation; arm.body_count()])
    }

    /// With a rotation for the sections of each link.
    pub(super) fn turning(arm: &Arm<S>, rotations: Vec<Rotation>) -> Result<Self, Unsupported> {
        chain::check(arm)?;
        let (n, nv) = (arm.body_count(), arm.nv());
        let zeros = vec![Vec3::ZERO; n];
        let joint =
            |kind: &JointKind<S>, v: usize| matches!(kind, JointKind::Revolute).then_some(v);
        Ok(Self {
            rotations,
            links: Link::all(arm),
            joints: arm.bodies.iter().map(|body| joint(&body.kind, body.v)).collect(),
            modal_at: arm.bodies.iter().map(|body| body.v + body.nv).collect(),
            net: vec![S::ZERO; nv],
            passive: passive::Workspace::new(arm),
            hops: vec![Mat3::IDENTITY; n],
            omega: zeros.clone(),
            alpha: zeros.clone(),
            accel: zeros.clone(),
            own_force: zeros.clone(),
            own_moment: zeros.clone(),
            force: zeros.clone(),
            moment: zeros.clone(),
            modal: vec![S::ZERO; nv],
            sums: Sums::new(n),
            last: vec![Vec3::ZERO; n * arm.bodies.last().map_or(0, |body| body.modal_count)],
        })
    }

    /// One step; call them in the order of [`GibbsAppellStep::ALL`].
    ///
    /// # Panics
    /// When a slice does not have the length that `arm` asks for.
    pub fn take(&mut self, step: GibbsAppellStep, arm: &Arm<S>, state: &mut StepData<'_, S>) {
        let StepData { q, u, tau, .. } = *state;
        if self.links.is_empty() {
            return;
        }
        match step {
            GibbsAppellStep::Shapes => {
                arm.check_lengths(q, [u, tau, state.right]);
                for (i, link) in self.links.iter_mut().enumerate() {
                    link.place(arm, i, self.rotations[i], q);
                    link.set_moving(arm, i, u);
                }
                self.net.copy_from_slice(tau);
                self.passive.subtract(arm, q, u, &mut self.net);
            }
            GibbsAppellStep::Rotations => self.rotate(),
            GibbsAppellStep::Rates => self.move_outward(u, -arm.gravity),
            GibbsAppellStep::OwnForces => self.link_forces(),
            GibbsAppellStep::CarriedForces => self.accumulate_inward(),
            GibbsAppellStep::ModalForces => self.bend(),
            GibbsAppellStep::RightSide => self.assemble_right_side(state.right),
            GibbsAppellStep::AllRotations => self.sums.rotate(&self.hops),
            GibbsAppellStep::Positions => self.sums.locate(&self.links),
            GibbsAppellStep::Sums => self.sums.add_up(&self.links),
            GibbsAppellStep::Inertia => {
                self.assemble_inertia(arm, state.mass);
                if arm.has_armature {
                    for (v, &armature) in arm.armature.iter().enumerate() {
                        state.mass[v * arm.nv() + v] += armature;
                    }
                }
            }
        }
    }

    /// Step 1: `^{i-1}R_i = E_{i-1} A_i`, also for the first link, where `E` is one.
    fn rotate(&mut self) {
        self.hops[0] = self.links[0].joint;
        for i in 1..self.links.len() {
            self.hops[i] = self.links[i - 1].tip.matmul(&self.links[i].joint);
        }
    }
}

/// The inertia matrix and the right-hand side of `I Θ̈ = Re`, armature, springs and dampers
/// included, for the motors' forces `tau` (N m, N): `mass` row by row, both triangles.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn gibbs_appell_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    state: &mut StepData<'_, S>,
) {
    for step in GibbsAppellStep::ALL {
        work.take(step, arm, state);
    }
}
