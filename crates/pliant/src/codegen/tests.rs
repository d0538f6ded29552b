//! Sources of programs made by hand, compiled and compared with the programs themselves.

use super::program::Program;
use super::routine::{Body, Direction, Parameter, Routine};
use super::{
    CodeContent, CodeError, CodeSettings, Language, SourceFile, c_files, cuda_files, rust_files,
};
use crate::arm::{Builder, Joint, Link};
use crate::compile::{sine_tape, stumpff_tape};
use crate::scalar::{Real, Scalar};
use pliant_jit::{Op, Tape, Value};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder for a test, which goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pliant-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn write(&self, files: &[SourceFile]) {
        for file in files {
            let path = self.0.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, &file.text).expect("written");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The compilers that are here; says which are not.
fn compilers<'a>(test: &str, names: [&'a str; 2]) -> Vec<&'a str> {
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let (here, missing): (Vec<_>, Vec<_>) = names.into_iter().partition(answers);
    for name in missing {
        let note = format!("{test}: skipped: no {name}");
        writeln!(std::io::stderr(), "{note}").expect("a place to write");
    }
    here
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("a program");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}");
    said
}

/// All operations, with constants on both sides.
fn tape() -> Tape {
    let v = Value;
    let ops = vec![
        Op::Input(0),
        Op::Input(1),
        Op::Input(2),
        Op::Constant(-0.1),
        Op::Constant(1e-300),
        Op::Mul(v(0), v(3)),
        Op::Add(v(5), v(1)),
        Op::Sub(v(3), v(6)),
        Op::Neg(v(7)),
        Op::Recip(v(8)),
        Op::Mul(v(9), v(9)),
        Op::Sqrt(v(10)),
        Op::Sin(v(1)),
        Op::Cos(v(6)),
        Op::Cos(v(1)),
        // on both sides of the end of the series
        Op::Mul(v(6), v(6)),
        Op::Stumpff { x: v(15), count: 6, k: 1 },
        Op::Stumpff { x: v(15), count: 6, k: 5 },
        Op::Stumpff { x: v(15), count: 3, k: 2 },
        Op::Add(v(12), v(13)),
        Op::Mul(v(19), v(16)),
        Op::Sub(v(17), v(4)),
        // nothing needs this one
        Op::Add(v(0), v(0)),
    ];
    let outputs = [11, 14, 18, 20, 21, 2, 3, 8].map(Value).to_vec();
    Tape::new(3, ops, outputs, Vec::new()).expect("a tape")
}

/// A long chain in which early values are needed late.
fn long() -> Tape {
    let mut ops = vec![Op::Input(0), Op::Input(1), Op::Input(2), Op::Constant(0.5)];
    for at in 4..4500_u32 {
        let (a, b) = (Value(at - 1), Value(at / if at % 8 < 4 { 2 } else { 5 }));
        ops.push(match at % 4 {
            0 => Op::Add(a, b),
            1 => Op::Mul(a, Value(3)),
            2 => Op::Sub(a, b),
            _ if at % 100 == 3 => Op::Sin(a),
            _ => Op::Neg(a),
        });
    }
    let outputs = [4499, 4, 2500, 1, 3, 3777, 6, 4000].map(Value).to_vec();
    Tape::new(3, ops, outputs, Vec::new()).expect("a tape")
}

