//! Controllers with a model of the arm.

use super::Setup;
use super::arm::{self, NoArm};
use super::composite::composite;
use super::controller::{Controller, Law as Kind, Timing, slower};
use super::observer::observer;
use super::plan::Plan;
use super::sensor::{clock, named};
use super::text::Surroundings;
use super::times::{later_time, positive_time};
use crate::codes;
use crate::coordinates::{DAMPING, FORCE, PLAIN, SPRING};
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::{Side, vector};
use crate::units::{self, short};
use crate::write::write_arm;
use pliant::arm::{Arm, Builder};
use pliant::control::{
    Aim, Composite, ComputedTorque, Decoupling, Effort, EnergyFeedback, EnergyTorque, Eyes, Form,
    GravityPd, Horizon, Law, LawError, Matrices, Model, Pilot, Refresh, Situation, Window,
};
use pliant::dynamics::loads::Load;
use pliant::simulate::{Output, Quantity, Source};

/// What is said of laws that remember.
const NEEDS_CLOCK: &str = "what it remembers of its matrices needs a clock; add period = \"1 ms\"";

/// The laws that need a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ModelLaw {
    /// Springs, dampers and what holds the arm.
    GravityPd(GravityPd),
    /// Computed torque.
    ComputedTorque(ComputedTorque),
    /// King's joint controller.
    Decoupling(Decoupling),
    /// King's composite controllers, of joints and of pseudolinks.
    Composite(Box<Composite>),
    /// Computed torque of least energy.
    EnergyTorque(EnergyTorque),
    /// Adaptive feedback of least energy.
    EnergyFeedback(Box<EnergyFeedback>),
}

impl ModelLaw {
    fn law(&mut self) -> &mut dyn Law {
        match self {
            Self::GravityPd(law) => law,
            Self::ComputedTorque(law) => law,
            Self::Decoupling(law) => law,
            Self::Composite(law) => law.as_mut(),
            Self::EnergyTorque(law) => law,
            Self::EnergyFeedback(law) => law.as_mut(),
        }
    }
}

impl Law for ModelLaw {
    fn start(&mut self) {
        self.law().start();
    }

    fn forces(
        &mut self,
        now: &Situation<'_>,
        model: &mut Model,
        forces: &mut [f64],
    ) -> Result<(), LawError> {
        self.law().forces(now, model, forces)
    }
}

