//! Channels over time.

use super::channels::{Kind, chosen};
use super::recorded::Recorded;
use crate::output::{Failure, Output};
use pliant::simulate::{Channel, ChannelRole};
use pliant_draw::{Axis, Curve, CurveForm, Figure, Mark, Panel, Size, Style};

/// How channels are spread over plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// By kind, unit and size, bending by link; of several runs, every channel by itself.
    Grouped,
    /// By unit.
    Together,
    /// Every channel by itself.
    Each,
}

/// A channel with its values in each run that has them.
struct Series {
    channel: Channel,
    /// The run by number, and the values.
    values: Vec<(usize, Vec<f64>)>,
}

/// Beside others that are so many times as large, a curve is flat.
const FLAT: f64 = 50.0;

/// More plots than this do not fit on a page.
const MOST: usize = 40;

/// The figure of these channels.
pub(super) fn figure(
    output: &Output,
    runs: &[Recorded],
    patterns: &[String],
    arrangement: Arrangement,
    size: Option<Size>,
) -> Result<Figure, Failure> {
    let mut all = Vec::new();
    for channel in chosen(output, runs, patterns)? {
        let mut values = Vec::new();
        for (k, run) in runs.iter().enumerate() {
            values.extend(run.column(&channel.name)?.map(|column| (k, column)));
        }
        all.push(Series { channel, values });
    }
    let alone = runs.len() > 1 && arrangement == Arrangement::Grouped;
    let groups = match arrangement {
        _ if alone => each(all),
        Arrangement::Each => each(all),
        Arrangement::Together => gathered(all, |a, b| a.unit == b.unit),
        Arrangement::Grouped => {
            let kinds = gathered(all, |a, b| {
                let same = match Kind::of(a) {
                    // links bend each for themselves
                    Some(Kind::Bending | Kind::Deflections) => a.subject == b.subject,
                    Some(Kind::InternalForces) => a.role == b.role,
                    _ => true,
                };
                same && a.unit == b.unit && Kind::of(a) == Kind::of(b)
            });
            kinds.into_iter().flat_map(by_size).collect()
        }
    };
    panels_fit(groups.len())?;
    let panels = groups.into_iter().map(|group| panel(runs, group));
    let mut panels: Vec<Panel> = panels.collect();
    for (k, panel) in panels.iter_mut().enumerate() {
        // words stand above the first plot only
        let named = |mark: Mark| if k == 0 { mark } else { Mark { label: String::new(), ..mark } };
        panel.marks = events(runs).into_iter().map(named).collect();
    }
    let size = size.unwrap_or_else(|| Size::stacked(panels.len()));
    Ok(Figure::new(size, panels))
}

/// Whether so many plots fit on a page.
pub(super) fn panels_fit(count: usize) -> Result<(), Failure> {
    if count > MOST {
        return Err(Failure::input(
            format!("that would be {count} plots, more than {MOST}"),
            "choose fewer with --channels, or draw them --together",
        ));
    }
    Ok(())
}

fn each(all: Vec<Series>) -> Vec<Vec<Series>> {
    all.into_iter().map(|series| vec![series]).collect()
}

/// Those that are alike together, in the order of their first.
fn gathered(all: Vec<Series>, alike: impl Fn(&Channel, &Channel) -> bool) -> Vec<Vec<Series>> {
    let mut groups: Vec<Vec<Series>> = Vec::new();
    for series in all {
        let own = groups.iter_mut().find(|group| alike(&group[0].channel, &series.channel));
        match own {
            Some(group) => group.push(series),
            None => groups.push(vec![series]),
        }
    }
    groups
}

impl Series {
    /// The largest value.
    fn size(&self) -> f64 {
        let values = self.values.iter().flat_map(|(_, values)| values);
        values.map(|value| value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max)
    }
}

/// The large ones together, then the smaller ones. What is zero goes with the first.
fn by_size(mut group: Vec<Series>) -> Vec<Vec<Series>> {
    let mut parts = Vec::new();
    while !group.is_empty() {
        let largest = group.iter().map(Series::size).fold(0.0, f64::max);
        let goes = |series: &Series| series.size() * FLAT >= largest || series.size() == 0.0;
        let (large, small) = group.into_iter().partition(goes);
        parts.push(large);
        group = small;
    }
    parts
}

