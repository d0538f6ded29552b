//! Numbers of an arm that stay inputs of what is compiled.

use super::error::CompileError;
use super::evaluator::Evaluator;
use super::model::Model;
use super::parameter_error::ParameterError;
use super::quantity::Quantity;
use super::rows::RowEvaluator;
use crate::arm::{Arm, Builder};
use crate::scalar::Scalar;
use std::cell::Cell;

/// A number of a description that stays an input of what is compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What it is called.
    pub name: String,
    /// Its value in the arm that shapes are found for (SI units).
    pub nominal: f64,
    /// The unit of its values, for those who read about it: `kg`; empty where it is not known.
    pub unit: String,
}

impl Parameter {
    /// A parameter with its nominal value, in the unit that the description takes.
    pub fn new(name: impl Into<String>, nominal: f64, unit: impl Into<String>) -> Self {
        Self { name: name.into(), nominal, unit: unit.into() }
    }
}

/// An arm of which some numbers stay inputs: masses, moduli, damping, gravity, friction, springs.
///
/// Every number of the arm is then a constant, plus multiples of the changes of parameters and of
/// products of two of them. What depends on a parameter in another way, such as the length or the
/// thickness of a beam, is refused with the reason. Shapes of beams stay a fixed basis, those of the
/// nominal arm, and so do the modes that damping ratios are of: the deflections of a heavier payload
/// are then combinations of the same shapes. Force elements of users keep their constants.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::compile::{Parameter, ParameterError, Parameters, Quantity};
///
/// let describe = |values: &[f64]| {
///     let bob = Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0]));
///     let bob = bob.payload(values[0], [1.0, 0.0, 0.0]);
///     Ok::<_, ParameterError>(Builder::new("pendulum").gravity([0.0, -9.81, 0.0]).link(bob))
/// };
/// let parameters = Parameters::new(&[Parameter::new("payload", 1.0, "kg")], describe)?;
/// let mut inverse = parameters.evaluator(Quantity::InverseDynamics);
/// let mut tau = [0.0];
/// inverse.run_into(&[&[0.0], &[0.0], &[0.0], &[3.0]], &mut [&mut tau]);
/// assert!((tau[0] - 3.0 * 9.81).abs() < 1e-12);
/// # Ok::<(), ParameterError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Parameters {
    list: Vec<Parameter>,
    arm: Arm,
    /// Ascending by the number that they change.
    terms: Vec<Term>,
}

/// What a number of the arm has beside its nominal value.
#[derive(Clone, Copy, Debug)]
struct Term {
    number: usize,
    /// The parameter, and another one where it is a product of both changes.
    of: (usize, Option<usize>),
    slope: f64,
}

/// The numbers of an arm, and what each rounds like.
struct Numbers {
    all: Vec<f64>,
    magnitudes: Vec<f64>,
}

/// By which parts of itself a parameter is changed to see what depends on it. Twice and half of what
/// is proportional to it round alike: what is zero remains zero.
const STEPS: [f64; 2] = [1.0, -0.5];

/// Where rounding hides what it does, it is changed by so many times as much.
const FURTHER: f64 = 1024.0;

/// How often it is changed at most.
const TIMES: i32 = 7;

/// What rounding may change of a slope, as a part of the largest one of its kind.
const UNSURE: f64 = 2e-12;

/// The same where it is zero.
const STEP_FROM_ZERO: f64 = 0.0625;

impl Parameters {
    /// Finds how the numbers of an arm depend on parameters, from its descriptions for some of their
    /// values: the nominal ones, twice and half of them, and larger ones where rounding hides what
    /// these change.
    pub fn new<E: From<ParameterError>>(
        list: &[Parameter],
        mut describe: impl FnMut(&[f64]) -> Result<Builder, E>,
    ) -> Result<Self, E> {
        check(list)?;
        let nominal: Vec<f64> = list.iter().map(|parameter| parameter.nominal).collect();
        let arm = describe(&nominal)?.build();
        let arm = arm.map_err(|error| ParameterError::Build { values: String::new(), error })?;
        let own = Numbers::of(&arm);
        let mut build = |changed: &[(usize, f64)]| -> Result<Numbers, E> {
            let mut values = nominal.clone();
            for &(i, step) in changed {
                values[i] += step;
            }
            let told = || told(list, &values, changed);
            // inertias that no matter has are none of the user's
            let built = describe(&values)?.lenient().build_in_shapes_of(Some(&arm));
            let built = built.map_err(|error| ParameterError::Build { values: told(), error })?;
            if !built.has_parts_of(&arm) {
                Err(ParameterError::Parts { values: told() })?;
            }
            if let Some(link) = built.reshaped_link(&arm) {
                let link = link.to_owned();
                Err(ParameterError::Shapes { values: told(), link })?;
            }
            Ok(Numbers::of(&built))
        };
        let mut found = Self { list: list.to_vec(), terms: Vec::new(), arm: arm.clone() };
        let mut steps = Vec::new();
        for i in 0..list.len() {
            steps.push(found.add_slopes(i, &own, |step| build(&[(i, step)]))?);
        }
        let mut left_out = vec![0.0; own.all.len()];
        for (i, j) in found.pairs() {
            let changed = [(i, steps[i][0]), (j, steps[j][0])];
            found.add_products((i, j), &own, changed, &build(&changed)?, &mut left_out);
        }
        found.terms.sort_by_key(|term| term.number);
        // all together, each up or down
        let changed: Vec<(usize, f64)> =
            steps.iter().enumerate().map(|(i, steps)| (i, steps[i % 2])).collect();
        if changed.len() > 1
            && let Some(at) = found.first_apart(&own, &changed, &build(&changed)?, &left_out)
        {
            Err(ParameterError::Together { part: arm.part_of(at) })?;
        }
        Ok(found)
    }

