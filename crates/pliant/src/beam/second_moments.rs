//! `∫ φ_K φ_Lᵀ dm` over all pairs of the shapes of a clamped beam.

use super::flexible::Field;
use super::products::Columns;
use crate::spatial::{Mat3, Vec3};

/// The shapes at a place, and its matter: mass, and inertia of the section along y and along z.
pub(super) type Place = (Field, [f64; 3]);

/// A component of the vectors of a shape.
struct Slot {
    shape: usize,
    component: usize,
    /// Whether its arms have it, too.
    turns: bool,
}

/// The integrals over all pairs of so many shapes but the first with itself, which is zero here; those
/// of arms are added to those of centrelines place by place.
pub(super) fn second_moments(places: &[Place], count: usize) -> Vec<Mat3<f64>> {
    let mut all = vec![[[0.0; 3]; 3]; count * count];
    let slots = slots(places, count);
    let mut add = |slots: &[&Slot], kinds: usize, wanted: &dyn Fn(&Slot, &Slot) -> bool| {
        let columns = |is_weighted: bool| columns(places, slots, kinds, is_weighted);
        let is_wanted = |a: usize, b: usize| {
            let pair = slots.get(a).zip(slots.get(b));
            pair.is_some_and(|(a, b)| a.shape + b.shape > 0 && wanted(a, b))
        };
        columns(false).products(&columns(true), is_wanted, |a, b, sum| {
            let (a, b) = (slots[a], slots[b]);
            all[a.shape * count + b.shape][b.component][a.component] = sum;
        });
    };
    let every: Vec<&Slot> = slots.iter().collect();
    add(&every, 1, &|a, b| !(a.turns && b.turns));
    let turning: Vec<&Slot> = slots.iter().filter(|slot| slot.turns).collect();
    add(&turning, 3, &|_, _| true);
    let vector = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
    all.into_iter().map(|columns| Mat3 { columns: columns.map(vector) }).collect()
}

/// The vectors of the shapes at a place.
fn vectors(field: &Field) -> [&[Vec3<f64>]; 3] {
    [&field.centre, &field.arm_y, &field.arm_z]
}

/// The components that vectors of shapes have anywhere.
fn slots(places: &[Place], count: usize) -> Vec<Slot> {
    let mut has = vec![[[false; 3]; 3]; count];
    for (field, _) in places {
        for (kind, vectors) in vectors(field).into_iter().enumerate() {
            for (has, vector) in has.iter_mut().zip(vectors) {
                for (has, x) in has[kind].iter_mut().zip(vector.to_array()) {
                    *has |= x != 0.0;
                }
            }
        }
    }
    let all = (0..count).flat_map(|shape| (0..3).map(move |component| (shape, component)));
    let slot = |(shape, component): (usize, usize)| {
        let [centre, arm_y, arm_z] = has[shape].map(|has| has[component]);
        let turns = arm_y || arm_z;
        (centre || turns).then_some(Slot { shape, component, turns })
    };
    all.filter_map(slot).collect()
}

/// The numbers of slots at all places: of centrelines, or also of arms in turn.
fn columns(places: &[Place], slots: &[&Slot], kinds: usize, is_weighted: bool) -> Columns {
    let mut columns = Columns::new(slots.len(), kinds * places.len());
    for (place, (field, matter)) in places.iter().enumerate() {
        let kinds = vectors(field).into_iter().zip(matter).take(kinds).enumerate();
        let first = place * kinds.len();
        for (kind, (vectors, &matter)) in kinds {
            for (at, slot) in slots.iter().enumerate() {
                let vector = vectors[slot.shape];
                let vector = if is_weighted { vector * matter } else { vector };
                columns.set(at, first + kind, vector.to_array()[slot.component]);
            }
        }
    }
    columns
}
