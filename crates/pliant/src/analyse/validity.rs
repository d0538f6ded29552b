//! Whether the options of the flexible links are valid for a state.
//!
//! A beam's shapes are small deflections of a straight line. Where a state goes beyond what the
//! options of a link allow, [`Arm::out_of_range`] says which option to switch on.

use super::Cantilever;
use super::error::AnalysisError;
use super::places::Places;
use crate::arm::Arm;
use crate::beam::{Beam, Profile};
use crate::dynamics::crba;
use crate::dynamics::kinematics::{self, Axes, Moving};
use crate::dynamics::loads::Load;
use crate::dynamics::passive;
use crate::linear::eigen;
use crate::spatial::Vec3;
use nalgebra::DMatrix;
use std::fmt;

/// The valid range of the options of a link.
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

/// The range that [`Arm::out_of_range`] checks.
pub const RANGE: ValidRange = ValidRange { slope: 0.3, spin: 0.1, axial: 0.05 };

/// The part of a column's own weight that counts like a load on its tip: Euler's 2.467 over
/// Greenhill's 7.837.
const OWN_WEIGHT: f64 = 0.315;

/// No link is advised to have more parts than this times those it has.
const MOST: usize = 50;

/// A link whose options, which are fields of its [`Beam`], are not right for a state. `Display` says
/// why, [`help`](OutOfRange::help) what to choose instead.
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

    /// What would be right.
    pub fn help(&self) -> String {
        match self {
            Self::Slope { segments: 0, .. } => {
                "give it a stiffer section or a smaller load: a link that slides cannot be divided"
                    .to_owned()
            }
            Self::Slope { segments, .. } => {
                format!("divide it into {segments} segments of one finite element each")
            }
            Self::Spin { .. } | Self::Axial { .. } => "switch on its foreshortening".to_owned(),
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link \"{}\": {}", self.link(), self.reason())
    }
}

impl Arm<f64> {
    /// The links whose options are not valid for a state. Axial loads are those of weight, of the
    /// given loads, of force elements and of the motion `u`, without the accelerations `u̇`. For many
    /// states of one arm, [`RangeCheck`] is faster.
    pub fn out_of_range(
        &self,
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Result<Vec<OutOfRange>, AnalysisError> {
        RangeCheck::new(self).at(q, u, loads)
    }
}

/// The data of [`Arm::out_of_range`], computed once for many states: shapes where slopes are
/// evaluated, stiffnesses, buckling loads, and a workspace. Only sliding links need new ones at
/// every length.
#[derive(Clone, Debug)]
pub struct RangeCheck<'a> {
    arm: &'a Arm,
    links: Vec<Watched>,
    /// Where foreshortening is off somewhere.
    motion: Option<Motion>,
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
    /// Where foreshortening is off.
    column: Option<Column>,
}

/// A link as a column that may buckle.
#[derive(Clone, Debug)]
struct Column {
    /// Along the root, link frame.
    axis: Vec3<f64>,
    /// Mass (kg) and centre (link frame, m) of each segment.
    segments: Vec<(f64, Vec3<f64>)>,
    /// Of all bending coordinates (N/m, N m/rad), the root held.
    stiffness: DMatrix<f64>,
    /// The lower of the two loads under which it buckles (N).
    buckling: Option<f64>,
}

