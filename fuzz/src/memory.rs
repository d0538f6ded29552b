//! How much memory an execution takes.
#![expect(
    unsafe_code,
    reason = "a global allocator is unsafe by contract; this one hands every call to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What is in use now, and the most that was since [`begin`] (bytes).
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Nobody gets more than this (bytes): the process ends instead of the machine.
const END: usize = 2 << 30;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Whether there is room for more.
fn take(size: usize) -> bool {
    let live = LIVE.fetch_add(size, Relaxed) + size;
    if live > PEAK.load(Relaxed) {
        PEAK.store(live, Relaxed);
    }
    let has_room = live < END;
    if !has_room {
        give(size);
    }
    has_room
}

fn give(size: usize) {
    LIVE.fetch_sub(size, Relaxed);
}

// SAFETY: every method passes its arguments on to the system's allocator and returns its answer, or
// a null pointer, which says that there is no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size) {
            return std::ptr::null_mut();
        }
        give(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Begins to watch; returns what is in use (bytes).
pub fn begin() -> usize {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// The most that was in use since then (bytes).
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}
