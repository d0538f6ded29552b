//! Two algorithms and a balance, for arms that nobody would build.
//!
//! Forward dynamics by articulated bodies is compared with the mass matrix of composite bodies and a
//! factorisation of it, and the rate of the energy, by dual numbers, with the power of all forces.
//! Both may differ by rounding, and rounding is magnified by the condition of the mass matrix: with
//! `S = diag(M)^(-1/2)` and `κ` the condition of `S M S`,
//!
//! `|S⁻¹ (u̇ − u̇′)| ≤ c ε κ (|S⁻¹ u̇| + |S (|coriolis| + |gravity| + |elastic| + |damping| + |τ|)|)`
//!
//! and for the energy `|Ė − P| ≤ c ε κ (sum of the sizes of all their parts)`, with `c` = [`FACTOR`].
//!
//! Links may have inertia that their joints do not see: about an axis that nothing turns about, or on
//! the axis of a joint. Directions are known to rounding, so that `ε` times that inertia enters. The
//! same bound with `S⁻² = diag(M) + Σ (|I| + m r²) |J|²` has it: the sum is over the links, with their
//! largest moment `|I|`, their mass `m`, their distance `r` from the root, and the turning `J` that a
//! coordinate gives them. What is beyond the first bound and within the second is explained by it.
//!
//! A condition says nothing of an arm of which it leaves no digit (`c ε κ ≥ 1`), and much hides behind a
//! large one. Therefore both accelerations are also put into inverse dynamics, a third algorithm: what is
//! left of the equations of motion is free of the condition,
//!
//! `|S r| ≤ c ε (|S⁻¹ u̇| + |S (sizes + Σ (|I| + m r²) |J| |ω|²)|)`, `r = M u̇ + bias − τ`,
//!
//! with the second `S` and the angular velocities `ω` of the links: centrifugal moments cancel about an
//! axis, but for their rounding.

use crate::corpus::Corpus;
use crate::random::{Random, hash};
use crate::target::{Kind, Moving, Target, Verdict, state_of};
use crate::watch::Watch;
use crate::worker::execute;
use nalgebra::{Cholesky, DMatrix, DVector};
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::{energy, kinematics, passive};
use pliant::scalar::Dual;
use pliant_io::{Source, parse_arm};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// How many roundings may add up.
pub const FACTOR: f64 = 100.0;

/// An arm with more coordinates is not looked at.
const MOST_COORDINATES: usize = 60;

/// What was found about one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// How far the algorithms differ.
    Compared {
        /// By the inertia that the coordinates see.
        seen: Difference,
        /// By all inertia of the links.
        whole: Difference,
        /// What is left of the equations of motion, in units of `ε` times the sizes.
        residual: f64,
    },
    /// Nothing moves freely.
    Fixed,
    /// Some coordinate has no inertia; forward dynamics says so.
    Singular,
    /// Some number is not finite.
    NotFinite,
}

/// Differences in units of `ε κ` times the sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Of the accelerations.
    pub forward: f64,
    /// Of the rate of the energy.
    pub energy: f64,
    /// The condition `κ`.
    pub condition: f64,
}

impl Difference {
    fn is_beyond(&self) -> bool {
        self.forward > FACTOR || self.energy > FACTOR
    }

    /// Whether rounding may take all digits.
    fn says_nothing(&self) -> bool {
        let lost = FACTOR * f64::EPSILON * self.condition;
        lost.is_nan() || lost >= 1.0
    }

    fn worse(self, other: Self) -> Self {
        Self {
            forward: self.forward.max(other.forward),
            energy: self.energy.max(other.energy),
            condition: self.condition.max(other.condition),
        }
    }
}

/// What was found about all arms.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// How many arms were compared.
    pub compared: usize,
    /// How many were left out since nothing moves, since they are singular, since they overflow.
    pub left_out: [usize; 3],
    /// The largest differences within the first bound.
    pub seen: Difference,
    /// How many arms are beyond it because of inertia that joints do not see.
    pub unseen: usize,
    /// The largest differences by the second bound.
    pub whole: Difference,
    /// How many arms have a condition with which the second bound says nothing.
    pub ill: usize,
    /// The largest residual, of all arms.
    pub residual: f64,
    /// The arms that are beyond both, or have too large a residual.
    pub beyond: Vec<(String, Agreement)>,
}

