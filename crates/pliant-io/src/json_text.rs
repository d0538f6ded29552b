//! From JSON text to a tree of values. `serde_json` does not tell where values stand, and errors
//! point at them, hence this reader. It takes what JSON allows and nothing else.

use crate::codes;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::source::Source;
use crate::toml_faults::{TYPOGRAPHIC, completed, no_end};
use std::collections::HashSet;
use std::ops::Range;

/// Deeper lists and tables are refused.
const DEEPEST: usize = 80;

const EXAMPLE: &str = "a state looks like this: {\"q\": [0.1, 0.2], \"tau\": [0, 1]}";

/// Reads a document; on failure, where it breaks the rules of JSON.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    let mut parser = Parser { text: source.text(), at: 0, depth: 0 };
    parser.document().map_err(|problem| vec![problem])
}

struct Parser<'a> {
    text: &'a str,
    /// How many bytes have been read.
    at: usize,
    depth: usize,
}

fn fault(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Problem {
    Problem::error(&codes::SYNTAX, message).at(span).help(help)
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Node, Problem> {
        self.skip_space()?;
        if !self.rest().starts_with(['{', '[']) {
            let empty = self.rest().is_empty();
            let message = if empty { "the file is empty" } else { "braces are missing" };
            return Err(fault(self.at..self.at, message, EXAMPLE));
        }
        let node = self.node()?;
        self.skip_space()?;
        match self.next() {
            span if span.is_empty() => Ok(node),
            span => Err(fault(span, "something follows the end", EXAMPLE)),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Where the next character stands; nothing at the end of the file.
    fn next(&self) -> Range<usize> {
        self.at..self.at + self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// Whether this character comes next; it is read then.
    fn eat(&mut self, character: char) -> bool {
        let comes = self.rest().starts_with(character);
        self.at += if comes { character.len_utf8() } else { 0 };
        comes
    }

    fn skip_space(&mut self) -> Result<(), Problem> {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
        if ["#", "//", "/*"].iter().any(|mark| self.rest().starts_with(mark)) {
            return Err(fault(self.next(), "a comment begins here", "remove it; JSON has none"));
        }
        Ok(())
    }

    /// The same within the list or table that begins at `open`.
    fn skip_space_within(&mut self, open: usize) -> Result<(), Problem> {
        self.skip_space()?;
        if self.rest().is_empty() { Err(no_end(self.text, open)) } else { Ok(()) }
    }

    fn node(&mut self) -> Result<Node, Problem> {
        let start = self.at;
        let value = match self.rest().as_bytes().first() {
            Some(b'[') => Value::List(self.nested(']', Self::node)?),
            Some(b'{') => {
                let (entries, mut keys) = (self.nested('}', Self::entry)?, HashSet::new());
                if let Some(twice) = entries.iter().find(|entry| !keys.insert(&entry.key)) {
                    let message = format!("the key {} is given twice", quoted(&twice.key));
                    return Err(fault(twice.key_span.clone(), message, "keep one of the two"));
                }
                Value::Table(entries)
            }
            Some(b'"') => Value::Text(self.quoted_text()?),
            _ => self.plain_value()?,
        };
        Ok(Node { span: start..self.at, value })
    }

    /// What the brackets of a list or a table hold.
    fn nested<T>(
        &mut self,
        close: char,
        read: impl Fn(&mut Self) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let open = self.at;
        if self.depth == DEEPEST {
            return Err(fault(self.next(), "lists or tables are nested too deeply", EXAMPLE));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_space_within(open)?;
        let mut all = Vec::new();
        let mut ended = self.eat(close);
        while !ended {
            all.push(read(self)?);
            self.skip_space_within(open)?;
            let comma = self.next();
            ended = self.eat(close);
            if ended {
                continue;
            }
            if !self.eat(',') {
                let message = format!("a comma or {close} is missing here");
                return Err(fault(comma, message, EXAMPLE));
            }
            self.skip_space_within(open)?;
            if self.rest().starts_with(close) {
                return Err(fault(comma, "nothing follows the last comma", "remove the comma"));
            }
        }
        self.depth -= 1;
        Ok(all)
    }

    fn entry(&mut self) -> Result<Entry, Problem> {
        let start = self.at;
        if !self.rest().starts_with('"') {
            let key = self.up_to(&[':', '=', ',', '{', '}', '[', ']', '\n']);
            let span = start..start + key.len();
            if key.is_empty() {
                return Err(fault(span, "a key is missing here", EXAMPLE));
            }
            let help = format!("write {}: …", quoted(without_quotes(key)));
            return Err(fault(span, "a key stands in double quotes", help));
        }
        let key = self.quoted_text()?;
        let key_span = start..self.at;
        self.skip_space()?;
        let colon = self.next();
        if !self.eat(':') {
            let help = format!("write {}: …", quoted(&key));
            return Err(fault(colon, "a colon belongs between a key and its value", help));
        }
        self.skip_space()?;
        Ok(Entry { key, key_span, node: self.node()? })
    }

    /// The text before the first of some marks, without the space at its end.
    fn up_to(&self, marks: &[char]) -> &'a str {
        let text = self.rest().split(marks).next().unwrap_or_default();
        text.trim_end_matches([' ', '\t', '\r'])
    }

    /// A value without quotes and brackets.
    fn plain_value(&mut self) -> Result<Value, Problem> {
        let text = self.up_to(&[',', ':', '[', ']', '{', '}', '"', '#', '\n']);
        let text = text.split("//").next().unwrap_or(text).split("/*").next().unwrap_or(text);
        let text = text.trim_end_matches([' ', '\t']);
        let span = self.at..self.at + text.len();
        self.at = span.end;
        let small = text.to_ascii_lowercase();
        let (message, help) = match text {
            "true" | "false" => return Ok(Value::Flag(text == "true")),
            "null" => return Ok(Value::Foreign("null")),
            _ if is_number(text) => return Ok(Value::Number(text.parse().unwrap_or(f64::NAN))),
            "" => ("a value is missing here".to_owned(), EXAMPLE.to_owned()),
            _ if without_quotes(text) != text => (
                "text stands in straight double quotes".to_owned(),
                format!("write {}", quoted(without_quotes(text))),
            ),
            _ if ["nan", "inf", "infinity"].contains(&small.trim_start_matches(['+', '-'])) => {
                (format!("the number {text} is not finite"), "give a finite number".to_owned())
            }
            _ if small == "true" || small == "false" => {
                (format!("the word {text} has capital letters"), format!("write {small}"))
            }
            _ if small == "none" || small == "null" => {
                (format!("the word {text} is no value"), "give a number, or leave the key out".to_owned())
            }
            _ if text.split_whitespace().all(is_number) => (
                "a comma is missing between two entries of a list".to_owned(),
                format!("write {}", text.split_whitespace().collect::<Vec<_>>().join(", ")),
            ),
            _ if text.parse::<f64>().is_ok() => (
                format!("JSON does not write a number as {text}"),
                format!("write {}", completed(text)),
            ),
            _ => (
                format!("{} is neither a number nor text in double quotes", quoted(text)),
                "a number is written like -1.5 or 2e-3; text, and numbers with units, stand in double quotes: \"90 deg\"".to_owned(),
            ),
        };
        Err(fault(span, message, help))
    }

    fn quoted_text(&mut self) -> Result<String, Problem> {
        let (start, mut text) = (self.at, String::new());
        self.at += 1;
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat('"') {
                return Ok(text);
            }
            if !rest[plain..].starts_with('\\') {
                let help = "close it with \"; within it, a new line is written \\n and a tab \\t";
                return Err(fault(start..self.at, "a text has no end", help));
            }
            text.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, Problem> {
        let start = self.at;
        self.at += 1;
        let letter = self.next();
        let name = &self.text[letter.clone()];
        if name == "u" {
            return self.escape_by_code(start);
        }
        let Some(index) = "\"\\/bfnrt".find(name).filter(|_| !name.is_empty()) else {
            let message = "a backslash begins an escape, and there is none like this";
            return Err(fault(start..letter.end, message, "write \\\\ for a backslash"));
        };
        self.at = letter.end;
        Ok(char::from(b"\"\\/\x08\x0c\n\r\t"[index]))
    }

    /// `u00e4`, or `ud83e\udd16` for a character that needs two codes of sixteen bits.
    fn escape_by_code(&mut self, start: usize) -> Result<char, Problem> {
        let mut codes = Vec::new();
        loop {
            self.at += 1;
            let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
            let whole = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let Some(code) = u16::from_str_radix(digits, 16).ok().filter(|_| whole) else {
                let message = "\\u needs four hexadecimal digits";
                return Err(fault(start..self.at, message, "write \\u00e4 for ä, or ä itself"));
            };
            self.at += 4;
            codes.push(code);
            match char::decode_utf16(codes.iter().copied()).next() {
                Some(Ok(character)) => return Ok(character),
                _ if codes.len() == 1 && self.rest().starts_with("\\u") => self.at += 1,
                _ => {
                    let message = "this escape is half of a character";
                    return Err(fault(start..self.at, message, "write the character itself"));
                }
            }
        }
    }
}

/// What stands between quotes that are none of JSON.
fn without_quotes(text: &str) -> &str {
    text.trim_matches(|c| c == '\'' || TYPOGRAPHIC.contains(&c))
}

/// Whether JSON writes a number so.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    [whole, fraction, exponent].into_iter().all(digits) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree as `serde_json` would have it.
    fn to_json(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Text(text) => text.clone().into(),
            Value::Number(number) => (*number).into(),
            Value::Flag(flag) => (*flag).into(),
            Value::List(list) => list.iter().map(to_json).collect(),
            Value::Table(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), to_json(&entry.node))).collect()
            }
            Value::Foreign(_) => serde_json::Value::Null,
        }
    }

    #[test]
    fn agrees_with_serde_json() {
        let whole =
            ["", "{", "é", "\u{feff}", "{\"a\" 1}", "{a: 1}", "[1] 2", "[1,", "[1,]", "[,]"];
        let values = " 1.5 ;-0.25e1;1E+2;-0;null;true;\"\\u00e4\\n\\\\ \\/ \\ud83e\\udd16 ü: '\"\
            ;{\"b: c\":\n\t1.0, \"c\\\"\": {}}; {\"a\": 1,};01;1.;+1;--1;.5;1e;0x10;1_0;nul;nullx\
            ;NaN;-Infinity;True;'a';\"\\x\";\"\\u12\";\"\\ud800\";\"\\ud800\\u0041\";\"\\udd16\\ud83e\"\
            ;\"new\nline\";\"tab\t\";\"open;1 2;1 = 2;{\"a\" = 1};1 # one;// one\n1;{\"a\": 1 /* */}";
        let values = values.split(';').map(|value| format!("[{value}]"));
        for text in whole.into_iter().map(str::to_owned).chain(values) {
            let ours = read(&Source::new("a", text.as_str())).ok().map(|node| to_json(&node));
            assert_eq!(ours, serde_json::from_str(&text).ok(), "{text}");
        }
    }

    #[test]
    fn what_people_type_is_answered() {
        for (text, answer) in [
            ("[--1]", "\"--1\" is neither a number nor text in double quotes"),
            ("[-Infinity]", "the number -Infinity is not finite; give a finite number"),
            ("[1, 2 3]", "a comma is missing between two entries of a list; write 2, 3"),
            ("[None]", "the word None is no value; give a number, or leave the key out"),
            ("[True]", "the word True has capital letters; write true"),
            ("[+1]", "JSON does not write a number as +1; write 1"),
            ("[.5]", "JSON does not write a number as .5; write 0.5"),
            ("[1 \t2]", "a comma is missing between two entries of a list; write 1, 2"),
            (
                "{,}",
                "a key is missing here; a state looks like this: {\"q\": [0.1, 0.2], \"tau\": [0, 1]}",
            ),
            ("{q: 1}", "a key stands in double quotes; write \"q\": …"),
            ("{\"q\" = 1}", "a colon belongs between a key and its value; write \"q\": …"),
            ("[‘3 deg’]", "text stands in straight double quotes; write \"3 deg\""),
            ("[3 deg]", "\"3 deg\" is neither a number nor text in double quotes"),
            ("[1 // one\n]", "a comment begins here; remove it; JSON has none"),
        ] {
            let problem = read(&Source::new("a", text)).err().unwrap_or_default().remove(0);
            let said = format!("{}; {}", problem.message, problem.help.unwrap_or_default());
            assert!(said.starts_with(answer), "{text}: {said}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        for open in ["[", "{\"a\":"] {
            let deep = open.repeat(100_000);
            assert!(read(&Source::new("a", deep)).is_err());
        }
    }

    #[test]
    fn spans_cover_values() {
        let source = Source::new("a", "\u{feff} \n{\"q\": [1, \"2 deg\"]}");
        let node = read(&source).unwrap_or(Node { span: 0..0, value: Value::Foreign("") });
        let Some(entry) = node.entry("q") else { panic!("no entry") };
        let Value::List(list) = &entry.node.value else { panic!("no list") };
        assert_eq!(source.slice(&entry.key_span), "\"q\"");
        assert_eq!(source.slice(&list[1].span), "\"2 deg\"");
    }
}
