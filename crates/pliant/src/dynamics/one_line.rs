//! One-line calls on an arm: they allocate, check what they are given, and return `Result`.

use super::coriolis;
use super::derivatives::{self, forward_derivatives_into, inverse_derivatives_into};
use super::energy::{self, Energies, Momenta, Power};
use super::kinematics::{self, Axes};
use super::loads::{self, Load};
use super::{aba, crba, passive, rnea, terms};
use crate::Help;
use crate::arm::{Arm, Joint, UnknownName};
use crate::spatial::{Motion, Pose};
use nalgebra::{DMatrix, DVector};

/// What can be wrong with the numbers given to a call.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// A vector of the wrong length.
    #[error("{what} has {given} numbers, this arm needs {needed}")]
    WrongLength {
        /// Which vector.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The right length.
        needed: usize,
    },
    /// NaN or infinite.
    #[error("{what} of \"{coordinate}\" is not a finite number: {value}")]
    NotFinite {
        /// Which vector.
        what: &'static str,
        /// Which coordinate.
        coordinate: String,
        /// The value.
        value: f64,
    },
    /// A quaternion far from unit length.
    #[error("the quaternion of \"{joint}\" has length {length}, should be 1")]
    NotAQuaternion {
        /// Of which link's joint.
        joint: String,
        /// Its length.
        length: f64,
    },
    /// A length outside that a beam that slides cannot have.
    #[error("\"{coordinate}\" is {length} m, out of the stroke from {smallest} m to {largest} m")]
    OutOfStroke {
        /// Which coordinate.
        coordinate: String,
        /// The length outside (m).
        length: f64,
        /// The smallest possible (m).
        smallest: f64,
        /// The largest possible (m).
        largest: f64,
    },
    /// Accelerations do not exist, or are lost in rounding.
    #[error("the mass matrix is singular: \"{coordinate}\" can accelerate without force")]
    SingularMassMatrix {
        /// The coordinate at which the factorisation stopped.
        coordinate: String,
    },
    /// No frame of this index.
    #[error("there is no frame {given}")]
    NoSuchFrame {
        /// The index given.
        given: usize,
        /// How many frames there are.
        count: usize,
    },
    /// No such frame.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
}

impl Help for EvaluationError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::WrongLength { needed, .. } => format!("give {needed}"),
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::NotAQuaternion { .. } => {
                "divide it by its length; the order is (w, x, y, z)".into()
            }
            Self::OutOfStroke { .. } => "give a length within the stroke".into(),
            Self::SingularMassMatrix { .. } => {
                "give the links it moves mass or inertia, or its joint armature; masses that differ by more than 1e13 leave no digit of the smaller one".into()
            }
            Self::NoSuchFrame { count, .. } => format!("the arm has {count}, counted from 0"),
            Self::UnknownName(error) => return error.help(),
        })
    }
}

/// `∂τ/∂q`, `∂τ/∂u`, `∂τ/∂u̇`.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseDerivatives {
    /// By the configuration, in the directions of the velocities.
    pub by_q: DMatrix<f64>,
    /// By the velocities.
    pub by_u: DMatrix<f64>,
    /// By the accelerations: the mass matrix.
    pub by_ud: DMatrix<f64>,
}

/// `∂u̇/∂q`, `∂u̇/∂u`, `∂u̇/∂τ`.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardDerivatives {
    /// By the configuration, in the directions of the velocities.
    pub by_q: DMatrix<f64>,
    /// By the velocities.
    pub by_u: DMatrix<f64>,
    /// By the motors' forces: the inverse of the mass matrix.
    pub by_tau: DMatrix<f64>,
}

type Answer<T> = Result<T, EvaluationError>;

/// How far a quaternion's length may be from one.
const QUATERNION_TOLERANCE: f64 = 1e-3;

/// How far beyond the stroke a length may be, as a part of the largest.
const STROKE_TOLERANCE: f64 = 1e-9;

/// A pivot below this part of its diagonal entry makes a mass matrix singular.
const SINGULAR: f64 = 1e-13;

