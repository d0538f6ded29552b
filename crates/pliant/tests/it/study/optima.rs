//! Optima of textbooks.

use pliant::study::{
    DesignVariable, Optimisation, Optimiser, StudyError, Trial, TrialOutcome, best_trials, minimise,
};
use std::f64::consts::{PI, TAU};

fn linear(from: f64, to: f64) -> DesignVariable {
    DesignVariable { from, to, logarithmic: false }
}

fn logarithmic(from: f64, to: f64) -> DesignVariable {
    DesignVariable { from, to, logarithmic: true }
}

fn done(value: f64, constraints: &[f64]) -> TrialOutcome {
    TrialOutcome::Figures { values: vec![value], constraints: constraints.to_vec() }
}

fn value(trial: &Trial) -> f64 {
    match &trial.outcome {
        TrialOutcome::Figures { values, .. } => values[0],
        TrialOutcome::Failed => f64::NAN,
    }
}

/// The best trial for several seeds, each compared with the known optimum.
fn finds(
    what: &str,
    variables: &[DesignVariable],
    constraints: usize,
    of: impl Fn(&[f64]) -> TrialOutcome,
    point: &[f64],
    optimum: f64,
) {
    for seed in 0..4 {
        let problem = Optimisation { seed, ..Optimisation::new(variables.to_vec(), constraints) };
        let mut trials = 0;
        let best = minimise(problem, |point| {
            trials += 1;
            of(point)
        });
        let best = best.expect("an optimisation").expect("a feasible point");
        assert!(best.is_feasible());
        let model = format!("{what}, seed {seed}, {trials} trials");
        assert_close!(model, [value(&best)], [optimum], rel = 1e-3, "the optimum of the textbook");
        for (got, want) in best.point.iter().zip(point) {
            // an error e of a figure is one of √e where it is flat
            assert_close!(model, [*got], [*want], rel = 1e-3, "where it is");
        }
    }
}

/// The lightest tube (m) of steel that carries 2 kg on its tip, 1 m from its root, with a first
/// frequency of at least 20 Hz and a wall of at least a fiftieth of its diameter:
/// `ω² = 3 E I / (L³ (m + 33/140 M))` (Rayleigh).
#[test]
fn the_lightest_tube_for_a_frequency() {
    let (density, modulus, length, payload) = (7850.0, 210e9, 1.0, 2.0);
    let mass = |area: f64| density * area * length;
    let frequency = |second: f64, area: f64| {
        let swinging = payload + 33.0 / 140.0 * mass(area);
        (3.0 * modulus * second / (length * length * length * swinging)).sqrt() / TAU
    };
    // of a tube of diameter 1 with the thinnest wall
    let inner: f64 = 0.96;
    let (area, second) = (PI / 4.0 * (1.0 - inner * inner), PI / 64.0 * (1.0 - inner.powi(4)));
    // 3 E I D⁴ = ω² L³ (m + 33/140 ρ L A D²), a quadratic equation in D²
    let square = (TAU * 20.0_f64).powi(2) * length.powi(3);
    let (a, b, c) = (3.0 * modulus * second, square * 33.0 / 140.0 * mass(area), square * payload);
    let diameter = ((b + (b * b + 4.0 * a * c).sqrt()) / (2.0 * a)).sqrt();
    let best = [diameter, diameter / 50.0];

    finds(
        "tube",
        &[logarithmic(0.005, 0.2), logarithmic(1e-4, 0.02)],
        2,
        |x| {
            let (outer, inner) = (x[0], x[0] - 2.0 * x[1]);
            if inner < 0.0 {
                return TrialOutcome::Failed;
            }
            let area = PI / 4.0 * (outer * outer - inner * inner);
            let second = PI / 64.0 * (outer.powi(4) - inner.powi(4));
            done(mass(area), &[20.0 - frequency(second, area), outer / 50.0 - x[1]])
        },
        &best,
        mass(area) * diameter * diameter,
    );
}

