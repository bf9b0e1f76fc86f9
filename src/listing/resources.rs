//! What a listing says of the registers and the shared memory of an entry.
//!
//! | listing | registers of a thread | static shared memory |
//! |---|---|---|
//! | `cuobjdump -sass --dump-resource-usage` | `REG:` | `SHARED:`, with 1 KiB of the system from 9.0 on |
//! | `nvdisasm` | `SHI_REGISTERS`, `EIATTR_REGCOUNT` | the size of the section `.nv.shared` |
//! | PTX | at most `.maxnreg` | the sum of what `.shared` declares |
//!
//! A listing of SASS that names no number of registers needs one more than the largest register in its code,
//! or more: the callees and the system may need further ones.

use std::collections::BTreeSet;

use crate::listing::Text;
use crate::listing::fewest::fewest_instructions;
use crate::listing::routine::{Flow, Language, Listing};
use crate::model::device::Between;
use crate::source::InputError;

/// What a listing says of the resources of an entry. Where it leaves a number open, the number lies between two
/// ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelResources {
    /// Registers of a thread; none is above [`MOST_REGISTERS`].
    pub registers: Between,
    /// Bytes of shared memory that each block has, without what the launch adds; `None` if the listing does not
    /// tell.
    pub shared_memory: Option<u64>,
    /// Whether the code uses shared memory that the launch has to add.
    pub dynamic: bool,
    /// Whether the code may have an access to shared memory: always true where it calls other code or has accesses
    /// of which the listing does not say the space.
    pub uses_shared: bool,
    /// The most threads of a block, if the listing says it.
    pub most_threads: Option<u64>,
    /// The least number of blocks that the compiler was told to leave room for on a multiprocessor.
    pub least_resident: Option<u64>,
    /// The capability that the listing names for the entry.
    pub target: Option<String>,
    /// Whether the listing speaks of clusters of blocks.
    pub clusters: bool,
    /// The fewest instructions that a warp issues; 0 for PTX, of which the hardware may need fewer instructions.
    pub fewest_instructions: u64,
}

/// The most registers of a thread.
pub const MOST_REGISTERS: u64 = 255;
/// What `SHARED:` counts beside the kernel's own shared memory from capability 9.0 on.
const OF_THE_SYSTEM: u64 = 1 << 10;

impl Default for KernelResources {
    fn default() -> Self {
        Self {
            registers: Between { least: 1, most: MOST_REGISTERS },
            shared_memory: None,
            dynamic: false,
            uses_shared: true,
            most_threads: None,
            least_resident: None,
            target: None,
            clusters: false,
            fewest_instructions: 0,
        }
    }
}

impl Text {
    /// What the text says of the resources of an entry.
    ///
    /// # Errors
    /// If the text is no listing.
    pub fn resources(&self, entry: &str) -> Result<KernelResources, InputError> {
        let listing = self.listing()?;
        let found = match listing.language {
            Language::Ptx => of_ptx(self.text(), entry),
            Language::Sass => of_sass(self.text(), entry, &listing),
        };
        let routine = listing.routines.iter().find(|routine| routine.entry && routine.name == entry);
        let target = routine.and_then(|routine| routine.target.clone());
        let words =
            ["EIATTR_CTA_PER_CLUSTER", "EIATTR_EXPLICIT_CLUSTER", ".reqnctapercluster", ".explicitcluster"];
        let clusters = words.iter().any(|word| self.text().contains(word));
        Ok(KernelResources {
            target,
            clusters,
            fewest_instructions: fewest_instructions(&listing, entry),
            ..found
        })
    }
}

fn exactly(number: u64) -> Between {
    Between { least: number, most: number }
}

