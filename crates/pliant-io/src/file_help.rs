//! What the library's help means in files: the key and the value to write.

use pliant::Help;
use pliant::analyse::OutOfRange;
use pliant::analyse::riccati::RankDeficiency;
use pliant::control::EstimatorError;
use pliant::simulate::{Breakdown, Reason};

/// The option of `bends` with which the sections of a link turn exactly.
pub const EXACT_ROTATION: &str = "rotation = \"exact\"";

/// The option of `bends` that mends a link whose options are not right for a state; none where no
/// option does.
pub fn option(found: &OutOfRange) -> Option<String> {
    match found {
        OutOfRange::Slope { segments: 0, .. } => None,
        OutOfRange::Slope { segments, .. } => {
            Some(format!("shapes = \"elements\", elements = 1, segments = {segments}"))
        }
        OutOfRange::Spin { .. } | OutOfRange::Axial { .. } => {
            Some("foreshortening = true".to_owned())
        }
        _ => None,
    }
}

/// What to change in a scenario whose motion could not be carried on.
pub fn breakdown(breakdown: &Breakdown) -> String {
    let help = breakdown.help().unwrap_or_default();
    match breakdown.reason {
        Reason::OutOfStroke => format!("{help}, limits = \"stop\""),
        _ => help,
    }
}

/// What to change in a scenario whose estimator does not exist.
pub(crate) fn estimator(error: &EstimatorError) -> Option<String> {
    let help = match error {
        EstimatorError::Prescribed { .. } => "let a motor drive it, or take full_state = true",
        EstimatorError::Mode { deficiency: RankDeficiency::Noise, .. } => {
            "give it some force_noise and bending_noise"
        }
        other => return other.help(),
    };
    Some(help.to_owned())
}
