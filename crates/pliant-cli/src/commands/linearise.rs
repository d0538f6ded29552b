//! `pliant linearise`: an arm near a point of its motion, as a linear system.

mod closed;
mod csv;
mod figure;
mod json;
mod point;
mod python;
mod text;

use super::modes::findings::refused;
use super::options::Force;
use super::options::Set;
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant::Help as _;
use pliant::analyse::{Label, StateSpace, continuous_pole};
use pliant::nalgebra::{Complex, DMatrix};
use pliant_io::escape::Shown as _;
use pliant_io::{LinearNameError, linear_inputs, linear_outputs, rename_outputs};
use point::{Arrived, Place};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Linearise an arm or its closed loop about a configuration
///
/// Computes the exact matrices of x' = A x + B u, y = C x + D u for the given inputs and outputs, and
/// their poles, zeros and frequency response. The states are small changes of the joint and modal
/// coordinates from the operating point, then their rates. With --closed it is the loop of a scenario
/// with its controllers, sampled or continuous.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant linearise robots/king-two-link.toml\n  \
    pliant linearise arm.toml --at fore=45deg --input fore --output fore,fore.tip.position.x\n  \
    pliant linearise arm.toml --lock all --input fore.tip.force.y --output fore.tip.position.y\n  \
    pliant linearise scenarios/king-swing.toml --at \"0.5 s\"        during the motion\n  \
    pliant linearise scenarios/king-pseudolink.toml --closed       with its controllers\n  \
    pliant linearise arm.toml --plot bode.svg --to 100\n  \
    pliant linearise arm.toml --export arm.npz                   matrices for NumPy\n  \
    pliant linearise arm.toml --export arm.py                    a python-control system\n\n\
    Operating point: for an arm, --at gives joint positions, the other joints are neutral, and the\n\
    links have their static deflection; with --as-given they are straight. For a scenario, --at is\n\
    a time of its motion, 0 by default. The motor forces of the operating point are constant; the\n\
    inputs are added to them.\n\n\
    Inputs:  upper                  the motor of a joint, rigid or elastic [N m, N]\n         \
             fore.tip.force.y       a force on a frame, in world axes [N]\n         \
             fore.tip.own.moment.z  a moment on a frame, in its own axes [N m]\n\
    Outputs: upper, upper.rate      a joint or modal coordinate, and its rate\n         \
             fore.tip.position.x    the position of a frame in the world [m]\n         \
             fore.tip.velocity.x    its velocity [m/s]\n         \
             fore.tip.specific-force.x  the output of an accelerometer there [m/s^2]\n         \
             upper.strain@0.05:0.005:0  a strain gauge 50 mm along a link, at y = 5 mm, z = 0\n\
    The default inputs are the motors of all joints, the default outputs the joints and the tip. In\n\
    a scenario sensors are outputs too, by name, without sampling and noise.\n\n\
    --closed: the controllers of a scenario close the loop, at rest in the posture that the plan has\n\
    at the time --at. Sensors, sampling, hold, delays, estimators and what laws remember are included;\n\
    noise, resolution, limits and dry friction are not. With a sampling period the system is\n\
    x+ = A x + B u from one common tick of all clocks to the next (dt in exports), and a pole z is\n\
    stable when |z| < 1; its frequency and damping ratio are those of ln(z)/dt. The inputs are the\n\
    references of the controllers, then those of --input, which are added to the motor forces.\n\n\
    A pole at a + bi decays like e^(a t) and oscillates with b rad/s; its frequency is |pole|/2pi and\n\
    its damping ratio -a/|pole|. A zero is a pole of the arm while the input keeps the output at rest;\n\
    one in the right half-plane means that the output first moves the wrong way. Zeros of all channels\n\
    together are poles while all inputs keep all outputs at rest. Dry friction is\n\
    linearised: for a joint at rest it acts as a strong damper.\n\n\
    JSON is in SI units and radians. CSV is the frequency response, one line per frequency.")]
