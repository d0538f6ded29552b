//! The four numbers of Denavit and Hartenberg: links described by them, and tables of them.

use super::joint::Joint;
use super::link::Link;
use super::tree::UnknownName;
use crate::Help;
use crate::spatial::{Pose, Vec3, turn_about};

/// One row of a Denavit-Hartenberg table. The number that the joint moves is an offset, to which
/// the coordinate is added (see [`DhVariable`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DhRow {
    /// Turn about the joint axis, in rad.
    pub theta: f64,
    /// Shift along the joint axis, in m.
    pub d: f64,
    /// Length of the common normal, along x, in m.
    pub a: f64,
    /// Twist about the common normal, about x, in rad.
    pub alpha: f64,
}

/// In which order a row is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DhConvention {
    /// `A = Rz(θ) Tz(d) Tx(a) Rx(α)`, `Akmehmet (2.1)`: joint i moves about or along the z axis of
    /// frame i − 1, and frame i sits at the far end of link i.
    Standard,
    /// `A = Rx(α) Tx(a) Rz(θ) Tz(d)`, the order of Craig's book: joint i moves about or along the
    /// z axis of frame i itself, and `a` and `α` lead from the axis before it.
    Modified,
}

/// The number of a row that the joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DhVariable {
    /// The angle: a revolute joint.
    Theta,
    /// The shift: a prismatic joint.
    D,
}

impl DhVariable {
    /// The joint, with the axis z.
    pub const fn joint(self) -> Joint {
        let z = [0.0, 0.0, 1.0];
        match self {
            Self::Theta => Joint::revolute(z),
            Self::D => Joint::prismatic(z),
        }
    }
}

impl DhRow {
    /// The row after the joint has moved by `q` (rad, m).
    #[must_use]
    pub fn moved(mut self, variable: DhVariable, q: f64) -> Self {
        match variable {
            DhVariable::Theta => self.theta += q,
            DhVariable::D => self.d += q,
        }
        self
    }

    /// The pose of frame i in frame i − 1: `Akmehmet (2.1)`, or the other order of
    /// [`DhConvention::Modified`].
    pub fn pose(&self, convention: DhConvention) -> Pose<f64> {
        match convention {
            DhConvention::Standard => self.about_z().then(&self.about_x()),
            DhConvention::Modified => self.about_x().then(&self.about_z()),
        }
    }

    /// `Rz(θ) Tz(d)`.
    pub(super) fn about_z(&self) -> Pose<f64> {
        Pose::new(turn_about(Vec3::AXES[2], self.theta), Vec3::new(0.0, 0.0, self.d))
    }

    /// `Tx(a) Rx(α)`.
    pub(super) fn about_x(&self) -> Pose<f64> {
        Pose::new(turn_about(Vec3::AXES[0], self.alpha), Vec3::new(self.a, 0.0, 0.0))
    }
}

impl Link {
    /// Describes joint and geometry by a Denavit-Hartenberg row, `Akmehmet (2.1)` for the standard
    /// order. The link frame becomes frame i of the table, so that masses and frames are given in
    /// it and children start from it, or from the tip of its beam; it replaces [`Link::joint`],
    /// [`Link::placed`] and [`Link::outboard`].
    ///
    /// ```
    /// use pliant::arm::{Builder, DhConvention::Standard, DhRow, DhVariable::Theta, Link};
    /// use std::f64::consts::FRAC_PI_2;
    ///
    /// let shoulder = DhRow { d: 0.4, alpha: -FRAC_PI_2, ..DhRow::default() };
    /// let upper = DhRow { a: 0.6, ..DhRow::default() };
    /// let arm = Builder::new("two rows")
    ///     .link(Link::new("shoulder").dh(Standard, shoulder, Theta).payload(1.0, [0.0; 3]))
    ///     .link(Link::new("upper").dh(Standard, upper, Theta).payload(1.0, [0.0; 3]))
    ///     .build()?;
    /// let table = arm.denavit_hartenberg("upper", Standard)?;
    /// assert!((table.rows[1].row.a - upper.a).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn dh(self, convention: DhConvention, row: DhRow, variable: DhVariable) -> Self {
        let (placement, outboard) = match (convention, variable) {
            // a turn commutes with the offset d; Akmehmet's p* holds d and turns with the link
            (DhConvention::Standard, DhVariable::Theta) => {
                let turn = DhRow { theta: row.theta, ..DhRow::default() };
                let rest = DhRow { theta: 0.0, ..row };
                (turn.about_z(), rest.pose(convention))
            }
            (DhConvention::Standard, DhVariable::D) => (row.about_z(), row.about_x()),
            (DhConvention::Modified, _) => (row.pose(convention), Pose::IDENTITY),
        };
        self.joint(variable.joint()).placed(placement).outboard(outboard)
    }
}

/// The Denavit-Hartenberg table of the way from the ground to a frame: for every configuration
/// `base · A₁(q₁) ⋯ Aₙ(qₙ) · tool` is the pose of that frame in the world, `Akmehmet (2.8)`.
#[derive(Clone, Debug, PartialEq)]
pub struct DhTable {
    /// How to read the rows.
    pub convention: DhConvention,
    /// Frame 0 in the world.
    pub base: Pose<f64>,
    /// One row per moving joint, from the ground outward.
    pub rows: Vec<DhJoint>,
    /// The frame that was asked for, in frame n.
    pub tool: Pose<f64>,
}