/// What a program gives, in the arithmetic of the library.
fn evaluate<S: Scalar>(tape: &Tape, inputs: &[S]) -> Vec<S> {
    let mut values: Vec<S> = Vec::new();
    for op in tape.ops() {
        let of = |value: Value| values[value.0 as usize];
        values.push(match *op {
            Op::Input(number) => inputs[number as usize],
            Op::Constant(number) => S::from_f64(number),
            Op::Add(a, b) => of(a) + of(b),
            Op::Sub(a, b) => of(a) - of(b),
            Op::Mul(a, b) => of(a) * of(b),
            Op::Neg(a) => -of(a),
            Op::Recip(a) => of(a).recip(),
            Op::Sqrt(a) => of(a).sqrt(),
            Op::Sin(a) => of(a).sin_cos().0,
            Op::Cos(a) => of(a).sin_cos().1,
            Op::Stumpff { x, count, k } => {
                let mut all = vec![S::ZERO; usize::from(count)];
                of(x).stumpff(&mut all);
                all[usize::from(k)]
            }
            Op::Turn { .. } => unreachable!("functions are called"),
        });
    }
    tape.outputs().iter().map(|value| values[value.0 as usize]).collect()
}

fn parameter(name: &str, length: usize, direction: Direction) -> Parameter {
    Parameter { name: name.into(), length: Some(length), direction, about: "numbers".into() }
}

fn routine(name: &str, tape: Tape) -> Routine {
    Routine {
        name: name.into(),
        about: vec!["A program */ made by hand ??/".into()],
        parameters: vec![
            parameter("q", 2, Direction::In),
            parameter("u", 1, Direction::In),
            parameter("ud", 5, Direction::Out),
            parameter("tau", 3, Direction::Out),
        ],
        body: Body::Tape(tape),
        is_public: true,
    }
}

fn program(settings: CodeSettings) -> Program {
    Program {
        prefix: "hand".into(),
        title: "by \"hand\" */".into(),
        about: vec!["By hand */ int x; \\".into()],
        routines: vec![routine("brief", tape()), routine("extended", long())],
        settings,
        sine: sine_tape(),
        stumpff: BTreeMap::from([3, 6].map(|count| (count, stumpff_tape(count.into())))),
        neutral: vec![0.1, 0.2],
        rest: BTreeMap::new(),
        parameters: Vec::new(),
    }
}

/// A program that reads three numbers for each state and lane, and writes both results.
fn driver(number: &str) -> String {
    format!(
        "#include \"hand.h\"
#include <stdio.h>
int main(void)
{{
    {number} in[3][HAND_LANES];
    while (fread(in, sizeof in, 1, stdin) == 1) {{
        hand_real q[2], u[1], ud[5], tau[3];
        for (int lane = 0; lane < HAND_LANES; ++lane) {{
            HAND_LANE(q[0], lane) = in[0][lane];
            HAND_LANE(q[1], lane) = in[1][lane];
            HAND_LANE(u[0], lane) = in[2][lane];
        }}
        for (int which = 0; which < 2; ++which) {{
            (which == 0 ? hand_brief : hand_extended)(q, u, ud, tau);
            fwrite(ud, sizeof ud, 1, stdout);
            fwrite(tau, sizeof tau, 1, stdout);
        }}
    }}
    return 0;
}}
"
    )
}

const WARNINGS: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

fn states() -> Vec<[f64; 3]> {
    let state = |k: i32| {
        let x = f64::from(k);
        // angles beyond the range of the kernel, and squares beyond that of the series
        let large = if k % 7 == 0 { 1e8 } else { 1.0 };
        [(x * 0.7).sin() * 3.0, (x * 1.3).cos() * 5.0 * large, x.sin()]
    };
    (0..64).map(state).collect()
}

/// Numbers in, numbers out.
fn piped(program: &Path, bytes: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("no panic").expect("read");
    assert!(output.status.success());
    output.stdout
}

/// The states as a program reads them: lane beside lane, in its precision.
fn input(lanes: usize, single: bool) -> Vec<u8> {
    let bytes = |number: f64| {
        if single { (number as f32).to_ne_bytes().to_vec() } else { number.to_ne_bytes().to_vec() }
    };
    let states = states();
    let blocks = states.chunks(lanes);
    blocks
        .flat_map(|block| (0..3).flat_map(move |k| block.iter().flat_map(move |own| bytes(own[k]))))
        .collect()
}

