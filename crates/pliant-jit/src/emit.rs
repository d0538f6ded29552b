//! Machine code of a tape: one instruction per step, operands from memory where they are there.

use crate::address::{Addresses, Area};
use crate::ahead::Ahead;
use crate::encode::{Assembler, Binary, Form, Fused, Memory, Operand};
use crate::options::{Instructions, Options, Width};
use crate::refused::Refused;
use crate::registers::Registers;
use crate::steps::{Kind, NONE, Step, Steps};
use crate::tape::{Op, Tape};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where a value is in memory.
#[derive(Clone, Copy, Debug)]
enum Home {
    Nowhere,
    Input(u32),
    Constant(u32),
    /// Among the outputs and, after them, the guards.
    End(u32),
    Slot(u32),
}

/// How often the code runs in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Once; the guards are in the arena.
    Once,
    /// For groups of lanes one after the other, as often as the fifth argument says. The guards of
    /// each are behind its outputs, and each asks for lines whose addresses are on the lists of the
    /// sixth argument.
    Groups,
}

/// Code, and what it needs.
#[derive(Debug)]
pub(crate) struct Emitted {
    pub(crate) bytes: Vec<u8>,
    /// The table that the last argument points to.
    pub(crate) constants: Vec<f64>,
    /// Numbers in the arena: guards, if they are there, then slots, each for all lanes.
    pub(crate) arena: usize,
}

/// The most numbers that the offsets of instructions are to reach.
const LARGEST: usize = 1 << 26;

struct Emitter<'a> {
    steps: &'a Steps,
    /// The place of each slot, if it is not its number.
    places: &'a [u32],
    /// How often each slot is written or read.
    uses: Vec<Cell<u32>>,
    assembler: Assembler,
    addresses: Addresses,
    instructions: Instructions,
    outputs: usize,
    /// How many guards are in the arena.
    guards: usize,
    registers: Registers,
    home: Vec<Home>,
    /// The first ones are the nearest.
    free_slots: BinaryHeap<Reverse<u32>>,
    /// The place of the present step.
    now: u32,
}

/// Machine code of a tape. It reads and writes nothing outside of the inputs, the outputs, the
/// arena and the table of constants; and of lists of lines no more than each group has.
pub(crate) fn emit(
    tape: &Tape,
    options: Options,
    repeats: Repeats,
    longest: usize,
) -> Result<Emitted, Refused> {
    let lanes = options.width.lanes();
    let ends = tape.outputs().len() + tape.guards().len();
    if tape.inputs().max(ends + tape.ops().len() + 2) > LARGEST / lanes {
        return Err(Refused::TooLong);
    }
    let steps = Steps::new(tape, options.fuse)?;
    let (emitted, uses) = emit_once(tape, options, repeats, longest, &steps, &[])?;
    if options.instructions == Instructions::Avx512 || options.width == Width::One {
        return Ok(emitted);
    }
    // Few slots are near, so those that are used most are to be.
    let mut slots: Vec<usize> = (0..uses.len()).collect();
    slots.sort_by_key(|&slot| Reverse(uses[slot].get()));
    let mut places = vec![0; slots.len()];
    for (place, slot) in slots.into_iter().enumerate() {
        places[slot] = place as u32;
    }
    Ok(emit_once(tape, options, repeats, longest, &steps, &places)?.0)
}

