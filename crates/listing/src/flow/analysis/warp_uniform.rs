//! Which registers hold the same in all threads of a warp that stand together.
//!
//! Compilers write a register under a predicate, and then the same register under its opposite, or branch by the predicate behind
//! the write. So it is also kept what holds the same *if* a predicate is true, and what if it is false, of each predicate that is
//! itself the same.

use warpspan_isa::effects::{Effects, Registers, deciding};
use warpspan_isa::instruction::{Guard, Instruction};
use warpspan_isa::register::{File, Register};

/// The predicates P0 to P6; PT is a constant.
const PREDICATES: usize = 7;

/// The registers that do not vary at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Those that hold the same in all threads that have come here on paths without divergent branches.
    pub(super) same: Registers,
    /// Those that hold the same in the threads that stand here together, until others may join them.
    pub(super) together: Registers,
    /// By predicate: those besides that hold the same where it is false, and those where it is true. None of a predicate that varies.
    when: [[Registers; 2]; PREDICATES],
}

impl State {
    pub(super) fn new(known: Registers) -> Self {
        Self { same: known, together: known, when: Default::default() }
    }

    /// Whether all threads that are here together have the same predicate and take the same path.
    pub(super) fn decides(&self, instruction: &Instruction<'_>) -> bool {
        deciding(instruction).with(guard(instruction)).within(self.together)
    }

    /// Some registers are no longer known to be the same.
    pub(super) fn lose(&mut self, lost: Registers) {
        (self.same, self.together) = (self.same.without(lost), self.together.without(lost));
        self.when = self.when.map(|worlds| worlds.map(|world| world.without(lost)));
        self.keep_worlds(lost);
    }

    /// Whether all threads that come here take the same path, also those that are not here together.
    pub(super) fn decides_for_all(&self, instruction: &Instruction<'_>) -> bool {
        deciding(instruction).with(guard(instruction)).within(self.same)
    }

    /// What an instruction that is no jump does. `effects` are what it reads and writes, and `by_group` says whether what it
    /// gives is the same for those only that execute it together.
    pub(super) fn execute(&mut self, instruction: &Instruction<'_>, effects: &Effects, by_group: bool) {
        let reads = effects.reads.with(guard(instruction));
        let changes = effects.touches.with(effects.writes);
        let always = instruction.guard.is_none();
        let after = |known: Registers, always: bool, result: Option<Registers>| {
            let varies = effects.varies || by_group && result.is_none();
            let gives = !varies && reads.within(known);
            let kept = if gives { known } else { known.without(changes) };
            if always {
                kept.with(if gives { effects.writes } else { result.unwrap_or_default() })
            } else {
                kept
            }
        };
        let same = after(self.same, always, None);
        let together = after(self.together, always, Some(effects.together));
        for predicate in 0..PREDICATES {
            if !self.same.has_predicate(predicate) {
                continue;
            }
            for value in [false, true] {
                let known = self.same.with(self.when[predicate][usize::from(value)]);
                let executed = instruction.guard.and_then(world).filter(|guard| guard.0 == predicate);
                let world = match executed {
                    // Where the predicate has the other value, nothing happens.
                    Some((_, needed)) if needed != value => known,
                    guarded => after(known, always || guarded.is_some(), None),
                };
                self.when[predicate][usize::from(value)] = world;
            }
        }
        (self.same, self.together) = (same, together);
        let both = self.when.iter().map(|[no, yes]| no.both(*yes));
        self.same = both.fold(self.same, Registers::with);
        self.keep_worlds(changes);
        self.together = self.together.with(self.same);
    }

    /// What is known where a predicated jump was taken, or where it was not.
    pub(super) fn along(&self, instruction: &Instruction<'_>, taken: bool) -> Self {
        let Some((predicate, needed)) = instruction.guard.and_then(world) else { return *self };
        // Where it is not taken, it may be for the sake of another condition.
        if !taken && deciding(instruction) != Registers::default() {
            return *self;
        }
        let known = self.when[predicate][usize::from(needed == taken)];
        let mut found = *self;
        found.same = found.same.with(known);
        found.together = found.together.with(known);
        found.keep_worlds(Registers::default());
        found
    }

