//! Numbers of arm files as inputs of compiled quantities.

use crate::compiled::{outputs, state};
use crate::robots::{Random, robots};
use pliant::arm::Arm;
use pliant::compile::{Parameters, Quantity};
use pliant_io::{Report, Setting, load_with, load_with_parameters};
use std::path::PathBuf;

fn robot(name: &str) -> PathBuf {
    let path = robots().into_iter().find(|path| path.ends_with(format!("{name}.toml")));
    path.expect("a robot of this name")
}

fn parameters(name: &str, paths: &[&str]) -> Result<Parameters, Report> {
    load_with_parameters(robot(name), &[], paths).map(|(_, parameters)| parameters)
}

/// Compares an arm with parameters at values with an arm of constants; how far they are apart, of the
/// largest entry.
fn apart(parameters: &Parameters, values: &[f64], constant: &Arm, quantity: Quantity) -> f64 {
    let (mut own, mut general) = (constant.evaluator(quantity), parameters.evaluator(quantity));
    // where there is no machine code, recursions are compared
    let _ = general.compile(false);
    let mut random = Random(11);
    let mut worst = 0.0_f64;
    for _ in 0..10 {
        let mut state = state(&mut random, constant, &own);
        let wanted = outputs(&mut own, &state);
        state.push(values.to_vec());
        let got = outputs(&mut general, &state);
        let size = wanted.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
        for (wanted, got) in wanted.iter().zip(&got) {
            assert!(wanted.is_finite() && got.is_finite());
            // also where all is zero
            worst = worst.max((wanted - got).abs() / size.max(f64::MIN_POSITIVE));
        }
    }
    worst
}

/// Numbers of every kind that can be parameters, with other values for them; whether shapes stay the
/// same, so that a file that says so describes the same arm.
const GOOD: [(&str, &[(&str, f64)], bool); 8] = [
    (
        "king-two-link",
        &[
            ("link.upper.material.young", 120e9),
            ("link.upper.material.shear", 5e9),
            ("link.fore.material.density", 1500.0),
            ("gravity[1]", -1.62),
            ("gravity[0]", 2.0),
        ],
        true,
    ),
    (
        "iiwa-14",
        &[
            ("link.joint_1.mass", 9.0),
            ("link.joint_4.inertia[0]", 0.2),
            ("link.joint_7.joint.damping", 2.0),
            ("gravity[2]", -3.7),
        ],
        true,
    ),
    ("ur5", &[("link.shoulder_pan.shape.mass", 1.0)], true),
    (
        "elastic-two-link",
        &[
            ("link.fore.payload.mass", 5.0),
            ("link.fore.joint.actuator.stiffness", 90.0),
            ("link.fore.joint.actuator.damping", 0.7),
            ("link.fore.joint.actuator.viscous", 0.1),
            ("link.fore.joint.actuator.coulomb", 3.0),
            ("link.fore.joint.actuator.rotor_inertia", 4e-5),
        ],
        true,
    ),
    (
        "theodore-rrp",
        &[
            ("link.boom.payload.mass", 0.2),
            ("link.boom.section.EIy", 600.0),
            ("link.column.joint.armature", 1.0),
            ("link.column.body[0].mass", 1.0),
        ],
        false,
    ),
    ("telescopic-boom", &[("link.inner.payload.mass", 45.0)], false),
    (
        "carbon-fibre-arm",
        &[("link.fore.payload.mass", 1.0), ("link.fore.bends.damping", 0.03)],
        false,
    ),
    ("sliding-beam", &[("link.beam.section.rhoA", 0.4), ("link.beam.section.EIz", 900.0)], false),
];

#[test]
fn robots_with_parameters_are_the_robots() {
    for (name, changes, keeps_shapes) in GOOD {
        let paths: Vec<&str> = changes.iter().map(|(path, _)| *path).collect();
        let parameters =
            parameters(name, &paths).unwrap_or_else(|report| panic!("{name}: {report}"));
        let nominal: Vec<f64> = parameters.list().iter().map(|one| one.nominal).collect();
        let values: Vec<f64> = changes.iter().map(|(_, value)| *value).collect();
        let settings: Vec<Setting> = changes
            .iter()
            .map(|(path, value)| Setting::parse(&format!("{path}={value:?}")).expect("a setting"))
            .collect();
        let arm = load_with(robot(name), &[]).expect("an arm").arm;
        let other = load_with(robot(name), &settings).expect("another arm").arm;
        for quantity in [Quantity::InverseDynamics, Quantity::MassMatrix, Quantity::Kinematics] {
            assert_eq!(apart(&parameters, &nominal, &arm, quantity), 0.0, "{name} {quantity:?}");
            let apart = apart(&parameters, &values, &other, quantity);
            if keeps_shapes {
                assert!(apart < 1e-12, "{name} {quantity:?}: {apart:e}");
            }
        }
        let quantity = Quantity::ForwardDynamics;
        assert_eq!(apart(&parameters, &nominal, &arm, quantity), 0.0, "{name} {quantity:?}");
    }
}

#[test]
fn parameters_have_their_values_and_units() {
    let list = |name: &str, paths: &[&str]| {
        let parameters = parameters(name, paths).unwrap_or_else(|report| panic!("{report}"));
        let one = |own: &pliant::compile::Parameter| (own.nominal, own.unit.clone());
        parameters.list().iter().map(one).collect::<Vec<_>>()
    };
    let king = list("king-two-link", &["link.upper.material.young", "gravity[1]", "gravity[0]"]);
    let units = [(69e9, "Pa"), (-9.81, "m/s^2"), (0.0, "m/s^2")];
    assert_eq!(king, units.map(|(value, unit)| (value, unit.to_owned())));
    let fibre = ["link.fore.payload.mass", "link.fore.bends.damping"];
    let units = [(3.0, "kg"), (0.01, "")];
    assert_eq!(list("carbon-fibre-arm", &fibre), units.map(|(v, unit)| (v, unit.to_owned())));
}

#[test]
fn what_cannot_be_a_parameter_is_told() {
    for (name, paths, told) in [
        (
            "king-two-link",
            &["link.uper.material.young"][..],
            "the arm has no \"link.uper.material.young\"; did you mean link.upper.material.young?",
        ),
        ("king-two-link", &["link.upper.length"], "cannot bend in the shapes of the nominal arm"),
        (
            "king-two-link",
            &["link.upper.section.radius"],
            "the inertia of the link \"upper\" does not change in proportion to \
             link.upper.section.radius",
        ),
        (
            "king-two-link",
            &["link.upper.outboard.rpy[0]"],
            "does not change in proportion to link.upper.outboard.rpy[0]",
        ),
        ("king-two-link", &["link.upper.material"], "link.upper.material is a table, not a number"),
        (
            "carbon-fibre-arm",
            &["link.fore.material"],
            "link.fore.material is the text \"cfrp-tube\", not a number",
        ),
        ("king-two-link", &["link..upper"], "\"link..upper\" is not the path of a key"),
        (
            "elastic-two-link",
            &["link.fore.joint.actuator.gear"],
            "does not change in proportion to link.fore.joint.actuator.gear",
        ),
        ("iiwa-14", &["gravity[2]", "gravity[2]"], "the parameter gravity[2] is there twice"),
    ] {
        let report = parameters(name, paths).expect_err(told).to_string();
        assert!(report.contains(told), "{report}");
        assert!(report.contains("; "), "{report} has no help");
    }
}
