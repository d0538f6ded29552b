//! The values of channels at an instant.

use super::balance::drift;
use super::channels::{Catalogue, Origin};
use super::diagram::Reference;
use super::plant::Plant;
use crate::arm::Arm;
use crate::dynamics::energy::{Energies, Momenta, energies, momenta};
use crate::dynamics::kinematics::{self, Axes};
use crate::dynamics::passive;
use crate::spatial::Quaternion;

/// Computes chosen channels, and what they need.
pub(super) struct ChannelEvaluator<'s> {
    arm: &'s Arm,
    references: &'s [Reference],
    origins: Vec<Origin>,
    needs_forces: bool,
    needs_frames: bool,
    needs_balances: bool,
    frames: kinematics::Workspace,
    passive: passive::Workspace,
    ud: Vec<f64>,
}

/// What an evaluator sees besides time and state.
#[derive(Clone, Copy)]
pub(super) struct Around<'a, 's> {
    pub(super) plant: &'a Plant<'s>,
    /// What sensors show.
    pub(super) sensors: &'a [f64],
    /// What parts put out.
    pub(super) outputs: &'a [f64],
    /// The total energy at the start (J).
    pub(super) start_energy: f64,
}

impl<'s> ChannelEvaluator<'s> {
    pub(super) fn new(
        arm: &'s Arm,
        references: &'s [Reference],
        catalogue: &Catalogue,
        chosen: &[usize],
    ) -> Self {
        let origins: Vec<Origin> = chosen.iter().map(|&i| catalogue.origin(i)).collect();
        let any = |test: fn(&Origin) -> bool| origins.iter().any(test);
        let needs_balances =
            any(|o| matches!(o, Origin::Energy(_) | Origin::Drift | Origin::Momentum(_)));
        let frames =
            any(|o| matches!(o, Origin::Position(..) | Origin::Quaternion(..) | Origin::Twist(..)));
        Self {
            needs_forces: any(|o| matches!(o, Origin::Force(_) | Origin::Acceleration(_))),
            needs_frames: frames || needs_balances,
            needs_balances,
            arm,
            references,
            origins,
            frames: kinematics::Workspace::new(arm),
            passive: passive::Workspace::new(arm),
            ud: vec![0.0; arm.nv()],
        }
    }

    pub(super) fn width(&self) -> usize {
        self.origins.len()
    }

    /// Writes the numbers of the channels at a time and state.
    pub(super) fn look(&mut self, t: f64, y: &[f64], around: Around<'_, 's>, row: &mut [f64]) {
        let (q, rest) = y.split_at(self.arm.nq());
        let (u, works) = rest.split_at(self.arm.nv());
        if self.needs_forces {
            around.plant.acting(|acting| acting.accelerations(t, q, u, &mut self.ud));
        }
        let moving = self.needs_frames.then(|| self.frames.move_with(self.arm, q, u, &self.ud));
        let balances = moving.as_ref().filter(|_| self.needs_balances);
        let energies = balances.map(|moving| energies(self.arm, &mut self.passive, moving, q, u));
        let momenta = balances.map(|moving| momenta(self.arm, moving));
        // the quaternion of one frame gives four numbers
        let mut turned: Option<(usize, [f64; 4])> = None;
        for (out, &origin) in row.iter_mut().zip(&self.origins) {
            *out = match origin {
                Origin::Coordinate(i) => q[i],
                Origin::Velocity(i) => u[i],
                Origin::Acceleration(i) => self.ud[i],
                Origin::Force(i) => around.plant.acting(|acting| acting.forces.motor[i]),
                Origin::Position(frame, k) => moving
                    .as_ref()
                    .map_or(f64::NAN, |moving| moving.placed().pose(frame).position.to_array()[k]),
                Origin::Quaternion(frame, k) => {
                    let known = turned.filter(|(known, _)| *known == frame);
                    let quaternion = known.or_else(|| {
                        let pose = moving.as_ref()?.placed().pose(frame);
                        Some((frame, Quaternion::from_matrix(&pose.rotation).to_array()))
                    });
                    turned = quaternion;
                    quaternion.map_or(f64::NAN, |(_, parts)| parts[k])
                }
                Origin::Twist(frame, k) => moving
                    .as_ref()
                    .map_or(f64::NAN, |moving| moving.twist(frame, Axes::World).to_array()[k]),
                Origin::Energy(k) => energies.as_ref().map_or(f64::NAN, |e| energy_part(e, k)),
                Origin::Work(k) => works[k],
                Origin::Drift => energies
                    .as_ref()
                    .map_or(f64::NAN, |e| drift(e.total(), around.start_energy, works)),
                Origin::Momentum(k) => momenta.as_ref().map_or(f64::NAN, |m| momentum_part(m, k)),
                Origin::Sensor(i) => around.sensors[i],
                Origin::Output(i) => around.outputs[i],
                Origin::Reference(i) => {
                    let signal = &self.references[i].signal;
                    around.plant.acting(|acting| acting.forces.jet(signal, t).value)
                }
            };
        }
    }
}

fn energy_part(energies: &Energies, part: usize) -> f64 {
    [energies.kinetic, energies.potential, energies.elastic, energies.total()][part]
}

fn momentum_part(momenta: &Momenta, part: usize) -> f64 {
    let axis = part % 3;
    if part < 3 { momenta.linear.to_array()[axis] } else { momenta.angular.to_array()[axis] }
}
