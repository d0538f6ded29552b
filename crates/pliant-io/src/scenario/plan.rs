//! Plans of scenarios: where controllers are to lead the arm.

use super::refusal::PLAN;
use super::shaper::{ShaperTable, shaper};
use super::shapes::{Each, Joints, KindAt, Lasting, Listed, Names, Points};
use super::text::Surroundings;
use super::write::WriteError;
use crate::arm_file::placement::Turn;
use crate::node::Value;
use crate::reader::Reader;
use crate::shapes::{
    AsWritten, Flag, JointPosition, Number, Numbers, OfCoordinates, One, Text, Time, Unread, Word,
    Words as _, entries, list, numbers, unplaced, words,
};
use crate::shared::{Shared, kinds_sharing};
use crate::state::{Side, vector};
use crate::table::{Entries, table};
use crate::units::{self, Quantity};
use pliant::plan::TimeScaling;
use pliant::scenario::{Passing, PlanAttitude, PlanDescription, PlanKind};

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
        frame: Text [or "the tip of the scenario"],
        /// Whether it keeps its initial orientation, for six joints; without an initial
        /// configuration that of near, or else the neutral one.
        keep_attitude: Flag [= false],
        /// Or its orientation in the world, for six joints: one for all points, or a list with one
        /// for each, between which it turns about a fixed axis and at which it stops.
        attitudes: Each<Turn> [or "any"],
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
    pub(crate) enum Kind = "plan" {
        Line(Line),
        Joints(JointsPlan),
    }
}

/// The trajectory that model-based controllers track.
pub(crate) type PlanTable = Shared<PlanKeys, Kind>;

/// What a file says about the plan. What its joints are measured in follows from their names.
pub(super) fn plan(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &PlanTable,
) -> Option<PlanDescription> {
    let keys = &table.all;
    let arm = around.arm;
    let (kind, units) = match &table.own {
        Kind::Line(own) => (line(reader, around, own), vec![Some(&units::LENGTH); 3]),
        Kind::Joints(own) => {
            let names = own.joints.if_given()?.map(names);
            if let Some(names) = &names {
                around.joints = names.iter().filter_map(|name| around.velocity(name)).collect();
            }
            let unit = |v: usize| Some(Side::Configuration.quantity(arm, arm.coordinate_of(v)?));
            let units = match &names {
                Some(names) => {
                    names.iter().map(|name| around.velocity(name).and_then(unit)).collect()
                }
                None => around.joints.iter().map(|&v| unit(v)).collect(),
            };
            (PlanKind::Joints { joints: names }, units)
        }
    };
    let shaper = match &table.own {
        Kind::Line(_) => None,
        Kind::Joints(own) => own.shaper.get().and_then(|table| shaper(reader, around, table)),
    };
    let points = points(reader, keys, &units);
    let passing = passing(reader, keys).unwrap_or(Passing::Stop(TimeScaling::MinimumJerk));
    let (durations, start) = (keys.durations.get()?.clone(), keys.start.value.unwrap_or(0.0));
    Some(PlanDescription { kind, points: points?, durations, start, passing, shaper })
}

fn names(listed: Vec<Listed>) -> Vec<String> {
    listed.into_iter().map(|listed| listed.name).collect()
}

fn line(reader: &mut Reader, around: &Surroundings<'_>, own: &Line) -> PlanKind {
    let near = own.near.get().map(|Unread { node, .. }| {
        let (arm, side) = (around.arm, Side::Configuration);
        vector(reader, own.near.name(), node, arm, side, &mut arm.neutral());
        // those that are given are numbers
        let mut given = vec![f64::NAN; arm.nq()];
        vector(&mut Reader::default(), own.near.name(), node, arm, side, &mut given);
        let names = arm.configuration_names().iter().cloned();
        names.zip(given).filter(|(_, number)| !number.is_nan()).collect()
    });
    let is_kept = own.keep_attitude.value == Some(true);
    let kept = own.keep_attitude.given().filter(|_| is_kept);
    reader.exclude(&[kept, own.attitudes.given()], "an attitude is given in one way");
    let turns = own.attitudes.get();
    let given = turns.map(|turns| turns.iter().filter_map(|turn| turn.rotation(reader)).collect());
    PlanKind::Line {
        frame: own.frame.get().cloned(),
        attitude: match given {
            Some(given) => PlanAttitude::Given(given),
            None if is_kept => PlanAttitude::Initial,
            None => PlanAttitude::Any,
        },
        hold: own.hold.get().cloned().map(names).unwrap_or_default(),
        near: near.unwrap_or_default(),
        sag: own.sag.value.unwrap_or(false),
    }
}

