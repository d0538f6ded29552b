//! Whether a link is thick enough: strong enough for its bending moment, stiff enough for its
//! controller.
//!
//! King (1-1): the stress of a round link is `4 M R / π R⁴`, of any link `M c / I`, and (1-2) it
//! must stay below the strength. King (1-3): the frequency with which the link vibrates when its
//! joint is clamped must be about three times the bandwidth of the closed loop. (King's sentence
//! before (1-3) says that damping fails when the frequency *exceeds* that; the inequality that
//! follows, and Book whom he cites, say the opposite.)

use super::conditions::Conditions;
use super::error::AnalysisError;
use super::modes::Mode;
use crate::arm::Arm;
use crate::beam::{Beam, CrossSection, Matter, Profile, SectionForce};

/// The required ratio of clamped frequency to bandwidth: King (1-3).
pub const FREQUENCY_RATIO: f64 = 3.0;

/// How exactly the frequency is met.
const TOLERANCE: f64 = 1e-9;

/// The requirements on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// The bandwidth of the closed loop (rad/s).
    pub bandwidth: f64,
    /// The largest bending moment it must bear (N m); without it, what it feels at rest in the
    /// posture.
    pub moment: Option<f64>,
}

/// Which of the two criteria needs the thicker link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizingCriterion {
    /// The bending moment: King (1-2).
    Strength,
    /// The bandwidth: King (1-3).
    Stiffness,
}

/// How a link meets its requirements.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizing {
    /// The largest bending moment (N m).
    pub moment: f64,
    /// The largest stress (Pa), where the section has an outline.
    pub stress: Option<f64>,
    /// Strength over stress, where the material's strength is known; 1 is just enough.
    pub margin_of_strength: Option<f64>,
    /// The lowest frequency (rad/s) of this link and everything outboard of it, joints locked and
    /// everything inboard of it rigid.
    pub frequency: f64,
    /// That frequency over [`FREQUENCY_RATIO`] times the bandwidth; 1 is just enough.
    pub margin_of_stiffness: f64,
    /// Which margin is the smaller one.
    pub decides: SizingCriterion,
    /// By how much the cross-section, in all its dimensions, would be just strong enough under the
    /// same forces.
    pub scale_for_strength: Option<f64>,
    /// By how much it would be just stiff enough, its own mass changing with it; `None` where no
    /// size of this link is, or where its section has no outline.
    pub scale_for_stiffness: Option<f64>,
    /// The outer radius at the root (m) of a round link or tube.
    pub radius: Option<f64>,
}

impl Sizing {
    /// The smallest radius by strength (m): the one of King (1-2).
    pub fn radius_for_strength(&self) -> Option<f64> {
        Some(self.radius? * self.scale_for_strength?)
    }

    /// The smallest radius by stiffness (m): the one of King (1-3).
    pub fn radius_for_stiffness(&self) -> Option<f64> {
        Some(self.radius? * self.scale_for_stiffness?)
    }
}

