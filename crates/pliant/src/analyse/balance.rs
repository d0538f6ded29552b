//! The balance of forces at rest, and its exact derivative.

use super::conditions::Conditions;
use crate::arm::Arm;
use crate::dynamics::derivatives::DIRECTIONS;
use crate::dynamics::loads::{Load, add_loads};
use crate::dynamics::{kinematics, passive, rnea, terms};
use crate::scalar::{Dual, Scalar};
use crate::spatial::Force;
use nalgebra::{DMatrix, DVector};

type D = Dual<f64, DIRECTIONS>;

/// The forces on the coordinates that move, by dual numbers: `bias(q, u) − Σ Jᵀ F`, the elastic
/// part apart from the rest (gravity, loads, centrifugal forces), each with its slope. The slope
/// of a dead load is part of it: the Jacobian is differentiated too.
pub(super) struct Balance {
    arm: Arm<D>,
    loads: Vec<Load<D>>,
    moving: Vec<usize>,
    rnea: rnea::Workspace<D>,
    kinematics: kinematics::Workspace<D>,
    passive: passive::Workspace<D>,
    u: Vec<D>,
    rest: Vec<D>,
}

/// The forces that must vanish at rest, and their slopes in the directions of the velocities.
pub(super) struct Slopes {
    /// Of springs, beams and stored energies (N, N m).
    pub(super) elastic: DVector<f64>,
    /// Of everything else (N, N m).
    pub(super) other: DVector<f64>,
    pub(super) elastic_slope: DMatrix<f64>,
    pub(super) other_slope: DMatrix<f64>,
}

impl Balance {
    /// Room for the coordinates `moving` of an arm.
    pub(super) fn new(arm: &Arm, conditions: &Conditions, moving: Vec<usize>) -> Self {
        let dual = arm.cast();
        let wrench =
            |w: &Force<f64>| Force::new(w.force.cast(D::from_f64), w.moment.cast(D::from_f64));
        let loads = conditions.loads.iter().map(|load| Load {
            frame: load.frame,
            wrench: wrench(&load.wrench),
            axes: load.axes,
        });
        Self {
            loads: loads.collect(),
            rnea: rnea::Workspace::new(&dual),
            kinematics: kinematics::Workspace::new(&dual),
            passive: passive::Workspace::new(&dual),
            u: conditions.velocities(arm).into_iter().map(D::constant).collect(),
            rest: vec![D::ZERO; arm.nv()],
            arm: dual,
            moving,
        }
    }

    /// The coordinates that move.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Forces and slopes at a configuration.
    pub(super) fn at(&mut self, q: &[f64]) -> Slopes {
        let (n, nv) = (self.moving.len(), self.arm.nv());
        let mut slopes = Slopes {
            elastic: DVector::zeros(n),
            other: DVector::zeros(n),
            elastic_slope: DMatrix::zeros(n, n),
            other_slope: DMatrix::zeros(n, n),
        };
        let still: Vec<D> = q.iter().copied().map(D::constant).collect();
        let [mut all, mut elastic, mut loads] = [(); 3].map(|()| vec![D::ZERO; nv]);
        for first in (0..n).step_by(DIRECTIONS) {
            let mut moved = still.clone();
            let mut step = vec![D::ZERO; nv];
            let chosen = &self.moving[first..n.min(first + DIRECTIONS)];
            for (lane, &v) in chosen.iter().enumerate() {
                step[v].du[lane] = 1.0;
            }
            self.arm.displace(&mut moved, &step);
            rnea::rnea_into(&self.arm, &mut self.rnea, &moved, &self.u, &self.rest, &mut all);
            terms::elastic_into(&self.arm, &mut self.passive, &moved, &mut elastic);
            loads.fill(D::ZERO);
            if !self.loads.is_empty() {
                add_loads(&self.kinematics.place(&self.arm, &moved), &self.loads, &mut loads);
            }
            for (row, &v) in self.moving.iter().enumerate() {
                let other = all[v] - elastic[v] - loads[v];
                slopes.elastic[row] = elastic[v].re;
                slopes.other[row] = other.re;
                for lane in 0..chosen.len() {
                    slopes.elastic_slope[(row, first + lane)] = elastic[v].du[lane];
                    slopes.other_slope[(row, first + lane)] = other.du[lane];
                }
            }
        }
        slopes
    }
}

impl Slopes {
    /// Whether every number is one.
    pub(super) fn is_finite(&self) -> bool {
        let forces = self.elastic.iter().chain(self.other.iter());
        let slopes = self.elastic_slope.iter().chain(self.other_slope.iter());
        forces.chain(slopes).all(|number| number.is_finite())
    }

    /// The whole tangent stiffness (N/m, N m/rad and mixed).
    pub(super) fn stiffness(&self) -> DMatrix<f64> {
        &self.elastic_slope + &self.other_slope
    }
}
