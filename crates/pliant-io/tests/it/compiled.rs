//! Compiled recursions against the recursions themselves, on every arm of the collection.

use crate::robots::{Random, load, robots};
use pliant::arm::Arm;
use pliant::compile::{
    CompileError, Evaluator, Functions, Quantity, RowBlock, RowEvaluator, Trace,
};
use pliant::dynamics::kinematics::{self, Axes};
use pliant::dynamics::{aba, crba, derivatives, passive, rnea, terms};
use pliant::integrate::{GeneralisedAlpha, Rk4, Stepper};
use pliant::pliant_jit::{Arena, Instructions, MachineCode, Op, Options, Refused, Tape};
use pliant::reproduce::effort;
use pliant::scalar::{Counted, Counts, count};
use pliant::simulate::{ArmSystem, Compile, ImplicitArmSystem, Unforced};
use pliant_io::Source;
use pliant_io::scenario::{self, Overrides};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

fn king() -> Arm {
    let path = robots().into_iter().find(|path| path.ends_with("king-two-link.toml"));
    load(&path.expect("King's arm"))
}

/// The arms of the collection, and a chain of six links that bend.
fn arms() -> Vec<(PathBuf, Arm)> {
    let mut arms: Vec<_> = robots().into_iter().map(|path| (path.clone(), load(&path))).collect();
    arms.push((PathBuf::from("chain"), effort::chain(&[3; 6]).expect("a chain")));
    // links so short that a tenth of a metre of deflection turns their tips by many turns
    let rod = "name = 'short'\n[[link]]\nname = 'a'\njoint = { kind = 'revolute', axis = 'z' }\n\
        length = '0.1 m'\nsection = { kind = 'round', diameter = '3 mm' }\nmaterial = 'steel'\n\
        bends = { y = 3, z = 3 }\npayload = { mass = '0.1 kg' }\n";
    let rod = pliant_io::parse_arm(&Source::new("short.toml", rod));
    arms.push((PathBuf::from("short"), rod.unwrap_or_else(|report| panic!("{report}")).arm));
    arms
}

/// Every quantity that an arm has.
fn quantities(arm: &Arm) -> Vec<Quantity> {
    vec![
        Quantity::ForwardDynamics,
        Quantity::InverseDynamics,
        Quantity::MassMatrix,
        Quantity::MassMatrixAndBias,
        Quantity::Terms,
        Quantity::Kinematics,
        Quantity::Jacobian { frame: arm.frames().len() - 1 },
        Quantity::ForwardDerivatives,
        Quantity::InverseDerivatives,
        Quantity::ConfigurationRate,
        Quantity::DampingPower,
        Quantity::EnergiesAndMomenta,
    ]
}

/// The blocks of a random state, with links bent by angles that links bend by.
pub(crate) fn state(random: &mut Random, arm: &Arm, evaluator: &Evaluator) -> Vec<Vec<f64>> {
    let mut block = |name: &str, len| match name {
        "q" => {
            let (mut q, neutral) = (random.configuration(arm), arm.neutral());
            for link in 0..arm.body_count() {
                let length = arm.beam_of(link).map_or(1.0, |beam| beam.length.min(1.0));
                for at in arm.bending_of(link).0 {
                    q[at] = neutral[at] + 0.05 * length * length * (q[at] - neutral[at]);
                }
            }
            q
        }
        _ => random.vector(len, 3.0),
    };
    evaluator.inputs().iter().map(|input| block(input.name, input.len)).collect()
}

/// All outputs at a state.
pub(crate) fn outputs(evaluator: &mut Evaluator, state: &[Vec<f64>]) -> Vec<f64> {
    let inputs: Vec<&[f64]> = state.iter().map(Vec::as_slice).collect();
    let mut blocks: Vec<Vec<f64>> =
        evaluator.outputs().iter().map(|block| vec![f64::NAN; block.len]).collect();
    let mut slices: Vec<&mut [f64]> = blocks.iter_mut().map(Vec::as_mut_slice).collect();
    evaluator.run_into(&inputs, &mut slices);
    blocks.concat()
}

