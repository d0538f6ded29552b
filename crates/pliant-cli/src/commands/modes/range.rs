//! What a posture gives to a table over several.

use super::findings::Findings;
use crate::commands::sweep::Number;

pub(super) fn numbers(found: &Findings<'_>, count: usize) -> Vec<Number> {
    let mut all = Vec::new();
    for (k, mode) in found.modes.modes.iter().take(count).enumerate() {
        let hertz = if mode.is_unstable() { f64::NAN } else { mode.hertz() };
        all.push(Number::new("frequency", format!("mode {}", k + 1), "Hz", hertz));
    }
    for (link, deflection) in &found.deflections {
        let name = format!("{link}.tip deflection");
        all.push(Number::new("deflection", name, "m", deflection.world.norm()));
    }
    for own in found.stress.iter().flatten() {
        let link = &own.link;
        all.push(Number::new("moment", format!("{link} moment"), "N m", own.moment.0));
        let stress = own.stress.map(|(stress, _)| stress);
        all.extend(stress.map(|x| Number::new("stress", format!("{link} stress"), "Pa", x)));
        all.extend(own.margin.map(|x| Number::new("margin", format!("{link} margin"), "", x)));
    }
    all
}
