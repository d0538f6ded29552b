//! Laws and estimators of scenarios as sources, along sequences of ticks, against the controllers.

use super::build::{Folder, cuda, missing, rust};
use super::{different, faults};
use crate::estimators::BAR;
use crate::robots::Random;
use pliant::codegen::{
    CodeContent, CodeController, CodeError, CodeSettings, CodeSubject, Language, Sources,
    sources_of,
};
use pliant::integrate::StateVisitor;
use pliant::scenario::Simulation;
use pliant::simulate::{Block as _, FullState, Jet, Signal, Tick};
use pliant_io::Source;
use pliant_io::scenario::{Overrides, parse};
use std::collections::HashMap;
use std::path::Path;

/// How many ticks are compared, after the first.
const TICKS: u64 = 120;

/// A bar that bends, led by a law of which gains lead everything together, with a filter.
fn bar() -> String {
    let run = "duration = \"1 s\"\nstart = \"static equilibrium\"\n\n[arm]\nname = \"bar\"\n\
        gravity = [0, 0, \"-9.81 m/s^2\"]\n";
    let law = "kind = \"composite\"\nsensors = [\"gauge\", \"shaft\"]\n\
        estimator = { kind = \"kalman\" }\ngains_period = \"100 s\"\n";
    [run, &BAR.replace("PROFILE", ""), law].concat()
}

/// King's arm under its weight, whose links are held by a law with a filter.
fn gauged_king() -> String {
    let mut text =
        king("composite").replace("full_state = true\nrows = [\"upper\", \"fore\"]\n", "");
    let mut names = Vec::new();
    for joint in ["waist", "upper", "fore"] {
        names.push(format!("\"{joint} shaft\""));
        text.extend([format!(
            "[[sensor]]\nkind = \"encoder\"\nname = \"{joint} shaft\"\ncoordinate = \"{joint}\"\nperiod = \"1 ms\"\n"
        )]);
    }
    for link in ["upper", "fore"] {
        for side in ["y", "z"] {
            names.push(format!("\"{link} {side}\""));
            text.extend([format!(
                "[[sensor]]\nkind = \"strain\"\nname = \"{link} {side}\"\nlink = \"{link}\"\nat = \"0.05 m\"\n\
                 {side} = \"8 mm\"\nperiod = \"1 ms\"\nnoise = 2e-6\n"
            )]);
        }
    }
    let eyes = format!("sensors = [{}]\nestimator = {{ kind = \"kalman\" }}\n", names.join(", "));
    let own = text.replace("period = \"0.1 ms\"\n", &format!("period = \"1 ms\"\n{eyes}"));
    assert_ne!(own, text);
    own
}

/// The ready scenario of King's arm with another law, whose gains stay.
fn king(kind: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/king-pseudolink.toml");
    let text = std::fs::read_to_string(path).expect("a scenario");
    let text = text.replace("kind = \"pseudolink\"", &format!("kind = \"{kind}\""));
    text.replace("gains_period = \"50 ms\"", "gains_period = \"100 s\"")
}

fn built(text: &str) -> Simulation {
    let read = parse(&Source::new("law.toml", text), Path::new(""), &Overrides::default());
    read.unwrap_or_else(|report| panic!("{report}\n{text}")).simulation
}

/// The sources of the only controller of a scenario.
fn written(
    simulation: &Simulation,
    contents: &[CodeContent],
    language: Language,
) -> Result<Sources, CodeError> {
    let own = &simulation.controllers[0];
    let controller = CodeController {
        name: &own.name,
        controller: &own.controller,
        period: own.period,
        scenario: None,
        sensors: &[],
    };
    let subject = CodeSubject::Controller(controller);
    sources_of(subject, contents, &CodeSettings::new(language), None)
}

/// The rate of a reference's acceleration just after an instant: the smaller of two differences.
fn jerk(reference: &Signal, t: f64) -> f64 {
    let at = |k: f64| reference.jet(t + k * 1e-4).acceleration / 1e-4;
    let (before, after) = (at(1.0) - at(0.0), at(2.0) - at(1.0));
    if before.abs() < after.abs() { before } else { after }
}