/// Whether only this machine cannot compile.
fn is_elsewhere(why: &CompileError) -> bool {
    matches!(why, CompileError::Refused(Refused::NoExecutablePages | Refused::Processor))
}

/// Compiled, unless this machine cannot.
fn compile(evaluator: &mut Evaluator, fuse: bool) -> bool {
    match evaluator.compile(fuse) {
        Ok(()) => true,
        Err(why) if is_elsewhere(&why) => {
            writeln!(std::io::stderr(), "compiled: skipped: {why}").expect("a place to write");
            false
        }
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn machine_code_gives_the_numbers_of_the_recursions() {
    for (path, arm) in arms() {
        for quantity in quantities(&arm) {
            let mut recursion = arm.evaluator(quantity);
            let (mut plain, mut fused) = (recursion.clone(), recursion.clone());
            if !compile(&mut plain, false) || !compile(&mut fused, true) {
                return;
            }
            let mut random = Random(7);
            // derivatives take dual numbers, and differ no more than the recursions that they are of
            let rounds = if quantity == Quantity::ForwardDerivatives { 20 } else { 100 };
            for _ in 0..rounds {
                let state = state(&mut random, &arm, &recursion);
                let want = outputs(&mut recursion, &state);
                let got = outputs(&mut plain, &state);
                let place = || format!("{} {quantity:?} at {state:?}", path.display());
                assert!(want.iter().all(|number| number.is_finite()), "{}", place());
                assert!(
                    want.iter().zip(&got).all(|(want, got)| want.to_bits() == got.to_bits()),
                    "{}",
                    place()
                );
                let near = outputs(&mut fused, &state);
                let size = want.iter().fold(0.0_f64, |size, number| size.max(number.abs()));
                let is_stiff = path.ends_with("carbon-fibre-arm.toml")
                    || path.ends_with("king-three-link.toml");
                // rounding is amplified by the condition of the mass matrix, of stiff links above all
                let bound = match quantity {
                    Quantity::ForwardDynamics if arm.flexible_links().is_empty() => 1e-13,
                    // the condition allows no more: beside 60 digits their unfused slopes are off by
                    // 1.4e-11 and 1.0e-11, the fused ones by 1.5e-11 and 1.0e-11
                    Quantity::ForwardDerivatives if is_stiff => 3e-11,
                    Quantity::ForwardDynamics
                    | Quantity::InverseDerivatives
                    | Quantity::ForwardDerivatives => 1e-11,
                    _ => 1e-13,
                };
                // a rod of steel as long as a finger is stiffer than any robot
                let bound = if path.ends_with("short") { 100.0 * bound } else { bound };
                for (want, near) in want.iter().zip(&near) {
                    assert!((want - near).abs() <= bound * size, "{}: {want} {near}", place());
                }
            }
            assert_eq!((plain.fallbacks(), fused.fallbacks()), (0, 0), "{}", path.display());
        }
    }
}

/// Rows that code computes, so many that they are not looked at all at once.
const ROWS: usize = 600;

/// Among others, those that machine code leaves to the recursion.
const SPECIAL: [(usize, f64); 3] = [(7, 1e9), (9, f64::INFINITY), (ROWS - 1, f64::NAN)];

/// Rows have the numbers of single states, those that machine code leaves to the recursion too, and only
/// these are left to it.
#[test]
fn rows_are_single_states() {
    for (path, arm) in arms() {
        for quantity in [Quantity::ForwardDynamics, Quantity::MassMatrix, Quantity::InverseDynamics]
        {
            let mut recursion = arm.evaluator(quantity);
            let mut random = Random(11);
            let usual: Vec<_> = (0..ROWS).map(|_| state(&mut random, &arm, &recursion)).collect();
            let mut special = usual.clone();
            for (row, value) in SPECIAL {
                special[row][0][0] = value;
            }
            for (fuse, is_special) in [(false, false), (false, true), (true, true)] {
                let states = if is_special { &special } else { &usual };
                let place = format!("{} {quantity:?}, fused {fuse}", path.display());
                let mut code = recursion.clone();
                let is_code = compile(&mut code, fuse);
                if fuse && !is_code {
                    continue;
                }
                let mut rows = arm.row_evaluator(quantity, fuse).expect("rows");
                let got = all_rows(&mut rows, states);
                for (row, (state, got)) in states.iter().zip(&got).enumerate() {
                    let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
                    let of_code = outputs(&mut code, state);
                    let wanted = if fuse { of_code } else { outputs(&mut recursion, state) };
                    assert!(wanted.iter().zip(got).all(same), "{place}: row {row}");
                }
                if is_code {
                    assert_eq!(rows.fallbacks(), code.fallbacks(), "{place}");
                    assert_eq!(rows.fallbacks() > 0, is_special, "{place}");
                }
            }
        }
    }
}

/// A row for each state.
fn each<'a>(q: &'a [f64], u: &'a [f64], tau: &'a [f64]) -> [RowBlock<'a>; 3] {
    [RowBlock::Each(q), RowBlock::Each(u), RowBlock::Each(tau)]
}

/// All outputs at states, as rows of one call.
fn all_rows(rows: &mut RowEvaluator, states: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
    let port = |k: usize| states.iter().flat_map(|state| state[k].clone()).collect::<Vec<_>>();
    let arrays: Vec<Vec<f64>> = (0..rows.inputs().len()).map(port).collect();
    let blocks: Vec<RowBlock<'_>> = arrays.iter().map(|array| RowBlock::Each(array)).collect();
    let widths: Vec<usize> = rows.outputs().iter().map(|port| port.len).collect();
    let count = states.len();
    let mut answers: Vec<Vec<f64>> = widths.iter().map(|len| vec![0.0; count * len]).collect();
    let mut places: Vec<&mut [f64]> = answers.iter_mut().map(Vec::as_mut_slice).collect();
    rows.rows_into(count, &blocks, &mut places);
    let row = |row: usize| {
        let own = |(answer, len): (&Vec<f64>, &usize)| answer[row * len..][..*len].to_vec();
        answers.iter().zip(&widths).flat_map(own).collect()
    };
    (0..count).map(row).collect()
}

/// Rows end where a number is none or an answer is too large, in the last rows too, and else they are
/// those without a bound.
#[test]
fn rows_are_bounded_by_their_answers() {
    let arm = king();
    let mut rows = arm.row_evaluator(Quantity::ForwardDynamics, false).expect("rows");
    let (nq, n, count, mut random) = (arm.nq(), arm.nv(), 1_100, Random(3));
    let one = arm.evaluator(Quantity::ForwardDynamics);
    let states: Vec<_> = (0..count).map(|_| state(&mut random, &arm, &one)).collect();
    let port = |k: usize| states.iter().flat_map(|state| state[k].clone()).collect::<Vec<_>>();
    let (mut q, u, tau) = (port(0), port(1), port(2));
    let (mut wanted, mut got) = (vec![0.0; count * n], vec![0.0; count * n]);
    rows.rows_into(count, &each(&q, &u, &tau), &mut [&mut wanted]);
    let largest = wanted.iter().fold(0.0_f64, |most, ud| most.max(ud.abs()));
    let mut below = |bound, q: &[f64], got: &mut Vec<f64>| {
        rows.rows_below(bound, count, &each(q, &u, &tau), &mut [got])
    };
    assert!(below(largest.next_up(), &q, &mut got));
    assert_eq!(got, wanted);
    assert!(!below(largest, &q, &mut got));
    q[nq * (count - 1)] = f64::NAN;
    assert!(!below(f64::INFINITY, &q, &mut got));
    // beyond the range of machine code the recursion computes a row, which is bounded too
    q[0] += 1e7;
    let first = each(&q[..nq], &u[..n], &tau[..n]);
    let mut far = vec![0.0; n];
    assert!(rows.rows_below(f64::INFINITY, 1, &first, &mut [&mut far]));
    let largest = far.iter().fold(0.0_f64, |most, ud| most.max(ud.abs()));
    assert!(!rows.rows_below(largest, 1, &first, &mut [&mut far]));
    assert!(rows.rows_below(largest.next_up(), 1, &first, &mut [&mut far]));
}

/// What has no dampers has a power of zero without running anything; states that are none still go to
/// the recursion.
#[test]
fn constants_are_constant_where_there_is_a_state() {
    let arm = king();
    let mut power = arm.evaluator(Quantity::DampingPower);
    if !compile(&mut power, false) {
        return;
    }
    let (q, mut u) = (arm.neutral(), vec![1.0; arm.nv()]);
    let mut watts = [f64::NAN];
    power.run_into(&[&q, &u], &mut [&mut watts]);
    assert_eq!(watts[0].to_bits(), 0);
    for lost in [f64::NAN, f64::INFINITY] {
        u[0] = lost;
        power.run_into(&[&q, &u], &mut [&mut watts]);
    }
    assert_eq!(power.fallbacks(), 2);
    u[0] = -1.0;
    power.run_into(&[&q, &u], &mut [&mut watts]);
    assert_eq!((watts[0].to_bits(), power.fallbacks()), (0, 2));
}

/// A motion stepped by a program has the same states with machine code, and by the recursion where there
/// is none.
#[test]
fn compiled_motions_are_the_motions_of_the_recursions() {
    let arm = king();
    let start = vec![0.1; arm.nq() + arm.nv()];
    let push = |_: f64, q: &[f64], _: &[f64], tau: &mut [f64], _: &mut [f64]| tau[0] = -q[0];
    let end = |compiles: bool| {
        let mut motion = ArmSystem::new(&arm, push);
        if compiles {
            let done = motion.compile(false);
            assert!(done.as_ref().err().is_none_or(is_elsewhere), "{done:?}");
        }
        let mut stepper = Stepper::new(motion, Rk4::new(1e-3), 0.0, &start).expect("a start");
        stepper.advance(0.05).expect("steps");
        stepper.state().to_vec()
    };
    let (recursion, code) = (end(false), end(true));
    assert_eq!(recursion, code);
    assert_ne!(recursion, start);
}

/// Residuals and their slopes too, for implicit methods.
#[test]
fn compiled_equations_are_those_of_the_recursions() {
    let arm = king();
    // a tenth of a metre would be more than these links bend
    let start = vec![1e-3; arm.nq() + arm.nv()];
    let end = |compiles: bool| {
        let mut motion = ImplicitArmSystem::new(&arm, Unforced);
        if compiles {
            let done = motion.compile(false);
            assert!(done.as_ref().err().is_none_or(is_elsewhere), "{done:?}");
        }
        let method = GeneralisedAlpha::new(1e-3);
        let mut stepper = Stepper::new(motion, method, 0.0, &start).expect("a start");
        stepper.advance(0.01).expect("steps");
        stepper.state().to_vec()
    };
    let (recursion, code) = (end(false), end(true));
    assert_eq!(recursion, code);
    assert_ne!(recursion, start);
}

/// A run tells whether it was compiled, and nothing else of it changes.
#[test]
fn runs_tell_whether_they_were_compiled() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/king-swing.toml");
    let told = |compile: Compile| {
        let mut setup = scenario::load(path, &Overrides::default()).expect("a scenario");
        setup.simulation.diagram.compile = compile;
        setup.simulation.diagram.duration = 0.02;
        scenario::record(&setup, &mut |_| ControlFlow::Continue(())).expect("a run")
    };
    let (never, auto) = (told(Compile::Never), told(Compile::Auto));
    assert_eq!(never.summary.outcome.compiled, Some(false));
    assert_eq!(auto.summary.outcome.compiled, Some(false), "too short to be worth it");
    if compile(&mut king().evaluator(Quantity::ForwardDynamics), false) {
        let always = told(Compile::Always);
        assert_eq!(always.summary.outcome.compiled, Some(true));
        assert_eq!(always.summary.outcome.run.ending, never.summary.outcome.run.ending);
        assert_eq!(always.summary.outcome.run.extremes, never.summary.outcome.run.extremes);
    }
}

