//! What composite control tells beside its forces.

use super::composite::Composite;
use super::model::Model;
use super::vibration_damping::VibrationDamping;
use crate::simulate::{BlockOutput, ChannelRole, Telemetry};

/// The determinant, the errors of pseudolinks and their rates, and row by row the gains by which the
/// acceleration of each joint is fed back: on places, then on rates.
pub(super) fn outputs(law: &Composite, model: &Model) -> Vec<BlockOutput> {
    let coordinates = model.arm().velocity_coordinates();
    let telemetry = Telemetry::Determinant;
    let mut all = vec![BlockOutput { telemetry, ..BlockOutput::new("determinant", "1") }];
    for (k, &v) in model.joints().iter().enumerate() {
        if law.pseudolinks.frames[k].is_some() {
            let joint = &coordinates[v];
            let [unit, rate_unit, ..] = joint.dimension.units();
            let tell = |telemetry, word: &str, unit: &str| {
                let output = BlockOutput::new(format!("{}.pseudolink.{word}", joint.name), unit);
                let coordinate = Some((joint.index, joint.role));
                BlockOutput { telemetry, coordinate, ..output }
            };
            all.push(tell(Telemetry::PseudolinkError, "error", unit));
            all.push(tell(Telemetry::PseudolinkErrorRate, "error_rate", rate_unit));
        }
    }
    let flexible = model.flexible();
    if flexible.is_empty() {
        return all;
    }
    let led = match law.vibrations {
        VibrationDamping::Weights(_) => &[][..],
        VibrationDamping::Ratio(_) => model.joints(),
    };
    let fed_back = || led.iter().chain(flexible).map(|&v| &coordinates[v]);
    for joint in model.joints().iter().map(|&v| &coordinates[v]) {
        let kinds = [(Telemetry::Gain, "", "s^2"), (Telemetry::RateGain, ".rate", "s")];
        for (telemetry, suffix, time) in kinds {
            for other in fed_back() {
                let [unit, place] = [joint, other].map(|own| own.dimension.units()[0]);
                let unit = if unit == place {
                    format!("1/{time}")
                } else {
                    format!("{unit}/({place} {time})")
                };
                let name = format!("{}.gain.{}{suffix}", joint.name, other.name);
                let coordinate = Some((joint.index, joint.role));
                let output = BlockOutput::new(name, unit);
                all.push(BlockOutput { telemetry, role: ChannelRole::Gain, coordinate, ..output });
            }
        }
    }
    all
}
