//! The shapes in which a beam may deform.

use super::clamped_free::ClampedFree;
use super::section::Section;
use crate::spatial::Vec3;
use nalgebra::DMatrix;
use std::f64::consts::PI;

/// A family of shapes; each gets one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Modes of the uniform clamped-free beam, so many of each kind: bending along y, bending
    /// along z, torsion, axial, in this order.
    ClampedFree {
        /// Bending with deflection along y.
        bend_y: usize,
        /// Bending with deflection along z.
        bend_z: usize,
        /// Twist about x.
        torsion: usize,
        /// Stretch along x.
        axial: usize,
    },
    /// Equal finite elements; per node outward `(v, θ_z)`, `(w, θ_y)`, `θ_x`, `u_x`, as far as
    /// switched on. Cubic in bending, linear in twist and stretch; sections that shear use the
    /// Timoshenko element.
    Hermite {
        /// How many elements.
        elements: usize,
        /// Bending with deflection along y.
        bend_y: bool,
        /// Bending with deflection along z.
        bend_z: bool,
        /// Twist about x.
        torsion: bool,
        /// Stretch along x.
        axial: bool,
    },
}

impl Basis {
    /// How many shapes.
    pub fn count(&self) -> usize {
        match *self {
            Self::ClampedFree { bend_y, bend_z, torsion, axial } => {
                bend_y + bend_z + torsion + axial
            }
            Self::Hermite { elements, bend_y, bend_z, torsion, axial } => {
                let per_node = 2 * usize::from(bend_y)
                    + 2 * usize::from(bend_z)
                    + usize::from(torsion)
                    + usize::from(axial);
                elements * per_node
            }
        }
    }

    /// Whether it bends along y, along z, twists, stretches.
    pub(crate) fn uses(&self) -> [bool; 4] {
        match *self {
            Self::ClampedFree { bend_y, bend_z, torsion, axial } => {
                [bend_y, bend_z, torsion, axial].map(|count| count > 0)
            }
            Self::Hermite { bend_y, bend_z, torsion, axial, .. } => {
                [bend_y, bend_z, torsion, axial]
            }
        }
    }
}

/// One shape at one place, beam frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// Displacement of the centreline `(u_x, v, w)`.
    pub(crate) displacement: [f64; 3],
    /// Rotation of the section `(θ_x, θ_y, θ_z)` (1/m where the coordinate is a length).
    pub(crate) rotation: [f64; 3],
    /// Slopes of the centreline `v'`, `w'`.
    pub(crate) slope: [f64; 2],
    /// Strains `u_x'`, `θ_x'`, `θ_y'`, `θ_z'`, `v' − θ_z`, `w' + θ_y`.
    pub(crate) strain: [f64; 6],
}

impl Shape {
    fn add(&mut self, other: &Self, factor: f64) {
        let into = |to: &mut [f64], from: &[f64]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to += factor * from;
            }
        };
        into(&mut self.displacement, &other.displacement);
        into(&mut self.rotation, &other.rotation);
        into(&mut self.slope, &other.slope);
        into(&mut self.strain, &other.strain);
    }

    pub(crate) fn displacement_vector(&self) -> Vec3<f64> {
        self.displacement.into()
    }

    pub(crate) fn rotation_vector(&self) -> Vec3<f64> {
        self.rotation.into()
    }
}

/// A beam's shapes, ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    length: f64,
    section: Section,
    basis: Basis,
    bending: Vec<ClampedFree>,
    reduction: Option<DMatrix<f64>>,
}

impl Shapes {
    pub(crate) fn new(
        length: f64,
        section: Section,
        basis: Basis,
        reduction: Option<DMatrix<f64>>,
    ) -> Self {
        let bending = match basis {
            Basis::ClampedFree { bend_y, bend_z, .. } => {
                (1..=bend_y.max(bend_z)).map(|k| ClampedFree::new(k, length)).collect()
            }
            Basis::Hermite { .. } => Vec::new(),
        };
        Self { length, section, basis, bending, reduction }
    }

