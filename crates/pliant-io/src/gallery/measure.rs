//! What is taken of a run, of an arm, of a loop and of an algorithm.

use super::entry::{Counting, Rooted, Taken, Which};
use super::file::{CountedBy, CountedKind, Followed, JointsThen, Taking};
use super::model_file::{Part, Roots};
use crate::linear_names::{linear_inputs, linear_outputs};
use crate::results::RunOutcome;
use crate::scenario::{RecordedRun, Setup};
use crate::shapes::Words as _;
use crate::study;
use pliant::Help as _;
use pliant::analyse::{Conditions, JointCondition, Mode, Modes, OperatingPoint};
use pliant::reproduce::effort::{self, CountedQuantity};
use pliant::reproduce::gibbs_appell::GibbsAppellStep;
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation};
use pliant::scalar::Counts;
use pliant::scenario::{Simulation, SimulationOutcome, Tracking};
use pliant::simulate::Status;
use std::ops::{Range, RangeInclusive};

/// Why a number cannot be had.
pub(super) enum Lack {
    /// In words, for its row: the motion breaks down, the matrix is singular.
    Told(String),
    /// The entry is at fault: what is wrong, and what would be right.
    Fault(String, String),
    /// The same, where the entry says so.
    FaultAt(Range<usize>, String, String),
}

/// A run that was recorded, or why it broke down.
pub(super) struct Ran {
    pub(super) run: RecordedRun,
    pub(super) broke_down: Option<String>,
}

impl Ran {
    pub(super) fn new(run: RecordedRun) -> Self {
        let ending = &run.summary.outcome.run.ending;
        let broke_down = (ending.status == Status::Failed).then(|| {
            let why = ending.why.clone().unwrap_or_else(|| "a controller gave up".to_owned());
            format!("the run ends early: {why}")
        });
        Self { run, broke_down }
    }

    /// What figures are taken of.
    fn outcome(&self) -> SimulationOutcome {
        let RunOutcome { run, tracking, links, .. } = self.run.summary.outcome.clone();
        let (sliding, warnings) = (Vec::new(), Vec::new());
        SimulationOutcome { summary: run, tracking, links, sliding, warnings, unstable: None }
    }
}

/// Why nothing is taken of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Untaken {
    /// It has no row there.
    NoRow,
    /// It has no value at a time.
    NoValue(f64),
}

/// The time of a row of those from which on a course is taken whose value is no number.
pub(super) fn gap(times: &[f64], course: &[f64]) -> Option<f64> {
    times.iter().zip(course).find(|(_, value)| !value.is_finite()).map(|(time, _)| *time)
}

/// That a course has no value at a time.
pub(super) fn without_value(time: f64) -> Lack {
    Lack::Told(format!("the expression has no value at t = {time} s"))
}

/// What is taken of a course over times that ascend.
pub(super) fn taken(take: Taking, at: f64, times: &[f64], course: &[f64]) -> Result<f64, Untaken> {
    let from = times.partition_point(|time| *time < at - 1e-9 * at.abs());
    if take == Taking::At {
        let value = between(at, times, course).ok_or(Untaken::NoRow)?;
        return if value.is_finite() { Ok(value) } else { Err(Untaken::NoValue(at)) };
    }
    let (times, course) = (&times[from..], &course[from..]);
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return Err(Untaken::NoRow);
    };
    let span = last - first;
    // of all of it, but where one row is asked for
    let asked = match take {
        Taking::First => 0..1,
        Taking::Last => times.len() - 1..times.len(),
        _ => 0..times.len(),
    };
    if let Some(time) = gap(&times[asked.clone()], &course[asked]) {
        return Err(Untaken::NoValue(time));
    }
    let area = |of: &dyn Fn(f64) -> f64| -> f64 {
        let pairs = times.windows(2).zip(course.windows(2));
        pairs.map(|(t, y)| (t[1] - t[0]) * 0.5 * (of(y[0]) + of(y[1]))).sum()
    };
    Ok(match take {
        Taking::First | Taking::At => course[0],
        Taking::Last => course[course.len() - 1],
        Taking::Largest => course.iter().fold(0.0, |most: f64, y| most.max(y.abs())),
        Taking::Most => course.iter().fold(f64::NEG_INFINITY, |most, y| most.max(*y)),
        Taking::Least => course.iter().fold(f64::INFINITY, |least, y| least.min(*y)),
        Taking::Mean => area(&|y| y) / span,
        Taking::Rms => (area(&|y| y * y) / span).sqrt(),
        Taking::Integral => area(&|y| y),
    })
}

