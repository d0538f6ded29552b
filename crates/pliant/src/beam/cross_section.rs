//! Cross-sections by their dimensions.

use super::material::Material;
use super::section::Section;
use std::f64::consts::PI;

/// The outline of a cross-section, symmetric about y and z (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CrossSection {
    /// A full circle.
    Round {
        /// Outer diameter.
        diameter: f64,
    },
    /// A circle with a circular hole.
    Tube {
        /// Outer diameter.
        diameter: f64,
        /// Thickness of the wall.
        wall: f64,
    },
    /// A full rectangle.
    Rectangle {
        /// Along y.
        height: f64,
        /// Along z.
        width: f64,
    },
    /// A rectangle with a rectangular hole, its walls equally thick.
    Box {
        /// Along y.
        height: f64,
        /// Along z.
        width: f64,
        /// Thickness of the walls.
        wall: f64,
    },
    /// Two flanges across y, joined by a web.
    I {
        /// Along y, over both flanges.
        height: f64,
        /// Along z, of the flanges.
        width: f64,
        /// Thickness of the web, along z.
        web: f64,
        /// Thickness of each flange, along y.
        flange: f64,
    },
}

/// What a cross-section's outline alone determines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Area (m²).
    pub area: f64,
    /// `∫ z² dA` (m⁴).
    pub i_y: f64,
    /// `∫ y² dA` (m⁴).
    pub i_z: f64,
    /// The torsion constant `J` (m⁴).
    pub torsion: f64,
}

/// The internal forces on a section, beam frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionForce {
    /// Normal force (N).
    pub axial: f64,
    /// Torque about x (N m).
    pub torque: f64,
    /// Bending moment about y (N m).
    pub moment_y: f64,
    /// Bending moment about z (N m).
    pub moment_z: f64,
}

/// `J/(a b³)` of a rectangle with sides `a ≥ b`: Saint-Venant's series.
fn rectangle_torsion(a: f64, b: f64) -> f64 {
    let sum: f64 = (0..8)
        .map(|k| {
            let n = f64::from(2 * k + 1);
            (n * PI * a / (2.0 * b)).tanh() / n.powi(5)
        })
        .sum();
    1.0 / 3.0 - 64.0 / PI.powi(5) * (b / a) * sum
}

