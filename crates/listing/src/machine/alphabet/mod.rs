//! The letters that instructions have on a machine.

mod composed;
mod core_letters;
mod memory_letters;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use crate::classes::{Classes, Found};
use crate::dependences::KnownWaits;
use crate::dependences::dependences;
use crate::flow::{Alphabet, Obstacle, StructureError, barrier};
use crate::machine::InL2;
use crate::machine::names::{self, Names};
use crate::machine::transactions::{Transactions, labels};
use crate::machine::{Lines, Part};
use crate::routine::Listing;
use warpspan_isa::class::Use;
use warpspan_isa::cores::{is_control, is_uniform, reads_special_register};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{Access, access, moves};
use warpspan_isa::opcode::Opcode;
use warpspan_isa::rates::Kind;
use warpspan_isa::row::Space;
use warpspan_model::machine::{Letter, LetterId, Machine, MachineError, Step, Waits};
use warpspan_model::program::Piece;

/// The longest stall that a control field has, of four bits. Compilers set longer ones than the latency, so that
/// an instruction of a listing without control fields may keep the next one waiting for so long.
pub(crate) const LONGEST_STALL: u32 = 15;

/// The letters of a machine as the alphabet of a listing. Memory instructions that pass several times are
/// letters of their own, which are added to the machine.
pub(crate) struct MachineAlphabet<'a> {
    classes: Classes,
    machine: &'a Machine,
    transactions: &'a Transactions,
    /// What accesses touch, as the code shows it.
    inferred: &'a Lines,
    /// The lines of accesses of global memory that ask nothing of servers.
    unmoved: BTreeSet<u32>,
    /// The accesses to what L2 holds.
    in_l2: InL2,
    labels: HashMap<u32, &'a str>,
    /// What the instruction of each line waits for, if the listing says so.
    waits: Rc<HashMap<u32, Arc<Waits>>>,
    /// What each instruction of another listing waits for: the result of the one before, and its stall.
    in_order: Arc<Waits>,
    /// The letters added, behind those of the machine.
    added: Vec<Letter>,
    /// The lines of instructions that move data behind the multiprocessors.
    moving: BTreeSet<u32>,
    /// Whether an instruction moves data behind the multiprocessors.
    reaches_memory: bool,
    /// Whether the lines that a texture instruction reads are the most that the tables count.
    counts_texels: bool,
}

