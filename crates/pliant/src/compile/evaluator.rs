//! Quantities that are evaluated many times, by recursions or by machine code.

use super::error::CompileError;
use super::folded::Functions;
use super::model::Model;
use super::quantity::{Port, Quantity};
use super::rows::RowEvaluator;
use super::trace::{Trace, total};
use crate::arm::Arm;
use pliant_jit::{Arena, Instructions, MachineCode, Options};

/// A quantity of an arm, ready to be evaluated many times.
///
/// It is computed by its recursion until it is [compiled](Evaluator::compile). Machine code gives
/// the numbers of a portable build of the recursion, unless it fuses; where it may not be right,
/// beyond the range of its sines or where a number is not finite, the recursion takes its place.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::compile::Quantity;
///
/// let arm = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut forward = arm.evaluator(Quantity::ForwardDynamics);
/// let compiled = forward.compile(false); // fails where there is no machine code for the processor
/// let mut ud = [0.0];
/// forward.run_into(&[&[0.5], &[0.0], &[0.0]], &mut [&mut ud]);
/// assert!((ud[0] + 9.81 * 0.5_f64.cos()).abs() < 1e-12);
/// # let _ = compiled;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    input_ports: Vec<Port>,
    output_ports: Vec<Port>,
    model: Model,
    code: Option<(MachineCode, Arena)>,
    /// Its outputs, if they are always the same, as the power of dampers is without any.
    constant: Option<Vec<f64>>,
    fallbacks: u64,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
}

/// Beyond this, products of what a recursion computes may leave the range of numbers.
pub(super) const LARGEST: f64 = 1e100;

/// How far from the neutral configuration code is tried, until it holds there (rad, m).
pub(super) const DISTANCES: [f64; 5] = [0.1, 1e-2, 1e-3, 1e-4, 1e-6];

/// How many operations fit into the cache of instructions of common processors.
const CACHED: f64 = 5e3;

/// The time of an operation of machine code, as a part of that of one of a recursion, within that cache
/// and beyond it: `cargo xtask bench compiled` saw 0.5 to 0.7 and 0.7 to 1.2.
const CODE: [f64; 2] = [0.7, 1.2];

/// How many operations a recursion could do in the time that it takes to trace and compile one: fewer
/// evaluations are never worth it.
const COMPILING: f64 = 300.0;

#[cfg(test)]
thread_local! {
    /// What this thread has compiled.
    pub(crate) static COMPILED: std::cell::RefCell<Vec<Quantity>> = const { std::cell::RefCell::new(Vec::new()) };
}

impl Evaluator {
    /// By its recursion.
    pub(super) fn new(arm: &Arm, quantity: Quantity) -> Self {
        Self::of_model(Model::new(arm, quantity))
    }

    pub(super) fn of_model(model: Model) -> Self {
        let (input_ports, output_ports) = (model.inputs(), model.outputs());
        Self {
            inputs: vec![0.0; total(&input_ports)],
            outputs: vec![0.0; total(&output_ports)],
            input_ports,
            output_ports,
            model,
            code: None,
            constant: None,
            fallbacks: 0,
        }
    }

    /// What is evaluated.
    pub fn quantity(&self) -> Quantity {
        self.model.quantity()
    }

    /// What [`Evaluator::run_into`] reads, in this order.
    pub fn inputs(&self) -> &[Port] {
        &self.input_ports
    }

    /// What [`Evaluator::run_into`] writes, in this order.
    pub fn outputs(&self) -> &[Port] {
        &self.output_ports
    }

    /// Whether it runs as machine code.
    pub fn is_compiled(&self) -> bool {
        self.code.is_some()
    }

