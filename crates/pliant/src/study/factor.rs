//! The values of one parameter.

use super::StudyError;
use super::normal::TruncatedNormal;
use libm::{exp, log};

/// The values that one parameter of a study takes, in its own unit.
///
/// The first three are levels, as a grid and a list have them; where runs are drawn, each level is
/// as likely as the others. The rest are distributions.
#[derive(Clone, Debug, PartialEq)]
pub enum Factor {
    /// These values.
    Points(Vec<f64>),
    /// Equal steps, both ends included.
    Linear {
        /// The first value.
        from: f64,
        /// The last value.
        to: f64,
        /// How many.
        count: u64,
    },
    /// Equal ratios, both ends included.
    Logarithmic {
        /// The first value, positive.
        from: f64,
        /// The last value, positive.
        to: f64,
        /// How many.
        count: u64,
    },
    /// Each value of a range equally likely.
    Uniform {
        /// The smallest value.
        from: f64,
        /// The largest value.
        to: f64,
    },
    /// Each logarithm of a value of a range equally likely.
    LogUniform {
        /// The smallest value, positive.
        from: f64,
        /// The largest value.
        to: f64,
    },
    /// The normal distribution, of which only what is in a range is drawn.
    Normal {
        /// The mean of the whole distribution.
        mean: f64,
        /// The standard deviation of the whole distribution.
        deviation: f64,
        /// The smallest value; minus infinity where there is none.
        from: f64,
        /// The largest value; infinity where there is none.
        to: f64,
    },
}

impl Factor {
    /// The normal distribution as a whole.
    pub fn normal(mean: f64, deviation: f64) -> Self {
        Self::Normal { mean, deviation, from: f64::NEG_INFINITY, to: f64::INFINITY }
    }

    /// How many levels there are; a distribution has none.
    pub fn levels(&self) -> Option<u64> {
        match self {
            Self::Points(points) => Some(points.len() as u64),
            Self::Linear { count, .. } | Self::Logarithmic { count, .. } => Some(*count),
            Self::Uniform { .. } | Self::LogUniform { .. } | Self::Normal { .. } => None,
        }
    }

    /// The value of a level, from 0. The ends are exact.
    pub(super) fn level(&self, k: u64) -> f64 {
        match *self {
            Self::Points(ref points) => points[k as usize],
            Self::Linear { from, to, count } => between(from, to, part(k, count)),
            Self::Logarithmic { from, to, count } => match part(k, count) {
                0.0 => from,
                1.0 => to,
                part => exp(between(log(from), log(to), part)),
            },
            Self::Uniform { .. } | Self::LogUniform { .. } | Self::Normal { .. } => f64::NAN,
        }
    }

    /// The value below which the part `u` of all draws is, `0 < u < 1`.
    pub(super) fn quantile(&self, u: f64) -> f64 {
        match *self {
            Self::Uniform { from, to } => between(from, to, u),
            Self::LogUniform { from, to } => exp(between(log(from), log(to), u)).clamp(from, to),
            Self::Normal { mean, deviation, from, to } => {
                TruncatedNormal::new(mean, deviation, from, to).quantile(u)
            }
            Self::Points(_) | Self::Linear { .. } | Self::Logarithmic { .. } => {
                let count = self.levels().unwrap_or(1);
                #[allow(clippy::cast_sign_loss, reason = "both are positive")]
                let level = (u * count as f64) as u64;
                self.level(level.min(count - 1))
            }
        }
    }

    /// Whether it has values; `factor` is its place among others.
    pub(super) fn check(&self, factor: usize) -> Result<(), StudyError> {
        let finite = |quantity, value: f64| {
            is_right(value.is_finite(), StudyError::NotFinite { factor, quantity, value })
        };
        let ends = |from, to| {
            finite("the first value", from)?;
            finite("the last value", to)
        };
        match *self {
            Self::Points(ref points) if points.is_empty() => Err(StudyError::Empty { factor }),
            Self::Points(ref points) => points.iter().try_for_each(|&at| finite("a value", at)),
            Self::Linear { count: 0, .. } | Self::Logarithmic { count: 0, .. } => {
                Err(StudyError::Empty { factor })
            }
            Self::Linear { from, to, count } => {
                ends(from, to)?;
                finite("the range", to - from)?;
                // levels may descend
                is_right(count == 1 || from != to, StudyError::Range { factor, from, to })
            }
            Self::Logarithmic { from, to, count } => {
                ends(from, to)?;
                is_right(from > 0.0 && to > 0.0, StudyError::Logarithm { factor, from, to })?;
                is_right(count == 1 || from != to, StudyError::Range { factor, from, to })
            }
            Self::Uniform { from, to } => {
                ends(from, to)?;
                finite("the range", to - from)?;
                is_right(from < to, StudyError::Range { factor, from, to })
            }
            Self::LogUniform { from, to } => {
                ends(from, to)?;
                is_right(from > 0.0, StudyError::Logarithm { factor, from, to })?;
                is_right(from < to, StudyError::Range { factor, from, to })
            }
            Self::Normal { mean, deviation, from, to } => {
                finite("the mean", mean)?;
                finite("the standard deviation", deviation)?;
                is_right(deviation > 0.0, StudyError::Deviation { factor, deviation })?;
                is_right(from < to, StudyError::Range { factor, from, to })?;
                let left = TruncatedNormal::new(mean, deviation, from, to).mass();
                is_right(left >= f64::MIN_POSITIVE, StudyError::Truncation { factor, from, to })
            }
        }
    }
}

fn is_right(holds: bool, error: StudyError) -> Result<(), StudyError> {
    if holds { Ok(()) } else { Err(error) }
}

/// Where the level `k` of `count` is, from 0 to 1.
fn part(k: u64, count: u64) -> f64 {
    if count == 1 { 0.0 } else { k as f64 / (count - 1) as f64 }
}

/// `(1 − part) from + part to`.
pub(super) fn between(from: f64, to: f64, part: f64) -> f64 {
    (1.0 - part) * from + part * to
}
