//! Links that slid fast.

use super::Simulation;
use crate::arm::CoordinateRole;
use crate::scalar::short;
use crate::simulate::{Channel, ChannelRole, Extremes};
use std::fmt;

/// Up to which part of the group velocity the velocity of Theodore (24) is good to a per cent.
const FAST_OF_THEODORE24: f64 = 0.05;

/// Beyond this part of the group velocity a few shapes may be too few.
const FAST: f64 = 0.5;

/// How fast a link slid.
#[derive(Clone, Debug, PartialEq)]
pub struct SlidingSpeed {
    /// Its coordinate.
    pub coordinate: String,
    /// The largest speed (m/s).
    pub speed: f64,
    /// The group velocity of bending waves at its largest length (m/s): Theodore's `U_g`.
    pub group_velocity: f64,
    /// That length (m).
    pub length: f64,
    is_theodore24: bool,
}

impl SlidingSpeed {
    /// The channels that it reads: the rates of lengths.
    pub(super) fn needs(channels: &[Channel]) -> impl Iterator<Item = &str> {
        let is_rate = |one: &&Channel| {
            one.role == ChannelRole::Velocity && one.coordinate == Some(CoordinateRole::Length)
        };
        channels.iter().filter(is_rate).map(|one| one.name.as_str())
    }

    /// The links that slide, by the rows of a run.
    pub(super) fn of_run(simulation: &Simulation, extremes: &[Extremes]) -> Vec<Self> {
        let arm = &simulation.arm;
        let slid = |link: usize| {
            let ((at, v), beam) = (arm.length_of(link)?, arm.sliding_of(link)?);
            let slide = beam.slide?;
            let coordinate = arm.configuration_names()[at].clone();
            let is_rate = |one: &Channel| one.role == ChannelRole::Velocity && one.index == v;
            let found = extremes.iter().find(|one| is_rate(&one.channel))?;
            // none where there is no row
            let ends = [found.least, found.most].into_iter().flatten();
            let speed = ends.map(|end| end.value.abs()).reduce(f64::max)?;
            let length = slide.stroke[1];
            let group_velocity = beam.group_velocity(length);
            let is_theodore24 =
                simulation.scenario.variants.theodore24.contains(&arm.link_names()[link]);
            Some(Self { coordinate, speed, group_velocity, length, is_theodore24 })
        };
        (0..arm.body_count()).filter_map(slid).collect()
    }

    /// `U/U_g`.
    pub fn ratio(&self) -> f64 {
        self.speed / self.group_velocity
    }

    /// Whether it slid faster than the model is right for.
    pub fn is_fast(&self) -> bool {
        self.ratio() > self.limit().0
    }

    /// The largest ratio for which the model is right, and why.
    fn limit(&self) -> (f64, &'static str) {
        if self.is_theodore24 {
            (FAST_OF_THEODORE24, "where the velocity of Theodore (24) is wrong by per cents")
        } else {
            (FAST, "where a few shapes may be too few: compare with more")
        }
    }
}

impl fmt::Display for SlidingSpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (limit, why) = self.limit();
        write!(
            f,
            "\"{}\" slides at {} m/s, {:.2} of the group velocity {} m/s of bending waves at {} m: more than {limit}, {why}",
            self.coordinate,
            short(self.speed),
            self.ratio(),
            short(self.group_velocity),
            short(self.length)
        )
    }
}
