//! Where a frame is: positions, turns, Denavit-Hartenberg rows.

use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Angle, Axis, Either, Flat, FourNumbers, Length, Matrix, Number, Or, Vector, Word, words,
};
use crate::table::{Field, table};
use pliant::arm::{DhConvention, DhRow, DhVariable, Link};
use pliant::spatial::{Mat3, Pose, Quaternion, Vec3, euler_xyz, roll_pitch_yaw, turn_about};
use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

/// A matrix nearer to a rotation than this is taken to be one that was rounded.
const ROUNDED: f64 = 1e-5;

table! {
    /// How a frame is turned: in one way, or not at all.
    pub(crate) struct Turn = "an attitude", "write { rpy = [0, 0, \"90 deg\"] }";
    keys {
        /// Roll, pitch, yaw: rotations about the fixed axes x, then y, then z.
        rpy: Vector<Angle> [or "no rotation"],
        /// A rotation matrix by rows; its columns are the rotated axes.
        rotation: Matrix [or "no rotation"],
        /// A unit quaternion [w, x, y, z].
        quaternion: FourNumbers [or "no rotation"],
        /// The axis of a rotation by angle.
        axis: Axis [or "no rotation; required with angle"],
        /// The angle of a rotation about axis.
        angle: Number<Angle> [or "no rotation; required with axis"],
    }
}

table! {
    /// Position and orientation of a frame.
    pub(crate) struct Placement = "a placement",
        "write { position = [0, 0, \"10 mm\"], rpy = [0, 0, \"90 deg\"] }";
    keys {
        /// Position of the origin.
        position: Vector<Length> [= [0.0; 3]],
        /// How it is turned.
        turn: Flat<Turn> [flat],
    }
}

/// A placement, as a table or as a position alone.
pub(crate) type Placed = Or<Vector<Length>, Placement>;

/// What is held of such a placement.
type Held = Field<Either<[f64; 3], Placement>>;

/// The pose that a placement describes; none where it is left out.
pub(super) fn pose(reader: &mut Reader, placed: &Held) -> Option<Pose<f64>> {
    match placed.get()? {
        Either::Short(position) => Some(Pose::new(Mat3::IDENTITY, Vec3::from(*position))),
        Either::Table(placement) => placement.pose(reader),
    }
}

/// A pose as it is written, the short way where that is enough.
pub(super) fn placed(pose: &Pose<f64>) -> Held {
    if *pose == Pose::IDENTITY {
        Field::default()
    } else if pose.rotation == Mat3::IDENTITY {
        Either::Short(pose.position.to_array()).into()
    } else {
        Either::Table(Placement::of(pose)).into()
    }
}

impl Placement {
    /// The pose that it describes.
    pub(crate) fn pose(&self, reader: &mut Reader) -> Option<Pose<f64>> {
        let rotation = self.turn.rotation(reader);
        Some(Pose::new(rotation?, Vec3::from(self.position.value?)))
    }

    /// What describes a pose.
    pub(super) fn of(pose: &Pose<f64>) -> Self {
        let position = pose.position.to_array().into();
        Self { position, turn: Turn::of(&pose.rotation), ..Self::default() }
    }
}

impl Turn {
    /// The rotation that it describes.
    pub(crate) fn rotation(&self, reader: &mut Reader) -> Option<Mat3<f64>> {
        let Self { rpy, rotation, quaternion, axis, angle, .. } = self;
        let ways = [rpy.given(), rotation.given(), quaternion.given(), axis.given()];
        let way = reader.exclude(&ways, "a turn is given in one way");
        if !way.is_some_and(|way| Some(way) == axis.given())
            && let Some(place) = angle.given()
        {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "there is an angle but no axis to turn about")
                    .at(place.key.clone())
                    .help("add axis = \"z\", or use rpy = [0, 0, \"90 deg\"]"),
            );
            return None;
        }
        if way.is_none() {
            Some(Mat3::IDENTITY)
        } else if rpy.is_given() {
            rpy.value.map(turned)
        } else if rotation.is_given() {
            rotation.value.map(|rows| orthonormal(Mat3::from_rows(rows)))
        } else if let Some(place) = quaternion.given() {
            attitude(reader, &place.value, &quaternion.value?)
        } else {
            self.axis_and_angle(reader)
        }
    }

    fn axis_and_angle(&self, reader: &mut Reader) -> Option<Mat3<f64>> {
        let span = self.axis.span()?;
        if !self.angle.is_given() {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "there is an axis but no angle to turn by")
                    .at(span)
                    .help("add angle = \"90 deg\""),
            );
            return None;
        }
        let (direction, angle) = (Vec3::from(self.axis.value?), self.angle.value?);
        let length = direction.norm();
        if length < 1e-12 {
            reader.push(
                Problem::error(&codes::ZERO_AXIS, "the axis has no direction: [0, 0, 0]")
                    .at(span)
                    .label("all zero")
                    .help("give the direction to turn about, such as \"z\" or [0, 0, 1]"),
            );
            return None;
        }
        Some(turn_about(direction * (1.0 / length), in_full(angle)))
    }

    /// What describes a rotation: roll, pitch and yaw, or the matrix where angles lose digits.
    pub(crate) fn of(rotation: &Mat3<f64>) -> Self {
        if *rotation == Mat3::IDENTITY {
            return Self::default();
        }
        // half a turn is positive, whatever the signs of zeros
        let rotation = rotation.cast(|entry| entry + 0.0);
        match few_digits(&rotation) {
            Some(angles) => Self { rpy: angles.into(), ..Self::default() },
            None => Self::exactly(&rotation),
        }
    }

    /// What describes a rotation to the last digit: its matrix.
    pub(crate) fn exactly(rotation: &Mat3<f64>) -> Self {
        Self { rotation: rotation.to_rows().into(), ..Self::default() }
    }
}

