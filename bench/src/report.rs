//! What a benchmark prints: a table for people or JSON lines for programs.

use crate::engine::Error;
use crate::{machine, peer};
use clap::ValueEnum;
use serde_json::{Value, json};

/// How to print it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The time of a call (ns).
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) call: &'static str,
    pub(crate) min: f64,
    pub(crate) median: f64,
}

/// One algorithm on one chain.
pub(crate) struct Row {
    pub(crate) joints: usize,
    /// The largest ratio allowed, if there is a bar.
    pub(crate) limit: Option<f64>,
    pub(crate) ours: Timing,
    /// The variants of the peer; none when there is no peer.
    pub(crate) theirs: Vec<Timing>,
}

/// pliant's time relative to the peer's.
struct Comparison {
    /// The peer's faster variant.
    peer: Timing,
    /// Ratio of the minima.
    min: f64,
    /// Ratio of the medians.
    median: f64,
    /// Whether both ratios keep the limit, if there is one.
    kept: Option<bool>,
}

impl Row {
    /// The comparison with the variant whose median is smallest.
    fn comparison(&self) -> Option<Comparison> {
        let peer = *self.theirs.iter().min_by(|a, b| a.median.total_cmp(&b.median))?;
        let (min, median) = (self.ours.min / peer.min, self.ours.median / peer.median);
        let kept = self.limit.map(|limit| min <= limit && median <= limit);
        Some(Comparison { peer, min, median, kept })
    }

    fn text(&self) -> String {
        let ns = |time: f64| format!("{time:.0}");
        let (joints, ours) = (self.joints.to_string(), self.ours);
        let mut cells = vec![joints, ours.call.to_owned(), ns(ours.min), ns(ours.median)];
        if let Some(Comparison { peer, min, median, kept }) = self.comparison() {
            let limit = self.limit.map_or("-".to_owned(), |limit| format!("{limit:.2}"));
            let bar = kept.map_or("-", |kept| if kept { "ok" } else { "MISSED" });
            cells.extend([peer.call.to_owned(), ns(peer.min), ns(peer.median)]);
            cells.extend([format!("{min:.2}"), format!("{median:.2}"), limit, bar.to_owned()]);
        }
        align(&cells)
    }

    fn json(&self) -> Value {
        let timing = |t: &Timing| json!({"call": t.call, "min_ns": t.min, "median_ns": t.median});
        let comparison = self.comparison();
        json!({
            "record": "row",
            "joints": self.joints,
            "pliant": timing(&self.ours),
            "peer": self.theirs.iter().map(timing).collect::<Vec<_>>(),
            "faster_peer": comparison.as_ref().map(|c| c.peer.call),
            "ratio_min": comparison.as_ref().map(|c| c.min),
            "ratio_median": comparison.as_ref().map(|c| c.median),
            "limit": self.limit,
            "kept": comparison.and_then(|c| c.kept),
        })
    }
}

/// The columns of the table: two lines of title, and the width, negative where text stands left.
const COLUMNS: [(&str, &str, isize); 11] = [
    ("joints", "", 6),
    ("pliant", "", -16),
    ("min", "[ns]", 9),
    ("median", "[ns]", 9),
    ("peer", "", -16),
    ("min", "[ns]", 9),
    ("median", "[ns]", 9),
    ("ratio", "min", 6),
    ("ratio", "median", 6),
    ("limit", "", 5),
    ("bar", "", -6),
];

/// How many of them remain without a peer.
const OWN_COLUMNS: usize = 4;