/// Machine code with slots at these places, and how often each slot is used.
fn emit_once(
    tape: &Tape,
    options: Options,
    repeats: Repeats,
    longest: usize,
    steps: &Steps,
    places: &[u32],
) -> Result<(Emitted, Vec<Cell<u32>>), Refused> {
    let (home, constants) = homes(tape, options);
    let registers = match options.instructions {
        Instructions::Avx2 => 16,
        Instructions::Avx512 => 32,
    };
    let mut emitter = Emitter {
        steps,
        places,
        uses: Vec::new(),
        assembler: Assembler::new(options, steps.list.len() * 10 + 64),
        addresses: Addresses::new(options),
        instructions: options.instructions,
        outputs: tape.outputs().len(),
        guards: match repeats {
            Repeats::Once => tape.guards().len(),
            Repeats::Groups => 0,
        },
        registers: Registers::new(registers, home.len()),
        home,
        free_slots: BinaryHeap::new(),
        now: 0,
    };
    let ahead = (repeats == Repeats::Groups).then(|| Ahead::of(tape, options.width.lanes()));
    if let Some(ahead) = ahead {
        emitter.assembler.begin_groups(ahead);
    }
    emitter.addresses.begin(&mut emitter.assembler);
    let start = emitter.assembler.bytes.len();
    emitter.copy_given(tape, longest)?;
    let mut asked = 0;
    for (now, step) in steps.list.iter().enumerate() {
        emitter.now = now as u32;
        if let Some(ahead) = ahead {
            let due = (now + 1) * ahead.lines() / steps.list.len();
            (asked..due).for_each(|line| emitter.assembler.ask(line, ahead.writes));
            asked = due;
        }
        emitter.step(step);
        emitter.check_length(longest)?;
    }
    if let Some(ahead) = ahead {
        emitter.addresses.move_on(&mut emitter.assembler, tape);
        emitter.assembler.end_groups(start, ahead);
    }
    emitter.assembler.end();
    emitter.check_length(longest)?;
    let arena = (emitter.guards + emitter.uses.len()) * options.width.lanes();
    Ok((Emitted { bytes: emitter.assembler.bytes, constants, arena }, emitter.uses))
}

/// How many numbers of the table one constant takes.
fn stride(options: Options) -> usize {
    match options.instructions {
        Instructions::Avx2 => options.width.lanes(),
        Instructions::Avx512 => 1,
    }
}

/// Where the inputs and constants are, and the table of constants: the sign bit, the constants of
/// the tape, one.
fn homes(tape: &Tape, options: Options) -> (Vec<Home>, Vec<f64>) {
    let stride = stride(options);
    let mut home = Vec::with_capacity(tape.ops().len() + 1);
    // Operations on bits read 16 bytes at least.
    let mut table = vec![-0.0; stride.max(2)];
    for op in tape.ops().iter().chain([&Op::Constant(1.0)]) {
        home.push(match *op {
            Op::Input(number) => Home::Input(number),
            Op::Constant(value) => {
                let at = table.len() as u32;
                table.resize(table.len() + stride, value);
                Home::Constant(at)
            }
            _ => Home::Nowhere,
        });
    }
    (home, table)
}

