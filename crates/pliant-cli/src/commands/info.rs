//! `pliant info`: the contents of an arm.

mod actuators;
pub(super) mod beams;
mod denavit_hartenberg;
mod drives;

use super::check::summary;
use super::options::{Format, Set};
use crate::figures::{figure, figures, pretty, table};
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant::arm::{Arm, Builder, DhConvention, Joint, Limits};
use pliant::spatial::Vec3;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Show the links, joints, masses, limits, sections and frames of an arm
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant info two-link.toml\n  \
    pliant info arm.toml --format json\n  \
    pliant info arm.toml --dh\n  \
    pliant info arm.toml --dh=modified --frame tip\n\n\
    JSON is in SI units and radians: m, kg, kg m^2, m/s^2, rad, N m/rad, N m s/rad, Hz.")]
pub(crate) struct Info {
    /// The arm file, or a scenario with an arm
    arm: PathBuf,

    #[command(flatten)]
    set: Set,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Show the Denavit-Hartenberg table instead
    #[arg(long, value_enum, value_name = "CONVENTION", num_args = 0..=1, require_equals = true,
          default_missing_value = "standard")]
    dh: Option<Convention>,

    /// With --dh: the frame at the end of the table; default: the last one
    #[arg(long, requires = "dh", value_name = "NAME")]
    frame: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Convention {
    /// theta, d, a, alpha; the link frame at the far end
    Standard,
    /// alpha, a, theta, d; the link frame at the joint
    Modified,
}

impl From<Convention> for DhConvention {
    fn from(convention: Convention) -> Self {
        match convention {
            Convention::Standard => Self::Standard,
            Convention::Modified => Self::Modified,
        }
    }
}

impl Info {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let loaded = self.set.load(&self.arm, output)?;
        let arm = loaded.arm;
        if let Some(convention) = self.dh {
            let table = denavit_hartenberg::of(&arm, self.frame.as_deref(), convention.into())?;
            return output.data(&match self.format {
                Format::Text => denavit_hartenberg::as_text(&table),
                Format::Json => pretty(&denavit_hartenberg::as_json(&table))?,
            });
        }
        output.data(&match self.format {
            Format::Text => as_text(&arm, &loaded.description),
            Format::Json => pretty(&as_json(&arm, &loaded.description))?,
        })
    }
}

/// The links and their joints; the motors of elastic joints are bodies, but no links.
fn links(arm: &Arm) -> impl Iterator<Item = (usize, &Joint)> {
    arm.joints().iter().enumerate().filter(|(link, _)| !arm.is_rotor(*link))
}

/// What a link hangs on.
fn parent(arm: &Arm, link: usize) -> &str {
    arm.parent_of(link).map_or("ground", |parent| &arm.link_names()[parent])
}

/// The axes of a joint, as `z`, `-x` or numbers.
fn axes(joint: &Joint) -> Vec<String> {
    let word = |axis: [f64; 3]| {
        let length = Vec3::from(axis).norm();
        let unit = axis.map(|c| c / length);
        let letters = ["x", "y", "z"].into_iter().zip(unit);
        let exact = letters.clone().find(|(_, c)| c.abs() == 1.0);
        match exact {
            Some((letter, c)) if c < 0.0 => format!("-{letter}"),
            Some((letter, _)) => letter.to_owned(),
            None => format!("[{}]", figures(&unit).join(", ")),
        }
    };
    joint.axes().into_iter().map(word).collect()
}

/// The range of each coordinate of a link's joint, as text.
fn limits_text(arm: &Arm, link: usize) -> String {
    let range = arm.configuration_of(link);
    let turns = arm.joints()[link].turns();
    let limits = &arm.limits()[range];
    let one = |(k, limits): (usize, &Option<Limits>)| {
        let limits = limits.as_ref()?;
        let turns = turns.get(k) == Some(&true);
        let show = |value: f64| match value {
            f64::INFINITY => "∞".to_owned(),
            f64::NEG_INFINITY => "-∞".to_owned(),
            _ if turns => figure(value.to_degrees(), 0.0),
            _ => figure(value, 0.0),
        };
        let unit = if turns { "deg" } else { "m" };
        Some(format!("{} … {} {unit}", show(limits.lower), show(limits.upper)))
    };
    let shown: Vec<String> = limits.iter().enumerate().filter_map(one).collect();
    shown.join(", ")
}

