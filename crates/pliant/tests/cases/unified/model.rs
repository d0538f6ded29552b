//! The arms of the unified schema.

use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Damping, Scale, Section, ShapeLoad, Slide, TipLoad, Ways};
use pliant::nalgebra::DMatrix;
use pliant::spatial::{Mat3, Pose, Vec3};
use serde::Deserialize;

/// A tree of bodies under gravity and loads.
#[derive(Deserialize)]
pub(crate) struct Model {
    pub(super) gravity: [f64; 3],
    pub(super) bodies: Vec<Body>,
    #[serde(default)]
    pub(super) external_loads: Vec<ExternalLoad>,
}

#[derive(Deserialize)]
pub(super) struct Body {
    /// Index of the body it hangs on, −1 for the world.
    parent: i64,
    attach: Attach,
    joint: JointRecord,
    pub(super) rigid: Option<Rigid>,
    beam: Option<BeamRecord>,
    sliding: Option<SlidingRecord>,
}

/// The joint's inboard frame in the parent's section frame at arc length `s`.
#[derive(Deserialize)]
struct Attach {
    s: Option<Place>,
    #[serde(rename = "R")]
    rotation: [[f64; 3]; 3],
    #[serde(rename = "p")]
    position: [f64; 3],
}

/// Where along a beam.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(crate) enum Place {
    /// From its root (m).
    Distance(f64),
    /// At the tip of a beam that slides.
    Named(Named),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Named {
    Tip,
}

#[derive(Deserialize)]
struct JointRecord {
    #[serde(rename = "type")]
    kind: String,
    axis: Option<[f64; 3]>,
    axis2: Option<[f64; 3]>,
}

