//! From an arm and its coordinates to shapes.

use crate::palette::Style;
use crate::scene::{Cross, Scene, Shape};
use pliant::arm::{Arm, BuildError, Builder, Joint, Link, Parent};
use pliant::beam::{Beam, CrossSection, Matter};
use pliant::dynamics::{EvaluationError, kinematics};
use pliant::spatial::{Pose, Vec3};

/// How an arm is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The colour of what bends.
    pub style: Style,
    /// How much it fades into the paper, from 0 to 1.
    pub fade: f64,
    /// By how much the coordinates of bending are multiplied.
    pub exaggeration: f64,
    /// Whether it is shown how links would lie that do not bend.
    pub rest: bool,
}

impl Default for Look {
    /// In the first colour, as it is.
    fn default() -> Self {
        Self { style: Style::default(), fade: 0.0, exaggeration: 1.0, rest: true }
    }
}

/// An arm with the frames that a picture needs. They are placed by the arm's own kinematics, so a
/// bent link is drawn as it is computed.
#[derive(Clone, Debug)]
pub struct Skeleton {
    arm: Arm,
    bones: Vec<Bone>,
    /// The frame at the end of the arm.
    tip: Option<usize>,
    /// The radius of what has no thickness of its own (m).
    usual: f64,
}

/// What is drawn of a link; frames by index.
#[derive(Clone, Debug)]
struct Bone {
    joint: Joint,
    inboard: Option<usize>,
    /// On the ground the inboard frame does not move.
    ground: Pose<f64>,
    outboard: usize,
    /// Where its matter goes: from a frame to another.
    stretches: Vec<[usize; 2]>,
    beam: Option<Curve>,
    /// Frames of loads, with the radius of a steel ball of their mass (m).
    loads: Vec<(usize, f64)>,
    /// How far it is from the ground, in links.
    depth: i32,
    /// The largest half thickness at its joint (m).
    thickness: f64,
}

/// A beam: its sections by frame, with their half axes along y and z (m) and whether they are round.
#[derive(Clone, Debug)]
struct Curve {
    sections: Vec<(usize, [f64; 2], bool)>,
    /// The whole length (m).
    length: f64,
    /// The coordinate that is the length outside, where it slides.
    outside: Option<usize>,
}

/// Into how many parts a beam is divided.
const PARTS: usize = 32;

/// The thickness of what has none, beside the reach of the arm.
const SLENDER: f64 = 0.011;

impl Skeleton {
    /// From the description of an arm and the name of the frame at its tip.
    pub fn new(description: &Builder, tip: Option<&str>) -> Result<Self, BuildError> {
        let parts = description.parts();
        let mut links: Vec<Link> = parts.links.to_vec();
        let parents: Vec<Option<usize>> =
            (0..links.len()).map(|i| parent(parts.links, i)).collect();
        for (i, original) in parts.links.iter().enumerate() {
            let own = original.parts();
            let out = (name("out", i), own.outboard.inverse());
            change(&mut links[i], |link| link.frame(out.0, out.1));
            if let Some(beam) = own.beam {
                for k in 0..=PARTS {
                    let place = place(beam, k);
                    change(&mut links[i], |link| {
                        link.section_frame(name(&format!("{k}"), i), place, Pose::IDENTITY)
                    });
                }
            }
            let Some(parent) = parents[i] else { continue };
            change(&mut links[parent], |link| match own.section {
                Some(at) => link.section_frame(name("at", i), at, Pose::IDENTITY).section_frame(
                    name("in", i),
                    at,
                    own.placement,
                ),
                None => link.frame(name("in", i), own.placement),
            });
        }
        let mut builder = Builder::new(parts.name).gravity(parts.gravity);
        if parts.lenient {
            builder = builder.lenient();
        }
        let arm = links.into_iter().fold(builder, Builder::link).build()?;
        let frame = |name: &str| arm.frame(name).ok();
        let outside = |name: &str| {
            let link = arm.link_names().iter().position(|link| link == name)?;
            Some(arm.length_of(link)?.0)
        };
        let mut bones = Vec::new();
        for (i, link) in parts.links.iter().enumerate() {
            bones.extend(bone(parts.links, &parents, i, link, (frame, outside)));
        }
        let tip = tip.and_then(frame);
        let mut skeleton = Self { arm, bones, tip, usual: 0.0 };
        skeleton.usual = SLENDER * skeleton.reach();
        Ok(skeleton)
    }

    /// The arm; its coordinates are those of the description.
    pub fn arm(&self) -> &Arm {
        &self.arm
    }

