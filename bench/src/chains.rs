//! Random serial chains of revolute joints, the same in every run.

use std::f64::consts::TAU;
use std::fmt;

/// How many states each chain comes with.
const STATES: usize = 64;

/// A serial chain of links and the states at which it is solved. Gravity is (0, 0, -9.81) m/s².
pub(crate) struct Chain {
    pub(crate) links: Vec<Link>,
    pub(crate) states: Vec<State>,
}

/// A link and the revolute joint that carries it. The joint's frame is the link's.
pub(crate) struct Link {
    pub(crate) axis: Axis,
    /// Orientation of the joint at rest in the previous link's frame.
    pub(crate) rotation: [[f64; 3]; 3],
    /// Position of the joint in the previous link's frame (m).
    pub(crate) position: [f64; 3],
    /// (kg)
    pub(crate) mass: f64,
    /// Centre of mass, link frame (m).
    pub(crate) centre: [f64; 3],
    /// Inertia about the centre of mass, link frame (kg m²).
    pub(crate) inertia: [[f64; 3]; 3],
}

/// The joint's axis, one of its frame's. Pinocchio has a faster joint for each of them.
#[derive(Clone, Copy)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// Joint positions (rad), velocities (rad/s), accelerations (rad/s²) and torques (N m).
pub(crate) struct State {
    pub(crate) q: Vec<f64>,
    pub(crate) u: Vec<f64>,
    pub(crate) ud: Vec<f64>,
    pub(crate) tau: Vec<f64>,
}

impl Chain {
    /// The chain of this many joints.
    pub(crate) fn new(joints: usize) -> Self {
        let mut random = Random(joints as u64);
        let axes = [Axis::Z, Axis::Y, Axis::X];
        let links = (0..joints).map(|i| Link::new(axes[i % 3], &mut random)).collect();
        let states = (0..STATES).map(|_| State::new(joints, &mut random)).collect();
        Self { links, states }
    }
}

/// The text that the peers read: a line with the numbers of joints and of states; per joint a line
/// with the axis, rotation (row by row), position, mass, centre and inertia (row by row); per state
/// the lines q, u, ud and tau. Each number is written such that it reads back to the same bits.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.links.len(), self.states.len())?;
        for link in &self.links {
            write!(f, "{}", ["x", "y", "z"][link.axis as usize])?;
            let numbers = [
                link.rotation.as_flattened(),
                &link.position,
                &[link.mass],
                &link.centre,
                link.inertia.as_flattened(),
            ];
            for number in numbers.concat() {
                write!(f, " {number}")?;
            }
            writeln!(f)?;
        }
        for state in &self.states {
            for numbers in [&state.q, &state.u, &state.ud, &state.tau] {
                for number in numbers {
                    write!(f, "{number} ")?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl Link {
    fn new(axis: Axis, random: &mut Random) -> Self {
        // Second moments of mass along the principal axes (kg m²), so that the moments of inertia
        // satisfy the triangle inequality: I = R diag(b + c, c + a, a + b) Rᵀ.
        let [a, b, c] = random.numbers(0.005, 0.03);
        let moments = [b + c, c + a, a + b];
        let r = random.rotation();
        let entry = |i: usize, j: usize| (0..3).map(|k| r[i][k] * moments[k] * r[j][k]).sum();
        Self {
            axis,
            rotation: random.rotation(),
            position: random.numbers(-0.4, 0.4),
            mass: random.number(0.5, 4.0),
            centre: random.numbers(-0.1, 0.1),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| entry(i.min(j), i.max(j)))),
        }
    }
}

impl State {
    fn new(joints: usize, random: &mut Random) -> Self {
        let mut draw = |bound: f64| (0..joints).map(|_| random.number(-bound, bound)).collect();
        Self { q: draw(3.0), u: draw(1.0), ud: draw(1.0), tau: draw(1.0) }
    }
}

/// The generator `SplitMix64` (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    /// Uniform in [low, high).
    fn number(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        #[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
        let unit = (z >> 11) as f64 / (1_u64 << 53) as f64;
        low + unit * (high - low)
    }

    fn numbers(&mut self, low: f64, high: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.number(low, high))
    }

    /// Uniform over all rotations, by a random unit quaternion (Shoemake, 1992).
    fn rotation(&mut self) -> [[f64; 3]; 3] {
        let [r, a, b] = self.numbers(0.0, 1.0);
        let (x, y) = ((1.0 - r).sqrt() * (TAU * a).sin(), (1.0 - r).sqrt() * (TAU * a).cos());
        let (z, w) = (r.sqrt() * (TAU * b).sin(), r.sqrt() * (TAU * b).cos());
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first number of seed 0 is 0xe220a8397b1dcdaf.
        let first = Random(0).number(0.0, 1.0);
        assert!((first - 0.883_310_808_213_642_6).abs() < 1e-15, "{first}");
    }

    #[test]
    fn rotations_are_orthonormal() {
        let mut random = Random(1);
        for _ in 0..100 {
            let r = random.rotation();
            for i in 0..3 {
                for j in 0..3 {
                    let product: f64 = (0..3).map(|k| r[i][k] * r[j][k]).sum();
                    let expected = f64::from(u8::from(i == j));
                    assert!((product - expected).abs() < 1e-14, "{r:?}");
                }
            }
        }
    }

    #[test]
    fn the_text_reads_back_to_the_same_numbers() {
        let chain = Chain::new(7);
        let text = chain.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 1 + 7 + 4 * STATES);
        assert_eq!(lines[0], "7 64");
        let q: Vec<f64> = lines[8].split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(q, chain.states[0].q);
    }
}
