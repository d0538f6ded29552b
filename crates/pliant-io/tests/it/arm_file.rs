//! An arm file and the builder describe the same arms.

use pliant::arm::{Arm, Builder, DhConvention, DhRow, DhVariable, Joint, Limits, Link};
use pliant::spatial::{Pose, Vec3, euler_xyz};
use pliant_io::{Report, Source, parse_arm};
use std::f64::consts::{FRAC_PI_2, PI};

fn read(text: &str) -> Arm {
    let loaded = parse_arm(&Source::new("test.toml", text));
    let loaded = loaded.unwrap_or_else(|report| panic!("{report}"));
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    loaded.arm
}

fn refuse(text: &str) -> Report {
    match parse_arm(&Source::new("test.toml", text)) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(report) => report,
    }
}

/// A moving state away from all symmetries.
fn state(arm: &Arm) -> (Vec<f64>, Vec<f64>) {
    let u: Vec<f64> = (0..arm.nv()).map(|i| (1.3 + i as f64).sin()).collect();
    let mut q = arm.neutral();
    arm.displace(&mut q, &u);
    (q, u)
}

fn assert_same(a: &Arm, b: &Arm) {
    assert_eq!(a.velocity_names(), b.velocity_names());
    assert_eq!(a.configuration_names(), b.configuration_names());
    assert_eq!(a.limits(), b.limits());
    let (q, u) = state(a);
    let close = |a: f64, b: f64, what: &str| {
        assert!((a - b).abs() <= 1e-13 * (1.0 + a.abs()), "{what}: {a} {b}");
    };
    let names =
        |arm: &Arm| -> Vec<String> { arm.frames().iter().map(|f| f.name().to_owned()).collect() };
    assert_eq!(names(a), names(b));
    for frame in names(a) {
        let (x, y) = (a.pose(&q, &frame), b.pose(&q, &frame));
        if let (Ok(x), Ok(y)) = (x, y) {
            close((x.position - y.position).norm(), 0.0, &frame);
        }
    }
    let forces = |arm: &Arm| arm.bias(&q, &u).map(|bias| bias.data.into());
    let (x, y): (Vec<f64>, Vec<f64>) =
        (forces(a).unwrap_or_default(), forces(b).unwrap_or_default());
    assert_eq!(x.len(), a.nv());
    for (x, y) in x.iter().zip(&y) {
        close(*x, *y, "bias");
    }
    let (x, y) = (a.mass_matrix(&q), b.mass_matrix(&q));
    close((x.unwrap_or_default() - y.unwrap_or_default()).norm(), 0.0, "mass");
}

