//! Loops of scenario files: warnings with cures that cure, and King's poles.

use pliant::analyse::{Conditions, Input, OperatingPoint, Output};
use pliant::control::{Model, Pseudolinks};
use pliant::nalgebra::{Complex, DMatrix};
use pliant::scenario::{ScenarioFaultKind, Simulation, UnstableLoop};
use pliant::simulate::Rows;
use pliant_io::scenario::{Overrides, examine, parse};
use pliant_io::{Source, codes};
use std::path::Path;

/// The same, held where its plan ends.
fn held(duration: f64, armature: f64, period: f64) -> String {
    let end = "\"90 deg\", \"60 deg\", \"-60 deg\"";
    let text = carbon(duration, armature, period).replace("0, \"45 deg\", \"-90 deg\"", end);
    let start = "[initial]\nwaist = \"90 deg\"\nupper = \"60 deg\"\nfore = \"-60 deg\"\n";
    text.replacen("[arm]\n", &format!("{start}[arm]\n"), 1)
}

/// Three joints without motors of their own, with much damping: unstable at 1 ms.
fn carbon(duration: f64, armature: f64, period: f64) -> String {
    let link = |name: &str, more: &str| {
        format!(
            "[[arm.link]]\nname = \"{name}\"\n\
             joint = {{ kind = \"revolute\", axis = \"-y\", armature = {armature} }}\n\
             length = \"1.2 m\"\nsection = {{ kind = \"tube\", diameter = \"40 mm\", wall = \"2 mm\" }}\n\
             material = \"cfrp-tube\"\n\
             bends = {{ y = 2, z = 2, twist = 1, shapes = \"eigenmodes\", elements = 8, shear = true, damping = 0.01 }}\n\
             body = [{{ shape = {{ kind = \"sphere\", mass = \"2 kg\", diameter = \"80 mm\" }} }}]\n{more}"
        )
    };
    format!(
        "duration = {duration}\nstart = \"static equilibrium\"\nrecord = {{ every = \"5 ms\" }}\n\
         [arm]\nname = \"carbon\"\n\
         [[arm.link]]\nname = \"waist\"\n\
         joint = {{ kind = \"revolute\", axis = \"z\", armature = {armature} }}\n\
         shape = {{ kind = \"cylinder\", mass = \"2 kg\", from = [0, 0, 0], to = [0, 0, \"0.1 m\"], diameter = \"80 mm\" }}\n\
         {}{}\
         [plan]\nkind = \"joints\"\n\
         points = [[0, \"45 deg\", \"-90 deg\"], [\"90 deg\", \"60 deg\", \"-60 deg\"]]\ndurations = [\"1.5 s\"]\n\
         [[controller]]\nkind = \"gravity-pd\"\nname = \"servo\"\nperiod = {period}\nfull_state = true\n\
         stiffness = {{ waist = 2000, upper = 2000, fore = 1000 }}\n\
         damping = {{ waist = 200, upper = 200, fore = 100 }}\n",
        link("upper", "placement = [0, 0, \"0.1 m\"]\n"),
        link("fore", "payload = { mass = \"3 kg\" }\n"),
    )
}

fn built(text: &str) -> Simulation {
    let read = parse(&Source::new("loop.toml", text), Path::new(""), &Overrides::default());
    read.unwrap_or_else(|report| panic!("{report}\n{text}")).simulation
}

fn unstable(simulation: &Simulation) -> Option<UnstableLoop> {
    let kinds = simulation.loop_warnings().into_iter().map(|fault| fault.kind);
    let mut loops = kinds.filter_map(|kind| match kind {
        ScenarioFaultKind::UnstableLoop(own) => Some(*own),
        _ => None,
    });
    loops.next()
}

/// Whether a short run comes to its end at rest: what grows may end in a cycle.
fn ends(text: &str) -> bool {
    let outcome = built(text).run(&mut Rows::new(), &mut ()).expect("a run");
    outcome.is_complete() && outcome.summary.u.iter().all(|u| u.abs() < 1e-3)
}

#[test]
fn cures_cure() {
    let found = unstable(&built(&carbon(5.0, 0.0, 1e-3))).expect("an unstable loop");
    assert_eq!(found.controller, "servo");
    assert!(found.at_end && found.joints.contains(&"fore".to_owned()), "{:?}", found.joints);
    assert_eq!((found.period, found.is_stable_continuously), (Some(1e-3), Some(true)));
    let armature = found.armature.expect("a motor inertia");
    let tick = found.longest_tick.expect("a tick");
    for (part, is_stable) in [(1.0, true), (0.8, false)] {
        let heavier = built(&carbon(5.0, part * armature, 1e-3));
        assert_eq!(unstable(&heavier).is_none(), is_stable, "{part} of {armature}");
        let run = held(1.0, part * armature, 1e-3);
        assert_eq!(ends(&run), is_stable, "a run with {part} of {armature} kg m^2");
        let faster = built(&carbon(5.0, 0.0, tick / part));
        assert_eq!(unstable(&faster).is_none(), is_stable, "{tick} / {part}");
        let run = held(0.02, 0.0, tick / part);
        assert_eq!(ends(&run), is_stable, "a run with ticks of {tick} / {part} s");
    }
}

