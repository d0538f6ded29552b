//! Vibration modes followed along a motion.

use super::eigenvalues::{Joints, Vibration};
use super::error::AnalysisError;
use super::linearise::OperatingPoint;
use crate::arm::Arm;

/// A mode with less than this part of the energy does not vibrate.
const AT_REST: f64 = 1e-6;

/// The vibration modes of an arm at an instant of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct VibrationInstant {
    /// When (s).
    pub time: f64,
    /// The modes: at the first instant from the lowest frequency, at the others each in the place
    /// of the mode that it continues.
    pub vibrations: Vec<Vibration>,
    /// The energy of the whole arm (J).
    pub energy: f64,
}

/// How a vibration changed between two instants, later over earlier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VibrationRatios {
    /// Of the natural frequencies `ω`.
    pub frequency: f64,
    /// Of the energies `E`.
    pub energy: f64,
    /// Of the actions `E/ω`; 1 as long as the arm changes slowly compared with the vibration. A
    /// vibration grows where it exceeds 1.
    pub action: f64,
}

impl VibrationInstant {
    /// How each mode changed until a later instant; `None` for a mode without a frequency, and for
    /// one that had less than a millionth of the energy of all modes.
    pub fn ratios_to(&self, later: &Self) -> Vec<Option<VibrationRatios>> {
        let total = self.vibrations.iter().map(|vibration| vibration.energy).sum::<f64>();
        let ratios = |(a, b): (&Vibration, &Vibration)| {
            let (before, after) = (a.action?, b.action?);
            let vibrates = a.energy > AT_REST * total && total != 0.0;
            vibrates.then(|| VibrationRatios {
                frequency: b.frequency / a.frequency,
                energy: b.energy / a.energy,
                action: after / before,
            })
        };
        self.vibrations.iter().zip(&later.vibrations).map(ratios).collect()
    }
}

impl Arm<f64> {
    /// The vibration modes at instants of a motion, each mode in one place throughout.
    ///
    /// A mode continues the one of the instant before whose shape is most like its own, by
    /// `|x_iᵀ M y_k|`, `x_i` the earlier shapes, `y_k` the later ones, `M` the later mass matrix:
    /// the modal assurance criterion, Allemang (1982), with shapes of unit modal mass, times the ratio
    /// of the lower to the higher of their frequencies: a heavy load that bending and twisting move
    /// alike makes shapes alike that are not. The pair that is most alike is matched first. Instants
    /// must be close enough that shapes change little.
    ///
    /// ```
    /// use pliant::analyse::{Joints, OperatingPoint};
    /// use pliant::arm::{Builder, Joint, Link};
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    /// let material = Material::named("aluminium").expect("known");
    /// let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    /// let beam = Beam::new(1.2, matter, Basis::ClampedFree(Ways::new(2, 1, 0, 0)));
    /// let bar = Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
    /// let arm = Builder::new("bar").link(bar).build()?;
    /// let point = OperatingPoint::rest(&arm, &arm.neutral());
    /// let motion = [(0.0, point.clone()), (0.1, point)];
    /// let instants = arm.vibrations_along(&motion, Joints::Prescribed)?;
    /// assert_eq!(instants[0].vibrations, instants[1].vibrations);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn vibrations_along(
        &self,
        motion: &[(f64, OperatingPoint)],
        joints: Joints,
    ) -> Result<Vec<VibrationInstant>, AnalysisError> {
        let mut instants: Vec<VibrationInstant> = Vec::with_capacity(motion.len());
        for (time, point) in motion {
            let at =
                |source: AnalysisError| AnalysisError::At { time: *time, source: source.into() };
            let OperatingPoint { q, u, ud } = point;
            let mut vibrations = self.vibrations(q, u, ud, joints).map_err(at)?;
            let energy = self.energies(q, u).map_err(|error| at(error.into()))?.total();
            if let Some(before) = instants.last() {
                vibrations = continued(&before.vibrations, vibrations);
            }
            instants.push(VibrationInstant { time: *time, vibrations, energy });
        }
        Ok(instants)
    }
}

/// The lower of two frequencies as a part of the higher.
fn nearness(a: &Vibration, b: &Vibration) -> f64 {
    let [low, high] = [a.frequency.min(b.frequency), a.frequency.max(b.frequency)];
    if high > 0.0 { low / high } else { 1.0 }
}

/// Vibrations in the order of those of the instant before that they continue.
fn continued(before: &[Vibration], now: Vec<Vibration>) -> Vec<Vibration> {
    let mut left: Vec<Option<Vibration>> = now.into_iter().map(Some).collect();
    let mut places: Vec<Option<Vibration>> = vec![None; before.len()];
    for _ in 0..before.len() {
        let mut best: Option<(usize, usize, f64)> = None;
        for (i, old) in before.iter().enumerate().filter(|(i, _)| places[*i].is_none()) {
            for (k, new) in left.iter().enumerate().filter_map(|(k, new)| Some((k, new.as_ref()?)))
            {
                let alike = old.shape[0].dot(&new.shape[1]).abs() * nearness(old, new);
                if best.is_none_or(|(.., most)| alike > most) {
                    best = Some((i, k, alike));
                }
            }
        }
        let Some((i, k, _)) = best else { break };
        places[i] = left[k].take();
    }
    places.into_iter().flatten().collect()
}
