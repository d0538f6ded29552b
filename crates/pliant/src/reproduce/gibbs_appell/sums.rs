//! Steps 7 to 9: what the inertia matrix is made of, for every pair of links.

use crate::reproduce::chain::Link;
use crate::scalar::Scalar;
use crate::spatial::{Mat3, Vec3};
use std::ops::{Index, IndexMut};

/// A 3×3 matrix for every pair of links: `(j, k)` is from the axes of `k` to those of `j`.
#[derive(Clone, Debug)]
pub(super) struct Pairs<S> {
    n: usize,
    cells: Vec<Mat3<S>>,
}

impl<S: Scalar> Pairs<S> {
    fn new(n: usize) -> Self {
        Self { n, cells: vec![Mat3::ZERO; n * n] }
    }
}

impl<S> Index<(usize, usize)> for Pairs<S> {
    type Output = Mat3<S>;
    fn index(&self, (j, k): (usize, usize)) -> &Mat3<S> {
        &self.cells[j * self.n + k]
    }
}

impl<S> IndexMut<(usize, usize)> for Pairs<S> {
    fn index_mut(&mut self, (j, k): (usize, usize)) -> &mut Mat3<S> {
        &mut self.cells[j * self.n + k]
    }
}

/// The sums over links further out, by the paper's letters. Of `right`, the sums for `k+` stand at
/// `(j, k)`; of `both`, those for `j+` and `k+`. What vanishes (ψ, γ of the last link; U for `k+` of
/// the last but one) is never written and never read.
#[derive(Clone, Debug)]
pub(super) struct Sums<S> {
    n: usize,
    /// `^jR_k`.
    pub(super) rotation: Pairs<S>,
    /// `^jr_{Ok/Oj}` for `k ≥ j`, and before that `^jr_{Ok+1/Ok}`.
    positions: Vec<Vec3<S>>,
    reaches: Vec<Vec3<S>>,
    /// Korayem (76).
    pub(super) sigma: Pairs<S>,
    xi: Pairs<S>,
    /// Korayem (77).
    pub(super) psi: Pairs<S>,
    /// Korayem (93).
    pub(super) lambda: Pairs<S>,
    /// Korayem (79).
    pub(super) gamma: Pairs<S>,
    /// Korayem (78).
    pub(super) u: Pairs<S>,
    /// Korayem (88).
    pub(super) v: Pairs<S>,
    /// Korayem (82), (80), (83), (84).
    pub(super) right: Shifted<S>,
    /// Korayem (86), (87), (89), (92).
    pub(super) both: Shifted<S>,
    /// Korayem (90).
    pub(super) left_gamma: Pairs<S>,
}

/// Sums that begin one link further out.
#[derive(Clone, Debug)]
pub(super) struct Shifted<S> {
    pub(super) sigma: Pairs<S>,
    pub(super) xi: Pairs<S>,
    pub(super) psi: Pairs<S>,
    pub(super) u: Pairs<S>,
}

impl<S: Scalar> Shifted<S> {
    fn new(n: usize) -> Self {
        let pairs = || Pairs::new(n);
        Self { sigma: pairs(), xi: pairs(), psi: pairs(), u: pairs() }
    }
}

impl<S: Scalar> Sums<S> {
    pub(super) fn new(n: usize) -> Self {
        let pairs = || Pairs::new(n);
        let mut rotation = pairs();
        for j in 0..n {
            rotation[(j, j)] = Mat3::IDENTITY;
        }
        Self {
            n,
            rotation,
            positions: vec![Vec3::ZERO; n * n],
            reaches: vec![Vec3::ZERO; n * n],
            sigma: pairs(),
            xi: pairs(),
            psi: pairs(),
            lambda: pairs(),
            gamma: pairs(),
            u: pairs(),
            v: pairs(),
            right: Shifted::new(n),
            both: Shifted::new(n),
            left_gamma: pairs(),
        }
    }

    /// Step 7: `^jR_k = ^jR_{k-1} ^{k-1}R_k`.
    pub(super) fn rotate(&mut self, hops: &[Mat3<S>]) {
        for j in 0..self.n {
            for k in j + 1..self.n {
                let all =
                    if k == j + 1 { hops[k] } else { self.rotation[(j, k - 1)].matmul(&hops[k]) };
                self.rotation[(j, k)] = all;
                self.rotation[(k, j)] = all.transpose();
            }
        }
    }

    /// Step 8, loop corrected: `^jr_{Ok/Oj}` for `k > j`.
    pub(super) fn locate(&mut self, links: &[Link<S>]) {
        let n = self.n;
        for i in 0..n - 1 {
            self.reaches[i * n + i] = links[i].reach;
            for j in (0..i).rev() {
                let outer = self.reaches[(j + 1) * n + i];
                self.reaches[j * n + i] = self.rotation[(j, j + 1)] * outer;
            }
        }
        for i in 0..n - 1 {
            self.positions[i * n + i + 1] = self.reaches[i * n + i];
            for j in i + 2..n {
                self.positions[i * n + j] =
                    self.positions[i * n + j - 1] + self.reaches[i * n + j - 1];
            }
        }
    }

