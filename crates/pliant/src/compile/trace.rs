//! Recursions as tapes.

use super::folded::{Functions, fold};
use super::quantity::{Port, Quantity, Recursions};
use crate::arm::Arm;
use crate::scalar::{Counts, STUMPFF_MAX};
use pliant_jit::Tape;

/// A quantity of an arm as a straight-line program, without a number that is not needed.
#[derive(Clone, Debug)]
pub struct Trace {
    quantity: Quantity,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    tape: Tape,
    counts: Counts,
}

impl Trace {
    /// Runs the recursion once on numbers that note what is done with them.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn new(arm: &Arm, quantity: Quantity, functions: Functions) -> Self {
        let (inputs, outputs) = (quantity.inputs(arm), quantity.outputs(arm));
        let (tape, counts) = fold(total(&inputs), functions, |numbers| {
            let mut recursions = Recursions::new(arm.cast(), quantity);
            let mut results = vec![super::folded::Folded::Constant(0.0); total(&outputs)];
            recursions.run(numbers, &mut results);
            results
        });
        Self { quantity, inputs, outputs, tape, counts }
    }

    /// What was traced.
    pub fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// What is read, in the order of the tape's inputs.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// What is written, in the order of the tape's outputs.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// The program.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// All that the recursion did, before anything was left out; what a [`Counted`] number counts.
    ///
    /// [`Counted`]: crate::scalar::Counted
    pub fn recorded(&self) -> Counts {
        self.counts
    }

    /// What is left to do.
    pub fn counts(&self) -> Counts {
        use pliant_jit::Op;
        let mut counts = Counts::default();
        let mut stumpff = Vec::new();
        for op in self.tape.ops() {
            match *op {
                Op::Mul(..) => counts.multiplications += 1,
                Op::Add(..) | Op::Sub(..) => counts.additions += 1,
                Op::Neg(_) => counts.negations += 1,
                Op::Recip(_) => counts.recip += 1,
                Op::Sqrt(_) => counts.sqrt += 1,
                Op::Sin(_) => counts.sin_cos += 1,
                Op::Stumpff { x, count, .. } if !stumpff.contains(&(x, count)) => {
                    stumpff.push((x, count));
                    counts.stumpff += 1;
                }
                _ => {}
            }
        }
        counts
    }
}

/// Sine and cosine of one angle (rad) as arithmetic, right within the guard of the tape.
pub fn sine_tape() -> Tape {
    use crate::scalar::Scalar;
    let (tape, _) = fold(1, Functions::Expanded, |x| {
        let (sine, cosine) = x[0].sin_cos();
        vec![sine, cosine]
    });
    tape
}

/// The first `count` Stumpff functions of one number as arithmetic, right within the guard of the
/// tape.
///
/// # Panics
/// When `count` exceeds [`STUMPFF_MAX`].
pub fn stumpff_tape(count: usize) -> Tape {
    use crate::scalar::Scalar;
    assert!(count <= STUMPFF_MAX, "at most {STUMPFF_MAX} Stumpff functions");
    let (tape, _) = fold(1, Functions::Expanded, |x| {
        let mut out = vec![super::folded::Folded::ZERO; count];
        x[0].stumpff(&mut out);
        out
    });
    tape
}

pub(super) fn total(blocks: &[Port]) -> usize {
    blocks.iter().map(|block| block.len).sum()
}
