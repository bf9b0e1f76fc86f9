//! What SASS says of the resources of an entry.

use std::collections::BTreeSet;

use crate::resources::kernel::{KernelResources, MOST_REGISTERS};
use crate::routine::Listing;
use warpspan_isa::instruction::{Flow, Instruction};
use warpspan_isa::register::File;
use warpspan_isa::row::Shared;
use warpspan_model::device::Between;

/// What `SHARED:` counts beside the kernel's own shared memory from capability 9.0 on.
const OF_THE_SYSTEM: u64 = 1 << 10;

/// The number at the beginning of a text.
fn leading(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

pub(super) fn of_sass(text: &str, entry: &str, listing: &Listing<'_>) -> KernelResources {
    let mut found = KernelResources::default();
    let (mut registers, mut section) = (BTreeSet::new(), "");
    // The function of the resource usage, and the one whose register count follows.
    let (mut function, mut counted) = ("", false);
    // What the section of shared memory has, if it is there, and whether that is all of it.
    let (mut of_section, mut is_all, mut behind_code) = (None, false, false);
    let mut in_count = false;
    let is_late = late(text, entry, listing);
    for line in text.split_inclusive('\n') {
        // The last line may be cut in the middle of its number.
        let ends = line.ends_with('\n');
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
            behind_code |= of_entry(".text.");
            // Constants precede the code up to 8.x. From 9.0 on they follow the sections of shared memory, if there are any.
            let is_behind = behind_code && section.starts_with(".nv.constant0.");
            is_all |= of_section.is_some() || is_behind;
            if of_entry(".nv.shared.") || is_behind {
                of_section.get_or_insert(0_u64);
            }
        } else if let Some(rest) = line.split("SHI_REGISTERS=").nth(1) {
            if section.strip_prefix(".text.") == Some(entry) {
                registers.extend(leading(rest));
            }
        } else if let Some(rest) = line.strip_prefix(".zero") {
            if section.strip_prefix(".nv.shared.") == Some(entry) {
                let more = leading(rest).unwrap_or(0);
                of_section = of_section.map(|shared| shared.saturating_add(more));
                is_all |= ends;
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
    // Shared memory that the launch adds has a section too, which is empty. It is often the last one, so that one that is missing, or
    // that has nothing at the end of the file, may have been cut off.
    found.shared_memory = found.shared_memory.or(of_section.filter(|_| is_all));
    let used = in_use(entry, listing);
    found.registers = match (registers.first(), registers.last()) {
        (Some(&least), Some(&most)) => Between { least, most },
        _ => Between { least: used.max(1), most: MOST_REGISTERS },
    };
    found.registers.most = found.registers.most.min(MOST_REGISTERS).max(found.registers.least);
    found.dynamic = found.shared_memory == Some(0)
        && shares(entry, listing, |shared| matches!(shared, Shared::Reads | Shared::Writes));
    found.uses_shared = shares(entry, listing, |shared| shared != Shared::No) || calls(entry, listing);
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
    let registers = routines.flat_map(|routine| &routine.instructions).flat_map(Instruction::registers);
    let registers = registers.filter(|register| register.file == File::General);
    registers.map(|register| register.number as u64 + 1).max().unwrap_or(0)
}

/// Whether the entry calls other code.
fn calls(entry: &str, listing: &Listing<'_>) -> bool {
    let of_entry = listing.routines.iter().filter(|one| one.name == entry);
    let mut instructions = of_entry.flat_map(|one| &one.instructions);
    instructions.any(|one| matches!(one.flow, Flow::Call(_) | Flow::Unknown))
}

/// Whether the code of the entry, or code that it may call, has such accesses to shared memory.
fn shares(entry: &str, listing: &Listing<'_>, such: impl Fn(Shared) -> bool) -> bool {
    let calls = calls(entry, listing);
    let reached = listing.routines.iter().filter(|one| one.name == entry || calls && !one.entry);
    reached.flat_map(|one| &one.instructions).any(|one| one.row().is_some_and(|row| such(row.shared)))
}
