//! Random tapes from fixed seeds.

use pliant_jit::{Guard, Op, Tape, Value};

/// Random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Between -1 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn units(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.unit()).collect()
    }

    /// Any number: special ones, any bits, or between -1 and 1.
    pub(crate) fn any(&mut self) -> f64 {
        const SPECIAL: [f64; 10] = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            5e-324,
            -1e-310,
            f64::MAX,
            1.0,
        ];
        match self.below(4) {
            0 => SPECIAL[self.below(SPECIAL.len())],
            1 => f64::from_bits(self.bits()),
            _ => self.unit(),
        }
    }
}

/// What a random tape is like.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) inputs: usize,
    pub(crate) operations: usize,
    pub(crate) outputs: usize,
    /// Of ten operands, how many were computed long before.
    pub(crate) old: usize,
}

/// Brings an integer to the lowest bits of a sum.
pub(crate) const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// A tape under construction.
struct Draft {
    ops: Vec<Op>,
    sample: Vec<f64>,
    /// The values at the sample.
    values: Vec<f64>,
    /// What the values do not exceed for inputs between -1 and 1.
    bounds: Vec<f64>,
}

impl Draft {
    fn push(&mut self, op: Op) -> Value {
        let of = |value: Value| self.bounds[value.0 as usize];
        let bound = match op {
            Op::Constant(number) => number.abs(),
            Op::Add(a, b) | Op::Sub(a, b) => of(a) + of(b),
            Op::Mul(a, b) => of(a) * of(b),
            Op::Neg(a) => of(a),
            Op::Sqrt(a) => of(a).sqrt(),
            Op::Turn { even, odd, .. } => of(even).max(of(odd)),
            // An input, and the reciprocal of one and more.
            _ => 1.0,
        };
        let value = crate::plain::operation(&op, &self.values, &self.sample);
        self.bounds.push(bound);
        self.values.push(value);
        self.ops.push(op);
        Value(self.ops.len() as u32 - 1)
    }

    /// `1 + a^2`
    fn one_and_more(&mut self, a: Value) -> Value {
        let (square, one) = (self.push(Op::Mul(a, a)), self.push(Op::Constant(1.0)));
        self.push(Op::Add(one, square))
    }
}

/// A tape whose values stay of moderate size for inputs between -1 and 1.
pub(crate) fn tape(seed: u64, shape: Shape) -> Tape {
    let mut random = Random(seed);
    let sample = random.units(shape.inputs);
    let mut draft = Draft { ops: Vec::new(), sample, values: Vec::new(), bounds: Vec::new() };
    while draft.ops.len() < shape.operations {
        let length = draft.ops.len();
        let last = if length < 3 || random.below(20) == 0 {
            draft.push(match random.below(3) {
                0 => Op::Constant(random.unit()),
                _ => Op::Input(random.below(shape.inputs) as u32),
            })
        } else {
            let mut operand = || {
                let reach = if random.below(10) < shape.old { length } else { 30 };
                Value((length - 1 - random.below(reach.min(length))) as u32)
            };
            let (a, b, c) = (operand(), operand(), operand());
            let op = match random.below(40) {
                0 => Op::Neg(a),
                1 => Op::Recip(draft.one_and_more(a)),
                2 => Op::Sqrt(draft.push(Op::Mul(a, a))),
                3 => Op::Mul(a, a),
                4 => {
                    let number = draft.push(Op::Constant(TO_INTEGER));
                    let quadrant = draft.push(Op::Add(a, number));
                    Op::Turn { quadrant, even: b, odd: c, ahead: random.below(2) == 0 }
                }
                k if k < 18 => Op::Add(a, b),
                k if k < 24 => Op::Sub(a, b),
                _ => Op::Mul(a, b),
            };
            draft.push(op)
        };
        let at = last.0 as usize;
        if draft.bounds[at] > 8.0 || draft.values[at].abs() < 1e-3 {
            draft.ops.truncate(length);
            draft.values.truncate(length);
            draft.bounds.truncate(length);
        }
    }
    let ops = draft.ops;
    let mut outputs: Vec<Value> =
        (0..shape.outputs).map(|_| Value(random.below(ops.len()) as u32)).collect();
    // The end of the tape, one output twice, an input, a constant.
    outputs.push(Value(ops.len() as u32 - 1));
    outputs.push(outputs[0]);
    let is_given = |op: &Op| matches!(op, Op::Input(_) | Op::Constant(_));
    outputs.extend(ops.iter().position(is_given).map(|at| Value(at as u32)));
    outputs.extend(ops.iter().rposition(is_given).map(|at| Value(at as u32)));
    let guards = (0..3)
        .map(|_| Guard { value: Value(random.below(ops.len()) as u32), bound: 1e9 })
        .collect();
    Tape::new(shape.inputs as u32, ops, outputs, guards).unwrap()
}

/// A tape whose values may become anything, and whose quadrants are inputs: what a number that is
/// none has for bits differs.
pub(crate) fn tape_of_anything(seed: u64, inputs: u32, operations: u32) -> Tape {
    let mut random = Random(seed);
    let mut ops: Vec<Op> = (0..inputs).map(Op::Input).collect();
    for at in inputs..operations {
        let mut below = |bound: u32| Value(random.below(bound as usize) as u32);
        let (a, b, quadrant) = (below(at), below(at), below(inputs));
        ops.push(match random.below(12) {
            0 => Op::Neg(a),
            1 => Op::Recip(a),
            2 => Op::Sqrt(a),
            3 => Op::Turn { quadrant, even: a, odd: b, ahead: random.below(2) == 0 },
            4 => Op::Constant(random.any()),
            5..8 => Op::Add(a, b),
            8 | 9 => Op::Sub(a, b),
            _ => Op::Mul(a, b),
        });
    }
    Tape::new(inputs, ops, (0..operations).map(Value).collect(), Vec::new()).unwrap()
}
