//! Runs of a simulation, and the figures by which they are judged.

use super::Simulation;
use super::fault::ScenarioFault;
use super::fault_kind::ScenarioFaultKind;
use super::figure::RunFigure;
use super::link_peaks::{LinkPeaks, LinkWatch, RunPeak};
use super::range::{RangeFinding, RangeWatch};
use super::row_state::RowState;
use super::sliding::SlidingSpeed;
use super::stability::UnstableLoop;
use super::tracking::Tracker;
use super::tracking_results::Tracking;
use crate::integrate::{StateVisitor, Stateful};
use crate::scalar::short;
use crate::simulate::{
    Channel, DiagramError, ProgressMonitor, Recorder, RunError, Status, Summary,
};
use std::fmt;

/// The outcome of a run and the figures by which it is judged.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct SimulationOutcome {
    /// The outcome of the run.
    pub summary: Summary,
    /// How well controllers tracked; none without controllers and actuators.
    pub tracking: Option<Tracking>,
    /// The largest deflections, internal forces and stresses of the links that bend.
    pub links: Vec<LinkPeaks>,
    /// How fast links slid.
    pub sliding: Vec<SlidingSpeed>,
    /// What is doubtful about the run.
    pub warnings: Vec<RunWarning>,
    /// The unstable loop of a run whose motion could not be carried on.
    pub unstable: Option<UnstableLoop>,
}

impl SimulationOutcome {
    /// The figures by which runs are compared.
    pub fn figures(&self) -> Vec<RunFigure> {
        RunFigure::of(self.tracking.as_ref(), &self.links)
    }

    /// Whether the run came to its end, or to an event that stops it: it did not diverge, and nobody
    /// interrupted it.
    pub fn is_complete(&self) -> bool {
        matches!(self.summary.ending.status, Status::Completed | Status::Stopped)
    }
}

/// Something doubtful about a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunWarning {
    /// A link left the range of its assumptions.
    Range(RangeFinding),
    /// A motor was faster than it drives.
    TooFast {
        /// The output of its controller, or the channel of its force.
        motor: String,
        /// The speed up to which it drives (rad/s, m/s).
        speed: f64,
        /// The unit of that speed.
        unit: String,
        /// The share of the run for which it was faster.
        share: f64,
    },
    /// A motor was at its limit for too long.
    Saturated {
        /// The output of its controller, or the channel of its force.
        motor: String,
        /// The limit (N m, N).
        limit: f64,
        /// The unit of that limit.
        unit: String,
        /// The share of the run for which it was there.
        share: f64,
        /// The share that is allowed.
        allowed: f64,
    },
    /// A link slid faster than its model is right for.
    Sliding(SlidingSpeed),
    /// The stress in a link was larger than its strength.
    Overstressed {
        /// The link.
        link: String,
        /// The smallest margin, strength over stress.
        margin: f64,
        /// When (s).
        time: f64,
    },
    /// The energy balance lost or won more than the method explains.
    EnergyDrift {
        /// By how much (J).
        drift: f64,
        /// As part of the largest kinetic energy; none where that counts as zero.
        part: Option<f64>,
        /// The tolerance of the method, if it has one.
        tolerance: Option<f64>,
    },
    /// A joint ended far from its plan or target.
    OffPlan {
        /// The joint.
        joint: String,
        /// How far (rad, m).
        error: f64,
        /// Its unit.
        unit: String,
        /// The way of the joint (rad, m).
        way: f64,
    },
}

/// A drift of energy is doubtful beyond this part of the largest kinetic energy, and beyond so many
/// times the tolerance of that energy.
const LARGE_DRIFT: f64 = 1e-3;
const DRIFT_OF_TOLERANCE: f64 = 1e3;

/// Beyond so many times the tolerance, errors of steps do not add up to a drift: something jumps.
const JUMPS_OF_TOLERANCE: f64 = 1e6;

/// Below this rounding adds up to as much.
const ROUNDED: f64 = 1e-11;

