//! Small URDFs, one per feature: numbers by hand, merged against kept, frames, warnings.

use crate::files;
use pliant::arm::{Arm, Joint};
use pliant::spatial::Pose;
use pliant_io::urdf::{self, Base, FixedJoints, Options};
use pliant_io::{Loaded, Source, parse_arm, write_arm};
use std::f64::consts::FRAC_PI_6;
use std::path::{Path, PathBuf};

const KEPT: Options = Options { fixed: FixedJoints::Keep, base: Base::Fixed };
const MERGED: Options = Options { fixed: FixedJoints::Merge, base: Base::Fixed };
const FLOATING: Options = Options { fixed: FixedJoints::Keep, base: Base::Floating };

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/urdf/good")
}

fn load(name: &str, options: Options) -> Loaded {
    urdf::load(folder().join(format!("{name}.urdf")), &options).unwrap()
}

fn arm(name: &str) -> Arm {
    load(name, KEPT).arm
}

fn warnings(loaded: &Loaded) -> Vec<String> {
    let problems = loaded.warnings.problems();
    problems.map(|problem| problem.message.clone()).collect()
}

#[track_caller]
fn close(a: f64, b: f64) {
    let error = (a - b).abs();
    assert!(error <= 1e-13 * b.abs().max(1.0), "{a} instead of {b}, off by {error:.1e}");
}

/// A fixed sequence of numbers between −1 and 1.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn take(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    /// A configuration: any displacement from neutral.
    fn configuration(&mut self, arm: &Arm) -> Vec<f64> {
        let mut q = arm.neutral();
        arm.displace(&mut q, &self.take(arm.nv()));
        q
    }
}

#[test]
fn continuous_joints_turn_about_any_axis_and_are_damped() {
    let arm = arm("continuous");
    assert_eq!(arm.name(), "continuous");
    assert_eq!(arm.velocity_names(), ["spin"]);
    assert_eq!(arm.limits(), [None]);
    let q = 0.7_f64;
    // 2 kg at 0.1 m about y
    close(arm.mass_matrix(&[q]).unwrap()[(0, 0)], 0.02 + 2.0 * 0.01);
    close(arm.gravity_forces(&[q]).unwrap()[0], -2.0 * 9.81 * 0.1 * q.cos());
    close(arm.damping_forces(&[0.0], &[3.0]).unwrap()[0], 1.5);
}

#[test]
fn prismatic_joints_slide_along_x_unless_told_otherwise() {
    let arm = arm("prismatic");
    assert_eq!(arm.velocity_names(), ["along", "across"]);
    let limits: Vec<_> = arm.limits().iter().map(|l| l.map(|l| (l.lower, l.upper))).collect();
    assert_eq!(limits, [Some((-0.5, 0.75)), Some((0.0, 0.2))]);
    let mass = arm.mass_matrix(&[0.1, 0.05]).unwrap();
    close(mass[(0, 0)], 4.0);
    close(mass[(1, 1)], 1.0);
    // the rail rises by 30 degrees; the second slide is normal to it
    close(mass[(0, 1)], 0.0);
    close(arm.gravity_forces(&[0.1, 0.05]).unwrap()[0], 4.0 * 9.81 * FRAC_PI_6.sin());
}

#[test]
fn inertial_frames_are_turned_into_the_link() {
    let arm = arm("inertial_rotated");
    // iyy of the turned axes is about z of the link
    close(arm.mass_matrix(&[0.3]).unwrap()[(0, 0)], 0.2 + 2.0 * 0.25);
}

