//! Eigenvalues of a moving arm, frozen at an instant, with the energies and actions of its modes.
//!
//! Frozen eigenvalues do not decide whether vibrations of a moving arm grow: in the extension of a
//! link that slides their real parts are negative and the amplitude grows, in retraction the
//! opposite. Energy and action `E/ω` of each mode therefore stand beside them.

use super::error::AnalysisError;
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::linear::eigen::{self, Spectrum};
use crate::linear::{eigenvalues, eigenvector, symmetric};
use crate::spatial::Vec3;
use nalgebra::{Complex, DMatrix, DVector};

/// How the joints move while the links vibrate; lengths of sliding links are joints too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joints {
    /// As they are told to, whatever the links do. A law that decouples the joints makes them so:
    /// Theodore (35), (36).
    #[default]
    Prescribed,
    /// Freely, their motors giving what they give; prescribed joints as they are told.
    Free,
}

/// A vibration mode of a moving arm, frozen at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Vibration {
    /// A pair of conjugate eigenvalues, that with the positive imaginary part first, or two real
    /// ones (1/s).
    pub eigenvalues: [Complex<f64>; 2],
    /// The natural frequency without speed and damping (rad/s); 0 where no spring acts.
    pub frequency: f64,
    /// The energy in this shape (J), about the deflection that the motion holds by itself.
    pub energy: f64,
    /// The action `E/ω` (J s), which a slow change of the arm leaves as it is; none without `ω`.
    pub action: Option<f64>,
    /// The velocity coordinate with the largest share of the kinetic energy.
    pub dominant: usize,
    /// The rates of all velocity coordinates in this shape, and the momenta that belong to them;
    /// their product is 1.
    pub shape: [DVector<f64>; 2],
}

