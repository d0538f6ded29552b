//! Input shapers, and the modes that they are designed for.
//!
//! A shaper splits a command into a few smaller ones, one after the other, whose vibrations cancel
//! (Smith 1957; Singer and Seering 1990). It is made for the frequencies and damping ratios of the
//! arm with its joints on their servos, at the end of the motion.

use crate::Help;
use crate::analyse::{AnalysisError, Conditions, Input, JointCondition, OperatingPoint, Output};
use crate::arm::Arm;
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::{PI, TAU};

/// Vibrations that the command stirs less than this part of the strongest are none of its own.
const FAINT: f64 = 1e-3;

/// Poles nearer to one another than this part of their size are one vibration: no shaper tells them
/// apart.
const ALIKE: f64 = 1e-3;

/// Real and imaginary parts of poles below this part of the largest pole are rounding errors.
const ROUNDING: f64 = 1e-9;

/// The kind of a shaper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShaperKind {
    /// Zero vibration: two impulses half a period apart.
    Zv,
    /// Zero vibration and zero slope of it over the frequency: three impulses.
    Zvd,
    /// Extra-insensitive: three impulses that leave a part of the vibration, between 0 and 1, at the
    /// frequency itself and less beside it (Singhose, Seering and Singer 1990). Without damping none
    /// is left at a frequency on either side. With damping the impulses shrink as those of ZVD do:
    /// there is less on either side, but not none. It is refused where an unshaped command would
    /// have no more than this part left by the time of the last impulse, after a damped period: at
    /// 5 % for damping ratios from 0.43 on.
    Ei {
        /// The part that may be left.
        left: f64,
    },
}

/// A vibration of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapedMode {
    /// The natural frequency `ω` (rad/s).
    pub frequency: f64,
    /// The damping ratio `ζ`.
    pub ratio: f64,
    /// How far the tip swings after a unit step of the command (m/rad, 1).
    pub amplitude: f64,
}

impl ShapedMode {
    /// The natural frequency (Hz).
    pub fn hertz(&self) -> f64 {
        self.frequency / TAU
    }
}

/// A joint and the spring and damper of its servo, `τ = k (r − q) − d q̇`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Servo {
    /// The joint, as velocity coordinate. Of an elastic joint it is the side that the servo
    /// measures, the motor's or the link's; the force acts on the motor either way.
    pub velocity: usize,
    /// `k` (N m/rad, N/m).
    pub stiffness: f64,
    /// `d` (N m s/rad, N s/m).
    pub damping: f64,
    /// Its part in the command: how far it goes, in any unit.
    pub reach: f64,
}

/// Why there is no shaper.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShaperError {
    /// A vibration that ticks do not see.
    #[error(
        "mode {mode} vibrates at {hertz:.4} Hz, above half of the {sampling:.4} Hz at which the command is sampled"
    )]
    TooFast {
        /// Which of them, from 1.
        mode: usize,
        /// Its frequency (Hz).
        hertz: f64,
        /// The ticks in a second (Hz).
        sampling: f64,
    },
    /// Nothing that vibrates and dies down.
    #[error("mode {mode} has a frequency of {hertz:.4} Hz and a damping ratio of {ratio:.4}")]
    NoVibration {
        /// Which of them, from 1.
        mode: usize,
        /// Its frequency (Hz).
        hertz: f64,
        /// Its damping ratio.
        ratio: f64,
    },
    /// A vibration that dies down by itself as much as it has to.
    #[error(
        "mode {mode}, at {hertz:.4} Hz with a damping ratio of {ratio:.4}, dies down to {unshaped:.4} within its period without a shaper, and {left} may be left"
    )]
    Damped {
        /// Which of them, from 1.
        mode: usize,
        /// Its frequency (Hz).
        hertz: f64,
        /// Its damping ratio.
        ratio: f64,
        /// The part that may be left.
        left: f64,
        /// The part that is left of an unshaped command by then.
        unshaped: f64,
    },
    /// Fewer vibrations than were asked for.
    #[error("the command excites {found} modes of vibration, and {asked} are to be shaped")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// A part that is none.
    #[error("a part of {left} of the vibration may be left")]
    Left {
        /// As given.
        left: f64,
    },
    /// The arm cannot be linearised.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

impl Help for ShaperError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::TooFast { .. } => "shape fewer modes or sample faster".into(),
            Self::NoVibration { .. } => {
                "a shaper is for vibrations with ratios from 0 up to 1".into()
            }
            Self::Damped { unshaped, .. } => {
                format!("let less than {unshaped:.4} be left, or take a ZVD shaper")
            }
            Self::TooFew { .. } => "ask for fewer".into(),
            Self::Left { .. } => "give a number between 0 and 1".into(),
            Self::Analysis(error) => return error.help(),
        })
    }
}

/// An input shaper: impulses with which a command is convolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaper {
    /// When (s), ascending from 0, and how large; the sizes add up to 1.
    pub impulses: Vec<(f64, f64)>,
}