/// An arm in a state.
#[derive(Clone, Debug)]
struct Motion {
    kinematics: kinematics::Workspace,
    passive: passive::Workspace,
    crba: crba::Workspace,
    rest: Vec<f64>,
    /// The lower triangle of `M`, row by row.
    mass: Vec<f64>,
    /// The frame of each body; the motors of elastic joints have none.
    frames: Vec<Option<usize>>,
}

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
            let lasting = (!slides).then(|| Lasting::new(arm, &segments, &neutral, foreshortening));
            links.push(Watched { segments, foreshortening, lasting });
        }
        let motion = links.iter().any(|link| !link.foreshortening).then(|| Motion::new(arm));
        Self { arm, links, motion }
    }

    /// The links whose options are not valid for a state, like [`Arm::out_of_range`].
    pub fn at(
        &mut self,
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Result<Vec<OutOfRange>, AnalysisError> {
        let arm = self.arm;
        arm.check_configuration(q)?;
        arm.check_velocities("u", u)?;
        arm.load_forces(q, loads)?;
        let state = self.motion.as_mut().map(|motion| motion.take(arm, q, u));
        let mut found = Vec::new();
        for Watched { segments, foreshortening, lasting } in &self.links {
            let name = &arm.link_names()[segments[0]];
            let present =
                lasting.is_none().then(|| Lasting::new(arm, segments, q, *foreshortening));
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
            if let (Some(state), Some(column)) = (&state, &now.column) {
                let stiffens = state.spinning(segments, column);
                found.extend(stiffens.or_else(|| state.pushed(segments, column, loads)));
            }
        }
        Ok(found)
    }
}

impl Lasting {
    /// Of the segments of a link at the lengths they have in a configuration.
    fn new(arm: &Arm, segments: &[usize], q: &[f64], foreshortening: bool) -> Self {
        let beams: Vec<Beam> = segments.iter().filter_map(|&k| arm.beam_at(k, q)).collect();
        let column = if foreshortening { None } else { Column::new(arm, segments, &beams, q) };
        Self { places: beams.iter().map(Places::new).collect(), column }
    }

    /// The largest slope of a link's segments.
    fn steepest(&self, arm: &Arm, segments: &[usize], q: &[f64]) -> f64 {
        let own = segments.iter().zip(&self.places).map(|(&segment, places)| {
            let bending = &q[arm.bending_of(segment).0];
            places.largest(bending, |shape| shape.slope, |[y, z]| y.hypot(z))
        });
        own.fold(0.0, f64::max)
    }
}

impl Column {
    fn new(arm: &Arm, segments: &[usize], beams: &[Beam], q: &[f64]) -> Option<Self> {
        let place = |beam: &Beam| {
            let matter = beam.at_rest();
            (matter.mass, beam.root.point(matter.centre()))
        };
        Some(Self {
            axis: beams.first()?.root.rotation.columns[0],
            segments: beams.iter().map(place).collect(),
            stiffness: stiffness(arm, segments, q),
            buckling: buckling(beams),
        })
    }
}

/// The elastic forces per bending coordinate of the segments of a link, which do not shorten, at the
/// lengths they have in a configuration.
fn stiffness(arm: &Arm, segments: &[usize], q: &[f64]) -> DMatrix<f64> {
    let size = segments.iter().map(|&segment| arm.bending_of(segment).0.len()).sum();
    let (mut whole, mut first) = (DMatrix::zeros(size, size), 0);
    for &segment in segments {
        let (own, bends) = (arm.bodies[segment].bend_q(), arm.bending_of(segment).0);
        let length = own.len() - bends.len();
        for k in 0..bends.len() {
            let mut d = q[own.clone()].to_vec();
            d[length..].fill(0.0);
            d[length + k] = 1.0;
            let mut forces = vec![0.0; own.len()];
            if let Some(bend) = arm.bodies[segment].bend {
                arm.flexible_bodies[bend].add_elastic(&d, &mut forces);
            }
            whole.view_mut((first, first + k), (bends.len(), 1)).copy_from_slice(&forces[length..]);
        }
        first += bends.len();
    }
    whole
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

impl Motion {
    fn new(arm: &Arm) -> Self {
        Self {
            kinematics: kinematics::Workspace::new(arm),
            passive: passive::Workspace::new(arm),
            crba: crba::Workspace::new(arm),
            rest: vec![0.0; arm.nv()],
            mass: vec![0.0; arm.nv() * arm.nv()],
            frames: arm.link_names().iter().map(|link| arm.frame(link).ok()).collect(),
        }
    }

    fn take<'a>(&'a mut self, arm: &'a Arm, q: &[f64], u: &[f64]) -> State<'a> {
        crba::crba_into(arm, &mut self.crba, q, &mut self.mass);
        let moving = self.kinematics.move_with(arm, q, u, &self.rest);
        let elements = self.passive.wrenches(arm, &moving, [q, u]);
        State { arm, moving, elements, mass: &self.mass, frames: &self.frames }
    }
}

/// What links are held against where foreshortening is off.
struct State<'a> {
    arm: &'a Arm,
    moving: Moving<'a, f64>,
    /// What force elements exert on frames.
    elements: Vec<Load>,
    mass: &'a [f64],
    frames: &'a [Option<usize>],
}

