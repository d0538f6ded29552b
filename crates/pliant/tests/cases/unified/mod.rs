//! Files of the unified schema: trees of bodies in a state, with every term of their equation of
//! motion.

mod model;

pub(crate) use model::Model;

use crate::comparison::{Comparison, largest};
use crate::{Case, Outcome};
use model::Place;
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::reproduce::Algorithm;
use pliant::spatial::Force;
use serde::Deserialize;
use serde_json::Value;

/// One case as the file has it. What pliant does not use is left out.
#[derive(Deserialize)]
struct Record {
    model: Model,
    q: Vec<f64>,
    u: Vec<f64>,
    tau: Vec<f64>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "M")]
    mass: Vec<Vec<f64>>,
    coriolis: Vec<f64>,
    gravity: Vec<f64>,
    elastic: Vec<f64>,
    damping: Vec<f64>,
    external: Vec<f64>,
    bias: Vec<f64>,
    #[serde(rename = "T")]
    kinetic: f64,
    #[serde(rename = "Vg")]
    potential: f64,
    #[serde(rename = "Ve")]
    elastic_energy: f64,
    linear_momentum: [f64; 3],
    angular_momentum: [f64; 3],
    tip: Tip,
}

#[derive(Deserialize)]
struct Tip {
    body: usize,
    s: Option<Place>,
    #[serde(rename = "R")]
    rotation: [[f64; 3]; 3],
    #[serde(rename = "p")]
    position: [f64; 3],
}

/// The cases of a file; a fault of the file as a whole is an error, of one case that case's.
pub(crate) fn cases(prefix: &str, mut file: Value) -> Result<Vec<Case>, String> {
    let Some(Value::Array(cases)) = file.get_mut("cases").map(Value::take) else {
        return Err("the file has no list \"cases\"; is it of the unified schema?".to_owned());
    };
    Ok(cases
        .into_iter()
        .enumerate()
        .map(|(position, case)| {
            let text = |key| match case.get(key) {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => format!("at position {position}"),
            };
            let name = format!("{prefix}case {} ({})", text("id"), text("description"));
            let run = Box::new(|| match serde_json::from_value::<Record>(case) {
                Ok(record) => record.run(),
                Err(fault) => Outcome::Unusable(format!("malformed: {fault}")),
            });
            Case { name, run }
        })
        .collect())
}

impl Record {
    fn run(self) -> Outcome {
        let tip = &self.expected.tip;
        match self.model.build(Some((tip.body, tip.s)), &self.q) {
            Ok(arm) => Outcome::Compared(self.compare(&arm)),
            Err(why) => Outcome::Unusable(why),
        }
    }

    fn compare(&self, arm: &Arm) -> Comparison {
        let mut all = Comparison::default();
        let (q, u, want) = (&self.q, &self.u, &self.expected);
        let mass: Vec<f64> = want.mass.concat();
        let forces = [&want.gravity, &want.coriolis, &want.external, &want.elastic];
        let speed = largest(u);
        let terms = forces
            .into_iter()
            .map(|force| largest(force))
            .fold(largest(&mass) * speed * speed, f64::max);

        for algorithm in [Algorithm::Recursive, Algorithm::Composite] {
            let quantity = format!("M, {algorithm:?}");
            if let Some(got) = all.answer(&quantity, algorithm.mass_matrix(arm, q)) {
                all.matrix(&quantity, &got, &want.mass, 0.0);
            }
        }
        let loads = self.loads(arm);
        let mut external = vec![0.0; arm.nv()];
        if let Some(got) = all.answer("external", arm.load_forces(q, &loads)) {
            all.array("external", got.as_slice(), &want.external, terms);
            external.copy_from_slice(got.as_slice());
        }
        for (quantity, answer, want) in [
            ("coriolis", arm.coriolis(q, u), &want.coriolis),
            ("gravity", arm.gravity_forces(q), &want.gravity),
            ("elastic", arm.elastic_forces(q), &want.elastic),
            ("damping", arm.damping_forces(q, u), &want.damping),
        ] {
            if let Some(got) = all.answer(quantity, answer) {
                all.array(quantity, got.as_slice(), want, terms);
            }
        }
        if let Some(got) = all.answer("bias", arm.bias(q, u)) {
            let got: Vec<f64> = got.iter().zip(&external).map(|(k, e)| k - e).collect();
            all.array("bias", &got, &want.bias, terms);
        }

        let driven: Vec<f64> = self.tau.iter().zip(&external).map(|(t, e)| t + e).collect();
        let rest = vec![0.0; arm.nv()];
        for algorithm in [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated] {
            let quantity = format!("udot, {algorithm:?}");
            let answer = algorithm.hybrid_dynamics(arm, q, u, &driven, &rest);
            if let Some((_, ud)) = all.answer(&quantity, answer) {
                all.accelerations(&quantity, &ud, [&mass, &want.bias, &self.tau]);
            }
        }
        self.compare_state(arm, &mut all);
        all
    }

    /// Energies, momenta, the pose of the tip.
    fn compare_state(&self, arm: &Arm, all: &mut Comparison) {
        let (q, u, want) = (&self.q, &self.u, &self.expected);
        let kilograms: f64 =
            self.model.bodies.iter().filter_map(|b| b.rigid.as_ref()).map(|rigid| rigid.mass).sum();
        let reach = 1.0 + largest(&want.tip.position);
        if let Some(got) = all.answer("energies", arm.energies(q, u)) {
            let weight = kilograms * largest(&self.model.gravity);
            all.array("T", &[got.kinetic], &[want.kinetic], 0.0);
            all.array("Vg", &[got.potential], &[want.potential], weight * reach);
            all.array("Ve", &[got.elastic], &[want.elastic_energy], 0.0);
        }
        if let Some(got) = all.answer("momenta", arm.momenta(q, u)) {
            let terms = kilograms * largest(u) * reach;
            let (linear, angular) = (got.linear.to_array(), got.angular.to_array());
            all.array("linear_momentum", &linear, &want.linear_momentum, terms);
            let terms = terms * reach;
            all.array("angular_momentum", &angular, &want.angular_momentum, terms);
        }
        if let Some(got) = all.answer("tip", arm.pose(q, "tip")) {
            let rows = got.rotation.to_rows();
            all.array("tip R", rows.as_flattened(), want.tip.rotation.as_flattened(), 1.0);
            all.array("tip p", &got.position.to_array(), &want.tip.position, reach);
        }
    }

    fn loads(&self, arm: &Arm) -> Vec<Load> {
        self.model
            .external_loads
            .iter()
            .enumerate()
            .filter_map(|(k, load)| {
                Some(Load {
                    frame: arm.frame(&format!("load {k}")).ok()?,
                    wrench: Force::new(load.force.into(), load.moment.into()),
                    axes: Axes::World,
                })
            })
            .collect()
    }
}