impl Comparison {
    fn add(&mut self, agreement: Agreement, text: String) {
        match agreement {
            Agreement::Fixed => self.left_out[0] += 1,
            Agreement::Singular => self.left_out[1] += 1,
            Agreement::NotFinite => self.left_out[2] += 1,
            Agreement::Compared { seen, whole, residual } => {
                self.compared += 1;
                self.whole = self.whole.worse(whole);
                self.ill += usize::from(whole.says_nothing());
                self.residual = self.residual.max(residual);
                if residual.is_nan() || residual > FACTOR {
                    self.beyond.push((text, agreement));
                } else if !seen.is_beyond() {
                    self.seen = self.seen.worse(seen);
                } else if !whole.is_beyond() || whole.says_nothing() {
                    self.unseen += 1;
                } else {
                    self.beyond.push((text, agreement));
                }
            }
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [fixed, singular, infinite] = self.left_out;
        let told = |worst: &Difference| {
            format!(
                "{:.3} of accelerations, {:.3} of energy rates, condition {:.1e}",
                worst.forward, worst.energy, worst.condition
            )
        };
        write!(
            f,
            "{} arms compared; left out: {fixed} that do not move, {singular} singular ones, \
             {infinite} beyond the range of numbers\n\
             largest differences in units of rounding times condition, of which {FACTOR} are allowed:\n  \
             {}\n  {} with inertia that joints do not see\n\
             {} arms beyond the first because of that inertia; {} too ill-conditioned for any digit\n\
             what is left of the equations of motion, in units of rounding: {:.3}\n\
             {} arms beyond",
            self.compared,
            told(&self.seen),
            told(&self.whole),
            self.unseen,
            self.ill,
            self.residual,
            self.beyond.len()
        )
    }
}

/// Compares so many accepted arms, which are made from the seeds of the arm reader.
pub fn compare(
    count: usize,
    seed: u64,
    scratch: &Path,
    watch: &mut Watch,
) -> Result<Comparison, String> {
    let target = Target::new(Kind::Arm, scratch)?;
    let mut corpus = Corpus::default();
    for seed in target.seeds()? {
        let done = execute(&target, &seed);
        if done.verdict == Ok(Verdict::Accepted) {
            let cost = done.cost();
            corpus.add(Kind::Arm, seed, true, cost);
        }
    }
    let (mut random, mut known) = (Random::new(seed), BTreeSet::new());
    let mut sum = Comparison::default();
    while sum.compared < count {
        let Some(text) = corpus.make(&target, &mut random) else { continue };
        if !known.insert(hash(text.as_bytes())) {
            continue;
        }
        watch.begin(Kind::Arm, &text).map_err(|why| why.to_string())?;
        let found = agreement_of(&text);
        watch.end();
        if let Some(found) = found {
            sum.add(found, text);
        }
    }
    Ok(sum)
}

/// Compares the algorithms for the arm of a text in a random state, if it is accepted and not too large.
fn agreement_of(text: &str) -> Option<Agreement> {
    let arm = parse_arm(&Source::new("arm.toml", text)).ok()?.arm;
    if arm.nv() > MOST_COORDINATES {
        return None;
    }
    let state = state_of(&arm, &mut Random::new(hash(text.as_bytes())));
    Some(agreement(&arm, &state))
}

/// Compares the algorithms for an arm in a state.
pub fn agreement(arm: &Arm, state: &Moving) -> Agreement {
    let Moving { q, u, tau, ud } = state;
    let free = arm.free_velocities();
    if free.is_empty() {
        return Agreement::Fixed;
    }
    let Ok(mass) = arm.mass_matrix(q) else { return Agreement::NotFinite };
    if mass.iter().any(|number| !number.is_finite()) {
        return Agreement::NotFinite;
    }
    let Ok((tau, ud)) = arm.hybrid_dynamics(q, u, tau, ud) else { return Agreement::Singular };
    let forces = [
        arm.coriolis(q, u),
        arm.gravity_forces(q),
        arm.elastic_forces(q),
        arm.damping_forces(q, u),
    ];
    let mut sizes = tau.abs();
    for force in forces.into_iter().flatten() {
        sizes += force.abs();
    }
    let Ok(bias) = arm.bias(q, u) else { return Agreement::NotFinite };
    // prescribed coordinates accelerate as they are told
    let mut known = ud.clone();
    for &v in &free {
        known[v] = 0.0;
    }
    sizes += mass.abs() * known.abs();
    let right = &tau - bias - &mass * known;

    let Some(energy) = energy_difference(arm, q, u, &tau, &ud, &mass) else {
        return Agreement::NotFinite;
    };
    let pick =
        |values: &DVector<f64>| DVector::from_iterator(free.len(), free.iter().map(|&v| values[v]));
    let matrix =
        DMatrix::from_fn(free.len(), free.len(), |row, column| mass[(free[row], free[column])]);
    let compare = |diagonal: &DVector<f64>, centrifugal: &DVector<f64>| {
        let scale = pick(diagonal).map(|diagonal| diagonal.sqrt().recip());
        let mut scaled = matrix.clone();
        for row in 0..free.len() {
            for column in 0..free.len() {
                scaled[(row, column)] *= scale[row] * scale[column];
            }
        }
        let scaled_by = |values| pick(values).component_mul(&scale);
        let [right, sizes, centrifugal] = [&right, &sizes, centrifugal].map(scaled_by);
        let one = pick(&ud).component_div(&scale);
        let mut numbers = scaled.iter().chain(&right).chain(&sizes).chain(&one);
        if numbers.any(|number| !number.is_finite()) {
            return Err(Agreement::NotFinite);
        }
        let values = scaled.clone().symmetric_eigenvalues();
        let condition = values.max().max(1.0) / values.min();
        let other = Cholesky::new(scaled).ok_or(Agreement::Singular)?.solve(&right);
        let rounding = f64::EPSILON * condition;
        let forward = (&one - &other).norm() / (rounding * (one.norm() + sizes.norm()));
        // what is left by inverse dynamics, of either
        let mut residual = 0.0_f64;
        for accelerations in [&one, &other] {
            let mut all = ud.clone();
            for (place, &v) in free.iter().enumerate() {
                all[v] = accelerations[place] * scale[place];
            }
            let forces = arm.inverse_dynamics(q, u, all.as_slice());
            let left = pick(&(forces.map_err(|_| Agreement::NotFinite)? - &tau));
            let size = f64::EPSILON * (accelerations.norm() + sizes.norm() + centrifugal.norm());
            residual = residual.max(left.component_mul(&scale).norm() / size);
        }
        Ok((Difference { forward, energy: energy / rounding, condition }, residual))
    };
    let seen = mass.diagonal();
    let (unseen, centrifugal) = unseen(arm, q, u);
    let whole = &seen + unseen;
    match (compare(&seen, &centrifugal), compare(&whole, &centrifugal)) {
        (Ok((seen, _)), Ok((whole, residual))) => Agreement::Compared { seen, whole, residual },
        (Err(why), _) | (_, Err(why)) => why,
    }
}

/// For each coordinate, also where its joints do not see it: `Σ (|I| + m r²) |J|²` (kg m²), and
/// `Σ (|I| + m r²) |J| |ω|²` (N m).
fn unseen(arm: &Arm, q: &[f64], u: &[f64]) -> (DVector<f64>, DVector<f64>) {
    let mut sums = (DVector::zeros(arm.nv()), DVector::zeros(arm.nv()));
    let velocities = DVector::from_column_slice(u);
    for (link, name) in arm.link_names().iter().enumerate() {
        let (Ok(pose), Ok(jacobian)) = (arm.pose(q, name), arm.jacobian(q, name, Axes::World))
        else {
            continue;
        };
        let inertia = arm.inertia_of(link);
        let distance = pose.position.dot(pose.position);
        // the trace of the second moments is half that of the tensor
        let size = 2.0 * inertia.second.trace().abs() + inertia.mass * distance;
        let turning = jacobian.rows(3, 3);
        let squared = (turning * &velocities).norm_squared();
        for (v, column) in turning.column_iter().enumerate() {
            sums.0[v] += size * column.norm_squared();
            sums.1[v] += size * column.norm() * squared;
        }
    }
    sums
}

/// `|Ė − P|` as a part of the sizes of what is in them.
fn energy_difference(
    arm: &Arm,
    q: &[f64],
    u: &[f64],
    tau: &DVector<f64>,
    ud: &DVector<f64>,
    mass: &DMatrix<f64>,
) -> Option<f64> {
    type Rate = Dual<f64, 1>;
    let moving = |values: &[f64], rates: &[f64]| -> Vec<Rate> {
        values.iter().zip(rates).map(|(&re, &rate)| Rate { re, du: [rate] }).collect()
    };
    let mut rates = vec![0.0; arm.nq()];
    arm.rate_into(q, u, &mut rates);
    let dual: Arm<Rate> = arm.cast();
    let (q_moving, u_moving) = (moving(q, &rates), moving(u, ud.as_slice()));
    let mut work = kinematics::Workspace::new(&dual);
    let mut springs = passive::Workspace::new(&dual);
    let placed = work.move_with(&dual, &q_moving, &u_moving, &u_moving);
    let energies = energy::energies(&dual, &mut springs, &placed, &q_moving, &u_moving);
    let none = vec![0.0; arm.nv()];
    let power = arm.power(q, u, tau.as_slice(), &none).ok()?;
    let velocities = DVector::from_column_slice(u);
    // the rate of the kinetic energy has the accelerations in it, with their own roundings
    let inertial = (mass.abs() * velocities.abs()).dot(&ud.abs());
    let driven = tau.abs().dot(&velocities.abs());
    // and products of that energy with the turning of axes, which cancel in round bodies but for
    // rounding
    let turning = energies.kinetic.re.abs() * velocities.amax();
    let parts = [energies.kinetic.du[0], energies.potential.du[0], energies.elastic.du[0]];
    let size: f64 = parts.iter().map(|part| part.abs()).sum::<f64>() + power.dampers.abs();
    let difference = (energies.total().du[0] - power.total()).abs();
    let part =
        if difference == 0.0 { 0.0 } else { difference / (size + inertial + driven + turning) };
    Some(part).filter(|part| part.is_finite())
}
