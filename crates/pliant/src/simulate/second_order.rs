//! An arm as a system of second order.

use super::arm_system::{ArmSystem, ForceInput};
use super::block::BlockError;
use super::compiling::Compiling;
use crate::arm::Arm;
use crate::compile::{CompileError, Evaluator, Quantity};
use crate::integrate::{Moment, SecondOrder, System, Weights};

/// An arm with its force input, for implicit integrators: `M u̇ + bias - τ = 0` with exact
/// derivatives. Otherwise it is like [`ArmSystem`], and explicit integrators accept it too.
///
/// The slopes of the arm come from dual numbers, those of the drive from differences, so that
/// controllers may be stiff too. In the rows of prescribed coordinates stands `u̇` less what the
/// drive prescribes.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::integrate::{GeneralisedAlpha, Stepper};
/// use pliant::simulate::{Unforced, ImplicitArmSystem};
///
/// let pendulum = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let motion = ImplicitArmSystem::new(&pendulum, Unforced);
/// let method = GeneralisedAlpha::new(1e-3).spectral_radius(0.9);
/// let mut stepper = Stepper::new(motion, method, 0.0, &[-1.0, 0.0])?;
/// stepper.advance(1.0)?;
/// let before = pendulum.energies(&[-1.0], &[0.0])?.total();
/// let (q, u) = stepper.state().split_at(1);
/// assert!((pendulum.energies(q, u)?.total() - before).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImplicitArmSystem<'a, D> {
    /// The same motion for explicit methods, with the drive.
    pub explicit: ArmSystem<'a, D>,
    equations: Equations,
}

impl<'a, D: ForceInput> ImplicitArmSystem<'a, D> {
    /// Allocates the workspaces of the recursions and their derivatives.
    pub fn new(arm: &'a Arm, drive: D) -> Self {
        Self { explicit: ArmSystem::new(arm, drive), equations: Equations::new(arm) }
    }

    /// Makes machine code of the recursions, in which products and sums are rounded together with
    /// `fuse`, and of the models of what acts on the arm, which are never fused. What cannot be compiled
    /// goes on by its recursion, as slopes of large arms do; the first error tells why.
    pub fn compile(&mut self, fuse: bool) -> Result<(), CompileError> {
        let explicit = self.explicit.compile(fuse);
        explicit.and(self.equations.compile(fuse))
    }

    /// The arm.
    pub fn arm(&self) -> &'a Arm {
        self.explicit.arm()
    }
}

impl<D: ForceInput> System for ImplicitArmSystem<'_, D> {
    type Error = BlockError;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), BlockError> {
        self.explicit.rates(t, y, rates)
    }

    fn project(&mut self, t: f64, y: &mut [f64]) {
        self.explicit.project(t, y);
    }
}

impl<D: ForceInput> SecondOrder for ImplicitArmSystem<'_, D> {
    fn velocity_count(&self) -> usize {
        self.arm().nv()
    }

    fn configuration_rates(&mut self, q: &[f64], u: &[f64], rates: &mut [f64]) {
        self.arm().rate_into(q, u, rates);
    }

    fn displace(&mut self, q: &mut [f64], way: &[f64]) {
        self.arm().displace(q, way);
    }

    fn residual(&mut self, at: &Moment<'_>, residual: &mut [f64]) -> Result<(), BlockError> {
        self.equations.residual(&mut self.explicit.drive, at, residual)
    }

    fn iteration_matrix(
        &mut self,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), BlockError> {
        let (arm, drive) = (self.explicit.arm(), &mut self.explicit.drive);
        self.equations.iteration_matrix(arm, drive, at, weights, matrix)
    }
}

/// The room for `M u̇ + bias - τ` and its slopes.
#[derive(Clone, Debug)]
pub(super) struct Equations {
    inverse: Evaluator,
    mass_matrix: Evaluator,
    slopes: Evaluator,
    mass: Vec<f64>,
    by_u: Vec<f64>,
    is_prescribed: Vec<bool>,
    /// What the drive says, and what it says nearby.
    drive: Said,
    nearby: Said,
    /// A state nearby.
    q: Vec<f64>,
    u: Vec<f64>,
    way: Vec<f64>,
}

/// Forces, and accelerations of prescribed coordinates.
#[derive(Clone, Debug)]
struct Said {
    tau: Vec<f64>,
    ud: Vec<f64>,
}

impl Said {
    fn new(n: usize) -> Self {
        Self { tau: vec![0.0; n], ud: vec![0.0; n] }
    }

    fn ask(
        &mut self,
        drive: &mut impl ForceInput,
        t: f64,
        q: &[f64],
        u: &[f64],
    ) -> Result<(), BlockError> {
        self.tau.fill(0.0);
        self.ud.fill(0.0);
        drive.act(t, q, u, &mut self.tau, &mut self.ud)
    }
}

