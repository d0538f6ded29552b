//! Controllers with their clocks, inputs and outputs.

use super::Bench;
use super::followers::Follower;
use crate::compile::CompileError;
use crate::control::{Continuous, Controller, Pd, StateSource};
use crate::name::check_name;
use crate::scenario::controller_description::{
    ControllerDescription, ControllerKind, PdJoint, StrainJoint,
};
use crate::scenario::description::SensorDescription;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::scenario::simulation::{DrivenMotors, Target};
use crate::scenario::tracking::SATURATION;
use crate::simulate::{
    BlockError, BlockInput, BlockOutput, Clock, Delay, ForceInput, Reference, SampledBlock,
    SensorQuantity, Signal,
};
use std::sync::Arc;

/// A controller, and what it is connected to.
pub(super) struct Wiring {
    pub(super) name: String,
    pub(super) controller: Controller,
    /// Its clock; none where it acts at every instant.
    pub(super) timing: Option<(Clock, Delay)>,
    pub(super) full_state: bool,
    pub(super) inputs: Vec<BlockInput>,
    /// Motors first.
    pub(super) outputs: Vec<BlockOutput>,
    pub(super) limits: Vec<f64>,
    pub(super) saturation: f64,
    pub(super) follows_plan: bool,
    pub(super) targets: Vec<Target>,
}

/// A joint on a spring and a damper.
struct Servo {
    /// As velocity coordinate.
    velocity: usize,
    stiffness: f64,
    damping: f64,
    /// The largest force, either way (N m, N).
    limit: f64,
    /// What the measured quantity is led to.
    target: Signal,
    /// The coordinate, if that is one.
    coordinate: Option<usize>,
    /// What measures it, by index; none with the full state.
    sensor: Option<usize>,
}

/// What acts at every instant, all together.
#[derive(Clone)]
struct Together(Vec<Continuous>);

impl ForceInput for Together {
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        ud: &mut [f64],
    ) -> Result<(), BlockError> {
        self.0.iter_mut().try_for_each(|one| one.act(t, q, u, tau, ud))
    }

    fn compile(&mut self, evaluations: f64) -> Result<(), CompileError> {
        self.0.iter_mut().try_for_each(|one| one.compile(evaluations))
    }

    fn references(&self) -> usize {
        self.0.iter().map(ForceInput::references).sum()
    }

    fn hold(&mut self, t: f64) {
        for one in &mut self.0 {
            one.hold(t);
        }
    }

    fn shift(&mut self, mut reference: usize, by: f64) {
        for one in &mut self.0 {
            let count = one.references();
            if reference < count {
                return one.shift(reference, by);
            }
            reference -= count;
        }
    }
}

impl ControllerDescription {
    /// Its place among the controllers.
    pub(super) fn place(&self, item: usize) -> FaultPlace {
        FaultPlace::new("controller").item(item).owned("controller", &self.name)
    }
}

