//! Controllers with a model of the arm.

mod own_model;
mod composite;
mod encoders;
mod horizon;
mod estimator;
mod updates;

use super::controller::{ControllerKeys, Ticks};
use super::gains::gains;
use super::refusal::CONTROLLER;
use super::sensor::clock;
use super::shapes::{ArmOrPath, Lasting, Names, Sensors, Share};
use super::text::Surroundings;
use crate::coordinates::FORCE;
use crate::reader::Reader;
use crate::shapes::{
    AsWritten, Flag, Flat, JointBrake, JointDamping, JointForce, JointPlain, JointPull,
    JointStiffness, OfCoordinates, One, Word, words,
};
use crate::state::Side;
use crate::table::{Field, table};
pub(crate) use composite::{CompositeKeys, PseudolinkKeys};
use encoders::encoders;
use estimator::{EstimatorTable, estimator};
use horizon::{HorizonKeys, horizon};
use pliant::control::{
    ComputedTorque, ControlLaw, Controller, Decoupling, EnergyTorque, GravityPd, Model, StateSource,
};
use pliant::reproduce::akmehmet::{Effort, EnergyFeedback, Form};
use pliant::scenario::Simulation;
use pliant::scenario::{ControllerBlock, Plan, SATURATION, Timing};
use pliant::simulate::BlockOutput;
use std::ops::Range;
use updates::{UpdatePeriod, Updates, update_period, updates};

table! {
    /// When laws act that may do without a clock.
    pub(crate) struct MayTick = "ticks that may be left out", "write period = \"1 ms\"";
    keys {
        /// The sampling period.
        period: Lasting [or "continuous, with full_state = true"],
    }
}

table! {
    /// What every controller with a model has. Its targets are those of the plan.
    pub(crate) struct WithModel = "a controller with a model", "write full_state = true";
    formerly { "oracle" => "full_state", "observer" => "estimator" }
    keys {
        /// Whether it uses the full state instead of sensors.
        full_state: Flag [= false],
        /// The encoders of the joints of the plan, by name, in any order, and strain gauges for an
        /// estimator; not with full_state = true.
        sensors: Names<Sensors> [or "required, unless full_state = true"],
        /// Estimates unmeasured states, above all modal coordinates, from its sensors and its
        /// model.
        estimator: One<EstimatorTable> [or "unmeasured states are taken at rest"],
        /// Its model of the arm: the path of a file, relative to the folder of the scenario, or the
        /// arm itself. Joints are matched by name.
        model: AsWritten<ArmOrPath> [or "that of the scenario"],
        /// Whether its model includes the loads of the scenario.
        knows_loads: Flag [= false],
        /// The largest force of each motor by name, in both directions.
        limits: OfCoordinates<JointForce> [or "none"],
        /// The fraction of the run for which a motor may saturate without a warning.
        saturation: Share [= SATURATION],
    }
}

table! {
    /// A spring and a damper as accelerations.
    pub(crate) struct Gains = "gains", "write stiffness = 100 and damping = 20";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// Proportional gain, acceleration per error: one number, or one for each joint by name.
        stiffness: OfCoordinates<JointPull> [required],
        /// Derivative gain, acceleration per error rate: one number, or one for each joint by name.
        damping: OfCoordinates<JointBrake> [required],
    }
}

table! {
    /// Proportional-derivative control of each joint to the plan, plus gravity compensation by the
    /// model.
    pub(crate) struct GravityPdKeys = "gravity-pd",
        "write stiffness = { upper = 100 } and damping = { upper = 10 }";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// Proportional gain of each joint by name.
        stiffness: OfCoordinates<JointStiffness> [required],
        /// Derivative gain of each joint by name.
        damping: OfCoordinates<JointDamping> [required],
    }
}

table! {
    /// Inverse dynamics of the model with feedback: Akmehmet (3.6), King (4-2).
    pub(crate) struct ComputedTorqueKeys = "computed-torque", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
    }
}

table! {
    /// Computed torque for flexible links: the joints move as if the links were rigid, King (4-6).
    /// Modal coordinates come from full_state = true or an estimator; otherwise they are taken at
    /// rest.
    pub(crate) struct DecouplingKeys = "decoupling", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// When matrices are computed anew.
        updates: Flat<UpdatePeriod> [flat],
    }
}

