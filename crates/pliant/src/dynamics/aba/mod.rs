//! Forward dynamics by the articulated-body algorithm, O(N).
//!
//! 1. outward: `ω`, the acceleration `ζ` that a hop adds when `u̇ = 0`, and the force
//!    `p = [ω×(ω×S); ω×Jω]` that the body needs for `ω`
//! 2. inward: the inertia `I` that a body shows with everything it carries hanging loose;
//!    `U = I S`, `D = Sᵀ U`, `r = τ − Sᵀ p`,
//!    `Iᵃ = I − U D⁻¹ Uᵀ`, `pᵃ = p + Iᵃ ζ + U D⁻¹ r`,
//!    `I_p += Xᵀ Iᵃ X`, `p_p += Xᵀ pᵃ`
//! 3. outward: `A' = X A_p + ζ`, `u̇ = D⁻¹ r − (U D⁻¹)ᵀ A'`, `A = A' + S u̇`
//!
//! Featherstone, table 7.1; Flexible (3.128) to (3.131), where the inertia is called composite but
//! is this one. `D = L Δ Lᵀ` is factored and `V = U L⁻ᵀ` formed, so that `Iᵃ = I − V Δ⁻¹ Vᵀ` is
//! symmetric to the last bit: without that the error grows exponentially along a chain.
//!
//! The coordinates of bending belong to the body, not to the hops to its sections: those only add
//! to what the body feels and to its block of `D`, and joint and bending are eliminated together.
//!
//! Prescribed coordinates have `u̇` known instead of zero in `ζ` and `p`; step (2) and (3) then run
//! over the others, and the forces that keep the prescribed motion follow at the end.

mod blocks;

use super::hop::{Hops, Matter, Rates};
use super::passive;
use crate::arm::{Arm, Over};
use crate::scalar::Scalar;
use crate::spatial::{ArticulatedInertia, Force, Motion, Pose, Vec3};
use blocks::Blocks;

/// Buffers of [`aba_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    hops: Hops<S>,
    /// The ground, the bodies, then the sections of beams.
    stations: Vec<Station<S>>,
    /// `u̇` of prescribed coordinates, zero of the others.
    known: Vec<S>,
    /// Motor force less passive forces.
    net: Vec<S>,
    passive: passive::Workspace<S>,
    blocks: Blocks<S>,
}

/// What a body or a section keeps between the sweeps, own frame.
#[derive(Clone, Copy, Debug)]
struct Station<S> {
    /// Angular velocity (rad/s).
    omega: Vec3<S>,
    /// The acceleration that its hop adds at `u̇ = 0`, or at the `u̇` known.
    zeta: Motion<S>,
    /// Articulated inertia.
    inertia: ArticulatedInertia<S>,
    /// Force at zero acceleration.
    bias: Force<S>,
    /// Acceleration `[a; ω̇]`, gravity included.
    acceleration: Motion<S>,
}

impl<S: Scalar> Station<S> {
    const ZERO: Self = Self {
        omega: Vec3::ZERO,
        zeta: Motion::ZERO,
        inertia: ArticulatedInertia::ZERO,
        bias: Force::ZERO,
        acceleration: Motion::ZERO,
    };

    /// Takes what hangs at the pose of another frame.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a fifth of the time of a chain
    fn add_transformed(
        &mut self,
        pose: &Pose<S>,
        inertia: &ArticulatedInertia<S>,
        bias: &Force<S>,
    ) {
        self.inertia = self.inertia.plus(&inertia.seen_from(pose));
        self.bias += pose.force_to_outer(bias);
    }
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.nv();
        Self {
            hops: Hops::with_columns(arm),
            stations: vec![Station::ZERO; arm.topology.station_bodies.len()],
            known: vec![S::ZERO; n],
            net: vec![S::ZERO; n],
            passive: passive::Workspace::new(arm),
            blocks: Blocks::new(arm),
        }
    }
}

