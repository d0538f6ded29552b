//! Conditions and loads of analyses, and the arrays of their answers.

use crate::arm::Arm;
use crate::error::{Kind, raise};
use numpy::{Element, PyArray1, PyArrayMethods};
use pliant::analyse::{Conditions, JointCondition};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::spatial::{Force, Vec3};
use pliant_io::nearest;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeMap;

type Answer<'py> = PyResult<Bound<'py, PyAny>>;

/// How joints are held: all in one way, or each by the name of its link.
#[derive(FromPyObject)]
pub(crate) enum Held {
    All(String),
    Each(BTreeMap<String, String>),
}

/// Force and moment (N, N m) on frames by name, in world axes.
pub(crate) type Loads = BTreeMap<String, [f64; 6]>;

impl Arm {
    /// How joints are held, locked unless something is said, and what loads the arm.
    pub(crate) fn held_and_loaded(
        &self,
        py: Python<'_>,
        held: Option<Held>,
        loads: Option<Loads>,
    ) -> PyResult<Conditions> {
        let conditions = self.conditions(py, held, Conditions::default())?;
        Ok(Conditions { loads: self.loads(py, loads)?, ..conditions })
    }

    /// How joints are held, where something is said.
    pub(crate) fn conditions(
        &self,
        py: Python<'_>,
        held: Option<Held>,
        usual: Conditions,
    ) -> PyResult<Conditions> {
        let arm = self.arm();
        let condition = |word: &str| match word {
            "locked" => Ok(JointCondition::Locked),
            "free" => Ok(JointCondition::Free),
            "spring" => Ok(JointCondition::OnSpring),
            _ => {
                let message = format!("joints says \"{word}\"");
                let help = "write \"locked\", \"free\" or \"spring\"";
                Err(raise(py, Kind::Argument, &message, Some(help)))
            }
        };
        match held {
            None => Ok(usual),
            Some(Held::All(word)) => Ok(Conditions::all(arm, condition(&word)?)),
            Some(Held::Each(words)) => {
                let mut conditions = match usual.joints.as_slice() {
                    [] => Conditions::all(arm, JointCondition::Locked),
                    _ => usual,
                };
                for (name, word) in words {
                    let is_named = |&link: &usize| {
                        [arm.link_names(), arm.joint_names()]
                            .iter()
                            .any(|names| names[link] == name)
                    };
                    let Some(link) = (0..arm.body_count()).find(is_named) else {
                        let message = format!("joints names \"{name}\", which is no link");
                        let help = format!("the links are {}", arm.link_names().join(", "));
                        return Err(raise(py, Kind::Argument, &message, Some(&help)));
                    };
                    conditions.joints[link] = condition(&word)?;
                }
                Ok(conditions)
            }
        }
    }

    /// Wrenches on frames.
    pub(crate) fn loads(&self, py: Python<'_>, loads: Option<Loads>) -> PyResult<Vec<Load>> {
        let load = |(frame, [x, y, z, a, b, c]): (String, [f64; 6])| {
            let frame = self.frame_index(py, &frame)?;
            let wrench = Force::new(Vec3::new(x, y, z), Vec3::new(a, b, c));
            Ok(Load { frame, wrench, axes: Axes::World })
        };
        loads.into_iter().flatten().map(load).collect()
    }

    /// A link by its name.
    pub(crate) fn link_index(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let names = self.arm().link_names();
        names.iter().position(|known| known == name).ok_or_else(|| {
            let all = names.join(", ");
            let help = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean \"{near}\"? the links are {all}"),
                None => format!("the links are {all}"),
            };
            raise(py, Kind::Argument, &format!("link: no link named \"{name}\""), Some(&help))
        })
    }
}

/// A class of `pliant.tuples`.
pub(crate) fn tuple<'py>(py: Python<'py>, name: &str) -> Answer<'py> {
    py.import(intern!(py, "pliant.tuples"))?.getattr(name)
}

/// Numbers or truths of one or many states, as an array; of one state and one number a number.
pub(crate) fn shaped<'py, T: Element>(
    py: Python<'py>,
    lead: &[usize],
    core: &[usize],
    numbers: Vec<T>,
) -> Answer<'py> {
    let shape: Vec<usize> = lead.iter().chain(core).copied().collect();
    let array = PyArray1::from_vec(py, numbers).reshape(shape)?;
    // a number where there is no axis, as NumPy does
    array.into_any().get_item(PyTuple::empty(py))
}
