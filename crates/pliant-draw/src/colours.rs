//! Numbers as colours.

use crate::axis::Ruler;
use crate::canvas::{Anchor, Canvas, Stroke};
use crate::figure::{ColourCell, ColourMap};
use crate::palette::{AXIS, INK, shade};
use crate::plot::Frame;
use crate::text::TEXT;

/// What the bar takes at the right of a plot, with its numbers (pt).
pub(crate) const WIDTH: f64 = 62.0;
/// Between the plot and the bar, and how wide that is.
const GAP: f64 = 8.0;
const BAR: f64 = 8.0;
/// How long a tick is, and how far its number is from it.
const TICK: f64 = 2.5;
/// The bar is drawn in so many pieces.
const PIECES: u32 = 64;
/// Dots.
const DOT: f64 = 1.7;

/// Draws cells and dots, and the bar beside the plot.
pub(crate) fn draw(canvas: &mut Canvas, frame: Frame, map: &ColourMap, (x, y): (&Ruler, &Ruler)) {
    let colours = map.colour.over(map.cells.iter().map(|cell| cell.value), 0.0);
    for &ColourCell { x: across, y: along, value } in &map.cells {
        if !map.colour.takes(value) {
            continue;
        }
        let fill = shade(colours.place(value));
        let [left, right] = across.map(|at| x.place(at));
        let [low, high] = along.map(|at| y.place(at));
        if ![left, right, low, high].iter().all(|place| place.is_finite()) {
            continue;
        }
        if left == right {
            canvas.circle(frame.point(left, low), DOT, None, Some(&fill));
        } else {
            let corners = [[left, low], [right, low], [right, high], [left, high]];
            // the line closes the seam to the next cell
            let stroke = Stroke::new(&fill, 0.3);
            let corners = corners.map(|[x, y]| frame.point(x, y));
            canvas.path(&corners, true, Some(stroke), Some(&fill));
        }
    }
    let (left, height) = (frame.right + GAP, frame.bottom - frame.top);
    for k in 0..PIECES {
        let [low, high] = [k, k + 1].map(|k| f64::from(k) / f64::from(PIECES));
        let [low_y, high_y] = [low, high].map(|share| frame.bottom - share * height);
        let fill = shade(0.5 * (low + high));
        let corners = [[left, low_y], [left + BAR, low_y], [left + BAR, high_y], [left, high_y]];
        canvas.path(&corners, true, Some(Stroke::new(&fill, 0.3)), Some(&fill));
    }
    let stroke = Stroke::new(AXIS, 0.6);
    for (value, word) in &colours.ticks((height / 26.0).clamp(2.0, 6.0)).major {
        let at = frame.bottom - colours.place(*value) * height;
        canvas.line([left + BAR, at], [left + BAR + TICK, at], stroke);
        let place = [left + BAR + 2.0 * TICK, at + 0.35 * TEXT];
        canvas.text(place, Anchor::Start, INK, word);
    }
    let middle = f64::midpoint(frame.top, frame.bottom);
    let place = [frame.right + WIDTH - 0.4 * TEXT, middle];
    let caption = map.colour.caption(&colours).fitted(height / TEXT);
    canvas.text_upwards(place, Anchor::Middle, &caption);
}