/// Five square segments of a cantilever with a load on its tip, as light as its deflection lets them
/// be (Svanberg 1987): with `Σ cᵢ / xᵢ³ = 1`, Lagrange's condition is `xᵢ⁴ ∝ cᵢ`.
#[test]
fn a_stepped_cantilever() {
    let c: [f64; 5] = [61.0, 37.0, 19.0, 7.0, 1.0];
    let roots = c.map(|c| c.sqrt().sqrt());
    let factor = roots.iter().sum::<f64>().cbrt();
    let point = roots.map(|root| root * factor);
    finds(
        "cantilever",
        &[linear(1.0, 10.0); 5],
        1,
        |x| {
            let deflection: f64 = x.iter().zip(c).map(|(x, c)| c / x.powi(3)).sum();
            done(0.0624 * x.iter().sum::<f64>(), &[deflection - 1.0])
        },
        &point,
        0.0624 * point.iter().sum::<f64>(),
    );
}

/// Two tubes of 0.1 in that carry a load between two supports 60 in apart, as light as stress and
/// buckling let them be; both limits are reached (Fox 1971).
#[test]
fn a_truss_of_two_bars() {
    let (load, half, wall, modulus, density, limit) = (33_000.0, 30.0_f64, 0.1, 30e6, 0.3, 100e3);
    let weight = |d: f64, h: f64| 2.0 * density * PI * d * wall * half.hypot(h);
    let stress = |d: f64, h: f64| load * half.hypot(h) / (PI * wall * d * h);
    let buckling =
        |d: f64, h: f64| PI * PI * modulus * (d * d + wall * wall) / (8.0 * half.hypot(h).powi(2));
    // along the limit of stress, the height at which bars buckle too
    let diameter = |h: f64| load * half.hypot(h) / (PI * wall * limit * h);
    let (mut low, mut high) = (5.0, 30.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if buckling(diameter(middle), middle) > limit { low = middle } else { high = middle }
    }
    finds(
        "truss",
        &[linear(0.5, 5.0), linear(5.0, 60.0)],
        2,
        |x| {
            let stress = stress(x[0], x[1]);
            done(weight(x[0], x[1]), &[stress - limit, stress - buckling(x[0], x[1])])
        },
        &[diameter(low), low],
        weight(diameter(low), low),
    );
}

/// Two impulses that leave at most 5 % of a vibration of 2 Hz, as soon as possible: equal ones,
/// `2 acos(0.05) / ω` apart.
#[test]
fn the_shaper_of_least_time() {
    let omega = TAU * 2.0;
    let time = 2.0 * 0.05_f64.acos() / omega;
    finds(
        "shaper",
        &[linear(0.0, 1.0), linear(0.0, 0.5)],
        1,
        |x| {
            let (first, second) = (x[0], 1.0 - x[0]);
            let turn = omega * x[1];
            let left = (first + second * turn.cos()).hypot(second * turn.sin());
            done(x[1], &[left - 0.05])
        },
        &[0.5, time],
        time,
    );
}

/// Rosenbrock's valley inside of the unit circle: the minimum is on the circle, where a search over
/// the angle finds it.
#[test]
fn rosenbrock_in_a_disk() {
    let valley = |x: f64, y: f64| (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2);
    let on_circle = |angle: f64| valley(angle.cos(), angle.sin());
    let (mut low, mut high) = (0.5, 0.8);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if on_circle(a) < on_circle(b) { high = b } else { low = a }
    }
    finds(
        "disk",
        &[linear(-1.5, 1.5); 2],
        1,
        |x| done(valley(x[0], x[1]), &[x[0] * x[0] + x[1] * x[1] - 1.0]),
        &[low.cos(), low.sin()],
        on_circle(low),
    );
}