table! {
    /// Minimum-energy computed torque: Akmehmet (3.11).
    pub(crate) struct EnergyTorqueKeys = "energy-torque", "write horizon = \"40 ms\"";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// The prediction horizon.
        horizon: Flat<HorizonKeys> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
        /// Whether the end of a window replaces the present in (3.11), as in Table 5.2.
        as_printed: Flag [= false],
    }
}

/// Akmehmet's forms of the model by name; the first two give the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Syst {
    One,
    Two,
    Three,
}

words! { Syst: "syst1" => Syst::One, "syst2" => Syst::Two, "syst3" => Syst::Three }

words! { Effort: "ideal" => Effort::Ideal, "whole" => Effort::Whole }

table! {
    /// Adaptive minimum-energy feedback: Akmehmet (3.15) to (3.18).
    pub(crate) struct EnergyFeedbackKeys = "energy-feedback", "write horizon = \"40 ms\"";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// The prediction horizon.
        horizon: Flat<HorizonKeys> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
        /// The form of the model.
        form: Word<Syst> [= Syst::Two],
        /// The penalised effort: "whole", the total force, or "ideal", the force minus that of the
        /// model at zero acceleration; both give the same forces.
        effort: Word<Effort> [= Effort::Ideal],
        /// The weight of the effort of each joint, for form = "syst3": one number, or one for each
        /// joint by name.
        penalty: OfCoordinates<JointPlain> [or "1"],
    }
}

/// What a law is for: the plan that it follows, its model, and when it acts.
pub(super) struct Job<'a> {
    setup: &'a Simulation,
    plan: &'a Plan,
    model: &'a Model,
    timing: &'a Timing,
    /// Where its kind stands, for what cannot be said of a key.
    kind: &'a Range<usize>,
}

/// The keys of a law with a model.
pub(super) trait ModelLawKeys {
    /// The sampling period.
    fn period(&self) -> &Field<f64>;

    /// Its measurements and its model.
    fn model(&self) -> &WithModel;

    /// The law, with its numbers.
    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>>;
}

/// The keys of a law say what every law with a model says by these.
macro_rules! shared_keys {
    () => {
        fn period(&self) -> &$crate::table::Field<f64> {
            &self.ticks.period
        }
        fn model(&self) -> &$crate::scenario::model_law::WithModel {
            &self.model
        }
    };
}
use shared_keys;

/// A controller with a model, which follows the plan.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    (keys, law): (&ControllerKeys, &dyn ModelLawKeys),
    setup: &Simulation,
) -> Option<ControllerBlock> {
    let kind = &keys.kind;
    let Some(plan) = &setup.plan else {
        if !reader.has_errors() {
            let help = "give the scenario a [plan]";
            CONTROLLER.refuse(reader, kind.clone(), "it has nothing to follow", help);
        }
        return None;
    };
    let own = law.model();
    let full_state = own.full_state.value?;
    let timing = timing(reader, (keys, law.period()), full_state)?;
    let mut inputs = encoders(reader, (own, kind), (setup, plan), &timing)?;
    let mut model = own_model::model(reader, around, (own, kind), setup, plan)?;
    own_model::begin(reader, kind, setup, &mut model, full_state);
    let law = law.law(reader, &Job { setup, plan, model: &model, timing: &timing, kind })?;
    let source = match own.estimator.given() {
        Some(place) if full_state => {
            let message = "both full_state and estimator are given";
            let help = "remove estimator, or full_state = true";
            CONTROLLER.refuse(reader, place.value.clone(), message, help);
            return None;
        }
        Some(_) => {
            let job = Job { setup, plan, model: &model, timing: &timing, kind };
            StateSource::Estimator(Box::new(estimator(reader, own, &job, &mut inputs)?))
        }
        None if full_state => StateSource::full_state(&setup.arm, model.arm()),
        None => StateSource::Sensors,
    };
    let limits = if own.limits.is_given() {
        gains(reader, &own.limits, Some(f64::INFINITY), (setup, plan))?
    } else {
        vec![f64::INFINITY; plan.velocities.len()]
    };
    // what the actuators cannot give, the law does not ask for
    let motors: Vec<usize> = plan.velocities.iter().map(|&v| setup.arm.motor_of(v)).collect();
    let most = motors.iter().map(|&motor| setup.arm.force_limits()[motor]);
    let limits: Vec<f64> = limits.into_iter().zip(most).map(|(own, most)| own.min(most)).collect();
    let outputs = motors.iter().map(|&v| {
        let unit = Side::Velocity(FORCE).quantity(&setup.arm, v).si;
        let name = format!("{}.force", setup.arm.velocity_names()[v]);
        BlockOutput { unit: unit.into(), ..BlockOutput::motor(name, v) }
    });
    let mut outputs: Vec<BlockOutput> = outputs.collect();
    let joints = model.joints().to_vec();
    let controller = match Controller::new(law, model, plan.signals.clone(), source) {
        Ok(controller) => controller.limited(&limits),
        Err(error) => {
            CONTROLLER.refuse_error(reader, kind.clone(), &error);
            return None;
        }
    };
    if matches!(timing, Timing::Ticks { .. }) {
        outputs.extend(controller.telemetry().into_iter().map(|mut output| {
            // the joints of the model are those of the plan, whose arm may be another
            if let Some((index, _)) = &mut output.coordinate
                && let Some(k) = joints.iter().position(|joint| joint == index)
            {
                *index = plan.velocities[k];
            }
            output
        }));
    }
    Some(ControllerBlock {
        name: keys.name.get()?.clone(),
        controller,
        follows_plan: true,
        targets: Vec::new(),
        timing,
        full_state,
        inputs,
        outputs,
        limits,
        saturation: own.saturation.value?,
    })
}

