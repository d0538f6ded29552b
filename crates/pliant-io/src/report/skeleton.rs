//! What of an arm is drawn, and where its parts hang.

use pliant::arm::{Arm, BuildError, Builder, Joint, Link, LinkParts, Parent, tip_name};
use pliant::beam::{Beam, CrossSection, Matter};
use pliant::dynamics::kinematics::{Placed, Workspace};
use pliant::spatial::{Pose, Vec3};

/// Points along a link that bends, at least.
const POINTS: usize = 12;

/// Points along a link of many segments, at most.
const MOST_POINTS: usize = 48;

/// An arm as a chain of links with points along them.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    /// The arm, with a frame at every point.
    pub(super) arm: Arm,
    /// The links as described, parents first.
    pub(super) segments: Vec<Segment>,
    /// The end of the arm.
    pub(super) tip: Option<Anchor>,
    /// What was said about the links, in the order of the description.
    pub(super) links: Vec<Link>,
}

/// One link.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Its name.
    pub(super) name: String,
    /// The link it hangs on, by its place in the list; `None` is the ground.
    pub(super) parent: Option<usize>,
    /// The point of the parent it hangs on; `None` is the parent's link frame.
    pub(super) on: Option<usize>,
    /// Its link frame, by number.
    pub(super) frame: usize,
    /// The points of its beam from the root to the tip; none where it does not bend.
    pub(super) points: Vec<Point>,
    /// Which of the described links it is.
    pub(super) link: usize,
}

/// A point along a link that bends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// From the root, rigid parts counted (m).
    pub(super) distance: f64,
    /// Its frame, by number.
    pub(super) frame: usize,
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

impl Skeleton {
    /// The skeleton of an arm. The tip is the frame of this name.
    pub(super) fn new(description: &Builder, tip: Option<&str>) -> Result<Self, BuildError> {
        let parts = description.parts();
        let links = parts.links;
        let parents: Vec<Option<usize>> = (0..links.len()).map(|k| parent_of(links, k)).collect();
        let mut order: Vec<usize> = (0..links.len()).collect();
        order.sort_by_key(|&link| depth(&parents, link));
        let distances: Vec<Vec<f64>> =
            (0..links.len()).map(|link| distances(links, &parents, link, tip)).collect();

        let mut watched = Builder::new(parts.name).gravity(parts.gravity);
        if parts.lenient {
            watched = watched.lenient();
        }
        for (k, link) in links.iter().enumerate() {
            let frames = distances[k].iter().enumerate();
            let frame = |link: Link, (at, &s): (usize, &f64)| {
                link.section_frame(point_name(k, at), s, Pose::IDENTITY)
            };
            watched = watched.link(frames.fold(link.clone(), frame));
        }
        let arm = watched.build()?;

        let mut work = Workspace::new(&arm);
        let neutral = arm.neutral();
        let placed = work.place(&arm, &neutral);
        let mut segments: Vec<Segment> = Vec::new();
        for &link in &order {
            let described = links[link].parts();
            let parent = parents[link].and_then(|p| segments.iter().position(|s| s.link == p));
            let on = parent.zip(described.section).and_then(|(p, s)| segments[p].nearest(s));
            let frame = arm.frame(described.name).unwrap_or(0);
            let points = distances[link].iter().enumerate();
            let points = points.filter_map(|(at, &distance)| {
                let own = arm.frame(&point_name(link, at)).ok()?;
                let rest = placed.pose(frame).inverse().then(&placed.pose(own));
                let section = described.beam.and_then(|beam| section_at(beam, distance));
                Some(Point { distance, frame: own, rest, section })
            });
            let points = points.collect();
            segments.push(Segment {
                name: described.name.to_owned(),
                parent,
                on,
                frame,
                points,
                link,
            });
        }
        let mut skeleton = Self { segments, tip: None, links: links.to_vec(), arm };
        skeleton.tip = tip.and_then(|name| skeleton.anchor(name));
        Ok(skeleton)
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

    /// The pose of what a link hangs on.
    pub(super) fn attachment(&self, placed: &Placed<'_, f64>, segment: usize) -> Pose<f64> {
        let one = &self.segments[segment];
        let Some(parent) = one.parent.map(|p| &self.segments[p]) else { return Pose::IDENTITY };
        placed.pose(one.on.map_or(parent.frame, |point| parent.points[point].frame))
    }

    /// Where a frame of the arm hangs.
    fn anchor(&self, name: &str) -> Option<Anchor> {
        for (segment, one) in self.segments.iter().enumerate() {
            let described = self.described(segment);
            let tip = one.points.len().checked_sub(1);
            let at = |point, place| Some(Anchor { segment, point, place });
            if let Some((_, s, pose)) = described.section_frames.iter().find(|f| f.0 == name) {
                return at(one.nearest(*s), pose.position);
            }
            if let Some((_, pose)) = described.frames.iter().find(|frame| frame.0 == name) {
                return at(None, pose.position);
            }
            if tip.is_some() && name == tip_name(described.name) {
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

/// A name no file gives to a frame.
fn point_name(link: usize, point: usize) -> String {
    format!("\u{1}point {point} of link {link}")
}

fn parent_of(links: &[Link], link: usize) -> Option<usize> {
    match links[link].parts().parent {
        Parent::Previous => link.checked_sub(1),
        Parent::Ground => None,
        Parent::Link(name) => links.iter().position(|one| one.parts().name == name),
    }
}

fn depth(parents: &[Option<usize>], mut link: usize) -> usize {
    let mut depth = 0;
    while let Some(parent) = parents[link].filter(|_| depth <= parents.len()) {
        link = parent;
        depth += 1;
    }
    depth
}

/// Where a link gets points: evenly, and where something hangs.
fn distances(
    links: &[Link],
    parents: &[Option<usize>],
    link: usize,
    tip: Option<&str>,
) -> Vec<f64> {
    let described = links[link].parts();
    let Some(beam) = described.beam else { return Vec::new() };
    let length = beam.whole_length();
    let count = POINTS.max(3 * beam.segments).min(MOST_POINTS);
    let even = (0..=count).map(|k| length * k as f64 / count as f64);
    let hung = (0..links.len())
        .filter(|&child| parents[child] == Some(link))
        .filter_map(|child| links[child].parts().section);
    let watched = described.section_frames.iter().filter(|frame| Some(frame.0.as_str()) == tip);
    let mut all: Vec<f64> = hung.chain(watched.map(|frame| frame.1)).collect();
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
    let along = (distance - beam.rigid_root).clamp(0.0, beam.length);
    match beam.profile.at(along) {
        Matter::Made { outline, .. } => Some(match outline {
            CrossSection::Round { diameter } | CrossSection::Tube { diameter, .. } => {
                ([diameter; 2], true)
            }
            CrossSection::Rectangle { height, width }
            | CrossSection::Box { height, width, .. }
            | CrossSection::I { height, width, .. } => ([height, width], false),
        }),
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
