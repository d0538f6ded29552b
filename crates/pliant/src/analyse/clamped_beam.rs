//! A beam alone, clamped at its root, in its own shapes: the counterpart of the textbook's
//! [`Cantilever`](super::Cantilever).

use super::conditions::Conditions;
use super::modes::Mode;
use super::rebuild::RebuildError;
use crate::arm::{Arm, Builder, CoordinateRole, Link};
use crate::beam::{Basis, Beam, Deformation, TipLoad};
use crate::dynamics::kinematics::{Axes, Workspace};
use crate::dynamics::loads::Load;
use crate::linear::{eigen, symmetric};
use crate::spatial::{Force, Pose, Vec3};
use nalgebra::{DMatrix, DVector};

/// The tip's frame.
const END: &str = "end";

/// A beam alone, clamped at its root and without rigid ends, with a rigid body on its tip: small
/// deformations in its own shapes, `K x = f` and `M ẍ + K x = 0`. Planes are 0 for bending along y,
/// 1 along z. Numbers that the shapes do not determine are `None`.
#[derive(Clone, Debug)]
pub struct ClampedBeam {
    arm: Arm,
    q: Vec<f64>,
    stiffness: DMatrix<f64>,
    mass: DMatrix<f64>,
    /// Six rows: how the tip moves and turns.
    tip: DMatrix<f64>,
}

/// The row of the tip's deflection along y or z.
fn along(plane: usize) -> usize {
    if plane == 0 { 1 } else { 2 }
}

/// The axis that sections turn about when they bend in a plane.
fn about(plane: usize) -> usize {
    if plane == 0 { 2 } else { 1 }
}

impl ClampedBeam {
    /// The flexible part of a beam with a free tip.
    pub fn new(beam: &Beam) -> Result<Self, RebuildError> {
        Self::loaded(beam, &TipLoad::default())
    }

    /// The flexible part of a beam with this on its tip.
    pub fn loaded(beam: &Beam, load: &TipLoad) -> Result<Self, RebuildError> {
        if let Basis::Pieces { pinned: true, .. } = beam.basis {
            return Err(RebuildError::PinnedRoot);
        }
        let own = Beam { root: Pose::IDENTITY, rigid_root: 0.0, rigid_tip: 0.0, ..beam.clone() };
        let length = own.length;
        let mut link = Link::new("beam").beam(own).section_frame(END, length, Pose::IDENTITY);
        let TipLoad { mass, offset, inertia: [x, y, z] } = *load;
        if mass > 0.0 || load.inertia != [0.0; 3] {
            // about the centre of mass
            let [y, z] = [y, z].map(|own| (own - mass * offset * offset).max(0.0));
            let tensor = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
            link = link.tip_body(mass, [offset, 0.0, 0.0], tensor);
        }
        let arm = Builder::new("alone").gravity([0.0; 3]).lenient().link(link).build()?;
        let q = arm.neutral();
        let stiffness = arm.tangent_stiffness(&q, &Conditions::default())?;
        let mass = arm.mass_matrix(&q)?;
        let mut tip = vec![0.0; 6 * arm.nv()];
        let frame = arm.frame(END)?;
        Workspace::new(&arm).place(&arm, &q).jacobian_into(frame, Axes::World, &mut tip);
        let tip = DMatrix::from_row_slice(6, arm.nv(), &tip);
        Ok(Self { arm, q, stiffness, mass, tip })
    }

    /// The tip deflection along y or z per force at the tip (m/N).
    pub fn tip_flexibility(&self, plane: usize) -> Option<f64> {
        self.flexibility(along(plane))
    }

    /// The twist of the tip about x per torque there (rad/(N m)).
    pub fn twist(&self) -> Option<f64> {
        self.flexibility(3)
    }

    /// The displacement of the tip along x per force there (m/N).
    pub fn stretch(&self) -> Option<f64> {
        self.flexibility(0)
    }

    /// The tip deflection (m) along y or z under its weight and its load's, for a gravity
    /// acceleration (m/s²) in that direction.
    pub fn sag(&self, plane: usize, gravity: f64) -> Option<f64> {
        let forces = self.under(plane, gravity).gravity_forces(&self.q).ok()?;
        Some(-self.tip.row(along(plane)).transpose().dot(&self.solve(&forces)?))
    }

