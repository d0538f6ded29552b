//! From the text of a scenario to its setup.

use super::arm::{self, Given, NoArm};
use super::file::{EventTable, Record, ScenarioTable};
use super::method::method;
use super::shapes::Listed;
use super::signal::{input, prescribed};
use super::text::{Surroundings, as_run};
use super::{Setup, controller, faults, plan, sensor};
use crate::arm_file::ill_conditioned;
use crate::codes;
use crate::load::Loaded;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::setting::Setting;
use crate::shapes::Unread;
use crate::source::Source;
use crate::state::{Side, vector};
use crate::table::{Kinds as _, Table as _};
use pliant::arm::Arm;
use pliant::name::nearest_title;
use pliant::scenario::{FaultPlace, Record as Recorded, Scenario, Simulation, Start};
use pliant::simulate::{Direction, Event, EventAction, EventQuantity};
use std::path::Path;
use std::sync::Arc;

/// The duration (s) of what is looked at although its own cannot be read, which has been told.
const USUAL_DURATION: f64 = 1.0;

/// Reads a scenario; if wished, its loops are looked at.
pub(super) fn read(
    source: &Source,
    folder: &Path,
    settings: &[Setting],
    examines: bool,
) -> Result<Setup, Report> {
    let mut root = crate::load::tree(source)?;
    if let Some(problem) = no_scenario(source, &root) {
        return Err(Report::new(source.clone(), vec![problem]));
    }
    let (source, of_arm) = set(source, &mut root, settings)?;
    let settings = Settings { all: settings, of_arm };
    let mut reader = Reader::default();
    let setup = match setup(&mut reader, &source, &root, &settings, (folder, examines)) {
        Err(NoArm::File(report)) if !reader.has_errors() => return Err(report),
        Err(_) => None,
        Ok(setup) => setup,
    };
    let report = Report::new(source, reader.problems);
    match setup {
        Some(mut setup) if report.count(Severity::Error) == 0 => {
            if !report.is_empty() {
                setup.warnings.push(report);
            }
            Ok(setup)
        }
        _ => Err(report),
    }
}

/// That a file is an arm, a study or an entry.
fn no_scenario(source: &Source, root: &Node) -> Option<Problem> {
    if crate::gallery::is_entry_tree(root) {
        let key = root.entry("document")?;
        let message = "this is an entry of a gallery, whose scenarios stand beside it";
        let problem = Problem::error(&codes::NOT_A_SCENARIO, message).at(key.key_span.clone());
        let help = "pliant gallery --from FOLDER computes the entry of a folder";
        return Some(problem.label("its document").help(help));
    }
    if crate::study::is_study_tree(root) {
        let key = root.entry("scenario")?;
        let message = "this is a study of a scenario, which is run many times";
        let problem = Problem::error(&codes::NOT_A_SCENARIO, message).at(key.key_span.clone());
        let command = if root.entry("optimise").is_some() { "optimise" } else { "sweep" };
        let help = format!("pliant {command} {} runs it", source.name());
        return Some(problem.label("its scenario").help(help));
    }
    let link = root.entry("link")?;
    if root.entry("arm").is_some() || root.entry("duration").is_some() {
        return None;
    }
    let name = source.name();
    let help = format!(
        "pliant new motion --arm {name} writes a scenario that moves it; pliant modes, dynamics and \
         linearise need none"
    );
    let message = "this is an arm, and no motion of it is given";
    let problem = Problem::error(&codes::NOT_A_SCENARIO, message).at(link.key_span.clone());
    Some(problem.label("the links of an arm").help(help))
}

/// The settings of a scenario, and those of them that are for the file of its arm.
struct Settings<'a> {
    all: &'a [Setting],
    of_arm: Vec<Setting>,
}

/// Puts settings into the tree of a scenario; those for the file of its arm remain.
fn set(
    source: &Source,
    root: &mut Node,
    settings: &[Setting],
) -> Result<(Source, Vec<Setting>), Report> {
    let is_elsewhere = |entry: &Entry| matches!(entry.node.value, Value::Text(_));
    let is_elsewhere = root.entry("arm").is_some_and(is_elsewhere);
    let below = |setting: &Setting| setting.below("arm").filter(|_| is_elsewhere);
    let own: Vec<Setting> = settings.iter().filter(|one| below(one).is_none()).cloned().collect();
    let source = Setting::apply(&own, source, root)?;
    Ok((source, settings.iter().filter_map(below).collect()))
}

