//! Kalman filters on a bar that bends, turned by a motor, with an encoder and a strain gauge.
//!
//! The bar itself moves by Dormand and Prince's integrator, which the filters do not use.

use super::BAR;
use pliant::analyse::{Conditions, Input, OperatingPoint, Output};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Ways};
use pliant::control::{
    EstimatorError, EstimatorKind, EstimatorSensors, Gauge, Model, StateEstimator,
};
use pliant::integrate::{Dop853, solve};
use pliant::nalgebra::{DMatrix, DVector};
use pliant::simulate::{ArmSystem, Noise};

const LENGTH: f64 = 1.2;
const PERIOD: f64 = 2e-3;
const GAUGE: Gauge = Gauge { link: 0, distance: 0.1, place: [0.005, 0.0], noise: 1e-6 };
/// The noise of the encoder (rad), of the motor (N m), and on bending (m/s²).
const ENCODER: f64 = 1e-5;
const FORCE: f64 = 0.05;
const BENDING: f64 = 0.1;

/// A bar that turns about z and bends in the plane of its motion, and across it if asked.
fn bar(gravity: f64, across: usize) -> Arm {
    let beam = Beam::new(LENGTH, BAR, Basis::ClampedFree(Ways::new(2, across, 0, 0)));
    let link = Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
    Builder::new("bar").gravity([0.0, -gravity, 0.0]).link(link).build().expect("an arm")
}

fn senses() -> EstimatorSensors {
    EstimatorSensors {
        encoders: vec![ENCODER],
        gauges: vec![GAUGE],
        forces: vec![FORCE],
        bending: BENDING,
        period: PERIOD,
    }
}

/// The bar, and filters that watch it.
struct Watched {
    arm: Arm,
    /// `(q, u)`.
    state: Vec<f64>,
    filters: Vec<(Model, StateEstimator)>,
    /// The force of the motor.
    force: f64,
    tick: u32,
}

impl Watched {
    fn new(gravity: f64, state: Vec<f64>, filters: &[EstimatorKind]) -> Self {
        let arm = bar(gravity, 0);
        let filters = filters.iter().map(|&filter| {
            let model = Model::new(arm.clone(), &[0]).expect("a model");
            let observer = StateEstimator::new(&model, filter, &arm.neutral(), &senses());
            (model, observer.expect("an observer"))
        });
        Self { filters: filters.collect(), arm, state, force: 0.0, tick: 0 }
    }

    fn measured(&self) -> [f64; 2] {
        let beam = self.arm.beam_of(0).expect("a beam");
        let strains = beam.axial_strains(GAUGE.distance, GAUGE.place);
        let bent = self.arm.bending_of(0).0;
        let strain = strains.iter().zip(bent).map(|(strain, k)| strain * self.state[k]).sum();
        [self.state[0], strain]
    }

    /// The filters hear, with so much noise, and everything moves on for a period under the force of
    /// the motor and some that the filters do not know.
    fn step(&mut self, force: impl Fn(f64) -> f64, heard: [f64; 2], unknown: &[f64]) {
        let [angle, strain] = self.measured();
        let measured = [angle + heard[0], strain + heard[1]];
        for (model, observer) in &mut self.filters {
            observer.observe(model, &[self.force], &measured, &[0.0]).expect("an estimate");
        }
        self.force = force(f64::from(self.tick) * PERIOD);
        let mut forces = unknown.to_vec();
        forces[0] += self.force;
        let drive = |_: f64, _: &[f64], _: &[f64], tau: &mut [f64], _: &mut [f64]| {
            tau.copy_from_slice(&forces);
        };
        let motion = ArmSystem::new(&self.arm, drive);
        let solution = solve(motion, Dop853::new(1e-9), &self.state, &[0.0, PERIOD]);
        solution.outcome.expect("a step");
        self.state.copy_from_slice(solution.states.last().expect("a state"));
        self.tick += 1;
    }

    /// What a filter believes, as `(q, u)`, at the tick whose measurement it has just heard.
    fn believed(&self, filter: usize) -> Vec<f64> {
        let (q, u) = self.filters[filter].0.state();
        [q, u].concat()
    }
}

