//! The arm with all its inputs, as a system to integrate.

use super::actuators::Actuators;
use super::arm_system::ForceInput;
use super::block::BlockError;
use super::bounds::Excess;
use super::compiling::Compiling;
use super::diagram::{ExternalLoad, Motor};
use super::forward_dynamics::{Articulated, ForwardDynamics};
use super::function::Noted;
use super::prescribed::{PrescribedMotion, PrescribedQuantity};
use super::second_order::Equations;
use super::signal::Signal;
use super::smoothness::{Way, Ways};
use crate::arm::Arm;
use crate::compile::{CompileError, Evaluator, Quantity};
use crate::dynamics::energy::Power;
use crate::dynamics::kinematics;
use crate::dynamics::loads::{Load, add_loads};
use crate::integrate::{Moment, SecondOrder, System, Weights};
use crate::scalar::Jet;
use std::cell::RefCell;
use std::rc::Rc;

/// How many works follow the coordinates and velocities in the state.
pub(super) const WORKS: usize = 3;

/// The system that a run integrates: the state is `(q, u)` and the work done so far by motors
/// (those of prescribed joints included), by loads and by dampers (J).
#[derive(Clone)]
pub struct Plant<'s> {
    shared: Rc<RefCell<Acting<'s>>>,
}

/// What acts, and the room to evaluate the motion.
pub(super) struct Acting<'s> {
    arm: &'s Arm,
    pub(super) forces: Forces<'s>,
    /// Where the prescribed positions are in `q`.
    positions: Vec<Option<usize>>,
    dynamics: Box<dyn ForwardDynamics + 's>,
    /// Whether these are the engine's, whose residuals are known too.
    is_engine: bool,
    equations: Equations,
    /// Whether one of them is machine code.
    is_compiled: bool,
    tau: Vec<f64>,
    /// The prescribed motion that the last state departed from before it was brought there, if one
    /// did so beyond errors of integration.
    pub(super) departed: Option<usize>,
    /// What gave up while nobody was stepping.
    pub(super) failure: Option<BlockError>,
}

/// What acts.
pub(super) struct Forces<'s> {
    arm: &'s Arm,
    inputs: Inputs<'s>,
    /// What is known of the functions of time.
    ways: Ways,
    feedback: Option<&'s mut dyn ForceInput>,
    actuators: Actuators,
    /// Held motor forces, by velocity.
    pub(super) commands: Vec<f64>,
    /// At this instant signals still have the values before it.
    pub(super) boundary: f64,
    loads: Vec<Load>,
    frames: kinematics::Workspace,
    damping: Evaluator,
    /// Motor forces, and those of loads (N m, N).
    pub(super) motor: Vec<f64>,
    load: Vec<f64>,
}

/// The functions of time that act.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'s> {
    pub(super) motors: &'s [Motor],
    pub(super) loads: &'s [ExternalLoad],
    pub(super) prescribed: &'s [PrescribedMotion],
}

impl<'s> Plant<'s> {
    pub(super) fn new(
        arm: &'s Arm,
        inputs: Inputs<'s>,
        ways: Ways,
        feedback: Option<&'s mut dyn ForceInput>,
        dynamics: Option<&'s mut dyn ForwardDynamics>,
        compiling: Compiling,
    ) -> Result<Self, CompileError> {
        let n = arm.nv();
        let forces = Forces {
            arm,
            inputs,
            ways,
            feedback,
            actuators: Actuators::new(arm),
            commands: vec![0.0; n],
            boundary: f64::INFINITY,
            loads: inputs.loads.iter().map(ExternalLoad::unit).collect(),
            frames: kinematics::Workspace::new(arm),
            damping: compiling.applied(arm.evaluator(Quantity::DampingPower))?,
            motor: vec![0.0; n],
            load: vec![0.0; n],
        };
        let is_engine = dynamics.is_none();
        let articulated = Articulated::new(arm).compiled(compiling)?;
        let equations = Equations::new(arm).compiled(compiling)?;
        let is_compiled = equations.is_compiled() || is_engine && articulated.is_compiled();
        let acting = Acting {
            arm,
            forces,
            positions: inputs.prescribed.iter().map(|p| arm.coordinate_of(p.velocity)).collect(),
            is_engine,
            dynamics: match dynamics {
                Some(other) => Box::new(other),
                None => Box::new(articulated),
            },
            equations,
            is_compiled,
            tau: vec![0.0; n],
            departed: None,
            failure: None,
        };
        Ok(Self { shared: Rc::new(RefCell::new(acting)) })
    }

