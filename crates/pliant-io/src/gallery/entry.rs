//! An entry as plain data, every part of it with its place in the file.

use super::file::{CountedBy, CountedKind, Followed, JointsThen, Taking};
use super::model_file::{Across, Part, Roots, Side};
use super::quantities::Quantity;
use super::{GalleryDocument, GalleryVerdict};
use crate::scenario::Listed;
use pliant::reproduce::effort::CountedQuantity;
use std::fmt;
use std::ops::Range;

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) place: String,
    pub(super) scenario: Option<Listed>,
    /// Names and units.
    pub(super) variables: Vec<(String, String)>,
    /// Names and expressions.
    pub(super) quantities: Vec<Quantity>,
    pub(super) set: Vec<Listed>,
    pub(super) columns: Vec<Column>,
    pub(super) lines: Vec<Line>,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) unit: String,
    /// Where its kind stands.
    pub(super) span: Range<usize>,
    pub(super) factor: Listed,
    pub(super) tolerance: f64,
    pub(super) why: Option<String>,
    /// The formula that the document prints.
    pub(super) printed: Option<Listed>,
    pub(super) measure: Taken,
}

/// How a number is computed.
#[derive(Clone, Debug)]
pub(super) enum Taken {
    Course { expression: Listed, take: Taking, at: f64 },
    Difference(Beside),
    Figure(Listed),
    Tracking { of: Followed, joint: Option<Listed> },
    Frequency { number: Which, joints: JointsThen },
    SpectralRadius { at: f64 },
    Root(Rooted),
    ModeShape(Shaped),
    Equations(Compared),
    Operations(Counting),
    Solution(Solving),
    Integral(Integrating),
    Formula(Listed),
}

/// Which course is held against that of a run with other values.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub(super) expression: Listed,
    /// Values of the scenario of the other run.
    pub(super) against: Vec<Listed>,
    /// From here on (s).
    pub(super) at: f64,
}

/// Which of several, counted from 1, and where the entry says so.
#[derive(Clone, Debug)]
pub(super) struct Which {
    pub(super) number: usize,
    pub(super) span: Range<usize>,
}

/// Which pole or zero.
#[derive(Clone, Debug)]
pub(super) struct Rooted {
    pub(super) of: Roots,
    pub(super) outputs: Vec<Listed>,
    pub(super) number: Listed,
    pub(super) part: Part,
    pub(super) at: f64,
}

/// Which shape of which mode, and what is taken of it.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    pub(super) number: Which,
    pub(super) joints: JointsThen,
    pub(super) link: Listed,
    pub(super) across: Across,
    pub(super) expression: Listed,
    pub(super) take: Taking,
    /// From here on, or here.
    pub(super) at: f64,
}

/// Which part of which equations of motion are compared with which others.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) of: Side,
    /// How both are written, as words that may contain variables.
    pub(super) with: Listed,
    pub(super) instead_of: Listed,
    /// Values of the scenario of the others.
    pub(super) beside: Vec<Listed>,
}

/// Of which equation a number is the solution, and between which places.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    pub(super) equation: Listed,
    pub(super) ends: [Listed; 2],
    /// Which integral the equation knows.
    pub(super) integral: Option<Integrating>,
}

/// What is integrated, and between which places.
#[derive(Clone, Debug)]
pub(super) struct Integrating {
    pub(super) integrand: Listed,
    pub(super) ends: [Listed; 2],
}

impl Integrating {
    /// What is integrated, and its ends.
    fn expressions(&self) -> [&Listed; 3] {
        [&self.integrand, &self.ends[0], &self.ends[1]]
    }
}

/// Which operations are counted.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    pub(super) of: CountedQuantity,
    pub(super) by: CountedBy,
    pub(super) kind: CountedKind,
    /// Groups of links with so many coordinates each: `2x3 4x0`.
    pub(super) links: Listed,
    /// The first and the last of Korayem's steps: `1-10`.
    pub(super) steps: Option<Listed>,
    pub(super) has_rigid_ends: bool,
}

