//! A controller's model of the arm.

use super::parts::{Parts, gather, gather_vector};
use super::span::Span;
use crate::Help;
use crate::analyse::{Conditions, statics};
use crate::arm::Arm;
use crate::compile::{CompileError, Evaluator, Quantity};
use crate::dynamics::EvaluationError;
use crate::dynamics::kinematics::{self, Axes};
use crate::dynamics::loads::{Load, add_loads};
use crate::dynamics::{coriolis, passive, rnea, terms};
use crate::integrate::StateVisitor;
use crate::linear::{multiply, reshape, reshape_vector};
use crate::scalar::{Dual, Scalar};
use crate::simulate::Signal;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;

/// The model of the arm in a controller, with its estimated state.
#[derive(Clone, Debug)]
pub struct Model {
    arm: Arm,
    /// The joints that it drives, as velocity coordinates, and their coordinates.
    joints: Vec<usize>,
    coordinates: Vec<usize>,
    /// Where the joints can be.
    spans: Vec<Span>,
    /// All other velocity coordinates but those of prescribed motions.
    flexible: Vec<usize>,
    /// Those of them that are measured.
    measured: Vec<usize>,
    /// Those that are not.
    unmeasured: Vec<usize>,
    /// Whether links bend.
    bends: bool,
    /// Loads it knows of, their sizes over time, and as they are now.
    known: Vec<(Load, Signal)>,
    loads: Vec<Load>,
    /// The configuration and the velocities.
    pub(super) q: Vec<f64>,
    pub(super) u: Vec<f64>,
    mass: Vec<f64>,
    bias: Vec<f64>,
    matrix: Vec<f64>,
    /// The configuration of straight links, and with the joints where they are.
    neutral: Vec<f64>,
    straight: Vec<f64>,
    /// Velocities of zero, of the joints alone, and the forces of the loads.
    still: Vec<f64>,
    rates: Vec<f64>,
    pushed: Vec<f64>,
    viscous: Vec<f64>,
    holding: Vec<f64>,
    /// `K` and `D` of what bends, once they are asked for.
    passive: Option<[DMatrix<f64>; 2]>,
    /// Room for equilibria, once one is asked for.
    statics: Option<Box<statics::Workspace>>,
    parts: Parts,
    mass_and_bias: Evaluator,
    recursive: rnea::Workspace,
    coriolis: coriolis::Workspace,
    frames: kinematics::Workspace,
}

/// Why an arm is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No such joint, or one that cannot be driven by a force about one axis.
    #[error("{joint} is no joint with one coordinate and a motor")]
    NoSuchJoint {
        /// The coordinate, by name or number.
        joint: String,
    },
    /// A motor behind a spring.
    #[error("the motor of {joint} turns it through a spring")]
    ElasticJoint {
        /// The link.
        joint: String,
    },
    /// Nothing is driven.
    #[error("no joints are given")]
    NoJoints,
}

impl Help for ModelError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoSuchJoint { .. } => {
                "choose a revolute or prismatic joint that is not prescribed"
            }
            Self::ElasticJoint { .. } => "take a model with rigid joints",
            Self::NoJoints => "give the joints that are driven",
        };
        Some(help.into())
    }
}

