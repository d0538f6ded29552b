//! Compares arms loaded from URDF files with what Pinocchio computed for them.
//!
//! Reads the file that `xtask/python/pinocchio_reference.py` writes and prints a table;
//! `cargo xtask compare-pinocchio` does both. Each file is loaded with its fixed joints kept and
//! merged, and each of these is written as an arm file and read again; the worst of the four counts.
#![allow(clippy::print_stdout, reason = "it prints a table")]

use pliant::arm::Arm;
use pliant_io::urdf::{self, FixedJoints, Options};
use pliant_io::{Source, parse_arm, write_arm};
use serde::Deserialize;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::ExitCode;

/// How far a number may be from Pinocchio's, relative to the largest of its kind.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Reference {
    path: String,
    name: String,
    pinocchio: String,
    /// Why Pinocchio did not read the file.
    refused: Option<String>,
    /// Why a comparison makes no sense.
    skipped: Option<String>,
    #[serde(default)]
    configuration: Vec<String>,
    #[serde(default)]
    velocities: Vec<String>,
    #[serde(default)]
    states: Vec<State>,
}

/// A state and what Pinocchio says about it, in the order of the reference's names.
#[derive(Deserialize)]
struct State {
    q: Vec<f64>,
    u: Vec<f64>,
    ud: Vec<f64>,
    mass: Vec<Vec<f64>>,
    gravity: Vec<f64>,
    coriolis: Vec<f64>,
    tau: Vec<f64>,
}

/// Relative errors: mass matrix, gravity, Coriolis, inverse dynamics.
type Errors = [f64; 4];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which reference file?")?;
    let lines = BufReader::new(File::open(path)?).lines();
    let (mut files, mut skipped, mut bad, mut worst) = (0, 0, 0, [0.0; 4]);
    println!(
        "{:<62} {:>6}  {:>8} {:>8} {:>8} {:>8}  verdict",
        "file", "joints", "mass", "gravity", "Coriolis", "inverse"
    );
    for line in lines {
        let reference: Reference = serde_json::from_str(&line?)?;
        if files == 0 {
            println!("-- against Pinocchio {}", reference.pinocchio);
        }
        files += 1;
        let joints = reference.velocities.len();
        let name = &reference.name;
        if let Some(why) = &reference.skipped {
            urdf::load(&reference.path, &Options::default())?;
            println!("{name:<62} {joints:>6}  loads; {why}");
            skipped += 1;
            continue;
        }
        match compare(&reference) {
            Ok(errors) => {
                let agrees = errors.iter().all(|error| *error <= TOLERANCE);
                let verdict = if agrees { "agrees" } else { "DIFFERS" };
                let [mass, gravity, coriolis, tau] = errors;
                println!(
                    "{name:<62} {joints:>6}  {mass:8.1e} {gravity:8.1e} {coriolis:8.1e} {tau:8.1e}  {verdict}"
                );
                bad += usize::from(!agrees);
                for (worst, error) in worst.iter_mut().zip(errors) {
                    *worst = f64::max(*worst, error);
                }
            }
            Err(why) => {
                println!("{name:<62} {joints:>6}  FAILED: {why}");
                bad += 1;
            }
        }
    }
    let [mass, gravity, coriolis, tau] = worst;
    println!("{:<62} {:>6}  {mass:8.1e} {gravity:8.1e} {coriolis:8.1e} {tau:8.1e}", "worst", "");
    println!(
        "{files} files: {} agree, {bad} failed or differ by more than {TOLERANCE:.0e}, {skipped} skipped",
        files - bad - skipped
    );
    Ok(if bad == 0 && files > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn compare(reference: &Reference) -> Result<Errors, Box<dyn Error>> {
    if let Some(why) = &reference.refused {
        return Err(format!("Pinocchio refuses it: {why}").into());
    }
    let mut worst = [0.0; 4];
    for fixed in [FixedJoints::Keep, FixedJoints::Merge] {
        let options = Options { fixed, ..Options::default() };
        let loaded = urdf::load(&reference.path, &options)?;
        let text = write_arm(&loaded.description);
        let again = parse_arm(&Source::new("converted.toml", text))?;
        for arm in [loaded.arm, again.arm] {
            let positions = places(&reference.configuration, arm.configuration_names())?;
            let velocities = places(&reference.velocities, arm.velocity_names())?;
            for state in &reference.states {
                let errors = at(&arm, state, &positions, &velocities)?;
                for (worst, error) in worst.iter_mut().zip(errors) {
                    // a NaN is the worst of all
                    *worst = if error.is_nan() { f64::INFINITY } else { f64::max(*worst, error) };
                }
            }
        }
    }
    Ok(worst)
}

/// For each name of the reference its index in the arm; both must have the same names.
fn places(reference: &[String], arm: &[String]) -> Result<Vec<usize>, String> {
    if reference.len() != arm.len() {
        return Err(format!("{} coordinates instead of {}", arm.len(), reference.len()));
    }
    let place = |name: &String| {
        let found = arm.iter().position(|own| own == name);
        found.ok_or_else(|| format!("no coordinate \"{name}\""))
    };
    reference.iter().map(place).collect()
}

fn at(
    arm: &Arm,
    state: &State,
    positions: &[usize],
    velocities: &[usize],
) -> Result<Errors, Box<dyn Error>> {
    let q = put(&state.q, positions);
    let (u, ud) = (put(&state.u, velocities), put(&state.ud, velocities));
    let mass = arm.mass_matrix(&q)?;
    let rows: Vec<f64> = state.mass.concat();
    let own_rows: Vec<f64> = velocities
        .iter()
        .flat_map(|&row| velocities.iter().map(move |&column| (row, column)))
        .map(|at| mass[at])
        .collect();
    // Pinocchio keeps damping in its model and leaves it out of the dynamics
    let tau = arm.inverse_dynamics(&q, &u, &ud)? - arm.damping_forces(&q, &u)?;
    let take = |force: &[f64]| -> Vec<f64> { velocities.iter().map(|&v| force[v]).collect() };
    let largest = largest(&rows);
    Ok([
        relative(&own_rows, &rows, 0.0),
        relative(&take(arm.gravity_forces(&q)?.as_slice()), &state.gravity, largest),
        relative(&take(arm.coriolis(&q, &u)?.as_slice()), &state.coriolis, largest),
        relative(&take(tau.as_slice()), &state.tau, largest),
    ])
}

fn put(values: &[f64], places: &[usize]) -> Vec<f64> {
    let mut result = vec![0.0; values.len()];
    for (&place, &value) in places.iter().zip(values) {
        result[place] = value;
    }
    result
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| f64::max(most, value.abs()))
}

/// The largest difference over the largest entry. Where all entries vanish, as the gravity forces
/// of a vertical axis do, what is left is rounding: entries below a millionth of the largest mass
/// times a unit acceleration are measured against that.
fn relative(own: &[f64], reference: &[f64], largest_mass: f64) -> f64 {
    let scale = largest(reference).max(1e-6 * largest_mass).max(f64::MIN_POSITIVE);
    let differences: Vec<f64> = own.iter().zip(reference).map(|(a, b)| a - b).collect();
    if differences.iter().any(|d| d.is_nan()) {
        return f64::NAN;
    }
    largest(&differences) / scale
}
