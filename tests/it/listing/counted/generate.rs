//! Random kernels with loops that count, in a form that both languages can write.

use super::super::executor::random::Random;

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Register(usize),
    Number(i64),
    /// A parameter, by its place.
    Parameter(usize),
    Threads,
    Blocks,
    Thread,
    Block,
}

/// How an instruction makes its result of its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Move,
    Add,
    Subtract,
    Multiply,
    /// The product of the first two, plus the third.
    MultiplyAdd,
    ShiftLeft,
    ShiftRight(bool),
    And,
    Least(bool),
    Most(bool),
    /// The first operand where predicate 7 is true, else the second.
    Select,
    /// What memory holds, which may be anything.
    Load,
    /// The same, in this register and the one behind it.
    LoadPair,
}

/// A comparison: less, less or equal, greater, greater or equal, equal, not equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) relation: usize,
    pub(super) signed: bool,
    pub(super) left: Value,
    pub(super) right: Value,
    /// Another predicate, and whether both must hold.
    pub(super) with: Option<(usize, bool)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// What a predicate guards, or everything.
    Result {
        guard: Option<(usize, bool)>,
        register: usize,
        op: Op,
        from: Vec<Value>,
    },
    Compare {
        predicate: usize,
        test: Test,
    },
    /// Threads come to a loop from outside.
    Enter(usize),
    /// The header of a loop.
    Header(usize),
    Label(usize),
    /// To the header of a loop.
    Back {
        number: usize,
        condition: Option<(usize, bool)>,
    },
    /// To a label.
    Jump {
        to: usize,
        condition: Option<(usize, bool)>,
    },
    Exit {
        condition: Option<(usize, bool)>,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Kernel {
    pub(super) bits: u32,
    pub(super) code: Vec<Line>,
    pub(super) loops: usize,
    /// Whether nothing but its own test leaves a loop.
    pub(super) single_exit: Vec<bool>,
}

impl Kernel {
    /// Removes a line that the others do not need; false if they do.
    pub(super) fn remove(&mut self, at: usize) -> bool {
        let goes = matches!(self.code[at], Line::Result { .. } | Line::Exit { condition: Some(_) })
            || matches!(self.code[at], Line::Jump { condition: Some(_), .. });
        if goes {
            self.code.remove(at);
        }
        goes
    }
}

/// The registers of loops, and the number of others.
const OTHERS: usize = 4;
/// The predicate that is a flag; loops have those below it.
const FLAG: usize = 4;

struct Maker<'a> {
    random: &'a mut Random,
    kernel: Kernel,
    labels: usize,
}

/// A kernel with one to three loops.
pub(super) fn kernel(random: &mut Random, bits: u32) -> Kernel {
    let kernel = Kernel { bits, code: vec![], loops: 0, single_exit: vec![] };
    let mut maker = Maker { random, kernel, labels: 0 };
    for register in 0..OTHERS {
        maker.start(register);
    }
    if maker.random.one_in(6) {
        maker.unrolled();
    }
    maker.a_loop(0);
    if maker.random.one_in(3) {
        maker.a_loop(0);
    }
    maker.kernel.code.push(Line::Exit { condition: None });
    maker.kernel
}

