//! Eigenvalues of an arm in motion, frozen at an instant, beside what they do not tell.
//!
//! Frozen eigenvalues do not decide whether vibrations of a moving arm grow: in the extension of a
//! link that slides their real parts are negative and the amplitude grows, in retraction the
//! opposite. Energy and action `E/ω` of each mode therefore stand beside them.

use super::eigen::{self, Spectrum};
use super::error::AnalysisError;
use super::statics::symmetric;
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::spatial::Vec3;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// How the joints move while the links vibrate. Lengths of links that slide go on as they do in
/// the motion: freeing them changes nothing to first order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joints {
    /// As they are told to, whatever the links do. A law that decouples the joints makes them so:
    /// Theodore (35), (36).
    #[default]
    Prescribed,
    /// Freely, their motors giving what they give; prescribed joints as they are told.
    Free,
}

/// A vibration of an arm that moves, frozen at an instant.
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
    /// The velocity coordinate with the largest part of the kinetic energy.
    pub dominant: usize,
}

/// How often an iteration may go round for each eigenvalue.
const ROUNDS: usize = 100;

impl Arm<f64> {
    /// The vibrations of the coordinates that bend an arm, frozen at an instant of a motion with
    /// the accelerations `ud`, from the slowest to the fastest.
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
        let (spectrum, mass) = self.elastic_spectrum(q, &chosen)?;
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
        let pairs = pairs_of(system).ok_or(AnalysisError::NoEigenvalues)?;

        let [position, momentum] = self.deviation(q, u, ud, &chosen)?;
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
            }
        };
        Ok(pairs.into_iter().enumerate().map(of_mode).collect())
    }

    /// The velocity coordinates of bending and of hinges and, where joints are free, of those.
    fn left_to_move(&self, joints: Joints) -> Vec<usize> {
        let mut chosen = Vec::new();
        for link in 0..self.body_count() {
            let moves = match joints {
                Joints::Prescribed => self.is_hinge(link),
                Joints::Free => !self.is_prescribed(link),
            };
            if moves {
                chosen.extend(self.velocities_of(link));
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

    /// The elastic forces beyond those that the motion of the undeformed arm needs, and the momenta
    /// of vibration, of some coordinates. To the latter belongs how the shapes of links that slide
    /// follow their length, not how these links slide.
    fn deviation(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
        chosen: &[usize],
    ) -> Result<[DVector<f64>; 2], EvaluationError> {
        let (mut straight, mut steady, mut carried) = (q.to_vec(), u.to_vec(), ud.to_vec());
        let neutral = self.neutral();
        for link in 0..self.body_count() {
            let (at, moving) = if self.is_hinge(link) {
                (self.configuration_of(link), self.velocities_of(link))
            } else {
                self.bending_of(link)
            };
            straight[at.clone()].copy_from_slice(&neutral[at]);
            steady[moving].fill(0.0);
        }
        for &v in chosen {
            carried[v] = 0.0;
        }
        let given = self.inverse_dynamics(q, u, ud)?;
        let needed = self.inverse_dynamics(&straight, &steady, &carried)?;
        let rest = self.elastic_forces(&straight)?;
        let force = self.elastic_forces(q)? + needed - rest - given;

        let (bent, unbent) = (self.mass_matrix(q)?, self.mass_matrix(&straight)?);
        let mut lengths = DVector::zeros(self.nv());
        for (_, v) in (0..self.body_count()).filter_map(|link| self.length_of(link)) {
            lengths[v] = u[v];
        }
        let mut own = DVector::zeros(self.nv());
        for &v in chosen {
            own[v] = u[v];
        }
        let momenta = &bent * (own + &lengths) - unbent * lengths;
        Ok([force, momenta].map(|all| all.select_rows(chosen)))
    }
}

/// The eigenvalues of a real matrix in pairs, from the smallest to the largest.
fn pairs_of(matrix: DMatrix<f64>) -> Option<Vec<[Complex<f64>; 2]>> {
    if matrix.is_empty() {
        return Some(Vec::new());
    }
    if matrix.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let rounds = ROUNDS * matrix.nrows();
    let all = Schur::try_new(matrix, f64::EPSILON, rounds)?.complex_eigenvalues();
    let by_size = |a: &Complex<f64>, b: &Complex<f64>| a.norm().total_cmp(&b.norm());
    let mut real: Vec<_> = all.iter().copied().filter(|value| value.im == 0.0).collect();
    real.sort_by(by_size);
    let upper = all.iter().filter(|value| value.im > 0.0);
    let mut pairs: Vec<_> = upper.map(|value| [*value, value.conj()]).collect();
    pairs.extend(real.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
    pairs.sort_by(|a, b| by_size(&a[0], &b[0]));
    Some(pairs)
}
