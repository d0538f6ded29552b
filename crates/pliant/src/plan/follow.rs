//! From a path of a frame to a joint path.

use super::error::PlanError;
use super::path::Path;
use super::quintic;
use super::solver::IkSolver;
use super::tip::{Tip, TipPath};
use crate::linear::singular;
use crate::scalar::Jet;
use nalgebra::{DMatrix, DVector};

/// Into how many parts a smooth stretch is cut at first.
const FIRST_PARTS: usize = 16;
/// Into how many at most.
const MOST_PARTS: usize = 8192;
/// How far the frame may leave its path between the cuts, in parts of the arm's reach.
const PLACE: f64 = 1e-10;
/// How wrong accelerations may be there, in parts of the largest; rounding errors of polynomials
/// over a millisecond are not far below.
const ACCELERATION: f64 = 1e-8;
/// A posture is singular when its smallest singular value is below this part of the largest.
const SINGULAR: f64 = 1e-5;

/// The joint path that follows a tip path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathFollower {
    /// The path of the joints that move, with their rates and accelerations (rad, m).
    pub path: Path,
    /// Which these are, as velocity coordinates.
    pub velocities: Vec<usize>,
    /// The whole configuration at the start of the path.
    pub start: Vec<f64>,
}

/// An instant of the path, solved.
struct Node {
    q: Vec<f64>,
    /// Of the joints that move.
    joints: Vec<Jet>,
    determinant: f64,
}

/// A path, the joints that follow it, and how they do.
struct Follower<'f, 'a> {
    solver: &'f mut IkSolver<'a>,
    path: &'f TipPath,
    /// In how many ways the joints can move the frame.
    rank: usize,
    /// Whether accelerations come from the rates of neighbours: of arms that sag, and where more
    /// joints move than are needed.
    differentiates: bool,
}

/// The joint path whose frame follows a tip path, on the branch near a given configuration.
/// Positions, rates and accelerations are exact at knots so close that fifth-degree polynomials
/// between them keep the frame on its path to 1e-10 of the reach. For arms with static deflection
/// ([`IkSolver::sagging`]) the frame is on its path when the links are at rest. A redundant arm
/// minimises the sum of squared joint rates at every instant.
pub fn follow(
    solver: &mut IkSolver<'_>,
    path: &TipPath,
    near: &[f64],
) -> Result<PathFollower, PlanError> {
    let place = path.place();
    let begin = path.at(place.start(), false);
    let found = solver.solve(&begin.goal, near);
    let found = found.map_err(|source| PlanError::Unreachable { time: place.start(), source })?;
    // a corner out of reach is worth more words than the posture in which the path leaves the reach
    for &time in &place.breaks()[1..] {
        let goal = path.at(time, true).goal;
        let reached = solver.solve(&goal, &found.q);
        reached.map_err(|source| PlanError::Unreachable { time, source })?;
    }
    let rank = solver.rank(path.rows(), &found.q);
    let differentiates = solver.posture().sags() || solver.moving().len() > rank;
    let mut follower = Follower { solver, path, rank, differentiates };
    let (mut ends, mut durations) = (Vec::new(), Vec::new());
    let mut q = found.q.clone();
    for stretch in place.breaks().windows(2).filter(|stretch| stretch[1] > stretch[0]) {
        let nodes = follower.near_nodes([stretch[0], stretch[1]], &q)?;
        let part = (stretch[1] - stretch[0]) / (nodes.len() - 1) as f64;
        if let Some(last) = nodes.last() {
            q.clone_from(&last.q);
        }
        for pair in nodes.windows(2) {
            ends.push([pair[0].joints.clone(), pair[1].joints.clone()]);
            durations.push(part);
        }
    }
    let path = Path::quintic_pieces(&ends, &durations, place.start(), place.breaks().to_vec());
    Ok(PathFollower { path, velocities: follower.solver.moving().to_vec(), start: found.q })
}

impl Follower<'_, '_> {
    /// The nodes of a smooth stretch, near enough to one another.
    fn near_nodes(&mut self, [from, to]: [f64; 2], start: &[f64]) -> Result<Vec<Node>, PlanError> {
        let mut parts = FIRST_PARTS;
        loop {
            let nodes = self.nodes([from, to], start, parts)?;
            let error = self.deviation([from, to], &nodes)?;
            if error <= 1.0 {
                return Ok(nodes);
            }
            parts *= 2;
            if parts > MOST_PARTS {
                return Err(PlanError::TooFast { from, to });
            }
        }
    }

