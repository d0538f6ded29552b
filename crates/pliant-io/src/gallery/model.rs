//! Shapes of natural modes, and equations of motion beside others.

use super::entry::Shaped;
use super::measure::{self, Lack};
use super::model_file::{Across, Side, Written};
use crate::nearest::nearest;
use crate::scenario::Setup;
use crate::shapes::Words;
use pliant::Help;
use pliant::arm::Arm;
use pliant::dynamics::kinematics::{self, Axes};
use pliant::dynamics::{CentrelineStation, Centrelines};
use pliant::reproduce::{
    Algorithm, AlgorithmError, Rotation, with_linear_inertia, without_section_spin,
};

/// Into so many parts a link is divided where its shape is looked at.
const PARTS: u32 = 40;

/// How a link is bent in a natural mode at the start: places `x` from 0 at its root to 1 at its tip, and
/// the deflection there as a part of that of the tip.
pub(super) fn mode_shape(setup: &Setup, shaped: &Shaped) -> Result<[Vec<f64>; 2], Lack> {
    let Shaped { number, joints, link, across, .. } = shaped;
    let description = &setup.simulation.description;
    let parts = description.parts();
    let lengths = parts.links.iter().map(|link| {
        let link = link.parts();
        (link.name, link.beam.map(pliant::beam::Beam::whole_length))
    });
    let Some((place, length)) = lengths.clone().enumerate().find_map(|(k, (name, length))| {
        length.filter(|_| name == link.name).map(|length| (k, length))
    }) else {
        let known: Vec<&str> = lengths.filter_map(|(name, length)| length.map(|_| name)).collect();
        let near = nearest(&link.name, known.iter().copied());
        let help = near.map_or_else(
            || format!("there are: {}", known.join(", ")),
            |near| format!("did you mean \"{near}\"?"),
        );
        let message = format!("no link that bends is called {:?}", link.name);
        return Err(Lack::FaultAt(link.span.clone(), message, help));
    };
    let (q, mode) = measure::mode(setup, number, *joints)?;
    let x: Vec<f64> = (0..=PARTS).map(|k| f64::from(k) / f64::from(PARTS)).collect();
    let stations = |one: usize| {
        if one == place { x.iter().map(|x| x * length).collect() } else { Vec::new() }
    };
    let lines = Centrelines::new(description, stations);
    let lines = lines.map_err(|faults| Lack::Told(faults.to_string()))?;
    let (arm, line) = (lines.arm(), &lines.links()[place]);
    // how places move as the mode does: its shape is a velocity
    let mut work = kinematics::Workspace::new(arm);
    let rest = vec![0.0; arm.nv()];
    let moving = work.move_with(arm, &q, mode.shape.as_slice(), &rest);
    let frame = moving.placed().pose(line.frame);
    let root = moving.twist(line.frame, Axes::World);
    let deflection = |station: &CentrelineStation| {
        let arm = moving.placed().pose(station.frame).position - frame.position;
        let own = moving.twist(station.frame, Axes::World).linear
            - (root.linear + root.angular.cross(arm));
        let own = frame.rotation.transpose_mul(own).to_array();
        match across {
            Across::Y => own[1],
            Across::Z => own[2],
        }
    };
    let w: Vec<f64> = line.stations.iter().map(deflection).collect();
    let tip = w.last().copied().unwrap_or(0.0);
    let largest = w.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
    if tip.abs() <= 1e-9 * largest || largest == 0.0 {
        return Err(Lack::Told("the tip of the link has no part in this mode".to_owned()));
    }
    Ok([x, w.iter().map(|w| w / tip).collect()])
}

/// How equations of motion are written, from its word; else what is wrong, and what would be right.
pub(super) fn written(word: &str) -> Result<Written, (String, String)> {
    let at = Written::WORDS.iter().position(|known| *known == word);
    at.map(|at| Written::MEANINGS[at]).ok_or_else(|| {
        let help = format!("it can be: {}", Written::WORDS.join(", "));
        (format!("equations of motion cannot be written {word:?}"), help)
    })
}

/// How far a part of the equations of motion is from another: the norm of the difference as a part of
/// that of the other.
pub(super) fn difference(
    of: Side,
    (ours, written): (&Setup, Written),
    (others, instead_of): (&Setup, Written),
) -> Result<f64, Lack> {
    let ours = part(of, ours, written)?;
    let others = part(of, others, instead_of)?;
    if ours.len() != others.len() {
        let message = "the equations of motion have different coordinates";
        let help = "change only what keeps them";
        return Err(Lack::Fault(message.to_owned(), help.to_owned()));
    }
    let norm = |numbers: &mut dyn Iterator<Item = f64>| {
        numbers.map(|number| number * number).sum::<f64>().sqrt()
    };
    let apart = norm(&mut ours.iter().zip(&others).map(|(a, b)| a - b));
    Ok(apart / norm(&mut others.iter().copied()))
}

/// A part of the equations of motion at the start.
fn part(of: Side, setup: &Setup, written: Written) -> Result<Vec<f64>, Lack> {
    let (arm, diagram) = (&*setup.simulation.arm, &setup.simulation.diagram);
    let (q, u) = (&diagram.q[..], &diagram.u[..]);
    let rotation = match written {
        Written::Exact => return exactly(of, arm, q, u),
        Written::LinearInertia => return exactly(of, &with_linear_inertia(arm), q, u),
        Written::NoSectionSpin => return exactly(of, &without_section_spin(arm), q, u),
        Written::Exponential => Rotation::Exponential,
        Written::FirstOrder => Rotation::FirstOrder,
        Written::SmallAngle => Rotation::Small,
        Written::Turns => Rotation::Turns,
    };
    let by = Algorithm::GibbsAppell(rotation);
    let told = |error: AlgorithmError| Lack::Told(error.with_help());
    let rest = vec![0.0; arm.nv()];
    let held = || by.bias(arm, q, &rest).map_err(told);
    Ok(match of {
        Side::Mass => by.mass_matrix(arm, q).map_err(told)?.as_slice().to_vec(),
        Side::Velocity => {
            let damping =
                arm.damping_forces(q, u).map_err(|error| Lack::Told(error.with_help()))?;
            let forces = by.bias(arm, q, u).map_err(told)? - held()? - damping;
            forces.as_slice().to_vec()
        }
        Side::Gravity => {
            let elastic = arm.elastic_forces(q).map_err(|error| Lack::Told(error.with_help()))?;
            (held()? - elastic).as_slice().to_vec()
        }
    })
}

/// The same by the recursions.
fn exactly(of: Side, arm: &Arm, q: &[f64], u: &[f64]) -> Result<Vec<f64>, Lack> {
    let part = match of {
        Side::Mass => arm.mass_matrix(q).map(|mass| mass.as_slice().to_vec()),
        Side::Velocity => arm.coriolis(q, u).map(|forces| forces.as_slice().to_vec()),
        Side::Gravity => arm.gravity_forces(q).map(|forces| forces.as_slice().to_vec()),
    };
    part.map_err(|error| Lack::Told(error.with_help()))
}
