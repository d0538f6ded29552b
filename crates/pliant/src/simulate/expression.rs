//! Small expressions of time and channels.

use super::parser;
use crate::Help;
use crate::scalar::{Jet, Number, cosine, sine};
use std::ops::Range;

/// How many intermediate results an expression may need at once.
pub(super) const DEPTH: usize = 64;

/// An expression such as `10 * sin(2 pi t)`, compiled once and evaluated without allocation.
///
/// Numbers, `+ - * / ^`, parentheses, the constants `pi` and `e`, the functions of
/// [`Function::ALL`], and variables that the caller knows; a name with anything else than letters,
/// digits, `_` and `.` in it stands in braces.
///
/// ```
/// use pliant::simulate::Expression;
///
/// let names = ["t", "upper.y1", "link 0"];
/// let known = |name: &str| names.iter().position(|&n| n == name);
/// let expression = Expression::parse("max(t, 1) - 2 * upper.y1^2 / {link 0}", known)?;
/// assert_eq!(expression.evaluate(&[3.0, 2.0, 4.0]), 1.0);
///
/// let error = Expression::parse("2 * uper.y1", known).unwrap_err();
/// assert_eq!(&"2 * uper.y1"[error.range], "uper.y1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    pub(super) program: Vec<Op>,
}

/// A step of the program, on a stack of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Constant(f64),
    Variable(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Call(Function),
}

/// An operation that need not be smooth everywhere.
#[derive(Clone, Copy)]
enum Part {
    Call(Function),
    Quotient,
    Power {
        /// Whether the exponent is a constant 0, 1, 2, …
        is_whole: bool,
    },
}

impl Op {
    /// By how much the stack is higher afterwards.
    pub(super) fn growth(self) -> isize {
        match self {
            Self::Constant(_) | Self::Variable(_) => 1,
            Self::Negate => 0,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power => -1,
            Self::Call(function) => 1 - function.arguments().cast_signed(),
        }
    }
}