    /// What is known where two paths join. The threads of both stand there together for as long as those of each.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let same = self.same.both(other.same);
        let mut found = Self::new(same);
        for (predicate, worlds) in found.when.iter_mut().enumerate() {
            for (value, world) in worlds.iter_mut().enumerate() {
                let all = |of: &Self| of.same.with(of.when[predicate][value]);
                *world = all(self).both(all(other));
            }
        }
        found.keep_worlds(Registers::default());
        found
    }

    /// Nothing is kept of predicates that vary or were written; what is the same in any case needs no predicate.
    fn keep_worlds(&mut self, written: Registers) {
        for (predicate, worlds) in self.when.iter_mut().enumerate() {
            let kept = self.same.has_predicate(predicate) && !written.has_predicate(predicate);
            *worlds = worlds.map(|world| if kept { world.without(self.same) } else { Registers::default() });
        }
    }
}

/// The register of the predicate in front of an instruction.
fn guard(instruction: &Instruction<'_>) -> Registers {
    instruction.guard.map_or(Registers::default(), |guard| Registers::of_guard(guard))
}

/// The number of a predicate, and the value for which what it guards is executed.
fn world(guard: Guard<'_>) -> Option<(usize, bool)> {
    let register = Register::of(guard.register).filter(|register| register.file == File::Predicate)?;
    Some((register.number, !guard.negated))
}

#[cfg(test)]
mod tests {
    use crate::flow::analysis::testing::{sass, with_function};

    /// Whether the last branch of a kernel of 7.5 cannot diverge, if these lines stand before it.
    fn uniform(lines: &[&str]) -> bool {
        let behind = format!("@P6 BRA {:#x}", 8 * (lines.len() + 3));
        let all =
            [&["ISETP.EQ.AND P5, PT, RZ, c[0x0][0x160], PT"], lines, &[&behind, "FADD R9, R9, R9", "EXIT"]];
        with_function(&sass("75", &all.concat()), "7.5", |function, _| function.uniform_at(lines.len() + 1))
    }

    const TEST: &str = "ISETP.EQ.AND P6, PT, R10, RZ, PT";

    #[test]
    fn under_a_predicate_and_its_opposite() {
        assert!(uniform(&["@P5 MOV R10, c[0x0][0x164]", "@!P5 MOV R10, 0x1", TEST]));
        assert!(!uniform(&["@P5 MOV R10, c[0x0][0x164]", TEST]));
        assert!(!uniform(&["@P5 MOV R10, c[0x0][0x164]", "@P5 MOV R10, 0x1", TEST]));
        // What is read, or the predicate itself, varies.
        assert!(!uniform(&["@P5 MOV R10, c[0x0][0x164]", "@!P5 MOV R10, R11", TEST]));
        let varies = "ISETP.EQ.AND P5, PT, R11, RZ, PT";
        assert!(!uniform(&[varies, "@P5 MOV R10, c[0x0][0x164]", "@!P5 MOV R10, 0x1", TEST]));
        // The predicate is another one in between, or what was written is written again.
        let again = "ISETP.EQ.AND P5, PT, RZ, c[0x0][0x168], PT";
        assert!(!uniform(&["@P5 MOV R10, c[0x0][0x164]", again, "@!P5 MOV R10, 0x1", TEST]));
        assert!(!uniform(&["@P5 MOV R10, c[0x0][0x164]", "@!P5 MOV R10, 0x1", "@P5 MOV R10, R11", TEST]));
        // A result of it under the same predicate.
        let sum = "@P5 IADD3 R10, R10, 0x1, RZ";
        assert!(uniform(&["@P5 MOV R10, c[0x0][0x164]", sum, "@!P5 MOV R10, 0x1", TEST]));
        assert!(!uniform(&[
            "@P5 MOV R10, c[0x0][0x164]",
            "IADD3 R10, R10, 0x1, RZ",
            "@!P5 MOV R11, 0x1",
            TEST
        ]));
    }

    #[test]
    fn behind_a_branch_or_an_end_by_the_predicate() {
        assert!(uniform(&["@P5 MOV R10, 0x1", "@!P5 EXIT", TEST]));
        assert!(!uniform(&["@P5 MOV R10, 0x1", "@P5 EXIT", TEST]));
        // Over the next line, to the test.
        assert!(uniform(&["@P5 MOV R10, 0x1", "@P5 BRA 0x20", "MOV R10, 0x2", TEST]));
        assert!(!uniform(&["@P5 MOV R10, 0x1", "@!P5 BRA 0x20", "MOV R10, 0x2", TEST]));
        assert!(!uniform(&["@P5 MOV R10, 0x1", "@P5 BRA !P4, 0x20", "MOV R11, 0x2", TEST]));
        assert!(!uniform(&["@P5 MOV R10, 0x1", "@P5 BRA 0x20", "MOV R11, 0x2", TEST]));
    }
}
