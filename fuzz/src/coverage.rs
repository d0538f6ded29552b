//! Which branches an execution took, where the program was built to count them.
//!
//! A build with `-Cpasses=sancov-module` and inline counters calls
//! `__sanitizer_cov_8bit_counters_init` for every module before `main`; without, there are none.
#![expect(
    unsafe_code,
    reason = "the compiler's counters are memory that it hands over as pointers"
)]

use std::sync::{Mutex, PoisonError};

/// The counters of a module: address and number.
static COUNTERS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Called by the code that the compiler adds, with the counters of a module.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    let (start, stop) = (start as usize, stop as usize);
    let mut all = COUNTERS.lock().unwrap_or_else(PoisonError::into_inner);
    if stop > start && !all.iter().any(|(known, _)| *known == start) {
        all.push((start, stop - start));
    }
}

fn each(mut take: impl FnMut(&mut [u8])) {
    let all = COUNTERS.lock().unwrap_or_else(PoisonError::into_inner);
    for &(start, count) in all.iter() {
        // SAFETY: the compiler's counters live as long as the program. Other threads may count at
        // the same time; a count that is lost does not matter.
        take(unsafe { std::slice::from_raw_parts_mut(start as *mut u8, count) });
    }
}

/// How many counters there are; none in an ordinary build.
pub fn count() -> usize {
    COUNTERS.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(_, count)| count).sum()
}

/// Sets all counters to zero.
pub fn clear() {
    each(|counters| counters.fill(0));
}

/// How many counters are looked at together.
const CHUNK: usize = 64;

/// The branches that were ever taken, each with how often at once, in classes as bits.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    classes: Vec<u8>,
}

impl Seen {
    /// Takes the counters since [`clear`]; whether a branch or a class of counts is new.
    pub fn take(&mut self) -> bool {
        self.classes.resize(count(), 0);
        let (mut at, mut is_new) = (0, false);
        each(|counters| {
            let seen = &mut self.classes[at..at + counters.len()];
            at += counters.len();
            for (counters, seen) in counters.chunks(CHUNK).zip(seen.chunks_mut(CHUNK)) {
                // most are zero, and whole chunks are looked at fast
                if counters.iter().fold(0, |any, count| any | count) == 0 {
                    continue;
                }
                for (count, seen) in counters.iter().zip(seen) {
                    let class = class(*count);
                    is_new |= class & !*seen != 0;
                    *seen |= class;
                }
            }
        });
        is_new
    }

    /// The classes of every branch.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Adds what another process saw.
    pub fn add(&mut self, classes: &[u8]) {
        if self.classes.len() < classes.len() {
            self.classes.resize(classes.len(), 0);
        }
        for (own, other) in self.classes.iter_mut().zip(classes) {
            *own |= other;
        }
    }

    /// How many branches were taken.
    pub fn edges(&self) -> usize {
        self.classes.iter().filter(|class| **class != 0).count()
    }
}

/// Once, twice, three times, up to 7, 15, 31, 127, or more.
fn class(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}
