//! States: where an arm is, how it moves, and what acts on it.

use crate::codes;
use crate::coordinates::{self, Measure, POSITION};
use crate::foreign;
use crate::load::read_source;
use crate::nearest::nearest;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::shapes::{
    self, InJoint, JointAcceleration, JointForce, JointPosition, JointSpeed, Moment, OfCoordinates,
    Tables, Text, Unread, Vector, Word, entries, words,
};
use crate::source::Source;
use crate::table::{Field, Table as _, table};
use crate::toml_out;
use crate::units::{self, Quantity};
use pliant::arm::{Arm, CoordinateRole};
use pliant::dynamics::EvaluationError;
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::spatial::Force;
use std::ops::Range;
use std::path::Path;

/// A state of an arm: configuration, velocities, motor forces and loads.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Configuration (rad, m).
    pub q: Vec<f64>,
    /// Velocities (rad/s, m/s).
    pub u: Vec<f64>,
    /// Forces of the motors (N m, N).
    pub tau: Vec<f64>,
    /// Accelerations of prescribed joints (rad/s², m/s²); the others do not matter.
    pub ud: Vec<f64>,
    /// External loads.
    pub external: Vec<Load>,
}

impl State {
    /// The neutral configuration at rest, without forces.
    pub fn rest(arm: &Arm) -> Self {
        Self {
            q: arm.neutral(),
            u: vec![0.0; arm.nv()],
            tau: vec![0.0; arm.nv()],
            ud: vec![0.0; arm.nv()],
            external: Vec::new(),
        }
    }
}

words! { Axes: "world" => Axes::World, "own" => Axes::Own }

table! {
    /// A state of an arm: configuration, velocities, motor forces and loads.
    pub(crate) struct StateTable = "a state",
        "write {\"q\": [0.1, 0.2], \"tau\": [0, 1]}, or numbers by name, {\"q\": {\"elbow\": 0.1}}";
    keys {
        /// Configuration.
        q: OfCoordinates<JointPosition> [or "neutral"],
        /// Velocities.
        u: OfCoordinates<JointSpeed> [or "zero"],
        /// Motor forces.
        tau: OfCoordinates<JointForce> [or "zero"],
        /// Accelerations of prescribed joints.
        ud: OfCoordinates<JointAcceleration> [or "zero"],
        /// External loads.
        external: Tables<Wrench> [or "none"],
    }
}

table! {
    /// A force and a moment that the world exerts on a frame of the arm.
    pub(crate) struct Wrench = "an external load",
        "write {\"frame\": \"tip\", \"force\": [0, 0, 10]}";
    keys {
        /// The loaded frame.
        frame: Text [required],
        /// Force.
        force: Vector<shapes::Force> [= [0.0; 3]],
        /// Moment about the frame's origin.
        moment: Vector<Moment> [= [0.0; 3]],
        /// The axes of both: the world's, or the frame's own.
        axes: Word<Axes> [= Axes::World],
    }
}

/// A longer state is refused.
const LONGEST: u64 = 1 << 20;

/// Reads a state of an arm from a file, JSON or TOML by its name, and what is doubtful about it.
pub fn load_state(path: impl AsRef<Path>, arm: &Arm) -> Result<(State, Report), Report> {
    let source = read_source(path, LONGEST)?;
    if let Some(problem) = foreign::no_state(&source, is_toml(&source)) {
        return Err(Report::new(source, vec![problem]));
    }
    parse_state(&source, arm)
}

