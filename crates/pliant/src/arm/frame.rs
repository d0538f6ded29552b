//! Named frames of an arm.

use super::link::Link;
use super::tree::{Arm, UnknownName};
use crate::scalar::Scalar;
use crate::spatial::Pose;

/// A named frame fixed to a body, or to a cross-section of its beam.
#[derive(Clone, Debug)]
pub struct Frame<S> {
    pub(crate) name: String,
    pub(crate) link: String,
    pub(crate) role: FrameRole,
    /// The station it is fixed to.
    pub(crate) station: usize,
    /// Its pose in the station's frame.
    pub(crate) pose: Pose<S>,
}

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameRole {
    /// The frame of a link, which has the link's name.
    Link,
    /// The outer end of a link, as [`Link::tip_frame`](super::Link::tip_frame) says, or the end of its
    /// beam where that carries something; then it is called [`tip_name`].
    Tip,
    /// Any other: one that was asked for, or of a piece of a divided link.
    Attached,
}

/// The usual name of the frame at the outer end of a link.
pub fn tip_name(link: &str) -> String {
    format!("{link}.tip")
}

impl<S> Frame<S> {
    /// A frame of a piece of the link that was described under a name.
    pub(super) fn new(
        name: &str,
        piece: &Link,
        described: &str,
        station: usize,
        pose: Pose<S>,
    ) -> Self {
        let role = match piece.tip_frame.as_deref() {
            _ if name == described => FrameRole::Link,
            Some(tip) if name == tip => FrameRole::Tip,
            _ => FrameRole::Attached,
        };
        let (name, link) = (name.to_owned(), described.to_owned());
        Self { name, link, role, station, pose }
    }

    /// Its name; every link has a frame of its own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The link of the description that it belongs to.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// What it is for.
    pub fn role(&self) -> FrameRole {
        self.role
    }
}

impl<S: Scalar> Arm<S> {
    /// The frames: every link's own, then those that were asked for, body by body.
    pub fn frames(&self) -> &[Frame<S>] {
        &self.frames
    }

    /// The index of a frame by name.
    pub fn frame(&self, name: &str) -> Result<usize, UnknownName> {
        self.frames
            .iter()
            .position(|frame| frame.name == name)
            .ok_or_else(|| UnknownName { what: "frame", name: name.to_owned() })
    }

    /// The frame at the outer end of a link, by index, if it has one.
    pub fn tip_of(&self, link: &str) -> Option<usize> {
        let is_tip = |frame: &Frame<S>| frame.role == FrameRole::Tip && frame.link == link;
        self.frames.iter().position(is_tip)
    }

    /// The frame at the end of the arm, by index. Of the link that is outermost, by the number of
    /// links between it and the ground, it is the tip, or else the last frame; of several such links
    /// the last. Where links have tips, only the last of these and what it carries are asked.
    pub fn tip(&self) -> Option<usize> {
        let tip = self.frames.iter().rposition(|frame| frame.role == FrameRole::Tip);
        let inner = tip.map(|tip| self.frames[tip].link.as_str());
        let carried = |frame: &&Frame<S>| inner.is_none_or(|inner| self.hangs_on(frame, inner));
        let outermost = self.frames.iter().filter(carried).max_by_key(|frame| self.depth(frame))?;
        let is_its = |frame: &Frame<S>| frame.link == outermost.link;
        self.tip_of(&outermost.link).or_else(|| self.frames.iter().rposition(is_its))
    }

    /// The links of the description from that of a frame inward, each as often as it has bodies.
    fn inward(&self, frame: &Frame<S>) -> impl Iterator<Item = &str> {
        let body_at = |station: usize| self.topology.station_bodies[station].checked_sub(1);
        let first = body_at(frame.station);
        let bodies = std::iter::successors(first, move |&body| body_at(self.bodies[body].parent));
        bodies.map(|body| self.topology.owners[body].as_str())
    }

    fn hangs_on(&self, frame: &Frame<S>, link: &str) -> bool {
        self.inward(frame).any(|inner| inner == link)
    }

    /// How many links are between the link of a frame and the ground.
    fn depth(&self, frame: &Frame<S>) -> usize {
        let mut last = None;
        self.inward(frame).filter(|link| last.replace(*link) != Some(*link)).count()
    }
}
