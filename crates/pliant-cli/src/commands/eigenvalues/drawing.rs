//! Curves over time.

use super::Findings;
use pliant::analyse::Vibration;
use pliant_draw::{Axis, Curve, Figure, Panel, Size};
use std::f64::consts::TAU;

/// Real parts, frequencies, energies and actions, one above the other.
pub(super) fn figure(found: &Findings<'_>) -> Figure {
    type Value = fn(&Vibration) -> Option<f64>;
    let quantities: [(&str, &str, Value); 4] = [
        ("real part", "1/s", |v| Some(v.eigenvalues[0].re)),
        ("frequency", "Hz", |v| Some(v.eigenvalues[0].im / TAU)),
        ("energy", "J", |v| Some(v.energy)),
        ("action E/ω", "J s", |v| v.action),
    ];
    let modes = found.instants.first().map_or(0, |instant| instant.vibrations.len());
    let panel = |(label, unit, value): (&str, &str, Value)| {
        let panel = Panel::new(Axis::new("time", "s"), Axis::new(label, unit));
        (0..modes).fold(panel, |panel, k| {
            let with =
                found.instants.iter().filter_map(|i| Some((i.time, value(i.vibrations.get(k)?)?)));
            let (x, y): (Vec<f64>, Vec<f64>) = with.unzip();
            if x.is_empty() {
                panel
            } else {
                panel.with(Curve::new(format!("mode {}", k + 1), x, y))
            }
        })
    };
    Figure::new(Size::stacked(quantities.len()), quantities.into_iter().map(panel).collect())
}
