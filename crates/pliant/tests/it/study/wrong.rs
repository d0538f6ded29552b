//! What is refused, and in which words.

use pliant::Help;
use pliant::study::{
    Bootstrap, Design, DesignVariable, Factor, Optimisation, Optimiser, Sampling, StudyError,
    TrialOutcome, pareto_front, sobol_indices,
};

const INFINITY: f64 = f64::INFINITY;

fn refused(sampling: Sampling, factors: Vec<Factor>) -> StudyError {
    Design::new(sampling, factors).expect_err("a wrong design")
}

#[test]
fn factors_without_values() {
    let good = || Factor::Points(vec![1.0, 2.0]);
    let linear = |from, to, count| Factor::Linear { from, to, count };
    let logarithmic = |from, to, count| Factor::Logarithmic { from, to, count };
    for (factor, wanted) in [
        (Factor::Points(vec![]), "factor 2 has no values; give at least one value"),
        (Factor::Points(vec![f64::NAN]), "a value of factor 2 is NaN; give a finite number"),
        (linear(0.0, 1.0, 0), "factor 2 has no values; give at least one value"),
        (
            linear(3.0, 3.0, 2),
            "the range of factor 2 goes from 3 to 3; give a range from a smaller to a larger number",
        ),
        (linear(0.0, INFINITY, 2), "the last value of factor 2 is inf; give a finite number"),
        (linear(-1e308, 1e308, 2), "the range of factor 2 is inf; give a finite number"),
        (
            logarithmic(0.0, 1.0, 2),
            "the logarithmic range of factor 2 goes from 0 to 1; give a range from a smaller to a larger positive number",
        ),
    ] {
        let error = refused(Sampling::Grid, vec![good(), factor]);
        assert_eq!(error.with_help(), wanted);
        assert_eq!(error.factor(), Some(1));
    }
}

#[test]
fn distributions_of_nothing() {
    let normal = |mean, deviation, from, to| Factor::Normal { mean, deviation, from, to };
    for (factor, wanted) in [
        (Factor::Uniform { from: 1.0, to: 1.0 }, "the range of factor 1 goes from 1 to 1"),
        (Factor::Uniform { from: 2.0, to: 1.0 }, "the range of factor 1 goes from 2 to 1"),
        (
            Factor::LogUniform { from: -1.0, to: 1.0 },
            "the logarithmic range of factor 1 goes from -1 to 1",
        ),
        (Factor::normal(0.0, 0.0), "the standard deviation of factor 1 is 0"),
        (Factor::normal(0.0, INFINITY), "the standard deviation of factor 1 is inf"),
        (Factor::normal(f64::NAN, 1.0), "the mean of factor 1 is NaN"),
        (normal(0.0, 1.0, 2.0, 1.0), "the range of factor 1 goes from 2 to 1"),
        (normal(0.0, 1.0, f64::NAN, 1.0), "the range of factor 1 goes from NaN to 1"),
        (
            normal(0.0, 1.0, 50.0, 60.0),
            "the normal distribution of factor 1 has nothing between 50 and 60",
        ),
    ] {
        let error = refused(Sampling::Random { runs: 1, seed: 0 }, vec![factor]);
        assert_eq!(error.to_string(), wanted);
        assert!(error.help().is_some());
    }
}

#[test]
fn designs_of_no_runs_or_too_many() {
    let unit = || Factor::Uniform { from: 0.0, to: 1.0 };
    let wide = Factor::Linear { from: 0.0, to: 1.0, count: 1 << 30 };
    let points = |n: usize| Factor::Points(vec![0.5; n]);
    for (sampling, factors, wanted) in [
        (Sampling::Grid, vec![], "nothing varies; give at least one factor"),
        (
            Sampling::Grid,
            vec![points(2), unit()],
            "factor 2 has a distribution, and a grid needs single values; give values or a number of steps, or draw at random",
        ),
        (
            Sampling::List,
            vec![points(2), points(2), points(3)],
            "factor 3 has 3 values, and the first has 2; give 2 values",
        ),
        (
            Sampling::Grid,
            vec![wide.clone(), wide.clone()],
            "more than 4503599627370496 runs; take fewer steps, or draw at random",
        ),
        (
            Sampling::Grid,
            vec![wide; 3],
            "more than 4503599627370496 runs; take fewer steps, or draw at random",
        ),
        (Sampling::Random { runs: 0, seed: 0 }, vec![unit()], "0 runs; ask for at least one run"),
        (
            Sampling::Sobol { runs: 1, seed: 0 },
            vec![unit(); 129],
            "129 factors vary, and this design has room for 128; let 128 factors vary at most, or draw at random",
        ),
        (
            Sampling::Saltelli { draws: 1, seed: 0 },
            vec![unit(); 65],
            "65 factors vary, and this design has room for 64; let 64 factors vary at most",
        ),
        (
            Sampling::Saltelli { draws: u64::MAX, seed: 0 },
            vec![unit()],
            "more than 4503599627370496 runs; ask for fewer runs",
        ),
    ] {
        assert_eq!(refused(sampling, factors).with_help(), wanted);
    }
}

#[test]
fn optimisations_of_nothing() {
    let range = |from, to, logarithmic| DesignVariable { from, to, logarithmic };
    let refused = |problem| Optimiser::new(problem).expect_err("a wrong optimisation").to_string();
    let of = |variable| Optimisation::new(vec![variable], 1);
    assert_eq!(refused(Optimisation::new(vec![], 0)), "nothing varies");
    assert_eq!(refused(of(range(1.0, 0.0, false))), "the range of factor 1 goes from 1 to 0");
    assert_eq!(
        refused(of(range(0.0, 1.0, true))),
        "the logarithmic range of factor 1 goes from 0 to 1"
    );
    let good = || of(range(0.0, 1.0, false));
    assert_eq!(refused(Optimisation { starts: 0, ..good() }), "0 runs");
    assert_eq!(refused(Optimisation { figures: 3, ..good() }), "3 figures are to be small");
    assert_eq!(refused(Optimisation { tolerance: f64::NAN, ..good() }), "the tolerance is NaN");

    let mut search = Optimiser::new(good()).expect("a good one");
    assert_eq!(search.tell(TrialOutcome::Failed), Err(StudyError::NotAsked));
    let asked = search.next_point();
    let outcome = TrialOutcome::Figures { values: vec![1.0], constraints: vec![] };
    assert_eq!(
        search.tell(outcome),
        Err(StudyError::TrialNumbers { what: "constraints", given: 0, wanted: 1 })
    );
    // the point remains open
    assert_eq!(search.next_point(), asked);
    assert_eq!(search.tell(TrialOutcome::Failed), Ok(()));
}

#[test]
fn figures_that_do_not_fit() {
    let ragged = pareto_front(&[vec![1.0, 2.0], vec![1.0]]).expect_err("two lengths");
    assert_eq!(
        ragged.with_help(),
        "point 2 has 1 figures, and the first has 2; give 2 figures for each point"
    );
    let wide = Bootstrap { confidence: 1.0, ..Bootstrap::default() };
    let error = sobol_indices(1, &[0.0; 6], wide).expect_err("a wrong confidence");
    assert_eq!(error.with_help(), "the confidence is 1; give a number between 0 and 1");
}
