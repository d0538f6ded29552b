//! Instructions of x86-64 on vectors of doubles as bytes: VEX with 16 registers, EVEX with 32.

use crate::options::{Instructions, Options, Width};

/// A register that holds an address: the arguments of a call by the System V convention, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Inputs = 7,
    Outputs = 6,
    Arena = 2,
    Constants = 1,
}

/// Numbers in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) base: Base,
    /// In bytes.
    pub(crate) offset: i32,
    /// Whether it is one number for all lanes.
    pub(crate) one_for_all: bool,
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Register(u8),
    Memory(Memory),
}

/// Operations on two operands, by their opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add = 0x58,
    Mul = 0x59,
    Sub = 0x5c,
    Div = 0x5e,
}

/// Fused operations, by the opcode of their form 132 on packed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fused {
    /// `x y + z`
    MulAdd = 0x98,
    /// `x y - z`
    MulSub = 0x9a,
    /// `z - x y`
    SubMul = 0x9c,
}

/// Which operands of `first, second, third` are multiplied; the first becomes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `first third ± second`
    F132 = 0x00,
    /// `second first ± third`
    F213 = 0x10,
    /// `second third ± first`
    F231 = 0x20,
}

/// Mandatory prefix, opcode map and opcode.
#[derive(Clone, Copy)]
struct Code {
    prefix: u8,
    map: u8,
    opcode: u8,
    /// Bit W of VEX; that of EVEX is always set.
    wide: bool,
}

/// How much of the registers an instruction uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// One number.
    One,
    /// All lanes.
    All,
    /// All lanes of the register, but one number of the memory.
    Spread,
}

const P66: u8 = 1;
const PF2: u8 = 3;
const M0F: u8 = 1;
const M0F38: u8 = 2;
const M0F3A: u8 = 3;

const fn packed(opcode: u8) -> Code {
    Code { prefix: P66, map: M0F, opcode, wide: false }
}

/// Bytes of instructions, one after the other.
pub(crate) struct Assembler {
    pub(crate) bytes: Vec<u8>,
    evex: bool,
    scalar: bool,
    /// Length of vectors as instructions have it: 16 bytes, doubled so often.
    length: u8,
}

impl Assembler {
    pub(crate) fn new(options: Options, capacity: usize) -> Self {
        let length = match options.width {
            Width::One | Width::Two => 0,
            Width::Four => 1,
            Width::Eight => 2,
        };
        Self {
            bytes: Vec::with_capacity(capacity),
            evex: options.instructions == Instructions::Avx512,
            scalar: options.width == Width::One,
            length,
        }
    }

    fn size(&self) -> Size {
        if self.scalar { Size::One } else { Size::All }
    }

    /// The prefix of arithmetic: that of one number or of packed ones.
    fn arithmetic(&self, opcode: u8) -> Code {
        Code { prefix: if self.scalar { PF2 } else { P66 }, ..packed(opcode) }
    }

    /// `result = a op b`
    pub(crate) fn binary(&mut self, op: Binary, result: u8, a: u8, b: Operand) {
        let code = self.arithmetic(op as u8);
        // The short form of VEX has no room for a high register at the end.
        let (a, b) = match b {
            Operand::Register(b)
                if matches!(op, Binary::Add | Binary::Mul) && b >= 8 && a < 8 && !self.evex =>
            {
                (b, Operand::Register(a))
            }
            b => (a, b),
        };
        self.instruction(code, result, a, b, self.size());
    }

    /// `result = sqrt(a)`
    pub(crate) fn square_root(&mut self, result: u8, a: u8) {
        // One number has an operand more, for the rest of the register.
        let second = if self.scalar { a } else { 0 };
        let code = self.arithmetic(0x51);
        self.instruction(code, result, second, Operand::Register(a), self.size());
    }

    /// A fused operation; see [`Form`].
    pub(crate) fn fused(&mut self, op: Fused, form: Form, first: u8, second: u8, third: Operand) {
        let opcode = op as u8 + form as u8 + u8::from(self.scalar);
        let code = Code { prefix: P66, map: M0F38, opcode, wide: true };
        self.instruction(code, first, second, third, self.size());
    }

    /// `register = memory`
    pub(crate) fn load(&mut self, register: u8, memory: Memory) {
        let code = match (self.scalar, memory.one_for_all, self.length) {
            (false, false, _) => packed(0x10),
            // One number into both halves of 16 bytes.
            (false, true, 0) => Code { prefix: PF2, ..packed(0x12) },
            (false, true, _) => Code { map: M0F38, ..packed(0x19) },
            (true, ..) => Code { prefix: PF2, ..packed(0x10) },
        };
        let size = if memory.one_for_all && !self.scalar { Size::Spread } else { self.size() };
        let memory = Operand::Memory(Memory { one_for_all: false, ..memory });
        self.instruction(code, register, 0, memory, size);
    }

    /// `memory = register`
    pub(crate) fn store(&mut self, memory: Memory, register: u8) {
        let code = self.arithmetic(0x11);
        self.instruction(code, register, 0, Operand::Memory(memory), self.size());
    }

    /// `result = a`
    pub(crate) fn copy(&mut self, result: u8, a: u8) {
        self.instruction(packed(0x28), result, 0, Operand::Register(a), Size::All);
    }

