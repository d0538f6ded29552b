//! The integrator of a scenario, by hand or chosen.

use super::choice::evaluation_operations;
use super::diagram::Diagram;
use super::recorder::{ProgressMonitor, Recorder};
use super::run;
use super::summary::{RunError, Summary};
use crate::Help;
use crate::integrate::{Adams, Control, Dop853, Dopri5, GeneralisedAlpha, Radau5, Rk4, Switching};
use crate::scalar::short;

/// Attempts from one landing to the next. A run that needs more would last for days.
const MOST_ATTEMPTS: usize = 100_000_000;

/// An integrator with its settings, as data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrationMethod {
    /// [`Dop853`], or [`Radau5`] wherever that needs fewer operations: [`Switching`].
    Auto {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// Dormand and Prince's pair of order 8.
    Dop853 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// Dormand and Prince's pair of order 5.
    Dopri5 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// The Adams methods of the orders 1 to 12, as predictor and corrector.
    Adams {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// Radau IIA of order 5, implicit: for stiff arms.
    Radau5 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// The classical method of order 4.
    Rk4 {
        /// The length of a step (s).
        step: f64,
    },
    /// Generalised-alpha of order 2, implicit: for stiff structures whose fastest vibrations are of
    /// no interest.
    GeneralisedAlpha {
        /// The length of a step (s).
        step: f64,
        /// The factor by which each step shrinks what is far too fast for it.
        spectral_radius: f64,
    },
}

impl Default for IntegrationMethod {
    fn default() -> Self {
        Self::Auto { tolerance: Self::TOLERANCE }
    }
}

impl IntegrationMethod {
    /// The tolerance where none is given.
    pub const TOLERANCE: f64 = 1e-9;

    /// The spectral radius where none is given.
    pub const SPECTRAL_RADIUS: f64 = 0.8;

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto { .. } => "auto",
            Self::Dop853 { .. } => "dop853",
            Self::Dopri5 { .. } => "dopri5",
            Self::Adams { .. } => "adams",
            Self::Radau5 { .. } => "radau5",
            Self::Rk4 { .. } => "rk4",
            Self::GeneralisedAlpha { .. } => "generalised-alpha",
        }
    }

    /// Its relative tolerance; none where it keeps the length of its steps.
    pub const fn tolerance(self) -> Option<f64> {
        match self {
            Self::Auto { tolerance }
            | Self::Dop853 { tolerance }
            | Self::Dopri5 { tolerance }
            | Self::Adams { tolerance }
            | Self::Radau5 { tolerance } => Some(tolerance),
            Self::Rk4 { .. } | Self::GeneralisedAlpha { .. } => None,
        }
    }

    /// Its name and settings, for people.
    pub fn describe(self) -> String {
        let name = self.name();
        match self {
            Self::Auto { tolerance } => format!("{name} (dop853, radau5), tolerance {tolerance:e}"),
            Self::Dop853 { tolerance }
            | Self::Dopri5 { tolerance }
            | Self::Adams { tolerance }
            | Self::Radau5 { tolerance } => format!("{name}, tolerance {tolerance:e}"),
            Self::Rk4 { step } => format!("{name}, step {} s", short(step)),
            Self::GeneralisedAlpha { step, spectral_radius } => {
                let radius = short(spectral_radius);
                format!("{name}, step {} s, spectral radius {radius}", short(step))
            }
        }
    }

    /// What is foreseen of a run with a method that [chooses](Self::Auto) its steps' kind.
    pub fn forecast(self, scenario: &Diagram) -> Option<String> {
        let Self::Auto { tolerance } = self else { return None };
        Some(match scenario.demand(tolerance) {
            Ok(demand) => demand.forecast(),
            Err(error) => format!("the frequencies are not known: {}", error.with_help()),
        })
    }
}

impl Diagram {
    /// The longest time between two instants on which steps must land (s).
    pub(super) fn landing(&self) -> f64 {
        let sensors = self.sensors.iter().map(|sensor| sensor.clock);
        let clocks = sensors.chain(self.blocks.iter().map(|block| block.clock));
        clocks.map(|clock| clock.period()).fold(f64::INFINITY, f64::min)
    }

    /// Runs it by its [method](Self::method), as [`run`](super::run()) does by any.
    pub fn run<R: Recorder, W: ProgressMonitor>(
        &mut self,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        self.run_from(None, recorder, watch)
    }

    /// Goes on from the [state](Summary::state) of a run of it, as [`resume`](super::resume()) does.
    pub fn resume<R: Recorder, W: ProgressMonitor>(
        &mut self,
        state: &[f64],
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        self.run_from(Some(state), recorder, watch)
    }

    /// A new method gets its line here.
    fn run_from<R: Recorder, W: ProgressMonitor>(
        &mut self,
        state: Option<&[f64]>,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        use IntegrationMethod as By;
        let control = |tolerance| Control::new(tolerance).max_steps(MOST_ATTEMPTS);
        match self.method {
            By::Auto { tolerance } => {
                let operations = evaluation_operations(&self.arm);
                let method = Switching::new(control(tolerance), operations);
                run::run_from(self, method, state, recorder, watch)
            }
            By::Dop853 { tolerance } => {
                run::run_from(self, Dop853::new(control(tolerance)), state, recorder, watch)
            }
            By::Dopri5 { tolerance } => {
                run::run_from(self, Dopri5::new(control(tolerance)), state, recorder, watch)
            }
            By::Adams { tolerance } => {
                run::run_from(self, Adams::new(control(tolerance)), state, recorder, watch)
            }
            By::Radau5 { tolerance } => {
                run::run_from(self, Radau5::new(control(tolerance)), state, recorder, watch)
            }
            By::Rk4 { step } => run::run_from(self, Rk4::new(step), state, recorder, watch),
            By::GeneralisedAlpha { step, spectral_radius } => {
                let method = GeneralisedAlpha::new(step).spectral_radius(spectral_radius);
                run::run_from(self, method, state, recorder, watch)
            }
        }
    }
}
