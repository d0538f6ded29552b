//! Which parameters each run of a study has.

use super::philox::Philox;
use super::sobol::SobolSequence;
use super::{Factor, StudyError};

/// Most runs: the draws that 52 bits tell apart.
const MOST_RUNS: u64 = 1 << 52;

/// How the runs of a study are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Every combination of the levels of all factors (full factorial), the last factor fastest.
    Grid,
    /// The first levels of all factors together, then the second ones, and so on.
    List,
    /// Independent draws (Monte Carlo).
    Random {
        /// How many.
        runs: u64,
        /// Other seeds, other draws.
        seed: u64,
    },
    /// Quasi-random draws, which fill the space more evenly: a scrambled Sobol sequence. They are the
    /// most even for powers of two.
    Sobol {
        /// How many.
        runs: u64,
        /// Other seeds, other draws.
        seed: u64,
    },
    /// What [`sobol_indices`](super::sobol_indices) needs: `draws (d + 2)` runs of `d` factors
    /// (Saltelli 2010, table 2).
    ///
    /// A block of `d + 2` runs has a point `A`, a point `B`, and the points `A` with the factor `j`
    /// of `B`. `A` and `B` are halves of one point of a Sobol sequence in `2 d` dimensions.
    Saltelli {
        /// How many blocks; best a power of two.
        draws: u64,
        /// Other seeds, other draws.
        seed: u64,
    },
}

impl Sampling {
    fn word(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::List => "list",
            Self::Random { .. } => "random design",
            Self::Sobol { .. } => "Sobol design",
            Self::Saltelli { .. } => "Saltelli design",
        }
    }
}

/// The runs of a study: how many, and the parameters of each by its index.
///
/// ```
/// use pliant::study::{Design, Factor, Sampling};
///
/// let payload = Factor::Linear { from: 0.0, to: 4.0, count: 5 };
/// let stiffness = Factor::Points(vec![100.0, 200.0]);
/// let grid = Design::new(Sampling::Grid, vec![payload, stiffness])?;
/// assert_eq!(grid.count(), 10);
/// assert_eq!(grid.point(3), [1.0, 200.0]);
/// # Ok::<(), pliant::study::StudyError>(())
/// ```
///
/// A point takes the same time whatever the index is, and has the same bits on every machine.
#[derive(Clone, Debug)]
pub struct Design {
    sampling: Sampling,
    factors: Vec<Factor>,
    count: u64,
    draws: Draws,
}

#[derive(Clone, Debug)]
enum Draws {
    Levels,
    Random(Philox),
    Sequence(SobolSequence),
}

impl Design {
    /// Checks factors and their number.
    pub fn new(sampling: Sampling, factors: Vec<Factor>) -> Result<Self, StudyError> {
        if factors.is_empty() {
            return Err(StudyError::NoFactors);
        }
        for (k, factor) in factors.iter().enumerate() {
            factor.check(k)?;
        }
        let drawn = !matches!(sampling, Sampling::Grid | Sampling::List);
        let too_many = StudyError::TooManyRuns { most: MOST_RUNS, drawn };
        let width = factors.len();
        let count = match sampling {
            Sampling::Grid => levels(sampling, &factors)?
                .into_iter()
                .try_fold(1_u64, u64::checked_mul)
                .ok_or_else(|| too_many.clone())?,
            Sampling::List => {
                let levels = levels(sampling, &factors)?;
                let first = levels[0];
                if let Some(factor) = levels.iter().position(|&given| given != first) {
                    return Err(StudyError::Lengths { factor, given: levels[factor], first });
                }
                first
            }
            Sampling::Random { runs, .. } | Sampling::Sobol { runs, .. } => runs,
            Sampling::Saltelli { draws, .. } => {
                draws.checked_mul(width as u64 + 2).ok_or_else(|| too_many.clone())?
            }
        };
        if count == 0 {
            return Err(StudyError::NoRuns);
        }
        if count > MOST_RUNS {
            return Err(too_many);
        }
        let draws = match sampling {
            Sampling::Grid | Sampling::List => Draws::Levels,
            Sampling::Random { seed, .. } => Draws::Random(Philox::new(seed)),
            Sampling::Sobol { seed, .. } => Draws::Sequence(SobolSequence::new(width, 1, seed)?),
            Sampling::Saltelli { seed, .. } => Draws::Sequence(SobolSequence::new(width, 2, seed)?),
        };
        Ok(Self { sampling, factors, count, draws })
    }

    /// How the runs are chosen.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// The factors, in the order of the parameters of a point.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The parameters of the run `index`, from 0, one for each factor.
    ///
    /// # Panics
    ///
    /// If there is no such run.
    pub fn point(&self, index: u64) -> Vec<f64> {
        let mut point = vec![0.0; self.factors.len()];
        self.point_into(index, &mut point);
        point
    }

    /// The parameters of the run `index`, from 0.
    ///
    /// # Panics
    ///
    /// If there is no such run, or `point` does not have a place for each factor.
    pub fn point_into(&self, index: u64, point: &mut [f64]) {
        assert!(index < self.count, "run {index} of {}", self.count);
        assert_eq!(point.len(), self.factors.len(), "a place for each factor");
        let factors = self.factors.iter().zip(&mut *point);
        match (&self.draws, self.sampling) {
            (Draws::Levels, Sampling::List) => {
                factors.for_each(|(factor, value)| *value = factor.level(index));
            }
            (Draws::Levels, _) => {
                let mut rest = index;
                for (factor, value) in factors.rev() {
                    let levels = factor.levels().unwrap_or(1);
                    *value = factor.level(rest % levels);
                    rest /= levels;
                }
            }
            (Draws::Random(draws), _) => {
                for (j, (factor, value)) in factors.enumerate() {
                    *value = factor.quantile(draws.unit(index, j as u64));
                }
            }
            (Draws::Sequence(sequence), Sampling::Saltelli { .. }) => {
                let width = self.factors.len();
                let (block, member) = (index / (width as u64 + 2), index % (width as u64 + 2));
                for (j, (factor, value)) in factors.enumerate() {
                    // A, B, then A with the factor j of B
                    let is_of_b = member == 1 || member == j as u64 + 2;
                    let dimension = if is_of_b { width + j } else { j };
                    *value = factor.quantile(sequence.unit(block, dimension));
                }
            }
            (Draws::Sequence(sequence), _) => {
                for (j, (factor, value)) in factors.enumerate() {
                    *value = factor.quantile(sequence.unit(index, j));
                }
            }
        }
    }
}

fn levels(sampling: Sampling, factors: &[Factor]) -> Result<Vec<u64>, StudyError> {
    let of = |(factor, one): (usize, &Factor)| {
        one.levels().ok_or(StudyError::NoLevels { factor, sampling: sampling.word() })
    };
    factors.iter().enumerate().map(of).collect()
}
