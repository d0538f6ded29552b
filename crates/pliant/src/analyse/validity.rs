//! Whether the options chosen for the beams are right for a state.
//!
//! A beam's shapes are small deflections of a straight line. Where a state goes beyond what the
//! options of a link allow, [`Arm::out_of_range`] says which option to switch on.

use super::Cantilever;
use super::conditions::Conditions;
use super::error::AnalysisError;
use super::modes::Mode;
use crate::arm::Arm;
use crate::beam::{Beam, Piece, Profile, Shapes};
use crate::dynamics::kinematics::{Axes, Workspace};
use crate::dynamics::loads::Load;
use crate::spatial::Vec3;
use std::fmt;

/// Up to where the options of a link are trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidRange {
    /// The largest slope within one segment; its square is left out.
    pub slope: f64,
    /// The largest spin rate over the first bending frequency without foreshortening: its square
    /// is the part of the stiffness that is missing.
    pub spin: f64,
    /// The largest axial load over the buckling load without foreshortening: the part of the
    /// stiffness that is missing.
    pub axial: f64,
}

/// The range that [`Arm::out_of_range`] holds states against.
pub const RANGE: ValidRange = ValidRange { slope: 0.3, spin: 0.1, axial: 0.05 };

/// The part of a column's own weight that counts like a load on its tip: Euler's 2.467 over
/// Greenhill's 7.837.
const OWN_WEIGHT: f64 = 0.315;

/// No link is advised to have more parts than this times those it has.
const MOST: usize = 50;

/// Where in a stretch of beam slopes are looked at.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A link whose options are not right for a state. The messages name the options as arm files
/// do; in Rust they are fields of [`Beam`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OutOfRange {
    /// It bends further than shapes can describe.
    Slope {
        /// The link.
        link: String,
        /// The largest slope.
        value: f64,
        /// Up to where shapes are right.
        limit: f64,
        /// Into how many parts the link should be divided; 0 where it slides and cannot be.
        segments: usize,
    },
    /// It spins, and foreshortening is off.
    Spin {
        /// The link.
        link: String,
        /// How fast it turns, its own axis left out (rad/s).
        value: f64,
        /// Up to which rate foreshortening may be left out (rad/s).
        limit: f64,
        /// Its first bending frequency, root held (rad/s).
        frequency: f64,
    },
    /// It is pushed or pulled, and foreshortening is off.
    Axial {
        /// The link.
        link: String,
        /// The load, positive where it pushes (N).
        value: f64,
        /// Up to which load foreshortening may be left out (N).
        limit: f64,
        /// The load under which it buckles (N).
        buckling: f64,
    },
}

impl OutOfRange {
    /// The link.
    pub fn link(&self) -> &str {
        match self {
            Self::Slope { link, .. } | Self::Spin { link, .. } | Self::Axial { link, .. } => link,
        }
    }

    /// What the state has, and up to where the options of the link are right.
    pub fn reason(&self) -> String {
        match self {
            Self::Slope { value, limit, .. } => {
                format!("its slope reaches {value:.3}, and its shapes are right up to {limit}")
            }
            Self::Spin { value, limit, frequency, .. } => format!(
                "it spins at {value:.4} rad/s, and with a first bending frequency of {frequency:.4} rad/s foreshortening may be left out up to {limit:.4} rad/s"
            ),
            Self::Axial { value, limit, buckling, .. } => {
                let word = if *value > 0.0 { "pushed" } else { "pulled" };
                let size = value.abs();
                format!(
                    "it is {word} along its axis with {size:.4} N, and since it buckles at {buckling:.4} N foreshortening may be left out up to {limit:.4} N"
                )
            }
        }
    }

    /// The option of an arm file that mends it.
    pub fn option(&self) -> String {
        match self {
            Self::Slope { segments: 0, .. } => {
                "a stiffer section or a smaller load: a link that slides cannot be divided"
                    .to_owned()
            }
            Self::Slope { segments, .. } => {
                format!("shapes = \"elements\", elements = 1, segments = {segments}")
            }
            Self::Spin { .. } | Self::Axial { .. } => "stiffening = true".to_owned(),
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link \"{}\": {}; use {}", self.link(), self.reason(), self.option())
    }
}

impl Arm<f64> {
    /// The links whose options are not right for a state. Axial loads are those of weight, of the
    /// loads given and of the motion `u`, the accelerations `u̇` left out. For many states of one
    /// arm, [`RangeCheck`] is faster.
    pub fn out_of_range(
        &self,
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Result<Vec<OutOfRange>, AnalysisError> {
        RangeCheck::new(self).at(q, u, loads)
    }
}

/// What [`Arm::out_of_range`] looks at, made once for many states: shapes where slopes are looked
/// at, and buckling loads. Only links that slide have others at every length.
#[derive(Clone, Debug)]
pub struct RangeCheck<'a> {
    arm: &'a Arm,
    links: Vec<Watched>,
}