/// Runs for a time with a force; the largest error and the largest value of each state in the last
/// quarter, for each filter.
fn errors(mut watched: Watched, force: impl Fn(f64) -> f64, ticks: u32) -> Vec<Vec<[f64; 2]>> {
    let (count, n) = (watched.filters.len(), watched.state.len());
    let mut most = vec![vec![[0.0_f64; 2]; n]; count];
    for tick in 0..ticks {
        let truth = watched.state.clone();
        watched.step(&force, [0.0; 2], &[0.0; 3]);
        if 4 * tick < 3 * ticks {
            continue;
        }
        for (filter, most) in most.iter_mut().enumerate() {
            let believed = watched.believed(filter);
            for (most, (truth, believed)) in most.iter_mut().zip(truth.iter().zip(believed)) {
                *most = [most[0].max((truth - believed).abs()), most[1].max(truth.abs())];
            }
        }
    }
    most
}

/// Bent, and in motion.
fn shaken(size: f64) -> Vec<f64> {
    [0.0, 0.03, -0.002, 0.5, 0.4, -0.3].map(|x| size * x).to_vec()
}

/// Believed straight and at rest at first.
#[test]
fn both_filters_find_bending_and_rates() {
    let push = |t: f64| 2.0 * (3.0 * t).sin();
    // far from any posture, under gravity: what is left is of the steps' second order, 3e-4
    let far = Watched::new(9.81, shaken(1.0), &[EstimatorKind::Extended]);
    // without gravity, so that turning changes nothing: centrifugal forces are left out, 6e-3
    let turning = Watched::new(0.0, shaken(1.0), &[EstimatorKind::Kalman]);
    for (watched, bound) in [(far, 1e-3), (turning, 1e-2)] {
        for (k, [error, size]) in errors(watched, push, 1000)[0].iter().enumerate() {
            assert!(*size > 1e-3 && error < &(bound * size), "{k}: {error:e} of {size:e}");
        }
    }
}

#[test]
fn a_new_start_forgets_everything() {
    let mut watched =
        Watched::new(9.81, Vec::new(), &[EstimatorKind::Kalman, EstimatorKind::Extended]);
    let mut run = || {
        watched.state = shaken(1.0);
        (watched.force, watched.tick) = (0.0, 0);
        for (_, observer) in &mut watched.filters {
            observer.start();
        }
        for _ in 0..30 {
            watched.step(|t| 2.0 * t.cos(), [0.0; 2], &[0.0; 3]);
        }
        [0, 1].map(|filter| watched.believed(filter))
    };
    let [first, second] = [run(), run()];
    assert!(first == second && first[0] != first[1], "{first:?} {second:?}");
}

/// Near the posture they differ in the second order of the motion.
#[test]
fn the_filters_are_the_same_for_small_motions() {
    let apart = |size: f64| {
        let mut watched =
            Watched::new(9.81, Vec::new(), &[EstimatorKind::Kalman, EstimatorKind::Extended]);
        let rest = watched.arm.static_equilibrium(&watched.arm.neutral()).expect("rest").q;
        let hold = watched.arm.inverse_dynamics(&rest, &[0.0; 3], &[0.0; 3]).expect("forces")[0];
        let mut state = shaken(size);
        for (state, rest) in state.iter_mut().zip(&rest) {
            *state += rest;
        }
        watched.state = state;
        let (mut most, mut largest) = (0.0_f64, 0.0_f64);
        for _ in 0..200 {
            watched.step(|t| hold + size * (20.0 * t).sin(), [0.0; 2], &[0.0; 3]);
            let (one, other) = (watched.believed(0), watched.believed(1));
            // velocities of bending
            for k in 4..6 {
                most = most.max((one[k] - other[k]).abs());
                largest = largest.max(one[k].abs());
            }
        }
        most / largest
    };
    let (small, smaller) = (apart(1e-2), apart(5e-3));
    assert!(small < 1e-4 && smaller > 1e-6, "{small:e} {smaller:e}");
    assert!((small / smaller - 2.0).abs() < 0.01, "{small:e} {smaller:e}");
}

