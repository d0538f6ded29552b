//! From the coordinates of a body to the extended ones, in which its field is linear.
//!
//! A beam that is clamped has `z = (δ, products)`: its coordinates, then one product of two of
//! them for each pair that shortens it, `δ_aδ_b` or `½δ_a²`.
//!
//! A beam that slides has the coordinates `(l, δ)` and, with `κ` running over `(δ, products)`, four
//! groups of shapes: `e_x`, `φ_κ`, `Dφ_κ` and `D²φ_κ`, where `D` differentiates by `l` along a
//! material point. Its position is `z = (0; z_κ; 0; 0)`, its velocity
//! `ż = (l̇; ż_κ; z_κ l̇; 0)`, its acceleration
//! `z̈ = (l̈; z̈_κ; z_κ l̈ + 2 ż_κ l̇; z_κ l̇²)`. In general `ż = Z ẏ` and `z̈ = Z ÿ + Żẏ`.

use crate::scalar::Scalar;
use crate::spatial::Vec3;
use std::ops::{AddAssign, Mul};

/// The map from coordinates to extended coordinates.
#[derive(Clone, Debug)]
pub(super) struct Extension {
    /// How many coordinates bend it.
    bending: usize,
    /// The pairs `a ≤ b` of them that shorten the beam.
    pairs: Vec<(usize, usize)>,
    /// For each of them the products it is a factor of, with the other factor.
    partners: Vec<Vec<(usize, usize)>>,
    slides: bool,
}

impl Extension {
    /// The map of a beam with so many coordinates of bending and these products.
    pub(super) fn new(bending: usize, pairs: Vec<(usize, usize)>, slides: bool) -> Self {
        let mut partners = vec![Vec::new(); bending];
        for (p, &(a, b)) in pairs.iter().enumerate() {
            partners[a].push((bending + p, b));
            if a != b {
                partners[b].push((bending + p, a));
            }
        }
        Self { bending, pairs, partners, slides }
    }

    /// How many of them bend it.
    pub(super) fn bending(&self) -> usize {
        self.bending
    }

    /// How many shapes deform the beam as it is, those of products included.
    pub(super) fn shapes(&self) -> usize {
        self.bending + self.pairs.len()
    }

    /// How many extended coordinates.
    pub(super) fn size(&self) -> usize {
        if self.slides { 1 + 3 * self.shapes() } else { self.shapes() }
    }

