//! Linearised arms against differences, modes, and each other.

use crate::models::{Model, driven, models, prescribed};
use pliant::Help;
use pliant::analyse::{AnalysisError, Conditions, Input, JointCondition, OperatingPoint, Output};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::nalgebra::{DMatrix, DVector};
use pliant::spatial::{Force, Vec3};

/// Arms with every kind of joint, some of which bend, some with actuators.
fn few() -> Vec<Model> {
    let all = models().into_iter().chain(driven());
    let few: Vec<Model> = all.filter(|model| model.arm.nv() < 25).collect();
    assert!(few.iter().any(|model| (0..model.arm.body_count()).any(|k| model.arm.is_rotor(k))));
    assert!(few.iter().filter(|model| model.bends()).count() > 5);
    few
}

/// Every joint that has a spring stands on it, all others are free.
fn unlocked(arm: &Arm, loads: Vec<Load>) -> Conditions {
    let hold =
        |link| if arm.is_sprung(link) { JointCondition::OnSpring } else { JointCondition::Free };
    let holds = (0..arm.body_count()).map(hold).collect();
    Conditions { joints: holds, loads, ..Conditions::default() }
}

/// A dead and a following load.
fn loads(arm: &Arm) -> Vec<Load> {
    let wrench = Force::new(Vec3::new(3.0, -2.0, 5.0), Vec3::new(0.4, 1.1, -0.7));
    let last = arm.frames().len() - 1;
    let load = |frame, axes| Load { frame, wrench, axes };
    vec![load(last, Axes::World), load(last.saturating_sub(1), Axes::Own)]
}

fn inputs(arm: &Arm) -> Vec<Input> {
    let frame = arm.frames().len() - 1;
    let wrenches = (0..6).flat_map(|component| {
        [Axes::World, Axes::Own].map(|axes| Input::Wrench { frame, component, axes })
    });
    arm.free_velocities().into_iter().map(Input::Motor).chain(wrenches).collect()
}

fn outputs(arm: &Arm) -> Vec<Output> {
    let frame = arm.frames().len() - 1;
    let mut all: Vec<Output> =
        (0..arm.nv()).flat_map(|v| [Output::Coordinate(v), Output::Rate(v)]).collect();
    for axis in 0..3 {
        all.push(Output::Position { frame, axis });
        all.push(Output::Velocity { frame, axis });
        all.push(Output::SpecificForce { frame, axis });
    }
    for link in 0..arm.body_count() {
        if let Some(beam) = arm.beam_of(link) {
            let distance = 0.4 * beam.length;
            all.push(Output::Strain { link, distance, place: [0.01, -0.02] });
        }
    }
    all
}

/// The arm itself: where it is, how it moves, what drives it.
struct Whole<'a> {
    arm: &'a Arm,
    loads: Vec<Load>,
    q: Vec<f64>,
    u: Vec<f64>,
    tau: DVector<f64>,
}

impl Whole<'_> {
    /// `u̇` and the outputs at a state, with additional wrenches.
    fn at(&self, q: &[f64], u: &[f64], tau: &DVector<f64>, more: &[Load]) -> (Vec<f64>, Vec<f64>) {
        let arm = self.arm;
        let loads: Vec<Load> = self.loads.iter().chain(more).copied().collect();
        let forces = tau + arm.load_forces(q, &loads).expect("loads");
        let ud = arm.forward_dynamics(q, u, forces.as_slice()).expect("accelerations");
        let see = |output: &Output| match *output {
            // displacements are small, and given
            Output::Coordinate(_) => 0.0,
            Output::Rate(v) => u[v],
            Output::Position { frame, axis } => {
                arm.pose(q, arm.frames()[frame].name()).expect("a pose").position.to_array()[axis]
            }
            Output::Velocity { frame, axis } => {
                let name = arm.frames()[frame].name();
                arm.twist(q, u, name, Axes::World).expect("a twist").linear.to_array()[axis]
            }
            Output::SpecificForce { frame, axis } => {
                let name = arm.frames()[frame].name();
                let rotation = arm.pose(q, name).expect("a pose").rotation;
                let moved = arm.frame_acceleration(q, u, ud.as_slice(), name, Axes::Own);
                let felt = moved.expect("known").linear - rotation.transpose_mul(arm.gravity());
                felt.to_array()[axis]
            }
            Output::Strain { link, distance, place } => {
                let strains = arm.beam_of(link).expect("a beam").axial_strains(distance, place);
                let bending = arm.bending_of(link).0;
                strains.iter().zip(bending).map(|(strain, k)| strain * q[k]).sum()
            }
        };
        (ud.iter().copied().collect(), outputs(arm).iter().map(see).collect())
    }

    /// `ξ` with `q = q' ⊞ ξ`, to first order in it.
    fn between(&self, from: &[f64], to: &[f64]) -> DVector<f64> {
        let (arm, n) = (self.arm, self.arm.nv());
        let mut map = DMatrix::zeros(arm.nq(), n);
        for v in 0..n {
            let mut unit = vec![0.0; n];
            unit[v] = 1.0;
            let mut rate = vec![0.0; arm.nq()];
            arm.rate_into(from, &unit, &mut rate);
            map.set_column(v, &DVector::from_vec(rate));
        }
        let way = DVector::from_fn(arm.nq(), |k, _| to[k] - from[k]);
        let square = (map.transpose() * &map).cholesky().expect("independent");
        square.solve(&(map.transpose() * way))
    }
}