    /// How often the recursion took the place of machine code.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks
    }

    /// Makes machine code of the recursion, which is tried against it before it is used. With
    /// `fuse`, products and sums are rounded together. Where it fails, the recursion stays in use.
    pub fn compile(&mut self, fuse: bool) -> Result<(), CompileError> {
        let trace = self.model.trace(Functions::Expanded);
        self.compile_trace(&trace, fuse)
    }

    /// Compiles it if so many evaluations are worth it, by operations, which are the same on every
    /// machine; in any case if they are infinitely many.
    pub(crate) fn compile_for(&mut self, evaluations: f64) -> Result<(), CompileError> {
        if evaluations <= COMPILING {
            return Ok(());
        }
        let trace = self.model.trace(Functions::Expanded);
        let (counts, left) = (trace.recorded(), trace.tape().ops().len() as f64);
        let recorded = (counts.multiplications + counts.additions) as f64;
        // beyond the cache of instructions they come slower than they are executed
        let saved = recorded - CODE[usize::from(left > CACHED)] * left;
        if evaluations.is_infinite() || evaluations * saved > COMPILING * (recorded + left) {
            self.compile_trace(&trace, false)?;
        }
        Ok(())
    }

    fn compile_trace(&mut self, trace: &Trace, fuse: bool) -> Result<(), CompileError> {
        self.code = None;
        let best = Instructions::Avx512;
        let instructions = if best.are_there() { best } else { Instructions::Avx2 };
        let options = Options { fuse, ..Options::new(instructions) };
        let code = MachineCode::compile(trace.tape(), options)?;
        let arena = Arena::default();
        self.code = Some((code, arena));
        #[cfg(test)]
        COMPILED.with_borrow_mut(|all| all.push(self.quantity()));
        self.check(fuse).inspect_err(|_| self.code = None)?;
        // the check has left them in place
        self.constant = trace.tape().is_constant().then(|| self.outputs.clone());
        Ok(())
    }

    /// Compares machine code with the recursion at a few states.
    fn check(&mut self, fuse: bool) -> Result<(), CompileError> {
        let mut wanted = vec![0.0; self.outputs.len()];
        for round in 0..2 {
            // short links bend too far for machine code where others hardly do
            let near = DISTANCES.into_iter().any(|distance| {
                self.model.trial(round, distance, &mut self.inputs);
                self.run_code()
            });
            if !near {
                return Err(CompileError::Untried);
            }
            self.model.run(&self.inputs, &mut wanted);
            compare(&wanted, &self.outputs, fuse)?;
        }
        Ok(())
    }

    /// Whether machine code computed the outputs from the inputs.
    fn run_code(&mut self) -> bool {
        let Some((code, arena)) = &mut self.code else { return false };
        is_moderate(&self.inputs)
            && code.run(&self.inputs, &mut self.outputs, arena)
            && is_moderate(&self.outputs)
    }

    /// Forward dynamics: at free coordinates `tau` is read and `ud` written, at prescribed ones it
    /// is the other way round.
    pub(crate) fn forward_into(&mut self, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]) {
        if self.input_ports.len() == 3 {
            self.run_into(&[q, u, tau], &mut [ud]);
        } else {
            let is_moderate = self.take(&[q, u, tau, ud]);
            self.give(is_moderate, &mut [ud, tau]);
        }
    }

    /// All outputs from all inputs, port by port.
    ///
    /// # Panics
    /// When a slice does not have the length of its port.
    pub fn run_into(&mut self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
        if let Some(constant) = &self.constant
            && inputs
                .iter()
                .map(|input| input.len())
                .eq(self.input_ports.iter().map(|port| port.len))
            && inputs.iter().all(|input| is_moderate(input))
        {
            hand_out(constant, &self.output_ports, outputs);
            return;
        }
        let is_moderate = self.take(inputs);
        self.give(is_moderate, outputs);
    }

    /// Copies the inputs; whether they are moderate.
    #[inline]
    fn take(&mut self, inputs: &[&[f64]]) -> bool {
        assert_eq!(inputs.len(), self.input_ports.len(), "as many inputs as ports");
        let (mut rest, mut is_moderate) = (&mut self.inputs[..], true);
        for (input, Port { name, len }) in inputs.iter().zip(&self.input_ports) {
            assert_eq!(input.len(), *len, "{name} has {len} entries");
            let (own, others) = rest.split_at_mut(*len);
            is_moderate &= copied(input, own, |number| number);
            rest = others;
        }
        is_moderate
    }

    /// Computes the outputs, and copies them.
    #[inline]
    fn give(&mut self, is_moderate: bool, outputs: &mut [&mut [f64]]) {
        if let Some((code, arena)) = &mut self.code {
            let is_right = is_moderate && code.run(&self.inputs, &mut self.outputs, arena);
            if is_right && hand_out(&self.outputs, &self.output_ports, outputs) {
                return;
            }
            self.fallbacks += 1;
        }
        self.model.run(&self.inputs, &mut self.outputs);
        hand_out(&self.outputs, &self.output_ports, outputs);
    }
}