impl RunWarning {
    /// Where the energy of a run drifts more than its method explains, and more than rounding. A run
    /// that broke down is told as such.
    fn of_drift(summary: &Summary, tolerance: Option<f64>) -> Option<Self> {
        let drift = summary.energy_drift.filter(|_| summary.ending.breakdown.is_none())?;
        let (part, drift) = (drift.relative, drift.absolute);
        let of_tolerance = tolerance.map_or(LARGE_DRIFT, |own| DRIFT_OF_TOLERANCE * own);
        let is_large = match part {
            Some(part) => part > LARGE_DRIFT.min(of_tolerance) && drift > summary.energy_rounding,
            None => drift > summary.energy_rounding / LARGE_DRIFT,
        };
        is_large.then_some(Self::EnergyDrift { drift, part, tolerance })
    }

    /// Where the stress in a link exceeds its strength.
    fn of_stress(peaks: &LinkPeaks) -> Option<Self> {
        let RunPeak { value: margin, time, .. } = peaks.margin?;
        (margin < 1.0).then(|| Self::Overstressed { link: peaks.link.clone(), margin, time })
    }

    /// What to do about it, where more can be said.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Range(found) => found.help(),
            Self::Overstressed { .. } => {
                Some("take a stronger section or material, or a slower motion".into())
            }
            Self::EnergyDrift { part, tolerance, .. } => Some(match (part, tolerance) {
                (_, None) => "give a shorter step, or a method with a tolerance".into(),
                (Some(part), Some(tolerance)) if *part <= ROUNDED && *tolerance <= ROUNDED => {
                    format!("give a tolerance of {ROUNDED:e}: rounding is in the way of a smaller one")
                }
                (Some(part), Some(tolerance)) if *part <= JUMPS_OF_TOLERANCE * tolerance => {
                    "give a smaller tolerance, or compare with another method; where the drift stays, look for something that jumps with the state".into()
                }
                _ => "look for something that jumps with the state, compare with another method, or give a smaller tolerance".into(),
            }),
            _ => None,
        }
    }
}

/// In per cent, with one decimal.
fn percent(share: f64) -> String {
    short((1000.0 * share).round() / 10.0)
}

impl fmt::Display for RunWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(found) => found.fmt(f),
            Self::TooFast { motor, speed, unit, share } => write!(
                f,
                "{motor} is of a motor that is faster than the {} {unit} up to which it drives for {} % of the run",
                short(*speed),
                percent(*share),
            ),
            Self::Saturated { motor, limit, unit, share, allowed } => write!(
                f,
                "{motor} is at its limit of {} {unit} for {} % of the run, more than {} %: it cannot do what it is told",
                short(*limit),
                percent(*share),
                short(100.0 * allowed),
            ),
            Self::Sliding(speed) => speed.fmt(f),
            Self::Overstressed { link, margin, time } => write!(
                f,
                "link \"{link}\" would yield or break: its margin, strength over stress, is {margin:.2} at t = {} s",
                short(*time),
            ),
            Self::EnergyDrift { drift, part, tolerance } => {
                write!(f, "the energy drifts by {drift:.1e} J, ")?;
                match (part, tolerance) {
                    (None, _) => write!(f, "though the arm hardly moves"),
                    (Some(part), Some(tolerance)) if *part <= LARGE_DRIFT => write!(
                        f,
                        "{part:.1e} of the largest kinetic energy, more than {} times the tolerance {tolerance:e}",
                        short(DRIFT_OF_TOLERANCE)
                    ),
                    (Some(part), _) => write!(
                        f,
                        "{part:.1e} of the largest kinetic energy: numbers that depend on it are not to be trusted"
                    ),
                }
            }
            Self::OffPlan { joint, error, unit, way } => write!(
                f,
                "{joint} ends {} {unit} from where it should be, after a way of {} {unit}",
                short(error.abs()),
                short(*way),
            ),
        }
    }
}

