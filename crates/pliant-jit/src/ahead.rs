//! Rows on their way from memory before they are needed.
//!
//! Machine code that computes one group of lanes after the other asks for the lines of memory of
//! later rows on its way, spread evenly: it has their addresses from a list.

use crate::tape::Tape;

/// Groups that are computed in one call, at the most.
pub(crate) const GROUPS: usize = 16;

/// Numbers in a line of the cache.
const LINE: usize = 8;

/// How many lines each group asks for: as many as the rows of a group have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// Lines that are read.
    pub(crate) reads: usize,
    /// Lines that are written, which no other processor then has.
    pub(crate) writes: usize,
}

impl Ahead {
    /// Those of groups of so many lanes.
    pub(crate) fn of(tape: &Tape, lanes: usize) -> Self {
        let lines = |numbers: usize| (numbers * lanes).div_ceil(LINE);
        Self { reads: lines(tape.inputs()), writes: lines(tape.outputs().len()) }
    }

    /// The lines of a group: first those that are written.
    pub(crate) fn lines(self) -> usize {
        self.writes + self.reads
    }

    /// Where the list of lines that are read begins: behind that of lines that are written.
    pub(crate) fn first_read(self) -> usize {
        GROUPS * self.writes
    }

    /// The length of both lists.
    pub(crate) fn addresses(self) -> usize {
        GROUPS * self.lines()
    }

    /// Writes the addresses of lines of numbers into both lists. What is left over is not asked for,
    /// and what is missing is replaced by what is there anyway.
    pub(crate) fn list<'a>(
        self,
        reads: impl Iterator<Item = &'a [f64]>,
        writes: impl Iterator<Item = &'a [f64]>,
        addresses: &mut [usize],
    ) {
        let near = addresses.as_ptr().addr();
        let (to_write, to_read) = addresses.split_at_mut(self.first_read());
        list(writes, near, to_write);
        list(reads, near, to_read);
    }
}

fn list<'a>(arrays: impl Iterator<Item = &'a [f64]>, near: usize, mut places: &mut [usize]) {
    for numbers in arrays.filter(|numbers| !numbers.is_empty()) {
        let start = numbers.as_ptr().addr();
        let first = start - start % (8 * LINE);
        let count = (start + 8 * numbers.len() - first).div_ceil(8 * LINE);
        let (own, rest) = places.split_at_mut(count.min(places.len()));
        for (k, place) in own.iter_mut().enumerate() {
            *place = first + 8 * LINE * k;
        }
        places = rest;
    }
    places.fill(near);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_arrays_is_on_the_list() {
        let ahead = Ahead { reads: 5, writes: 2 };
        let numbers = vec![0.0; 200];
        let mut addresses = vec![1; ahead.addresses()];
        ahead.list([&numbers[3..4], &numbers[9..57]].into_iter(), [].into_iter(), &mut addresses);
        let line = |number: usize| (&raw const numbers[number]).addr() / 64 * 64;
        let reads = &addresses[ahead.first_read()..];
        assert_eq!(reads[0], line(3));
        let count = (line(56) - line(9)) / 64 + 1;
        let wanted: Vec<usize> = (0..count).map(|k| line(9) + 64 * k).collect();
        assert_eq!(reads[1..=count], wanted);
        // the others are near
        let near = addresses.as_ptr().addr();
        let others = addresses[..ahead.first_read()].iter().chain(&reads[count + 1..]);
        assert!(others.clone().count() > 100 - count && others.clone().all(|own| *own == near));
    }

    #[test]
    fn what_is_too_much_is_left_over() {
        let ahead = Ahead { reads: 1, writes: 1 };
        let numbers = vec![0.0; 100 * LINE];
        let mut addresses = vec![0; ahead.addresses()];
        ahead.list([&numbers[..]].into_iter(), [&numbers[8..]].into_iter(), &mut addresses);
        let first = numbers.as_ptr().addr() / 64 * 64;
        assert_eq!(addresses[ahead.first_read()..][GROUPS - 1], first + 64 * (GROUPS - 1));
        assert_eq!(addresses[0], first + 64);
    }
}
