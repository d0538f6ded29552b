//! Straight-line programs as plain data.

use std::fmt::{self, Display, Formatter};

/// The place of a value on a tape: that of the operation that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// One operation, with one result. Operands stand before it on the tape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// An input, by its number.
    Input(u32),
    /// A number.
    Constant(f64),
    /// A sum.
    Add(Value, Value),
    /// The first less the second.
    Sub(Value, Value),
    /// A product.
    Mul(Value, Value),
    /// A change of sign.
    Neg(Value),
    /// `1 / x`.
    Recip(Value),
    /// The square root.
    Sqrt(Value),
    /// One of two values with a sign, by the quadrant of an angle: the last step of a sine.
    ///
    /// With `b` the bits of `quadrant`, as an integer: `even` where `b` is even and `odd` where it
    /// is odd, with its sign changed where the second lowest bit of `b` (of `b + 1` if `ahead`) is
    /// set.
    Turn {
        /// The angle in quarter turns, plus a number that brings the integer to the lowest bits.
        quadrant: Value,
        /// Taken in even quadrants.
        even: Value,
        /// Taken in odd quadrants.
        odd: Value,
        /// Whether the sign is that of the next quadrant, as for a cosine.
        ahead: bool,
    },
    /// The sine of an angle in radians; source code has it, machine code has its arithmetic instead.
    Sin(Value),
    /// The cosine of an angle in radians; source code has it, machine code has its arithmetic
    /// instead.
    Cos(Value),
    /// The Stumpff function `c_k(x)`, as computed together with all of `k = 0 .. count`; source code
    /// has it, machine code has its arithmetic instead.
    Stumpff {
        /// The argument, the square of an angle.
        x: Value,
        /// How many are computed together.
        count: u8,
        /// Which of them this is.
        k: u8,
    },
}

/// A value whose magnitude must not exceed a bound, or the outputs are not to be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// The value.
    pub value: Value,
    /// The largest magnitude that is right.
    pub bound: f64,
}

/// A straight-line program: each operation has one result, whose place is the operation's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    inputs: u32,
    ops: Vec<Op>,
    outputs: Vec<Value>,
    guards: Vec<Guard>,
}

/// Why operations are no [`Tape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapeError {
    /// An operation uses a value that is not computed before it; where it stands.
    Order(usize),
    /// There is no such input; where it is asked for.
    Input(usize),
    /// There is no such Stumpff function; where it is asked for.
    Stumpff(usize),
    /// An output or a guard is no value of the tape; its number.
    Output(usize),
}

impl Display for TapeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(at) => {
                write!(f, "operation {at} uses a value that is not computed before it")
            }
            Self::Input(at) => write!(f, "operation {at} asks for an input that there is not"),
            Self::Stumpff(at) => {
                write!(f, "operation {at} asks for a Stumpff function that there is not")
            }
            Self::Output(at) => write!(f, "output {at} is no value of the tape"),
        }
    }
}

impl std::error::Error for TapeError {}

impl Op {
    /// What it computes with.
    pub fn operands(&self) -> impl Iterator<Item = Value> + use<> {
        let (values, count) = match *self {
            Self::Input(_) | Self::Constant(_) => ([Value(0); 3], 0),
            Self::Neg(a) | Self::Recip(a) | Self::Sqrt(a) | Self::Sin(a) | Self::Cos(a) => {
                ([a; 3], 1)
            }
            Self::Stumpff { x, .. } => ([x; 3], 1),
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) => ([a, b, b], 2),
            Self::Turn { quadrant, even, odd, .. } => ([quadrant, even, odd], 3),
        };
        values.into_iter().take(count)
    }

    /// The same with other operands.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(Value) -> Value) -> Self {
        match self {
            Self::Input(_) | Self::Constant(_) => self,
            Self::Add(a, b) => Self::Add(to(a), to(b)),
            Self::Sub(a, b) => Self::Sub(to(a), to(b)),
            Self::Mul(a, b) => Self::Mul(to(a), to(b)),
            Self::Neg(a) => Self::Neg(to(a)),
            Self::Recip(a) => Self::Recip(to(a)),
            Self::Sqrt(a) => Self::Sqrt(to(a)),
            Self::Sin(a) => Self::Sin(to(a)),
            Self::Cos(a) => Self::Cos(to(a)),
            Self::Stumpff { x, count, k } => Self::Stumpff { x: to(x), count, k },
            Self::Turn { quadrant, even, odd, ahead } => {
                Self::Turn { quadrant: to(quadrant), even: to(even), odd: to(odd), ahead }
            }
        }
    }
}

impl Tape {
    /// A tape of these operations, checked.
    pub fn new(
        inputs: u32,
        ops: Vec<Op>,
        outputs: Vec<Value>,
        guards: Vec<Guard>,
    ) -> Result<Self, TapeError> {
        for (at, op) in ops.iter().enumerate() {
            if op.operands().any(|value| value.0 as usize >= at) {
                return Err(TapeError::Order(at));
            }
            match *op {
                Op::Input(number) if number >= inputs => return Err(TapeError::Input(at)),
                Op::Stumpff { count, k, .. } if k >= count => return Err(TapeError::Stumpff(at)),
                _ => {}
            }
        }
        let ends = outputs.iter().copied().chain(guards.iter().map(|guard| guard.value));
        for (at, value) in ends.enumerate() {
            if value.0 as usize >= ops.len() {
                return Err(TapeError::Output(at));
            }
        }
        Ok(Self { inputs, ops, outputs, guards })
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// The operations, in the order in which they are done.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// How many of them compute something: all but inputs and constants.
    pub fn operations(&self) -> usize {
        let given = |op: &&Op| matches!(op, Op::Input(_) | Op::Constant(_));
        self.ops.len() - self.ops.iter().filter(given).count()
    }

    /// The results.
    pub fn outputs(&self) -> &[Value] {
        &self.outputs
    }

    /// Whether the results are the same for all inputs.
    pub fn is_constant(&self) -> bool {
        let is_constant = |value: &Value| matches!(self.ops[value.0 as usize], Op::Constant(_));
        self.guards.is_empty() && self.outputs.iter().all(is_constant)
    }

    /// Bounds within which the results are right.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }
}
