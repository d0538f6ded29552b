//! The sampled part of a run: sensors and blocks.

use super::block::{Block, BlockError, BlockInput, BlockOutput, FullState, SampledBlock, Tick};
use super::clock::Clock;
use super::delay_line::{DelayLine, quantise};
use super::diagram::Reference;
use super::diagram_error::DiagramError;
use super::plant::Plant;
use super::sensor::{Probe, Seen, Sensor};
use crate::arm::Arm;
use crate::dynamics::kinematics;
use crate::integrate::{StateVisitor, Stateful};

/// All that happens at ticks.
pub(super) struct Discrete<'s> {
    arm: &'s Arm,
    references: &'s [Reference],
    probes: Vec<Probe>,
    blocks: Vec<Active<'s>>,
    /// What sensors show, one after another, and where each begins.
    pub(super) sensors: Vec<f64>,
    sensor_at: Vec<usize>,
    /// What blocks put out, one after another, and where each begins.
    pub(super) outputs: Vec<f64>,
    output_at: Vec<usize>,
    frames: kinematics::Workspace,
    ud: Vec<f64>,
}

/// A block at work.
struct Active<'s> {
    name: &'s str,
    inner: &'s mut dyn Block,
    clock: Clock,
    sources: &'s [BlockInput],
    wires: &'s [BlockOutput],
    uses_full_state: bool,
    /// How many ticks have been.
    ticks: u64,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    rounded: Vec<f64>,
    line: DelayLine,
}

impl Stateful for Discrete<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        for probe in &mut self.probes {
            probe.visit_state(state);
        }
        for block in &mut self.blocks {
            state.count(&mut block.ticks);
            state.numbers(&mut block.outputs);
            block.line.visit_state(state);
            block.inner.visit_state(state);
        }
        state.numbers(&mut self.sensors);
        state.numbers(&mut self.outputs);
    }
}

impl<'s> Discrete<'s> {
    pub(super) fn new(
        arm: &'s Arm,
        references: &'s [Reference],
        sensors: &[Sensor],
        seed: u64,
        blocks: &'s mut [SampledBlock],
    ) -> Result<Self, DiagramError> {
        let probes = sensors.iter().zip(0..).map(|(sensor, i)| Probe::new(sensor, arm, seed, i));
        let (sensor_at, sensor_count) = begins(sensors.iter().map(Sensor::width));
        let (output_at, output_count) = begins(blocks.iter().map(|block| block.outputs.len()));
        let widths: Vec<usize> = sensors.iter().map(Sensor::width).collect();
        Ok(Self {
            arm,
            references,
            probes: probes.collect::<Result<_, _>>()?,
            blocks: blocks
                .iter_mut()
                .map(|block| Active::new(block, &widths))
                .collect::<Result<_, _>>()?,
            sensors: vec![0.0; sensor_count],
            sensor_at,
            outputs: vec![0.0; output_count],
            output_at,
            frames: kinematics::Workspace::new(arm),
            ud: vec![0.0; arm.nv()],
        })
    }

    /// When something is due next; infinite if never.
    pub(super) fn next(&self) -> f64 {
        let probes = self.probes.iter().map(|probe| (probe.next_tick(), &probe.line));
        let blocks = self.blocks.iter().map(|block| (block.clock.tick(block.ticks), &block.line));
        probes.chain(blocks).fold(f64::INFINITY, |next, (tick, line)| {
            next.min(tick).min(line.next_arrival().unwrap_or(f64::INFINITY))
        })
    }

