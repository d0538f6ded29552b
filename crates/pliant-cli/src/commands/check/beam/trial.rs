//! One link, clamped at its root: textbook against shapes.

use pliant::Help;
use pliant::analyse::{Cantilever, Conditions};
use pliant::arm::{Arm, Builder, CoordinateRole, Link};
use pliant::beam::{Basis, Beam, Deformation, ShapeLoad as Formed};
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::dynamics::loads::Load;
use pliant::linear::eigen;
use pliant::nalgebra::{DMatrix, DVector};
use pliant::spatial::{Force, Pose, Vec3};
use std::f64::consts::TAU;

/// The weight that links sag under (m/s²).
const GRAVITY: f64 = 9.81;
/// How many bending frequencies are looked at.
const FREQUENCIES: usize = 3;

/// A number that textbooks know.
pub(super) struct Trial {
    pub(super) name: String,
    pub(super) unit: &'static str,
    pub(super) textbook: f64,
    /// What the shapes give; nothing where there are too few.
    pub(super) computed: Option<f64>,
    /// Whether it counts for the verdict.
    pub(super) judged: bool,
}

impl Trial {
    /// How far the computed number is off, relative.
    pub(super) fn difference(&self) -> Option<f64> {
        Some(self.computed? / self.textbook - 1.0)
    }
}

/// The link alone, with its linear stiffness and its mass.
struct Alone {
    arm: Arm,
    q: Vec<f64>,
    stiffness: DMatrix<f64>,
    mass: DMatrix<f64>,
    /// Six rows: how the tip moves and turns.
    tip: DMatrix<f64>,
}

/// All trials of a beam.
pub(super) fn all(beam: &Beam) -> Result<Vec<Trial>, String> {
    if let Basis::Pieces { pinned: true, .. } = beam.basis {
        return Err("its root is pinned, but that of the cantilever is clamped".to_owned());
    }
    let alone = Alone::new(beam)?;
    let textbook = Cantilever::new(beam);
    let [y, z, twist, stretch] = beam.basis.ways().to_array().map(|n| n > 0);
    // shapes that a load has formed are not meant for the frequencies without it
    let loaded = match beam.basis {
        Basis::ClampedMass { load: Formed::Given(load), .. }
        | Basis::Eigenmodes { load: Formed::Given(load), .. } => load.mass > 0.0,
        _ => false,
    };
    let mut trials = Vec::new();
    let mut add = |name: String, unit, scale: f64, textbook: f64, computed: Option<f64>, judged| {
        let computed = computed.map(|x| scale * x).filter(|x| x.is_finite());
        trials.push(Trial { name, unit, textbook: scale * textbook, computed, judged });
    };
    let planes = [(0, "y", y), (1, "z", z)].into_iter().filter(|(_, _, on)| *on);
    for (plane, axis, _) in planes.clone() {
        let (name, row) = (format!("tip along {axis} under 1 N"), 1 + plane);
        add(name, "mm", 1e3, textbook.tip_flexibility(plane), alone.flexibility(row), true);
        let (name, sag) = (format!("tip along {axis} under its weight"), alone.sag(row));
        add(name, "mm", 1e3, GRAVITY * textbook.sag(plane), sag, true);
    }
    if twist {
        let name = "twist under 1 N m".to_owned();
        let degrees = 1.0_f64.to_degrees();
        add(name, "deg", degrees, textbook.twist(), alone.flexibility(3), true);
    }
    if stretch {
        let name = "stretch under 1 N".to_owned();
        add(name, "mm", 1e3, textbook.stretch(), alone.flexibility(0), true);
    }
    for (plane, axis, _) in planes.clone() {
        let computed = alone.frequencies(about(plane));
        let exact = textbook.bending_frequencies(plane, FREQUENCIES);
        for (k, exact) in exact.into_iter().enumerate() {
            let name = format!("bending along {axis}, frequency {}", k + 1);
            add(name, "Hz", 1.0 / TAU, exact, computed.get(k).copied(), k == 0 && !loaded);
        }
    }
    if let Some(exact) = textbook.twist_frequency().filter(|_| twist) {
        let computed = alone.frequencies(0).first().copied();
        add("twist, frequency 1".to_owned(), "Hz", 1.0 / TAU, exact, computed, !loaded);
    }
    if beam.foreshortening {
        for (plane, axis, _) in planes {
            if let Some(exact) = textbook.buckling_load(plane) {
                let name = format!("buckling along {axis}");
                add(name, "N", 1.0, exact, alone.buckling(about(plane)), true);
            }
        }
    }
    Ok(trials)
}

