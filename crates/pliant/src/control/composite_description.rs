//! King's composite controllers as plain data.

use super::composite::{Composite, CompositeWeights, GUARD};
use super::description::{LawDescription, LawError, LawSite, PerJoint};
use super::law::ControlLaw;
use super::pseudolink::Pseudolinks;
use crate::arm::Arm;

/// [`Composite`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeDescription {
    /// `K_p` of each joint (1/s²).
    pub stiffness: PerJoint,
    /// `K_v` of each joint (1/s).
    pub damping: PerJoint,
    /// What is led.
    pub rows: PseudolinkRows,
    /// What vibrations and accelerations cost.
    pub weights: CompositeWeights,
    /// The time between two sets of gains (s).
    pub gains_period: f64,
    /// See [`Composite::guard`].
    pub guard: f64,
}

/// Which joints are led by their pseudolinks, King (4-19).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PseudolinkRows {
    /// None: all are led by their angles.
    None,
    /// All.
    All,
    /// Those of these names; the others are led by their angles.
    Joints(Vec<String>),
}

impl CompositeDescription {
    /// With the gains of each joint (1/s², 1/s), led by its angle, and usual weights.
    pub fn new(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        Self {
            stiffness: stiffness.into(),
            damping: damping.into(),
            rows: PseudolinkRows::None,
            weights: CompositeWeights::default(),
            gains_period: 0.05,
            guard: GUARD,
        }
    }

    /// Those of the joints that are led by their pseudolinks.
    fn pseudolinks(&self, site: &mut LawSite<'_>) -> Option<Pseudolinks> {
        let count = site.joints.len();
        let led: Vec<usize> = match &self.rows {
            PseudolinkRows::None => Vec::new(),
            PseudolinkRows::All => (0..count).collect(),
            PseudolinkRows::Joints(names) if names.is_empty() => {
                site.refuse("rows", LawError::NoPseudolink);
                return None;
            }
            PseudolinkRows::Joints(names) => {
                let mut led = Vec::new();
                for (item, name) in names.iter().enumerate() {
                    if let Some(k) = site.joints.iter().position(|known| known == name) {
                        led.push(k);
                        continue;
                    }
                    let (name, known) = (name.clone(), site.joints.clone());
                    site.refuse("rows", LawError::UnknownRow { name, known });
                    site.faults.last_mut()?.item = Some(item);
                }
                (led.len() == names.len()).then_some(led)?
            }
        };
        let mut links = Pseudolinks::none(count);
        for k in led {
            links.frames[k] = point_of(site.model.arm(), site.model.joints()[k]);
        }
        Some(links)
    }

    /// Weights and guard without sense.
    fn no_sense(&self) -> Option<LawError> {
        let (weights, guard) = (self.weights, self.guard);
        let (key, value, why, help) = if weights.input == 0.0 {
            let why = "accelerations cost nothing with it";
            ("input_weight", weights.input, why, "give more than zero")
        } else if weights.bending == 0.0 && weights.rate == 0.0 {
            let why = "vibrations cost nothing, with no rate_weight either";
            ("bending_weight", weights.bending, why, "give more than zero")
        } else if guard >= 1.0 {
            let why = "it is the part of what the determinant is in other postures";
            ("guard", guard, why, "give less than 1, 0.01 is usual")
        } else if !(self.gains_period.is_finite() && self.gains_period > 0.0) {
            let why = "gains are computed anew after it";
            ("gains_period", self.gains_period, why, "give a positive time")
        } else {
            let all = [
                ("input_weight", weights.input),
                ("bending_weight", weights.bending),
                ("rate_weight", weights.rate),
                ("guard", guard),
            ];
            let (key, value) =
                all.into_iter().find(|(_, value)| !value.is_finite() || *value < 0.0)?;
            (key, value, "no such weight", "give zero or more")
        };
        Some(LawError::NoSense { key, value, why, help })
    }
}

impl LawDescription for CompositeDescription {
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        let (stiffness, damping) = site.gains(&self.stiffness, &self.damping)?;
        let (arm, joints) = (site.model.arm(), site.model.joints());
        let mut drives = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
        if let Some(v) = drives.find(|v| !joints.contains(v)) {
            let joint = arm.velocity_names()[v].clone();
            site.refuse("", LawError::NotPlanned { joint });
            return None;
        }
        if (0..arm.body_count()).all(|link| arm.deforming_of(link).is_empty()) {
            site.warn("", LawError::NothingBends);
        } else if !site.sees_bending {
            site.warn("", LawError::BendingUnseen);
        }
        if let Some(error) = self.no_sense() {
            let LawError::NoSense { key, .. } = error else { return None };
            site.refuse(key, error);
            return None;
        }
        let links = self.pseudolinks(site)?;
        let law = Composite::new(stiffness, damping, links, self.weights, self.gains_period);
        Some(Box::new(law.guarded(self.guard)))
    }
}

/// The tip of the link of a joint, or that of the arm where the link has none.
fn point_of(arm: &Arm, velocity: usize) -> Option<usize> {
    let link = (0..arm.body_count()).find(|&link| arm.velocities_of(link).contains(&velocity))?;
    arm.tip_of(arm.described_link(link)).or_else(|| arm.tip())
}
