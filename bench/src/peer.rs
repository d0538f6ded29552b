//! Pinocchio as a peer: built here from its published headers, then asked over a pipe.
//!
//! The headers come from the package `pin` of the Python package index, in a virtual environment
//! below the target folder or in the one that `PLIANT_PEERS_VENV` names. `peers/pinocchio.cpp` is
//! compiled against them, and again whenever it, the command, the compiler or the processor changes.

use crate::chains::Chain;
use crate::engine::{Engine, Error};
use crate::machine;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs, io};

/// The package with Pinocchio's headers.
const PACKAGE: &str = "pin==4.1.0";

/// The program that answers our commands; it documents them.
const SOURCE: &str = include_str!("../peers/pinocchio.cpp");

/// How it is compiled; also what Pinocchio's build defines for Boost.
pub(crate) const FLAGS: [&str; 8] = [
    "-std=c++17",
    "-O3",
    "-march=native",
    "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
];

/// Where a system keeps the headers of Eigen.
const EIGEN_FOLDERS: [&str; 2] = ["/usr/include/eigen3", "/usr/local/include/eigen3"];

/// The peer, ready to be started.
pub(crate) struct Pinocchio {
    folder: PathBuf,
    program: PathBuf,
}

impl Pinocchio {
    /// Prepares all that is missing, which takes minutes the first time.
    pub(crate) fn prepare() -> Result<Self, Error> {
        let folder = machine::target_folder().join("peers");
        create_folder(&folder)?;
        let venv = env::var_os("PLIANT_PEERS_VENV").map(PathBuf::from);
        install_packages(venv.is_none())?;
        let venv = if let Some(venv) = venv {
            venv
        } else {
            let venv = create_venv(&folder)?;
            if !has_pinocchio(&include_folder(&venv)?) {
                progress(&format!("installing {PACKAGE}: about 200 MB"));
                install(&venv, &[PACKAGE])?;
            }
            venv
        };
        let program = compile(&folder, &venv)?;
        Ok(Self { folder, program })
    }

    /// Starts the peer on this chain.
    pub(crate) fn start(&self, chain: &Chain) -> Result<Peer, Error> {
        let path = self.folder.join(format!("chain_{}.txt", chain.links.len()));
        write_file(&path, &chain.to_string())?;
        let mut command = Command::new(&self.program);
        command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let doing = "starting the peer";
        let mut child = command.spawn().map_err(|error| failure(doing, &command, &error))?;
        let (Some(commands), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failure(doing, &command, &"no pipes"));
        };
        Ok(Peer { child, commands, answers: BufReader::new(answers) })
    }
}

/// A running peer.
pub(crate) struct Peer {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// The versions of the peer, of its libraries and of its compiler.
    pub(crate) fn about(&mut self) -> Result<String, Error> {
        self.ask("about")
    }

    fn ask(&mut self, command: &str) -> Result<String, Error> {
        let mut answer = String::new();
        let sent = self.commands.write_all(format!("{command}\n").as_bytes());
        match sent.and_then(|()| self.answers.read_line(&mut answer)) {
            Ok(length) if length > 0 => Ok(answer.trim_end().to_owned()),
            _ => Err(Error::Answer { command: command.to_owned(), answer }),
        }
    }

    fn ask_numbers(&mut self, command: &str) -> Result<Vec<f64>, Error> {
        let answer = self.ask(command)?;
        answer
            .split_whitespace()
            .map(|word| {
                let wrong = |_| Error::Answer { command: command.to_owned(), answer: word.into() };
                word.parse().map_err(wrong)
            })
            .collect()
    }
}

impl Engine for Peer {
    fn run(&mut self, call: &str, count: u32) -> Result<f64, Error> {
        let command = format!("run {call} {count}");
        let numbers = self.ask_numbers(&command)?;
        let answer = format!("{numbers:?}");
        numbers.first().copied().ok_or(Error::Answer { command, answer })
    }

