//! Sources of an arm: C, Rust and CUDA from traced quantities.
//!
//! A quantity is traced to a straight-line program, and the program is printed: each operation is a
//! statement, in the order of the recursion. Sine, cosine and Stumpff functions are printed from the
//! library's own arithmetic, so that a source compiled without fusing gives the library's numbers.

mod algorithm;
mod body;
mod c;
mod c_files;
mod c_lines;
mod c_prelude;
mod names;
mod parts;
mod program;
mod routine;
#[cfg(test)]
mod tests;

/// A language that sources are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99 that needs nothing but its standard headers.
    C,
    /// Rust without the standard library, with the crate `libm`.
    Rust,
    /// CUDA: a header of functions for device and host, and kernels over many arms.
    Cuda,
}

/// How sources are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeSettings {
    /// In which language.
    pub language: Language,
    /// In single precision instead of double.
    pub single: bool,
    /// How many arms at once, in lanes of vectors: 1, 2, 4, 8 or 16.
    pub lanes: usize,
}

/// A file of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it belongs, below the folder of the sources.
    pub path: String,
    /// What it says.
    pub text: String,
}
