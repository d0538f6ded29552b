//! King's arms: mass matrix, Coriolis and gravity forces and inverse dynamics, with exact rotation
//! of the sections and with King's of first order.

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

/// Where a section has inertia, King counts its spin about the axis of the beam alone, which no
/// mass distribution has. With the same inertia split evenly between y and z the arms agree to this
/// part of the largest entry.
const SLENDER: f64 = 1e-5;

/// The same for his thicker bars. The difference is what turning a section about y and z needs:
/// for Table 4.1 it is 3.7e-5 kg m² in entries of 0.9 kg m².
const THICK: f64 = 1e-4;

#[derive(Deserialize)]
struct File {
    arms: Vec<Record>,
}

#[derive(Deserialize)]
struct Record {
    name: String,
    gravity: [f64; 3],
    links: Vec<LinkRecord>,
    #[serde(rename = "K")]
    stiffness: Vec<Vec<f64>>,
    states: Vec<State>,
}

#[derive(Clone, Deserialize)]
#[allow(non_snake_case)]
struct LinkRecord {
    a: f64,
    d: f64,
    alpha: f64,
    mu: f64,
    rhoIp: f64,
    /// Against deflection in y.
    EIy: f64,
    EIz: f64,
    GJ: f64,
    nx: usize,
    ny: usize,
    nz: usize,
    tip_mass: f64,
    rigid: Option<Rigid>,
}

#[derive(Clone, Deserialize)]
struct Rigid {
    m: f64,
    com: [f64; 3],
    #[serde(rename = "I")]
    inertia: [[f64; 3]; 3],
}

#[derive(Deserialize)]
struct State {
    z: Vec<f64>,
    zd: Vec<f64>,
    zdd: Vec<f64>,
    exact: Expected,
    king: Expected,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "M")]
    mass: Vec<Vec<f64>>,
    h: Vec<f64>,
    g: Vec<f64>,
    tau_inverse: Vec<f64>,
}

pub(crate) fn cases(file: Value) -> Result<Vec<Case>, String> {
    let file: File = serde_json::from_value(file).map_err(|e| format!("king.json: {e}"))?;
    let mut cases = Vec::new();
    for record in file.arms {
        let built = arm(&record).map_err(|fault| fault.to_string());
        for variant in ["exact", "first order"] {
            // (gyration over length)², twice
            let thickness = |link: &LinkRecord| {
                if link.mu > 0.0 { link.rhoIp / (link.mu * link.a * link.a) } else { 0.0 }
            };
            let thickest = record.links.iter().map(thickness).fold(0.0, f64::max);
            let tolerance = match thickest {
                0.0 => None,
                thin if thin < 1e-5 => Some(SLENDER),
                _ => Some(THICK),
            };
            for (i, state) in record.states.iter().enumerate() {
                let is_exact = variant == "exact";
                let expected = if is_exact { &state.exact } else { &state.king };
                let [z, zd, zdd] = [&state.z, &state.zd, &state.zdd].map(Clone::clone);
                let want = [&expected.h, &expected.g, &expected.tau_inverse].map(Clone::clone);
                let matrices = [expected.mass.clone(), record.stiffness.clone()];
                let built = built.clone();
                let run = move || {
                    let state = [z, zd, zdd];
                    let compared = built.and_then(|arm| {
                        if is_exact {
                            return Ok(compare(&arm, state, &matrices, want, tolerance));
                        }
                        compare_king(&arm, state, &matrices, want, tolerance)
                    });
                    compared.map_or_else(Outcome::Unusable, Outcome::Compared)
                };
                let name = format!("king {} {variant} state {i}", record.name);
                cases.push(Case { name, run: Box::new(run) });
            }
        }
    }
    Ok(cases)
}

fn compare(
    arm: &Arm,
    [q, u, ud]: [Vec<f64>; 3],
    [mass, stiffness]: &[Vec<Vec<f64>>; 2],
    [h, g, tau]: [Vec<f64>; 3],
    tolerance: Option<f64>,
) -> Comparison {
    let mut comparison = tolerance.map_or_else(Comparison::default, Comparison::within);
    if let Some(got) = comparison.answer("M", arm.mass_matrix(&q)) {
        comparison.matrix("M", &got, mass, 0.0);
    }
    if let Some(got) = comparison.answer("h", arm.coriolis(&q, &u)) {
        comparison.array("h", got.as_slice(), &h, 0.0);
    }
    if let Some(got) = comparison.answer("g", arm.gravity_forces(&q)) {
        comparison.array("g", got.as_slice(), &g, 0.0);
    }
    if let Some(got) = comparison.answer("K z", arm.elastic_forces(&q)) {
        comparison.array("K z", got.as_slice(), &product(stiffness, &q), 0.0);
    }
    if let Some(got) = comparison.answer("inverse dynamics", arm.inverse_dynamics(&q, &u, &ud)) {
        comparison.array("inverse dynamics", got.as_slice(), &tau, 0.0);
    }
    // King's own algorithm
    let algorithm = Algorithm::Recurrence(Evaluation::Doubling);
    if let Some(got) = comparison.answer("M by recurrence", algorithm.mass_matrix(arm, &q)) {
        comparison.matrix("M by recurrence", &got, mass, 0.0);
    }
    let inverse = algorithm.inverse_dynamics(arm, &q, &u, &ud);
    if let Some(got) = comparison.answer("inverse dynamics by recurrence", inverse) {
        comparison.array("inverse dynamics by recurrence", got.as_slice(), &tau, 0.0);
    }
    comparison
}