/// What the controller's filter remembers: configuration, velocities, state, innovation.
fn remembered(simulation: &Simulation, heard: usize, numbers: &[f64]) -> [Vec<f64>; 4] {
    let (nq, nv) = (simulation.arm.nq(), simulation.arm.nv());
    let own = nq + nv + 2 * nv + heard;
    let end = numbers.len() - (2 * nv).pow(2) - heard.pow(2);
    let mut rest = &numbers[end - own..end];
    [nq, nv, 2 * nv, heard].map(|count| {
        let (part, left) = rest.split_at(count);
        rest = left;
        part.to_vec()
    })
}

/// The numbers of ticks, function after function: inputs, and what the controller makes of them. It
/// begins where the plan does, at rest; states and measurements are any near there.
fn numbers(simulation: &Simulation, sources: &Sources) -> (Vec<f64>, Vec<f64>) {
    let plan = simulation.plan.as_ref().expect("a plan");
    let arm = &*simulation.arm;
    let own = &simulation.controllers[0];
    let mut block = own.controller.clone();
    block.start();
    let has_filter = sources.functions.iter().any(|function| function.name == "estimator");
    let heard = if has_filter { simulation.diagram.blocks[0].inputs.len() } else { 0 };
    let m = plan.velocities.len();
    let mut rest = arm.neutral();
    let jets = |t: f64| plan.signals.iter().map(|signal| signal.jet(t)).collect::<Vec<Jet>>();
    for (v, jet) in plan.velocities.iter().zip(jets(0.0)) {
        rest[arm.coordinate_of(*v).expect("one")] = jet.value;
    }
    let rest = arm.static_equilibrium(&rest).expect("an equilibrium").q;
    let mut random = Random(5);
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    let mut known: HashMap<&str, Vec<f64>> = HashMap::new();
    let mut outputs = vec![0.0; own.outputs.len()];
    for count in 0..=TICKS {
        let t = count as f64 * own.period.expect("a clock");
        let jets = jets(t);
        let mut state = (rest.clone(), vec![0.0; arm.nv()]);
        let mut measured: Vec<f64> = jets.iter().map(|jet| jet.value).collect();
        measured.resize(heard.max(m), 0.0);
        if count > 0 {
            // tenths of a radian in joints, hundredths of a millimetre or a radian in links
            let size = |v: &usize| if plan.velocities.contains(v) { 0.3 } else { 0.003 };
            let sizes: Vec<f64> = (0..arm.nv()).map(|v| size(&v)).collect();
            let away = random.vector(arm.nv(), 1.0);
            let away: Vec<f64> = away.iter().zip(&sizes).map(|(part, size)| part * size).collect();
            arm.displace(&mut state.0, &away);
            state.1 = random.vector(arm.nv(), 0.5);
            let noise = random.vector(measured.len(), 1e-3);
            measured.iter_mut().zip(noise).for_each(|(shown, noise)| *shown += noise);
        }
        let inputs = if has_filter { &measured[..heard] } else { &[] };
        let full = (!has_filter).then_some(FullState { q: &state.0, u: &state.1 });
        let tick = Tick { count, t, inputs, state: full };
        block.update(&tick, &mut outputs).unwrap_or_else(|error| panic!("tick {count}: {error}"));
        let before = known.clone();
        let mut know = |name, values| known.insert(name, values);
        if has_filter {
            let mut all = Vec::new();
            block.visit_state(&mut StateVisitor::giving(&mut all));
            let [q, u, state, innovation] = remembered(simulation, heard, &all);
            know("q", q);
            know("u", u);
            know("state", state);
            know("innovation", innovation);
        } else {
            know("q", state.0);
            know("u", state.1);
        }
        know("tau", outputs[..m].to_vec());
        // the first that is told besides
        know("determinant", outputs[m..].iter().take(1).copied().collect());
        know("measured", measured);
        let of = |part: fn(&Jet) -> f64| jets.iter().map(part).collect::<Vec<f64>>();
        know("q_reference", of(|jet| jet.value));
        know("u_reference", of(|jet| jet.rate));
        know("ud_reference", of(|jet| jet.acceleration));
        know("jerk_reference", plan.signals.iter().map(|signal| jerk(signal, t)).collect());
        if count == 0 {
            // where the filter began: the joints as measured, the links at rest there
            let mut q = rest.clone();
            for (k, v) in plan.velocities.iter().enumerate() {
                q[arm.coordinate_of(*v).expect("one")] = known["measured"][k];
            }
            let mut u = vec![0.0; arm.nv()];
            for (k, v) in plan.velocities.iter().enumerate() {
                u[*v] = jets[k].rate;
            }
            known.insert("q_start", arm.static_equilibrium(&q).expect("an equilibrium").q);
            known.insert("u_start", u);
            for (name, first) in [
                ("measured", "first measured"),
                ("state", "first state"),
                ("q", "first q"),
                ("u", "first u"),
                ("innovation", "first innovation"),
            ] {
                let value = known.get(name).cloned().unwrap_or_default();
                known.insert(first, value);
            }
            continue;
        }
        for function in &sources.functions {
            for (name, _, [is_read, is_written]) in &function.parameters {
                let name = name.as_str();
                let first = format!("first {name}");
                let value = |known: &HashMap<&str, Vec<f64>>, name: &str| known[name].clone();
                if *is_read {
                    given.extend(match (function.name.as_str(), name) {
                        ("estimator_start", "measured") => value(&known, &first),
                        ("estimator", "tau" | "state") => value(&before, name),
                        _ => value(&known, name),
                    });
                }
                if *is_written {
                    expected.extend(match function.name.as_str() {
                        "estimator_start" => value(&known, &first),
                        _ => value(&known, name),
                    });
                }
            }
        }
    }
    (given, expected)
}

