//! Beams: what they are made of and the shapes in which they deform.

use super::{PoseArgument, need, not_negative, positive, unknown_word};
use crate::error::{Kind, raise};
use pliant::beam::{
    self, Basis, CrossSection, Damping, Matter, Ply, Profile, ShapeLoad, Slide, TipLoad, Ways,
};
use pyo3::prelude::*;

/// A material as a beam sees it.
///
/// young, shear: moduli (Pa); density: kg/m³; strength: the stress it may bear (Pa).
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Material(beam::Material);

#[pymethods]
impl Material {
    #[new]
    #[pyo3(signature = (*, young, shear, density, strength=None, name="own"))]
    fn new(
        py: Python<'_>,
        young: f64,
        shear: f64,
        density: f64,
        strength: Option<f64>,
        name: &str,
    ) -> PyResult<Self> {
        let numbers = [("young", young), ("shear", shear), ("density", density)];
        let numbers = numbers.into_iter().chain(strength.map(|strength| ("strength", strength)));
        need(py, &numbers.map(|(name, value)| positive(name, value)).collect::<Vec<_>>())?;
        let name = name.to_owned();
        Ok(Self(beam::Material { name, young, shear, density, strength, source: "" }))
    }

    /// A material of the library by its name.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str) -> PyResult<Self> {
        let found = beam::Material::named(name);
        found.map(Self).ok_or_else(|| unknown_word(py, "material", name, &beam::Material::NAMES))
    }

    /// A symmetric laminate of equal plies at these angles to the beam's axis (rad), each with its
    /// opposite, by classical lamination theory.
    ///
    /// along, across, shear: moduli of a ply (Pa); poisson: contraction across per extension along;
    /// density: kg/m³; strength: along the fibres (Pa). By default those of carbon fibre T300/5208.
    #[staticmethod]
    #[pyo3(signature = (
        angles, *, along=181e9, across=10.3e9, shear=7.17e9, poisson=0.28, density=1600.0,
        strength=1.5e9
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn laminate(
        py: Python<'_>,
        angles: Vec<f64>,
        along: f64,
        across: f64,
        shear: f64,
        poisson: f64,
        density: f64,
        strength: f64,
    ) -> PyResult<Self> {
        need(py, &[positive("the number of angles", angles.len() as f64)])?;
        need(
            py,
            &angles.iter().map(|&angle| ("angles", angle, true, "finite")).collect::<Vec<_>>(),
        )?;
        need(
            py,
            &[positive("along", along), positive("across", across), positive("shear", shear)],
        )?;
        let stable = poisson * poisson * across < along;
        need(py, &[("poisson", poisson, stable, "such that poisson**2 * across < along")])?;
        need(py, &[positive("density", density), positive("strength", strength)])?;
        let ply = Ply { along, across, shear, poisson, density, strength };
        let angles: Vec<f64> = angles.into_iter().map(f64::to_degrees).collect();
        Ok(Self(beam::Material::laminate(&ply, &angles, "")))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Young's modulus along the beam (Pa).
    #[getter]
    fn young(&self) -> f64 {
        self.0.young
    }

    /// Shear modulus (Pa).
    #[getter]
    fn shear(&self) -> f64 {
        self.0.shear
    }

    /// Density (kg/m³).
    #[getter]
    fn density(&self) -> f64 {
        self.0.density
    }

    /// The stress it may bear (Pa), if it is known.
    #[getter]
    fn strength(&self) -> Option<f64> {
        self.0.strength
    }

    fn __repr__(&self) -> String {
        let beam::Material { name, young, shear, density, strength, .. } = &self.0;
        if beam::Material::named(name).as_ref() == Some(&self.0) {
            return format!("Material.named(\"{name}\")");
        }
        let strength = strength.map_or_else(String::new, |own| format!(", strength={own:?}"));
        format!(
            "Material(young={young:?}, shear={shear:?}, density={density:?}{strength}, name=\"{name}\")"
        )
    }
}

/// A material, or the name of one.
#[derive(FromPyObject)]
enum MaterialArgument<'py> {
    Own(Bound<'py, Material>),
    Named(String),
}

impl MaterialArgument<'_> {
    fn material(self, py: Python<'_>) -> PyResult<beam::Material> {
        match self {
            Self::Own(own) => Ok(own.get().0.clone()),
            Self::Named(name) => Material::named(py, &name).map(|own| own.0),
        }
    }
}

