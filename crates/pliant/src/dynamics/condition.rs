//! The condition of the mass matrix.

use super::one_line::EvaluationError;
use crate::Help;
use crate::arm::Arm;
use crate::linear::{cholesky_in_place, symmetric_eigen};
use nalgebra::DMatrix;

/// Beyond this condition accelerations keep three digits or fewer.
const ILL: f64 = 1e13;

/// Where no pivot of the scaled matrix is smaller, its condition is far below.
const CLEAR: f64 = 1e-7;

/// Arms with more free coordinates are not looked at: it would take seconds.
const MOST: usize = 300;

/// A coordinate is involved from this part of the most involved one on, and so many are named.
const INVOLVED: f64 = 0.3;
const NAMED: usize = 4;

/// A mass matrix that is nearly singular: some motion of several coordinates together moves next to
/// nothing of the mass that they move one by one.
///
/// It is `λmax/λmin` of `mᵢⱼ/√(mᵢᵢ mⱼⱼ)` over the coordinates that are not prescribed; scaled like
/// this, units and the sizes of links do not matter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the mass matrix has a condition of {condition:.0e} after scaling: {} moving together take along only {:.0e} of the mass that they move one by one, and accelerations keep hardly a digit",
    coordinates.join(", "),
    1.0 / condition
)]
pub struct IllConditioned {
    /// The condition; no more than what rounding leaves of it, 4.5e15.
    pub condition: f64,
    /// The coordinates that move in that motion, those that move most first.
    pub coordinates: Vec<String>,
}

impl Help for IllConditioned {
    fn help(&self) -> Option<String> {
        Some(
            "give what lies between these joints mass or inertia that is not lost beside the rest, or a joint armature; fix or prescribe one of them, or leave out shapes that are nearly alike".into(),
        )
    }
}

impl Arm {
    /// Whether the mass matrix at `q` is ill-conditioned: beyond 1e13 after scaling. Arms with more
    /// than 300 free coordinates are not looked at, nor are coordinates that move no mass at all.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    ///
    /// let turn = || Joint::revolute([0.0, 0.0, 1.0]);
    /// let arm = |inertia: f64| {
    ///     Builder::new("coaxial")
    ///         .link(Link::new("ring").joint(turn()).armature(&[inertia]))
    ///         .link(Link::new("bob").joint(turn()).payload(1.0, [1.0, 0.0, 0.0]))
    ///         .build()
    /// };
    /// assert_eq!(arm(1e-3)?.ill_conditioned(&[0.0, 0.0])?, None);
    /// let found = arm(1e-13)?.ill_conditioned(&[0.0, 0.0])?.ok_or("nothing found")?;
    /// assert_eq!(found.coordinates.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ill_conditioned(&self, q: &[f64]) -> Result<Option<IllConditioned>, EvaluationError> {
        let mass = self.mass_matrix(q)?;
        let moves = |&v: &usize| mass[(v, v)] > 0.0 && mass[(v, v)].is_finite();
        let free: Vec<usize> = self.free_velocities().iter().copied().filter(moves).collect();
        if free.len() > MOST {
            return Ok(None);
        }
        let scaled = DMatrix::from_fn(free.len(), free.len(), |i, j| {
            let (i, j) = (free[i], free[j]);
            mass[(i, j)] / (mass[(i, i)] * mass[(j, j)]).sqrt()
        });
        let mut factor = scaled.clone();
        let is_clear = cholesky_in_place(&mut factor).is_ok()
            && factor.diagonal().iter().all(|pivot| pivot * pivot > CLEAR);
        if is_clear {
            return Ok(None);
        }
        let eigen = symmetric_eigen(&scaled);
        let (largest, least) = (eigen.eigenvalues.max(), eigen.eigenvalues.imin());
        let smallest = eigen.eigenvalues[least].max(f64::EPSILON * largest);
        let condition = largest / smallest;
        if condition.is_nan() || condition <= ILL {
            return Ok(None);
        }
        let part = |i: usize| eigen.eigenvectors[(i, least)].abs();
        let mut involved: Vec<usize> = (0..free.len()).collect();
        involved.sort_by(|&a, &b| part(b).total_cmp(&part(a)));
        let most = part(involved[0]);
        involved.retain(|&i| part(i) >= INVOLVED * most);
        let names = involved.iter().take(NAMED).map(|&i| self.velocity_names()[free[i]].clone());
        Ok(Some(IllConditioned { condition, coordinates: names.collect() }))
    }
}

#[cfg(test)]
mod tests {
    use crate::arm::{Arm, Builder, Joint, Link};

    /// Two joints about one axis with an inertia `e` times that of the outer link between them.
    fn coaxial(e: f64, inertia: f64, prescribed: bool) -> Arm {
        let turn = || Joint::revolute([0.0, 0.0, 1.0]);
        let ring = Link::new("ring").joint(turn()).armature(&[e * inertia]);
        let ring = if prescribed { ring.prescribed() } else { ring };
        let bob = Link::new("bob").joint(turn()).payload(inertia, [1.0, 0.0, 0.0]);
        Builder::new("coaxial").link(ring).link(bob).build().expect("a good arm")
    }

    /// Scaled it is `[1 c; c 1]` with `c = 1/√(1+e)`: the condition is `(1+c)/(1-c)`, whatever the
    /// inertia.
    #[test]
    fn the_condition_is_that_of_the_scaled_matrix() {
        for inertia in [1.0, 1e-9, 1e12] {
            let found = |e: f64| coaxial(e, inertia, false).ill_conditioned(&[0.1, 0.2]);
            assert_eq!(found(1e-12), Ok(None), "{inertia}");
            let ill = found(1e-13).expect("a state").expect("4e13");
            assert!((ill.condition / 4e13 - 1.0).abs() < 0.02, "{ill:?}");
            assert_eq!(ill.coordinates.len(), 2);
            let singular = found(0.0).expect("a state").expect("no bound");
            assert!(singular.condition > 1e15, "{singular:?}");
        }
        // nor does it matter that links differ in size
        let turn = || Joint::revolute([0.0, 0.0, 1.0]);
        let link = |name: &str, mass: f64| {
            Link::new(name).on_ground().joint(turn()).payload(mass, [1.0, 0.0, 0.0])
        };
        let apart = Builder::new("apart").link(link("gnat", 1e-9)).link(link("whale", 1e9));
        assert_eq!(apart.build().expect("a good arm").ill_conditioned(&[0.0, 0.0]), Ok(None));
        // what is prescribed has no acceleration to lose
        assert_eq!(coaxial(1e-13, 1.0, true).ill_conditioned(&[0.0, 0.0]), Ok(None));
    }
}
