//! The second hop: from a body's frame to the sections of its beam.
//!
//! `p_a = φ_0(s) + Φ z`, `R_a = exp(θ̂) R_b`, `θ = Θ δ`, and the section's motion relative to the
//! body, in the section's frame, `Ψ = [R_aᵀ Φ Z ; R_bᵀ J_r Θ]`, with the right Jacobian `J_r` of the
//! rotation group.

use super::hop::Rates;
use crate::arm::{FlexibleBody, Section};
use crate::beam::{Moments, axial, trace};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, RigidInertia, Vec3};

/// A section as it is at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bent<S> {
    /// The section's frame in the body's.
    pub(super) pose: Pose<S>,
    /// `J_r(θ)`: from the rate of the rotation vector to the angular velocity, body axes turned
    /// with the section.
    jacobian: Mat3<S>,
    theta: Vec3<S>,
    /// Coefficients of `J̇_r θ̇`.
    rates: [S; 4],
}

impl<S: Scalar> Bent<S> {
    pub(super) const REST: Self = Self {
        pose: Pose::IDENTITY,
        jacobian: Mat3::IDENTITY,
        theta: Vec3::ZERO,
        rates: [S::ZERO; 4],
    };

    /// Bends a section by the extended coordinates `z`.
    pub(super) fn new(section: &Section<S>, z: &[S]) -> Self {
        let shapes = &section.shapes;
        let theta = weighted_sum(&shapes.rotation, z);
        let position = shapes.rest.position + weighted_sum(&shapes.displacement, z);
        let mut c = [S::ZERO; 6];
        theta.dot(theta).stumpff(&mut c);
        // exp θ̂ = 1 + c₁ θ̂ + c₂ θ̂² ,  J_r = 1 − c₂ θ̂ + c₃ θ̂²
        let turn = polynomial(theta, c[1], c[2]);
        let two = S::from_f64(2.0);
        let three = S::from_f64(3.0);
        Self {
            pose: Pose { rotation: turn.matmul(&shapes.rest.rotation), position },
            jacobian: polynomial(theta, -c[2], c[3]),
            theta,
            rates: [two * c[4] - c[3], three * c[5] - c[4], c[3], c[2]],
        }
    }

    /// Angular velocity relative to the body, section frame: `R_bᵀ J_r θ̇`, from `ż`.
    pub(super) fn spin(&self, section: &Section<S>, rate: &[S]) -> Vec3<S> {
        let theta_rate = weighted_sum(&section.shapes.rotation, rate);
        section.shapes.rest.rotation.transpose_mul(self.jacobian * theta_rate)
    }

    /// `R_bᵀ (J_r θ̈ + J̇_r x)`, for `z̈ = acceleration`, `J_r` changing with the first of the two
    /// rates `ż` and `x` being of the second: for equal rates the rate of [`Bent::spin`].
    pub(super) fn spin_rate(
        &self,
        section: &Section<S>,
        [rate, second]: [&[S]; 2],
        acceleration: &[S],
    ) -> Vec3<S> {
        let t = self.theta;
        let r = weighted_sum(&section.shapes.rotation, rate);
        let x = weighted_sum(&section.shapes.rotation, second);
        let theta_acceleration = weighted_sum(&section.shapes.rotation, acceleration);
        let beam = &section.shapes.rest.rotation;
        let [c, d, b, a] = self.rates;
        // J_r = 1 − a θ̂ + b θ̂², ȧ = c θ·θ̇, ḃ = d θ·θ̇
        let along = t.dot(r);
        let across = t.cross(x);
        let turning = across * (-(along * c)) - r.cross(x) * a
            + t.cross(across) * (along * d)
            + (r.cross(across) + t.cross(r.cross(x))) * b;
        beam.transpose_mul(self.jacobian * theta_acceleration + turning)
    }

