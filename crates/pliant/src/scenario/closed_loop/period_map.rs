//! What becomes of a small difference over a period of all clocks.

use super::LoopError;
use super::block_slopes::{BlockSlopes, cycle};
use super::line::{Line, ticks_before, unit};
use super::plant::LinearPlant;
use crate::analyse::{Label, StateSpace};
use crate::scenario::Simulation;
use crate::simulate::{BlockInput, Clock, Delay, SampledBlock};
use nalgebra::DMatrix;
use std::collections::HashMap;

/// More ticks in a common period are not looked at.
pub(super) const MOST_TICKS: f64 = 10_000.0;

/// The growth of errors within a period that nothing takes back.
const RUN_AWAY: f64 = 1e60;
/// Loops of more states are not looked at.
const MOST_STATES: usize = 300;

/// The loop over one period of all its clocks: from just before an instant at which all of them tick to
/// just before the next such instant.
pub(super) struct PeriodMap {
    pub(super) system: StateSpace,
    /// The period (s).
    pub(super) period: f64,
    /// How often the fastest block ticks in it.
    pub(super) ticks: f64,
    /// The forces of the motors at its end, by the states at its start.
    pub(super) forces: DMatrix<f64>,
}

/// A block with what it does and what it is connected to.
struct Part<'a> {
    block: &'a SampledBlock,
    slopes: BlockSlopes,
    /// The outputs that are used, by index.
    used: Vec<usize>,
    line: Line,
    memory: DMatrix<f64>,
    /// The column of its first reference.
    references: usize,
}

/// The period in which all clocks and blocks come round.
pub(super) fn common_period(
    simulation: &Simulation,
    plant: &LinearPlant,
) -> Result<Clock, LoopError> {
    let blocks = &simulation.diagram.blocks;
    let cycles = blocks.iter().map(|block| block.clock.every_nth(cycle(block)));
    let sensors = plant.sensors.iter().map(|&(i, _)| simulation.diagram.sensors[i].clock);
    let mut clocks = cycles.chain(sensors.clone().map(|clock| clock.every_nth(1)));
    let first = clocks.next().flatten().ok_or(LoopError::NoCommonPeriod)?;
    let common = clocks.try_fold(first, |common, clock| common.common(clock?));
    let common = common.ok_or(LoopError::NoCommonPeriod)?;
    let mut periods: Vec<f64> =
        blocks.iter().map(|block| block.clock).chain(sensors).map(|clock| clock.period()).collect();
    periods.sort_by(f64::total_cmp);
    periods.dedup();
    let ticks: f64 = periods.iter().map(|period| common.period() / period).sum();
    if ticks > MOST_TICKS {
        return Err(LoopError::TooManyTicks { ticks: ticks.round(), period: common.period() });
    }
    Ok(common)
}

/// The values that the inputs of a block show in the posture of the plant.
fn shown(
    simulation: &Simulation,
    plant: &LinearPlant,
    block: &SampledBlock,
    time: f64,
) -> Vec<f64> {
    let mut values = Vec::new();
    for input in &block.inputs {
        match *input {
            BlockInput::Sensor(i) => {
                values.extend(simulation.diagram.sensors[i].at_rest(&plant.arm, &plant.point.q));
            }
            BlockInput::Reference(i) => {
                values.push(simulation.diagram.references[i].signal.value(time));
            }
            BlockInput::ReferenceRate(_) | BlockInput::Output { .. } => values.push(0.0),
        }
    }
    values
}

impl PeriodMap {
    /// The loop of a simulation about a plant at a time (s) of its plan.
    pub(super) fn new(
        simulation: &Simulation,
        plant: &LinearPlant,
        time: f64,
    ) -> Result<Self, LoopError> {
        let common = common_period(simulation, plant)?;
        let mut map = Rows::new(simulation, plant, time, common)?;
        let (start, end) = (map.start, map.end);
        let mut t = start;
        loop {
            let next = map.next().min(end);
            map.flow(next - t, common.period());
            t = next;
            if next >= end || map.has_run_away() {
                break;
            }
            map.act(t);
        }
        Ok(map.finish(t - start))
    }
}

