//! Draws scenes in space.

use crate::canvas::{Anchor, Canvas, Point, Stroke};
use crate::palette::{AXIS, GRID, INK, Style, mixed};
use crate::scene::{Cross, Scene, Shape};
use crate::size::Size;
use crate::text::{Rich, TEXT, fit, width};
use crate::ticks::round_step;
use crate::view::View;
use pliant::spatial::Vec3;

/// Scenes side by side, all from the same side and at the same scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// How large it is.
    pub size: Size,
    /// From where it is seen.
    pub view: View,
    /// The pictures from left to right: what stands below each, and what it shows, the hindmost
    /// first.
    pub stills: Vec<(String, Vec<Scene>)>,
    /// What the colours mean.
    pub legend: Vec<(String, Style)>,
    /// What stands behind the scale, such as how much bending is exaggerated; may be empty.
    pub note: String,
}

/// Around everything, and between two pictures (pt).
const EDGE: f64 = 6.0;
/// From one line of text to the next (pt).
const LINE: f64 = 11.0;
/// Below a picture: its caption (pt).
const CAPTION: f64 = LINE + EDGE;
/// Below everything: the scale and the directions (pt).
const FOOT: f64 = 30.0;
/// An arm this large can be seen well (pt).
const LARGE: f64 = 85.0;
/// The greatest height, beside the width, and the least width (pt).
const TALLEST: f64 = 0.8;
const NARROWEST: f64 = 140.0;
/// The least half width of a bar, and the least radius of a joint (pt).
const LEAST: f64 = 0.75;
/// What does not bend.
const RIGID: &str = "#a9b0b9";
/// Joints, loads, the base.
const JOINT: &str = "#5b636d";
/// Paper.
const PAPER: &str = "#ffffff";

/// Where a still is on the canvas.
struct Window {
    /// Its middle.
    centre: Point,
    /// What is shown there, across the view (m).
    about: Point,
    /// Points per metre.
    scale: f64,
}

impl Window {
    fn point(&self, view: &View, place: Vec3<f64>) -> Point {
        let [x, y] = view.across(place);
        [
            self.centre[0] + (x - self.about[0]) * self.scale,
            self.centre[1] - (y - self.about[1]) * self.scale,
        ]
    }
}

impl Picture {
    /// The same with the height that its width needs, or less wide where it is tall, so that the arm
    /// is large and little is empty.
    #[must_use]
    pub fn fitted(mut self) -> Self {
        let (least, most) = self.extent(self.floor().as_ref());
        let shape = (most[1] - least[1]).max(1e-9) / (most[0] - least[0]).max(1e-9);
        let [width, _] = self.size.points();
        let count = self.stills.len().max(1);
        // width and height of what is inside, with so many columns
        let inside = |columns: usize| {
            let wide = (width - 2.0 * EDGE) / columns as f64 - 2.0 * EDGE;
            [wide.max(1.0), wide.max(1.0) * shape]
        };
        let is_large = |rows: &usize| {
            let [wide, high] = inside(count.div_ceil(*rows));
            wide >= LARGE || high >= LARGE
        };
        let rows = (1..count).find(is_large).unwrap_or(count);
        let columns = count.div_ceil(rows);
        let [wide, high] = inside(columns);
        let most = TALLEST * width / rows as f64;
        let narrower = (most / high).min(1.0);
        let points = self.size.width / width;
        let across = columns as f64 * (wide * narrower + 2.0 * EDGE) + 2.0 * EDGE;
        let foot = self.head() + FOOT;
        self.size.width = across.max(NARROWEST) * points;
        self.size.height = (rows as f64 * (high * narrower + CAPTION) + foot) * points;
        self
    }

