//! The text of listings: instructions, and the places of labels among them.

use std::collections::BTreeMap;

/// An instruction.
#[derive(Debug, Clone)]
pub(crate) struct Instruction<'t> {
    /// The predicate under which it is executed, and whether that must hold.
    pub guard: Option<(&'t str, bool)>,
    pub opcode: &'t str,
    /// The text of all operands.
    pub text: &'t str,
    /// The opcode up to its first dot.
    pub name: &'t str,
    pub modifiers: Vec<&'t str>,
    /// The operands, without what only says how hardware reads them.
    pub operands: Vec<&'t str>,
    /// The line in which it stands, from 1.
    pub line: u64,
}

impl<'t> Instruction<'t> {
    pub(crate) fn new(opcode: &'t str, text: &'t str) -> Self {
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap_or_default();
        let operands = split(text).into_iter().map(|one| one.trim_end_matches(".reuse")).collect();
        Self { guard: None, opcode, text, name, modifiers: parts.collect(), operands, line: 0 }
    }

    /// The instruction of a line, with its guard.
    fn read(text: &'t str, line: u64) -> Self {
        let (guard, text) = match text.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((guard, rest)) => (Some(guard), rest),
            None => (None, text),
        };
        let guard = guard.map(|name| name.strip_prefix('!').map_or((name, true), |name| (name, false)));
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        Self { guard, line, ..Self::new(opcode, operands) }
    }
}

/// The text between commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (vec![], 0, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    match text[start..].trim() {
        "" if found.is_empty() => {}
        last => found.push(last),
    }
    found
}

/// The code of a listing with one kernel.
#[derive(Debug)]
pub(crate) struct Code<'t> {
    pub instructions: Vec<Instruction<'t>>,
    /// The number of the instruction behind each label.
    pub labels: BTreeMap<&'t str, usize>,
    /// The number of the instruction at each address.
    addresses: BTreeMap<u64, usize>,
}

impl<'t> Code<'t> {
    /// Lines of instructions end with a semicolon, and those of labels with a colon; before an instruction there may be its address.
    pub(crate) fn read(text: &'t str) -> Self {
        let mut code = Self { instructions: vec![], labels: BTreeMap::new(), addresses: BTreeMap::new() };
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            let (address, line) =
                line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")).unwrap_or(("", line));
            if let Ok(address) = u64::from_str_radix(address, 16) {
                code.addresses.insert(address, code.instructions.len());
            }
            if let Some(label) = line.strip_suffix(':') {
                code.labels.insert(label, code.instructions.len());
            } else if let Some(text) = line.strip_suffix(';').filter(|line| !line.starts_with('.')) {
                code.instructions.push(Instruction::read(text.trim(), number));
            }
        }
        code
    }

    /// The number of the instruction to which a jump or a call goes.
    pub(crate) fn target(&self, one: &Instruction<'_>) -> usize {
        let to = one.operands[0].trim_matches(['`', '(', ')']);
        match to.strip_prefix("0x") {
            Some(digits) => self.addresses[&u64::from_str_radix(digits, 16).unwrap()],
            None => self.labels[to],
        }
    }
}
