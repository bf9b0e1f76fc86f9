//! The letters of instructions of the cores, and which instructions those are.

use crate::classes::{Kind, tensor};
use crate::flow::Obstacle;
use crate::machine::Part;
use crate::machine::alphabet::MachineAlphabet;
use crate::machine::banks::fuller;
use crate::machine::names;
use warpspan_isa::instruction::{Instruction, Language};
use warpspan_isa::sass::row;
use warpspan_isa::{ptx, ptx_operand, row as isa};
use warpspan_model::machine::Letter;

impl MachineAlphabet<'_> {
    /// A matrix instruction of SASS: the letter TENSOR, as often as it takes the time of the usual one. One of numbers of 64 bits
    /// is as many multiplications of those, and where there are no tensor cores, the time counts as that of the others.
    pub(super) fn matrix(&self, opcode: &str) -> Result<Part, Obstacle> {
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

    /// The same letter of an instruction of the cores, or, if the machine has a letter for those that spread their
    /// source registers over the banks, that one for as long as the fuller bank takes.
    pub(super) fn spread(&mut self, instruction: &Instruction<'_>, part: Part) -> Part {
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
}

/// The letter that the table of SASS gives an instruction of the cores.
pub(super) fn letter_of(language: Language, instruction: &Instruction<'_>) -> Option<isa::Letter> {
    let row = (language == Language::Sass).then(|| row(instruction.name())).flatten()?;
    Some(row.letter)
}

/// Whether an instruction only says where threads go on, or waits.
pub(super) fn is_control(language: Language, instruction: &Instruction<'_>) -> bool {
    match language {
        Language::Ptx => ptx::row(instruction.name()).is_some_and(|row| row.control),
        Language::Sass => letter_of(language, instruction) == Some(isa::Letter::Control),
    }
}

/// Whether an instruction reads a register of the multiprocessor, not of the thread.
pub(super) fn reads_special_register(language: Language, instruction: &Instruction<'_>) -> bool {
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
