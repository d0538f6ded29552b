//! Adaptive feedback of least energy: Akmehmet 3.2.

use super::coriolis_matrix::LawMatrix;
use crate::arm::Arm;
use crate::control::{
    ControlContext, ControlError, ControlLaw, Course, Horizon, HorizonDescription, LawDescription,
    LawSite, Matrices, MatrixUpdate, MinimumEnergy, Model, PerJoint, common_multiple,
    towards_point,
};
use crate::integrate::{StateVisitor, Stateful};
use crate::linear::multiply_vector;
use nalgebra::{DMatrix, DVector};

/// In which form the model is linear: Akmehmet's IFORM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `τ = J q̈ + k`, SYST1 (4.1) and SYST2 (4.2), which differ only in how `k` is put together:
    /// (3.20) to (3.22).
    Syst2,
    /// `τ = J q̈ + (C + V) q̇ + g + h`, SYST3 (4.3): (3.23) to (3.25), corrected.
    Syst3,
}

/// What is called the control, whose square is the energy. Both give the same forces: they differ by
/// what the model takes for constant, and the integral of the forces over the horizon is fixed by
/// its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The forces of the motors.
    Whole,
    /// The forces without `k`, or without `g + h` in SYST3: they are added afterwards.
    Ideal,
}

/// A matrix and a constant part.
type Affine = (DMatrix<f64>, DVector<f64>);

/// `u = G x + u_o`, (3.17), with gains (3.18) for a linear model (3.15) of the arm where it is. The
/// model is refreshed by its own policy (TUP), the gains by the horizon's (TGAIN); in the form SYST3 a
/// tick with new gains allocates.
#[derive(Clone, Debug)]
pub struct EnergyFeedback {
    /// How far it looks ahead.
    pub horizon: Horizon,
    /// The form of the model.
    pub form: Form,
    /// What counts as effort.
    pub effort: Effort,
    /// `R`, the penalty of each joint's effort.
    pub penalty: Vec<f64>,
    /// Where `J` and `k` come from.
    pub matrices: Matrices,
    course: Course,
    gains: Option<Affine>,
    /// Room for his `C`, once it is asked for.
    coriolis: Option<LawMatrix>,
}

impl EnergyFeedback {
    /// A law with a horizon, in the form SYST2 with ideal efforts of equal penalty: that of Tables
    /// 5.3 and 5.4.
    pub fn new(horizon: Horizon, matrices: Matrices, joints: usize) -> Self {
        Self {
            horizon,
            form: Form::Syst2,
            effort: Effort::Ideal,
            penalty: vec![1.0; joints],
            matrices,
            course: Course::default(),
            gains: None,
            coriolis: None,
        }
    }

    /// `G` and `u_o` of SYST3.
    fn general(&self, time: f64, u: &[f64]) -> Result<Option<Affine>, ControlError> {
        let terms = self.matrices.mass().zip(self.matrices.rate_terms(u));
        let Some((mass, (rates, holding))) = terms else {
            return Ok(None);
        };
        let n = mass.nrows();
        let Some(inverse) = mass.clone().try_inverse() else {
            return Err(ControlError::NoInertia { time });
        };
        let mut a = DMatrix::zeros(2 * n, 2 * n);
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, n), (n, n)).copy_from(&-(&inverse * &rates));
        let mut b = DMatrix::zeros(2 * n, n);
        b.view_mut((n, 0), (n, n)).copy_from(&inverse);
        let mut constant = DVector::zeros(2 * n);
        if self.effort == Effort::Whole {
            constant.rows_mut(n, n).copy_from(&-(&inverse * &holding));
        }
        let penalty = DMatrix::from_diagonal(&DVector::from_column_slice(&self.penalty));
        let gains = MinimumEnergy::new(&a, &b, &penalty, self.course.left);
        let gains = gains.map_err(|source| ControlError::NoGains { time, source })?;
        let part = |k: usize| self.course.target.iter().map(move |target| target[k]);
        let target = DVector::from_iterator(2 * n, part(0).chain(part(1)));
        let mut open = gains.open_loop(&target, &constant);
        if self.effort == Effort::Ideal {
            open += holding;
        }
        Ok(Some((gains.feedback, open)))
    }
}

impl ControlLaw for EnergyFeedback {
    fn joints(&self) -> Option<usize> {
        Some(self.penalty.len())
    }

    fn prepare(&mut self, model: Option<&Model>) {
        self.matrices.prepare(model);
        self.coriolis = None;
    }

    fn start(&mut self) {
        self.matrices.forget();
        self.course = Course::default();
        (self.gains, self.coriolis) = (None, None);
    }

    fn cycle(&self, period: f64) -> u64 {
        common_multiple(self.horizon.cycle(period), self.matrices.cycle(period))
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.matrices.visit_state(state);
        self.course.visit_state(state, self.matrices.joints());
        let n = self.matrices.joints();
        state.option(&mut self.gains, Default::default, |state, (feedback, open): &mut Affine| {
            state.matrix(feedback, n, 2 * n);
            state.vector(open, n);
        });
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        if self.form == Form::Syst3 {
            let Self { coriolis, matrices, .. } = self;
            let coriolis = coriolis.get_or_insert_with(|| LawMatrix::new(model.arm()));
            let mut evaluate = |arm: &Arm, q: &[f64], u: &[f64], matrix: &mut [f64]| {
                coriolis.evaluate(arm, q, u, matrix);
            };
            matrices.refresh(now, model, Some(&mut evaluate));
        } else {
            self.matrices.refresh(now, model, None);
        }
        let renewed = self.horizon.renew(&mut self.course, now);
        if self.form == Form::Syst3 {
            if renewed || self.gains.is_none() {
                self.gains = self.general(now.t, now.u)?;
            }
            if let Some((feedback, open)) = &self.gains {
                let count = now.q.len();
                let state = |k: usize| if k < count { now.q[k] } else { now.u[k - count] };
                multiply_vector(feedback, state, forces);
                for (force, open) in forces.iter_mut().zip(open.iter()) {
                    *force += open;
                }
            }
            return Ok(());
        }
        // without C the gains of least energy are those of a mass each, whatever R
        let Course { left, target, .. } = &self.course;
        let desired = |k: usize| towards_point([now.q[k], now.u[k]], target[k], *left);
        self.matrices.forces(desired, now.u, forces);
        Ok(())
    }
}

/// [`EnergyFeedback`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyFeedbackDescription {
    /// The prediction horizon.
    pub horizon: HorizonDescription,
    /// When the matrices of the model are computed anew.
    pub update: MatrixUpdate,
    /// The form of the model.
    pub form: Form,
    /// What counts as effort.
    pub effort: Effort,
    /// `R`, the penalty of each joint's effort.
    pub penalty: PerJoint,
}

impl LawDescription for EnergyFeedbackDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let horizon = self.horizon.horizon(site)?;
        let matrices = self.update.matrices(site)?;
        let penalty = site.numbers("penalty", &self.penalty)?;
        let (form, effort) = (self.form, self.effort);
        let law = EnergyFeedback::new(horizon, matrices, penalty.len());
        Some(Box::new(EnergyFeedback { form, effort, penalty, ..law }))
    }
}
