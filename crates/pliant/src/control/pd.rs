//! Proportional-derivative control of joints.

use crate::Help;
use crate::simulate::{Controller, Tick};

/// Proportional-derivative control of joints: `τ = k (r − y) + d (ṙ − ẏ)`, saturated at its limit,
/// with the reference `r` and the coordinate `y` (rad, m).
///
/// The part that it belongs to listens, joint by joint, to the sensor of `y` (not for joints that
/// look at the true state), to the reference `r` and to the rate of that reference. The rate `ẏ` is
/// the change of the sensor since the last tick; at the first tick the damper gives nothing.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::control::{JointPd, PdJoint};
/// use pliant::integrate::Dop853;
/// use pliant::simulate::{Clock, BlockOutput, Reference, Rows, SampledBlock, Scenario, Sensor, BlockInput, run};
///
/// let arm = Builder::new("wheel")
///     .gravity([0.0; 3])
///     .link(Link::new("wheel").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut scenario = Scenario::new(&arm, 2.0, 0.01);
/// let clock = Clock::hertz(1000.0)?;
/// scenario.sensors.push(Sensor::encoder("encoder", 0, 1 << 20, clock));
/// scenario.references.push(Reference { name: "reference".into(), unit: "rad".into(), signal: 0.5.into() });
/// let law = JointPd::new([PdJoint { stiffness: 100.0, damping: 20.0, limit: 40.0, looks_at: None }]);
/// let inputs = vec![BlockInput::Sensor(0), BlockInput::Reference(0), BlockInput::ReferenceRate(0)];
/// scenario.blocks.push(SampledBlock::new("servo", clock, inputs, vec![BlockOutput::motor("torque", 0)], law));
/// let summary = run(&mut scenario, Dop853::new(1e-8), &mut Rows::new(), &mut ())?;
/// assert!((summary.q[0] - 0.5).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JointPd {
    joints: Vec<PdJoint>,
    /// The last tick: its time, and what was measured of each joint.
    last: Option<f64>,
    measured: Vec<f64>,
}

/// One joint of a [`JointPd`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PdJoint {
    /// `k` (N m/rad, N/m).
    pub stiffness: f64,
    /// `d` (N m s/rad, N s/m).
    pub damping: f64,
    /// The largest force, either way (N m, N); may be infinite.
    pub limit: f64,
    /// For those that look at the true state: the indices of coordinate and velocity.
    pub looks_at: Option<(usize, usize)>,
}

/// What a law is told does not fit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Unfit {
    #[error("it has {outputs} outputs for {joints} joints")]
    Outputs { outputs: usize, joints: usize },
    #[error("it gets {inputs} inputs, and needs {needed}")]
    Inputs { inputs: usize, needed: usize },
    #[error("it may not look at the true state, or there is no such coordinate")]
    NoState,
}

impl Help for Unfit {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Outputs { .. } => "give it one output for each joint",
            Self::Inputs { .. } => {
                "give each joint its sensor, target and rate of the target, without a sensor where it sees the state"
            }
            Self::NoState => "let it see the full state, and give coordinates of the arm",
        };
        Some(help.into())
    }
}

impl JointPd {
    /// For some joints, in the order of the outputs.
    pub fn new(joints: impl Into<Vec<PdJoint>>) -> Self {
        let joints = joints.into();
        Self { measured: vec![0.0; joints.len()], last: None, joints }
    }

    /// The joints.
    pub fn joints(&self) -> &[PdJoint] {
        &self.joints
    }

    fn check(&self, tick: &Tick<'_>, outputs: usize) -> Result<(), Unfit> {
        let joints = self.joints.len();
        if outputs != joints {
            return Err(Unfit::Outputs { outputs, joints });
        }
        let (inputs, needed) = (tick.inputs.len(), self.joints.iter().map(PdJoint::hears).sum());
        if inputs == needed { Ok(()) } else { Err(Unfit::Inputs { inputs, needed }) }
    }
}

impl PdJoint {
    /// How many numbers it listens to.
    fn hears(&self) -> usize {
        if self.looks_at.is_some() { 2 } else { 3 }
    }
}

impl Controller for JointPd {
    fn start(&mut self) {
        self.last = None;
    }

    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Help + Send + Sync>> {
        self.check(tick, outputs.len())?;
        let since = self.last.map(|last| tick.t - last);
        let mut inputs = tick.inputs;
        for ((joint, measured), output) in self.joints.iter().zip(&mut self.measured).zip(outputs) {
            let (heard, rest) = inputs.split_at(joint.hears());
            inputs = rest;
            // from the back: the rate of the target, the target, the sensor
            let (target_rate, target) = (heard[heard.len() - 1], heard[heard.len() - 2]);
            let (place, rate) = if let Some((q, u)) = joint.looks_at {
                let state = tick.state.ok_or(Unfit::NoState)?;
                let both = state.q.get(q).copied().zip(state.u.get(u).copied());
                both.ok_or(Unfit::NoState)?
            } else {
                let rate = since.map_or(target_rate, |since| (heard[0] - *measured) / since);
                *measured = heard[0];
                (heard[0], rate)
            };
            let force = joint.stiffness * (target - place) + joint.damping * (target_rate - rate);
            *output = force.clamp(-joint.limit, joint.limit);
        }
        self.last = Some(tick.t);
        Ok(())
    }
}
