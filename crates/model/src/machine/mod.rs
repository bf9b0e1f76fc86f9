//! Machines: multiprocessors with latency, issue width, schedulers and any kinds of unit.
//!
//! A [`Machine`] has kinds of unit and *letters*, the instructions that warps issue. Several letters may use
//! one unit, each with an occupancy and an interval of latency of its own (a load from shared memory and one
//! from DRAM). The semantics, which extends that of [`crate`]:
//!
//! - The machine has S schedulers, and warp i is pinned to scheduler i mod S, counting the warps of all groups
//!   from 0 in their order. Each scheduler issues at most d instructions a cycle, the *issue width*, and a warp
//!   issues at most one.
//! - A kind of unit has m instances. An issue of a letter holds one of them for n cycles from the cycle of the
//!   issue on, the letter's *occupancy*. A kind of unit is *private*, so that each scheduler has m instances of
//!   its own, or *shared* by all schedulers.
//! - After an issue in cycle t, the warp's next instruction is ready from cycle t + l on, where the *latency* l
//!   lies in the letter's interval [lo, hi]. The adversary chooses it at each issue. An instruction with
//!   [`Waits`] is different: the next instruction is ready after its stall, and the instructions that need its
//!   result wait for the latency.
//! - The schedule is *work-conserving*: a ready warp does not issue only if all instances of its unit that its
//!   scheduler sees are held, or all d slots of its scheduler are used.
//! - A [barrier](crate#barriers) waits for the latencies of all instructions before it.
//!
//! - The memory behind all multiprocessors is [servers](Server), to which letters send requests. While one of them
//!   works at its full rate, latencies may last longer than their intervals say.
//!
//! The *makespan* is the last cycle in which a warp issues. The last result may come later: an issue in cycle t
//! with latency l has its result at the end of cycle t + l - 1.
//!
//! The multiprocessor of [`crate`] is the machine with one scheduler, units L and C with sigma instances
//! each, occupancies and latencies of 1, and an issue width that never limits ([`Machine::of_sigmas`]).
//!
//! ```
//! use warpspan_model::machine::{Latency, Machine, Unit};
//!
//! let unit = |name: &str, latency| Unit { latency, ..Unit::simple(name) };
//! let units = vec![unit("L", Latency { least: 1, most: 10 }), unit("C", Latency::ONE)];
//! let machine = Machine::new(1, Some(2), units, vec![])?;
//! let code = machine.code("LC2[L/]")?;
//! assert_eq!(machine.text(&code), "LCC[L/]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod declared;
mod error;
mod grid;
mod order;
mod server;
mod step;
mod unit;
mod workload;

pub use declared::Declared;
pub use error::{MOST, MachineError, NumberOf};
pub use grid::MachineGrid;
pub use order::Order;
pub use server::{LINE, Others, Pauses, Request, Role, SECTOR, Server};
pub use step::{LetterId, Step, Waits};
pub use unit::{Latency, Letter, Unit};
#[doc(hidden)]
pub use workload::has_dependences;
pub use workload::{Line, MachineGroup, MachineWorkload};

use crate::CodeError;
use crate::code::{Alphabet, Reader};
use crate::program::Piece;

/// The largest number of units, and of letters.
const MOST_LETTERS: usize = 4096;

/// A multiprocessor with latency, issue width, schedulers and any kinds of unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    schedulers: u64,
    width: Option<u64>,
    units: Vec<Unit>,
    letters: Vec<Letter>,
    servers: Vec<Server>,
    spread: bool,
    ptx_stall: Option<u32>,
    worst_letters: bool,
}

impl Machine {
    /// The machine with these schedulers, each of which issues at most `width` instructions a cycle, or any
    /// number if it is `None`. Each unit is a letter too, with the occupancy and latency of the unit; `letters`
    /// are further ones.
    ///
    /// # Errors
    /// If a number is zero or too large, an interval is empty, a name is used twice or is none, or a letter
    /// uses a unit that does not exist.
    pub fn new(
        schedulers: u64,
        width: Option<u64>,
        units: Vec<Unit>,
        letters: Vec<Letter>,
    ) -> Result<Self, MachineError> {
        error::in_range(NumberOf::machine("schedulers"), schedulers)?;
        error::in_range(NumberOf::machine("issue_width"), width.unwrap_or(1))?;
        if units.is_empty() {
            return Err(MachineError::NoUnit);
        }
        if units.len() + letters.len() > MOST_LETTERS {
            return Err(MachineError::TooMany);
        }
        for unit in &units {
            unit.check()?;
        }
        let of_units = units.iter().enumerate().map(|(number, unit)| Letter {
            name: unit.name.clone(),
            unit: number,
            occupancy: unit.occupancy,
            latency: unit.latency,
            requests: unit.requests.clone(),
        });
        let all: Vec<Letter> = of_units.chain(letters).collect();
        for (number, letter) in all.iter().enumerate() {
            letter.check(units.len())?;
            if all[..number].iter().any(|other| other.is_called(&letter.name)) {
                return Err(MachineError::Twice(letter.name.clone()));
            }
        }
        Ok(Self {
            schedulers,
            width,
            units,
            letters: all,
            servers: vec![],
            spread: true,
            ptx_stall: None,
            worst_letters: false,
        })
    }

