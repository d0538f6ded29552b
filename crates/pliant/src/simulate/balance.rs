//! The balances of energy and momentum along a run.

use super::bounds::Strayed;
use super::compiling::Compiling;
use super::recorder::Progress;
use super::summary::{Drift, MomentumDrift};
use crate::arm::Arm;
use crate::compile::{CompileError, Evaluator, Quantity};
use crate::dynamics::energy::{Energies, Momenta, MovingMatter};
use crate::integrate::{StateVisitor, Stateful};
use crate::spatial::Vec3;

/// What the energy now leaves of the energy at the start and the works since.
pub(super) fn drift(total: f64, start: f64, works: &[f64]) -> f64 {
    total - start - works.iter().sum::<f64>()
}

/// Energies whose sizes add up to this (J) have rounding errors of so much (J): those of a thousand
/// operations, each of which may be off by a part of 2.2e-16.
fn rounding(size: f64) -> f64 {
    1e3 * f64::EPSILON * size
}

/// A momentum counts as zero where it is a smaller part than this of what the masses could have
/// with the largest kinetic energy `T`: `√(2 m T)`, and `√(2 T ∫ r² dm)` about the origin.
const NO_MOMENTUM: f64 = 1e-6;

/// Energies, momenta and matter of an arm in motion.
struct Motion {
    evaluator: Evaluator,
    energies: [f64; 3],
    momenta: [f64; 6],
    /// `∫ r² dm` about the world's origin (kg m²).
    spread: f64,
    /// Of each body.
    matter: Vec<f64>,
}

impl Motion {
    fn new(evaluator: Evaluator, bodies: usize) -> Self {
        let matter = vec![0.0; bodies * MovingMatter::<f64>::LEN];
        Self { evaluator, energies: [0.0; 3], momenta: [0.0; 6], spread: 0.0, matter }
    }

    fn look(&mut self, q: &[f64], u: &[f64]) {
        let Self { evaluator, energies, momenta, spread, matter } = self;
        let spread = std::slice::from_mut(spread);
        evaluator.run_into(&[q, u], &mut [energies, momenta, spread, matter]);
    }

    fn energies(&self) -> Energies {
        let [kinetic, potential, elastic] = self.energies;
        Energies { kinetic, potential, elastic }
    }

    fn momenta(&self) -> Momenta {
        let [x, y, z, a, b, c] = self.momenta;
        Momenta { linear: Vec3::new(x, y, z), angular: Vec3::new(a, b, c) }
    }

    fn matter(&self) -> impl Iterator<Item = MovingMatter<f64>> {
        let (bodies, _) = self.matter.as_chunks();
        bodies.iter().map(|&body| MovingMatter::from_array(body))
    }
}

/// Follows the balance of energy, and of momentum where nothing touches the arm.
pub(super) struct Balance<'s> {
    arm: &'s Arm,
    motion: Motion,
    start: Option<(f64, Momenta)>,
    /// Whether energies balance with the works, and whether momenta are kept.
    pub(super) has_energies: bool,
    pub(super) is_adrift: bool,
    /// Of energy (J): now, the largest so far, and the largest kinetic energy.
    pub(super) drift: f64,
    largest_drift: f64,
    kinetic: f64,
    /// The largest sum of the sizes of energies and works (J).
    size: f64,
    /// Of momenta: the largest changes and sizes, linear and angular.
    momentum_drifts: [f64; 2],
    momentum_sizes: [f64; 2],
    /// The largest `∫ r² dm` about the world's origin (kg m²).
    spread: f64,
    /// The total energy now (J).
    pub(super) total: f64,
    /// How far it all has gone.
    pub(super) strayed: Strayed,
}