impl Emitter<'_> {
    fn check_length(&self, longest: usize) -> Result<(), Refused> {
        if self.assembler.bytes.len() > longest { Err(Refused::TooLong) } else { Ok(()) }
    }

    /// Copies inputs and constants that are outputs or guards.
    fn copy_given(&mut self, tape: &Tape, longest: usize) -> Result<(), Refused> {
        for value in 0..tape.ops().len() as u32 {
            if self.steps.end[value as usize] != NONE
                && !matches!(self.home[value as usize], Home::Nowhere)
            {
                self.assembler.load(0, self.memory(value));
                self.store_ends(value, 0);
                self.check_length(longest)?;
            }
        }
        Ok(())
    }

    fn sign_bit(&self) -> Operand {
        Operand::Memory(self.addresses.at(Area::Constants, 0))
    }

    fn end_at(&self, end: u32) -> Memory {
        let end = end as usize;
        match end.checked_sub(self.outputs) {
            Some(guard) if self.guards > 0 => self.addresses.at(Area::Arena, guard),
            _ => self.addresses.at(Area::Outputs, end),
        }
    }

    fn slot_at(&self, slot: u32) -> Memory {
        let uses = &self.uses[slot as usize];
        uses.set(uses.get() + 1);
        let place = *self.places.get(slot as usize).unwrap_or(&slot);
        self.addresses.at(Area::Arena, self.guards + place as usize)
    }

    fn memory(&self, value: u32) -> Memory {
        match self.home[value as usize] {
            Home::Input(number) => self.addresses.at(Area::Inputs, number as usize),
            Home::Constant(at) => self.addresses.at(Area::Constants, at as usize),
            Home::End(end) => self.end_at(end),
            Home::Slot(slot) => self.slot_at(slot),
            Home::Nowhere => unreachable!("a value that is in no register is in memory"),
        }
    }

    fn operand(&self, value: u32) -> Operand {
        match self.registers.of(value) {
            Some(register) => Operand::Register(register),
            None => Operand::Memory(self.memory(value)),
        }
    }

    /// An empty register; the value it held is stored, if it is not in memory already.
    fn take(&mut self) -> u8 {
        if let Some(register) = self.registers.empty() {
            return register;
        }
        let home = &self.home;
        let is_stored = |value: u32| !matches!(home[value as usize], Home::Nowhere);
        let (register, value) = self.registers.victim(self.now, is_stored);
        if !is_stored(value) {
            let Reverse(slot) = self.free_slots.pop().unwrap_or_else(|| {
                self.uses.push(Cell::new(0));
                Reverse(self.uses.len() as u32 - 1)
            });
            self.home[value as usize] = Home::Slot(slot);
            self.assembler.store(self.slot_at(slot), register);
        }
        self.registers.drop(value);
        register
    }

    /// The register of a value, loaded if it is in none, and pinned.
    fn in_register(&mut self, value: u32) -> u8 {
        let register = self.registers.of(value).unwrap_or_else(|| {
            let register = self.take();
            self.assembler.load(register, self.memory(value));
            self.registers.put(register, value, self.now);
            register
        });
        self.registers.pin(register);
        register
    }

    /// Empties the registers of arguments that are not used again.
    fn release(&mut self, step: &Step) {
        for k in 0..step.count {
            if step.after[k] == NONE {
                self.registers.drop(step.arguments[k]);
            } else {
                self.registers.set_next(step.arguments[k], step.after[k]);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        for &argument in &step.arguments[..step.count] {
            if let Some(register) = self.registers.of(argument) {
                self.registers.pin(register);
            }
        }
        let result = match step.kind {
            Kind::Add => self.binary(step, Binary::Add),
            Kind::Sub => self.binary(step, Binary::Sub),
            Kind::Mul => self.binary(step, Binary::Mul),
            Kind::Div => self.binary(step, Binary::Div),
            Kind::Neg => {
                let a = self.in_register(step.arguments[0]);
                let result = self.result(step);
                self.assembler.xor(result, a, self.sign_bit());
                result
            }
            Kind::Sqrt => {
                let a = self.in_register(step.arguments[0]);
                let result = self.result(step);
                self.assembler.square_root(result, a);
                result
            }
            Kind::Turn(ahead) => self.turn(step, ahead),
            Kind::MulAdd => self.fused(step, Fused::MulAdd),
            Kind::MulSub => self.fused(step, Fused::MulSub),
            Kind::SubMul => self.fused(step, Fused::SubMul),
        };
        self.registers.unpin();
        self.store_ends(step.result, result);
        if step.first != NONE {
            self.registers.put(result, step.result, step.first);
        }
        // Only now: what was stored during this step must not take the place of an argument.
        for k in 0..step.count {
            let home = &mut self.home[step.arguments[k] as usize];
            if let (NONE, Home::Slot(slot)) = (step.after[k], *home) {
                self.free_slots.push(Reverse(slot));
                *home = Home::Nowhere;
            }
        }
    }

    /// A register for the result of an instruction that reads all arguments before it writes.
    fn result(&mut self, step: &Step) -> u8 {
        self.registers.unpin();
        self.release(step);
        self.take()
    }

    fn store_ends(&mut self, value: u32, register: u8) {
        for end in self.steps.ends(value) {
            self.assembler.store(self.end_at(end), register);
            if matches!(self.home[value as usize], Home::Nowhere) {
                self.home[value as usize] = Home::End(end);
            }
        }
    }

    fn binary(&mut self, step: &Step, op: Binary) -> u8 {
        let [mut a, mut b, _] = step.arguments;
        if matches!(op, Binary::Add | Binary::Mul) {
            let swap = match (self.registers.of(a), self.registers.of(b)) {
                (None, Some(_)) => true,
                // The one that is loaded is there for its next use.
                (None, None) => step.after[1] < step.after[0],
                _ => false,
            };
            if swap {
                (a, b) = (b, a);
            }
        }
        let a = self.in_register(a);
        let b = self.operand(b);
        let result = self.result(step);
        self.assembler.binary(op, result, a, b);
        result
    }

    fn turn(&mut self, step: &Step, ahead: bool) -> u8 {
        let [quadrant, even, odd] = step.arguments.map(|value| self.in_register(value));
        let result = self.take();
        self.registers.pin(result);
        let sign = self.take();
        let asm = &mut self.assembler;
        asm.shift_left(result, quadrant, 63);
        asm.shift_left(sign, quadrant, 62);
        if ahead {
            asm.xor(sign, sign, Operand::Register(result));
        }
        let sign_bit = self.sign_bit();
        let asm = &mut self.assembler;
        match self.instructions {
            Instructions::Avx2 => {
                asm.choose(result, even, odd, result);
                asm.and(sign, sign, sign_bit);
                asm.xor(result, result, Operand::Register(sign));
            }
            Instructions::Avx512 => {
                asm.shift_right(result, result, 63);
                // a ? b : c
                asm.by_bits(result, odd, Operand::Register(even), 0xca);
                // a ^ (b & c)
                asm.by_bits(result, sign, sign_bit, 0x78);
            }
        }
        self.release(step);
        result
    }

    /// `a b ± c` or `c - a b` in the register of an argument that is not used again, or in a copy.
    fn fused(&mut self, step: &Step, op: Fused) -> u8 {
        let [mut a, mut b, c] = step.arguments;
        let ends = |k: usize| step.after[k] == NONE;
        let is_held = |value: u32| self.registers.of(value).is_some();
        // The first factor is the one to overwrite, or else the one to have in a register.
        if is_held(b) && (!is_held(a) || ends(1) && !ends(0)) {
            (a, b) = (b, a);
        }
        let a_ends = if a == step.arguments[0] { ends(0) } else { ends(1) };
        let [a_held, b_held, c_held] = [a, b, c].map(is_held);
        let (form, first, second, third);
        if c_held && ends(2) {
            (form, first) = (Form::F231, self.in_register(c));
            (second, third) = (self.in_register(a), self.operand(b));
        } else if a_held && a_ends {
            first = self.in_register(a);
            if c_held {
                (form, second, third) = (Form::F132, self.in_register(c), self.operand(b));
            } else {
                (form, second, third) = (Form::F213, self.in_register(b), self.operand(c));
            }
        } else if c_held && !b_held {
            second = self.in_register(c);
            third = self.operand(a);
            (form, first) = (Form::F132, self.copied(b));
        } else {
            second = self.in_register(a);
            third = self.operand(b);
            (form, first) = (Form::F231, self.copied(c));
        }
        self.assembler.fused(op, form, first, second, third);
        self.release(step);
        first
    }

    /// A copy of a value in a register of its own.
    fn copied(&mut self, value: u32) -> u8 {
        let from = self.operand(value);
        let register = self.take();
        match from {
            Operand::Register(from) => self.assembler.copy(register, from),
            Operand::Memory(from) => self.assembler.load(register, from),
        }
        register
    }
}