impl Taken {
    /// Whether a scenario must be run for it.
    pub(super) fn needs_run(&self) -> bool {
        matches!(
            self,
            Self::Course { .. } | Self::Difference(_) | Self::Figure(_) | Self::Tracking { .. }
        )
    }

    /// The expressions of what needs no scenario.
    pub(super) fn expressions(&self) -> Vec<&Listed> {
        match self {
            Self::Formula(text) => vec![text],
            Self::Integral(of) => of.expressions().to_vec(),
            Self::Solution(of) => {
                let own = [&of.equation, &of.ends[0], &of.ends[1]];
                let integral = of.integral.iter().flat_map(Integrating::expressions);
                own.into_iter().chain(integral).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is about a scenario.
    pub(super) fn needs_scenario(&self) -> bool {
        !matches!(
            self,
            Self::Operations(_) | Self::Solution(_) | Self::Integral(_) | Self::Formula(_)
        )
    }
}

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    /// The values of the variables, as they are written.
    pub(super) values: Vec<String>,
    pub(super) set: Vec<Listed>,
    /// One for each column.
    pub(super) cells: Vec<Cell>,
}

/// What is said about a number.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) printed: Option<Printed>,
    pub(super) tolerance: f64,
    pub(super) why: Option<String>,
    pub(super) is_not_reproducible: bool,
    /// Whether it is a whole number, of which a unit is not of its last digit alone.
    pub(super) is_count: bool,
}

impl Cell {
    /// What follows from both numbers comes first; only for one that is not met it is asked whether any
    /// reading of the document gives it.
    pub(super) fn verdict(
        &self,
        document: GalleryDocument,
        printed: Option<Printed>,
        ours: Option<f64>,
    ) -> GalleryVerdict {
        match (printed, ours) {
            (None, _) if document == GalleryDocument::Beyond => GalleryVerdict::Beyond,
            (None, _) => GalleryVerdict::NoPrintedNumber,
            (Some(printed), Some(ours))
                if printed.of_count(self.is_count).is_met_by(ours, self.tolerance) =>
            {
                GalleryVerdict::Reproduced
            }
            _ if self.is_not_reproducible => GalleryVerdict::NotReproducible,
            _ => GalleryVerdict::Differs,
        }
    }
}

/// A printed number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Printed {
    pub(super) value: f64,
    /// One unit of its last digit.
    pub(super) digit: f64,
}

impl Printed {
    /// The value of a printed formula, which is exact.
    pub(super) fn exact(value: f64) -> Self {
        Self { value, digit: 0.0 }
    }

    /// The same of a count, which is exact.
    fn of_count(self, is_count: bool) -> Self {
        if is_count { Self::exact(self.value) } else { self }
    }

    /// From its digits: `0.0021` is good to 0.0001, `3190` to 1, `2.5e3` to 100.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let exponent: i32 = exponent.parse().ok()?;
        let digit = exponent.checked_sub(i32::try_from(decimals).ok()?)?;
        let digit = 10_f64.powi(digit);
        digit.is_finite().then_some(Self { value, digit })
    }

    /// How many decimals are printed; of a formula none are.
    pub(super) fn decimals(self) -> Option<usize> {
        let found = (0..300).find(|&k| self.digit * 10_f64.powi(k) > 0.5);
        found.and_then(|k| usize::try_from(k).ok())
    }

    /// Whether another number is as good as this one.
    pub(super) fn is_met_by(&self, ours: f64, tolerance: f64) -> bool {
        // a unit of the last digit is no exact number itself
        let allowed = (tolerance * self.value.abs()).max(self.digit * (1.0 + 1e-9));
        (ours - self.value).abs() <= allowed
    }
}

/// A claim.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) place: String,
    pub(super) claim: String,
    pub(super) value: Listed,
    pub(super) bound: Bound,
    pub(super) unit: String,
    pub(super) why: Option<String>,
}

/// Where a claim holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    MoreThan(f64),
    LessThan(f64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoreThan(bound) => write!(f, "> {}", short(*bound)),
            Self::LessThan(bound) => write!(f, "< {}", short(*bound)),
        }
    }
}

