//! Scenarios, from their signals to their summaries.

mod alpha;
mod control;
mod events;
mod own;
mod expressions;
mod prescribed;
mod pulses;
mod refused;
mod runs;
mod sampled;
mod sensors;
mod signals;
mod size;
mod strokes;

use pliant::arm::{Arm, Builder, Joint, Limits, Link};
use pliant::integrate::Dop853;
use pliant::simulate::{Diagram, Rows, Selection, Summary, run};

/// A mass of 1 kg at 1 m, turning about z under gravity along -y; horizontal at zero.
fn pendulum() -> Arm {
    let joint = Joint::revolute([0.0, 0.0, 1.0]);
    Builder::new("pendulum")
        .gravity([0.0, -9.81, 0.0])
        .link(Link::new("bob").joint(joint).payload(1.0, [1.0, 0.0, 0.0]))
        .build()
        .expect("a good arm")
}

/// The same without gravity: a double integrator. With limits and a damper.
fn rotor(damping: f64) -> Arm {
    let limits = Limits { lower: -0.5, upper: 1.0 };
    Builder::new("rotor")
        .gravity([0.0; 3])
        .link(
            Link::new("wheel")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .payload(1.0, [1.0, 0.0, 0.0])
                .damping(&[damping])
                .limits(&[Some(limits)]),
        )
        .build()
        .expect("a good arm")
}

/// A mass of 2 kg on a vertical slide.
fn slide() -> Arm {
    Builder::new("slide")
        .gravity([0.0, 0.0, -9.81])
        .link(Link::new("block").joint(Joint::prismatic([0.0, 0.0, 1.0])).payload(2.0, [0.0; 3]))
        .build()
        .expect("a good arm")
}

fn finish(scenario: &mut Diagram, tolerance: f64) -> (Summary, Rows) {
    let mut rows = Rows::new();
    let summary = run(scenario, Dop853::new(tolerance), &mut rows, &mut ());
    (summary.expect("a good scenario"), rows)
}

fn everything() -> Selection {
    Selection::new(["*"])
}

fn column(rows: &Rows, name: &str) -> Vec<f64> {
    rows.column(name).unwrap_or_else(|| panic!("no channel {name}"))
}
