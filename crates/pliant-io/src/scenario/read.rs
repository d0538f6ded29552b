//! From the text of a scenario to its setup.

use super::arm::{self, NoArm};
use super::keys::{ACTIONS, DIRECTIONS, EVENT, LIMITS, RECORD, SCENARIO, STARTS};
use super::method::{Method, method};
use super::signal::{Input, input, prescribed};
use super::text::{Surroundings, as_run};
use super::times::{positive_time, whole};
use super::variants::{self, Told};
use super::{Setup, controller, expressions, is_tip, plan, sensor, shaper, tip};
use crate::arm_file::one_or_many;
use crate::codes;
use crate::coordinates::VELOCITY;
use crate::nearest::nearest;
use crate::node::{Node, Value, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::{Fields, Reader};
use crate::source::Source;
use crate::state::{Side, outside_limits, vector};
use crate::units;
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant::dynamics::loads::Load;
use pliant::simulate::{
    Action, Clock, Direction, Event, Expression, Given as Moved, Group, ScenarioError, Selection,
};
use pliant::spatial::Force;
use std::ops::Range;
use std::path::Path;

/// The time between two rows where none is given (s).
const INTERVAL: f64 = 0.01;

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
    let Some(fields) = reader.fields("the scenario", root, &SCENARIO) else {
        return Ok(None);
    };
    let duration = fields.get("duration").and_then(|node| positive_time(reader, "duration", node));
    let method = method(reader, &fields);
    let Some(node) = fields.get("arm") else {
        return Ok(None);
    };
    let mut pulled = None;
    let given = arm::arm(reader, node, folder)?;
    if let Some(node) = fields.get("gravity")
        && let Some(gravity) = reader.numbers("gravity", node, &units::ACCELERATION)
    {
        pulled = Some(gravity);
    }
    let (mut arm, mut description) = (given.arm.clone(), given.description.clone());
    if let Some(gravity) = pulled {
        description = description.gravity(gravity);
        // what could be built can be built with another gravity
        arm = match description.clone().build() {
            Ok(arm) => arm,
            Err(_) => return Ok(None),
        };
    }
    let variant = match variants::of_scenario(reader, node, &given.variants, &arm) {
        Ok(variant) => variant,
        Err(Told) => return Ok(None),
    };
    let mut setup = Setup {
        q: arm.neutral(),
        u: vec![0.0; arm.nv()],
        duration: duration.unwrap_or(1.0),
        interval: INTERVAL,
        selection: Selection::default(),
        motors: Vec::new(),
        loads: Vec::new(),
        prescribed: Vec::new(),
        sensors: Vec::new(),
        controllers: Vec::new(),
        plan: None,
        references: Vec::new(),
        seed: 0,
        events: Vec::new(),
        limits: Some(Action::Report),
        method: Method::Dop853 { tolerance: 1e-9 },
        method_reason: None,
        text: String::new(),
        warnings: given.warnings.iter().cloned().collect(),
        variants: given.variants.clone(),
        variant,
        arm,
        description,
    };
    let mut places = Places::default();
    let mut around = Surroundings::new(source, folder);
    inputs(reader, &mut around, &fields, &mut setup, &mut places);
    start(reader, &fields, &mut setup);
    sensors(reader, &fields, &mut setup, &mut places);
    let starts_elsewhere = fields.get("initial").is_some();
    let planned = fields.get("plan");
    let shaper = planned.and_then(|node| plan::plan(reader, node, &mut setup, starts_elsewhere));
    bent(reader, &fields, &mut setup);
    controllers(reader, &mut around, &fields, &mut setup, &mut places);
    if let Some(node) = shaper {
        shaper::shape(reader, node, &mut setup, &places.named);
    }
    if let Some(node) = planned
        && setup.plan.is_some()
    {
        plan::unused(reader, node, &setup);
    }
    setup.text = as_run(around, root, &given);
    record(reader, &fields, &mut setup);
    events(reader, source, &fields, &mut setup, &mut places);
    if !reader.has_errors()
        && let Err(error) = setup.scenario().check()
    {
        reader.push(refused(&error, &fields, &places));
    }
    if !reader.has_errors()
        && let Some(asked) = method
    {
        (setup.method, setup.method_reason) = asked.settle(&setup.scenario());
        variants::check_method(reader, &fields, &setup);
    }
    Ok(Some(setup))
}

