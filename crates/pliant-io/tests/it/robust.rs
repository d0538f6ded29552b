//! What readers bear: any span, byte-order marks, escapes. What nobody would write they get from `fuzz/`.

use pliant_io::scenario::{Overrides, parse};
use pliant_io::{Source, parse_arm, parse_state};
use std::path::Path;

/// Spans may end anywhere; drawing them must not.
#[test]
fn reports_can_be_drawn_whatever_they_point_at() {
    use miette::{GraphicalReportHandler, GraphicalTheme};
    use pliant_io::{Problem, Report, codes};
    let renderer = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    for text in ["", "a", "é\nü\r\nß", "\n\n", "one\ntwo\nthree"] {
        for start in 0..=text.len() + 2 {
            for end in 0..=text.len() + 2 {
                let problem = Problem::error(&codes::SYNTAX, "odd").at(start..end).label("here");
                let report = Report::new(Source::new("a", text), vec![problem]);
                let mut drawn = String::new();
                for located in report.each() {
                    assert!(
                        renderer.render_report(&mut drawn, located).is_ok(),
                        "{text:?} {start}..{end}"
                    );
                }
                assert!(drawn.contains("odd"));
            }
        }
    }
}

/// Some editors begin files with a byte-order mark, and `json.dumps` escapes what is not ASCII.
#[test]
fn byte_order_marks_and_escapes_are_read() {
    let text = "[[link]]\nname = \"🤖é\"\njoint = \"revolute\"\nmass = 1\ncom = [1, 0, 0]\n";
    let marked = Source::new("arm.toml", format!("\u{feff}{text}"));
    assert_eq!(marked.text(), text);
    let arm = parse_arm(&marked).expect("an arm").arm;
    let state =
        Source::new("state.json", "\u{feff}{\"q\": {\"\\ud83e\\udd16\\u00e9\": \"90 deg\"}}");
    let (state, _) = parse_state(&state, &arm).expect("a state");
    assert_eq!(state.q, [std::f64::consts::FRAC_PI_2]);
    let urdf =
        parse_arm(&Source::new("arm", "\u{feff}<robot name=\"a\"><link name=\"b\"/></robot>"));
    assert_eq!(urdf.expect("a robot").arm.name(), "a");
    let links = text.replace("[[link]]", "[[arm.link]]");
    let scenario = Source::new("a.toml", format!("\u{feff}duration = 1\n{links}"));
    let overrides = Overrides::of([("tolerance", "1e-8")]);
    let setup = parse(&scenario, Path::new("."), &overrides).expect("a scenario");
    let head = "# With --tolerance.\nduration = 1\ntolerance = 1e-8\n";
    assert!(setup.text.starts_with(head), "{}", setup.text);
}
