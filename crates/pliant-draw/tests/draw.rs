//! Drawings hold together: XML that can be read, numbers on the paper, pixels of the size asked for.

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::spatial::{Pose, Vec3};
use pliant_draw::{
    Axis, AxisScale, Bar, ColourCell, ColourMap, Curve, CurveForm, Figure, Look, Mark, Panel,
    Picture, Shape, Side, Size, Skeleton, Style, View, png,
};

/// Reads a drawing, and looks whether every number of it is finite and on the paper. Gives all words.
fn checked(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("XML");
    let root = document.root_element();
    let paper: Vec<f64> = root
        .attribute("viewBox")
        .expect("a size")
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    let on_paper = |number: &str, most: f64| {
        let value: f64 = number.parse().unwrap_or(f64::NAN);
        assert!(value >= -1.0 && value <= most + 1.0, "{number} is not on the paper");
    };
    for node in root.descendants() {
        for attribute in node.attributes() {
            let text = attribute.value();
            match attribute.name() {
                "x" | "cx" => on_paper(text, paper[2]),
                "y" | "cy" => on_paper(text, paper[3]),
                "d" => {
                    let numbers = text.split(|c: char| c == ' ' || c.is_alphabetic());
                    for (k, number) in numbers.filter(|one| !one.is_empty()).enumerate() {
                        on_paper(number, paper[2 + k % 2]);
                    }
                }
                "r" | "stroke-width" | "font-size" => on_paper(text, 1e3),
                _ => {}
            }
        }
    }
    let words = root.descendants().filter(|node| node.has_tag_name("text"));
    words
        .map(|node| node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect())
        .collect()
}

fn plot(x: &Axis, y: &Axis, curves: &[(&[f64], &[f64])]) -> String {
    let mut panel = Panel::new(x.clone(), y.clone());
    for (k, (x, y)) in curves.iter().enumerate() {
        panel = panel.with(Curve::new(format!("c{k}"), x.to_vec(), y.to_vec()));
    }
    Figure::new(Size::stacked(1), vec![panel]).svg()
}

#[test]
fn every_curve_can_be_drawn() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let (x, y) = (Axis::new("t", "s"), Axis::new("it", "m"));
    let cases: &[(&[f64], &[f64])] = &[
        (&[], &[]),
        (&[0.0], &[1.0]),
        (&[0.0, 1.0], &[5.0, 5.0]),
        (&[0.0, 1.0], &[0.0, 0.0]),
        (&[0.0, 1.0, 2.0], &[nan, nan, nan]),
        (&[0.0, 1.0, 2.0, 3.0], &[1.0, nan, inf, -2.0]),
        (&[0.0, 1.0], &[1e308, -1e308]),
        (&[0.0, 1.0], &[1e-320, 2e-320]),
        (&[1.0, 1.0 + 1e-15], &[3.0, 3.0 + 1e-15]),
        (&[0.0, 1.0, 2.0], &[1.0, 2.0]),
    ];
    for scale in [AxisScale::Linear, AxisScale::Log] {
        for case in cases {
            checked(&plot(&x.clone().scaled(scale), &y.clone().scaled(scale), &[*case]));
        }
        checked(&plot(&x.clone().scaled(scale), &y, cases));
    }
    checked(&Figure::new(Size::stacked(0), Vec::new()).svg());
}

#[test]
fn breaks_are_gaps_and_single_values_are_dots() {
    let (x, y) = (Axis::new("t", "s"), Axis::new("it", "m"));
    let t = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let svg = plot(&x, &y, &[(&t, &[0.0, 1.0, f64::NAN, 2.0, f64::NAN, 1.0])]);
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let coloured = |tag: &str, attribute: &str| {
        let own = |node: &roxmltree::Node<'_, '_>| {
            node.has_tag_name(tag) && node.attribute(attribute) == Some("#0072b2")
        };
        document.descendants().filter(own).count()
    };
    // a line of two points and the sample of the legend; two dots
    assert_eq!((coloured("path", "stroke"), coloured("circle", "fill")), (2, 2));
}