fn displaced(arm: &Arm, q: &[f64], step: &[f64]) -> Vec<f64> {
    let mut q = q.to_vec();
    arm.displace(&mut q, step);
    q
}

fn unit(n: usize, v: usize, size: f64) -> Vec<f64> {
    let mut unit = vec![0.0; n];
    unit[v] = size;
    unit
}

const STEP: f64 = 1e-5;

#[test]
fn against_central_differences() {
    for model in few() {
        let Model { arm, q, u, ud, .. } = &model;
        let n = arm.nv();
        let loads = loads(arm);
        let tau = arm.inverse_dynamics(q, u, ud).expect("forces")
            - arm.load_forces(q, &loads).expect("loads");
        let conditions = unlocked(arm, loads.clone());
        let point = OperatingPoint { q: q.clone(), u: u.clone(), ud: ud.clone() };
        let (inputs, outputs) = (inputs(arm), outputs(arm));
        let near = arm.linearise(&point, &conditions, &inputs, &outputs).expect("a system");
        let whole = Whole { arm, loads, q: q.clone(), u: u.clone(), tau };
        let Whole { q, u, tau, .. } = &whole;
        let slope = |f: &dyn Fn(f64) -> (Vec<f64>, Vec<f64>)| {
            let ((up, seen_up), (down, seen_down)) = (f(STEP), f(-STEP));
            let differ = |a: Vec<f64>, b: Vec<f64>| -> Vec<f64> {
                a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
            };
            (differ(up, down), differ(seen_up, seen_down))
        };
        let is_place = |output: &Output| matches!(output, Output::Coordinate(_));
        // rows of outputs that differences know; each is of one unit, and has its own size
        let rows: Vec<usize> = (0..outputs.len()).filter(|&k| !is_place(&outputs[k])).collect();
        let check = |what: &str,
                     k: usize,
                     got: (&DMatrix<f64>, &DMatrix<f64>),
                     want: (Vec<f64>, Vec<f64>)| {
            let row = |matrix: &DMatrix<f64>, row: usize, want: f64| {
                let (size, got) = (matrix.row(row).amax().max(1.0), matrix[(row, k)]);
                assert_close!(model, [got], [want], rel = 1e-6, of = size, "{what} {k}, row {row}");
            };
            for v in 0..n {
                row(got.0, n + v, want.0[v]);
            }
            for &k in &rows {
                row(got.1, k, want.1[k]);
            }
        };
        for v in 0..n {
            let by_q = slope(&|h| whole.at(&displaced(arm, q, &unit(n, v, h)), u, tau, &[]));
            check("q", v, (&near.a, &near.c), by_q);
            let nudged =
                |h: f64| -> Vec<f64> { u.iter().zip(unit(n, v, h)).map(|(u, h)| u + h).collect() };
            let by_u = slope(&|h| whole.at(q, &nudged(h), tau, &[]));
            check("u", n + v, (&near.a, &near.c), by_u);
        }
        for (k, input) in inputs.iter().enumerate() {
            let by_input = slope(&|h| match *input {
                Input::Motor(v) => whole.at(q, u, &(tau + DVector::from_vec(unit(n, v, h))), &[]),
                Input::Wrench { frame, component, axes } => {
                    let parts = unit(6, component, h);
                    let force = Vec3::new(parts[0], parts[1], parts[2]);
                    let moment = Vec3::new(parts[3], parts[4], parts[5]);
                    let load = Load { frame, wrench: Force::new(force, moment), axes };
                    whole.at(q, u, tau, &[load])
                }
            });
            check("input", k, (&near.b, &near.d), by_input);
        }
        // the upper half: how a displacement changes while both motions go on for h
        for v in 0..2 * n {
            let rate = |size: f64| {
                let mut step = unit(2 * n, v, size);
                let change = step.split_off(n);
                let moved: Vec<f64> = u.iter().zip(&change).map(|(u, c)| u + c).collect();
                let after = |h: f64| {
                    let scaled = |u: &[f64]| u.iter().map(|u| h * u).collect::<Vec<_>>();
                    let own = displaced(arm, q, &scaled(u));
                    let other = displaced(arm, &displaced(arm, q, &step), &scaled(&moved));
                    whole.between(&own, &other)
                };
                (after(1e-4) - after(-1e-4)) / 2e-4
            };
            let column: Vec<f64> = ((rate(1e-3) - rate(-1e-3)) / 2e-3).iter().copied().collect();
            let got: Vec<f64> = near.a.column(v).rows(0, n).iter().copied().collect();
            assert_close!(
                model,
                got,
                column,
                rel = 1e-6,
                of = 1.0_f64.max(near.a.view((0, 0), (n, n)).amax()),
                "rates of displacements {v}"
            );
        }
    }
}

