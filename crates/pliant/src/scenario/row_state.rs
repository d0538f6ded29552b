//! The state of the arm, read from the rows of a run.

use crate::arm::Arm;
use crate::integrate::{StateVisitor, Stateful};
use crate::simulate::{Channel, ChannelRole};

/// The coordinates and velocities of the last row.
pub(super) struct RowState {
    /// Their columns.
    coordinates: Vec<usize>,
    velocities: Vec<usize>,
    pub(super) q: Vec<f64>,
    pub(super) u: Vec<f64>,
}

impl Stateful for RowState {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.finite(&mut self.q);
        state.finite(&mut self.u);
    }
}

impl RowState {
    /// The groups of channels that it reads.
    pub(super) const NEEDS: [&'static str; 2] = ["coordinates", "velocities"];

    /// For an arm and the channels of the rows, if all are there.
    pub(super) fn new(arm: &Arm, channels: &[Channel]) -> Option<Self> {
        let columns = |role: ChannelRole, count: usize| {
            let is = |channel: &Channel, index| channel.role == role && channel.index == index;
            let find = |index| channels.iter().position(|channel| is(channel, index));
            (0..count).map(find).collect::<Option<Vec<_>>>()
        };
        Some(Self {
            coordinates: columns(ChannelRole::Position, arm.nq())?,
            velocities: columns(ChannelRole::Velocity, arm.nv())?,
            q: arm.neutral(),
            u: vec![0.0; arm.nv()],
        })
    }

    pub(super) fn read(&mut self, values: &[f64]) {
        let columns = self.coordinates.iter().chain(&self.velocities);
        for (x, &column) in self.q.iter_mut().chain(&mut self.u).zip(columns) {
            *x = values[column];
        }
    }
}
