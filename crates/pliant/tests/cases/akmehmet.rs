//! Akmehmet's arms of three and six joints and one with sliding joints: the terms of (2.9).

use crate::comparison::{Comparison, largest};
use crate::{Case, Outcome};
use pliant::arm::{Arm, Builder, DhConvention, DhRow, DhVariable, Link};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::reproduce::Algorithm;
use pliant::reproduce::akmehmet::coriolis_matrix;
use pliant::spatial::Force;
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// An arm in standard Denavit-Hartenberg parameters, and states of it.
#[derive(Deserialize)]
struct Record {
    parameters: Parameters,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct Parameters {
    n: usize,
    /// 0 turns, 1 slides.
    jtype: Vec<u8>,
    alpha_rad: Vec<f64>,
    theta_const_rad: Vec<f64>,
    a: Vec<f64>,
    d_const: Vec<f64>,
    mass: Vec<f64>,
    mass_centre_from_origin_i_in_frame_i: Vec<[f64; 3]>,
    inertia_about_mass_centre_in_frame_i: Vec<[[f64; 3]; 3]>,
    viscous: Vec<f64>,
    gravity_base: [f64; 3],
}

#[derive(Deserialize)]
struct State {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    /// What the hand exerts on the world, base axes.
    hand_force: [f64; 3],
    hand_moment: [f64; 3],
    #[serde(rename = "J")]
    mass: Vec<Vec<f64>>,
    f: Vec<f64>,
    g: Vec<f64>,
    h: Vec<f64>,
    #[serde(rename = "C")]
    c: Vec<Vec<f64>>,
    #[serde(rename = "C_qd")]
    c_qd: Vec<f64>,
    tau: Vec<f64>,
    #[serde(rename = "arm_matrix_H")]
    hand: [[f64; 4]; 4],
}

pub(crate) fn cases(file: &Value) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut arms = Vec::new();
    for arm_name in ["arm3", "arm6", "arm_mixed_RPRRP"] {
        let record = file
            .get(arm_name)
            .cloned()
            .ok_or_else(|| format!("akmehmet.json has no \"{arm_name}\""))?;
        let record: Record = serde_json::from_value(record)
            .map_err(|e| format!("akmehmet.json, {arm_name}: {e}"))?;
        let arm = record.parameters.build()?;
        arms.push(Rc::new(arm.clone()));
        let arm = Rc::new((arm, record.parameters));
        for (i, state) in record.states.into_iter().enumerate() {
            let arm = Rc::clone(&arm);
            cases.push(Case {
                name: format!("akmehmet {arm_name} state {i}"),
                run: Box::new(move || Outcome::Compared(state.compare(&arm.0, &arm.1))),
            });
        }
    }
    cases.extend(crate::akmehmet_plan::cases(file, &arms[0], &arms[1])?);
    Ok(cases)
}

fn name(link: usize) -> String {
    format!("link {}", link + 1)
}

impl Parameters {
    /// The rows of (2.1) as they are; the constant part of a variable is its offset.
    fn build(&self) -> Result<Arm, String> {
        let mut builder = Builder::new("Akmehmet").gravity(self.gravity_base);
        for i in 0..self.n {
            let row = DhRow {
                theta: self.theta_const_rad[i],
                d: self.d_const[i],
                a: self.a[i],
                alpha: self.alpha_rad[i],
            };
            let variable = match self.jtype[i] {
                0 => DhVariable::Theta,
                1 => DhVariable::D,
                other => return Err(format!("no joint type {other}")),
            };
            builder = builder.link(
                Link::new(name(i))
                    .dh(DhConvention::Standard, row, variable)
                    .damping(&[self.viscous[i]])
                    .body(
                        self.mass[i],
                        self.mass_centre_from_origin_i_in_frame_i[i],
                        self.inertia_about_mass_centre_in_frame_i[i],
                    ),
            );
        }
        builder.build().map_err(|e| e.to_string())
    }
}

impl State {
    fn compare(&self, arm: &Arm, parameters: &Parameters) -> Comparison {
        let mut all = Comparison::default();
        let (q, u) = (&self.q, &self.qd);
        for algorithm in [Algorithm::Recursive, Algorithm::Composite] {
            if let Some(got) = all.answer("J", algorithm.mass_matrix(arm, q)) {
                all.matrix(&format!("J, {algorithm:?}"), &got, &self.mass, 0.0);
            }
        }
        for (quantity, answer, want) in
            [("f", arm.coriolis(q, u), &self.f), ("g", arm.gravity_forces(q), &self.g)]
        {
            if let Some(got) = all.answer(quantity, answer) {
                all.array(quantity, got.as_slice(), want, largest(want));
            }
        }
        if let Some(got) = all.answer("C", coriolis_matrix(arm, q, u)) {
            all.matrix("C", &got, &self.c, 0.0);
            let product = got * pliant::nalgebra::DVector::from_column_slice(u);
            all.array("C qd", product.as_slice(), &self.c_qd, 0.0);
        }
        let v_qd: Vec<f64> = parameters.viscous.iter().zip(u).map(|(v, u)| v * u).collect();
        if let Some(got) = all.answer("V qd", arm.damping_forces(q, u)) {
            all.array("V qd", got.as_slice(), &v_qd, 0.0);
        }
        if let Some(tip) = all.answer("H", arm.pose(q, &name(parameters.n - 1))) {
            let rows = tip.rotation.to_rows();
            let p = tip.position.to_array();
            let want: Vec<f64> = self.hand.as_flattened().to_vec();
            let got: Vec<f64> = (0..3)
                .flat_map(|i| [rows[i][0], rows[i][1], rows[i][2], p[i]])
                .chain([0.0, 0.0, 0.0, 1.0])
                .collect();
            all.array("H", &got, &want, 0.0);
        }
        self.compare_forces(arm, &v_qd, &mut all);
        all
    }

    /// h, and the two directions between τ and q̈. A hand that pushes the world is pushed back.
    fn compare_forces(&self, arm: &Arm, v_qd: &[f64], all: &mut Comparison) {
        let (q, u, qdd) = (&self.q, &self.qd, &self.qdd);
        let n = self.q.len();
        let load = Load {
            frame: arm.frames().len() - 1,
            wrench: -Force::new(self.hand_force.into(), self.hand_moment.into()),
            axes: Axes::World,
        };
        let Some(loads) = all.answer("h", arm.load_forces(q, &[load])) else {
            return;
        };
        all.array("h", (-&loads).as_slice(), &self.h, 0.0);
        if let Some(got) = all.answer("tau", arm.inverse_dynamics(q, u, qdd)) {
            all.array("tau", (got - &loads).as_slice(), &self.tau, 0.0);
        }
        let bias: Vec<f64> = (0..n).map(|i| self.f[i] + v_qd[i] + self.g[i] + self.h[i]).collect();
        let driven: Vec<f64> = self.tau.iter().zip(&loads).map(|(t, e)| t + e).collect();
        for algorithm in [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated] {
            let quantity = format!("qdd, {algorithm:?}");
            let answer = algorithm.hybrid_dynamics(arm, q, u, &driven, &vec![0.0; n]);
            if let Some((_, ud)) = all.answer(&quantity, answer) {
                let mass = self.mass.concat();
                all.accelerations(&quantity, &ud, [&mass, &bias, &self.tau]);
            }
        }
    }
}
