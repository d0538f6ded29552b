//! Plans of scenarios: where controllers are to lead the arm.

use super::Setup;
use super::plan_keys::{PLANS, PROFILES};
use super::refusal::PLAN;
use super::sensor::named;
use super::signal::frame;
use super::times::{positive_time, time};
use crate::codes;
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::{Side, vector};
use crate::units::{self, short};
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant::plan::{Path, PathError, Profile, Solver, TipPath, follow};
use pliant::simulate::{Reference, Signal};
use std::sync::Arc;

/// Where controllers are to lead the arm.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The joints, as velocity coordinates.
    pub velocities: Vec<usize>,
    /// Where they should be over time (rad, m).
    pub signals: Vec<Signal>,
    /// The frame whose path was given, by index, and the path (m).
    pub tip: Option<(usize, Arc<Path>)>,
    /// When it has arrived (s).
    pub end: f64,
    /// What its shaper is made for, in words, if it has one.
    pub shaper: Option<String>,
}

/// Reads the plan; the arm starts where it begins, unless it was told to start elsewhere. Gives the
/// shaper that it has, which depends on the controllers that follow it.
pub(super) fn plan<'a>(
    reader: &mut Reader,
    node: &'a Node,
    setup: &mut Setup,
    starts_elsewhere: bool,
) -> Option<&'a Node> {
    let (kind, fields) = reader.fields_of_kind("a plan", node, PLANS)?;
    let durations = reader.any_numbers("durations", fields.get("durations")?, &units::TIME);
    let plan = if kind == "line" {
        line(reader, &fields, setup, &durations?, starts_elsewhere)?
    } else {
        joints(reader, &fields, setup, &durations?, starts_elsewhere)?
    };
    let arm = &setup.arm;
    for (&v, signal) in plan.velocities.iter().zip(&plan.signals) {
        let coordinate = arm.coordinate_of(v)?;
        let unit = Side::Configuration.quantity(arm, coordinate).si.to_owned();
        let name = format!("plan.{}", arm.velocity_names()[v]);
        setup.references.push(Reference { name, unit, signal: signal.clone() });
    }
    if let Some((frame, path)) = &plan.tip {
        for (component, axis) in ["x", "y", "z"].iter().enumerate() {
            let name = format!("plan.{}.position.{axis}", arm.frames()[*frame].name());
            let signal = Signal::Planned { path: Arc::clone(path), component };
            setup.references.push(Reference { name, unit: "m".to_owned(), signal });
        }
    }
    if !starts_elsewhere {
        // the springs of elastic joints are relaxed at the start
        for &v in &plan.velocities {
            let sides = [v, arm.motor_of(v)].map(|v| arm.coordinate_of(v));
            if let [Some(link), Some(motor)] = sides {
                setup.q[motor] = setup.q[link];
            }
        }
    }
    setup.plan = Some(plan);
    if kind == "joints" { fields.get("shaper") } else { None }
}

