//! Deflections of frames.

use super::error::AnalysisError;
use crate::arm::Arm;
use crate::dynamics::kinematics::{Placed, Workspace};
use crate::spatial::Vec3;

/// How far a frame is from where undeformed links have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deflection {
    /// By all links and joints together, world axes (m).
    pub world: Vec3<f64>,
    /// By its own link, relative to the frame of that link, link axes (m).
    pub own: Vec3<f64>,
}

impl Arm<f64> {
    /// The deflection of a frame, by index, in the configuration `rest`, relative to the
    /// configuration `q` with undeformed links; of `q`, only joints and lengths count. Where joints
    /// are on springs, `world` contains their displacement from `q` too.
    ///
    /// ```
    /// use pliant::arm::{Builder, Link};
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Section, Ways};
    /// use pliant::spatial::Pose;
    /// let material = Material::named("steel").expect("known");
    /// let outline = CrossSection::Round { diameter: 0.02 };
    /// let basis = Basis::Hermite { elements: 4, ways: Ways::new(true, true, false, false) };
    /// let beam = Beam::new(1.0, Matter::Made { outline, material }, basis);
    /// let Section { ei_y, rho_a, .. } = beam.profile.section_at(0.0);
    /// let rod = Link::new("rod").beam(beam).section_frame("end", 1.0, Pose::IDENTITY);
    /// let arm = Builder::new("rod").link(rod).build()?;
    /// let rest = arm.static_equilibrium(&arm.neutral())?;
    /// let end = arm.deflection(arm.frame("end")?, &arm.neutral(), &rest.q)?;
    /// let textbook = rho_a * 9.81 / (8.0 * ei_y); // ρA g L⁴/8EI with L = 1 m
    /// assert!((end.world.z / -textbook - 1.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deflection(
        &self,
        frame: usize,
        q: &[f64],
        rest: &[f64],
    ) -> Result<Deflection, AnalysisError> {
        self.check_configuration(q)?;
        self.check_configuration(rest)?;
        let count = self.frames().len();
        let no_frame = || AnalysisError::NoSuch { what: "frame", given: frame, count };
        let link = self.frames().get(frame).ok_or_else(no_frame)?.link();
        let root = self.frame(link).map_err(|_| no_frame())?;
        let (mut undeformed, neutral) = (q.to_vec(), self.neutral());
        for link in 0..self.body_count() {
            let deforming = self.deforming_of(link);
            undeformed[deforming.clone()].copy_from_slice(&neutral[deforming]);
        }
        let [mut before, mut after] = [(); 2].map(|()| Workspace::new(self));
        let before = before.place(self, &undeformed);
        let after = after.place(self, rest);
        let own = |placed: &Placed<'_, f64>| {
            placed.pose(root).inverse().then(&placed.pose(frame)).position
        };
        Ok(Deflection {
            world: after.pose(frame).position - before.pose(frame).position,
            own: own(&after) - own(&before),
        })
    }
}
