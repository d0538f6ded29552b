//! Beams that slide, at the lengths they have now.

use crate::arm::{Arm, Bend};
use crate::scalar::Scalar;

/// The deformable parts of an arm as a recursion sees them: the arm's own, and copies at the present
/// length of those that slide.
#[derive(Clone, Debug)]
pub(super) struct Present<S> {
    /// One per deformable part where some slide, none otherwise.
    now: Vec<Option<Bend<S>>>,
}

impl<S> Default for Present<S> {
    fn default() -> Self {
        Self { now: Vec::new() }
    }
}

impl<S: Scalar> Present<S> {
    pub(super) fn new(arm: &Arm<S>) -> Self {
        if arm.bends.iter().all(|bend| bend.sliding.is_none()) {
            return Self::default();
        }
        let own = |bend: &Bend<S>| bend.sliding.is_some().then(|| bend.clone());
        Self { now: arm.bends.iter().map(own).collect() }
    }

    /// Takes the lengths of a configuration.
    #[inline]
    pub(super) fn set(&mut self, arm: &Arm<S>, q: &[S]) {
        if self.now.is_empty() {
            return;
        }
        for body in &arm.bodies {
            if let Some(bend) = body.bend.and_then(|bend| self.now[bend].as_mut()) {
                bend.slide(&q[body.bend_q()]);
            }
        }
    }

    /// A deformable part by its number.
    #[inline]
    pub(super) fn bend<'a>(&'a self, arm: &'a Arm<S>, bend: usize) -> &'a Bend<S> {
        self.now.get(bend).and_then(Option::as_ref).unwrap_or(&arm.bends[bend])
    }
}
