//! What a run needs of a disk and of memory, told before it starts.

use super::Setup;
use crate::escape::Shown as _;
use crate::results::MOST_VALUES;
use crate::room;
use pliant::Help;
use pliant::simulate::{DiagramError, RunSize};
use std::fmt;
use std::path::{Path, PathBuf};

/// Numbers are bytes.
const NUMBER: f64 = 8.0;

/// The part of their size that numbers have at least once they are written: constant ones take
/// little, others nearly all.
const SMALLEST: f64 = 0.02;

/// Above this many bytes a run is worth a word.
const LARGE: f64 = 1e8;

/// What a run to its end needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunNeeds {
    /// How many rows of how many channels, the time among them.
    pub rows: f64,
    /// How many rows there are at least: fewer, where a search may end early.
    pub fewest_rows: f64,
    /// See [`RunNeeds::rows`].
    pub channels: usize,
    /// The least and the most it may take on the disk (bytes): part files and the merged file are there
    /// at once.
    pub disk: [f64; 2],
    /// Memory for what waits in delays and for what is being written (bytes).
    pub memory: f64,
    /// How many runs of a study need that memory together; none of a single run.
    pub at_once: Option<usize>,
}

/// Why a run is not started.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRoom {
    /// The disk is too small.
    #[error(
        "{needs} take at least {} on the disk, and {} has {} left",
        size(needs.disk[0]), folder.shown(), size(*free)
    )]
    Disk {
        /// What is needed.
        needs: RunNeeds,
        /// Where.
        folder: PathBuf,
        /// What there is (bytes).
        free: f64,
    },
    /// The memory is too small for all rows of a run.
    #[error("{needs} take {} of memory, and {} are left", size(*needed), size(*free))]
    Rows {
        /// What is needed.
        needs: RunNeeds,
        /// How much (bytes).
        needed: f64,
        /// What there is (bytes).
        free: f64,
    },
    /// The memory is too small for as many runs of a study as are made at the same time.
    #[error("what {runs} runs at once hold takes {} of memory, and {} are left", size(*needed), size(*free))]
    Runs {
        /// How many.
        runs: usize,
        /// How much (bytes).
        needed: f64,
        /// What there is (bytes).
        free: f64,
    },
    /// The memory is too small.
    #[error("{what} take {} of memory, and {} are left", size(*needed), size(*free))]
    Memory {
        /// What needs it.
        what: &'static str,
        /// How much (bytes).
        needed: f64,
        /// What there is (bytes).
        free: f64,
    },
}

impl Help for NoRoom {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Disk { .. } => {
                "record less often or fewer channels, shorten the duration, or name another folder"
            }
            Self::Rows { .. } => {
                "record less often or fewer channels, shorten the duration, or run into a folder"
            }
            Self::Runs { .. } => {
                "make fewer runs at once, keep fewer channels, record less often, or shorten delays"
            }
            Self::Memory { .. } => {
                "shorten the delays of sensors and controllers, or give them longer periods"
            }
        };
        Some(help.into())
    }
}

impl RunNeeds {
    pub(crate) fn new(size: RunSize) -> Self {
        let RunSize { rows, channels, delayed } = size;
        let channels = channels + 1;
        let numbers = rows * channels as f64;
        let written = 2.0 * NUMBER * numbers;
        // a group waits while another is written, and is compressed
        let waiting = 3.0 * numbers.min(MOST_VALUES as f64);
        let memory = NUMBER * (delayed + waiting);
        let disk = [SMALLEST * written, written];
        Self { rows, fewest_rows: rows, channels, disk, memory, at_once: None }
    }

    /// The same where a search may end after so many rows.
    #[must_use]
    pub(crate) fn or_fewer(self, rows: f64) -> Self {
        let part = rows / self.rows;
        Self { fewest_rows: rows, disk: [part * self.disk[0], self.disk[1]], ..self }
    }

    /// Whether it is so much that people want to know.
    pub fn is_large(&self) -> bool {
        self.disk[1] > LARGE
    }

    /// Compares it with what there is; a folder that is not there yet counts as the one that it will be in.
    pub fn check(&self, folder: &Path) -> Result<(), NoRoom> {
        if let Some(free) = room::on_disk(folder).filter(|free| *free < self.disk[0]) {
            return Err(NoRoom::Disk { needs: *self, folder: folder.to_owned(), free });
        }
        self.check_memory()
    }

