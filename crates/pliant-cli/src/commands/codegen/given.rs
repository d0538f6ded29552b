//! What sources are of: an arm, or the model of a controller of a scenario.

use super::{Codegen, LeftOut, What};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::ValueEnum as _;
use pliant::arm::Builder;
use pliant::codegen::{CodeContent, CodeController, CodeSettings, CodeSubject, SourceDraft};
use pliant::compile::Parameters;
use pliant::reproduce::Variants;
use pliant::scenario::{ControllerKind, DrivenMotors, Measurements, PlanFollower, Simulation};
use pliant::simulate::{Sensor, SensorQuantity};
use pliant_io::scenario::{self, Setup};
use pliant_io::{Loaded, load_with_parameters, results};
use std::cell::Cell;
use std::path::Path;

/// What sources are of, as it was read.
pub(super) enum Given {
    Arm(Box<(Loaded, Parameters)>),
    Scenario(Box<GivenScenario>),
}

/// A scenario, and whose equations are written.
pub(super) struct GivenScenario {
    setup: Setup,
    hash: String,
    /// What an estimator of the controller measures.
    sensors: Vec<String>,
    /// The controller, by number, or why there is none.
    controller: Result<usize, String>,
    /// Whether its model is asked for, whatever can be had of it.
    is_named: bool,
    /// Whether the arm's equations are written all the same.
    takes_arm: Cell<bool>,
}

impl Given {
    pub(super) fn subject(&self) -> CodeSubject<'_> {
        match self {
            Self::Arm(own) => CodeSubject::Parameters(&own.1),
            Self::Scenario(own) => match own.at() {
                Some(at) => own.controller_at(at),
                None => CodeSubject::Arm(&own.setup.simulation.arm),
            },
        }
    }

    /// What the arm was built from, and which equations it asks for.
    pub(super) fn description(&self) -> (Builder, Variants) {
        let own = match self {
            Self::Arm(own) => return (own.0.description.clone(), own.0.variants.clone()),
            Self::Scenario(own) => own,
        };
        let simulation = &own.setup.simulation;
        let whole = (simulation.description.clone(), simulation.scenario.variants.clone());
        let Some(at) = own.at() else { return whole };
        // laws see elastic joints as rigid
        let kind = simulation.scenario.controllers.get(at).map(|own| &own.kind);
        if let Some(ControllerKind::Follow(PlanFollower { model: Some(model), .. })) = kind {
            let gravity = simulation.arm.gravity().to_array();
            let model = Builder::clone(model).gravity(gravity);
            return (model.rigid_joints(), Variants::default());
        }
        (whole.0.rigid_joints(), whole.1)
    }

    /// Whose equations these are.
    pub(super) fn whose(&self) -> String {
        let name = |description: &Builder| description.parts().name.to_owned();
        let of_controller = match self {
            Self::Arm(_) => None,
            Self::Scenario(own) => own.at().map(|at| &own.setup.simulation.controllers[at].name),
        };
        let (description, _) = self.description();
        let arm = name(&description);
        match of_controller {
            Some(own) => format!(
                "these are the equations of \"{arm}\" as the model of the controller \"{own}\" has it"
            ),
            None => format!("these are the equations of the arm \"{arm}\""),
        }
    }

    /// Begins with the laws and estimators that can be had of the controller, and tells why not, of each
    /// that cannot. Decides for the arm where there are none.
    pub(super) fn begin(&self, settings: &CodeSettings) -> (Option<SourceDraft<'_>>, LeftOut) {
        let Self::Scenario(own) = self else { return (None, Vec::new()) };
        let laws = [CodeContent::Composite, CodeContent::Estimator];
        let draft = match &own.controller {
            Ok(at) => SourceDraft::new(own.controller_at(*at), settings)
                .map_err(|error| error.to_string()),
            Err(reason) => Err(reason.clone()),
        };
        match draft {
            Ok(mut draft) => {
                let add =
                    |law: &CodeContent| Some((law.clone(), draft.add(law).err()?.to_string()));
                let left_out: LeftOut = laws.iter().filter_map(add).collect();
                let takes_arm = left_out.len() == laws.len() && !own.is_named;
                own.takes_arm.set(takes_arm);
                (Some(draft).filter(|_| !takes_arm), left_out)
            }
            Err(reason) => {
                own.takes_arm.set(true);
                (None, laws.map(|law| (law, reason.clone())).to_vec())
            }
        }
    }
}

impl GivenScenario {
    /// The controller whose model it is, if it is one.
    fn at(&self) -> Option<usize> {
        self.controller.as_ref().ok().copied().filter(|_| !self.takes_arm.get())
    }

    fn controller_at(&self, at: usize) -> CodeSubject<'_> {
        let DrivenMotors { name, controller, period, .. } = &self.setup.simulation.controllers[at];
        let scenario = Some(self.hash.as_str());
        let (period, sensors) = (*period, &self.sensors[..]);
        CodeSubject::Controller(CodeController { name, controller, period, scenario, sensors })
    }
}

