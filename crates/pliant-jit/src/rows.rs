//! Many states at once, in arrays of rows.

use crate::ahead::{ask_to_read, ask_to_write};
use crate::aligned::Aligned;
use crate::interpret::{Blocks, Interpreter};
use crate::machine::{Arena, MachineCode};
use crate::options::{Instructions, Options, Width};
use crate::refused::Refused;
use crate::tape::Tape;
use crate::turned::{to_lanes, to_rows};
use std::array;
use std::sync::Arc;

/// Numbers of many states: a row of some columns for each.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    numbers: &'a [f64],
    width: usize,
    /// From one row to the next.
    stride: usize,
}

impl<'a> Columns<'a> {
    /// Rows one after the other.
    pub fn new(numbers: &'a [f64], columns: usize) -> Self {
        Self { numbers, width: columns, stride: columns }
    }

    /// One row for all states.
    pub fn same(row: &'a [f64]) -> Self {
        Self { numbers: row, width: row.len(), stride: 0 }
    }

    fn row(&self, row: usize) -> &'a [f64] {
        &self.numbers[row * self.stride..][..self.width]
    }

    /// `N` rows; the last one stands for those behind it.
    fn rows<const N: usize>(&self, first: usize, last: usize) -> [&'a [f64]; N] {
        array::from_fn(|k| self.row((first + k).min(last)))
    }
}

/// Places for numbers of many states: a row of some columns for each.
#[derive(Debug)]
pub struct ColumnsMut<'a> {
    numbers: &'a mut [f64],
    width: usize,
}

impl<'a> ColumnsMut<'a> {
    /// Rows one after the other.
    pub fn new(numbers: &'a mut [f64], columns: usize) -> Self {
        Self { numbers, width: columns }
    }
}

/// A tape that computes many states, by machine code or, on every processor, by an interpreter.
///
/// The interpreter does each operation for a block of states before the next one. Its numbers are
/// those of machine code that is not fused, bit for bit. Clones share the code.
#[derive(Clone, Debug)]
pub struct Batch {
    inputs: usize,
    outputs: usize,
    by: By,
}

#[derive(Clone, Debug)]
enum By {
    Code(MachineCode),
    Interpreter(Arc<Interpreter>),
}

/// States of a block of the interpreter.
const LONG: usize = 256;
/// States of a block where only few are left.
const SHORT: usize = 16;

/// Runs of machine code whose inputs are written before the first of them.
const GROUPS: usize = 4;

/// The memory of a [`Batch`]; one for each thread. It grows to what a run needs.
#[derive(Clone, Debug, Default)]
pub struct Room {
    arena: Arena,
    inputs: Aligned,
    outputs: Aligned,
    long: Blocks<LONG>,
    short: Blocks<SHORT>,
}

impl Batch {
    /// The tape by the widest machine code there is, or by an interpreter; not fused.
    pub fn new(tape: &Tape) -> Result<Self, Refused> {
        for instructions in [Instructions::Avx512, Instructions::Avx2] {
            let options = Options { width: instructions.widest(), ..Options::new(instructions) };
            if let Ok(batch) = Self::compiled(tape, options) {
                return Ok(batch);
            }
        }
        Self::interpreted(tape)
    }

    /// The tape by machine code.
    pub fn compiled(tape: &Tape, options: Options) -> Result<Self, Refused> {
        Ok(Self::of(tape, By::Code(MachineCode::compile(tape, options)?)))
    }

    /// The tape by an interpreter.
    pub fn interpreted(tape: &Tape) -> Result<Self, Refused> {
        Ok(Self::of(tape, By::Interpreter(Arc::new(Interpreter::new(tape)?))))
    }

    fn of(tape: &Tape, by: By) -> Self {
        Self { inputs: tape.inputs(), outputs: tape.outputs().len(), by }
    }

    /// How the machine code was made; `None` if it is an interpreter.
    pub fn options(&self) -> Option<Options> {
        match &self.by {
            By::Code(code) => Some(code.options()),
            By::Interpreter(_) => None,
        }
    }

