//! Inverse kinematics for a position or pose of a frame, by least squares.
//!
//! Damped Gauss-Newton steps on the way to the goal, the damping in proportion to what is left, so
//! that the last steps are those of Newton. Joints stay within their limits. Where a search gets
//! stuck, another begins elsewhere, always at the same places.

use super::error::IkError;
use super::goal::{IkGoal, IkResidual};
use super::posture::Posture;
use crate::analyse::{AnalysisError, Conditions};
use crate::arm::Arm;
use crate::linear::{ldl, singular};
use nalgebra::DMatrix;
use std::f64::consts::PI;

/// How many steps one search may take.
const STEPS: usize = 100;
/// How many searches begin before it gives up.
const SEARCHES: usize = 62;
/// How many of them begin near the asked posture, after that one itself.
const NEAR_SEARCHES: usize = 2;
/// How wide that is, in parts of how far a joint goes.
const NEAR: f64 = 0.15;
/// Accepted, in parts of the reach and in radians.
const ACCEPTED: f64 = 1e-10;
/// No step makes anything better below this.
const EXACT: f64 = 1e-15;
/// The longest step of a joint (rad, or parts of the reach).
const LONGEST: f64 = 0.7;

/// Inverse kinematics of a frame of a chain on a fixed base.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::plan::{IkGoal, IkSolver};
/// use pliant::spatial::Pose;
///
/// let z = [0.0, 0.0, 1.0];
/// let arm = Builder::new("planar")
///     .link(Link::new("upper").joint(Joint::revolute(z)).payload(1.0, [1.0, 0.0, 0.0]))
///     .link(Link::new("fore").placed(Pose::at(1.0, 0.0, 0.0)).joint(Joint::revolute(z)))
///     .link(Link::new("hand").placed(Pose::at(1.0, 0.0, 0.0)))
///     .build()?;
/// let mut solver = IkSolver::new(&arm, arm.frame("hand")?)?;
/// let found = solver.solve(&IkGoal::Place([1.0, 1.0, 0.0].into()), &[0.1, 0.3])?;
/// let hand = arm.pose(&found.q, "hand")?;
/// assert!((hand.position.x - 1.0).abs() < 1e-9 && (hand.position.y - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct IkSolver<'a> {
    posture: Posture<'a>,
    /// The coordinate of each joint that moves, and how far it may go (rad, m).
    coordinates: Vec<(usize, [f64; 2])>,
    /// How far searches may begin (rad, m).
    field: Vec<[f64; 2]>,
    /// The length that a radian is worth (m).
    reach: f64,
    room: Room,
}

/// Buffers.
struct Room {
    jacobian: Vec<f64>,
    matrix: Vec<f64>,
    step: Vec<f64>,
    whole: Vec<f64>,
    trial: Vec<f64>,
}

/// Joint positions that reach a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct IkSolution {
    /// The configuration (rad, m); what bends is at rest.
    pub q: Vec<f64>,
    /// What is left to the goal.
    pub left: IkResidual,
    /// How many steps it took, in all searches.
    pub steps: usize,
    /// How many searches.
    pub searches: usize,
}

/// Where a search ended.
#[derive(Clone, Copy)]
struct Stand {
    left: IkResidual,
    /// Half the square of what is left, in parts of the reach and radians.
    cost: f64,
}

impl<'a> IkSolver<'a> {
    /// For a frame, by index, of an arm whose modal coordinates stay as given in `q`.
    pub fn new(arm: &'a Arm, frame: usize) -> Result<Self, IkError> {
        Self::with(arm, frame, None)
    }

    /// For an arm with its static deflection under gravity and loads: the deflected frame reaches
    /// the goal.
    pub fn sagging(arm: &'a Arm, frame: usize, conditions: Conditions) -> Result<Self, IkError> {
        if let Some(link) = (0..arm.body_count()).find(|&link| arm.rotor_of(link).is_some()) {
            return Err(IkError::Elastic { link: arm.link_names()[link].clone() });
        }
        Self::with(arm, frame, Some(conditions))
    }

