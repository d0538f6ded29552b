//! Draws a figure.

use crate::axis::{Axis, Ruler};
use crate::canvas::{Anchor, Canvas, Point, Stroke};
use crate::colours;
use crate::figure::{ColourMap, Curve, CurveForm, Figure, Panel};
use crate::palette::{AXIS, FAINT, GRID, INK, Style, ZERO, mixed};
use crate::text::{Rich, TEXT, fit, width};
use crate::thin::thin;
use crate::ticks::Ticks;

/// Around everything (pt).
const EDGE: f64 = 5.0;
/// Between a tick and its number.
const GAP: f64 = 3.0;
/// How long a tick is.
const TICK: f64 = 3.0;
/// From one line of text to the next.
const LINE: f64 = 11.0;
/// Between two plots, beside their legends.
const BETWEEN: f64 = 9.0;
/// The line beside a name in a legend, and what is left free behind a name.
const SAMPLE: f64 = 14.0;
/// The least height of a plot.
const LEAST: f64 = 12.0;
/// The part of the width that words at the y axis may take.
const WORDS: f64 = 0.3;
/// How much room a plot leaves above and below its curves.
const ROOM: f64 = 0.05;

/// More dots than this are small.
const MANY: usize = 300;
/// How much of the colour of faint dots is white.
const FAINTNESS: f64 = 0.6;

/// A name in a legend, and how its curve looks.
type Entry = (String, Style);

/// A panel with its axes laid out.
struct Laid<'a> {
    panel: &'a Panel,
    x: Ruler,
    y: Ruler,
    x_ticks: Ticks,
    y_ticks: Ticks,
    /// Lines of the legend.
    legend: Vec<Vec<Entry>>,
    /// Whether the ticks of the x axis are written.
    written: bool,
}

/// The inside of a plot.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn point(&self, x: f64, y: f64) -> Point {
        [self.left + x * (self.right - self.left), self.bottom - y * (self.bottom - self.top)]
    }
}

/// The SVG of a figure.
pub(crate) fn draw(figure: &Figure) -> String {
    let mut canvas = Canvas::new(figure.size);
    let [width, height] = figure.size.points();
    let panels = &figure.panels;
    let shared = panels.windows(2).all(|pair| pair[0].x == pair[1].x);
    let mut all: Vec<Laid<'_>> =
        panels.iter().map(|panel| lay_out(panels, panel, shared)).collect();
    let count = all.len().max(1) as f64;
    for (k, laid) in all.iter_mut().enumerate() {
        laid.written = !shared || k + 1 == panels.len();
        laid.x_ticks = laid.x.ticks((width / 65.0).floor());
        laid.y_ticks = laid.y.ticks(((height / count - LINE) / 13.0).floor().clamp(2.0, 8.0));
    }
    // the plots begin where the widest number of all leaves room
    let numbers = all.iter().flat_map(|laid| &laid.y_ticks.major);
    let widest = numbers.map(|(_, word)| word.width() * TEXT).fold(0.0, f64::max);
    let widest = widest.min(WORDS * width);
    let left = EDGE + LINE + GAP + widest + GAP + TICK;
    let last = all.iter().filter_map(|laid| laid.x_ticks.major.last());
    let beyond = last.map(|(_, word)| word.width() * TEXT / 2.0).fold(GAP, f64::max);
    let bar = if panels.iter().any(|panel| panel.map.is_some()) { colours::WIDTH } else { 0.0 };
    let right = (width - EDGE - beyond.max(bar)).max(left + LEAST);
    for laid in &mut all {
        laid.legend = wrapped(std::mem::take(&mut laid.legend), right - left);
    }
    let above = |laid: &Laid<'_>| {
        LINE * laid.legend.len() as f64 + if laid.has_words() { LINE } else { 0.0 }
    };
    let below = |laid: &Laid<'_>| if laid.written { TICK + GAP + LINE + TEXT + 1.0 } else { 0.0 };
    let around: f64 = all.iter().map(|laid| above(laid) + below(laid)).sum();
    let free = height - 2.0 * EDGE - around - BETWEEN * (count - 1.0);
    let each = (free / count).max(LEAST);
    let mut top = EDGE;
    for laid in &all {
        top += above(laid);
        let frame = Frame { left, right, top, bottom: top + each };
        laid.draw(&mut canvas, frame);
        top += each + below(laid) + BETWEEN;
    }
    canvas.finish()
}

