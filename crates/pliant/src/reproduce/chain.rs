//! A serial chain as Korayem and King describe it: what each link is, by itself, at one instant.
//!
//! Link `i` has the frame `A_i` in the section of the link before that carries it, and its own
//! such section has the frame `E_i` at `r_i`. All vectors here are in the axes of the link before
//! it bends. Nothing depends on the neighbours' motion, so links can be evaluated side by side.
//! Korayem (24) to (33) and (60) to (64), King (F1-1) to (F1-14).

use super::unsupported::Unsupported;
use crate::arm::{Arm, FlexibleBody, JointKind, Section};
use crate::beam::{Moments, axial, trace};
use crate::dynamics::bending::{polynomial, weighted_sum};
use crate::scalar::Scalar;
use crate::spatial::{Mat3, RigidInertia, Vec3, axis_rotation};

/// How the rotation vector θ at the end of a link turns what hangs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rotation {
    /// `E = exp θ̂` with the angular velocity `J_l(θ) θ̇`, which is its own: the default.
    #[default]
    Exact,
    /// `E = exp θ̂` with the angular velocity `θ̇`, right only where all rotations of a link have
    /// one axis.
    Exponential,
    /// `E = 1 + θ̂` with the angular velocity `θ̇`, Korayem (6). The inertia matrix of three and more
    /// links is then not symmetric, and may be indefinite.
    Small,
    /// `E = Rx(θ_x) Ry(θ_y) Rz(θ_z)` with the angular velocity `θ̇`: King (2-12), to first order.
    /// Outside a plane the energy is not conserved.
    FirstOrder,
    /// `E = Rx(θ_x) Ry(θ_y) Rz(θ_z)` with the angular velocity that is its own: other coordinates of
    /// what [`Rotation::Exact`] describes.
    Turns,
}

/// The first thing that keeps an arm from being a chain of this description.
pub(super) fn check<S: Scalar>(arm: &Arm<S>) -> Result<(), Unsupported> {
    if let Some(coupling) = arm.couplings.first() {
        return Err(Unsupported::ElasticJoint {
            link: arm.link_names()[coupling.bodies[0]].clone(),
        });
    }
    for (i, body) in arm.bodies.iter().enumerate() {
        let link = || arm.link_names()[i].clone();
        if arm.parent_of(i) != i.checked_sub(1) {
            let before =
                i.checked_sub(1).map_or("ground".to_owned(), |p| arm.link_names()[p].clone());
            return Err(Unsupported::Branch { link: link(), before });
        }
        if !matches!(body.kind, JointKind::Revolute | JointKind::Fixed) {
            return Err(Unsupported::Joint { link: link(), kind: arm.joints()[i].word() });
        }
        if let Some(bend) = body.bend
            && arm.flexible_bodies[bend].flexible.nz() > body.modal_count
        {
            return Err(match arm.flexible_bodies[bend].sliding {
                Some(_) => Unsupported::Slides { link: link() },
                None => Unsupported::Foreshortening { link: link() },
            });
        }
    }
    Ok(())
}

/// One link, in its own axes.
#[derive(Clone, Debug)]
pub(super) struct Link<S> {
    /// `A_i`: this link's frame in the section that carries it.
    pub(super) joint: Mat3<S>,
    /// `E_i`: the section that carries the next link.
    pub(super) tip: Mat3<S>,
    /// `r_i`: from this link's origin to the next one's (m).
    pub(super) reach: Vec3<S>,
    /// Twice `ṙ_i` (m/s).
    pub(super) reach_rate: Vec3<S>,
    /// `r̈_i` without bending accelerations (m/s²).
    pub(super) reach_bias: Vec3<S>,
    /// Angular velocity of the section that carries the next link (rad/s).
    pub(super) spin: Vec3<S>,
    /// Its rate without bending accelerations (rad/s²).
    pub(super) spin_bias: Vec3<S>,
    /// Mass, `∫ r dm` (the vector of Korayem (25)) and second moments, about its origin.
    pub(super) matter: RigidInertia<S>,
    /// Twice `∫ ṙ dm` (kg m/s): the vector of Korayem (24).
    pub(super) first_rate: Vec3<S>,
    /// The inertia tensor (kg m²): Korayem (31).
    pub(super) inertia: Mat3<S>,
    /// Twice `∫ r̂ᵀ ṙ^ dm` (kg m²/s): Korayem (30).
    pub(super) inertia_rate: Mat3<S>,
    pub(super) modes: Vec<Mode<S>>,
    /// From the section to the next link's origin.
    offset: Vec3<S>,
    theta: Vec3<S>,
    /// The coefficients of `J̇_l θ̇`.
    turning_rates: [S; 3],
    /// About which axes the turns go, one after the other, with [`Rotation::Turns`].
    turns: Option<Mat3<S>>,
    moments: Moments<S>,
    spins: Vec<S>,
}

