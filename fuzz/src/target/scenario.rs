//! Scenarios, and the first steps of their runs.

use super::{Verdict, draw, refused, root, small, texts};
use crate::random::hash;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{self, Overrides, Setup, parse, write_scenario};
use pliant_io::{Report, Source};
use std::ops::ControlFlow;
use std::path::Path;

/// Where other files are looked for.
const FOLDER: &str = "crates/pliant-io/tests/bad-scenarios";

/// How many steps of a run are made.
const STEPS: usize = 6;

/// A run that records more rows is not made: its results alone take memory and time, as they must.
const MOST_ROWS: f64 = 20_000.0;

const FOLDERS: [&str; 4] = [
    "scenarios",
    "crates/pliant-cli/templates/scenarios",
    "crates/pliant-io/tests/good-scenarios",
    "crates/pliant-cli/tests/first-hour",
];

/// Ready scenarios with their arms inside, and bad ones.
pub(super) fn seeds() -> Result<Vec<String>, String> {
    let mut seeds = small::seeds();
    for folder in FOLDERS {
        for (path, _) in texts(folder, "toml")? {
            if let Ok(setup) = scenario::load(&path, &Overrides::default()) {
                seeds.push(setup.text);
            }
        }
    }
    seeds.extend(texts(FOLDER, "toml")?.into_iter().map(|(_, text)| text));
    Ok(seeds)
}

fn read(name: &str, text: &str) -> Result<Setup, Report> {
    parse(&Source::new(name, text), &root().join(FOLDER), &Overrides::default())
}

pub(super) fn run(input: &str, is_thorough: bool, scratch: &Path) -> Verdict {
    let setup = match read("scenario.toml", input) {
        Ok(setup) => setup,
        Err(report) => return refused(&report),
    };
    setup.warnings.iter().for_each(|report| draw(report, input));
    let number = hash(input.as_bytes()) % 8;
    if is_thorough || number == 0 {
        drop(setup.simulation.loop_warnings());
    }
    if is_thorough || number == 1 {
        match write_scenario(&setup.simulation.scenario) {
            Ok(written) => {
                if let Err(report) = read("written.toml", &written) {
                    panic!("a scenario is written as a file that is refused: {report}");
                }
            }
            Err(error) => panic!("a scenario from a file cannot be written: {error}"),
        }
    }
    if (is_thorough || number == 2)
        && let Err(report) = read("scenario.toml", &setup.text)
    {
        panic!("the text of a run is refused: {report}");
    }
    let is_short = setup.simulation.diagram.size().is_ok_and(|size| size.rows < MOST_ROWS);
    if is_short && (is_thorough || number > 2) {
        first_steps(&setup, scratch);
    }
    Verdict::Accepted
}

/// Runs a few steps into a folder, and opens it.
fn first_steps(setup: &Setup, scratch: &Path) {
    let folder = scratch.join("run");
    let mut steps = 0;
    let finished = scenario::run(setup, &folder, Existing::Replace, &mut |_| {
        steps += 1;
        if steps < STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if finished.is_ok() {
        let opened = Reader::open(&folder).and_then(|reader| reader.columns());
        assert!(opened.is_ok(), "a run leaves results that cannot be read: {:?}", opened.err());
    }
}