fn as_text(arm: &Arm, description: &Builder) -> String {
    let gravity = figures(&arm.gravity().to_array()).join(", ");
    let mut text = format!("{}: {}\n", arm.name(), summary(arm, description));
    let _ = writeln!(text, "gravity [{gravity}] m/s^2, {}", reach_text(arm));
    let mut head = vec!["link", "parent", "joint", "axis", "limits", "mass [kg]"];
    head.extend(["centre of mass [m]", "moments of inertia [kg m^2]"]);
    let mut lines = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for (link, joint) in links(arm) {
        let inertia = arm.inertia_of(link);
        let tensor = inertia.tensor_about_centre();
        let centre = figures(&inertia.centre().to_array()).join(", ");
        let moments = figures(&[tensor.xx, tensor.yy, tensor.zz]).join(", ");
        let mut kind = joint.word().to_owned();
        if arm.is_prescribed(arm.rotor_of(link).unwrap_or(link)) {
            kind += ", prescribed";
        }
        lines.push(vec![
            arm.link_names()[link].clone(),
            parent(arm, link).to_owned(),
            kind,
            axes(joint).join(" "),
            limits_text(arm, link),
            figure(inertia.mass, 0.0),
            format!("[{centre}]"),
            format!("[{moments}]"),
        ]);
    }
    text.push('\n');
    text += &table(&lines, 8);
    text += &beams::as_text(arm, description);
    text += &drives::as_text(arm, description);
    text += &actuators::as_text(arm, description);
    let names = arm.velocity_names();
    if !names.is_empty() {
        let _ = writeln!(text, "\ncoordinates: {}", names.join(", "));
    }
    if arm.configuration_names() != names {
        let numbers = arm.configuration_names().join(", ");
        let _ = writeln!(text, "entries of the configuration q: {numbers}");
    }
    let frames: Vec<&str> = arm.frames().iter().map(pliant::arm::Frame::name).collect();
    let _ = writeln!(text, "frames: {}", frames.join(", "));
    text
}

fn reach_text(arm: &Arm) -> String {
    match arm.reach() {
        Some(length) => format!("reach at most {} m", figure(length, 0.0)),
        None => "reach unbounded: a prismatic joint has no limits".to_owned(),
    }
}

fn as_json(arm: &Arm, description: &Builder) -> Value {
    let link = |link: usize| {
        let inertia = arm.inertia_of(link);
        let joint = &arm.joints()[link];
        let parts = drives::parts(arm, description, link);
        let limits = arm.limits()[arm.configuration_of(link)].iter();
        // what has no end is null
        let end = |x: f64| x.is_finite().then_some(x);
        let limits = limits.map(|limits| limits.map(|l| json!([end(l.lower), end(l.upper)])));
        json!({
            "name": arm.link_names()[link],
            "parent": parent(arm, link),
            "joint": joint.word(),
            "axes": joint.axes(),
            "prescribed": arm.is_prescribed(arm.rotor_of(link).unwrap_or(link)),
            "coordinates": arm.velocity_names()[arm.velocities_of(link)],
            "limits": limits.collect::<Vec<_>>(),
            "spring": parts.as_ref().map_or(&[][..], |parts| parts.stiffness),
            "rest": parts.as_ref().map_or(&[][..], |parts| parts.rest),
            "damping": parts.as_ref().map_or(&[][..], |parts| parts.damping),
            "armature": parts.as_ref().map_or(&[][..], |parts| parts.armature),
            "actuator": parts.as_ref().and_then(|parts| parts.actuator).map(actuators::as_json),
            "mass": inertia.mass,
            "centre_of_mass": inertia.centre().to_array(),
            "inertia": inertia.tensor_about_centre().to_mat3().to_rows(),
        })
    };
    json!({
        "name": arm.name(),
        "gravity": arm.gravity().to_array(),
        "degrees_of_freedom": arm.nv(),
        "mass": arm.total_mass(),
        "reach": arm.reach(),
        "coordinates": arm.velocity_names(),
        "configuration": arm.configuration_names(),
        "frames": arm.frames().iter().map(pliant::arm::Frame::name).collect::<Vec<_>>(),
        "bending": beams::as_json(arm, description),
        "links": links(arm).map(|(index, _)| link(index)).collect::<Vec<_>>(),
    })
}