    /// `result = a ^ b`, bit for bit of whole registers; so are all below.
    pub(crate) fn xor(&mut self, result: u8, a: u8, b: Operand) {
        self.instruction(packed(0x57), result, a, b, Size::All);
    }

    /// `result = a & b`
    pub(crate) fn and(&mut self, result: u8, a: u8, b: Operand) {
        self.instruction(packed(0x54), result, a, b, Size::All);
    }

    /// `result = a << by`, as integers.
    pub(crate) fn shift_left(&mut self, result: u8, a: u8, by: u8) {
        self.instruction(packed(0x73), 6, result, Operand::Register(a), Size::All);
        self.bytes.push(by);
    }

    /// `result = a >> by`, as integers with a sign; EVEX only.
    pub(crate) fn shift_right(&mut self, result: u8, a: u8, by: u8) {
        debug_assert!(self.evex);
        self.instruction(packed(0x72), 4, result, Operand::Register(a), Size::All);
        self.bytes.push(by);
    }

    /// `result = b` where the sign of `choice` is set, otherwise `a`; VEX only.
    pub(crate) fn choose(&mut self, result: u8, a: u8, b: u8, choice: u8) {
        debug_assert!(!self.evex);
        let code = Code { map: M0F3A, ..packed(0x4b) };
        self.instruction(code, result, a, Operand::Register(b), Size::All);
        self.bytes.push(choice << 4);
    }

    /// `a = table[a b c]` for each bit, with `a` the highest bit of the number in the table; EVEX
    /// only.
    pub(crate) fn by_bits(&mut self, a: u8, b: u8, c: Operand, table: u8) {
        debug_assert!(self.evex);
        let code = Code { map: M0F3A, ..packed(0x25) };
        self.instruction(code, a, b, c, Size::All);
        self.bytes.push(table);
    }

    /// `base = base + offset`
    pub(crate) fn advance(&mut self, base: Base, offset: i32) {
        let base = base as u8;
        self.bytes.extend_from_slice(&[0x48, 0x8d, 0x80 | base << 3 | base]);
        self.bytes.extend_from_slice(&offset.to_le_bytes());
    }

    /// Back to the caller, with the upper halves of the registers as it expects them.
    pub(crate) fn end(&mut self) {
        if self.length > 0 {
            self.bytes.extend_from_slice(&[0xc5, 0xf8, 0x77]);
        }
        self.bytes.push(0xc3);
    }

    fn instruction(&mut self, code: Code, reg: u8, second: u8, rm: Operand, size: Size) {
        if self.evex {
            self.evex(code, reg, second, rm, size);
        } else {
            self.vex(code, reg, second, rm, size);
        }
    }

    fn vex(&mut self, code: Code, reg: u8, second: u8, rm: Operand, size: Size) {
        let length = if size == Size::One { 0 } else { self.length };
        let high = matches!(rm, Operand::Register(rm) if rm >= 8);
        let not_r = u8::from(reg < 8) << 7;
        let last = (!second & 15) << 3 | length << 2 | code.prefix;
        if high || code.wide || code.map != M0F {
            let not_x_b = 1 << 6 | u8::from(!high) << 5;
            let wide = u8::from(code.wide) << 7;
            self.bytes.extend_from_slice(&[0xc4, not_r | not_x_b | code.map, wide | last]);
        } else {
            self.bytes.extend_from_slice(&[0xc5, not_r | last]);
        }
        self.bytes.push(code.opcode);
        self.operand(reg, rm, 1);
    }

    fn evex(&mut self, code: Code, reg: u8, second: u8, rm: Operand, size: Size) {
        let length = if size == Size::One { 0 } else { self.length };
        let not = |register: u8, bit: u8| !register >> bit & 1;
        let (not_x, not_b, broadcast) = match rm {
            Operand::Register(rm) => (not(rm, 4), not(rm, 3), false),
            Operand::Memory(memory) => (1, 1, memory.one_for_all && size == Size::All),
        };
        let unit = if size != Size::All || broadcast { 8 } else { 16 << length };
        self.bytes.extend_from_slice(&[
            0x62,
            not(reg, 3) << 7 | not_x << 6 | not_b << 5 | not(reg, 4) << 4 | code.map,
            1 << 7 | (!second & 15) << 3 | 1 << 2 | code.prefix,
            length << 5 | u8::from(broadcast) << 4 | not(second, 4) << 3,
            code.opcode,
        ]);
        self.operand(reg, rm, unit);
    }

    /// The last operand; offsets that are a multiple of `unit` may be short.
    fn operand(&mut self, reg: u8, rm: Operand, unit: i32) {
        let reg = (reg & 7) << 3;
        match rm {
            Operand::Register(rm) => self.bytes.push(0xc0 | reg | rm & 7),
            Operand::Memory(memory) => {
                let (base, offset) = (memory.base as u8, memory.offset);
                let short = i8::try_from(offset / unit).ok().filter(|_| offset % unit == 0);
                match short {
                    Some(0) => self.bytes.push(reg | base),
                    Some(short) => {
                        self.bytes.extend_from_slice(&[0x40 | reg | base, short.cast_unsigned()]);
                    }
                    None => {
                        self.bytes.push(0x80 | reg | base);
                        self.bytes.extend_from_slice(&offset.to_le_bytes());
                    }
                }
            }
        }
    }
}