/// Inputs and prescribed motions.
fn inputs(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    setup: &mut Setup,
    places: &mut Places,
) {
    for node in fields.get("input").map_or(&[][..], one_or_many) {
        match input(reader, around, node, &setup.arm) {
            Some((Input::Motor(motor), span)) => {
                places.motions.push((setup.arm.velocity_names()[motor.velocity].clone(), span));
                setup.motors.push(motor);
            }
            Some((Input::Load(load), _)) => setup.loads.push(load),
            None => {}
        }
    }
    for node in fields.get("prescribed").map_or(&[][..], one_or_many) {
        let Some((motion, span)) = prescribed(reader, around, node, &setup.arm) else {
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
fn start(reader: &mut Reader, fields: &Fields<'_>, setup: &mut Setup) {
    let arm = &setup.arm;
    if let Some(node) = fields.get("initial") {
        vector(reader, "initial", node, arm, Side::Configuration, &mut setup.q);
    }
    if let Some(node) = fields.get("rates") {
        vector(reader, "rates", node, arm, Side::Velocity(VELOCITY), &mut setup.u);
    }
    if let Some(node) = fields.get("limits") {
        setup.limits = match reader.word("limits", node, LIMITS.iter().copied()) {
            Some("ignore") => None,
            Some("stop") => Some(Action::Stop),
            _ => Some(Action::Report),
        };
    }
    // prescribed joints start where they are told to
    for motion in &setup.prescribed {
        let name = &arm.velocity_names()[motion.velocity];
        let position = arm.configuration_names().iter().position(|known| known == name);
        if let (Some(i), Moved::Position) = (position, motion.given) {
            setup.q[i] = motion.signal.value(0.0);
        }
    }
    if setup.limits.is_some() {
        outside_limits(reader, arm, &setup.q, fields.get("initial"), true);
    }
    if let Some(node) = fields.get("seed")
        && let Some(seed) = whole(reader, "seed", node, 0)
    {
        #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
        let seed = seed as u64;
        setup.seed = seed;
    }
}

/// Where the links are bent at the start, the joints being where they begin.
fn bent(reader: &mut Reader, fields: &Fields<'_>, setup: &mut Setup) {
    let word =
        fields.get("start").map(|node| (node, reader.word("start", node, STARTS.iter().copied())));
    if let Some((node, Some("static equilibrium"))) = word
        && !reader.has_errors()
    {
        rest(reader, node, setup);
    }
}

/// Bends the links as they rest under gravity, under the loads of the start, and as prescribed
/// joints turn then; the joints are held.
fn rest(reader: &mut Reader, node: &Node, setup: &mut Setup) {
    let arm = &setup.arm;
    let refuse = |why: String| {
        Problem::error(
            &codes::NO_EQUILIBRIUM,
            format!("there is no static equilibrium to start from: {why}"),
        )
        .at(node.span.clone())
        .label("not found")
        .help("start = \"as given\", with the joints elsewhere or stiffer links")
    };
    let mut conditions = Conditions { velocities: vec![0.0; arm.nv()], ..Conditions::default() };
    conditions.loads.extend(setup.loads.iter().map(|push| {
        let size = push.signal.value(0.0);
        let wrench = Force::new(push.wrench.force * size, push.wrench.moment * size);
        Load { frame: push.frame, wrench, axes: push.axes }
    }));
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
                    .at(node.span.clone())
                    .label("unstable")
                    .help("start elsewhere, or as given"),
                );
            }
        }
        Err(error) => reader.push(refuse(error.to_string())),
    }
}

fn sensors(reader: &mut Reader, fields: &Fields<'_>, setup: &mut Setup, places: &mut Places) {
    for node in fields.get("sensor").map_or(&[][..], one_or_many) {
        if let Some((sensor, span)) = sensor::sensor(reader, node, &setup.arm) {
            places.named.push((sensor.name.clone(), span));
            setup.sensors.push(sensor);
        }
        reader.whose.clear();
    }
}

fn controllers(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    setup: &mut Setup,
    places: &mut Places,
) {
    for node in fields.get("controller").map_or(&[][..], one_or_many) {
        let span = controller::controller(reader, around, node, setup);
        reader.whose.clear();
        if let (Some(span), Some(controller)) = (span, setup.controllers.last()) {
            places.named.push((controller.name.clone(), span));
        }
    }
}

fn record(reader: &mut Reader, fields: &Fields<'_>, setup: &mut Setup) {
    let record = fields.get("record").and_then(|node| reader.fields("record", node, &RECORD));
    if let Some(node) = record.and_then(|record| record.get("every"))
        && let Some(every) = positive_time(reader, "every", node)
    {
        setup.interval = every;
        if Clock::every(every).is_err() {
            reader.push(
                Problem::error(
                    &codes::NO_TIME,
                    format!("every is {every:e} s, too short or long to count"),
                )
                .at(node.span.clone())
                .help("give a time from 1 ns to 1e9 s, such as every = \"5 ms\""),
            );
        }
    }
    setup.selection = match record.and_then(|record| record.get("channels")) {
        Some(node) => channels(reader, node, setup),
        None => usual_channels(&setup.arm),
    };
}

