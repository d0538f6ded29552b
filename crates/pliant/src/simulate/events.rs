//! Events during a run.

use super::catalogue::Catalogue;
use super::channel_evaluator::{Around, ChannelEvaluator, Told};
use super::diagram::EventAction;
use super::expression::{Expression, ExpressionError};
use super::function::{WitnessFunction, event_value};
use super::plant::Plant;
use crate::arm::Arm;
use crate::integrate::{Dense, Direction, Method, StateVisitor, Stateful, bracket};
use crate::scalar::short;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Into how many parts a step is cut when it is searched.
const PARTS: u32 = 8;

/// A zero crossing to detect.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// What crosses zero.
    pub quantity: EventQuantity,
    /// Which crossings count.
    pub direction: Direction,
    /// What to do then.
    pub action: EventAction,
}

/// What crosses zero at an event.
#[derive(Clone)]
pub enum EventQuantity {
    /// An [`Expression`] of the time `t` and of channels.
    Expression(String),
    /// A function of one's own, of time and state.
    Function(Arc<dyn WitnessFunction>),
}

impl EventQuantity {
    /// The text of the expression, if it is one.
    pub fn expression(&self) -> Option<&str> {
        match self {
            Self::Expression(text) => Some(text),
            Self::Function(_) => None,
        }
    }
}

impl fmt::Debug for EventQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression(text) => f.debug_tuple("Expression").field(text).finish(),
            Self::Function(_) => f.write_str("Function"),
        }
    }
}

impl PartialEq for EventQuantity {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Expression(own), Self::Expression(other)) => own == other,
            (Self::Function(own), Self::Function(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl From<&str> for EventQuantity {
    fn from(expression: &str) -> Self {
        Self::Expression(expression.to_owned())
    }
}

/// An event that occurred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// When (s).
    #[serde(with = "super::number")]
    pub time: f64,
    /// The name of the event, or of the coordinate at its limit.
    pub name: String,
    /// What happened, in words.
    pub what: String,
    /// The value of the expression, or of the coordinate at its limit; NaN in results of earlier
    /// versions.
    #[serde(with = "super::number", default = "super::number::unknown")]
    pub value: f64,
    /// Whether a limit of a joint was met, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// What was done.
    #[serde(default)]
    pub action: EventAction,
}

impl EventRecord {
    /// What happened, in words; the unit is that of the value.
    fn describe(&self, unit: &str) -> String {
        let Self { name, value, .. } = self;
        let stops = match self.action {
            EventAction::Stop => ", where the run stops",
            EventAction::Report => "",
        };
        let which = match self.limit {
            Some(Limit::Lower) => "lower",
            Some(Limit::Upper) => "upper",
            None => return format!("\"{name}\" happens{stops}"),
        };
        format!("{name} meets its {which} limit, {} {unit}{stops}", short(*value))
    }
}

/// A limit of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

/// What is looked out for.
struct Watched {
    name: String,
    /// Of a coordinate.
    unit: String,
    function: Function,
    direction: Direction,
    action: EventAction,
    /// The last value that was not zero.
    last: f64,
}

enum Function {
    /// Of the time and of the channels looked at.
    Expression(Expression),
    /// By its name, of the time and of the state, which is behind the channels: where that begins,
    /// and where its velocities do and end.
    Own(String, Arc<dyn WitnessFunction>, [usize; 3]),
    /// The place of the coordinate in what is looked at, and its limit.
    Limit(usize, f64, Limit),
}

impl Function {
    fn at(&self, row: &[f64]) -> f64 {
        match self {
            Self::Expression(expression) => expression.evaluate(row),
            Self::Own(name, function, [q, u, end]) => {
                event_value(&**function, name, row[0], [&row[*q..*u], &row[*u..*end]])
            }
            Self::Limit(coordinate, limit, _) => row[*coordinate] - limit,
        }
    }
}

/// One of those that are watched was across.
#[derive(Default)]
pub(super) struct Happened {
    pub(super) time: f64,
    /// Which of them, and its value.
    watched: usize,
    value: f64,
}

/// Looks into each step for crossings.
pub(super) struct Crossings<'s> {
    watched: Vec<Watched>,
    evaluator: ChannelEvaluator<'s>,
    /// The time, then the channels, then the state if a function asks for it.
    row: Vec<f64>,
    state: Vec<f64>,
    /// How many numbers of the state are behind the channels, for functions of one's own.
    state_length: usize,
    /// Those of one part of a step.
    found: Vec<(f64, usize)>,
}

