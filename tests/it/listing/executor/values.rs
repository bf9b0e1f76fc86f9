//! Values of registers of PTX, thread by thread: moves, sums, comparisons and what loops are counted with.

use std::collections::HashMap;

use super::Code;
use super::random::Random;

#[derive(Debug, Clone)]
struct Parsed {
    /// The predicate and whether it is negated.
    guard: Option<(Register, bool)>,
    opcode: String,
    operands: Vec<Operand>,
}

/// A name as it is meant where it stands: the number of its declaration.
type Register = usize;

#[derive(Debug, Clone)]
enum Operand {
    Register(Register),
    Number(u64),
    Other,
}

#[derive(Debug, Clone)]
pub(crate) struct Values {
    parsed: Vec<Parsed>,
    /// The parameters of each routine.
    parameters: HashMap<usize, Vec<Register>>,
    threads: Vec<HashMap<Register, u64>>,
}

/// Names in the blocks that are open.
#[derive(Default)]
struct Scopes {
    blocks: Vec<HashMap<String, Register>>,
    count: usize,
}

impl Scopes {
    fn declare(&mut self, name: &str) -> Register {
        self.count += 1;
        self.blocks.last_mut().unwrap().insert(name.to_owned(), self.count);
        self.count
    }

    /// A name that nothing declares is one of the routine's.
    fn find(&mut self, name: &str) -> Register {
        if let Some(known) = self.blocks.iter().rev().find_map(|block| block.get(name)) {
            return *known;
        }
        self.count += 1;
        self.blocks[0].insert(name.to_owned(), self.count);
        self.count
    }

    fn operand(&mut self, text: &str) -> Operand {
        let text = text.trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let digits = text.trim_end_matches('U');
        let negative = digits.strip_prefix('-');
        match negative.unwrap_or(digits).parse::<u64>() {
            Ok(number) => Operand::Number(if negative.is_some() { number.wrapping_neg() } else { number }),
            Err(_) if text.starts_with('[') || text.is_empty() => Operand::Other,
            Err(_) => Operand::Register(self.find(text)),
        }
    }
}

