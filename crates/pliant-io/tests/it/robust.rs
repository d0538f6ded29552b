//! Whatever a file says, pliant answers: no panic, no endless message.

use crate::files;
use pliant_io::scenario::{Overrides, parse};
use pliant_io::{Source, parse_arm, parse_state};
use std::path::Path;

/// Numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// What is put into files to break them.
const PIECES: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'",
    "=",
    ",",
    ".",
    "#",
    "\n",
    "nan",
    "-inf",
    "1e308",
    "-1",
    "0",
    "true",
    "[[link]]\n",
    "name = \"upper\"\n",
    "mass = ",
    "\"3 kg\"",
    "\"\"",
    "é",
    "\u{0}",
    "\t",
    "\\u0000",
    "kind = \"free\"",
    "kind = \"universal\"",
    "axes = [\"x\", \"x\"]",
    "dh = {}",
    "limits = []",
    "rest = [1]",
    "spring = [1, 2, 3, 4, 5, 6]",
    "1979-05-27",
    "999999999999999999999",
    "0x10",
    "“60 mm”",
    "0.1 0",
    ".6",
    "\"0,5 m\"",
    "\\",
    "\r",
    "length = 1\n",
    "at = 0.5\n",
    "section = { kind = \"i\", height = 1, width = 1, web = 1, flange = 0.5 }\n",
    "section = { kind = \"given\", rhoA = 1e-300, EIy = 1e300, EIz = 1e300, GJ = 1 }\n",
    "material = { layup = [] }\n",
    "material = \"steel\"\n",
    "stations = [{ at = 0, section = { kind = \"round\", radius = 1 } }]\n",
    "bends = { y = 9, z = 9, twist = 9, stretch = 9 }\n",
    "bends = { y = true, shapes = \"elements\", elements = 3, segments = 3 }\n",
    "bends = { y = 1, shapes = \"eigenmodes\", elements = 3, hinge = { y = 0 }, shear = true }\n",
    "bends = { z = 3, shapes = \"clamped-mass\", load = { mass = 1e300 } }\n",
    "bends = { y = 1, combinations = [[0]], damping = { ratios = [] } }\n",
    "rigid = { root = 0.5, tip = 0.5 }\n",
    "root = { rpy = [1, 1, 1] }\n",
];

fn broken(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(characters.len());
        match random.below(4) {
            0 => {
                let end = (at + 1 + random.below(30)).min(characters.len());
                characters.drain(at..end);
            }
            1 => {
                let end = (at + random.below(80)).min(characters.len());
                let copy: Vec<char> = characters[at..end].to_vec();
                let to = random.below(characters.len());
                characters.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                let end = (at + random.below(12)).min(characters.len());
                characters.splice(at..end, piece.chars());
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn broken_arms_never_panic() {
    break_arms(60);
}

#[test]
#[ignore = "long: 400 of each file instead of 60"]
fn many_broken_arms_never_panic() {
    break_arms(400);
}

/// Breaks each ready file so many times.
fn break_arms(count: usize) {
    let mut random = Random(7);
    let (mut refused, mut accepted) = (0, 0);
    for folder in ["robots", "crates/pliant-cli/templates"] {
        for path in files::listed(folder, &["toml"]).expect("a folder") {
            let text = std::fs::read_to_string(path).expect("readable");
            for _ in 0..count {
                match parse_arm(&Source::new("broken.toml", broken(&text, &mut random))) {
                    Ok(loaded) => {
                        // what is accepted can be computed with
                        let arm = loaded.arm;
                        let q = arm.neutral();
                        assert!(arm.bias(&q, &vec![0.5; arm.nv()]).is_ok());
                        accepted += 1;
                    }
                    Err(report) => {
                        let text = report.to_string();
                        assert!(!text.is_empty() && text.len() < 200_000, "{}", text.len());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 4 * count && accepted > count, "{refused} {accepted}");
}

#[test]
fn broken_states_never_panic() {
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/two-arm-satellite.toml");
    let arm = pliant_io::load(robot).expect("a good arm").arm;
    let good = r#"{"q": {"bus": {"position": [0, 0, 1], "rpy": [0, 0, "30 deg"]}, "left_elbow": 0.5,
        "left_wrist": [1, 0, 0, 0], "bus.x": 2}, "u": {"bus": [1, 2, 3, 4, 5, 6], "left_shoulder":
        {"first": "10 deg/s"}}, "tau": {"right_elbow": "3 N m"}, "external": [{"frame": "left_grip",
        "force": [0, 0, "10 N"], "moment": [1, 2, 3], "axes": "own"}]}"#;
    let state = parse_state(&Source::new("state.json", good), &arm);
    assert!(state.is_ok(), "{:?}", state.err());
    let mut random = Random(8);
    for _ in 0..1500 {
        if let Err(report) =
            parse_state(&Source::new("state.json", broken(good, &mut random)), &arm)
        {
            assert!(!report.to_string().is_empty());
        }
    }
}

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
