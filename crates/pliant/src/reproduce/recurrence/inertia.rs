//! The mass matrix by recurrences: King, table 5.2.
//!
//! 1. `M_i = M_{i+1} + m_i` (F2-1)
//! 2. `c_i = (M_{i+1}/M_i) c_{i+1} + (S_i + M_{i+1} r_i)/M_i` (F2-2), inhomogeneous: the centre of all
//!    that link `i` carries, itself included, from its origin
//! 3. `W_i = W_{i+1} + M_{i+1} X Xᵀ + (its own second moments about c_i)`, `X = c_{i+1} + r_i − c_i`
//!    (F2-3): second moments about that centre, whose tensor is King's `E`
//! 4. `o_i = o_{i-1} + r_{i-1}`: since the force per acceleration is the same all the way in, (F2-18)
//!    and (F2-30), the moments of (F2-19) and (F2-31) are `n_j = n_i + (o_i − o_j) × f`: one
//!    recurrence for all columns
//! 5. per coordinate force and moment (F2-7), (F2-8), (F2-15), (F2-16), (F2-24), (F2-25), and the
//!    entries (F2-9) to (F2-32), without the forces of link `i+1` that the composite already has

use super::Workspace;
use crate::arm::{Arm, JointKind};
use crate::scalar::Scalar;
use crate::spatial::{Pose, Sym3, Vec3};

/// Everything that one link carries, base axes; outermost first where a recurrence runs inward.
#[derive(Clone, Debug)]
pub(super) struct Composite<S> {
    mass: Vec<S>,
    /// The maps `c_{i+1} → c_i`, then from the outer end.
    centre: Vec<Affine<S>>,
    /// Second moments about the centre.
    second: Vec<Sym3<S>>,
    origin: Vec<Vec3<S>>,
    /// The link of each velocity, and which of its shapes.
    places: Vec<(usize, Option<usize>)>,
    columns: Vec<Column<S>>,
}

/// `c → factor c + shift`.
#[derive(Clone, Copy, Debug)]
struct Affine<S> {
    factor: S,
    shift: Vec3<S>,
}

/// How a coordinate moves what hangs on its link, and the force and moment of its own link per
/// acceleration, base axes.
#[derive(Clone, Copy, Debug)]
struct Column<S> {
    /// About the joint's axis, or of the section that carries the next link.
    turn: Vec3<S>,
    shift: Vec3<S>,
    first: Vec3<S>,
    arm: Vec3<S>,
}

impl<S: Scalar> Composite<S> {
    pub(super) fn new(arm: &Arm<S>) -> Self {
        let n = arm.body_count();
        let mut places = Vec::with_capacity(arm.nv());
        for (i, body) in arm.bodies.iter().enumerate() {
            places.extend(body.v_range().map(|_| (i, None)));
            places.extend((0..body.modal_count).map(|k| (i, Some(k))));
        }
        let none =
            Column { turn: Vec3::ZERO, shift: Vec3::ZERO, first: Vec3::ZERO, arm: Vec3::ZERO };
        Self {
            mass: vec![S::ZERO; n],
            centre: vec![Affine { factor: S::ZERO, shift: Vec3::ZERO }; n],
            second: vec![Sym3::ZERO; n],
            origin: vec![Vec3::ZERO; n],
            columns: vec![none; places.len()],
            places,
        }
    }
}