    /// `Ψᵀ F`, added to `modal`, for a wrench in the section's frame; `scratch` has `nz` entries.
    pub(super) fn project(
        &self,
        bend: &FlexibleBody<S>,
        section: &Section<S>,
        d: &[S],
        f: &Force<S>,
        scratch: &mut [S],
        modal: &mut [S],
    ) {
        let force = self.pose.rotation * f.force;
        let turned = section.shapes.rest.rotation * f.moment;
        let moment = self.jacobian.transpose_mul(turned);
        for (h, &shape) in scratch.iter_mut().zip(&section.shapes.displacement) {
            *h = shape.dot(force);
        }
        for (h, &shape) in scratch.iter_mut().zip(&section.shapes.rotation) {
            *h += shape.dot(moment);
        }
        bend.flexible.reduce(d, scratch, modal);
    }

    /// `Ψ` column by column, section frame; `scratch` has `n` entries.
    pub(super) fn columns(
        &self,
        bend: &FlexibleBody<S>,
        section: &Section<S>,
        d: &[S],
        scratch: &mut [Vec3<S>],
        columns: &mut [Motion<S>],
    ) {
        bend.flexible.reduce_vectors(d, &section.shapes.displacement, scratch);
        for (column, &shift) in columns.iter_mut().zip(scratch.iter()) {
            column.linear = self.pose.rotation.transpose_mul(shift);
        }
        bend.flexible.reduce_vectors(d, &section.shapes.rotation, scratch);
        for (column, &turn) in columns.iter_mut().zip(scratch.iter()) {
            column.angular = section.shapes.rest.rotation.transpose_mul(self.jacobian * turn);
        }
    }
}

/// `Σ v_k x_k`.
pub(crate) fn weighted_sum<S: Scalar>(vectors: &[Vec3<S>], weights: &[S]) -> Vec3<S> {
    let mut sum = Vec3::ZERO;
    for (v, &x) in vectors.iter().zip(weights) {
        sum = v.mul_add(x, sum);
    }
    sum
}

/// `1 + a v̂ + b v̂²`.
pub(crate) fn polynomial<S: Scalar>(v: Vec3<S>, a: S, b: S) -> Mat3<S> {
    let skew = Mat3::cross(v);
    let square = skew.matmul(&skew);
    let column = |k: usize| {
        let sum = skew.columns[k].mul_add(a, Vec3::AXES[k]);
        square.columns[k].mul_add(b, sum)
    };
    Mat3::from_columns(column(0), column(1), column(2))
}

/// Buffers for the deformation of one body at a time, large enough for each of an arm.
#[derive(Clone, Debug)]
pub(crate) struct Deformation<S> {
    /// Extended coordinates, their rates, their accelerations.
    pub(super) z: Vec<S>,
    pub(super) rate: Vec<S>,
    pub(super) acceleration: Vec<S>,
    /// `U_k = ∫ φ_k rᵀ dm`, beam axes.
    u: Moments<S>,
    /// Modal forces of the extended coordinates.
    pub(crate) h: Vec<S>,
    /// Three numbers per extended coordinate.
    spins: Vec<S>,
    /// A column of the modal mass matrix.
    column: Vec<S>,
    /// The moments of the body as it is bent, body frame.
    pub(crate) inertia: RigidInertia<S>,
    pub(super) vectors: Vec<Vec3<S>>,
    /// Bending accelerations of zero.
    pub(crate) still: Vec<S>,
}

impl<S: Scalar> Deformation<S> {
    pub(crate) fn new(bends: &[FlexibleBody<S>]) -> Self {
        let size = bends.iter().map(|b| b.flexible.nz()).max().unwrap_or(0);
        let zeros = vec![S::ZERO; size];
        Self {
            z: zeros.clone(),
            rate: zeros.clone(),
            acceleration: zeros.clone(),
            u: Moments::new(size),
            h: zeros.clone(),
            spins: vec![S::ZERO; 3 * size],
            column: zeros.clone(),
            inertia: RigidInertia::ZERO,
            still: zeros,
            vectors: vec![Vec3::ZERO; 2 * size],
        }
    }

    /// Takes the deformation of a body; returns `z`.
    pub(crate) fn bend(&mut self, bend: &FlexibleBody<S>, d: &[S]) -> &[S] {
        let nz = bend.flexible.nz();
        bend.flexible.extend(d, &mut self.z[..nz]);
        &self.z[..nz]
    }

