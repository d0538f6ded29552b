//! The textbook's cantilever against the shapes of a beam, loaded as in its arm, and which shapes would
//! be sufficient.

use super::cantilever::Cantilever;
use super::clamped_beam::ClampedBeam;
use super::rebuild::RebuildError;
use crate::arm::Arm;
use crate::beam::{Basis, Beam, ShapeLoad, TipLoad, Ways};
use crate::dynamics::kinematics::Workspace;
use crate::spatial::Vec3;

/// The gravity acceleration across a beam of which nothing else is known (m/s²).
const GRAVITY: f64 = 9.81;
/// Weight across a beam below this part of all is rounding.
const ROUNDING: f64 = 1e-9;
/// How many bending frequencies are compared.
const FREQUENCIES: usize = 3;
/// How often [`CantileverCheck::sufficient_basis`] refines a basis before it takes elements.
pub const REFINEMENTS: usize = 6;
/// How many elements are tried instead.
const ELEMENTS: [usize; 9] = [1, 2, 3, 4, 5, 6, 8, 12, 16];

/// A property of a cantilever that the textbook knows. Planes are 0 for bending along y, 1 along z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CantileverQuantity {
    /// The tip deflection per force at the tip (m/N).
    TipFlexibility {
        /// The plane.
        plane: usize,
    },
    /// The tip deflection under the weight of the beam and of its load (m).
    Sag {
        /// The plane.
        plane: usize,
    },
    /// The bending moment of this weight at the root (N m).
    RootMoment {
        /// The plane.
        plane: usize,
    },
    /// The twist of the tip per torque there (rad/(N m)).
    Twist,
    /// The elongation per force at the tip (m/N).
    Stretch,
    /// A bending frequency (rad/s).
    BendingFrequency {
        /// The plane.
        plane: usize,
        /// Which, from 1.
        number: usize,
    },
    /// The lowest frequency of twist (rad/s).
    TwistFrequency,
    /// The buckling load (N).
    BucklingLoad {
        /// The plane.
        plane: usize,
    },
}

/// A property of a cantilever, from the textbook and from shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CantileverComparison {
    /// Which property; its unit.
    pub quantity: CantileverQuantity,
    /// Its exact value: [`Cantilever`].
    pub textbook: f64,
    /// Its value from the shapes: [`ClampedBeam`]; `None` where there are too few.
    pub computed: Option<f64>,
    /// Whether it decides if the shapes are sufficient: what the beam does under its load does
    /// (deflections, moments and first frequencies), and twist and stretch where a load may twist
    /// and pull it. The buckling load does not.
    pub judged: bool,
}

impl CantileverComparison {
    /// The relative error of the shapes.
    pub fn error(&self) -> Option<f64> {
        Some(self.computed? / self.textbook - 1.0)
    }
}

/// A beam and how it is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedBeam {
    /// The beam.
    pub beam: Beam,
    /// What hangs on its tip.
    pub load: TipLoad,
    /// The gravity acceleration (m/s²), beam axes.
    pub gravity: Vec3<f64>,
}

impl LoadedBeam {
    /// Whether anything hangs on its tip.
    pub fn is_loaded(&self) -> bool {
        self.load.mass > 0.0
    }
}

/// A beam with a free tip, and 9.81 m/s² across it in either plane.
impl From<Beam> for LoadedBeam {
    fn from(beam: Beam) -> Self {
        Self { beam, load: TipLoad::default(), gravity: Vec3::new(0.0, GRAVITY, GRAVITY) }
    }
}

/// A beam clamped at its root, with its load on its tip: its shapes against the textbook.
#[derive(Clone, Debug, PartialEq)]
pub struct CantileverCheck {
    /// The beam and its load.
    pub loaded: LoadedBeam,
    /// All properties that its shapes can have.
    pub comparisons: Vec<CantileverComparison>,
}

