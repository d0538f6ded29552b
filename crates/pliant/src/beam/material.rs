//! What links are made of.

use std::f64::consts::PI;

/// A material as a beam sees it: along the axis of the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Young's modulus along the beam (Pa).
    pub young: f64,
    /// Shear modulus (Pa).
    pub shear: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// The stress it may bear (Pa): yield strength of metals, fibre failure of laminates.
    pub strength: Option<f64>,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// One layer of a fibre composite, in the axes of its fibres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// Young's modulus along the fibres (Pa).
    pub along: f64,
    /// Young's modulus across the fibres (Pa).
    pub across: f64,
    /// Shear modulus in the plane of the ply (Pa).
    pub shear: f64,
    /// Contraction across per extension along.
    pub poisson: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// Tensile strength along the fibres (Pa).
    pub strength: f64,
}

const EUROCODE: &str = "EN 1993-1-1:2005, 3.2.1 and 3.2.6 (steel S355)";
const HANDBOOK_ALUMINIUM: &str = "MIL-HDBK-5J, table 3.6.2.0 (6061-T6)";
const HANDBOOK_TITANIUM: &str = "MIL-HDBK-5J, table 5.4.1.0 (Ti-6Al-4V, annealed)";
const TSAI: &str = "Tsai and Hahn 1980, tables 1.7 and 7.1 (T300/5208), by lamination theory";

impl Ply {
    /// Carbon fibre T300 in epoxy 5208 (Tsai and Hahn 1980).
    pub const T300_5208: Self = Self {
        along: 181e9,
        across: 10.3e9,
        shear: 7.17e9,
        poisson: 0.28,
        density: 1600.0,
        strength: 1500e6,
    };
}

impl Material {
    /// The names that [`Material::named`] knows.
    pub const NAMES: [&str; 6] =
        ["steel", "aluminium", "titanium", "cfrp-ud", "cfrp-tube", "cfrp-quasi-isotropic"];

    /// A material by name.
    pub fn named(name: &str) -> Option<Self> {
        let metal = |young: f64, shear: f64, density: f64, strength: f64, source| Self {
            name: name.to_owned(),
            young,
            shear,
            density,
            strength: Some(strength),
            source,
        };
        let layup = |angles: &[f64]| Self {
            name: name.to_owned(),
            ..Self::laminate(&Ply::T300_5208, angles, TSAI)
        };
        Some(match name {
            "steel" => metal(210e9, 81e9, 7850.0, 355e6, EUROCODE),
            "aluminium" | "aluminum" => metal(68.3e9, 26.2e9, 2710.0, 241e6, HANDBOOK_ALUMINIUM),
            "titanium" => metal(110e9, 42.7e9, 4430.0, 827e6, HANDBOOK_TITANIUM),
            "cfrp-ud" => layup(&[0.0]),
            "cfrp-tube" => layup(&[0.0, 0.0, 45.0, -45.0]),
            "cfrp-quasi-isotropic" => layup(&[0.0, 45.0, -45.0, 90.0]),
            _ => return None,
        })
    }

    /// A symmetric laminate of equal plies at these angles (degrees) to the beam's axis, every
    /// `+φ` with its `−φ`, by classical lamination theory: the membrane moduli of the mean of the
    /// turned ply stiffnesses. Its strength is the axial stress at which the fibres along the
    /// axis fail.
    pub fn laminate(ply: &Ply, angles: &[f64], source: &'static str) -> Self {
        let Ply { along, across, shear, poisson, density, strength } = *ply;
        let scale = 1.0 / (1.0 - poisson * poisson * across / along);
        let (q11, q22) = (along * scale, across * scale);
        let (q12, q66) = (poisson * q22, shear);
        // the mean of the plies' stiffnesses in the axes of the beam
        let [mut a11, mut a22, mut a12, mut a66] = [0.0; 4];
        for angle in angles {
            let (s, c) = (angle * PI / 180.0).sin_cos();
            let (s2, c2) = (s * s, c * c);
            let weight = 1.0 / angles.len() as f64;
            a11 += weight * (q11 * c2 * c2 + 2.0 * (q12 + 2.0 * q66) * s2 * c2 + q22 * s2 * s2);
            a22 += weight * (q11 * s2 * s2 + 2.0 * (q12 + 2.0 * q66) * s2 * c2 + q22 * c2 * c2);
            a12 += weight * ((q11 + q22 - 4.0 * q66) * s2 * c2 + q12 * (s2 * s2 + c2 * c2));
            let mixed = (q11 + q22 - 2.0 * q12 - 2.0 * q66) * s2 * c2;
            a66 += weight * (mixed + q66 * (s2 * s2 + c2 * c2));
        }
        let young = a11 - a12 * a12 / a22;
        Self {
            name: "laminate".to_owned(),
            young,
            shear: a66,
            density,
            strength: Some(strength * young / along),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laminates_have_the_published_moduli() {
        // Tsai and Hahn print 69.68 and 26.88 GPa for the quasi-isotropic laminate
        let quasi = Material::named("cfrp-quasi-isotropic").expect("known");
        assert!((quasi.young / 69.68e9 - 1.0).abs() < 1e-3, "{}", quasi.young);
        assert!((quasi.shear / 26.88e9 - 1.0).abs() < 1e-3, "{}", quasi.shear);
        let single = Material::named("cfrp-ud").expect("known");
        assert!((single.young / Ply::T300_5208.along - 1.0).abs() < 1e-14);
        assert!((single.shear / Ply::T300_5208.shear - 1.0).abs() < 1e-14);
    }

    #[test]
    fn every_name_is_a_material() {
        for name in Material::NAMES {
            let Material { young, shear, density, strength, .. } =
                Material::named(name).expect(name);
            assert!(young > shear && shear > 1e9 && density > 1000.0 && strength > Some(1e8));
        }
        assert!(Material::named("unobtainium").is_none());
    }
}
