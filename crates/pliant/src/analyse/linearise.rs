//! Linearisation of an arm about an operating point.
//!
//! The states are small displacements `ξ` from the point, in the directions of the velocities
//! (`q = q₀ ⊞ ξ`, so that joints with quaternions have three or six), and the changes of the
//! velocities. Everything is exact to rounding: the slopes are those
//! of the recursions on dual numbers, and what is rounding alone is zero.

use super::balance::dual_load;
use super::conditions::Conditions;
use super::error::AnalysisError;
use super::masses::Masses;
use super::state_space::{Label, StateSpace};
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::dynamics::derivatives::DIRECTIONS;
use crate::dynamics::kinematics::{self, Axes, Moving};
use crate::dynamics::loads::{Load, add_loads};
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Force, Vec3};
use nalgebra::{DMatrix, DVector};

type D = Dual<f64, DIRECTIONS>;

/// An input of a linearised arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    /// The force of a motor, by velocity coordinate (N m, N).
    Motor(usize),
    /// A component of a wrench on a frame, about its origin: force along x, y, z (N), moment about
    /// them (N m).
    Wrench {
        /// The frame, by index.
        frame: usize,
        /// Which of the six.
        component: usize,
        /// In which axes.
        axes: Axes,
    },
}

/// An output of a linearised arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A coordinate, in the direction of a velocity (rad, m).
    Coordinate(usize),
    /// A velocity (rad/s, m/s).
    Rate(usize),
    /// A component of the place of a frame in the world (m).
    Position {
        /// The frame, by index.
        frame: usize,
        /// x, y or z.
        axis: usize,
    },
    /// A component of the velocity of a frame's origin, in the axes of the world (m/s).
    Velocity {
        /// The frame, by index.
        frame: usize,
        /// x, y or z.
        axis: usize,
    },
    /// What an accelerometer feels on a frame along its own axis (m/s²).
    SpecificForce {
        /// The frame, by index.
        frame: usize,
        /// x, y or z.
        axis: usize,
    },
    /// The axial strain of a beam on its surface, `ε = u' + z θ_y' − y θ_z'`.
    Strain {
        /// The link, by index.
        link: usize,
        /// The distance from the root of the part that bends (m).
        distance: f64,
        /// The place in the section, from the axis (m).
        place: [f64; 2],
    },
}

/// An operating point of a motion. The motors supply the forces it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoint {
    /// The configuration.
    pub q: Vec<f64>,
    /// The velocities.
    pub u: Vec<f64>,
    /// The accelerations.
    pub ud: Vec<f64>,
}

impl OperatingPoint {
    /// At rest in a configuration.
    pub fn rest(arm: &Arm, q: &[f64]) -> Self {
        Self { q: q.to_vec(), u: vec![0.0; arm.nv()], ud: vec![0.0; arm.nv()] }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
const COMPONENTS: [&str; 6] = ["force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z"];

impl Arm<f64> {
    /// The arm linearised about an operating point. Locked joints are not states; loads keep
    /// acting.
    ///
    /// ```
    /// use pliant::analyse::{Conditions, JointCondition, Input, Output, OperatingPoint};
    /// use pliant::arm::{Builder, Joint, Link};
    /// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(1.0, [0.0, 0.0, -2.0]);
    /// let arm = Builder::new("pendulum").link(bob).build()?;
    /// let free = Conditions::all(&arm, JointCondition::Free);
    /// let point = OperatingPoint::rest(&arm, &[0.0]);
    /// let swing = arm.linearise(&point, &free, &[Input::Motor(0)], &[Output::Coordinate(0)])?;
    /// assert!((swing.a[(1, 0)] + 9.81 / 2.0).abs() < 1e-14 && swing.b[(1, 0)] == 0.25);
    /// assert!((swing.poles()[0].im - (9.81_f64 / 2.0).sqrt()).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn linearise(
        &self,
        point: &OperatingPoint,
        conditions: &Conditions,
        inputs: &[Input],
        outputs: &[Output],
    ) -> Result<StateSpace, AnalysisError> {
        conditions.check(self, &point.q)?;
        let arm = conditions.released(self);
        let moving = conditions.moving(&arm);
        inputs.iter().try_for_each(|input| check_input(&arm, &moving, input))?;
        outputs.iter().try_for_each(|output| check_output(&arm, output))?;
        let slopes = arm.inverse_derivatives(&point.q, &point.u, &point.ud)?;
        let mut near = Near::new(&arm, conditions, point, &moving);
        let seen = near.outputs(outputs);
        let pushed = near.load_slope();

        let n = moving.len();
        let chosen = |whole: &DMatrix<f64>| whole.select_rows(&moving).select_columns(&moving);
        let masses = Masses::new(chosen(&slopes.by_ud)).ok_or_else(|| {
            let coordinate = moving.first().map_or("", |&v| &arm.velocity_names()[v]).to_owned();
            EvaluationError::SingularMassMatrix { coordinate }
        })?;
        let mut by_q = -masses.solve(&(chosen(&slopes.by_q) - pushed));
        let mut by_u = -masses.solve(&chosen(&slopes.by_u));
        let mut by_input = masses.solve(&near.pushes(inputs));
        masses.sweep_rows(&mut by_q);
        masses.sweep_rows(&mut by_u);
        masses.sweep_columns(&mut by_input);

        let mut a = DMatrix::zeros(2 * n, 2 * n);
        a.view_mut((0, 0), (n, n)).copy_from(&near.turning());
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, 0), (n, n)).copy_from(&by_q);
        a.view_mut((n, n), (n, n)).copy_from(&by_u);
        let mut b = DMatrix::zeros(2 * n, inputs.len());
        b.rows_mut(n, n).copy_from(&by_input);
        let [places, rates, felt] = seen;
        let mut halves = [places + &felt * by_q, rates + &felt * by_u];
        let mut c = DMatrix::zeros(outputs.len(), 2 * n);
        for (half, at) in halves.iter_mut().zip([0, n]) {
            masses.sweep_rows(half);
            c.columns_mut(at, n).copy_from(half);
        }
        let d = felt * by_input;
        let system = StateSpace {
            a,
            b,
            c,
            d,
            states: states(&arm, &moving),
            inputs: inputs.iter().map(|input| input_name(&arm, input)).collect(),
            outputs: outputs.iter().map(|output| output_name(&arm, output)).collect(),
        };
        check_finite([&system.a, &system.b], &system.states)?;
        check_finite([&system.c, &system.d], &system.outputs)?;
        Ok(system)
    }
}

