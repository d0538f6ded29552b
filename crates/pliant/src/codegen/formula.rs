//! Routines that are formulas over named arrays, and sums in the order of control laws.

use super::about;
use super::routine::{Body, Direction, Parameter, Routine};
use crate::compile::{Folded, traced};
use crate::scalar::Scalar;

/// Arrays by their names.
pub(super) struct Arrays<'a, S> {
    names: &'a [(&'a str, usize)],
    numbers: &'a [S],
}

impl<'a, S> Arrays<'a, S> {
    /// The numbers of an array; of one that is not there none.
    pub(super) fn get(&self, name: &str) -> &'a [S] {
        let mut first = 0;
        for (own, length) in self.names {
            if *own == name {
                return &self.numbers[first..first + length];
            }
            first += length;
        }
        &[]
    }
}

/// A parameter that is an array.
pub(super) fn array(name: &str, length: usize, direction: Direction) -> Parameter {
    let about = about::law(name, direction).to_owned();
    Parameter { name: name.to_owned(), length: Some(length), direction, about }
}

/// A routine for its file alone: what a formula makes of arrays. Those without numbers are left out.
pub(super) fn routine(
    name: &str,
    read: &[(&str, usize)],
    written: &[(&str, usize)],
    formula: impl FnOnce(&Arrays<'_, Folded>) -> Vec<Folded>,
) -> Routine {
    let total = read.iter().map(|(_, length)| length).sum();
    let tape = traced(total, |numbers| formula(&Arrays { names: read, numbers }));
    let of = |direction| move |(name, length): &(&str, usize)| array(name, *length, direction);
    let inputs = read.iter().filter(|own| own.1 > 0).map(of(Direction::In));
    let outputs = written.iter().filter(|own| own.1 > 0).map(of(Direction::Out));
    Routine {
        name: name.to_owned(),
        about: Vec::new(),
        parameters: inputs.chain(outputs).collect(),
        body: Body::Tape(tape),
        is_public: false,
    }
}

/// Constants.
pub(super) fn constants<S: Scalar>(numbers: &[f64]) -> Vec<S> {
    numbers.iter().map(|number| S::from_f64(*number)).collect()
}

/// `A x` with so many rows, column after column.
pub(super) fn product<S: Scalar>(rows: usize, a: impl Fn(usize, usize) -> S, x: &[S]) -> Vec<S> {
    let row = |i: usize| x.iter().enumerate().fold(S::ZERO, |sum, (j, x)| a(i, j) * *x + sum);
    (0..rows).map(row).collect()
}

/// `a + b`.
pub(super) fn sum<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(a, b)| *a + *b).collect()
}

/// `a − b`.
pub(super) fn difference<S: Scalar>(a: &[S], b: &[S]) -> Vec<S> {
    a.iter().zip(b).map(|(a, b)| *a - *b).collect()
}

/// `−a`.
pub(super) fn opposite<S: Scalar>(a: &[S]) -> Vec<S> {
    a.iter().map(|a| -*a).collect()
}
