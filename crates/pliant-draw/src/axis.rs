//! An axis: what it shows, in which unit, between which values.

use crate::text::Rich;
use crate::ticks::{Ticks, linear, logarithmic};

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithms; values that are not positive are left out.
    Log,
}

/// What an axis shows. It covers the values of the curves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What it is, in words; may be empty.
    pub label: String,
    /// In which unit; empty or `1` where there is none. Exponents are written `m/s^2`.
    pub unit: String,
    /// How the values are spread.
    pub scale: AxisScale,
    /// What stands at 0, 1, 2, …, where it has words instead of numbers.
    pub words: Vec<String>,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), scale: AxisScale::Linear, words: Vec::new() }
    }

    /// An axis of words: the first is at 0, the next at 1.
    pub fn of_words(label: impl Into<String>, words: Vec<String>) -> Self {
        Self { words, ..Self::new(label, "") }
    }

    /// The same with another scale.
    #[must_use]
    pub fn scaled(mut self, scale: AxisScale) -> Self {
        self.scale = scale;
        self
    }

    /// Whether a value has a place on it.
    pub(crate) fn takes(&self, value: f64) -> bool {
        // beyond this a difference of two values may be out of range
        value.abs() < 1e300 && (self.scale == AxisScale::Linear || value > 1e-300)
    }

    /// The axis over these values, with this share of free room at both ends.
    pub(crate) fn over(&self, values: impl Iterator<Item = f64>, room: f64) -> Ruler {
        if !self.words.is_empty() {
            let (ends, words) = ([-0.5, self.words.len() as f64 - 0.5], self.words.clone());
            return Ruler { ends, scale: AxisScale::Linear, power: 0, prefix: None, words };
        }
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| self.takes(*value)) {
            least = least.min(value);
            most = most.max(value);
        }
        if least > most {
            (least, most) = match self.scale {
                AxisScale::Linear => (0.0, 1.0),
                AxisScale::Log => (1.0, 10.0),
            };
        }
        match self.scale {
            AxisScale::Linear => {
                let largest = least.abs().max(most.abs());
                if most - least <= FLAT * largest {
                    let around = if largest == 0.0 { 1.0 } else { 0.05 * largest };
                    (least, most) = (least - around, most + around);
                } else {
                    let room = room * (most - least);
                    (least, most) = (least - room, most + room);
                }
            }
            AxisScale::Log => {
                let spread = (most / least).log10();
                let room = 10.0_f64.powf(if spread < FLAT { 0.5 } else { room * spread });
                (least, most) = (least / room, most * room);
            }
        }
        let (power, prefix) = match self.scale {
            AxisScale::Linear => power(&self.unit, least.abs().max(most.abs())),
            AxisScale::Log => (0, None),
        };
        let (ends, scale) = ([least, most], self.scale);
        Ruler { ends, scale, power, prefix, words: Vec::new() }
    }

    /// What stands beside it: the label, and the unit as the ruler counts it in brackets.
    pub(crate) fn caption(&self, ruler: &Ruler) -> Rich {
        let unit = if self.unit == "1" { "" } else { self.unit.as_str() };
        let unit = match (ruler.power, ruler.prefix) {
            (0, _) => unit.to_owned(),
            (_, Some(prefix)) => format!("{prefix}{unit}"),
            (power, None) => format!("10^{power} {unit}").trim_end().to_owned(),
        };
        let mut pieces = Vec::new();
        if !self.label.is_empty() {
            pieces.push((self.label.clone(), false));
        }
        if !unit.is_empty() {
            let open = if self.label.is_empty() { "(" } else { " (" };
            pieces.push((open.to_owned(), false));
            pieces.extend(Rich::with_exponents(&unit).0);
            pieces.push((")".to_owned(), false));
        }
        Rich(pieces)
    }
}

/// What differs less than this, beside its size, is drawn as constant.
const FLAT: f64 = 1e-6;

