//! Random arms in random states, from fixed seeds, with every kind of joint among them.

pub(crate) mod elements;
mod parts;

pub(crate) use elements::with_elements;
pub(crate) use parts::mass;

use crate::description::{Description, LinkData, Mass};
use crate::random::Random;
use parts::{actuator, beam, configuration, furnish, joint, slider};
use pliant::arm::{Arm, Joint};
use pliant::beam::{Basis, Beam};
use pliant::spatial::Pose;
use std::fmt;

/// An arm and a state of it.
pub(crate) struct Model {
    label: String,
    seed: u64,
    pub(crate) description: Description,
    pub(crate) arm: Arm,
    pub(crate) q: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) ud: Vec<f64>,
    pub(crate) tau: Vec<f64>,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, seed {}", self.label, self.seed)
    }
}

impl Model {
    /// Whether a link bends.
    pub(crate) fn bends(&self) -> bool {
        self.description.links.iter().any(|link| link.beam.is_some())
    }

    /// Whether a joint has an actuator.
    pub(crate) fn is_driven(&self) -> bool {
        self.description.links.iter().any(|link| link.actuator.is_some())
    }

    /// What a rate may differ from a difference of what it is the rate of: rounding, and where
    /// shapes follow the length of a beam that slides, what their tables leave of each other's
    /// derivatives.
    pub(crate) fn rate_tolerance(&self) -> f64 {
        let follows =
            |beam: &Beam| beam.slide.is_some() && matches!(beam.basis, Basis::ClampedMass { .. });
        let tables = self.description.links.iter().filter_map(|link| link.beam.as_ref());
        if tables.into_iter().any(follows) { 1e-11 } else { 1e-12 }
    }

    /// A described arm in a random state.
    pub(crate) fn of(
        label: String,
        seed: u64,
        description: Description,
        random: &mut Random,
    ) -> Self {
        let arm = description.arm();
        let q = description
            .links
            .iter()
            .flat_map(|link| {
                let mut q = configuration(&link.joint, random);
                if let Some([smallest, largest]) = link.stroke() {
                    q.push(random.between(smallest, largest));
                }
                let bent = link.beam.as_ref().map_or(0, |b| b.segments * b.count());
                q.extend(random.numbers(bent, 0.05));
                q
            })
            .collect::<Vec<f64>>();
        // the motors of elastic joints come last
        let elastic = description.links.iter().filter(|link| link.is_elastic());
        let motors = elastic.flat_map(|link| configuration(&link.joint, random));
        let q = [q, motors.collect()].concat();
        let n = arm.nv();
        Self {
            label,
            seed,
            description,
            q,
            u: random.numbers(n, 2.0),
            ud: random.numbers(n, 5.0),
            tau: random.numbers(n, 10.0),
            arm,
        }
    }
}

/// Every kind of joint; axes are chosen later.
pub(crate) const KINDS: [&str; 8] =
    ["fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "free"];

/// How the links of a random arm hang together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Each on the one before.
    Chain,
    /// Each on any earlier one or on the ground.
    Tree,
    /// As a tree, on one free joint.
    Floating,
}

/// What a random arm is made of.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "independent choices")]
pub(crate) struct Recipe<'a> {
    pub(crate) shape: Shape,
    pub(crate) links: usize,
    pub(crate) kinds: &'a [&'a str],
    /// Springs, dampers, armature, outboard frames, several masses, massless links.
    pub(crate) furnished: bool,
    pub(crate) prescribed: bool,
    /// Beams on every second link, children anywhere along them.
    pub(crate) bending: bool,
    /// Beams that slide on every second link, children at their tips.
    pub(crate) sliding: bool,
}

/// Every joint alone, chains, trees of up to 64 links, chains of 32 and 100.
pub(crate) fn models() -> Vec<Model> {
    let mut all = small();
    all.extend(driven());
    for links in [33, 64] {
        all.push(Recipe::new(Shape::Tree, links, &KINDS).furnished().model(9));
    }
    for links in [32, 100] {
        all.push(Recipe::new(Shape::Chain, links, &["revolute"]).model(10));
        let mixed = Recipe::new(Shape::Chain, links, &KINDS);
        all.push(mixed.furnished().model(11));
        all.push(stretched(links));
    }
    for (shape, links) in [
        (Shape::Chain, 1),
        (Shape::Chain, 2),
        (Shape::Chain, 4),
        (Shape::Tree, 7),
        (Shape::Floating, 5),
    ] {
        for seed in [16, 17, 18] {
            all.push(Recipe::new(shape, links, &KINDS).bending().model(seed));
            all.push(Recipe::new(shape, links, &KINDS).bending().furnished().model(seed));
        }
    }
    all.push(Recipe::new(Shape::Chain, 32, &["revolute"]).bending().model(19));
    all.extend(sliding());
    all
}