impl Maker<'_> {
    fn result(&mut self, register: usize, op: Op, from: Vec<Value>) {
        self.kernel.code.push(Line::Result { guard: None, register, op, from });
    }

    fn small(&mut self) -> i64 {
        let small = i64::from(self.random.below(14)) - 3;
        let top = 1_i64 << (self.kernel.bits - 2);
        match self.random.below(24) {
            0 => 2 * (top - 1) + 1 - small.abs(),
            1 => -2 * top + small.abs(),
            2 => i64::from(self.random.below(2000)),
            // Beside the end of the lower word.
            3 if self.kernel.bits == 64 => (1 << 32) - small,
            _ => small,
        }
    }

    fn launched(&mut self) -> Value {
        match self.random.below(8) {
            0 => Value::Threads,
            1 => Value::Blocks,
            2 => Value::Thread,
            3 => Value::Block,
            4 => Value::Parameter(1),
            5 => Value::Number(self.small()),
            _ => Value::Parameter(0),
        }
    }

    /// A register that loops may start from or be limited by.
    fn start(&mut self, register: usize) {
        let from = self.launched();
        self.result(register, Op::Move, vec![from]);
        for _ in 0..self.random.below(3) {
            self.arithmetic(register);
        }
    }

    fn any(&mut self) -> Value {
        match self.random.below(5) {
            0 => Value::Number(self.small()),
            1 => self.launched(),
            _ => Value::Register(self.random.index(OTHERS)),
        }
    }

    fn arithmetic(&mut self, register: usize) {
        let own = Value::Register(register);
        let other = self.any();
        let power = Value::Number(i64::from(self.random.below(5)));
        let signed = self.random.one_in(2);
        let mask = *self.random.pick(&[3, 7, 15, -4, -2, -8, 0x7ffc]);
        match self.random.below(12) {
            0 => self.result(register, Op::Subtract, vec![own, other]),
            1 => self.result(register, Op::Subtract, vec![other, own]),
            2 => self.result(register, Op::Multiply, vec![own, power]),
            3 => self.result(register, Op::ShiftLeft, vec![own, power]),
            4 => self.result(register, Op::ShiftRight(signed), vec![own, power]),
            5 | 6 => self.result(register, Op::And, vec![own, Value::Number(mask)]),
            7 => self.result(register, Op::Least(signed), vec![own, other]),
            8 => self.result(register, Op::Most(signed), vec![own, other]),
            9 => {
                let more = self.any();
                self.result(register, Op::MultiplyAdd, vec![own, other, more]);
            }
            _ => self.result(register, Op::Add, vec![own, other]),
        }
    }

    /// A comparison of a register with a number or another one.
    fn test(&mut self, left: Value, right: Value) -> Test {
        let (left, right) = if self.random.one_in(5) { (right, left) } else { (left, right) };
        let with = self.random.one_in(6).then(|| (7, self.random.one_in(2)));
        Test { relation: self.random.index(6), signed: !self.random.one_in(3), left, right, with }
    }

    fn condition(&mut self, predicate: usize) -> Option<(usize, bool)> {
        Some((predicate, self.random.one_in(2)))
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn a_loop(&mut self, depth: usize) {
        let number = self.kernel.loops;
        self.kernel.loops += 1;
        self.kernel.single_exit.push(true);
        // Each loop has a counter, a copy of it and a predicate.
        let (counter, copy) = (OTHERS + 2 * number, OTHERS + 2 * number + 1);
        let predicate = number.min(FLAG - 1);
        let start = self.any();
        self.result(counter, Op::Move, vec![start]);
        let limit = self.any();
        let out = self.label();
        if self.random.one_in(10) {
            self.diamond(counter, out);
        }
        // Often the loop is gone around where its test would fail at once.
        let usual = self.usual(counter, limit);
        if self.random.one_in(3) {
            let mut test = usual.0;
            test.left = Value::Register(counter);
            self.kernel.code.push(Line::Compare { predicate, test });
            self.kernel.code.push(Line::Jump { to: out, condition: Some((predicate, false)) });
        }
        self.kernel.code.push(Line::Enter(number));
        self.kernel.code.push(Line::Header(number));
        let usually = !self.random.one_in(4);
        let (test, step) = usual;
        let test = if usually { test } else { self.test(Value::Register(counter), limit) };
        let first = self.random.one_in(3);
        // The truth for which the loop goes on.
        let goes = if usually { true } else { self.random.one_in(2) };
        if first {
            self.kernel.code.push(Line::Compare { predicate, test });
            self.kernel.code.push(Line::Jump { to: out, condition: Some((predicate, !goes)) });
        }
        self.extra(number, counter, out);
        if depth < 2 && self.random.one_in(4) && self.kernel.loops < 4 {
            self.a_loop(depth + 1);
        }
        let before = self.random.one_in(6) && !first;
        if before {
            self.kernel.code.push(Line::Compare { predicate, test });
        }
        self.update(counter, copy, step);
        if !first && !before {
            let tested = if self.random.one_in(8) { copy } else { counter };
            let mut test = test;
            if test.left == Value::Register(counter) {
                test.left = Value::Register(tested);
            }
            self.kernel.code.push(Line::Compare { predicate, test });
        }
        let condition = if first { None } else { Some((predicate, goes)) };
        self.kernel.code.push(Line::Back { number, condition });
        self.kernel.code.push(Line::Label(out));
        if self.random.one_in(3) {
            let register = self.random_other();
            self.arithmetic(register);
        }
    }

    /// What compilers make of a loop whose number of passes they do not know: passes of several at once, then half as many, and
    /// the rest in a loop behind a flag that says whether there were any before. Some such kernels are a little off.
    fn unrolled(&mut self) {
        let number = self.kernel.loops;
        self.kernel.loops += 2;
        self.kernel.single_exit.extend([true, true]);
        let counter = OTHERS + 2 * number;
        let [half, rest, out] = [0; 3].map(|_| self.label());
        let start = self.any();
        self.result(counter, Op::Move, vec![start]);
        let own = Value::Register(counter);
        match self.random.below(8) {
            0 => {}
            1..4 => self.result(counter, Op::And, vec![own, Value::Number(-4)]),
            _ => {
                // The number without its remainder.
                self.result(counter + 1, Op::And, vec![own, Value::Number(3)]);
                if self.random.one_in(16) {
                    self.less(counter, 1);
                }
                self.result(counter, Op::Subtract, vec![own, Value::Register(counter + 1)]);
            }
        }
        if !self.random.one_in(6) {
            self.ask(0, 2, counter, 0);
            self.kernel.code.push(Line::Jump { to: out, condition: Some((0, false)) });
        }
        self.flag(true);
        self.ask(0, 2, counter, 12);
        self.kernel.code.push(Line::Jump { to: half, condition: Some((0, false)) });
        self.flag(false);
        self.kernel.code.extend([Line::Enter(number), Line::Header(number)]);
        self.less(counter, 16);
        self.ask(0, 2, counter, 12);
        self.kernel.code.push(Line::Back { number, condition: Some((0, true)) });
        self.kernel.code.push(Line::Label(half));
        self.ask(0, 2, counter, 4);
        self.kernel.code.push(Line::Jump { to: rest, condition: Some((0, false)) });
        self.less(counter, 8);
        self.flag(false);
        self.kernel.code.push(Line::Label(rest));
        let (left, right) = (Value::Register(counter), Value::Number(0));
        let test = Test { relation: 5, signed: true, left, right, with: Some((FLAG, false)) };
        self.kernel.code.push(Line::Compare { predicate: 0, test });
        self.kernel.code.push(Line::Jump { to: out, condition: Some((0, false)) });
        self.kernel.code.extend([Line::Enter(number + 1), Line::Header(number + 1)]);
        self.less(counter, 4);
        self.ask(1, 5, counter, 0);
        self.kernel.code.push(Line::Back { number: number + 1, condition: Some((1, true)) });
        self.kernel.code.push(Line::Label(out));
    }

    /// Two ways, one of which changes a register, and a flag that says which of them a thread came on; then what a compiler asks of
    /// both.
    fn diamond(&mut self, counter: usize, out: usize) {
        let (skip, first) = (self.label(), self.random.one_in(2));
        self.flag(first);
        let (left, right) = (Value::Register(self.random_other()), self.any());
        let test = Test { with: None, ..self.test(left, right) };
        self.kernel.code.push(Line::Compare { predicate: 3, test });
        let condition = self.condition(3);
        self.kernel.code.push(Line::Jump { to: skip, condition });
        match self.random.below(3) {
            0 => self.arithmetic(counter),
            _ => {
                let from = self.launched();
                self.result(counter, Op::Move, vec![from]);
            }
        }
        self.flag(!first);
        self.kernel.code.push(Line::Label(skip));
        let (left, right) = (Value::Register(counter), Value::Number(self.small()));
        let with = Some((FLAG, self.random.one_in(4)));
        let test = Test { relation: self.random.index(6), signed: true, left, right, with };
        self.kernel.code.push(Line::Compare { predicate: 3, test });
        self.kernel.code.push(Line::Jump { to: out, condition: Some((3, false)) });
    }

    /// A number, or rarely one beside it.
    fn near(&mut self, number: i64) -> i64 {
        if self.random.one_in(24) { number + i64::from(self.random.below(9)) - 4 } else { number }
    }

    fn less(&mut self, counter: usize, by: i64) {
        let by = self.near(by);
        self.result(counter, Op::Add, vec![Value::Register(counter), Value::Number(-by)]);
    }

    fn ask(&mut self, predicate: usize, relation: usize, counter: usize, number: i64) {
        let (left, right) = (Value::Register(counter), Value::Number(self.near(number)));
        let test = Test { relation, signed: true, left, right, with: None };
        self.kernel.code.push(Line::Compare { predicate, test });
    }

    /// Sets the flag, or rarely forgets to.
    fn flag(&mut self, to: bool) {
        let (relation, zero) = (if to { 4 } else { 5 }, Value::Number(0));
        let test = Test { relation, signed: true, left: zero, right: zero, with: None };
        if !self.random.one_in(24) {
            self.kernel.code.push(Line::Compare { predicate: FLAG, test });
        }
    }

    fn random_other(&mut self) -> usize {
        self.random.index(OTHERS)
    }

    /// A test that a counter is likely to fail at some time, and its step.
    fn usual(&mut self, counter: usize, limit: Value) -> (Test, (Op, Value)) {
        let left = Value::Register(counter);
        let step = match self.random.below(6) {
            0 => Value::Threads,
            1 => Value::Register(self.random.index(OTHERS)),
            2 => Value::Number(i64::from(self.random.below(6)) + 1),
            3 => Value::Number(4),
            _ => Value::Number(1),
        };
        let signed = !self.random.one_in(3);
        let test = |relation, right| Test { relation, signed, left, right, with: None };
        match self.random.below(8) {
            0 => (test([0, 1][self.random.index(2)], limit), (Op::ShiftLeft, Value::Number(1))),
            1 => (
                test([2, 3, 5][self.random.index(3)], Value::Number(0)),
                (Op::ShiftRight(signed), Value::Number(1)),
            ),
            2 => (test(5, limit), (Op::Add, step)),
            3 => (test(5, Value::Number(0)), (Op::Subtract, step)),
            4 => (test([2, 3][self.random.index(2)], limit), (Op::Subtract, step)),
            5 => (test([0, 1][self.random.index(2)], limit), (Op::Multiply, Value::Number(3))),
            _ => (test([0, 1][self.random.index(2)], limit), (Op::Add, step)),
        }
    }

    /// How the counter goes on.
    fn update(&mut self, counter: usize, copy: usize, (op, step): (Op, Value)) {
        let own = Value::Register(counter);
        match self.random.below(10) {
            0 => {
                self.result(copy, op, vec![own, step]);
                self.result(counter, Op::Move, vec![Value::Register(copy)]);
            }
            1 => {
                self.result(copy, Op::Move, vec![own]);
                self.result(counter, op, vec![Value::Register(copy), step]);
            }
            2 => {
                let guard = self.condition(7);
                self.kernel.code.push(Line::Result { guard, register: counter, op, from: vec![own, step] });
            }
            3 => {
                self.result(counter, op, vec![own, step]);
                self.result(counter, Op::Add, vec![own, Value::Number(1)]);
            }
            4 => {
                self.result(copy, op, vec![own, step]);
                self.result(counter, Op::Add, vec![Value::Register(copy), Value::Number(0)]);
                self.result(copy, Op::Add, vec![own, Value::Number(2)]);
            }
            _ => self.result(counter, op, vec![own, step]),
        }
    }

    /// Something that may get in the way.
    fn extra(&mut self, number: usize, counter: usize, out: usize) {
        match self.random.below(16) {
            0 => {
                let guard = self.condition(7);
                let from = vec![Value::Number(0)];
                self.kernel.code.push(Line::Result { guard, register: counter, op: Op::Move, from });
            }
            1 => {
                let condition = self.condition(7);
                self.kernel.code.push(Line::Jump { to: out, condition });
                self.kernel.single_exit[number] = false;
            }
            2 => {
                let condition = self.condition(7);
                self.kernel.code.push(Line::Exit { condition });
                self.kernel.single_exit.iter_mut().for_each(|single| *single = false);
            }
            3 => self.result(counter, Op::Load, vec![]),
            4 => self.result(counter - 1, Op::LoadPair, vec![]),
            5 => {
                let skip = self.label();
                let condition = self.condition(7);
                self.kernel.code.push(Line::Jump { to: skip, condition });
                let register = if self.random.one_in(2) { counter } else { self.random_other() };
                self.arithmetic(register);
                self.kernel.code.push(Line::Label(skip));
            }
            6 => {
                let (left, right) = (Value::Register(self.random_other()), self.any());
                let test = Test { with: None, ..self.test(left, right) };
                self.kernel.code.push(Line::Compare { predicate: 7, test });
            }
            7 => {
                let register = self.random_other();
                self.arithmetic(register);
            }
            8 => {
                let register = self.random_other();
                let from = vec![self.any(), self.any()];
                self.result(register, Op::Select, from);
            }
            _ => {}
        }
    }
}
