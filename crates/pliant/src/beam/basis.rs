//! Which shapes a beam may take.

use super::coordinate::{BeamCoordinate, Deformation, Dimension};

/// One value for each way in which a beam deforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways<T> {
    /// Bending with deflection along y.
    pub bend_y: T,
    /// Bending with deflection along z.
    pub bend_z: T,
    /// Twist about x.
    pub torsion: T,
    /// Stretch along x.
    pub axial: T,
}

impl<T: Copy> Ways<T> {
    /// In the order of the coordinates: bending along y, bending along z, torsion, axial.
    pub fn new(bend_y: T, bend_z: T, torsion: T, axial: T) -> Self {
        Self { bend_y, bend_z, torsion, axial }
    }

    /// The same in the order of the coordinates.
    pub fn to_array(self) -> [T; 4] {
        [self.bend_y, self.bend_z, self.torsion, self.axial]
    }
}

/// What a beam carries at its tip, or at another section, as far as its own shapes are concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TipLoad {
    /// Mass (kg).
    pub mass: f64,
    /// How far beyond the tip its centre lies along x (m).
    pub offset: f64,
    /// Moments of inertia about the tip (kg m²), axes of the section.
    pub inertia: [f64; 3],
}

/// Everything that hangs on a beam when all joints are neutral and locked: where, from the root of
/// the part that bends (m), and what. It is looked up when the arm is built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CarriedLoads(Option<Vec<(f64, TipLoad)>>);

impl CarriedLoads {
    /// The loads; none where they have not been looked up.
    pub fn as_slice(&self) -> &[(f64, TipLoad)] {
        self.0.as_deref().unwrap_or_default()
    }
}

/// Whether the load is given or looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeLoad {
    /// Everything that hangs on the tip, as it hangs when all joints are neutral and locked. What
    /// hangs part-way along the beam is not part of these shapes.
    Outboard,
    /// This much.
    Given(TipLoad),
}

/// A family of shapes; each gets one coordinate.
///
/// All of them are clamped at the root, since the joint before the beam carries the rotation
/// there. Bending modes of uniform beams are scaled to `∫ φ² ds = L`, eigenmodes to the mean of
/// their square over the beam's mass.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Modes of the beam as it is loaded: clamped at the root, with its varying section, with shear
    /// where the beam has it, and with everything outboard as rigid bodies where they hang, their
    /// centres off the axis and their inertia included. [`Basis::loaded`] makes them.
    ///
    /// The default of arm files. With two of them per plane, the first two frequencies per plane of
    /// a clamped arm, static deflections and moments at roots agree with those of many finite
    /// elements to a few tenths of a per cent, because the first modes of a loaded beam are almost
    /// its deflections under a force and a moment at the tip, which further links pass on; modes
    /// of a beam without load have no moment there and converge slowly. No two shapes serve
    /// everything: of higher frequencies, and of some of joints that turn freely, modes without
    /// load come nearer. For these take more shapes, or [`Basis::Eigenmodes`] with a hinge.
    ///
    /// The modes are those of `12 + 4n` finite elements, `n` the largest number of modes each way:
    /// the frequencies of the link alone are then converged to 0.01 % in bending, and to 0.3 % in
    /// twist and stretch. The ways are separate: what couples them, such as a centre beside the axis
    /// in twist and bending, is in the arm's equations, but not in its shapes.
    Loaded {
        /// How many each way.
        ways: Ways<usize>,
        /// What hangs on the beam.
        carried: CarriedLoads,
    },
    /// Modes of the uniform beam clamped at the root and free at the tip, so many each way.
    ClampedFree(Ways<usize>),
    /// Modes of the uniform beam clamped at the root with a mass at the tip; Theodore (9), with
    /// the tip conditions corrected. The offset of the load is not part of these shapes:
    /// [`Basis::Eigenmodes`] know it.
    ClampedMass {
        /// How many each way.
        ways: Ways<usize>,
        /// What hangs at the tip.
        load: ShapeLoad,
    },
    /// Bending modes of the uniform beam pinned at the root and free at the tip, entered as
    /// `φ(s) − φ'(0) s` so that the joint carries the rotation; twist and stretch as for
    /// [`Basis::ClampedFree`].
    RootPinned(Ways<usize>),
    /// Equal finite elements; per node outward `(v, θ_z)`, `(w, θ_y)`, `θ_x`, `u_x`, as far as
    /// switched on. Cubic in bending, linear in twist and stretch. King (3-2).
    Hermite {
        /// How many elements.
        elements: usize,
        /// Which ways it deforms.
        ways: Ways<bool>,
    },
    /// Modes of the finite-element beam itself, with its varying section, its load and the way it
    /// is held at the root: King 3.10. The choice for beams that are not uniform and for joints
    /// that turn freely.
    Eigenmodes {
        /// How many elements the modes are made of.
        elements: usize,
        /// How many modes each way.
        ways: Ways<usize>,
        /// What hangs at the tip.
        load: ShapeLoad,
        /// The inertia about z (kg m²) of a hub that turns freely in the plane of y bending;
        /// without it the root is clamped.
        hinge_y: Option<f64>,
        /// The inertia about y (kg m²) of a hub that turns freely in the plane of z bending.
        hinge_z: Option<f64>,
    },
    /// No shapes at all: rigid pieces with springs between them, for deflections of any size and
    /// for speed. The hinges are joints of their own, in the middle of equal lengths, so that the
    /// first and the last piece are half as long as the others.
    Pieces {
        /// How many pieces, one more than there are hinges.
        pieces: usize,
        /// Which ways the hinges turn; they do not stretch.
        ways: Ways<bool>,
        /// Whether the root passes no moment on, because the joint there turns freely. Then all
        /// pieces are equally long, with one hinge less than that needs elsewhere.
        pinned: bool,
    },
}

