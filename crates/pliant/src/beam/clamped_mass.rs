//! The wave numbers of a uniform beam clamped at the root with a mass at the tip.
//!
//! They are the roots of the frequency equation `f = A − MβB − Jβ³E + MJβ⁴F = 0`, Theodore (10),
//! its tip conditions corrected; `M` and `J` are mass and inertia of the load, per `ρAL` and
//! `ρAL³`. Everything here is taken times `e^{−β}`, which stays of order one.

/// Products of hyperbolic and circular functions of `β`.
struct Products {
    /// `A = 1 + cosh cos`.
    a: f64,
    /// `B = cosh sin − sinh cos`.
    b: f64,
    /// `E = cosh sin + sinh cos`.
    e: f64,
    /// `F = 1 − cosh cos`.
    f: f64,
    /// `sinh sin` and `cosh cos`.
    ss: f64,
    cc: f64,
}

impl Products {
    fn at(beta: f64) -> Self {
        let decay = (-beta).exp();
        let (sin, cos) = beta.sin_cos();
        let (cosh, sinh) = (0.5 * (1.0 + decay * decay), 0.5 * (1.0 - decay * decay));
        let cc = cosh * cos;
        Self {
            a: decay + cc,
            b: cosh * sin - sinh * cos,
            e: cosh * sin + sinh * cos,
            f: decay - cc,
            ss: sinh * sin,
            cc,
        }
    }

    /// `f`.
    fn value(&self, beta: f64, [m, j]: [f64; 2]) -> f64 {
        let (b3, b4) = (beta.powi(3), beta.powi(4));
        self.a - m * beta * self.b - j * b3 * self.e + m * j * b4 * self.f
    }

    /// `∂_β` of `βB`, `β³E` and `β⁴F`.
    fn slopes(&self, beta: f64) -> [f64; 3] {
        let [b2, b3, b4] = [beta.powi(2), beta.powi(3), beta.powi(4)];
        [
            self.b + 2.0 * beta * self.ss,
            3.0 * b2 * self.e + 2.0 * b3 * self.cc,
            4.0 * b3 * self.f + b4 * self.b,
        ]
    }

    /// `f_β`: Theodore (13).
    fn slope(&self, beta: f64, [m, j]: [f64; 2]) -> f64 {
        let [by_mass, by_inertia, by_both] = self.slopes(beta);
        -self.b - m * by_mass - j * by_inertia + m * j * by_both
    }

    /// `f_l`, the length changing both ratios: Theodore (12), with the other sign.
    fn slope_by_length(&self, beta: f64, length: f64, [m, j]: [f64; 2]) -> f64 {
        let (b3, b4) = (beta.powi(3), beta.powi(4));
        (m * beta * self.b + 3.0 * j * b3 * self.e - 4.0 * m * j * b4 * self.f) / length
    }
}

/// The `k`-th root of the frequency equation of bending, found by scanning for changes of sign:
/// continuation in the load can skip a root. NaN for loads beyond the range of numbers.
pub(super) fn bending_root(k: usize, mass: f64, inertia: f64) -> f64 {
    let f = |beta: f64| Products::at(beta).value(beta, [mass, inertia]);
    let (mut at, mut value, mut found) = (1e-4_f64, f(1e-4), 0);
    // a load lowers the root of the free tip, which is below kπ
    while at < std::f64::consts::PI * k as f64 {
        // heavy loads put two roots close to zero: small steps there
        let next = at + (0.02 * at).clamp(1e-5, 0.02);
        let there = f(next);
        if (value < 0.0) != (there < 0.0) {
            found += 1;
            if found == k {
                return bisect(f, at, next);
            }
        }
        (at, value) = (next, there);
    }
    f64::NAN
}

/// The root near to a known one, by Newton's iteration.
pub(super) fn polished_root(near: f64, ratios: [f64; 2]) -> f64 {
    let mut beta = near;
    for _ in 0..NEWTON_STEPS {
        let products = Products::at(beta);
        let step = products.value(beta, ratios) / products.slope(beta, ratios);
        beta -= step;
        // the error is squared each time
        if step.abs() <= 1e-9 * beta.abs() {
            break;
        }
    }
    beta
}

