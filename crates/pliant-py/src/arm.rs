//! `pliant.Arm`: where arms come from, and what they know of themselves.

use crate::arguments::{one_state, q as q_of};
use crate::bending::Bending;
use crate::compiled::Compiled;
use crate::error::{Kind, raise_evaluation, raise_help, raise_report};
use crate::ode::Ode;
use crate::settings::settings;
use crate::work::Pool;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pliant_draw::{Look, Picture, Size, Skeleton, View};
use pliant_io::urdf::{self, Base, FixedJoints, Options};
use pliant_io::{Loaded, Source, scenario};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An arm, checked and ready to compute. It does not change, and threads may share it.
///
/// Made by ``Arm.load``, ``Arm.parse``, ``Arm.from_urdf`` and ``Builder.build``.
#[pyclass(frozen, module = "pliant", weakref)]
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) loaded: Arc<Loaded>,
    /// The text that it was read from, which gives the same arm to the last bit.
    text: Option<String>,
    pub(crate) work: Pool,
    /// For arrays of many states.
    pub(crate) compiled: Compiled,
    /// Whether a state was seen in which every free coordinate has inertia.
    pub(crate) has_inertia: AtomicBool,
}

#[pymethods]
impl Arm {
    /// Reads an arm from an arm file, a URDF, or a scenario, of which it is the arm.
    ///
    /// set: values of keys in place of those of the file, ``{"link.fore.length": 1.4}`` or
    /// ``["link.fore.length=1.4 m"]``.
    #[staticmethod]
    #[pyo3(signature = (path, *, set=None))]
    fn load(py: Python<'_>, path: PathBuf, set: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let settings = settings(py, set)?;
        let loaded = py.detach(|| {
            if scenario::is_scenario(&path) {
                return Ok((pliant_io::load_with(&path, &settings)?, None));
            }
            pliant_io::load_with_text(&path, &settings)
        });
        let (loaded, text) = loaded.map_err(|report| raise_report(py, &report))?;
        Ok(Self { text, ..Self::new(loaded) })
    }

