//! What is read, written and read again is the same.

use super::{WriteError, write_scenario};
use crate::node::{Node, Value};
use crate::scenario::{Overrides, ScenarioTable, Setup, load, parse};
use crate::shapes::unplaced;
use crate::spec::{Form, LeftOut, TableSpec};
use crate::table::Table as _;
use crate::units::{self, Quantity};
use crate::{Source, node, toml_text};
use pliant::arm::{Builder, ElementPosition, ForceElement, Joint, Link};
use pliant::control::{GravityPd, GravityPdDescription, PidDescription};
use pliant::scalar::Scalar;
use pliant::scenario::{ControllerDescription, PdJoint, PlanFollower, Scenario};
use pliant::simulate::Signal;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Keys that say in another way what the library's description holds, and how they are written.
const NOTATIONS: [(&str, &str, &str); 9] = [
    ("table", "file", "times and values"),
    ("table", "csv", "times and values"),
    ("table", "time", "times and values"),
    ("table", "column", "times and values"),
    ("encoder", "counts", "resolution"),
    ("an attitude", "rpy", "rotation"),
    ("an attitude", "quaternion", "rotation"),
    ("an attitude", "axis", "rotation"),
    ("an attitude", "angle", "rotation"),
];

/// The scenarios of the repository that can be run, and those of the tests, which have every key.
fn files() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["../../scenarios", "tests/good-scenarios"] {
        let entries = std::fs::read_dir(package.join(folder)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// All that is run, to the last digit.
fn as_run(setup: &Setup) -> String {
    let simulation = &setup.simulation;
    let diagram = &simulation.diagram;
    let inputs = (&diagram.motors, &diagram.loads, &diagram.prescribed, &diagram.references);
    let outputs = (&diagram.sensors, &diagram.selection, &diagram.events, &diagram.limits);
    let times = (diagram.duration, diagram.interval, diagram.method, diagram.seed);
    let start = (&diagram.q, &diagram.u, simulation.tip, simulation.scenario.settling_band);
    let plan = (&simulation.plan, &simulation.controllers, &simulation.method_reason);
    format!("{inputs:?}\n{outputs:?}\n{times:?}\n{start:?}\n{plan:?}")
}

fn read(path: &Path) -> Setup {
    load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"))
}

fn written(setup: &Setup) -> String {
    write_scenario(&setup.simulation.scenario).expect("what files can say")
}

#[test]
fn what_is_written_says_the_same() {
    let files = files();
    assert!(files.len() >= 14, "{files:?}");
    let faults: Vec<String> = files.iter().filter_map(|path| differs(path).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with a scenario, or with what is written of it.
fn differs(path: &Path) -> Result<(), String> {
    let (read, file) = (read(path), path.display());
    let text = written(&read);
    // nothing beside it is needed
    let again =
        parse(&Source::new("written.toml", text.as_str()), Path::new(""), &Overrides::default())
            .map_err(|report| format!("{file}: {report}\n{text}"))?;
    if written(&again) != text {
        return Err(format!("{file} is written otherwise:\n{text}\n{}", written(&again)));
    }
    let [first, second] = [&read, &again].map(as_run);
    let differing = first.lines().zip(second.lines()).find(|(first, second)| first != second);
    if let Some((first, second)) = differing {
        return Err(format!("{file} is run otherwise:\n{text}\n{first}\n{second}"));
    }
    Ok(())
}

/// A key that the library's description does not hold is in no text that is written from it.
#[test]
fn every_key_of_scenarios_is_still_there_when_written() {
    let (mut all, mut met, mut lost) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    every_key(ScenarioTable::SPEC, &mut all);
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let root = toml_text::read(&Source::new("read.toml", text)).expect("TOML");
        let source = Source::new("written.toml", written(&read(&path)));
        let again = toml_text::read(&source).expect("TOML");
        let mut pairs = Pairs { file: path.display().to_string(), met: &mut met, lost: &mut lost };
        pairs.compare(ScenarioTable::SPEC, &root, Some(&again));
    }
    let missing: Vec<_> = all.difference(&met).collect();
    assert!(missing.is_empty(), "in none of the files: {missing:?}");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

type Keys = BTreeSet<(&'static str, &'static str)>;

/// The keys of a table and of those in it, by the names of the tables.
fn every_key(spec: &'static TableSpec, keys: &mut Keys) {
    for key in spec.keys.iter().copied().flatten() {
        match key.form {
            Form::Flat(inner) => {
                every_key(inner, keys);
                continue;
            }
            Form::Table(inner) | Form::Tables(inner) => every_key(inner, keys),
            Form::ByKind(_, inner) | Form::OneByKind(_, inner) => {
                for spec in inner {
                    every_key(spec, keys);
                }
            }
            _ => {}
        }
        keys.insert((spec.name, key.name));
    }
}

/// Tables of a file, beside those that are written of it.
struct Pairs<'a> {
    file: String,
    met: &'a mut Keys,
    lost: &'a mut Vec<String>,
}

impl Pairs<'_> {
    fn compare(&mut self, spec: &'static TableSpec, table: &Node, written: Option<&Node>) {
        for key in spec.keys.iter().copied().flatten() {
            if let Form::Flat(inner) = key.form {
                self.compare(inner, table, written);
                continue;
            }
            let Some(entry) = table.entry(key.name) else { continue };
            self.met.insert((spec.name, key.name));
            if NOTATIONS.iter().any(|(table, own, _)| (*table, *own) == (spec.name, key.name)) {
                continue;
            }
            let again = written.and_then(|written| written.entry(key.name));
            let again = again.map(|entry| &entry.node);
            let inner = |table: &Node| match key.form {
                Form::Table(inner) | Form::Tables(inner) => Some(inner),
                Form::ByKind(_, specs) | Form::OneByKind(_, specs) => {
                    let kind = table.entry("kind").map(|entry| &entry.node.value);
                    let is = |spec: &&&TableSpec| kind == Some(&Value::Text(spec.name.to_owned()));
                    Some(*specs.iter().find(is).expect("a kind"))
                }
                _ => None,
            };
            for (k, table) in node::one_or_many(&entry.node).iter().enumerate() {
                if let Some(inner) = inner(table) {
                    let again = again.and_then(|again| node::one_or_many(again).get(k));
                    self.compare(inner, table, again);
                }
            }
            let usual = match key.left_out {
                LeftOut::Is(value) => Some(unplaced(value())),
                _ => None,
            };
            let says = again.or(usual.as_ref());
            let is_same = says.is_some_and(|says| says_the_same(&key.form, &entry.node, says));
            if !is_same {
                let (name, key) = (spec.name, key.name);
                let again = again.map(|again| crate::toml_out::inline(&again.value));
                self.lost.push(format!("{}: {key} of {name} is written {again:?}", self.file));
            }
        }
    }
}

/// Whether two values of a form say the same: numbers in any unit, coordinates with or without those
/// that are zero.
fn says_the_same(form: &Form, first: &Node, second: &Node) -> bool {
    let same = |quantities: &[&Quantity]| {
        quantities.iter().any(|quantity| {
            let read = |node: &Node| match &node.value {
                Value::Number(x) => Some(*x),
                Value::Text(text) => units::parse(text, quantity).ok(),
                _ => None,
            };
            read(first).is_some_and(|number| Some(number) == read(second))
        })
    };
    let of_subject = [
        &units::NUMBER,
        &units::ANGLE,
        &units::LENGTH,
        &units::MOMENT,
        &units::FORCE,
        &units::TURN_ACCELERATION,
    ];
    match (form, &first.value, &second.value) {
        // tables are compared key by key, and the arm of a file is inside
        (Form::Table(_) | Form::Tables(_) | Form::ByKind(..) | Form::OneByKind(..), ..)
        | (Form::OrTable(..), _, Value::Table(_)) => true,
        (_, Value::Table(first), Value::Table(_)) => first.iter().all(|entry| {
            let again = second.entry(&entry.key);
            again.is_some_and(|again| says_the_same(form, &entry.node, &again.node))
        }),
        (_, Value::List(first), Value::List(second)) => {
            let mut pairs = first.iter().zip(second);
            first.len() == second.len() && pairs.all(|(a, b)| says_the_same(form, a, b))
        }
        (Form::Number(quantity) | Form::Vector(quantity) | Form::Numbers(quantity), ..) => {
            same(&[quantity])
        }
        (Form::OfJoint(measure) | Form::OfCoordinates(measure), ..) => {
            same(&[measure.turn, measure.slide])
        }
        (Form::Measured | Form::MeasuredList | Form::MeasuredRows, ..) => same(&of_subject),
        (_, first, second) => first == second,
    }
}

/// A force element of a program.
struct Nothing;

impl ForceElement for Nothing {
    fn frames(&self) -> Vec<String> {
        vec!["bob".to_owned()]
    }

    fn energy<S: Scalar>(&self, _: &ElementPosition<S>) -> S {
        S::from_f64(0.0)
    }
}

/// What files have no keys for is refused by its name.
#[test]
fn what_files_cannot_say_is_refused() {
    let bob =
        Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.5, 0.0, 0.0]);
    let scenario = || Scenario::new(Builder::new("pendulum").link(bob.clone()), 1.0);
    let sum = || Signal::Sum(vec![Signal::Constant(1.0), Signal::Constant(2.0)]);
    let refused = |scenario: Scenario| write_scenario(&scenario).expect_err("no file says it");
    let law = GravityPd { stiffness: vec![1.0], damping: vec![1.0] };
    let own = ControllerDescription::follow("own", PlanFollower::new(law));
    let controller = || "own".to_owned();
    assert_eq!(refused(scenario().controller(own)), WriteError::Law { controller: controller() });
    let law = PlanFollower::new(PidDescription::pd(1.0, 1.0).integral(1.0)).full_state();
    let always = ControllerDescription::follow("own", law);
    let told = refused(scenario().controller(always));
    assert_eq!(told, WriteError::NoPeriod { controller: controller() });
    let told = refused(scenario().motor("bob", sum()));
    assert_eq!(told, WriteError::Signal { of: "the motor of bob".to_owned() });
    let (motor, target) = ("bob".to_owned(), sum());
    let joint = PdJoint { motor, sensor: None, stiffness: 1.0, damping: 1.0, limit: None, target };
    let told = refused(scenario().controller(ControllerDescription::pd("own", 1e-3, [joint])));
    assert_eq!(told, WriteError::Signal { of: "the target of bob".to_owned() });
    let told = refused(scenario().load("bob", [0.0; 3], [0.0; 3], Signal::Constant(1.0)));
    assert_eq!(told, WriteError::NoLoad { frame: "bob".to_owned() });
    let told = refused(Scenario { seed: u64::MAX, ..scenario() });
    assert_eq!(told, WriteError::Seed(u64::MAX));
    let coded = Builder::new("pendulum").link(bob.clone()).element("cable", &Nothing);
    let element = || WriteError::Element { name: "cable".to_owned() };
    assert_eq!(refused(Scenario::new(coded.clone(), 1.0)), element());
    let law = PlanFollower::new(GravityPdDescription::new(1.0, 1.0)).model(coded);
    let told = refused(scenario().controller(ControllerDescription::follow("own", law)));
    assert_eq!(told, element());
    assert!(write_scenario(&scenario()).is_ok());
}
