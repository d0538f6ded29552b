//! How much each factor contributes to the variance of a figure.

use super::StudyError;
use super::philox::Philox;

/// A number that draws tell, and between which others it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// From all draws.
    pub value: f64,
    /// The lower end of the confidence interval.
    pub low: f64,
    /// The upper end of the confidence interval.
    pub high: f64,
}

/// How confidence intervals are found: by drawing the blocks of the design again, with replacement
/// (Efron 1979), and taking the middle part of what these draws tell.
///
/// Draws of a Sobol sequence fill the space more evenly than the bootstrap knows, so that the
/// intervals are rather too wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How often.
    pub resamples: usize,
    /// The part of them that an interval contains, between 0 and 1.
    pub confidence: f64,
    /// Other seeds, other draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 500 times, 95 %.
    fn default() -> Self {
        Self { resamples: 500, confidence: 0.95, seed: 0 }
    }
}

/// What a factor contributes to the variance of a figure, as a part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SobolIndex {
    /// By itself (first order): what the variance would lose on average if the factor were known.
    pub first: Estimate,
    /// With all others (total): what would be left if all others were known.
    pub total: Estimate,
}

/// The Sobol indices of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct SobolIndices {
    /// For each factor.
    pub indices: Vec<SobolIndex>,
    /// The mean of the figure.
    pub mean: f64,
    /// The variance of the figure.
    pub variance: f64,
    /// Blocks of the design that are complete.
    pub blocks: usize,
    /// Blocks that are left out because a run of them has no figure.
    pub left_out: usize,
}

/// Sums over blocks, from which indices follow.
#[derive(Clone, Default)]
struct Sums {
    count: f64,
    /// `Σ (a + b)` and `Σ (a² + b²)`.
    sum: f64,
    squares: f64,
    /// `Σ b (aⱼ − a)` and `Σ (a − aⱼ)²`.
    first: Vec<f64>,
    total: Vec<f64>,
}

impl Sums {
    fn new(factors: usize) -> Self {
        Self { first: vec![0.0; factors], total: vec![0.0; factors], ..Self::default() }
    }

    fn clear(&mut self) {
        (self.count, self.sum, self.squares) = (0.0, 0.0, 0.0);
        self.first.fill(0.0);
        self.total.fill(0.0);
    }

    /// A block of the design: `a`, `b`, and `a` with each factor of `b`.
    fn add(&mut self, block: &[f64]) {
        let (a, b) = (block[0], block[1]);
        self.count += 1.0;
        self.sum += a + b;
        self.squares += a * a + b * b;
        let sums = self.first.iter_mut().zip(&mut self.total);
        for ((first, total), mixed) in sums.zip(&block[2..]) {
            *first += b * (mixed - a);
            *total += (a - mixed) * (a - mixed);
        }
    }

    fn variance(&self) -> f64 {
        let mean = self.sum / (2.0 * self.count);
        self.squares / (2.0 * self.count) - mean * mean
    }

    /// `Sⱼ = 1/N Σ b (aⱼ − a) / V`, Saltelli (2010), table 2 b.
    fn first(&self, factor: usize) -> f64 {
        self.first[factor] / self.count / self.variance()
    }

    /// `Tⱼ = 1/(2N) Σ (a − aⱼ)² / V`, Jansen (1999); Saltelli (2010), table 2 f.
    fn total(&self, factor: usize) -> f64 {
        self.total[factor] / (2.0 * self.count) / self.variance()
    }
}

