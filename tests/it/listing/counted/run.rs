//! What one thread does, with the bits that its registers have.

use super::super::executor::random::Random;
use super::generate::{Kernel, Line, Op, Test, Value};

#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    pub(super) parameters: [i64; 2],
    pub(super) threads: i64,
    pub(super) blocks: i64,
    pub(super) thread: i64,
    pub(super) block: i64,
}

struct Thread<'a> {
    bits: u32,
    registers: Vec<u64>,
    predicates: Vec<bool>,
    launch: &'a Launch,
}

/// The passes of each loop, by each time that the thread comes to it from outside, and whether the thread came to its end.
pub(super) fn passes(
    kernel: &Kernel,
    launch: &Launch,
    random: &mut Random,
    limit: usize,
) -> (Vec<Vec<u64>>, bool) {
    let registers = (0..32).map(|_| random.next()).collect();
    let predicates = (0..8).map(|_| random.one_in(2)).collect();
    let mut thread = Thread { bits: kernel.bits, registers, predicates, launch };
    let mut found: Vec<Vec<u64>> = vec![vec![]; kernel.loops];
    let place = |wanted: &Line| kernel.code.iter().position(|line| line == wanted).unwrap();
    let mut at = 0;
    for _ in 0..limit {
        let Some(line) = kernel.code.get(at) else { return (found, true) };
        at += 1;
        match line {
            Line::Result { guard, register, op, from } => {
                if thread.holds(*guard) {
                    thread.execute(*register, *op, from, random);
                }
            }
            Line::Compare { predicate, test } => thread.predicates[*predicate] = thread.test(test),
            Line::Enter(number) => found[*number].push(0),
            Line::Header(number) => *found[*number].last_mut().unwrap() += 1,
            Line::Label(_) => {}
            Line::Back { number, condition } if thread.holds(*condition) => {
                at = place(&Line::Header(*number))
            }
            Line::Jump { to, condition } if thread.holds(*condition) => at = place(&Line::Label(*to)),
            Line::Exit { condition } if thread.holds(*condition) => return (found, true),
            Line::Back { .. } | Line::Jump { .. } | Line::Exit { .. } => {}
        }
    }
    (found, false)
}

impl Thread<'_> {
    fn holds(&self, condition: Option<(usize, bool)>) -> bool {
        condition.is_none_or(|(predicate, wanted)| self.predicates[predicate] == wanted)
    }

    fn cut(&self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.bits))
    }

    fn signed(&self, value: u64) -> i64 {
        let up = 64 - self.bits;
        (value << up).cast_signed() >> up
    }

    fn value(&self, value: Value) -> u64 {
        let number = match value {
            Value::Register(register) => return self.cut(self.registers[register]),
            Value::Number(number) => number,
            Value::Parameter(which) => self.launch.parameters[which],
            Value::Threads => self.launch.threads,
            Value::Blocks => self.launch.blocks,
            Value::Thread => self.launch.thread,
            Value::Block => self.launch.block,
        };
        self.cut(number.cast_unsigned())
    }

    fn execute(&mut self, register: usize, op: Op, from: &[Value], random: &mut Random) {
        let value: Vec<u64> = from.iter().map(|&one| self.value(one)).collect();
        let pick = |signed: bool, thread: &Self, least: bool| {
            let first_is_less =
                if signed { thread.signed(value[0]) < thread.signed(value[1]) } else { value[0] < value[1] };
            if first_is_less == least { value[0] } else { value[1] }
        };
        let result = match op {
            Op::Move => value[0],
            Op::Add => value[0].wrapping_add(value[1]),
            Op::Subtract => value[0].wrapping_sub(value[1]),
            Op::Multiply => value[0].wrapping_mul(value[1]),
            Op::MultiplyAdd => value[0].wrapping_mul(value[1]).wrapping_add(value[2]),
            Op::ShiftLeft => value[0] << value[1],
            Op::ShiftRight(true) => (self.signed(value[0]) >> value[1]).cast_unsigned(),
            Op::ShiftRight(false) => value[0] >> value[1],
            Op::And => value[0] & value[1],
            Op::Least(signed) => pick(signed, self, true),
            Op::Most(signed) => pick(signed, self, false),
            Op::Select => value[usize::from(!self.predicates[7])],
            Op::Load | Op::LoadPair => {
                if op == Op::LoadPair {
                    self.registers[register + 1] = random.next();
                }
                if random.one_in(2) { u64::from(random.below(20)) } else { random.next() }
            }
        };
        self.registers[register] = self.cut(result);
    }

    fn test(&self, test: &Test) -> bool {
        let (left, right) = (self.value(test.left), self.value(test.right));
        let order = if test.signed { self.signed(left).cmp(&self.signed(right)) } else { left.cmp(&right) };
        let holds =
            [order.is_lt(), order.is_le(), order.is_gt(), order.is_ge(), order.is_eq(), order.is_ne()]
                [test.relation];
        match test.with {
            Some((other, true)) => holds && self.predicates[other],
            Some((other, false)) => holds || self.predicates[other],
            None => holds,
        }
    }
}
