//! What can be traced: each quantity with its inputs and outputs, for every scalar type.

use crate::arm::Arm;
use crate::dynamics::energy::{Energies, Momenta, MovingMatter, energies, momenta, spread};
use crate::dynamics::kinematics::Axes;
use crate::dynamics::{aba, crba, derivatives, kinematics, passive, rnea, terms};
use crate::scalar::Scalar;
use crate::spatial::{Pose, Vec3};

/// A function of the state of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Accelerations from forces, by the articulated-body algorithm: `q`, `u`, `tau` to `ud`. With
    /// prescribed coordinates also `ud` in, of which theirs are read, and `tau` out, with the forces
    /// that keep their motion.
    ForwardDynamics,
    /// Forces from accelerations, by the recursive Newton-Euler algorithm: `q`, `u`, `ud` to `tau`.
    InverseDynamics,
    /// The mass matrix, row-major `nv × nv`, by the composite-rigid-body algorithm: `q` to `mass`.
    MassMatrix,
    /// Mass matrix and all forces but those of accelerations: `q`, `u` to `mass`, `bias`.
    MassMatrixAndBias,
    /// The equation of motion term by term: `q`, `u` to `mass`, `coriolis`, `gravity`, `elastic`,
    /// `damping`.
    Terms,
    /// The poses of all frames, each as rotation matrix, row-major, and position: `q` to `poses`.
    Kinematics,
    /// The Jacobian of a frame, row-major `6 × nv`, velocity above angular velocity, world axes:
    /// `q` to `jacobian`.
    Jacobian {
        /// The number of the frame.
        frame: usize,
    },
    /// The slopes of forward dynamics, row-major `nv × nv` each: `q`, `u`, `tau` (and `ud` with
    /// prescribed coordinates) to `ud_by_q`, `ud_by_u`, `ud_by_tau`.
    ForwardDerivatives,
    /// The slopes of inverse dynamics, row-major `nv × nv` each: `q`, `u`, `ud` to `tau_by_q`,
    /// `tau_by_u`.
    InverseDerivatives,
    /// The rates of the configuration: `q`, `u` to `qd`.
    ConfigurationRate,
    /// The power of dampers, friction, the damping of beams and other forces that have no energy
    /// (W), negative where they take it: `q`, `u` to `power`.
    DampingPower,
    /// What a run follows of a motion: `q`, `u` to `energies`, kinetic, potential and elastic (J);
    /// `momenta`, linear and angular about the world's origin, world axes; `spread`, `∫ r² dm` about
    /// that origin; and `matter`, of each body its mass, first moment and linear momentum, body frame.
    EnergiesAndMomenta,
}

/// Numbers that belong together, among the inputs or outputs of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// What they are: `q`, `u`, `ud`, `tau`, …, `parameters`.
    pub name: &'static str,
    /// How many they are.
    pub len: usize,
}

/// The recursions of a quantity with their workspaces, for any scalar type.
#[derive(Clone, Debug)]
pub(super) struct Recursions<S: Scalar> {
    arm: Arm<S>,
    work: Work<S>,
}

#[derive(Clone, Debug)]
enum Work<S: Scalar> {
    /// With room for the forces, which come back at prescribed coordinates.
    Forward(Box<aba::Workspace<S>>, Vec<S>),
    Inverse(Box<rnea::Workspace<S>>),
    Mass(Box<crba::Workspace<S>>),
    MassAndBias(Box<(crba::Workspace<S>, rnea::Workspace<S>)>),
    Terms(Box<(crba::Workspace<S>, rnea::Workspace<S>, passive::Workspace<S>)>),
    Kinematics(Box<kinematics::Workspace<S>>),
    Jacobian(Box<kinematics::Workspace<S>>, usize),
    /// With accelerations of zero.
    ForwardSlopes(Box<derivatives::Workspace<S>>, Vec<S>),
    InverseSlopes(Box<derivatives::Workspace<S>>),
    Rate,
    Damping(Box<passive::Workspace<S>>),
    /// With accelerations of zero.
    Motion(Box<(kinematics::Workspace<S>, passive::Workspace<S>)>, Vec<S>),
}

