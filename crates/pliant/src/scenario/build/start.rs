//! The state at the start.

use super::Bench;
use crate::arm::CoordinateRole;
use crate::scenario::description::Start;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::simulate::PrescribedQuantity;
use std::sync::Arc;

/// A start and a motion that differ by a smaller part are written with few digits.
const OFF_MOTION: f64 = 1e-6;

impl Bench<'_> {
    /// State, limits and seed.
    pub(super) fn state(&mut self) {
        let (arm, scenario) = (Arc::clone(&self.arm), self.scenario);
        self.diagram.seed = scenario.seed;
        self.diagram.fuse = scenario.fuse;
        self.diagram.limits = scenario.limits;
        let place = FaultPlace::new("initial");
        let mut q = arm.neutral();
        self.by_name(&place, &scenario.initial, arm.configuration_names(), &mut q);
        if !self.has_errors()
            && let Err(error) = arm.check_configuration(&q)
        {
            self.refuse(&place, error);
        }
        let mut u = vec![0.0; arm.nv()];
        self.by_name(&FaultPlace::new("rates"), &scenario.rates, arm.velocity_names(), &mut u);
        self.relax(&scenario.initial, arm.configuration_names(), &mut q, |body| {
            arm.configuration_of(body).start
        });
        self.relax(&scenario.rates, arm.velocity_names(), &mut u, |body| {
            arm.velocities_of(body).start
        });
        // prescribed joints start where they are told to
        for motion in self.diagram.prescribed.clone() {
            let (start, v) = (motion.start(scenario.duration), motion.velocity);
            let position = arm.coordinate_of(v);
            if let (Some(i), PrescribedQuantity::Position) = (position, motion.given) {
                self.agrees("initial", &scenario.initial, v, start.value);
                self.agrees("rates", &scenario.rates, v, start.rate);
                q[i] = start.value;
            } else if motion.given == PrescribedQuantity::Rate {
                self.agrees("rates", &scenario.rates, v, start.value);
            }
        }
        (self.diagram.q, self.diagram.u) = (q, u);
        if scenario.limits.is_some() {
            self.within_limits();
        }
    }

    /// Tells of a start of a prescribed coordinate that its motion does not have.
    fn agrees(&mut self, table: &str, given: &[(String, f64)], velocity: usize, told: f64) {
        let own = &self.arm.velocity_coordinates()[velocity];
        let (coordinate, units) = (own.name.clone(), own.dimension.units());
        let Some(&(_, given)) = given.iter().find(|(name, _)| *name == coordinate) else { return };
        if (given - told).abs() > OFF_MOTION * given.abs().max(told.abs()) {
            let unit = units[usize::from(table == "rates")];
            let place = FaultPlace::new(table).key(&coordinate);
            let kind = ScenarioFaultKind::StartsOffMotion { coordinate, given, told, unit };
            self.warn(&place, kind);
        }
    }

    /// Numbers by name.
    pub(super) fn by_name(
        &mut self,
        place: &FaultPlace,
        numbers: &[(String, f64)],
        known: &[String],
        values: &mut [f64],
    ) {
        for (k, (name, value)) in numbers.iter().enumerate() {
            let place = place.key(name);
            if numbers[..k].iter().any(|(other, _)| other == name) {
                self.refuse(&place, ScenarioFaultKind::Twice { name: name.clone() });
                continue;
            }
            let Some(index) = self.find(&place, "coordinate", name, known) else { continue };
            if !value.is_finite() {
                let (key, value) = (name.clone(), *value);
                self.refuse(&place, ScenarioFaultKind::NotFinite { key, value });
                continue;
            }
            values[index] = *value;
        }
    }

    /// Where the link of an elastic joint is given and the motor is not, the spring is relaxed.
    fn relax(
        &self,
        given: &[(String, f64)],
        names: &[String],
        values: &mut [f64],
        start: impl Fn(usize) -> usize,
    ) {
        let arm = &self.arm;
        for rotor in (0..arm.body_count()).filter(|&body| arm.is_rotor(body)) {
            let Some(link) = arm.link_of_rotor(rotor) else { continue };
            let [link, motor] = [link, rotor].map(&start);
            let is_given = |at: usize| given.iter().any(|(name, _)| *name == names[at]);
            if is_given(link) && !is_given(motor) {
                values[motor] = values[link];
            }
        }
    }

    fn within_limits(&mut self) {
        let arm = Arc::clone(&self.arm);
        for (index, coordinate) in arm.configuration_coordinates().iter().enumerate() {
            // a stroke is refused elsewhere
            let limits = arm.limits()[index].filter(|_| coordinate.role != CoordinateRole::Length);
            let Some(limits) = limits else { continue };
            let value = self.diagram.q[index];
            if !(limits.lower..=limits.upper).contains(&value) {
                let name = coordinate.name.clone();
                let is_given = self.scenario.initial.iter().any(|(given, _)| *given == name);
                let initial = FaultPlace::new("initial");
                let place = if is_given { initial.key(&name) } else { FaultPlace::default() };
                let unit = coordinate.dimension.units()[0];
                let (lower, upper, coordinate) = (limits.lower, limits.upper, name);
                let kind = ScenarioFaultKind::StartsOutside {
                    coordinate,
                    value,
                    lower,
                    upper,
                    unit,
                    is_given,
                };
                self.refuse(&place, kind);
            }
        }
    }

    /// Bends the links as they rest under gravity, under the loads of the start, and as prescribed
    /// joints turn then; the joints are held.
    pub(super) fn rest(&mut self) {
        if self.scenario.start != Start::StaticEquilibrium || self.has_errors() {
            return;
        }
        let (arm, place) = (Arc::clone(&self.arm), FaultPlace::new("start"));
        match arm.static_equilibrium_under(&self.diagram.q, &self.diagram.conditions_at_start()) {
            Ok(equilibrium) => {
                self.diagram.q = equilibrium.q;
                if !equilibrium.stable {
                    self.warn(&place, ScenarioFaultKind::UnstableEquilibrium);
                }
            }
            Err(error) => self.refuse(&place, ScenarioFaultKind::NoEquilibrium(error)),
        }
    }
}
