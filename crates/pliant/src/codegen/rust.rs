//! Functions in Rust.

use super::algorithm::{Line, Lines};
use super::body::{Dialect, Function, Straight, digits};
use super::c::uses;
use super::elimination::{Elimination, Eliminations, Step, magnitudes};
use super::parts::Parts;
use super::routine::{Body, Direction, Parameter, Routine};
use std::fmt::Write as _;

/// Rust in double or single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rust {
    pub(super) single: bool,
}

impl Dialect for Rust {
    fn literal(&self, number: f64) -> String {
        digits(number, self.single, "")
    }

    fn whole(&self, number: f64) -> String {
        let text = self.literal(number);
        text.strip_prefix('(').and_then(|own| own.strip_suffix(')')).unwrap_or(&text).to_owned()
    }

    fn define(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn root(&self, name: &str, of: &str) -> String {
        format!("let {name} = {}({of});", if self.single { "libm::sqrtf" } else { "libm::sqrt" })
    }

    fn call(&self, name: &str, function: Function, of: &str) -> String {
        format!("let {name} = {}({of});", function.name())
    }

    fn turn(&self, name: &str, quadrant: &str, [even, odd]: [&str; 2], ahead: bool) -> String {
        format!("let {name} = turn({quadrant}, {even}, {odd}, {});", u8::from(ahead))
    }
}

impl Lines for Rust {
    fn line(&self, line: &Line, arrays: &[String]) -> String {
        match line {
            Line::Array(name, length) => format!("let mut {name} = [0.0; {length}];"),
            Line::Table(name, places) => format!("let {name} = {places:?};"),
            Line::For(index, from, to) => format!("for {index} in {from}..{to} {{"),
            Line::End => "}".to_owned(),
            Line::Let(name, value) => format!("let {name} = {value};"),
            Line::Var(name, value) => format!("let mut {name} = {value};"),
            Line::Set(place, value) => format!("{place} = {value};"),
            Line::Call { name, arguments, .. } => {
                let argument = |(own, direction): &(String, Direction)| match (
                    arrays.contains(own),
                    direction,
                ) {
                    (false, _) => own.clone(),
                    (true, Direction::In) => format!("&{own}"),
                    (true, _) => format!("&mut {own}"),
                };
                let arguments: Vec<String> = arguments.iter().map(argument).collect();
                format!("{name}({});", arguments.join(", "))
            }
        }
    }
}

impl Eliminations for Rust {
    fn elimination(&self, own: &Elimination) -> String {
        let Elimination { name, other: (other, length), steps, .. } = own;
        let (real, mutable) = (self.real(), if own.keeps_matrix { "" } else { "mut " });
        let about = own.about.join("\n/// ");
        let steps = self.steps(steps, 1);
        let last = own.last.map(|name| format!("    {name}(matrix, {other});\n"));
        format!(
            "/// {about}\n\
             fn {name}(matrix: &{mutable}[{real}; SIZE * SIZE], {other}: &mut [{real}; {length}]) \
             {{\n{steps}{}}}\n\n",
            last.unwrap_or_default()
        )
    }

    fn step(&self, step: Step) -> String {
        let of = |text: &str| magnitudes(text, "", ".abs()");
        match step {
            Step::For(index, from, to) => format!("for {index} in {from}..{to} {{"),
            Step::Down(index, count) => format!("for {index} in (0..{count}).rev() {{"),
            Step::If(holds) => format!("if {} {{", of(holds)),
            Step::End => "}".to_owned(),
            Step::Next => "continue;".to_owned(),
            Step::Place(name, value) | Step::Var(name, value) => {
                format!("let mut {name} = {value};")
            }
            Step::Let(name, value) => format!("let {name} = {};", of(value)),
            Step::Do(what) => format!("{};", of(what)),
            Step::Swap(array, one, other) => format!("{array}.swap({one}, {other});"),
        }
    }
}

impl Rust {
    /// The type of numbers.
    pub(super) fn real(self) -> &'static str {
        if self.single { "f32" } else { "f64" }
    }