    /// Takes how the deformation changes: `ż`, `z̈`.
    pub(crate) fn move_with(
        &mut self,
        bend: &FlexibleBody<S>,
        d: &[S],
        [rate, acceleration]: [&[S]; 2],
    ) {
        let flexible = &bend.flexible;
        let nz = flexible.nz();
        flexible.extend_rates(d, rate, &mut self.rate[..nz]);
        flexible.extend_rates(d, acceleration, &mut self.acceleration[..nz]);
        flexible.add_rates(d, rate, rate, &mut self.acceleration[..nz]);
    }

    /// The force that the body as a whole needs, and the modal forces of inertia into
    /// `modal`, for points that accelerate by `a + Γr + Σ ω×ṙ + r̈`, the sum running over
    /// `crossings` `(ω, ż)`, for the deformation and its change as they were taken.
    pub(super) fn force(
        &mut self,
        bend: &FlexibleBody<S>,
        d: &[S],
        accel: Vec3<S>,
        tensor: &Mat3<S>,
        crossings: &[(Vec3<S>, &[S])],
        modal: &mut [S],
    ) -> Force<S> {
        let flexible = &bend.flexible;
        let nz = flexible.nz();
        let (z, zdd) = (&self.z[..nz], &self.acceleration[..nz]);
        self.inertia = flexible.bent(z, &mut self.u);
        // in the axes of the beam
        let axes = flexible.axes();
        let accel_there = axes.transpose_mul(accel);
        let tensor_there = axes.transpose_matmul(&tensor.matmul(axes));
        let mut force = weighted_sum(flexible.first(), zdd);
        let mut moment = Vec3::ZERO;
        let h = &mut self.h[..nz];
        for k in 0..nz {
            let u = self.u.of(k);
            moment = axial(&u).mul_add(zdd[k], moment);
            h[k] = flexible.first()[k].dot(accel_there) + contract(&tensor_there, &u);
        }
        flexible.add_modal_mass(zdd, h);
        for &(omega, rate) in crossings {
            let omega = axes.transpose_mul(omega);
            force += omega.cross(weighted_sum(flexible.first(), rate));
            // Y = ∫ ṙ rᵀ
            let mut y = Mat3::ZERO;
            for (k, &rate) in rate[..nz].iter().enumerate() {
                for (y, u) in y.columns.iter_mut().zip(self.u.of(k).columns) {
                    *y = u.mul_add(rate, *y);
                }
            }
            moment += omega * trace(&y) - y * omega;
            flexible.add_spin(omega, rate, &mut self.spins[..3 * nz], h);
        }
        modal.fill(S::ZERO);
        flexible.reduce(d, h, modal);
        let own = super::rnea::force_of(&self.inertia, accel, tensor);
        own + Force::new(*axes * force, *axes * moment)
    }

    /// [`Deformation::force`] of an actual motion, where `ω×ṙ` counts twice.
    pub(crate) fn force_of_motion(
        &mut self,
        bend: &FlexibleBody<S>,
        d: &[S],
        rates: &Rates<S>,
        tensor: &Mat3<S>,
        modal: &mut [S],
    ) -> Force<S> {
        let zd = std::mem::take(&mut self.rate);
        let crossing = (rates.omega + rates.omega, &zd[..bend.flexible.nz()]);
        let force = self.force(bend, d, rates.accel, tensor, &[crossing], modal);
        self.rate = zd;
        force
    }

    /// Momentum, energies and moments of a body that moves with a twist, body frame, for the
    /// deformation and its change as they were taken.
    pub(crate) fn whole(&mut self, bend: &FlexibleBody<S>, d: &[S], twist: &Motion<S>) -> Whole<S> {
        let flexible = &bend.flexible;
        let nz = flexible.nz();
        let inertia = self.shape(bend);
        let (rate, half) = (&self.rate[..nz], S::from_f64(0.5));
        let axes = flexible.axes();
        let there =
            Motion::new(axes.transpose_mul(twist.linear), axes.transpose_mul(twist.angular));
        // from the modes: h_k = ∫ φ_k · (velocity)
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        let h = &mut self.h[..nz];
        for k in 0..nz {
            let shift = flexible.first()[k];
            let turn = axial(&self.u.of(k));
            force = shift.mul_add(rate[k], force);
            moment = turn.mul_add(rate[k], moment);
            h[k] = shift.dot(there.linear) + turn.dot(there.angular);
        }
        flexible.add_modal_mass(rate, h);
        let modal = h.iter().zip(rate).fold(S::ZERO, |sum, (&h, &rate)| sum + h * rate);
        let momentum = inertia.times(twist) + Force::new(*axes * force, *axes * moment);
        let kinetic = half * (twist.dot(&momentum) + modal);
        let elastic = bend.strain_energy(d);
        Whole { inertia, momentum, kinetic, elastic }
    }

