//! Which value each register holds.

use crate::steps::NONE;

/// Not in a register.
const NOWHERE: u8 = u8::MAX;

/// What registers hold, and when it is used next.
pub(crate) struct Registers {
    /// The value of each register, or [`NONE`].
    held: [u32; 32],
    /// The step that uses it next.
    next: [u32; 32],
    /// Registers that hold nothing, by bits.
    free: u32,
    /// Registers that the present step needs, by bits.
    pinned: u32,
    count: u8,
    /// The register of each value.
    of: Vec<u8>,
}

impl Registers {
    /// So many registers, all of them empty.
    pub(crate) fn new(count: u8, values: usize) -> Self {
        let free = u32::MAX >> (32 - u32::from(count));
        Self { held: [NONE; 32], next: [0; 32], free, pinned: 0, count, of: vec![NOWHERE; values] }
    }

    /// The register of a value.
    pub(crate) fn of(&self, value: u32) -> Option<u8> {
        Some(self.of[value as usize]).filter(|&register| register != NOWHERE)
    }

    /// Keeps a register until [`Self::unpin`].
    pub(crate) fn pin(&mut self, register: u8) {
        self.pinned |= 1 << register;
    }

    /// Ends all pins.
    pub(crate) fn unpin(&mut self) {
        self.pinned = 0;
    }

    /// A register that holds nothing and is not pinned.
    pub(crate) fn empty(&self) -> Option<u8> {
        let free = self.free & !self.pinned;
        (free != 0).then(|| free.trailing_zeros() as u8)
    }

    /// The register whose value is the best to lose now: the one used last (Belady), where that of
    /// a value that must be stored first counts `1 / CLEAN` of its distance.
    pub(crate) fn victim(&self, now: u32, is_stored: impl Fn(u32) -> bool) -> (u8, u32) {
        const CLEAN: u32 = 2;
        let mut best = (0, 0);
        for register in 0..self.count {
            if self.pinned >> register & 1 == 0 {
                let at = usize::from(register);
                let distance = self.next[at] - now;
                let weight = if is_stored(self.held[at]) { CLEAN } else { 1 };
                best = best.max((distance * weight + 1, register));
            }
        }
        (best.1, self.held[usize::from(best.1)])
    }

    /// Puts a value into an empty register.
    pub(crate) fn put(&mut self, register: u8, value: u32, next: u32) {
        self.held[usize::from(register)] = value;
        self.next[usize::from(register)] = next;
        self.of[value as usize] = register;
        self.free &= !(1 << register);
    }

    /// Takes a value from its register, if it is in one.
    pub(crate) fn drop(&mut self, value: u32) {
        if let Some(register) = self.of(value) {
            self.of[value as usize] = NOWHERE;
            self.free |= 1 << register;
        }
    }

    /// Sets when a value is used next.
    pub(crate) fn set_next(&mut self, value: u32, next: u32) {
        if let Some(register) = self.of(value) {
            self.next[usize::from(register)] = next;
        }
    }
}
