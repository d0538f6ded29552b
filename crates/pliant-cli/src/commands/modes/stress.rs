//! What the links feel, and whether they are thick enough.

use super::findings::Findings;
use pliant::analyse::{AnalysisError, Demand, FREQUENCY_RATIO, Peak, PeakLoads, Sizing};

/// The worst of one link. Places are distances from the link's root, rigid parts counted (m).
pub(super) struct LinkStress {
    pub(super) link: String,
    /// The largest bending moment (N m) and its place.
    pub(super) moment: (f64, f64),
    /// The largest torque (N m) and its place.
    pub(super) torque: (f64, f64),
    /// The largest stress (Pa) and its place, where the section has an outline.
    pub(super) stress: Option<(f64, f64)>,
    /// Strength over stress, where the strength is known.
    pub(super) margin: Option<f64>,
    /// The frequency with the joint clamped (rad/s).
    pub(super) clamped: f64,
    pub(super) sizing: Option<Sizing>,
}

impl LinkStress {
    /// What is to be told where its stress exceeds its strength.
    pub(super) fn weakness(&self) -> Option<String> {
        let (link, margin) = (&self.link, self.margin.filter(|margin| *margin < 1.0)?);
        Some(format!(
            "link \"{link}\" would yield or break at rest: its margin, strength over stress, is {margin:.2}"
        ))
    }

    /// The bandwidth that the clamped frequency allows (rad/s).
    pub(super) fn allowed(&self) -> f64 {
        self.clamped / FREQUENCY_RATIO
    }
}

pub(super) fn find(
    found: &Findings<'_>,
    bandwidth: Option<f64>,
    begin: impl Fn(&str),
) -> Result<Vec<LinkStress>, AnalysisError> {
    let (arm, q) = (found.arm, &found.modes.q);
    let peaks = arm.peak_loads(&arm.internal_forces_under(q, found.conditions)?);
    let mut all = Vec::new();
    for (name, beam) in found.bending() {
        begin(name);
        let own = |loads: &&PeakLoads| arm.link_names()[loads.link] == name;
        let Some(loads) = peaks.iter().find(own) else { continue };
        let first = loads.link;
        // from the root of the link; nowhere is the root
        let place = |Peak { value, place }: Peak| {
            (value, if value > 0.0 { beam.rigid_root + place } else { 0.0 })
        };
        // one that slides has no one length to be sized for
        let sized = bandwidth.filter(|_| arm.sliding_of(first).is_none());
        let demand = sized.map(|bandwidth| Demand {
            bandwidth,
            // the rule looks at weight alone; loads are given to it as what they do
            moment: Some(loads.moment.value)
                .filter(|size| !found.conditions.loads.is_empty() && *size > 0.0),
        });
        all.push(LinkStress {
            link: name.to_owned(),
            moment: place(loads.moment),
            torque: place(loads.torque),
            stress: loads.stress.map(place),
            margin: loads.margin,
            clamped: arm.clamped_frequency(first, q)?,
            sizing: demand.map(|demand| arm.sizing(first, q, &demand)).transpose()?,
        });
    }
    Ok(all)
}
