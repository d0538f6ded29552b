//! The matter of a beam, place by place: the field whose integrals are in
//! [`Flexible`](super::Flexible).

use super::description::{Beam, add_shortening};
use super::extended::Extension;
use super::flexible::Field;
use super::moving_shapes::{self, BODY, of_matter, pairs};
use super::normalised::Waves;
use super::section::Section;
use super::shapes::Shapes;
use crate::scalar::Scalar;
use crate::spatial::{Pose, Vec3};

/// The field of a beam at its current length, ready to be evaluated at many places.
pub(crate) struct Slices<'a> {
    beam: &'a Beam,
    /// The root of the part that bends, beam axes.
    origin: Vec3<f64>,
    family: Family,
}

enum Family {
    Clamped {
        shapes: Shapes,
        pairs: Vec<(usize, usize)>,
        /// The shortening of each pair where a piece begins.
        before: Vec<Vec<f64>>,
    },
    Sliding {
        length: f64,
        map: Extension,
        waves: Waves,
        before: Vec<Vec<[f64; 3]>>,
    },
}

/// A slice of a beam.
pub(crate) struct Slice {
    /// Its matter.
    pub(crate) section: Section,
    undeformed: Vectors,
    /// The nine numbers of the three vectors, one after the other: of each the shapes that add to it,
    /// and how much. Most shapes have most of them zero.
    parts: [Vec<(usize, f64)>; 9],
}

/// Three vectors of a slice, beam axes: of its centre from the origin of the body (m), and of the
/// unit vectors along y and z that it carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors {
    pub(crate) centre: Vec3<f64>,
    pub(crate) arms: [Vec3<f64>; 2],
}

impl<'a> Slices<'a> {
    /// The slices of a beam whose part that bends begins at the pose `root` in the body frame; of a
    /// beam that slides the part outside, at its length (m).
    pub(crate) fn new(beam: &'a Beam, root: &Pose<f64>, outside: Option<f64>) -> Self {
        let origin = root.rotation.transpose_mul(root.position);
        let family = match outside {
            None => {
                let shapes = Shapes::new(beam);
                let pairs = beam.pairs(&shapes);
                let mut before = vec![vec![0.0; pairs.len()]];
                for piece in shapes.pieces() {
                    let mut sum = before[before.len() - 1].clone();
                    let whole = (piece.from, piece.to);
                    add_shortening(&shapes, &pairs, piece.element, whole, &mut sum);
                    before.push(sum);
                }
                Family::Clamped { shapes, pairs, before }
            }
            Some(length) => {
                let waves = Waves::new(beam, length);
                let map = Extension::new(beam.count(), pairs(beam, &waves), true);
                let mut before = vec![vec![[0.0; 3]; map.pairs().len()]];
                let (count, across) = (waves.pieces(), of_matter);
                let shapes = moving_shapes::Shapes { waves: &waves, map: &map, origin, across };
                for piece in 0..count {
                    let mut sum = before[piece].clone();
                    let border = |k: usize| k as f64 / count as f64;
                    shapes.add_shortening(piece, (border(piece), border(piece + 1)), &mut sum);
                    before.push(sum);
                }
                Family::Sliding { length, map, waves, before }
            }
        };
        Self { beam, origin, family }
    }

    /// The stretches on which shapes and section are smooth (m), from the root outward.
    pub(crate) fn pieces(&self) -> Vec<[f64; 2]> {
        match &self.family {
            Family::Clamped { shapes, .. } => {
                shapes.pieces().iter().map(|piece| [piece.from, piece.to]).collect()
            }
            Family::Sliding { length, before, .. } => {
                let count = before.len() - 1;
                let border = |k: usize| length * k as f64 / count as f64;
                (0..count).map(|k| [border(k), border(k + 1)]).collect()
            }
        }
    }