    /// Does what is due at a time: first all sensors, then the blocks in order. Whether the forces
    /// of motors change.
    pub(super) fn act(&mut self, t: f64, y: &[f64], plant: &Plant<'s>) -> Result<bool, BlockError> {
        let (q, rest) = y.split_at(self.arm.nq());
        let u = &rest[..self.arm.nv()];
        self.sample(t, q, u, plant);
        for (probe, &at) in self.probes.iter_mut().zip(&self.sensor_at) {
            if probe.line.advance(t) {
                let shown = probe.line.shown();
                self.sensors[at..at + shown.len()].copy_from_slice(shown);
            }
        }
        let mut changes = false;
        for i in 0..self.blocks.len() {
            let block = &mut self.blocks[i];
            if block.clock.tick(block.ticks) <= t {
                block.inputs.clear();
                for source in block.sources {
                    match *source {
                        BlockInput::Sensor(sensor) => {
                            let at = self.sensor_at[sensor];
                            let width = self.probes[sensor].line.shown().len();
                            block.inputs.extend_from_slice(&self.sensors[at..at + width]);
                        }
                        BlockInput::Reference(i) => {
                            block.inputs.push(self.references[i].signal.value(t));
                        }
                        BlockInput::ReferenceRate(i) => {
                            block.inputs.push(self.references[i].signal.jet(t).rate);
                        }
                        BlockInput::Output { block: other, output } => {
                            block.inputs.push(self.outputs[self.output_at[other] + output]);
                        }
                    }
                }
                block.update(t, q, u)?;
            }
            if block.line.advance(t) {
                let at = self.output_at[i];
                let shown = block.line.shown();
                self.outputs[at..at + shown.len()].copy_from_slice(shown);
                changes |= block.wires.iter().any(|wire| wire.motor.is_some());
            }
        }
        if changes {
            self.command(plant);
        }
        Ok(changes)
    }

    /// Lets the outputs act as they are held.
    pub(super) fn command(&self, plant: &Plant<'s>) {
        plant.acting(|acting| {
            acting.forces.commands.fill(0.0);
            let wires = self.blocks.iter().flat_map(|block| block.wires);
            for (wire, value) in wires.zip(&self.outputs) {
                if let Some(velocity) = wire.motor {
                    acting.forces.commands[velocity] += value;
                }
            }
        });
    }

    fn sample(&mut self, t: f64, q: &[f64], u: &[f64], plant: &Plant<'s>) {
        let due = |probe: &&mut Probe| probe.next_tick() <= t;
        let (mut any, mut frames, mut forces) = (false, false, false);
        for probe in self.probes.iter_mut().filter(due) {
            any = true;
            frames |= probe.sees_frames();
            forces |= probe.feels_forces();
        }
        if !any {
            return;
        }
        self.ud.fill(0.0);
        if forces {
            plant.acting(|acting| acting.accelerations(t, q, u, &mut self.ud));
        }
        let moving = frames.then(|| self.frames.move_with(self.arm, q, u, &self.ud));
        for probe in self.probes.iter_mut().filter(due) {
            probe.sample(self.arm, &Seen { q, moving: moving.as_ref() });
        }
    }
}

impl<'s> Active<'s> {
    fn new(block: &'s mut SampledBlock, widths: &[usize]) -> Result<Self, DiagramError> {
        let SampledBlock { name, block: inner, clock, inputs, outputs, delay, uses_full_state } =
            block;
        let line = DelayLine::new(*clock, *delay, outputs.len());
        let line =
            line.map_err(|source| DiagramError::Clock { of: format!("block \"{name}\""), source })?;
        let width = |source: &BlockInput| match source {
            BlockInput::Sensor(sensor) => widths[*sensor],
            _ => 1,
        };
        inner.start();
        Ok(Self {
            name,
            inner: inner.as_mut(),
            clock: *clock,
            sources: inputs,
            wires: outputs,
            uses_full_state: *uses_full_state,
            ticks: 0,
            inputs: Vec::with_capacity(inputs.iter().map(width).sum()),
            outputs: vec![0.0; outputs.len()],
            rounded: vec![0.0; outputs.len()],
            line,
        })
    }

    fn update(&mut self, t: f64, q: &[f64], u: &[f64]) -> Result<(), BlockError> {
        let state = self.uses_full_state.then_some(FullState { q, u });
        let tick = Tick { count: self.ticks, t, inputs: &self.inputs, state };
        let done = self.inner.update(&tick, &mut self.outputs);
        done.map_err(|reason| BlockError { block: self.name.to_owned(), reason })?;
        for ((rounded, output), wire) in self.rounded.iter_mut().zip(&self.outputs).zip(self.wires)
        {
            *rounded = quantise(*output, wire.resolution);
        }
        self.line.put(&self.rounded);
        self.ticks += 1;
        Ok(())
    }
}

/// Where each of some rows begins, and how long they are together.
fn begins(widths: impl Iterator<Item = usize>) -> (Vec<usize>, usize) {
    let mut count = 0;
    let begins = widths
        .map(|width| {
            count += width;
            count - width
        })
        .collect();
    (begins, count)
}
