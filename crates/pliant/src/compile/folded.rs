//! A number that builds the shortest tape of what is done with it.
//!
//! Every operation is looked up among those that were done before, and done again only if it is
//! new. Operations on constants are done at once, sums with zero and products with zero, one and
//! minus one disappear, and signs are carried along until something needs them: `a − b` and
//! `b − a`, or `c x` and `−c x`, are one operation. Each of these leaves every number as it is to
//! the last bit as long as all of them are finite; only the sign of a zero may change. Nothing is
//! reassociated, and no constant is too small to matter.

use crate::scalar::stumpff::{SERIES_BELOW, series};
use crate::scalar::trigonometry::{Quadrants, RANGE, kernel};
use crate::scalar::{Counts, STUMPFF_MAX, Scalar};
use pliant_jit::{Guard, Op, Tape, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// What becomes of sines, cosines and Stumpff functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Functions {
    /// They are called: for source code, which brings functions of its own.
    #[default]
    Called,
    /// They are written out as arithmetic, right within the guards of the tape: for machine code.
    Expanded,
}

/// A constant, or a value of the tape with a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Folded {
    Constant(f64),
    Node { node: u32, negative: bool },
}

/// What is built on this thread.
#[derive(Default)]
struct Graph {
    functions: Functions,
    inputs: u32,
    ops: Vec<Op>,
    known: HashMap<u128, u32, BuildHasherDefault<Mixer>>,
    guards: Vec<Guard>,
    counts: Counts,
}

/// How many operations a small arm has.
const USUAL: usize = 1792;

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

/// A multiplication spreads the bits; operations need no defence against chosen keys.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    fn write_u128(&mut self, key: u128) {
        let (low, high) = (key as u64, (key >> 64) as u64);
        let mixed = u128::from(low ^ 0x9E37_79B9_7F4A_7C15)
            * u128::from(high.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0xA076_1D64_78BD_642F);
        self.0 = (mixed as u64) ^ (mixed >> 64) as u64;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Runs a formula on `inputs` numbers: the tape of its results without what they do not need, and
/// all that the formula asked for.
pub(super) fn fold(
    inputs: usize,
    functions: Functions,
    formula: impl FnOnce(&[Folded]) -> Vec<Folded>,
) -> (Tape, Counts) {
    let ops: Vec<Op> = (0..inputs as u32).map(Op::Input).collect();
    // larger ones grow, which moves everything in them
    let known = HashMap::with_capacity_and_hasher(USUAL, BuildHasherDefault::default());
    let graph = Graph { functions, inputs: inputs as u32, ops, known, ..Graph::default() };
    let outside = GRAPH.replace(graph);
    let numbers: Vec<Folded> =
        (0..inputs as u32).map(|node| Folded::Node { node, negative: false }).collect();
    let outputs: Vec<Value> = formula(&numbers).into_iter().map(Folded::value).collect();
    let graph = GRAPH.replace(outside);
    (graph.needed(outputs), graph.counts)
}

impl Graph {
    /// Where an operation is done, for the first time or before.
    fn node(&mut self, op: Op) -> u32 {
        let key = |tag: u128, a: u32, b: u32| tag << 96 | u128::from(a) << 32 | u128::from(b);
        let key = match op {
            Op::Constant(constant) => u128::from(constant.to_bits()),
            Op::Add(a, b) => key(1, a.0, b.0),
            Op::Sub(a, b) => key(2, a.0, b.0),
            Op::Mul(a, b) => key(3, a.0, b.0),
            Op::Neg(a) => key(4, a.0, 0),
            Op::Recip(a) => key(5, a.0, 0),
            Op::Sqrt(a) => key(6, a.0, 0),
            Op::Sin(a) => key(7, a.0, 0),
            Op::Cos(a) => key(8, a.0, 0),
            Op::Stumpff { x, count, k } => key(9, x.0, u32::from(count) << 8 | u32::from(k)),
            Op::Turn { quadrant, even, odd, ahead } => {
                key(10 + u128::from(ahead), even.0, odd.0) | u128::from(quadrant.0) << 64
            }
            Op::Input(number) => return number,
        };
        *self.known.entry(key).or_insert_with(|| {
            self.ops.push(op);
            self.ops.len() as u32 - 1
        })
    }

