use pliant::study::{Design, Factor, Sampling, pareto_front};
use std::f64::consts::{E, PI};

fn design(sampling: Sampling, factors: &[Factor]) -> Design {
    Design::new(sampling, factors.to_vec()).unwrap_or_else(|error| panic!("{error}"))
}

fn unit() -> Factor {
    Factor::Uniform { from: 0.0, to: 1.0 }
}

fn points(design: &Design) -> Vec<Vec<f64>> {
    (0..design.count()).map(|run| design.point(run)).collect()
}

#[test]
fn a_grid_has_every_combination_once_with_the_last_factor_fastest() {
    let masses = Factor::Linear { from: 1.0, to: 2.0, count: 3 };
    let gains = Factor::Logarithmic { from: 100.0, to: 1.0, count: 3 };
    let angles = Factor::Points(vec![-1.0, 7.0]);
    let grid = points(&design(Sampling::Grid, &[masses, gains, angles]));
    let mut nested = Vec::new();
    for mass in [1.0, 1.5, 2.0] {
        for gain in [100.0, 10.0, 1.0] {
            for angle in [-1.0, 7.0] {
                nested.push([mass, gain, angle]);
            }
        }
    }
    assert_eq!(grid.len(), nested.len());
    for (got, want) in grid.iter().zip(nested) {
        assert_close!(
            "a grid",
            got,
            want,
            rel = 1e-15,
            "exp and log round to a unit in the last place"
        );
    }
    // the ends are those given, to the bit
    assert_eq!((grid[0][1], grid[17][1]), (100.0, 1.0));
}

#[test]
fn a_list_takes_values_together() {
    let list = design(
        Sampling::List,
        &[Factor::Points(vec![3.0, 1.0]), Factor::Linear { from: 0.0, to: -1.0, count: 2 }],
    );
    assert_eq!(points(&list), [[3.0, 0.0], [1.0, -1.0]]);
}

/// The last of 10¹² runs is made as fast as the first, and nothing is kept for the others.
#[test]
fn the_number_of_runs_costs_nothing() {
    let axis = Factor::Linear { from: 0.0, to: 999.0, count: 1000 };
    let grid = design(Sampling::Grid, &vec![axis; 4]);
    assert_eq!(grid.count(), 1_000_000_000_000);
    assert_eq!(grid.point(123_456_789_012), [123.0, 456.0, 789.0, 12.0]);
    for sampling in [
        Sampling::Random { runs: 1 << 52, seed: 1 },
        Sampling::Sobol { runs: 1 << 52, seed: 1 },
        Sampling::Saltelli { draws: 1 << 48, seed: 1 },
    ] {
        let many = design(sampling, &[unit(), Factor::normal(2.0, 0.1)]);
        let last = many.point(many.count() - 1);
        assert!(last[0] > 0.0 && last[0] < 1.0 && (last[1] - 2.0).abs() < 1.0, "{last:?}");
    }
}

#[test]
fn draws_have_the_moments_of_their_distributions() {
    let count = 1 << 14;
    let factors = [
        unit(),
        Factor::Uniform { from: -3.0, to: 1.0 },
        Factor::LogUniform { from: 1.0, to: E * E },
        Factor::normal(-2.0, 0.5),
        // half of the distribution
        Factor::Normal { mean: 1.0, deviation: 2.0, from: 1.0, to: f64::INFINITY },
        Factor::Points(vec![1.0, 2.0, 6.0]),
        Factor::Linear { from: 1.0, to: 4.0, count: 4 },
    ];
    let e2 = E * E;
    // of logarithms: (e² − 1)/2 and (e⁴ − 1)/4; of half a normal distribution: √(2/π) and 1 − 2/π
    let log = ((e2 - 1.0) / 2.0, (e2 * e2 - 1.0) / 4.0);
    let half = (1.0 + 2.0 * (2.0 / PI).sqrt(), 4.0 * (1.0 - 2.0 / PI));
    let wanted = [
        (0.5, 1.0 / 12.0),
        (-1.0, 16.0 / 12.0),
        (log.0, log.1 - log.0 * log.0),
        (-2.0, 0.25),
        half,
        (3.0, 14.0 / 3.0),
        (2.5, 1.25),
    ];
    for (sampling, rel) in [
        // five standard errors; the even draws err by far less
        (Sampling::Random { runs: count, seed: 7 }, 5.0 / (count as f64).sqrt()),
        (Sampling::Sobol { runs: count, seed: 7 }, 5e-4),
    ] {
        let drawn = points(&design(sampling, &factors));
        let n = drawn.len() as f64;
        for (j, (mean, variance)) in wanted.into_iter().enumerate() {
            let got = drawn.iter().map(|point| point[j]).sum::<f64>() / n;
            let square = drawn.iter().map(|point| (point[j] - got).powi(2)).sum::<f64>() / n;
            let model = format!("{sampling:?}, factor {j}");
            assert_close!(model, [got], [mean], rel = rel, of = variance.sqrt(), "the mean");
            assert_close!(model, [square], [variance], rel = 2.0 * rel, "the variance");
        }
    }
}

