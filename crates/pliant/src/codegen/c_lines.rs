//! Loops in C99 and CUDA.

use super::algorithm::{Line, Lines, System};
use super::c::C;
use super::program::Program;
use std::collections::BTreeSet;

impl Lines for C<'_> {
    fn line(&self, line: &Line, _: &[String]) -> String {
        let real = self.real;
        match line {
            Line::Array(name, length) => format!("{real} {name}[{length}];"),
            Line::Table(name, places) => {
                let places: Vec<String> = places.iter().map(usize::to_string).collect();
                format!("const int {name}[] = {{{}}};", places.join(", "))
            }
            Line::For(index, from, to) => {
                format!("for (int {index} = {from}; {index} < {to}; ++{index}) {{")
            }
            Line::End => "}".to_owned(),
            // a fraction of numbers is one number of all lanes
            Line::Let(name, value) if value.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("const {} {name} = {};", self.number(), self.numbers(value))
            }
            Line::Let(name, value) => format!("const {real} {name} = {};", self.numbers(value)),
            Line::Var(name, value) => format!("{real} {name} = {};", self.numbers(value)),
            Line::Set(place, value) => format!("{place} = {};", self.numbers(value)),
            Line::Call { name, is_public, arguments } => {
                let prefix = if *is_public { self.prefix } else { "" };
                let arguments: Vec<&str> =
                    arguments.iter().map(|(name, _)| name.as_str()).collect();
                format!("{prefix}{name}({});", arguments.join(", "))
            }
        }
    }
}

impl C<'_> {
    /// Numbers with the sign of their type.
    fn numbers(&self, value: &str) -> String {
        if !self.single {
            return value.to_owned();
        }
        let word = |word: &str| match word.trim_start_matches('(').parse::<f32>() {
            Ok(_) if word.contains('.') => format!("{word}f"),
            _ => word.to_owned(),
        };
        let words: Vec<String> = value.split(' ').map(word).collect();
        words.join(" ")
    }
}

/// Back substitution in an upper triangle, lane by lane.
const SUBSTITUTE: &str = "\
/* Solves a linear system in place, whose matrix is an upper triangle; a singular one gives what is
 * not finite. */
PLIANT_FUNCTION void substitute_SIZE_COLUMNS(const real *matrix, real *right)
{
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        for (int c = 0; c < COLUMNS; ++c) {
            for (int k = SIZE - 1; k >= 0; --k) {
                const NUMBER part =
                    PLIANT_LANE(right[k * COLUMNS + c], lane) / PLIANT_LANE(matrix[k * SIZE + k], lane);
                PLIANT_LANE(right[k * COLUMNS + c], lane) = part;
                for (int i = 0; i < k; ++i) {
                    PLIANT_LANE(right[i * COLUMNS + c], lane) -=
                        part * PLIANT_LANE(matrix[i * SIZE + k], lane);
                }
            }
        }
    }
}

";

/// Gaussian elimination with the largest pivots, lane by lane, in the order of `linear::Pivoted`.
const SOLVE: &str = "\
/* Solves a linear system in place; a singular one gives what is not finite. */
PLIANT_FUNCTION void solve_SIZE_COLUMNS(real *matrix, real *right)
{
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        for (int k = 0; k < SIZE; ++k) {
            int best = k;
            for (int i = k + 1; i < SIZE; ++i) {
                if (ABS(PLIANT_LANE(matrix[i * SIZE + k], lane)) > ABS(PLIANT_LANE(matrix[best * SIZE + k], lane))) {
                    best = i;
                }
            }
            const NUMBER pivot = PLIANT_LANE(matrix[best * SIZE + k], lane);
            if (pivot == 0) {
                continue;
            }
            for (int j = 0; j < SIZE; ++j) {
                const NUMBER kept = PLIANT_LANE(matrix[k * SIZE + j], lane);
                PLIANT_LANE(matrix[k * SIZE + j], lane) = PLIANT_LANE(matrix[best * SIZE + j], lane);
                PLIANT_LANE(matrix[best * SIZE + j], lane) = kept;
            }
            for (int c = 0; c < COLUMNS; ++c) {
                const NUMBER kept = PLIANT_LANE(right[k * COLUMNS + c], lane);
                PLIANT_LANE(right[k * COLUMNS + c], lane) = PLIANT_LANE(right[best * COLUMNS + c], lane);
                PLIANT_LANE(right[best * COLUMNS + c], lane) = kept;
            }
            const NUMBER reciprocal = 1 / pivot;
            for (int i = k + 1; i < SIZE; ++i) {
                const NUMBER factor = PLIANT_LANE(matrix[i * SIZE + k], lane) * reciprocal;
                for (int j = k + 1; j < SIZE; ++j) {
                    PLIANT_LANE(matrix[i * SIZE + j], lane) -=
                        factor * PLIANT_LANE(matrix[k * SIZE + j], lane);
                }
                for (int c = 0; c < COLUMNS; ++c) {
                    PLIANT_LANE(right[i * COLUMNS + c], lane) -=
                        factor * PLIANT_LANE(right[k * COLUMNS + c], lane);
                }
            }
        }
    }
    substitute_SIZE_COLUMNS(matrix, right);
}

