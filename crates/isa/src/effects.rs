//! What instructions of SASS read and write, as far as the analysis of uniformity needs it: registers that
//! differ from thread to thread. Uniform registers (`UR4`, `UP0`) belong to the warp, so that they are none
//! of these.
//!
//! NVIDIA documents no operands. What is known of an opcode says the table of SASS.

use crate::instruction::{Flow, Guard, Instruction};
use crate::operand::{self, Operand};
use crate::register::{File, Register};
use crate::row::{Output, Transfer, Value};
use crate::sass::row;
use crate::written::{WIDEST, width_of};

const PREDICATES: usize = 256;
const CONDITION: usize = PREDICATES + 8;

/// A set of registers: R0 to R255, P0 to P7 and the condition code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers([u64; 5]);

impl Registers {
    /// All of them.
    pub const ALL: Self = Self([u64::MAX; 5]);

    /// The condition code, which additions with a carry write up to capability 6.x.
    pub fn condition() -> Self {
        let mut found = Self::default();
        found.insert(CONDITION);
        found
    }

    /// The predicate of a guard; nothing for a uniform one, or a constant.
    pub fn of_guard(guard: Guard<'_>) -> Self {
        let mut found = Self::default();
        Register::of(guard.register).into_iter().for_each(|register| found.insert_registers(register, 1));
        found
    }

    /// Adds a register of a thread, with so many registers in all from it on.
    fn insert_registers(&mut self, register: Register, each: usize) {
        match register.file {
            File::General => self.insert_run(register.number, each),
            File::Predicate => self.insert(PREDICATES + register.number),
            File::Uniform | File::UniformPredicate | File::Barrier => {}
        }
    }

    const fn insert(&mut self, register: usize) {
        if register <= CONDITION {
            self.0[register / 64] |= 1 << (register % 64);
        }
    }

    fn insert_run(&mut self, first: usize, count: usize) {
        let end = if first < PREDICATES { PREDICATES } else { CONDITION };
        (first..(first + count).min(end)).for_each(|register| self.insert(register));
    }

    /// Those of both sets together.
    pub fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Those that are not in another set.
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Those that are in another set too.
    pub fn both(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Those that it holds, each by a number of its own.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..=CONDITION).filter(move |register| self.0[register / 64] >> (register % 64) & 1 == 1)
    }

    /// Whether it holds a predicate, by its number.
    pub const fn has_predicate(self, number: usize) -> bool {
        let register = PREDICATES + number;
        self.0[register / 64] >> (register % 64) & 1 == 1
    }

    /// Whether all of them are in another set.
    pub fn within(self, other: Self) -> bool {
        self.without(other) == Self::default()
    }
}

/// What an instruction does to the registers of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects {
    /// What it reads.
    pub reads: Registers,
    /// What it writes, unless its predicate is false.
    pub writes: Registers,
    /// What it may write besides.
    pub touches: Registers,
    /// Whether what it writes may differ among threads although all that it reads is the same.
    pub varies: bool,
    /// Whether that is so only of threads that do not execute it together: they may find other contents of
    /// memory.
    pub varies_apart: bool,
    /// What it gives all threads alike that execute it together, but not all that execute it apart.
    pub together: Registers,
}

/// What is known of an opcode.
pub enum Kind {
    /// What it writes is a function of what it reads.
    Computes,
    /// It writes no register of a thread.
    Quiet,
    /// It reads memory.
    Reads {
        /// How many registers it fills.
        count: usize,
        /// Whether nobody writes there while the kernel runs.
        constant: bool,
    },
    /// It writes the predicates that a mask names, the last operand, or some of the condition code.
    Unpacks,
    /// It asks the threads that execute it together. Its first operand is the answer.
    Votes,
    /// It writes its first operand, with so many registers at most and the predicates before it, with
    /// anything.
    Loads(usize),
    /// It writes some of the registers that it names, with anything.
    Fetches,
    /// It may do anything.
    Unknown,
}