    /// How wrong the polynomials are in the middle between nodes, in parts of what is allowed.
    fn deviation(&mut self, [from, to]: [f64; 2], nodes: &[Node]) -> Result<f64, PlanError> {
        let part = (to - from) / (nodes.len() - 1) as f64;
        let reach = self.solver.reach();
        let jets = nodes.iter().flat_map(|node| &node.joints);
        let fastest = jets.fold(1.0_f64, |most, jet| most.max(jet.acceleration.abs()));
        let mut jacobian = vec![0.0; 6 * self.solver.moving().len()];
        let mut largest = 0.0_f64;
        for (i, pair) in nodes.windows(2).enumerate() {
            let middle = |(before, after): (&Jet, &Jet)| {
                quintic::at(&quintic::between(*before, *after, part), 0.5 * part)
            };
            let between: Vec<Jet> =
                pair[0].joints.iter().zip(&pair[1].joints).map(middle).collect();
            let mut q = pair[0].q.clone();
            self.solver.put(&mut q, between.iter().map(|jet| jet.value));
            let t = from + (i as f64 + 0.5) * part;
            let tip = self.path.at(t, false);
            let looked = self.solver.posture().look(&mut q, &mut jacobian);
            let pose = looked.map_err(|e| PlanError::Unreachable { time: t, source: e.into() })?;
            let left = tip.goal.left(&pose);
            largest = largest.max(left.position.max(left.angle * reach) / (PLACE * reach));
            if !self.differentiates {
                let exact = self.rates(&tip, q, t)?;
                for (jet, exact) in between.iter().zip(&exact.joints) {
                    let error = (jet.acceleration - exact.acceleration).abs();
                    largest = largest.max(error / (ACCELERATION * fastest));
                }
            }
        }
        Ok(largest)
    }

    fn nodes(
        &mut self,
        [from, to]: [f64; 2],
        start: &[f64],
        parts: usize,
    ) -> Result<Vec<Node>, PlanError> {
        let part = (to - from) / parts as f64;
        let mut nodes: Vec<Node> = Vec::with_capacity(parts + 1);
        for i in 0..=parts {
            let t = if i == parts { to } else { from + i as f64 * part };
            let tip = self.path.at(t, i == parts);
            let mut q = match nodes.last() {
                Some(last) => self.next(last, t - part, part)?,
                None => start.to_vec(),
            };
            let ahead = q.clone();
            if self.solver.refine(&tip.goal, &mut q).is_none() {
                return Err(self.lost(&tip, t, &ahead, nodes.last().map_or(start, |node| &node.q)));
            }
            let node = self.rates(&tip, q, t)?;
            if let Some(last) = nodes.last()
                && last.determinant * node.determinant < 0.0
            {
                let share = last.determinant / (last.determinant - node.determinant);
                return Err(self.singular(t - part * (1.0 - share), &node.q));
            }
            nodes.push(node);
        }
        if self.differentiates {
            differentiate(&mut nodes, part);
        }
        Ok(nodes)
    }