/// Everything that is remembered, as rows over the columns.
struct Rows<'a> {
    plant: &'a LinearPlant,
    simulation: &'a Simulation,
    start: f64,
    end: f64,
    x: DMatrix<f64>,
    /// The sensors in the order of the plant's.
    sensors: Vec<Line>,
    parts: Vec<Part<'a>>,
    /// The inputs of the plant: forces of motors, then what is asked for.
    pushes: DMatrix<f64>,
    /// What is asked for, just before the period.
    seen: DMatrix<f64>,
    /// How many columns are states.
    states: usize,
    labels: Vec<Label>,
    inputs: Vec<Label>,
    /// `e^{At}` and what held inputs move, by the length of the time.
    flows: HashMap<u64, (DMatrix<f64>, DMatrix<f64>)>,
}

impl<'a> Rows<'a> {
    fn new(
        simulation: &'a Simulation,
        plant: &'a LinearPlant,
        time: f64,
        common: Clock,
    ) -> Result<Self, LoopError> {
        let diagram = &simulation.diagram;
        let delayed = |clock: Clock, delay: Delay| Line::new(clock, delay, 0.0);
        // all that is late is under way
        let mut late: f64 = 0.0;
        for &(i, _) in &plant.sensors {
            let sensor = &diagram.sensors[i];
            late = late.max(delayed(sensor.clock, sensor.delay)?.arrivals.tick(1));
        }
        for block in &diagram.blocks {
            late = late.max(delayed(block.clock, block.delay)?.arrivals.tick(1));
        }
        let count = ticks_before(common, late);
        let (start, end) = (common.tick(count), common.tick(count + 1));
        let sensors = plant
            .sensors
            .iter()
            .map(|&(i, _)| Line::new(diagram.sensors[i].clock, diagram.sensors[i].delay, start));
        let mut parts = Vec::new();
        for (index, block) in diagram.blocks.iter().enumerate() {
            let values = shown(simulation, plant, block, time);
            let is_read = |output: usize| {
                let mut inputs = diagram.blocks.iter().flat_map(|block| &block.inputs);
                inputs.any(|input| *input == BlockInput::Output { block: index, output })
            };
            let used: Vec<usize> = (0..block.outputs.len())
                .filter(|&output| block.outputs[output].motor.is_some() || is_read(output))
                .collect();
            let ports = (values.as_slice(), used.as_slice());
            parts.push(Part {
                slopes: BlockSlopes::new(plant, block, ports, time, cycle(block))?,
                used,
                line: Line::new(block.clock, block.delay, start)?,
                memory: DMatrix::default(),
                references: 0,
                block,
            });
        }
        let mut rows = Self {
            plant,
            simulation,
            start,
            end,
            x: DMatrix::default(),
            sensors: sensors.collect::<Result<_, _>>()?,
            parts,
            pushes: DMatrix::default(),
            seen: DMatrix::default(),
            states: 0,
            labels: plant.system.states.clone(),
            inputs: Vec::new(),
            flows: HashMap::new(),
        };
        let states = rows.count();
        if states > MOST_STATES {
            return Err(LoopError::TooManyStates { states });
        }
        rows.name();
        rows.place();
        Ok(rows)
    }

    /// How many states there are: of the arm, shown or under way, and remembered.
    fn count(&self) -> usize {
        let under_way = |line: &Line| usize::try_from(line.ticks - line.seen + 1);
        let rows = |line: &Line| under_way(line).unwrap_or(usize::MAX);
        let sensors = self.sensors.iter().zip(&self.plant.sensors);
        let sensors = sensors.map(|(line, &(i, _))| {
            rows(line).saturating_mul(self.simulation.diagram.sensors[i].width())
        });
        let parts = self.parts.iter().map(|part| {
            rows(&part.line).saturating_mul(part.used.len()).saturating_add(part.slopes.memory)
        });
        sensors.chain(parts).fold(self.labels.len(), usize::saturating_add)
    }

