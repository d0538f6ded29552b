//! Inverse dynamics as d'Alembert wrote it: `τ_v = Σ m (ẍ − g)·∂x/∂v` over mass points, where `x`
//! is known as a function of the configuration and differentiated twice along a path.

use super::positions::{Frame, Point, V, frames, points};
use crate::calls;
use crate::description::Description;
use crate::models::{Model, small};
use pliant::arm::Joint;
use pliant::dynamics::kinematics::{Axes, Workspace};
use pliant::scalar::{Dual, Scalar};

/// A value, its first and its second derivative.
type Second = Dual<Dual<f64, 1>, 1>;

/// Every mass point of an arm, link after link.
fn all_points(description: &Description) -> Vec<(usize, Point)> {
    let mut all = Vec::new();
    for (i, link) in description.links.iter().enumerate() {
        for body in &link.masses {
            all.extend(points(body).into_iter().map(|point| (i, point)));
        }
    }
    all
}

/// Where they are.
fn places<S: Scalar>(description: &Description, masses: &[(usize, Point)], q: &[S]) -> Vec<V<S>> {
    let frames = frames(description, q);
    masses.iter().map(|(link, point)| frames[*link].place(point.place.map(S::from_f64))).collect()
}

/// `q(t)` near `t = 0`, right to the second order, for velocities `u + u̇ t` as the joints define
/// them.
fn path<S: Scalar>(description: &Description, q: &[f64], u: &[f64], ud: &[f64], t: S) -> Vec<S> {
    let half = S::from_f64(0.5);
    let number = S::from_f64;
    // u t + ½ u̇ t²
    let step = |v: usize| number(u[v]) * t + half * number(ud[v]) * t * t;
    let turned = |q: &[f64], v: usize| {
        // quaternion times (1 − φ²/8, φ/2), the exponential to the second order
        let phi = [step(v), step(v + 1), step(v + 2)];
        let square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
        let w = S::ONE - square * number(0.125);
        let [x, y, z] = phi.map(|p| p * half);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| number(q[i]));
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ]
    };
    let mut out = Vec::new();
    let (mut at, mut v) = (0, 0);
    for link in &description.links {
        let own = &q[at..at + link.joint.nq()];
        match link.joint {
            Joint::Spherical => out.extend(turned(own, v)),
            Joint::Free => {
                // p + R (v t + ½ (v̇ + ω×v) t²)
                let (vel, w) = (&u[v..v + 3], &u[v + 3..v + 6]);
                let inside = [0, 1, 2].map(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let swing = number(w[j] * vel[k] - w[k] * vel[j]);
                    step(v + i) + half * swing * t * t
                });
                let attitude = turned(&own[3..], v + 3);
                let rest = [0, 1, 2, 3].map(|i| number(own[3 + i]));
                let place = [0, 1, 2].map(|i| number(own[i]));
                out.extend(rotate(rest, place, inside));
                out.extend(attitude);
            }
            _ => out.extend((0..own.len()).map(|i| number(own[i]) + step(v + i))),
        }
        at += own.len();
        v += link.joint.nv();
    }
    out
}

/// `p + R(quaternion) x`, by `x + 2 v×(v×x + w x)`.
fn rotate<S: Scalar>([w, x, y, z]: [S; 4], place: V<S>, inside: V<S>) -> V<S> {
    let v = [x, y, z];
    let cross = |a: V<S>, b: V<S>| {
        [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            a[j] * b[k] - a[k] * b[j]
        })
    };
    let first = cross(v, inside);
    let second = cross(v, [0, 1, 2].map(|i| first[i] + w * inside[i]));
    [0, 1, 2].map(|i| place[i] + inside[i] + second[i] + second[i])
}

/// The springs' energy, from its definition.
fn spring_energy<S: Scalar>(description: &Description, q: &[S]) -> S {
    let mut energy = S::ZERO;
    let mut at = 0;
    for link in &description.links {
        let own = &q[at..at + link.joint.nq()];
        at += own.len();
        let slides = match link.joint {
            Joint::Spherical => 0,
            Joint::Free => 3,
            _ => own.len(),
        };
        for (i, &k) in link.stiffness.iter().enumerate() {
            let stretch = if i < slides {
                own[i] - S::from_f64(link.rest[i])
            } else {
                // twice a component of the quaternion from rest, conj(rest) ∘ q
                let r = &link.rest[slides..];
                let [a, b, c, d] = [r[0], -r[1], -r[2], -r[3]].map(S::from_f64);
                let [w, x, y, z] = [0, 1, 2, 3].map(|i| own[slides + i]);
                let turned = [
                    a * x + b * w + c * z - d * y,
                    a * y - b * z + c * w + d * x,
                    a * z + b * y - c * x + d * w,
                ];
                turned[i - slides] * S::from_f64(2.0)
            };
            energy += S::from_f64(0.5 * k) * stretch * stretch;
        }
    }
    energy
}

/// Time as a variable to differentiate by twice, at zero.
fn time() -> Second {
    Dual { re: Dual { re: 0.0, du: [1.0] }, du: [Dual { re: 1.0, du: [0.0] }] }
}

