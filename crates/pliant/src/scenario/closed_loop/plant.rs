//! The arm of a loop, linear near a posture of its plan.

use super::LoopError;
use crate::analyse::{
    Conditions, Input, JointCondition, Label, OperatingPoint, Output, StateSpace,
};
use crate::arm::Arm;
use crate::scenario::Simulation;
use crate::simulate::{BlockInput, ForceInput, PrescribedQuantity, SensorQuantity};
use nalgebra::DMatrix;

/// By how much states and inputs are moved to see slopes (SI units).
pub(super) const STEP: f64 = 1e-5;

/// An arm with what acts on it at every instant. Its inputs are the forces of the motors, the
/// references of what acts at every instant, and what was asked for; its outputs what the sensors
/// measure, and what was asked for.
pub(super) struct LinearPlant {
    /// The arm without dry friction.
    pub(super) arm: Arm,
    pub(super) point: OperatingPoint,
    /// The velocity coordinates of the states.
    pub(super) moving: Vec<usize>,
    /// The motors that controllers drive, as velocity coordinates.
    pub(super) motors: Vec<usize>,
    /// The sensors that blocks listen to, by index, with the first of their rows.
    pub(super) sensors: Vec<(usize, usize)>,
    /// How many rows they have.
    pub(super) measured: usize,
    pub(super) system: StateSpace,
    /// How many references act at every instant.
    pub(super) references: usize,
    /// The slopes of the forces that act at every instant: a row for each motor, columns as the
    /// states and then the references.
    pub(super) feedback: DMatrix<f64>,
}

/// What an arm is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ports<'a> {
    pub(super) inputs: &'a [Input],
    pub(super) outputs: &'a [Output],
}

impl SensorQuantity {
    /// What it measures, as the outputs of a linear arm; none of a coordinate without a velocity of
    /// its own.
    pub fn outputs(&self, arm: &Arm) -> Option<Vec<Output>> {
        Some(match *self {
            Self::Coordinate(index) => {
                let v = (0..arm.nv()).find(|&v| arm.coordinate_of(v) == Some(index))?;
                vec![Output::Coordinate(v)]
            }
            Self::Strain { link, distance, place } => {
                vec![Output::Strain { link, distance, place }]
            }
            Self::SpecificForce { frame } => {
                (0..3).map(|axis| Output::SpecificForce { frame, axis }).collect()
            }
            Self::Position { frame } => {
                (0..3).map(|axis| Output::Position { frame, axis }).collect()
            }
        })
    }
}

impl LinearPlant {
    pub(super) fn new(
        simulation: &Simulation,
        time: f64,
        ports: Ports<'_>,
    ) -> Result<Self, LoopError> {
        let mut arm = Arm::clone(&simulation.arm);
        arm.frictions.clear();
        let loads = simulation.diagram.loads.iter().map(|push| push.at(time)).collect();
        let conditions = Conditions { loads, ..Conditions::unlocked(&arm) };
        let point = posture(simulation, &arm, time, &conditions);
        let moving = conditions.moving(&arm);
        let motors = driven(simulation);
        let mut sensors = Vec::new();
        let mut outputs = Vec::new();
        for (index, sensor) in simulation.diagram.sensors.iter().enumerate() {
            let mut inputs = simulation.diagram.blocks.iter().flat_map(|block| &block.inputs);
            if inputs.any(|input| *input == BlockInput::Sensor(index)) {
                let measured = sensor.quantity.outputs(&arm);
                let measured = measured
                    .ok_or_else(|| LoopError::Unmeasured { sensor: sensor.name.clone() })?;
                sensors.push((index, outputs.len()));
                outputs.extend(measured);
            }
        }
        let measured = outputs.len();
        outputs.extend_from_slice(ports.outputs);
        let mut inputs: Vec<Input> = motors.iter().copied().map(Input::Motor).collect();
        inputs.extend_from_slice(ports.inputs);
        let system = arm.linearise(&point, &conditions, &inputs, &outputs)?;
        let references = simulation.diagram.feedback.as_ref().map_or(0, |law| law.references());
        let feedback = DMatrix::zeros(motors.len(), 2 * moving.len() + references);
        let mut plant =
            Self { arm, point, moving, motors, sensors, measured, system, references, feedback };
        plant.close(simulation, time)?;
        Ok(plant)
    }

    /// Takes what acts at every instant into the system: `A + B K`, `C + D K`, and inputs for its
    /// references behind those of the motors.
    fn close(&mut self, simulation: &Simulation, time: f64) -> Result<(), LoopError> {
        let Some(law) = &simulation.diagram.feedback else { return Ok(()) };
        let mut law = law.clone();
        law.hold(time);
        let (states, motors) = (2 * self.moving.len(), self.motors.len());
        let forces = |law: &mut dyn ForceInput, q: &[f64], u: &[f64]| {
            let (mut tau, mut ud) = (vec![0.0; u.len()], vec![0.0; u.len()]);
            law.act(time, q, u, &mut tau, &mut ud)?;
            Ok::<_, LoopError>(tau)
        };
        // what it finds once is found before it is copied
        let (q, u) = self.moved(0, 0.0);
        forces(&mut *law, &q, &u)?;
        for column in 0..states + self.references {
            let mut ends = [Vec::new(), Vec::new()];
            for (end, step) in ends.iter_mut().zip([STEP, -STEP]) {
                let mut law = law.clone();
                let along = if column < states { step } else { 0.0 };
                let (q, u) = self.moved(column.min(states - 1), along);
                if let Some(reference) = column.checked_sub(states) {
                    law.shift(reference, step);
                }
                *end = forces(&mut *law, &q, &u)?;
            }
            for (row, &motor) in self.motors.iter().enumerate() {
                self.feedback[(row, column)] = (ends[0][motor] - ends[1][motor]) / (2.0 * STEP);
            }
        }
        let (by_state, by_reference) =
            (self.feedback.columns(0, states), self.feedback.columns(states, self.references));
        let StateSpace { a, b, c, d, .. } = &mut self.system;
        for (by_state_to, by_input) in [(a, b), (c, d)] {
            let motor = by_input.columns(0, motors).into_owned();
            *by_state_to += &motor * by_state;
            let mut wide = by_input.clone().insert_columns(motors, self.references, 0.0);
            wide.columns_mut(motors, self.references).copy_from(&(&motor * by_reference));
            *by_input = wide;
        }
        let names = self.names(simulation);
        self.system.inputs.splice(motors..motors, names);
        Ok(())
    }

