//! Joints and their plan, and what is between them.

use super::curves::panels_fit;
use super::recorded::Recorded;
use crate::output::Failure;
use pliant::simulate::{Channel, ChannelRole};
use pliant_draw::{Axis, Curve, Figure, Panel, Size, Style};

/// What the name of a planned joint begins with.
const PLAN: &str = "plan.";

/// Black, dashed: the plan, beside runs in colours.
const PLANNED: Style = Style { colour: 6, dash: 1 };

/// A joint with its plan, in each run that has both, by number.
struct Joint {
    name: String,
    /// How it is shown, and how many of that a rad or a metre are.
    unit: &'static str,
    factor: f64,
    /// The run, where the joint is and where it is to be.
    values: Vec<(usize, [Vec<f64>; 2])>,
}

/// The figure: every joint over its plan, then the errors.
pub(super) fn figure(runs: &[Recorded], size: Option<Size>) -> Result<Figure, Failure> {
    let joints = joints(runs)?;
    if joints.is_empty() {
        return Err(Failure::input(
            "no run has recorded a plan and the joints that follow it",
            "give the scenario a [plan], and record references and coordinates",
        ));
    }
    let mut panels: Vec<Panel> = joints.iter().map(|joint| over_plan(runs, joint)).collect();
    panels.extend(errors(runs, &joints));
    panels.extend(tip(runs)?);
    panels_fit(panels.len())?;
    let size = size.unwrap_or_else(|| Size::stacked(panels.len()));
    Ok(Figure::new(size, panels))
}

fn joints(runs: &[Recorded]) -> Result<Vec<Joint>, Failure> {
    let mut all: Vec<Joint> = Vec::new();
    for (k, run) in runs.iter().enumerate() {
        let planned = run.reader.channels().iter().filter(|one| one.role == ChannelRole::Reference);
        for channel in planned {
            let Some(name) = channel.name.strip_prefix(PLAN) else { continue };
            let (Some(actual), Some(planned)) = (run.column(name)?, run.column(&channel.name)?)
            else {
                continue;
            };
            let known = all.iter().position(|joint| joint.name == name).unwrap_or_else(|| {
                let turns = channel.unit == "rad";
                let factor = if turns { 1_f64.to_degrees() } else { 1e3 };
                let unit = if turns { "deg" } else { "mm" };
                all.push(Joint { name: name.to_owned(), unit, factor, values: Vec::new() });
                all.len() - 1
            });
            all[known].values.push((k, [actual, planned]));
        }
    }
    Ok(all)
}

impl Joint {
    fn scaled(&self, values: &[f64]) -> Vec<f64> {
        values.iter().map(|value| value * self.factor).collect()
    }

    /// Plan minus joint, in a run.
    fn error(&self, [actual, planned]: &[Vec<f64>; 2]) -> Vec<f64> {
        planned.iter().zip(actual).map(|(planned, x)| (planned - x) * self.factor).collect()
    }
}

/// How a run is called beside others.
fn called(runs: &[Recorded], run: usize) -> String {
    if runs.len() > 1 { runs[run].name.clone() } else { "run".to_owned() }
}

fn over_plan(runs: &[Recorded], joint: &Joint) -> Panel {
    let mut panel = Panel::new(Axis::new("t", "s"), Axis::new(joint.name.clone(), joint.unit));
    let mut plans: Vec<(usize, &[f64])> = Vec::new();
    for (run, [actual, planned]) in &joint.values {
        let times = runs[*run].window();
        let curve = Curve::new(called(runs, *run), times.to_vec(), joint.scaled(actual));
        panel.curves.push(Curve { style: Style::number(*run), ..curve });
        // a plan that several runs share is drawn once, above them
        if plans.iter().all(|(_, other)| other != planned) {
            plans.push((*run, planned));
        }
    }
    for (run, planned) in plans {
        let curve = Curve::new("plan", runs[run].window().to_vec(), joint.scaled(planned));
        panel.curves.push(Curve { style: PLANNED, ..curve });
    }
    panel
}

/// The errors of all joints of a run together; of several runs, joint by joint.
fn errors(runs: &[Recorded], joints: &[Joint]) -> Vec<Panel> {
    let axis = |label: String, unit: &str| Panel::new(Axis::new("t", "s"), Axis::new(label, unit));
    let mut panels = Vec::new();
    if runs.len() > 1 {
        for joint in joints {
            let mut panel = axis(format!("{} error", joint.name), joint.unit);
            for (run, both) in &joint.values {
                let times = runs[*run].window().to_vec();
                let curve = Curve::new(called(runs, *run), times, joint.error(both));
                panel.curves.push(Curve { style: Style::number(*run), ..curve });
            }
            panels.push(panel);
        }
        return panels;
    }
    for unit in ["deg", "mm"] {
        let mut panel = axis("error".to_owned(), unit);
        for (k, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.unit == unit) {
            for (run, both) in &joint.values {
                let times = runs[*run].window().to_vec();
                let curve = Curve::new(joint.name.clone(), times, joint.error(both));
                panel.curves.push(Curve { style: Style::number(k), ..curve });
            }
        }
        if !panel.curves.is_empty() {
            panels.push(panel);
        }
    }
    panels
}

/// How far the tip is from where it is to be, where that was recorded.
fn tip(runs: &[Recorded]) -> Result<Option<Panel>, Failure> {
    let mut panel = Panel::new(Axis::new("t", "s"), Axis::new("tip error", "mm"));
    for (k, run) in runs.iter().enumerate() {
        let is_distance = |channel: &&Channel| {
            channel.role == ChannelRole::Error && channel.name.ends_with(".error.distance")
        };
        let channel = run.reader.channels().iter().find(is_distance);
        if let Some(error) = channel.map(|one| run.column(&one.name)).transpose()?.flatten() {
            let error = error.iter().map(|metres| 1e3 * metres).collect();
            let curve = Curve::new(called(runs, k), run.window().to_vec(), error);
            panel.curves.push(Curve { style: Style::number(k), ..curve });
        }
    }
    Ok((!panel.curves.is_empty()).then_some(panel))
}
