//! The motion of a free-floating arm that bends, sampled.

use crate::comparison::Comparison;
use crate::unified::Model;
use crate::{Case, Outcome};
use pliant::arm::Arm;
use pliant::integrate::{Dop853, solve};
use pliant::simulate::{ArmSystem, Unforced};
use serde::Deserialize;
use serde_json::Value;

/// To this part of its largest entry a state agrees with the reference, which was integrated to
/// about this itself.
const POSITIONS: f64 = 1e-8;

/// Momenta are kept to this part of their largest, which ten thousand evaluations leave of the
/// digits.
const MOMENTA: f64 = 1e-11;

#[derive(Deserialize)]
struct Record {
    model: Model,
    q0: Vec<f64>,
    u0: Vec<f64>,
    linear_momentum: Vec<f64>,
    angular_momentum_about_world_origin: Vec<f64>,
    energy: f64,
    t: Vec<f64>,
    q: Vec<Vec<f64>>,
}

pub(crate) fn cases(file: &Value) -> Result<Vec<Case>, String> {
    let entries = file.get("analytic").and_then(Value::as_array).into_iter().flatten();
    let record = entries
        .into_iter()
        .find(|entry| entry.get("q0").is_some())
        .ok_or("unified.json has no trajectory")?;
    let record: Record =
        serde_json::from_value(record.clone()).map_err(|e| format!("the trajectory: {e}"))?;
    let run = move || match record.model.watched(None) {
        Ok(arm) => Outcome::Compared(compare(&arm, &record)),
        Err(why) => Outcome::Unusable(why),
    };
    Ok(vec![Case { name: "unified trajectory".to_owned(), run: Box::new(run) }])
}

fn compare(arm: &Arm, record: &Record) -> Comparison {
    let mut positions = Comparison::within(POSITIONS);
    let mut kept = Comparison::within(MOMENTA);
    let start = [&record.q0[..], &record.u0].concat();
    let motion = ArmSystem::new(arm, Unforced);
    let solution = solve(motion, Dop853::new(1e-12), &start, &record.t);
    positions.answer("the run", solution.outcome);
    positions.array("times", &solution.times, &record.t, 0.0);
    for ((t, state), want) in record.t.iter().zip(&solution.states).zip(&record.q) {
        let (q, u) = state.split_at(arm.nq());
        positions.array(&format!("q at {t} s"), q, want, 0.0);
        if let Some(momenta) = kept.answer("momenta", arm.momenta(q, u)) {
            let (linear, angular) = (momenta.linear.to_array(), momenta.angular.to_array());
            kept.array(&format!("momentum at {t} s"), &linear, &record.linear_momentum, 0.0);
            let want = &record.angular_momentum_about_world_origin;
            kept.array(&format!("angular momentum at {t} s"), &angular, want, 0.0);
        }
        if let Some(energies) = kept.answer("energies", arm.energies(q, u)) {
            kept.array(&format!("energy at {t} s"), &[energies.total()], &[record.energy], 0.0);
        }
    }
    positions.and(kept)
}