/// Fewer decimals than these are no quarter of a turn: 1.5708 rad may be meant.
const DECIMALS: usize = 7;

/// An angle with as many digits as numbers have (rad): where it is a multiple of a quarter of a turn
/// as far as its own decimals reach, seven or more of them, it is that, as 1.5707963 and
/// 3.14159265359 are. Its digits may be rounded or cut off.
fn in_full(angle: f64) -> f64 {
    let quarters = (angle / FRAC_PI_2).round();
    let full = quarters * FRAC_PI_2;
    let decimals = angle.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let reach = 10.0_f64.powf(-(decimals as f64));
    let beyond = angle.abs() - full.abs();
    let is_near = beyond <= 0.5 * reach && beyond > -reach;
    let is_meant = quarters != 0.0 && decimals >= DECIMALS && is_near;
    if is_meant { full } else { angle }
}

/// The rotation by roll, pitch and yaw that were typed (rad).
pub(crate) fn turned(angles: [f64; 3]) -> Mat3<f64> {
    let [roll, pitch, yaw] = angles.map(in_full);
    euler_xyz(roll, pitch, yaw)
}

/// The rotation of a quaternion that has about unit length.
pub(crate) fn attitude(
    reader: &mut Reader,
    span: &Range<usize>,
    q: &[f64; 4],
) -> Option<Mat3<f64>> {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    if (length - 1.0).abs() > 1e-3 {
        reader.push(
            Problem::error(
                &codes::NOT_A_QUATERNION,
                format!("the quaternion has the length {length:.4}, expected 1"),
            )
            .at(span.clone())
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

/// The angles of a rotation, with the fewest digits that give it back; `None` where angles lose
/// digits, near a pitch of 90 degrees.
fn few_digits(rotation: &Mat3<f64>) -> Option<[f64; 3]> {
    // as numbers, and as they are read again
    let error = |[roll, pitch, yaw]: [f64; 3]| {
        let off = |again: Mat3<f64>| (again - *rotation).columns.map(Vec3::norm);
        let ways = [euler_xyz(roll, pitch, yaw), turned([roll, pitch, yaw])];
        ways.map(off).as_flattened().iter().copied().fold(0.0, f64::max)
    };
    let angles = roll_pitch_yaw(rotation);
    let exact = error(angles);
    if exact > 1e-15 {
        return None;
    }
    let shorter = [4, 6, 9, 12, 15].map(|digits| angles.map(|angle| rounded(angle, digits)));
    let good = |angles: &[f64; 3]| error(*angles) <= exact.max(2e-16);
    Some(shorter.into_iter().find(good).unwrap_or(angles))
}

fn rounded(x: f64, digits: usize) -> f64 {
    let short = format!("{x:.digits$}").parse().unwrap_or(x);
    // no negative zero
    short + 0.0
}

words! { DhConvention: "standard" => DhConvention::Standard, "modified" => DhConvention::Modified }

table! {
    /// Denavit-Hartenberg parameters. The joint's coordinate is added to theta (revolute) or to d
    /// (prismatic).
    pub(crate) struct Dh = "a row of Denavit-Hartenberg parameters",
        "write { theta = 0, d = \"10 mm\", a = \"0.5 m\", alpha = \"90 deg\" }";
    keys {
        /// Rotation about z.
        theta: Number<Angle> [= 0.0],
        /// Translation along z.
        d: Number<Length> [= 0.0],
        /// Translation along x.
        a: Number<Length> [= 0.0],
        /// Rotation about x.
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
        let (theta, alpha) = (in_full(theta.value?), in_full(alpha.value?));
        let row = DhRow { theta, d: d.value?, a: a.value?, alpha };
        Some((convention.value?, row))
    }
}

/// Describes a link by a Denavit-Hartenberg row; its joint is revolute unless it says otherwise.
pub(super) fn denavit_hartenberg(dh: &Dh, link: Link) -> Link {
    match dh.row() {
        Some((convention, row)) => link.dh(convention, row, DhVariable::Theta),
        None => link,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn typed_quarters_of_a_turn_are_whole() {
        let read = |text: &str| in_full(text.parse().unwrap());
        for text in ["1.5707963", "1.57079632", "1.57079633", "1.57079632679", "1.570796326794897"]
        {
            assert_eq!(read(text), FRAC_PI_2, "{text}");
        }
        for text in ["3.1415926", "3.14159265", "3.141592653589793"] {
            assert_eq!(read(text), PI, "{text}");
        }
        assert_eq!(read("-4.71238898"), -3.0 * FRAC_PI_2);
        // too few digits, or digits that say something else
        for text in ["1.570796", "3.14159", "1.5707962", "1.570796325", "1e-9", "-1e-7", "0"] {
            assert_eq!(read(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
        let quarter =
            turned(["1.5707963", "0", "-3.14159265359"].map(|text| text.parse().unwrap()));
        assert_eq!(quarter.to_rows(), [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
    }
}