impl Arm<f64> {
    /// Checks a configuration: length, finite numbers, quaternions.
    pub fn check_configuration(&self, q: &[f64]) -> Answer<()> {
        check_vector("q", self.configuration_names(), q)?;
        if let Some(fault) = self.out_of_stroke(q) {
            return Err(fault);
        }
        for (i, joint) in self.joints().iter().enumerate() {
            let start = self.configuration_of(i).start;
            let quaternion = match joint {
                Joint::Spherical => &q[start..start + 4],
                Joint::Free => &q[start + 3..start + 7],
                _ => continue,
            };
            let length = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
            if (length - 1.0).abs() > QUATERNION_TOLERANCE {
                return Err(EvaluationError::NotAQuaternion {
                    joint: self.link_names()[i].clone(),
                    length,
                });
            }
        }
        Ok(())
    }

    /// The first beam that slides whose length outside is not in its stroke.
    pub(crate) fn out_of_stroke(&self, q: &[f64]) -> Option<EvaluationError> {
        (0..self.body_count()).find_map(|link| {
            let (at, _) = self.length_of(link)?;
            let [smallest, largest] = self.sliding_of(link)?.slide?.stroke;
            let (length, slack) = (q[at], STROKE_TOLERANCE * largest);
            let outside = !(smallest - slack..=largest + slack).contains(&length);
            outside.then(|| EvaluationError::OutOfStroke {
                coordinate: self.configuration_names()[at].clone(),
                length,
                smallest,
                largest,
            })
        })
    }

    /// Checks a vector of velocities, accelerations or forces: length, finite numbers.
    pub fn check_velocities(&self, what: &'static str, values: &[f64]) -> Answer<()> {
        check_vector(what, self.velocity_names(), values)
    }

    /// The mass matrix `M(q)` (kg m², kg m, kg), Akmehmet's J.
    pub fn mass_matrix(&self, q: &[f64]) -> Answer<DMatrix<f64>> {
        self.check_configuration(q)?;
        let n = self.nv();
        let mut m = vec![0.0; n * n];
        crba::crba_into(self, &mut crba::Workspace::new(self), q, &mut m);
        crba::mirror(&mut m, n);
        Ok(DMatrix::from_row_slice(n, n, &m))
    }

