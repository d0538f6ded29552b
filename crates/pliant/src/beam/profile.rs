//! How the cross-section runs along a beam.

use super::cross_section::CrossSection;
use super::material::Material;
use super::section::Section;

/// A cross-section, by its properties or by its outline and material.
#[derive(Clone, Debug, PartialEq)]
pub enum Matter {
    /// The properties themselves.
    Given(Section),
    /// An outline filled with a material.
    Made {
        /// The outline.
        outline: CrossSection,
        /// What it is made of.
        material: Material,
    },
}

/// The cross-section along a beam: one for all of it, or stations between which dimensions (or
/// given properties) run linearly. Two stations at one place are a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    stations: Vec<(f64, Matter)>,
}

/// Why stations do not describe a beam.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ProfileFault {
    /// A number of a section: which, its value, what is possible.
    Number(&'static str, f64, &'static str),
    /// The first and the last place, which should be 0 and the length.
    Cover(f64, f64),
    /// Two neighbours between which nothing can run linearly.
    Kinds(f64),
}

impl From<Section> for Matter {
    fn from(section: Section) -> Self {
        Self::Given(section)
    }
}

impl<M: Into<Matter>> From<M> for Profile {
    fn from(matter: M) -> Self {
        Self { stations: vec![(0.0, matter.into())] }
    }
}

impl Matter {
    /// What it resists and weighs.
    pub fn section(&self) -> Section {
        match self {
            Self::Given(section) => *section,
            Self::Made { outline, material } => outline.section(material),
        }
    }

    /// The matter between two stations, `x` from 0 to 1.
    fn between(&self, other: &Self, x: f64) -> Option<Self> {
        let mix = |a: f64, b: f64| a + (b - a) * x;
        Some(match (self, other) {
            (Self::Given(a), Self::Given(b)) => {
                let both = |a: Option<f64>, b: Option<f64>| Some(mix(a?, b?));
                Self::Given(Section {
                    ea: mix(a.ea, b.ea),
                    ei_z: mix(a.ei_z, b.ei_z),
                    ei_y: mix(a.ei_y, b.ei_y),
                    gj: mix(a.gj, b.gj),
                    kga_y: both(a.kga_y, b.kga_y),
                    kga_z: both(a.kga_z, b.kga_z),
                    rho_a: mix(a.rho_a, b.rho_a),
                    rho_i_z: mix(a.rho_i_z, b.rho_i_z),
                    rho_i_y: mix(a.rho_i_y, b.rho_i_y),
                })
            }
            (Self::Made { outline: a, material }, Self::Made { outline: b, material: same })
                if material == same =>
            {
                use CrossSection::{Box, I, Rectangle, Round, Tube};
                let outline = match (*a, *b) {
                    (Round { diameter: a }, Round { diameter: b }) => Round { diameter: mix(a, b) },
                    (Tube { diameter: a, wall: c }, Tube { diameter: b, wall: d }) => {
                        Tube { diameter: mix(a, b), wall: mix(c, d) }
                    }
                    (Rectangle { height: a, width: c }, Rectangle { height: b, width: d }) => {
                        Rectangle { height: mix(a, b), width: mix(c, d) }
                    }
                    (
                        Box { height: a, width: c, wall: e },
                        Box { height: b, width: d, wall: f },
                    ) => Box { height: mix(a, b), width: mix(c, d), wall: mix(e, f) },
                    (
                        I { height: a, width: c, web: e, flange: g },
                        I { height: b, width: d, web: f, flange: h },
                    ) => {
                        I { height: mix(a, b), width: mix(c, d), web: mix(e, f), flange: mix(g, h) }
                    }
                    _ => return None,
                };
                Self::Made { outline, material: material.clone() }
            }
            _ => return None,
        })
    }
}

impl Profile {
    /// Stations by their distance from the root (m), ascending, the first at 0 and the last at
    /// the beam's length.
    pub fn along(stations: Vec<(f64, Matter)>) -> Self {
        Self { stations }
    }

    /// The stations as given.
    pub fn stations(&self) -> &[(f64, Matter)] {
        &self.stations
    }

    /// The same profile of another density, as a part of its own.
    pub(super) fn with_density_scaled(mut self, part: f64) -> Self {
        for (_, matter) in &mut self.stations {
            match matter {
                Matter::Given(Section { rho_a, rho_i_y, rho_i_z, .. }) => {
                    for inertia in [rho_a, rho_i_y, rho_i_z] {
                        *inertia *= part;
                    }
                }
                Matter::Made { material, .. } => {
                    let density = part * material.density;
                    let (name, source) = ("given".to_owned(), "given");
                    *material = Material { name, density, source, ..material.clone() };
                }
            }
        }
        self
    }

    /// Whether it is the same everywhere.
    pub fn is_uniform(&self) -> bool {
        self.stations.windows(2).all(|pair| pair[0].1 == pair[1].1)
    }

    /// The cross-section at a distance from the root (m); the inner one at a step.
    pub fn at(&self, s: f64) -> Matter {
        let after = self.stations.iter().position(|(place, _)| *place >= s);
        match after {
            // beyond the last, where rounding put it, or one for all
            None => self.stations[self.stations.len() - 1].1.clone(),
            Some(0) => self.stations[0].1.clone(),
            Some(k) => {
                let ((from, a), (to, b)) = (&self.stations[k - 1], &self.stations[k]);
                a.between(b, (s - from) / (to - from)).unwrap_or_else(|| a.clone())
            }
        }
    }

