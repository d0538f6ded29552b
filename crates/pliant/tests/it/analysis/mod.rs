//! Equilibria, frequencies and shapes against textbooks.

mod frequencies;
mod timoshenko;
mod statics;
mod elastica;
mod families;
mod loaded_shapes;
mod rigid_pieces;
mod buckling;
mod spinning;
mod tangent;
mod conditions;
mod stress;
mod section_forces;
mod sizing;
mod cantilever;
mod cantilever_check;
mod convergence;
mod deflection;
mod validity;
mod vibrations;
mod tracking;

use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::spatial::{Force, Pose, Vec3};
use serde_json::Value;
use std::path::Path;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// The entries of `analytic` in the reference cases whose name begins like this.
fn analytic(name: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/unified.json");
    let text = std::fs::read_to_string(file).expect("the reference cases are there");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let entries = all["analytic"].as_array().expect("a list").iter();
    let chosen: Vec<Value> = entries
        .filter(|entry| entry["name"].as_str().is_some_and(|n| n.starts_with(name)))
        .cloned()
        .collect();
    assert!(!chosen.is_empty(), "no entry {name}");
    chosen
}

fn number(entry: &Value, key: &str) -> f64 {
    entry[key].as_f64().unwrap_or_else(|| panic!("no number {key} in {entry}"))
}

fn numbers(entry: &Value, key: &str) -> Vec<f64> {
    let list = entry[key].as_array().unwrap_or_else(|| panic!("no list {key} in {entry}"));
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// A section that bends alike in both planes; everything else is to be set.
fn section(ei: f64, rho_a: f64) -> Section {
    Section {
        ea: 1e6,
        ei_z: ei,
        ei_y: ei,
        gj: 1.0,
        kga_y: None,
        kga_z: None,
        rho_a,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    }
}

/// Finite elements that bend along y.
fn along_y(elements: usize) -> Basis {
    Basis::Hermite { elements, ways: Ways::new(true, false, false, false) }
}

fn beam(length: f64, section: Section, basis: Basis) -> Beam {
    let shear = section.kga_y.is_some();
    Beam { foreshortening: false, shear, ..Beam::new(length, section, basis) }
}

fn shortening(beam: Beam) -> Beam {
    Beam { foreshortening: true, ..beam }
}

/// One link with a beam on a joint, a frame "tip" at its end, without gravity; `more` adds what
/// else there is.
fn cantilever(joint: Joint, beam: Beam, more: impl FnOnce(Link) -> Link) -> Builder {
    let length = beam.length;
    let link =
        Link::new("beam").joint(joint).beam(beam).section_frame("tip", length, Pose::IDENTITY);
    Builder::new("cantilever").gravity([0.0; 3]).link(more(link))
}

/// A beam cut into pieces on fixed joints, with a frame "tip" at the end of the last. The first
/// piece is on `joint`.
fn chain(pieces: usize, joint: Joint, piece: &Beam, more: impl FnOnce(Link) -> Link) -> Builder {
    let mut more = Some(more);
    (0..pieces).fold(Builder::new("chain").gravity([0.0; 3]), |builder, k| {
        let link = Link::new(format!("piece {k}")).beam(piece.clone());
        let link = match more.take() {
            Some(more) => more(link.joint(joint)),
            None => link.at_section(piece.length),
        };
        let last = k + 1 == pieces;
        builder.link(if last {
            link.section_frame("tip", piece.length, Pose::IDENTITY)
        } else {
            link
        })
    })
}

fn built(builder: Builder) -> Arm {
    builder.build().unwrap_or_else(|faults| panic!("{faults}"))
}

/// A force on the tip that keeps its direction.
fn dead_force(arm: &Arm, force: [f64; 3]) -> Load {
    wrench(arm, force, [0.0; 3])
}

fn wrench(arm: &Arm, force: [f64; 3], moment: [f64; 3]) -> Load {
    let frame = arm.frame("tip").expect("a tip");
    Load { frame, wrench: Force::new(Vec3::from(force), Vec3::from(moment)), axes: Axes::World }
}

/// Asserts that each number is within `rel` of its own exact value.
#[track_caller]
fn assert_each(got: &[f64], want: &[f64], rel: f64, why: &str) {
    assert!(got.len() >= want.len(), "{why}: only {} of {}", got.len(), want.len());
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        let error = (got / want - 1.0).abs();
        assert!(
            error <= rel,
            "{why}: entry {k} is {got}, should be {want}; relative error {error:.2e}, allowed {rel:.0e}"
        );
    }
}
