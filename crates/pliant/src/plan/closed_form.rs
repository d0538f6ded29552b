//! Inverse kinematics in closed form, for chains of revolute joints whose axes make it possible.
//!
//! `T(θ) = E₁(θ₁) … Eₙ(θₙ) T(0)`, where `Eᵢ` turns about the axis of joint i as it stands at zero:
//! through the point `rᵢ`, along `kᵢ`. Closed forms are known for
//!
//! - a place, two joints with parallel axes;
//! - a place, three joints, the second and third parallel: `k₂ · E₁⁻¹ p` does not depend on them,
//!   which gives `θ₁`; the rest is a triangle;
//! - a pose, six joints, the second and third parallel, the last three through one point: the first
//!   three bring this point to its place, the last three turn;
//! - a pose, six joints, the second, third and fourth parallel, the last two through one point:
//!   `k₂ · E₁⁻¹ c` of that point gives `θ₁`, `k₂ · R₁ᵀ R k₆` gives `θ₅`, `R₁ᵀ` of the whole `θ₆`,
//!   and the parallel joints are a triangle with a given sum.

use super::goal::IkGoal;
use super::subproblem::{along, distant, rotation, turn};
use crate::spatial::{Mat3, Pose, Vec3};

/// Axes are parallel, and meet, within this (rad, parts of the reach).
const EXACT: f64 = 1e-9;

/// A joint at zero: a point of its axis (m), and its direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screw {
    pub(super) point: Vec3<f64>,
    pub(super) axis: Vec3<f64>,
}

impl Screw {
    /// Where a point goes.
    fn turned(&self, angle: f64, place: Vec3<f64>) -> Vec3<f64> {
        self.point + rotation(self.axis, angle) * (place - self.point)
    }

    fn is_parallel(&self, other: &Self) -> bool {
        self.axis.cross(other.axis).norm() < EXACT
    }
}

/// What is known in closed form.
pub(super) enum Closed {
    /// All joint angles that reach a goal, perhaps none.
    All(Vec<Vec<f64>>),
    /// Infinitely many reach it: axes are in line.
    Infinite,
}

impl Closed {
    fn of<const N: usize>(angles: Option<Vec<[f64; N]>>) -> Self {
        angles.map_or(Self::Infinite, |all| Self::All(all.iter().map(|one| one.to_vec()).collect()))
    }
}

/// The joint angles that reach a goal, if there is a closed form. `zero` is the pose of the frame
/// when all joints are at zero.
pub(super) fn solve(
    screws: &[Screw],
    zero: &Pose<f64>,
    goal: &IkGoal,
    reach: f64,
) -> Option<Closed> {
    match (screws, goal) {
        (&[first, second], IkGoal::Place(place)) if first.is_parallel(&second) => {
            // both turn in one plane
            let height = first.axis.dot(*place - zero.position);
            let is_off = height.abs() > EXACT * reach;
            let pairs = (!is_off).then(|| triangle(&first, &second, zero.position, *place));
            Some(Closed::of(pairs.unwrap_or(Some(Vec::new()))))
        }
        (&[first, second, third], IkGoal::Place(place)) => {
            let bends = second.is_parallel(&third) && !first.is_parallel(&second);
            let screws = [first, second, third];
            bends.then(|| Closed::of(three(&screws, zero.position, *place)))
        }
        (&[a, b, c, d, e, f], IkGoal::Pose(pose)) => {
            // what the joints turn, whatever the attitude at zero
            let whole = pose.rotation.matmul(&zero.rotation.transpose());
            let image = |point: Vec3<f64>| pose.position + whole * (point - zero.position);
            if !b.is_parallel(&c) || a.is_parallel(&b) {
                return None;
            }
            if let Some(centre) = meeting(&[d, e, f], reach) {
                let hand = [d, e, f];
                return Some(Closed::of(wrist(&[a, b, c], &hand, centre, image(centre), &whole)));
            }
            let centre = meeting(&[e, f], reach).filter(|_| b.is_parallel(&d))?;
            Some(Closed::of(parallel(&[a, b, c, d, e, f], centre, image(centre), &whole)))
        }
        _ => None,
    }
}

/// The point in which axes meet.
fn meeting(screws: &[Screw], reach: f64) -> Option<Vec3<f64>> {
    let [first, second, ..] = screws else { return None };
    // the points of both axes that are nearest to each other
    let (way, normal) = (second.point - first.point, first.axis.cross(second.axis));
    let square = normal.dot(normal);
    if square < EXACT {
        return None;
    }
    let along = way.cross(second.axis).dot(normal) / square;
    let point = first.point + first.axis * along;
    let is_on = |screw: &Screw| (point - screw.point).cross(screw.axis).norm() < EXACT * reach;
    screws.iter().all(is_on).then_some(point)
}

