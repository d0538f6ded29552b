//! A figure: plots above one another.

use crate::axis::Axis;
use crate::palette::Style;
use crate::size::Size;

/// Plots above one another. Where all have the same x axis, its ticks are written once.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// How large it is.
    pub size: Size,
    /// The plots, the uppermost first.
    pub panels: Vec<Panel>,
}

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What it shows.
    pub curves: Vec<Curve>,
    /// Places on the x axis.
    pub marks: Vec<Mark>,
    /// Numbers as colours below the curves.
    pub map: Option<ColourMap>,
    /// Bars to the right.
    pub bars: Vec<Bar>,
}

/// A curve through points. Where a value is not a number, or has no place on its axis, it breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it is called in the legend; without a name it is not there.
    pub name: String,
    /// Along the x axis.
    pub x: Vec<f64>,
    /// Along the y axis, one for each x.
    pub y: Vec<f64>,
    /// How it looks.
    pub style: Style,
    /// How its points are drawn.
    pub form: CurveForm,
}

/// How the points of a curve are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveForm {
    /// A line through them.
    #[default]
    Line,
    /// Steps: each value holds until the next x.
    Held,
    /// Dots.
    Dots,
    /// Faint dots, for those that lie around a line.
    FaintDots,
    /// Dots on a line.
    DottedLine,
}

/// Numbers over two axes, as colours, with the bar that says which colour is which number.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourMap {
    /// What the colours show; they cover the values.
    pub colour: Axis,
    /// What is coloured.
    pub cells: Vec<ColourCell>,
}

/// A coloured cell, or a dot where it has no width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourCell {
    /// From where to where on the x axis.
    pub x: [f64; 2],
    /// From where to where on the y axis.
    pub y: [f64; 2],
    /// Its number; it is left out where that is none.
    pub value: f64,
}

/// A bar from zero to the right, with the interval of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Where on the y axis its middle is, and how high it is there.
    pub y: [f64; 2],
    /// How long it is on the x axis.
    pub value: f64,
    /// From where to where its value may be.
    pub interval: [f64; 2],
    /// Its colour.
    pub style: Style,
}

/// A thin upright line at a place of the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// What it means; may be empty.
    pub label: String,
}

impl Figure {
    /// Of this size, with these plots.
    pub fn new(size: Size, panels: Vec<Panel>) -> Self {
        Self { size, panels }
    }

    /// The figure as the text of an SVG file. Words in it stay words.
    pub fn svg(&self) -> String {
        crate::plot::draw(self)
    }
}

impl Panel {
    /// A plot without curves.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { x, y, curves: Vec::new(), marks: Vec::new(), map: None, bars: Vec::new() }
    }

    /// The places on both axes that it shows.
    pub(crate) fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let cells = self.map.iter().flat_map(|map| &map.cells);
        let cells = cells.filter(|cell| !cell.value.is_nan());
        let corners = cells.flat_map(|ColourCell { x, y, .. }| [[x[0], y[0]], [x[1], y[1]]]);
        let bars = self.bars.iter().flat_map(|bar| {
            let [low, high] = bar.interval;
            [0.0, bar.value, low, high].map(|x| [x, bar.y[0]])
        });
        self.curves.iter().flat_map(Curve::points).chain(corners).chain(bars)
    }

    /// With one curve more, in the next colour.
    #[must_use]
    pub fn with(mut self, mut curve: Curve) -> Self {
        curve.style = Style::number(self.curves.len());
        self.curves.push(curve);
        self
    }
}

impl CurveForm {
    pub(crate) fn has_dots(self) -> bool {
        matches!(self, Self::Dots | Self::FaintDots | Self::DottedLine)
    }

    pub(crate) fn has_line(self) -> bool {
        matches!(self, Self::Line | Self::Held | Self::DottedLine)
    }
}

impl ColourMap {
    /// Whether it has cells, rather than dots.
    pub(crate) fn has_cells(&self) -> bool {
        self.cells.iter().any(|cell| cell.x[0] < cell.x[1])
    }
}

impl Curve {
    /// A curve in the first colour.
    pub fn new(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { name: name.into(), x, y, style: Style::default(), form: CurveForm::Line }
    }

    /// Its points.
    pub(crate) fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y])
    }
}
