//! What a study needs of a disk, told before it begins.

use super::{Study, series};
use crate::scenario::RunNeeds;
use pliant::simulate::RunSize;

impl Study {
    /// What its rows need: those of the series, where they are kept, as if each run were as long as
    /// the scenario's own; and those of the table. Chunks and what they become are there at once.
    pub fn needs(&self) -> RunNeeds {
        let count = self.count() as f64;
        let (columns, delayed) = (self.columns().len(), 0.0);
        // one column stands where runs have the time
        let table = RunNeeds::new(RunSize { rows: count, channels: columns - 1, delayed });
        if self.series.is_empty() || self.is_dry {
            return table;
        }
        let (rows, channels) = (count * self.size.rows, self.series.len() + 1);
        let series = RunNeeds::new(RunSize { rows, channels, delayed });
        let disk = [0, 1].map(|k| table.disk[k] + series.disk[k]);
        // what is held: a chunk with its longest run, as numbers and as bytes
        let own = series::numbers(self.size, &self.series) + series::CHUNK_NUMBERS as f64;
        RunNeeds { disk, memory: series.memory + 16.0 * own, ..series }
    }
}