/// One coordinate of bending, in the axes of its link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode<S> {
    /// Displacement of the next link's origin per unit, `r_ij`.
    pub(super) shift: Vec3<S>,
    /// Rotation of the section that carries it per unit, `θ_ij`.
    pub(super) turn: Vec3<S>,
    /// `ε = ∫ φ dm`: Korayem (34).
    pub(super) first: Vec3<S>,
    /// `α = ∫ r × φ dm`: Korayem (32).
    pub(super) arm: Vec3<S>,
    /// `β = ∫ r̂ᵀ φ̂ dm`: Korayem (33).
    pub(super) beta: Mat3<S>,
    /// Twice `∫ φ × ṙ dm`, the sum in Korayem (102).
    pub(super) across: Vec3<S>,
}

impl<S: Scalar> Link<S> {
    fn new(arm: &Arm<S>, i: usize) -> Self {
        let body = &arm.bodies[i];
        let none = Mode {
            shift: Vec3::ZERO,
            turn: Vec3::ZERO,
            first: Vec3::ZERO,
            arm: Vec3::ZERO,
            beta: Mat3::ZERO,
            across: Vec3::ZERO,
        };
        let modes = body.bend.map_or(Vec::new(), |bend| {
            let flexible = &arm.flexible_bodies[bend].flexible;
            let first = flexible.first().iter().map(|&first| *flexible.axes() * first);
            first.map(|first| Mode { first, ..none }).collect()
        });
        let mut link = Self {
            joint: body.placement.rotation,
            tip: Mat3::IDENTITY,
            reach: arm.bodies.get(i + 1).map_or(Vec3::ZERO, |next| next.placement.position),
            reach_rate: Vec3::ZERO,
            reach_bias: Vec3::ZERO,
            spin: Vec3::ZERO,
            spin_bias: Vec3::ZERO,
            matter: RigidInertia::ZERO,
            first_rate: Vec3::ZERO,
            inertia: Mat3::ZERO,
            inertia_rate: Mat3::ZERO,
            modes,
            offset: Vec3::ZERO,
            theta: Vec3::ZERO,
            turning_rates: [S::ZERO; 3],
            turns: None,
            moments: Moments::new(body.modal_count),
            spins: vec![S::ZERO; 3 * body.modal_count],
        };
        link.set_inertia(body.inertia);
        link
    }

    /// The links of an arm that [`check`] allows.
    pub(super) fn all(arm: &Arm<S>) -> Vec<Self> {
        (0..arm.body_count()).map(|i| Self::new(arm, i)).collect()
    }

    fn set_inertia(&mut self, matter: RigidInertia<S>) {
        self.inertia = matter.tensor().to_mat3();
        self.matter = matter;
    }

    /// The joint turned, the beam bent.
    pub(super) fn place(&mut self, arm: &Arm<S>, i: usize, rotation: Rotation, q: &[S]) {
        let body = &arm.bodies[i];
        if matches!(body.kind, JointKind::Revolute) {
            let (sin, cos) = q[body.q].sin_cos();
            self.joint = body.placement.rotation.turned_about_z(sin, cos);
        }
        let Some(bend) = body.bend.map(|bend| &arm.flexible_bodies[bend]) else { return };
        let d = &q[body.bend_q()];
        let inertia = bend.flexible.bent(d, &mut self.moments);
        self.set_inertia(inertia);
        let axes = bend.flexible.axes();
        for (k, mode) in self.modes.iter_mut().enumerate() {
            let u = self.moments.of(k);
            mode.arm = *axes * axial(&u);
            // tr(U) 1 − U, U = ∫ φ rᵀ dm
            let beta = Mat3::diagonal(trace(&u)) - u;
            mode.beta = axes.matmul(&beta).matmul(&axes.transpose());
        }
        if let Some(section) = carrier(arm, i, bend) {
            self.bend_tip(section, rotation, d, arm.bodies[i + 1].placement.position);
        }
    }

    /// The section that carries the next link, at `beyond` in the section's axes.
    fn bend_tip(&mut self, section: &Section<S>, rotation: Rotation, d: &[S], beyond: Vec3<S>) {
        let shapes = &section.shapes;
        let axes = &shapes.rest.rotation;
        let theta = weighted_sum(&shapes.rotation, d);
        self.theta = theta;
        let mut jacobian = None;
        self.tip = match rotation {
            Rotation::FirstOrder => first_order_turn(axes, theta),
            Rotation::Turns => {
                let turns = turned_axes(axes, theta);
                jacobian = Some(turns.matmul(&axes.transpose()));
                self.turns = Some(turns);
                first_order_turn(axes, theta)
            }
            Rotation::Small => (Mat3::IDENTITY + Mat3::cross(theta)).matmul(axes),
            Rotation::Exponential | Rotation::Exact => {
                let mut c = [S::ZERO; 6];
                theta.dot(theta).stumpff(&mut c);
                if rotation == Rotation::Exact {
                    let (two, three) = (S::from_f64(2.0), S::from_f64(3.0));
                    jacobian = Some(polynomial(theta, c[2], c[3]));
                    self.turning_rates = [two * c[4] - c[3], three * c[5] - c[4], c[3]];
                }
                polynomial(theta, c[1], c[2]).matmul(axes)
            }
        };
        self.offset = self.tip * beyond;
        self.reach = shapes.rest.position + weighted_sum(&shapes.displacement, d) + self.offset;
        let shapes = shapes.displacement.iter().zip(&shapes.rotation);
        for (mode, (&shift, &turn)) in self.modes.iter_mut().zip(shapes) {
            mode.turn = jacobian.map_or(turn, |j| j * turn);
            mode.shift = shift + mode.turn.cross(self.offset);
        }
    }