fn lay_out<'a>(all: &[Panel], panel: &'a Panel, shared: bool) -> Laid<'a> {
    let visible = |panel: &Panel, [x, y]: &[f64; 2]| panel.x.takes(*x) && panel.y.takes(*y);
    // dots need room at the ends, lines and cells do not
    let of_dots = panel.curves.iter().any(|curve| curve.form.has_dots());
    let has_cells = panel.map.as_ref().is_some_and(ColourMap::has_cells);
    let x_room = if of_dots || (panel.map.is_some() && !has_cells) { 0.5 * ROOM } else { 0.0 };
    let x = if shared {
        let every =
            all.iter().flat_map(|one| one.points().filter(move |point| visible(one, point)));
        panel.x.over(every.map(|point| point[0]), x_room)
    } else {
        panel.x.over(panel.points().filter(|p| visible(panel, p)).map(|point| point[0]), x_room)
    };
    let y_room = if has_cells { 0.0 } else { ROOM };
    let y =
        panel.y.over(panel.points().filter(|p| visible(panel, p)).map(|point| point[1]), y_room);
    let legend = entries(panel);
    // the same legend everywhere is written once
    let same = all.len() > 1 && all.iter().all(|one| entries(one) == legend);
    let first = all.first().is_some_and(|first| std::ptr::eq(first, panel));
    let legend = if same && !first { Vec::new() } else { vec![legend] };
    let none = Ticks { major: Vec::new(), minor: Vec::new() };
    Laid { panel, x, y, x_ticks: none.clone(), y_ticks: none, legend, written: true }
}

/// The names of a panel's curves, each look once.
fn entries(panel: &Panel) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for Curve { name, style, .. } in &panel.curves {
        if !name.is_empty() && !all.iter().any(|one| one.0 == *name && one.1 == *style) {
            all.push((name.clone(), *style));
        }
    }
    all
}

/// The names of a legend in lines that fit.
fn wrapped(legend: Vec<Vec<Entry>>, room: f64) -> Vec<Vec<Entry>> {
    let mut lines: Vec<Vec<Entry>> = Vec::new();
    let mut used = f64::INFINITY;
    for (name, style) in legend.into_iter().flatten() {
        let name = fit(&name, (room - SAMPLE - GAP).max(0.0) / TEXT);
        let own = entry_width(&name);
        if used + own > room + SAMPLE {
            lines.push(Vec::new());
            used = 0.0;
        }
        used += own;
        if let Some(line) = lines.last_mut() {
            line.push((name, style));
        }
    }
    lines
}

/// Points with a corner before each, where the last value held until then.
fn steps(points: &[Point]) -> Vec<Point> {
    let mut all: Vec<Point> = Vec::with_capacity(2 * points.len());
    for &[x, y] in points {
        if let Some(&[_, held]) = all.last() {
            all.push([x, held]);
        }
        all.push([x, y]);
    }
    all
}

fn entry_width(name: &str) -> f64 {
    SAMPLE + GAP + width(name) * TEXT + SAMPLE
}

