//! Quantities of many states at once.

use super::error::CompileError;
use super::evaluator::{DISTANCES, LARGEST, compare, is_moderate};
use super::folded::Functions;
use super::model::Model;
use super::quantity::{Port, Quantity};
use super::trace::total;
use crate::arm::Arm;
use pliant_jit::{Batch, Columns, ColumnsMut, Room};

/// A quantity of an arm for many states in one call, compiled.
///
/// The numbers are those of an [`Evaluator`](super::Evaluator). A clone serves another thread.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::compile::{Quantity, RowBlock};
///
/// let arm = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut forward = arm.row_evaluator(Quantity::ForwardDynamics, false)?;
/// let (angles, rest, mut ud) = ([0.0, 0.5, 1.0], [0.0], [0.0; 3]);
/// let inputs = [RowBlock::Each(&angles), RowBlock::Same(&rest), RowBlock::Same(&rest)];
/// forward.rows_into(3, &inputs, &mut [&mut ud]);
/// assert!((ud[1] + 9.81 * 0.5_f64.cos()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowEvaluator {
    input_ports: Vec<Port>,
    output_ports: Vec<Port>,
    model: Model,
    batch: Batch,
    room: Room,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    fallbacks: u64,
}

/// A block of the states of a call, row-major.
#[derive(Clone, Copy, Debug)]
pub enum RowBlock<'a> {
    /// A row for each state.
    Each(&'a [f64]),
    /// One row for all states.
    Same(&'a [f64]),
}

/// States that are looked at together, few enough to stay in the cache.
const CHUNK: usize = 512;

impl RowEvaluator {
    pub(super) fn new(arm: &Arm, quantity: Quantity, fuse: bool) -> Result<Self, CompileError> {
        Self::of_model(Model::new(arm, quantity), fuse)
    }

    pub(super) fn of_model(model: Model, fuse: bool) -> Result<Self, CompileError> {
        let trace = model.trace(Functions::Expanded);
        let (input_ports, output_ports) = (model.inputs(), model.outputs());
        let mut evaluator = Self {
            inputs: vec![0.0; total(&input_ports)],
            outputs: vec![0.0; total(&output_ports)],
            input_ports,
            output_ports,
            model,
            batch: Batch::new(trace.tape(), fuse)?,
            room: Room::default(),
            fallbacks: 0,
        };
        evaluator.check(fuse)?;
        Ok(evaluator)
    }

    /// What [`RowEvaluator::rows_into`] reads, in this order.
    pub fn inputs(&self) -> &[Port] {
        &self.input_ports
    }

    /// What [`RowEvaluator::rows_into`] writes, in this order.
    pub fn outputs(&self) -> &[Port] {
        &self.output_ports
    }

    /// Whether it runs as machine code, and not by the interpreter.
    pub fn is_machine_code(&self) -> bool {
        self.batch.options().is_some()
    }

    /// How many states the recursion computed, because the code may not be right there.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// Compares all lanes with the recursion.
    fn check(&mut self, fuse: bool) -> Result<(), CompileError> {
        const ROWS: usize = 9;
        let (width, answer) = (self.inputs.len(), self.outputs.len());
        let (mut inputs, mut wanted) = (vec![0.0; ROWS * width], vec![0.0; ROWS * answer]);
        let mut got = vec![f64::NAN; wanted.len()];
        let near = DISTANCES.into_iter().any(|distance| {
            for round in 0..ROWS {
                let input = &mut inputs[round * width..][..width];
                self.model.trial(round as u32, distance, input);
            }
            let columns = [Columns::new(&inputs, width)];
            let mut places = [ColumnsMut::new(&mut got, answer)];
            self.batch.run(ROWS, &columns, &mut places, &mut self.room).is_empty()
        });
        if !near {
            return Err(CompileError::Untried);
        }
        for round in 0..ROWS {
            let input = &inputs[round * width..][..width];
            self.model.run(input, &mut wanted[round * answer..][..answer]);
        }
        compare(&wanted, &got, fuse)
    }

    /// The outputs of so many states, row-major, port by port.
    ///
    /// # Panics
    /// When a slice does not have the length of its port times the number of states, or of one
    /// where it is the same for all.
    pub fn rows_into(&mut self, rows: usize, inputs: &[RowBlock<'_>], outputs: &mut [&mut [f64]]) {
        self.check_lengths(rows, inputs, outputs);
        for first in (0..rows).step_by(CHUNK) {
            self.chunk(first, CHUNK.min(rows - first), f64::INFINITY, inputs, outputs);
        }
    }

    /// The same as long as all numbers given are finite and at most 1e100, and all answers smaller than
    /// `largest`: whether they are. Where they are not, it ends, and no answer is to be used. This looks
    /// at numbers while they are in the cache.
    ///
    /// # Panics
    /// When a slice does not have the length of its port, times the states where there is a row for
    /// each.
    pub fn rows_below(
        &mut self,
        largest: f64,
        rows: usize,
        inputs: &[RowBlock<'_>],
        outputs: &mut [&mut [f64]],
    ) -> bool {
        self.check_lengths(rows, inputs, outputs);
        (0..rows)
            .step_by(CHUNK)
            .all(|first| self.chunk(first, CHUNK.min(rows - first), largest, inputs, outputs))
    }

    fn check_lengths(&self, rows: usize, inputs: &[RowBlock<'_>], outputs: &[&mut [f64]]) {
        assert_eq!(inputs.len(), self.input_ports.len(), "as many inputs as ports");
        assert_eq!(outputs.len(), self.output_ports.len(), "as many outputs as ports");
        for (input, Port { name, len }) in inputs.iter().zip(&self.input_ports) {
            let (given, asked) = match input {
                RowBlock::Each(numbers) => (numbers.len(), rows * len),
                RowBlock::Same(numbers) => (numbers.len(), *len),
            };
            assert_eq!(given, asked, "{name} has {asked} entries");
        }
        for (output, Port { name, len }) in outputs.iter().zip(&self.output_ports) {
            assert_eq!(output.len(), rows * len, "{name} has {} entries", rows * len);
        }
    }

    /// A few states from one on; whether all numbers are moderate, and the answers below `largest`.
    fn chunk(
        &mut self,
        first: usize,
        rows: usize,
        largest: f64,
        inputs: &[RowBlock<'_>],
        outputs: &mut [&mut [f64]],
    ) -> bool {
        let mut moderate = true;
        let columns: Vec<Columns<'_>> = inputs
            .iter()
            .zip(&self.input_ports)
            .map(|(input, Port { len, .. })| match *input {
                RowBlock::Each(numbers) => {
                    let own = &numbers[first * len..(first + rows) * len];
                    moderate &= is_moderate(own);
                    Columns::new(own, *len)
                }
                RowBlock::Same(row) => {
                    moderate &= is_moderate(row);
                    Columns::same(row)
                }
            })
            .collect();
        let mut places: Vec<ColumnsMut<'_>> = outputs
            .iter_mut()
            .zip(&self.output_ports)
            .map(|(output, Port { len, .. })| {
                ColumnsMut::new(&mut output[first * len..(first + rows) * len], *len)
            })
            .collect();
        let failed = self.batch.run(rows, &columns, &mut places, &mut self.room);
        drop(places);
        let (is_given, mut is_below) = (moderate, true);
        for (output, Port { len, .. }) in outputs.iter_mut().zip(&self.output_ports) {
            for number in &mut output[first * len..(first + rows) * len] {
                // zeros are positive, as those of a single evaluation
                *number += 0.0;
                moderate &= number.abs() <= LARGEST;
                is_below &= number.abs() < largest;
            }
        }
        let mut left = failed;
        if !moderate {
            left.extend((0..rows).filter(|row| !self.is_moderate(first + row, inputs, outputs)));
            left.sort_unstable();
            left.dedup();
        }
        if !left.is_empty() {
            self.fallbacks += left.len() as u64;
            for row in left {
                self.recur(first + row, inputs, outputs);
            }
            let own = |(output, Port { len, .. }): (&&mut [f64], &Port)| {
                output[first * len..(first + rows) * len]
                    .iter()
                    .all(|answer| answer.abs() < largest)
            };
            is_below = outputs.iter().zip(&self.output_ports).all(own);
        }
        is_given && is_below
    }

    /// Whether all numbers of a state are.
    fn is_moderate(&self, row: usize, inputs: &[RowBlock<'_>], outputs: &[&mut [f64]]) -> bool {
        let given = inputs.iter().zip(&self.input_ports).all(|(input, Port { len, .. })| {
            is_moderate(match *input {
                RowBlock::Each(numbers) => &numbers[row * len..(row + 1) * len],
                RowBlock::Same(numbers) => numbers,
            })
        });
        let own = |(output, Port { len, .. }): (&&mut [f64], &Port)| {
            is_moderate(&output[row * len..(row + 1) * len])
        };
        given && outputs.iter().zip(&self.output_ports).all(own)
    }

    /// One state by the recursion.
    fn recur(&mut self, row: usize, inputs: &[RowBlock<'_>], outputs: &mut [&mut [f64]]) {
        let mut rest = &mut self.inputs[..];
        for (input, Port { len, .. }) in inputs.iter().zip(&self.input_ports) {
            let (own, others) = rest.split_at_mut(*len);
            own.copy_from_slice(match *input {
                RowBlock::Each(numbers) => &numbers[row * len..(row + 1) * len],
                RowBlock::Same(numbers) => numbers,
            });
            rest = others;
        }
        self.model.run(&self.inputs, &mut self.outputs);
        let mut rest = &self.outputs[..];
        for (output, Port { len, .. }) in outputs.iter_mut().zip(&self.output_ports) {
            let (own, others) = rest.split_at(*len);
            for (place, number) in output[row * len..(row + 1) * len].iter_mut().zip(own) {
                *place = number + 0.0;
            }
            rest = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Builder, Joint, Link};
    use crate::spatial::Pose;

    /// Where a number of one state is none or too large, the others keep their own, fused ones too.
    #[test]
    fn states_have_their_numbers_whatever_others_have() {
        let link = |name: &str| {
            let link = Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0]));
            link.payload(1.3, [0.7, 0.1, 0.0])
        };
        let arm = Builder::new("two").gravity([0.0, -9.81, 0.0]).link(link("a"));
        let arm = arm.link(link("b").placed(Pose::at(0.7, 0.0, 0.0))).build().expect("an arm");
        let n = 2 * CHUNK + 100;
        let numbers = |seed: f64| -> Vec<f64> {
            (0..2 * n).map(|i| (seed * i as f64 + 1.0).sin() * 3.0).collect()
        };
        let [q, u, tau] = [7.0, 5.0, 3.0].map(numbers);
        for fuse in [false, true] {
            let mut rows = arm.row_evaluator(Quantity::ForwardDynamics, fuse).expect("rows");
            let mut all = |q: &[f64], u: &[f64]| {
                let mut ud = vec![0.0; 2 * n];
                let before = rows.fallbacks();
                let inputs = [q, u, &tau].map(RowBlock::Each);
                rows.rows_into(n, &inputs, &mut [&mut ud]);
                (ud, rows.fallbacks() - before)
            };
            let (right, none) = all(&q, &u);
            assert_eq!(none, 0);
            // one is none, one beyond what sines reach, and one gives too large numbers
            let (mut other, mut fast) = (q.clone(), u.clone());
            (other[2 * 300], other[2 * 700 + 1], fast[2 * 900]) = (f64::NAN, 1e9, 1e60);
            let (ud, three) = all(&other, &fast);
            assert_eq!(three, 3);
            let differs = |row: &usize| ud[2 * row..2 * row + 2] != right[2 * row..2 * row + 2];
            assert_eq!((0..n).filter(differs).collect::<Vec<_>>(), [300, 700, 900], "{fuse}");
        }
    }

    #[test]
    fn arms_without_coordinates_have_rows() {
        let still = Link::new("still").joint(Joint::Fixed).payload(1.0, [0.1, 0.0, 0.0]);
        let arm = Builder::new("still").link(still).build().expect("an arm");
        let nothing: [f64; 0] = [];
        for quantity in [Quantity::ForwardDynamics, Quantity::MassMatrix, Quantity::Kinematics] {
            let mut single = arm.evaluator(quantity);
            let mut rows = arm.row_evaluator(quantity, false).expect("rows");
            let blocks = vec![RowBlock::Each(&nothing); rows.inputs().len()];
            let len = total(rows.outputs());
            let (mut got, mut wanted) = (vec![f64::NAN; 3 * len], vec![f64::NAN; len]);
            rows.rows_into(3, &blocks, &mut [&mut got]);
            single.run_into(&vec![&nothing[..]; blocks.len()], &mut [&mut wanted]);
            assert_eq!(got, wanted.repeat(3), "{quantity:?}");
        }
    }
}
