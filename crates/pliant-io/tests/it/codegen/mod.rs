//! Generated sources, compiled, against the library on the arms of the collection.

mod build;
mod laws;
mod reference;

use crate::robots::{Random, load, robots};
use build::{Folder, cuda, missing, rust};
use pliant::arm::Arm;
use pliant::codegen::{
    CodeContent, CodeError, CodeSettings, CodeSubject, Language, SourceFunction, Sources, sources,
    sources_of,
};
use pliant::reproduce::effort;
use reference::{State, wanted};
use std::io::Write as _;

/// How many states each function is compared at.
const STATES: usize = 100;

/// Arms that together have all that makes a difference: joints of elastic motors, quaternions,
/// links that bend, slide and follow a prescribed motion.
const SOME: [&str; 4] = ["elastic-two-link", "two-arm-satellite", "king-two-link", "sliding-beam"];

fn contents() -> Vec<CodeContent> {
    vec![
        CodeContent::Forward,
        CodeContent::Inverse,
        CodeContent::MassMatrix,
        CodeContent::Terms,
        CodeContent::Kinematics,
        CodeContent::Jacobian { frame: None },
        CodeContent::Derivatives,
        CodeContent::ComputedTorque,
        CodeContent::Step,
    ]
}

/// The sources of all that an arm can have.
fn everything(arm: &Arm, settings: &CodeSettings) -> Sources {
    match sources(arm, &contents(), settings, Some("0123456789abcdef")) {
        Ok(all) => all,
        // motors behind springs have no computed torque
        Err(CodeError::Model(_)) => {
            let mut rest = contents();
            rest.retain(|content| *content != CodeContent::ComputedTorque);
            sources(arm, &rest, settings, None).expect("sources")
        }
        Err(error) => panic!("{error}"),
    }
}

/// The numbers of states, function after function: inputs, and what the library makes of them.
fn numbers(arm: &Arm, sources: &Sources, states: usize) -> (Vec<f64>, Vec<f64>) {
    numbers_at(arm, &[], sources, states)
}

/// The same with the values of parameters, which the arm has too.
fn numbers_at(
    arm: &Arm,
    parameters: &[f64],
    sources: &Sources,
    states: usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random(11);
    let (mut given, mut expected) = (Vec::new(), Vec::new());
    let mut library = reference::Library::new(arm);
    for _ in 0..states {
        let state = State::random(&mut random, arm);
        for function in &sources.functions {
            for (name, _, [is_read, _]) in &function.parameters {
                if name == "parameters" {
                    given.extend(parameters);
                } else if *is_read {
                    given.extend(state.block(name));
                }
            }
            expected.extend(wanted(arm, &mut library, function, &state));
        }
    }
    (given, expected)
}

/// The functions with numbers that are not equal, and how many.
fn faults(sources: &Sources, found: &[f64], wanted: &[f64]) -> Vec<(String, usize)> {
    let outputs = |function: &SourceFunction| -> usize {
        let written = function.parameters.iter().filter(|(.., [_, is_written])| *is_written);
        written.map(|(_, length, _)| length.unwrap_or(1)).sum()
    };
    let mut faults: Vec<(String, usize)> =
        sources.functions.iter().map(|function| (function.name.clone(), 0)).collect();
    assert_eq!(found.len(), wanted.len());
    let mut at = 0;
    while at < found.len() {
        for (function, fault) in sources.functions.iter().zip(&mut faults) {
            let end = at + outputs(function);
            fault.1 += different(&found[at..end], &wanted[at..end]);
            at = end;
        }
    }
    faults.retain(|(_, count)| *count > 0);
    faults
}

/// How many numbers are not equal; what is no number is equal to nothing.
fn different(found: &[f64], wanted: &[f64]) -> usize {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).filter(|(found, wanted)| found != wanted).count()
}

/// Compares all functions of an arm in C, by every compiler that is here.
fn compare_c(arm: &Arm, compilers: &[&str]) {
    let sources = everything(arm, &CodeSettings::new(Language::C));
    let (given, expected) = numbers(arm, &sources, STATES);
    for compiler in compilers {
        let folder = Folder::new(&format!("{compiler}-{}", sources.prefix), &sources);
        let program = folder.c(compiler, &sources);
        let found = program.run(&given);
        assert_eq!(faults(&sources, &found, &expected), [], "{compiler}: {}", arm.name());
    }
}

/// The chain whose operations `pliant bench` counts: six links with three shapes each.
fn chain() -> Arm {
    effort::chain(&[3; 6]).expect("a chain")
}

/// The arms of the collection, and the chain.
fn arms() -> Vec<Arm> {
    let mut arms: Vec<Arm> = robots().iter().map(|path| load(path)).collect();
    arms.push(chain());
    arms
}

