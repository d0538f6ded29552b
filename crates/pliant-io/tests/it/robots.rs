//! Every arm in `robots/` loads without doubt and behaves like a machine.

use crate::files;
use pliant::arm::Arm;
use pliant::dynamics::energy::Power;
use pliant::dynamics::passive;
use std::path::{Path, PathBuf};

pub(crate) fn robots() -> Vec<PathBuf> {
    let paths = files::listed("robots", &["toml"]).expect("the folder of robots");
    assert!(paths.len() >= 7, "{paths:?}");
    paths
}

pub(crate) fn load(path: &Path) -> Arm {
    let loaded = pliant_io::load(path).unwrap_or_else(|report| panic!("{report}"));
    // King's links bend in modes of a free tip, whatever they carry
    let king = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("king-"));
    let doubted = loaded.warnings.problems().map(|problem| problem.code.name);
    let doubts: Vec<&str> = doubted.collect();
    assert_eq!(
        doubts,
        if king { vec!["pliant::arm::free-tip"] } else { vec![] },
        "{}",
        path.display()
    );
    loaded.arm
}

/// Numbers between −1 and 1 from a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }

    /// A configuration anywhere.
    pub(crate) fn configuration(&mut self, arm: &Arm) -> Vec<f64> {
        let mut q = arm.neutral();
        arm.displace(&mut q, &self.vector(arm.nv(), 2.0));
        // lengths stay in their strokes, off the ends
        for (at, _) in (0..arm.body_count()).filter_map(|link| arm.length_of(link)) {
            let stroke = arm.limits()[at].expect("a stroke");
            q[at] = stroke.lower + (stroke.upper - stroke.lower) * (0.5 + 0.4 * self.next());
        }
        q
    }
}

#[test]
fn mass_matrices_are_positive_definite() {
    for path in robots() {
        let arm = load(&path);
        let mut random = Random(1);
        for _ in 0..20 {
            let q = random.configuration(&arm);
            let mass = arm.mass_matrix(&q).expect("a mass matrix");
            assert!((&mass - mass.transpose()).norm() <= 1e-14 * mass.norm());
            assert!(mass.cholesky().is_some(), "{path:?} at {q:?}");
        }
    }
}

/// All turns in `robots/` are quarters, of which the numbers of an arm show no rounding.
#[test]
fn quarters_of_a_turn_leave_no_rounding() {
    for path in robots() {
        let arm = load(&path);
        let mut kinematics = pliant::dynamics::kinematics::Workspace::new(&arm);
        let placed = kinematics.place(&arm, &arm.neutral());
        for (at, frame) in arm.frames().iter().enumerate() {
            let axes = placed.pose(at).rotation.to_rows();
            let is_whole = axes.as_flattened().iter().all(|entry| [-1.0, 0.0, 1.0].contains(entry));
            assert!(is_whole, "{}, {}: {axes:?}", path.display(), frame.name());
        }

        let tiny = std::cell::Cell::new(0);
        let _: Arm = arm.cast_with(|number: f64| {
            tiny.set(tiny.get() + usize::from(number != 0.0 && number.abs() < 1e-14));
            number
        });
        let expected = match arm.name() {
            // a product of inertia that shifts to zero
            "puma-560" => 1,
            // integrals of orthogonal shapes
            "king-two-link" => 24,
            // laws of the length, whose last terms are as small
            _ if (0..arm.body_count()).any(|link| arm.length_of(link).is_some()) => continue,
            _ => 0,
        };
        assert_eq!(tiny.get(), expected, "{}", path.display());
    }
}

/// The rate of the total energy is the power of motors and dampers.
#[test]
fn energies_balance() {
    for path in robots() {
        let arm = load(&path);
        let mut random = Random(2);
        for _ in 0..5 {
            let q = random.configuration(&arm);
            let u = random.vector(arm.nv(), 1.0);
            let tau = random.vector(arm.nv(), 10.0);
            let rest = vec![0.0; arm.nv()];
            let motion = arm.hybrid_dynamics(&q, &u, &tau, &rest);
            // prescribed lengths need forces of their own
            let (tau, ud) = motion.expect("accelerations");
            let energy = |h: f64| {
                let step: Vec<f64> =
                    (0..arm.nv()).map(|i| h * u[i] + 0.5 * h * h * ud[i]).collect();
                let fast: Vec<f64> = (0..arm.nv()).map(|i| u[i] + h * ud[i]).collect();
                let mut there = q.clone();
                arm.displace(&mut there, &step);
                arm.energies(&there, &fast).expect("energies").total()
            };
            let h = 1e-4 / (1.0 + ud.norm());
            // central differences of fourth order
            let slope = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h)))
                / (12.0 * h);
            let power = {
                let mut passive = passive::Workspace::new(&arm);
                Power::new(&arm, &mut passive, [&q, &u], tau.as_slice(), &rest).total()
            };
            let noise = 1e-15 * energy(0.0).abs() / h;
            let scale = 1.0 + power.abs() + slope.abs();
            assert!(
                (slope - power).abs() <= 1e-6 * scale + 10.0 * noise,
                "{path:?}: {slope} W, {power} W"
            );
        }
    }
}

/// Each file says where its numbers come from.
#[test]
fn sources_are_cited() {
    for path in robots() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let head: String = text.lines().take_while(|line| line.starts_with('#')).collect();
        assert!(head.contains("Source") || head.contains("Akmehmet's thesis"), "{path:?}");
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert_eq!(load(&path).name(), stem);
    }
}

/// Two arms whose numbers are also in the reference cases.
#[test]
fn akmehmets_arms_are_those_of_the_cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/akmehmet.json");
    let text = std::fs::read_to_string(cases).expect("the cases");
    let cases: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        let list = value.as_array().expect("a list");
        list.iter().map(|x| x.as_f64().expect("a number")).collect()
    };
    for (key, path) in [("arm3", "akmehmet-3.toml"), ("arm6", "akmehmet-6.toml")] {
        let arm = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots").join(path));
        for state in cases[key]["states"].as_array().expect("states") {
            let q = numbers(&state["q"]);
            let mass = arm.mass_matrix(&q).expect("a mass matrix");
            let gravity = arm.gravity_forces(&q).expect("forces");
            let rows = state["J"].as_array().expect("rows");
            for (i, row) in rows.iter().enumerate() {
                for (j, want) in numbers(row).into_iter().enumerate() {
                    assert!((mass[(i, j)] - want).abs() <= 1e-11 * mass.amax(), "{key} J {i} {j}");
                }
            }
            for (got, want) in gravity.iter().zip(numbers(&state["g"])) {
                assert!((got - want).abs() <= 1e-11 * gravity.amax(), "{key} g");
            }
        }
    }
}
