//! When the matrices of a model are computed anew: the update policies of Akmehmet 3.3.

use super::model::Model;
use super::pilot::Situation;
use nalgebra::{DMatrix, DVector};

/// When matrices are computed anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refresh {
    /// At every tick.
    Always,
    /// After a period (s): TUP.
    Every(f64),
    /// When `J` or `k` has changed by more than this part of its largest entry: 3.1.1.
    Changed(f64),
    /// When a joint has left its path, or the place of the last time, by more than this (rad, m).
    Strayed(f64),
    /// They are those of the task and not of what is measured, one set for each period (s): what a
    /// table over the trajectory holds.
    AlongTask(f64),
    /// They are those of the nearest of so many places for each joint between ±π (rad, m), after
    /// Raibert and Horn: `J`, the holding forces and the coefficients of the velocities, a table over
    /// the workspace, filled where the arm comes by.
    OverWorkspace(usize),
}

/// `J` and `k` of Akmehmet (4.2), and when they are computed anew.
#[derive(Clone, Debug)]
pub struct Matrices {
    policy: Refresh,
    current: Option<Set>,
    /// When they were computed (s), and where the joints were.
    at: (f64, Vec<f64>),
    table: Vec<Option<Set>>,
    /// How often they have been computed or looked up.
    count: u64,
}

/// One set of matrices.
#[derive(Clone, Debug)]
struct Set {
    mass: DMatrix<f64>,
    bias: DVector<f64>,
    /// For tables over the workspace: `C(q, e_k)` of each joint `k`, and `V`.
    by_rate: Option<(Vec<DMatrix<f64>>, DMatrix<f64>)>,
}

/// Ticks are this near to multiples of a period.
const SLACK: f64 = 1e-6;

/// Whether a period has passed since an instant.
pub(super) fn has_passed(period: f64, since: f64, now: f64) -> bool {
    now - since >= period * (1.0 - SLACK)
}

impl Matrices {
    /// With a policy.
    pub fn new(policy: Refresh) -> Self {
        Self { policy, current: None, at: (0.0, Vec::new()), table: Vec::new(), count: 0 }
    }

    /// How often they have been taken anew since the start of the run.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mass matrix `J` in use.
    pub fn mass(&self) -> Option<&DMatrix<f64>> {
        self.current.as_ref().map(|set| &set.mass)
    }

    pub(super) fn forget(&mut self) {
        (self.current, self.count) = (None, 0);
        self.table.clear();
    }

    /// Takes them anew if the policy says so; whether it did.
    pub(super) fn refresh(&mut self, now: &Situation<'_>, model: &mut Model) -> bool {
        let due = match (self.policy, &self.current) {
            (_, None) | (Refresh::Always | Refresh::Changed(_) | Refresh::OverWorkspace(_), _) => {
                true
            }
            (Refresh::Every(period) | Refresh::AlongTask(period), _) => {
                has_passed(period, self.at.0, now.t)
            }
            (Refresh::Strayed(distance), _) => {
                let off = now.wanted.iter().zip(now.q).any(|(w, q)| (w.value - q).abs() > distance);
                let gone = self.at.1.iter().zip(now.q).any(|(p, q)| (p - q).abs() > distance);
                off || gone
            }
        };
        if !due {
            return false;
        }
        let set = match self.policy {
            Refresh::AlongTask(_) => along_task(now, model),
            Refresh::OverWorkspace(cells) => self.nearest(cells, now, model),
            _ => Set::at_believed(model),
        };
        if let (Refresh::Changed(tolerance), Some(old)) = (self.policy, &self.current)
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
    pub(super) fn forces(&self, accelerations: &[f64], u: &[f64], forces: &mut [f64]) {
        let Some(set) = &self.current else {
            return;
        };
        let driven = &set.mass * DVector::from_column_slice(accelerations) + set.bias_at(u);
        forces.copy_from_slice(driven.as_slice());
    }

    /// The set of the nearest place of the workspace; each is computed when first met.
    fn nearest(&mut self, cells: usize, now: &Situation<'_>, model: &mut Model) -> Set {
        use std::f64::consts::{PI, TAU};
        let cells = cells.max(1);
        let count = now.q.len();
        if self.table.is_empty() {
            let all = u32::try_from(count).ok().and_then(|n| cells.checked_pow(n));
            self.table = vec![None; all.unwrap_or(0).min(1 << 20)];
        }
        let width = TAU / cells as f64;
        let (mut index, mut place) = (0, Vec::with_capacity(count));
        for &q in now.q {
            #[allow(clippy::cast_sign_loss, reason = "the remainder is positive")]
            let cell = (((q + PI).rem_euclid(TAU) / width) as usize).min(cells - 1);
            index = index * cells + cell;
            place.push(-PI + (cell as f64 + 0.5) * width);
        }
        if let Some(Some(set)) = self.table.get(index) {
            return set.clone();
        }
        let rest = vec![0.0; count];
        model.set_joints(&place, &rest);
        let (mass, bias) = model.joint_terms();
        let damping = model.rate_matrix(&rest);
        let unit = |k: usize| {
            let rates: Vec<f64> = (0..count).map(|j| f64::from(u8::from(j == k))).collect();
            model.rate_matrix(&rates) - &damping
        };
        let by_rate = Some(((0..count).map(unit).collect(), damping.clone()));
        model.set_joints(now.q, now.u);
        let set = Set { mass, bias, by_rate };
        if let Some(entry) = self.table.get_mut(index) {
            *entry = Some(set.clone());
        }
        set
    }
}

/// The set of where the task is.
fn along_task(now: &Situation<'_>, model: &mut Model) -> Set {
    let (q, u): (Vec<f64>, Vec<f64>) = now.wanted.iter().map(|w| (w.value, w.rate)).unzip();
    model.set_joints(&q, &u);
    let set = Set::at_believed(model);
    model.set_joints(now.q, now.u);
    set
}

impl Set {
    fn at_believed(model: &mut Model) -> Self {
        let (mass, bias) = model.joint_terms();
        Self { mass, bias, by_rate: None }
    }

    fn bias_at(&self, u: &[f64]) -> DVector<f64> {
        let Some((coefficients, damping)) = &self.by_rate else {
            return self.bias.clone();
        };
        let rates = DVector::from_column_slice(u);
        let mut bias = &self.bias + damping * &rates;
        for (matrix, rate) in coefficients.iter().zip(u) {
            bias += matrix * &rates * *rate;
        }
        bias
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
