//! Denavit-Hartenberg frames for an arm that was described in any other way.

use super::denavit_hartenberg::{DhConvention, DhError, DhJoint, DhRow, DhTable, DhVariable};
use super::joint::JointKind;
use super::tree::Arm;
use crate::spatial::{Pose, turn_taking_z_to};
use std::f64::consts::{PI, TAU};

/// Axes that enclose less than this are taken as parallel (rad). The foot of their common normal
/// is known to 2e-16 of the lengths, divided by the angle: below the root of that number the row
/// of skew axes loses more digits than the row of parallel ones.
const PARALLEL: f64 = 1e-8;

/// Axes nearer than this part of the arm's farthest point from the world's origin meet.
const TOUCHING: f64 = 1e-12;

/// A normal that points backward by more than this cosine is turned round; a right angle stays.
const BACKWARD: f64 = 1e-9;

/// What the next frame of the algorithm has to meet.
#[derive(Clone, Copy)]
enum Meet {
    /// The axis of the next joint; the frame may slide along it and turn about it.
    Axis,
    /// A whole frame, as nearly as one row can.
    Frame,
}

impl Arm<f64> {
    /// Assigns Denavit-Hartenberg frames to the joints between the ground and a frame (every link
    /// has a frame of its own name), after `Akmehmet, appendix A`, and returns the table.
    ///
    /// 1. z₀ is the axis of the first joint. Frame 0 is otherwise free: its origin is the point
    ///    of the axis nearest to the world's origin, and its axes are those of the world when the
    ///    joint's axis is the world's z.
    /// 2. zᵢ is the axis of joint i + 1, and xᵢ points along the common normal away from zᵢ₋₁, so
    ///    that `aᵢ ≥ 0`. Where the axes intersect, xᵢ is that normal of both which has the
    ///    smaller angle to xᵢ₋₁. Where they are parallel, `dᵢ = 0`. Where they coincide, frame i
    ///    is frame i − 1, or its half turn about x.
    /// 3. Frame n is free as well: zₙ is the z axis of the frame asked for, and where that leaves
    ///    a choice, origin and x axis are taken from it too. The tool is then no more than a
    ///    turn about and a shift along z, and the identity for an arm that was described by
    ///    standard rows with positive `a`.
    ///
    /// The modified rows have the same normals: `Rx(αᵢ₋₁) Tx(aᵢ₋₁) Rz(θᵢ) Tz(dᵢ)` with the
    /// standard numbers, the first `α` and `a` zero, the last ones in the tool.
    pub fn denavit_hartenberg(
        &self,
        frame: &str,
        convention: DhConvention,
    ) -> Result<DhTable, DhError> {
        let asked = &self.frames[self.frame(frame)?];
        let mut at_rest = Pose::IDENTITY;
        let mut axes = Vec::new(); // joint frames at rest, z along the axis, world
        let mut rows: Vec<DhJoint> = Vec::new();
        for i in self.path_to(self.topology.station_bodies[asked.station] - 1) {
            let body = &self.bodies[i];
            at_rest = at_rest.then(&body.placement);
            let variable = match body.kind {
                JointKind::Fixed => continue,
                JointKind::Revolute => DhVariable::Theta,
                JointKind::Prismatic => DhVariable::D,
                _ => {
                    return Err(DhError::OtherJoint {
                        frame: frame.to_owned(),
                        link: self.topology.links[i].clone(),
                        joint: self.topology.joints[i].word(),
                    });
                }
            };
            axes.push(at_rest);
            rows.push(DhJoint {
                row: DhRow::default(),
                variable,
                coordinate: self.topology.configuration_names[body.q].clone(),
                index: body.q,
            });
        }
        let target = at_rest.then(&asked.pose);

        // 1
        let base = axes.first().map_or(Pose::IDENTITY, base_on);
        let reach = axes.iter().chain([&target]).map(|p| p.position.norm());
        let touching = TOUCHING * reach.fold(0.0, f64::max);
        // 2 and 3
        let last = rows.len().saturating_sub(1);
        let mut inner = base;
        for (i, joint) in rows.iter_mut().enumerate() {
            let (next, meet) =
                if i == last { (&target, Meet::Frame) } else { (&axes[i + 1], Meet::Axis) };
            joint.row = row_to(&inner.inverse().then(next), meet, touching);
            inner = inner.then(&joint.row.pose(DhConvention::Standard));
        }
        let mut tool = inner.inverse().then(&target);
        if convention == DhConvention::Modified {
            tool = regroup(&mut rows).then(&tool);
        }
        Ok(DhTable { convention, base, rows, tool })
    }