impl Stateful for Balance<'_> {
    /// What it compares with, and the largest so far; the rest is that of the present state.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let fresh = || (0.0, Momenta { linear: Vec3::ZERO, angular: Vec3::ZERO });
        state.option(&mut self.start, fresh, |state, (energy, momenta)| {
            state.number(energy);
            for vector in [&mut momenta.linear, &mut momenta.angular] {
                for component in [&mut vector.x, &mut vector.y, &mut vector.z] {
                    state.number(component);
                }
            }
        });
        state.number(&mut self.largest_drift);
        state.number(&mut self.kinetic);
        state.number(&mut self.size);
        state.numbers(&mut self.momentum_drifts);
        state.numbers(&mut self.momentum_sizes);
        state.number(&mut self.spread);
    }
}

impl<'s> Balance<'s> {
    pub(super) fn new(
        arm: &'s Arm,
        [has_energies, is_adrift]: [bool; 2],
        compiling: Compiling,
    ) -> Result<Self, CompileError> {
        let evaluator = compiling.applied(arm.evaluator(Quantity::EnergiesAndMomenta))?;
        let mut motion = Motion::new(evaluator, arm.body_count());
        motion.look(&arm.neutral(), &vec![0.0; arm.nv()]);
        Ok(Self {
            arm,
            strayed: Strayed::new(arm, motion.matter()),
            motion,
            start: None,
            has_energies,
            is_adrift,
            drift: 0.0,
            largest_drift: 0.0,
            kinetic: 0.0,
            size: 0.0,
            momentum_drifts: [0.0; 2],
            momentum_sizes: [0.0; 2],
            spread: 0.0,
            total: 0.0,
        })
    }

    /// How far a run is at a time (s) after so many steps.
    pub(super) fn progress(&self, time: f64, end: f64, steps: usize) -> Progress {
        Progress { time, end, steps, energy_drift: self.has_energies.then_some(self.drift) }
    }

    /// The energy at the start (J).
    pub(super) fn start_energy(&self) -> f64 {
        self.start.map_or(0.0, |(energy, _)| energy)
    }

    /// The rounding error of the energies involved (J).
    pub(super) fn rounding(&self) -> f64 {
        rounding(self.size)
    }

    /// The largest drift of energy (J), as part of the largest kinetic energy: of none where that is
    /// a rounding error.
    pub(super) fn energy_drift(&self) -> Option<Drift> {
        let reference = (self.kinetic > self.rounding()).then_some(self.kinetic);
        self.has_energies.then(|| Drift::new(self.largest_drift, reference))
    }

    /// The largest drifts of momenta, where these are kept: of none where they count as zero.
    pub(super) fn momentum_drift(&self) -> Option<MomentumDrift> {
        let possible =
            [self.arm.total_mass(), self.spread].map(|m| (2.0 * m * self.kinetic).sqrt());
        let [linear, angular] = [0, 1].map(|i| {
            let (drift, size) = (self.momentum_drifts[i], self.momentum_sizes[i]);
            Drift::new(drift, (size > NO_MOMENTUM * possible[i]).then_some(size))
        });
        self.is_adrift.then_some(MomentumDrift { linear, angular })
    }

    pub(super) fn follow(&mut self, y: &[f64]) {
        let (q, rest) = y.split_at(self.arm.nq());
        let (u, works) = rest.split_at(self.arm.nv());
        self.motion.look(q, u);
        let (energies, momenta) = (self.motion.energies(), self.motion.momenta());
        self.strayed.follow(self.motion.matter());
        let (start_energy, start) = *self.start.get_or_insert((energies.total(), momenta));
        self.total = energies.total();
        self.drift = drift(self.total, start_energy, works);
        self.largest_drift = self.largest_drift.max(self.drift.abs());
        self.kinetic = self.kinetic.max(energies.kinetic);
        let parts = [energies.kinetic, energies.potential, energies.elastic];
        let size = parts.iter().chain(works).map(|part| part.abs()).sum();
        self.size = self.size.max(size);
        if self.is_adrift {
            self.spread = self.spread.max(self.motion.spread);
            let now = [(momenta.linear, start.linear), (momenta.angular, start.angular)];
            for (i, (now, start)) in now.into_iter().enumerate() {
                self.momentum_drifts[i] = self.momentum_drifts[i].max((now - start).norm());
                self.momentum_sizes[i] = self.momentum_sizes[i].max(now.norm());
            }
        }
    }
}
