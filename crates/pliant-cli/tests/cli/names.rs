//! Names of files never become code, formulas, markup, paths or commands to a terminal.

use super::{Run, pliant, pliant_in, root, scratch};
use pliant::name::is_printable;
use pliant::simulate::Channel;
use pliant_io::escape::from_csv_text;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the folder of attacks.
fn attack(name: &str) -> String {
    let file = root().join("crates/pliant-cli/tests/attack").join(name);
    file.to_str().expect("a path").to_owned()
}

/// All that a terminal gets is printable.
#[track_caller]
fn clean(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let hidden = text.chars().find(|c| !is_printable(*c) && *c != '\n');
        assert_eq!(hidden, None, "{text:?}");
    }
}

/// Runs a script with stand-ins for the packages it imports, and gives what it printed; nothing
/// where there is no Python.
fn python(folder: &Path, script: &str) -> Option<String> {
    let python = std::env::var("PLIANT_PYTHON").unwrap_or_else(|_| "python3".into());
    std::fs::write(folder.join("control.py"), "def ss(*all, **names):\n    return names\n")
        .expect("written");
    let array = "class array:\n    def __init__(self, rows): pass\n    def reshape(self, *all): return self\n";
    std::fs::write(folder.join("numpy.py"), array).expect("written");
    let output = Command::new(python).args(["-c", script]).current_dir(folder).output();
    let Ok(output) = output else {
        // not by the macros: what they print is hidden when a test passes
        writeln!(std::io::stderr(), "names: skipped: no python3").expect("a place to write");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// An arm's name that ran a shell command is a text, from either format.
#[test]
fn a_name_runs_nothing_in_python() {
    const NAME: &str = "x\"\"\";__import__(\"os\").system(\"echo PWNED\");\"\"\"";
    for (file, joint) in [
        ("python-code.toml", "a\");print(\"PWNED\");(\""),
        ("python-code.urdf", "j\");print(\"PWNED\");(\""),
    ] {
        let folder = scratch(&format!("names-{file}"));
        pliant_in(&folder, &["linearise", &attack(file), "--export", "s.py"], "").done();
        let script = "import json, s\nprint(json.dumps([s.arm, s.states, s.system['inputs']]))";
        let Some(printed) = python(&folder, script) else { return };
        let told: serde_json::Value = serde_json::from_str(&printed).expect("only the list");
        assert_eq!(told[0], NAME);
        assert_eq!(told[1], serde_json::json!([joint, format!("{joint}_rate")]));
        assert_eq!(told[2], serde_json::json!([format!("{joint}_force")]));
    }
}

#[test]
fn hidden_letters_are_refused_with_the_nearest_name() {
    let run = pliant(&["linearise", &attack("hidden-letters.toml")]);
    clean(&run);
    let said = run.refused();
    assert!(said.contains("a\\u{202e}\\u{1}") && said.contains("U+202E"), "{said}");
    assert!(said.contains("call it \"a\"") && said.contains("pliant::arm::bad-name"), "{said}");
}

/// URDFs are of others, so their names are mended, each in its own way.
#[test]
fn names_of_a_urdf_are_replaced() {
    let file = attack("hidden-letters.urdf");
    let run = pliant(&["info", &file, "--format", "json"]);
    clean(&run);
    for said in [
        "robot \"x\\u{202e}\" is called \"x\" here",
        "link \"../base\" is called \".._base\" here",
        "link \"a\\u{202e}\" is called \"a_2\" here",
        "joint \"j\\t1\" is called \"j 1_2\" here",
    ] {
        let flat = run.stderr.replace("\n  │ ", " ");
        assert!(flat.contains(said), "{said}: {flat}");
    }
    let about: serde_json::Value = serde_json::from_str(&run.done()).expect("JSON");
    assert_eq!(about["name"], "x");
    let links = about["links"].as_array().expect("links").iter();
    let names: Vec<&str> = links.map(|link| link["name"].as_str().expect("a name")).collect();
    assert_eq!(names, [".._base", "a_2", "a"]);
    // an arm file of it keeps the rule
    let folder = scratch("names-convert");
    pliant_in(&folder, &["-q", "convert", &file, "-o", "arm.toml"], "").done();
    pliant_in(&folder, &["check", "arm.toml"], "").done();
}

#[test]
fn forbidden_names_are_refused_and_shown_as_escapes() {
    let file = attack("forbidden-names.toml");
    for command in [&["check", &*file][..], &["run", &file, "--csv", "--npz"]] {
        let run = pliant_in(&scratch("names-forbidden"), command, "");
        clean(&run);
        let said = run.refused();
        assert!(said.contains("4 errors") && said.contains("\\u{1b}"), "{said}");
        assert!(said.contains("call it \"+1,\\\"b\\\" <svg onload=alert(3)>\""), "{said}");
    }
}

/// Names that keep the rule reach every form of the results as texts.
#[test]
fn hostile_names_stay_texts_in_results() {
    let folder = scratch("names-hostile");
    let file = attack("hostile-names.toml");
    let run = pliant_in(&folder, &["run", &file, "-o", "out", "--csv", "--npz"], "");
    clean(&run);
    run.done();
    let out: PathBuf = folder.join("out");
    let results = pliant_io::results::Reader::open(&out).expect("results");
    let columns: Vec<String> = results.channels().iter().map(Channel::column).collect();
    assert!(columns.iter().any(|column| column.starts_with("=cmd|")));

    let text = std::fs::read_to_string(out.join("result.csv")).expect("a table");
    let cells = fields(text.lines().next().expect("a head"));
    assert!(cells.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{cells:?}");
    let back: Vec<&str> = cells.iter().map(|cell| from_csv_text(cell)).collect();
    assert_eq!(back, columns);

    let page = std::fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"));
    let told = page.split_once("id=\"told\">").expect("the element").1;
    let told = told.split_once("</script>").expect("its end").0;
    let told: serde_json::Value = serde_json::from_str(told).expect("JSON");
    assert!(told.to_string().contains("</script><script>alert(1)</script>&"));

    let archive = std::fs::read(out.join("result.npz")).expect("an archive");
    let names = entries(&archive);
    assert_eq!(names.len(), columns.len());
    for name in &names {
        assert!(
            !name.starts_with("C:") && !name.starts_with('/') && !name.contains("../"),
            "{name}"
        );
    }
    assert!(names.iter().any(|name| name == "C_.._x [rad].npy"), "{names:?}");

    let svg = ["-q", "plot", "out", "-o", "plot.svg"];
    pliant_in(&folder, &svg, "").done();
    let svg = std::fs::read_to_string(folder.join("plot.svg")).expect("a drawing");
    let drawing = roxmltree::Document::parse(&svg).expect("XML");
    let is_plain = |node: roxmltree::Node<'_, '_>| !node.has_tag_name("script");
    assert!(drawing.descendants().all(is_plain));
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        let field = fields.last_mut().expect("there is one");
        match sign {
            '"' if is_quoted && signs.peek() == Some(&'"') => {
                field.push('"');
                signs.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            sign => field.push(sign),
        }
    }
    fields
}

/// The names in the directory at the end of a zip archive.
fn entries(archive: &[u8]) -> Vec<String> {
    let mark = b"PK\x01\x02";
    let at = (0..archive.len()).filter(|&at| archive[at..].starts_with(mark));
    at.map(|at| {
        let length = usize::from(u16::from_le_bytes([archive[at + 28], archive[at + 29]]));
        String::from_utf8_lossy(&archive[at + 46..at + 46 + length]).into_owned()
    })
    .collect()
}

/// Whatever a file has in it, and whatever it is called, a terminal stays as it is.
#[test]
fn excerpts_and_file_names_are_shown_as_escapes() {
    let folder = scratch("names-terminal");
    let file = "bell\u{7}\u{202e}.toml";
    let text =
        "name = \"x\" # \u{1b}[31m red \u{202e} back\n[[link]]\nname = 1\nmas\u{200b}s = 2\n";
    std::fs::write(folder.join(file), text).expect("written");
    for command in
        [&["check", file][..], &["info", file], &["run", file], &["check", "no\u{1b}file"]]
    {
        let run = pliant_in(&folder, command, "");
        clean(&run);
        assert!(run.refused().contains("\\u{"), "{command:?}");
    }
}

/// The name of the time is told where files are checked, in arms, URDFs and scenarios.
#[test]
fn the_name_of_the_time_is_refused_before_a_run() {
    let folder = scratch("names-time");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let bob = |name: &str| {
        format!(
            "[[link]]\nname = \"{name}\"\njoint = \"revolute\"\nbody = {{ mass = 1, com = [1, 0, 0] }}\n"
        )
    };
    write("arm.toml", &bob("t"));
    write("good.toml", &bob("bob"));
    write("swing.toml", "arm = \"arm.toml\"\nduration = \"0.1 s\"\n");
    let sensor =
        "[[sensor]]\nname = \"t\"\nkind = \"encoder\"\ncoordinate = \"bob\"\nperiod = \"1 ms\"\n";
    write("sensed.toml", &format!("arm = \"good.toml\"\nduration = \"0.1 s\"\n{sensor}"));
    for arguments in [
        ["check", "arm.toml"],
        ["check", "swing.toml"],
        ["run", "swing.toml"],
        ["check", "sensed.toml"],
        ["run", "sensed.toml"],
    ] {
        let said = pliant_in(&folder, &arguments, "").refused();
        assert!(said.contains("that of the time"), "{arguments:?}: {said}");
        assert!(said.contains("call it \"t_\""), "{arguments:?}: {said}");
    }
    // links whose channels have one name
    write("two.toml", &(bob("a") + &bob("a.rate")));
    write("both.toml", "arm = \"two.toml\"\nduration = \"0.1 s\"\n");
    for command in ["check", "run"] {
        let said = pliant_in(&folder, &[command, "both.toml"], "").refused();
        assert!(said.contains("two channels are called \"a.rate\""), "{said}");
    }
}

/// Whatever a path holds, a terminal gets one line of it.
#[cfg(unix)]
#[test]
fn paths_are_shown_on_one_line() {
    const NAME: &str = "a\nerror: all is lost\u{1b}[31m\u{202e}";
    let folder = scratch("names-paths");
    let arm = format!("{NAME}.toml");
    let text = std::fs::read_to_string(root().join("robots/king-two-link.toml")).expect("an arm");
    std::fs::write(folder.join(&arm), &text).expect("written");
    let swing = format!("arm = {}\nduration = \"0.01 s\"\n", serde_json::Value::from(arm.as_str()));
    let scenario = format!("{NAME} swing.toml");
    std::fs::write(folder.join(&scenario), swing).expect("written");
    let missing = format!("{NAME} missing");
    let run = format!("{NAME} swing-run");
    for arguments in [
        &["check", &arm][..],
        &["check", &missing],
        &["info", &missing],
        &["run", &missing],
        &["run", &scenario],
        &["run", &scenario],
        &["run", "--continue", &missing],
        &["report", &run, "-o", "-q.html"],
        &["report", &missing],
        &["report", &run, "-o", &arm, "--force"],
        &["plot", &run, "-o", &format!("{NAME}.svg")],
        &["plot", &run, "-o", &missing],
        &["new", "scara", "-o", &format!("{NAME} new.toml")],
        &["new", "scara", "-o", &format!("{NAME} new.toml")],
        &["new", "motion", "--arm", &scenario, "-o", "m.toml"],
        &["convert", &arm],
        &["linearise", &arm, "--export", &missing],
        &["modes", &arm, "--no-convergence", "--report", &format!("{NAME}.html")],
    ] {
        let said = pliant_in(&folder, arguments, "");
        clean(&said);
        for text in [&said.stdout, &said.stderr] {
            let forged = text.lines().find(|line| line.starts_with("error: all is lost"));
            assert_eq!(forged, None, "{arguments:?}: {text}");
        }
    }
}
