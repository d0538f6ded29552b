//! Formulas that are recorded once and evaluated for every scalar type.
//!
//! Kernels compare nothing, so that a formula over a [`Scalar`] is always the same sequence of
//! operations: a straight-line program. [`Program::record`] runs it once on numbers that note what
//! is done with them. A program is plain data: it can be kept by an arm of any arithmetic,
//! evaluated for any scalar type in the same order of operations, and differentiated.

use super::{STUMPFF_MAX, Scalar};
use std::cell::RefCell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A number that notes what is done with it: a constant, or the place of a value in the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Traced {
    Constant(f64),
    Value(usize),
}

/// One step of a program. The result, or the results, follow the values before it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add(Traced, Traced),
    Sub(Traced, Traced),
    Mul(Traced, Traced),
    Neg(Traced),
    MulAdd(Traced, Traced, Traced),
    SinCos(Traced),
    Sqrt(Traced),
    Recip(Traced),
    Stumpff(Traced, usize),
}

/// What is recorded on this thread.
#[derive(Debug, Default)]
struct Tape {
    operations: Vec<Operation>,
    /// How many values there are, inputs included.
    values: usize,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// A formula with several inputs and outputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    inputs: usize,
    operations: Vec<Operation>,
    /// How many values there are, inputs included.
    values: usize,
    outputs: Vec<Traced>,
}

impl Operation {
    fn results(self) -> usize {
        match self {
            Self::SinCos(_) => 2,
            Self::Stumpff(_, count) => count,
            _ => 1,
        }
    }

    /// The same with other operands.
    fn map(self, mut to: impl FnMut(Traced) -> Traced) -> Self {
        match self {
            Self::Add(a, b) => Self::Add(to(a), to(b)),
            Self::Sub(a, b) => Self::Sub(to(a), to(b)),
            Self::Mul(a, b) => Self::Mul(to(a), to(b)),
            Self::Neg(a) => Self::Neg(to(a)),
            Self::MulAdd(a, b, c) => Self::MulAdd(to(a), to(b), to(c)),
            Self::SinCos(a) => Self::SinCos(to(a)),
            Self::Sqrt(a) => Self::Sqrt(to(a)),
            Self::Recip(a) => Self::Recip(to(a)),
            Self::Stumpff(a, count) => Self::Stumpff(to(a), count),
        }
    }
}

impl Traced {
    fn of<S: Scalar>(self, values: &[S]) -> S {
        match self {
            Self::Constant(constant) => S::from_f64(constant),
            Self::Value(at) => values[at],
        }
    }

    /// Notes an operation, and where its first result is.
    fn push(operation: Operation) -> usize {
        TAPE.with_borrow_mut(|tape| {
            let at = tape.values;
            tape.operations.push(operation);
            tape.values += operation.results();
            at
        })
    }
}

impl Program {
    /// Runs a formula on `inputs` numbers. What its results do not need is left out.
    pub(crate) fn record(inputs: usize, formula: impl FnOnce(&[Traced]) -> Vec<Traced>) -> Self {
        let numbers: Vec<Traced> = (0..inputs).map(Traced::Value).collect();
        let outside = TAPE.replace(Tape { operations: Vec::new(), values: inputs });
        let outputs = formula(&numbers);
        let Tape { operations, values } = TAPE.replace(outside);
        Self { inputs, operations, values, outputs }.pruned()
    }

