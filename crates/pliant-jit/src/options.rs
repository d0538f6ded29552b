//! What machine code to make of a tape.

/// How many states one run computes, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One state.
    One,
    /// Two states.
    Two,
    /// Four states.
    Four,
    /// Eight states; only with [`Instructions::Avx512`].
    Eight,
}

impl Width {
    /// All widths.
    pub const ALL: [Self; 4] = [Self::One, Self::Two, Self::Four, Self::Eight];

    /// The number of states.
    pub const fn lanes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// Extensions of the instructions of x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// AVX2 and FMA: 16 registers of up to 4 numbers.
    Avx2,
    /// AVX-512 (F, VL and DQ): 32 registers of up to 8 numbers.
    Avx512,
}

impl Instructions {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Avx2, Self::Avx512];

    /// Whether this processor has them.
    pub fn are_there(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        return false;
    }

    /// The widest vectors.
    pub const fn widest(self) -> Width {
        match self {
            Self::Avx2 => Width::Four,
            Self::Avx512 => Width::Eight,
        }
    }
}

/// What machine code to make of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// States per run.
    pub width: Width,
    /// Instructions to use.
    pub instructions: Instructions,
    /// Whether a product that only one sum or difference uses is rounded together with it.
    ///
    /// If both operands are such products, it is the second one. The results then differ from
    /// those of the tape's own operations by rounding, and are the same on every processor.
    pub fuse: bool,
}

impl Options {
    /// One state per run, unfused, with these instructions.
    pub const fn new(instructions: Instructions) -> Self {
        Self { width: Width::One, instructions, fuse: false }
    }
}
