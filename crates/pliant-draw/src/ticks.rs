//! Where an axis has its ticks, and what stands beside them.

use crate::text::{Rich, minus};

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// Where, in the units of the axis, with what stands there.
    pub(crate) major: Vec<(f64, Rich)>,
    /// Where without a word.
    pub(crate) minor: Vec<f64>,
}

/// Ticks at round numbers between two values, about `count` of them.
pub(crate) fn linear([from, to]: [f64; 2], count: f64) -> Ticks {
    let step = round_step((to - from) / count.max(1.0));
    // rounding must not make a digit more
    let decimals = (-step.log10() - 1e-9).ceil() as i32;
    let decimals = usize::try_from(decimals).unwrap_or(0);
    let first = (from / step - 1e-9).ceil();
    let last = (to / step + 1e-9).floor();
    let many = (last - first).clamp(-1.0, 100.0);
    let at = |k: i32| {
        let value = (first + f64::from(k)) * step;
        // no minus before a zero
        let text = format!("{:.decimals$}", if value.abs() < 0.5 * step { 0.0 } else { value });
        (value, Rich::plain(&minus(&text)))
    };
    Ticks { major: (0..=many as i32).map(at).collect(), minor: Vec::new() }
}

/// The next of 1, 2 and 5 times a power of ten.
pub(crate) fn round_step(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.log10().floor());
    let factor = least / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| factor <= round * (1.0 + 1e-9));
    round.unwrap_or(10.0) * power
}

/// Ticks at powers of ten between two positive values, with words at about `count` of them.
pub(crate) fn logarithmic([from, to]: [f64; 2], count: f64) -> Ticks {
    let first = (from.log10() + 1e-9).floor() as i32;
    let last = (to.log10() - 1e-9).ceil() as i32;
    let inside = |x: &f64| (from * (1.0 - 1e-9)..=to * (1.0 + 1e-9)).contains(x);
    let powers = (first..=last).filter(|&e| inside(&10.0_f64.powi(e)));
    let every = (f64::from(last - first) / count.max(1.0)).ceil().max(1.0) as i32;
    let word = |e: i32| Rich::with_exponents(&format!("10^{e}"));
    let mut major: Vec<_> =
        powers.filter(|e| e % every == 0).map(|e| (10.0_f64.powi(e), word(e))).collect();
    let steps = (first..=last).flat_map(|e| (2..10).map(move |k| f64::from(k) * 10.0_f64.powi(e)));
    let minor: Vec<f64> = if every == 1 { steps.filter(inside).collect() } else { Vec::new() };
    if major.len() < 2 {
        // less than a decade or so: the numbers themselves
        let text = |x: f64| (x, Rich::plain(&minus(&format!("{x}"))));
        let rounded = |x: f64| format!("{x:.3e}").parse().unwrap_or(x);
        let some = minor.iter().copied().filter(|x| {
            let digit = (x / 10.0_f64.powf(x.log10().floor())).round();
            [2.0, 5.0].contains(&digit)
        });
        major = major.into_iter().map(|(x, _)| x).chain(some).map(|x| text(rounded(x))).collect();
    }
    Ticks { major, minor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ticks: &Ticks) -> Vec<String> {
        let word = |rich: &Rich| rich.0.iter().map(|(text, _)| text.as_str()).collect();
        ticks.major.iter().map(|(_, rich)| word(rich)).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(words(&linear([0.0, 5.0], 5.0)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(words(&linear([-0.11, 0.09], 4.0)), ["−0.10", "−0.05", "0.00", "0.05"]);
        assert_eq!(words(&linear([-1.0, 1.0], 2.0)), ["−1", "0", "1"]);
        assert_eq!(words(&linear([1e5, 3e5], 2.0)), ["100000", "200000", "300000"]);
        for count in [1.0, 3.0, 10.0] {
            for (from, to) in [(1e-9, 2e-9), (-3.0, 1e6), (0.999, 1.001)] {
                let ticks = linear([from, to], count);
                assert!(ticks.major.len() as f64 <= count + 2.0, "{ticks:?}");
                assert!(ticks.major.iter().all(|(x, _)| *x >= from - 1e-9 && *x <= to + 1e-9));
            }
        }
    }

    #[test]
    fn decades_are_ticks() {
        assert_eq!(words(&logarithmic([0.1, 1000.0], 10.0)), ["10−1", "100", "101", "102", "103"]);
        assert_eq!(logarithmic([0.1, 1000.0], 10.0).minor.len(), 4 * 8);
        assert_eq!(
            words(&logarithmic([1e-12, 1.0], 4.0)),
            ["10−12", "10−9", "10−6", "10−3", "100"]
        );
        assert_eq!(words(&logarithmic([1.5, 6.0], 4.0)), ["2", "5"]);
    }
}