    /// The generalised forces that a motion needs, without external loads (N m, N).
    pub fn inverse_dynamics(&self, q: &[f64], u: &[f64], ud: &[f64]) -> Answer<DVector<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        self.check_velocities("u̇", ud)?;
        let mut tau = DVector::zeros(self.nv());
        rnea::rnea_into(self, &mut rnea::Workspace::new(self), q, u, ud, tau.as_mut_slice());
        Ok(tau)
    }

    /// The accelerations that generalised forces cause; add those of external loads to `tau`.
    /// Prescribed joints do not accelerate; see [`Arm::hybrid_dynamics`] where they do.
    pub fn forward_dynamics(&self, q: &[f64], u: &[f64], tau: &[f64]) -> Answer<DVector<f64>> {
        let rest = vec![0.0; self.nv()];
        self.hybrid_dynamics(q, u, tau, &rest).map(|(_, ud)| ud)
    }

    /// Forces and accelerations where some joints are prescribed: of `tau` the entries of free
    /// joints are taken, of `ud` those of prescribed joints; both come back complete. Where the
    /// forces of external loads were added to `tau`, the force of a prescribed joint comes back
    /// with its load in it: take [`Arm::load_forces`] off to have the motor's share.
    pub fn hybrid_dynamics(
        &self,
        q: &[f64],
        u: &[f64],
        tau: &[f64],
        ud: &[f64],
    ) -> Answer<(DVector<f64>, DVector<f64>)> {
        self.check_velocities("u", u)?;
        self.check_velocities("τ", tau)?;
        self.check_velocities("u̇", ud)?;
        self.check_inertia(&self.mass_matrix(q)?, |pivot| pivot)?;
        let mut tau = DVector::from_column_slice(tau);
        let mut ud = DVector::from_column_slice(ud);
        let mut work = aba::Workspace::new(self);
        aba::aba_into(self, &mut work, q, u, tau.as_mut_slice(), ud.as_mut_slice());
        Ok((tau, ud))
    }

    /// Whether every free coordinate has inertia, by the size of the pivots.
    pub(crate) fn check_inertia(
        &self,
        mass: &DMatrix<f64>,
        size: impl Fn(f64) -> f64,
    ) -> Answer<()> {
        let free = self.free_velocities();
        let n = free.len();
        let mut factored: Vec<f64> =
            free.iter().flat_map(|&r| free.iter().map(move |&c| mass[(r, c)])).collect();
        crate::linear::ldl::factor(&mut factored, n);
        for (j, &v) in free.iter().enumerate() {
            let pivot = size(1.0 / factored[j * n + j]);
            if pivot.is_nan() || pivot <= SINGULAR * mass[(v, v)].abs() {
                let coordinate = self.velocity_names()[v].clone();
                return Err(EvaluationError::SingularMassMatrix { coordinate });
            }
        }
        Ok(())
    }

    /// `coriolis + gravity + elastic + damping`, the forces at zero acceleration (N m, N); the k of
    /// Akmehmet (4.2) without the hand's forces.
    pub fn bias(&self, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        self.inverse_dynamics(q, u, &vec![0.0; self.nv()])
    }

    /// The forces of velocity alone (N m, N), Akmehmet's f.
    pub fn coriolis(&self, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let mut force = DVector::zeros(self.nv());
        let mut work = rnea::Workspace::new(self);
        terms::coriolis_into(self, &mut work, q, u, force.as_mut_slice());
        Ok(force)
    }

    /// What holds the arm against gravity, `∂U/∂q` (N m, N), Akmehmet's g.
    pub fn gravity_forces(&self, q: &[f64]) -> Answer<DVector<f64>> {
        self.check_configuration(q)?;
        let mut force = DVector::zeros(self.nv());
        let mut work = rnea::Workspace::new(self);
        terms::gravity_into(self, &mut work, q, force.as_mut_slice());
        Ok(force)
    }

    /// What holds springs, beams and the stored energies of force elements (N m, N).
    pub fn elastic_forces(&self, q: &[f64]) -> Answer<DVector<f64>> {
        self.check_configuration(q)?;
        let mut force = DVector::zeros(self.nv());
        let mut work = passive::Workspace::new(self);
        terms::elastic_into(self, &mut work, q, force.as_mut_slice());
        Ok(force)
    }

    /// What drives the dampers, Akmehmet's `V q̇`, and withstands the forces of elements that have no
    /// energy (N m, N).
    pub fn damping_forces(&self, q: &[f64], u: &[f64]) -> Answer<DVector<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let mut force = DVector::zeros(self.nv());
        let mut work = passive::Workspace::new(self);
        terms::damping_into(self, &mut work, q, u, force.as_mut_slice());
        Ok(force)
    }

    /// The generalised forces of external loads, `Σ Jᵀ F` (N m, N).
    pub fn load_forces(&self, q: &[f64], loads: &[Load]) -> Answer<DVector<f64>> {
        self.check_loads(q, loads)?;
        let mut force = DVector::zeros(self.nv());
        let mut work = kinematics::Workspace::new(self);
        loads::add_loads(&work.place(self, q), loads, force.as_mut_slice());
        Ok(force)
    }

    /// Checks a configuration, and loads on frames.
    pub(crate) fn check_loads(&self, q: &[f64], loads: &[Load]) -> Answer<()> {
        self.check_configuration(q)?;
        for load in loads {
            let Some(frame) = self.frames().get(load.frame) else {
                let (given, count) = (load.frame, self.frames().len());
                return Err(EvaluationError::NoSuchFrame { given, count });
            };
            if let Some(value) = load.wrench.to_array().into_iter().find(|x| !x.is_finite()) {
                let coordinate = frame.name().to_owned();
                return Err(EvaluationError::NotFinite { what: "the load", coordinate, value });
            }
        }
        Ok(())
    }

    /// The matrix `C` with `C u = coriolis` and `Ṁ − 2C` skew-symmetric.
    pub fn coriolis_matrix(&self, q: &[f64], u: &[f64]) -> Answer<DMatrix<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let n = self.nv();
        let mut matrix = vec![0.0; n * n];
        let mut work = coriolis::Workspace::new(self);
        coriolis::coriolis_matrix_into(self, &mut work, q, u, &mut matrix);
        Ok(DMatrix::from_row_slice(n, n, &matrix))
    }

    /// The velocity `[v; ω]` of a frame's origin and of the frame (m/s, rad/s).
    pub fn twist(&self, q: &[f64], u: &[f64], frame: &str, axes: Axes) -> Answer<Motion<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let frame = self.frame(frame)?;
        let mut work = kinematics::Workspace::new(self);
        Ok(work.move_with(self, q, u, u).twist(frame, axes))
    }

    /// The acceleration `[a; ω̇]` of a frame's origin and of the frame (m/s², rad/s²).
    pub fn frame_acceleration(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
        frame: &str,
        axes: Axes,
    ) -> Answer<Motion<f64>> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        self.check_velocities("u̇", ud)?;
        let frame = self.frame(frame)?;
        let mut work = kinematics::Workspace::new(self);
        Ok(work.move_with(self, q, u, ud).acceleration(frame, axes))
    }

    /// Where power comes from and goes: motors `tau` and generalised external forces `loads`.
    pub fn power(&self, q: &[f64], u: &[f64], tau: &[f64], loads: &[f64]) -> Answer<Power> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        self.check_velocities("τ", tau)?;
        self.check_velocities("loads", loads)?;
        Ok(Power::new(self, &mut passive::Workspace::new(self), [q, u], tau, loads))
    }

    /// The pose of a frame in the world (m).
    pub fn pose(&self, q: &[f64], frame: &str) -> Answer<Pose<f64>> {
        self.check_configuration(q)?;
        let frame = self.frame(frame)?;
        Ok(kinematics::Workspace::new(self).place(self, q).pose(frame))
    }

    /// The Jacobian of a frame, `[v; ω] = J u`, `6 × nv`.
    pub fn jacobian(&self, q: &[f64], frame: &str, axes: Axes) -> Answer<DMatrix<f64>> {
        self.check_configuration(q)?;
        let frame = self.frame(frame)?;
        let mut jacobian = vec![0.0; 6 * self.nv()];
        let mut work = kinematics::Workspace::new(self);
        work.place(self, q).jacobian_into(frame, axes, &mut jacobian);
        Ok(DMatrix::from_row_slice(6, self.nv(), &jacobian))
    }

    /// Kinetic, potential and elastic energy (J).
    pub fn energies(&self, q: &[f64], u: &[f64]) -> Answer<Energies> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let mut work = kinematics::Workspace::new(self);
        let moving = work.move_with(self, q, u, u);
        Ok(energy::energies(self, &mut passive::Workspace::new(self), &moving, q, u))
    }

    /// Linear and angular momentum, world axes, about the world's origin (kg m/s, kg m²/s).
    pub fn momenta(&self, q: &[f64], u: &[f64]) -> Answer<Momenta> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        let mut work = kinematics::Workspace::new(self);
        let moving = work.move_with(self, q, u, u);
        Ok(energy::momenta(self, &moving))
    }

    /// The derivatives of inverse dynamics.
    pub fn inverse_derivatives(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
    ) -> Answer<InverseDerivatives> {
        let by_ud = self.mass_matrix(q)?;
        self.check_velocities("u", u)?;
        self.check_velocities("u̇", ud)?;
        let n = self.nv();
        let (mut by_q, mut by_u) = (vec![0.0; n * n], vec![0.0; n * n]);
        let mut work = derivatives::Workspace::new(self);
        inverse_derivatives_into(&mut work, q, u, ud, &mut by_q, &mut by_u);
        Ok(InverseDerivatives {
            by_q: DMatrix::from_row_slice(n, n, &by_q),
            by_u: DMatrix::from_row_slice(n, n, &by_u),
            by_ud,
        })
    }

    /// The derivatives of forward dynamics; of `ud` the entries of prescribed joints are taken.
    pub fn forward_derivatives(
        &self,
        q: &[f64],
        u: &[f64],
        tau: &[f64],
        ud: &[f64],
    ) -> Answer<ForwardDerivatives> {
        // also checks that there are accelerations at all
        self.hybrid_dynamics(q, u, tau, ud)?;
        let n = self.nv();
        let mut matrices = [(); 3].map(|()| vec![0.0; n * n]);
        let mut work = derivatives::Workspace::new(self);
        let slices = matrices.each_mut().map(Vec::as_mut_slice);
        forward_derivatives_into(&mut work, q, u, tau, ud, slices);
        let [by_q, by_u, by_tau] = matrices.map(|m| DMatrix::from_row_slice(n, n, &m));
        Ok(ForwardDerivatives { by_q, by_u, by_tau })
    }
}

fn check_vector(what: &'static str, names: &[String], values: &[f64]) -> Answer<()> {
    if values.len() != names.len() {
        let (given, needed) = (values.len(), names.len());
        return Err(EvaluationError::WrongLength { what, given, needed });
    }
    match names.iter().zip(values).find(|(_, value)| !value.is_finite()) {
        Some((name, &value)) => {
            Err(EvaluationError::NotFinite { what, coordinate: name.clone(), value })
        }
        None => Ok(()),
    }
}
