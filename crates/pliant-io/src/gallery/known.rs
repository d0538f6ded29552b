//! Numbers by names, in expressions and in texts.

use super::entry::{Column, Sheet};
use super::integral;
use crate::problem::Report;
use crate::scenario::Listed;
use crate::setting::Setting;
use pliant::simulate::Expression;

/// Numbers by names.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<f64>,
    /// What stands for a name in braces, in texts.
    pub(super) texts: Vec<(String, String)>,
}

impl Known {
    /// Those of the variables of a row that are numbers.
    pub(super) fn variables(sheet: &Sheet, values: &[String]) -> Self {
        let mut known = Self { names: Vec::new(), values: Vec::new(), texts: Vec::new() };
        for ((name, _), value) in sheet.variables.iter().zip(values) {
            if let Ok(value) = value.parse() {
                known.names.push(name.clone());
                known.values.push(value);
            }
            known.texts.push((name.clone(), value.clone()));
        }
        known
    }

    /// Adds a number, which texts have with every digit.
    pub(super) fn push(&mut self, name: &str, value: f64) {
        self.texts.push((name.to_owned(), value.to_string()));
        self.extend(vec![(name.to_owned(), value)]);
    }

    /// The number of a column that has an id; one that is not known makes no other one known.
    pub(super) fn learn(&mut self, column: &Column, value: Option<f64>) {
        let number = |id: &String| (id.clone(), value.unwrap_or(f64::NAN));
        self.extend(column.id.iter().map(number).collect());
    }

    /// Adds numbers that texts do not name.
    pub(super) fn extend(&mut self, numbers: Vec<(String, f64)>) {
        for (name, value) in numbers {
            self.names.push(name);
            self.values.push(value);
        }
    }
}

/// The value of an expression. What needs a number that there is not is none either, whatever `min` and
/// `step` make of one.
pub(super) fn evaluated(expression: &Expression, values: &[f64]) -> f64 {
    if expression.variables().any(|at| values[at].is_nan()) {
        f64::NAN
    } else {
        expression.evaluate(values)
    }
}

/// What an equation calls its integral.
pub(super) const INTEGRAL: &str = "integral";

/// What is integrated, and between which ends.
pub(super) struct Integrand {
    pub(super) of: Expression,
    pub(super) ends: [Expression; 2],
}

impl Integrand {
    /// Its integral for some numbers.
    pub(super) fn value(&self, values: &[f64]) -> Result<f64, String> {
        let [lower, upper] = self.ends.each_ref().map(|end| evaluated(end, values));
        let of = |s: f64| {
            let with: Vec<f64> = std::iter::once(s).chain(values.iter().copied()).collect();
            evaluated(&self.of, &with)
        };
        integral::integral(of, lower, upper)
    }
}

/// Values of a scenario, and further ones.
pub(super) fn extended(
    settings: &[Setting],
    further: &[Listed],
    known: &Known,
) -> Result<Vec<Setting>, Report> {
    let further = further.iter().map(|one| Setting::of_program(&filled(&one.name, &known.texts)));
    settings.iter().cloned().map(Ok).chain(further).collect()
}

/// A text with what stands for names in the place of their names in braces. That is taken as it is,
/// whatever braces it has.
pub(super) fn filled(text: &str, texts: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let found = from.find('}').and_then(|close| {
            let named = texts.iter().find(|(name, _)| *name == from[1..close]);
            named.map(|(_, value)| (close, value))
        });
        rest = if let Some((close, value)) = found {
            out.push_str(value);
            &from[close + 1..]
        } else {
            out.push('{');
            &from[1..]
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that have the names of other variables in them are no more than they are: else a short file
    /// would make a text of any length.
    #[test]
    fn values_are_filled_in_once() {
        let texts = [("A", "{B}{B}"), ("B", "2"), ("", "0")];
        let texts = texts.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let of = |text: &str| filled(text, &texts);
        assert_eq!(of("x={A} s, y={B}, z={}"), "x={B}{B} s, y=2, z=0");
        assert_eq!(of("bends={ y = {B} }, {C} {"), "bends={ y = 2 }, {C} {");
        assert_eq!(of(""), "");
    }
}
