//! King's composite control with fixed gains: `control::Composite`.

use super::algorithm::{Algorithm, Line, System, call, copy};
use super::formula::{Arrays, array, constants, difference, opposite, product, routine, sum};
use super::routine::{Body, Direction, Routine};
use super::{CodeError, about};
use crate::compile::Folded;
use crate::control::{Composite, ControlLaw, FixedComposite, Model};
use crate::dynamics::kinematics::{self, Axes};
use crate::linear::Pivoted;
use crate::scalar::Scalar as _;
use crate::simulate::Signal;
use std::any::Any;

/// The law of a controller, as formulas.
struct Law<'a> {
    model: &'a Model,
    numbers: FixedComposite,
    /// The joints that are led by their pseudolinks, by number, and their points.
    led: Vec<(usize, usize)>,
    /// Whether the gains are those of joints and bending together.
    together: bool,
}

/// The functions of composite control: what it calls, and itself. Mass matrix and bias are those of
/// a function that is there.
pub(super) fn routines(
    (law, trajectory): (&dyn ControlLaw, &[Signal]),
    model: &Model,
    terms: &Routine,
) -> Result<Vec<Routine>, CodeError> {
    let law: &dyn Any = law;
    let Some(own) = law.downcast_ref::<Composite>() else { return Err(CodeError::OtherLaw) };
    if model.settles() {
        return Err(CodeError::BendingUnseen);
    }
    let numbers = own.fixed(model, trajectory).map_err(CodeError::Control)?;
    let n = model.flexible().len();
    let together = numbers.gain.as_ref().is_some_and(|gain| gain.ncols() > 2 * n);
    let led = numbers.frames.iter().enumerate().filter(|_| n > 0);
    let led = led.filter_map(|(k, frame)| Some((k, (*frame)?))).collect();
    Law { model, numbers, led, together }.routines(terms)
}

/// A mass matrix and a bias, parted into joints (1) and the rest (2).
struct Parts<'a> {
    mass: &'a [Folded],
    bias: &'a [Folded],
    joints: &'a [usize],
    others: &'a [usize],
}

impl Parts<'_> {
    fn entry(&self, row: usize, column: usize) -> Folded {
        self.mass[row * self.bias.len() + column]
    }
    fn h11(&self, i: usize, j: usize) -> Folded {
        self.entry(self.joints[i], self.joints[j])
    }
    fn h12(&self, i: usize, j: usize) -> Folded {
        self.entry(self.joints[i], self.others[j])
    }
    fn h21(&self, i: usize, j: usize) -> Folded {
        self.h12(j, i)
    }
    fn h22(&self, i: usize, j: usize) -> Folded {
        self.entry(self.others[i], self.others[j])
    }
    fn bias1(&self) -> Vec<Folded> {
        self.joints.iter().map(|v| self.bias[*v]).collect()
    }
    fn bias2(&self) -> Vec<Folded> {
        self.others.iter().map(|v| self.bias[*v]).collect()
    }
}