    /// What moves with bending rates; call after [`Link::place`].
    pub(super) fn set_moving(&mut self, arm: &Arm<S>, i: usize, u: &[S]) {
        let body = &arm.bodies[i];
        let Some(bend) = body.bend.map(|bend| &arm.flexible_bodies[bend]) else { return };
        let rate = &u[body.bend_v()];
        bend.flexible.spins(rate, &mut self.spins);
        let axes = bend.flexible.axes();
        for (mode, s) in self.modes.iter_mut().zip(self.spins.chunks_exact(3)) {
            let across = -(*axes * Vec3::new(s[0], s[1], s[2]));
            mode.across = across + across;
        }
        let [mut reach, mut spin, mut first] = [Vec3::ZERO; 3];
        let mut inertia = Mat3::ZERO;
        for (mode, &rate) in self.modes.iter().zip(rate) {
            reach = mode.shift.mul_add(rate, reach);
            spin = mode.turn.mul_add(rate, spin);
            first = mode.first.mul_add(rate, first);
            for (sum, column) in inertia.columns.iter_mut().zip(mode.beta.columns) {
                *sum = column.mul_add(rate, *sum);
            }
        }
        self.reach_rate = reach + reach;
        self.spin = spin;
        self.first_rate = first + first;
        self.inertia_rate = inertia + inertia;
        if let Some(section) = carrier(arm, i, bend) {
            // J_l = 1 + a θ̂ + b θ̂², ȧ = c θ·θ̇, ḃ = d θ·θ̇
            let [c, d, b] = self.turning_rates;
            let (t, r) = (self.theta, weighted_sum(&section.shapes.rotation, rate));
            let (along, across) = (t.dot(r), t.cross(r));
            self.spin_bias = match &self.turns {
                // each axis turns with the turns before it
                Some(turns) => {
                    let rates = section.shapes.rest.rotation.transpose_mul(r).to_array();
                    let [x, y, z] = [0, 1, 2].map(|k| turns.columns[k] * rates[k]);
                    x.cross(y) + (x + y).cross(z)
                }
                None => across * (along * c) + t.cross(across) * (along * d) + r.cross(across) * b,
            };
            self.reach_bias =
                self.spin_bias.cross(self.offset) + spin.cross(spin.cross(self.offset));
        }
    }
}

/// The section of a beam on which the next link hangs.
fn carrier<'a, S: Scalar>(
    arm: &Arm<S>,
    i: usize,
    bend: &'a FlexibleBody<S>,
) -> Option<&'a Section<S>> {
    let station = arm.bodies.get(i + 1)?.parent;
    bend.sections.iter().find(|section| section.station == station)
}

/// `Rx Ry Rz R_b`: a section that King's first order turns by `theta`, body axes, from its rest
/// `beam`.
fn first_order_turn<S: Scalar>(beam: &Mat3<S>, theta: Vec3<S>) -> Mat3<S> {
    // θ is in body axes, and so are the turns that King takes one after the other about the axes
    // of the beam; Rx Ry Rz is the inverse of the turns back in the opposite order
    let about = beam.transpose_mul(theta);
    let [x, y, z] = Vec3::AXES;
    let turn = |axis, angle: S| {
        let (sin, cos) = angle.sin_cos();
        axis_rotation(axis, sin, cos)
    };
    let back = turn(z, -about.z).matmul(&turn(y, -about.y)).matmul(&turn(x, -about.x));
    beam.matmul(&back.transpose())
}

/// The axes of the turns of [`first_order_turn`], body axes: that of x stands, that of y has been turned
/// about it, that of z about both.
fn turned_axes<S: Scalar>(beam: &Mat3<S>, theta: Vec3<S>) -> Mat3<S> {
    let about = beam.transpose_mul(theta);
    let [x, y, z] = Vec3::AXES;
    let turn = |axis, angle: S| {
        let (sin, cos) = angle.sin_cos();
        axis_rotation(axis, sin, cos)
    };
    let (first, second) = (turn(x, about.x), turn(y, about.y));
    let columns = [x, first * y, first * (second * z)];
    Mat3 { columns: columns.map(|axis| *beam * axis) }
}