/// What an estimator of a controller measures, with its unit: encoders in the order of the plan, then
/// gauges in that of its sensors.
fn measured(simulation: &Simulation, at: usize) -> Vec<String> {
    let kind = simulation.scenario.controllers.get(at).map(|own| &own.kind);
    let (Some(ControllerKind::Follow(follower)), Some(plan)) = (kind, &simulation.plan) else {
        return Vec::new();
    };
    let Measurements::Estimator(names, _) = &follower.measures else { return Vec::new() };
    let arm = &simulation.arm;
    let find = |name: &String| simulation.diagram.sensors.iter().find(|own| own.name == *name);
    let sensors: Vec<&Sensor> = names.iter().filter_map(find).collect();
    let encoder = |v: &usize| {
        let sides = [*v, arm.motor_of(*v)].map(|v| arm.coordinate_of(v));
        sensors.iter().find_map(|own| match own.quantity {
            SensorQuantity::Coordinate(c) if sides.contains(&Some(c)) => {
                let coordinate = &arm.configuration_coordinates()[c];
                let unit = coordinate.dimension.units()[0];
                Some(format!("[{unit}]: encoder \"{}\" of \"{}\"", own.name, coordinate.name))
            }
            _ => None,
        })
    };
    let gauge = |own: &&Sensor| match own.quantity {
        SensorQuantity::Strain { link, distance, place: [y, z] } => {
            let (name, link) = (&own.name, &arm.link_names()[link]);
            Some(format!(
                "[1]: strain gauge \"{name}\" of link \"{link}\", {distance} m from the root of what bends, \
                 {y} m along y and {z} m along z from the axis"
            ))
        }
        _ => None,
    };
    plan.velocities.iter().filter_map(encoder).chain(sensors.iter().filter_map(gauge)).collect()
}

impl Codegen {
    /// The arm with its parameters, if any, or a scenario for its controller; shows its warnings.
    pub(super) fn read(&self, output: &Output) -> Result<Given, Failure> {
        let asked = self.what.iter().find(|own| matches!(own, What::Composite | What::Estimator));
        let is_scenario = || scenario::is_scenario(&self.arm);
        let is_named = self.controller.is_some();
        let for_controller = asked.is_some() || is_named;
        let (has_all, is_pipe) = (self.what.contains(&What::All), self.arm == Path::new("-"));
        if has_all && !for_controller && is_pipe {
            let message = "all depends on whether it is of an arm or of a scenario, and the standard \
                 input can be read only once";
            return Err(Failure::input(
                message,
                "give the file by its name, or name the functions instead of all",
            ));
        }
        if for_controller && !self.parameters.is_empty() {
            let message = "gains are those of the arm as it is, not of an arm with parameters";
            return Err(Failure::input(
                message,
                "leave --parameters out, or what needs a controller",
            ));
        }
        if !(for_controller || has_all && self.parameters.is_empty() && is_scenario()) {
            return self.read_arm(output);
        }
        if for_controller && !is_pipe && !is_scenario() {
            let what = asked.and_then(What::to_possible_value);
            let what = what.map_or("--controller".to_owned(), |own| own.get_name().to_owned());
            let message =
                format!("{what} needs gains, clocks and sensors, which an arm file does not have");
            return Err(Failure::input(message, "give a scenario with a controller"));
        }
        let setup = self.set.load_scenario(&self.arm, output)?;
        let controller = match self.chosen(&setup.simulation.controllers) {
            Err((message, help)) if for_controller => return Err(Failure::input(message, help)),
            // the remedy is for laws, which "all" does not ask for by their names
            chosen => chosen.map_err(|(message, help)| format!("{message}; {help}")),
        };
        let hash = results::hash(&setup.text);
        let sensors = controller.as_ref().map_or(Vec::new(), |at| measured(&setup.simulation, *at));
        let own = GivenScenario {
            setup,
            hash,
            sensors,
            controller,
            is_named,
            takes_arm: Cell::new(false),
        };
        Ok(Given::Scenario(Box::new(own)))
    }

    /// The controller that is named, or the only one that follows the plan; or why there is none, and
    /// what would be right.
    fn chosen(&self, controllers: &[DrivenMotors]) -> Result<usize, (String, String)> {
        let follow: Vec<usize> =
            (0..controllers.len()).filter(|at| controllers[*at].follows_plan).collect();
        let names: Vec<&str> = follow.iter().map(|at| controllers[*at].name.as_str()).collect();
        let there = match names[..] {
            [] => {
                "give a scenario with a controller that follows a plan, or leave out what needs one"
                    .to_owned()
            }
            _ => format!("give --controller one of \"{}\"", names.join("\", \"")),
        };
        if let Some(name) = &self.controller {
            let found = controllers.iter().position(|own| own.name == *name);
            let message = format!("the scenario has no controller named \"{name}\"");
            return found.ok_or((message, there));
        }
        match follow[..] {
            [at] => Ok(at),
            [] => Err(("no controller of the scenario follows a plan".to_owned(), there)),
            _ => Err(("several controllers follow the plan".to_owned(), there)),
        }
    }

    fn read_arm(&self, output: &Output) -> Result<Given, Failure> {
        if self.parameters.is_empty() {
            let loaded = self.set.load(&self.arm, output)?;
            let parameters = Parameters::none(loaded.arm.clone());
            return Ok(Given::Arm(Box::new((loaded, parameters))));
        }
        let names: Vec<&str> = self.parameters.iter().map(|name| name.trim()).collect();
        let settings = self.set.settings()?;
        let progress = Progress::new(output, READING_PARAMETERS);
        let (loaded, parameters) = load_with_parameters(&self.arm, &settings, &names)?;
        drop(progress);
        output.warn(&loaded.warnings);
        Ok(Given::Arm(Box::new((loaded, parameters))))
    }
}

const READING_PARAMETERS: &str = "reading the arm, and what depends on its parameters";
