//! The workspaces of an arm, made once and used by one thread at a time.

use pliant::arm::Arm;
use pliant::dynamics::{aba, coriolis, crba, derivatives, kinematics, passive, rnea};
use std::sync::{Mutex, PoisonError};

/// A workspace of each algorithm, made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Work {
    /// Zeros, one per velocity.
    pub(crate) rest: Vec<f64>,
    /// The numbers of one answer.
    pub(crate) answer: Vec<f64>,
    /// A copy of forces, one per velocity.
    pub(crate) tau: Vec<f64>,
    aba: Option<aba::Workspace>,
    rnea: Option<rnea::Workspace>,
    crba: Option<crba::Workspace>,
    kinematics: Option<kinematics::Workspace>,
    passive: Option<passive::Workspace>,
    coriolis: Option<coriolis::Workspace>,
    derivatives: Option<derivatives::Workspace>,
}

/// Names each workspace as a method that makes it when it is first asked for.
macro_rules! workspaces {
    ($($name:ident),*) => {$(
        pub(crate) fn $name(&mut self, arm: &Arm) -> &mut $name::Workspace {
            self.$name.get_or_insert_with(|| $name::Workspace::new(arm))
        }
    )*};
}

impl Work {
    fn new(arm: &Arm) -> Self {
        Self {
            rest: vec![0.0; arm.nv()],
            answer: Vec::new(),
            tau: vec![0.0; arm.nv()],
            aba: None,
            rnea: None,
            crba: None,
            kinematics: None,
            passive: None,
            coriolis: None,
            derivatives: None,
        }
    }

    workspaces!(rnea, crba, kinematics, passive, coriolis, derivatives);

    /// The copy of forces, and the workspace of the articulated-body recursion.
    pub(crate) fn aba_with_forces(&mut self, arm: &Arm) -> (&mut [f64], &mut aba::Workspace) {
        (&mut self.tau, self.aba.get_or_insert_with(|| aba::Workspace::new(arm)))
    }

    /// The workspaces of energies.
    pub(crate) fn energies(
        &mut self,
        arm: &Arm,
    ) -> (&mut kinematics::Workspace, &mut passive::Workspace) {
        (
            self.kinematics.get_or_insert_with(|| kinematics::Workspace::new(arm)),
            self.passive.get_or_insert_with(|| passive::Workspace::new(arm)),
        )
    }
}

/// Workspaces that nobody uses at present.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Box<Work>>>);

impl Pool {
    /// Lends a workspace to a computation.
    pub(crate) fn lend<T>(&self, arm: &Arm, compute: impl FnOnce(&mut Work) -> T) -> T {
        let mut work = self.free().pop().unwrap_or_else(|| Box::new(Work::new(arm)));
        let answer = compute(&mut work);
        self.free().push(work);
        answer
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Box<Work>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