/// A beam welded to a wall, as cheap as stress in the weld and in the beam, deflection and buckling
/// let it be (Ragsdell and Phillips 1976); 1.724852 is the smallest cost that is published.
#[test]
fn a_welded_beam() {
    let (load, overhang, modulus, shear): (f64, f64, f64, f64) = (6000.0, 14.0, 30e6, 12e6);
    let cost = |x: &[f64]| {
        let (h, l, t, b) = (x[0], x[1], x[2], x[3]);
        let arm = (0.25 * l * l + 0.25 * (h + t).powi(2)).sqrt();
        let polar = 2.0 * 2.0_f64.sqrt() * h * l * (l * l / 12.0 + 0.25 * (h + t).powi(2));
        let direct = load / (2.0_f64.sqrt() * h * l);
        let turning = load * (overhang + 0.5 * l) * arm / polar;
        let weld = (direct * direct + direct * turning * l / arm + turning * turning).sqrt();
        let bending = 6.0 * load * overhang / (b * t * t);
        let deflection = 4.0 * load * overhang.powi(3) / (modulus * t.powi(3) * b);
        let slender = 1.0 - t / (2.0 * overhang) * (0.25 * modulus / shear).sqrt();
        let critical = 4.013 * modulus * t * b.powi(3) / (6.0 * overhang * overhang) * slender;
        let limits =
            [weld - 13_600.0, bending - 30_000.0, h - b, deflection - 0.25, load - critical];
        done(1.104_71 * h * h * l + 0.048_11 * t * b * (overhang + l), &limits)
    };
    let ranges = [linear(0.125, 2.0), linear(0.1, 10.0), linear(0.1, 10.0), linear(0.1, 2.0)];
    finds("welded beam", &ranges, 5, cost, &[0.20573, 3.47049, 9.03662, 0.20573], 1.724_852);
}

/// The lightest spring, in a narrow and curved valley between two limits (Arora 2004); 0.012665 is
/// the smallest weight that is published. The weight is flat along the valley.
#[test]
fn the_lightest_spring() {
    let weight = |x: &[f64]| {
        let (wire, coil, turns) = (x[0], x[1], x[2]);
        let limits = [
            1.0 - coil.powi(3) * turns / (71_785.0 * wire.powi(4)),
            (4.0 * coil * coil - wire * coil) / (12_566.0 * (coil - wire) * wire.powi(3))
                + 1.0 / (5108.0 * wire * wire)
                - 1.0,
            1.0 - 140.45 * wire / (coil * coil * turns),
            (wire + coil) / 1.5 - 1.0,
        ];
        done((turns + 2.0) * coil * wire * wire, &limits)
    };
    let ranges = [logarithmic(0.05, 2.0), logarithmic(0.25, 1.3), logarithmic(2.0, 15.0)];
    finds("spring", &ranges, 4, weight, &[], 0.012_665);
}

/// A sphere in eight variables with a bound that is reached.
#[test]
fn eight_variables() {
    finds(
        "sphere",
        &[linear(-2.0, 3.0); 8],
        1,
        |x| done(1.0 + x.iter().map(|x| x * x).sum::<f64>(), &[1.0 - x[0]]),
        &[1.0],
        2.0,
    );
}

/// Steps of 1e-2 and noise of 1e-3 on a bowl: the optimum is found to what they hide.
#[test]
fn steps_and_noise() {
    let bowl = |x: &[f64]| (x[0] - 0.3).powi(2) + 2.0 * (x[1] + 0.4).powi(2);
    let noise = |x: &[f64]| (1e7 * (x[0] + 1.7 * x[1])).sin();
    for seed in 0..4 {
        let problem = || Optimisation { seed, ..Optimisation::new(vec![linear(-1.0, 1.0); 2], 0) };
        let stepped = |x: &[f64]| done((bowl(x) * 100.0).floor() / 100.0, &[]);
        let best = minimise(problem(), stepped).expect("valid").expect("feasible");
        assert_eq!(value(&best), 0.0);
        let noisy = |x: &[f64]| done(bowl(x) + 1e-3 * noise(x), &[]);
        let best = minimise(problem(), noisy).expect("valid").expect("feasible");
        assert!(bowl(&best.point) < 3e-3, "{}", bowl(&best.point));
    }
}

/// Runs that fail beside the optimum, and figures that are no numbers.
#[test]
fn runs_that_fail() {
    for seed in 0..4 {
        let variables = vec![linear(0.0, 1.0), logarithmic(0.1, 10.0)];
        let problem = Optimisation { seed, ..Optimisation::new(variables, 1) };
        let best = minimise(problem, |x| {
            assert!(x.iter().all(|x| x.is_finite()));
            let off = x[1].ln();
            match x[0] {
                x if x < 0.3 => TrialOutcome::Failed,
                x if x > 0.9 => done(f64::NAN, &[-1.0]),
                x if x > 0.8 => done(-1.0, &[f64::NEG_INFINITY]),
                x => done(x + off * off, &[0.1 - x]),
            }
        });
        let best = best.expect("valid").expect("feasible");
        assert!((value(&best) / 0.3 - 1.0).abs() < 1e-3, "{best:?}");
    }
}

