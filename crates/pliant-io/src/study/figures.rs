//! The figures of a run, by names that all runs of a study share.

use super::poles::{POLES, PoleFigure, poles};
use crate::nearest::nearest;
use pliant::scenario::{FigureKind, RunFigure, Simulation, SimulationOutcome};
use pliant::simulate::{Drift, fits};
use std::collections::{BTreeMap, BTreeSet};

/// What a figure is found by.
const FREQUENCY: &str = "frequency.";
const LEAST: &str = ".min";
const MOST: &str = ".max";

/// A figure that a study keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyFigure {
    /// Its name: `fore.tip.settling_time`.
    pub name: String,
    /// The same in words, as reports have it.
    pub label: String,
    /// Its unit; `1` for ratios and counts.
    pub unit: String,
    /// Whether a lower number is the better one, where one is.
    pub lower_is_better: Option<bool>,
    /// Whether it is kept where nothing is said.
    is_usual: bool,
}

/// A figure of one run; not a number where there is none.
struct Told {
    figure: StudyFigure,
    value: f64,
}

fn told(
    (name, label, unit): (String, &str, &str),
    value: Option<f64>,
    lower_is_better: Option<bool>,
    is_usual: bool,
) -> Told {
    let (label, unit) = (label.to_owned(), unit.to_owned());
    let figure = StudyFigure { name, label, unit, lower_is_better, is_usual };
    Told { figure, value: value.unwrap_or(f64::NAN) }
}

/// Which groups of figures are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Groups {
    extremes: bool,
    frequencies: bool,
    poles: bool,
}

impl Groups {
    /// Those in which patterns may choose.
    fn asked_for(patterns: &[String]) -> Self {
        // what stands before the first star
        let begins = |pattern: &String| pattern.split('*').next().unwrap_or_default().to_owned();
        let may_be = |word: &str| {
            patterns.iter().map(begins).any(|own| own.starts_with(word) || word.starts_with(&own))
        };
        Self { extremes: true, frequencies: true, poles: POLES.into_iter().any(may_be) }
    }

    /// Those of some figures.
    fn of(figures: &[StudyFigure]) -> Self {
        let names = |ends: &dyn Fn(&str) -> bool| figures.iter().any(|one| ends(&one.name));
        Self {
            extremes: names(&|name| name.ends_with(LEAST) || name.ends_with(MOST)),
            frequencies: names(&|name| name.starts_with(FREQUENCY)),
            poles: names(&|name| POLES.iter().any(|word| name.starts_with(word))),
        }
    }
}

/// All figures of a run.
fn all(simulation: &Simulation, outcome: &SimulationOutcome, groups: Groups) -> Vec<Told> {
    let mut all: Vec<Told> = outcome.figures().into_iter().map(of_run).collect();
    let summary = &outcome.summary;
    let absolute = |drift: Option<Drift>| drift.map(|drift| drift.absolute);
    let relative = |drift: Option<Drift>| drift.and_then(|drift| drift.relative);
    let (linear, angular) = match summary.momentum_drift {
        Some(drift) => (Some(drift.linear), Some(drift.angular)),
        None => (None, None),
    };
    let energy = summary.energy_drift;
    let statistics = summary.statistics;
    let mut own = |name: &str, label: &str, unit: &str, value: Option<f64>, is_usual: bool| {
        all.push(told((name.to_owned(), label, unit), value, Some(true), is_usual));
    };
    own("energy_drift", "energy drift", "J", absolute(energy), true);
    own("energy_drift_part", "energy drift of the largest energy", "1", relative(energy), false);
    own("linear_momentum_drift", "drift of the momentum", "kg m/s", absolute(linear), false);
    own(
        "angular_momentum_drift",
        "drift of the moment of momentum",
        "kg m^2/s",
        absolute(angular),
        false,
    );
    own("steps", "steps", "1", Some(statistics.steps as f64), false);
    own("rejected", "rejected steps", "1", Some(statistics.rejected as f64), false);
    own("evaluations", "evaluations", "1", Some(statistics.evaluations as f64), false);
    let mass = ("mass".to_owned(), "mass of the arm", "kg");
    all.push(told(mass, Some(simulation.arm.total_mass()), None, false));
    let end = ("end".to_owned(), "end of the run", "s");
    all.push(told(end, Some(summary.ending.time), None, false));
    if groups.frequencies {
        all.extend(frequencies(simulation));
    }
    if groups.poles {
        let of = |(name, label, unit, value, lower): PoleFigure| {
            told((name, &label, unit), Some(value), lower, false)
        };
        all.extend(poles(simulation).into_iter().map(of));
    }
    if groups.extremes {
        for extremes in &summary.extremes {
            let channel = &extremes.channel;
            for (ending, words, extreme) in
                [(LEAST, "least", extremes.least), (MOST, "most", extremes.most)]
            {
                let name = format!("{}{ending}", channel.name);
                let label = format!("{words} of {}", channel.name);
                let value = extreme.map(|extreme| extreme.value);
                all.push(told((name, &label, &channel.unit), value, None, false));
            }
        }
    }
    all
}

