//! Proportional-derivative control of joints.

use super::law::{ControlContext, ControlError, ControlLaw};
use super::model::Model;
use crate::integrate::StateVisitor;

/// Proportional-derivative control of joints: `τ = k (r − y) + d (ṙ − ẏ)`, with the reference `r` and the
/// coordinate `y` of each joint (rad, m). It needs no model. On strain gauges instead of encoders,
/// with targets of zero, it is the fast part of King's multirate scheme, 4.9.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::control::{Controller, Pd, StateSource};
/// use pliant::integrate::Dop853;
/// use pliant::simulate::{BlockInput, BlockOutput, Clock, Rows, SampledBlock, Diagram, Sensor, run};
///
/// let arm = Builder::new("wheel")
///     .gravity([0.0; 3])
///     .link(Link::new("wheel").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut scenario = Diagram::new(&arm, 2.0, 0.01);
/// let clock = Clock::hertz(1000.0)?;
/// scenario.sensors.push(Sensor::encoder("encoder", 0, 1 << 20, clock));
/// let law = Pd { stiffness: vec![100.0], damping: vec![20.0] };
/// let servo = Controller::new(law, None, vec![0.5.into()], StateSource::Sensors)?.limited(&[40.0]);
/// let (inputs, outputs) = (vec![BlockInput::Sensor(0)], vec![BlockOutput::motor("torque", 0)]);
/// scenario.blocks.push(SampledBlock::new("servo", clock, inputs, outputs, servo));
/// let summary = run(&mut scenario, Dop853::new(1e-8), &mut Rows::new(), &mut ())?;
/// assert!((summary.q[0] - 0.5).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pd {
    /// `k` of each joint (N m/rad, N/m).
    pub stiffness: Vec<f64>,
    /// `d` of each joint (N m s/rad, N s/m).
    pub damping: Vec<f64>,
}

impl ControlLaw for Pd {
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        for (k, force) in forces.iter_mut().enumerate() {
            let reference = now.reference[k];
            *force = self.stiffness[k] * (reference.value - now.q[k])
                + self.damping[k] * (reference.rate - now.u[k]);
        }
        Ok(())
    }
}