/// The value at a time, on a straight line between two rows.
fn between(at: f64, times: &[f64], course: &[f64]) -> Option<f64> {
    let near = 1e-9 * at.abs().max(1.0);
    if let Some(row) = times.iter().position(|time| (time - at).abs() <= near) {
        return course.get(row).copied();
    }
    let after = times.partition_point(|time| *time < at);
    let before = after.checked_sub(1)?;
    let (t, u) = (times.get(before)?, times.get(after)?);
    let (x, y) = (course.get(before)?, course.get(after)?);
    Some(x + (y - x) * (at - t) / (u - t))
}

/// A figure of a run, as studies know it.
fn figure(simulation: &Simulation, outcome: &SimulationOutcome, name: &str) -> Result<f64, Lack> {
    match study::figure(simulation, outcome, name) {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(Lack::Told("the run has no such figure".to_owned())),
        Err(help) => Err(Lack::Fault(format!("no run has the figure {name:?}"), help)),
    }
}

/// How well controllers followed.
fn tracking(all: Option<&Tracking>, of: Followed, joint: Option<&str>) -> Result<f64, Lack> {
    let fault = |message: &str, help: String| Lack::Fault(message.to_owned(), help);
    let none = || fault("nothing is tracked in this run", "give the scenario a plan".to_owned());
    let all = all.ok_or_else(none)?;
    let largest = |of: &dyn Fn(&pliant::scenario::JointTracking) -> f64| {
        let Some(name) = joint else {
            return Ok(all.joints.iter().map(of).fold(0.0, f64::max));
        };
        let found = all.joints.iter().find(|one| one.name == name);
        found.map(of).ok_or_else(|| {
            let known: Vec<&str> = all.joints.iter().map(|one| one.name.as_str()).collect();
            fault("the plan has no such joint", format!("it can be: {}", known.join(", ")))
        })
    };
    match of {
        Followed::Error => largest(&|joint| joint.most),
        Followed::RateError => largest(&|joint| joint.most_rate),
        Followed::ErrorIntegral => all.error_integral.ok_or_else(none),
        Followed::HalfErrorIntegral => all.half_error_integral.ok_or_else(none),
        Followed::HalfEffortIntegral => Ok(all.half_effort_integral),
        Followed::HalfIdealEffortIntegral => Ok(all.half_ideal_effort_integral),
    }
}

/// A natural mode at the start, under its loads and while prescribed joints turn, and the configuration
/// that it is about.
pub(super) fn mode(
    setup: &Setup,
    which: &Which,
    joints: JointsThen,
) -> Result<(Vec<f64>, Mode), Lack> {
    let (arm, q) = (&setup.simulation.arm, &setup.simulation.diagram.q);
    let joints = match joints {
        JointsThen::Held => Vec::new(),
        JointsThen::Free => Conditions::all(arm, JointCondition::Free).joints,
        JointsThen::OnSprings => Conditions::unlocked(arm).joints,
    };
    let conditions = Conditions { joints, ..setup.simulation.diagram.conditions_at_start() };
    let modes = arm.modes_under(q, &conditions);
    let Modes { q, modes, .. } = modes.map_err(|error| Lack::Told(error.with_help()))?;
    let Which { number, span } = which;
    let mode = number.checked_sub(1).and_then(|at| modes.get(at).cloned());
    mode.map(|mode| (q, mode)).ok_or_else(|| {
        let (many, help) = (modes.len(), "give the links more shapes, or ask for a lower one");
        let message = format!("there is no number {number} of the {many} natural frequencies then");
        Lack::FaultAt(span.clone(), message, help.to_owned())
    })
}

/// The spectral radius of the loops at a time of the plan (s).
pub(super) fn spectral_radius(setup: &Setup, at: f64) -> Result<f64, Lack> {
    let closed = setup.simulation.closed_loop(at, &[], &[]);
    let closed = closed.map_err(|error| Lack::Told(error.with_help()))?;
    closed.spectral_radius().ok_or_else(|| {
        let help = "give its controllers a period";
        Lack::Fault("the loops of the scenario have no period".to_owned(), help.to_owned())
    })
}

