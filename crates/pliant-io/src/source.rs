//! The text of a file, and where in it something is.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use pliant::name::{is_printable, shown};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The text of a file under the name by which the user knows it. Copies share the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// The text as excerpts show it: byte by byte as long, and printable.
    drawn: Arc<str>,
    /// Settings whose texts are appended to that of the file.
    settings: Arc<[Appended]>,
}

/// A setting whose text is behind that of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Appended {
    start: usize,
    name: String,
    /// Where the tables stand that it changes inside.
    around: Vec<Range<usize>>,
}

/// A place in a text, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// An excerpt with a line longer than this many bytes is cut down to the neighbourhood of the span.
const LONG_LINE: usize = 160;

/// How many bytes of a cut line stand before and after the beginning of the span.
const NEIGHBOURHOOD: usize = 60;

impl Source {
    /// From a name and a text, whose byte-order mark is left out if it begins with one.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.into(),
            None => text,
        };
        let (name, drawn) = (name.into(), printable(&text));
        let name = match shown(&name) {
            Cow::Borrowed(_) => name,
            Cow::Owned(shown) => shown.into(),
        };
        Self { name, text, drawn, settings: Arc::default() }
    }

    /// The same with the text of a setting behind, and where that begins.
    pub(crate) fn with_setting(&self, name: &str, text: &str) -> (Self, usize) {
        let start = self.text.len() + 1;
        let own = Appended { start, name: name.to_owned(), around: Vec::new() };
        let settings = self.settings.iter().cloned().chain([own]);
        let text = format!("{}\n{text}", self.text);
        let source =
            Self { settings: settings.collect(), ..Self::new(Arc::clone(&self.name), text) };
        (source, start)
    }

    /// The last setting changes something within tables that stand here.
    pub(crate) fn changed_within(mut self, around: Vec<Range<usize>>) -> Self {
        let mut settings = self.settings.to_vec();
        if let Some(last) = settings.last_mut() {
            last.around = around;
        }
        self.settings = settings.into();
        self
    }

    /// The settings that change something within a table that stands here.
    pub(crate) fn settings_within(&self, span: &Range<usize>) -> Vec<&str> {
        let changing = self.settings.iter().filter(|own| own.around.contains(span));
        changing.map(|own| own.name.as_str()).collect()
    }

    /// Whether settings change what the file says.
    pub(crate) fn has_settings(&self) -> bool {
        !self.settings.is_empty()
    }

    /// The file without its settings.
    pub(crate) fn file(&self) -> Self {
        match self.settings.first() {
            Some(first) => Self::new(Arc::clone(&self.name), &self.text[..first.start - 1]),
            None => self.clone(),
        }
    }

    /// The setting within which an offset is: its own text, and where that is in this one.
    pub(crate) fn setting_at(&self, offset: usize) -> Option<(Self, Range<usize>)> {
        let next = self.settings.partition_point(|own| own.start <= offset);
        let Appended { start, name, .. } = self.settings[..next].last()?;
        let end = self.settings.get(next).map_or(self.text.len(), |own| own.start - 1);
        Some((Self::new(name.as_str(), &self.text[*start..end]), *start..end))
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the file says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.boundary(offset);
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }

    /// The last boundary between characters at or before an offset.
    pub(crate) fn boundary(&self, offset: usize) -> usize {
        let mut at = offset.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A span cut to the text, to whole characters and to its first line.
    pub(crate) fn one_line(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end.max(start));
        let line = &self.text[start..end];
        let line = line.split('\n').next().unwrap_or(line).trim_end();
        start..start + line.len()
    }
}

/// A text in which another character of the same length stands for each that is not printable.
fn printable(text: &Arc<str>) -> Arc<str> {
    let ends_line = |at: usize| text[at + 1..].starts_with('\n');
    let is_plain = |(at, c): (usize, char)| match c {
        '\n' | '\t' => true,
        '\r' => ends_line(at),
        c => is_printable(c),
    };
    if text.char_indices().all(is_plain) {
        return Arc::clone(text);
    }
    let mut drawn = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if is_plain((at, c)) {
            drawn.push(c);
        } else {
            drawn.push_str(match c.len_utf8() {
                1 => "?",
                2 => "¿",
                3 => "\u{fffd}",
                _ => "\u{fffd}?",
            });
        }
    }
    drawn.into()
}