    /// The references of what acts at every instant.
    fn names(&self, simulation: &Simulation) -> Vec<Label> {
        let blocks = &simulation.diagram.blocks;
        let is_sampled = |name: &str| blocks.iter().any(|block| block.name == name);
        let own = simulation.controllers.iter().filter(|controller| !is_sampled(&controller.name));
        let mut names = own.flat_map(|controller| {
            let motors = controller.outputs.iter().filter_map(|output| output.motor);
            motors.map(|v| {
                let (name, unit) = (&self.arm.velocity_names()[v], self.arm.velocity_units()[v][0]);
                Label::new(format!("{}.{name}.reference", controller.name), unit)
            })
        });
        let usual = |k: usize| Label::new(format!("reference{}", k + 1), "SI");
        (0..self.references).map(|k| names.next().unwrap_or_else(|| usual(k))).collect()
    }

    /// Without the forces of the motors and what sensors measure.
    pub(super) fn without_motors(&self) -> StateSpace {
        let StateSpace { a, b, c, d, states, inputs, outputs } = &self.system;
        let (motors, measured) = (self.motors.len(), self.measured);
        StateSpace {
            a: a.clone(),
            b: b.columns_range(motors..).into_owned(),
            c: c.rows_range(measured..).into_owned(),
            d: d.view_range(measured.., motors..).into_owned(),
            states: states.clone(),
            inputs: inputs[motors..].to_vec(),
            outputs: outputs[measured..].to_vec(),
        }
    }

    /// The state with one component moved.
    pub(super) fn moved(&self, component: usize, by: f64) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut u) = (self.point.q.clone(), self.point.u.clone());
        let n = self.moving.len();
        if component < n {
            let mut way = vec![0.0; u.len()];
            way[self.moving[component]] = by;
            self.arm.displace(&mut q, &way);
        } else {
            u[self.moving[component - n]] += by;
        }
        (q, u)
    }
}

/// The motors that controllers drive, as velocity coordinates, ascending.
fn driven(simulation: &Simulation) -> Vec<usize> {
    let blocks = simulation.diagram.blocks.iter().flat_map(|block| &block.outputs);
    let outputs = simulation.controllers.iter().flat_map(|controller| &controller.outputs);
    let mut motors: Vec<usize> = blocks.chain(outputs).filter_map(|output| output.motor).collect();
    motors.sort_unstable();
    motors.dedup();
    motors
}

/// The fastest growth (1/s) of an arm whose driven joints are held; zero where nothing grows.
pub(super) fn growth_when_held(
    simulation: &Simulation,
    plant: &LinearPlant,
    time: f64,
) -> Result<f64, LoopError> {
    let arm = &plant.arm;
    let loads = simulation.diagram.loads.iter().map(|push| push.at(time)).collect();
    let mut conditions = Conditions { loads, ..Conditions::unlocked(arm) };
    for link in 0..arm.body_count() {
        let is_driven = |v: usize| plant.motors.contains(&v);
        if arm.velocities_of(link).any(is_driven)
            || arm.length_of(link).is_some_and(|(_, v)| is_driven(v))
        {
            conditions.joints[link] = JointCondition::Locked;
        }
    }
    let held = arm.linearise(&plant.point, &conditions, &[], &[])?;
    Ok(held.poles().iter().fold(0.0, |most, pole| pole.re.max(most)))
}

/// Where the plan and the targets of controllers have the joints at a time (s), at rest, the links in
/// their static deflection; where there is none, as they start.
fn posture(
    simulation: &Simulation,
    arm: &Arm,
    time: f64,
    conditions: &Conditions,
) -> OperatingPoint {
    let mut q = simulation.diagram.q.clone();
    let plan = simulation.plan.iter().flat_map(|plan| plan.velocities.iter().zip(&plan.signals));
    for (&v, signal) in plan {
        for coordinate in [v, arm.motor_of(v)].map(|v| arm.coordinate_of(v)).into_iter().flatten() {
            q[coordinate] = signal.value(time);
        }
    }
    for target in simulation.controllers.iter().flat_map(|controller| &controller.targets) {
        let value = target.signal.value(time);
        q[target.coordinate] = value;
        // both sides of an elastic joint
        for link in 0..arm.body_count() {
            if let Some(rotor) = arm.rotor_of(link) {
                let sides = [link, rotor].map(|body| arm.configuration_of(body).start);
                let is_own = sides.contains(&target.coordinate);
                for side in sides.into_iter().filter(|_| is_own) {
                    q[side] = value;
                }
            }
        }
    }
    for motion in &simulation.diagram.prescribed {
        if let (PrescribedQuantity::Position, Some(coordinate)) =
            (motion.given, arm.coordinate_of(motion.velocity))
        {
            q[coordinate] = motion.signal.value(time);
        }
    }
    let locked = Conditions { joints: Vec::new(), ..conditions.clone() };
    let found = arm.static_equilibrium_under(&q, &locked);
    let q = found.map_or(q, |found| found.q);
    OperatingPoint::rest(arm, &q)
}
