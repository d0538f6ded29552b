//! All that the sources of an arm contain, in no language yet.

use super::algorithm::{Line, System};
use super::body::Function;
use super::routine::{Body, Direction, Parameter, Routine};
use super::{CodeSettings, SourceFunction};
use pliant_jit::Tape;
use std::collections::{BTreeMap, BTreeSet};

/// The functions of an arm, and what is said about it.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// What all names begin with: the arm's name as an identifier.
    pub(super) prefix: String,
    /// The arm's own name.
    pub(super) title: String,
    /// What the head says, line by line; texts of others are still as they are.
    pub(super) about: Vec<String>,
    pub(super) routines: Vec<Routine>,
    pub(super) settings: CodeSettings,
    /// Sine and cosine of one input.
    pub(super) sine: Tape,
    /// The Stumpff functions of one input, by how many they are.
    pub(super) stumpff: BTreeMap<u8, Tape>,
    /// The configuration of the example.
    pub(super) neutral: Vec<f64>,
    /// What the example of an estimator begins with, by the names of its arrays.
    pub(super) rest: BTreeMap<&'static str, Vec<f64>>,
    /// The nominal values of the parameters.
    pub(super) parameters: Vec<f64>,
}

impl Program {
    /// The straight-line programs.
    pub(super) fn tapes(&self) -> impl Iterator<Item = &Tape> {
        self.routines.iter().filter_map(|routine| match &routine.body {
            Body::Tape(tape) => Some(tape),
            Body::Algorithm(_) => None,
        })
    }

    /// The functions of the prelude that they call.
    pub(super) fn functions(&self) -> BTreeSet<Function> {
        self.tapes().flat_map(Function::all).collect()
    }

    /// The linear systems that they solve.
    pub(super) fn systems(&self) -> BTreeSet<System> {
        let solves = |routine: &'_ Routine| match &routine.body {
            Body::Algorithm(algorithm) => algorithm.solves.clone(),
            Body::Tape(_) => Vec::new(),
        };
        self.routines.iter().flat_map(solves).collect()
    }

    /// The size of the matrix whose determinant is found by elimination, if there is one.
    pub(super) fn determinant(&self) -> Option<usize> {
        self.routines.iter().find_map(|routine| match &routine.body {
            Body::Algorithm(algorithm) => algorithm.determinant,
            Body::Tape(_) => None,
        })
    }

    /// The guard of the determinant of composite control, if there is one.
    pub(super) fn guard(&self) -> Option<f64> {
        self.routines.iter().find_map(|routine| match &routine.body {
            Body::Algorithm(algorithm) => algorithm.guard,
            Body::Tape(_) => None,
        })
    }

    /// What others may know of a function.
    pub(super) fn described(&self, routine: &Routine) -> SourceFunction {
        let parameter = |own: &Parameter| {
            let ways = [own.direction != Direction::Out, own.direction != Direction::In];
            (own.name.clone(), own.length, ways)
        };
        SourceFunction {
            name: routine.name.clone(),
            parameters: routine.parameters.iter().map(parameter).collect(),
            operations: self.operations(routine),
            has_loops: matches!(routine.body, Body::Algorithm(_)),
        }
    }

    /// The operations of a straight-line function, or of all that an algorithm calls.
    fn operations(&self, routine: &Routine) -> usize {
        let lines = match &routine.body {
            Body::Tape(tape) => return tape.operations(),
            Body::Algorithm(algorithm) => &algorithm.lines,
        };
        let called = lines.iter().filter_map(|line| match line {
            Line::Call { name, .. } => self.routines.iter().find(|own| own.name == *name),
            _ => None,
        });
        called.map(|own| self.operations(own)).sum()
    }

    /// What the example calls to show a function: a tick of an estimator comes after its start.
    pub(super) fn calls<'a>(&'a self, routine: &'a Routine) -> Vec<&'a Routine> {
        let first = format!("{}_start", routine.name);
        let start = self.public().find(|own| own.name == first);
        start.into_iter().chain([routine]).collect()
    }

    pub(super) fn public(&self) -> impl Iterator<Item = &Routine> {
        self.routines.iter().filter(|routine| routine.is_public)
    }
}