    /// Without what no output and no guard needs; all inputs stay.
    fn needed(&self, outputs: Vec<Value>) -> Tape {
        let inputs = self.inputs as usize;
        let mut needed = vec![false; self.ops.len()];
        needed[..inputs].fill(true);
        let ends = outputs.iter().copied().chain(self.guards.iter().map(|guard| guard.value));
        for value in ends {
            needed[value.0 as usize] = true;
        }
        for (at, op) in self.ops.iter().enumerate().rev() {
            if needed[at] {
                op.operands().for_each(|operand| needed[operand.0 as usize] = true);
            }
        }
        let mut places = vec![Value(0); self.ops.len()];
        let mut ops = Vec::with_capacity(self.ops.len());
        for (at, op) in self.ops.iter().enumerate() {
            if needed[at] {
                places[at] = Value(ops.len() as u32);
                ops.push(op.map(|operand| places[operand.0 as usize]));
            }
        }
        let moved = |value: Value| places[value.0 as usize];
        let outputs = outputs.into_iter().map(moved).collect();
        let guards =
            self.guards.iter().map(|guard| Guard { value: moved(guard.value), ..*guard }).collect();
        Tape::new(self.inputs, ops, outputs, guards).expect("operands stand before what needs them")
    }
}

impl Graph {
    /// The operation, its result with a sign.
    fn push(&mut self, op: Op, negative: bool) -> Folded {
        Folded::Node { node: self.node(op), negative }
    }

    /// The place of the magnitude, and the sign.
    fn parts(&mut self, number: Folded) -> (Value, bool) {
        match number {
            Folded::Constant(constant) => {
                (Value(self.node(Op::Constant(constant.abs()))), constant.is_sign_negative())
            }
            Folded::Node { node, negative } => (Value(node), negative),
        }
    }

    fn sum(&mut self, one: Folded, other: Folded) -> Folded {
        match (one, other) {
            (Folded::Constant(a), Folded::Constant(b)) => return Folded::Constant(a + b),
            (Folded::Constant(0.0), sum) | (sum, Folded::Constant(0.0)) => return sum,
            _ => {}
        }
        let ((a, minus_a), (b, minus_b)) = (self.parts(one), self.parts(other));
        let (low, high) = (a.min(b), a.max(b));
        if minus_a == minus_b {
            self.push(Op::Add(low, high), minus_a)
        } else if a == b {
            Folded::ZERO
        } else {
            // the lower one less the other, with the sign of the lower one
            self.push(Op::Sub(low, high), if low == a { minus_a } else { minus_b })
        }
    }

    fn product(&mut self, one: Folded, other: Folded) -> Folded {
        match (one, other) {
            (Folded::Constant(a), Folded::Constant(b)) => return Folded::Constant(a * b),
            (Folded::Constant(one), factor) | (factor, Folded::Constant(one))
                if one.abs() == 1.0 =>
            {
                return if one > 0.0 { factor } else { factor.opposite() };
            }
            (Folded::Constant(0.0), _) | (_, Folded::Constant(0.0)) => return Folded::ZERO,
            _ => {}
        }
        let ((a, minus_a), (b, minus_b)) = (self.parts(one), self.parts(other));
        self.push(Op::Mul(a.min(b), a.max(b)), minus_a != minus_b)
    }
}

impl Folded {
    /// The operation, its result with a sign.
    fn push(op: Op, negative: bool) -> Self {
        GRAPH.with_borrow_mut(|graph| graph.push(op, negative))
    }

    /// The place of the number itself.
    fn value(self) -> Value {
        let op = match self {
            Self::Constant(constant) => Op::Constant(constant),
            Self::Node { node, negative: false } => return Value(node),
            Self::Node { node, negative: true } => Op::Neg(Value(node)),
        };
        Value(GRAPH.with_borrow_mut(|graph| graph.node(op)))
    }