impl State<'_> {
    fn spinning(&self, segments: &[usize], column: &Column) -> Option<OutOfRange> {
        let omega = self.moving.twist(self.frames[segments[0]]?, Axes::Own).angular;
        let value = (omega - column.axis * omega.dot(column.axis)).norm();
        if value == 0.0 {
            return None;
        }
        let frequency = self.first_bending(segments, column)?;
        let limit = RANGE.spin * frequency;
        let link = self.arm.link_names()[segments[0]].clone();
        (value > limit).then_some(OutOfRange::Spin { link, value, limit, frequency })
    }

    /// The lowest frequency of a link alone on its root, what it carries being rigid as it stands
    /// now (rad/s).
    fn first_bending(&self, segments: &[usize], column: &Column) -> Option<f64> {
        let (arm, n) = (self.arm, self.arm.nv());
        let bending = segments.iter().flat_map(|&segment| arm.bending_of(segment).1);
        let bending: Vec<usize> = bending.collect();
        let mass = DMatrix::from_fn(bending.len(), bending.len(), |row, column| {
            let (a, b) = (bending[row], bending[column]);
            self.mass[a.max(b) * n + a.min(b)]
        });
        let spectrum = eigen::solve(&column.stiffness, &mass).ok()?;
        (!spectrum.values.is_empty()).then(|| spectrum.frequency(0))
    }

    fn pushed(&self, segments: &[usize], column: &Column, loads: &[Load]) -> Option<OutOfRange> {
        let Self { arm, moving, frames, .. } = self;
        let (first, buckling) = (segments[0], column.buckling?);
        // what keeps a mass at a place of a body in its motion, world
        let needed = |body: usize, mass: f64, centre: Vec3<f64>| {
            let Some(frame) = frames[body] else { return Vec3::ZERO };
            let (a, twist) =
                (moving.acceleration(frame, Axes::Own), moving.twist(frame, Axes::Own));
            let w = twist.angular;
            let own = a.linear + a.angular.cross(centre) + w.cross(w.cross(centre));
            (moving.placed().pose(frame).rotation * own - arm.gravity()) * mass
        };
        let (mut carried, mut own) = (Vec3::ZERO, Vec3::ZERO);
        let mut outboard = vec![false; arm.body_count()];
        for body in first..arm.body_count() {
            outboard[body] = body == first || arm.parent_of(body).is_some_and(|p| outboard[p]);
            if let Some(k) = segments.iter().position(|&segment| segment == body) {
                let (mass, centre) = column.segments[k];
                own += needed(body, mass, centre);
            } else if outboard[body] {
                let matter = arm.inertia_of(body);
                if matter.mass > 0.0 {
                    carried += needed(body, matter.mass, matter.centre());
                }
            }
        }
        for load in loads.iter().chain(&self.elements) {
            let body = arm.topology.station_bodies[arm.frames[load.frame].station].checked_sub(1);
            if body.is_some_and(|body| outboard[body]) {
                let rotation = moving.placed().pose(load.frame).rotation;
                carried -= match load.axes {
                    Axes::World => load.wrench.force,
                    Axes::Own => rotation * load.wrench.force,
                };
            }
        }
        let axis = moving.placed().pose(frames[first]?).rotation * column.axis;
        let value = axis.dot(carried + own * OWN_WEIGHT);
        let limit = RANGE.axial * buckling;
        let link = arm.link_names()[first].clone();
        (value.abs() > limit).then_some(OutOfRange::Axial { link, value, limit, buckling })
    }
}
