//! What of an arm is drawn, and where its parts hang.

use pliant::arm::{BuildError, Builder, Joint, Link, LinkParts};
use pliant::beam::{Beam, Matter};
use pliant::dynamics::kinematics::Workspace;
use pliant::dynamics::{Centreline, Centrelines};
use pliant::spatial::{Pose, Vec3};

/// Points along a link that bends, at least.
const POINTS: usize = 12;

/// Points along a link of many segments, at most.
const MOST_POINTS: usize = 48;

/// An arm as the page puts it together: a chain of links with points along them.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Where the links run; a station is a point.
    pub(super) lines: Centrelines,
    /// The links, parents first.
    pub(super) segments: Vec<Segment>,
    /// The end of the arm.
    pub(super) tip: Option<Anchor>,
    /// What was said about the links, in the order of the description.
    links: Vec<Link>,
}

/// One link.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The link it hangs on, by its place in the list; `None` is the ground.
    pub(super) parent: Option<usize>,
    /// The point of the parent it hangs on; `None` is the parent's link frame.
    pub(super) on: Option<usize>,
    /// The points of its beam from the root to the tip; none where it does not bend.
    pub(super) points: Vec<Point>,
    /// Which of the described links it is.
    link: usize,
}

/// A point along a link that bends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// From the root, rigid parts counted (m).
    distance: f64,
    /// Where it is in the link frame when the link is straight.
    pub(super) rest: Pose<f64>,
    /// Extent of the cross-section along y and z (m), and whether it is round; unknown is `None`.
    pub(super) section: Option<([f64; 2], bool)>,
}

/// A place that goes along with a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor {
    /// The link.
    pub(super) segment: usize,
    /// The point along it; `None` is the link frame.
    pub(super) point: Option<usize>,
    /// The place from there (m).
    pub(super) place: Vec3<f64>,
}

impl Chain {
    /// The chain of an arm. The tip is the frame of this name.
    pub(super) fn new(description: &Builder, tip: Option<&str>) -> Result<Self, BuildError> {
        let links = description.parts().links;
        let lines = Centrelines::new(description, |link| distances(description, link, tip))?;
        let mut order: Vec<usize> = (0..links.len()).collect();
        order.sort_by_key(|&link| lines.links()[link].depth);

        let mut work = Workspace::new(lines.arm());
        let neutral = lines.arm().neutral();
        let placed = work.place(lines.arm(), &neutral);
        let mut segments: Vec<Segment> = Vec::new();
        for &link in &order {
            let (line, described) = (&lines.links()[link], links[link].parts());
            let parent = line.parent.and_then(|p| segments.iter().position(|s| s.link == p));
            let beam = line.parent.and_then(|p| links[p].parts().beam);
            let place = described.attachment.distance(beam);
            let on = parent.zip(place).and_then(|(p, s)| segments[p].nearest(s));
            let points = line.stations.iter().zip(line.poses_in_link(&placed));
            let points = points.map(|(station, rest)| {
                let distance = station.distance;
                let section = described.beam.and_then(|beam| section_at(beam, distance));
                Point { distance, rest, section }
            });
            let points = points.collect();
            segments.push(Segment { parent, on, points, link });
        }
        let mut chain = Self { segments, tip: None, links: links.to_vec(), lines };
        chain.tip = tip.and_then(|name| chain.anchor(name));
        Ok(chain)
    }

    /// Where a link runs.
    pub(super) fn line(&self, segment: usize) -> &Centreline {
        &self.lines.links()[self.segments[segment].link]
    }

    /// The frames of the arm and of its points, by index: all but the two sides of joints.
    pub(super) fn frames(&self) -> Vec<usize> {
        let sides = self.lines.links().iter().flat_map(|line| [Some(line.outboard), line.inboard]);
        let sides: Vec<usize> = sides.flatten().collect();
        (0..self.lines.arm().frames().len()).filter(|frame| !sides.contains(frame)).collect()
    }