    /// Whether something gave up while a state was looked at, or a function of time.
    pub(super) fn has_failed(&self) -> bool {
        self.shared.borrow().failure.is_some() || Noted::is_any()
    }

    /// Whether accelerations or residuals are computed by machine code.
    pub(super) fn is_compiled(&self) -> bool {
        self.shared.borrow().is_compiled
    }

    pub(super) fn acting<R>(&self, look: impl FnOnce(&mut Acting<'s>) -> R) -> R {
        look(&mut self.shared.borrow_mut())
    }
}

impl Forces<'_> {
    /// A signal, at the boundary as it was before.
    pub(super) fn jet(&self, signal: &Signal, t: f64) -> Jet {
        if t >= self.boundary { signal.jet_before(t) } else { signal.jet(t) }
    }

    /// Its value alone.
    pub(super) fn value(&self, signal: &Signal, t: f64) -> f64 {
        signal.value_beside(t, t >= self.boundary)
    }

    /// The value of a force; at the corners of its expressions too it has its limits.
    fn force(&self, signal: &Signal, way: &Way, t: f64) -> f64 {
        let is_before = t >= self.boundary;
        signal.value_beside(way.beside(t, is_before), is_before)
    }

    /// A prescribed motion, in the same way.
    fn motion(&self, index: usize, t: f64) -> Jet {
        let (signal, is_before) = (&self.inputs.prescribed[index].signal, t >= self.boundary);
        let beside = self.ways.prescribed[index].beside(t, is_before);
        if is_before { signal.jet_before(beside) } else { signal.jet(beside) }
    }

    /// Prescribed motors give what the motion needs, `tau`, less what the loads give.
    fn react(&mut self, tau: &[f64]) {
        for &v in &self.arm.topology.prescribed {
            self.motor[v] = tau[v] - self.load[v];
        }
    }

    /// The power of motors, loads and dampers (W).
    fn powers(&mut self, q: &[f64], u: &[f64]) -> [f64; WORKS] {
        let mut dampers = [0.0];
        self.damping.run_into(&[q, u], &mut [&mut dampers]);
        let power = Power::beside(dampers[0], u, &self.motor, &self.load);
        [power.motors, power.loads, power.dampers]
    }
}

impl ForceInput for Forces<'_> {
    /// The forces are kept.
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        ud: &mut [f64],
    ) -> Result<(), BlockError> {
        self.motor.copy_from_slice(&self.commands);
        for (motor, way) in self.inputs.motors.iter().zip(&self.ways.motors) {
            self.motor[motor.velocity] += self.force(&motor.signal, way, t);
        }
        if let Some(feedback) = &mut self.feedback {
            feedback.act(t, q, u, &mut self.motor, ud)?;
        }
        self.actuators.limit(u, &mut self.motor);
        for (i, prescribed) in self.inputs.prescribed.iter().enumerate() {
            let jet = self.motion(i, t);
            ud[prescribed.velocity] = match prescribed.given {
                PrescribedQuantity::Position => jet.acceleration,
                PrescribedQuantity::Rate => jet.rate,
                PrescribedQuantity::Acceleration => jet.value,
            };
        }
        self.load.fill(0.0);
        if !self.loads.is_empty() {
            for (i, push) in self.inputs.loads.iter().enumerate() {
                let size = self.force(&push.signal, &self.ways.loads[i], t);
                self.loads[i] = push.unit().times(size);
            }
            add_loads(&self.frames.place(self.arm, q), &self.loads, &mut self.load);
        }
        for (tau, (motor, load)) in tau.iter_mut().zip(self.motor.iter().zip(&self.load)) {
            *tau += motor + load;
        }
        Ok(())
    }
}