/// A link that bends.
#[derive(Clone, Debug)]
struct Watched {
    /// The bodies it was divided into.
    segments: Vec<usize>,
    foreshortening: bool,
    /// What does not change; none of a link that slides.
    lasting: Option<Lasting>,
}

/// What a link at one length has.
#[derive(Clone, Debug)]
struct Lasting {
    /// Segment by segment.
    places: Vec<Places>,
    /// The lower of the two loads under which it buckles (N), where foreshortening is off.
    buckling: Option<f64>,
}

/// The slopes `(v', w')` of a segment's shapes at the places where they are looked at.
type Places = Vec<Vec<[f64; 2]>>;

impl<'a> RangeCheck<'a> {
    /// For the links of an arm.
    pub fn new(arm: &'a Arm) -> Self {
        let mut links = Vec::new();
        let mut seen = vec![false; arm.body_count()];
        let neutral = arm.neutral();
        for link in 0..arm.body_count() {
            let Some(beam) = arm.beam_at(link, &neutral).filter(|_| !seen[link]) else { continue };
            let segments = arm.segments(link);
            for &segment in &segments {
                seen[segment] = true;
            }
            let foreshortening = beam.foreshortening;
            let slides = arm.sliding_of(link).is_some();
            let lasting =
                (!slides).then(|| Lasting::new(arm, &segments, &neutral, !foreshortening));
            links.push(Watched { segments, foreshortening, lasting });
        }
        Self { arm, links }
    }

    /// The links whose options are not right for a state, as [`Arm::out_of_range`] tells them.
    pub fn at(
        &self,
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Result<Vec<OutOfRange>, AnalysisError> {
        let arm = self.arm;
        arm.check_configuration(q)?;
        arm.check_velocities("u", u)?;
        arm.load_forces(q, loads)?;
        let mut found = Vec::new();
        for Watched { segments, foreshortening, lasting } in &self.links {
            let name = &arm.link_names()[segments[0]];
            let present =
                lasting.is_none().then(|| Lasting::new(arm, segments, q, !foreshortening));
            let Some(now) = lasting.as_ref().or(present.as_ref()) else { continue };
            let slope = now.steepest(arm, segments, q);
            if slope > RANGE.slope {
                let steep = |parts: &usize| slope > RANGE.slope * *parts as f64;
                let more = (1..MOST).find(|parts| !steep(parts)).unwrap_or(MOST);
                found.push(OutOfRange::Slope {
                    link: name.clone(),
                    value: slope,
                    limit: RANGE.slope,
                    segments: if lasting.is_none() { 0 } else { segments.len() * more },
                });
            }
            if !foreshortening {
                let stiffens = arm
                    .spinning(name.clone(), segments, q, u)
                    .or_else(|| arm.pushed(name.clone(), segments, [q, u], loads, now.buckling?));
                found.extend(stiffens);
            }
        }
        Ok(found)
    }
}

impl Lasting {
    /// Of the segments of a link at the lengths they have in a configuration.
    fn new(arm: &Arm, segments: &[usize], q: &[f64], buckles: bool) -> Self {
        let beams: Vec<Beam> = segments.iter().filter_map(|&k| arm.beam_at(k, q)).collect();
        let buckling = if buckles { buckling(&beams) } else { None };
        Self { places: beams.iter().map(places).collect(), buckling }
    }

