//! From the text of an expression to its program.
//!
//! ```text
//! sum     = product (('+' | '-') product)*
//! product = sign (('*' | '/') sign)*
//! sign    = ('-' | '+') sign | power
//! power   = atom ('^' sign)?
//! atom    = number | name | '{' name '}' | function '(' sum (',' sum)* ')' | '(' sum ')'
//! ```

use super::expression::{DEPTH, ExpressionError, ExpressionFault, Function, Op};
use std::f64::consts;
use std::ops::Range;

/// How deep parentheses and signs may be nested.
const NESTING: usize = 4 * DEPTH;

pub(super) fn parse(
    text: &str,
    variables: impl FnMut(&str) -> Option<usize>,
) -> Result<Vec<Op>, ExpressionError> {
    let mut parser = Parser { text, at: 0, program: Vec::new(), height: 0, nesting: 0, variables };
    parser.sum()?;
    match parser.peek() {
        None => Ok(parser.program),
        Some(_) => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'a, V> {
    text: &'a str,
    /// The byte that is looked at.
    at: usize,
    program: Vec<Op>,
    /// How many results are unfinished.
    height: isize,
    nesting: usize,
    variables: V,
}

type Parsed = Result<(), ExpressionError>;

impl<V: FnMut(&str) -> Option<usize>> Parser<'_, V> {
    fn sum(&mut self) -> Parsed {
        self.left_to_right(Self::product, &[('+', Op::Add), ('-', Op::Subtract)])
    }

    fn product(&mut self) -> Parsed {
        self.left_to_right(Self::sign, &[('*', Op::Multiply), ('/', Op::Divide)])
    }

    fn left_to_right(&mut self, part: fn(&mut Self) -> Parsed, operators: &[(char, Op)]) -> Parsed {
        part(self)?;
        while let Some(&(_, op)) =
            operators.iter().find(|(operator, _)| self.peek() == Some(*operator))
        {
            self.at += 1;
            part(self)?;
            self.push(op, self.at..self.at)?;
        }
        Ok(())
    }

    fn sign(&mut self) -> Parsed {
        self.nesting += 1;
        if self.nesting > NESTING {
            return Err(fault(self.at..self.at, ExpressionFault::TooDeep));
        }
        match self.peek() {
            Some('-') => {
                self.at += 1;
                self.sign()?;
                self.push(Op::Negate, self.at..self.at)?;
            }
            Some('+') => {
                self.at += 1;
                self.sign()?;
            }
            _ => self.power()?,
        }
        self.nesting -= 1;
        Ok(())
    }

    fn power(&mut self) -> Parsed {
        self.atom()?;
        if self.peek() == Some('^') {
            self.at += 1;
            self.sign()?;
            self.push(Op::Power, self.at..self.at)?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Parsed {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.sum()?;
                self.close("an operator or \")\"")
            }
            Some('{') => self.quoted(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            _ => Err(self.expected("a number, a name or \"(\"")),
        }
    }

    fn number(&mut self) -> Parsed {
        let rest = &self.text[self.at..];
        let mut length = digits(rest, 0);
        if rest[length..].starts_with('.') {
            length = digits(rest, length + 1);
        }
        if rest[length..].starts_with(['e', 'E']) {
            let signed = usize::from(rest[length + 1..].starts_with(['+', '-']));
            let end = digits(rest, length + 1 + signed);
            // `2e` without digits is a number followed by a name
            if end > length + 1 + signed {
                length = end;
            }
        }
        let range = self.at..self.at + length;
        let text = &rest[..length];
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.at = range.end;
                self.push(Op::Constant(value), range)
            }
            _ => Err(fault(range, ExpressionFault::NotANumber { text: text.to_owned() })),
        }
    }

    fn quoted(&mut self) -> Parsed {
        let start = self.at;
        let Some(length) = self.text[start..].find('}') else {
            let (expected, found) = ("\"}\" behind the name", "the end".to_owned());
            let range = start..self.text.len();
            return Err(fault(range, ExpressionFault::Expected { expected, found }));
        };
        self.at += length + 1;
        self.variable(start + 1..start + length)
    }

    fn name(&mut self) -> Parsed {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '@');
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (range, name) = (self.at..self.at + length, &rest[..length]);
        self.at = range.end;
        let function = Function::named(name);
        if self.peek() == Some('(') {
            let Some(function) = function else {
                let name = name.to_owned();
                return Err(fault(range, ExpressionFault::UnknownFunction { name }));
            };
            return self.call(function, range);
        }
        // a variable of the caller's stands before the constants
        if let Some(index) = (self.variables)(name) {
            return self.push(Op::Variable(index), range);
        }
        match (name, function) {
            ("pi", _) => self.push(Op::Constant(consts::PI), range),
            ("e", _) => self.push(Op::Constant(consts::E), range),
            (_, Some(function)) => {
                let name = function.name();
                Err(fault(range, ExpressionFault::FunctionWithoutArguments { name }))
            }
            _ => {
                let name = name.to_owned();
                Err(fault(range, ExpressionFault::UnknownVariable { name }))
            }
        }
    }

    fn variable(&mut self, range: Range<usize>) -> Parsed {
        let name = &self.text[range.clone()];
        if let Some(index) = (self.variables)(name) {
            return self.push(Op::Variable(index), range);
        }
        let name = name.to_owned();
        Err(fault(range, ExpressionFault::UnknownVariable { name }))
    }

    fn call(&mut self, function: Function, range: Range<usize>) -> Parsed {
        self.at += 1;
        let mut given = 0;
        if self.peek() != Some(')') {
            self.sum()?;
            given = 1;
            while self.peek() == Some(',') {
                self.at += 1;
                self.sum()?;
                given += 1;
            }
        }
        self.close("an operator, \",\" or \")\"")?;
        let (name, needed) = (function.name(), function.arguments());
        if given != needed {
            let range = range.start..self.at;
            return Err(fault(range, ExpressionFault::WrongArguments { name, given, needed }));
        }
        self.push(Op::Call(function), range)
    }

    fn close(&mut self, expected: &'static str) -> Parsed {
        if self.peek() != Some(')') {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn push(&mut self, op: Op, range: Range<usize>) -> Parsed {
        self.height += op.growth();
        if self.height > DEPTH.cast_signed() {
            return Err(fault(range, ExpressionFault::TooDeep));
        }
        self.program.push(op);
        Ok(())
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn expected(&mut self, expected: &'static str) -> ExpressionError {
        let (found, length) = match self.peek() {
            Some(c) => (format!("\"{c}\""), c.len_utf8()),
            None => ("the end".to_owned(), 0),
        };
        fault(self.at..self.at + length, ExpressionFault::Expected { expected, found })
    }
}

/// Where the digits from a place on end.
fn digits(text: &str, from: usize) -> usize {
    from + text[from..].bytes().take_while(u8::is_ascii_digit).count()
}

fn fault(range: Range<usize>, fault: ExpressionFault) -> ExpressionError {
    ExpressionError { range, fault }
}
