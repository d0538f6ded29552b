//! Where the links of an arm run, for pictures and pages.
//!
//! A station is a place along the centreline of a beam, and a frame of the arm stands there. Frames
//! are placed by the [kinematics], so that a bent link is drawn as it is computed:
//! whatever its shapes, in segments or rigid pieces, of the current length where it slides.

use super::kinematics::Placed;
use crate::arm::{Arm, BuildError, Builder, Link};
use crate::spatial::Pose;

#[cfg(doc)]
use super::kinematics;

/// The centrelines of the links of an arm.
#[derive(Clone, Debug)]
pub struct Centrelines {
    arm: Arm,
    links: Vec<Centreline>,
}

/// The centreline of a link as described; frames by their index in [`Centrelines::arm`].
#[derive(Clone, Debug)]
pub struct Centreline {
    /// The link.
    pub link: String,
    /// The link that it hangs on, by its place in the description; none is the ground.
    pub parent: Option<usize>,
    /// How many links are between it and the ground.
    pub depth: usize,
    /// The link frame.
    pub frame: usize,
    /// The joint's outboard frame, fixed to the link.
    pub outboard: usize,
    /// The joint's inboard frame, fixed to the parent; none on the ground.
    pub inboard: Option<usize>,
    /// The section of the parent's beam that it hangs on; none where that is the parent's link frame.
    pub section: Option<usize>,
    /// Stations along its beam, from the root outward; none where it has no beam.
    pub stations: Vec<CentrelineStation>,
    /// The frame that it hangs on, where its parent is a link.
    on: Option<usize>,
    /// The joint's inboard frame on the ground.
    placement: Pose<f64>,
    /// The whole length of its beam (m).
    length: f64,
    /// The coordinate that is the length outside, where it slides.
    outside: Option<usize>,
}

/// A station along a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentrelineStation {
    /// From the root of the beam when it is straight, rigid parts counted; of a beam that slides the
    /// place at its whole length (m).
    pub distance: f64,
    /// The frame there, its x axis along the centreline.
    pub frame: usize,
}

impl Centrelines {
    /// The centrelines of the arm that a description gives. Each link that has a beam gets stations at
    /// the distances (m) that are asked for it, by its place in the description.
    pub fn new(
        description: &Builder,
        stations: impl Fn(usize) -> Vec<f64>,
    ) -> Result<Self, BuildError> {
        let parts = description.parts();
        let count = parts.links.len();
        let parents: Vec<Option<usize>> = (0..count).map(|link| parts.parent_of(link)).collect();
        let has_beam = |link: usize| parts.links[link].parts().beam.is_some();
        let distances: Vec<Vec<f64>> =
            (0..count).map(|k| if has_beam(k) { stations(k) } else { Vec::new() }).collect();

        let with_frames = |number: usize, mut link: Link| {
            let back = link.parts().outboard.inverse();
            link = link.root_frame(name("outboard", number), back);
            for (k, &distance) in distances[number].iter().enumerate() {
                link = link.section_frame(station_name(k, number), distance, Pose::IDENTITY);
            }
            for child in (0..count).filter(|&child| parents[child] == Some(number)) {
                let own = parts.links[child].parts();
                link = match own.attachment.distance(link.parts().beam) {
                    Some(at) => link
                        .section_frame(name("section", child), at, Pose::IDENTITY)
                        .section_frame(name("inboard", child), at, own.placement),
                    None => link.root_frame(name("inboard", child), own.placement),
                };
            }
            link
        };
        let arm = description.clone().map_links(with_frames).own_frames().build()?;

        let frame = |name: &str| arm.frame(name).ok();
        // all of these are in the arm, which was built with them
        let known = |name: &str| frame(name).unwrap_or_default();
        let centreline = |number: usize| {
            let own = parts.links[number].parts();
            let body = arm.link_names().iter().position(|link| link == own.name);
            let section = frame(&name("section", number));
            let on = parents[number].map(|p| known(parts.links[p].parts().name));
            let station = |(k, &distance): (usize, &f64)| CentrelineStation {
                distance,
                frame: known(&station_name(k, number)),
            };
            Centreline {
                link: own.name.to_owned(),
                parent: parents[number],
                depth: std::iter::successors(parents[number], |&p| parents[p]).take(count).count(),
                frame: known(own.name),
                outboard: known(&name("outboard", number)),
                inboard: frame(&name("inboard", number)),
                section,
                stations: distances[number].iter().enumerate().map(station).collect(),
                on: section.or(on),
                placement: own.placement,
                length: own.beam.map_or(0.0, crate::beam::Beam::whole_length),
                outside: body.and_then(|body| arm.length_of(body)).map(|(at, _)| at),
            }
        };
        let links = (0..count).map(centreline).collect();
        Ok(Self { arm, links })
    }

    /// The arm as described, with the frames that the centrelines need; its coordinates are those of
    /// the description.
    pub fn arm(&self) -> &Arm {
        &self.arm
    }

    /// The links in the order of the description.
    pub fn links(&self) -> &[Centreline] {
        &self.links
    }
}

impl Centreline {
    /// The joint's inboard frame, world.
    pub fn inboard_pose(&self, placed: &Placed<'_, f64>) -> Pose<f64> {
        self.inboard.map_or(self.placement, |frame| placed.pose(frame))
    }

    /// The link frame, in the frame that it hangs on: the section of the parent's beam, the parent's
    /// link frame, or the world.
    pub fn pose_on_parent(&self, placed: &Placed<'_, f64>) -> Pose<f64> {
        let on = self.on.map_or(Pose::IDENTITY, |frame| placed.pose(frame));
        on.inverse().then(&placed.pose(self.frame))
    }

    /// The stations, world.
    pub fn poses(&self, placed: &Placed<'_, f64>) -> Vec<Pose<f64>> {
        self.stations.iter().map(|station| placed.pose(station.frame)).collect()
    }

    /// The stations, in the link frame.
    pub fn poses_in_link(&self, placed: &Placed<'_, f64>) -> Vec<Pose<f64>> {
        let back = placed.pose(self.frame).inverse();
        self.poses(placed).iter().map(|pose| back.then(pose)).collect()
    }

    /// The whole length of its beam (m), the part inside of one that slides counted; zero without a
    /// beam.
    pub fn whole_length(&self) -> f64 {
        self.length
    }

    /// The length of its beam that is outside in a configuration (m): all of it, unless it slides.
    pub fn length_outside(&self, q: &[f64]) -> f64 {
        self.outside.map_or(self.length, |at| q[at])
    }
}

/// A name that no file can give.
fn name(what: &str, link: usize) -> String {
    format!("\0{what} {link}")
}

fn station_name(station: usize, link: usize) -> String {
    format!("\0station {station} of {link}")
}
