//! What a cantilever feels inside.

use super::{along_y, assert_each, beam, built, cantilever, section, wrench};
use pliant::analyse::{Conditions, SectionLoads};
use pliant::arm::{Arm, Joint};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Profile, Ways};
use std::f64::consts::PI;

const LENGTH: f64 = 1.2;

/// Loads small enough for the linear theory, as squares of rotations are then below 1e-12.
const SMALL: f64 = 1e-3;

fn hermite(elements: usize) -> Basis {
    Basis::Hermite { elements, ways: Ways::new(true, true, true, true) }
}

fn rod(diameter: f64) -> Matter {
    let material = Material::named("steel").expect("known");
    Matter::Made { outline: CrossSection::Round { diameter }, material }
}

fn arm(profile: impl Into<Profile>, elements: usize, shear: bool) -> Arm {
    let beam =
        Beam { shear, foreshortening: false, ..Beam::new(LENGTH, profile, hermite(elements)) };
    built(cantilever(Joint::Fixed, beam, |l| l))
}

fn cuts(arm: &Arm, force: [f64; 3], moment: [f64; 3]) -> Vec<SectionLoads> {
    let loads = vec![wrench(arm, force, moment)];
    let conditions = Conditions { loads, ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
    let forces = arm.internal_forces_under(&rest.q, &conditions).expect("forces");
    assert_eq!((forces.len(), forces[0].link), (1, 0));
    assert_eq!(forces[0].worst_moment().map(|cut| cut.place), Some(0.0), "the root feels most");
    forces[0].cuts.clone()
}

#[test]
fn forces_at_the_tip_are_felt_all_along() {
    let [fx, fy, fz, tx] = [3.0, 2.0, -1.5, 0.4].map(|load| load * SMALL);
    let radius = 0.01;
    for shear in [false, true] {
        let arm = arm(rod(2.0 * radius), 3, shear);
        let cuts = cuts(&arm, [fx, fy, fz], [tx, 0.0, 0.0]);
        assert_eq!(cuts.len(), 27);
        for cut in &cuts {
            let lever = LENGTH - cut.place;
            let got = [
                cut.force.axial,
                cut.force.torque,
                cut.force.moment_y,
                cut.force.moment_z,
                cut.shear[0],
                cut.shear[1],
            ];
            let want = [fx, tx, -fz * lever, fy * lever, fy, fz];
            // sections turn by 1e-6, and so do their axes
            let allowed = 5e-6 * SMALL * LENGTH;
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < allowed, "at {}: {got:e}, {want:e}", cut.place);
            }
        }
        let moment = fy.hypot(fz) * LENGTH;
        let normal = fx / (PI * radius * radius) + 4.0 * moment * radius / (PI * radius.powi(4));
        let twisting = 2.0 * tx / (PI * radius.powi(3));
        let stress = (normal * normal + 3.0 * twisting * twisting).sqrt();
        let root = cuts[0];
        assert_each(&[root.stress.expect("an outline")], &[stress], 1e-6, "King (1-1) and torsion");
        assert_each(&[root.margin.expect("steel")], &[355e6 / stress], 1e-6, "the margin");
    }
}

#[test]
fn the_local_section_bears_the_stress() {
    let steps = vec![(0.0, rod(0.02)), (0.6, rod(0.02)), (0.6, rod(0.01)), (LENGTH, rod(0.01))];
    let arm = arm(Profile::along(steps), 2, false);
    let cuts = cuts(&arm, [0.0, SMALL, 0.0], [0.0; 3]);
    let stress = |radius: f64, moment: f64| 4.0 * moment / (PI * radius.powi(3));
    // the border twice: the thick side first
    let got = [0, 4, 8, 9, 13].map(|k| cuts[k].stress.expect("an outline"));
    let want = [
        stress(0.01, 1.2 * SMALL),
        stress(0.01, 0.9 * SMALL),
        stress(0.01, 0.6 * SMALL),
        stress(0.005, 0.6 * SMALL),
        stress(0.005, 0.3 * SMALL),
    ];
    assert_each(&got, &want, 1e-6, "either side of a step");
    let forces = arm.internal_forces(&arm.neutral()).expect("forces");
    assert_eq!(forces[0].cuts[0].stress, Some(0.0));
    assert_eq!(forces[0].cuts[0].margin, Some(f64::INFINITY));
}

/// The moment `M − F (L − s)` is largest where the moment acts, in the last of the segments; `q`
/// of a divided link is another, its peaks are not.
#[test]
fn peaks_are_found_over_all_segments() {
    let (force, moment, torque) = (0.5 * SMALL, 2.0 * SMALL, 0.4 * SMALL);
    let peaks = |segments: usize, end: f64| {
        let own = Beam::new(LENGTH, rod(0.02), hermite(4 / segments));
        let own = Beam { segments, foreshortening: false, ..own };
        let arm = built(cantilever(Joint::Fixed, own, |l| l));
        let loads = vec![wrench(&arm, [0.0, force, 0.0], [torque, 0.0, end])];
        let conditions = Conditions { loads, ..Conditions::default() };
        let rest = arm.static_equilibrium_under(&arm.neutral(), &conditions).expect("rest");
        let forces = arm.internal_forces_under(&rest.q, &conditions).expect("forces");
        let peaks = arm.peak_loads(&forces);
        assert_eq!((peaks.len(), peaks[0].link), (1, 0));
        peaks[0].clone()
    };
    for segments in [1, 2, 4] {
        let outer = peaks(segments, -moment);
        let got = [outer.moment.value, outer.moment.place, outer.torque.value];
        assert_each(&got, &[moment, LENGTH, torque], 1e-5, "at the tip");
        let inner = peaks(segments, moment);
        assert_each(&[inner.moment.value], &[moment + force * LENGTH], 1e-5, "at the root");
        assert_eq!(inner.moment.place, 0.0);
        // von Mises with σ = M r/I, τ = T r/2I
        let (radius, inertia) = (0.01, PI / 4.0 * 0.01_f64.powi(4));
        let bending = (moment + force * LENGTH) * radius / inertia;
        let shear = torque * radius / (2.0 * inertia);
        let stress = (bending * bending + 3.0 * shear * shear).sqrt();
        let peak = inner.stress.expect("an outline");
        assert_each(&[peak.value], &[stress], 1e-5, "von Mises");
        let strength = Material::named("steel").expect("known").strength.expect("known");
        assert_each(&[inner.margin.expect("known")], &[strength / stress], 1e-5, "margin");
    }
    let given = beam(LENGTH, section(50.0, 0.8), along_y(1));
    let arm = built(cantilever(Joint::Fixed, given, |l| l));
    let still = arm.peak_loads(&arm.internal_forces(&arm.neutral()).expect("forces"));
    assert_eq!((still[0].moment.value, still[0].stress, still[0].margin), (0.0, None, None));
}
