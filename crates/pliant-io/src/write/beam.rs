//! The keys of links that bend.

use super::{list, number, pose_keys, quoted, table, vector};
use pliant::arm::{LinkParts, Mass};
use pliant::beam::{
    Basis, Beam, CrossSection, Damping, Load, Material, Matter, Scale, Section, Slide, TipLoad,
};
use pliant::spatial::{Pose, Vec3};

type Keys = Vec<(&'static str, String)>;

/// The keys of a link's beam and of what its tip carries; whether its sections turn to first order,
/// and whether it slides with the paper's velocity.
pub(super) fn keys(beam: &Beam, tip_masses: &[Mass], variants: [bool; 2]) -> Keys {
    let mut keys = vec![("length", number(beam.whole_length()))];
    match pose_keys(&beam.root).as_slice() {
        [] => {}
        [("position", position)] => keys.push(("root", position.clone())),
        root => keys.push(("root", table(root))),
    }
    keys.extend(profile(beam));
    keys.push(("bends", bends(beam, variants)));
    let mut rigid = Vec::new();
    for (key, length) in [("root", beam.rigid_root), ("tip", beam.rigid_tip)] {
        if length != 0.0 {
            rigid.push((key, number(length)));
        }
    }
    if !rigid.is_empty() {
        keys.push(("rigid", table(&rigid)));
    }
    match tip_masses {
        [] => {}
        [one] => keys.push(("payload", table(&payload(one)))),
        several => {
            keys.push(("payload", super::lines(several.iter().map(|mass| table(&payload(mass))))));
        }
    }
    keys
}

fn payload(mass: &Mass) -> Keys {
    let rename = |key| if key == "com" { "position" } else { key };
    super::mass_keys(mass).into_iter().map(|(key, value)| (rename(key), value)).collect()
}

/// A place on a beam: its distance from the root where it is not the tip, and the pose there.
pub(super) fn place(
    beam: &Beam,
    section: Option<f64>,
    pose: &Pose<f64>,
) -> (Option<f64>, Pose<f64>) {
    match section {
        None => {
            let root = &beam.root;
            let moved = *root != Pose::IDENTITY;
            (Some(0.0), if moved { root.inverse().then(pose) } else { *pose })
        }
        Some(distance) if distance == beam.whole_length() => (None, *pose),
        Some(distance) => (Some(distance), *pose),
    }
}

/// The frames of a link: in the link frame, or at places along its beam.
pub(super) fn frames(link: &LinkParts<'_>) -> Vec<Keys> {
    let plain = link.frames.iter().map(|(name, pose)| (name, None, pose));
    let along = link.section_frames.iter().map(|(name, at, pose)| (name, Some(*at), pose));
    let tip = format!("{}.tip", link.name);
    let mut all = Vec::new();
    for (name, at, pose) in plain.chain(along) {
        let mut keys = vec![("name", quoted(name))];
        let mut pose = *pose;
        if let Some(beam) = link.beam {
            let (at, there) = place(beam, at, &pose);
            if *name == tip && at.is_none() && there == Pose::IDENTITY {
                // the reader makes it
                continue;
            }
            keys.extend(at.map(|at| ("at", number(at))));
            pose = there;
        }
        keys.extend(pose_keys(&pose));
        all.push(keys);
    }
    all
}

/// `section` or `stations`, and `material`.
fn profile(beam: &Beam) -> Keys {
    let stations = beam.profile.stations();
    let shared = match stations.first() {
        Some((_, Matter::Made { material, .. })) => Some(material),
        _ => None,
    };
    let mut keys = Vec::new();
    if let [(_, matter)] = stations {
        keys.push(("section", section(matter)));
    } else {
        let one = |(place, matter): &(f64, Matter)| {
            let mut keys =
                vec![("at", number(place + beam.rigid_root)), ("section", section(matter))];
            if let Matter::Made { material: own, .. } = matter
                && Some(own) != shared
            {
                keys.push(("material", material(own)));
            }
            table(&keys)
        };
        keys.push(("stations", super::lines(stations.iter().map(one))));
    }
    keys.extend(shared.map(|shared| ("material", material(shared))));
    keys
}

fn section(matter: &Matter) -> String {
    let (kind, numbers): (&str, Keys) = match matter {
        Matter::Given(section) => ("given", given(section)),
        Matter::Made { outline, .. } => {
            let kind = match outline {
                CrossSection::Round { .. } => "round",
                CrossSection::Tube { .. } => "tube",
                CrossSection::Rectangle { .. } => "rectangle",
                CrossSection::Box { .. } => "box",
                CrossSection::I { .. } => "i",
            };
            let dimensions = outline.dimensions().into_iter();
            (kind, dimensions.map(|(name, value)| (name, number(value))).collect())
        }
    };
    let mut keys = vec![("kind", quoted(kind))];
    keys.extend(numbers);
    table(&keys)
}

fn given(section: &Section) -> Keys {
    let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = *section;
    let some = |x: f64| (x != 0.0).then_some(x);
    let all = [
        ("EA", some(ea)),
        ("EIy", some(ei_y)),
        ("EIz", some(ei_z)),
        ("GJ", some(gj)),
        ("kappaGAy", kga_y),
        ("kappaGAz", kga_z),
        ("rhoA", Some(rho_a)),
        ("rhoIy", some(rho_i_y)),
        ("rhoIz", some(rho_i_z)),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, number(value?)))).collect()
}