impl CrossSection {
    /// Its dimensions with their names.
    pub fn dimensions(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Round { diameter } => vec![("diameter", diameter)],
            Self::Tube { diameter, wall } => vec![("diameter", diameter), ("wall", wall)],
            Self::Rectangle { height, width } => vec![("height", height), ("width", width)],
            Self::Box { height, width, wall } => {
                vec![("height", height), ("width", width), ("wall", wall)]
            }
            Self::I { height, width, web, flange } => {
                vec![("height", height), ("width", width), ("web", web), ("flange", flange)]
            }
        }
    }

    /// How far it extends along y and z (m).
    pub fn extent(&self) -> [f64; 2] {
        match *self {
            Self::Round { diameter } | Self::Tube { diameter, .. } => [diameter; 2],
            Self::Rectangle { height, width }
            | Self::Box { height, width, .. }
            | Self::I { height, width, .. } => [height, width],
        }
    }

    /// Whether its outline is a circle.
    pub fn is_round(&self) -> bool {
        matches!(self, Self::Round { .. } | Self::Tube { .. })
    }

    /// The first dimension that cannot be, its value and what it must be.
    pub fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        if let Some((name, value)) =
            self.dimensions().into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0))
        {
            return Some((name, value, "positive"));
        }
        let too_thick = match *self {
            Self::Tube { diameter, wall } => (2.0 * wall > diameter).then_some(("wall", wall)),
            Self::Box { height, width, wall } => {
                (2.0 * wall > height.min(width)).then_some(("wall", wall))
            }
            Self::I { height, width, web, flange } => {
                if 2.0 * flange > height {
                    Some(("flange", flange))
                } else {
                    (web > width).then_some(("web", web))
                }
            }
            Self::Round { .. } | Self::Rectangle { .. } => None,
        };
        too_thick.map(|(name, value)| match name {
            "web" => (name, value, "at most the width"),
            _ => (name, value, "at most half of what it stands in"),
        })
    }

    /// Area, second moments and torsion constant: exact for round sections and tubes, Saint-Venant's
    /// series for rectangles, Bredt's formula and that of thin plates together for boxes, thin plates
    /// for I.
    pub fn outline(&self) -> Outline {
        let bar = |h: f64, w: f64| (h * w, h * w.powi(3) / 12.0, w * h.powi(3) / 12.0);
        match *self {
            Self::Round { diameter } => Self::ring(diameter, 0.0),
            Self::Tube { diameter, wall } => Self::ring(diameter, diameter - 2.0 * wall),
            Self::Rectangle { height, width } => {
                let (area, i_y, i_z) = bar(height, width);
                let (a, b) = (height.max(width), height.min(width));
                Outline { area, i_y, i_z, torsion: rectangle_torsion(a, b) * a * b.powi(3) }
            }
            Self::Box { height, width, wall } => {
                let outer = bar(height, width);
                let inner = bar(height - 2.0 * wall, width - 2.0 * wall);
                let (h, w) = (height - wall, width - wall);
                Outline {
                    area: outer.0 - inner.0,
                    i_y: outer.1 - inner.1,
                    i_z: outer.2 - inner.2,
                    // thick walls also twist as the plates that they are
                    torsion: 2.0 * wall * h * h * w * w / (h + w)
                        + 2.0 * (h + w) * wall.powi(3) / 3.0,
                }
            }
            Self::I { height, width, web, flange } => {
                let outer = bar(height, width);
                let clear = height - 2.0 * flange;
                let (area, _, i_z) = bar(clear, width - web);
                let i_y = 2.0 * bar(flange, width).1 + bar(clear, web).1;
                let torsion = (2.0 * width * flange.powi(3) + clear * web.powi(3)) / 3.0;
                Outline { area: outer.0 - area, i_y, i_z: outer.2 - i_z, torsion }
            }
        }
    }

    fn ring(outer: f64, inner: f64) -> Outline {
        let area = PI / 4.0 * (outer * outer - inner * inner);
        let i = PI / 64.0 * (outer.powi(4) - inner.powi(4));
        Outline { area, i_y: i, i_z: i, torsion: 2.0 * i }
    }

    /// Cowper's shear coefficients along y and z; for boxes and I the share of the walls that lie
    /// along the shear force. `nu` is Poisson's ratio.
    fn shear_coefficients(&self, nu: f64) -> [f64; 2] {
        match *self {
            Self::Round { .. } => [6.0 * (1.0 + nu) / (7.0 + 6.0 * nu); 2],
            Self::Tube { diameter, wall } => {
                let m = (1.0 - 2.0 * wall / diameter).powi(2);
                let square = (1.0 + m) * (1.0 + m);
                let below = (7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m;
                [6.0 * (1.0 + nu) * square / below; 2]
            }
            Self::Rectangle { .. } => [10.0 * (1.0 + nu) / (12.0 + 11.0 * nu); 2],
            Self::Box { height, width, wall } => {
                let area = self.outline().area;
                [height, width].map(|side| 2.0 * side * wall / area)
            }
            Self::I { height, width, web, flange } => {
                let area = self.outline().area;
                [height * web / area, 5.0 / 3.0 * width * flange / area]
            }
        }
    }

    /// The properties of this outline filled with a material.
    pub fn section(&self, material: &Material) -> Section {
        let Outline { area, i_y, i_z, torsion } = self.outline();
        let Material { young, shear, density, .. } = *material;
        // composites have no single Poisson's ratio; the coefficients hardly depend on it
        let nu = (young / (2.0 * shear) - 1.0).clamp(0.0, 0.5);
        let [kappa_y, kappa_z] = self.shear_coefficients(nu);
        Section {
            ea: young * area,
            ei_z: young * i_z,
            ei_y: young * i_y,
            gj: shear * torsion,
            kga_y: Some(kappa_y * shear * area),
            kga_z: Some(kappa_z * shear * area),
            rho_a: density * area,
            rho_i_z: density * i_z,
            rho_i_y: density * i_y,
        }
    }

    /// The largest equivalent stress `√(σ² + 3τ²)` in the section (Pa): normal stress of normal
    /// force and bending at the outermost fibre, King (1-1) for a round bar, and shear stress of
    /// the torque. Shear forces are left out, as is usual for slender beams.
    pub fn peak_stress(&self, force: &SectionForce) -> f64 {
        let Outline { area, i_y, i_z, torsion } = self.outline();
        let SectionForce { axial, torque, moment_y, moment_z } = *force;
        let (bending, twisting) = match *self {
            Self::Round { diameter } | Self::Tube { diameter, .. } => {
                let radius = 0.5 * diameter;
                (moment_y.hypot(moment_z) * radius / i_z, torque * radius / torsion)
            }
            Self::Rectangle { height, width }
            | Self::Box { height, width, .. }
            | Self::I { height, width, .. } => {
                let corner =
                    moment_z.abs() * 0.5 * height / i_z + moment_y.abs() * 0.5 * width / i_y;
                let twisting = match *self {
                    Self::Box { wall, .. } => {
                        torque / (2.0 * wall * (height - wall) * (width - wall))
                    }
                    Self::I { web, flange, .. } => torque * web.max(flange) / torsion,
                    _ => {
                        // Roark's fit to Saint-Venant's series, in the middle of the longer side
                        let (a, b) = (height.max(width), height.min(width));
                        let r = b / a;
                        let fit = 1.0 + 0.6095 * r + 0.8865 * r * r - 1.8023 * r.powi(3)
                            + 0.91 * r.powi(4);
                        3.0 * torque / (a * b * b) * fit
                    }
                };
                (corner, twisting)
            }
        };
        let normal = axial.abs() / area + bending;
        (normal * normal + 3.0 * twisting * twisting).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a} is not {b}");
    }

    /// Second moments by adding up small squares, as a second way.
    fn counted(inside: impl Fn(f64, f64) -> bool, height: f64, width: f64) -> [f64; 3] {
        let n = 800;
        let (dy, dz) = (height / f64::from(n), width / f64::from(n));
        let mut sums = [0.0; 3];
        for i in 0..n {
            for j in 0..n {
                let y = (f64::from(i) + 0.5) * dy - 0.5 * height;
                let z = (f64::from(j) + 0.5) * dz - 0.5 * width;
                if inside(y, z) {
                    for (sum, term) in sums.iter_mut().zip([1.0, z * z, y * y]) {
                        *sum += dy * dz * term;
                    }
                }
            }
        }
        sums
    }

    #[test]
    fn moments_are_those_of_the_outline() {
        let (h, w) = (0.06, 0.04);
        let tube = CrossSection::Tube { diameter: h, wall: 0.01 };
        let ring = |y: f64, z: f64| (0.02..0.03).contains(&y.hypot(z));
        let boxed = CrossSection::Box { height: h, width: w, wall: 0.005 };
        let hollow = |y: f64, z: f64| y.abs() > 0.025 || z.abs() > 0.015;
        let beam = CrossSection::I { height: h, width: w, web: 0.006, flange: 0.009 };
        let profile = |y: f64, z: f64| y.abs() > 0.021 || z.abs() < 0.003;
        for (section, sums) in [
            (tube, counted(ring, h, h)),
            (boxed, counted(hollow, h, w)),
            (beam, counted(profile, h, w)),
            (CrossSection::Rectangle { height: h, width: w }, counted(|_, _| true, h, w)),
        ] {
            let Outline { area, i_y, i_z, .. } = section.outline();
            // the squares on the edge are counted whole or not at all
            for (exact, sum) in [area, i_y, i_z].into_iter().zip(sums) {
                close(exact, sum, 6e-3);
            }
        }
    }

    #[test]
    fn torsion_constants_are_the_known_ones() {
        // a square: 0.140577 a⁴; side ratio 4: 0.281 (Timoshenko and Goodier, table of chapter 10)
        let square = CrossSection::Rectangle { height: 1.0, width: 1.0 }.outline().torsion;
        close(square, 0.140_577, 1e-5);
        let long = CrossSection::Rectangle { height: 1.0, width: 4.0 }.outline().torsion;
        close(long, 0.281 * 4.0, 2e-3);
        // a box whose hole has almost closed is nearly the full square, and a thin one Bredt's
        let boxed =
            |wall: f64| CrossSection::Box { height: 1.0, width: 1.0, wall }.outline().torsion;
        close(boxed(0.4999), square, 0.05);
        close(boxed(1e-3), 0.999_f64.powi(3) * 1e-3, 1e-5);
        // an I of equal plates: three thin plates
        let plates = CrossSection::I { height: 1.02, width: 1.0, web: 0.01, flange: 0.01 };
        close(plates.outline().torsion, 3.0 * 1e-6 / 3.0, 1e-12);
        // thin tubes: Bredt and the exact ring
        let tube = CrossSection::Tube { diameter: 1.0, wall: 1e-3 }.outline().torsion;
        close(tube, 2.0 * PI * 0.4995_f64.powi(3) * 1e-3, 1e-5);
    }

    #[test]
    fn shear_coefficients_tend_to_cowpers_thin_and_solid_ones() {
        let nu = 0.3;
        let solid = CrossSection::Tube { diameter: 1.0, wall: 0.5 }.shear_coefficients(nu)[0];
        close(solid, CrossSection::Round { diameter: 1.0 }.shear_coefficients(nu)[0], 1e-14);
        let thin = CrossSection::Tube { diameter: 1.0, wall: 1e-6 }.shear_coefficients(nu)[0];
        close(thin, 2.0 * (1.0 + nu) / (4.0 + 3.0 * nu), 1e-5);
    }

    #[test]
    fn stresses_are_those_of_the_textbook() {
        let moment = SectionForce { moment_z: 10.0, ..SectionForce::default() };
        let round = CrossSection::Round { diameter: 0.01 };
        close(round.peak_stress(&moment), 4.0 * 10.0 / (PI * 0.005_f64.powi(3)), 1e-14);
        let flat = CrossSection::Rectangle { height: 0.02, width: 0.01 };
        close(flat.peak_stress(&moment), 6.0 * 10.0 / (0.01 * 0.02 * 0.02), 1e-14);
        let torque = SectionForce { torque: 3.0, ..SectionForce::default() };
        let shear = 16.0 * 3.0 / (PI * 0.01_f64.powi(3));
        close(round.peak_stress(&torque), 3.0_f64.sqrt() * shear, 1e-14);
        // a square bar: τ = T / (0.2082 a³)
        let square = CrossSection::Rectangle { height: 0.01, width: 0.01 };
        close(square.peak_stress(&torque), 3.0_f64.sqrt() * 3.0 / 0.208_2e-6, 3e-3);
        // τ = T / (k a b²) for sides a ≥ b, k from Saint-Venant's series
        for (ratio, k) in [(2.0, 0.2459), (4.0, 0.2817), (10.0, 0.3123)] {
            for (height, width) in [(0.01 * ratio, 0.01), (0.01, 0.01 * ratio)] {
                let bar = CrossSection::Rectangle { height, width };
                let shear = 3.0 / (k * ratio * 1e-6);
                close(bar.peak_stress(&torque), 3.0_f64.sqrt() * shear, 3e-3);
            }
        }
    }

    #[test]
    fn impossible_dimensions_are_named() {
        for (section, name) in [
            (CrossSection::Round { diameter: -0.01 }, "diameter"),
            (CrossSection::Tube { diameter: 0.01, wall: 0.006 }, "wall"),
            (CrossSection::Tube { diameter: 0.01, wall: -0.001 }, "wall"),
            (CrossSection::Box { height: 0.02, width: 0.01, wall: 0.006 }, "wall"),
            (CrossSection::I { height: 0.02, width: 0.01, web: 0.02, flange: 0.001 }, "web"),
            (CrossSection::I { height: 0.02, width: 0.01, web: 0.002, flange: 0.02 }, "flange"),
            (CrossSection::Rectangle { height: f64::NAN, width: 0.01 }, "height"),
        ] {
            assert_eq!(section.fault().map(|fault| fault.0), Some(name), "{section:?}");
        }
        assert_eq!(CrossSection::Tube { diameter: 0.01, wall: 0.005 }.fault(), None);
    }
}