impl<'a> MachineAlphabet<'a> {
    pub(crate) fn new(
        classes: Classes,
        machine: &'a Machine,
        (transactions, inferred): (&'a Transactions, &'a Lines),
        (listing, known): (&'a Listing<'_>, &'a KnownWaits),
    ) -> Self {
        // What runs as it stands, but says not what waits for it, waits for no less than the machine asks.
        let stall = LONGEST_STALL.max(machine.ptx_stall().unwrap_or(0));
        let in_order = Arc::new(Waits { stall, needs: vec![0], sets: vec![0] });
        let find = |&stall: &Option<u32>| waits(listing, stall).unwrap_or_default();
        let (labels, waits) = (labels(listing), known.get(machine.ptx_stall(), find));
        Self {
            classes,
            machine,
            transactions,
            inferred,
            unmoved: BTreeSet::new(),
            in_l2: InL2::default(),
            labels,
            waits,
            in_order,
            added: Vec::new(),
            moving: BTreeSet::new(),
            reaches_memory: false,
            counts_texels: false,
        }
    }

    /// The same, where the accesses of global memory in these lines ask nothing of servers.
    pub(crate) fn without_traffic_of(self, lines: &BTreeSet<u32>) -> Self {
        Self { unmoved: lines.clone(), ..self }
    }

    /// The same, where L2 holds what some accesses touch.
    pub(crate) fn with_data_in_l2(self, accesses: &InL2) -> Self {
        Self { in_l2: accesses.clone(), ..self }
    }

    /// The lines of instructions whose letters were asked for and that move data behind the multiprocessors.
    pub(crate) fn moving(&self) -> impl Iterator<Item = u32> {
        self.moving.iter().copied()
    }

    /// Whether the listing says which instructions wait for which.
    pub(crate) fn has_dependences(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Whether an instruction whose letters were asked for moves data behind the multiprocessors.
    pub(crate) fn reaches_memory(&self) -> bool {
        self.reaches_memory
    }

    /// Whether letters that were asked for rest on the most lines that the tables count for a texture instruction.
    pub(crate) fn counts_texels(&self) -> bool {
        self.counts_texels
    }

    /// The machine with the letters added.
    ///
    /// # Errors
    /// If an occupancy or a latency is too large.
    pub(crate) fn machine(&self) -> Result<Machine, MachineError> {
        let units = self.machine.units().to_vec();
        let further = self.machine.letters()[units.len()..].iter().chain(&self.added).cloned().collect();
        let machine = Machine::new(self.machine.schedulers(), self.machine.width(), units, further)?
            .with_servers(self.machine.servers().to_vec())?;
        let spread = self.machine.spreads() || machine.schedulers() == 1;
        let machine = if spread { machine } else { machine.without_spread() };
        Ok(machine.with_ptx_stall(self.machine.ptx_stall()))
    }

    /// The letters of an instruction and why, and whether a barrier of the block follows them.
    ///
    /// # Errors
    /// If the tables do not know the opcode, or the machine has no letter for it.
    pub(crate) fn parts(&mut self, instruction: &Instruction<'_>) -> Result<(Vec<Part>, bool), Obstacle> {
        let opcode = &instruction.opcode();
        let (what, note) = match self.classes.find_of(instruction) {
            None if self.classes.is_counted_unknown(instruction) => {
                return self.unknown(instruction).map(|parts| (parts, false));
            }
            None => return Err(Obstacle::NoClass(opcode.to_string())),
            Some(Found::Given(given)) => {
                let given = given.clone();
                return Ok((self.given(instruction, &given)?, self.classes.is_barrier(opcode)));
            }
            Some(Found::Made(cost, note)) => return self.made(instruction, cost, note),
            Some(Found::Row(what, note)) => (what, note),
        };
        let refused =
            |reason: &str| Err(Obstacle::Refused { opcode: opcode.to_string(), reason: reason.to_owned() });
        let parts = match what {
            Use::Memory => match access(instruction) {
                Access::One(space, passes) => {
                    let names = names::moving(instruction, space, moves(instruction, space));
                    vec![self.memory(instruction, space, passes, &names)?]
                }
                Access::Copy(passes) => [Space::Global, Space::Shared]
                    .into_iter()
                    .map(|space| self.memory(instruction, space, passes, &names::memory(space)))
                    .collect::<Result<_, _>>()?,
                Access::Bulk => return refused("copies as much as a register says"),
            },
            Use::Matrix => vec![self.matrix(opcode)?],
            Use::Unrated | Use::Made(_) => return Err(Obstacle::Unrated(opcode.to_string())),
            Use::Refused(reason) => return refused(reason),
            Use::Barrier => vec![self.part(opcode, &names::barrier(), None, 1, "a barrier of the block")?],
            Use::Nothing => {
                vec![self.part(opcode, &names::control(), None, 1, "takes a place in the order of issue")?]
            }
            Use::Cores(..) if is_control(instruction) => {
                vec![self.part(opcode, &names::control(), None, 1, "control, or a wait")?]
            }
            Use::Cores(..) if reads_special_register(instruction) => {
                vec![self.part(opcode, &names::special_register(), None, 1, "a special register")?]
            }
            Use::Cores(kind, times) => {
                let names = if is_uniform(instruction) { names::uniform() } else { names::arithmetic(kind) };
                let part = self.part(opcode, &names, Some(kind), times, kind.name())?;
                vec![self.spread(instruction, part)]
            }
        };
        let noted = |part: Part| match note {
            "" => part,
            note => Part { why: format!("{} ({note})", part.why), ..part },
        };
        Ok((parts.into_iter().map(noted).collect(), what == Use::Barrier))
    }

    /// An instruction of a kind, `times` in a row: the first letter that the machine has.
    fn part(
        &self,
        opcode: &Opcode<'_>,
        names: &Names,
        kind: Option<Kind>,
        times: u64,
        why: &str,
    ) -> Result<Part, Obstacle> {
        let (letter, stands_for) = self.find(opcode, names)?;
        let capability = self.classes.capability();
        let slower = match (kind, stands_for) {
            (Some(kind), Some(other)) if kind != other => {
                other.rate(capability).div_ceil(kind.rate(capability)).max(1)
            }
            _ => 1,
        };
        let count = times.saturating_mul(slower);
        let why = if count > 1 { format!("{why}, {count} times") } else { why.to_owned() };
        Ok(Part { letter, count, passes: None, why })
    }

    fn find(&self, opcode: &Opcode<'_>, names: &Names) -> Result<(LetterId, Option<Kind>), Obstacle> {
        let mut found = names.iter().filter_map(|&(name, kind)| Some((self.machine.find(name)?, kind)));
        let wanted: Vec<String> = names.iter().map(|(name, _)| (*name).to_owned()).collect();
        found.next().ok_or_else(|| no_letter(opcode, &wanted))
    }

    /// A letter of the machine or one that is added.
    fn letter(&self, id: LetterId) -> &Letter {
        let of_machine = self.machine.letters().len();
        self.added.get(id.index().wrapping_sub(of_machine)).unwrap_or_else(|| self.machine.letter(id))
    }

    /// The number of a letter, which is added unless the machine has it: of its own, or because a listing that was read before has
    /// added it. Letters are the same if all their numbers are; two of one name that are not are an error of [`Self::machine`]. It
    /// stands in for `like`, which it is if there are too many letters.
    fn add(&mut self, like: LetterId, letter: Letter) -> LetterId {
        let known = self.machine.find(&letter.name).filter(|&known| *self.machine.letter(known) == letter);
        if let Some(known) = known {
            return known;
        }
        let at = self.added.iter().position(|added| *added == letter).unwrap_or_else(|| {
            self.added.push(letter);
            self.added.len() - 1
        });
        LetterId::new(self.machine.letters().len() + at).unwrap_or(like)
    }
}

impl Alphabet for MachineAlphabet<'_> {
    type Letter = Step;

    fn classes(&mut self) -> &mut Classes {
        &mut self.classes
    }

    fn end_has_letters(&mut self, _opcode: &Opcode<'_>) -> bool {
        true
    }

    fn pieces(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Piece<Step>>, StructureError> {
        let line = instruction.line;
        let (parts, waits) = self.parts(instruction).map_err(|error| StructureError::at(line, error))?;
        // An instruction of several letters waits as a whole, and so does each of its letters.
        let wait = self.waits.get(&line).unwrap_or(&self.in_order);
        let letters = parts.into_iter().map(|part| Piece::Letters {
            letter: Step { letter: part.letter, waits: Some(Arc::clone(wait)) },
            count: part.count,
            line,
        });
        let mut pieces: Vec<_> = letters.collect();
        if waits {
            pieces.push(barrier(instruction)?);
        }
        Ok(pieces)
    }
}

/// What the instruction of each line waits for; none if the listing does not say it of every instruction, or two
/// of them share a line.
fn waits(listing: &Listing<'_>, ptx_stall: Option<u32>) -> Option<HashMap<u32, Arc<Waits>>> {
    let mut all = HashMap::new();
    for (routine, waits) in listing.routines.iter().zip(dependences(listing, ptx_stall)) {
        for (instruction, wait) in routine.instructions.iter().zip(waits) {
            if all.insert(instruction.line, wait?).is_some() {
                return None;
            }
        }
    }
    Some(all)
}

fn no_letter(opcode: &Opcode<'_>, names: &[String]) -> Obstacle {
    Obstacle::NoLetter { opcode: opcode.to_string(), names: names.join(", ") }
}
