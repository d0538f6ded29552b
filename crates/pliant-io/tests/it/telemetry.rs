//! What laws tell beside forces, in the ready scenarios that have them.

use pliant::arm::CoordinateRole;
use pliant::scenario::Tracking;
use pliant::simulate::{ChannelRole, Telemetry};
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Overrides, load, run};
use std::ops::ControlFlow;
use std::path::Path;

/// Runs a ready scenario to its end.
fn completed(name: &str) -> (Tracking, Reader) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenarios/{name}.toml"));
    let setup = load(&file, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("telemetry").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let finished = run(&setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let outcome = finished.unwrap_or_else(|failure| panic!("{failure}")).written.outcome;
    assert_eq!(
        outcome.run.ending.time, setup.simulation.diagram.duration,
        "{:?}",
        outcome.run.ending
    );
    // King's links bend in modes of a free tip, whatever they carry
    let known = |warning: &String| warning.contains("shapes are for a tip without load");
    assert!(outcome.warnings.iter().all(known), "{:?}", outcome.warnings);
    (outcome.tracking.expect("a plan"), Reader::open(folder).expect("results"))
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn an_estimator_records_the_bending_it_estimates() {
    let (_, reader) = completed("gauged-bar");
    let column = |name: &str| reader.column(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (name, part) in [("bar.y1", 0.02), ("bar.y2", 0.3)] {
        let (truth, believed) = (column(name), column(&format!("law.estimate.{name}")));
        let off: Vec<f64> = truth.iter().zip(&believed).map(|(a, b)| a - b).collect();
        // one gauge with noise, and the second shape is a sixtieth of the first
        assert!(most(&off) < part * most(&truth), "{name}: {} of {}", most(&off), most(&truth));
        assert!(most(&truth) > 1e-4, "{name} hardly bends");
    }
    // joints on their angles: nothing to guard
    assert!(column("law.determinant").iter().all(|value| (value - 1.0).abs() < 1e-12));
}

#[test]
fn pseudolinks_tell_how_far_they_are_off() {
    let (tracking, reader) = completed("king-pseudolink");
    let names: Vec<&str> = tracking.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["waist", "upper.pseudolink", "fore.pseudolink"]);
    let times = reader.column("t").expect("times");
    for (name, joint) in ["upper", "fore"].iter().zip(&tracking.joints[1..]) {
        let errors = reader.column(&format!("law.{name}.pseudolink.error")).expect("recorded");
        assert!((joint.most - most(&errors)).abs() < 1e-12, "{name}");
        let late = times.iter().zip(&errors).filter(|(t, _)| **t >= 0.5);
        let squares: Vec<f64> = late.map(|(_, e)| e * e).collect();
        let rms = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt().to_degrees();
        assert!(rms < 0.05 && joint.most.to_degrees() > 0.5, "{name}: {rms} deg");
        // its rate is that of the error
        let rates = reader.column(&format!("law.{name}.pseudolink.error_rate")).expect("recorded");
        let sum: f64 = rates.iter().zip(times.windows(2)).map(|(r, t)| r * (t[1] - t[0])).sum();
        let change = errors[errors.len() - 1] - errors[0];
        assert!((sum - change).abs() < 1e-3, "{name}: {sum} {change}");
    }
    // results say what it is, and of which joint
    let what = |name: &str| {
        let one = reader.channels().iter().find(|one| one.name == format!("law.{name}"));
        let one = one.unwrap_or_else(|| panic!("{name}"));
        (one.role, one.telemetry, one.coordinate.map(|role| (role, one.index)))
    };
    let joint = |index| Some((CoordinateRole::Joint, index));
    let told = ChannelRole::Telemetry;
    assert_eq!(what("determinant"), (told, Telemetry::Determinant, None));
    let upper = reader.channels().iter().find(|one| one.name == "upper.force").expect("a force");
    for (word, telemetry) in
        [("error", Telemetry::PseudolinkError), ("error_rate", Telemetry::PseudolinkErrorRate)]
    {
        let found = what(&format!("upper.pseudolink.{word}"));
        assert_eq!(found, (told, telemetry, joint(upper.index)));
    }
    let determinant = reader.column("law.determinant").expect("recorded");
    assert!(determinant.iter().all(|value| (0.3..3.0).contains(value)), "{determinant:?}");
}

/// The idealised torque, the gains and the `J` that they were made from: Akmehmet's Figures 5.2, 5.6
/// to 5.8.
#[test]
fn feedback_of_least_energy_tells_its_efforts_and_gains() {
    let (_, reader) = completed("akmehmet-line");
    let column = |name: &str| reader.column(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let names = ["waist", "upper", "fore"];
    let [inertia, gain, rate_gain] = ["inertia.upper", "gain.upper", "gain.upper.rate"]
        .map(|word| column(&format!("feedback.fore.{word}")));
    let times = column("t");
    for (i, t) in times.iter().enumerate().filter(|(_, t)| **t < 1.599) {
        // the time to go shrinks from 40 to 10 ms; every row is a tick
        let left = 0.04 - 0.01 * ((t / 0.01).round() % 4.0);
        let want = [-6.0 / (left * left), -4.0 / left].map(|factor| factor * inertia[i]);
        for (got, want) in [gain[i], rate_gain[i]].into_iter().zip(want) {
            assert!((got / want - 1.0).abs() < 1e-6, "at {t} s {got} instead of {want}");
        }
    }
    // at rest the forces hold the weight beside the efforts
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/akmehmet-line.toml");
    let setup = load(&scenario, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let (arm, q) = (&setup.simulation.arm, &setup.simulation.diagram.q);
    let (weight, mass) = (arm.gravity_forces(q).expect("finite"), arm.mass_matrix(q).expect("M"));
    for (k, name) in names.iter().enumerate() {
        let force = column(&format!("{name}.force"));
        let effort = column(&format!("feedback.{name}.effort"));
        assert!((force[0] - effort[0] - weight[k]).abs() < 1e-9, "{name}");
        for other in &names[..=k] {
            let j = names.iter().position(|one| one == other).expect("a joint");
            let told = column(&format!("feedback.{name}.inertia.{other}"))[0];
            assert!((told - mass[(k, j)]).abs() < 1e-12, "{name} {other}: {told}");
        }
    }
    let one = reader.channels().iter().find(|one| one.name == "feedback.fore.gain.upper.rate");
    let one = one.expect("recorded");
    assert_eq!((one.telemetry, one.unit.as_str()), (Telemetry::RateGain, "N m s/rad"));
}
