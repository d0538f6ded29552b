//! `pliant dynamics`: the equation of motion in one state.

mod csv;
mod json;
mod range;
mod text;

use super::modes::posture;
use super::options::{Force, Set};
use super::state;
use super::sweep::{self, RangeWarning, Sweep};
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant::Help;
use pliant::arm::Arm;
use pliant::dynamics::EvaluationError;
use pliant::nalgebra::{DMatrix, DVector};
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, AlgorithmError, Rotation, Unsupported, Variant, Variants};
use pliant::spatial::{Pose, Vec3};
use pliant_io::{Loaded, State};
use std::path::PathBuf;

/// Mass matrix, forces, accelerations and energies of an arm in one state
///
/// The equation of motion is M·ud + bias = tau, with bias = coriolis + gravity + elastic + damping
/// - external. The default state is the neutral configuration at rest.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant dynamics robots/akmehmet-3.toml\n  \
    pliant dynamics arm.toml --state state.json --format json\n  \
    pliant dynamics arm.toml --at elbow=90deg --only gravity\n  \
    pliant dynamics arm.toml --at elbow=0..135deg:9 --plot mass.svg     over a range of postures\n  \
    pliant dynamics arm.toml --state '{\"q\": {\"elbow\": \"90 deg\"}}' --only gravity\n\n\
    A state is JSON or TOML with q, u and tau, as lists or by name; the defaults are neutral or\n\
    zero. It may contain loads, \"external\": [{\"frame\": \"hand\", \"force\": [0, 0, \"-10 N\"]}], and\n\
    ud, the accelerations of prescribed joints; their forces are then returned in tau.\n\n\
    Ranges: elbow=0..135deg is 0 to 135 degrees in 10 steps, elbow=0..135deg:20 in 20 steps. Several\n\
    ranges move together, step by step. The answer is a table with one line per posture: the mass\n\
    matrix and the gravity of the joints, or all entries of what --only names. The plot is over the\n\
    first joint that moves.\n\n\
    Numbers without a unit in the state, and all numbers of the JSON output, are in\n\
    SI units and radians: m, rad, kg, N, N m, m/s^2, rad/s^2, J. Lists are in the order of\n\
    \"coordinates\"; vectors and frames are in world axes. CSV gives the unit in every line.")]
pub(crate) struct Dynamics {
    /// The arm file, or a scenario with an arm
    arm: PathBuf,

    #[command(flatten)]
    set: Set,

    /// The state: a file, "-" for stdin, or inline JSON
    #[arg(long, value_name = "STATE")]
    state: Option<String>,

    /// Positions of joints, or ranges: fore=0..135deg, fore=0..135deg:20; the others are neutral
    #[arg(long, value_name = "JOINT=VALUE,..", conflicts_with = "state")]
    at: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Algorithm for mass matrix, bias and acceleration; all give the same numbers. Default:
    /// articulated, or the published equations that links ask for
    #[arg(long, value_enum)]
    method: Option<Method>,

    /// Rotation of the sections in the Gibbs-Appell method; only exact agrees with the other methods
    #[arg(long, value_enum, default_value_t = SectionTurn::Exact)]
    rotation: SectionTurn,

    /// Compute only these quantities
    #[arg(long, value_enum, value_delimiter = ',', value_name = "QUANTITIES")]
    only: Vec<Quantity>,

    /// With a range in --at: also plot over the posture, as .svg or .png
    #[arg(long, value_name = "FILE", requires = "at")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables
    Text,
    /// One object
    Json,
    /// One number per line
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// The mass matrix column by column from inverse dynamics
    Recursive,
    /// The mass matrix by the composite-body method, then a linear solve
    Composite,
    /// Accelerations by the articulated-body method
    Articulated,
    /// Korayem and Shafei's inertia matrix and right-hand side, for serial chains
    GibbsAppell,
    /// King's linear recurrences in base coordinates, for serial chains
    Recurrence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SectionTurn {
    /// Exponential of the rotation vector, with the exact angular velocity
    Exact,
    /// Exponential, with the rate of the rotation vector as angular velocity
    Exp,
    /// Identity plus the cross-product matrix of the rotation vector, as in Korayem and Shafei
    Small,
}

/// What can be asked for; the names are those of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Quantity {
    MassMatrix,
    Coriolis,
    Gravity,
    Elastic,
    Damping,
    External,
    Bias,
    Acceleration,
    /// Motor forces: those of the state, and those of prescribed joints
    Tau,
    KineticEnergy,
    PotentialEnergy,
    ElasticEnergy,
    LinearMomentum,
    AngularMomentum,
    Frames,
}