impl Equations {
    pub(super) fn new(arm: &Arm) -> Self {
        let (nq, n) = (arm.nq(), arm.nv());
        let mut is_prescribed = vec![true; n];
        for v in arm.free_velocities() {
            is_prescribed[v] = false;
        }
        Self {
            inverse: arm.evaluator(Quantity::InverseDynamics),
            mass_matrix: arm.evaluator(Quantity::MassMatrix),
            slopes: arm.evaluator(Quantity::InverseDerivatives),
            mass: vec![0.0; n * n],
            by_u: vec![0.0; n * n],
            is_prescribed,
            drive: Said::new(n),
            nearby: Said::new(n),
            q: vec![0.0; nq],
            u: vec![0.0; n],
            way: vec![0.0; n],
        }
    }

    /// The same with its recursions compiled, where that is worth it.
    pub(super) fn compiled(self, compiling: Compiling) -> Result<Self, CompileError> {
        Ok(Self {
            inverse: compiling.applied(self.inverse)?,
            mass_matrix: compiling.applied(self.mass_matrix)?,
            slopes: compiling.applied(self.slopes)?,
            ..self
        })
    }

    /// Whether its residual is machine code.
    pub(super) fn is_compiled(&self) -> bool {
        self.inverse.is_compiled()
    }

    /// Compiles all recursions; the first error tells which one goes on as it is.
    fn compile(&mut self, fuse: bool) -> Result<(), CompileError> {
        let Self { inverse, mass_matrix, slopes, .. } = self;
        let all = [inverse, mass_matrix, slopes].map(|own| own.compile(fuse));
        all.into_iter().collect()
    }

    /// The forces that a motion needs, by inverse dynamics. The drive is asked for its own.
    pub(super) fn needed(
        &mut self,
        drive: &mut impl ForceInput,
        at: &Moment<'_>,
        forces: &mut [f64],
    ) -> Result<(), BlockError> {
        self.drive.ask(drive, at.t, at.q, at.u)?;
        self.inverse.run_into(&[at.q, at.u, at.ud], &mut [forces]);
        Ok(())
    }

    /// What is left of the equations. In the rows of prescribed coordinates stands `u̇` less what
    /// the drive prescribes.
    pub(super) fn residual(
        &mut self,
        drive: &mut impl ForceInput,
        at: &Moment<'_>,
        residual: &mut [f64],
    ) -> Result<(), BlockError> {
        self.needed(drive, at, residual)?;
        for (v, residual) in residual.iter_mut().enumerate() {
            if self.is_prescribed[v] {
                *residual = at.ud[v] - self.drive.ud[v];
            } else {
                *residual -= self.drive.tau[v];
            }
        }
        Ok(())
    }

    /// The slopes of the residual, weighted.
    pub(super) fn iteration_matrix(
        &mut self,
        arm: &Arm,
        drive: &mut impl ForceInput,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), BlockError> {
        let n = at.u.len();
        self.mass_matrix.run_into(&[at.q], &mut [&mut self.mass]);
        self.slopes.run_into(&[at.q, at.u, at.ud], &mut [matrix, &mut self.by_u]);
        for (i, entry) in matrix.iter_mut().enumerate() {
            let (row, column) = (i / n, i % n);
            let of_arm =
                *entry + weights.velocity * self.by_u[i] + weights.acceleration * self.mass[i];
            *entry = match self.is_prescribed[row] {
                false => of_arm,
                true if row == column => weights.acceleration,
                true => 0.0,
            };
        }
        self.subtract_drive(arm, drive, at, weights.velocity, matrix)
    }

    /// Takes the slopes of the drive from the matrix: column `v` is the change along
    /// `(q ⊞ ε e_v, u + b ε e_v)`.
    fn subtract_drive(
        &mut self,
        arm: &Arm,
        drive: &mut impl ForceInput,
        at: &Moment<'_>,
        weight: f64,
        matrix: &mut [f64],
    ) -> Result<(), BlockError> {
        let n = at.u.len();
        let nudge = f64::EPSILON.sqrt();
        self.drive.ask(drive, at.t, at.q, at.u)?;
        self.u.copy_from_slice(at.u);
        for v in 0..n {
            self.q.copy_from_slice(at.q);
            self.way[v] = nudge;
            arm.displace(&mut self.q, &self.way);
            self.way[v] = 0.0;
            self.u[v] = at.u[v] + weight * nudge;
            self.nearby.ask(drive, at.t, &self.q, &self.u)?;
            self.u[v] = at.u[v];
            for row in 0..n {
                let change = if self.is_prescribed[row] {
                    self.nearby.ud[row] - self.drive.ud[row]
                } else {
                    self.nearby.tau[row] - self.drive.tau[row]
                };
                matrix[row * n + v] -= change / nudge;
            }
        }
        Ok(())
    }
}
