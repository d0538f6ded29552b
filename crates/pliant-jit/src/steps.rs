//! What of a tape must be computed, with the next use of every number.

use crate::refused::Refused;
use crate::tape::{Op, Tape, Value};

/// No value, no use.
pub(crate) const NONE: u32 = u32::MAX;

/// What a step does with its arguments `a`, `b`, `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a b`
    Mul,
    /// `a / b`
    Div,
    /// `-a`
    Neg,
    /// The square root of `a`.
    Sqrt,
    /// `b` or `c`, by the quadrant `a`; whether the sign is that of the next quadrant.
    Turn(bool),
    /// `a b + c`
    MulAdd,
    /// `a b - c`
    MulSub,
    /// `c - a b`
    SubMul,
}

/// One operation of which the result is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    /// The number of arguments.
    pub(crate) count: usize,
    pub(crate) arguments: [u32; 3],
    /// The step that uses each argument next, or [`NONE`].
    pub(crate) after: [u32; 3],
    pub(crate) result: u32,
    /// The first step that uses the result, or [`NONE`].
    pub(crate) first: u32,
}

/// The steps of a tape. Values are numbered as on the tape; [`Steps::one`] follows them.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) list: Vec<Step>,
    /// The value `1`, for reciprocals.
    pub(crate) one: u32,
    /// For each value its first place among outputs and guards, or [`NONE`].
    pub(crate) end: Vec<u32>,
    /// For each output and guard the next one that is the same value, or [`NONE`].
    pub(crate) next_end: Vec<u32>,
}

impl Steps {
    /// The steps of a tape; with `pairs`, a product that only one sum or difference uses is part
    /// of that step: the second operand, otherwise the first.
    pub(crate) fn new(tape: &Tape, pairs: bool) -> Result<Self, Refused> {
        let ops = tape.ops();
        let one = ops.len() as u32;
        let (end, next_end) = ends(tape);
        let uses = uses(ops, &end);
        let single = |value: Value| match ops[value.0 as usize] {
            Op::Mul(a, b) if pairs && uses[value.0 as usize] == 1 => Some((a, b)),
            _ => None,
        };
        let needed = || ops.iter().enumerate().filter(|&(at, _)| uses[at] > 0);
        let mut inside = vec![false; if pairs { ops.len() } else { 0 }];
        if pairs {
            for (_, op) in needed() {
                if let Op::Add(a, b) | Op::Sub(a, b) = *op {
                    if single(b).is_some() {
                        inside[b.0 as usize] = true;
                    } else if single(a).is_some() {
                        inside[a.0 as usize] = true;
                    }
                }
            }
        }
        let mut list = Vec::with_capacity(ops.len());
        for (at, op) in needed() {
            let (kind, count, arguments) = match *op {
                Op::Input(_) | Op::Constant(_) => continue,
                Op::Mul(..) if pairs && inside[at] => continue,
                Op::Add(a, b) => match (single(b), single(a)) {
                    (Some((x, y)), _) => (Kind::MulAdd, 3, [x.0, y.0, a.0]),
                    (None, Some((x, y))) => (Kind::MulAdd, 3, [x.0, y.0, b.0]),
                    (None, None) => (Kind::Add, 2, [a.0, b.0, NONE]),
                },
                Op::Sub(a, b) => match (single(b), single(a)) {
                    (Some((x, y)), _) => (Kind::SubMul, 3, [x.0, y.0, a.0]),
                    (None, Some((x, y))) => (Kind::MulSub, 3, [x.0, y.0, b.0]),
                    (None, None) => (Kind::Sub, 2, [a.0, b.0, NONE]),
                },
                Op::Mul(a, b) => (Kind::Mul, 2, [a.0, b.0, NONE]),
                Op::Recip(a) => (Kind::Div, 2, [one, a.0, NONE]),
                Op::Neg(a) => (Kind::Neg, 1, [a.0, NONE, NONE]),
                Op::Sqrt(a) => (Kind::Sqrt, 1, [a.0, NONE, NONE]),
                Op::Turn { quadrant, even, odd, ahead } => {
                    (Kind::Turn(ahead), 3, [quadrant.0, even.0, odd.0])
                }
                Op::Sin(_) | Op::Cos(_) | Op::Stumpff { .. } => {
                    return Err(Refused::Operation(at));
                }
            };
            let (after, first) = ([NONE; 3], NONE);
            list.push(Step { kind, count, arguments, after, result: at as u32, first });
        }
        let mut steps = Self { list, one, end, next_end };
        steps.find_next_uses();
        Ok(steps)
    }

    fn find_next_uses(&mut self) {
        let mut next = vec![NONE; self.one as usize + 1];
        for (at, step) in self.list.iter_mut().enumerate().rev() {
            step.first = next[step.result as usize];
            for k in 0..step.count {
                step.after[k] = next[step.arguments[k] as usize];
            }
            for k in 0..step.count {
                next[step.arguments[k] as usize] = at as u32;
            }
        }
    }

    /// The outputs and guards that are this value.
    pub(crate) fn ends(&self, value: u32) -> impl Iterator<Item = u32> {
        let first = Some(self.end[value as usize]).filter(|&end| end != NONE);
        std::iter::successors(first, |&end| {
            Some(self.next_end[end as usize]).filter(|&next| next != NONE)
        })
    }
}

/// All that the program has to give: the outputs, then the guards.
pub(crate) fn results(tape: &Tape) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
    let (outputs, guards) = (tape.outputs(), tape.guards());
    (0..outputs.len() + guards.len())
        .map(move |k| outputs.get(k).unwrap_or_else(|| &guards[k - outputs.len()].value).0)
}

fn ends(tape: &Tape) -> (Vec<u32>, Vec<u32>) {
    let mut end = vec![NONE; tape.ops().len() + 1];
    let mut next_end = vec![NONE; tape.outputs().len() + tape.guards().len()];
    for (k, value) in results(tape).enumerate().rev() {
        next_end[k] = std::mem::replace(&mut end[value as usize], k as u32);
    }
    (end, next_end)
}

/// How often each value is used by operations of which the result is needed, and as an end.
fn uses(ops: &[Op], end: &[u32]) -> Vec<u32> {
    let mut uses: Vec<u32> = end.iter().map(|&end| u32::from(end != NONE)).collect();
    for (at, op) in ops.iter().enumerate().rev() {
        if uses[at] > 0 {
            for operand in op.operands() {
                uses[operand.0 as usize] += 1;
            }
        }
    }
    uses
}