impl Quantity {
    /// What it reads, in this order.
    pub fn inputs<S: Scalar>(self, arm: &Arm<S>) -> Vec<Port> {
        let names: &[&str] = match self {
            Self::ForwardDynamics | Self::ForwardDerivatives if has_prescribed(arm) => {
                &["q", "u", "tau", "ud"]
            }
            Self::ForwardDynamics | Self::ForwardDerivatives => &["q", "u", "tau"],
            Self::InverseDynamics | Self::InverseDerivatives => &["q", "u", "ud"],
            Self::MassMatrixAndBias
            | Self::Terms
            | Self::ConfigurationRate
            | Self::DampingPower
            | Self::EnergiesAndMomenta => &["q", "u"],
            Self::MassMatrix | Self::Kinematics | Self::Jacobian { .. } => &["q"],
        };
        let len = |name| if name == "q" { arm.nq() } else { arm.nv() };
        names.iter().map(|&name| Port { name, len: len(name) }).collect()
    }

    /// The same with so many parameters behind it, if there are parameters.
    pub(super) fn inputs_with<S: Scalar>(
        self,
        arm: &Arm<S>,
        parameters: Option<usize>,
    ) -> Vec<Port> {
        let parameters = parameters.map(|len| Port { name: "parameters", len });
        self.inputs(arm).into_iter().chain(parameters).collect()
    }

    /// What it writes, in this order.
    pub fn outputs<S: Scalar>(self, arm: &Arm<S>) -> Vec<Port> {
        let (nq, nv, frames) = (arm.nq(), arm.nv(), arm.frames().len());
        let blocks: &[(&'static str, usize)] = match self {
            Self::ForwardDynamics if has_prescribed(arm) => &[("ud", nv), ("tau", nv)],
            Self::ForwardDynamics => &[("ud", nv)],
            Self::InverseDynamics => &[("tau", nv)],
            Self::MassMatrix => &[("mass", nv * nv)],
            Self::MassMatrixAndBias => &[("mass", nv * nv), ("bias", nv)],
            Self::Terms => &[
                ("mass", nv * nv),
                ("coriolis", nv),
                ("gravity", nv),
                ("elastic", nv),
                ("damping", nv),
            ],
            Self::Kinematics => &[("poses", 12 * frames)],
            Self::Jacobian { .. } => &[("jacobian", 6 * nv)],
            Self::ForwardDerivatives => {
                &[("ud_by_q", nv * nv), ("ud_by_u", nv * nv), ("ud_by_tau", nv * nv)]
            }
            Self::InverseDerivatives => &[("tau_by_q", nv * nv), ("tau_by_u", nv * nv)],
            Self::ConfigurationRate => &[("qd", nq)],
            Self::DampingPower => &[("power", 1)],
            Self::EnergiesAndMomenta => {
                let matter = MovingMatter::<S>::LEN * arm.body_count();
                &[("energies", 3), ("momenta", 6), ("spread", 1), ("matter", matter)]
            }
        };
        blocks.iter().map(|&(name, len)| Port { name, len }).collect()
    }
}

fn has_prescribed<S: Scalar>(arm: &Arm<S>) -> bool {
    !arm.topology.prescribed.is_empty()
}

impl<S: Scalar> Recursions<S> {
    pub(super) fn new(arm: Arm<S>, quantity: Quantity) -> Self {
        let work = match quantity {
            Quantity::ForwardDynamics => {
                Work::Forward(Box::new(aba::Workspace::new(&arm)), vec![S::ZERO; arm.nv()])
            }
            Quantity::InverseDynamics => Work::Inverse(Box::new(rnea::Workspace::new(&arm))),
            Quantity::MassMatrix => Work::Mass(Box::new(crba::Workspace::new(&arm))),
            Quantity::MassMatrixAndBias => {
                let work = (crba::Workspace::new(&arm), rnea::Workspace::new(&arm));
                Work::MassAndBias(Box::new(work))
            }
            Quantity::Terms => Work::Terms(Box::new((
                crba::Workspace::new(&arm),
                rnea::Workspace::new(&arm),
                passive::Workspace::new(&arm),
            ))),
            Quantity::Kinematics => Work::Kinematics(Box::new(kinematics::Workspace::new(&arm))),
            Quantity::Jacobian { frame } => {
                Work::Jacobian(Box::new(kinematics::Workspace::new(&arm)), frame)
            }
            Quantity::ForwardDerivatives => {
                let still = vec![S::ZERO; arm.nv()];
                Work::ForwardSlopes(Box::new(derivatives::Workspace::new(&arm)), still)
            }
            Quantity::InverseDerivatives => {
                Work::InverseSlopes(Box::new(derivatives::Workspace::new(&arm)))
            }
            Quantity::ConfigurationRate => Work::Rate,
            Quantity::DampingPower => Work::Damping(Box::new(passive::Workspace::new(&arm))),
            Quantity::EnergiesAndMomenta => {
                let work = (kinematics::Workspace::new(&arm), passive::Workspace::new(&arm));
                Work::Motion(Box::new(work), vec![S::ZERO; arm.nv()])
            }
        };
        Self { arm, work }
    }