/// Arms with beams that slide.
fn sliding() -> Vec<Model> {
    let mut all = Vec::new();
    for (shape, links) in [
        (Shape::Chain, 1),
        (Shape::Chain, 2),
        (Shape::Chain, 3),
        (Shape::Tree, 5),
        (Shape::Floating, 4),
    ] {
        for seed in [22, 23, 24] {
            all.push(Recipe::new(shape, links, &KINDS).sliding().model(seed));
            all.push(Recipe::new(shape, links, &KINDS).sliding().furnished().model(seed));
        }
    }
    all.push(Recipe::new(Shape::Chain, 4, &KINDS).bending().sliding().model(25));
    all
}

/// A nearly straight chain of slender links on parallel axes: the mass matrix of the hundred has a
/// condition of 1e8 and more.
fn stretched(links: usize) -> Model {
    let slender = Mass {
        kilograms: 1.0,
        centre: [0.15, 0.0, 0.0],
        tensor: [[1e-4, 0.0, 0.0], [0.0, 0.0075, 0.0], [0.0, 0.0, 0.0075]],
    };
    let links = (0..links).map(|i| {
        let joint = Joint::revolute([0.0, 0.0, 1.0]);
        let mut link = LinkData::new(format!("link {i}"), i.checked_sub(1), joint);
        link.placement = Pose::at(0.3, 0.0, 0.0);
        link.masses.push(slender);
        link
    });
    let description = Description { gravity: [0.0, -9.81, 0.0], links: links.collect() };
    let label = format!("stretched chain of {}", description.links.len());
    let mut model = Model::of(label, 15, description, &mut Random::new(15));
    for angle in &mut model.q {
        *angle *= 0.02;
    }
    model
}

/// Those that do not bend, without actuators.
pub(crate) fn rigid() -> Vec<Model> {
    models().into_iter().filter(|model| !model.bends() && !model.is_driven()).collect()
}

/// Those of at most seventeen links: every joint alone and thrice, chains, trees.
pub(crate) fn small() -> Vec<Model> {
    let mut all = Vec::new();
    for kind in KINDS {
        let kinds = [kind];
        all.push(Recipe::new(Shape::Chain, 1, &kinds).model(1));
        all.push(Recipe::new(Shape::Chain, 1, &kinds).furnished().model(2));
        all.push(Recipe::new(Shape::Chain, 3, &kinds).furnished().model(3));
    }
    for links in 1..=8 {
        all.push(Recipe::new(Shape::Chain, links, &KINDS).model(4));
        all.push(Recipe::new(Shape::Chain, links, &KINDS).furnished().model(5));
    }
    for links in [5, 9, 17] {
        all.push(Recipe::new(Shape::Tree, links, &KINDS).furnished().model(6));
        all.push(Recipe::new(Shape::Floating, links, &KINDS).furnished().model(7));
    }
    all
}

/// Arms with a random part of their joints prescribed, up to chains of 32 and a tree of 64.
pub(crate) fn prescribed() -> Vec<Model> {
    let mut all = Vec::new();
    for kind in KINDS {
        let kinds = [kind];
        all.push(Recipe::new(Shape::Chain, 4, &kinds).furnished().prescribed().model(12));
    }
    for (shape, links) in [
        (Shape::Chain, 2),
        (Shape::Chain, 5),
        (Shape::Chain, 8),
        (Shape::Chain, 32),
        (Shape::Tree, 9),
        (Shape::Tree, 17),
        (Shape::Floating, 9),
        (Shape::Tree, 64),
    ] {
        for seed in [13, 14] {
            let recipe = Recipe::new(shape, links, &KINDS);
            all.push(recipe.furnished().prescribed().model(seed));
        }
    }
    for (shape, links) in [(Shape::Chain, 4), (Shape::Tree, 7), (Shape::Floating, 5)] {
        for seed in [20, 21] {
            let recipe = Recipe::new(shape, links, &KINDS).bending();
            all.push(recipe.furnished().prescribed().model(seed));
            let recipe = Recipe::new(shape, links, &KINDS).sliding();
            all.push(recipe.furnished().prescribed().model(seed));
        }
    }
    all
}

