//! Where the mass points and frames of an arm are, from the definitions of the joints alone.
//!
//! Own small matrices on purpose: nothing of `pliant::spatial` but the numbers of a description.

use crate::description::{Description, LinkData, Mass};
use pliant::arm::Joint;
use pliant::nalgebra::{Matrix3, SymmetricEigen};
use pliant::scalar::Scalar;
use pliant::spatial::Pose;

pub(super) type V<S> = [S; 3];
type R<S> = [[S; 3]; 3];

/// A frame in the world: rows of the rotation, and the origin.
#[derive(Clone, Copy)]
pub(super) struct Frame<S> {
    pub(super) rotation: R<S>,
    pub(super) origin: V<S>,
}

/// A point mass in the link frame.
pub(super) struct Point {
    pub(super) kilograms: f64,
    pub(super) place: [f64; 3],
}

/// Seven points with the mass, centre and tensor of a body: pairs on its principal axes, and one
/// at its centre. With `W = ½ tr(I) 1 − I = Σ w vvᵀ`, a pair at `±d v` has the mass `w/(2d²)` each.
pub(super) fn points(body: &Mass) -> Vec<Point> {
    let tensor = Matrix3::from_fn(|i, j| body.tensor[i][j]);
    let w = Matrix3::identity() * (0.5 * tensor.trace()) - tensor;
    let eigen = SymmetricEigen::new(w);
    let distance = (3.0 * eigen.eigenvalues.max() / body.kilograms).sqrt();
    let mut left = body.kilograms;
    let mut points = Vec::new();
    if distance > 0.0 {
        for k in 0..3 {
            let kilograms = 0.5 * eigen.eigenvalues[k] / (distance * distance);
            left -= 2.0 * kilograms;
            for sign in [1.0, -1.0] {
                let axis = eigen.eigenvectors.column(k);
                let place = [0, 1, 2].map(|i| body.centre[i] + sign * distance * axis[i]);
                points.push(Point { kilograms, place });
            }
        }
    }
    points.push(Point { kilograms: left, place: body.centre });
    points
}

/// The link frames of an arm in the world.
pub(super) fn frames<S: Scalar>(description: &Description, q: &[S]) -> Vec<Frame<S>> {
    let ground = Frame { rotation: diagonal(S::ONE), origin: [S::ZERO; 3] };
    let mut frames: Vec<Frame<S>> = Vec::new();
    let mut rest = q;
    for link in &description.links {
        let (own, others) = rest.split_at(link.joint.nq());
        rest = others;
        let parent = link.parent.map_or(ground, |p| frames[p]);
        frames.push(
            parent
                .then(&Frame::fixed(&link.placement))
                .then(&across(link, own))
                .then(&Frame::fixed(&link.outboard)),
        );
    }
    frames
}

/// The outboard frame of a joint in its inboard frame.
fn across<S: Scalar>(link: &LinkData, q: &[S]) -> Frame<S> {
    let zero = [S::ZERO; 3];
    let (rotation, origin) = match link.joint {
        Joint::Fixed => (diagonal(S::ONE), zero),
        Joint::Revolute { axis } => (turn(axis, q[0]), zero),
        Joint::Prismatic { axis } => (diagonal(S::ONE), unit::<S>(axis).map(|e| e * q[0])),
        Joint::Cylindrical { axis } => (turn(axis, q[1]), unit::<S>(axis).map(|e| e * q[0])),
        Joint::Universal { first, second } => {
            (product(&turn(first, q[0]), &turn(second, q[1])), zero)
        }
        Joint::Planar => (turn([0.0, 0.0, 1.0], q[2]), [q[0], q[1], S::ZERO]),
        Joint::Spherical => (attitude(q), zero),
        Joint::Free => (attitude(&q[3..]), [q[0], q[1], q[2]]),
    };
    Frame { rotation, origin }
}

impl<S: Scalar> Frame<S> {
    pub(super) fn fixed(pose: &Pose<f64>) -> Self {
        Self {
            rotation: pose.rotation.to_rows().map(|row| row.map(S::from_f64)),
            origin: pose.position.to_array().map(S::from_f64),
        }
    }

    pub(super) fn then(&self, inner: &Self) -> Self {
        Self {
            rotation: product(&self.rotation, &inner.rotation),
            origin: self.place(inner.origin),
        }
    }

    /// Where a point given in this frame is.
    pub(super) fn place(&self, point: V<S>) -> V<S> {
        [0, 1, 2].map(|i| self.origin[i] + dot(self.rotation[i], point))
    }
}

pub(super) fn dot<S: Scalar>(a: V<S>, b: V<S>) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit<S: Scalar>(axis: [f64; 3]) -> V<S> {
    let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
    axis.map(|c| S::from_f64(c / length))
}

fn diagonal<S: Scalar>(d: S) -> R<S> {
    let o = S::ZERO;
    [[d, o, o], [o, d, o], [o, o, d]]
}

fn product<S: Scalar>(a: &R<S>, b: &R<S>) -> R<S> {
    a.map(|row| [0, 1, 2].map(|j| dot(row, b.map(|b_row| b_row[j]))))
}

/// `cos θ 1 + (1 − cos θ) eeᵀ + sin θ ê`.
fn turn<S: Scalar>(axis: [f64; 3], angle: S) -> R<S> {
    let (sin, cos) = angle.sin_cos();
    let e: V<S> = unit(axis);
    let mut r = diagonal(cos);
    for i in 0..3 {
        for j in 0..3 {
            r[i][j] += (S::ONE - cos) * e[i] * e[j];
        }
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        r[k][j] += sin * e[i];
        r[j][k] -= sin * e[i];
    }
    r
}

/// The rotation `x ↦ q x q*` of a unit quaternion: `(w² − v·v) 1 + 2vvᵀ + 2w v̂`.
fn attitude<S: Scalar>(q: &[S]) -> R<S> {
    let two = S::from_f64(2.0);
    let (w, v) = (q[0], [q[1], q[2], q[3]]);
    let mut r = diagonal(w * w - dot(v, v));
    for i in 0..3 {
        for j in 0..3 {
            r[i][j] += two * v[i] * v[j];
        }
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        r[k][j] += two * w * v[i];
        r[j][k] -= two * w * v[i];
    }
    r
}
