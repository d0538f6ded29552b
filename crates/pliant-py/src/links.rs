//! What links feel and whether they are made for it: deflections, forces and stresses inside of
//! them, their sizes, the range of their assumptions, their shapes beside the textbook.

use crate::arguments::{one_state, q as q_of, u as u_of, ud as ud_of, undeformed as undeformed_of};
use crate::arm::Arm;
use crate::arrays::collect;
use crate::conditions::{Loads, shaped, tuple};
use crate::error::{Kind, raise, raise_analysis, raise_help};
use numpy::PyArray1;
use pliant::analyse::{
    CantileverCheck, CantileverQuantity, Demand, LinkForces, SectionLoads, SizingCriterion,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

type Model = pliant::arm::Arm;
type Any<'py> = Bound<'py, PyAny>;
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

#[pymethods]
impl Arm {
    /// By how much the deformation of links moves a frame, as ``Deflection(world, own)`` (m), each
    /// ``(..., 3)``.
    ///
    /// q: configuration with its deformation, ``(..., nq)``, such as that of ``static_equilibrium``;
    /// undeformed: the configuration that it is compared with, of which joints and lengths count, by
    /// default that of ``q``.
    #[pyo3(signature = (q, frame, *, undeformed=None))]
    fn deflection<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        frame: &str,
        undeformed: Option<&Any<'py>>,
    ) -> Answer<'py> {
        let frame = self.frame_index(py, frame)?;
        let arguments = [q_of(q), undeformed_of(undeformed.unwrap_or(q))];
        let (lead, found) =
            collect(self, py, arguments, |arm, [rest, q]| arm.deflection(frame, q, rest))?;
        let world = found.iter().flat_map(|one| one.world.to_array()).collect();
        let own = found.iter().flat_map(|one| one.own.to_array()).collect();
        let fields = (shaped::<f64>(py, &lead, &[3], world)?, shaped::<f64>(py, &lead, &[3], own)?);
        tuple(py, "Deflection")?.call1(fields)
    }

    /// Forces, moments and stresses inside the flexible links, as a dictionary of ``LinkForces`` by
    /// link; of a sliding link along its part outside.
    ///
    /// q: ``(..., nq)``, of an arm at rest that of ``static_equilibrium``; u, ud: velocities and
    /// accelerations, ``(..., nv)``, by default at rest; loads: force and moment on frames, by name,
    /// ``(6,)`` in world axes (N, N m).
    #[pyo3(signature = (q, u=None, ud=None, *, loads=None))]
    fn internal_forces<'py>(
        &self,
        py: Python<'py>,
        q: &Any<'py>,
        u: Option<&Any<'py>>,
        ud: Option<&Any<'py>>,
        loads: Option<Loads>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rest = PyArray1::<f64>::zeros(py, self.arm().nv(), false).into_any();
        let loads = self.loads(py, loads)?;
        let arguments = [q_of(q), u_of(u.unwrap_or(&rest)), ud_of(ud.unwrap_or(&rest))];
        let (lead, found) = collect(self, py, arguments, |arm, [q, u, ud]| {
            Ok(by_link(arm, &arm.internal_forces_in_motion(q, u, ud, &loads)?))
        })?;
        let all = PyDict::new(py);
        for (k, (link, first)) in found.first().into_iter().flatten().enumerate() {
            let count = first.len();
            let fields = (0..FIELDS).map(|field| {
                let cuts = found.iter().flat_map(|links| &links[k].1);
                shaped::<f64>(py, &lead, &[count], cuts.map(|cut| cut[field]).collect())
            });
            let fields = PyTuple::new(py, fields.collect::<PyResult<Vec<_>>>()?)?;
            let name = &self.arm().link_names()[*link];
            all.set_item(name, tuple(py, "LinkForces")?.call1(fields)?)?;
        }
        Ok(all)
    }

    /// What is out of the range of the assumptions of flexible links in one state, each with its
    /// remedy; none where all is well.
    ///
    /// q: ``(nq,)``; u: ``(nv,)``, by default at rest; loads: as in ``internal_forces``.
    #[pyo3(signature = (q, u=None, *, loads=None))]
    fn out_of_range(
        &self,
        py: Python<'_>,
        q: &Any<'_>,
        u: Option<&Any<'_>>,
        loads: Option<Loads>,
    ) -> PyResult<Vec<String>> {
        let q = one_state(py, self, q_of(q))?;
        let u = u.map(|u| one_state(py, self, u_of(u))).transpose()?;
        let u = u.unwrap_or_else(|| vec![0.0; self.arm().nv()]);
        let found = self.arm().out_of_range(&q, &u, &self.loads(py, loads)?);
        let found = found.map_err(|error| raise_analysis(py, &error, ""))?;
        Ok(found.iter().map(|own| format!("{own}; {}", own.help())).collect())
    }

    /// Whether a link is strong and stiff enough for a bandwidth, as ``Sizing``: King's rule, by which
    /// its frequency with its joint clamped is three times the bandwidth.
    ///
    /// q: the posture, ``(nq,)``, by default neutral; bandwidth: of the closed loop (rad/s); moment:
    /// the largest bending moment (N m), by default that at rest in the posture.
    #[pyo3(signature = (link, q=None, *, bandwidth, moment=None))]
    fn sizing<'py>(
        &self,
        py: Python<'py>,
        link: &str,
        q: Option<&Any<'py>>,
        bandwidth: f64,
        moment: Option<f64>,
    ) -> Answer<'py> {
        let (arm, link) = (self.arm(), self.link_index(py, link)?);
        let q = q.map(|q| one_state(py, self, q_of(q))).transpose()?;
        let q = q.unwrap_or_else(|| arm.neutral());
        let found = py.detach(|| arm.sizing(link, &q, &Demand { bandwidth, moment }));
        let found = found.map_err(|error| raise_analysis(py, &error, ""))?;
        let decides = match found.decides {
            SizingCriterion::Strength => "strength",
            SizingCriterion::Stiffness => "stiffness",
        };
        tuple(py, "Sizing")?.call1((
            found.moment,
            found.stress,
            found.margin_of_strength,
            found.frequency,
            found.margin_of_stiffness,
            decides,
            found.scale_for_strength,
            found.scale_for_stiffness,
            found.radius,
        ))
    }

    /// The shapes of a link beside the textbook's cantilever with the load that the link carries, as a
    /// list of ``CantileverComparison``.
    fn check_beam<'py>(&self, py: Python<'py>, link: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let link = &self.arm().link_names()[self.link_index(py, link)?];
        let beam = self.loaded.description.beams().find(|(name, _)| name == link);
        let Some((_, beam)) = beam else {
            let message = format!("link \"{link}\" has no beam");
            return Err(raise(py, Kind::Argument, &message, Some("name a link that bends")));
        };
        let loaded = self.arm().as_cantilever(link, beam);
        let check = py.detach(|| CantileverCheck::new(loaded));
        let check = check.map_err(|error| raise_help(py, Kind::Dynamics, &error))?;
        let class = tuple(py, "CantileverComparison")?;
        let one = |own: &pliant::analyse::CantileverComparison| {
            let (quantity, unit) = words(own.quantity);
            class.call1((quantity, unit, own.textbook, own.computed, own.judged))
        };
        check.comparisons.iter().map(one).collect()
    }
}