    fn value(&mut self, call: &str) -> Result<Vec<f64>, Error> {
        self.ask_numbers(&format!("value {call}"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It has answered everything: how it ends does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Installs the system's packages that are missing, or says which.
fn install_packages(with_venv: bool) -> Result<(), Error> {
    let python_has_venv = || succeeds("python3", &["-c", "import ensurepip, venv"]);
    let mut missing = Vec::new();
    if !succeeds("g++", &["--version"]) {
        missing.push("g++");
    }
    if with_venv && !python_has_venv() {
        missing.push("python3-venv");
    }
    if eigen_folder().is_none() {
        missing.push("libeigen3-dev");
    }
    if missing.is_empty() {
        return Ok(());
    }
    let is_root = output("asking for the user", Command::new("id").arg("-u"))? == "0";
    if !is_root || !succeeds("apt-get", &["--version"]) {
        return Err(Error::MissingPackages(missing.join(" ")));
    }
    progress(&format!("installing {}", missing.join(", ")));
    run("updating the package lists", Command::new("apt-get").args(["update", "-qq"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "-qq"]).args(missing);
    run("installing packages", install.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// The virtual environment below `folder`, created when it is missing.
fn create_venv(folder: &Path) -> Result<PathBuf, Error> {
    let venv = folder.join("venv");
    let python = venv.join("bin/python");
    if !python.exists() {
        progress(&format!("creating a virtual environment in {}", venv.display()));
        let mut command = Command::new("python3");
        run("creating a virtual environment", command.args(["-m", "venv"]).arg(&venv))?;
    }
    Ok(venv)
}

/// Installs packages of the Python package index.
fn install(venv: &Path, packages: &[&str]) -> Result<(), Error> {
    let mut pip = Command::new(venv.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--prefer-binary"]).args(packages);
    run("installing packages of Python", &mut pip)
}

/// A Python in which a statement holds, its packages installed where the environment is our own.
pub(crate) fn python_with(packages: &[&str], holds: &str) -> Result<PathBuf, Error> {
    let given = env::var_os("PLIANT_PEERS_VENV").map(PathBuf::from);
    let venv = if let Some(venv) = &given {
        venv.clone()
    } else {
        let folder = machine::target_folder().join("peers");
        create_folder(&folder)?;
        create_venv(&folder)?
    };
    let python = venv.join("bin/python");
    let ready = || succeeds(&python.to_string_lossy(), &["-c", holds]);
    if !ready() && given.is_none() {
        progress(&format!("installing {}", packages.join(" and ")));
        install(&venv, packages)?;
    }
    if ready() {
        return Ok(python);
    }
    let why = format!("it needs {}", packages.join(" and "));
    Err(failure("asking for the peers' packages", Command::new(&python).args(["-c", holds]), &why))
}

/// Compiles the peer when what it is made of has changed since the last time.
fn compile(folder: &Path, venv: &Path) -> Result<PathBuf, Error> {
    let source = folder.join("pinocchio.cpp");
    let program = folder.join("pinocchio");
    let unfinished = folder.join("pinocchio.unfinished");
    let stamp = folder.join("pinocchio.stamp");

    let include = include_folder(venv)?;
    if !has_pinocchio(&include) {
        return Err(Error::MissingHeaders { package: PACKAGE, folder: include });
    }
    let mut compiler = Command::new("g++");
    compiler.args(FLAGS).arg("-isystem").arg(include);
    if let Some(eigen) = eigen_folder() {
        compiler.arg("-isystem").arg(eigen);
    }
    // The compiler's many warnings are about Pinocchio's code.
    compiler.arg("-w").arg(&source).arg("-o").arg(&unfinished);
    let version = output("asking for the compiler", Command::new("g++").arg("--version"))?;
    let made_of = format!("{compiler:?}\n{version}\n{}\n{SOURCE}", machine::processor());

    if !program.exists() || fs::read_to_string(&stamp).ok().as_ref() != Some(&made_of) {
        progress("compiling Pinocchio, once: about 5 minutes and 5 GB of memory");
        write_file(&source, SOURCE)?;
        run("compiling Pinocchio", &mut compiler)?;
        fs::rename(&unfinished, &program).map_err(at(&program))?;
        write_file(&stamp, &made_of)?;
    }
    Ok(program)
}

/// Where the environment's package keeps its C++ headers.
fn include_folder(venv: &Path) -> Result<PathBuf, Error> {
    let mut python = Command::new(venv.join("bin/python"));
    python.args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    let packages = output("asking for the packages' folder", &mut python)?;
    Ok(PathBuf::from(packages).join("cmeel.prefix/include"))
}

fn has_pinocchio(include: &Path) -> bool {
    include.join("pinocchio/config.hpp").exists()
}

fn eigen_folder() -> Option<&'static str> {
    EIGEN_FOLDERS.into_iter().find(|folder| Path::new(folder).join("Eigen/Core").exists())
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Runs a command; what it prints goes to standard error, for standard output is the report's.
fn run(doing: &'static str, command: &mut Command) -> Result<(), Error> {
    command.stdin(Stdio::null()).stdout(io::stderr());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failure(doing, command, &status)),
        Err(error) => Err(failure(doing, command, &error)),
    }
}

/// Runs a command and returns what it prints.
fn output(doing: &'static str, command: &mut Command) -> Result<String, Error> {
    match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Ok(output) => Err(failure(doing, command, &output.status)),
        Err(error) => Err(failure(doing, command, &error)),
    }
}

pub(crate) fn failure(doing: &'static str, command: &Command, why: &dyn ToString) -> Error {
    Error::Command { doing, command: format!("{command:?}"), why: why.to_string() }
}

fn progress(message: &str) {
    eprintln!("peer: {message}");
}

fn create_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(at(path))
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    |source| Error::File { path, source }
}