/// The points, each a row of numbers of the given kinds.
fn points(
    reader: &mut Reader,
    fields: &Fields<'_>,
    quantities: &[&'static units::Quantity],
    order: &str,
) -> Option<Vec<Vec<f64>>> {
    let node = fields.get("points")?;
    let Value::List(rows) = &node.value else {
        reader.wrong_type("points", node, "a list of points", "write [[1, 0, 0], [0, 1, 0]]");
        return None;
    };
    let mut points = Vec::new();
    for row in rows {
        match &row.value {
            Value::List(numbers) if numbers.len() == quantities.len() => {
                let mut point = Vec::new();
                for (node, quantity) in numbers.iter().zip(quantities) {
                    point.push(reader.number("a point", node, quantity)?);
                }
                points.push(point);
            }
            _ => {
                let wanted = quantities.len();
                let message = format!("a point is {row}, wanted are {wanted} numbers");
                reader.push(
                    Problem::error(&codes::PLAN, message)
                        .at(row.span.clone())
                        .label("not such a point")
                        .help(format!("give {order}")),
                );
                return None;
            }
        }
    }
    Some(points)
}

/// The path through points.
fn path(
    reader: &mut Reader,
    fields: &Fields<'_>,
    points: &[Vec<f64>],
    durations: &[f64],
) -> Option<Path> {
    let start = time(reader, "start", fields)?;
    let through = reader.is_set(fields, "through")?;
    reader.at_most_one(fields, &["profile", "blend", "through"], "they are different paths");
    let made = if let Some(node) = fields.get("blend") {
        Path::blended(points, durations, positive_time(reader, "blend", node)?, start)
    } else if through {
        Path::minimum_jerk(points, durations, start)
    } else {
        Path::corners(points, durations, profile(reader, fields)?, start)
    };
    match made {
        Ok(path) => Some(path),
        Err(error) => {
            let key = match error {
                PathError::Ramp { .. } => "accelerate",
                PathError::Blend { .. } => "blend",
                _ => "durations",
            };
            PLAN.refuse(reader, fields, key, &error.to_string());
            None
        }
    }
}

fn profile(reader: &mut Reader, fields: &Fields<'_>) -> Option<Profile> {
    let word = match fields.get("profile") {
        Some(node) => reader.word("profile", node, PROFILES.iter().copied())?,
        None => "minimum-jerk",
    };
    let ramp = fields.get("accelerate").map(|node| positive_time(reader, "accelerate", node));
    match (word, ramp) {
        ("trapezoid", Some(ramp)) => Some(Profile::Trapezoid(ramp?)),
        ("pulses", Some(ramp)) => Some(Profile::Pulses(ramp?)),
        ("trapezoid" | "pulses", None) => {
            let message =
                format!("{word} need the time of speeding up; add accelerate = \"0.2 s\"");
            PLAN.refuse(reader, fields, "profile", &message);
            None
        }
        (_, Some(_)) => {
            let message = format!("a {word} profile speeds up all the time; remove accelerate");
            PLAN.refuse(reader, fields, "accelerate", &message);
            None
        }
        ("parabolic", None) => Some(Profile::ParabolicSpeed),
        _ => Some(Profile::MinimumJerk),
    }
}

fn joints(
    reader: &mut Reader,
    fields: &Fields<'_>,
    setup: &mut Setup,
    durations: &[f64],
    starts_elsewhere: bool,
) -> Option<Plan> {
    let arm = &setup.arm;
    let velocities = match fields.get("joints") {
        Some(node) => named_joints(reader, "joints", node, arm)?,
        None => driven(arm),
    };
    let coordinates = velocities.iter().map(|&v| arm.coordinate_of(v)).collect::<Option<Vec<_>>>();
    let Some(coordinates) = coordinates else {
        PLAN.refuse(
            reader,
            fields,
            "joints",
            "a joint turns freely; plan those with one coordinate",
        );
        return None;
    };
    let quantities: Vec<_> =
        coordinates.iter().map(|&i| Side::Configuration.quantity(arm, i)).collect();
    let names: Vec<&str> = velocities.iter().map(|&v| arm.velocity_names()[v].as_str()).collect();
    let order = format!("one number for each joint, in this order: {}", names.join(", "));
    let points = points(reader, fields, &quantities, &order)?;
    let path = Arc::new(path(reader, fields, &points, durations)?);
    if setup.limits.is_some() {
        within_limits(reader, fields, arm, &coordinates, &path);
    }
    if !starts_elsewhere {
        for (component, &coordinate) in coordinates.iter().enumerate() {
            setup.q[coordinate] = path.component(component, 0.0, false).value;
        }
    }
    Some(Plan { signals: signals(&path), velocities, tip: None, end: path.end(), shaper: None })
}

/// Warns of the first instant at which a path leaves the limits of a joint.
fn within_limits(
    reader: &mut Reader,
    fields: &Fields<'_>,
    arm: &Arm,
    coordinates: &[usize],
    path: &Path,
) {
    const LOOKS: u32 = 1000;
    for (component, &coordinate) in coordinates.iter().enumerate() {
        let Some(limits) = arm.limits()[coordinate] else {
            continue;
        };
        let time =
            |k: u32| path.start() + (path.end() - path.start()) * f64::from(k) / f64::from(LOOKS);
        let place = |k: u32| path.component(component, time(k), false).value;
        let slack = 1e-9 * (limits.upper - limits.lower).abs();
        let outside =
            |k: &u32| place(*k) < limits.lower - slack || place(*k) > limits.upper + slack;
        if let Some(k) = (0..=LOOKS).find(outside) {
            let name = &arm.configuration_names()[coordinate];
            let unit = Side::Configuration.quantity(arm, coordinate).si;
            let [lower, upper] = [limits.lower, limits.upper].map(short);
            let (t, at) = (short(time(k)), short(place(k)));
            reader.push(
                Problem::warning(
                    &codes::PLAN,
                    format!("at t = {t} s {name} should be at {at} {unit}, beyond its limits"),
                )
                .at(fields.span_of("points"))
                .label(format!("it goes from {lower} to {upper} {unit}"))
                .help("stay within the limits, or write limits = \"ignore\""),
            );
        }
    }
}

/// Warns of a plan that nobody follows, and of motors that two laws drive along it.
pub(super) fn unused(reader: &mut Reader, node: &Node, setup: &Setup) {
    let followers: Vec<_> = setup.controllers.iter().filter(|one| one.follows_plan()).collect();
    let (message, help) = match followers.as_slice() {
        [] if reader.has_errors() => return,
        [] => (
            "no controller follows the plan: the arm moves as if it were not there".to_owned(),
            "add one below a line [[controller]], such as kind = \"computed-torque\"",
        ),
        [_] => return,
        [first, second, ..] => (
            format!(
                "both {} and {} follow the plan: their forces add up",
                quoted(&first.name),
                quoted(&second.name)
            ),
            "remove one of them, unless it is meant",
        ),
    };
    reader.push(
        Problem::warning(&codes::PLAN, message).at(node.span.clone()).label("this plan").help(help),
    );
}

fn signals(path: &Arc<Path>) -> Vec<Signal> {
    let of = |component| Signal::Planned { path: Arc::clone(path), component };
    (0..path.width()).map(of).collect()
}

/// Joints with one coordinate and a motor.
fn driven(arm: &Arm) -> Vec<usize> {
    let links = 0..arm.body_count();
    let drives = links.flat_map(|link| arm.drives_of(link));
    drives.filter(|v| arm.coordinate_of(*v).is_some()).collect()
}

/// The joints of a list of names, as velocity coordinates.
fn named_joints(reader: &mut Reader, what: &str, node: &Node, arm: &Arm) -> Option<Vec<usize>> {
    let Value::List(list) = &node.value else {
        let help = "write a list such as [\"upper\", \"fore\"]";
        reader.wrong_type(what, node, "a list of names", help);
        return None;
    };
    list.iter().map(|node| named(reader, "joint", node, arm.velocity_names())).collect()
}

fn line(
    reader: &mut Reader,
    fields: &Fields<'_>,
    setup: &mut Setup,
    durations: &[f64],
    starts_elsewhere: bool,
) -> Option<Plan> {
    let arm = &setup.arm;
    let frame = match fields.get("frame") {
        Some(node) => frame(reader, node, arm)?,
        None => super::tip(arm)?,
    };
    let keeps = reader.is_set(fields, "keep_attitude")?;
    let sags = reader.is_set(fields, "sag")?;
    let held = match fields.get("hold") {
        Some(node) => named_joints(reader, "hold", node, arm)?,
        None => Vec::new(),
    };
    let order = "the three coordinates of the tip in the world";
    let points = points(reader, fields, &[&units::LENGTH; 3], order)?;
    let place = path(reader, fields, &points, durations)?;
    let mut path = TipPath::new(place.clone());
    if keeps {
        let name = arm.frames()[frame].name();
        path = path.keeping(arm.pose(&setup.q, name).ok()?.rotation);
    }
    let solver = if sags {
        Solver::sagging(arm, frame, Conditions::default())
    } else {
        Solver::new(arm, frame)
    };
    let mut near = setup.q.clone();
    if let Some(node) = fields.get("near") {
        let count = reader.problems.len();
        vector(reader, "near", node, arm, Side::Configuration, &mut near);
        if reader.problems.len() > count {
            return None;
        }
    }
    let followed = solver.map_err(|error| error.to_string()).and_then(|solver| {
        let mut solver = solver.hold(&held);
        follow(&mut solver, &path, &near).map_err(|error| error.to_string())
    });
    let followed = match followed {
        Ok(followed) => followed,
        Err(message) => {
            PLAN.refuse(reader, fields, "points", &message);
            return None;
        }
    };
    let joints = Arc::new(followed.path);
    let mut plan = Plan {
        signals: signals(&joints),
        velocities: followed.velocities,
        end: place.end(),
        tip: Some((frame, Arc::new(place))),
        shaper: None,
    };
    let mut others = driven(arm);
    others.retain(|v| !plan.velocities.contains(v));
    for v in others {
        let at = arm.coordinate_of(v).map_or(0.0, |coordinate| setup.q[coordinate]);
        plan.velocities.push(v);
        plan.signals.push(Signal::Constant(at));
    }
    if !starts_elsewhere {
        setup.q = followed.start;
    }
    Some(plan)
}
