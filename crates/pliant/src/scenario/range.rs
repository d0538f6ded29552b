//! Links that a run takes out of the range in which their options are right.

use super::Simulation;
use super::row_state::RowState;
use crate::Help;
use crate::analyse::{OutOfRange, RangeCheck};
use crate::dynamics::loads::Load;
use crate::integrate::{StateVisitor, Stateful};
use crate::reproduce::{LargeTurn, TurnCheck};
use crate::scalar::short;
use std::fmt;
use std::mem::discriminant;

/// At most about this many rows are looked at, evenly spread, and a fiftieth of it where links slide:
/// where foreshortening is off a look asks for frequencies, where a link slides for its shapes at its
/// present length, and takes up to 2 ms.
const LOOKS: f64 = 1000.0;

/// Follows the rows of a run.
pub(super) struct RangeWatch<'a> {
    simulation: &'a Simulation,
    check: RangeCheck<'a>,
    turns: TurnCheck,
    /// When the next row is looked at (s).
    next: f64,
    found: Vec<RangeFinding>,
}

/// What is beyond its range.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeLimit {
    /// The options of a flexible link.
    Options(OutOfRange),
    /// A rotation of first order.
    Turn(LargeTurn),
}

/// A link that a run took out of the range of its assumptions.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeFinding {
    /// When first (s).
    pub first: f64,
    /// When it was furthest out (s).
    pub at: f64,
    /// How far that was.
    pub most: RangeLimit,
}

impl fmt::Display for RangeFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "link \"{}\", beyond its range from t = {} s on, furthest at t = {} s: {}",
            self.most.link(),
            short(self.first),
            short(self.at),
            self.most.reason(),
        )
    }
}

impl RangeFinding {
    /// What would be right.
    pub fn help(&self) -> Option<String> {
        match &self.most {
            RangeLimit::Options(found) => Some(found.help()),
            RangeLimit::Turn(found) => found.help(),
        }
    }
}

impl Stateful for RangeWatch<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.next);
        let links = self.simulation.arm.link_names();
        let turn = || RangeLimit::Turn(LargeTurn { link: String::new(), value: 0.0 });
        let fresh = || RangeFinding { first: 0.0, at: 0.0, most: turn() };
        state.list(&mut self.found, fresh, |state, RangeFinding { first, at, most }| {
            state.number(first);
            state.number(at);
            most.visit(links, state);
        });
    }
}

impl<'a> RangeWatch<'a> {
    /// Whether there is something to watch.
    pub(super) fn is_wanted(simulation: &Simulation) -> bool {
        (0..simulation.arm.body_count())
            .any(|link| simulation.arm.beam_at(link, &simulation.diagram.q).is_some())
    }

    pub(super) fn new(simulation: &'a Simulation) -> Option<Self> {
        let check = Self::is_wanted(simulation).then(|| RangeCheck::new(&simulation.arm))?;
        let turns = TurnCheck::new(&simulation.scenario.variants, &simulation.arm);
        Some(Self { simulation, check, turns, next: 0.0, found: Vec::new() })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, t: f64, state: &RowState) {
        if t < self.next {
            return;
        }
        self.next = t + self.simulation.time_between(LOOKS);
        let loads: Vec<Load> =
            self.simulation.diagram.loads.iter().map(|push| push.at(t)).collect();
        // what cannot be computed is told elsewhere
        let now = self.check.at(&state.q, &state.u, &loads).unwrap_or_default();
        let turns = self.turns.at(&state.q).into_iter().map(RangeLimit::Turn);
        for one in now.into_iter().map(RangeLimit::Options).chain(turns) {
            self.see(t, one);
        }
    }

    fn see(&mut self, t: f64, now: RangeLimit) {
        let same =
            |known: &&mut RangeFinding| known.most.link() == now.link() && known.most.is_like(&now);
        match self.found.iter_mut().find(same) {
            None => self.found.push(RangeFinding { first: t, most: now, at: t }),
            Some(known) if now.size() > known.most.size() => {
                (known.most, known.at) = (now, t);
            }
            Some(_) => {}
        }
    }

    /// What was found.
    pub(super) fn finish(self) -> Vec<RangeFinding> {
        self.found
    }
}

impl RangeLimit {
    /// The link.
    pub fn link(&self) -> &str {
        match self {
            Self::Options(found) => found.link(),
            Self::Turn(found) => &found.link,
        }
    }

    /// Visits its link, by the place among these, its kind and its numbers.
    fn visit(&mut self, links: &[String], state: &mut StateVisitor<'_>) {
        let (mut kind, [mut value, mut limit, mut other], mut segments) = match self {
            &mut Self::Turn(LargeTurn { value, .. }) => (0, [value, 0.0, 0.0], 0),
            Self::Options(found) => match *found {
                OutOfRange::Slope { value, limit, segments, .. } => {
                    (1, [value, limit, 0.0], segments)
                }
                OutOfRange::Spin { value, limit, frequency, .. } => {
                    (2, [value, limit, frequency], 0)
                }
                OutOfRange::Axial { value, limit, buckling, .. } => {
                    (3, [value, limit, buckling], 0)
                }
            },
        };
        let mut place = links.iter().position(|link| link == self.link()).unwrap_or(0);
        state.index(&mut place, links.len());
        state.index(&mut kind, 4);
        for number in [&mut value, &mut limit, &mut other] {
            state.number(number);
        }
        state.size(&mut segments);
        if state.is_taking() {
            let link = links.get(place).cloned().unwrap_or_default();
            *self = match kind {
                0 => Self::Turn(LargeTurn { link, value }),
                1 => Self::Options(OutOfRange::Slope { link, value, limit, segments }),
                2 => Self::Options(OutOfRange::Spin { link, value, limit, frequency: other }),
                _ => Self::Options(OutOfRange::Axial { link, value, limit, buckling: other }),
            };
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Options(found) => found.reason(),
            Self::Turn(found) => found.reason(),
        }
    }

    /// Whether it has the same cause.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Options(own), Self::Options(other)) => discriminant(own) == discriminant(other),
            (Self::Turn(_), Self::Turn(_)) => true,
            _ => false,
        }
    }

    /// How large it is, in the unit of its cause.
    fn size(&self) -> f64 {
        match self {
            Self::Options(
                OutOfRange::Slope { value, .. }
                | OutOfRange::Spin { value, .. }
                | OutOfRange::Axial { value, .. },
            )
            | Self::Turn(LargeTurn { value, .. }) => value.abs(),
        }
    }
}
