//! The letters that instructions have on a machine.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::classes::{Classes, Cost, Found, Given, Kind, Use, most_times, tensor};
use crate::dependences::dependences;
use crate::flow::{Alphabet, Obstacle, StructureError, barrier};
use crate::isa::sass::row;
use crate::isa::{ptx, ptx_operand, row as isa};
use crate::machine::banks::fuller;
use crate::machine::memory::{Access, Space, access, same_address, worst};
use crate::machine::names::{self, Names};
use crate::machine::traffic::{Moves, Pattern, is_of_memory, moves};
use crate::machine::transactions::{Transactions, labels};
use crate::machine::{Evidence, Lines, Part, Passes};
use crate::routine::{Instruction, Language, Listing};
use warpspan_model::Unit;
use warpspan_model::machine::{Latency, Letter, LetterId, Machine, MachineError, Step, Waits};
use warpspan_model::program::Piece;

/// The longest stall that a control field has, of four bits. Compilers set longer ones than the latency, so that
/// an instruction of a listing without control fields may keep the next one waiting for so long.
const LONGEST_STALL: u32 = 15;

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
    labels: HashMap<u32, &'a str>,
    /// What the instruction of each line waits for, if the listing says so.
    waits: HashMap<u32, Arc<Waits>>,
    /// What each instruction of another listing waits for: the result of the one before, and its stall.
    in_order: Arc<Waits>,
    /// The letters added, behind those of the machine.
    added: Vec<Letter>,
    /// The lines of instructions that move data behind the multiprocessors.
    moving: BTreeSet<u32>,
    /// Whether an instruction moves data behind the multiprocessors.
    reaches_memory: bool,
}

impl<'a> MachineAlphabet<'a> {
    pub(crate) fn new(
        classes: Classes,
        machine: &'a Machine,
        (transactions, inferred): (&'a Transactions, &'a Lines),
        listing: &Listing<'a>,
    ) -> Self {
        let in_order = Arc::new(Waits { stall: LONGEST_STALL, needs: vec![0], sets: vec![0] });
        let (labels, waits) = (labels(listing), waits(listing).unwrap_or_default());
        Self {
            classes,
            machine,
            transactions,
            inferred,
            unmoved: BTreeSet::new(),
            labels,
            waits,
            in_order,
            added: Vec::new(),
            moving: BTreeSet::new(),
            reaches_memory: false,
        }
    }

    /// The same, where the accesses of global memory in these lines ask nothing of servers.
    pub(crate) fn without_traffic_of(self, lines: &BTreeSet<u32>) -> Self {
        Self { unmoved: lines.clone(), ..self }
    }

    /// Whether the listing says which instructions wait for which.
    pub(crate) fn has_dependences(&self) -> bool {
        !self.waits.is_empty()
    }

    /// The lines of instructions whose letters were asked for and that move data behind the multiprocessors.
    pub(crate) fn moving(&self) -> impl Iterator<Item = u32> {
        self.moving.iter().copied()
    }

    /// Whether an instruction whose letters were asked for moves data behind the multiprocessors.
    pub(crate) fn reaches_memory(&self) -> bool {
        self.reaches_memory
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
        Ok(if spread { machine } else { machine.without_spread() })
    }

