//! `pliant gallery`: its lists, tables, pages and copies.

use super::{pliant, pliant_in, root, scratch};
use std::fs;

#[test]
fn entries_are_listed() {
    let listed = pliant(&["gallery"]);
    assert!(listed.stderr.starts_with("pliant gallery NAME computes one, "), "{}", listed.stderr);
    let list = listed.done();
    assert!(list.starts_with("  entry"), "{list}");
    for words in ["akmehmet-5-3-feedback", "Akmehmet", "Table 5.3", "king-3-2-frequencies"] {
        assert!(list.contains(words), "{list}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&pliant(&["gallery", "--format", "json"]).done()).expect("JSON");
    let all = json.as_array().expect("a list");
    assert_eq!(all.len() + 1, list.lines().count());
    let quick = pliant(&["gallery", "--quick"]).done();
    assert!(
        quick.lines().count() < list.lines().count() && quick.contains("akmehmet-5-3-feedback")
    );
}

#[test]
fn a_name_that_is_none_gets_the_nearest() {
    let refused = pliant(&["gallery", "akmehmet-5-3-feedbak"]).refused();
    assert!(refused.contains("no entry \"akmehmet-5-3-feedbak\""), "{refused}");
    assert!(refused.contains("did you mean akmehmet-5-3-feedback?"), "{refused}");
    let refused = pliant(&["gallery", "xyzzy"]).refused();
    assert!(refused.contains("pliant gallery lists them"), "{refused}");
    let refused = pliant(&["gallery", "akmet"]).refused();
    assert!(refused.contains("did you mean akmehmet?"), "{refused}");
}

/// A document and the beginning of names stand for several entries, of which a copy has one.
#[test]
fn a_name_can_stand_for_several_entries() {
    let rows = pliant(&["gallery", "king-2-8", "--format", "json"]).done();
    assert!(rows.contains("\"id\":\"king-2-8-counts\""), "{rows}");
    let refused = pliant(&["gallery", "king", "--copy", "mine"]).refused();
    assert!(refused.contains("king stands for") && refused.contains("king-4-1-arm"), "{refused}");
    let refused = pliant(&["gallery", "king-4-1-arm", "--quick"]).refused();
    assert!(refused.contains("no entry of king-4-1-arm is quick"), "{refused}");
    let folder = scratch("gallery-several");
    for entry in ["king-2-8-counts", "king-4-1-arm", "beyond-buckling"] {
        let mine = format!("mine/{entry}");
        fs::create_dir_all(folder.join("mine")).expect("a folder");
        pliant_in(&folder, &["gallery", entry, "--copy", &mine], "").done();
    }
    let found = pliant_in(&folder, &["gallery", "king", "--from", "mine"], "");
    let note = found.stderr.clone();
    let table = found.done();
    assert!(table.contains("king-2-8-counts") && table.contains("king-4-1-arm"), "{table}");
    assert!(!table.contains("beyond-buckling"), "{table}");
    assert!(note.contains("pliant gallery NAME prints those of one entry"), "{note}");
}

/// An entry whose run finds a fault is left out with its reason, and the others are there.
#[test]
fn a_fault_leaves_the_other_entries() {
    let folder = scratch("gallery-fault");
    fs::create_dir(folder.join("mine")).expect("a folder");
    let entries = ["king-2-8-counts", "king-3-2-frequencies", "king-4-1-arm", "beyond-buckling"];
    for entry in entries {
        let mine = format!("mine/{entry}");
        pliant_in(&folder, &["gallery", entry, "--copy", &mine], "").done();
    }
    for (entry, old, new) in [
        ("king-3-2-frequencies", "kind = \"frequency\"", "kind = \"frequency\"\nnumber = 400"),
        ("beyond-buckling", "\nnumber = 1\n", "\nnumber = 300\n"),
    ] {
        let file = folder.join("mine").join(entry).join("entry.toml");
        let text = fs::read_to_string(&file).expect("an entry");
        assert!(text.contains(old), "{entry}");
        fs::write(&file, text.replacen(old, new, 1)).expect("written");
    }
    let run = pliant_in(&folder, &["gallery", "--all", "--from", "mine", "--out", "pages"], "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for words in ["no number 400 of", "no number 300 of", "wrote pages/index.html"] {
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    let missing = "not computed: king-3-2-frequencies, beyond-buckling";
    assert!(run.stdout.contains(missing), "{}", run.stdout);
    let read = |name: &str| fs::read_to_string(folder.join("pages").join(name)).expect("a page");
    assert!(read("index.html").contains("2 entries are not computed"));
    let king = read("king.html");
    assert!(king.contains("id=\"king-4-1-arm\"") && king.contains("no number 400 of"));
    assert!(king.ends_with("</html>\n") && read("beyond.html").contains("no number 300 of"));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&read("gallery.json")).expect("JSON");
    let of = |id: &str| rows.iter().filter(|row| row["id"] == id).count();
    let counts = entries.map(of);
    assert!(counts[0] > 0 && counts[2] > 0 && counts[1] + counts[3] == 0, "{counts:?}");
    // where nothing is complete nothing is written
    let arguments = ["gallery", "beyond-buckling", "--from", "mine", "--out", "none"];
    let refused = pliant_in(&folder, &arguments, "").refused();
    assert!(refused.contains("no number 300 of"), "{refused}");
    assert!(!folder.join("none").exists());
}

/// An entry whose file cannot be read is told and named as missing, and the others are there.
#[test]
fn an_unreadable_entry_leaves_the_others() {
    let folder = scratch("gallery-unread");
    fs::create_dir(folder.join("mine")).expect("a folder");
    for entry in ["king-2-8-counts", "king-4-1-arm", "beyond-buckling"] {
        let mine = format!("mine/{entry}");
        pliant_in(&folder, &["gallery", entry, "--copy", &mine], "").done();
    }
    let file = folder.join("mine/king-4-1-arm/entry.toml");
    let text = fs::read_to_string(&file).expect("an entry");
    fs::write(&file, text.replacen("title =", "titel =", 1)).expect("written");
    fs::write(folder.join("mine/beyond-buckling/entry.toml"), "document = [\n").expect("written");
    let run = pliant_in(&folder, &["gallery", "--all", "--from", "mine", "--out", "pages"], "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for words in ["did you mean title?", "beyond-buckling/entry.toml", "wrote pages/index.html"] {
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    let missing = "not computed: beyond-buckling, king-4-1-arm";
    assert!(run.stdout.contains(missing), "{}", run.stdout);
    let read = |name: &str| fs::read_to_string(folder.join("pages").join(name)).expect("a page");
    let (index, king) = (read("index.html"), read("king.html"));
    // whose document is not known
    assert!(
        index.contains("href=\"#beyond-buckling\"") && index.contains("id=\"beyond-buckling\"")
    );
    assert!(index.contains("href=\"king.html#king-4-1-arm\"") && king.contains("Not computed: "));
    assert!(king.contains("id=\"king-2-8-counts\""));
    // by the beginning of its name, and not where others are meant
    let run = pliant_in(&folder, &["gallery", "king", "--from", "mine"], "");
    assert!(run.code == Some(1) && run.stdout.contains("king-4-1-arm"), "{}", run.stdout);
    assert!(!run.stderr.contains("beyond-buckling"), "{}", run.stderr);
    pliant_in(&folder, &["gallery", "king-2", "--from", "mine"], "").done();
}

/// Options that say two things are refused, and so is what would do nothing.
#[test]
fn options_of_the_gallery_are_not_ignored() {
    let folder = scratch("gallery-options");
    let refused = pliant_in(&folder, &["gallery", "--all", "--copy", "mine"], "").refused();
    assert!(refused.contains("--copy") && refused.contains("--all"), "{refused}");
    pliant_in(&folder, &["gallery", "king-4-1-arm", "--copy", "mine"], "").done();
    for further in [&["--all"][..], &["--all", "--format", "json"], &[]] {
        let arguments = [&["gallery", "--quick", "--from", "mine"], further].concat();
        let refused = pliant_in(&folder, &arguments, "").refused();
        assert!(refused.contains("no entry of mine is quick"), "{refused}");
    }
}

/// Pages of documents that a gallery no longer has are none of it.
#[test]
fn forced_pages_leave_no_others() {
    let folder = scratch("gallery-stale");
    let pages = |name: &str| {
        pliant_in(&folder, &["gallery", name, "--out", "pages", "--force"], "").done();
    };
    pages("king-2-8-counts");
    fs::write(folder.join("pages/akmehmet.html"), "mine").expect("written");
    pages("beyond-buckling");
    let is_there = |name: &str| folder.join("pages").join(name).exists();
    assert!(is_there("beyond.html") && !is_there("king.html"));
    assert!(is_there("akmehmet.html"), "what is no page of pliant stays");
}

/// Whoever interrupts it keeps the entries that are complete.
#[cfg(unix)]
#[test]
fn what_is_computed_is_kept_by_who_interrupts() {
    use std::io::BufRead as _;
    let folder = scratch("gallery-interrupted");
    fs::create_dir(folder.join("mine")).expect("a folder");
    for entry in ["king-2-8-counts", "king-2-7-swing"] {
        let mine = format!("mine/{entry}");
        pliant_in(&folder, &["gallery", entry, "--copy", &mine], "").done();
    }
    // the later one of its document, and without an end
    fs::rename(folder.join("mine/king-2-7-swing"), folder.join("mine/long")).expect("renamed");
    let file = folder.join("mine/long/swing.toml");
    let text = fs::read_to_string(&file).expect("a scenario");
    let lines = text.lines().map(|line| match line.split(" = ").next() {
        Some("duration") => "duration = \"100000 s\"".to_owned(),
        Some("every") => "every = \"1000 s\"".to_owned(),
        _ => line.to_owned(),
    });
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).expect("written");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["gallery", "--all", "--from", "mine", "--out", "pages"])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("pliant runs");
    // told once it takes longer than two seconds
    let mut lines = std::io::BufReader::new(child.stderr.take().expect("piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("long: entry 2 of 2, "), "{first}");
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(sent.success());
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{rest:?}");
    let last = rest.last().expect("a line");
    assert_eq!(last, "interrupted at long; 1 of 2 entries are complete and written");
    let read = |name: &str| fs::read_to_string(folder.join("pages").join(name)).expect("a page");
    assert!(read("king.html").contains("Not computed: interrupted"));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&read("gallery.json")).expect("JSON");
    assert!(!rows.is_empty() && rows.iter().all(|row| row["id"] == "king-2-8-counts"));
}

/// Every number with its unit, the reasons below.
#[test]
fn an_entry_is_a_table() {
    let table = pliant(&["gallery", "king-3-2-frequencies"]).done();
    for words in ["quantity", "printed", "ours", "difference", "verdict", "why"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let row = table.lines().find(|line| line.contains("payload 0.20 kg") && line.contains("1.33"));
    let row = row.expect("a row of Table 3.2");
    assert!(row.contains("Hz") && row.contains("reproduced"), "{row}");
    assert!(table.contains("[1] "), "{table}");
    // its clamped-free shapes carry a link, of which pliant warns
    let warned = table.split("\npliant warns:\n").nth(1).expect("warnings");
    assert!(warned.contains("link \"upper\": ") && warned.contains("(all rows)"), "{warned}");
    let last = table.lines().last().expect("a line");
    assert!(last.contains("rows") && last.contains("reproduced"), "{last}");
}

/// Files that are there stay, unless somebody insists.
#[test]
fn pages_are_written_and_not_replaced_unasked() {
    let folder = scratch("gallery-pages");
    let arguments = ["gallery", "king-3-2-frequencies", "--out", "pages"];
    let printed = pliant_in(&folder, &arguments, "").done();
    assert!(printed.contains("Table 3.2"), "{printed}");
    let read = |name: &str| fs::read_to_string(folder.join("pages").join(name)).expect("a page");
    let (index, page, json) = (read("index.html"), read("king.html"), read("gallery.json"));
    assert!(index.contains("href=\"king.html#king-3-2-frequencies\""), "{index}");
    for words in ["<svg ", "role=\"img\"", "Table 3.2", "reproduced", "Source: computed by pliant"]
    {
        assert!(page.contains(words), "{words}");
    }
    // nothing that a page without a network would lack
    for page in [&index, &page] {
        let links = page.split("href=\"").skip(1).chain(page.split("src=\"").skip(1));
        for link in links {
            assert!(!link.starts_with("http") && !link.starts_with("//"), "{link:.40}");
        }
        assert!(!page.contains("<script") && !page.contains("@import"));
    }
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert!(rows.iter().all(|row| row["id"] == "king-3-2-frequencies"));
    let refused = pliant_in(&folder, &arguments, "").refused();
    assert!(refused.contains("gallery.json") && refused.contains("--force"), "{refused}");
    pliant_in(&folder, &["gallery", "king-3-2-frequencies", "--out", "pages", "--force"], "")
        .done();
    // what cannot be written is told before anything is computed
    fs::write(folder.join("file"), "").expect("written");
    for (place, words) in
        [("file", "is no folder"), ("nowhere/pages", "cannot be written"), ("-", "needs a folder")]
    {
        let arguments = ["gallery", "akmehmet-5-4-six-joints", "--out", place];
        let start = std::time::Instant::now();
        let refused = pliant_in(&folder, &arguments, "").refused();
        assert!(refused.contains(words), "{place}: {refused}");
        assert!(start.elapsed().as_secs_f64() < 5.0, "{place}");
    }
    assert!(!folder.join("-").exists() && !folder.join("nowhere").exists());
}

/// A copy gives the rows of the entry, until it is changed; a broken one tells its line.
#[test]
fn copies_are_computed() {
    let folder = scratch("gallery-copies");
    fs::create_dir(folder.join("mine")).expect("a folder");
    let copied = pliant_in(
        &folder,
        &["gallery", "king-3-2-frequencies", "--copy", "mine/king-3-2-frequencies"],
        "",
    );
    assert!(copied.done().contains("entry.toml"));
    let rows = |from: &[&str]| {
        let arguments = [&["gallery", "--format", "json"], from].concat();
        pliant_in(&folder, &arguments, "").done()
    };
    let before = rows(&["king-3-2-frequencies"]);
    assert_eq!(rows(&["--from", "mine/king-3-2-frequencies"]), before);
    assert_eq!(rows(&["king-3-2-frequencies", "--from", "mine"]), before);
    let arm = folder.join("mine/king-3-2-frequencies/arm.toml");
    let text = fs::read_to_string(&arm).expect("an arm");
    fs::write(&arm, text.replace("mass = \"0.384 kg\"", "mass = \"0.388 kg\"")).expect("written");
    assert_ne!(rows(&["king-3-2-frequencies", "--from", "mine"]), before);
    let text = fs::read_to_string(&arm).expect("an arm");
    fs::write(&arm, text.replace("length =", "lenght =")).expect("written");
    let refused = pliant_in(&folder, &["gallery", "king-3-2-frequencies", "--from", "mine"], "");
    let refused = refused.refused();
    assert!(refused.contains("arm.toml:") && refused.contains("did you mean length"), "{refused}");
    // others hear of it only where they are meant
    pliant_in(&folder, &["gallery", "king-4-1-arm", "--copy", "mine/king-4-1-arm"], "").done();
    fs::write(folder.join("mine/king-3-2-frequencies/entry.toml"), "document = 1\n")
        .expect("written");
    let other = pliant_in(&folder, &["gallery", "king-4-1-arm", "--from", "mine"], "").done();
    assert!(other.contains("Table 4.1"), "{other}");
    let listed = pliant_in(&folder, &["gallery", "--from", "mine"], "");
    assert!(listed.stderr.contains("king-3-2-frequencies/entry.toml"), "{}", listed.stderr);
    assert!(listed.code == Some(1) && listed.stdout.contains("king-4-1-arm"), "{}", listed.stdout);
    let refused = pliant_in(&folder, &["gallery", "--from", "nowhere"], "").refused();
    assert!(refused.contains("nowhere cannot be read"), "{refused}");
    let empty = root().join("robots");
    let refused = pliant(&["gallery", "--from", empty.to_str().expect("a path")]).refused();
    assert!(refused.contains("no entry of a gallery"), "{refused}");
}
