//! Whether a beam can be.

use super::checks::first_bad;
use super::faults::FaultKind;
use super::flexible_body::FlexibleBody;
use super::pieces::Carried;
use crate::beam::{
    Basis, Beam, Matter, ProfileFault, Section, ShapeLoad, Slide, SlidingStation, TipLoad, Ways,
};
use crate::spatial::{Pose, RigidInertia};
use nalgebra::DMatrix;

/// Checks the numbers of a beam.
pub(super) fn check_beam(beam: &Beam, fault: &mut impl FnMut(FaultKind)) {
    let mut need = |quantity, value: f64, holds: bool, needed| {
        if !holds || !value.is_finite() {
            fault(FaultKind::Beam { quantity, value, needed });
        }
    };
    need("length", beam.length, beam.length > 0.0, "positive");
    need("number of segments", beam.segments as f64, beam.segments > 0, "at least one");
    for (quantity, value) in [
        ("rigid part at the root", beam.rigid_root),
        ("rigid part at the tip", beam.rigid_tip),
        ("mass-proportional damping", beam.damping.mass),
        ("stiffness-proportional damping", beam.damping.stiffness),
    ] {
        need(quantity, value, value >= 0.0, "zero or more");
    }
    for &ratio in &beam.damping.ratios {
        need("damping ratio", ratio, (0.0..1.0).contains(&ratio), "from 0 to below 1");
    }
    let ratios = beam.damping.ratios.len();
    let fits = ratios < 2 || ratios == beam.count();
    need("number of damping ratios", ratios as f64, fits, "one, or one for each coordinate");
    check_basis(&beam.basis, &mut need);
    let shapes = beam.basis.count();
    if let Some(reduction) = &beam.reduction {
        let rows = reduction.nrows();
        need("reduction's row count", rows as f64, rows == shapes, "the number of shapes");
        let columns = reduction.ncols();
        let fits = columns > 0 && columns <= shapes;
        need("reduction's column count", columns as f64, fits, "at most the number of shapes");
        if let Some(value) = first_bad(reduction.as_slice()) {
            need("reduction", value, false, "finite");
        }
    }
    if let Basis::Pieces { ways, .. } = beam.basis {
        check_pieces(beam, ways, fault);
    } else {
        if beam.segments > 1 && !matches!(beam.basis, Basis::Hermite { .. }) {
            fault(FaultKind::SegmentsOfModes);
        }
        if beam.segments > 1 && !beam.damping.ratios.is_empty() {
            fault(FaultKind::RatiosOfSegments);
        }
        if beam.shear && beam.basis.elements().is_none() {
            fault(FaultKind::ShearWithoutElements);
        }
    }
    if let Some(slide) = &beam.slide {
        check_slide(beam, slide, fault);
    }
    match beam.profile.fault(beam.length) {
        Some(ProfileFault::Number(quantity, value, needed)) => {
            fault(FaultKind::Beam { quantity, value, needed });
        }
        Some(ProfileFault::Cover(first, last)) => {
            fault(FaultKind::Stations { first, last, length: beam.length });
        }
        Some(ProfileFault::Kinds(place)) => fault(FaultKind::StationKinds { place }),
        None => {
            for (_, matter) in beam.profile.stations() {
                check_matter(matter, beam, fault);
            }
            let twists = matches!(beam.basis, Basis::Pieces { ways, .. } if ways.torsion);
            if twists && beam.length > 0.0 && beam.polar_inertia() <= 0.0 {
                fault(FaultKind::NotForPieces {
                    what: "twist without rotary inertia of the section",
                });
            }
        }
    }
}

/// Tables over the stroke of more pairs would need gigabytes.
const MOST_PAIRS: usize = 136;