    /// The slice at a place (m) of a piece. What sections gain by passing the borders of the
    /// elements of a beam that slides, `ρI` times the jump of the curvature there, is in no slice.
    pub(crate) fn at(&self, piece: usize, s: f64) -> Slice {
        match &self.family {
            Family::Clamped { shapes, pairs, before } => {
                let own = shapes.pieces()[piece];
                let mut shortening = before[piece].clone();
                add_shortening(shapes, pairs, own.element, (own.from, s), &mut shortening);
                let shape = shapes.at(s, own.element);
                let field = Field::new(self.origin, s, &shape, &shortening);
                Slice::new(self.beam.profile.section_at(s), &field)
            }
            Family::Sliding { length, map, waves, before } => {
                let (origin, across) = (self.origin, of_matter);
                let shapes = moving_shapes::Shapes { waves, map, origin, across };
                let (eta, from) = (s / length, piece as f64 / (before.len() - 1) as f64);
                let mut shortened = before[piece].clone();
                shapes.add_shortening(piece, (from, eta), &mut shortened);
                let all = shapes.field(eta, 1.0 - eta, &waves.at(eta, piece), &shortened);
                let scaled = |(field, powers): (&moving_shapes::Field, [i32; 2])| {
                    let [shift, turn] = powers.map(|power| length.powi(power));
                    [field.centre * shift, field.arms[0] * turn, field.arms[1] * turn]
                };
                let mut all: Vec<_> = all.iter().zip(shapes.powers()).map(scaled).collect();
                // the undeformed body is one shape here
                for inner in all.drain(..BODY - 1).collect::<Vec<_>>() {
                    all[0].iter_mut().zip(inner).for_each(|(sum, own)| *sum += own);
                }
                let of = |k: usize| all.iter().map(|vectors| vectors[k]).collect();
                let field = Field { centre: of(0), arm_y: of(1), arm_z: of(2) };
                Slice::new(self.beam.profile.section_at(0.0), &field)
            }
        }
    }
}

impl Slice {
    fn new(section: Section, field: &Field) -> Self {
        let Field { centre, arm_y, arm_z } = field;
        let vectors = centre.iter().zip(arm_y).zip(arm_z);
        let mut numbers = vectors.map(|((centre, arm_y), arm_z)| {
            let mut numbers = [0.0; 9];
            let all = [centre, arm_y, arm_z].map(|vector| vector.to_array());
            numbers.copy_from_slice(all.as_flattened());
            numbers
        });
        let undeformed = Vectors::of(&numbers.next().unwrap_or_default());
        let shapes: Vec<[f64; 9]> = numbers.collect();
        let part = |i: usize| {
            let of_shape = shapes.iter().map(|shape| shape[i]).enumerate();
            of_shape.filter(|(_, part)| *part != 0.0).collect()
        };
        Self { section, undeformed, parts: std::array::from_fn(part) }
    }

    /// Where it is when the body is not deformed.
    pub(crate) fn undeformed(&self) -> Vectors {
        self.undeformed
    }

    /// What extended coordinates add, and their rates and accelerations: `Σ φ_k z_k`.
    pub(crate) fn of<const N: usize>(&self, z: [&[f64]; N]) -> [Vectors; N] {
        let mut sums = [[0.0; 9]; N];
        for (i, part) in self.parts.iter().enumerate() {
            let mut own = [0.0; N];
            for &(k, part) in part {
                for (sum, z) in own.iter_mut().zip(&z) {
                    *sum = Scalar::mul_add(part, z[k], *sum);
                }
            }
            for (sums, own) in sums.iter_mut().zip(own) {
                sums[i] = own;
            }
        }
        sums.map(|sum| Vectors::of(&sum))
    }
}

impl Vectors {
    fn of(&[x, y, z, yx, yy, yz, zx, zy, zz]: &[f64; 9]) -> Self {
        Self { centre: Vec3::new(x, y, z), arms: [Vec3::new(yx, yy, yz), Vec3::new(zx, zy, zz)] }
    }

    /// The rotation vector `θ`, from what it adds to the arms: `θ × e_y` and `θ × e_z`.
    pub(crate) fn rotation(&self) -> Vec3<f64> {
        let [y, z] = self.arms;
        Vec3::new(y.z, z.x, -y.x)
    }
}
