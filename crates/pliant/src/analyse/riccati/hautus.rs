//! Which modes are uncontrollable or unobservable: the test of Hautus (1969).

use super::first::Scaled;
use super::{RankDeficiency, RiccatiError, TimeDomain, is_stable};
use crate::linear::{C, eigenvalues, singular};
use nalgebra::DMatrix;

/// Singular values below this part of the matrices' size are zero.
const ZERO: f64 = 1e-11;
/// Modes this near to the border, relative to the fastest, count as not dying out.
const BORDER: f64 = 1e-10;

/// Refuses a mode that does not die out and that no input moves, or that `Q` does not see.
pub(super) fn check(time: TimeDomain, system: &Scaled) -> Result<(), RiccatiError> {
    let Some(modes) = eigenvalues(&system.a) else {
        return Err(RiccatiError::NotConverged { residual: f64::INFINITY });
    };
    let fastest = modes.iter().map(|mode| mode.norm()).fold(0.0, f64::max);
    let stays = |mode: &&C| {
        let nearer = match time {
            TimeDomain::Continuous => **mode + C::from(BORDER * fastest),
            TimeDomain::Discrete => **mode * (1.0 + BORDER),
        };
        mode.im >= 0.0 && !is_stable(time, nearer)
    };
    for &mode in modes.iter().filter(stays) {
        if is_hidden(mode, &system.a, &system.b) {
            return Err(RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Inputs });
        }
        if is_hidden(mode, &system.a.transpose(), &system.q) {
            return Err(RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Weight });
        }
    }
    Ok(())
}

/// Whether `(A − λ  B)` has lost a rank. The columns of `B` are brought to the size of `A`: what
/// counts is where an input pushes, not in which unit it is given.
fn is_hidden(mode: C, a: &DMatrix<f64>, b: &DMatrix<f64>) -> bool {
    let n = a.nrows();
    let size = a.amax().max(mode.norm());
    let size = if size > 0.0 { size } else { 1.0 };
    let largest = b.amax();
    let mut both: DMatrix<C> = DMatrix::zeros(n, n + b.ncols());
    for i in 0..n {
        for j in 0..n {
            both[(i, j)] = C::from(a[(i, j)] / size);
        }
        both[(i, i)] -= mode / size;
        for j in 0..b.ncols() {
            both[(i, n + j)] = C::from(if largest > 0.0 { b[(i, j)] / largest } else { 0.0 });
        }
    }
    let least = singular(&both).and_then(|parts| parts.singular_values.iter().next_back().copied());
    least.is_some_and(|least| least < ZERO)
}
