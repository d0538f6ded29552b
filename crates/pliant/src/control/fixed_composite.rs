//! Composite control with gains that stay as they are: what sources can hold.

use super::composite::Composite;
use super::law::{ControlContext, ControlError, ControlLaw as _};
use super::model::Model;
use crate::simulate::Signal;
use nalgebra::DMatrix;

/// The numbers of composite control whose gains are those of one posture.
#[derive(Clone, Debug)]
pub(crate) struct FixedComposite {
    /// `K_p` of each joint (1/s²).
    pub(crate) stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub(crate) damping: Vec<f64>,
    /// The points of the joints that are led by their pseudolinks.
    pub(crate) frames: Vec<Option<usize>>,
    /// `G`, as [`Composite`] has it; none where nothing bends.
    pub(crate) gain: Option<DMatrix<f64>>,
    /// The time between two sets of gains of the law itself (s), and whether they are those of the
    /// plan.
    pub(crate) period: f64,
    pub(crate) scheduled: bool,
    /// What `det(H₂₂ − H₂₁F)/det H₂₂` is in parts of, and what it must then be at least.
    pub(crate) large: f64,
    pub(crate) guard: f64,
    /// `K` and `D` of what bends.
    pub(crate) passive: [DMatrix<f64>; 2],
}

impl Composite {
    /// With the gains of where the plan begins, at rest, as they are at the first tick of a run that
    /// begins there.
    pub(crate) fn fixed(
        &self,
        model: &Model,
        trajectory: &[Signal],
    ) -> Result<FixedComposite, ControlError> {
        let (mut law, mut model) = (self.clone(), model.clone());
        law.start();
        law.prepare(Some(&model));
        model.set_time(0.0);
        let (t, since) = (0.0, None);
        let now =
            ControlContext { t, since, q: &[], u: &[], reference: &[], trajectory, limits: &[] };
        let bends = !model.flexible().is_empty();
        let gain = bends.then(|| law.planned_gain(&now, &mut model, 0)).transpose()?;
        Ok(FixedComposite {
            stiffness: law.stiffness.clone(),
            damping: law.damping.clone(),
            frames: law.pseudolinks.frames.clone(),
            gain,
            period: law.period,
            scheduled: law.scheduled,
            large: law.large_elsewhere(&mut model),
            guard: law.guard,
            passive: model.passive().clone(),
        })
    }
}
