//! Once its workspace exists, an `_into` call allocates nothing, and a step of a stepper neither.

#![allow(
    unsafe_code,
    reason = "a global allocator is unsafe by contract; this one hands every call to the system's"
)]

// Each program uses a part of what makes random arms.
#[allow(dead_code, reason = "the identities use the rest")]
#[path = "it/random.rs"]
mod random;
#[allow(dead_code, reason = "the identities use the rest")]
#[path = "it/description.rs"]
mod description;
#[allow(dead_code, reason = "the identities use the rest")]
#[path = "it/models/mod.rs"]
mod models;
#[path = "it/control/arms.rs"]
mod arms;
#[path = "alloc/ticks.rs"]
mod ticks;

use models::{Model, models, prescribed, rigid, with_elements};
use pliant::analyse::{OutOfRange, RangeCheck};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{self, Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::{Load, add_loads};
use pliant::dynamics::{
    aba, composite, coriolis, crba, derivatives, energy, kinematics, passive, rnea, terms,
};
use pliant::integrate::{
    Adams, Dop853, Dopri5, Events, GeneralisedAlpha, Method, Radau5, Rk4, Stepper, Switching,
};
use pliant::reproduce::effort;
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation, akmehmet, algorithm};
use pliant::scalar::{Lanes, Scalar};
use pliant::simulate::{
    BlockInput, BlockOutput, Channel, ChannelGroup, Clock, Compile, Delay, Diagram, Direction,
    Event, EventAction, ExternalLoad, ImplicitArmSystem, Motor, Recorder, SampledBlock, Selection,
    Sensor, SensorQuantity, Signal, Tick, Unforced, run,
};
use pliant::spatial::{Force, Vec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Per thread, because tests run side by side.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn tally() {
    // a thread that ends has no counter any more, and nothing to count
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every method passes its arguments on to the system's allocator and returns its answer.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        tally();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        tally();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How often `work` allocates on this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[track_caller]
fn none(model: &Model, call: &str, work: impl FnOnce()) {
    let count = allocations(work);
    assert_eq!(count, 0, "{model}: {call} allocates");
}

#[test]
fn the_counter_counts() {
    let mut list = Vec::new();
    let first = allocations(|| list.push(1_u64));
    let grown = allocations(|| list.extend(0..1000));
    let zeroed = allocations(|| drop(black_box(vec![0_u8; 64])));
    assert_eq!((first, grown > 0, zeroed), (1, true, 1));
    assert_eq!(allocations(|| list.clear()), 0);
}

#[test]
fn recursions() {
    for model in models().iter().chain(&prescribed()).chain(&with_elements()) {
        check_recursions(model, &model.arm, |x| x);
    }
    for model in prescribed() {
        let wide: Arm<Lanes<f64, 4>> = model.arm.cast();
        check_recursions(&model, &wide, |x| Lanes([x; 4]));
    }
}

fn check_recursions<S: Scalar>(model: &Model, arm: &Arm<S>, number: impl Fn(f64) -> S) {
    let n = arm.nv();
    let all = |values: &[f64]| values.iter().map(|&x| number(x)).collect::<Vec<S>>();
    let (mut q, u) = (all(&model.q), all(&model.u));
    let (mut ud, mut tau) = (all(&model.ud), all(&model.tau));
    let (mut out, mut matrix) = (vec![S::ZERO; n], vec![S::ZERO; n * n]);
    let mut rate = vec![S::ZERO; arm.nq()];
    let mut work = rnea::Workspace::new(arm);
    none(model, "rnea", || {
        rnea::rnea_into(arm, &mut work, &q, &u, &ud, &mut out);
    });
    none(model, "coriolis", || {
        terms::coriolis_into(arm, &mut work, &q, &u, &mut out);
    });
    none(model, "gravity", || {
        terms::gravity_into(arm, &mut work, &q, &mut out);
    });
    none(model, "bias", || {
        terms::bias_into(arm, &mut work, &q, &u, &mut out);
    });
    let mut work = passive::Workspace::new(arm);
    none(model, "elastic", || terms::elastic_into(arm, &mut work, &q, &mut out));
    none(model, "damping", || terms::damping_into(arm, &mut work, &q, &u, &mut out));
    let mut work = crba::Workspace::new(arm);
    none(model, "crba", || {
        crba::crba_into(arm, &mut work, &q, &mut matrix);
    });
    none(model, "mirror", || crba::mirror(&mut matrix, n));
    let mut work = aba::Workspace::new(arm);
    none(model, "aba", || {
        aba::aba_into(arm, &mut work, &q, &u, &mut tau, &mut ud);
    });
    let mut work = composite::Workspace::new(arm);
    none(model, "composite", || {
        composite::composite_into(arm, &mut work, &q, &u, &mut tau, &mut ud);
    });
    let mut work = coriolis::Workspace::new(arm);
    none(model, "C", || {
        coriolis::coriolis_matrix_into(arm, &mut work, &q, &u, &mut matrix);
    });
    none(model, "rate", || arm.rate_into(&q, &u, &mut rate));
    none(model, "displace", || arm.displace(&mut q, &u));
}

/// The algorithms for serial chains; what threads share, rayon may queue.
#[test]
fn algorithms_of_chains() {
    let arm = effort::chain(&[3, 3, 3, 3, 3, 0, 0]).expect("a good arm");
    let n = arm.nv();
    let (q, u) = (vec![0.01; n], vec![0.1; n]);
    let (mut tau, mut ud, mut mass) = (vec![0.2; n], vec![0.3; n], vec![0.0; n * n]);
    for algorithm in [
        Algorithm::Recursive,
        Algorithm::GibbsAppell(Rotation::Exact),
        Algorithm::GibbsAppell(Rotation::Small),
        Algorithm::Recurrence(Evaluation::InTurn),
        Algorithm::Recurrence(Evaluation::Doubling),
    ] {
        let mut work = algorithm::Workspace::new(algorithm, &arm).expect("a chain");
        let count = allocations(|| {
            work.mass_matrix_into(&arm, &q, &mut mass);
            work.mass_and_bias_into(&arm, [&q, &u], &mut mass, &mut tau);
            work.inverse_dynamics_into(&arm, [&q, &u, &ud], &mut tau);
            work.forward_dynamics_into(&arm, [&q, &u], &mut tau, &mut ud);
        });
        assert_eq!(count, 0, "{algorithm:?} allocates");
    }
}

#[test]
fn akmehmets_matrix() {
    for model in rigid() {
        let Model { arm, q, u, .. } = &model;
        let (mut work, mut c) = (akmehmet::Workspace::new(arm), vec![0.0; arm.nv() * arm.nv()]);
        none(&model, "Akmehmet's C", || {
            akmehmet::coriolis_matrix_into(arm, &mut work, q, u, &mut c);
        });
    }
}

#[test]
fn derivatives() {
    let few = |m: &&Model| m.arm.nv() < 60;
    for model in models().iter().chain(&prescribed()).chain(&with_elements()).filter(few) {
        let Model { arm, q, u, ud, tau, .. } = model;
        let n = arm.nv();
        let mut work = derivatives::Workspace::new(arm);
        let [mut a, mut b, mut c] = [(); 3].map(|()| vec![0.0; n * n]);
        none(model, "inverse derivatives", || {
            derivatives::inverse_derivatives_into(&mut work, q, u, ud, &mut a, &mut b);
        });
        none(model, "forward derivatives", || {
            let matrices = [&mut a[..], &mut b, &mut c];
            derivatives::forward_derivatives_into(&mut work, q, u, tau, ud, matrices);
        });
    }
}

#[test]
fn kinematics_loads_and_energies() {
    for model in models().into_iter().chain(with_elements()) {
        let Model { arm, q, u, ud, tau, .. } = &model;
        let n = arm.nv();
        let frame = arm.frames().len() - 1;
        let wrench = Force::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0));
        let loads = [Axes::Own, Axes::World].map(|axes| Load { frame, wrench, axes });
        let mut work = kinematics::Workspace::new(arm);
        let mut passive = passive::Workspace::new(arm);
        let (mut jacobian, mut force) = (vec![0.0; 6 * n], vec![0.0; n]);
        none(&model, "place", || {
            black_box(work.place(arm, q).pose(frame));
        });
        none(&model, "Jacobian and loads", || {
            let placed = work.place(arm, q);
            placed.jacobian_into(frame, Axes::Own, &mut jacobian);
            placed.jacobian_into(frame, Axes::World, &mut jacobian);
            add_loads(&placed, &loads, &mut force);
        });
        none(&model, "motion, energies and momenta", || {
            let moving = work.move_with(arm, q, u, ud);
            black_box(moving.twist(frame, Axes::World));
            black_box(moving.acceleration(frame, Axes::Own));
            black_box(energy::energies(arm, &mut passive, &moving, q, u));
            black_box(energy::momenta(arm, &moving));
            black_box(energy::Power::new(arm, &mut passive, [q, u], tau, &force));
        });
    }
}