    /// The bodies from the ground to a body.
    fn path_to(&self, body: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(body), |&i| self.parent_of(i)).collect();
        path.reverse();
        path
    }
}

/// Frame 0 from a frame whose z axis is the first joint's, both in the world.
fn base_on(axis: &Pose<f64>) -> Pose<f64> {
    let z = axis.rotation.columns[2];
    let z = z * (1.0 / z.norm());
    let along = axis.position.dot(z);
    Pose::new(turn_taking_z_to(z), axis.position - z * along)
}

/// The standard row from frame i − 1 to frame i, on the z axis of `next` (given in frame i − 1):
/// steps 2.1 to 2.4 and 3.1 to 3.4 of `Akmehmet, appendix A`, in the components of frame i − 1.
fn row_to(next: &Pose<f64>, meet: Meet, touching: f64) -> DhRow {
    let (p, e) = (next.position, next.rotation.columns[2]);
    let towards = match meet {
        Meet::Axis => [1.0, 0.0], // xᵢ₋₁
        Meet::Frame => [next.rotation.columns[0].x, next.rotation.columns[0].y],
    };
    let sine = e.x.hypot(e.y);
    if sine <= PARALLEL * e.norm() {
        let distance = p.x.hypot(p.y);
        let (a, [x, y]) = if distance > touching { (distance, [p.x, p.y]) } else { (0.0, towards) };
        return DhRow {
            theta: angle(y, x),
            d: match meet {
                Meet::Axis => 0.0,
                Meet::Frame => p.z,
            },
            a,
            alpha: if e.z > 0.0 { 0.0 } else { PI },
        };
    }
    // n = ± z × e / |z × e| ,   a = p·n
    let n = [-e.y / sine, e.x / sine];
    let across = p.x * n[0] + p.y * n[1];
    let (a, forward) = if across.abs() > touching {
        (across.abs(), across)
    } else {
        (0.0, n[0] * towards[0] + n[1] * towards[1] + BACKWARD)
    };
    let sign = 1.0_f64.copysign(forward);
    // p + t e − d z ∥ n
    let t = -(p.x * e.x + p.y * e.y) / (sine * sine);
    DhRow {
        theta: angle(sign * n[1], sign * n[0]),
        d: p.z + t * e.z,
        a,
        alpha: angle(sign * sine, e.z),
    }
}

/// The angle of a sine and a cosine, a half turn always positive (rad).
fn angle(sine: f64, cosine: f64) -> f64 {
    let angle = sine.atan2(cosine);
    if angle < 1e-12 - PI { angle + TAU } else { angle }
}

