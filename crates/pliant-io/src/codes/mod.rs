//! The codes of problems, each with the page that `pliant explain` prints.

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// Its name, such as `pliant::arm::unknown-parent`.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// What it means, its usual causes, and how to fix it, as Markdown.
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

mod arm;
mod file;
mod gallery;
mod scenario;
mod state;
mod study;

pub use arm::*;
pub use file::*;
pub use gallery::*;
pub use scenario::*;
pub use state::*;
pub use study::*;

/// Every code there is.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [FILE, ARM, STATE, SCENARIO, STUDY, GALLERY, crate::urdf::codes::URDF]
        .into_iter()
        .flatten()
        .copied()
}

/// The code of a name; `unknown-parent` is enough for `pliant::arm::unknown-parent`.
pub fn find(name: &str) -> Option<&'static Code> {
    let exact = all().find(|code| code.name == name);
    exact.or_else(|| all().find(|code| code.name.rsplit("::").next() == Some(name)))
}

/// The code that a person most likely meant.
pub fn nearest(name: &str) -> Option<&'static Code> {
    let short = |code: &'static Code| code.name.rsplit("::").next().unwrap_or(code.name);
    let wanted = name.rsplit("::").next().unwrap_or(name);
    find(crate::nearest::nearest(wanted, all().map(short))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_and_a_page() {
        let mut names = std::collections::HashSet::new();
        for code in all() {
            assert!(names.insert(code.name), "{} is there twice", code.name);
            assert!(code.name.starts_with("pliant::"), "{}", code.name);
            let short = code.name.rsplit("::").next();
            assert_eq!(short.and_then(find), Some(code), "{} is ambiguous", code.name);
            assert!(!code.title.ends_with('.') && !code.title.is_empty());
            assert!(code.page.len() > 60 && code.page.ends_with(".\n"), "{}", code.name);
            assert!(code.page.lines().all(|line| line.len() < 100), "{}", code.name);
        }
    }
}
