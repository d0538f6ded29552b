//! Bounds beyond which a motion has diverged.

use crate::arm::Arm;
use crate::dynamics::energy::MovingMatter;
use crate::scalar::short;
use crate::spatial::Vec3;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::fmt;

/// Beyond these a motion diverges, whatever the method makes of it.
///
/// The centre of mass of a link cannot be further from its place than the link is long. Three
/// times that is a slope of 10 in the first shape of a cantilever, of 4 where all its mass is at
/// the end: 14 to 35 times what the shapes are right for. Nothing on an arm moves at 100 km/s:
/// that is ten times the speed of orbits and a hundred times that at which spinning matter bursts.
const BEYOND_SENSE: Bounds = Bounds { bent: 3.0, speed: 1e5 };

/// Where the method gives up beyond these, it is the motion that is at fault.
const SUSPECT: Bounds = Bounds { bent: 1.0, speed: 1e4 };

#[derive(Clone, Copy)]
struct Bounds {
    /// How far the centre of mass of a bending link is from its place, in lengths of the link.
    bent: f64,
    /// The speed of the centre of mass of a link (m/s).
    speed: f64,
}

/// How far a motion went that could not be carried on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Excess {
    /// A link bends by more than a few of its lengths.
    Bent {
        /// The link.
        link: String,
        /// How far its centre of mass is from where it is unbent (m).
        #[serde(with = "super::number")]
        by: f64,
        /// The length of the link or of its segment, of one that slides the largest (m).
        length: f64,
    },
    /// A link moves faster than anything on an arm.
    Fast {
        /// The link.
        link: String,
        /// The speed of its centre of mass (m/s).
        #[serde(with = "super::number")]
        speed: f64,
    },
    /// A prescribed motion jumps.
    Jump {
        /// Position or rate.
        quantity: String,
        /// By how much.
        by: f64,
        /// Its unit.
        unit: String,
        /// When (s).
        at: f64,
    },
    /// A spring or a link vibrates faster than steps can follow.
    Vibrates {
        /// The coordinate that moves most in it.
        coordinate: String,
        /// Its frequency (rad/s).
        #[serde(with = "super::number")]
        frequency: f64,
    },
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bent { link, by, length } => write!(
                f,
                "link \"{link}\" bends by {:.1} times its length of {length} m",
                by / length
            ),
            Self::Fast { link, speed } => {
                write!(f, "link \"{link}\" moves at {:.0} km/s", speed / 1e3)
            }
            Self::Jump { quantity, by, unit, at } => {
                write!(f, "its {quantity} by {} {unit} at t = {} s", short(*by), short(*at))
            }
            Self::Vibrates { coordinate, frequency } => {
                write!(f, "\"{coordinate}\" vibrates at {:.1e} Hz", frequency / TAU)
            }
        }
    }
}

/// Follows how far links bend and how fast they move.
pub(super) struct Strayed {
    /// By body: the centre of mass unbent, body frame, and the length (m) of what bends.
    unbent: Vec<Option<(Vec3<f64>, f64)>>,
    /// The body that is bent most now, and how far (m).
    bent: (usize, f64),
    /// The fastest body now, and how fast (m/s).
    fastest: (usize, f64),
}

impl Strayed {
    /// With the matter of the bodies in the neutral configuration.
    pub(super) fn new(arm: &Arm, neutral: impl Iterator<Item = MovingMatter<f64>>) -> Self {
        let unbent = |(body, matter): (usize, MovingMatter<f64>)| {
            let beam = arm.beam_of(body).or_else(|| arm.sliding_of(body))?;
            let length = beam.slide.as_ref().map_or(beam.length, |slide| slide.stroke[1]);
            Some((matter.centre()?.0, length))
        };
        let unbent = neutral.enumerate().map(unbent).collect();
        Self { unbent, bent: (0, 0.0), fastest: (0, 0.0) }
    }

    /// With the matter of the bodies now.
    pub(super) fn follow(&mut self, now: impl Iterator<Item = MovingMatter<f64>>) {
        (self.bent, self.fastest) = ((0, 0.0), (0, 0.0));
        let mut most = 0.0;
        for (body, (unbent, matter)) in self.unbent.iter().zip(now).enumerate() {
            let Some((place, velocity)) = matter.centre() else { continue };
            let speed = velocity.norm();
            if speed > self.fastest.1 {
                self.fastest = (body, speed);
            }
            if let Some((own, length)) = unbent {
                let by = (place - *own).norm();
                if by / length > most {
                    (most, self.bent) = (by / length, (body, by));
                }
            }
        }
    }

    /// What of the motion is beyond sense.
    pub(super) fn excess(&self, arm: &Arm) -> Option<Excess> {
        self.beyond(arm, BEYOND_SENSE)
    }

    /// What of the motion explains that the method gave up.
    pub(super) fn suspect(&self, arm: &Arm) -> Option<Excess> {
        self.beyond(arm, SUSPECT)
    }

    fn beyond(&self, arm: &Arm, bounds: Bounds) -> Option<Excess> {
        let name = |body: usize| arm.link_names()[body].clone();
        let (body, by) = self.bent;
        let length = self.unbent.get(body).copied().flatten().map(|(_, length)| length);
        let bent = length.filter(|length| by > bounds.bent * length);
        let (fastest, speed) = self.fastest;
        bent.map(|length| Excess::Bent { link: name(body), by, length })
            .or_else(|| (speed > bounds.speed).then(|| Excess::Fast { link: name(fastest), speed }))
    }
}
