//! The operations of a tape one by one, and comparisons with them.

use pliant_jit::{Op, Tape, Value};

/// One operation.
pub(crate) fn operation(op: &Op, values: &[f64], inputs: &[f64]) -> f64 {
    let at = |value: Value| values[value.0 as usize];
    match *op {
        Op::Input(number) => inputs[number as usize],
        Op::Constant(value) => value,
        Op::Add(a, b) => at(a) + at(b),
        Op::Sub(a, b) => at(a) - at(b),
        Op::Mul(a, b) => at(a) * at(b),
        Op::Neg(a) => -at(a),
        Op::Recip(a) => 1.0 / at(a),
        Op::Sqrt(a) => at(a).sqrt(),
        Op::Turn { quadrant, even, odd, ahead } => {
            let quadrant = at(quadrant).to_bits();
            let value = if quadrant % 2 == 0 { at(even) } else { at(odd) };
            let half_turns = quadrant.wrapping_add(u64::from(ahead)) / 2;
            if half_turns % 2 == 0 { value } else { -value }
        }
        _ => unreachable!("no machine code"),
    }
}

/// All values of a tape.
pub(crate) fn values(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    let mut values = Vec::new();
    for op in tape.ops() {
        values.push(operation(op, &values, inputs));
    }
    values
}

/// The outputs of a tape.
pub(crate) fn outputs(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    let values = values(tape, inputs);
    tape.outputs().iter().map(|value| values[value.0 as usize]).collect()
}

/// The outputs, with products that one sum uses rounded together with it.
pub(crate) fn fused_outputs(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    let ops = tape.ops();
    let mut uses = vec![0; ops.len()];
    let ends = tape.outputs().iter().copied().chain(tape.guards().iter().map(|guard| guard.value));
    for value in ends {
        // Never inside of a sum.
        uses[value.0 as usize] = 2;
    }
    for (at, op) in ops.iter().enumerate().rev() {
        if uses[at] > 0 {
            op.operands().for_each(|value| uses[value.0 as usize] += 1);
        }
    }
    let mut values: Vec<f64> = Vec::new();
    for op in ops {
        let factors = |value: Value| match ops[value.0 as usize] {
            Op::Mul(a, b) if uses[value.0 as usize] == 1 => {
                Some((values[a.0 as usize], values[b.0 as usize]))
            }
            _ => None,
        };
        let at = |value: Value| values[value.0 as usize];
        values.push(match *op {
            Op::Add(a, b) => match (factors(a), factors(b)) {
                (_, Some((x, y))) => x.mul_add(y, at(a)),
                (Some((x, y)), None) => x.mul_add(y, at(b)),
                _ => at(a) + at(b),
            },
            Op::Sub(a, b) => match (factors(a), factors(b)) {
                (_, Some((x, y))) => (-x).mul_add(y, at(a)),
                (Some((x, y)), None) => x.mul_add(y, -at(b)),
                _ => at(a) - at(b),
            },
            _ => operation(op, &values, inputs),
        });
    }
    tape.outputs().iter().map(|value| values[value.0 as usize]).collect()
}

/// The first place where numbers differ in a bit; numbers that are none are equal.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> Option<usize> {
    assert_eq!(a.len(), b.len());
    let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    a.iter().zip(b).position(|(&x, &y)| !same(x, y))
}
