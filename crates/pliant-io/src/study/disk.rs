//! The names of the files of a study.

use crate::files;
use std::ops::Range;

pub(super) const TEXT: &str = "study.toml";
pub(super) const TABLE: &str = "table.parquet";
pub(super) const SERIES: &str = "series.parquet";
pub(super) const CSV: &str = "table.csv";
pub(super) const SUMMARY: &str = "summary.json";
pub(super) const PAGE: &str = "report.html";

/// Where single runs are, below the folder of their study.
pub(super) const RUNS: &str = "runs";

/// The name of a chunk.
pub(super) fn chunk_name(runs: &Range<u64>) -> String {
    format!("chunk-{:012}-{:012}.parquet", runs.start, runs.end.saturating_sub(1))
}

/// The runs of the chunk that has this name.
pub(super) fn chunk_runs(name: &str) -> Option<Range<u64>> {
    let digits = name.strip_prefix("chunk-")?.strip_suffix(".parquet")?;
    let (first, last) = digits.split_once('-')?;
    let runs = first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?;
    (chunk_name(&runs) == name).then_some(runs)
}

/// True for the names that a study gives to its files, finished or not; its lock is none of them.
pub(super) fn is_ours(name: &str) -> bool {
    let name = files::without_partial(name);
    [TEXT, TABLE, SERIES, CSV, SUMMARY, PAGE].contains(&name) || chunk_runs(name).is_some()
}

/// True for a file that was still being written.
pub(super) fn is_partial(name: &str) -> bool {
    is_ours(name) && files::without_partial(name) != name
}

#[cfg(test)]
mod tests {
    use super::{chunk_name, chunk_runs, is_ours};

    #[test]
    fn chunks_are_known_by_their_runs() {
        for runs in [0..1, 7..100, 999_999_999_999..1_000_000_000_001] {
            assert_eq!(chunk_runs(&chunk_name(&runs)), Some(runs));
        }
        for name in ["chunk-0-9.parquet", "chunk-000000000000.parquet", "chunk--.parquet"] {
            assert_eq!(chunk_runs(name), None, "{name}");
            assert!(!is_ours(name));
        }
        assert!(is_ours("chunk-000000000000-000000000009.parquet.0123456789abcdef.partial"));
        assert!(is_ours("study.toml") && !is_ours("notes.txt") && !is_ours("scenario.toml"));
    }
}
