//! The files of a Rust crate: manifest, library, example.

use super::SourceFile;
use super::body::{Dialect as _, Function};
use super::c_files::{about, declared, example_values};
use super::c_prelude::{bound, kernel};
use super::elimination::Eliminations as _;
use super::names::{comment, rust_literal};
use super::program::Program;
use super::routine::{Direction, Parameter};
use super::rust::Rust;
use crate::scalar::stumpff::inverse_factorials;
use pliant_jit::Op;
use std::fmt::Write as _;

const BUILDING: &str = "\
Rust never fuses products and sums by itself, so that the numbers are those of a portable build of
pliant. Sine, cosine and Stumpff functions are below; only angles beyond 1.6e6 rad go to `libm`.
Nothing is allocated.";

const TURN: &str = "\
/// One of two values with a sign, by the quadrant of an angle in the lowest bits of a number.
#[inline]
fn turn(quadrant: f64, even: f64, odd: f64, ahead: u64) -> f64 {
    let number = quadrant.to_bits();
    let is_odd = (number & 1).wrapping_neg();
    let sign = (number.wrapping_add(ahead) & 2) << 62;
    f64::from_bits(((even.to_bits() & !is_odd) | (odd.to_bits() & is_odd)) ^ sign)
}

";

const SIN_COS: &str = "\
/// Sine and cosine of an angle in radians; beyond the bound those of `libm`.
#[inline]
fn sin_cos_wide(angle: f64) -> [f64; 2] {
    if angle.abs() <= BOUND {
        let mut both = [0.0; 2];
        sin_cos_kernel(&[angle], &mut both);
        both
    } else {
        [libm::sin(angle), libm::cos(angle)]
    }
}

";

const SIN_COS_OWN: &str = "\
#[inline]
fn sin_cos(angle: REAL) -> [REAL; 2] {
    sin_cos_wide(ARGUMENT)CONVERTED
}

";

const STUMPFF: &str = "\
/// The Stumpff functions of a square, upwards from sine and cosine where it is large.
#[inline]
fn stumpff_COUNT(square: REAL) -> [REAL; COUNT] {
    let x = WIDE;
    let mut c = [0.0; COUNT];
    if x <= BOUND {
        stumpff_COUNT_kernel(&[x], &mut c);
    } else {
        let inverse_factorial = [FACTORIALS];
        let angle = libm::sqrt(x);
        let [sine, cosine] = sin_cos_wide(angle);
        for k in 0..COUNT {
            c[k] = match k {
                0 => cosine,
                1 => sine / angle,
                _ => (inverse_factorial[k - 2] - c[k - 2]) / x,
            };
        }
    }
    cCONVERTED
}

";

