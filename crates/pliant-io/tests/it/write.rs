//! Arm files that `write_arm` writes.

use pliant::arm::{Actuator, Builder, DhConvention, DhRow, DhVariable, Joint, Limits, Link};
use pliant::beam::{Scale, Slide};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::spatial::{Force, Mat3, Pose, Quaternion, Vec3, euler_xyz};
use pliant_io::{Source, State, parse_arm, parse_state, write_arm, write_arm_with, write_state};
use std::f64::consts::{FRAC_PI_2, PI};

fn read(text: &str) -> Builder {
    match parse_arm(&Source::new("written.toml", text)) {
        Ok(loaded) => loaded.description,
        Err(report) => panic!("{report}\n{text}"),
    }
}

/// One link of every kind, with everything that can be said about it.
fn everything() -> Builder {
    let tensor = [[0.2, 0.01, -0.02], [0.01, 0.3, 0.03], [-0.02, 0.03, 0.25]];
    let range = |lower, upper| Some(Limits { lower, upper });
    let turned = Pose::new(euler_xyz(0.1, -1.2, 3.0), Vec3::new(0.1, 2e-7, -1e20));
    let half = Quaternion::from_rotation_vector(Vec3::new(0.3, 0.2, 0.1)).to_array();
    Builder::new("every \"kind\" of \\ joint")
        .gravity([0.1, 0.0, -9.81])
        .link(
            Link::new("revolute")
                .joint(Joint::revolute([0.0, -1.0, 0.0]))
                .joint_name("first")
                .limits(&[range(-1.0, f64::INFINITY)])
                .spring(&[5.0], &[0.1])
                .damping(&[0.25])
                .armature(&[1e-3])
                .actuator(Actuator {
                    force: 50.0,
                    speed: 3.0,
                    rotor_inertia: 1e-5,
                    gear: 81.0,
                    stiffness: Some(1e4),
                    damping: 2.0,
                    viscous: 0.1,
                    coulomb: 0.5,
                    coulomb_speed: 0.01,
                })
                .body(2.0, [0.1, 0.0, 0.0], [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]]),
        )
        .link(
            Link::new("prismatic")
                .joint(Joint::prismatic([0.6, 0.0, 0.8]))
                .placed(turned)
                .outboard(Pose::at(0.0, 1.0, 0.0))
                .actuator(Actuator { force: 1e3, ..Actuator::default() })
                .prescribed()
                .body(2.0, [0.1, 0.0, 0.0], tensor)
                .payload(1.0, [0.0, 0.0, 0.1])
                .frame("tool", turned)
                .frame("eye", Pose::at(0.0, 0.0, 0.1)),
        )
        .link(
            Link::new("cylindrical")
                .joint(Joint::Cylindrical { axis: [0.0, 0.0, 1.0] })
                .damping(&[1.0, 2.0]),
        )
        .link(Link::new("fixed").on("revolute").payload(1.0, [0.0; 3]))
        .link(
            Link::new("universal")
                .on_ground()
                .joint(Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 1.0, 1.0] })
                .limits(&[None, range(-PI, PI)]),
        )
        .link(Link::new("planar").joint(Joint::Planar).limits(&[range(0.0, 1.0), None, None]))
        .link(
            Link::new("spherical")
                .joint(Joint::Spherical)
                .spring(&[1.0, 2.0, 3.0], &half)
                .body(1.0, [0.0; 3], tensor),
        )
        .link(Link::new("free").on_ground().joint(Joint::Free).body(1.0, [0.0; 3], tensor))
}

#[test]
fn everything_is_written_and_read_again() {
    let before = everything();
    let text = write_arm(&before);
    let after = read(&text);
    assert_eq!(write_arm(&after), text);
    let (before, after) = (before.parts(), after.parts());
    assert_eq!((before.name, before.gravity), (after.name, after.gravity));
    assert_eq!(before.links.len(), after.links.len());
    for (before, after) in before.links.iter().zip(after.links) {
        let (before, after) = (before.parts(), after.parts());
        assert_eq!((before.name, before.joint), (after.name, after.joint));
        assert!(before.root_masses().eq(after.root_masses()));
        assert!(before.tip_masses().eq(after.tip_masses()));
        assert_eq!(before.limits, after.limits);
        assert_eq!(before.stiffness, after.stiffness);
        assert_eq!(before.rest, after.rest);
        assert_eq!(before.damping, after.damping);
        assert_eq!(before.armature, after.armature);
        assert_eq!(before.actuator, after.actuator);
        assert_eq!(before.prescribed, after.prescribed);
        let poses = [(before.placement, after.placement), (before.outboard, after.outboard)];
        let frames = before.frames.iter().zip(after.frames).map(|(a, b)| (a.2, b.2));
        assert_eq!(before.frames.len(), after.frames.len());
        for (a, b) in poses.into_iter().chain(frames) {
            assert_eq!(a.position, b.position);
            for (a, b) in a.rotation.columns.iter().zip(&b.rotation.columns) {
                assert!((*a - *b).norm() < 1e-15);
            }
        }
    }
}

