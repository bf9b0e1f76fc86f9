//! An interpreter of SASS text: 32 lanes run one kernel, each with its registers, predicates and place in the code.
//!
//! It reads the text of a kernel as a disassembler prints it and shares nothing with the program. The lanes at the earliest instruction run
//! first, so that lanes which diverge at a branch forward reconverge at its target.

use std::collections::BTreeMap;

pub(super) const LANES: usize = 32;
type Word = [u32; LANES];

/// What one execution of an access touched: the place of its instruction, and the address and bytes of each lane, if it ran it.
pub(super) struct Access {
    pub(super) at: usize,
    pub(super) addresses: [Option<u64>; LANES],
    pub(super) bytes: u64,
    pub(super) shared: bool,
}

/// The threads of a warp in their block, and the constants that the launch sets.
pub(super) struct Launch {
    pub(super) block: [u32; 3],
    pub(super) warp: u32,
    pub(super) constants: BTreeMap<u32, u32>,
}

struct Warp<'a> {
    launch: &'a Launch,
    registers: Vec<Word>,
    predicates: [[bool; LANES]; 8],
    at: [Option<usize>; LANES],
}

/// An instruction: its guard, its opcode with modifiers, its operands.
struct Instruction<'a> {
    guard: Option<&'a str>,
    name: &'a str,
    modifiers: Vec<&'a str>,
    operands: Vec<&'a str>,
}

impl<'a> Instruction<'a> {
    fn read(text: &'a str) -> Self {
        let (guard, rest) = match text.strip_prefix('@') {
            Some(rest) => {
                let (guard, rest) = rest.split_once(' ').unwrap();
                (Some(guard), rest)
            }
            None => (None, text),
        };
        let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        let mut parts = opcode.split('.');
        let name = parts.next().unwrap();
        let operands = operands.split(", ").filter(|one| !one.is_empty()).collect();
        Self { guard, name, modifiers: parts.collect(), operands }
    }

    fn is(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }
}

/// Runs the instructions of a kernel, some of which stand behind labels, until all lanes have left; what its accesses to memory touch.
pub(super) fn run(lines: &[&str], labels: &BTreeMap<&str, usize>, launch: &Launch) -> Vec<Access> {
    let instructions: Vec<Instruction<'_>> = lines.iter().map(|line| Instruction::read(line)).collect();
    let mut warp = Warp {
        launch,
        registers: vec![[0; LANES]; 256],
        predicates: [[true; LANES]; 8],
        at: [Some(0); LANES],
    };
    let mut touched = Vec::new();
    while let Some(at) = warp.at.iter().flatten().min().copied() {
        let here: Vec<usize> = (0..LANES).filter(|&lane| warp.at[lane] == Some(at)).collect();
        let instruction = &instructions[at];
        let runs = |lane: &usize| instruction.guard.is_none_or(|guard| warp.predicate(guard)[*lane]);
        let active: Vec<usize> = here.iter().copied().filter(runs).collect();
        here.iter().for_each(|&lane| warp.at[lane] = Some(at + 1));
        match instruction.name {
            "EXIT" => active.iter().for_each(|&lane| warp.at[lane] = None),
            "BRA" | "CALL" => {
                let label = instruction.operands[0].trim_matches(['`', '(', ')']);
                active.iter().for_each(|&lane| warp.at[lane] = Some(labels[label]));
            }
            // Of the addresses of instructions, which lie 16 bytes apart.
            "RET" => {
                let register = instruction.operands[0].split(' ').next().unwrap();
                let back = warp.word(register);
                active.iter().for_each(|&lane| warp.at[lane] = Some(back[lane] as usize / 16));
            }
            "BSSY" | "BSYNC" => {}
            "LDG" | "STG" | "LDS" | "STS" => {
                let place = if instruction.name.starts_with('L') { 1 } else { 0 };
                let shared = instruction.name.ends_with('S');
                let of_lanes = warp.addresses(instruction.operands[place], shared);
                let bytes = if instruction.is("128") {
                    16
                } else if instruction.is("64") {
                    8
                } else {
                    4
                };
                let mut addresses = [None; LANES];
                active.iter().for_each(|&lane| addresses[lane] = Some(of_lanes[lane] & !(bytes - 1)));
                touched.push(Access { at, addresses, bytes, shared });
            }
            _ => warp.compute(instruction, &active),
        }
    }
    touched
}

