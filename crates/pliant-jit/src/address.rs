//! Where numbers are in memory, as instructions say it.

use crate::encode::{Assembler, Memory, offset};
use crate::options::{Instructions, Options, Width};
use crate::tape::Tape;

/// Memory that code reads or writes; by the order of the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Inputs,
    Outputs,
    Arena,
    Constants,
}

const AREAS: [Area; 4] = [Area::Inputs, Area::Outputs, Area::Arena, Area::Constants];

/// Registers that hold addresses: one after the other in an area, each in the middle of what a
/// short offset reaches. The first is the argument of the call, by the System V convention.
///
/// From number 8 on, they make an instruction longer by a byte, and a long offset by three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses {
    lanes: usize,
    instructions: Instructions,
    registers: [&'static [u8]; 4],
}

impl Addresses {
    pub(crate) fn new(options: Options) -> Self {
        // Offsets are short in units of a vector with AVX-512, in bytes otherwise.
        let registers: [&[u8]; 4] = match (options.instructions, options.width) {
            (Instructions::Avx2, _) | (_, Width::One) => [&[7], &[6], &[2, 0, 8, 9, 10], &[1, 11]],
            (Instructions::Avx512, _) => [&[7], &[6], &[2, 0], &[1, 8, 9, 10, 11]],
        };
        Self { lanes: options.width.lanes(), instructions: options.instructions, registers }
    }

    /// How many bytes one register reaches.
    fn reach(&self, area: Area) -> usize {
        match (self.instructions, area) {
            (Instructions::Avx512, Area::Constants) if self.lanes > 1 => 256 * 8,
            (Instructions::Avx512, _) if self.lanes > 1 => 256 * 8 * self.lanes,
            _ => 256,
        }
    }

    /// Sets the registers.
    pub(crate) fn begin(&self, assembler: &mut Assembler) {
        for area in AREAS {
            let (registers, reach) = (self.registers[area as usize], self.reach(area));
            for (window, &register) in registers.iter().enumerate().rev() {
                assembler.address(register, registers[0], offset(window * reach + reach / 2));
            }
        }
    }

    /// Goes on to the inputs and outputs of the next group.
    pub(crate) fn move_on(&self, assembler: &mut Assembler, tape: &Tape) {
        let written = tape.outputs().len() + tape.guards().len();
        for (area, stride) in [(Area::Inputs, tape.inputs()), (Area::Outputs, written)] {
            for &register in self.registers[area as usize] {
                assembler.address(register, register, offset(stride * 8 * self.lanes));
            }
        }
    }

    /// A number of an area; those of the arena, inputs and outputs are for all lanes.
    pub(crate) fn at(&self, area: Area, number: usize) -> Memory {
        let (registers, reach) = (self.registers[area as usize], self.reach(area));
        let bytes = match area {
            Area::Constants => number * 8,
            _ => number * 8 * self.lanes,
        };
        let window = match bytes / reach {
            window if window < registers.len() => window,
            // The last one is the nearest, but the first one the shortest without EVEX.
            _ if self.instructions == Instructions::Avx512 => registers.len() - 1,
            _ => 0,
        };
        let from = window * reach + reach / 2;
        let one_for_all = area == Area::Constants && self.instructions == Instructions::Avx512;
        Memory { base: registers[window], offset: offset(bytes) - offset(from), one_for_all }
    }
}
