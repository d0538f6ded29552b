//! What the roads for serial chains refuse.

use super::{Z, boom};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, SectionRotation, Ways};
use pliant::dynamics::recurrence::Evaluation;
use pliant::dynamics::{EvaluationError, Lack, Road, Rotation};
use pliant::spatial::Pose;

const GIBBS_APPELL: Road = Road::GibbsAppell(Rotation::Exact);
const RECURRENCE: Road = Road::Recurrence(Evaluation::InTurn);

fn built(links: impl IntoIterator<Item = Link>) -> Arm {
    let builder = links.into_iter().fold(Builder::new("arm"), Builder::link);
    builder.build().expect("no faults")
}

fn bar(change: impl FnOnce(&mut Beam)) -> Link {
    let section = Section {
        ea: 1e6,
        ei_z: 60.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.8,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let mut beam = Beam::new(0.7, section, Basis::ClampedFree(Ways::new(1, 1, 0, 0)));
    beam.foreshortening = false;
    change(&mut beam);
    Link::new("bar").joint(Joint::revolute(Z)).beam(beam)
}

/// The lack, and the message of every call.
fn refused(arm: &Arm, road: Road) -> (Lack, String) {
    let (q, rest) = (arm.neutral(), vec![0.0; arm.nv()]);
    let error = arm.mass_matrix_by(road, &q).expect_err("not for this road");
    assert_eq!(arm.inverse_dynamics_by(road, &q, &rest, &rest), Err(error.clone()));
    assert_eq!(arm.hybrid_dynamics(road, &q, &rest, &rest, &rest), Err(error.clone()));
    let text = error.to_string();
    match error {
        EvaluationError::Lacks { lack, .. } => (lack, text),
        other => panic!("{other}"),
    }
}

#[test]
fn branches() {
    let arm = built([boom(), Link::new("left").on("boom"), Link::new("right").on("boom")]);
    for road in [GIBBS_APPELL, RECURRENCE] {
        let (lack, text) = refused(&arm, road);
        let (link, before) = ("right".to_owned(), "left".to_owned());
        assert_eq!(lack, Lack::Branch { link, before });
        assert!(text.contains("\"right\" does not hang on \"left\""), "{text}");
        assert!(text.contains("articulated-body method is for every arm"), "{text}");
    }
    let two = built([boom(), Link::new("other").on_ground()]);
    assert!(matches!(refused(&two, GIBBS_APPELL).0, Lack::Branch { .. }));
}

#[test]
fn joints_of_other_kinds() {
    for (joint, word) in [
        (Joint::prismatic(Z), "prismatic"),
        (Joint::Spherical, "spherical"),
        (Joint::Free, "free"),
        (Joint::Planar, "planar"),
    ] {
        let arm = built([boom().joint(joint)]);
        for road in [GIBBS_APPELL, RECURRENCE] {
            let (lack, text) = refused(&arm, road);
            assert_eq!(lack, Lack::Joint { link: "boom".to_owned(), kind: word });
            assert!(text.contains(&format!("that of \"boom\" is {word}")), "{text}");
        }
    }
}

#[test]
fn beams_with_other_options() {
    let shortening = built([bar(|beam| beam.foreshortening = true)]);
    for road in [GIBBS_APPELL, RECURRENCE] {
        let (lack, text) = refused(&shortening, road);
        assert_eq!(lack, Lack::Foreshortening { link: "bar".to_owned() });
        assert!(text.contains("\"bar\" has foreshortening"), "{text}");
    }
    let kings = built([bar(|beam| beam.rotation = SectionRotation::FirstOrder)]);
    let (lack, _) = refused(&kings, GIBBS_APPELL);
    assert_eq!(lack, Lack::FirstOrder { link: "bar".to_owned() });
    assert!(kings.mass_matrix_by(RECURRENCE, &kings.neutral()).is_ok());
}

#[test]
fn an_outer_end_without_mass() {
    let tool = Link::new("tool").joint(Joint::Fixed).placed(Pose::at(0.1, 0.0, 0.0));
    let arm = built([boom(), tool]);
    let (lack, text) = refused(&arm, RECURRENCE);
    assert_eq!(lack, Lack::NoMass { link: "tool".to_owned() });
    assert!(text.contains("from \"tool\" outward there is none"), "{text}");
    assert!(arm.mass_matrix_by(GIBBS_APPELL, &[0.2]).is_ok());
}
