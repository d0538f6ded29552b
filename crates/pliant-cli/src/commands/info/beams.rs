//! The links of an arm that bend: section, material, stiffness, shapes.

use crate::figures::{figure, table};
use pliant::arm::{Arm, Builder};
use pliant::beam::{Basis, Beam, Matter, Section, TipLoad};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// What a link that bends is, in a file's words.
struct Row<'a> {
    name: &'a str,
    beam: &'a Beam,
    /// At the root and, where it differs, at the tip.
    sections: Vec<(&'a Matter, Section)>,
    /// The lowest frequency of the link alone, clamped at its root (Hz).
    frequency: Option<f64>,
}

fn rows(description: &Builder) -> impl Iterator<Item = Row<'_>> {
    description.beams().map(|(name, beam)| {
        let stations = beam.profile.stations();
        let mut sections: Vec<_> =
            stations.first().into_iter().chain(stations.last()).map(|(_, m)| m).collect();
        sections.dedup();
        let sections = sections.into_iter().map(|matter| (matter, matter.section())).collect();
        let frequency = beam.clamped_frequency().ok().flatten().map(|omega| omega / TAU);
        Row { name, beam, sections, frequency }
    })
}

/// The section of a place, such as `tube 40 x 2 mm`.
fn outline(matter: &Matter) -> String {
    let Matter::Made { outline, .. } = matter else { return "given".to_owned() };
    let sizes = outline.dimensions();
    let kind = match sizes.as_slice() {
        [_] => "round",
        [_, ("wall", _)] => "tube",
        [_, _] => "rectangle",
        [_, _, _] => "box",
        _ => "i",
    };
    let sizes: Vec<String> = sizes.into_iter().map(|(_, size)| figure(1e3 * size, 0.0)).collect();
    format!("{kind} {} mm", sizes.join(" x "))
}

fn material(matter: &Matter) -> &str {
    match matter {
        Matter::Made { material, .. } => &material.name,
        Matter::Given(_) => "",
    }
}

/// The family of shapes, in a file's words.
pub(in crate::commands) fn family(basis: &Basis) -> String {
    match basis {
        Basis::Loaded { .. } => "modes of the loaded link".to_owned(),
        Basis::ClampedFree(_) => "clamped-free".to_owned(),
        Basis::ClampedMass { .. } => "clamped-mass".to_owned(),
        Basis::RootPinned(_) => "root-pinned".to_owned(),
        Basis::Hermite { elements, .. } => format!("{elements} elements"),
        Basis::Eigenmodes { elements, .. } => format!("eigenmodes of {elements} elements"),
        Basis::Pieces { pieces, .. } => format!("{pieces} rigid pieces"),
    }
}

/// How many shapes each way: `2 y, 2 z, 1 twist`.
pub(in crate::commands) fn ways(beam: &Beam) -> String {
    let counts = beam.basis.ways().to_array();
    let named = ["y", "z", "twist", "stretch"].into_iter().zip(counts).filter(|(_, n)| *n > 0);
    let mut words: Vec<String> = named.map(|(way, n)| format!("{n} {way}")).collect();
    if beam.segments > 1 {
        words.push(format!("in {} segments", beam.segments));
    }
    words.join(", ")
}

/// A table with a line for each section of each link that bends; nothing if none does.
pub(super) fn as_text(arm: &Arm, description: &Builder) -> String {
    let head = ["flexible link", "length [m]", "section", "material", "shapes", "family"];
    let numbers = ["EIy [N m^2]", "EIz [N m^2]", "GJ [N m^2]", "EA [N]", "kg/m", "clamped [Hz]"];
    let mut lines = vec![head.into_iter().chain(numbers).map(str::to_owned).collect::<Vec<_>>()];
    for Row { name, beam, sections, frequency } in rows(description) {
        for (k, (matter, section)) in sections.iter().enumerate() {
            let mut line = match k {
                0 => vec![name.to_owned(), figure(beam.whole_length(), 0.0)],
                _ => vec![String::new(), "at the tip".to_owned()],
            };
            line.extend([outline(matter), material(matter).to_owned()]);
            line.extend(match k {
                0 => [ways(beam), family(&beam.basis)],
                _ => [String::new(), String::new()],
            });
            let Section { ea, ei_y, ei_z, gj, rho_a, .. } = *section;
            line.extend([ei_y, ei_z, gj, ea, rho_a].map(|x| figure(x, 0.0)));
            let hertz = frequency.filter(|_| k == 0);
            line.push(hertz.map_or_else(String::new, |hertz| figure(hertz, 0.0)));
            lines.push(line);
        }
    }
    if lines.len() == 1 {
        return String::new();
    }
    let note = "clamped: the lowest natural frequency of the link alone, clamped at its root, without payload";
    format!("\n{}  {note}\n{}", table(&lines, 6), sliding_text(arm, description))
}