impl Simulation {
    /// Runs it; many times, if wished. The recorder gets the channels of the selection.
    ///
    /// A motion that diverges and a law that gives up are no errors: they end the run, and
    /// [`Summary::ending`](crate::simulate::Summary::ending) tells so; see [`SimulationOutcome::is_complete`].
    pub fn run<R: Recorder, W: ProgressMonitor>(
        &self,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<SimulationOutcome, RunError<R::Error>> {
        self.run_from(None, recorder, watch)
    }

    /// Goes on from the [state](Summary::state) of a run: the outcome is that of the whole run, bit
    /// for bit; the recorder gets the rows that follow.
    pub fn resume<R: Recorder, W: ProgressMonitor>(
        &self,
        state: &[f64],
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<SimulationOutcome, RunError<R::Error>> {
        self.run_from(Some(state), recorder, watch)
    }

    fn run_from<R: Recorder, W: ProgressMonitor>(
        &self,
        state: Option<&[f64]>,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<SimulationOutcome, RunError<R::Error>> {
        let mut diagram = self.diagram.clone();
        diagram.check()?;
        let catalogue = diagram.catalogue();
        let asked = diagram.selection.resolve(&catalogue);
        let asked = asked.map_err(DiagramError::from)?.len();
        // what is needed besides stands behind what is recorded
        let (tracks, watches) = (Tracker::is_wanted(self), RangeWatch::is_wanted(self));
        let bends = LinkWatch::is_wanted(self);
        if tracks || watches || bends {
            diagram.selection = diagram.selection.and(RowState::NEEDS);
        }
        if bends {
            diagram.selection = diagram.selection.and(LinkWatch::NEEDS);
        }
        if tracks {
            diagram.selection = diagram.selection.and(Tracker::NEEDS);
        }
        diagram.selection = diagram.selection.and(SlidingSpeed::needs(catalogue.channels()));
        let range = RangeWatch::new(self);
        let mut rows = Judged {
            simulation: self,
            asked,
            recorder,
            state: None,
            tracker: None,
            links: None,
            range,
        };
        let mut summary = match state {
            None => diagram.run(&mut rows, watch)?,
            Some(state) => diagram.resume(state, &mut rows, watch)?,
        };
        let mut warnings: Vec<RunWarning> = Vec::new();
        warnings.extend(RunWarning::of_drift(&summary, self.diagram.method.tolerance()));
        let found = rows.range.take().map_or_else(Vec::new, RangeWatch::finish);
        warnings.extend(found.into_iter().map(RunWarning::Range));
        let mut tracking = None;
        let last = rows.state.as_ref().filter(|_| summary.ending.breakdown.is_none());
        let tracked = rows.tracker.take().and_then(|tracker| tracker.finish(last));
        if let Some((found, others)) = tracked {
            tracking = Some(found);
            warnings.extend(others);
        }
        let links = rows.links.take().map_or_else(Vec::new, LinkWatch::finish);
        warnings.extend(links.iter().filter_map(RunWarning::of_stress));
        let sliding = SlidingSpeed::of_run(self, &summary.extremes);
        let fast = sliding.iter().filter(|speed| speed.is_fast()).cloned();
        warnings.extend(fast.map(RunWarning::Sliding));
        summary.extremes.truncate(asked);
        let unstable = summary.ending.breakdown.is_some().then(|| self.unstable_loop()).flatten();
        if let (Some(own), Some(breakdown)) = (&unstable, &summary.ending.breakdown) {
            summary.ending.why = Some(format!("{breakdown}; {}", own.as_cause()));
        }
        Ok(SimulationOutcome { summary, tracking, links, sliding, warnings, unstable })
    }

    /// The loop that grows fastest, as far as that is known or can be found.
    fn unstable_loop(&self) -> Option<UnstableLoop> {
        let loops = |faults: &[ScenarioFault]| {
            let own = faults.iter().filter_map(|fault| match &fault.kind {
                ScenarioFaultKind::UnstableLoop(own) => Some(UnstableLoop::clone(own)),
                _ => None,
            });
            own.max_by(|a, b| a.rate.total_cmp(&b.rate))
        };
        loops(&self.warnings).or_else(|| loops(&self.loop_warnings()))
    }
}

/// Takes the rows of a run to those who judge them, and what was asked for to its recorder.
struct Judged<'a, R> {
    simulation: &'a Simulation,
    /// How many channels are asked for.
    asked: usize,
    recorder: &'a mut R,
    /// From the start, if somebody looks at it.
    state: Option<RowState>,
    tracker: Option<Tracker<'a>>,
    links: Option<LinkWatch<'a>>,
    range: Option<RangeWatch<'a>>,
}

impl<R: Recorder> Recorder for Judged<'_, R> {
    type Error = R::Error;

    fn start(&mut self, channels: &[Channel]) -> Result<(), R::Error> {
        self.state = RowState::new(&self.simulation.arm, channels);
        self.tracker = Tracker::new(self.simulation, channels);
        self.links = LinkWatch::new(self.simulation, channels);
        self.recorder.start(&channels[..self.asked])
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), R::Error> {
        if let Some(state) = &mut self.state {
            state.read(values);
            if let Some(tracker) = &mut self.tracker {
                tracker.row(t, values, state);
            }
            if let Some(links) = &mut self.links {
                links.row(t, values, state);
            }
            if let Some(range) = &mut self.range {
                range.row(t, state);
            }
        }
        self.recorder.row(t, &values[..self.asked])
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let judges = [
            self.state.as_mut().map(|own| own as &mut dyn Stateful),
            self.tracker.as_mut().map(|own| own as _),
            self.links.as_mut().map(|own| own as _),
            self.range.as_mut().map(|own| own as _),
        ];
        for judge in judges.into_iter().flatten() {
            judge.visit_state(state);
        }
        self.recorder.visit_state(state);
    }
}

#[cfg(test)]
mod tests {
    use super::RunWarning;
    use crate::simulate::{Drift, Status, Summary};