/// An axis with its ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruler {
    ends: [f64; 2],
    scale: AxisScale,
    /// The ticks count in this power of ten.
    power: i32,
    /// What stands before the unit for that power.
    prefix: Option<&'static str>,
    /// What stands at 0, 1, 2, …, instead of numbers.
    words: Vec<String>,
}

impl Ruler {
    /// Whether words stand at it instead of numbers.
    pub(crate) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Where a value lies between the ends, from 0 to 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let [from, to] = self.ends;
        match self.scale {
            AxisScale::Linear => (value - from) / (to - from),
            AxisScale::Log => (value / from).ln() / (to / from).ln(),
        }
    }

    /// About so many ticks, at values of the axis.
    pub(crate) fn ticks(&self, count: f64) -> Ticks {
        if !self.words.is_empty() {
            let word = |(k, word): (usize, &String)| (k as f64, Rich::plain(word));
            let major = self.words.iter().enumerate().map(word).collect();
            return Ticks { major, minor: Vec::new() };
        }
        match self.scale {
            AxisScale::Linear => {
                let unit = 10.0_f64.powi(self.power);
                let mut ticks = linear(self.ends.map(|end| end / unit), count);
                for (value, _) in &mut ticks.major {
                    *value *= unit;
                }
                ticks
            }
            AxisScale::Log => logarithmic(self.ends, count),
        }
    }

    /// Whether a value is between the ends.
    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.ends[0]..=self.ends[1]).contains(&value)
    }
}

/// Units that take a prefix.
const PREFIXED: &[&str] =
    &["m", "rad", "s", "Hz", "N", "N m", "J", "W", "Pa", "m/s", "rad/s", "m/s^2"];

/// The power of ten in which values up to `largest` are counted, with the prefix for it.
fn power(unit: &str, largest: f64) -> (i32, Option<&'static str>) {
    if (0.02..1e4).contains(&largest) {
        return (0, None);
    }
    let power = (largest.log10() / 3.0).floor() as i32 * 3;
    let prefix = match power {
        -9 => Some("n"),
        -6 => Some("µ"),
        -3 => Some("m"),
        3 => Some("k"),
        6 => Some("M"),
        9 => Some("G"),
        _ => None,
    };
    (power, prefix.filter(|_| PREFIXED.contains(&unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(unit: &str, largest: f64) -> String {
        let axis = Axis::new("it", unit);
        let ruler = axis.over([0.0, largest].into_iter(), 0.0);
        axis.caption(&ruler).0.into_iter().map(|(piece, _)| piece).collect()
    }

    #[test]
    fn units_have_prefixes() {
        assert_eq!(caption("m", 1.0), "it (m)");
        assert_eq!(caption("m", 0.013), "it (mm)");
        assert_eq!(caption("N m", 2.5e4), "it (kN m)");
        assert_eq!(caption("J", 3e-12), "it (10−12 J)");
        assert_eq!(caption("kg m/s", 2e-3), "it (10−3 kg m/s)");
        assert_eq!(caption("1", 0.5), "it");
        assert_eq!(caption("", 1e-4), "it (10−6)");
    }

    #[test]
    fn every_range_has_two_ends() {
        let axis = Axis::new("", "m");
        let log = axis.clone().scaled(AxisScale::Log);
        let cases: &[&[f64]] = &[
            &[],
            &[f64::NAN],
            &[0.0],
            &[5.0],
            &[1e300, -1e300],
            &[1.0, 1.0 + 1e-12],
            &[-3.0],
            &[1e-310],
        ];
        for values in cases {
            for axis in [&axis, &log] {
                let ruler = axis.over(values.iter().copied(), 0.05);
                assert!(ruler.ends[0] < ruler.ends[1], "{values:?}: {ruler:?}");
                assert!(ruler.ends.iter().all(|end| end.is_finite()), "{values:?}: {ruler:?}");
                for value in values.iter().filter(|value| axis.takes(**value)) {
                    assert!((0.0..=1.0).contains(&ruler.place(*value)), "{values:?}");
                }
                let _ = ruler.ticks(5.0);
            }
        }
    }
}