/// Reads a controller of a kind with a model.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    kind: &str,
    fields: &Fields<'_>,
    name: &str,
    setup: &Setup,
) -> Option<Controller> {
    let Some(plan) = &setup.plan else {
        if !reader.has_errors() {
            refuse(reader, fields, "kind", "it has nothing to follow; give the scenario a [plan]");
        }
        return None;
    };
    let oracle = reader.is_set(fields, "oracle")?;
    let timing = timing(reader, fields, oracle)?;
    let mut inputs = sensors(reader, fields, setup, plan, (oracle, &timing))?;
    let model = model(reader, around, fields, setup, plan)?;
    let joints = model.joints().len();
    let law = match kind {
        "gravity-pd" => {
            let stiffness = gains(reader, fields, "stiffness", SPRING, setup, plan);
            let damping = gains(reader, fields, "damping", DAMPING, setup, plan);
            ModelLaw::GravityPd(GravityPd { stiffness: stiffness?, damping: damping? })
        }
        "computed-torque" | "decoupling" | "composite" | "pseudolink" => {
            let stiffness = gains(reader, fields, "stiffness", PLAIN, setup, plan);
            let damping = gains(reader, fields, "damping", PLAIN, setup, plan);
            let (stiffness, damping) = (stiffness?, damping?);
            if kind == "decoupling" {
                let mut law = Decoupling::new(stiffness, damping);
                law.update = update_period(reader, fields, &timing)?;
                ModelLaw::Decoupling(law)
            } else if kind != "computed-torque" {
                let leads = kind == "pseudolink";
                let law = composite(reader, fields, &model, (stiffness, damping), leads)?;
                ModelLaw::Composite(Box::new(law))
            } else {
                let matrices = updates(reader, fields, &timing)?;
                ModelLaw::ComputedTorque(ComputedTorque { stiffness, damping, matrices })
            }
        }
        "energy-torque" => {
            let horizon = horizon(reader, fields, &timing)?;
            let matrices = updates(reader, fields, &timing)?;
            let mut law = EnergyTorque::new(horizon, matrices);
            law.as_printed = reader.is_set(fields, "as_printed")?;
            ModelLaw::EnergyTorque(law)
        }
        _ => {
            let horizon = horizon(reader, fields, &timing)?;
            let matrices = updates(reader, fields, &timing)?;
            let mut law = EnergyFeedback::new(horizon, matrices, joints);
            if reader.choice(fields, "form")? == "syst3" {
                law.form = Form::Syst3;
            }
            if reader.choice(fields, "effort")? == "whole" {
                law.effort = Effort::Whole;
            }
            if fields.get("penalty").is_some() {
                law.penalty = gains(reader, fields, "penalty", PLAIN, setup, plan)?;
            }
            ModelLaw::EnergyFeedback(Box::new(law))
        }
    };
    let eyes = match fields.get("observer") {
        Some(_) if oracle => {
            let message = "both oracle and observer are given; remove observer, or oracle = true";
            refuse(reader, fields, "observer", message);
            return None;
        }
        Some(node) => {
            let (from, heard) = ((fields, node), &mut inputs);
            let found = observer(reader, from, (setup, plan), &model, &timing, heard)?;
            Eyes::Observer(Box::new(found))
        }
        None if oracle => Eyes::oracle(&setup.arm, model.arm()),
        None => Eyes::Sensors,
    };
    let limits = match fields.get("limits") {
        Some(_) => gains(reader, fields, "limits", FORCE, setup, plan)?,
        None => vec![f64::INFINITY; joints],
    };
    // what the actuators cannot give, the law does not ask for
    let motors: Vec<usize> = plan.velocities.iter().map(|&v| setup.arm.motor_of(v)).collect();
    let most = motors.iter().map(|&motor| setup.arm.force_limits()[motor]);
    let limits: Vec<f64> = limits.into_iter().zip(most).map(|(own, most)| own.min(most)).collect();
    let saturation = match fields.get("saturation") {
        Some(_) => share(reader, fields, "saturation")?,
        None => super::tracking::SATURATION,
    };
    let outputs = motors.iter().map(|&v| {
        let unit = Side::Velocity(FORCE).quantity(&setup.arm, v).si;
        let name = format!("{}.force", setup.arm.velocity_names()[v]);
        Output { unit: unit.into(), ..Output::motor(name, v) }
    });
    let outputs = outputs.collect();
    let pilot = match Pilot::new(law, model, plan.signals.clone(), eyes) {
        Ok(pilot) => pilot.limited(&limits),
        Err(error) => {
            refuse(reader, fields, "kind", &error.to_string());
            return None;
        }
    };
    Some(Controller {
        name: name.to_owned(),
        law: Kind::Model(Box::new(pilot)),
        timing,
        oracle,
        inputs,
        outputs,
        limits,
        saturation,
    })
}

pub(super) fn refuse(reader: &mut Reader, fields: &Fields<'_>, key: &str, message: &str) {
    let (message, help) = message.rsplit_once("; ").unwrap_or((message, "change the controller"));
    reader.push(
        Problem::error(&codes::CONTROLLER, message)
            .at(fields.span_of(key))
            .label("cannot work like this")
            .help(help),
    );
}