    /// The same machine as one of several that share this memory. Letters ask of its servers by their numbers.
    ///
    /// # Errors
    /// If a rate is zero, numbers are too large, two servers have one name, others take all of a server, or a letter
    /// asks of a server that does not exist.
    pub fn with_servers(self, servers: Vec<Server>) -> Result<Self, MachineError> {
        for (number, server) in servers.iter().enumerate() {
            server.check()?;
            if servers[..number].iter().any(|other| other.name == server.name) {
                return Err(MachineError::TwoServers(server.name.clone()));
            }
        }
        if let Some(letter) = self.letters.iter().find(|letter| letter.requests.len() > servers.len()) {
            return Err(MachineError::NoServer(letter.name.clone()));
        }
        Ok(Self { servers, ..self })
    }

    /// The same machine whose letters send no requests: for bounds to which the share of the servers is added later.
    pub fn without_servers(mut self) -> Self {
        self.servers.clear();
        for unit in &mut self.units {
            unit.requests.clear();
        }
        for letter in &mut self.letters {
            letter.requests.clear();
        }
        self
    }

    /// The same machine, of which nothing is assumed about the schedulers that the warps of a block get.
    pub fn without_spread(self) -> Self {
        Self { spread: false, ..self }
    }

    /// The same machine for code whose letters are what instructions ask for at worst: one that is predicated off, or whose addresses
    /// fall together, asks for less and lets its warp go on earlier.
    pub fn with_worst_letters(self) -> Self {
        Self { worst_letters: true, ..self }
    }

    /// Whether warps may be faster than the least latencies of their letters, since these stand for the worst.
    pub fn has_worst_letters(&self) -> bool {
        self.worst_letters
    }

    /// Whether each of several schedulers is assumed to get no more than `ceil(b / S)` of the b warps of a block.
    pub fn spreads(&self) -> bool {
        self.spread && self.schedulers > 1
    }

    /// The same machine, which runs listings of PTX as they stand and tracks each register by itself, so that an
    /// instruction keeps the next one of its warp waiting for so many cycles at most, but for its result; or, with none, a
    /// machine for which PTX is compiled.
    pub fn with_ptx_stall(self, ptx_stall: Option<u32>) -> Self {
        Self { ptx_stall, ..self }
    }

    /// For how many cycles an instruction of PTX keeps the next one of its warp waiting that does not need its result, if
    /// the machine runs PTX as it stands.
    pub fn ptx_stall(&self) -> Option<u32> {
        self.ptx_stall
    }

    /// The memory that this multiprocessor shares with all others. Without servers it is without limit.
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// The number of the server of a role.
    pub fn server(&self, role: Role) -> Option<usize> {
        self.servers.iter().position(|server| server.role() == role)
    }

    /// The machine of [`crate`] with these sigmas of L and C, each 1 or more: one scheduler, any width,
    /// occupancies and latencies of 1.
    ///
    /// # Errors
    /// If a sigma is zero or too large.
    pub fn of_sigmas(sigma_l: u64, sigma_c: u64) -> Result<Self, MachineError> {
        let unit = |name, instances| Unit { instances, ..Unit::simple(name) };
        Self::new(1, None, vec![unit("L", sigma_l), unit("C", sigma_c)], vec![])
    }

    /// The sigmas of L and C, if the machine is that of [`crate`]: if it has no other letters, one
    /// scheduler whose width never limits, and occupancies and latencies of 1.
    pub fn sigmas(&self) -> Option<[u64; 2]> {
        let [l, c] = ["L", "C"].map(|name| self.letters.iter().find(|letter| letter.is_called(name)));
        let (l, c) = (&self.units[l?.unit], &self.units[c?.unit]);
        let simple = |letter: &Letter| letter.occupancy == 1 && letter.latency == Latency::ONE;
        let wide = self.width.is_none_or(|width| width >= l.instances.saturating_add(c.instances));
        let is_model = self.letters.len() == 2
            && self.units.len() == 2
            && self.schedulers == 1
            && wide
            && self.letters.iter().all(simple);
        is_model.then_some([l.instances, c.instances])
    }

    /// S, the number of schedulers.
    pub fn schedulers(&self) -> u64 {
        self.schedulers
    }

    /// d, the number of instructions that a scheduler issues in a cycle; any number if it is `None`.
    pub fn width(&self) -> Option<u64> {
        self.width
    }

    /// The kinds of unit.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The letters: first one for each unit, in the order of the units, then the others.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// A letter of this machine.
    pub fn letter(&self, letter: LetterId) -> &Letter {
        &self.letters[letter.index()]
    }

    /// The unit of a letter.
    pub fn unit_of(&self, letter: LetterId) -> &Unit {
        &self.units[self.letter(letter).unit]
    }

    /// The letter of a name, in either case.
    pub fn find(&self, name: &str) -> Option<LetterId> {
        self.letters.iter().position(|letter| letter.is_called(name)).and_then(LetterId::new)
    }