/// Refuses slopes beyond the range of numbers; the labels are those of the rows.
fn check_finite(slopes: [&DMatrix<f64>; 2], labels: &[Label]) -> Result<(), AnalysisError> {
    for (row, label) in labels.iter().enumerate() {
        let mut numbers = slopes.iter().flat_map(|slopes| slopes.row(row).into_iter().copied());
        if let Some(value) = numbers.find(|number| !number.is_finite()) {
            let coordinate = label.name.clone();
            return Err(AnalysisError::SlopeOutOfRange { coordinate, value });
        }
    }
    Ok(())
}

fn no_such(what: &'static str, given: usize, count: usize) -> Result<(), AnalysisError> {
    if given < count { Ok(()) } else { Err(AnalysisError::NoSuch { what, given, count }) }
}

fn check_input(arm: &Arm, moving: &[usize], input: &Input) -> Result<(), AnalysisError> {
    match *input {
        Input::Motor(v) => {
            no_such("velocity coordinate", v, arm.nv())?;
            if moving.contains(&v) {
                return Ok(());
            }
            Err(AnalysisError::LockedInput { coordinate: arm.velocity_names()[v].clone() })
        }
        Input::Wrench { frame, component, .. } => {
            no_such("frame", frame, arm.frames().len())?;
            no_such("component of a wrench", component, 6)
        }
    }
}

fn check_output(arm: &Arm, output: &Output) -> Result<(), AnalysisError> {
    match *output {
        Output::Coordinate(v) | Output::Rate(v) => no_such("velocity coordinate", v, arm.nv()),
        Output::Position { frame, axis }
        | Output::Velocity { frame, axis }
        | Output::SpecificForce { frame, axis } => {
            no_such("frame", frame, arm.frames().len())?;
            no_such("axis", axis, 3)
        }
        Output::Strain { link, distance, .. } => {
            no_such("link", link, arm.body_count())?;
            let name = || arm.link_names()[link].clone();
            let beam = arm.beam_of(link).ok_or_else(|| AnalysisError::Rigid { link: name() })?;
            let length = beam.length;
            if (0.0..=length).contains(&distance) {
                return Ok(());
            }
            Err(AnalysisError::BeyondBeam { link: name(), distance, length })
        }
    }
}

fn states(arm: &Arm, moving: &[usize]) -> Vec<Label> {
    let (names, units) = (arm.velocity_names(), arm.velocity_units());
    let places = moving.iter().map(|&v| Label::new(names[v].clone(), units[v][0]));
    let rates = moving.iter().map(|&v| Label::new(format!("{}.rate", names[v]), units[v][1]));
    places.chain(rates).collect()
}

fn input_name(arm: &Arm, input: &Input) -> Label {
    match *input {
        Input::Motor(v) => {
            let name = format!("{}.force", arm.velocity_names()[v]);
            Label::new(name, arm.velocity_units()[v][3])
        }
        Input::Wrench { frame, component, axes } => {
            let own = if axes == Axes::Own { ".own" } else { "" };
            let name = format!("{}{own}.{}", arm.frames()[frame].name(), COMPONENTS[component]);
            Label::new(name, if component < 3 { "N" } else { "N m" })
        }
    }
}

