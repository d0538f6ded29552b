//! Many sums of products at once: the integrals over all pairs of shapes, and the coefficients of
//! all series.

use std::ops::Range;

/// How many columns are taken together: their sums stay in the registers of a processor.
const WIDTH: usize = 4;

/// Columns of numbers of one height.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    height: usize,
    /// In groups of columns, one row after the other.
    groups: Vec<[f64; WIDTH]>,
    /// The rows in which a group has numbers other than zero.
    filled: Vec<Range<usize>>,
}

impl Columns {
    /// So many columns of zeros.
    pub(super) fn new(count: usize, height: usize) -> Self {
        let groups = count.div_ceil(WIDTH);
        let filled = vec![Range::default(); groups];
        Self { height, groups: vec![[0.0; WIDTH]; groups * height], filled }
    }

    /// Writes a number.
    pub(super) fn set(&mut self, column: usize, row: usize, value: f64) {
        let group = column / WIDTH;
        self.groups[group * self.height + row][column % WIDTH] = value;
        if value != 0.0 {
            let filled = &mut self.filled[group];
            let start = if filled.end == 0 { row } else { filled.start.min(row) };
            *filled = start..filled.end.max(row + 1);
        }
    }

    /// Visits `Σ_r a_r b_r` for the columns `a` of this and `b` of another that are wanted, each summed
    /// from the first row to the last.
    pub(super) fn products(
        &self,
        other: &Self,
        wanted: impl Fn(usize, usize) -> bool,
        mut visit: impl FnMut(usize, usize, f64),
    ) {
        let columns = |group: usize| WIDTH * group..WIDTH * (group + 1);
        for (group, own_rows) in self.filled.iter().enumerate() {
            for (other_group, other_rows) in other.filled.iter().enumerate() {
                let rows = own_rows.start.max(other_rows.start)..own_rows.end.min(other_rows.end);
                let mut pairs = columns(group)
                    .flat_map(|a| columns(other_group).map(move |b| (a, b)))
                    .filter(|&(a, b)| wanted(a, b))
                    .peekable();
                if rows.is_empty() || pairs.peek().is_none() {
                    continue;
                }
                let part = |all: &'_ Self, group: usize| {
                    let start = group * all.height;
                    start + rows.start..start + rows.end
                };
                let sums =
                    sums(&self.groups[part(self, group)], &other.groups[part(other, other_group)]);
                for (a, b) in pairs {
                    visit(a, b, sums[a % WIDTH][b % WIDTH]);
                }
            }
        }
    }
}

/// The sums of the products of every two columns of two groups.
fn sums(a: &[[f64; WIDTH]], b: &[[f64; WIDTH]]) -> [[f64; WIDTH]; WIDTH] {
    let mut sums = [[0.0; WIDTH]; WIDTH];
    for (a, b) in a.iter().zip(b) {
        for (sums, a) in sums.iter_mut().zip(a) {
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn every_pair_that_is_wanted_is_summed_in_order() {
        let (counts, height) = ([5, 9], 7);
        let value = |column: usize, row: usize| {
            // local ones among them
            if row < column / 2 { 0.0 } else { ((3 * column + 7 * row + 1) as f64).sin() }
        };
        let [a, b] = counts.map(|count| {
            let mut all = Columns::new(count, height);
            for (column, row) in (0..count).flat_map(|c| (0..height).map(move |r| (c, r))) {
                all.set(column, row, value(column, row));
            }
            all
        });
        let mut seen = 0;
        a.products(
            &b,
            |a, b| a < 5 && b < 9 && a != b,
            |a, b, sum| {
                let mut want = 0.0;
                for row in 0..height {
                    want += value(a, row) * value(b, row);
                }
                assert_eq!(sum, want, "{a} {b}");
                seen += 1;
            },
        );
        assert_eq!(seen, 40);
    }
}