fn of_run(figure: RunFigure) -> Told {
    let RunFigure { name, label, kind, subject, unit, value, lower_is_better } = figure;
    let name = match kind {
        FigureKind::Motors => format!("motors.{name}"),
        _ => format!("{subject}.{name}"),
    };
    let label = format!("{subject}: {label}");
    told((name, &label, &unit), value, Some(lower_is_better), true)
}

/// The natural frequencies at the start, with the joints held; none where they do not exist.
fn frequencies(simulation: &Simulation) -> Vec<Told> {
    let modes = simulation.arm.modes(&simulation.diagram.q);
    let modes = modes.map_or_else(|_| Vec::new(), |modes| modes.modes);
    let frequency = |(k, hertz): (usize, f64)| {
        let label = format!("natural frequency {} at the start", k + 1);
        told((format!("{FREQUENCY}{}", k + 1), &label, "Hz"), Some(hertz), None, false)
    };
    modes.iter().map(pliant::analyse::Mode::hertz).enumerate().map(frequency).collect()
}

/// The figures that a run of the scenario can have, each name once; of what takes long, only where
/// patterns may choose it.
pub(super) fn known(
    simulation: &Simulation,
    outcome: &SimulationOutcome,
    patterns: &[String],
) -> Vec<StudyFigure> {
    let mut names = BTreeSet::new();
    let groups = Groups::asked_for(patterns);
    let all = all(simulation, outcome, groups).into_iter().map(|told| told.figure);
    all.filter(|figure| names.insert(figure.name.clone())).collect()
}

/// Those that patterns choose, or the usual ones, and those needed by name; a pattern that chooses
/// none is given back.
pub(super) fn chosen(
    known: &[StudyFigure],
    patterns: Option<&[String]>,
    needed: &[&str],
) -> Result<Vec<StudyFigure>, usize> {
    let is_needed = |figure: &StudyFigure| needed.contains(&figure.name.as_str());
    let Some(patterns) = patterns else {
        let kept = known.iter().filter(|figure| figure.is_usual || is_needed(figure));
        return Ok(kept.cloned().collect());
    };
    let is_chosen = |pattern: &String, figure: &StudyFigure| fits(pattern, &figure.name);
    for (k, pattern) in patterns.iter().enumerate() {
        if !known.iter().any(|figure| is_chosen(pattern, figure)) {
            return Err(k);
        }
    }
    let wanted = |figure: &&StudyFigure| {
        patterns.iter().any(|one| is_chosen(one, figure)) || is_needed(figure)
    };
    Ok(known.iter().filter(wanted).cloned().collect())
}

/// What to say of a pattern that chooses none.
pub(super) fn instead(known: &[StudyFigure], pattern: &str) -> String {
    let names = || known.iter().map(|figure| figure.name.as_str());
    if let Some(near) = nearest(pattern, names()) {
        return format!("did you mean \"{near}\"?");
    }
    let usual = known.iter().filter(|figure| figure.is_usual).take(8);
    let usual: Vec<&str> = usual.map(|figure| figure.name.as_str()).collect();
    format!("there are: {}, …; a star stands for anything", usual.join(", "))
}

/// A figure of a run by name; where no run of the scenario has it, what there is instead.
pub(crate) fn figure(
    simulation: &Simulation,
    outcome: &SimulationOutcome,
    name: &str,
) -> Result<f64, String> {
    let asked = [name.to_owned()];
    let found = all(simulation, outcome, Groups::asked_for(&asked))
        .into_iter()
        .find(|one| one.figure.name == name);
    found.map(|found| found.value).ok_or_else(|| instead(&known(simulation, outcome, &asked), name))
}

/// Looks up the figures of runs.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    columns: BTreeMap<String, usize>,
    groups: Groups,
}

impl Lookup {
    pub(super) fn new(figures: &[StudyFigure]) -> Self {
        let columns = figures.iter().enumerate().map(|(k, one)| (one.name.clone(), k)).collect();
        Self { columns, groups: Groups::of(figures) }
    }

    /// The figures of a run, in their order.
    pub(super) fn values(&self, simulation: &Simulation, outcome: &SimulationOutcome) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.columns.len()];
        let mut seen = vec![false; values.len()];
        for Told { figure, value } in all(simulation, outcome, self.groups) {
            if let Some(&k) = self.columns.get(&figure.name)
                && !std::mem::replace(&mut seen[k], true)
            {
                values[k] = value;
            }
        }
        values
    }
}
