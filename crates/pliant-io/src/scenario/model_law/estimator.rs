//! State estimators of controllers.

use super::{Job, WithModel};
use crate::codes;
use crate::file_help;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::controller::slower;
use crate::scenario::gains::gains;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::NotNegative;
use crate::scenario::signal::listed;
use crate::shapes::{JointForce, OfCoordinates, Word, words};
use crate::table::table;
use pliant::control::{EstimatorKind, EstimatorSensors, Gauge, Model, StateEstimator};
use pliant::scenario::Simulation;
use pliant::scenario::Timing;
use pliant::simulate::{BlockInput, Delay, Sensor, SensorQuantity};
use std::ops::Range;

/// The least noise of an encoder (rad, m) and of a gauge that is assumed.
const LEAST_NOISE: [f64; 2] = [1e-6, 1e-7];

/// The acceleration that the force of an unknown noise gives a joint if none is said (rad/s², m/s²),
/// and that of bending (m/s²).
const USUAL_NOISE: [f64; 2] = [1.0, 0.1];

words! { EstimatorKind: "kalman" => EstimatorKind::Kalman, "extended" => EstimatorKind::Extended }

table! {
    /// Estimates joint and modal coordinates and their rates from encoders, strain gauges and the
    /// forces of the controller. The noise of a sensor is its own plus that of its quantisation, at
    /// least 1e-6 rad or m for an encoder and 1e-7 for a gauge.
    pub(crate) struct EstimatorTable = "an estimator", "write estimator = { kind = \"extended\" }";
    keys {
        /// A steady-state Kalman filter, linearised at the initial equilibrium, or an extended
        /// Kalman filter, linearised at the estimated state.
        kind: Word<EstimatorKind> [required],
        /// The standard deviation of unmodelled forces on each joint by name, independent at every
        /// sample.
        force_noise: OfCoordinates<JointForce>
            [or "the force that accelerates the joint by 1 rad/s^2 or m/s^2"],
        /// The same for modal coordinates, as the acceleration of each [m/s^2, rad/s^2].
        bending_noise: NotNegative [= USUAL_NOISE[1]],
    }
}

/// The estimator of a controller; adds the gauges that it reads to the encoders that the law reads.
pub(super) fn estimator(
    reader: &mut Reader,
    keys: &WithModel,
    job: &Job<'_>,
    inputs: &mut Vec<BlockInput>,
) -> Option<StateEstimator> {
    let Job { setup, plan, model, timing, kind } = *job;
    let (own, span) = (keys.estimator.get()?, keys.estimator.span_or(kind));
    let filter = own.kind.value?;
    let Timing::Ticks { clock, delay } = timing else {
        CONTROLLER.refuse(reader, span, "an estimator needs a clock", "add period = \"1 ms\"");
        return None;
    };
    let heard = inputs.iter().filter_map(|source| match source {
        BlockInput::Sensor(sensor) => Some(*sensor),
        _ => None,
    });
    let heard: Vec<usize> = heard.collect();
    let (found, gauges) = gauges(reader, keys, setup, model, &heard)?;
    for &sensor in &found {
        slower(reader, keys.sensors.span_or(kind), &setup.sensors[sensor], clock);
    }
    let arm = model.arm();
    // the model stands where the arm starts
    let (posture, _) = model.state();
    let forces = if own.force_noise.is_given() {
        gains(reader, &own.force_noise, None, (setup, plan))?
    } else {
        match arm.mass_matrix(&posture) {
            Ok(mass) => model.joints().iter().map(|&v| USUAL_NOISE[0] * mass[(v, v)]).collect(),
            Err(error) => {
                CONTROLLER.refuse_error(reader, span, &error);
                return None;
            }
        }
    };
    let bending = own.bending_noise.value?;
    let encoders = heard.iter().map(|&i| deviation(&setup.sensors[i], LEAST_NOISE[0])).collect();
    let senses = EstimatorSensors { encoders, gauges, forces, bending, period: clock.period() };
    match StateEstimator::new(model, filter, &posture, &senses) {
        Ok(estimator) => {
            inputs.extend(found.into_iter().map(BlockInput::Sensor));
            warn_of_delays(reader, span, setup, inputs, *delay);
            Some(estimator)
        }
        Err(error) => {
            let help = file_help::estimator(&error);
            let help = help.unwrap_or_else(|| "change the estimator".to_owned());
            CONTROLLER.refuse(reader, span, error.to_string(), help);
            None
        }
    }
}

fn warn_of_delays(
    reader: &mut Reader,
    span: Range<usize>,
    setup: &Simulation,
    inputs: &[BlockInput],
    delay: Delay,
) {
    let is_late = |source: &BlockInput| match source {
        BlockInput::Sensor(sensor) => setup.sensors[*sensor].delay != Delay::None,
        _ => false,
    };
    let what = match (inputs.iter().any(is_late), delay) {
        (true, _) => "what its sensors show is late",
        (_, Delay::None) => return,
        _ => "its forces are late",
    };
    reader.push(
        Problem::warning(&codes::CONTROLLER, format!("{what}, which its estimator does not know"))
            .at(span)
            .label("assumes that nothing is late")
            .help("leave the delays out to see what they change"),
    );
}

/// The standard deviation of what a sensor shows; rounding is even over its step.
fn deviation(sensor: &Sensor, least: f64) -> f64 {
    let rounding = sensor.resolution / 12.0_f64.sqrt();
    sensor.noise.hypot(rounding).max(least)
}

/// The gauges among the sensors, by index and on the links of the model.
fn gauges(
    reader: &mut Reader,
    keys: &WithModel,
    setup: &Simulation,
    model: &Model,
    encoders: &[usize],
) -> Option<(Vec<usize>, Vec<Gauge>)> {
    let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
    let (mut found, mut gauges) = (Vec::new(), Vec::new());
    for name in keys.sensors.get()? {
        let index = listed(reader, "sensor", name, &names)?;
        let sensor = &setup.sensors[index];
        let mut wrong = |message: String, help: &str| {
            reader.push(
                Problem::error(&codes::CONTROLLER, message)
                    .at(name.span.clone())
                    .label("its estimator cannot use this")
                    .help(help),
            );
        };
        match sensor.quantity {
            SensorQuantity::Strain { link, distance, place } => {
                let name = &setup.arm.link_names()[link];
                let arm = model.arm();
                let own = arm.link_names().iter().position(|known| known == name);
                let bends =
                    |&link: &usize| arm.beam_of(link).is_some() && arm.sliding_of(link).is_none();
                let Some(link) = own.filter(bends) else {
                    wrong(
                        format!("link {} of its model does not bend", quoted(name)),
                        "leave this gauge out, or give the model a link that bends",
                    );
                    return None;
                };
                let noise = deviation(sensor, LEAST_NOISE[1]);
                found.push(index);
                gauges.push(Gauge { link, distance, place, noise });
            }
            _ if encoders.contains(&index) => {}
            _ => {
                wrong(
                    format!(
                        "sensor {} measures neither a strain nor a joint of the plan, or one that another does",
                        quoted(&sensor.name)
                    ),
                    "name encoders of the joints of the plan and strain gauges",
                );
                return None;
            }
        }
    }
    Some((found, gauges))
}
