//! Adaptive feedback of least energy: Akmehmet 3.2.

use super::coriolis_matrix::LawMatrix;
use crate::arm::Arm;
use crate::control::{
    ControlContext, ControlError, ControlLaw, Course, Horizon, HorizonDescription, LawDescription,
    LawSite, Matrices, MatrixUpdate, MinimumEnergy, Model, PerJoint, common_multiple,
    towards_point,
};
use crate::integrate::{StateVisitor, Stateful};
use crate::linear::{multiply_vector, reshape, reshape_vector};
use crate::simulate::{BlockOutput, Telemetry};
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

/// What is called the control, whose square is the energy. Gains of the same instant give the same
/// forces with both: they differ by what the model takes for constant, and the integral of the forces
/// over the horizon is fixed by its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The forces of the motors. What the model takes for constant, `k` or in SYST3 `g + h`, is
    /// part of `a_0`, and is held with the gains.
    Whole,
    /// The idealised torque, without `k`, or without `g + h` in SYST3: these are added afterwards,
    /// as the model has them last.
    Ideal,
}

/// The gains of an instant, with what they were made from.
#[derive(Clone, Debug, Default)]
struct Gains {
    /// `J`.
    mass: DMatrix<f64>,
    /// `G` by places and rates; empty in SYST2, where it is that of a mass each.
    feedback: DMatrix<f64>,
    /// `u_o`; in SYST2 without that of a mass each.
    open: DVector<f64>,
}