    /// Names the states and the references of blocks.
    fn name(&mut self) {
        let sensors = &self.simulation.diagram.sensors;
        for (line, &(i, _)) in self.sensors.iter().zip(&self.plant.sensors) {
            let sensor = &sensors[i];
            for row in line.seen..=line.ticks {
                let late = if row == line.seen { "shown" } else { "late" };
                let names = (0..sensor.width()).map(|_| format!("{}.{late}", sensor.name));
                self.labels.extend(names.map(|name| Label::new(name, "SI")));
            }
        }
        for part in &self.parts {
            for row in part.line.seen..=part.line.ticks {
                let late = if row == part.line.seen { "" } else { ".late" };
                self.labels.extend(part.used.iter().map(|&output| {
                    let output = &part.block.outputs[output];
                    let name = format!("{}.{}{late}", part.block.name, output.name);
                    Label::new(name, output.unit.clone())
                }));
            }
            let remembered = (0..part.slopes.memory)
                .map(|k| Label::new(format!("{}.memory{}", part.block.name, k + 1), "1"));
            self.labels.extend(remembered);
            let motors = part.block.outputs.iter().filter_map(|output| output.motor);
            let arm = &self.plant.arm;
            let mut names = motors.map(|v| (&arm.velocity_names()[v], arm.velocity_units()[v][0]));
            for k in 0..part.block.block.references() {
                let named = names.next().map(|(name, unit)| (format!("{name}.reference"), unit));
                let (name, unit) = named.unwrap_or_else(|| (format!("reference{}", k + 1), "SI"));
                self.inputs.push(Label::new(format!("{}.{name}", part.block.name), unit));
            }
        }
        self.states = self.labels.len();
    }

    /// Gives everything its columns: states, references of blocks, inputs of the plant but the motors.
    fn place(&mut self) {
        let n = self.plant.system.states.len();
        let sensors = &self.simulation.diagram.sensors;
        let motors = self.plant.motors.len();
        let own = self.plant.system.b.ncols() - motors;
        let references = self.inputs.len();
        let all = self.states + references + own;
        self.x = unit(n, all, 0);
        let mut at = n;
        for (line, &(i, _)) in self.sensors.iter_mut().zip(&self.plant.sensors) {
            at = line.place(sensors[i].width(), all, at);
        }
        let mut reference = self.states;
        for part in &mut self.parts {
            at = part.line.place(part.used.len(), all, at);
            part.memory = unit(part.slopes.memory, all, at);
            at += part.slopes.memory;
            part.references = reference;
            reference += part.block.block.references();
        }
        self.pushes = DMatrix::zeros(motors + own, all);
        self.pushes.rows_mut(motors, own).copy_from(&unit(own, all, self.states + references));
        self.command();
        let StateSpace { c, d, .. } = &self.plant.system;
        let measured = self.plant.measured;
        self.seen = c.rows_range(measured..) * &self.x + d.rows_range(measured..) * &self.pushes;
    }

    /// Whether errors have grown so much that the rest of the period cannot take them back; the map
    /// then ends here, before its numbers leave the range of floats.
    fn has_run_away(&self) -> bool {
        let size = self.x.amax();
        size.is_nan() || size > RUN_AWAY
    }

    fn next(&self) -> f64 {
        let lines = self.sensors.iter().chain(self.parts.iter().map(|part| &part.line));
        lines.map(Line::next).fold(f64::INFINITY, f64::min)
    }

    /// Lets the outputs act as they are held.
    fn command(&mut self) {
        let motors = &self.plant.motors;
        self.pushes.rows_mut(0, motors.len()).fill(0.0);
        for part in &self.parts {
            for (row, &output) in part.used.iter().enumerate() {
                let motor = part.block.outputs[output].motor;
                if let Some(k) = motor.and_then(|v| motors.iter().position(|&own| own == v)) {
                    let mut push = self.pushes.row_mut(k);
                    push += part.line.shown.row(row);
                }
            }
        }
    }

    /// The arm moves on for a time (s) while all that is held stays.
    fn flow(&mut self, time: f64, period: f64) {
        if time <= 0.0 {
            return;
        }
        #[allow(clippy::cast_sign_loss, reason = "it is positive")]
        let key = (time / period * 1e9).round() as u64;
        let system = &self.plant.system;
        let (state, held) = self.flows.entry(key).or_insert_with(|| {
            let moved = system.discretised(time);
            (moved.a, moved.b)
        });
        self.x = &*state * &self.x + &*held * &self.pushes;
    }

    /// What happens at an instant, in the order of a run: all sensors, then the blocks.
    fn act(&mut self, t: f64) {
        let StateSpace { c, d, .. } = &self.plant.system;
        for (line, &(i, first)) in self.sensors.iter_mut().zip(&self.plant.sensors) {
            if line.clock.tick(line.ticks) <= t {
                let width = self.simulation.diagram.sensors[i].width();
                let row = c.rows(first, width) * &self.x + d.rows(first, width) * &self.pushes;
                line.put(row);
            }
            line.advance(t);
        }
        for k in 0..self.parts.len() {
            let line = &self.parts[k].line;
            if line.clock.tick(line.ticks) <= t {
                let inputs = self.inputs_of(k);
                let part = &mut self.parts[k];
                let count = part.slopes.phases.len() as u64;
                let phase =
                    part.line.ticks.checked_rem(count).and_then(|k| usize::try_from(k).ok());
                let phase = &part.slopes.phases[phase.unwrap_or(0)];
                let row = &phase.outputs * &inputs;
                part.memory = &phase.memory * &inputs;
                part.line.put(row);
            }
            self.parts[k].line.advance(t);
        }
        self.command();
    }

