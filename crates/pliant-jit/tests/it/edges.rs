//! Turns, guards, refusals, and comparisons that must fail.

use crate::machine::{all_options, run};
use crate::plain::{self, difference};
use crate::random::{self, Random, Shape, TO_INTEGER};
use pliant_jit::{
    Arena, Batch, Columns, ColumnsMut, Guard, Instructions, MachineCode, Op, Options, Refused,
    Room, Tape, Value, Width,
};

const SHAPE: Shape = Shape { inputs: 10, operations: 400, outputs: 10, old: 4 };

fn turns() -> Tape {
    let turn = |ahead| Op::Turn { quadrant: Value(2), even: Value(3), odd: Value(4), ahead };
    let ops = vec![
        Op::Input(0),
        Op::Constant(TO_INTEGER),
        Op::Add(Value(0), Value(1)),
        Op::Constant(2.0),
        Op::Input(1),
        turn(false),
        turn(true),
    ];
    Tape::new(2, ops, vec![Value(5), Value(6)], Vec::new()).unwrap()
}

#[test]
fn turns_are_those_of_whole_numbers() {
    let tape = turns();
    for options in all_options(false) {
        let code = MachineCode::compile(&tape, options).unwrap();
        for quadrant in -9..=9_i32 {
            let states = vec![vec![f64::from(quadrant), 3.0]; options.width.lanes()];
            let (computed, _) = run(&code, &states, 2);
            let sine = [2.0, 3.0, -2.0, -3.0][quadrant.rem_euclid(4).cast_unsigned() as usize];
            let cosine = [2.0, -3.0, -2.0, 3.0][quadrant.rem_euclid(4).cast_unsigned() as usize];
            assert!(computed.iter().all(|lane| *lane == [sine, cosine]), "{quadrant} {computed:?}");
        }
    }
}

#[test]
fn guards_are_about_each_lane() {
    let ops = vec![Op::Input(0), Op::Input(1), Op::Mul(Value(0), Value(1))];
    let guards = [Value(0), Value(2)].map(|value| Guard { value, bound: 10.0 }).to_vec();
    let tape = Tape::new(2, ops, vec![Value(2)], guards).unwrap();
    for options in all_options(false) {
        let code = MachineCode::compile(&tape, options).unwrap();
        let lanes = options.width.lanes();
        let right = vec![vec![-10.0, 1.0]; lanes];
        assert!(run(&code, &right, 1).1);
        let rows = Batch::compiled(&tape, options).unwrap();
        for lane in 0..lanes {
            for wrong in [[10.1, 0.0], [f64::NAN, 1.0], [2.0, -6.0], [1.0, f64::NAN]] {
                let mut states = right.clone();
                states[lane] = wrong.to_vec();
                assert!(!run(&code, &states, 1).1, "{options:?} {wrong:?}");
                let (inputs, mut outputs) = (states.concat(), vec![0.0; lanes]);
                let columns = [Columns::new(&inputs, 2)];
                let mut places = [ColumnsMut::new(&mut outputs, 1)];
                assert_eq!(rows.run(lanes, &columns, &mut places, &mut Room::default()), [lane]);
            }
        }
    }
}

/// What depends on a value, that itself not among it.
fn dependents(tape: &Tape, of: usize) -> Vec<Value> {
    let mut depends = vec![false; tape.ops().len()];
    depends[of] = true;
    for (at, op) in tape.ops().iter().enumerate() {
        depends[at] |= op.operands().any(|operand| depends[operand.0 as usize]);
    }
    depends[of] = false;
    (0..depends.len()).filter(|&at| depends[at]).map(|at| Value(at as u32)).collect()
}

#[test]
fn a_constant_off_by_a_billionth_is_seen() {
    let mut random = Random(5);
    for options in all_options(false) {
        let tape = random::tape(5, SHAPE);
        let states: Vec<Vec<f64>> =
            (0..options.width.lanes()).map(|_| random.units(tape.inputs())).collect();
        let mut seen = 0;
        for at in 0..tape.ops().len() {
            let mut ops = tape.ops().to_vec();
            let Op::Constant(number) = &mut ops[at] else { continue };
            *number *= 1.0 + 1e-9;
            let ends = dependents(&tape, at);
            if ends.is_empty() {
                continue;
            }
            let other = Tape::new(10, ops, ends.clone(), Vec::new()).unwrap();
            let right = Tape::new(10, tape.ops().to_vec(), ends.clone(), Vec::new()).unwrap();
            let code = MachineCode::compile(&other, options).unwrap();
            for (state, computed) in states.iter().zip(run(&code, &states, ends.len()).0) {
                assert!(difference(&computed, &plain::outputs(&right, state)).is_some());
                seen += 1;
            }
        }
        assert!(seen > 0);
    }
}