#[test]
fn words_are_words() {
    let odd = "a<b>&\"c\" ]]></text> \u{1}\u{202e}\u{9b}\n ä 力 ^2";
    let mut panel = Panel::new(Axis::new("t", "s"), Axis::new(odd, "m/s^2"));
    panel.marks.push(Mark { at: 0.5, label: odd.to_owned() });
    let panel = panel.with(Curve::new(odd, vec![0.0, 1.0], vec![0.0, 2.0])).with(Curve::new(
        "other",
        vec![0.0, 1.0],
        vec![0.0, 1.0],
    ));
    let words = checked(&Figure::new(Size::stacked(1), vec![panel]).svg());
    let odd = "a<b>&\"c\" ]]></text> \u{fffd}\u{fffd}\u{fffd}  ä 力 ^2";
    assert!(words.iter().filter(|word| *word == odd).count() == 2, "{words:?}");
    for word in ["t (s)", "other", "0.4", &format!("{odd} (m/s2)")] {
        assert!(words.iter().any(|one| one == word), "{word}: {words:?}");
    }
}

#[test]
fn shared_axes_and_legends_are_written_once() {
    let panel = |label: &str| {
        let t: Vec<f64> = (0..=10).map(f64::from).collect();
        Panel::new(Axis::new("t", "s"), Axis::new(label, "m")).with(Curve::new("run", t.clone(), t))
    };
    let figure = |panels: Vec<Panel>| checked(&Figure::new(Size::stacked(2), panels).svg());
    let count = |words: &[String], word: &str| words.iter().filter(|one| *one == word).count();
    let words = figure(vec![panel("a"), panel("b")]);
    assert_eq!((count(&words, "t (s)"), count(&words, "run")), (1, 1), "{words:?}");
    let mut other = panel("b");
    other.x = Axis::new("frequency", "Hz");
    other.curves[0].name = "else".to_owned();
    let words = figure(vec![panel("a"), other]);
    assert_eq!((count(&words, "t (s)"), count(&words, "frequency (Hz)")), (1, 1), "{words:?}");
    assert_eq!((count(&words, "run"), count(&words, "else")), (1, 1), "{words:?}");
}

#[test]
fn a_long_run_stays_small() {
    let t: Vec<f64> = (0..120_000).map(|k| f64::from(k) * 1e-3).collect();
    let y: Vec<f64> = t.iter().map(|t| (200.0 * t).sin()).collect();
    let svg = plot(&Axis::new("t", "s"), &Axis::new("", "m"), &[(&t, &y)]);
    assert!(svg.len() < 200_000, "{}", svg.len());
}

#[test]
fn a_png_has_the_size_asked_for() {
    let (x, y) = (Axis::new("t", "s"), Axis::new("deflection", "m"));
    let panel = Panel::new(x, y).with(Curve::new("", vec![0.0, 1.0], vec![0.0, 1.0]));
    let svg = Figure::new(Size { width: 50.8, height: 25.4 }, vec![panel]).svg();
    let bytes = png(&svg, 150.0).expect("a picture");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    assert_eq!((number(16), number(20)), (300, 150));
    // text is drawn, wherever the machine has its faces: without the words it is another picture
    let without = svg.replace(">t (s)<", "><");
    assert!(without != svg);
    assert!(png(&without, 150.0).expect("a picture") != bytes);
    assert!(png(&svg, 1e7).is_err() && png("<svg", 100.0).is_err());
}

fn bar(name: &str) -> Link {
    let material = Material::named("aluminium").expect("known");
    let outline = CrossSection::Tube { diameter: 0.04, wall: 0.002 };
    let beam = Beam::new(
        2.0,
        Matter::Made { outline, material },
        Basis::ClampedFree(Ways::new(2, 2, 0, 0)),
    );
    Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam)
}

fn two_bars() -> Builder {
    let fore = bar("fore").at_section(2.0).section_frame("end", 2.0, Pose::IDENTITY);
    Builder::new("two bars").gravity([0.0, -9.81, 0.0]).link(bar("upper")).link(fore)
}

fn bars<'a>(shapes: &'a [Shape]) -> Vec<&'a Vec<Vec3<f64>>> {
    let of = |shape: &'a Shape| match shape {
        Shape::Bar { points, bends: true, .. } => Some(points),
        _ => None,
    };
    shapes.iter().filter_map(of).collect()
}

