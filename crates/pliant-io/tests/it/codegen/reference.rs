//! What the library makes of a state, for each function that sources can have.

use crate::robots::Random;
use pliant::arm::Arm;
use pliant::codegen::SourceFunction;
use pliant::compile::{Evaluator, Quantity};
use pliant::control::{ComputedTorque, ControlContext, ControlLaw, Matrices, MatrixUpdate, Model};
use pliant::integrate::{Rk4, Stepper};
use pliant::nalgebra::{DMatrix, DVector};
use pliant::scalar::Jet;
use pliant::simulate::ArmSystem;
use std::collections::HashMap;

/// What functions are given.
pub(super) struct State(HashMap<&'static str, Vec<f64>>);

impl State {
    /// A state with links bent by angles that links bend by.
    pub(super) fn random(random: &mut Random, arm: &Arm) -> Self {
        let (mut q, neutral) = (random.configuration(arm), arm.neutral());
        for link in 0..arm.body_count() {
            for at in arm.bending_of(link).0 {
                if arm.length_of(link).is_none_or(|(length, _)| at != length) {
                    q[at] = neutral[at] + 0.05 * (q[at] - neutral[at]);
                }
            }
        }
        let n = arm.nv();
        let joints = joints(arm).len();
        let mut blocks = HashMap::from([("q", q), ("h", vec![random.vector(1, 1e-3)[0].abs()])]);
        for name in ["u", "tau", "ud"] {
            blocks.insert(name, random.vector(n, 3.0));
        }
        for name in ["q_reference", "u_reference", "ud_reference", "stiffness", "damping"] {
            blocks.insert(name, random.vector(joints, 2.0));
        }
        Self(blocks)
    }

    pub(super) fn block(&self, name: &str) -> &[f64] {
        &self.0[name]
    }
}

/// The joints that computed torque drives.
fn joints(arm: &Arm) -> Vec<usize> {
    let free = arm.free_velocities();
    let role = |v: usize| arm.velocity_coordinates()[v].role.word();
    let drives = |v: &usize| {
        matches!(role(*v), "joint" | "length")
            && free.contains(v)
            && arm.coordinate_of(*v).is_some()
    };
    (0..arm.nv()).filter(drives).collect()
}

/// The recursions of an arm.
pub(super) struct Library {
    evaluators: HashMap<String, Evaluator>,
    model: Option<Model>,
}

impl Library {
    pub(super) fn new(arm: &Arm) -> Self {
        let frame = arm.tip().expect("a tip");
        let all = [
            ("forward", Quantity::ForwardDynamics),
            ("inverse", Quantity::InverseDynamics),
            ("mass_matrix", Quantity::MassMatrix),
            ("terms", Quantity::Terms),
            ("kinematics", Quantity::Kinematics),
            ("jacobian", Quantity::Jacobian { frame }),
            ("forward_derivatives", Quantity::ForwardDerivatives),
            ("inverse_derivatives", Quantity::InverseDerivatives),
        ];
        let evaluators =
            all.map(|(name, quantity)| (name.to_owned(), arm.evaluator(quantity))).into();
        Self { evaluators, model: Model::new(arm.clone(), &joints(arm)).ok() }
    }

    /// A recursion at a state.
    fn run(&mut self, name: &str, given: &dyn Fn(&str) -> Vec<f64>) -> Vec<f64> {
        let evaluator = self.evaluators.get_mut(name).expect("a quantity");
        let inputs: Vec<Vec<f64>> =
            evaluator.inputs().iter().map(|block| given(block.name)).collect();
        let inputs: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let mut blocks: Vec<Vec<f64>> =
            evaluator.outputs().iter().map(|block| vec![f64::NAN; block.len]).collect();
        let mut slices: Vec<&mut [f64]> = blocks.iter_mut().map(Vec::as_mut_slice).collect();
        evaluator.run_into(&inputs, &mut slices);
        blocks.concat()
    }
}

/// All outputs of a function at a state.
pub(super) fn wanted(
    arm: &Arm,
    library: &mut Library,
    function: &SourceFunction,
    state: &State,
) -> Vec<f64> {
    match function.name.as_str() {
        "computed_torque" => computed_torque(arm, library, state),
        "step_runge_kutta" => runge_kutta(arm, state),
        "step_semi_implicit" => {
            let ud = library.run("forward", &|name| state.block(name).to_vec());
            let h = state.block("h")[0];
            let u = advanced(state.block("u"), &ud[..arm.nv()], h);
            moved(arm, state, u)
        }
        "step_linearly_implicit" => linearly_implicit(arm, library, state),
        name => library.run(name, &|name| state.block(name).to_vec()),
    }
}

fn advanced(y: &[f64], rate: &[f64], h: f64) -> Vec<f64> {
    y.iter().zip(rate).map(|(y, rate)| y + h * rate).collect()
}

/// The configuration after a step with new velocities, and these.
fn moved(arm: &Arm, state: &State, u: Vec<f64>) -> Vec<f64> {
    let mut qd = vec![0.0; arm.nq()];
    arm.rate_into(state.block("q"), &u, &mut qd);
    let mut q = advanced(state.block("q"), &qd, state.block("h")[0]);
    arm.normalise(&mut q);
    [q, u].concat()
}

/// The library's own method, over one step.
fn runge_kutta(arm: &Arm, state: &State) -> Vec<f64> {
    let (tau, known, h) = (state.block("tau"), state.block("ud"), state.block("h")[0]);
    let drive = |_: f64, _: &[f64], _: &[f64], force: &mut [f64], ud: &mut [f64]| {
        force.copy_from_slice(tau);
        ud.copy_from_slice(known);
    };
    let y = [state.block("q"), state.block("u")].concat();
    let mut stepper =
        Stepper::new(ArmSystem::new(arm, drive), Rk4::new(h), 0.0, &y).expect("a stepper");
    stepper.advance(h).expect("a step");
    stepper.state().to_vec()
}

/// `(1 − h B − h² A) Δu = h (u̇ + h A u)`, by nalgebra's elimination with the largest pivots.
fn linearly_implicit(arm: &Arm, library: &mut Library, state: &State) -> Vec<f64> {
    let n = arm.nv();
    let (u, h) = (state.block("u"), state.block("h")[0]);
    let ud = library.run("forward", &|name| state.block(name).to_vec());
    let slopes = library.run("forward_derivatives", &|name| state.block(name).to_vec());
    let (by_q, by_u) = (&slopes[..n * n], &slopes[n * n..2 * n * n]);
    let slope = |i: usize, j: usize| h * by_q[i * n + j];
    let right =
        DVector::from_fn(n, |i, _| h * (0..n).fold(ud[i], |sum, j| sum + slope(i, j) * u[j]));
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let entry = -(h * by_u[i * n + j] + h * slope(i, j));
        if i == j { 1.0 + entry } else { entry }
    });
    let change = matrix.lu().solve(&right).expect("a solution");
    let u = u.iter().zip(&change).map(|(u, change)| u + change).collect();
    moved(arm, state, u)
}

