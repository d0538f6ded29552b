//! Tables for people.

use super::findings::Findings;
use super::stress::LinkStress;
use crate::commands::info::beams::{family, ways};
use crate::figures::{figure, figures, table};
use pliant::analyse::{FREQUENCY_RATIO, JointCondition, Mode, SizingCriterion};
use pliant::beam::Beam;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// A frequency with a smaller error than this, relative, has converged.
const CONVERGED: f64 = 0.01;

/// How many parts of a mode are named, and from which share on.
const PARTS: (usize, f64) = (3, 0.05);

pub(super) fn write(found: &Findings<'_>, count: usize) -> String {
    let mut text = head(found);
    text.push('\n');
    text += &modes(found, count);
    text += &deflections(found);
    if let Some(links) = &found.stress {
        text += &stresses(links);
        text += &sizes(links, found.bandwidth);
    }
    text
}

/// What is held, where, under what.
fn head(found: &Findings<'_>) -> String {
    let all = found.modes.modes.len();
    let modes = if all == 1 { "1 mode" } else { &format!("{all} modes") };
    let mut text = format!("{}: {modes}, {}\n", found.arm.name(), weight(found));
    let _ = writeln!(text, "joints: {}", held(found, " (unlock joints with --free or --spring)"));
    let posture = posture(found);
    if !posture.is_empty() {
        let _ = writeln!(text, "configuration: {posture}");
    }
    let shapes = shapes(found);
    if !shapes.is_empty() {
        let _ = writeln!(text, "shapes: {shapes}");
    }
    text
}

/// The shapes of every link that bends.
fn shapes(found: &Findings<'_>) -> String {
    let own =
        |(name, beam): (&str, &Beam)| format!("{name} {} ({})", ways(beam), family(&beam.basis));
    found.bending().map(own).collect::<Vec<_>>().join("; ")
}

/// What is held, where, under what, with a label each.
pub(super) fn circumstances(found: &Findings<'_>) -> Vec<(&'static str, String)> {
    let posture = Some(posture(found)).filter(|posture| !posture.is_empty());
    let posture = posture.unwrap_or_else(|| "neutral".to_owned());
    let mut all =
        vec![("Links", weight(found)), ("Joints", held(found, "")), ("Configuration", posture)];
    let shapes = shapes(found);
    all.extend((!shapes.is_empty()).then_some(("Shapes", shapes)));
    all
}

/// What weighs on the arm.
fn weight(found: &Findings<'_>) -> String {
    let gravity = figures(&found.arm.gravity().to_array());
    let weight = if gravity.iter().all(|g| g == "0") {
        "without gravity".to_owned()
    } else {
        format!("at rest under gravity [{}] m/s^2", gravity.join(", "))
    };
    match found.conditions.loads.len() {
        0 => weight,
        1 => weight + " and 1 load",
        n => format!("{weight} and {n} loads"),
    }
}

/// Which joints are held how; `remark` follows the locked ones.
fn held(found: &Findings<'_>, remark: &str) -> String {
    let locked = found.held(JointCondition::Locked);
    let mut held = Vec::new();
    if !locked.is_empty() {
        held.push(format!("{} locked{remark}", locked.join(", ")));
    }
    for (hold, word) in [(JointCondition::Free, "free"), (JointCondition::OnSpring, "on springs")] {
        let names = found.held(hold);
        if !names.is_empty() {
            held.push(format!("{} {word}", names.join(", ")));
        }
    }
    if held.is_empty() { "none".to_owned() } else { held.join("; ") }
}

/// The coordinates of joints that are not zero.
fn posture(found: &Findings<'_>) -> String {
    let arm = found.arm;
    let mut words = Vec::new();
    for (link, joint) in arm.joints().iter().enumerate() {
        let range = arm.configuration_of(link);
        let turns = joint.turns();
        let plain = turns.len() != range.len();
        for (k, index) in range.enumerate() {
            let (name, value) = (&arm.configuration_names()[index], found.modes.q[index]);
            if value != 0.0 {
                words.push(match turns.get(k) {
                    Some(true) if !plain => {
                        format!("{name} {} deg", figure(value.to_degrees(), 0.0))
                    }
                    Some(_) if !plain => format!("{name} {} m", figure(value, 0.0)),
                    _ => format!("{name} {}", figure(value, 0.0)),
                });
            }
        }
    }
    words.join(", ")
}