fn sum(a: Counts, b: Counts) -> Counts {
    Counts {
        multiplications: a.multiplications + b.multiplications,
        additions: a.additions + b.additions,
        negations: a.negations + b.negations,
        sin_cos: a.sin_cos + b.sin_cos,
        sqrt: a.sqrt + b.sqrt,
        recip: a.recip + b.recip,
        stumpff: a.stumpff + b.stumpff,
    }
}

#[test]
fn what_is_recorded_is_what_is_counted() {
    for (path, arm) in arms() {
        let counted: Arm<Counted> = arm.cast();
        let (nq, n) = (arm.nq(), arm.nv());
        let zeros = |n: usize| vec![Counted(0.0); n];
        let (q, u, mut tau, mut ud) = (zeros(nq), zeros(n), zeros(n), zeros(n));
        let mut work = aba::Workspace::new(&counted);
        let forward = count(|| aba::aba_into(&counted, &mut work, &q, &u, &mut tau, &mut ud)).1;
        let mut work = rnea::Workspace::new(&counted);
        let inverse = count(|| rnea::rnea_into(&counted, &mut work, &q, &u, &ud, &mut tau)).1;
        let mut work = crba::Workspace::new(&counted);
        let mut matrix = zeros(n * n);
        let mass = count(|| crba::crba_into(&counted, &mut work, &q, &mut matrix)).1;
        let mut work = rnea::Workspace::new(&counted);
        let mut dampers = passive::Workspace::new(&counted);
        let bias = count(|| terms::bias_into(&counted, &mut work, &q, &u, &mut tau)).1;
        let rest = count(|| {
            terms::coriolis_into(&counted, &mut work, &q, &u, &mut tau);
            terms::gravity_into(&counted, &mut work, &q, &mut tau);
            terms::elastic_into(&counted, &mut dampers, &q, &mut tau);
            terms::damping_into(&counted, &mut dampers, &q, &u, &mut tau);
        })
        .1;
        let mut frames = kinematics::Workspace::new(&counted);
        let last = arm.frames().len() - 1;
        let poses = count(|| {
            let placed = frames.place(&counted, &q);
            (0..=last).map(|frame| placed.pose(frame)).collect::<Vec<_>>()
        })
        .1;
        let mut jacobian = zeros(6 * n);
        let columns = count(|| {
            frames.place(&counted, &q).jacobian_into(last, Axes::World, &mut jacobian);
        })
        .1;
        let (mut by_q, mut by_u, mut by_tau) = (zeros(n * n), zeros(n * n), zeros(n * n));
        let mut work = derivatives::Workspace::new(&counted);
        let inverse_slopes = count(|| {
            derivatives::inverse_derivatives_into(&mut work, &q, &u, &ud, &mut by_q, &mut by_u);
        })
        .1;
        let forward_slopes = count(|| {
            let slopes = [&mut by_q[..], &mut by_u, &mut by_tau];
            derivatives::forward_derivatives_into(&mut work, &q, &u, &tau, &ud, slopes);
        })
        .1;
        let mut rates = zeros(nq);
        let rate = count(|| counted.rate_into(&q, &u, &mut rates)).1;
        for (quantity, counts) in [
            (Quantity::ForwardDynamics, forward),
            (Quantity::InverseDynamics, inverse),
            (Quantity::MassMatrix, mass),
            (Quantity::MassMatrixAndBias, sum(mass, bias)),
            (Quantity::Terms, sum(mass, rest)),
            (Quantity::Kinematics, poses),
            (Quantity::Jacobian { frame: last }, columns),
            (Quantity::InverseDerivatives, inverse_slopes),
            (Quantity::ForwardDerivatives, forward_slopes),
            (Quantity::ConfigurationRate, rate),
        ] {
            let trace = Trace::new(&arm, quantity, Functions::Called);
            assert_eq!(trace.recorded(), counts, "{} {quantity:?}", path.display());
            let left = trace.counts();
            assert!(left.multiplications <= counts.multiplications, "{}", path.display());
            // a second trace is the same, and what the functions are made of is not recorded
            let expanded = Trace::new(&arm, quantity, Functions::Expanded);
            assert_eq!(expanded.recorded(), counts);
            assert_eq!(Trace::new(&arm, quantity, Functions::Called).tape(), trace.tape());
        }
        assert_ne!(forward, Counts::default());
    }
}

