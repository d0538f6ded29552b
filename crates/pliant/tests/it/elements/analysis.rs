//! Equilibria, frequencies and damping with them.

use crate::models::elements::{Cable, Floor, Pair, Thrust};
use pliant::analyse::{Conditions, Input, JointCondition, OperatingPoint, OutOfRange, Output};
use pliant::arm::{
    Arm, Builder, ElementForce, ElementPosition, ElementVelocity, ForceElement, Joint, Link,
};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Section, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::scalar::Scalar;
use pliant::simulate::natural_frequencies;
use pliant::spatial::{Force, Pose, Vec3};

const MASS: f64 = 2.0;
const FLOOR: Floor =
    Floor { frame: String::new(), height: 0.3, stiffness: 5e3, damping: 0.0, width: 1e-4 };

/// A weight on a vertical slider above a floor.
fn weight() -> Arm {
    let block = Link::new("block").joint(Joint::prismatic([0.0, 0.0, 1.0])).payload(MASS, [0.0; 3]);
    let floor = Floor { frame: "block".into(), ..FLOOR };
    Builder::new("weight").link(block).element("floor", &floor).build().expect("an arm")
}

/// `k s s' = m g`, with the depth `s` so much wider than its rounding that `s' = 1`.
#[test]
fn a_weight_stands_on_the_floor() {
    let arm = weight();
    let free = Conditions::all(&arm, JointCondition::Free);
    let rest = arm.static_equilibrium_under(&[0.29], &free).expect("an equilibrium");
    let depth = MASS * 9.81 / FLOOR.stiffness;
    assert!((0.3 - rest.q[0] - depth).abs() < 1e-3 * depth, "{} {depth}", rest.q[0]);
    let floor = arm.elastic_forces(&rest.q).expect("forces")[0];
    assert!((floor + MASS * 9.81).abs() < 1e-9, "{floor}");
    // and vibrates there
    let given = Conditions { as_given: true, ..free };
    let modes = arm.modes_under(&rest.q, &given).expect("modes");
    let omega = (FLOOR.stiffness / MASS).sqrt();
    assert!((modes.modes[0].squared.sqrt() / omega - 1.0).abs() < 1e-3);
    let frequency = natural_frequencies(&arm, &rest.q).expect("frequencies")[0];
    assert!((frequency / omega - 1.0).abs() < 1e-3, "{frequency} {omega}");
    // above the floor nothing holds it
    let above = natural_frequencies(&arm, &[1.0]).expect("frequencies")[0];
    assert!(above < 1e-2 * omega, "{above}");
}

/// A cantilever whose tip is pulled by a spring to the clamp: `F = k u`, `u = F L³/3EI`.
#[test]
fn a_beam_leans_on_a_floor() {
    let material = Material::named("steel").expect("known");
    let outline = CrossSection::Round { diameter: 0.02 };
    let basis = Basis::Hermite { elements: 4, ways: Ways::new(true, true, false, false) };
    let beam = Beam::new(1.0, Matter::Made { outline, material }, basis);
    let Section { ei_y, rho_a, .. } = beam.profile.section_at(0.0);
    let rod = Link::new("rod").beam(beam).section_frame("end", 1.0, Pose::IDENTITY);
    let plain = Builder::new("rod").link(rod);
    // the whole of the sag is below it
    let (k, height) = (400.0, 0.02);
    let floor = Floor { frame: "end".into(), height, stiffness: k, damping: 0.0, width: 1e-6 };
    let arm = plain.element("floor", &floor).build().expect("an arm");
    let rest = arm.static_equilibrium(&arm.neutral()).expect("an equilibrium");
    let z = arm.pose(&rest.q, "end").expect("a frame").position.z;
    let own = 3.0 * ei_y;
    let free = -rho_a * 9.81 / (8.0 * ei_y);
    // 3EI (z − free) = k (height − z)
    let want = (own * free + k * height) / (own + k);
    assert!((z - want).abs() < 1e-3 * (want - free).abs(), "{z} {want} {free}");
}

/// A damper between the world and a frame.
struct Damper {
    coefficient: f64,
}

impl ForceElement for Damper {
    fn frames(&self) -> Vec<String> {
        vec!["block".into()]
    }

    fn force<S: Scalar>(
        &self,
        _: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        force.frames[0].force = -velocity.frames[0].linear * S::from_f64(self.coefficient);
    }
}