/// One row of a [`DhTable`] and the joint it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct DhJoint {
    /// The numbers at the neutral configuration.
    pub row: DhRow,
    /// Which of them the joint moves.
    pub variable: DhVariable,
    /// The name of the joint's coordinate.
    pub coordinate: String,
    /// The place of the coordinate in the arm's configuration.
    pub index: usize,
}

impl DhTable {
    /// The pose in the world of the frame that was asked for, from the whole arm's configuration.
    pub fn pose(&self, q: &[f64]) -> Pose<f64> {
        let at_frame_n = self.rows.iter().fold(self.base, |inner, joint| {
            let row = joint.row.moved(joint.variable, q[joint.index]);
            inner.then(&row.pose(self.convention))
        });
        at_frame_n.then(&self.tool)
    }
}

/// Why a frame has no Denavit-Hartenberg table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DhError {
    /// There is no such frame.
    #[error(transparent)]
    UnknownFrame(#[from] UnknownName),
    /// A joint that a row cannot describe.
    #[error("the way from the ground to \"{frame}\" crosses the {joint} joint of link \"{link}\"")]
    OtherJoint {
        /// The frame asked for.
        frame: String,
        /// The link that the joint moves.
        link: String,
        /// The kind of joint.
        joint: &'static str,
    },
}

impl Help for DhError {
    fn help(&self) -> Option<String> {
        match self {
            Self::UnknownFrame(error) => error.help(),
            Self::OtherJoint { .. } => Some("Denavit-Hartenberg rows know revolute and prismatic joints, with fixed ones in between".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::Builder;
    use crate::spatial::Mat3;

    const ROW: DhRow = DhRow { theta: 0.7, d: -0.3, a: 0.45, alpha: -1.1 };

    /// Compares by the rows of the 3×4 matrix.
    fn assert_matrix(pose: &Pose<f64>, expected: [[f64; 4]; 3]) {
        let (rotation, position) = (pose.rotation.to_rows(), pose.position.to_array());
        for (i, row) in expected.iter().enumerate() {
            for j in 0..3 {
                assert!((rotation[i][j] - row[j]).abs() < 1e-14);
            }
            assert!((position[i] - row[3]).abs() < 1e-14);
        }
    }

    #[test]
    fn a_standard_row_is_the_printed_matrix() {
        let DhRow { theta, d, a, alpha } = ROW;
        let ((s, c), (sa, ca)) = (theta.sin_cos(), alpha.sin_cos());
        let printed = [[c, -ca * s, sa * s, a * c], [s, ca * c, -sa * c, a * s], [0.0, sa, ca, d]];
        assert_matrix(&ROW.pose(DhConvention::Standard), printed);
    }

    #[test]
    fn a_modified_row_is_the_product_written_out() {
        let DhRow { theta, d, a, alpha } = ROW;
        let ((s, c), (sa, ca)) = (theta.sin_cos(), alpha.sin_cos());
        let product =
            [[c, -s, 0.0, a], [s * ca, c * ca, -sa, -d * sa], [s * sa, c * sa, ca, d * ca]];
        assert_matrix(&ROW.pose(DhConvention::Modified), product);
    }

    #[test]
    fn a_link_described_by_a_row_moves_by_the_row() {
        for convention in [DhConvention::Standard, DhConvention::Modified] {
            for variable in [DhVariable::Theta, DhVariable::D] {
                let link = Link::new("link").dh(convention, ROW, variable);
                let (s, c) = 0.4_f64.sin_cos();
                let inner = match variable {
                    DhVariable::Theta => link.placement.turned(s, c),
                    DhVariable::D => link.placement.slid(0.4),
                };
                let difference = ROW
                    .moved(variable, 0.4)
                    .pose(convention)
                    .inverse()
                    .then(&inner.then(&link.outboard));
                assert!(difference.position.norm() < 1e-14);
                let turn = difference.rotation - Mat3::IDENTITY;
                assert!(turn.columns.iter().all(|c| c.norm() < 1e-14));
                assert_eq!(link.joint, variable.joint());
            }
        }
    }

    #[test]
    fn other_joints_are_named() {
        let arm = Builder::new("ball")
            .link(Link::new("post").joint(Joint::revolute([0.0, 0.0, 1.0])))
            .link(Link::new("ball").joint(Joint::Spherical))
            .link(Link::new("hand").frame("tip", Pose::at(0.0, 0.0, 1.0)))
            .build()
            .unwrap();
        let error = arm.denavit_hartenberg("tip", DhConvention::Standard).unwrap_err();
        let expected =
            DhError::OtherJoint { frame: "tip".into(), link: "ball".into(), joint: "spherical" };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("the spherical joint of link \"ball\""));
        let error = arm.denavit_hartenberg("nose", DhConvention::Modified).unwrap_err();
        assert_eq!(error.to_string(), "no frame named \"nose\"");
        assert_eq!(arm.denavit_hartenberg("post", DhConvention::Standard).unwrap().rows.len(), 1);
    }

    #[test]
    fn a_way_without_moving_joints_has_no_rows() {
        let pose = Pose::new(Mat3::IDENTITY.turned_about_z(0.6, 0.8), Vec3::new(1.0, 2.0, 3.0));
        let arm = Builder::new("post").link(Link::new("post").placed(pose)).build().unwrap();
        for convention in [DhConvention::Standard, DhConvention::Modified] {
            let table = arm.denavit_hartenberg("post", convention).unwrap();
            assert!(table.rows.is_empty());
            assert_eq!(table.pose(&[]), pose);
        }
    }
}