    /// The rates of a section, from those of its body at the section's place, for the deformation
    /// and its change as they were taken.
    pub(super) fn section_rates(
        &self,
        section: &Section<S>,
        bent: &Bent<S>,
        there: &Rates<S>,
    ) -> Rates<S> {
        let r = &bent.pose.rotation;
        let shift_rate = weighted_sum(&section.shapes.displacement, &self.rate);
        let shift_acceleration = weighted_sum(&section.shapes.displacement, &self.acceleration);
        let across = there.omega.cross(shift_rate);
        let turned = r.transpose_mul(there.omega);
        let spin = bent.spin(section, &self.rate);
        let spin_rate = bent.spin_rate(section, [&self.rate, &self.rate], &self.acceleration);
        Rates {
            omega: turned + spin,
            alpha: r.transpose_mul(there.alpha) + turned.cross(spin) + spin_rate,
            accel: r.transpose_mul(there.accel + across + across + shift_acceleration),
        }
    }

    /// `[S_1 Z; C Z]`: force and moment per bending acceleration, body frame; call after
    /// [`Deformation::shape`] or [`Deformation::force`].
    pub(super) fn modal_forces(&mut self, bend: &FlexibleBody<S>, d: &[S], modal: &mut [Force<S>]) {
        let flexible = &bend.flexible;
        let axes = flexible.axes();
        let (arms, folded) = self.vectors.split_at_mut(flexible.nz());
        let folded = &mut folded[..d.len()];
        flexible.reduce_vectors(d, flexible.first(), folded);
        for (force, &v) in modal.iter_mut().zip(folded.iter()) {
            force.force = *axes * v;
        }
        // C = [ax(U_1) … ax(U_nz)]
        for (k, arm) in arms.iter_mut().enumerate() {
            *arm = axial(&self.u.of(k));
        }
        flexible.reduce_vectors(d, arms, folded);
        for (force, &v) in modal.iter_mut().zip(folded.iter()) {
            force.moment = *axes * v;
        }
    }

    /// The lower triangle of `Zᵀ M_zz Z`, into the front of rows of `stride` numbers.
    pub(super) fn modal_mass(
        &mut self,
        bend: &FlexibleBody<S>,
        d: &[S],
        stride: usize,
        out: &mut [S],
    ) {
        let (nz, n) = (bend.flexible.nz(), d.len());
        for l in 0..n {
            let column = &mut self.column[..n];
            bend.flexible.modal_mass_column(d, l, &mut self.h[..nz], column);
            for k in l..n {
                out[k * stride + l] = column[k];
            }
        }
    }

    /// The moments of the body as it is bent.
    pub(super) fn shape(&mut self, bend: &FlexibleBody<S>) -> RigidInertia<S> {
        let nz = bend.flexible.nz();
        bend.flexible.bent(&self.z[..nz], &mut self.u)
    }
}

/// A body that bends, as a whole, body frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<S> {
    /// Its moments as it is bent.
    pub(crate) inertia: RigidInertia<S>,
    pub(crate) momentum: Force<S>,
    /// Kinetic energy (J).
    pub(crate) kinetic: S,
    /// Strain energy (J).
    pub(super) elastic: S,
}

impl<S: Scalar> Whole<S> {
    pub(super) const NOTHING: Self = Self {
        inertia: RigidInertia::ZERO,
        momentum: Force::ZERO,
        kinetic: S::ZERO,
        elastic: S::ZERO,
    };
}

/// `Σ A_ij B_ij`.
fn contract<S: Scalar>(a: &Mat3<S>, b: &Mat3<S>) -> S {
    let ([ax, ay, az], [bx, by, bz]) = (a.columns, b.columns);
    ax.dot(bx) + ay.dot(by) + az.dot(bz)
}
