//! Forward kinematics of a frame, for rigid arms and for arms with static deflection.

use crate::analyse::{AnalysisError, Conditions};
use crate::arm::Arm;
use crate::dynamics::kinematics::{self, Axes};
use crate::spatial::Pose;
use nalgebra::DMatrix;

/// What a solver asks of an arm.
pub(super) struct Posture<'a> {
    pub(super) arm: &'a Arm,
    pub(super) frame: usize,
    /// The joints that move, as velocity coordinates.
    pub(super) moving: Vec<usize>,
    /// What bends, as velocity coordinates, and under which loads; nothing for rigid arms.
    sagging: Option<(Vec<usize>, Conditions)>,
    work: kinematics::Workspace,
    /// Row-major, 6 rows, all velocities.
    whole: Vec<f64>,
}

impl<'a> Posture<'a> {
    pub(super) fn new(
        arm: &'a Arm,
        frame: usize,
        moving: Vec<usize>,
        conditions: Option<Conditions>,
    ) -> Self {
        let elastic: Vec<usize> = (0..arm.body_count())
            .flat_map(|link| {
                let hinge = arm.is_hinge(link).then(|| arm.velocities_of(link));
                hinge.into_iter().flatten().chain(arm.bending_of(link).1)
            })
            .collect();
        Self {
            arm,
            frame,
            moving,
            sagging: conditions.filter(|_| !elastic.is_empty()).map(|c| (elastic, c)),
            work: kinematics::Workspace::new(arm),
            whole: vec![0.0; 6 * arm.nv()],
        }
    }

    /// Whether links bend under loads.
    pub(super) fn sags(&self) -> bool {
        self.sagging.is_some()
    }

    /// The pose of the frame and how the joints that move it do so, row-major 6 rows, world axes,
    /// after the links have come to rest, which moves `q`.
    pub(super) fn look(
        &mut self,
        q: &mut [f64],
        jacobian: &mut [f64],
    ) -> Result<Pose<f64>, AnalysisError> {
        if let Some((_, conditions)) = &self.sagging {
            q.copy_from_slice(&self.arm.static_equilibrium_under(q, conditions)?.q);
        }
        let placed = self.work.place(self.arm, q);
        let pose = placed.pose(self.frame);
        placed.jacobian_into(self.frame, Axes::World, &mut self.whole);
        let (all, count) = (self.arm.nv(), self.moving.len());
        for row in 0..6 {
            for (k, &v) in self.moving.iter().enumerate() {
                jacobian[row * count + k] = self.whole[row * all + v];
            }
        }
        if let Some((elastic, conditions)) = &self.sagging {
            let stiffness = self.arm.tangent_stiffness(q, conditions)?;
            let pick = |rows: &[usize], columns: &[usize]| {
                DMatrix::from_fn(rows.len(), columns.len(), |i, j| stiffness[(rows[i], columns[j])])
            };
            // the sag follows the joints: K_ee dδ = −K_ej dθ
            let follows = pick(elastic, elastic).lu().solve(&pick(elastic, &self.moving));
            if let Some(follows) = follows {
                for row in 0..6 {
                    for k in 0..count {
                        let sum: f64 = elastic
                            .iter()
                            .enumerate()
                            .map(|(i, &v)| self.whole[row * all + v] * follows[(i, k)])
                            .sum();
                        jacobian[row * count + k] -= sum;
                    }
                }
            }
        }
        Ok(pose)
    }

    /// The acceleration of the frame with these velocities and no accelerations, world axes.
    pub(super) fn bias(&mut self, q: &[f64], u: &[f64]) -> [f64; 6] {
        let rest = vec![0.0; self.arm.nv()];
        let moving = self.work.move_with(self.arm, q, u, &rest);
        moving.acceleration(self.frame, Axes::World).to_array()
    }
}
