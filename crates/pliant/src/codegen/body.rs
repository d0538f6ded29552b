//! Statements of a straight-line program, in the words of a language.

use super::parts::{Part, is_everywhere, needed};
use pliant_jit::{Op, Tape, Value};
use std::collections::HashSet;

/// How a language says what an operation does; sums and products are alike in all.
pub(super) trait Dialect {
    /// A number.
    fn literal(&self, number: f64) -> String;
    /// A number as a value, where it is no operand.
    fn whole(&self, number: f64) -> String;
    /// A new name for a value.
    fn define(&self, name: &str, value: &str) -> String;
    /// A new name for a square root.
    fn root(&self, name: &str, of: &str) -> String;
    /// A new name for an array of what a function of the prelude gives.
    fn call(&self, name: &str, function: Function, of: &str) -> String;
    /// A new name for one of two values by the quadrant.
    fn turn(&self, name: &str, quadrant: &str, values: [&str; 2], ahead: bool) -> String;
}

/// A function of the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Function {
    /// Sine and cosine.
    SinCos,
    /// Stumpff's functions, so many.
    Stumpff(u8),
}

impl Function {
    /// Its name, as all languages have it.
    pub(super) fn name(self) -> String {
        match self {
            Self::SinCos => "sin_cos".to_owned(),
            Self::Stumpff(count) => format!("stumpff_{count}"),
        }
    }

    /// How many values it gives.
    pub(super) fn count(self) -> u8 {
        match self {
            Self::SinCos => 2,
            Self::Stumpff(count) => count,
        }
    }

    /// The function that an operation needs, of what, and which of its values.
    fn of(op: Op) -> Option<(Self, Value, u8)> {
        match op {
            Op::Sin(x) => Some((Self::SinCos, x, 0)),
            Op::Cos(x) => Some((Self::SinCos, x, 1)),
            Op::Stumpff { x, count, k } => Some((Self::Stumpff(count), x, k)),
            _ => None,
        }
    }

    /// The functions that a program calls.
    pub(super) fn all(tape: &Tape) -> impl Iterator<Item = Self> + '_ {
        tape.ops().iter().filter_map(|op| Self::of(*op).map(|(function, ..)| function))
    }

    /// What an array of its values of an argument is called.
    fn array(self, x: Value) -> String {
        match self {
            Self::SinCos => format!("t{}", x.0),
            Self::Stumpff(count) => format!("c{}_{count}", x.0),
        }
    }
}

/// A program with the places of its inputs and outputs.
pub(super) struct Straight<'a, D> {
    pub(super) tape: &'a Tape,
    pub(super) dialect: &'a D,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
}

impl<D: Dialect> Straight<'_, D> {
    /// The statements of a part, and whether it is the last one that writes what no part computes.
    pub(super) fn statements(&self, part: &Part, is_last: bool) -> Vec<String> {
        let (ops, needed) = (self.tape.ops(), needed(self.tape));
        let mut lines = Vec::new();
        for (value, slot) in &part.loads {
            lines.push(self.dialect.define(&format!("v{}", value.0), &format!("kept[{slot}]")));
        }
        let mut called = HashSet::new();
        for at in part.ops.clone().filter(|at| needed[*at]) {
            let op = ops[at];
            if let Some((function, x, _)) = Function::of(op) {
                if called.insert((function, x)) {
                    let argument = self.operand(part, x);
                    lines.push(self.dialect.call(&function.array(x), function, &argument));
                }
            } else if !is_everywhere(op) {
                lines.push(self.statement(part, at, op));
            }
        }
        for (value, slot) in &part.stores {
            lines.push(format!("kept[{slot}] = {};", self.operand(part, *value)));
        }
        for (place, value) in self.outputs.iter().zip(self.tape.outputs()) {
            let op = ops[value.0 as usize];
            let is_here =
                if is_everywhere(op) { is_last } else { part.ops.contains(&(value.0 as usize)) };
            if is_here {
                let value = match op {
                    Op::Constant(number) => self.dialect.whole(number),
                    _ => self.operand(part, *value),
                };
                lines.push(format!("{place} = {value};"));
            }
        }
        lines
    }

    fn statement(&self, part: &Part, at: usize, op: Op) -> String {
        let name = format!("v{at}");
        let of = |value: Value| self.operand(part, value);
        let sum = |a: Value, sign: &str, b: Value| {
            self.dialect.define(&name, &format!("{} {sign} {}", of(a), of(b)))
        };
        match op {
            Op::Add(a, b) => sum(a, "+", b),
            Op::Sub(a, b) => sum(a, "-", b),
            Op::Mul(a, b) => sum(a, "*", b),
            Op::Neg(a) => self.dialect.define(&name, &format!("-{}", of(a))),
            Op::Recip(a) => {
                let one = self.dialect.literal(1.0);
                self.dialect.define(&name, &format!("{one} / {}", of(a)))
            }
            Op::Sqrt(a) => self.dialect.root(&name, &of(a)),
            Op::Turn { quadrant, even, odd, ahead } => {
                self.dialect.turn(&name, &of(quadrant), [&of(even), &of(odd)], ahead)
            }
            Op::Input(_) | Op::Constant(_) | Op::Sin(_) | Op::Cos(_) | Op::Stumpff { .. } => {
                String::new()
            }
        }
    }

    /// A value as it is used.
    fn operand(&self, part: &Part, value: Value) -> String {
        let at = value.0 as usize;
        match self.tape.ops()[at] {
            Op::Input(number) => self.inputs[number as usize].clone(),
            Op::Constant(number) => self.dialect.literal(number),
            op => match Function::of(op) {
                Some((function, x, k)) if part.ops.contains(&at) => {
                    format!("{}[{k}]", function.array(x))
                }
                _ => format!("v{at}"),
            },
        }
    }
}

/// A finite number in the fewest digits that give it back, with parentheses where it has a sign.
pub(super) fn digits(number: f64, single: bool, suffix: &str) -> String {
    let text = if single { format!("{:?}", number as f32) } else { format!("{number:?}") };
    if text.starts_with('-') { format!("({text}{suffix})") } else { format!("{text}{suffix}") }
}
