//! Files of the unified schema: trees of bodies in a state, with every term of their equation of
//! motion.

use crate::comparison::{Comparison, largest};
use crate::{Case, Outcome};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::Load as BeamLoad;
use pliant::beam::{Basis, Beam, Damping, Scale, Section, Slide, TipLoad, Ways};
use pliant::dynamics::Road;
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::nalgebra::DMatrix;
use pliant::spatial::{Force, Mat3, Pose, Vec3};
use serde::Deserialize;
use serde_json::Value;

/// One case as the file has it. What pliant does not use is left out.
#[derive(Deserialize)]
struct Record {
    model: Model,
    q: Vec<f64>,
    u: Vec<f64>,
    tau: Vec<f64>,
    expected: Expected,
}

#[derive(Deserialize)]
pub(crate) struct Model {
    gravity: [f64; 3],
    bodies: Vec<Body>,
    #[serde(default)]
    external_loads: Vec<ExternalLoad>,
}

#[derive(Deserialize)]
struct Body {
    /// Index of the body it hangs on, −1 for the world.
    parent: i64,
    attach: Attach,
    joint: JointRecord,
    rigid: Option<Rigid>,
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
struct Rigid {
    mass: f64,
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
struct ExternalLoad {
    body: usize,
    s: Option<Place>,
    force: [f64; 3],
    moment: [f64; 3],
}

#[derive(Deserialize)]
struct Expected {
    #[serde(rename = "M")]
    mass: Vec<Vec<f64>>,
    coriolis: Vec<f64>,
    gravity: Vec<f64>,
    elastic: Vec<f64>,
    damping: Vec<f64>,
    external: Vec<f64>,
    bias: Vec<f64>,
    #[serde(rename = "T")]
    kinetic: f64,
    #[serde(rename = "Vg")]
    potential: f64,
    #[serde(rename = "Ve")]
    elastic_energy: f64,
    linear_momentum: [f64; 3],
    angular_momentum: [f64; 3],
    tip: Tip,
}

#[derive(Deserialize)]
struct Tip {
    body: usize,
    s: Option<Place>,
    #[serde(rename = "R")]
    rotation: [[f64; 3]; 3],
    #[serde(rename = "p")]
    position: [f64; 3],
}

/// The cases of a file; a fault of the file as a whole is an error, of one case that case's.
pub(crate) fn cases(prefix: &str, mut file: Value) -> Result<Vec<Case>, String> {
    let Some(Value::Array(cases)) = file.get_mut("cases").map(Value::take) else {
        return Err("the file has no list \"cases\"; is it of the unified schema?".to_owned());
    };
    Ok(cases
        .into_iter()
        .enumerate()
        .map(|(position, case)| {
            let text = |key| match case.get(key) {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => format!("at position {position}"),
            };
            let name = format!("{prefix}case {} ({})", text("id"), text("description"));
            let run = Box::new(|| match serde_json::from_value::<Record>(case) {
                Ok(record) => record.run(),
                Err(fault) => Outcome::Unusable(format!("malformed: {fault}")),
            });
            Case { name, run }
        })
        .collect())
}

/// Bodies have no names of their own in these files.
fn name(body: usize) -> String {
    format!("body {body}")
}

impl Record {
    fn run(self) -> Outcome {
        match self.model.build(&self.expected.tip, &self.q) {
            Ok(arm) => Outcome::Compared(self.compare(&arm)),
            Err(why) => Outcome::Unusable(why),
        }
    }

