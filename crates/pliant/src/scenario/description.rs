//! What happens to an arm, as plain data with everything by its name.

use super::controller_description::ControllerDescription;
use super::plan_description::PlanDescription;
use crate::arm::Builder;
use crate::dynamics::kinematics::Axes;
use crate::reproduce::Variants;
use crate::simulate::{Event, EventAction, IntegrationMethod, PrescribedQuantity, Signal};

/// The band about its final value within which a tip has settled (m), where nothing is said.
pub const SETTLING_BAND: f64 = 1e-3;

/// An arm, its initial state, its inputs, its controllers, the duration and what is recorded: plain
/// data, with everything by its name, as scenario files have it.
///
/// Fill in the fields, or use the calls that add to them. [`build`](Self::build) checks all of it and
/// gives a [`Simulation`](super::Simulation), or every fault at once.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::control::GravityPdDescription;
/// use pliant::scenario::{
///     ControllerDescription, PlanDescription, PlanFollower, Scenario, SensorDescription,
/// };
/// use pliant::simulate::Rows;
///
/// let rod = [[0.0, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
/// let arm = Builder::new("pendulum").link(
///     Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).body(1.0, [0.25, 0.0, 0.0], rod),
/// );
/// let servo = PlanFollower::new(GravityPdDescription::new(40.0, 6.0)).sensors(["shaft"]);
/// let simulation = Scenario::new(arm, 2.0)
///     .sensor(SensorDescription::encoder("shaft", "bob", 1e-3))
///     .plan(PlanDescription::joints([[0.0], [1.0]], [1.0]))
///     .controller(ControllerDescription::follow("servo", servo).every(1e-3))
///     .build()?;
/// let mut rows = Rows::default();
/// let outcome = simulation.run(&mut rows, &mut ()).expect("a run");
/// assert!(outcome.tracking.expect("a controller").joints[0].last.abs() < 1e-3);
/// # Ok::<(), pliant::scenario::ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The arm.
    pub arm: Builder,
    /// Which of its links ask for equations of a document.
    pub variants: Variants,
    /// Another gravity than the arm's (m/s²), world.
    pub gravity: Option<[f64; 3]>,
    /// Its duration (s).
    pub duration: f64,
    /// How the links are bent at the start.
    pub start: Start,
    /// Initial coordinates by name (rad, m), if given; those left out are neutral. Without any the
    /// arm starts where its plan begins.
    pub initial: Vec<(String, f64)>,
    /// Initial velocities by name (rad/s, m/s); those left out are zero.
    pub rates: Vec<(String, f64)>,
    /// The frame whose motion is watched: its errors are told, its position is recorded, shapers
    /// still it, and lines lead it unless they name another. By name; none for the outermost one.
    pub tip: Option<String>,
    /// The band about its final value within which that frame has settled (m).
    pub settling_band: f64,
    /// The integrator.
    pub method: IntegrationMethod,
    /// Whether products and sums of the equations of motion are rounded together, in machine code:
    /// faster, with other numbers in the last digits.
    pub fuse: bool,
    /// What is recorded, and how often.
    pub record: Record,
    /// What happens at the limits of joints; none to ignore them.
    pub limits: Option<EventAction>,
    /// The seed of all noise.
    pub seed: u64,
    /// Motor forces, and loads on frames.
    pub inputs: Vec<InputDescription>,
    /// Motions of prescribed joints.
    pub prescribed: Vec<PrescribedDescription>,
    /// The sensors.
    pub sensors: Vec<SensorDescription>,
    /// The trajectory that controllers track.
    pub plan: Option<PlanDescription>,
    /// What drives motors by measurements.
    pub controllers: Vec<ControllerDescription>,
    /// Events to detect; expressions are of the time `t` and of channels.
    pub events: Vec<Event>,
}

/// How links are bent at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// As the initial coordinates say.
    #[default]
    AsGiven,
    /// As they rest under gravity, the initial loads and prescribed speeds, with the joints held.
    StaticEquilibrium,
}