    /// What a section resists and weighs there.
    pub fn section_at(&self, s: f64) -> Section {
        self.at(s).section()
    }

    /// The places inside a beam of this length where it is not smooth.
    pub(crate) fn breaks(&self, length: f64) -> impl Iterator<Item = f64> + '_ {
        let inside = move |s: &f64| *s > 0.0 && *s < length;
        self.stations.iter().map(|(s, _)| *s).filter(inside)
    }

    /// The part from one distance to another, counted from its own root.
    pub(crate) fn cut(&self, from: f64, to: f64) -> Self {
        if self.stations.len() < 2 {
            return self.clone();
        }
        let inside = self.stations.iter().filter(|(s, _)| (from..=to).contains(s));
        let mut stations: Vec<_> = inside.map(|(s, m)| (s - from, m.clone())).collect();
        // a step at the border belongs to the part beyond it
        let first = self.stations.iter().rposition(|(s, _)| *s <= from).unwrap_or(0);
        if stations.first().is_none_or(|(s, _)| *s > 0.0) {
            let ((a, inner), (b, outer)) = (&self.stations[first], &self.stations[first + 1]);
            let matter = inner.between(outer, (from - a) / (b - a));
            stations.insert(0, (0.0, matter.unwrap_or_else(|| inner.clone())));
        }
        while stations.len() > 1 && stations[1].0 == 0.0 {
            stations.remove(0);
        }
        if stations.last().is_none_or(|(s, _)| *s < to - from) {
            stations.push((to - from, self.at(to)));
        }
        while stations.len() > 1 && stations[stations.len() - 2].0 == to - from {
            stations.pop();
        }
        Self { stations }
    }

    /// What is wrong with it as the profile of a beam of this length.
    pub(crate) fn fault(&self, length: f64) -> Option<ProfileFault> {
        let (Some((first, _)), Some((last, _))) = (self.stations.first(), self.stations.last())
        else {
            return Some(ProfileFault::Cover(f64::NAN, f64::NAN));
        };
        let one = self.stations.len() == 1;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * length.abs();
        if !near(*first, 0.0) || !(one || near(*last, length)) {
            return Some(ProfileFault::Cover(*first, *last));
        }
        for (place, matter) in &self.stations {
            if !place.is_finite() {
                return Some(ProfileFault::Number("station", *place, "finite"));
            }
            if let Matter::Made { outline, material } = matter {
                let numbers = [
                    ("Young's modulus", material.young),
                    ("shear modulus", material.shear),
                    ("density", material.density),
                ];
                let bad = numbers.into_iter().find(|(_, x)| !(x.is_finite() && *x > 0.0));
                let bad = bad.map(|(name, value)| (name, value, "positive"));
                if let Some((name, value, needed)) = outline.fault().or(bad) {
                    return Some(ProfileFault::Number(name, value, needed));
                }
            }
        }
        for pair in self.stations.windows(2) {
            let [(from, a), (to, b)] = pair else { continue };
            if from > to {
                return Some(ProfileFault::Number("station", *to, "beyond the one before it"));
            }
            if to > from && a.between(b, 0.5).is_none() {
                return Some(ProfileFault::Kinds(*from));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tube(diameter: f64) -> Matter {
        let material = Material::named("aluminium").expect("known");
        Matter::Made { outline: CrossSection::Tube { diameter, wall: 0.002 }, material }
    }

    fn diameter(matter: &Matter) -> f64 {
        let Matter::Made { outline, .. } = matter else { return f64::NAN };
        outline.dimensions()[0].1
    }

    #[test]
    fn dimensions_run_linearly_and_steps_stay_steps() {
        let stations =
            vec![(0.0, tube(0.06)), (1.0, tube(0.05)), (1.0, tube(0.03)), (2.0, tube(0.02))];
        let profile = Profile::along(stations);
        assert_eq!(profile.fault(2.0), None);
        for (s, wanted) in [(0.5, 0.055), (1.0, 0.05), (1.5, 0.025), (2.0, 0.02)] {
            assert!((diameter(&profile.at(s)) - wanted).abs() < 1e-15, "{s}");
        }
        let outer = profile.cut(1.0, 1.5);
        assert_eq!(outer.fault(0.5), None);
        assert!((diameter(&outer.at(0.0)) - 0.03).abs() < 1e-15);
        assert!((diameter(&outer.at(0.5)) - 0.025).abs() < 1e-15);
        let inner = profile.cut(0.5, 1.0);
        assert_eq!(inner.fault(0.5), None);
        assert!((diameter(&inner.at(0.0)) - 0.055).abs() < 1e-15);
        assert!((diameter(&inner.at(0.5)) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn stations_that_do_not_describe_a_beam_are_named() {
        let short = Profile::along(vec![(0.0, tube(0.06)), (1.5, tube(0.05))]);
        assert_eq!(short.fault(2.0), Some(ProfileFault::Cover(0.0, 1.5)));
        let back = Profile::along(vec![
            (0.0, tube(0.06)),
            (1.5, tube(0.06)),
            (1.0, tube(0.05)),
            (2.0, tube(0.05)),
        ]);
        assert!(matches!(back.fault(2.0), Some(ProfileFault::Number("station", ..))));
        let given = Matter::Given(tube(0.05).section());
        let mixed = Profile::along(vec![(0.0, tube(0.06)), (2.0, given)]);
        assert_eq!(mixed.fault(2.0), Some(ProfileFault::Kinds(0.0)));
        let thick = Profile::from(tube(0.003));
        assert!(matches!(thick.fault(2.0), Some(ProfileFault::Number("wall", ..))));
    }
}
