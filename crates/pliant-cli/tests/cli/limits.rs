//! Hostile files: none needs more than 200 MB, none takes long.
#![cfg(target_os = "linux")]

use super::{Run, scratch};
use std::fs::File;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs `pliant check` on a file with at most 200 MB of memory.
fn check(path: &std::path::Path) -> Run {
    let script = "ulimit -v 200000 && exec \"$0\" check \"$1\"";
    let start = Instant::now();
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pliant")])
        .arg(path)
        .output()
        .expect("pliant runs");
    assert!(start.elapsed() < Duration::from_secs(20), "{}", path.display());
    output.into()
}

#[test]
fn a_gigabyte_is_refused_by_its_size() {
    let path = scratch("huge").join("huge.toml");
    let file = File::create(&path).expect("a file");
    file.set_len(1_000_000_000).expect("long");
    let message = check(&path).refused();
    assert!(message.contains("has 1000000000 bytes, more than 1048576"), "{message}");
    assert!(message.contains("pliant::file::too-large"));
}

#[test]
fn a_megabyte_of_anything_is_refused_in_time() {
    let folder = scratch("hostile");
    let size = 1_000_000;
    let numbered = |line: fn(usize) -> String| {
        let mut text = String::new();
        for i in 0.. {
            text.push_str(&line(i));
            if text.len() > size {
                break;
            }
        }
        text
    };
    let hostile = [
        ("brackets", "[".repeat(size)),
        ("braces", format!("a = {}", "{b=".repeat(size / 3))),
        ("quotes", "\"".repeat(size)),
        ("zeros", "\0".repeat(size)),
        ("letters", "x".repeat(size)),
        ("equals", "=\n".repeat(size / 2)),
        ("same-key", "a=1\n".repeat(size / 4)),
        ("numbers", format!("gravity = [{}0]", "1,".repeat(size / 2 - 10))),
        ("long-key", format!("[[link]]\nname = \"a\"\n{} = 1\n", "k".repeat(size))),
        ("long-name", format!("[[link]]\nname = \"{}\"\nmass = -1\n", "n".repeat(size))),
        ("unknown-keys", numbered(|i| format!("k{i} = 1\n"))),
        ("nameless-links", "[[link]]\n".repeat(size / 9)),
        (
            "links",
            numbered(|i| format!("[[link]]\nname = \"l{i}\"\njoint = \"revolute\"\nmass = 1\n")),
        ),
        ("backward", numbered(|i| format!("[[link]]\nname = \"l{i}\"\nparent = \"l{}\"\n", i + 1))),
        ("dotted", format!("{}a = 1\n", "a.".repeat(size / 2))),
    ];
    for (name, text) in hostile {
        let path = folder.join(format!("{name}.toml"));
        std::fs::write(&path, text).expect("written");
        let message = check(&path).refused();
        assert!(message.contains("error: "), "{name}: {message}");
        assert!(message.len() < 200_000, "{name}: {} bytes", message.len());
    }
}

#[test]
fn what_is_not_text_is_refused() {
    let path = scratch("bytes").join("bytes.toml");
    std::fs::write(&path, b"name = \"a\"\nx = \"\xff\"\n").expect("written");
    let message = check(&path).refused();
    assert!(message.contains("the byte 0xff in line 2"), "{message}");
    let folder = path.parent().expect("a folder");
    assert!(check(folder).refused().contains("is a folder, not a plain file"));
}

/// Not a benchmark, but a hundred links must not be felt.
#[test]
fn a_hundred_links_load_at_once() {
    let folder = scratch("hundred");
    let link = |i: usize| {
        format!(
            "[[link]]\nname = \"link-{i}\"\nplacement = [\"0.1 m\", 0, 0]\njoint = {{ kind = \"revolute\", axis = \"z\" }}\nmass = \"1 kg\"\ncom = [0.05, 0, 0]\ninertia = [0.01, 0.01, 0.01]\n"
        )
    };
    let path = folder.join("long.toml");
    std::fs::write(&path, (0..100).map(link).collect::<String>()).expect("written");
    let start = Instant::now();
    assert!(check(&path).done().contains("100 degrees of freedom"));
    assert!(start.elapsed() < Duration::from_secs(2));
}
