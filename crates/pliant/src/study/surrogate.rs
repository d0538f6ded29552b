//! Quadratic models of figures about a point, and where they are smallest.

use crate::linear::ldl;

/// How strongly slopes and curvatures that the points do not tell are held near zero: curvatures
/// much more, so that what both could explain is a slope.
const HOLD: [f64; 2] = [1e-13, 1e-9];

/// Up to so many variables, curvatures have products of two variables.
const MOST_WITH_PRODUCTS: usize = 10;

/// A figure near a point, as its difference from that at the point: `gᵀ s + sᵀ C s / 2`.
struct Quadratic {
    slope: Vec<f64>,
    /// Symmetric, row by row.
    curvature: Vec<f64>,
}

impl Quadratic {
    fn value(&self, s: &[f64]) -> f64 {
        let n = s.len();
        let row = |i: usize| dot(&self.curvature[i * n..(i + 1) * n], s);
        (0..n).map(|i| (self.slope[i] + 0.5 * row(i)) * s[i]).sum()
    }

    fn add_slope(&self, s: &[f64], factor: f64, sum: &mut [f64]) {
        let n = s.len();
        for i in 0..n {
            sum[i] += factor * (self.slope[i] + dot(&self.curvature[i * n..(i + 1) * n], s));
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Models of a figure and of its constraints, Conn (2013).
pub(super) struct Surrogate {
    figure: Quadratic,
    /// With the value at the point.
    constraints: Vec<(Quadratic, f64)>,
}

impl Surrogate {
    /// How many numbers a model has.
    pub(super) fn size(variables: usize) -> usize {
        let products = if variables <= MOST_WITH_PRODUCTS { variables - 1 } else { 0 };
        2 * variables + variables * products / 2
    }

    /// By least squares, from the steps to other points and the figure and constraints there, as
    /// differences from those `at` the point itself. All of them are finite. Constraints are kept
    /// below zero by the part `margin` of their differences.
    pub(super) fn fit(
        at: &[f64],
        steps: &[Vec<f64>],
        differences: &[Vec<f64>],
        margin: f64,
    ) -> Self {
        let n = steps.first().map_or(0, Vec::len);
        let size = Self::size(n);
        let rows: Vec<Vec<f64>> = steps.iter().map(|s| terms(s, size)).collect();
        // (RᵀR + D) θ = Rᵀ y
        let mut normal = vec![0.0; size * size];
        for row in &rows {
            for i in 0..size {
                for j in 0..size {
                    normal[i * size + j] += row[i] * row[j];
                }
            }
        }
        for i in 0..size {
            normal[i * size + i] += HOLD[usize::from(i >= n)] * (rows.len() as f64);
        }
        ldl::factor(&mut normal, size);
        let mut models = at.iter().enumerate().map(|(k, &value)| {
            let scale = differences.iter().fold(0.0, |most, row| f64::max(most, row[k].abs()));
            let scale = if scale > 0.0 { scale } else { 1.0 };
            let mut found = vec![0.0; size];
            for (row, figures) in rows.iter().zip(differences) {
                found.iter_mut().zip(row).for_each(|(sum, term)| *sum += term * figures[k] / scale);
            }
            ldl::solve(&normal, size, &mut found);
            (Quadratic::of(n, &found), value / scale + margin)
        });
        let figure = models.next().map(|(figure, _)| figure);
        let figure = figure.unwrap_or(Quadratic { slope: Vec::new(), curvature: Vec::new() });
        Self { figure, constraints: models.collect() }
    }

    /// The step within bounds at which the figure is smallest and no constraint positive, by an
    /// augmented Lagrangian whose minima projected gradients find.
    pub(super) fn smallest(&self, low: &[f64], high: &[f64]) -> Vec<f64> {
        let n = low.len();
        let mut s: Vec<f64> = low.iter().zip(high).map(|(l, h)| 0.0_f64.clamp(*l, *h)).collect();
        let mut multipliers = vec![0.0; self.constraints.len()];
        let (mut penalty, mut last) = (10.0, f64::INFINITY);
        let mut slope = vec![0.0; n];
        for _ in 0..15 {
            self.descend(&mut s, &multipliers, penalty, low, high, &mut slope);
            let mut worst = 0.0;
            for ((model, value), multiplier) in self.constraints.iter().zip(&mut multipliers) {
                let g = value + model.value(&s);
                worst = f64::max(worst, f64::max(g, -*multiplier / penalty).abs());
                // λ ← max(0, λ + r g)
                *multiplier = f64::max(0.0, *multiplier + penalty * g);
            }
            if worst < 1e-8 {
                break;
            }
            if worst > 0.25 * last {
                penalty *= 4.0;
            }
            last = worst;
        }
        s
    }

    /// `f + Σ max(0, λ + r g)² / (2 r)`.
    fn lagrangian(&self, s: &[f64], multipliers: &[f64], penalty: f64) -> f64 {
        let terms = self.constraints.iter().zip(multipliers).map(|((model, value), multiplier)| {
            let term = f64::max(0.0, multiplier + penalty * (value + model.value(s)));
            term * term / (2.0 * penalty)
        });
        self.figure.value(s) + terms.sum::<f64>()
    }

    fn descend(
        &self,
        s: &mut [f64],
        multipliers: &[f64],
        penalty: f64,
        low: &[f64],
        high: &[f64],
        slope: &mut [f64],
    ) {
        let mut length = 1.0 / (1.0 + penalty);
        let mut value = self.lagrangian(s, multipliers, penalty);
        let mut before: Option<(Vec<f64>, Vec<f64>)> = None;
        for _ in 0..80 {
            slope.fill(0.0);
            self.figure.add_slope(s, 1.0, slope);
            for ((model, at), multiplier) in self.constraints.iter().zip(multipliers) {
                let term = multiplier + penalty * (at + model.value(s));
                if term > 0.0 {
                    model.add_slope(s, term, slope);
                }
            }
            // the length of Barzilai and Borwein, Δsᵀ Δs / Δsᵀ Δg
            if let Some((step, last_slope)) = &before {
                let bend: f64 = (0..s.len()).map(|i| (slope[i] - last_slope[i]) * step[i]).sum();
                let square = dot(step, step);
                length = if bend > 1e-12 * square { square / bend } else { 4.0 * length };
            }
            let mut accepted = None;
            for _ in 0..30 {
                let tried: Vec<f64> = (0..s.len())
                    .map(|i| (s[i] - length * slope[i]).clamp(low[i], high[i]))
                    .collect();
                let step: Vec<f64> = tried.iter().zip(&*s).map(|(to, from)| to - from).collect();
                let new = self.lagrangian(&tried, multipliers, penalty);
                if new <= value + 1e-4 * dot(slope, &step) {
                    accepted = Some((tried, step, new));
                    break;
                }
                length *= 0.25;
            }
            let Some((tried, step, new)) = accepted else { return };
            s.copy_from_slice(&tried);
            value = new;
            if step.iter().all(|part| part.abs() < 1e-9) {
                return;
            }
            before = Some((step, slope.to_vec()));
        }
    }
}

impl Quadratic {
    fn of(n: usize, found: &[f64]) -> Self {
        let slope = found[..n].to_vec();
        let mut curvature = vec![0.0; n * n];
        let mut rest = found[n..].iter();
        for i in 0..n {
            curvature[i * n + i] = rest.next().copied().unwrap_or(0.0);
        }
        for i in 0..n {
            for j in 0..i {
                let product = rest.next().copied().unwrap_or(0.0);
                (curvature[i * n + j], curvature[j * n + i]) = (product, product);
            }
        }
        Self { slope, curvature }
    }
}

/// What multiplies the numbers of a model: `sᵢ`, `sᵢ²/2`, `sᵢ sⱼ`.
fn terms(s: &[f64], size: usize) -> Vec<f64> {
    let n = s.len();
    let squares = s.iter().map(|s| 0.5 * s * s);
    let products = (0..n).flat_map(|i| (0..i).map(move |j| s[i] * s[j]));
    s.iter().copied().chain(squares).chain(products).take(size).collect()
}

#[cfg(test)]
mod tests {
    use super::Surrogate;

    type Function<'a> = &'a dyn Fn(&[f64]) -> f64;

    /// Steps to points all around, and differences of functions there.
    fn fitted(n: usize, at: &[f64], functions: &[Function<'_>], points: usize) -> Surrogate {
        let step = |k: usize| (0..n).map(|i| ((7 * k + 3 * i * k + 5 * i) as f64).sin()).collect();
        let steps: Vec<Vec<f64>> = (1..=points).map(step).collect();
        let of = |s: &Vec<f64>| functions.iter().map(|function| function(s)).collect();
        Surrogate::fit(at, &steps, &steps.iter().map(of).collect::<Vec<_>>(), 0.0)
    }

    /// A quadratic function is its own model.
    #[test]
    fn a_quadratic_function_is_found() {
        let function = |s: &[f64]| {
            let linear = 2.0 * s[0] - s[1] + 0.5 * s[2];
            linear + 3.0 * s[0] * s[0] - s[1] * s[1] + 4.0 * s[0] * s[2] - 2.0 * s[1] * s[2]
        };
        let model = fitted(3, &[0.0], &[&function], 2 * Surrogate::size(3));
        let points = [[0.3, -0.2, 0.9], [-1.0, 1.0, 0.5], [0.0, 0.7, -0.4]];
        let scale = model.figure.value(&points[0]) / function(&points[0]);
        let mut slope = [0.0; 3];
        for s in &points {
            // what holds curvatures takes 1e-9 of them, times the condition of the points
            assert!((model.figure.value(s) / scale - function(s)).abs() < 1e-6, "{s:?}");
            slope.fill(0.0);
            model.figure.add_slope(s, 1.0 / scale, &mut slope);
            let exact = [
                2.0 + 6.0 * s[0] + 4.0 * s[2],
                -1.0 - 2.0 * s[1] - 2.0 * s[2],
                0.5 + 4.0 * s[0] - 2.0 * s[1],
            ];
            for (got, want) in slope.iter().zip(exact) {
                assert!((got - want).abs() < 1e-6, "{s:?}: {got} and {want}");
            }
        }
    }

    /// As many points as there are variables tell the slopes.
    #[test]
    fn few_points_give_a_linear_model() {
        let function = |s: &[f64]| 3.0 * s[0] - 2.0 * s[1];
        let model = fitted(2, &[0.0], &[&function], 2);
        let scale = model.figure.value(&[0.1, 0.0]) / function(&[0.1, 0.0]);
        assert!((model.figure.value(&[0.4, 0.9]) / scale + 0.6).abs() < 1e-3);
    }

    /// `(x − 1)² + (y − 2)²` is smallest below `x + y = 3/2` at `(1/4, 5/4)`; in a box, at its edge.
    #[test]
    fn constraints_and_bounds_are_kept() {
        let figure = |s: &[f64]| s[0] * s[0] - 2.0 * s[0] + s[1] * s[1] - 4.0 * s[1];
        let constraint = |s: &[f64]| s[0] + s[1];
        let model = fitted(2, &[5.0, -1.5], &[&figure, &constraint], 12);
        for (high, wanted) in [([2.0, 2.0], [0.25, 1.25]), ([2.0, 0.5], [1.0, 0.5])] {
            let found = model.smallest(&[-2.0, -2.0], &high);
            for (got, want) in found.iter().zip(wanted) {
                assert!((got - want).abs() < 1e-6, "{found:?}");
            }
        }
    }
}
