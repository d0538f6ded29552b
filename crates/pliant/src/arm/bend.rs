//! A rigid link becomes a flexible one: a beam, and two bodies with the rest of its matter.

use super::bend_error::BendError;
use super::builder::Builder;
use super::link::{Attachment, Link, Mass};
use super::tree::UnknownName;
use crate::beam::Beam;
use crate::spatial::{Mat3, Pose, RigidInertia, Sym3, Vec3, axis_rotation};

/// Where the beam of a link runs. By default it leads from the link's joint to the outermost joint
/// that the link carries, moved sideways through the centre of mass: tubes have theirs on the axis,
/// joints often stand beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeamAxis {
    /// The child or the frame of the link at which it ends.
    pub to: Option<String>,
    /// Its direction, link frame; it is turned round where the end lies behind.
    pub along: Option<[f64; 3]>,
    /// Its length (m), where it does not reach as far as the end.
    pub length: Option<f64>,
}

/// What is small beside 1 in masses and moments that are subtracted.
const ROUNDING: f64 = 1e-9;

impl Builder {
    /// The root frame of the beam of a rigid link, in the link frame, and its length (m).
    ///
    /// Its x axis is that of the beam, and the shortest turn leads there from the x axis of the link
    /// frame, or from that in the other direction where this is nearer.
    ///
    /// ```
    /// use pliant::arm::{BeamAxis, Builder, Joint, Link};
    /// use pliant::spatial::Pose;
    ///
    /// let arm = Builder::new("arm")
    ///     .link(Link::new("fore").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.0, 0.0, 0.2]))
    ///     .link(Link::new("hand").placed(Pose::at(0.0, 0.0, 0.5)));
    /// let (root, length) = arm.beam_along("fore", &BeamAxis::default())?;
    /// assert_eq!((root.rotation.columns[0].to_array(), length), ([0.0, 0.0, 1.0], 0.5));
    /// # Ok::<(), pliant::arm::BendError>(())
    /// ```
    pub fn beam_along(&self, link: &str, axis: &BeamAxis) -> Result<(Pose<f64>, f64), BendError> {
        let at = self.rigid_link(link)?;
        let described = &self.links[at];
        let joint = described.outboard.inverse().position;
        let matter = described.root_inertia();
        let centre = if matter.mass > 0.0 { matter.centre() } else { joint };
        let along = axis.along.map(Vec3::from).and_then(unit);
        let end = self.end(at, axis.to.as_deref(), |place| match along {
            Some(along) => (place - joint).dot(along).abs(),
            None => (place - joint).norm(),
        })?;
        let towards = end.unwrap_or(centre) - joint;
        let direction = along
            .map(|along| if along.dot(towards) < 0.0 { -along } else { along })
            .or_else(|| unit(towards));
        let length = axis.length.or_else(|| Some(direction?.dot(end? - joint)));
        let link = || link.to_owned();
        let (Some(direction), Some(length)) = (direction, length) else {
            return Err(BendError::NoEnd { link: link() });
        };
        if !(length > ROUNDING && length.is_finite()) {
            return Err(BendError::NoLength { link: link(), length });
        }
        let position = centre + direction * direction.dot(joint - centre);
        let length = rounded(length, length);
        Ok((tidy(Pose::new(turn_taking_x_to(direction), position), length), length))
    }

    /// Replaces the matter of a rigid link by a beam and two rigid bodies, so that the undeformed arm
    /// stays as it is: frames, masses and moments of inertia. What the link carries is attached to
    /// the section beside it, or to the tip or the root where it is beyond.
    ///
    /// What the beam does not account for, of the mass `m`, stands at equal distances on both sides
    /// of the middle of the beam: `h` is the radius of gyration of the rest along the beam, about
    /// that middle, and `e` the distance of its centre of mass outward from there.
    ///
    /// ```text
    /// m_root = m (h − e)/2h  at L/2 − h,    m_tip = m (h + e)/2h  at L/2 + h                   (1)
    /// ```
    ///
    /// Of all pairs of bodies with the mass, the first and the second moment of the rest along the
    /// beam these are the nearest to its ends, in the mean square. Across the beam they lie on the
    /// line of regression, and each has its part of the moments about it, like a disc; so all ten
    /// moments are met, to twelve digits.
    pub fn bend(mut self, link: &str, beam: Beam) -> Result<Self, BendError> {
        let at = self.rigid_link(link)?;
        let [at_root, at_tip] = divided(&self.rest(at, &beam)?, beam.whole_length());
        for child in 0..self.links.len() {
            if self.parts().parent_of(child) == Some(at) {
                let Link { attachment, placement, .. } = &mut self.links[child];
                attach(&beam, attachment, placement);
            }
        }
        let own = &mut self.links[at];
        for (_, attachment, pose) in &mut own.frames {
            attach(&beam, attachment, pose);
        }
        own.masses.clear();
        own.skews.clear();
        let bodies = [(Attachment::Root, at_root.seen_from(&beam.root)), (Attachment::Tip, at_tip)];
        for (attachment, body) in bodies {
            if body.mass > 0.0 {
                let (centre, tensor) = (body.centre(), body.tensor_about_centre());
                let (length, trace) = (beam.whole_length(), tensor.trace());
                let centre = centre.cast(|x| rounded(x, length));
                let tensor = tensor.cast(|x| rounded(x, trace));
                let kilograms = rounded(body.mass, body.mass);
                own.masses.push((attachment, Mass { kilograms, centre, tensor }));
                own.skews.push(0.0);
            }
        }
        own.beam = Some(beam);
        Ok(self)
    }

