//! Links with a length: arm files and the builder describe the same arms, and files come back.

use crate::files;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{
    Basis, Beam, CrossSection, Damping, Material, Matter, Profile, Section, ShapeLoad, TipLoad,
    Ways,
};
use pliant::nalgebra::DMatrix;
use pliant::spatial::{Pose, Vec3, euler_xyz};
use pliant_io::{Loaded, Source, parse_arm, parse_state, write_arm};
use std::path::Path;

fn load(text: &str) -> Loaded {
    match parse_arm(&Source::new("test.toml", text)) {
        Ok(loaded) => loaded,
        Err(report) => panic!("{report}\n{text}"),
    }
}

fn read(text: &str) -> Arm {
    let loaded = load(text);
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    loaded.arm
}

fn aluminium(outline: CrossSection) -> Matter {
    Matter::Made { outline, material: Material::named("aluminium").unwrap() }
}

/// Mass matrix and forces away from all symmetries, slightly bent.
fn assert_same(a: &Arm, b: &Arm, tolerance: f64) {
    assert_eq!(a.velocity_names(), b.velocity_names());
    let u: Vec<f64> = (0..a.nv()).map(|i| 0.1 * (1.3 + i as f64).sin()).collect();
    let mut q = a.neutral();
    a.displace(&mut q, &u);
    let (x, y) = (a.mass_matrix(&q).unwrap(), b.mass_matrix(&q).unwrap());
    assert!((&x - &y).amax() <= tolerance * x.amax(), "{} {}", (&x - &y).amax(), x.amax());
    let (x, y) = (a.bias(&q, &u).unwrap(), b.bias(&q, &u).unwrap());
    assert!((&x - &y).amax() <= 10.0 * tolerance * x.amax(), "{} {}", (&x - &y).amax(), x.amax());
    for frame in a.frames() {
        let (x, y) = (a.pose(&q, frame.name()).unwrap(), b.pose(&q, frame.name()).unwrap());
        assert!((x.position - y.position).norm() < 1e-12, "{}", frame.name());
    }
}

const TWO_LINK: &str = r#"
name = "two-link"
gravity = [0, -9.81, 0]

[[link]]
name = "upper"
joint = { kind = "revolute", axis = "z" }
length = "1.22 m"
section = { kind = "round", diameter = "10 mm" }
material = "aluminium"
bends = { y = 2, z = 2, twist = 1 }

[[link]]
name = "fore"
joint = { kind = "revolute", axis = "y" }
length = "1.22 m"
section = { kind = "round", diameter = "8 mm" }
material = "aluminium"
bends = { y = 2, z = 2 }
payload = { mass = "0.25 kg" }
"#;

fn two_link() -> Builder {
    let beam = |diameter, ways| {
        Beam::new(1.22, aluminium(CrossSection::Round { diameter }), Basis::loaded(ways))
    };
    Builder::new("two-link")
        .gravity([0.0, -9.81, 0.0])
        .link(
            Link::new("upper")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .beam(beam(0.01, Ways::new(2, 2, 1, 0))),
        )
        .link(
            Link::new("fore")
                .joint(Joint::revolute([0.0, 1.0, 0.0]))
                .at_section(1.22)
                .beam(beam(0.008, Ways::new(2, 2, 0, 0)))
                .tip_body(0.25, [0.0; 3], [[0.0; 3]; 3]),
        )
}

#[test]
fn the_taste_is_the_arm_it_says() {
    let arm = read(TWO_LINK);
    assert_same(&two_link().build().unwrap(), &arm, 1e-15);
    let names = ["upper", "upper.y1", "upper.y2", "upper.z1", "upper.z2", "upper.x1", "fore"];
    assert_eq!(arm.velocity_names()[..7], names);
    let tip = arm.pose(&arm.neutral(), "fore.tip").unwrap().position;
    assert!((tip - Vec3::new(2.44, 0.0, 0.0)).norm() < 1e-15);
    assert!(arm.frame("upper.tip").is_ok());
}

