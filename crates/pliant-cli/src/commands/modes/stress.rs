//! What the links feel, and whether they are thick enough.

use pliant::analyse::{AnalysisError, Conditions, Demand, FREQUENCY_RATIO, SectionLoads, Sizing};
use pliant::arm::Arm;
use pliant::beam::Beam;

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
    /// The bandwidth that the clamped frequency allows (rad/s).
    pub(super) fn allowed(&self) -> f64 {
        self.clamped / FREQUENCY_RATIO
    }
}

pub(super) fn find(
    arm: &Arm,
    beams: &[(&str, &Beam)],
    q: &[f64],
    conditions: &Conditions,
    bandwidth: Option<f64>,
    begin: impl Fn(&str),
) -> Result<Vec<LinkStress>, AnalysisError> {
    let forces = arm.internal_forces(q)?;
    let mut all = Vec::new();
    for &(name, beam) in beams {
        begin(name);
        let Some(first) = arm.link_names().iter().position(|link| link == name) else { continue };
        let step = beam.length / beam.segments as f64;
        let segments = arm.segments(first);
        let mut cuts: Vec<(f64, &SectionLoads)> = Vec::new();
        for own in &forces {
            let Some(segment) = segments.iter().position(|&one| one == own.link) else { continue };
            let from = beam.rigid_root + segment as f64 * step;
            cuts.extend(own.cuts.iter().map(|cut| (from + cut.place, cut)));
        }
        let worst = |size: &dyn Fn(&SectionLoads) -> f64| {
            let sizes = cuts.iter().map(|(place, cut)| (size(cut), *place));
            sizes.fold((0.0, 0.0), |worst, next| if next.0 > worst.0 { next } else { worst })
        };
        let moment = worst(&SectionLoads::moment);
        let outlined = cuts.iter().any(|(_, cut)| cut.stress.is_some());
        // one that slides has no one length to be sized for
        let sized = bandwidth.filter(|_| arm.sliding_of(first).is_none());
        let demand = sized.map(|bandwidth| Demand {
            bandwidth,
            // the rule looks at weight alone; loads are given to it as what they do
            moment: Some(moment.0).filter(|size| !conditions.loads.is_empty() && *size > 0.0),
        });
        all.push(LinkStress {
            link: name.to_owned(),
            moment,
            torque: worst(&|cut| cut.force.torque.abs()),
            stress: outlined.then(|| worst(&|cut| cut.stress.unwrap_or(0.0))),
            margin: cuts.iter().filter_map(|(_, cut)| cut.margin).reduce(f64::min),
            clamped: arm.clamped_frequency(first, q)?,
            sizing: demand.map(|demand| arm.sizing(first, q, &demand)).transpose()?,
        });
    }
    Ok(all)
}
