//! Why a tape is not compiled.

use std::fmt::{self, Display, Formatter};

/// Why a tape is not compiled; other means compute the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The processor or the operating system is another one, or lacks the instructions.
    Processor,
    /// The instructions do not have so many lanes.
    Lanes,
    /// There is no machine code for this operation of the tape; where it stands.
    Operation(usize),
    /// The code is longer than [`MachineCode::LONGEST`](crate::MachineCode::LONGEST).
    TooLong,
    /// The operating system gives no memory from which code can run.
    NoExecutablePages,
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processor => write!(f, "the processor or the system is not one of those"),
            Self::Lanes => write!(f, "these instructions do not have so many lanes"),
            Self::Operation(at) => write!(f, "operation {at} of the tape has no machine code"),
            Self::TooLong => write!(f, "the machine code is too long"),
            Self::NoExecutablePages => write!(f, "the system gives no memory for machine code"),
        }
    }
}

impl std::error::Error for Refused {}