/// Compares what a program wrote, bit for bit.
fn compare<S: Real>(out: &[S], lanes: usize, number: impl Fn(f64) -> S, what: &str) {
    let states = states();
    assert_eq!(out.len(), 16 * states.len());
    for (at, state) in states.iter().enumerate() {
        for (which, tape) in [tape(), long()].iter().enumerate() {
            let wanted = evaluate(tape, &state.map(&number));
            for (k, wanted) in wanted.iter().enumerate() {
                let place = ((at / lanes * 2 + which) * 8 + k) * lanes + at % lanes;
                let [found, wanted] = [out[place], *wanted].map(Real::to_f64);
                assert_eq!(
                    found.to_bits(),
                    wanted.to_bits(),
                    "{what}, {lanes} lanes, program {which}, state {at}, {k}: {found} {wanted}"
                );
            }
        }
    }
}

fn compare_bytes(out: &[u8], lanes: usize, single: bool, what: &str) {
    if single {
        let out: Vec<f32> = out.as_chunks().0.iter().map(|own| f32::from_ne_bytes(*own)).collect();
        compare(&out, lanes, |x| x as f32, what);
    } else {
        let out: Vec<f64> = out.as_chunks().0.iter().map(|own| f64::from_ne_bytes(*own)).collect();
        compare(&out, lanes, |x| x, what);
    }
}

#[test]
fn c_gives_the_numbers_of_the_program() {
    for compiler in compilers("c_gives_the_numbers_of_the_program", ["gcc", "clang"]) {
        for (lanes, single) in [(1, false), (4, false), (8, true)] {
            let settings = CodeSettings { single, lanes, ..CodeSettings::new(Language::C) };
            let folder = Folder::new(&format!("c-{compiler}-{lanes}-{single}"));
            folder.write(&c_files::files(&program(settings)));
            let number = if single { "float" } else { "double" };
            std::fs::write(folder.0.join("driver.c"), driver(number)).expect("written");
            let build = |more: &[&str]| {
                let mut command = Command::new(compiler);
                run(command.current_dir(&folder.0).args(WARNINGS).args(more));
            };
            build(&["-O1", "-ffp-contract=off", "hand.c", "driver.c", "-o", "driver", "-lm"]);
            let out = piped(&folder.0.join("driver"), &input(lanes, single));
            compare_bytes(&out, lanes, single, compiler);
            // the example says something too
            build(&["-ffp-contract=off", "hand.c", "example.c", "-o", "example", "-lm"]);
            let said = piped(&folder.0.join("example"), &[]);
            assert!(String::from_utf8_lossy(&said).contains("ud[0] = "));
        }
    }
}

/// What the crate `libm` has of what sources need.
const LIBM: &str = "\
pub fn sqrt(x: f64) -> f64 { x.sqrt() }
pub fn sqrtf(x: f32) -> f32 { x.sqrt() }
pub fn sin(x: f64) -> f64 { x.sin() }
pub fn cos(x: f64) -> f64 { x.cos() }
";