#[test]
fn states_name_the_coordinates_of_bending() {
    let arm = read(TWO_LINK);
    let state = |text: &str| parse_state(&Source::new("state.json", text), &arm);
    let named = r#"{"q": {"upper": "30 deg", "upper.y1": "5 mm", "upper.x1": "2 deg"}, "u":
        {"fore.z2": "3 mm/s"}, "tau": {"upper.y1": "2 N"}}"#;
    let (named, warnings) = state(named).unwrap();
    assert!(warnings.is_empty(), "{warnings}");
    assert_eq!(named.q[1], 0.005);
    assert_eq!(named.q[5], 2.0_f64.to_radians());
    assert_eq!(named.u[10], 0.003);
    assert_eq!(named.tau[1], 2.0);
    let listed = r#"{"q": [0, "5 mm", 0, 0, 0, 0.1, 0, 0, 0, 0, 0.2]}"#;
    assert_eq!(state(listed).unwrap().0.q[10], 0.2);
    let wrong = state(r#"{"q": {"upper.y1": "5 deg"}}"#).unwrap_err().to_string();
    assert!(wrong.contains("an angle; expected a length"), "{wrong}");
    let wrong = state(r#"{"q": {"upper.y3": 1}}"#).unwrap_err().to_string();
    assert!(wrong.contains("upper.y1") || wrong.contains("upper.y2"), "{wrong}");
}

/// A rigid bar weighs what a bending one weighs, and children sit where they did.
#[test]
fn a_link_that_does_not_bend_is_a_bar() {
    let rigid = read(
        &TWO_LINK
            .replace("bends = { y = 2, z = 2, twist = 1 }", "")
            .replace("bends = { y = 2, z = 2 }", ""),
    );
    let bending = read(TWO_LINK);
    assert_eq!(rigid.nv(), 2);
    let (x, y) = (
        rigid.mass_matrix(&[0.3, 0.4]).unwrap(),
        bending.mass_matrix(&[0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0]).unwrap(),
    );
    for (i, j, a, b) in [(0, 0, 0, 0), (0, 1, 0, 6), (1, 1, 6, 6)] {
        assert!((x[(i, j)] - y[(a, b)]).abs() < 1e-13, "{i} {j}");
    }
    let tip = rigid.pose(&[0.0, 0.0], "fore.tip").unwrap().position;
    assert!((tip - Vec3::new(2.44, 0.0, 0.0)).norm() < 1e-15);
}

#[test]
fn things_sit_where_at_says() {
    let text = r#"
[[link]]
name = "mast"
length = "2 m"
root = { position = [0, 0, "0.5 m"], rpy = [0, "-90 deg", 0] }
[[link]]
name = "side"
parent = "mast"
at = "0.5 m"
joint = "revolute"
mass = 1
inertia = [1, 1, 1]
[[link]]
name = "foot"
parent = "mast"
at = 0
[[link]]
name = "boom"
parent = "mast"
placement = { rpy = [0, "90 deg", 0] }
length = "3 m"
section = { kind = "tube", diameter = "40 mm", wall = "3 mm" }
material = "steel"
bends = { z = 2, shapes = "clamped-free" }
rigid = { root = "0.2 m", tip = "0.3 m" }
frames = [{ name = "hand" }, { name = "eye", at = "1 m", position = [0, 0, 0.1] }, { name = "heel", at = 0 }]
[[link]]
name = "hook"
at = "2.9 m"
[[link]]
name = "winch"
parent = "boom"
at = "0.1 m"
"#;
    let arm = read(text);
    let at = |frame: &str| arm.pose(&arm.neutral(), frame).unwrap().position;
    for (frame, x, z) in [
        ("mast.tip", 0.0, 2.5),
        ("side", 0.0, 1.0),
        ("foot", 0.0, 0.5),
        ("boom", 0.0, 2.5),
        ("boom.tip", 3.0, 2.5),
        ("hand", 3.0, 2.5),
        ("eye", 1.0, 2.6),
        ("heel", 0.0, 2.5),
        ("hook", 2.9, 2.5),
        ("winch", 0.1, 2.5),
    ] {
        assert!((at(frame) - Vec3::new(x, 0.0, z)).norm() < 1e-14, "{frame}: {:?}", at(frame));
    }
}

/// Segments are short, but the link is slender.
#[test]
fn slender_links_in_segments_are_not_doubted() {
    let divided = "bends = { y = true, z = true, twist = true, shapes = \"elements\", \
                   elements = 1, segments = 8 }";
    let undivided = "bends = { y = 2, z = 2, twist = 1 }";
    let arm = read(&TWO_LINK.replace(undivided, divided));
    assert_eq!(arm.nv(), 2 + 8 * 5 + 4);
    assert!(arm.velocity_names().contains(&"upper.8.rz1".to_owned()));
}

/// Numbers between 0 and 1 from a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        self.next();
        (self.0 >> 33) as usize % n
    }

    fn outline(&mut self, kind: usize) -> CrossSection {
        let (height, width) = (0.01 + 0.02 * self.next(), 0.01 + 0.02 * self.next());
        let wall = 0.001 + 0.002 * self.next();
        match kind {
            0 => CrossSection::Round { diameter: height },
            1 => CrossSection::Tube { diameter: height, wall },
            2 => CrossSection::Rectangle { height, width },
            3 => CrossSection::Box { height, width, wall },
            _ => CrossSection::I { height, width, web: wall, flange: 1.1 * wall },
        }
    }

    fn material(&mut self) -> Material {
        let name = Material::NAMES[self.below(Material::NAMES.len())];
        let known = Material::named(name).unwrap();
        match self.below(3) {
            0 => known,
            1 => Material {
                young: 1.01 * known.young,
                name: "given".into(),
                source: "given",
                ..known
            },
            _ => Material { strength: None, name: "given".into(), source: "given", ..known },
        }
    }

    fn profile(&mut self, length: f64) -> Profile {
        let (kind, material) = (self.below(5), self.material());
        let made = |random: &mut Self| Matter::Made {
            outline: random.outline(kind),
            material: material.clone(),
        };
        match self.below(3) {
            0 => Profile::from(made(self)),
            1 => {
                let middle = length * self.next();
                let stations = vec![
                    (0.0, made(self)),
                    (middle, made(self)),
                    (middle, made(self)),
                    (length, made(self)),
                ];
                Profile::along(stations)
            }
            _ => {
                let Section { ea, ei_y, ei_z, gj, kga_y, .. } = made(self).section();
                let section = Section {
                    ea,
                    ei_y,
                    ei_z,
                    gj,
                    kga_y,
                    kga_z: Some(1e6 + 1e6 * self.next()),
                    rho_a: self.next() + 0.1,
                    rho_i_z: 1e-6 * self.next(),
                    rho_i_y: 1e-6 * self.next(),
                };
                Profile::from(section)
            }
        }
    }

    fn basis(&mut self) -> Basis {
        let ways = Ways::new(1 + self.below(3), self.below(3), self.below(2), self.below(2));
        let load = match self.below(2) {
            0 => ShapeLoad::Outboard,
            _ => ShapeLoad::Given(TipLoad {
                mass: self.next(),
                offset: 0.1,
                inertia: [0.1, 0.2, 0.3],
            }),
        };
        match self.below(7) {
            0 => Basis::ClampedFree(ways),
            1 => Basis::RootPinned(ways),
            2 => Basis::ClampedMass { ways, load },
            3 => Basis::Hermite { elements: 2, ways: Ways::new(true, false, true, ways.axial > 0) },
            4 => Basis::Pieces {
                pieces: 2 + self.below(3),
                ways: Ways::new(true, ways.bend_z > 0, ways.torsion > 0, false),
                pinned: self.below(2) == 0,
            },
            5 => Basis::loaded(ways),
            _ => Basis::Eigenmodes { elements: 4, ways, load, hinge_y: Some(0.1), hinge_z: None },
        }
    }

    fn beam(&mut self) -> Beam {
        let length = 0.8 + self.next();
        let (profile, basis) = (self.profile(length), self.basis());
        let mut beam = Beam::new(length, profile, basis);
        beam.shear = match beam.basis {
            Basis::Hermite { .. } | Basis::Eigenmodes { .. } => true,
            Basis::Loaded { .. } => self.below(2) == 0,
            _ => false,
        };
        beam.foreshortening = self.below(3) > 0;
        if matches!(beam.basis, Basis::Hermite { .. }) {
            beam.segments = 1 + self.below(2);
        }
        if self.below(2) == 0 {
            beam.rigid_root = 0.1 * self.next();
            beam.rigid_tip = 0.1 * self.next();
        }
        if self.below(3) == 0 {
            beam.root = Pose::new(euler_xyz(0.1, 0.2, 0.3), Vec3::new(0.1, 0.0, 0.2));
        }
        if self.below(4) == 0 {
            let n = beam.count();
            beam.reduction = Some(DMatrix::from_fn(n, n.min(2), |i, j| 1.0 + (i * 3 + j) as f64));
        }
        if let Basis::Pieces { .. } = beam.basis {
            beam.foreshortening = true;
            beam.reduction = None;
            beam.damping.stiffness = 1e-3 * self.next();
            return beam;
        }
        beam.damping = match self.below(4) {
            0 if beam.segments == 1 => Damping { ratios: vec![0.01], ..Damping::default() },
            1 if beam.segments == 1 => {
                Damping { ratios: vec![0.02; beam.count()], mass: 0.1, stiffness: 1e-4 }
            }
            2 => Damping { mass: 0.2, ..Damping::default() },
            _ => Damping::default(),
        };
        beam
    }
}

