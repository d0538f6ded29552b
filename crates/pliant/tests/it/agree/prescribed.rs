//! Where some joints move as they are told: one motion and one set of forces by every algorithm.

use crate::calls;
use crate::close::terms;
use crate::models::{Model, prescribed};
use pliant::reproduce::Algorithm;

#[test]
fn forces_and_accelerations_belong_together() {
    for model in prescribed() {
        let Model { arm, q, u, tau, ud, .. } = &model;
        let algorithms = [
            ("aba", calls::aba(arm, q, u, tau, ud)),
            ("composite", calls::composite(arm, q, u, tau, ud)),
            ("recursive", recursive(&model)),
        ];
        let bias = calls::rnea(arm, q, u, &vec![0.0; arm.nv()]);
        for (algorithm, (forces, accelerations)) in &algorithms {
            let free = arm.free_velocities();
            for v in 0..arm.nv() {
                let (given, kept) =
                    if free.contains(&v) { (tau[v], forces[v]) } else { (ud[v], accelerations[v]) };
                assert_eq!(given, kept, "{model}: {algorithm} changed what was given");
            }
            assert_close!(
                model,
                calls::rnea(arm, q, u, accelerations),
                forces,
                rel = 1e-12,
                of = terms(&calls::crba(arm, q), accelerations, &bias),
                "rnea of {algorithm}'s accelerations needs {algorithm}'s forces, reactions among them"
            );
        }
    }
}

#[test]
fn reactions_agree_between_the_algorithms() {
    for model in prescribed().into_iter().filter(|m| m.arm.body_count() < 20) {
        let Model { arm, q, u, tau, ud, .. } = &model;
        let (forces, accelerations) = calls::aba(arm, q, u, tau, ud);
        for (algorithm, (other_forces, other_accelerations)) in
            [("composite", calls::composite(arm, q, u, tau, ud)), ("recursive", recursive(&model))]
        {
            assert_close!(
                model,
                other_forces,
                forces,
                rel = 1e-11,
                "reactions of {algorithm} and aba, to the condition of M times rounding"
            );
            assert_close!(
                model,
                other_accelerations,
                accelerations,
                rel = 1e-11,
                "accelerations of {algorithm} and aba, to the condition of M times rounding"
            );
        }
    }
}

/// With every joint prescribed nothing is solved, and each algorithm is inverse dynamics.
#[test]
fn all_prescribed_is_inverse_dynamics() {
    for model in prescribed().into_iter().filter(|model| !model.bends()) {
        let mut description = model.description.clone();
        for link in &mut description.links {
            link.prescribed = true;
        }
        let arm = description.arm();
        let Model { q, u, tau, ud, .. } = &model;
        let want = calls::rnea(&arm, q, u, ud);
        for (algorithm, (forces, _)) in [
            ("aba", calls::aba(&arm, q, u, tau, ud)),
            ("composite", calls::composite(&arm, q, u, tau, ud)),
        ] {
            assert_close!(
                model,
                forces,
                want,
                rel = 1e-12,
                "{algorithm} with everything prescribed = rnea, in another order of sums"
            );
        }
    }
}

/// A joint that is prescribed the acceleration it would have anyway needs the force it was given.
#[test]
fn prescribing_the_free_motion_changes_nothing() {
    for model in prescribed().into_iter().filter(|m| m.arm.body_count() < 20) {
        let Model { arm, q, u, tau, .. } = &model;
        let mut free = model.description.clone();
        for link in &mut free.links {
            link.prescribed = false;
            if let Some(slide) = link.beam.as_mut().and_then(|beam| beam.slide.as_mut()) {
                slide.prescribed = false;
            }
        }
        let (_, ud) = calls::aba(&free.arm(), q, u, tau, &vec![0.0; arm.nv()]);
        // forces of prescribed joints are not read
        let mut given = tau.clone();
        let told = (0..arm.nv()).filter(|v| !arm.free_velocities().contains(v));
        told.for_each(|v| given[v] = f64::NAN);
        let (forces, accelerations) = calls::aba(arm, q, u, &given, &ud);
        let bias = calls::rnea(arm, q, u, &vec![0.0; arm.nv()]);
        let size = terms(&calls::crba(arm, q), &ud, &bias);
        assert_close!(
            model,
            forces,
            tau,
            rel = 1e-11,
            of = size,
            "the reaction is the force that moved the joint when it was free"
        );
        assert_close!(
            model,
            accelerations,
            ud,
            rel = 1e-11,
            "the free joints move as before, to the condition of M times rounding"
        );
    }
}

fn recursive(model: &Model) -> (Vec<f64>, Vec<f64>) {
    let Model { arm, q, u, tau, ud, .. } = model;
    let answer = Algorithm::Recursive.hybrid_dynamics(arm, q, u, tau, ud);
    let (forces, accelerations) = answer.unwrap_or_else(|e| panic!("{model}: {e}"));
    (forces.as_slice().to_vec(), accelerations.as_slice().to_vec())
}
