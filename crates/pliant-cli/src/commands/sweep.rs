//! Numbers over a range of postures: as a table, CSV, JSON, and drawn.

use super::options::Force;
use super::plot::{self, Form};
use super::state;
use crate::figures::{figure, pretty, table};
use crate::output::{Failure, Output};
use pliant::arm::Arm;
use pliant::reproduce::Variants;
use pliant_draw::{Axis, AxisScale, Curve, Figure, Panel, Size};
use pliant_io::State;
use pliant_io::escape::Shown as _;
use pliant_io::escape::csv_field;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Wider tables are broken into several, each with the coordinates.
const WIDTH: usize = 100;

/// The dots per inch of a PNG.
const DPI: f64 = 300.0;

/// A number in each posture.
struct Column {
    /// What it is, for a plot.
    group: &'static str,
    name: String,
    /// In SI units.
    unit: String,
    /// Where there is none, not a number.
    values: Vec<f64>,
}

impl Column {
    /// The unit in which people read it, and by what it is multiplied.
    fn shown(&self) -> (&str, f64) {
        match (self.group, self.unit.as_str()) {
            (_, "rad") => ("deg", 1f64.to_degrees()),
            ("deflection", "m") => ("mm", 1e3),
            (_, "Pa") => ("MPa", 1e-6),
            (_, unit) => (unit, 1.0),
        }
    }

    /// Its name with its unit.
    fn head(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }

    fn figures(&self) -> Vec<f64> {
        let (_, factor) = self.shown();
        self.values.iter().map(|value| factor * value).collect()
    }
}

/// A number of one posture.
pub(super) struct Number {
    group: &'static str,
    name: String,
    unit: &'static str,
    value: f64,
}

impl Number {
    /// What it is, for a plot; its name; its unit in SI; and the number, or not a number.
    pub(super) fn new(group: &'static str, name: String, unit: &'static str, value: f64) -> Self {
        Self { group, name, unit, value }
    }
}

/// Numbers over a range of postures.
pub(super) struct Sweep {
    arm: String,
    /// The coordinates that differ, the first of them along the x axis.
    coordinates: Vec<Column>,
    columns: Vec<Column>,
}

impl Sweep {
    /// The coordinates of some postures, without numbers so far.
    pub(super) fn new(arm: &Arm, postures: &[State]) -> Self {
        let units = arm.configuration_units();
        let column = |k: usize| Column {
            group: "",
            name: arm.configuration_names()[k].clone(),
            unit: units[k][0].to_owned(),
            values: postures.iter().map(|posture| posture.q[k]).collect(),
        };
        let columns = (0..arm.nq()).map(column);
        let differs = |column: &Column| column.values.windows(2).any(|two| two[0] != two[1]);
        let coordinates = columns.filter(differs).collect();
        Self { arm: arm.name().to_owned(), coordinates, columns: Vec::new() }
    }

    /// Adds what the next posture gives.
    pub(super) fn add(&mut self, numbers: Vec<Number>) {
        let done = self.columns.iter().map(|column| column.values.len()).max().unwrap_or(0);
        for Number { group, name, unit, value } in numbers {
            let known = |column: &&mut Column| column.group == group && column.name == name;
            if let Some(column) = self.columns.iter_mut().find(known) {
                column.values.push(value);
            } else {
                let values = std::iter::repeat_n(f64::NAN, done).chain([value]).collect();
                self.columns.push(Column { group, name, unit: unit.to_owned(), values });
            }
        }
        for column in &mut self.columns {
            column.values.resize(done + 1, f64::NAN);
        }
    }

    /// Where the posture of a number is, in words.
    pub(super) fn place(&self, posture: usize) -> String {
        let words = self.coordinates.iter().map(|column| {
            let (unit, factor) = column.shown();
            format!("{} = {} {unit}", column.name, figure(factor * column.values[posture], 0.0))
        });
        words.collect::<Vec<_>>().join(", ")
    }

    fn all(&self) -> impl Iterator<Item = &Column> {
        self.coordinates.iter().chain(&self.columns)
    }

    fn postures(&self) -> usize {
        self.coordinates.first().map_or(0, |column| column.values.len())
    }

    /// Tables for people, as many columns in each as fit on a line.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}: {} postures\n", self.arm, self.postures());
        let cells: Vec<Vec<String>> = self.all().map(|column| self.cells(column)).collect();
        let (fixed, mut rest) = cells.split_at(self.coordinates.len());
        let width = |cells: &Vec<String>| {
            2 + cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let own: usize = fixed.iter().map(width).sum();
        while !rest.is_empty() {
            let mut taken = own;
            let fits = rest.iter().take_while(|cells| {
                taken += width(cells);
                taken <= WIDTH
            });
            let (block, others) = rest.split_at(fits.count().max(1));
            rest = others;
            let columns: Vec<&Vec<String>> = fixed.iter().chain(block).collect();
            let line = |row: usize| columns.iter().map(|column| column[row].clone()).collect();
            let lines: Vec<Vec<String>> = (0..self.postures() + 2).map(line).collect();
            let _ = write!(text, "\n{}", table(&lines, 0));
        }
        text
    }