#[test]
fn bent_links_are_drawn_as_they_are_computed() {
    let arm = two_bars().build().expect("an arm");
    let skeleton = Skeleton::new(&two_bars(), Some("end")).expect("a skeleton");
    assert_eq!(skeleton.arm().configuration_names(), arm.configuration_names());
    let q: Vec<f64> = (0..arm.nq()).map(|k| 0.004 * (k as f64 + 1.0)).collect();
    for exaggeration in [0.0, 1.0, 3.0] {
        let look = Look { exaggeration, ..Look::default() };
        let scene = skeleton.scene(&q, &look).expect("a scene");
        let mut bent = q.clone();
        for link in 0..2 {
            bent[arm.bending_of(link).0].iter_mut().for_each(|d| *d *= exaggeration);
        }
        let drawn = bars(&scene.shapes);
        assert_eq!(drawn.len(), 2);
        let end = arm.pose(&bent, "end").expect("a pose").position;
        let start = arm.pose(&bent, "fore").expect("a pose").position;
        assert!((*drawn[1].last().expect("points") - end).norm() < 1e-12);
        assert!((drawn[1][0] - start).norm() < 1e-12);
        assert!((*drawn[0].last().expect("points") - start).norm() < 1e-12);
        assert_eq!(skeleton.tip(&q, exaggeration).expect("a tip"), Some(end));
        let rests = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Rest(_))).count();
        assert_eq!(rests, if exaggeration == 0.0 { 0 } else { 2 });
        // a curve, not a chord: as long as the bar, to second order in its slopes
        let length: f64 = drawn[0].windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        let chord = (start - drawn[0][0]).norm();
        assert!((length - 2.0).abs() < 2e-2 && chord <= length + 1e-12, "{length} {chord}");
    }
    let wrong = skeleton.scene(&[f64::NAN; 10], &Look::default());
    assert!(wrong.is_err() && skeleton.scene(&[0.0], &Look::default()).is_err());
}

#[test]
fn arms_of_all_joints_have_pictures() {
    let joints = [
        Joint::Fixed,
        Joint::revolute([0.0, 1.0, 0.0]),
        Joint::prismatic([1.0, 0.0, 0.0]),
        Joint::Cylindrical { axis: [0.0, 0.0, 1.0] },
        Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 1.0, 0.0] },
        Joint::Planar,
        Joint::Spherical,
        Joint::Free,
    ];
    for joint in joints {
        for gravity in [[0.0, 0.0, -9.81], [0.0; 3]] {
            let link = |name: &str| {
                let offset = Pose::at(0.5, 0.1, 0.2);
                Link::new(name).joint(joint).placed(offset).payload(1.0, [0.1, 0.0, 0.0])
            };
            let arm = Builder::new("some").gravity(gravity).link(link("a")).link(link("b"));
            let skeleton = Skeleton::new(&arm, Some("b")).expect("a skeleton");
            let q = skeleton.arm().neutral();
            let scene = skeleton.scene(&q, &Look::default()).expect("a scene");
            let upwards = -skeleton.arm().gravity();
            let views = [Side::Front, Side::Side, Side::Top, Side::Oblique];
            let views = views.map(|side| View::new(side, upwards));
            for view in views.into_iter().chain([View::showing([&scene].into_iter(), upwards)]) {
                let stills = vec![("t = 0 s".to_owned(), vec![scene.clone()]); 3];
                let size = Size { width: 120.0, height: 60.0 };
                let (legend, note) = (Vec::new(), "bending × 3".to_owned());
                let picture = Picture { size, view, stills, legend, note };
                let words = checked(&picture.svg());
                assert_eq!(words.iter().filter(|word| *word == "t = 0 s").count(), 3);
                checked(&picture.fitted().svg());
            }
        }
    }
}