#[derive(Deserialize)]
pub(super) struct Rigid {
    pub(super) mass: f64,
    com: [f64; 3],
    inertia_com: [[f64; 3]; 3],
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct BeamRecord {
    root_p: [f64; 3],
    root_R: [[f64; 3]; 3],
    L: f64,
    EI_y: f64,
    EI_z: f64,
    GJ: f64,
    EA: f64,
    kappaGA_y: Option<f64>,
    kappaGA_z: Option<f64>,
    rhoA: f64,
    rhoI_y: f64,
    rhoI_z: f64,
    foreshortening: bool,
    basis: BasisRecord,
    reduction: Option<Vec<Vec<f64>>>,
    damping: DampingRecord,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum BasisRecord {
    ClampedFree { n_bend_y: usize, n_bend_z: usize, n_torsion: usize, n_axial: usize },
    HermiteFe { n_el: usize, bend_y: bool, bend_z: bool, torsion: bool, axial: bool },
}

#[derive(Deserialize)]
#[allow(non_snake_case)]
struct SlidingRecord {
    root_p: [f64; 3],
    root_R: [[f64; 3]; 3],
    L: f64,
    EI_y: f64,
    EI_z: f64,
    GJ: f64,
    rhoA: f64,
    rhoI_y: f64,
    rhoI_z: f64,
    foreshortening: bool,
    basis: SlidingBasis,
    damping: DampingRecord,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum SlidingBasis {
    ClampedFree {
        n_bend_y: usize,
        n_bend_z: usize,
        n_torsion: usize,
    },
    HermiteEta {
        n_el: usize,
        bend_y: bool,
        bend_z: bool,
        torsion: bool,
    },
    ClampedMass {
        n_bend_y: usize,
        n_bend_z: usize,
        n_torsion: usize,
        tip_mass: f64,
        tip_inertia: f64,
        normalisation: Normalisation,
    },
}

#[derive(Clone, Copy, Deserialize)]
enum Normalisation {
    C1,
    #[serde(rename = "tip")]
    Tip,
}

#[derive(Deserialize)]
struct DampingRecord {
    alpha: f64,
    beta: f64,
}

/// World axes.
#[derive(Deserialize)]
pub(super) struct ExternalLoad {
    body: usize,
    s: Option<Place>,
    pub(super) force: [f64; 3],
    pub(super) moment: [f64; 3],
}

/// Bodies have no names of their own in these files.
fn name(body: usize) -> String {
    format!("body {body}")
}

impl Model {
    /// The arm with a frame at the tip. The files say no strokes: where one matters, it is taken
    /// about the lengths of the state.
    pub(super) fn build(
        &self,
        tip: Option<(usize, Option<Place>)>,
        q: &[f64],
    ) -> Result<Arm, String> {
        let arm = self.with_strokes(tip, |sliding| Slide::between(0.2 * sliding.L, sliding.L))?;
        let mut lengths = (0..arm.body_count()).filter_map(|link| Some(q[arm.length_of(link)?.0]));
        self.with_strokes(tip, |sliding| {
            let length = lengths.next().unwrap_or(sliding.L);
            Slide {
                scale: sliding.basis.scale(),
                ..Slide::between(0.9 * length, sliding.L.min(1.1 * length))
            }
        })
    }

    /// The arm, with a frame `tip` on a body at a section.
    pub(crate) fn watched(&self, tip: Option<(usize, Option<Place>)>) -> Result<Arm, String> {
        self.with_strokes(tip, |sliding| Slide::between(0.2 * sliding.L, sliding.L))
    }

    fn with_strokes(
        &self,
        tip: Option<(usize, Option<Place>)>,
        mut slide: impl FnMut(&SlidingRecord) -> Slide,
    ) -> Result<Arm, String> {
        let mut links = Vec::new();
        for (i, body) in self.bodies.iter().enumerate() {
            links.push(self.link(body, i, &mut slide).map_err(|e| format!("{}: {e}", name(i)))?);
        }
        let loads = self.external_loads.iter().enumerate();
        let loads = loads.map(|(k, load)| (format!("load {k}"), load.body, load.s));
        let tip = tip.map(|(body, s)| ("tip".to_owned(), body, s));
        for (frame, body, s) in loads.chain(tip) {
            let link = links.get_mut(body).ok_or_else(|| format!("{} is not there", name(body)))?;
            let bare = link.clone();
            *link = match self.distance(body, s) {
                Some(s) => bare.section_frame(frame, s, Pose::IDENTITY),
                None => bare.root_frame(frame, Pose::IDENTITY),
            };
        }
        let builder = Builder::new("case").gravity(self.gravity);
        let builder = links.into_iter().fold(builder, Builder::link);
        builder.build().map_err(|e| e.to_string())
    }

    /// The distance of a place on a body's beam from its root; a beam that slides is counted from
    /// its inner end.
    fn distance(&self, body: usize, place: Option<Place>) -> Option<f64> {
        match place? {
            Place::Distance(s) => Some(s),
            Place::Named(Named::Tip) => Some(self.bodies.get(body)?.sliding.as_ref()?.L),
        }
    }

    fn link(
        &self,
        body: &Body,
        index: usize,
        slide: &mut impl FnMut(&SlidingRecord) -> Slide,
    ) -> Result<Link, String> {
        let link = Link::new(name(index)).joint(body.joint.joint()?).placed(Pose::new(
            Mat3::from_rows(body.attach.rotation),
            Vec3::from(body.attach.position),
        ));
        let mut section = None;
        let link = match usize::try_from(body.parent) {
            Ok(parent) => {
                section = self.distance(parent, body.attach.s);
                link.on(name(parent))
            }
            Err(_) => link.on_ground(),
        };
        let link = match section {
            Some(s) => link.at_section(s),
            None => link.at_root(),
        };
        let link = match (&body.beam, &body.sliding) {
            (Some(beam), _) => link.beam(beam.beam()),
            (None, Some(sliding)) => link.beam(sliding.beam(slide(sliding))),
            _ => link,
        };
        Ok(match &body.rigid {
            Some(rigid) => link.body(rigid.mass, rigid.com, rigid.inertia_com),
            None => link,
        })
    }
}

impl SlidingBasis {
    fn scale(&self) -> Scale {
        match self {
            Self::ClampedMass { normalisation: Normalisation::Tip, .. } => Scale::Tip,
            _ => Scale::One,
        }
    }
}

impl SlidingRecord {
    fn beam(&self, slide: Slide) -> Beam {
        let section = Section {
            ea: 0.0,
            ei_z: self.EI_z,
            ei_y: self.EI_y,
            gj: self.GJ,
            kga_y: None,
            kga_z: None,
            rho_a: self.rhoA,
            rho_i_z: self.rhoI_z,
            rho_i_y: self.rhoI_y,
        };
        let basis = match self.basis {
            SlidingBasis::ClampedFree { n_bend_y, n_bend_z, n_torsion } => {
                Basis::ClampedFree(Ways::new(n_bend_y, n_bend_z, n_torsion, 0))
            }
            SlidingBasis::HermiteEta { n_el, bend_y, bend_z, torsion } => {
                Basis::Hermite { elements: n_el, ways: Ways::new(bend_y, bend_z, torsion, false) }
            }
            SlidingBasis::ClampedMass {
                n_bend_y,
                n_bend_z,
                n_torsion,
                tip_mass,
                tip_inertia,
                ..
            } => {
                let load = TipLoad { mass: tip_mass, offset: 0.0, inertia: [tip_inertia; 3] };
                let ways = Ways::new(n_bend_y, n_bend_z, n_torsion, 0);
                Basis::ClampedMass { ways, load: ShapeLoad::Given(load) }
            }
        };
        Beam {
            root: Pose::new(Mat3::from_rows(self.root_R), Vec3::from(self.root_p)),
            foreshortening: self.foreshortening,
            damping: self.damping.damping(),
            slide: Some(slide),
            ..Beam::new(self.L, section, basis)
        }
    }
}

impl BeamRecord {
    fn beam(&self) -> Beam {
        let section = Section {
            ea: self.EA,
            ei_z: self.EI_z,
            ei_y: self.EI_y,
            gj: self.GJ,
            kga_y: self.kappaGA_y,
            kga_z: self.kappaGA_z,
            rho_a: self.rhoA,
            rho_i_z: self.rhoI_z,
            rho_i_y: self.rhoI_y,
        };
        let basis = match self.basis {
            BasisRecord::ClampedFree { n_bend_y, n_bend_z, n_torsion, n_axial } => {
                Basis::ClampedFree(Ways::new(n_bend_y, n_bend_z, n_torsion, n_axial))
            }
            BasisRecord::HermiteFe { n_el, bend_y, bend_z, torsion, axial } => {
                Basis::Hermite { elements: n_el, ways: Ways::new(bend_y, bend_z, torsion, axial) }
            }
        };
        Beam {
            root: Pose::new(Mat3::from_rows(self.root_R), Vec3::from(self.root_p)),
            // modal shapes do not shear, whatever the section could do
            shear: matches!(basis, Basis::Hermite { .. })
                && (self.kappaGA_y.is_some() || self.kappaGA_z.is_some()),
            reduction: self.reduction.as_ref().map(|rows| {
                let columns = rows.first().map_or(0, Vec::len);
                DMatrix::from_row_slice(rows.len(), columns, &rows.concat())
            }),
            foreshortening: self.foreshortening,
            damping: self.damping.damping(),
            ..Beam::new(self.L, section, basis)
        }
    }
}

impl DampingRecord {
    fn damping(&self) -> Damping {
        Damping { mass: self.alpha, stiffness: self.beta, ratios: Vec::new() }
    }
}

impl JointRecord {
    fn joint(&self) -> Result<Joint, String> {
        let axis = || self.axis.ok_or_else(|| format!("the {} joint has no axis", self.kind));
        Ok(match self.kind.as_str() {
            "fixed" => Joint::Fixed,
            "revolute" => Joint::Revolute { axis: axis()? },
            "prismatic" => Joint::Prismatic { axis: axis()? },
            "cylindrical" => Joint::Cylindrical { axis: axis()? },
            "universal" => Joint::Universal {
                first: axis()?,
                second: self.axis2.ok_or("the universal joint has no axis2")?,
            },
            "planar" => Joint::Planar,
            "spherical" => Joint::Spherical,
            "free" => Joint::Free,
            other => return Err(format!("no joint type \"{other}\"")),
        })
    }
}
