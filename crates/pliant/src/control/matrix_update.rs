//! When the matrices of a model are updated: the update policies of Akmehmet 3.3.

use super::law::ControlContext;
use super::model::{CoriolisMatrix, Model, Span};
use crate::integrate::{StateVisitor, Stateful};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// When matrices are updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatrixUpdate {
    /// At every tick.
    Always,
    /// After a period (s): TUP.
    Every(f64),
    /// When `J` or `k` has changed by more than this part of its largest entry: 3.1.1.
    Changed(f64),
    /// When a joint has left its path, or the place of the last time, by more than this (rad, m).
    Strayed(f64),
    /// They are those of the trajectory and not of what is measured, one set for each period (s): what a
    /// table over the trajectory holds.
    AlongTrajectory(f64),
    /// They are those of the nearest of so many places for each joint between its limits (in a turn
    /// or a metre where it has none), after Raibert and Horn: `J`, the holding forces and the coefficients of the
    /// velocities. An entry depends on its place alone, so that it is computed when the arm first
    /// comes by and the numbers are those of a table filled in advance.
    OverWorkspace(usize),
}

/// `J` and `k` of Akmehmet (4.2), and when they are updated.
#[derive(Clone, Debug)]
pub struct Matrices {
    policy: MatrixUpdate,
    current: Option<Set>,
    /// When they were computed (s), and where the joints were.
    at: (f64, Vec<f64>),
    /// Of the workspace, by cell of each joint.
    table: BTreeMap<Vec<i64>, Set>,
    /// How often they have been computed or looked up.
    count: u64,
    /// The `C` of the `C + V` that is asked for, together with `g + h`, if they are.
    coriolis: Option<CoriolisMatrix>,
}

/// One set of matrices.
#[derive(Clone, Debug)]
struct Set {
    mass: DMatrix<f64>,
    bias: DVector<f64>,
    rates: Rates,
}

/// What the velocities give.
#[derive(Clone, Debug)]
enum Rates {
    /// It is in `k`.
    Within,
    /// `C + V`, and `g + h`; `k` has them too.
    Now(DMatrix<f64>, DVector<f64>),
    /// For tables over the workspace: `C(q, e_k)` of each joint `k`, and `V`; `k` is `g + h`.
    ByJoint(Vec<DMatrix<f64>>, DMatrix<f64>),
}

/// Ticks are this near to multiples of a period.
const SLACK: f64 = 1e-6;

/// Whether a period has passed since an instant.
pub(super) fn has_passed(period: f64, since: f64, now: f64) -> bool {
    now - since >= period * (1.0 - SLACK)
}

impl Stateful for Matrices {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.current, Set::empty, |state, set| set.visit_state(state));
        state.number(&mut self.at.0);
        state.list(&mut self.at.1);
        state.count(&mut self.count);
        let mut count = self.table.len() as u64;
        state.count(&mut count);
        if state.is_taking() {
            self.table.clear();
            while (self.table.len() as u64) < count && state.has_more() {
                let (mut cell, mut set) = (vec![0; self.at.1.len()], Set::empty());
                visit_cell(&mut cell, state);
                set.visit_state(state);
                self.table.insert(cell, set);
            }
        } else {
            for (cell, set) in &mut self.table {
                visit_cell(&mut cell.clone(), state);
                set.visit_state(state);
            }
        }
    }
}

/// The numbers of a cell, as their bits: they may be negative.
fn visit_cell(cell: &mut [i64], state: &mut StateVisitor<'_>) {
    for number in cell {
        let mut bits = number.cast_unsigned();
        state.count(&mut bits);
        *number = bits.cast_signed();
    }
}

impl Matrices {
    /// With a policy.
    pub fn new(policy: MatrixUpdate) -> Self {
        Self {
            policy,
            current: None,
            at: (0.0, Vec::new()),
            table: BTreeMap::new(),
            count: 0,
            coriolis: None,
        }
    }

    /// Asks for `C + V` and `g + h` too, with this `C`.
    pub(crate) fn want_rates(&mut self, coriolis: CoriolisMatrix) {
        self.coriolis = Some(coriolis);
    }

    /// The number of updates since the start of the run.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mass matrix `J` in use.
    pub fn mass(&self) -> Option<&DMatrix<f64>> {
        self.current.as_ref().map(|set| &set.mass)
    }

    pub(crate) fn forget(&mut self) {
        (self.current, self.count) = (None, 0);
        self.table.clear();
    }

    /// Takes them anew if the policy says so; whether it did.
    pub(crate) fn refresh(&mut self, now: &ControlContext<'_>, model: &mut Model) -> bool {
        let due = match (self.policy, &self.current) {
            (_, None)
            | (
                MatrixUpdate::Always | MatrixUpdate::Changed(_) | MatrixUpdate::OverWorkspace(_),
                _,
            ) => true,
            (MatrixUpdate::Every(period) | MatrixUpdate::AlongTrajectory(period), _) => {
                has_passed(period, self.at.0, now.t)
            }
            (MatrixUpdate::Strayed(distance), _) => {
                let off =
                    now.reference.iter().zip(now.q).any(|(w, q)| (w.value - q).abs() > distance);
                let gone = self.at.1.iter().zip(now.q).any(|(p, q)| (p - q).abs() > distance);
                off || gone
            }
        };
        if !due {
            return false;
        }
        let set = match self.policy {
            MatrixUpdate::AlongTrajectory(_) => self.along_trajectory(now, model),
            MatrixUpdate::OverWorkspace(cells) => self.nearest(cells, now, model),
            _ => self.at_estimate(model, now.u),
        };
        if let (MatrixUpdate::Changed(tolerance), Some(old)) = (self.policy, &self.current)
            && !old.differs(&set, tolerance)
        {
            return false;
        }
        self.current = Some(set);
        self.at = (now.t, now.q.to_vec());
        self.count += 1;
        true
    }

