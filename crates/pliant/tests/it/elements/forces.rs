//! Their forces in every algorithm.

use crate::calls::{self, Rate};
use crate::close::{largest, terms};
use crate::description::Description;
use crate::models::elements::{Drag, Floor};
use crate::models::{Model, with_elements};
use crate::reproduce::algorithms::Recipe;
use pliant::arm::{Arm, Builder, ElementPosition, ForceElement, Joint, Link};
use pliant::dynamics::energy::{self, Power};
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::dynamics::loads::Load;
use pliant::dynamics::passive;
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation, algorithm};
use pliant::scalar::Scalar;
use pliant::spatial::{Force, Vec3};

/// The same arm without them.
fn plain(model: &Model) -> Arm {
    model.description.arm()
}

/// The wrenches and the force between coordinates, from formulas that were differentiated by hand.
fn by_hand(model: &Model) -> Vec<f64> {
    let Model { arm, q, u, description: Description { links, .. }, .. } = model;
    let [first, last] = [0, links.len() - 1].map(|k| links[k].tool_name());
    let [one, tool] = [&first, &last].map(|name| arm.pose(q, name).expect("a frame"));
    let twist = arm.twist(q, u, &last, Axes::World).expect("a frame");
    let x = 0.2 - tool.position.z;
    let root = x.hypot(0.3);
    let depth = 0.5 * (x + root);
    let floor = 80.0 * depth * 0.5 * (1.0 + x / root) - 3.0 * depth * twist.linear.z;
    let way = tool.position - one.position;
    let length = (way.dot(way) + 0.01).sqrt();
    let cable = way * (30.0 * (length - 0.4) / length);
    let against = |v: Vec3<f64>| v * (-0.8 * (v.dot(v) + 1e-6).sqrt());
    let axis = tool.rotation.columns[0];
    let force = Vec3::new(0.0, 0.0, floor) - cable + against(twist.linear) + axis * 5.0;
    let moment = axis.cross(Vec3::AXES[0]) * 12.0 + against(twist.angular);
    let load = |name: &str, wrench| {
        let frame = arm.frame(name).expect("a frame");
        Load { frame, wrench, axes: Axes::World }
    };
    let loads =
        [load(&last, Force::new(force, moment)), load(&first, Force::new(cable, Vec3::ZERO))];
    let mut forces = arm.load_forces(q, &loads).expect("loads").as_slice().to_vec();
    let plain: Vec<usize> = (0..arm.nv()).filter(|&v| arm.coordinate_of(v).is_some()).collect();
    if let (Some(&a), Some(&b)) = (plain.first(), plain.last()) {
        let [qa, qb] = [a, b].map(|v| q[arm.coordinate_of(v).expect("its own")]);
        let pull = 7.0 * (qa - qb).sin() + 0.6 * (u[a] - u[b]);
        forces[a] -= pull;
        forces[b] += pull;
    }
    forces
}

#[test]
fn are_those_of_formulas_differentiated_by_hand() {
    for model in with_elements() {
        let Model { arm, q, u, ud, .. } = &model;
        let without = calls::rnea(&plain(&model), q, u, ud);
        let own = by_hand(&model);
        assert!(largest(&own) > 1.0, "{model}: the elements do something");
        let want: Vec<f64> = without.iter().zip(&own).map(|(tau, own)| tau - own).collect();
        assert_close!(
            model,
            calls::rnea(arm, q, u, ud),
            want,
            rel = 1e-12,
            of = largest(&want).max(largest(&own)),
            "rnea is that of the plain arm under these loads"
        );
        let [elastic, damping] =
            [arm.elastic_forces(q), arm.damping_forces(q, u)].map(|forces| forces.expect("forces"));
        let bare = plain(&model);
        let others = bare.elastic_forces(q).expect("forces") + bare.damping_forces(q, u).expect("");
        let all = elastic + damping - others;
        let size = largest(&own).max(all.amax());
        let negative: Vec<f64> = own.iter().map(|own| -own).collect();
        assert_close!(model, all.as_slice(), negative, rel = 1e-11, of = size, "their two parts");
    }
}

#[test]
fn forward_dynamics_undo_inverse_dynamics() {
    for model in with_elements() {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let mass = calls::crba(arm, q);
        let bias = calls::rnea(arm, q, u, &vec![0.0; arm.nv()]);
        for (forces, rates) in
            [calls::aba(arm, q, u, tau, ud), calls::composite(arm, q, u, tau, ud)]
        {
            assert_close!(
                model,
                calls::rnea(arm, q, u, &rates),
                forces,
                rel = 1e-11,
                of = terms(&mass, &rates, &bias),
                "the forces that the accelerations need"
            );
        }
    }
}