    /// `^jr_{Ok/Oj}`, `k > j`.
    pub(super) fn position(&self, j: usize, k: usize) -> Vec3<S> {
        self.positions[j * self.n + k]
    }

    /// Step 9, with the start values that its text lost.
    pub(super) fn add_up(&mut self, links: &[Link<S>]) {
        let n = self.n;
        let r = &self.rotation;
        for k in (0..n).rev() {
            let own = [links[k].inertia, Mat3::cross(links[k].matter.first)];
            let [sigma, xi] = if k == n - 1 {
                own
            } else {
                let inward = &r[(k + 1, k)];
                let [sigma, xi] = [&self.sigma, &self.xi].map(|sum| sum[(k, k + 1)].matmul(inward));
                [own[0] + sigma, own[1] + xi]
            };
            self.sigma[(k, k)] = sigma;
            self.xi[(k, k)] = xi;
            for j in (0..k).rev() {
                let hop = &r[(j, j + 1)];
                let (sigma, xi) =
                    (hop.matmul(&self.sigma[(j + 1, k)]), hop.matmul(&self.xi[(j + 1, k)]));
                self.sigma[(j, k)] = sigma;
                self.sigma[(k, j)] = sigma.transpose();
                self.xi[(j, k)] = xi;
                self.xi[(k, j)] = Mat3::ZERO - xi.transpose();
            }
        }
        // ψ, of all links but the last
        for j in 0..n - 1 {
            self.psi[(j, n - 1)] = self.xi[(j, n - 1)].crossed_by(self.positions[j * n + n - 1]);
            for k in (0..n - 1).rev() {
                let outer = self.psi[(j, k + 1)].matmul(&r[(k + 1, k)]);
                self.psi[(j, k)] = if k > j {
                    let own = r[(j, k)].crossing(links[k].matter.first);
                    outer + own.crossed_by(self.positions[j * n + k])
                } else {
                    outer
                };
            }
        }
        // λ
        let mut carried = S::ZERO;
        for k in (0..n - 1).rev() {
            carried += links[k + 1].matter.mass;
            self.lambda[(k, k)] = Mat3::diagonal(carried);
            for j in (0..k).rev() {
                let lambda = r[(j, j + 1)].matmul(&self.lambda[(j + 1, k)]);
                self.lambda[(j, k)] = lambda;
                self.lambda[(k, j)] = lambda.transpose();
            }
        }
        // γ
        for j in 0..n - 1 {
            for k in (0..n - 1).rev() {
                self.gamma[(j, k)] = if k == n - 2 {
                    self.lambda[(j, k)].crossed_by(self.positions[j * n + n - 1])
                } else {
                    let outer = self.gamma[(j, k + 1)].matmul(&r[(k + 1, k)]);
                    if k < j {
                        outer
                    } else {
                        let moment = self.positions[j * n + k + 1] * links[k + 1].matter.mass;
                        outer + r[(j, k)].crossed_by(moment)
                    }
                };
            }
        }
        // for k+ but U, which needs ξ of them
        for k in 0..n - 1 {
            let inward = &r[(k + 1, k)];
            for j in 0..n {
                self.right.sigma[(j, k)] = self.sigma[(j, k + 1)].matmul(inward);
                self.right.xi[(j, k)] = self.xi[(j, k + 1)].matmul(inward);
                if j < n - 1 {
                    self.right.psi[(j, k)] = self.psi[(j, k + 1)].matmul(inward);
                }
            }
        }
        for j in 0..n {
            for k in (0..n - 1).rev() {
                let xi = self.right.xi[(j, k)];
                let both = if j < n - 1 { self.gamma[(j, k)] + xi } else { xi };
                let own = both.crossing(links[k].reach);
                self.u[(j, k)] =
                    if k == n - 2 { own } else { own + self.u[(j, k + 1)].matmul(&r[(k + 1, k)]) };
            }
            for k in 0..n.saturating_sub(2) {
                self.right.u[(j, k)] = self.u[(j, k + 1)].matmul(&r[(k + 1, k)]);
            }
        }
        // V
        for j in 0..n - 1 {
            for k in (0..n.saturating_sub(2)).rev() {
                let own = self.lambda[(j, k + 1)].crossing(links[k + 1].reach);
                let all = if k == n - 3 { own } else { own + self.v[(j, k + 1)] };
                self.v[(j, k)] = all.matmul(&r[(k + 1, k)]);
            }
        }
        // for j+ and k+
        for j in 0..n - 1 {
            let hop = &r[(j, j + 1)];
            for k in 0..n - 1 {
                self.both.sigma[(j, k)] = hop.matmul(&self.right.sigma[(j + 1, k)]);
                self.both.xi[(j, k)] = hop.matmul(&self.right.xi[(j + 1, k)]);
                if j < n - 2 {
                    self.both.psi[(j, k)] = hop.matmul(&self.right.psi[(j + 1, k)]);
                    self.left_gamma[(j, k)] = hop.matmul(&self.gamma[(j + 1, k)]);
                }
                if k < n - 2 {
                    self.both.u[(j, k)] = hop.matmul(&self.right.u[(j + 1, k)]);
                }
            }
        }
    }
}
