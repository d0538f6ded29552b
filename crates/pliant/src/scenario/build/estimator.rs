//! State estimators of controllers.

use super::Bench;
use crate::control::{EstimatorSensors, Gauge, LawError, Model, StateEstimator};
use crate::scenario::controller_description::EstimatorDescription;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::simulate::{BlockInput, Clock, Delay, Sensor, SensorQuantity};
use std::sync::Arc;

/// The least noise of an encoder (rad, m) and of a gauge that is assumed.
const LEAST_NOISE: [f64; 2] = [1e-6, 1e-7];

/// The acceleration that the force of an unknown noise gives a joint if none is said (rad/s², m/s²).
const USUAL_NOISE: f64 = 1.0;

/// The controller that an estimator is for.
pub(super) struct Site<'a> {
    pub(super) place: &'a FaultPlace,
    pub(super) timing: Option<(Clock, Delay)>,
    /// Its sensors, by name.
    pub(super) sensors: &'a [String],
    /// Those of the joints of the plan, by index.
    pub(super) encoders: &'a [usize],
    /// The joints of the plan, by name.
    pub(super) joints: &'a [String],
    pub(super) model: &'a Model,
}

impl Bench<'_> {
    /// The estimator of a controller; adds the gauges that it reads to the encoders that the law
    /// reads.
    pub(super) fn estimator(
        &mut self,
        site: &Site<'_>,
        description: &EstimatorDescription,
        inputs: &mut Vec<BlockInput>,
    ) -> Option<StateEstimator> {
        let place = site.place.key("estimator");
        let Some((clock, delay)) = site.timing else {
            self.refuse(&place, LawError::NoClock { what: "an estimator" });
            return None;
        };
        let (found, gauges) = self.gauges(site)?;
        self.are_fast_enough(&site.place.key("sensors"), &found, site.timing);
        let arm = site.model.arm();
        // the model stands where the arm starts
        let (posture, _) = site.model.state();
        let forces = match &description.force_noise {
            Some(noise) => {
                let own = Arc::clone(&self.arm);
                let noise = noise.numbers("force_noise", site.joints, own.velocity_names(), None);
                noise.map_err(|error| self.refuse(&place.key("force_noise"), error)).ok()?
            }
            None => match arm.mass_matrix(&posture) {
                Ok(mass) => {
                    site.model.joints().iter().map(|&v| USUAL_NOISE * mass[(v, v)]).collect()
                }
                Err(error) => {
                    self.refuse(&place, error);
                    return None;
                }
            },
        };
        let bending =
            self.not_negative(&place, "bending_noise", description.bending_noise, "m/s^2")?;
        let deviation = |&i: &usize| deviation(&self.diagram.sensors[i], LEAST_NOISE[0]);
        let encoders = site.encoders.iter().map(deviation).collect();
        let senses = EstimatorSensors { encoders, gauges, forces, bending, period: clock.period() };
        match StateEstimator::new(site.model, description.kind, &posture, &senses) {
            Ok(estimator) => {
                inputs.extend(found.into_iter().map(BlockInput::Sensor));
                self.warn_of_delays(&place, inputs, delay);
                Some(estimator)
            }
            Err(error) => {
                self.refuse(&place, error);
                None
            }
        }
    }

    fn warn_of_delays(&mut self, place: &FaultPlace, inputs: &[BlockInput], delay: Delay) {
        let is_late = |source: &BlockInput| match source {
            BlockInput::Sensor(sensor) => self.diagram.sensors[*sensor].delay != Delay::None,
            _ => false,
        };
        let what = match (inputs.iter().any(is_late), delay) {
            (true, _) => "what its sensors show is late",
            (_, Delay::None) => return,
            _ => "its forces are late",
        };
        self.warn(place, ScenarioFaultKind::Late { what });
    }

    /// The gauges among the sensors, by index and on the links of the model.
    fn gauges(&mut self, site: &Site<'_>) -> Option<(Vec<usize>, Vec<Gauge>)> {
        let (plant, arm) = (Arc::clone(&self.arm), site.model.arm());
        let place = site.place.key("sensors");
        let (mut found, mut gauges) = (Vec::new(), Vec::new());
        let indices = self.sensors_by_name(&place, site.sensors)?;
        for (item, index) in indices.into_iter().enumerate() {
            let sensor = &self.diagram.sensors[index];
            match sensor.quantity {
                SensorQuantity::Strain { link, distance, place: beside } => {
                    let noise = deviation(sensor, LEAST_NOISE[1]);
                    let name = &plant.link_names()[link];
                    let own = arm.link_names().iter().position(|known| known == name);
                    let bends = |&link: &usize| {
                        arm.beam_of(link).is_some() && arm.sliding_of(link).is_none()
                    };
                    let Some(link) = own.filter(bends) else {
                        let kind = ScenarioFaultKind::ModelIsRigid { link: name.clone() };
                        self.refuse(&place.item(item), kind);
                        return None;
                    };
                    found.push(index);
                    gauges.push(Gauge { link, distance, place: beside, noise });
                }
                _ if site.encoders.contains(&index) => {}
                _ => {
                    let kind = ScenarioFaultKind::NotForEstimator { sensor: sensor.name.clone() };
                    self.refuse(&place.item(item), kind);
                    return None;
                }
            }
        }
        Some((found, gauges))
    }
}

/// The standard deviation of what a sensor shows; rounding is even over its step.
fn deviation(sensor: &Sensor, least: f64) -> f64 {
    let rounding = sensor.resolution / 12.0_f64.sqrt();
    sensor.noise.hypot(rounding).max(least)
}
