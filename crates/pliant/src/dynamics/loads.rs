//! External wrenches, as generalised forces.
//!
//! `Q = Σ Jᵀ F`, the same for every algorithm: add `Q` to the motors' forces in forward
//! dynamics, subtract it from what inverse dynamics returns.

use super::kinematics::{Axes, Placed};
use crate::scalar::Scalar;
use crate::spatial::Force;

/// A wrench that the world exerts on the arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<S = f64> {
    /// On which frame, by index.
    pub frame: usize,
    /// Force and moment about the frame's origin (N, N m).
    pub wrench: Force<S>,
    /// In which axes the wrench is given.
    pub axes: Axes,
}

impl<S: Scalar> Load<S> {
    /// So many times this wrench.
    #[must_use]
    pub fn times(self, size: S) -> Self {
        let wrench = Force::new(self.wrench.force * size, self.wrench.moment * size);
        Self { wrench, ..self }
    }
}

/// Adds the generalised forces of the loads to `force` (N m, N).
///
/// # Panics
/// When `force` does not have `nv` entries.
pub fn add_loads<S: Scalar>(placed: &Placed<'_, S>, loads: &[Load<S>], force: &mut [S]) {
    placed.arm().check_rates([force]);
    for load in loads {
        let wrench = match load.axes {
            Axes::World => load.wrench,
            Axes::Own => {
                let r = placed.pose(load.frame).rotation;
                Force::new(r * load.wrench.force, r * load.wrench.moment)
            }
        };
        placed.each_column(load.frame, |v, column| force[v] += column.dot(&wrench));
    }
}