    fn with(arm: &'a Arm, frame: usize, conditions: Option<Conditions>) -> Result<Self, IkError> {
        let count = arm.frames().len();
        if frame >= count {
            let given = frame;
            return Err(crate::dynamics::EvaluationError::NoSuchFrame { given, count }.into());
        }
        let name = || arm.frames()[frame].name().to_owned();
        let (moving, mut reach) = chain(arm, frame)?;
        if moving.is_empty() {
            return Err(IkError::NothingMoves { frame: name() });
        }
        reach = if reach > 0.0 { reach } else { 1.0 };
        let limits = |v: usize| {
            let coordinate = arm.coordinate_of(v).unwrap_or(0);
            let limits = arm.limits()[coordinate];
            (coordinate, limits.map_or([f64::NEG_INFINITY, f64::INFINITY], |l| [l.lower, l.upper]))
        };
        let coordinates: Vec<_> = moving.iter().map(|&v| limits(v)).collect();
        let field = moving.iter().zip(&coordinates).map(|(&v, (_, [lower, upper]))| {
            let wide = if arm.turns(v) { PI } else { reach };
            [lower.max(-wide), upper.min(wide)]
        });
        let n = moving.len();
        Ok(Self {
            field: field.collect(),
            coordinates,
            reach,
            room: Room {
                jacobian: vec![0.0; 6 * n],
                matrix: vec![0.0; n * n],
                step: vec![0.0; n],
                whole: vec![0.0; arm.nv()],
                trial: vec![0.0; arm.nq()],
            },
            posture: Posture::new(arm, frame, moving, conditions),
        })
    }

    /// Locks joints, given by velocity coordinate.
    #[must_use]
    pub fn hold(mut self, held: &[usize]) -> Self {
        let keep: Vec<bool> = self.posture.moving.iter().map(|v| !held.contains(v)).collect();
        keep_those(&mut self.posture.moving, &keep);
        keep_those(&mut self.coordinates, &keep);
        keep_those(&mut self.field, &keep);
        let n = self.coordinates.len();
        self.room.jacobian.resize(6 * n, 0.0);
        self.room.matrix.resize(n * n, 0.0);
        self.room.step.resize(n, 0.0);
        self
    }

    /// The joints that move, as velocity coordinates.
    pub fn moving(&self) -> &[usize] {
        &self.posture.moving
    }

    /// In how many ways the joints can move the frame: the rank of the first rows of the Jacobian,
    /// the largest of some postures.
    pub(super) fn rank(&mut self, rows: usize, near: &[f64]) -> usize {
        let (n, mut rank) = (self.coordinates.len(), 0);
        for search in 0..5 {
            let mut q = near.to_vec();
            if search > 0 {
                self.begin(NEAR_SEARCHES + search, near, &mut q);
            }
            if self.posture.look(&mut q, &mut self.room.jacobian).is_err() {
                continue;
            }
            let entry = |i: usize, j: usize| self.room.jacobian[i * n + j];
            let matrix = DMatrix::from_fn(rows, n, |i, j| {
                entry(i, j) * if i < 3 { self.reach.recip() } else { 1.0 }
            });
            let Some(parts) = singular(&matrix) else { continue };
            let values = parts.singular_values;
            let large = values.iter().filter(|&&value| value > 1e-8 * values.max());
            rank = rank.max(large.count());
        }
        rank
    }

    /// Puts the joints that move somewhere.
    pub(super) fn put(&self, q: &mut [f64], places: impl Iterator<Item = f64>) {
        for (&(coordinate, _), place) in self.coordinates.iter().zip(places) {
            q[coordinate] = place;
        }
    }

    /// A joint that is beyond a limit, and the limit (rad, m).
    pub(super) fn beyond_limit(&self, q: &[f64]) -> Option<(String, f64)> {
        let beyond = |&(coordinate, [lower, upper]): &(usize, [f64; 2])| {
            let limit = match q[coordinate] {
                q if q < lower => lower,
                q if q > upper => upper,
                _ => return None,
            };
            Some((self.posture.arm.configuration_names()[coordinate].clone(), limit))
        };
        self.coordinates.iter().find_map(beyond)
    }

