//! The values of channels at an instant.

use super::balance::drift;
use super::catalogue::{Catalogue, Origin};
use super::diagram::Reference;
use super::link_channels::{DeflectedFrame, peaks, unbend};
use super::plant::{Acting, Plant};
use super::sliding_channels::SlidingWave;
use super::target::TrackingTarget;
use crate::analyse::CutLinks;
use crate::arm::Arm;
use crate::dynamics::energy::{Energies, Momenta, energies, momenta};
use crate::dynamics::kinematics::{self, Axes, Placed};
use crate::dynamics::{crba, passive};
use crate::spatial::{Quaternion, Vec3};

/// Computes chosen channels, and what they need.
pub(super) struct ChannelEvaluator<'s> {
    arm: &'s Arm,
    references: &'s [Reference],
    origins: Vec<Origin>,
    needs_forces: bool,
    needs_frames: bool,
    needs_balances: bool,
    internal_forces: Option<CutLinks>,
    frames: kinematics::Workspace,
    passive: passive::Workspace,
    ud: Vec<f64>,
    targets: FrameTargets<'s>,
    deflections: Deflections,
    mass: Option<MassMatrix>,
    waves: Vec<SlidingWave>,
}

/// What the arm is told and where it should be.
#[derive(Clone, Copy)]
pub(super) struct Told<'s> {
    pub(super) references: &'s [Reference],
    pub(super) targets: &'s [TrackingTarget],
}

/// Errors of frames.
struct FrameTargets<'s> {
    all: &'s [TrackingTarget],
    /// Those that are asked for.
    chosen: Vec<usize>,
    /// By target: the error, and its size (m).
    errors: Vec<[f64; 4]>,
    unbent: Vec<f64>,
    work: kinematics::Workspace,
}

impl FrameTargets<'_> {
    fn look(&mut self, arm: &Arm, t: f64, placed: &Placed<'_, f64>) {
        for &i in &self.chosen {
            let target = &self.all[i];
            let wanted = target.place(arm, t, &mut self.work, &mut self.unbent);
            if let (Some(wanted), Some(frame)) = (wanted, target.frame()) {
                let error = wanted - placed.pose(frame).position;
                let Vec3 { x, y, z } = error;
                self.errors[i] = [x, y, z, error.norm()];
            }
        }
    }
}

/// Deflections of frames.
struct Deflections {
    frames: Vec<DeflectedFrame>,
    /// Those that are asked for.
    chosen: Vec<usize>,
    found: Vec<[f64; 6]>,
    neutral: Vec<f64>,
    unbent: Vec<f64>,
    work: kinematics::Workspace,
}

impl Deflections {
    fn look(&mut self, arm: &Arm, q: &[f64], placed: &Placed<'_, f64>) {
        if self.chosen.is_empty() {
            return;
        }
        self.unbent.copy_from_slice(q);
        unbend(arm, &self.neutral, &mut self.unbent);
        let unbent = self.work.place(arm, &self.unbent);
        for &i in &self.chosen {
            self.found[i] = self.frames[i].deflection(placed, &unbent);
        }
    }
}

/// The mass matrix, where it is asked for.
struct MassMatrix {
    work: crba::Workspace,
    entries: Vec<f64>,
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
        Told { references, targets }: Told<'s>,
        catalogue: &Catalogue,
        chosen: &[usize],
    ) -> Self {
        let origins: Vec<Origin> = chosen.iter().map(|&i| catalogue.origin(i)).collect();
        let any = |test: fn(&Origin) -> bool| origins.iter().any(test);
        let needs_balances =
            any(|o| matches!(o, Origin::Energy(_) | Origin::Drift | Origin::Momentum(_)));
        let frames =
            any(|o| matches!(o, Origin::Position(..) | Origin::Quaternion(..) | Origin::Twist(..)));
        let needs_internal_forces = any(|o| matches!(o, Origin::Internal(..)));
        let forces = any(|o| matches!(o, Origin::Force(_) | Origin::Acceleration(_)));
        let numbers = |number: fn(&Origin) -> Option<usize>| {
            let mut numbers: Vec<usize> = origins.iter().filter_map(number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let is_frame = |&i: &usize| targets[i].frame().is_some();
        let errors = numbers(|o| if let Origin::Error(i, _) = o { Some(*i) } else { None });
        let errors: Vec<usize> = errors.into_iter().filter(is_frame).collect();
        let deflected = numbers(|o| if let Origin::Deflection(i, _) = o { Some(*i) } else { None });
        let neutral = arm.neutral();
        let work = || kinematics::Workspace::new(arm);
        let moved = DeflectedFrame::of(arm);
        let mass = any(|o| matches!(o, Origin::Mass(..))).then(|| MassMatrix {
            work: crba::Workspace::new(arm),
            entries: vec![0.0; arm.nv() * arm.nv()],
        });
        Self {
            needs_forces: forces || needs_internal_forces,
            needs_frames: frames || needs_balances || !errors.is_empty() || !deflected.is_empty(),
            needs_balances,
            internal_forces: needs_internal_forces.then(CutLinks::default),
            targets: FrameTargets {
                all: targets,
                chosen: errors,
                errors: vec![[f64::NAN; 4]; targets.len()],
                unbent: neutral.clone(),
                work: work(),
            },
            deflections: Deflections {
                found: vec![[f64::NAN; 6]; moved.len()],
                frames: moved,
                chosen: deflected,
                unbent: neutral.clone(),
                neutral,
                work: work(),
            },
            mass,
            waves: SlidingWave::of(arm),
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
        let internal = self.internal_forces.as_mut().map(|links| {
            let motion = [q, u, &self.ud];
            let loads = |acting: &mut Acting<'_>| links.in_motion(self.arm, motion, acting.loads());
            self.arm.peak_loads(&around.plant.acting(loads))
        });
        let internal = internal.unwrap_or_default();
        let moving = self.needs_frames.then(|| self.frames.move_with(self.arm, q, u, &self.ud));
        let balances = moving.as_ref().filter(|_| self.needs_balances);
        let energies = balances.map(|moving| energies(self.arm, &mut self.passive, moving, q, u));
        let momenta = balances.map(|moving| momenta(self.arm, moving));
        if let Some(moving) = &moving {
            self.targets.look(self.arm, t, moving.placed());
            self.deflections.look(self.arm, q, moving.placed());
        }
        if let Some(MassMatrix { work, entries }) = &mut self.mass {
            crba::crba_into(self.arm, work, q, entries);
        }
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
                    around.plant.acting(|acting| acting.forces.value(signal, t))
                }
                Origin::Error(i, k) => match &self.targets.all[i] {
                    TrackingTarget::Coordinate { coordinate, signal } => {
                        let jet = around.plant.acting(|acting| acting.forces.jet(signal, t));
                        jet.value - q[*coordinate]
                    }
                    _ => self.targets.errors[i][k],
                },
                Origin::Deflection(i, k) => self.deflections.found[i][k],
                Origin::Internal(link, k) => peaks(&internal, link)[k],
                Origin::Wave(i, quantity) => self.waves[i].number(quantity, q),
                Origin::Mass(i, j) => {
                    self.mass.as_ref().map_or(f64::NAN, |mass| mass.entries[j * self.arm.nv() + i])
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
