//! Controllers with a model of the arm.

mod believed;
mod composite;
mod encoders;
mod horizon;
mod observer;
mod updates;

pub(super) use observer::OBSERVER;

use super::Setup;
use super::controller::{Controller, Law as Kind, Timing};
use super::gains::{gains, share};
use super::plan::Plan;
use super::refusal::CONTROLLER;
use super::sensor::clock;
use super::text::Surroundings;
use super::times::later_time;
use crate::coordinates::{BRAKE, DAMPING, FORCE, PLAIN, PULL, SPRING};
use crate::reader::{Fields, Reader};
use crate::state::Side;
use composite::composite;
use encoders::encoders;
use horizon::horizon;
use observer::observer;
use pliant::control::{
    Composite, ComputedTorque, Decoupling, EnergyTorque, Eyes, GravityPd, Law, LawError, Model,
    Pilot, Situation,
};
use pliant::reproduce::akmehmet::{Effort, EnergyFeedback, Form};
use pliant::simulate::Output;
use updates::{update_period, updates};

/// The laws that need a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ModelLaw {
    /// Springs, dampers and what holds the arm.
    GravityPd(GravityPd),
    /// Computed torque.
    ComputedTorque(ComputedTorque),
    /// King's joint controller.
    Decoupling(Decoupling),
    /// King's composite controllers, of joints and of pseudolinks.
    Composite(Box<Composite>),
    /// Computed torque of least energy.
    EnergyTorque(EnergyTorque),
    /// Adaptive feedback of least energy.
    EnergyFeedback(Box<EnergyFeedback>),
}

impl ModelLaw {
    fn law(&mut self) -> &mut dyn Law {
        match self {
            Self::GravityPd(law) => law,
            Self::ComputedTorque(law) => law,
            Self::Decoupling(law) => law,
            Self::Composite(law) => law.as_mut(),
            Self::EnergyTorque(law) => law,
            Self::EnergyFeedback(law) => law.as_mut(),
        }
    }
}

impl Law for ModelLaw {
    fn start(&mut self) {
        self.law().start();
    }

    fn forces(
        &mut self,
        now: &Situation<'_>,
        model: &mut Model,
        forces: &mut [f64],
    ) -> Result<(), LawError> {
        self.law().forces(now, model, forces)
    }

    fn tells(&self, model: &Model) -> Vec<(String, &'static str)> {
        match self {
            Self::Composite(law) => law.tells(model),
            _ => Vec::new(),
        }
    }

    fn tell(&self, told: &mut [f64]) {
        if let Self::Composite(law) = self {
            law.tell(told);
        }
    }
}

/// Reads a controller of a kind with a model.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    kind: &str,
    fields: &Fields<'_>,
    name: &str,
    setup: &Setup,
) -> Option<Controller> {
    let Some(plan) = &setup.plan else {
        if !reader.has_errors() {
            CONTROLLER.refuse(
                reader,
                fields,
                "kind",
                "it has nothing to follow; give the scenario a [plan]",
            );
        }
        return None;
    };
    let oracle = reader.is_set(fields, "oracle")?;
    let timing = timing(reader, fields, oracle)?;
    let mut inputs = encoders(reader, fields, setup, plan, (oracle, &timing))?;
    let mut model = believed::model(reader, around, fields, setup, plan)?;
    believed::begin(reader, fields, setup, &mut model, oracle);
    let law = law(reader, fields, kind, (setup, plan), &model, &timing)?;
    let eyes = match fields.get("observer") {
        Some(_) if oracle => {
            let message = "both oracle and observer are given; remove observer, or oracle = true";
            CONTROLLER.refuse(reader, fields, "observer", message);
            return None;
        }
        Some(node) => {
            let (from, heard) = ((fields, node), &mut inputs);
            let found = observer(reader, from, (setup, plan), &model, &timing, heard)?;
            Eyes::Observer(Box::new(found))
        }
        None if oracle => Eyes::oracle(&setup.arm, model.arm()),
        None => Eyes::Sensors,
    };
    let limits = match fields.get("limits") {
        Some(_) => gains(reader, fields, "limits", FORCE, setup, plan)?,
        None => vec![f64::INFINITY; plan.velocities.len()],
    };
    // what the actuators cannot give, the law does not ask for
    let motors: Vec<usize> = plan.velocities.iter().map(|&v| setup.arm.motor_of(v)).collect();
    let most = motors.iter().map(|&motor| setup.arm.force_limits()[motor]);
    let limits: Vec<f64> = limits.into_iter().zip(most).map(|(own, most)| own.min(most)).collect();
    let saturation = match fields.get("saturation") {
        Some(_) => share(reader, fields, "saturation")?,
        None => super::tracking::SATURATION,
    };
    let outputs = motors.iter().map(|&v| {
        let unit = Side::Velocity(FORCE).quantity(&setup.arm, v).si;
        let name = format!("{}.force", setup.arm.velocity_names()[v]);
        Output { unit: unit.into(), ..Output::motor(name, v) }
    });
    let mut outputs: Vec<Output> = outputs.collect();
    let pilot = match Pilot::new(law, model, plan.signals.clone(), eyes) {
        Ok(pilot) => pilot.limited(&limits),
        Err(error) => {
            CONTROLLER.refuse(reader, fields, "kind", &error.to_string());
            return None;
        }
    };
    if matches!(timing, Timing::Ticks { .. }) {
        outputs.extend(pilot.tells().into_iter().map(|(name, unit)| Output::new(name, unit)));
    }
    Some(Controller {
        name: name.to_owned(),
        law: Kind::Model(Box::new(pilot)),
        timing,
        oracle,
        inputs,
        outputs,
        limits,
        saturation,
    })
}