    pub(super) fn posture(&mut self) -> &mut Posture<'a> {
        &mut self.posture
    }

    pub(super) fn arm(&self) -> &'a Arm {
        self.posture.arm
    }

    /// The coordinate of a joint, by velocity coordinate.
    pub(super) fn coordinate(&self, velocity: usize) -> Option<usize> {
        self.posture.arm.coordinate_of(velocity)
    }

    /// The length that a radian is worth (m).
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Solves for a goal. The search starts at `near` and stays on its branch if possible; joints
    /// that do not move the frame keep their positions of `near`.
    pub fn solve(&mut self, goal: &IkGoal, near: &[f64]) -> Result<IkSolution, IkError> {
        self.posture.arm.check_configuration(near)?;
        let mut best: Option<(Stand, Vec<f64>)> = None;
        let mut rest = None;
        let mut q = near.to_vec();
        let mut steps = 0;
        for search in 0..SEARCHES {
            q.copy_from_slice(near);
            if search > 0 {
                self.begin(search, near, &mut q);
            }
            self.clamp(&mut q);
            let stand = match self.descend(goal, &mut q, &mut steps) {
                Ok(stand) => stand,
                Err(error) => {
                    rest = Some(error);
                    continue;
                }
            };
            if self.is_accepted(&stand) {
                return Ok(IkSolution { q, left: stand.left, steps, searches: search + 1 });
            }
            if best.as_ref().is_none_or(|(known, _)| stand.cost < known.cost) {
                best = Some((stand, q.clone()));
            }
        }
        match (best, rest) {
            (Some((stand, best)), _) => Err(self.unreached(goal, &stand, best)),
            (None, Some(error)) => Err(error.into()),
            (None, None) => Err(IkError::NothingMoves { frame: self.name() }),
        }
    }

    /// One search from a start: the asked posture first, then places that follow from the seed.
    /// What it reached, what is left, and how many steps it took.
    pub(super) fn one_search(
        &mut self,
        goal: &IkGoal,
        near: &[f64],
        start: usize,
        seed: u64,
    ) -> Option<(Vec<f64>, IkResidual, usize)> {
        let mut q = near.to_vec();
        if start > 0 {
            // the recurrence repeats after far more starts than this
            let shift = usize::try_from(seed % 1_000_000).unwrap_or_default() * 1000;
            self.begin(NEAR_SEARCHES + shift + start, near, &mut q);
        }
        self.clamp(&mut q);
        let mut steps = 0;
        let stand = self.descend(goal, &mut q, &mut steps).ok()?;
        self.is_accepted(&stand).then_some((q, stand.left, steps))
    }

    /// Where the joints that move are (rad, m).
    pub(super) fn places(&self, q: &[f64]) -> Vec<f64> {
        self.coordinates.iter().map(|&(coordinate, _)| q[coordinate]).collect()
    }

    /// How far each of them may go (rad, m).
    pub(super) fn ranges(&self) -> impl Iterator<Item = [f64; 2]> {
        self.coordinates.iter().map(|&(_, range)| range)
    }

    /// One search from near the answer, on the same branch.
    pub(super) fn refine(&mut self, goal: &IkGoal, q: &mut [f64]) -> Option<IkResidual> {
        let stand = self.descend(goal, q, &mut 0).ok()?;
        self.is_accepted(&stand).then_some(stand.left)
    }

    fn is_accepted(&self, stand: &Stand) -> bool {
        stand.left.position <= ACCEPTED * self.reach.max(1.0) && stand.left.angle <= ACCEPTED
    }

    pub(super) fn name(&self) -> String {
        self.posture.arm.frames()[self.posture.frame].name().to_owned()
    }

    fn unreached(&mut self, goal: &IkGoal, stand: &Stand, mut best: Vec<f64>) -> IkError {
        let place = self.posture.look(&mut best, &mut self.room.jacobian);
        let nearest = place.map_or([f64::NAN; 3], |pose| pose.position.to_array());
        IkError::Unreached {
            frame: self.name(),
            wanted: goal.position().to_array(),
            nearest,
            position_error: stand.left.position,
            angle_error: stand.left.angle,
            best,
        }
    }

    /// Where another search begins, at first near the asked posture, then anywhere: additive
    /// recurrence with the powers of the number that makes the points lie evenly in as many
    /// directions.
    fn begin(&self, search: usize, near: &[f64], q: &mut [f64]) {
        let n = self.field.len() as f64;
        // x^(n + 1) = x + 1
        let mut ratio = 1.5_f64;
        for _ in 0..30 {
            ratio = (1.0 + ratio).powf((n + 1.0).recip());
        }
        let mut part = 1.0;
        for (&[lower, upper], &(coordinate, _)) in self.field.iter().zip(&self.coordinates) {
            part /= ratio;
            let share = (0.5 + part * search as f64).fract();
            q[coordinate] = if search <= NEAR_SEARCHES {
                near[coordinate] + NEAR * (upper - lower) * (share - 0.5)
            } else {
                lower + (upper - lower) * share
            };
        }
    }

    fn clamp(&self, q: &mut [f64]) {
        for &(coordinate, [lower, upper]) in &self.coordinates {
            q[coordinate] = q[coordinate].clamp(lower, upper);
        }
    }

    /// Rows of the error and of the Jacobian are in parts of the reach, and radians.
    fn look(&mut self, goal: &IkGoal, q: &mut [f64]) -> Result<([f64; 6], Stand), AnalysisError> {
        let pose = self.posture.look(q, &mut self.room.jacobian)?;
        let mut error = goal.error(&pose);
        for part in &mut error[..3] {
            *part /= self.reach;
        }
        let n = self.coordinates.len();
        for entry in &mut self.room.jacobian[..3 * n] {
            *entry /= self.reach;
        }
        let cost = 0.5 * error.iter().map(|x| x * x).sum::<f64>();
        Ok((error, Stand { left: goal.left(&pose), cost }))
    }

    /// Walks downhill from `q`.
    fn descend(
        &mut self,
        goal: &IkGoal,
        q: &mut [f64],
        steps: &mut usize,
    ) -> Result<Stand, AnalysisError> {
        let (mut error, mut stand) = self.look(goal, q)?;
        let (mut damping, mut slow) = (1.0, 0);
        for _ in 0..STEPS {
            if stand.cost.sqrt() <= EXACT {
                break;
            }
            *steps += 1;
            if !self.step(goal.rows(), &error, q, damping * 2.0 * stand.cost) {
                break;
            }
            let mut trial = std::mem::take(&mut self.room.trial);
            trial.copy_from_slice(q);
            self.posture.arm.displace(&mut trial, &self.room.whole);
            self.clamp(&mut trial);
            let looked = self.look(goal, &mut trial);
            self.room.trial = trial;
            match looked {
                Ok((next_error, next)) if next.cost < stand.cost => {
                    q.copy_from_slice(&self.room.trial);
                    slow = if next.cost > 0.9 * stand.cost { slow + 1 } else { 0 };
                    (error, stand) = (next_error, next);
                    damping = f64::max(0.2 * damping, 1e-4);
                    // far from the goal and hardly moving
                    if slow > 12 {
                        break;
                    }
                }
                _ => {
                    if damping > 1e12 || self.is_accepted(&stand) {
                        break;
                    }
                    damping *= 6.0;
                    (error, _) = self.look(goal, q)?;
                }
            }
        }
        Ok(stand)
    }

    /// The step of all velocities from `q` into `whole`; whether there is one.
    fn step(&mut self, rows: usize, error: &[f64; 6], q: &[f64], damping: f64) -> bool {
        let n = self.coordinates.len();
        let Room { jacobian, matrix, step, whole, .. } = &mut self.room;
        for (k, pull) in step.iter_mut().enumerate() {
            *pull = (0..rows).map(|row| jacobian[row * n + k] * error[row]).sum();
        }
        // joints at a limit that would leave it stay
        let stays = |k: usize, pull: f64| {
            let (coordinate, [lower, upper]) = self.coordinates[k];
            (q[coordinate] <= lower && pull < 0.0) || (q[coordinate] >= upper && pull > 0.0)
        };
        let mut size = 0.0_f64;
        for i in 0..n {
            let stays_i = stays(i, step[i]);
            for j in 0..=i {
                let product = if stays_i || stays(j, step[j]) {
                    0.0
                } else {
                    (0..rows).map(|row| jacobian[row * n + i] * jacobian[row * n + j]).sum()
                };
                matrix[i * n + j] = product;
            }
            size = size.max(matrix[i * n + i]);
        }
        if size == 0.0 {
            return false;
        }
        for i in 0..n {
            matrix[i * n + i] += damping + 1e-15 * size;
            if stays(i, step[i]) {
                matrix[i * n + i] = 1.0;
            }
        }
        for i in 0..n {
            if stays(i, step[i]) {
                step[i] = 0.0;
            }
        }
        ldl::factor(matrix, n);
        ldl::solve(matrix, n, step);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        if !longest.is_finite() {
            return false;
        }
        let factor = if longest > LONGEST { LONGEST / longest } else { 1.0 };
        whole.fill(0.0);
        for (&v, part) in self.posture.moving.iter().zip(step.iter()) {
            whole[v] = factor * part;
        }
        true
    }
}

/// The joints on the way from the base to a frame, as velocity coordinates, and how long the way is
/// at most (m).
fn chain(arm: &Arm, frame: usize) -> Result<(Vec<usize>, f64), IkError> {
    let fixed = &arm.frames()[frame];
    let station = fixed.station;
    let mut reach = fixed.pose.position.norm();
    let mut moving = Vec::new();
    let mut at = arm.topology.station_bodies[station];
    while let Some(link) = at.checked_sub(1) {
        let body = &arm.bodies[link];
        reach += body.placement.position.norm();
        if let Some(beam) = arm.beam_of(link).or(arm.sliding_of(link)) {
            reach += beam.length;
        }
        let drives = arm.drives_of(link);
        if drives.iter().any(|v| arm.coordinate_of(*v).is_none()) {
            return Err(IkError::TurnsFreely { link: arm.link_names()[link].clone() });
        }
        moving.extend(drives.into_iter().rev());
        at = arm.topology.station_bodies[body.parent];
    }
    moving.reverse();
    Ok((moving, reach))
}

fn keep_those<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| flags.next().copied().unwrap_or(true));
}
