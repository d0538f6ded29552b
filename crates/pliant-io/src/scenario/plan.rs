//! Plans of scenarios: where controllers are to lead the arm.

use super::refusal::PLAN;
use super::shaper::ShaperTable;
use super::shapes::{Joints, KindAt, Lasting, Listed, Names, Points};
use super::signal::{frame, listed};
use crate::codes;
use crate::node::{Value, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    AsWritten, Flag, JointPosition, Number, Numbers, OfCoordinates, One, Text, Time, Word,
    Words as _, words,
};
use crate::shared::{Shared, kinds_sharing};
use crate::state::{Side, vector};
use crate::table::table;
use crate::units::{self, short};
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant::plan::{IkSolver, Path, PathError, PlanError, TimeScaling, TipPath, follow};
use pliant::scenario::{Plan, Simulation};
use pliant::simulate::{Reference, Signal};
use std::ops::Range;
use std::sync::Arc;

/// How speed is spread over a stretch, without the times that it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spread {
    Parabolic,
    Trapezoid,
    Pulses,
    MinimumJerk,
}

words! {
    Spread:
    "parabolic" => Spread::Parabolic,
    "trapezoid" => Spread::Trapezoid,
    "pulses" => Spread::Pulses,
    "minimum-jerk" => Spread::MinimumJerk,
}

table! {
    /// Keys of every plan.
    pub(crate) struct PlanKeys = "a plan",
        "write kind = \"joints\", points = [[0, 0], [\"30 deg\", \"-20 deg\"]] and durations = [\"1 s\"] below a line [plan]";
    elsewhere { "times" => "it is called durations" }
    keys {
        /// What moves through the points: the tip, or the joints.
        kind: KindAt [required],
        /// The points, each a list of numbers.
        points: AsWritten<Points> [required],
        /// The duration of each segment between two points.
        durations: Numbers<Time> [required],
        /// The start time.
        start: Number<Time> [= 0.0],
        /// The velocity profile of each segment, from rest to rest: a parabola, a trapezoid, half
        /// sines of acceleration, or minimum jerk.
        profile: Word<Spread> [= Spread::MinimumJerk],
        /// The acceleration time of trapezoids and pulses.
        accelerate: Lasting [or "not needed by other profiles"],
        /// Or the duration of parabolic blends at the intermediate points, which are then passed
        /// without a stop; not with a profile.
        blend: Lasting [or "it stops at each point"],
        /// Or true to pass the intermediate points without a stop, with minimum jerk; not with a
        /// profile.
        through: Flag [= false],
    }
}

table! {
    /// The tip moves through points, on straight lines if it stops at each. The joint motion
    /// follows by inverse kinematics, on the branch of the initial configuration; a redundant arm
    /// moves with the smallest joint velocities.
    pub(crate) struct Line = "line",
        "write points = [[1, 0, 0], [-0.5, 0.5, 0.5]] and durations = [\"1.6 s\"] below a line [plan]";
    keys {
        /// The moving frame.
        frame: Text [or "the tip of the arm"],
        /// Whether it keeps its initial orientation, for six joints.
        keep_attitude: Flag [= false],
        /// Joints that do not move.
        hold: Names<Joints> [= Vec::new()],
        /// A configuration on the desired branch, by name.
        near: OfCoordinates<JointPosition> [or "the initial configuration"],
        /// Whether the points are those of the arm with its static deflection, instead of the
        /// undeformed arm.
        sag: Flag [= false],
    }
}

table! {
    /// The joints move through configurations.
    pub(crate) struct JointsPlan = "joints",
        "write points = [[0, 0], [\"30 deg\", \"-20 deg\"]] and durations = [\"1 s\"] below a line [plan]";
    keys {
        /// The joints, in the order of the numbers.
        joints: Names<Joints> [or "all"],
        /// An input shaper, which lengthens the command and leaves no residual vibration.
        shaper: One<ShaperTable> [or "an unshaped command"],
    }
}

kinds_sharing! {
    /// What goes through the points.
    pub(crate) enum PlanKind = "plan" {
        Line(Line),
        Joints(JointsPlan),
    }
}

/// The trajectory that model-based controllers track.
pub(crate) type PlanTable = Shared<PlanKeys, PlanKind>;

