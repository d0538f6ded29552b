//! How far ahead laws of least energy look.

use crate::codes;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::scenario::controller::Timing;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::times::positive_time;
use crate::units::short;
use pliant::control::{Aim, Horizon, Window};

/// How far ahead it looks; what has no sense is refused.
pub(super) fn horizon(
    reader: &mut Reader,
    fields: &Fields<'_>,
    timing: &Timing,
) -> Option<Horizon> {
    let Timing::Ticks { clock, .. } = timing else {
        CONTROLLER.refuse(
            reader,
            fields,
            "kind",
            "a horizon needs a clock; add period = \"10 ms\"",
        );
        return None;
    };
    let length = positive_time(reader, "horizon", fields.get("horizon")?)?;
    let gains = match fields.get("gains_period") {
        Some(node) => positive_time(reader, "gains_period", node)?,
        None => clock.period(),
    };
    let window = match reader.choice(fields, "window")? {
        "receding" => Window::Receding,
        _ => Window::Fixed,
    };
    let aim = match reader.choice(fields, "aim")? {
        "present" => Aim::Present,
        _ => Aim::End,
    };
    let horizon = Horizon { length, gains, window, aim };
    if let Err(error) = horizon.check(clock.period()) {
        CONTROLLER.refuse(reader, fields, "horizon", &error.to_string());
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
            .at(fields.span_of("horizon"))
            .label("the joints will not stay on their path")
            .help(help),
        );
    }
    Some(horizon)
}