impl Shaper {
    /// For several modes: the convolution of one shaper for each. Given the sampling rate (Hz) of
    /// the command, modes above the Nyquist frequency are rejected.
    ///
    /// ```
    /// use pliant::plan::{Shaper, ShaperKind, ShapedMode};
    /// let swing = ShapedMode { frequency: 6.28, ratio: 0.0, amplitude: 1.0 };
    /// let shaper = Shaper::new(ShaperKind::Zv, &[swing], None)?;
    /// assert!((shaper.duration() - 0.5).abs() < 1e-3 && shaper.impulses[1].1 == 0.5);
    /// # Ok::<(), pliant::plan::ShaperError>(())
    /// ```
    pub fn new(
        kind: ShaperKind,
        vibrations: &[ShapedMode],
        sampling: Option<f64>,
    ) -> Result<Self, ShaperError> {
        let mut all = Self { impulses: vec![(0.0, 1.0)] };
        for (k, vibration) in vibrations.iter().enumerate() {
            let (mode, hertz, ratio) = (k + 1, vibration.hertz(), vibration.ratio);
            if !(hertz.is_finite() && hertz > 0.0 && (0.0..1.0).contains(&ratio)) {
                return Err(ShaperError::NoVibration { mode, hertz, ratio });
            }
            if let Some(sampling) = sampling.filter(|sampling| hertz > 0.5 * sampling) {
                return Err(ShaperError::TooFast { mode, hertz, sampling });
            }
            all = all.then(&Self::single(kind, mode, vibration)?);
        }
        Ok(all)
    }

    fn single(kind: ShaperKind, mode: usize, vibration: &ShapedMode) -> Result<Self, ShaperError> {
        let ShapedMode { frequency, ratio, .. } = *vibration;
        let root = (1.0 - ratio * ratio).sqrt();
        // half a damped period, and how much is left of a swing after it
        let half = PI / (frequency * root);
        let k = (-ratio * PI / root).exp();
        let sizes = match kind {
            ShaperKind::Zv => vec![1.0, k],
            ShaperKind::Zvd => vec![1.0, 2.0 * k, k * k],
            ShaperKind::Ei { left } => {
                if !(left > 0.0 && left < 1.0) {
                    return Err(ShaperError::Left { left });
                }
                let unshaped = k * k;
                if left >= unshaped {
                    let hertz = vibration.hertz();
                    return Err(ShaperError::Damped { mode, hertz, ratio, left, unshaped });
                }
                // such that after the last impulse just this part is left: above 0, and below 1 as
                // k² < 2k²/(1 + k²)
                let v = left * (1.0 + k).powi(2) / (4.0 * k * k - left * (1.0 - k).powi(2));
                vec![1.0 + v, 2.0 * (1.0 - v) * k, (1.0 + v) * k * k]
            }
        };
        let whole: f64 = sizes.iter().sum();
        let impulse = |(i, size): (usize, &f64)| (half * i as f64, size / whole);
        Ok(Self { impulses: sizes.iter().enumerate().map(impulse).collect() })
    }

    /// One shaper after another.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let both = |&(t, size): &(f64, f64)| {
            other.impulses.iter().map(move |&(after, part)| (t + after, size * part))
        };
        let mut impulses: Vec<(f64, f64)> = self.impulses.iter().flat_map(both).collect();
        impulses.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { impulses }
    }

    /// The time by which it lengthens a command (s).
    pub fn duration(&self) -> f64 {
        self.impulses.last().map_or(0.0, |impulse| impulse.0)
    }

    /// The residual vibration after the last impulse, relative to that of a unit impulse at the
    /// start: Singer and Seering (1990).
    pub fn left(&self, vibration: &ShapedMode) -> f64 {
        let ShapedMode { frequency, ratio, .. } = *vibration;
        let turn = frequency * (1.0 - ratio * ratio).sqrt();
        let sum: Complex<f64> = self
            .impulses
            .iter()
            .map(|&(t, size)| Complex::from_polar(size * (ratio * frequency * t).exp(), turn * t))
            .sum();
        sum.norm() * (-ratio * frequency * self.duration()).exp()
    }
}

