//! Akmehmet's inverse kinematics, straight line and gains of least energy.

use crate::comparison::{Comparison, ROUNDING, largest};
use crate::{Case, Outcome};
use pliant::arm::Arm;
use pliant::control::MinimumEnergy;
use pliant::nalgebra::{DMatrix, DVector};
use pliant::plan::{IkSolver, Path, TimeScaling, TipPath, follow};
use pliant::reproduce::akmehmet::inverse_kinematics::{
    self as akmehmet, Branch, Elbow, Hand, Shoulder, Wrist,
};
use pliant::simulate::Jet;
use pliant::spatial::Mat3;
use serde::Deserialize;
use serde_json::Value;
use std::f64::consts::TAU;
use std::rc::Rc;

/// What all of these are held to.
const TOLERANCE: f64 = 1e-10;

#[derive(Deserialize)]
struct Inverse3 {
    p: [f64; 3],
    v: [f64; 3],
    a: [f64; 3],
    solutions: Vec<Solution>,
}

#[derive(Deserialize)]
struct Inverse6 {
    #[serde(rename = "H")]
    hand: [[f64; 4]; 4],
    v: [f64; 3],
    omega: [f64; 3],
    solutions: Vec<Solution>,
}

#[derive(Deserialize)]
struct Solution {
    elbow: i32,
    shoulder: i32,
    #[serde(default)]
    flip: i32,
    q: Vec<f64>,
    qd: Vec<f64>,
    #[serde(default)]
    qdd: Vec<f64>,
}

#[derive(Deserialize)]
struct Trajectory {
    p1: [f64; 3],
    p2: [f64; 3],
    tf: f64,
    hand_orientation_6dof_columns_n_s_a: [[f64; 3]; 3],
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    t: f64,
    p: [f64; 3],
    v: [f64; 3],
    a: [f64; 3],
    q3: Vec<f64>,
    qd3: Vec<f64>,
    qdd3: Vec<f64>,
    q6: Vec<f64>,
    qd6: Vec<f64>,
    trapezoid_tac_0p4: [[f64; 3]; 3],
    sine_tac_0p4: [[f64; 3]; 3],
}

#[derive(Deserialize)]
struct Gains {
    kind: String,
    #[serde(rename = "T")]
    horizon: f64,
    #[serde(rename = "J")]
    mass: Vec<Vec<f64>>,
    #[serde(rename = "C")]
    c: Vec<Vec<f64>>,
    #[serde(rename = "V")]
    v: Vec<Vec<f64>>,
    bias: Vec<f64>,
    xd_block_q_qd: Vec<f64>,
    #[serde(rename = "G_block")]
    g: Vec<Vec<f64>>,
    u_open: Vec<f64>,
}

/// The cases, for the arms of three and six joints.
pub(crate) fn cases(file: &Value, three: &Rc<Arm>, six: &Rc<Arm>) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (i, case) in read::<Vec<Inverse3>>(file, "ik3")?.into_iter().enumerate() {
        cases.push(Case {
            name: format!("akmehmet ik3 {i}"),
            run: Box::new(move || Outcome::Compared(case.compare())),
        });
    }
    for (i, case) in read::<Vec<Inverse6>>(file, "ik6")?.into_iter().enumerate() {
        cases.push(Case {
            name: format!("akmehmet ik6 {i}"),
            run: Box::new(move || Outcome::Compared(case.compare())),
        });
    }
    for (i, case) in read::<Vec<Gains>>(file, "min_energy_gains")?.into_iter().enumerate() {
        cases.push(Case {
            name: format!("akmehmet gains {i} {}", case.kind),
            run: Box::new(move || Outcome::Compared(case.compare())),
        });
    }
    let trajectory: Trajectory = read(file, "trajectory")?;
    let (three, six) = (Rc::clone(three), Rc::clone(six));
    cases.push(Case {
        name: "akmehmet trajectory".into(),
        run: Box::new(move || Outcome::Compared(trajectory.compare(&three, &six))),
    });
    Ok(cases)
}

fn read<T: serde::de::DeserializeOwned>(file: &Value, key: &str) -> Result<T, String> {
    let value = file.get(key).cloned().ok_or_else(|| format!("akmehmet.json has no \"{key}\""))?;
    serde_json::from_value(value).map_err(|e| format!("akmehmet.json, {key}: {e}"))
}

