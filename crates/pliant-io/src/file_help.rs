//! What the library's help means in files: the key and the value to write.

use crate::units::short;
use pliant::Help;
use pliant::analyse::OutOfRange;
use pliant::analyse::riccati::RankDeficiency;
use pliant::control::EstimatorError;
use pliant::scenario::{RangeLimit, RunWarning, UnstableLoop};
use pliant::simulate::{Breakdown, DiagramError, JumpCause, Reason};

/// The option of `bends` with which the sections of a link turn exactly.
pub const EXACT_ROTATION: &str = "rotation = \"exact\"";

/// The motions that a prescribed joint can follow.
const SMOOTH_MOTION: &str = "take kind = \"table\" with interpolation = \"cubic\" over the whole run, kind = \"sine\" or \"chirp\" from the start on, or an expression whose value and rate do not jump, such as \"3 * min(max(t - 1, 0), 1)^2 - 2 * min(max(t - 1, 0), 1)^3\"";

/// The same where a table begins or ends during the run, and where it has steps or corners.
const WHOLE_TABLE: &str = "let the times of the table reach from 0 to the duration of the run: outside of them it stands still; or shorten the duration, or let the values rest where they begin and end";
const CUBIC_TABLE: &str = "write interpolation = \"cubic\" for the table, and let its times reach over the whole run; \"hold\" has steps, and \"linear\" corners";

/// The option of `bends` that mends a link whose options are not right for a state; none where no
/// option does.
pub fn option(found: &OutOfRange) -> Option<String> {
    match found {
        OutOfRange::Slope { segments: 0, .. } => None,
        OutOfRange::Slope { segments, .. } => {
            Some(format!("shapes = \"elements\", elements = 1, segments = {segments}"))
        }
        OutOfRange::Spin { .. } | OutOfRange::Axial { .. } => {
            Some("foreshortening = true".to_owned())
        }
        _ => None,
    }
}

/// A warning about a run, with what to change in the arm's file where a key does.
pub fn run_warning(warning: &RunWarning) -> String {
    let help = match warning {
        RunWarning::Range(found) => match &found.most {
            RangeLimit::Options(own) => option(own).map(|option| format!("use {option}")),
            RangeLimit::Turn(_) => Some(format!("use {EXACT_ROTATION}")),
        },
        _ => None,
    };
    let help = help.or_else(|| warning.help());
    help.map_or_else(|| warning.to_string(), |help| format!("{warning}; {help}"))
}

/// What to change where a loop is unstable.
pub fn unstable(own: &UnstableLoop) -> String {
    let mut cures = Vec::new();
    if let Some(armature) = own.armature {
        let joints = own.joints.join(", ");
        let (armature, unit) = (short(armature), own.armature_unit);
        cures.push(format!(
            "add armature = \"{armature} {unit}\" or more to what the joints {joints} have"
        ));
    }
    if let Some(tick) = own.longest_tick {
        cures.push(format!("give period = \"{} s\" or less, to its sensors too", short(tick)));
    }
    if let Some((now, longest)) = own.delay {
        let (now, longest) = (short(now), short(longest));
        cures.push(format!("shorten the delay from {now} s to {longest} s"));
    }
    if own.is_stable_continuously == Some(true) {
        cures.push("give full_state = true without a period".to_owned());
    }
    let left_out = "resolution, limits and dry friction are left out";
    if cures.is_empty() {
        return own.help().unwrap_or_default();
    }
    cures.push("lower the gains".to_owned());
    format!("{}; {left_out}", cures.join(", or "))
}

/// What to change in a scenario whose motion could not be carried on, because of an unstable loop if
/// there is one.
pub fn breakdown(breakdown: &Breakdown, cause: Option<&UnstableLoop>) -> String {
    if let Some(own) = cause {
        return format!("controller {:?}: {own}; {}", own.controller, unstable(own));
    }
    let help = breakdown.help().unwrap_or_default();
    match breakdown.reason {
        Reason::OutOfStroke => format!("{help}, limits = \"stop\""),
        Reason::Jumps => SMOOTH_MOTION.to_owned(),
        Reason::Stiff => {
            "write method = \"radau5\", or take a shorter step; or a softer spring or link, or a rigid one"
                .to_owned()
        }
        Reason::NoInertia => {
            "give the links that it moves a mass off its axis (mass, com) or inertia, or its joint armature; masses that differ by more than 1e13 leave no digit of the smaller one"
                .to_owned()
        }
        _ => help,
    }
}