    /// The inputs of a block, the state if it sees that, its references and what it remembers.
    fn inputs_of(&self, k: usize) -> DMatrix<f64> {
        let part = &self.parts[k];
        let all = self.x.ncols();
        let mut blocks: Vec<DMatrix<f64>> = Vec::new();
        for input in &part.block.inputs {
            blocks.push(match *input {
                BlockInput::Sensor(i) => {
                    let own = self.plant.sensors.iter().position(|&(sensor, _)| sensor == i);
                    own.map_or_else(
                        || DMatrix::zeros(0, all),
                        |own| self.sensors[own].shown.clone(),
                    )
                }
                BlockInput::Reference(_) | BlockInput::ReferenceRate(_) => DMatrix::zeros(1, all),
                BlockInput::Output { block, output } => {
                    let other = &self.parts[block];
                    let row = other.used.iter().position(|&own| own == output);
                    row.map_or_else(
                        || DMatrix::zeros(1, all),
                        |row| other.line.shown.rows(row, 1).into_owned(),
                    )
                }
            });
        }
        if part.block.uses_full_state {
            blocks.push(self.x.clone());
        }
        blocks.push(unit(part.block.block.references(), all, part.references));
        blocks.push(part.memory.clone());
        stack(&blocks, all)
    }

    fn finish(self, period: f64) -> PeriodMap {
        let all = self.x.ncols();
        let mut rows = vec![self.x.clone()];
        rows.extend(self.sensors.iter().flat_map(Line::rows).cloned());
        for part in &self.parts {
            rows.extend(part.line.rows().cloned());
            rows.push(part.memory.clone());
        }
        let after = stack(&rows, all);
        let motors = self.plant.motors.len();
        let (states, asked) = (self.states, all - self.states);
        let by_state = |rows: &DMatrix<f64>| rows.columns(0, states).into_owned();
        let by_input = |rows: &DMatrix<f64>| rows.columns(states, asked).into_owned();
        let own = &self.plant.system;
        let system = StateSpace {
            a: by_state(&after),
            b: by_input(&after),
            c: by_state(&self.seen),
            d: by_input(&self.seen),
            inputs: self.inputs.into_iter().chain(own.inputs[motors..].iter().cloned()).collect(),
            outputs: own.outputs[own.outputs.len() - self.seen.nrows()..].to_vec(),
            states: self.labels,
        };
        let fastest = self.parts.iter().map(|part| part.block.clock.period());
        let ticks = (period / fastest.fold(f64::INFINITY, f64::min)).round();
        let forces = by_state(&self.pushes.rows(0, motors).into_owned());
        PeriodMap { system, period, ticks, forces }.without_unused(own.states.len())
    }
}

impl PeriodMap {
    /// Without the states behind the first `kept` that nothing follows from: what is shown or held
    /// until something new takes its place at once.
    fn without_unused(mut self, kept: usize) -> Self {
        loop {
            let StateSpace { a, c, states, .. } = &self.system;
            let is_used = |k: &usize| {
                let columns = [a.column(*k), c.column(*k), self.forces.column(*k)];
                *k < kept || columns.iter().any(|column| column.iter().any(|x| *x != 0.0))
            };
            let used: Vec<usize> = (0..states.len()).filter(is_used).collect();
            if used.len() == states.len() {
                return self;
            }
            self.system = StateSpace {
                a: a.select_rows(&used).select_columns(&used),
                b: self.system.b.select_rows(&used),
                c: c.select_columns(&used),
                states: used.iter().map(|&k| states[k].clone()).collect(),
                ..self.system
            };
            self.forces = self.forces.select_columns(&used);
        }
    }
}

fn stack(blocks: &[DMatrix<f64>], columns: usize) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(blocks.iter().map(DMatrix::nrows).sum(), columns);
    let mut at = 0;
    for block in blocks {
        all.rows_mut(at, block.nrows()).copy_from(block);
        at += block.nrows();
    }
    all
}
