//! A run in words.

use super::tracking;
use crate::figures::{figure, table};
use crate::progress_line::duration;
use pliant::scenario::SlidingSpeed;
use pliant::simulate::{
    Channel, ChannelRole, Drift, Ending, Extreme, Extremes, MomentumDrift, Status, Telemetry,
};
use pliant_io::escape::Shown as _;
use pliant_io::scenario::{Finished, Setup};
use std::fmt::Write as _;

/// More extremes than this are left to the summary.
const SHOWN: usize = 16;

/// A run on one screen.
pub(super) fn describe(name: &str, setup: &Setup, finished: &Finished, exports: &[&str]) -> String {
    let (summary, written) = (finished.summary(), &finished.written);
    let Ending { status, time, why, .. } = &summary.ending;
    let how = match status {
        Status::Completed => "done".to_owned(),
        Status::Interrupted => "interrupted".to_owned(),
        Status::Stopped => {
            let why = why.as_deref();
            why.map_or("stopped".to_owned(), |why| format!("stopped: {why}"))
        }
        Status::Failed => "failed".to_owned(),
    };
    let mut text = format!("{name}: {how}; {} s simulated", figure(*time, 0.0));
    if let Some(wall) = written.outcome.wall_seconds {
        let _ = write!(text, " in {}", duration(wall));
    }
    if written.outcome.compiled == Some(true) {
        text.push_str(", compiled");
    }
    if finished.began > 0.0 {
        let _ = write!(text, "; goes on from t = {} s", figure(finished.began, 0.0));
    }
    text.push('\n');
    let costs = summary.statistics;
    let _ = writeln!(
        text,
        "  {}: {} steps, {} rejected, {} evaluations",
        setup.simulation.diagram.method.describe(),
        costs.describe_steps(),
        costs.rejected,
        costs.evaluations
    );
    if let Some(reason) = &setup.simulation.method_reason {
        let _ = writeln!(text, "  foreseen: {reason}");
    }
    if let Some(shaper) = setup.simulation.plan.as_ref().and_then(|plan| plan.shaper.as_ref()) {
        let _ = writeln!(text, "  shaper: {shaper}");
    }
    let _ = match summary.energy_drift {
        None => {
            writeln!(text, "  no energy balance: energies are those of rotation = \"exact\"")
        }
        Some(Drift { absolute: joules, relative: Some(part) }) if part >= 1.0 => {
            writeln!(text, "  energy drift {joules:.1e} J, more than the largest kinetic energy")
        }
        Some(drift) => writeln!(
            text,
            "  energy drift {:.1e} J, {} of the largest kinetic energy",
            drift.absolute,
            drift.part()
        ),
    };
    if let Some(MomentumDrift { linear, angular }) = summary.momentum_drift {
        let _ = writeln!(
            text,
            "  momentum drift {:.1e} kg m/s and {:.1e} kg m^2/s, {} and {} of the largest",
            linear.absolute,
            angular.absolute,
            linear.part(),
            angular.part()
        );
    }
    if let Some(followed) = &written.outcome.tracking {
        text.push_str(&tracking::describe(followed));
    }
    text.push_str(&tracking::describe_links(&written.outcome.links));
    for warning in written.outcome.warnings.iter().skip(finished.doubts) {
        let _ = writeln!(text, "\nwarning: {warning}");
    }
    text.push_str(&slides(&finished.sliding));
    text.push_str(&extremes(setup, &summary.extremes));
    if !summary.events.is_empty() {
        text.push_str("\nevents:\n");
        let lines =
            summary.events.iter().take(SHOWN).map(|event| {
                vec![format!("t = {} s", figure(event.time, 0.0)), event.what.clone()]
            });
        text.push_str(&table(&lines.collect::<Vec<_>>(), 2));
        more(&mut text, summary.events.len());
    }
    let files = written.files.iter().map(String::as_str).chain(exports.iter().copied());
    let files = files.collect::<Vec<_>>().join(", ");
    let channels = summary.extremes.len();
    let _ = writeln!(
        text,
        "\nin {}: {files}\n  {} row{} of {channels} channels",
        finished.folder.shown(),
        summary.rows,
        if summary.rows == 1 { "" } else { "s" }
    );
    text
}

/// How fast links slid, beside the group velocity of bending waves at their largest length.
fn slides(all: &[SlidingSpeed]) -> String {
    let mut text = String::new();
    for slid in all {
        let _ = writeln!(
            text,
            "  {} slides at up to {} m/s, {:.2} % of the group velocity {} m/s at {} m",
            slid.coordinate,
            figure(slid.speed, 0.0),
            100.0 * slid.ratio(),
            figure(slid.group_velocity, 0.0),
            figure(slid.length, 0.0)
        );
    }
    text
}

/// The extremes of the tip, of bending, or of the joints where nothing bends, and of what guards laws.
fn extremes(setup: &Setup, all: &[Extremes]) -> String {
    let arm = &setup.simulation.arm;
    let bends = arm.configuration_coordinates().iter().any(|own| own.role.deforms());
    let tip = setup.simulation.tip.map_or("", |tip| arm.frames()[tip].name());
    let is_tip =
        |channel: &Channel| channel.role == ChannelRole::FramePosition && channel.subject == tip;
    let is_coordinate =
        |channel: &Channel| channel.role == ChannelRole::Position && (channel.deforms() || !bends);
    let mut chosen: Vec<&Extremes> = all.iter().filter(|one| is_tip(&one.channel)).collect();
    chosen.extend(all.iter().filter(|one| is_coordinate(&one.channel)));
    let is_guard = |channel: &Channel| channel.telemetry == Telemetry::Determinant;
    chosen.extend(all.iter().filter(|one| is_guard(&one.channel)));
    // nothing where there is no row
    let chosen: Vec<(&Channel, [Extreme; 2])> = chosen
        .into_iter()
        .filter_map(|one| Some((&one.channel, [one.least?, one.most?])))
        .collect();
    if chosen.is_empty() {
        return String::new();
    }
    let head = ["", "minimum", "", "at", "maximum", "", "at"].map(str::to_owned).to_vec();
    let lines = chosen.iter().take(SHOWN).map(|(channel, ends)| {
        let largest = ends[0].value.abs().max(ends[1].value.abs());
        let unit = if channel.unit == "1" { String::new() } else { channel.unit.clone() };
        let mut line = vec![channel.name.clone()];
        for extreme in ends {
            line.push(figure(extreme.value, largest));
            line.push(unit.clone());
            line.push(format!("{} s", figure(extreme.time, 0.0)));
        }
        line
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(lines).collect();
    let mut text = format!("\nextremes:\n{}", table(&lines, 1));
    more(&mut text, chosen.len());
    text
}

fn more(text: &mut String, count: usize) {
    if let Some(more) = count.checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "  and {more} more in summary.json");
    }
}
