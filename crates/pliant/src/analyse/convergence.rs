//! How far natural frequencies are from converged ones: the same arm with much finer beams.

use super::conditions::{Conditions, JointCondition};
use super::modes::{Mode, Modes};
use super::participation::MovingPart;
use super::rebuild::RebuildError;
use crate::arm::{Arm, Builder};
use crate::beam::{Basis, Beam, Damping, Ways};

/// Modes whose parts are more alike than this may be the same; round links mix y and z at will.
const ALIKE: f64 = 0.6;
/// The fewest elements of a fine beam, in arms of up to this many beams and in others: its first two
/// bending frequencies are then too high by less than 2e-4, the first frequency of twist by less
/// than 2e-3.
const FEWEST: [usize; 2] = [12, 8];
const FEW_BEAMS: usize = 3;
/// The fewest of a beam that slides, whose integrals are laws of its length.
const FEWEST_SLIDING: usize = 6;
/// How many elements of a fine beam are one segment: foreshortening within a few elements costs
/// little, within all of them much.
const PER_SEGMENT: usize = 2;

impl Modes {
    /// The relative error of each frequency, `ω/ω_c − 1` with the converged frequency `ω_c` of the
    /// same arm; 0 for a mode without a frequency. The frequencies of shapes that suit the motion
    /// badly are too high.
    ///
    /// `ω_c` comes from the arm with finite elements of the same theory in every flexible link: in the
    /// ways in which it deforms, with or without shear and foreshortening as described, at least 12
    /// (8 in arms of more than three flexible links, 6 in a sliding link), three for each shape of a
    /// direction, and twice as many as it has; rigid pieces become four times as many.
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
    /// let basis = Basis::ClampedFree(Ways::new(2, 2, 0, 0));
    /// let rod = Link::new("rod").beam(Beam::new(1.0, matter, basis)).payload(3.0, [0.0; 3]);
    /// let description = Builder::new("rod").link(rod);
    /// let arm = description.clone().build()?;
    /// let (q, conditions) = (arm.neutral(), Conditions::default());
    /// let modes = arm.modes_under(&q, &conditions)?;
    /// let errors = modes.convergence(&arm, &description, &q, &conditions)?;
    /// assert!(errors[0] > 0.001 && errors[2] > 0.01); // shapes of a free tip, and 3 kg on it
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
        let many = usize::from(description.beams().count() > FEW_BEAMS);
        let finer = description.clone().map_beams(|beam| fine(beam, FEWEST[many])).build()?;
        let (posture, conditions) = transferred(arm, &finer, q, conditions)?;
        let modes = finer.modes_under(&posture, &conditions)?.modes;
        let fine_parts: Vec<_> = modes.iter().map(|mode| finer.participation(mode)).collect();
        let mut taken = vec![false; modes.len()];
        let mut errors = Vec::new();
        for (k, mode) in self.modes.iter().enumerate() {
            let own = arm.participation(mode);
            let alike =
                (0..modes.len()).find(|&at| !taken[at] && likeness(&own, &fine_parts[at]) > ALIKE);
            let partner = alike.or_else(|| (k..modes.len()).find(|&at| !taken[at]));
            let Some(partner) = partner else { break };
            taken[partner] = true;
            let (own, converged) = (mode.frequency(), Mode::frequency(&modes[partner]));
            errors.push(if converged > 0.0 { own / converged - 1.0 } else { 0.0 });
        }
        Ok(errors)
    }
}

/// The same beam with so many elements that its lower frequencies have converged.
fn fine(beam: Beam, fewest: usize) -> Beam {
    if let Basis::Pieces { pieces, ways, pinned } = beam.basis {
        return Beam { basis: Basis::Pieces { pieces: 4 * pieces, ways, pinned }, ..beam };
    }
    let counts = beam.basis.ways().to_array();
    let [y, z, twist, stretch] = counts.map(|count| count > 0);
    let ways = Ways::new(y, z, twist, stretch);
    let wanted = match beam.basis {
        Basis::Hermite { elements, .. } => 2 * elements * beam.segments,
        _ => 3 * counts.into_iter().max().unwrap_or(0),
    };
    let elements = wanted.max(if beam.slide.is_some() { FEWEST_SLIDING } else { fewest });
    // without foreshortening segments would soften and stiffen the beam as that does
    let divided = beam.foreshortening && beam.slide.is_none();
    let segments = if divided { elements.div_ceil(PER_SEGMENT) } else { beam.segments };
    let basis = Basis::Hermite { elements: elements.div_ceil(segments), ways };
    let damping = Damping { ratios: Vec::new(), ..beam.damping };
    Beam { basis, segments, damping, reduction: None, ..beam }
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
