//! The letters of memory instructions, which hold their unit once for each pass.

use crate::affine::Counted;
use crate::flow::Obstacle;
use crate::machine::alphabet::MachineAlphabet;
use crate::machine::memory::worst;
use crate::machine::names::Names;
use crate::machine::traffic::Pattern;
use crate::machine::{Evidence, HELD, Most, Part, Passes, base_of};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{moves, same_address};
use warpspan_isa::row::{Moves, Space};
use warpspan_model::machine::{LINE, Latency, Letter, LetterId, Request, Role, SECTOR};

impl Most {
    /// A number of whole lines, each in a pass of its own.
    fn of_lines(lines: u64) -> Self {
        Self { all: lines, sectors: lines.saturating_mul(LINE / SECTOR), lines }
    }

    /// The same where the sectors and lines are known otherwise too.
    fn touching(self, touched: Option<[u64; 2]>) -> Self {
        let [sectors, lines] = touched.unwrap_or([u64::MAX; 2]);
        self.min(Self { sectors, lines, ..self })
    }

    /// The smaller of each of two.
    fn min(self, other: Self) -> Self {
        Self {
            all: self.all.min(other.all),
            sectors: self.sectors.min(other.sectors),
            lines: self.lines.min(other.lines),
        }
    }
}

/// What is counted of an execution of which the code shows something and the user may say something: of each number the smaller one, since
/// both say what it is at most.
fn with_declared(
    (shown, evidence, pattern): (Most, Evidence, Pattern),
    passes: u64,
    declared: Option<(u64, Most)>,
) -> (Passes, Pattern) {
    let of_code = Passes {
        passes,
        most: shown,
        each: (evidence == Evidence::SameAddress).then_some(1),
        evidence,
        from_addresses: evidence == Evidence::Inferred,
        declared: declared.map(|(each, _)| each),
        shown: Some(shown.all.div_ceil(passes)),
    };
    let counts = |(_, said): &(u64, Most)| match evidence {
        Evidence::Assumed => true,
        // Where both are the same, what is declared takes less for granted.
        Evidence::Inferred => shown.min(*said) != shown || *said == shown,
        Evidence::SameAddress | Evidence::Declared => shown.min(*said) != shown,
    };
    let Some((each, said)) = declared.filter(counts) else { return (of_code, pattern) };
    let most = shown.min(said);
    let counted = Passes {
        most,
        each: Some(each).filter(|_| most.all == said.all),
        evidence: Evidence::Declared,
        from_addresses: of_code.from_addresses && most != said,
        ..of_code
    };
    let whole = most.lines == most.all && most.sectors >= Most::of_lines(most.lines).sectors;
    let pattern = match pattern {
        _ if most == shown || pattern == Pattern::Lines(0) => pattern,
        _ if whole => Pattern::Lines(most.all),
        _ => Pattern::Sectors { sectors: most.sectors, lines: most.lines },
    };
    (counted, pattern)
}