/// Shapes and buckling loads are made once: a look at a state allocates a handful of buffers and
/// solves nothing.
#[test]
fn looks_at_the_range() {
    let material = Material::named("steel").expect("known");
    let outline = CrossSection::Box { height: 0.16, width: 0.24, wall: 0.006 };
    let basis = Basis::Eigenmodes {
        elements: 12,
        ways: Ways::new(2, 3, 1, 0),
        load: beam::ShapeLoad::Outboard,
        hinge_y: None,
        hinge_z: None,
    };
    let beam = Beam::new(6.0, Matter::Made { outline, material }, basis);
    let boom = Link::new("boom").joint(Joint::revolute([0.0, -1.0, 0.0])).beam(beam);
    let arm = Builder::new("boom").link(boom).build().expect("an arm");
    let (mut q, u) = (arm.neutral(), vec![0.0; arm.nv()]);
    q[1] = 3.0;
    let mut found = Vec::new();
    let alone = allocations(|| found = arm.out_of_range(&q, &u, &[]).expect("a state"));
    let mut check = RangeCheck::new(&arm);
    let look = allocations(|| {
        let again = check.at(&q, &u, &[]).expect("a state");
        assert_eq!(black_box(again), found);
    });
    assert!(matches!(found.as_slice(), [OutOfRange::Slope { .. }]), "{found:?}");
    assert!(look < 40 && alone > 20 * look, "{look} allocations instead of {alone}");
}