#[test]
fn planar_joints_move_in_the_plane_normal_to_their_axis() {
    let flat = arm("planar");
    assert_eq!(flat.velocity_names(), ["glide.x", "glide.y", "glide.turn", "lean"]);
    let upright = arm("planar_upright");
    for arm in [&flat, &upright] {
        let mass = arm.mass_matrix(&[0.3, -0.2, 0.4, 0.5]).unwrap();
        close(mass[(0, 0)], 3.2);
        close(mass[(1, 1)], 3.2);
        close(mass[(0, 1)], 0.0);
    }
    // at rest the link is where the joint's origin puts it; then it moves along y and z, the axes
    // that follow x
    let at = |q: &[f64]| upright.pose(q, "sledge").unwrap();
    let rest = at(&[0.0; 4]);
    let origin = flat.pose(&[0.0; 4], "sledge").unwrap();
    close_poses(&rest, &origin);
    let moved = at(&[0.1, 0.2, 0.0, 0.0]);
    let want = rest.then(&Pose::at(0.0, 0.1, 0.2));
    close_poses(&moved, &want);
    // a turn leaves the normal as it is
    let turned = at(&[0.0, 0.0, 1.0, 0.0]);
    assert!((turned.rotation.columns[0] - rest.rotation.columns[0]).norm() < 1e-15);
    close(turned.rotation.columns[1].dot(rest.rotation.columns[1]), 1.0_f64.cos());
}

#[track_caller]
fn close_poses(a: &Pose<f64>, b: &Pose<f64>) {
    let mut error = (a.position - b.position).norm();
    for (x, y) in a.rotation.columns.iter().zip(&b.rotation.columns) {
        error = error.max((*x - *y).norm());
    }
    assert!(error < 1e-13, "off by {error:.1e}");
}

#[test]
fn floating_joints_are_free() {
    let arm = arm("floating");
    assert_eq!(arm.joints()[1], Joint::Free);
    assert_eq!(arm.velocity_names()[..2], ["orbit.move_x", "orbit.move_y"]);
    assert_eq!(arm.configuration_names()[3], "orbit.quat_w");
    let mass = arm.mass_matrix(&arm.neutral()).unwrap();
    close(mass[(0, 0)], 55.0);
}

#[test]
fn spherical_joints_are_known() {
    for kind in ["spherical", "ball"] {
        let text = include_str!("../urdf/good/inertial_rotated.urdf").replace("continuous", kind);
        let loaded = urdf::read(&Source::new("ball.urdf", text), &KEPT).unwrap();
        assert_eq!(loaded.arm.joints()[1], Joint::Spherical);
    }
}

#[test]
fn mimic_joints_are_independent_with_a_warning() {
    let loaded = load("mimic", KEPT);
    assert_eq!(loaded.arm.velocity_names(), ["left", "right"]);
    let mass = loaded.arm.mass_matrix(&[0.01, 0.02]).unwrap();
    close(mass[(0, 0)], 0.1);
    close(mass[(0, 1)], 0.0);
    let said = "<mimic> is not followed; imported as independent: joint \"right\"";
    assert!(warnings(&loaded).contains(&said.to_owned()));
}

#[test]
fn ranges_are_kept_where_they_are_one() {
    let loaded = load("limits", KEPT);
    let limits = loaded.arm.limits();
    let limits: Vec<_> = limits.iter().map(|l| l.map(|l| (l.lower, l.upper))).collect();
    assert_eq!(limits, [Some((-1.5, 2.5)), Some((0.0, 0.4)), None, None, None]);
    assert_eq!(
        loaded.warnings.to_string().replace(&folder().display().to_string(), "."),
        "./limits.urdf:20:5: warning: no range is given: joint \"neither\"; \
         add `lower` and `upper` to its <limit>, or use the type `continuous` [pliant::urdf::range]\n\
         ./limits.urdf:24:5: warning: a range from 0 to 0 is taken as none: joint \"zeros\"; \
         set `lower` and `upper` of its <limit>, or use the type `continuous` [pliant::urdf::range]\n\
         ./limits.urdf:28:5: warning: a continuous joint has no range, the one given is not used: \
         joint \"endless\"; use the type `revolute` if the range is meant [pliant::urdf::range]"
    );
    assert_eq!(loaded.arm.force_limits(), [10.0; 5]);
    assert_eq!(loaded.arm.speed_limits(), [3.0; 5]);
}