impl Solution {
    fn branch(&self) -> Branch {
        Branch {
            shoulder: if self.shoulder > 0 { Shoulder::Front } else { Shoulder::Back },
            elbow: if self.elbow > 0 { Elbow::Up } else { Elbow::Down },
            wrist: if self.flip >= 0 { Wrist::Plain } else { Wrist::Flipped },
        }
    }

    fn compare(&self, all: &mut Comparison, what: &str, joints: &[Jet]) {
        joined(all, what, joints, [&self.q, &self.qd], 0.0);
        if !self.qdd.is_empty() {
            let qdd: Vec<f64> = joints.iter().map(|jet| jet.acceleration).collect();
            all.array(&format!("{what} qdd"), &qdd, &self.qdd, 0.0);
        }
    }
}

/// Angles, whole turns apart or not, and rates.
fn joined(all: &mut Comparison, what: &str, joints: &[Jet], [q, qd]: [&[f64]; 2], smooth: f64) {
    let near = |jet: &Jet, want: &f64| jet.value - TAU * ((jet.value - want) / TAU).round();
    let got: Vec<f64> = joints.iter().zip(q).map(|(jet, want)| near(jet, want)).collect();
    all.array(&format!("{what} q"), &got, q, 0.0);
    let got: Vec<f64> = joints.iter().map(|jet| jet.rate).collect();
    // between instants that are exact, polynomials are good to a part of the largest acceleration
    let terms = if smooth > 0.0 { 1e-2 * smooth / ROUNDING } else { largest(qd).max(1.0) };
    all.array(&format!("{what} qd"), &got, qd, terms);
}

fn jets(p: [f64; 3], v: [f64; 3], a: [f64; 3]) -> [Jet; 3] {
    [0, 1, 2].map(|k| Jet { value: p[k], rate: v[k], acceleration: a[k] })
}

impl Inverse3 {
    fn compare(&self) -> Comparison {
        let mut all = Comparison::within(TOLERANCE);
        for (i, solution) in self.solutions.iter().enumerate() {
            let tip = jets(self.p, self.v, self.a);
            let what = format!("branch {i}");
            if let Some(joints) = all.answer(&what, akmehmet::three_joints(&tip, solution.branch()))
            {
                solution.compare(&mut all, &what, &joints);
            }
        }
        all
    }
}

impl Inverse6 {
    fn compare(&self) -> Comparison {
        let mut all = Comparison::within(TOLERANCE);
        let h = &self.hand;
        let rows = [0, 1, 2].map(|i| [h[i][0], h[i][1], h[i][2]]);
        let hand = Hand {
            position: jets([h[0][3], h[1][3], h[2][3]], self.v, [0.0; 3]),
            attitude: Mat3::from_rows(rows),
            spin: self.omega,
            spin_rate: [0.0; 3],
        };
        for (i, solution) in self.solutions.iter().enumerate() {
            let what = format!("branch {i}");
            if let Some(joints) = all.answer(&what, akmehmet::six_joints(&hand, solution.branch()))
            {
                solution.compare(&mut all, &what, &joints);
            }
        }
        all
    }
}

impl Gains {
    fn compare(&self) -> Comparison {
        let mut all = Comparison::within(TOLERANCE);
        let n = self.mass.len();
        let square = |rows: &[Vec<f64>]| DMatrix::from_fn(n, n, |i, j| rows[i][j]);
        let Some(inverse) = square(&self.mass).try_inverse() else {
            all.answer::<(), _>("J", Err("singular"));
            return all;
        };
        let mut a = DMatrix::zeros(2 * n, 2 * n);
        a.view_mut((0, n), (n, n)).fill_with_identity();
        if self.kind == "syst3" {
            let c = square(&self.c) + square(&self.v);
            a.view_mut((n, n), (n, n)).copy_from(&-(&inverse * c));
        }
        let mut b = DMatrix::zeros(2 * n, n);
        b.view_mut((n, 0), (n, n)).copy_from(&inverse);
        let mut constant = DVector::zeros(2 * n);
        let bias = DVector::from_column_slice(&self.bias);
        constant.rows_mut(n, n).copy_from(&-(&inverse * bias));
        let gains = MinimumEnergy::new(&a, &b, &DMatrix::identity(n, n), self.horizon);
        let Some(gains) = all.answer("gains", gains) else {
            return all;
        };
        all.matrix("G", &gains.feedback, &self.g, 0.0);
        let target = DVector::from_column_slice(&self.xd_block_q_qd);
        let open = gains.open_loop(&target, &constant);
        all.array("u_o", open.as_slice(), &self.u_open, 0.0);
        all
    }
}