    /// An arm whose numbers are all constants.
    pub fn none(arm: Arm) -> Self {
        Self { list: Vec::new(), arm, terms: Vec::new() }
    }

    /// The parameters, in the order of their values.
    pub fn list(&self) -> &[Parameter] {
        &self.list
    }

    /// The nominal arm.
    pub fn arm(&self) -> &Arm {
        &self.arm
    }

    /// The arm with other values (SI units), in any arithmetic, in the shapes of the nominal one.
    ///
    /// # Panics
    /// When there are not as many values as parameters.
    pub fn arm_at<S: Scalar>(&self, values: &[S]) -> Arm<S> {
        assert_eq!(values.len(), self.list.len(), "as many values as parameters");
        let nominal = self.list.iter().map(|parameter| S::from_f64(parameter.nominal));
        let changes: Vec<S> = values.iter().zip(nominal).map(|(&p, nominal)| p - nominal).collect();
        let (number, next) = (Cell::new(0), Cell::new(0));
        self.arm.cast_with(|constant| {
            // c + Σ (p_i − p_i0) g_i + Σ (p_i − p_i0) (p_j − p_j0) h_ij
            let mut sum = S::from_f64(constant);
            while let Some(term) = self.terms.get(next.get()).filter(|t| t.number == number.get()) {
                sum += term.times(&changes);
                next.set(next.get() + 1);
            }
            number.set(number.get() + 1);
            sum
        })
    }