impl Model {
    /// Visits the estimated state.
    pub(super) fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.numbers(&mut self.q);
        state.numbers(&mut self.u);
    }

    /// An arm, and its driven joints, as velocity coordinates.
    pub fn new(arm: Arm, joints: &[usize]) -> Result<Self, ModelError> {
        if joints.is_empty() {
            return Err(ModelError::NoJoints);
        }
        if let Some(link) = (0..arm.body_count()).find(|&link| arm.rotor_of(link).is_some()) {
            return Err(ModelError::ElasticJoint { joint: arm.link_names()[link].clone() });
        }
        let free = arm.free_velocities();
        let coordinate = |&v: &usize| {
            let found = arm.coordinate_of(v).filter(|_| free.contains(&v));
            found.ok_or_else(|| {
                let name = arm.velocity_names().get(v).cloned();
                ModelError::NoSuchJoint { joint: name.unwrap_or_else(|| format!("velocity {v}")) }
            })
        };
        let coordinates = joints.iter().map(coordinate).collect::<Result<Vec<_>, _>>()?;
        let n = arm.nv();
        // those that follow a motion whatever acts on them are none of its business
        let flexible: Vec<usize> = free.iter().copied().filter(|v| !joints.contains(v)).collect();
        let span = |(&v, &coordinate): (&usize, &usize)| match arm.limits()[coordinate] {
            Some(limits) => Span::Between(limits.lower, limits.upper),
            None if arm.turns(v) => Span::Turn,
            None => Span::Line,
        };
        Ok(Self {
            spans: joints.iter().zip(&coordinates).map(span).collect(),
            joints: joints.to_vec(),
            coordinates,
            measured: Vec::new(),
            unmeasured: flexible.clone(),
            flexible,
            bends: (0..arm.body_count()).any(|link| !arm.deforming_of(link).is_empty()),
            known: Vec::new(),
            loads: Vec::new(),
            q: arm.neutral(),
            u: vec![0.0; n],
            mass: vec![0.0; n * n],
            bias: vec![0.0; n],
            matrix: vec![0.0; n * n],
            neutral: arm.neutral(),
            straight: arm.neutral(),
            still: vec![0.0; n],
            rates: vec![0.0; n],
            pushed: vec![0.0; n],
            viscous: arm.viscous(),
            holding: vec![0.0; joints.len()],
            passive: None,
            statics: None,
            parts: Parts::default(),
            mass_and_bias: arm.evaluator(Quantity::MassMatrixAndBias),
            recursive: rnea::Workspace::new(&arm),
            coriolis: coriolis::Workspace::new(&arm),
            frames: kinematics::Workspace::new(&arm),
            arm,
        })
    }

    /// Compiles what a law evaluates, unfused, where so many evaluations are worth it.
    pub(super) fn compile(&mut self, evaluations: f64) -> Result<(), CompileError> {
        match self.mass_and_bias.compile_for(evaluations) {
            // the numbers are the same without
            Err(_) if evaluations.is_finite() => Ok(()),
            done => done,
        }
    }

    /// Loads that the controller knows of, each times a function of time: Akmehmet's IHF. The hand
    /// that pushes the world is pushed back.
    #[must_use]
    pub fn knowing(self, loads: Vec<(Load, Signal)>) -> Self {
        Self { loads: loads.iter().map(|(load, _)| *load).collect(), known: loads, ..self }
    }

    /// Takes the loads of a time (s).
    pub(super) fn set_time(&mut self, t: f64) {
        for (load, (known, signal)) in self.loads.iter_mut().zip(&self.known) {
            *load = known.times(signal.value(t));
        }
    }

    /// Holds the loads as they are at a time (s).
    pub(super) fn hold_loads(&mut self, t: f64) {
        self.known.iter_mut().for_each(|(_, size)| *size = Signal::Constant(size.value(t)));
        self.set_time(t);
    }

    /// Whether it knows of loads.
    pub(crate) fn knows_loads(&self) -> bool {
        !self.loads.is_empty()
    }

    /// Whether links bend that nothing measures: they are taken at rest.
    pub(crate) fn settles(&self) -> bool {
        self.bends && !self.unmeasured.is_empty()
    }

    /// The velocity coordinates that are measured besides the joints.
    pub(super) fn set_measured(&mut self, velocities: &[usize]) {
        let flexible = self.flexible.iter().copied();
        (self.measured, self.unmeasured) = flexible.partition(|v| velocities.contains(v));
    }

    /// The arm.
    pub fn arm(&self) -> &Arm {
        &self.arm
    }

    /// The driven joints, as velocity coordinates.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Where the joints can be.
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Straight links at rest, the joints evenly over where they can be, by a number: additive
    /// recurrence with square roots of primes.
    pub(super) fn take_posture(&mut self, number: usize) {
        const ROOTS: [f64; 6] = [2.0, 3.0, 5.0, 7.0, 11.0, 13.0];
        self.q.copy_from_slice(&self.neutral);
        self.u.fill(0.0);
        for (k, &coordinate) in self.coordinates.iter().enumerate() {
            let root = ROOTS[k % ROOTS.len()].sqrt() + k as f64 / 7.0;
            let part = (0.5 + root * number as f64).fract();
            let [lower, upper] = match self.spans[k] {
                Span::Between(lower, upper) => [lower, upper],
                Span::Turn => [-PI, PI],
                Span::Line => [-1.0, 1.0],
            };
            self.q[coordinate] = lower + part * (upper - lower);
        }
    }

    /// Sets the estimated state.
    ///
    /// # Panics
    /// When a slice does not have the length that the arm asks for.
    pub fn set_estimate(&mut self, q: &[f64], u: &[f64]) {
        self.q.copy_from_slice(q);
        self.u.copy_from_slice(u);
    }

    /// Sets the estimated positions and velocities of the joints.
    pub(super) fn set_joints(&mut self, q: &[f64], u: &[f64]) {
        for (k, (&v, &coordinate)) in self.joints.iter().zip(&self.coordinates).enumerate() {
            (self.q[coordinate], self.u[v]) = (q[k], u[k]);
        }
    }

    /// Bends the links, as far as that is not measured, as they rest under gravity and the known loads,
    /// `δ_ss` of King (4-11) with the exact stiffness; where they find no rest they stay as they are.
    pub(super) fn settle(&mut self) {
        let unmeasured = std::mem::take(&mut self.unmeasured);
        self.bring_to_rest(&unmeasured);
        self.unmeasured = unmeasured;
    }

    /// The same for everything besides the joints.
    pub(super) fn rest(&mut self) {
        let flexible = std::mem::take(&mut self.flexible);
        self.bring_to_rest(&flexible);
        self.flexible = flexible;
    }

    fn bring_to_rest(&mut self, velocities: &[usize]) {
        if !self.bends || velocities.is_empty() {
            return;
        }
        let Self { arm, q, loads, statics, .. } = self;
        let statics = statics
            .get_or_insert_with(|| Box::new(statics::Workspace::new(arm, &Conditions::default())));
        statics.set_loads(loads);
        if arm.check_loads(q, loads).is_ok() && statics.find(q).is_ok() {
            for coordinate in velocities.iter().filter_map(|&v| arm.coordinate_of(v)) {
                q[coordinate] = statics.q()[coordinate];
            }
        }
        for &v in velocities {
            self.u[v] = 0.0;
        }
    }

    /// The loads that are known, as they are now.
    pub(super) fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// The estimated configuration and velocities.
    pub fn state(&self) -> (Vec<f64>, Vec<f64>) {
        (self.q.clone(), self.u.clone())
    }

    /// `H` and `h` of the whole arm at the estimated state; what the loads give is taken off.
    fn evaluate(&mut self) {
        let Self { mass_and_bias, q, u, mass, bias, .. } = self;
        mass_and_bias.run_into(&[q, u], &mut [mass, bias]);
        self.take_loads();
    }

    fn take_loads(&mut self) {
        if self.loads.is_empty() {
            return;
        }
        let Self { arm, q, loads, bias, pushed, frames, .. } = self;
        pushed.fill(0.0);
        add_loads(&frames.place(arm, q), loads, pushed);
        for (bias, push) in bias.iter_mut().zip(pushed) {
            *bias -= *push;
        }
    }

    /// The generalised forces of the known loads in a configuration, with those of the joints (N m, N).
    pub(super) fn applied_forces(
        &mut self,
        q: &[f64],
        forces: &[f64],
    ) -> Result<&[f64], EvaluationError> {
        let Self { arm, joints, loads, pushed, frames, .. } = self;
        arm.check_loads(q, loads)?;
        pushed.fill(0.0);
        add_loads(&frames.place(arm, q), loads, pushed);
        for (&v, force) in joints.iter().zip(forces) {
            pushed[v] += force;
        }
        Ok(pushed)
    }

    /// The mass matrix `J` of the joints and their bias `k` of Akmehmet (4.2).
    pub(super) fn joint_terms(&mut self, mass: &mut DMatrix<f64>, bias: &mut DVector<f64>) {
        self.evaluate();
        gather(mass, &self.mass, self.arm.nv(), &self.joints, &self.joints);
        gather_vector(bias, &self.bias, &self.joints);
    }

    /// What holds the joints at rest where they are: gravity, springs and known loads.
    pub(super) fn holding(&mut self) -> &[f64] {
        terms::bias_into(&self.arm, &mut self.recursive, &self.q, &self.still, &mut self.bias);
        self.take_loads();
        for (holding, &v) in self.holding.iter_mut().zip(&self.joints) {
            *holding = self.bias[v];
        }
        &self.holding
    }

    /// `C + V` of the joints at some velocities of them, Akmehmet (4.3), with a matrix `C` of the
    /// caller's or `Σ Jᵀ J̇ dm`; all of them give the same forces.
    pub(super) fn rate_matrix(
        &mut self,
        u: &[f64],
        other: Option<CoriolisMatrix<'_>>,
        to: &mut DMatrix<f64>,
    ) {
        let Self { arm, q, joints, rates, matrix, coriolis, viscous, .. } = self;
        for (&v, rate) in joints.iter().zip(u) {
            rates[v] = *rate;
        }
        match other {
            Some(matrix_into) => matrix_into(arm, q, rates, matrix),
            None => coriolis::coriolis_matrix_into(arm, coriolis, q, rates, matrix),
        }
        gather(to, matrix, arm.nv(), joints, joints);
        for (k, &v) in joints.iter().enumerate() {
            to[(k, k)] += viscous[v];
        }
    }

    /// All other velocity coordinates than those of the joints and of prescribed motions.
    pub(crate) fn flexible(&self) -> &[usize] {
        &self.flexible
    }

    /// The Jacobian of a frame with straight links and the joints where they are, `6 × nv` by rows,
    /// world axes.
    pub(super) fn straight_jacobian(&mut self, frame: usize, jacobian: &mut Vec<f64>) {
        let Self { arm, q, coordinates, neutral, straight, frames, .. } = self;
        straight.copy_from_slice(neutral);
        for &coordinate in &*coordinates {
            straight[coordinate] = q[coordinate];
        }
        jacobian.resize(6 * arm.nv(), 0.0);
        frames.place(arm, straight).jacobian_into(frame, Axes::World, jacobian);
    }

    /// `δ` and `δ̇`: the other coordinates and their rates.
    pub(super) fn bending(&self, places: &mut DVector<f64>, rates: &mut DVector<f64>) {
        for (k, &v) in self.flexible.iter().enumerate() {
            places[k] = self.arm.coordinate_of(v).map_or(0.0, |coordinate| self.q[coordinate]);
            rates[k] = self.u[v];
        }
    }

    /// `K` and `D` of what bends: the slopes of elastic and damping forces.
    pub(super) fn passive(&mut self) -> &[DMatrix<f64>; 2] {
        type D = Dual<f64, 1>;
        let Self { arm, flexible, passive, .. } = self;
        passive.get_or_insert_with(|| {
            let (n, count, arm) = (arm.nv(), flexible.len(), arm.cast::<D>());
            let mut matrices = [DMatrix::zeros(count, count), DMatrix::zeros(count, count)];
            let mut work = passive::Workspace::new(&arm);
            let (neutral, still) = (arm.neutral(), vec![D::ZERO; n]);
            let mut forces = still.clone();
            let mut column = |k: usize, which: usize, forces: &[D]| {
                for (row, &v) in flexible.iter().enumerate() {
                    matrices[which][(row, k)] = forces[v].du[0];
                }
            };
            for (k, &v) in flexible.iter().enumerate() {
                if let Some(coordinate) = arm.coordinate_of(v) {
                    let mut q = neutral.clone();
                    q[coordinate].du[0] = 1.0;
                    terms::elastic_into(&arm, &mut work, &q, &mut forces);
                    column(k, 0, &forces);
                }
                let mut u = still.clone();
                u[v].du[0] = 1.0;
                terms::damping_into(&arm, &mut work, &neutral, &u, &mut forces);
                column(k, 1, &forces);
            }
            matrices
        })
    }

    /// `H` and `h` of the whole arm at the estimated state, parted into joints and the rest.
    pub(super) fn parts(&mut self, parts: &mut Parts) {
        self.evaluate();
        parts.gather(&self.mass, &self.bias, &self.joints, &self.flexible);
    }

    /// The forces `A ν + b` that give the joints accelerations `ν` whatever the links do: King
    /// (4-6), with the accelerations (4-8) of the bending that is measured. What is not measured is taken to
    /// follow at rest, without acceleration. `None` where the links have no inertia.
    pub(super) fn decouple(
        &mut self,
        inertia: &mut DMatrix<f64>,
        constant: &mut DVector<f64>,
    ) -> Option<()> {
        self.evaluate();
        let Self { parts, measured, .. } = self;
        parts.gather(&self.mass, &self.bias, &self.joints, measured);
        let Parts { h11, h12, h21, h22, bias1, bias2 } = parts;
        reshape(inertia, h11.nrows(), h11.nrows());
        inertia.copy_from(h11);
        reshape_vector(constant, bias1.len());
        constant.copy_from(bias1);
        if !measured.is_empty() {
            let own = std::mem::take(h22).cholesky()?;
            own.solve_mut(h21);
            multiply(h12, h21, h11);
            *inertia -= &*h11;
            own.solve_mut(bias2);
            bias1.gemv(1.0, h12, bias2, 0.0);
            *constant -= &*bias1;
            *h22 = own.unpack_dirty();
        }
        Some(())
    }
}

/// Writes a matrix `C(q, u)` of an arm, `nv × nv` by rows, with `C u = coriolis`.
pub(crate) type CoriolisMatrix<'a> = &'a mut dyn FnMut(&Arm, &[f64], &[f64], &mut [f64]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Builder, Joint, Link};
    use crate::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};

    #[test]
    fn postures_forget_the_estimate() {
        let material = Material::named("aluminium").expect("a material");
        let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.01 }, material };
        let beam = Beam::new(1.0, matter, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
        let link = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
        let arm = Builder::new("one").link(link).build().expect("an arm");
        let mut model = Model::new(arm, &[0]).expect("a model");
        model.set_estimate(&[0.3, 0.1, -0.2], &[1.0, 2.0, 3.0]);
        model.take_posture(3);
        assert_eq!((&model.q[1..], &model.u[..]), (&[0.0; 2][..], &[0.0; 3][..]));
        assert!(model.q[0] != 0.3);
    }
}