/// The functions of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Sine (rad).
    Sin,
    /// Cosine (rad).
    Cos,
    /// Tangent (rad).
    Tan,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// Square root.
    Sqrt,
    /// Absolute value.
    Abs,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// -1, 0 or 1.
    Sign,
    /// 0 below zero, else 1.
    Step,
    /// The angle of the point `(x, y)`, from `atan2(y, x)` (rad).
    Atan2,
    /// Hyperbolic tangent.
    Tanh,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Exp,
        Self::Log,
        Self::Sqrt,
        Self::Abs,
        Self::Min,
        Self::Max,
        Self::Sign,
        Self::Step,
        Self::Atan2,
        Self::Tanh,
    ];

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sign => "sign",
            Self::Step => "step",
            Self::Atan2 => "atan2",
            Self::Tanh => "tanh",
        }
    }

    /// How many arguments it takes.
    pub const fn arguments(self) -> usize {
        match self {
            Self::Min | Self::Max | Self::Atan2 => 2,
            _ => 1,
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// `f(x)`, or `f(x, y)` for those of two arguments.
    fn of<T: Number>(self, x: T, y: T) -> T {
        match self {
            Self::Sin => x.apply(sine),
            Self::Cos => x.apply(cosine),
            Self::Tan => x.apply(sine) / x.apply(cosine),
            Self::Exp => x.apply(|x| [x.exp(); 3]),
            Self::Log => x.apply(|x| [x.ln(), 1.0 / x, -1.0 / (x * x)]),
            Self::Sqrt => x.apply(|x| {
                let root = x.sqrt();
                [root, 0.5 / root, -0.25 / (x * root)]
            }),
            Self::Abs => x.apply(|x| [x.abs(), sign(x), 0.0]),
            Self::Min => {
                if y.value() < x.value() {
                    y
                } else {
                    x
                }
            }
            Self::Max => {
                if y.value() > x.value() {
                    y
                } else {
                    x
                }
            }
            Self::Sign => x.apply(|x| [sign(x), 0.0, 0.0]),
            Self::Step => x.apply(|x| [if x < 0.0 { 0.0 } else { 1.0 }, 0.0, 0.0]),
            Self::Atan2 => angle(x, y),
            Self::Tanh => x.apply(|x| {
                let value = x.tanh();
                let slope = 1.0 - value * value;
                [value, slope, -2.0 * value * slope]
            }),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// `atan2(y, x)`: the angle at this instant, and the arc tangent of what has turned since.
fn angle<T: Number>(y: T, x: T) -> T {
    let (sin, cos) = (y.value(), x.value());
    let constant = T::constant;
    // in axes turned by the angle the point lies on the first axis
    let along = constant(cos) * x + constant(sin) * y;
    let across = constant(cos) * y - constant(sin) * x;
    let now = constant(sin.atan2(cos));
    if along.value() == 0.0 {
        return now;
    }
    let arc = |x: f64| {
        let slope = 1.0 / (1.0 + x * x);
        [x.atan(), slope, -2.0 * x * slope * slope]
    };
    now + (across / along).apply(arc)
}

/// `base^exponent`: by multiplication for a constant exponent, else `exp(exponent log base)`.
fn power<T: Number>(base: T, exponent: T, is_constant: bool) -> T {
    if is_constant {
        let n = exponent.value();
        let slope = |x: f64, n: f64| if n == 0.0 { 0.0 } else { n * power_of(x, n - 1.0) };
        return base.apply(|x| {
            let second = if n == 0.0 { 0.0 } else { n * slope(x, n - 1.0) };
            [power_of(x, n), slope(x, n), second]
        });
    }
    let value = power_of(base.value(), exponent.value());
    let exact = (exponent * Function::Log.of(base, base)).apply(|x| [x.exp(); 3]);
    // the derivatives of the exponential, the value of the power
    exact.apply(|_| [value, 1.0, 0.0])
}

fn power_of(x: f64, n: f64) -> f64 {
    if n.fract() == 0.0 && n.abs() <= 1024.0 { x.powi(n as i32) } else { x.powf(n) }
}

impl Expression {
    /// Compiles a text. `variables` gives the index of a variable by its name, in the list passed
    /// to [`evaluate`](Self::evaluate).
    pub fn parse(
        text: &str,
        variables: impl FnMut(&str) -> Option<usize>,
    ) -> Result<Self, ExpressionError> {
        let program = parser::parse(text, variables)?;
        Ok(Self { text: text.to_owned(), program })
    }

    /// Compiles a text whose only variable is the time `t`.
    pub fn of_time(text: &str) -> Result<Self, ExpressionError> {
        Self::parse(text, |name| (name == "t").then_some(0))
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The indices of the variables it uses, in the order of the text.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.program.iter().filter_map(|op| match op {
            Op::Variable(index) => Some(*index),
            _ => None,
        })
    }

    /// Its value, from those of the variables. A missing one counts as NaN.
    pub fn evaluate<T: Number>(&self, variables: &[T]) -> T {
        self.run(variables, |_, _, _| {})
    }

    /// At a time (s), what the parts that can have a corner, a jump or a pole now do: on which side
    /// of it each is, and to which side it moves. Between two times that look alike there is, but
    /// for pairs of them, none.
    pub(super) fn sides(&self, t: f64, visit: &mut dyn FnMut(bool)) {
        let mut side = |x: Jet| {
            visit(x.value < 0.0);
            visit(x.rate < 0.0);
        };
        self.run(&[Jet::time(t)], |part, x, y| match part {
            Part::Call(function) => match function {
                Function::Log
                | Function::Sqrt
                | Function::Abs
                | Function::Sign
                | Function::Step => {
                    side(x);
                }
                Function::Min | Function::Max => side(x - y),
                Function::Atan2 => {
                    side(x);
                    side(y);
                }
                Function::Tan => side(x.apply(cosine)),
                Function::Sin | Function::Cos | Function::Exp | Function::Tanh => {}
            },
            Part::Quotient => side(y),
            Part::Power { is_whole: false } => side(x),
            Part::Power { is_whole: true } => {}
        });
    }

    fn run<T: Number>(&self, variables: &[T], mut look: impl FnMut(Part, T, T)) -> T {
        let mut stack = [T::constant(0.0); DEPTH];
        let mut top = 0;
        for (at, op) in self.program.iter().enumerate() {
            match *op {
                Op::Constant(value) => stack[top] = T::constant(value),
                Op::Variable(index) => {
                    let value = variables.get(index).copied();
                    stack[top] = value.unwrap_or_else(|| T::constant(f64::NAN));
                }
                Op::Negate => stack[top - 1] = -stack[top - 1],
                Op::Add => stack[top - 2] = stack[top - 2] + stack[top - 1],
                Op::Subtract => stack[top - 2] = stack[top - 2] - stack[top - 1],
                Op::Multiply => stack[top - 2] = stack[top - 2] * stack[top - 1],
                Op::Divide => {
                    look(Part::Quotient, stack[top - 2], stack[top - 1]);
                    stack[top - 2] = stack[top - 2] / stack[top - 1];
                }
                Op::Power => {
                    let is_constant = self.is_constant_before(at);
                    let exponent = stack[top - 1].value();
                    let is_whole = is_constant && exponent >= 0.0 && exponent.fract() == 0.0;
                    look(Part::Power { is_whole }, stack[top - 2], stack[top - 1]);
                    stack[top - 2] = power(stack[top - 2], stack[top - 1], is_constant);
                }
                Op::Call(function) => {
                    let first = top - function.arguments();
                    look(Part::Call(function), stack[first], stack[top - 1]);
                    stack[first] = function.of(stack[first], stack[top - 1]);
                }
            }
            top = top.saturating_add_signed(op.growth());
        }
        stack[0]
    }

    /// Whether what stands last on the stack before an operation is a number, or one negated.
    pub(super) fn is_constant_before(&self, at: usize) -> bool {
        matches!(self.program[..at], [.., Op::Constant(_)] | [.., Op::Constant(_), Op::Negate])
    }
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{fault}")]
pub struct ExpressionError {
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// What.
    pub fault: ExpressionFault,
}

impl Help for ExpressionError {
    fn help(&self) -> Option<String> {
        self.fault.help()
    }
}

/// What can be wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionFault {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A number that cannot be read.
    #[error("{text} is not a number")]
    NotANumber {
        /// As written.
        text: String,
    },
    /// No such variable.
    #[error("there is no variable named \"{name}\"")]
    UnknownVariable {
        /// The name.
        name: String,
    },
    /// No such function.
    #[error("there is no function named \"{name}\"")]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// A function without its parentheses.
    #[error("{name} is a function and needs its arguments")]
    FunctionWithoutArguments {
        /// The function.
        name: &'static str,
    },
    /// Another number of arguments.
    #[error("{name} takes {needed} argument(s), not {given}")]
    WrongArguments {
        /// The function.
        name: &'static str,
        /// How many are given.
        given: usize,
        /// How many it takes.
        needed: usize,
    },
    /// More intermediate results than there is room for.
    #[error("the expression is nested too deeply")]
    TooDeep,
}

impl Help for ExpressionFault {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Expected { .. } => {
                "write products with *, as in 10 * sin(2 * pi * t), and close parentheses".into()
            }
            Self::NotANumber { .. } => "write numbers as in 10, 0.5 or 1e-3".into(),
            Self::UnknownVariable { .. } => return None,
            Self::UnknownFunction { .. } => {
                let names = Function::ALL.iter().map(|function| function.name());
                format!("it can be: {}", names.collect::<Vec<_>>().join(", "))
            }
            Self::FunctionWithoutArguments { name } => format!("write {name}(…)"),
            Self::WrongArguments { needed, .. } => format!("give {needed}"),
            Self::TooDeep => format!("it may hold {DEPTH} unfinished results"),
        })
    }
}
