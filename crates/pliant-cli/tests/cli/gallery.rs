//! `pliant gallery`: its lists, tables, pages and copies.

use super::{pliant, pliant_in, root, scratch};
use std::fs;

#[test]
fn entries_are_listed() {
    let list = pliant(&["gallery"]).done();
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
    let refused = pliant_in(&folder, &["gallery", "--from", "mine"], "").refused();
    assert!(refused.contains("king-3-2-frequencies/entry.toml"), "{refused}");
    let refused = pliant_in(&folder, &["gallery", "--from", "nowhere"], "").refused();
    assert!(refused.contains("nowhere cannot be read"), "{refused}");
    let empty = root().join("robots");
    let refused = pliant(&["gallery", "--from", empty.to_str().expect("a path")]).refused();
    assert!(refused.contains("no entry of a gallery"), "{refused}");
}
