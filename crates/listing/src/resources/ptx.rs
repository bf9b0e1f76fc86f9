//! What PTX says of the resources of an entry.

use crate::resources::kernel::{KernelResources, MOST_REGISTERS};
use warpspan_isa::ptx_operand::literal;

pub(super) fn of_ptx(text: &str, entry: &str) -> KernelResources {
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
        let number = |at: usize| words.get(at + 1).and_then(|word| literal(word));
        for (at, &word) in words.iter().enumerate() {
            let known = |most: Option<u64>, number| Some(most.map_or(number, |most: u64| most.min(number)));
            match (word, number(at)) {
                (".maxnreg", Some(most)) if of_entry => {
                    found.registers.most = most.clamp(1, MOST_REGISTERS);
                }
                (".maxntid" | ".reqntid", Some(_)) if of_entry => {
                    let sizes = words[at + 1..].iter().map_while(|word| literal(word));
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
    let align = after(".align").and_then(|word| literal(word));
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
    // A size that is no literal is not known, and nothing else is then.
    let count = words.iter().filter_map(|word| word.split_once('[')).map(|(_, sizes)| {
        let mut sizes = sizes.strip_suffix(']')?.split("][");
        sizes.try_fold(1_u64, |all, size| Some(all.saturating_mul(literal(size)?)))
    });
    let Some(count) = count.max().unwrap_or(Some(1)) else {
        found.shared_memory = None;
        return;
    };
    let bytes = width.unwrap_or(1).saturating_mul(vector).saturating_mul(count);
    let align = align.or(width.map(|width| width * vector)).unwrap_or(1).max(1);
    found.shared_memory =
        found.shared_memory.map(|before| before.div_ceil(align).saturating_mul(align).saturating_add(bytes));
}
