//! Korayem and Shafei's arms: the inertia matrix, the right-hand side and the accelerations, with
//! exact rotation of the sections by every algorithm, and with the paper's small angles and the mixture
//! of both by its own.

use crate::comparison::Comparison;
use crate::{Case, Outcome};
use pliant::arm::{Arm, BuildError, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::nalgebra::DMatrix;
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation, Variant};
use pliant::spatial::{Pose, Vec3, euler_xyz};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

#[derive(Deserialize)]
struct File {
    cases: Vec<Record>,
}

#[derive(Deserialize)]
struct Record {
    name: String,
    gravity: [f64; 3],
    links: Vec<LinkRecord>,
    theta: Vec<f64>,
    theta_dot: Vec<f64>,
    tau: Vec<f64>,
    #[serde(rename = "I")]
    mass: Variants<Vec<Vec<f64>>>,
    #[serde(rename = "Re")]
    right: Variants<Vec<f64>>,
}

#[derive(Deserialize)]
struct Variants<T> {
    exact: T,
    exp: T,
    small: T,
}

impl<T> Variants<T> {
    fn of(&self, rotation: Rotation) -> &T {
        match rotation {
            Rotation::Exact => &self.exact,
            Rotation::Exponential => &self.exp,
            Rotation::Small => &self.small,
            Rotation::FirstOrder | Rotation::Turns => panic!("King's, not Korayem's"),
        }
    }
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct LinkRecord {
    l: f64,
    mu: f64,
    EIy: f64,
    EIz: f64,
    GIx: f64,
    alpha: f64,
    modes: Vec<Mode>,
}

/// A shape as a combination of bending and torsion: which of the uniform beam's, and how much.
#[derive(Clone, Copy, Deserialize)]
struct Mode {
    x: Option<(usize, f64)>,
    y: Option<(usize, f64)>,
    z: Option<(usize, f64)>,
}

/// The algorithms to each variant.
fn algorithms(rotation: Rotation) -> Vec<Algorithm> {
    match rotation {
        Rotation::Exact => vec![
            Algorithm::Recursive,
            Algorithm::Composite,
            Algorithm::Articulated,
            Algorithm::GibbsAppell(rotation),
            Algorithm::Recurrence(Evaluation::InTurn),
            Algorithm::Recurrence(Evaluation::Doubling),
            Algorithm::Recurrence(Evaluation::Threads),
        ],
        _ => vec![Algorithm::GibbsAppell(rotation)],
    }
}

pub(crate) fn cases(file: Value) -> Result<Vec<Case>, String> {
    let file: File = serde_json::from_value(file).map_err(|e| format!("korayem.json: {e}"))?;
    let mut cases = Vec::new();
    for record in file.cases {
        let record = Rc::new(record);
        for (variant, rotation) in
            [("exact", Rotation::Exact), ("exp", Rotation::Exponential), ("small", Rotation::Small)]
        {
            let name = format!("korayem {} {variant}", record.name);
            let record = Rc::clone(&record);
            let run = move || match arm(&record) {
                Ok(arm) => Outcome::Compared(compare(&arm, &record, rotation)),
                Err(fault) => Outcome::Unusable(fault.to_string()),
            };
            cases.push(Case { name, run: Box::new(run) });
        }
    }
    Ok(cases)
}

fn compare(arm: &Arm, record: &Record, rotation: Rotation) -> Comparison {
    let mut comparison = Comparison::default();
    let Record { theta: q, theta_dot: u, .. } = record;
    let (mass, right) = (record.mass.of(rotation), record.right.of(rotation));
    // the torques act on the joints alone
    let mut tau = vec![0.0; u.len()];
    for (link, torque) in record.tau.iter().enumerate() {
        tau[arm.velocities_of(link).start] = *torque;
    }
    let still = vec![0.0; u.len()];
    for algorithm in algorithms(rotation) {
        if let Some(got) = comparison.answer("I", algorithm.mass_matrix(arm, q)) {
            comparison.matrix(&format!("I by {algorithm:?}"), &got, mass, 0.0);
        }
        if let Some(bias) = comparison.answer("Re", algorithm.bias(arm, q, u)) {
            let got: Vec<f64> = tau.iter().zip(bias.iter()).map(|(tau, bias)| tau - bias).collect();
            comparison.array(&format!("Re by {algorithm:?}"), &got, right, 0.0);
        }
        let answer = algorithm.hybrid_dynamics(arm, q, u, &tau, &still);
        if let Some((_, ud)) = comparison.answer("accelerations", answer) {
            let bias: Vec<f64> = tau.iter().zip(right).map(|(tau, re)| tau - re).collect();
            let name = format!("accelerations by {algorithm:?}");
            comparison.accelerations(&name, &ud, [&mass.concat(), &bias, &tau]);
        }
    }
    // what a simulation integrates
    if rotation == Rotation::Small {
        let mut variant = Variant::small_angle(arm, |_| true).expect("a chain");
        if let Some(got) = comparison.answer("I", variant.mass_matrix(q)) {
            comparison.matrix("I of a run", &got, mass, 0.0);
        }
        if let Some((_, ud)) =
            comparison.answer("accelerations", variant.hybrid_dynamics(q, u, &tau, &still))
        {
            let bias: Vec<f64> = tau.iter().zip(right).map(|(tau, re)| tau - re).collect();
            comparison.accelerations("u̇ of a run", &ud, [&mass.concat(), &bias, &tau]);
        }
    }
    comparison
}

/// `A_i = Rx(α_i) Rz(q_i)` at the tip of the link before; the beam runs along x from there.
fn arm(record: &Record) -> Result<Arm, BuildError> {
    let mut builder = Builder::new(&record.name).gravity(record.gravity);
    let mut before: Option<&LinkRecord> = None;
    for (i, link) in record.links.iter().enumerate() {
        let mut tip = Vec3::ZERO;
        let mut described = Link::new(format!("link {i}")).joint(Joint::revolute([0.0, 0.0, 1.0]));
        if let Some(before) = before {
            if before.modes.is_empty() {
                tip.x = before.l;
            } else {
                described = described.at_section(before.l);
            }
        }
        described = described.placed(Pose::new(euler_xyz(link.alpha, 0.0, 0.0), tip));
        described = if link.modes.is_empty() {
            // a rigid rod without thickness
            let (mass, about_end) = (link.mu * link.l, link.mu * link.l.powi(3) / 12.0);
            let tensor = [[0.0; 3], [0.0, about_end, 0.0], [0.0, 0.0, about_end]];
            described.body(mass, [0.5 * link.l, 0.0, 0.0], tensor)
        } else {
            described.beam(beam(link))
        };
        builder = builder.link(described);
        before = Some(link);
    }
    builder.build()
}

fn beam(link: &LinkRecord) -> Beam {
    let highest = |way: fn(&Mode) -> Option<(usize, f64)>| {
        link.modes.iter().filter_map(way).map(|(k, _)| k).max().unwrap_or(0)
    };
    let (ny, nz, nx) = (highest(|m| m.y), highest(|m| m.z), highest(|m| m.x));
    let mut reduction = DMatrix::zeros(ny + nz + nx, link.modes.len());
    // bending shapes have the value 1 at the tip
    let tip = |k: usize| if k.is_multiple_of(2) { -0.5 } else { 0.5 };
    for (column, mode) in link.modes.iter().enumerate() {
        if let Some((k, amount)) = mode.y {
            reduction[(k - 1, column)] = amount * tip(k);
        }
        if let Some((k, amount)) = mode.z {
            reduction[(ny + k - 1, column)] = amount * tip(k);
        }
        if let Some((k, amount)) = mode.x {
            reduction[(ny + nz + k - 1, column)] = amount;
        }
    }
    let section = Section {
        ea: 1.0,
        ei_z: link.EIz,
        ei_y: link.EIy,
        gj: link.GIx,
        kga_y: None,
        kga_z: None,
        rho_a: link.mu,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    Beam {
        reduction: Some(reduction),
        foreshortening: false,
        ..Beam::new(link.l, section, Basis::ClampedFree(Ways::new(ny, nz, nx, 0)))
    }
}
