//! What would be right where something is wrong.

use std::convert::Infallible;
use std::error::Error;

/// An error that knows what would be right.
///
/// `Display` says what is wrong, in one sentence. [`help`](Help::help) says what would be right, in
/// quantities, links, joints and the names of this crate; an error that wraps another passes the
/// help of that on. Both start in lower case and end without a full stop.
///
/// ```
/// use pliant::Help;
/// use pliant::simulate::Clock;
///
/// let error = Clock::every(0.0).unwrap_err();
/// assert_eq!(error.to_string(), "the period of 0 is out of range");
/// assert_eq!(error.help().as_deref(), Some("give a number from 1e-9 to 1e9"));
/// assert_eq!(
///     error.with_help(),
///     "the period of 0 is out of range; give a number from 1e-9 to 1e9"
/// );
/// ```
///
/// Errors of own controllers and recorders need no help:
///
/// ```
/// #[derive(Debug, thiserror::Error)]
/// #[error("the battery is empty")]
/// struct Empty;
///
/// impl pliant::Help for Empty {}
/// ```
pub trait Help: Error {
    /// What would be right, where more can be said than the message says.
    fn help(&self) -> Option<String> {
        None
    }

    /// The message and the help in one line.
    fn with_help(&self) -> String {
        match self.help() {
            Some(help) => format!("{self}; {help}"),
            None => self.to_string(),
        }
    }
}

impl Help for Infallible {}

impl<'a, E: Help + Send + Sync + 'a> From<E> for Box<dyn Help + Send + Sync + 'a> {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}