impl<'a> Recipe<'a> {
    pub(crate) fn new(shape: Shape, links: usize, kinds: &'a [&'a str]) -> Self {
        let [furnished, prescribed, bending, sliding] = [false; 4];
        Self { shape, links, kinds, furnished, prescribed, bending, sliding }
    }

    pub(crate) fn sliding(self) -> Self {
        Self { sliding: true, ..self }
    }

    pub(crate) fn bending(self) -> Self {
        Self { bending: true, ..self }
    }

    pub(crate) fn furnished(self) -> Self {
        Self { furnished: true, ..self }
    }

    pub(crate) fn prescribed(self) -> Self {
        Self { prescribed: true, ..self }
    }

    /// The arm and the state that a seed gives.
    pub(crate) fn model(self, seed: u64) -> Model {
        let kinds = match self.kinds {
            [kind] => kind,
            _ => "mixed",
        };
        let label = format!(
            "{:?} of {} {kinds} joints{}{}{}{}",
            self.shape,
            self.links,
            if self.bending { ", bending" } else { "" },
            if self.sliding { ", sliding" } else { "" },
            if self.furnished { ", furnished" } else { "" },
            if self.prescribed { ", partly prescribed" } else { "" },
        );
        // arms of one seed differ in everything
        let mixed = label
            .bytes()
            .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut random = Random::new(mixed);
        let description = self.description(&mut random);
        Model::of(label, seed, description, &mut random)
    }

    fn description(self, random: &mut Random) -> Description {
        let mut links: Vec<LinkData> = Vec::new();
        for i in 0..self.links {
            let kind = match self.shape {
                Shape::Floating if i == 0 => "free",
                // every kind occurs in a long arm, in any order
                _ => self.kinds[random.below(self.kinds.len())],
            };
            let parent = match self.shape {
                Shape::Chain => i.checked_sub(1),
                Shape::Tree => Some(random.below(i + 1)).filter(|&p| p < i),
                Shape::Floating => (i > 0).then(|| random.below(i)),
            };
            let mut link = LinkData::new(format!("link {i}"), parent, joint(kind, random));
            link.placement = random.pose(0.5);
            link.tool = random.pose(0.3);
            link.masses.push(mass(random));
            if self.furnished {
                furnish(&mut link, random);
            }
            link.prescribed = self.prescribed && random.once_in(3);
            if self.sliding && random.once_in(2) {
                link.beam = Some(slider(self.prescribed, random));
            }
            if self.bending || self.sliding {
                if self.bending && link.beam.is_none() && random.once_in(2) {
                    link.beam = Some(beam(random));
                }
                let carrier = link.parent.and_then(|p| links[p].beam.as_ref());
                link.section = carrier.map(|beam| match random.below(3) {
                    _ if beam.slide.is_some() => beam.length,
                    0 => beam.whole_length(),
                    _ => random.between(0.0, 1.0) * beam.whole_length(),
                });
            }
            links.push(link);
        }
        let mut description = Description { gravity: random.vector(10.0), links };
        if self.furnished {
            lighten(&mut description, random);
        }
        description
    }
}

/// Chains, trees and a floating arm whose joints of one coordinate have actuators, every second one
/// with a spring behind it.
pub(crate) fn driven() -> Vec<Model> {
    let kinds = ["revolute", "prismatic", "revolute", "cylindrical"];
    let mut all = Vec::new();
    for (shape, links) in [(Shape::Chain, 1), (Shape::Chain, 4), (Shape::Tree, 7)] {
        let recipe = Recipe::new(shape, links, &kinds);
        all.extend([recipe, recipe.furnished(), recipe.bending()]);
        all.push(Recipe { prescribed: true, ..recipe.furnished() });
    }
    all.push(Recipe::new(Shape::Floating, 5, &kinds).furnished());
    let dressed = all.iter().zip(31_u64..).map(|(recipe, seed)| {
        let random = &mut Random::new(seed);
        let mut description = recipe.description(random);
        for (i, link) in description.links.iter_mut().enumerate() {
            link.actuator = (link.joint.nv() == 1).then(|| actuator(i % 2 == 0, random));
        }
        Model::of(
            format!("driven, {} links, {:?}", recipe.links, recipe.shape),
            seed,
            description,
            random,
        )
    });
    dressed.collect()
}

/// Takes the mass of some links in between, where the next link's motion still leaves no freedom
/// without inertia.
fn lighten(description: &mut Description, random: &mut Random) {
    for i in 0..description.links.len() {
        let heavy = |link: &LinkData| !link.masses.is_empty();
        let children: Vec<usize> = description.children(i).collect();
        let (all, link) = (&description.links, &description.links[i]);
        let safe = link.joint.nv() < 2
            && link.parent.is_none_or(|p| heavy(&all[p]))
            && !children.is_empty()
            && children.iter().all(|&c| all[c].joint.nv() < 4);
        if safe && random.once_in(2) {
            description.links[i].masses.clear();
        }
    }
}
