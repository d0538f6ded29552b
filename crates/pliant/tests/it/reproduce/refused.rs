//! What the algorithms for serial chains refuse.

use super::section;
use crate::errors::{Z, boom};
use pliant::Help;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Slide, Ways};
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, AlgorithmError, Rotation, Unsupported};
use pliant::spatial::Pose;

const GIBBS_APPELL: Algorithm = Algorithm::GibbsAppell(Rotation::Exact);
const RECURRENCE: Algorithm = Algorithm::Recurrence(Evaluation::InTurn);

fn built(links: impl IntoIterator<Item = Link>) -> Arm {
    let builder = links.into_iter().fold(Builder::new("arm"), Builder::link);
    builder.build().expect("no faults")
}

fn bar(change: impl FnOnce(&mut Beam)) -> Link {
    let mut beam = Beam::new(0.7, section(), Basis::ClampedFree(Ways::new(1, 1, 0, 0)));
    beam.foreshortening = false;
    change(&mut beam);
    Link::new("bar").joint(Joint::revolute(Z)).beam(beam)
}

/// The lack, and the message of every call.
fn refused(arm: &Arm, algorithm: Algorithm) -> (Unsupported, String) {
    let (q, rest) = (arm.neutral(), vec![0.0; arm.nv()]);
    let error = algorithm.mass_matrix(arm, &q).expect_err("not for this algorithm");
    assert_eq!(algorithm.inverse_dynamics(arm, &q, &rest, &rest), Err(error.clone()));
    assert_eq!(algorithm.hybrid_dynamics(arm, &q, &rest, &rest, &rest), Err(error.clone()));
    let text = error.with_help();
    match error {
        AlgorithmError::Unsupported { lack, .. } => (lack, text),
        other => panic!("{other}"),
    }
}

#[test]
fn branches() {
    let arm = built([boom(), Link::new("left").on("boom"), Link::new("right").on("boom")]);
    for algorithm in [GIBBS_APPELL, RECURRENCE] {
        let (lack, text) = refused(&arm, algorithm);
        let (link, before) = ("right".to_owned(), "left".to_owned());
        assert_eq!(lack, Unsupported::Branch { link, before });
        assert!(text.contains("\"right\" does not hang on \"left\""), "{text}");
        assert!(text.contains("articulated-body method is for every arm"), "{text}");
    }
    let two = built([boom(), Link::new("other").on_ground()]);
    assert!(matches!(refused(&two, GIBBS_APPELL).0, Unsupported::Branch { .. }));
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
        for algorithm in [GIBBS_APPELL, RECURRENCE] {
            let (lack, text) = refused(&arm, algorithm);
            assert_eq!(lack, Unsupported::Joint { link: "boom".to_owned(), kind: word });
            assert!(text.contains(&format!("that of \"boom\" is {word}")), "{text}");
        }
    }
}

#[test]
fn beams_with_other_options() {
    let shortening = built([bar(|beam| beam.foreshortening = true)]);
    for algorithm in [GIBBS_APPELL, RECURRENCE] {
        let (lack, text) = refused(&shortening, algorithm);
        assert_eq!(lack, Unsupported::Foreshortening { link: "bar".to_owned() });
        assert!(text.contains("\"bar\" has foreshortening"), "{text}");
    }
    let sliding = built([bar(|beam| beam.slide = Some(Slide::between(0.2, 0.6)))]);
    for algorithm in [GIBBS_APPELL, RECURRENCE] {
        let (lack, text) = refused(&sliding, algorithm);
        assert_eq!(lack, Unsupported::Slides { link: "bar".to_owned() });
        assert!(text.contains("that of \"bar\" does"), "{text}");
    }
}

#[test]
fn an_outer_end_without_mass() {
    let tool = Link::new("tool").joint(Joint::Fixed).placed(Pose::at(0.1, 0.0, 0.0));
    let arm = built([boom(), tool]);
    let (lack, text) = refused(&arm, RECURRENCE);
    assert_eq!(lack, Unsupported::NoMass { link: "tool".to_owned() });
    assert!(text.contains("from \"tool\" outward there is none"), "{text}");
    assert!(GIBBS_APPELL.mass_matrix(&arm, &[0.2]).is_ok());
}