/// The Sobol indices of a figure, first order and total, from its values in the runs of a design
/// with [`Sampling::Saltelli`](super::Sampling::Saltelli).
///
/// `figures` has a value for each run, in the order of the runs, and NaN (or an infinity) where a run
/// has none: the block of that run is left out, and counted.
///
/// ```
/// use pliant::study::{Bootstrap, Design, Factor, Sampling, sobol_indices};
///
/// let each = Factor::Uniform { from: 0.0, to: 1.0 };
/// let sampling = Sampling::Saltelli { draws: 1024, seed: 1 };
/// let design = Design::new(sampling, vec![each.clone(), each])?;
/// // the variances of x and 2 y are as 1 to 4
/// let runs = (0..design.count()).map(|run| design.point(run));
/// let figures: Vec<f64> = runs.map(|point| point[0] + 2.0 * point[1]).collect();
/// let found = sobol_indices(2, &figures, Bootstrap::default())?;
/// assert!((found.indices[0].first.value - 0.2).abs() < 0.01);
/// assert!((found.indices[1].total.value - 0.8).abs() < 0.01);
/// # Ok::<(), pliant::study::StudyError>(())
/// ```
pub fn sobol_indices(
    factors: usize,
    figures: &[f64],
    bootstrap: Bootstrap,
) -> Result<SobolIndices, StudyError> {
    if factors == 0 {
        return Err(StudyError::NoFactors);
    }
    let width = factors + 2;
    if !figures.len().is_multiple_of(width) {
        let wanted = figures.len().next_multiple_of(width) as u64;
        return Err(StudyError::Figures { given: figures.len(), wanted });
    }
    let confidence = bootstrap.confidence;
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(StudyError::Part { quantity: "the confidence", value: confidence });
    }
    let all = figures.len() / width;
    let blocks = figures.chunks_exact(width);
    let complete: Vec<&[f64]> =
        blocks.filter(|block| block.iter().all(|figure| figure.is_finite())).collect();
    let count = complete.len();
    if count < 2 {
        return Err(StudyError::TooFewBlocks { complete: count, all });
    }

    // about the middle of the figures and in units of their size, sums cancel least
    let ends = complete.iter().flat_map(|block| &block[..2]);
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &figure| {
        (f64::min(low, figure), f64::max(high, figure))
    });
    let (scale, size) = (0.5 * high - 0.5 * low, f64::max(high.abs(), low.abs()));
    if scale <= 4.0 * f64::EPSILON * size {
        return Err(StudyError::Constant);
    }
    let ends = || complete.iter().flat_map(|block| &block[..2]);
    let mean = ends().map(|figure| figure / scale).sum::<f64>() / (2 * count) as f64 * scale;
    let centred: Vec<f64> = complete
        .iter()
        .flat_map(|block| block.iter())
        .map(|figure| (figure - mean) / scale)
        .collect();

    let mut sums = Sums::new(factors);
    centred.chunks_exact(width).for_each(|block| sums.add(block));
    let mut spreads = vec![(Vec::new(), Vec::new()); factors];
    let draws = Philox::new(bootstrap.seed);
    let mut drawn = Sums::new(factors);
    for resample in 0..bootstrap.resamples {
        drawn.clear();
        for k in 0..count {
            let block = draws.below(count, k as u64, resample as u64);
            drawn.add(&centred[block * width..(block + 1) * width]);
        }
        if drawn.variance() > 0.0 {
            for (factor, (first, total)) in spreads.iter_mut().enumerate() {
                first.push(drawn.first(factor));
                total.push(drawn.total(factor));
            }
        }
    }
    let estimate = |value, spread: &mut Vec<f64>| {
        spread.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let last = spread.len().saturating_sub(1);
            #[allow(clippy::cast_sign_loss, reason = "both are positive")]
            let place = (part * last as f64).round() as usize;
            spread.get(place).copied().unwrap_or(f64::NAN)
        };
        Estimate { value, low: at(0.5 - 0.5 * confidence), high: at(0.5 + 0.5 * confidence) }
    };
    let indices = spreads.iter_mut().enumerate();
    let indices = indices
        .map(|(factor, (first, total))| SobolIndex {
            first: estimate(sums.first(factor), first),
            total: estimate(sums.total(factor), total),
        })
        .collect();
    let variance = sums.variance() * scale * scale;
    Ok(SobolIndices { indices, mean, variance, blocks: count, left_out: all - count })
}
