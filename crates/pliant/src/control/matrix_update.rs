//! When the matrices of a model are updated: the update policies of Akmehmet 3.3.

use super::description::{LawError, LawSite};
use super::law::ControlContext;
use super::model::{CoriolisMatrix, Model};
use crate::integrate::{StateVisitor, Stateful};
use crate::linear::{multiply_vector, reshape, reshape_vector};
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
    /// comes by and the numbers are those of a table filled in advance. A tick with a new entry
    /// allocates it.
    OverWorkspace(usize),
}

impl MatrixUpdate {
    /// The matrices of a law; all but those of the present need ticks.
    pub fn matrices(self, site: &mut LawSite<'_>) -> Option<Matrices> {
        if self != Self::Always {
            site.needs_period("what it remembers of its matrices")?;
        }
        let (key, value, is_right) = match self {
            Self::Always => ("", 0.0, true),
            Self::Every(period) => ("update_period", period, period.is_finite() && period > 0.0),
            Self::Changed(part) => ("update_change", part, part.is_finite() && part >= 0.0),
            Self::Strayed(way) => ("update_distance", way, way.is_finite() && way >= 0.0),
            Self::AlongTrajectory(period) => {
                ("update_along_plan", period, period.is_finite() && period > 0.0)
            }
            Self::OverWorkspace(cells) => {
                ("update_cells", cells as f64, (1..=MOST_CELLS).contains(&cells))
            }
        };
        if !is_right {
            let help = "give a positive number, and at most 1000 cells";
            let why = "matrices cannot be computed anew by it";
            site.refuse(key, LawError::NoSense { key, value, why, help });
            return None;
        }
        Some(Matrices::new(self))
    }
}

/// `J` and `k` of Akmehmet (4.2), and when they are updated.
#[derive(Clone, Debug)]
pub struct Matrices {
    policy: MatrixUpdate,
    /// How many joints they are of.
    joints: usize,
    current: Option<Set>,
    /// When they were computed (s), and where the joints were.
    at: (f64, Vec<f64>),
    /// Of the workspace, by cell of each joint.
    table: BTreeMap<Vec<i64>, Set>,
    /// How often they have been computed or looked up.
    count: u64,
    /// Room for another set, and for a place: its cells, its joints and their rates.
    next: Set,
    cell: Vec<i64>,
    place: Vec<f64>,
    rates: Vec<f64>,
}

/// One set of matrices.
#[derive(Clone, Debug, Default)]
struct Set {
    mass: DMatrix<f64>,
    bias: DVector<f64>,
    rates: Rates,
}

/// What the velocities give.
#[derive(Clone, Debug, Default)]
enum Rates {
    /// It is in `k`.
    #[default]
    Within,
    /// `C + V`, and `g + h`; `k` has them too.
    Now(DMatrix<f64>, DVector<f64>),
    /// For tables over the workspace: `C(q, e_k)` of each joint `k`, and `V`; `k` is `g + h`.
    ByJoint(Vec<DMatrix<f64>>, DMatrix<f64>),
}

/// More cells for each joint than this are refused.
const MOST_CELLS: usize = 1000;

/// Ticks are this near to multiples of a period.
const SLACK: f64 = 1e-6;

/// Whether a period has passed since an instant.
pub(super) fn has_passed(period: f64, since: f64, now: f64) -> bool {
    now - since >= period * (1.0 - SLACK)
}

/// After how many ticks of a period (s) what is kept for a time (s) is computed anew.
#[allow(clippy::cast_sign_loss, reason = "it is at least one")]
pub(super) fn ticks_kept(kept: f64, period: f64) -> u64 {
    (kept * (1.0 - SLACK) / period).ceil().max(1.0) as u64
}

/// The least common multiple of two counts.
pub(crate) fn common_multiple(a: u64, b: u64) -> u64 {
    let (mut high, mut low) = (a.max(1), b.max(1));
    while low > 0 {
        (high, low) = (low, high % low);
    }
    (a.max(1) / high).saturating_mul(b.max(1))
}