/// Standard rows to modified ones; returns the last row's `Tx(a) Rx(α)`, left over at the end.
fn regroup(rows: &mut [DhJoint]) -> Pose<f64> {
    let mut carried = DhRow::default();
    for joint in rows {
        std::mem::swap(&mut joint.row.a, &mut carried.a);
        std::mem::swap(&mut joint.row.alpha, &mut carried.alpha);
    }
    carried.about_x()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Body, Builder, Joint, Link};
    use crate::spatial::{Motion, Vec3, euler_xyz};
    use DhConvention::{Modified, Standard};
    use std::f64::consts::FRAC_PI_2;

    /// `SplitMix64`, as numbers between −1 and 1.
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let high = u32::try_from((z ^ (z >> 31)) >> 32).expect("32 bits");
            f64::from(high) / f64::from(1_u32 << 31) - 1.0
        }

        fn three(&mut self) -> [f64; 3] {
            [self.number(), self.number(), self.number()]
        }

        fn pose(&mut self) -> Pose<f64> {
            let [roll, pitch, yaw] = self.three().map(|x| 3.0 * x);
            Pose::new(euler_xyz(roll, pitch, yaw), self.three().into())
        }

        /// Quarter turns and halves of a metre, so that most axes are parallel, meet or coincide.
        fn pose_on_grid(&mut self) -> Pose<f64> {
            let [roll, pitch, yaw] = self.three().map(|x| FRAC_PI_2 * (1.5 * x).round());
            let place = self.three().map(|x| 0.5 * (1.2 * x).round());
            Pose::new(euler_xyz(roll, pitch, yaw), place.into())
        }

        fn variable(&mut self) -> DhVariable {
            [DhVariable::D, DhVariable::Theta][usize::from(self.number() > -0.3)]
        }
    }

    /// The pose of a frame, joint by joint.
    fn walked(arm: &Arm, frame: &str, q: &[f64]) -> Pose<f64> {
        let frame = &arm.frames[arm.frame(frame).unwrap()];
        let mut pose = Pose::IDENTITY;
        for i in arm.path_to(frame.station - 1) {
            let Body { kind, placement, .. } = &arm.bodies[i];
            let q = &q[arm.configuration_of(i)];
            pose = pose.then(&kind.cross(placement, q, &[0.0], &mut [Motion::ZERO]).pose);
        }
        pose.then(&frame.pose)
    }

    fn distance(a: &Pose<f64>, b: &Pose<f64>) -> f64 {
        let turn = (a.rotation - b.rotation).columns.map(Vec3::norm);
        turn.into_iter().fold((a.position - b.position).norm(), f64::max)
    }

    /// Both tables of an arm; each has been seen to reproduce the poses of the frame.
    fn checked_tables(arm: &Arm, frame: &str, tolerance: f64) -> [DhTable; 2] {
        let mut random = Random(7);
        [Standard, Modified].map(|convention| {
            let table = arm.denavit_hartenberg(frame, convention).unwrap();
            for _ in 0..4 {
                let q: Vec<f64> = (0..arm.nq()).map(|_| 3.0 * random.number()).collect();
                let off = distance(&table.pose(&q), &walked(arm, frame, &q));
                assert!(off < tolerance, "off by {off:e}: {table:?}");
            }
            assert!(table.rows.iter().all(|joint| joint.row.a >= 0.0));
            table
        })
    }

    fn built(links: impl Iterator<Item = Link>) -> Arm {
        let builder = links.fold(Builder::new("test"), Builder::link);
        builder.build().unwrap()
    }

    /// Revolute joints by axis and placement in the parent.
    fn revolute_arm(joints: &[([f64; 3], [f64; 3])]) -> Arm {
        built(joints.iter().enumerate().map(|(i, &(axis, [x, y, z]))| {
            let link = Link::new(format!("link{i}")).joint(Joint::revolute(axis));
            link.placed(Pose::at(x, y, z))
        }))
    }

    fn arm_of_rows(convention: DhConvention, rows: &[(DhRow, DhVariable)]) -> Arm {
        built(rows.iter().enumerate().map(|(i, &(row, variable))| {
            Link::new(format!("link{i}")).dh(convention, row, variable)
        }))
    }

    /// A chain of n joints, each followed by a fixed joint and with a ball at its side.
    fn random_arm(random: &mut Random, n: usize, on_grid: bool) -> Arm {
        let mut links = Vec::new();
        for i in 0..n {
            let mut pose = || {
                if on_grid { random.pose_on_grid() } else { random.pose() }
            };
            let (inboard, outboard, flange, tool) = (pose(), pose(), pose(), pose());
            let axis = if on_grid { [0.0, 1.0, 0.0] } else { random.three() };
            let joint = match random.variable() {
                DhVariable::Theta => Joint::revolute(axis),
                DhVariable::D => Joint::prismatic(axis),
            };
            let link = Link::new(format!("link{i}")).joint(joint);
            let link = if i == 0 { link.on_ground() } else { link };
            links.push(link.placed(inboard).outboard(outboard));
            let fixed = Link::new(format!("flange{i}")).placed(flange);
            links.push(fixed.frame(format!("tool{i}"), tool));
            let ball = Link::new(format!("ball{i}")).on(format!("link{i}"));
            links.insert(0, ball.joint(Joint::Spherical));
        }
        built(links.into_iter())
    }

    /// Compares θ, d, a, α up to whole turns.
    fn assert_row(got: &DhRow, [theta, d, a, alpha]: [f64; 4]) {
        let wrapped = |x: f64| x - TAU * (x / TAU).round();
        let turns = wrapped(got.theta - theta).hypot(wrapped(got.alpha - alpha));
        let shifts = (got.d - d).hypot(got.a - a);
        assert!(turns < 1e-12 && shifts < 1e-12, "{got:?}");
    }

    /// These rows, and nothing before or after them.
    fn assert_table(table: &DhTable, expected: &[(DhRow, DhVariable)]) {
        assert_eq!(table.rows.len(), expected.len());
        for (got, (row, variable)) in table.rows.iter().zip(expected) {
            assert_row(&got.row, [row.theta, row.d, row.a, row.alpha]);
            assert_eq!(got.variable, *variable);
        }
        let ends = [&table.base, &table.tool].map(|p| distance(p, &Pose::IDENTITY));
        assert!(ends[0].max(ends[1]) < 1e-12, "{table:?}");
    }

    #[test]
    fn tables_reproduce_random_arms() {
        let mut random = Random(1);
        for round in 0..80 {
            let n = 2 + round / 2 % 7;
            let arm = random_arm(&mut random, n, round % 2 == 0);
            for table in checked_tables(&arm, &format!("tool{}", n - 1), 1e-12) {
                let named = table.rows.iter().map(|joint| joint.coordinate.clone());
                assert!(named.eq((0..n).map(|i| format!("link{i}"))));
            }
        }
    }

    #[test]
    fn rows_with_long_normals_come_back() {
        let mut random = Random(2);
        for n in 2..12 {
            let mut rows: Vec<(DhRow, DhVariable)> = (0..n)
                .map(|_| {
                    let [theta, d, a] = random.three();
                    let (theta, a) = (3.0 * theta, a.abs() + 0.01);
                    let alpha = 1.5 * random.number();
                    let alpha = alpha + 0.1_f64.copysign(alpha);
                    (DhRow { theta, d, a, alpha }, random.variable())
                })
                .collect();
            let last = format!("link{}", n - 1);
            let arm = arm_of_rows(Standard, &rows);
            assert_table(&checked_tables(&arm, &last, 1e-12)[0], &rows);
            (rows[0].0.a, rows[0].0.alpha) = (0.0, 0.0); // frame 0 is on axis 1
            let arm = arm_of_rows(Modified, &rows);
            assert_table(&checked_tables(&arm, &last, 1e-12)[1], &rows);
        }
    }

    #[test]
    fn akmehmets_six_joints_come_back() {
        let alpha = [-90.0, 0.0, 0.0, 90.0, 90.0, 90.0].map(f64::to_radians);
        let a = [0.0, 0.6, 0.5, 0.0, 0.0, 0.0];
        let d = [0.0, 0.0, 0.0, 0.0, 0.24, 0.0];
        let rows = [0, 1, 2, 3, 4, 5].map(|i| {
            let (theta, d, a, alpha) = (0.0, d[i], a[i], alpha[i]);
            (DhRow { theta, d, a, alpha }, DhVariable::Theta)
        });
        let [standard, modified] = checked_tables(&arm_of_rows(Standard, &rows), "link5", 1e-14);
        assert_table(&standard, &rows);
        for i in 1..6 {
            assert_row(&modified.rows[i].row, [0.0, d[i], a[i - 1], alpha[i - 1]]);
        }
    }

    #[test]
    fn parallel_axes_need_no_shift() {
        let (z, down) = ([0.0, 0.0, 1.0], [0.0, 0.0, -2.0]);
        let arm =
            revolute_arm(&[(z, [0.1, 0.2, 0.7]), (z, [0.4, 0.3, 0.2]), (down, [0.0, -0.6, 0.1])]);
        let [standard, modified] = checked_tables(&arm, "link2", 1e-14);
        assert_eq!(standard.base, Pose::at(0.1, 0.2, 0.0));
        let elbow = 0.3_f64.atan2(0.4);
        assert_row(&standard.rows[0].row, [elbow, 0.0, 0.5, 0.0]);
        assert_row(&standard.rows[1].row, [-FRAC_PI_2 - elbow, 0.0, 0.6, PI]);
        // the last row carries all of the height and ends at the frame, whose z points up again
        assert_row(&standard.rows[2].row, [-FRAC_PI_2, -1.0, 0.0, PI]);
        assert_row(&modified.rows[2].row, [-FRAC_PI_2, -1.0, 0.6, PI]);
        assert!(distance(&standard.tool, &Pose::IDENTITY) < 1e-14);
    }

    #[test]
    fn a_wrist_has_no_lengths_even_far_away() {
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (tilted, here) = ([0.0, 0.6, 0.8], [0.0; 3]);
        for (place, tolerance) in [([0.3, 0.2, 0.1], 1e-14), ([900.0, -400.0, 3.0], 1e-12)] {
            let arm = revolute_arm(&[(tilted, place), (x, here), (y, here), (z, [0.0, 0.0, 0.2])]);
            let tables = checked_tables(&arm, "link3", tolerance);
            // both directions of x₃ are equally near to x₂: the twist is positive
            assert!(tables[0].rows[2].row.alpha > 0.0);
            for table in tables {
                assert!(table.rows.iter().all(|joint| joint.row.a == 0.0));
                for joint in &table.rows[1..3] {
                    assert!(joint.row.d.abs() < tolerance);
                    assert!(joint.row.theta.abs() <= FRAC_PI_2 + 1e-12);
                }
            }
        }
    }

    #[test]
    fn coincident_axes_share_their_frame() {
        let (z, back) = ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        let arm = revolute_arm(&[(z, [0.0; 3]), (z, [0.0, 0.0, 0.3]), (back, [0.0, 0.0, 0.2])]);
        let [standard, _] = checked_tables(&arm, "link2", 1e-14);
        let expected = [[0.0; 4], [0.0, 0.0, 0.0, PI], [0.0, -0.5, 0.0, PI]];
        for (joint, row) in standard.rows.iter().zip(expected) {
            assert_row(&joint.row, row);
        }
        assert_eq!(standard.base, Pose::IDENTITY);
        assert!(angle(-1e-16, -1.0) > 0.0);
    }

    #[test]
    fn nearly_parallel_axes_keep_half_of_the_digits() {
        for tilt in [1e-3, 1e-6, 2e-8, 5e-9, 1e-12] {
            let arm = revolute_arm(&[
                ([0.0, 0.0, 1.0], [0.0; 3]),
                ([tilt, 0.0, 1.0], [0.5, 0.1, 0.2]),
                ([0.0, 1.0, 0.0], [0.4, 0.0, 0.0]),
            ]);
            checked_tables(&arm, "link2", 1e-7);
        }
    }
}
