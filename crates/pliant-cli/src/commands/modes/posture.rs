//! Where the arm stands and what holds its joints.

use crate::output::{Failure, Output};
use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::Arm;
use pliant_io::{Source, State, nearest};
use serde_json::{Map, Value};

const EXAMPLE: &str = "write --at fore=45deg,upper=\"-0.3 rad\"; a plain number is in rad or m";

/// How many steps a range has where nothing is said, and at most.
const STEPS: (usize, usize) = (10, 10_000);

/// A posture as `--at` gives it: `fore=45deg,upper=-0.3`.
pub(in crate::commands) fn read(at: &str, arm: &Arm, output: &Output) -> Result<State, Failure> {
    let mut postures = read_range(at, arm, output)?;
    match postures.pop() {
        Some(only) if postures.is_empty() => Ok(only),
        _ => Err(Failure::input(
            format!("--at: {at} is a range, this command takes one posture"),
            "give each joint one value; pliant modes and pliant dynamics take ranges",
        )),
    }
}

/// One posture, or those of ranges as `--at` gives them: `fore=0..135deg:9` in nine steps, in which
/// all joints with a range move together.
pub(in crate::commands) fn read_range(
    at: &str,
    arm: &Arm,
    output: &Output,
) -> Result<Vec<State>, Failure> {
    let mut ends = [Map::new(), Map::new()];
    let mut steps: Option<(usize, &str)> = None;
    for part in at.split(',') {
        let Some((name, value)) = part.split_once('=') else {
            let number = part.trim().parse::<f64>().is_ok();
            let message = format!("--at: \"{}\" is not of the form JOINT=VALUE", part.trim());
            let comma = "; decimals have a point, not a comma";
            return Err(Failure::input(
                message,
                format!("{EXAMPLE}{}", if number { comma } else { "" }),
            ));
        };
        let (name, value) = (name.trim(), value.trim().trim_matches(['"', '\'']).trim());
        let values = match value.split_once("..") {
            None => [value.to_owned(), value.to_owned()],
            Some((from, to)) => {
                let (to, count) = step_count(part, to)?;
                if let Some((other, first)) = steps.filter(|(other, _)| *other != count) {
                    return Err(Failure::input(
                        format!("--at: {first} moves in {other} steps, {name} in {count}"),
                        "all ranges move together: give them the same number of steps",
                    ));
                }
                steps = Some((count, name));
                [with_unit(from.trim(), to), with_unit(to, from.trim())]
            }
        };
        for (end, value) in ends.iter_mut().zip(values) {
            let value = match value.parse::<f64>() {
                Ok(number) if number.is_finite() => Value::from(number),
                _ => Value::from(value),
            };
            if end.insert(name.to_owned(), value).is_some() {
                return Err(Failure::input(
                    format!("--at: \"{name}\" is there twice"),
                    "give each joint once",
                ));
            }
        }
    }
    let state = |q: &Map<String, Value>| -> Result<State, Failure> {
        let text = serde_json::json!({ "q": q }).to_string();
        let (state, warnings) = pliant_io::parse_state(&Source::new("--at", text), arm)?;
        output.warn(&warnings);
        Ok(state)
    };
    let first = state(&ends[0])?;
    let Some((count, name)) = steps else { return Ok(vec![first]) };
    let last = state(&ends[1])?;
    if first.q == last.q {
        return Err(Failure::input(
            format!("--at: the range of {name} ends where it begins"),
            "write --at fore=0..135deg",
        ));
    }
    let between = |k: usize| {
        let part = k as f64 / count as f64;
        let ends = first.q.iter().zip(&last.q);
        // q = (1 - s) q0 + s q1, exact at both ends
        let q = ends.map(|(from, to)| (1.0 - part) * from + part * to).collect();
        State { q, ..first.clone() }
    };
    Ok((0..=count).map(between).collect())
}

