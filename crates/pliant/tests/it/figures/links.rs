//! Deflections, internal forces and stresses of links, against textbooks and against other channels.

use super::{column, completed, near};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Section, Ways};
use pliant::scenario::Scenario;
use pliant::simulate::{IntegrationMethod, PrescribedQuantity, Signal};

const LENGTH: f64 = 0.8;
const RADIUS: f64 = 0.01;

/// A round bar of steel, of four elements that bend, twist and stretch.
fn beam() -> Beam {
    let material = Material::named("steel").expect("known");
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 2.0 * RADIUS }, material };
    let basis = Basis::Hermite { elements: 4, ways: Ways::new(true, true, true, false) };
    Beam { foreshortening: false, ..Beam::new(LENGTH, matter, basis) }
}

fn bar(joint: Joint) -> Builder {
    let tip = pliant::spatial::Pose::IDENTITY;
    let link = Link::new("bar").joint(joint).beam(beam());
    let link = if joint == Joint::Fixed { link } else { link.prescribed() };
    Builder::new("bar").link(link.section_frame("bar.tip", LENGTH, tip).tip_frame("bar.tip"))
}

const CHANNELS: [&str; 3] = ["deflections", "internal-forces", "bar@0.4.*"];

/// `w = F x² (3L − x)/6EI + q x² (6L² − 4Lx + x²)/24EI`, its slope, `M = F L + q L²/2`, `Q = F + q L`.
#[test]
fn a_cantilever_bears_what_textbooks_say() {
    let (force, torque) = (-2.0, 0.3);
    let scenario = Scenario::new(bar(Joint::Fixed), 0.02)
        .from_static_equilibrium()
        .load("bar.tip", [0.0, 0.0, force], [torque, 0.0, 0.0], Signal::Constant(1.0))
        .record(0.01, CHANNELS);
    let (outcome, rows) = completed(&scenario);
    let Section { ei_y, gj, rho_a, .. } = beam().profile.section_at(0.0);
    let own = -9.81 * rho_a;
    let at = |x: f64| {
        let point = force * x * x * (3.0 * LENGTH - x) / 6.0;
        let spread = own * x * x * (6.0 * LENGTH.powi(2) - 4.0 * LENGTH * x + x * x) / 24.0;
        (point + spread) / ei_y
    };
    let slope = |x: f64| {
        let point = force * x * (2.0 * LENGTH - x) / 2.0;
        let spread = own * x * (3.0 * LENGTH.powi(2) - 3.0 * LENGTH * x + x * x) / 6.0;
        (point + spread) / ei_y
    };
    // squares of slopes of 4e-3; borders of elements are exact
    let part = 1e-4;
    for (frame, x) in [("bar.tip", LENGTH), ("bar@0.4", 0.4)] {
        let first = |name: &str| column(&rows, &format!("{frame}.{name}"))[0];
        near(first("deflection.z"), at(x), part);
        near(first("slope.z"), slope(x), part);
        near(first("twist"), torque * x / gj, part);
        assert!(first("deflection.y").abs() < part * at(x).abs());
    }
    let moment = -(force * LENGTH + 0.5 * own * LENGTH.powi(2));
    let first = |name: &str| column(&rows, &format!("bar.{name}"))[0];
    near(first("moment"), moment, part);
    near(first("shear"), -(force + own * LENGTH), part);
    near(first("torsion"), torque, part);
    // von Mises of σ = 4M/πr³ and τ = 2T/πr³
    let cube = std::f64::consts::PI * RADIUS.powi(3);
    let stress = (4.0 * moment / cube).hypot(3_f64.sqrt() * 2.0 * torque / cube);
    near(first("stress"), stress, part);
    let strength = Material::named("steel").and_then(|steel| steel.strength).expect("known");
    near(first("margin"), strength / stress, part);
    // the peaks are those of the channels
    let [peaks] = outcome.links.as_slice() else { panic!("{:?}", outcome.links) };
    let most = |name: &str| column(&rows, &format!("bar.{name}")).into_iter().fold(0.0, f64::max);
    let found =
        [peaks.moment, peaks.shear, peaks.torsion, peaks.stress].map(|peak| peak.expect("a peak"));
    assert_eq!(found.map(|peak| peak.value), ["moment", "shear", "torsion", "stress"].map(most));
    assert_eq!(found[0].place, Some(0.0));
    near(peaks.deflection.expect("a tip").value, at(LENGTH).abs(), 2e-4);
    near(peaks.slope.expect("a tip").value, slope(LENGTH).abs(), 2e-4);
    let margin = peaks.margin.expect("steel");
    assert_eq!(margin.value, column(&rows, "bar.margin").into_iter().fold(f64::INFINITY, f64::min));
    let figures = outcome.figures();
    let figure = |name: &str| figures.iter().find(|one| one.name == name).expect("a figure");
    assert_eq!(figure("least_margin").value, Some(margin.value));
    assert!(!figure("least_margin").lower_is_better && figure("peak_stress").lower_is_better);
}

/// A bar that is swung and shakes: the moment at its root is what the motor of its joint gives, and
/// without gravity the force there what changes its momentum.
#[test]
fn the_root_bears_what_the_joint_gives() {
    let turn = Signal::Sine {
        amplitude: 0.3,
        frequency_hz: 3.0,
        phase: std::f64::consts::FRAC_PI_2,
        offset: 0.0,
        start: 0.0,
    };
    let scenario = Scenario::new(bar(Joint::revolute([0.0, 0.0, 1.0])), 0.4)
        .gravity([0.0; 3])
        .method(IntegrationMethod::Dop853 { tolerance: 1e-10 })
        .prescribe("bar", PrescribedQuantity::Position, turn)
        .record(1e-3, ["forces", "momenta", "internal-forces", "coordinates"]);
    let (outcome, rows) = completed(&scenario);
    let (force, moment) = (column(&rows, "bar.force"), column(&rows, "bar.moment"));
    let largest = force.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // where the root bears most: elsewhere higher modes may
    let at_root = |row: &usize| force[*row].abs() > 0.5 * largest;
    for row in (0..force.len()).filter(at_root) {
        assert!(moment[row] >= force[row].abs() * (1.0 - 1e-6), "{} {}", moment[row], force[row]);
        near(moment[row], force[row].abs(), 0.05);
    }
    let peak = outcome.links[0].moment.expect("a peak");
    assert_eq!(peak.value, moment.iter().fold(0.0, |most: f64, x| most.max(*x)));
}
