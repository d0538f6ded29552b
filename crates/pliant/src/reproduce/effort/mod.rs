//! How many operations each algorithm takes, and how many of them must follow one another, counted
//! by running it, beside the counts that the documents print.

pub mod printed;

use super::algorithm::{self, Algorithm};
use super::gibbs_appell::{self, GibbsAppellStep, StepData};
use super::{Rotation, Unsupported};
use crate::arm::{Arm, BuildError, Builder, Joint, Link};
use crate::beam::{Basis, Beam, Section, Ways};
use crate::scalar::{Chains, Counted, Counts, Scalar, Timed, count};
use crate::spatial::{Pose, Vec3, euler_xyz};
use nalgebra::DMatrix;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedQuantity {
    /// Forces from accelerations.
    InverseDynamics,
    /// The mass matrix, King's H.
    Mass,
    /// The mass matrix and the forces without accelerations, King's H and R.
    MassAndBias,
    /// Accelerations from forces.
    ForwardDynamics,
}

impl CountedQuantity {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::InverseDynamics, Self::Mass, Self::MassAndBias, Self::ForwardDynamics];
}

/// A serial chain of turning joints with twists and links of any mass distribution, from the base
/// outward: rigid where the number of `modes` is 0, else a link that bends and twists with so many
/// coordinates, which all have a share of bending in both planes and of torsion, as Book's and
/// Korayem's have.
pub fn chain(modes: &[usize]) -> Result<Arm, BuildError> {
    chain_of(modes, false)
}

/// The same chain with a rigid body at both ends of every flexible link: the building block of
/// Flexible robot manipulators, section 3.5.3.
pub fn chain_with_rigid_ends(modes: &[usize]) -> Result<Arm, BuildError> {
    chain_of(modes, true)
}

fn chain_of(modes: &[usize], has_rigid_ends: bool) -> Result<Arm, BuildError> {
    let mut builder = Builder::new("chain").gravity([0.3, -9.81, -0.5]);
    let tensor = [[0.02, 1e-3, -2e-3], [1e-3, 0.05, 1e-3], [-2e-3, 1e-3, 0.06]];
    for (i, &own) in modes.iter().enumerate() {
        let twist = euler_xyz(0.4 + 0.9 * i as f64, 0.1, 0.2);
        let carried = i > 0 && modes[i - 1] > 0;
        let reach = if i > 0 && !carried { 0.8 } else { 0.0 };
        let mut link = Link::new(format!("link{i}"))
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .placed(Pose::new(twist, Vec3::new(reach, 0.0, 0.0)));
        if carried {
            link = link.at_section(0.8);
        }
        link =
            if own > 0 { link.beam(beam(own)) } else { link.body(0.9, [0.3, 0.02, -0.04], tensor) };
        if own > 0 && has_rigid_ends {
            link = link.body(0.7, [0.03, 0.01, 0.02], tensor);
            link = link.tip_body(0.5, [0.02, -0.03, 0.01], tensor);
        }
        builder = builder.link(link);
    }
    builder.build()
}

fn beam(modes: usize) -> Beam {
    let section = Section {
        ea: 1e6,
        ei_z: 60.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 1.2,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let mut shares = DMatrix::zeros(3 * modes, modes);
    for k in 0..modes {
        shares[(k, k)] = 1.0;
        shares[(modes + k, k)] = 0.6;
        shares[(2 * modes + k, k)] = 0.3;
    }
    let basis = Basis::ClampedFree(Ways::new(modes, modes, modes, 0));
    Beam { reduction: Some(shares), foreshortening: false, ..Beam::new(0.8, section, basis) }
}

/// Any state: the counts do not depend on it.
fn state<S: Scalar>(arm: &Arm) -> [Vec<S>; 4] {
    let wave = |phase: f64, n: usize| {
        (0..n).map(|k| S::from_f64(0.02 * (phase + k as f64).sin())).collect::<Vec<_>>()
    };
    [wave(0.1, arm.nq()), wave(0.2, arm.nv()), wave(0.3, arm.nv()), wave(0.4, arm.nv())]
}

/// An evaluation of any state, with all that it needs made before.
struct Trial<S> {
    arm: Arm<S>,
    work: algorithm::Workspace<S>,
    q: Vec<S>,
    u: Vec<S>,
    ud: Vec<S>,
    tau: Vec<S>,
    mass: Vec<S>,
}

impl<S: Scalar> Trial<S> {
    fn new(arm: &Arm, by: Algorithm) -> Result<Self, Unsupported> {
        let [q, u, ud, tau] = state(arm);
        let arm: Arm<S> = arm.cast();
        let mass = vec![S::ZERO; arm.nv() * arm.nv()];
        let work = algorithm::Workspace::new(by, &arm)?;
        Ok(Self { arm, work, q, u, ud, tau, mass })
    }

    /// Evaluates a quantity, and what came out.
    fn run(&mut self, quantity: CountedQuantity) -> [&[S]; 2] {
        let Self { arm, work, q, u, ud, tau, mass } = self;
        match quantity {
            CountedQuantity::InverseDynamics => {
                work.inverse_dynamics_into(arm, [q, u, ud], tau);
                [tau, &[]]
            }
            CountedQuantity::Mass => {
                work.mass_matrix_into(arm, q, mass);
                [mass, &[]]
            }
            CountedQuantity::MassAndBias => {
                work.mass_and_bias_into(arm, [q, u], mass, tau);
                [mass, tau]
            }
            CountedQuantity::ForwardDynamics => {
                work.forward_dynamics_into(arm, [q, u], tau, ud);
                [ud, &[]]
            }
        }
    }
}

/// The operations of one quantity by one algorithm, workspaces made before.
pub fn operations(
    arm: &Arm,
    by: Algorithm,
    quantity: CountedQuantity,
) -> Result<Counts, Unsupported> {
    let mut trial = Trial::<Counted>::new(arm, by)?;
    let ((), counts) = count(|| {
        trial.run(quantity);
    });
    Ok(counts)
}

/// How many operations of one quantity by one algorithm must follow one another. On as many
/// processors as it takes this is the time, of which King, section 5.4, says that recurrences by
/// doubling take the logarithm of the number of links.
pub fn chains(arm: &Arm, by: Algorithm, quantity: CountedQuantity) -> Result<Chains, Unsupported> {
    let mut trial = Trial::<Timed>::new(arm, by)?;
    let numbers = trial.run(quantity).into_iter().flatten();
    Ok(numbers.fold(Chains::default(), |all, number| all.longest(number.after)))
}

/// The operations of Gibbs-Appell with the paper's own small angles, step by step from 0, what it
/// does not count, to 10.
pub fn gibbs_appell_steps(arm: &Arm) -> Result<[Counts; 11], Unsupported> {
    let [q, u, mut right, tau] = state(arm);
    let arm: Arm<Counted> = arm.cast();
    let mut mass = vec![Counted(0.0); arm.nv() * arm.nv()];
    let mut work = gibbs_appell::Workspace::new(&arm, Rotation::Small)?;
    let mut state = StepData { q: &q, u: &u, tau: &tau, mass: &mut mass, right: &mut right };
    Ok(GibbsAppellStep::ALL.map(|step| count(|| work.take(step, &arm, &mut state)).1))
}