impl Arm<f64> {
    /// Sizes a link, by index, in a configuration.
    pub fn sizing(&self, link: usize, q: &[f64], demand: &Demand) -> Result<Sizing, AnalysisError> {
        if link >= self.body_count() {
            return Err(AnalysisError::NoSuchLink { given: link, count: self.body_count() });
        }
        if self.sliding_of(link).is_some() {
            return Err(AnalysisError::Slides { link: self.link_names()[link].clone() });
        }
        let Some(beam) = self.beam_of(link) else {
            return Err(AnalysisError::Rigid { link: self.link_names()[link].clone() });
        };
        for (what, value) in
            [("bandwidth", Some(demand.bandwidth)), ("bending moment", demand.moment)]
        {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
                return Err(AnalysisError::NotPositive { what, value });
            }
        }
        let segments = self.segments(link);
        let (moment, stress, margin_of_strength) = match demand.moment {
            Some(moment) => self.bearing(&segments, moment),
            None => self.feeling(&segments, q)?,
        };
        let frequency = self.clamped_frequency(link, q)?;
        let wanted = FREQUENCY_RATIO * demand.bandwidth;
        let margin_of_stiffness = frequency / wanted;
        let strong = margin_of_strength.is_none_or(|margin| margin >= margin_of_stiffness);
        let diameter = match beam.profile.at(0.0) {
            Matter::Made {
                outline: CrossSection::Round { diameter } | CrossSection::Tube { diameter, .. },
                ..
            } => Some(diameter),
            _ => None,
        };
        Ok(Sizing {
            moment,
            stress,
            margin_of_strength,
            frequency,
            margin_of_stiffness,
            decides: if strong { SizingCriterion::Stiffness } else { SizingCriterion::Strength },
            scale_for_strength: margin_of_strength.map(|margin| margin.cbrt().recip()),
            scale_for_stiffness: self.scale_to(&segments, q, wanted),
            radius: diameter.map(|diameter| 0.5 * diameter),
        })
    }

    /// A link and the further segments of its beam that it was divided into, by index, from the root
    /// outward.
    pub fn segments(&self, link: usize) -> Vec<usize> {
        let described = self.described_link(link);
        let further = (link + 1..self.body_count())
            .filter(|&body| self.described_link(body) == described && self.beam_of(body).is_some());
        std::iter::once(link).chain(further).collect()
    }

    /// Moment, stress and margin where one bending moment acts everywhere, about the weaker axis.
    fn bearing(&self, segments: &[usize], moment: f64) -> (f64, Option<f64>, Option<f64>) {
        let about_y = SectionForce { moment_y: moment, ..SectionForce::default() };
        let about_z = SectionForce { moment_z: moment, ..SectionForce::default() };
        let beams = segments.iter().filter_map(|&link| self.beam_of(link));
        let (mut stress, mut margin): (Option<f64>, Option<f64>) = (None, None);
        for (_, matter) in beams.flat_map(|beam| beam.profile.stations()) {
            let Matter::Made { outline, material } = matter else { continue };
            let here = outline.peak_stress(&about_y).max(outline.peak_stress(&about_z));
            stress = Some(stress.map_or(here, |there| there.max(here)));
            let own = material.strength.map(|strength| strength / here);
            margin = own.map(|own| margin.map_or(own, |other| other.min(own))).or(margin);
        }
        (moment, stress, margin)
    }

    /// Moment, stress and margin at rest in a posture.
    fn feeling(
        &self,
        segments: &[usize],
        q: &[f64],
    ) -> Result<(f64, Option<f64>, Option<f64>), AnalysisError> {
        let rest = self.static_equilibrium(q)?;
        let all = self.internal_forces(&rest.q)?;
        let own = all.iter().filter(|forces| segments.contains(&forces.link));
        let cuts: Vec<_> = own.flat_map(|forces| &forces.cuts).collect();
        let moment = cuts.iter().map(|cut| cut.moment()).fold(0.0, f64::max);
        let stress = cuts.iter().filter_map(|cut| cut.stress).reduce(f64::max);
        Ok((moment, stress, cuts.iter().filter_map(|cut| cut.margin).reduce(f64::min)))
    }

    /// The lowest frequency (rad/s) of a link and everything outboard of it, with joints locked and
    /// everything inboard rigid; 0 if none of it is flexible.
    pub fn clamped_frequency(&self, link: usize, q: &[f64]) -> Result<f64, AnalysisError> {
        if link >= self.body_count() {
            return Err(AnalysisError::NoSuchLink { given: link, count: self.body_count() });
        }
        let rest = self.static_equilibrium(q)?;
        let mut outboard = vec![false; self.body_count()];
        let mut moving = Vec::new();
        for body in link..self.body_count() {
            outboard[body] = body == link || self.parent_of(body).is_some_and(|p| outboard[p]);
            if outboard[body] {
                moving.extend(self.bending_of(body).1);
                if body != link && self.is_hinge(body) {
                    moving.extend(self.velocities_of(body));
                }
            }
        }
        let modes = self.modes_of(&moving, rest.q, &Conditions::default())?;
        Ok(modes.modes.first().map_or(0.0, Mode::frequency))
    }

    /// By how much the cross-section of a link must grow to have this clamped frequency (rad/s):
    /// the secant rule on logarithms, since the frequency is nearly a power of the size.
    fn scale_to(&self, segments: &[usize], q: &[f64], wanted: f64) -> Option<f64> {
        let excess = |log_scale: f64| {
            let scaled = self.scaled(segments, log_scale.exp())?;
            let frequency = scaled.clamped_frequency(segments[0], q).ok()?;
            Some((frequency / wanted).ln()).filter(|excess| excess.is_finite())
        };
        let (mut at, mut here) = (0.0_f64, excess(0.0)?);
        // the power is 2 without and 1 with nothing but the link's own mass
        let mut power = 1.5;
        for _ in 0..40 {
            if here.abs() < TOLERANCE {
                return Some(at.exp());
            }
            let mut step = -here / power;
            let mut there = excess(at + step);
            while there.is_none() && step.abs() > TOLERANCE {
                step *= 0.5;
                there = excess(at + step);
            }
            let there = there?;
            power = f64::clamp((there - here) / step, 0.2, 3.0);
            (at, here) = (at + step, there);
        }
        None
    }

    /// The same arm with the cross-sections of these bodies' beams scaled; `None` where one has no
    /// outline.
    fn scaled(&self, segments: &[usize], factor: f64) -> Option<Self> {
        let mut arm = self.clone();
        for &link in segments {
            let beam = self.beam_of(link)?;
            let profile = scaled(&beam.profile, factor)?;
            arm.set_beam(link, Beam { profile, ..beam.clone() });
        }
        Some(arm)
    }
}