/// The number at the beginning of a text.
fn leading(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

fn of_sass(text: &str, entry: &str, listing: &Listing<'_>) -> KernelResources {
    let mut found = KernelResources::default();
    let (mut registers, mut section) = (BTreeSet::new(), "");
    // The function of the resource usage, the one whose register count follows, and whether a section of this
    // entry beside its code is there, so that one that is missing is empty.
    let (mut function, mut counted, mut whole) = ("", false, false);
    let mut in_count = false;
    let is_late = late(text, entry, listing);
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("Function ").filter(|_| !line.contains(" : ")) {
            function = name.trim_end_matches(':').trim();
        } else if let Some(rest) = line.strip_prefix("REG:").filter(|_| function == entry) {
            registers.extend(leading(rest));
            if let Some(shared) = rest.split("SHARED:").nth(1).and_then(leading) {
                let system = if is_late { OF_THE_SYSTEM } else { 0 };
                found.shared_memory = Some(shared.saturating_sub(system));
            }
        } else if let Some(rest) = line.strip_prefix(".section").filter(|rest| rest.starts_with([' ', '\t']))
        {
            section = rest.trim_start().split([',', '\t', ' ']).next().unwrap_or_default().trim_matches('"');
            let of_entry = |kind: &str| section.strip_prefix(kind) == Some(entry);
            whole |= of_entry(".nv.info.") || of_entry(".nv.constant0.") || of_entry(".nv.shared.");
            if of_entry(".nv.shared.") {
                found.shared_memory.get_or_insert(0);
            }
        } else if let Some(rest) = line.split("SHI_REGISTERS=").nth(1) {
            if section.strip_prefix(".text.") == Some(entry) {
                registers.extend(leading(rest));
            }
        } else if let Some(rest) = line.strip_prefix(".zero") {
            if section.strip_prefix(".nv.shared.") == Some(entry) {
                let more = leading(rest).unwrap_or(0);
                found.shared_memory = found.shared_memory.map(|shared| shared.saturating_add(more));
            }
        } else if line.starts_with("//-----") {
            (in_count, counted) = (line.contains("EIATTR_REGCOUNT"), false);
        } else if let Some(rest) = line.split(".word").nth(1).filter(|_| in_count) {
            let rest = rest.trim();
            match rest.strip_prefix("index@(").map(|name| name.trim_end_matches(')')) {
                Some(name) => counted = name == entry,
                None if counted => {
                    registers
                        .extend(rest.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()));
                }
                None => {}
            }
        }
    }
    if whole {
        found.shared_memory.get_or_insert(0);
    }
    let used = in_use(entry, listing);
    found.registers = match (registers.first(), registers.last()) {
        (Some(&least), Some(&most)) => Between { least, most },
        _ => Between { least: used.max(1), most: MOST_REGISTERS },
    };
    found.registers.most = found.registers.most.min(MOST_REGISTERS).max(found.registers.least);
    found.dynamic = found.shared_memory == Some(0) && shares(entry, listing, &SHARED);
    found.uses_shared = shares(entry, listing, &[&SHARED[..], &GENERIC].concat()) || calls(entry, listing);
    found
}

/// Whether the code is for capability 9.0 or later.
fn late(text: &str, entry: &str, listing: &Listing<'_>) -> bool {
    let target = listing.routines.iter().find(|one| one.name == entry).and_then(|one| one.target.as_deref());
    let major = target.and_then(|target| target.split('.').next()?.parse::<u32>().ok());
    let said = text.split("code for sm_").nth(1).and_then(leading).map(|digits| digits / 10);
    major.map(u64::from).or(said).is_some_and(|major| major >= 9)
}

/// One more than the largest register in the code of the entry.
fn in_use(entry: &str, listing: &Listing<'_>) -> u64 {
    let routines = listing.routines.iter().filter(|routine| routine.name == entry);
    let operands = routines.flat_map(|routine| &routine.instructions).map(|one| one.operands);
    let register =
        |word: &str| word.strip_prefix('R').filter(|digits| !digits.is_empty())?.parse::<u64>().ok();
    let words = operands.flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
    words
        .filter_map(register)
        .filter(|&number| number < MOST_REGISTERS)
        .map(|number| number + 1)
        .max()
        .unwrap_or(0)
}

/// Opcodes of accesses to shared memory.
const SHARED: [&str; 7] = ["LDS", "STS", "ATOMS", "LDSM", "STSM", "LDGSTS", "UBLKCP"];
/// Opcodes of accesses to any memory.
const GENERIC: [&str; 6] = ["LD", "ST", "ATOM", "RED", "QSPC", "UTMALDG"];

