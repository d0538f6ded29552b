//! Boundary conditions and loads of an analysis.

use super::error::AnalysisError;
use crate::arm::Arm;
use crate::dynamics::loads::Load;

/// The boundary condition of a joint during an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JointCondition {
    /// It does not move: its brake is on, or its motor is much stiffer than the links.
    #[default]
    Locked,
    /// It moves, and a spring it may have is left out.
    Free,
    /// It moves against its spring.
    OnSpring,
}

/// Boundary conditions and loads; the default is locked joints and the arm's own weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// One per link; empty when all are locked. Whatever is said here, prescribed joints are locked,
    /// and hinges between the rigid pieces of a beam are on their springs. The link of an elastic
    /// joint is on the spring to its motor; what is said here is about the motor. Force elements act
    /// whatever is said here.
    pub joints: Vec<JointCondition>,
    /// External wrenches. In world axes they keep their direction whatever the arm does (dead
    /// loads), in the frame's own axes they follow it.
    pub loads: Vec<Load>,
    /// Velocities of prescribed joints that turn steadily (rad/s, m/s), `nv` numbers; empty at
    /// rest. The centrifugal forces then load the arm.
    pub velocities: Vec<f64>,
    /// Whether modes are taken about the configuration as it is given instead of about the
    /// equilibrium.
    pub as_given: bool,
}

impl Conditions {
    /// The same condition for all joints.
    pub fn all(arm: &Arm, hold: JointCondition) -> Self {
        Self { joints: vec![hold; arm.body_count()], ..Self::default() }
    }

    /// All joints move, those with springs on their springs.
    pub fn unlocked(arm: &Arm) -> Self {
        let hold = |link| {
            if arm.is_sprung(link) { JointCondition::OnSpring } else { JointCondition::Free }
        };
        Self { joints: (0..arm.body_count()).map(hold).collect(), ..Self::default() }
    }

    /// Checks them against an arm in a configuration.
    pub(super) fn check(&self, arm: &Arm, q: &[f64]) -> Result<(), AnalysisError> {
        arm.check_loads(q, &self.loads)?;
        let (given, needed) = (self.joints.len(), arm.body_count());
        if given != 0 && given != needed {
            return Err(AnalysisError::WrongConditionCount { given, needed });
        }
        for (link, hold) in self.joints.iter().enumerate() {
            let moves = !arm.velocities_of(link).is_empty() && !arm.is_prescribed(link);
            if *hold == JointCondition::OnSpring && moves && !arm.is_sprung(link) {
                return Err(AnalysisError::NoSpring { link: arm.link_names()[link].clone() });
            }
        }
        if !self.velocities.is_empty() {
            arm.check_velocities("the steady velocity", &self.velocities)?;
            if let Some(&v) = arm.free_velocities().iter().find(|&&v| self.velocities[v] != 0.0) {
                return Err(AnalysisError::NotPrescribed {
                    coordinate: arm.velocity_names()[v].clone(),
                    value: self.velocities[v],
                });
            }
        }
        Ok(())
    }

    /// What holds a link's joint.
    pub(super) fn hold(&self, arm: &Arm, link: usize) -> JointCondition {
        // who frees an elastic joint frees its motor
        let freed = |link: usize| self.joints.get(link) == Some(&JointCondition::Free);
        match self.joints.get(link) {
            _ if arm.is_hinge(link) || arm.rotor_of(link).is_some() => JointCondition::OnSpring,
            _ if arm.is_prescribed(link) => JointCondition::Locked,
            _ if arm.link_of_rotor(link).is_some_and(freed) => JointCondition::Free,
            Some(hold) => *hold,
            None => JointCondition::Locked,
        }
    }

    /// The steady velocities.
    pub(super) fn velocities(&self, arm: &Arm) -> Vec<f64> {
        if self.velocities.is_empty() { vec![0.0; arm.nv()] } else { self.velocities.clone() }
    }

    /// The velocity coordinates that move: all bending, hinges, the joints that are not locked, and
    /// the lengths of links that slide whose joints are not locked.
    pub(crate) fn moving(&self, arm: &Arm) -> Vec<usize> {
        let (mut moving, free) = (Vec::new(), arm.free_velocities());
        for link in 0..arm.body_count() {
            if self.hold(arm, link) != JointCondition::Locked {
                moving.extend(arm.velocities_of(link));
            }
            if self.joints.get(link).is_some_and(|hold| *hold != JointCondition::Locked) {
                moving.extend(arm.length_of(link).map(|(_, v)| v).filter(|v| free.contains(v)));
            }
            moving.extend(arm.bending_of(link).1);
        }
        moving
    }

    /// The arm without the springs of the joints that are free.
    pub(super) fn released(&self, arm: &Arm) -> Arm {
        let mut arm = arm.clone();
        let mut springs = std::mem::take(&mut arm.springs);
        springs.retain(|spring| self.hold(&arm, spring.body) != JointCondition::Free);
        arm.springs = springs;
        arm
    }
}