    /// The height of the legend (pt).
    fn head(&self) -> f64 {
        EDGE + if self.legend.is_empty() { 0.0 } else { LINE }
    }

    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(self.size);
        let [paper_width, paper_height] = self.size.points();
        let head = self.head();
        let floor = self.floor();
        let (least, most) = self.extent(floor.as_ref());
        let span = [most[0] - least[0], most[1] - least[1]].map(|x| x.max(1e-9));
        let about = [f64::midpoint(least[0], most[0]), f64::midpoint(least[1], most[1])];
        let count = self.stills.len().max(1);
        // the number of columns at which the arm is largest
        let room = [paper_width - 2.0 * EDGE, paper_height - head - FOOT];
        let layout = |columns: usize| {
            let rows = count.div_ceil(columns);
            let cell = [room[0] / columns as f64, room[1] / rows as f64];
            let free = [cell[0] - 2.0 * EDGE, cell[1] - CAPTION].map(|x| x.max(1.0));
            ((free[0] / span[0]).min(free[1] / span[1]), cell, columns)
        };
        let best = (1..=count).map(layout).reduce(|a, b| if b.0 > a.0 { b } else { a });
        let (scale, cell, columns) = best.unwrap_or((1.0, room, 1));
        for (k, (caption, scenes)) in self.stills.iter().enumerate() {
            let (column, row) = ((k % columns) as f64, (k / columns) as f64);
            let left = EDGE + column * cell[0];
            let top = head + row * cell[1];
            let middle = left + cell[0] / 2.0;
            let window = Window { centre: [middle, top + (cell[1] - LINE) / 2.0], about, scale };
            if let Some(floor) = &floor {
                self.draw_floor(&mut canvas, &window, floor, scenes);
            }
            for scene in scenes {
                self.draw_scene(&mut canvas, &window, scene);
            }
            let place = [middle, top + cell[1] - 3.0];
            let caption = fit(caption, cell[0] / TEXT);
            canvas.text(place, Anchor::Middle, INK, &Rich::plain(&caption));
        }
        self.draw_legend(&mut canvas);
        let bottom = paper_height - EDGE;
        self.draw_axes(&mut canvas, [paper_width - EDGE - 20.0, bottom - 5.0]);
        self.draw_scale(&mut canvas, [EDGE, bottom], scale, floor.as_ref(), paper_width);
        canvas.finish()
    }

    fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.stills.iter().flat_map(|(_, scenes)| scenes).flat_map(|scene| &scene.shapes)
    }

    /// What must be seen, across the view (m).
    fn extent(&self, floor: Option<&Floor>) -> (Point, Point) {
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut include = |place: Vec3<f64>, around: Point| {
            for (axis, value) in self.view.across(place).into_iter().enumerate() {
                least[axis] = least[axis].min(value - around[axis]);
                most[axis] = most[axis].max(value + around[axis]);
            }
        };
        for shape in self.shapes() {
            let around = [self.view.right, self.view.up].map(|axis| shape.reach(axis));
            shape.points().iter().for_each(|place| include(*place, around));
        }
        for corner in floor.iter().flat_map(|floor| floor.corners()) {
            include(corner, [0.0; 2]);
        }
        if least[0] > most[0] { ([0.0; 2], [1.0; 2]) } else { (least, most) }
    }

    /// The floor below everything, where it can be seen.
    fn floor(&self) -> Option<Floor> {
        let view = &self.view;
        if !view.shows_floor() {
            return None;
        }
        let (mut height, mut ends) = (f64::INFINITY, [[f64::INFINITY, f64::NEG_INFINITY]; 2]);
        for shape in self.shapes() {
            let below = shape.reach(view.zenith);
            let beside = view.level.map(|axis| shape.reach(axis));
            for place in shape.points() {
                height = height.min(place.dot(view.zenith) - below);
                for ((axis, end), around) in view.level.iter().zip(&mut ends).zip(beside) {
                    let at = place.dot(*axis);
                    *end = [end[0].min(at - around), end[1].max(at + around)];
                }
            }
        }
        let span = ends.iter().map(|[from, to]| to - from).fold(0.0, f64::max);
        if !(span > 0.0 && span.is_finite()) {
            return None;
        }
        let step = round_step(span / 6.0);
        let lines = ends.map(|[from, to]| {
            // a floor is not a line
            let (from, to) = ((from / step).floor(), (to / step).ceil());
            let more = ((3.0 - (to - from)) / 2.0).ceil().max(0.0);
            [from - more, to + more]
        });
        Some(Floor { height, step, lines, zenith: view.zenith, level: view.level })
    }

    fn draw_floor(&self, canvas: &mut Canvas, window: &Window, floor: &Floor, scenes: &[Scene]) {
        let point = |at: [f64; 2]| window.point(&self.view, floor.place(at));
        let [[a, b], [c, d]] = floor.lines;
        let stroke = Stroke::new(GRID, 0.5);
        for k in 0..=(b - a) as i32 {
            let at = a + f64::from(k);
            canvas.line(point([at, c]), point([at, d]), stroke);
        }
        for k in 0..=(d - c) as i32 {
            let at = c + f64::from(k);
            canvas.line(point([a, at]), point([b, at]), stroke);
        }
        // what stands above throws a shadow straight down
        for scene in scenes {
            let colour = mixed("#e6e6e6", PAPER, scene.fade);
            for shape in &scene.shapes {
                let Shape::Bar { points, cross, .. } = shape else { continue };
                let width = cross.first().map_or(0.0, |cross| cross.a.norm()) * window.scale;
                let below = points.iter().map(|place| {
                    let drop = floor.height - place.dot(floor.zenith);
                    window.point(&self.view, *place + floor.zenith * drop)
                });
                let stroke = Stroke::new(&colour, 2.0 * width.max(LEAST));
                canvas.path(&below.collect::<Vec<_>>(), false, Some(stroke), None);
            }
        }
    }

    fn draw_scene(&self, canvas: &mut Canvas, window: &Window, scene: &Scene) {
        // the nearest last
        let depth = |shape: &Shape| {
            let points = shape.points();
            let sum: f64 = points.iter().map(|place| place.dot(self.view.toward)).sum();
            let bias = match shape {
                Shape::Rest(_) | Shape::Trace(_) => f64::NEG_INFINITY,
                Shape::Tip(_) => f64::INFINITY,
                Shape::Bar { .. } => 0.0,
                _ => shape.reach(self.view.toward),
            };
            sum / points.len().max(1) as f64 + bias
        };
        let mut order: Vec<&Shape> =
            scene.shapes.iter().filter(|shape| !shape.points().is_empty()).collect();
        order.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        for shape in order {
            self.draw_shape(canvas, window, scene, shape);
        }
    }

    fn draw_shape(&self, canvas: &mut Canvas, window: &Window, scene: &Scene, shape: &Shape) {
        let faded = |colour: &str| mixed(colour, PAPER, scene.fade);
        let own = scene.style.colour();
        let point = |place: Vec3<f64>| window.point(&self.view, place);
        match shape {
            Shape::Bar { points, cross, bends } => {
                let colour = faded(if *bends { own } else { RIGID });
                self.draw_bar(canvas, window, points, cross, &colour);
            }
            Shape::Drum { centre, axis, radius, half } => {
                let colour = faded(JOINT);
                self.draw_drum(canvas, window, [*centre, *axis], [*radius, *half], &colour);
            }
            Shape::Ball { centre, radius } => {
                let colour = faded(JOINT);
                let radius = (radius * window.scale).max(LEAST);
                let place = point(*centre);
                canvas.circle(place, radius, Some(edge(&dark(&colour))), Some(&colour));
                let shine = [place[0] - 0.3 * radius, place[1] - 0.3 * radius];
                canvas.circle(shine, 0.35 * radius, None, Some(&light(&colour, 0.4)));
            }
            Shape::Rest(ends) => {
                let colour = faded("#8a8a8a");
                let stroke = Stroke { dashes: "3 2", ..Stroke::new(&colour, 0.6) };
                canvas.line(point(ends[0]), point(ends[1]), stroke);
            }
            Shape::Trace(places) => {
                let points: Vec<Point> = places.iter().map(|place| point(*place)).collect();
                let colour = light(own, 0.45);
                canvas.path(&points, false, Some(Stroke::new(&colour, 0.7)), None);
            }
            Shape::Tip(place) => {
                let colour = faded("#d55e00");
                canvas.circle(point(*place), 1.7, Some(edge(PAPER)), Some(&colour));
            }
        }
    }

    /// A bar as a filled outline with a lighter middle.
    fn draw_bar(
        &self,
        canvas: &mut Canvas,
        window: &Window,
        points: &[Vec3<f64>],
        cross: &[Cross],
        colour: &str,
    ) {
        let flat: Vec<Point> =
            points.iter().map(|place| window.point(&self.view, *place)).collect();
        let mut normal = [0.0, 1.0];
        let mut half = Vec::with_capacity(flat.len());
        for k in 0..flat.len() {
            let (before, after) = (flat[k.saturating_sub(1)], flat[(k + 1).min(flat.len() - 1)]);
            let along = [after[0] - before[0], after[1] - before[1]];
            let size = along[0].hypot(along[1]);
            if size > 1e-6 {
                normal = [-along[1] / size, along[0] / size];
            }
            // y runs down on paper and up in the view
            let direction = self.view.right * normal[0] + self.view.up * -normal[1];
            let reach = cross.get(k).map_or(0.0, |cross| cross.reach(direction)) * window.scale;
            half.push([normal[0], normal[1], reach.max(LEAST)]);
        }
        let outline = |share: f64| -> Vec<Point> {
            let side = |sign: f64| {
                flat.iter().zip(&half).map(move |([x, y], [nx, ny, reach])| {
                    [x + sign * share * nx * reach, y + sign * share * ny * reach]
                })
            };
            side(1.0).chain(side(-1.0).rev()).collect()
        };
        let dark = dark(colour);
        canvas.path(&outline(1.0), true, Some(edge(&dark)), Some(colour));
        let widest = half.iter().map(|half| half[2]).fold(0.0, f64::max);
        if widest > 1.5 * LEAST {
            canvas.path(&outline(0.4), true, None, Some(&light(colour, 0.35)));
        }
    }

    /// A cylinder: the far end, the mantle, the near end.
    fn draw_drum(
        &self,
        canvas: &mut Canvas,
        window: &Window,
        [centre, axis]: [Vec3<f64>; 2],
        [radius, half]: [f64; 2],
        colour: &str,
    ) {
        let least = 2.0 / window.scale;
        let (half, radius) = (half * (least / radius).max(1.0), radius.max(least));
        let axis = if axis.dot(self.view.toward) < 0.0 { -axis } else { axis };
        let ends = [centre + axis * -half, centre + axis * half];
        let [far, near] = ends.map(|end| window.point(&self.view, end));
        let [x, y] = self.view.across(axis);
        let size = x.hypot(y);
        let (along, across) = if size > 1e-6 {
            ([x / size, -y / size], [y / size, x / size])
        } else {
            ([1.0, 0.0], [0.0, 1.0])
        };
        let facing = axis.dot(self.view.toward);
        let r = radius * window.scale;
        let disc = |centre: Point| -> Vec<Point> {
            let at = |k: i32| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 36.0).sin_cos();
                let (a, b) = (r * cos, r * sin * facing);
                [centre[0] + a * across[0] + b * along[0], centre[1] + a * across[1] + b * along[1]]
            };
            (0..36).map(at).collect()
        };
        let dark = dark(colour);
        canvas.path(&disc(far), true, Some(edge(&dark)), Some(colour));
        let beside =
            |end: Point, sign: f64| [end[0] + sign * r * across[0], end[1] + sign * r * across[1]];
        let mantle = [beside(far, 1.0), beside(near, 1.0), beside(near, -1.0), beside(far, -1.0)];
        canvas.path(&mantle, true, None, Some(colour));
        canvas.line(mantle[0], mantle[1], edge(&dark));
        canvas.line(mantle[3], mantle[2], edge(&dark));
        canvas.path(&disc(near), true, Some(edge(&dark)), Some(&light(colour, 0.45)));
    }

    /// The directions of x, y and z.
    fn draw_axes(&self, canvas: &mut Canvas, at: Point) {
        const LENGTH: f64 = 14.0;
        for (axis, name) in Vec3::AXES.into_iter().zip(["x", "y", "z"]) {
            let [x, y] = self.view.across(axis);
            let size = x.hypot(y);
            if size < 0.15 {
                continue;
            }
            let end = [at[0] + LENGTH * x, at[1] - LENGTH * y];
            canvas.line(at, end, Stroke::new(AXIS, 0.8));
            let beyond = 4.0 / size;
            let place = [end[0] + beyond * x, end[1] - beyond * y + 0.3 * TEXT];
            canvas.text(place, Anchor::Middle, AXIS, &Rich::plain(name));
        }
    }

    /// A bar of a round length, how wide the grid is, and the note.
    fn draw_scale(
        &self,
        canvas: &mut Canvas,
        at: Point,
        scale: f64,
        floor: Option<&Floor>,
        width: f64,
    ) {
        let length = round_step(0.08 * width / scale);
        let long = length * scale;
        let [x, y] = [at[0], at[1] - 0.35 * TEXT];
        let stroke = Stroke::new(INK, 0.8);
        let ends = [[x, y - 2.0], [x, y], [x + long, y], [x + long, y - 2.0]];
        canvas.path(&ends, false, Some(stroke), None);
        let grid = floor.map_or(String::new(), |floor| format!(", grid {}", metres(floor.step)));
        let note = if self.note.is_empty() { String::new() } else { format!(", {}", self.note) };
        let words = format!("{}{grid}{note}", metres(length));
        canvas.text([x + long + 4.0, at[1]], Anchor::Start, INK, &Rich::plain(&words));
    }

    fn draw_legend(&self, canvas: &mut Canvas) {
        let mut x = EDGE;
        for (name, style) in &self.legend {
            let y = EDGE + 0.8 * TEXT;
            let middle = y - 0.35 * TEXT;
            canvas.line([x, middle], [x + 14.0, middle], Stroke::new(style.colour(), 2.0));
            canvas.text([x + 18.0, y], Anchor::Start, INK, &Rich::plain(name));
            x += 18.0 + width(name) * TEXT + 14.0;
        }
    }
}

