//! Text: how wide it is, and how exponents are set.

use pliant::name::is_printable;

/// The faces asked for: all have the widths below. The last is carried for PNG.
pub(crate) const FACES: &str = "Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif";

/// The size of text (pt).
pub(crate) const TEXT: f64 = 8.0;

/// The size of exponents beside the text.
const SMALL: f64 = 0.72;

/// The widths of the characters from the blank to the tilde, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The width of a character that is not among them.
const OTHER: u16 = 584;

/// The width of a text of size 1.
pub(crate) fn width(text: &str) -> f64 {
    let of = |c: char| {
        let at = (c as usize).checked_sub(32);
        f64::from(at.and_then(|at| WIDTHS.get(at)).copied().unwrap_or(OTHER))
    };
    text.chars().map(of).sum::<f64>() / 1000.0
}

/// A text with exponents: pieces, each with whether it is raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rich(pub(crate) Vec<(String, bool)>);

impl Rich {
    /// As it stands.
    pub(crate) fn plain(text: &str) -> Self {
        Self(vec![(text.to_owned(), false)])
    }

    /// With the numbers behind `^` raised: `m/s^2`, `10^-6 J`. A minus becomes a long one.
    pub(crate) fn with_exponents(text: &str) -> Self {
        let mut pieces: Vec<(String, bool)> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('^') {
            let after = &rest[at + 1..];
            let sign = usize::from(after.starts_with('-'));
            let digits = after[sign..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                break;
            }
            pieces.push((rest[..at].to_owned(), false));
            pieces.push((minus(&after[..sign + digits]), true));
            rest = &after[sign + digits..];
        }
        pieces.push((rest.to_owned(), false));
        pieces.retain(|(piece, _)| !piece.is_empty());
        Self(pieces)
    }

    /// Its width at size 1.
    pub(crate) fn width(&self) -> f64 {
        let of =
            |(piece, raised): &(String, bool)| width(piece) * if *raised { SMALL } else { 1.0 };
        self.0.iter().map(of).sum()
    }

    /// Its beginning that fits into a width at size 1, where it has no exponents.
    pub(crate) fn fitted(&self, room: f64) -> Self {
        match self.0.as_slice() {
            [(text, false)] => Self::plain(&fit(text, room)),
            _ => self.clone(),
        }
    }

    /// The size of raised pieces, where the text has this size.
    pub(crate) fn raised_size(size: f64) -> f64 {
        size * SMALL
    }
}

/// A number's text with the sign that is as long as a plus.
pub(crate) fn minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

/// The beginning of a text that fits into a width at size 1, with dots where something is left out.
pub(crate) fn fit(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + width("…") + width(c.encode_utf8(&mut [0; 4])) > room {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

/// A text as it stands in XML. Characters that are not printable become a box.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if is_printable(c) => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        let pieces = |text| Rich::with_exponents(text).0;
        let piece = |text: &str, raised| (text.to_owned(), raised);
        assert_eq!(pieces("m/s^2"), [piece("m/s", false), piece("2", true)]);
        assert_eq!(
            pieces("10^-6 J"),
            [piece("10", false), piece("\u{2212}6", true), piece(" J", false)]
        );
        assert_eq!(pieces("a^b"), [piece("a^b", false)]);
        assert!(Rich::with_exponents("m^2").width() < Rich::plain("m2").width());
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(fit("short", 10.0), "short");
        let cut = fit("a very long name of a channel", 5.0);
        assert!(cut.ends_with('…') && width(&cut) <= 5.0 && cut.starts_with("a very"), "{cut}");
        assert_eq!(fit("abc", 0.0), "…");
    }
}