/// What to change in a scenario that cannot be run.
pub(crate) fn diagram(error: &DiagramError) -> Option<String> {
    match error {
        DiagramError::Jump { cause: JumpCause::TableEnd, .. } => Some(WHOLE_TABLE.to_owned()),
        DiagramError::Jump { cause: JumpCause::TableCorner, .. } => Some(CUBIC_TABLE.to_owned()),
        DiagramError::Jump { .. } => Some(SMOOTH_MOTION.to_owned()),
        other => other.help(),
    }
}

/// What to change in a scenario whose estimator does not exist.
pub(crate) fn estimator(error: &EstimatorError) -> Option<String> {
    let help = match error {
        EstimatorError::Prescribed { .. } => "let a motor drive it, or take full_state = true",
        EstimatorError::Mode { deficiency: RankDeficiency::Noise, .. } => {
            "give it some force_noise and bending_noise"
        }
        other => return other.help(),
    };
    Some(help.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, parse_arm};

    /// What is advised is read, and read as what it means.
    #[test]
    fn options_are_those_of_files() {
        let link = || "beam".to_owned();
        let (value, limit) = (1.0, 0.1);
        let spin = OutOfRange::Spin { link: link(), value, limit, frequency: 1.0 };
        let axial = OutOfRange::Axial { link: link(), value, limit, buckling: 2.0 };
        let slope = |segments| OutOfRange::Slope { link: link(), value, limit, segments };
        assert_eq!(option(&slope(0)), None);
        for (found, shapes, bodies) in
            [(spin, "y = 1", 1), (axial, "y = 1", 1), (slope(3), "y = true", 3)]
        {
            let option = option(&found).expect("an option");
            let text = format!(
                "[[link]]\nname = \"beam\"\nlength = 1\nmaterial = \"aluminium\"\n\
                 section = {{ kind = \"round\", diameter = 0.01 }}\n\
                 bends = {{ {shapes}, {option}, {EXACT_ROTATION} }}\n"
            );
            let read = parse_arm(&Source::new("beam.toml", text.clone()));
            let arm = read.unwrap_or_else(|report| panic!("{report}\n{text}")).arm;
            assert_eq!(arm.body_count(), bodies, "{text}");
            assert!(arm.beam_of(0).is_some_and(|beam| beam.foreshortening), "{text}");
        }
    }

    #[test]
    fn the_stroke_ends_a_run_by_a_key() {
        let reason = Reason::OutOfStroke;
        let broken = Breakdown {
            time: 0.1,
            coordinate: None,
            energy: 0.0,
            step: 1e-3,
            reason,
            excess: None,
            is_controlled: false,
        };
        let told = breakdown(&broken, None);
        assert!(told.ends_with("stop at the limits of joints, limits = \"stop\""), "{told}");
        let broken = Breakdown { reason: Reason::TooManySteps, ..broken };
        assert_eq!(Some(breakdown(&broken, None)), broken.help());
    }

    /// Where the library speaks of quantities, a scenario has keys.
    #[test]
    fn estimators_are_mended_by_keys() {
        let mode = |deficiency| EstimatorError::Mode {
            deficiency,
            frequency: 1.0,
            coordinate: "y1".into(),
        };
        let noise = estimator(&mode(RankDeficiency::Noise)).expect("a help");
        assert!(noise.contains("force_noise") && noise.contains("bending_noise"), "{noise}");
        assert_eq!(estimator(&mode(RankDeficiency::Outputs)), mode(RankDeficiency::Outputs).help());
        let prescribed = EstimatorError::Prescribed { coordinate: "hub".into() };
        assert!(estimator(&prescribed).is_some_and(|help| help.ends_with("full_state = true")));
        assert!(prescribed.help().is_some_and(|help| !help.contains('=')));
    }
}