/// The links that slide, with what hangs at their tips.
fn sliders<'a>(
    arm: &Arm,
    description: &'a Builder,
) -> impl Iterator<Item = (&'a str, &'a Beam, TipLoad)> {
    let load = |name: &str| {
        let body = arm.link_names().iter().position(|link| link == name);
        body.and_then(|body| arm.tip_load_of(body)).unwrap_or_default()
    };
    let sliding = description.beams().filter(|(_, beam)| beam.slide.is_some());
    sliding.map(move |(name, beam)| (name, beam, load(name)))
}

/// The stroke of links that slide, how fast is fast for them, and how much their loads weigh.
fn sliding_text(arm: &Arm, description: &Builder) -> String {
    let head =
        ["sliding link", "outside [m]", "U_g [m/s]", "M/(rhoA l)", "J/(rhoA l^3)", "slower by"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (name, beam, load) in sliders(arm, description) {
        for (k, outside) in beam.slide.iter().flat_map(|slide| slide.stroke).enumerate() {
            let [mass, inertia, frequency] = beam.load_ratios(&load, outside);
            let numbers = [outside, beam.group_velocity(outside), mass, inertia];
            let mut line = vec![if k == 0 { name.to_owned() } else { String::new() }];
            line.extend(numbers.map(|x| figure(x, 0.0)));
            line.push(format!("{:.1} %", 100.0 * (1.0 - frequency)));
            lines.push(line);
        }
    }
    if lines.len() == 1 {
        return String::new();
    }
    let note = "slower by: how much the load lowers the first frequency; where this is small, shapes \
                with a free tip are sufficient";
    format!("\n{}  {note}\n", table(&lines, 1))
}

/// The same as objects.
pub(super) fn as_json(arm: &Arm, description: &Builder) -> Vec<Value> {
    let section = |(matter, section): &(&Matter, Section)| {
        let sizes = match matter {
            Matter::Made { outline, .. } => outline.dimensions(),
            Matter::Given(_) => Vec::new(),
        };
        let sizes: serde_json::Map<String, Value> =
            sizes.into_iter().map(|(name, size)| (name.to_owned(), size.into())).collect();
        let made_of = match matter {
            Matter::Made { material, .. } => json!({
                "name": material.name,
                "young": material.young,
                "shear": material.shear,
                "density": material.density,
                "strength": material.strength,
                "source": material.source,
            }),
            Matter::Given(_) => Value::Null,
        };
        let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = *section;
        json!({
            "dimensions": sizes,
            "material": made_of,
            "EA": ea, "EIy": ei_y, "EIz": ei_z, "GJ": gj,
            "kappaGAy": kga_y, "kappaGAz": kga_z,
            "rhoA": rho_a, "rhoIy": rho_i_y, "rhoIz": rho_i_z,
        })
    };
    let slides = |link: &str| {
        let (_, beam, load) = sliders(arm, description).find(|(name, ..)| *name == link)?;
        let at = |outside: f64| {
            let [mass, inertia, frequency] = beam.load_ratios(&load, outside);
            json!({
                "outside": outside,
                "group_velocity": beam.group_velocity(outside),
                "mass_ratio": mass,
                "inertia_ratio": inertia,
                "frequency_ratio": frequency,
            })
        };
        Some(json!(beam.slide?.stroke.map(at)))
    };
    let row = |row: Row<'_>| {
        let [y, z, twist, stretch] = row.beam.basis.ways().to_array();
        json!({
            "link": row.name,
            "length": row.beam.whole_length(),
            "rigid_root": row.beam.rigid_root,
            "rigid_tip": row.beam.rigid_tip,
            "mass_of_bending_part": row.beam.mass(),
            "sections": row.sections.iter().map(section).collect::<Vec<_>>(),
            "shapes": { "y": y, "z": z, "twist": twist, "stretch": stretch },
            "family": family(&row.beam.basis),
            "segments": row.beam.segments,
            "foreshortening": row.beam.foreshortening,
            "shear": row.beam.shear,
            "clamped_frequency": row.frequency,
            "slides": slides(row.name),
        })
    };
    rows(description).map(row).collect()
}