/// What a beam that slides needs, and what it cannot do.
fn check_slide(beam: &Beam, slide: &Slide, fault: &mut impl FnMut(FaultKind)) {
    let [smallest, largest] = slide.stroke;
    for (quantity, value, holds, needed) in [
        ("smallest length outside", smallest, smallest > 0.0, "positive"),
        ("largest length outside", largest, largest > smallest, "more than the smallest"),
        ("largest length outside", largest, largest <= beam.length, "at most the whole length"),
        ("drive's damping", slide.damping, slide.damping >= 0.0, "zero or more"),
        ("drive's armature", slide.armature, slide.armature >= 0.0, "zero or more"),
    ] {
        if !holds || !value.is_finite() {
            fault(FaultKind::Beam { quantity, value, needed });
        }
    }
    let basis = &beam.basis;
    if let (Basis::ClampedMass { ways, .. }, true) = (basis, beam.foreshortening) {
        let pairs: usize = [ways.bend_y, ways.bend_z].map(|n| n * (n + 1) / 2).iter().sum();
        if pairs > MOST_PAIRS {
            let quantity = "number of pairs of shapes that follow the load";
            let needed = "at most 136: 16 shapes in one direction, or 11 in both";
            fault(FaultKind::Beam { quantity, value: pairs as f64, needed });
        }
    }
    let known =
        matches!(basis, Basis::ClampedFree(_) | Basis::Hermite { .. } | Basis::ClampedMass { .. });
    for (asked, what) in [
        (!known, "have shapes other than clamped-free and clamped-mass ones and finite elements"),
        (basis.ways().axial > 0, "stretch"),
        (beam.shear, "shear"),
        (beam.segments > 1, "be divided into segments"),
        (beam.rigid_root != 0.0 || beam.rigid_tip != 0.0, "have rigid parts"),
        (beam.profile.stations().len() > 1, "have a section that varies"),
        (beam.reduction.is_some(), "combine its shapes"),
        (!beam.damping.ratios.is_empty(), "have damping ratios"),
    ] {
        if asked {
            fault(FaultKind::NotForSliding { what });
        }
    }
}

/// What rigid pieces cannot do.
fn check_pieces(beam: &Beam, ways: Ways<bool>, fault: &mut impl FnMut(FaultKind)) {
    for (asked, what) in [
        (ways.axial, "stretch"),
        (beam.shear, "shear"),
        (beam.segments > 1, "be divided into segments"),
        (!beam.foreshortening, "bend without growing shorter"),
        (beam.reduction.is_some(), "combine their shapes"),
        (beam.damping.mass != 0.0, "be damped in proportion to their mass"),
        (!beam.damping.ratios.is_empty(), "have damping ratios"),
    ] {
        if asked {
            fault(FaultKind::NotForPieces { what });
        }
    }
}

fn check_basis(basis: &Basis, need: &mut impl FnMut(&'static str, f64, bool, &'static str)) {
    if let Some(elements) = basis.elements() {
        need("number of elements", elements as f64, elements > 0, "at least one");
    }
    let pieces = if let Basis::Pieces { pieces, .. } = *basis { pieces } else { 2 };
    need("number of pieces", pieces as f64, pieces > 1, "at least two");
    let shapes = basis.count();
    let counted = shapes > 0 || basis.elements() == Some(0) || pieces < 2;
    need("number of shapes", shapes as f64, counted, "at least one");
    if let Basis::Eigenmodes { elements, ways, hinge_y, hinge_z, .. } = *basis {
        let [y, z, twist, stretch] = ways.to_array();
        for modes in [y, z] {
            let fits = modes <= 2 * elements;
            need("number of bending modes", modes as f64, fits, "at most two per element");
        }
        for modes in [twist, stretch] {
            let fits = modes <= elements;
            need("number of modes", modes as f64, fits, "at most one per element");
        }
        for hub in [hinge_y, hinge_z].into_iter().flatten() {
            need("inertia of the hub", hub, hub >= 0.0, "zero or more");
        }
    }
    if let Some(ShapeLoad::Given(TipLoad { mass, offset, inertia })) = basis.load() {
        need("tip mass", mass, mass >= 0.0, "zero or more");
        need("tip mass's offset", offset, true, "finite");
        for moment in inertia {
            need("tip inertia", moment, moment >= 0.0, "zero or more");
        }
        let lever = mass * offset * offset;
        for moment in [inertia[1], inertia[2]] {
            let enough = moment >= lever * (1.0 - 1e-9);
            let needed = "at least the mass times its offset squared, since it is about the tip";
            need("tip inertia", moment, enough || lever.is_nan(), needed);
        }
    }
}