/// The generalised forces of a motion.
fn virtual_power(model: &Model) -> Vec<f64> {
    let Model { description, q, u, ud, .. } = model;
    let n = u.len();
    let masses = all_points(description);
    let moving = places(description, &masses, &path(description, q, u, ud, time()));
    let gravity = description.gravity;
    let still = vec![0.0; n];
    let drives = description.links.iter().flat_map(|link| {
        let nv = link.joint.nv();
        let get = move |list: &'_ [f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        (0..nv).map(move |i| (get(&link.damping, i), get(&link.armature, i)))
    });
    let drives: Vec<(f64, f64)> = drives.collect();
    (0..n)
        .map(|v| {
            let mut direction = still.clone();
            direction[v] = 1.0;
            let step = Dual { re: 0.0, du: [1.0] };
            let displaced = path(description, q, &direction, &still, step);
            let mut power = spring_energy(description, &displaced).du[0];
            power += drives[v].0 * u[v] + drives[v].1 * ud[v];
            let virtual_places = places(description, &masses, &displaced);
            for ((x, dx), (_, point)) in moving.iter().zip(&virtual_places).zip(&masses) {
                for i in 0..3 {
                    let acceleration = x[i].du[0].du[0];
                    power += point.kilograms * (acceleration - gravity[i]) * dx[i].du[0];
                }
            }
            power
        })
        .collect()
}

#[test]
fn inverse_dynamics() {
    for model in small() {
        let want = virtual_power(&model);
        let got = calls::rnea(&model.arm, &model.q, &model.u, &model.ud);
        assert_close!(
            model,
            got,
            want,
            rel = 1e-12,
            "both are exact; sums of about a hundred points round differently"
        );
    }
}

#[test]
fn energies_and_momenta() {
    for model in small() {
        let Model { description, q, u, .. } = &model;
        let masses = all_points(description);
        let t = Dual { re: 0.0, du: [1.0] };
        let still = vec![0.0; u.len()];
        let moving = places(description, &masses, &path(description, q, u, &still, t));
        let (mut kinetic, mut potential) = (0.0, 0.0);
        let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
        for (x, (_, point)) in moving.iter().zip(&masses) {
            let m = point.kilograms;
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                kinetic += 0.5 * m * x[i].du[0] * x[i].du[0];
                potential -= m * description.gravity[i] * x[i].re;
                linear[i] += m * x[i].du[0];
                angular[i] += m * (x[j].re * x[k].du[0] - x[k].re * x[j].du[0]);
            }
        }
        let armature = description.links.iter().flat_map(|link| {
            let nv = link.joint.nv();
            (0..nv).map(|i| link.armature.get(i).copied().unwrap_or(0.0))
        });
        kinetic += armature.zip(u).map(|(a, u)| 0.5 * a * u * u).sum::<f64>();
        let elastic = spring_energy(description, q);
        let energies = model.arm.energies(q, u).expect("a good state");
        let momenta = model.arm.momenta(q, u).expect("a good state");
        assert_close!(
            model,
            [energies.kinetic, energies.potential, energies.elastic],
            [kinetic, potential, elastic],
            rel = 1e-13,
            "energies are sums of products, exact but for rounding"
        );
        let size = crate::close::largest(&angular).max(crate::close::largest(&linear));
        assert_close!(
            model,
            [momenta.linear.to_array(), momenta.angular.to_array()].concat(),
            [linear, angular].concat(),
            rel = 1e-13,
            of = size,
            "momenta are sums of products, exact but for rounding"
        );
    }
}

#[test]
fn poses_velocities_and_accelerations_of_frames() {
    for model in small() {
        let Model { description, arm, q, u, ud, .. } = &model;
        let moving = frames(description, &path(description, q, u, ud, time()));
        let mut work = Workspace::new(arm);
        let answer = work.move_with(arm, q, u, ud);
        for (link, frame) in description.links.iter().zip(&moving) {
            let tool = frame.then(&Frame::fixed(&link.tool));
            let index = arm.frame(&link.tool_name()).expect("it was given");
            let pose = answer.placed().pose(index);
            let rotation = tool.rotation.map(|row| row.map(|entry| entry.re.re));
            assert_close!(
                model,
                pose.rotation.to_rows().as_flattened(),
                rotation.as_flattened(),
                rel = 1e-13,
                "a product of rotations"
            );
            let place = tool.origin.map(|x| x.re.re);
            let velocity = tool.origin.map(|x| x.re.du[0]);
            let acceleration = tool.origin.map(|x| x.du[0].du[0]);
            let got = answer.acceleration(index, Axes::World).linear.to_array();
            assert_close!(model, pose.position.to_array(), place, rel = 1e-13, "a place");
            assert_close!(
                model,
                answer.twist(index, Axes::World).linear.to_array(),
                velocity,
                rel = 1e-13,
                of = crate::close::largest(&velocity).max(1.0),
                "the rate of a place"
            );
            assert_close!(
                model,
                got,
                acceleration,
                rel = 1e-12,
                of = crate::close::largest(&acceleration).max(1.0),
                "the second rate of a place"
            );
            // ω from Ṙ Rᵀ, ω̇ from its rate
            let spin = spin(&tool.rotation);
            let twist = answer.twist(index, Axes::World).angular.to_array();
            let turning = answer.acceleration(index, Axes::World).angular.to_array();
            assert_close!(
                model,
                [twist, turning].concat(),
                spin,
                rel = 1e-12,
                of = crate::close::largest(&spin).max(1.0),
                "the rate of a rotation and its rate"
            );
        }
    }
}

/// Angular velocity and acceleration in world axes: `ω̂ = Ṙ Rᵀ`, `ω̂˙ = R̈ Rᵀ + Ṙ Ṙᵀ`.
fn spin(r: &[[Second; 3]; 3]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for i in 0..3 {
        // ω_i is the entry (k, j) of ω̂
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        for m in 0..3 {
            let (a, b) = (r[k][m], r[j][m]);
            out[i] += a.re.du[0] * b.re.re;
            out[i + 3] += a.du[0].du[0] * b.re.re + a.re.du[0] * b.re.du[0];
        }
    }
    out
}