/// Compares the sources of a scenario's controller in all languages.
fn compare(test: &str, text: &str, contents: &[CodeContent]) {
    let simulation = built(text);
    for language in [Language::C, Language::Rust, Language::Cuda] {
        let sources = written(&simulation, contents, language).expect("sources");
        let (given, expected) = numbers(&simulation, &sources);
        assert!(expected.iter().all(|number| number.is_finite()), "{expected:?}");
        let folder = |name: &str| Folder::new(&format!("{test}-{name}"), &sources);
        let found = match language {
            Language::C => {
                for compiler in ["gcc", "clang"].iter().filter(|name| !missing(test, name)) {
                    let folder = folder(compiler);
                    let found = folder.c(compiler, &sources).run(&given);
                    assert_eq!(faults(&sources, &found, &expected), [], "{compiler}");
                }
                continue;
            }
            Language::Rust => rust(&folder("rust"), &sources).run(&given),
            Language::Cuda if missing(test, "g++") => continue,
            Language::Cuda => {
                let folder = folder("cuda");
                cuda(&folder, &sources, "g++").run(&given)
            }
        };
        assert_eq!(faults(&sources, &found, &expected), [], "{language}");
    }
}

#[test]
fn a_law_and_its_filter_give_the_numbers_of_the_controller() {
    let test = "a_law_and_its_filter_give_the_numbers_of_the_controller";
    compare(test, &bar(), &[CodeContent::Composite, CodeContent::Estimator]);
}

#[test]
fn pseudolinks_give_the_numbers_of_the_controller() {
    let test = "pseudolinks_give_the_numbers_of_the_controller";
    compare(test, &king("pseudolink"), &[CodeContent::Composite]);
    // determinants of up to three rows have formulas
    let bends = |ways: &str| match ways {
        "" => String::new(),
        ways => format!("bends = {{ {ways}, shapes = \"clamped-free\" }}\n"),
    };
    let text = king("pseudolink");
    let parts: Vec<&str> = text.split(bends("y = 1, z = 1").as_str()).collect();
    for (upper, fore) in [("z = 1", ""), ("y = 1", "y = 1"), ("y = 1, z = 1", "y = 1")] {
        let text = [parts[0], &bends(upper), parts[1], &bends(fore), parts[2]].concat();
        compare(test, &text, &[CodeContent::Composite]);
    }
}

/// Several joints and gauges, links that hang.
#[test]
fn a_filter_gives_the_numbers_of_the_controller() {
    let test = "a_filter_gives_the_numbers_of_the_controller";
    compare(test, &gauged_king(), &[CodeContent::Estimator]);
}

/// By angles, with King's weights, and an arm in which nothing bends.
#[test]
fn angles_give_the_numbers_of_the_controller() {
    let test = "angles_give_the_numbers_of_the_controller";
    let bending = king("composite").replace("rows = [\"upper\", \"fore\"]\n", "");
    compare(test, &bending, &[CodeContent::Composite]);
    let rigid = bending.replace("bends = { y = 1, z = 1, shapes = \"clamped-free\" }\n", "");
    assert_ne!(rigid, bending);
    compare(test, &rigid, &[CodeContent::Composite]);
}