    pub(super) fn arm(&self) -> &Arm<S> {
        &self.arm
    }

    /// All outputs from all inputs, block after block.
    pub(super) fn run(&mut self, inputs: &[S], outputs: &mut [S]) {
        let Self { arm, work } = self;
        let (q, rest) = inputs.split_at(arm.nq());
        let n = arm.nv();
        let (u, last) = rest.split_at(n.min(rest.len()));
        match work {
            Work::Forward(work, forces) => {
                forces.copy_from_slice(&last[..n]);
                let (ud, tau) = outputs.split_at_mut(n);
                if has_prescribed(arm) {
                    ud.copy_from_slice(&last[n..]);
                }
                aba::aba_into(arm, work, q, u, forces, ud);
                tau.copy_from_slice(&forces[..tau.len()]);
            }
            Work::Inverse(work) => rnea::rnea_into(arm, work, q, u, last, outputs),
            Work::Mass(work) => mass_into(arm, work, q, outputs),
            Work::MassAndBias(work) => {
                let (mass, bias) = outputs.split_at_mut(n * n);
                mass_into(arm, &mut work.0, q, mass);
                terms::bias_into(arm, &mut work.1, q, u, bias);
            }
            Work::Terms(work) => {
                let (crba, rnea, passive) = &mut **work;
                let (mass, forces) = outputs.split_at_mut(n * n);
                let [coriolis, gravity, elastic, damping] = parts(forces, n);
                mass_into(arm, crba, q, mass);
                terms::coriolis_into(arm, rnea, q, u, coriolis);
                terms::gravity_into(arm, rnea, q, gravity);
                terms::elastic_into(arm, passive, q, elastic);
                terms::damping_into(arm, passive, q, u, damping);
            }
            Work::Kinematics(work) => {
                let placed = work.place(arm, q);
                for (frame, out) in outputs.chunks_exact_mut(12).enumerate() {
                    let Pose { rotation, position } = placed.pose(frame);
                    let [x, y, z] = rotation.columns.map(Vec3::to_array);
                    for row in 0..3 {
                        out[3 * row..3 * row + 3].copy_from_slice(&[x[row], y[row], z[row]]);
                    }
                    out[9..].copy_from_slice(&position.to_array());
                }
            }
            Work::Jacobian(work, frame) => {
                work.place(arm, q).jacobian_into(*frame, Axes::World, outputs);
            }
            Work::ForwardSlopes(work, still) => {
                let (tau, known) = last.split_at(n);
                let ud = if known.is_empty() { &still[..] } else { known };
                let slopes = parts(outputs, n * n);
                derivatives::forward_derivatives_into(work, q, u, tau, ud, slopes);
            }
            Work::InverseSlopes(work) => {
                let (by_q, by_u) = outputs.split_at_mut(n * n);
                derivatives::inverse_derivatives_into(work, q, u, last, by_q, by_u);
            }
            Work::Rate => arm.rate_into(q, u, outputs),
            Work::Damping(work) => outputs[0] = work.power(arm, q, u),
            Work::Motion(work, still) => {
                let (frames, passive) = &mut **work;
                let moving = frames.move_with(arm, q, u, still);
                let Energies { kinetic, potential, elastic } =
                    energies(arm, passive, &moving, q, u);
                let Momenta { linear, angular } = momenta(arm, &moving);
                outputs[..3].copy_from_slice(&[kinetic, potential, elastic]);
                outputs[3..6].copy_from_slice(&linear.to_array());
                outputs[6..9].copy_from_slice(&angular.to_array());
                outputs[9] = spread(arm, &moving);
                for (body, out) in
                    outputs[10..].chunks_exact_mut(MovingMatter::<S>::LEN).enumerate()
                {
                    out.copy_from_slice(&MovingMatter::of(arm, &moving, body).to_array());
                }
            }
        }
    }
}

fn mass_into<S: Scalar>(arm: &Arm<S>, work: &mut crba::Workspace<S>, q: &[S], mass: &mut [S]) {
    crba::crba_into(arm, work, q, mass);
    crba::mirror(mass, arm.nv());
}

/// Parts of equal length.
fn parts<S, const N: usize>(mut whole: &mut [S], len: usize) -> [&mut [S]; N] {
    std::array::from_fn(|_| {
        let (part, rest) = std::mem::take(&mut whole).split_at_mut(len);
        whole = rest;
        part
    })
}