#[test]
fn the_text_is_short() {
    let arm = Builder::new("arm")
        .link(Link::new("base"))
        .link(
            Link::new("upper")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .joint_name("shoulder")
                .placed(Pose::new(euler_xyz(0.0, 1.57, 0.0), Vec3::new(0.0, 0.0, 0.4)))
                .payload(1.5, [0.5, 0.0, 0.0]),
        )
        .link(Link::new("camera").on("base").placed(Pose::at(0.1, 0.0, 0.0)));
    assert_eq!(
        write_arm(&arm),
        r#"# SI units and radians; a number with another unit stands in quotes, such as "90 deg".
name = "arm"
gravity = [0, 0, -9.81]

[[link]]
name = "base"

[[link]]
name = "upper"
joint = { kind = "revolute", axis = "z", name = "shoulder" }
placement = { position = [0, 0, 0.4], rpy = [0, 1.57, 0] }
mass = 1.5
com = [0.5, 0, 0]

[[link]]
name = "camera"
parent = "base"
placement = [0.1, 0, 0]
"#
    );
}

#[test]
fn rotations_come_back_to_the_last_digits() {
    let mut turns: Vec<Mat3<f64>> = Vec::new();
    for k in 0..200 {
        let angle = |a: f64| (f64::from(k) * a).sin() * PI;
        turns.push(euler_xyz(angle(1.7), angle(0.9), angle(2.3)));
        // near and at a pitch of 90 degrees
        turns.push(euler_xyz(
            angle(1.7),
            FRAC_PI_2 - 10.0_f64.powf(-f64::from(k) / 12.0),
            angle(2.3),
        ));
        turns.push(euler_xyz(angle(1.7), -FRAC_PI_2, angle(2.3)));
    }
    for turn in turns {
        let link = Link::new("a").placed(Pose::new(turn, Vec3::ZERO));
        let after = read(&write_arm(&Builder::new("arm").link(link)));
        let after = after.parts().links[0].parts().placement.rotation;
        for (a, b) in turn.columns.iter().zip(&after.columns) {
            assert!((*a - *b).norm() < 2e-15, "{turn:?} {after:?}");
        }
    }
}

#[test]
fn denavit_hartenberg_rows_become_placements() {
    let row = DhRow { theta: 0.3, d: 0.2, a: 0.5, alpha: -1.1 };
    let link = Link::new("a").dh(DhConvention::Standard, row, DhVariable::Theta);
    let before = Builder::new("arm").link(link.payload(1.0, [0.1, 0.2, 0.3]));
    let after = read(&write_arm(&before)).build().unwrap();
    let before = before.build().unwrap();
    let (a, b) = (before.pose(&[0.4], "a").unwrap(), after.pose(&[0.4], "a").unwrap());
    assert!((a.position - b.position).norm() < 1e-15);
    let (a, b) = (before.mass_matrix(&[0.4]).unwrap(), after.mass_matrix(&[0.4]).unwrap());
    assert!((a - b).amax() < 1e-15);
}

#[test]
fn a_link_called_ground_gets_another_name() {
    let arm = Builder::new("arm")
        .link(Link::new("ground").frame("ground_link", Pose::IDENTITY))
        .link(Link::new("a").on("ground").joint(Joint::Free).payload(1.0, [0.0; 3]))
        .link(Link::new("b").on("ground"));
    let after = read(&write_arm(&arm));
    let names: Vec<&str> = after.parts().links.iter().map(|link| link.parts().name).collect();
    assert_eq!(names, ["ground_link_", "a", "b"]);
    assert!(after.build().is_ok());
}