/// When it acts.
fn timing(reader: &mut Reader, fields: &Fields<'_>, oracle: bool) -> Option<Timing> {
    if fields.get("period").is_some() {
        let (clock, delay) = clock(reader, fields)?;
        return Some(Timing::Ticks { clock, delay });
    }
    let late = later_time(reader, "delay", fields)?;
    if !oracle || late > 0.0 {
        let message = "it acts at every instant only on the true state and without delay; add period = \"1 ms\", or oracle = true";
        CONTROLLER.refuse(reader, fields, "kind", message);
        return None;
    }
    Some(Timing::Always)
}

/// The law of a kind, with its numbers.
fn law(
    reader: &mut Reader,
    fields: &Fields<'_>,
    kind: &str,
    (setup, plan): (&Setup, &Plan),
    model: &Model,
    timing: &Timing,
) -> Option<ModelLaw> {
    Some(match kind {
        "gravity-pd" => {
            let stiffness = gains(reader, fields, "stiffness", SPRING, setup, plan);
            let damping = gains(reader, fields, "damping", DAMPING, setup, plan);
            ModelLaw::GravityPd(GravityPd { stiffness: stiffness?, damping: damping? })
        }
        "computed-torque" | "decoupling" | "composite" | "pseudolink" => {
            let stiffness = gains(reader, fields, "stiffness", PULL, setup, plan);
            let damping = gains(reader, fields, "damping", BRAKE, setup, plan);
            let (stiffness, damping) = (stiffness?, damping?);
            if kind == "decoupling" {
                let mut law = Decoupling::new(stiffness, damping);
                law.update = update_period(reader, fields, timing)?;
                ModelLaw::Decoupling(law)
            } else if kind != "computed-torque" {
                let leads = kind == "pseudolink";
                let law = composite(reader, fields, model, (stiffness, damping), leads)?;
                ModelLaw::Composite(Box::new(law))
            } else {
                let matrices = updates(reader, fields, timing)?;
                ModelLaw::ComputedTorque(ComputedTorque { stiffness, damping, matrices })
            }
        }
        "energy-torque" => {
            let horizon = horizon(reader, fields, timing)?;
            let matrices = updates(reader, fields, timing)?;
            let mut law = EnergyTorque::new(horizon, matrices);
            law.as_printed = reader.is_set(fields, "as_printed")?;
            ModelLaw::EnergyTorque(law)
        }
        _ => {
            let horizon = horizon(reader, fields, timing)?;
            let matrices = updates(reader, fields, timing)?;
            let mut law = EnergyFeedback::new(horizon, matrices, model.joints().len());
            if reader.choice(fields, "form")? == "syst3" {
                law.form = Form::Syst3;
            }
            if reader.choice(fields, "effort")? == "whole" {
                law.effort = Effort::Whole;
            }
            if fields.get("penalty").is_some() {
                law.penalty = gains(reader, fields, "penalty", PLAIN, setup, plan)?;
            }
            ModelLaw::EnergyFeedback(Box::new(law))
        }
    })
}
