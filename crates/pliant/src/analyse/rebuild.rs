//! Why an arm that is built anew for an analysis has no answer.

use super::error::AnalysisError;
use crate::Help;
use crate::arm::{BuildError, UnknownName};
use crate::dynamics::EvaluationError;

/// Why an arm that is built anew for an analysis has no answer: one with finer beams, or a link
/// alone.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A loaded frame is missing in it.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A beam with a pinned root is no cantilever.
    #[error("its root is pinned, but that of the cantilever is clamped")]
    PinnedRoot,
}

impl From<EvaluationError> for RebuildError {
    fn from(error: EvaluationError) -> Self {
        Self::Analysis(error.into())
    }
}

impl Help for RebuildError {
    fn help(&self) -> Option<String> {
        match self {
            Self::Build(error) => error.help(),
            Self::Analysis(error) => error.help(),
            Self::UnknownName(error) => error.help(),
            Self::PinnedRoot => None,
        }
    }

    fn with_help(&self) -> String {
        match self {
            Self::Build(error) => error.with_help(),
            Self::Analysis(error) => error.with_help(),
            Self::UnknownName(error) => error.with_help(),
            Self::PinnedRoot => self.to_string(),
        }
    }
}