    /// `J a + k` for accelerations of the joints.
    pub(crate) fn forces(&self, accelerations: &[f64], u: &[f64], forces: &mut [f64]) {
        let Some(set) = &self.current else {
            return;
        };
        let driven = &set.mass * DVector::from_column_slice(accelerations) + set.bias_at(u);
        forces.copy_from_slice(driven.as_slice());
    }

    /// The set of the nearest place of the workspace; each is computed when first met.
    fn nearest(&mut self, cells: usize, now: &ControlContext<'_>, model: &mut Model) -> Set {
        let count = now.q.len();
        let near = |(&q, span): (&f64, &Span)| span.nearest(q, cells.max(1));
        let (cell, place): (Vec<i64>, Vec<f64>) = now.q.iter().zip(model.spans()).map(near).unzip();
        if let Some(set) = self.table.get(&cell) {
            return set.clone();
        }
        let rest = vec![0.0; count];
        model.set_joints(&place, &rest);
        let (mass, bias) = model.joint_terms();
        let damping = model.rate_matrix(&rest, self.coriolis);
        let unit = |k: usize| {
            let rates: Vec<f64> = (0..count).map(|j| f64::from(u8::from(j == k))).collect();
            model.rate_matrix(&rates, self.coriolis) - &damping
        };
        let rates = Rates::ByJoint((0..count).map(unit).collect(), damping.clone());
        model.set_joints(now.q, now.u);
        let set = Set { mass, bias, rates };
        self.table.insert(cell, set.clone());
        set
    }

    /// The set of where the trajectory is.
    fn along_trajectory(&self, now: &ControlContext<'_>, model: &mut Model) -> Set {
        let (q, u): (Vec<f64>, Vec<f64>) = now.reference.iter().map(|w| (w.value, w.rate)).unzip();
        model.set_joints(&q, &u);
        let set = self.at_estimate(model, &u);
        model.set_joints(now.q, now.u);
        set
    }

    /// The set of the estimated state, in which the joints have some rates.
    fn at_estimate(&self, model: &mut Model, u: &[f64]) -> Set {
        let (mass, bias) = model.joint_terms();
        let rates = match self.coriolis {
            Some(_) => Rates::Now(model.rate_matrix(u, self.coriolis), model.holding()),
            None => Rates::Within,
        };
        Set { mass, bias, rates }
    }

    /// `C + V` and `g + h`, if they are asked for, for rates of the joints.
    pub(crate) fn rate_terms(&self, u: &[f64]) -> Option<(DMatrix<f64>, DVector<f64>)> {
        let set = self.current.as_ref()?;
        match &set.rates {
            Rates::Within => None,
            Rates::Now(matrix, holding) => Some((matrix.clone(), holding.clone())),
            Rates::ByJoint(by_joint, damping) => {
                Some((by_rates(by_joint, damping, u), set.bias.clone()))
            }
        }
    }
}

/// `Σ C(q, e_k) u_k + V`.
fn by_rates(by_joint: &[DMatrix<f64>], damping: &DMatrix<f64>, u: &[f64]) -> DMatrix<f64> {
    by_joint.iter().zip(u).fold(damping.clone(), |sum, (matrix, &rate)| sum + matrix * rate)
}

impl Stateful for Set {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let Self { mass, bias, rates } = self;
        state.matrix(mass);
        state.vector(bias);
        let mut kind = match rates {
            Rates::Within => 0,
            Rates::Now(..) => 1,
            Rates::ByJoint(..) => 2,
        };
        state.index(&mut kind, 3);
        let matrix = || DMatrix::zeros(0, 0);
        if state.is_taking() {
            *rates = match kind {
                0 => Rates::Within,
                1 => Rates::Now(matrix(), DVector::zeros(0)),
                // one for each joint
                _ => Rates::ByJoint(vec![matrix(); bias.len()], matrix()),
            };
        }
        match rates {
            Rates::Within => {}
            Rates::Now(both, holding) => {
                state.matrix(both);
                state.vector(holding);
            }
            Rates::ByJoint(by_joint, damping) => {
                for matrix in by_joint {
                    state.matrix(matrix);
                }
                state.matrix(damping);
            }
        }
    }
}

impl Set {
    /// One to be filled.
    fn empty() -> Self {
        Self { mass: DMatrix::zeros(0, 0), bias: DVector::zeros(0), rates: Rates::Within }
    }

    fn bias_at(&self, u: &[f64]) -> DVector<f64> {
        match &self.rates {
            Rates::Within | Rates::Now(..) => self.bias.clone(),
            Rates::ByJoint(by_joint, damping) => {
                &self.bias + by_rates(by_joint, damping, u) * DVector::from_column_slice(u)
            }
        }
    }

    fn differs(&self, other: &Self, tolerance: f64) -> bool {
        let part = |old: &[f64], new: &[f64]| {
            let size = old.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            let change = old.iter().zip(new).fold(0.0_f64, |c, (x, y)| c.max((x - y).abs()));
            change > tolerance * size
        };
        part(self.mass.as_slice(), other.mass.as_slice())
            || part(self.bias.as_slice(), other.bias.as_slice())
    }
}
