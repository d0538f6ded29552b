//! What a source has to say, in no language yet.

use super::algorithm::Algorithm;
use pliant_jit::Tape;

/// Which way a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
    InOut,
}

/// A parameter of a function: an array, or a number.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// How many numbers; none of a single one.
    pub(super) length: Option<usize>,
    pub(super) direction: Direction,
    /// What it is, with its unit.
    pub(super) about: String,
}

/// A function to write.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    /// Its own name, without that of the arm.
    pub(super) name: String,
    /// What it does.
    pub(super) about: Vec<String>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Body,
    /// Whether others may call it.
    pub(super) is_public: bool,
}

/// What a function does.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A straight-line program: its inputs are those of the parameters, one after the other, and so
    /// are its outputs.
    Tape(Tape),
    /// Loops around calls of other functions.
    Algorithm(Algorithm),
}

impl Routine {
    /// The places that the parameters of a direction have, one after the other: `q[0]`, `q[1]`.
    pub(super) fn places(&self, direction: Direction) -> Vec<String> {
        let own = self.parameters.iter().filter(|own| own.direction == direction);
        own.flat_map(|own| {
            let name = &own.name;
            (0..own.length.unwrap_or(1)).map(move |k| format!("{name}[{k}]"))
        })
        .collect()
    }

    /// The names of the parameters, as a call has them.
    pub(super) fn names(&self) -> Vec<&str> {
        self.parameters.iter().map(|own| own.name.as_str()).collect()
    }
}