/// A line of the table.
fn align(cells: &[impl AsRef<str>]) -> String {
    let aligned = cells.iter().zip(COLUMNS).map(|(cell, (.., width))| {
        let (cell, size) = (cell.as_ref(), width.unsigned_abs());
        if width < 0 { format!("{cell:<size$}") } else { format!("{cell:>size$}") }
    });
    aligned.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// The report, printed as it grows.
pub(crate) struct Report {
    format: Format,
    rows: Vec<Row>,
}

impl Report {
    pub(crate) fn new(format: Format) -> Self {
        Self { format, rows: Vec::new() }
    }

    /// Prints what the times were taken on and with.
    pub(crate) fn head(&self, peer: Option<String>) {
        let pliant = format!(
            "{}, {}, {}",
            env!("CARGO_PKG_VERSION"),
            env!("PLIANT_BENCH_COMPILER"),
            env!("PLIANT_BENCH_FLAGS")
        );
        let peer = peer.map(|about| format!("{about}, {}", peer::FLAGS.join(" ")));
        let processor = machine::processor();
        if self.format == Format::Json {
            let head = json!({
                "record": "head", "processor": processor, "pliant": pliant, "peer": peer
            });
            println!("{head}");
            return;
        }
        println!("processor: {processor}");
        println!("pliant:    {pliant}");
        println!("peer:      {}", peer.as_deref().unwrap_or("none"));
        println!("times per call, minimum and median over batches of 0.1 ms in turn");
        if peer.is_some() {
            println!("bar: ok when both ratios are within the limit");
        }
        println!();
        let columns = if peer.is_some() { COLUMNS.len() } else { OWN_COLUMNS };
        println!("{}", align(&COLUMNS.map(|column| column.0)[..columns]));
        println!("{}", align(&COLUMNS.map(|column| column.1)[..columns]));
    }

    /// Prints a row and keeps it for the verdict.
    pub(crate) fn row(&mut self, row: Row) {
        match self.format {
            Format::Text => println!("{}", row.text()),
            Format::Json => println!("{}", row.json()),
        }
        self.rows.push(row);
    }

    /// Prints which bars were kept.
    pub(crate) fn verdict(&self) {
        let kept = |row: &&Row| row.comparison().and_then(|comparison| comparison.kept);
        let bars = self.rows.iter().filter(|row| kept(row).is_some()).count();
        let missed: Vec<_> = self.rows.iter().filter(|row| kept(row) == Some(false)).collect();
        if self.format == Format::Json {
            println!("{}", json!({"record": "verdict", "bars": bars, "missed": missed.len()}));
        } else if missed.is_empty() {
            println!("\nall {bars} bars kept");
        } else {
            let names: Vec<_> =
                missed.iter().map(|row| format!("{} at {}", row.ours.call, row.joints)).collect();
            println!("\n{} of {bars} bars MISSED: {}", missed.len(), names.join(", "));
        }
    }

    /// Prints why there was nothing to compare with.
    pub(crate) fn no_verdict(&self, error: &Error) {
        if self.format == Format::Json {
            println!("{}", json!({"record": "verdict", "no_comparison": error.to_string()}));
        } else {
            println!("\nno comparison was made, because the peer could not be prepared:\n{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: [f64; 2], theirs: &[[f64; 2]]) -> Row {
        let timing = |&[min, median]: &[f64; 2]| Timing { call: "aba", min, median };
        let theirs = theirs.iter().map(timing).collect();
        Row { joints: 6, limit: Some(0.5), ours: timing(&ours), theirs }
    }

    #[test]
    fn the_bar_holds_for_both_ratios_against_the_faster_variant() {
        let kept = |row: Row| row.comparison().and_then(|comparison| comparison.kept);
        let variants = [[20.0, 40.0], [10.0, 20.0]];
        assert_eq!(kept(row([5.0, 10.0], &variants)), Some(true));
        assert_eq!(kept(row([5.1, 10.0], &variants)), Some(false));
        assert_eq!(kept(row([5.0, 10.1], &variants)), Some(false));
        assert_eq!(kept(row([5.0, 10.0], &[])), None);
    }

    #[test]
    fn a_row_fills_the_columns_of_the_head() {
        let head = align(&COLUMNS.map(|column| column.0));
        let line = row([5.0, 10.0], &[[10.0, 20.0]]).text();
        assert_eq!(head.find("bar"), line.find("ok"));
        assert_eq!(line.split_whitespace().count(), COLUMNS.len());
    }
}
