//! Force elements as a user's crate has them, and arms with all of them.

use super::{KINDS, Model, Recipe, Shape};
use pliant::arm::{Arm, ElementForce, ElementPosition, ElementVelocity, ForceElement};
use pliant::scalar::Scalar;
use pliant::spatial::{Force, Vec3};

/// `√(x² + s²)`.
fn rounded<S: Scalar>(square: S, width: f64) -> S {
    (square + S::from_f64(width * width)).sqrt()
}

/// A plane `z = height` that pushes a frame up: `V = ½ k s²`, `f = −d s ż`, with the depth
/// `s = ½(x + √(x² + w²))`, `x = height − z`.
pub(crate) struct Floor {
    pub(crate) frame: String,
    pub(crate) height: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) width: f64,
}

impl Floor {
    pub(crate) fn depth<S: Scalar>(&self, z: S) -> S {
        let below = S::from_f64(self.height) - z;
        S::from_f64(0.5) * (below + rounded(below * below, self.width))
    }
}

impl ForceElement for Floor {
    fn frames(&self) -> Vec<String> {
        vec![self.frame.clone()]
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let depth = self.depth(at.frames[0].position.z);
        S::from_f64(0.5 * self.stiffness) * depth * depth
    }

    fn force<S: Scalar>(
        &self,
        at: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let depth = self.depth(at.frames[0].position.z);
        force.frames[0].force.z =
            -(S::from_f64(self.damping) * depth * velocity.frames[0].linear.z);
    }
}

/// A spring of zero length between the origins of two frames.
pub(crate) struct Cable {
    pub(crate) frames: [String; 2],
    pub(crate) stiffness: f64,
    pub(crate) length: f64,
}

impl ForceElement for Cable {
    fn frames(&self) -> Vec<String> {
        self.frames.to_vec()
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let way = at.frames[1].position - at.frames[0].position;
        let stretch = rounded(way.dot(way), 0.1) - S::from_f64(self.length);
        S::from_f64(0.5 * self.stiffness) * stretch * stretch
    }
}

/// `f = −c |v| v` and as much of a moment against turning.
pub(crate) struct Drag {
    pub(crate) frame: String,
    pub(crate) coefficient: f64,
}

impl ForceElement for Drag {
    fn frames(&self) -> Vec<String> {
        vec![self.frame.clone()]
    }

    fn force<S: Scalar>(
        &self,
        _: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let [v, w] = [velocity.frames[0].linear, velocity.frames[0].angular];
        let against = |v: Vec3<S>| v * (-S::from_f64(self.coefficient) * rounded(v.dot(v), 1e-3));
        force.frames[0] = Force::new(against(v), against(w));
    }
}

/// Turns the x axis of a frame towards the world's: `V = ½ k |x − e|²`.
pub(crate) struct Compass {
    pub(crate) frame: String,
    pub(crate) stiffness: f64,
}

impl ForceElement for Compass {
    fn frames(&self) -> Vec<String> {
        vec![self.frame.clone()]
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let off = at.frames[0].rotation.columns[0] - Vec3::AXES[0];
        S::from_f64(0.5 * self.stiffness) * off.dot(off)
    }
}

/// A force along the x axis of a frame, which follows it.
pub(crate) struct Thrust {
    pub(crate) frame: String,
    pub(crate) size: f64,
}

impl ForceElement for Thrust {
    fn frames(&self) -> Vec<String> {
        vec![self.frame.clone()]
    }

    fn force<S: Scalar>(
        &self,
        at: &ElementPosition<S>,
        _: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        force.frames[0].force = at.frames[0].rotation.columns[0] * S::from_f64(self.size);
    }
}

/// `V = k (1 − cos(a − b))` and a damper between two coordinates.
pub(crate) struct Pair {
    pub(crate) coordinates: [String; 2],
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
}

impl ForceElement for Pair {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.to_vec()
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let (_, cosine) = (at.coordinates[0] - at.coordinates[1]).sin_cos();
        S::from_f64(self.stiffness) * (S::ONE - cosine)
    }

    fn force<S: Scalar>(
        &self,
        _: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let [a, b] = [velocity.coordinates[0], velocity.coordinates[1]];
        let drag = S::from_f64(self.damping) * (a - b);
        (force.coordinates[0], force.coordinates[1]) = (-drag, drag);
    }
}

/// The first and the last coordinate that is its velocity's own.
pub(crate) fn ends(arm: &Arm) -> Option<[usize; 2]> {
    let plain: Vec<usize> = (0..arm.nv()).filter(|&v| arm.coordinate_of(v).is_some()).collect();
    Some([*plain.first()?, *plain.last()?])
}

/// Puts one of each on an arm: between its first and last links, and at the tool of the last.
fn dress(mut model: Model) -> Model {
    let links = &model.description.links;
    let [first, last] = [0, links.len() - 1].map(|k| links[k].tool_name());
    let mut builder = model
        .description
        .builder()
        .element(
            "floor",
            &Floor { frame: last.clone(), height: 0.2, stiffness: 80.0, damping: 3.0, width: 0.3 },
        )
        .element("cable", &Cable { frames: [first, last.clone()], stiffness: 30.0, length: 0.4 })
        .element("drag", &Drag { frame: last.clone(), coefficient: 0.8 })
        .element("compass", &Compass { frame: last.clone(), stiffness: 12.0 })
        .element("thrust", &Thrust { frame: last, size: 5.0 });
    if let Some(ends) = ends(&model.arm) {
        let coordinates = ends.map(|v| model.arm.velocity_names()[v].clone());
        let pair = Pair { coordinates, stiffness: 7.0, damping: 0.6 };
        builder = builder.element("pair", &pair);
    }
    model.arm = builder.build().unwrap_or_else(|faults| panic!("{model}: {faults}"));
    model
}

/// Arms of every kind of joint, with beams that bend and slide, motors and prescribed joints, and
/// force elements of every kind.
pub(crate) fn with_elements() -> Vec<Model> {
    let mut all = Vec::new();
    for (shape, links) in
        [(Shape::Chain, 2), (Shape::Chain, 5), (Shape::Tree, 7), (Shape::Floating, 5)]
    {
        let recipe = Recipe::new(shape, links, &KINDS);
        all.push(recipe.furnished().model(41));
        all.push(recipe.bending().furnished().model(42));
        all.push(recipe.sliding().furnished().model(43));
        all.push(recipe.furnished().prescribed().model(44));
        all.push(recipe.bending().furnished().prescribed().model(45));
    }
    all.extend(super::driven());
    all.into_iter().map(dress).collect()
}
