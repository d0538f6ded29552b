use crate::machine::{SHAPES, all_options};
use crate::plain::{self, difference};
use crate::random::{self, Random};
use pliant_jit::{Batch, Columns, ColumnsMut, Guard, Op, Room, Tape, Value};

/// The tape by every means.
fn batches(tape: &Tape) -> Vec<Batch> {
    let compiled = all_options(false).into_iter().map(|options| Batch::compiled(tape, options));
    compiled
        .chain([Batch::interpreted(tape), Batch::new(tape, false)])
        .map(Result::unwrap)
        .collect()
}

fn failing(tape: &Tape, inputs: &[f64]) -> Vec<usize> {
    let holds = |row| {
        let values = plain::values(tape, row);
        tape.guards().iter().all(|guard| values[guard.value.0 as usize].abs() <= guard.bound)
    };
    let rows = inputs.chunks(tape.inputs()).enumerate();
    rows.filter(|(_, row)| !holds(row)).map(|(k, _)| k).collect()
}

fn expected(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    inputs.chunks(tape.inputs()).flat_map(|row| plain::outputs(tape, row)).collect()
}

#[test]
fn rows_equal_the_plain_operations() {
    let mut room = Room::default();
    for (seed, shape) in SHAPES.into_iter().enumerate() {
        let tape = random::tape(seed as u64, shape);
        let (columns, results) = (tape.inputs(), tape.outputs().len());
        let all = if shape.operations > 10_000 { [3, 130] } else { [19, 300] };
        for rows in all {
            let inputs = Random(seed as u64).units(rows * columns);
            let (expected, failing) = (expected(&tape, &inputs), failing(&tape, &inputs));
            let finite = expected.iter().filter(|x| x.is_finite()).count();
            assert_eq!(finite, expected.len());
            for batch in batches(&tape) {
                let mut outputs = vec![f64::NAN; rows * results];
                let failed = batch.run(
                    rows,
                    &[Columns::new(&inputs, columns)],
                    &mut [ColumnsMut::new(&mut outputs, results)],
                    &mut room,
                );
                assert_eq!(failed, failing);
                assert_eq!(difference(&outputs, &expected), None, "{:?}", batch.options());
            }
        }
    }
}

#[test]
fn special_numbers_are_the_same_in_rows() {
    let rows = 40;
    for seed in 0..10 {
        let tape = random::tape_of_anything(seed, 12, 300);
        let mut random = Random(seed);
        let inputs: Vec<f64> = (0..12 * rows).map(|_| random.any()).collect();
        let mut outputs = vec![0.0; 300 * rows];
        for batch in batches(&tape) {
            let _ = batch.run(
                rows,
                &[Columns::new(&inputs, 12)],
                &mut [ColumnsMut::new(&mut outputs, 300)],
                &mut Room::default(),
            );
            let difference = difference(&outputs, &expected(&tape, &inputs));
            assert_eq!(difference, None, "{:?}", batch.options());
        }
    }
}

/// `x0 - p`, `p`, `x1 + y` with a bound on `x1 + y`.
fn guarded() -> Tape {
    let ops = vec![
        Op::Input(0),
        Op::Input(1),
        Op::Input(2),
        Op::Input(3),
        Op::Sub(Value(0), Value(3)),
        Op::Add(Value(1), Value(2)),
    ];
    let guards = vec![Guard { value: Value(5), bound: 10.0 }];
    Tape::new(4, ops, vec![Value(4), Value(3), Value(5)], guards).unwrap()
}

#[test]
fn arrays_side_by_side_and_rows_whose_guards_do_not_hold() {
    let tape = guarded();
    for rows in [0, 1, 7, 8, 9, 16, 33, 127, 128, 129, 1000] {
        let x: Vec<f64> = (0..2 * rows).map(|k| k as f64 / rows as f64).collect();
        let mut y = vec![-3.0; rows];
        let wrong: Vec<usize> = [3, 8, 128, 999].into_iter().filter(|&row| row < rows).collect();
        for (&row, value) in wrong.iter().zip([f64::NAN, 11.0, -20.0, f64::INFINITY]) {
            y[row] = value;
        }
        for batch in batches(&tape) {
            let (mut a, mut b) = (vec![0.0; 2 * rows], vec![0.0; rows]);
            let failed = batch.run(
                rows,
                &[Columns::new(&x, 2), Columns::new(&y, 1), Columns::same(&[0.5])],
                &mut [ColumnsMut::new(&mut a, 2), ColumnsMut::new(&mut b, 1)],
                &mut Room::default(),
            );
            assert_eq!(failed, wrong, "{:?}", batch.options());
            for row in 0..rows {
                assert_eq!(a[2 * row..2 * row + 2], [x[2 * row] - 0.5, 0.5]);
                assert!(b[row] == x[2 * row + 1] + y[row] || wrong.contains(&row));
            }
        }
    }
}

#[test]
#[should_panic(expected = "rows of inputs")]
fn a_missing_row_panics() {
    let batch = Batch::new(&guarded(), false).unwrap();
    let (x, mut out) = ([0.0; 8], [0.0; 9]);
    let outputs = &mut [ColumnsMut::new(&mut out, 3)];
    let _ = batch.run(3, &[Columns::new(&x, 4)], outputs, &mut Room::default());
}
