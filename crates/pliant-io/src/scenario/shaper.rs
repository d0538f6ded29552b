//! Shapers of plans: commands that leave no vibration behind.

use super::gains::{of_joints, per_joint};
use super::shapes::Lasting;
use super::text::Surroundings;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Count, JointDamping, JointStiffness, Number, OfCoordinates, Plain, Word, words,
};
use crate::table::table;
use pliant::plan::ShaperKind;
use pliant::scenario::ShaperDescription;

/// The residual vibration that is usually allowed.
const LEFT: f64 = 0.05;

/// Kinds of shapers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Impulses {
    Zv,
    Zvd,
    Ei,
}

words! { Impulses: "zv" => Impulses::Zv, "zvd" => Impulses::Zvd, "ei" => Impulses::Ei }

table! {
    /// An input shaper: splits the command into impulses whose vibrations cancel, for the
    /// frequencies and damping of the arm at the end of the plan with its joints on their servos.
    /// The servo of an elastic joint drives its motor and measures the same side as the controller
    /// that tracks the plan: the side of its encoder, or the link with full_state = true.
    pub(crate) struct ShaperTable = "a shaper",
        "write shaper = { kind = \"zvd\", modes = 2, stiffness = { upper = 400 }, damping = { upper = 8 } }";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// Zero vibration (zv), zero vibration and derivative (zvd), or extra-insensitive (ei).
        kind: Word<Impulses> [required],
        /// Number of modes, from the lowest frequency that the command excites.
        modes: Count<1, 20> [= 1],
        /// Proportional gain of the servo of each joint by name.
        stiffness: OfCoordinates<JointStiffness> [or "that of the controller that tracks the plan"],
        /// Derivative gain of the servo of each joint by name; both or neither.
        damping: OfCoordinates<JointDamping> [or "that of the controller that tracks the plan"],
        /// For ei: the residual vibration allowed at the mode's own frequency. Modes that decay
        /// this far within one period are rejected.
        left: Number<Plain> [= LEFT],
        /// The sampling period of the controller that tracks the plan; modes too fast for it are
        /// rejected.
        period: Lasting
            [or "that of the slowest controller that tracks it, or none if all are continuous"],
    }
}

/// What a file says about a shaper. What cannot be read is taken as usual.
pub(super) fn shaper(
    reader: &mut Reader,
    around: &Surroundings<'_>,
    table: &ShaperTable,
) -> Option<ShaperDescription> {
    let ShaperTable { stiffness, damping, .. } = table;
    let kind = match table.kind.value? {
        Impulses::Zv => ShaperKind::Zv,
        Impulses::Zvd => ShaperKind::Zvd,
        Impulses::Ei => ShaperKind::Ei { left: table.left.value.unwrap_or(LEFT) },
    };
    let servos = [stiffness, damping].map(|field| per_joint(reader, around, field));
    let servos = match (stiffness.given(), damping.given(), servos) {
        (Some(_), Some(_), [Some(stiffness), Some(damping)]) => Some([stiffness, damping]),
        (Some(one), None, _) | (None, Some(one), _) => {
            let other = if stiffness.is_given() { "damping" } else { "stiffness" };
            reader.push(
                Problem::error(
                    &codes::MISSING_KEY,
                    format!("the shaper has {} and no {other}", one.name),
                )
                .at(one.key.clone())
                .label(format!("{other} is missing"))
                .help("give both, or none for those of the controller that tracks the plan"),
            );
            None
        }
        _ => None,
    };
    let modes = table.modes.value.unwrap_or(1);
    Some(ShaperDescription { kind, modes, servos, period: table.period.value })
}

impl ShaperTable {
    /// What a file says about a shaper.
    pub(super) fn of(shaper: &ShaperDescription) -> Self {
        let (kind, left) = match shaper.kind {
            ShaperKind::Zv => (Impulses::Zv, LEFT),
            ShaperKind::Zvd => (Impulses::Zvd, LEFT),
            ShaperKind::Ei { left } => (Impulses::Ei, left),
        };
        let [stiffness, damping] = match &shaper.servos {
            Some(servos) => servos.each_ref().map(Some),
            None => [None; 2],
        };
        Self {
            kind: kind.into(),
            modes: shaper.modes.into(),
            stiffness: stiffness.map(of_joints::<JointStiffness>).unwrap_or_default(),
            damping: damping.map(of_joints::<JointDamping>).unwrap_or_default(),
            left: left.into(),
            period: shaper.period.into(),
            ..Self::default()
        }
    }
}
