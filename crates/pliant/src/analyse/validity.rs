//! Whether the options chosen for the beams are right for a state.
//!
//! A beam's shapes are small deflections of a straight line. Where a state goes beyond what the
//! options of a link allow, [`Arm::out_of_range`] says which option to switch on.

use super::Cantilever;
use super::conditions::Conditions;
use super::error::AnalysisError;
use super::modes::Mode;
use crate::arm::Arm;
use crate::beam::{Beam, Profile, Shapes};
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
    /// loads given and of the motion `u`, the accelerations `u̇` left out.
    pub fn out_of_range(
        &self,
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Result<Vec<OutOfRange>, AnalysisError> {
        self.check_configuration(q)?;
        self.check_velocities("u", u)?;
        self.load_forces(q, loads)?;
        let mut found = Vec::new();
        let mut seen = vec![false; self.body_count()];
        for link in 0..self.body_count() {
            let Some(beam) = self.beam_at(link, q).filter(|_| !seen[link]) else { continue };
            let segments = self.segments(link);
            for &segment in &segments {
                seen[segment] = true;
            }
            let slides = self.sliding_of(link).is_some();
            let name = self.link_names()[link].clone();
            let slope = self.steepest(&segments, q);
            if slope > RANGE.slope {
                let steep = |parts: &usize| slope > RANGE.slope * *parts as f64;
                let more = (1..MOST).find(|parts| !steep(parts)).unwrap_or(MOST);
                found.push(OutOfRange::Slope {
                    link: name.clone(),
                    value: slope,
                    limit: RANGE.slope,
                    segments: if slides { 0 } else { segments.len() * more },
                });
            }
            if !beam.foreshortening {
                let stiffens = self.spinning(name.clone(), &segments, q, u);
                found.extend(stiffens.or_else(|| self.pushed(name, &segments, q, u, loads)));
            }
        }
        Ok(found)
    }

    /// The largest slope of a link's segments.
    fn steepest(&self, segments: &[usize], q: &[f64]) -> f64 {
        let mut steepest = 0.0_f64;
        for &segment in segments {
            let Some(beam) = self.beam_at(segment, q) else { continue };
            let bending = &q[self.bending_of(segment).0];
            let shapes = Shapes::new(&beam);
            for piece in shapes.pieces() {
                for x in PLACES {
                    let at = shapes.at(piece.from + x * (piece.to - piece.from), piece.element);
                    let mut slope = [0.0; 2];
                    for (shape, d) in at.iter().zip(bending) {
                        slope.iter_mut().zip(shape.slope).for_each(|(sum, s)| *sum += s * d);
                    }
                    steepest = steepest.max(slope[0].hypot(slope[1]));
                }
            }
        }
        steepest
    }

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
        q: &[f64],
        u: &[f64],
        loads: &[Load],
    ) -> Option<OutOfRange> {
        let (&first, &last) = (segments.first()?, segments.last()?);
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
        let buckling = self.buckling(segments, last, q)?;
        let limit = RANGE.axial * buckling;
        (value.abs() > limit).then_some(OutOfRange::Axial { link, value, limit, buckling })
    }

    /// The lower of the two loads under which a link buckles (N), of those in which it bends.
    fn buckling(&self, segments: &[usize], last: usize, q: &[f64]) -> Option<f64> {
        let beam = self.beam_at(last, q)?;
        let length = segments.iter().filter_map(|&k| Some(self.beam_at(k, q)?.length)).sum();
        // the section along the whole link, segment after segment
        let mut stations = Vec::new();
        let mut root = 0.0;
        for part in segments.iter().filter_map(|&k| self.beam_at(k, q)) {
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
        let ways = beam.basis.ways();
        let whole = Beam { length, profile: Profile::along(stations), ..beam };
        let planes = [(0, ways.bend_y), (1, ways.bend_z)].into_iter().filter(|(_, n)| *n > 0);
        planes
            .filter_map(|(plane, _)| Cantilever::new(&whole).buckling_load(plane))
            .reduce(f64::min)
    }
}
