//! Step 10: the inertia matrix.

use super::Workspace;
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Mat3, Vec3};

/// The inertia matrix, written entry by entry.
struct Symmetric<'a, S> {
    entries: &'a mut [S],
    n: usize,
}

impl<S: Scalar> Symmetric<'_, S> {
    /// An entry and its mirror image.
    fn set(&mut self, row: usize, column: usize, value: S) {
        self.entries[row * self.n + column] = value;
        self.entries[column * self.n + row] = value;
    }
}

impl<S: Scalar> Workspace<S> {
    /// All entries.
    pub(super) fn assemble_inertia(&mut self, arm: &Arm<S>, mass: &mut [S]) {
        let n = arm.nv();
        assert_eq!(mass.len(), n * n, "the mass matrix has nv × nv = {n} × {n} entries");
        let mut mass = Symmetric { entries: mass, n };
        self.joints_by_joints(&mut mass);
        self.joints_by_bending(&mut mass);
        self.bending_by_bending(arm, &mut mass);
    }

    /// Korayem (75).
    fn joints_by_joints(&self, mass: &mut Symmetric<'_, S>) {
        let (sums, last) = (&self.sums, self.links.len() - 1);
        for j in 0..=last {
            for k in j..=last {
                let (Some(row), Some(column)) = (self.joints[j], self.joints[k]) else { continue };
                let sum = match (j, k) {
                    _ if k < last => sums.sigma[(j, k)] - sums.psi[(j, k)] - sums.u[(j, k)],
                    _ if j < last => sums.sigma[(j, k)] - sums.psi[(j, k)],
                    _ => sums.sigma[(j, k)],
                };
                mass.set(row, column, sum.columns[2].z);
            }
        }
    }

    /// Korayem (81).
    fn joints_by_bending(&mut self, mass: &mut Symmetric<'_, S>) {
        let last = self.links.len() - 1;
        let of_last = self.links[last].modes.len();
        for j in 0..=last {
            for k in 0..=last {
                for t in 0..self.links[k].modes.len() {
                    let mode = &self.links[k].modes[t];
                    let moment = if k == last {
                        let own = if j == last { mode.arm } else { self.own(j, k, t) };
                        self.last[j * of_last + t] = own;
                        own
                    } else {
                        let carried = self.carried(j, k, t);
                        match j {
                            _ if j > k => carried,
                            _ if j == k => carried + mode.arm,
                            _ => carried + self.own(j, k, t),
                        }
                    };
                    if let Some(row) = self.joints[j] {
                        mass.set(row, self.modal_at[k] + t, moment.z);
                    }
                }
            }
        }
    }

    /// `(σ − ψ − U) θ + (ξ + γ) r`: the moment about link `j` by what link `k < n` carries, per
    /// acceleration of its shape `t`.
    fn carried(&self, j: usize, k: usize, t: usize) -> Vec3<S> {
        let (sums, last) = (&self.sums, self.links.len() - 1);
        let mode = &self.links[k].modes[t];
        let mut by_turn = sums.right.sigma[(j, k)];
        let mut by_shift = sums.right.xi[(j, k)];
        if j < last {
            by_turn = by_turn - sums.right.psi[(j, k)];
            by_shift = by_shift + sums.gamma[(j, k)];
        }
        if k + 1 < last {
            by_turn = by_turn - sums.right.u[(j, k)];
        }
        by_turn * mode.turn + by_shift * mode.shift
    }

    /// `^jR_k α + ^jr × ^jR_k ε`: the moment about link `j` by link `k > j` itself.
    fn own(&self, j: usize, k: usize, t: usize) -> Vec3<S> {
        let (rotation, mode) = (&self.sums.rotation[(j, k)], &self.links[k].modes[t]);
        *rotation * mode.arm + self.sums.position(j, k).cross(*rotation * mode.first)
    }

    /// Korayem (85), corrected.
    fn bending_by_bending(&self, arm: &Arm<S>, mass: &mut Symmetric<'_, S>) {
        let last = self.links.len() - 1;
        for j in 0..=last {
            for k in j..=last {
                for f in 0..self.links[j].modes.len() {
                    for t in 0..self.links[k].modes.len() {
                        let entry = match (j, k) {
                            _ if k == j => {
                                let own = modal_mass(arm, j, f, t);
                                if j < last { self.bent(j, k, f, t) + own } else { own }
                            }
                            _ if k < last => self.bent(j, k, f, t),
                            _ => self.bent_last(j, f, t),
                        };
                        let (row, column) = (self.modal_at[j] + f, self.modal_at[k] + t);
                        // within a link both orders are computed
                        if k > j || f <= t {
                            mass.set(row, column, entry);
                        }
                    }
                }
            }
        }
    }

    /// An entry of two links before the last, without the modal mass of one.
    fn bent(&self, j: usize, k: usize, f: usize, t: usize) -> S {
        let (sums, last) = (&self.sums, self.links.len() - 1);
        let (row, column) = (&self.links[j].modes[f], &self.links[k].modes[t]);
        let mut by_turn = sums.both.sigma[(j, k)];
        let mut by_shift = sums.both.xi[(j, k)];
        let mut across: Mat3<S> = sums.both.xi[(j, k)];
        if j + 1 < last {
            by_shift = by_shift + sums.left_gamma[(j, k)];
            by_turn = by_turn - sums.both.psi[(j, k)];
        }
        if k + 1 < last {
            by_turn = by_turn - sums.both.u[(j, k)];
            across = across + sums.v[(j, k)];
        }
        let mut moment = by_shift * column.shift + by_turn * column.turn;
        let mut force = across * column.turn - sums.lambda[(j, k)] * column.shift;
        if k > j {
            let rotation = &sums.rotation[(j, k)];
            let outer = sums.rotation[(j + 1, k)] * column.first;
            // O_k from O_{j+1}, no arm at all when they are one
            let arm = sums.position(j + 1, k).cross(outer);
            moment = moment + *rotation * column.arm + sums.rotation[(j, j + 1)] * arm;
            force -= *rotation * column.first;
        }
        row.turn.dot(moment) - row.shift.dot(force)
    }

    /// An entry of a link and the last one, from the moments that the joints' rows already have.
    fn bent_last(&self, j: usize, f: usize, t: usize) -> S {
        let (sums, last) = (&self.sums, self.links.len() - 1);
        let (row, column) = (&self.links[j].modes[f], &self.links[last].modes[t]);
        let moment = self.last[(j + 1) * self.links[last].modes.len() + t];
        row.turn.dot(sums.rotation[(j, j + 1)] * moment)
            + row.shift.dot(sums.rotation[(j, last)] * column.first)
    }
}

/// `^sc_jft`: Korayem (37).
fn modal_mass<S: Scalar>(arm: &Arm<S>, link: usize, f: usize, t: usize) -> S {
    let bend = arm.bodies[link].bend;
    bend.map_or(S::ZERO, |bend| arm.flexible_bodies[bend].flexible.modal_mass(f, t))
}
