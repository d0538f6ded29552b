//! From the text of a scenario to its setup.

use super::arm::{self, NoArm};
use super::file::{EventTable, Record, ScenarioTable, Start};
use super::method::method;
use super::shapes::Listed;
use super::signal::{Input, input, prescribed};
use super::text::{Surroundings, as_run};
use super::variants;
use super::{Setup, controller, expressions, plan, sensor, shaper};
use crate::codes;
use crate::nearest::nearest;
use crate::node::{Node, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::shapes::Unread;
use crate::source::Source;
use crate::state::{Side, outside_limits, vector};
use crate::table::Table as _;
use pliant::Help;
use pliant::analyse::{AnalysisError, Conditions};
use pliant::arm::{Arm, FrameRole};
use pliant::scenario::Simulation;
use pliant::simulate::{
    ChannelGroup, Clock, DiagramError, Event, Expression, PrescribedQuantity as Moved, Selection,
};
use std::ops::Range;
use std::path::Path;

/// Where what the core may refuse stands in the text, by name.
#[derive(Default)]
struct Places {
    motions: Vec<(String, Range<usize>)>,
    /// Sensors and controllers.
    named: Vec<(String, Range<usize>)>,
    events: Vec<Range<usize>>,
}

pub(super) fn read(source: &Source, folder: &Path) -> Result<Setup, Report> {
    let refuse = |problems| Report::new(source.clone(), problems);
    let root = crate::toml_text::read(source).map_err(refuse)?;
    let mut reader = Reader::default();
    let setup = match setup(&mut reader, source, &root, folder) {
        Err(NoArm::File(report)) if !reader.has_errors() => return Err(report),
        Err(_) => None,
        Ok(setup) => setup,
    };
    let report = refuse(reader.problems);
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

fn setup(
    reader: &mut Reader,
    source: &Source,
    root: &Node,
    folder: &Path,
) -> Result<Option<Setup>, NoArm> {
    let Some(table) = ScenarioTable::read(reader, "the scenario", root) else {
        return Ok(None);
    };
    let duration = table.duration.value;
    let method = method(reader, &table.method, duration);
    let Some(node) = table.arm.get() else {
        return Ok(None);
    };
    let given = arm::arm(reader, node, folder)?;
    let (mut arm, mut description) = (given.arm.clone(), given.description.clone());
    if let Some(gravity) = table.gravity.value {
        description = description.gravity(gravity);
        // what could be built can be built with another gravity
        arm = match description.clone().build() {
            Ok(arm) => arm,
            Err(_) => return Ok(None),
        };
    }
    // what an arm asks for, it can have: its reader has seen to it
    let Ok(variant) = given.variants.of(&arm) else { return Ok(None) };
    variants::warn(reader, node, &given.variants);
    // what is wrong has been told
    let mut setup = Simulation::new(arm, description, duration.unwrap_or(1.0));
    setup.variants = given.variants.clone();
    setup.variant = variant;
    let mut places = Places::default();
    let mut around = Surroundings::new(source, folder);
    inputs(reader, &mut around, &table, &mut setup, &mut places);
    start(reader, &table, &mut setup);
    sensors(reader, &table, &mut setup, &mut places);
    let plan = table.plan.get();
    if let Some(plan) = plan {
        plan::plan(reader, plan, &mut setup, table.initial.is_given());
    }
    bent(reader, &table, &mut setup);
    controllers(reader, &mut around, &table, &mut setup, &mut places);
    if let Some(table) = plan.and_then(plan::shaper)
        && setup.plan.is_some()
    {
        shaper::shape(reader, table, &mut setup, &places.named);
    }
    if let Some(span) = table.plan.span()
        && setup.plan.is_some()
    {
        plan::unused(reader, span, &setup);
    }
    let text = as_run(around, &table.arm, &given);
    record(reader, &table.record.value.clone().unwrap_or_default(), &mut setup);
    events(reader, source, &table, &mut setup, &mut places);
    if !reader.has_errors()
        && let Err(error) = setup.scenario().check()
    {
        reader.push(refused(&error, &table, &places));
    }
    if !reader.has_errors()
        && let Some(asked) = method
    {
        (setup.method, setup.method_reason) = asked.settle(&setup.scenario());
        variants::check_method(reader, &table, &setup);
    }
    let warnings = given.warnings.iter().cloned().collect();
    Ok(Some(Setup { simulation: setup, text, table, warnings }))
}

/// Inputs and prescribed motions.
fn inputs(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &ScenarioTable,
    setup: &mut Simulation,
    places: &mut Places,
) {
    for table in table.input.get().into_iter().flatten() {
        match input(reader, around, table, &setup.arm) {
            Some((Input::Motor(motor), span)) => {
                places.motions.push((setup.arm.velocity_names()[motor.velocity].clone(), span));
                setup.motors.push(motor);
            }
            Some((Input::Load(load), _)) => setup.loads.push(load),
            None => {}
        }
    }
    for table in table.prescribed.get().into_iter().flatten() {
        let Some((motion, span)) = prescribed(reader, around, table, &setup.arm) else {
            continue;
        };
        let name = &setup.arm.velocity_names()[motion.velocity];
        if let Some((_, first)) = places.motions.iter().find(|(known, _)| known == name) {
            reader.push(
                Problem::error(&codes::MOTION, format!("the motion of {name} is given twice"))
                    .at(span)
                    .label("given again")
                    .and_at(first.clone(), "given first")
                    .help("remove one of them"),
            );
            continue;
        }
        places.motions.push((name.clone(), span));
        setup.prescribed.push(motion);
    }
}

/// State, limits and seed.
fn start(reader: &mut Reader, table: &ScenarioTable, setup: &mut Simulation) {
    let arm = &setup.arm;
    let ScenarioTable { initial, rates, .. } = table;
    let initial_node = initial.get().map(|initial| &initial.node);
    if let Some(node) = initial_node {
        vector(reader, initial.name(), node, arm, Side::Configuration, &mut setup.q);
    }
    if let Some(Unread { node, measure }) = rates.get() {
        vector(reader, rates.name(), node, arm, Side::Velocity(*measure), &mut setup.u);
    }
    if let Some(limits) = table.limits.value {
        setup.limits = limits;
    }
    // prescribed joints start where they are told to
    for motion in &setup.prescribed {
        let position = arm.coordinate_of(motion.velocity);
        if let (Some(i), Moved::Position) = (position, motion.given) {
            setup.q[i] = motion.signal.value(0.0);
        }
    }
    if setup.limits.is_some() {
        outside_limits(reader, arm, &setup.q, initial_node, true);
    }
    if let Some(seed) = table.seed.value {
        #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
        let seed = seed as u64;
        setup.seed = seed;
    }
}

/// Where the links are bent at the start, the joints being where they begin.
fn bent(reader: &mut Reader, table: &ScenarioTable, setup: &mut Simulation) {
    if table.start.value == Some(Start::StaticEquilibrium)
        && let Some(span) = table.start.span()
        && !reader.has_errors()
    {
        rest(reader, &span, setup);
    }
}

/// Bends the links as they rest under gravity, under the loads of the start, and as prescribed
/// joints turn then; the joints are held.
fn rest(reader: &mut Reader, span: &Range<usize>, setup: &mut Simulation) {
    let arm = &setup.arm;
    let refuse = |error: &AnalysisError| {
        let more = error.help().map_or_else(String::new, |help| format!("; or {help}"));
        Problem::error(
            &codes::NO_EQUILIBRIUM,
            format!("there is no static equilibrium to start from: {error}"),
        )
        .at(span.clone())
        .label("not found")
        .help(format!("start = \"as given\", with the joints elsewhere or stiffer links{more}"))
    };
    let mut conditions = Conditions { velocities: vec![0.0; arm.nv()], ..Conditions::default() };
    conditions.loads.extend(setup.loads.iter().map(|push| push.at(0.0)));
    for motion in &setup.prescribed {
        let jet = motion.signal.jet(0.0);
        conditions.velocities[motion.velocity] = match motion.given {
            Moved::Position => jet.rate,
            Moved::Rate => jet.value,
            Moved::Acceleration => setup.u[motion.velocity],
        };
    }
    match arm.static_equilibrium_under(&setup.q, &conditions) {
        Ok(equilibrium) => {
            setup.q = equilibrium.q;
            if !equilibrium.stable {
                reader.push(
                    Problem::warning(
                        &codes::NO_EQUILIBRIUM,
                        "the static equilibrium is not stable: the links would leave it",
                    )
                    .at(span.clone())
                    .label("unstable")
                    .help("start elsewhere, or as given"),
                );
            }
        }
        Err(error) => reader.push(refuse(&error)),
    }
}

fn sensors(
    reader: &mut Reader,
    table: &ScenarioTable,
    setup: &mut Simulation,
    places: &mut Places,
) {
    for table in table.sensor.get().into_iter().flatten() {
        if let Some((sensor, span)) = sensor::sensor(reader, table, &setup.arm) {
            places.named.push((sensor.name.clone(), span));
            setup.sensors.push(sensor);
        }
        reader.whose.clear();
    }
}

fn controllers(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &ScenarioTable,
    setup: &mut Simulation,
    places: &mut Places,
) {
    for table in table.controller.get().into_iter().flatten() {
        let controller = controller::controller(reader, around, table, setup);
        reader.whose.clear();
        if let (Some(controller), Some(span)) = (controller, table.all.name.span()) {
            places.named.push((controller.name.clone(), span));
            setup.controllers.push(controller);
        }
    }
}

fn record(reader: &mut Reader, Record { every, channels, .. }: &Record, setup: &mut Simulation) {
    if let Some(interval) = every.value {
        setup.interval = interval;
        if let (Err(_), Some(span)) = (Clock::every(interval), every.span()) {
            reader.push(
                Problem::error(
                    &codes::NO_TIME,
                    format!("every is {interval:e} s, too short or long to count"),
                )
                .at(span)
                .help("give a time from 1 ns to 1e9 s, such as every = \"5 ms\""),
            );
        }
    }
    setup.selection = match channels.get() {
        Some(patterns) => selection(reader, patterns, setup),
        None => usual_channels(&setup.arm),
    };
}

/// The default of the core, and where the tips are.
fn usual_channels(arm: &Arm) -> Selection {
    let end = arm.tip().map(|tip| &arm.frames()[tip]);
    let tips = arm.frames().iter().filter(|frame| frame.role() == FrameRole::Tip);
    let others = end.filter(|frame| frame.role() != FrameRole::Tip);
    Selection::default().and(tips.chain(others).map(|frame| format!("{}.position.*", frame.name())))
}

/// What a name or pattern of channels of earlier versions is now; none where it is none of theirs.
pub fn renamed_channel(pattern: &str) -> Option<String> {
    pattern.contains(".believed.").then(|| pattern.replace(".believed.", ".estimate."))
}

fn selection(reader: &mut Reader, patterns: &[Listed], setup: &Simulation) -> Selection {
    let catalogue = setup.scenario().catalogue();
    let names = || catalogue.channels().iter().map(|channel| channel.name.as_str());
    let now = |given: &str| renamed_channel(given).unwrap_or_else(|| given.to_owned());
    for Listed { name: given, span } in patterns {
        let pattern = &now(given);
        if pattern != given {
            reader.renamed(&quoted(given), &quoted(pattern), span);
        }
        if Selection::new([pattern.as_str()]).resolve(&catalogue).is_err() {
            let groups = || ChannelGroup::ALL.iter().map(|group| group.word());
            let help = match nearest(pattern, groups().chain(names())) {
                _ if pattern == "energy.drift" => {
                    "the equations that the arm asks for have no balance of energy".to_owned()
                }
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!(
                    "groups are {}; names are such as {}",
                    groups().collect::<Vec<_>>().join(", "),
                    names().next_back().unwrap_or("t")
                ),
            };
            reader.push(
                Problem::error(
                    &codes::UNKNOWN_CHANNEL,
                    format!("no channel or group of channels is called {}", quoted(pattern)),
                )
                .at(span.clone())
                .label("no such channel")
                .help(help),
            );
        }
    }
    Selection::new(patterns.iter().map(|pattern| now(&pattern.name)))
}

fn events(
    reader: &mut Reader,
    source: &Source,
    table: &ScenarioTable,
    setup: &mut Simulation,
    places: &mut Places,
) {
    let tables = table.event.get().map_or(&[][..], Vec::as_slice);
    if tables.is_empty() {
        return;
    }
    let catalogue = setup.scenario().catalogue();
    let names = catalogue.channels().iter().map(|channel| channel.name.as_str());
    let known: Vec<&str> = std::iter::once("t").chain(names).collect();
    for EventTable { name, expression, direction, action, .. } in tables {
        let (Some(text), Some(span)) = (expression.get(), expression.span()) else {
            continue;
        };
        let variable = |name: &str| known.iter().position(|known| *known == name);
        if let Err(error) = Expression::parse(text, variable) {
            expressions::refuse(reader, source, (text, span.clone()), &error, &known);
        }
        if let (Some(direction), Some(action)) = (direction.value, action.value) {
            let name = name.get().unwrap_or(text).clone();
            places.events.push(span);
            setup.events.push(Event { name, expression: text.clone(), direction, action });
        }
    }
}

/// What the core refuses, where it stands.
fn refused(error: &DiagramError, table: &ScenarioTable, places: &Places) -> Problem {
    let motion = |name: &str| places.motions.iter().find(|(known, _)| known == name);
    let (code, span) = match error {
        DiagramError::Jump { coordinate, .. }
        | DiagramError::NoPosition { coordinate }
        | DiagramError::MotorOfPrescribed { coordinate }
        | DiagramError::NoMotor { coordinate, .. }
        | DiagramError::NotPrescribed { coordinate }
        | DiagramError::PrescribedTwice { coordinate } => {
            (&codes::MOTION, motion(coordinate).map(|(_, span)| span.clone()))
        }
        DiagramError::SameName { name } => {
            let of = |known: &str| {
                name == known || name.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))
            };
            let named = places.named.iter().rfind(|(known, _)| of(known));
            (&codes::SENSOR, named.map(|(_, span)| span.clone()))
        }
        DiagramError::Clock { .. } => (&codes::NO_TIME, table.record.span()),
        DiagramError::State(_) => (&codes::CANNOT_RUN, table.initial.span()),
        DiagramError::Event { .. } => (&codes::EXPRESSION, places.events.first().cloned()),
        _ => (&codes::CANNOT_RUN, None),
    };
    let help = error.help().unwrap_or_else(|| "change the scenario".to_owned());
    let problem = Problem::error(code, error.to_string()).help(help);
    match span {
        Some(span) => problem.at(span).label("here"),
        None => problem,
    }
}
