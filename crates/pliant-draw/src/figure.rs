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
    /// Whether each value holds until the next x: it is drawn in steps.
    pub is_held: bool,
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
        Self { x, y, curves: Vec::new(), marks: Vec::new() }
    }

    /// With one curve more, in the next colour.
    #[must_use]
    pub fn with(mut self, mut curve: Curve) -> Self {
        curve.style = Style::number(self.curves.len());
        self.curves.push(curve);
        self
    }
}

impl Curve {
    /// A curve in the first colour.
    pub fn new(name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { name: name.into(), x, y, style: Style::default(), is_held: false }
    }

    /// Its points.
    pub(crate) fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y])
    }
}
