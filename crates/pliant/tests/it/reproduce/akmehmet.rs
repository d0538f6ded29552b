//! Akmehmet's matrix of velocities, and his law with it.

use crate::calls;
use crate::close::largest;
use crate::control::energy::table_row;
use crate::models::{Model, models, rigid};
use pliant::control::{Horizon, HorizonKind, HorizonTarget, Matrices, MatrixUpdate};
use pliant::nalgebra::DVector;
use pliant::reproduce::AlgorithmError;
use pliant::reproduce::akmehmet::{Effort, EnergyFeedback, Form, Workspace};
use pliant::reproduce::akmehmet::{coriolis_matrix, coriolis_matrix_into};

#[test]
fn his_matrix_times_velocity_is_the_forces_of_velocity() {
    let mut differ = 0;
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let speed = largest(u);
        let size = largest(&calls::crba(arm, q)) * speed * speed;
        let want = arm.coriolis(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let his = coriolis_matrix(arm, q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        let got = &his * DVector::from_column_slice(u);
        assert_close!(
            model,
            got.as_slice(),
            want.as_slice(),
            rel = 1e-12,
            of = size,
            "Akmehmet's C u = coriolis, to rounding of terms of the size |M||u|²"
        );
        // it has another symmetric part than the passive one
        let own = arm.coriolis_matrix(q, u).unwrap_or_else(|e| panic!("{model}: {e}"));
        differ += usize::from((&own - &his).amax() > 0.01 * own.amax());
        let mut again = vec![7.0; arm.nv() * arm.nv()];
        let (mut work, still) = (Workspace::new(arm), vec![0.3; arm.nv()]);
        coriolis_matrix_into(arm, &mut work, q, &still, &mut again);
        coriolis_matrix_into(arm, &mut work, q, u, &mut again);
        assert_eq!(his.transpose().as_slice(), again, "{model}: a workspace used before");
    }
    assert!(differ > 20, "only {differ} arms have two different matrices");
}

#[test]
fn his_matrix_is_for_rigid_links() {
    let bending = models().into_iter().find(Model::bends).expect("one that bends");
    let Model { arm, q, u, .. } = &bending;
    let refused = coriolis_matrix(arm, q, u);
    assert!(matches!(refused, Err(AlgorithmError::Bends { .. })), "{refused:?}");
}

#[test]
fn the_form_with_coriolis_follows_too() {
    let horizon =
        Horizon { length: 0.04, gains: 0.01, kind: HorizonKind::Fixed, target: HorizonTarget::End };
    let mut rows: Vec<[f64; 4]> = Vec::new();
    for effort in [Effort::Ideal, Effort::Whole] {
        let mut law = EnergyFeedback::new(horizon, Matrices::new(MatrixUpdate::Always), 3);
        (law.form, law.effort) = (Form::Syst3, effort);
        let row = table_row(law);
        assert!(row[0] < 1e-3, "{effort:?}: {row:?}");
        rows.push(row);
    }
    // the integral of the forces is fixed by the ends of the horizon, so both are the same law
    assert_close!(
        "Akmehmet's line",
        rows[0][..3],
        rows[1][..3],
        rel = 1e-6,
        "what counts as effort"
    );
}

/// `k` is part of the gains where the whole force is the effort, and fresh where it is added to ideal
/// efforts.
#[test]
fn what_is_constant_is_held_with_the_gains_or_with_the_model() {
    let (kind, target) = (HorizonKind::Fixed, HorizonTarget::End);
    for form in [Form::Syst2, Form::Syst3] {
        let row = |gains: f64, effort: Effort| {
            let horizon = Horizon { length: 0.08, gains, kind, target };
            let mut law = EnergyFeedback::new(horizon, Matrices::new(MatrixUpdate::Always), 3);
            (law.form, law.effort) = (form, effort);
            table_row(law)
        };
        let [ideal, whole] = [Effort::Ideal, Effort::Whole].map(|effort| row(0.01, effort));
        assert_close!("Akmehmet's line", ideal[..3], whole[..3], rel = 1e-6, "{form:?}");
        assert!(whole[3] > 5.0 * ideal[3], "{form:?}: forces hold the weight: {whole:?}");
        let [ideal, whole] = [Effort::Ideal, Effort::Whole].map(|effort| row(0.04, effort));
        assert!((whole[0] / ideal[0] - 1.0).abs() > 1e-4, "{form:?}: {ideal:?} {whole:?}");
    }
}

/// Tables hold `C` and `g` of their own places too.
#[test]
fn the_form_with_coriolis_takes_all_its_matrices_from_tables() {
    let horizon =
        Horizon { length: 0.04, gains: 0.01, kind: HorizonKind::Fixed, target: HorizonTarget::End };
    let with = |policy: MatrixUpdate| {
        let mut law = EnergyFeedback::new(horizon, Matrices::new(policy), 3);
        law.form = Form::Syst3;
        table_row(law)[0]
    };
    let fresh = with(MatrixUpdate::Always);
    let along = with(MatrixUpdate::AlongTrajectory(0.01));
    assert!(along < 1.5 * fresh, "{along} after {fresh}");
    let [fine, coarse] = [400, 20].map(|cells| with(MatrixUpdate::OverWorkspace(cells)));
    assert!(fine < 10.0 * fresh && coarse > 3.0 * fine, "{fresh} {fine} {coarse}");
}