fn output_name(arm: &Arm, output: &Output) -> Label {
    let of_frame = |frame: usize, what: &str, axis: usize, unit| {
        Label::new(format!("{}.{what}.{}", arm.frames()[frame].name(), AXES[axis]), unit)
    };
    match *output {
        Output::Coordinate(v) => {
            Label::new(arm.velocity_names()[v].clone(), arm.velocity_units()[v][0])
        }
        Output::Rate(v) => {
            let name = format!("{}.rate", arm.velocity_names()[v]);
            Label::new(name, arm.velocity_units()[v][1])
        }
        Output::Position { frame, axis } => of_frame(frame, "position", axis, "m"),
        Output::Velocity { frame, axis } => of_frame(frame, "velocity", axis, "m/s"),
        Output::SpecificForce { frame, axis } => of_frame(frame, "specific-force", axis, "m/s^2"),
        Output::Strain { link, distance, place: [y, z] } => {
            let name = format!("{}.strain({distance}, {y}, {z})", arm.link_names()[link]);
            Label::new(name, "1")
        }
    }
}

/// An arm on dual numbers at a point.
struct Near<'a> {
    plain: &'a Arm,
    arm: Arm<D>,
    kinematics: kinematics::Workspace<D>,
    loads: Vec<Load<D>>,
    point: [Vec<D>; 3],
    moving: &'a [usize],
}

impl<'a> Near<'a> {
    fn new(
        arm: &'a Arm,
        conditions: &Conditions,
        point: &OperatingPoint,
        moving: &'a [usize],
    ) -> Self {
        let dual: Arm<D> = arm.cast();
        let constant = |values: &[f64]| values.iter().copied().map(D::constant).collect();
        Self {
            kinematics: kinematics::Workspace::new(&dual),
            loads: conditions.loads.iter().map(dual_load).collect(),
            point: [constant(&point.q), constant(&point.u), constant(&point.ud)],
            plain: arm,
            arm: dual,
            moving,
        }
    }

