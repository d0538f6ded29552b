//! What there is to tell about an arm in a posture.

use super::posture::joint_name;
use super::stress::{self, LinkStress};
use crate::output::Failure;
use pliant::Help;
use pliant::analyse::{AnalysisError, Conditions, Deflection, JointCondition, Modes};
use pliant::arm::{Arm, Builder};
use pliant::beam::{Basis, Beam};

pub(super) struct Findings<'a> {
    pub(super) arm: &'a Arm,
    pub(super) description: &'a Builder,
    pub(super) conditions: &'a Conditions,
    pub(super) modes: Modes,
    /// How far the tips of bending links are from where straight links would have them.
    pub(super) deflections: Vec<(&'a str, Deflection)>,
    /// The relative error of each frequency; or why it is unknown.
    pub(super) errors: Option<Result<Vec<f64>, String>>,
    pub(super) stress: Option<Vec<LinkStress>>,
    pub(super) bandwidth: Option<f64>,
}

/// Whether a body is on a spring whatever is said: a hinge of a beam, or the link of an elastic
/// joint.
fn on_spring(arm: &Arm, link: usize) -> bool {
    arm.is_hinge(link) || arm.rotor_of(link).is_some()
}

impl<'a> Findings<'a> {
    pub(super) fn new(
        arm: &'a Arm,
        description: &'a Builder,
        q: &[f64],
        conditions: &'a Conditions,
    ) -> Result<Self, Failure> {
        let modes = arm.modes_under(q, conditions).map_err(|error| refused(&error))?;
        if modes.modes.is_empty() {
            return Err(Failure::input(
                format!(
                    "there is nothing to vibrate: no link of {} bends, and all joints are locked",
                    arm.name()
                ),
                "let joints move, --free all or --spring all; or let links bend, with a length, a section, a material and bends = { y = 2, z = 2 } (pliant new flexible shows how)",
            ));
        }
        let mut deflections = Vec::new();
        for (name, _) in description.beams() {
            let Some(tip) = arm.tip_of(name) else { continue };
            let deflection = arm.deflection(tip, q, &modes.q).map_err(|error| refused(&error))?;
            deflections.push((name, deflection));
        }
        let (errors, stress, bandwidth) = (None, None, None);
        Ok(Self { arm, description, conditions, modes, deflections, errors, stress, bandwidth })
    }

    /// The links that bend, as described.
    pub(super) fn bending(&self) -> impl Iterator<Item = (&'a str, &'a Beam)> {
        self.description.beams()
    }

    /// Solves again with many elements in every bending link.
    pub(super) fn refine(&mut self, q: &[f64]) {
        if self.bending().next().is_none() {
            return;
        }
        let errors = self.modes.convergence(self.arm, self.description, q, self.conditions);
        self.errors = Some(errors.map_err(|error| error.with_help()));
    }

    /// The forces inside the links, and their sizes; `begin` is told which link is next.
    pub(super) fn stress(
        &mut self,
        bandwidth: Option<f64>,
        begin: impl Fn(&str),
    ) -> Result<(), Failure> {
        let beams: Vec<_> = self.bending().collect();
        if beams.is_empty() {
            return Err(Failure::input(
                format!(
                    "--stress: no link of {} bends, so none has a section to bear stress",
                    self.arm.name()
                ),
                "give links a length, a section, a material and bends (pliant new flexible shows how)",
            ));
        }
        let pieces = |beam: &Beam| matches!(beam.basis, Basis::Pieces { .. });
        if let Some((name, _)) = beams.iter().find(|(_, beam)| pieces(beam)) {
            return Err(Failure::input(
                format!(
                    "--stress: link {name} is made of rigid pieces, inside of which there is no stress"
                ),
                "use shapes = \"elements\" or modes for stresses",
            ));
        }
        let found = stress::find(self, bandwidth, begin);
        self.stress = Some(found.map_err(|error| refused(&error))?);
        self.bandwidth = bandwidth;
        Ok(())
    }

    /// The joints that are held in a way, by name.
    pub(super) fn held(&self, hold: JointCondition) -> Vec<&str> {
        let links = (0..self.arm.body_count())
            .filter(|&link| self.conditions.joints[link] == hold && !on_spring(self.arm, link));
        links.filter_map(|link| joint_name(self.arm, link)).collect()
    }
}

/// An analysis that has no answer, as an error with a remedy.
pub(in crate::commands) fn refused(error: &AnalysisError) -> Failure {
    let help =
        error.help().unwrap_or_else(|| "change the posture, the loads or the arm file".into());
    let help = match error {
        AnalysisError::Unconstrained { .. } => {
            format!("{help}; or change the posture with --at, or use --no-gravity")
        }
        AnalysisError::NotConverged { .. } => {
            "start nearer to the answer, lower the loads, or use --no-gravity; or divide the links that bend far, bends = { y = true, shapes = \"elements\", elements = 1, segments = 8 }".to_owned()
        }
        AnalysisError::LockedInput { .. } => {
            "leave its joint out of --lock, or take another input".to_owned()
        }
        AnalysisError::NoSpring { .. } => "write spring = … in its joint, or use --free".to_owned(),
        _ => help,
    };
    Failure::input(error.to_string(), help)
}
