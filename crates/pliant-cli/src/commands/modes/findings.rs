//! What there is to tell about an arm in a posture.

use super::posture::joint_name;
use super::stress::{self, LinkStress};
use crate::output::Failure;
use pliant::Help;
use pliant::analyse::{AnalysisError, Conditions, JointCondition, Mode, Modes};
use pliant::arm::{Arm, Builder, CoordinateRole, Link};
use pliant::beam::{Basis, Beam, Deformation};
use pliant::dynamics::kinematics::Workspace;

/// A mode that moves by less than this, relative, when shapes are added stands still.
pub(super) const CONVERGED: f64 = 0.01;

/// Modes whose parts are more alike than this may be the same; round links mix y and z at will.
const ALIKE: f64 = 0.6;

pub(super) struct Findings<'a> {
    pub(super) arm: &'a Arm,
    pub(super) description: &'a Builder,
    pub(super) conditions: &'a Conditions,
    pub(super) modes: Modes,
    /// How far the tips of bending links are from where straight links would have them.
    pub(super) sags: Vec<Sag>,
    /// How each frequency moves, relative, with one shape or element more; or why it is unknown.
    pub(super) changes: Option<Result<Vec<f64>, String>>,
    pub(super) stress: Option<Vec<LinkStress>>,
    pub(super) bandwidth: Option<f64>,
}

/// How far the tip of a link is from where straight links would have it.
pub(super) struct Sag {
    pub(super) link: String,
    /// All links together, world axes (m).
    pub(super) world: [f64; 3],
    /// The link alone, against its own root, link axes (m).
    pub(super) own: [f64; 3],
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
        let moves = (0..arm.body_count()).any(|link| {
            let free = conditions.joints[link] != JointCondition::Locked || on_spring(arm, link);
            !arm.bending_of(link).1.is_empty() || (free && !arm.velocities_of(link).is_empty())
        });
        if !moves {
            return Err(Failure::input(
                format!(
                    "there is nothing to vibrate: no link of {} bends, and all joints are locked",
                    arm.name()
                ),
                "let joints move, --free all or --spring all; or let links bend, with a length, a section, a material and bends = { y = 2, z = 2 } (pliant new flexible shows how)",
            ));
        }
        let modes = arm.modes_under(q, conditions).map_err(|error| refused(&error))?;
        let mut found = Self {
            arm,
            description,
            conditions,
            sags: Vec::new(),
            modes,
            changes: None,
            stress: None,
            bandwidth: None,
        };
        found.sags = found.deflections(q);
        Ok(found)
    }

    /// The steady velocities.
    pub(super) fn velocities(&self) -> Vec<f64> {
        self.conditions.velocities.clone()
    }

    /// The links that bend, as described.
    pub(super) fn bending(&self) -> impl Iterator<Item = (&'a str, &'a Beam)> {
        let links = self.description.parts().links.iter().map(Link::parts);
        links.filter_map(|link| Some((link.name, link.beam?)))
    }

    fn deflections(&self, q: &[f64]) -> Vec<Sag> {
        let arm = self.arm;
        let mut straight = q.to_vec();
        for link in 0..arm.body_count() {
            straight[arm.bending_of(link).0].fill(0.0);
            if arm.is_hinge(link) {
                let own = arm.configuration_of(link);
                straight[own.clone()].copy_from_slice(&arm.neutral()[own]);
            }
        }
        let [mut before, mut after] = [(); 2].map(|()| Workspace::new(arm));
        let before = before.place(arm, &straight);
        let after = after.place(arm, &self.modes.q);
        let sag = |(name, _): (&str, &Beam)| {
            let (link, tip) = (arm.frame(name).ok()?, arm.tip_of(name)?);
            let own = |placed: &pliant::dynamics::kinematics::Placed<'_, f64>| {
                placed.pose(link).inverse().then(&placed.pose(tip)).position
            };
            Some(Sag {
                link: name.to_owned(),
                world: (after.pose(tip).position - before.pose(tip).position).to_array(),
                own: (own(&after) - own(&before)).to_array(),
            })
        };
        self.bending().filter_map(sag).collect()
    }

    /// Solves again with one shape more each way, or one element more, in every bending link.
    pub(super) fn refine(&mut self, description: &Builder, q: &[f64]) {
        if self.bending().next().is_none() {
            return;
        }
        self.changes = Some(self.changes_of(description, q));
    }

    fn changes_of(&self, description: &Builder, q: &[f64]) -> Result<Vec<f64>, String> {
        let more = |beam: Beam| match beam.reduction {
            Some(_) => beam,
            None => Beam { basis: finer(&beam.basis), ..beam },
        };
        let built = description.clone().map_beams(more).build();
        let finer_arm = built.map_err(|error| error.with_help())?;
        // by names: rigid pieces are bodies of their own, and there is one more of them
        let known = self.arm.link_names();
        let mut posture = finer_arm.neutral();
        let mut velocities = vec![0.0; finer_arm.nv()];
        let mut holds = vec![JointCondition::Locked; finer_arm.body_count()];
        for (link, name) in finer_arm.link_names().iter().enumerate() {
            let Some(own) = known.iter().position(|known| known == name) else { continue };
            if finer_arm.is_hinge(link) {
                continue;
            }
            let (to, from) = (finer_arm.configuration_of(link), self.arm.configuration_of(own));
            posture[to].copy_from_slice(&q[from]);
            if let (Some((to, _)), Some((from, _))) =
                (finer_arm.length_of(link), self.arm.length_of(own))
            {
                posture[to] = q[from];
            }
            let (to, from) = (finer_arm.velocities_of(link), self.arm.velocities_of(own));
            velocities[to].copy_from_slice(&self.conditions.velocities[from]);
            holds[link] = self.conditions.joints[own];
        }
        let mut conditions = Conditions { velocities, joints: holds, ..self.conditions.clone() };
        for load in &mut conditions.loads {
            let name = self.arm.frames()[load.frame].name();
            load.frame = finer_arm.frame(name).map_err(|error| error.with_help())?;
        }
        let finer =
            finer_arm.modes_under(&posture, &conditions).map_err(|error| error.with_help())?;
        Ok(self.matched(&finer_arm, &finer.modes))
    }

    /// By how much each mode is off the one of a finer arm: of those that move the same parts the
    /// first that is left. Counting all modes alike would be wrong, since the finer arm has more
    /// of every kind.
    fn matched(&self, finer_arm: &Arm, finer: &[Mode]) -> Vec<f64> {
        let shares = |arm: &Arm, mode: &Mode| parts_of(arm, mode);
        let fine_shares: Vec<_> = finer.iter().map(|mode| shares(finer_arm, mode)).collect();
        let mut taken = vec![false; finer.len()];
        let mut changes = Vec::new();
        for (k, mode) in self.modes.modes.iter().enumerate() {
            let own = shares(self.arm, mode);
            let alike =
                (0..finer.len()).find(|&at| !taken[at] && likeness(&own, &fine_shares[at]) > ALIKE);
            let partner = alike.or_else(|| (k..finer.len()).find(|&at| !taken[at]));
            let Some(partner) = partner else { break };
            taken[partner] = true;
            let (before, after) = (mode.frequency(), finer[partner].frequency());
            changes.push(if before > 0.0 { after / before - 1.0 } else { 0.0 });
        }
        changes
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
        let (q, conditions) = (&self.modes.q, self.conditions);
        let found = stress::find(self.arm, &beams, q, conditions, bandwidth, begin);
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

    /// Where the kinetic energy of a mode is, the largest part first: joints, and the ways in
    /// which links bend.
    pub(super) fn parts(&self, mode: &Mode) -> Vec<(String, f64)> {
        parts_of(self.arm, mode)
    }
}