    fn compare(&self, arm: &Arm) -> Comparison {
        let mut all = Comparison::default();
        let (q, u, want) = (&self.q, &self.u, &self.expected);
        let mass: Vec<f64> = want.mass.concat();
        let forces = [&want.gravity, &want.coriolis, &want.external, &want.elastic];
        let speed = largest(u);
        let terms = forces
            .into_iter()
            .map(|force| largest(force))
            .fold(largest(&mass) * speed * speed, f64::max);

        for road in [Road::Recursive, Road::Composite] {
            let quantity = format!("M, {road:?}");
            if let Some(got) = all.answer(&quantity, arm.mass_matrix_by(road, q)) {
                all.matrix(&quantity, &got, &want.mass, 0.0);
            }
        }
        let loads = self.loads(arm);
        let mut external = vec![0.0; arm.nv()];
        if let Some(got) = all.answer("external", arm.load_forces(q, &loads)) {
            all.array("external", got.as_slice(), &want.external, terms);
            external.copy_from_slice(got.as_slice());
        }
        for (quantity, answer, want) in [
            ("coriolis", arm.coriolis(q, u), &want.coriolis),
            ("gravity", arm.gravity_forces(q), &want.gravity),
            ("elastic", arm.elastic_forces(q), &want.elastic),
            ("damping", arm.damping_forces(q, u), &want.damping),
        ] {
            if let Some(got) = all.answer(quantity, answer) {
                all.array(quantity, got.as_slice(), want, terms);
            }
        }
        if let Some(got) = all.answer("bias", arm.bias(q, u)) {
            let got: Vec<f64> = got.iter().zip(&external).map(|(k, e)| k - e).collect();
            all.array("bias", &got, &want.bias, terms);
        }

        let driven: Vec<f64> = self.tau.iter().zip(&external).map(|(t, e)| t + e).collect();
        let rest = vec![0.0; arm.nv()];
        for road in [Road::Recursive, Road::Composite, Road::Articulated] {
            let quantity = format!("udot, {road:?}");
            let answer = arm.hybrid_dynamics(road, q, u, &driven, &rest);
            if let Some((_, ud)) = all.answer(&quantity, answer) {
                all.accelerations(&quantity, &ud, [&mass, &want.bias, &self.tau]);
            }
        }
        self.compare_state(arm, &mut all);
        all
    }

    /// Energies, momenta, the pose of the tip.
    fn compare_state(&self, arm: &Arm, all: &mut Comparison) {
        let (q, u, want) = (&self.q, &self.u, &self.expected);
        let kilograms: f64 =
            self.model.bodies.iter().filter_map(|b| b.rigid.as_ref()).map(|rigid| rigid.mass).sum();
        let reach = 1.0 + largest(&want.tip.position);
        if let Some(got) = all.answer("energies", arm.energies(q, u)) {
            let weight = kilograms * largest(&self.model.gravity);
            all.array("T", &[got.kinetic], &[want.kinetic], 0.0);
            all.array("Vg", &[got.potential], &[want.potential], weight * reach);
            all.array("Ve", &[got.elastic], &[want.elastic_energy], 0.0);
        }
        if let Some(got) = all.answer("momenta", arm.momenta(q, u)) {
            let terms = kilograms * largest(u) * reach;
            let (linear, angular) = (got.linear.to_array(), got.angular.to_array());
            all.array("linear_momentum", &linear, &want.linear_momentum, terms);
            let terms = terms * reach;
            all.array("angular_momentum", &angular, &want.angular_momentum, terms);
        }
        if let Some(got) = all.answer("tip", arm.pose(q, "tip")) {
            let rows = got.rotation.to_rows();
            all.array("tip R", rows.as_flattened(), want.tip.rotation.as_flattened(), 1.0);
            all.array("tip p", &got.position.to_array(), &want.tip.position, reach);
        }
    }

    fn loads(&self, arm: &Arm) -> Vec<Load> {
        self.model
            .external_loads
            .iter()
            .enumerate()
            .filter_map(|(k, load)| {
                Some(Load {
                    frame: arm.frame(&format!("load {k}")).ok()?,
                    wrench: Force::new(load.force.into(), load.moment.into()),
                    axes: Axes::World,
                })
            })
            .collect()
    }
}

impl Model {
    /// The arm with a frame at the tip. The files say no strokes: where one matters, it is taken
    /// about the lengths of the state.
    fn build(&self, tip: &Tip, q: &[f64]) -> Result<Arm, String> {
        let tip = Some((tip.body, tip.s));
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
                None => bare.frame(frame, Pose::IDENTITY),
            };
        }
        let builder = Builder::new("case").gravity(self.gravity);
        let builder = links.into_iter().fold(builder, Builder::link);
        builder.build().map_err(|e| e.to_string())
    }
}

impl Model {
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
            None => link,
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
                Basis::ClampedMass { ways, load: BeamLoad::Given(load) }
            }
        };
        Beam {
            root: Pose::new(Mat3::from_rows(self.root_R), Vec3::from(self.root_p)),
            foreshortening: self.foreshortening,
            damping: Damping {
                mass: self.damping.alpha,
                stiffness: self.damping.beta,
                ratios: Vec::new(),
            },
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
            damping: Damping {
                mass: self.damping.alpha,
                stiffness: self.damping.beta,
                ratios: Vec::new(),
            },
            ..Beam::new(self.L, section, basis)
        }
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
