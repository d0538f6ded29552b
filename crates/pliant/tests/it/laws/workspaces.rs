//! A workspace has no memory: what was computed in it before changes no bit.

use crate::calls;
use crate::models::{Model, models, prescribed};
use pliant::dynamics::{aba, composite, coriolis, crba, derivatives, kinematics, rnea};

#[test]
fn the_same_call_gives_the_same_bits_whatever_came_before() {
    for model in models().iter().chain(&prescribed()) {
        let Model { arm, q, u, ud, tau, .. } = model;
        let n = arm.nv();
        // another state
        let (mut q2, u2) = (q.clone(), tau);
        arm.displace(&mut q2, ud);

        let (mut work, mut out) = (rnea::Workspace::new(arm), vec![0.0; n]);
        rnea::rnea_into(arm, &mut work, &q2, u2, u, &mut out);
        rnea::rnea_into(arm, &mut work, q, u, ud, &mut out);
        assert_eq!(out, calls::rnea(arm, q, u, ud), "{model}: rnea");

        let (mut work, mut mass) = (crba::Workspace::new(arm), vec![0.0; n * n]);
        crba::crba_into(arm, &mut work, &q2, &mut mass);
        crba::crba_into(arm, &mut work, q, &mut mass);
        crba::mirror(&mut mass, n);
        assert_eq!(mass, calls::crba(arm, q), "{model}: crba");

        let mut work = aba::Workspace::new(arm);
        let (mut forces, mut answer) = (ud.clone(), u.clone());
        aba::aba_into(arm, &mut work, &q2, u2, &mut forces, &mut answer);
        let (mut forces, mut answer) = (tau.clone(), ud.clone());
        aba::aba_into(arm, &mut work, q, u, &mut forces, &mut answer);
        assert_eq!((forces, answer), calls::aba(arm, q, u, tau, ud), "{model}: aba");

        let mut work = composite::Workspace::new(arm);
        let (mut forces, mut answer) = (ud.clone(), u.clone());
        composite::composite_into(arm, &mut work, &q2, u2, &mut forces, &mut answer);
        let (mut forces, mut answer) = (tau.clone(), ud.clone());
        composite::composite_into(arm, &mut work, q, u, &mut forces, &mut answer);
        let fresh = calls::composite(arm, q, u, tau, ud);
        assert_eq!((forces, answer), fresh, "{model}: composite");

        let (mut work, mut c) = (coriolis::Workspace::new(arm), vec![0.0; n * n]);
        coriolis::coriolis_matrix_into(arm, &mut work, &q2, u2, &mut c);
        coriolis::coriolis_matrix_into(arm, &mut work, q, u, &mut c);
        assert_eq!(c, calls::coriolis_matrix(arm, q, u), "{model}: C");

        let mut work = kinematics::Workspace::new(arm);
        let _ = work.move_with(arm, &q2, u2, u);
        let frame = arm.frames().len() - 1;
        let axes = kinematics::Axes::World;
        let again = work.move_with(arm, q, u, ud).acceleration(frame, axes);
        let mut work = kinematics::Workspace::new(arm);
        let fresh = work.move_with(arm, q, u, ud).acceleration(frame, axes);
        assert_eq!(again, fresh, "{model}: kinematics");
    }
}

#[test]
fn slopes_have_no_memory() {
    for model in prescribed().into_iter().filter(|m| m.arm.nv() < 60) {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let n = arm.nv();
        let (mut q2, u2) = (q.clone(), tau);
        arm.displace(&mut q2, ud);
        let run = |work: &mut derivatives::Workspace, q: &[f64], u: &[f64]| {
            let mut m = [(); 3].map(|()| vec![0.0; n * n]);
            let slices = m.each_mut().map(Vec::as_mut_slice);
            derivatives::forward_derivatives_into(work, q, u, tau, ud, slices);
            m
        };
        let mut work = derivatives::Workspace::new(arm);
        run(&mut work, &q2, u2);
        let again = run(&mut work, q, u);
        let fresh = run(&mut derivatives::Workspace::new(arm), q, u);
        assert_eq!(again, fresh, "{model}: slopes");
    }
}
