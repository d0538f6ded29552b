//! Many states at once, in arrays of rows.

use crate::ahead::GROUPS;
use crate::aligned::Aligned;
use crate::interpret::{Blocks, Interpreter};
use crate::machine::{Arena, GroupCode};
use crate::options::{Instructions, Options, Width};
use crate::refused::Refused;
use crate::tape::Tape;
use crate::turned::{to_lanes, to_rows};
use std::array;
use std::ops::Range;
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

    /// All numbers of some rows, if they are their own.
    fn piece(&self, rows: &Range<usize>) -> &'a [f64] {
        &self.numbers[rows.start * self.stride..rows.end * self.stride]
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

    /// All numbers of some rows.
    fn piece(&self, rows: &Range<usize>) -> &[f64] {
        &self.numbers[rows.start * self.width..rows.end * self.width]
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
    Code(GroupCode),
    Interpreter(Arc<Interpreter>),
}

/// States of a block of the interpreter: so many that deciding what to do is little beside doing it,
/// and so few that all numbers stay in the second cache.
const LONG: usize = 512;
/// States of a block where only few are left.
const SHORT: usize = 16;

/// The memory of a [`Batch`]; one for each thread. It grows to what a run needs.
#[derive(Clone, Debug, Default)]
pub struct Room {
    arena: Arena,
    inputs: Aligned,
    /// Outputs and guards, group by group.
    outputs: Aligned,
    /// Lines that machine code asks for.
    ahead: Vec<usize>,
    long: Blocks<LONG>,
    short: Blocks<SHORT>,
}

impl Batch {
    /// The tape by the widest machine code there is, which may be fused, or by an interpreter.
    pub fn new(tape: &Tape, fuse: bool) -> Result<Self, Refused> {
        for instructions in [Instructions::Avx512, Instructions::Avx2] {
            let options = Options { width: instructions.widest(), instructions, fuse };
            if let Ok(batch) = Self::compiled(tape, options) {
                return Ok(batch);
            }
        }
        Self::interpreted(tape)
    }

    /// The tape by machine code.
    pub fn compiled(tape: &Tape, options: Options) -> Result<Self, Refused> {
        Ok(Self::of(tape, By::Code(GroupCode::compile(tape, options)?)))
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
                By::Code(code) => match code.options().width {
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

    /// By machine code with `N` lanes, for several groups of rows at a time.
    fn code<const N: usize>(
        &self,
        code: &GroupCode,
        rows: usize,
        inputs: &[Columns<'_>],
        outputs: &mut [ColumnsMut<'_>],
        room: &mut Room,
        failed: &mut Vec<usize>,
    ) {
        let (reads, writes, ahead) = (self.inputs * N, code.written(), code.ahead());
        room.inputs.reserve(GROUPS * reads);
        room.outputs.reserve(GROUPS * writes);
        room.ahead.resize(ahead.addresses(), 0);
        let (from, to) = (room.inputs.numbers_mut(), room.outputs.numbers_mut());
        for block in (0..rows).step_by(GROUPS * N) {
            let groups = (rows - block).div_ceil(N).min(GROUPS);
            let (from, to) = (&mut from[..groups * reads], &mut to[..groups * writes]);
            let firsts = || (block..).step_by(N);
            for (first, lanes) in firsts().zip(from.chunks_exact_mut(reads.max(1))) {
                gather::<N>(inputs, first, rows - 1, lanes);
            }
            let next = (block + GROUPS * N).min(rows)..(block + 2 * GROUPS * N).min(rows);
            ahead.list(
                inputs.iter().map(|array| array.piece(&next)),
                outputs.iter().map(|array| array.piece(&next)),
                &mut room.ahead,
            );
            code.run(groups, from, to, &room.ahead, &mut room.arena);
            for (first, written) in firsts().zip(to.chunks_exact(writes.max(1))) {
                let bits = code.failed(written);
                if bits != 0 {
                    let lanes = (0..N.min(rows - first)).filter(|lane| bits >> lane & 1 != 0);
                    failed.extend(lanes.map(|lane| first + lane));
                }
                scatter::<N>(&written[..self.outputs * N], first, outputs);
            }
        }
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
        if rows - first > LONG / 4 {
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
