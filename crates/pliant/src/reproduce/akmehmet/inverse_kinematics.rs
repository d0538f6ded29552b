//! The inverse kinematics of Akmehmet's two arms in closed form, appendix D, corrected.
//!
//! Written once over [`Jet`]s, so that rates and accelerations follow from the same equations; they
//! are (D.13) to (D.20) and (D.38) to (D.42) corrected, and for six joints the accelerations that
//! the thesis does not give. Lengths are those of Table D.1.

use crate::Help;
use crate::scalar::{Jet, Number, cosine, sine};
use crate::spatial::{Mat3, Vec3};
use std::f64::consts::PI;

/// `a₂`, the length of the upper arm (m).
pub const UPPER: f64 = 0.6;
/// `a₃`, the length of the forearm (m).
pub const FORE: f64 = 0.5;
/// `d₅`, from the wrist to the hand (m).
pub const HAND: f64 = 0.24;

/// A sine or a radius below this makes a posture singular.
const SINGULAR: f64 = 1e-12;

/// On which side of the line from shoulder to wrist the elbow is, seen with the shoulder in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elbow {
    /// `θ₃` from 0 to π: above the line, (D.11) as printed.
    Up,
    /// `θ₃` from −π to 0.
    Down,
}

/// Whether the arm faces the tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shoulder {
    /// `θ₁ = atan2(p_y, p_x)`, (D.9).
    Front,
    /// Half a turn more: it reaches over its head.
    Back,
}

/// How the wrist is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrist {
    /// `θ₅` from 0 to π, (D.32) as printed.
    Plain,
    /// `θ₅` from −π to 0.
    Flipped,
}

/// Which of the solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The shoulder.
    pub shoulder: Shoulder,
    /// The elbow.
    pub elbow: Elbow,
    /// The wrist, for six joints.
    pub wrist: Wrist,
}

/// What the hand does: its position and attitude with first and second derivatives, base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// The position (m).
    pub position: [Jet; 3],
    /// The attitude: columns n, s, a.
    pub attitude: Mat3<f64>,
    /// The angular velocity (rad/s).
    pub spin: [f64; 3],
    /// Its rate (rad/s²).
    pub spin_rate: [f64; 3],
}

/// Why a branch has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSolution {
    /// Too far away, or too near.
    #[error("the wrist is out of reach: {FORE} m and {UPPER} m of arm do not span to it")]
    OutOfReach,
    /// The waist may stand anywhere.
    #[error("the tip is on the axis of the waist, which may stand anywhere")]
    OnAxis,
    /// Rates are infinite.
    #[error("the elbow is stretched or folded, where the tip cannot move along the arm")]
    Stretched,
    /// Two joints of the wrist turn the hand alike.
    #[error(
        "the hand's s axis is parallel to the axis of the shoulder, where the wrist is singular"
    )]
    WristSingular,
}

impl Help for NoSolution {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::OutOfReach => "bring the wrist nearer to the shoulder, or further from it",
            Self::OnAxis => "move the tip off the axis",
            Self::Stretched => "choose a tip that the arm reaches with its elbow bent",
            Self::WristSingular => "turn the hand",
        };
        Some(help.into())
    }
}

/// The joints of the three-joint arm for a tip, with rates and accelerations: (D.9) to (D.20).
pub fn three_joints(tip: &[Jet; 3], branch: Branch) -> Result<[Jet; 3], NoSolution> {
    let waist = waist(tip, branch.shoulder)?;
    let radius = along(tip, waist);
    if radius.value.abs() < SINGULAR {
        return Err(NoSolution::OnAxis);
    }
    let [shoulder, elbow] = elbow(radius, tip[2], branch.elbow)?;
    Ok([waist, shoulder, elbow])
}