#[test]
fn nothing_feasible_is_no_best() {
    let problem =
        || Optimisation { evaluations: 300, ..Optimisation::new(vec![linear(0.0, 2.0)], 1) };
    let mut trials = 0;
    let never = minimise(problem(), |_| {
        trials += 1;
        TrialOutcome::Failed
    });
    assert_eq!((never, trials), (Ok(None), 300));
    // least violated at 1
    let mut search = Optimiser::new(problem()).expect("valid");
    while let Some(point) = search.next_point() {
        search.tell(done(0.0, &[1.0 + (point[0] - 1.0).powi(2)])).expect("asked");
    }
    assert_eq!(search.best(), None);
    let last = search.trials().last().expect("trials");
    assert!((last.point[0] - 1.0).abs() < 0.1, "{last:?}");
}

/// Stopped after any trial, it goes on as if it had not been.
#[test]
fn a_search_is_taken_up_bit_for_bit() {
    let problem = || {
        let variables = vec![linear(-2.0, 2.0), logarithmic(0.5, 8.0)];
        Optimisation { evaluations: 150, starts: 2, ..Optimisation::new(variables, 1) }
    };
    let of = |x: &[f64]| match x[0] {
        x if x < -1.5 => TrialOutcome::Failed,
        _ => done((x[0] - 1.0).powi(2) + (x[1] - x[0]).powi(2), &[x[0] + x[1] - 1.8]),
    };
    let mut search = Optimiser::new(problem()).expect("valid");
    while let Some(point) = search.next_point() {
        assert_eq!(search.next_point(), Some(point.clone()));
        search.tell(of(&point)).expect("asked");
    }
    let whole = search.trials();
    assert!(whole.len() > 60);
    for kept in 0..=whole.len() {
        let mut resumed = Optimiser::resume(problem(), &whole[..kept]).expect("its own trials");
        let next = resumed.next_point();
        assert_eq!(next.as_ref(), whole.get(kept).map(|trial| &trial.point), "after {kept}");
    }
    let other = Optimisation { seed: 1, ..problem() };
    let error = Optimiser::resume(other, whole).expect_err("other points");
    assert_eq!(error, StudyError::OtherTrial { trial: 0 });
}

fn pair(values: [f64; 2], constraints: &[f64]) -> TrialOutcome {
    TrialOutcome::Figures { values: values.to_vec(), constraints: constraints.to_vec() }
}

/// The trials that no other one beats, compared with the known front from its one end to the other:
/// all that are near it, with gaps that are at most a given part of it, and none beyond it.
fn finds_front(
    what: &str,
    variables: &[DesignVariable],
    constraints: usize,
    of: impl Fn(&[f64]) -> TrialOutcome,
    ends: [f64; 2],
    front: impl Fn(f64) -> f64,
) {
    for seed in 0..4 {
        let problem =
            Optimisation { figures: 2, seed, ..Optimisation::new(variables.to_vec(), constraints) };
        let mut search = Optimiser::new(problem).expect("valid");
        while let Some(point) = search.next_point() {
            search.tell(of(&point)).expect("asked");
        }
        let trials = search.trials();
        let model = format!("{what}, seed {seed}, {} trials", trials.len());
        let best = best_trials(trials).expect("figures of all");
        let width = ends[1] - ends[0];
        let height = front(ends[0]) - front(ends[1]);
        let mut near: Vec<[f64; 2]> = Vec::new();
        for &k in &best {
            let TrialOutcome::Figures { values, .. } = &trials[k].outcome else {
                panic!("{model}: a failed trial is among the best");
            };
            let beyond = values[1] - front(values[0].clamp(ends[0], ends[1]));
            assert!(beyond > -1e-9 * height, "{model}: {values:?} is beyond the front");
            // an end may be reached to the step of the search
            if beyond < 1e-3 * height {
                near.push([(values[0] - ends[0]) / width, (values[1] - front(ends[1])) / height]);
            }
        }
        near.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (first, last) = (near.first().expect("some"), near.last().expect("some"));
        assert!(first[0] < 1e-3 && last[1] < 1e-3, "{model}: the ends are {first:?}, {last:?}");
        // eight gaps of equal width would be 1/8 each
        let gap = |two: &[[f64; 2]]| f64::max(two[1][0] - two[0][0], two[0][1] - two[1][1]);
        let widest = near.windows(2).map(gap).fold(0.0, f64::max);
        assert!(widest < 0.26, "{model}: a gap of {widest} among {}", near.len());
    }
}

