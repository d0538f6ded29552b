//! The beam element: cubic in bending, linear in twist and stretch.

use super::basis::Ways;
use super::description::Beam;
use super::shapes::Shape;

/// The four shapes of a beam element, `[v, v', θ, θ']` each, for nodal `v₁, θ₁, v₂, θ₂`; `phi` is
/// `12EI/(κGAh²)`, 0 for Euler-Bernoulli. King (3-2), with (3-2b) and (3-2d) corrected.
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

/// The four shapes of an element that does not shear, with their first three derivatives.
pub(super) fn hermite(x: f64, h: f64) -> [[f64; 4]; 4] {
    let third = [12.0 / (h * h * h), 6.0 / (h * h), -12.0 / (h * h * h), 6.0 / (h * h)];
    let Cubic { values } = Cubic::at(x, h, 0.0);
    std::array::from_fn(|k| {
        let [v, slope, _, curvature] = values[k];
        [v, slope, curvature, third[k]]
    })
}

/// A beam of equal elements.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// The length of an element (m).
    pub(super) h: f64,
    pub(super) ways: Ways<bool>,
    /// `12EI/(κGAh²)` of each element, in the planes of y and of z.
    pub(super) phi: Vec<[f64; 2]>,
}

impl Elements {
    /// Divides a beam; each element shears by the section in its middle.
    pub(super) fn of(beam: &Beam, elements: usize, ways: Ways<bool>) -> Self {
        let h = beam.length / elements as f64;
        let phi = |k: usize| {
            let section = beam.profile.section_at((k as f64 + 0.5) * h);
            let ratio = |ei: f64, kga: Option<f64>| {
                kga.filter(|_| beam.shear).map_or(0.0, |k| 12.0 * ei / (k * h * h))
            };
            [ratio(section.ei_z, section.kga_y), ratio(section.ei_y, section.kga_z)]
        };
        Self { h, ways, phi: (0..elements).map(phi).collect() }
    }

    /// How many shapes.
    pub(super) fn count(&self) -> usize {
        self.node().len() * self.phi.len()
    }

    /// The way of each shape, numbered in the order of [`Ways`].
    pub(super) fn layout(&self) -> Vec<usize> {
        self.node().repeat(self.phi.len())
    }

    /// The ways of the shapes of one node.
    fn node(&self) -> Vec<usize> {
        let on = self.ways.to_array();
        [0, 0, 1, 1, 2, 3].into_iter().filter(|&way| on[way]).collect()
    }

    /// The element that a place lies on.
    pub(super) fn around(&self, s: f64) -> usize {
        (1..self.phi.len()).take_while(|inner| *inner as f64 * self.h <= s).count()
    }

    /// All shapes at a place that lies on this element, node by node.
    pub(super) fn at(&self, s: f64, element: usize) -> Vec<Shape> {
        let mut shapes = vec![Shape::default(); self.count()];
        for (row, shape) in self.near(s, element) {
            shapes[row] = shape;
        }
        shapes
    }

    /// The shapes of the nodes of an element at a place on it, each with its number among all.
    pub(super) fn near(&self, s: f64, element: usize) -> Vec<(usize, Shape)> {
        let Ways { bend_y, bend_z, torsion, axial } = self.ways;
        let h = self.h;
        let xi = s / h - element as f64;
        let [phi_y, phi_z] = self.phi[element];
        let cubics = [Cubic::at(xi, h, phi_y), Cubic::at(xi, h, phi_z)];
        let hats = [(1.0 - xi, -1.0 / h), (xi, 1.0 / h)];
        let mut shapes = Vec::new();
        // the inner node of the first element is clamped
        let sides = if element == 0 { 1..2 } else { 0..2 };
        for side in sides {
            for (plane, on) in [bend_y, bend_z].into_iter().enumerate() {
                shapes.extend((0..2).filter(|_| on).map(|k| {
                    let values = cubics[plane].values[2 * side + k];
                    if plane == 0 {
                        Shape::along_y(values)
                    } else if k == 0 {
                        Shape::along_z(values)
                    } else {
                        // the nodal rotation is θ_y = −w'
                        Shape::along_z(values.map(|value| -value))
                    }
                }));
            }
            let (value, rate) = hats[side];
            if torsion {
                shapes.push(Shape::about_x(value, rate));
            }
            if axial {
                shapes.push(Shape::along_x(value, rate));
            }
        }
        let first = self.node().len() * element.saturating_sub(1);
        shapes.into_iter().enumerate().map(|(k, shape)| (first + k, shape)).collect()
    }
}
