//! Numbers on their way from memory before they are needed.

#![allow(unsafe_code, reason = "asks the processor for lines of memory")]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};

/// Numbers in a line of the cache.
const LINE: usize = 8;

/// Asks for numbers that are soon read. Changes nothing but the time until they are there.
pub(crate) fn ask_to_read(numbers: &[f64]) {
    for first in numbers.iter().step_by(LINE) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the address is that of a number, and nothing is read.
        unsafe {
            _mm_prefetch(std::ptr::from_ref(first).cast(), _MM_HINT_T0);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = first;
    }
}

/// Asks for places that are soon written, which no other processor then has. Changes nothing but the
/// time until they are there.
pub(crate) fn ask_to_write(numbers: &[f64]) {
    for first in numbers.iter().step_by(LINE) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the address is that of a number, and nothing is read or written.
        unsafe {
            _mm_prefetch(std::ptr::from_ref(first).cast(), _MM_HINT_ET0);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = first;
    }
}
