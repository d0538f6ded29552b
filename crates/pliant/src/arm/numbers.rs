//! All numbers of an arm, in one order.

use super::tree::Arm;
use crate::beam::Beam;
use crate::spatial::Pose;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

impl Arm<f64> {
    /// All numbers that [`Arm::cast_with`] converts, in its order.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let numbers = RefCell::new(Vec::new());
        self.cast_with(|number| {
            numbers.borrow_mut().push(number);
            number
        });
        numbers.into_inner()
    }

    /// What each number rounds like, at least its own size: numbers that are left over where others
    /// cancel round like the terms of their sums, which are bounded by diagonals, of the same dimension.
    pub(crate) fn magnitudes(&self) -> Vec<f64> {
        let mut arm = self.clone();
        for body in &mut arm.bodies {
            body.inertia = body.inertia.magnitudes();
        }
        for body in &mut arm.flexible_bodies {
            body.flexible = body.flexible.magnitudes();
            if let Some(sliding) = &mut body.sliding {
                *sliding = Arc::new(sliding.magnitudes(&body.flexible));
            }
        }
        let both = self.numbers().into_iter().zip(arm.numbers());
        both.map(|(own, terms)| own.abs().max(terms.abs())).collect()
    }

    /// The same parts with other numbers, in the order of [`Arm::numbers`].
    pub(crate) fn with_numbers(&self, numbers: &[f64]) -> Self {
        let next = Cell::new(0);
        self.cast_with(|_| {
            next.set(next.get() + 1);
            numbers[next.get() - 1]
        })
    }

    /// What the number of this index belongs to.
    pub(crate) fn part_of(&self, index: usize) -> String {
        let seen = Cell::new(0);
        let count = |number: f64| {
            seen.set(seen.get() + 1);
            number
        };
        let is_reached = || seen.get() > index;
        self.gravity.cast(count);
        if is_reached() {
            return "gravity".to_owned();
        }
        for (body, name) in self.bodies.iter().zip(&self.topology.links) {
            body.placement.cast(count);
            if is_reached() {
                return format!("the placement of the link \"{name}\"");
            }
            body.kind.cast(count);
            if is_reached() {
                return format!("the joint of the link \"{name}\"");
            }
            body.inertia.cast(count);
            if is_reached() {
                return format!("the inertia of the link \"{name}\"");
            }
            body.link.cast(count);
            if is_reached() {
                return format!("the frame of the link \"{name}\"");
            }
        }
        let bending =
            self.bodies.iter().zip(&self.topology.links).filter(|(b, _)| b.bend.is_some());
        for (flexible, (_, name)) in self.flexible_bodies.iter().zip(bending) {
            flexible.cast_with(count);
            if is_reached() {
                return format!("the beam of the link \"{name}\"");
            }
        }
        for frame in &self.frames {
            frame.pose.cast(count);
            if is_reached() {
                return format!("the frame \"{}\"", frame.name);
            }
        }
        "a spring, a damper, a friction or a drive".to_owned()
    }

    /// Whether another arm has the same parts: then its numbers are those of the same things.
    pub(crate) fn has_parts_of(&self, other: &Self) -> bool {
        let (own, others) = (&self.topology, &other.topology);
        own.links == others.links
            && own.velocity_names == others.velocity_names
            && own.prescribed == others.prescribed
            && self.has_armature == other.has_armature
            && self.numbers().len() == other.numbers().len()
    }

    /// Whether another arm has the same parts and, bit for bit, the same numbers, so that both move
    /// alike; force elements are not compared.
    pub fn has_numbers_of(&self, other: &Self) -> bool {
        let bits = |arm: &Self| arm.numbers().into_iter().map(f64::to_bits).collect::<Vec<_>>();
        self.has_parts_of(other) && bits(self) == bits(other)
    }

    /// The first link that bends along another line or in other ways than that of another arm with the
    /// same links, and so cannot have its shapes ([`Builder::in_shapes_of`](super::Builder::in_shapes_of)).
    pub fn reshaped_link(&self, other: &Self) -> Option<&str> {
        let others = &other.topology.beams;
        let is_other = |(at, (own, _)): (usize, &(Beam, Pose<f64>))| {
            others.get(at).is_none_or(|(other, _)| !own.bends_like(other))
        };
        let at = self.topology.beams.iter().enumerate().position(is_other)?;
        let link = self.bodies.iter().position(|body| body.bend == Some(at))?;
        Some(self.described_link(link))
    }
}
