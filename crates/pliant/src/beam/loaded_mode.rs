//! Bending modes of a beam with a load at its tip, as its length changes.

use super::clamped_mass;
use super::normalised::Table;
use super::slide::Scale;
use crate::scalar::{Jet, Number, Scalar, cosine, sine};

/// A bending mode of the uniform beam of length `l`, clamped at `η = 0` with a load at `η = 1`:
/// `ψ = C [cos βη − cosh βη + ν (sin βη − sinh βη)]`, Theodore (6), (7). `β` is a root of the
/// frequency equation (9), which follows the length; [`Jet`]s are here functions of the length,
/// with their two derivatives.
#[derive(Clone, Copy, Debug)]
pub struct LoadedMode {
    length: f64,
    beta: Jet,
    nu: Jet,
    /// `(1 + ν) e^β`, which stays of order one.
    growing: Jet,
    factor: Jet,
}

impl LoadedMode {
    /// The `k`-th mode, `k = 1, 2, …`, of a beam of this length (m) and mass per length (kg/m),
    /// with a mass (kg) and a moment of inertia (kg m²) at its tip; the root is found by scanning
    /// for changes of sign.
    pub fn new(k: usize, length: f64, rho_a: f64, [mass, inertia]: [f64; 2], scale: Scale) -> Self {
        let (m, j) = (mass / (rho_a * length), inertia / (rho_a * length.powi(3)));
        let beta = clamped_mass::bending_root(k, m, j);
        Self::at_root(beta, length, rho_a, [mass, inertia], scale)
    }

    /// The mode whose wave number is known, for instance by integrating its derivative
    /// [`LoadedMode::beta`] along a motion: Theodore (11).
    pub fn at_root(
        beta: f64,
        length: f64,
        rho_a: f64,
        [mass, inertia]: [f64; 2],
        scale: Scale,
    ) -> Self {
        let l = Jet::time(length);
        let (m, j) = (mass / (rho_a * length), inertia / (rho_a * length.powi(3)));
        let [rate, acceleration] = clamped_mass::root_derivatives(beta, length, [m, j]);
        let beta = Jet { value: beta, rate, acceleration };
        let constant = Jet::constant;
        let half = constant(0.5);
        // everything times e^{−β}
        let decay = (-beta).apply(exponential);
        let (sin, cos) = (beta.apply(sine), beta.apply(cosine));
        let (cosh, sinh) = (half + half * decay * decay, half - half * decay * decay);
        let mb = constant(mass / rho_a) / l * beta;
        let below = cos * decay + cosh - mb * (sin * decay - sinh);
        let nu = (sin * decay - sinh + mb * (cos * decay - cosh)) / below;
        let growing = (sin + cos + decay + mb * (cos - sin - decay)) / below;
        let mut mode = Self { length, beta, nu, growing, factor: constant(1.0) };
        if scale == Scale::Tip {
            mode.factor = constant(1.0) / mode.derivative(1.0, 0);
        }
        mode
    }

    /// `β`, with its derivatives by the length (1/m, 1/m²).
    pub fn beta(&self) -> Jet {
        self.beta
    }

    /// `ν`, with its derivatives by the length.
    pub fn nu(&self) -> Jet {
        self.nu
    }

    /// The `order`-th derivative of `ψ` by `η` at a place, with its derivatives by the length.
    pub fn derivative(&self, eta: f64, order: u8) -> Jet {
        let steep = (0..order).fold(self.factor, |factor, _| factor * self.beta);
        steep * self.terms(eta).of_order(self.nu, order)
    }

    /// What all derivatives at a place are made of.
    fn terms(&self, eta: f64) -> Terms {
        let constant = Jet::constant;
        let x = self.beta * constant(eta);
        let (sin, cos) = Scalar::sin_cos(x.value);
        let half = constant(0.5);
        Terms {
            sin: x.apply(|_| [sin, cos, -sin]),
            cos: x.apply(|_| [cos, -sin, -cos]),
            growing: half * self.growing * (self.beta * constant(eta - 1.0)).apply(exponential),
            falling: half * (constant(1.0) - self.nu) * (-x).apply(exponential),
        }
    }

    /// `ψ` at a place as a table of derivatives.
    pub(super) fn table(&self, eta: f64) -> Table {
        let mut table = [[0.0; 4]; 3];
        let (terms, mut steep) = (self.terms(eta), self.factor);
        for (column, order) in (0..4).enumerate() {
            let Jet { value, rate, acceleration } = steep * terms.of_order(self.nu, order);
            table[0][column] = value;
            table[1][column] = self.length * rate;
            table[2][column] = self.length * self.length * acceleration;
            steep = steep * self.beta;
        }
        table
    }
}

/// `sin βη`, `cos βη`, `½(1 + ν) e^{βη}` and `½(1 − ν) e^{−βη}`.
struct Terms {
    sin: Jet,
    cos: Jet,
    growing: Jet,
    falling: Jet,
}

impl Terms {
    /// The `order`-th derivative of `ψ` by `βη`, without its factor.
    fn of_order(&self, nu: Jet, order: u8) -> Jet {
        let &Self { sin, cos, growing, falling } = self;
        let wave = match order % 4 {
            0 => cos + nu * sin,
            1 => nu * cos - sin,
            2 => -cos - nu * sin,
            _ => sin - nu * cos,
        };
        let falling = if order.is_multiple_of(2) { falling } else { -falling };
        wave - growing - falling
    }
}

fn exponential(x: f64) -> [f64; 3] {
    [x.exp(); 3]
}