/// What is known of the opcode of an instruction.
pub fn kind(instruction: &Instruction<'_>) -> Kind {
    let Some(row) = row(instruction.name()) else { return Kind::Unknown };
    if instruction.operands().iter().any(Operand::is_chosen) {
        return Kind::Unknown;
    }
    let special = || match instruction.operands().get(1).map(|operand| operand.kind) {
        Some(operand::Kind::Special(name, _)) => is_of_block(name),
        _ => false,
    };
    let strong = || instruction.has_any(&["STRONG", "MMIO"]);
    let count = |width| width_of(width, instruction.opcode).map(|(_, most)| most);
    match (row.output, row.value) {
        // Whatever a barrier of the block answers, it is the same for all threads.
        (Output::Nothing, _) => Kind::Quiet,
        (Output::Mask, _) => Kind::Unpacks,
        (Output::Anything, _) => Kind::Unknown,
        (Output::Named, _) => Kind::Fetches,
        (_, Value::Vote) => Kind::Votes,
        (_, Value::Function) | (Output::Predicates, _) => Kind::Computes,
        (_, Value::Special) if special() => Kind::Computes,
        (Output::Register(width), Value::Memory) if !strong() => match count(width) {
            Some(count) => Kind::Reads { count, constant: instruction.has_modifier("CONSTANT") },
            None => Kind::Fetches,
        },
        (Output::Register(width), _) => count(width).map_or(Kind::Fetches, Kind::Loads),
    }
}

/// Whether a special register is the same for all threads of a block.
fn is_of_block(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["SR_CTAID", "SR_NCTAID", "SR_NTID", "SR_CGACTAID"].iter().any(|one| name.starts_with(one))
        || name == "SRZ"
}

/// The registers that operands name, with so many registers in all from each on.
pub fn named<'o>(operands: impl IntoIterator<Item = &'o Operand<'o>>, each: usize) -> Registers {
    let mut found = Registers::default();
    for operand in operands {
        operand.registers.iter().for_each(|&register| found.insert_registers(register, each));
        if operand.names_code {
            found.insert(CONDITION);
        }
    }
    found
}

/// The registers whose values decide where a branch goes, its guard not included.
pub fn deciding(instruction: &Instruction<'_>) -> Registers {
    let operands = instruction.operands();
    match row(instruction.name()).map_or(Transfer::Next, |row| row.transfer) {
        // It asks whether the warp is together, which is the same for all threads that ask together.
        Transfer::Jump if instruction.has_any(&["DIV", "CONV"]) => Registers::default(),
        Transfer::Jump => named(operands.split_last().map_or(&[][..], |(_, before)| before), 1),
        Transfer::Indirect => named(operands, 2),
        _ if !matches!(instruction.flow, Flow::Next) => {
            named(operands.iter().filter(|operand| operand.is_condition()), 1)
        }
        _ => Registers::default(),
    }
}

/// Whether the results of an opcode are one or two predicates.
pub fn compares(name: &str) -> bool {
    name.ends_with("SETP") || matches!(name, "HSETP2" | "PLOP3" | "UPLOP3" | "FCHK")
}

