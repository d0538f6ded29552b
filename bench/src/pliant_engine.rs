//! pliant as the engine under test: its calls that allocate nothing, on stored states.

use crate::chains::{Axis, Chain, State};
use crate::engine::{Engine, Error};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::dynamics::{aba, crba, derivatives, rnea};
use pliant::spatial::{Mat3, Pose};
use std::hint::black_box;
use std::time::Instant;

/// pliant, loaded with one chain.
pub(crate) struct Pliant {
    arm: Arm,
    states: Vec<State>,
    /// The state of the next call.
    next: usize,
    rnea: rnea::Workspace,
    crba: crba::Workspace,
    aba: aba::Workspace,
    derivatives: derivatives::Workspace,
    /// Where a call writes a vector.
    vector: Vec<f64>,
    /// Where a call writes matrices, at most three of them.
    matrices: Vec<f64>,
}

/// A chain as an arm.
pub(crate) fn arm_of(chain: &Chain) -> Result<Arm, Error> {
    let mut builder = Builder::new("chain").gravity([0.0, 0.0, -9.81]);
    for (i, link) in chain.links.iter().enumerate() {
        let axis = match link.axis {
            Axis::X => [1.0, 0.0, 0.0],
            Axis::Y => [0.0, 1.0, 0.0],
            Axis::Z => [0.0, 0.0, 1.0],
        };
        let placement = Pose::new(Mat3::from_rows(link.rotation), link.position.into());
        builder = builder.link(
            Link::new(format!("link{i}")).joint(Joint::revolute(axis)).placed(placement).body(
                link.mass,
                link.centre,
                link.inertia,
            ),
        );
    }
    Ok(builder.build()?)
}

impl Pliant {
    /// Builds the arm and the workspaces.
    pub(crate) fn new(chain: Chain) -> Result<Self, Error> {
        let arm = arm_of(&chain)?;
        Ok(Self {
            states: chain.states,
            next: 0,
            rnea: rnea::Workspace::new(&arm),
            crba: crba::Workspace::new(&arm),
            aba: aba::Workspace::new(&arm),
            derivatives: derivatives::Workspace::new(&arm),
            vector: vec![0.0; arm.nv()],
            matrices: vec![0.0; 3 * arm.nv() * arm.nv()],
            arm,
        })
    }
}

/// A call of pliant.
#[derive(Clone, Copy)]
enum Call {
    Rnea,
    Crba,
    Aba,
    RneaDerivatives,
    AbaDerivatives,
}

impl Call {
    fn named(name: &str) -> Result<Self, Error> {
        match name {
            "rnea" => Ok(Self::Rnea),
            "crba" => Ok(Self::Crba),
            "aba" => Ok(Self::Aba),
            "rnea_derivatives" => Ok(Self::RneaDerivatives),
            "aba_derivatives" => Ok(Self::AbaDerivatives),
            _ => Err(Error::UnknownCall(name.to_owned())),
        }
    }
}

impl Engine for Pliant {
    fn run(&mut self, call: &str, count: u32) -> Result<f64, Error> {
        let call = Call::named(call)?;
        // As on the peer's side, an eighth of the batch and one call run before the clock starts:
        // the processor's caches have served the other program in between.
        self.batch(call, count / 8 + 1);
        let start = Instant::now();
        self.batch(call, count);
        Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(count))
    }

    fn value(&mut self, call: &str) -> Result<Vec<f64>, Error> {
        let call = Call::named(call)?;
        let mut value = self.solve(call, 0).to_vec();
        if matches!(call, Call::Crba) {
            crba::mirror(&mut value, self.arm.nv());
        }
        Ok(value)
    }
}

impl Pliant {
    fn batch(&mut self, call: Call, count: u32) {
        for _ in 0..count {
            black_box(self.solve(call, self.next));
            self.next += 1;
            if self.next == self.states.len() {
                self.next = 0;
            }
        }
    }

    /// The result of a call at a state.
    #[inline]
    fn solve(&mut self, call: Call, state: usize) -> &[f64] {
        let n = self.arm.nv();
        let arm = &self.arm;
        let State { q, u, ud, tau } = &mut self.states[state];
        let [first, second, third] = three(&mut self.matrices, n * n);
        match call {
            Call::Rnea => rnea::rnea_into(arm, &mut self.rnea, q, u, ud, &mut self.vector),
            Call::Crba => crba::crba_into(arm, &mut self.crba, q, first),
            Call::Aba => aba::aba_into(arm, &mut self.aba, q, u, tau, &mut self.vector),
            Call::RneaDerivatives => {
                let work = &mut self.derivatives;
                derivatives::inverse_derivatives_into(work, q, u, ud, first, second);
                // the third is the mass matrix
                crba::crba_into(arm, &mut self.crba, q, third);
                crba::mirror(third, n);
            }
            Call::AbaDerivatives => {
                let (work, out) = (&mut self.derivatives, [first, second, third]);
                derivatives::forward_derivatives_into(work, q, u, tau, ud, out);
            }
        }
        match call {
            Call::Rnea | Call::Aba => &self.vector,
            Call::Crba => &self.matrices[..n * n],
            Call::RneaDerivatives | Call::AbaDerivatives => &self.matrices,
        }
    }
}

/// A buffer as three of equal length.
fn three(buffer: &mut [f64], length: usize) -> [&mut [f64]; 3] {
    let (first, rest) = buffer.split_at_mut(length);
    let (second, third) = rest.split_at_mut(length);
    [first, second, third]
}
