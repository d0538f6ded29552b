//! Functions of time through points.

use super::error::PathError;
use super::profile::TimeScaling;
use super::quintic::{self, Quintic};
use super::shaping::Shaper;
use crate::scalar::Jet;

/// A vector as a function of time, with rates and accelerations: joints (rad, m) or a position (m).
/// It is constant before its start and after its end.
///
/// ```
/// use pliant::plan::{Path, TimeScaling};
///
/// // Akmehmet's task: from (1, 0, 0) to (-0.5, 0.5, 0.5) in 1.6 s
/// let points = [vec![1.0, 0.0, 0.0], vec![-0.5, 0.5, 0.5]];
/// let path = Path::corners(&points, &[1.6], TimeScaling::ParabolicSpeed, 0.0)?;
/// let middle = path.at(0.8);
/// assert!((middle[0].value - 0.25).abs() < 1e-15 && (middle[1].value - 0.25).abs() < 1e-15);
/// # Ok::<(), pliant::plan::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    width: usize,
    /// Where each piece begins, and where the last ends (s).
    times: Vec<f64>,
    pieces: Vec<Piece>,
    /// Where accelerations jump (s).
    breaks: Vec<f64>,
    /// How late (s) and how large the copies are that it is the sum of.
    copies: Vec<(f64, f64)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A straight line from one point to the other.
    Straight { from: Vec<f64>, to: Vec<f64>, profile: TimeScaling },
    /// One polynomial for each component.
    Polynomials(Vec<Quintic>),
}

impl Path {
    /// Straight lines from point to point, at rest in each: Akmehmet's POINT, TF and TAC.
    pub fn corners(
        points: &[Vec<f64>],
        durations: &[f64],
        profile: TimeScaling,
        start: f64,
    ) -> Result<Self, PathError> {
        let width = check(points, durations, start)?;
        let mut path = Self::empty(width, start);
        for (ends, &duration) in points.windows(2).zip(durations) {
            profile.check(duration)?;
            let begin = path.end();
            path.breaks.extend(profile.jumps(duration).iter().map(|t| begin + t));
            let (from, to) = (ends[0].clone(), ends[1].clone());
            path.push(duration, Piece::Straight { from, to, profile });
            path.breaks.push(path.end());
        }
        Ok(path)
    }

    /// Straight lines at constant speed with parabolic blends of one duration (s). It starts and
    /// ends at the first and last point, and passes near the others.
    pub fn blended(
        points: &[Vec<f64>],
        durations: &[f64],
        blend: f64,
        start: f64,
    ) -> Result<Self, PathError> {
        let width = check(points, durations, start)?;
        let last = durations.len() - 1;
        // what the parabolas leave of each line
        let lost = |i: usize| {
            let end = |is_end: bool| if is_end { blend } else { 0.5 * blend };
            end(i == 0) + end(i == last)
        };
        let mut speeds = vec![vec![0.0; width]];
        for (i, &duration) in durations.iter().enumerate() {
            if !(blend > 0.0 && lost(i) <= duration) {
                return Err(PathError::Blend { blend, duration, needed: lost(i) });
            }
            // parabolas at the ends cover half of what the line would in their time
            let ends = f64::from(u8::from(i == 0)) + f64::from(u8::from(i == last));
            let time = duration - 0.5 * blend * ends;
            speeds.push((0..width).map(|k| (points[i + 1][k] - points[i][k]) / time).collect());
        }
        speeds.push(vec![0.0; width]);
        let mut path = Self::empty(width, start);
        let mut place = points[0].clone();
        for i in 0..=durations.len() {
            let (before, after) = (&speeds[i], &speeds[i + 1]);
            let parabola = (0..width).map(|k| {
                [place[k], before[k], 0.5 * (after[k] - before[k]) / blend, 0.0, 0.0, 0.0]
            });
            path.push(blend, Piece::Polynomials(parabola.collect()));
            path.breaks.push(path.end());
            for k in 0..width {
                place[k] += 0.5 * (before[k] + after[k]) * blend;
            }
            let Some(rest) = durations.get(i).map(|duration| duration - lost(i)) else {
                break;
            };
            if rest > 0.0 {
                let line = (0..width).map(|k| [place[k], after[k], 0.0, 0.0, 0.0, 0.0]);
                path.push(rest, Piece::Polynomials(line.collect()));
                path.breaks.push(path.end());
                for k in 0..width {
                    place[k] += after[k] * rest;
                }
            }
        }
        Ok(path)
    }

    /// Fifth-degree polynomials through points with given rates and accelerations.
    pub fn quintic(knots: &[Vec<Jet>], durations: &[f64], start: f64) -> Result<Self, PathError> {
        let points: Vec<Vec<f64>> =
            knots.iter().map(|knot| knot.iter().map(|jet| jet.value).collect()).collect();
        check(&points, durations, start)?;
        let ends: Vec<[Vec<Jet>; 2]> =
            knots.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        let end = start + durations.iter().sum::<f64>();
        Ok(Self::quintic_pieces(&ends, durations, start, vec![start, end]))
    }