/// What an instruction does to the registers of a thread. A call is not looked into.
pub fn effects(instruction: &Instruction<'_>) -> Effects {
    let operands = instruction.operands();
    let name = instruction.name();
    // Any predicate that is not negated may be a result.
    let predicates = || named(operands.iter().filter(|one| one.is_result()), 1);
    let leading = operands.iter().take_while(|one| one.is_result()).count();
    match kind(instruction) {
        Kind::Quiet => Effects::default(),
        Kind::Fetches => Effects { touches: named(operands, WIDEST), varies: true, ..Effects::default() },
        Kind::Loads(each) => {
            let touches = named(&operands[..(leading + 1).min(operands.len())], each).with(predicates());
            Effects { touches, varies: true, ..Effects::default() }
        }
        Kind::Votes => {
            let together = named(operands.first(), 1);
            Effects { touches: named(operands, 1), varies: true, together, ..Effects::default() }
        }
        Kind::Reads { count, constant } => {
            let (results, rest) = operands.split_at((leading + 1).min(operands.len()));
            let writes = named(results, count);
            // An address of shared memory has 32 bits.
            let reads = named(rest, if name == "LDS" { 1 } else { 2 });
            let touches = writes.with(predicates());
            Effects { reads, writes, touches, varies_apart: !constant, ..Effects::default() }
        }
        Kind::Unpacks => {
            let (results, rest) = operands.split_at(operands.len().min(1));
            let mut writes = Registers::default();
            if let ([all], Some(operand::Kind::Number(mask))) = (results, rest.last().map(|mask| mask.kind))
                && all.text == "PR"
            {
                let written = (0..7).filter(|predicate| mask >> predicate & 1 == 1);
                written.for_each(|predicate| writes.insert(PREDICATES + predicate));
            }
            Effects { reads: named(rest, 1), writes, touches: named(results, 1), ..Effects::default() }
        }
        Kind::Unknown => Effects { touches: Registers::ALL, varies: true, ..Effects::default() },
        Kind::Computes => {
            // A shift of 64 bits names both halves.
            let wide = name.starts_with('D')
                || instruction.has_any(&["WIDE", "64", "F64", "S64", "U64"])
                || name == "CS2R";
            let wide = wide && name != "SHF";
            let each = if wide { 2 } else { 1 };
            let pair = matches!(name, "DADD" | "DMUL" | "DFMA" | "DMNMX")
                || name == "IMAD" && instruction.has_any(&["WIDE"])
                || name == "LDC" && instruction.has_any(&["64"])
                || name == "CS2R" && !instruction.has_any(&["32"]);
            let compares = compares(name);
            // A comparison has one or two predicates as results. Another opcode has a register, with
            // predicates before or behind it.
            let results = if compares { leading.min(2) } else { leading + 1 };
            let (results, rest) = operands.split_at(results.min(operands.len()));
            let behind = if compares || leading > 0 || name == "P2R" {
                0
            } else {
                rest.iter().take_while(|one| one.is_result()).count()
            };
            let (behind, rest) = rest.split_at(behind);
            let each_result = if name == "LDC" && instruction.has_any(&["128"]) { 4 } else { each };
            // Behind the result of a sum of three stand only the carries that it writes: those that it reads are its last operands.
            let (carries, behind) = behind.split_at(if name == "IADD3" { behind.len() } else { 0 });
            let writes = named(results, if pair { 2 } else { 1 }).with(named(carries, 1));
            let touches = named(results, each_result).with(named(behind, 1)).with(named(carries, 1));
            // The factors of a product of 64 bits have one register each, and only what is added to it has two.
            let product = name == "IMAD" && instruction.has_any(&["WIDE", "HI"]);
            let (factors, sum) = rest.split_at(if product { rest.len().min(2) } else { 0 });
            let mut reads = named(factors, 1).with(named(sum, if product { 2 } else { each }));
            // A predicate in the place of a carry that is written may also be one that is read.
            reads = reads.with(named(behind, 1));
            let extends = |part: &str| part.starts_with('X') && part != "XOR";
            if instruction.modifiers().any(extends) || matches!(name, "CSET" | "CSETP") {
                reads = reads.with(Registers::condition());
            }
            // Of a move up to 6.x the last operand is a mask of lanes: the others keep what they had.
            let masked = matches!(name, "MOV" | "MOV32I") && rest.get(1).is_some_and(|mask| !mask.is(0xf));
            if name != "XMAD" && instruction.opcode.contains(".MRG")
                || masked
                || results.iter().any(Operand::is_part)
            {
                reads = reads.with(writes);
            }
            Effects { reads, writes, touches, ..Effects::default() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Language;

    fn of(text: &str) -> Effects {
        effects(&one(text))
    }

    /// An instruction, whose flow counts only where it is none of the next ones.
    fn one(text: &str) -> Instruction<'_> {
        let (guard, text) = match text.strip_prefix('@').and_then(|text| text.split_once(' ')) {
            Some((register, text)) => (Some(Guard { register, negated: false }), text),
            None => (None, text),
        };
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut one = Instruction::new(Language::Sass, 1, guard, opcode, operands);
        one.flow = if opcode.starts_with("EXIT") { Flow::End } else { Flow::Next };
        one
    }

    fn set(names: &[&str]) -> Registers {
        names.iter().fold(Registers::default(), |all, name| all.with(named([&Operand::new(name)], 1)))
    }

    #[test]
    fn a_register_that_a_uniform_register_chooses_may_be_any() {
        for text in ["MOV R[UR5], R16", "MOV R50, R[UR4]", "HMMA.16816.F32.BF16 R[UR4], R8, R12, R[UR4], UPT"]
        {
            assert_eq!((of(text).touches, of(text).varies), (Registers::ALL, true), "{text}");
        }
    }

    #[test]
    fn a_query_of_a_cache_may_have_a_result() {
        assert!(of("CCTL.E.PF2.QFAULT P0, [R2]").touches.has_predicate(0));
        assert!(set(&["R4"]).within(of("CCTL.E.QRY1 R4, [R2]").touches));
    }

    #[test]
    fn results_and_operands() {
        let one = |text: &str, writes: &[&str], reads: &[&str]| {
            let found = of(text);
            assert_eq!((found.writes, found.reads, found.varies), (set(writes), set(reads), false), "{text}");
            assert!(found.writes.within(found.touches), "{text}");
        };
        one("IADD3 R4, R4, 0x1, RZ", &["R4"], &["R4"]);
        one("@!P1 IMAD.MOV R3, RZ, RZ, -R3.reuse", &["R3"], &["R3"]);
        one("ISETP.GE.AND P0, PT, R0, c[0x0][0x160], P3", &["P0"], &["R0", "P3"]);
        one("LOP3.LUT P0, R5, R17, 0x7fffffff, RZ, 0xc0, !P2", &["P0", "R5"], &["R17", "P2"]);
        one("PLOP3.LUT P0, P4, P1, P2, PT, 0x80, 0x0", &["P0", "P4"], &["P1", "P2"]);
        one("IMAD.WIDE R2, R7, R8, c[0x0][0x170]", &["R2", "R3"], &["R7", "R8"]);
        one("IMAD.WIDE.U32 R2, R7, 0x4, R10", &["R2", "R3"], &["R7", "R10", "R11"]);
        one("IMAD.HI.U32 R5, R7, R8, R4", &["R5"], &["R7", "R8", "R4", "R5"]);
        one("HADD2.MRG_H0 R0, R1, R2", &["R0"], &["R0", "R1", "R2"]);
        one("MOV R0, R1, 0x1", &["R0"], &["R0", "R1"]);
        one("MOV R0, R1, 0xf", &["R0"], &["R1"]);
        one("PSET.BF.AND.AND R1, PT, PT, P0", &["R1"], &["P0"]);
        one("R2P PR, R2, 0x5", &["P0", "P2"], &["R2"]);
        one("R2P CC, R2, 0xf", &[], &["R2"]);
        one("IMNMX.XHI R1, RZ, R3, PT", &["R1"], &["R3", "CC"]);
        one("SEL R11, R4, R3, !P2", &["R11"], &["R4", "R3", "P2"]);
        one("LDC.64 R10, c[0x3][R0+0x20]", &["R10", "R11"], &["R0", "R1"]);
        one("S2R R0, SR_CTAID.X", &["R0"], &[]);
        one("CS2R R4, SRZ", &["R4", "R5"], &[]);
        one("SHF.R.U64 R5, R2, 0x8, R3", &["R5"], &["R2", "R3"]);
        one("MOV R1, UR4", &["R1"], &[]);
        one("IADD3 R4, P1, R2, R3, RZ", &["R4", "P1"], &["R2", "R3"]);
        one("IADD3 R4, P1, P2, R2, R3, R5", &["R4", "P1", "P2"], &["R2", "R3", "R5"]);
        one("IADD3.X R4, P1, R2, R3, RZ, P0, !PT", &["R4", "P1"], &["R2", "R3", "P0", "CC"]);
        assert_eq!(of("LEA R4, P1, R2, R3, 0x2").touches, set(&["R4", "P1"]));
    }

    #[test]
    fn what_is_fetched_or_not_known() {
        let load = of("LDG.E.64 R4, [R2.64+0x8]");
        assert!(load.varies_apart && load.writes == set(&["R4", "R5"]) && load.reads == set(&["R2", "R3"]));
        assert!(of("LDG.E.STRONG.GPU R4, [R2]").varies && of("LDL R4, [R2]").varies);
        assert_eq!(of("LDS.U R4, [R2]").touches, set(&["R4"]));
        assert_eq!(of("@P1 SHFL.DOWN PT, R9, R4, 0x1, 0x1f").touches, set(&["R9"]));
        assert_eq!(of("ATOMG.E.ADD.STRONG.GPU PT, R6, [R2], R5").touches, set(&["R6"]));
        assert_eq!(of("ATOMG.E.ADD.64.STRONG.GPU PT, R6, [R2], R4").touches, set(&["R6", "R7"]));
        assert!(set(&["R6", "R13"]).within(of("ATOMG.E.ADD.ANEW PT, R6, [R2], R4").touches));
        let texture = of("TEX.SCR R6, R4, R8, 0x0, 0x58, 2D");
        assert!(set(&["R4", "R15"]).within(texture.touches) && !set(&["R3"]).within(texture.touches));
        assert_eq!(of("STG.E [R2.64], R4"), Effects::default());
        assert!(of("S2R R0, SR_TID.X").varies);
        assert!(set(&["P0"]).within(of("B2R.RESULT RZ, P0").touches));
        assert_eq!(of("R2P CC, R2, 0xf").touches, set(&["CC"]));
        let vote = of("VOTE.ANY P0, P1");
        assert!(vote.varies && vote.together == set(&["P0"]) && vote.touches == set(&["P0", "P1"]));
        let constant = of("LDG.E.CONSTANT R4, [R2.64]");
        assert_eq!(
            (constant.varies, constant.reads, constant.writes),
            (false, set(&["R2", "R3"]), set(&["R4"]))
        );
        assert_eq!(of("S2UR UR4, SR_CTAID.X").touches, set(&[]));
        assert_eq!(of("@P1 CALL.REL.NOINC 0x8").touches, set(&[]));
        assert!(set(&["R6", "R7"]).within(of("CALL.REL R6 0x8").touches));
        assert_eq!(of("HGMMA.64x64x16.F32 R24, gdesc[UR8], R24").touches, Registers::ALL);
        assert_eq!(of("WHATEVER R1, R2").touches, Registers::ALL);
    }

    #[test]
    fn what_decides_a_branch() {
        let decides = |text: &str| deciding(&one(text));
        assert_eq!(decides("BRA P1, 0x8"), set(&["P1"]));
        assert_eq!(decides("@P2 BRA 0x8"), set(&[]));
        assert_eq!(decides("BRA.DIV UR4, 0x8"), set(&[]));
        assert_eq!(decides("BRX R2 -0x110"), set(&["R2", "R3"]));
        assert_eq!(decides("EXIT !P3"), set(&["P3"]));
        assert_eq!(decides("EXIT CC.NEU"), set(&["CC"]));
        assert_eq!(decides("EXIT CC.T"), set(&[]));
    }
}