#[test]
fn steps() {
    type Rates = fn(f64, &[f64], &mut [f64]);
    fn pendulum(_: f64, y: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(&[y[1], -y[0].sin()]);
    }
    fn check<M: Method<Rates>>(name: &str, method: M) {
        let mut stepper =
            Stepper::new(pendulum as Rates, method, 0.0, &[1.0, 0.0]).expect("good settings");
        let times: [f64; 50] = std::array::from_fn(|i| 2.0 + 0.1 * i as f64);
        let mut inside = [0.0; 2];
        let count = allocations(|| {
            while let Some(mut step) = stepper.step(1.0).expect("no failure") {
                let time = step.span().start + 0.3 * step.span().length();
                step.dense().expect("no failure").at(time, &mut inside);
            }
            stepper.advance(2.0).expect("no failure");
            stepper.sample(&times, |_, y| inside.copy_from_slice(y)).expect("no failure");
            stepper.restart(0.0, &[0.5, 0.0]).expect("finite");
            stepper.system_mut();
            stepper.advance(1.0).expect("no failure");
        });
        assert_eq!(count, 0, "{name} allocates");
        assert!(stepper.statistics().steps > 10);
    }
    check("RK4", Rk4::new(0.1));
    check("DOPRI5", Dopri5::new(1e-9));
    check("DOP853", Dop853::new(1e-9));
    check("Adams", Adams::new(1e-9));
    check("RADAU5", Radau5::new(1e-7));
    check("both kinds", Switching::new(1e-7, 1.0));
}

