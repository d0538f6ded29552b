//! From a scenario to a simulation: every name is looked up, and every number checked.

mod attitude;
mod controllers;
mod estimator;
mod followers;
mod inputs;
mod plan;
mod record;
mod sensors;
mod shaper;
mod start;
mod stations;

use super::description::{Record, Scenario};
use super::fault::{ScenarioError, ScenarioFault};
use super::fault_kind::ScenarioFaultKind;
use super::place::FaultPlace;
use super::simulation::{DrivenMotors, Plan, Simulation};
use crate::arm::{Arm, Builder};
use crate::control::Continuous;
use crate::name::NameError;
use crate::reproduce::Variant;
use crate::simulate::{Clock, Delay, Diagram, IntegrationMethod, Noted, Signal, SignalError};
use std::sync::Arc;

/// More steps of one length than this are refused.
const MOST_STEPS: f64 = 1e10;

impl Scenario {
    /// Checks all of it; what comes back can be run many times. All faults are told at once.
    pub fn build(&self) -> Result<Simulation, ScenarioError> {
        if let Some(&value) = self.gravity.iter().flatten().find(|number| !number.is_finite()) {
            let (place, key) = (FaultPlace::new("gravity"), "gravity".to_owned());
            let kind = ScenarioFaultKind::NotFinite { key, value };
            let fault = ScenarioFault { place, related: None, is_warning: false, kind };
            return Err(ScenarioError { faults: vec![fault] });
        }
        match self.described_arm().build() {
            Ok(arm) => self.build_with(arm),
            Err(error) => {
                let place = FaultPlace::new("arm");
                let kind = ScenarioFaultKind::Arm(error);
                let fault = ScenarioFault { place, related: None, is_warning: false, kind };
                Err(ScenarioError { faults: vec![fault] })
            }
        }
    }

    /// The same for an arm that has been built from [`described_arm`](Self::described_arm).
    pub fn build_with(&self, arm: impl Into<Arc<Arm>>) -> Result<Simulation, ScenarioError> {
        self.build_planned(arm.into(), None)
    }

    /// The same with a plan that is ready, if there is one.
    pub(super) fn build_planned(
        &self,
        arm: Arc<Arm>,
        plan: Option<Plan>,
    ) -> Result<Simulation, ScenarioError> {
        let _noted = Noted::new();
        let mut bench = Bench::new(self, arm);
        bench.wire(plan);
        if let Some(error) = Noted::take() {
            bench.refuse(&FaultPlace::default(), SignalError::from(error));
        }
        bench.finish()
    }

    /// What the arm is built from: with the gravity of the scenario, and frames at the sections whose
    /// channels are recorded or tell events (`upper@0.6.deflection.z`).
    pub fn described_arm(&self) -> Builder {
        let arm = match self.gravity {
            Some(gravity) => self.arm.clone().gravity(gravity),
            None => self.arm.clone(),
        };
        stations::add(self, arm)
    }

    /// Whether channels of sections are recorded or tell events.
    pub fn has_stations(&self) -> bool {
        stations::are_named(self)
    }
}

/// A simulation in the making.
struct Bench<'a> {
    scenario: &'a Scenario,
    arm: Arc<Arm>,
    diagram: Diagram,
    tip: Option<usize>,
    plan: Option<Plan>,
    controllers: Vec<DrivenMotors>,
    /// Those that act at every instant.
    continuous: Vec<Continuous>,
    method_reason: Option<String>,
    faults: Vec<ScenarioFault>,
}

impl<'a> Bench<'a> {
    fn new(scenario: &'a Scenario, arm: Arc<Arm>) -> Self {
        let diagram = Diagram::new(Arc::clone(&arm), scenario.duration, scenario.record.every);
        Self {
            scenario,
            tip: arm.tip(),
            arm,
            diagram,
            plan: None,
            controllers: Vec::new(),
            continuous: Vec::new(),
            method_reason: None,
            faults: Vec::new(),
        }
    }

    /// Puts everything together, each after what it needs.
    fn wire(&mut self, ready: Option<Plan>) {
        self.equations();
        self.times();
        self.inputs();
        self.state();
        self.sensors();
        if let Some(name) = &self.scenario.tip {
            self.tip = self.frame(&FaultPlace::new("tip"), name);
        }
        let is_ready = ready.is_some();
        self.plan = match &self.scenario.plan {
            Some(plan) if !is_ready => self.make_plan(plan),
            _ => ready,
        };
        self.rest();
        let followers = self.followers();
        if !is_ready {
            self.shape(&followers);
        }
        self.refer_to_plan();
        self.controllers(followers);
        self.plan_is_used();
        self.targets();
        self.selection();
        self.events();
        self.check();
    }

