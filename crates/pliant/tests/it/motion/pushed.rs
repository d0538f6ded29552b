//! A beam pushed out of a fixed hub at a constant speed; the benchmarks use it too.

use pliant::arm::{Arm, Builder, Link};
use pliant::beam::{Basis, Beam, Section, ShapeLoad, Slide, TipLoad, Ways};
use pliant::integrate::{Control, Method, Radau5, solve};
use pliant::simulate::{ArmSystem, Unforced};

/// The beam of Theodore and Ghosal's arm, in one plane or two, with rotary inertia of a tube.
pub(crate) const RHO_A: f64 = 0.331;
pub(crate) const EI: f64 = 1165.4916;
pub(crate) const WHOLE: f64 = 1.3;
pub(crate) const PAYLOAD: f64 = 0.0828;

pub(crate) fn section(rho_i: f64) -> Section {
    Section {
        ea: 0.0,
        ei_z: EI,
        ei_y: EI,
        gj: 0.8 * EI,
        kga_y: None,
        kga_z: None,
        rho_a: RHO_A,
        rho_i_z: rho_i,
        rho_i_y: 1.3 * rho_i,
    }
}

pub(crate) fn clamped_mass(ways: Ways<usize>) -> Basis {
    let load = ShapeLoad::Given(TipLoad { mass: PAYLOAD, ..TipLoad::default() });
    Basis::ClampedMass { ways, load }
}

pub(crate) fn elements(elements: usize) -> Basis {
    Basis::Hermite { elements, ways: Ways::new(true, false, false, false) }
}

/// A beam of any stroke up to the whole length.
pub(crate) fn slider(basis: Basis, rho_i: f64, slide: Slide) -> Beam {
    Beam { slide: Some(slide), ..Beam::new(WHOLE, section(rho_i), basis) }
}

/// A beam on a fixed hub that is pushed out at a constant speed.
pub(crate) struct Pushed {
    pub(crate) arm: Arm,
}

impl Pushed {
    pub(crate) fn new(basis: Basis) -> Self {
        let slide = Slide { prescribed: true, ..Slide::between(0.29, 1.01) };
        let beam = Beam { foreshortening: false, ..slider(basis, 0.0, slide) };
        let arm = Builder::new("pushed")
            .gravity([0.0; 3])
            .link(Link::new("hub").beam(beam).tip_body(PAYLOAD, [0.0; 3], [[0.0; 3]; 3]))
            .build()
            .expect("good");
        Self { arm }
    }

    /// In the first mode at a length (m), moving at a speed (m/s).
    fn start(&self, from: f64, speed: f64) -> Vec<f64> {
        let arm = &self.arm;
        let (at, moving) = arm.length_of(0).expect("it slides");
        let mut q = arm.neutral();
        q[at] = from;
        let mode = arm.modes(&q).expect("modes").modes.remove(0);
        let tip = arm.pose(&displaced(&q, &mode.shape.as_slice()[1..], 1.0), "hub.tip");
        // the equations are linear: any size will do
        let size = 1.0 / tip.expect("there").position.y;
        let q = displaced(&q, &mode.shape.as_slice()[1..], size);
        // no momentum across, whatever the shapes do as they follow the length
        let mass = arm.mass_matrix(&q).expect("in the stroke");
        let n = arm.nv() - 1;
        let own = mass.view((1, 1), (n, n)).into_owned();
        let swept = mass.view((1, 0), (n, 1)) * -speed;
        let rates = own.cholesky().expect("positive").solve(&swept);
        let mut start = [q, vec![0.0; arm.nv()]].concat();
        start[arm.nq() + moving] = speed;
        start[arm.nq() + 1..].copy_from_slice(rates.as_slice());
        start
    }

    /// The states from one length to another (m) at a speed (m/s), by a method.
    pub(crate) fn run<'a, M: Method<ArmSystem<'a, Unforced>>>(
        &'a self,
        [from, to]: [f64; 2],
        speed: f64,
        samples: usize,
        method: M,
    ) -> Vec<Vec<f64>> {
        let (start, duration) = (self.start(from, speed), (to - from) / speed);
        let times: Vec<f64> = (0..=samples).map(|k| duration * k as f64 / samples as f64).collect();
        let solution = solve(ArmSystem::new(&self.arm, Unforced), method, &start, &times);
        solution.outcome.expect("the run reaches its end");
        solution.states
    }

    /// The deflections of the tip.
    pub(crate) fn tips(&self, states: &[Vec<f64>]) -> Vec<f64> {
        let tip = |y: &Vec<f64>| self.arm.pose(&y[..self.arm.nq()], "hub.tip").expect("there");
        states.iter().map(|y| tip(y).position.y).collect()
    }
}

fn displaced(q: &[f64], shape: &[f64], size: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    q[1..].iter_mut().zip(shape).for_each(|(q, shape)| *q += size * shape);
    q
}

/// The largest difference of two histories as a part of the largest value.
pub(crate) fn apart(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

/// The tip from 0.3 m to 1 m. Many shapes and elements are stiff, and only the slow ones move.
pub(crate) fn history(pushed: &Pushed, speed: f64) -> Vec<f64> {
    // of fifth order: a tenth of the tolerance changes the histories by 1e-6
    let control = Control::new(TOLERANCE).max_steps(1_000_000);
    pushed.tips(&pushed.run([0.3, 1.0], speed, 400, Radau5::new(control)))
}

const TOLERANCE: f64 = 1e-6;