impl CantileverCheck {
    /// Compares the shapes of a beam with the textbook.
    ///
    /// ```
    /// use pliant::analyse::CantileverCheck;
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    /// let material = Material::named("steel").expect("known");
    /// let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    /// let modes = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
    /// let check = CantileverCheck::new(Beam::new(1.0, matter, modes))?;
    /// assert!(check.worst().is_some_and(|(_, error)| error > 0.005));
    /// assert_eq!(check.sufficient_basis(0.005), Some(Basis::ClampedFree(Ways::new(2, 2, 0, 0))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(beam: impl Into<LoadedBeam>) -> Result<Self, RebuildError> {
        use CantileverQuantity::{
            BendingFrequency, BucklingLoad, RootMoment, Sag, Stretch, TipFlexibility, Twist,
            TwistFrequency,
        };
        let loaded = beam.into();
        let LoadedBeam { beam, load, gravity } = &loaded;
        let (clamped, textbook) =
            (ClampedBeam::loaded(beam, load)?, Cantilever::loaded(beam, *load));
        let [y, z, twist, stretch] = beam.basis.ways().to_array().map(|n| n > 0);
        let mut comparisons = Vec::new();
        let mut add = |quantity, textbook: f64, computed: Option<f64>, judged| {
            let computed = computed.filter(|x| x.is_finite());
            comparisons.push(CantileverComparison { quantity, textbook, computed, judged });
        };
        let planes = [(0, y), (1, z)].into_iter().filter(|(_, on)| *on).map(|(plane, _)| plane);
        for plane in planes.clone() {
            let (exact, computed) =
                (textbook.tip_flexibility(plane), clamped.tip_flexibility(plane));
            add(TipFlexibility { plane }, exact, computed, true);
            let across = if plane == 0 { gravity.y } else { gravity.z }.abs();
            if across > ROUNDING * gravity.norm() {
                let (sag, moment) = (across * textbook.sag(plane), across * textbook.root_moment());
                add(Sag { plane }, sag, clamped.sag(plane, across), true);
                add(RootMoment { plane }, moment, clamped.root_moment(plane, across), true);
            }
        }
        if twist {
            add(Twist, textbook.twist(), clamped.twist(), loaded.is_loaded());
        }
        if stretch {
            add(Stretch, textbook.stretch(), clamped.stretch(), loaded.is_loaded());
        }
        for plane in planes.clone() {
            let computed = clamped.bending_frequencies(plane);
            let exact = textbook.bending_frequencies(plane, FREQUENCIES);
            for (k, exact) in exact.into_iter().enumerate() {
                let quantity = BendingFrequency { plane, number: k + 1 };
                add(quantity, exact, computed.get(k).copied(), k == 0);
            }
        }
        if let Some(exact) = textbook.twist_frequency().filter(|_| twist) {
            add(TwistFrequency, exact, clamped.twist_frequency(), true);
        }
        if beam.foreshortening {
            for plane in planes {
                if let Some(exact) = textbook.buckling_load(plane) {
                    add(BucklingLoad { plane }, exact, clamped.buckling_load(plane), false);
                }
            }
        }
        Ok(Self { loaded, comparisons })
    }

    /// The judged comparison with the largest error, and its size; infinite where the shapes give no
    /// value.
    pub fn worst(&self) -> Option<(&CantileverComparison, f64)> {
        let judged = self.comparisons.iter().filter(|one| one.judged);
        let errors = judged.map(|one| (one, one.error().map_or(f64::INFINITY, f64::abs)));
        errors.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether no judged comparison has a larger relative error.
    pub fn is_sufficient(&self, tolerance: f64) -> bool {
        self.worst().is_none_or(|(_, error)| error <= tolerance)
    }

    /// The smallest basis found whose judged errors are within a relative tolerance: that of the
    /// beam; as many clamped-mass shapes for its load instead of clamped-free ones; the same refined up
    /// to [`REFINEMENTS`] times ([`Basis::refined`]); or up to 16 finite elements.
    pub fn sufficient_basis(&self, tolerance: f64) -> Option<Basis> {
        let own = &self.loaded.beam;
        let is_sufficient = |beam: &Beam| {
            let loaded = LoadedBeam { beam: beam.clone(), ..self.loaded.clone() };
            Self::new(loaded).is_ok_and(|check| check.is_sufficient(tolerance))
        };
        if self.is_sufficient(tolerance) {
            return Some(own.basis.clone());
        }
        if let (Basis::ClampedFree(ways), true) = (&own.basis, self.loaded.is_loaded()) {
            let load = ShapeLoad::Given(self.loaded.load);
            let basis = Basis::ClampedMass { ways: *ways, load };
            if is_sufficient(&Beam { basis: basis.clone(), ..own.clone() }) {
                return Some(basis);
            }
        }
        let mut more = own.clone();
        for _ in 0..REFINEMENTS {
            more.basis = more.basis.refined();
            if is_sufficient(&more) {
                return Some(more.basis);
            }
        }
        if let Basis::Hermite { .. } = own.basis {
            return None;
        }
        let [y, z, twist, stretch] = own.basis.ways().to_array().map(|n| n > 0);
        let ways = Ways::new(y, z, twist, stretch);
        // foreshortening costs much and changes nothing but the buckling load
        let of = |elements| Basis::Hermite { elements, ways };
        let made_of = |basis| Beam { basis, foreshortening: false, ..own.clone() };
        ELEMENTS.into_iter().map(of).find(|basis| is_sufficient(&made_of(basis.clone())))
    }
}

impl Arm<f64> {
    /// A link's beam as a cantilever, from its description, loaded as in this arm: with its shapes,
    /// with everything that hangs on its tip when all joints are neutral, as one rigid body, and with
    /// the weight of this posture. A sliding link is taken at its largest length. What hangs part-way
    /// along the beam is left out, and so is what hangs on a link of rigid pieces.
    pub fn as_cantilever(&self, link: &str, described: &Beam) -> LoadedBeam {
        let body = self.link_names().iter().position(|name| name == link);
        let last = body.and_then(|body| self.segments(body).last().copied());
        let load = last.and_then(|body| self.tip_load_of(body)).unwrap_or_default();
        let (mut work, neutral) = (Workspace::new(self), self.neutral());
        let gravity = self.frame(link).map_or(Vec3::ZERO, |frame| {
            let link = work.place(self, &neutral).pose(frame).rotation;
            described.root.rotation.transpose_mul(link.transpose_mul(self.gravity()))
        });
        let mut beam = described.clone();
        let sliding = body.and_then(|body| self.sliding_of(body));
        if let Some((built, slide)) = sliding.and_then(|built| Some((built, built.slide?))) {
            beam = Beam { reduction: None, ..built.at_length(slide.stroke[1]) };
        } else if let (1, Some(built)) = (beam.segments, body.and_then(|body| self.beam_of(body))) {
            beam.basis = built.basis.clone();
        }
        LoadedBeam { beam, load, gravity }
    }
}