pub(crate) struct Linearise {
    /// The arm or scenario file
    #[arg(value_name = "ARM|SCENARIO")]
    file: PathBuf,

    #[command(flatten)]
    set: Set,

    /// Joint positions of an arm, or a time of a scenario
    #[arg(
        long,
        value_name = "JOINT=VALUE,..|TIME",
        conflicts_with = "state",
        allow_hyphen_values = true
    )]
    at: Option<String>,

    /// Operating point as a state of an arm: a file, "-" for stdin, or inline JSON
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Joints that do not move, or "all"
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',')]
    lock: Vec<String>,

    /// Use the state as given, without static deflection
    #[arg(long)]
    as_given: bool,

    /// Close the loop with the controllers of the scenario
    #[arg(long, conflicts_with_all = ["state", "lock", "as_given"])]
    closed: bool,

    /// Inputs: motors, or forces and moments on frames
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    input: Vec<String>,

    /// Outputs: coordinates, frames, strains, sensors
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    output: Vec<String>,

    /// Lowest frequency of the response [Hz]; default: below the slowest pole
    #[arg(long, value_name = "HZ", value_parser = hertz, allow_negative_numbers = true)]
    from: Option<f64>,

    /// Highest frequency of the response [Hz]; default: above the fastest pole
    #[arg(long, value_name = "HZ", value_parser = hertz, allow_negative_numbers = true)]
    to: Option<f64>,

    /// Number of frequencies
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(2..100_000))]
    points: u32,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also plot poles and frequency response, as .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Also write the matrices: .json, .npz, or .py for python-control
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables
    Text,
    /// One object
    Json,
    /// The frequency response, a line per frequency
    Csv,
}

/// A frequency, in Hz.
fn hertz(text: &str) -> Result<f64, String> {
    let hertz = super::modes::positive(text)?;
    if (1e-12..=1e12).contains(&hertz) {
        return Ok(hertz);
    }
    Err("no frequency of an arm; give one between 1e-12 and 1e12 Hz".to_owned())
}

/// A name that an option cannot use.
fn of_option(option: &str) -> impl Fn(LinearNameError) -> Failure + '_ {
    move |error| {
        let help = error.help().unwrap_or_default();
        let forms = "`pliant linearise --help` tells all forms";
        Failure::input(format!("{option}: {error}"), format!("{help}; {forms}"))
    }
}

/// Frequencies (Hz) and the response at each.
type Response = Vec<(f64, DMatrix<Complex<f64>>)>;

/// What was found.
struct Found {
    /// The name of the arm.
    name: String,
    /// Where it is.
    place: Place,
    system: StateSpace,
    /// The time of a step (s); none of a system in continuous time.
    period: Option<f64>,
    poles: Vec<Complex<f64>>,
    /// For each output a row, for each input a column; `None` where every frequency is one.
    zeros: Vec<Vec<Option<Vec<Complex<f64>>>>>,
    /// Those of all inputs and outputs together; `None` where every frequency is one.
    zeros_together: Option<Vec<Complex<f64>>>,
    response: Response,
}

impl Found {
    /// Whether there are several inputs and several outputs.
    fn has_several(&self) -> bool {
        self.system.inputs.len() > 1 && self.system.outputs.len() > 1
    }
}