fn is_toml(source: &Source) -> bool {
    let extension = Path::new(source.name()).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Reads a state of an arm from a text; it is TOML when its name ends so, otherwise JSON.
pub fn parse_state(source: &Source, arm: &Arm) -> Result<(State, Report), Report> {
    let root = if is_toml(source) {
        crate::toml_text::read(source)
    } else {
        crate::json_text::read(source)
    };
    let root = root.map_err(|problems| Report::new(source.clone(), problems))?;
    let mut reader = Reader::default();
    let state = read(&mut reader, &root, arm);
    let report = Report::new(source.clone(), reader.problems);
    match state {
        Some(state) if report.count(Severity::Error) == 0 => Ok((state, report)),
        _ => Err(report),
    }
}

/// The text of a state file, in TOML, that says the same of an arm, every number by its name and to
/// the last digit. What is as in [`State::rest`] is left out.
pub fn write_state(state: &State, arm: &Arm) -> String {
    let rest = State::rest(arm);
    let names = arm.velocity_names();
    let load = |load: &Load| Wrench {
        frame: arm.frames().get(load.frame).map(|frame| frame.name().to_owned()).into(),
        force: load.wrench.force.to_array().into(),
        moment: load.wrench.moment.to_array().into(),
        axes: load.axes.into(),
        ..Wrench::default()
    };
    let loads: Vec<Wrench> = state.external.iter().map(load).collect();
    let table = StateTable {
        q: by_name::<JointPosition>(&state.q, &rest.q, arm.configuration_names()),
        u: by_name::<JointSpeed>(&state.u, &rest.u, names),
        tau: by_name::<JointForce>(&state.tau, &rest.tau, names),
        ud: by_name::<JointAcceleration>(&state.ud, &rest.ud, names),
        external: Some(loads).filter(|loads| !loads.is_empty()).into(),
        ..StateTable::default()
    };
    toml_out::document(&table.entries())
}

/// Numbers by name, where they are not the usual ones.
fn by_name<M: InJoint>(values: &[f64], usual: &[f64], names: &[String]) -> Field<Unread> {
    let number = |(name, &value): (&String, &f64)| (name.clone(), Value::Number(value));
    let all = || names.iter().zip(values).map(number).collect();
    (values != usual).then(|| Unread::new::<M>(entries(all()))).into()
}

fn read(reader: &mut Reader, root: &Node, arm: &Arm) -> Option<State> {
    let table = StateTable::read(reader, "the state", root)?;
    let mut state = State::rest(arm);
    if let Some((place, q)) = table.q.given().zip(table.q.get()) {
        vector(reader, place.name, &q.node, arm, Side::Configuration, &mut state.q);
    }
    for (field, values) in
        [(&table.u, &mut state.u), (&table.tau, &mut state.tau), (&table.ud, &mut state.ud)]
    {
        if let Some((place, Unread { node, measure })) = field.given().zip(field.get()) {
            vector(reader, place.name, node, arm, Side::Velocity(*measure), values);
        }
    }
    let loads = table.external.get().into_iter().flatten();
    state.external = loads.filter_map(|wrench| wrench.load(reader, arm)).collect();
    outside_limits(reader, arm, &state.q, table.q.get().map(|q| &q.node), false);
    if let Some(ud) = table.ud.get() {
        warn_of_accelerations(reader, arm, &state.ud, &ud.node);
    }
    Some(state)
}

/// Which coordinates a vector belongs to.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Configuration,
    Velocity(Measure),
}

impl Side {
    pub(crate) fn names(self, arm: &Arm) -> &[String] {
        match self {
            Self::Configuration => arm.configuration_names(),
            Self::Velocity(_) => arm.velocity_names(),
        }
    }

    fn range(self, arm: &Arm, link: usize) -> Range<usize> {
        match self {
            Self::Configuration => arm.configuration_of(link),
            Self::Velocity(_) => arm.velocities_of(link),
        }
    }

    /// What a coordinate is measured in, by its index.
    pub(crate) fn quantity(self, arm: &Arm, index: usize) -> &'static Quantity {
        self.quantities(arm).nth(index).unwrap_or(&units::NUMBER)
    }

    /// What the coordinates are measured in, in order.
    fn quantities(self, arm: &Arm) -> impl Iterator<Item = &'static Quantity> {
        let (coordinates, measure) = match self {
            Self::Configuration => (arm.configuration_coordinates(), POSITION),
            Self::Velocity(measure) => (arm.velocity_coordinates(), measure),
        };
        coordinates.iter().map(move |own| measure.along(own.dimension))
    }
}

/// A vector as a list in the order of the coordinates, or by name.
pub(crate) fn vector(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    arm: &Arm,
    side: Side,
    values: &mut [f64],
) {
    match &node.value {
        Value::Table(entries) => {
            for entry in entries {
                named(reader, what, entry, arm, side, values);
            }
            follow_links(node, what, arm, side, values);
        }
        Value::List(list) if list.len() == values.len() => {
            let quantities = side.quantities(arm);
            let names = side.names(arm).iter();
            for (((value, node), quantity), name) in
                values.iter_mut().zip(list).zip(quantities).zip(names)
            {
                if let Some(number) = reader.number(&format!("{what} of {name}"), node, quantity) {
                    *value = number;
                }
            }
        }
        Value::List(list) => {
            let (given, needed) = (list.len(), values.len());
            reader.push(
                Problem::error(
                    &codes::WRONG_LENGTH,
                    format!("{what} has {given} numbers, the arm needs {needed}"),
                )
                .at(node.span.clone())
                .label(format!("{given} instead of {needed}"))
                .help(format!("in this order: {}", side.names(arm).join(", "))),
            );
        }
        _ => reader.push(
            Problem::error(
                &codes::WRONG_TYPE,
                format!("{what} is {node}, expected a list of numbers"),
            )
            .at(node.span.clone())
            .help(match what {
                // the words of a state in JSON
                "q" | "u" | "tau" | "ud" => "give a list, such as [0.1, 0.2], or numbers by name, such as {\"upper\": 0.1}",
                _ => "give numbers by name, such as { upper = \"30 deg\" }, or a list, such as [0.1, 0.2]",
            }),
        ),
    }
    if let Side::Configuration = side {
        check_quaternions(reader, node, arm, values);
    }
}

