//! From an arm and its coordinates to shapes.

use crate::palette::Style;
use crate::scene::{Cross, Scene, Shape};
use pliant::arm::{Arm, BuildError, Builder, Joint, LinkParts};
use pliant::beam::{Beam, Matter};
use pliant::dynamics::{Centreline, Centrelines, EvaluationError, kinematics};
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

/// An arm as pictures show it: its [`Centrelines`], with the thickness of what runs along them.
#[derive(Clone, Debug)]
pub struct Skeleton {
    lines: Centrelines,
    /// One for each link.
    bones: Vec<Bone>,
    /// The frame at the end of the arm.
    tip: Option<usize>,
    /// The radius of what has no thickness of its own (m).
    usual: f64,
}

/// What is drawn of a link besides its centreline; frames by index.
#[derive(Clone, Debug)]
struct Bone {
    joint: Joint,
    /// Where its matter goes: from a frame to another.
    stretches: Vec<[usize; 2]>,
    /// At each station of its beam the half axes along y and z (m), and whether it is round.
    sections: Vec<([f64; 2], bool)>,
    /// Frames of loads, with the radius of a steel ball of their mass (m).
    loads: Vec<(usize, f64)>,
}

/// Into how many parts a beam is divided.
const PARTS: usize = 32;

/// The thickness of what has none, beside the reach of the arm.
const SLENDER: f64 = 0.011;

impl Skeleton {
    /// From the description of an arm and the name of the frame at its tip.
    pub fn new(description: &Builder, tip: Option<&str>) -> Result<Self, BuildError> {
        let links = description.parts().links;
        let stations = |link: usize| {
            let beam = links[link].parts().beam;
            beam.map_or_else(Vec::new, |beam| beam.divided(PARTS).collect())
        };
        let lines = Centrelines::new(description, stations)?;
        let bones = (0..links.len()).map(|link| bone(&lines, link, &links[link].parts())).collect();
        let tip = tip.and_then(|tip| lines.arm().frame(tip).ok());
        let mut skeleton = Self { lines, bones, tip, usual: 0.0 };
        skeleton.usual = SLENDER * skeleton.reach();
        Ok(skeleton)
    }

    /// The arm; its coordinates are those of the description.
    pub fn arm(&self) -> &Arm {
        self.lines.arm()
    }

    /// Where the tip is (m), when the bending is exaggerated.
    pub fn tip(&self, q: &[f64], exaggeration: f64) -> Result<Option<Vec3<f64>>, EvaluationError> {
        let Some(tip) = self.tip else { return Ok(None) };
        let name = self.arm().frames()[tip].name();
        Ok(Some(self.arm().pose(&self.exaggerated(q, exaggeration), name)?.position))
    }

    /// The arm with these coordinates.
    pub fn scene(&self, q: &[f64], look: &Look) -> Result<Scene, EvaluationError> {
        let q = &self.exaggerated(q, look.exaggeration);
        let arm = self.arm();
        if let Some(frame) = arm.frames().first() {
            // says what is wrong with the coordinates
            arm.pose(q, frame.name())?;
        }
        let mut work = kinematics::Workspace::new(arm);
        let placed = work.place(arm, q);
        let mut shapes = Vec::new();
        for (line, bone) in self.lines.links().iter().zip(&self.bones) {
            self.add((line, bone), q, &placed, look.rest, &mut shapes);
        }
        shapes.extend(self.tip.map(|tip| Shape::Tip(placed.pose(tip).position)));
        Ok(Scene { shapes, style: look.style, fade: look.fade })
    }

