//! Loops in C99 and CUDA.

use super::algorithm::{Line, Lines};
use super::c::C;
use super::program::Program;
use super::routine::Body;

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

/// Gaussian elimination with the largest pivots, lane by lane.
const SOLVE: &str = "\
/* Solves a linear system in place; a singular one gives what is no number. */
PLIANT_FUNCTION void solve(real *matrix, real *right)
{
    for (int lane = 0; lane < PLIANT_LANES; ++lane) {
        for (int k = 0; k < SIZE; ++k) {
            int best = k;
            for (int i = k + 1; i < SIZE; ++i) {
                if (ABS(PLIANT_LANE(matrix[i * SIZE + k], lane)) > ABS(PLIANT_LANE(matrix[best * SIZE + k], lane))) {
                    best = i;
                }
            }
            for (int j = k; j < SIZE; ++j) {
                const NUMBER kept = PLIANT_LANE(matrix[k * SIZE + j], lane);
                PLIANT_LANE(matrix[k * SIZE + j], lane) = PLIANT_LANE(matrix[best * SIZE + j], lane);
                PLIANT_LANE(matrix[best * SIZE + j], lane) = kept;
            }
            const NUMBER kept = PLIANT_LANE(right[k], lane);
            PLIANT_LANE(right[k], lane) = PLIANT_LANE(right[best], lane);
            PLIANT_LANE(right[best], lane) = kept;
            for (int i = k + 1; i < SIZE; ++i) {
                const NUMBER factor =
                    PLIANT_LANE(matrix[i * SIZE + k], lane) / PLIANT_LANE(matrix[k * SIZE + k], lane);
                for (int j = k + 1; j < SIZE; ++j) {
                    PLIANT_LANE(matrix[i * SIZE + j], lane) -=
                        factor * PLIANT_LANE(matrix[k * SIZE + j], lane);
                }
                PLIANT_LANE(right[i], lane) -= factor * PLIANT_LANE(right[k], lane);
            }
        }
        for (int k = SIZE - 1; k >= 0; --k) {
            NUMBER sum = PLIANT_LANE(right[k], lane);
            for (int j = k + 1; j < SIZE; ++j) {
                sum -= PLIANT_LANE(matrix[k * SIZE + j], lane) * PLIANT_LANE(right[j], lane);
            }
            PLIANT_LANE(right[k], lane) = sum / PLIANT_LANE(matrix[k * SIZE + k], lane);
        }
    }
}

";

/// The function that solves linear systems, where one is solved.
pub(super) fn solve(program: &Program) -> String {
    let size = program.routines.iter().find_map(|routine| match &routine.body {
        Body::Algorithm(algorithm) => algorithm.solves,
        Body::Tape(_) => None,
    });
    let (number, abs) =
        if program.settings.single { ("float", "fabsf") } else { ("double", "fabs") };
    size.map_or_else(String::new, |size| {
        SOLVE.replace("SIZE", &size.to_string()).replace("NUMBER", number).replace("ABS", abs)
    })
}