/// Where the kinetic energy of a mode of an arm is: see [`Findings::parts`].
fn parts_of(arm: &Arm, mode: &Mode) -> Vec<(String, f64)> {
    let mut parts: Vec<(String, f64)> = Vec::new();
    let mut add =
        |name: String, share: f64| match parts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += share,
            None => parts.push((name, share)),
        };
    for link in 0..arm.body_count() {
        let owner = arm.described_link(link);
        if let Some(name) = joint_name(arm, link) {
            let share: f64 = arm.velocities_of(link).map(|v| mode.shares[v]).sum();
            let hinges = arm.is_hinge(link);
            add(if hinges { format!("{owner} hinges") } else { format!("joint {name}") }, share);
        }
        for v in arm.bending_of(link).1 {
            let way = match arm.velocity_coordinates()[v].role {
                CoordinateRole::Deformation(Deformation::BendingY) => "y",
                CoordinateRole::Deformation(Deformation::BendingZ) => "z",
                role => role.word(),
            };
            add(format!("{owner} {way}"), mode.shares[v]);
        }
    }
    parts.retain(|(_, share)| share.abs() > 0.0);
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    parts
}

/// One shape more each way, or one element more; modes of elements get both.
pub(in crate::commands) fn finer(basis: &Basis) -> Basis {
    let mut finer = basis.clone().refined();
    if let (Basis::Eigenmodes { elements, .. }, Basis::Eigenmodes { elements: before, .. }) =
        (&mut finer, basis)
    {
        *elements = (*elements).max(before + 1);
    }
    finer
}

/// How alike the parts of two modes are: 1 where they are the same, 0 where none is shared.
fn likeness(a: &[(String, f64)], b: &[(String, f64)]) -> f64 {
    let of = |parts: &[(String, f64)], name: &str| {
        parts.iter().find(|(known, _)| known == name).map_or(0.0, |(_, share)| *share)
    };
    let size = |parts: &[(String, f64)]| parts.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
    let common: f64 = a.iter().map(|(name, share)| share * of(b, name)).sum();
    common / (size(a) * size(b))
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
