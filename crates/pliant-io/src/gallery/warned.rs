//! What the runs of an entry warned of, each kind of warning once.

use super::GalleryWarning;
use super::entry::{Line, Sheet};

/// Warnings of rows, in the order in which they are first met.
#[derive(Default)]
pub(super) struct Warned {
    all: Vec<Warning>,
}

/// A kind of warning: by what it is known, in the words of its first row, and the rows of tables.
struct Warning {
    kind: String,
    text: String,
    rows: Vec<(usize, usize)>,
}

impl Warned {
    /// What the runs of a row warned of, by table and row; rows come in their order.
    pub(super) fn see(&mut self, row: (usize, usize), warnings: Vec<(String, String)>) {
        for (kind, text) in warnings {
            match self.all.iter_mut().find(|known| known.kind == kind) {
                Some(known) if known.rows.last() == Some(&row) => {}
                Some(known) => known.rows.push(row),
                None => self.all.push(Warning { kind, text, rows: vec![row] }),
            }
        }
    }

    /// The same in words.
    pub(super) fn told(self, sheets: &[Sheet]) -> Vec<GalleryWarning> {
        let told = |Warning { text, rows, .. }: Warning| {
            let of = |(number, sheet): (usize, &Sheet)| of_table(number, sheet, &rows);
            let rows = sheets.iter().enumerate().filter_map(of).collect();
            GalleryWarning { text, rows }
        };
        self.all.into_iter().map(told).collect()
    }
}

/// Which rows of a table are among these.
fn of_table(number: usize, sheet: &Sheet, rows: &[(usize, usize)]) -> Option<String> {
    let own = rows.iter().filter(|(table, _)| *table == number);
    let lines: Vec<&Line> = own.filter_map(|(_, row)| sheet.lines.get(*row)).collect();
    if lines.is_empty() {
        return None;
    }
    let (place, many, all) = (&sheet.place, lines.len(), sheet.lines.len());
    Some(if all == 1 {
        place.clone()
    } else if many == all {
        format!("{place} (all rows)")
    } else if many > MOST_NAMED {
        format!("{place} ({many} of {all} rows)")
    } else {
        let names: Vec<String> = lines.iter().map(|line| whose(sheet, line)).collect();
        format!("{place} ({})", names.join("; "))
    })
}

/// More rows of a table are counted instead of named.
const MOST_NAMED: usize = 3;

/// What a row of a table is called where it stands alone.
pub(super) fn whose(sheet: &Sheet, line: &Line) -> String {
    if let Some(name) = &line.name {
        return name.clone();
    }
    let pairs = sheet.variables.iter().zip(&line.values);
    let each = pairs.map(|((name, unit), value)| format!("{name} {value} {unit}"));
    each.map(|one| one.trim_end().to_owned()).collect::<Vec<_>>().join(", ")
}
