//! Text as outlines of its letters, for PNG.
//!
//! Drawings of this crate write from left to right in one face without pairs or ligatures, so that
//! a letter stands where those before it end.

use crate::png::PngError;
use roxmltree::{Document, Node};
use std::fmt::Write;
use ttf_parser::{Face, OutlineBuilder};

/// Latin, Greek and Cyrillic letters of Arimo, whose widths are those of Arial.
const FACE: &[u8] = include_bytes!("../fonts/arimo.ttf");

/// The drawing with the outlines of letters instead of its words.
pub(crate) fn outlined(svg: &str) -> Result<String, PngError> {
    let document = Document::parse(svg).map_err(|error| PngError::Drawing(error.to_string()))?;
    let face = Face::parse(FACE, 0).expect("the face that is carried along can be read");
    let mut drawing = String::with_capacity(2 * svg.len());
    let mut done = 0;
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let range = node.range();
        drawing.push_str(&svg[done..range.start]);
        done = range.end;
        Line::of(node, &face).draw(node, &mut drawing);
    }
    drawing.push_str(&svg[done..]);
    Ok(drawing)
}

/// A line of text.
struct Line {
    /// The outlines, in the form of a path.
    path: String,
    /// Where the next letter stands, from where the line begins.
    x: f64,
    y: f64,
}

impl Line {
    fn of(text: Node<'_, '_>, face: &Face<'_>) -> Self {
        let mut line = Self { path: String::new(), x: 0.0, y: 0.0 };
        line.pieces(text, face);
        line
    }

    /// The pieces of a text, of which some are raised. Blanks at its ends do not count, nor those
    /// behind another.
    fn pieces(&mut self, text: Node<'_, '_>, face: &Face<'_>) {
        let mut blank = true;
        let words = text.descendants().filter(Node::is_text).collect::<Vec<_>>();
        let last = words.iter().rposition(|piece| !of_blanks(*piece));
        for (k, piece) in words.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            let mut letters = piece.text().unwrap_or_default();
            if Some(k) == last {
                letters = letters.trim_end_matches(' ');
            }
            let raised = piece.parent().filter(|parent| parent.has_tag_name("tspan"));
            self.y += raised.map_or(0.0, |parent| number(parent, "dy"));
            let size = inherited(*piece, "font-size").and_then(|size| size.parse().ok());
            for letter in letters.chars() {
                if !(letter == ' ' && blank) {
                    self.letter(letter, size.unwrap_or(0.0), face);
                }
                blank = letter == ' ';
            }
        }
    }

    /// Sets a letter, or the box of the face if it has none.
    fn letter(&mut self, letter: char, size: f64, face: &Face<'_>) {
        let glyph = face.glyph_index(letter).unwrap_or_default();
        let scale = size / f64::from(face.units_per_em());
        let advance = f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        face.outline_glyph(glyph, &mut Pen { line: self, scale });
        self.x += advance;
    }

    fn draw(&self, text: Node<'_, '_>, drawing: &mut String) {
        let anchor = match text.attribute("text-anchor") {
            Some("middle") => 0.5,
            Some("end") => 1.0,
            _ => 0.0,
        };
        let (x, y) = (number(text, "x") - anchor * self.x, number(text, "y"));
        let fill = inherited(text, "fill").unwrap_or("#000000");
        let place = text.attribute("transform").unwrap_or_default();
        let _ = write!(
            drawing,
            "<path transform=\"{place} translate({x} {y})\" fill=\"{fill}\" d=\"{}\"/>",
            self.path
        );
    }
}

fn of_blanks(piece: Node<'_, '_>) -> bool {
    piece.text().is_none_or(|letters| letters.chars().all(|letter| letter == ' '))
}

/// A number of an attribute, or none at all.
fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// What the nearest that says something says.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|node| node.attribute(name))
}

/// Draws a letter where the line is. The face has y upwards, a drawing downwards.
struct Pen<'a> {
    line: &'a mut Line,
    scale: f64,
}

impl Pen<'_> {
    fn write(&mut self, command: char, points: &[(f32, f32)]) {
        let Line { path, x, y } = &mut *self.line;
        path.push(command);
        for (dx, dy) in points {
            let (px, py) = (*x + f64::from(*dx) * self.scale, *y - f64::from(*dy) * self.scale);
            let _ = write!(path, "{px:.4} {py:.4} ");
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.write('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.write('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.write('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.write('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.write('Z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    /// The outlines of a text of size 10, and how wide it is.
    fn line(text: &str) -> (String, f64) {
        let svg = format!("<g font-size=\"10\"><text>{text}</text></g>");
        let document = Document::parse(&svg).expect("XML");
        let node = document.descendants().find(|node| node.has_tag_name("text")).expect("a text");
        let line = Line::of(node, &Face::parse(FACE, 0).expect("a face"));
        (line.path, line.x)
    }

    /// The coordinates of a path: x, y, x, …
    fn numbers(path: &str) -> Vec<f64> {
        let numbers = path.split(|c: char| c == ' ' || c.is_alphabetic());
        numbers.filter(|one| !one.is_empty()).map(|one| one.parse().expect("a number")).collect()
    }

    #[test]
    fn the_face_has_the_widths_that_drawings_count_with() {
        let all: String = (' '..='~').filter(|c| !matches!(c, ' ' | '<' | '&')).collect();
        assert!((line(&all).1 - 10.0 * width(&all)).abs() < 0.1, "{}", line(&all).1);
        for letter in ["m", "W", "0", "\u{2212}"] {
            assert!((line(letter).1 - 10.0 * width(letter)).abs() < 0.01, "{letter}");
        }
    }

    #[test]
    fn blanks_count_once_and_not_at_the_ends() {
        assert_eq!(line("  a   b "), line("a b"));
        assert!(line("a b").1 > line("ab").1);
        assert_eq!(line("  ").1, 0.0);
    }

    #[test]
    fn raised_letters_are_small_and_high() {
        let lowest = |path: &str| numbers(path).chunks(2).map(|p| p[1]).fold(f64::MIN, f64::max);
        let (raised, wide) = line("<tspan dy=\"-4\" font-size=\"5\">2</tspan>");
        assert!((wide - line("2").1 / 2.0).abs() < 1e-9);
        assert!(lowest(&line("2").0).abs() < 0.1 && (lowest(&raised) + 4.0).abs() < 0.1);
        // what follows comes back down
        let (path, _) = line("<tspan dy=\"-4\" font-size=\"5\">2</tspan><tspan dy=\"4\">m</tspan>");
        assert!(lowest(&path).abs() < 0.1);
    }

    #[test]
    fn words_stand_at_their_anchor() {
        let place = |anchor: &str| {
            let text = format!("<text x=\"30\" font-size=\"10\" text-anchor=\"{anchor}\">m</text>");
            let svg = outlined(&format!("<svg><g>{text}</g></svg>")).expect("a drawing");
            assert!(!svg.contains("<text") && svg.ends_with("</g></svg>"), "{svg}");
            let (_, x) = svg.split_once("translate(").expect("a place");
            x.split(' ').next().and_then(|x| x.parse::<f64>().ok()).expect("a number")
        };
        let wide = line("m").1;
        assert_eq!(
            [place("start"), place("middle"), place("end")],
            [30.0, 30.0 - wide / 2.0, 30.0 - wide]
        );
    }
}