const ROD: [[f64; 3]; 3] = [[0.001, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];

#[test]
fn a_serial_arm_with_units() {
    let file = read(
        r#"
        gravity = [0, "-9.81 m/s^2", 0]
        [[link]]
        name = "upper"
        joint = { kind = "revolute", axis = "z", damping = "0.1 N m s/rad", limits = ["-90 deg", 2] }
        mass = "1 kg"
        com = ["25 cm", 0, 0]
        inertia = [0.001, 0.02, "200 kg cm^2"]
        [[link]]
        name = "fore"
        joint = { kind = "revolute", axis = "-y", spring = 3, rest = "10 deg", armature = 0.01 }
        placement = { position = ["500 mm", 0, 0], rpy = ["90 deg", 0, 0.5] }
        mass = 1
        com = [0.25, 0, 0]
        inertia = { xx = 0.001, yy = 0.02, zz = 0.02 }
        payload = { mass = "250 g", position = [0.5, 0, 0] }
        frames = [{ name = "tip", position = [0.5, 0, 0] }]
        "#,
    );
    let built = Builder::new("test")
        .gravity([0.0, -9.81, 0.0])
        .link(
            Link::new("upper")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .damping(&[0.1])
                .limits(&[Some(Limits { lower: -FRAC_PI_2, upper: 2.0 })])
                .body(1.0, [0.25, 0.0, 0.0], ROD),
        )
        .link(
            Link::new("fore")
                .joint(Joint::revolute([0.0, -1.0, 0.0]))
                .spring(&[3.0], &[PI / 18.0])
                .armature(&[0.01])
                .placed(Pose::new(euler_xyz(FRAC_PI_2, 0.0, 0.5), Vec3::new(0.5, 0.0, 0.0)))
                .body(1.0, [0.25, 0.0, 0.0], ROD)
                .payload(0.25, [0.5, 0.0, 0.0])
                .frame("tip", Pose::at(0.5, 0.0, 0.0)),
        )
        .build();
    assert_same(&file, &built.unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(file.name(), "test");
}

#[test]
fn every_kind_of_joint_on_a_tree() {
    let file = read(
        r#"
        [[link]]
        name = "base"
        joint = { kind = "free", spring = [1, 2, 3, 4, 5, 6], rest = { position = [0.1, 0, 0], rpy = [0, "90 deg", 0] } }
        mass = 5
        inertia = [0.3, 0.4, 0.5]
        [[link]]
        name = "a"
        joint = { kind = "cylindrical", axis = [1, 1, 0], damping = { turn = 2 }, limits = { slide = [0, "10 cm"] } }
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [[link]]
        name = "b"
        parent = "base"
        joint = { kind = "universal", axes = ["x", "z"], name = "neck" }
        placement = [0, 0, "0.2 m"]
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [[link]]
        name = "c"
        parent = "ground"
        joint = "planar"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [[link]]
        name = "d"
        parent = "b"
        joint = { kind = "spherical", prescribed = true }
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [[link]]
        name = "e"
        joint = { kind = "prismatic", axis = "x" }
        mass = 1
        [[link]]
        name = "f"
        "#,
    );
    let tensor = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let half = 0.5_f64.sqrt();
    let body = |link: Link| link.body(1.0, [0.0; 3], tensor);
    let built = Builder::new("test")
        .link(
            Link::new("base")
                .joint(Joint::Free)
                .spring(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0.1, 0.0, 0.0, half, 0.0, half, 0.0])
                .body(5.0, [0.0; 3], [[0.3, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.5]]),
        )
        .link(body(
            Link::new("a")
                .joint(Joint::Cylindrical { axis: [1.0, 1.0, 0.0] })
                .damping(&[0.0, 2.0])
                .limits(&[Some(Limits { lower: 0.0, upper: 0.1 }), None]),
        ))
        .link(body(
            Link::new("b")
                .on("base")
                .joint(Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 0.0, 1.0] })
                .joint_name("neck")
                .placed(Pose::at(0.0, 0.0, 0.2)),
        ))
        .link(body(Link::new("c").on_ground().joint(Joint::Planar)))
        .link(body(Link::new("d").on("b").joint(Joint::Spherical).prescribed()))
        .link(Link::new("e").joint(Joint::prismatic([1.0, 0.0, 0.0])).payload(1.0, [0.0; 3]))
        .link(Link::new("f"))
        .build();
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    assert_same(&file, &built);
    assert!(file.is_prescribed(4));
}

#[test]
fn denavit_hartenberg_rows() {
    for (word, convention) in
        [("standard", DhConvention::Standard), ("modified", DhConvention::Modified)]
    {
        let file = read(&format!(
            r#"
            [[link]]
            name = "a"
            dh = {{ theta = "20 deg", d = 0.3, a = 0.2, alpha = "-90 deg", convention = "{word}" }}
            mass = 1
            [[link]]
            name = "b"
            dh = {{ theta = 0.1, d = 0.3, a = 0.2, alpha = "90 deg", convention = "{word}" }}
            joint = {{ kind = "prismatic" }}
            mass = 1
            com = [0.1, 0, 0]
            "#
        ));
        let row = |theta, alpha| DhRow { theta, d: 0.3, a: 0.2, alpha };
        let built = Builder::new("test")
            .link(
                Link::new("a")
                    .dh(convention, row(PI / 9.0, -FRAC_PI_2), DhVariable::Theta)
                    .payload(1.0, [0.0; 3]),
            )
            .link(
                Link::new("b")
                    .dh(convention, row(0.1, FRAC_PI_2), DhVariable::D)
                    .payload(1.0, [0.1, 0.0, 0.0]),
            )
            .build();
        assert_same(&file, &built.unwrap_or_else(|error| panic!("{error}")));
    }
}