impl Values {
    pub(crate) fn new(text: &str, code: &Code) -> Self {
        let (mut parsed, mut parameters) = (Vec::new(), HashMap::new());
        let (mut scopes, mut routine) = (Scopes::default(), 0);
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.contains(".entry ") || line.starts_with(".func ") {
                scopes.blocks = vec![HashMap::new()];
                let list = line.split_once('(').map_or("", |list| list.1).trim_end_matches(')');
                let names: Vec<&str> =
                    list.split(',').filter_map(|one| one.split_whitespace().last()).collect();
                let numbers = names.iter().map(|name| scopes.declare(name)).collect();
                parameters.insert(code.starts[routine].0, numbers);
                routine += 1;
            } else if line == "{" {
                scopes.blocks.push(HashMap::new());
            } else if line == "}" {
                scopes.blocks.pop();
            } else if line.starts_with(".reg ") && line.contains('<') {
                // Ranges of names are the routine's, as are names that nothing declares.
            } else if let Some(list) = line.strip_prefix(".reg ") {
                for name in list.trim_end_matches(';').split_once(' ').unwrap().1.split(',') {
                    scopes.declare(name.trim());
                }
            } else if code
                .insts
                .get(parsed.len())
                .is_some_and(|inst| u32::try_from(number + 1) == Ok(inst.line))
            {
                let line = line.trim_end_matches(';');
                let (guard, line) = match line.strip_prefix('@') {
                    Some(rest) => {
                        let (guard, line) = rest.split_once(' ').unwrap();
                        let name = guard.trim_start_matches('!');
                        (Some((scopes.find(name), name.len() < guard.len())), line)
                    }
                    None => (None, line),
                };
                let (opcode, list) = line.split_once(' ').unwrap_or((line, ""));
                let operands = list.split(',').map(|text| scopes.operand(text)).collect();
                parsed.push(Parsed { guard, opcode: opcode.to_owned(), operands });
            }
        }
        assert_eq!(parsed.len(), code.insts.len());
        Self { parsed, parameters, threads: vec![HashMap::new(); 32] }
    }

    /// Which threads of a group execute an instruction.
    pub(crate) fn takers(&mut self, inst: usize, mask: u32, random: &mut Random) -> u32 {
        let Some((register, negated)) = self.parsed[inst].guard else { return mask };
        let mut takers = 0;
        for thread in (0..32).filter(|thread| mask >> thread & 1 == 1) {
            let value = self.value(thread, &Operand::Register(register), random) & 1;
            takers |= u32::from((value == 1) != negated) << thread;
        }
        takers
    }

    /// A register that was never written holds anything, and goes on to.
    fn value(&mut self, thread: usize, operand: &Operand, random: &mut Random) -> u64 {
        match operand {
            Operand::Number(number) => *number,
            Operand::Register(register) => {
                *self.threads[thread].entry(*register).or_insert_with(|| anything(random))
            }
            Operand::Other => anything(random),
        }
    }

    /// What an instruction writes, in the threads that execute it.
    pub(crate) fn execute(&mut self, code: &Code, inst: usize, takers: u32, random: &mut Random) {
        let Parsed { opcode, operands, .. } = self.parsed[inst].clone();
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap();
        let parts: Vec<&str> = parts.collect();
        for thread in (0..32).filter(|thread| takers >> thread & 1 == 1) {
            if let super::Op::Call(to) = code.insts[inst].op {
                for (register, operand) in self.parameters[&to].clone().into_iter().zip(&operands[1..]) {
                    let value = self.value(thread, operand, random);
                    self.threads[thread].insert(register, value);
                }
                continue;
            }
            let Some(&Operand::Register(written)) = operands.first() else { continue };
            let given: Vec<u64> = operands[1..].iter().map(|one| self.value(thread, one, random)).collect();
            let kind = parts.last().copied().unwrap_or("u32");
            let result = match name {
                "mov" if matches!(operands[1], Operand::Register(_) | Operand::Number(_)) => given[0],
                "ld" => anything(random),
                "add" => given[0].wrapping_add(given[1]),
                "sub" => given[0].wrapping_sub(given[1]),
                "mul" => given[0].wrapping_mul(given[1]),
                "shl" => given[0] << (given[1] & 15),
                "cvt" => wide(given[0], parts[1]),
                "not" => !given[0],
                "setp" => u64::from(compare(parts[0], wide(given[0], kind), wide(given[1], kind), kind)),
                "selp" => given[usize::from(given[2] & 1 == 0)],
                _ => continue,
            };
            let kind = if name == "cvt" { parts[0] } else { kind };
            let result = if name == "setp" { result } else { wide(result, kind) };
            self.threads[thread].insert(written, result);
        }
    }
}

/// A value of a type, with its sign where it has one.
fn wide(value: u64, kind: &str) -> u64 {
    let bits = kind[1..].parse::<u32>().unwrap_or(64);
    let up = 64 - bits.clamp(1, 64);
    if kind.starts_with('s') {
        ((value << up).cast_signed() >> up).cast_unsigned()
    } else {
        value << up >> up
    }
}

fn compare(how: &str, one: u64, other: u64, kind: &str) -> bool {
    let order =
        if kind.starts_with('s') { one.cast_signed().cmp(&other.cast_signed()) } else { one.cmp(&other) };
    match how {
        "lt" | "lo" => order.is_lt(),
        "le" | "ls" => order.is_le(),
        "gt" | "hi" => order.is_gt(),
        "ge" | "hs" => order.is_ge(),
        "eq" => order.is_eq(),
        "ne" => order.is_ne(),
        _ => panic!("setp.{how}"),
    }
}

/// What memory may hold: small numbers most of the time.
fn anything(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => u64::from(random.below(3)),
        1 => u64::from(random.below(30)),
        2 => u64::from(random.below(30)).wrapping_neg(),
        _ => random.next(),
    }
}
