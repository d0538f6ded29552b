//! Sources of programs made by hand, compiled and compared with the programs themselves.

use super::program::Program;
use super::routine::{Body, Direction, Parameter, Routine};
use super::{CodeSettings, Language, SourceFile, c_files};
use crate::compile::{sine_tape, stumpff_tape};
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
        if std::env::var_os("KEEP").is_some() { return; }
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The compilers of C that are here; says which are not.
fn compilers(test: &str) -> Vec<&'static str> {
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let (here, missing): (Vec<_>, Vec<_>) = ["gcc", "clang"].into_iter().partition(answers);
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
        Op::Stumpff { x: v(10), count: 6, k: 1 },
        Op::Stumpff { x: v(10), count: 6, k: 5 },
        Op::Stumpff { x: v(10), count: 3, k: 2 },
        Op::Add(v(12), v(13)),
        Op::Mul(v(18), v(15)),
        Op::Sub(v(16), v(4)),
        // nothing needs this one
        Op::Add(v(0), v(0)),
    ];
    let outputs = [11, 14, 17, 19, 20, 2, 3, 8].map(Value).to_vec();
    Tape::new(3, ops, outputs, Vec::new()).expect("a tape")
}

/// A long chain in which early values are needed late.
fn long() -> Tape {
    let mut ops = vec![Op::Input(0), Op::Input(1), Op::Input(2), Op::Constant(0.5)];
    for at in 4..9000_u32 {
        let (a, b) = (Value(at - 1), Value(at / 3));
        ops.push(match at % 4 {
            0 => Op::Add(a, b),
            1 => Op::Mul(a, Value(3)),
            2 => Op::Sub(a, b),
            _ if at % 100 == 3 => Op::Sin(a),
            _ => Op::Neg(a),
        });
    }
    let outputs = [8999, 4, 5000, 1, 3, 7777, 6, 8000].map(Value).to_vec();
    Tape::new(3, ops, outputs, Vec::new()).expect("a tape")
}

/// What a program gives, in the arithmetic of the library.
fn evaluate(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    use crate::scalar::Scalar;
    let mut values: Vec<f64> = Vec::new();
    for op in tape.ops() {
        let of = |value: Value| values[value.0 as usize];
        values.push(match *op {
            Op::Input(number) => inputs[number as usize],
            Op::Constant(number) => number,
            Op::Add(a, b) => of(a) + of(b),
            Op::Sub(a, b) => of(a) - of(b),
            Op::Mul(a, b) => of(a) * of(b),
            Op::Neg(a) => -of(a),
            Op::Recip(a) => 1.0 / of(a),
            Op::Sqrt(a) => Scalar::sqrt(of(a)),
            Op::Sin(a) => Scalar::sin_cos(of(a)).0,
            Op::Cos(a) => Scalar::sin_cos(of(a)).1,
            Op::Stumpff { x, count, k } => {
                let mut all = vec![0.0; usize::from(count)];
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
        routines: vec![routine("short", tape()), routine("long", long())],
        settings,
        sine: sine_tape(),
        stumpff: BTreeMap::from([3, 6].map(|count| (count, stumpff_tape(count.into())))),
        neutral: vec![0.1, 0.2],
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
            (which == 0 ? hand_short : hand_long)(q, u, ud, tau);
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

#[test]
fn c_gives_the_numbers_of_the_program() {
    for compiler in compilers("c_gives_the_numbers_of_the_program") {
        for lanes in [1, 4] {
            let settings = CodeSettings { language: Language::C, single: false, lanes };
            let folder = Folder::new(&format!("c-{compiler}-{lanes}"));
            folder.write(&c_files::files(&program(settings)));
            std::fs::write(folder.0.join("driver.c"), driver("double")).expect("written");
            run(Command::new(compiler).current_dir(&folder.0).args(WARNINGS).args([
                "-O1",
                "-ffp-contract=off",
                "hand.c",
                "driver.c",
                "-o",
                "driver",
                "-lm",
            ]));
            let states = states();
            let mut bytes = Vec::new();
            for block in states.chunks(lanes) {
                for k in 0..3 {
                    bytes.extend(block.iter().flat_map(|state| state[k].to_le_bytes()));
                }
            }
            let out = piped(&folder.0.join("driver"), &bytes);
            let out: Vec<f64> = out.as_chunks().0.iter().map(|own| f64::from_le_bytes(*own)).collect();
            assert_eq!(out.len(), 16 * states.len());
            for (number, state) in states.iter().enumerate() {
                for (which, tape) in [tape(), long()].iter().enumerate() {
                    let wanted = evaluate(tape, state);
                    for (k, wanted) in wanted.iter().enumerate() {
                        let place = ((number / lanes * 2 + which) * 8 + k) * lanes + number % lanes;
                        let found = out[place];
                        assert_eq!(
                            found.to_bits(),
                            wanted.to_bits(),
                            "{compiler} {lanes} lanes, program {which}, state {number}, {k}: {found} {wanted}"
                        );
                    }
                }
            }
            // the example says something too
            run(Command::new(compiler).current_dir(&folder.0).args(WARNINGS).args([
                "hand.c",
                "example.c",
                "-o",
                "example",
                "-lm",
            ]));
            assert!(run_out(&folder.0.join("example")).contains("ud[0] = "));
        }
    }
}

fn run_out(program: &Path) -> String {
    String::from_utf8(piped(program, &[])).expect("text")
}
