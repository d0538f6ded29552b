//! Tapes without machine code: each operation over a block of states, so that one decision serves
//! many of them and the loop over them becomes vector instructions of any processor.

use crate::refused::Refused;
use crate::steps::{Kind, NONE, Steps, results};
use crate::tape::{Op, Tape};
use std::mem;

/// The values of `N` states, or one number for all of them.
pub(crate) type Source<'a, const N: usize> = Result<&'a Block<N>, f64>;

/// What an instruction computes with.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Slot(u32),
    Number(f64),
}

#[derive(Clone, Copy, Debug)]
struct Instruction {
    kind: Kind,
    operands: [Operand; 3],
    result: u32,
}

/// A tape as instructions on blocks of states, for every processor.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    instructions: Vec<Instruction>,
    inputs: usize,
    /// Blocks that are needed at the same time; the first ones are the inputs.
    slots: usize,
    outputs: Vec<Operand>,
    guards: Vec<(Operand, f64)>,
}

/// The values of `N` states at an instruction of the tape.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Block<const N: usize>(pub(crate) [f64; N]);

/// The memory of an interpreter: blocks of the inputs, then of other values.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<const N: usize> {
    slots: Vec<Box<Block<N>>>,
    /// Where the next result goes; it then changes places with the block of its slot.
    spare: Box<Block<N>>,
}

impl<const N: usize> Default for Blocks<N> {
    fn default() -> Self {
        Self { slots: Vec::new(), spare: Box::new(Block([0.0; N])) }
    }
}

impl Interpreter {
    /// Prepares a tape.
    pub(crate) fn new(tape: &Tape) -> Result<Self, Refused> {
        // A product goes with its sum, rounded on its own: one pass instead of two.
        let steps = Steps::new(tape, true)?;
        let inputs = tape.inputs();
        let mut places: Vec<Operand> = tape
            .ops()
            .iter()
            .map(|op| match *op {
                Op::Input(number) => Operand::Slot(number),
                Op::Constant(number) => Operand::Number(number),
                _ => Operand::Slot(NONE),
            })
            .collect();
        places.push(Operand::Number(1.0));
        let (mut slots, mut free) = (inputs as u32, Vec::new());
        let mut instructions = Vec::with_capacity(steps.list.len());
        for step in &steps.list {
            let mut operands = [Operand::Number(0.0); 3];
            for k in 0..step.count {
                let argument = step.arguments[k] as usize;
                operands[k] = places[argument];
                let again = step.arguments[..k].contains(&step.arguments[k]);
                if let (Operand::Slot(slot), NONE, NONE, false) =
                    (operands[k], step.after[k], steps.end[argument], again)
                    && slot >= inputs as u32
                {
                    free.push(slot);
                }
            }
            let result = free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            });
            places[step.result as usize] = Operand::Slot(result);
            instructions.push(Instruction { kind: step.kind, operands, result });
        }
        let mut ends = results(tape).map(|value| places[value as usize]);
        Ok(Self {
            instructions,
            inputs,
            slots: slots as usize,
            outputs: ends.by_ref().take(tape.outputs().len()).collect(),
            guards: ends.zip(tape.guards()).map(|(place, guard)| (place, guard.bound)).collect(),
        })
    }

    /// The blocks of the inputs, to be written before [`Self::run`].
    pub(crate) fn inputs_of<'a, const N: usize>(
        &self,
        blocks: &'a mut Blocks<N>,
    ) -> &'a mut [Box<Block<N>>] {
        if blocks.slots.len() < self.slots {
            blocks.slots.resize_with(self.slots, || Box::new(Block([0.0; N])));
        }
        &mut blocks.slots[..self.inputs]
    }

    /// An output after [`Self::run`]: a block, or one number for all states.
    pub(crate) fn output<'a, const N: usize>(
        &self,
        number: usize,
        blocks: &'a Blocks<N>,
    ) -> Source<'a, N> {
        source(&blocks.slots, self.outputs[number])
    }

    /// Computes a block; the states whose guards do not hold.
    pub(crate) fn run<const N: usize>(&self, blocks: &mut Blocks<N>) -> [bool; N] {
        let Blocks { slots, spare } = blocks;
        for instruction in &self.instructions {
            compute(instruction, slots, spare);
            mem::swap(&mut slots[instruction.result as usize], spare);
        }
        let mut failed = [false; N];
        for &(value, bound) in &self.guards {
            let value = source(slots, value);
            for k in 0..N {
                let value = value.map_or_else(|number| number, |block| block.0[k]);
                // Also where the value is no number.
                let holds = value.abs() <= bound;
                failed[k] |= !holds;
            }
        }
        failed
    }
}

fn source<const N: usize>(slots: &[Box<Block<N>>], operand: Operand) -> Source<'_, N> {
    match operand {
        Operand::Slot(slot) => Ok(&slots[slot as usize]),
        Operand::Number(number) => Err(number),
    }
}

#[inline(never)]
fn compute<const N: usize>(instruction: &Instruction, slots: &[Box<Block<N>>], out: &mut Block<N>) {
    let [a, b, c] = instruction.operands.map(|operand| source(slots, operand));
    match instruction.kind {
        Kind::Add => two(out, a, b, |_, a, b| a + b),
        Kind::Sub => two(out, a, b, |_, a, b| a - b),
        Kind::Mul => two(out, a, b, |_, a, b| a * b),
        Kind::Div => two(out, a, b, |_, a, b| a / b),
        Kind::Neg => one(out, a, |_, a| -a),
        Kind::Sqrt => one(out, a, |_, a| a.sqrt()),
        Kind::MulAdd => three(out, a, b, c, |a, b, c| a * b + c),
        Kind::MulSub => three(out, a, b, c, |a, b, c| a * b - c),
        Kind::SubMul => three(out, a, b, c, |a, b, c| c - a * b),
        Kind::Turn(ahead) => {
            let ahead = u64::from(ahead);
            three(out, a, b, c, |quadrant, even, odd| turn(quadrant, even, odd, ahead));
        }
    }
}

fn one<const N: usize>(out: &mut Block<N>, a: Source<'_, N>, f: impl Fn(usize, f64) -> f64) {
    match a {
        Ok(a) => (0..N).for_each(|k| out.0[k] = f(k, a.0[k])),
        Err(a) => (0..N).for_each(|k| out.0[k] = f(k, a)),
    }
}

fn two<const N: usize>(
    out: &mut Block<N>,
    a: Source<'_, N>,
    b: Source<'_, N>,
    f: impl Fn(usize, f64, f64) -> f64,
) {
    match b {
        Ok(b) => one(out, a, |k, a| f(k, a, b.0[k])),
        Err(b) => one(out, a, |k, a| f(k, a, b)),
    }
}

fn three<const N: usize>(
    out: &mut Block<N>,
    a: Source<'_, N>,
    b: Source<'_, N>,
    c: Source<'_, N>,
    f: impl Fn(f64, f64, f64) -> f64,
) {
    match c {
        Ok(c) => two(out, a, b, |k, a, b| f(a, b, c.0[k])),
        Err(c) => two(out, a, b, |_, a, b| f(a, b, c)),
    }
}

/// [`Op::Turn`] without a branch.
fn turn(quadrant: f64, even: f64, odd: f64, ahead: u64) -> f64 {
    let quadrant = quadrant.to_bits();
    let is_odd = (quadrant & 1).wrapping_neg();
    let sign = quadrant.wrapping_add(ahead) << 62 & 1 << 63;
    f64::from_bits((even.to_bits() & !is_odd | odd.to_bits() & is_odd) ^ sign)
}
