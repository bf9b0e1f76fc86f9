//! Loops whose passes one run does not tell, and what a run did not reach.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::affine::Loop;
use crate::declarations::read_declarations;
use crate::trace::Traced;
use crate::trace::code::Code;
use crate::trace::follow::Shown;
use crate::{Options, Text};
use warpspan_isa::memory::reads_others;

/// The lines of the loops that wait for what others write, as the code shows it with all that is declared; if that cannot be read, of all
/// loops with an atomic operation or a strong load.
pub(super) fn waiting(text: &Text, found: &Traced, code: &Code<'_, '_>) -> BTreeSet<u32> {
    let declared = read_declarations("what was traced", &found.declarations, None);
    let options = Options {
        entry: Some(found.entry.clone()),
        declarations: declared.ok().map(Arc::new),
        ..Options::default()
    };
    if let Ok(entries) = crate::extract(text, &options)
        && let [entry] = &entries[..]
        && entry.program.is_ok()
    {
        return entry.loops.iter().filter(|one| one.wait.is_some()).map(|one| one.line).collect();
    }
    let all = &code.routine.instructions;
    let reading = |one: &&Loop| one.body.iter().flat_map(Clone::clone).any(|at| reads_others(&all[at]));
    code.loops.iter().flatten().filter(reading).map(|one| all[one.header].line).collect()
}

/// What begins behind a block that was executed, and was not.
pub(super) fn unreached(code: &Code<'_, '_>, shown: &Shown) -> Vec<usize> {
    let came = |at: usize| shown.times[at] > 0;
    let behind = code.blocks.iter().filter(|(block, _)| came(block.start)).flat_map(|(_, after)| after);
    let mut unreached: Vec<usize> = behind.copied().filter(|&at| !came(at)).collect();
    unreached.sort_unstable();
    unreached.dedup();
    unreached
}

/// Why the passes of a loop are not declared: it is none if what was not reached is left out.
pub(super) fn undeclared(code: &Code<'_, '_>, one: &Loop, unreached: &[usize]) -> Option<&'static str> {
    let all = &code.routine.instructions;
    let alone = |at: usize| all.iter().filter(|other| other.line == all[at].line).count() == 1;
    let after: HashMap<usize, &Vec<usize>> =
        code.blocks.iter().map(|(block, after)| (block.start, after)).collect();
    let (mut seen, mut open) = (HashSet::new(), vec![one.header]);
    while let Some(block) = open.pop() {
        for &next in after.get(&block).into_iter().copied().flatten() {
            if next == one.header {
                return None;
            }
            let inside = one.body.iter().any(|range| range.contains(&next));
            let left_out = unreached.binary_search(&next).is_ok() && alone(next);
            if inside && !left_out && seen.insert(next) {
                open.push(next);
            }
        }
    }
    Some("without what was not reached it is no loop")
}