/// The end of a range, and in how many steps it is reached.
fn step_count<'a>(part: &str, to: &'a str) -> Result<(&'a str, usize), Failure> {
    let Some((to, steps)) = to.split_once(':') else { return Ok((to.trim(), STEPS.0)) };
    match steps.trim().parse() {
        Ok(steps) if (1..=STEPS.1).contains(&steps) => Ok((to.trim(), steps)),
        _ => Err(Failure::input(
            format!("--at: \"{}\" does not say in how many steps", part.trim()),
            format!("write --at fore=0..135deg:20, with 1 to {} steps", STEPS.1),
        )),
    }
}

/// One end of a range, with the unit of the other where it has none.
fn with_unit(end: &str, other: &str) -> String {
    let unit = other.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE ".contains(c));
    if end.parse::<f64>().is_ok() && !unit.is_empty() {
        format!("{end} {unit}")
    } else {
        end.to_owned()
    }
}

/// The name of a link's joint, if it moves.
pub(super) fn joint_name(arm: &Arm, link: usize) -> Option<&str> {
    (!arm.velocities_of(link).is_empty()).then(|| arm.joint_names()[link].as_str())
}

/// What holds the joints, and what loads the arm.
pub(super) fn conditions(
    arm: &Arm,
    state: &State,
    free: &[String],
    spring: &[String],
    output: &Output,
) -> Result<Conditions, Failure> {
    let mut holds = vec![JointCondition::Locked; arm.body_count()];
    for (names, hold, option) in
        [(free, JointCondition::Free, "--free"), (spring, JointCondition::OnSpring, "--spring")]
    {
        for name in names {
            for link in joints(arm, name.trim(), hold, option)? {
                if holds[link] != JointCondition::Locked && holds[link] != hold {
                    return Err(Failure::input(
                        format!("the joint \"{name}\" is to be free and on its spring"),
                        "name it in --free or in --spring",
                    ));
                }
                holds[link] = hold;
            }
        }
    }
    let mut velocities = state.u.clone();
    let mut left_out = Vec::new();
    for v in arm.free_velocities() {
        if velocities[v] != 0.0 {
            left_out.push(arm.velocity_names()[v].as_str());
            velocities[v] = 0.0;
        }
    }
    if !left_out.is_empty() {
        output.note(&format!(
            "note: modes are about rest; the u of {} is ignored, since only prescribed joints can move steadily",
            left_out.join(", ")
        ));
    }
    Ok(Conditions { joints: holds, loads: state.external.clone(), velocities, as_given: false })
}

/// The links whose joint has this name; `all` are all that can be held like this.
pub(in crate::commands) fn joints(
    arm: &Arm,
    name: &str,
    hold: JointCondition,
    option: &str,
) -> Result<Vec<usize>, Failure> {
    // of an elastic joint the motor is held, and the link is on its spring
    let side = |link: usize| arm.rotor_of(link).unwrap_or(link);
    let moves = |link: &usize| joint_name(arm, *link).is_some() && !arm.is_prescribed(*link);
    let links = 0..arm.body_count();
    if name == "all" {
        return Ok(match hold {
            JointCondition::OnSpring => {
                links.filter(|&link| moves(&link) && arm.is_sprung(link)).collect()
            }
            _ => links.filter(|&link| side(link) == link && moves(&link)).collect(),
        });
    }
    let called =
        |link: &usize| joint_name(arm, *link) == Some(name) || arm.link_names()[*link] == name;
    let own = |link: usize| if hold == JointCondition::Free { side(link) } else { link };
    let Some(link) = links.clone().find(called).map(own) else {
        let known: Vec<&str> = links.filter_map(|link| joint_name(arm, link)).collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if known.is_empty() => "no joint of this arm moves".to_owned(),
            None => format!("the joints are: {}; or all", known.join(", ")),
        };
        return Err(Failure::input(format!("{option}: there is no joint \"{name}\""), help));
    };
    if !moves(&link) {
        let (why, help) = if arm.is_prescribed(link) {
            ("follows a prescribed motion", "take prescribed = true out of its file")
        } else {
            ("is fixed", "name a joint that moves")
        };
        return Err(Failure::input(format!("{option}: the joint \"{name}\" {why}"), help));
    }
    Ok(vec![link])
}