    /// Calls with the point changed along up to [`DIRECTIONS`] of the moving coordinates at a time,
    /// those of `q` (0), `u` (1) or `u̇` (2), and the column of the first.
    fn along(&mut self, part: usize, mut visit: impl FnMut(usize, usize, &Moving<'_, D>)) {
        for first in (0..self.moving.len()).step_by(DIRECTIONS) {
            let chosen = &self.moving[first..self.moving.len().min(first + DIRECTIONS)];
            let mut point = self.point.clone();
            let mut step = vec![D::ZERO; self.arm.nv()];
            for (lane, &v) in chosen.iter().enumerate() {
                step[v].du[lane] = 1.0;
            }
            if part == 0 {
                self.arm.displace(&mut point[0], &step);
            } else {
                for (value, step) in point[part].iter_mut().zip(step) {
                    *value += step;
                }
            }
            let [q, u, ud] = &point;
            visit(first, chosen.len(), &self.kinematics.move_with(&self.arm, q, u, ud));
        }
    }

    /// `∂(Σ JᵀF)/∂q` of the loads, the moving rows and columns.
    fn load_slope(&mut self) -> DMatrix<f64> {
        let n = self.moving.len();
        let mut slope = DMatrix::zeros(n, n);
        if self.loads.is_empty() {
            return slope;
        }
        let loads = std::mem::take(&mut self.loads);
        let (moving, nv) = (self.moving, self.arm.nv());
        self.along(0, |first, count, placed| {
            let mut forces = vec![D::ZERO; nv];
            add_loads(placed.placed(), &loads, &mut forces);
            for (row, &v) in moving.iter().enumerate() {
                for lane in 0..count {
                    slope[(row, first + lane)] = forces[v].du[lane];
                }
            }
        });
        self.loads = loads;
        slope
    }

    /// What unit inputs push, the moving rows.
    fn pushes(&mut self, inputs: &[Input]) -> DMatrix<f64> {
        let mut pushes = DMatrix::zeros(self.moving.len(), inputs.len());
        let placed = self.kinematics.place(&self.arm, &self.point[0]);
        for (column, input) in inputs.iter().enumerate() {
            let mut forces = vec![D::ZERO; self.arm.nv()];
            match *input {
                Input::Motor(v) => forces[v] = D::ONE,
                Input::Wrench { frame, component, axes } => {
                    let mut parts = [[0.0; 3]; 2];
                    parts[component / 3][component % 3] = 1.0;
                    let [force, moment] = parts.map(Vec3::from);
                    let load = Load { frame, wrench: Force::new(force, moment), axes };
                    add_loads(&placed, &[dual_load(&load)], &mut forces);
                }
            }
            for (row, &v) in self.moving.iter().enumerate() {
                pushes[(row, column)] = forces[v].re;
            }
        }
        pushes
    }

    /// The slopes of the outputs in `q`, `u` and `u̇`, the moving columns.
    fn outputs(&mut self, outputs: &[Output]) -> [DMatrix<f64>; 3] {
        let n = self.moving.len();
        let mut slopes = [(); 3].map(|()| DMatrix::zeros(outputs.len(), n));
        for (row, output) in outputs.iter().enumerate() {
            let column = |v: usize| self.moving.iter().position(|&moving| moving == v);
            match *output {
                Output::Coordinate(v) => {
                    if let Some(k) = column(v) {
                        slopes[0][(row, k)] = 1.0;
                    }
                }
                Output::Rate(v) => {
                    if let Some(k) = column(v) {
                        slopes[1][(row, k)] = 1.0;
                    }
                }
                Output::Strain { link, distance, place } => {
                    let strains = self.plain.beam_of(link);
                    let strains = strains.map(|beam| beam.axial_strains(distance, place));
                    let bending = self.plain.bending_of(link).1;
                    for (v, strain) in bending.zip(strains.unwrap_or_default()) {
                        if let Some(k) = column(v) {
                            slopes[0][(row, k)] = strain;
                        }
                    }
                }
                _ => {}
            }
        }
        let gravity = self.arm.gravity();
        let of_frames: Vec<(usize, Output)> =
            outputs.iter().copied().enumerate().filter(|(_, output)| sees_frame(output)).collect();
        if of_frames.is_empty() {
            return slopes;
        }
        for (part, slope) in slopes.iter_mut().enumerate() {
            self.along(part, |first, count, moving| {
                for (row, output) in &of_frames {
                    let seen = look(moving, gravity, output);
                    for lane in 0..count {
                        slope[(*row, first + lane)] = seen.du[lane];
                    }
                }
            });
        }
        slopes
    }

    /// `∂ξ̇/∂ξ`. With `q̇ = T(q) u` and `q = q₀ + Tξ` to first order, `T ξ̇ = T δu + T'(Tξ) u₀ −
    /// T'(Tu₀) ξ`: what the frames that velocities are given in turn, zero without quaternions.
    fn turning(&self) -> DMatrix<f64> {
        let (n, nq, nv) = (self.moving.len(), self.arm.nq(), self.arm.nv());
        let [q, u, _] = &self.point;
        if nq == nv || u.iter().all(|u| u.re == 0.0) {
            return DMatrix::zeros(n, n);
        }
        let unit = |v: usize| {
            let mut unit = vec![D::ZERO; nv];
            unit[v] = D::ONE;
            unit
        };
        // lane 0 along a direction
        let rate = |direction: &[D], velocity: &[D]| {
            let step: Vec<D> = direction
                .iter()
                .map(|d| {
                    let mut step = D::ZERO;
                    step.du[0] = d.re;
                    step
                })
                .collect();
            let (mut moved, mut rate) = (q.clone(), vec![D::ZERO; nq]);
            self.arm.displace(&mut moved, &step);
            self.arm.rate_into(&moved, velocity, &mut rate);
            rate
        };
        let mut map = DMatrix::zeros(nq, nv);
        let mut bracket = DMatrix::zeros(nq, n);
        for v in 0..nv {
            let column = rate(&unit(v), &unit(v));
            map.set_column(v, &DVector::from_iterator(nq, column.iter().map(|x| x.re)));
        }
        for (k, &v) in self.moving.iter().enumerate() {
            let (first, second) = (rate(&unit(v), u), rate(u, &unit(v)));
            let difference = first.iter().zip(&second).map(|(a, b)| a.du[0] - b.du[0]);
            bracket.set_column(k, &DVector::from_iterator(nq, difference));
        }
        let square = map.transpose() * &map;
        let solved = square.cholesky().map(|square| square.solve(&(map.transpose() * bracket)));
        solved.map_or_else(|| DMatrix::zeros(n, n), |solved| solved.select_rows(self.moving))
    }
}

fn sees_frame(output: &Output) -> bool {
    matches!(
        output,
        Output::Position { .. } | Output::Velocity { .. } | Output::SpecificForce { .. }
    )
}

/// A component of what a frame does.
fn look(moving: &Moving<'_, D>, gravity: Vec3<D>, output: &Output) -> D {
    match *output {
        Output::Position { frame, axis } => moving.placed().pose(frame).position.to_array()[axis],
        Output::Velocity { frame, axis } => {
            moving.twist(frame, Axes::World).linear.to_array()[axis]
        }
        Output::SpecificForce { frame, axis } => {
            let rotation = moving.placed().pose(frame).rotation;
            let felt =
                moving.acceleration(frame, Axes::Own).linear - rotation.transpose_mul(gravity);
            felt.to_array()[axis]
        }
        _ => D::ZERO,
    }
}
