//! Stands in for `pages` on systems for which there is no machine code.

#![allow(unsafe_code, reason = "has the signatures of `pages`")]

use crate::refused::Refused;

/// There are none.
#[derive(Debug)]
pub(crate) enum Pages {}

impl Pages {
    pub(crate) fn new(_code: &[u8]) -> Result<Self, Refused> {
        Err(Refused::Processor)
    }

    pub(crate) fn code(&self) -> &[u8] {
        match *self {}
    }

    /// # Safety
    /// It is never called.
    pub(crate) unsafe fn call(
        &self,
        _: &[f64],
        _: &mut [f64],
        _: &mut [f64],
        _: &[f64],
        _: (usize, &[usize]),
    ) {
        match *self {}
    }
}