/// A horizontal grid.
struct Floor {
    /// Along the zenith (m).
    height: f64,
    /// The width of its meshes (m).
    step: f64,
    /// The first and the last of its lines along both level axes.
    lines: [[f64; 2]; 2],
    zenith: Vec3<f64>,
    level: [Vec3<f64>; 2],
}

impl Floor {
    /// A crossing of two lines.
    fn place(&self, [a, b]: [f64; 2]) -> Vec3<f64> {
        let [first, second] = self.level;
        self.zenith * self.height + first * (a * self.step) + second * (b * self.step)
    }

    fn corners(&self) -> [Vec3<f64>; 4] {
        let [[a, b], [c, d]] = self.lines;
        [[a, c], [a, d], [b, c], [b, d]].map(|at| self.place(at))
    }
}

fn edge(colour: &str) -> Stroke<'_> {
    Stroke::new(colour, 0.5)
}

fn dark(colour: &str) -> String {
    mixed(colour, "#000000", 0.35)
}

fn light(colour: &str, share: f64) -> String {
    mixed(colour, PAPER, share)
}

/// A round length in words.
fn metres(length: f64) -> String {
    let (value, unit) = if length >= 1.0 {
        (length, "m")
    } else if length >= 0.01 {
        (length * 1e2, "cm")
    } else {
        (length * 1e3, "mm")
    };
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format!("{rounded} {unit}")
}
