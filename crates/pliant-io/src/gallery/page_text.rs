//! Words and numbers of pages.

use super::GalleryRow;
use pliant::name::{shown, shown_lines};

/// Text inside of an element or an attribute.
pub(super) fn text(words: &str) -> String {
    escaped(&shown(words))
}

/// The same of several lines.
pub(super) fn lines(words: &str) -> String {
    escaped(&shown_lines(words))
}

fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A unit with its exponents raised.
pub(super) fn unit(words: &str) -> String {
    if words == "1" {
        return String::new();
    }
    let mut out = text(words);
    for (plain, raised) in [("^2", "²"), ("^3", "³"), ("^4", "⁴")] {
        out = out.replace(plain, raised);
    }
    out
}

/// Beyond so many decimals a number is told by its power of ten.
const MOST_DECIMALS: usize = 12;

/// Five significant digits, and whole numbers whole.
pub(super) fn number(value: f64) -> String {
    digits(value, 5, 0)
}

/// The same beside a number that is printed with so many decimals: four digits, and no fewer decimals.
pub(super) fn number_beside(value: f64, decimals: usize) -> String {
    digits(value, 4, decimals)
}

fn digits(value: f64, significant: i32, decimals: usize) -> String {
    let (size, least) = (value.abs(), decimals.min(MOST_DECIMALS));
    // a thousandth of the last printed digit is as good as nothing there
    let is_tiny = size < 1e-5 && size * 10_f64.powf(least as f64 + 3.0) < 1.0;
    let told = if size == 0.0 {
        format!("{size:.least$}")
    } else if is_tiny || size >= 1e12 {
        format!("{value:.*e}", usize::try_from(significant - 1).unwrap_or(0))
    } else if size.fract() == 0.0 {
        format!("{value:.least$}")
    } else {
        let before = size.log10().floor() as i32 + 1;
        let enough = usize::try_from(significant - before).unwrap_or(0);
        format!("{value:.*}", enough.clamp(least, MOST_DECIMALS.max(least)))
    };
    told.replace('-', "−")
}

/// A part of one, for people.
pub(super) fn part(value: f64) -> String {
    let percent = 100.0 * value;
    let sign = if percent < 0.0 { "−" } else { "+" };
    match percent.abs() {
        size if size < 0.005 => "0 %".to_owned(),
        size if size < 10.0 => format!("{sign}{size:.2} %"),
        size => format!("{sign}{size:.0} %"),
    }
}

/// What a document prints, with all of its digits; what is made of printed numbers, rounded.
pub(super) fn printed(row: &GalleryRow) -> String {
    match (row.printed, row.decimals) {
        (Some(value), Some(decimals)) if decimals <= MOST_DECIMALS => {
            format!("{value:.decimals$}").replace('-', "−")
        }
        (Some(value), _) => number(value),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_in_five_digits() {
        let told = [6.4e-5, 0.196_851_4, 2_606.588_3, 3190.0, 1.5e15, 0.0, -2.0].map(number);
        assert_eq!(told, ["0.000064000", "0.19685", "2606.6", "3190", "1.5000e15", "0", "−2"]);
        let beside = [(0.555, 5), (1.430_29, 5), (64.396e-6, 6), (12.0, 0), (0.0, 2), (4.8e-6, 6)];
        let told = beside.map(|(value, decimals)| number_beside(value, decimals));
        assert_eq!(told, ["0.55500", "1.43029", "0.00006440", "12", "0.00", "0.000004800"]);
        let parts = [-0.0643, 0.0, 0.21, -0.5, 12.0].map(part);
        assert_eq!(parts, ["−6.43 %", "0 %", "+21 %", "−50 %", "+1200 %"]);
    }

    #[test]
    fn what_entries_say_is_text() {
        assert_eq!(text("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
        assert_eq!(unit("kg m^2"), "kg m²");
    }
}
