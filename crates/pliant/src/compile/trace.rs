//! Recursions as tapes.

use super::folded::{Folded, Functions, fold};
use super::parameters::{Parameter, Parameters};
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
    parameters: Vec<Parameter>,
    tape: Tape,
    counts: Counts,
}

impl Trace {
    /// Runs the recursion once on numbers that note what is done with them.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn new(arm: &Arm, quantity: Quantity, functions: Functions) -> Self {
        Self::traced(arm, None, quantity, functions)
    }

    /// The same of an arm with parameters, whose values are the last inputs. At nominal values it
    /// gives the numbers of the nominal arm.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn with_parameters(
        parameters: &Parameters,
        quantity: Quantity,
        functions: Functions,
    ) -> Self {
        Self::traced(parameters.arm(), Some(parameters), quantity, functions)
    }

    fn traced(
        arm: &Arm,
        parameters: Option<&Parameters>,
        quantity: Quantity,
        functions: Functions,
    ) -> Self {
        let list = parameters.map(Parameters::list);
        let inputs = quantity.inputs_with(arm, list.map(<[_]>::len));
        let outputs = quantity.outputs(arm);
        let list = list.unwrap_or_default().to_vec();
        let (tape, counts) = fold(total(&inputs), functions, |numbers| {
            let (state, values) = numbers.split_at(numbers.len() - list.len());
            let arm = parameters.map_or_else(|| arm.cast(), |own| own.arm_at(values));
            let mut recursions = Recursions::new(arm, quantity);
            let mut results = vec![Folded::Constant(0.0); total(&outputs)];
            recursions.run(state, &mut results);
            results
        });
        Self { quantity, inputs, outputs, parameters: list, tape, counts }
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

    /// The parameters, whose values are the last of its inputs.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
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
        let mut out = vec![Folded::ZERO; count];
        x[0].stumpff(&mut out);
        out
    });
    tape
}

/// The tape of a formula over `inputs` numbers, which calls sines and Stumpff functions.
pub(crate) fn traced(inputs: usize, formula: impl FnOnce(&[Folded]) -> Vec<Folded>) -> Tape {
    fold(inputs, Functions::Called, formula).0
}

pub(super) fn total(blocks: &[Port]) -> usize {
    blocks.iter().map(|block| block.len).sum()
}
