//! The codes of problems, each with the page that `pliant explain` prints.

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// Its name, such as `pliant::arm::unknown-parent`.
    pub name: &'static str,
    /// What it is in a few words.
    pub title: &'static str,
    /// What it means, how it comes about, and how it is mended, as Markdown.
    pub page: &'static str,
}

/// Defines codes as statics and collects them in a list, so that none is forgotten:
/// `NAME = "pliant::room::name", "title", "page";`.
macro_rules! codes {
    ($list:ident: $($constant:ident = $name:literal, $title:literal, $page:expr;)*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $title, ".")]
            pub static $constant: $crate::codes::Code = $crate::codes::Code {
                name: $name,
                title: $title,
                page: $page,
            };
        )*

        /// All codes of this module.
        pub static $list: &[&$crate::codes::Code] = &[$(&$constant),*];
    };
}

mod file;

pub use file::*;

/// Every code there is.
pub fn all() -> impl Iterator<Item = &'static Code> {
    FILE.iter().copied()
}