    fn parameter(self, own: &Parameter) -> String {
        let real = self.real();
        let reference = if own.direction == Direction::In { "&" } else { "&mut " };
        match own.length {
            None => format!("{}: {real}", own.name),
            Some(length) => format!("{}: {reference}[{real}; {length}]", own.name),
        }
    }

    /// The head of a function; what it does not use has an underscore.
    fn head(self, words: &str, name: &str, parameters: &[Parameter], lines: &[String]) -> String {
        let parameter = |own: &Parameter| {
            let is_used = lines.iter().any(|line| uses(line, &own.name));
            format!("{}{}", if is_used { "" } else { "_" }, self.parameter(own))
        };
        let parameters: Vec<String> = parameters.iter().map(parameter).collect();
        format!("{words}fn {name}({})", parameters.join(", "))
    }

    /// A function, with its parts before it.
    pub(super) fn function(self, routine: &Routine) -> String {
        let mut out = String::new();
        let words = if routine.is_public { "pub " } else { "" };
        let parameters = &routine.parameters;
        let tape = match &routine.body {
            Body::Algorithm(algorithm) => {
                let lines = self.print(algorithm);
                block(&mut out, &self.head(words, &routine.name, parameters, &lines), &lines);
                return out;
            }
            Body::Tape(tape) => tape,
        };
        let straight = Straight {
            tape,
            dialect: &self,
            inputs: routine.places(Direction::In),
            outputs: routine.places(Direction::Out),
        };
        let parts = Parts::of(tape);
        let count = parts.parts.len();
        let body = |number: usize| {
            declared(straight.statements(&parts.parts[number], number + 1 == count))
        };
        if count == 1 {
            let lines = body(0);
            block(&mut out, &self.head(words, &routine.name, parameters, &lines), &lines);
            return out;
        }
        let (slots, real) = (parts.slots, self.real());
        let kept = Parameter {
            name: "kept".to_owned(),
            length: Some(slots),
            direction: Direction::Out,
            about: String::new(),
        };
        let with_kept: Vec<Parameter> = parameters.iter().cloned().chain([kept]).collect();
        let names = routine.names().join(", ");
        let mut calls = vec![format!("let mut kept = [0.0_{real}; {slots}];")];
        for number in 0..count {
            let name = format!("{}_part_{}", routine.name, number + 1);
            let lines = body(number);
            let head = self.head("#[inline(never)]\n", &name, &with_kept, &lines);
            block(&mut out, &head, &lines);
            calls.push(format!("{name}({names}, &mut kept);"));
        }
        let mut whole = String::new();
        block(&mut whole, &self.head(words, &routine.name, parameters, &calls), &calls);
        // the comment of a function comes before what others see of it
        format!("{whole}{out}")
    }
}

/// How many names are declared together.
const TOGETHER: usize = 100;

/// Statements with names that are declared before, many at a time: each `let` is a scope inside the
/// one before it, and compilers that describe thousands of them to debuggers run out of stack.
fn declared(lines: Vec<String>) -> Vec<String> {
    let name = |line: &String| Some(line.strip_prefix("let ")?.split(' ').next()?.to_owned());
    let names: Vec<String> = lines.iter().filter_map(name).collect();
    if names.len() <= TOGETHER {
        return lines;
    }
    let declarations = names.chunks(TOGETHER).map(|names| match names {
        [name] => format!("let ({name},);"),
        names => format!("let ({});", names.join(", ")),
    });
    let plain = lines.iter().map(|line| line.strip_prefix("let ").unwrap_or(line).to_owned());
    declarations.chain(plain).collect()
}

fn block(out: &mut String, head: &str, lines: &[String]) {
    let _ = writeln!(out, "{head} {{");
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("}\n\n");
}
