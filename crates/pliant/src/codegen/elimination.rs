//! Elimination of linear systems, written once for all languages.

use super::algorithm::System;
use super::program::Program;
use std::collections::BTreeSet;

/// A function that works in place on the arrays `matrix` and another one.
pub(super) struct Elimination {
    pub(super) about: &'static [&'static str],
    /// Here and in the steps, `SIZE` and `COLUMNS` stand for numbers.
    pub(super) name: &'static str,
    /// Whether the matrix is only read.
    pub(super) keeps_matrix: bool,
    /// The other array, and its length.
    pub(super) other: (&'static str, &'static str),
    /// What is done with the numbers of each arm.
    pub(super) steps: Vec<Step>,
    /// A function that is called with both arrays at the end.
    pub(super) last: Option<&'static str>,
}

/// A line of loops and conditions. Between bars is a magnitude.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// A loop over a number, from and to (without it), ended by [`Step::End`].
    For(&'static str, &'static str, &'static str),
    /// A loop from the last number below this one down to zero, ended likewise.
    Down(&'static str, &'static str),
    /// What follows if that holds, ended likewise.
    If(&'static str),
    End,
    /// On with the next round of the innermost loop.
    Next,
    /// A new place in an array, which may become another.
    Place(&'static str, &'static str),
    /// A new number.
    Let(&'static str, &'static str),
    /// A new number that may become another.
    Var(&'static str, &'static str),
    /// One becomes another: `a = b`, `a -= b`.
    Do(&'static str),
    /// Two numbers of an array change places.
    Swap(&'static str, &'static str, &'static str),
}

use Step::{Do, Down, End, For, If, Let, Next, Place, Swap, Var};

/// Back substitution in an upper triangle.
fn substitution() -> Elimination {
    Elimination {
        about: &[
            "Solves a linear system in place, whose matrix is an upper triangle; a singular one gives what",
            "is not finite.",
        ],
        name: "substitute_SIZE_COLUMNS",
        keeps_matrix: true,
        other: ("right", "SIZE * COLUMNS"),
        steps: vec![
            For("c", "0", "COLUMNS"),
            Down("k", "SIZE"),
            Let("part", "right[k * COLUMNS + c] / matrix[k * SIZE + k]"),
            Do("right[k * COLUMNS + c] = part"),
            For("i", "0", "k"),
            Do("right[i * COLUMNS + c] -= part * matrix[i * SIZE + k]"),
            End,
            End,
            End,
        ],
        last: None,
    }
}

/// Finds the largest pivot of a column and does this with it.
fn with_pivot(own: &[Step]) -> Vec<Step> {
    let search = [
        For("k", "0", "SIZE"),
        Place("best", "k"),
        For("i", "k + 1", "SIZE"),
        If("|matrix[i * SIZE + k]| > |matrix[best * SIZE + k]|"),
        Do("best = i"),
        End,
        End,
        Let("pivot", "matrix[best * SIZE + k]"),
    ];
    [&search[..], own, &[End]].concat()
}

const UNLESS_ZERO: [Step; 3] = [If("pivot == 0.0"), Next, End];

/// Takes the row of the pivot from those below it; does this with the factor, too.
fn eliminate(own: &[Step]) -> Vec<Step> {
    let rows = [
        Let("reciprocal", "1.0 / pivot"),
        For("i", "k + 1", "SIZE"),
        Let("factor", "matrix[i * SIZE + k] * reciprocal"),
        For("j", "k + 1", "SIZE"),
        Do("matrix[i * SIZE + j] -= factor * matrix[k * SIZE + j]"),
        End,
    ];
    [&rows[..], own, &[End]].concat()
}

/// Gaussian elimination with the largest pivots, in the order of `linear::Pivoted`.
fn solution() -> Elimination {
    let swaps = [
        For("j", "0", "SIZE"),
        Swap("matrix", "k * SIZE + j", "best * SIZE + j"),
        End,
        For("c", "0", "COLUMNS"),
        Swap("right", "k * COLUMNS + c", "best * COLUMNS + c"),
        End,
    ];
    let right = [
        For("c", "0", "COLUMNS"),
        Do("right[i * COLUMNS + c] -= factor * right[k * COLUMNS + c]"),
        End,
    ];
    Elimination {
        about: &["Solves a linear system in place; a singular one gives what is not finite."],
        name: "solve_SIZE_COLUMNS",
        keeps_matrix: false,
        other: ("right", "SIZE * COLUMNS"),
        steps: with_pivot(&[&UNLESS_ZERO[..], &swaps, &eliminate(&right)].concat()),
        last: Some("substitute_SIZE_COLUMNS"),
    }
}

/// The determinant by the same elimination.
fn determinant() -> Elimination {
    let signs = [If("best != k"), Do("sign = -sign"), End];
    let swaps = [For("j", "k", "SIZE"), Swap("matrix", "k * SIZE + j", "best * SIZE + j"), End];
    let product = [Do("product *= pivot")];
    let own = [&product[..], &UNLESS_ZERO, &signs, &swaps, &eliminate(&[])].concat();
    let begin = [Var("product", "1.0"), Var("sign", "1.0")];
    let end = [Do("out[0] = product * sign")];
    Elimination {
        about: &["The determinant of a matrix, which is used up."],
        name: "determinant_SIZE",
        keeps_matrix: false,
        other: ("out", "1"),
        steps: [&begin[..], &with_pivot(&own), &end].concat(),
        last: None,
    }
}

/// How a language says an elimination.
pub(super) trait Eliminations {
    fn elimination(&self, own: &Elimination) -> String;

    /// A line, without the blanks before it.
    fn step(&self, step: Step) -> String;

    /// All lines, with blanks before those inside loops, and so many more before all of them.
    fn steps(&self, steps: &[Step], depth: usize) -> String {
        let (mut depth, mut out) = (depth, String::new());
        for step in steps {
            if matches!(step, End) {
                depth -= 1;
            }
            out.extend(["    ".repeat(depth), self.step(*step), "\n".to_owned()]);
            if matches!(step, For(..) | Down(..) | If(..)) {
                depth += 1;
            }
        }
        out
    }

    /// The functions that solve linear systems and find determinants, where something does.
    fn eliminations(&self, program: &Program) -> String {
        let systems = program.systems();
        let shapes: BTreeSet<_> = systems.iter().map(|own| (own.size, own.columns)).collect();
        let mut out = String::new();
        let mut write = |own: &Elimination, size: usize, columns: usize| {
            let text = self.elimination(own).replace("SIZE", &size.to_string());
            out.push_str(&text.replace("COLUMNS", &columns.to_string()));
        };
        for (size, columns) in shapes {
            write(&substitution(), size, columns);
            if systems.contains(&System { size, columns, is_triangular: false }) {
                write(&solution(), size, columns);
            }
        }
        if let Some(size) = program.determinant() {
            write(&determinant(), size, 0);
        }
        out
    }
}

/// A text with what is between bars in other words.
pub(super) fn magnitudes(text: &str, before: &str, after: &str) -> String {
    let mut parts = text.split('|');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (part, word) in parts.zip([before, after].into_iter().cycle()) {
        out.extend([word, part]);
    }
    out
}
