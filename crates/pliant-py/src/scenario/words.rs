//! The words of choices, as files have them.

use pliant::control::{EstimatorKind, HorizonKind, HorizonTarget};
use pliant::dynamics::kinematics::Axes;
use pliant::reproduce::akmehmet::{Effort, Form};
use pliant::scenario::Start;
use pliant::simulate::{Direction, EventAction, Interpolation, PrescribedQuantity};

pub(super) const AXES: [(&str, Axes); 2] = [("world", Axes::World), ("own", Axes::Own)];
pub(super) const GIVES: [(&str, PrescribedQuantity); 3] = [
    ("position", PrescribedQuantity::Position),
    ("rate", PrescribedQuantity::Rate),
    ("acceleration", PrescribedQuantity::Acceleration),
];
pub(super) const INTERPOLATION: [(&str, Interpolation); 3] = [
    ("hold", Interpolation::Hold),
    ("linear", Interpolation::Linear),
    ("cubic", Interpolation::Cubic),
];
pub(super) const DIRECTION: [(&str, Direction); 3] =
    [("rising", Direction::Rising), ("falling", Direction::Falling), ("both", Direction::Either)];
pub(super) const ACTION: [(&str, EventAction); 2] =
    [("report", EventAction::Report), ("stop", EventAction::Stop)];
pub(super) const LIMITS: [(&str, Option<EventAction>); 3] =
    [("report", Some(EventAction::Report)), ("stop", Some(EventAction::Stop)), ("ignore", None)];
pub(super) const START: [(&str, Start); 2] =
    [("as given", Start::AsGiven), ("static equilibrium", Start::StaticEquilibrium)];
pub(super) const ESTIMATOR: [(&str, EstimatorKind); 2] =
    [("kalman", EstimatorKind::Kalman), ("extended", EstimatorKind::Extended)];
pub(super) const WINDOW: [(&str, HorizonKind); 2] =
    [("fixed", HorizonKind::Fixed), ("receding", HorizonKind::Receding)];
pub(super) const AIM: [(&str, HorizonTarget); 2] =
    [("end", HorizonTarget::End), ("present", HorizonTarget::Present)];
pub(super) const FORM: [(&str, Form); 2] = [("syst2", Form::Syst2), ("syst3", Form::Syst3)];
pub(super) const EFFORT: [(&str, Effort); 2] = [("ideal", Effort::Ideal), ("whole", Effort::Whole)];

/// The word of a choice.
pub(super) fn word_of<T: Copy + PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}
