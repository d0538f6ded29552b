//! Commands that leave no vibration behind: input shapers, and the vibrations that they are for.
//!
//! A shaper splits a command into a few smaller ones, one after the other, whose vibrations cancel
//! (Smith 1957; Singer and Seering 1990). It is made for the frequencies and damping ratios of the
//! arm with its joints on their servos, at the end of the motion.

use crate::analyse::{AnalysisError, Conditions, Hold, Input, Output, Point};
use crate::arm::Arm;
use nalgebra::{Complex, DMatrix, DVector};
use std::f64::consts::{PI, TAU};

/// Vibrations that the command stirs less than this part of the strongest are none of its own.
const FAINT: f64 = 1e-3;

/// How a shaper is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShaperKind {
    /// Zero vibration: two impulses half a period apart.
    Zv,
    /// Zero vibration and zero slope of it over the frequency: three impulses.
    Zvd,
    /// Extra-insensitive: three impulses that leave a part of the vibration, between 0 and 1, at the
    /// frequency itself and none at a frequency on either side (Singhose, Seering and Singer 1990).
    /// With damping the impulses shrink as those of ZVD do.
    Ei {
        /// The part that may be left.
        left: f64,
    },
}

/// A vibration of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibration {
    /// The natural frequency `ω` (rad/s).
    pub frequency: f64,
    /// The damping ratio `ζ`.
    pub ratio: f64,
    /// How far the tip swings after a unit step of the command (m/rad, 1).
    pub amplitude: f64,
}

impl Vibration {
    /// The natural frequency (Hz).
    pub fn hertz(&self) -> f64 {
        self.frequency / TAU
    }
}

/// A joint and the spring and damper of its servo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Servo {
    /// The joint, as velocity coordinate.
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
        "mode {mode} vibrates at {hertz:.4} Hz, above half of the {sampling:.4} Hz at which the command is sampled; shape fewer modes or sample faster"
    )]
    TooFast {
        /// Which of them, from 1.
        mode: usize,
        /// Its frequency (Hz).
        hertz: f64,
        /// The ticks in a second (Hz).
        sampling: f64,
    },
    /// Nothing that vibrates.
    #[error(
        "mode {mode} does not vibrate: its frequency is {hertz:.4} Hz and its damping ratio {ratio:.4}; a shaper is for ratios from 0 up to 1"
    )]
    NoVibration {
        /// Which of them, from 1.
        mode: usize,
        /// Its frequency (Hz).
        hertz: f64,
        /// Its damping ratio.
        ratio: f64,
    },
    /// Fewer vibrations than were asked for.
    #[error(
        "the command stirs {found} modes that vibrate, {asked} are to be shaped; ask for fewer"
    )]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// A part that is none.
    #[error("a part of {left} of the vibration may be left; give a number between 0 and 1")]
    Left {
        /// As given.
        left: f64,
    },
    /// The arm cannot be linearised.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// Impulses that a command is convolved with.
#[derive(Clone, Debug, PartialEq)]
pub struct Shaper {
    /// When (s), ascending from 0, and how large; the sizes add up to 1.
    pub impulses: Vec<(f64, f64)>,
}

impl Shaper {
    /// For several vibrations at once: the convolution of one for each. With the ticks in a second
    /// (Hz) of what samples the command, vibrations too fast for it are refused.
    ///
    /// ```
    /// use pliant::plan::{Shaper, ShaperKind, Vibration};
    /// let swing = Vibration { frequency: 6.28, ratio: 0.0, amplitude: 1.0 };
    /// let shaper = Shaper::new(ShaperKind::Zv, &[swing], None)?;
    /// assert!((shaper.duration() - 0.5).abs() < 1e-3 && shaper.impulses[1].1 == 0.5);
    /// # Ok::<(), pliant::plan::ShaperError>(())
    /// ```
    pub fn new(
        kind: ShaperKind,
        vibrations: &[Vibration],
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
            all = all.then(&Self::single(kind, vibration)?);
        }
        Ok(all)
    }

    fn single(kind: ShaperKind, vibration: &Vibration) -> Result<Self, ShaperError> {
        let Vibration { frequency, ratio, .. } = *vibration;
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
                // such that after the last impulse just this part is left
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

    /// By how much it makes a command longer (s).
    pub fn duration(&self) -> f64 {
        self.impulses.last().map_or(0.0, |impulse| impulse.0)
    }

    /// The part of a vibration that is left after the last impulse, of that after one impulse of
    /// size 1 at the start: Singer and Seering (1990).
    pub fn left(&self, vibration: &Vibration) -> f64 {
        let Vibration { frequency, ratio, .. } = *vibration;
        let turn = frequency * (1.0 - ratio * ratio).sqrt();
        let sum: Complex<f64> = self
            .impulses
            .iter()
            .map(|&(t, size)| Complex::from_polar(size * (ratio * frequency * t).exp(), turn * t))
            .sum();
        sum.norm() * (-ratio * frequency * self.duration()).exp()
    }
}

