//! Machine code of a tape, made at run time.

#![allow(unsafe_code, reason = "runs the code that the emitter made")]

use crate::ahead::{Ahead, GROUPS};
use crate::aligned::Aligned;
use crate::emit::{Emitted, Repeats, emit};
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

/// A tape as machine code that computes one group of lanes after the other.
///
/// Between two groups nothing else runs: straight-line code of a few thousand operations fills the
/// cache of decoded instructions, and whatever runs in between displaces much of it.
#[derive(Clone, Debug)]
pub(crate) struct GroupCode(Arc<Made>, Ahead);

#[derive(Debug)]
struct Made {
    pages: Pages,
    constants: Aligned,
    options: Options,
    /// Numbers, for all lanes together.
    inputs: usize,
    outputs: usize,
    arena: usize,
    /// The bounds of the guards for each lane.
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
        Ok(Self(Arc::new(Made::new(tape, options, Repeats::Once)?)))
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
        let made = &*self.0;
        assert_eq!(inputs.len(), made.inputs, "inputs times lanes");
        assert_eq!(outputs.len(), made.outputs, "outputs times lanes");
        arena.0.reserve(made.arena);
        let room = arena.0.numbers_mut();
        // SAFETY: the emitter made the code for so many inputs and outputs, as was checked, for an
        // arena of `made.arena` numbers, as was reserved, and for this table of constants.
        unsafe { made.pages.call(inputs, outputs, room, made.constants.numbers(), (1, &[])) };
        // the guards are the first numbers of the arena
        made.failed(room) == 0
    }
}

impl GroupCode {
    /// Compiles a tape.
    pub(crate) fn compile(tape: &Tape, options: Options) -> Result<Self, Refused> {
        let ahead = Ahead::of(tape, options.width.lanes());
        Ok(Self(Arc::new(Made::new(tape, options, Repeats::Groups)?), ahead))
    }

    /// How it was compiled.
    pub(crate) fn options(&self) -> Options {
        self.0.options
    }

    /// What each group asks for.
    pub(crate) fn ahead(&self) -> Ahead {
        self.1
    }

    /// How many numbers of outputs and, behind them, guards there are for each group.
    pub(crate) fn written(&self) -> usize {
        self.0.outputs + self.0.bounds.len()
    }

    /// Computes one group after the other, which ask for the lines on both lists.
    ///
    /// # Panics
    /// If there are no groups or more than [`GROUPS`], or the slices do not have as many numbers for
    /// each.
    pub(crate) fn run(
        &self,
        groups: usize,
        inputs: &[f64],
        written: &mut [f64],
        addresses: &[usize],
        arena: &mut Arena,
    ) {
        let Self(made, ahead) = self;
        assert!((1..=GROUPS).contains(&groups), "one group at least, {GROUPS} at most");
        assert_eq!(inputs.len(), groups * made.inputs, "inputs times lanes times groups");
        assert_eq!(written.len(), groups * self.written(), "outputs and guards likewise");
        assert_eq!(addresses.len(), ahead.addresses(), "lists of lines for all groups");
        arena.0.reserve(made.arena);
        let (room, constants) = (arena.0.numbers_mut(), made.constants.numbers());
        // SAFETY: the emitter made the code for so many inputs, outputs and guards of each group, as
        // was checked, for lists of so many lines of at most `GROUPS` groups, for an arena of
        // `made.arena` numbers, as was reserved, and for this table of constants. A line that it asks
        // for may be anywhere: that reads and writes nothing.
        unsafe { made.pages.call(inputs, written, room, constants, (groups, addresses)) };
    }

    /// The lanes of a group whose guards do not hold, by bits.
    pub(crate) fn failed(&self, written: &[f64]) -> u8 {
        self.0.failed(&written[self.0.outputs..])
    }
}

impl Made {
    fn new(tape: &Tape, options: Options, repeats: Repeats) -> Result<Self, Refused> {
        if options.width > options.instructions.widest() {
            return Err(Refused::Lanes);
        }
        if !cfg!(unix) || !options.instructions.are_there() {
            return Err(Refused::Processor);
        }
        let Emitted { bytes, constants, arena } =
            emit(tape, options, repeats, MachineCode::LONGEST)?;
        let lanes = options.width.lanes();
        Ok(Self {
            pages: Pages::new(&bytes)?,
            constants: Aligned::of(&constants),
            options,
            inputs: tape.inputs() * lanes,
            outputs: tape.outputs().len() * lanes,
            arena,
            bounds: tape.guards().iter().flat_map(|guard| vec![guard.bound; lanes]).collect(),
        })
    }

    /// The lanes whose guards, the first numbers of these, do not hold, by bits.
    fn failed(&self, numbers: &[f64]) -> u8 {
        // A value that is no number holds no bound.
        let holds = |(value, bound): (&f64, &f64)| value.abs() <= *bound;
        let guards = || numbers.iter().zip(&self.bounds).map(holds);
        if guards().fold(true, |all, holds| all & holds) {
            return 0;
        }
        let lanes = self.options.width.lanes();
        guards().enumerate().fold(0, |failed, (k, holds)| failed | u8::from(!holds) << (k % lanes))
    }
}