    /// The largest slope of a link's segments.
    fn steepest(&self, arm: &Arm, segments: &[usize], q: &[f64]) -> f64 {
        let mut steepest = 0.0_f64;
        for (&segment, places) in segments.iter().zip(&self.places) {
            let bending = &q[arm.bending_of(segment).0];
            for at in places {
                let mut slope = [0.0; 2];
                for (slopes, d) in at.iter().zip(bending) {
                    slope.iter_mut().zip(slopes).for_each(|(sum, s)| *sum += s * d);
                }
                steepest = steepest.max(slope[0].hypot(slope[1]));
            }
        }
        steepest
    }
}

/// The shapes of a beam where slopes are looked at.
fn places(beam: &Beam) -> Places {
    let shapes = Shapes::new(beam);
    let on =
        |piece: &Piece| PLACES.map(|x| (piece.from + x * (piece.to - piece.from), piece.element));
    let all = shapes.pieces().iter().flat_map(on);
    all.map(|(s, element)| shapes.at(s, element).iter().map(|shape| shape.slope).collect())
        .collect()
}

/// The lower of the two loads under which a link of these segments buckles (N), of those in which it
/// bends.
fn buckling(beams: &[Beam]) -> Option<f64> {
    let last = beams.last()?;
    let length = beams.iter().map(|beam| beam.length).sum();
    // the section along the whole link, segment after segment
    let mut stations = Vec::new();
    let mut root = 0.0;
    for part in beams {
        let own = part.profile.stations();
        let ends = [own.first(), own.last()].into_iter().flatten();
        let places = if own.len() > 1 {
            own.iter().map(|(s, matter)| (root + s, matter.clone())).collect()
        } else {
            let far = [root, root + part.length].into_iter();
            far.zip(ends).map(|(s, (_, matter))| (s, matter.clone())).collect::<Vec<_>>()
        };
        stations.extend(places);
        root += part.length;
    }
    let ways = last.basis.ways();
    let whole = Beam { length, profile: Profile::along(stations), ..last.clone() };
    let planes = [(0, ways.bend_y), (1, ways.bend_z)].into_iter().filter(|(_, n)| *n > 0);
    planes.filter_map(|(plane, _)| Cantilever::new(&whole).buckling_load(plane)).reduce(f64::min)
}

impl Arm<f64> {
    fn spinning(
        &self,
        link: String,
        segments: &[usize],
        q: &[f64],
        u: &[f64],
    ) -> Option<OutOfRange> {
        let first = segments[0];
        let beam = self.beam_at(first, q)?;
        let mut work = Workspace::new(self);
        let moving = work.move_with(self, q, u, &vec![0.0; self.nv()]);
        let omega = moving.twist(self.frame(&self.link_names()[first]).ok()?, Axes::Own).angular;
        let axis = beam.root.rotation.columns[0];
        let value = (omega - axis * omega.dot(axis)).norm();
        if value == 0.0 {
            return None;
        }
        let frequency = self.first_bending(segments, q)?;
        let limit = RANGE.spin * frequency;
        (value > limit).then_some(OutOfRange::Spin { link, value, limit, frequency })
    }

    /// The lowest frequency of a link alone on its root, what it carries being rigid (rad/s).
    fn first_bending(&self, segments: &[usize], q: &[f64]) -> Option<f64> {
        let bending = segments.iter().flat_map(|&segment| self.bending_of(segment).1);
        let weightless = self.clone().with_gravity(Vec3::ZERO);
        let modes =
            weightless.modes_of(&bending.collect::<Vec<_>>(), q.to_vec(), &Conditions::default());
        modes.ok()?.modes.first().map(Mode::frequency)
    }

    fn pushed(
        &self,
        link: String,
        segments: &[usize],
        [q, u]: [&[f64]; 2],
        loads: &[Load],
        buckling: f64,
    ) -> Option<OutOfRange> {
        let first = segments[0];
        let mut work = Workspace::new(self);
        let moving = work.move_with(self, q, u, &vec![0.0; self.nv()]);
        let frame = |body: usize| self.frame(&self.link_names()[body]).ok();
        // what keeps a mass at a place of a body in its motion, world
        let needed = |body: usize, mass: f64, centre: Vec3<f64>| {
            let frame = frame(body)?;
            let (a, twist) =
                (moving.acceleration(frame, Axes::Own), moving.twist(frame, Axes::Own));
            let w = twist.angular;
            let own = a.linear + a.angular.cross(centre) + w.cross(w.cross(centre));
            Some((moving.placed().pose(frame).rotation * own - self.gravity()) * mass)
        };
        let (mut carried, mut own) = (Vec3::ZERO, Vec3::ZERO);
        let mut outboard = vec![false; self.body_count()];
        for body in first..self.body_count() {
            outboard[body] = body == first || self.parent_of(body).is_some_and(|p| outboard[p]);
            if segments.contains(&body) {
                let beam = self.beam_at(body, q)?;
                let matter = beam.at_rest();
                own += needed(body, matter.mass, beam.root.point(matter.centre()))?;
            } else if outboard[body] {
                let matter = self.inertia_of(body);
                if matter.mass > 0.0 {
                    carried += needed(body, matter.mass, matter.centre())?;
                }
            }
        }
        for load in loads {
            let body = self.words.station_bodies[self.frames[load.frame].station].checked_sub(1);
            if body.is_some_and(|body| outboard[body]) {
                let rotation = moving.placed().pose(load.frame).rotation;
                carried -= match load.axes {
                    Axes::World => load.wrench.force,
                    Axes::Own => rotation * load.wrench.force,
                };
            }
        }
        let axis = moving.placed().pose(frame(first)?).rotation
            * self.beam_at(first, q)?.root.rotation.columns[0];
        let value = axis.dot(carried + own * OWN_WEIGHT);
        let limit = RANGE.axial * buckling;
        (value.abs() > limit).then_some(OutOfRange::Axial { link, value, limit, buckling })
    }
}