/// A cross-section: an outline filled with a material, or its properties. Its y and z axes are
/// principal; x runs along the beam. Dimensions in metres.
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Section(Matter);

impl Section {
    fn made(
        py: Python<'_>,
        outline: CrossSection,
        material: MaterialArgument<'_>,
    ) -> PyResult<Self> {
        if let Some((name, value, needed)) = outline.fault() {
            need(py, &[(name, value, false, needed)])?;
        }
        Ok(Self(Matter::Made { outline, material: material.material(py)? }))
    }
}

#[pymethods]
impl Section {
    /// A full circle.
    #[staticmethod]
    fn round(py: Python<'_>, diameter: f64, material: MaterialArgument<'_>) -> PyResult<Self> {
        Self::made(py, CrossSection::Round { diameter }, material)
    }

    /// A circle with a circular hole.
    #[staticmethod]
    fn tube(
        py: Python<'_>,
        diameter: f64,
        wall: f64,
        material: MaterialArgument<'_>,
    ) -> PyResult<Self> {
        Self::made(py, CrossSection::Tube { diameter, wall }, material)
    }

    /// A full rectangle: height along y, width along z.
    #[staticmethod]
    fn rectangle(
        py: Python<'_>,
        height: f64,
        width: f64,
        material: MaterialArgument<'_>,
    ) -> PyResult<Self> {
        Self::made(py, CrossSection::Rectangle { height, width }, material)
    }

    /// A rectangle with a rectangular hole: height along y, width along z.
    #[staticmethod]
    fn r#box(
        py: Python<'_>,
        height: f64,
        width: f64,
        wall: f64,
        material: MaterialArgument<'_>,
    ) -> PyResult<Self> {
        Self::made(py, CrossSection::Box { height, width, wall }, material)
    }

    /// Two flanges across y, joined by a web: height along y, width along z.
    #[staticmethod]
    fn i(
        py: Python<'_>,
        height: f64,
        width: f64,
        web: f64,
        flange: f64,
        material: MaterialArgument<'_>,
    ) -> PyResult<Self> {
        Self::made(py, CrossSection::I { height, width, web, flange }, material)
    }

    /// By its properties: stiffnesses EA (N), EI and GJ (N m²), kGA (N, without it no shear), mass
    /// per length (kg/m) and the inertia of the section per length (kg m).
    #[staticmethod]
    #[pyo3(signature = (*, rho_a, ei_y, ei_z, gj, ea, kga_y=None, kga_z=None, rho_i_y=0.0, rho_i_z=0.0))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn given(
        py: Python<'_>,
        rho_a: f64,
        ei_y: f64,
        ei_z: f64,
        gj: f64,
        ea: f64,
        kga_y: Option<f64>,
        kga_z: Option<f64>,
        rho_i_y: f64,
        rho_i_z: f64,
    ) -> PyResult<Self> {
        need(
            py,
            &[positive("rho_a", rho_a), not_negative("ei_y", ei_y), not_negative("ei_z", ei_z)],
        )?;
        need(py, &[not_negative("gj", gj), not_negative("ea", ea)])?;
        need(
            py,
            &[positive("kga_y", kga_y.unwrap_or(1.0)), positive("kga_z", kga_z.unwrap_or(1.0))],
        )?;
        need(py, &[not_negative("rho_i_y", rho_i_y), not_negative("rho_i_z", rho_i_z)])?;
        let section = beam::Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y };
        Ok(Self(Matter::Given(section)))
    }

    fn __repr__(&self) -> String {
        match &self.0 {
            Matter::Made { outline, material } => {
                let kind = match outline {
                    CrossSection::Round { .. } => "round",
                    CrossSection::Tube { .. } => "tube",
                    CrossSection::Rectangle { .. } => "rectangle",
                    CrossSection::Box { .. } => "box",
                    CrossSection::I { .. } => "i",
                };
                let dimensions = outline.dimensions();
                let numbers = dimensions.iter().map(|(name, value)| format!("{name}={value:?}"));
                let numbers = numbers.collect::<Vec<_>>().join(", ");
                let material = Material(material.clone()).__repr__();
                format!("Section.{kind}({numbers}, material={material})")
            }
            Matter::Given(section) => {
                let beam::Section { ea, ei_z, ei_y, gj, rho_a, rho_i_z, rho_i_y, .. } = section;
                let shear = [("kga_y", section.kga_y), ("kga_z", section.kga_z)];
                let shear = shear
                    .into_iter()
                    .filter_map(|(name, value)| value.map(|value| format!(", {name}={value:?}")));
                let shear: String = shear.collect();
                format!(
                    "Section.given(rho_a={rho_a:?}, ei_y={ei_y:?}, ei_z={ei_z:?}, gj={gj:?}, ea={ea:?}{shear}, rho_i_y={rho_i_y:?}, rho_i_z={rho_i_z:?})"
                )
            }
        }
    }
}