impl Basis {
    /// Modes of the beam as it is loaded, so many each way, for what it will be found to carry.
    pub fn loaded(ways: Ways<usize>) -> Self {
        Self::Loaded { ways, carried: CarriedLoads::default() }
    }

    /// How many shapes each way.
    pub fn ways(&self) -> Ways<usize> {
        match *self {
            Self::ClampedFree(ways)
            | Self::RootPinned(ways)
            | Self::ClampedMass { ways, .. }
            | Self::Loaded { ways, .. }
            | Self::Eigenmodes { ways, .. } => ways,
            Self::Hermite { elements, ways } => {
                let [y, z, x, s] = ways.to_array().map(|on| if on { elements } else { 0 });
                Ways::new(2 * y, 2 * z, x, s)
            }
            Self::Pieces { pieces, ways, .. } => {
                let hinges = pieces.saturating_sub(1);
                let [y, z, x, s] = ways.to_array().map(|on| if on { hinges } else { 0 });
                Ways::new(y, z, x, s)
            }
        }
    }

    /// How many shapes.
    pub fn count(&self) -> usize {
        self.ways().to_array().iter().sum()
    }

    /// How many elements it is made of, if it is.
    pub(crate) fn elements(&self) -> Option<usize> {
        match *self {
            Self::Hermite { elements, .. } | Self::Eigenmodes { elements, .. } => Some(elements),
            Self::Loaded { ways, .. } => {
                Some(12 + 4 * ways.to_array().into_iter().max().unwrap_or(0))
            }
            _ => None,
        }
    }

    /// What the shapes take to hang at the tip.
    pub(crate) fn load(&self) -> Option<ShapeLoad> {
        match *self {
            Self::ClampedMass { load, .. } | Self::Eigenmodes { load, .. } => Some(load),
            _ => None,
        }
    }

    /// The load of the shapes, the heaviest of several, nothing where it was not looked up.
    pub(crate) fn given_load(&self) -> TipLoad {
        match self {
            Self::Loaded { carried, .. } => {
                let loads = carried.as_slice().iter().map(|(_, load)| *load);
                loads.max_by(|a, b| a.mass.total_cmp(&b.mass)).unwrap_or_default()
            }
            _ => match self.load() {
                Some(ShapeLoad::Given(load)) => load,
                _ => TipLoad::default(),
            },
        }
    }