    /// Compares what a run holds, without its rows, with the memory that there is.
    pub(crate) fn check_memory(&self) -> Result<(), NoRoom> {
        match room::in_memory().filter(|free| *free < self.memory) {
            Some(free) => {
                let (what, needed) =
                    ("the delays and the rows that are being written", self.memory);
                Err(match self.at_once {
                    Some(runs) => NoRoom::Runs { runs, needed, free },
                    None => NoRoom::Memory { what, needed, free },
                })
            }
            None => Ok(()),
        }
    }

    /// Compares a run whose rows stay in memory with what there is.
    pub fn check_in_memory(&self) -> Result<(), NoRoom> {
        let needed = NUMBER * self.rows * self.channels as f64 + self.memory;
        match room::in_memory().filter(|free| *free < needed) {
            Some(free) => Err(NoRoom::Rows { needs: *self, needed, free }),
            None => Ok(()),
        }
    }

    /// Whether all columns fit into memory twice, as the page of a run needs them.
    pub fn page_fits(&self) -> bool {
        let columns = 2.0 * NUMBER * self.rows * self.channels as f64;
        room::in_memory().is_none_or(|free| columns < free)
    }

    /// What there is on the disk (bytes), where that may not be enough.
    pub fn may_fill(&self, folder: &Path) -> Option<f64> {
        room::on_disk(folder).filter(|free| *free < self.disk[1])
    }
}

impl fmt::Display for RunNeeds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, fewest_rows, channels, .. } = self;
        let count = |out: &mut fmt::Formatter<'_>, rows: f64| {
            if rows < 1e7 { write!(out, "{rows}") } else { write!(out, "{rows:.2e}") }
        };
        if fewest_rows < rows {
            count(out, *fewest_rows)?;
            write!(out, " to ")?;
        }
        count(out, *rows)?;
        // beside the time
        write!(out, " rows of {} channels", channels.saturating_sub(1))
    }
}

/// A number of bytes, for people.
pub fn size(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let unit = units.into_iter().find(|(unit, _)| bytes >= *unit);
    match unit {
        Some((unit, _)) if bytes >= 1e4 * unit => format!("{:.1e} TB", bytes / 1e12),
        Some((unit, name)) => format!("{:.1} {name}", bytes / unit),
        None => format!("{bytes:.0} bytes"),
    }
}

impl Setup {
    /// What a run of it needs.
    pub fn needs(&self) -> Result<RunNeeds, DiagramError> {
        self.simulation.diagram.size().map(RunNeeds::new)
    }
}

#[cfg(test)]
mod tests {
    use super::{NoRoom, RunNeeds, size};
    use pliant::Help;
    use pliant::simulate::RunSize;
    use std::path::Path;

    #[test]
    fn what_no_machine_has_is_refused_with_its_numbers() {
        let folder = std::env::temp_dir().join("not-there-yet").join("run");
        let few = RunNeeds::new(RunSize { rows: 101.0, channels: 9, delayed: 0.0 });
        assert!(few.check(&folder).is_ok() && !few.is_large());
        assert_eq!(few.disk[1], 2.0 * 8.0 * 1010.0);
        let many = RunNeeds::new(RunSize { rows: 1e18, channels: 9, delayed: 0.0 });
        assert!(many.is_large() && many.may_fill(&folder).is_some() == cfg!(unix));
        let held = RunNeeds::new(RunSize { rows: 11.0, channels: 9, delayed: 1e15 });
        if cfg!(target_os = "linux") {
            let told = many.check(&folder).expect_err("no disk has it");
            let words = told.with_help();
            for part in ["1.00e18 rows of 9 channels", "on the disk", "record less often"] {
                assert!(words.contains(part), "{part}: {words}");
            }
            let told = held.check(&folder).expect_err("no machine has it");
            assert!(matches!(told, NoRoom::Memory { .. }), "{told}");
            assert!(told.with_help().contains("8000.0 TB") && told.with_help().contains("delays"));
            let told = many.check_in_memory().expect_err("no machine has it");
            assert!(told.with_help().contains("run into a folder"), "{told}");
        }
        assert!(few.check(Path::new("")).is_ok() && few.check_in_memory().is_ok());
    }

    #[test]
    fn sizes_have_units() {
        for (bytes, text) in
            [(12.0, "12 bytes"), (2500.0, "2.5 kB"), (3.2e9, "3.2 GB"), (1e20, "1.0e8 TB")]
        {
            assert_eq!(size(bytes), text);
        }
    }
}
