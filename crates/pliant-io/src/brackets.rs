//! Brackets and quotes of a TOML text that is not well-formed: which of them has no end?

/// Where the bracket stands that has no end, as far as lines tell: a new key or a new table begins
/// before it is closed, or a bracket of the other kind closes first.
pub(crate) fn unclosed(text: &str) -> Option<usize> {
    let mut scan = Scan { text, open: Vec::new(), separated: true };
    let mut indentation = 0;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indented = line.len() - line.trim_start().len();
        match scan.open.last() {
            // a header
            None if line.trim_start().starts_with('[') => {}
            opened => {
                if let Some(&at) = opened {
                    let in_table = text[at..].starts_with('{');
                    let inside = in_table && (scan.separated || indented > indentation);
                    if is_header(line) || (begins_with_key(line) && !inside) {
                        return Some(at);
                    }
                } else {
                    indentation = indented;
                }
                if let Some(crossed) = scan.line(line, start) {
                    return Some(crossed);
                }
            }
        }
        start += line.len();
    }
    scan.open.last().copied()
}

/// The brackets that are open, line after line.
struct Scan<'a> {
    text: &'a str,
    open: Vec<usize>,
    /// Whether a comma or an opening bracket came last, so that a further entry may follow.
    separated: bool,
}

impl Scan<'_> {
    /// Goes through a line that begins at `start`; the bracket that another one closes too early.
    fn line(&mut self, line: &str, start: usize) -> Option<usize> {
        let mut rest = line;
        while let Some((before, mark)) = split_at_mark(rest) {
            let at = start + line.len() - rest.len() + before.len();
            rest = &rest[before.len() + 1..];
            if mark == b'#' {
                self.separated &= before.trim().is_empty();
                return None;
            }
            self.separated = matches!(mark, b',' | b'[' | b'{');
            match mark {
                b'[' | b'{' => self.open.push(at),
                b']' | b'}' => {
                    let pair = if mark == b']' { '[' } else { '{' };
                    let opened = self.open.pop();
                    let crossed = opened.filter(|&opened| !self.text[opened..].starts_with(pair));
                    if crossed.is_some() {
                        return crossed;
                    }
                }
                b'"' | b'\'' => {
                    let Some(length) = length_of_text(rest, mark) else {
                        // what the quote swallows may have closed them
                        self.open.clear();
                        return None;
                    };
                    rest = &rest[length..];
                }
                _ => {}
            }
        }
        self.separated &= rest.trim().is_empty();
        None
    }
}

/// Where the text begins that has no end on its line.
pub(crate) fn open_quote(line: &str) -> Option<usize> {
    let mut rest = line;
    while let Some((before, mark)) = split_at_mark(rest) {
        rest = &rest[before.len() + 1..];
        match mark {
            b'#' => return None,
            b'"' | b'\'' => match length_of_text(rest, mark) {
                Some(length) => rest = &rest[length..],
                None => return Some(line.len() - rest.len() - 1),
            },
            _ => {}
        }
    }
    None
}

/// The bracket around a place, if there is one; `text` ends at that place.
pub(crate) fn innermost(text: &str) -> Option<char> {
    unclosed(text).and_then(|at| text[at..].chars().next())
}

/// What stands before the next bracket, comma, quote or comment, and this mark.
fn split_at_mark(text: &str) -> Option<(&str, u8)> {
    let at = text.find(['[', ']', '{', '}', ',', '"', '\'', '#'])?;
    Some((&text[..at], text.as_bytes()[at]))
}

/// How long a text and its closing quote are, after the opening quote.
fn length_of_text(text: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\n' => return None,
            b'\\' => escaped = quote == b'"',
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn is_bare(key: &str) -> bool {
    let may = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    key.starts_with(|c: char| c.is_alphabetic()) && key.chars().all(may)
}

/// `[name]` or `[[name]]`, alone on its line.
fn is_header(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or(line).trim();
    let inside = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inside.is_some_and(|inside| is_bare(inside.trim_matches(['[', ']', ' '])))
}

/// `name = …`.
fn begins_with_key(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, _)| is_bare(key.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bracket that has no end, with what follows it.
    fn tear(text: &str) -> Option<&str> {
        unclosed(text).and_then(|at| text.get(at..at + 2))
    }

    #[test]
    fn the_bracket_without_an_end_is_found() {
        assert_eq!(tear("[[a]]\nb = [1, 2]\nc = [3 4]\n"), None);
        assert_eq!(tear("b = [1, 2\nc = [3]\n"), Some("[1"));
        assert_eq!(tear("b = [1, 2\n\n[[a]]\nc = [3]\n"), Some("[1"));
        assert_eq!(tear("b = [1, 2"), Some("[1"));
        assert_eq!(tear("b = {x = 1\nc = 2\n"), Some("{x"));
        assert_eq!(tear("b = {x = 1, # }\n[c]\n"), Some("{x"));
        assert_eq!(tear("b = [{x = [2, 1}]\n"), Some("[2"));
        assert_eq!(tear("b = [\n  {x = 1},\n  {y = 1,\n]\n"), Some("{y"));
    }

    #[test]
    fn tables_over_several_lines_have_ends() {
        assert_eq!(tear("b = {\n  x = 1\n  y = 2\n}\nc = 3\n"), None);
        assert_eq!(tear("b = {\nx = \"]\",\ny = 2\n}\nc = 3\n"), None);
        assert_eq!(tear("b = [\n  '[', # [\n  \"\\\"[\",\n]\nc = 3\n"), None);
    }

    #[test]
    fn quotes_without_an_end() {
        assert_eq!(open_quote("a = \"b\" # \""), None);
        assert_eq!(open_quote("a = \"it's\""), None);
        assert_eq!(open_quote("a = [\"b, 1]\n"), Some(5));
        assert_eq!(tear("a = [\"b, 1]\nc = 1\n"), None);
        assert_eq!(innermost("a = [1, { b = 2"), Some('{'));
        assert_eq!(innermost("a = [1]\nb = "), None);
    }
}