impl Linearise {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        self.plot.iter().try_for_each(|path| self.force.check_drawing(path))?;
        self.export.iter().try_for_each(|path| self.force.check(path))?;
        let (name, place, period, system) =
            if self.closed { closed::find(self, output)? } else { self.open(output)? };
        let poles = system.poles();
        let zeros = |row: usize| {
            let columns = 0..system.inputs.len();
            columns.map(|column| system.channel(column, row).zeros()).collect()
        };
        let found = Found {
            zeros: (0..system.outputs.len()).map(zeros).collect(),
            zeros_together: system.zeros(),
            response: self.response(&system, period, &poles)?,
            name,
            place,
            period,
            poles,
            system,
        };
        if let Some(path) = &self.plot {
            figure::write(&found, path, self.force, output)?;
            output.note(&format!("wrote {}", path.shown()));
        }
        if let Some(path) = &self.export {
            self.export(&found, path)?;
            output.note(&format!("wrote {}", path.shown()));
        }
        output.data(&match self.format {
            Format::Text => text::write(&found),
            Format::Json => json::write(&found)?,
            Format::Csv => csv::write(&found),
        })
    }

    /// The arm alone.
    fn open(&self, output: &Output) -> Result<(String, Place, Option<f64>, StateSpace), Failure> {
        let Arrived { arm, place, sensors } = point::find(self, output)?;
        let inputs =
            linear_inputs(&arm, &place.conditions, &self.input).map_err(of_option("--input"))?;
        let (outputs, names): (Vec<_>, Vec<_>) = linear_outputs(&arm, &sensors, &self.output)
            .map_err(of_option("--output"))?
            .into_iter()
            .unzip();
        let mut system = arm
            .linearise(&place.point, &place.conditions, &inputs, &outputs)
            .map_err(|error| refused(&error))?;
        rename_outputs(&mut system, names);
        Ok((arm.name().to_owned(), place, None, system))
    }

    /// The response at frequencies in equal ratios.
    fn response(
        &self,
        system: &StateSpace,
        period: Option<f64>,
        poles: &[Complex<f64>],
    ) -> Result<Response, Failure> {
        let rates = poles.iter().map(|pole| continuous_pole(*pole, period).norm() / TAU);
        let sizes = rates.filter(|size| *size > 1e-3 && size.is_finite());
        let (slowest, fastest) =
            sizes.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        let usual = if fastest > 0.0 { (0.1 * slowest, 3.0 * fastest) } else { (0.1, 100.0) };
        // faster signals look like slower ones
        let most = period.map_or(f64::INFINITY, |period| 0.5 / period);
        let usual = (usual.0.min(0.1 * most), usual.1.min(most));
        let (low, high) = (self.from.unwrap_or(usual.0), self.to.unwrap_or(usual.1));
        if low >= high {
            return Err(Failure::input(
                format!("the response would go from {low} Hz to {high} Hz"),
                "give --from a smaller and --to a larger number",
            ));
        }
        let last = f64::from(self.points - 1);
        let at = |k: u32| {
            let hertz = low * (high / low).powf(f64::from(k) / last);
            let turn = Complex::new(0.0, TAU * hertz);
            let at = period.map_or(turn, |period| (turn * period).exp());
            (hertz, system.transfer(at))
        };
        Ok((0..self.points).map(at).collect())
    }

    fn export(&self, found: &Found, path: &Path) -> Result<(), Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let bytes = match ending.as_deref() {
            Some("json") => json::write(found)?.into_bytes(),
            Some("py") => python::write(found).into_bytes(),
            Some("npz") => {
                let StateSpace { a, b, c, d, states, inputs, outputs } = &found.system;
                let names =
                    |all: &[Label]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
                let units =
                    |all: &[Label]| all.iter().map(|one| one.unit.clone()).collect::<Vec<_>>();
                let mut arrays = vec![("A", a), ("B", b), ("C", c), ("D", d)];
                let period = found.period.map(|period| DMatrix::from_element(1, 1, period));
                arrays.extend(period.iter().map(|period| ("dt", period)));
                pliant_io::results::npz(
                    &arrays,
                    &[
                        ("states", names(states)),
                        ("inputs", names(inputs)),
                        ("outputs", names(outputs)),
                        ("state_units", units(states)),
                        ("input_units", units(inputs)),
                        ("output_units", units(outputs)),
                    ],
                )
                .map_err(|error| Failure::internal(error.to_string()))?
            }
            _ => {
                return Err(Failure::input(
                    format!("{} says no form that is known", path.shown()),
                    "end the name with .json, .npz or .py",
                ));
            }
        };
        self.force.write(path, &bytes)
    }
}