    /// The largest part, up to 1, of a beam's density with which it fits into a rigid link: what it
    /// leaves of the link's mass and moments is then that of a body.
    pub fn density_that_fits(&self, link: &str, beam: &Beam) -> Result<f64, BendError> {
        let at = self.rigid_link(link)?;
        let (whole, beam) = (self.links[at].root_inertia(), whole(link, beam)?);
        Ok(largest_part(&whole, &beam))
    }

    /// A link without a beam, by its place in the description.
    fn rigid_link(&self, link: &str) -> Result<usize, BendError> {
        let unknown = || UnknownName { what: "link", name: link.to_owned() };
        let at = self.links.iter().position(|one| one.name == link).ok_or_else(unknown)?;
        match self.links[at].beam {
            Some(_) => Err(BendError::HasBeam { link: link.to_owned() }),
            None => Ok(at),
        }
    }

    /// The place of what is at the end of a link's beam (m), link frame: of a child or frame by its
    /// name, else of the outermost child, else of the outermost frame.
    fn end(
        &self,
        at: usize,
        to: Option<&str>,
        distance: impl Fn(Vec3<f64>) -> f64,
    ) -> Result<Option<Vec3<f64>>, BendError> {
        let children = (0..self.links.len())
            .filter(|&child| self.parts().parent_of(child) == Some(at))
            .map(|child| (self.links[child].name.as_str(), self.links[child].placement.position));
        let children: Vec<(&str, Vec3<f64>)> = children.collect();
        let frames = self.links[at].frames.iter();
        let frames: Vec<_> = frames.map(|(name, _, pose)| (name.as_str(), pose.position)).collect();
        let Some(to) = to else {
            let outermost = |all: &[(&str, Vec3<f64>)]| {
                let places = all.iter().map(|(_, place)| *place);
                let away = places.filter(|place| distance(*place) > ROUNDING);
                away.max_by(|a, b| distance(*a).total_cmp(&distance(*b)))
            };
            return Ok(outermost(&children).or_else(|| outermost(&frames)));
        };
        let mut carried = children.iter().chain(&frames);
        carried.find(|(name, _)| *name == to).map(|(_, place)| Some(*place)).ok_or_else(|| {
            BendError::UnknownEnd {
                link: self.links[at].name.clone(),
                end: to.to_owned(),
                carried: children.iter().chain(&frames).map(|(name, _)| (*name).into()).collect(),
            }
        })
    }

    /// What a beam leaves of a link's matter, beam frame.
    fn rest(&self, at: usize, beam: &Beam) -> Result<RigidInertia<f64>, BendError> {
        let own = self.links[at].root_inertia();
        let bar = whole(&self.links[at].name, beam)?;
        let rest = minus(&own, &bar, 1.0);
        let link = || self.links[at].name.clone();
        let fits = || largest_part(&own, &bar);
        if rest.mass < -ROUNDING * own.mass || own.mass <= 0.0 {
            let (mass, beam) = (own.mass, bar.mass);
            return Err(BendError::TooHeavy { link: link(), mass, beam, fits: fits() });
        }
        if !is_possible(&rest, &own) {
            let moments = rest.tensor_about_centre().eigenvalues();
            let (mass, beam) = (rest.mass, bar.mass);
            return Err(BendError::Impossible { link: link(), mass, beam, moments, fits: fits() });
        }
        Ok(rest.seen_from(&beam.root.inverse()))
    }
}

/// A beam with its rigid parts, undeformed, link frame.
fn whole(link: &str, beam: &Beam) -> Result<RigidInertia<f64>, BendError> {
    if beam.slide.is_some() {
        return Err(BendError::Slides);
    }
    let at = |distance: f64| Pose::at(distance, 0.0, 0.0);
    let [root, tip] = [beam.rigid_root, beam.rigid_tip];
    let ends = [
        beam.bar(0.0, 0.0, root),
        beam.bar(beam.length, 0.0, tip).seen_from(&at(root + beam.length)),
    ];
    let bending = beam.at_rest().seen_from(&at(root));
    let whole = ends.iter().fold(bending, |sum, end| sum.plus(end)).seen_from(&beam.root);
    if !(whole.mass + whole.second.trace()).is_finite() {
        return Err(BendError::NoLength { link: link.to_owned(), length: beam.whole_length() });
    }
    Ok(whole)
}

