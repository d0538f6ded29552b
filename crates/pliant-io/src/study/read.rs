//! From the text of a study to what it runs.

use super::constraint::{StudyConstraint, constraint};
use super::design::design;
use super::figures::{self, Lookup};
use super::file::{Scheme, ShapesOfRuns, StudyTable};
use super::goals;
use super::parameter::{StudyParameter, parameter};
use super::row::room;
use super::series::{self, SERIES};
use super::{Study, StudyFigure, StudyOptimisation};
use crate::codes;
use crate::load::read_named;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::results::hash;
use crate::scenario::{
    self, LONGEST, Listed, MOST_STEPS, Overrides, Pilot, Setup, Template, pilot,
};
use crate::setting::Setting;
use crate::source::Source;
use crate::table::{Field, Table as _};
use crate::toml_out;
use pliant::Help as _;
use pliant::scenario::Simulation;
use pliant::simulate::{Catalogue, Channel, RunSize, Status};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// The last columns of the table: how a run ended, why in a few words that runs share, and all that
/// is to be said about it.
pub(super) const WORDS: [&str; 3] = ["status", "reason", "detail"];

/// More parameters are refused: each value that one changes is tried in every unit.
const MOST_PARAMETERS: usize = 100;

/// The name of the first column.
const INDEX: &str = "index";

/// Reads a study. What is run is the study that its own text says, so that it is the same wherever
/// that is read.
pub(super) fn read(source: &Source, folder: &Path, settings: &[Setting]) -> Result<Study, Report> {
    let first = read_once(source, folder, settings)?;
    if first.text == source.text() {
        return Ok(first);
    }
    let own = Source::new(source.name(), first.text.as_str());
    let again = read_once(&own, Path::new(""), &[])?;
    Ok(Study { warnings: first.warnings, ..again })
}

fn read_once(source: &Source, folder: &Path, settings: &[Setting]) -> Result<Study, Report> {
    let mut root = crate::load::tree(source)?;
    let (inside, own): (Vec<_>, Vec<_>) =
        settings.iter().cloned().partition(|one| one.below("scenario").is_some());
    let source = Setting::apply(&own, source, &mut root)?;
    let inside: Vec<Setting> = inside.iter().filter_map(|one| one.below("scenario")).collect();
    let mut reader = Reader::default();
    let found = study(&mut reader, &source, &root, (folder, &inside))?;
    let report = Report::new(source, reader.problems);
    match found {
        Some(mut study) if report.count(Severity::Error) == 0 => {
            if !report.is_empty() {
                study.warnings.push(report);
            }
            Ok(study)
        }
        _ => Err(report),
    }
}

fn study(
    reader: &mut Reader,
    source: &Source,
    root: &Node,
    (folder, settings): (&Path, &[Setting]),
) -> Result<Option<Study>, Report> {
    let Some(table) = StudyTable::read(reader, "the study", root) else { return Ok(None) };
    let Some(node) = table.scenario.get() else { return Ok(None) };
    if table.set.is_wrong() {
        return Ok(None);
    }
    let Some(setup) = scenario(reader, source, (node, folder), (&table, settings))? else {
        return Ok(None);
    };
    let template = Template::new(Source::new("the scenario of the study", setup.text.as_str()))?;
    let template = match table.shapes.value {
        Some(ShapesOfRuns::Nominal) => template.in_its_shapes(),
        _ => template,
    };
    let optimise = table.optimise.get();
    if table.optimise.is_wrong() || !goals::fits(reader, &table) {
        return Ok(None);
    }
    let scheme = match optimise {
        Some(_) => Scheme::Sobol,
        None => table.design.value.unwrap_or(Scheme::Grid),
    };
    let Some(parameters) = parameters(reader, &template, (&table, scheme)) else {
        return Ok(None);
    };
    let design = design(reader, &table, &parameters);
    let here = node.span.clone();
    let Some(known) = known(reader, &template, (&table, &parameters), here) else {
        return Ok(None);
    };
    let mut constraints = constraints(reader, source, &table, &parameters, &known.figures);
    let goals = optimise.map(|table| goals::goals(reader, table, &parameters, &known.figures));
    let mut needed: Vec<&str> = Vec::new();
    needed.extend(constraints.iter().flat_map(StudyConstraint::figures).map(String::as_str));
    needed.extend(goals.iter().flatten().map(|one| one.name.as_str()));
    let figures = figures_kept(reader, &table, (&known.figures, &needed));
    let series = series_kept(reader, &table, &known.channels);
    let (Some(design), Some(figures), Some(series)) = (design, figures, series) else {
        return Ok(None);
    };
    for one in &mut constraints {
        one.locate(&figures);
    }
    let optimisation = goals.zip(optimise).and_then(|(goals, table)| {
        StudyOptimisation::new(reader, table, goals, (&design, &constraints, &parameters, &figures))
    });
    if !distinct(reader, &parameters, &figures) || reader.has_errors() {
        return Ok(None);
    }
    let text = as_run(root, &template);
    let (hash, lookup) = (hash(&text), Lookup::new(&figures));
    Ok(Some(Study {
        text,
        hash,
        is_dry: false,
        template,
        parameters,
        constraints,
        optimisation,
        design,
        figures,
        lookup,
        series,
        size: known.size,
        warnings: setup.warnings,
    }))
}