/// Copies outputs to where they belong; whether they are moderate. The signs of zeros are not those of
/// the recursion; all of them are positive here.
#[inline]
fn hand_out(mut from: &[f64], ports: &[Port], outputs: &mut [&mut [f64]]) -> bool {
    assert_eq!(outputs.len(), ports.len(), "as many outputs as ports");
    let mut is_moderate = true;
    for (output, Port { name, len }) in outputs.iter_mut().zip(ports) {
        assert_eq!(output.len(), *len, "{name} has {len} entries");
        let (own, others) = from.split_at(*len);
        is_moderate &= copied(own, output, |number| number + 0.0);
        from = others;
    }
    is_moderate
}

/// Copies numbers; whether all of them are moderate.
#[inline]
fn copied(from: &[f64], to: &mut [f64], as_written: impl Fn(f64) -> f64) -> bool {
    let mut is_moderate = true;
    for (to, from) in to.iter_mut().zip(from) {
        *to = as_written(*from);
        is_moderate &= from.abs() <= LARGEST;
    }
    is_moderate
}

/// Whether code computed what the recursion computes. Fused code, and any code beside a recursion
/// that a build for one processor has fused, may differ by rounding.
pub(super) fn compare(wanted: &[f64], got: &[f64], fuse: bool) -> Result<(), CompileError> {
    let exact = !fuse && !cfg!(target_feature = "fma");
    let size = wanted.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
    for (output, (&recursion, &code)) in wanted.iter().zip(got).enumerate() {
        let near = (recursion - code).abs() <= 1e-6 * size;
        if !(recursion == code || !exact && near) {
            return Err(CompileError::Check { output, recursion, code });
        }
    }
    Ok(())
}

/// Whether all numbers are finite, and far from the end of their range. Products with zeros, which
/// machine code leaves out, are then zero.
#[inline]
pub(super) fn is_moderate(numbers: &[f64]) -> bool {
    numbers.iter().fold(true, |all, number| all & (number.abs() <= LARGEST))
}

impl Arm {
    /// A quantity of many states at once, compiled; where there is no machine code for this
    /// processor, by an interpreter that does each operation for many states. With `fuse`, machine
    /// code rounds products and sums together.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn row_evaluator(
        &self,
        quantity: Quantity,
        fuse: bool,
    ) -> Result<RowEvaluator, CompileError> {
        RowEvaluator::new(self, quantity, fuse)
    }

    /// A quantity, ready to be evaluated many times.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn evaluator(&self, quantity: Quantity) -> Evaluator {
        Evaluator::new(self, quantity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Builder, Joint, Link};

    #[test]
    fn the_recursion_is_in_use_where_compiling_fails() {
        let bob = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
        let arm = Builder::new("pendulum").gravity([0.0, -9.81, 0.0]);
        let arm = arm.link(bob.payload(1.0, [1.0, 0.0, 0.0])).build();
        let mut forward = arm.expect("an arm").evaluator(Quantity::ForwardDynamics);
        if forward.compile(false).is_err() {
            return;
        }
        assert!(forward.is_compiled());
        // code calls no functions
        let called = forward.model.trace(Functions::Called);
        let again = forward.compile_trace(&called, false);
        assert!(matches!(again, Err(CompileError::Refused(_))), "{again:?}");
        assert!(!forward.is_compiled());
    }
}
