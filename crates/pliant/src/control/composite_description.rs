//! King's composite controllers as plain data.

use super::composite::{Composite, GUARD};
use super::description::{LawDescription, LawError, LawSite, PerJoint};
use super::law::ControlLaw;
use super::pseudolink::Pseudolinks;
use super::vibration_damping::{CompositeWeights, VibrationDamping};
use crate::arm::Arm;

/// The shortest time (s) between gains of the plan.
const SHORTEST: f64 = 1e-3;

/// The phase (rad) that a vibration may have between two ticks to be damped at its ratio.
const TICKED: f64 = 0.3;

/// [`Composite`] as it is described.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeDescription {
    /// `K_p` of each joint (1/s²).
    pub stiffness: PerJoint,
    /// `K_v` of each joint (1/s).
    pub damping: PerJoint,
    /// What is led.
    pub rows: PseudolinkRows,
    /// How vibrations are damped.
    pub vibrations: VibrationDamping,
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
    /// With the gains of each joint (1/s², 1/s), led by its angle, and vibrations damped as usual.
    pub fn new(stiffness: impl Into<PerJoint>, damping: impl Into<PerJoint>) -> Self {
        Self {
            stiffness: stiffness.into(),
            damping: damping.into(),
            rows: PseudolinkRows::None,
            vibrations: VibrationDamping::default(),
            gains_period: 0.05,
            guard: GUARD,
        }
    }

    /// The same with joints that are led by their pseudolinks, and King's weights.
    #[must_use]
    pub fn pseudolinks(self, rows: PseudolinkRows) -> Self {
        Self { rows, vibrations: CompositeWeights::default().into(), ..self }
    }

    /// Those of the joints that are led by their pseudolinks.
    fn links(&self, site: &mut LawSite<'_>) -> Option<Pseudolinks> {
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

    /// Numbers without sense.
    fn no_sense(&self) -> Option<LawError> {
        let not_negative = |key: &'static str, value: f64| {
            let right = value.is_finite() && value >= 0.0;
            (!right).then_some((key, value, "no such number", "give zero or more"))
        };
        let of_vibrations = match self.vibrations {
            VibrationDamping::Ratio(ratio) if !(ratio > 0.0 && ratio <= 1.0) => {
                let why = "vibrations have damping ratios above 0 and up to 1";
                Some(("damping_ratio", ratio, why, "0.5 is usual"))
            }
            VibrationDamping::Ratio(ratio) if self.rows != PseudolinkRows::None => {
                let why = "it is that of vibrations with joints that are led by their angles";
                Some(("damping_ratio", ratio, why, "give weights, or lead no pseudolink"))
            }
            VibrationDamping::Ratio(_) => None,
            VibrationDamping::Weights(weights) => {
                let CompositeWeights { bending, rate, input } = weights;
                if input == 0.0 {
                    let why = "accelerations cost nothing with it";
                    Some(("input_weight", input, why, "give more than zero"))
                } else if bending == 0.0 && rate == 0.0 {
                    let why = "vibrations cost nothing, with no rate_weight either";
                    Some(("bending_weight", bending, why, "give more than zero"))
                } else {
                    not_negative("input_weight", input)
                        .or_else(|| not_negative("bending_weight", bending))
                        .or_else(|| not_negative("rate_weight", rate))
                }
            }
        };
        let (guard, period) = (self.guard, self.gains_period);
        let of_guard = || {
            const HELP: &str = "give less than 1, 0.01 is usual";
            let why = "it is the part of what the determinant is in other postures";
            let large = (guard >= 1.0).then_some(("guard", guard, why, HELP));
            large.or_else(|| not_negative("guard", guard))
        };
        let of_period = || {
            let why = "gains are computed anew after it";
            let right = period.is_finite() && period > 0.0;
            (!right).then_some(("gains_period", period, why, "give a positive time"))
        };
        let (key, value, why, help) = of_vibrations.or_else(of_guard).or_else(of_period)?;
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
        if site.period.is_none() && self.gains_period < SHORTEST {
            let (key, value) = ("gains_period", self.gains_period);
            let why =
                "at every instant the gains are those of the plan, found in advance this often";
            let help = "give at least 1 ms, or a sampling period";
            site.refuse(key, LawError::NoSense { key, value, why, help });
            return None;
        }
        let links = self.links(site)?;
        let law = Composite::new(stiffness, damping, links, self.vibrations, self.gains_period);
        let mut law = law.guarded(self.guard);
        law.fastest = site.period.map_or(f64::INFINITY, |period| TICKED / period);
        law.scheduled = site.period.is_none();
        Some(Box::new(law))
    }
}

/// The tip of the link of a joint, or that of the arm where the link has none.
fn point_of(arm: &Arm, velocity: usize) -> Option<usize> {
    let link = (0..arm.body_count()).find(|&link| arm.velocities_of(link).contains(&velocity))?;
    arm.tip_of(arm.described_link(link)).or_else(|| arm.tip())
}
