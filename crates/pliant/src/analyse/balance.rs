//! The balance of forces at rest, and its exact derivative.

use super::conditions::Conditions;
use crate::arm::Arm;
use crate::dynamics::derivatives::DIRECTIONS;
use crate::dynamics::loads::{Load, add_loads};
use crate::dynamics::{kinematics, passive, rnea, terms};
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Force, Vec3};
use nalgebra::{DMatrix, DVector};

type D = Dual<f64, DIRECTIONS>;

/// The forces on the coordinates that move, by dual numbers: `bias(q, u) − Σ Jᵀ F`, the elastic
/// part apart from the rest (gravity, loads, centrifugal forces), each with its slope. The slope
/// of a dead load is part of it: the Jacobian is differentiated too.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    arm: Arm<D>,
    loads: Vec<Load<D>>,
    moving: Vec<usize>,
    rnea: rnea::Workspace<D>,
    kinematics: kinematics::Workspace<D>,
    passive: passive::Workspace<D>,
    u: Vec<D>,
    rest: Vec<D>,
    /// The configuration along some directions, a step along them, and the forces there: all, those of
    /// springs and beams, those of loads.
    moved: Vec<D>,
    step: Vec<D>,
    forces: [Vec<D>; 3],
}

/// The forces that must vanish at rest, and their slopes in the directions of the velocities.
#[derive(Clone, Debug)]
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
        let (dual, nv) = (arm.cast::<D>(), arm.nv());
        let mut balance = Self {
            loads: Vec::new(),
            rnea: rnea::Workspace::new(&dual),
            kinematics: kinematics::Workspace::new(&dual),
            passive: passive::Workspace::new(&dual),
            u: conditions.velocities(arm).into_iter().map(D::constant).collect(),
            rest: vec![D::ZERO; nv],
            moved: vec![D::ZERO; arm.nq()],
            step: vec![D::ZERO; nv],
            forces: [(); 3].map(|()| vec![D::ZERO; nv]),
            arm: dual,
            moving,
        };
        balance.set_loads(&conditions.loads);
        balance
    }

    /// Takes other loads.
    pub(super) fn set_loads(&mut self, loads: &[Load]) {
        self.loads.clear();
        self.loads.extend(loads.iter().map(dual_load));
    }

    /// The coordinates that move.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// The tangent stiffness at a configuration (N/m, N m/rad and mixed).
    pub(super) fn stiffness(&mut self, q: &[f64]) -> DMatrix<f64> {
        let mut slopes = Slopes::new(self.moving.len());
        self.at(q, &mut slopes);
        slopes.elastic_slope + slopes.other_slope
    }

    /// Forces and slopes at a configuration.
    pub(super) fn at(&mut self, q: &[f64], slopes: &mut Slopes) {
        let n = self.moving.len();
        let Self { moved, step, forces: [all, elastic, loads], .. } = self;
        for first in (0..n).step_by(DIRECTIONS) {
            for (moved, q) in moved.iter_mut().zip(q) {
                *moved = D::constant(*q);
            }
            step.fill(D::ZERO);
            let chosen = &self.moving[first..n.min(first + DIRECTIONS)];
            for (lane, &v) in chosen.iter().enumerate() {
                step[v].du[lane] = 1.0;
            }
            self.arm.displace(moved, step);
            rnea::rnea_into(&self.arm, &mut self.rnea, moved, &self.u, &self.rest, all);
            terms::elastic_into(&self.arm, &mut self.passive, moved, elastic);
            loads.fill(D::ZERO);
            if !self.loads.is_empty() {
                add_loads(&self.kinematics.place(&self.arm, moved), &self.loads, loads);
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
    }
}

/// A load on dual numbers.
pub(super) fn dual_load(load: &Load) -> Load<D> {
    let cast = |v: Vec3<f64>| v.cast(D::from_f64);
    let wrench = Force::new(cast(load.wrench.force), cast(load.wrench.moment));
    Load { frame: load.frame, wrench, axes: load.axes }
}

impl Slopes {
    /// Room for `n` coordinates.
    pub(super) fn new(n: usize) -> Self {
        Self {
            elastic: DVector::zeros(n),
            other: DVector::zeros(n),
            elastic_slope: DMatrix::zeros(n, n),
            other_slope: DMatrix::zeros(n, n),
        }
    }

    /// Whether every number is one.
    pub(super) fn is_finite(&self) -> bool {
        let forces = self.elastic.iter().chain(self.other.iter());
        let slopes = self.elastic_slope.iter().chain(self.other_slope.iter());
        forces.chain(slopes).all(|number| number.is_finite())
    }
}
