//! The letters of a listing on a [`Machine`](warpspan_model::machine::Machine).
//!
//! Each instruction of a listing takes a place in the order of issue, so each is at least one letter. The
//! tables of [`classes`](crate::classes) say what kind of instruction an opcode is, and
//! `names` which letter stands for the kind. For example, `FFMA` is the letter FP32, or, if the machine has
//! none, ALU or C. Memory instructions have the letter of their space, and hold their unit once for each pass
//! (`memory`). A barrier is the letter of the unit of barriers, of PTX too, and then the barrier of the block.
//!
//! Names of letters say what else a machine knows of an instruction, if it has them: `FP32.SPREAD` is an FP32 of
//! which no more source registers lie in one bank than its unit takes cycles (`warpspan_isa::banks`), and `SHARED.NEXT` is what each
//! transaction behind the first one adds.
//!
//! If the listing has control fields, they say which instructions wait for which
//! (`dependences`). Otherwise each instruction waits for the result of the one
//! before, and for the longest stall that a control field has. The hardware also issues instructions that do not need it, so that only bounds which hold with fewer
//! dependences cover the listing. That is why such programs have [`Waits`](warpspan_model::machine::Waits) too,
//! with one token that each instruction needs and sets.
//!
//! `docs/extract.md` has the table of letters and what is assumed.

// Layers: a module uses only those of the groups above its own.
mod in_l2;
mod memory;
mod names;
mod traffic;
mod transactions;

mod accesses;

mod alphabet;
mod footprint;

mod on_machine;

use std::fmt;

pub(super) use accesses::{Alone, Lines, all as accesses, by_line, check};
pub use accesses::{MemoryAccess, MemorySpace};
pub(super) use alphabet::MachineAlphabet;
pub use footprint::{Extent, Footprint, Touching};
pub(super) use footprint::{Writes, emptied, footprints};
pub use in_l2::InL2;
pub use names::{HELD, base_of};
pub use on_machine::OnMachine;
#[doc(hidden)]
pub use traffic::{is_of_memory, of_letter};
pub use transactions::{Transactions, of_transactions};
pub(crate) use transactions::{declared_larger, labels};

use warpspan_model::machine::LetterId;

/// The letters of an instruction on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineLine {
    /// Where it stands, from 1.
    pub line: u32,
    /// Its letters in their order, each with how many of them there are in a row; or what stands in the way.
    pub letters: Result<Vec<Part>, String>,
    /// Whether a barrier of the block follows.
    pub barrier: bool,
}

/// Letters of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The letter.
    pub letter: LetterId,
    /// How many of it there are in a row.
    pub count: u64,
    /// Of a memory instruction: how often it passes.
    pub passes: Option<Passes>,
    /// Why it has this letter.
    pub why: String,
}

/// How often a memory instruction passes through its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// The passes that its width needs, of 32 lanes of 4 bytes each.
    pub passes: u64,
    /// What is counted.
    pub most: Most,
    /// The transactions of each pass, where they are declared, or inferred because the address has no register of a thread.
    pub each: Option<u64>,
    /// Where the number is from.
    pub evidence: Evidence,
    /// Whether what is counted follows from what the code computes as the address.
    pub from_addresses: bool,
    /// The transactions of each pass that are declared.
    pub declared: Option<u64>,
    /// The transactions of each pass that the code shows: that there are no more than lanes, if nothing else.
    pub shown: Option<u64>,
}

/// What one execution of a memory instruction by a warp does at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// All passes.
    pub all: u64,
    /// The sectors that it touches, of memory that has any.
    pub sectors: u64,
    /// The lines in which they lie.
    pub lines: u64,
}