#[test]
fn lenient_arms_stay_lenient() {
    let tensor = [[0.01, 0.05, 0.0], [0.05, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let link = Link::new("a").joint(Joint::Free).body(1.0, [0.0; 3], tensor);
    let strict = Builder::new("arm").link(link);
    assert!(strict.clone().build().is_err());
    assert!(parse_arm(&Source::new("a.toml", write_arm(&strict))).is_err());
    let lenient = strict.lenient();
    assert_eq!(lenient.clone().build().unwrap().warnings().len(), 1);
    let loaded = parse_arm(&Source::new("a.toml", write_arm(&lenient))).unwrap();
    let said = loaded.warnings.to_string();
    assert!(said.contains("negative principal moment"), "{said}");
}

#[test]
fn the_total_mass_is_written() {
    let link = Link::new("a").joint(Joint::Free).payload(1.5, [0.0; 3]);
    let text = write_arm(&Builder::new("arm").total_mass(1.5).link(link));
    assert!(text.contains("total_mass = 1.5\n"), "{text}");
    let loaded = parse_arm(&Source::new("a.toml", text)).unwrap();
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    assert_eq!(loaded.description.parts().total_mass, Some(1.5));
}

/// Everything that can be said about a link that slides.
#[test]
fn links_that_slide_come_back() {
    let text = r#"
name = "slider"

[[link]]
name = "beam"
length = "1.2 m"
section = { kind = "given", EIz = "100 N m^2", rhoA = "0.3 kg/m" }
bends = { y = 2, shapes = "clamped-mass", foreshortening = false, slides = { from = "30 cm", to = "1 m", prescribed = true, damping = "3 N s/m", armature = "0.2 kg", scale = "tip" } }
payload = { mass = "0.1 kg" }
"#;
    let (first, second) = (read(text), read(&write_arm(&read(text))));
    let slide = |arm: &Builder| arm.parts().links[0].parts().beam.and_then(|beam| beam.slide);
    let Some(Slide { stroke, prescribed, damping, armature, scale }) = slide(&first) else {
        panic!("it slides")
    };
    assert_eq!((stroke, prescribed, damping, armature), ([0.3, 1.0], true, 3.0, 0.2));
    assert_eq!(scale, Scale::Tip);
    assert_eq!(slide(&second), slide(&first));
    assert_eq!(write_arm(&second), write_arm(&first));
}

#[test]
fn states_are_written_and_read_again() {
    let arm = everything().build().expect("an arm");
    let read = |text: &str| match parse_state(&Source::new("state.toml", text), &arm) {
        Ok((state, _)) => state,
        Err(report) => panic!("{report}\n{text}"),
    };
    assert_eq!(write_state(&State::rest(&arm), &arm), "");
    let mut state = State::rest(&arm);
    state.q[0] = 0.1 + 0.2;
    state.u[1] = -1e-7;
    state.tau[2] = PI;
    state.ud[1] = 1e20;
    for (name, axes) in [("tool", Axes::World), ("free", Axes::Own)] {
        let wrench = Force::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.0, -0.5, 0.0));
        state.external.push(Load { frame: arm.frame(name).expect("a frame"), wrench, axes });
    }
    let text = write_state(&state, &arm);
    assert_eq!(read(&text), state, "{text}");
}

/// What links ask for of documents is no part of the arm, and is written beside it.
#[test]
fn equations_of_documents_come_back() {
    let sliding = r#"
[[link]]
name = "beam"
length = "1.2 m"
section = { kind = "given", EIz = "100 N m^2", rhoA = "0.3 kg/m" }
bends = { y = 2, foreshortening = false, slides = { from = "30 cm", to = "1 m", velocity = "theodore-24" } }
"#;
    let turning = r#"
[[link]]
name = "plain"
length = "1 m"
section = { kind = "round", diameter = "10 mm" }
material = "aluminium"
bends = { y = 1, foreshortening = false, rotation = "exact" }

[[link]]
name = "king"
length = "1 m"
section = { kind = "round", diameter = "10 mm" }
material = "aluminium"
bends = { y = 1, z = 1, foreshortening = false, rotation = "first-order" }
"#;
    let load = |text: &str| match parse_arm(&Source::new("written.toml", text)) {
        Ok(loaded) => loaded,
        Err(report) => panic!("{report}\n{text}"),
    };
    let small = turning.replace("first-order", "small-angle");
    for (text, [first_order, small_angle, theodore24]) in [
        (sliding, [&[][..], &[], &["beam"]]),
        (turning, [&["king"], &[], &[]]),
        (&small, [&[], &["king"], &[]]),
    ] {
        let first = load(text);
        assert_eq!(first.variants.first_order, first_order);
        assert_eq!(first.variants.small_angle, small_angle);
        assert_eq!(first.variants.theodore24, theodore24);
        let written = write_arm_with(&first.description, &first.variants);
        let second = load(&written);
        assert_eq!(second.variants, first.variants);
        assert_eq!(write_arm_with(&second.description, &second.variants), written);
        let plain = load(&write_arm(&first.description));
        assert!(plain.variants.is_empty());
        let warned = first.warnings.problems().any(|told| {
            told.help.as_deref().is_some_and(|help| help.contains("for all other work"))
        });
        assert!(warned, "{text}");
    }
}