    /// The pairs of coordinates that shorten the beam.
    pub(super) fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The coordinates of bending among all.
    fn deflection<'a, S>(&self, d: &'a [S]) -> &'a [S] {
        if self.slides { &d[1..] } else { d }
    }

    /// `z_κ`, one of the shapes' own coordinates.
    fn own<S: Scalar>(&self, d: &[S], k: usize) -> S {
        match k.checked_sub(self.bending) {
            None => d[k],
            Some(p) => {
                let (a, b) = self.pairs[p];
                let product = d[a] * d[b];
                if a == b { S::from_f64(0.5) * product } else { product }
            }
        }
    }

    /// `(Z_κ x)_p` of a product.
    fn product_rate<S: Scalar>(d: &[S], x: &[S], (a, b): (usize, usize)) -> S {
        if a == b { d[a] * x[a] } else { d[a] * x[b] + d[b] * x[a] }
    }

    /// `z` at a deformation.
    pub(super) fn extend<S: Scalar>(&self, d: &[S], z: &mut [S]) {
        let d = self.deflection(d);
        let z = if self.slides {
            z.fill(S::ZERO);
            &mut z[1..=self.shapes()]
        } else {
            z
        };
        for (k, z) in z.iter_mut().enumerate() {
            *z = self.own(d, k);
        }
    }

    /// `Z x`, for instance `ż` from the rates of the coordinates.
    pub(super) fn extend_rates<S: Scalar>(&self, d: &[S], x: &[S], z: &mut [S]) {
        if self.slides {
            let (d, n) = (self.deflection(d), self.shapes());
            z[0] = x[0];
            self.extend_rates_own(d, &x[1..], &mut z[1..=n]);
            for k in 0..n {
                z[1 + n + k] = self.own(d, k) * x[0];
            }
            z[1 + 2 * n..].fill(S::ZERO);
        } else {
            self.extend_rates_own(d, x, z);
        }
    }

    fn extend_rates_own<S: Scalar>(&self, d: &[S], x: &[S], z: &mut [S]) {
        let (own, products) = z.split_at_mut(self.bending);
        own.copy_from_slice(x);
        for (z, &pair) in products.iter_mut().zip(&self.pairs) {
            *z = Self::product_rate(d, x, pair);
        }
    }

    /// `z += Ż x`, `Z` changing with `rate`; for `x = rate` the part of `z̈` that needs no
    /// accelerations.
    pub(super) fn add_rates<S: Scalar>(&self, d: &[S], rate: &[S], x: &[S], z: &mut [S]) {
        let own = if self.slides {
            let (d, n) = (self.deflection(d), self.shapes());
            let (speed, other) = (rate[0], x[0]);
            for k in 0..n {
                let part = |v: &[S]| match k.checked_sub(self.bending) {
                    None => v[1 + k],
                    Some(p) => Self::product_rate(d, &v[1..], self.pairs[p]),
                };
                z[1 + n + k] += part(rate) * other + part(x) * speed;
                z[1 + 2 * n + k] += self.own(d, k) * speed * other;
            }
            &mut z[1..=n]
        } else {
            z
        };
        let (rate, x) = (self.deflection(rate), self.deflection(x));
        for (z, &(a, b)) in own[self.bending..].iter_mut().zip(&self.pairs) {
            let product = rate[a] * x[b];
            *z += if a == b { product } else { product + rate[b] * x[a] };
        }
    }

    /// `out += Zᵀ h`.
    pub(super) fn reduce<S: Scalar>(&self, d: &[S], h: &[S], out: &mut [S]) {
        for (out, &h) in out.iter_mut().zip(h) {
            *out += h;
        }
        self.reduce_others(d, h, out);
    }

    /// `V Z` for a row of vectors `V`, one per extended coordinate.
    pub(super) fn reduce_vectors<S: Scalar>(
        &self,
        d: &[S],
        vectors: &[Vec3<S>],
        out: &mut [Vec3<S>],
    ) {
        out.copy_from_slice(&vectors[..out.len()]);
        self.reduce_others(d, vectors, out);
    }

    /// What the coordinates do through shapes other than their own.
    fn reduce_others<S: Scalar, V>(&self, d: &[S], h: &[V], out: &mut [V])
    where
        V: Copy + AddAssign + Mul<S, Output = V>,
    {
        let (d, n) = (self.deflection(d), self.shapes());
        let (h, out) = if self.slides {
            for (k, &h) in h[1 + n..=2 * n].iter().enumerate() {
                out[0] += h * self.own(d, k);
            }
            (&h[1..=n], &mut out[1..])
        } else {
            (h, out)
        };
        for (&h, &(a, b)) in h[self.bending..].iter().zip(&self.pairs) {
            out[a] += h * d[b];
            if a != b {
                out[b] += h * d[a];
            }
        }
    }

    /// Visits the entries of a column of `Z` that are not zero, row and entry, but the one on the
    /// diagonal, which is 1.
    pub(super) fn each_in_column<S: Scalar>(
        &self,
        d: &[S],
        column: usize,
        mut visit: impl FnMut(usize, S),
    ) {
        let (d, first) = (self.deflection(d), usize::from(self.slides));
        if self.slides && column == 0 {
            for k in 0..self.shapes() {
                visit(1 + self.shapes() + k, self.own(d, k));
            }
            return;
        }
        for &(product, other) in &self.partners[column - first] {
            visit(first + product, d[other]);
        }
    }
}