impl Arm<f64> {
    /// The vibration modes of the modal coordinates, frozen at an instant of a motion with the
    /// accelerations `ud`, from the lowest frequency.
    ///
    /// Neighbouring motions obey `M ẍ + (∂τ/∂u) ẋ + (∂τ/∂q) x = 0`, `τ` the forces of inverse
    /// dynamics, in the coordinates that are left to move; the eigenvalues are those of this
    /// equation. With [`Joints::Prescribed`] they are the closed-loop eigenvalues of the flexible
    /// variables of Theodore (39).
    pub fn vibrations(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
        joints: Joints,
    ) -> Result<Vec<Vibration>, AnalysisError> {
        let chosen = self.left_to_move(joints);
        let own = |matrix: &DMatrix<f64>| matrix.select_rows(&chosen).select_columns(&chosen);
        let slopes = self.inverse_derivatives(q, u, ud)?;
        let (mut spectrum, mass) = self.elastic_spectrum(q, &chosen)?;
        part_equals(&mut spectrum);
        let shapes = &spectrum.vectors;
        let frequencies: Vec<f64> = (0..chosen.len()).map(|k| spectrum.frequency(k)).collect();

        // in modal coordinates, velocities over the frequencies: nothing large beside small
        let modal = |matrix: &DMatrix<f64>| shapes.transpose() * own(matrix) * shapes;
        let n = chosen.len();
        let scale = |k: usize| if frequencies[k] > 0.0 { frequencies[k] } else { 1.0 };
        let (stiffness, damping) = (modal(&slopes.by_q), modal(&slopes.by_u));
        let system = DMatrix::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
            (true, true) => 0.0,
            (true, false) => {
                if i == j - n {
                    scale(i)
                } else {
                    0.0
                }
            }
            (false, true) => -stiffness[(i - n, j)] / scale(i - n),
            (false, false) => -damping[(i - n, j - n)] * scale(j - n) / scale(i - n),
        });
        let pairs = pairs_of(&system, &frequencies).ok_or(AnalysisError::NoEigenvalues)?;

        let [position, momentum] = self.deviation(q, u, ud, &chosen)?;
        let whole = |part: DVector<f64>| {
            let mut all = DVector::zeros(self.nv());
            for (&v, x) in chosen.iter().zip(part.iter()) {
                all[v] = *x;
            }
            all
        };
        let of_mode = |(k, eigenvalues): (usize, [Complex<f64>; 2])| {
            let (shape, frequency) = (shapes.column(k), frequencies[k]);
            let rate = shape.dot(&momentum);
            let pull = if frequency > 0.0 { shape.dot(&position) / frequency } else { 0.0 };
            let energy = 0.5 * (rate * rate + pull * pull);
            Vibration {
                eigenvalues,
                frequency,
                energy,
                action: (frequency > 0.0).then(|| energy / frequency),
                dominant: chosen[shape.component_mul(&(&mass * shape)).iamax()],
                shape: [whole(shape.into_owned()), whole(&mass * shape)],
            }
        };
        Ok(pairs.into_iter().enumerate().map(of_mode).collect())
    }

    /// The velocity coordinates of bending and of hinges and, where joints are free, of those.
    fn left_to_move(&self, joints: Joints) -> Vec<usize> {
        let mut chosen = Vec::new();
        for link in 0..self.body_count() {
            if self.is_hinge(link) {
                chosen.extend(self.velocities_of(link));
            } else if joints == Joints::Free {
                chosen.extend(self.drives_of(link));
            }
            chosen.extend(self.bending_of(link).1);
        }
        chosen
    }

    /// The natural frequencies and shapes of some coordinates on the springs and beams alone, all
    /// others held, and their mass matrix.
    pub(crate) fn elastic_spectrum(
        &self,
        q: &[f64],
        chosen: &[usize],
    ) -> Result<(Spectrum, DMatrix<f64>), EvaluationError> {
        let rest = vec![0.0; self.nv()];
        let own = |matrix: &DMatrix<f64>| matrix.select_rows(chosen).select_columns(chosen);
        let weightless = self.clone().with_gravity(Vec3::ZERO);
        let slopes = weightless.inverse_derivatives(q, &rest, &rest)?;
        let mass = own(&slopes.by_ud);
        let spectrum = eigen::solve(&symmetric(&own(&slopes.by_q)), &mass);
        let spectrum = spectrum.map_err(|singular| EvaluationError::SingularMassMatrix {
            coordinate: self.velocity_names()[chosen[singular.row]].clone(),
        })?;
        Ok((spectrum, mass))
    }

    /// The elastic forces beyond those of the deflection that the motion holds by itself, and the
    /// momenta beyond those of it, of some coordinates. To the latter belongs how the shapes of
    /// links that slide follow their length, not how these links slide.
    fn deviation(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
        chosen: &[usize],
    ) -> Result<[DVector<f64>; 2], AnalysisError> {
        let bending: Vec<usize> = self.left_to_move(Joints::Prescribed);
        let weightless = self.clone().with_gravity(Vec3::ZERO);
        let held = self.held(&weightless, [q, u, ud], &bending)?;
        // its rate by the way of the motion, one-sided at the end of a stroke
        let ahead = |time: f64| {
            let mut there = q.to_vec();
            self.displace(&mut there, &u.iter().map(|u| time * u).collect::<Vec<_>>());
            let then: Vec<f64> = u.iter().zip(ud).map(|(u, ud)| u + time * ud).collect();
            self.held(&weightless, [&there, &then, ud], &bending).ok()
        };
        let rate = match [ahead(HELD_STEP), ahead(-HELD_STEP)] {
            [Some(after), Some(before)] => {
                (after.deflection - before.deflection) / (2.0 * HELD_STEP)
            }
            [Some(after), None] => (after.deflection - &held.deflection) / HELD_STEP,
            [None, Some(before)] => (&held.deflection - before.deflection) / HELD_STEP,
            [None, None] => DVector::zeros(bending.len()),
        };
        let given = self.inverse_dynamics(q, u, ud)?;
        let force = self.elastic_forces(q)? + held.needed - given;

        let mut there = held.straight;
        let mut steady = DVector::zeros(self.nv());
        for (k, &v) in bending.iter().enumerate() {
            if let Some(coordinate) = self.coordinate_of(v) {
                there[coordinate] += held.deflection[k];
            }
            steady[v] = rate[k];
        }
        let mut own = DVector::zeros(self.nv());
        for &v in chosen {
            own[v] = u[v];
        }
        for (_, v) in (0..self.body_count()).filter_map(|link| self.length_of(link)) {
            (own[v], steady[v]) = (u[v], u[v]);
        }
        let momenta = self.mass_matrix(q)? * own - self.mass_matrix(&there)? * steady;
        Ok([force, momenta].map(|all| all.select_rows(chosen)))
    }

    /// The deflection that the motion holds by itself: to first order, about the undeformed arm.
    fn held(
        &self,
        weightless: &Self,
        [q, u, ud]: [&[f64]; 3],
        bending: &[usize],
    ) -> Result<Held, AnalysisError> {
        let (mut straight, mut steady, mut carried) = (q.to_vec(), u.to_vec(), ud.to_vec());
        let neutral = self.neutral();
        for link in 0..self.body_count() {
            let at = self.deforming_of(link);
            straight[at.clone()].copy_from_slice(&neutral[at]);
        }
        for &v in bending {
            (steady[v], carried[v]) = (0.0, 0.0);
        }
        let rest = self.elastic_forces(&straight)?;
        let needed = self.inverse_dynamics(&straight, &steady, &carried)? - rest;
        let still = vec![0.0; self.nv()];
        let stiffness = weightless.inverse_derivatives(&straight, &still, &still)?.by_q;
        let stiffness = stiffness.select_rows(bending).select_columns(bending);
        let deflection = symmetric(&stiffness).lu().solve(&needed.select_rows(bending));
        let deflection = -deflection.unwrap_or_else(|| DVector::zeros(bending.len()));
        Ok(Held { straight, needed, deflection })
    }
}