#[test]
fn massless_links_move_as_long_as_nobody_asks_for_accelerations() {
    let loaded = load("massless", KEPT);
    let arm = &loaded.arm;
    assert_eq!(
        warnings(&loaded),
        ["link \"pointer\": its joint moves no mass, so that its accelerations cannot be computed"]
    );
    let (q, u) = ([0.4, 0.3, 0.1], [1.0, 2.0, 3.0]);
    assert!(arm.inverse_dynamics(&q, &u, &[0.1; 3]).is_ok());
    close(arm.mass_matrix(&q).unwrap()[(2, 2)], 0.0);
    let refused = arm.forward_dynamics(&q, &u, &[0.0; 3]).unwrap_err();
    assert!(refused.to_string().contains("point"), "{refused}");
}

#[test]
fn doubtful_files_load_with_warnings() {
    let loaded = load("doubtful", KEPT);
    assert_eq!(
        warnings(&loaded),
        [
            "link \"disc\": the principal moments 1.0000e-1 + 1.0000e-1 < 5.0000e-1 kg m² violate the triangle inequality: no mass distribution has them",
            "link \"blade\": the inertia tensor has a negative principal moment, -1.2268e-2 kg m²: no mass distribution has it",
            "mass without an inertia tensor, taken as a point: link \"weight\"",
            "dry friction turns round over 0.01 rad/s or m/s, since a URDF gives no speed: joints \"turn\", \"flap\"",
            "<orgin> is not known inside <joint> and not used",
            "<origin> has no attribute `rypy`; it is not used",
            "not used: 1 transmission, 2 gazebo, 1 safety_controller",
        ]
    );
    // dry friction, turning round over 0.01 rad/s
    let lost = |u: f64| loaded.arm.damping_forces(&[0.0; 2], &[u, 0.0]).unwrap()[0];
    close(lost(0.01), 0.1 * 0.01 + 0.2 * 0.5_f64.sqrt());
    close(lost(-0.01), -lost(0.01));
    // the numbers are used as they are: 0.5 about z, the blade's 0.1, and its mass at 0.3 m
    let mass = loaded.arm.mass_matrix(&[0.0, 0.0]).unwrap();
    close(mass[(0, 0)], 0.5 + (0.1 + 0.09) + 0.0);
    let helps: Vec<&str> = loaded.warnings.problems().filter_map(|p| p.help.as_deref()).collect();
    assert!(helps.contains(&"did you mean <origin>?"));
    assert!(helps.contains(&"did you mean `rpy`?"));
}

