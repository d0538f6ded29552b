use crate::plain::{self, difference};
use crate::random::{self, Random, Shape};
use pliant_jit::{Arena, Instructions, MachineCode, Options, Tape, Width};

/// Every width of every set of instructions that this processor has.
pub(crate) fn all_options(fuse: bool) -> Vec<Options> {
    let there = Instructions::ALL.into_iter().filter(|instructions| instructions.are_there());
    there
        .flat_map(|instructions| {
            let widths =
                Width::ALL.into_iter().filter(move |&width| width <= instructions.widest());
            widths.map(move |width| Options { width, instructions, fuse })
        })
        .collect()
}

pub(crate) const SHAPES: [Shape; 6] = [
    Shape { inputs: 1, operations: 6, outputs: 1, old: 0 },
    Shape { inputs: 3, operations: 40, outputs: 5, old: 5 },
    Shape { inputs: 18, operations: 1_000, outputs: 6, old: 1 },
    Shape { inputs: 40, operations: 3_000, outputs: 80, old: 3 },
    Shape { inputs: 60, operations: 3_000, outputs: 20, old: 10 },
    Shape { inputs: 300, operations: 30_000, outputs: 100, old: 2 },
];

/// Runs code on states of lanes and gives the outputs of each.
pub(crate) fn run(
    code: &MachineCode,
    states: &[Vec<f64>],
    outputs: usize,
) -> (Vec<Vec<f64>>, bool) {
    let lanes = states.len();
    let inputs: Vec<f64> =
        (0..states[0].len()).flat_map(|i| states.iter().map(move |state| state[i])).collect();
    let mut side_by_side = vec![f64::NAN; outputs * lanes];
    let holds = code.run(&inputs, &mut side_by_side, &mut Arena::default());
    let lane = |lane| (0..outputs).map(|k| side_by_side[k * lanes + lane]).collect();
    ((0..lanes).map(lane).collect(), holds)
}

fn check(
    tape: &Tape,
    options: Options,
    random: &mut Random,
    number: fn(&mut Random) -> f64,
    expected: fn(&Tape, &[f64]) -> Vec<f64>,
) {
    let code = MachineCode::compile(tape, options).unwrap();
    for _ in 0..3 {
        let states: Vec<Vec<f64>> = (0..options.width.lanes())
            .map(|_| (0..tape.inputs()).map(|_| number(random)).collect())
            .collect();
        let (computed, _) = run(&code, &states, tape.outputs().len());
        for (state, computed) in states.iter().zip(&computed) {
            let expected = expected(tape, state);
            if let Some(at) = difference(computed, &expected) {
                panic!("{options:?}, output {at}: {} is not {}", computed[at], expected[at]);
            }
        }
    }
}

#[test]
fn machine_code_equals_the_plain_operations() {
    for options in all_options(false) {
        for (seed, shape) in SHAPES.into_iter().enumerate() {
            let repeats = if shape.operations > 10_000 { 1 } else { 8 };
            for repeat in 0..repeats {
                let tape = random::tape(100 * seed as u64 + repeat, shape);
                check(&tape, options, &mut Random(repeat), Random::unit, plain::outputs);
            }
        }
    }
}

#[test]
fn fused_machine_code_rounds_products_with_their_sums() {
    for options in all_options(true) {
        for (seed, shape) in SHAPES.into_iter().enumerate() {
            let tape = random::tape(seed as u64, shape);
            check(&tape, options, &mut Random(1), Random::unit, plain::fused_outputs);
        }
    }
}

#[test]
fn special_numbers_are_the_same_too() {
    for options in all_options(false) {
        for seed in 0..20 {
            let tape = random::tape_of_anything(seed, 12, 300);
            check(&tape, options, &mut Random(seed), Random::any, plain::outputs);
        }
    }
}