/// As [`crba_into`](crate::dynamics::crba::crba_into), by linear recurrences: the lower triangle.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn mass_matrix_into<S: Scalar>(arm: &Arm<S>, work: &mut Workspace<S>, q: &[S], m: &mut [S]) {
    let (nv, n, how) = (arm.nv(), arm.body_count(), work.how);
    arm.check_lengths(q, []);
    assert_eq!(m.len(), nv * nv, "the mass matrix has nv × nv = {nv} × {nv} entries");
    work.place(arm, q);
    let (links, based) = (&work.links, &work.based);
    let Composite { mass, centre, second, origin, places, columns } = &mut work.composite;

    // (1)
    how.each(mass, |k, mass| *mass = links[n - 1 - k].matter.mass);
    how.scan(mass, |outer, own| outer + own);
    let mass = &*mass;
    // (2)
    how.each(centre, |k, map| {
        let i = n - 1 - k;
        let carried = if k > 0 { mass[k - 1] } else { S::ZERO };
        let inverse = mass[k].recip();
        let first = based[i].rotation * links[i].matter.first;
        map.factor = carried * inverse;
        map.shift = based[i].reach.mul_add(carried, first) * inverse;
    });
    how.scan(centre, |outer, own| Affine {
        factor: outer.factor * own.factor,
        shift: outer.shift.mul_add(own.factor, own.shift),
    });
    let centre = &*centre;
    // (3)
    how.each(second, |k, second| {
        let (i, c) = (n - 1 - k, centre[k].shift);
        let about_c = Pose { rotation: based[i].rotation, position: -c };
        let mut sum = links[i].matter.seen_from(&about_c).second;
        if k > 0 {
            let x = centre[k - 1].shift + based[i].reach - c;
            sum += Sym3::outer(x).scaled(mass[k - 1]);
        }
        *second = sum;
    });
    how.scan(second, |outer, own| outer + own);
    let second = &*second;
    // (4)
    how.each(origin, |i, origin| *origin = if i > 0 { based[i - 1].reach } else { Vec3::ZERO });
    how.scan(origin, |inner, own| inner + own);
    let origin = &*origin;

    // (5)
    let places = &*places;
    how.each(columns, |v, column| {
        let (i, shape) = places[v];
        let t = &based[i].rotation;
        match shape.map(|k| &links[i].modes[k]) {
            None => column.turn = t.columns[2],
            Some(mode) => {
                let [turn, shift, first, arm] =
                    [mode.turn, mode.shift, mode.first, mode.arm].map(|v| *t * v);
                *column = Column { turn, shift, first, arm };
            }
        }
    });
    let columns = &*columns;
    how.each_row(m, nv, |row, entries| {
        let (i, shape) = places[row];
        let (k, column) = (n - 1 - i, &columns[row]);
        // what the mass beyond needs to turn and shift with this coordinate
        let of = |k: usize, shift: Vec3<S>| {
            let c = centre[k].shift;
            let force = (shift + column.turn.cross(c)) * mass[k];
            (force, second[k].trace_complement() * column.turn + c.cross(force))
        };
        let (force, moment) = match shape {
            None => of(k, Vec3::ZERO),
            Some(shape) => {
                let (mut force, mut moment) =
                    if k > 0 { of(k - 1, column.shift) } else { (Vec3::ZERO, Vec3::ZERO) };
                let first = row - shape;
                for (l, column) in columns[first..=row].iter().enumerate() {
                    let own = arm.bodies[i].bend.map_or(S::ZERO, |bend| {
                        arm.flexible_bodies[bend].flexible.modal_mass(shape, l)
                    });
                    entries[first + l] = own + column.turn.dot(moment) + column.shift.dot(force);
                }
                moment += based[i].reach.cross(force) + column.arm;
                force += column.first;
                (force, moment)
            }
        };
        let joint = |j: usize, moment: Vec3<S>, entries: &mut [S]| {
            let body = &arm.bodies[j];
            if matches!(body.kind, JointKind::Revolute) {
                entries[body.v] = columns[body.v].turn.dot(moment);
            }
        };
        joint(i, moment, entries);
        for j in 0..i {
            let body = &arm.bodies[j];
            let about = |o: Vec3<S>| moment + (origin[i] - o).cross(force);
            joint(j, about(origin[j]), entries);
            if body.modal_count > 0 {
                let outer = about(origin[j + 1]);
                for v in body.bend_v() {
                    entries[v] = columns[v].turn.dot(outer) + columns[v].shift.dot(force);
                }
            }
        }
        entries[row] += arm.armature[row];
    });
}
