//! Numbers in memory that begin where a line of the cache begins.

/// Numbers of which the first is at the start of a line of the cache.
#[derive(Debug, Default)]
pub(crate) struct Aligned {
    room: Vec<f64>,
    length: usize,
}

/// Numbers in a line of the cache.
const LINE: usize = 8;

impl Clone for Aligned {
    /// The start of the room is elsewhere in its line.
    fn clone(&self) -> Self {
        Self::of(self.numbers())
    }
}

impl Aligned {
    /// So many zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        Self { room: vec![0.0; length + LINE - 1], length }
    }

    /// A copy of these numbers.
    pub(crate) fn of(numbers: &[f64]) -> Self {
        let mut copy = Self::zeros(numbers.len());
        copy.numbers_mut().copy_from_slice(numbers);
        copy
    }

    /// Grows to so many numbers at least; they are not kept.
    pub(crate) fn reserve(&mut self, length: usize) {
        if self.length < length {
            *self = Self::zeros(length);
        }
    }

    fn start(&self) -> usize {
        let bytes = self.room.as_ptr().addr();
        let start = (bytes.next_multiple_of(LINE * 8) - bytes) / 8;
        start.min(self.room.len() - self.length)
    }

    /// The numbers.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.room[self.start()..][..self.length]
    }

    /// The numbers.
    pub(crate) fn numbers_mut(&mut self) -> &mut [f64] {
        let start = self.start();
        &mut self.room[start..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_begins_a_line_of_the_cache() {
        for length in [0, 1, 8, 1001] {
            let numbers: Vec<f64> = (0..length).map(f64::from).collect();
            let aligned = Aligned::of(&numbers);
            for copy in [aligned.clone(), aligned.clone(), aligned] {
                assert_eq!(copy.numbers(), numbers);
                assert_eq!(copy.numbers().as_ptr().addr() % 64, 0);
            }
        }
        assert!(Aligned::default().numbers().is_empty());
    }
}