/// Every way to say the same turn.
#[test]
fn turns_agree() {
    let with = |turn: &str| {
        read(&format!(
            "[[link]]\nname = \"a\"\njoint = \"revolute\"\nplacement = {{ position = [1, 2, 3], {turn} }}\n\
             mass = 1\ncom = [0.1, 0.2, 0.3]\n"
        ))
    };
    let first = with("rpy = [0, 0, \"60 deg\"]");
    for turn in [
        "axis = \"z\", angle = \"60 deg\"",
        "axis = [0, 0, 2], angle = 1.0471975511965976",
        "quaternion = [0.8660254037844387, 0, 0, 0.5]",
        "rotation = [[0.5, -0.8660254037844386, 0], [0.8660254037844386, 0.5, 0], [0, 0, 1]]",
    ] {
        assert_same(&first, &with(turn));
    }
    // six digits are enough, and made exact
    let rounded = with("rotation = [[0.5, -0.866025, 0], [0.866025, 0.5, 0], [0, 0, 1]]");
    let pose = rounded.pose(&[0.0], "a").map(|pose| pose.rotation);
    let rotation = pose.unwrap_or_else(|error| panic!("{error}"));
    let length: f64 = rotation.columns[0].norm();
    assert!((length - 1.0).abs() < 1e-15);
}

/// Shapes against their inertias worked out by hand, and against each other.
#[test]
fn shapes_weigh_what_they_should() {
    let of = |shape: &str| {
        // it slides: rods and points have no inertia to turn about themselves
        let arm = read(&format!(
            "[[link]]\nname = \"a\"\njoint = {{ kind = \"prismatic\", axis = \"z\" }}\nshape = {{ {shape} }}\n"
        ));
        let inertia = arm.inertia_of(0);
        (inertia.mass, inertia.centre(), inertia.tensor_about_centre())
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a} {b}");

    let (mass, centre, tensor) = of(
        "kind = \"box\", size = [0.2, 0.3, 0.4], position = [1, 0, 0], rpy = [0, 0, \"90 deg\"], density = 1000",
    );
    close(mass, 24.0);
    close(centre.x, 1.0);
    // x and y have changed places
    close(tensor.xx, 24.0 * (0.2 * 0.2 + 0.4 * 0.4) / 12.0);
    close(tensor.yy, 24.0 * (0.3 * 0.3 + 0.4 * 0.4) / 12.0);
    close(tensor.zz, 24.0 * (0.2 * 0.2 + 0.3 * 0.3) / 12.0);

    let (mass, centre, tensor) =
        of("kind = \"cylinder\", to = [0, 0, 0.5], diameter = \"10 cm\", density = \"2.7 g/cm^3\"");
    close(mass, 2700.0 * PI * 0.05 * 0.05 * 0.5);
    close(centre.z, 0.25);
    close(tensor.zz, mass * 0.05 * 0.05 / 2.0);
    close(tensor.xx, mass * (3.0 * 0.05 * 0.05 + 0.5 * 0.5) / 12.0);

    // a tube is a cylinder without its core
    let tube = of(
        "kind = \"tube\", from = [0.1, 0, 0], to = [0.1, 0.3, 0.4], radius = 0.05, wall = 0.02, density = 1000",
    );
    let outer = of(
        "kind = \"cylinder\", from = [0.1, 0, 0], to = [0.1, 0.3, 0.4], radius = 0.05, density = 1000",
    );
    let core = of(
        "kind = \"cylinder\", from = [0.1, 0, 0], to = [0.1, 0.3, 0.4], radius = 0.03, density = 1000",
    );
    close(tube.0, outer.0 - core.0);
    for (tube, outer, core) in [
        (tube.2.xx, outer.2.xx, core.2.xx),
        (tube.2.yy, outer.2.yy, core.2.yy),
        (tube.2.zz, outer.2.zz, core.2.zz),
        (tube.2.yz, outer.2.yz, core.2.yz),
    ] {
        close(tube, outer - core);
    }
    assert!(tube.2.yz.abs() > 1e-3);

    let (_, centre, tensor) = of("kind = \"rod\", from = [0, 1, 0], to = [2, 1, 0], mass = 3");
    close(centre.x, 1.0);
    close(tensor.xx, 0.0);
    close(tensor.yy, 1.0);
    let (mass, _, tensor) = of("kind = \"sphere\", radius = 0.1, density = 1000");
    close(tensor.xx, 0.4 * mass * 0.01);
    let (mass, centre, tensor) = of("kind = \"point\", mass = 2, position = [0, 0, 1]");
    close(mass + centre.z, 3.0);
    close(tensor.xx, 0.0);
}