/// The same with King's rotation of the sections, by his algorithm and by Gibbs-Appell.
fn compare_king(
    arm: &Arm,
    [q, u, ud]: [Vec<f64>; 3],
    [mass, stiffness]: &[Vec<Vec<f64>>; 2],
    [h, g, tau]: [Vec<f64>; 3],
    tolerance: Option<f64>,
) -> Result<Comparison, String> {
    let mut comparison = tolerance.map_or_else(Comparison::default, Comparison::within);
    let mut king = Variant::first_order(arm, |_| true).map_err(|lack| lack.to_string())?;
    if let Some(got) = comparison.answer("M", king.mass_matrix(&q)) {
        comparison.matrix("M", &got, mass, 0.0);
    }
    // what h and g are differences of
    let held = largest(&product(stiffness, &q)).max(largest(&g));
    if let Some(got) = comparison.answer("h", king.coriolis(&q, &u)) {
        comparison.array("h", got.as_slice(), &h, held);
    }
    if let Some(got) = comparison.answer("g", king.gravity_forces(&q)) {
        comparison.array("g", got.as_slice(), &g, held);
    }
    if let Some(got) = comparison.answer("inverse dynamics", king.inverse_dynamics(&q, &u, &ud)) {
        comparison.array("inverse dynamics", got.as_slice(), &tau, 0.0);
    }
    let further = Algorithm::GibbsAppell(Rotation::FirstOrder);
    if let Some(got) = comparison.answer("M by Gibbs-Appell", further.mass_matrix(arm, &q)) {
        comparison.matrix("M by Gibbs-Appell", &got, mass, 0.0);
    }
    let inverse = further.inverse_dynamics(arm, &q, &u, &ud);
    if let Some(got) = comparison.answer("inverse dynamics by Gibbs-Appell", inverse) {
        comparison.array("inverse dynamics by Gibbs-Appell", got.as_slice(), &tau, 0.0);
    }
    Ok(comparison)
}

fn product(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(m, x)| m * x).sum()).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

/// `R_i = R_{i−1} Rz(q) Rx(α)` at the distance `d` along the axis; the beam runs along x from there.
fn arm(record: &Record) -> Result<Arm, BuildError> {
    let mut builder = Builder::new(&record.name).gravity(record.gravity);
    let mut reach = None;
    for (i, link) in record.links.iter().enumerate() {
        let twist = Pose::new(euler_xyz(link.alpha, 0.0, 0.0), Vec3::ZERO);
        let mut described = Link::new(format!("link {i}"))
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .placed(Pose::at(0.0, 0.0, link.d))
            .outboard(twist);
        if let Some(length) = reach {
            described = described.at_section(length);
        }
        if let Some(Rigid { m, com, inertia }) = link.rigid {
            described = described.body(m, com, inertia);
        }
        reach = (link.nx + link.ny + link.nz > 0).then_some(link.a);
        if reach.is_some() {
            described = described.beam(beam(link));
            if link.tip_mass > 0.0 {
                described = described.tip_body(link.tip_mass, [0.0; 3], [[0.0; 3]; 3]);
            }
        }
        builder = builder.link(described);
    }
    builder.build()
}

/// Torsion first, then bending along y and z, all shapes with the value 1 at the tip.
fn beam(link: &LinkRecord) -> Beam {
    let LinkRecord { nx, ny, nz, .. } = *link;
    let section = Section {
        ea: 1.0,
        ei_z: link.EIy,
        ei_y: link.EIz,
        gj: link.GJ,
        kga_y: None,
        kga_z: None,
        rho_a: link.mu,
        rho_i_z: 0.5 * link.rhoIp,
        rho_i_y: 0.5 * link.rhoIp,
    };
    let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut reduction = DMatrix::zeros(nx + ny + nz, nx + ny + nz);
    for k in 0..nx {
        reduction[(ny + nz + k, k)] = sign(k);
    }
    for k in 0..ny {
        reduction[(k, nx + k)] = 0.5 * sign(k);
    }
    for k in 0..nz {
        reduction[(ny + k, nx + ny + k)] = 0.5 * sign(k);
    }
    Beam {
        reduction: Some(reduction),
        foreshortening: false,
        ..Beam::new(link.a, section, Basis::ClampedFree(Ways::new(ny, nz, nx, 0)))
    }
}