    /// What was said about a link.
    pub(super) fn described(&self, segment: usize) -> LinkParts<'_> {
        self.links[self.segments[segment].link].parts()
    }

    /// Where the links that hang on one are placed on it.
    pub(super) fn children(&self, segment: usize) -> impl Iterator<Item = (Anchor, usize)> + '_ {
        self.segments.iter().enumerate().filter(move |(_, one)| one.parent == Some(segment)).map(
            move |(k, one)| {
                let place = self.links[one.link].parts().placement.position;
                (Anchor { segment, point: one.on, place }, k)
            },
        )
    }

    /// Where a frame of the arm hangs.
    fn anchor(&self, name: &str) -> Option<Anchor> {
        let arm = self.lines.arm();
        let is_tip_of =
            |link: &str| arm.tip_of(link).is_some_and(|at| arm.frames()[at].name() == name);
        for (segment, one) in self.segments.iter().enumerate() {
            let described = self.described(segment);
            let tip = one.points.len().checked_sub(1);
            let at = |point, place| Some(Anchor { segment, point, place });
            if let Some((_, on, pose)) = described.frames.iter().find(|frame| frame.0 == name) {
                let point = on.distance(described.beam).and_then(|s| one.nearest(s));
                return at(point, pose.position);
            }
            if tip.is_some() && is_tip_of(described.name) {
                return at(tip, Vec3::ZERO);
            }
            if name == described.name {
                return at(None, Vec3::ZERO);
            }
        }
        None
    }
}

impl Segment {
    /// The point at a distance from the root.
    pub(super) fn nearest(&self, distance: f64) -> Option<usize> {
        let off = |k: &usize| (self.points[*k].distance - distance).abs();
        (0..self.points.len()).min_by(|a, b| off(a).total_cmp(&off(b)))
    }
}

/// Where a link gets points: evenly, and where something hangs.
fn distances(description: &Builder, link: usize, tip: Option<&str>) -> Vec<f64> {
    let parts = description.parts();
    let described = parts.links[link].parts();
    let Some(beam) = described.beam else { return Vec::new() };
    let length = beam.whole_length();
    let even = beam.divided(POINTS.max(3 * beam.segments).min(MOST_POINTS));
    let hung = (0..parts.links.len())
        .filter(|&child| parts.parent_of(child) == Some(link))
        .filter_map(|child| parts.links[child].parts().attachment.distance(Some(beam)));
    let watched = described.frames.iter().filter(|frame| Some(frame.0.as_str()) == tip);
    let watched = watched.filter_map(|(_, on, _)| on.distance(Some(beam)));
    let mut all: Vec<f64> = hung.chain(watched).collect();
    let apart = 1e-9 * length;
    for distance in even {
        if all.iter().all(|known| (known - distance).abs() > apart) {
            all.push(distance);
        }
    }
    all.sort_by(f64::total_cmp);
    all.dedup_by(|a, b| (*a - *b).abs() <= apart);
    all
}

/// How large the cross-section is: known from its outline, or guessed from how its mass resists
/// turning.
fn section_at(beam: &Beam, distance: f64) -> Option<([f64; 2], bool)> {
    match beam.matter_at(distance) {
        Matter::Made { outline, .. } => Some((outline.extent(), outline.is_round())),
        Matter::Given(section) => {
            // a full circle has ∫ y² dA = A d²/16
            let size = |inertia: f64| 4.0 * (inertia / section.rho_a).sqrt();
            let sizes = [size(section.rho_i_z), size(section.rho_i_y)];
            sizes.iter().all(|size| size.is_finite() && *size > 0.0).then_some((sizes, true))
        }
    }
}

/// The axis that a joint turns about or slides along, in its outboard frame at rest, unit length.
pub(super) fn axis(joint: &Joint) -> Option<Vec3<f64>> {
    // of two, the first is fixed to the link before
    let given = joint.axes().last().copied();
    let plane = matches!(joint, Joint::Planar).then_some([0.0, 0.0, 1.0]);
    let axis = Vec3::from(given.or(plane)?);
    Some(axis * axis.norm().recip())
}
