//! The fingerprint of an entry: a number that changes with its instructions, and not with blanks or comments.

use std::hash::Hasher;

use fnv::FnvHasher;

use crate::routine::{Listing, Routine};
use warpspan_isa::instruction::Flow;

/// The entry and all functions that it may call, each once.
pub(crate) fn reached(listing: &Listing<'_>, entry: usize) -> Vec<usize> {
    let mut found = vec![entry];
    let mut at = 0;
    while let Some(&number) = found.get(at) {
        let routine = &listing.routines[number];
        for instruction in &routine.instructions {
            if let Flow::Call(name) = instruction.flow
                && let Some(callee) = listing.callee(routine, name)
                && !found.contains(&callee)
            {
                found.push(callee);
            }
        }
        at += 1;
    }
    found
}

/// The fingerprint of an entry with all that it calls: FNV-1a in 64 bits, as hexadecimal digits. What holds for some inputs only has
/// another one, so that nobody takes it for more by leaving out the traces of these inputs.
pub(super) fn code_of(listing: &Listing<'_>, entry: usize, of_input: &[String]) -> String {
    let mut hasher = FnvHasher::default();
    for number in reached(listing, entry) {
        add(&mut hasher, &listing.routines[number], number == entry);
    }
    for trace in of_input {
        hasher.write(trace.as_bytes());
        hasher.write(&[0, 1]);
    }
    format!("{:016x}", hasher.finish())
}

fn add(hasher: &mut FnvHasher, routine: &Routine<'_>, is_entry: bool) {
    // Each text ends with a byte that none of them holds.
    let mut text = |text: &str| {
        text.split_whitespace().for_each(|word| hasher.write(word.as_bytes()));
        hasher.write(&[0]);
    };
    if !is_entry {
        text(routine.name);
    }
    let mut labels = routine.labels.iter().peekable();
    for (at, instruction) in routine.instructions.iter().enumerate() {
        while let Some((label, _)) = labels.next_if(|(_, place)| *place <= at) {
            text(label);
            text(":");
        }
        let guard = instruction.guard;
        text(guard.map_or("", |guard| if guard.negated { "!" } else { "@" }));
        text(guard.map_or("", |guard| guard.register));
        text(&instruction.opcode().to_string());
        text(instruction.operands);
        // A list of targets stands elsewhere, and a label may be one of several of its name.
        match &instruction.flow {
            Flow::Branch(to) | Flow::CallInside(to) => text(&to.to_string()),
            Flow::Switch(to) => to.iter().for_each(|to| text(&to.to_string())),
            Flow::Next | Flow::Call(_) | Flow::Unknown | Flow::End => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn code(text: &str) -> String {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        code_of(&text.listing().unwrap(), 0, &[])
    }

    #[test]
    fn blanks_and_comments_do_not_matter_and_everything_else_does() {
        let kernel = |body: &str| code(&format!(".version 7.0\n.target sm_61\n.entry k()\n{{\n{body}\n}}\n"));
        let one = kernel("L: add.s32 %r1, %r1, 1;\n@%p1 bra L;\nexit;");
        let same = "// a loop\nL:\n\tadd.s32\t%r1,%r1, 1; /* so\nfar */ .loc 1 2 3\n@%p1 bra  L;\nexit;";
        assert_eq!(one, kernel(same));
        for other in [
            "L: add.s32 %r1, %r1, 2;\n@%p1 bra L;\nexit;",
            "L: add.s32 %r1, %r1, 1;\n@!%p1 bra L;\nexit;",
            "M: add.s32 %r1, %r1, 1;\n@%p1 bra M;\nexit;",
            "add.s32 %r1, %r1, 1;\nL: @%p1 bra L;\nexit;",
            "L: sub.s32 %r1, %r1, 1;\n@%p1 bra L;\nexit;",
            "L: add.s32 %r1, %r1, 1;\n@%p1 bra L;\nret;",
        ] {
            assert_ne!(one, kernel(other), "{other}");
        }
        let switch = |targets: &str| {
            kernel(&format!(
                "T: .branchtargets {targets};\nbrx.idx.uni %r1, T;\nA: add.s32 %r1, %r1, 1;\nB: exit;"
            ))
        };
        assert_eq!(switch("A, B"), switch("A,B"));
        assert_ne!(switch("A, B"), switch("B, A"));
    }

    #[test]
    fn functions_that_are_called_belong_to_the_code() {
        let with = |number: u32| {
            format!(
                ".version 7.0\n.target sm_61\n.entry k()\n{{\ncall f;\nexit;\n}}\n.func f()\n{{\nadd.s32 %r1, %r1, {number};\n\
                 ret;\n}}\n.func g()\n{{\nadd.s32 %r1, %r1, {number};\nret;\n}}\n"
            )
        };
        assert_ne!(code(&with(1)), code(&with(2)));
        assert_eq!(code(&with(1)), code(&with(1).replace(".func g()", ".func h()")));
    }
}