/// The angles of two joints with parallel axes that bring a point to a place.
fn triangle(inner: &Screw, outer: &Screw, from: Vec3<f64>, to: Vec3<f64>) -> Option<Vec<[f64; 2]>> {
    let wide = (to - inner.point).norm();
    let mut pairs = Vec::new();
    for bent in distant(outer.axis, from - outer.point, inner.point - outer.point, wide)? {
        let there = outer.turned(bent, from);
        let angle = turn(inner.axis, there - inner.point, to - inner.point)?;
        pairs.push([angle, bent]);
    }
    Some(pairs)
}

/// The angles of three joints, the outer two with parallel axes, that bring a point to a place.
fn three(screws: &[Screw; 3], from: Vec3<f64>, to: Vec3<f64>) -> Option<Vec<[f64; 3]>> {
    let [first, second, third] = screws;
    let height = second.axis.dot(from - first.point);
    let mut all = Vec::new();
    for back in along(first.axis, to - first.point, second.axis, height)? {
        let seen = first.turned(back, to);
        let pairs = triangle(second, third, from, seen)?;
        all.extend(pairs.into_iter().map(|[inner, outer]| [-back, inner, outer]));
    }
    Some(all)
}

/// Six joints, the last three through one point, which is to be at a place.
fn wrist(
    arm: &[Screw; 3],
    hand: &[Screw; 3],
    centre: Vec3<f64>,
    place: Vec3<f64>,
    whole: &Mat3<f64>,
) -> Option<Vec<[f64; 6]>> {
    let [fourth, fifth, sixth] = hand.map(|screw| screw.axis);
    let mut all = Vec::new();
    for angles in three(arm, centre, place)? {
        // R₄ R₅ R₆ = (R₁ R₂ R₃)ᵀ R
        let turned = product(arm.iter().zip(angles));
        let rest = turned.transpose_matmul(whole);
        let pointing = rest * sixth;
        for tilt in along(fifth, sixth, fourth, fourth.dot(pointing))? {
            let tilted = rotation(fifth, tilt) * sixth;
            let roll = turn(fourth, tilted, pointing)?;
            let spin = last(&rotation(fourth, roll).matmul(&rotation(fifth, tilt)), sixth, &rest)?;
            let [first, second, third] = angles;
            all.push([first, second, third, roll, tilt, spin]);
        }
    }
    Some(all)
}

/// Six joints, the second to fourth parallel, the last two through one point, which is to be at a
/// place.
fn parallel(
    screws: &[Screw; 6],
    centre: Vec3<f64>,
    place: Vec3<f64>,
    whole: &Mat3<f64>,
) -> Option<Vec<[f64; 6]>> {
    let [first, second, third, fourth, fifth, sixth] = screws;
    let (common, tilting, spinning) = (second.axis, fifth.axis, sixth.axis);
    let height = common.dot(centre - first.point);
    let mut all = Vec::new();
    for back in along(first.axis, place - first.point, common, height)? {
        let seen = first.turned(back, place);
        // R₂ R₃ R₄ R₅ R₆ = R₁ᵀ R
        let rest = rotation(first.axis, back).matmul(whole);
        for tilt in along(tilting, spinning, common, common.dot(rest * spinning))? {
            let tilted = rotation(tilting, tilt);
            // R₆ᵀ R₅ᵀ k₂ = (R₁ᵀ R)ᵀ k₂
            let spin = -turn(spinning, tilted.transpose_mul(common), rest.transpose_mul(common))?;
            let hand = tilted.matmul(&rotation(spinning, spin));
            let plane = rest.matmul(&hand.transpose());
            let across = common.cross(tilting);
            let sum = turn(common, across, plane * across)?;
            let end = seen - plane * (centre - fourth.point);
            for [inner, outer] in triangle(second, third, fourth.point, end)? {
                // θ₂ ± θ₃ ± θ₄, by the sense of the axes
                let [sense, last] = [third, fourth].map(|screw| screw.axis.dot(common).signum());
                let wrist = last * (sum - inner - sense * outer);
                all.push([-back, inner, outer, wrist, tilt, spin]);
            }
        }
    }
    Some(all)
}

/// The angle of the last joint, which brings what the others turn to the whole rotation.
fn last(others: &Mat3<f64>, axis: Vec3<f64>, whole: &Mat3<f64>) -> Option<f64> {
    let across = crate::spatial::turn_taking_z_to(axis).columns[0];
    turn(axis, across, others.transpose_mul(*whole * across))
}

fn product<'a>(joints: impl Iterator<Item = (&'a Screw, f64)>) -> Mat3<f64> {
    joints
        .fold(Mat3::IDENTITY, |before, (screw, angle)| before.matmul(&rotation(screw.axis, angle)))
}
