//! Beams that slide, at the lengths they have now.

use crate::arm::{Arm, FlexibleBody};
use crate::scalar::Scalar;

/// The beams of an arm as the recursions see them: the arm's own, and copies at the current length
/// of those that slide.
#[derive(Clone, Debug)]
pub(super) struct CurrentLength<S> {
    /// One per beam, of those that slide.
    copies: Vec<Option<FlexibleBody<S>>>,
}

impl<S: Scalar> CurrentLength<S> {
    /// With the sections that carry something, or with all.
    pub(super) fn new(arm: &Arm<S>, everywhere: bool) -> Self {
        let copy = |bend: &FlexibleBody<S>| {
            let mut copy = bend.clone();
            for section in &mut copy.sections {
                section.sliding.take_if(|_| !section.carries && !everywhere);
            }
            copy
        };
        let of_sliding = |bend: &FlexibleBody<S>| bend.sliding.is_some().then(|| copy(bend));
        Self { copies: arm.flexible_bodies.iter().map(of_sliding).collect() }
    }

    /// Brings a beam to the length of its coordinates, if it slides.
    pub(super) fn set(&mut self, bend: usize, d: &[S]) {
        if let Some(copy) = &mut self.copies[bend] {
            copy.slide(d);
        }
    }

    /// A beam by its number.
    #[inline]
    pub(super) fn bend<'a>(&'a self, arm: &'a Arm<S>, bend: usize) -> &'a FlexibleBody<S> {
        self.copies[bend].as_ref().unwrap_or(&arm.flexible_bodies[bend])
    }
}