/// `m ẍ + c ẋ + k x = f`: the cable is the spring.
#[test]
fn stiffness_and_damping_are_in_modes_and_linear_models() {
    let (k, c) = (300.0, 4.0);
    let block = Link::new("block").joint(Joint::prismatic([1.0, 0.0, 0.0])).payload(MASS, [0.0; 3]);
    let anchor = Link::new("anchor").on_ground().placed(Pose::at(-1.0, 0.0, 0.0));
    let cable = Cable { frames: ["anchor".into(), "block".into()], stiffness: k, length: 0.0 };
    let builder = Builder::new("oscillator").link(block).link(anchor).element("cable", &cable);
    let arm = builder.element("damper", &Damper { coefficient: c }).build().expect("an arm");
    let given = Conditions { as_given: true, ..Conditions::all(&arm, JointCondition::Free) };
    let modes = arm.modes_under(&[0.0], &given).expect("modes");
    let omega = (k / MASS).sqrt();
    assert!((modes.modes[0].squared.sqrt() - omega).abs() < 1e-9 * omega);
    let ratio = c / (2.0 * MASS * omega);
    assert!(
        (modes.modes[0].damping_ratio - ratio).abs() < 1e-12,
        "{}",
        modes.modes[0].damping_ratio
    );
    let point = OperatingPoint::rest(&arm, &[0.0]);
    let system = arm.linearise(&point, &given, &[Input::Motor(0)], &[Output::Coordinate(0)]);
    let a = system.expect("a linear model").a;
    assert!((a[(1, 0)] + k / MASS).abs() < 1e-9 && (a[(1, 1)] + c / MASS).abs() < 1e-12, "{a}");
}

/// A thrust along a beam loads it as a load does.
#[test]
fn axial_forces_of_elements_are_warned_of() {
    let material = Material::named("steel").expect("known");
    let outline = CrossSection::Round { diameter: 0.01 };
    let basis = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
    let mut beam = Beam::new(1.0, Matter::Made { outline, material }, basis);
    beam.foreshortening = false;
    let rod = Link::new("rod").beam(beam).section_frame("end", 1.0, Pose::IDENTITY);
    let plain = Builder::new("rod").gravity([0.0; 3]).link(rod);
    let thrust = Thrust { frame: "end".into(), size: -200.0 };
    let pushed = plain.clone().element("thrust", &thrust).build().expect("an arm");
    let plain = plain.build().expect("an arm");
    let wrench = Force::new(Vec3::new(-200.0, 0.0, 0.0), Vec3::ZERO);
    let load = Load { frame: plain.frame("end").expect("a frame"), wrench, axes: Axes::Own };
    let (q, u) = (plain.neutral(), vec![0.0; plain.nv()]);
    let want = plain.out_of_range(&q, &u, &[load]).expect("a state");
    assert!(matches!(want.as_slice(), [OutOfRange::Axial { .. }]), "{want:?}");
    assert_eq!(pushed.out_of_range(&q, &u, &[]).expect("a state"), want);
    assert_eq!(plain.out_of_range(&q, &u, &[]).expect("a state"), []);
}

/// What is built from a description again has them too.
#[test]
fn copies_of_an_arm_keep_them() {
    let block =
        |name| Link::new(name).joint(Joint::revolute([0.0, 1.0, 0.0])).payload(1.0, [0.5; 3]);
    let pair = Pair { coordinates: ["one".into(), "two".into()], stiffness: 3.0, damping: 0.0 };
    let description = Builder::new("two").link(block("one")).link(block("two"));
    let description = description.element("pair", &pair);
    assert_eq!(description.parts().elements[0].coordinates(), ["one", "two"]);
    let arm = description.clone().build().expect("an arm");
    let force = |arm: &Arm| arm.elastic_forces(&[0.2, 0.0]).expect("forces")[0];
    let want = force(&arm);
    assert!((want - 3.0 * 0.2_f64.sin()).abs() < 1e-15);
    let lines = pliant::dynamics::Centrelines::new(&description, |_| Vec::new()).expect("lines");
    let rebuilt =
        description.map_beams(|beam| beam).rigid_joints().map_links(|_, link| link).build();
    for copy in
        [rebuilt.expect("an arm"), lines.arm().clone(), arm.clone().with_gravity([0.0; 3].into())]
    {
        assert_eq!(force(&copy), want);
    }
}