    /// How many coordinates.
    pub(crate) fn count(&self) -> usize {
        self.reduction.as_ref().map_or_else(|| self.basis.count(), DMatrix::ncols)
    }

    /// The pieces on which the shapes are smooth, short enough to integrate their products.
    pub(crate) fn panels(&self) -> usize {
        match self.basis {
            Basis::ClampedFree { bend_y, bend_z, torsion, axial } => {
                4 + 2 * bend_y.max(bend_z).max(torsion).max(axial)
            }
            Basis::Hermite { elements, .. } => elements,
        }
    }

    /// All shapes at a place; `panel` says from which side at a border.
    pub(crate) fn at(&self, s: f64, panel: usize) -> Vec<Shape> {
        let full = match self.basis {
            Basis::ClampedFree { bend_y, bend_z, torsion, axial } => {
                self.clamped_free(s, [bend_y, bend_z, torsion, axial])
            }
            Basis::Hermite { elements, bend_y, bend_z, torsion, axial } => {
                self.hermite(s, panel, elements, [bend_y, bend_z, torsion, axial])
            }
        };
        match &self.reduction {
            None => full,
            Some(reduction) => (0..reduction.ncols())
                .map(|k| {
                    let mut sum = Shape::default();
                    for (row, shape) in full.iter().enumerate() {
                        sum.add(shape, reduction[(row, k)]);
                    }
                    sum
                })
                .collect(),
        }
    }

    fn clamped_free(&self, s: f64, [y, z, torsion, axial]: [usize; 4]) -> Vec<Shape> {
        let wave = |k: usize| {
            let rate = (2 * k + 1) as f64 * PI / (2.0 * self.length);
            ((rate * s).sin(), rate * (rate * s).cos())
        };
        let along_y = self.bending[..y].iter().map(|mode| {
            let [v, slope, curvature] = mode.at(s);
            Shape {
                displacement: [0.0, v, 0.0],
                rotation: [0.0, 0.0, slope],
                slope: [slope, 0.0],
                strain: [0.0, 0.0, 0.0, curvature, 0.0, 0.0],
            }
        });
        let along_z = self.bending[..z].iter().map(|mode| {
            let [w, slope, curvature] = mode.at(s);
            Shape {
                displacement: [0.0, 0.0, w],
                rotation: [0.0, -slope, 0.0],
                slope: [0.0, slope],
                strain: [0.0, 0.0, -curvature, 0.0, 0.0, 0.0],
            }
        });
        let about_x = (0..torsion).map(|k| {
            let (value, rate) = wave(k);
            Shape {
                rotation: [value, 0.0, 0.0],
                strain: [0.0, rate, 0.0, 0.0, 0.0, 0.0],
                ..Shape::default()
            }
        });
        let along_x = (0..axial).map(|k| {
            let (value, rate) = wave(k);
            Shape {
                displacement: [value, 0.0, 0.0],
                strain: [rate, 0.0, 0.0, 0.0, 0.0, 0.0],
                ..Shape::default()
            }
        });
        along_y.chain(along_z).chain(about_x).chain(along_x).collect()
    }

