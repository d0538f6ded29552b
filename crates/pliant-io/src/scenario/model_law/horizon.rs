//! How far ahead laws of least energy look.

use super::Job;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::Lasting;
use crate::shapes::{Word, words};
use crate::table::table;
use crate::units::short;
use pliant::control::{Horizon, HorizonKind, HorizonTarget};
use pliant::scenario::Timing;

words! { HorizonKind: "fixed" => HorizonKind::Fixed, "receding" => HorizonKind::Receding }

words! { HorizonTarget: "end" => HorizonTarget::End, "present" => HorizonTarget::Present }

table! {
    /// How far ahead laws of least energy look.
    pub(crate) struct HorizonKeys = "a horizon", "write horizon = \"40 ms\"";
    keys {
        /// The prediction horizon.
        horizon: Lasting [required],
        /// The time between updates of the gains.
        gains_period: Lasting [or "the sampling period"],
        /// The time to go: "fixed", the rest of the current window of the horizon's length, or
        /// "receding", always the whole horizon.
        window: Word<HorizonKind> [= HorizonKind::Fixed],
        /// The target: "end", the reference at the end of the time to go, or "present", the current
        /// reference extrapolated with its acceleration.
        aim: Word<HorizonTarget> [= HorizonTarget::End],
    }
}

/// How far ahead it looks; what has no sense is refused.
pub(super) fn horizon(reader: &mut Reader, keys: &HorizonKeys, job: &Job<'_>) -> Option<Horizon> {
    let Timing::Ticks { clock, .. } = job.timing else {
        let help = "add period = \"10 ms\"";
        CONTROLLER.refuse(reader, job.kind.clone(), "a horizon needs a clock", help);
        return None;
    };
    let length = keys.horizon.value?;
    let gains = keys.gains_period.or(clock.period())?;
    let (window, aim) = (keys.window.value?, keys.aim.value?);
    let span = keys.horizon.span_or(job.kind);
    let horizon = Horizon { length, gains, kind: window, target: aim };
    if let Err(error) = horizon.check(clock.period()) {
        CONTROLLER.refuse_error(reader, span, &error);
        return None;
    }
    let growth = horizon.growth(clock.period());
    if growth > 1.0 + 1e-6 {
        let steady = (1..=100).map(|ticks| f64::from(ticks) * clock.period()).find(|&length| {
            length > horizon.length && Horizon { length, ..horizon }.growth(clock.period()) < 1.0
        });
        let help = steady.map_or_else(
            || "give it more ticks within the horizon".to_owned(),
            |length| format!("give a horizon of {} s, or a shorter period", short(length)),
        );
        reader.push(
            Problem::warning(
                &codes::CONTROLLER,
                format!(
                    "with so few ticks in the horizon errors grow by the factor {} from one window to the next",
                    short((100.0 * growth).round() / 100.0)
                ),
            )
            .at(span)
            .label("the joints will not stay on their path")
            .help(help),
        );
    }
    Some(horizon)
}
