//! What a study needs of a disk and of memory, told before it begins.

use super::series::{self, CHUNK_NUMBERS, MOST_NUMBERS};
use super::{Study, StudyOptimisation};
use crate::scenario::RunNeeds;
use pliant::simulate::RunSize;

/// How often the series of a chunk are in memory for each thread: as they were recorded, as cells
/// beside them, as the bytes of the chunk, and in a chunk that waits to be written.
const COPIES: f64 = 4.0;

/// Numbers are bytes.
const NUMBER: f64 = 8.0;

impl Study {
    /// What its rows need on so many threads: those of the series, where they are kept, as if each run
    /// were as long as the scenario's own; and those of the table. Chunks and what they become are
    /// there at once. An optimisation has at least its first points and at most all its evaluations.
    pub fn needs(&self, threads: usize) -> RunNeeds {
        let count = self.count() as f64;
        let fewest = self.optimisation().map(StudyOptimisation::problem);
        let fewest = fewest.map_or(count, |problem| problem.fewest_trials() as f64);
        let (columns, delayed) = (self.columns().len(), 0.0);
        // one column stands where runs have the time
        let table = RunNeeds::new(RunSize { rows: count, channels: columns - 1, delayed });
        let table = table.or_fewer(fewest);
        if self.is_dry {
            return table;
        }
        let runs = threads.clamp(1, usize::try_from(self.count()).unwrap_or(usize::MAX).max(1));
        let delays = NUMBER * runs as f64 * self.size.delayed;
        let at_once = Some(runs);
        if self.series.is_empty() {
            return RunNeeds { memory: table.memory.max(delays), at_once, ..table };
        }
        let (rows, channels) = (count * self.size.rows, self.series.len() + 1);
        let series = RunNeeds::new(RunSize { rows, channels, delayed });
        let series = series.or_fewer(fewest * self.size.rows);
        let disk = [0, 1].map(|k| table.disk[k] + series.disk[k]);
        // runs with more are refused, and a chunk ends with the run that makes it large
        let own = series::numbers(self.size, &self.series).min(MOST_NUMBERS);
        let chunk = (own + CHUNK_NUMBERS as f64).min(count * own);
        let held = delays + COPIES * NUMBER * runs as f64 * chunk;
        // rows are put together once the runs are done
        let merged = series.memory + 2.0 * NUMBER * chunk;
        RunNeeds { disk, memory: held.max(merged), at_once, ..series }
    }
}
