//! Lanes that run a program together. Those at the earliest instruction run first, so that lanes that part at a branch forward meet again at its
//! target, and those that leave a loop wait behind it.

use std::collections::BTreeMap;

use super::memory::{Access, LANES};
use super::ptx::{self, Registers, width};
use super::sass;
use super::text::{Code, Instruction};
use super::thread::Thread;

/// Something that executes instructions of one lane.
pub(crate) trait Machine {
    /// Whether a predicate holds.
    fn holds(&self, name: &str) -> bool;

    /// Executes an instruction that computes.
    fn execute(&mut self, one: &Instruction<'_>);

    /// Where an access of memory goes.
    fn address(&self, one: &Instruction<'_>, _place: &str) -> u64 {
        panic!("{} {} accesses memory", one.opcode, one.text)
    }

    /// The word that it stores.
    fn stored(&self, _one: &Instruction<'_>) -> u32 {
        0
    }

    /// Puts what memory gives into registers.
    fn load(&mut self, one: &Instruction<'_>, _given: &mut dyn FnMut() -> u64) {
        panic!("{} {} accesses memory", one.opcode, one.text)
    }
}

/// Somebody who looks at what a warp does.
pub(crate) trait Watch {
    /// These lanes reach an instruction, and those of the second list execute it.
    fn step(&mut self, _at: usize, _here: &[usize], _active: &[usize]) {}

    /// They access memory.
    fn access(&mut self, _access: &Access) {}

    /// What memory holds at an address.
    fn held(&mut self, _address: u64, _shared: bool) -> u64 {
        0
    }

    /// A lane stores a word there.
    fn store(&mut self, _address: u64, _word: u32) {}
}

/// Nobody.
impl Watch for () {}

/// How often lanes pass the headers of loops.
pub(crate) struct Passes<'c> {
    code: &'c Code<'c>,
    /// Where each lane was last.
    last: [usize; LANES],
    /// Of the header of each loop: the passes of a lane, by each time that one reaches it from outside.
    found: BTreeMap<usize, Vec<u64>>,
    /// The last of them, by lane.
    now: BTreeMap<(usize, usize), usize>,
}

impl<'c> Passes<'c> {
    /// Of the loops with these labels.
    pub(crate) fn new(code: &'c Code<'c>, labels: impl IntoIterator<Item = &'c str>) -> Self {
        let found = labels.into_iter().map(|label| (code.labels[label], vec![])).collect();
        Self { code, last: [usize::MAX; LANES], found, now: BTreeMap::new() }
    }

    /// Those of the loop with a label.
    pub(crate) fn of(&self, label: &str) -> &[u64] {
        &self.found[&self.code.labels[label]]
    }

    /// Other lanes follow.
    pub(crate) fn end(&mut self) {
        self.last = [usize::MAX; LANES];
    }

    fn comes(&mut self, at: usize, lanes: &[usize]) {
        for &lane in lanes {
            let last = std::mem::replace(&mut self.last[lane], at);
            let Some(found) = self.found.get_mut(&at) else { continue };
            let back = self
                .code
                .instructions
                .get(last)
                .is_some_and(|one| matches!(one.name, "BRA" | "bra") && self.code.target(one) == at);
            if !back || last < at {
                found.push(0);
                self.now.insert((at, lane), found.len() - 1);
            }
            found[self.now[&(at, lane)]] += 1;
        }
    }
}

impl Watch for Passes<'_> {
    fn step(&mut self, at: usize, here: &[usize], _: &[usize]) {
        self.comes(at, here);
    }
}

