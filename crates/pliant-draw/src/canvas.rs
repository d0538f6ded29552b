//! Writes SVG.

use crate::palette::INK;
use crate::size::Size;
use crate::text::{FACES, Rich, TEXT, escaped};
use std::fmt::Write;

/// A drawing in the making. Lengths are in points, y runs down.
pub(crate) struct Canvas {
    body: String,
    size: Size,
}

/// Which part of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke<'a> {
    pub(crate) colour: &'a str,
    pub(crate) width: f64,
    pub(crate) dashes: &'a str,
}

impl<'a> Stroke<'a> {
    pub(crate) fn new(colour: &'a str, width: f64) -> Self {
        Self { colour, width, dashes: "" }
    }
}

/// A point on the canvas.
pub(crate) type Point = [f64; 2];

impl Canvas {
    pub(crate) fn new(size: Size) -> Self {
        Self { body: String::new(), size }
    }

    /// The whole drawing.
    pub(crate) fn finish(self) -> String {
        let Size { width, height } = self.size;
        let [w, h] = self.size.points().map(number);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" \
             viewBox=\"0 0 {w} {h}\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n\
             <g font-family=\"{FACES}\" font-size=\"{TEXT}\" fill=\"none\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{}</g>\n</svg>\n",
            number(width),
            number(height),
            self.body
        )
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, stroke: Stroke<'_>) {
        self.path(&[from, to], false, Some(stroke), None);
    }

    /// A line through points, perhaps closed and filled.
    pub(crate) fn path(
        &mut self,
        points: &[Point],
        closed: bool,
        stroke: Option<Stroke<'_>>,
        fill: Option<&str>,
    ) {
        if points.is_empty() {
            return;
        }
        self.body.push_str("<path d=\"");
        for (k, [x, y]) in points.iter().enumerate() {
            let letter = match k {
                0 => "M",
                1 => "L",
                _ => " ",
            };
            let _ = write!(self.body, "{letter}{} {}", number(*x), number(*y));
        }
        self.body.push_str(if closed { "Z\"" } else { "\"" });
        self.paint(stroke, fill);
    }

    pub(crate) fn circle(
        &mut self,
        [x, y]: Point,
        radius: f64,
        stroke: Option<Stroke<'_>>,
        fill: Option<&str>,
    ) {
        let (x, y, r) = (number(x), number(y), number(radius));
        let _ = write!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
        self.paint(stroke, fill);
    }

    fn paint(&mut self, stroke: Option<Stroke<'_>>, fill: Option<&str>) {
        if let Some(Stroke { colour, width, dashes }) = stroke {
            let _ = write!(self.body, " stroke=\"{colour}\" stroke-width=\"{}\"", number(width));
            if !dashes.is_empty() {
                let _ = write!(self.body, " stroke-dasharray=\"{dashes}\" stroke-linecap=\"butt\"");
            }
        }
        if let Some(fill) = fill {
            let _ = write!(self.body, " fill=\"{fill}\"");
        }
        self.body.push_str("/>\n");
    }

    /// A text whose base line begins, ends or has its middle at a place.
    pub(crate) fn text(&mut self, [x, y]: Point, anchor: Anchor, colour: &str, text: &Rich) {
        let place = format!("x=\"{}\" y=\"{}\"", number(x), number(y));
        self.write_text(&place, anchor, colour, text);
    }

    /// The same, reading upwards.
    pub(crate) fn text_upwards(&mut self, [x, y]: Point, anchor: Anchor, text: &Rich) {
        let place = format!("transform=\"translate({} {}) rotate(-90)\"", number(x), number(y));
        self.write_text(&place, anchor, INK, text);
    }

    fn write_text(&mut self, place: &str, anchor: Anchor, colour: &str, text: &Rich) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let _ = write!(self.body, "<text {place}{anchor} fill=\"{colour}\">");
        // a piece behind a raised one comes back down
        let rise = 0.38 * TEXT;
        let mut raised_before = false;
        for (piece, raised) in &text.0 {
            let piece = escaped(piece);
            let _ = match (*raised, raised_before) {
                (true, _) => {
                    let (size, rise) = (number(Rich::raised_size(TEXT)), number(rise));
                    write!(self.body, "<tspan dy=\"-{rise}\" font-size=\"{size}\">{piece}</tspan>")
                }
                (false, true) => {
                    write!(self.body, "<tspan dy=\"{}\">{piece}</tspan>", number(rise))
                }
                (false, false) => write!(self.body, "{piece}"),
            };
            raised_before = *raised;
        }
        self.body.push_str("</text>\n");
    }
}

/// A number with at most two decimals, which is a seventh of a thousandth of an inch. What is not
/// finite has no place on paper; callers leave it out.
fn number(x: f64) -> String {
    debug_assert!(x.is_finite(), "{x} has no place on paper");
    let rounded = (x * 100.0).round() / 100.0;
    if rounded == 0.0 || !rounded.is_finite() { "0".to_owned() } else { rounded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.345), "12.35");
        assert_eq!(number(0.1 + 0.2), "0.3");
    }
}