impl SourceCode for Source {
    /// Like miette's own for strings, but columns count characters, and lines without an end are
    /// cut: a file of one line with a megabyte must not fill the screen.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text: &str = &self.text;
        let start = self.boundary(span.offset());
        let end = self.boundary(span.offset() + span.len());
        let place = self.place(start);
        let (mut line, mut column) = (place.line - 1, place.column - 1);
        let (mut from, mut to) = (start, end);
        if lines_before + lines_after > 0 {
            let starts = text[..start].rmatch_indices('\n').take(lines_before + 1);
            let starts: Vec<usize> = starts.map(|(newline, _)| newline + 1).collect();
            from = match starts.get(lines_before) {
                Some(&nth) => nth,
                None => 0,
            };
            let above = text[from..start].matches('\n').count();
            let mut ends = text[end..].match_indices('\n').map(|(at, _)| end + at);
            to = ends.nth(lines_after).unwrap_or(text.len());
            if text[from..to].split('\n').any(|line| line.len() > LONG_LINE) {
                let row = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
                from = self.boundary(start.saturating_sub(NEIGHBOURHOOD)).max(row);
                to = self.boundary(start + NEIGHBOURHOOD);
                to = text[start..to].find('\n').map_or(to, |at| start + at);
                column -= text[from..start].chars().count();
            } else {
                line -= above;
                column = 0;
            }
        }
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.to_string(),
            &self.drawn.as_bytes()[from..to],
            SourceSpan::from(from..to),
            line,
            column,
            text[from..to].matches('\n').count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(source: &Source, span: Range<usize>, lines: usize) -> (String, usize, usize) {
        let read = source.read_span(&SourceSpan::from(span), lines, lines);
        read.map_or_else(
            |error| (error.to_string(), 0, 0),
            |read| {
                let text = String::from_utf8_lossy(read.data()).into_owned();
                (text, read.line(), read.column())
            },
        )
    }

    #[test]
    fn places_count_characters() {
        let source = Source::new("a", "ä = 1\nöö = \"ß\"\n");
        assert_eq!(source.place(0), Place { line: 1, column: 1 });
        assert_eq!(source.place(12), Place { line: 2, column: 4 });
        assert_eq!(source.place(999), Place { line: 3, column: 1 });
        // in the middle of the first letter of line 2
        assert_eq!(source.place(8), Place { line: 2, column: 1 });
    }

    #[test]
    fn excerpts_have_context() {
        let source = Source::new("a", "one\ntwo\nthree\nfour\nfive\n");
        assert_eq!(contents(&source, 8..13, 1), ("two\nthree\nfour".into(), 1, 0));
        assert_eq!(contents(&source, 10..13, 0), ("ree".into(), 2, 2));
        assert_eq!(contents(&source, 0..3, 1), ("one\ntwo".into(), 0, 0));
    }

    #[test]
    fn endless_lines_are_cut() {
        let long = format!("short\n{}X{}", "é".repeat(4000), "é".repeat(4000));
        let at = long.find('X').unwrap_or(0);
        let source = Source::new("a", long);
        let (text, line, column) = contents(&source, at..at + 1, 1);
        assert_eq!(text, format!("{}X{}", "é".repeat(30), "é".repeat(29)));
        assert_eq!((line, column), (1, 3970));
    }

    #[test]
    fn excerpts_are_printable() {
        let text = "a\u{1b}[31m\u{9b}\u{202e}\u{e0041}b\rc\r\n";
        let source = Source::new("bell\u{7}", text);
        let drawn = contents(&source, 0..text.len(), 0).0;
        assert_eq!(drawn, "a?[31m¿\u{fffd}\u{fffd}?b?c\r\n");
        assert_eq!(drawn.len(), text.len());
        assert_eq!(source.name(), "bell\\u{7}");
        assert_eq!(source.text(), text);
    }

    #[test]
    fn spans_keep_to_one_line() {
        let source = Source::new("a", "[[link]]\nname = 1\n");
        assert_eq!(source.one_line(&(0..18)), 0..8);
        assert_eq!(source.one_line(&(40..50)), 18..18);
    }
}