/// A bound as a person writes it.
fn short(bound: f64) -> String {
    if bound != 0.0 && bound.abs() < 1e-3 { format!("{bound:e}") } else { bound.to_string() }
}

impl Bound {
    /// What is no number is on neither side.
    pub(super) fn holds(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::MoreThan(bound) => value > bound,
                Self::LessThan(bound) => value < bound,
            }
    }
}

/// A figure.
#[derive(Clone, Debug)]
pub(super) struct Plotted {
    pub(super) place: String,
    pub(super) title: String,
    pub(super) x: super::GalleryAxis,
    pub(super) panels: Vec<PlottedPanel>,
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct PlottedPanel {
    pub(super) y: super::GalleryAxis,
    pub(super) curves: Vec<PlottedCurve>,
}

/// A curve.
#[derive(Clone, Debug)]
pub(super) struct PlottedCurve {
    pub(super) name: String,
    pub(super) of: CurveOf,
}

/// What a curve shows.
#[derive(Clone, Debug)]
pub(super) enum CurveOf {
    /// The course of the run of a row, by table and row.
    Run { at: (usize, usize), x: Listed, y: Listed, is_held: bool },
    /// The shape that a column of a row looks at, by table and row.
    Shape { at: (usize, usize), column: usize },
    /// A column of a table over one of its variables.
    Column { sheet: usize, column: usize, over: usize, is_printed: bool },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_tell_how_good_a_number_is() {
        let of = |text| Printed::parse(text).map(|printed| printed.digit);
        for (text, digit) in [("0.00060", 1e-5), ("3190", 1.0), ("14.59", 0.01), ("2.5e3", 100.0)] {
            let found = of(text).expect("a number");
            assert!((found / digit - 1.0).abs() < 1e-12, "{text}: {found}");
        }
        let decimals = |text| Printed::parse(text).and_then(Printed::decimals);
        let found = ["0.00060", "3190", "14.50", "2.5e3", "1.2e-7"].map(decimals);
        assert_eq!(found, [5, 0, 2, 0, 8].map(Some));
        let none = ["x", "inf", "", "1.5e-2147483648", "1e-99999999999", "0e400"].map(of);
        assert_eq!(none, [None; 6]);
        assert_eq!(Printed::exact(2.5).decimals(), None);
        let printed = Printed::parse("0.000065").expect("a number");
        assert!(printed.is_met_by(0.000_066, 0.001) && !printed.is_met_by(0.000_067, 0.001));
        assert!(printed.is_met_by(0.000_068, 0.05));
        // a formula has no last digit
        let exact = Printed::exact(75.0);
        assert!(exact.is_met_by(75.0, 0.0) && !exact.is_met_by(76.0, 0.0));
    }

    /// The word of the entry decides between those that are not met, and nothing else.
    #[test]
    fn numbers_decide_before_words() {
        let verdict = |is_not_reproducible, document, printed: Option<&str>, ours| {
            let cell = Cell {
                printed: None,
                tolerance: 0.01,
                why: None,
                is_not_reproducible,
                is_count: false,
            };
            let verdict = cell.verdict(document, printed.and_then(Printed::parse), ours);
            verdict.word()
        };
        let king = GalleryDocument::King;
        for (printed, ours) in [("0.0", 0.05), ("0.0", -0.1), ("14.5", 14.6), ("1450", 1464.0)] {
            for is_given_up in [false, true] {
                assert_eq!(verdict(is_given_up, king, Some(printed), Some(ours)), "reproduced");
            }
        }
        for (printed, ours) in [("0.0", Some(0.11)), ("14.5", Some(14.7)), ("14.5", None)] {
            assert_eq!(verdict(false, king, Some(printed), ours), "differs");
            assert_eq!(verdict(true, king, Some(printed), ours), "not reproducible");
        }
        for is_given_up in [false, true] {
            assert_eq!(verdict(is_given_up, king, None, Some(1.0)), "no printed number");
            assert_eq!(verdict(is_given_up, GalleryDocument::Beyond, None, None), "beyond");
        }
    }
}