fn arm(name: &str) -> Arm {
    let path = robots().into_iter().find(|path| path.file_stem().is_some_and(|own| own == name));
    load(&path.expect("an arm of the collection"))
}

/// What compilers do soon of the chain: all but slopes, and the steps that need them.
#[test]
fn c_gives_the_numbers_of_the_library_on_the_chain() {
    if missing("c_gives_the_numbers_of_the_library_on_the_chain", "gcc") {
        return;
    }
    let mut contents = contents();
    contents.retain(|own| !matches!(own, CodeContent::Derivatives | CodeContent::Step));
    let arm = chain();
    let sources = sources(&arm, &contents, &CodeSettings::new(Language::C), None).expect("sources");
    let (given, expected) = numbers(&arm, &sources, STATES);
    let folder = Folder::new("gcc-chain", &sources);
    let found = folder.c("gcc", &sources).run(&given);
    assert_eq!(faults(&sources, &found, &expected), []);
}

#[test]
fn c_gives_the_numbers_of_the_library() {
    if missing("c_gives_the_numbers_of_the_library", "gcc") {
        return;
    }
    for name in SOME {
        compare_c(&arm(name), &["gcc"]);
    }
}

/// Where processors fuse, GCC fuses in vectors of statements side by side whatever it is told, unless it
/// makes none: the flags are those of `CMakeLists.txt`.
#[test]
fn c_by_gcc_fuses_nothing_in_vectors() {
    let test = "c_by_gcc_fuses_nothing_in_vectors";
    if missing(test, "gcc") {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    let fuses = std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let fuses = false;
    if !fuses {
        writeln!(std::io::stderr(), "{test}: skipped: no fused operations").expect("written");
        return;
    }
    let (arm, contents) = (arm("two-arm-satellite"), [CodeContent::Jacobian { frame: None }]);
    let settings = CodeSettings::new(Language::C);
    let sources = sources(&arm, &contents, &settings, None).expect("sources");
    let cmake = sources.files.iter().find(|file| file.path == "CMakeLists.txt").expect("a file");
    let (given, expected) = numbers(&arm, &sources, STATES);
    let folder = Folder::new("gcc-vectors", &sources);
    let unfused = "-fno-tree-slp-vectorize";
    assert!(cmake.text.contains(unfused) && sources.files[0].text.contains(unfused));
    let program = folder.c_with("gcc", &["-O3", "-mfma", unfused], &sources);
    assert_eq!(faults(&sources, &program.run(&given), &expected), []);
}

#[test]
#[ignore = "long: every arm, by every compiler; the short ones take five arms and gcc"]
fn c_gives_the_numbers_of_the_library_on_every_arm() {
    let test = "c_gives_the_numbers_of_the_library_on_every_arm";
    let compilers: Vec<&str> =
        ["gcc", "clang"].into_iter().filter(|name| !missing(test, name)).collect();
    for arm in arms() {
        compare_c(&arm, &compilers);
    }
}

/// A constant that is off by a billionth is noticed, and so is a result that is no number.
#[test]
fn wrong_numbers_are_noticed() {
    if missing("wrong_numbers_are_noticed", "gcc") {
        return;
    }
    let arm = arm("puma-560");
    let whole = sources(&arm, &[CodeContent::Forward], &CodeSettings::new(Language::C), None);
    let mut sources = whole.expect("sources");
    let (given, expected) = numbers(&arm, &sources, 10);
    let text = sources.files[1].text.clone();
    let body = text.find("void puma_560_forward(").expect("the function");
    // the first product with a number of the arm
    let product = body + text[body..].find("] * ").expect("a product") + 4;
    let end = product + text[product..].find(';').expect("an end");
    let factor: f64 = text[product..end].trim_matches(['(', ')']).parse().expect("a number");
    for wrong in [format!("({:?})", factor * (1.0 + 1e-9)), "(0.0 / 0.0)".to_owned()] {
        sources.files[1].text = format!("{}{wrong}{}", &text[..product], &text[end..]);
        let folder = Folder::new("wrong", &sources);
        let found = folder.c("gcc", &sources).run(&given);
        assert!(different(&found, &expected) > 0, "{wrong} instead of {factor}");
    }
    sources.files[1].text = text;
    let folder = Folder::new("right", &sources);
    assert_eq!(different(&folder.c("gcc", &sources).run(&given), &expected), 0);
}

/// Arms with parameters, and values for these.
const WITH_PARAMETERS: [(&str, &[(&str, f64)]); 3] = [
    ("king-two-link", &[("link.upper.material.young", 50e9), ("link.fore.material.density", 3e3)]),
    ("telescopic-boom", &[("link.inner.payload.mass", 33.0), ("gravity[2]", -1.62)]),
    ("iiwa-14", &[("link.joint_4.mass", 5.0), ("link.joint_7.joint.damping", 0.1)]),
];

/// The sources of an arm with parameters, the values of these, and the arm that has them.
fn with_parameters(at: usize, language: Language) -> (Sources, Vec<f64>, Arm) {
    let (name, changes) = WITH_PARAMETERS[at];
    let path = robots().into_iter().find(|path| path.file_stem().is_some_and(|own| own == name));
    let paths: Vec<&str> = changes.iter().map(|(path, _)| *path).collect();
    let (_, parameters) =
        pliant_io::load_with_parameters(path.expect("an arm"), &[], &paths).expect("parameters");
    let values: Vec<f64> = changes.iter().map(|(_, value)| *value).collect();
    // of links that bend what compilers do soon
    let contents = match name {
        "iiwa-14" => contents(),
        "king-two-link" => vec![CodeContent::Forward, CodeContent::ComputedTorque],
        _ => vec![CodeContent::Inverse],
    };
    let sources = sources_of(
        CodeSubject::Parameters(&parameters),
        &contents,
        &CodeSettings::new(language),
        None,
    );
    (sources.expect("sources"), values.clone(), parameters.arm_at(&values))
}

#[test]
fn sources_take_parameters() {
    if missing("sources_take_parameters", "gcc") {
        return;
    }
    for at in 0..WITH_PARAMETERS.len() {
        let (sources, values, arm) = with_parameters(at, Language::C);
        let head = &sources.files[0].text;
        let (path, _) = WITH_PARAMETERS[at].1[1];
        assert!(head.contains(&format!("parameters[1]  \"{path}\" [")), "{head}");
        let (given, expected) = numbers_at(&arm, &values, &sources, 20);
        let folder = Folder::new(&format!("parameters-{}", sources.prefix), &sources);
        let program = folder.c("gcc", &sources);
        let found = program.run(&given);
        assert_eq!(faults(&sources, &found, &expected), [], "{}", arm.name());
        // another value is another arm
        let other: Vec<f64> = values.iter().map(|value| value * (1.0 + 1e-9)).collect();
        let (given, _) = numbers_at(&arm, &other, &sources, 20);
        assert!(different(&program.run(&given), &expected) > 0, "{}", arm.name());
    }
    let (sources, values, arm) = with_parameters(2, Language::Rust);
    let (given, expected) = numbers_at(&arm, &values, &sources, 20);
    let folder = Folder::new("parameters-rust", &sources);
    assert_eq!(faults(&sources, &rust(&folder, &sources).run(&given), &expected), []);
    if !missing("sources_take_parameters", "g++") {
        let (sources, values, arm) = with_parameters(2, Language::Cuda);
        let (given, expected) = numbers_at(&arm, &values, &sources, 20);
        let folder = Folder::new("parameters-cuda", &sources);
        assert_eq!(faults(&sources, &cuda(&folder, &sources, "g++").run(&given), &expected), []);
    }
}

fn compare_rust(arm: &Arm) {
    let sources = everything(arm, &CodeSettings::new(Language::Rust));
    let (given, expected) = numbers(arm, &sources, STATES);
    let folder = Folder::new(&format!("rust-{}", sources.prefix), &sources);
    let found = rust(&folder, &sources).run(&given);
    assert_eq!(faults(&sources, &found, &expected), [], "{}", arm.name());
}

fn compare_cuda(arm: &Arm, compiler: &str) {
    let sources = everything(arm, &CodeSettings::new(Language::Cuda));
    let (given, expected) = numbers(arm, &sources, STATES);
    let folder = Folder::new(&format!("cuda-{}", sources.prefix), &sources);
    let found = cuda(&folder, &sources, compiler).run(&given);
    assert_eq!(faults(&sources, &found, &expected), [], "{}", arm.name());
}

#[test]
fn rust_gives_the_numbers_of_the_library() {
    for name in ["two-arm-satellite", "king-two-link"] {
        compare_rust(&arm(name));
    }
}

#[test]
#[ignore = "long: every arm; the short one takes two"]
fn rust_gives_the_numbers_of_the_library_on_every_arm() {
    for arm in arms() {
        compare_rust(&arm);
    }
}

#[test]
fn cuda_as_cpp_gives_the_numbers_of_the_library() {
    if missing("cuda_as_cpp_gives_the_numbers_of_the_library", "g++") {
        return;
    }
    compare_cuda(&arm("king-two-link"), "g++");
}

#[test]
#[ignore = "long: every arm; the short one takes one"]
fn cuda_as_cpp_gives_the_numbers_of_the_library_on_every_arm() {
    if missing("cuda_as_cpp_gives_the_numbers_of_the_library_on_every_arm", "g++") {
        return;
    }
    for arm in arms() {
        compare_cuda(&arm, "g++");
    }
}