/// The default of the core, and where the tips are.
fn usual_channels(arm: &Arm) -> Selection {
    let tips = match tip(arm).map(|tip| arm.frames()[tip].name()) {
        Some(name) if is_tip(name) => Some("*.tip.position.*".to_owned()),
        name => name.map(|name| format!("{name}.position.*")),
    };
    Selection::default().and(tips)
}

fn channels(reader: &mut Reader, node: &Node, setup: &Setup) -> Selection {
    let Value::List(list) = &node.value else {
        reader.wrong_type(
            "channels",
            node,
            "a list",
            "write a list such as [\"coordinates\", \"energies\"]",
        );
        return Selection::default();
    };
    let catalogue = setup.scenario().catalogue();
    let names = || catalogue.channels().iter().map(|channel| channel.name.as_str());
    let mut patterns = Vec::new();
    for node in list {
        let Some(pattern) = reader.text("a channel", node) else {
            continue;
        };
        if Selection::new([pattern]).resolve(&catalogue).is_err() {
            let groups = || Group::ALL.iter().map(|group| group.word());
            let help = match nearest(pattern, groups().chain(names())) {
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
                .at(node.span.clone())
                .label("no such channel")
                .help(help),
            );
        }
        patterns.push(pattern);
    }
    Selection::new(patterns)
}

fn events(
    reader: &mut Reader,
    source: &Source,
    fields: &Fields<'_>,
    setup: &mut Setup,
    places: &mut Places,
) {
    let nodes = fields.get("event").map_or(&[][..], one_or_many);
    if nodes.is_empty() {
        return;
    }
    let catalogue = setup.scenario().catalogue();
    let names = catalogue.channels().iter().map(|channel| channel.name.as_str());
    let known: Vec<&str> = std::iter::once("t").chain(names).collect();
    for node in nodes {
        let Some(fields) = reader.fields("the event", node, &EVENT) else {
            continue;
        };
        let Some(place) = fields.get("expression") else {
            continue;
        };
        let Some(expression) = reader.text("expression", place) else {
            continue;
        };
        let variable = |name: &str| known.iter().position(|known| *known == name);
        if let Err(error) = Expression::parse(expression, variable) {
            expressions::refuse(reader, source, place, &error, &known);
        }
        let name = fields.get("name").and_then(|node| reader.text("name", node));
        let mut word = |key: &str, words: &'static [&'static str]| {
            fields.get(key).and_then(|node| reader.word(key, node, words.iter().copied()))
        };
        let direction = match word("direction", DIRECTIONS) {
            Some("rising") => Direction::Rising,
            Some("falling") => Direction::Falling,
            _ => Direction::Either,
        };
        let action = match word("action", ACTIONS) {
            Some("stop") => Action::Stop,
            _ => Action::Report,
        };
        places.events.push(place.span.clone());
        setup.events.push(Event {
            name: name.unwrap_or(expression).to_owned(),
            expression: expression.to_owned(),
            direction,
            action,
        });
    }
}

/// What the core refuses, where it stands.
fn refused(error: &ScenarioError, fields: &Fields<'_>, places: &Places) -> Problem {
    let motion = |name: &str| places.motions.iter().find(|(known, _)| known == name);
    let message = error.to_string();
    let (message, remedy) = match message.split_once("; ") {
        Some((message, remedy)) => (message.to_owned(), remedy.to_owned()),
        None => (message, "see the message".to_owned()),
    };
    let (code, span) = match error {
        ScenarioError::Jump { coordinate, .. }
        | ScenarioError::NoPosition { coordinate }
        | ScenarioError::MotorOfPrescribed { coordinate }
        | ScenarioError::NoMotor { coordinate, .. }
        | ScenarioError::NotPrescribed { coordinate }
        | ScenarioError::PrescribedTwice { coordinate } => {
            (&codes::MOTION, motion(coordinate).map(|(_, span)| span.clone()))
        }
        ScenarioError::SameName { name } => {
            let of = |known: &str| {
                name == known || name.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))
            };
            let named = places.named.iter().rfind(|(known, _)| of(known));
            (&codes::SENSOR, named.map(|(_, span)| span.clone()))
        }
        ScenarioError::Clock { .. } => {
            (&codes::NO_TIME, fields.get("record").map(|node| node.span.clone()))
        }
        ScenarioError::State(_) => {
            (&codes::CANNOT_RUN, fields.get("initial").map(|node| node.span.clone()))
        }
        ScenarioError::Event { .. } => (&codes::EXPRESSION, places.events.first().cloned()),
        _ => (&codes::CANNOT_RUN, None),
    };
    let problem = Problem::error(code, message).help(remedy);
    match span {
        Some(span) => problem.at(span).label("here"),
        None => problem,
    }
}