";

/// The determinant by the same elimination.
const DETERMINANT: &str = "\
/* The determinant of a matrix, which is used up. */
PLIANT_FUNCTION void determinant_SIZE(real *matrix, real *out)
{
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        NUMBER product = 1;
        NUMBER sign = 1;
        for (int k = 0; k < SIZE; ++k) {
            int best = k;
            for (int i = k + 1; i < SIZE; ++i) {
                if (ABS(PLIANT_LANE(matrix[i * SIZE + k], lane)) > ABS(PLIANT_LANE(matrix[best * SIZE + k], lane))) {
                    best = i;
                }
            }
            const NUMBER pivot = PLIANT_LANE(matrix[best * SIZE + k], lane);
            product *= pivot;
            if (pivot == 0) {
                continue;
            }
            if (best != k) {
                sign = -sign;
            }
            for (int j = k; j < SIZE; ++j) {
                const NUMBER kept = PLIANT_LANE(matrix[k * SIZE + j], lane);
                PLIANT_LANE(matrix[k * SIZE + j], lane) = PLIANT_LANE(matrix[best * SIZE + j], lane);
                PLIANT_LANE(matrix[best * SIZE + j], lane) = kept;
            }
            const NUMBER reciprocal = 1 / pivot;
            for (int i = k + 1; i < SIZE; ++i) {
                const NUMBER factor = PLIANT_LANE(matrix[i * SIZE + k], lane) * reciprocal;
                for (int j = k + 1; j < SIZE; ++j) {
                    PLIANT_LANE(matrix[i * SIZE + j], lane) -=
                        factor * PLIANT_LANE(matrix[k * SIZE + j], lane);
                }
            }
        }
        PLIANT_LANE(out[0], lane) = product * sign;
    }
}

";

/// The functions that solve linear systems and find determinants, where something does.
pub(super) fn solve(program: &Program) -> String {
    let (number, abs) =
        if program.settings.single { ("float", "fabsf") } else { ("double", "fabs") };
    let written = |text: &str, [size, columns]: [&str; 2]| -> String {
        let text = text.replace("SIZE", size).replace("COLUMNS", columns);
        text.replace("NUMBER", number).replace("ABS", abs)
    };
    let determinant =
        program.determinant().map(|size| written(DETERMINANT, [&size.to_string(), ""]));
    solvers(program, SUBSTITUTE, SOLVE, written) + &determinant.unwrap_or_default()
}

/// A text for each kind of system: that of its triangle, then if it is none the elimination.
pub(super) fn solvers(
    program: &Program,
    substitute: &str,
    solve: &str,
    written: impl Fn(&str, [&str; 2]) -> String,
) -> String {
    let systems = program.systems();
    let shapes: BTreeSet<_> = systems.iter().map(|own| (own.size, own.columns)).collect();
    let mut out = String::new();
    for (size, columns) in shapes {
        let shape = [&*size.to_string(), &*columns.to_string()];
        out.push_str(&written(substitute, shape));
        if systems.contains(&System { size, columns, is_triangular: false }) {
            out.push_str(&written(solve, shape));
        }
    }
    out
}