    /// The coordinates with those of bending multiplied.
    fn exaggerated(&self, q: &[f64], factor: f64) -> Vec<f64> {
        let (arm, mut q) = (self.arm(), q.to_vec());
        for link in 0..arm.body_count() {
            let ball = arm.is_hinge(link) && arm.joints()[link] == Joint::Spherical;
            match q.get_mut(arm.deforming_of(link)) {
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
        (line, bone): (&Centreline, &Bone),
        q: &[f64],
        placed: &kinematics::Placed<'_, f64>,
        rest: bool,
        shapes: &mut Vec<Shape>,
    ) {
        let at = |frame: usize| placed.pose(frame).position;
        let (inboard, outboard) = (line.inboard_pose(placed), placed.pose(line.outboard));
        let slim = self.usual * 0.9_f64.powi(i32::try_from(line.depth).unwrap_or(i32::MAX));
        if !matches!(bone.joint, Joint::Free) {
            // the way of a joint that slides
            bar(inboard.position, outboard.position, 0.6 * slim, shapes);
        }
        let thickness = bone.sections.first().map_or(0.0, |([y, z], _)| y.max(*z));
        let radius = (1.6 * slim).max(1.25 * thickness);
        self.add_joint((line, bone), &inboard, &outboard, radius, shapes);
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
        let poses = line.poses(placed);
        if let (Some(root), Some(end)) = (poses.first(), poses.last()) {
            let (length, whole) = (line.length_outside(q), line.whole_length());
            let cross = bone.sections.iter().zip(&poses).map(|(([y, z], round), pose)| Cross {
                a: pose.rotation.columns[1] * *y,
                b: pose.rotation.columns[2] * *z,
                round: *round,
            });
            let cross: Vec<Cross> = cross.collect();
            let straight = root.point(Vec3::new(length, 0.0, 0.0));
            if rest && (straight - end.position).norm() > 1e-3 * length {
                shapes.push(Shape::Rest([root.position, straight]));
            }
            if let (Some(first), true) = (cross.first(), whole - length > 1e-3 * whole) {
                // the part inside is straight
                let inner = root.point(Vec3::new(length - whole, 0.0, 0.0));
                let (points, cross) = (vec![inner, root.position], vec![*first; 2]);
                shapes.push(Shape::Bar { points, cross, bends: false });
            }
            let points = poses.iter().map(|pose| pose.position).collect();
            shapes.push(Shape::Bar { points, cross, bends: true });
        }
        for (frame, radius) in &bone.loads {
            shapes.push(Shape::Ball { centre: at(*frame), radius: *radius });
        }
    }

    fn add_joint(
        &self,
        (line, bone): (&Centreline, &Bone),
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
        let stands = line.parent.is_none() && !matches!(bone.joint, Joint::Free);
        if stands {
            // on the floor where the first axis is upright, else on the wall behind it
            let gravity = -self.arm().gravity();
            let zenith = if gravity.norm() > 0.0 { unit(gravity) } else { Vec3::AXES[2] };
            let axis = turning_axis(&bone.joint).map(|axis| unit(inboard.rotation * axis));
            let axis = axis.filter(|axis| axis.dot(zenith).abs() < 0.7).unwrap_or(zenith);
            let (centre, half) = (inboard.position + axis * (-1.5 * radius), 0.4 * radius);
            shapes.push(Shape::Drum { centre, axis, radius: 2.2 * radius, half });
        }
    }

    /// The farthest two points of the arm when its joints are neutral (m), roughly.
    fn reach(&self) -> f64 {
        let mut work = kinematics::Workspace::new(self.arm());
        let q = self.arm().neutral();
        let placed = work.place(self.arm(), &q);
        // sums of lengths: an arm that is folded has the same reach
        let at = |frame: usize| placed.pose(frame).position;
        let stretch = |[from, to]: &[usize; 2]| (at(*from) - at(*to)).norm();
        let of = |(line, bone): (&Centreline, &Bone)| {
            let longest = bone.stretches.iter().map(stretch).fold(0.0, f64::max);
            longest + line.whole_length()
        };
        let sum: f64 = self.lines.links().iter().zip(&self.bones).map(of).sum();
        if sum > 0.0 { sum } else { 1.0 }
    }
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

fn bone(lines: &Centrelines, number: usize, parts: &LinkParts<'_>) -> Bone {
    let line = &lines.links()[number];
    let children = lines.links().iter().filter(|one| one.parent == Some(number));
    let mut stretches: Vec<[usize; 2]> = children
        .filter_map(|child| Some([child.section.unwrap_or(line.outboard), child.inboard?]))
        .collect();
    if let Some(root) = line.stations.first() {
        stretches.push([line.outboard, root.frame]);
    } else if stretches.is_empty() {
        // to the farthest of its frames, which may be its tip
        let own = (parts.name, &Pose::IDENTITY);
        let distance = |pose: &Pose<f64>| parts.outboard.then(pose).position.norm();
        let far = parts.frames.iter().map(|(name, _, pose)| (name.as_str(), pose)).chain([own]);
        let far = far.max_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        let end = far.and_then(|(name, _)| lines.arm().frame(name).ok());
        stretches.extend(end.map(|end| [line.outboard, end]));
    }
    let mass: f64 = parts.tip_masses().map(|mass| mass.kilograms).sum();
    let end = line.stations.last().filter(|_| mass > 0.0);
    let loads = end.map(|end| (end.frame, steel_ball(mass))).into_iter().collect();
    let sections = parts.beam.map_or_else(Vec::new, |beam| {
        line.stations.iter().map(|station| half_axes(beam, station.distance)).collect()
    });
    Bone { joint: parts.joint, stretches, sections, loads }
}

/// The radius of a steel ball of this mass (m).
fn steel_ball(mass: f64) -> f64 {
    const STEEL: f64 = 7850.0;
    (3.0 * mass / (4.0 * std::f64::consts::PI * STEEL)).cbrt()
}

/// Half the height and width of a beam at a distance from its root (m), and whether it is round.
/// Where only stiffness and mass are known, those of a rectangle with the same inertia.
fn half_axes(beam: &Beam, distance: f64) -> ([f64; 2], bool) {
    match beam.matter_at(distance) {
        Matter::Made { outline, .. } => {
            (outline.extent().map(|extent| 0.5 * extent), outline.is_round())
        }
        Matter::Given(section) => {
            let half = |inertia: f64| {
                let square = 3.0 * inertia / section.rho_a;
                if square.is_finite() && square > 0.0 { square.sqrt() } else { 0.0 }
            };
            ([half(section.rho_i_z), half(section.rho_i_y)], false)
        }
    }
}
