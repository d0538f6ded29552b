//! Why a recursion is not compiled.

use crate::Help;
use pliant_jit::Refused;

/// Why a recursion is not compiled. Whoever asked for machine code can go on with the recursion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CompileError {
    /// There is no machine code for it.
    #[error("{0}")]
    Refused(#[from] Refused),
    /// Machine code does not hold anywhere near the neutral configuration.
    #[error("no state near the neutral configuration is in the range of machine code")]
    Untried,
    /// The machine code computes something else than the recursion.
    #[error(
        "machine code gives {code:e} where the recursion gives {recursion:e}, in output {output}"
    )]
    Check {
        /// The number of the output.
        output: usize,
        /// What the recursion gives.
        recursion: f64,
        /// What the machine code gives.
        code: f64,
    },
}

impl Help for CompileError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Refused(Refused::NoExecutablePages) => {
                "let the system give executable memory, or go without compiling".into()
            }
            Self::Refused(_) | Self::Untried => {
                "go without compiling: the numbers are the same".into()
            }
            Self::Check { .. } => "go without compiling, and report this arm as a fault".into(),
        })
    }
}
