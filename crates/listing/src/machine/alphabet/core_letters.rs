//! The letters of instructions of the cores.

use crate::flow::Obstacle;
use crate::machine::Part;
use crate::machine::alphabet::MachineAlphabet;
use crate::machine::names;
use warpspan_isa::banks::fuller;
use warpspan_isa::classes::{tensor, usual_matrix};
use warpspan_isa::instruction::Instruction;
use warpspan_isa::opcode::Opcode;
use warpspan_isa::rates::Kind;
use warpspan_model::machine::Letter;

impl MachineAlphabet<'_> {
    /// A matrix instruction of SASS: the letter TENSOR, as often as it takes the time of the usual one. One of numbers of 64 bits
    /// is as many multiplications of those, and where there are no tensor cores, the time counts as that of the others.
    pub(super) fn matrix(&self, opcode: &Opcode<'_>) -> Result<Part, Obstacle> {
        let capability = self.classes.capability();
        let found = tensor(opcode, capability);
        let times = found.as_ref().map_or(1, |found| found.letters);
        if found.is_some_and(|found| found.of_doubles) {
            let (kind, cores) = (Kind::Double, capability.cuda_cores);
            // What multiplications of a warp take, in the same letters.
            let one = cores.div_ceil(kind.rate(capability)).max(1);
            let why = "a matrix instruction, as so many multiplications of 64 bits";
            return self.part(opcode, &names::arithmetic(kind), Some(kind), times.div_ceil(one), why);
        }
        let times_usual = times.div_ceil(usual_matrix(capability)).max(1);
        let why = "a matrix instruction, as long as the letter holds the unit";
        match self.part(opcode, &names::matrix(), None, times_usual, why) {
            Err(Obstacle::NoLetter { .. }) => {
                let why = "a matrix instruction, for as long as so much arithmetic of 32 bits";
                self.part(opcode, &names::arithmetic(Kind::Single), Some(Kind::Single), times, why)
            }
            found => found,
        }
    }

    /// The same letter of an instruction of the cores, or, if the machine has a letter for those that spread their
    /// source registers over the banks, that one for as long as the fuller bank takes.
    pub(super) fn spread(&mut self, instruction: &Instruction<'_>, part: Part) -> Part {
        let base = self.machine.letter(part.letter);
        let spread = self.machine.find(&format!("{}.SPREAD", base.name));
        let registers = fuller(instruction);
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
}
