//! Wave numbers and the group velocity of Theodore and Ghosal's boom while it is pushed out.

use super::{column, completed, near};
use pliant::arm::{Builder, Link};
use pliant::beam::{Basis, Beam, Section, ShapeLoad, Slide, Ways};
use pliant::scenario::{PrescribedDescription, Scenario};
use pliant::simulate::{Expression, PrescribedQuantity};

const RHO_A: f64 = 0.331;
const EI: f64 = 1165.4916;
const PAYLOAD: f64 = 0.0828;

/// Theodore, table I, pushed from 0.3 m to 1 m within a second; along z half as stiff.
fn pushed(basis: Basis) -> Scenario {
    let section = Section {
        ea: 0.0,
        ei_z: EI,
        ei_y: 0.5 * EI,
        gj: 0.0,
        kga_y: None,
        kga_z: None,
        rho_a: RHO_A,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let slide = Slide { prescribed: true, ..Slide::between(0.3, 1.0) };
    let beam = Beam { slide: Some(slide), foreshortening: false, ..Beam::new(1.3, section, basis) };
    let boom = Link::new("boom").beam(beam).tip_body(PAYLOAD, [0.0; 3], [[0.0; 3]; 3]);
    let expression = Expression::parse("0.65 - 0.35 * cos(3.14159265358979312 * t)", |name| {
        (name == "t").then_some(0)
    });
    let mut scenario = Scenario::new(Builder::new("boom").gravity([0.0; 3]).link(boom), 1.0)
        .record(0.005, ["coordinates", "wave-numbers"]);
    scenario.prescribed = vec![PrescribedDescription {
        coordinate: "boom.l".to_owned(),
        gives: PrescribedQuantity::Position,
        signal: expression.expect("an expression").into(),
    }];
    scenario
}

#[test]
fn wave_numbers_are_roots_and_their_derivatives_slopes() {
    let ways = Ways::new(2, 1, 0, 0);
    let (_, rows) = completed(&pushed(Basis::ClampedMass { ways, load: ShapeLoad::Outboard }));
    let length = column(&rows, "boom.l");
    near(length[length.len() - 1], 1.0, 1e-9);
    for (mode, name) in [(1, "boom.beta.y1"), (2, "boom.beta.y2"), (1, "boom.beta.z1")] {
        let [beta, first, second] =
            ["", ".by_length", ".by_length2"].map(|end| column(&rows, &format!("{name}{end}")));
        for row in 0..length.len() {
            // Theodore (10) with a point at the tip, divided by cosh β
            let f = |beta: f64| {
                let (sin, cos) = beta.sin_cos();
                let load = PAYLOAD / (RHO_A * length[row]) * beta;
                1.0 / beta.cosh() + cos - load * (sin - beta.tanh() * cos)
            };
            assert!(f(beta[row]).abs() < 1e-12, "{name}: {:e}", f(beta[row]));
            let signs = (1..1000).map(|k| f(beta[row] * f64::from(k) / 1000.0) < 0.0);
            let signs: Vec<bool> = signs.collect();
            let before = signs.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(before, mode - 1, "{name} is root {}", before + 1);
        }
        // the trapezoidal rule with its first correction, wrong by h⁵ β⁗'/720
        for i in 1..length.len() {
            let h = length[i] - length[i - 1];
            let rise = 0.5 * h * (first[i - 1] + first[i]);
            let rise = rise + h * h / 12.0 * (second[i - 1] - second[i]);
            let off = beta[i] - beta[i - 1] - rise;
            assert!(off.abs() < 1e-10, "{name} at {}: {off:e}", length[i]);
        }
    }
    let [y, z] = ["y", "z"].map(|plane| column(&rows, &format!("boom.group_velocity.{plane}")));
    // printed: 59.34 m/s
    near(y[y.len() - 1], 59.339, 1e-5);
    for row in 0..length.len() {
        near(y[row] * length[row], 59.339, 1e-5);
        near(z[row], y[row] * 0.5_f64.sqrt(), 1e-12);
    }
}

/// Shapes that know no load have constant wave numbers, and those of elements have none.
#[test]
fn wave_numbers_are_those_of_the_shapes() {
    let ways = Ways::new(1, 0, 0, 0);
    let (_, rows) = completed(&pushed(Basis::ClampedFree(ways)));
    for beta in column(&rows, "boom.beta.y1") {
        near(beta, 1.875_104_068_711_961, 1e-14);
    }
    assert!(column(&rows, "boom.beta.y1.by_length").iter().all(|slope| *slope == 0.0));
    let ways = Ways::new(true, false, false, false);
    let catalogue = pushed(Basis::Hermite { elements: 2, ways });
    let catalogue = catalogue.build().expect("a scenario").diagram.catalogue();
    let names: Vec<&str> = catalogue.channels().iter().map(|one| one.name.as_str()).collect();
    assert!(names.contains(&"boom.group_velocity.y"));
    assert!(!names.iter().any(|name| name.contains(".beta.")), "{names:?}");
}
