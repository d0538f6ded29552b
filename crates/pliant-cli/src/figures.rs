//! Numbers and tables for people.

use crate::output::Failure;
use pliant_io::escape;
use serde_json::Value;

/// Six significant digits; numbers without importance beside `largest` are zero.
pub(crate) fn figure(number: f64, largest: f64) -> String {
    let size = number.abs();
    if size <= 1e-14 * largest.abs() || size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{number:.5e}");
    }
    let decimals = (0..10).find(|&k| size * 10.0_f64.powi(k) >= 99_999.95).unwrap_or(10);
    let fixed = format!("{number:.*}", usize::try_from(decimals).unwrap_or_default());
    if fixed.contains('.') {
        fixed.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        fixed
    }
}

/// The unit in which numbers up to so large are read best, and what they are multiplied with; the page
/// of a study has the same (`web/src/units.ts`).
pub(crate) fn readable(unit: &str, largest: f64) -> (String, f64) {
    /// Lengths below are in millimetres (m).
    const SHORT: f64 = 0.1;
    /// Stresses, forces, stiffnesses, energies and powers above have a prefix.
    const LARGE: f64 = 1e4;
    const LARGER: f64 = 1e7;
    const HUGE: f64 = 1e10;
    let is_forceful =
        ["N", "J", "W"].contains(&unit) || unit.starts_with("N ") || unit.starts_with("N/");
    match unit {
        "rad" => ("deg".to_owned(), 1_f64.to_degrees()),
        "m" if largest < SHORT => ("mm".to_owned(), 1e3),
        "Pa" if largest >= HUGE => ("GPa".to_owned(), 1e-9),
        "Pa" if largest >= LARGE => ("MPa".to_owned(), 1e-6),
        _ if is_forceful && largest >= LARGER => (format!("M{unit}"), 1e-6),
        _ if is_forceful && largest >= LARGE => (format!("k{unit}"), 1e-3),
        _ => (unit.to_owned(), 1.0),
    }
}

/// Two significant digits, for what changes all the time.
pub(crate) fn rough(number: f64) -> String {
    let rounded: f64 = format!("{number:.1e}").parse().unwrap_or(number);
    figure(rounded, 0.0)
}

/// Figures of numbers that are compared with one another.
pub(crate) fn figures(numbers: &[f64]) -> Vec<String> {
    let largest = numbers.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    numbers.iter().map(|&x| figure(x, largest)).collect()
}

/// Lines of cells in columns: the first `left` columns begin at the left, the others end at the
/// right. The first line is the head.
pub(crate) fn table(lines: &[Vec<String>], left: usize) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut row = String::from(" ");
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width - cell.chars().count());
            row.push(' ');
            if column < left {
                row.push_str(cell);
                row.push_str(&pad);
            } else {
                row.push_str(&pad);
                row.push_str(cell);
            }
            row.push(' ');
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// A value as JSON for people.
pub(crate) fn pretty(value: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| escape::json(&text) + "\n")
        .map_err(|error| Failure::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(figure(0.0, 1.0), "0");
        assert_eq!(figure(1e-17, 1.0), "0");
        assert_eq!(figure(1.0 / 3.0, 1.0), "0.333333");
        assert_eq!(figure(-9.81, 1.0), "-9.81");
        assert_eq!(figure(123_456.7, 1.0), "123457");
        assert_eq!(figure(1e9, 1.0), "1.00000e9");
        assert_eq!(figure(2e-6, 1.0), "2.00000e-6");
        assert_eq!(figure(100.0, 1.0), "100");
    }

    #[test]
    fn units_read_well() {
        for (unit, largest, expected, factor) in [
            ("Pa", 69e9, "GPa", 1e-9),
            ("Pa", 4e8, "MPa", 1e-6),
            ("Pa", 30.0, "Pa", 1.0),
            ("m", 0.004, "mm", 1e3),
            ("m", 0.4, "m", 1.0),
            ("N m/rad", 5e4, "kN m/rad", 1e-3),
            ("N m", 5e7, "MN m", 1e-6),
            ("N", 9999.0, "N", 1.0),
            ("J", 1e5, "kJ", 1e-3),
            ("Nm", 1e5, "Nm", 1.0),
            ("kg", 1e5, "kg", 1.0),
        ] {
            assert_eq!(readable(unit, largest), (expected.to_owned(), factor), "{unit} {largest}");
        }
        assert_eq!(readable("rad", 1.0).0, "deg");
    }

    #[test]
    fn columns_are_aligned() {
        let cells = |line: &[&str]| line.iter().map(ToString::to_string).collect::<Vec<_>>();
        let lines = [cells(&["name", "x"]), cells(&["é", "10.5"])];
        assert_eq!(table(&lines, 1), "  name     x\n  é     10.5\n");
    }
}