/// The most shapes each way, elements or pieces, and segments, as files have them.
const MOST_SHAPES: usize = 20;
const MOST_PARTS: usize = 100;
const MOST_SEGMENTS: usize = 200;

/// The most coordinates of a segment, and of all of them.
const MOST_COORDINATES: (usize, usize) = (100, 500);

/// The families of shapes.
const SHAPES: [&str; 7] = [
    "loaded",
    "clamped-free",
    "clamped-mass",
    "root-pinned",
    "elements",
    "eigenmodes",
    "rigid-pieces",
];

/// One section, or sections at their distances from the root (m).
enum SectionArgument<'py> {
    One(Bound<'py, Section>),
    Along(Vec<(f64, Bound<'py, Section>)>),
}

impl<'py> FromPyObject<'_, 'py> for SectionArgument<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = value.cast::<Section>() {
            return Ok(Self::One(one.to_owned()));
        }
        if let Ok(along) = value.extract() {
            return Ok(Self::Along(along));
        }
        let message = format!("section is {}, which is no section", value.repr()?);
        let help = "give a Section, such as Section.tube(0.03, 0.002, \"steel\"), or pairs of a distance from the root (m) and a Section";
        Err(raise(value.py(), Kind::Argument, &message, Some(help)))
    }
}

/// A beam along the x axis of its root frame.
///
/// length: of the part that bends (m); section: a ``Section``, or pairs of a distance from the root
/// (m) and a section there; y, z, twist, axial: how many shapes each way, of ``shapes``:
/// ``"loaded"`` (modes with what the link carries), ``"clamped-free"``, ``"clamped-mass"``,
/// ``"root-pinned"``, ``"elements"``, ``"eigenmodes"`` or ``"rigid-pieces"``. For the last three
/// ``elements`` says how many elements or pieces there are; of elements and pieces y, z, twist and
/// axial only switch ways on. load: mass (kg), offset (m) and moments of inertia (kg m²) at the tip
/// for clamped-mass shapes and eigenmodes, by default what hangs there; hinge_y, hinge_z: inertia
/// (kg m²) of a hub that turns freely, of eigenmodes; pinned: whether rigid pieces hang on a joint
/// that turns freely. root: pose of the root in the link frame; rigid_root, rigid_tip: lengths of
/// rigid parts (m); segments: into how many beams it is divided. damping: ratios to critical damping,
/// one or one per mode; damping_mass (1/s), damping_stiffness (s): in proportion. shear: whether its
/// sections shear, by default where it is thick. slides: the smallest and largest length outside (m)
/// of a beam that slides, with slide_prescribed, slide_damping (N s/m), slide_armature (kg).
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Debug)]
pub(super) struct Beam(pub(super) beam::Beam);