    /// The bending moment at the root (N m) under this weight, without its sign.
    pub fn root_moment(&self, plane: usize, gravity: f64) -> Option<f64> {
        let forces = self.under(plane, gravity).internal_forces(&self.q).ok()?;
        let root = forces.first()?.cuts.first()?.force;
        Some(if plane == 0 { root.moment_z } else { root.moment_y }.abs())
    }

    /// The beam under gravity along y or z (m/s²).
    fn under(&self, plane: usize, gravity: f64) -> Arm {
        self.arm.clone().with_gravity(Vec3::AXES[along(plane)] * gravity)
    }

    /// The bending frequencies along y or z (rad/s), ascending, as many as there are shapes.
    pub fn bending_frequencies(&self, plane: usize) -> Vec<f64> {
        self.frequencies(about(plane))
    }

    /// The lowest frequency of twist (rad/s).
    pub fn twist_frequency(&self) -> Option<f64> {
        self.frequencies(0).first().copied()
    }

    /// The buckling load along y or z (N), a force on the tip along the beam toward its root:
    /// `det(K − P G) = 0` with the stiffness `G` that a unit load takes away. Only beams with
    /// foreshortening buckle.
    pub fn buckling_load(&self, plane: usize) -> Option<f64> {
        let frame = self.arm.frame(END).ok()?;
        let wrench = Force::new(Vec3::new(-1.0, 0.0, 0.0), Vec3::ZERO);
        let loads = vec![Load { frame, wrench, axes: Axes::World }];
        let conditions = Conditions { loads, ..Conditions::default() };
        let pushed = self.arm.tangent_stiffness(&self.q, &conditions).ok()?;
        let chosen = self.chosen(about(plane));
        let lost = symmetric(&part(&(&self.stiffness - pushed), &chosen));
        // the largest part of the stiffness that a unit load takes away
        let spectrum = eigen::solve(&lost, &part(&self.stiffness, &chosen)).ok()?;
        spectrum.values.last().filter(|part| **part > 0.0).map(|part| 1.0 / part)
    }

    /// How far the tip goes in a direction under a unit force in that direction.
    fn flexibility(&self, row: usize) -> Option<f64> {
        let force = self.tip.row(row).transpose();
        Some(force.dot(&self.solve(&force)?))
    }

    fn solve(&self, force: &DVector<f64>) -> Option<DVector<f64>> {
        self.stiffness.clone().lu().solve(force)
    }

    /// The coordinates that turn sections about an axis: hinges by what they do to the tip, shapes
    /// by their role.
    fn chosen(&self, axis: usize) -> Vec<usize> {
        if (0..self.arm.body_count()).any(|body| self.arm.is_hinge(body)) {
            let turns = |v: &usize| self.tip[(3 + axis, *v)].abs() > 0.5;
            return (0..self.arm.nv()).filter(turns).collect();
        }
        let way = [Deformation::Twist, Deformation::BendingZ, Deformation::BendingY][axis];
        let all = self.arm.velocity_coordinates().iter();
        all.filter(|own| own.role == CoordinateRole::Deformation(way))
            .map(|own| own.index)
            .collect()
    }

    /// The frequencies (rad/s) of turning about an axis, which is independent of the others in a
    /// straight link.
    fn frequencies(&self, axis: usize) -> Vec<f64> {
        let chosen = self.chosen(axis);
        let spectrum = eigen::solve(&part(&self.stiffness, &chosen), &part(&self.mass, &chosen));
        spectrum
            .map_or_else(|_| Vec::new(), |s| s.values.iter().map(|x| x.max(0.0).sqrt()).collect())
    }
}

/// The rows and columns of some coordinates.
fn part(whole: &DMatrix<f64>, chosen: &[usize]) -> DMatrix<f64> {
    whole.select_rows(chosen).select_columns(chosen)
}

impl Beam {
    /// The lowest natural frequency (rad/s) of the beam alone with its rigid ends, clamped at its
    /// root, without weight and payload. `None` for a beam that slides, which has one for each length,
    /// and for one with a pinned root.
    pub fn clamped_frequency(&self) -> Result<Option<f64>, RebuildError> {
        if self.slide.is_some() || matches!(self.basis, Basis::Pieces { pinned: true, .. }) {
            return Ok(None);
        }
        let alone = Builder::new("alone").gravity([0.0; 3]);
        let alone = alone.link(Link::new("beam").beam(self.clone())).build()?;
        let modes = alone.modes(&alone.neutral())?.modes;
        Ok(modes.first().map(Mode::frequency))
    }
}