/// What is left without a part of the other.
fn minus(a: &RigidInertia<f64>, b: &RigidInertia<f64>, part: f64) -> RigidInertia<f64> {
    RigidInertia {
        mass: a.mass - part * b.mass,
        first: a.first - b.first * part,
        second: a.second - b.second.scaled(part),
    }
}

/// `∫ (r − c)(r − c)ᵀ dm` about the centre of mass (kg m²).
fn about_centre(body: &RigidInertia<f64>) -> Sym3<f64> {
    body.second - Sym3::outer(body.centre()).scaled(body.mass)
}

/// Whether a body can have these moments, beside those of the whole that they are left of.
fn is_possible(rest: &RigidInertia<f64>, whole: &RigidInertia<f64>) -> bool {
    let small = ROUNDING * about_centre(whole).trace();
    if rest.mass <= ROUNDING * whole.mass {
        return rest.mass >= -ROUNDING * whole.mass && rest.second.trace().abs() <= small;
    }
    about_centre(rest).eigenvalues()[0] >= -small
}

/// The largest part of a beam, up to 1, that leaves a possible body.
fn largest_part(whole: &RigidInertia<f64>, beam: &RigidInertia<f64>) -> f64 {
    let leaves = |part: f64| is_possible(&minus(whole, beam, part), whole);
    if leaves(1.0) {
        return 1.0;
    }
    let (mut fits, mut too_much) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (fits + too_much);
        *(if leaves(middle) { &mut fits } else { &mut too_much }) = middle;
    }
    if leaves(0.0) { fits } else { 0.0 }
}

/// The two bodies of (1), from what is left in the frame of a beam of a length (m): the inner one in
/// the frame of its root, the outer one in that of its tip.
fn divided(rest: &RigidInertia<f64>, length: f64) -> [RigidInertia<f64>; 2] {
    let (m, centre, about) = (rest.mass, rest.centre(), about_centre(rest));
    if m <= 0.0 {
        return [RigidInertia::ZERO; 2];
    }
    let e = centre.x - 0.5 * length;
    let h = e.hypot((about.xx / m).max(0.0).sqrt());
    // the line of regression, and what is about it
    let slope = |product: f64| if about.xx > 0.0 { product / about.xx } else { 0.0 };
    let [y, z] = [slope(about.xy), slope(about.xz)];
    let across = Sym3 {
        yy: about.yy - y * about.xy,
        zz: about.zz - z * about.xz,
        yz: about.yz - y * about.xz,
        ..Sym3::ZERO
    };
    [(-1.0, 0.0), (1.0, length)].map(|(side, end)| {
        let part = if h > 0.0 { 0.5 * (h + side * e) / h } else { 0.5 };
        let place = centre + Vec3::new(1.0, y, z) * (side * h - e) - Vec3::new(end, 0.0, 0.0);
        RigidInertia::new(part * m, place, across.scaled(part).trace_complement())
    })
}

/// Moves an attachment from the link frame to the section of the beam beside it.
fn attach(beam: &Beam, attachment: &mut Attachment, pose: &mut Pose<f64>) {
    let length = beam.whole_length();
    let on_beam = beam.root.inverse().then(pose);
    let distance = on_beam.position.x;
    let slack = ROUNDING * length;
    if distance <= slack {
        *attachment = Attachment::Root;
        return;
    }
    let (at, distance) = if distance < length - slack {
        (Attachment::Section(distance), distance)
    } else {
        (Attachment::Tip, length)
    };
    *attachment = at;
    *pose = tidy(Pose::at(-distance, 0.0, 0.0).then(&on_beam), length);
}

/// A number to twelve digits, and zero where it is nothing beside others: what people read.
fn rounded(x: f64, largest: f64) -> f64 {
    if x.abs() < 1e-12 * largest { 0.0 } else { format!("{x:.11e}").parse().unwrap_or(x) }
}

/// A pose with a position that people can read.
fn tidy(pose: Pose<f64>, length: f64) -> Pose<f64> {
    Pose::new(pose.rotation, pose.position.cast(|x| rounded(x, length)))
}

/// The direction of a vector that has one.
fn unit(vector: Vec3<f64>) -> Option<Vec3<f64>> {
    let length = vector.norm();
    (length > ROUNDING && length.is_finite()).then(|| vector * (1.0 / length))
}

/// The shortest turn that takes x to a direction; behind, the shortest one from the other end of x
/// after half a turn about z.
fn turn_taking_x_to(direction: Vec3<f64>) -> Mat3<f64> {
    let [x, y, z] = Vec3::AXES;
    let start = if direction.x < 0.0 { Mat3::from_columns(-x, -y, z) } else { Mat3::IDENTITY };
    let from = start.columns[0];
    let axis = from.cross(direction);
    let (sin, cos) = (axis.norm(), from.dot(direction));
    if sin < 1e-15 {
        return start;
    }
    axis_rotation(axis * (1.0 / sin), sin, cos).matmul(&start)
}
