//! Colours and dashes.

use std::fmt::Write;

/// Okabe and Ito's colours without their yellow, which is lost on white; the darkest first.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Lengths of dashes and gaps (pt).
const DASHES: [&str; 4] = ["", "4 2", "1.2 1.8", "6 2 1.2 2"];

/// Text, axes.
pub(crate) const INK: &str = "#222222";
/// The lines of axes and ticks.
pub(crate) const AXIS: &str = "#555555";
/// The grid.
pub(crate) const GRID: &str = "#e4e4e4";
/// The line at zero.
pub(crate) const ZERO: &str = "#c4c4c4";
/// What stands behind the curves and is read first of all there.
pub(crate) const FAINT: &str = "#909090";

/// How a curve looks: a colour and a dash by number. Beyond the last colour they begin again, dashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The number of the colour.
    pub colour: usize,
    /// The number of the dash; 0 is a full line.
    pub dash: usize,
}

impl Style {
    /// Full lines in the colours one after the other, then dashed ones.
    pub fn number(number: usize) -> Self {
        Self { colour: number % COLOURS.len(), dash: number / COLOURS.len() }
    }

    /// The colour as `#rrggbb`.
    pub(crate) fn colour(self) -> &'static str {
        COLOURS[self.colour % COLOURS.len()]
    }

    /// Dashes and gaps; nothing for a full line.
    pub(crate) fn dashes(self) -> &'static str {
        DASHES[self.dash % DASHES.len()]
    }
}

/// Viridis (Smith, van der Walt and Firing) without its yellow, which is lost on white: from the least
/// number to the most.
const SHADES: [&str; 9] = [
    "#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58",
    "#b5de2b",
];

/// The colour of a share from 0 to 1.
pub(crate) fn shade(share: f64) -> String {
    let at = share.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64;
    #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
    let k = (at as usize).min(SHADES.len() - 2);
    mixed(SHADES[k], SHADES[k + 1], at - k as f64)
}

/// A colour mixed with another, `share` of the other from 0 to 1.
pub(crate) fn mixed(colour: &str, other: &str, share: f64) -> String {
    let part = |text: &str, at: usize| {
        let digits = text.get(2 * at + 1..2 * at + 3);
        digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).map_or(0.0, f64::from)
    };
    let mut out = String::from("#");
    for at in 0..3 {
        let (a, b) = (part(colour, at), part(other, at));
        let value = (a + (b - a) * share).round().clamp(0.0, 255.0) as i32;
        // writing to a string does not fail
        let _ = write!(out, "{value:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_mix() {
        assert_eq!(mixed("#0072b2", "#ffffff", 0.0), "#0072b2");
        assert_eq!(mixed("#0072b2", "#ffffff", 1.0), "#ffffff");
        assert_eq!(mixed("#000000", "#ffffff", 0.5), "#808080");
    }

    #[test]
    fn shades_go_from_dark_to_light() {
        assert_eq!([shade(0.0), shade(1.0)], [SHADES[0], SHADES[8]]);
        assert_eq!(shade(0.5), SHADES[4]);
        let light = |share: f64| {
            let colour = shade(share);
            let part = |at: usize| u32::from_str_radix(&colour[at..at + 2], 16).expect("a colour");
            299 * part(1) + 587 * part(3) + 114 * part(5)
        };
        let all: Vec<u32> = (0..=100).map(|k| light(f64::from(k) / 100.0)).collect();
        assert!(all.windows(2).all(|two| two[0] <= two[1]), "{all:?}");
    }

    #[test]
    fn styles_differ() {
        let all: Vec<Style> = (0..28).map(Style::number).collect();
        for (i, one) in all.iter().enumerate() {
            let look = (one.colour(), one.dashes());
            assert!(all[..i].iter().all(|other| (other.colour(), other.dashes()) != look));
        }
    }
}