impl Bench<'_> {
    /// All controllers, in their order.
    pub(super) fn controllers(&mut self, followers: Vec<Follower<'_>>) {
        let scenario = self.scenario;
        let mut followers = followers.into_iter().peekable();
        for (item, controller) in scenario.controllers.iter().enumerate() {
            let place = controller.place(item);
            self.has_name(&place, &controller.name, check_name(&controller.name));
            match &controller.kind {
                ControllerKind::Pd { full_state, joints } => {
                    self.pd(&place, controller, *full_state, joints);
                }
                ControllerKind::StrainPd { joints } => {
                    self.strain_pd(&place, controller, joints);
                }
                ControllerKind::Follow(_) => {
                    if let Some(follower) = followers.next_if(|next| next.item == item) {
                        self.follow(controller, follower);
                    }
                }
            }
        }
    }

    /// The output that drives a motor.
    pub(super) fn motor_output(&self, velocity: usize) -> BlockOutput {
        let own = &self.arm.velocity_coordinates()[velocity];
        let output = BlockOutput::motor(format!("{}.force", own.name), velocity);
        BlockOutput { unit: own.dimension.units()[3].into(), ..output }
    }

    /// Puts a controller into the diagram.
    pub(super) fn connect(&mut self, wiring: Wiring) {
        let Wiring { name, controller, timing, inputs, outputs, .. } = wiring;
        let own = controller.clone();
        if let Some((clock, delay)) = timing {
            let (label, outputs) = (name.as_str(), outputs.clone());
            let block = SampledBlock::new(label, clock, inputs, outputs, controller);
            let uses_full_state = wiring.full_state;
            self.diagram.blocks.push(SampledBlock { delay, uses_full_state, ..block });
        } else {
            let motors = outputs.iter().filter_map(|output| output.motor).collect();
            self.continuous.push(Continuous::new(name.as_str(), controller, motors));
            self.diagram.feedback = Some(Box::new(Together(self.continuous.clone())));
        }
        self.controllers.push(DrivenMotors {
            name,
            follows_plan: wiring.follows_plan,
            targets: wiring.targets,
            outputs,
            limits: wiring.limits,
            saturation: wiring.saturation,
            controller: own,
            period: timing.map(|(clock, _)| clock.period()),
        });
    }

    /// The clock of a controller that needs one.
    fn ticks(
        &mut self,
        place: &FaultPlace,
        controller: &ControllerDescription,
    ) -> Option<(Clock, Delay)> {
        let Some(period) = controller.period else {
            self.refuse(&place.key("kind"), ScenarioFaultKind::NeedsPeriod);
            return None;
        };
        self.clock(place, period, controller.delay)
    }

    /// A spring and a damper from each joint to its target.
    fn pd(
        &mut self,
        place: &FaultPlace,
        controller: &ControllerDescription,
        full_state: bool,
        joints: &[PdJoint],
    ) -> Option<()> {
        let timing = self.ticks(place, controller)?;
        let (mut servos, mut motors) = (Vec::new(), Vec::new());
        for (item, joint) in joints.iter().enumerate() {
            let place = place.key("joint").item(item);
            let servo = self.pd_joint(&place, joint, full_state, timing.0, &mut motors);
            if let Some(servo) = &servo
                && let Some(coordinate) = servo.coordinate
            {
                let own = &self.arm.configuration_coordinates()[coordinate];
                let name = format!("{}.{}.target", controller.name, own.name);
                let (unit, signal) = (own.dimension.units()[0].to_owned(), servo.target.clone());
                self.diagram.references.push(Reference { name, unit, signal });
            }
            servos.extend(servo);
        }
        if joints.is_empty() {
            self.refuse(&place.key("joint"), ScenarioFaultKind::NoJoints);
        }
        let source = if full_state {
            let coordinates = servos.iter().filter_map(|servo| servo.coordinate);
            let velocities = servos.iter().map(|servo| servo.velocity).zip(0..).collect();
            StateSource::FullState { coordinates: coordinates.zip(0..).collect(), velocities }
        } else {
            StateSource::Sensors
        };
        self.servo(place, controller, timing, source, &servos)
    }

    fn pd_joint(
        &mut self,
        place: &FaultPlace,
        joint: &PdJoint,
        full_state: bool,
        clock: Clock,
        motors: &mut Vec<usize>,
    ) -> Option<Servo> {
        let arm = Arc::clone(&self.arm);
        let subject = place.key("motor");
        let velocity = self.motor(&subject, &joint.motor)?;
        let name = &arm.velocity_names()[velocity];
        if motors.contains(&velocity) {
            self.refuse(&subject, ScenarioFaultKind::DrivesTwice { joint: name.clone() });
            return None;
        }
        motors.push(velocity);
        let Some(coordinate) = self.controlled(joint, velocity) else {
            self.refuse(&subject, ScenarioFaultKind::NoPosition { joint: name.clone() });
            return None;
        };
        let [stiff, damped] =
            if arm.turns(velocity) { ["N m/rad", "N m s/rad"] } else { ["N/m", "N s/m"] };
        let stiffness = self.not_negative(place, "stiffness", joint.stiffness, stiff);
        let damping = self.not_negative(place, "damping", joint.damping, damped);
        // what the actuator cannot give, the law does not ask for
        let limit = self.limit(place, joint.limit, velocity);
        let sensor = self.pd_sensor(place, joint, full_state, clock, coordinate);
        self.signal(&place.key("target"), &joint.target)?;
        let (stiffness, damping, limit, sensor) = (stiffness?, damping?, limit?, sensor?);
        let target = joint.target.clone();
        let coordinate = Some(coordinate);
        Some(Servo { velocity, stiffness, damping, limit, target, coordinate, sensor })
    }

    /// The coordinate to control. Of an elastic joint that is the motor's side, or the link's where
    /// the sensor measures that.
    fn controlled(&self, joint: &PdJoint, velocity: usize) -> Option<usize> {
        let arm = &self.arm;
        let own = arm.coordinate_of(velocity);
        let link = (0..arm.body_count())
            .find(|&body| arm.velocities_of(body).contains(&velocity))
            .and_then(|body| arm.link_of_rotor(body))
            .map(|link| arm.configuration_of(link).start);
        let named = joint.sensor.as_ref();
        let sensor =
            named.and_then(|name| self.diagram.sensors.iter().find(|one| one.name == *name));
        match (link, sensor.map(|sensor| &sensor.quantity)) {
            (Some(link), Some(SensorQuantity::Coordinate(seen))) if *seen == link => Some(link),
            _ => own,
        }
    }

    /// What shows a coordinate: its sensor, or nothing for those that look at the true state.
    #[allow(clippy::option_option, reason = "none inside is the full state, none outside a fault")]
    fn pd_sensor(
        &mut self,
        place: &FaultPlace,
        joint: &PdJoint,
        full_state: bool,
        clock: Clock,
        coordinate: usize,
    ) -> Option<Option<usize>> {
        let name = self.arm.configuration_names()[coordinate].clone();
        let at = place.key("sensor");
        let named = match (&joint.sensor, full_state) {
            (None, true) => return Some(None),
            (Some(named), false) => named,
            (Some(_), true) => {
                self.refuse(&at, ScenarioFaultKind::SensorOfFullState);
                return None;
            }
            (None, false) => {
                self.refuse(place, ScenarioFaultKind::JointUnmeasured { joint: name });
                return None;
            }
        };
        let sensor = self.sensor_by_name(&at, named)?;
        if self.diagram.sensors[sensor].quantity != SensorQuantity::Coordinate(coordinate) {
            let (sensor, joint) = (named.clone(), name);
            self.refuse(&at, ScenarioFaultKind::MeasuresOther { sensor, joint });
            return None;
        }
        self.are_fast_enough(&at, &[sensor], Some((clock, Delay::None)));
        Some(Some(sensor))
    }

    /// The index of a sensor.
    pub(super) fn sensor_by_name(&mut self, place: &FaultPlace, name: &str) -> Option<usize> {
        let known: Vec<String> =
            self.diagram.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let is_refused = |one: &SensorDescription| one.name == name && !known.contains(&one.name);
        if self.scenario.sensors.iter().any(is_refused) {
            // why has been told
            return None;
        }
        self.find(place, "sensor", name, &known)
    }

    /// Springs and dampers that pull strains to zero.
    fn strain_pd(
        &mut self,
        place: &FaultPlace,
        controller: &ControllerDescription,
        joints: &[StrainJoint],
    ) -> Option<()> {
        let timing = self.ticks(place, controller)?;
        let mut servos = Vec::new();
        for (item, joint) in joints.iter().enumerate() {
            let place = place.key("joint").item(item);
            let velocity = self.motor(&place.key("motor"), &joint.motor)?;
            let at = place.key("sensor");
            let sensor = self.sensor_by_name(&at, &joint.sensor)?;
            let own = &self.diagram.sensors[sensor];
            let name = own.name.clone();
            if !matches!(own.quantity, SensorQuantity::Strain { .. }) {
                self.refuse(&at, ScenarioFaultKind::NoStrain { sensor: name });
                return None;
            }
            self.are_fast_enough(&at, &[sensor], Some(timing));
            let stiffness = self.finite(&place, "stiffness", joint.stiffness);
            let damping = self.finite(&place, "damping", joint.damping);
            let limit = self.limit(&place, joint.limit, velocity);
            let target = Signal::Constant(0.0);
            let name = format!("{}.{name}.target", controller.name);
            let signal = target.clone();
            self.diagram.references.push(Reference { name, unit: "1".into(), signal });
            let (stiffness, damping, limit) = (stiffness?, damping?, limit?);
            let (coordinate, sensor) = (None, Some(sensor));
            servos.push(Servo { velocity, stiffness, damping, limit, target, coordinate, sensor });
        }
        if joints.is_empty() {
            self.refuse(&place.key("joint"), ScenarioFaultKind::NoJoints);
        }
        self.servo(place, controller, timing, StateSource::Sensors, &servos)
    }

    /// A spring and a damper for each of some joints.
    fn servo(
        &mut self,
        place: &FaultPlace,
        controller: &ControllerDescription,
        timing: (Clock, Delay),
        source: StateSource,
        servos: &[Servo],
    ) -> Option<()> {
        let of = |number: fn(&Servo) -> f64| servos.iter().map(number).collect::<Vec<f64>>();
        let law = Pd { stiffness: of(|servo| servo.stiffness), damping: of(|servo| servo.damping) };
        let limits = of(|servo| servo.limit);
        let trajectory = servos.iter().map(|servo| servo.target.clone()).collect();
        let full_state = matches!(source, StateSource::FullState { .. });
        let made = match Controller::new(law, None, trajectory, source) {
            Ok(made) => made.limited(&limits),
            Err(error) => {
                self.refuse(&place.key("kind"), error);
                return None;
            }
        };
        let target = |servo: &Servo| {
            Some(Target { coordinate: servo.coordinate?, signal: servo.target.clone() })
        };
        self.connect(Wiring {
            name: controller.name.clone(),
            controller: made,
            timing: Some(timing),
            full_state,
            inputs: servos.iter().filter_map(|one| one.sensor.map(BlockInput::Sensor)).collect(),
            outputs: servos.iter().map(|servo| self.motor_output(servo.velocity)).collect(),
            limits,
            saturation: SATURATION,
            follows_plan: false,
            targets: servos.iter().filter_map(target).collect(),
        });
        Some(())
    }
}