/// The scenario that all runs begin with.
fn scenario(
    reader: &mut Reader,
    source: &Source,
    (node, folder): (&Node, &Path),
    (table, settings): (&StudyTable, &[Setting]),
) -> Result<Option<Setup>, Report> {
    let listed = table.set.get().map_or(&[][..], Vec::as_slice);
    let own = listed.iter().map(|one| Setting::of_file(&one.name));
    let mut all = own.collect::<Result<Vec<_>, _>>()?;
    all.extend(settings.iter().cloned());
    let overrides = Overrides { settings: all };
    if let Value::Table(_) = node.value {
        let name = format!("{}: scenario", source.name());
        let own = Source::new(name, toml_out::tree(node));
        return scenario::parse(&own, folder, &overrides).map(Some);
    }
    let Some(path) = reader.text("scenario", node) else { return Ok(None) };
    let path = folder.join(path);
    let read = read_named(&path, LONGEST).and_then(|source| {
        let folder = path.parent().unwrap_or(Path::new(""));
        scenario::parse(&source, folder, &overrides)
    });
    match read {
        Ok(setup) => Ok(Some(setup)),
        Err(report) => {
            let unreadable =
                |problem: &&Problem| problem.span.is_none() && problem.severity == Severity::Error;
            let Some(problem) = report.problems().find(unreadable) else { return Err(report) };
            let message = format!("the scenario cannot be read: {}", problem.message);
            let help = problem.help.clone().unwrap_or_else(|| "check the path".to_owned());
            let problem = Problem::error(problem.code, message).at(node.span.clone());
            reader.push(problem.label("from the folder of the study").help(help));
            Ok(None)
        }
    }
}