    fn finish(self) -> Result<Simulation, ScenarioError> {
        if self.has_errors() {
            return Err(ScenarioError { faults: self.faults });
        }
        Ok(Simulation {
            scenario: self.scenario.clone(),
            description: self.scenario.described_arm(),
            arm: self.arm,
            diagram: self.diagram,
            tip: self.tip,
            plan: self.plan,
            controllers: self.controllers,
            method_reason: self.method_reason,
            warnings: self.faults,
        })
    }

    fn has_errors(&self) -> bool {
        self.faults.iter().any(|fault| !fault.is_warning)
    }

    fn refuse(&mut self, place: &FaultPlace, kind: impl Into<ScenarioFaultKind>) {
        self.tell(place, kind.into(), false);
    }

    fn warn(&mut self, place: &FaultPlace, kind: impl Into<ScenarioFaultKind>) {
        self.tell(place, kind.into(), true);
    }

    fn tell(&mut self, place: &FaultPlace, kind: ScenarioFaultKind, is_warning: bool) {
        self.faults.push(ScenarioFault { place: place.clone(), related: None, is_warning, kind });
    }

    /// The index of a name.
    fn find(
        &mut self,
        place: &FaultPlace,
        what: &'static str,
        name: &str,
        known: &[String],
    ) -> Option<usize> {
        let found = known.iter().position(|known| known == name);
        if found.is_none() {
            let (name, known) = (name.to_owned(), known.to_vec());
            self.refuse(place, ScenarioFaultKind::Unknown { what, name, known });
        }
        found
    }

    /// The index of a frame.
    fn frame(&mut self, place: &FaultPlace, name: &str) -> Option<usize> {
        let names = self.arm.frames().iter().map(|frame| frame.name().to_owned());
        let names: Vec<String> = names.collect();
        self.find(place, "frame", name, &names)
    }

    /// The index of a velocity coordinate.
    fn velocity(&mut self, place: &FaultPlace, what: &'static str, name: &str) -> Option<usize> {
        let arm = Arc::clone(&self.arm);
        self.find(place, what, name, arm.velocity_names())
    }

    /// The velocity coordinate of a motor; of an elastic joint it is the motor's side.
    fn motor(&mut self, place: &FaultPlace, name: &str) -> Option<usize> {
        let velocity = self.velocity(place, "coordinate", name)?;
        let velocity = self.arm.motor_of(velocity);
        let coordinate = self.arm.velocity_names()[velocity].clone();
        if let Some(why) = self.arm.no_motor_on(velocity) {
            self.refuse(place, ScenarioFaultKind::NoMotor { coordinate, why });
            return None;
        }
        if !self.arm.free_velocities().contains(&velocity) {
            self.refuse(place, ScenarioFaultKind::MotorOfPrescribed { coordinate });
            return None;
        }
        Some(velocity)
    }

    /// A clock of a period and a delay (s), which stand under these keys of a place.
    fn clock(&mut self, place: &FaultPlace, period: f64, delay: f64) -> Option<(Clock, Delay)> {
        let delay = self.not_negative(place, "delay", delay, "s")?;
        let late = if delay == 0.0 { Delay::None } else { Delay::Seconds(delay) };
        let clock = Clock::every(period);
        let delayed = clock.and_then(|clock| clock.delayed(late));
        match (clock, delayed) {
            (Ok(clock), Ok(_)) => return Some((clock, late)),
            (Err(error), _) => self.refuse(&place.key("period"), error),
            (_, Err(error)) => self.refuse(&place.key("delay"), error),
        }
        None
    }

    /// Refuses a number that is below zero, or none.
    fn not_negative(
        &mut self,
        place: &FaultPlace,
        key: &str,
        value: f64,
        unit: &'static str,
    ) -> Option<f64> {
        let value = self.finite(place, key, value)?;
        if value >= 0.0 {
            return Some(value);
        }
        let kind = ScenarioFaultKind::Negative { key: key.to_owned(), value, unit };
        self.refuse(&place.key(key), kind);
        None
    }

    /// Refuses an empty name, and one that breaks the rule for it.
    fn has_name(&mut self, place: &FaultPlace, name: &str, checked: Result<(), NameError>) {
        match checked {
            Ok(()) => {}
            Err(_) if name.is_empty() => {
                self.refuse(&place.key("name"), ScenarioFaultKind::NoName);
            }
            Err(error) => self.refuse(&place.key("name"), error),
        }
    }

    /// Refuses a function of time without sense.
    fn signal(&mut self, place: &FaultPlace, signal: &Signal) -> Option<()> {
        signal.check().map_err(|error| self.refuse(place, error)).ok()
    }

    /// Refuses what is no number.
    fn finite(&mut self, place: &FaultPlace, key: &str, value: f64) -> Option<f64> {
        if value.is_finite() {
            return Some(value);
        }
        let kind = ScenarioFaultKind::NotFinite { key: key.to_owned(), value };
        self.refuse(&place.key(key), kind);
        None
    }