    /// A quantity, ready to be evaluated many times; the values of the parameters are one more port
    /// of its inputs, behind the others.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn evaluator(&self, quantity: Quantity) -> Evaluator {
        Evaluator::of_model(Model::with_parameters(self, quantity))
    }

    /// A quantity of many states at once; the values of the parameters are one more block, for each
    /// state or the same for all. With `fuse`, machine code rounds products and sums together.
    ///
    /// # Panics
    /// When the quantity names a frame that the arm does not have.
    pub fn row_evaluator(
        &self,
        quantity: Quantity,
        fuse: bool,
    ) -> Result<RowEvaluator, CompileError> {
        RowEvaluator::of_model(Model::with_parameters(self, quantity), fuse)
    }

    /// All numbers for changes of some parameters.
    fn numbers(&self, own: &Numbers, changed: &[(usize, f64)]) -> Vec<f64> {
        let mut changes = vec![0.0; self.list.len()];
        for &(i, step) in changed {
            changes[i] = step;
        }
        let mut numbers = own.all.clone();
        for term in &self.terms {
            numbers[term.number] += term.times(&changes);
        }
        numbers
    }

    /// What rounding may change of each of these numbers, which belong to changes of some parameters:
    /// a little of its own terms, and less of the terms that cancel in it.
    fn roundings(&self, own: &Numbers, changed: &[(usize, f64)], numbers: &Numbers) -> Vec<f64> {
        const OWN: f64 = 1e-12;
        const OF_OTHERS: f64 = 1e-13;
        let mut changes = vec![0.0; self.list.len()];
        for &(i, step) in changed {
            changes[i] = step;
        }
        let mut sizes: Vec<f64> = own.all.iter().map(|number| number.abs()).collect();
        for term in &self.terms {
            sizes[term.number] += term.times(&changes).abs();
        }
        let others = own.magnitudes.iter().zip(&numbers.magnitudes).map(|(a, b)| a.max(*b));
        sizes.iter().zip(others).map(|(size, others)| OWN * size + OF_OTHERS * others).collect()
    }

    /// The first number that is another one than its terms say, by more than rounding and what was left
    /// out of it.
    fn first_apart(
        &self,
        own: &Numbers,
        changed: &[(usize, f64)],
        numbers: &Numbers,
        left_out: &[f64],
    ) -> Option<usize> {
        let wanted = self.numbers(own, changed);
        let roundings = self.roundings(own, changed, numbers);
        let apart =
            |&at: &usize| (wanted[at] - numbers.all[at]).abs() > roundings[at] + left_out[at];
        (0..wanted.len()).find(apart)
    }

    /// Adds the slopes by a parameter, and gives the changes that they were found with.
    fn add_slopes<E: From<ParameterError>>(
        &mut self,
        i: usize,
        own: &Numbers,
        mut build: impl FnMut(f64) -> Result<Numbers, E>,
    ) -> Result<[f64; 2], E> {
        let Parameter { name, nominal, .. } = self.list[i].clone();
        let (first, none) = (self.terms.len(), vec![0.0; own.all.len()]);
        let mut hidden = None;
        for times in 0..TIMES {
            let [up, down] = steps(nominal, times);
            let (above, below) = match (build(up), build(down)) {
                (Ok(above), Ok(below)) => (above, below),
                // there are no values that are large enough
                (Err(error), _) | (_, Err(error)) => return Err(hidden.map_or(error, E::from)),
            };
            let pairs = above.all.iter().zip(&below.all);
            let slopes: Vec<f64> = pairs.map(|(a, b)| (a - b) / (up - down)).collect();
            let all = slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0);
            let new = all.map(|(number, &slope)| Term { number, of: (i, None), slope });
            self.terms.extend(new);
            for (step, numbers) in [(up, &above), (down, &below)] {
                if let Some(at) = self.first_apart(own, &[(i, step)], numbers, &none) {
                    Err(ParameterError::NotAffine {
                        name: name.clone(),
                        part: self.arm.part_of(at),
                    })?;
                }
            }
            let largest = self.arm.with_numbers(&slopes).magnitudes();
            let unsure = |&number: &usize| {
                let of = [own, &above, &below].map(|numbers| numbers.all[number].abs());
                let rounding = 2.0 * f64::EPSILON * of.into_iter().fold(0.0, f64::max);
                largest[number] > 0.0 && rounding > UNSURE * largest[number] * (up - down).abs()
            };
            let name = name.clone();
            hidden = match (0..slopes.len()).find(unsure) {
                Some(at) => Some(ParameterError::Hidden { name, part: self.arm.part_of(at) }),
                None if self.terms.len() == first => Some(ParameterError::Nothing { name }),
                None => return Ok([up, down]),
            };
            self.terms.truncate(first);
        }
        Err(hidden.unwrap_or(ParameterError::Nothing { name }).into())
    }

    /// The pairs of parameters that change a number in common.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let count = self.list.len();
        let changes = |i: usize| self.terms.iter().filter(move |term| term.of.0 == i);
        let all = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        let meet = |&(i, j): &(usize, usize)| {
            changes(i).any(|own| changes(j).any(|other| own.number == other.number))
        };
        all.filter(meet).collect()
    }

    /// Adds what is left where two parameters change: multiples of the product of the changes. What is
    /// no more than rounding is left out.
    fn add_products(
        &mut self,
        (i, j): (usize, usize),
        own: &Numbers,
        changed: [(usize, f64); 2],
        numbers: &Numbers,
        left_out: &mut [f64],
    ) {
        let sums = self.numbers(own, &changed);
        let roundings = self.roundings(own, &changed, numbers);
        let product = changed[0].1 * changed[1].1;
        for (number, rounding) in roundings.iter().enumerate() {
            let rest = numbers.all[number] - sums[number];
            if rest.abs() > *rounding {
                self.terms.push(Term { number, of: (i, Some(j)), slope: rest / product });
            } else {
                left_out[number] += rest.abs();
            }
        }
    }
}

impl Numbers {
    fn of(arm: &Arm) -> Self {
        Self { all: arm.numbers(), magnitudes: arm.magnitudes() }
    }
}

impl Term {
    fn times<S: Scalar>(&self, changes: &[S]) -> S {
        let (first, second) = self.of;
        let change = second.map_or(changes[first], |second| changes[first] * changes[second]);
        change * S::from_f64(self.slope)
    }
}

fn check(list: &[Parameter]) -> Result<(), ParameterError> {
    for (i, Parameter { name, nominal, .. }) in list.iter().enumerate() {
        if !nominal.is_finite() {
            return Err(ParameterError::NotFinite { name: name.clone(), value: *nominal });
        }
        if list[..i].iter().any(|other| other.name == *name) {
            return Err(ParameterError::Twice { name: name.clone() });
        }
    }
    Ok(())
}

/// By how much a parameter is changed, as its values round.
fn steps(nominal: f64, times: i32) -> [f64; 2] {
    let scale = if nominal == 0.0 { STEP_FROM_ZERO } else { nominal };
    let further = FURTHER.powi(times) * STEPS[0];
    let parts = if times == 0 { STEPS } else { [further, 0.5 * further] };
    parts.map(|part| (nominal + part * scale) - nominal)
}

/// What was changed to which values.
fn told(list: &[Parameter], values: &[f64], changed: &[(usize, f64)]) -> String {
    let one = |&(i, _): &(usize, f64)| {
        let Parameter { name, unit, .. } = &list[i];
        format!("{name} = {} {unit}", values[i]).trim_end().to_owned()
    };
    changed.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
