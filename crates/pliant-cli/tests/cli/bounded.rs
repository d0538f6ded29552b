//! Files that ask for more than any machine has: every command ends, with a reason.

use super::{Run, root, scratch};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// After so long a command counts as one that never ends.
const PATIENCE: Duration = Duration::from_secs(120);

/// The processor time that a command may take (s), on every thread together: what has a bound takes a
/// few seconds, and what once had none took over a hundred.
#[cfg(unix)]
const LONGEST: u32 = 40;

/// The command, which ends when it has taken too much processor time.
fn bounded() -> Command {
    let pliant = env!("CARGO_BIN_EXE_pliant");
    #[cfg(unix)]
    {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -t {LONGEST} && exec \"$0\" \"$@\"");
        command.args(["-c", &limited, pliant]);
        command
    }
    #[cfg(not(unix))]
    Command::new(pliant)
}

fn folder() -> PathBuf {
    root().join("crates/pliant-cli/tests/bounded")
}

/// Runs pliant in a folder; a command that does not end fails the test instead of holding it up.
fn ended(folder: &Path, arguments: &[&str]) -> Run {
    let child = bounded()
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pliant runs");
    waited(child, arguments)
}

/// What a command gave, if it ends in time.
fn waited(mut child: Child, arguments: &[&str]) -> Run {
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("pliant {arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("pliant ended").into()
}

/// What is said about a file of the folder that is refused.
fn refused(file: &str) -> String {
    ended(&folder(), &["check", file]).refused()
}

#[test]
fn moments_beyond_numbers_are_refused() {
    let message = refused("far-payload.toml");
    let told = message.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(told.contains("moment of inertia") && told.contains("too large to compute"), "{told}");
    assert!(told.contains("give masses and distances in kg and m"), "{told}");
}

#[test]
fn vibrations_of_slopes_beyond_numbers_are_refused() {
    let message = refused("gravity-and-shaper.toml");
    assert!(message.contains("gravity-and-shaper.toml:"), "{message}");
}

#[test]
fn tables_of_many_shapes_end() {
    let said = ended(&folder(), &["check", "many-shapes.toml"]).done();
    assert_eq!(said, "many-shapes.toml: ok, 1 link, 17 degrees of freedom, 0.5131 kg\n");
}

/// `ω = (β/l)² √(EI/ρA)` of a beam that is free to turn at its root: 15.4 e100 rad/s.
#[test]
fn poles_of_stiff_links_have_their_size() {
    let said = ended(&folder(), &["linearise", "stiff.toml"]).done();
    assert!(said.contains("±1.54"), "{said}");
    assert!(said.contains("e101"), "{said}");
}

#[test]
fn horizons_of_days_are_refused() {
    let message = refused("horizon.toml");
    assert!(message.contains("more than 100000 ticks"), "{message}");
}

#[test]
fn delays_beyond_memory_are_told_before_the_run() {
    assert!(ended(&folder(), &["check", "delays.toml"]).done().contains(": ok, "));
    if cfg!(target_os = "linux") {
        let scratch = scratch("delays-run");
        let run = scratch.join("run");
        let arguments = ["run", "delays.toml", "-o", run.to_str().expect("a path")];
        let message = ended(&folder(), &arguments).refused();
        assert!(message.contains("8.0 TB of memory"), "{message}");
        assert!(message.contains("shorten the delays") && !run.exists(), "{message}");
    }
}

#[test]
fn rows_are_counted_before_the_run() {
    let folder = scratch("rows");
    let arm = root().join("robots/king-two-link.toml");
    let write = |name: &str, more: &str| {
        let text = format!("arm = {:?}\n{more}", arm.to_str().expect("a path"));
        std::fs::write(folder.join(name), text).expect("written");
    };
    write("most.toml", "duration = \"1e9 s\"\nrecord = { every = \"1 ns\" }\n");
    for command in ["check", "run"] {
        let message = ended(&folder, &[command, "most.toml"]).refused();
        for wanted in ["1e18 rows of 1e-9 s", "most.toml:3", "write every = \"1.0e3 s\""] {
            assert!(message.contains(wanted), "{wanted}: {message}");
        }
    }
    // nothing is said about rows: the time is too long
    write("usual.toml", "duration = \"1e9 s\"\n");
    let message = ended(&folder, &["check", "usual.toml"]).refused();
    assert!(message.contains("usual.toml:2") && message.contains("1e11 rows"), "{message}");
    write("many.toml", "duration = \"1e5 s\"\nrecord = { every = \"1 ms\" }\n");
    let said = ended(&folder, &["check", "many.toml"]).done();
    assert!(said.contains("; 1.00e8 rows of ") && said.contains(" GB on the disk"), "{said}");
    write("few.toml", "duration = \"1 s\"\n");
    assert!(!ended(&folder, &["check", "few.toml"]).done().contains("rows"));
}

/// What a file names is never waited for, and `-` is not the standard input.
#[cfg(unix)]
#[test]
fn devices_and_pipes_that_files_name_are_refused() {
    let folder = scratch("named-devices");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    std::os::unix::fs::symlink("/dev/stdin", folder.join("linked")).expect("a link");
    let swing = "duration = \"1 s\"\n";
    let table =
        "arm = \"bob.toml\"\ninput = { motor = \"bob\", kind = \"table\", file = \"FILE\" }\n";
    let bob =
        "[[link]]\nname = \"bob\"\njoint = \"revolute\"\nbody = { mass = 1, com = [1, 0, 0] }\n";
    std::fs::write(folder.join("bob.toml"), bob).expect("written");
    for file in ["pipe", "linked", "/dev/stdin", "/dev/fd/0", "/dev/zero", "/dev/tty", "-"] {
        let arm = format!("arm = \"{file}\"\n");
        for text in [arm.as_str(), &table.replace("FILE", file)] {
            std::fs::write(folder.join("named.toml"), format!("{swing}{text}")).expect("written");
            for command in ["check", "run"] {
                // an input that stays open: who read it would wait for ever
                let mut child = bounded()
                    .args([command, "named.toml"])
                    .current_dir(&folder)
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("pliant runs");
                let input = child.stdin.take();
                let said: Run = waited(child, &[command, file]);
                drop(input);
                let said = said.refused();
                assert!(said.contains("cannot be read"), "{command} {file}: {said}");
                let why = if file == "-" { "no such file" } else { "not a plain file" };
                let words: Vec<&str> = said.split_whitespace().filter(|w| *w != "│").collect();
                assert!(words.join(" ").contains(why), "{command} {file}: {said}");
            }
        }
    }
}
