//! The series of runs: channels over time.

use super::Study;
use super::sheet::{ColumnRole, StudyColumn};
use crate::nearest::nearest;
use crate::results::{MOST_VALUES, joined, split};
use pliant::simulate::{Catalogue, Channel, ChannelGroup, Diagram, Recorder, RunSize, Selection};
use std::convert::Infallible;

/// The series of a run has at most so many numbers, 64 MB of them; other runs are refused.
pub(super) const MOST_NUMBERS: f64 = 2.0 * MOST_VALUES as f64;

/// A chunk ends with the run by which its series have so many numbers, 8 MB of them.
pub(super) const CHUNK_NUMBERS: usize = MOST_VALUES / 4;

/// The column of a chunk that has the series of each run.
pub(super) const SERIES: &str = "pliant.series";

impl Study {
    /// The columns of `series.parquet`: the index of the run, the time, and the channels that are
    /// kept; nothing where none are.
    pub fn series_columns(&self) -> Vec<StudyColumn> {
        if self.series.is_empty() {
            return Vec::new();
        }
        let own =
            |channel: Channel, role| StudyColumn { name: channel.name, unit: channel.unit, role };
        let index =
            StudyColumn { name: "index".to_owned(), unit: "1".to_owned(), role: ColumnRole::Index };
        let mut all = vec![index, own(Channel::time(), ColumnRole::Time)];
        all.extend(self.series.iter().map(|one| own(one.clone(), ColumnRole::Channel)));
        all
    }
}

/// The channels that a scenario has where these are asked for besides: a mass matrix is there only
/// then.
pub(super) fn catalogue<'p>(
    diagram: &mut Diagram,
    asked: impl Iterator<Item = &'p str>,
) -> Catalogue {
    let own = diagram.selection.clone();
    diagram.selection = own.clone().and(asked);
    let all = diagram.catalogue();
    diagram.selection = own;
    all
}

/// The channels that a pattern chooses.
pub(super) fn chosen(known: &Catalogue, pattern: &str) -> Vec<Channel> {
    let found = Selection::new([pattern]).resolve(known).unwrap_or_default();
    found.into_iter().map(|i| known.channels()[i].clone()).collect()
}

/// Records in addition what is kept of a run, as far as its scenario has it.
pub(super) fn select(diagram: &mut Diagram, series: &[Channel]) {
    if series.is_empty() {
        return;
    }
    let names = || series.iter().map(|channel| channel.name.as_str());
    let all = catalogue(diagram, names());
    let there: Vec<&str> = names().filter(|name| all.find(name).is_some()).collect();
    diagram.selection = std::mem::take(&mut diagram.selection).and(there);
}

/// How many numbers the series of a run has.
pub(super) fn numbers(size: RunSize, series: &[Channel]) -> f64 {
    if series.is_empty() { 0.0 } else { size.rows * (series.len() + 1) as f64 }
}

/// What to say of a pattern that chooses none.
pub(super) fn instead(known: &Catalogue, pattern: &str) -> String {
    let groups = ChannelGroup::ALL.iter().map(|group| group.word());
    let names = known.channels().iter().map(|channel| channel.name.as_str());
    if pattern.contains('@') {
        return "let the scenario record the section: set = [\"record.channels=[…]\"]".to_owned();
    }
    match nearest(pattern, groups.chain(names)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => "name channels as record.channels of a scenario does: \"coordinates\", \
                 \"fore.tip.position.*\"; pliant run lists those of a run in summary.json"
            .to_owned(),
    }
}

/// Keeps channels of a run, without the others.
pub(super) struct Kept<'a> {
    wanted: &'a [Channel],
    places: Vec<Option<usize>>,
    /// The times (s), and the numbers of each channel.
    columns: Vec<Vec<f64>>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(wanted: &'a [Channel]) -> Self {
        let count = if wanted.is_empty() { 0 } else { wanted.len() + 1 };
        Self { wanted, places: Vec::new(), columns: vec![Vec::new(); count] }
    }

    /// The rows as bytes: the times, then each channel, as the pages of Parquet files have them.
    pub(super) fn bytes(&self) -> Vec<u8> {
        split(&self.columns.concat())
    }
}

impl Recorder for Kept<'_> {
    type Error = Infallible;

    fn start(&mut self, channels: &[Channel]) -> Result<(), Infallible> {
        let place = |one: &Channel| channels.iter().position(|channel| channel.name == one.name);
        self.places = self.wanted.iter().map(place).collect();
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), Infallible> {
        let own = self.places.iter().map(|place| place.map_or(f64::NAN, |place| values[place]));
        for (column, number) in self.columns.iter_mut().zip(std::iter::once(t).chain(own)) {
            column.push(number);
        }
        Ok(())
    }
}

/// Whether bytes are those of so many channels and the time.
pub(super) fn fits(bytes: &[u8], channels: usize) -> bool {
    bytes.len().is_multiple_of(8 * (channels + 1))
}

/// The times and the numbers of each of some channels, from their bytes.
pub(super) fn columns(bytes: &[u8], channels: usize) -> Vec<Vec<f64>> {
    let width = channels + 1;
    let rows = bytes.len() / (8 * width);
    let mut numbers = joined(bytes);
    (0..width).map(|_| numbers.by_ref().take(rows).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Kept, columns, fits};
    use pliant::simulate::{Channel, ChannelRole, Recorder};

    #[test]
    fn rows_come_back_from_their_bytes() {
        let channel = |name: &str| Channel::new(name, "m", ChannelRole::Other);
        let wanted = [channel("b"), channel("none"), channel("a")];
        let mut kept = Kept::new(&wanted);
        let Ok(()) = kept.start(&[channel("a"), channel("b")]);
        for (t, a, b) in [(0.0, 1.0, -2.0), (0.1, f64::MIN_POSITIVE, 3.5e300)] {
            let Ok(()) = kept.row(t, &[a, b]);
        }
        let back = columns(&kept.bytes(), 3);
        assert_eq!(back[0], [0.0, 0.1]);
        assert_eq!(back[1], [-2.0, 3.5e300]);
        assert!(back[2].iter().all(|number| number.is_nan()) && back[2].len() == 2);
        assert_eq!(back[3], [1.0, f64::MIN_POSITIVE]);
        assert!(fits(&kept.bytes(), 3) && !fits(&kept.bytes()[1..], 3));
        assert_eq!(columns(&[], 3), vec![Vec::<f64>::new(); 4]);
        // of a study without series nothing is held
        let mut none = Kept::new(&[]);
        let Ok(()) = none.start(&[channel("a")]);
        let Ok(()) = none.row(0.0, &[1.0]);
        assert!(none.bytes().is_empty());
    }
}