/// The parameters; none where one of them is wrong.
fn parameters(
    reader: &mut Reader,
    template: &Template,
    (table, scheme): (&StudyTable, Scheme),
) -> Option<Vec<StudyParameter>> {
    let tables = table.parameter.get()?;
    if tables.len() > MOST_PARAMETERS {
        let message = format!("the study has {} parameters", tables.len());
        let problem = Problem::error(&codes::DESIGN, message);
        let help = format!(
            "let at most {MOST_PARAMETERS} change; paths = […] changes several values together"
        );
        reader.push(problem.at(table.parameter.span_or(&table.span)).help(help));
        return None;
    }
    let mut all = Vec::with_capacity(tables.len());
    for table in tables {
        reader.whose = match table.name.get() {
            Some(name) => format!("parameter {}", quoted(name)),
            None if tables.len() > 1 => format!("parameter number {}", all.len() + 1),
            None => String::new(),
        };
        all.push(parameter(reader, template, (scheme, table)));
        reader.whose.clear();
    }
    if all.is_empty() && !reader.has_errors() {
        let problem = Problem::error(&codes::DESIGN, "the study has no parameter");
        let help = "add one below a line [[parameter]]; pliant run runs a scenario once";
        reader.push(problem.at(table.parameter.span_or(&table.span)).help(help));
    }
    all.into_iter().collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

fn constraints(
    reader: &mut Reader,
    source: &Source,
    table: &StudyTable,
    parameters: &[StudyParameter],
    known: &[StudyFigure],
) -> Vec<StudyConstraint> {
    let tables = table.constraint.get().map_or(&[][..], Vec::as_slice);
    let known = (known, table.optimise.is_given());
    // without figures, names of figures are not known either
    let tables = if let ([], true) = known { &[][..] } else { tables };
    let one = |table| constraint(reader, source, table, parameters, known);
    tables.iter().filter_map(one).collect()
}

/// Whether no two columns have one name, and no two parameters change one value.
fn distinct(reader: &mut Reader, parameters: &[StudyParameter], figures: &[StudyFigure]) -> bool {
    let (mut names, mut paths) = (BTreeSet::new(), BTreeSet::new());
    let taken = |name: &str| {
        [INDEX, SERIES].contains(&name)
            || WORDS.contains(&name)
            || figures.iter().any(|one| one.name == name)
    };
    for parameter in parameters {
        let name = &parameter.name;
        let why = if taken(name) {
            Some(format!("another column of the table is called {}", quoted(name)))
        } else {
            let is_new = names.insert(name);
            (!is_new).then(|| format!("two parameters are called {}", quoted(name)))
        };
        let twice = parameter.paths.iter().find(|path| !paths.insert(*path));
        let why = why.or_else(|| twice.map(|path| format!("{} is changed twice", quoted(path))));
        if let Some(why) = why {
            let problem = Problem::error(&codes::VALUES, why).at(parameter.span.clone());
            let help = "give each parameter a name and a path of its own; paths = […] changes several \
                        values together";
            reader.push(problem.help(help));
        }
    }
    !reader.has_errors()
}

/// What runs can have: of the scenario, and of it with each value that is no number, which may be
/// another controller.
struct Known {
    figures: Vec<StudyFigure>,
    /// Those of each of these scenarios.
    channels: Vec<Catalogue>,
    /// How large the scenario's own run is.
    size: RunSize,
}

fn known(
    reader: &mut Reader,
    template: &Template,
    (table, parameters): (&StudyTable, &[StudyParameter]),
    here: Range<usize>,
) -> Option<Known> {
    let mut known = match tried(template, &template.root, table) {
        Ok(known) => known,
        Err(problem) => {
            reader.push(problem.at(here));
            return None;
        }
    };
    let mut names: BTreeSet<String> =
        known.figures.iter().map(|figure| figure.name.clone()).collect();
    let mut is_good = true;
    for parameter in parameters {
        for (k, choice) in parameter.choices.iter().enumerate() {
            let mut root = template.root.clone();
            put(&mut root, parameter, k as f64);
            match tried(template, &root, table) {
                Ok(more) => {
                    let figures = more.figures.into_iter();
                    known.figures.extend(figures.filter(|one| names.insert(one.name.clone())));
                    known.channels.extend(more.channels);
                }
                Err(problem) => {
                    let (name, choice) = (quoted(&parameter.name), quoted(choice));
                    let message = format!("parameter {name} as {choice}: {}", problem.message);
                    let problem = Problem { message, second: None, label: None, ..problem };
                    reader.push(problem.at(parameter.span.clone()));
                    is_good = false;
                }
            }
        }
    }
    is_good.then_some(known)
}

/// Puts a number drawn into the tree of the scenario.
pub(super) fn put(root: &mut Node, parameter: &StudyParameter, drawn: f64) {
    for place in &parameter.places {
        if let Some(node) = place.find(root) {
            node.value = parameter.value(drawn);
        }
    }
}

/// What runs of a scenario can have, by its first steps: there are no figures before two rows.
fn tried(template: &Template, root: &Node, table: &StudyTable) -> Result<Known, Problem> {
    let mut simulation: Simulation = template.simulation(root).map_err(|report| {
        let first = report.problems().find(|problem| problem.severity == Severity::Error);
        let unknown = || Problem::error(&codes::CANNOT_RUN, "it cannot be read");
        first.cloned().unwrap_or_else(unknown)
    })?;
    let problem = |message: String, help: Option<String>| {
        help.into_iter().fold(Problem::error(&codes::CANNOT_RUN, message), Problem::help)
    };
    room(&simulation).map_err(|error| problem(error.to_string(), error.help()))?;
    let diagram = &mut simulation.diagram;
    let asked = listed(&table.series).iter().map(|one| one.name.as_str());
    let channels = vec![series::catalogue(diagram, asked)];
    let size = diagram.size().map_err(|error| problem(error.to_string(), error.help()))?;
    let tried = pilot(&mut simulation);
    let Pilot { outcome, has_rows } =
        tried.map_err(|error| problem(error.to_string(), error.help()))?;
    let ending = &outcome.summary.ending;
    if ending.status != Status::Completed && !has_rows {
        let message = match &ending.why {
            Some(why) => format!("a run of it ends at its start: {why}"),
            None => format!("the first {MOST_STEPS} steps of a run of it lead nowhere"),
        };
        let help = "let a single run of it go well first: pliant run";
        return Err(problem(message, Some(help.to_owned())));
    }
    let figures = figures::known(&simulation, &outcome, &words(table));
    Ok(Known { figures, channels, size })
}

/// The names of a list; none where it is not there.
fn listed(field: &Field<Vec<Listed>>) -> &[Listed] {
    field.get().map_or(&[][..], Vec::as_slice)
}

/// The figures that the file asks for, as patterns; none where it says nothing.
fn patterns(table: &StudyTable) -> Option<Vec<String>> {
    let names = |all: &Vec<Listed>| all.iter().map(|one| one.name.clone()).collect();
    table.figures.get().map(names)
}

/// What may name a figure that takes long to find: patterns, goals and constraints.
fn words(table: &StudyTable) -> Vec<String> {
    let mut words = patterns(table).unwrap_or_default();
    if let Some(own) = table.optimise.get() {
        let goals = [own.minimise.get(), own.maximise.get()].into_iter().flatten().flatten();
        words.extend(goals.map(|one| one.name.clone()));
    }
    for one in table.constraint.get().map_or(&[][..], Vec::as_slice) {
        let text = one.expression.get().map_or("", String::as_str);
        let is_end = |letter: char| !(letter.is_alphanumeric() || "._".contains(letter));
        words.extend(text.split(is_end).filter(|word| !word.is_empty()).map(str::to_owned));
    }
    words
}

/// Those that the file asks for, and those that are needed.
fn figures_kept(
    reader: &mut Reader,
    table: &StudyTable,
    (known, needed): (&[StudyFigure], &[&str]),
) -> Option<Vec<StudyFigure>> {
    if table.figures.is_wrong() {
        return None;
    }
    match figures::chosen(known, patterns(table).as_deref(), needed) {
        Ok(figures) => Some(figures),
        Err(which) => {
            let Listed { name, span } = listed(&table.figures).get(which)?;
            let message = format!("no run has the figure {}", quoted(name));
            let problem = Problem::error(&codes::UNKNOWN_FIGURE, message).at(span.clone());
            reader.push(problem.label("unknown").help(figures::instead(known, name)));
            None
        }
    }
}

/// The text of a study that names no scenario, with this one inside.
pub(super) fn with_scenario(mut root: Node, scenario: Node) -> String {
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| entry.key != "scenario");
        let key_span = scenario.span.clone();
        entries.insert(0, Entry { key: "scenario".to_owned(), key_span, node: scenario });
    }
    toml_out::tree(&root)
}