#[test]
fn implicit_steps_of_arms_and_events() {
    let few = |m: &&Model| m.arm.nv() < 20;
    for model in models().iter().chain(&prescribed()).chain(&with_elements()).filter(few) {
        let state = [&model.q[..], &vec![0.0; model.arm.nv()]].concat();
        let motion = ImplicitArmSystem::new(&model.arm, Unforced);
        let method = GeneralisedAlpha::new(1e-4);
        let mut stepper = Stepper::new(motion, method, 0.0, &state).expect("good settings");
        let mut events = Events::new();
        events.add(pliant::integrate::EventFunction::new(|t, _: &[f64]| (1e4 * t).sin()));
        let mut inside = state.clone();
        // the first step makes room for a state
        let mut step = stepper.step(1e-3).expect("no failure").expect("a step");
        events.find(&mut step).expect("no failure");
        none(model, "a step of generalised-alpha", || {
            while let Some(mut step) = stepper.step(1e-3).expect("no failure") {
                for crossing in events.find(&mut step).expect("no failure") {
                    black_box(crossing.time);
                }
                step.state_at(step.span().start, &mut inside).expect("no failure");
            }
        });
    }
}

/// Counts rows and keeps none.
struct Nowhere(usize);

impl Recorder for Nowhere {
    type Error = std::convert::Infallible;

    fn start(&mut self, _: &[Channel]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn row(&mut self, _: f64, values: &[f64]) -> Result<(), Self::Error> {
        black_box(values);
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn runs() {
    let is_fit =
        |model: &Model| model.bends() && model.arm.nv() < 20 && !model.arm.frames().is_empty();
    let model = models().into_iter().find(is_fit).expect("one bends");
    let arm = &model.arm;
    let count = |duration: f64, is_implicit: bool, compile: Compile| {
        let mut scenario = Diagram::new(arm, duration, 0.003);
        // by itself a longer run compiles more
        scenario.compile = compile;
        // all but internal forces, whose cuts through links are made anew
        let groups =
            ChannelGroup::ALL.into_iter().filter(|own| *own != ChannelGroup::InternalForces);
        scenario.selection = Selection::new(groups.map(ChannelGroup::word));
        let wave =
            Signal::Sine { amplitude: 0.1, frequency_hz: 3.0, phase: 0.0, offset: 0.0, start: 0.0 };
        scenario.motors.push(Motor { velocity: 0, signal: wave.clone() });
        let wrench = Force::new(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.1));
        scenario.loads.push(ExternalLoad { frame: 0, wrench, axes: Axes::Own, signal: wave });
        let clock = Clock::hertz(200.0).expect("good");
        let quantities = [
            SensorQuantity::Coordinate(0),
            SensorQuantity::SpecificForce { frame: 0 },
            SensorQuantity::Position { frame: 0 },
        ];
        for (i, quantity) in quantities.into_iter().enumerate() {
            let sensor = Sensor::new(format!("sensor {i}"), quantity, clock);
            let delay = Delay::Ticks(2);
            scenario.sensors.push(Sensor { delay, noise: 1e-3, resolution: 1e-4, ..sensor });
        }
        let law = |tick: &Tick<'_>, out: &mut [f64]| out[0] = -0.1 * tick.inputs[0];
        let inputs = vec![BlockInput::Sensor(0), BlockInput::Sensor(1)];
        let part =
            SampledBlock::new("law", clock, inputs, vec![BlockOutput::motor("torque", 0)], law);
        scenario.blocks.push(SampledBlock { delay: Delay::Seconds(0.0123), ..part });
        scenario.events.push(Event {
            name: "never".to_owned(),
            quantity: "energy.kinetic + 1".into(),
            direction: Direction::Either,
            action: EventAction::Report,
        });
        let mut nowhere = Nowhere(0);
        let allocations = allocations(|| {
            let summary = if is_implicit {
                run(&mut scenario, GeneralisedAlpha::new(1e-3), &mut nowhere, &mut ())
            } else {
                run(&mut scenario, Dop853::new(1e-6), &mut nowhere, &mut ())
            };
            let _ = black_box(summary.expect("a good scenario"));
        });
        (allocations, nowhere.0)
    };
    for is_implicit in [false, true] {
        for compile in [Compile::Never, Compile::Always] {
            let (short, few) = count(0.1, is_implicit, compile);
            let (long, many) = count(0.5, is_implicit, compile);
            assert!(many > 4 * few, "{many} rows, {few} rows");
            assert_eq!(short, long, "{model}, {compile:?}: a longer run allocates more");
        }
    }
}
