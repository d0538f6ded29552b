//! The description of a simulation.

use super::arm_system::Feedback;
use super::block::{BlockInput, SampledBlock};
use super::catalogue::Catalogue;
use super::clock::Clock;
use super::compiling::Compile;
use super::diagram_error::DiagramError;
use super::events::Event;
use super::forward_dynamics::OwnedDynamics;
use super::method::IntegrationMethod;
use super::prescribed::{PrescribedMotion, PrescribedQuantity};
use super::selection::Selection;
use super::sensor::Sensor;
use super::signal::Signal;
use super::smoothness::{Way, Ways};
use super::target::TrackingTarget;
use crate::analyse::Conditions;
use crate::arm::{Arm, Joint, UnknownName};
use crate::dynamics::kinematics::Axes;
use crate::dynamics::loads::Load;
use crate::name::{TIME, check_name};
use crate::spatial::Force;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An arm with its initial state, inputs, sensors, controllers, recorded channels and duration.
///
/// Fill in the fields; [`run`](super::run()) checks them all.
#[derive(Clone)]
pub struct Diagram {
    /// The arm.
    pub arm: Arc<Arm>,
    /// The coordinates at the start (rad, m). Prescribed coordinates start where they are told to.
    pub q: Vec<f64>,
    /// The velocities at the start (rad/s, m/s).
    pub u: Vec<f64>,
    /// When it ends (s), from zero.
    pub duration: f64,
    /// The time between two records (s).
    pub interval: f64,
    /// What is recorded.
    pub selection: Selection,
    /// Forces of motors.
    pub motors: Vec<Motor>,
    /// External loads.
    pub loads: Vec<ExternalLoad>,
    /// Motions of prescribed joints. Those without one keep their velocity.
    pub prescribed: Vec<PrescribedMotion>,
    /// What acts besides, evaluated continuously on the true state.
    pub feedback: Option<Box<dyn Feedback>>,
    /// The equations of motion, if other than the engine's.
    pub dynamics: Option<Box<dyn OwnedDynamics>>,
    /// Functions of time that parts listen to.
    pub references: Vec<Reference>,
    /// Where the motion should be; the errors are channels.
    pub targets: Vec<TrackingTarget>,
    /// The sensors.
    pub sensors: Vec<Sensor>,
    /// What acts at ticks.
    pub blocks: Vec<SampledBlock>,
    /// The seed of all noise.
    pub seed: u64,
    /// What to look out for.
    pub events: Vec<Event>,
    /// What to do at the limits of joints.
    pub limits: Option<EventAction>,
    /// The integrator, for [`Diagram::run`].
    pub method: IntegrationMethod,
    /// Whether recursions are compiled.
    pub compile: Compile,
    /// Whether compiled recursions round products and sums together: faster where they are, and
    /// other numbers in the last digits.
    pub fuse: bool,
}

/// The action at an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventAction {
    /// Note it.
    #[default]
    Report,
    /// Note it and end the run.
    Stop,
}

/// The force of a motor.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// The velocity coordinate, by index.
    pub velocity: usize,
    /// The force (N m, N).
    pub signal: Signal,
}

/// A load on a frame: a wrench times a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLoad {
    /// The frame, by index.
    pub frame: usize,
    /// Force and moment about the frame's origin, per unit of the signal (N, N m).
    pub wrench: Force<f64>,
    /// In which axes it is given.
    pub axes: Axes,
    /// How much of it.
    pub signal: Signal,
}

impl ExternalLoad {
    /// The load for a signal of 1.
    pub fn unit(&self) -> Load {
        Load { frame: self.frame, wrench: self.wrench, axes: self.axes }
    }

    /// The load at a time (s); at a jump of the signal, its right-hand limit.
    ///
    /// ```
    /// use pliant::dynamics::kinematics::Axes;
    /// use pliant::simulate::{ExternalLoad, Signal};
    /// use pliant::spatial::{Force, Vec3};
    ///
    /// let wrench = Force::new(Vec3::new(0.0, 0.0, -2.0), Vec3::ZERO);
    /// let signal = Signal::Step { at: 1.0, before: 0.0, after: 5.0 };
    /// let push = ExternalLoad { frame: 0, wrench, axes: Axes::World, signal };
    /// assert_eq!(push.at(1.0).wrench.force.z, -10.0);
    /// ```
    pub fn at(&self, t: f64) -> Load {
        self.unit().times(self.signal.value(t))
    }
}