/// Deb (2001), Constr-Ex: the front follows a constraint, and then a bound.
#[test]
fn a_front_along_a_constraint() {
    finds_front(
        "Constr-Ex",
        &[linear(0.1, 1.0), linear(0.0, 5.0)],
        2,
        |x| {
            let (a, b) = (x[0], x[1]);
            pair([a, (1.0 + b) / a], &[6.0 - b - 9.0 * a, 1.0 + b - 9.0 * a])
        },
        [7.0 / 18.0, 1.0],
        |a| (1.0 + f64::max(6.0 - 9.0 * a, 0.0)) / a,
    );
}

/// Fonseca (1995): the front is hollow, so that no weighted sum finds its middle.
#[test]
fn a_hollow_front() {
    let near = |x: &[f64], to: f64| 1.0 - (-x.iter().map(|x| (x - to).powi(2)).sum::<f64>()).exp();
    let place = 0.5_f64.sqrt();
    finds_front(
        "hollow",
        &[linear(-2.0, 2.0); 2],
        0,
        |x| pair([near(x, place), near(x, -place)], &[]),
        [0.0, near(&[-place; 2], place)],
        |first| {
            // both variables are alike: their distance from the first end
            let away = (-0.5 * (1.0 - first).ln()).sqrt();
            near(&[place - away; 2], -place)
        },
    );
}

/// One figure that contradicts no other: its optimum is the whole front.
#[test]
fn figures_that_agree_have_one_best() {
    let problem = Optimisation { figures: 2, ..Optimisation::new(vec![linear(-1.0, 2.0)], 0) };
    let mut search = Optimiser::new(problem).expect("valid");
    while let Some(point) = search.next_point() {
        let off = (point[0] - 0.3).powi(2);
        search.tell(pair([off, 2.0 * off + 1.0], &[])).expect("asked");
    }
    let best = best_trials(search.trials()).expect("figures");
    assert_eq!(best.len(), 1);
    assert_eq!(Some(&search.trials()[best[0]]), search.best());
    assert!((search.trials()[best[0]].point[0] - 0.3).abs() < 1e-3);
}

/// A front is taken up after any trial, and what is foreseen comes where nothing is better.
#[test]
fn a_front_is_taken_up_bit_for_bit() {
    let problem = || Optimisation {
        figures: 2,
        starts: 1,
        points: 4,
        evaluations: 120,
        ..Optimisation::new(vec![linear(0.0, 3.0); 2], 1)
    };
    let of = |x: &[f64]| match x[0] + x[1] {
        sum if sum > 5.5 => TrialOutcome::Failed,
        sum => pair([x[0].hypot(x[1]), (x[0] - 2.0).hypot(x[1] - 1.0)], &[0.5 - sum]),
    };
    let mut search = Optimiser::new(problem()).expect("valid");
    let (mut foreseen, mut right) = (Vec::new(), 0);
    while let Some(point) = search.next_point() {
        right += usize::from(foreseen.get(1) == Some(&point));
        foreseen = search.foreseen(3);
        assert_eq!(foreseen.first(), Some(&point));
        search.tell(of(&point)).expect("asked");
    }
    let whole = search.trials();
    assert!(whole.len() > 60 && 2 * right > whole.len(), "{right} of {}", whole.len());
    for kept in (0..=whole.len()).step_by(7) {
        let mut resumed = Optimiser::resume(problem(), &whole[..kept]).expect("its own trials");
        let next = resumed.next_point();
        assert_eq!(next.as_ref(), whole.get(kept).map(|trial| &trial.point), "after {kept}");
    }
}
