//! How a planned frame is turned.

use super::Bench;
use crate::plan::{Path, PlanError, TipPath};
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::scenario::plan_description::{Passing, PlanAttitude, PlanDescription, PlanKind};
use crate::spatial::{Mat3, Pose, ROTATION_TOLERANCE, Vec3, roll_pitch_yaw, rotation_error};

impl Bench<'_> {
    /// The path of a frame with its attitude; the posture is one on the desired branch.
    pub(super) fn tip_path(
        &mut self,
        plan: &PlanDescription,
        (attitude, tip): (&PlanAttitude, &Path),
        (frame, posture): (usize, &[f64]),
    ) -> Option<TipPath> {
        let path = TipPath::new(tip.clone());
        match attitude {
            PlanAttitude::Any => Some(path),
            PlanAttitude::Initial => {
                // with an initial configuration, the posture chooses the branch only
                let is_given = !self.scenario.initial.is_empty();
                let q = if is_given { &self.diagram.q } else { posture };
                let pose = self.arm.pose(q, self.arm.frames()[frame].name());
                Some(path.keeping(pose.ok()?.rotation))
            }
            PlanAttitude::Given(given) => self.turning_path(plan, path, given),
        }
    }

    fn turning_path(
        &mut self,
        plan: &PlanDescription,
        path: TipPath,
        given: &[Mat3<f64>],
    ) -> Option<TipPath> {
        let place = FaultPlace::new("plan").key("attitudes");
        for (item, rotation) in given.iter().enumerate() {
            let error = rotation_error(rotation);
            // not a number is no rotation either
            if error.is_nan() || error > ROTATION_TOLERANCE {
                self.refuse(&place.item(item), ScenarioFaultKind::NotARotation { item, error });
                return None;
            }
        }
        let points = &plan.points;
        let kind = match (given, plan.passing) {
            ([one], _) => return Some(path.keeping(*one)),
            (several, Passing::Stop(scaling)) if several.len() == points.len() => {
                let pose = |(point, rotation): (&Vec<f64>, &Mat3<f64>)| {
                    Pose::new(*rotation, Vec3::new(point[0], point[1], point[2]))
                };
                let corners: Vec<Pose<f64>> = points.iter().zip(several).map(pose).collect();
                return TipPath::through(&corners, &plan.durations, scaling, plan.start).ok();
            }
            (several, _) if several.len() == points.len() => ScenarioFaultKind::TurnsWithoutStop,
            (several, _) => {
                ScenarioFaultKind::Attitudes { attitudes: several.len(), points: points.len() }
            }
        };
        self.refuse(&place, kind);
        None
    }

    /// Why a frame cannot follow its path, with the attitude that nobody gave and that it keeps.
    pub(super) fn with_kept_attitude(
        &self,
        error: PlanError,
        plan: &PlanDescription,
        (frame, posture): (usize, &[f64]),
    ) -> ScenarioFaultKind {
        let PlanKind::Line { attitude: PlanAttitude::Initial, near, .. } = &plan.kind else {
            return error.into();
        };
        let pose = self.arm.pose(posture, self.arm.frames()[frame].name()).ok();
        match pose.filter(|_| self.scenario.initial.is_empty()) {
            Some(pose) => {
                let configuration = if near.is_empty() { "neutral" } else { "near" };
                let rpy = roll_pitch_yaw(&pose.rotation);
                ScenarioFaultKind::KeptAttitude { error, configuration, rpy }
            }
            None => error.into(),
        }
    }
}
