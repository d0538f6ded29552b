//! One interface to all algorithms: inverse dynamics, mass matrix, both sides of the equation of
//! motion, forward dynamics; the engine's own beside those of the documents.

use super::chain::{self, Rotation};
use super::gibbs_appell::{self, GibbsAppellStep, StepData, gibbs_appell_into};
use super::recurrence::{self, Evaluation};
use super::unsupported::Unsupported;
use crate::Help;
use crate::arm::Arm;
use crate::dynamics::{EvaluationError, aba, composite, crba, rnea};
use crate::linear::ldl;
use crate::scalar::Scalar;
use crate::spatial::Vec3;
use nalgebra::{DMatrix, DVector};

/// The algorithms between which a user can choose; on the arms that they can express they agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// Mass matrix column by column from inverse dynamics, accelerations through it.
    Recursive,
    /// Mass matrix by composite bodies, accelerations through it, O(N³).
    Composite,
    /// Mass matrix by composite bodies, accelerations by articulated bodies. The recursion
    /// [`aba_into`](aba::aba_into) is O(N); the one-line calls also factor the mass matrix, to name
    /// a coordinate without inertia.
    #[default]
    Articulated,
    /// Korayem and Shafei's, for serial chains: inertia matrix and right-hand side, accelerations
    /// through them. Only [`Rotation::Exact`] agrees with the others.
    GibbsAppell(Rotation),
    /// King's linear recurrences, for serial chains, accelerations through the mass matrix.
    Recurrence(Evaluation),
}

impl Algorithm {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recursive => "the recursive method",
            Self::Composite => "the composite-body method",
            Self::Articulated => "the articulated-body method",
            Self::GibbsAppell(_) => "the Gibbs-Appell method",
            Self::Recurrence(_) => "the method of recurrences",
        }
    }

    /// Whether it can express an arm, or what keeps it from that.
    pub fn check(self, arm: &Arm) -> Result<(), Unsupported> {
        match self {
            Self::Recursive | Self::Composite | Self::Articulated => Ok(()),
            Self::GibbsAppell(_) => chain::check(arm),
            Self::Recurrence(_) => chain::check(arm).and_then(|()| check_mass(arm)),
        }
    }
}

/// King divides by the mass that each link carries.
pub(super) fn check_mass(arm: &Arm) -> Result<(), Unsupported> {
    let has_mass = |i: usize| arm.bodies[i].bend.is_some() || arm.bodies[i].inertia.mass > 0.0;
    let outermost = (0..arm.body_count()).rev().find(|&i| has_mass(i));
    match arm.link_names().get(outermost.map_or(0, |i| i + 1)) {
        Some(link) => Err(Unsupported::NoMass { link: link.clone() }),
        None => Ok(()),
    }
}

/// Why an algorithm gives no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// It cannot express the arm.
    #[error("{algorithm} is not for this arm: {lack}")]
    Unsupported {
        /// Which algorithm.
        algorithm: &'static str,
        /// What keeps the arm from it.
        lack: Unsupported,
    },
    /// It is for rigid links alone.
    #[error("{what} is for arms that do not bend, and link \"{link}\" does")]
    Bends {
        /// Which.
        what: &'static str,
        /// The first link that bends.
        link: String,
    },
    /// The numbers given are at fault.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl Help for AlgorithmError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Unsupported { lack, .. } => {
                let general = "the articulated-body method is for every arm";
                lack.help().map_or(general.into(), |help| format!("{help}; or else {general}"))
            }
            Self::Bends { .. } => "make the link rigid".into(),
            Self::Evaluation(error) => return error.help(),
        })
    }
}

type Answer<T> = Result<T, AlgorithmError>;

/// One-line calls, as those of [`Arm`]: they allocate, check what they are given, and return `Result`.
impl Algorithm {
    /// The buffers for an arm, or what keeps the arm from it.
    fn workspace(self, arm: &Arm) -> Answer<Workspace> {
        let made = self.check(arm).and_then(|()| Workspace::new(self, arm));
        made.map_err(|lack| AlgorithmError::Unsupported { algorithm: self.name(), lack })
    }

