//! Some rows of a table: enough to look at, and of bounded size however many there are.

use super::error::JournalError;
use super::sheet::{Cells, StudyColumn};
use super::table::StudyTableReader;

/// Some rows of the table of a study, in their order: all of a short one, an even choice of a long
/// one.
#[derive(Clone, Debug, PartialEq)]
pub struct StudySample {
    /// Which rows.
    pub rows: Vec<u64>,
    columns: Vec<StudyColumn>,
    cells: Vec<Cells>,
}

impl StudySample {
    /// The numbers of a parameter or a figure; none for texts, and where there is no such column.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.cells(name)? {
            Cells::Numbers(all) => Some(all),
            _ => None,
        }
    }

    /// The texts of a parameter that is no number, of `status`, `reason` or `detail`.
    pub fn texts(&self, name: &str) -> Option<&[String]> {
        match self.cells(name)? {
            Cells::Texts(all) => Some(all),
            _ => None,
        }
    }

    fn cells(&self, name: &str) -> Option<&Cells> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.map(|column| &self.cells[column])
    }
}

impl StudyTableReader {
    /// At most so many rows, one from each of equally long stretches, and those that are named
    /// besides. One group of rows is in memory beside them.
    pub fn sample(&self, most: u64, besides: &[u64]) -> Result<StudySample, JournalError> {
        let rows = chosen(self.rows(), most, besides);
        let columns = self.columns().to_vec();
        let mut cells: Vec<Cells> = columns.iter().map(|column| column.role.empty()).collect();
        let (mut next, mut first) = (0, 0);
        self.each_group(&|_| true, |group| {
            let behind = first + group.first().map_or(0, Cells::len) as u64;
            let here = rows[next..].partition_point(|&row| row < behind);
            for (all, of_group) in cells.iter_mut().zip(&group) {
                all.take_from(of_group, rows[next..next + here].iter().map(|row| row - first));
            }
            (next, first) = (next + here, behind);
            Ok::<(), JournalError>(())
        })?;
        Ok(StudySample { rows, columns, cells })
    }
}

/// The rows of a sample. Which row of a stretch it is changes from one to the next: at a fixed
/// distance they would all be of one level of a grid, or of one place in a scheme.
fn chosen(rows: u64, most: u64, besides: &[u64]) -> Vec<u64> {
    if rows <= most {
        return (0..rows).collect();
    }
    let begin = |k: u64| u128::from(k) * u128::from(rows) / u128::from(most);
    let of_stretch = |k: u64| {
        let (begin, end) = (begin(k), begin(k + 1));
        (begin + u128::from(mixed(k)) % (end - begin)) as u64
    };
    let mut chosen: Vec<u64> = (0..most).map(of_stretch).collect();
    chosen.extend(besides.iter().filter(|row| **row < rows));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// A number that looks random (the mixing of `SplitMix64`: Steele, Lea and Flood, 2014).
fn mixed(k: u64) -> u64 {
    let mut z = k.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn a_sample_is_even_and_in_step_with_nothing() {
        assert_eq!(chosen(5, 5, &[]), [0, 1, 2, 3, 4]);
        let (rows, most) = (1_000_000, 10_000);
        let some = chosen(rows, most, &[7, 999_999, 5_000_000]);
        assert!(
            some.contains(&7)
                && some.contains(&999_999)
                && some.windows(2).all(|two| two[0] < two[1])
        );
        let some = chosen(rows, most, &[]);
        assert!(some.iter().zip(0..).all(|(row, k)| row / 100 == k), "one of each hundred");
        // a grid whose last parameter has ten levels: each is as likely
        for level in 0..10 {
            let count = some.iter().filter(|row| *row % 10 == level).count();
            // 1000 are expected, with a deviation of 30
            assert!(count.abs_diff(1000) < 150, "level {level}: {count}");
        }
    }
}