fn replaced(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn prelude(program: &Program, rust: Rust) -> String {
    let functions = program.functions();
    let mut out = rust.eliminations(program);
    let real = rust.real();
    if functions.is_empty() {
        return out;
    }
    let wide = Rust { single: false };
    let converted = if rust.single { ".map(|own| own as f32)" } else { "" };
    let inline = |text: String| format!("#[inline]\n{text}");
    out.push_str(TURN);
    let sine = kernel("sin_cos_kernel".into(), &program.sine);
    out.push_str(&inline(wide.function(&sine)));
    out.push_str(&replaced(SIN_COS, &[("BOUND", &wide.literal(bound(&program.sine)))]));
    if functions.contains(&Function::SinCos) {
        let argument = if rust.single { "f64::from(angle)" } else { "angle" };
        let pairs = [("REAL", real), ("ARGUMENT", argument), ("CONVERTED", converted)];
        out.push_str(&replaced(SIN_COS_OWN, &pairs));
    }
    for function in functions {
        let Function::Stumpff(count) = function else { continue };
        let tape = &program.stumpff[&count];
        out.push_str(&inline(wide.function(&kernel(format!("{}_kernel", function.name()), tape))));
        let factorials = inverse_factorials().take(usize::from(count.max(3)) - 2);
        let factorials: Vec<String> = factorials.map(|own| wide.literal(own)).collect();
        let pairs = [
            ("COUNT", &*count.to_string()),
            ("REAL", real),
            ("WIDE", if rust.single { "f64::from(square)" } else { "square" }),
            ("BOUND", &wide.literal(bound(tape))),
            ("FACTORIALS", &factorials.join(", ")),
            ("CONVERTED", converted),
        ];
        out.push_str(&replaced(STUMPFF, &pairs));
    }
    out
}

fn library(program: &Program, rust: Rust) -> String {
    let mut out = String::new();
    let building = BUILDING.lines().map(str::to_owned);
    for line in program.about.iter().cloned().chain([String::new()]).chain(building) {
        let _ = writeln!(out, "{}", format!("// {}", comment(&line)).trim_end());
    }
    out.push_str(
        "
//! Functions of an arm; the head of this file describes its coordinates.

#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::approx_constant, clippy::excessive_precision, clippy::needless_range_loop)]
#![allow(clippy::too_many_arguments, clippy::identity_op, clippy::erasing_op, clippy::manual_memcpy)]
#![allow(clippy::assign_op_pattern, clippy::neg_multiply)]

",
    );
    if let Some(guard) = program.guard() {
        let real = rust.real();
        let _ = write!(
            out,
            "/// The least determinant with which composite control is used.\n\
             pub const COMPOSITE_GUARD: {real} = {guard:?};\n\n"
        );
    }
    out.push_str(&prelude(program, rust));
    for routine in &program.routines {
        for line in about(routine).iter().filter(|_| routine.is_public) {
            let _ = writeln!(out, "/// {}", doc(&comment(line)));
            out.push_str("///\n");
        }
        if routine.is_public {
            out.truncate(out.len() - "///\n".len());
        }
        out.push_str(&rust.function(routine));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A text as documentation has it, without a meaning for its signs.
fn doc(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim_start().chars() {
        if "[]<>*_#&|~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn example(program: &Program, rust: Rust) -> String {
    let (prefix, real) = (&program.prefix, rust.real());
    let mut out = format!(
        "//! Evaluates an arm at one state and prints what it gives.

fn print(name: &str, values: &[{real}]) {{
    for (i, value) in values.iter().enumerate() {{
        println!(\"{{name}}[{{i}}] = {{value:?}}\");
    }}
}}

"
    );
    for routine in program.public() {
        let _ = writeln!(out, "fn show_{}() {{", routine.name);
        let calls = program.calls(routine);
        for own in declared(&calls) {
            let name = &own.name;
            let values = match own.direction {
                Direction::Out => vec![0.0; own.length.unwrap_or(1)],
                _ => example_values(program, routine, name, own.length.unwrap_or(1)),
            };
            let values: Vec<String> = values.iter().map(|value| rust.whole(*value)).collect();
            match (own.length, own.direction) {
                (None, _) => {
                    let _ = writeln!(out, "    let {name} = {};", values.join(""));
                }
                (Some(_), Direction::In) => {
                    let _ = writeln!(out, "    let {name} = [{}];", values.join(", "));
                }
                (Some(_), _) => {
                    let _ = writeln!(out, "    let mut {name} = [{}];", values.join(", "));
                }
            }
        }
        for call in calls {
            let argument = |own: &Parameter| match (own.length, own.direction) {
                (None, _) => own.name.clone(),
                (Some(_), Direction::In) => format!("&{}", own.name),
                (Some(_), _) => format!("&mut {}", own.name),
            };
            let arguments: Vec<String> = call.parameters.iter().map(argument).collect();
            let _ = writeln!(out, "    {prefix}::{}({});", call.name, arguments.join(", "));
        }
        let _ = writeln!(out, "    println!(\"{}\");", routine.name);
        for own in routine.parameters.iter().filter(|own| own.direction != Direction::In) {
            let _ = writeln!(out, "    print({}, &{});", rust_literal(&own.name), own.name);
        }
        out.push_str("}\n\n");
    }
    let _ =
        writeln!(out, "fn main() {{\n    println!(\"{{}}\", {});", rust_literal(&program.title));
    for routine in program.public() {
        let _ = writeln!(out, "    show_{}();", routine.name);
    }
    out.push_str("}\n");
    out
}

/// All files.
pub(super) fn files(program: &Program) -> Vec<SourceFile> {
    let rust = Rust { single: program.settings.single };
    let calls_libm = !program.functions().is_empty()
        || program.tapes().any(|tape| tape.ops().iter().any(|op| matches!(op, Op::Sqrt(_))));
    let libm = if calls_libm { "libm = \"0.2\"\n" } else { "" };
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.85\"\n\n\
         [lib]\ndoctest = false\n\n[dependencies]\n{libm}\n[profile.release]\ncodegen-units = 1\n\n\
         # not part of a workspace around it\n[workspace]\n",
        program.prefix
    );
    let file = |path: &str, text: String| SourceFile { path: path.to_owned(), text };
    vec![
        file("Cargo.toml", manifest),
        file("src/lib.rs", library(program, rust)),
        file("examples/print.rs", example(program, rust)),
    ]
}