fn scaled(profile: &Profile, factor: f64) -> Option<Profile> {
    use CrossSection::{Box, I, Rectangle, Round, Tube};
    let grow = |matter: &Matter| {
        let Matter::Made { outline, material } = matter else { return None };
        let outline = match *outline {
            Round { diameter } => Round { diameter: factor * diameter },
            Tube { diameter, wall } => Tube { diameter: factor * diameter, wall: factor * wall },
            Rectangle { height, width } => {
                Rectangle { height: factor * height, width: factor * width }
            }
            Box { height, width, wall } => {
                Box { height: factor * height, width: factor * width, wall: factor * wall }
            }
            I { height, width, web, flange } => I {
                height: factor * height,
                width: factor * width,
                web: factor * web,
                flange: factor * flange,
            },
        };
        Some(Matter::Made { outline, material: material.clone() })
    };
    let stations = profile.stations().iter();
    let stations: Option<Vec<_>> = stations.map(|(s, matter)| Some((*s, grow(matter)?))).collect();
    Some(Profile::along(stations?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Builder, Joint, Link};
    use crate::beam::{Basis, Material, Ways};

    /// A tube in two segments with a load half-way and one at the tip.
    fn boom(diameter: f64) -> Arm {
        let material = Material::named("aluminium").expect("known");
        let outline = CrossSection::Tube { diameter, wall: 0.1 * diameter };
        let basis = Basis::Hermite { elements: 2, ways: Ways::new(true, true, false, false) };
        let beam =
            Beam { segments: 2, ..Beam::new(1.0, Matter::Made { outline, material }, basis) };
        let held = |name, s| Link::new(name).on("boom").at_section(s).payload(0.5, [0.0; 3]);
        let boom = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
        let builder = Builder::new("boom").link(boom).link(held("camera", 0.25));
        builder.link(held("load", 1.0)).build().expect("an arm")
    }

    #[test]
    fn a_scaled_arm_is_one_built_that_size() {
        let gravity = [0.0, -1.62, 0.0].into();
        let thin = boom(0.04).with_gravity(gravity);
        let scaled = thin.scaled(&thin.segments(0), 2.0).expect("an outline");
        let built = boom(0.08).with_gravity(gravity);
        let q = built.neutral();
        for link in [0, 1] {
            assert_eq!(scaled.beam_of(link), built.beam_of(link));
        }
        let [own, want] = [&scaled, &built].map(|arm| arm.mass_matrix(&q).expect("a posture"));
        assert!((&own - &want).amax() < 1e-13 * want.amax(), "{own} {want}");
        let demand = Demand { bandwidth: 30.0, moment: None };
        let [own, want] = [&scaled, &built].map(|arm| arm.sizing(0, &q, &demand).expect("sizing"));
        for (own, want) in [
            (own.moment, want.moment),
            (own.stress.expect("an outline"), want.stress.expect("an outline")),
            (own.frequency, want.frequency),
            (own.radius.expect("round"), want.radius.expect("round")),
            (own.scale_for_stiffness.expect("a size"), want.scale_for_stiffness.expect("a size")),
        ] {
            assert!((own / want - 1.0).abs() < 1e-9, "{own} {want}");
        }
        // the one it was made of stays as it is
        assert_eq!(thin.beam_of(0), boom(0.04).beam_of(0));
    }
}
