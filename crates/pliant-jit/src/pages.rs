//! Memory from which code runs: written first, then executable and no longer writable.

#![allow(unsafe_code, reason = "makes pages executable and calls the code in them")]

use crate::refused::Refused;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::ptr;

/// Code in pages of its own.
#[derive(Debug)]
pub(crate) struct Pages {
    start: *mut c_void,
    /// Bytes of code; at least one.
    length: usize,
}

// SAFETY: nothing writes to the pages once they are made, and `Pages` alone unmaps them.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

/// Inputs, outputs, arena and constants; for code of groups also how many these are, and the lists of
/// lines that they ask for.
type Code =
    unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, *const f64, usize, *const usize);

impl Pages {
    /// Pages with this code, which has one byte at least.
    pub(crate) fn new(code: &[u8]) -> Result<Self, Refused> {
        let length = code.len();
        assert!(length > 0, "code has one byte at least");
        // SAFETY: a new mapping, wherever the system puts it, touches no other.
        let mapped = unsafe {
            mmap_anonymous(
                ptr::null_mut(),
                length,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE,
            )
        };
        let start = mapped.map_err(|_| Refused::NoExecutablePages)?;
        let pages = Self { start, length };
        // SAFETY: the mapping has `length` bytes, may be written, and nothing else knows of it.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), start.cast(), length) };
        // SAFETY: the pages are ours, and nothing writes to them from here on.
        let made = unsafe { mprotect(start, length, MprotectFlags::READ | MprotectFlags::EXEC) };
        made.map_err(|_| Refused::NoExecutablePages)?;
        Ok(pages)
    }

    /// The code.
    pub(crate) fn code(&self) -> &[u8] {
        // SAFETY: the mapping has `length` bytes, may be read as long as `self` is, and is not
        // written.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.length) }
    }

    /// Runs the code; code for groups for so many of them.
    ///
    /// # Safety
    /// The pages hold a function of the type [`Code`] that reads and writes no more than these
    /// slices have.
    pub(crate) unsafe fn call(
        &self,
        inputs: &[f64],
        outputs: &mut [f64],
        arena: &mut [f64],
        constants: &[f64],
        (groups, ahead): (usize, &[usize]),
    ) {
        // SAFETY: by the contract of this function, a function of this type starts there.
        let code = unsafe { std::mem::transmute::<*mut c_void, Code>(self.start) };
        // SAFETY: by the contract of this function.
        unsafe {
            code(
                inputs.as_ptr(),
                outputs.as_mut_ptr(),
                arena.as_mut_ptr(),
                constants.as_ptr(),
                groups,
                ahead.as_ptr(),
            );
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference into it outlives `self`.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}
