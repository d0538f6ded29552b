//! Deflections of frames against closed forms.

use super::{Z, along_y, assert_each, beam, built, chain, dead_force, section};
use pliant::analyse::{AnalysisError, Conditions, JointCondition};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Ways};
use pliant::spatial::Pose;

const EI: f64 = 50.0;
const FORCE: f64 = 1e-3;

/// Two links of 0.6 m under a force at the end bend like one of 1.2 m:
/// `w(x) = F x² (3L − x)/6EI`.
#[test]
fn a_chain_bends_like_the_whole_beam() {
    let half = beam(0.6, section(EI, 0.8), along_y(2));
    let arm =
        built(chain(2, Joint::Fixed, &half, |l| l.section_frame("half", 0.6, Pose::IDENTITY)));
    let conditions =
        Conditions { loads: vec![dead_force(&arm, [0.0, FORCE, 0.0])], ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest").q;
    // what q says of the links does not count
    let q = vec![0.1; arm.nq()];
    let of = |name: &str| arm.deflection(arm.frame(name).expect("a frame"), &q, &rest);
    let [half, tip] = ["half", "tip"].map(|name| of(name).expect("a deflection"));
    let (w, slope) = (
        |x: f64| FORCE * x * x * (3.6 - x) / (6.0 * EI),
        |x: f64| FORCE * x * (2.4 - x) / (2.0 * EI),
    );
    let own = w(1.2) - w(0.6) - 0.6 * slope(0.6);
    assert_each(
        &[half.world.y, half.own.y, tip.world.y, tip.own.y],
        &[w(0.6), w(0.6), w(1.2), own],
        1e-6,
        "F x² (3L − x)/6EI",
    );
    let root = of("piece 0").expect("a deflection");
    assert_eq!((root.world.norm(), root.own.norm()), (0.0, 0.0));
    let count = arm.frames().len();
    let error = AnalysisError::NoSuch { what: "frame", given: 99, count };
    assert_eq!(arm.deflection(99, &q, &rest), Err(error));
    assert!(arm.deflection(0, &q[1..], &rest).is_err());
}

/// A joint on its spring moves the tip by `F L²/k` more, which is not the link's own; as a whole
/// beam or in rigid pieces.
#[test]
fn a_spring_adds_to_the_world_alone() {
    let (length, spring) = (1.2, 200.0);
    let pieces =
        Basis::Pieces { pieces: 40, ways: Ways::new(true, false, false, false), pinned: false };
    for (basis, tolerance) in [(along_y(2), 1e-6), (pieces, 2e-3)] {
        let own = Beam::new(length, section(EI, 0.8), basis);
        let link = Link::new("rod").joint(Joint::revolute(Z)).spring(&[spring], &[0.0]).beam(own);
        let link = link.section_frame("tip", length, Pose::IDENTITY);
        let arm = built(Builder::new("rod").gravity([0.0; 3]).link(link));
        let loads = vec![dead_force(&arm, [0.0, FORCE, 0.0])];
        let conditions = Conditions { loads, ..Conditions::all(&arm, JointCondition::OnSpring) };
        let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest").q;
        let tip = arm.frame("tip").expect("a frame");
        let tip = arm.deflection(tip, &arm.neutral(), &rest).expect("a deflection");
        let bending = FORCE * length.powi(3) / (3.0 * EI);
        let turning = FORCE * length * length / spring;
        assert_each(&[tip.own.y, tip.world.y], &[bending, bending + turning], tolerance, "tip");
        assert_eq!(arm.flexible_links(), [0]);
    }
}
