//! Laws with a model that follow the plan.

use super::Bench;
use super::controllers::Wiring;
use crate::arm::{Arm, BuildError, Builder};
use crate::control::{Controller, LawError, LawFault, LawSite, Model, StateSource};
use crate::dynamics::loads::Load;
use crate::scenario::controller_description::{
    ControllerDescription, ControllerKind, Measurements, PlanFollower,
};
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::scenario::simulation::Plan;
use crate::simulate::{BlockInput, Clock, Delay, SensorQuantity};
use std::sync::Arc;

/// A controller that follows the plan, as far as the plan does not matter.
pub(super) struct Follower<'a> {
    /// Its number among the controllers.
    pub(super) item: usize,
    pub(super) place: FaultPlace,
    pub(super) description: &'a PlanFollower,
    /// Its clock; none where it acts at every instant.
    pub(super) timing: Option<(Clock, Delay)>,
    /// The encoders of the joints of the plan, by index, in their order; all sensors of an estimator
    /// of one's own.
    pub(super) encoders: Vec<usize>,
    model: Model,
}

impl Measurements {
    /// The sensors, by name.
    pub(super) fn names(&self) -> Option<&[String]> {
        match self {
            Self::FullState => None,
            Self::Sensors(names) | Self::Estimator(names, _) | Self::Own(names, _) => Some(names),
        }
    }
}