/// Every kind of beam is written so that reading gives the same arm.
#[test]
fn random_beams_come_back() {
    let mut random = Random(5);
    for _ in 0..60 {
        let beam = random.beam();
        let (whole, place) = (beam.whole_length(), beam.whole_length() * random.next());
        let mut first = Link::new("a")
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .beam(beam)
            .section_frame("middle", place, Pose::at(0.0, 0.1, 0.0))
            .root_frame("hub", Pose::at(0.1, 0.0, 0.0))
            .frame("tool", Pose::at(0.0, 0.0, 0.1));
        let tensor = [[0.1, 0.01, 0.0], [0.01, 0.1, 0.0], [0.0, 0.0, 0.1]];
        for _ in 0..random.below(3) {
            first = first.tip_body(random.next(), [0.1, 0.0, 0.0], tensor);
        }
        if random.below(2) == 0 {
            first = first.body(0.5, [0.0; 3], tensor);
        }
        let arm = Builder::new("arm")
            .link(first)
            .link(
                Link::new("b")
                    .joint(Joint::revolute([0.0, 1.0, 0.0]))
                    .at_section(if random.below(2) == 0 { whole } else { place })
                    .placed(Pose::at(0.0, 0.0, 0.1))
                    .beam(random.beam()),
            )
            .link(Link::new("c").on("a").at_root().joint(Joint::Free).body(1.0, [0.0; 3], tensor))
            .link(Link::new("d").on("a").joint(Joint::Free).body(1.0, [0.0; 3], tensor));
        let before = arm.clone().build().unwrap_or_else(|error| panic!("{error}"));
        let text = write_arm(&arm);
        let after = load(&text);
        assert_same(&before, &after.arm, 1e-13);
        let again = write_arm(&after.description);
        let again = load(&again);
        assert_same(&after.arm, &again.arm, 1e-13);
    }
}

