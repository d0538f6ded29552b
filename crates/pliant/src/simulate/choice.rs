//! What is known of the steps of a run before it starts.

use super::diagram::Diagram;
use super::frequencies::natural_frequencies;
use super::method::IntegrationMethod;
use crate::arm::Arm;
use crate::dynamics::{EvaluationError, aba};
use crate::scalar::{Counted, count};
use std::f64::consts::TAU;

/// The requirements on the integrator of a run, and the steps that they foresee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodDemand {
    /// The highest natural frequency (rad/s).
    pub highest: f64,
    /// The highest frequency whose motion is of interest (rad/s).
    pub followed: f64,
    /// How long the run is (s).
    pub duration: f64,
    /// The part of the amplitude by which it may be wrong at its end.
    pub tolerance: f64,
    /// The longest time between two instants on which steps must land (s), such as the ticks of a
    /// controller; infinite if there are none.
    pub landing: f64,
}

/// Lengths of steps (s).
struct Steps {
    /// The highest frequency that is followed (rad/s).
    followed: f64,
    /// As the tolerance needs them, as the highest frequency bounds them, and both.
    accurate: f64,
    stable: f64,
    explicit: f64,
    /// Of implicit methods.
    implicit: f64,
}

/// The longest step of the explicit method of order 8 in a vibration without damping, in radians,
/// as measured on a beam of eight elements.
const EXPLICIT_LIMIT: f64 = 3.0;

/// How many elastic frequencies are followed, the lowest first.
const LOWEST: usize = 3;

impl Diagram {
    /// What a run at this tolerance requires.
    pub(super) fn demand(&self, tolerance: f64) -> Result<MethodDemand, EvaluationError> {
        let demand = MethodDemand::of(&self.arm, &self.q, self.duration, tolerance)?;
        Ok(MethodDemand { landing: self.landing(), ..demand })
    }
}

impl MethodDemand {
    /// For an arm about a configuration: the motion of interest is that of the lowest three nonzero
    /// frequencies.
    pub fn of(
        arm: &Arm,
        q: &[f64],
        duration: f64,
        tolerance: f64,
    ) -> Result<Self, EvaluationError> {
        let frequencies = natural_frequencies(arm, q)?;
        let highest = frequencies.last().copied().unwrap_or(0.0);
        let elastic = frequencies.iter().filter(|&&frequency| frequency > 1e-6 * highest);
        let followed = elastic.take(LOWEST).last().copied().unwrap_or(0.0);
        Ok(Self { highest, followed, duration, tolerance, landing: f64::INFINITY })
    }

    fn steps(&self) -> Steps {
        let Self { highest, duration, tolerance, landing, .. } = *self;
        // nothing is slower than the run
        let followed = self.followed.max(TAU / duration);
        let accurate = 5.5 * tolerance.powf(0.125) / followed;
        let stable = EXPLICIT_LIMIT / highest.max(f64::MIN_POSITIVE);
        let explicit = accurate.min(stable).min(landing);
        let implicit = (2.3 * tolerance.powf(0.2) / followed).min(landing);
        Steps { followed, accurate, stable, explicit, implicit }
    }

    /// How many steps a method makes that chooses them, and how often it evaluates forward dynamics:
    /// twelve times in an explicit step, and some forty times in an implicit one, whose slopes are
    /// differences.
    pub(super) fn expected(&self, method: IntegrationMethod) -> (f64, f64) {
        let Steps { accurate, stable, explicit, implicit, .. } = self.steps();
        let of = |step: f64, each: f64| (self.duration / step, each * self.duration / step);
        let (explicit, implicit) = (of(explicit, 12.0), of(implicit, 40.0));
        match method {
            IntegrationMethod::Radau5 { .. } => implicit,
            IntegrationMethod::Auto { .. } if stable < accurate && implicit.1 < explicit.1 => {
                implicit
            }
            _ => explicit,
        }
    }

    /// What bounds the steps, in one sentence: steps of order `p` that are wrong by the tolerance
    /// have `h ω` in proportion to its `p`th root, the factors being measured on a vibration; explicit
    /// ones are bounded by the highest frequency as well. How many a run takes is known at its end
    /// ([`Statistics`](crate::integrate::Statistics)).
    pub fn forecast(&self) -> String {
        let Self { highest, duration, tolerance, landing, .. } = *self;
        let Steps { followed, accurate, stable, explicit, implicit } = self.steps();
        let count = |step: f64| (duration / step).ceil();
        if highest == 0.0 {
            "the arm has neither springs nor flexible links, so explicit steps can be long".into()
        } else if explicit == landing {
            format!(
                "sensors and controllers limit steps to {landing:.1e} s, and the highest frequency, {highest:.3e} rad/s, would allow {stable:.1e} s",
            )
        } else if accurate <= stable {
            format!(
                "the tolerance of {tolerance:.0e} needs steps of {explicit:.1e} s, {} in all, and the highest frequency, {highest:.3e} rad/s, would allow {stable:.1e} s",
                count(explicit),
            )
        } else {
            format!(
                "the highest frequency, {highest:.3e} rad/s, limits explicit steps to {explicit:.1e} s, {} in all; implicit ones, which need at least {} to resolve {followed:.3e} rad/s to {tolerance:.0e}, take over wherever they need fewer operations",
                count(explicit),
                count(implicit),
            )
        }
    }
}

/// The floating-point operations of forward dynamics, counted by running it once. A sine with its
/// cosine, a reciprocal or a root count as the operations that last as long.
pub(super) fn evaluation_operations(arm: &Arm) -> f64 {
    let numbers = |n: usize| vec![Counted(0.0); n];
    let q: Vec<Counted> = arm.neutral().into_iter().map(Counted).collect();
    let arm: Arm<Counted> = arm.cast();
    let n = arm.nv();
    let (u, mut tau, mut ud) = (numbers(n), numbers(n), numbers(n));
    let mut work = aba::Workspace::new(&arm);
    let ((), counts) = count(|| aba::aba_into(&arm, &mut work, &q, &u, &mut tau, &mut ud));
    let simple = counts.multiplications + counts.additions;
    let slow = 5 * (counts.recip + counts.sqrt) + 20 * (counts.sin_cos + counts.stumpff);
    // an arm that cannot move takes none
    (simple + slow).max(1) as f64
}