/// A constant that is off by a billionth is noticed in every function that has some, and so is a
/// result that is no number.
#[test]
fn wrong_numbers_of_laws_are_noticed() {
    if missing("wrong_numbers_of_laws_are_noticed", "gcc") {
        return;
    }
    let simulation = built(&bar());
    let contents = [CodeContent::Composite, CodeContent::Estimator];
    let mut sources = written(&simulation, &contents, Language::C).expect("sources");
    let (given, expected) = numbers(&simulation, &sources);
    let text = sources.files[1].text.clone();
    for function in ["composite_start", "composite_feedback", "estimator_step"] {
        let body = text.find(&format!("void {function}(")).expect("the function");
        let factor = |(at, _): (usize, &str)| {
            let start = body + at + 2;
            let end = start + text[start..].find(';')?;
            let number: f64 = text[start..end].trim_matches(['(', ')']).parse().ok()?;
            Some((start, end, number))
        };
        let found = text[body..].match_indices("* ").find_map(factor);
        let (start, end, number) = found.expect("a product with a number");
        for wrong in [format!("({:?})", number * (1.0 + 1e-9)), "(0.0 / 0.0)".to_owned()] {
            sources.files[1].text = format!("{}{wrong}{}", &text[..start], &text[end..]);
            let folder = Folder::new(&format!("wrong-{function}"), &sources);
            let found = folder.c("gcc", &sources).run(&given);
            assert!(different(&found, &expected) > 0, "{function}: {wrong} instead of {number}");
        }
    }
}

/// What an example prints: each array with its numbers, under the name of the function.
fn printed(text: &str) -> Vec<(String, Vec<f64>)> {
    let (mut function, mut arrays) = ("", Vec::<(String, Vec<f64>)>::new());
    for line in text.lines().skip(1) {
        let Some((place, value)) = line.split_once(" = ") else {
            function = line;
            continue;
        };
        let name = format!("{function} {}", place.split('[').next().unwrap_or_default());
        let value = value.parse().expect("a number");
        match arrays.last_mut().filter(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => arrays.push((name, vec![value])),
        }
    }
    arrays
}

/// By how much the numbers of single precision may differ, beside the largest of their array. Of its
/// roundings, 6e-8, the condition of mass matrix and slopes makes some hundred times as much: here
/// 8e-6 of the forces, 1.4e-5 of the determinant and 4e-6 of states after a step.
const SINGLE: f64 = 1e-4;

/// Systems are solved lane by lane; in single precision the numbers are nearly the same.
#[test]
fn lanes_of_laws_have_the_numbers_of_one() {
    if missing("lanes_of_laws_have_the_numbers_of_one", "gcc") {
        return;
    }
    let simulation = built(&king("pseudolink"));
    let own = &simulation.controllers[0];
    let subject = CodeSubject::Controller(CodeController {
        name: &own.name,
        controller: &own.controller,
        period: own.period,
        scenario: None,
        sensors: &[],
    });
    let contents = [CodeContent::Composite, CodeContent::Step];
    let mut arrays = Vec::new();
    for single in [false, true] {
        let settings = CodeSettings { single, ..CodeSettings::new(Language::C) };
        let sources = sources_of(subject, &contents, &settings, None).expect("sources");
        let folder = Folder::new(&format!("lanes-{single}"), &sources);
        let one = folder.c_example(&sources, 1);
        assert!(one.contains("determinant[0] = 0.8") && one.contains("step_linearly_implicit"));
        assert_eq!(folder.c_example(&sources, 4), one);
        arrays.push(printed(&one));
    }
    assert_eq!(arrays[0].len(), arrays[1].len());
    for ((name, double), (same, single)) in arrays[0].iter().zip(&arrays[1]) {
        assert_eq!((name, double.len()), (same, single.len()));
        let size = double.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
        for (double, single) in double.iter().zip(single) {
            assert!((double - single).abs() <= SINGLE * size, "{name}: {double} {single}");
        }
    }
    // they are other numbers
    assert_ne!(arrays[0], arrays[1]);
}

