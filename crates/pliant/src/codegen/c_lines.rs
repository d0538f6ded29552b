//! Loops in C99 and CUDA.

use super::algorithm::{Line, Lines};
use super::c::C;
use super::elimination::{Elimination, Eliminations, Step, magnitudes};
use super::program::Program;

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

/// Lane by lane.
impl Eliminations for C<'_> {
    fn elimination(&self, own: &Elimination) -> String {
        let Elimination { name, steps, .. } = own;
        let (real, other, constant) =
            (self.real, own.other.0, if own.keeps_matrix { "const " } else { "" });
        let about = own.about.join("\n * ");
        let steps = self.steps(steps, 2);
        let last = own.last.map(|name| format!("    {name}(matrix, {other});\n"));
        format!(
            "/* {about} */\n\
             PLIANT_FUNCTION void {name}({constant}{real} *matrix, {real} *{other})\n{{\n    \
             for (int lane = 0; lane < PLIANT_LANES; ++lane) {{\n{steps}    }}\n{}}}\n\n",
            last.unwrap_or_default()
        )
    }

    fn step(&self, step: Step) -> String {
        let magnitude = if self.single { "fabsf(" } else { "fabs(" };
        let of = |text: &str| {
            let mut text = magnitudes(&self.numbers(text), magnitude, ")");
            for array in ["matrix[", "right[", "out["] {
                text = text.replace(array, &format!("PLIANT_LANE({array}"));
            }
            text.replace(']', "], lane)")
        };
        let number = self.number();
        match step {
            Step::For(index, from, to) => {
                format!("for (int {index} = {from}; {index} < {to}; ++{index}) {{")
            }
            Step::Down(index, count) => {
                format!("for (int {index} = {count} - 1; {index} >= 0; --{index}) {{")
            }
            Step::If(holds) => format!("if ({}) {{", of(holds)),
            Step::End => "}".to_owned(),
            Step::Next => "continue;".to_owned(),
            Step::Place(name, place) => format!("int {name} = {place};"),
            Step::Let(name, value) => format!("const {number} {name} = {};", of(value)),
            Step::Var(name, value) => format!("{number} {name} = {};", of(value)),
            Step::Do(what) => format!("{};", of(what)),
            Step::Swap(array, one, other) => {
                let [one, other] = [one, other].map(|place| of(&format!("{array}[{place}]")));
                format!("const {number} kept = {one}; {one} = {other}; {other} = kept;")
            }
        }
    }
}

/// The functions that solve linear systems and find determinants, where something does.
pub(super) fn solve(program: &Program) -> String {
    let c = C { real: "real", prefix: "", single: program.settings.single, is_cuda: false };
    c.eliminations(program)
}
