//! The fewest instructions that a warp issues from the beginning of an entry to its end.
//!
//! Each instruction of SASS that control comes to is issued, whatever its predicate is. So the shortest path
//! through the code is a lower end: no warp issues fewer. Where the listing does not say where control goes, or
//! it goes through another routine, which might end the kernel, the path counts as ended.

use std::collections::VecDeque;

use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::{Flow, Language};

/// The fewest instructions that a warp of this entry issues; 0 for PTX.
pub(super) fn fewest_instructions(listing: &Listing<'_>, entry: &str) -> u64 {
    let of_entry = listing.routines.iter().filter(|routine| routine.entry && routine.name == entry);
    match listing.language {
        Language::Ptx => 0,
        Language::Sass => of_entry.map(fewest).min().unwrap_or(0),
    }
}

/// The length of the shortest path from the first instruction to an end.
fn fewest(routine: &Routine<'_>) -> u64 {
    if routine.fault.is_some() {
        return 0;
    }
    let mut seen = vec![false; routine.instructions.len()];
    let mut open = VecDeque::from([(0_usize, 0_u64)]);
    while let Some((at, before)) = open.pop_front() {
        let Some(instruction) = routine.instructions.get(at) else { return before };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let issued = before + 1;
        match &instruction.flow {
            Flow::Next => {}
            Flow::Branch(to) => open.push_back((*to, issued)),
            Flow::Switch(all) => open.extend(all.iter().map(|&to| (to, issued))),
            Flow::Call(_) | Flow::CallInside(_) | Flow::Unknown | Flow::End => return issued,
        }
        if instruction.conditional || matches!(instruction.flow, Flow::Next) {
            open.push_back((at + 1, issued));
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn the_shortest_way_counts() {
        let text = "\t.headerflags @\"EF_CUDA_SM86\"\n\t.section\t.text.k,\"ax\"\n.text.k:\n/*0000*/ MOV R0, R1 ;\n\
                    /*0010*/ @P0 BRA `(.L_1) ;\n/*0020*/ MOV R0, R1 ;\n/*0030*/ @P1 EXIT ;\n.L_1:\n\
                    /*0040*/ MOV R0, R1 ;\n/*0050*/ MOV R0, R1 ;\n/*0060*/ EXIT ;\n";
        let of = |text: &str| {
            fewest_instructions(&Text::new("k", text.as_bytes().to_vec()).unwrap().listing().unwrap(), "k")
        };
        // By the exit under P1: MOV, BRA, MOV, EXIT. By the branch: MOV, BRA, MOV, MOV, EXIT.
        assert_eq!(of(text), 4);
        assert_eq!(of(&text.replace("@P1 EXIT", "MOV R0, R1")), 5);
        assert_eq!(of(&text.replace("@P0 BRA `(.L_1)", "MOV R0, R2")), 4);
        assert_eq!(of(".version 7.0\n.target sm_80\n.visible .entry k()\n{\nret;\n}\n"), 0);
    }
}