/// The joints of the six-joint arm for a hand, with rates and accelerations: (D.31) to (D.37).
pub fn six_joints(hand: &Hand, branch: Branch) -> Result<[Jet; 6], NoSolution> {
    let p = &hand.position;
    let waist = waist(p, branch.shoulder)?;
    let [n, s, a] = [0, 1, 2].map(|column| hand.column(column));
    // (D.27) to (D.29): the third row of the hand seen from link 1
    let row = |x: &[Jet; 3]| x[1] * waist.apply(cosine) - x[0] * waist.apply(sine);
    let sign = if branch.wrist == Wrist::Plain { 1.0 } else { -1.0 };
    let (sine_cosine, cosine_5, sine_sine) = (row(&n), -row(&s), row(&a));
    let square = sine_cosine * sine_cosine + sine_sine * sine_sine;
    if square.value < SINGULAR * SINGULAR {
        return Err(NoSolution::WristSingular);
    }
    let sine_5 = Jet::constant(sign) * square.apply(root);
    let roll = angle(sine_5, cosine_5);
    let turn = angle(Jet::constant(sign) * sine_sine, Jet::constant(sign) * sine_cosine);
    // (D.34), (D.35): from the hand back to the wrist
    let (c6, s6) = (turn.apply(cosine), turn.apply(sine));
    let wrist = [0, 1, 2].map(|k| p[k] - Jet::constant(HAND) * (s6 * n[k] - c6 * a[k]));
    let [shoulder, elbow] = elbow(along(&wrist, waist), wrist[2], branch.elbow)?;
    // (D.37), corrected
    let (w, (upper, fore)) = (along(p, waist), (Jet::constant(UPPER), Jet::constant(FORE)));
    let (c2, s2) = (shoulder.apply(cosine), shoulder.apply(sine));
    let (c3, s3) = (elbow.apply(cosine), elbow.apply(sine));
    let first = w * c2 - p[2] * s2 - upper - fore * c3;
    let second = w * s2 + p[2] * c2 + fore * s3;
    let pitch = angle(first, second) - elbow;
    Ok([waist, shoulder, elbow, pitch, roll, turn])
}

impl Hand {
    /// A column of the attitude: `ẋ = ω × x`, `ẍ = ω̇ × x + ω × ẋ`.
    fn column(&self, column: usize) -> [Jet; 3] {
        let rows = self.attitude.to_rows();
        let x = Vec3::new(rows[0][column], rows[1][column], rows[2][column]);
        let (spin, spin_rate) = (Vec3::from(self.spin), Vec3::from(self.spin_rate));
        let rate = spin.cross(x);
        let acceleration = spin_rate.cross(x) + spin.cross(rate);
        let (x, rate, acceleration) = (x.to_array(), rate.to_array(), acceleration.to_array());
        [0, 1, 2].map(|k| Jet { value: x[k], rate: rate[k], acceleration: acceleration[k] })
    }
}

/// (D.9), two-argument arctangent.
fn waist(tip: &[Jet; 3], shoulder: Shoulder) -> Result<Jet, NoSolution> {
    if tip[0].value.hypot(tip[1].value) < SINGULAR {
        return Err(NoSolution::OnAxis);
    }
    let front = angle(tip[1], tip[0]);
    Ok(match shoulder {
        Shoulder::Front => front,
        Shoulder::Back => front + Jet::constant(if front.value > 0.0 { -PI } else { PI }),
    })
}

/// `c` of (D.12) as a signed radius in the plane of the arm: `p_x C₁ + p_y S₁`.
fn along(p: &[Jet; 3], waist: Jet) -> Jet {
    p[0] * waist.apply(cosine) + p[1] * waist.apply(sine)
}

/// `θ₂`, `θ₃` for a wrist at a radius and height: (D.10), (D.11).
fn elbow(radius: Jet, height: Jet, elbow: Elbow) -> Result<[Jet; 2], NoSolution> {
    let (upper, fore) = (Jet::constant(UPPER), Jet::constant(FORE));
    let square = radius * radius + height * height - upper * upper - fore * fore;
    let cosine_3 = square / Jet::constant(2.0 * UPPER * FORE);
    let rest = Jet::constant(1.0) - cosine_3 * cosine_3;
    if rest.value < 0.0 {
        return Err(NoSolution::OutOfReach);
    }
    if rest.value < SINGULAR * SINGULAR {
        return Err(NoSolution::Stretched);
    }
    let sign = if elbow == Elbow::Up { 1.0 } else { -1.0 };
    let sine_3 = Jet::constant(sign) * rest.apply(root);
    let shoulder = angle(-height, radius) - angle(fore * sine_3, upper + fore * cosine_3);
    Ok([shoulder, angle(sine_3, cosine_3)])
}

fn root(x: f64) -> [f64; 3] {
    let root = x.sqrt();
    [root, 0.5 / root, -0.25 / (root * x)]
}

/// `atan2(y, x)` with its derivatives.
fn angle(y: Jet, x: Jet) -> Jet {
    let square = x.value * x.value + y.value * y.value;
    let rate = (x.value * y.rate - y.value * x.rate) / square;
    let growth = 2.0 * (x.value * x.rate + y.value * y.rate) / square;
    let acceleration =
        (x.value * y.acceleration - y.value * x.acceleration) / square - rate * growth;
    Jet { value: y.value.atan2(x.value), rate, acceleration }
}
