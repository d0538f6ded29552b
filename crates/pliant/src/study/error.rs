//! What is wrong with a study.

use super::direction_numbers::MOST_DIMENSIONS;
use crate::Help;

/// Why there is no such design, or no such optimisation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// Nothing varies.
    #[error("nothing varies")]
    NoFactors,
    /// A factor without values.
    #[error("factor {} has no values", factor + 1)]
    Empty {
        /// Which of them, from 0.
        factor: usize,
    },
    /// A number that is not finite.
    #[error("{quantity} of factor {} is {value}", factor + 1)]
    NotFinite {
        /// Which of them, from 0.
        factor: usize,
        /// What the number is.
        quantity: &'static str,
        /// As given.
        value: f64,
    },
    /// A range that contains nothing, or goes the wrong way.
    #[error("the range of factor {} goes from {from} to {to}", factor + 1)]
    Range {
        /// Which of them, from 0.
        factor: usize,
        /// As given.
        from: f64,
        /// As given.
        to: f64,
    },
    /// A logarithm of what has none.
    #[error("the logarithmic range of factor {} goes from {from} to {to}", factor + 1)]
    Logarithm {
        /// Which of them, from 0.
        factor: usize,
        /// As given.
        from: f64,
        /// As given.
        to: f64,
    },
    /// A standard deviation that is not positive.
    #[error("the standard deviation of factor {} is {deviation}", factor + 1)]
    Deviation {
        /// Which of them, from 0.
        factor: usize,
        /// As given.
        deviation: f64,
    },
    /// A normal distribution that is cut where nothing is left of it.
    #[error(
        "the normal distribution of factor {} has nothing between {from} and {to}",
        factor + 1
    )]
    Truncation {
        /// Which of them, from 0.
        factor: usize,
        /// As given.
        from: f64,
        /// As given.
        to: f64,
    },
    /// A distribution where single values are needed.
    #[error("factor {} has a distribution, and a {sampling} needs single values", factor + 1)]
    NoLevels {
        /// Which of them, from 0.
        factor: usize,
        /// The kind of design.
        sampling: &'static str,
    },
    /// Values that go together and are not equally many.
    #[error("factor {} has {given} values, and the first has {first}", factor + 1)]
    Lengths {
        /// Which of them, from 0.
        factor: usize,
        /// How many it has.
        given: u64,
        /// How many the first one has.
        first: u64,
    },
    /// More factors than the sequence has dimensions for.
    #[error("{given} factors vary, and this design has room for {most}")]
    TooManyFactors {
        /// How many there are.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// A study of nothing.
    #[error("0 runs")]
    NoRuns,
    /// More runs than can be counted.
    #[error("more than {most} runs")]
    TooManyRuns {
        /// How many there may be.
        most: u64,
        /// Whether they were asked for, instead of following from levels.
        drawn: bool,
    },
    /// Figures of another design.
    #[error("{given} figures, and the design has {wanted} runs")]
    Figures {
        /// How many there are.
        given: usize,
        /// How many there should be.
        wanted: u64,
    },
    /// Too few runs that ended to tell anything.
    #[error("{complete} of {all} blocks of the design are complete")]
    TooFewBlocks {
        /// How many have all their figures.
        complete: usize,
        /// How many there are.
        all: usize,
    },
    /// A figure that is the same in every run.
    #[error("the figure is the same in every run")]
    Constant,
    /// A part that is not between 0 and 1.
    #[error("{quantity} is {value}")]
    Part {
        /// What it is.
        quantity: &'static str,
        /// As given.
        value: f64,
    },
    /// Points that do not have equally many figures.
    #[error("point {} has {given} figures, and the first has {first}", point + 1)]
    Ragged {
        /// Which of them, from 0.
        point: usize,
        /// How many it has.
        given: usize,
        /// How many the first one has.
        first: usize,
    },
    /// More figures to be made small than a front is drawn of, or none.
    #[error("{given} figures are to be small")]
    Goals {
        /// How many.
        given: usize,
    },
    /// A trial with figures or constraints of another optimisation.
    #[error("the trial has {given} {what}, and the optimisation has {wanted}")]
    TrialNumbers {
        /// Which of both.
        what: &'static str,
        /// How many it has.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A trial of another optimisation.
    #[error("trial {} is at another point than this optimisation asks for", trial + 1)]
    OtherTrial {
        /// Which of them, from 0.
        trial: usize,
    },
    /// The outcome of a trial that was not asked for.
    #[error("no trial is open")]
    NotAsked,
}

impl StudyError {
    /// Which factor is wrong, from 0.
    pub fn factor(&self) -> Option<usize> {
        match *self {
            Self::Empty { factor }
            | Self::NotFinite { factor, .. }
            | Self::Range { factor, .. }
            | Self::Logarithm { factor, .. }
            | Self::Deviation { factor, .. }
            | Self::Truncation { factor, .. }
            | Self::NoLevels { factor, .. }
            | Self::Lengths { factor, .. } => Some(factor),
            _ => None,
        }
    }
}

impl Help for StudyError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoFactors => "give at least one factor".into(),
            Self::Empty { .. } => "give at least one value".into(),
            Self::NotFinite { .. } => "give a finite number".into(),
            Self::Range { .. } => "give a range from a smaller to a larger number".into(),
            Self::Logarithm { .. } => {
                "give a range from a smaller to a larger positive number".into()
            }
            Self::Deviation { .. } => "give a positive number".into(),
            Self::Truncation { .. } => "let more of the distribution be left".into(),
            Self::NoLevels { .. } => "give values or a number of steps, or draw at random".into(),
            Self::Lengths { first, .. } => format!("give {first} values"),
            Self::TooManyFactors { most, .. } if *most < MOST_DIMENSIONS => {
                format!("let {most} factors vary at most")
            }
            Self::TooManyFactors { most, .. } => {
                format!("let {most} factors vary at most, or draw at random")
            }
            Self::NoRuns => "ask for at least one run".into(),
            Self::TooManyRuns { drawn: true, .. } => "ask for fewer runs".into(),
            Self::TooManyRuns { .. } => "take fewer steps, or draw at random".into(),
            Self::Figures { .. } => "give one figure for each run, NaN where a run failed".into(),
            Self::TooFewBlocks { .. } => "ask for more runs, or find out why they fail".into(),
            Self::Constant => "vary what has an effect on it".into(),
            Self::Part { .. } => "give a number between 0 and 1".into(),
            Self::Ragged { first, .. } => format!("give {first} figures for each point"),
            Self::Goals { .. } => "give one or two".into(),
            Self::TrialNumbers { wanted, .. } => format!("give {wanted} numbers"),
            Self::OtherTrial { .. } => {
                "take it up with the variables, the numbers and the seed it began with".into()
            }
            Self::NotAsked => "ask for the next point first".into(),
        })
    }
}
