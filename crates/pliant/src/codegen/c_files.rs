//! The files of a C library: header, source, example, `CMakeLists.txt`.

use super::SourceFile;
use super::c::C;
use super::names::{c_literal, comment};
use super::program::Program;
use super::routine::{Direction, Parameter, Routine};
use super::{c_lines, c_prelude};
use std::fmt::Write as _;

/// What the head says of C compilers.
const BUILDING: &str = "\
Numbers: products and sums are rounded one by one, as in a portable build of pliant, if the compiler
does not contract them: give Clang -ffp-contract=off, GCC -ffp-contract=off -fno-tree-slp-vectorize
(CMakeLists.txt does; GCC contracts by default unless -std=c99 is given, and ignores the pragma; where
it makes vectors of statements side by side, it fuses whatever it is told), MSVC /fp:precise without
/arch:AVX2, and 32-bit x86 -msse2 -mfpmath=sse. Never use -ffast-math. With -ffp-contract=fast and
UPPER_FUSE defined the code is faster on processors that fuse, and the last digits differ. Sine, cosine and Stumpff functions are in the
source; only angles beyond 1.6e6 rad go to the platform's functions.

Arrays must not overlap, unless a parameter is said to be changed in place. Nothing is allocated, and
there are no variables outside functions: functions may be called from several threads at once.";

/// What the head says of lanes.
const LANES: &str = "\
Lanes: with UPPER_LANES = 2, 4, 8 or 16 (defined alike wherever this header is included) each number is
a vector of GCC or Clang, one arm in each lane, with the same results as one after the other.";

/// A comment of lines.
pub(super) fn remark(lines: &[String]) -> String {
    let mut out = String::from("/*\n");
    for line in lines {
        let _ = writeln!(out, "{}", format!(" * {}", comment(line)).trim_end());
    }
    out.push_str(" */\n");
    out
}

/// The comment above a function: what it does, and its parameters.
pub(super) fn about(routine: &Routine) -> Vec<String> {
    let mut lines = routine.about.clone();
    for own in &routine.parameters {
        let way = match own.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "changed in place",
        };
        lines.push(format!("{} ({way}): {}", own.name, own.about));
    }
    lines
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn header(program: &Program, c: &C<'_>) -> String {
    let (prefix, upper) = (&program.prefix, program.prefix.to_uppercase());
    let (number, size) = if program.settings.single { ("float", 4) } else { ("double", 8) };
    let default = program.settings.lanes;
    let mut head = program.about.clone();
    head.push(String::new());
    head.extend(lines(&BUILDING.replace("UPPER", &upper)));
    head.push(String::new());
    head.extend(lines(&LANES.replace("UPPER", &upper)));
    let mut out = remark(&head);
    let _ = write!(
        out,
        "#ifndef {upper}_H
#define {upper}_H

#ifndef {upper}_LANES
#define {upper}_LANES {default}
#endif

#if {upper}_LANES > 1
#if !defined(__GNUC__)
#error \"several lanes need the vector types of GCC or Clang\"
#endif
typedef {number} {prefix}_real __attribute__((vector_size({upper}_LANES * {size})));
#define {upper}_LANE(x, lane) ((x)[lane])
#else
typedef {number} {prefix}_real;
#define {upper}_LANE(x, lane) (x)
#endif

#ifdef __cplusplus
extern \"C\" {{
#endif

"
    );
    out.push_str(&guard(program));
    let real = format!("{prefix}_real");
    for routine in program.public() {
        out.push_str(&remark(&about(routine)));
        out.push_str(&c.declaration(routine, &real));
        out.push('\n');
    }
    out.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

/// The guard of a determinant as a constant, where there is one.
pub(super) fn guard(program: &Program) -> String {
    let upper = program.prefix.to_uppercase();
    program.guard().map_or_else(String::new, |guard| {
        let about =
            remark(&["The least determinant with which composite control is used.".to_owned()]);
        format!("{about}#define {upper}_COMPOSITE_GUARD {guard:?}\n\n")
    })
}

fn source(program: &Program, c: &C<'_>) -> String {
    let (prefix, upper) = (&program.prefix, program.prefix.to_uppercase());
    let first = format!("Functions of {prefix}.h, where they are described.");
    let mut out = remark(&[first]);
    let _ = write!(
        out,
        "#include \"{prefix}.h\"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__) && !defined({upper}_FUSE)
#pragma STDC FP_CONTRACT OFF
#endif

"
    );
    out.push_str(&c_prelude::text(program, false));
    out.push_str(&c_lines::solve(program));
    for routine in &program.routines {
        out.push_str(&c.function(routine));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Numbers of an array, as a program has them.
fn numbers(values: &[f64], c: &C<'_>) -> String {
    use super::body::Dialect as _;
    let all: Vec<String> = values.iter().map(|value| c.literal(*value)).collect();
    all.join(", ")
}

/// The parameters of functions that are called one after the other, each once.
pub(super) fn declared<'a>(calls: &[&'a Routine]) -> Vec<&'a Parameter> {
    let mut all: Vec<&Parameter> = Vec::new();
    for own in calls.iter().flat_map(|routine| &routine.parameters) {
        if all.iter().all(|known| known.name != own.name) {
            all.push(own);
        }
    }
    all
}