/// The documents' algorithms have them as well.
#[test]
fn published_algorithms_agree() {
    for (links, furnished) in [(2, false), (5, true)] {
        let model = Recipe { links, coordinates: 3, furnished }.model(7);
        let tool = model.description.links[links - 1].tool_name();
        let floor =
            Floor { frame: tool.clone(), height: 0.2, stiffness: 80.0, damping: 3.0, width: 0.3 };
        let builder = model.description.builder().element("floor", &floor);
        let arm = builder.element("drag", &Drag { frame: tool, coefficient: 0.8 }).build();
        let arm = arm.expect("an arm");
        let Model { q, u, ud, .. } = &model;
        let want = calls::rnea(&arm, q, u, ud);
        assert!((want[0] - calls::rnea(&model.arm, q, u, ud)[0]).abs() > 1e-3);
        for by in [
            Algorithm::GibbsAppell(Rotation::Exact),
            Algorithm::Recurrence(Evaluation::InTurn),
            Algorithm::Recurrence(Evaluation::Threads),
        ] {
            let mut work = algorithm::Workspace::new(by, &arm).expect("supported");
            let mut tau = vec![0.0; arm.nv()];
            work.inverse_dynamics_into(&arm, [q, u, ud], &mut tau);
            assert_close!(model, tau, want, rel = 1e-11, "{by:?}");
        }
    }
}

/// `d(T + V)/dt` is the power of motors and of elements without energies, by dual numbers.
#[test]
fn the_rate_of_energy_is_the_power() {
    for model in with_elements() {
        let Model { arm, q, u, tau, ud, .. } = &model;
        let (motors, ud) = calls::aba(arm, q, u, tau, ud);
        let dual: Arm<Rate> = arm.cast();
        let (q_moving, u_moving) = (calls::moving(arm, q, u), calls::changing(u, &ud));
        let (mut work, mut passive) = (Workspace::new(&dual), passive::Workspace::new(&dual));
        let moving = work.move_with(&dual, &q_moving, &u_moving, &u_moving);
        let energies = energy::energies(&dual, &mut passive, &moving, &q_moving, &u_moving);
        let none = vec![0.0; arm.nv()];
        let power = Power::new(arm, &mut passive::Workspace::new(arm), [q, u], &motors, &none);
        let bare = plain(&model);
        let mut passive = passive::Workspace::new(&bare);
        let others = Power::new(&bare, &mut passive, [q, u], &motors, &none);
        assert!((power.dampers - others.dampers).abs() > 1e-3, "{model}: they have power");
        let parts = [
            energies.kinetic.du[0],
            energies.potential.du[0],
            energies.elastic.du[0],
            power.motors,
            power.dampers,
        ];
        assert_close!(
            model,
            [energies.total().du[0]],
            [power.total()],
            rel = 1e-11,
            of = largest(&parts),
            "the parts cancel"
        );
    }
}

/// `½ k (q − r)²`.
struct Spring;

impl ForceElement for Spring {
    fn coordinates(&self) -> Vec<String> {
        vec!["arm".into()]
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let stretch = at.coordinates[0] - S::from_f64(0.4);
        S::from_f64(0.5 * 35.0) * stretch * stretch
    }
}

/// The spring of a joint and an element that does the same.
#[test]
fn a_spring_is_the_spring_of_the_joint() {
    let link = Link::new("arm").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let link = link.payload(2.0, [0.7, 0.0, 0.1]);
    let built_in = Builder::new("built in").link(link.clone().spring(&[35.0], &[0.4]));
    let added = Builder::new("added").link(link).element("spring", &Spring);
    let [built_in, added] = [built_in, added].map(|arm| arm.build().expect("an arm"));
    assert_eq!(added.element_names().collect::<Vec<_>>(), ["spring"]);
    for (q, u) in [(0.3, 0.2), (-1.7, 4.0), (0.4, 0.0)] {
        let both = [&built_in, &added].map(|arm| {
            let [state, rate] = [[q], [u]];
            let energies = arm.energies(&state, &rate).expect("energies");
            let frequency = arm.inverse_derivatives(&state, &rate, &rate).expect("slopes").by_q[0];
            let acceleration = arm.forward_dynamics(&state, &rate, &[0.3]).expect("rates")[0];
            let force = arm.elastic_forces(&state).expect("forces")[0];
            [energies.elastic, energies.total(), frequency, acceleration, force]
        });
        assert_close!("one joint", both[1], both[0], rel = 1e-13, "the same spring");
    }
}