/// From any useful start a few will do.
const NEWTON_STEPS: usize = 12;

/// `β' = −f_l/f_β` (1/m): Theodore (11).
pub(super) fn root_rate(beta: f64, length: f64, ratios: [f64; 2]) -> f64 {
    let products = Products::at(beta);
    -products.slope_by_length(beta, length, ratios) / products.slope(beta, ratios)
}

/// `β'` and `β''`, the derivatives of a root by the length (1/m, 1/m²), which changes both ratios.
pub(super) fn root_derivatives(beta: f64, length: f64, [m, j]: [f64; 2]) -> [f64; 2] {
    let products = Products::at(beta);
    let Products { b, e, f, ss, cc, .. } = products;
    let [b2, b3, b4] = [beta.powi(2), beta.powi(3), beta.powi(4)];
    let mj = m * j;
    let [by_mass, by_inertia, by_both] = products.slopes(beta);
    let f_b = products.slope(beta, [m, j]);
    let f_bb = -2.0 * ss
        - m * (4.0 * ss + 2.0 * beta * e)
        - j * (6.0 * beta * e + 12.0 * b2 * cc - 2.0 * b3 * b)
        + mj * (12.0 * b2 * f + 8.0 * b3 * b + 2.0 * b4 * ss);
    let f_l = products.slope_by_length(beta, length, [m, j]);
    let f_ll = (-2.0 * m * beta * b - 12.0 * j * b3 * e + 20.0 * mj * b4 * f) / (length * length);
    let f_lb = (m * by_mass + 3.0 * j * by_inertia - 4.0 * mj * by_both) / length;
    let rate = -f_l / f_b;
    [rate, -(f_ll + 2.0 * f_lb * rate + f_bb * rate * rate) / f_b]
}

/// The `k`-th root of `cos β = ratio β sin β`: twist with an inertia at the tip, stretch with a
/// mass, `ratio` times that of the beam.
pub(super) fn wave_root(k: usize, ratio: f64) -> f64 {
    let free = (k as f64 - 0.5) * std::f64::consts::PI;
    if ratio == 0.0 {
        return free;
    }
    bisect(|beta| beta.cos() - ratio * beta * beta.sin(), free - std::f64::consts::FRAC_PI_2, free)
}

/// As many halvings as there are exponents and digits of numbers.
const HALVINGS: usize = 1100;

fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let below = f(low) < 0.0;
    let mut middle = 0.5 * (low + high);
    for _ in 0..HALVINGS {
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) < 0.0) == below {
            low = middle;
        } else {
            high = middle;
        }
        middle = 0.5 * (low + high);
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vanishing_load_leaves_the_free_tip_and_a_heavy_one_its_limits() {
        for k in 1..=20 {
            let free = super::super::bending_mode::clamped_free_root(k);
            let root = bending_root(k, 0.0, 0.0);
            assert!((root / free - 1.0).abs() < 1e-12, "{k}: {root}");
        }
        // a heavy point mass on a massless spring 3EI/L³: β⁴ = 3/M
        let root = bending_root(1, 1e8, 0.0);
        assert!((root.powi(4) * 1e8 / 3.0 - 1.0).abs() < 1e-6);
        // a heavy body pins the tip: clamped-clamped roots follow the two low ones
        let root = bending_root(3, 1e9, 1e9);
        assert!((root - 4.730_040_744_862_704).abs() < 1e-6, "{root}");
        assert!((wave_root(2, 0.0) - 1.5 * std::f64::consts::PI).abs() < 1e-15);
        let heavy = wave_root(1, 1e6);
        assert!((heavy * heavy * 1e6 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn loads_beyond_the_range_of_numbers_end_the_search() {
        for load in [f64::NAN, f64::INFINITY, 1e300] {
            let roots = [bending_root(3, 1.0, load), bending_root(20, load, load)];
            assert!(roots.iter().all(|root| *root < 63.0 || root.is_nan()), "{roots:?}");
            assert_eq!(roots.iter().all(|root| root.is_nan()), load.is_nan(), "{roots:?}");
            assert!(wave_root(1, load).is_finite() && wave_root(3, load).is_finite());
        }
    }
}