/// What the example gives for a parameter: the neutral configuration, a step of a millisecond, and
/// zeros for all else; for an estimator its posture at rest.
pub(super) fn example_values(
    program: &Program,
    routine: &Routine,
    name: &str,
    length: usize,
) -> Vec<f64> {
    let rest = program.rest.get(name).filter(|_| routine.name.starts_with("estimator"));
    if let Some(values) = rest {
        return values.clone();
    }
    match name {
        "q" => program.neutral.clone(),
        "parameters" => program.parameters.clone(),
        "h" => vec![1e-3],
        "q_reference" => vec![0.1; length],
        "stiffness" => vec![100.0; length],
        "damping" => vec![20.0; length],
        _ => vec![0.0; length],
    }
}

fn example(program: &Program, c: &C<'_>) -> String {
    let (prefix, upper) = (&program.prefix, program.prefix.to_uppercase());
    let number = c.number();
    let mut out =
        remark(&[format!("Evaluates {} at one state and prints what it gives.", program.title)]);
    let _ = write!(
        out,
        "#include \"{prefix}.h\"

#include <stdio.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* The same number in all lanes. */
static void fill({prefix}_real *to, const {number} *from, int count)
{{
    for (int i = 0; i < count; ++i) {{
        for (int lane = 0; lane < {upper}_LANES; ++lane) {{
            {upper}_LANE(to[i], lane) = from[i];
        }}
    }}
}}

static void print(const char *name, const {prefix}_real *values, int count)
{{
    for (int i = 0; i < count; ++i) {{
        printf(\"%s[%d] = %.17g\\n\", name, i, (double){upper}_LANE(values[i], 0));
    }}
}}

"
    );
    for routine in program.public() {
        let _ = writeln!(out, "static void show_{}(void)\n{{", routine.name);
        let calls = program.calls(routine);
        for own in declared(&calls) {
            let (name, Some(length)) = (&own.name, own.length) else { continue };
            let _ = writeln!(out, "    {prefix}_real {name}[{length}];");
            if own.direction != Direction::Out {
                let values = numbers(&example_values(program, routine, name, length), c);
                let _ = writeln!(out, "    const {number} {name}_given[] = {{{values}}};");
                let _ = writeln!(out, "    fill({name}, {name}_given, COUNT({name}_given));");
            }
        }
        let argument = |own: &Parameter| match own.length {
            Some(_) => own.name.clone(),
            None => numbers(&example_values(program, routine, &own.name, 1), c),
        };
        for call in calls {
            let arguments: Vec<String> = call.parameters.iter().map(argument).collect();
            let _ = writeln!(out, "    {prefix}_{}({});", call.name, arguments.join(", "));
        }
        let _ = writeln!(out, "    printf(\"%s\\n\", {});", c_literal(&routine.name));
        for own in routine.parameters.iter().filter(|own| own.direction != Direction::In) {
            let name = &own.name;
            let _ = writeln!(out, "    print({}, {name}, COUNT({name}));", c_literal(name));
        }
        out.push_str("}\n\n");
    }
    let title = c_literal(&program.title);
    let _ = writeln!(out, "int main(void)\n{{\n    printf(\"%s\\n\", {title});");
    for routine in program.public() {
        let _ = writeln!(out, "    show_{}();", routine.name);
    }
    out.push_str("    return 0;\n}\n");
    out
}

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.10)
project(PREFIX C)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(PREFIX_FUSE \"Let the compiler fuse products and sums: faster, with other last digits\" OFF)

add_library(PREFIX STATIC PREFIX.c)
target_include_directories(PREFIX PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
if(CMAKE_C_COMPILER_ID MATCHES \"GNU|Clang\")
  # what these switch off is no part of any result
  target_compile_options(PREFIX PRIVATE -fno-math-errno -fno-trapping-math)
  if(PREFIX_FUSE)
    target_compile_options(PREFIX PRIVATE -ffp-contract=fast)
    target_compile_definitions(PREFIX PRIVATE UPPER_FUSE)
  else()
    target_compile_options(PREFIX PRIVATE -ffp-contract=off)
    if(CMAKE_C_COMPILER_ID STREQUAL \"GNU\")
      # vectors of statements side by side are fused even so
      target_compile_options(PREFIX PRIVATE -fno-tree-slp-vectorize)
    endif()
  endif()
endif()
if(UNIX)
  target_link_libraries(PREFIX PUBLIC m)
endif()

add_executable(PREFIX_example example.c)
target_link_libraries(PREFIX_example PREFIX)
";

/// A `CMake` file with the names of a program.
pub(super) fn cmake(text: &str, program: &Program) -> String {
    text.replace("PREFIX", &program.prefix).replace("UPPER", &program.prefix.to_uppercase())
}

/// All files.
pub(super) fn files(program: &Program) -> Vec<SourceFile> {
    let prefix = format!("{}_", program.prefix);
    let c = C { real: "real", prefix: &prefix, single: program.settings.single, is_cuda: false };
    let file = |path: String, text: String| SourceFile { path, text };
    vec![
        file(format!("{}.h", program.prefix), header(program, &c)),
        file(format!("{}.c", program.prefix), source(program, &c)),
        file("example.c".to_owned(), example(program, &c)),
        file("CMakeLists.txt".to_owned(), cmake(CMAKE, program)),
    ]
}