/// When it acts.
fn timing(
    reader: &mut Reader,
    (keys, period): (&ControllerKeys, &Field<f64>),
    full_state: bool,
) -> Option<Timing> {
    if period.is_given() {
        let (clock, delay) = clock(reader, period, &keys.delay)?;
        return Some(Timing::Ticks { clock, delay });
    }
    if !full_state || keys.delay.value? > 0.0 {
        let message = "it acts at every instant only on the true state and without delay";
        let help = "add period = \"1 ms\", or full_state = true";
        CONTROLLER.refuse(reader, keys.kind.clone(), message, help);
        return None;
    }
    Some(Timing::Always)
}

impl Gains {
    /// Stiffness and damping of the joints of the plan.
    fn of(&self, reader: &mut Reader, job: &Job<'_>) -> Option<(Vec<f64>, Vec<f64>)> {
        let stiffness = gains(reader, &self.stiffness, None, (job.setup, job.plan));
        let damping = gains(reader, &self.damping, None, (job.setup, job.plan));
        Some((stiffness?, damping?))
    }
}

impl ModelLawKeys for GravityPdKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let stiffness = gains(reader, &self.stiffness, None, (job.setup, job.plan));
        let damping = gains(reader, &self.damping, None, (job.setup, job.plan));
        Some(Box::new(GravityPd { stiffness: stiffness?, damping: damping? }))
    }
}

impl ModelLawKeys for ComputedTorqueKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = self.gains.of(reader, job)?;
        let matrices = updates(reader, &self.updates, job)?;
        Some(Box::new(ComputedTorque { stiffness, damping, matrices }))
    }
}

impl ModelLawKeys for DecouplingKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = self.gains.of(reader, job)?;
        let mut law = Decoupling::new(stiffness, damping);
        law.update = update_period(reader, &self.updates, job)?;
        Some(Box::new(law))
    }
}

impl ModelLawKeys for EnergyTorqueKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let horizon = horizon(reader, &self.horizon, job)?;
        let matrices = updates(reader, &self.updates, job)?;
        let mut law = EnergyTorque::new(horizon, matrices);
        law.as_printed = self.as_printed.value?;
        Some(Box::new(law))
    }
}

impl ModelLawKeys for EnergyFeedbackKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let horizon = horizon(reader, &self.horizon, job)?;
        let matrices = updates(reader, &self.updates, job)?;
        let mut law = EnergyFeedback::new(horizon, matrices, job.model.joints().len());
        law.form = match self.form.value? {
            Syst::One | Syst::Two => Form::Syst2,
            Syst::Three => Form::Syst3,
        };
        law.effort = self.effort.value?;
        if self.penalty.is_given() {
            law.penalty = gains(reader, &self.penalty, None, (job.setup, job.plan))?;
        }
        Some(Box::new(law))
    }
}
