//! How far natural frequencies have converged: the same arm with finer beams.

use super::conditions::{Conditions, JointCondition};
use super::modes::{Mode, Modes};
use super::participation::MovingPart;
use super::rebuild::RebuildError;
use crate::arm::{Arm, Builder};

/// Modes whose parts are more alike than this may be the same; round links mix y and z at will.
const ALIKE: f64 = 0.6;

impl Modes {
    /// The relative change of each frequency, `ω'/ω − 1`, when every flexible link of the arm gets
    /// one more shape per direction or one more element ([`Builder::refined`]); 0 for a mode
    /// without a frequency. A frequency has converged where the change is small.
    ///
    /// `arm` is built from `description`, and these are its modes from `q` under `conditions`. A
    /// mode is compared with the first mode of the finer arm, from the lowest frequency and not
    /// compared yet, that distributes its kinetic energy alike ([`Arm::participation`]): the finer
    /// arm has more modes of every kind, so that equal numbers would compare different kinds.
    ///
    /// ```
    /// use pliant::analyse::Conditions;
    /// use pliant::arm::{Builder, Link};
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    /// let material = Material::named("steel").expect("known");
    /// let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    /// let basis = Basis::Hermite { elements: 2, ways: Ways::new(true, true, false, false) };
    /// let description = Builder::new("rod").link(Link::new("rod").beam(Beam::new(1.0, matter, basis)));
    /// let arm = description.clone().build()?;
    /// let (q, conditions) = (arm.neutral(), Conditions::default());
    /// let modes = arm.modes_under(&q, &conditions)?;
    /// let changes = modes.convergence(&arm, &description, &q, &conditions)?;
    /// assert!(changes[0].abs() < 1e-3 && changes[7].abs() > 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convergence(
        &self,
        arm: &Arm,
        description: &Builder,
        q: &[f64],
        conditions: &Conditions,
    ) -> Result<Vec<f64>, RebuildError> {
        conditions.check(arm, q)?;
        let finer = description.clone().refined().build()?;
        let (posture, conditions) = transferred(arm, &finer, q, conditions)?;
        let modes = finer.modes_under(&posture, &conditions)?.modes;
        let fine_parts: Vec<_> = modes.iter().map(|mode| finer.participation(mode)).collect();
        let mut taken = vec![false; modes.len()];
        let mut changes = Vec::new();
        for (k, mode) in self.modes.iter().enumerate() {
            let own = arm.participation(mode);
            let alike =
                (0..modes.len()).find(|&at| !taken[at] && likeness(&own, &fine_parts[at]) > ALIKE);
            let partner = alike.or_else(|| (k..modes.len()).find(|&at| !taken[at]));
            let Some(partner) = partner else { break };
            taken[partner] = true;
            let (before, after) = (mode.frequency(), Mode::frequency(&modes[partner]));
            changes.push(if before > 0.0 { after / before - 1.0 } else { 0.0 });
        }
        Ok(changes)
    }
}

/// A configuration and conditions for another arm with the same links: by names, since rigid
/// pieces are bodies of their own and their number differs. Links that deform are undeformed.
fn transferred(
    arm: &Arm,
    other: &Arm,
    q: &[f64],
    conditions: &Conditions,
) -> Result<(Vec<f64>, Conditions), RebuildError> {
    let mut posture = other.neutral();
    let mut joints = vec![JointCondition::Locked; other.body_count()];
    let (steady, mut velocities) = (conditions.velocities(arm), vec![0.0; other.nv()]);
    for (link, name) in other.link_names().iter().enumerate() {
        let Some(own) = arm.link_names().iter().position(|known| known == name) else { continue };
        if other.is_hinge(link) {
            continue;
        }
        posture[other.configuration_of(link)].copy_from_slice(&q[arm.configuration_of(own)]);
        if let (Some((to, _)), Some((from, _))) = (other.length_of(link), arm.length_of(own)) {
            posture[to] = q[from];
        }
        velocities[other.velocities_of(link)].copy_from_slice(&steady[arm.velocities_of(own)]);
        joints[link] = conditions.joints.get(own).copied().unwrap_or_default();
    }
    let mut loads = conditions.loads.clone();
    for load in &mut loads {
        load.frame = other.frame(arm.frames()[load.frame].name())?;
    }
    Ok((posture, Conditions { joints, loads, velocities, as_given: conditions.as_given }))
}

/// How alike two distributions are, the cosine between them: 1 where they are the same, 0 where no
/// part is shared.
fn likeness(a: &[(MovingPart, f64)], b: &[(MovingPart, f64)]) -> f64 {
    let of = |parts: &[(MovingPart, f64)], part: &MovingPart| {
        parts.iter().find(|(known, _)| known == part).map_or(0.0, |(_, share)| *share)
    };
    let size = |parts: &[(MovingPart, f64)]| parts.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
    let common: f64 = a.iter().map(|(part, share)| share * of(b, part)).sum();
    common / (size(a) * size(b))
}