impl<'a> Bench<'a> {
    /// The controllers that follow the plan, without their laws.
    pub(super) fn followers(&mut self) -> Vec<Follower<'a>> {
        let controllers: &'a [ControllerDescription] = &self.scenario.controllers;
        let Some(plan) = self.plan.clone() else {
            for (item, controller) in controllers.iter().enumerate() {
                let follows = matches!(controller.kind, ControllerKind::Follow(_));
                if follows && self.scenario.plan.is_none() {
                    let place = controller.place(item).key("kind");
                    self.refuse(&place, ScenarioFaultKind::NothingToFollow);
                }
            }
            return Vec::new();
        };
        let mut followers = Vec::new();
        for (item, controller) in controllers.iter().enumerate() {
            if let ControllerKind::Follow(follower) = &controller.kind {
                followers.extend(self.follower(item, controller, follower, &plan));
            }
        }
        followers
    }

    fn follower(
        &mut self,
        item: usize,
        controller: &ControllerDescription,
        description: &'a PlanFollower,
        plan: &Plan,
    ) -> Option<Follower<'a>> {
        let place = controller.place(item);
        if matches!(&description.measures, Measurements::Sensors(names) if names.is_empty()) {
            self.refuse(&place.key("kind"), ScenarioFaultKind::NoSensors);
            return None;
        }
        let full_state = matches!(description.measures, Measurements::FullState);
        let timing = if let Some(period) = controller.period {
            Some(self.clock(&place, period, controller.delay)?)
        } else if full_state && controller.delay == 0.0 {
            None
        } else {
            self.refuse(&place.key("kind"), ScenarioFaultKind::Continuous);
            return None;
        };
        let encoders = match description.measures.names() {
            None => Vec::new(),
            Some(names) if matches!(description.measures, Measurements::Own(..)) => {
                let found = self.sensors_by_name(&place.key("sensors"), names)?;
                self.are_fast_enough(&place.key("sensors"), &found, timing);
                found
            }
            Some(names) => {
                let has_estimator = matches!(description.measures, Measurements::Estimator(..));
                self.encoders(&place, names, has_estimator, plan, timing)?
            }
        };
        let mut model = self.model(&place, description, plan)?;
        self.begin(&place, &mut model, full_state);
        Some(Follower { item, place, description, timing, encoders, model })
    }

    /// The encoders of the joints, in their order.
    fn encoders(
        &mut self,
        place: &FaultPlace,
        names: &[String],
        has_estimator: bool,
        plan: &Plan,
        timing: Option<(Clock, Delay)>,
    ) -> Option<Vec<usize>> {
        let (arm, place) = (Arc::clone(&self.arm), place.key("sensors"));
        if names.is_empty() {
            self.refuse(&place, ScenarioFaultKind::NoSensors);
            return None;
        }
        let found = self.sensors_by_name(&place, names)?;
        let mut encoders = Vec::new();
        for &v in &plan.velocities {
            // of an elastic joint an encoder on either side will do
            let sides = [v, arm.motor_of(v)].map(|v| arm.coordinate_of(v));
            let measures = |&&i: &&usize| match self.diagram.sensors[i].quantity {
                SensorQuantity::Coordinate(measured) => sides.contains(&Some(measured)),
                _ => false,
            };
            let Some(&sensor) = found.iter().find(measures) else {
                let joint = arm.velocity_names()[v].clone();
                self.refuse(&place, ScenarioFaultKind::NoEncoder { joint });
                return None;
            };
            encoders.push(sensor);
        }
        self.are_fast_enough(&place, &encoders, timing);
        let named = |sensor: usize| self.diagram.sensors[sensor].name.clone();
        let twice = found.iter().enumerate().find(|(k, sensor)| found[..*k].contains(sensor));
        let unused = |sensor: &&usize| !has_estimator && !encoders.contains(sensor);
        let kind = if let Some((_, &sensor)) = twice {
            ScenarioFaultKind::SensorTwice { sensor: named(sensor) }
        } else if let Some(&sensor) = found.iter().find(unused) {
            ScenarioFaultKind::UselessSensor { sensor: named(sensor) }
        } else {
            return Some(encoders);
        };
        self.refuse(&place, kind);
        None
    }

    /// Sensors, by index.
    pub(super) fn sensors_by_name(
        &mut self,
        place: &FaultPlace,
        names: &[String],
    ) -> Option<Vec<usize>> {
        let find = |(item, name): (usize, &String)| self.sensor_by_name(&place.item(item), name);
        names.iter().enumerate().map(find).collect::<Vec<_>>().into_iter().collect()
    }

    /// Warns of sensors that measure more seldom than they are read.
    pub(super) fn are_fast_enough(
        &mut self,
        place: &FaultPlace,
        sensors: &[usize],
        timing: Option<(Clock, Delay)>,
    ) {
        let Some((clock, _)) = timing else { return };
        let fast = clock.period();
        let sensors = sensors.iter().map(|&sensor| &self.diagram.sensors[sensor]);
        let late: Vec<_> = sensors.filter(|sensor| sensor.clock.period() > fast).collect();
        let slow = late.iter().map(|sensor| sensor.clock.period()).fold(0.0, f64::max);
        let sensors: Vec<String> = late.iter().map(|sensor| sensor.name.clone()).collect();
        if !sensors.is_empty() {
            self.warn(place, ScenarioFaultKind::SlowSensors { sensors, slow, fast });
        }
    }

    /// The model with the joints of the plan.
    fn model(&mut self, place: &FaultPlace, follower: &PlanFollower, plan: &Plan) -> Option<Model> {
        let arm = Arc::clone(&self.arm);
        let place_of_model = place.key("model");
        let own = match &follower.model {
            None => rigid(Arm::clone(&arm), &self.scenario.arm),
            Some(description) => {
                let built = Builder::clone(description).build();
                built.and_then(|model| rigid(model, description))
            }
        };
        let own = match own {
            Ok(own) => own.with_gravity(arm.gravity()),
            Err(error) => {
                self.refuse(&place_of_model, ScenarioFaultKind::ModelArm(error));
                return None;
            }
        };
        let mut joints = Vec::new();
        for &v in &plan.velocities {
            let name = &arm.velocity_names()[v];
            let Some(joint) = own.velocity_names().iter().position(|known| known == name) else {
                let kind = ScenarioFaultKind::ModelLacksJoint { joint: name.clone() };
                self.refuse(&place_of_model, kind);
                return None;
            };
            joints.push(joint);
        }
        let mut loads = Vec::new();
        if follower.knows_loads {
            for push in &self.diagram.loads {
                let name = arm.frames()[push.frame].name();
                let Ok(frame) = own.frame(name) else {
                    let kind = ScenarioFaultKind::ModelLacksFrame { frame: name.to_owned() };
                    self.refuse(&place.key("knows_loads"), kind);
                    return None;
                };
                let load = Load { frame, wrench: push.wrench, axes: push.axes };
                loads.push((load, push.signal.clone()));
            }
        }
        match Model::new(own, &joints) {
            Ok(model) => Some(model.knowing(loads)),
            Err(error) => {
                self.refuse(&place.key("kind"), error);
                None
            }
        }
    }

    /// Puts the joints that nothing measures where they start, and says which of them will move on.
    fn begin(&mut self, place: &FaultPlace, model: &mut Model, full_state: bool) {
        let arm = model.arm();
        let free = arm.free_velocities();
        let prescribed = (0..arm.nv()).find(|v| !free.contains(v)).filter(|_| !full_state);
        if let Some(v) = prescribed {
            let joint = arm.velocity_names()[v].clone();
            self.warn(&place.key("kind"), ScenarioFaultKind::PrescribedUnseen { joint });
        }
        let mut q = arm.neutral();
        let source = StateSource::full_state(&self.arm, arm);
        if let StateSource::FullState { coordinates, .. } = source {
            for (plant, own) in coordinates {
                q[own] = self.diagram.q[plant];
            }
        }
        let rest = vec![0.0; arm.nv()];
        model.set_estimate(&q, &rest);
    }

    /// The law of a follower, wired to its plan.
    pub(super) fn follow(
        &mut self,
        controller: &ControllerDescription,
        follower: Follower<'_>,
    ) -> Option<()> {
        let Follower { place, description, timing, encoders, model, .. } = follower;
        let (arm, plan) = (Arc::clone(&self.arm), self.plan.clone()?);
        let names = arm.velocity_names();
        let joints: Vec<String> = plan.velocities.iter().map(|&v| names[v].clone()).collect();
        let full_state = matches!(description.measures, Measurements::FullState);
        let mut site = LawSite {
            model: &model,
            joints: joints.clone(),
            known: names,
            period: timing.map(|(clock, _)| clock.period()),
            sees_bending: !matches!(description.measures, Measurements::Sensors(_)),
            faults: Vec::new(),
        };
        let law = description.law.law(&mut site);
        let count = self.faults.len();
        for LawFault { key, item, error, is_warning } in site.faults {
            let at = if key.is_empty() { place.key("kind") } else { place.key(key) };
            let at = item.map_or_else(|| at.clone(), |item| at.item(item));
            self.tell(&at, error.into(), is_warning);
        }
        let Some(law) = law else {
            if self.faults[count..].iter().all(|fault| fault.is_warning) {
                self.refuse(&place.key("kind"), LawError::Untold);
            }
            return None;
        };
        if timing.is_none() && !law.acts_continuously() {
            self.refuse(&place.key("kind"), LawError::NoClock { what: "what it remembers" });
            return None;
        }
        let mut inputs: Vec<BlockInput> =
            encoders.iter().map(|&sensor| BlockInput::Sensor(sensor)).collect();
        let source = match &description.measures {
            Measurements::FullState => StateSource::full_state(&arm, model.arm()),
            Measurements::Sensors(_) => StateSource::Sensors,
            Measurements::Estimator(sensors, estimator) => {
                let site = super::estimator::Site {
                    place: &place,
                    timing,
                    sensors,
                    encoders: &encoders,
                    joints: &joints,
                    model: &model,
                };
                let estimator = self.estimator(&site, estimator, &mut inputs)?;
                StateSource::Estimator(Box::new(estimator))
            }
            Measurements::Own(_, estimator) => {
                let width = |&sensor: &usize| self.diagram.sensors[sensor].width();
                let width = encoders.iter().map(width).sum();
                StateSource::Own { estimator: estimator.clone(), width }
            }
        };
        let limits = description.limits.numbers("limits", &joints, names, Some(f64::INFINITY));
        let limits = match limits {
            Ok(limits) => limits,
            Err(error) => {
                self.refuse(&place.key("limits"), error);
                return None;
            }
        };
        let saturation = description.saturation;
        if !(0.0..=1.0).contains(&saturation) {
            let (key, value) = ("saturation".to_owned(), saturation);
            let kind = ScenarioFaultKind::OutOfRange { key, value, least: 0.0, most: 1.0 };
            self.refuse(&place.key("saturation"), kind);
            return None;
        }
        // what the actuators cannot give, the law does not ask for
        let motors: Vec<usize> = plan.velocities.iter().map(|&v| arm.motor_of(v)).collect();
        let most = motors.iter().map(|&motor| arm.force_limits()[motor]);
        let limits: Vec<f64> =
            limits.into_iter().zip(most).map(|(own, most)| own.min(most)).collect();
        let mut outputs: Vec<_> = motors.iter().map(|&v| self.motor_output(v)).collect();
        let own_joints = model.joints().to_vec();
        let made = Controller::new(law, model, plan.signals.clone(), source);
        let made = match made {
            Ok(made) => made.limited(&limits),
            Err(error) => {
                self.refuse(&place.key("kind"), error);
                return None;
            }
        };
        if timing.is_some() {
            outputs.extend(made.telemetry().into_iter().map(|mut output| {
                // the joints of the model are those of the plan, whose arm may be another
                if let Some((index, _)) = &mut output.coordinate
                    && let Some(k) = own_joints.iter().position(|joint| joint == index)
                {
                    *index = plan.velocities[k];
                }
                output
            }));
        }
        self.connect(Wiring {
            name: controller.name.clone(),
            controller: made,
            timing,
            full_state,
            inputs,
            outputs,
            limits,
            saturation,
            follows_plan: true,
            targets: Vec::new(),
        });
        Some(())
    }
}

/// An arm as laws with a model see it: elastic joints are rigid to them.
fn rigid(arm: Arm, description: &Builder) -> Result<Arm, BuildError> {
    if !(0..arm.body_count()).any(|body| arm.is_rotor(body)) {
        return Ok(arm);
    }
    let rigid = description.clone().rigid_joints().build()?;
    Ok(rigid.with_gravity(arm.gravity()))
}