/// Whether the entry calls other code.
fn calls(entry: &str, listing: &Listing<'_>) -> bool {
    let of_entry = listing.routines.iter().filter(|one| one.name == entry);
    let mut instructions = of_entry.flat_map(|one| &one.instructions);
    instructions.any(|one| matches!(one.flow, Flow::Call(_) | Flow::Unknown))
}

/// Whether the code of the entry, or code that it may call, has one of these opcodes.
fn shares(entry: &str, listing: &Listing<'_>, names: &[&str]) -> bool {
    let calls = calls(entry, listing);
    let reached = listing.routines.iter().filter(|one| one.name == entry || calls && !one.entry);
    reached.flat_map(|one| &one.instructions).any(|one| names.contains(&one.name()))
}

fn of_ptx(text: &str, entry: &str) -> KernelResources {
    let mut found = KernelResources { shared_memory: Some(0), ..KernelResources::default() };
    // What the module declares is there for every entry, and may be used or not; bodies of others are not.
    let (mut depth, mut inside, mut of_entry) = (0_u32, false, false);
    for line in text.lines() {
        let words: Vec<&str> =
            line.split([' ', '\t', ',', ';', '(', ')', '{', '}']).filter(|w| !w.is_empty()).collect();
        let begins = words.iter().position(|&word| matches!(word, ".entry" | ".func"));
        if let Some(at) = begins.filter(|_| depth == 0) {
            inside = true;
            of_entry = words[at] == ".entry" && words.get(at + 1) == Some(&entry);
        }
        let number = |at: usize| words.get(at + 1).and_then(|word| word.parse::<u64>().ok());
        for (at, &word) in words.iter().enumerate() {
            let known = |most: Option<u64>, number| Some(most.map_or(number, |most: u64| most.min(number)));
            match (word, number(at)) {
                (".maxnreg", Some(most)) if of_entry => {
                    found.registers.most = most.clamp(1, MOST_REGISTERS);
                }
                (".maxntid" | ".reqntid", Some(_)) if of_entry => {
                    let sizes = words[at + 1..].iter().map_while(|word| word.parse::<u64>().ok());
                    found.most_threads = known(found.most_threads, sizes.fold(1, u64::saturating_mul));
                }
                (".minnctapersm", Some(least)) if of_entry => found.least_resident = Some(least),
                (".shared", _) if of_entry || !inside => declared(&words, &mut found),
                _ => {}
            }
        }
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => {
                    depth = depth.saturating_sub(1);
                    (inside, of_entry) = (inside && depth > 0, of_entry && depth > 0);
                }
                // A declaration without a body ends here.
                b';' if depth == 0 => (inside, of_entry) = (false, false),
                _ => {}
            }
        }
    }
    found
}

/// Adds a variable in shared memory: `.shared .align 4 .b8 name[36]`.
fn declared(words: &[&str], found: &mut KernelResources) {
    // An instruction may have the space as a modifier, but not as a word of its own.
    if words.contains(&".extern") {
        found.dynamic = true;
        return;
    }
    let after = |word: &str| words.iter().position(|&one| one == word).and_then(|at| words.get(at + 1));
    let align = after(".align").and_then(|word| word.parse::<u64>().ok());
    let width = words.iter().find_map(|word| {
        let digits = word.strip_prefix('.')?.trim_start_matches(['b', 's', 'u', 'f']);
        digits.parse::<u64>().ok().filter(|_| word.len() > 1).map(|bits| bits / 8)
    });
    let vector = if words.contains(&".v4") {
        4
    } else if words.contains(&".v2") {
        2
    } else {
        1
    };
    let count = words.iter().filter_map(|word| word.split_once('[')).map(|(_, sizes)| {
        sizes.split(['[', ']']).filter_map(|size| size.parse::<u64>().ok()).fold(1, u64::saturating_mul)
    });
    let bytes = width.unwrap_or(1).saturating_mul(vector).saturating_mul(count.max().unwrap_or(1));
    let align = align.or(width.map(|width| width * vector)).unwrap_or(1).max(1);
    found.shared_memory =
        found.shared_memory.map(|before| before.div_ceil(align).saturating_mul(align).saturating_add(bytes));
}

