//! The kinds of faults of scenarios. Their remedies, `impl Help for ScenarioFaultKind`, are in
//! `fault_help.rs`.

use super::closed_loop::LoopError;
use super::fault_words::{degrees, measured, outside, whose};
use super::stability::UnstableLoop;
use crate::analyse::AnalysisError;
use crate::arm::{BuildError, NoMotor};
use crate::control::{ControlError, EstimatorError, LawError, ModelError};
use crate::dynamics::{EvaluationError, IllConditioned};
use crate::name::NameError;
use crate::plan::{PathError, PlanError, ShaperError};
use crate::reproduce::Unsupported;
use crate::scalar::short;
use crate::simulate::{ClockError, DiagramError, ExpressionError, SignalError};

/// What can be wrong with a scenario, or doubtful about it.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioFaultKind {
    /// The arm.
    #[error("the arm cannot be built: {0}")]
    Arm(BuildError),
    /// The arm moves by equations of a document, which other parts do not know.
    #[error(
        "the arm moves by equations of a document, and {parts} are those of the engine{}",
        if *no_balance { ", and energies have no balance" } else { "" }
    )]
    OtherEquations {
        /// Which parts.
        parts: &'static str,
        /// Whether energies have no balance.
        no_balance: bool,
    },
    /// Equations of a document that the arm cannot have.
    #[error("{0}")]
    Unsupported(Unsupported),
    /// An integrator that knows the engine's equations alone.
    #[error("generalised-alpha does not know the equations that the arm asks for")]
    MethodOfEngine,
    /// A name that the arm has not.
    #[error("the {} has no {what} \"{name}\"", whose(what))]
    Unknown {
        /// What it should be.
        what: &'static str,
        /// As given.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A number that is not finite.
    #[error("{key} is {value}, which is not a finite number")]
    NotFinite {
        /// Which.
        key: String,
        /// As given.
        value: f64,
    },
    /// A number below zero.
    #[error("{key} is {} {unit}, below zero", short(*value))]
    Negative {
        /// Which.
        key: String,
        /// As given.
        value: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// A number outside its range.
    #[error("{key} is {value:?}, expected a number from {least:?} to {most:?}")]
    OutOfRange {
        /// Which.
        key: String,
        /// As given.
        value: f64,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// More steps or rows than anybody waits for.
    #[error("the run would take {count:.0e} {what} of {} s", short(*length))]
    TooMany {
        /// Steps or rows.
        what: &'static str,
        /// How many.
        count: f64,
        /// Their length (s).
        length: f64,
    },
    /// A time that is none.
    #[error("{key} is {} s, which is no time", short(*value))]
    NoTime {
        /// Which.
        key: String,
        /// As given (s).
        value: f64,
    },
    /// A recording interval that cannot be counted.
    #[error("every is {interval:e} s, too short or long to count")]
    Interval {
        /// As given (s).
        interval: f64,
    },
    /// A clock that cannot tick.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The initial coordinates.
    #[error(transparent)]
    State(#[from] EvaluationError),
    /// A coordinate starts outside its limits.
    #[error("{coordinate} starts at {}", outside(*value, *lower, *upper, unit))]
    StartsOutside {
        /// The coordinate.
        coordinate: String,
        /// Where it starts.
        value: f64,
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
        /// Its unit.
        unit: &'static str,
        /// Whether the scenario says where it starts.
        is_given: bool,
    },
    /// A prescribed coordinate that is to start elsewhere than its motion.
    #[error("{coordinate} is to start with {} {unit}, but its prescribed motion starts with {} {unit}", short(*given), short(*told))]
    StartsOffMotion {
        /// The coordinate.
        coordinate: String,
        /// Its place or rate as given.
        given: f64,
        /// That of its motion.
        told: f64,
        /// Their unit.
        unit: &'static str,
    },
    /// A mass matrix that is nearly singular at the start.
    #[error(transparent)]
    IllConditioned(#[from] IllConditioned),
    /// No equilibrium to start from.
    #[error("there is no static equilibrium to start from: {0}")]
    NoEquilibrium(AnalysisError),
    /// An equilibrium that the links would leave.
    #[error("the static equilibrium is not stable: the links would leave it")]
    UnstableEquilibrium,
    /// A channel to record that there is not.
    #[error("no channel or group of channels is called \"{name}\"")]
    UnknownChannel {
        /// As given.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The expression of an event.
    #[error("the expression cannot be read: {error}")]
    Expression {
        /// What is wrong.
        error: ExpressionError,
        /// The variables that there are.
        known: Vec<String>,
    },
    /// A function of time without sense.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// Something without a name.
    #[error("its name is empty")]
    NoName,
    /// A name that breaks the rule for names.
    #[error("its name {0}")]
    BadName(#[from] NameError),
    /// A name that is given twice.
    #[error("\"{name}\" is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// Two motions for one coordinate.
    #[error("the motion of {coordinate} is given twice")]
    MotionTwice {
        /// The coordinate.
        coordinate: String,
    },
    /// A motor where there can be none.
    #[error("{coordinate} {why}")]
    NoMotor {
        /// The coordinate.
        coordinate: String,
        /// Why.
        why: NoMotor,
    },
    /// A motor where the motion is given.
    #[error("{coordinate} is prescribed, so that the force of its motor follows")]
    MotorOfPrescribed {
        /// The coordinate.
        coordinate: String,
    },
    /// A motion for a joint that is free.
    #[error("{coordinate} is not prescribed in the arm")]
    NotPrescribed {
        /// The coordinate.
        coordinate: String,
    },
    /// A gauge on a link that slides.
    #[error("link \"{link}\" slides through its joint")]
    GaugeSlides {
        /// The link.
        link: String,
    },
    /// A gauge on a rigid link.
    #[error("link \"{link}\" does not bend")]
    NotBending {
        /// The link.
        link: String,
    },
    /// A gauge off the beam.
    #[error("{} m is not on the bending part of link \"{link}\"", short(*at))]
    OffBeam {
        /// The link.
        link: String,
        /// As given (m).
        at: f64,
        /// The length of the part that bends (m).
        length: f64,
    },
    /// The points of a path.
    #[error("a point has {found} numbers, expected {needed}")]
    Point {
        /// How many it has.
        found: usize,
        /// How many it needs.
        needed: usize,
        /// What they are.
        order: String,
    },
    /// A path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A joint without a coordinate of its own.
    #[error("a joint turns freely")]
    PlanTurnsFreely,
    /// A start far from where the plan begins.
    #[error("{joint} starts {} {unit} from where the plan begins", short(*off))]
    StartsOffPlan {
        /// The joint.
        joint: String,
        /// How far (rad, m).
        off: f64,
        /// The unit of that.
        unit: &'static str,
    },
    /// A plan that leaves the limits of a joint.
    #[error("at t = {} s {joint} should be at {} {unit}, beyond its limits", short(*time), short(*at))]
    PlanBeyondLimits {
        /// The joint.
        joint: String,
        /// When first (s).
        time: f64,
        /// Where it should be then.
        at: f64,
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
        /// Their unit.
        unit: &'static str,
    },
    /// A trajectory of a frame that the joints cannot follow.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The same with the attitude of a configuration that nobody gave.
    #[error(
        "{error}, where the attitude that is kept is that of the {configuration} configuration: roll, pitch, yaw {} deg",
        degrees(rpy)
    )]
    KeptAttitude {
        /// What is wrong.
        error: PlanError,
        /// Which configuration.
        configuration: &'static str,
        /// The attitude: roll, pitch, yaw (rad).
        rpy: [f64; 3],
    },
    /// Attitudes that do not pair with points.
    #[error("there are {attitudes} attitudes for {points} points")]
    Attitudes {
        /// How many attitudes.
        attitudes: usize,
        /// How many points.
        points: usize,
    },
    /// Attitudes that change on a way without stops.
    #[error("the frame should turn from point to point and not stop at them")]
    TurnsWithoutStop,
    /// A matrix that is no rotation.
    #[error("attitude {item} is no rotation: it is off by {error:.1e}")]
    NotARotation {
        /// Which attitude, from 0.
        item: usize,
        /// How far its columns are from perpendicular unit vectors of a right-handed frame.
        error: f64,
    },
    /// An arm without a frame to move.
    #[error("the arm has no tip to move")]
    NoTip,
    /// A plan that nobody follows.
    #[error("no controller follows the plan: the arm moves as if it were not there")]
    NobodyFollows,
    /// A run that is over before its plan.
    #[error(
        "the run ends at t = {} s, before its plan does{} at t = {} s",
        short(*duration), if *is_shaped { ", with its shaper," } else { "" }, short(*end)
    )]
    EndsBeforePlan {
        /// When the run ends (s).
        duration: f64,
        /// When the plan ends (s).
        end: f64,
        /// Whether a shaper lengthens it.
        is_shaped: bool,
        /// How long the run should last for the arm to come to rest (s).
        enough: f64,
    },
    /// A plan that two controllers follow.
    #[error("both \"{first}\" and \"{second}\" follow the plan: their forces add up")]
    TwoFollow {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// A shaper of something else than joints.
    #[error("the command of a frame cannot be shaped")]
    ShapedLine,
    /// A shaper for servos that are not known.
    #[error("the servos for which the command is shaped are not known: {why}")]
    NoServos {
        /// Why.
        why: String,
    },
    /// A shaper.
    #[error("{error}")]
    Shaper {
        /// What is wrong.
        error: ShaperError,
        /// The sampling period that counts (s), if it is that of a controller.
        period: Option<f64>,
    },
    /// A controller without joints.
    #[error("it has no joints")]
    NoJoints,
    /// A motor that a controller drives twice.
    #[error("it drives {joint} twice")]
    DrivesTwice {
        /// The joint.
        joint: String,
    },
    /// A joint without a coordinate of its own.
    #[error("{joint} has no position to control")]
    NoPosition {
        /// The joint.
        joint: String,
    },
    /// The full state, and a sensor besides.
    #[error("both full_state and sensor are given")]
    SensorOfFullState,
    /// A joint that nothing measures.
    #[error("nothing measures {joint} for it")]
    JointUnmeasured {
        /// The joint.
        joint: String,
    },
    /// A sensor that measures something else.
    #[error("sensor \"{sensor}\" does not measure {joint}")]
    MeasuresOther {
        /// The sensor.
        sensor: String,
        /// The joint.
        joint: String,
    },
    /// A sensor that measures no strain.
    #[error("sensor \"{sensor}\" measures no strain")]
    NoStrain {
        /// The sensor.
        sensor: String,
    },
    /// Sensors that measure more seldom than they are read.
    #[error("{} every {} s, but read every {} s", measured(sensors), short(*slow), short(*fast))]
    SlowSensors {
        /// The sensors.
        sensors: Vec<String>,
        /// The longest of their periods (s).
        slow: f64,
        /// That of the controller (s).
        fast: f64,
    },
    /// A law that follows the plan, and no plan.
    #[error("it has nothing to follow")]
    NothingToFollow,
    /// A continuous controller with sensors or a delay.
    #[error("it acts at every instant only on the true state and without delay")]
    Continuous,
    /// A controller that needs a clock.
    #[error("it acts at ticks, and has no sampling period")]
    NeedsPeriod,
    /// A law without sensors.
    #[error("nothing measures the joints for it")]
    NoSensors,
    /// A joint of the plan without an encoder.
    #[error("no sensor measures \"{joint}\" for it")]
    NoEncoder {
        /// The joint.
        joint: String,
    },
    /// A sensor that is named twice.
    #[error("sensor \"{sensor}\" is there twice")]
    SensorTwice {
        /// The sensor.
        sensor: String,
    },
    /// A sensor without use.
    #[error(
        "sensor \"{sensor}\" is of no use to it: it measures no joint of the plan, or one that another does"
    )]
    UselessSensor {
        /// The sensor.
        sensor: String,
    },
    /// A joint that the model lacks.
    #[error("its model has no joint \"{joint}\"")]
    ModelLacksJoint {
        /// The joint.
        joint: String,
    },
    /// A loaded frame that the model lacks.
    #[error("a load acts on \"{frame}\", which its model has not")]
    ModelLacksFrame {
        /// The frame.
        frame: String,
    },
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A model that cannot be built.
    #[error("its model cannot be built: {0}")]
    ModelArm(BuildError),
    /// A prescribed joint that a law does not see.
    #[error(
        "\"{joint}\" follows a prescribed motion, which it does not know: to it the joint stays where it starts"
    )]
    PrescribedUnseen {
        /// The joint.
        joint: String,
    },
    /// The law.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The controller as a whole.
    #[error(transparent)]
    Controller(#[from] ControlError),
    /// The estimator.
    #[error(transparent)]
    Estimator(#[from] EstimatorError),
    /// A gauge on a link that does not bend in the model.
    #[error("link \"{link}\" of its model does not bend")]
    ModelIsRigid {
        /// The link.
        link: String,
    },
    /// A sensor that an estimator cannot use.
    #[error(
        "sensor \"{sensor}\" measures neither a strain nor a joint of the plan, or one that another does"
    )]
    NotForEstimator {
        /// The sensor.
        sensor: String,
    },
    /// Delays that an estimator does not know.
    #[error("{what}, which its estimator does not know")]
    Late {
        /// What is late.
        what: &'static str,
    },
    /// A loop that grows.
    #[error("{0}")]
    UnstableLoop(Box<UnstableLoop>),
    /// A loop of which nobody knows whether it grows.
    #[error("whether its loop is stable in the posture of t = {} s was not looked at: {error}", short(*time))]
    LoopUntold {
        /// The time of the plan that has the posture (s).
        time: f64,
        /// Why.
        error: LoopError,
    },
    /// The diagram as a whole.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
}