    /// Where the tip is (m), when the bending is exaggerated.
    pub fn tip(&self, q: &[f64], exaggeration: f64) -> Result<Option<Vec3<f64>>, EvaluationError> {
        let Some(tip) = self.tip else { return Ok(None) };
        let name = self.arm.frames()[tip].name();
        Ok(Some(self.arm.pose(&self.exaggerated(q, exaggeration), name)?.position))
    }

    /// The arm with these coordinates.
    pub fn scene(&self, q: &[f64], look: &Look) -> Result<Scene, EvaluationError> {
        let q = &self.exaggerated(q, look.exaggeration);
        if let Some(frame) = self.arm.frames().first() {
            // says what is wrong with the coordinates
            self.arm.pose(q, frame.name())?;
        }
        let mut work = kinematics::Workspace::new(&self.arm);
        let placed = work.place(&self.arm, q);
        let mut shapes = Vec::new();
        for bone in &self.bones {
            self.add(bone, q, &placed, look.rest, &mut shapes);
        }
        shapes.extend(self.tip.map(|tip| Shape::Tip(placed.pose(tip).position)));
        Ok(Scene { shapes, style: look.style, fade: look.fade })
    }

    /// The coordinates with those of bending multiplied.
    fn exaggerated(&self, q: &[f64], factor: f64) -> Vec<f64> {
        let mut q = q.to_vec();
        for link in 0..self.arm.body_count() {
            let ball = self.arm.is_hinge(link) && self.arm.joints()[link] == Joint::Spherical;
            match q.get_mut(self.arm.deforming_of(link)) {
                Some([w, turn @ ..]) if ball => {
                    // a quaternion: its angle is multiplied, its axis stays
                    let sine = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let angle = factor * sine.atan2(*w);
                    *w = angle.cos();
                    for x in turn.iter_mut().filter(|_| sine > 0.0) {
                        *x *= angle.sin() / sine;
                    }
                }
                own => own.into_iter().flatten().for_each(|value| *value *= factor),
            }
        }
        q
    }

    fn add(
        &self,
        bone: &Bone,
        q: &[f64],
        placed: &kinematics::Placed<'_, f64>,
        rest: bool,
        shapes: &mut Vec<Shape>,
    ) {
        let at = |frame: usize| placed.pose(frame).position;
        let outboard = placed.pose(bone.outboard);
        let inboard = bone.inboard.map_or(bone.ground, |frame| placed.pose(frame));
        let slim = self.usual * 0.9_f64.powi(bone.depth);
        if !matches!(bone.joint, Joint::Free) {
            // the way of a joint that slides
            bar(inboard.position, outboard.position, 0.6 * slim, shapes);
        }
        let radius = (1.6 * slim).max(1.25 * bone.thickness);
        self.add_joint(bone, &inboard, &outboard, radius, shapes);
        for &[from, to] in &bone.stretches {
            let (from, to) = (at(from), at(to));
            // along the axis first: offsets of joints look like the housings they are
            let axis = turning_axis(&bone.joint).map(|axis| unit(outboard.rotation * axis));
            let along = axis.map_or(Vec3::ZERO, |axis| axis * axis.dot(to - from));
            let elbow = from + along;
            bar(from, elbow, slim, shapes);
            bar(elbow, to, slim, shapes);
            if along.norm() > slim && (to - elbow).norm() > slim {
                shapes.push(Shape::Ball { centre: elbow, radius: slim });
            }
        }
        if let Some(Curve { sections, length: whole, outside }) = &bone.beam {
            let length = &outside.map_or(*whole, |at| q[at]);
            let poses = sections.iter().map(|(frame, ..)| placed.pose(*frame));
            let cross =
                sections.iter().zip(poses.clone()).map(|((_, [y, z], round), pose)| Cross {
                    a: pose.rotation.columns[1] * *y,
                    b: pose.rotation.columns[2] * *z,
                    round: *round,
                });
            let points: Vec<_> = poses.clone().map(|pose| pose.position).collect();
            if let (true, Some(root), Some(end)) = (rest, poses.clone().next(), points.last()) {
                let straight = root.point(Vec3::new(*length, 0.0, 0.0));
                if (straight - *end).norm() > 1e-3 * length {
                    shapes.push(Shape::Rest([root.position, straight]));
                }
            }
            let cross: Vec<Cross> = cross.collect();
            if let (Some(root), Some(first), true) =
                (poses.clone().next(), cross.first(), whole - length > 1e-3 * whole)
            {
                // the part inside is straight
                let inner = root.point(Vec3::new(length - whole, 0.0, 0.0));
                let (points, cross) = (vec![inner, root.position], vec![*first; 2]);
                shapes.push(Shape::Bar { points, cross, bends: false });
            }
            shapes.push(Shape::Bar { points, cross, bends: true });
        }
        for (frame, radius) in &bone.loads {
            shapes.push(Shape::Ball { centre: at(*frame), radius: *radius });
        }
    }