/// The names of the good files.
fn all() -> Vec<String> {
    let paths = files::listed("crates/pliant-io/tests/urdf/good", &["urdf"]).unwrap();
    assert!(paths.len() > 10);
    paths.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn merged_arms_move_like_kept_ones() {
    for name in all() {
        for base in [Base::Fixed, Base::Floating] {
            let [kept, merged] = [FixedJoints::Keep, FixedJoints::Merge]
                .map(|fixed| load(&name, Options { fixed, base }));
            assert_eq!(kept.warnings, merged.warnings, "{name}");
            let (kept, merged) = (kept.arm, merged.arm);
            assert_eq!(kept.velocity_names(), merged.velocity_names(), "{name}");
            let mut sequence = Sequence(7);
            for _ in 0..3 {
                let q = sequence.configuration(&kept);
                let (u, ud) = (sequence.take(kept.nv()), sequence.take(kept.nv()));
                let (a, b) = (kept.mass_matrix(&q).unwrap(), merged.mass_matrix(&q).unwrap());
                assert!((&a - &b).amax() <= 1e-12 * a.amax(), "{name}");
                let (a, b) = (
                    kept.inverse_dynamics(&q, &u, &ud).unwrap(),
                    merged.inverse_dynamics(&q, &u, &ud).unwrap(),
                );
                assert!((&a - &b).amax() <= 1e-12 * a.amax().max(1.0), "{name}");
                // every link has its frame in both
                for frame in kept.link_names() {
                    let (a, b) = (kept.pose(&q, frame).unwrap(), merged.pose(&q, frame).unwrap());
                    close_poses(&a, &b);
                }
            }
        }
    }
}

#[test]
fn written_arm_files_describe_the_same_arms() {
    for name in all() {
        for options in [KEPT, MERGED, FLOATING] {
            let loaded = load(&name, options);
            let text = write_arm(&loaded.description);
            let again = parse_arm(&Source::new("again.toml", text.as_str()));
            let again = again.unwrap_or_else(|report| panic!("{report}\n{text}"));
            assert_eq!(loaded.arm.warnings(), again.arm.warnings());
            let (before, after) = (loaded.arm, again.arm);
            assert_eq!(before.name(), after.name());
            assert_eq!(before.velocity_names(), after.velocity_names(), "{name}");
            assert_eq!(before.limits(), after.limits());
            let mut sequence = Sequence(11);
            for _ in 0..3 {
                let q = sequence.configuration(&before);
                let u = sequence.take(before.nv());
                let (a, b) = (before.mass_matrix(&q).unwrap(), after.mass_matrix(&q).unwrap());
                assert!((&a - &b).amax() <= 1e-12 * a.amax(), "{name}");
                let (a, b) = (before.bias(&q, &u).unwrap(), after.bias(&q, &u).unwrap());
                assert!((&a - &b).amax() <= 1e-12 * a.amax().max(1.0), "{name}");
                for frame in before.frames().iter().map(pliant::arm::Frame::name) {
                    close_poses(&before.pose(&q, frame).unwrap(), &after.pose(&q, frame).unwrap());
                }
            }
        }
    }
}

#[test]
fn merging_leaves_the_root_and_the_moving_links() {
    let merged = load("fixed_tree", MERGED).arm;
    assert_eq!(merged.link_names(), ["world", "upper", "fore", "tool"]);
    let kept = load("fixed_tree", KEPT).arm;
    assert_eq!(kept.body_count(), 9);
    let total = |arm: &Arm| (0..arm.body_count()).map(|i| arm.inertia_of(i).mass).sum::<f64>();
    close(total(&kept), 14.8);
    close(total(&merged), 14.8);
}

#[test]
fn a_floating_base_is_called_after_the_root() {
    let loaded = load("inertial_rotated", FLOATING);
    let arm = &loaded.arm;
    assert_eq!(arm.nv(), 7);
    assert_eq!(arm.velocity_names()[0], "base.move_x");
    // unless a joint has that name
    let text = include_str!("../urdf/good/inertial_rotated.urdf").replace("swing", "base");
    let arm = urdf::read(&Source::new("a.urdf", text), &FLOATING).unwrap().arm;
    assert_eq!(arm.velocity_names()[0], "base_base.move_x");
    assert_eq!(arm.velocity_names()[6], "base");
}

#[test]
fn the_base_moves_when_it_floats() {
    // on a fixed base the base's mass does not matter; on a floating one it does
    let of = |options| {
        let arm = load("fixed_tree", options).arm;
        let mass = arm.mass_matrix(&arm.neutral()).unwrap();
        mass[(0, 0)]
    };
    close(of(FLOATING), 14.8);
    assert!(of(KEPT) < 2.0);
}

#[test]
fn a_nameless_robot_is_called_after_its_file() {
    let text = include_str!("../urdf/good/continuous.urdf")
        .replace("<robot name=\"continuous\">", "<robot>");
    let loaded = urdf::read(&Source::new("folder/wheel.urdf", text), &KEPT).unwrap();
    assert_eq!(loaded.arm.name(), "wheel");
}