/// The accelerations `u̇` for given generalised forces `tau` (external loads added to them).
///
/// At free joints `tau` is read and `ud` written. At prescribed joints `ud` is read and `tau`
/// written: the force that keeps the motion, of motor and loads together.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn aba_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    tau: &mut [S],
    ud: &mut [S],
) {
    arm.check_lengths(q, [u, tau, ud]);
    let Workspace { hops, stations, known, net, passive, blocks } = work;
    for &v in &arm.topology.prescribed {
        (known[v], tau[v]) = (ud[v], S::ZERO);
    }
    net.copy_from_slice(tau);
    passive.subtract(arm, q, u, net);
    hops.set(arm, q, u, known);

    let edges = hops.edges(arm);
    stations[0].acceleration.linear = -arm.gravity;
    for edge in edges {
        // (1)
        let hop = hops.over(arm, edge, q);
        let inner = stations[edge.inner].omega;
        let Rates { omega, alpha, accel } = hop.advance_turning(inner, u, known);
        let (inertia, bias) = match hops.matter(arm, edge, q) {
            Matter::Rigid(body) => {
                let inertia = ArticulatedInertia::rigid(body);
                let force = omega.cross(omega.cross(body.first));
                (inertia, Force { force, moment: omega.cross(inertia.angular * omega) })
            }
            Matter::Bending { bend, d, v, deformation } => {
                let (rates, bias) = (Rates { omega, ..Rates::ZERO }, &mut blocks.modal_bias);
                let tensor = rates.tensor();
                let force =
                    deformation.force_of_motion(bend, d, &rates, &tensor, &mut bias[v.clone()]);
                deformation.modal_forces(bend, d, &mut blocks.modal[v]);
                let mass = &mut blocks.modal_mass[blocks.modal_mass_at[edge.body]..];
                deformation.modal_mass(bend, d, d.len(), mass);
                (ArticulatedInertia::rigid(&deformation.inertia), force)
            }
            Matter::Nothing => (ArticulatedInertia::ZERO, Force::ZERO),
        };
        let outer = &mut stations[edge.outer];
        (outer.omega, outer.zeta) = (omega, Motion::new(accel, alpha));
        (outer.inertia, outer.bias) = (inertia, bias);
    }
    for edge in edges.iter().rev() {
        // (2); joints of one axis on rigid bodies stay in the loop, all else has calls of its own
        let body = &arm.bodies[edge.body];
        let (inertia, bias) = match edge.over {
            Over::RevoluteZ if body.is_simple() => {
                work.eliminate_one(edge, arm.armature[body.v], revolute_column)
            }
            Over::PrismaticZ if body.is_simple() => {
                work.eliminate_one(edge, arm.armature[body.v], prismatic_column)
            }
            Over::Bending { .. } => work.gather(edge),
            _ => work.eliminate(arm, edge),
        };
        if edge.inner > 0 {
            work.stations[edge.inner].add_transformed(work.hops.pose(edge), &inertia, &bias);
        }
    }
    for edge in edges {
        // (3)
        let body = &arm.bodies[edge.body];
        let inner = work.stations[edge.inner].acceleration;
        let mut a = work.hops.pose(edge).motion_to_inner(&inner) + work.stations[edge.outer].zeta;
        match edge.over {
            Over::RevoluteZ if body.is_simple() => {
                ud[body.v] = work.blocks.rests[body.v] - a.dot(&work.blocks.gains[body.v]);
                a.angular.z += ud[body.v];
            }
            Over::PrismaticZ if body.is_simple() => {
                ud[body.v] = work.blocks.rests[body.v] - a.dot(&work.blocks.gains[body.v]);
                a.linear.z += ud[body.v];
            }
            Over::Bending { .. } => a += work.bend(arm, edge, ud),
            _ => a += work.solve(arm, edge, &a, ud),
        }
        work.stations[edge.outer].acceleration = a;
    }
    if !arm.topology.prescribed.is_empty() {
        for i in 0..arm.body_count() {
            work.react(arm, i, ud, tau);
        }
    }
}

/// `U`, `D` and `Sᵀ p` of a turn about z.
#[inline]
fn revolute_column<S: Scalar>(i: &ArticulatedInertia<S>, p: &Force<S>) -> (Force<S>, S, S) {
    let moment = Vec3::new(i.angular.xz, i.angular.yz, i.angular.zz);
    (Force { force: i.coupling.columns[2], moment }, i.angular.zz, p.moment.z)
}

/// `U`, `D` and `Sᵀ p` of a slide along z.
#[inline]
fn prismatic_column<S: Scalar>(i: &ArticulatedInertia<S>, p: &Force<S>) -> (Force<S>, S, S) {
    let force = Vec3::new(i.linear.xz, i.linear.yz, i.linear.zz);
    let [x, y, z] = i.coupling.columns;
    (Force { force, moment: Vec3::new(x.z, y.z, z.z) }, i.linear.zz, p.force.z)
}
