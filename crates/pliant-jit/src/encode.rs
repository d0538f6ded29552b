//! Instructions of x86-64 on vectors of doubles as bytes: VEX with 16 registers, EVEX with 32.

use crate::ahead::Ahead;
use crate::options::{Instructions, Options, Width};

/// Numbers in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// The register with the address: not 4, 5, 12 or 13, which are other forms.
    pub(crate) base: u8,
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
    vex: Vex,
}

/// The form of VEX; bit W of EVEX is always set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vex {
    /// Bit W is clear, or has no meaning.
    W0,
    W1,
    /// There is only EVEX.
    None,
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
    Code { prefix: P66, map: M0F, opcode, vex: Vex::W0 }
}

/// Registers of addresses that code for groups has besides those of [`Memory`].
const RBX: u8 = 3;
const RBP: u8 = 5;

/// Of numbers that the emitter keeps small.
pub(crate) fn offset(bytes: usize) -> i32 {
    (bytes as u32).cast_signed()
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
            Operand::Register(b) if matches!(op, Binary::Add | Binary::Mul) && b >= 8 && a < 8 => {
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
        let code = Code { prefix: P66, map: M0F38, opcode, vex: Vex::W1 };
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
        let code = Code { vex: Vex::None, ..packed(0x72) };
        self.instruction(code, 4, result, Operand::Register(a), Size::All);
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
        let code = Code { map: M0F3A, vex: Vex::None, ..packed(0x25) };
        self.instruction(code, a, b, c, Size::All);
        self.bytes.push(table);
    }

    /// `result = base + offset`, of addresses.
    pub(crate) fn address(&mut self, result: u8, base: u8, offset: i32) {
        let prefix = 0x48 | u8::from(result >= 8) << 2 | u8::from(base >= 8);
        self.bytes.extend_from_slice(&[prefix, 0x8d, 0x80 | (result & 7) << 3 | base & 7]);
        self.bytes.extend_from_slice(&offset.to_le_bytes());
    }

    /// The start of what is done for one group after the other: keeps the registers of the caller and
    /// the number of groups, and has the lists of lines that are written and read in `rbp` and `rbx`.
    pub(crate) fn begin_groups(&mut self, ahead: Ahead) {
        // push rbx; push rbp; push r14; push r8; mov rbp, r9
        self.bytes.extend_from_slice(&[0x53, 0x55, 0x41, 0x56, 0x41, 0x50, 0x4c, 0x89, 0xcd]);
        self.address(RBX, RBP, offset(8 * ahead.first_read()));
    }

    /// Asks for a line of a group, to be written or to be read.
    pub(crate) fn ask(&mut self, line: usize, writes: usize) {
        let (list, at) = if line < writes { (RBP, line) } else { (RBX, line - writes) };
        // mov r14, [list + offset]
        self.bytes.extend_from_slice(&[0x4c, 0x8b, 0xb0 | list]);
        self.bytes.extend_from_slice(&offset(8 * at).to_le_bytes());
        // prefetchw [r14] or prefetcht0 [r14]
        let how = if list == RBP { 0x0d } else { 0x18 };
        self.bytes.extend_from_slice(&[0x41, 0x0f, how, 0x0e]);
    }

    /// Goes back to the start until all groups are done.
    pub(crate) fn end_groups(&mut self, start: usize, ahead: Ahead) {
        self.address(RBP, RBP, offset(8 * ahead.writes));
        self.address(RBX, RBX, offset(8 * ahead.reads));
        // dec qword [rsp]; jnz start
        self.bytes.extend_from_slice(&[0x48, 0xff, 0x0c, 0x24, 0x0f, 0x85]);
        let back = (start as u32).wrapping_sub(self.bytes.len() as u32 + 4);
        self.bytes.extend_from_slice(&back.to_le_bytes());
        // pop r8; pop r14; pop rbp; pop rbx
        self.bytes.extend_from_slice(&[0x41, 0x58, 0x41, 0x5e, 0x5d, 0x5b]);
    }

    /// Back to the caller, with the upper halves of the registers as it expects them.
    pub(crate) fn end(&mut self) {
        if self.length > 0 {
            self.bytes.extend_from_slice(&[0xc5, 0xf8, 0x77]);
        }
        self.bytes.push(0xc3);
    }

    /// Whether an instruction has a form of VEX, and the one of EVEX is not shorter.
    fn has_vex(&self, code: Code, reg: u8, second: u8, rm: Operand, unit: i32) -> bool {
        let low = match rm {
            Operand::Register(rm) => rm < 16,
            Operand::Memory(memory) if memory.one_for_all && !self.scalar => false,
            Operand::Memory(memory) => {
                short(memory.offset, 1).is_some() || short(memory.offset, unit).is_none()
            }
        };
        low && reg < 16 && second < 16 && self.length < 2 && code.vex != Vex::None
    }

    fn instruction(&mut self, code: Code, reg: u8, second: u8, rm: Operand, size: Size) {
        let length = if size == Size::One { 0 } else { self.length };
        let broadcast = matches!(rm, Operand::Memory(memory) if memory.one_for_all);
        let broadcast = broadcast && size == Size::All;
        let unit = if size != Size::All || broadcast { 8 } else { 16 << length };
        if !self.evex || self.has_vex(code, reg, second, rm, unit) {
            self.vex(code, length, reg, second, rm);
            self.operand(reg, rm, 1);
        } else {
            self.evex(code, length, broadcast, [reg, second], rm);
            self.operand(reg, rm, unit);
        }
    }

    fn vex(&mut self, code: Code, length: u8, reg: u8, second: u8, rm: Operand) {
        let (Operand::Register(rm) | Operand::Memory(Memory { base: rm, .. })) = rm;
        let not_r = u8::from(reg < 8) << 7;
        let last = (!second & 15) << 3 | length << 2 | code.prefix;
        if rm >= 8 || code.vex == Vex::W1 || code.map != M0F {
            let not_x_b = 1 << 6 | u8::from(rm < 8) << 5;
            let wide = u8::from(code.vex == Vex::W1) << 7;
            self.bytes.extend_from_slice(&[0xc4, not_r | not_x_b | code.map, wide | last]);
        } else {
            self.bytes.extend_from_slice(&[0xc5, not_r | last]);
        }
        self.bytes.push(code.opcode);
    }

    fn evex(&mut self, code: Code, length: u8, broadcast: bool, registers: [u8; 2], rm: Operand) {
        let [reg, second] = registers;
        let not = |register: u8, bit: u8| !register >> bit & 1;
        let (Operand::Register(rm) | Operand::Memory(Memory { base: rm, .. })) = rm;
        self.bytes.extend_from_slice(&[
            0x62,
            not(reg, 3) << 7 | not(rm, 4) << 6 | not(rm, 3) << 5 | not(reg, 4) << 4 | code.map,
            1 << 7 | (!second & 15) << 3 | 1 << 2 | code.prefix,
            length << 5 | u8::from(broadcast) << 4 | not(second, 4) << 3,
            code.opcode,
        ]);
    }

    /// The last operand; offsets that are a multiple of `unit` may be short.
    fn operand(&mut self, reg: u8, rm: Operand, unit: i32) {
        let reg = (reg & 7) << 3;
        match rm {
            Operand::Register(rm) => self.bytes.push(0xc0 | reg | rm & 7),
            Operand::Memory(Memory { base, offset, .. }) => {
                let rest = reg | base & 7;
                match short(offset, unit) {
                    Some(0) => self.bytes.push(rest),
                    Some(short) => {
                        self.bytes.extend_from_slice(&[0x40 | rest, short.cast_unsigned()]);
                    }
                    None => {
                        self.bytes.push(0x80 | rest);
                        self.bytes.extend_from_slice(&offset.to_le_bytes());
                    }
                }
            }
        }
    }
}

/// An offset in units, if it has one byte then.
fn short(offset: i32, unit: i32) -> Option<i8> {
    i8::try_from(offset / unit).ok().filter(|_| offset % unit == 0)
}
