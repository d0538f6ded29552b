//! The one-line calls are the `_into` calls, to the bit.

use crate::agree::loads::random_loads;
use crate::calls;
use crate::models::{Model, models, prescribed, rigid};
use pliant::dynamics::derivatives::{self, forward_derivatives_into, inverse_derivatives_into};
use pliant::dynamics::energy;
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::dynamics::loads::add_loads;
use pliant::dynamics::{coriolis, passive, rnea, terms};
use pliant::nalgebra::{DMatrix, DVector};
use pliant::reproduce::Algorithm;

fn rows(m: &DMatrix<f64>) -> Vec<f64> {
    m.transpose().as_slice().to_vec()
}

#[test]
fn recursions() {
    for model in models().iter().chain(&prescribed()) {
        let Model { arm, q, u, ud, tau, .. } = model;
        let name = model.to_string();
        let inverse = arm.inverse_dynamics(q, u, ud).expect(&name);
        assert_eq!(inverse.as_slice(), calls::rnea(arm, q, u, ud), "{name}: rnea");
        let mass = arm.mass_matrix(q).expect(&name);
        assert_eq!(rows(&mass), calls::crba(arm, q), "{name}: crba");
        for (algorithm, want) in [
            (Algorithm::Articulated, calls::aba(arm, q, u, tau, ud)),
            (Algorithm::Composite, calls::composite(arm, q, u, tau, ud)),
        ] {
            let (forces, accelerations) =
                algorithm.hybrid_dynamics(arm, q, u, tau, ud).expect(&name);
            assert_eq!(forces.as_slice(), want.0, "{name}: forces, {algorithm:?}");
            assert_eq!(accelerations.as_slice(), want.1, "{name}: accelerations, {algorithm:?}");
        }
        let still = vec![0.0; arm.nv()];
        let forward = arm.forward_dynamics(q, u, tau).expect(&name);
        assert_eq!(forward.as_slice(), calls::aba(arm, q, u, tau, &still).1, "{name}: forward");
    }
}

#[test]
fn terms_of_the_equation_of_motion() {
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let name = model.to_string();
        let (n, mut work) = (arm.nv(), rnea::Workspace::new(arm));
        let mut force = vec![7.0; n];
        terms::coriolis_into(arm, &mut work, q, u, &mut force);
        let velocity = arm.coriolis(q, u).expect(&name);
        assert_eq!(velocity.as_slice(), force, "{name}: coriolis");
        terms::gravity_into(arm, &mut work, q, &mut force);
        let gravity = arm.gravity_forces(q).expect(&name);
        assert_eq!(gravity.as_slice(), force, "{name}: gravity");
        let mut passive = passive::Workspace::new(arm);
        terms::elastic_into(arm, &mut passive, q, &mut force);
        let elastic = arm.elastic_forces(q).expect(&name);
        assert_eq!(elastic.as_slice(), force, "{name}: elastic");
        terms::damping_into(arm, &mut passive, q, u, &mut force);
        let damping = arm.damping_forces(q, u).expect(&name);
        assert_eq!(damping.as_slice(), force, "{name}: damping");
        terms::bias_into(arm, &mut work, q, u, &mut force);
        let bias = arm.bias(q, u).expect(&name);
        assert_eq!(bias.as_slice(), force, "{name}: bias");
        let sum = &velocity + &gravity + &elastic + &damping;
        let size = [&velocity, &gravity, &elastic, &damping].map(DVector::amax);
        assert_close!(
            model,
            bias.as_slice(),
            sum.as_slice(),
            rel = 1e-13,
            of = crate::close::largest(&size),
            "the bias is the sum of its terms"
        );
        let mut c = vec![7.0; n * n];
        let mut work = coriolis::Workspace::new(arm);
        coriolis::coriolis_matrix_into(arm, &mut work, q, u, &mut c);
        let matrix = arm.coriolis_matrix(q, u).expect(&name);
        assert_eq!(rows(&matrix), c, "{name}: C");
    }
}

#[test]
fn kinematics_loads_and_energies() {
    for model in models() {
        let Model { arm, q, u, .. } = &model;
        let name = model.to_string();
        let mut work = Workspace::new(arm);
        let moving = work.move_with(arm, q, u, u);
        let frame = arm.frames().len() / 2;
        let word = arm.frames()[frame].name().to_owned();
        let pose = arm.pose(q, &word).expect(&name);
        assert_eq!(pose, moving.placed().pose(frame), "{name}: pose");
        for axes in [Axes::Own, Axes::World] {
            let mut jacobian = vec![7.0; 6 * arm.nv()];
            moving.placed().jacobian_into(frame, axes, &mut jacobian);
            let answer = arm.jacobian(q, &word, axes).expect(&name);
            assert_eq!(rows(&answer), jacobian, "{name}: Jacobian in {axes:?} axes");
        }
        let loads = random_loads(arm, 3);
        let mut force = vec![0.0; arm.nv()];
        add_loads(moving.placed(), &loads, &mut force);
        let answer = arm.load_forces(q, &loads).expect(&name);
        assert_eq!(answer.as_slice(), force, "{name}: loads");
        let mut passive = passive::Workspace::new(arm);
        let energies = energy::energies(arm, &mut passive, &moving, q, u);
        assert_eq!(arm.energies(q, u).expect(&name), energies, "{name}: energies");
        let momenta = energy::momenta(arm, &moving);
        assert_eq!(arm.momenta(q, u).expect(&name), momenta, "{name}: momenta");
    }
}

#[test]
fn slopes() {
    for model in prescribed().into_iter().filter(|m| m.arm.nv() < 60) {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let name = model.to_string();
        let n = arm.nv();
        let mut work = derivatives::Workspace::new(arm);
        let [mut by_q, mut by_u, mut by_tau] = [(); 3].map(|()| vec![7.0; n * n]);
        inverse_derivatives_into(&mut work, q, u, ud, &mut by_q, &mut by_u);
        let answer = arm.inverse_derivatives(q, u, ud).expect(&name);
        assert_eq!(rows(&answer.by_q), by_q, "{name}: ∂τ/∂q");
        assert_eq!(rows(&answer.by_u), by_u, "{name}: ∂τ/∂u");
        assert_eq!(answer.by_ud, arm.mass_matrix(q).expect(&name), "{name}: ∂τ/∂u̇");
        let matrices = [&mut by_q[..], &mut by_u, &mut by_tau];
        forward_derivatives_into(&mut work, q, u, tau, ud, matrices);
        let answer = arm.forward_derivatives(q, u, tau, ud).expect(&name);
        assert_eq!(rows(&answer.by_q), by_q, "{name}: ∂u̇/∂q");
        assert_eq!(rows(&answer.by_u), by_u, "{name}: ∂u̇/∂u");
        assert_eq!(rows(&answer.by_tau), by_tau, "{name}: ∂u̇/∂τ");
    }
}