/// How long before and after an instant the held deflection is looked at for its rate (s).
const HELD_STEP: f64 = 1e-4;

/// What a motion holds deflected.
struct Held {
    /// The undeformed arm.
    straight: Vec<f64>,
    /// What its motion needs without springs.
    needed: DVector<f64>,
    /// Of the coordinates that bend.
    deflection: DVector<f64>,
}

/// Turns shapes of equal frequency into one another until each has a coordinate of its own: else
/// which of them they are would be chance.
fn part_equals(spectrum: &mut Spectrum) {
    let n = spectrum.values.len();
    let mut first = 0;
    while first < n {
        let value = spectrum.values[first];
        let equal = |k: &usize| (spectrum.values[*k] - value).abs() <= 1e-9 * value.abs();
        let end = (first..n).take_while(equal).last().map_or(first + 1, |last| last + 1);
        for from in first..end {
            // the row that is largest in what is left
            let size =
                |row: usize| (from..end).map(|k| spectrum.vectors[(row, k)].powi(2)).sum::<f64>();
            let Some(row) = (0..n).max_by(|a, b| size(*a).total_cmp(&size(*b))) else { break };
            for other in from + 1..end {
                let (a, b) = (spectrum.vectors[(row, from)], spectrum.vectors[(row, other)]);
                let length = a.hypot(b);
                if length > 0.0 {
                    let (cos, sin) = (a / length, b / length);
                    for i in 0..n {
                        let (x, y) = (spectrum.vectors[(i, from)], spectrum.vectors[(i, other)]);
                        spectrum.vectors[(i, from)] = cos * x + sin * y;
                        spectrum.vectors[(i, other)] = cos * y - sin * x;
                    }
                }
            }
        }
        first = end;
    }
}

/// The eigenvalues of a real matrix in pairs, each beside the mode that has most of its vector. The
/// state is modal coordinates, then their rates over the frequencies.
fn pairs_of(matrix: &DMatrix<f64>, frequencies: &[f64]) -> Option<Vec<[Complex<f64>; 2]>> {
    let n = frequencies.len();
    if n == 0 {
        return Some(Vec::new());
    }
    let all = eigenvalues(matrix)?;
    // how much of a vector is in each mode, by energy
    let shares = |value: Complex<f64>| {
        let vector = eigenvector(matrix, value);
        let size = |k: usize| vector[k].norm_sqr() + vector[n + k].norm_sqr();
        (0..n).map(|k| size(k) * frequencies[k].max(1.0).powi(2)).collect::<Vec<f64>>()
    };
    let mut found: Vec<Vec<Complex<f64>>> = vec![Vec::new(); n];
    // conjugate pairs fill a mode, and real ones what is left
    for pick in [|value: &Complex<f64>| value.im > 0.0, |value: &Complex<f64>| value.im == 0.0] {
        let mut wishes: Vec<(usize, Complex<f64>, Vec<f64>)> = Vec::new();
        for (i, value) in all.iter().copied().filter(pick).enumerate() {
            wishes.push((i, value, shares(value)));
        }
        while !wishes.is_empty() {
            let room = |k: usize, value: &Complex<f64>| {
                found[k].is_empty() || (value.im == 0.0 && found[k].len() == 1)
            };
            let mut best: Option<(usize, usize, f64)> = None;
            for (at, (_, value, shares)) in wishes.iter().enumerate() {
                let total: f64 = shares.iter().sum();
                for (k, share) in shares.iter().enumerate().filter(|(k, _)| room(*k, value)) {
                    let part = share / total.max(f64::MIN_POSITIVE);
                    if best.is_none_or(|(.., most)| part > most) {
                        best = Some((at, k, part));
                    }
                }
            }
            let (at, mode, _) = best?;
            let (_, value, _) = wishes.swap_remove(at);
            found[mode].push(value);
            if value.im > 0.0 {
                found[mode].push(value.conj());
            }
        }
    }
    found.into_iter().map(|pair| <[Complex<f64>; 2]>::try_from(pair).ok()).collect()
}
