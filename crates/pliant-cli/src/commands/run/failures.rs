//! Why a run has no results, for people.

use crate::output::Failure;
use pliant_io::results;
use pliant_io::scenario::RunFailure;
use pliant_io::write_help;

/// A run that is not made.
pub(super) fn refused(failure: RunFailure) -> Failure {
    match failure {
        RunFailure::Results(error) => disk(&error),
        RunFailure::NothingRecorded { .. } => Failure::internal(failure.to_string()),
        other => Failure::of(&other, "change the scenario"),
    }
}

/// Results that cannot be written or read.
pub(in crate::commands) fn disk(error: &results::Error) -> Failure {
    let help = match error {
        results::Error::NotEmpty { results, .. } if goes_on(results) => {
            "go on with the run in it with --continue, choose another folder with -o, or replace its results with --force (other files stay)"
                .to_owned()
        }
        results::Error::NotEmpty { .. } => {
            "choose another folder with -o, or replace the results in it with --force (other files stay)"
                .to_owned()
        }
        results::Error::InUse { .. } => {
            "wait until that run has ended, or choose another folder with -o".to_owned()
        }
        results::Error::CannotContinue { .. } => {
            "give the scenario that was run, or run it anew: with -o into another folder, or with --force"
                .to_owned()
        }
        damaged if damaged.is_of_checkpoint() => {
            "restore the file from a copy, or run the scenario anew: with -o into another folder, or with --force"
                .to_owned()
        }
        results::Error::Write { source, saved, .. } => {
            let help = write_help(source, "choose another folder with -o");
            if saved.rows > 0 { help + "; then pliant run --continue goes on" } else { help }
        }
        other => return Failure::of(other, "choose another folder with -o"),
    };
    Failure::input(error.to_string(), help)
}

/// Whether the results in a folder are those of a run that was killed or interrupted.
fn goes_on(results: &[String]) -> bool {
    results.iter().any(|name| name == "checkpoint.bin" || name.starts_with("part-"))
}
