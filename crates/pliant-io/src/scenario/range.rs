//! Links that a run takes out of the range in which their options are right.

use super::Setup;
use super::row_state::RowState;
use crate::file_help::{self, EXACT_ROTATION};
use crate::units::short;
use pliant::analyse::{OutOfRange, RangeCheck};
use pliant::dynamics::loads::Load;
use pliant::reproduce::{LargeTurn, TurnCheck};
use std::mem::discriminant;

/// At most about this many rows are looked at, evenly spread: where foreshortening is off a look
/// asks for frequencies, where a link slides for its shapes at its present length, and takes up to
/// 2 ms.
const LOOKS: f64 = 1000.0;

/// Follows the rows of a run.
pub(super) struct Watch<'a> {
    setup: &'a Setup,
    check: RangeCheck<'a>,
    turns: TurnCheck,
    /// When the next row is looked at (s).
    next: f64,
    found: Vec<Found>,
}

/// What is beyond its range.
enum Beyond {
    Options(OutOfRange),
    Turn(LargeTurn),
}

/// A link and a cause.
struct Found {
    /// When first (s).
    first: f64,
    /// The largest, and when (s).
    most: Beyond,
    at: f64,
}

impl<'a> Watch<'a> {
    /// Whether there is something to watch.
    pub(super) fn is_wanted(setup: &Setup) -> bool {
        (0..setup.arm.body_count()).any(|link| setup.arm.beam_at(link, &setup.q).is_some())
    }

    pub(super) fn new(setup: &'a Setup) -> Option<Self> {
        let check = Self::is_wanted(setup).then(|| RangeCheck::new(&setup.arm))?;
        let turns = TurnCheck::new(&setup.variants, &setup.arm);
        Some(Self { setup, check, turns, next: 0.0, found: Vec::new() })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, t: f64, state: &RowState) {
        if t < self.next {
            return;
        }
        self.next = t + self.setup.duration / LOOKS;
        let loads: Vec<Load> = self.setup.loads.iter().map(|push| push.at(t)).collect();
        // what cannot be computed is told elsewhere
        let now = self.check.at(&state.q, &state.u, &loads).unwrap_or_default();
        let turns = self.turns.at(&state.q).into_iter().map(Beyond::Turn);
        for one in now.into_iter().map(Beyond::Options).chain(turns) {
            self.see(t, one);
        }
    }

    fn see(&mut self, t: f64, now: Beyond) {
        let same = |known: &&mut Found| known.most.link() == now.link() && known.most.is_like(&now);
        match self.found.iter_mut().find(same) {
            None => self.found.push(Found { first: t, most: now, at: t }),
            Some(known) if now.size() > known.most.size() => {
                (known.most, known.at) = (now, t);
            }
            Some(_) => {}
        }
    }

    /// What is doubtful.
    pub(super) fn finish(self) -> impl Iterator<Item = String> {
        self.found.into_iter().map(|Found { first, most, at }| {
            format!(
                "link \"{}\", beyond its range from t = {} s on, furthest at t = {} s: {}; {}",
                most.link(),
                short(first),
                short(at),
                most.reason(),
                most.help()
            )
        })
    }
}

impl Beyond {
    fn link(&self) -> &str {
        match self {
            Self::Options(found) => found.link(),
            Self::Turn(found) => &found.link,
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Options(found) => found.reason(),
            Self::Turn(found) => found.reason(),
        }
    }

    fn help(&self) -> String {
        match self {
            Self::Options(found) => {
                let option = file_help::option(found);
                option.map_or_else(|| found.help(), |option| format!("use {option}"))
            }
            Self::Turn(_) => format!("use {EXACT_ROTATION}"),
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
            Self::Options(_) => 0.0,
        }
    }
}
