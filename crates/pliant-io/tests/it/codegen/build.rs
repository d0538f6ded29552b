//! Sources become programs that read numbers and write numbers.

use pliant::codegen::{SourceFunction, Sources};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Whether a compiler is missing, which is said.
pub(super) fn missing(test: &str, compiler: &str) -> bool {
    let is_missing = Command::new(compiler).arg("--version").output().is_err();
    if is_missing {
        let note = format!("{test}: skipped: no {compiler}");
        writeln!(std::io::stderr(), "{note}").expect("a place to write");
    }
    is_missing
}

/// A folder with sources, which goes with it.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(name: &str, sources: &Sources) -> Self {
        let folder = std::env::temp_dir().join(format!("pliant-{}-{name}", std::process::id()));
        for file in &sources.files {
            let path = folder.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, &file.text).expect("written");
        }
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("written");
    }

    /// Runs a compiler, whose warnings are errors.
    fn build(&self, compiler: &str, arguments: &[&str]) {
        let output = Command::new(compiler).current_dir(&self.0).args(arguments).output();
        let output = output.expect("a compiler");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{compiler} {arguments:?}\n{said}");
    }

    /// A program of all functions, in C.
    pub(super) fn c(&self, compiler: &str, sources: &Sources) -> Program {
        self.c_with(compiler, &["-O1"], sources)
    }

    /// The same with more options.
    pub(super) fn c_with(&self, compiler: &str, more: &[&str], sources: &Sources) -> Program {
        let prefix = &sources.prefix;
        let mut text = format!("#include \"{prefix}.h\"\n#include <stdio.h>\n");
        text.push_str(READ);
        text.push_str("int main(void)\n{\n    for (;;) {\n");
        for function in &sources.functions {
            text.push_str(&called(function, &format!("{prefix}_")));
        }
        text.push_str("    }\n}\n");
        self.write("driver.c", &text);
        let source = format!("{prefix}.c");
        let usual = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-ffp-contract=off"];
        let files = [&*source, "driver.c", "-o", "driver", "-lm"];
        self.build(compiler, &[&usual[..], more, &files].concat());
        // the example is clean too
        self.build(compiler, &[&usual[..5], &["-c", "example.c"]].concat());
        Program(self.0.join("driver"))
    }

    /// What the example prints with so many lanes, in C by GCC.
    pub(super) fn c_example(&self, sources: &Sources, lanes: usize) -> String {
        let prefix = &sources.prefix;
        let lanes = format!("-D{}_LANES={lanes}", prefix.to_uppercase());
        let usual = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"];
        let files = [&*format!("{prefix}.c"), "example.c", "-o", "example", "-lm"];
        self.build("gcc", &[&usual[..], &["-ffp-contract=off", &lanes], &files].concat());
        let output = Command::new(self.0.join("example")).output().expect("a program");
        String::from_utf8(output.stdout).expect("a text")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const READ: &str = "\
static int take(double *to, size_t count)
{
    return fread(to, sizeof(double), count, stdin) == count;
}
static void give(const double *from, size_t count)
{
    fwrite(from, sizeof(double), count, stdout);
}
";

/// Reads what a function is given, calls it, and writes what it gives.
fn called(function: &SourceFunction, prefix: &str) -> String {
    let mut out = String::from("        {\n");
    for (name, length, [is_read, _]) in &function.parameters {
        let _ = writeln!(out, "            double {name}[{}];", length.unwrap_or(1));
        if *is_read {
            let count = length.unwrap_or(1);
            let _ = writeln!(
                out,
                "            if (!take({name}, {count})) {{\n                return 0;\n            }}"
            );
        }
    }
    let argument = |(name, length, _): &(String, Option<usize>, [bool; 2])| match length {
        Some(_) => name.clone(),
        None => format!("{name}[0]"),
    };
    let arguments: Vec<String> = function.parameters.iter().map(argument).collect();
    let _ = writeln!(out, "            {prefix}{}({});", function.name, arguments.join(", "));
    for (name, length, [_, is_written]) in &function.parameters {
        if *is_written {
            let _ = writeln!(out, "            give({name}, {});", length.unwrap_or(1));
        }
    }
    out.push_str("        }\n");
    out
}

/// A program that reads numbers and writes numbers.
pub(super) struct Program(PathBuf);

impl Program {
    pub(super) fn run(&self, given: &[f64]) -> Vec<f64> {
        let mut child = Command::new(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program");
        let mut stdin = child.stdin.take().expect("a pipe");
        let bytes: Vec<u8> = given.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let writer = std::thread::spawn(move || stdin.write_all(&bytes));
        let output = child.wait_with_output().expect("an end");
        writer.join().expect("no panic").expect("all is read");
        assert!(output.status.success());
        output.stdout.as_chunks().0.iter().map(|own| f64::from_ne_bytes(*own)).collect()
    }
}

/// What the crate `libm` has of what sources need, in this machine's functions.
const LIBM: &str = "\
pub fn sqrt(x: f64) -> f64 { x.sqrt() }
pub fn sin(x: f64) -> f64 { x.sin() }
pub fn cos(x: f64) -> f64 { x.cos() }
";

/// A program of all functions, in Rust, as it is built for debuggers.
pub(super) fn rust(folder: &Folder, sources: &Sources) -> Program {
    let prefix = &sources.prefix;
    let mut text = String::from(
        "use std::io::{Read, Write};
fn take<const N: usize>() -> [f64; N] {
    let mut all = [0.0; N];
    for number in &mut all {
        let mut bytes = [0; 8];
        if std::io::stdin().read_exact(&mut bytes).is_err() {
            std::process::exit(0);
        }
        *number = f64::from_ne_bytes(bytes);
    }
    all
}
fn give(all: &[f64]) {
    let bytes: Vec<u8> = all.iter().flat_map(|number| number.to_ne_bytes()).collect();
    std::io::stdout().write_all(&bytes).expect(\"written\");
}
fn main() {
    loop {
",
    );
    for function in &sources.functions {
        text.push_str("        {\n");
        let mut arguments = Vec::new();
        for (name, length, [is_read, is_written]) in &function.parameters {
            let count = length.unwrap_or(1);
            let value =
                if *is_read { format!("take::<{count}>()") } else { format!("[0.0; {count}]") };
            let mutable = if *is_written { "mut " } else { "" };
            let _ = writeln!(text, "            let {mutable}{name} = {value};");
            arguments.push(match length {
                None => format!("{name}[0]"),
                Some(_) => format!("&{mutable}{name}"),
            });
        }
        let _ =
            writeln!(text, "            {prefix}::{}({});", function.name, arguments.join(", "));
        for (name, _, [_, is_written]) in &function.parameters {
            if *is_written {
                let _ = writeln!(text, "            give(&{name});");
            }
        }
        text.push_str("        }\n");
    }
    text.push_str("    }\n}\n");
    folder.write("driver.rs", &text);
    folder.write("libm.rs", LIBM);
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let usual = ["--edition=2021", "-L", ".", "-C", "debuginfo=2"];
    let crate_name = format!("--crate-name={prefix}");
    folder.build(
        &rustc,
        &[&usual[..], &["--crate-type=rlib", "--crate-name=libm", "libm.rs"]].concat(),
    );
    folder.build(
        &rustc,
        &[
            &usual[..],
            &[
                "-D",
                "warnings",
                "--extern",
                "libm=liblibm.rlib",
                "--crate-type=rlib",
                &crate_name,
                "src/lib.rs",
            ],
        ]
        .concat(),
    );
    let own = format!("{prefix}=lib{prefix}.rlib");
    folder.build(&rustc, &[&usual[..], &["--extern", &own, "-o", "driver", "driver.rs"]].concat());
    folder.build(
        &rustc,
        &[&usual[..], &["-D", "warnings", "--extern", &own, "-o", "example", "examples/print.rs"]]
            .concat(),
    );
    Program(folder.0.join("driver"))
}

/// What CUDA's compiler has and C++ has not, for one thread.
const SHIM: &str = "\
#define __global__
#define PLIANT_KERNELS
struct Place { unsigned x; };
static const Place gridDim = {1}, blockDim = {1}, blockIdx = {0}, threadIdx = {0};
";

/// A program of all kernels, each for one arm, in C++.
pub(super) fn cuda(folder: &Folder, sources: &Sources, compiler: &str) -> Program {
    let prefix = &sources.prefix;
    let mut text = format!("{SHIM}#include \"{prefix}.cuh\"\n#include <stdio.h>\n{READ}");
    text.push_str("int main()\n{\n    for (;;) {\n");
    for function in &sources.functions {
        let name = format!("{}_kernel", function.name);
        let called = called(function, &format!("{prefix}_arm::"));
        let plain = format!("{prefix}_arm::{}(", function.name);
        text.push_str(&called.replace(&plain, &format!("{prefix}_arm::{name}(1, ")));
    }
    text.push_str("    }\n}\n");
    folder.write("driver.cpp", &text);
    let usual =
        ["-std=c++14", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off", "driver.cpp"];
    folder.build(compiler, &[&usual[..], &["-o", "driver", "-lm"]].concat());
    Program(folder.0.join("driver"))
}