/// The points, each a row of numbers of the given kinds; what is of an unknown kind is not looked
/// at.
fn points(
    reader: &mut Reader,
    keys: &PlanKeys,
    units: &[Option<&'static Quantity>],
) -> Option<Vec<Vec<f64>>> {
    let node = keys.points.get()?;
    let Value::List(rows) = &node.value else {
        let help = "write [[1, 0, 0], [0, 1, 0]]";
        reader.wrong_type(keys.points.name(), node, "a list of points", help);
        return None;
    };
    let mut points = Vec::new();
    for row in rows {
        let Value::List(numbers) = &row.value else {
            let help = "write a list of numbers, such as [1, 0, 0]";
            reader.wrong_type("a point", row, "a list of numbers", help);
            return None;
        };
        let mut point = Vec::new();
        for (k, node) in numbers.iter().enumerate() {
            point.push(match units.get(k).copied().flatten() {
                Some(unit) => reader.number("a point", node, unit)?,
                None => 0.0,
            });
        }
        points.push(point);
    }
    Some(points)
}

/// How it goes from point to point.
fn passing(reader: &mut Reader, keys: &PlanKeys) -> Option<Passing> {
    let ways = [keys.profile.given(), keys.blend.given(), keys.through.given()];
    reader.exclude(&ways, "they are different paths");
    Some(if keys.blend.is_given() {
        Passing::Blend(keys.blend.value?)
    } else if keys.through.value? {
        Passing::Through
    } else {
        Passing::Stop(profile(reader, keys)?)
    })
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

impl PlanTable {
    /// What a file says about a plan.
    pub(super) fn of(plan: &PlanDescription) -> Result<Self, WriteError> {
        let listed = |name: &String| Listed { name: name.clone(), span: 0..0 };
        let listed = |names: &[String]| names.iter().map(listed).collect::<Vec<_>>();
        let own = match (&plan.kind, &plan.shaper) {
            (PlanKind::Signals { .. }, _) => return Err(WriteError::Plan),
            (PlanKind::Line { .. }, Some(_)) => return Err(WriteError::ShapedLine),
            (PlanKind::Line { frame, attitude, hold, near, sag }, None) => {
                let near = near.iter().map(|(name, x)| (name.clone(), Value::Number(*x))).collect();
                let turns = match attitude {
                    PlanAttitude::Given(all) => {
                        Some(all.iter().map(Turn::exactly).collect::<Vec<_>>())
                    }
                    PlanAttitude::Any | PlanAttitude::Initial => None,
                };
                let near = Some(near).filter(|near: &Entries| !near.is_empty());
                Kind::Line(Line {
                    frame: frame.clone().into(),
                    keep_attitude: (*attitude == PlanAttitude::Initial).into(),
                    attitudes: turns.into(),
                    hold: listed(hold).into(),
                    near: near.map(|near| Unread::new::<JointPosition>(entries(near))).into(),
                    sag: (*sag).into(),
                    ..Line::default()
                })
            }
            (PlanKind::Joints { joints }, shaper) => Kind::Joints(JointsPlan {
                joints: joints.as_deref().map(listed).into(),
                shaper: shaper.as_ref().map(ShaperTable::of).into(),
                ..JointsPlan::default()
            }),
        };
        let points = list(plan.points.iter().map(|point| numbers(point)));
        let mut all = PlanKeys {
            points: unplaced(points).into(),
            durations: plan.durations.clone().into(),
            start: plan.start.into(),
            ..PlanKeys::default()
        };
        let (spread, ramp) = match plan.passing {
            Passing::Stop(TimeScaling::Trapezoid(ramp)) => (Spread::Trapezoid, Some(ramp)),
            Passing::Stop(TimeScaling::Pulses(ramp)) => (Spread::Pulses, Some(ramp)),
            Passing::Stop(TimeScaling::ParabolicSpeed) => (Spread::Parabolic, None),
            Passing::Stop(TimeScaling::MinimumJerk) | Passing::Blend(_) | Passing::Through => {
                (Spread::MinimumJerk, None)
            }
        };
        (all.profile, all.accelerate) = (spread.into(), ramp.into());
        match plan.passing {
            Passing::Stop(_) => {}
            Passing::Blend(duration) => all.blend = duration.into(),
            Passing::Through => all.through = true.into(),
        }
        Ok(Self { all, own })
    }
}