    /// As [`Arm::mass_matrix`].
    pub fn mass_matrix(self, arm: &Arm, q: &[f64]) -> Answer<DMatrix<f64>> {
        arm.check_configuration(q)?;
        Ok(self.workspace(arm)?.mass_matrix(arm, q))
    }

    /// As [`Arm::inverse_dynamics`].
    pub fn inverse_dynamics(
        self,
        arm: &Arm,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
    ) -> Answer<DVector<f64>> {
        arm.check_configuration(q)?;
        arm.check_velocities("u", u)?;
        arm.check_velocities("u̇", ud)?;
        let mut tau = DVector::zeros(arm.nv());
        self.workspace(arm)?.inverse_dynamics_into(arm, [q, u, ud], tau.as_mut_slice());
        Ok(tau)
    }

    /// As [`Arm::bias`].
    pub fn bias(self, arm: &Arm, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        self.inverse_dynamics(arm, q, u, &vec![0.0; arm.nv()])
    }

    /// As [`Arm::hybrid_dynamics`].
    pub fn hybrid_dynamics(
        self,
        arm: &Arm,
        q: &[f64],
        u: &[f64],
        tau: &[f64],
        ud: &[f64],
    ) -> Answer<(DVector<f64>, DVector<f64>)> {
        arm.check_velocities("u", u)?;
        arm.check_velocities("τ", tau)?;
        arm.check_velocities("u̇", ud)?;
        let mass = self.mass_matrix(arm, q)?;
        // the matrix of small angles may be indefinite: there only a pivot of nothing is refused
        let is_small = self == Self::GibbsAppell(Rotation::Small);
        arm.check_inertia(&mass, |pivot| if is_small { pivot.abs() } else { pivot })?;
        let [mut tau, mut ud] = [tau, ud].map(DVector::from_column_slice);
        let (forces, accelerations) = (tau.as_mut_slice(), ud.as_mut_slice());
        self.workspace(arm)?.forward_dynamics_into(arm, [q, u], forces, accelerations);
        Ok((tau, ud))
    }
}

/// Buffers of one algorithm, sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    method: Method<S>,
    /// No velocities, accelerations or forces.
    rest: Vec<S>,
    through: Through<S>,
}

/// What each algorithm needs. The workspaces differ much in size.
#[derive(Clone, Debug)]
enum Method<S> {
    Recursive(Box<Recursive<S>>),
    Composite(Box<composite::Workspace<S>>),
    Articulated(Box<Articulated<S>>),
    GibbsAppell(Box<gibbs_appell::Workspace<S>>),
    Recurrence(Box<recurrence::Workspace<S>>),
}

#[derive(Clone, Debug)]
struct Recursive<S> {
    rnea: rnea::Workspace<S>,
    /// One acceleration, and the forces it needs.
    unit: Vec<S>,
    column: Vec<S>,
}

#[derive(Clone, Debug)]
struct Articulated<S> {
    rnea: rnea::Workspace<S>,
    crba: crba::Workspace<S>,
    aba: aba::Workspace<S>,
}

/// What solving the equation of motion needs, of the algorithms that do it through the mass matrix.
#[derive(Clone, Debug)]
struct Through<S> {
    mass: Vec<S>,
    bias: Vec<S>,
    factor: Vec<S>,
    right: Vec<S>,
    /// Velocity indices that are not prescribed.
    free: Vec<usize>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation, or what keeps the arm from the algorithm. That the outer end of an arm
    /// has mass is asked by [`Algorithm::check`] alone: here numbers cannot be compared.
    pub fn new(algorithm: Algorithm, arm: &Arm<S>) -> Result<Self, Unsupported> {
        let rnea = || rnea::Workspace::new(arm);
        let zeros = vec![S::ZERO; arm.nv()];
        let method = match algorithm {
            Algorithm::Recursive => Method::Recursive(Box::new(Recursive {
                rnea: rnea(),
                unit: zeros.clone(),
                column: zeros.clone(),
            })),
            Algorithm::Composite => Method::Composite(Box::new(composite::Workspace::new(arm))),
            Algorithm::Articulated => Method::Articulated(Box::new(Articulated {
                rnea: rnea(),
                crba: crba::Workspace::new(arm),
                aba: aba::Workspace::new(arm),
            })),
            Algorithm::GibbsAppell(rotation) => {
                Method::GibbsAppell(Box::new(gibbs_appell::Workspace::new(arm, rotation)?))
            }
            Algorithm::Recurrence(how) => {
                Method::Recurrence(Box::new(recurrence::Workspace::new(arm, how)?))
            }
        };
        Ok(Self::of(method, arm))
    }