/// A quantity of the answer.
enum Answer {
    Matrix(Vec<Vec<f64>>),
    /// One number per degree of freedom.
    Vector(Vec<f64>),
    /// Along the world's axes.
    Space(Vec3<f64>),
    Number(f64),
    Poses(Vec<(String, Pose<f64>)>),
}

impl Dynamics {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let Loaded { arm, variants, .. } = self.set.load(&self.arm, output)?;
        let mut postures = match &self.at {
            Some(at) => posture::read_range(at, &arm, output)?,
            None => vec![state::read(self.state.as_deref(), &arm, output)?],
        };
        if postures.len() > 1 {
            return self.sweep((&arm, &variants), &postures, output);
        }
        sweep::refuse_plot(self.plot.as_deref())?;
        let Some(state) = postures.pop() else { return Ok(()) };
        let bent = (&arm, &variants);
        state::warn_of_range(&self.arm, bent, &state.q, &state.u, &state.external, output);
        let equations = self.equations(&arm, &variants)?;
        for (links, other) in [
            (&variants.first_order, "the rotation of first order, by recurrences"),
            (&variants.small_angle, "small angles, by the Gibbs-Appell equations"),
        ] {
            if !links.is_empty() {
                output.caution(&format!(
                    "energies, momenta and frames use the exact rotation; everything else uses {other}"
                ));
            }
        }
        let answers = Self::compute(equations, &arm, &state, &self.only)?;
        if self.rotation != SectionTurn::Exact {
            output.note(
                "note: coriolis, gravity and elastic use the exact rotation; bias, mass matrix and \
                 accelerations use the given one",
            );
        }
        let text = match self.format {
            Format::Text => text::write(&arm, &answers),
            Format::Json => json::write(&arm, &answers)?,
            Format::Csv => csv::write(&arm, &answers),
        };
        output.data(&text)
    }

    /// The same in each of several postures, as one table.
    fn sweep(
        &self,
        (arm, variants): (&Arm, &Variants),
        postures: &[State],
        output: &Output,
    ) -> Result<(), Failure> {
        let form = sweep::form_of(self.plot.as_deref(), self.force)?;
        let only = if self.only.is_empty() { range::USUAL } else { &self.only };
        let mut table = Sweep::new(arm, postures);
        let mut warning = RangeWarning::new();
        for (k, state) in postures.iter().enumerate() {
            warning.look(&self.arm, (arm, variants), (state, &table.place(k)), output);
            let answers = Self::compute(self.equations(arm, variants)?, arm, state, only);
            let answers = answers.map_err(|failure| failure.at(&table.place(k)))?;
            table.add(range::numbers(arm, &answers, self.only.is_empty()));
        }
        table.draw(form, self.force, output)?;
        output.data(&match self.format {
            Format::Text => table.text(),
            Format::Json => table.json()?,
            Format::Csv => table.csv(),
        })
    }

    /// The algorithm, or why what was asked for is none.
    fn algorithm(&self) -> Result<Algorithm, Failure> {
        if self.method != Some(Method::GibbsAppell) && self.rotation != SectionTurn::Exact {
            return Err(Failure::input(
                "only the Gibbs-Appell method has a choice of --rotation",
                "add --method gibbs-appell, or leave --rotation out",
            ));
        }
        Ok(match self.method.unwrap_or(Method::Articulated) {
            Method::Recursive => Algorithm::Recursive,
            Method::Composite => Algorithm::Composite,
            Method::Articulated => Algorithm::Articulated,
            Method::GibbsAppell => Algorithm::GibbsAppell(match self.rotation {
                SectionTurn::Exact => Rotation::Exact,
                SectionTurn::Exp => Rotation::Exponential,
                SectionTurn::Small => Rotation::Small,
            }),
            Method::Recurrence => Algorithm::Recurrence(Evaluation::InTurn),
        })
    }

    /// By what is computed: an algorithm, or the equations that the arm's links ask for.
    fn equations(&self, arm: &Arm, variants: &Variants) -> Result<Equations, Failure> {
        let algorithm = self.algorithm()?;
        let asked = variants.of(arm).map_err(|lack| Failure::internal(lack.with_help()))?;
        let Some(variant) = asked else { return Ok(Equations::Usual(algorithm)) };
        let refused = |link: &str, what: &str, instead: &str| {
            Err(Failure::input(
                format!(
                    "{} does not know {what}, which link \"{link}\" asks for",
                    algorithm.name()
                ),
                format!("{instead}, or take it out of the link"),
            ))
        };
        let first = [&variants.first_order, &variants.small_angle, &variants.theodore24]
            .map(|links| links.first());
        match (self.method, first) {
            (None, _) | (Some(Method::Recurrence), [Some(_), ..]) => {
                Ok(Equations::Asked(Box::new(variant)))
            }
            (_, [Some(link), ..]) => {
                let instead = "use --method recurrence or leave --method out";
                refused(link, "rotation = \"first-order\"", instead)
            }
            (_, [_, Some(link), _]) => {
                refused(link, "rotation = \"small-angle\"", "leave --method out")
            }
            (_, [.., link]) => {
                let link = link.map_or("", String::as_str);
                refused(link, "velocity = \"theodore-24\"", "leave --method out")
            }
        }
    }

    fn compute(
        mut equations: Equations,
        arm: &Arm,
        state: &State,
        only: &[Quantity],
    ) -> Result<Vec<(Quantity, Answer)>, Failure> {
        // of an arm that moves by its motors alone, tau is known
        let is_prescribed = arm.free_velocities().len() < arm.nv();
        let wanted = Quantity::value_variants().iter().filter(|quantity| match quantity {
            Quantity::Tau if only.is_empty() => is_prescribed,
            _ => only.is_empty() || only.contains(quantity),
        });
        let mut answers = Vec::new();
        for &quantity in wanted {
            let answer = answer(&mut equations, quantity, arm, state).map_err(refused)?;
            if !answer.is_finite() {
                return Err(Failure::input(
                    format!("{} is too large to be computed", quantity.name()),
                    "give smaller numbers",
                ));
            }
            answers.push((quantity, answer));
        }
        Ok(answers)
    }
}