/// A reference signal, an input of blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Its unit, for people.
    pub unit: String,
    /// The function.
    pub signal: Signal,
}

impl Diagram {
    /// An arm without inputs, from rest in its neutral configuration.
    pub fn new(arm: impl Into<Arc<Arm>>, duration: f64, interval: f64) -> Self {
        let arm = arm.into();
        Self {
            q: arm.neutral(),
            u: vec![0.0; arm.nv()],
            arm,
            duration,
            interval,
            selection: Selection::default(),
            motors: Vec::new(),
            loads: Vec::new(),
            prescribed: Vec::new(),
            feedback: None,
            dynamics: None,
            references: Vec::new(),
            targets: Vec::new(),
            sensors: Vec::new(),
            blocks: Vec::new(),
            seed: 0,
            events: Vec::new(),
            limits: None,
            method: IntegrationMethod::default(),
            compile: Compile::default(),
            fuse: false,
        }
    }

    /// What holds and loads the arm at the start: the loads of then, prescribed joints that turn as
    /// they do then, all others held.
    pub fn conditions_at_start(&self) -> Conditions {
        let mut velocities = vec![0.0; self.arm.nv()];
        for motion in &self.prescribed {
            let jet = motion.start(self.duration);
            velocities[motion.velocity] = match motion.given {
                PrescribedQuantity::Position => jet.rate,
                PrescribedQuantity::Rate => jet.value,
                PrescribedQuantity::Acceleration => self.u[motion.velocity],
            };
        }
        let loads = self.loads.iter().map(|push| push.at(0.0)).collect();
        Conditions { loads, velocities, ..Conditions::default() }
    }

    /// The index of a configuration coordinate by name.
    pub fn coordinate(&self, name: &str) -> Result<usize, UnknownName> {
        find("coordinate", self.arm.configuration_names(), name)
    }

    /// The index of a velocity coordinate by name.
    pub fn velocity(&self, name: &str) -> Result<usize, UnknownName> {
        find("coordinate", self.arm.velocity_names(), name)
    }

    /// The channels that it can record.
    pub fn catalogue(&self) -> Catalogue {
        Catalogue::new(self)
    }

    /// Whether its records or events name entries of the mass matrix.
    pub(super) fn asks_for_mass_matrix(&self) -> bool {
        let event =
            |event: &Event| event.quantity.expression().is_some_and(|text| text.contains("mass."));
        self.selection.begins_with("mass") || self.events.iter().any(event)
    }