/// Checks one cross-section for what its beam asks of it.
fn check_matter(matter: &Matter, beam: &Beam, fault: &mut impl FnMut(FaultKind)) {
    let mut need = |quantity, value: f64, holds: bool, needed| {
        if !holds || !value.is_finite() {
            fault(FaultKind::Beam { quantity, value, needed });
        }
    };
    let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = matter.section();
    let [y, z, twist, stretch] = beam.basis.ways().to_array().map(|count| count > 0);
    let shear = |kga: Option<f64>, used: bool| match kga {
        Some(kga) => kga,
        None if beam.shear && beam.basis.elements().is_some() && used => 0.0,
        None => 1.0,
    };
    for (quantity, value, used) in [
        ("bending stiffness EI_z", ei_z, y),
        ("bending stiffness EI_y", ei_y, z),
        ("torsional stiffness GJ", gj, twist),
        ("axial stiffness EA", ea, stretch),
        ("shear stiffness along y", shear(kga_y, y), true),
        ("shear stiffness along z", shear(kga_z, z), true),
        ("mass per length", rho_a, true),
    ] {
        need(quantity, value, !used || value > 0.0, "positive");
    }
    for (quantity, value) in
        [("section inertia rho I_z", rho_i_z), ("section inertia rho I_y", rho_i_y)]
    {
        need(quantity, value, value >= 0.0, "zero or more");
    }
}

/// Whether every coordinate of a beam moves inertia, its own or that of what it carries; the names
/// are those of the coordinates. Where joints further out can move what is carried, some postures
/// may have inertia that the neutral one has not.
pub(super) fn check_inertia(
    beam: &Beam,
    FlexibleBody { flexible, sliding, .. }: &FlexibleBody<f64>,
    carried: &Carried,
    names: &[String],
) -> Option<FaultKind> {
    if !flexible.is_sound() {
        return Some(FaultKind::BeamOutOfRange);
    }
    if sliding.as_ref().is_some_and(|sliding| !sliding.is_sound()) {
        return Some(FaultKind::StrokeTooLong);
    }
    if carried.moves {
        return None;
    }
    let (n, skip) = (beam.count(), names.len() - beam.count());
    let mut mass = DMatrix::from_fn(n, n, |a, b| flexible.modal_mass(skip + a, skip + b));
    for (s, inertia) in &carried.hung {
        let RigidInertia { mass: kilograms, first, second } = *inertia;
        let shapes = match sliding {
            None => beam.station(*s, &Pose::IDENTITY),
            Some(sliding) => SlidingStation::new(beam, sliding, s / beam.length, &Pose::IDENTITY).1,
        };
        let about = second.trace_complement().to_mat3();
        for a in 0..n {
            for b in 0..n {
                let (a_there, b_there) = (skip + a, skip + b);
                let (u, v) = (shapes.displacement[a_there], shapes.displacement[b_there]);
                let (turn, other) = (shapes.rotation[a_there], shapes.rotation[b_there]);
                mass[(a, b)] += kilograms * u.dot(v)
                    + u.dot(other.cross(first))
                    + v.dot(turn.cross(first))
                    + turn.dot(about * other);
            }
        }
    }
    // the factorisation stops where a coordinate adds nothing
    for k in 0..n {
        let whole = mass[(k, k)];
        let rest = whole - (0..k).map(|j| mass[(k, j)] * mass[(k, j)]).sum::<f64>();
        if rest.is_nan() || rest <= 1e-12 * whole {
            return Some(FaultKind::BendsNothing { coordinate: names[skip + k].clone() });
        }
        mass[(k, k)] = rest.sqrt();
        for i in k + 1..n {
            let dot = (0..k).map(|j| mass[(i, j)] * mass[(k, j)]).sum::<f64>();
            mass[(i, k)] = (mass[(i, k)] - dot) / mass[(k, k)];
        }
    }
    None
}