    /// Without the operations that no output needs.
    fn pruned(self) -> Self {
        let mut needed = vec![false; self.values];
        let need = |needed: &mut Vec<bool>, number: Traced| {
            if let Traced::Value(at) = number {
                needed[at] = true;
            }
            number
        };
        for &output in &self.outputs {
            need(&mut needed, output);
        }
        let mut at = self.values;
        for operation in self.operations.iter().rev() {
            at -= operation.results();
            if needed[at..at + operation.results()].contains(&true) {
                operation.map(|operand| need(&mut needed, operand));
                needed[at..at + operation.results()].fill(true);
            }
        }
        let mut places: Vec<usize> = (0..self.values).collect();
        let (mut at, mut values) = (self.inputs, self.inputs);
        let mut operations = Vec::new();
        let moved = |places: &[usize], number| match number {
            Traced::Value(at) => Traced::Value(places[at]),
            Traced::Constant(_) => number,
        };
        for operation in &self.operations {
            let count = operation.results();
            if needed[at..at + count].contains(&true) {
                operations.push(operation.map(|operand| moved(&places, operand)));
                for k in 0..count {
                    places[at + k] = values + k;
                }
                values += count;
            }
            at += count;
        }
        let outputs = self.outputs.iter().map(|&output| moved(&places, output)).collect();
        Self { inputs: self.inputs, operations, values, outputs }
    }

    /// How many numbers an evaluation needs, inputs included.
    pub(crate) fn room(&self) -> usize {
        self.values
    }

    /// Whether every output is the number zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.outputs.iter().all(|output| *output == Traced::Constant(0.0))
    }

    /// The first constant that is not a finite number.
    pub(crate) fn bad_constant(&self) -> Option<f64> {
        let mut bad = None;
        let mut look = |number: Traced| {
            if let Traced::Constant(constant) = number
                && !constant.is_finite()
            {
                bad = bad.or(Some(constant));
            }
            number
        };
        for operation in &self.operations {
            operation.map(&mut look);
        }
        self.outputs.iter().for_each(|&output| {
            look(output);
        });
        bad
    }

    /// Evaluates it; the inputs are the first of `values`, and stay as they are.
    pub(crate) fn run<S: Scalar>(&self, values: &mut [S]) {
        let mut at = self.inputs;
        for &operation in &self.operations {
            let value = match operation {
                Operation::Add(a, b) => a.of(values) + b.of(values),
                Operation::Sub(a, b) => a.of(values) - b.of(values),
                Operation::Mul(a, b) => a.of(values) * b.of(values),
                Operation::Neg(a) => -a.of(values),
                Operation::MulAdd(a, b, c) => a.of(values).mul_add(b.of(values), c.of(values)),
                Operation::Sqrt(a) => a.of(values).sqrt(),
                Operation::Recip(a) => a.of(values).recip(),
                Operation::SinCos(a) => {
                    let (sine, cosine) = a.of(values).sin_cos();
                    values[at + 1] = cosine;
                    sine
                }
                Operation::Stumpff(a, count) => {
                    let x = a.of(values);
                    x.stumpff(&mut values[at..at + count]);
                    values[at]
                }
            };
            values[at] = value;
            at += operation.results();
        }
    }

    /// An output of an evaluation.
    pub(crate) fn output<S: Scalar>(&self, number: usize, values: &[S]) -> S {
        self.outputs[number].of(values)
    }

    /// The slopes of the first output by all inputs, by the chain rule from the output backward.
    pub(crate) fn gradient<S: Scalar>(&self, inputs: &[S]) -> Vec<S> {
        let mut values = vec![S::ZERO; self.values];
        values[..self.inputs].copy_from_slice(inputs);
        self.run(&mut values);
        let mut slopes: Vec<Option<S>> = vec![None; self.values];
        if let Traced::Value(at) = self.outputs[0] {
            slopes[at] = Some(S::ONE);
        }
        let mut at = self.values;
        for &operation in self.operations.iter().rev() {
            at -= operation.results();
            let (before, own) = slopes.split_at_mut(at);
            let mut add = |to: Traced, slope: S| {
                if let Traced::Value(to) = to {
                    before[to] = Some(before[to].map_or(slope, |sum| sum + slope));
                }
            };
            match operation {
                Operation::SinCos(a) => {
                    let (sine, cosine) = (values[at], values[at + 1]);
                    own[0].into_iter().for_each(|g| add(a, g * cosine));
                    own[1].into_iter().for_each(|g| add(a, -(g * sine)));
                    continue;
                }
                // dc_k/dx = (k c_{k+2} − c_{k+1}) / 2
                Operation::Stumpff(a, count) => {
                    let mut c = [S::ZERO; STUMPFF_MAX];
                    a.of(&values).stumpff(&mut c[..count + 2]);
                    for (k, slope) in own[..count].iter().enumerate() {
                        if let Some(g) = *slope {
                            let twice = S::from_f64(k as f64) * c[k + 2] - c[k + 1];
                            add(a, g * (S::from_f64(0.5) * twice));
                        }
                    }
                    continue;
                }
                _ => {}
            }
            let (Some(g), value) = (own[0], values[at]) else { continue };
            match operation {
                Operation::Add(a, b) => {
                    add(a, g);
                    add(b, g);
                }
                Operation::Sub(a, b) => {
                    add(a, g);
                    add(b, -g);
                }
                Operation::Mul(a, b) | Operation::MulAdd(a, b, _) => {
                    add(a, g * b.of(&values));
                    add(b, g * a.of(&values));
                    if let Operation::MulAdd(_, _, c) = operation {
                        add(c, g);
                    }
                }
                Operation::Neg(a) => add(a, -g),
                Operation::Sqrt(a) => add(a, g * (value + value).recip()),
                Operation::Recip(a) => add(a, -(g * (value * value))),
                Operation::SinCos(_) | Operation::Stumpff(..) => {}
            }
        }
        slopes[..self.inputs].iter().map(|slope| slope.unwrap_or(S::ZERO)).collect()
    }
}

