//! The files of CUDA: a header with functions and kernels, an example, `CMakeLists.txt`.

use super::SourceFile;
use super::c::C;
use super::c_files::{about, cmake, declared, example_values, guard, remark};
use super::names::{c_literal, namespace};
use super::program::Program;
use super::routine::{Direction, Parameter, Routine};
use super::{c_lines, c_prelude};
use std::fmt::Write as _;

const BUILDING: &str = "\
Functions are for device and host alike. Kernels take many arms: entry j of arm i of an array is at
[j * count + i], so that neighbouring threads read neighbouring numbers; each thread has an arm, and
takes further ones where there are more arms than threads. Arrays must not overlap.

Numbers: products and sums are rounded one by one, as in a portable build of pliant, with
-fmad=false, and for functions on the host -Xcompiler -ffp-contract=off, by GCC also
-Xcompiler -fno-tree-slp-vectorize (CMakeLists.txt gives them). Without these they are fused, which is
faster, and the last digits differ. Sine, cosine and Stumpff functions are in this file;
only angles beyond 1.6e6 rad go to the platform's functions.

Compilers of C++ read this file too: without __CUDACC__ it has the functions alone, unless
__global__, blockIdx and the like are defined and PLIANT_KERNELS is.";

/// A kernel that calls a function for many arms.
fn kernel(c: &C<'_>, space: &str, routine: &Routine) -> String {
    let number = c.number();
    let parameter = |own: &Parameter| match (own.length, own.direction) {
        (None, _) => format!("{number} {}", own.name),
        (Some(_), Direction::In) => format!("const real *__restrict__ {}", own.name),
        (Some(_), _) => format!("real *__restrict__ {}", own.name),
    };
    let parameters: Vec<String> = routine.parameters.iter().map(parameter).collect();
    let name = &routine.name;
    let mut out = format!(
        "__global__ void {name}_kernel(size_t count, {})\n{{\n\
         \x20   const size_t stride = (size_t)gridDim.x * blockDim.x;\n\
         \x20   for (size_t arm = (size_t)blockIdx.x * blockDim.x + threadIdx.x; arm < count; arm += stride) {{\n",
        parameters.join(", ")
    );
    let arrays = || routine.parameters.iter().filter_map(|own| Some((own, own.length?)));
    for (own, length) in arrays() {
        let _ = writeln!(out, "        real own_{}[{length}];", own.name);
    }
    let each = |out: &mut String, length: usize, line: String| {
        let _ = writeln!(
            out,
            "        for (int j = 0; j < {length}; ++j) {{\n            {line}\n        }}"
        );
    };
    for (own, length) in arrays().filter(|(own, _)| own.direction != Direction::Out) {
        each(&mut out, length, format!("own_{0}[j] = {0}[j * count + arm];", own.name));
    }
    let argument = |own: &Parameter| match own.length {
        None => own.name.clone(),
        Some(_) => format!("own_{}", own.name),
    };
    let arguments: Vec<String> = routine.parameters.iter().map(argument).collect();
    // a parameter may have the name of its function
    let _ = writeln!(out, "        {space}::{name}({});", arguments.join(", "));
    for (own, length) in arrays().filter(|(own, _)| own.direction != Direction::In) {
        each(&mut out, length, format!("{0}[j * count + arm] = own_{0}[j];", own.name));
    }
    out.push_str("    }\n}\n\n");
    out
}