/// The channels over time that the file asks for, of any of the scenarios.
fn series_kept(
    reader: &mut Reader,
    table: &StudyTable,
    known: &[Catalogue],
) -> Option<Vec<Channel>> {
    if table.series.is_wrong() {
        return None;
    }
    let (mut kept, mut names) = (Vec::new(), BTreeSet::from([INDEX.to_owned()]));
    for Listed { name, span } in listed(&table.series) {
        let found: Vec<Channel> = known.iter().flat_map(|all| series::chosen(all, name)).collect();
        let problem = if found.is_empty() {
            let message = format!("no run has the channel {}", quoted(name));
            let help = known.first().map_or_else(String::new, |all| series::instead(all, name));
            Some(Problem::error(&codes::UNKNOWN_CHANNEL, message).label("unknown").help(help))
        } else if found.iter().any(|channel| channel.name == INDEX) {
            let message =
                format!("the channel {} has the name of the column of runs", quoted(INDEX));
            let help = "call the sensor of the scenario something else";
            Some(Problem::error(&codes::VALUES, message).help(help))
        } else {
            None
        };
        if let Some(problem) = problem {
            reader.push(problem.at(span.clone()));
            return None;
        }
        kept.extend(found.into_iter().filter(|channel| names.insert(channel.name.clone())));
    }
    Some(kept)
}

/// The text of the study with its scenario inside.
fn as_run(root: &Node, template: &Template) -> String {
    let mut root = root.clone();
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| entry.key != "set");
        for entry in entries.iter_mut().filter(|entry| entry.key == "scenario") {
            entry.node = template.root.clone();
        }
    }
    toml_out::tree(&root)
}