/// Where the link of an elastic joint is given and the motor is not, the spring is relaxed.
fn follow_links(node: &Node, what: &str, arm: &Arm, side: Side, values: &mut [f64]) {
    // forces act on either side
    if what == "tau" {
        return;
    }
    for rotor in (0..arm.body_count()).filter(|&body| arm.is_rotor(body)) {
        let Some(link) = arm.link_of_rotor(rotor) else { continue };
        let [link, motor] = [link, rotor].map(|body| side.range(arm, body).start);
        let is_given = |at: usize| node.entry(&side.names(arm)[at]).is_some();
        if is_given(link) && !is_given(motor) {
            values[motor] = values[link];
        }
    }
}

fn check_quaternions(reader: &mut Reader, node: &Node, arm: &Arm, q: &[f64]) {
    let Err(error) = arm.check_configuration(q) else { return };
    if let EvaluationError::OutOfStroke { coordinate, .. } = &error {
        let entry = node.entry(coordinate).map_or(node, |entry| &entry.node);
        reader.push(
            Problem::error(&codes::OUTSIDE_STROKE, error.to_string())
                .at(entry.span.clone())
                .label("outside the stroke")
                .help("give a length within the link's slides = { from, to }"),
        );
        return;
    }
    reader.push(
        Problem::error(&codes::NOT_A_QUATERNION, error.to_string())
            .at(node.span.clone())
            .help("the order is (w, x, y, z); no turn is 1, 0, 0, 0"),
    );
}

/// An entry under the name of a coordinate, or of a joint with several.
fn named(
    reader: &mut Reader,
    what: &str,
    entry: &Entry,
    arm: &Arm,
    side: Side,
    values: &mut [f64],
) {
    let key = entry.key.as_str();
    let full = format!("{what} of {key}");
    for link in 0..arm.joints().len() {
        let joint = &arm.joints()[link];
        let range = side.range(arm, link);
        if range.len() > 1 && arm.joint_names()[link] == key {
            let numbers = match side {
                Side::Configuration => {
                    coordinates::configuration(reader, &full, &entry.node, joint)
                }
                Side::Velocity(measure) => {
                    coordinates::per_velocity(reader, &full, &entry.node, joint, measure)
                }
            };
            if let Some(numbers) = numbers {
                values[range].copy_from_slice(&numbers);
            }
            return;
        }
    }
    if let Some(index) = side.names(arm).iter().position(|name| name == key) {
        if let Some(number) = reader.number(&full, &entry.node, side.quantity(arm, index)) {
            values[index] = number;
        }
        return;
    }
    let names = || side.names(arm).iter().map(String::as_str);
    unknown(reader, "coordinate", key, &entry.key_span, names);
}

fn unknown<'a, I: Iterator<Item = &'a str>>(
    reader: &mut Reader,
    what: &str,
    name: &str,
    span: &Range<usize>,
    known: impl Fn() -> I,
) {
    let help = known_names(name, known);
    reader.push(
        Problem::error(&codes::UNKNOWN_NAME, format!("the arm has no {what} {}", quoted(name)))
            .at(span.clone())
            .label(format!("no such {what}"))
            .help(help),
    );
}

/// The name that was meant, or the names there are.
pub(crate) fn known_names<'a, I: Iterator<Item = &'a str>>(
    name: &str,
    known: impl Fn() -> I,
) -> String {
    known_names_of("arm", name, known)
}

/// The name that was meant, or the names that something has.
pub(crate) fn known_names_of<'a, I: Iterator<Item = &'a str>>(
    owner: &str,
    name: &str,
    known: impl Fn() -> I,
) -> String {
    const SHOWN: usize = 12;
    if let Some(near) = nearest(name, known()) {
        return format!("did you mean \"{near}\"?");
    }
    let mut names: Vec<&str> = known().take(SHOWN).collect();
    if names.is_empty() {
        return "there is none; add it first".to_owned();
    }
    if known().count() > SHOWN {
        names.push("…");
    }
    format!("the {owner} has: {}", names.join(", "))
}