/// Registers that the user gives instead of those of the listing.
impl KernelResources {
    /// The same with this number of registers of a thread.
    #[must_use]
    pub fn with_registers(self, registers: u64) -> Self {
        Self { registers: exactly(registers), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, entry: &str) -> KernelResources {
        Text::new("k", text.as_bytes().to_vec()).unwrap().resources(entry).unwrap()
    }

    const CODE: &str = "\t.headerflags @\"EF_CUDA_SM86\"\n/*0000*/ LDS R7, [R2] ;\n/*0010*/ EXIT ;\n";

    #[test]
    fn registers_of_cuobjdump() {
        let usage = "Resource usage:\n Common:\n  GLOBAL:0\n Function j:\n  REG:9 STACK:0 SHARED:7 LOCAL:0\n \
                     Function k:\n  REG:40 STACK:0 SHARED:36 LOCAL:0 CONSTANT[0]:388\n";
        let code = |sm: &str| format!("\tcode for sm_{sm}\n\t\tFunction : k\n{}", CODE.replace("86", sm));
        let found = of(&format!("{usage}{}", code("86")), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        let found = of(&format!("{}{}", usage.replace(":36", ":1060"), code("90")), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        let alone = of(&code("86"), "k");
        assert_eq!((alone.registers, alone.shared_memory), (Between { least: 8, most: 255 }, None));
        assert!(alone.uses_shared);
        for (other, uses) in [("LDG.E", false), ("LD.E", true), ("STS", true), ("CALL.REL.NOINC `(f)", true)]
        {
            let found = of(&code("86").replace("LDS R7, [R2]", other), "k");
            assert_eq!((found.shared_memory, found.uses_shared), (None, uses), "{other}");
        }
    }

    #[test]
    fn registers_of_nvdisasm() {
        let text = format!(
            "\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=26\"\n.text.k:\n{CODE}"
        );
        let found = of(&text, "k");
        assert_eq!((found.registers, found.shared_memory, found.dynamic), (exactly(26), None, false));
        let count = "\t//----- nvinfo : EIATTR_REGCOUNT\n/*0000*/ .byte 0x04, 0x2f\n/*0004*/ .word index@(j)\n\
                     /*0008*/ .word 0x00000007\n\t//----- nvinfo : EIATTR_REGCOUNT\n/*000c*/ .word index@(k)\n\
                     /*0010*/ .word 0x00000028\n\n\t//----- nvinfo : EIATTR_FRAME_SIZE\n.word index@(k)\n.word 0x00000001\n";
        let shared = "\t.section\t.nv.shared.k,\"aw\",@nobits\n\t.align 4\n.nv.shared.k:\n\t.zero\t\t36\n";
        let text = text.replace("SHI_REGISTERS=26", "");
        let found = of(&format!("{count}{text}{shared}"), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        // The code uses shared memory of which the file declares none.
        let found = of(&format!("\t.section\t.nv.info.k,\"\"\n{text}"), "k");
        assert_eq!((found.shared_memory, found.dynamic), (Some(0), true));
    }

    #[test]
    fn declarations_of_ptx() {
        let text = ".version 7.0\n.target sm_80\n.shared .align 1 .b8 m[3];\n.visible .entry j()\n.maxnreg 9\n{\n\
                    .shared .b8 x[100];\nret;\n}\n.visible .entry k(\n.param .u64 k_0\n)\n.maxntid 16, 8\n\
                    .minnctapersm 2\n.maxnreg 64\n{\n.shared .align 4 .b8 w[36];\n.shared .v2 .f32 y[2][3];\n\
                    ld.shared.f32 %f1, [w];\nret;\n}\n";
        let found = of(text, "k");
        // 3 bytes of the module, 36 from byte 4 on, and 6 pairs of 8 bytes from byte 40 on.
        assert_eq!(found.shared_memory, Some(40 + 48));
        assert_eq!(found.registers, Between { least: 1, most: 64 });
        assert_eq!((found.most_threads, found.least_resident, found.dynamic), (Some(128), Some(2), false));
        assert!(of(&text.replace(".shared .align 1 .b8 m[3]", ".extern .shared .b8 m[]"), "k").dynamic);
    }
}
