//! Machine code of a tape, made at run time.

#![allow(unsafe_code, reason = "runs the code that the emitter made")]

use crate::aligned::Aligned;
use crate::emit::{Emitted, emit};
use crate::options::{Options, Width};
use crate::pages::Pages;
use crate::refused::Refused;
use crate::tape::Tape;
use std::sync::Arc;

/// A tape as machine code of this processor.
///
/// Lanes stand side by side: number `i` of lane `k` is at `i * lanes + k`, in the inputs as in the
/// outputs. Clones share the code.
#[derive(Clone, Debug)]
pub struct MachineCode(Arc<Made>);

#[derive(Debug)]
struct Made {
    pages: Pages,
    constants: Aligned,
    options: Options,
    /// Numbers, for all lanes together.
    inputs: usize,
    outputs: usize,
    arena: usize,
    /// The bounds of the guards for each lane; the values are the first numbers of the arena.
    bounds: Vec<f64>,
}

/// Memory for intermediate values; one for each thread. It grows to what a run needs.
#[derive(Clone, Debug, Default)]
pub struct Arena(Aligned);

impl MachineCode {
    /// The largest number of bytes of code.
    pub const LONGEST: usize = 4 << 20;

    /// Compiles a tape.
    pub fn compile(tape: &Tape, options: Options) -> Result<Self, Refused> {
        if options.width > options.instructions.widest() {
            return Err(Refused::Lanes);
        }
        if !cfg!(unix) || !options.instructions.are_there() {
            return Err(Refused::Processor);
        }
        let Emitted { bytes, constants, arena } = emit(tape, options, Self::LONGEST)?;
        let lanes = options.width.lanes();
        Ok(Self(Arc::new(Made {
            pages: Pages::new(&bytes)?,
            constants: Aligned::of(&constants),
            options,
            inputs: tape.inputs() * lanes,
            outputs: tape.outputs().len() * lanes,
            arena,
            bounds: tape.guards().iter().flat_map(|guard| vec![guard.bound; lanes]).collect(),
        })))
    }

    /// How it was compiled.
    pub fn options(&self) -> Options {
        self.0.options
    }

    /// How many states a run computes.
    pub fn width(&self) -> Width {
        self.0.options.width
    }

    /// The code itself, as for a disassembler.
    pub fn code(&self) -> &[u8] {
        self.0.pages.code()
    }

    /// Computes the outputs; `false` if a guard does not hold in a lane, and then they are not to
    /// be used.
    ///
    /// # Panics
    /// If the slices do not have the numbers of the tape's inputs and outputs, times the lanes.
    #[must_use]
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64], arena: &mut Arena) -> bool {
        self.failed(inputs, outputs, arena) == 0
    }

    /// As [`Self::run`]; the lanes whose guards do not hold, by bits.
    pub fn failed(&self, inputs: &[f64], outputs: &mut [f64], arena: &mut Arena) -> u8 {
        let made = &*self.0;
        assert_eq!(inputs.len(), made.inputs, "inputs times lanes");
        assert_eq!(outputs.len(), made.outputs, "outputs times lanes");
        arena.0.reserve(made.arena);
        let room = arena.0.numbers_mut();
        // SAFETY: the emitter made the code for so many inputs and outputs, as was checked, for an
        // arena of `made.arena` numbers, as was reserved, and for this table of constants.
        unsafe { made.pages.call(inputs, outputs, room, made.constants.numbers()) };
        // A value that is no number holds no bound.
        let holds = |(value, bound): (&f64, &f64)| value.abs() <= *bound;
        let guards = || room.iter().zip(&made.bounds).map(holds);
        if guards().fold(true, |all, holds| all & holds) {
            return 0;
        }
        let lanes = made.options.width.lanes();
        guards().enumerate().fold(0, |failed, (k, holds)| failed | u8::from(!holds) << (k % lanes))
    }
}
