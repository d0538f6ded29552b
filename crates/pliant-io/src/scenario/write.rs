//! Scenarios back into files.

use super::controller::ControllerTable;
use super::file::{EventTable, Record, ScenarioTable};
use super::method::MethodKeys;
use super::plan::PlanTable;
use super::sensor::SensorTable;
use super::shapes::{LARGEST, Listed};
use super::signal::{InputTable, MotionTable};
use crate::node::{Node, Value};
use crate::shapes::{InJoint, JointPosition, JointSpeed, Unread, entries, unplaced};
use crate::table::{Field, Table as _};
use crate::toml_out::document;
use crate::write::arm_entries;
use pliant::Help;
use pliant::arm::Builder;
use pliant::reproduce::Variants;
use pliant::scenario::{Record as Recorded, Scenario};
use pliant::simulate::Event;

/// What files cannot say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A law that files have no keys for.
    #[error("controller {controller:?} has a law that files have no keys for")]
    Law {
        /// The controller.
        controller: String,
    },
    /// A law that acts at every instant, where files have it at ticks only.
    #[error("controller {controller:?} acts at every instant, which files cannot say of its law")]
    NoPeriod {
        /// The controller.
        controller: String,
    },
    /// A force element, which is code.
    #[error("an arm has the force element {name:?}, which is code")]
    Element {
        /// The element.
        name: String,
    },
    /// A sum of signals, or a path.
    #[error("{of} is a sum or a path, which files have no keys for")]
    Signal {
        /// Whose signal it is.
        of: String,
    },
    /// A function of a program.
    #[error("{of} is a function of a program")]
    Function {
        /// Whose signal it is.
        of: String,
    },
    /// A plan along signals.
    #[error("the plan is along signals, which files have no keys for")]
    Plan,
    /// An event by a function of a program.
    #[error("event {name:?} is a function of a program")]
    Event {
        /// The event.
        name: String,
    },
    /// A state estimator of a program.
    #[error("controller {controller:?} has a state estimator of a program")]
    Estimator {
        /// The controller.
        controller: String,
    },
    /// A load without force and moment.
    #[error("the load on {frame:?} has neither force nor moment")]
    NoLoad {
        /// The frame.
        frame: String,
    },
    /// A shaper of something else than joints.
    #[error("the command of a frame has a shaper, which files have for joints only")]
    ShapedLine,
    /// A seed that is not exact in a file.
    #[error("the seed is {0}, which is not exact in a file")]
    Seed(u64),
}

impl Help for WriteError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Law { .. }
            | Self::Element { .. }
            | Self::Function { .. }
            | Self::Event { .. }
            | Self::Estimator { .. } => "keep such a scenario as a program".into(),
            Self::NoPeriod { .. } => "give it a sampling period".into(),
            Self::Plan => "give it as points, or keep such a scenario as a program".into(),
            Self::Signal { .. } => "give it as a table or an expression".into(),
            Self::NoLoad { .. } => "leave it out".into(),
            Self::ShapedLine => "plan the joints, or leave the shaper out".into(),
            Self::Seed(_) => format!("take one up to {LARGEST}"),
        })
    }
}

/// The text of a scenario file that says the same, numbers in SI units to the last digit, without
/// what is so anyway. The arm is inside.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::scenario::Scenario;
/// use pliant::simulate::Signal;
///
/// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.5, 0.0, 0.0]);
/// let swing = Scenario::new(Builder::new("pendulum").link(bob), 2.0)
///     .motor("bob", Signal::Step { at: 1.0, before: 0.0, after: 5.0 });
/// let text = pliant_io::scenario::write_scenario(&swing)?;
/// assert!(text.contains("kind = \"step\"") && text.contains("[[arm.link]]"));
/// # Ok::<(), pliant_io::scenario::WriteError>(())
/// ```
pub fn write_scenario(scenario: &Scenario) -> Result<String, WriteError> {
    Ok(document(&table(scenario)?.entries()))
}

/// What a file says about a scenario.
fn table(scenario: &Scenario) -> Result<ScenarioTable, WriteError> {
    #[allow(clippy::cast_precision_loss, reason = "larger ones are refused")]
    let seed = scenario.seed as f64;
    if seed > LARGEST {
        return Err(WriteError::Seed(scenario.seed));
    }
    Ok(ScenarioTable {
        arm: arm(&scenario.arm, &scenario.variants)?.into(),
        gravity: scenario.gravity.into(),
        duration: scenario.duration.into(),
        start: scenario.start.into(),
        initial: by_name::<JointPosition>(&scenario.initial),
        rates: by_name::<JointSpeed>(&scenario.rates),
        tip: scenario.tip.clone().into(),
        settling_band: scenario.settling_band.into(),
        method: MethodKeys::of(scenario.method),
        fuse: scenario.fuse.into(),
        record: record(&scenario.record),
        limits: Field { value: Some(scenario.limits), place: None },
        seed: seed.into(),
        input: each(&scenario.inputs, InputTable::of)?,
        prescribed: each(&scenario.prescribed, MotionTable::of)?,
        sensor: each(&scenario.sensors, |sensor| Ok(SensorTable::of(sensor)))?,
        plan: scenario.plan.as_ref().map(PlanTable::of).transpose()?.into(),
        controller: each(&scenario.controllers, ControllerTable::of)?,
        event: each(&scenario.events, of_event)?,
        ..ScenarioTable::default()
    })
}

/// An arm inside a scenario.
pub(super) fn arm(description: &Builder, variants: &Variants) -> Result<Node, WriteError> {
    match description.parts().elements.first() {
        Some(element) => Err(WriteError::Element { name: element.name().to_owned() }),
        None => Ok(unplaced(entries(arm_entries(description, variants)))),
    }
}

/// The entries of a list, if there are any.
fn each<D, T>(
    entries: &[D],
    of: impl Fn(&D) -> Result<T, WriteError>,
) -> Result<Field<Vec<T>>, WriteError> {
    let tables = entries.iter().map(of).collect::<Result<Vec<T>, _>>()?;
    Ok(Some(tables).filter(|tables| !tables.is_empty()).into())
}

fn by_name<M: InJoint>(numbers: &[(String, f64)]) -> Field<Unread> {
    let all = || numbers.iter().map(|(name, x)| (name.clone(), Value::Number(*x))).collect();
    (!numbers.is_empty()).then(|| Unread::new::<M>(entries(all()))).into()
}

fn record(record: &Recorded) -> Field<Record> {
    let listed = |name: &String| Listed { name: name.clone(), span: 0..0 };
    let channels = record.channels.as_ref();
    let table = || Record {
        every: record.every.into(),
        channels: channels.map(|names| names.iter().map(listed).collect::<Vec<_>>()).into(),
        ..Record::default()
    };
    (*record != Recorded::default()).then(table).into()
}

fn of_event(event: &Event) -> Result<EventTable, WriteError> {
    let Some(expression) = event.quantity.expression() else {
        return Err(WriteError::Event { name: event.name.clone() });
    };
    let name = Some(&event.name).filter(|name| *name != expression);
    Ok(EventTable {
        name: name.cloned().into(),
        expression: expression.to_owned().into(),
        direction: event.direction.into(),
        action: event.action.into(),
        ..EventTable::default()
    })
}

#[cfg(test)]
mod tests;