/// The modes that a command to servos excites, with the joints on the servos' stiffness and
/// damping, about a configuration: from the lowest frequency, without those that hardly move the
/// frame. Motors of elastic joints move freely between their servo and the spring to their link.
/// All other joints are locked, and the links are in static equilibrium.
pub fn vibrations(
    arm: &Arm,
    q: &[f64],
    servos: &[Servo],
    frame: usize,
) -> Result<Vec<ShapedMode>, AnalysisError> {
    let motors: Vec<usize> = servos.iter().map(|servo| arm.motor_of(servo.velocity)).collect();
    let mut holds = vec![JointCondition::Locked; arm.body_count()];
    for (body, hold) in holds.iter_mut().enumerate() {
        if motors.iter().any(|motor| arm.velocities_of(body).contains(motor)) {
            *hold =
                if arm.is_sprung(body) { JointCondition::OnSpring } else { JointCondition::Free };
        }
    }
    let rest = arm.static_equilibrium(q)?;
    let conditions = Conditions { joints: holds, ..Conditions::default() };
    let inputs: Vec<Input> = motors.into_iter().map(Input::Motor).collect();
    let place = (0..3).map(|axis| Output::Position { frame, axis });
    let seen = servos.iter().map(|servo| Output::Coordinate(servo.velocity));
    let rates = servos.iter().map(|servo| Output::Rate(servo.velocity));
    let outputs: Vec<Output> = place.chain(seen).chain(rates).collect();
    let near =
        arm.linearise(&OperatingPoint::rest(arm, &rest.q), &conditions, &inputs, &outputs)?;

    let m = servos.len();
    let gains = |gain: fn(&Servo) -> f64| {
        DMatrix::from_diagonal(&DVector::from_iterator(m, servos.iter().map(gain)))
    };
    let (k, d) = (gains(|servo| servo.stiffness), gains(|servo| servo.damping));
    let a = &near.a - &near.b * (&k * near.c.rows(3, m) + d * near.c.rows(3 + m, m));
    let reach = DVector::from_iterator(m, servos.iter().map(|servo| servo.reach));
    let pushed = &near.b * k * reach;
    stirred(&a, &pushed, &near.c.rows(0, 3).into_owned())
}

/// How far outputs swing in each vibration of `ẋ = Ax` after a step that pushes like this. Poles that
/// are alike are one vibration.
fn stirred(
    a: &DMatrix<f64>,
    pushed: &DVector<f64>,
    c: &DMatrix<f64>,
) -> Result<Vec<ShapedMode>, AnalysisError> {
    let poles = crate::linear::eigenvalues(a).filter(|poles| poles.iter().all(|p| p.is_finite()));
    let poles = poles.ok_or(AnalysisError::NoEigenvalues)?;
    let rounding = ROUNDING * poles.iter().map(|pole| pole.norm()).fold(0.0, f64::max);
    let mut left: Vec<Complex<f64>> = poles.clone();
    // a pair that nearly meets on the real axis creeps
    left.retain(|pole| pole.im > rounding && 2.0 * pole.im > ALIKE * pole.norm());
    let mut all = Vec::new();
    while let Some(&first) = left.first() {
        let alike = |pole: &Complex<f64>| (pole - first).norm() <= ALIKE * first.norm();
        let (own, others): (Vec<_>, Vec<_>) = left.iter().partition(|pole| alike(pole));
        left = others;
        let centre = own.iter().sum::<Complex<f64>>() / own.len() as f64;
        let far = |pole: &Complex<f64>| (pole - centre).norm();
        let spread = own.iter().map(far).fold(0.0, f64::max);
        let gap = poles.iter().filter(|pole| !alike(pole)).map(far).fold(f64::INFINITY, f64::min);
        // a circle around these poles and no other
        let radius = (gap / 20.0).max((spread * gap).sqrt());
        let residue = residue(a, pushed, c, (centre, radius));
        let residue = residue.ok_or(AnalysisError::NoEigenvalues)?;
        let size = centre.norm();
        let decay = if centre.re.abs() > rounding { -centre.re } else { 0.0 };
        // the pole and its pair, after a step
        let amplitude = 2.0 * residue.norm() / size;
        all.push(ShapedMode { frequency: size, ratio: decay / size, amplitude });
    }
    // two poles that meet on the real axis have large parts which cancel
    let weight = |one: &ShapedMode| one.amplitude * (1.0 - one.ratio * one.ratio).max(0.0).sqrt();
    let strongest = all.iter().map(weight).fold(0.0, f64::max);
    all.retain(|vibration| weight(vibration) > FAINT * strongest);
    Ok(all)
}

/// The sum of the residues of `C (s − A)⁻¹ b` within a circle, by Cauchy's integral: the mean of that
/// times the way from the centre, over places on the circle. Poles outside count by the power of
/// their nearness to it, which is `(radius/distance)^8`. No eigenvectors are needed, which poles that
/// meet do not have.
fn residue(
    a: &DMatrix<f64>,
    b: &DVector<f64>,
    c: &DMatrix<f64>,
    (centre, radius): (Complex<f64>, f64),
) -> Option<DVector<Complex<f64>>> {
    const PLACES: u32 = 8;
    let (b, c) = (b.map(Complex::from), c.map(Complex::from));
    let mut sum = DVector::zeros(c.nrows());
    for k in 0..PLACES {
        let way = Complex::from_polar(radius, TAU * f64::from(k) / f64::from(PLACES));
        let mut shifted = a.map(|entry| Complex::from(-entry));
        for i in 0..a.nrows() {
            shifted[(i, i)] += centre + way;
        }
        sum += &c * shifted.lu().solve(&b)? * (way / f64::from(PLACES));
    }
    Some(sum)
}