/// A pole of the loops, or a zero of the arm from its motors to some outputs (1/s).
pub(super) fn root(setup: &Setup, root: &Rooted, number: f64) -> Result<f64, Lack> {
    let fault = |message: String, help: &str| Lack::Fault(message, help.to_owned());
    let roots: Vec<[f64; 2]> = match root.of {
        Roots::Poles => {
            let closed = setup.simulation.closed_loop(root.at, &[], &[]);
            let closed = closed.map_err(|error| Lack::Told(error.with_help()))?;
            let in_time = |pole: [f64; 2]| match closed.period {
                Some(period) => logarithm(pole).map(|part| part / period),
                None => pole,
            };
            closed.system.poles().iter().map(|pole| in_time([pole.re, pole.im])).collect()
        }
        Roots::Zeros => {
            let (arm, q) = (&setup.simulation.arm, &setup.simulation.diagram.q);
            let mut free = Conditions::all(arm, JointCondition::Free);
            free.as_given = true;
            let named = |error: crate::LinearNameError| {
                Lack::Fault(error.to_string(), error.help().unwrap_or_default())
            };
            let inputs = linear_inputs(arm, &free, &[]).map_err(named)?;
            let names: Vec<String> = root.outputs.iter().map(|one| one.name.clone()).collect();
            for output in &root.outputs {
                let found = linear_outputs(arm, &[], std::slice::from_ref(&output.name));
                found.map_err(|error| {
                    let help = error.help().unwrap_or_default();
                    Lack::FaultAt(output.span.clone(), error.to_string(), help)
                })?;
            }
            let outputs = linear_outputs(arm, &[], &names).map_err(named)?;
            let outputs: Vec<_> = outputs.into_iter().map(|(output, _)| output).collect();
            let point = OperatingPoint::rest(arm, q);
            let system = arm.linearise(&point, &free, &inputs, &outputs);
            let system = system.map_err(|error| Lack::Told(error.with_help()))?;
            let zeros = system.zeros().ok_or_else(|| {
                fault("every number is a zero".to_owned(), "give as many outputs as motors")
            })?;
            zeros.iter().map(|zero| [zero.re, zero.im]).collect()
        }
    };
    let roots = in_order(roots);
    let at = roots.iter().enumerate().find(|(k, _)| *k as f64 + 1.0 == number);
    if number.is_nan() {
        return Err(Lack::Told("which of them is not known".to_owned()));
    }
    let (_, [real, imaginary]) = at.ok_or_else(|| {
        let (many, of) = (roots.len(), root.of.in_a_word());
        let message = format!("there is no number {number} of {many} {of}");
        let help = match many {
            0 => format!("the scenario has no {of}: take another kind of column"),
            _ => format!("give a whole number from 1 to {many}"),
        };
        Lack::FaultAt(root.number.span.clone(), message, help)
    })?;
    Ok(match root.part {
        Part::Real => *real,
        Part::Imaginary => *imaginary,
    })
}

/// The logarithm of a complex number.
fn logarithm([re, im]: [f64; 2]) -> [f64; 2] {
    [re.hypot(im).ln(), im.atan2(re)]
}

