//! Theodore and Ghosal: modes of a beam with a load at its tip, and their arm of two revolute joints
//! and a link that slides.

use crate::comparison::Comparison;
use crate::{Case, Outcome};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, LoadedMode, Scale, Section, ShapeLoad, Slide, TipLoad, Ways};
use pliant::nalgebra::DMatrix;
use pliant::reproduce::{Algorithm, Variant};
use pliant::spatial::{Mat3, Pose, Vec3};
use serde::Deserialize;
use serde_json::Value;

/// The arm's numbers agree to this part of their largest: its reference differentiates twice.
const ARM: f64 = 1e-9;

#[derive(Deserialize)]
struct File {
    meta: Meta,
    modes: Vec<Loaded>,
    arm_states: Vec<State>,
}

#[derive(Clone, Deserialize)]
struct Meta {
    parameters: Parameters,
    #[serde(rename = "rhoA")]
    rho_a: f64,
}

#[derive(Clone, Deserialize)]
#[allow(non_snake_case)]
struct Parameters {
    m2: f64,
    mp: f64,
    l1: f64,
    l2: f64,
    l3t: f64,
    I1: f64,
    I2: f64,
    EI: f64,
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct Loaded {
    ML: f64,
    JL: f64,
    l: f64,
    modes: Vec<Mode>,
}

#[derive(Deserialize)]
struct Mode {
    beta: f64,
    dbeta_dl: f64,
    nu: f64,
    dnu_dl: f64,
    omega: f64,
    int_psi2: f64,
    int_psi: f64,
    int_eta_psi: f64,
    int_d2psi2: f64,
    psi_tip: f64,
    dpsi_deta_tip: f64,
    modal_mass: f64,
    #[serde(rename = "K")]
    stiffness: f64,
}

#[derive(Deserialize)]
struct State {
    q: Vec<f64>,
    qd: Vec<f64>,
    u: Vec<f64>,
    full: Terms,
    paper24: Terms,
}

#[derive(Deserialize)]
struct Terms {
    #[serde(rename = "M")]
    mass: Vec<Vec<f64>>,
    h: Vec<f64>,
    #[serde(rename = "T")]
    kinetic: f64,
    #[serde(rename = "V")]
    elastic: f64,
    #[serde(rename = "K")]
    stiffness: Vec<f64>,
    qdd_closed_loop: Vec<f64>,
    #[serde(rename = "Gamma")]
    drive: Vec<f64>,
}

pub(crate) fn cases(file: Value) -> Result<Vec<Case>, String> {
    let File { meta, modes, arm_states } =
        serde_json::from_value(file).map_err(|e| format!("theodore.json: {e}"))?;
    let mut cases = Vec::new();
    for loaded in modes {
        let Loaded { ML, JL, l, .. } = loaded;
        let meta = meta.clone();
        cases.push(Case {
            name: format!("theodore modes (M_L = {ML}, J_L = {JL}, l = {l})"),
            run: Box::new(move || Outcome::Compared(loaded.compare(&meta))),
        });
    }
    for (k, state) in arm_states.into_iter().enumerate() {
        let parameters = meta.parameters.clone();
        let rho_a = meta.rho_a;
        let State { q, qd, u, full, paper24 } = state;
        let state = Motion { q: own(&q), u: own(&qd), joints: u };
        for (variant, terms) in [("full", full), ("paper24", paper24)] {
            let (parameters, state) = (parameters.clone(), state.clone());
            let run = move || match arm(&parameters, rho_a, false).and_then(|free| {
                let told = arm(&parameters, rho_a, true)?;
                if variant == "full" {
                    return Ok(state.compare(&free, &told, &terms));
                }
                state.compare_as_printed(&free, &told, &terms)
            }) {
                Ok(comparison) => Outcome::Compared(comparison),
                Err(why) => Outcome::Unusable(why),
            };
            cases.push(Case { name: format!("theodore arm {k}, {variant}"), run: Box::new(run) });
        }
    }
    Ok(cases)
}

impl Loaded {
    fn compare(&self, meta: &Meta) -> Comparison {
        let mut all = Comparison::default();
        let (l, rho_a, stiffness) = (self.l, meta.rho_a, meta.parameters.EI);
        for (k, want) in self.modes.iter().enumerate() {
            let mode = LoadedMode::new(k + 1, l, rho_a, [self.ML, self.JL], Scale::One);
            let psi = |eta: f64, order| mode.derivative(eta, order).value;
            let [square, one, first, strain] = simpson(|eta| {
                let (value, curvature) = (psi(eta, 0), psi(eta, 2));
                [value * value, value, eta * value, curvature * curvature]
            });
            let (tip, slope) = (psi(1.0, 0), psi(1.0, 1));
            let load = self.ML * tip * tip + self.JL * slope * slope / (l * l);
            let beta = mode.beta();
            for (quantity, got, want) in [
                ("beta", beta.value, want.beta),
                ("dbeta_dl", beta.rate, want.dbeta_dl),
                ("nu", mode.nu().value, want.nu),
                ("dnu_dl", mode.nu().rate, want.dnu_dl),
                ("omega", beta.value.powi(2) * (stiffness / rho_a).sqrt() / (l * l), want.omega),
                ("int_psi2", square, want.int_psi2),
                ("int_psi", one, want.int_psi),
                ("int_eta_psi", first, want.int_eta_psi),
                ("int_d2psi2", strain, want.int_d2psi2),
                ("psi_tip", tip, want.psi_tip),
                ("dpsi_deta_tip", slope, want.dpsi_deta_tip),
                ("modal_mass", rho_a * l * square + load, want.modal_mass),
                ("K", stiffness / l.powi(3) * strain, want.stiffness),
            ] {
                // functions of order one that may vanish
                let scale = if quantity == "dbeta_dl" { 1.0 } else { 100.0 };
                all.array(&format!("{quantity} of mode {}", k + 1), &[got], &[want], scale);
            }
        }
        all
    }
}

/// `∫₀¹`, to more digits than the reference has.
fn simpson<const N: usize>(f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let panels = 4000_u32;
    let mut sum = [0.0; N];
    for k in 0..=panels {
        let weight = match k {
            0 => 1.0,
            k if k == panels => 1.0,
            k if k % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let values = f(f64::from(k) / f64::from(panels));
        for (sum, value) in sum.iter_mut().zip(values) {
            *sum += weight * value / (3.0 * f64::from(panels));
        }
    }
    sum
}

/// Their arm, Table I; the joints are driven, or `told` how to move.
fn arm(p: &Parameters, rho_a: f64, told: bool) -> Result<Arm, String> {
    let about = |x: f64, y: f64, z: f64| [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
    let (ei, ea) = (p.EI, 0.0);
    let section = Section {
        ea,
        ei_z: ei,
        ei_y: ei,
        gj: 1.0,
        kga_y: None,
        kga_z: None,
        rho_a,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let load = ShapeLoad::Given(TipLoad { mass: p.mp, ..TipLoad::default() });
    let basis = Basis::ClampedMass { ways: Ways::new(2, 2, 0, 0), load };
    // the beam's x, y, z are the link's z, x, y
    let [x, y, z] = Vec3::AXES;
    let beam = Beam {
        root: Pose::new(Mat3::from_columns(z, x, y), Vec3::ZERO),
        foreshortening: false,
        slide: Some(Slide { prescribed: told, ..Slide::between(0.28, 1.02) }),
        ..Beam::new(p.l3t, section, basis)
    };
    let shoulder = Link::new("shoulder").joint(Joint::revolute([0.0, 0.0, 1.0])).body(
        0.0,
        [0.0; 3],
        about(0.0, 0.0, p.I1 + p.m2 * p.l2 * p.l2 / 3.0),
    );
    let boom = Link::new("boom")
        .joint(Joint::revolute([0.0, 1.0, 0.0]))
        .placed(Pose::at(0.0, p.l2, p.l1))
        .body(0.0, [0.0; 3], about(0.0, p.I2, 0.0))
        .beam(beam)
        .tip_body(p.mp, [0.0; 3], [[0.0; 3]; 3]);
    let (shoulder, boom) =
        if told { (shoulder.prescribed(), boom.prescribed()) } else { (shoulder, boom) };
    let builder = Builder::new("RRP").gravity([0.0; 3]).link(shoulder).link(boom);
    builder.build().map_err(|e| e.to_string())
}

/// The file counts the shapes of both planes in turn, the arm those of one plane after the other.
const ORDER: [usize; 7] = [0, 1, 2, 3, 5, 4, 6];

fn own(values: &[f64]) -> Vec<f64> {
    ORDER.iter().map(|&k| values[k]).collect()
}

/// A state in the order of the arm, and the accelerations of its joints.
#[derive(Clone)]
struct Motion {
    q: Vec<f64>,
    u: Vec<f64>,
    joints: Vec<f64>,
}

impl Motion {
    fn compare(&self, arm: &Arm, told: &Arm, want: &Terms) -> Comparison {
        let mut all = Comparison::within(ARM);
        let Self { q, u, joints } = self;
        let mass = DMatrix::from_fn(7, 7, |i, j| want.mass[ORDER[i]][ORDER[j]]);
        for algorithm in [Algorithm::Recursive, Algorithm::Composite] {
            if let Some(got) = all.answer("M", algorithm.mass_matrix(arm, q)) {
                all.array(&format!("M, {algorithm:?}"), got.as_slice(), mass.as_slice(), 0.0);
            }
        }
        if let Some(got) = all.answer("h", arm.bias(q, u)) {
            all.array("h", got.as_slice(), &own(&want.h), 0.0);
        }
        self.compare_energies(arm, want, &mut all);
        let mut ud = vec![0.0; 7];
        ud[..3].copy_from_slice(joints);
        for algorithm in [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated] {
            let answer = algorithm.hybrid_dynamics(told, q, u, &[0.0; 7], &ud);
            if let Some((tau, got)) = all.answer("closed loop", answer) {
                let name = format!("closed loop, {algorithm:?}");
                all.array(&name, got.as_slice(), &own(&want.qdd_closed_loop), 0.0);
                let name = format!("Gamma, {algorithm:?}");
                all.array(&name, &tau.as_slice()[..3], &want.drive, 0.0);
            }
        }
        all
    }

    fn compare_energies(&self, arm: &Arm, want: &Terms, all: &mut Comparison) {
        let Self { q, u, .. } = self;
        if let Some(got) = all.answer("energies", arm.energies(q, u)) {
            all.array("T", &[got.kinetic], &[want.kinetic], 0.0);
            all.array("V", &[got.elastic], &[want.elastic], 0.0);
        }
        // K is diagonal: the force of one shape alone
        let stiffness = [0, 2, 1, 3].map(|k| want.stiffness[k]);
        for (k, &want) in stiffness.iter().enumerate() {
            let mut alone = vec![0.0; 7];
            (alone[2], alone[3 + k]) = (q[2], 1.0);
            if let Some(got) = all.answer("K", arm.elastic_forces(&alone)) {
                all.array(&format!("K of shape {}", k + 1), &[got[3 + k]], &[want], 0.0);
            }
        }
    }

    /// With the velocity (24).
    fn compare_as_printed(
        &self,
        arm: &Arm,
        told: &Arm,
        want: &Terms,
    ) -> Result<Comparison, String> {
        let mut all = Comparison::within(ARM);
        let Self { q, u, joints } = self;
        let printed = |arm: &Arm| Variant::theodore24(arm, |link| link == "boom");
        let mut free = printed(arm).map_err(|lack| lack.to_string())?;
        let mut told = printed(told).map_err(|lack| lack.to_string())?;
        let mass = DMatrix::from_fn(7, 7, |i, j| want.mass[ORDER[i]][ORDER[j]]);
        for algorithm in [Algorithm::Recursive, Algorithm::Composite] {
            if let Some(got) = all.answer("M", algorithm.mass_matrix(free.arm(), q)) {
                all.array(&format!("M, {algorithm:?}"), got.as_slice(), mass.as_slice(), 0.0);
            }
        }
        if let Some(got) = all.answer("h", free.bias(q, u)) {
            all.array("h", got.as_slice(), &own(&want.h), 0.0);
        }
        self.compare_energies(free.arm(), want, &mut all);
        let mut ud = vec![0.0; 7];
        ud[..3].copy_from_slice(joints);
        let answer = told.hybrid_dynamics(q, u, &[0.0; 7], &ud);
        if let Some((tau, got)) = all.answer("closed loop", answer) {
            all.array("closed loop", got.as_slice(), &own(&want.qdd_closed_loop), 0.0);
            all.array("Gamma", &tau.as_slice()[..3], &want.drive, 0.0);
            // and back
            if let Some(needed) = all.answer("inverse", free.inverse_dynamics(q, u, got.as_slice()))
            {
                all.array("inverse", &needed.as_slice()[..3], &want.drive, 0.0);
            }
        }
        Ok(all)
    }
}