/// What is recorded, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The time between two rows (s).
    pub every: f64,
    /// Groups, names, and names with a star; none for the usual ones, and the positions of tips.
    pub channels: Option<Vec<String>>,
}

impl Default for Record {
    fn default() -> Self {
        Self { every: 0.01, channels: None }
    }
}

/// A function of time that acts on the arm.
#[derive(Clone, Debug, PartialEq)]
pub struct InputDescription {
    /// What it acts on.
    pub target: InputTarget,
    /// How much of it: a force of a motor (N m, N), or a factor of a load.
    pub signal: Signal,
}

/// What an input acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum InputTarget {
    /// The motor of a coordinate, by name.
    Motor(String),
    /// A load on a frame.
    Load {
        /// The frame, by name.
        frame: String,
        /// The force (N).
        force: [f64; 3],
        /// The moment about the frame's origin (N m).
        moment: [f64; 3],
        /// The axes of both.
        axes: Axes,
    },
}

/// The motion of a prescribed coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedDescription {
    /// The coordinate, by name.
    pub coordinate: String,
    /// What the signal gives.
    pub gives: PrescribedQuantity,
    /// The signal.
    pub signal: Signal,
}

/// A sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorDescription {
    /// Its name, also that of its channel.
    pub name: String,
    /// What it measures.
    pub measures: MeasuredQuantity,
    /// The sampling period (s).
    pub period: f64,
    /// How late its measurements are (s).
    pub delay: f64,
    /// The standard deviation of its noise, in the unit of what it measures.
    pub noise: f64,
    /// The quantisation step, in the unit of what it measures; zero for none.
    pub resolution: f64,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasuredQuantity {
    /// A coordinate, by name (rad, m).
    Coordinate(String),
    /// The strain along a link on its surface; tension is positive.
    Strain {
        /// The link, by name.
        link: String,
        /// Distance from the root of the flexible part (m).
        at: f64,
        /// Distances from the axis along y and z (m).
        place: [f64; 2],
    },
    /// The acceleration of a frame minus gravity, in its own axes (m/s²).
    Acceleration {
        /// The frame, by name.
        frame: String,
    },
    /// The position of a frame in the world (m).
    Position {
        /// The frame, by name.
        frame: String,
    },
}

impl Scenario {
    /// An arm without inputs, from rest in its neutral configuration, for a time (s).
    pub fn new(arm: Builder, duration: f64) -> Self {
        Self {
            arm,
            variants: Variants::default(),
            gravity: None,
            duration,
            start: Start::AsGiven,
            initial: Vec::new(),
            rates: Vec::new(),
            tip: None,
            settling_band: SETTLING_BAND,
            method: IntegrationMethod::default(),
            record: Record::default(),
            limits: Some(EventAction::Report),
            seed: 0,
            fuse: false,
            inputs: Vec::new(),
            prescribed: Vec::new(),
            sensors: Vec::new(),
            plan: None,
            controllers: Vec::new(),
            events: Vec::new(),
        }
    }

    /// With another gravity (m/s²), world.
    #[must_use]
    pub fn gravity(self, gravity: [f64; 3]) -> Self {
        Self { gravity: Some(gravity), ..self }
    }

    /// Starts a coordinate somewhere (rad, m).
    #[must_use]
    pub fn initial(mut self, coordinate: impl Into<String>, value: f64) -> Self {
        self.initial.push((coordinate.into(), value));
        self
    }

    /// Starts a coordinate with a velocity (rad/s, m/s).
    #[must_use]
    pub fn rate(mut self, coordinate: impl Into<String>, value: f64) -> Self {
        self.rates.push((coordinate.into(), value));
        self
    }

    /// Starts with the links bent as they rest.
    #[must_use]
    pub fn from_static_equilibrium(self) -> Self {
        Self { start: Start::StaticEquilibrium, ..self }
    }

    /// Watches a frame instead of the outermost one.
    #[must_use]
    pub fn tip(self, frame: impl Into<String>) -> Self {
        Self { tip: Some(frame.into()), ..self }
    }

