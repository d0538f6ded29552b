//! Where a frame is: positions, turns, Denavit-Hartenberg rows.

use super::keys;
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::shapes::{Angle, Length, Number, Word, words};
use crate::table::{Table, table};
use crate::units;
use pliant::arm::{DhConvention, DhRow, DhVariable, Link};
use pliant::spatial::{Mat3, Pose, Quaternion, Vec3, axis_rotation, euler_xyz};

/// A matrix nearer to a rotation than this is taken to be one that was rounded.
const ROUNDED: f64 = 1e-5;

/// A placement, as a table or as a position alone.
pub(super) fn placement(reader: &mut Reader, key: &str, node: &Node) -> Option<Pose<f64>> {
    if let Value::List(_) = node.value {
        let position = reader.numbers(key, node, &units::LENGTH)?;
        return Some(Pose::new(Mat3::IDENTITY, Vec3::from(position)));
    }
    let fields = reader.fields(key, node, &keys::PLACEMENT)?;
    pose(reader, &fields)
}

/// The pose that the keys `position` and those of a turn describe.
pub(crate) fn pose(reader: &mut Reader, fields: &Fields<'_>) -> Option<Pose<f64>> {
    let position = match fields.get("position") {
        Some(node) => reader.numbers("position", node, &units::LENGTH),
        None => Some([0.0; 3]),
    };
    let rotation = turn(reader, fields);
    Some(Pose::new(rotation?, Vec3::from(position?)))
}

/// The rotation that the keys of a turn describe.
pub(crate) fn turn(reader: &mut Reader, fields: &Fields<'_>) -> Option<Mat3<f64>> {
    let forms = ["rpy", "rotation", "quaternion", "axis"];
    let form = reader.at_most_one(fields, &forms, "a turn is given in one way");
    if form != Some("axis")
        && let Some(entry) = fields.entry("angle")
    {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "there is an angle but no axis to turn about")
                .at(entry.key_span.clone())
                .help("add axis = \"z\", or use rpy = [0, 0, \"90 deg\"]"),
        );
        return None;
    }
    let Some((form, node)) = form.and_then(|form| Some((form, fields.get(form)?))) else {
        return Some(Mat3::IDENTITY);
    };
    match form {
        "rpy" => {
            let [roll, pitch, yaw] = reader.numbers("rpy", node, &units::ANGLE)?;
            Some(euler_xyz(roll, pitch, yaw))
        }
        "rotation" => {
            let rows = reader.matrix("rotation", node, &units::NUMBER)?;
            Some(orthonormal(Mat3::from_rows(rows)))
        }
        "quaternion" => {
            let numbers: [f64; 4] = reader.numbers("quaternion", node, &units::NUMBER)?;
            attitude(reader, node, &numbers)
        }
        _ => axis_and_angle(reader, fields, node),
    }
}

fn axis_and_angle(reader: &mut Reader, fields: &Fields<'_>, axis: &Node) -> Option<Mat3<f64>> {
    let direction = reader.axis("axis", axis).map(Vec3::from);
    let Some(angle) = fields.get("angle") else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "there is an axis but no angle to turn by")
                .at(axis.span.clone())
                .help("add angle = \"90 deg\""),
        );
        return None;
    };
    let angle = reader.number("angle", angle, &units::ANGLE);
    let (direction, angle) = (direction?, angle?);
    let length = direction.norm();
    if length < 1e-12 {
        reader.push(
            Problem::error(&codes::ZERO_AXIS, "the axis has no direction: [0, 0, 0]")
                .at(axis.span.clone())
                .label("all zero")
                .help("give the direction to turn about, such as \"z\" or [0, 0, 1]"),
        );
        return None;
    }
    let (sin, cos) = pliant::scalar::Scalar::sin_cos(angle);
    Some(axis_rotation(direction * (1.0 / length), sin, cos))
}

/// The rotation of a quaternion that has about unit length.
pub(crate) fn attitude(reader: &mut Reader, node: &Node, q: &[f64; 4]) -> Option<Mat3<f64>> {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if (length - 1.0).abs() > 1e-3 {
        reader.push(
            Problem::error(
                &codes::NOT_A_QUATERNION,
                format!("the quaternion has the length {length:.4}, wanted is 1"),
            )
            .at(node.span.clone())
            .help("the order is [w, x, y, z]; no turn is [1, 0, 0, 0]"),
        );
        return None;
    }
    Some(Quaternion::from_slice(q).to_matrix())
}

/// The rotation next to a matrix that was rounded; another matrix stays as it is, and the builder
/// refuses it.
fn orthonormal(matrix: Mat3<f64>) -> Mat3<f64> {
    let unit = matrix.transpose_matmul(&matrix) - Mat3::IDENTITY;
    let error = unit.columns.iter().map(|c| c.norm()).fold(0.0, f64::max);
    if error > 1e-14 && error < ROUNDED {
        Quaternion::from_matrix(&matrix).to_matrix()
    } else {
        matrix
    }
}

words! { DhConvention: "standard" => DhConvention::Standard, "modified" => DhConvention::Modified }

table! {
    /// Denavit-Hartenberg parameters. The joint's coordinate is added to theta (revolute) or to d
    /// (prismatic).
    pub(crate) struct Dh = "a row of Denavit-Hartenberg parameters",
        "write { theta = 0, d = \"10 mm\", a = \"0.5 m\", alpha = \"90 deg\" }";
    keys {
        /// Turn about z.
        theta: Number<Angle> [= 0.0],
        /// Shift along z.
        d: Number<Length> [= 0.0],
        /// Shift along x.
        a: Number<Length> [= 0.0],
        /// Turn about x.
        alpha: Number<Angle> [= 0.0],
        /// "standard" (link frame at the far end: theta, d, a, alpha) or "modified" (link frame at
        /// the joint: alpha, a, theta, d).
        convention: Word<DhConvention> [= DhConvention::Standard],
    }
}

impl Dh {
    /// The row, where all of it is right.
    fn row(&self) -> Option<(DhConvention, DhRow)> {
        let Self { theta, d, a, alpha, convention, .. } = self;
        let row = DhRow { theta: theta.value?, d: d.value?, a: a.value?, alpha: alpha.value? };
        Some((convention.value?, row))
    }
}

/// Describes a link by a Denavit-Hartenberg row; its joint is revolute unless it says otherwise.
pub(super) fn denavit_hartenberg(reader: &mut Reader, node: &Node, link: Link) -> Link {
    match Dh::read(reader, "dh", node).and_then(|dh| dh.row()) {
        Some((convention, row)) => link.dh(convention, row, DhVariable::Theta),
        None => link,
    }
}
