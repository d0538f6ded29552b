//! Proportional-integral-derivative control along a plan.

use super::description::{LawDescription, LawSite, PerJoint};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::model::Model;
use crate::integrate::StateVisitor;
use crate::simulate::{BlockOutput, Telemetry};
use nalgebra::{DMatrix, DVector};

/// `τ = k e + d ė + i ∫ e dt + J(q_d) q̈_d + k(q_d, q̇_d)` with `e = q_d − q`: springs and dampers
/// to the plan, and beside them the forces that the plan needs by the model, links bent as they rest
/// there. Without the integral it is proportional-derivative control with feedforward.
///
/// The integral is the sum of errors over ticks. It does not wind up: while a force is at its limit,
/// an error that would drive it further is not added.
#[derive(Clone, Debug)]
pub struct Pid {
    /// `k` of each joint (N m/rad, N/m).
    pub stiffness: Vec<f64>,
    /// `d` of each joint (N m s/rad, N s/m).
    pub damping: Vec<f64>,
    /// `i` of each joint (N m/(rad s), N/(m s)).
    pub integral: Vec<f64>,
    /// Whether the forces that the plan needs are added.
    pub feedforward: bool,
    /// `∫ e dt` of each joint (rad s, m s).
    sums: Vec<f64>,
    work: Workspace,
}

/// Buffers of a tick.
#[derive(Clone, Debug, Default)]
struct Workspace {
    /// `J` and `k` of the plan.
    mass: DMatrix<f64>,
    bias: DVector<f64>,
    /// The positions, velocities and accelerations of the plan.
    planned: [Vec<f64>; 3],
    /// The estimate while the model is on the plan.
    q: Vec<f64>,
    u: Vec<f64>,
}

impl Pid {
    /// With `k`, `d` and `i` of each joint, and the forces that the plan needs.
    pub fn new(stiffness: Vec<f64>, damping: Vec<f64>, integral: Vec<f64>) -> Self {
        let (sums, work) = (vec![0.0; integral.len()], Workspace::default());
        Self { stiffness, damping, integral, feedforward: true, sums, work }
    }

    /// Without the forces that the plan needs.
    #[must_use]
    pub fn without_feedforward(self) -> Self {
        Self { feedforward: false, ..self }
    }

    fn integrates(&self) -> bool {
        self.integral.iter().any(|gain| *gain != 0.0)
    }
}

impl Workspace {
    /// The forces that the plan needs, `J q̈_d + k` with the model on the plan.
    fn feedforward(&mut self, now: &ControlContext<'_>, model: &mut Model, forces: &mut [f64]) {
        let Self { mass, bias, planned, q, u } = self;
        let [places, rates, accelerations] = planned;
        for numbers in [&mut *places, rates, accelerations] {
            numbers.resize(now.reference.len(), 0.0);
        }
        for (k, reference) in now.reference.iter().enumerate() {
            (places[k], rates[k], accelerations[k]) =
                (reference.value, reference.rate, reference.acceleration);
        }
        q.clone_from(&model.q);
        u.clone_from(&model.u);
        model.set_joints(places, rates);
        model.rest();
        model.joint_terms(mass, bias);
        model.set_estimate(q, u);
        for (k, force) in forces.iter_mut().enumerate() {
            let pushed = accelerations.iter().enumerate().map(|(j, a)| mass[(k, j)] * a);
            *force = bias[k] + pushed.sum::<f64>();
        }
    }
}

impl ControlLaw for Pid {
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()).min(self.integral.len()))
    }

    fn start(&mut self) {
        self.sums.fill(0.0);
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        if self.integrates() {
            state.numbers(&mut self.sums);
        }
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        if self.feedforward {
            let model = model.ok_or(ControlError::NoModel)?;
            self.work.feedforward(now, model, forces);
        } else {
            forces.fill(0.0);
        }
        for (k, force) in forces.iter_mut().enumerate() {
            let reference = now.reference[k];
            let (error, error_rate) = (reference.value - now.q[k], reference.rate - now.u[k]);
            *force += self.stiffness[k] * error + self.damping[k] * error_rate;
            let sum = self.sums[k] + error * now.since.unwrap_or(0.0);
            let wished = *force + self.integral[k] * sum;
            let winds_up = wished.abs() > now.limits[k] && wished * error > 0.0;
            if !winds_up {
                self.sums[k] = sum;
            }
            *force += self.integral[k] * self.sums[k];
        }
        Ok(())
    }

    /// The force of each integral.
    fn telemetry(&self, model: Option<&Model>) -> Vec<BlockOutput> {
        let Some(model) = model.filter(|_| self.integrates()) else { return Vec::new() };
        let coordinates = model.arm().velocity_coordinates();
        let tell = |&v: &usize| {
            let joint = &coordinates[v];
            let unit = joint.dimension.units()[3];
            let output = BlockOutput::new(format!("{}.integral", joint.name), unit);
            let coordinate = Some((joint.index, joint.role));
            BlockOutput { telemetry: Telemetry::Integral, coordinate, ..output }
        };
        model.joints().iter().map(tell).collect()
    }

    fn write_telemetry(&self, values: &mut [f64]) {
        for (k, value) in values.iter_mut().enumerate() {
            *value = self.integral[k] * self.sums[k];
        }
    }
}

/// [`Pid`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct PidDescription {
    /// `k` of each joint (N m/rad, N/m).
    pub stiffness: PerJoint,
    /// `d` of each joint (N m s/rad, N s/m).
    pub damping: PerJoint,
    /// `i` of each joint (N m/(rad s), N/(m s)).
    pub integral: PerJoint,
    /// Whether the forces that the plan needs are added.
    pub feedforward: bool,
}

impl PidDescription {
    /// Without an integral: stiffness and damping of each joint, and the forces that the plan needs.
    pub fn pd(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        let (stiffness, damping) = (stiffness.into(), damping.into());
        Self { stiffness, damping, integral: PerJoint::All(0.0), feedforward: true }
    }

    /// With an integral gain of each joint.
    #[must_use]
    pub fn integral(self, integral: impl Into<PerJoint>) -> Self {
        Self { integral: integral.into(), ..self }
    }

    /// Without the forces that the plan needs.
    #[must_use]
    pub fn without_feedforward(self) -> Self {
        Self { feedforward: false, ..self }
    }

    /// Whether no joint has an integral.
    pub fn is_pd(&self) -> bool {
        match &self.integral {
            PerJoint::All(gain) => *gain == 0.0,
            PerJoint::ByName(gains) => gains.iter().all(|(_, gain)| *gain == 0.0),
        }
    }
}

impl LawDescription for PidDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let gains = site.gains(&self.stiffness, &self.damping);
        let integral = site.numbers("integral", &self.integral);
        let ((stiffness, damping), integral) = (gains?, integral?);
        if !self.is_pd() {
            site.needs_period("the integral")?;
        }
        let law = Pid::new(stiffness, damping, integral);
        Some(Box::new(Pid { feedforward: self.feedforward, ..law }))
    }

    fn servo(&self) -> Option<[&PerJoint; 2]> {
        Some([&self.stiffness, &self.damping])
    }
}