impl MachineAlphabet<'_> {
    /// A memory instruction: the letter of its space, which holds the unit for each pass, or that of an access to what L2 holds.
    pub(super) fn memory(
        &mut self,
        instruction: &Instruction<'_>,
        space: Space,
        passes: u64,
        names: &Names,
    ) -> Result<Part, Obstacle> {
        let part = self.anywhere(instruction, space, passes, names)?;
        Ok(Part { letter: self.of_access(instruction, space, part.letter), ..part })
    }

    /// The letter of an access with another one, which is that one unless L2 holds what the access touches.
    pub(super) fn of_access(
        &mut self,
        instruction: &Instruction<'_>,
        space: Space,
        letter: LetterId,
    ) -> LetterId {
        let is_global = matches!(space, Space::Global | Space::Atomic);
        if is_global && self.in_l2.lines.contains(&instruction.line) { self.held(letter) } else { letter }
    }

    /// A memory instruction wherever the caches have what it touches.
    pub(super) fn anywhere(
        &mut self,
        instruction: &Instruction<'_>,
        space: Space,
        passes: u64,
        names: &Names,
    ) -> Result<Part, Obstacle> {
        let (letter, _) = self.find(&instruction.opcode(), names)?;
        let label = self.labels.get(&instruction.line).copied();
        let shown = self.shown(instruction, space, passes);
        // Operands of the constant bank are taken to be in their cache.
        let constant = space == Space::Constant && shown.1 == Evidence::SameAddress;
        let declared = self.transactions.of(instruction.line, label);
        let declared = declared.filter(|_| space != Space::Fence && !constant).map(|each| {
            let touched = self.transactions.touched(instruction.line).filter(|_| space == Space::Global);
            (each, Most::of_lines(passes.saturating_mul(each)).touching(touched))
        });
        let (counted, pattern) = with_declared(shown, passes, declared);
        self.counts_texels |= space == Space::Texture && counted.evidence == Evidence::Assumed;
        let is_global = matches!(space, Space::Global | Space::Atomic);
        let unmoved = is_global && self.unmoved.contains(&instruction.line);
        let moves = if constant || unmoved { Moves::Nothing } else { moves(instruction, space) };
        if moves != Moves::Nothing {
            self.moving.insert(instruction.line);
        }
        let why = match pattern {
            Pattern::Sectors { sectors, lines } => {
                let plural = |number: u64| if number == 1 { "" } else { "s" };
                let [of_sectors, of_lines] = [plural(sectors), plural(lines)];
                format!("{counted}: {sectors} sector{of_sectors} of {lines} line{of_lines}")
            }
            _ => counted.to_string(),
        };
        Ok(Part {
            letter: self.repeated(letter, [counted.most.all, passes], moves, pattern.fetched_by(instruction)),
            count: 1,
            passes: Some(counted),
            why,
        })
    }

    /// What the code shows of an execution, and what its accesses look like.
    fn shown(&self, instruction: &Instruction<'_>, space: Space, passes: u64) -> (Most, Evidence, Pattern) {
        let worst = worst(instruction, space, passes);
        if matches!(space, Space::Shared | Space::Global | Space::Local | Space::Constant)
            && same_address(instruction)
        {
            return (Most::of_lines(passes), Evidence::SameAddress, Pattern::Lines(passes));
        }
        let touches = self.inferred.get(&(instruction.line, space == Space::Shared));
        let is_of = |bytes: u32| u64::from(bytes.div_ceil(4)) == passes;
        let touches = touches.filter(|one| !one.atomic && one.bytes.is_none_or(is_of));
        match touches.and_then(|one| one.most) {
            Some(found) if space == Space::Shared => {
                let most = Most::of_lines(found.wavefronts.clamp(passes, worst));
                (most, Evidence::Inferred, Pattern::Lines(0))
            }
            Some(Counted { sectors, lines, passes: all, .. }) if space == Space::Global => {
                let most = Most { all: all.clamp(passes, worst), sectors, lines };
                (most, Evidence::Inferred, Pattern::Sectors { sectors, lines })
            }
            // Each lane may be at a place of its own.
            _ => {
                let most = Most { all: worst, sectors: worst, lines: worst };
                (most, Evidence::Assumed, Pattern::LoneSectors(worst))
            }
        }
    }

    /// The letter of the same access where L2 holds what it touches: it asks nothing of DRAM, the first of its passes has its result no later
    /// than L2 gives it, and each further one as much later as ever.
    fn held(&mut self, letter: LetterId) -> LetterId {
        let mut of = self.letter(letter).clone();
        if let Some(asked) = self.machine.server(Role::Dram).and_then(|dram| of.requests.get_mut(dram)) {
            *asked = Request::default();
        }
        // The machine may have a letter of its own for just this, or for several passes.
        let plain = of.name.split('-').next().unwrap_or(&of.name);
        let first = [&of.name, plain, base_of(plain)].into_iter().find_map(|name| self.machine.find(name));
        let first = first.map(|first| self.machine.letter(first));
        let known = first.and_then(|first| Some((first, *self.in_l2.latencies.get(&first.name)?)));
        let sooner = known.map_or(0, |(first, most)| first.latency.most.saturating_sub(most));
        let most = of.latency.most.saturating_sub(sooner);
        let latency = Latency { least: of.latency.least.min(most), most };
        self.add(letter, Letter { name: format!("{}{HELD}", of.name), latency, ..of })
    }

    /// The letter that holds its unit for as long as `passes` of another one in a row, or for as long as the letter `.NEXT` says for each pass
    /// behind the first. Its last pass begins later by all passes before it, and its result comes later by as much. The machine's own letter
    /// of that name counts, if it has one. Where the memory has servers, letters that ask something else of them are others, with a name
    /// that says what.
    pub(super) fn repeated(
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
        let name = if asks { format!("{plain}{}{several}", pattern.suffix(moves)) } else { plain };
        if let Some(own) = self.machine.find(&name) {
            return own;
        }
        let requests = pattern.requests(moves, self.machine, &base.requests, [passes, words]);
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
}