#[test]
fn inertia_about_the_origin_is_moved() {
    let about = |inertia: &str| {
        let arm = read(&format!(
            "[[link]]\nname = \"a\"\njoint = \"free\"\nmass = 2\ncom = [0, 0, 0.5]\ninertia = {inertia}\n"
        ));
        arm.inertia_of(0).tensor_about_centre()
    };
    let a = about("{ xx = 0.6, yy = 0.6, zz = 0.1, about = \"origin\" }");
    let b = about("[[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]");
    assert!((a.xx - b.xx).abs() + (a.yy - b.yy).abs() + (a.zz - b.zz).abs() < 1e-14);
}

#[test]
fn several_faults_are_found_at_once() {
    let report = refuse(
        "gravity = [0, \"9.81 m\", 0]\n[[link]]\nname = \"a\"\nmas = 1\njoint = \"revolut\"\n\
         [[link]]\nname = \"b\"\nparent = \"c\"\nmass = -1\n",
    );
    let codes: Vec<&str> = report.problems().map(|problem| problem.code.name).collect();
    assert_eq!(
        codes,
        [
            "pliant::file::wrong-unit",
            "pliant::file::unknown-key",
            "pliant::file::unknown-word",
            "pliant::arm::unknown-parent",
            "pliant::arm::negative-mass",
        ]
    );
}

/// Which frame is a tip is said by the builder, or in files by the link it stands on.
#[test]
fn a_frame_that_is_merely_called_so_is_no_tip() {
    let beam = "length = \"1 m\"\nsection = { kind = \"round\", radius = \"5 mm\" }\n\
                material = { young = \"69 GPa\", shear = \"26 GPa\", density = \"2700 kg/m^3\" }\n";
    let payload = "payload = { mass = 0.1 }\n";
    let elements = "{ y = true, shapes = \"elements\", elements = 1, segments = 2 }";
    for (bends, carries) in [("", ""), ("{ y = 1 }", ""), (elements, ""), (elements, payload)] {
        let bends = if bends.is_empty() { String::new() } else { format!("bends = {bends}\n") };
        let text = format!(
            "[[link]]\nname = \"upper\"\njoint = {{ kind = \"revolute\", axis = \"y\" }}\n{beam}{bends}{carries}\
             [[link]]\nname = \"side\"\njoint = {{ kind = \"fixed\" }}\nbody = {{ mass = \"1 kg\" }}\n\
             frames = [{{ name = \"ball.tip\" }}]\n"
        );
        let arm = read(&text);
        let name = |at: Option<usize>| at.map(|at| arm.frames()[at].name());
        assert!(arm.frame("ball.tip").is_ok());
        // the outermost frame, whatever it is called
        assert_eq!(name(arm.tip()), Some("ball.tip"), "{text}");
        assert_eq!(name(arm.tip_of("upper")), Some("upper.tip"));
        assert_eq!((name(arm.tip_of("ball")), name(arm.tip_of("side"))), (None, None));
        // on its own link the name is the one of the tip
        let arm = read(&text.replace("ball.tip", "side.tip"));
        assert_eq!(arm.tip(), arm.tip_of("side"));
        assert!(arm.tip().is_some());
    }
    let bar =
        Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).body(1.0, [0.25, 0.0, 0.0], ROD);
    let bar = bar.frame("bar.tip", Pose::IDENTITY).frame("tool", Pose::at(1.0, 0.0, 0.0));
    let built = |link: Link| Builder::new("arm").link(link).build().expect("an arm");
    assert_eq!(built(bar.clone()).tip_of("bar"), None);
    let arm = built(bar.clone().tip_frame("tool"));
    assert_eq!(arm.tip_of("bar"), arm.frame("tool").ok());
    assert_eq!(built(bar.tip_frame("none")).tip_of("bar"), None);
}
