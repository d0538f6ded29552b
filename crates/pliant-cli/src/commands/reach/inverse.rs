//! Which joints put a frame somewhere.

use crate::figures::{figure, pretty, table};
use crate::output::Failure;
use pliant::Help as _;
use pliant::arm::Arm;
use pliant::plan::{IkError, IkGoal, IkMethod, IkSolutions};
use pliant::spatial::Quaternion;
use pliant_io::escape::csv_field;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The solutions for a goal.
pub(super) struct Answer<'a> {
    pub(super) arm: &'a Arm,
    pub(super) frame: usize,
    pub(super) goal: IkGoal,
    pub(super) sags: bool,
    pub(super) seed: u64,
    /// The joints that move the frame, as velocity coordinates.
    pub(super) moving: &'a [usize],
    pub(super) found: IkSolutions,
}

/// A joint: its name, where it is in the configuration, and whether it turns.
struct Column<'a> {
    name: &'a str,
    coordinate: usize,
    turns: bool,
}

impl Answer<'_> {
    fn columns(&self) -> Vec<Column<'_>> {
        columns(self.arm, self.moving)
    }

    fn frame(&self) -> &str {
        self.arm.frames()[self.frame].name()
    }

    /// How many there are and how they were found.
    fn head(&self) -> String {
        let (count, redundancy) = (self.found.solutions.len(), self.found.redundancy);
        let s = if count == 1 { "" } else { "s" };
        let sags = if self.sags { ", with its static deflection" } else { "" };
        let place = self.goal.position().to_array().map(|x| figure(x, 0.0)).join(", ");
        let attitude =
            if self.goal.rows() == 6 { " in this attitude" } else { ", in any attitude" };
        let frame = self.frame();
        let mut text = format!("{count} solution{s} for {frame} at ({place}) m{attitude}{sags}\n");
        let how = match self.found.method {
            IkMethod::ClosedForm => "in closed form: these are all\n".to_owned(),
            IkMethod::Searches(starts) => {
                let why = match redundancy {
                    0 if self.found.is_singular => {
                        "some of infinitely many, since axes are in line".to_owned()
                    }
                    0 => "there may be more".to_owned(),
                    1 => {
                        "some of infinitely many, with 1 joint more than needed (--hold)".to_owned()
                    }
                    n => format!(
                        "some of infinitely many, with {n} joints more than needed (--hold)"
                    ),
                };
                format!("by searches from {starts} starts, seed {}: {why}\n", self.seed)
            }
        };
        text.push_str(&how);
        match self.found.beyond_limits {
            0 => {}
            1 => text.push_str("1 more is outside the limits of the joints\n"),
            n => {
                let _ = writeln!(text, "{n} more are outside the limits of the joints");
            }
        }
        text
    }

    pub(super) fn text(&self) -> String {
        let columns = self.columns();
        let name = |column: &Column<'_>| column.name.to_owned();
        let unit = |column: &Column<'_>| if column.turns { "deg" } else { "m" }.to_owned();
        let mut heads: Vec<String> = columns.iter().map(name).collect();
        let mut units: Vec<String> = columns.iter().map(unit).collect();
        heads.insert(0, "solution".to_owned());
        units.insert(0, String::new());
        for unit in ["m", "rad"].into_iter().take(self.goal.rows() / 3) {
            heads.push("error".to_owned());
            units.push(unit.to_owned());
        }
        let mut lines = vec![heads, units];
        for (k, solution) in self.found.solutions.iter().enumerate() {
            let place = |column: &Column<'_>| shown(column, &solution.q);
            let mut line = vec![(k + 1).to_string()];
            line.extend(columns.iter().map(place));
            let errors = [solution.left.position, solution.left.angle];
            line.extend(errors.iter().take(self.goal.rows() / 3).map(|x| format!("{x:.1e}")));
            lines.push(line);
        }
        format!("{}{}", self.head(), table(&lines, 0))
    }

    pub(super) fn json(&self) -> Result<String, Failure> {
        let names = self.arm.configuration_names();
        let solution = |one: &pliant::plan::IkSolution| {
            let q: Map<String, Value> =
                names.iter().cloned().zip(one.q.iter().map(|&x| x.into())).collect();
            json!({ "q": q, "position_error": one.left.position, "angle_error": one.left.angle })
        };
        let (method, starts) = match self.found.method {
            IkMethod::ClosedForm => ("closed form", None),
            IkMethod::Searches(starts) => ("searches", Some(starts)),
        };
        let attitude = match &self.goal {
            IkGoal::Place(_) => None,
            IkGoal::Pose(pose) => Some(Quaternion::from_matrix(&pose.rotation).to_array()),
        };
        pretty(&json!({
            "arm": self.arm.name(),
            "frame": self.frame(),
            "position": self.goal.position().to_array(),
            "quaternion": attitude,
            "sag": self.sags,
            "method": method,
            "complete": self.found.method == IkMethod::ClosedForm,
            "starts": starts,
            "seed": starts.map(|_| self.seed),
            "beyond_limits": self.found.beyond_limits,
            "redundancy": self.found.redundancy,
            "singular": self.found.is_singular,
            "solutions": self.found.solutions.iter().map(solution).collect::<Vec<_>>(),
        }))
    }

    pub(super) fn csv(&self) -> String {
        let columns = self.columns();
        let head = columns
            .iter()
            .map(|column| (column.name, if column.turns { "rad" } else { "m" }))
            .map(|(name, unit)| csv_field(&format!("{name} [{unit}]")));
        let mut text = head.collect::<Vec<_>>().join(",") + ",error [m],error [rad]\n";
        for solution in &self.found.solutions {
            let places = columns.iter().map(|column| solution.q[column.coordinate]);
            let errors = [solution.left.position, solution.left.angle];
            let cells: Vec<String> = places.chain(errors).map(|x| format!("{x:?}")).collect();
            text += &(cells.join(",") + "\n");
        }
        text
    }
}

fn columns<'a>(arm: &'a Arm, moving: &[usize]) -> Vec<Column<'a>> {
    let column = |&v: &usize| {
        let coordinate = arm.coordinate_of(v)?;
        let name = arm.configuration_names()[coordinate].as_str();
        Some(Column { name, coordinate, turns: arm.turns(v) })
    };
    moving.iter().filter_map(column).collect()
}

fn shown(column: &Column<'_>, q: &[f64]) -> String {
    let place = q[column.coordinate];
    if column.turns { figure(place.to_degrees(), 180.0) } else { figure(place, 0.0) }
}

/// Why there is no solution, with the posture that comes nearest.
pub(super) fn refused(error: &IkError, arm: &Arm) -> Failure {
    let help = error.help().unwrap_or_else(|| "change the goal or the arm file".to_owned());
    let reached = if let IkError::BeyondLimits { source, .. } = error { source } else { error };
    let help = match reached {
        IkError::Unreached { best, .. } => {
            let driven = arm.driven_joints();
            let words = columns(arm, &driven).into_iter().map(|column| {
                let unit = if column.turns { "deg" } else { "m" };
                format!("{} {} {unit}", column.name, shown(&column, best))
            });
            format!("{help}, with {}", words.collect::<Vec<_>>().join(", "))
        }
        IkError::Elastic { .. } => "leave --sag out".to_owned(),
        _ => help,
    };
    Failure::input(error.to_string(), help)
}
