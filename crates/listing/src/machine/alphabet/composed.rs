//! Instructions of several letters: what `ptxas` makes of one, what no class has, and what the user gives.

use crate::classes::{Given, most_times};
use crate::flow::Obstacle;
use crate::machine::alphabet::{MachineAlphabet, no_letter};
use crate::machine::memory::worst_of;
use crate::machine::names::{self, Names};
use crate::machine::traffic::{Pattern, is_of_memory};
use crate::machine::{Evidence, Most, Part, Passes};
use warpspan_isa::class::Cost;
use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::{Access, access, moves};
use warpspan_isa::memory::{is_ordered, may_be_added_up, reads_launch};
use warpspan_isa::rates::Kind;
use warpspan_isa::row::{Moves, Space};
use warpspan_model::Unit;

impl MachineAlphabet<'_> {
    /// The letters of an instruction of no class: those of an instruction of each kind, and an access of each memory.
    pub(super) fn unknown(&mut self, instruction: &Instruction<'_>) -> Result<Vec<Part>, Obstacle> {
        const SPACES: [Space; 6] =
            [Space::Shared, Space::Global, Space::Local, Space::Constant, Space::Texture, Space::Atomic];
        let why = "not known: as the most expensive instruction of each kind";
        let mut parts = Vec::new();
        for (kind, times) in most_times(self.classes.language()) {
            parts.push(self.part(&instruction.opcode(), &names::arithmetic(kind), Some(kind), times, why)?);
        }
        for names in [names::uniform(), names::special_register(), names::control()] {
            parts.push(self.part(&instruction.opcode(), &names, None, 2, why)?);
        }
        // The most expensive of them are textures.
        self.counts_texels = true;
        for space in SPACES {
            let (letter, _) = self.find(&instruction.opcode(), &names::memory(space))?;
            let worst = worst_of(space, 8);
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
    pub(super) fn made(
        &mut self,
        instruction: &Instruction<'_>,
        cost: Cost,
        note: &str,
    ) -> Result<(Vec<Part>, bool), Obstacle> {
        let opcode = &instruction.opcode();
        let mut parts = Vec::with_capacity(cost.cores.len() + 1);
        // Where PTX runs as it stands there is no `ptxas` that would add up the values of a warp before an atomic operation.
        let alone = self.machine.ptx_stall().is_some() && may_be_added_up(instruction);
        for &(kind, times) in cost.cores.iter().filter(|_| !alone) {
            let why =
                if note.is_empty() { kind.name().to_owned() } else { format!("{} ({note})", kind.name()) };
            parts.push(self.part(opcode, &names::arithmetic(kind), Some(kind), times, &why)?);
        }
        if cost.memory > 0 {
            let (space, passes) = match access(instruction) {
                Access::One(space, passes) => (space, passes),
                Access::Copy(_) | Access::Bulk => (Space::Global, 4),
            };
            let names = names::moving(instruction, space, moves(instruction, space));
            // Parameters and what describes the launch lie at constant addresses of the constant bank.
            let part = if reads_launch(instruction) {
                let (letter, _) = self.find(opcode, &names::memory(Space::Constant))?;
                let passes = Passes {
                    passes: 2,
                    most: Most { all: 2, sectors: 0, lines: 0 },
                    each: Some(1),
                    evidence: Evidence::SameAddress,
                    from_addresses: false,
                    declared: None,
                    shown: None,
                };
                let letter = self.repeated(letter, [2, 1], Moves::Nothing, Pattern::Lines(0));
                Part { letter, count: 1, passes: Some(passes), why: passes.to_string() }
            } else {
                self.anywhere(instruction, space, passes, &names)?
            };
            // Behind a fence from 7.0 on the caches are cleared, as by a CCTL.
            let clears = space == Space::Fence && cost.memory > 2;
            // What acquires or releases is one access, with a fence. In atomic operations that counts as much as they do.
            let is_ordered = space != Space::Fence && is_ordered(instruction);
            let of_fence = if is_ordered { cost.memory - 1 } else { 0 };
            let of_access = cost.memory - of_fence - u64::from(clears);
            let letter = self.of_access(instruction, space, part.letter);
            parts.push(Part { count: of_access, letter, ..part.clone() });
            if clears {
                parts.push(self.memory(instruction, Space::Global, 1, &names::memory(Space::Global))?);
            }
            if of_fence > 0 && space == Space::Atomic {
                parts.push(Part { count: of_fence, ..part });
            } else if of_fence > 0 {
                let clears = u64::from(of_fence > 2);
                let fence = (names::memory(Space::Fence), of_fence - clears, "a fence");
                let clear = (names::memory(Space::Global), clears, "clears the first cache");
                for (names, times, why) in [fence, clear].into_iter().filter(|&(_, times, _)| times > 0) {
                    parts.push(self.part(opcode, &names, None, times, why)?);
                }
            }
        }
        if cost.barrier {
            parts.push(self.part(opcode, &names::barrier(), None, 1, "a barrier of the block")?);
        }
        Ok((parts, cost.barrier))
    }

    /// The letters of an instruction whose class the user gives.
    pub(super) fn given(
        &mut self,
        instruction: &Instruction<'_>,
        given: &Given,
    ) -> Result<Vec<Part>, Obstacle> {
        let opcode = &instruction.opcode();
        if let Some(name) = &given.letter {
            let letter = self.machine.find(name);
            let letter = letter.ok_or_else(|| no_letter(opcode, std::slice::from_ref(name)))?;
            self.reaches_memory |= is_of_memory(&self.machine.letter(letter).name);
            return Ok(vec![Part { letter, count: given.letters, passes: None, why: given.place.clone() }]);
        }
        let part = match given.unit {
            Some(Unit::LoadStore) => {
                let (space, passes) = match access(instruction) {
                    Access::One(space, passes) => (space, passes),
                    Access::Copy(passes) => (Space::Global, passes),
                    Access::Bulk => (Space::Global, 1),
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
}