impl Acting<'_> {
    /// The accelerations at a state into `ud`; the forces are kept.
    fn evaluate(&mut self, t: f64, q: &[f64], u: &[f64], ud: &mut [f64]) -> Result<(), BlockError> {
        ud.fill(0.0);
        self.tau.fill(0.0);
        self.forces.act(t, q, u, &mut self.tau, ud)?;
        self.dynamics.accelerations_into(q, u, &mut self.tau, ud);
        self.forces.react(&self.tau);
        Ok(())
    }

    /// The coordinate of a prescribed motion that jumped within the step just made, and how; its end
    /// was the last state to be brought where it should be.
    pub(super) fn jump_within(&self, start: f64, end: f64) -> Option<(String, Excess)> {
        let index = self.departed?;
        let motion = &self.forces.inputs.prescribed[index];
        let jump = motion.jump_within(self.arm, &self.forces.ways.prescribed[index], start, end)?;
        Some((self.arm.velocity_names()[motion.velocity].clone(), jump))
    }

    /// The loads at the last instant that was evaluated.
    pub(super) fn loads(&self) -> &[Load] {
        &self.forces.loads
    }

    /// The same for those who look at a state that was reached: what gives up there is
    /// [kept](Self::failure), and nothing of that instant is to be used.
    pub(super) fn accelerations(&mut self, t: f64, q: &[f64], u: &[f64], ud: &mut [f64]) {
        if let Err(failure) = self.evaluate(t, q, u, ud) {
            self.failure.get_or_insert(failure);
        }
    }

    /// Brings prescribed coordinates to where they are told to be, quaternions to unit length.
    pub(super) fn project(&mut self, t: f64, y: &mut [f64]) {
        let (q, rest) = y.split_at_mut(self.arm.nq());
        self.arm.normalise(q);
        self.departed = None;
        for (i, prescribed) in self.forces.inputs.prescribed.iter().enumerate() {
            let (jet, way) = (self.forces.motion(i, t), &self.forces.ways.prescribed[i]);
            let rate = &mut rest[prescribed.velocity];
            let departs = match (prescribed.given, self.positions[i]) {
                (PrescribedQuantity::Position, Some(position)) => {
                    let from = std::mem::replace(&mut q[position], jet.value);
                    let speed = std::mem::replace(rate, jet.rate);
                    way.is_suspect(0, from, jet.value) || way.is_suspect(1, speed, jet.rate)
                }
                (PrescribedQuantity::Rate, _) => {
                    let speed = std::mem::replace(rate, jet.value);
                    way.is_suspect(0, speed, jet.value)
                }
                _ => false,
            };
            if departs {
                self.departed.get_or_insert(i);
            }
        }
    }
}

impl System for Plant<'_> {
    type Error = BlockError;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), BlockError> {
        let mut acting = self.shared.borrow_mut();
        let arm = acting.arm;
        let (q, rest) = y.split_at(arm.nq());
        let u = &rest[..arm.nv()];
        let (qd, rest) = rates.split_at_mut(arm.nq());
        let (ud, works) = rest.split_at_mut(arm.nv());
        arm.rate_into(q, u, qd);
        acting.evaluate(t, q, u, ud)?;
        works.copy_from_slice(&acting.forces.powers(q, u));
        Ok(())
    }

    fn project(&mut self, t: f64, y: &mut [f64]) {
        self.shared.borrow_mut().project(t, y);
    }
}

impl SecondOrder for Plant<'_> {
    fn has_residual(&self) -> bool {
        self.shared.borrow().is_engine
    }

    fn velocity_count(&self) -> usize {
        self.shared.borrow().arm.nv()
    }

    fn quadrature_count(&self) -> usize {
        WORKS
    }

    fn configuration_rates(&mut self, q: &[f64], u: &[f64], rates: &mut [f64]) {
        self.shared.borrow().arm.rate_into(q, u, rates);
    }

    fn displace(&mut self, q: &mut [f64], way: &[f64]) {
        self.shared.borrow().arm.displace(q, way);
    }

    fn residual(&mut self, at: &Moment<'_>, residual: &mut [f64]) -> Result<(), BlockError> {
        let Acting { forces, equations, .. } = &mut *self.shared.borrow_mut();
        equations.residual(forces, at, residual)
    }

    fn quadrature_rates(&mut self, at: &Moment<'_>, rates: &mut [f64]) -> Result<(), BlockError> {
        let Acting { forces, equations, tau, .. } = &mut *self.shared.borrow_mut();
        equations.needed(forces, at, tau)?;
        forces.react(tau);
        rates.copy_from_slice(&forces.powers(at.q, at.u));
        Ok(())
    }

    fn iteration_matrix(
        &mut self,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), BlockError> {
        let Acting { arm, forces, equations, .. } = &mut *self.shared.borrow_mut();
        equations.iteration_matrix(arm, forces, at, weights, matrix)
    }
}