impl Law<'_> {
    /// How many joints and flexible coordinates there are.
    fn shape(&self) -> (usize, usize) {
        (self.model.joints().len(), self.model.flexible().len())
    }

    fn parts<'a>(&'a self, given: &Arrays<'a, Folded>) -> Parts<'a> {
        Parts {
            mass: given.get("mass"),
            bias: given.get("bias"),
            joints: self.model.joints(),
            others: self.model.flexible(),
        }
    }

    /// `F`.
    fn map(&self, given: &Arrays<'_, Folded>, i: usize, j: usize) -> Folded {
        let row = self.led.iter().position(|(k, _)| *k == i);
        row.map_or(Folded::ZERO, |row| given.get("map")[row * self.shape().1 + j])
    }

    /// `δ` and `δ̇`.
    fn bending(&self, given: &Arrays<'_, Folded>) -> [Vec<Folded>; 2] {
        let (arm, others) = (self.model.arm(), self.model.flexible());
        let place = |v: &usize| arm.coordinate_of(*v).map_or(Folded::ZERO, |c| given.get("q")[c]);
        let rate = |v: &usize| given.get("u")[*v];
        [others.iter().map(place).collect(), others.iter().map(rate).collect()]
    }

    /// `G` between two columns.
    fn gain(&self, first: usize) -> impl Fn(usize, usize) -> Folded + '_ {
        move |i, j| {
            let gain = self.numbers.gain.as_ref();
            gain.map_or(Folded::ZERO, |gain| Folded::Constant(gain[(i, first + j)]))
        }
    }

    fn routines(&self, terms: &Routine) -> Result<Vec<Routine>, CodeError> {
        let arm = self.model.arm();
        let ((m, n), (nq, nv), count) = (self.shape(), (arm.nq(), arm.nv()), self.led.len());
        let passive = &self.numbers.passive[0];
        let mut factored = Pivoted::default();
        factored.factor(passive);
        if factored.diagonal().any(|pivot| pivot == 0.0) {
            return Err(CodeError::NoStiffness);
        }
        let state = [("q", nq), ("u", nv), ("mass", nv * nv), ("bias", nv)];
        let map = [("map", count * n)];
        let mut reference = vec![("q_reference", m), ("u_reference", m), ("ud_reference", m)];
        let mut errors = Vec::new();
        if self.together {
            reference.push(("jerk_reference", m));
            errors.extend([("error", m), ("error_rate", m)]);
        }
        // the bending that follows the plan, and with gains of everything together its rate
        let columns = 1 + usize::from(self.together);
        let quasi = [("quasi", n * columns), ("stiffness", n * n)];
        let mut routines = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut solves = Vec::new();
        let mut arrays = vec![("mass", nv * nv), ("bias", nv), ("pushed", m)];
        if count > 0 {
            let points = ("points", 3 * count * (count + n));
            let directions = ("directions", 3 * count);
            let sizes = ("sizes", count);
            arrays.extend([points, directions, sizes, ("turned", count * count), map[0]]);
            let place = routine("pseudolink_points", &[("q", nq)], &[points, sizes], |given| {
                self.points(given)
            });
            lines.push(call(&place, |name, _| name.to_owned()));
            lines.push(Line::For("i", 0, count));
            lines.push(Line::For("j", 0, 3));
            let entry = format!("points[(i * 3 + j) * {} + i]", count + n);
            lines
                .push(Line::Set("directions[i * 3 + j]".to_owned(), format!("{entry} / sizes[i]")));
            lines.extend([Line::End, Line::End]);
            let sides = routine(
                "pseudolink_sides",
                &[points, directions],
                &[("turned", count * count), map[0]],
                |given| self.sides(given),
            );
            lines.push(call(&sides, |name, _| name.to_owned()));
            let system = System { size: count, columns: n, is_triangular: false };
            lines.push(system.call("turned", "map"));
            solves.push(system);
            routines.extend([place, sides]);
        }
        lines.push(call(terms, |name, _| name.to_owned()));
        let start = routine(
            "composite_start",
            &[&state[..], &reference, &map].concat(),
            &[&[("pushed", m)][..], &errors, if n > 0 { &quasi[..] } else { &[] }].concat(),
            |given| self.start(given, &factored),
        );
        lines.push(call(&start, |name, _| name.to_owned()));
        routines.push(start);
        let mut pushed = "pushed";
        let mut determinant = None;
        if n > 0 {
            let system = System { size: n, columns, is_triangular: true };
            lines.push(system.call("stiffness", "quasi"));
            solves.push(system);
            let bent = [("pushed_back", m), ("effective", n * n), ("bent", n)];
            let guarded = [("inertia", n * n)];
            let guarded = if count > 0 { &guarded[..] } else { &[] };
            arrays.extend(quasi);
            arrays.extend(&errors);
            arrays.extend(bent);
            arrays.extend(guarded);
            let back = routine(
                "composite_feedback",
                &[&state[..], &[("pushed", m)], &errors, &quasi[..1], &map].concat(),
                &[&bent, guarded].concat(),
                |given| self.feedback(given),
            );
            lines.push(call(&back, |name, _| name.to_owned()));
            routines.push(back);
            if count > 0 {
                arrays.extend([("free", 1), ("whole", 1)]);
                for (matrix, out) in [("effective", "free"), ("inertia", "whole")] {
                    let direction = if n > 3 { Direction::InOut } else { Direction::In };
                    let mut used = matrix;
                    if n > 3 && matrix == "effective" {
                        // which the system needs too
                        used = "used_up";
                        arrays.push((used, n * n));
                        copy(used, matrix, n * n, &mut lines);
                    }
                    let arguments =
                        vec![(used.to_owned(), direction), (out.to_owned(), Direction::Out)];
                    let name = format!("determinant_{n}");
                    lines.push(Line::Call { name, is_public: false, arguments });
                }
                let of = format!("free[0] / whole[0] / {:.17e}", self.numbers.large);
                lines.push(Line::Set("determinant[0]".to_owned(), of));
                if n > 3 {
                    determinant = Some(n);
                } else {
                    routines.push(small_determinant(n));
                }
            }
            let system = System { size: n, columns: 1, is_triangular: false };
            lines.push(system.call("effective", "bent"));
            solves.push(system);
            pushed = "pushed_back";
        }
        let forces = routine(
            "composite_forces",
            &[&[("pushed", m), ("bent", n)], &state[2..], &map].concat(),
            &[("tau", m)],
            |given| self.forces(given),
        );
        lines.push(call(&forces, |name, _| {
            if name == "pushed" { pushed.to_owned() } else { name.to_owned() }
        }));
        routines.push(forces);
        let arrays = arrays.into_iter().filter(|own| own.1 > 0);
        let arrays = arrays.map(|(name, length)| Line::Array(name.to_owned(), length));
        let read = [&state[..2], &reference].concat();
        let read = read.into_iter().map(|(name, length)| array(name, length, Direction::In));
        let guard = (count > 0).then(|| array("determinant", 1, Direction::Out));
        let written = [array("tau", m, Direction::Out)].into_iter().chain(guard);
        routines.push(Routine {
            name: "composite".to_owned(),
            about: about::composite(self.model, &self.numbers, &self.led, self.together),
            parameters: read.chain(written).collect(),
            body: Body::Algorithm(Algorithm {
                lines: arrays.chain(lines).collect(),
                solves,
                determinant,
                guard: (count > 0).then_some(self.numbers.guard),
            }),
            is_public: true,
        });
        Ok(routines)
    }

    /// How joints and bending move the points of pseudolinks with straight links, for each point
    /// three rows, and how far the own joint moves it.
    fn points(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let arm = self.model.arm().cast::<Folded>();
        let (nv, joints) = (arm.nv(), self.model.joints());
        let mut straight: Vec<Folded> = constants(&self.model.arm().neutral());
        for coordinate in joints.iter().filter_map(|v| arm.coordinate_of(*v)) {
            straight[coordinate] = given.get("q")[coordinate];
        }
        let moving = self.led.iter().map(|(k, _)| joints[*k]);
        let moving: Vec<usize> = moving.chain(self.model.flexible().iter().copied()).collect();
        let mut frames = kinematics::Workspace::new(&arm);
        let (mut points, mut sizes) = (Vec::new(), Vec::new());
        for &(k, frame) in &self.led {
            let mut jacobian = vec![Folded::ZERO; 6 * nv];
            frames.place(&arm, &straight).jacobian_into(frame, Axes::World, &mut jacobian);
            points.extend(
                (0..3)
                    .flat_map(|row| moving.iter().map(move |v| (row, *v)))
                    .map(|(row, v)| jacobian[row * nv + v]),
            );
            let [x, y, z] = [0, 1, 2].map(|row| jacobian[row * nv + joints[k]]);
            sizes.push((x * x + y * y + z * z).sqrt());
        }
        [points, sizes].concat()
    }

    /// The same along the directions in which the joints move their points: of the joints, and of the
    /// bending.
    fn sides(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let (count, (_, n)) = (self.led.len(), self.shape());
        let (points, directions) = (given.get("points"), given.get("directions"));
        let dot = |row: usize, column: usize| {
            let part =
                |k: usize| directions[row * 3 + k] * points[(row * 3 + k) * (count + n) + column];
            part(0) + part(1) + part(2)
        };
        let block = |columns: std::ops::Range<usize>| {
            (0..count)
                .flat_map(|row| columns.clone().map(move |column| (row, column)))
                .map(|(row, column)| dot(row, column))
                .collect::<Vec<_>>()
        };
        [block(0..count), block(count..count + n)].concat()
    }

    /// The slow part of `ν`, and what `−K δ̄` is, with the lower factor of `K` taken to it.
    fn start(&self, given: &Arrays<'_, Folded>, factored: &Pivoted) -> Vec<Folded> {
        let ((m, n), arm) = (self.shape(), self.model.arm());
        let parts = self.parts(given);
        let [bending, rates] = self.bending(given);
        let map = |i, j| self.map(given, i, j);
        let [offset, offset_rate] = [&bending, &rates].map(|x| product(m, map, x));
        let joints = self.model.joints();
        let places = joints.iter().filter_map(|v| arm.coordinate_of(*v));
        let q: Vec<Folded> = places.map(|c| given.get("q")[c]).collect();
        let u: Vec<Folded> = joints.iter().map(|v| given.get("u")[*v]).collect();
        let error = difference(&difference(given.get("q_reference"), &q), &offset);
        let error_rate = difference(&difference(given.get("u_reference"), &u), &offset_rate);
        let planned = given.get("ud_reference");
        let slow = (0..m).map(|k| {
            let [stiffness, damping] =
                [self.numbers.stiffness[k], self.numbers.damping[k]].map(Folded::Constant);
            planned[k] + stiffness * error[k] + damping * error_rate[k]
        });
        let pushed: Vec<Folded> = if self.together { planned.to_vec() } else { slow.collect() };
        let mut results = pushed.clone();
        if self.together {
            results.extend([error, error_rate].concat());
        }
        if n == 0 {
            return results;
        }
        let [stiffness, damping] = &self.numbers.passive;
        let elastic = product(n, |i, j| Folded::Constant(stiffness[(i, j)]), &bending);
        let damped = product(n, |i, j| Folded::Constant(damping[(i, j)]), &rates);
        let coupled = product(n, |i, j| parts.h21(i, j), &pushed);
        let held = difference(&difference(&parts.bias2(), &elastic), &damped);
        let mut sides = vec![opposite(&sum(&held, &coupled))];
        if self.together {
            let jerk = product(n, |i, j| parts.h21(i, j), given.get("jerk_reference"));
            sides.push(opposite(&jerk));
        }
        let (factors, pivots) = factored.factors();
        for side in &mut sides {
            for (k, pivot) in pivots.iter().enumerate() {
                side.swap(k, *pivot);
            }
            for k in 0..n {
                for i in k + 1..n {
                    side[i] = side[i] - side[k] * Folded::Constant(factors[(i, k)]);
                }
            }
        }
        let rows = (0..n).flat_map(|k| sides.iter().map(move |side| side[k]));
        results.extend(rows);
        let upper = |k: usize| if k % n < k / n { 0.0 } else { factors[(k / n, k % n)] };
        results.extend((0..n * n).map(|k| Folded::Constant(upper(k))));
        results
    }

    /// `ν`, `H₂₂ − H₂₁F`, and `−(H₂₁ ν + h₂)`.
    fn feedback(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let (m, n) = self.shape();
        let parts = self.parts(given);
        let [bending, mut rates] = self.bending(given);
        let columns = 1 + usize::from(self.together);
        let quasi = |column: usize| -> Vec<Folded> {
            (0..n).map(|k| given.get("quasi")[k * columns + column]).collect()
        };
        let led = if self.together { m } else { 0 };
        let half = led + n;
        let away = difference(&bending, &quasi(0));
        if self.together {
            rates = difference(&rates, &quasi(1));
        }
        let mut fed_back =
            sum(&product(m, self.gain(led), &away), &product(m, self.gain(half + led), &rates));
        if self.together {
            for (first, errors) in [(0, "error"), (half, "error_rate")] {
                let gain = self.gain(first);
                for (i, sum) in fed_back.iter_mut().enumerate() {
                    for (j, error) in given.get(errors).iter().enumerate() {
                        *sum = gain(i, j) * *error + *sum;
                    }
                }
            }
        }
        let pushed = difference(given.get("pushed"), &fed_back);
        let effective = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| {
            let column: Vec<Folded> = (0..m).map(|k| self.map(given, k, j)).collect();
            -product(1, |_, k| parts.h21(i, k), &column)[0] + parts.h22(i, j)
        });
        let effective: Vec<Folded> = effective.collect();
        let moved = product(n, |i, j| parts.h21(i, j), &pushed);
        let bent = opposite(&sum(&moved, &parts.bias2()));
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let inertia = pairs.filter(|_| !self.led.is_empty()).map(|(i, j)| parts.h22(i, j));
        [pushed, effective, bent, inertia.collect()].concat()
    }

    /// `τ` of King (4-25).
    fn forces(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let (m, _) = self.shape();
        let parts = self.parts(given);
        let (pushed, bent) = (given.get("pushed"), given.get("bent"));
        let turned = difference(pushed, &product(m, |i, j| self.map(given, i, j), bent));
        let moved = product(m, |i, j| parts.h11(i, j), &turned);
        let carried = product(m, |i, j| parts.h12(i, j), bent);
        sum(&sum(&moved, &carried), &parts.bias1())
    }
}

/// The determinant of a matrix of up to three rows, in the order of nalgebra.
fn small_determinant(n: usize) -> Routine {
    let name = format!("determinant_{n}");
    routine(&name, &[("matrix", n * n)], &[("out", 1)], |given| {
        let m = |i: usize, j: usize| given.get("matrix")[i * n + j];
        let minor = |[a, b]: [usize; 2], [c, d]: [usize; 2]| m(a, c) * m(b, d) - m(b, c) * m(a, d);
        vec![match n {
            1 => m(0, 0),
            2 => minor([0, 1], [0, 1]),
            _ => {
                let rows = [1, 2];
                m(0, 0) * minor(rows, [1, 2]) - m(0, 1) * minor(rows, [0, 2])
                    + m(0, 2) * minor(rows, [0, 1])
            }
        }]
    })
}