/// Where the number of transactions of a memory instruction is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The user declares it.
    Declared,
    /// The address has no register of a thread.
    SameAddress,
    /// It follows from what the code computes as the address.
    Inferred,
    /// It is the worst case.
    Assumed,
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passes, most: Most { all, .. }, each, evidence, .. } = *self;
        if passes > 1 {
            write!(f, "{passes} passes, ")?;
        }
        let number = each.unwrap_or(all);
        let (plural, of_each) =
            (if number == 1 { "" } else { "s" }, if passes > 1 && each.is_some() { " each" } else { "" });
        let of_all = if passes > 1 && evidence == Evidence::Inferred { " in all" } else { "" };
        let evidence = match evidence {
            Evidence::Declared => "declared",
            Evidence::SameAddress => "inferred",
            Evidence::Inferred => "inferred",
            Evidence::Assumed => "worst case",
        };
        write!(f, "{number} transaction{plural}{of_each}{of_all}, {evidence}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;
    use crate::classes::tests::ptxas_expansion::measured;
    use crate::classes::{Classes, Given};
    use crate::known::Studied;
    use crate::routine::Listing;
    use crate::{Entry, Obstacle, Options, Text, extract};
    use warpspan_isa::classes::examples;
    use warpspan_isa::instruction::{Instruction, Language};
    use warpspan_kernel::input::find_machine;
    use warpspan_model::Unit;
    use warpspan_model::machine::Machine;

    const KNOWN: [&str; 17] = [
        "2.0", "3.5", "5.2", "5.3", "6.1", "6.2", "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0",
        "10.0", "11.0", "12.0",
    ];

    /// The letters of an instruction as text, or what stands in the way.
    fn letters(machine: &Machine, language: Language, given: Vec<Given>, text: &str) -> String {
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        let studied = Studied::from(Listing::new("k", language, vec![]));
        let none = Transactions::default();
        let classes = Classes::new(language, "8.7".parse().unwrap(), given);
        let inferred = HashMap::new();
        let mut alphabet =
            MachineAlphabet::new(classes, machine, (&none, &inferred), (&studied.listing, &studied.waits));
        match alphabet.parts(&Instruction::new(language, 1, None, opcode, operands)) {
            Err(obstacle) => obstacle.to_string(),
            Ok((parts, barrier)) => {
                let machine = alphabet.machine().unwrap();
                let name = |part: &Part| format!("{}*{}", machine.letter(part.letter).name, part.count);
                let all: Vec<String> = parts.iter().map(name).collect();
                format!("{}{}", all.join(" "), if barrier { "|" } else { "" })
            }
        }
    }

    /// An instruction of a listing without control fields keeps the next one waiting for at least so long.
    const LONGEST_STALL: u64 = 15;

    /// On a machine an instruction of PTX takes at least as many places in the order of issue, at least as long from
    /// its first issue to its last result, and its units in all at least as long as what `ptxas` makes of it.
    #[test]
    fn no_instruction_of_ptx_takes_less_on_a_machine() {
        let (none, inferred) = (Transactions::default(), HashMap::new());
        let mut low = Vec::new();
        for (capability, opcode, made) in measured() {
            let machine = match capability {
                "5.0" => "5.2",
                other => other,
            };
            let machine = find_machine(machine).unwrap().machine;
            // Places of issue, cycles of latency, and cycles of units.
            let cost = |language: Language, opcode: &str| {
                let studied = Studied::from(Listing::new("k", language, vec![]));
                let classes = Classes::new(language, capability.parse().unwrap(), vec![]);
                let mut alphabet = MachineAlphabet::new(
                    classes,
                    &machine,
                    (&none, &inferred),
                    (&studied.listing, &studied.waits),
                );
                let (parts, _) = alphabet.parts(&Instruction::new(language, 1, None, opcode, "")).unwrap();
                let extended = alphabet.machine().unwrap();
                parts.iter().fold((0, 0, 0), |(issues, latency, busy), part| {
                    let letter = extended.letter(part.letter);
                    (
                        issues + part.count,
                        latency + part.count * letter.latency.most.max(LONGEST_STALL),
                        busy + part.count * letter.occupancy,
                    )
                })
            };
            let counted = cost(Language::Ptx, opcode);
            let real = made.iter().fold((0, 0, 0), |sum, &(opcode, times)| {
                let one = cost(Language::Sass, opcode);
                (sum.0 + one.0 * times, sum.1 + one.1 * times, sum.2 + one.2 * times)
            });
            if counted.0 < real.0 || counted.1 < real.1 || counted.2 < real.2 {
                low.push(format!("{opcode} at {capability}: counted {counted:?}, measured {real:?}"));
            }
        }
        assert!(low.is_empty(), "{low:#?}");
    }

    #[test]
    fn every_class_has_letters_on_every_machine() {
        for version in KNOWN {
            let machine = find_machine(version).unwrap().machine;
            let (none, inferred) = (Transactions::default(), HashMap::new());
            for language in [Language::Ptx, Language::Sass] {
                let studied = Studied::from(Listing::new("k", language, vec![]));
                let classes = Classes::new(language, version.parse().unwrap(), vec![]);
                let mut alphabet = MachineAlphabet::new(
                    classes,
                    &machine,
                    (&none, &inferred),
                    (&studied.listing, &studied.waits),
                );
                for opcode in examples(language) {
                    let old = matches!(version, "2.0" | "3.5" | "5.2" | "5.3" | "6.1" | "6.2");
                    match alphabet.parts(&Instruction::new(language, 1, None, &opcode, "")) {
                        Ok((parts, _)) => {
                            assert!(!parts.is_empty(), "{version} {opcode}");
                            // Each kind has its own letter, so that no count stands for a rate. (Opcodes of the
                            // uniform data path are of no capability without one. Matrix instructions are as often
                            // the usual one as they take its time, and a MATCH of 64 bits takes four of 32.)
                            let none = opcode.starts_with('U') && machine.find("UNIFORM").is_none();
                            assert!(
                                old || none
                                    || opcode.ends_with("MMA")
                                    || opcode.starts_with("MATCH")
                                    || language == Language::Ptx
                                    || parts.iter().all(|part| part.count <= 2)
                            );
                        }
                        Err(Obstacle::Unrated(_) | Obstacle::Refused { .. }) => {}
                        Err(Obstacle::NoLetter { names, .. }) if old && names == "TENSOR" => {}
                        Err(error) => panic!("{version} {opcode}: {error}"),
                    }
                }
                alphabet.machine().unwrap();
            }
        }
    }

    #[test]
    fn letters_of_sass() {
        let machine = find_machine("8.7").unwrap().machine;
        for (text, expected) in [
            ("FFMA R0, R1, R2, R3", "FP32.SPREAD.2*1"),
            ("FFMA R0, R1, R5, R3", "FP32*1"),
            ("FADD R0, R1, R2", "FP32.SPREAD*1"),
            ("IMAD R0, R1, R2, R3", "IMUL.SPREAD*1"),
            ("IMAD.WIDE R0, R1, R2, R3", "IMUL.SPREAD*2"),
            ("DFMA R0, R2, R4, R6", "FP64*1"),
            ("MUFU.RCP R0, R1", "SFU*1"),
            ("F2F.F64.F32 R0, R1", "CVT.WIDE*1"),
            ("HMMA.16816.F32 R0, R4, R8, R12", "TENSOR*1"),
            ("S2R R0, SR_TID.X", "SREG*1"),
            ("UIADD3 UR4, UR4, UR5", "UNIFORM*1"),
            ("MATCH.ANY R0, R1", "MATCH*1"),
            ("MATCH.ANY.U64 R0, R2", "MATCH*4"),
            ("MATCH.ALL.U64 PT, R0, R2", "REDUX*1"),
            ("BRA 0x10", "BRANCH*1"),
            ("EXIT", "BRANCH*1"),
            ("NOP", "BRANCH*1"),
            ("BAR.SYNC 0x0", "BARRIER*1|"),
            ("LDG.E R0, [R2]", "GLOBAL.32*1"),
            ("LDG.E.128 R0, [R2]", "GLOBAL.32*1"),
            ("LDS.U.64 R0, [R2]", "SHARED.32*1"),
            ("LDS.U.64 R0, [UR2]", "SHARED.2*1"),
            ("LDC R0, c[0x0][0x28]", "CONST*1"),
            ("LDC R0, c[0x3][R4]", "CONST.32*1"),
            ("MEMBAR.SC.GPU", "ATOMIC*1"),
            ("RED.E.ADD [R2], R4", "ATOMIC.32*1"),
            ("TEX R0, R2, R4, 2D", "TEXTURE.256*1"),
            ("LDGSTS.E.128 [R0], [R2]", "GLOBAL.32*1 SHARED.32*1"),
            (
                "UTMALDG.2D [UR1], [UR2]",
                "UTMALDG.2D copies as much as a register says: the model does not cover that",
            ),
            ("DMMA.884 R0, R2, R4, R6", "FP64*8"),
            ("HMMA.32816.F32 R0, R4, R8, R12", "TENSOR*2"),
            ("HGMMA.64x8x16.F32 R24, gdesc[UR4]", "how many letters HGMMA.64x8x16.F32 is, no table says"),
            ("FROB R0", "FROB is in no class"),
        ] {
            assert_eq!(letters(&machine, Language::Sass, vec![], text), expected, "{text}");
        }
    }

    #[test]
    fn letters_of_ptx() {
        let machine = find_machine("8.7").unwrap().machine;
        for (text, expected) in [
            ("mov.u32 %r1, %tid.x", "SREG*1"),
            ("mov.u32 %r1, %r2", "INT*1"),
            ("mov.u64 %rd1, %rd2", "INT*2"),
            ("div.rn.f32 %f1, %f2, %f3", "INT*74 COMPARE*22 BRANCH*32 SFU*5 SHFL*1"),
            ("bar.sync 0", "BARRIER*1|"),
            ("bar.warp.sync 0xffffffff", "BRANCH*1"),
            ("match.any.sync.b32 %r1, %r2, %r3", "INT*2 COMPARE*1 MATCH*1"),
            ("match.any.sync.b64 %r1, %rd2, %r3", "INT*2 COMPARE*1 MATCH*4"),
            ("ret", "BRANCH*1"),
            ("ld.param.u64 %rd1, [p]", "INT*2"),
            ("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1", "SHFL*1"),
            ("mma.sync.aligned.m16n8k8", "how many letters mma.sync.aligned.m16n8k8 is, no table says"),
        ] {
            assert_eq!(letters(&machine, Language::Ptx, vec![], text), expected, "{text}");
        }
    }

    #[test]
    fn a_machine_of_few_letters() {
        let paper = Machine::of_sigmas(1, 1).unwrap();
        let of = |text: &str| letters(&paper, Language::Sass, vec![], text);
        assert_eq!(of("FFMA R0, R1, R2, R3"), "C*1");
        // At 8.7 a multiprocessor gives 128 results of FP32 a cycle, 16 of special functions, 2 of FP64.
        assert_eq!(of("MUFU.RCP R0, R1"), "C*8");
        assert_eq!(of("DFMA R0, R2, R4, R6"), "C*64");
        assert_eq!(of("LDG.E R0, [R2]"), "L.32*1");
        assert_eq!(of("BAR.SYNC 0x0"), "C*1|");
        assert_eq!(
            of("HMMA.1688 R0"),
            // 2048 operations at 1639 a cycle of 128 cores.
            "C*5"
        );
    }

    #[test]
    fn classes_of_the_user_come_first() {
        let machine = find_machine("8.7").unwrap().machine;
        let given = |unit, letter: Option<&str>| {
            let (opcode, place) = ("MUFU".to_owned(), "c:1".to_owned());
            vec![Given { opcode, unit, letter: letter.map(str::to_owned), letters: 3, place }]
        };
        let of = |given| letters(&machine, Language::Sass, given, "MUFU.RCP R0, R1");
        assert_eq!(of(given(None, Some("FP64"))), "FP64*3");
        assert_eq!(of(given(None, None)), "BRANCH*1");
        assert_eq!(of(given(Some(Unit::CudaCore), None)), "FP32*3");
        assert_eq!(of(given(Some(Unit::LoadStore), None)), "GLOBAL.32*3");
    }

    const KERNEL: &str = ".version 7.0\n.target sm_80\n.visible .entry k()\n{\nld.global.f32 %f1, [%rd1];\nA:\n\
                          ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];\nst.shared.f64 [%r1], %fd1;\nbar.sync 0;\nret;\n}\n";

    fn on(transactions: &[&str]) -> Result<Entry, String> {
        let mut options = Options { explain: true, ..Options::default() };
        options.machine = Some(Arc::new(find_machine("8.7").unwrap().machine));
        for given in transactions {
            options.transactions.add(given).unwrap();
        }
        let text = Text::new("k.ptx", KERNEL.as_bytes().to_vec()).unwrap();
        extract(&text, &options).map(|mut all| all.remove(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn transactions_that_are_declared() {
        let program = |given: &[&str]| {
            let on = on(given).unwrap().on_machine.unwrap();
            on.machine.text(on.program.as_ref().unwrap())
        };
        let worst = "<GLOBAL.32><GLOBAL.32><SHARED.32><BARRIER>|<BRANCH>";
        assert_eq!(program(&[]), worst);
        assert_eq!(program(&["*=1"]), "<GLOBAL><GLOBAL.4><SHARED.2><BARRIER>|<BRANCH>");
        assert_eq!(program(&["A=2"]), "<GLOBAL.32><GLOBAL.8><SHARED.4><BARRIER>|<BRANCH>");
        assert_eq!(program(&["A=2", "8=1"]), "<GLOBAL.32><GLOBAL.8><SHARED.2><BARRIER>|<BRANCH>");
        // More than one transaction a lane is never needed.
        assert_eq!(program(&["*=99"]), worst);
        assert_eq!(
            on(&["B=2"]).unwrap_err(),
            "k.ptx: transactions of \"B\": no memory instruction has this label or line"
        );
    }

    #[test]
    fn passes_hold_the_unit_one_after_the_other() {
        let entry = on(&["5=1", "A=1"]).unwrap();
        let on = entry.on_machine.unwrap();
        let of = |name: &str| on.machine.letter(on.machine.find(name).unwrap()).clone();
        let (one, four) = (of("GLOBAL"), of("GLOBAL.4"));
        assert_eq!(four.occupancy, 4 * one.occupancy);
        assert_eq!(four.latency.most, one.latency.most + 3 * one.occupancy);
        assert_eq!((four.latency.least, four.unit), (one.latency.least, one.unit));
        assert_eq!(on.base(on.machine.find("GLOBAL.4").unwrap()), "GLOBAL");
        assert!(on.worst_case.is_empty());
        let whys: Vec<String> =
            on.lines.iter().map(|line| line.letters.as_ref().unwrap()[0].why.clone()).collect();
        assert_eq!(whys[0], "1 transaction, declared");
        assert_eq!(whys[1], "4 passes, 1 transaction each, declared");
        assert_eq!(on_worst(), "32 transactions, worst case");
    }

    fn on_worst() -> String {
        on(&[]).unwrap().on_machine.unwrap().lines[0].letters.as_ref().unwrap()[0].why.clone()
    }
}
