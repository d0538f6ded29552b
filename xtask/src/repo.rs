//! Where the repository is, which files it holds, and how its cargo is called.

use crate::Outcome;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The root of the workspace. Asked at run time, as builds of several copies may share a target.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let package = std::env::var_os("CARGO_MANIFEST_DIR");
        let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&package).parent().expect("xtask lies inside the workspace");
        root.to_owned()
    });
    &ROOT
}

/// The same cargo that runs this command, started in the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command that speaks for itself; its failure is named by `what`.
pub(crate) fn run(what: &str, command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(why) => Err(format!("{what} could not be started: {why}")),
    }
}

/// The first line that a command prints, if the command exists and succeeds.
pub(crate) fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let output = printed(program, args)?;
    let text = String::from_utf8_lossy(&output);
    Some(text.lines().next().unwrap_or_default().to_owned())
}

/// What a command prints at the root, if it exists and succeeds.
fn printed(program: &str, args: &[&str]) -> Option<Vec<u8>> {
    let output =
        Command::new(program).args(args).current_dir(root()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// True on a machine that builds for others and must not be asked or changed for comfort.
pub(crate) fn under_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Lets a file be run.
#[cfg(unix)]
pub(crate) fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Lets a file be run.
#[cfg(not(unix))]
pub(crate) fn executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// A text file of the repository.
pub(crate) struct Text {
    /// Path from the root, with forward slashes.
    pub(crate) path: String,
    /// All of it.
    pub(crate) content: String,
}

impl Text {
    /// True for a Rust file.
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|ending| ending == "rs")
    }
}

/// Every text file that git tracks or would track, in the order of the paths.
/// Files that are not UTF-8 are left out.
pub(crate) fn texts() -> Vec<Text> {
    let mut paths = listed_by_git().unwrap_or_else(|| {
        let mut paths = Vec::new();
        walk(root(), "", &mut paths);
        paths
    });
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let content = fs::read_to_string(root().join(&path)).ok()?;
            Some(Text { path, content })
        })
        .collect()
}

fn listed_by_git() -> Option<Vec<String>> {
    let output = printed("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let text = String::from_utf8(output).ok()?;
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

/// The files of an unpacked archive, where git has nothing to say.
fn walk(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path: PathBuf = entry.path();
        if path.is_dir() {
            if !matches!(name.as_str(), ".git" | ".venv" | "target" | "node_modules") {
                walk(&path, &format!("{prefix}{name}/"), paths);
            }
        } else {
            paths.push(format!("{prefix}{name}"));
        }
    }
}