    /// Recurrences with a rotation for the sections of each link.
    pub(super) fn by_recurrences(
        arm: &Arm<S>,
        rotations: Vec<Rotation>,
    ) -> Result<Self, Unsupported> {
        let work = recurrence::Workspace::turning(arm, Evaluation::InTurn, rotations)?;
        Ok(Self::of(Method::Recurrence(Box::new(work)), arm))
    }

    /// Gibbs-Appell with a rotation for the sections of each link.
    pub(super) fn by_gibbs_appell(
        arm: &Arm<S>,
        rotations: Vec<Rotation>,
    ) -> Result<Self, Unsupported> {
        let work = gibbs_appell::Workspace::turning(arm, rotations)?;
        Ok(Self::of(Method::GibbsAppell(Box::new(work)), arm))
    }

    fn of(method: Method<S>, arm: &Arm<S>) -> Self {
        let own_solver = matches!(method, Method::Composite(_) | Method::Articulated(_));
        let (n, zeros) = (arm.nv(), vec![S::ZERO; arm.nv()]);
        let entries = if own_solver { 0 } else { n * n };
        let through = Through {
            mass: vec![S::ZERO; entries],
            bias: zeros.clone(),
            factor: vec![S::ZERO; entries],
            right: zeros.clone(),
            free: arm.free_velocities(),
        };
        Self { method, rest: zeros, through }
    }

    /// The generalised forces that a motion needs (N m, N), external loads left out.
    ///
    /// # Panics
    /// When a slice does not have the length that `arm` asks for; so do the other calls.
    pub fn inverse_dynamics_into(&mut self, arm: &Arm<S>, [q, u, ud]: [&[S]; 3], tau: &mut [S]) {
        match &mut self.method {
            Method::Recursive(work) => rnea::rnea_into(arm, &mut work.rnea, q, u, ud, tau),
            Method::Composite(work) => rnea::rnea_into(arm, &mut work.rnea, q, u, ud, tau),
            Method::Articulated(work) => rnea::rnea_into(arm, &mut work.rnea, q, u, ud, tau),
            Method::GibbsAppell(work) => {
                arm.check_lengths(q, [u, ud, tau]);
                let mass = &mut self.through.mass[..];
                let mut state = StepData { q, u, tau: &self.rest, mass, right: tau };
                gibbs_appell_into(arm, work, &mut state);
                let rows = self.through.mass.chunks_exact(ud.len().max(1));
                for (tau, row) in tau.iter_mut().zip(rows) {
                    *tau = row.iter().zip(ud).fold(-*tau, |sum, (&m, &ud)| m.mul_add(ud, sum));
                }
            }
            Method::Recurrence(work) => {
                recurrence::inverse_dynamics_into(arm, work, q, u, ud, tau);
            }
        }
    }

