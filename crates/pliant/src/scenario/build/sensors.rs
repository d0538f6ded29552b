//! Sensors.

use super::Bench;
use crate::name::check_name;
use crate::scenario::description::{MeasuredQuantity, SensorDescription};
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::simulate::{Sensor, SensorQuantity};
use std::sync::Arc;

impl Bench<'_> {
    pub(super) fn sensors(&mut self) {
        let scenario = self.scenario;
        for (item, sensor) in scenario.sensors.iter().enumerate() {
            let place = FaultPlace::new("sensor").item(item).owned("sensor", &sensor.name);
            self.has_name(&place, &sensor.name, check_name(&sensor.name));
            if let Some(sensor) = self.sensor(&place, sensor) {
                self.diagram.sensors.push(sensor);
            }
        }
    }

    fn sensor(&mut self, place: &FaultPlace, sensor: &SensorDescription) -> Option<Sensor> {
        let measured = self.measured(place, &sensor.measures);
        let clock = self.clock(place, sensor.period, sensor.delay);
        let (quantity, unit) = measured?;
        let noise = self.not_negative(place, "noise", sensor.noise, unit);
        let resolution = self.not_negative(place, "resolution", sensor.resolution, unit);
        let (clock, delay) = clock?;
        let (name, noise, resolution) = (sensor.name.clone(), noise?, resolution?);
        Some(Sensor { name, quantity, clock, resolution, noise, delay })
    }

    /// What it measures, and in which unit.
    fn measured(
        &mut self,
        place: &FaultPlace,
        measures: &MeasuredQuantity,
    ) -> Option<(SensorQuantity, &'static str)> {
        let arm = Arc::clone(&self.arm);
        Some(match measures {
            MeasuredQuantity::Coordinate(name) => {
                let names = arm.configuration_names();
                let index = self.find(&place.key("coordinate"), "coordinate", name, names)?;
                let unit = arm.configuration_coordinates()[index].dimension.units()[0];
                (SensorQuantity::Coordinate(index), unit)
            }
            MeasuredQuantity::Strain { link, at, place: beside } => {
                let link = self.find(&place.key("link"), "link", link, arm.link_names())?;
                self.on_beam(place, link, *at)?;
                self.finite(place, "y", beside[0])?;
                self.finite(place, "z", beside[1])?;
                let quantity = SensorQuantity::Strain { link, distance: *at, place: *beside };
                (quantity, "1")
            }
            MeasuredQuantity::Acceleration { frame } => {
                let frame = self.frame(&place.key("frame"), frame)?;
                (SensorQuantity::SpecificForce { frame }, "m/s^2")
            }
            MeasuredQuantity::Position { frame } => {
                let frame = self.frame(&place.key("frame"), frame)?;
                (SensorQuantity::Position { frame }, "m")
            }
        })
    }

    /// Refuses a place that is not on a beam.
    fn on_beam(&mut self, place: &FaultPlace, number: usize, at: f64) -> Option<()> {
        let arm = Arc::clone(&self.arm);
        let link = arm.link_names()[number].clone();
        if arm.sliding_of(number).is_some() {
            self.refuse(&place.key("link"), ScenarioFaultKind::GaugeSlides { link });
            return None;
        }
        let Some(beam) = arm.beam_of(number) else {
            self.refuse(&place.key("link"), ScenarioFaultKind::NotBending { link });
            return None;
        };
        if !(0.0..=beam.length).contains(&at) {
            let length = beam.length;
            self.refuse(&place.key("at"), ScenarioFaultKind::OffBeam { link, at, length });
            return None;
        }
        Some(())
    }
}