/// The number of a register or a predicate: 20 of `R20`.
fn register(text: &str) -> usize {
    text[1..].parse().unwrap()
}

/// The offset of a constant: 0x160 of `c[0x0][0x160]`; none of another operand.
fn constant(text: &str) -> Option<u32> {
    let offset = text.strip_prefix("c[0x0][0x")?.trim_end_matches(']');
    Some(u32::from_str_radix(offset, 16).unwrap())
}

fn signed(word: u32) -> i64 {
    i64::from(word.cast_signed())
}

fn lower(word: u64) -> u32 {
    u32::try_from(word & 0xffff_ffff).unwrap()
}

impl Instruction<'_> {
    /// The number that a word stands for: with a sign, unless the opcode says otherwise.
    fn number(&self, word: u32) -> i64 {
        if self.is("U32") { i64::from(word) } else { signed(word) }
    }

    /// The 64 bits of a product.
    fn product(&self, a: u32, b: u32) -> u64 {
        match self.is("U32") {
            true => u64::from(a) * u64::from(b),
            false => (signed(a) * signed(b)).cast_unsigned(),
        }
    }
}

/// What a table of three inputs says of each bit.
fn table(table: u32, [a, b, c]: [u32; 3]) -> u32 {
    (0..8).filter(|row| table >> row & 1 == 1).fold(0, |all, row| {
        let of = |word: u32, bit: u32| if row & bit == 0 { !word } else { word };
        all | of(a, 4) & of(b, 2) & of(c, 1)
    })
}

