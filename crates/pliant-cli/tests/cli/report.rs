//! `pliant report`, and the pages that other commands write.

use super::run::with_pendulum;
use super::{pliant, pliant_in, scratch};

#[test]
fn a_run_leaves_its_page_unless_told_not_to() {
    let folder = with_pendulum("report");
    let told = pliant_in(&folder, &["run", "swing.toml"], "").done();
    assert!(told.contains("summary.json, report.html"), "{told}");
    let page = folder.join("swing-run/report.html");
    let first = std::fs::read(&page).expect("a page");
    // the same page again, and it is replaced with the results
    let again = pliant_in(&folder, &["report", "swing-run"], "").done();
    assert!(again.starts_with("swing-run/report.html ("), "{again}");
    assert!(first == std::fs::read(&page).expect("a page"), "the pages differ");
    // one that somebody has changed stays
    let mut changed = first.clone();
    changed.extend(b"<!-- checked -->");
    std::fs::write(&page, &changed).expect("written");
    let refused = pliant_in(&folder, &["report", "swing-run"], "").refused();
    assert!(refused.contains("swing-run/report.html exists already"), "{refused}");
    assert!(changed == std::fs::read(&page).expect("a page"));
    let printed = pliant_in(&folder, &["report", "swing-run", "-o", "-"], "").done();
    assert!(first == printed.as_bytes(), "the printed page differs");
    let again = pliant_in(&folder, &["report", "swing-run", "--force"], "").done();
    assert!(again.starts_with("swing-run/report.html ("), "{again}");
    assert!(first == std::fs::read(&page).expect("a page"), "the pages differ");
    pliant_in(&folder, &["run", "swing.toml", "--force", "--no-report", "-q"], "").done();
    assert!(!page.exists(), "the old page is there");
}

/// A page of another run is not taken for one of this run.
#[test]
fn the_page_of_another_run_stays() {
    let folder = with_pendulum("report-other");
    for (name, duration) in [("one", "0.1 s"), ("two", "0.2 s")] {
        let arguments = ["run", "swing.toml", "--duration", duration, "-o", name, "-q"];
        pliant_in(&folder, &arguments, "").done();
    }
    let page = |name: &str| folder.join(name).join("report.html");
    std::fs::copy(page("two"), page("one")).expect("copied");
    let refused = pliant_in(&folder, &["report", "one"], "").refused();
    assert!(refused.contains("one/report.html exists already"), "{refused}");
    pliant_in(&folder, &["report", "two"], "").done();
}

/// What is no page is not replaced by one, even with --force.
#[test]
fn a_page_replaces_pages_only() {
    let folder = with_pendulum("report-force");
    pliant_in(&folder, &["run", "swing.toml", "-q"], "").done();
    for input in ["swing-run/result.parquet", "swing-run/summary.json", "swing.toml"] {
        let before = std::fs::read(folder.join(input)).expect("an input");
        let arguments = ["report", "swing-run", "--force", "-o", input];
        let refused = pliant_in(&folder, &arguments, "").refused();
        assert!(refused.contains(&format!("{input} is no page")), "{refused}");
        assert!(before == std::fs::read(folder.join(input)).expect("an input"), "{input}");
    }
    std::fs::write(folder.join("page.html"), "\n<!DOCTYPE HTML><p>").expect("written");
    pliant_in(&folder, &["report", "swing-run", "--force", "-o", "page.html"], "").done();
}

#[test]
fn several_runs_share_a_page() {
    let folder = with_pendulum("report-two");
    for name in ["one", "two"] {
        pliant_in(&folder, &["run", "swing.toml", "-o", name, "--no-report", "-q"], "").done();
    }
    let arguments = ["report", "one", "two", "-o", "both.html", "-q"];
    // results are told where notes are not
    let told = pliant_in(&folder, &arguments, "");
    assert_eq!(told.stderr, "");
    assert!(told.done().starts_with("both.html ("));
    let page = std::fs::read_to_string(folder.join("both.html")).expect("a page");
    assert!(page.contains("\"name\":\"one\"") && page.contains("\"name\":\"two\""));
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = scratch("report-bad");
    let refused = pliant_in(&folder, &["report", "nothing"], "").refused();
    assert!(refused.contains("nothing cannot be read") && refused.contains("help:"), "{refused}");
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    let refused = pliant_in(&folder, &["report", "empty"], "").refused();
    assert!(refused.contains("holds neither result.parquet nor part files"), "{refused}");
    let missing = pliant_in(&folder, &["report"], "");
    assert_eq!(missing.code, Some(1));
}

#[test]
fn modes_have_a_page() {
    let folder = scratch("report-modes");
    let page = folder.join("modes.html");
    let path = page.to_string_lossy().into_owned();
    let run = pliant(&["modes", "robots/king-two-link.toml", "--count", "3", "--report", &path]);
    assert!(run.stderr.contains("wrote "), "{}", run.stderr);
    assert!(run.done().contains("king-two-link: "));
    let page = std::fs::read_to_string(page).expect("a page");
    assert_eq!(page.matches("\"hertz\":").count(), 3);
    let nowhere = folder.join("no/such/modes.html").to_string_lossy().into_owned();
    let arguments =
        ["modes", "robots/king-two-link.toml", "--report", &nowhere, "--no-convergence"];
    let refused = pliant(&arguments).refused();
    assert!(refused.contains("cannot be written"), "{refused}");
    let arguments = ["modes", "robots/king-two-link.toml", "--report", "-"];
    let refused = pliant(&arguments).refused();
    assert!(refused.contains("needs a file"), "{refused}");
}