    fn add_joint(
        &self,
        bone: &Bone,
        inboard: &Pose<f64>,
        outboard: &Pose<f64>,
        radius: f64,
        shapes: &mut Vec<Shape>,
    ) {
        let centre = outboard.position;
        let drum = |axis: Vec3<f64>, radius: f64, half: f64| Shape::Drum {
            centre,
            axis: unit(outboard.rotation * axis),
            radius,
            half,
        };
        match (turning_axis(&bone.joint), bone.joint.axes().first(), bone.joint.nv()) {
            (Some(axis), ..) => shapes.push(drum(axis, radius, 1.1 * radius)),
            // a sleeve on the link before
            (None, Some(&axis), _) => {
                let axis = unit(inboard.rotation * Vec3::from(axis));
                let centre = inboard.position;
                shapes.push(Shape::Drum { centre, axis, radius: 0.8 * radius, half: 1.8 * radius });
            }
            (None, None, 0) => {}
            (None, None, 6) => shapes.push(Shape::Ball { centre, radius: 3.0 * radius }),
            (None, None, _) => shapes.push(Shape::Ball { centre, radius }),
        }
        let stands = bone.inboard.is_none() && !matches!(bone.joint, Joint::Free);
        if stands {
            // on the floor where the first axis is upright, else on the wall behind it
            let gravity = -self.arm.gravity();
            let zenith = if gravity.norm() > 0.0 { unit(gravity) } else { Vec3::AXES[2] };
            let axis = turning_axis(&bone.joint).map(|axis| unit(inboard.rotation * axis));
            let axis = axis.filter(|axis| axis.dot(zenith).abs() < 0.7).unwrap_or(zenith);
            let (centre, half) = (inboard.position + axis * (-1.5 * radius), 0.4 * radius);
            shapes.push(Shape::Drum { centre, axis, radius: 2.2 * radius, half });
        }
    }

    /// The farthest two points of the arm when its joints are neutral (m), roughly.
    fn reach(&self) -> f64 {
        let mut work = kinematics::Workspace::new(&self.arm);
        let q = self.arm.neutral();
        let placed = work.place(&self.arm, &q);
        // sums of lengths: an arm that is folded has the same reach
        let at = |frame: usize| placed.pose(frame).position;
        let stretch = |[from, to]: &[usize; 2]| (at(*from) - at(*to)).norm();
        let of = |bone: &Bone| {
            let longest = bone.stretches.iter().map(stretch).fold(0.0, f64::max);
            longest + bone.beam.as_ref().map_or(0.0, |beam| beam.length)
        };
        let sum: f64 = self.bones.iter().map(of).sum();
        if sum > 0.0 { sum } else { 1.0 }
    }
}

/// A name that no file can give.
fn name(what: &str, link: usize) -> String {
    format!("\0{what} {link}")
}

fn change(link: &mut Link, with: impl FnOnce(Link) -> Link) {
    let taken = std::mem::replace(link, Link::new(""));
    *link = with(taken);
}

fn unit(v: Vec3<f64>) -> Vec3<f64> {
    let size = v.norm();
    if size > 0.0 { v * (1.0 / size) } else { Vec3::AXES[2] }
}

/// The last axis of a joint that only turns, in its outboard frame.
fn turning_axis(joint: &Joint) -> Option<Vec3<f64>> {
    let only_turns = joint.turns().iter().all(|turns| *turns);
    joint.axes().last().filter(|_| only_turns).map(|axis| Vec3::from(*axis))
}

/// A round bar without bending, where it has a length.
fn bar(from: Vec3<f64>, to: Vec3<f64>, radius: f64, shapes: &mut Vec<Shape>) {
    let along = to - from;
    if along.norm() <= 0.2 * radius {
        return;
    }
    let along = unit(along);
    let least =
        Vec3::AXES.into_iter().min_by(|a, b| a.dot(along).abs().total_cmp(&b.dot(along).abs()));
    let a = unit(along.cross(least.unwrap_or(Vec3::AXES[0])));
    let cross = Cross { a: a * radius, b: along.cross(a) * radius, round: true };
    shapes.push(Shape::Bar { points: vec![from, to], cross: vec![cross; 2], bends: false });
}

