//! Natural frequencies and mode shapes of an arm.

use super::balance::Balance;
use super::conditions::{Conditions, JointCondition};
use super::error::AnalysisError;
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::linear::{eigen, symmetric};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// Gyroscopic forces below this part of the frequencies do no harm.
const GYROSCOPIC: f64 = 1e-9;

/// Small vibrations about a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// The configuration they are about.
    pub q: Vec<f64>,
    /// From the slowest to the fastest.
    pub modes: Vec<Mode>,
    /// How unsymmetric the tangent stiffness was, relative to its largest entry, before its
    /// symmetric part was taken. Loads that follow the arm and constant torques on ball joints
    /// have no potential and make it so; frequencies are then not to be trusted beyond it.
    pub asymmetry: f64,
}

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// `ω²` (1/s²): negative where the arm would leave the posture, 0 where it moves freely.
    pub squared: f64,
    /// Its shape over all velocity coordinates, zero at those that are held, `xᵀ M x = 1`.
    pub shape: DVector<f64>,
    /// The damping ratio `ζ = xᵀ D x / 2ω`; 0 where `ω² ≤ 0`. A mode is alone in it: what damping
    /// couples to other modes is not counted.
    pub damping_ratio: f64,
    /// The part of the kinetic energy on each velocity coordinate, `x_i (M x)_i`; their sum is 1.
    pub shares: DVector<f64>,
}

impl Mode {
    /// The natural frequency (rad/s); 0 for a rigid-body or an unstable mode.
    pub fn frequency(&self) -> f64 {
        self.squared.max(0.0).sqrt()
    }

    /// The natural frequency (Hz); 0 for a rigid-body or an unstable mode.
    pub fn hertz(&self) -> f64 {
        self.frequency() / TAU
    }

    /// Whether the mode is unstable.
    pub fn is_unstable(&self) -> bool {
        self.squared < 0.0
    }

    /// The velocity coordinate with the largest share of the kinetic energy.
    pub fn dominant(&self) -> usize {
        self.shares.iamax()
    }
}

impl Modes {
    /// The natural frequencies (rad/s).
    pub fn frequencies(&self) -> Vec<f64> {
        self.modes.iter().map(Mode::frequency).collect()
    }
}

impl Arm<f64> {
    /// Natural frequencies and mode shapes with all joints locked, about the static equilibrium
    /// under gravity. A rigid arm has none.
    ///
    /// ```
    /// use pliant::analyse::{Conditions, JointCondition};
    /// use pliant::arm::{Builder, Joint, Link};
    /// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(1.0, [0.0, 0.0, -2.0]);
    /// let arm = Builder::new("pendulum").link(bob).build()?;
    /// let swing = arm.modes_under(&[0.0], &Conditions::all(&arm, JointCondition::Free))?;
    /// assert!((swing.modes[0].squared - 9.81 / 2.0).abs() < 1e-12);
    /// assert!(arm.modes(&[0.0])?.modes.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn modes(&self, q: &[f64]) -> Result<Modes, AnalysisError> {
        self.modes_under(q, &Conditions::default())
    }

    /// Natural frequencies and mode shapes, about the static equilibrium of the links and of the
    /// joints on their springs unless the configuration is taken as given; free joints keep their
    /// given positions, held by constant motor forces.
    pub fn modes_under(&self, q: &[f64], conditions: &Conditions) -> Result<Modes, AnalysisError> {
        conditions.check(self, q)?;
        let q = if conditions.as_given { q.to_vec() } else { self.settled(q, conditions)? };
        self.modes_of(&conditions.moving(self), q, conditions)
    }

    /// The modes of these coordinates, all others held, about a configuration.
    pub(super) fn modes_of(
        &self,
        moving: &[usize],
        q: Vec<f64>,
        conditions: &Conditions,
    ) -> Result<Modes, AnalysisError> {
        let arm = conditions.released(self);
        let chosen = |whole: &DMatrix<f64>| whole.select_rows(moving).select_columns(moving);
        let u = conditions.velocities(&arm);
        let slopes = arm.inverse_derivatives(&q, &u, &vec![0.0; arm.nv()])?;
        let (mass, damping) = (chosen(&slopes.by_ud), chosen(&slopes.by_u));
        let stiffness = Balance::new(&arm, conditions, moving.to_vec()).stiffness(&q);
        for (row, &v) in moving.iter().enumerate() {
            let numbers = stiffness.row(row).into_owned() + mass.row(row) + damping.row(row);
            if let Some(&value) = numbers.iter().find(|number| !number.is_finite()) {
                let coordinate = arm.velocity_names()[v].clone();
                let what = "the stiffness or mass";
                return Err(EvaluationError::NotFinite { what, coordinate, value }.into());
            }
        }
        let (skew, largest) = ((&stiffness - stiffness.transpose()).amax(), stiffness.amax());
        let asymmetry = if largest > 0.0 { skew / largest } else { 0.0 };
        let spectrum = eigen::solve(&symmetric(&stiffness), &mass).map_err(|singular| {
            let coordinate = arm.velocity_names()[moving[singular.row]].clone();
            EvaluationError::SingularMassMatrix { coordinate }
        })?;
        let squared = |k: usize| {
            let value = spectrum.values[k];
            if value.abs() <= spectrum.noise { 0.0 } else { value }
        };
        let spread = |part: DVector<f64>| {
            let mut whole = DVector::zeros(arm.nv());
            for (&v, part) in moving.iter().zip(part.iter()) {
                whole[v] = *part;
            }
            whole
        };
        let modal_damping = spectrum.vectors.transpose() * damping * &spectrum.vectors;
        let modes: Vec<Mode> = (0..moving.len())
            .map(|k| {
                let shape = spectrum.vectors.column(k);
                let frequency = squared(k).max(0.0).sqrt();
                let ratio = 0.5 * modal_damping[(k, k)] / frequency;
                Mode {
                    squared: squared(k),
                    shares: spread(shape.component_mul(&(&mass * shape))),
                    shape: spread(shape.into_owned()),
                    damping_ratio: if frequency > 0.0 { ratio } else { 0.0 },
                }
            })
            .collect();
        check_gyroscopic(&modes, &modal_damping)?;
        Ok(Modes { q, modes, asymmetry })
    }

    /// The equilibrium of everything but the joints that are free.
    fn settled(&self, q: &[f64], conditions: &Conditions) -> Result<Vec<f64>, AnalysisError> {
        let stays = |hold: &JointCondition| {
            if *hold == JointCondition::Free { JointCondition::Locked } else { *hold }
        };
        let holds = conditions.joints.iter().map(stays).collect();
        let held = Conditions { joints: holds, ..conditions.clone() };
        self.static_equilibrium_under(q, &held).map(|rest| rest.q)
    }
}

/// The skew part of `∂bias/∂u` in the shapes must be nothing beside the frequencies.
fn check_gyroscopic(modes: &[Mode], damping: &DMatrix<f64>) -> Result<(), AnalysisError> {
    let largest = damping.amax();
    for a in 0..modes.len() {
        for b in 0..a {
            let skew = 0.5 * (damping[(a, b)] - damping[(b, a)]).abs();
            let (first, second) = (modes[b].frequency(), modes[a].frequency());
            if skew > GYROSCOPIC * (second + largest) {
                return Err(AnalysisError::Gyroscopic { first, second });
            }
        }
    }
    Ok(())
}