impl Laid<'_> {
    /// Whether marks have words above the plot.
    fn has_words(&self) -> bool {
        self.panel.marks.iter().any(|mark| !mark.label.is_empty() && self.x.holds(mark.at))
    }

    fn draw(&self, canvas: &mut Canvas, frame: Frame) {
        if let Some(map) = &self.panel.map {
            colours::draw(canvas, frame, map, (&self.x, &self.y));
        }
        if !self.panel.map.as_ref().is_some_and(ColourMap::has_cells) {
            self.draw_grid(canvas, frame);
        }
        self.draw_bars(canvas, frame);
        self.draw_marks(canvas, frame);
        for curve in &self.panel.curves {
            self.draw_curve(canvas, frame, curve);
        }
        self.draw_axes(canvas, frame);
        self.draw_legend(canvas, frame);
    }

    fn draw_grid(&self, canvas: &mut Canvas, frame: Frame) {
        let thin = Stroke::new(GRID, 0.5);
        for (value, _) in &self.x_ticks.major {
            let at = self.x.place(*value);
            canvas.line(frame.point(at, 0.0), frame.point(at, 1.0), thin);
        }
        for (value, _) in &self.y_ticks.major {
            let at = self.y.place(*value);
            let stroke = if *value == 0.0 { Stroke::new(ZERO, 0.6) } else { thin };
            canvas.line(frame.point(0.0, at), frame.point(1.0, at), stroke);
        }
    }

    fn draw_marks(&self, canvas: &mut Canvas, frame: Frame) {
        let mut free = frame.left;
        for mark in self.panel.marks.iter().filter(|mark| self.x.holds(mark.at)) {
            let [x, top] = frame.point(self.x.place(mark.at), 1.0);
            let stroke = Stroke { dashes: "2 2", ..Stroke::new(FAINT, 0.6) };
            canvas.line([x, top], [x, frame.bottom], stroke);
            // a word that would run into the one before it is left out
            let half = width(&mark.label) * TEXT / 2.0;
            if !mark.label.is_empty() && x - half >= free {
                canvas.text([x, top - GAP], Anchor::Middle, AXIS, &Rich::plain(&mark.label));
                free = x + half + GAP;
            }
        }
    }

    fn draw_bars(&self, canvas: &mut Canvas, frame: Frame) {
        for bar in &self.panel.bars {
            let point = |x: f64, y: f64| frame.point(self.x.place(x), self.y.place(y));
            let [middle, high] = bar.y;
            let [low_y, high_y] = [middle - 0.5 * high, middle + 0.5 * high];
            let corners = [[0.0, low_y], [bar.value, low_y], [bar.value, high_y], [0.0, high_y]];
            let corners = corners.map(|[x, y]| point(x, y));
            canvas.path(&corners, true, None, Some(bar.style.colour()));
            let stroke = Stroke::new(INK, 0.7);
            let [from, to] = bar.interval.map(|x| point(x, middle));
            canvas.line(from, to, stroke);
            for [x, y] in [from, to] {
                canvas.line([x, y - 2.0], [x, y + 2.0], stroke);
            }
        }
    }

    fn draw_curve(&self, canvas: &mut Canvas, frame: Frame, curve: &Curve) {
        let style = curve.style;
        let stroke = Stroke { dashes: style.dashes(), ..Stroke::new(style.colour(), 1.0) };
        let takes = |axis: &Axis, value: f64| axis.takes(value);
        let place = |[x, y]: [f64; 2]| {
            (takes(&self.panel.x, x) && takes(&self.panel.y, y))
                .then(|| frame.point(self.x.place(x), self.y.place(y)))
        };
        let points: Vec<Option<Point>> = curve.points().map(place).collect();
        for piece in points.split(Option::is_none) {
            let piece: Vec<Point> = piece.iter().copied().flatten().collect();
            match piece.as_slice() {
                [] => {}
                [_] if curve.form.has_dots() => {}
                [alone] => canvas.circle(*alone, 1.6, None, Some(style.colour())),
                _ if curve.form == CurveForm::Held => {
                    canvas.path(&thin(&steps(&piece)), false, Some(stroke), None);
                }
                _ if curve.form.has_line() => {
                    canvas.path(&thin(&piece), false, Some(stroke), None);
                }
                _ => {}
            }
        }
        if curve.form.has_dots() {
            let faint = mixed(style.colour(), "#ffffff", FAINTNESS);
            let is_faint = curve.form == CurveForm::FaintDots;
            let fill = if is_faint { faint.as_str() } else { style.colour() };
            let radius = if points.len() > MANY { 0.9 } else { 1.6 };
            for point in points.into_iter().flatten() {
                canvas.circle(point, radius, None, Some(fill));
            }
        }
    }

    fn draw_axes(&self, canvas: &mut Canvas, frame: Frame) {
        let stroke = Stroke::new(AXIS, 0.6);
        let Frame { left, right, top, bottom } = frame;
        canvas.path(&[[left, top], [left, bottom], [right, bottom]], false, Some(stroke), None);
        for (value, word) in &self.y_ticks.major {
            let [x, y] = frame.point(0.0, self.y.place(*value));
            canvas.line([x - TICK, y], [x, y], stroke);
            let room = (left - EDGE - LINE - 2.0 * GAP - TICK) / TEXT;
            let word = if self.y.has_words() { word.fitted(room) } else { word.clone() };
            canvas.text([x - TICK - GAP, y + 0.35 * TEXT], Anchor::End, INK, &word);
        }
        for value in &self.y_ticks.minor {
            let [x, y] = frame.point(0.0, self.y.place(*value));
            canvas.line([x - TICK / 2.0, y], [x, y], stroke);
        }
        for value in &self.x_ticks.minor {
            let [x, y] = frame.point(self.x.place(*value), 0.0);
            canvas.line([x, y], [x, y + TICK / 2.0], stroke);
        }
        for (value, word) in &self.x_ticks.major {
            let [x, y] = frame.point(self.x.place(*value), 0.0);
            canvas.line([x, y], [x, y + TICK], stroke);
            if self.written {
                let room = (right - left) / self.x_ticks.major.len().max(1) as f64 - 2.0 * GAP;
                let word = if self.x.has_words() { word.fitted(room / TEXT) } else { word.clone() };
                canvas.text([x, y + TICK + GAP + 0.72 * TEXT], Anchor::Middle, INK, &word);
            }
        }
        if self.written {
            let place = [f64::midpoint(left, right), bottom + TICK + GAP + LINE + 0.85 * TEXT];
            canvas.text(place, Anchor::Middle, INK, &self.panel.x.caption(&self.x));
        }
        let caption = self.panel.y.caption(&self.y);
        let room = (bottom - top + BETWEEN) / TEXT;
        let caption = if caption.width() > room {
            let unit = caption.width() - width(&self.panel.y.label);
            let label = fit(&self.panel.y.label, room - unit);
            Axis { label, ..self.panel.y.clone() }.caption(&self.y)
        } else {
            caption
        };
        let place = [EDGE + 0.8 * TEXT, f64::midpoint(top, bottom)];
        canvas.text_upwards(place, Anchor::Middle, &caption);
    }

    fn draw_legend(&self, canvas: &mut Canvas, frame: Frame) {
        let words = if self.has_words() { LINE } else { 0.0 };
        for (k, line) in self.legend.iter().enumerate() {
            let up = (self.legend.len() - 1 - k) as f64;
            let y = frame.top - GAP - LINE * up - words;
            let mut x = frame.left;
            for (name, style) in line {
                let stroke = Stroke { dashes: style.dashes(), ..Stroke::new(style.colour(), 1.4) };
                let middle = y - 0.35 * TEXT;
                canvas.line([x, middle], [x + SAMPLE, middle], stroke);
                canvas.text([x + SAMPLE + GAP, y], Anchor::Start, INK, &Rich::plain(name));
                x += entry_width(name);
            }
        }
    }
}