    /// Reads an arm from the text of an arm file or a URDF.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let source = Source::new("text", text);
        let loaded = py.detach(|| pliant_io::parse_arm(&source));
        let loaded = loaded.map_err(|report| raise_report(py, &report))?;
        Ok(Self { text: Some(text.to_owned()), ..Self::new(loaded) })
    }

    /// Reads a URDF, whose links may become flexible.
    ///
    /// bend: for each link that bends a dictionary with ``section`` (``"tube 90x2 mm"``) and
    /// ``material`` (``"aluminium"``), and if need be ``shapes`` (``"y = 2, z = 2"``), ``to`` (the child
    /// or frame where its beam ends), ``along`` (its direction in the link frame), ``length`` (m) and
    /// ``fit_density``, as in ``pliant convert --bend``. Frames, masses and moments of the undeformed
    /// robot stay as they are. merge_fixed: links on fixed joints become parts of their parents;
    /// floating: the root link is not fixed to the ground; set: as in ``load``.
    #[staticmethod]
    #[pyo3(signature = (path, *, bend=None, merge_fixed=false, floating=false, set=None))]
    fn from_urdf(
        py: Python<'_>,
        path: PathBuf,
        bend: Option<BTreeMap<String, Bending>>,
        merge_fixed: bool,
        floating: bool,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = Options {
            fixed: if merge_fixed { FixedJoints::Merge } else { FixedJoints::Keep },
            base: if floating { Base::Floating } else { Base::Fixed },
        };
        let settings = settings(py, set)?;
        let loaded = py.detach(|| urdf::load_with(&path, &options, &settings));
        let mut loaded = loaded.map_err(|report| raise_report(py, &report))?;
        for (link, bending) in bend.iter().flatten() {
            loaded.description = bending.bend(py, link, &loaded.description)?;
        }
        if bend.is_some() {
            let built = loaded.description.clone().build();
            loaded.arm = built.map_err(|error| raise_help(py, Kind::Build, &error))?;
        }
        Ok(Self::new(loaded))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.arm().name()
    }

    /// The arm as ``f(t, y)`` with ``y = [q, u]``, for ``scipy.integrate.solve_ivp``.
    ///
    /// inputs: a function ``tau(t, q, u)`` of time (s), coordinates and velocities, which returns
    /// forces (N m, N) of shape ``(nv,)``; none without.
    ///
    /// Joints with a prescribed motion are refused. A quaternion in ``q`` keeps its length as well
    /// as the integrator keeps it.
    #[pyo3(signature = (inputs=None))]
    fn ode(slf: Py<Self>, py: Python<'_>, inputs: Option<Py<PyAny>>) -> PyResult<Ode> {
        Ode::new(py, slf, inputs)
    }

    /// How many numbers describe a configuration.
    #[getter]
    fn nq(&self) -> usize {
        self.arm().nq()
    }

    /// How many degrees of freedom.
    #[getter]
    fn nv(&self) -> usize {
        self.arm().nv()
    }

    /// The names of the numbers of a configuration, in order.
    #[getter]
    fn coordinate_names(&self) -> &[String] {
        self.arm().configuration_names()
    }

    /// The names of the velocities, in order; they differ only at spherical and free joints.
    #[getter]
    fn velocity_names(&self) -> &[String] {
        self.arm().velocity_names()
    }

    /// The units of the numbers of a configuration.
    #[getter]
    fn coordinate_units(&self) -> Vec<&'static str> {
        self.arm().configuration_units().into_iter().map(|[unit, ..]| unit).collect()
    }

    /// The names of the links, body by body.
    #[getter]
    fn link_names(&self) -> &[String] {
        self.arm().link_names()
    }

    /// The names of the joints, body by body.
    #[getter]
    fn joint_names(&self) -> &[String] {
        self.arm().joint_names()
    }

    /// The link that each link hangs on; ``None`` for the ground.
    #[getter]
    fn parents(&self) -> Vec<Option<&str>> {
        let arm = self.arm();
        let parent = |link| arm.parent_of(link).map(|parent| arm.link_names()[parent].as_str());
        (0..arm.body_count()).map(parent).collect()
    }

    /// The names of the frames, in the order of ``frames``.
    #[getter]
    fn frame_names(&self) -> Vec<&str> {
        self.arm().frames().iter().map(pliant::arm::Frame::name).collect()
    }

    /// The name of the frame at the tip, if there is one.
    #[getter]
    pub(crate) fn tip(&self) -> Option<&str> {
        self.arm().tip().map(|tip| self.arm().frames()[tip].name())
    }

    /// The smallest and largest value of each coordinate (rad, m), infinite where none is set,
    /// ``(nq, 2)``.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pair = |limits: &Option<pliant::arm::Limits>| {
            limits.map_or([f64::NEG_INFINITY, f64::INFINITY], |own| [own.lower, own.upper])
        };
        let all: Vec<f64> = self.arm().limits().iter().flat_map(pair).collect();
        PyArray1::from_vec(py, all).reshape([self.arm().nq(), 2])
    }

    /// The mass of all links (kg).
    #[getter]
    fn total_mass(&self) -> f64 {
        self.arm().total_mass()
    }

    /// The gravity acceleration in the world (m/s²), ``(3,)``.
    #[getter]
    fn gravity_vector<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.arm().gravity().to_array())
    }

    /// What is doubtful about it but allowed.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let of_file = self.loaded.warnings.problems().map(|problem| problem.message.clone());
        let own = self.arm().warnings().iter().map(ToString::to_string);
        if self.loaded.warnings.is_empty() { own.collect() } else { of_file.collect() }
    }

    /// The configuration of rest (rad, m), ``(nq,)``.
    pub(crate) fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.arm().neutral())
    }

    /// An upper bound for the distance of any frame from the world's origin (m), with straight
    /// links; ``None`` where a slide has no limits.
    #[getter]
    fn span(&self) -> Option<f64> {
        self.arm().reach()
    }

    /// The text of an arm file that says the same; where it was read from another form, such as angles
    /// or a URDF, numbers may differ in their last digit.
    fn to_toml(&self) -> String {
        pliant_io::write_arm_with(&self.loaded.description, &self.loaded.variants)
    }

    /// The SHA-256 of ``to_toml()``.
    #[getter]
    fn hash(&self) -> String {
        pliant_io::results::hash(&self.to_toml())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().to_toml() == self.to_toml())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.to_toml().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = self.text.clone().unwrap_or_else(|| self.to_toml());
        Ok((py.get_type::<Self>().getattr("parse")?, (text,)))
    }

    fn __repr__(&self) -> String {
        self.arm().to_string().trim_end().to_owned()
    }

    /// A drawing of a configuration (rad, m), by default the neutral one, as SVG.
    #[pyo3(signature = (q=None))]
    fn drawing(&self, py: Python<'_>, q: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let arm = self.arm();
        let q = match q {
            Some(q) => one_state(py, self, q_of(q))?,
            None => arm.neutral(),
        };
        let skeleton = Skeleton::new(&self.loaded.description, self.tip())
            .map_err(|error| raise_help(py, Kind::Build, &error))?;
        let scene = skeleton
            .scene(&q, &Look::default())
            .map_err(|error| raise_evaluation(py, &error, ""))?;
        let scenes = vec![scene];
        let view = View::showing(scenes.iter(), -arm.gravity());
        let picture = Picture {
            size: Size { width: DRAWING, height: DRAWING },
            view,
            stills: vec![(String::new(), scenes)],
            legend: Vec::new(),
            note: String::new(),
        };
        Ok(picture.fitted().svg())
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let table = self.__repr__().replace('&', "&amp;").replace('<', "&lt;");
        // notebooks break the lines of others
        let style = "white-space: pre; overflow-x: auto";
        Ok(format!("{}<pre style=\"{style}\">{table}</pre>", self.drawing(py, None)?))
    }
}

/// How wide a drawing is (mm).
const DRAWING: f64 = 120.0;

impl Arm {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Self {
            loaded: Arc::new(loaded),
            text: None,
            work: Pool::default(),
            compiled: Compiled::default(),
            has_inertia: AtomicBool::new(false),
        }
    }

    pub(crate) fn arm(&self) -> &pliant::arm::Arm {
        &self.loaded.arm
    }
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Arm>()
}