/// The example of a filter begins where the arm hangs at rest, held by its joints, and stays there.
#[test]
fn the_example_of_a_hanging_filter_is_at_rest() {
    if missing("the_example_of_a_hanging_filter_is_at_rest", "gcc") {
        return;
    }
    let simulation = built(&gauged_king());
    let sources = written(&simulation, &[CodeContent::Estimator], Language::C).expect("sources");
    let said = Folder::new("hanging", &sources).c_example(&sources, 1);
    let arrays: HashMap<String, Vec<f64>> = printed(&said).into_iter().collect();
    let arm = &*simulation.arm;
    let q = &arrays["estimator q"];
    let rest = arm.static_equilibrium(q).expect("an equilibrium").q;
    let sag = rest.iter().zip(arm.neutral()).map(|(own, neutral)| (own - neutral).abs());
    assert!(sag.fold(0.0, f64::max) > 1e-4, "{rest:?}");
    for (name, wanted) in [("q", rest), ("u", vec![0.0; arm.nv()])] {
        let found = &arrays[&format!("estimator {name}")];
        // rounding of postures, which Newton's iteration for the equilibrium has too
        let near = |(found, wanted): (&f64, &f64)| (found - wanted).abs() < 1e-9;
        assert!(
            found.len() == wanted.len() && found.iter().zip(&wanted).all(near),
            "{name}: {found:?}"
        );
    }
    assert!(arrays["estimator innovation"].iter().all(|off| off.abs() < 1e-12), "{said}");
}

/// The guard of pseudolinks is a constant of the sources, and laws tell what they cost; angles have no
/// guard.
#[test]
fn guards_are_constants() {
    for (kind, guards) in [("pseudolink", 1), ("composite", 0)] {
        let text = king(kind).replace("rows = [\"upper\", \"fore\"]\n", "");
        let text = if guards == 1 { king(kind) } else { text };
        let simulation = built(&text);
        for (language, file, line) in [
            (Language::C, 0, "_COMPOSITE_GUARD 0.01\n"),
            (Language::Rust, 1, "pub const COMPOSITE_GUARD: f64 = 0.01;\n"),
            (Language::Cuda, 0, "_COMPOSITE_GUARD 0.01\n"),
        ] {
            let sources = written(&simulation, &[CodeContent::Composite], language);
            let sources = sources.expect("sources");
            let found = sources.files[file].text.matches(line).count();
            assert_eq!(found, guards, "{kind} {language}");
            let law = sources.functions.iter().find(|own| own.name == "composite");
            let law = law.expect("the law");
            assert!(law.has_loops && law.operations > 1000, "{}", law.operations);
        }
    }
}

#[test]
fn what_has_no_steady_numbers_is_refused() {
    let composite = [CodeContent::Composite];
    let estimator = [CodeContent::Estimator];
    let refused = |text: &str, contents: &[CodeContent]| {
        written(&built(text), contents, Language::C).expect_err("a refusal")
    };
    let extended = bar().replace("kind = \"kalman\"", "kind = \"extended\"");
    assert_eq!(refused(&extended, &estimator), CodeError::Extended);
    assert_eq!(refused(&king("pseudolink"), &estimator), CodeError::NoEstimator);
    let blind = bar().replace("[\"gauge\", \"shaft\"]", "[\"shaft\"]");
    let blind = blind.replace("estimator = { kind = \"kalman\" }\n", "");
    assert_eq!(refused(&blind, &composite), CodeError::BendingUnseen);
    let other = bar().replace("kind = \"composite\"", "kind = \"computed-torque\"");
    let other = other.replace("gains_period = \"100 s\"\n", "");
    assert_eq!(refused(&other, &composite), CodeError::OtherLaw);
    let pushed = "knows_loads = true\n[[input]]\nkind = \"constant\"\nframe = \"bar\"\nforce = [1, 0, 0]\nvalue = 1\n";
    assert_eq!(refused(&format!("{}{pushed}", bar()), &composite), CodeError::Loads);
    assert_eq!(refused(&format!("{}{pushed}", bar()), &estimator), CodeError::Loads);
    let arm = pliant::codegen::sources(
        &built(&bar()).arm,
        &composite,
        &CodeSettings::new(Language::C),
        None,
    );
    assert!(matches!(arm, Err(CodeError::NoController { .. })));
}