/// Runs a program on lanes until all have reached its end; false if that takes more steps than this.
pub(crate) fn run<M: Machine>(code: &Code<'_>, lanes: &mut [M], most: usize, watch: &mut impl Watch) -> bool {
    let mut at = vec![Some(0); lanes.len()];
    let mut calls: Vec<Vec<usize>> = vec![vec![]; lanes.len()];
    let [mut all, mut active] = [vec![], vec![]];
    for _ in 0..most {
        let Some(here) = at.iter().flatten().min().copied() else { return true };
        let Some(one) = code.instructions.get(here) else { return true };
        all.clear();
        all.extend((0..lanes.len()).filter(|&lane| at[lane] == Some(here)));
        active.clone_from(&all);
        if let Some((name, wanted)) = one.guard {
            active.retain(|&lane| lanes[lane].holds(name) == wanted);
        }
        watch.step(here, &all, &active);
        all.iter().for_each(|&lane| at[lane] = Some(here + 1));
        match one.name {
            "EXIT" | "exit" => active.iter().for_each(|&lane| at[lane] = None),
            "BRA" | "bra" => active.iter().for_each(|&lane| at[lane] = Some(code.target(one))),
            "CALL" => {
                for &lane in &active {
                    calls[lane].push(here + 1);
                    at[lane] = Some(code.target(one));
                }
            }
            "RET" | "ret" => active.iter().for_each(|&lane| at[lane] = calls[lane].pop()),
            "BSSY" | "BSYNC" => {}
            _ => match Access::of(here, one) {
                Some((mut access, place)) => {
                    for &lane in &active {
                        let address = lanes[lane].address(one, place);
                        access.addresses[lane] = Some(address);
                        match access.stores {
                            true => watch.store(address, lanes[lane].stored(one)),
                            false => lanes[lane].load(one, &mut || watch.held(address, access.shared)),
                        }
                    }
                    watch.access(&access);
                }
                None => active.iter().for_each(|&lane| lanes[lane].execute(one)),
            },
        }
    }
    false
}

impl Machine for Thread {
    fn holds(&self, name: &str) -> bool {
        let number = |digits: &str| digits.parse::<usize>().unwrap();
        match (name, name.strip_prefix("UP")) {
            ("PT" | "UPT", _) => true,
            (_, Some(digits)) => self.uniform_predicates[number(digits)],
            (_, None) => self.predicates[number(&name[1..])],
        }
    }

    fn execute(&mut self, one: &Instruction<'_>) {
        let writes = sass::execute(one, self);
        self.write(&writes.unwrap_or_else(|| panic!("{} {}", one.opcode, one.text)));
    }

    fn address(&self, one: &Instruction<'_>, place: &str) -> u64 {
        let (base, offset) = place.split_once('+').unwrap_or((place, "0x0"));
        let offset = u64::from_str_radix(&offset[2..], 16).unwrap();
        let word = |number: usize| u64::from(self.general[number]);
        let number: usize = base.trim_end_matches(".64")[1..].parse().unwrap();
        let upper = if one.modifiers.contains(&"E") { word(number + 1) } else { 0 };
        (upper << 32 | word(number)).wrapping_add(offset)
    }

    fn stored(&self, one: &Instruction<'_>) -> u32 {
        self.general[one.operands[1][1..].parse::<usize>().unwrap()]
    }

    fn load(&mut self, one: &Instruction<'_>, given: &mut dyn FnMut() -> u64) {
        let first: usize = one.operands[0][1..].parse().unwrap();
        let count =
            if one.modifiers.contains(&"128") { 4 } else { 1 + usize::from(one.modifiers.contains(&"64")) };
        for register in &mut self.general[first..first + count] {
            *register = u32::try_from(given() & 0xffff_ffff).unwrap();
        }
    }
}

impl Registers {
    /// Puts the lower bits of a number into a register.
    fn put(&mut self, name: &str, value: u64) {
        self.held.insert(name.to_owned(), value & (u64::MAX >> (64 - width(name).unwrap())));
    }
}

impl Machine for Registers {
    fn holds(&self, name: &str) -> bool {
        self.held[name] != 0
    }

    fn execute(&mut self, one: &Instruction<'_>) {
        let what = || format!("{} {}", one.opcode, one.text);
        let writes = ptx::execute(one, self).unwrap_or_else(|doubt| panic!("{}: {doubt:?}", what()));
        for (name, value, _) in writes {
            self.put(&name, value.unwrap_or_else(|| panic!("{}", what())));
        }
    }

    fn address(&self, one: &Instruction<'_>, place: &str) -> u64 {
        let (base, offset) = place.split_once('+').unwrap_or((place, "0"));
        let offset: i64 = offset.parse().unwrap();
        let sum = self.held[base].wrapping_add_signed(offset);
        // Registers of 32 bits have addresses of 32 bits.
        sum & (u64::MAX >> (64 - width(base).unwrap_or_else(|| panic!("{}", one.text))))
    }

    fn load(&mut self, one: &Instruction<'_>, given: &mut dyn FnMut() -> u64) {
        let kind = one.modifiers.last().and_then(|kind| kind[1..].parse().ok()).unwrap_or(64_u32);
        for name in one.operands[0].trim_matches(['{', '}']).split(", ") {
            self.put(name, given() & (u64::MAX >> (64 - kind)));
        }
    }
}
