//! Figures of the gallery as drawings.

use pliant_draw::{Axis, AxisScale, Curve, CurveForm, Figure, Panel, Size};
use pliant_io::gallery::{GalleryAxis, GalleryCurve, GalleryFigure, GalleryPanel};

/// As wide as a telephone shows it without making its letters smaller (mm).
const WIDTH: f64 = 108.0;

/// So many points of a line are seen as such.
const FEW: usize = 24;

/// The drawing of a figure.
pub(super) fn svg(figure: &GalleryFigure) -> String {
    let panels: Vec<Panel> = figure.panels.iter().map(|one| panel(&figure.x, one)).collect();
    let each = if panels.len() > 1 { 38.0 } else { 62.0 };
    let height = 14.0 + each * panels.len().max(1) as f64;
    Figure::new(Size { width: WIDTH, height }, panels).svg()
}

fn axis(axis: &GalleryAxis) -> Axis {
    let scale = if axis.is_log { AxisScale::Log } else { AxisScale::Linear };
    Axis::new(axis.label.as_str(), axis.unit.as_str()).scaled(scale)
}

fn panel(x: &GalleryAxis, panel: &GalleryPanel) -> Panel {
    let mut drawn = Panel::new(axis(x), axis(&panel.y));
    let has_printed = panel.curves.iter().any(|curve| curve.is_printed);
    for curve in &panel.curves {
        let GalleryCurve { name, x, y, is_held, is_printed } = curve;
        let mut line = Curve::new(name.as_str(), x.clone(), y.clone());
        line.form = match (is_printed, is_held) {
            // seen on the line of ours, too
            (true, _) => CurveForm::Dots,
            (false, true) => CurveForm::Held,
            (false, false) if line.x.len() <= FEW && !has_printed => CurveForm::DottedLine,
            (false, false) => CurveForm::Line,
        };
        drawn = drawn.with(line);
    }
    drawn
}