#[test]
fn a_wrong_operand_is_seen() {
    let tape = random::tape(6, SHAPE);
    let last = tape.ops().len() - 1;
    let state = Random(6).units(10);
    let outputs = vec![Value(last as u32)];
    let mut ops = tape.ops().to_vec();
    ops[last] = Op::Add(Value(last as u32 - 1), Value(last as u32 - 2));
    let right = Tape::new(10, ops.clone(), outputs.clone(), Vec::new()).unwrap();
    ops[last] = Op::Add(Value(last as u32 - 1), Value(last as u32 - 3));
    let other = Tape::new(10, ops, outputs, Vec::new()).unwrap();
    for options in all_options(false).into_iter().filter(|options| options.width == Width::One) {
        let code = MachineCode::compile(&other, options).unwrap();
        let (computed, _) = run(&code, std::slice::from_ref(&state), 1);
        assert!(difference(&computed[0], &plain::outputs(&right, &state)).is_some());
    }
}

/// A tape with these operations after an input, and the last one as its output.
fn small(ops: &[Op]) -> Tape {
    let ops = [&[Op::Input(0)], ops].concat();
    let last = Value(ops.len() as u32 - 1);
    Tape::new(1, ops, vec![last], Vec::new()).unwrap()
}

#[test]
fn what_cannot_be_compiled_is_refused() {
    let avx2 = Options::new(Instructions::Avx2);
    let compile = |tape: &Tape, options| MachineCode::compile(tape, options).map(drop);
    let eight = Options { width: Width::Eight, ..avx2 };
    assert_eq!(compile(&small(&[]), eight), Err(Refused::Lanes));
    for instructions in Instructions::ALL.into_iter().filter(|set| !set.are_there()) {
        assert_eq!(compile(&small(&[]), Options::new(instructions)), Err(Refused::Processor));
    }
    if !Instructions::Avx2.are_there() {
        return;
    }
    let x = Value(0);
    for op in [Op::Sin(x), Op::Cos(x), Op::Stumpff { x, count: 2, k: 1 }] {
        assert_eq!(compile(&small(&[op]), avx2), Err(Refused::Operation(1)));
        // It is not needed.
        assert_eq!(compile(&small(&[op, Op::Neg(x)]), avx2), Ok(()));
    }
    let long: Vec<Op> = (0..1_100_000).map(|k| Op::Add(Value(k), Value(k))).collect();
    assert_eq!(compile(&small(&long), avx2), Err(Refused::TooLong));
    // there is no step, and all is copied
    let copied = Tape::new(1, vec![Op::Input(0)], vec![x; 1_000_000], Vec::new()).unwrap();
    assert_eq!(compile(&copied, avx2), Err(Refused::TooLong));
    assert_eq!(Batch::compiled(&copied, avx2).map(drop), Err(Refused::TooLong));
    let many = Tape::new(u32::MAX, vec![Op::Input(u32::MAX - 1)], vec![x], Vec::new()).unwrap();
    assert_eq!(compile(&many, avx2), Err(Refused::TooLong));
}

#[test]
fn a_tape_without_anything_runs() {
    let tape = Tape::new(0, Vec::new(), Vec::new(), Vec::new()).unwrap();
    for options in all_options(true) {
        let code = MachineCode::compile(&tape, options).unwrap();
        assert!(code.clone().run(&[], &mut [], &mut Arena::default()));
        let rows = Batch::compiled(&tape, options).unwrap();
        assert!(rows.run(40, &[], &mut [], &mut Room::default()).is_empty());
    }
}

#[test]
#[should_panic(expected = "inputs times lanes")]
fn a_missing_input_panics() {
    let options = all_options(false);
    let options = options.first().expect("inputs times lanes: no machine code here");
    let code = MachineCode::compile(&turns(), *options).unwrap();
    let _ = code.run(&[1.0], &mut [0.0; 2], &mut Arena::default());
}

#[test]
fn code_is_shared_between_threads() {
    let tape = random::tape(7, SHAPE);
    let state = Random(7).units(10);
    let expected = plain::outputs(&tape, &state);
    for options in all_options(false).into_iter().filter(|options| options.width == Width::One) {
        let code = MachineCode::compile(&tape, options).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let (computed, _) = run(&code, std::slice::from_ref(&state), expected.len());
                    assert_eq!(difference(&computed[0], &expected), None);
                });
            }
        });
    }
}