#[test]
fn what_is_not_finite_or_out_of_range_goes_to_the_recursion() {
    let arm = king();
    let mut recursion = arm.evaluator(Quantity::ForwardDynamics);
    let mut compiled = recursion.clone();
    if !compile(&mut compiled, false) {
        return;
    }
    let mut random = Random(3);
    let usual = state(&mut random, &arm, &recursion);
    // an angle beyond the range of the sine, a link bent by more than the series reaches, and others
    let changes =
        [(0, 0, 1e7), (0, 2, 5.0), (0, 1, f64::NAN), (1, 0, f64::INFINITY), (2, 1, 1e200)];
    for (block, at, value) in changes {
        let mut state = usual.clone();
        state[block][at] = value;
        let (want, got) = (outputs(&mut recursion, &state), outputs(&mut compiled, &state));
        let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(want), bits(got), "block {block}, entry {at}, {value}");
    }
    assert_eq!(compiled.fallbacks(), changes.len() as u64);
}

/// The constants of an arm are changed a little, one by one: the comparison sees it, but for those
/// whose share in the results is below rounding.
#[test]
fn a_constant_that_is_a_little_off_is_seen() {
    let instructions = Instructions::ALL.into_iter().find(|set| set.are_there());
    let Some(instructions) = instructions else { return };
    let arm = king();
    let mut recursion = arm.evaluator(Quantity::ForwardDynamics);
    let trace = Trace::new(&arm, Quantity::ForwardDynamics, Functions::Expanded);
    let tape = trace.tape();
    let state = state(&mut Random(5), &arm, &recursion);
    let want = outputs(&mut recursion, &state);
    let evaluate = |tape: &Tape| {
        let code = MachineCode::compile(tape, Options::new(instructions)).expect("machine code");
        let mut got = vec![0.0; want.len()];
        assert!(code.run(&state.concat(), &mut got, &mut Arena::default()));
        got
    };
    assert_eq!(evaluate(tape), want);
    let called = Trace::new(&arm, Quantity::ForwardDynamics, Functions::Called);
    let constants = tape.ops().iter().enumerate().filter_map(|(at, op)| match *op {
        // not those of sines and series
        Op::Constant(constant) if called.tape().ops().contains(op) => Some((at, constant)),
        _ => None,
    });
    let (mut seen, mut tried) = (0, 0);
    for (at, constant) in constants.step_by(2) {
        let mut ops = tape.ops().to_vec();
        ops[at] = Op::Constant(constant * (1.0 + 1e-9));
        let off = Tape::new(tape.inputs() as u32, ops, tape.outputs().to_vec(), Vec::new());
        seen += usize::from(evaluate(&off.expect("a tape")) != want);
        tried += 1;
    }
    assert!(seen * 10 >= tried * 9 && tried > 20, "{seen} of {tried}");
}
