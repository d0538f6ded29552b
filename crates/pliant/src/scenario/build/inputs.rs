//! Forces of motors, loads and prescribed motions.

use super::Bench;
use crate::scenario::description::InputTarget;
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::simulate::{DiagramError, ExternalLoad, Motor, PrescribedMotion};
use crate::spatial::Force;

/// The place of an input.
fn input_place(item: usize) -> FaultPlace {
    FaultPlace::new("input").item(item)
}

/// The place of a prescribed motion.
fn prescribed_place(item: usize) -> FaultPlace {
    FaultPlace::new("prescribed").item(item)
}

impl Bench<'_> {
    pub(super) fn inputs(&mut self) {
        let scenario = self.scenario;
        for (item, input) in scenario.inputs.iter().enumerate() {
            let (place, signal) = (input_place(item), input.signal.clone());
            if self.signal(&place, &signal).is_none() {
                continue;
            }
            match &input.target {
                InputTarget::Motor(name) => {
                    if let Some(velocity) = self.motor(&place.key("motor"), name) {
                        self.diagram.motors.push(Motor { velocity, signal });
                    }
                }
                InputTarget::Load { frame, force, moment, axes } => {
                    let all_finite = [("force", force), ("moment", moment)].map(|(key, vector)| {
                        let worst = vector.iter().copied().find(|number| !number.is_finite());
                        worst.is_none_or(|number| self.finite(&place, key, number).is_some())
                    });
                    if let Some(frame) = self.frame(&place.key("frame"), frame)
                        && all_finite == [true; 2]
                    {
                        let wrench = Force::new((*force).into(), (*moment).into());
                        self.diagram.loads.push(ExternalLoad {
                            frame,
                            wrench,
                            axes: *axes,
                            signal,
                        });
                    }
                }
            }
        }
        for (item, motion) in scenario.prescribed.iter().enumerate() {
            let place = prescribed_place(item).key("coordinate");
            let Some(velocity) = self.velocity(&place, "coordinate", &motion.coordinate) else {
                continue;
            };
            let coordinate = self.arm.velocity_names()[velocity].clone();
            if self.arm.free_velocities().contains(&velocity) {
                self.refuse(&place, ScenarioFaultKind::NotPrescribed { coordinate });
                continue;
            }
            let is_same = |other: &String| *other == motion.coordinate;
            let mut earlier = scenario.prescribed[..item].iter().map(|one| &one.coordinate);
            if let Some(first) = earlier.position(is_same) {
                self.refuse(&place, ScenarioFaultKind::MotionTwice { coordinate });
                if let Some(fault) = self.faults.last_mut() {
                    fault.related = Some(prescribed_place(first).key("coordinate"));
                }
                continue;
            }
            let signal = motion.signal.clone();
            if self.signal(&prescribed_place(item), &signal).is_none() {
                continue;
            }
            let motion = PrescribedMotion { velocity, given: motion.gives, signal };
            self.diagram.prescribed.push(motion);
        }
    }

    /// Where that stands which the diagram as a whole refuses.
    pub(super) fn place_of(&self, error: &DiagramError) -> FaultPlace {
        let scenario = self.scenario;
        let motion = |name: &str| {
            let drives = |target: &InputTarget| match target {
                InputTarget::Motor(motor) => motor == name,
                InputTarget::Load { .. } => false,
            };
            let motor = scenario.inputs.iter().position(|input| drives(&input.target));
            let motor = motor.map(|item| input_place(item).key("motor"));
            let prescribed = scenario.prescribed.iter().position(|one| one.coordinate == name);
            motor.or_else(|| prescribed.map(|item| prescribed_place(item).key("coordinate")))
        };
        let place = match error {
            DiagramError::Jump { coordinate, .. }
            | DiagramError::Unbounded { coordinate, .. }
            | DiagramError::NoPosition { coordinate }
            | DiagramError::MotorOfPrescribed { coordinate }
            | DiagramError::NoMotor { coordinate, .. }
            | DiagramError::NotPrescribed { coordinate }
            | DiagramError::PrescribedTwice { coordinate } => motion(coordinate),
            DiagramError::SameName { name } => {
                let of = |known: &str| {
                    let rest = name.strip_prefix(known);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                let controllers = scenario.controllers.iter();
                let controller = controllers.clone().rposition(|one| of(&one.name));
                let sensor = scenario.sensors.iter().rposition(|one| of(&one.name));
                let place = controller.map(|item| FaultPlace::new("controller").item(item));
                let place = place.or_else(|| sensor.map(|i| FaultPlace::new("sensor").item(i)));
                place.map(|place| place.key("name"))
            }
            DiagramError::Clock { .. } => Some(FaultPlace::new("record")),
            DiagramError::State(_) => Some(FaultPlace::new("initial")),
            DiagramError::Event { .. } => Some(FaultPlace::new("event").item(0).key("expression")),
            _ => None,
        };
        place.unwrap_or_default()
    }
}