    /// Where the joints about are a part of the time after a node: up to the acceleration, or by the
    /// rule of Runge and Kutta where neighbours must lie on one curve of least rates.
    fn next(&mut self, last: &Node, t: f64, part: f64) -> Result<Vec<f64>, PlanError> {
        let mut q = last.q.clone();
        if !self.differentiates {
            let ahead = |jet: &Jet| jet.value + part * (jet.rate + 0.5 * part * jet.acceleration);
            self.solver.put(&mut q, last.joints.iter().map(ahead));
            return Ok(q);
        }
        let mut sum: Vec<f64> = last.joints.iter().map(|jet| jet.rate).collect();
        let mut rates = sum.clone();
        for (share, weight) in [(0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let ahead = last.joints.iter().zip(&rates);
            let ahead = ahead.map(|(jet, rate)| jet.value + share * part * rate);
            self.solver.put(&mut q, ahead);
            let time = t + share * part;
            let node = self.rates(&self.path.at(time, true), q.clone(), time)?;
            rates = node.joints.iter().map(|jet| jet.rate).collect();
            for (sum, rate) in sum.iter_mut().zip(&rates) {
                *sum += weight * rate;
            }
        }
        let ahead = last.joints.iter().zip(&sum).map(|(jet, sum)| jet.value + part * sum / 6.0);
        self.solver.put(&mut q, ahead);
        Ok(q)
    }

    /// Why a node was not reached: a joint is at its limit, the place is out of reach, or the branch
    /// ends there.
    fn lost(&mut self, tip: &Tip, time: f64, ahead: &[f64], near: &[f64]) -> PlanError {
        if let Some((joint, limit)) = self.solver.beyond_limit(ahead) {
            return PlanError::AtLimit { time, joint, limit };
        }
        match self.solver.solve(&tip.goal, near) {
            Err(source) => PlanError::Unreachable { time, source },
            Ok(_) => self.singular(time, near),
        }
    }

    fn singular(&self, time: f64, q: &[f64]) -> PlanError {
        let joints: Vec<String> = self
            .solver
            .moving()
            .iter()
            .map(|&v| {
                let name = &self.solver.arm().velocity_names()[v];
                let place = self.solver.coordinate(v).map_or(f64::NAN, |coordinate| q[coordinate]);
                format!("{name} = {place:.4}")
            })
            .collect();
        PlanError::Singular { time, frame: self.solver.name(), posture: joints.join(", ") }
    }

    /// Rates and accelerations of the joints: `J θ̇ = v`, `J θ̈ = a − J̇ θ̇`, the least where there
    /// are many.
    fn rates(&mut self, tip: &Tip, mut q: Vec<f64>, time: f64) -> Result<Node, PlanError> {
        let (n, rows, reach) = (self.solver.moving().len(), self.path.rows(), self.solver.reach());
        let mut jacobian = vec![0.0; 6 * n];
        let looked = self.solver.posture().look(&mut q, &mut jacobian);
        looked.map_err(|error| PlanError::Unreachable { time, source: error.into() })?;
        let scale = |row: usize| if row < 3 { reach.recip() } else { 1.0 };
        let matrix = DMatrix::from_fn(rows, n, |i, j| jacobian[i * n + j] * scale(i));
        let square = rows == n && self.rank == n;
        let determinant = if square { matrix.determinant() } else { 1.0 };
        let factored = matrix.clone().lu();
        let Some(parts) = singular(&matrix) else { return Err(self.singular(time, &q)) };
        // the rest is for ways in which the joints never move the frame
        let least = parts.singular_values.get(self.rank.saturating_sub(1)).copied();
        if least.is_none_or(|least| least < SINGULAR * parts.singular_values.max()) {
            return Err(self.singular(time, &q));
        }
        let cut = 0.5 * SINGULAR * parts.singular_values.max();
        let solve = |right: &[f64]| {
            let right = DVector::from_fn(rows, |i, _| right[i] * scale(i));
            let solved =
                if square { factored.solve(&right) } else { parts.solve(&right, cut).ok() };
            solved.unwrap_or_else(|| DVector::zeros(n))
        };
        let rates = solve(&tip.twist);
        let mut accelerations = DVector::zeros(n);
        if !self.differentiates {
            let mut u = vec![0.0; self.solver.arm().nv()];
            for (&v, rate) in self.solver.moving().iter().zip(rates.iter()) {
                u[v] = *rate;
            }
            let bias = self.solver.posture().bias(&q, &u);
            let right: Vec<f64> = tip.acceleration.iter().zip(bias).map(|(a, b)| a - b).collect();
            accelerations = solve(&right);
        }
        let jet = |(k, &v): (usize, &usize)| Jet {
            value: self.solver.coordinate(v).map_or(0.0, |coordinate| q[coordinate]),
            rate: rates[k],
            acceleration: accelerations[k],
        };
        let joints = self.solver.moving().iter().enumerate().map(jet).collect();
        Ok(Node { q, joints, determinant })
    }
}

/// Accelerations from the rates of five neighbours.
fn differentiate(nodes: &mut [Node], part: f64) {
    const CENTRE: [f64; 5] = [1.0, -8.0, 0.0, 8.0, -1.0];
    const FIRST: [f64; 5] = [-25.0, 48.0, -36.0, 16.0, -3.0];
    const SECOND: [f64; 5] = [-3.0, -10.0, 18.0, -6.0, 1.0];
    let last = nodes.len() - 1;
    for k in 0..nodes[0].joints.len() {
        let rates: Vec<f64> = nodes.iter().map(|node| node.joints[k].rate).collect();
        let sum = |weights: [f64; 5], at: &dyn Fn(usize) -> usize| {
            weights.iter().enumerate().map(|(j, w)| w * rates[at(j)]).sum::<f64>() / (12.0 * part)
        };
        for i in 0..=last {
            nodes[i].joints[k].acceleration = match (i, last - i) {
                (0, _) => sum(FIRST, &|j| j),
                (1, _) => sum(SECOND, &|j| j),
                (_, 0) => -sum(FIRST, &|j| last - j),
                (_, 1) => -sum(SECOND, &|j| last - j),
                _ => sum(CENTRE, &|j| i + j - 2),
            };
        }
    }
}