/// By what mass matrix, forces and accelerations are computed.
enum Equations {
    /// The usual ones, by an algorithm.
    Usual(Algorithm),
    /// Those of a document that links ask for.
    Asked(Box<Variant>),
}

/// One quantity.
fn answer(
    equations: &mut Equations,
    quantity: Quantity,
    arm: &Arm,
    state: &State,
) -> Result<Answer, AlgorithmError> {
    let own = match equations {
        Equations::Usual(_) => arm.clone(),
        Equations::Asked(variant) => variant.arm().clone(),
    };
    let arm = &own;
    let State { q, u, tau, ud, external } = state;
    let vector = |values: DVector<f64>| Answer::Vector(values.data.into());
    Ok(match quantity {
        Quantity::MassMatrix => {
            let mass = equations.mass_matrix(arm, q)?;
            let rows = mass.row_iter().map(|row| row.iter().copied().collect());
            Answer::Matrix(rows.collect())
        }
        Quantity::Coriolis => vector(equations.coriolis(arm, q, u)?),
        Quantity::Gravity => vector(equations.gravity_forces(arm, q)?),
        Quantity::Elastic => vector(arm.elastic_forces(q)?),
        Quantity::Damping => vector(arm.damping_forces(q, u)?),
        Quantity::External => vector(arm.load_forces(q, external)?),
        Quantity::Bias => vector(equations.bias(arm, q, u)? - arm.load_forces(q, external)?),
        Quantity::Acceleration | Quantity::Tau => {
            let loads = arm.load_forces(q, external)?;
            let total = tau.iter().zip(&loads).map(|(tau, load)| tau + load);
            let total: Vec<f64> = total.collect();
            let (forces, acceleration) = equations.hybrid_dynamics(arm, q, u, &total, ud)?;
            match quantity {
                Quantity::Tau => vector(forces - loads),
                _ => vector(acceleration),
            }
        }
        Quantity::KineticEnergy => Answer::Number(arm.energies(q, u)?.kinetic),
        Quantity::PotentialEnergy => Answer::Number(arm.energies(q, u)?.potential),
        Quantity::ElasticEnergy => Answer::Number(arm.energies(q, u)?.elastic),
        Quantity::LinearMomentum => Answer::Space(arm.momenta(q, u)?.linear),
        Quantity::AngularMomentum => Answer::Space(arm.momenta(q, u)?.angular),
        Quantity::Frames => {
            let mut work = pliant::dynamics::kinematics::Workspace::new(arm);
            let placed = work.place(arm, q);
            let frames = arm.frames().iter().enumerate();
            Answer::Poses(
                frames.map(|(i, frame)| (frame.name().to_owned(), placed.pose(i))).collect(),
            )
        }
    })
}