/// The link that a link hangs on.
fn parent(links: &[Link], i: usize) -> Option<usize> {
    match links[i].parts().parent {
        Parent::Previous => i.checked_sub(1),
        Parent::Ground => None,
        Parent::Link(name) => links.iter().position(|link| link.parts().name == name),
    }
}

/// The distance of a part of a beam from its root (m).
fn place(beam: &Beam, part: usize) -> f64 {
    beam.whole_length() * part as f64 / PARTS as f64
}

fn bone(
    links: &[Link],
    parents: &[Option<usize>],
    i: usize,
    link: &Link,
    (frame, outside): (impl Fn(&str) -> Option<usize>, impl Fn(&str) -> Option<usize>),
) -> Option<Bone> {
    let parts = link.parts();
    let outboard = frame(&name("out", i))?;
    let inboard = parents[i].and_then(|_| frame(&name("in", i)));
    let mut stretches = Vec::new();
    let children = (0..links.len()).filter(|child| parents[*child] == Some(i));
    for child in children {
        let section = links[child].parts().section.and_then(|_| frame(&name("at", child)));
        let to = frame(&name("in", child))?;
        stretches.push([section.unwrap_or(outboard), to]);
    }
    let beam = parts.beam.and_then(|beam| {
        let section = |k: usize| {
            let (half, round) = half_axes(beam, place(beam, k));
            Some((frame(&name(&format!("{k}"), i))?, half, round))
        };
        let sections: Option<Vec<_>> = (0..=PARTS).map(section).collect();
        let (length, outside) = (beam.whole_length(), outside(parts.name));
        Some(Curve { sections: sections?, length, outside })
    });
    if let Some(beam) = &beam {
        stretches.push([outboard, beam.sections[0].0]);
    } else if stretches.is_empty() {
        // to the farthest of its frames, which may be its tip
        let own = (parts.name.to_owned(), Pose::IDENTITY);
        let distance = |pose: &Pose<f64>| parts.outboard.then(pose).position.norm();
        let far = parts.frames.iter().chain([&own]);
        let far = far.max_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1)));
        let end = far.and_then(|(name, _)| frame(name));
        stretches.extend(end.map(|end| [outboard, end]));
    }
    let end = beam.as_ref().and_then(|beam| beam.sections.last()).map(|section| section.0);
    let mass: f64 = parts.tip_masses.iter().map(|mass| mass.kilograms).sum();
    let loads = end.filter(|_| mass > 0.0).map(|end| (end, steel_ball(mass))).into_iter().collect();
    let depth = std::iter::successors(parents[i], |link| parents[*link]).take(links.len()).count();
    let thickness =
        beam.as_ref().map_or(0.0, |beam| beam.sections[0].1[0].max(beam.sections[0].1[1]));
    let joint = parts.joint;
    Some(Bone {
        joint,
        inboard,
        ground: parts.placement,
        outboard,
        stretches,
        beam,
        loads,
        depth: i32::try_from(depth).unwrap_or(i32::MAX),
        thickness,
    })
}

/// The radius of a steel ball of this mass (m).
fn steel_ball(mass: f64) -> f64 {
    const STEEL: f64 = 7850.0;
    (3.0 * mass / (4.0 * std::f64::consts::PI * STEEL)).cbrt()
}

/// Half the height and width of a beam at a distance from its root (m), and whether it is round.
/// Where only stiffness and mass are known, those of a rectangle with the same inertia.
fn half_axes(beam: &Beam, distance: f64) -> ([f64; 2], bool) {
    let along = (distance - beam.rigid_root).clamp(0.0, beam.length);
    match beam.profile.at(along) {
        Matter::Made { outline, .. } => match outline {
            CrossSection::Round { diameter } | CrossSection::Tube { diameter, .. } => {
                ([0.5 * diameter; 2], true)
            }
            CrossSection::Rectangle { height, width }
            | CrossSection::Box { height, width, .. }
            | CrossSection::I { height, width, .. } => ([0.5 * height, 0.5 * width], false),
        },
        Matter::Given(section) => {
            let half = |inertia: f64| {
                let square = 3.0 * inertia / section.rho_a;
                if square.is_finite() && square > 0.0 { square.sqrt() } else { 0.0 }
            };
            ([half(section.rho_i_z), half(section.rho_i_y)], false)
        }
    }
}
