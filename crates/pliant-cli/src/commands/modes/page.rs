//! Modes as a page in which they move.

use super::findings::Findings;
use super::text;
use pliant_io::report::{self, ModeLine, ModesReport};

pub(super) fn write(found: &Findings<'_>, count: usize) -> String {
    let errors = found.errors.as_ref().and_then(|errors| errors.as_ref().ok());
    let why_unknown = match &found.errors {
        Some(Err(why)) => Some(why.as_str()),
        None => Some("it was not asked for, or no link bends"),
        _ => None,
    };
    let modes = found.modes.modes.iter().take(count).enumerate();
    let lines: Vec<ModeLine> = modes
        .map(|(k, mode)| ModeLine {
            hertz: mode.hertz(),
            damping: mode.damping_ratio,
            unstable: mode.is_unstable(),
            moves: text::largest(found, mode),
            error: errors.and_then(|errors| errors.get(k).copied()),
        })
        .collect();
    report::of_modes(&ModesReport {
        arm: found.arm,
        description: found.description,
        modes: &found.modes,
        lines: &lines,
        facts: &text::circumstances(found),
        no_convergence: why_unknown,
    })
}
