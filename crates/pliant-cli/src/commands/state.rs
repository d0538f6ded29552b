//! States of arms: from the command line, and whether the arm's options are right for them.

use crate::output::{Failure, Output};
use pliant::analyse::OutOfRange;
use pliant::arm::Arm;
use pliant::dynamics::loads::Load;
use pliant::reproduce::Variants;
use pliant_io::escape::Shown as _;
use pliant_io::{Problem, Report, Source, State, codes, file_help};
use std::path::Path;

/// A state as `--state` gives it: a file, the standard input, or JSON itself; at rest without it.
pub(super) fn read(given: Option<&str>, arm: &Arm, output: &Output) -> Result<State, Failure> {
    let Some(given) = given else {
        return Ok(State::rest(arm));
    };
    let (state, warnings) = if given.trim_start().starts_with(['{', '[']) {
        pliant_io::parse_state(&Source::new("--state", given), arm)?
    } else if given.contains(['{', '=', '"']) && !Path::new(given).exists() {
        return Err(Failure::input(
            format!("--state is neither a file nor JSON: {given}"),
            "JSON begins with a brace: --state '{\"q\": [0.1, 0.2]}'; TOML is read from a file",
        ));
    } else {
        pliant_io::load_state(given, arm)?
    };
    output.warn(&warnings);
    Ok(state)
}

/// Says where the options of bending links are not right for a state.
pub(super) fn warn_of_range(
    file: &Path,
    (arm, variants): (&Arm, &Variants),
    q: &[f64],
    u: &[f64],
    loads: &[Load],
    output: &Output,
) {
    let written = |option: String| format!("write bends = {{ …, {option} }} in that link");
    // what cannot be computed is told elsewhere
    let found = arm.out_of_range(q, u, loads).unwrap_or_default();
    let problems = found.iter().map(|found| {
        let code = match found {
            OutOfRange::Slope { .. } => &codes::LARGE_SLOPE,
            _ => &codes::NO_FORESHORTENING,
        };
        let message = format!("link \"{}\" in this state: {}", found.link(), found.reason());
        let option = file_help::option(found);
        Problem::warning(code, message).help(option.map_or_else(|| found.help(), written))
    });
    let turns = variants.out_of_range(arm, q);
    let turns = turns.iter().map(|found| {
        let message = format!("link \"{}\" in this state: {}", found.link, found.reason());
        let help = written(file_help::EXACT_ROTATION.to_owned());
        Problem::warning(&codes::TURN_OF_FIRST_ORDER, message).help(help)
    });
    let source = Source::new(file.shown(), "");
    output.warn(&Report::new(source, problems.chain(turns).collect()));
}