/// Makes the plan; the arm starts where it begins, unless it was told to start elsewhere.
pub(super) fn plan(
    reader: &mut Reader,
    table: &PlanTable,
    setup: &mut Simulation,
    starts_elsewhere: bool,
) -> Option<()> {
    let keys = &table.all;
    let plan = match &table.own {
        PlanKind::Line(own) => line(reader, (keys, own), setup, starts_elsewhere)?,
        PlanKind::Joints(own) => joints(reader, (keys, own), setup, starts_elsewhere)?,
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
    Some(())
}

/// The shaper of a plan, which depends on the controllers that follow it.
pub(super) fn shaper(table: &PlanTable) -> Option<&ShaperTable> {
    match &table.own {
        PlanKind::Line(_) => None,
        PlanKind::Joints(own) => own.shaper.get(),
    }
}

/// The points, each a row of numbers of the given kinds.
fn points(
    reader: &mut Reader,
    keys: &PlanKeys,
    quantities: &[&'static units::Quantity],
    order: &str,
) -> Option<Vec<Vec<f64>>> {
    let node = keys.points.get()?;
    let Value::List(rows) = &node.value else {
        let help = "write [[1, 0, 0], [0, 1, 0]]";
        reader.wrong_type(keys.points.name(), node, "a list of points", help);
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
                let message = format!("a point is {row}, expected {wanted} numbers");
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
fn path(reader: &mut Reader, keys: &PlanKeys, points: &[Vec<f64>]) -> Option<Path> {
    let (start, durations) = (keys.start.value?, keys.durations.get()?);
    let ways = [keys.profile.given(), keys.blend.given(), keys.through.given()];
    reader.exclude(&ways, "they are different paths");
    let through = keys.through.value?;
    let made = if keys.blend.is_given() {
        Path::blended(points, durations, keys.blend.value?, start)
    } else if through {
        Path::minimum_jerk(points, durations, start)
    } else {
        Path::corners(points, durations, profile(reader, keys)?, start)
    };
    match made {
        Ok(path) => Some(path),
        Err(error) => {
            let span = match error {
                PathError::Ramp { .. } => keys.accelerate.span(),
                PathError::Blend { .. } => keys.blend.span(),
                _ => keys.durations.span(),
            };
            PLAN.refuse_error(reader, span.unwrap_or_else(|| keys.span.clone()), &error);
            None
        }
    }
}

fn profile(reader: &mut Reader, keys: &PlanKeys) -> Option<TimeScaling> {
    let (spread, ramp) = (keys.profile.value?, keys.accelerate.if_given()?);
    let word = spread.in_a_word();
    let (span, message, help) = match (spread, ramp) {
        (Spread::Trapezoid, Some(ramp)) => return Some(TimeScaling::Trapezoid(ramp)),
        (Spread::Pulses, Some(ramp)) => return Some(TimeScaling::Pulses(ramp)),
        (Spread::Parabolic, None) => return Some(TimeScaling::ParabolicSpeed),
        (Spread::MinimumJerk, None) => return Some(TimeScaling::MinimumJerk),
        (Spread::Trapezoid | Spread::Pulses, None) => (
            keys.profile.span(),
            format!("{word} need the time of speeding up"),
            "add accelerate = \"0.2 s\"",
        ),
        (Spread::Parabolic | Spread::MinimumJerk, Some(_)) => (
            keys.accelerate.span(),
            format!("a {word} profile speeds up all the time"),
            "remove accelerate",
        ),
    };
    PLAN.refuse(reader, span?, message, help);
    None
}

fn joints(
    reader: &mut Reader,
    (keys, own): (&PlanKeys, &JointsPlan),
    setup: &mut Simulation,
    starts_elsewhere: bool,
) -> Option<Plan> {
    let arm = &setup.arm;
    let velocities = match own.joints.if_given()? {
        Some(names) => named_joints(reader, &names, arm)?,
        None => driven(arm),
    };
    let coordinates = velocities.iter().map(|&v| arm.coordinate_of(v)).collect::<Option<Vec<_>>>();
    let Some(coordinates) = coordinates else {
        let span = own.joints.span_or(&own.span);
        PLAN.refuse(reader, span, "a joint turns freely", "plan those with one coordinate");
        return None;
    };
    let quantities: Vec<_> =
        coordinates.iter().map(|&i| Side::Configuration.quantity(arm, i)).collect();
    let names: Vec<&str> = velocities.iter().map(|&v| arm.velocity_names()[v].as_str()).collect();
    let order = format!("one number for each joint, in this order: {}", names.join(", "));
    let points = points(reader, keys, &quantities, &order)?;
    let path = Arc::new(path(reader, keys, &points)?);
    if setup.limits.is_some() {
        within_limits(reader, keys, arm, &coordinates, &path);
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
    keys: &PlanKeys,
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
                .at(keys.points.span_or(&keys.span))
                .label(format!("it goes from {lower} to {upper} {unit}"))
                .help("stay within the limits, or write limits = \"ignore\""),
            );
        }
    }
}

/// Warns of a plan that nobody follows, and of motors that two laws drive along it.
pub(super) fn unused(reader: &mut Reader, span: Range<usize>, setup: &Simulation) {
    let followers: Vec<_> = setup.controllers.iter().filter(|one| one.follows_plan).collect();
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
    reader.push(Problem::warning(&codes::PLAN, message).at(span).label("this plan").help(help));
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
fn named_joints(reader: &mut Reader, names: &[Listed], arm: &Arm) -> Option<Vec<usize>> {
    names.iter().map(|name| listed(reader, "joint", name, arm.velocity_names())).collect()
}

fn line(
    reader: &mut Reader,
    (keys, own): (&PlanKeys, &Line),
    setup: &mut Simulation,
    starts_elsewhere: bool,
) -> Option<Plan> {
    let arm = &setup.arm;
    let frame = if own.frame.is_given() { frame(reader, &own.frame, arm)? } else { arm.tip()? };
    let (keeps, sags) = (own.keep_attitude.value?, own.sag.value?);
    let held = named_joints(reader, own.hold.get()?, arm)?;
    let order = "the three coordinates of the tip in the world";
    let points = points(reader, keys, &[&units::LENGTH; 3], order)?;
    let place = path(reader, keys, &points)?;
    let mut path = TipPath::new(place.clone());
    if keeps {
        let name = arm.frames()[frame].name();
        path = path.keeping(arm.pose(&setup.q, name).ok()?.rotation);
    }
    let solver = if sags {
        IkSolver::sagging(arm, frame, Conditions::default())
    } else {
        IkSolver::new(arm, frame)
    };
    let mut near = setup.q.clone();
    if let Some(posture) = own.near.get() {
        let count = reader.problems.len();
        vector(reader, own.near.name(), &posture.node, arm, Side::Configuration, &mut near);
        if reader.problems.len() > count {
            return None;
        }
    }
    let followed = solver.map_err(PlanError::Solver).and_then(|solver| {
        let mut solver = solver.hold(&held);
        follow(&mut solver, &path, &near)
    });
    let followed = match followed {
        Ok(followed) => followed,
        Err(error) => {
            PLAN.refuse_error(reader, keys.points.span_or(&keys.span), &error);
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