/// `u = G x + u_o`, (3.17), with gains (3.18) for a linear model (3.15) of the arm. The model is
/// refreshed by its own policy (TUP). The horizon renews the gains (TGAIN), from the model as it is then:
/// they are held together with the `J` that they were made from, while the `k` that is added to
/// idealised torques is always the model's last. In the form SYST3 a tick with new gains allocates.
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
    gains: Option<Gains>,
    /// `u` of the last tick.
    control: Vec<f64>,
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
            control: vec![0.0; joints],
            coriolis: None,
        }
    }

    /// Makes the gains from the model as it is, at a time (s) and with rates of the joints.
    fn renew(&mut self, time: f64, u: &[f64]) -> Result<(), ControlError> {
        let Some(mass) = self.matrices.mass() else { return Ok(()) };
        if self.form == Form::Syst3 {
            self.gains = self.general(time, u)?;
            return Ok(());
        }
        let n = mass.nrows();
        let gains = self.gains.get_or_insert_default();
        reshape(&mut gains.mass, n, n);
        gains.mass.copy_from(mass);
        reshape_vector(&mut gains.open, n);
        gains.open.fill(0.0);
        if self.effort == Effort::Whole {
            self.matrices.add_bias(u, gains.open.as_mut_slice());
        }
        Ok(())
    }

    /// The gains of SYST3.
    fn general(&self, time: f64, u: &[f64]) -> Result<Option<Gains>, ControlError> {
        let terms = self.matrices.mass().zip(self.matrices.rate_matrix(u));
        let Some(((mass, rates), holding)) = terms.zip(self.matrices.holding()) else {
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
            constant.rows_mut(n, n).copy_from(&-(&inverse * holding));
        }
        let penalty = DMatrix::from_diagonal(&DVector::from_column_slice(&self.penalty));
        let gains = MinimumEnergy::new(&a, &b, &penalty, self.course.left);
        let gains = gains.map_err(|source| ControlError::NoGains { time, source })?;
        let part = |k: usize| self.course.target.iter().map(move |target| target[k]);
        let target = DVector::from_iterator(2 * n, part(0).chain(part(1)));
        let open = gains.open_loop(&target, &constant);
        Ok(Some(Gains { mass: mass.clone(), feedback: gains.feedback, open }))
    }

    /// The gains of a joint's effort on the place and the rate of another one.
    fn gain(&self, gains: &Gains, i: usize, j: usize) -> [f64; 2] {
        match self.form {
            Form::Syst2 => [[1.0, 0.0], [0.0, 1.0]]
                .map(|state| gains.mass[(i, j)] * towards_point(state, [0.0; 2], self.course.left)),
            Form::Syst3 => [j, gains.mass.ncols() + j].map(|column| gains.feedback[(i, column)]),
        }
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
        let rows = if self.form == Form::Syst3 { n } else { 0 };
        state.option(&mut self.gains, Default::default, |state, gains: &mut Gains| {
            state.matrix(&mut gains.mass, n, n);
            state.matrix(&mut gains.feedback, rows, 2 * rows);
            state.vector(&mut gains.open, n);
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
        if self.horizon.renew(&mut self.course, now) || self.gains.is_none() {
            self.renew(now.t, now.u)?;
        }
        let Some(gains) = &self.gains else { return Ok(()) };
        if self.form == Form::Syst3 {
            let count = now.q.len();
            let state = |k: usize| if k < count { now.q[k] } else { now.u[k - count] };
            multiply_vector(&gains.feedback, state, forces);
        } else {
            // without C the gains of least energy are those of a mass each, whatever R
            let Course { left, target, .. } = &self.course;
            let desired = |k: usize| towards_point([now.q[k], now.u[k]], target[k], *left);
            multiply_vector(&gains.mass, desired, forces);
        }
        for (force, open) in forces.iter_mut().zip(gains.open.iter()) {
            *force += open;
        }
        self.control.clear();
        self.control.extend_from_slice(forces);
        match (self.effort, self.form) {
            (Effort::Whole, _) => {}
            (Effort::Ideal, Form::Syst2) => self.matrices.add_bias(now.u, forces),
            (Effort::Ideal, Form::Syst3) => {
                let holding = self.matrices.holding().into_iter().flat_map(DVector::iter);
                for (force, holding) in forces.iter_mut().zip(holding) {
                    *force += holding;
                }
            }
        }
        Ok(())
    }

    /// For each joint its effort `u`, its gains on the place and the rate of every joint, and its
    /// row of the `J` that they were made from, up to the diagonal.
    fn telemetry(&self, model: Option<&Model>) -> Vec<BlockOutput> {
        let Some(model) = model else { return Vec::new() };
        let coordinates = model.arm().velocity_coordinates();
        let joints = || model.joints().iter().map(|&v| &coordinates[v]);
        let mut all = Vec::new();
        for (i, joint) in joints().enumerate() {
            let [.., force] = joint.dimension.units();
            let mut tell = |telemetry, name: String, unit: String| {
                let coordinate = Some((joint.index, joint.role));
                let output = BlockOutput::new(format!("{}.{name}", joint.name), unit);
                all.push(BlockOutput { telemetry, coordinate, ..output });
            };
            tell(Telemetry::Effort, "effort".into(), force.into());
            for other in joints() {
                let ([place, ..], name) = (other.dimension.units(), &other.name);
                tell(Telemetry::Gain, format!("gain.{name}"), format!("{force}/{place}"));
                let unit = format!("{force} s/{place}");
                tell(Telemetry::RateGain, format!("gain.{name}.rate"), unit);
            }
            for other in joints().take(i + 1) {
                let ([place, ..], name) = (other.dimension.units(), &other.name);
                let unit = format!("{force} s^2/{place}");
                tell(Telemetry::Inertia, format!("inertia.{name}"), unit);
            }
        }
        all
    }

    fn write_telemetry(&self, told: &mut [f64]) {
        let Some(gains) = &self.gains else { return };
        let n = gains.mass.nrows();
        let values = (0..n).flat_map(|i| {
            let gain = (0..n).flat_map(move |j| self.gain(gains, i, j));
            let inertia = (0..=i).map(move |j| gains.mass[(i, j)]);
            [self.control[i]].into_iter().chain(gain).chain(inertia)
        });
        for (told, value) in told.iter_mut().zip(values) {
            *told = value;
        }
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
