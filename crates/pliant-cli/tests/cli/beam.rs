//! `pliant check --beam`.

use super::{pliant, pliant_in, scratch};
use serde_json::Value;

fn trials(folder: &std::path::Path, file: &str) -> Value {
    let text = pliant_in(folder, &["check", file, "--beam", "--format", "json"], "").done();
    serde_json::from_str(&text).expect("JSON")
}

/// A trial of a link by the beginning of its name.
fn trial<'a>(link: &'a Value, name: &str) -> &'a Value {
    let all = link["trials"].as_array().expect("a list").iter();
    all.clone()
        .find(|trial| trial["trial"].as_str().is_some_and(|own| own.starts_with(name)))
        .unwrap_or_else(|| panic!("no trial {name} in {link}"))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no number {key} in {value}"))
}

/// A file is read once: what comes through a pipe is compared like any other.
#[test]
fn links_that_come_through_a_pipe_are_compared() {
    let king = super::root().join("robots/king-two-link.toml");
    let text = std::fs::read_to_string(&king).expect("King's arm");
    let folder = scratch("beam-pipe");
    let piped = pliant_in(&folder, &["check", "-", "--beam"], &text).done();
    let read = pliant(&["check", king.to_str().expect("a path"), "--beam"]).done();
    assert!(piped.lines().count() > 10, "{piped}");
    assert_eq!(piped.lines().skip(1).collect::<Vec<_>>(), read.lines().skip(1).collect::<Vec<_>>());
}

/// King prints 4.68 Hz for the first bar of his arm, clamped.
#[test]
fn kings_bars_have_the_frequency_he_prints() {
    // the first bar alone; the second has nothing on its tip
    let folder = scratch("bar");
    let king = super::root().join("robots/king-two-link.toml");
    let king = std::fs::read_to_string(king).expect("King's arm");
    let (bar, _) = king.rsplit_once("[[link]]").expect("two links");
    std::fs::write(folder.join("bar.toml"), bar).expect("written");
    let bar = trials(&folder, "bar.toml");
    let all = trials(&super::root(), "robots/king-two-link.toml");
    let links = [&bar["arms"][0]["links"][0], &all["arms"][0]["links"][1]];
    let upper = trial(links[0], "bending along y, frequency 1");
    let area = std::f64::consts::PI * 0.005_f64.powi(2);
    let closed = |radius: f64| {
        // a round bar has √(EI/ρA) = r/2 √(E/ρ)
        let speed = 0.5 * radius * (69e9_f64 / 2780.0).sqrt();
        1.875_104_068_711_961_f64.powi(2) / (std::f64::consts::TAU * 1.22 * 1.22) * speed
    };
    assert!((area * 2780.0 - 0.2183).abs() < 1e-4);
    for (link, radius) in [(links[0], 0.005), (links[1], 0.004)] {
        for plane in ["y", "z"] {
            let first = trial(link, &format!("bending along {plane}, frequency 1"));
            // the closed form has no inertia of the sections, which takes 8e-6 off
            let book = number(first, "textbook");
            assert!((book / closed(radius) - 1.0).abs() < 2e-5, "{book} {}", closed(radius));
            assert!(number(first, "difference").abs() < 1e-5, "{first}");
        }
    }
    // 4.6827 Hz, 0.06 % above what he prints
    let off = number(upper, "computed") / 4.68 - 1.0;
    assert!((5e-4..7e-4).contains(&off), "{off}");
    assert_eq!(trial(links[0], "bending along y, frequency 3")["computed"], Value::Null);
    // with the second bar on it the first is slower
    let loaded = trial(&all["arms"][0]["links"][0], "bending along y, frequency 1");
    assert!(number(loaded, "textbook") < 0.5 * number(upper, "textbook"), "{loaded}");
}

#[test]
fn text_compares_and_judges() {
    let text = pliant(&["check", "robots/king-two-link.toml", "--beam"]).done();
    for wanted in [
        "king-two-link.toml: ok, 2 links",
        "upper: cantilever of 1.22 m, clamped",
        "tip along y under 1 N",
        "tip along z under the weight",
        "root moment of the weight along z",
        "0.17048 kg centred 0.61 m beyond its tip",
        "twist under 1 N m",
        "too few shapes",
        "buckling along y",
        "difference",
        "gives an error of 18.94 % in twist under 1 N m",
        "elements do (shapes = \"elements\"",
        "2 y, 2 z (clamped-free) is sufficient",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let rigid = pliant(&["check", "robots/ur5.toml", "--beam"]).done();
    assert!(rigid.contains("no flexible links"), "{rigid}");
    let plain = pliant(&["check", "robots/king-two-link.toml"]).done();
    assert_eq!(plain.lines().count(), 1);
}

#[test]
fn elements_are_exact_for_forces_and_the_templates_can_be_tried() {
    let folder = scratch("beam");
    let rod = "[[link]]\nname = \"rod\"\nlength = \"2 m\"\nmaterial = \"steel\"\n\
               section = { kind = \"rectangle\", height = \"20 mm\", width = \"40 mm\" }\n\
               bends = { y = true, z = true, twist = true, stretch = true, shapes = \"elements\", elements = 6 }\n";
    std::fs::write(folder.join("rod.toml"), rod).expect("written");
    let all = trials(&folder, "rod.toml");
    let link = &all["arms"][0]["links"][0];
    for name in ["tip along y under 1 N", "tip along z under 1 N", "twist under", "stretch under"] {
        assert!(number(trial(link, name), "difference").abs() < 1e-9, "{link}");
    }
    for name in ["bending along y, frequency 1", "buckling along z"] {
        assert!(number(trial(link, name), "difference").abs() < 1e-4, "{link}");
    }
    assert!(link["verdict"].as_str().expect("a verdict").contains("is sufficient"), "{link}");
    for template in ["flexible", "boom"] {
        pliant_in(&folder, &["new", template], "").done();
        let all = trials(&folder, &format!("{template}.toml"));
        for link in all["arms"][0]["links"].as_array().expect("links") {
            let first = trial(link, "bending along z, frequency 1");
            assert!(number(first, "difference").abs() < 5e-3, "{link}");
            let tip = trial(link, "tip along z under 1 N");
            assert!(number(tip, "difference").abs() < 0.02, "{link}");
        }
    }
}

#[test]
fn the_format_belongs_to_the_beam() {
    let message = pliant(&["check", "robots/ur5.toml", "--format", "json"]).refused();
    assert!(message.contains("--beam"), "{message}");
    assert!(pliant(&["check", "--help"]).done().contains("the textbook:"));
}