    /// The name, the unit and the numbers of a column.
    fn cells(&self, column: &Column) -> Vec<String> {
        // numbers are rounding beside those of their kind
        let alike = |own: &&Column| own.group == column.group && own.unit == column.unit;
        let numbers = self.all().filter(alike).flat_map(Column::figures);
        let largest = numbers.fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let cell = |x: f64| if x.is_nan() { "-".to_owned() } else { figure(x, largest) };
        let head = [column.name.clone(), column.shown().0.to_owned()];
        head.into_iter().chain(column.figures().into_iter().map(cell)).collect()
    }

    /// One posture per line.
    pub(super) fn csv(&self) -> String {
        let head: Vec<String> = self.all().map(|column| csv_field(&column.head())).collect();
        let mut text = head.join(",") + "\n";
        for row in 0..self.postures() {
            let cell = |column: &Column| match column.values[row] {
                value if value.is_nan() => String::new(),
                value => format!("{value:?}"),
            };
            let cells: Vec<String> = self.all().map(cell).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    /// One object.
    pub(super) fn json(&self) -> Result<String, Failure> {
        let column = |column: &Column| -> Value {
            json!({ "name": column.name, "unit": column.unit, "values": column.values })
        };
        let value = json!({
            "name": self.arm,
            "coordinates": self.coordinates.iter().map(column).collect::<Vec<_>>(),
            "columns": self.columns.iter().map(column).collect::<Vec<_>>(),
        });
        pretty(&value)
    }

    /// A plot for each kind and unit, over the first coordinate.
    pub(super) fn draw(
        &self,
        drawing: Option<(&Path, Form)>,
        force: Force,
        output: &Output,
    ) -> Result<(), Failure> {
        let (Some(along), Some((path, form))) = (self.coordinates.first(), drawing) else {
            return Ok(());
        };
        let mut panels: Vec<(&str, &str, Panel)> = Vec::new();
        for column in &self.columns {
            let (group, (unit, _)) = (column.group, column.shown());
            let known = panels.iter().position(|(kind, own, _)| *kind == group && *own == unit);
            let k = known.unwrap_or_else(|| {
                let x = Axis::new(along.name.as_str(), along.shown().0);
                panels.push((group, unit, Panel::new(x, Axis::new(group, unit))));
                panels.len() - 1
            });
            let curve = Curve::new(column.name.as_str(), along.figures(), column.figures());
            let panel = std::mem::replace(
                &mut panels[k].2,
                Panel::new(Axis::new("", ""), Axis::new("", "")),
            );
            panels[k].2 = panel.with(curve);
        }
        let panels = panels.into_iter().map(|(.., panel)| readable(panel));
        let panels: Vec<Panel> = panels.collect();
        let figure = Figure::new(Size::stacked(panels.len()), panels);
        plot::write_drawing(path, form, figure.svg(), DPI, force)?;
        output.note(&format!("wrote {}", path.shown()));
        Ok(())
    }
}

/// A plot of positive numbers of very different sizes has a logarithmic axis.
fn readable(mut panel: Panel) -> Panel {
    const WIDE: f64 = 20.0;
    let values = || panel.curves.iter().flat_map(|curve| &curve.y).copied().filter(|y| !y.is_nan());
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    if least > 0.0 && most > WIDE * least {
        panel.y = panel.y.scaled(AxisScale::Log);
    }
    panel
}

/// Says of the first posture for which the options of bending links are not right.
pub(super) struct RangeWarning {
    is_told: bool,
}

impl RangeWarning {
    pub(super) fn new() -> Self {
        Self { is_told: false }
    }

    /// Looks at the next posture; `place` is where it is, in words.
    pub(super) fn look(
        &mut self,
        file: &Path,
        arm: (&Arm, &Variants),
        (state, place): (&State, &str),
        output: &Output,
    ) {
        let State { q, u, external, .. } = state;
        let is_out = || arm.0.out_of_range(q, u, external).is_ok_and(|found| !found.is_empty());
        if !self.is_told && is_out() {
            output.note(&format!("at {place}, and perhaps further on:"));
            state::warn_of_range(file, arm, q, u, external, output);
            self.is_told = true;
        }
    }
}

/// The plot that is asked for and its form, unless it would replace a file.
pub(super) fn form_of(path: Option<&Path>, force: Force) -> Result<Option<(&Path, Form)>, Failure> {
    let Some(path) = path else { return Ok(None) };
    force.check_drawing(path)?;
    Ok(Some((path, plot::form(path)?)))
}

/// Refuses a plot of a single posture.
pub(super) fn refuse_plot(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        None => Ok(()),
        Some(_) => Err(Failure::input(
            "--plot is over a range of postures, and --at has only one",
            "give a joint a range: --at fore=0..135deg",
        )),
    }
}
