//! `pliant explain`, `pliant schema`, `pliant completions`.

use super::pliant;

#[test]
fn codes_have_pages() {
    let list = pliant(&["explain"]).done();
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 30);
    for name in names {
        let page = pliant(&["explain", name]).done();
        assert!(page.starts_with(name) && page.lines().count() >= 3, "{page}");
    }
    let short = pliant(&["explain", "unknown-parent"]).done();
    assert!(short.starts_with("pliant::arm::unknown-parent: "));
    let refused = pliant(&["explain", "pliant::arm::unknown-parents"]).refused();
    assert!(refused.contains("did you mean pliant::arm::unknown-parent?"), "{refused}");
    assert!(pliant(&["explain", "xyz"]).refused().contains("lists all codes"));
    assert!(pliant(&["explain", "--help"]).done().contains("Examples:"));
}

#[test]
fn all_keys_are_explained() {
    let page = pliant(&["explain", "keys"]).done();
    for table in ["## Arm files", "## Scenario files", "## States", "### a joint"] {
        assert!(page.contains(table), "{table}");
    }
    let link = pliant(&["explain", "keys", "link"]).done();
    assert!(link.starts_with("### a link\n") && page.contains(&link), "{link}");
    assert!(pliant(&["explain", "keys", "joit"]).refused().contains("did you mean joint?"));
    let refused = pliant(&["explain", "unknown-parent", "link"]).refused();
    assert!(refused.contains("pliant explain keys SECTION"), "{refused}");
}

#[test]
fn the_schema_is_json() {
    let schema: serde_json::Value =
        serde_json::from_str(&pliant(&["schema"]).done()).expect("JSON");
    assert_eq!(schema["title"], "pliant arm");
    assert!(schema["$defs"]["link"]["properties"]["joint"].is_object());
    assert!(pliant(&["schema", "--help"]).done().contains("Examples:"));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = pliant(&["completions", shell]).done();
        assert!(script.contains("dynamics") && script.contains("explain"), "{shell}");
    }
    assert!(pliant(&["completions", "--help"]).done().contains("Examples:"));
}

#[test]
fn help_teaches() {
    let help = pliant(&["--help"]).done();
    for command in
        ["new", "check", "info", "dynamics", "convert", "explain", "schema", "completions"]
    {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in\n{help}");
    }
    assert!(help.contains("Examples:") && help.contains("Exit code:"));
    let refused = pliant(&["dynamic", "arm.toml"]).refused();
    assert!(refused.contains("dynamics"), "{refused}");
    assert!(pliant(&[]).refused().contains("Usage:"));
}