fn refused(error: AlgorithmError) -> Failure {
    match error {
        AlgorithmError::Evaluation(EvaluationError::SingularMassMatrix { coordinate }) => {
            Failure::input(
                format!(
                    "there is no acceleration: the mass matrix is singular, since \"{coordinate}\" can accelerate without force [pliant::state::singular-mass-matrix]"
                ),
                "ask for what exists with --only mass_matrix,gravity; or give the links that it moves mass or inertia, or its joint armature",
            )
        }
        AlgorithmError::Unsupported { ref lack, .. } => Failure::input(
            error.to_string(),
            match lack {
                Unsupported::Foreshortening { .. } => {
                    "leave --method out, or add foreshortening = false to the link"
                }
                _ => "leave --method out, or choose recursive, composite or articulated",
            },
        ),
        other => Failure::of(&other, "change the state or the arm file"),
    }
}

type Computed<T> = Result<T, AlgorithmError>;

impl Equations {
    fn mass_matrix(&mut self, arm: &Arm, q: &[f64]) -> Computed<DMatrix<f64>> {
        match self {
            Self::Usual(algorithm) => algorithm.mass_matrix(arm, q),
            Self::Asked(variant) => Ok(variant.mass_matrix(q)?),
        }
    }

    fn bias(&mut self, arm: &Arm, q: &[f64], u: &[f64]) -> Computed<DVector<f64>> {
        match self {
            Self::Usual(algorithm) => algorithm.bias(arm, q, u),
            Self::Asked(variant) => Ok(variant.bias(q, u)?),
        }
    }

    fn coriolis(&mut self, arm: &Arm, q: &[f64], u: &[f64]) -> Computed<DVector<f64>> {
        Ok(match self {
            Self::Usual(_) => arm.coriolis(q, u)?,
            Self::Asked(variant) => variant.coriolis(q, u)?,
        })
    }

    fn gravity_forces(&mut self, arm: &Arm, q: &[f64]) -> Computed<DVector<f64>> {
        Ok(match self {
            Self::Usual(_) => arm.gravity_forces(q)?,
            Self::Asked(variant) => variant.gravity_forces(q)?,
        })
    }

    fn hybrid_dynamics(
        &mut self,
        arm: &Arm,
        q: &[f64],
        u: &[f64],
        tau: &[f64],
        ud: &[f64],
    ) -> Computed<(DVector<f64>, DVector<f64>)> {
        match self {
            Self::Usual(algorithm) => algorithm.hybrid_dynamics(arm, q, u, tau, ud),
            Self::Asked(variant) => Ok(variant.hybrid_dynamics(q, u, tau, ud)?),
        }
    }
}

impl Quantity {
    /// Its name in the answer.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What its numbers are called over several postures.
    fn group(self) -> &'static str {
        match self {
            Self::MassMatrix => "M",
            Self::Coriolis => "coriolis",
            Self::Gravity => "gravity",
            Self::Elastic => "elastic",
            Self::Damping => "damping",
            Self::External => "external",
            Self::Bias => "bias",
            Self::Acceleration => "acceleration",
            Self::Tau => "tau",
            Self::KineticEnergy => "kinetic energy",
            Self::PotentialEnergy => "potential energy",
            Self::ElasticEnergy => "elastic energy",
            Self::LinearMomentum => "linear momentum",
            Self::AngularMomentum => "angular momentum",
            Self::Frames => "position",
        }
    }

    /// Its unit for a sliding and for a turning coordinate.
    fn unit(self, turns: bool) -> &'static str {
        match self {
            Self::MassMatrix | Self::Frames => "",
            Self::Acceleration if turns => "rad/s^2",
            Self::Acceleration => "m/s^2",
            Self::KineticEnergy | Self::PotentialEnergy | Self::ElasticEnergy => "J",
            Self::LinearMomentum => "kg m/s",
            Self::AngularMomentum => "kg m^2/s",
            _ if turns => "N m",
            _ => "N",
        }
    }
}

impl Answer {
    fn is_finite(&self) -> bool {
        let all = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        match self {
            Self::Matrix(rows) => rows.iter().all(|row| all(row)),
            Self::Vector(numbers) => all(numbers),
            Self::Space(v) => all(&v.to_array()),
            Self::Number(number) => number.is_finite(),
            Self::Poses(poses) => poses.iter().all(|(_, pose)| all(&pose.position.to_array())),
        }
    }
}

/// Whether each degree of freedom turns.
fn turning(arm: &Arm) -> Vec<bool> {
    arm.velocity_units().iter().map(|[place, ..]| *place == "rad").collect()
}

/// The unit of an entry of the mass matrix.
fn mass_unit(row_turns: bool, column_turns: bool) -> &'static str {
    match (row_turns, column_turns) {
        (true, true) => "kg m^2",
        (false, false) => "kg",
        _ => "kg m",
    }
}