/// Reads the arm of a scenario, under the scenario's gravity.
pub(crate) fn arm_of(
    source: &Source,
    mut root: Node,
    folder: &Path,
    settings: &[Setting],
) -> Result<Loaded, Report> {
    let (source, settings) = set(source, &mut root, settings)?;
    let mut reader = Reader::default();
    let table = ScenarioTable::read(&mut reader, "the scenario", &root);
    let node = table.as_ref().and_then(|table| table.arm.get());
    let given = match node.map(|node| arm::arm(&mut reader, node, folder, &settings)) {
        Some(Err(NoArm::File(report))) if !reader.has_errors() => return Err(report),
        Some(Ok(given)) => Some(given),
        _ => None,
    };
    let report = Report::new(source, reader.problems);
    let (Some(table), Some(given), 0) = (table, given, report.count(Severity::Error)) else {
        return Err(report);
    };
    let gravity = table.gravity.value;
    let arm = match gravity {
        Some(gravity) => given.arm.with_gravity(gravity.into()),
        None => given.arm,
    };
    let description = match gravity {
        Some(gravity) => given.description.gravity(gravity),
        None => given.description,
    };
    let warnings = given.warnings.unwrap_or(report);
    Ok(Loaded { arm, description, variants: given.variants, warnings })
}

fn setup(
    reader: &mut Reader,
    source: &Source,
    root: &Node,
    settings: &Settings<'_>,
    (folder, examines): (&Path, bool),
) -> Result<Option<Setup>, NoArm> {
    let Some(table) = ScenarioTable::read(reader, "the scenario", root) else {
        return Ok(None);
    };
    let method = method(reader, &table.method);
    let Some(node) = table.arm.get() else {
        return Ok(None);
    };
    let given = arm::arm(reader, node, folder, &settings.of_arm)?;
    let Some(arm) = under_gravity(&table, &given) else {
        return Ok(None);
    };
    let mut around = Surroundings::new(source, folder, &arm);
    let mut scenario = scenario(reader, &mut around, &table, &given);
    scenario.method = method.unwrap_or_default();
    let text = as_run(&around, root, settings.all, (&table.arm, &given));
    let found = build(reader, (source, root), &around, &scenario, (&arm, &given, examines));
    let warnings = given.warnings.iter().cloned().collect();
    let left_out = Vec::new();
    Ok(found.map(|simulation| Setup { simulation, text, warnings, left_out }))
}

/// The arm under the gravity of the scenario; none where it cannot be built, which is told elsewhere.
pub(super) fn under_gravity(table: &ScenarioTable, given: &Given) -> Option<Arc<Arm>> {
    match table.gravity.value {
        // what could be built can be built with another gravity
        Some(gravity) => given.description.clone().gravity(gravity).build().ok().map(Arc::new),
        None => Some(Arc::new(given.arm.clone())),
    }
}

/// Builds a scenario and tells its faults.
pub(super) fn build(
    reader: &mut Reader,
    (source, root): (&Source, &Node),
    around: &Surroundings<'_>,
    scenario: &Scenario,
    (arm, given, examines): (&Arc<Arm>, &Given, bool),
) -> Option<Simulation> {
    let file = faults::File::new(source, root, around, reader);
    let built = if scenario.has_stations() {
        scenario.build()
    } else {
        scenario.build_with(Arc::clone(arm))
    };
    let (simulation, faults) = match built {
        Ok(mut simulation) => {
            if examines && !reader.has_errors() {
                let found = simulation.loop_warnings();
                simulation.warnings.extend(found);
            }
            let warnings = simulation.warnings.clone();
            (Some(simulation), warnings)
        }
        Err(error) => (None, error.faults),
    };
    let problems: Vec<_> = faults.iter().filter_map(|fault| file.problem(fault)).collect();
    let is_of_arm = |problem: &Problem| {
        problem.code == &codes::ILL_CONDITIONED && ill_conditioned(&given.arm).is_some()
    };
    for problem in problems.into_iter().filter(|problem| !is_of_arm(problem)) {
        // what two parts need is told once
        if !reader.problems.contains(&problem) {
            reader.push(problem);
        }
    }
    simulation
}