/// A plain number that is not negative.
pub(super) fn positive(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<f64> {
    let number = reader.number(key, fields.get(key)?, &units::NUMBER)?;
    if number >= 0.0 {
        return Some(number);
    }
    refuse(reader, fields, key, &format!("{key} is {number}, below zero; give zero or more"));
    None
}

/// A share of a whole.
fn share(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<f64> {
    let number = positive(reader, fields, key)?;
    if number <= 1.0 {
        return Some(number);
    }
    refuse(reader, fields, key, &format!("{key} is {number}; give a share of the run, 0 to 1"));
    None
}

/// When it acts.
fn timing(reader: &mut Reader, fields: &Fields<'_>, oracle: bool) -> Option<Timing> {
    if fields.get("period").is_some() {
        let (clock, delay) = clock(reader, fields)?;
        return Some(Timing::Ticks { clock, delay });
    }
    let late = later_time(reader, "delay", fields)?;
    if !oracle || late > 0.0 {
        let message = "it acts at every instant only on the true state and without delay; add period = \"1 ms\", or oracle = true";
        refuse(reader, fields, "kind", message);
        return None;
    }
    Some(Timing::Always)
}

/// The encoders of the joints, in their order.
fn sensors(
    reader: &mut Reader,
    fields: &Fields<'_>,
    setup: &Setup,
    plan: &Plan,
    (oracle, timing): (bool, &Timing),
) -> Option<Vec<Source>> {
    let node = match (fields.get("sensors"), oracle) {
        (None, true) => return Some(Vec::new()),
        (Some(node), false) => node,
        (Some(_), true) => {
            refuse(
                reader,
                fields,
                "sensors",
                "both oracle and sensors are given; remove sensors, or oracle = true",
            );
            return None;
        }
        (None, false) => {
            refuse(
                reader,
                fields,
                "kind",
                "nothing measures the joints for it; add sensors = [\"…\"] with the names of encoders, or oracle = true",
            );
            return None;
        }
    };
    let Value::List(list) = &node.value else {
        reader.wrong_type("sensors", node, "a list of names", "write sensors = [\"shaft\"]");
        return None;
    };
    let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
    let found = list.iter().map(|node| named(reader, "sensor", node, &names));
    let found = found.collect::<Option<Vec<_>>>()?;
    let mut inputs = Vec::new();
    for &v in &plan.velocities {
        // of an elastic joint an encoder on either side will do
        let sides = [v, setup.arm.motor_of(v)].map(|v| setup.arm.coordinate_of(v));
        let measures = |&&i: &&usize| match setup.sensors[i].quantity {
            Quantity::Coordinate(seen) => sides.contains(&Some(seen)),
            _ => false,
        };
        let Some(&sensor) = found.iter().find(measures) else {
            let name = quoted(&setup.arm.velocity_names()[v]);
            let message = format!("no sensor measures {name} for it; name its encoder too");
            refuse(reader, fields, "sensors", &message);
            return None;
        };
        if let Timing::Ticks { clock, .. } = timing {
            slower(reader, node, &setup.sensors[sensor], clock);
        }
        inputs.push(Source::Sensor(sensor));
    }
    Some(inputs)
}

/// The model with the joints of the plan.
fn model(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    setup: &Setup,
    plan: &Plan,
) -> Option<Model> {
    let believed = match fields.get("model") {
        Some(node) => other_arm(reader, around, node, setup)?,
        None => rigid(setup.arm.clone(), &setup.description)?,
    };
    let mut joints = Vec::new();
    for &v in &plan.velocities {
        let name = &setup.arm.velocity_names()[v];
        let Some(joint) = believed.velocity_names().iter().position(|known| known == name) else {
            let message = format!("its model has no joint {}; name the joints alike", quoted(name));
            refuse(reader, fields, "model", &message);
            return None;
        };
        joints.push(joint);
    }
    let mut loads = Vec::new();
    if reader.is_set(fields, "knows_loads")? {
        for push in &setup.loads {
            let name = setup.arm.frames()[push.frame].name();
            let Ok(frame) = believed.frame(name) else {
                let message = format!(
                    "a load acts on {}, which its model has not; give the model such a frame",
                    quoted(name)
                );
                refuse(reader, fields, "knows_loads", &message);
                return None;
            };
            let load = Load { frame, wrench: push.wrench, axes: push.axes };
            loads.push((load, push.signal.clone()));
        }
    }
    match Model::new(believed.clone(), &joints) {
        Ok(model) => Some(model.knowing(loads)),
        Err(error) => {
            refuse(reader, fields, "kind", &error.to_string());
            None
        }
    }
}

/// Another arm, under the gravity of the scenario; its file is put into the text that is run.
fn other_arm(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
    setup: &Setup,
) -> Option<Arm> {
    let whose = reader.whose.clone();
    let given = arm::arm(reader, node, around.folder);
    reader.whose = whose;
    let given = match given {
        Ok(given) => given,
        Err(NoArm::Told) => return None,
        Err(NoArm::File(report)) => {
            let first = report.problems().next().map(|problem| problem.message.clone());
            reader.push(
                Problem::error(
                    &codes::CONTROLLER,
                    format!("its model cannot be read: {}", first.unwrap_or_default()),
                )
                .at(node.span.clone())
                .help("run `pliant check` on that file"),
            );
            return None;
        }
    };
    if given.is_elsewhere {
        let text = write_arm(&given.description);
        if let Ok(table) = text.parse::<toml::Table>() {
            around.replace(node.span.clone(), toml::Value::Table(table).to_string());
        }
    }
    Some(rigid(given.arm, &given.description)?.with_gravity(setup.arm.gravity()))
}

/// An arm as laws with a model see it: elastic joints are rigid to them.
fn rigid(arm: Arm, description: &Builder) -> Option<Arm> {
    if !(0..arm.body_count()).any(|body| arm.is_rotor(body)) {
        return Some(arm);
    }
    description.clone().rigid_joints().build().ok()
}

/// Numbers of the joints, not negative: by name, or one for all where they have no unit.
pub(super) fn gains(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    measure: crate::coordinates::Measure,
    setup: &Setup,
    plan: &Plan,
) -> Option<Vec<f64>> {
    let node = fields.get(key)?;
    let mut all = vec![if key == "limits" { f64::INFINITY } else { f64::NAN }; setup.arm.nv()];
    if let (Value::Number(_), true) = (&node.value, std::ptr::eq(measure.turn, PLAIN.turn)) {
        all.fill(reader.number(key, node, measure.turn)?);
    } else {
        let count = reader.problems.len();
        vector(reader, key, node, &setup.arm, Side::Velocity(measure), &mut all);
        if reader.problems.len() > count {
            return None;
        }
    }
    if let Some(&v) = plan.velocities.iter().find(|&&v| all[v].is_nan()) {
        let name = quoted(&setup.arm.velocity_names()[v]);
        let message = format!("{key} leaves out the joint {name} of the plan; give one for each");
        refuse(reader, fields, key, &message);
        return None;
    }
    let chosen: Vec<f64> = plan.velocities.iter().map(|&v| all[v]).collect();
    if chosen.iter().any(|number| *number < 0.0) {
        refuse(reader, fields, key, &format!("a number of {key} is below zero; give zero or more"));
        return None;
    }
    Some(chosen)
}

/// After which time matrices are computed anew, 0 for every tick.
fn update_period(reader: &mut Reader, fields: &Fields<'_>, timing: &Timing) -> Option<f64> {
    let Some(node) = fields.get("update_period") else {
        return Some(0.0);
    };
    let period = positive_time(reader, "update_period", node)?;
    if matches!(timing, Timing::Always) {
        refuse(reader, fields, "kind", NEEDS_CLOCK);
        return None;
    }
    Some(period)
}

/// When matrices are computed anew.
fn updates(reader: &mut Reader, fields: &Fields<'_>, timing: &Timing) -> Option<Matrices> {
    let keys =
        ["update_period", "update_change", "update_distance", "update_along_plan", "update_cells"];
    let key = reader.at_most_one(fields, &keys, "each is a policy of its own");
    let policy = match key {
        None => Refresh::Always,
        Some(key) => {
            let node = fields.get(key)?;
            match key {
                "update_period" => Refresh::Every(positive_time(reader, key, node)?),
                "update_along_plan" => Refresh::AlongTask(positive_time(reader, key, node)?),
                "update_change" => Refresh::Changed(positive(reader, fields, key)?),
                "update_distance" => Refresh::Strayed(positive(reader, fields, key)?),
                _ => Refresh::OverWorkspace(reader.count(key, node, (1, 1000))?),
            }
        }
    };
    if policy != Refresh::Always && matches!(timing, Timing::Always) {
        refuse(reader, fields, "kind", NEEDS_CLOCK);
        return None;
    }
    Some(Matrices::new(policy))
}

/// How far ahead it looks; what has no sense is refused.
fn horizon(reader: &mut Reader, fields: &Fields<'_>, timing: &Timing) -> Option<Horizon> {
    let Timing::Ticks { clock, .. } = timing else {
        refuse(reader, fields, "kind", "a horizon needs a clock; add period = \"10 ms\"");
        return None;
    };
    let length = positive_time(reader, "horizon", fields.get("horizon")?)?;
    let gains = match fields.get("gains_period") {
        Some(node) => positive_time(reader, "gains_period", node)?,
        None => clock.period(),
    };
    let window = match reader.choice(fields, "window")? {
        "receding" => Window::Receding,
        _ => Window::Fixed,
    };
    let aim = match reader.choice(fields, "aim")? {
        "present" => Aim::Present,
        _ => Aim::End,
    };
    let horizon = Horizon { length, gains, window, aim };
    if let Err(error) = horizon.check(clock.period()) {
        refuse(reader, fields, "horizon", &error.to_string());
        return None;
    }
    let growth = horizon.growth(clock.period());
    if growth > 1.0 + 1e-6 {
        let steady = (1..=100).map(|ticks| f64::from(ticks) * clock.period()).find(|&length| {
            length > horizon.length && Horizon { length, ..horizon }.growth(clock.period()) < 1.0
        });
        let help = steady.map_or_else(
            || "give it more ticks within the horizon".to_owned(),
            |length| format!("give a horizon of {} s, or a shorter period", short(length)),
        );
        reader.push(
            Problem::warning(
                &codes::CONTROLLER,
                format!(
                    "with so few ticks in the horizon errors grow by the factor {} from one window to the next",
                    short((100.0 * growth).round() / 100.0)
                ),
            )
            .at(fields.span_of("horizon"))
            .label("the joints will not stay on their path")
            .help(help),
        );
    }
    Some(horizon)
}