/// An operation on constants is done at once.
macro_rules! noted {
    ($trait:ident, $method:ident, $operation:ident) => {
        impl $trait for Traced {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                match (self, other) {
                    (Self::Constant(a), Self::Constant(b)) => Self::Constant(a.$method(b)),
                    _ => Self::Value(Self::push(Operation::$operation(self, other))),
                }
            }
        }
    };
}
noted!(Add, add, Add);
noted!(Sub, sub, Sub);
noted!(Mul, mul, Mul);

impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Constant(a) => Self::Constant(-a),
            Self::Value(_) => Self::Value(Self::push(Operation::Neg(self))),
        }
    }
}

impl AddAssign for Traced {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Traced {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Traced {
    const ZERO: Self = Self::Constant(0.0);
    const ONE: Self = Self::Constant(1.0);

    fn from_f64(constant: f64) -> Self {
        Self::Constant(constant)
    }
    fn mul_add(self, factor: Self, term: Self) -> Self {
        match (self, factor, term) {
            (Self::Constant(a), Self::Constant(b), Self::Constant(c)) => {
                Self::Constant(Scalar::mul_add(a, b, c))
            }
            _ => Self::Value(Self::push(Operation::MulAdd(self, factor, term))),
        }
    }
    fn sin_cos(self) -> (Self, Self) {
        match self {
            Self::Constant(a) => {
                let (sine, cosine) = Scalar::sin_cos(a);
                (Self::Constant(sine), Self::Constant(cosine))
            }
            Self::Value(_) => {
                let at = Self::push(Operation::SinCos(self));
                (Self::Value(at), Self::Value(at + 1))
            }
        }
    }
    fn sqrt(self) -> Self {
        match self {
            Self::Constant(a) => Self::Constant(Scalar::sqrt(a)),
            Self::Value(_) => Self::Value(Self::push(Operation::Sqrt(self))),
        }
    }
    fn recip(self) -> Self {
        match self {
            Self::Constant(a) => Self::Constant(Scalar::recip(a)),
            Self::Value(_) => Self::Value(Self::push(Operation::Recip(self))),
        }
    }
    fn stumpff(self, out: &mut [Self]) {
        let mut constants = [0.0; STUMPFF_MAX];
        let constants = &mut constants[..out.len()];
        if let Self::Constant(a) = self {
            a.stumpff(constants);
            for (out, &constant) in out.iter_mut().zip(constants.iter()) {
                *out = Self::Constant(constant);
            }
        } else {
            let at = Self::push(Operation::Stumpff(self, out.len()));
            for (k, out) in out.iter_mut().enumerate() {
                *out = Self::Value(at + k);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{Dual, Lanes};

    /// A formula with every operation of the trait, and some that no output needs.
    fn formula<S: Scalar>(x: S, y: S) -> S {
        let (s, c) = (x * y - y).sin_cos();
        let mut k = [S::ZERO; 4];
        (x * x + y * y).stumpff(&mut k);
        let _unused = (x + y).sqrt().sin_cos().0;
        let constant = S::from_f64(0.7).sin_cos().0 * S::from_f64(4.0).sqrt();
        let mut sum = (s * k[1] + c * k[3]) * (x + S::ONE).recip() - (x * x + S::ONE).sqrt() * k[2];
        sum += x.mul_add(y, -constant);
        sum -= k[0];
        sum
    }

    const POINTS: [[f64; 2]; 4] = [[0.3, 0.7], [1.9, 0.2], [1e-9, 1e-4], [2.5, 3.1]];

    fn recorded() -> Program {
        Program::record(2, |x| vec![formula(x[0], x[1])])
    }

    fn value<S: Scalar>(program: &Program, x: [S; 2]) -> S {
        let mut values = vec![S::ZERO; program.room()];
        values[..2].copy_from_slice(&x);
        program.run(&mut values);
        program.output(0, &values)
    }

    #[test]
    fn every_scalar_type_gets_the_bits_of_the_formula() {
        let program = recorded();
        for x in POINTS {
            assert_eq!(value(&program, x).to_bits(), formula(x[0], x[1]).to_bits());
            let single = x.map(|x| x as f32);
            let wide = f64::from(value(&program, single));
            assert!((wide - formula(x[0], x[1])).abs() < 1e-6);
            let dual = [Dual { re: x[0], du: [1.0, 0.0] }, Dual { re: x[1], du: [0.0, 1.0] }];
            assert_eq!(value(&program, dual), formula(dual[0], dual[1]));
        }
        let lanes = [0, 1].map(|k| Lanes(POINTS.map(|x| x[k])));
        assert_eq!(value(&program, lanes), formula(lanes[0], lanes[1]));
    }

    #[test]
    fn slopes_backward_are_those_of_dual_numbers() {
        let program = recorded();
        for x in POINTS {
            let dual = [Dual { re: x[0], du: [1.0, 0.0] }, Dual { re: x[1], du: [0.0, 1.0] }];
            let forward = formula(dual[0], dual[1]).du;
            let backward = program.gradient(&x);
            // the slopes can be recorded in their turn
            let again = Program::record(2, |x| program.gradient(x));
            let mut values = vec![0.0; again.room()];
            values[..2].copy_from_slice(&x);
            again.run(&mut values);
            for k in 0..2 {
                assert!((forward[k] - backward[k]).abs() < 1e-13, "{forward:?} {backward:?}");
                assert_eq!(again.output(k, &values).to_bits(), backward[k].to_bits());
            }
        }
    }

    #[test]
    fn what_is_not_needed_is_left_out() {
        let program = Program::record(2, |x| {
            let [kept, _] = [x[0] * x[1], x[0].sqrt()];
            vec![kept, Traced::Constant(2.0)]
        });
        assert_eq!((program.room(), program.operations.len()), (3, 1));
        assert!(!program.is_zero());
        let infinite = Program::record(1, |x| vec![x[0] * Traced::ZERO.recip()]);
        assert_eq!(infinite.bad_constant(), Some(f64::INFINITY));
        assert_eq!(program.bad_constant(), None);
    }
}