/// By size, and where that is the same but for rounding by real and then by imaginary part.
fn in_order(mut roots: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let largest = roots.iter().fold(0.0, |most: f64, [re, im]| most.max(re.hypot(*im)));
    let coarse = |x: f64| if x.abs() < 1e-9 * largest { 0.0 } else { (x * 1e6 / largest).round() };
    roots.sort_by(|a, b| {
        let key = |[re, im]: &[f64; 2]| [coarse(re.hypot(*im)), coarse(*re), coarse(*im)];
        let (a, b) = (key(a), key(b));
        a.iter()
            .zip(&b)
            .map(|(a, b)| a.total_cmp(b))
            .find(|way| way.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    roots
}

/// The coordinates of each link, from groups such as `2x3 4x0`.
fn coordinates(groups: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for group in groups.split([',', ' ']).filter(|group| !group.is_empty()) {
        let (count, modes) = group.split_once('x')?;
        let (count, modes): (usize, usize) = (count.parse().ok()?, modes.parse().ok()?);
        if count > MOST_LINKS.saturating_sub(all.len()) || modes > MOST_MODES {
            return None;
        }
        all.extend(std::iter::repeat_n(modes, count));
    }
    let many = all.len() + all.iter().sum::<usize>();
    (!all.is_empty() && many <= MOST_COORDINATES).then_some(all)
}

/// Operations are counted for chains of at most so many links, which takes seconds and 200 MB at most.
const MOST_LINKS: usize = 300;

/// A link bends in at most so many coordinates then,
const MOST_MODES: usize = 30;

/// and links and their coordinates are no more than this in all.
const MOST_COORDINATES: usize = 600;

/// What is to be counted: the coordinates of each link, and which steps.
pub(super) fn countable(
    counting: &Counting,
    links: &str,
    steps: Option<&str>,
) -> Result<(Vec<usize>, Option<RangeInclusive<usize>>), Lack> {
    let wrong = || {
        let help = format!(
            "write groups of links with so many coordinates each, such as \"2x3 4x0\"; {MOST_LINKS} links \
             at most, {MOST_MODES} coordinates of each, and {MOST_COORDINATES} of both in all"
        );
        Lack::Fault(format!("{links:?} is no chain of links that can be counted"), help)
    };
    let modes = coordinates(links).ok_or_else(wrong)?;
    let Some(steps) = steps else { return Ok((modes, None)) };
    let at = counting.steps.as_ref().unwrap_or(&counting.links).span.clone();
    let fault = |message: String, help: &str| Lack::FaultAt(at, message, help.to_owned());
    let is_whole = counting.of == CountedQuantity::MassAndBias;
    if counting.by != CountedBy::GibbsAppell || !is_whole {
        let help = "write of = \"mass matrix and bias\" and by = \"gibbs-appell\", or no steps";
        return Err(fault("no other algorithm has steps".to_owned(), help));
    }
    if counting.kind.is_chain() {
        let help = "write count = \"both\", or no steps";
        return Err(fault("steps have no operations in sequence".to_owned(), help));
    }
    let range = step_range(steps).ok_or_else(|| {
        let help = "write one of 0 to 10, or the first and the last of several: \"1-10\"";
        fault(format!("there are no steps {steps:?}"), help)
    })?;
    Ok((modes, Some(range)))
}

impl CountedKind {
    /// Whether those are counted that must follow one another.
    fn is_chain(self) -> bool {
        matches!(self, Self::Chain | Self::MultiplicationChain | Self::AdditionChain)
    }
}

/// The operations of an algorithm on a chain of links.
pub(super) fn operations(
    counting: &Counting,
    links: &str,
    steps: Option<&str>,
) -> Result<f64, Lack> {
    let (modes, steps) = countable(counting, links, steps)?;
    let arm = if counting.has_rigid_ends {
        effort::chain_with_rigid_ends(&modes)
    } else {
        effort::chain(&modes)
    };
    let arm = arm.map_err(|error| Lack::Told(error.with_help()))?;
    let total = |counts: &Counts| match counting.kind {
        CountedKind::Multiplications => counts.multiplications,
        CountedKind::Additions => counts.additions,
        _ => counts.multiplications + counts.additions,
    };
    if let Some(steps) = steps {
        let counts = effort::gibbs_appell_steps(&arm);
        let counts = counts.map_err(|lack| Lack::Told(lack.with_help()))?;
        return Ok(counts[steps].iter().map(total).sum::<u64>() as f64);
    }
    let by = match counting.by {
        CountedBy::Recursive => Algorithm::Recursive,
        CountedBy::Composite => Algorithm::Composite,
        CountedBy::Articulated => Algorithm::Articulated,
        CountedBy::GibbsAppell => Algorithm::GibbsAppell(Rotation::Small),
        CountedBy::Recurrences => Algorithm::Recurrence(Evaluation::InTurn),
        CountedBy::Doubling => Algorithm::Recurrence(Evaluation::Doubling),
    };
    let chains = || effort::chains(&arm, by, counting.of);
    let count = match counting.kind {
        CountedKind::Chain => chains().map(|chains| chains.operations),
        CountedKind::MultiplicationChain => chains().map(|chains| chains.multiplications),
        CountedKind::AdditionChain => chains().map(|chains| chains.additions),
        CountedKind::Multiplications | CountedKind::Additions | CountedKind::Both => {
            effort::operations(&arm, by, counting.of).map(|all| total(&all))
        }
    };
    Ok(count.map_err(|lack| Lack::Told(lack.with_help()))? as f64)
}

/// The steps of Korayem's algorithm that a text tells: `3`, `1-10`.
fn step_range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last && last < GibbsAppellStep::ALL.len()).then_some(first..=last)
}

impl Taken {
    /// What is taken of a run in general: not of a course, which has expressions.
    pub(super) fn of_run(&self, setup: &Setup, ran: &Ran) -> Option<Result<f64, Lack>> {
        self.of_outcome(&setup.simulation, &ran.outcome())
    }

    /// The same of what is left of a run, or of the first steps of one.
    pub(super) fn of_outcome(
        &self,
        simulation: &Simulation,
        outcome: &SimulationOutcome,
    ) -> Option<Result<f64, Lack>> {
        match self {
            Self::Figure(name) => Some(figure(simulation, outcome, &name.name)),
            Self::Tracking { of, joint } => {
                let joint = joint.as_ref().map(|joint| joint.name.as_str());
                Some(tracking(outcome.tracking.as_ref(), *of, joint))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_counted_from_the_smallest() {
        let pair = [[0.0, 5.0], [1e-13, -5.0 - 1e-12]];
        let found = in_order([[[3.0, 0.0], [-3.0 - 1e-12, 0.0]], pair].concat());
        let sign = |x: &f64| if x.abs() < 1e-9 { 0 } else { x.signum() as i32 };
        let signs: Vec<[i32; 2]> = found.iter().map(|[re, im]| [sign(re), sign(im)]).collect();
        assert_eq!(signs, [[-1, 0], [1, 0], [0, -1], [0, 1]]);
        let [re, im] = logarithm([0.0, 1.0]);
        assert!(re.abs() < 1e-15 && (im - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    }

    #[test]
    fn chains_are_groups_of_links() {
        assert_eq!(coordinates("2x3, 1x0"), Some(vec![3, 3, 0]));
        assert_eq!(coordinates("300x1").map(|all| all.len()), Some(300));
        for wrong in ["", "2", "2x", "x3", "-1x2", "301x0", "2x31", "0x3", "300x1, 1x0", "200x3"] {
            assert_eq!(coordinates(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn steps_are_told_by_the_first_and_the_last() {
        assert_eq!([step_range("3"), step_range("1-10")], [Some(3..=3), Some(1..=10)]);
        for wrong in ["", "11", "3-2", "1-", "-1", "1-10-2", "x"] {
            assert_eq!(step_range(wrong), None, "{wrong}");
        }
    }

    /// Of a line from 0 to 4 in 2 s, in rows that are not evenly apart.
    #[test]
    fn courses_are_taken_by_their_rules() {
        let (times, course) = ([0.0, 0.5, 2.0], [0.0, 1.0, 4.0]);
        let of = |take, at| taken(take, at, &times, &course).expect("a number");
        assert_eq!(of(Taking::At, 1.0), 2.0);
        assert_eq!(of(Taking::At, 0.5), 1.0);
        assert_eq!(of(Taking::Integral, 0.0), 4.0);
        assert_eq!(of(Taking::Integral, 0.5), 3.75);
        assert_eq!(of(Taking::Mean, 0.0), 2.0);
        assert_eq!([of(Taking::First, 0.5), of(Taking::Last, 0.0)], [1.0, 4.0]);
        let down = taken(Taking::Largest, 0.0, &times, &[1.0, -3.0, 2.0]);
        assert_eq!(down, Ok(3.0));
        let [most, least] = [Taking::Most, Taking::Least]
            .map(|take| taken(take, 0.0, &times, &[1.0, -3.0, 2.0]).expect("a number"));
        assert_eq!([most, least], [2.0, -3.0]);
        let rms = taken(Taking::Rms, 0.0, &times, &[2.0; 3]).expect("a number");
        assert!((rms - 2.0).abs() < 1e-12);
        assert_eq!(taken(Taking::At, 3.0, &times, &course), Err(Untaken::NoRow));
        assert_eq!(taken(Taking::Most, 3.0, &times, &course), Err(Untaken::NoRow));
    }
}