    /// Computes the outputs of `rows` states, and gives the rows whose guards do not hold: their
    /// outputs are not to be used.
    ///
    /// The inputs of the tape are the columns of the input arrays, side by side; so are the
    /// outputs.
    ///
    /// # Panics
    /// If the arrays do not have as many rows, or together as many columns.
    #[must_use]
    pub fn run(
        &self,
        rows: usize,
        inputs: &[Columns<'_>],
        outputs: &mut [ColumnsMut<'_>],
        room: &mut Room,
    ) -> Vec<usize> {
        let columns: usize = inputs.iter().map(|array| array.width).sum();
        assert_eq!(columns, self.inputs, "columns of inputs");
        let columns: usize = outputs.iter().map(|array| array.width).sum();
        assert_eq!(columns, self.outputs, "columns of outputs");
        for array in inputs.iter().filter(|array| array.stride > 0) {
            assert_eq!(array.numbers.len(), rows * array.width, "rows of inputs times columns");
        }
        for array in outputs.iter() {
            assert_eq!(array.numbers.len(), rows * array.width, "rows of outputs times columns");
        }
        let mut failed = Vec::new();
        if rows > 0 {
            match &self.by {
                By::Code(code) => match code.width() {
                    Width::One => self.code::<1>(code, rows, inputs, outputs, room, &mut failed),
                    Width::Two => self.code::<2>(code, rows, inputs, outputs, room, &mut failed),
                    Width::Four => self.code::<4>(code, rows, inputs, outputs, room, &mut failed),
                    Width::Eight => self.code::<8>(code, rows, inputs, outputs, room, &mut failed),
                },
                By::Interpreter(by) => interpreted(by, rows, inputs, outputs, room, &mut failed),
            }
        }
        failed
    }

    /// By machine code with `N` lanes, for several groups of rows at a time: until they are read,
    /// numbers have left the way to memory, which gives them one by one only.
    fn code<const N: usize>(
        &self,
        code: &MachineCode,
        rows: usize,
        inputs: &[Columns<'_>],
        outputs: &mut [ColumnsMut<'_>],
        room: &mut Room,
        failed: &mut Vec<usize>,
    ) {
        let (reads, writes) = (self.inputs * N, self.outputs * N);
        room.inputs.reserve(GROUPS * reads);
        room.outputs.reserve(GROUPS * writes);
        let (from, to) = (room.inputs.numbers_mut(), room.outputs.numbers_mut());
        for block in (0..rows).step_by(GROUPS * N) {
            let groups = || (block..rows).step_by(N).take(GROUPS).enumerate();
            for (k, first) in groups() {
                gather::<N>(inputs, first, rows - 1, &mut from[k * reads..][..reads]);
            }
            for (k, first) in groups() {
                let (from, to) = (&from[k * reads..][..reads], &mut to[k * writes..][..writes]);
                ask_for_rows(first + GROUPS * N, N, rows, inputs, outputs);
                let bits = code.failed(from, to, &mut room.arena);
                if bits != 0 {
                    let lanes = (0..N.min(rows - first)).filter(|lane| bits >> lane & 1 != 0);
                    failed.extend(lanes.map(|lane| first + lane));
                }
            }
            for (k, first) in groups() {
                scatter::<N>(&to[k * writes..][..writes], first, outputs);
            }
        }
    }
}

/// Asks for rows that come next, as far as there are so many.
fn ask_for_rows(
    first: usize,
    count: usize,
    rows: usize,
    inputs: &[Columns<'_>],
    outputs: &[ColumnsMut<'_>],
) {
    let range = first.min(rows)..(first + count).min(rows);
    for array in inputs.iter().filter(|array| array.stride > 0) {
        ask_to_read(&array.numbers[range.start * array.width..range.end * array.width]);
    }
    for array in outputs {
        ask_to_write(&array.numbers[range.start * array.width..range.end * array.width]);
    }
}

/// Brings `N` rows to lanes; the last row stands for those behind it.
fn gather<const N: usize>(arrays: &[Columns<'_>], first: usize, last: usize, lanes: &mut [f64]) {
    let mut lanes = lanes.as_chunks_mut().0;
    for array in arrays {
        let (these, rest) = lanes.split_at_mut(array.width);
        to_lanes(&array.rows::<N>(first, last), these);
        lanes = rest;
    }
}

/// Brings lanes to `N` rows, as far as there are so many.
fn scatter<const N: usize>(lanes: &[f64], first: usize, arrays: &mut [ColumnsMut<'_>]) {
    let mut lanes = lanes.as_chunks::<N>().0;
    for array in arrays.iter_mut().filter(|array| array.width > 0) {
        let (these, rest) = lanes.split_at(array.width);
        let mut rows = array.numbers[first * array.width..].chunks_exact_mut(array.width);
        if rows.len() >= N {
            to_rows(these, array::from_fn(|_| rows.next().unwrap_or_default()));
        } else {
            for (k, row) in rows.enumerate() {
                for (place, numbers) in row.iter_mut().zip(these) {
                    *place = numbers[k];
                }
            }
        }
        lanes = rest;
    }
}

/// By the interpreter, in long blocks as long as they are worth it.
fn interpreted(
    by: &Interpreter,
    rows: usize,
    inputs: &[Columns<'_>],
    outputs: &mut [ColumnsMut<'_>],
    room: &mut Room,
    failed: &mut Vec<usize>,
) {
    let mut first = 0;
    while first < rows {
        if rows - first > 4 * SHORT {
            block(by, first, rows, inputs, outputs, &mut room.long, failed);
            first += LONG;
        } else {
            block(by, first, rows, inputs, outputs, &mut room.short, failed);
            first += SHORT;
        }
    }
}

fn block<const N: usize>(
    by: &Interpreter,
    first: usize,
    rows: usize,
    inputs: &[Columns<'_>],
    outputs: &mut [ColumnsMut<'_>],
    blocks: &mut Blocks<N>,
    failed: &mut Vec<usize>,
) {
    const TOGETHER: usize = 8;
    let mut into = by.inputs_of(blocks);
    for array in inputs {
        for at in (0..N).step_by(TOGETHER) {
            let rows = array.rows::<TOGETHER>(first + at, rows - 1);
            for column in 0..array.width {
                let numbers: [f64; TOGETHER] = array::from_fn(|k| rows[k][column]);
                into[column].0[at..][..TOGETHER].copy_from_slice(&numbers);
            }
        }
        into = &mut into[array.width..];
    }
    let count = N.min(rows - first);
    let guards = by.run(blocks);
    failed.extend((0..count).filter(|&k| guards[k]).map(|k| first + k));
    let mut number = 0;
    for array in outputs.iter_mut().filter(|array| array.width > 0) {
        let target = &mut array.numbers[first * array.width..];
        for column in 0..array.width {
            let from = by.output(number, blocks);
            for (k, row) in target.chunks_exact_mut(array.width).take(count).enumerate() {
                row[column] = from.map_or_else(|number| number, |block| block.0[k]);
            }
            number += 1;
        }
    }
}