/// How many numbers a section has.
const FIELDS: usize = 9;

/// The sections of every flexible link as described, from its root outward: place, normal force,
/// torque, both moments, both shear forces, stress and margin.
fn by_link(arm: &Model, forces: &[LinkForces]) -> Vec<(usize, Vec<[f64; FIELDS]>)> {
    let sections = |link: usize| {
        let mut cuts = Vec::new();
        for (k, body) in arm.segments(link).into_iter().enumerate() {
            let own = forces.iter().find(|forces| forces.link == body)?;
            let from = arm.beam_of(link).map_or(0.0, |beam| k as f64 * beam.length);
            cuts.extend(own.cuts.iter().map(|cut| numbers(from, cut)));
        }
        Some((link, cuts))
    };
    arm.flexible_links().into_iter().filter_map(sections).collect()
}

fn numbers(from: f64, cut: &SectionLoads) -> [f64; FIELDS] {
    let SectionLoads { place, force, shear, stress, margin } = *cut;
    let [stress, margin] = [stress, margin].map(|known| known.unwrap_or(f64::NAN));
    let (place, [y, z]) = (from + place, shear);
    [place, force.axial, force.torque, force.moment_y, force.moment_z, y, z, stress, margin]
}

/// The name of a quantity, and its unit.
fn words(quantity: CantileverQuantity) -> (String, &'static str) {
    use CantileverQuantity as Q;
    let along = |what: &str, plane: usize| format!("{what} along {}", ["y", "z"][plane]);
    match quantity {
        Q::TipFlexibility { plane } => (along("tip flexibility", plane), "m/N"),
        Q::Sag { plane } => (along("sag", plane), "m"),
        Q::RootMoment { plane } => (along("root moment", plane), "N m"),
        Q::Twist => ("twist".to_owned(), "rad/(N m)"),
        Q::Stretch => ("stretch".to_owned(), "m/N"),
        Q::BendingFrequency { plane, number } => {
            (along(&format!("bending frequency {number}"), plane), "rad/s")
        }
        Q::TwistFrequency => ("twist frequency".to_owned(), "rad/s"),
        Q::BucklingLoad { plane } => (along("buckling load", plane), "N"),
    }
}
