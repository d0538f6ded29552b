//! What something in motion remembers, as numbers.

use crate::Help;
use crate::linear::{reshape, reshape_vector};
use nalgebra::{DMatrix, DVector};

/// Something that remembers numbers from one step or tick to the next: a method, a controller, an
/// estimator, a delay.
///
/// One function visits all that is remembered, in one order, to give it and to take it; what is
/// given and what is taken can therefore not differ. What follows from the description alone
/// (settings, matrices of a model, buffers) is not part of the state.
///
/// ```
/// use pliant::integrate::{StateVisitor, Stateful};
///
/// #[derive(Default)]
/// struct Integral {
///     sum: f64,
///     last: Option<f64>,
/// }
///
/// impl Stateful for Integral {
///     fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
///         state.number(&mut self.sum);
///         state.option(&mut self.last, || 0.0, StateVisitor::number);
///     }
/// }
///
/// let mut running = Integral { sum: 3.0, last: Some(0.5) };
/// let mut fresh = Integral::default();
/// fresh.set_state(&running.state())?;
/// assert_eq!((fresh.sum, fresh.last), (3.0, Some(0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Stateful {
    /// Visits each number that is remembered.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>);

    /// The state. Nothing changes, although visiting asks for `&mut`.
    fn state(&mut self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.visit_state(&mut StateVisitor::giving(&mut numbers));
        numbers
    }

    /// Goes on from a state of the same kind of thing. After an error the state is not to be used.
    fn set_state(&mut self, numbers: &[f64]) -> Result<(), StateError> {
        let mut visitor = StateVisitor::taking(numbers);
        self.visit_state(&mut visitor);
        visitor.finish()
    }
}

/// Numbers that are no state of what was to take them.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Too few or too many.
    #[error("a state of {given} numbers was given where {needed} belong")]
    Length {
        /// How many were given.
        given: usize,
        /// How many belong to it.
        needed: usize,
    },
    /// A number that stands for a yes, a no or a count is none.
    #[error(
        "number {index} of the state is {value}, where a whole number from 0 to {most} belongs"
    )]
    NoCount {
        /// Its place, from 0.
        index: usize,
        /// As given.
        value: f64,
        /// The largest that is possible.
        most: u32,
    },
    /// Something in it remembers what it cannot tell.
    #[error("something in the run remembers what it cannot tell")]
    Untold,
    /// A time or a coordinate is no number.
    #[error("number {index} of the state is {value}, where a finite number belongs")]
    NotFinite {
        /// Its place, from 0.
        index: usize,
        /// As given.
        value: f64,
    },
}

impl Help for StateError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Untold => "begin the run anew".to_owned(),
            _ => "give a state of the same thing with the same settings".to_owned(),
        })
    }
}

/// Goes through a state to give or to take it; see [`Stateful`].
#[derive(Debug)]
pub struct StateVisitor<'a> {
    way: Way<'a>,
    /// How many numbers have been visited.
    visited: usize,
    is_opaque: bool,
    is_untold: bool,
    fault: Option<StateError>,
}

