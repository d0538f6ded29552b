//! Numbers on their way from memory before they are needed.

#![allow(unsafe_code, reason = "asks the processor for lines of memory")]

/// Asks for numbers that are soon read or written. Changes nothing but the time until they are there.
pub(crate) fn ask_for(numbers: &[f64]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        /// Numbers in a line of the cache.
        const LINE: usize = 8;
        for first in numbers.iter().step_by(LINE) {
            // SAFETY: the address is that of a number, and nothing is read.
            unsafe { _mm_prefetch(std::ptr::from_ref(first).cast(), _MM_HINT_T0) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = numbers;
}
