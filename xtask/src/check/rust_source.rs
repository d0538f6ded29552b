//! A Rust file split into what runs and what is said about it.
//!
//! No parser: the rules need only to know code from comments from literals.

/// A Rust file, seen twice with the same line numbers.
pub(super) struct RustSource {
    /// Path from the root.
    pub(super) path: String,
    /// The file with comments and literals blanked out.
    pub(super) code: String,
    /// The comments, one entry for each line that has one.
    pub(super) comments: Vec<Comment>,
}

/// One line of comment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    /// Counted from one.
    pub(super) line: usize,
    /// Without the slashes, stars and marks of documentation.
    pub(super) text: String,
}

impl RustSource {
    pub(super) fn new(path: &str, source: &str) -> Self {
        let mut split = Splitter {
            rest: source,
            code: String::with_capacity(source.len()),
            comments: Vec::new(),
            line: 1,
        };
        while split.step() {}
        Self { path: path.to_owned(), code: split.code, comments: split.comments }
    }

    /// The words and signs of the code, each with its line.
    pub(super) fn tokens(&self) -> Vec<(usize, &str)> {
        let mut tokens = Vec::new();
        for (index, line) in self.code.lines().enumerate() {
            let mut rest = line.trim_start();
            while let Some(first) = rest.chars().next() {
                let length = if is_word(first) {
                    rest.find(|c| !is_word(c)).unwrap_or(rest.len())
                } else if rest.starts_with("::") {
                    2
                } else {
                    first.len_utf8()
                };
                tokens.push((index + 1, &rest[..length]));
                rest = rest[length..].trim_start();
            }
        }
        tokens
    }
}

/// True for the characters of names and numbers.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Splitter<'a> {
    rest: &'a str,
    code: String,
    comments: Vec<Comment>,
    line: usize,
}

impl Splitter<'_> {
    /// Consumes one comment, literal, word or character; false at the end.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else {
            return false;
        };
        if self.rest.starts_with("//") {
            let length = self.rest.find('\n').unwrap_or(self.rest.len());
            self.comment(length);
        } else if self.rest.starts_with("/*") {
            self.comment(block_comment(self.rest));
        } else if let Some(length) = string(self.rest).or_else(|| character(self.rest)) {
            self.blank(length);
        } else if is_word(first) {
            // a whole word at once, so that the r of `for` opens no raw string
            self.keep(self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()));
        } else {
            self.keep(first.len_utf8());
        }
        true
    }

    fn keep(&mut self, length: usize) {
        let (kept, rest) = self.rest.split_at(length);
        self.code.push_str(kept);
        self.line += kept.matches('\n').count();
        self.rest = rest;
    }

    /// Leaves only the line breaks, and a blank so that the neighbours stay apart.
    fn blank(&mut self, length: usize) {
        let (gone, rest) = self.rest.split_at(length);
        let breaks = gone.matches('\n').count();
        self.code.push(' ');
        self.code.extend(std::iter::repeat_n('\n', breaks));
        self.line += breaks;
        self.rest = rest;
    }

    fn comment(&mut self, length: usize) {
        for (index, line) in self.rest[..length].lines().enumerate() {
            let text = line.trim().trim_start_matches(['/', '*', '!']);
            let text = text.trim_end_matches("*/").trim();
            self.comments.push(Comment { line: self.line + index, text: text.to_owned() });
        }
        self.blank(length);
    }
}

/// The length of the block comment that starts here; block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string literal that starts here, with its prefix.
fn string(text: &str) -> Option<usize> {
    let after_kind = text.strip_prefix('b').or_else(|| text.strip_prefix('c')).unwrap_or(text);
    if let Some(raw) = after_kind.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if let Some(body) = raw[hashes..].strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let length = body.find(&end).map_or(body.len(), |at| at + end.len());
            return Some(text.len() - body.len() + length);
        }
    }
    let body = after_kind.strip_prefix('"')?;
    Some(text.len() - body.len() + closing(body, '"'))
}

/// The length of the character literal that starts here; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('\'')?;
    let first = body.chars().next()?;
    if first == '\\' || body[first.len_utf8()..].starts_with('\'') {
        Some(text.len() - body.len() + closing(body, '\''))
    } else {
        None
    }
}

/// Up to and with the closing mark that no backslash protects.
fn closing(body: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        if !escaped && c == mark {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    body.len()
}

#[cfg(test)]
mod tests {
    use super::{Comment, RustSource};

    fn code_of(source: &str) -> String {
        RustSource::new("a.rs", source).code
    }

    #[test]
    fn literals_and_comments_leave_the_code() {
        assert_eq!(code_of("a(\"x // y\\\" z\", b) // c"), "a( , b)  ");
        assert_eq!(code_of("r#\"one \" two\"# + b\"x\" + br\"\\\" + c\"d\""), "  +   +   +  ");
        assert_eq!(code_of("'\"' + '\\'' + b'x'"), "  +   +  ");
        assert_eq!(code_of("a /* b /* c */ d */ e"), "a   e");
    }

    #[test]
    fn lifetimes_and_raw_names_stay() {
        assert_eq!(code_of("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
        assert_eq!(code_of("r#type for\"x\""), "r#type for ");
    }

    #[test]
    fn lines_are_kept() {
        let source = RustSource::new("a.rs", "\"a\nb\"\n/* c\n d */\nx // e");
        assert_eq!(source.tokens(), [(5, "x")]);
        let lines: Vec<_> = source.comments.iter().map(|c| (c.line, &*c.text)).collect();
        assert_eq!(lines, [(3, "c"), (4, "d"), (5, "e")]);
    }

    #[test]
    fn comments_lose_their_marks() {
        let source = RustSource::new("a.rs", "/// One.\n//! Two.\n// three\n");
        let texts: Vec<&Comment> = source.comments.iter().collect();
        assert_eq!(texts[0].text, "One.");
        assert_eq!(texts[1].text, "Two.");
        assert_eq!(texts[2].text, "three");
    }

    #[test]
    fn tokens_are_words_and_signs() {
        let source = RustSource::new("a.rs", "use crate::{a, b};");
        let words: Vec<&str> = source.tokens().iter().map(|token| token.1).collect();
        assert_eq!(words, ["use", "crate", "::", "{", "a", ",", "b", "}", ";"]);
    }
}