    /// The letters of an instruction and why, and whether a barrier of the block follows them.
    ///
    /// # Errors
    /// If the tables do not know the opcode, or the machine has no letter for it.
    pub(crate) fn parts(&mut self, instruction: &Instruction<'_>) -> Result<(Vec<Part>, bool), Obstacle> {
        let opcode = instruction.opcode;
        let (what, note) = match self.classes.find_of(instruction) {
            None if self.classes.is_counted_unknown(instruction) => {
                return self.unknown(instruction).map(|parts| (parts, false));
            }
            None => return Err(Obstacle::NoClass(opcode.to_owned())),
            Some(Found::Given(given)) => {
                let given = given.clone();
                return Ok((self.given(instruction, &given)?, false));
            }
            Some(Found::Made(cost, note)) => return self.made(instruction, cost, note),
            Some(Found::Row(what, note)) => (what, note),
        };
        let refused =
            |reason: &str| Err(Obstacle::Refused { opcode: opcode.to_owned(), reason: reason.to_owned() });
        let language = self.classes.language();
        let parts = match what {
            Use::Memory => match access(language, instruction) {
                Access::One(space, passes) => {
                    vec![self.memory(instruction, space, passes, &names::memory(space))?]
                }
                Access::Copy(passes) => [Space::Global, Space::Shared]
                    .into_iter()
                    .map(|space| self.memory(instruction, space, passes, &names::memory(space)))
                    .collect::<Result<_, _>>()?,
                Access::Bulk => return refused("copies as much as a register says"),
                Access::Wait => return refused("waits for what the model does not have"),
            },
            Use::Matrix => vec![self.matrix(opcode)?],
            Use::Unrated | Use::Made(_) => return Err(Obstacle::Unrated(opcode.to_owned())),
            Use::Refused(reason) => return refused(reason),
            Use::Barrier | Use::Nothing => {
                vec![self.part(opcode, &names::control(), None, 1, "takes a place in the order of issue")?]
            }
            Use::Cores(..) if is_control(language, instruction) => {
                vec![self.part(opcode, &names::control(), None, 1, "control, or a wait")?]
            }
            Use::Cores(..) if reads_special_register(language, instruction) => {
                vec![self.part(opcode, &names::special_register(), None, 1, "a special register")?]
            }
            Use::Cores(kind, times) => {
                let uniform = letter_of(language, instruction) == Some(isa::Letter::Uniform);
                let names = if uniform { names::uniform() } else { names::arithmetic(kind) };
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

    /// A matrix instruction of SASS: the letter TENSOR, as often as it takes the time of the usual one. One of numbers of 64 bits
    /// is as many multiplications of those, and where there are no tensor cores, the time counts as that of the others.
    fn matrix(&self, opcode: &str) -> Result<Part, Obstacle> {
        let capability = self.classes.capability();
        let letters = |opcode: &str| tensor(opcode, capability).map_or(1, |found| found.letters);
        let times = letters(opcode);
        if opcode.starts_with("DMMA") {
            let (kind, cores) = (Kind::Double, capability.cuda_cores);
            // What multiplications of a warp take, in the same letters.
            let one = cores.div_ceil(kind.rate(capability)).max(1);
            let why = "a matrix instruction, as so many multiplications of 64 bits";
            return self.part(opcode, &names::arithmetic(kind), Some(kind), times.div_ceil(one), why);
        }
        let times_usual = times.div_ceil(letters("HMMA.16816.F32")).max(1);
        let why = "a matrix instruction, as long as the letter holds the unit";
        match self.part(opcode, &names::matrix(), None, times_usual, why) {
            Err(Obstacle::NoLetter { .. }) => {
                let why = "a matrix instruction, for as long as so much arithmetic of 32 bits";
                self.part(opcode, &names::arithmetic(Kind::Single), Some(Kind::Single), times, why)
            }
            found => found,
        }
    }

    /// The letters of an instruction of no class: those of an instruction of each kind, and an access of each memory.
    fn unknown(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Part>, Obstacle> {
        const SPACES: [Space; 6] =
            [Space::Shared, Space::Global, Space::Local, Space::Constant, Space::Texture, Space::Atomic];
        let why = "not known: as the dearest instruction of each kind";
        let mut parts = Vec::new();
        for (kind, times) in most_times(self.classes.language()) {
            parts.push(self.part(instruction.opcode, &names::arithmetic(kind), Some(kind), times, why)?);
        }
        for names in [names::uniform(), names::special_register(), names::control()] {
            parts.push(self.part(instruction.opcode, &names, None, 2, why)?);
        }
        for space in SPACES {
            let (letter, _) = self.find(instruction.opcode, &names::memory(space))?;
            let worst = space.worst(8);
            let moves = match space {
                Space::Shared | Space::Fence => Moves::Nothing,
                Space::Constant => Moves::Load,
                Space::Atomic => Moves::Atomic,
                Space::Global | Space::Local | Space::Texture => Moves::Store,
            };
            let letter = self.repeated(letter, [worst, 4], moves, Pattern::LoneSectors(worst));
            parts.push(Part { letter, count: 1, passes: None, why: why.to_owned() });
        }
        Ok(parts)
    }

    /// The letters of what `ptxas` makes of an instruction: those of the cores, by kind, and then those of
    /// memory, each with all transactions.
    fn made(
        &mut self,
        instruction: &Instruction<'_>,
        cost: Cost,
        note: &str,
    ) -> Result<(Vec<Part>, bool), Obstacle> {
        let (opcode, language) = (instruction.opcode, self.classes.language());
        let mut parts = Vec::with_capacity(cost.cores.len() + 1);
        for &(kind, times) in cost.cores {
            let why =
                if note.is_empty() { kind.name().to_owned() } else { format!("{} ({note})", kind.name()) };
            parts.push(self.part(opcode, &names::arithmetic(kind), Some(kind), times, &why)?);
        }
        if cost.memory > 0 {
            let (space, passes) = match access(language, instruction) {
                Access::One(space, passes) => (space, passes),
                Access::Copy(_) | Access::Bulk | Access::Wait => (Space::Global, 4),
            };
            let names = names::memory(space);
            // Parameters and what describes the launch lie at constant addresses of the constant bank.
            let part = if instruction.name() == "mov" || instruction.opcode.starts_with("ld.param") {
                let (letter, _) = self.find(opcode, &names::memory(Space::Constant))?;
                let passes = Passes { passes: 2, all: 2, each: Some(1), evidence: Evidence::SameAddress };
                let letter = self.repeated(letter, [2, 1], Moves::Nothing, Pattern::Lines(0));
                Part { letter, count: 1, passes: Some(passes), why: passes.to_string() }
            } else {
                self.memory(instruction, space, passes, &names)?
            };
            // Behind a fence from 7.0 on the caches are cleared, as by a CCTL.
            let clears = space == Space::Fence && cost.memory > 2;
            parts.push(Part { count: cost.memory - u64::from(clears), ..part });
            if clears {
                parts.push(self.memory(instruction, Space::Global, 1, &names::memory(Space::Global))?);
            }
        }
        if cost.barrier {
            parts.push(self.part(
                opcode,
                &names::control(),
                None,
                1,
                "takes a place in the order of issue",
            )?);
        }
        Ok((parts, cost.barrier))
    }

    /// The letters of an instruction whose class the user gives.
    fn given(&mut self, instruction: &Instruction<'_>, given: &Given) -> Result<Vec<Part>, Obstacle> {
        let opcode = instruction.opcode;
        if let Some(name) = &given.letter {
            let letter = self.machine.find(name);
            let letter = letter.ok_or_else(|| no_letter(opcode, std::slice::from_ref(name)))?;
            self.reaches_memory |= is_of_memory(&self.machine.letter(letter).name);
            return Ok(vec![Part { letter, count: given.letters, passes: None, why: given.place.clone() }]);
        }
        let part = match given.unit {
            Some(Unit::LoadStore) => {
                let (space, passes) = match access(self.classes.language(), instruction) {
                    Access::One(space, passes) => (space, passes),
                    Access::Copy(passes) => (Space::Global, passes),
                    Access::Bulk | Access::Wait => (Space::Global, 1),
                };
                let names: Names = [("L", None)].into_iter().chain(names::memory(space)).collect();
                self.memory(instruction, space, passes, &names)?
            }
            Some(Unit::CudaCore) => {
                let names: Names = [("C", None)].into_iter().chain(names::arithmetic(Kind::Single)).collect();
                self.part(opcode, &names, None, 1, "")?
            }
            None => self.part(opcode, &names::control(), None, 1, "")?,
        };
        let count = if given.unit.is_some() { given.letters } else { 1 };
        Ok(vec![Part { count, why: given.place.clone(), ..part }])
    }

    /// An instruction of a kind, `times` in a row: the first letter that the machine has.
    fn part(
        &self,
        opcode: &str,
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

    /// A memory instruction: the letter of its space, which holds the unit for each pass.
    fn memory(
        &mut self,
        instruction: &Instruction<'_>,
        space: Space,
        passes: u64,
        names: &Names,
    ) -> Result<Part, Obstacle> {
        let (letter, _) = self.find(instruction.opcode, names)?;
        let label = self.labels.get(&instruction.line).copied();
        let declared = self.transactions.of(instruction.line, label).filter(|_| space != Space::Fence);
        let worst = worst(instruction, space, passes);
        let same_address = declared.is_none()
            && matches!(space, Space::Shared | Space::Global | Space::Local | Space::Constant)
            && same_address(self.classes.language(), instruction);
        let each = declared.or(same_address.then_some(1));
        let inferred = if each.is_none() { self.inferred(instruction, space, passes) } else { None };
        let all = match (each, inferred) {
            (Some(each), _) => passes.saturating_mul(each).min(worst),
            (None, Some((all, _))) => all.clamp(passes, worst),
            (None, None) => worst,
        };
        let evidence = match inferred {
            _ if declared.is_some() => Evidence::Declared,
            _ if same_address => Evidence::SameAddress,
            Some(_) => Evidence::Inferred,
            None => Evidence::Assumed,
        };
        let constant = space == Space::Constant && same_address;
        let unmoved = space == Space::Global && self.unmoved.contains(&instruction.line);
        let moves = if constant || unmoved {
            // Operands of the constant bank are taken to be in their cache.
            Moves::Nothing
        } else {
            moves(self.classes.language(), instruction, space)
        };
        if moves != Moves::Nothing {
            self.moving.insert(instruction.line);
        }
        let pattern = match inferred {
            Some((_, pattern)) => pattern,
            None if each.is_some() => Pattern::Lines(all),
            None => Pattern::LoneSectors(all),
        };
        let words = passes;
        let passes = Passes { passes, all, each, evidence };
        let why = match pattern {
            Pattern::Sectors { sectors, lines } => {
                let plural = |number: u64| if number == 1 { "" } else { "s" };
                let [of_sectors, of_lines] = [plural(sectors), plural(lines)];
                format!("{passes}: {sectors} sector{of_sectors} of {lines} line{of_lines}")
            }
            _ => passes.to_string(),
        };
        Ok(Part {
            letter: self.repeated(letter, [all, words], moves, pattern),
            count: 1,
            passes: Some(passes),
            why,
        })
    }

    /// The same letter of an instruction of the cores, or, if the machine has a letter for those that spread their
    /// source registers over the banks, that one for as long as the fuller bank takes.
    fn spread(&mut self, instruction: &Instruction<'_>, part: Part) -> Part {
        let base = self.machine.letter(part.letter);
        let spread = self.machine.find(&format!("{}.SPREAD", base.name));
        let registers = fuller(self.classes.language(), instruction);
        let Some((spread, all)) = spread.zip(registers) else { return part };
        // All its letters together take as long as the bank.
        let registers = all.div_ceil(part.count.max(1));
        let own = self.machine.letter(spread);
        let letter = if registers <= own.occupancy {
            spread
        } else if registers < base.occupancy {
            let name = format!("{}.{registers}", own.name);
            self.add(part.letter, Letter { name, occupancy: registers, ..own.clone() })
        } else {
            return part;
        };
        let plural = if all == 1 { "" } else { "s" };
        Part { letter, why: format!("{}, {all} register{plural} of a bank", part.why), ..part }
    }

    /// The passes of an instruction and the lines and sectors that they are for, as the code shows them.
    fn inferred(&self, instruction: &Instruction<'_>, space: Space, passes: u64) -> Option<(u64, Pattern)> {
        let touches = self.inferred.get(&(instruction.line, space == Space::Shared))?;
        let most =
            touches.most.filter(|_| !touches.atomic && u64::from(touches.bytes.div_ceil(4)) == passes)?;
        match space {
            Space::Shared => Some((most.wavefronts, Pattern::Lines(0))),
            Space::Global => {
                Some((most.passes, Pattern::Sectors { sectors: most.sectors, lines: most.lines }))
            }
            _ => None,
        }
    }

    fn find(&self, opcode: &str, names: &Names) -> Result<(LetterId, Option<Kind>), Obstacle> {
        let mut found = names.iter().filter_map(|&(name, kind)| Some((self.machine.find(name)?, kind)));
        let wanted: Vec<String> = names.iter().map(|(name, _)| (*name).to_owned()).collect();
        found.next().ok_or_else(|| no_letter(opcode, &wanted))
    }

    /// The letter that holds its unit as long as so many of another one in a row, or for as long as the letter `.NEXT`
    /// says for each pass behind the first: its last pass begins that much later, and so does its result come. The
    /// machine's own letter of that name counts, if it has one. Where the memory has servers, letters that ask something else of them are others, with a name that says what.
    fn repeated(
        &mut self,
        letter: LetterId,
        [passes, words]: [u64; 2],
        moves: Moves,
        pattern: Pattern,
    ) -> LetterId {
        self.reaches_memory |= moves != Moves::Nothing;
        let base = self.machine.letter(letter);
        let plain = if passes == 1 { base.name.clone() } else { format!("{}.{passes}", base.name) };
        let own = self.machine.find(&plain);
        let servers = self.machine.servers();
        let asks = !servers.is_empty() && moves != Moves::Nothing || base.asks();
        let several = if moves == Moves::Atomic && words > 1 { format!("{words}") } else { String::new() };
        let name = if asks { format!("{plain}{}{several}", moves.suffix(pattern)) } else { plain };
        if let Some(own) = self.machine.find(&name) {
            return own;
        }
        let requests = moves.requests(pattern, self.machine, &base.requests, [passes, words]);
        let Latency { least, most } = base.latency;
        let (occupancy, latency) = match own.map(|own| self.machine.letter(own)) {
            Some(own) => (own.occupancy, own.latency),
            None => {
                // What each further pass adds, to the time of the unit and until the result comes.
                let next = self.machine.find(&format!("{}.NEXT", base.name));
                let [holds, later] = next.map_or([base.occupancy; 2], |next| {
                    let next = self.machine.letter(next);
                    [next.occupancy, next.latency.most]
                });
                let times = |cycles: u64| cycles.saturating_mul(passes - 1);
                let latency = Latency { least, most: most.saturating_add(times(later)) };
                (base.occupancy.saturating_add(times(holds)), latency)
            }
        };
        self.add(letter, Letter { name, unit: base.unit, occupancy, latency, requests })
    }

    /// The number of a letter that the machine has not, which is added unless it was before. It stands in for `like`,
    /// which it is if there are too many letters.
    fn add(&mut self, like: LetterId, letter: Letter) -> LetterId {
        let at = self.added.iter().position(|added| added.name == letter.name).unwrap_or_else(|| {
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

    fn end_has_letters(&mut self, _opcode: &str) -> bool {
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
fn waits(listing: &Listing<'_>) -> Option<HashMap<u32, Arc<Waits>>> {
    let mut all = HashMap::new();
    for (routine, waits) in listing.routines.iter().zip(dependences(listing)) {
        for (instruction, wait) in routine.instructions.iter().zip(waits) {
            if all.insert(instruction.line, wait?).is_some() {
                return None;
            }
        }
    }
    Some(all)
}

fn no_letter(opcode: &str, names: &[String]) -> Obstacle {
    Obstacle::NoLetter { opcode: opcode.to_owned(), names: names.join(", ") }
}

/// The letter that the table of SASS gives an instruction of the cores.
fn letter_of(language: Language, instruction: &Instruction<'_>) -> Option<isa::Letter> {
    let row = (language == Language::Sass).then(|| row(instruction.name())).flatten()?;
    Some(row.letter)
}

/// Whether an instruction only says where threads go on, or waits.
fn is_control(language: Language, instruction: &Instruction<'_>) -> bool {
    match language {
        Language::Ptx => ptx::row(instruction.name()).is_some_and(|row| row.control),
        Language::Sass => letter_of(language, instruction) == Some(isa::Letter::Control),
    }
}

/// Whether an instruction reads a register of the multiprocessor, not of the thread.
fn reads_special_register(language: Language, instruction: &Instruction<'_>) -> bool {
    const NAMES: [&str; 12] = [
        "tid",
        "ntid",
        "laneid",
        "warpid",
        "nwarpid",
        "ctaid",
        "nctaid",
        "smid",
        "nsmid",
        "gridid",
        "clock",
        "globaltimer",
    ];
    const BEGINNINGS: [&str; 8] =
        ["lanemask_", "clock", "cluster_", "clusterid", "nclusterid", "is_explicit", "pm", "envreg"];
    let name = instruction.name();
    if language == Language::Sass {
        return letter_of(language, instruction) == Some(isa::Letter::Special);
    }
    let source = instruction.ptx_operands().get(1).and_then(ptx_operand::Operand::name);
    let register = source.and_then(|name| name.strip_prefix('%'));
    name == "mov"
        && register.is_some_and(|register| {
            NAMES.contains(&register) || BEGINNINGS.iter().any(|start| register.starts_with(start))
        })
}