#[test]
fn locked_and_prescribed_joints_are_no_states() {
    for model in &prescribed()[..6] {
        let Model { arm, q, u, ud, .. } = model;
        let point = OperatingPoint { q: q.clone(), u: u.clone(), ud: ud.clone() };
        let near = arm.linearise(&point, &unlocked(arm, Vec::new()), &[], &[]).expect("a system");
        assert_eq!(near.a.nrows(), 2 * arm.free_velocities().len(), "{model}");
        assert_eq!(near.states.len(), near.a.nrows());
    }
}

/// Gravity with which the weight is no number.
#[test]
fn slopes_beyond_numbers_are_refused() {
    let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let bob = bob.payload(1e10, [0.0, 0.0, -2.0]);
    let arm = Builder::new("heavy").gravity([0.0, 0.0, -1e300]).link(bob).build().expect("an arm");
    let free = Conditions::all(&arm, JointCondition::Free);
    let error = arm.linearise(&OperatingPoint::rest(&arm, &[0.1]), &free, &[], &[]);
    let error = error.expect_err("infinite");
    assert!(
        matches!(&error, AnalysisError::SlopeOutOfRange { coordinate, .. } if coordinate.contains("bob"))
    );
    assert!(error.with_help().contains("gravity"), "{error}");
}

#[test]
fn what_cannot_be_asked_is_named() {
    let models = few();
    let model = models.iter().find(|m| m.bends() && !m.arm.velocities_of(0).is_empty());
    let arm = &model.expect("one that bends").arm;
    let point = OperatingPoint::rest(arm, &arm.neutral());
    let locked = Conditions::default();
    let v = arm.velocities_of(0).start;
    let ask = |input: &[Input], output: &[Output]| {
        arm.linearise(&point, &locked, input, output).expect_err("refused").with_help()
    };
    let name = &arm.velocity_names()[v];
    assert!(ask(&[Input::Motor(v)], &[]).contains(&format!("the motor of \"{name}\"")));
    assert!(ask(&[Input::Motor(999)], &[]).starts_with("there is no velocity coordinate 999"));
    assert!(ask(&[], &[Output::Position { frame: 999, axis: 0 }]).starts_with("there is no frame"));
    let link = (0..arm.body_count()).find(|&link| arm.beam_of(link).is_some()).expect("a beam");
    let gauge = Output::Strain { link, distance: 1e3, place: [0.0; 2] };
    assert!(ask(&[], &[gauge]).contains("a gauge sits 1000 m along"));
    let gauge = Output::Strain { link, distance: -0.5, place: [0.0; 2] };
    assert!(ask(&[], &[gauge]).contains("a gauge sits -0.5 m along"));
    // one beyond the last of each
    let wrench = Input::Wrench { frame: 0, component: 6, axes: Axes::World };
    assert!(ask(&[wrench], &[]).starts_with("there is no component of a wrench 6; there are 6"));
    let axis = Output::Velocity { frame: 0, axis: 3 };
    assert!(ask(&[], &[axis]).starts_with("there is no axis 3; there are 3"));
    let rate = Output::Rate(arm.nv());
    assert!(
        ask(&[], &[rate]).starts_with(&format!("there is no velocity coordinate {}", arm.nv()))
    );
    let error = arm.linearise(&OperatingPoint { q: vec![], ..point.clone() }, &locked, &[], &[]);
    assert!(matches!(error, Err(AnalysisError::Evaluation(_))));
}