impl Wrench {
    /// The load that it describes.
    fn load(&self, reader: &mut Reader, arm: &Arm) -> Option<Load> {
        let (place, name) = self.frame.given().zip(self.frame.get())?;
        let frame = arm.frame(name).ok();
        if frame.is_none() {
            let names = || arm.frames().iter().map(pliant::arm::Frame::name);
            unknown(reader, "frame", name, &place.value, names);
        }
        let wrench = Force::new(self.force.value?.into(), self.moment.value?.into());
        Some(Load { frame: frame?, wrench, axes: self.axes.value? })
    }
}

/// What the state says about one number of the configuration, if it does.
pub(crate) fn place_in<'a>(node: &'a Node, arm: &Arm, index: usize) -> Option<&'a Node> {
    let (side, name) = (Side::Configuration, &arm.configuration_names()[index]);
    match &node.value {
        Value::List(list) => list.get(index),
        Value::Table(_) => {
            if let Some(entry) = node.entry(name) {
                return Some(&entry.node);
            }
            // several under the name of their joint
            let mut links = 0..arm.joints().len();
            let link = links.find(|&link| side.range(arm, link).contains(&index))?;
            let of_joint = &node.entry(&arm.joint_names()[link])?.node;
            let k = index - side.range(arm, link).start;
            let inner = if let Value::List(list) = &of_joint.value {
                list.get(k)
            } else {
                let suffix = arm.joints()[link].configuration_suffixes()[k];
                of_joint.entry(suffix).map(|entry| &entry.node)
            };
            Some(inner.unwrap_or(of_joint))
        }
        _ => None,
    }
}

/// Finds coordinates outside their limits: of a start they are refused, of a state doubted.
pub(crate) fn outside_limits(
    reader: &mut Reader,
    arm: &Arm,
    q: &[f64],
    place: Option<&Node>,
    of_start: bool,
) {
    let quantities = Side::Configuration.quantities(arm);
    let given = q.iter().zip(arm.limits()).zip(quantities).enumerate();
    for (index, ((&number, limits), quantity)) in given {
        // a stroke is refused elsewhere
        let slides = arm.configuration_coordinates()[index].role == CoordinateRole::Length;
        let Some(limits) = limits.filter(|_| !slides) else {
            continue;
        };
        if (limits.lower..=limits.upper).contains(&number) {
            continue;
        }
        let name = &arm.configuration_names()[index];
        let all = [number, limits.lower, limits.upper];
        let [is, lower, upper] = all.map(units::short);
        let unit = quantity.si;
        let what = if of_start { format!("{name} starts at") } else { format!("q of {name} is") };
        let message = if quantity == &units::ANGLE {
            let [is_deg, lower_deg, upper_deg] = all.map(|x| units::short(x.to_degrees()));
            format!(
                "{what} {is} rad ({is_deg} deg), outside its limits {lower} to {upper} rad ({lower_deg} to {upper_deg} deg)"
            )
        } else {
            format!("{what} {is} {unit}, outside its limits {lower} to {upper} {unit}")
        };
        let (problem, then) = if of_start {
            let then = "start it inside, or write limits = \"ignore\"";
            (Problem::error(&codes::STARTS_OUTSIDE, message), then)
        } else {
            let then = "computed as if there were no limit";
            (Problem::warning(&codes::OUTSIDE_LIMITS, message), then)
        };
        reader.push(if let Some(node) = place.and_then(|q| place_in(q, arm, index)) {
            problem.at(node.span.clone()).label("outside its limits").help(then)
        } else {
            let whose = if of_start { "scenario" } else { "state" };
            problem.help(format!("the {whose} does not give it, so it is neutral; {then}"))
        });
    }
}

/// Accelerations are given for prescribed joints; those of the others are the answer.
fn warn_of_accelerations(reader: &mut Reader, arm: &Arm, ud: &[f64], node: &Node) {
    let unused = arm.free_velocities().into_iter().filter(|&k| ud[k] != 0.0);
    let names: Vec<&str> = unused.map(|k| arm.velocity_names()[k].as_str()).collect();
    if !names.is_empty() {
        reader.push(
            Problem::warning(
                &codes::UNUSED_ACCELERATION,
                format!("ud of {} is not used, since no motion is prescribed there", names.join(", ")),
            )
            .at(node.span.clone())
            .label("not used")
            .help("give forces as tau, and the accelerations come back; or prescribe the motion in the arm file: joint = { …, prescribed = true }"),
        );
    }
}