/// The expression of an event, by its index, cannot be read.
pub(super) type EventError = (usize, ExpressionError);

impl Stateful for Crossings<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        for watched in &mut self.watched {
            state.number(&mut watched.last);
        }
    }
}

impl<'s> Crossings<'s> {
    pub(super) fn new(
        (arm, told): (&'s Arm, Told<'s>),
        catalogue: &Catalogue,
        events: &[Event],
        limits: Option<EventAction>,
        dimension: usize,
    ) -> Result<Self, EventError> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut place = |channel: usize| {
            let known = chosen.iter().position(|&other| other == channel);
            known.unwrap_or_else(|| {
                chosen.push(channel);
                chosen.len() - 1
            }) + 1
        };
        let mut watched = Vec::new();
        for (i, event) in events.iter().enumerate() {
            let variable = |name: &str| match name {
                "t" => Some(0),
                _ => catalogue.find(name).map(&mut place),
            };
            let function = match &event.quantity {
                EventQuantity::Expression(text) => Function::Expression(
                    Expression::parse(text, variable).map_err(|error| (i, error))?,
                ),
                EventQuantity::Function(own) => {
                    Function::Own(event.name.clone(), Arc::clone(own), [0; 3])
                }
            };
            watched.push(Watched {
                name: event.name.clone(),
                unit: String::new(),
                function,
                direction: event.direction,
                action: event.action,
                last: f64::NAN,
            });
        }
        let limited = arm.limits().iter().zip(arm.configuration_names());
        for (range, name) in limited.filter_map(|(range, name)| Some(((*range)?, name))) {
            let (Some(action), Some(channel)) = (limits, catalogue.find(name)) else {
                continue;
            };
            let coordinate = place(channel);
            let unit = &catalogue.channels()[channel].unit;
            for (limit, value, direction) in [
                (Limit::Lower, range.lower, Direction::Falling),
                (Limit::Upper, range.upper, Direction::Rising),
            ] {
                let function = Function::Limit(coordinate, value, limit);
                let (name, unit) = (name.clone(), unit.clone());
                watched.push(Watched { name, unit, function, direction, action, last: f64::NAN });
            }
        }
        let evaluator = ChannelEvaluator::new(arm, told, catalogue, &chosen);
        let mut width = evaluator.width() + 1;
        let mut state_length = 0;
        for watched in &mut watched {
            if let Function::Own(_, _, places) = &mut watched.function {
                state_length = arm.nq() + arm.nv();
                *places = [width, width + arm.nq(), width + state_length];
            }
        }
        width += state_length;
        Ok(Self {
            found: Vec::with_capacity(watched.len()),
            watched,
            row: vec![0.0; width],
            state_length,
            evaluator,
            state: vec![0.0; dimension],
        })
    }

    /// Visits what has happened.
    pub(super) fn visit_happened(
        &self,
        happened: &mut Vec<Happened>,
        state: &mut StateVisitor<'_>,
    ) {
        if self.is_watching() {
            state.list(happened, Happened::default, |state, one| {
                state.number(&mut one.time);
                state.index(&mut one.watched, self.watched.len());
                state.number(&mut one.value);
            });
        }
    }

    /// What happened, in full.
    pub(super) fn record(&self, &Happened { time, watched, value }: &Happened) -> EventRecord {
        let Watched { name, unit, function, action, .. } = &self.watched[watched];
        let limit = match function {
            Function::Expression(_) | Function::Own(..) => None,
            Function::Limit(_, _, limit) => Some(*limit),
        };
        let (name, what) = (name.clone(), String::new());
        let record = EventRecord { time, name, what, value, limit, action: *action };
        EventRecord { what: record.describe(unit), ..record }
    }

    /// Whether anything is looked out for.
    pub(super) fn is_watching(&self) -> bool {
        !self.watched.is_empty()
    }

    /// Looks at an instant at which sensors, parts or signals may have jumped; whether to stop.
    pub(super) fn look(
        &mut self,
        t: f64,
        y: &[f64],
        around: Around<'_, 's>,
        happened: &mut Vec<Happened>,
    ) -> bool {
        if self.watched.is_empty() {
            return false;
        }
        self.see(t, y, around);
        let mut stops = false;
        for (i, watched) in self.watched.iter_mut().enumerate() {
            let value = watched.function.at(&self.row);
            if watched.crosses(value) {
                happened.push(Happened { time: t, watched: i, value: watched.value(&self.row) });
                stops |= watched.action == EventAction::Stop;
            }
            watched.remember(value);
        }
        stops
    }

    /// Finds the crossings within a step, in order, up to the first that stops the run; its time.
    pub(super) fn scan<M: Method<Plant<'s>>>(
        &mut self,
        dense: &Dense<'_, Plant<'s>, M>,
        around: Around<'_, 's>,
        happened: &mut Vec<Happened>,
    ) -> Option<f64> {
        let (start, end) = (dense.span().start, dense.span().end);
        let mut from = start;
        for part in 1..=PARTS {
            let to = match part {
                PARTS => end,
                _ => start + (end - start) * f64::from(part) / f64::from(PARTS),
            };
            self.see_within(dense, around, to);
            self.found.clear();
            for i in 0..self.watched.len() {
                let value = self.watched[i].function.at(&self.row);
                if self.watched[i].crosses(value) {
                    let time = self.close_in(dense, around, i, [from, to], value);
                    self.found.push((time, i));
                    self.see_within(dense, around, to);
                }
                self.watched[i].remember(value);
            }
            self.found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for found in 0..self.found.len() {
                let (time, i) = self.found[found];
                self.see_within(dense, around, time);
                happened.push(Happened {
                    time,
                    watched: i,
                    value: self.watched[i].value(&self.row),
                });
                if self.watched[i].action == EventAction::Stop {
                    return Some(time);
                }
            }
            from = to;
        }
        None
    }

    /// The first time at which a function that crosses zero between two is across.
    fn close_in<M: Method<Plant<'s>>>(
        &mut self,
        dense: &Dense<'_, Plant<'s>, M>,
        around: Around<'_, 's>,
        index: usize,
        [low, high]: [f64; 2],
        at_high: f64,
    ) -> f64 {
        self.see_within(dense, around, low);
        let below = self.watched[index].function.at(&self.row);
        if below == 0.0 || below.signum() == at_high.signum() {
            return low;
        }
        bracket((low, below), (high, at_high), |t| {
            self.see_within(dense, around, t);
            self.watched[index].function.at(&self.row)
        })
    }

    fn see_within<M: Method<Plant<'s>>>(
        &mut self,
        dense: &Dense<'_, Plant<'s>, M>,
        around: Around<'_, 's>,
        t: f64,
    ) {
        let mut state = std::mem::take(&mut self.state);
        dense.at(t, &mut state);
        around.plant.acting(|acting| acting.project(t, &mut state));
        self.see(t, &state, around);
        self.state = state;
    }

    fn see(&mut self, t: f64, y: &[f64], around: Around<'_, 's>) {
        self.row[0] = t;
        let (channels, state) = self.row[1..].split_at_mut(self.evaluator.width());
        self.evaluator.look(t, y, around, channels);
        state.copy_from_slice(&y[..self.state_length]);
    }
}

impl Watched {
    /// Whether zero was crossed on the way from the last value, in the direction that counts.
    fn crosses(&self, value: f64) -> bool {
        let rises = self.last < 0.0 && value > 0.0;
        let falls = self.last > 0.0 && value < 0.0;
        match self.direction {
            Direction::Rising => rises,
            Direction::Falling => falls,
            Direction::Either => rises || falls,
        }
    }

    fn remember(&mut self, value: f64) {
        if value != 0.0 {
            self.last = value;
        }
    }

    /// The value of the expression, or of the coordinate at its limit.
    fn value(&self, row: &[f64]) -> f64 {
        match &self.function {
            Function::Limit(coordinate, ..) => row[*coordinate],
            function => function.at(row),
        }
    }
}