    /// The bars: a part of the kinetic energy, the tolerance of it, and rounding.
    #[test]
    fn a_drift_is_told_beyond_tolerance_and_rounding() {
        let told = |absolute: f64, relative: Option<f64>, tolerance: Option<f64>| {
            let mut summary = Summary::new(Status::Completed, 1.0);
            summary.energy_drift = Some(Drift { absolute, relative });
            summary.energy_rounding = 1e-12;
            RunWarning::of_drift(&summary, tolerance).map(|warning| warning.to_string())
        };
        assert_eq!(told(1.0, Some(9e-4), None), None);
        assert!(told(1.0, Some(1.1e-3), None).is_some_and(|text| text.contains("1.1e-3 of")));
        assert_eq!(told(1.0, Some(9e-7), Some(1e-9)), None);
        let text = told(1.0, Some(2e-6), Some(1e-9)).expect("a warning");
        assert!(text.ends_with("more than 1000 times the tolerance 1e-9"), "{text}");
        assert!(told(1.0, Some(2e-3), Some(1e-2)).is_some());
        // rounding beside a kinetic energy that is small too
        assert_eq!(told(9e-13, Some(0.5), Some(1e-9)), None);
        assert_eq!(told(9e-10, None, Some(1e-9)), None);
        let text = told(1.1e-9, None, Some(1e-9)).expect("a warning");
        assert!(text.ends_with("though the arm hardly moves"), "{text}");
    }

    /// What mends it comes first.
    #[test]
    fn the_help_of_a_drift_begins_with_its_cause() {
        let begins = |part: Option<f64>, tolerance: Option<f64>, words: &str| {
            let help = RunWarning::EnergyDrift { drift: 1.0, part, tolerance }.help();
            assert!(help.as_ref().is_some_and(|help| help.starts_with(words)), "{help:?}");
        };
        begins(Some(2e-6), Some(1e-9), "give a smaller tolerance");
        begins(Some(2e-3), Some(1e-2), "give a smaller tolerance");
        begins(Some(0.26), Some(1e-9), "look for something that jumps");
        begins(None, Some(1e-9), "look for something that jumps");
        begins(Some(5e-12), Some(1e-15), "give a tolerance of 1e-11");
        begins(Some(0.26), None, "give a shorter step");
    }
}