    fn hermite(
        &self,
        s: f64,
        panel: usize,
        elements: usize,
        [bend_y, bend_z, torsion, axial]: [bool; 4],
    ) -> Vec<Shape> {
        let h = self.length / elements as f64;
        let xi = s / h - panel as f64;
        let Section { ei_y, ei_z, kga_y, kga_z, .. } = self.section;
        let cubic_y = Cubic::at(xi, h, kga_y.map_or(0.0, |k| 12.0 * ei_z / (k * h * h)));
        let cubic_z = Cubic::at(xi, h, kga_z.map_or(0.0, |k| 12.0 * ei_y / (k * h * h)));
        let hats = [(1.0 - xi, -1.0 / h), (xi, 1.0 / h)];
        let mut shapes = Vec::with_capacity(self.basis.count());
        for node in 1..=elements {
            // which end of the element in question this node is
            let side = match (node + 1).checked_sub(panel + 1) {
                Some(0) => Some(0),
                Some(1) => Some(1),
                _ => None,
            };
            let bending = |cubic: &Cubic, along_z: bool| {
                (0..2)
                    .map(|k| {
                        let Some(side) = side else {
                            return Shape::default();
                        };
                        let [v, slope, theta, curvature] = cubic.values[2 * side + k];
                        if along_z {
                            // the nodal rotation is θ_y = −w'
                            let sign = if k == 0 { 1.0 } else { -1.0 };
                            let [v, slope, theta, curvature] =
                                [v, slope, theta, curvature].map(|x| sign * x);
                            Shape {
                                displacement: [0.0, 0.0, v],
                                rotation: [0.0, -theta, 0.0],
                                slope: [0.0, slope],
                                strain: [0.0, 0.0, -curvature, 0.0, 0.0, slope - theta],
                            }
                        } else {
                            Shape {
                                displacement: [0.0, v, 0.0],
                                rotation: [0.0, 0.0, theta],
                                slope: [slope, 0.0],
                                strain: [0.0, 0.0, 0.0, curvature, slope - theta, 0.0],
                            }
                        }
                    })
                    .collect::<Vec<_>>()
            };
            if bend_y {
                shapes.extend(bending(&cubic_y, false));
            }
            if bend_z {
                shapes.extend(bending(&cubic_z, true));
            }
            let (value, rate) = side.map_or((0.0, 0.0), |side| hats[side]);
            if torsion {
                shapes.push(Shape {
                    rotation: [value, 0.0, 0.0],
                    strain: [0.0, rate, 0.0, 0.0, 0.0, 0.0],
                    ..Shape::default()
                });
            }
            if axial {
                shapes.push(Shape {
                    displacement: [value, 0.0, 0.0],
                    strain: [rate, 0.0, 0.0, 0.0, 0.0, 0.0],
                    ..Shape::default()
                });
            }
        }
        shapes
    }
}

/// The four shapes of a beam element, `[v, v', θ, θ']` each, for nodal `v₁, θ₁, v₂, θ₂`; `phi` is
/// the ratio of bending to shear stiffness, 0 for Euler-Bernoulli.
struct Cubic {
    values: [[f64; 4]; 4],
}

impl Cubic {
    fn at(x: f64, h: f64, phi: f64) -> Self {
        let scale = 1.0 / (1.0 + phi);
        let (x2, x3) = (x * x, x * x * x);
        let v = [
            1.0 - 3.0 * x2 + 2.0 * x3 + phi * (1.0 - x),
            h * (x - 2.0 * x2 + x3 + phi * (x - x2) / 2.0),
            3.0 * x2 - 2.0 * x3 + phi * x,
            h * (-x2 + x3 - phi * (x - x2) / 2.0),
        ];
        let slope = [
            (-6.0 * x + 6.0 * x2 - phi) / h,
            1.0 - 4.0 * x + 3.0 * x2 + phi * (1.0 - 2.0 * x) / 2.0,
            (6.0 * x - 6.0 * x2 + phi) / h,
            -2.0 * x + 3.0 * x2 - phi * (1.0 - 2.0 * x) / 2.0,
        ];
        let theta = [
            6.0 * (x2 - x) / h,
            1.0 - 4.0 * x + 3.0 * x2 + phi * (1.0 - x),
            6.0 * (x - x2) / h,
            -2.0 * x + 3.0 * x2 + phi * x,
        ];
        let curvature = [
            6.0 * (2.0 * x - 1.0) / (h * h),
            (-4.0 + 6.0 * x - phi) / h,
            6.0 * (1.0 - 2.0 * x) / (h * h),
            (-2.0 + 6.0 * x + phi) / h,
        ];
        let values = std::array::from_fn(|k| {
            [v[k], slope[k], theta[k], curvature[k]].map(|value| value * scale)
        });
        Self { values }
    }
}