    /// With another band about its final value within which the tip has settled (m).
    #[must_use]
    pub fn settling_band(self, band: f64) -> Self {
        Self { settling_band: band, ..self }
    }

    /// With an integrator.
    #[must_use]
    pub fn method(self, method: IntegrationMethod) -> Self {
        Self { method, ..self }
    }

    /// Records a row after each time (s), of these groups and channels.
    #[must_use]
    pub fn record<C: Into<String>>(
        mut self,
        every: f64,
        channels: impl IntoIterator<Item = C>,
    ) -> Self {
        let channels = Some(channels.into_iter().map(Into::into).collect());
        self.record = Record { every, channels };
        self
    }

    /// Records a row of the usual channels after each time (s).
    #[must_use]
    pub fn record_every(mut self, every: f64) -> Self {
        self.record.every = every;
        self
    }

    /// Drives the motor of a coordinate (N m, N).
    #[must_use]
    pub fn motor(mut self, coordinate: impl Into<String>, signal: Signal) -> Self {
        let target = InputTarget::Motor(coordinate.into());
        self.inputs.push(InputDescription { target, signal });
        self
    }

    /// Loads a frame with a force and a moment about its origin (N, N m), world axes, times a
    /// signal.
    #[must_use]
    pub fn load(
        mut self,
        frame: impl Into<String>,
        force: [f64; 3],
        moment: [f64; 3],
        signal: Signal,
    ) -> Self {
        let target = InputTarget::Load { frame: frame.into(), force, moment, axes: Axes::World };
        self.inputs.push(InputDescription { target, signal });
        self
    }

    /// Moves a prescribed coordinate.
    #[must_use]
    pub fn prescribe(
        mut self,
        coordinate: impl Into<String>,
        gives: PrescribedQuantity,
        signal: Signal,
    ) -> Self {
        let coordinate = coordinate.into();
        self.prescribed.push(PrescribedDescription { coordinate, gives, signal });
        self
    }

    /// Adds a sensor.
    #[must_use]
    pub fn sensor(mut self, sensor: SensorDescription) -> Self {
        self.sensors.push(sensor);
        self
    }

    /// Plans a trajectory.
    #[must_use]
    pub fn plan(self, plan: PlanDescription) -> Self {
        Self { plan: Some(plan), ..self }
    }

    /// Adds a controller.
    #[must_use]
    pub fn controller(mut self, controller: ControllerDescription) -> Self {
        self.controllers.push(controller);
        self
    }

    /// Looks out for an event.
    #[must_use]
    pub fn event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }
}

impl SensorDescription {
    /// Measures something each period (s), without delay, noise and quantisation.
    pub fn new(name: impl Into<String>, measures: MeasuredQuantity, period: f64) -> Self {
        let name = name.into();
        Self { name, measures, period, delay: 0.0, noise: 0.0, resolution: 0.0 }
    }

    /// Measures a coordinate each period (s).
    pub fn encoder(name: impl Into<String>, coordinate: impl Into<String>, period: f64) -> Self {
        Self::new(name, MeasuredQuantity::Coordinate(coordinate.into()), period)
    }

    /// Measures the strain of a link at a distance from the root of its flexible part, at a place
    /// beside its axis along y and z (m), each period (s).
    pub fn strain(
        name: impl Into<String>,
        link: impl Into<String>,
        at: f64,
        place: [f64; 2],
        period: f64,
    ) -> Self {
        Self::new(name, MeasuredQuantity::Strain { link: link.into(), at, place }, period)
    }

    /// With a delay (s).
    #[must_use]
    pub fn delayed(self, delay: f64) -> Self {
        Self { delay, ..self }
    }

    /// With noise of a standard deviation, in the unit of what it measures.
    #[must_use]
    pub fn noisy(self, noise: f64) -> Self {
        Self { noise, ..self }
    }

    /// With a quantisation step, in the unit of what it measures.
    #[must_use]
    pub fn quantised(self, resolution: f64) -> Self {
        Self { resolution, ..self }
    }
}