impl Stateful for Matrices {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let n = self.joints;
        let visit = |state: &mut StateVisitor<'_>, set: &mut Set| set.visit_state(state, n);
        state.option(&mut self.current, Set::default, visit);
        state.number(&mut self.at.0);
        if state.is_taking() || self.current.is_none() {
            self.at.1.resize(n, 0.0);
        }
        state.numbers(&mut self.at.1);
        state.count(&mut self.count);
        let mut count = self.table.len() as u64;
        state.count(&mut count);
        if state.is_taking() {
            self.table.clear();
            for _ in 0..count {
                if !state.has_more() {
                    break;
                }
                let (mut cell, mut set) = (vec![0; n], Set::default());
                visit_cell(&mut cell, state);
                set.visit_state(state, n);
                self.table.insert(cell, set);
            }
        } else {
            for (cell, set) in &mut self.table {
                visit_cell(&mut cell.clone(), state);
                set.visit_state(state, n);
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
            joints: 0,
            current: None,
            at: (0.0, Vec::new()),
            table: BTreeMap::new(),
            count: 0,
            next: Set::default(),
            cell: Vec::new(),
            place: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// The number of updates since the start of the run.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mass matrix `J` in use.
    pub fn mass(&self) -> Option<&DMatrix<f64>> {
        self.current.as_ref().map(|set| &set.mass)
    }

    /// Makes room for the joints of a model.
    pub(crate) fn prepare(&mut self, model: Option<&Model>) {
        self.joints = model.map_or(0, |model| model.joints().len());
    }

    /// Whether they are always those of the present.
    pub(crate) fn are_present(&self) -> bool {
        self.policy == MatrixUpdate::Always
    }

    /// After how many ticks of a period (s) they are computed anew.
    pub(crate) fn cycle(&self, period: f64) -> u64 {
        match self.policy {
            MatrixUpdate::Every(kept) | MatrixUpdate::AlongTrajectory(kept) => {
                ticks_kept(kept, period)
            }
            _ => 1,
        }
    }

    /// How many joints they are of.
    pub(crate) fn joints(&self) -> usize {
        self.joints
    }

    pub(crate) fn forget(&mut self) {
        (self.current, self.count) = (None, 0);
        self.table.clear();
    }

    /// Takes them anew if the policy says so; whether it did. With a matrix `C` they have `C + V` and
    /// `g + h` too.
    pub(crate) fn refresh(
        &mut self,
        now: &ControlContext<'_>,
        model: &mut Model,
        coriolis: Option<CoriolisMatrix<'_>>,
    ) -> bool {
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
        match self.policy {
            MatrixUpdate::AlongTrajectory(_) => self.along_trajectory(now, model, coriolis),
            MatrixUpdate::OverWorkspace(cells) => self.nearest(cells, now, model, coriolis),
            _ => self.next.evaluate(model, now.u, coriolis),
        }
        if let (MatrixUpdate::Changed(tolerance), Some(old)) = (self.policy, &self.current)
            && !old.differs(&self.next, tolerance)
        {
            return false;
        }
        match &mut self.current {
            Some(current) => std::mem::swap(current, &mut self.next),
            None => self.current = Some(self.next.clone()),
        }
        self.at.0 = now.t;
        self.at.1.clear();
        self.at.1.extend_from_slice(now.q);
        self.count += 1;
        true
    }

    /// `J a + k` for accelerations of the joints.
    pub(crate) fn forces(
        &self,
        accelerations: impl Fn(usize) -> f64,
        u: &[f64],
        forces: &mut [f64],
    ) {
        if let Some(mass) = self.mass() {
            multiply_vector(mass, accelerations, forces);
            self.add_bias(u, forces);
        }
    }

    /// Adds `k`, for rates of the joints.
    pub(crate) fn add_bias(&self, u: &[f64], forces: &mut [f64]) {
        if let Some(set) = &self.current {
            for (i, force) in forces.iter_mut().enumerate() {
                *force += set.bias_at(i, u);
            }
        }
    }

    /// The set of the nearest place of the workspace; each is computed when first met.
    fn nearest(
        &mut self,
        cells: usize,
        now: &ControlContext<'_>,
        model: &mut Model,
        mut coriolis: Option<CoriolisMatrix<'_>>,
    ) {
        let Self { next, cell, place, rates, .. } = self;
        cell.clear();
        place.clear();
        for (&q, span) in now.q.iter().zip(model.spans()) {
            let (number, middle) = span.nearest(q, cells.max(1));
            cell.push(number);
            place.push(middle);
        }
        if let Some(set) = self.table.get(cell) {
            next.copy_from(set);
            return;
        }
        let count = now.q.len();
        rates.clear();
        rates.resize(count, 0.0);
        model.set_joints(place, rates);
        let mut set = Set::default();
        model.joint_terms(&mut set.mass, &mut set.bias);
        let mut rate_matrix = |rates: &[f64]| {
            let mut matrix = DMatrix::default();
            let coriolis = coriolis.as_mut().map(|coriolis| &mut **coriolis as CoriolisMatrix<'_>);
            model.rate_matrix(rates, coriolis, &mut matrix);
            matrix
        };
        let damping = rate_matrix(rates);
        let mut by_joint = Vec::with_capacity(count);
        for k in 0..count {
            rates[k] = 1.0;
            by_joint.push(rate_matrix(rates) - &damping);
            rates[k] = 0.0;
        }
        set.rates = Rates::ByJoint(by_joint, damping);
        model.set_joints(now.q, now.u);
        next.copy_from(&set);
        self.table.insert(cell.clone(), set);
    }

    /// The set of where the trajectory is.
    fn along_trajectory(
        &mut self,
        now: &ControlContext<'_>,
        model: &mut Model,
        coriolis: Option<CoriolisMatrix<'_>>,
    ) {
        let Self { next, place, rates, .. } = self;
        place.clear();
        rates.clear();
        place.extend(now.reference.iter().map(|w| w.value));
        rates.extend(now.reference.iter().map(|w| w.rate));
        model.set_joints(place, rates);
        next.evaluate(model, rates, coriolis);
        model.set_joints(now.q, now.u);
    }

    /// `C + V`, if it is asked for, for rates of the joints.
    pub(crate) fn rate_matrix(&self, u: &[f64]) -> Option<DMatrix<f64>> {
        let set = self.current.as_ref()?;
        match &set.rates {
            Rates::Within => None,
            Rates::Now(matrix, _) => Some(matrix.clone()),
            Rates::ByJoint(by_joint, damping) => {
                let n = set.bias.len();
                Some(DMatrix::from_fn(n, n, |i, j| by_rates(by_joint, damping, u, (i, j))))
            }
        }
    }

    /// `g + h`, if `C + V` is asked for.
    pub(crate) fn holding(&self) -> Option<&DVector<f64>> {
        let set = self.current.as_ref()?;
        match &set.rates {
            Rates::Within => None,
            Rates::Now(_, holding) => Some(holding),
            Rates::ByJoint(..) => Some(&set.bias),
        }
    }
}

/// An entry of `Σ C(q, e_k) u_k + V`.
fn by_rates(
    by_joint: &[DMatrix<f64>],
    damping: &DMatrix<f64>,
    u: &[f64],
    at: (usize, usize),
) -> f64 {
    by_joint.iter().zip(u).fold(damping[at], |sum, (matrix, rate)| sum + matrix[at] * rate)
}

impl Set {
    /// Visits the set of `n` joints.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>, n: usize) {
        let Self { mass, bias, rates } = self;
        state.matrix(mass, n, n);
        state.vector(bias, n);
        let mut kind = match rates {
            Rates::Within => 0,
            Rates::Now(..) => 1,
            Rates::ByJoint(..) => 2,
        };
        state.index(&mut kind, 3);
        if state.is_taking() {
            *rates = match kind {
                0 => Rates::Within,
                1 => Rates::Now(DMatrix::default(), DVector::default()),
                _ => Rates::ByJoint(vec![DMatrix::default(); n], DMatrix::default()),
            };
        }
        match rates {
            Rates::Within => {}
            Rates::Now(both, holding) => {
                state.matrix(both, n, n);
                state.vector(holding, n);
            }
            Rates::ByJoint(by_joint, damping) => {
                for matrix in by_joint {
                    state.matrix(matrix, n, n);
                }
                state.matrix(damping, n, n);
            }
        }
    }

    /// The set of the estimated state, in which the joints have some rates.
    fn evaluate(&mut self, model: &mut Model, u: &[f64], coriolis: Option<CoriolisMatrix<'_>>) {
        let Self { mass, bias, rates } = self;
        model.joint_terms(mass, bias);
        if coriolis.is_none() {
            *rates = Rates::Within;
            return;
        }
        if !matches!(rates, Rates::Now(..)) {
            *rates = Rates::Now(DMatrix::default(), DVector::zeros(bias.len()));
        }
        if let Rates::Now(both, holding) = rates {
            model.rate_matrix(u, coriolis, both);
            reshape_vector(holding, bias.len());
            holding.copy_from_slice(model.holding());
        }
    }

    /// Becomes another one; where they have one shape, in the same storage.
    fn copy_from(&mut self, other: &Self) {
        let copy = |to: &mut DMatrix<f64>, from: &DMatrix<f64>| {
            reshape(to, from.nrows(), from.ncols());
            to.copy_from(from);
        };
        let copy_vector = |to: &mut DVector<f64>, from: &DVector<f64>| {
            reshape_vector(to, from.len());
            to.copy_from(from);
        };
        copy(&mut self.mass, &other.mass);
        copy_vector(&mut self.bias, &other.bias);
        match (&mut self.rates, &other.rates) {
            (Rates::ByJoint(by_joint, damping), Rates::ByJoint(others, other_damping))
                if by_joint.len() == others.len() =>
            {
                for (to, from) in by_joint.iter_mut().zip(others) {
                    copy(to, from);
                }
                copy(damping, other_damping);
            }
            (rates, others) => *rates = others.clone(),
        }
    }

    /// The bias of a joint at rates of all.
    fn bias_at(&self, i: usize, u: &[f64]) -> f64 {
        match &self.rates {
            Rates::Within | Rates::Now(..) => self.bias[i],
            Rates::ByJoint(by_joint, damping) => {
                let row = u
                    .iter()
                    .enumerate()
                    .map(|(j, rate)| by_rates(by_joint, damping, u, (i, j)) * rate);
                self.bias[i] + row.reduce(|sum, term| term + sum).unwrap_or(0.0)
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