    /// The mass matrix `M(q)`, row by row, both triangles (kg m², kg m, kg).
    pub fn mass_matrix_into(&mut self, arm: &Arm<S>, q: &[S], mass: &mut [S]) {
        match &mut self.method {
            Method::Recursive(work) => {
                let Recursive { rnea, unit, column } = &mut **work;
                let n = arm.nv();
                for v in 0..n {
                    unit[v] = S::ONE;
                    rnea::newton_euler(arm, rnea, q, &self.rest, unit, Vec3::ZERO, column);
                    unit[v] = S::ZERO;
                    column[v] += arm.armature[v];
                    for row in 0..n {
                        mass[row * n + v] = column[row];
                    }
                }
                return;
            }
            Method::GibbsAppell(work) => {
                let (rest, right) = (&self.rest[..], &mut self.through.right[..]);
                let mut state = StepData { q, u: rest, tau: rest, mass, right };
                for step in GibbsAppellStep::OF_INERTIA {
                    work.take(step, arm, &mut state);
                }
                return;
            }
            Method::Composite(work) => crba::crba_into(arm, &mut work.crba, q, mass),
            Method::Articulated(work) => crba::crba_into(arm, &mut work.crba, q, mass),
            Method::Recurrence(work) => recurrence::mass_matrix_into(arm, work, q, mass),
        }
        crba::mirror(mass, arm.nv());
    }

    /// `M` and `bias` of `M u̇ + bias = τ`; Korayem's `Re` is `τ − bias`.
    pub fn mass_and_bias_into(
        &mut self,
        arm: &Arm<S>,
        [q, u]: [&[S]; 2],
        mass: &mut [S],
        bias: &mut [S],
    ) {
        if let Method::GibbsAppell(work) = &mut self.method {
            let mut state = StepData { q, u, tau: &self.rest, mass, right: bias };
            gibbs_appell_into(arm, work, &mut state);
            for bias in bias {
                *bias = -*bias;
            }
            return;
        }
        self.mass_matrix_into(arm, q, mass);
        let rest = std::mem::take(&mut self.rest);
        self.inverse_dynamics_into(arm, [q, u, &rest], bias);
        self.rest = rest;
    }

    /// Accelerations from forces, and for prescribed joints the other way round: of `tau` the
    /// entries of free joints are read, of `ud` those of prescribed joints, and both are completed.
    pub fn forward_dynamics_into(
        &mut self,
        arm: &Arm<S>,
        [q, u]: [&[S]; 2],
        tau: &mut [S],
        ud: &mut [S],
    ) {
        match &mut self.method {
            Method::Composite(work) => composite::composite_into(arm, work, q, u, tau, ud),
            Method::Articulated(work) => aba::aba_into(arm, &mut work.aba, q, u, tau, ud),
            _ => {
                let [mut mass, mut bias] =
                    [&mut self.through.mass, &mut self.through.bias].map(std::mem::take);
                self.mass_and_bias_into(arm, [q, u], &mut mass, &mut bias);
                (self.through.mass, self.through.bias) = (mass, bias);
                self.through.solve(&arm.topology.prescribed, tau, ud);
            }
        }
    }
}

impl Workspace<f64> {
    /// The mass matrix as a matrix.
    pub(super) fn mass_matrix(&mut self, arm: &Arm, q: &[f64]) -> DMatrix<f64> {
        let n = arm.nv();
        let mut mass = vec![0.0; n * n];
        self.mass_matrix_into(arm, q, &mut mass);
        DMatrix::from_row_slice(n, n, &mass)
    }
}

impl<S: Scalar> Through<S> {
    /// `M_ff u̇_f = τ_f − bias_f − M_fp u̇_p`, and `τ_p = M_p u̇ + bias_p`.
    fn solve(&mut self, known: &[usize], tau: &mut [S], ud: &mut [S]) {
        let Self { mass, bias, factor, right, free } = self;
        let n = bias.len();
        let row = |v: usize| &mass[v * n..(v + 1) * n];
        for (right, &f) in right.iter_mut().zip(&*free) {
            let sum = known.iter().fold(bias[f], |sum, &p| row(f)[p].mul_add(ud[p], sum));
            *right = tau[f] - sum;
        }
        let count = free.len();
        factor.copy_from_slice(mass);
        ldl::gather(factor, n, free);
        let factor = &mut factor[..count * count];
        ldl::factor(factor, count);
        ldl::solve(factor, count, &mut right[..count]);
        for (&f, &acceleration) in free.iter().zip(&*right) {
            ud[f] = acceleration;
        }
        for &p in known {
            let products = row(p).iter().zip(&*ud);
            tau[p] = products.fold(bias[p], |sum, (&m, &ud)| m.mul_add(ud, sum));
        }
    }
}
