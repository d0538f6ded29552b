//! All postures that reach a goal.

use super::closed_form::{self, Closed, Screw};
use super::error::IkError;
use super::goal::{IkGoal, IkResidual};
use super::solver::{IkSolution, IkSolver};
use crate::spatial::Vec3;
use std::f64::consts::{PI, TAU};

/// Solutions whose joints are nearer than this are one (rad, parts of the reach).
const ALIKE: f64 = 1e-6;

/// How solutions were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IkMethod {
    /// In closed form: these are all.
    ClosedForm,
    /// By searches from so many starts: there may be more.
    Searches(usize),
}

/// The distinct postures that reach a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct IkSolutions {
    /// The postures, the nearest to the asked one first.
    pub solutions: Vec<IkSolution>,
    /// How they were found.
    pub method: IkMethod,
    /// How many more the closed form has, which leave the limits of the joints.
    pub beyond_limits: usize,
    /// How many joints more than needed move the frame: with any, these are some of infinitely many
    /// solutions.
    pub redundancy: usize,
    /// Whether infinitely many postures reach the goal although no joint is more than needed, since
    /// axes are in line there.
    pub is_singular: bool,
}

impl IkSolver<'_> {
    /// The distinct solutions for a goal: in closed form where there is one, otherwise those of
    /// searches from `near` and further starts, whose places follow from the seed. Joints that do
    /// not move the frame keep their positions of `near`; angles without limits are between −π and
    /// π.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::plan::{IkGoal, IkMethod, IkSolver};
    /// use pliant::spatial::Pose;
    ///
    /// let z = [0.0, 0.0, 1.0];
    /// let arm = Builder::new("planar")
    ///     .link(Link::new("upper").joint(Joint::revolute(z)).payload(1.0, [1.0, 0.0, 0.0]))
    ///     .link(Link::new("fore").placed(Pose::at(1.0, 0.0, 0.0)).joint(Joint::revolute(z)))
    ///     .link(Link::new("hand").placed(Pose::at(1.0, 0.0, 0.0)))
    ///     .build()?;
    /// let mut solver = IkSolver::new(&arm, arm.frame("hand")?)?;
    /// let found = solver.solutions(&IkGoal::Place([1.0, 1.0, 0.0].into()), &[0.0, 0.0], 20, 0)?;
    /// assert_eq!((found.method, found.solutions.len()), (IkMethod::ClosedForm, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solutions(
        &mut self,
        goal: &IkGoal,
        near: &[f64],
        starts: usize,
        seed: u64,
    ) -> Result<IkSolutions, IkError> {
        self.arm().check_configuration(near)?;
        let redundancy = self.moving().len() - self.rank(goal.rows(), near);
        let closed = self.in_closed_form(goal, near);
        let is_singular = matches!(closed, Some(None));
        let (mut solutions, beyond_limits) = closed.flatten().unwrap_or_default();
        let method = if solutions.is_empty() {
            let searched = self.search(goal, near, starts, seed);
            solutions = searched.map_err(|error| match beyond_limits {
                0 => error,
                count => IkError::BeyondLimits { count, source: Box::new(error) },
            })?;
            IkMethod::Searches(starts)
        } else {
            IkMethod::ClosedForm
        };
        let far = |solution: &IkSolution| -> f64 {
            solution.q.iter().zip(near).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        solutions.sort_by(|a, b| far(a).total_cmp(&far(b)));
        Ok(IkSolutions { solutions, method, beyond_limits, redundancy, is_singular })
    }

    /// All solutions within the limits, and how many are beyond; the inner is none where infinitely
    /// many reach the goal.
    #[expect(clippy::option_option, reason = "no closed form, or no finite number of solutions")]
    fn in_closed_form(
        &mut self,
        goal: &IkGoal,
        near: &[f64],
    ) -> Option<Option<(Vec<IkSolution>, usize)>> {
        if self.posture().sags() {
            return None;
        }
        let count = self.moving().len();
        let mut q = near.to_vec();
        self.put(&mut q, std::iter::repeat_n(0.0, count));
        let mut jacobian = vec![0.0; 6 * count];
        let zero = self.posture().look(&mut q, &mut jacobian).ok()?;
        let column = |row: usize, k: usize| jacobian[row * count + k];
        let screw = |k: usize| {
            let speed = Vec3::new(column(0, k), column(1, k), column(2, k));
            let axis = Vec3::new(column(3, k), column(4, k), column(5, k));
            // v = k × (p − r), so (p − r)⊥ = v × k; a slide has no axis to turn about
            let point = zero.position - speed.cross(axis);
            ((axis.norm() - 1.0).abs() < ALIKE).then_some(Screw { point, axis })
        };
        let screws = (0..count).map(screw).collect::<Option<Vec<_>>>()?;
        let all = match closed_form::solve(&screws, &zero, goal, self.reach())? {
            Closed::All(all) => all,
            Closed::Infinite => return Some(None),
        };
        let (mut solutions, mut beyond) = (Vec::new(), Vec::new());
        for angles in all {
            let places = self.within(&angles);
            let is_within = places.is_some();
            self.put(&mut q, places.unwrap_or(angles).into_iter());
            // rounding grows where axes are almost in line
            let left = if is_within { self.refine(goal, &mut q) } else { Some(IkResidual::NONE) };
            if let Some(left) = left {
                let kept = if is_within { &mut solutions } else { &mut beyond };
                self.add(kept, IkSolution { q: q.clone(), left, steps: 0, searches: 0 });
            }
        }
        Some(Some((solutions, beyond.len())))
    }

    /// The solutions of searches.
    fn search(
        &mut self,
        goal: &IkGoal,
        near: &[f64],
        starts: usize,
        seed: u64,
    ) -> Result<Vec<IkSolution>, IkError> {
        let mut solutions = Vec::new();
        for start in 0..starts {
            let Some((mut q, left, steps)) = self.one_search(goal, near, start, seed) else {
                continue;
            };
            if let Some(places) = self.within(&self.places(&q)) {
                self.put(&mut q, places.into_iter());
            }
            self.add(&mut solutions, IkSolution { q, left, steps, searches: start + 1 });
        }
        if solutions.is_empty() {
            // it tells how near the frame comes
            solutions.push(self.solve(goal, near)?);
        }
        Ok(solutions)
    }

    /// The same angles within the limits of their joints, if they can be.
    fn within(&self, places: &[f64]) -> Option<Vec<f64>> {
        let turns: Vec<bool> = self.moving().iter().map(|&v| self.arm().turns(v)).collect();
        let joint = |((place, turns), [lower, upper]): ((f64, bool), [f64; 2])| {
            if !turns {
                return (lower..=upper).contains(&place).then_some(place);
            }
            // about zero, or the middle of the limits
            let middle =
                if lower.is_finite() && upper.is_finite() { 0.5 * (lower + upper) } else { 0.0 };
            let turned = place - TAU * ((place - middle) / TAU).round();
            let slack = ALIKE * PI;
            let fits = |angle: &f64| *angle >= lower - slack && *angle <= upper + slack;
            let other = [turned, turned - TAU, turned + TAU].into_iter().find(fits)?;
            Some(other.clamp(lower, upper))
        };
        places.iter().copied().zip(turns).zip(self.ranges()).map(joint).collect()
    }

    /// Keeps a solution unless it is there already.
    fn add(&self, known: &mut Vec<IkSolution>, found: IkSolution) {
        let places = self.places(&found.q);
        let scale: Vec<f64> = self
            .moving()
            .iter()
            .map(|&v| if self.arm().turns(v) { 1.0 } else { self.reach() })
            .collect();
        let is_alike = |other: &IkSolution| {
            let pairs = self.places(&other.q).into_iter().zip(&places).zip(&scale);
            let mut gaps = pairs.zip(self.moving()).map(|(((a, b), scale), &v)| {
                let gap = (a - b).abs();
                let gap = if self.arm().turns(v) { gap - TAU * (gap / TAU).round() } else { gap };
                gap.abs() / scale
            });
            gaps.all(|gap| gap < ALIKE)
        };
        if !known.iter().any(is_alike) {
            known.push(found);
        }
    }
}
