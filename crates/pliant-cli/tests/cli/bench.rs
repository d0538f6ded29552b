//! `pliant bench`.

use super::pliant;
use serde_json::Value;

fn object(arguments: &[&str]) -> Value {
    let all = [&["bench", "--operations", "--format", "json"], arguments].concat();
    serde_json::from_str(&pliant(&all).done()).expect("JSON")
}

/// The multiplications and additions of one row.
fn row(list: &Value, key: &str, name: &str, quantity: &str) -> (f64, Option<f64>) {
    let rows = list.as_array().expect("a list");
    let found = rows.iter().find(|row| row[key] == name && row["quantity"] == quantity);
    let row = found.unwrap_or_else(|| panic!("no {quantity} by {name}"));
    (row["multiplications"].as_f64().expect("a number"), row["additions"].as_f64())
}

#[test]
fn six_flexible_links_beside_the_printed_counts() {
    let answer = object(&[]);
    let counted =
        |method: &str, quantity: &str| row(&answer["counted"], "method", method, quantity);
    assert_eq!(counted("gibbs-appell", "H and R"), (22_430.0, Some(21_064.0)));
    assert_eq!(counted("composite", "H and R"), (8706.0, Some(7554.0)));
    assert_eq!(counted("articulated", "forward dynamics"), (9110.0, Some(8148.0)));
    assert_eq!(counted("recurrence", "inverse dynamics"), (5009.0, Some(4353.0)));
    let printed =
        |source: &str, quantity: &str| row(&answer["printed"], "source", source, quantity);
    assert_eq!(printed("Korayem and Shafei, table 2", "H and R"), (19_557.0, Some(18_332.0)));
    assert_eq!(printed("Book, as both quote it", "H and R"), (25_251.0, Some(24_569.0)));
    assert_eq!(printed("King, section 2.8", "H").1, None, "its additions are cut in the text");
}

/// Compiled for one arm, mass matrix and bias take less than three fifths of what is printed for any.
#[test]
fn compiled_recursions_beside_the_printed_counts() {
    for (links, flexible, modes, source, most) in [
        ("6", "6", "3", "King, section 2.8", (6000.0, 5000.0)),
        ("3", "2", "2", "Korayem and Shafei, table 2", (1500.0, 1200.0)),
    ] {
        let answer = object(&["--links", links, "--flexible", flexible, "--modes", modes]);
        let printed = row(&answer["printed"], "source", source, "H and R");
        let (products, sums) = row(&answer["counted"], "method", "compiled", "H and R");
        assert!(
            products <= most.0 && sums.is_some_and(|sums| sums <= most.1),
            "{products} {sums:?}"
        );
        assert!(products < 0.65 * printed.0, "{products} {printed:?}");
    }
}

/// Each step is as printed, or there is a sentence that says why not.
#[test]
fn differences_have_their_reasons() {
    let answer = object(&[]);
    let text = pliant(&["bench", "--operations"]).done();
    let reasons = text.split_once("Differences from the published counts").expect("reasons").1;
    let mut equal = Vec::new();
    for step in answer["gibbs_appell_steps"].as_array().expect("a list") {
        let number = step["step"].as_u64().expect("a number");
        if step["multiplications"].as_f64() == step["printed_multiplications"].as_f64() {
            equal.push(number);
        } else {
            assert!(reasons.contains(&format!("  step {number} ")), "step {number}\n{reasons}");
        }
    }
    assert_eq!(equal, [3, 4, 5, 6, 7, 8, 10]);
}

#[test]
fn six_rigid_links_beside_the_classical_counts() {
    let answer = object(&["--links", "6", "--flexible", "0"]);
    let source = "Newton-Euler, rigid, King, table 1.1";
    let classical = row(&answer["printed"], "source", source, "inverse dynamics");
    assert_eq!(classical, (852.0, Some(738.0)));
    let ours = row(&answer["counted"], "method", "recursive", "inverse dynamics");
    assert_eq!(ours, (672.0, Some(576.0)));
}

/// What King prints for rigid links and for both kinds, and Korayem's other order.
#[test]
fn any_pattern_of_links() {
    let printed = |arguments: &[&str], source: &str| {
        row(&object(arguments)["printed"], "source", source, "H and R").0
    };
    let source = "King, section 2.8, bending and rigid links without coupling";
    assert_eq!(printed(&["--pattern", "ffrrrr", "--modes", "3"], source), 3190.0);
    let rigid = printed(&["--links", "24", "--flexible", "0"], "King, section 2.8, rigid");
    assert_eq!(rigid, 11_495.0);
    let counts = |pattern: &str| object(&["--pattern", pattern])["counted"].clone();
    assert_eq!(counts("ffr"), object(&["--links", "3", "--flexible", "2"])["counted"]);
    assert_ne!(counts("ffr"), counts("rff"));
}

#[test]
fn what_is_refused() {
    for pattern in ["", "rfx"] {
        let text = pliant(&["bench", "--operations", "--pattern", pattern]).refused();
        assert!(text.contains("which links bend"), "{text}");
    }
    let text = pliant(&["bench"]).refused();
    assert!(text.contains("--operations"), "{text}");
    let text = pliant(&["bench", "--operations", "--links", "3", "--flexible", "4"]).refused();
    assert!(text.contains("4 of 3 links cannot bend"), "{text}");
    let text = pliant(&["bench", "--operations", "--links", "0"]).refused();
    assert!(text.contains("1..=200"), "{text}");
}
