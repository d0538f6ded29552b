use pliant::study::{Bootstrap, Design, Factor, Sampling, SobolIndices, StudyError, sobol_indices};
use std::f64::consts::PI;

fn figures(draws: u64, seed: u64, factors: Vec<Factor>, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let design = Design::new(Sampling::Saltelli { draws, seed }, factors).expect("a design");
    (0..design.count()).map(|run| of(&design.point(run))).collect()
}

const A: f64 = 7.0;
const B: f64 = 0.1;

/// Ishigami's function, `sin x + a sin² y + b z⁴ sin x` on a cube from −π to π.
fn ishigami(draws: u64, seed: u64) -> Vec<f64> {
    let side = Factor::Uniform { from: -PI, to: PI };
    figures(draws, seed, vec![side; 3], |x| {
        x[0].sin() + A * x[1].sin().powi(2) + B * x[2].powi(4) * x[0].sin()
    })
}

/// Its indices by integration: `Vₓ = (1 + b π⁴/5)² / 2`, `V_y = a²/8`, `V_xz = 8 b² π⁸ / 225`.
fn exact() -> ([f64; 3], [f64; 3], f64) {
    let (x, y, xz) =
        (0.5 * (1.0 + B * PI.powi(4) / 5.0).powi(2), A * A / 8.0, 8.0 * B * B * PI.powi(8) / 225.0);
    let all = x + y + xz;
    ([x / all, y / all, 0.0], [(x + xz) / all, y / all, xz / all], all)
}

fn values(found: &SobolIndices) -> (Vec<f64>, Vec<f64>) {
    let first = found.indices.iter().map(|index| index.first.value).collect();
    (first, found.indices.iter().map(|index| index.total.value).collect())
}

#[test]
fn indices_of_ishigami() {
    let (first, total, variance) = exact();
    let few = Bootstrap { resamples: 100, ..Bootstrap::default() };
    for seed in 0..3 {
        let figures = ishigami(16_384, seed);
        let found = sobol_indices(3, &figures, few).expect("indices");
        let (got_first, got_total) = values(&found);
        let why = "16384 draws find them to 1e-2";
        assert_close!("first order", got_first, first, rel = 1e-2, of = 1.0, "{why}");
        assert_close!("total", got_total, total, rel = 1e-2, of = 1.0, "{why}");
        assert_close!("Ishigami", [found.mean], [A / 2.0], rel = 1e-3, "the mean, a/2");
        assert_close!("Ishigami", [found.variance], [variance], rel = 1e-2, "the variance");
        for (index, (first, total)) in found.indices.iter().zip(first.iter().zip(total)) {
            let has = |of: pliant::study::Estimate, exact: f64| of.low <= exact && exact <= of.high;
            assert!(has(index.first, *first) && has(index.total, total), "{index:?}");
        }

        // Jansen's other sum, Sⱼ = 1 − Σ (b − aⱼ)² / (2 N V)
        let blocks = || figures.chunks(5);
        let second: Vec<f64> = (0..3)
            .map(|j| blocks().map(|f| (f[1] - f[2 + j]).powi(2)).sum::<f64>())
            .map(|sum| 1.0 - sum / (2.0 * 16_384.0 * found.variance))
            .collect();
        assert_close!("Jansen", got_first, second, rel = 1e-2, of = 1.0, "two estimators");
    }
}

#[test]
fn blocks_of_runs_that_failed_are_left_out() {
    let mut figures = ishigami(1024, 1);
    let without: Vec<f64> = figures.chunks(5).skip(2).flatten().copied().collect();
    figures[3] = f64::NAN;
    figures[5] = f64::INFINITY;
    let of = |figures: &[f64]| sobol_indices(3, figures, Bootstrap::default()).expect("indices");
    let found = of(&figures);
    assert_eq!((found.blocks, found.left_out), (1022, 2));
    assert_eq!(found.indices, of(&without).indices);
}

/// Large means and small or large units change nothing.
#[test]
fn units_do_not_matter() {
    let figures = ishigami(256, 1);
    let of =
        |figures: &[f64]| values(&sobol_indices(3, figures, Bootstrap::default()).expect("some"));
    let (first, total) = of(&figures);
    for (scale, offset, rel) in [(1e-200, 0.0, 1e-12), (1e200, 0.0, 1e-12), (1.0, 1e9, 1e-5)] {
        let other: Vec<f64> = figures.iter().map(|figure| scale * figure + offset).collect();
        let (got_first, got_total) = of(&other);
        let why = "the figures keep eps times the offset";
        assert_close!(format!("{scale:e}"), got_first, first, rel = rel, of = 1.0, "{why}");
        assert_close!(format!("{scale:e}"), got_total, total, rel = rel, of = 1.0, "{why}");
    }
}

/// Of independent draws, 90 % of the intervals should contain the exact index.
#[test]
fn intervals_are_as_wide_as_they_say() {
    let weights = [1.0, 2.0];
    let mut inside = 0;
    for seed in 0..200 {
        // blocks from independent draws, which the bootstrap is exact for
        let design = Design::new(
            Sampling::Random { runs: 400, seed },
            vec![Factor::Uniform { from: 0.0, to: 1.0 }; 4],
        );
        let design = design.expect("a design");
        let of = |x: &[f64]| weights[0] * x[0] + weights[1] * x[1];
        let blocks = (0..design.count()).map(|run| design.point(run));
        let figures: Vec<f64> = blocks
            .flat_map(|p| [of(&p), of(&p[2..]), of(&[p[2], p[1]]), of(&[p[0], p[3]])])
            .collect();
        let bootstrap = Bootstrap { resamples: 200, confidence: 0.9, seed };
        let index = sobol_indices(2, &figures, bootstrap).expect("indices").indices[1].total;
        inside += usize::from(index.low <= 0.8 && 0.8 <= index.high);
    }
    // 180 expected; five standard deviations of √(200 · 0.9 · 0.1) = 4.2
    assert!((159..=200).contains(&inside), "{inside} of 200");
}

#[test]
fn what_tells_nothing_is_refused() {
    let of =
        |figures: &[f64]| sobol_indices(1, figures, Bootstrap::default()).expect_err("nothing");
    assert_eq!(of(&[1.0; 30]), StudyError::Constant);
    assert_eq!(of(&[1.0, 2.0, 3.0]), StudyError::TooFewBlocks { complete: 1, all: 1 });
    assert_eq!(of(&[1.0; 31]), StudyError::Figures { given: 31, wanted: 33 });
    assert_eq!(of(&[f64::NAN; 30]), StudyError::TooFewBlocks { complete: 0, all: 10 });
}