/// The bar is pushed by just the noise that the filters believe in.
#[test]
fn innovations_are_as_white_and_as_large_as_expected() {
    let mut watched =
        Watched::new(0.0, vec![0.0; 6], &[EstimatorKind::Kalman, EstimatorKind::Extended]);
    let mass = watched.arm.mass_matrix(&watched.arm.neutral()).expect("a mass matrix");
    let mut noise = Noise::new(7, 0);
    let (warm, ticks) = (500_u32, 4000_u32);
    let mut heard: [Vec<DVector<f64>>; 2] = [Vec::new(), Vec::new()];
    for tick in 0..warm + ticks {
        let unknown: Vec<f64> = (0..3)
            .map(|v| if v == 0 { FORCE } else { BENDING * mass[(v, v)] } * noise.gaussian())
            .collect();
        let errors = [ENCODER * noise.gaussian(), GAUGE.noise * noise.gaussian()];
        watched.step(|_| 0.0, errors, &unknown);
        if tick >= warm {
            for (heard, (_, observer)) in heard.iter_mut().zip(&watched.filters) {
                let spread = observer.innovation_covariance().clone().cholesky().expect("positive");
                // of unit covariance
                let unit = spread.l().solve_lower_triangular(observer.innovation());
                heard.push(unit.expect("regular"));
            }
        }
    }
    // four standard deviations of means of so many products of independent numbers
    let bound = 4.0 / f64::from(ticks).sqrt();
    let mean = |products: DMatrix<f64>| products / f64::from(ticks);
    for (filter, heard) in ["kalman", "extended"].iter().zip(&heard) {
        let none = DMatrix::zeros(2, 2);
        let now = mean(heard.iter().fold(none.clone(), |sum, v| sum + v * v.transpose()));
        let pairs = heard.windows(2);
        let later = mean(pairs.fold(none, |sum, v| sum + &v[1] * v[0].transpose()));
        for i in 0..2 {
            for j in 0..2 {
                let (one, bound) =
                    if i == j { (1.0, 2.0_f64.sqrt() * bound) } else { (0.0, bound) };
                assert!((now[(i, j)] - one).abs() < bound, "{filter}: {now}");
                assert!(later[(i, j)].abs() < bound, "{filter}: {later}");
            }
        }
    }
}

/// `P = Φ (P − P Cᵀ S⁻¹ C P) Φᵀ + Γ Q Γᵀ` with matrices that are made here.
#[test]
fn the_steady_covariance_solves_its_equation() {
    let arm = bar(9.81, 0);
    let model = Model::new(arm.clone(), &[0]).expect("a model");
    let observer = StateEstimator::new(&model, EstimatorKind::Kalman, &arm.neutral(), &senses());
    let observer = observer.expect("an observer");
    let rest = arm.static_equilibrium(&arm.neutral()).expect("rest").q;
    let inputs = [0, 1, 2].map(Input::Motor);
    let Gauge { link, distance, place, .. } = GAUGE;
    let outputs = [Output::Coordinate(0), Output::Strain { link, distance, place }];
    let conditions = Conditions::unlocked(&arm);
    let system = arm.linearise(&OperatingPoint::rest(&arm, &rest), &conditions, &inputs, &outputs);
    let system = system.expect("a system").discretised(PERIOD);
    let mass = arm.mass_matrix(&rest).expect("a mass matrix");
    let forces = [FORCE, BENDING * mass[(1, 1)], BENDING * mass[(2, 2)]].map(|x| x * x);
    let unknown =
        &system.b * DMatrix::from_diagonal(&forces.to_vec().into()) * system.b.transpose();
    let heard = DMatrix::from_diagonal(&vec![ENCODER.powi(2), GAUGE.noise.powi(2)].into());
    let (p, c) = (observer.steady(), &system.c);
    let spread = c * p * c.transpose() + heard;
    let known = p * c.transpose() * spread.try_inverse().expect("regular") * c * p;
    let left = &system.a * (p - known) * system.a.transpose() + &unknown - p;
    // each entry against the sizes of its row and column
    for i in 0..6 {
        for j in 0..6 {
            let size = (p[(i, i)] * p[(j, j)]).sqrt();
            assert!(left[(i, j)].abs() < 1e-9 * size, "{i} {j}: {:e}", left[(i, j)] / size);
        }
    }
}

/// Nothing in the plane of the motion feels the bar bend across it.
#[test]
fn a_mode_that_nothing_sees_is_named() {
    let arm = bar(0.0, 1);
    let model = Model::new(arm.clone(), &[0]).expect("a model");
    let observer = StateEstimator::new(&model, EstimatorKind::Extended, &arm.neutral(), &senses());
    let Err(EstimatorError::Mode { frequency, coordinate, .. }) = &observer else {
        panic!("{observer:?}");
    };
    // clamped, across: β = 1.8751
    let expected =
        (1.875_104_f64 / LENGTH).powi(2) * (50.0_f64 / 0.8).sqrt() / std::f64::consts::TAU;
    assert!((frequency / expected - 1.0).abs() < 1e-5, "{frequency} {expected}");
    assert_eq!(coordinate, "bar.z1");
    let measured = Gauge { place: [0.005, 0.005], ..GAUGE };
    let senses = EstimatorSensors { gauges: vec![measured], ..senses() };
    assert!(StateEstimator::new(&model, EstimatorKind::Extended, &arm.neutral(), &senses).is_ok());
}