fn modes(found: &Findings<'_>, count: usize) -> String {
    let errors = found.errors.as_ref().and_then(|errors| errors.as_ref().ok());
    let mut titles = vec!["mode", "Hz", "rad/s", "damping ratio"];
    if errors.is_some() {
        titles.push("error");
    }
    titles.push("moves");
    let mut lines = vec![titles.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    let shown = found.modes.modes.iter().take(count).enumerate();
    for (k, mode) in shown {
        let mut line = vec![(k + 1).to_string()];
        line.extend(frequency(mode));
        line.push(figure(mode.damping_ratio, 1.0));
        if let Some(errors) = errors {
            line.push(errors.get(k).map_or_else(String::new, |error| percent(*error)));
        }
        line.push(moves(found, mode));
        lines.push(line);
    }
    let columns = lines[0].len();
    // the words begin at the left: the table aligns them to the right otherwise
    let widest = lines.iter().map(|line| line[columns - 1].chars().count()).max().unwrap_or(0);
    for line in &mut lines {
        let words = &mut line[columns - 1];
        *words += &" ".repeat(widest - words.chars().count());
    }
    let mut text = trimmed(&table(&lines, 0));
    let all = found.modes.modes.len();
    if all > count {
        let _ = writeln!(
            text,
            "  … and {} more, up to {} Hz (--count {all})",
            all - count,
            figure(found.modes.modes[all - 1].hertz(), 0.0)
        );
    }
    text += &verdict(found, count);
    text += &damping_remark(found, count);
    text
}

/// Where modes of the arm are damped much more than was given for its links.
fn damping_remark(found: &Findings<'_>, count: usize) -> String {
    const MUCH: f64 = 3.0;
    let given = found.description.beams().flat_map(|(_, beam)| beam.damping.ratios.iter().copied());
    let given = given.fold(0.0, f64::max);
    let mut shown = found.modes.modes.iter().take(count).enumerate();
    let much = shown.find(|(_, mode)| given > 0.0 && mode.damping_ratio > MUCH * given);
    much.map_or_else(String::new, |(k, mode)| {
        format!(
            "  damping = {given} holds for each link by itself, clamped, with what it carries; where links move against each other it is another, in mode {} {}\n",
            k + 1,
            figure(mode.damping_ratio, 1.0),
        )
    })
}

fn frequency(mode: &Mode) -> [String; 2] {
    if mode.is_unstable() {
        let rate = (-mode.squared).sqrt();
        return ["unstable".to_owned(), format!("grows at {}/s", figure(rate, 0.0))];
    }
    [mode.hertz(), mode.frequency()].map(|x| figure(x, 0.0))
}

/// An error in three digits.
fn percent(error: f64) -> String {
    let percent = 100.0 * error;
    let decimals = match percent.abs() {
        size if size < 5e-5 => return "0 %".to_owned(),
        size if size < 0.1 => 4,
        size if size < 10.0 => 2,
        _ => 1,
    };
    format!("{percent:+.decimals$} %")
}

fn moves(found: &Findings<'_>, mode: &Mode) -> String {
    let parts = largest(found, mode).into_iter();
    let words = parts.map(|(name, share)| format!("{name} {:.0} %", 100.0 * share));
    words.collect::<Vec<_>>().join(", ")
}

/// The parts of a mode that are named.
pub(super) fn largest(found: &Findings<'_>, mode: &Mode) -> Vec<(String, f64)> {
    let parts = found.arm.participation(mode).into_iter().enumerate();
    let large = parts.filter(|(k, part)| *k == 0 || part.1.abs() >= PARTS.1);
    large.take(PARTS.0).map(|(_, (part, share))| (part.to_string(), share)).collect()
}

/// What the column of convergence says.
fn verdict(found: &Findings<'_>, count: usize) -> String {
    let errors = match &found.errors {
        None => return String::new(),
        Some(Err(why)) => return format!("  no column of errors: {why}\n"),
        Some(Ok(errors)) => errors,
    };
    let mut text = String::from(
        "  error: of the frequency, against that of the same arm with many finite elements in each flexible link\n",
    );
    let is_off = |(_, error): &(usize, &f64)| error.abs() > CONVERGED;
    let off: Vec<(usize, &f64)> = errors.iter().take(count).enumerate().filter(is_off).collect();
    if !off.is_empty() {
        let largest = off.iter().map(|(_, error)| error.abs()).fold(0.0, f64::max);
        let modes: Vec<String> = off.iter().map(|(k, _)| (k + 1).to_string()).collect();
        let _ = writeln!(
            text,
            "  not converged: mode {}, off by up to {:.1} %; raise the counts in bends or choose other shapes if you need these",
            modes.join(", "),
            100.0 * largest
        );
    }
    if found.modes.asymmetry > 1e-6 {
        let _ = writeln!(
            text,
            "  the loads are not conservative (they rotate with the arm): frequencies are accurate to about {} %",
            figure(100.0 * found.modes.asymmetry, 0.0)
        );
    }
    text
}

fn trimmed(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn deflections(found: &Findings<'_>) -> String {
    if found.deflections.is_empty() {
        return String::new();
    }
    let titles = ["tip of", "total", "x", "y", "z", "own", "x", "y", "z"];
    let mut lines = vec![titles.map(str::to_owned).to_vec()];
    let size = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (link, deflection) in &found.deflections {
        let mut line = vec![(*link).to_owned()];
        for part in [deflection.world, deflection.own] {
            let millimetres = part.to_array().map(|x| 1e3 * x);
            line.push(figure(size(&millimetres), 0.0));
            let largest = size(&millimetres);
            line.extend(
                millimetres.map(|x| figure(if x.abs() < 1e-9 * largest { 0.0 } else { x }, 0.0)),
            );
        }
        lines.push(line);
    }
    let mut text = String::from(
        "\nstatic deflection [mm]: total of the tip, in world axes; of the link's own bending, in link axes\n",
    );
    text += &table(&lines, 1);
    text
}

fn stresses(links: &[LinkStress]) -> String {
    let titles = [
        "link",
        "moment [N m]",
        "at [m]",
        "torque [N m]",
        "at [m]",
        "stress [MPa]",
        "at [m]",
        "margin",
    ];
    let mut lines = vec![titles.map(str::to_owned).to_vec()];
    for link in links {
        let mut line = vec![link.link.clone()];
        for (size, place) in [link.moment, link.torque] {
            // rounding beside the moment is nothing
            line.extend([figure(size, link.moment.0), figure(place, 0.0)]);
        }
        match link.stress {
            Some((stress, place)) => line.extend([figure(1e-6 * stress, 0.0), figure(place, 0.0)]),
            None => line.extend(["given section".to_owned(), String::new()]),
        }
        line.push(factor(link.margin));
        lines.push(line);
    }
    format!("\nlargest internal forces at rest; margin = strength / stress\n{}", table(&lines, 1))
}

/// A margin, as it is written.
fn factor(margin: Option<f64>) -> String {
    match margin {
        Some(margin) if margin.is_finite() => format!("{margin:.2}"),
        Some(_) => "∞".to_owned(),
        None => "strength unknown".to_owned(),
    }
}

fn sizes(links: &[LinkStress], bandwidth: Option<f64>) -> String {
    let hertz = |omega: f64| figure(omega / TAU, 0.0);
    let mut titles = vec!["link", "clamped [Hz]", "allows bandwidth [Hz]"];
    if bandwidth.is_some() {
        titles.extend([
            "strength margin",
            "stiffness margin",
            "decides",
            "now [mm]",
            "for strength [mm]",
            "for stiffness [mm]",
        ]);
    }
    let mut lines = vec![titles.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for link in links {
        let mut line = vec![link.link.clone(), hertz(link.clamped), hertz(link.allowed())];
        if let Some(sizing) = &link.sizing {
            let diameter = |radius: Option<f64>, scale: Option<f64>| match (radius, scale) {
                (Some(radius), _) => figure(2e3 * radius, 0.0),
                (None, Some(scale)) => format!("x {}", figure(scale, 0.0)),
                (None, None) => "-".to_owned(),
            };
            line.extend([
                factor(sizing.margin_of_strength),
                format!("{:.2}", sizing.margin_of_stiffness),
                match sizing.decides {
                    SizingCriterion::Strength => "strength".to_owned(),
                    SizingCriterion::Stiffness => "stiffness".to_owned(),
                },
                diameter(sizing.radius, None),
                diameter(sizing.radius_for_strength(), sizing.scale_for_strength),
                diameter(sizing.radius_for_stiffness(), sizing.scale_for_stiffness),
            ]);
        }
        if bandwidth.is_some() && link.sizing.is_none() {
            line.push("it slides".to_owned());
        }
        lines.push(line);
    }
    let mut text = format!(
        "\nKing's rule: the natural frequency with the joint clamped is {FREQUENCY_RATIO} times the controller bandwidth"
    );
    match bandwidth {
        Some(bandwidth) => {
            let _ = writeln!(
                text,
                ", {} Hz\na margin of 1 is just sufficient; sizes are diameters, or factors (x) for all dimensions of the section",
                hertz(bandwidth)
            );
        }
        None => text += "\n",
    }
    text + &table(&lines, 1)
}
