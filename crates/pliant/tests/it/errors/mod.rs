//! What is refused, in which words: the value seen, and where.

mod building;
mod evaluating;
mod help;
mod names;

use pliant::arm::{Joint, Link};

pub(crate) const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A faultless link to spoil.
pub(crate) fn boom() -> Link {
    let tensor = [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    Link::new("boom").joint(Joint::revolute(Z)).body(1.0, [0.1, 0.0, 0.0], tensor)
}
