//! Long programs in parts, each short enough for a compiler.
//!
//! The time that compilers take grows faster than the length of a function. A value that later parts
//! need is kept in an array between them, in a slot that is free again after its last use.

use pliant_jit::{Op, Tape, Value};
use std::ops::Range;

/// A program of at most this many operations is one function.
pub(super) const LONGEST: usize = 4000;

/// A longer one has parts of at most this many.
const PART: usize = 1000;

/// A part of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// Its operations.
    pub(super) ops: Range<usize>,
    /// The values of earlier parts that it needs, and where they are kept.
    pub(super) loads: Vec<(Value, usize)>,
    /// Its values that later parts need, and where they are kept.
    pub(super) stores: Vec<(Value, usize)>,
}

/// A program in parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// How many values are kept at most.
    pub(super) slots: usize,
}

/// Which operations some output needs.
pub(super) fn needed(tape: &Tape) -> Vec<bool> {
    let mut needed = vec![false; tape.ops().len()];
    tape.outputs().iter().for_each(|value| needed[value.0 as usize] = true);
    for (at, op) in tape.ops().iter().enumerate().rev() {
        if needed[at] {
            op.operands().for_each(|value| needed[value.0 as usize] = true);
        }
    }
    needed
}

/// Whether a value has a place of its own in every part: an input, or a number.
pub(super) fn is_everywhere(op: Op) -> bool {
    matches!(op, Op::Input(_) | Op::Constant(_))
}

impl Parts {
    /// The parts of a program, one if it is short.
    pub(super) fn of(tape: &Tape) -> Self {
        Self::with(tape, LONGEST, PART)
    }

    pub(super) fn with(tape: &Tape, longest: usize, most: usize) -> Self {
        let (ops, needed) = (tape.ops(), needed(tape));
        let computes = |at: &usize| needed[*at] && !is_everywhere(ops[*at]);
        let count = (0..ops.len()).filter(computes).count();
        let number = if count <= longest { 1 } else { count.div_ceil(most) };
        let length = count.div_ceil(number).max(1);
        let mut ends: Vec<usize> =
            (0..ops.len()).filter(computes).skip(length).step_by(length).collect();
        ends.push(ops.len());
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges: Vec<_> = starts.zip(&ends).map(|(start, end)| start..*end).collect();
        let part_of = |at: usize| ends.partition_point(|end| *end <= at);

        // the last part that uses each value of an earlier one
        let mut last = vec![0; ops.len()];
        for at in (0..ops.len()).filter(computes) {
            for value in ops[at].operands() {
                last[value.0 as usize] = last[value.0 as usize].max(part_of(at));
            }
        }
        let (mut slot_of, mut loaded) = (vec![None; ops.len()], vec![0; ops.len()]);
        let (mut free, mut slots) = (Vec::new(), 0);
        let mut parts = Vec::new();
        for (number, range) in ranges.into_iter().enumerate() {
            let mut part = Part { ops: range.clone(), ..Part::default() };
            for at in range.clone().filter(computes) {
                for value in ops[at].operands() {
                    let place = value.0 as usize;
                    // the first part has none
                    if let Some(slot) = slot_of[place]
                        && loaded[place] != number
                    {
                        loaded[place] = number;
                        part.loads.push((value, slot));
                    }
                }
            }
            part.loads.sort_unstable();
            // all loads come before all stores
            let done = part.loads.iter().filter(|(value, _)| last[value.0 as usize] == number);
            free.extend(done.map(|(_, slot)| *slot));
            for at in range.filter(computes).filter(|at| last[*at] > number) {
                let slot = free.pop().unwrap_or_else(|| {
                    slots += 1;
                    slots - 1
                });
                slot_of[at] = Some(slot);
                part.stores.push((Value(at as u32), slot));
            }
            parts.push(part);
        }
        Self { parts, slots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of neighbours, whose last needs the first ones again.
    fn tape(count: u32) -> Tape {
        let mut ops = vec![Op::Input(0), Op::Input(1)];
        ops.extend((2..count).map(|at| Op::Add(Value(at - 1), Value(at / 2))));
        Tape::new(2, ops, vec![Value(count - 1)], Vec::new()).expect("a tape")
    }

    #[test]
    fn short_programs_are_whole() {
        let parts = Parts::with(&tape(20), 20, 5);
        assert_eq!((parts.parts.len(), parts.slots), (1, 0));
    }

    /// Runs the parts with an array between them: every value is there when it is needed.
    #[test]
    fn values_are_kept_until_their_last_use() {
        let tape = tape(200);
        let parts = Parts::with(&tape, 20, 7);
        assert!(parts.parts.len() > 28 && parts.slots < 120, "{} slots", parts.slots);
        let mut kept = vec![None; parts.slots];
        for part in &parts.parts {
            let loaded: Vec<(Value, Value)> = part
                .loads
                .iter()
                .map(|(value, slot)| (*value, kept[*slot].expect("kept")))
                .collect();
            for (wanted, found) in &loaded {
                assert_eq!(wanted, found);
            }
            for at in part.ops.clone() {
                for value in tape.ops()[at].operands() {
                    let here = part.ops.contains(&(value.0 as usize)) || value.0 < 2;
                    assert!(here || loaded.iter().any(|(own, _)| *own == value), "{at}: {value:?}");
                }
            }
            part.stores.iter().for_each(|(value, slot)| kept[*slot] = Some(*value));
        }
        let ends: Vec<usize> = parts.parts.iter().map(|part| part.ops.end).collect();
        assert!(ends.is_sorted() && ends.last() == Some(&200));
    }
}