    /// The largest force of a motor (N m, N): as given, and no more than its actuator gives.
    fn limit(&mut self, place: &FaultPlace, given: Option<f64>, velocity: usize) -> Option<f64> {
        let unit = self.arm.velocity_coordinates()[velocity].dimension.units()[3];
        let most = self.arm.force_limits()[velocity];
        match given.filter(|limit| *limit != f64::INFINITY) {
            Some(limit) => Some(self.not_negative(place, "limit", limit, unit)?.min(most)),
            None => Some(most),
        }
    }

    /// The equations by which the arm moves.
    fn equations(&mut self) {
        let (place, variants) = (FaultPlace::new("arm"), &self.scenario.variants);
        match variants.of(&self.arm) {
            Ok(None) => {}
            Ok(Some(variant)) => {
                let no_balance = variants.theodore24.is_empty();
                let parts = if no_balance {
                    "plans, equilibria, the models of controllers, frames and energies"
                } else {
                    "plans, equilibria and the models of controllers"
                };
                self.warn(&place, ScenarioFaultKind::OtherEquations { parts, no_balance });
                self.diagram.arm = Variant::arm(&variant).into();
                self.diagram.dynamics = Some(Box::new(variant));
            }
            Err(error) => self.refuse(&place, ScenarioFaultKind::Unsupported(error)),
        }
    }

    /// Duration, recording interval and integrator.
    fn times(&mut self) {
        let Scenario { duration, record, method, .. } = self.scenario;
        if !(duration.is_finite() && *duration > 0.0) {
            let (key, value) = ("duration".to_owned(), *duration);
            self.refuse(&FaultPlace::new("duration"), ScenarioFaultKind::NoTime { key, value });
        }
        let (key, value) = ("settling_band".to_owned(), self.scenario.settling_band);
        let place = FaultPlace::new(&key);
        if !value.is_finite() {
            self.refuse(&place, ScenarioFaultKind::NotFinite { key, value });
        } else if value < 0.0 {
            self.refuse(&place, ScenarioFaultKind::Negative { key, value, unit: "m" });
        }
        if Clock::every(record.every).is_err() {
            let kind = ScenarioFaultKind::Interval { interval: record.every };
            self.refuse(&FaultPlace::new("record").key("every"), kind);
        } else if duration / record.every > MOST_STEPS {
            let (what, count, length) = ("rows", duration / record.every, record.every);
            let kind = ScenarioFaultKind::TooMany { what, count, length };
            // where nothing is said about rows, the duration is the cause
            let is_usual = *record == Record::default();
            let usual = FaultPlace::new("duration");
            let place = if is_usual { usual } else { FaultPlace::new("record").key("every") };
            self.refuse(&place, kind);
        }
        self.diagram.method = *method;
        let range = |key: &str, value, least, most| {
            let key = key.to_owned();
            ScenarioFaultKind::OutOfRange { key, value, least, most }
        };
        let step = match *method {
            IntegrationMethod::Auto { tolerance }
            | IntegrationMethod::Dop853 { tolerance }
            | IntegrationMethod::Dopri5 { tolerance }
            | IntegrationMethod::Adams { tolerance }
            | IntegrationMethod::Radau5 { tolerance } => {
                if !(1e-15..=0.1).contains(&tolerance) {
                    let kind = range("tolerance", tolerance, 1e-15, 0.1);
                    self.refuse(&FaultPlace::new("tolerance"), kind);
                }
                return;
            }
            IntegrationMethod::Rk4 { step } => step,
            IntegrationMethod::GeneralisedAlpha { step, spectral_radius } => {
                if !(0.0..=1.0).contains(&spectral_radius) {
                    let kind = range("spectral_radius", spectral_radius, 0.0, 1.0);
                    self.refuse(&FaultPlace::new("spectral_radius"), kind);
                }
                step
            }
        };
        let place = FaultPlace::new("step");
        let count = duration / step;
        if !(step.is_finite() && step > 0.0) {
            let key = "step".to_owned();
            self.refuse(&place, ScenarioFaultKind::NoTime { key, value: step });
        } else if count > MOST_STEPS {
            let (what, length) = ("steps", step);
            self.refuse(&place, ScenarioFaultKind::TooMany { what, count, length });
        }
    }

    /// What only the whole tells: names that are taken, jumps, the choice of the integrator.
    fn check(&mut self) {
        if self.has_errors() {
            return;
        }
        if let Err(error) = self.diagram.check() {
            let place = self.place_of(&error);
            self.refuse(&place, error);
            return;
        }
        if let Ok(Some(found)) = self.diagram.arm.ill_conditioned(&self.diagram.q) {
            self.warn(&FaultPlace::new("arm"), found);
        }
        self.method_reason = self.diagram.method.forecast(&self.diagram);
        let is_alpha = matches!(self.diagram.method, IntegrationMethod::GeneralisedAlpha { .. });
        if is_alpha && self.diagram.dynamics.is_some() {
            self.refuse(&FaultPlace::new("method"), ScenarioFaultKind::MethodOfEngine);
        }
    }
}