    /// Through all points from rest to rest with minimum integral of squared jerk: piecewise of
    /// fifth degree, continuous up to the fourth derivative.
    pub fn minimum_jerk(
        points: &[Vec<f64>],
        durations: &[f64],
        start: f64,
    ) -> Result<Self, PathError> {
        check(points, durations, start)?;
        let knots = quintic::least_jerk(points, durations).ok_or(PathError::NoSpline)?;
        Self::quintic(&knots, durations, start)
    }

    fn empty(width: usize, start: f64) -> Self {
        let copies = vec![(0.0, 1.0)];
        Self { width, times: vec![start], pieces: Vec::new(), breaks: vec![start], copies }
    }

    fn push(&mut self, duration: f64, piece: Piece) {
        self.times.push(self.end() + duration);
        self.pieces.push(piece);
    }

    /// From the two ends of each piece.
    pub(super) fn quintic_pieces(
        ends: &[[Vec<Jet>; 2]],
        durations: &[f64],
        start: f64,
        breaks: Vec<f64>,
    ) -> Self {
        let width = ends.first().map_or(0, |ends| ends[0].len());
        let mut path = Self::empty(width, start);
        for ([from, to], &duration) in ends.iter().zip(durations) {
            let between = |k: usize| quintic::between(from[k], to[k], duration);
            path.push(duration, Piece::Polynomials((0..width).map(between).collect()));
        }
        Self { breaks, ..path }
    }

    /// The number of components.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The start time (s).
    pub fn start(&self) -> f64 {
        self.times[0]
    }

    /// The end time (s).
    pub fn end(&self) -> f64 {
        self.times[self.times.len() - 1] + self.copies.last().map_or(0.0, |copy| copy.0)
    }

    /// The path convolved with the impulses of a shaper: it ends later, at the same point.
    #[must_use]
    pub fn shaped(&self, shaper: &Shaper) -> Self {
        let whole = Shaper { impulses: self.copies.clone() }.then(shaper);
        let late = |&break_: &f64| shaper.impulses.iter().map(move |(late, _)| break_ + late);
        let mut breaks: Vec<f64> = self.breaks.iter().flat_map(late).collect();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        Self { breaks, copies: whole.impulses, ..self.clone() }
    }

    /// The instants at which accelerations may jump (s), ascending.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// All components at a time (s); where accelerations jump, the right-hand limits.
    pub fn at(&self, t: f64) -> Vec<Jet> {
        (0..self.width).map(|k| self.component(k, t, false)).collect()
    }

    /// All components just before a time (s).
    pub fn before(&self, t: f64) -> Vec<Jet> {
        (0..self.width).map(|k| self.component(k, t, true)).collect()
    }

    /// One component at a time (s), or just before it.
    ///
    /// # Panics
    /// When there is no such component.
    pub fn component(&self, k: usize, t: f64, is_before: bool) -> Jet {
        let mut sum = Jet::default();
        for &(late, size) in &self.copies {
            let one = self.unshaped(k, t - late, is_before);
            sum.value += size * one.value;
            sum.rate += size * one.rate;
            sum.acceleration += size * one.acceleration;
        }
        sum
    }

    /// A component of the path before it was shaped.
    fn unshaped(&self, k: usize, t: f64, is_before: bool) -> Jet {
        let past = self.times.partition_point(|&time| time < t || (time == t && !is_before));
        let still = |jet: Jet| Jet { value: jet.value, ..Jet::default() };
        match past.checked_sub(1) {
            None => still(self.inside(0, k, 0.0, false)),
            Some(i) if i >= self.pieces.len() => {
                let last = self.pieces.len() - 1;
                still(self.inside(last, k, self.times[last + 1] - self.times[last], true))
            }
            Some(i) => self.inside(i, k, t - self.times[i], is_before),
        }
    }

    /// A component at a time since the start of a piece, or just before it.
    fn inside(&self, piece: usize, k: usize, s: f64, is_before: bool) -> Jet {
        match &self.pieces[piece] {
            Piece::Polynomials(all) => quintic::at(&all[k], s),
            Piece::Straight { from, to, profile } => {
                let duration = self.times[piece + 1] - self.times[piece];
                let way = profile.beside(s, duration, is_before);
                let reach = to[k] - from[k];
                Jet {
                    value: from[k] + reach * way.value,
                    rate: reach * way.rate,
                    acceleration: reach * way.acceleration,
                }
            }
        }
    }
}

/// How many components all points have; refuses what makes no path.
fn check(points: &[Vec<f64>], durations: &[f64], start: f64) -> Result<usize, PathError> {
    let (count, needed) = (points.len(), durations.len() + 1);
    if count < 2 || count != needed {
        return Err(PathError::Points { points: count, durations: durations.len() });
    }
    let width = points[0].len();
    if let Some(i) = points.iter().position(|point| point.len() != width) {
        let given = points[i].len();
        return Err(PathError::Width { point: i, given, needed: width });
    }
    let numbers = points.iter().flatten().chain(durations).chain([&start]);
    if let Some(&value) = numbers.into_iter().find(|number| !number.is_finite()) {
        return Err(PathError::NotFinite { value });
    }
    match durations.iter().position(|&duration| duration <= 0.0) {
        Some(stretch) => Err(PathError::NoDuration { stretch, duration: durations[stretch] }),
        None => Ok(width),
    }
}