    /// Asks that the magnitude of a value stay within a bound; its place.
    fn guarded(self, bound: f64) -> Value {
        let value = self.value();
        let guard = Guard { value, bound };
        GRAPH.with_borrow_mut(|graph| {
            if !graph.guards.contains(&guard) {
                graph.guards.push(guard);
            }
        });
        value
    }

    fn functions() -> Functions {
        GRAPH.with_borrow(|graph| graph.functions)
    }

    fn opposite(self) -> Self {
        match self {
            Self::Constant(constant) => Self::Constant(-constant),
            Self::Node { node, negative } => Self::Node { node, negative: !negative },
        }
    }
}

fn tally(add: impl FnOnce(&mut Counts)) {
    GRAPH.with_borrow_mut(|graph| add(&mut graph.counts));
}

impl Add for Folded {
    type Output = Self;
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        GRAPH.with_borrow_mut(|graph| {
            graph.counts.additions += 1;
            graph.sum(self, other)
        })
    }
}

impl Sub for Folded {
    type Output = Self;
    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        GRAPH.with_borrow_mut(|graph| {
            graph.counts.additions += 1;
            graph.sum(self, other.opposite())
        })
    }
}

impl Mul for Folded {
    type Output = Self;
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        GRAPH.with_borrow_mut(|graph| {
            graph.counts.multiplications += 1;
            graph.product(self, other)
        })
    }
}

impl Neg for Folded {
    type Output = Self;
    fn neg(self) -> Self {
        tally(|counts| counts.negations += 1);
        self.opposite()
    }
}

impl AddAssign for Folded {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Folded {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Quadrants for Folded {
    fn turn(quadrant: Self, even: Self, odd: Self, ahead: bool) -> Self {
        let op =
            Op::Turn { quadrant: quadrant.value(), even: even.value(), odd: odd.value(), ahead };
        Self::push(op, false)
    }
}

impl Scalar for Folded {
    const ZERO: Self = Self::Constant(0.0);
    const ONE: Self = Self::Constant(1.0);

    fn from_f64(constant: f64) -> Self {
        Self::Constant(constant)
    }
    fn sin_cos(self) -> (Self, Self) {
        tally(|counts| counts.sin_cos += 1);
        if let Self::Constant(angle) = self {
            let (sine, cosine) = Scalar::sin_cos(angle);
            return (Self::Constant(sine), Self::Constant(cosine));
        }
        match Self::functions() {
            Functions::Called => {
                let angle = self.value();
                (Self::push(Op::Sin(angle), false), Self::push(Op::Cos(angle), false))
            }
            Functions::Expanded => {
                self.guarded(RANGE);
                uncounted(|| kernel(self))
            }
        }
    }
    fn sqrt(self) -> Self {
        tally(|counts| counts.sqrt += 1);
        match self {
            Self::Constant(constant) => Self::Constant(Scalar::sqrt(constant)),
            Self::Node { .. } => Self::push(Op::Sqrt(self.value()), false),
        }
    }
    fn recip(self) -> Self {
        tally(|counts| counts.recip += 1);
        match self {
            Self::Constant(constant) => Self::Constant(Scalar::recip(constant)),
            Self::Node { node, negative } => Self::push(Op::Recip(Value(node)), negative),
        }
    }
    fn stumpff(self, out: &mut [Self]) {
        tally(|counts| counts.stumpff += 1);
        if let Self::Constant(x) = self {
            let mut constants = [0.0; STUMPFF_MAX];
            x.stumpff(&mut constants[..out.len()]);
            for (out, constant) in out.iter_mut().zip(constants) {
                *out = Self::Constant(constant);
            }
            return;
        }
        match Self::functions() {
            Functions::Called => {
                let (x, count) = (self.value(), out.len() as u8);
                for (k, out) in (0..count).zip(out) {
                    *out = Self::push(Op::Stumpff { x, count, k }, false);
                }
            }
            Functions::Expanded => {
                self.guarded(SERIES_BELOW.next_down());
                uncounted(|| series(self, out));
            }
        }
    }
}

/// What a function is made of is not asked for by the formula.
fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let before = GRAPH.with_borrow(|graph| graph.counts);
    let result = work();
    GRAPH.with_borrow_mut(|graph| graph.counts = before);
    result
}