#[derive(Debug)]
enum Way<'a> {
    Give(&'a mut Vec<f64>),
    Take(&'a [f64]),
}

impl<'a> StateVisitor<'a> {
    fn of(way: Way<'a>) -> Self {
        Self { way, visited: 0, is_opaque: false, is_untold: false, fault: None }
    }

    /// Adds what it visits to a list.
    pub fn giving(numbers: &'a mut Vec<f64>) -> Self {
        Self::of(Way::Give(numbers))
    }

    /// Puts these numbers where it visits.
    pub fn taking(numbers: &'a [f64]) -> Self {
        Self::of(Way::Take(numbers))
    }

    /// Whether what it visits is replaced.
    pub fn is_taking(&self) -> bool {
        matches!(self.way, Way::Take(_))
    }

    /// A number.
    pub fn number(&mut self, number: &mut f64) {
        match &mut self.way {
            Way::Give(numbers) => numbers.push(*number),
            Way::Take(numbers) => *number = numbers.get(self.visited).copied().unwrap_or(*number),
        }
        self.visited += 1;
    }

    /// As many numbers as there are.
    pub fn numbers(&mut self, numbers: &mut [f64]) {
        for number in numbers {
            self.number(number);
        }
    }

    /// As many numbers as there are, all of them finite.
    pub fn finite(&mut self, numbers: &mut [f64]) {
        for number in numbers {
            let index = self.visited;
            self.number(number);
            if self.is_taking() && !number.is_finite() {
                self.fault.get_or_insert(StateError::NotFinite { index, value: *number });
            }
        }
    }

    /// Rows of so many numbers; how many rows there are is part of the state.
    pub fn rows(&mut self, list: &mut Vec<f64>, width: usize) {
        let mut count = list.len().checked_div(width).unwrap_or(0) as u64;
        self.count(&mut count);
        if self.is_taking() {
            let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(width));
            let length = self.at_most_left(length.unwrap_or(usize::MAX));
            list.clear();
            list.resize(length, 0.0);
        }
        self.numbers(list);
    }

    /// A matrix whose shape follows from the description; it has that shape once it is taken.
    pub fn matrix(&mut self, matrix: &mut DMatrix<f64>, rows: usize, columns: usize) {
        if self.is_taking() {
            reshape(matrix, rows, columns);
        }
        self.numbers(matrix.as_mut_slice());
    }

    /// A vector whose length follows from the description; it has that length once it is taken.
    pub fn vector(&mut self, vector: &mut DVector<f64>, length: usize) {
        if self.is_taking() {
            reshape_vector(vector, length);
        }
        self.numbers(vector.as_mut_slice());
    }

    /// Yes or no, as 1 or 0.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut half = u32::from(*flag);
        self.whole(&mut half, 1);
        *flag = half == 1;
    }

    /// A count of any size, as two numbers below 2³² that are exact.
    pub fn count(&mut self, count: &mut u64) {
        #[allow(clippy::cast_possible_truncation, reason = "the lower half")]
        let (mut high, mut low) = ((*count >> 32) as u32, *count as u32);
        self.whole(&mut high, u32::MAX);
        self.whole(&mut low, u32::MAX);
        *count = u64::from(high) << 32 | u64::from(low);
    }

    /// A count of any size, as machines hold it.
    pub fn size(&mut self, size: &mut usize) {
        let mut count = *size as u64;
        self.count(&mut count);
        *size = usize::try_from(count).unwrap_or(usize::MAX);
    }

    /// The place of something among `count` others.
    pub fn index(&mut self, index: &mut usize, count: usize) {
        let most = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        let mut place = u32::try_from(*index).unwrap_or(u32::MAX);
        self.whole(&mut place, most);
        *index = place as usize;
    }

    /// Whether something is there, and what it is; `fresh` makes one to take numbers.
    pub fn option<T>(
        &mut self,
        value: &mut Option<T>,
        fresh: impl FnOnce() -> T,
        visit: impl FnOnce(&mut Self, &mut T),
    ) {
        let mut is_there = value.is_some();
        self.flag(&mut is_there);
        if is_there {
            visit(self, value.get_or_insert_with(fresh));
        } else {
            *value = None;
        }
    }

    /// Things of one kind, each of at least one number; how many there are is part of the state.
    pub fn list<T>(
        &mut self,
        list: &mut Vec<T>,
        fresh: impl Fn() -> T,
        visit: impl Fn(&mut Self, &mut T),
    ) {
        let mut count = list.len();
        self.size(&mut count);
        if self.is_taking() {
            let count = self.at_most_left(count);
            list.clear();
            list.resize_with(count, fresh);
        }
        for one in list {
            visit(self, one);
        }
    }

    /// Bytes, which mean nothing as numbers: what has no other form. How many there are is part of
    /// the state. None where something cannot be told: nothing goes on from such a state.
    pub fn bytes(&mut self, told: &mut Option<Vec<u8>>) {
        let mut is_told = told.is_some();
        self.flag(&mut is_told);
        self.is_opaque = true;
        if !is_told {
            self.is_untold = true;
            if self.is_taking() {
                self.fault.get_or_insert(StateError::Untold);
            }
            return;
        }
        let bytes = told.get_or_insert_default();
        let mut length = bytes.len();
        self.size(&mut length);
        if self.is_taking() {
            let words = self.at_most_left(length.div_ceil(4));
            bytes.clear();
            bytes.resize(length.min(4 * words), 0);
        }
        for chunk in bytes.chunks_mut(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            let mut number = u32::from_le_bytes(word);
            self.whole(&mut number, u32::MAX);
            chunk.copy_from_slice(&number.to_le_bytes()[..chunk.len()]);
        }
    }

    /// Whether some of what was visited is bytes, or cannot be told: small changes of it mean
    /// nothing.
    pub fn is_opaque(&self) -> bool {
        self.is_opaque
    }

    /// Whether some of what was visited [cannot be told](Self::bytes).
    pub fn is_untold(&self) -> bool {
        self.is_untold
    }

    /// What is wrong with the numbers that were taken.
    pub fn finish(self) -> Result<(), StateError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        match self.way {
            Way::Take(numbers) if numbers.len() != self.visited => {
                Err(StateError::Length { given: numbers.len(), needed: self.visited })
            }
            _ => Ok(()),
        }
    }

    /// Whether there is more to take.
    pub fn has_more(&self) -> bool {
        self.left() > 0
    }

    /// How many numbers are still to be taken.
    fn left(&self) -> usize {
        match &self.way {
            Way::Give(_) => 0,
            Way::Take(numbers) => numbers.len().saturating_sub(self.visited),
        }
    }

    /// A count of numbers to be taken, of which there are that many: a false one must not ask for
    /// room that nothing fills.
    fn at_most_left(&mut self, count: usize) -> usize {
        let left = self.left();
        if count > left {
            let (given, needed) = (self.visited + left, self.visited.saturating_add(count));
            self.fault.get_or_insert(StateError::Length { given, needed });
        }
        count.min(left)
    }

    /// A whole number.
    fn whole(&mut self, whole: &mut u32, most: u32) {
        let (index, mut value) = (self.visited, f64::from(*whole));
        self.number(&mut value);
        if value >= 0.0 && value <= f64::from(most) && value.fract() == 0.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
            let taken = value as u32;
            *whole = taken;
        } else if self.fault.is_none() {
            self.fault = Some(StateError::NoCount { index, value, most });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StateError, StateVisitor, Stateful};

    #[derive(Default, Debug, PartialEq)]
    struct All {
        count: u64,
        flag: bool,
        list: Vec<f64>,
        option: Option<[f64; 2]>,
        pairs: Vec<(usize, f64)>,
    }

    impl Stateful for All {
        fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
            state.count(&mut self.count);
            state.flag(&mut self.flag);
            state.rows(&mut self.list, 1);
            state.option(&mut self.option, Default::default, |state, pair| state.numbers(pair));
            state.list(&mut self.pairs, Default::default, |state, (size, number)| {
                state.size(size);
                state.number(number);
            });
        }
    }

    struct Place(f64);

    impl Stateful for Place {
        fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
            state.finite(std::slice::from_mut(&mut self.0));
        }
    }

    fn full() -> All {
        All {
            count: u64::MAX - 5,
            flag: true,
            list: vec![1.5, f64::NAN],
            option: Some([2.0, 3.0]),
            pairs: vec![(4, 0.5), (1 << 40, -0.0)],
        }
    }

    #[test]
    fn what_is_given_can_be_taken() {
        let (state, mut fresh) = (full().state(), All::default());
        fresh.set_state(&state).expect("its own state");
        assert_eq!(format!("{fresh:?}"), format!("{:?}", full()));
        fresh.set_state(&All::default().state()).expect("an empty state");
        assert_eq!(fresh, All::default());
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let state = full().state();
        let taken = |numbers: &[f64]| All::default().set_state(numbers);
        let short = taken(&state[..state.len() - 1]);
        assert!(matches!(short, Err(StateError::Length { .. })), "{short:?}");
        let long = taken(&[&state[..], &[0.0]].concat());
        assert_eq!(long, Err(StateError::Length { given: 19, needed: 18 }));
        let mut false_flag = state.clone();
        false_flag[2] = 0.5;
        let refused = taken(&false_flag);
        assert_eq!(refused, Err(StateError::NoCount { index: 2, value: 0.5, most: 1 }));
        let refused = Place(0.0).set_state(&[f64::INFINITY]);
        assert_eq!(refused, Err(StateError::NotFinite { index: 0, value: f64::INFINITY }));
        for count in [3, 10] {
            let mut false_length = state.clone();
            false_length[count] = 4e9;
            assert!(matches!(taken(&false_length), Err(StateError::Length { .. })));
        }
    }
}