fn header(program: &Program, c: &C<'_>) -> String {
    let (space, upper) = (namespace(&program.prefix), program.prefix.to_uppercase());
    let number = c.number();
    let mut head = program.about.clone();
    head.push(String::new());
    head.extend(BUILDING.lines().map(str::to_owned));
    let mut out = remark(&head);
    let _ = write!(
        out,
        "#ifndef {upper}_CUH
#define {upper}_CUH

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace {space} {{

typedef {number} real;

"
    );
    out.push_str(&guard(program));
    out.push_str(&c_prelude::text(program, true));
    out.push_str(&c_lines::solve(program));
    for routine in &program.routines {
        if routine.is_public {
            out.push_str(&remark(&about(routine)));
        }
        out.push_str(&c.function(routine));
    }
    out.push_str("#if defined(__CUDACC__) || defined(PLIANT_KERNELS)\n\n");
    for routine in program.public() {
        let _ = writeln!(out, "/* {} for many arms. */", routine.name);
        out.push_str(&kernel(c, &space, routine));
    }
    out.push_str("#endif\n\n");
    let _ = writeln!(out, "}} // namespace {space}\n\n{}\n#endif", c_prelude::UNDEFINED);
    out
}

fn example(program: &Program) -> String {
    let (prefix, space) = (&program.prefix, namespace(&program.prefix));
    let mut out = remark(&[format!(
        "Evaluates {} at one state, many times, and prints what it gives.",
        program.title
    )]);
    let _ = write!(
        out,
        "#include \"{prefix}.cuh\"

#include <stdio.h>
#include <vector>

using {space}::real;

static const size_t COUNT = 1024;

/* An array on the device, with the same numbers for every arm. */
static real *array(const std::vector<real> &values)
{{
    std::vector<real> all;
    for (real value : values) {{
        all.insert(all.end(), COUNT, value);
    }}
    real *device = nullptr;
    if (cudaMalloc(&device, all.size() * sizeof(real)) != cudaSuccess) {{
        printf(\"no memory on a device\\n\");
        return nullptr;
    }}
    cudaMemcpy(device, all.data(), all.size() * sizeof(real), cudaMemcpyHostToDevice);
    return device;
}}

static void print(const char *name, const real *device, size_t length)
{{
    std::vector<real> all(length * COUNT);
    cudaMemcpy(all.data(), device, all.size() * sizeof(real), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < length; ++i) {{
        printf(\"%s[%zu] = %.17g\\n\", name, i, (double)all[i * COUNT]);
    }}
}}

int main()
{{
    printf(\"%s\\n\", {});
",
        c_literal(&program.title)
    );
    for routine in program.public() {
        out.push_str("    {\n");
        let calls = program.calls(routine);
        for own in declared(&calls) {
            let name = &own.name;
            let values = example_values(program, routine, name, own.length.unwrap_or(1));
            let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
            match own.length {
                None => {
                    let _ = writeln!(out, "        const real {name} = (real){};", values.join(""));
                }
                Some(length) if own.direction == Direction::Out => {
                    let _ =
                        writeln!(out, "        real *{name} = array(std::vector<real>({length}));");
                }
                Some(_) => {
                    let values: Vec<String> =
                        values.iter().map(|value| format!("(real){value}")).collect();
                    let _ =
                        writeln!(out, "        real *{name} = array({{{}}});", values.join(", "));
                }
            }
        }
        let name = &routine.name;
        for call in &calls {
            let own = call.parameters.iter().map(|own| own.name.clone());
            let arguments: Vec<String> = ["COUNT".to_owned()].into_iter().chain(own).collect();
            let (name, arguments) = (&call.name, arguments.join(", "));
            let _ = writeln!(out, "        {space}::{name}_kernel<<<8, 128>>>({arguments});");
        }
        let _ = writeln!(out, "        printf(\"{name}\\n\");");
        for own in declared(&calls) {
            let Some(length) = own.length else { continue };
            let is_shown = routine.parameters.iter().any(|shown| shown.name == own.name);
            if is_shown && own.direction != Direction::In {
                let _ = writeln!(
                    out,
                    "        print({}, {}, {length});",
                    c_literal(&own.name),
                    own.name
                );
            }
            let _ = writeln!(out, "        cudaFree({});", own.name);
        }
        out.push_str("    }\n");
    }
    out.push_str("    return 0;\n}\n");
    out
}

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.18)
project(PREFIX LANGUAGES CXX CUDA)
option(PREFIX_FUSE \"Let the compiler fuse products and sums: faster, with other last digits\" OFF)

add_executable(PREFIX_example example.cu)
target_include_directories(PREFIX_example PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
if(NOT PREFIX_FUSE)
  target_compile_options(PREFIX_example PRIVATE -fmad=false)
  if(CMAKE_CXX_COMPILER_ID MATCHES \"GNU|Clang\")
    target_compile_options(PREFIX_example PRIVATE -Xcompiler=-ffp-contract=off)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL \"GNU\")
    # vectors of statements side by side are fused even so
    target_compile_options(PREFIX_example PRIVATE -Xcompiler=-fno-tree-slp-vectorize)
  endif()
endif()
";

/// All files.
pub(super) fn files(program: &Program) -> Vec<SourceFile> {
    let c = C { real: "real", prefix: "", single: program.settings.single, is_cuda: true };
    let file = |path: String, text: String| SourceFile { path, text };
    vec![
        file(format!("{}.cuh", program.prefix), header(program, &c)),
        file("example.cu".to_owned(), example(program)),
        file("CMakeLists.txt".to_owned(), cmake(CMAKE, program)),
    ]
}
