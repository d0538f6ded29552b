//! The deformable part of a body.

use super::tree::Arm;
use crate::beam::{Beam, Flexible, Shaper, Sliding, SlidingStation, Station, TipLoad};
use crate::scalar::Scalar;
use crate::spatial::RigidInertia;
use std::sync::Arc;

/// The deformable part of a body.
#[derive(Clone, Debug)]
pub(crate) struct FlexibleBody<S> {
    /// Of a beam that slides at its neutral length.
    pub(crate) flexible: Flexible<S>,
    /// The sections where something hangs or is watched.
    pub(crate) sections: Vec<Section<S>>,
    /// How a beam that slides follows its length.
    pub(crate) sliding: Option<Arc<Sliding<S>>>,
}

/// A place on a beam.
#[derive(Clone, Debug)]
pub(crate) struct Section<S> {
    /// Its number among all stations.
    pub(crate) station: usize,
    /// Whether a body hangs on it, and not frames alone.
    pub(crate) carries: bool,
    pub(crate) shapes: Station<S>,
    /// How the shapes follow the length of a beam that slides.
    pub(crate) sliding: Option<Arc<SlidingStation<S>>>,
}

impl Arm<f64> {
    /// The flexible links, each by its first body: those with a beam, and those of rigid pieces with
    /// hinges.
    pub fn flexible_links(&self) -> Vec<usize> {
        let deforms = |body: usize| self.is_hinge(body) || self.bodies[body].bend.is_some();
        let bodies = 0..self.body_count();
        let of = |name: &str| {
            bodies.clone().any(|body| deforms(body) && self.described_link(body) == name)
        };
        let flexible = |&link: &usize| {
            let name = self.described_link(link);
            self.link_names()[link] == name && of(name)
        };
        bodies.clone().filter(flexible).collect()
    }

    /// What hangs on the tip of a link's beam when all joints are neutral and locked.
    pub fn tip_load_of(&self, link: usize) -> Option<TipLoad> {
        self.bodies[link].bend.map(|bend| self.topology.tip_loads[bend])
    }

    /// The beam of this number, what hangs on its tip, and its laws if it slides: for another beam
    /// to have its shapes, if that bends like it.
    pub(super) fn shaping(
        &self,
        bend: usize,
        other: &Beam,
    ) -> Option<(&Beam, TipLoad, Option<&Sliding<f64>>)> {
        let (beam, _) = self.topology.beams.get(bend).filter(|own| own.0.bends_like(other))?;
        let sliding = self.flexible_bodies[bend].sliding.as_deref();
        Some((beam, self.topology.tip_loads[bend], sliding))
    }

    /// Puts another beam, which does not slide, on a body: its inertia, its shapes and sections, and
    /// what is told of it. Damping by ratios is found for a free tip, unless its shapes know a load.
    /// What other beams know of this one stays: loads that form their shapes, and their damping.
    pub(crate) fn set_beam(&mut self, body: usize, beam: Beam) {
        let Some(bend) = self.bodies[body].bend else { return };
        let (old, root) = &mut Arc::make_mut(&mut self.topology).beams[bend];
        let own = old.at_rest().seen_from(root);
        let whole = &self.bodies[body].inertia;
        let rigid = RigidInertia {
            mass: whole.mass - own.mass,
            first: whole.first - own.first,
            second: whole.second - own.second,
        };
        let loads = beam.basis.forming_loads(beam.length).unwrap_or_default();
        let flexible = Flexible::new(&beam, root, &rigid, &Shaper { beam: &beam, loads });
        self.bodies[body].inertia = flexible.undeformed();
        for section in &mut self.flexible_bodies[bend].sections {
            let place = root.inverse().point(section.shapes.rest.position).x;
            section.shapes = beam.station(place, root);
        }
        self.flexible_bodies[bend].flexible = flexible;
        *old = beam;
    }
}

impl<S: Scalar> FlexibleBody<S> {
    /// Brings a beam that slides to the length of the coordinates `(l, δ)`.
    pub(crate) fn slide(&mut self, d: &[S]) {
        let Some(sliding) = &self.sliding else { return };
        sliding.write(d[0], &mut self.flexible);
        for section in &mut self.sections {
            if let Some(law) = &section.sliding {
                law.write(d[0], &mut section.shapes);
            }
        }
    }

    /// The energy stored in bending (J).
    pub(crate) fn strain_energy(&self, d: &[S]) -> S {
        match &self.sliding {
            Some(sliding) => sliding.strain_energy(d),
            None => self.flexible.strain_energy(d),
        }
    }

    /// Adds the forces that hold it bent.
    pub(crate) fn add_elastic(&self, d: &[S], out: &mut [S]) {
        match &self.sliding {
            Some(sliding) => sliding.add_elastic(d, out),
            None => self.flexible.add_elastic(d, out),
        }
    }

    /// Adds the forces that drive its damping.
    pub(crate) fn add_damping(&self, d: &[S], rate: &[S], out: &mut [S]) {
        match &self.sliding {
            Some(sliding) => sliding.add_damping(d, rate, out),
            None => self.flexible.add_damping(rate, out),
        }
    }

    /// Takes off the forces that hold it bent and those that drive its damping.
    pub(crate) fn subtract_passive(&self, d: &[S], rate: &[S], out: &mut [S]) {
        match &self.sliding {
            Some(sliding) => sliding.subtract_passive(d, rate, out),
            None => self.flexible.subtract_passive(d, rate, out),
        }
    }

    /// The power that its damping takes (W).
    pub(crate) fn dissipation(&self, d: &[S], rate: &[S]) -> S {
        match &self.sliding {
            Some(sliding) => sliding.dissipation(d, rate),
            None => self.flexible.dissipation(rate),
        }
    }

    /// The same in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> FlexibleBody<T> {
        let section = |s: &Section<S>| Section {
            station: s.station,
            carries: s.carries,
            shapes: s.shapes.cast_with(convert),
            sliding: s.sliding.as_ref().map(|law| Arc::new(law.cast_with(convert))),
        };
        FlexibleBody {
            flexible: self.flexible.cast_with(convert),
            sections: self.sections.iter().map(section).collect(),
            sliding: self.sliding.as_ref().map(|law| Arc::new(law.cast_with(convert))),
        }
    }
}