impl Warp<'_> {
    fn predicate(&self, text: &str) -> [bool; LANES] {
        let (negated, name) = text.strip_prefix('!').map_or((false, text), |name| (true, name));
        let number = if name == "PT" { 7 } else { register(name) };
        self.predicates[number].map(|value| value != negated)
    }

    /// The values of an operand, which may have a minus.
    fn word(&self, text: &str) -> Word {
        if let Some(rest) = text.strip_prefix('-') {
            return self.word(rest).map(u32::wrapping_neg);
        }
        if let Some(rest) = text.strip_prefix('~') {
            return self.word(rest).map(|word| !word);
        }
        if text == "RZ" {
            return [0; LANES];
        }
        if let Some(number) = text.strip_prefix("0x") {
            return [u32::from_str_radix(number, 16).unwrap(); LANES];
        }
        match constant(text) {
            Some(offset) => [self.launch.constants[&offset]; LANES],
            None => self.registers[register(text)],
        }
    }

    /// The word above that of an operand: of the register behind it, or of the constant.
    fn upper(&self, text: &str) -> Word {
        match constant(text) {
            _ if text == "RZ" || text.starts_with("0x") => [0; LANES],
            Some(offset) => [self.launch.constants[&(offset + 4)]; LANES],
            None => self.registers[register(text) + 1],
        }
    }

    fn pair(&self, text: &str) -> [u64; LANES] {
        let (lower, upper) = (self.word(text), self.upper(text));
        std::array::from_fn(|lane| u64::from(upper[lane]) << 32 | u64::from(lower[lane]))
    }

    /// The addresses of `[R2.64+0x10]`, or of `[R2+0x10]` in shared memory.
    fn addresses(&self, text: &str, shared: bool) -> [u64; LANES] {
        let inside = text.trim_matches(['[', ']']);
        let (register, offset) = inside.split_once('+').unwrap_or((inside, "0x0"));
        let offset = u64::from_str_radix(&offset[2..], 16).unwrap();
        let of_lanes = match shared {
            true => self.word(register).map(u64::from),
            false => self.pair(register.trim_end_matches(".64")),
        };
        of_lanes.map(|address| address.wrapping_add(offset))
    }

    /// Runs what computes: registers and predicates of the lanes that run it change.
    fn compute(&mut self, one: &Instruction<'_>, active: &[usize]) {
        let operands = &one.operands;
        let first_is_predicate = |text: &str| text == "PT" || text.starts_with('P');
        match one.name {
            "ISETP" => return self.compare(one, active),
            "PLOP3" => {
                let [a, b, c] = [2, 3, 4].map(|place| self.predicate(operands[place]));
                let rows = self.word(operands[5])[0];
                let word = |value: bool| if value { u32::MAX } else { 0 };
                let found = |lane: usize| table(rows, [word(a[lane]), word(b[lane]), word(c[lane])]) & 1 == 1;
                return self.set(operands[0], active, found);
            }
            _ => {}
        }
        // A predicate behind the destination takes the carry, or two take what the sum of two words carries, and that with the third one.
        let carry: Vec<&str> =
            operands[1..].iter().copied().take_while(|text| first_is_predicate(text)).collect();
        let sources: Vec<&str> = operands[1 + carry.len()..].to_vec();
        let destination = register(operands[0]);
        let word = |place: usize| self.word(sources[place]);
        let mut carries = [[false; LANES]; 2];
        let mut upper = None;
        let found: Word = match one.name {
            "S2R" => {
                let [x, y, _] = self.launch.block;
                std::array::from_fn(|lane| {
                    let thread = self.launch.warp * 32 + u32::try_from(lane).unwrap();
                    match sources[0] {
                        "SR_TID.X" => thread % x,
                        "SR_TID.Y" => thread / x % y,
                        "SR_LANEID" => thread % 32,
                        other => panic!("{other}"),
                    }
                })
            }
            "MOV" => word(0),
            "IADD3" => {
                let [a, b, c] = [0, 1, 2].map(word);
                let into = |place: usize| match sources.get(place) {
                    Some(carry) if one.is("X") => self.predicate(carry),
                    _ => [false; LANES],
                };
                let into = [3, 4].map(into);
                // A word that is subtracted is added as its complement and 1, which carries where the word is zero.
                let one_more = |place: usize, word: u32| match sources[place].starts_with('-') {
                    true => u64::from(!word.wrapping_neg()) + 1,
                    false => u64::from(word),
                };
                std::array::from_fn(|lane| {
                    let [a, b, c] = [(0, a), (1, b), (2, c)].map(|(place, word)| one_more(place, word[lane]));
                    let sum = a + b + c + into.iter().map(|into| u64::from(into[lane])).sum::<u64>();
                    let first = if carry.len() > 1 { a + b } else { sum };
                    carries[0][lane] = first >> 32 != 0;
                    carries[1][lane] = sum >> 32 > first >> 32;
                    lower(sum)
                })
            }
            "IMAD" if one.is("WIDE") => {
                let ([a, b], c) = ([0, 1].map(word), self.pair(sources[2]));
                let all: [u64; LANES] =
                    std::array::from_fn(|lane| one.product(a[lane], b[lane]).wrapping_add(c[lane]));
                upper = Some(all.map(|word| lower(word >> 32)));
                all.map(lower)
            }
            "IMAD" if one.is("HI") => {
                let ([a, b], c) = ([0, 1].map(word), self.pair(sources[2]));
                std::array::from_fn(|lane| lower(one.product(a[lane], b[lane]).wrapping_add(c[lane]) >> 32))
            }
            // IADD, SHL and MOV are products by 1, by a power of two, and sums with nothing.
            "IMAD" => {
                let [a, b, c] = [0, 1, 2].map(word);
                let into = if one.is("X") { self.predicate(sources[3]) } else { [false; LANES] };
                std::array::from_fn(|lane| {
                    a[lane].wrapping_mul(b[lane]).wrapping_add(c[lane]).wrapping_add(into[lane].into())
                })
            }
            "SHF" => self.shifted(one, [0, 1, 2].map(word)),
            "LOP3" => {
                let ([a, b, c], rows) = ([0, 1, 2].map(word), word(3)[0]);
                std::array::from_fn(|lane| table(rows, [a[lane], b[lane], c[lane]]))
            }
            "LEA" => {
                let ([a, b], by) = ([0, 1].map(word), word(sources.len() - 1 - usize::from(one.is("X")))[0]);
                // The upper half of a pair whose lower half was shifted by as much, or of a number with its sign.
                let above = match (one.is("HI"), one.is("SX32")) {
                    (_, true) => a.map(|word| (signed(word) >> 32).cast_unsigned()),
                    (true, false) => word(2).map(u64::from),
                    (false, false) => [0; LANES],
                };
                let into =
                    if one.is("X") { self.predicate(sources[sources.len() - 1]) } else { [false; LANES] };
                std::array::from_fn(|lane| {
                    let whole = (above[lane] << 32 | u64::from(a[lane])) << by;
                    let part = if one.is("HI") { whole >> 32 } else { whole } & 0xffff_ffff;
                    let sum = part + u64::from(b[lane]) + u64::from(into[lane]);
                    carries[0][lane] = sum >> 32 != 0;
                    lower(sum)
                })
            }
            "IMNMX" | "VIMNMX" => {
                let ([a, b], least) = ([0, 1].map(word), self.predicate(sources[2]));
                std::array::from_fn(|lane| {
                    let a_is_less = one.number(a[lane]) < one.number(b[lane]);
                    if a_is_less == least[lane] { a[lane] } else { b[lane] }
                })
            }
            "SEL" => {
                let ([a, b], which) = ([0, 1].map(word), self.predicate(sources[2]));
                std::array::from_fn(|lane| if which[lane] { a[lane] } else { b[lane] })
            }
            "IABS" => word(0).map(|word| word.cast_signed().unsigned_abs()),
            "POPC" => word(0).map(u32::count_ones),
            "BREV" => word(0).map(u32::reverse_bits),
            "PRMT" => {
                let [a, which, b] = [0, 1, 2].map(word);
                std::array::from_fn(|lane| {
                    let bytes = u64::from(b[lane]) << 32 | u64::from(a[lane]);
                    (0..4).fold(0, |all, place| {
                        let nibble = which[lane] >> (4 * place) & 15;
                        let byte = lower(bytes >> (8 * (nibble & 7)) & 255);
                        // The fourth bit copies the sign of the byte.
                        let byte = if nibble & 8 == 0 {
                            byte
                        } else if byte & 128 == 0 {
                            0
                        } else {
                            255
                        };
                        all | byte << (8 * place)
                    })
                })
            }
            "SGXT" => {
                let ([a, _], bits) = ([0, 1].map(word), word(1)[0]);
                a.map(|word| match (bits, one.is("U32")) {
                    (32.., _) => word,
                    (_, true) => word & ((1 << bits) - 1),
                    (_, false) => (word << (32 - bits)).cast_signed().wrapping_shr(32 - bits).cast_unsigned(),
                })
            }
            other => panic!("{other} is not known here"),
        };
        for &lane in active {
            self.registers[destination][lane] = found[lane];
            if let Some(upper) = upper {
                self.registers[destination + 1][lane] = upper[lane];
            }
        }
        for (carry, carries) in carry.into_iter().zip(carries) {
            self.set(carry, active, |lane| carries[lane]);
        }
    }

    /// A word shifted left or right, or a part of two words that are shifted together. More than all places leave nothing, or the sign.
    fn shifted(&self, one: &Instruction<'_>, [low, by, high]: [Word; 3]) -> Word {
        std::array::from_fn(|lane| {
            let whole = u64::from(high[lane]) << 32 | u64::from(low[lane]);
            let by = by[lane].min(32);
            let found = match (one.is("L"), one.is("HI")) {
                (true, false) => whole << by,
                (true, true) => whole << by >> 32,
                (false, true) if one.is("S32") => (whole.cast_signed() >> by >> 32).cast_unsigned(),
                (false, true) => whole >> by >> 32,
                (false, false) => whole >> by,
            };
            lower(found)
        })
    }

    fn compare(&mut self, one: &Instruction<'_>, active: &[usize]) {
        let [a, b] = [2, 3].map(|place| self.word(one.operands[place]));
        let with = self.predicate(one.operands[4]);
        let found = |lane: usize| {
            let order = one.number(a[lane]).cmp(&one.number(b[lane]));
            let holds = match one.modifiers[0] {
                "EQ" => order.is_eq(),
                "NE" => order.is_ne(),
                "LT" => order.is_lt(),
                "LE" => order.is_le(),
                "GT" => order.is_gt(),
                "GE" => order.is_ge(),
                other => panic!("{other}"),
            };
            match () {
                () if one.is("AND") => holds && with[lane],
                () if one.is("OR") => holds || with[lane],
                () => holds != with[lane],
            }
        };
        self.set(one.operands[0], active, found);
    }

    fn set(&mut self, name: &str, active: &[usize], found: impl Fn(usize) -> bool) {
        if name == "PT" {
            return;
        }
        for &lane in active {
            self.predicates[register(name)][lane] = found(lane);
        }
    }
}