struct Weightless;

impl pliant::arm::ForceElement for Weightless {
    fn frames(&self) -> Vec<String> {
        vec!["a".into()]
    }
}

/// A file cannot have code, and says so.
#[test]
fn force_elements_are_named_in_a_comment() {
    let arm = Builder::new("arm").link(Link::new("a").payload(1.0, [0.0; 3]));
    let text = write_arm(&arm.element("a \"lift\"\nname = 3", &Weightless));
    let comment = r#"# without the force element "a \"lift\"\nname = 3", which is code"#;
    assert!(text.lines().any(|line| line == comment), "{text}");
    assert_eq!(load(&text).arm.element_names().count(), 0);
}

#[test]
fn every_robot_comes_back() {
    for folder in ["robots", "crates/pliant-cli/templates"] {
        for path in files::listed(folder, &["toml"]).unwrap() {
            let before = pliant_io::load(&path).unwrap();
            let after = load(&write_arm(&before.description));
            assert_same(&before.arm, &after.arm, 1e-15);
        }
    }
}

/// King (2.7): the numbers of his arm, from an independent derivation of the same reading.
#[test]
fn kings_arm_has_his_stiffness() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/king-two-link.toml");
    let arm = pliant_io::load(path).unwrap().arm;
    for (link, ei, gj, mu) in [
        (0, 33.870_295_796_514_96, 8.737_554_567_796_613, 0.218_340_689_424_490_6),
        (1, 13.873_273_158_252_53, 3.578_902_350_969_493, 0.139_738_041_231_674),
    ] {
        let section = arm.beam_of(link).unwrap().profile.section_at(0.0);
        for (got, want) in
            [(section.ei_y, ei), (section.ei_z, ei), (section.gj, gj), (section.rho_a, mu)]
        {
            assert!((got / want - 1.0).abs() < 1e-14, "{got} {want}");
        }
    }
    // at -90 degrees it hangs, and nothing is deflected by its weight but along itself
    let mut q = arm.neutral();
    q[0] = -std::f64::consts::FRAC_PI_2;
    assert!(arm.gravity_forces(&q).unwrap().amax() < 1e-14);
}