#[test]
fn warnings_point_at_the_period_and_failures_tell_the_cure() {
    let text = carbon(0.2, 0.0, 1e-3);
    let file = std::env::temp_dir().join(format!("pliant-loop-{}.toml", std::process::id()));
    std::fs::write(&file, &text).expect("written");
    let setup = examine(&file, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    std::fs::remove_file(&file).expect("ours");
    // that the run is shorter than its plan is told too
    let mut problems = setup.warnings.iter().flat_map(pliant_io::Report::problems);
    let problem = problems.find(|one| one.code == &codes::LOOP).expect("a warning");
    let span = problem.span.clone().expect("a place");
    assert!(text[..span.start].ends_with("period = "), "{:?}", &text[span]);
    let help = problem.help.clone().expect("a help");
    for word in ["armature = ", "period = ", "full_state = true", "dry friction"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let outcome = setup.simulation.run(&mut Rows::new(), &mut ()).expect("a run");
    let why = outcome.summary.ending.why.expect("a reason");
    assert!(why.contains("unstable") && why.contains("kg m^2"), "{why}");
    assert!(outcome.unstable.is_some());
    // who does not look before is told as well
    let unseen = built(&text).run(&mut Rows::new(), &mut ()).expect("a run");
    assert!(unseen.unstable.is_some());
}

/// Under King's joint controller the joints have his poles at -10/s, and the links those of locked
/// joints.
#[test]
fn the_decoupling_law_leaves_the_poles_of_locked_joints() {
    let setup = files("scenarios/king-decoupling.toml");
    let closed = setup.closed_loop(0.0, &[], &[]).expect("a loop");
    assert_eq!(closed.period, None);
    let locked = Conditions::default();
    let arm = &setup.arm;
    let poles = arm.linearise(&closed.point, &locked, &[], &[]).expect("a system").poles();
    let mut found = closed.system.poles();
    assert_eq!(found.len(), poles.len() + 6);
    for pole in poles {
        let nearest = (0..found.len())
            .min_by(|&a, &b| (found[a] - pole).norm().total_cmp(&(found[b] - pole).norm()))
            .expect("one");
        let off = (found.swap_remove(nearest) - pole).norm();
        assert!(off < 1e-4 * pole.norm(), "{pole}: {off:e}");
    }
    // double poles are apart by the root of what slopes are off by
    assert!(found.iter().all(|pole| (pole + 10.0).norm() < 0.02), "{found:?}");
}

fn files(path: &str) -> Simulation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let setup = pliant_io::scenario::load(path, &Overrides::default());
    setup.unwrap_or_else(|report| panic!("{report}")).simulation
}

/// The poles `-s^2 = eig (H22 - H21 F)^-1 K` of King (4-28), his Table 4.2, are the zeros of the motors
/// to the points of the pseudolinks.
#[test]
fn kings_flexible_subsystem_has_the_zeros_of_his_pseudolinks() {
    let arm = files("scenarios/king-decoupling.toml").arm.as_ref().clone();
    let arm = arm.with_gravity([0.0; 3].into());
    let named = |name: &str| arm.velocity_names().iter().position(|own| own == name).expect("one");
    let joints = ["waist", "upper", "fore"].map(named);
    let mut q = arm.neutral();
    for (name, angle) in [("upper", -45.0_f64), ("fore", 45.0)] {
        q[arm.configuration_names().iter().position(|own| own == name).expect("one")] =
            angle.to_radians();
    }
    let [upper, fore] = ["upper.tip", "fore.tip"].map(|name| arm.frame(name).expect("a frame"));
    let inputs = joints.map(Input::Motor);
    let outputs = [(fore, 1), (upper, 2), (fore, 2)];
    let outputs = outputs.map(|(frame, axis)| Output::Position { frame, axis });
    let free = Conditions::unlocked(&arm);
    let point = OperatingPoint::rest(&arm, &q);
    let system = arm.linearise(&point, &free, &inputs, &outputs).expect("a system");
    let zeros = system.zeros().expect("a response");
    let mut model = Model::new(arm.clone(), &joints).expect("a model");
    model.set_estimate(&q, &vec![0.0; arm.nv()]);
    let frames = vec![Some(fore), Some(upper), Some(fore)];
    let map = Pseudolinks { frames }.map(&mut model).expect("a map");
    let flexible: Vec<usize> = (0..arm.nv()).filter(|v| !joints.contains(v)).collect();
    let mass = arm.mass_matrix(&q).expect("a matrix");
    let stiffness = arm.tangent_stiffness(&q, &free).expect("a matrix");
    let part = |whole: &DMatrix<f64>, rows: &[usize], columns: &[usize]| {
        whole.select_rows(rows).select_columns(columns)
    };
    let effective = part(&mass, &flexible, &flexible) - part(&mass, &flexible, &joints) * map;
    let stiffness = part(&stiffness, &flexible, &flexible);
    let squares = effective.lu().solve(&stiffness).expect("a solution").complex_eigenvalues();
    assert_eq!(zeros.len(), 2 * flexible.len());
    for square in squares.iter() {
        let zero = Complex::sqrt(-square);
        for zero in [zero, -zero] {
            let off = zeros.iter().map(|own| (own - zero).norm()).fold(f64::INFINITY, f64::min);
            assert!(off < 1e-6 * zero.norm(), "{zero}: {off:e} of {zeros:?}");
        }
    }
    // some are in the right half-plane, as King says
    assert!(zeros.iter().any(|zero| zero.re > 1.0));
}
