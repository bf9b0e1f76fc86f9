//! The letters of memory instructions, which hold their unit once for each pass.

use crate::flow::Obstacle;
use crate::machine::alphabet::MachineAlphabet;
use crate::machine::memory::{Space, same_address, worst};
use crate::machine::names::Names;
use crate::machine::traffic::{Moves, Pattern, moves};
use crate::machine::{Evidence, Part, Passes};
use crate::routine::Instruction;
use warpspan_model::machine::{Latency, Letter, LetterId};

impl MachineAlphabet<'_> {
    /// A memory instruction: the letter of its space, which holds the unit for each pass.
    pub(super) fn memory(
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
        let unmoved =
            matches!(space, Space::Global | Space::Atomic) && self.unmoved.contains(&instruction.line);
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
            None if each.is_some() => {
                let touched = self.transactions.touched(instruction.line);
                match touched.filter(|_| declared.is_some() && space == Space::Global) {
                    Some([sectors, lines]) => Pattern::Sectors { sectors, lines },
                    None => Pattern::Lines(all),
                }
            }
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
            letter: self.repeated(letter, [all, words], moves, pattern.fetched_by(instruction)),
            count: 1,
            passes: Some(passes),
            why,
        })
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

    /// The letter that holds its unit as long as so many of another one in a row, or for as long as the letter `.NEXT`
    /// says for each pass behind the first: its last pass begins that much later, and so does its result come. The
    /// machine's own letter of that name counts, if it has one. Where the memory has servers, letters that ask something else of them are others, with a name that says what.
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
}