fn material(material: &Material) -> String {
    if Material::named(&material.name).as_ref() == Some(material) {
        return quoted(&material.name);
    }
    let Material { young, shear, density, strength, .. } = *material;
    let numbers = [
        ("young", Some(young)),
        ("shear", Some(shear)),
        ("density", Some(density)),
        ("strength", strength),
    ];
    let keys: Keys =
        numbers.into_iter().filter_map(|(key, value)| Some((key, number(value?)))).collect();
    table(&keys)
}

fn bends(beam: &Beam, [first_order, paper]: [bool; 2]) -> String {
    let mut keys = Vec::new();
    let names = ["y", "z", "twist", "stretch"];
    if let Basis::Hermite { ways, .. } | Basis::Pieces { ways, .. } = &beam.basis {
        for (key, on) in names.into_iter().zip(ways.to_array()) {
            if on {
                keys.push((key, "true".to_owned()));
            }
        }
    } else {
        for (key, count) in names.into_iter().zip(beam.basis.ways().to_array()) {
            if count > 0 {
                keys.push((key, count.to_string()));
            }
        }
    }
    keys.extend(family(&beam.basis));
    if beam.segments != 1 {
        keys.push(("segments", beam.segments.to_string()));
    }
    if !beam.foreshortening {
        keys.push(("stiffening", "false".to_owned()));
    }
    if beam.shear {
        keys.push(("shear", "true".to_owned()));
    }
    if first_order {
        keys.push(("rotation", quoted("first-order")));
    }
    keys.extend(damping(&beam.damping).map(|damping| ("damping", damping)));
    keys.extend(beam.slide.map(|slide| ("slides", slides(&slide, paper))));
    if let Some(reduction) = &beam.reduction {
        let row = |column: usize| list(reduction.column(column).iter().map(|x| number(*x)));
        keys.push(("combinations", list((0..reduction.ncols()).map(row))));
    }
    table(&keys)
}

fn slides(slide: &Slide, paper: bool) -> String {
    let Slide { stroke: [from, to], prescribed, damping, armature, scale } = *slide;
    let mut keys = vec![("from", number(from)), ("to", number(to))];
    if prescribed {
        keys.push(("prescribed", "true".to_owned()));
    }
    for (key, value) in [("damping", damping), ("armature", armature)] {
        if value != 0.0 {
            keys.push((key, number(value)));
        }
    }
    if scale == Scale::Tip {
        keys.push(("scale", quoted("tip")));
    }
    if paper {
        keys.push(("velocity", quoted("paper")));
    }
    table(&keys)
}

/// Which shapes, as far as they are not the usual ones.
fn family(basis: &Basis) -> Keys {
    let mut keys = Vec::new();
    let word = match basis {
        Basis::ClampedFree(_) => return keys,
        Basis::ClampedMass { .. } => "clamped-mass",
        Basis::RootPinned(_) => "root-pinned",
        Basis::Hermite { .. } => "elements",
        Basis::Eigenmodes { .. } => "eigenmodes",
        Basis::Pieces { .. } => "rigid-pieces",
    };
    keys.push(("shapes", quoted(word)));
    if let Basis::Pieces { pieces, pinned, .. } = basis {
        keys.push(("pieces", pieces.to_string()));
        if *pinned {
            keys.push(("root", quoted("pinned")));
        }
    }
    if let Basis::Hermite { elements, .. } | Basis::Eigenmodes { elements, .. } = basis {
        keys.push(("elements", elements.to_string()));
    }
    if let Basis::ClampedMass { load, .. } | Basis::Eigenmodes { load, .. } = basis
        && let Load::Given(TipLoad { mass, offset, inertia }) = *load
    {
        let mut given = vec![("mass", number(mass))];
        if offset != 0.0 {
            given.push(("offset", number(offset)));
        }
        if Vec3::from(inertia) != Vec3::ZERO {
            given.push(("inertia", vector(inertia)));
        }
        keys.push(("load", table(&given)));
    }
    if let Basis::Eigenmodes { hinge_y, hinge_z, .. } = basis {
        let hubs = [("y", hinge_y), ("z", hinge_z)];
        let hubs: Keys =
            hubs.into_iter().filter_map(|(key, hub)| Some((key, number((*hub)?)))).collect();
        if !hubs.is_empty() {
            keys.push(("hinge", table(&hubs)));
        }
    }
    keys
}

fn damping(damping: &Damping) -> Option<String> {
    let Damping { mass, stiffness, ratios } = damping;
    let mut keys = Vec::new();
    match ratios.as_slice() {
        [] => {}
        [ratio] if *mass == 0.0 && *stiffness == 0.0 => return Some(number(*ratio)),
        [ratio] => keys.push(("ratio", number(*ratio))),
        several => keys.push(("ratios", list(several.iter().map(|x| number(*x))))),
    }
    for (key, value) in [("mass", *mass), ("stiffness", *stiffness)] {
        if value != 0.0 {
            keys.push((key, number(value)));
        }
    }
    (!keys.is_empty()).then(|| table(&keys))
}