fn panel(runs: &[Recorded], group: Vec<Series>) -> Panel {
    let first = &group[0].channel;
    let single = group.len() == 1;
    let label = if single { first.name.clone() } else { kind(&group).to_owned() };
    let mut panel = Panel::new(Axis::new("t", "s"), Axis::new(label, first.unit.clone()));
    for (number, Series { channel, values }) in group.into_iter().enumerate() {
        for (run, values) in values {
            let of_run = runs[run].name.as_str();
            let (name, style) = match (single, runs.len()) {
                (true, 1) => (String::new(), Style::number(0)),
                (true, _) => (of_run.to_owned(), Style::number(run)),
                (false, 1) => (channel.name.clone(), Style::number(number)),
                (false, _) => {
                    let style = Style { colour: number, dash: run };
                    (format!("{}, {of_run}", channel.name), style)
                }
            };
            let curve = Curve::new(name, runs[run].window().to_vec(), values);
            panel.curves.push(Curve { style, form: form(&channel), ..curve });
        }
    }
    panel
}

/// How a channel is drawn: one that keeps its value between ticks in steps.
fn form(channel: &Channel) -> CurveForm {
    match channel.role {
        ChannelRole::Sensor
        | ChannelRole::Command
        | ChannelRole::Estimate
        | ChannelRole::Telemetry
        | ChannelRole::Gain => CurveForm::Held,
        _ => CurveForm::Line,
    }
}

/// What channels of one unit are, in a word.
fn kind(group: &[Series]) -> &'static str {
    let Channel { unit, role, .. } = &group[0].channel;
    let first = Kind::of(&group[0].channel);
    if group.iter().any(|series| Kind::of(&series.channel) != first) {
        return "";
    }
    match (first, role, unit.as_str()) {
        (Some(Kind::Joints), ChannelRole::Position, "rad") => "joint angle",
        (Some(Kind::Joints), ChannelRole::Position, "m") => "joint position",
        (Some(Kind::Joints), ChannelRole::Velocity, _) => "joint velocity",
        (Some(Kind::Joints), ChannelRole::Acceleration, _) => "joint acceleration",
        (Some(Kind::Joints), ..) => "joint",
        (Some(Kind::Bending), ChannelRole::Velocity, _) => "bending rate",
        (Some(Kind::Bending), ChannelRole::Position, "rad") => "twist and slope",
        (Some(Kind::Bending), ..) => "bending",
        (_, ChannelRole::FramePosition, _) => "position",
        (_, ChannelRole::FrameOrientation, _) => "orientation",
        (_, ChannelRole::FrameVelocity, _) => "velocity",
        (_, ChannelRole::FrameAngularVelocity, _) => "angular velocity",
        (_, ChannelRole::Force, "N m") => "torque",
        (_, ChannelRole::Force, "N") => "force",
        (_, ChannelRole::Force, _) => "generalised force",
        (_, ChannelRole::Momentum, _) => "momentum",
        (_, ChannelRole::AngularMomentum, _) => "angular momentum",
        (Some(Kind::Energies), ..) => "energy",
        (_, ChannelRole::Sensor, _) => "measured",
        (_, ChannelRole::Command, _) => "command",
        (_, ChannelRole::Telemetry, _) => "telemetry",
        (_, ChannelRole::Estimate, _) => "estimate",
        (_, ChannelRole::Reference, _) => "reference",
        (_, ChannelRole::Error, _) => "error",
        (_, ChannelRole::Deflection, _) => "deflection",
        (_, ChannelRole::Slope, _) => "slope and twist",
        (_, ChannelRole::BendingMoment, _) => "bending moment",
        (_, ChannelRole::ShearForce, _) => "shear force",
        (_, ChannelRole::Torsion, _) => "torsion",
        (_, ChannelRole::Stress, _) => "stress",
        (_, ChannelRole::Margin, _) => "margin",
        (_, ChannelRole::Gain, _) => "gain",
        (_, ChannelRole::MassMatrix, _) => "mass matrix",
        (_, ChannelRole::WaveNumber, "1") => "wave number",
        (_, ChannelRole::WaveNumber, _) => "derivative of the wave number",
        (_, ChannelRole::GroupVelocity, _) => "group velocity",
        _ => "",
    }
}

/// The events of a single run.
fn events(runs: &[Recorded]) -> Vec<Mark> {
    let [run] = runs else { return Vec::new() };
    let events = run.reader.summary().map_or(&[][..], |summary| &summary.outcome.run.events);
    events.iter().map(|event| Mark { at: event.time, label: event.name.clone() }).collect()
}