const RUST_DRIVER: &str = "\
use std::io::{Read, Write};
fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect(\"numbers\");
    let numbers: Vec<REAL> =
        bytes.chunks_exact(SIZE).map(|own| REAL::from_ne_bytes(own.try_into().expect(\"bytes\"))).collect();
    let mut out = Vec::new();
    for state in numbers.chunks_exact(3) {
        for function in [hand::brief, hand::extended] {
            let (mut ud, mut tau) = ([0.0; 5], [0.0; 3]);
            function(&[state[0], state[1]], &[state[2]], &mut ud, &mut tau);
            out.extend(ud.iter().chain(&tau).flat_map(|number| number.to_ne_bytes()));
        }
    }
    std::io::stdout().write_all(&out).expect(\"written\");
}
";

#[test]
fn rust_gives_the_numbers_of_the_program() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    for single in [false, true] {
        let settings = CodeSettings { single, ..CodeSettings::new(Language::Rust) };
        let folder = Folder::new(&format!("rust-{single}"));
        folder.write(&rust_files::files(&program(settings)));
        let (real, size) = if single { ("f32", "4") } else { ("f64", "8") };
        let driver = RUST_DRIVER.replace("REAL", real).replace("SIZE", size);
        std::fs::write(folder.0.join("driver.rs"), driver).expect("written");
        std::fs::write(folder.0.join("libm.rs"), LIBM).expect("written");
        let build = |more: &[&str]| {
            let usual = ["--edition=2021", "-L", ".", "-C", "opt-level=1", "-D", "warnings"];
            run(Command::new(&rustc).current_dir(&folder.0).args(usual).args(more));
        };
        build(&["-A", "missing-docs", "--crate-type=rlib", "libm.rs"]);
        build(&[
            "--extern",
            "libm=liblibm.rlib",
            "--crate-type=rlib",
            "--crate-name=hand",
            "src/lib.rs",
        ]);
        build(&["--extern", "hand=libhand.rlib", "driver.rs"]);
        build(&["--extern", "hand=libhand.rlib", "examples/print.rs"]);
        let out = piped(&folder.0.join("driver"), &input(1, single));
        compare_bytes(&out, 1, single, "rust");
        let said = piped(&folder.0.join("print"), &[]);
        assert!(String::from_utf8_lossy(&said).contains("ud[0] = "));
    }
}

/// What a compiler of CUDA has and C++ has not.
const SHIM: &str = "\
#define __global__
#define PLIANT_KERNELS
struct Place { unsigned x; };
static const Place gridDim = {2}, blockDim = {3};
static Place blockIdx, threadIdx;
";

/// A program that calls kernels for all states at once, as six threads one after the other.
const CUDA_DRIVER: &str = "\
#include \"hand.cuh\"
#include <cstdio>
int main()
{
    static hand_arm::real in[64][3], q[2 * 64], u[64], ud[2][5 * 64], tau[2][3 * 64];
    if (fread(in, sizeof in, 1, stdin) != 1) {
        return 1;
    }
    for (int i = 0; i < 64; ++i) {
        q[i] = in[i][0];
        q[64 + i] = in[i][1];
        u[i] = in[i][2];
    }
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) {
            hand_arm::brief_kernel(64, q, u, ud[0], tau[0]);
            hand_arm::extended_kernel(64, q, u, ud[1], tau[1]);
        }
    }
    for (int i = 0; i < 64; ++i) {
        for (int which = 0; which < 2; ++which) {
            for (int k = 0; k < 5; ++k) {
                fwrite(&ud[which][64 * k + i], sizeof(hand_arm::real), 1, stdout);
            }
            for (int k = 0; k < 3; ++k) {
                fwrite(&tau[which][64 * k + i], sizeof(hand_arm::real), 1, stdout);
            }
        }
    }
    return 0;
}
";

#[test]
fn cuda_as_cpp_gives_the_numbers_of_the_program() {
    for compiler in compilers("cuda_as_cpp_gives_the_numbers_of_the_program", ["g++", "clang++"]) {
        for single in [false, true] {
            let settings = CodeSettings { single, ..CodeSettings::new(Language::Cuda) };
            let folder = Folder::new(&format!("cuda-{compiler}-{single}"));
            folder.write(&cuda_files::files(&program(settings)));
            let driver = format!("{SHIM}{CUDA_DRIVER}");
            std::fs::write(folder.0.join("driver.cpp"), driver).expect("written");
            let usual = ["-std=c++14", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"];
            run(Command::new(compiler).current_dir(&folder.0).args(usual).args([
                "-ffp-contract=off",
                "driver.cpp",
                "-o",
                "driver",
                "-lm",
            ]));
            let out = piped(&folder.0.join("driver"), &input(1, single));
            compare_bytes(&out, 1, single, compiler);
        }
    }
}

/// The order in which functions are asked for is that of the files, but that steps come last: what
/// they call is there under one name.
#[test]
fn steps_call_what_is_asked_for_after_them() {
    let link = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let link = link.payload(1.0, [1.0, 0.0, 0.0]);
    let arm = Builder::new("pendulum").link(link).build().expect("an arm");
    for language in [Language::C, Language::Rust, Language::Cuda] {
        for other in [CodeContent::Forward, CodeContent::Derivatives] {
            let both = |contents: [CodeContent; 2]| {
                super::sources(&arm, &contents, &CodeSettings::new(language), None)
                    .expect("sources")
            };
            let usual = both([other.clone(), CodeContent::Step]);
            assert_eq!(both([CodeContent::Step, other]), usual);
        }
    }
}

/// An arm is refused for one function that compilers would not take well, with how much that is.
#[test]
fn functions_that_are_too_long_are_refused() {
    let link = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let arm = Builder::new("pendulum").link(link.payload(1.0, [1.0, 0.0, 0.0]));
    let arm = arm.build().expect("an arm");
    let settings = CodeSettings::new(Language::C);
    let after = |count: u32| {
        let ops: Vec<Op> = (0..count)
            .map(|at| if at == 0 { Op::Input(0) } else { Op::Neg(Value(at - 1)) })
            .collect();
        let long = Tape::new(3, ops, vec![Value(count - 1)], Vec::new()).expect("a tape");
        let routines = [routine("brief", tape()), routine("long", long)];
        super::checks::after(&arm, &CodeContent::Forward, &routines, &settings)
    };
    let most = 400_000;
    // the input is no operation
    assert_eq!(after(most + 1), Ok(()));
    let (function, content) = ("long".to_owned(), CodeContent::Forward);
    let (count, most) = (most as usize + 1, most as usize);
    let fault = CodeError::Operations { function, count, most, content, bends: false };
    assert!(fault.to_string().contains("long has 400001 operations, more than the 400000"));
    assert_eq!(after(count as u32 + 1), Err(fault));
}

/// What a head says, and what it does not, of a pendulum.
#[test]
fn one_name_is_one_function() {
    let link = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let link = link.payload(1.0, [1.0, 0.0, 0.0]);
    let arm = Builder::new("index").link(link.clone()).link(Link { name: "b".into(), ..link });
    let arm = arm.build().expect("an arm");
    let jacobian = |frame: Option<&str>| CodeContent::Jacobian { frame: frame.map(str::to_owned) };
    let settings = CodeSettings::new(Language::C);
    let both = |other| super::sources(&arm, &[jacobian(None), jacobian(other)], &settings, None);
    let tip = arm.frames()[arm.tip().expect("a tip")].name();
    assert_eq!(both(Some("bob")), Err(CodeError::Frames));
    let (twice, once) = (both(Some(tip)).expect("one frame"), both(None).expect("one content"));
    assert_eq!(twice, once);
}

/// Headers of C have functions such as `index`, which no namespace can be called.
#[test]
fn namespaces_are_no_functions_of_c() {
    let link = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
    let arm = Builder::new("index").link(link.payload(1.0, [1.0, 0.0, 0.0])).build();
    let settings = CodeSettings::new(Language::Cuda);
    let sources = super::sources(&arm.expect("an arm"), &[CodeContent::Inverse], &settings, None);
    let sources = sources.expect("sources");
    assert!(sources.files[1].text.contains("using index_arm::real;"));
    let folder = Folder::new("namespace");
    folder.write(&sources.files);
    std::fs::write(folder.0.join("driver.cpp"), "#include \"index.cuh\"\n").expect("written");
    for compiler in compilers("namespaces_are_no_functions_of_c", ["g++", "clang++"]) {
        run(Command::new(compiler).current_dir(&folder.0).args(["-fsyntax-only", "driver.cpp"]));
    }
}