impl Trajectory {
    fn compare(&self, three: &Arm, six: &Arm) -> Comparison {
        let mut all = Comparison::within(TOLERANCE);
        let points = [self.p1.to_vec(), self.p2.to_vec()];
        let path = |profile| Path::corners(&points, &[self.tf], profile, 0.0);
        let profiles =
            [TimeScaling::ParabolicSpeed, TimeScaling::Trapezoid(0.4), TimeScaling::Pulses(0.4)];
        let [parabolic, trapezoid, pulses] = profiles.map(|p| all.answer("path", path(p)));
        let (Some(parabolic), Some(trapezoid), Some(pulses)) = (parabolic, trapezoid, pulses)
        else {
            return all;
        };
        let attitude = Mat3::from_rows(self.hand_orientation_6dof_columns_n_s_a);
        let tip = TipPath::new(parabolic.clone());
        let followed = |arm: &Arm, tip: &TipPath, near: &[f64]| {
            let mut solver =
                IkSolver::new(arm, arm.frames().len() - 1).map_err(|e| e.to_string())?;
            follow(&mut solver, tip, near).map_err(|e| e.to_string())
        };
        let joints3 = all.answer("three joints", followed(three, &tip, &self.samples[0].q3));
        let tip = tip.keeping(attitude);
        let joints6 = all.answer("six joints", followed(six, &tip, &self.samples[0].q6));
        for sample in &self.samples {
            let t = sample.t;
            // the samples are inside, and where slowing down begins they are before the jump
            let slows = self.tf - 0.4;
            let now = |path: &Path| if t < slows - 1e-9 { path.at(t) } else { path.before(t) };
            for (name, path, want) in [
                ("parabola", &parabolic, [sample.p, sample.v, sample.a]),
                ("trapezoid", &trapezoid, sample.trapezoid_tac_0p4),
                ("pulses", &pulses, sample.sine_tac_0p4),
            ] {
                let got = now(path);
                let parts = [
                    got.iter().map(|jet| jet.value).collect::<Vec<f64>>(),
                    got.iter().map(|jet| jet.rate).collect(),
                    got.iter().map(|jet| jet.acceleration).collect(),
                ];
                for (k, (got, want)) in parts.iter().zip(want).enumerate() {
                    all.array(&format!("{name} {k} at {t}"), got, &want, 10.0);
                }
            }
            let place = now(&parabolic);
            let hand = Hand {
                position: [place[0], place[1], place[2]],
                attitude,
                spin: [0.0; 3],
                spin_rate: [0.0; 3],
            };
            let branch =
                Branch { shoulder: Shoulder::Front, elbow: Elbow::Up, wrist: Wrist::Plain };
            let closed = akmehmet::three_joints(&hand.position, branch);
            if let Some(joints) = all.answer("closed form", closed) {
                compare3(&mut all, &format!("closed form at {t}"), &joints, sample, 0.0);
            }
            let closed = akmehmet::six_joints(&hand, branch);
            if let Some(joints) = all.answer("closed form", closed) {
                let what = format!("closed form of six at {t}");
                joined(&mut all, &what, &joints, [&sample.q6, &sample.qd6], 0.0);
            }
            if let Some(joints) = &joints3 {
                compare3(&mut all, &format!("solver at {t}"), &now(&joints.path), sample, 1e-8);
            }
            if let Some(joints) = &joints6 {
                let what = format!("solver of six at {t}");
                joined(&mut all, &what, &now(&joints.path), [&sample.q6, &sample.qd6], 1e-8);
            }
        }
        all
    }
}

fn compare3(all: &mut Comparison, what: &str, joints: &[Jet], sample: &Sample, smooth: f64) {
    joined(all, what, joints, [&sample.q3, &sample.qd3], smooth);
    let got: Vec<f64> = joints.iter().map(|jet| jet.acceleration).collect();
    let terms = smooth / ROUNDING * largest(&sample.qdd3).max(10.0);
    all.array(&format!("{what} qdd"), &got, &sample.qdd3, terms);
}