#[pymethods]
impl Beam {
    #[new]
    #[pyo3(signature = (
        length, section, *, y=0, z=0, twist=0, axial=0, shapes="loaded", elements=None, load=None,
        hinge_y=None, hinge_z=None, pinned=false, root=None, rigid_root=0.0, rigid_tip=0.0, segments=1,
        damping=None, damping_mass=0.0, damping_stiffness=0.0, shear=None, foreshortening=true,
        slides=None, slide_prescribed=false, slide_damping=0.0, slide_armature=0.0
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    fn new(
        py: Python<'_>,
        length: f64,
        section: SectionArgument<'_>,
        y: usize,
        z: usize,
        twist: usize,
        axial: usize,
        shapes: &str,
        elements: Option<usize>,
        load: Option<(f64, f64, [f64; 3])>,
        hinge_y: Option<f64>,
        hinge_z: Option<f64>,
        pinned: bool,
        root: Option<PoseArgument>,
        rigid_root: f64,
        rigid_tip: f64,
        segments: usize,
        damping: Option<Ratios>,
        damping_mass: f64,
        damping_stiffness: f64,
        shear: Option<bool>,
        foreshortening: bool,
        slides: Option<[f64; 2]>,
        slide_prescribed: bool,
        slide_damping: f64,
        slide_armature: f64,
    ) -> PyResult<Self> {
        need(py, &[positive("length", length), positive("segments", segments as f64)])?;
        for (name, count, most) in [
            ("y", y, MOST_SHAPES),
            ("z", z, MOST_SHAPES),
            ("twist", twist, MOST_SHAPES),
            ("axial", axial, MOST_SHAPES),
            ("elements", elements.unwrap_or(1), MOST_PARTS),
            ("segments", segments, MOST_SEGMENTS),
        ] {
            if count > most {
                let (message, help) = (format!("{name} is {count}"), format!("at most {most}"));
                return Err(raise(py, Kind::Argument, &message, Some(&help)));
            }
        }
        need(py, &[not_negative("rigid_root", rigid_root), not_negative("rigid_tip", rigid_tip)])?;
        let ratios = damping.map_or_else(Vec::new, Ratios::list);
        for &ratio in &ratios {
            need(py, &[("damping", ratio, (0.0..1.0).contains(&ratio), "from 0 to below 1")])?;
        }
        need(py, &[not_negative("damping_mass", damping_mass)])?;
        need(py, &[not_negative("damping_stiffness", damping_stiffness)])?;
        let profile: Profile = match section {
            SectionArgument::One(section) => section.get().0.clone().into(),
            SectionArgument::Along(stations) => {
                let station =
                    |(place, own): &(f64, Bound<'_, Section>)| (*place, own.get().0.clone());
                Profile::along(stations.iter().map(station).collect())
            }
        };
        let counts = Ways::new(y, z, twist, axial);
        let ways = Ways::new(y > 0, z > 0, twist > 0, axial > 0);
        let load = load.map_or(ShapeLoad::Outboard, |(mass, offset, inertia)| {
            ShapeLoad::Given(TipLoad { mass, offset, inertia })
        });
        let needed = || {
            elements.filter(|count| *count > 0).ok_or_else(|| {
                let message = format!("shapes is \"{shapes}\", and elements is {elements:?}");
                raise(
                    py,
                    Kind::Argument,
                    &message,
                    Some("say how many elements or pieces there are"),
                )
            })
        };
        let basis = match shapes {
            "loaded" => Basis::loaded(counts),
            "clamped-free" => Basis::ClampedFree(counts),
            "clamped-mass" => Basis::ClampedMass { ways: counts, load },
            "root-pinned" => Basis::RootPinned(counts),
            "elements" => Basis::Hermite { elements: needed()?, ways },
            "eigenmodes" => {
                Basis::Eigenmodes { elements: needed()?, ways: counts, load, hinge_y, hinge_z }
            }
            "rigid-pieces" => Basis::Pieces { pieces: needed()?, ways, pinned },
            word => return Err(unknown_word(py, "shapes", word, &SHAPES)),
        };
        if basis.count() > MOST_COORDINATES.0 || basis.count() * segments > MOST_COORDINATES.1 {
            let many = basis.count() * segments;
            let message = format!("the beam would have {many} coordinates in {segments} segments");
            let (one, all) = MOST_COORDINATES;
            let help = format!("at most {one} in a segment and {all} in all: take fewer shapes");
            return Err(raise(py, Kind::Argument, &message, Some(&help)));
        }
        let mut beam = beam::Beam::new(length, profile, basis);
        beam.root = root.map_or(beam.root, |root| root.0);
        (beam.rigid_root, beam.rigid_tip, beam.segments) = (rigid_root, rigid_tip, segments);
        beam.foreshortening = foreshortening;
        beam.shear = shear.unwrap_or(beam.shear);
        beam.damping = Damping { mass: damping_mass, stiffness: damping_stiffness, ratios };
        beam.slide = slides.map(|[smallest, largest]| Slide {
            prescribed: slide_prescribed,
            damping: slide_damping,
            armature: slide_armature,
            ..Slide::between(smallest, largest)
        });
        Ok(Self(beam))
    }

    /// The mass of the part that bends (kg).
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass()
    }

    fn __repr__(&self) -> String {
        format!("Beam(length={} m, mass={} kg)", self.0.length, self.0.mass())
    }
}

/// One ratio, or one for each mode.
#[derive(FromPyObject)]
enum Ratios {
    One(f64),
    Each(Vec<f64>),
}

impl Ratios {
    fn list(self) -> Vec<f64> {
        match self {
            Self::One(0.0) => Vec::new(),
            Self::One(ratio) => vec![ratio],
            Self::Each(ratios) => ratios,
        }
    }
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Material>()?;
    module.add_class::<Section>()?;
    module.add_class::<Beam>()
}