    /// The names of all letters, for messages.
    pub fn names(&self) -> String {
        self.letters.iter().map(|letter| letter.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Reads code over the letters of this machine, in the grammar of [`program`](crate::program).
    /// Names of one character stand for themselves, and names in angle brackets, with commas between them,
    /// for one letter each: `L2<SFU>C`. Case does not matter. The result is in normal form, and each
    /// instruction waits for the one before it.
    ///
    /// # Errors
    /// If the text is not code, or names a letter that the machine lacks.
    pub fn code(&self, text: &str) -> Result<Piece<Step>, CodeError> {
        let names = self.names();
        let find = |name: &str| self.find(name).map(Step::of);
        let alphabet = Alphabet { find: &find, names: Some(&names) };
        Reader::read(text, true, &alphabet).map(|read| read.program)
    }

    /// Code in the notation that [`Machine::code`] reads.
    pub fn text(&self, code: &Piece<Step>) -> String {
        code.map(&mut |step: &Step| self.letter(step.letter).written()).to_string()
    }

    /// The same machine with another occupancy or interval of latency of a letter.
    ///
    /// # Errors
    /// If the letter is none of this machine or has no valid numbers.
    pub fn with_letter(mut self, letter: Letter) -> Result<Self, MachineError> {
        letter.check(self.units.len())?;
        let at = self.letters.iter().position(|one| one.is_called(&letter.name));
        let at = at.ok_or_else(|| MachineError::NoLetter(letter.name.clone()))?;
        // The letter of a unit has the numbers of the unit.
        if let Some(unit) = self.units.get_mut(at) {
            unit.occupancy = letter.occupancy;
            unit.latency = letter.latency;
            unit.requests.clone_from(&letter.requests);
        }
        self.letters[at] = letter;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str) -> Unit {
        Unit::simple(name)
    }

    #[test]
    fn nonsense_is_refused_in_one_line() {
        let refused = |machine: Result<Machine, MachineError>| machine.unwrap_err().to_string();
        let none = Unit { instances: 0, ..unit("L") };
        assert_eq!(refused(Machine::new(1, None, vec![none], vec![])), "unit L: instances 0: want 1 or more");
        assert_eq!(refused(Machine::new(0, None, vec![unit("L")], vec![])), "schedulers 0: want 1 or more");
        assert_eq!(
            refused(Machine::new(1, Some(0), vec![unit("L")], vec![])),
            "issue_width 0: want 1 or more"
        );
        assert_eq!(refused(Machine::new(1, None, vec![], vec![])), "no unit: want one [[unit]] or more");
        let turned = Unit { latency: Latency { least: 4, most: 2 }, ..unit("L") };
        assert_eq!(
            refused(Machine::new(1, None, vec![turned], vec![])),
            "letter L: latency 4 to 2: want the least first"
        );
        assert_eq!(
            refused(Machine::new(1, None, vec![unit("L"), unit("l")], vec![])),
            "letter l: there are two of this name, in either case: want another name"
        );
        assert_eq!(
            refused(Machine::new(1, None, vec![unit("a/b")], vec![])),
            "\"a/b\": want a name of letters, digits, '.', '-' and '_' that begins with a letter"
        );
    }

    #[test]
    fn the_multiprocessor_of_the_model() {
        let machine = Machine::of_sigmas(1, 2).unwrap();
        assert_eq!(machine.sigmas(), Some([1, 2]));
        let units = machine.units().to_vec();
        assert_eq!(Machine::new(1, Some(3), units.clone(), vec![]).unwrap().sigmas(), Some([1, 2]));
        assert_eq!(Machine::new(1, Some(2), units.clone(), vec![]).unwrap().sigmas(), None);
        assert_eq!(Machine::new(2, None, units.clone(), vec![]).unwrap().sigmas(), None);
        let slow = Letter { latency: Latency { least: 1, most: 2 }, ..machine.letters()[0].clone() };
        assert_eq!(machine.with_letter(slow).unwrap().sigmas(), None);
    }

    #[test]
    fn names_of_letters() {
        let machine = Machine::new(1, None, vec![unit("L"), unit("SFU"), unit("C")], vec![]).unwrap();
        let text = |text| machine.code(text).map(|code| machine.text(&code));
        assert_eq!(text("l2<SFU>C").unwrap(), "LL<SFU>C");
        assert_eq!(text("<sfu, L>2(<C>|)9").unwrap(), "(<SFU>L)2(C|)9");
        assert_eq!(text("<L/<SFU>>").unwrap(), "<L/<SFU>>");
        assert_eq!(text("<SFU>12").unwrap(), "<SFU>12");
        assert_eq!(
            text("LX").unwrap_err().to_string(),
            "character 2 is 'X': want a letter of the machine, which are L, SFU, C, '|', a count after a letter or a \
             bracket, or brackets"
        );
        assert!(text("L<FP64>").unwrap_err().to_string().starts_with("character 3 is 'FP64'"));
        assert!(text("L<>").is_err());
    }
}