    /// The loads that form the shapes of a beam of this length (m), and where; `None` for shapes
    /// that know none.
    pub(crate) fn forming_loads(&self, length: f64) -> Option<Vec<(f64, TipLoad)>> {
        match self {
            Self::Loaded { carried, .. } => Some(carried.as_slice().to_vec()),
            _ => self.load().map(|_| vec![(length, self.given_load())]),
        }
    }

    /// The same with the load at the tip looked up.
    pub(crate) fn with_load(mut self, found: TipLoad) -> Self {
        if let Self::ClampedMass { load, .. } | Self::Eigenmodes { load, .. } = &mut self {
            *load = ShapeLoad::Given(found);
        }
        self
    }

    /// Looks up what the shapes do not know yet: the load at the tip, or all loads and where they
    /// hang.
    pub(crate) fn look_up(
        &mut self,
        tip: impl FnOnce() -> TipLoad,
        all: impl FnOnce() -> Vec<(f64, TipLoad)>,
    ) {
        match self {
            Self::ClampedMass { load, .. } | Self::Eigenmodes { load, .. }
                if *load == ShapeLoad::Outboard =>
            {
                *load = ShapeLoad::Given(tip());
            }
            Self::Loaded { carried: CarriedLoads(loads @ None), .. } => *loads = Some(all()),
            _ => {}
        }
    }

    /// One shape more each way it deforms, or one element more; modes of elements get both.
    #[must_use]
    pub fn refined(mut self) -> Self {
        let more = |n: usize| if n == 0 { 0 } else { n + 1 };
        match &mut self {
            Self::Hermite { elements, .. } => *elements += 1,
            Self::Pieces { pieces, .. } => *pieces += 1,
            Self::ClampedFree(ways)
            | Self::RootPinned(ways)
            | Self::ClampedMass { ways, .. }
            | Self::Loaded { ways, .. }
            | Self::Eigenmodes { ways, .. } => {
                let [y, z, x, s] = ways.to_array().map(more);
                *ways = Ways::new(y, z, x, s);
            }
        }
        if let Self::Eigenmodes { elements, ways, .. } = &mut self {
            let [y, z, x, s] = ways.to_array();
            *elements = (*elements + 1).max(y.div_ceil(2)).max(z.div_ceil(2)).max(x).max(s);
        }
        self
    }

    /// The coordinates: `y1` for the first bending shape along y (or the first node's deflection),
    /// `z`, `x` for twist, `s` for stretch, and of nodes `rz` and `ry` for their rotations; at nodes
    /// of a beam that slides `dy` and `dz` for the derivatives by `η = s/l`, which are lengths.
    pub(crate) fn coordinates(&self, slides: bool) -> Vec<BeamCoordinate> {
        use Deformation::{BendingY, BendingZ, Stretch, Twist};
        use Dimension::{Angle, Length};
        match *self {
            Self::Hermite { elements, ways } => {
                let Ways { bend_y, bend_z, torsion, axial } = ways;
                let [rz, ry] = if slides {
                    [("dy", Length), ("dz", Length)]
                } else {
                    [("rz", Angle), ("ry", Angle)]
                };
                let all = [
                    (("y", Length), BendingY, bend_y),
                    (rz, BendingY, bend_y),
                    (("z", Length), BendingZ, bend_z),
                    (ry, BendingZ, bend_z),
                    (("x", Angle), Twist, torsion),
                    (("s", Length), Stretch, axial),
                ];
                let on: Vec<_> = all.into_iter().filter(|(.., on)| *on).collect();
                let node = |k: usize| {
                    on.iter().map(move |&((letters, dimension), deformation, _)| {
                        BeamCoordinate::new(letters, k, deformation, dimension)
                    })
                };
                (1..=elements).flat_map(node).collect()
            }
            // hinges are joints, which have names of their own
            Self::Pieces { .. } => Vec::new(),
            _ => [
                ("y", BendingY, Length),
                ("z", BendingZ, Length),
                ("x", Twist, Angle),
                ("s", Stretch, Length),
            ]
            .into_iter()
            .zip(self.ways().to_array())
            .flat_map(|((letter, deformation, dimension), count)| {
                (1..=count).map(move |k| BeamCoordinate::new(letter, k, deformation, dimension))
            })
            .collect(),
        }
    }
}
