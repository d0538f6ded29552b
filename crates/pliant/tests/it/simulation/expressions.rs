//! Small expressions.

use pliant::simulate::{Expression, Function, Jet};
use std::f64::consts::{E, PI};

const NAMES: [&str; 4] = ["t", "upper.y1", "link 0", "e1"];

fn parse(text: &str) -> Result<Expression, pliant::simulate::ExpressionError> {
    Expression::parse(text, |name| NAMES.iter().position(|&known| known == name))
}

#[test]
fn values() {
    let variables = [3.0, 0.5, -2.0, 7.0];
    for (text, value) in [
        ("1", 1.0),
        (" .5 ", 0.5),
        ("2.e1", 20.0),
        ("1.5e-3", 1.5e-3),
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 - 4 - 2", 2.0),
        ("16 / 4 / 2", 2.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("(-2) ^ 2", 4.0),
        ("2 ^ -1", 0.5),
        ("2 * -3", -6.0),
        ("- - 3", 3.0),
        ("+4 - +1", 3.0),
        ("2 - -2", 4.0),
        ("pi", PI),
        ("2 * e", 2.0 * E),
        ("t", 3.0),
        ("upper.y1 * 4", 2.0),
        ("{link 0} + {t}", 1.0),
        ("e1", 7.0),
        ("sin(pi / 2)", 1.0),
        ("cos(0)", 1.0),
        ("tan(0.5) * cos(0.5) - sin(0.5)", 0.0),
        ("exp(log(5))", 5.0),
        ("sqrt(t + 6)", 3.0),
        ("abs({link 0})", 2.0),
        ("min(2, t) + max(2, t)", 5.0),
        ("sign(-3) + sign(0) + sign(2)", 0.0),
        ("step(-1) + step(0) + step(1)", 2.0),
        ("atan2(1, -1)", 0.75 * PI),
        ("atan2(0, 0)", 0.0),
        ("tanh(100)", 1.0),
        ("t ^ upper.y1", 3.0_f64.sqrt()),
        ("{link 0} ^ 3", -8.0),
        ("0 ^ 0", 1.0),
    ] {
        let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let got: f64 = expression.evaluate(&variables);
        assert!((got - value).abs() <= 4e-15 * value.abs().max(1.0), "{text}: {got} {value}");
    }
}

#[test]
fn faults_point_and_explain() {
    for (text, range, message) in [
        ("", 0..0, "expected a number, a name or \"(\", found the end"),
        ("1 +", 3..3, "expected a number, a name or \"(\", found the end"),
        ("1 + * 2", 4..5, "expected a number, a name or \"(\", found \"*\""),
        ("2 pi", 2..3, "expected an operator or the end, found \"p\""),
        ("(1 + 2", 6..6, "expected an operator or \")\", found the end"),
        ("1 + 2)", 5..6, "expected an operator or the end, found \")\""),
        ("3 * ünder", 4..10, "there is no variable named \"ünder\""),
        ("uper.y1", 0..7, "there is no variable named \"uper.y1\""),
        ("1 + {link 9}", 5..11, "there is no variable named \"link 9\""),
        ("{link 0", 0..7, "expected \"}\" behind the name, found the end"),
        ("sine(t)", 0..4, "there is no function named \"sine\""),
        ("sin + 1", 0..3, "sin is a function and needs its arguments"),
        ("sin()", 0..5, "sin takes 1 argument(s), not 0"),
        ("min(1)", 0..6, "min takes 2 argument(s), not 1"),
        ("1 + max(1, 2, 3)", 4..16, "max takes 2 argument(s), not 3"),
        ("sin(1; 2)", 5..6, "expected an operator, \",\" or \")\", found \";\""),
        (".", 0..1, ". is not a number"),
        ("1e999", 0..5, "1e999 is not a number"),
        ("t = 3", 2..3, "expected an operator or the end, found \"=\""),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.range.clone(), error.to_string().as_str()), (range, message), "{text}");
        assert!(text.get(error.range).is_some(), "{text}: a range on whole characters");
    }
    for deep in ["(".repeat(100_000), "-".repeat(100_000), "1+(".repeat(70) + "1"] {
        let text = deep.clone() + "1";
        assert!(parse(&text).is_err());
    }
}

#[test]
fn time_goes_through_every_function() {
    let h = 1e-4;
    let text = |function: Function| match function.arguments() {
        2 => format!("{}(0.3 + t * t, 1.2 - t)", function.name()),
        _ => format!("{}(0.3 + t * t)", function.name()),
    };
    let more = ["t ^ t", "(1 + t) ^ 2.5", "2 ^ (3 * t)", "1 / (1 + t)"].map(str::to_owned);
    for text in Function::ALL.map(text).into_iter().chain(more) {
        let expression = Expression::of_time(&text).expect("it can be read");
        for k in 1..20 {
            let t = 0.041 * f64::from(k);
            let jet: Jet = expression.evaluate(&[Jet::time(t)]);
            let [before, now, after] = [t - h, t, t + h].map(|t| expression.evaluate::<f64>(&[t]));
            let (rate, bend) =
                ((after - before) / (2.0 * h), (after - 2.0 * now + before) / (h * h));
            assert!((jet.value - now).abs() < 1e-14, "{text} at {t}");
            assert!((jet.rate - rate).abs() < 1e-5, "{text} at {t}: {} {rate}", jet.rate);
            assert!((jet.acceleration - bend).abs() < 1e-4, "{text} at {t}: {jet:?} {bend}");
        }
    }
}