/// What the file says. What cannot be read has been told, and is left out or taken as usual.
pub(super) fn scenario(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &ScenarioTable,
    given: &Given,
) -> Scenario {
    let duration = table.duration.value.unwrap_or(USUAL_DURATION);
    let mut scenario = Scenario::new(given.description.clone(), duration);
    scenario.variants = given.variants.clone();
    scenario.gravity = table.gravity.value;
    scenario.start = table.start.value.unwrap_or(Start::AsGiven);
    scenario.tip = table.tip.get().cloned();
    scenario.settling_band = table.settling_band.value.unwrap_or(scenario.settling_band);
    scenario.limits = table.limits.value.unwrap_or(scenario.limits);
    #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
    let seed = table.seed.value.unwrap_or(0.0) as u64;
    scenario.seed = seed;
    scenario.fuse = table.fuse.value.unwrap_or(false);
    let arm = around.arm;
    if let Some(Unread { node, .. }) = table.initial.get() {
        let mut q = arm.neutral();
        vector(reader, table.initial.name(), node, arm, Side::Configuration, &mut q);
        scenario.initial = arm.configuration_names().iter().cloned().zip(q).collect();
    }
    if let Some(Unread { node, measure }) = table.rates.get() {
        let mut u = vec![0.0; arm.nv()];
        vector(reader, table.rates.name(), node, arm, Side::Velocity(*measure), &mut u);
        scenario.rates = arm.velocity_names().iter().cloned().zip(u).collect();
    }
    for table in table.input.get().into_iter().flatten() {
        if let Some(input) = input(reader, around, table) {
            around.listed.add(&FaultPlace::new("input"), table.span());
            scenario.inputs.push(input);
        }
    }
    for table in table.prescribed.get().into_iter().flatten() {
        if let Some(motion) = prescribed(reader, around, table) {
            around.listed.add(&FaultPlace::new("prescribed"), table.span());
            scenario.prescribed.push(motion);
        }
    }
    for table in table.sensor.get().into_iter().flatten() {
        if let Some(sensor) = sensor::sensor(reader, around, table) {
            around.listed.add(&FaultPlace::new("sensor"), table.span());
            scenario.sensors.push(sensor);
        }
        reader.whose.clear();
    }
    scenario.plan = table.plan.get().and_then(|table| plan::plan(reader, around, table));
    for table in table.controller.get().into_iter().flatten() {
        let place = FaultPlace::new("controller").item(scenario.controllers.len());
        if let Some(controller) = controller::controller(reader, around, table, &place) {
            around.listed.add(&FaultPlace::new("controller"), table.span());
            scenario.controllers.push(controller);
        }
        reader.whose.clear();
    }
    if let Some(record) = table.record.get() {
        scenario.record = recorded(reader, record);
    }
    for table in table.event.get().into_iter().flatten() {
        if let Some(event) = event(table) {
            around.listed.add(&FaultPlace::new("event"), &table.span);
            scenario.events.push(event);
        }
    }
    scenario
}

fn recorded(reader: &mut Reader, Record { every, channels, .. }: &Record) -> Recorded {
    let mut now = |Listed { name, span }: &Listed| match renamed_channel(name) {
        Some(now) => {
            reader.renamed(&quoted(name), &quoted(&now), span);
            now
        }
        None => name.clone(),
    };
    let channels = channels.get().map(|channels| channels.iter().map(&mut now).collect());
    Recorded { every: every.value.unwrap_or(Recorded::default().every), channels }
}

/// What a name or pattern of channels of earlier versions is now; none where it is none of theirs.
pub fn renamed_channel(pattern: &str) -> Option<String> {
    pattern.contains(".believed.").then(|| pattern.replace(".believed.", ".estimate."))
}

fn event(table: &EventTable) -> Option<Event> {
    let expression = table.expression.get()?.clone();
    Some(Event {
        name: table.name.get().cloned().unwrap_or_else(|| nearest_title(&expression)),
        quantity: EventQuantity::Expression(expression),
        direction: table.direction.value.unwrap_or(Direction::Either),
        action: table.action.value.unwrap_or(EventAction::Report),
    })
}
