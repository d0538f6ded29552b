//! Functions in C99, and in the C++ of CUDA.

use super::algorithm::Lines as _;
use super::body::{Dialect, Function, Straight, digits};
use super::parts::Parts;
use super::routine::{Body, Direction, Parameter, Routine};
use std::fmt::Write as _;

/// C99 or CUDA, in double or single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct C<'a> {
    /// The type of numbers: `real`, or `wide` in the prelude.
    pub(super) real: &'a str,
    /// What the names of public functions begin with; nothing in a namespace.
    pub(super) prefix: &'a str,
    pub(super) single: bool,
    pub(super) is_cuda: bool,
}

impl Dialect for C<'_> {
    fn literal(&self, number: f64) -> String {
        digits(number, self.single, if self.single { "f" } else { "" })
    }

    fn whole(&self, number: f64) -> String {
        format!("PLIANT_WHOLE({})", self.literal(number))
    }

    fn define(&self, name: &str, value: &str) -> String {
        format!("const {} {name} = {value};", self.real)
    }

    fn root(&self, name: &str, of: &str) -> String {
        format!("{} {name}; root(&{of}, &{name});", self.real)
    }

    fn call(&self, name: &str, function: Function, of: &str) -> String {
        let (count, word) = (function.count(), function.name());
        format!("{} {name}[{count}]; {word}(&{of}, {name});", self.real)
    }

    fn turn(&self, name: &str, quadrant: &str, [even, odd]: [&str; 2], ahead: bool) -> String {
        let (real, ahead) = (self.real, u8::from(ahead));
        format!("{real} {name}; turn(&{quadrant}, &{even}, &{odd}, {ahead}, &{name});")
    }
}

/// Whether a line uses an array.
pub(super) fn uses(line: &str, array: &str) -> bool {
    line.match_indices(array).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + array.len()..].chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        !is_letter(before) && !is_letter(after)
    })
}

impl C<'_> {
    /// The type of a number that all lanes have.
    pub(super) fn number(&self) -> &'static str {
        if self.single { "float" } else { "double" }
    }

    /// A parameter where a function is defined.
    fn parameter(&self, own: &Parameter) -> String {
        let (name, real) = (&own.name, self.real);
        let constant = if own.direction == Direction::In { "const " } else { "" };
        match own.length {
            None => format!("{} {name}", self.number()),
            Some(_) if self.is_cuda => format!("{constant}{real} *__restrict__ {name}"),
            Some(length) => format!("{constant}{real} {name}[restrict {length}]"),
        }
    }

    fn parameters(&self, routine: &Routine) -> String {
        let all: Vec<String> = routine.parameters.iter().map(|own| self.parameter(own)).collect();
        all.join(", ")
    }

    /// What a header says of a function; compilers of C and C++ read it.
    pub(super) fn declaration(&self, routine: &Routine, real: &str) -> String {
        let parameter = |own: &Parameter| {
            let constant = if own.direction == Direction::In { "const " } else { "" };
            match own.length {
                None => format!("{} {}", self.number(), own.name),
                Some(length) => format!("{constant}{real} {}[{length}]", own.name),
            }
        };
        let parameters: Vec<String> = routine.parameters.iter().map(parameter).collect();
        format!("void {}{}({});\n", self.prefix, routine.name, parameters.join(", "))
    }

    /// A function, with its parts before it.
    pub(super) fn function(&self, routine: &Routine) -> String {
        let mut out = String::new();
        let parameters = self.parameters(routine);
        let words = if routine.is_public && !self.is_cuda { "" } else { "PLIANT_FUNCTION " };
        let prefix = if routine.is_public { self.prefix } else { "" };
        let head = format!("{words}void {prefix}{}({parameters})", routine.name);
        let tape = match &routine.body {
            Body::Algorithm(algorithm) => {
                block(&mut out, &head, &self.print(algorithm));
                return out;
            }
            Body::Tape(tape) => tape,
        };
        let straight = Straight {
            tape,
            dialect: self,
            inputs: routine.places(Direction::In),
            outputs: routine.places(Direction::Out),
        };
        let parts = Parts::of(tape);
        let body = |number: usize| {
            let is_last = number + 1 == parts.parts.len();
            let mut lines = straight.statements(&parts.parts[number], is_last);
            let mut names = routine.names();
            if parts.slots > 0 {
                names.push("kept");
            }
            let unused = names.iter().filter(|name| !lines.iter().any(|line| uses(line, name)));
            let unused: Vec<String> = unused.map(|name| format!("(void){name};")).collect();
            lines.splice(0..0, unused);
            lines
        };
        if parts.parts.len() == 1 {
            block(&mut out, &head, &body(0));
            return out;
        }
        let (count, slots, real) = (parts.parts.len(), parts.slots, self.real);
        let kept = if self.is_cuda {
            format!("{real} *__restrict__ kept")
        } else {
            format!("{real} kept[restrict {slots}]")
        };
        for number in 0..count {
            let name = format!("{}_part_{}", routine.name, number + 1);
            block(
                &mut out,
                &format!("PLIANT_PART void {name}({parameters}, {kept})"),
                &body(number),
            );
        }
        let mut lines = vec![format!("{real} kept[{slots}];")];
        let names = routine.names().join(", ");
        lines.extend(
            (1..=count).map(|part| format!("{}_part_{part}({names}, kept);", routine.name)),
        );
        block(&mut out, &head, &lines);
        out
    }
}

/// A function of lines, with an empty one behind it.
pub(super) fn block(out: &mut String, head: &str, lines: &[String]) {
    let _ = writeln!(out, "{head}\n{{");
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("}\n\n");
}