/// The vibrations that a command to servos stirs, with the joints on the servos' springs and dampers,
/// about a configuration: the slowest first, those that hardly move the frame left out. All other
/// joints are locked, and the links hang at rest.
pub fn vibrations(
    arm: &Arm,
    q: &[f64],
    servos: &[Servo],
    frame: usize,
) -> Result<Vec<Vibration>, AnalysisError> {
    let mut holds = vec![Hold::Locked; arm.body_count()];
    for (link, hold) in holds.iter_mut().enumerate() {
        if servos.iter().any(|servo| arm.velocities_of(link).contains(&servo.velocity)) {
            *hold = if arm.is_sprung(link) { Hold::OnSpring } else { Hold::Free };
        }
    }
    let rest = arm.static_equilibrium(q)?;
    let conditions = Conditions { holds, ..Conditions::default() };
    let inputs: Vec<Input> = servos.iter().map(|servo| Input::Motor(servo.velocity)).collect();
    let place = (0..3).map(|axis| Output::Position { frame, axis });
    let seen = servos.iter().map(|servo| Output::Coordinate(servo.velocity));
    let rates = servos.iter().map(|servo| Output::Rate(servo.velocity));
    let outputs: Vec<Output> = place.chain(seen).chain(rates).collect();
    let near = arm.linearise(&Point::rest(arm, &rest.q), &conditions, &inputs, &outputs)?;

    let m = servos.len();
    let gains = |gain: fn(&Servo) -> f64| {
        DMatrix::from_diagonal(&DVector::from_iterator(m, servos.iter().map(gain)))
    };
    let (k, d) = (gains(|servo| servo.stiffness), gains(|servo| servo.damping));
    let a = &near.a - &near.b * (&k * near.c.rows(3, m) + d * near.c.rows(3 + m, m));
    let reach = DVector::from_iterator(m, servos.iter().map(|servo| servo.reach));
    let pushed = &near.b * k * reach;
    Ok(stirred(&a, &pushed, &near.c.rows(0, 3).into_owned()))
}

/// How far outputs swing in each mode of `ẋ = Ax` after a step that pushes like this.
fn stirred(a: &DMatrix<f64>, pushed: &DVector<f64>, c: &DMatrix<f64>) -> Vec<Vibration> {
    let Some(poles) = crate::analyse::eigenvalues(a) else {
        return Vec::new();
    };
    let fastest = poles.iter().map(|pole| pole.norm()).fold(0.0, f64::max);
    let mut all = Vec::new();
    for &pole in poles.iter().filter(|pole| pole.im > 1e-9 * fastest) {
        let (right, left) = (mode_shape(a, pole), mode_shape(&a.transpose(), pole));
        let (Some(right), Some(left)) = (right, left) else { continue };
        let product = left.dot(&right);
        let stirs = left.dot(&pushed.map(Complex::from)) / (product * pole);
        let swings = c.map(Complex::from) * right * stirs;
        let size = pole.norm();
        // the pole and its pair
        let amplitude = 2.0 * swings.norm();
        all.push(Vibration { frequency: size, ratio: -pole.re / size, amplitude });
    }
    let strongest = all.iter().map(|vibration| vibration.amplitude).fold(0.0, f64::max);
    all.retain(|vibration| vibration.amplitude > FAINT * strongest);
    all
}

/// An eigenvector, by two steps of inverse iteration from next to its eigenvalue.
fn mode_shape(a: &DMatrix<f64>, value: Complex<f64>) -> Option<DVector<Complex<f64>>> {
    let n = a.nrows();
    let mut shifted = a.map(Complex::from);
    for k in 0..n {
        shifted[(k, k)] -= value * (1.0 + 1e-10);
    }
    let factors = shifted.lu();
    let mut x = DVector::from_fn(n, |k, _| Complex::new(1.0, 0.1 * k as f64));
    for _ in 0..3 {
        x = factors.solve(&x)?;
        let size = x.norm();
        x /= Complex::from(size);
    }
    Some(x)
}
