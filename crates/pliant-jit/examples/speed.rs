//! Prints how long synthetic tapes take: `cargo run --release -p pliant-jit --example speed`.
//!
//! Each value is used 30 operations later, and mostly once more before; a tenth of the operands is
//! an input or a constant, some are much older.

#![allow(clippy::print_stdout, reason = "an example")]

use pliant_jit::{
    Arena, Batch, Columns, ColumnsMut, Instructions, MachineCode, Op, Options, Room, Tape, Value,
    Width,
};
use std::hint::black_box;
use std::time::Instant;

const INPUTS: usize = 18;
const OUTPUTS: usize = 6;
const ROWS: usize = 2_000;

fn tape(operations: u32) -> Tape {
    let mut seed = 1u64;
    let mut below = |bound: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as u32 % bound
    };
    let mut ops: Vec<Op> = (0..INPUTS as u32).map(Op::Input).collect();
    ops.extend((0..operations / 10).map(|k| Op::Constant(0.5 + 1e-3 * f64::from(k))));
    let given = ops.len() as u32;
    for at in given..given + operations {
        let a = Value(at - 30);
        let b = match below(20) {
            0 => Value(below(at)),
            1..5 => Value(below(given)),
            _ => Value(at - 1 - below(30)),
        };
        ops.push(match below(100) {
            0 => Op::Neg(a),
            1..45 => Op::Add(a, b),
            _ => Op::Mul(a, b),
        });
    }
    let end = given + operations;
    // Everything is needed.
    for k in 0..30 {
        let last = ops.len() as u32 - 1;
        ops.push(Op::Add(Value(last), Value(end - 1 - k)));
    }
    let last = ops.len() as u32 - 1;
    let outputs = (0..OUTPUTS as u32).map(|k| Value(last - k)).collect();
    Tape::new(INPUTS as u32, ops, outputs, Vec::new()).unwrap()
}

/// The shortest of several times, in nanoseconds.
fn shortest(mut f: impl FnMut(), repeats: u32) -> f64 {
    let times = 2_000_000 / repeats.pow(2) + 15;
    let time = |_| {
        let start = Instant::now();
        (0..repeats).for_each(|_| f());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats)
    };
    (0..times.min(200)).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    for operations in [1_000, 3_300, 10_000] {
        let tape = tape(operations);
        println!("{operations} operations, {INPUTS} inputs, {OUTPUTS} outputs");
        for instructions in Instructions::ALL.into_iter().filter(|set| set.are_there()) {
            for width in Width::ALL.into_iter().filter(|&width| width <= instructions.widest()) {
                for fuse in [false, true] {
                    let options = Options { width, instructions, fuse };
                    one(&tape, options);
                }
            }
        }
        let mut batches = vec![("interpreter", Batch::interpreted(&tape))];
        for instructions in Instructions::ALL.into_iter().filter(|set| set.are_there()) {
            let options = Options { width: instructions.widest(), ..Options::new(instructions) };
            let name = if instructions == Instructions::Avx2 { "AVX2" } else { "AVX-512" };
            batches.push((name, Batch::compiled(&tape, options)));
        }
        for (name, batch) in batches {
            rows(name, &batch.unwrap());
        }
    }
}

fn one(tape: &Tape, options: Options) {
    let code = MachineCode::compile(tape, options).unwrap();
    let compile = shortest(|| drop(black_box(MachineCode::compile(tape, options))), 5);
    let lanes = options.width.lanes();
    let inputs = vec![0.01; INPUTS * lanes];
    let mut outputs = vec![0.0; OUTPUTS * lanes];
    let mut arena = Arena::default();
    let run = || assert!(code.run(black_box(&inputs), black_box(&mut outputs), &mut arena));
    let time = shortest(run, 100);
    println!(
        "  {:?} {lanes} lanes{}: {time:.0} ns, {:.1} ns per state, {} bytes, compiled in {:.3} ms",
        options.instructions,
        if options.fuse { " fused" } else { "" },
        time / lanes as f64,
        code.code().len(),
        compile * 1e-6,
    );
}

fn rows(name: &str, batch: &Batch) {
    let inputs = vec![0.01; ROWS * INPUTS];
    let mut outputs = vec![0.0; ROWS * OUTPUTS];
    let mut room = Room::default();
    let (q, rest) = inputs.split_at(ROWS * 6);
    let (u, tau) = rest.split_at(ROWS * 6);
    let run = || {
        let inputs = [q, u, tau].map(|array| Columns::new(array, 6));
        let outputs = &mut [ColumnsMut::new(&mut outputs, OUTPUTS)];
        assert!(batch.run(ROWS, &inputs, outputs, &mut room).is_empty());
    };
    println!("  rows by {name}: {:.1} ns per state", shortest(run, 1) / ROWS as f64);
}
