//! Linear systems `ẋ = Ax + Bu`, `y = Cx + Du`.

use crate::linear::{C, eigenvalues, exponential};
use nalgebra::{DMatrix, DVector};

/// The name and unit of a state, input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What it is.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

impl Label {
    /// From a name and a unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }
}

/// `ẋ = Ax + Bu`, `y = Cx + Du`, all in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// `A`.
    pub a: DMatrix<f64>,
    /// `B`.
    pub b: DMatrix<f64>,
    /// `C`.
    pub c: DMatrix<f64>,
    /// `D`.
    pub d: DMatrix<f64>,
    /// The states `x`.
    pub states: Vec<Label>,
    /// The inputs `u`.
    pub inputs: Vec<Label>,
    /// The outputs `y`.
    pub outputs: Vec<Label>,
}

/// The pole in continuous time (1/s) that a pole of a system in steps of a period (s) has at its ticks,
/// `ln(z)/T`; the pole itself where there is no period.
pub fn continuous_pole(pole: C, period: Option<f64>) -> C {
    period.map_or(pole, |period| pole.ln() / period)
}

impl StateSpace {
    /// The eigenvalues of `A` (1/s), ascending by magnitude; empty if an entry is not finite.
    pub fn poles(&self) -> Vec<C> {
        eigenvalues(&self.a).unwrap_or_default()
    }

    /// The system of one input and one output, by index.
    ///
    /// # Panics
    /// When there is none of that index.
    #[must_use]
    pub fn channel(&self, input: usize, output: usize) -> Self {
        Self {
            a: self.a.clone(),
            b: self.b.columns(input, 1).into_owned(),
            c: self.c.rows(output, 1).into_owned(),
            d: self.d.view((output, input), (1, 1)).into_owned(),
            states: self.states.clone(),
            inputs: vec![self.inputs[input].clone()],
            outputs: vec![self.outputs[output].clone()],
        }
    }

    /// The frequency response `G(iω) = C (iω − A)⁻¹ B + D` at a frequency (rad/s), outputs by
    /// inputs; infinite at an undamped pole.
    pub fn response(&self, frequency: f64) -> DMatrix<C> {
        self.transfer(C::new(0.0, frequency))
    }

    /// The transfer function `C (s − A)⁻¹ B + D` at a point: `iω`, or `e^{iωT}` for a system of
    /// steps of `T`; infinite at a pole.
    pub fn transfer(&self, at: C) -> DMatrix<C> {
        let mut whole = self.a.map(|entry| C::from(-entry));
        for k in 0..whole.nrows() {
            whole[(k, k)] += at;
        }
        let b = self.b.map(C::from);
        match whole.lu().solve(&b) {
            Some(states) => self.c.map(C::from) * states + self.d.map(C::from),
            None => DMatrix::from_element(self.c.nrows(), b.ncols(), C::from(f64::INFINITY)),
        }
    }

    /// The frequencies (1/s) at which some input leaves all outputs at rest, those of modes that
    /// are not seen or not moved among them; ascending by size. With more inputs than outputs, those
    /// at which some mixture of the outputs is not moved. `None` where every frequency is one.
    pub fn zeros(&self) -> Option<Vec<C>> {
        super::zeros::zeros(self)
    }

    /// The zero-order-hold discretisation with a sampling period (s): `x⁺ = Ax + Bu`; `C` and `D`
    /// stay. NaN where the motion within the period is too fast for numbers.
    #[must_use]
    pub fn discretised(&self, step: f64) -> Self {
        let (n, m) = self.b.shape();
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(&(&self.a * step));
        whole.view_mut((0, n), (n, m)).copy_from(&(&self.b * step));
        let moved = exponential(&whole);
        let whole = moved.unwrap_or_else(|| DMatrix::from_element(n + m, n + m, f64::NAN));
        Self {
            a: whole.view((0, 0), (n, n)).into_owned(),
            b: whole.view((0, n), (n, m)).into_owned(),
            ..self.clone()
        }
    }

    /// `ẋ` at a state for inputs.
    ///
    /// # Panics
    /// When the vectors do not have the lengths of the system.
    pub fn rate(&self, x: &DVector<f64>, u: &DVector<f64>) -> DVector<f64> {
        &self.a * x + &self.b * u
    }
}