/// The library's own law.
fn computed_torque(arm: &Arm, library: &mut Library, state: &State) -> Vec<f64> {
    let joints = joints(arm);
    let model = library.model.as_mut().expect("a model");
    model.set_estimate(state.block("q"), state.block("u"));
    let matrices = Matrices::new(MatrixUpdate::Always);
    let gains = |name: &str| state.block(name).to_vec();
    let mut law =
        ComputedTorque { stiffness: gains("stiffness"), damping: gains("damping"), matrices };
    law.prepare(Some(model));
    let reference: Vec<Jet> = (0..joints.len())
        .map(|k| {
            let mut jet = Jet::time(state.block("q_reference")[k]);
            jet.rate = state.block("u_reference")[k];
            jet.acceleration = state.block("ud_reference")[k];
            jet
        })
        .collect();
    let places = joints.iter().map(|v| state.block("q")[arm.coordinate_of(*v).expect("one")]);
    let q: Vec<f64> = places.collect();
    let u: Vec<f64> = joints.iter().map(|v| state.block("u")[*v]).collect();
    let limits = vec![f64::INFINITY; joints.len()];
    let now = ControlContext {
        t: 0.0,
        since: None,
        q: &q,
        u: &u,
        reference: &reference,
        trajectory: &[],
        limits: &limits,
    };
    let mut forces = vec![0.0; joints.len()];
    law.forces(&now, Some(model), &mut forces).expect("forces");
    forces
}