/// A value that holds goes to the right, then up: no slope between two ticks.
#[test]
fn held_values_are_steps() {
    let panel = |form: CurveForm| {
        let curve = Curve::new("", vec![0.0, 1.0, 2.0], vec![0.0, 3.0, 1.0]);
        Panel::new(Axis::new("t", "s"), Axis::new("it", "m")).with(Curve { form, ..curve })
    };
    let points = |form: CurveForm| {
        let svg = Figure::new(Size::stacked(1), vec![panel(form)]).svg();
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let mut paths = document.descendants().filter(|node| node.has_tag_name("path"));
        let own = paths.find(|node| node.attribute("stroke") == Some("#0072b2")).expect("a curve");
        let path = own.attribute("d").expect("a path").to_owned();
        path.split(|c: char| !"0123456789.-".contains(c)).filter(|word| !word.is_empty()).count()
            / 2
    };
    assert_eq!((points(CurveForm::Line), points(CurveForm::Held)), (3, 5));
}

/// The fills of what is drawn, of the given kind.
fn fills(svg: &str, tag: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("XML");
    let of = |node: roxmltree::Node<'_, '_>| node.attribute("fill").map(str::to_owned);
    document.descendants().filter(|node| node.has_tag_name(tag)).filter_map(of).collect()
}

#[test]
fn numbers_are_colours_and_the_bar_has_their_ends() {
    let cell = |k: i32, value: f64| {
        let at = f64::from(k);
        ColourCell { x: [at, at + 1.0], y: [0.0, 1.0], value }
    };
    let cells = vec![cell(0, 1.0), cell(1, 5.0), cell(2, f64::NAN), cell(3, 3.0)];
    let map = ColourMap { colour: Axis::new("settling", "s"), cells };
    let mut panel = Panel::new(Axis::new("payload", "kg"), Axis::new("length", "m"));
    panel.map = Some(map.clone());
    let svg = Figure::new(Size::stacked(1), vec![panel.clone()]).svg();
    let words = checked(&svg);
    for word in ["settling (s)", "payload (kg)", "length (m)", "1", "3", "5"] {
        assert!(words.iter().any(|one| one == word), "{word}: {words:?}");
    }
    let found = fills(&svg, "path");
    // the least and the most, and nothing for what is no number; then the bar
    assert_eq!(found[..3], ["#440154", "#b5de2b", "#26828e"], "{found:?}");
    assert_eq!(found.len(), 3 + 64);
    let dots = map.cells.iter().map(|one| ColourCell { x: [one.x[0]; 2], y: [0.5; 2], ..*one });
    panel.map = Some(ColourMap { cells: dots.collect(), ..map });
    let svg = Figure::new(Size::stacked(1), vec![panel]).svg();
    checked(&svg);
    assert_eq!(fills(&svg, "circle").len(), 3);
}

#[test]
fn bars_have_words_and_intervals() {
    let bar = |k: i32, value: f64| Bar {
        y: [f64::from(k), 0.3],
        value,
        interval: [value - 0.1, value + 0.1],
        style: Style::default(),
    };
    let words = vec!["payload".to_owned(), "a very long name of a parameter".repeat(4)];
    let mut panel = Panel::new(Axis::new("part of the variance", "1"), Axis::of_words("", words));
    panel.bars = vec![bar(0, 0.8), bar(1, -0.05)];
    let svg = Figure::new(Size::stacked(1), vec![panel]).svg();
    let found = checked(&svg);
    assert!(found.iter().any(|word| word == "payload"), "{found:?}");
    assert!(found.iter().any(|word| word.ends_with('…')), "{found:?}");
    assert_eq!(fills(&svg, "path").iter().filter(|fill| *fill == "#0072b2").count(), 2);
}

#[test]
fn dots_stand_for_points() {
    let curve = |form: CurveForm| {
        let curve = Curve::new("c", vec![0.0, 1.0, f64::NAN, 3.0], vec![0.0, 3.0, 1.0, 2.0]);
        let panel =
            Panel::new(Axis::of_words("kind", vec!["zv".to_owned(); 4]), Axis::new("it", "m"));
        let svg = Figure::new(Size::stacked(1), vec![panel.with(Curve { form, ..curve })]).svg();
        checked(&svg);
        fills(&svg, "circle")
    };
    assert_eq!(curve(CurveForm::Dots), ["#0072b2"; 3]);
    assert_eq!(curve(CurveForm::DottedLine), ["#0072b2"; 3]);
    assert_eq!(curve(CurveForm::Line), ["#0072b2"], "a point between gaps is a dot");
    assert!(curve(CurveForm::FaintDots).iter().all(|fill| *fill != "#0072b2"));
}
