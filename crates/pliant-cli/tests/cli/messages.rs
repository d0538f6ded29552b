//! Faults are called what they are.

use super::{pliant, pliant_in, root, scratch};
use std::path::Path;

/// What is said about a file with a text that is none of ours, and how it is asked for.
fn said(folder: &Path, name: &str, text: &str) -> Vec<String> {
    std::fs::write(folder.join(name), text).expect("written");
    let arm = root().join("robots/king-two-link.toml");
    let arm = arm.to_str().expect("a path");
    let scenario = format!("arm = \"{name}\"\nduration = \"1 s\"\n");
    std::fs::write(folder.join("scenario.toml"), scenario).expect("written");
    let commands: [&[&str]; 5] = [
        &["check", name],
        &["info", name],
        &["run", name],
        &["run", "scenario.toml"],
        &["dynamics", arm, "--state", name],
    ];
    commands.iter().map(|command| pliant_in(folder, command, "").refused()).collect()
}

#[test]
fn lines_of_other_files_are_not_shown() {
    let folder = scratch("messages-foreign");
    let files = [
        ("shadow", "root:$6$salt$SECRET:19000:0:99999:7:::\ndaemon:*:19000::\n", ""),
        ("settings", "PASSWORD=SECRET\nTOKEN=\"SECRET\"\n", ""),
        ("tokens.toml", "password = \"SECRET\"\n[owner]\nkey = \"SECRET\"\n", ""),
        ("key", "-----BEGIN OPENSSH PRIVATE KEY-----\nSECRET\n", "looks like a key"),
        ("page.html", "<!DOCTYPE html><html><p>SECRET</p></html>\n", "looks like an HTML page"),
        ("data.xml", "<data><p>SECRET</p></data>\n", ""),
        ("script", "#!/bin/sh\nexport SECRET\n", "looks like a script"),
    ];
    for (name, text, looks) in files {
        let all = said(&folder, name, text);
        for message in &all {
            assert!(!message.contains("SECRET"), "{name}: {message}");
        }
        for message in &all[..3] {
            assert!(message.contains(looks) && message.contains("<robot>"), "{name}: {message}");
        }
    }
    // a file of ours with a slip in it is still shown
    let slip = "name = \"a\"\n[[link]]\nname = upper\n";
    let all = said(&folder, "slip.toml", slip);
    assert!(all[0].contains("name = upper") && all[0].contains("in quotes"), "{}", all[0]);
    let all = said(&folder, "near.toml", "[[lnk]]\nname = \"a\"\n");
    assert!(all[0].contains("did you mean [[link]]?"), "{}", all[0]);
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_called_what_it_is() {
    let folder = scratch("messages-special");
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()));
    for (path, kind) in [
        ("/dev/zero", "a device"),
        ("/dev/null", "a device"),
        ("pipe", "a pipe (FIFO)"),
        (".", "a folder"),
    ] {
        for command in [&["check", path][..], &["run", path]] {
            let said = pliant_in(&folder, command, "").refused();
            assert!(said.contains(&format!("{path} is {kind}, not a plain file")), "{said}");
            assert!(!said.contains("0 bytes"), "{said}");
        }
    }
    // what comes through the standard input ends at the limit
    let said = pliant_in(&folder, &["check", "-"], &"#".repeat(1 << 21)).refused();
    assert!(said.contains("standard input has more than 1048576 bytes"), "{said}");
    // and a shell's own pipes are read
    let arm = "[[link]]\nname = \"a\"\nmass = 1\n";
    assert!(pliant_in(&folder, &["info", "/dev/stdin"], arm).done().contains("1 link"));
}

#[test]
fn only_a_full_disk_needs_room() {
    let folder = scratch("messages-writing");
    std::fs::write(folder.join("plain"), "").expect("written");
    let (king, swing) =
        (root().join("robots/king-two-link.toml"), root().join("scenarios/king-swing.toml"));
    let [king, swing] = [&king, &swing].map(|path| path.to_str().expect("a path"));
    let cases: [(&[&str], &str); 4] = [
        (&["run", swing, "--duration", "1 ms", "-o", "plain/out"], "where its folder should be"),
        (&["new", "two-link", "-o", "nowhere/arm.toml"], "make its folder first"),
        (
            &["linearise", king, "--points", "3", "--export", "nowhere/s.py"],
            "make its folder first",
        ),
        (&["modes", king, "--report", "plain/page.html"], "where its folder should be"),
    ];
    for (command, help) in cases {
        let run = pliant_in(&folder, command, "");
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let flat = run.stderr.replace("\n        ", " ");
        assert!(flat.contains(help) && !flat.contains("make room"), "{flat}");
    }
}

/// One of several without a name is told by its number.
#[test]
fn the_nameless_have_numbers() {
    let arm = "[[link]]\nname = \"a\"\n[[link]]\nmass = \"x\"\n[[link]]\nname = \"\"\nmass = 1\n";
    let said = pliant_in(&scratch("messages-nameless"), &["check", "-"], arm).refused();
    for wanted in [
        "link number 2: the link has no name",
        "link number 2: mass is the text \"x\"",
        "link number 3: name is empty",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let scenario = "arm = \"robots/king-two-link.toml\"\nduration = \"1 s\"\n\
        [[sensor]]\nkind = \"encoder\"\nname = \"e\"\ncoordinate = \"upper\"\nperiod = \"1 ms\"\n\
        [[sensor]]\nkind = \"encoder\"\ncoordinate = \"fore\"\nperiod = \"-1 ms\"\n\
        [[input]]\nkind = \"constant\"\nmotor = \"upper\"\nvalue = 1\n\
        [[input]]\nkind = \"constant\"\nvalue = 1\n";
    let folder = root();
    let file = scratch("messages-numbers").join("s.toml");
    let arm = folder.join("robots/king-two-link.toml");
    let text = scenario.replace("robots/king-two-link.toml", arm.to_str().expect("a path"));
    std::fs::write(&file, text).expect("written");
    let said = pliant(&["check", file.to_str().expect("a path")]).refused();
    for wanted in
        ["sensor number 2: the sensor \"encoder\" has no name", "sensor number 2: period is"]
    {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}