#[test]
fn other_seeds_are_other_draws_and_one_seed_is_the_same() {
    for of in [
        |seed| Sampling::Random { runs: 64, seed },
        |seed| Sampling::Sobol { runs: 64, seed },
        |seed| Sampling::Saltelli { draws: 16, seed },
    ] {
        let drawn = |seed| points(&design(of(seed), &[unit(), unit()]));
        assert_eq!(drawn(3), drawn(3));
        let same = drawn(3).iter().zip(drawn(4)).filter(|(a, b)| **a == *b).count();
        assert_eq!(same, 0);
    }
    // a longer study begins with the shorter one
    let long = design(Sampling::Sobol { runs: 1000, seed: 3 }, &[unit()]);
    let short = design(Sampling::Sobol { runs: 10, seed: 3 }, &[unit()]);
    assert_eq!(points(&short), points(&long)[..10]);
}

/// The numbers themselves, so that another build or processor has the same.
#[test]
fn draws_have_the_same_bits_everywhere() {
    let factors = [unit(), Factor::normal(0.0, 1.0), Factor::LogUniform { from: 1.0, to: 10.0 }];
    let bits = |sampling| -> Vec<u64> {
        design(sampling, &factors).point(5).iter().map(|x| x.to_bits()).collect()
    };
    assert_eq!(
        bits(Sampling::Random { runs: 6, seed: 1 }),
        [0x3fd2_eabd_748a_41fe, 0x3fd2_2e62_f8c3_b2aa, 0x4012_d811_68dc_d9c4]
    );
    assert_eq!(
        bits(Sampling::Sobol { runs: 6, seed: 1 }),
        [0x3fd5_0dfc_8c0f_c6fe, 0xbff7_9264_3195_b8a9, 0x3ff5_25f7_60df_7e99]
    );
}

/// Which of so many equal parts of the unit interval a number is in.
fn cell(unit: f64, parts: u64) -> u64 {
    #[allow(clippy::cast_sign_loss, reason = "both are positive")]
    let cell = (unit * parts as f64) as u64;
    cell
}

/// Each of `2ᵐ` equal intervals has one of the first `2ᵐ` points, in every dimension; in the first
/// two dimensions each of `2ᵐ` equal rectangles of every shape has one too.
#[test]
fn sobol_points_are_even() {
    let m = 9;
    let n = 1 << m;
    let cube = design(Sampling::Sobol { runs: n, seed: 11 }, &vec![unit(); 128]);
    let drawn = points(&cube);
    let is_once = |cells: &mut Vec<u64>| {
        cells.sort_unstable();
        cells.iter().copied().eq(0..n)
    };
    for j in 0..128 {
        let mut cells = drawn.iter().map(|point| cell(point[j], n)).collect();
        assert!(is_once(&mut cells), "dimension {j}");
    }
    for wide in 0..=m {
        let (columns, rows) = (1_u64 << wide, 1_u64 << (m - wide));
        let cell = |point: &Vec<f64>| cell(point[0], columns) * rows + cell(point[1], rows);
        assert!(is_once(&mut drawn.iter().map(cell).collect()), "{columns} by {rows}");
    }
}

#[test]
fn a_saltelli_design_has_blocks_of_two_points_and_their_mixtures() {
    let saltelli = design(Sampling::Saltelli { draws: 8, seed: 2 }, &vec![unit(); 3]);
    assert_eq!(saltelli.count(), 8 * 5);
    // one Sobol sequence in six dimensions
    let both = design(Sampling::Sobol { runs: 8, seed: 2 }, &vec![unit(); 6]);
    for (k, block) in points(&saltelli).chunks(5).enumerate() {
        let (a, b) = (&block[0], &block[1]);
        assert_eq!([&a[..], b].concat(), both.point(k as u64));
        for j in 0..3 {
            let mut mixed = a.clone();
            mixed[j] = b[j];
            assert_eq!(block[2 + j], mixed);
        }
    }
}

/// All pairs compared, as the definition says.
#[test]
fn a_front_is_what_no_point_dominates() {
    for width in 1..=4 {
        // few levels, so that many are equal
        let levels = Factor::Linear { from: 0.0, to: 9.0, count: 10 };
        let drawn = design(Sampling::Random { runs: 300, seed: 5 }, &vec![levels; width]);
        let mut points = points(&drawn);
        points[17][0] = f64::NAN;
        points[18][width - 1] = -0.0;
        let dominates = |a: &Vec<f64>, b: &Vec<f64>| {
            a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
        };
        let alone = |k: &usize| {
            !points[*k].iter().any(|x| x.is_nan())
                && !points.iter().any(|p| dominates(p, &points[*k]))
        };
        let wanted: Vec<usize> = (0..points.len()).filter(alone).collect();
        assert_eq!(pareto_front(&points).expect("a front"), wanted, "{width} figures");
    }
}