/// The axis that sections turn about when they bend in a plane.
fn about(plane: usize) -> usize {
    2 - plane
}

impl Alone {
    fn new(beam: &Beam) -> Result<Self, String> {
        let own = Beam { root: Pose::IDENTITY, rigid_root: 0.0, rigid_tip: 0.0, ..beam.clone() };
        let length = own.length;
        let link = Link::new("beam").beam(own).section_frame("end", length, Pose::IDENTITY);
        let arm = Builder::new("alone").gravity([0.0; 3]).link(link).build();
        let arm = arm.map_err(|error| error.with_help())?;
        let q = arm.neutral();
        let stiffness = arm.tangent_stiffness(&q, &Conditions::default());
        let stiffness = stiffness.map_err(|error| error.with_help())?;
        let mass = arm.mass_matrix(&q).map_err(|error| error.with_help())?;
        let frame = arm.frame("end").map_err(|error| error.with_help())?;
        let mut tip = vec![0.0; 6 * arm.nv()];
        Workspace::new(&arm).place(&arm, &q).jacobian_into(frame, Axes::World, &mut tip);
        let tip = DMatrix::from_row_slice(6, arm.nv(), &tip);
        Ok(Self { arm, q, stiffness, mass, tip })
    }

    /// How far the tip goes in a direction under a unit force in that direction.
    fn flexibility(&self, row: usize) -> Option<f64> {
        let force = self.tip.row(row).transpose();
        Some(force.dot(&self.solve(&force)?))
    }

    /// How far the tip goes in a direction when the weight points there (m).
    fn sag(&self, row: usize) -> Option<f64> {
        let down = Vec3::AXES[row] * GRAVITY;
        let heavy = self.arm.clone().with_gravity(down);
        let forces = heavy.gravity_forces(&self.q).ok()?;
        Some(-self.tip.row(row).transpose().dot(&self.solve(&forces)?))
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
        let part = |whole: &DMatrix<f64>| whole.select_rows(&chosen).select_columns(&chosen);
        let spectrum = eigen::solve(&part(&self.stiffness), &part(&self.mass));
        spectrum
            .map_or_else(|_| Vec::new(), |s| s.values.iter().map(|x| x.max(0.0).sqrt()).collect())
    }

    /// The load on the tip (N) that takes away the stiffness against turning about an axis.
    fn buckling(&self, axis: usize) -> Option<f64> {
        let frame = self.arm.frame("end").ok()?;
        let wrench = Force::new(Vec3::new(-1.0, 0.0, 0.0), Vec3::ZERO);
        let loads = vec![Load { frame, wrench, axes: Axes::World }];
        let conditions = Conditions { loads, ..Conditions::default() };
        let pushed = self.arm.tangent_stiffness(&self.q, &conditions).ok()?;
        let chosen = self.chosen(axis);
        let part = |whole: &DMatrix<f64>| whole.select_rows(&chosen).select_columns(&chosen);
        let lost = part(&(&self.stiffness - pushed));
        let lost = (&lost + lost.transpose()) * 0.5;
        // the largest part of the stiffness that a unit load takes away
        let spectrum = eigen::solve(&lost, &part(&self.stiffness)).ok()?;
        spectrum.values.last().filter(|part| **part > 0.0).map(|part| 1.0 / part)
    }
}
