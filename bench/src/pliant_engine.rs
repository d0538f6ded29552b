//! pliant as the engine under test: its calls that allocate nothing, on stored states.

use crate::chains::{Axis, Chain, State};
use crate::engine::{Engine, Error};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::dynamics::{aba, crba, rnea};
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
    /// Where a call writes a vector.
    vector: Vec<f64>,
    /// Where a call writes a matrix.
    matrix: Vec<f64>,
}

impl Pliant {
    /// Builds the arm and the workspaces.
    pub(crate) fn new(chain: Chain) -> Result<Self, Error> {
        let mut builder = Builder::new("chain").gravity([0.0, 0.0, -9.81]);
        for (i, link) in chain.links.iter().enumerate() {
            let axis = match link.axis {
                Axis::X => [1.0, 0.0, 0.0],
                Axis::Y => [0.0, 1.0, 0.0],
                Axis::Z => [0.0, 0.0, 1.0],
            };
            let placement = Pose::new(Mat3::from_rows(link.rotation), link.position.into());
            builder = builder.link(
                Link::new(format!("link{i}"))
                    .joint(Joint::revolute(axis))
                    .placed(placement)
                    .body(link.mass, link.centre, link.inertia),
            );
        }
        let arm = builder.build()?;
        Ok(Self {
            states: chain.states,
            next: 0,
            rnea: rnea::Workspace::new(&arm),
            crba: crba::Workspace::new(&arm),
            aba: aba::Workspace::new(&arm),
            vector: vec![0.0; arm.nv()],
            matrix: vec![0.0; arm.nv() * arm.nv()],
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
}

impl Call {
    fn named(name: &str) -> Result<Self, Error> {
        match name {
            "rnea" => Ok(Self::Rnea),
            "crba" => Ok(Self::Crba),
            "aba" => Ok(Self::Aba),
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
        Ok(self.solve(Call::named(call)?, 0).to_vec())
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
        let Self {
            arm,
            vector,
            matrix,
            ..
        } = self;
        let State { q, u, ud, tau } = &mut self.states[state];
        match call {
            Call::Rnea => {
                rnea::rnea_into(arm, &mut self.rnea, q, u, ud, vector);
                vector
            }
            Call::Crba => {
                crba::crba_into(arm, &mut self.crba, q, matrix);
                matrix
            }
            Call::Aba => {
                aba::aba_into(arm, &mut self.aba, q, u, tau, vector);
                vector
            }
        }
    }
}
