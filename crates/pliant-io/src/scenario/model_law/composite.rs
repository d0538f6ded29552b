//! King's composite controllers in scenarios.

use super::{Gains, Job, ModelLawKeys, WithModel, shared_keys};
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::controller::Ticks;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::{Joints, Lasting, Names, NotNegative};
use crate::scenario::signal::listed;
use crate::shapes::Flat;
use crate::table::table;
use crate::units::short;
use pliant::arm::Arm;
use pliant::control::{Composite, CompositeWeights, ControlLaw, GUARD, Pseudolinks};

table! {
    /// The regulator of vibrations.
    pub(crate) struct Regulator = "a regulator", "write bending_weight = 1e4";
    keys {
        /// Weight of the squared modal coordinates [1/m^2, 1/rad^2].
        bending_weight: NotNegative [= 1e4],
        /// Weight of their squared rates [s^2/m^2, s^2/rad^2].
        rate_weight: NotNegative [= 0.0],
        /// Weight of the squared accelerations [s^4/rad^2, s^4/m^2].
        input_weight: NotNegative [= 1.0],
        /// The time between updates of the gains.
        gains_period: Lasting [= 0.05],
        /// The smallest allowed determinant of H22 - H21 F, relative to its size in other
        /// configurations; below it the run ends.
        guard: NotNegative [= GUARD],
    }
}

table! {
    /// The joints track the plan while a linear quadratic regulator damps the vibrations: King
    /// (4-14) to (4-18). Modal coordinates come from full_state = true or an estimator; otherwise
    /// they are taken at rest.
    pub(crate) struct CompositeKeys = "composite", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// How it takes vibrations out.
        regulator: Flat<Regulator> [flat],
    }
}

table! {
    /// Composite control of the pseudolinks, the straight lines from joint to joint: King (4-19) to
    /// (4-32).
    pub(crate) struct PseudolinkKeys = "pseudolink",
        "write stiffness = 100, damping = 20 and rows = [\"upper\", \"fore\"]";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// How it takes vibrations out.
        regulator: Flat<Regulator> [flat],
        /// The joints whose pseudolinks track the plan. The other joints track it by their angles.
        rows: Names<Joints> [or "all"],
    }
}

impl ModelLawKeys for CompositeKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let Self { model, gains, regulator, .. } = self;
        let links = Pseudolinks::none(job.model.joints().len());
        composite(reader, job, (model, gains, regulator), |_| Some(links))
    }
}

impl ModelLawKeys for PseudolinkKeys {
    shared_keys!();

    fn law(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Box<dyn ControlLaw>> {
        let Self { model, gains, regulator, .. } = self;
        composite(reader, job, (model, gains, regulator), |reader| self.links(reader, job))
    }
}

impl PseudolinkKeys {
    /// The pseudolinks of the joints of `rows`.
    fn links(&self, reader: &mut Reader, job: &Job<'_>) -> Option<Pseudolinks> {
        let (arm, joints) = (job.model.arm(), job.model.joints());
        let led = match self.rows.if_given()? {
            None => (0..joints.len()).collect(),
            Some(rows) if rows.is_empty() => {
                let help = "name joints in rows, or take kind = \"composite\"";
                let span = self.rows.span_or(job.kind);
                CONTROLLER.refuse(reader, span, "no pseudolink is led", help);
                return None;
            }
            Some(rows) => {
                let name = |&v: &usize| arm.velocity_names()[v].clone();
                let names: Vec<String> = joints.iter().map(name).collect();
                let found = rows.iter().map(|row| listed(reader, "joint", row, &names));
                found.collect::<Option<Vec<usize>>>()?
            }
        };
        let mut links = Pseudolinks::none(joints.len());
        for k in led {
            links.frames[k] = point_of(arm, joints[k]);
        }
        Some(links)
    }
}

/// King's composite controllers, whose links are asked for last.
fn composite(
    reader: &mut Reader,
    job: &Job<'_>,
    (keys, gains, regulator): (&WithModel, &Gains, &Regulator),
    links: impl FnOnce(&mut Reader) -> Option<Pseudolinks>,
) -> Option<Box<dyn ControlLaw>> {
    let (stiffness, damping) = gains.of(reader, job)?;
    let (model, kind) = (job.model, job.kind);
    let sees_all = keys.full_state.value?;
    let arm = model.arm();
    let drives = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
    if let Some(v) = drives.into_iter().find(|v| !model.joints().contains(v)) {
        let message = format!(
            "the joint {} is not in the plan, so that it takes it for something that bends",
            quoted(&arm.velocity_names()[v])
        );
        let help = "plan it too, or let it follow a prescribed motion";
        CONTROLLER.refuse(reader, kind.clone(), message, help);
        return None;
    }
    if (0..arm.body_count()).all(|link| arm.deforming_of(link).is_empty()) {
        let message = "nothing of its model bends, so that there are no vibrations to take out: it is computed torque";
        reader.push(
            Problem::warning(&codes::CONTROLLER, message)
                .at(kind.clone())
                .label("has nothing to do besides")
                .help("take kind = \"computed-torque\"; elastic joints are rigid to laws with a model"),
        );
    } else if !sees_all && !keys.estimator.is_given() {
        let message = "it does not see what bends, and takes it to be at rest: there is nothing for its regulator to do";
        reader.push(
            Problem::warning(&codes::CONTROLLER, message)
                .at(kind.clone())
                .label("takes no vibrations out")
                .help("add estimator = { kind = \"extended\" } and strain gauges, or full_state = true"),
        );
    }
    let weights = CompositeWeights {
        bending: regulator.bending_weight.value?,
        rate: regulator.rate_weight.value?,
        input: regulator.input_weight.value?,
    };
    let guard = regulator.guard.value?;
    let refused = if weights.input == 0.0 {
        Some((&regulator.input_weight, "accelerations cost nothing with it", "give more than zero"))
    } else if weights.bending == 0.0 && weights.rate == 0.0 {
        Some((
            &regulator.bending_weight,
            "vibrations cost nothing, with no rate_weight either",
            "give more than zero",
        ))
    } else if guard >= 1.0 {
        Some((
            &regulator.guard,
            "it is the part of what the determinant is in other postures",
            "give less than 1, 0.01 is usual",
        ))
    } else {
        None
    };
    if let Some((field, why, help)) = refused {
        let message = format!("{} is {}: {why}", field.name(), short(field.value?));
        CONTROLLER.refuse(reader, field.span_or(kind), message, help);
        return None;
    }
    let period = regulator.gains_period.value?;
    let links = links(reader)?;
    let law = Composite::new(stiffness, damping, links, weights, period).guarded(guard);
    Some(Box::new(law))
}

/// The tip of the link of a joint, or that of the arm where the link has none.
fn point_of(arm: &Arm, velocity: usize) -> Option<usize> {
    let link = (0..arm.body_count()).find(|&link| arm.velocities_of(link).contains(&velocity))?;
    arm.tip_of(arm.described_link(link)).or_else(|| arm.tip())
}
