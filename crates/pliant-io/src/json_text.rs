//! From JSON text to a tree of values. The usual reader gives no positions of values, and errors
//! are to point at them, hence this one.

use crate::codes;
use crate::node::{DEEPEST, Entry, Node, Value};
use crate::problem::Problem;
use crate::source::Source;

/// Reads a document; on failure, where it breaks the rules of JSON.
pub(crate) fn read(source: &Source) -> Result<Node, Vec<Problem>> {
    let mut parser = Parser { text: source.text(), at: 0, depth: 0 };
    parser.document().map_err(|fault| vec![fault.into_problem(source)])
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

struct Fault {
    at: usize,
    message: &'static str,
    help: &'static str,
}

impl Fault {
    fn into_problem(self, source: &Source) -> Problem {
        // the end of the file is after its last letter
        let start = self.at.min(source.text().trim_end().len());
        let next = source.text()[start..].chars().next();
        let end = next.filter(|c| !c.is_whitespace()).map_or(start, |c| start + c.len_utf8());
        let problem = Problem::error(&codes::SYNTAX, self.message).at(start..end);
        if self.help.is_empty() {
            problem.help("a state looks like this: {\"q\": [0.1, 0.2], \"tau\": [0, 1]}")
        } else {
            problem.help(self.help)
        }
    }
}

impl Parser<'_> {
    fn document(&mut self) -> Result<Node, Fault> {
        self.skip_space();
        if self.peek().is_none() {
            return self.fault("the file is empty", "");
        }
        let node = self.node()?;
        self.skip_space();
        match self.peek() {
            None => Ok(node),
            Some(_) => self.fault("something follows the end of the value", ""),
        }
    }

    fn fault<T>(&self, message: &'static str, help: &'static str) -> Result<T, Fault> {
        let at = self.at;
        Err(Fault { at, message, help })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn node(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::table)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            Some(b'\'') => return self.fault("text stands in double quotes", "write \"…\""),
            Some(_) => return self.fault("a value cannot begin like this", ""),
            None => return self.fault("the file ends where a value should be", ""),
        };
        let span = start..self.at;
        Ok(Node { span, value })
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        if self.depth == DEEPEST {
            return self.fault("lists or objects are nested too deeply", "");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// After an entry: whether another follows.
    fn another(&mut self, close: u8, missing: &'static str) -> Result<bool, Fault> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(close) {
                    return self.fault("nothing follows the last comma", "remove the comma");
                }
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => self.fault(missing, ""),
        }
    }

    fn opens_empty(&mut self, close: u8) -> bool {
        self.skip_space();
        let empty = self.peek() == Some(close);
        self.at += usize::from(empty);
        empty
    }

    fn list(&mut self) -> Result<Value, Fault> {
        let mut list = Vec::new();
        if self.opens_empty(b']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.node()?);
            if !self.another(b']', "a comma or ] is missing here")? {
                return Ok(Value::List(list));
            }
        }
    }

    fn table(&mut self) -> Result<Value, Fault> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys = std::collections::HashSet::new();
        if self.opens_empty(b'}') {
            return Ok(Value::Table(entries));
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fault("a key stands in double quotes", "such as \"q\": [0.1, 0.2]");
            }
            let key = self.text()?;
            let key_span = start..self.at;
            if !keys.insert(key.clone()) {
                self.at = start;
                return self.fault("this key is given twice", "keep one of the two");
            }
            self.skip_space();
            if self.peek() != Some(b':') {
                return self.fault("a colon is missing after the key", "");
            }
            self.at += 1;
            self.skip_space();
            let node = self.node()?;
            entries.push(Entry { key, key_span, node });
            if !self.another(b'}', "a comma or } is missing here")? {
                return Ok(Value::Table(entries));
            }
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let rest = &self.text[self.at..];
        for (word, value) in [
            ("true", Value::Flag(true)),
            ("false", Value::Flag(false)),
            ("null", Value::Foreign("null")),
        ] {
            if let Some(after) = rest.strip_prefix(word)
                && !after.starts_with(|c: char| c.is_alphanumeric())
            {
                self.at += word.len();
                return Ok(value);
            }
        }
        let upper = rest.get(..3).unwrap_or_default().to_ascii_lowercase();
        if upper == "nan" || upper == "inf" {
            return self.fault(
                "there is no such number in JSON, and pliant needs finite ones",
                "give a finite number",
            );
        }
        self.fault("text stands in double quotes", "write \"…\" around it, or a number")
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.fault("a digit is missing here", "");
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        let first = self.at;
        self.digits()?;
        if leading_zero && self.at > first + 1 {
            self.at = start;
            return self.fault("a number begins with a superfluous zero", "remove it");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        let number = self.text[start..self.at].parse().unwrap_or(f64::NAN);
        Ok(Value::Number(number))
    }

    fn text(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return self.fault("a text has no end on its line", "close it with \""),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let escaped = match self.peek() {
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return self.fault("no such escape; a backslash is written \\\\", ""),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn four_digits(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return self.fault("\\u needs four hexadecimal digits", "");
        }
        let code = u32::from_str_radix(digits, 16).unwrap_or_default();
        self.at += 4;
        Ok(code)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let mut code = self.four_digits()?;
        if (0xd800..0xdc00).contains(&code) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let low = self.four_digits()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        match char::from_u32(code) {
            Some(character) => Ok(character),
            None => self.fault("half a character: a surrogate without its partner", ""),
        }
    }
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
        for text in [
            "{}",
            "[]",
            " { \"q\" : [ 1.5 , -0.25e1, 1E+2 ] } ",
            "{\"a\": {\"b\": null, \"c\": true, \"d\": false}}",
            "\"\\u00e4\\n\\\\ \\ud83e\\udd16 ü\"",
            "-0.5",
            "",
            "{",
            "[1,]",
            "[1 2]",
            "01",
            "1.",
            "+1",
            "--1",
            ".5",
            "1e",
            "nul",
            "nullx",
            "NaN",
            "{\"a\" 1}",
            "{\"a\": 1,}",
            "{a: 1}",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"new\nline\"",
            "\"open",
            "[1] 2",
            "é",
        ] {
            let ours = read(&Source::new("a", text)).map(|node| to_json(&node));
            let theirs: Result<serde_json::Value, _> = serde_json::from_str(text);
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
                (Err(_), Err(_)) => {}
                (ours, theirs) => panic!("{text}: {ours:?}, {theirs:?}"),
            }
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
        let text = "{\"q\": [1, \"2 deg\"]}";
        let source = Source::new("a", text);
        let node = read(&source).unwrap_or(Node { span: 0..0, value: Value::Foreign("") });
        let q = node.entry("q").map(|entry| entry.node.clone());
        let Some(Node { value: Value::List(list), .. }) = q else {
            panic!("no list");
        };
        assert_eq!(source.slice(&list[1].span), "\"2 deg\"");
    }
}