    /// Checks that it can be run.
    pub fn check(&self) -> Result<(), DiagramError> {
        let arm = &*self.arm;
        arm.check_configuration(&self.q)?;
        arm.check_velocities("u", &self.u)?;
        self.check_limits()?;
        for (what, value) in [("duration", self.duration), ("interval", self.interval)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(DiagramError::NotPositive { what, value });
            }
        }
        self.record_clock()?;
        self.check_inputs()?;
        self.check_targets()?;
        self.check_blocks()?;
        self.sensors.iter().try_for_each(|sensor| sensor.check(arm))?;
        let sensors = self.sensors.iter().map(|sensor| &sensor.name).enumerate();
        let blocks = self.blocks.iter().map(|block| &block.name).enumerate();
        let all = sensors.map(|one| ("sensor", one)).chain(blocks.map(|one| ("block", one)));
        for (what, (item, name)) in all {
            check_name(name).map_err(|source| DiagramError::BadName { what, item, source })?;
        }
        let catalogue = self.catalogue();
        let mut names: Vec<&str> = catalogue.channels().iter().map(|c| c.name.as_str()).collect();
        names.push(TIME);
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(DiagramError::SameName { name: pair[0].to_owned() }),
            None => Ok(()),
        }
    }

    pub(super) fn record_clock(&self) -> Result<Clock, DiagramError> {
        let error = |source| DiagramError::Clock { of: "the recording interval".into(), source };
        Clock::every(self.interval).map_err(error)
    }

    fn check_limits(&self) -> Result<(), DiagramError> {
        let limits = self.arm.limits().iter().enumerate().filter(|_| self.limits.is_some());
        for (i, limits) in limits.filter_map(|(i, limits)| Some((i, (*limits)?))) {
            let (value, lower, upper) = (self.q[i], limits.lower, limits.upper);
            if value < lower || value > upper {
                let coordinate = self.arm.configuration_names()[i].clone();
                return Err(DiagramError::OutsideLimits { coordinate, value, lower, upper });
            }
        }
        Ok(())
    }

    fn check_inputs(&self) -> Result<(), DiagramError> {
        let names = self.arm.velocity_names();
        for motor in &self.motors {
            self.check_motor(|| "a motor".into(), motor.velocity)?;
            check_signal(&motor.signal, || format!("the motor of {}", names[motor.velocity]))?;
        }
        for push in &self.loads {
            within(|| "a load".into(), "frame", push.frame, self.arm.frames().len())?;
            let frame = || format!("the load on {}", self.arm.frames()[push.frame].name());
            check_signal(&push.signal, frame)?;
        }
        for (i, prescribed) in self.prescribed.iter().enumerate() {
            let v = prescribed.velocity;
            within(|| "a prescribed motion".into(), "velocity", v, names.len())?;
            let coordinate = || names[v].clone();
            if !self.arm.topology.prescribed.contains(&v) {
                return Err(DiagramError::NotPrescribed { coordinate: coordinate() });
            }
            if self.prescribed[..i].iter().any(|other| other.velocity == v) {
                return Err(DiagramError::PrescribedTwice { coordinate: coordinate() });
            }
            check_signal(&prescribed.signal, || format!("the motion of {}", names[v]))?;
            let is_position = prescribed.given == PrescribedQuantity::Position;
            if is_position && self.arm.coordinate_of(v).is_none() {
                return Err(DiagramError::NoPosition { coordinate: coordinate() });
            }
            prescribed.way(&self.arm, self.duration)?;
        }
        self.references.iter().try_for_each(|reference| {
            check_signal(&reference.signal, || format!("reference \"{}\"", reference.name))
        })
    }

    fn check_targets(&self) -> Result<(), DiagramError> {
        let (of, nq) = (|| "a target".to_owned(), self.arm.nq());
        for target in &self.targets {
            if let Some(frame) = target.frame() {
                within(of, "frame", frame, self.arm.frames().len())?;
            }
            match target {
                TrackingTarget::Coordinate { coordinate, signal } => {
                    within(of, "coordinate", *coordinate, nq)?;
                    check_signal(signal, of)?;
                }
                TrackingTarget::Path { .. } => {}
                TrackingTarget::Unbent { joints, q, .. } => {
                    self.arm.check_configuration(q)?;
                    for (coordinate, signal) in joints {
                        within(of, "coordinate", *coordinate, nq)?;
                        check_signal(signal, of)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check_motor(&self, of: impl Fn() -> String, velocity: usize) -> Result<(), DiagramError> {
        within(of, "velocity", velocity, self.arm.nv())?;
        if self.arm.topology.prescribed.contains(&velocity) {
            let coordinate = self.arm.velocity_names()[velocity].clone();
            return Err(DiagramError::MotorOfPrescribed { coordinate });
        }
        if let Some(source) = self.arm.no_motor_on(velocity) {
            let coordinate = self.arm.velocity_names()[velocity].clone();
            return Err(DiagramError::NoMotor { coordinate, source });
        }
        Ok(())
    }

    fn check_blocks(&self) -> Result<(), DiagramError> {
        for block in &self.blocks {
            let of = || format!("block \"{}\"", block.name);
            for input in &block.inputs {
                match *input {
                    BlockInput::Sensor(i) => within(of, "sensor", i, self.sensors.len())?,
                    BlockInput::Reference(i) | BlockInput::ReferenceRate(i) => {
                        within(of, "reference", i, self.references.len())?;
                    }
                    BlockInput::Output { block: i, output } => {
                        within(of, "block", i, self.blocks.len())?;
                        within(of, "output", output, self.blocks[i].outputs.len())?;
                    }
                }
            }
            for output in &block.outputs {
                if let Some(velocity) = output.motor {
                    self.check_motor(of, velocity)?;
                }
                let (what, value) = ("resolution", output.resolution);
                if !(value.is_finite() && value >= 0.0) {
                    return Err(DiagramError::Negative { of: of(), what, value });
                }
            }
        }
        Ok(())
    }

    /// Whether the energies of the arm are those of its equations of motion, so that the energy
    /// balance holds.
    pub fn has_energies(&self) -> bool {
        self.dynamics.as_ref().is_none_or(|dynamics| dynamics.has_energies())
    }

    /// Whether nothing touches the arm, so that its momenta are kept.
    pub(super) fn is_adrift(&self) -> bool {
        let arm = &*self.arm;
        let is_root = |&link: &usize| arm.parent_of(link).is_none() && !arm.is_rotor(link);
        let roots = || (0..arm.body_count()).filter(is_root);
        let is_root = |v: usize| roots().any(|link| arm.velocities_of(link).contains(&v));
        let motors = self.motors.iter().map(|motor| motor.velocity);
        let outputs = self.blocks.iter().flat_map(|block| &block.outputs);
        let driven = motors.chain(outputs.filter_map(|output| output.motor));
        arm.gravity().norm() == 0.0
            && self.loads.is_empty()
            && self.feedback.is_none()
            && roots().all(|link| arm.joints()[link] == Joint::Free && !arm.is_prescribed(link))
            && !arm.springs.iter().any(|spring| roots().any(|link| link == spring.body))
            && !arm.dampers.iter().any(|&(v, _)| is_root(v))
            && arm.elements.iter().all(crate::arm::BoundElement::is_internal)
            && !(0..arm.nv()).any(|v| is_root(v) && arm.armature()[v] != 0.0)
            && !driven.into_iter().any(is_root)
    }

    /// What is to be known of the functions of time that act, before a run.
    pub(super) fn ways(&self) -> Result<Ways, DiagramError> {
        let of_force = |signal: &Signal| Way::of_force(signal, self.duration);
        let prescribed = self.prescribed.iter();
        Ok(Ways {
            motors: self.motors.iter().map(|motor| of_force(&motor.signal)).collect(),
            loads: self.loads.iter().map(|push| of_force(&push.signal)).collect(),
            prescribed: prescribed
                .map(|motion| motion.way(&self.arm, self.duration))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The instants within the run at which signals are not smooth or have short pulses, ascending.
    pub(super) fn breaks(&self, ways: &Ways) -> Vec<f64> {
        let ways = || ways.motors.iter().chain(&ways.loads).chain(&ways.prescribed);
        let mut times: Vec<f64> = ways().flat_map(|way| &way.corners).copied().collect();
        let motors = self.motors.iter().map(|motor| &motor.signal);
        let loads = self.loads.iter().map(|push| &push.signal);
        let prescribed = self.prescribed.iter().map(|prescribed| &prescribed.signal);
        for signal in motors.chain(loads).chain(prescribed) {
            signal.each_break(&mut |at| times.push(at.time));
        }
        let pulses: Vec<f64> = ways().flat_map(|way| way.landings(&times)).collect();
        times.extend(pulses);
        times.retain(|&time| time > 0.0 && time < self.duration);
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

fn find(what: &'static str, names: &[String], name: &str) -> Result<usize, UnknownName> {
    let found = names.iter().position(|known| known == name);
    found.ok_or_else(|| UnknownName { what, name: name.to_owned() })
}

fn within(
    of: impl Fn() -> String,
    what: &'static str,
    index: usize,
    count: usize,
) -> Result<(), DiagramError> {
    if index < count {
        return Ok(());
    }
    Err(DiagramError::NoSuch { of: of(), what, index, count })
}

fn check_signal(signal: &Signal, of: impl Fn() -> String) -> Result<(), DiagramError> {
    signal.check().map_err(|source| DiagramError::Signal { of: of(), source })
}
