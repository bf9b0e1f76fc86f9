//! The structures whose reconvergence points stack and barriers write differently.

use super::Dialect;
use super::generate::{Item, jump};
use super::structures::{Around, Structures};

impl Structures<'_> {
    pub(super) fn stack_branch(&mut self, two: bool, other: usize, merge: usize) {
        let style = self.random.below(8);
        if style != 7 {
            self.items.push(jump(None, "SSY", merge));
            self.loops.iter_mut().for_each(|around| around.depth += 1);
        }
        if style == 0 && !two && self.capability >= 50 {
            self.guarded("SYNC");
        } else {
            // A plain branch to the place itself is seen nowhere but in arbitrary code.
            self.branch(if style == 1 && !two { merge } else { other });
        }
        self.arm();
        if style != 6 {
            self.sync();
        } else if two {
            self.items.push(jump(None, "BRA", merge));
        }
        self.put(other);
        if two {
            self.arm();
        }
        if style < 6 {
            self.sync();
        }
        self.put(merge);
        if style != 7 {
            self.loops.iter_mut().for_each(|around| around.depth -= 1);
        }
    }

    pub(super) fn groups_branch(&mut self, two: bool, other: usize, merge: usize) {
        let style = self.random.below(9);
        let behind = self.label();
        let reuse = self.random.one_in(25) && self.registers > 0;
        let register = if reuse { self.registers - 1 } else { self.registers };
        let sync = format!("BSYNC B{register}");
        let bssy = format!("BSSY B{register},");
        // The place is the BSYNC, or the instruction behind it.
        let at = style < 3;
        if style != 8 {
            self.items.push(jump(None, &bssy, if at { merge } else { behind }));
        }
        self.registers += 1;
        self.loops.iter_mut().for_each(|around| around.inner.push(register));
        self.branch(if two { other } else { merge });
        self.arm();
        if style == 5 {
            self.push(&sync);
        } else if two && style != 7 {
            self.items.push(jump(None, "BRA", merge));
        }
        if two {
            self.put(other);
            self.arm();
        }
        self.put(merge);
        if style < 7 {
            self.push(&sync);
        }
        self.put(behind);
        self.registers -= 1;
        self.loops.iter_mut().for_each(|around| {
            around.inner.pop();
        });
    }

    pub(super) fn a_loop(&mut self) {
        let (head, out, again) = (self.label(), self.label(), self.label());
        let style = self.random.below(6);
        let behind = self.label();
        let register = self.registers;
        let mut around = Around { out, again, pushed: "", counted: false, inner: vec![], depth: 0 };
        match self.dialect {
            Dialect::Ptx => {}
            Dialect::Stack => {
                around.pushed = ["PBK", "PBK", "PBK", "SSY", "SSY", ""][usize::try_from(style).unwrap()];
                if !around.pushed.is_empty() {
                    self.items.push(jump(None, around.pushed, out));
                }
            }
            Dialect::Groups if style == 5 => {}
            Dialect::Groups => {
                let place = if style < 3 { out } else { behind };
                self.items.push(jump(None, &format!("BSSY B{register},"), place));
                self.registers += 1;
            }
        }
        self.put(head);
        if self.dialect == Dialect::Stack && self.random.one_in(6) {
            around.counted = true;
            self.items.push(jump(None, "PCNT", again));
        }
        // What leads to an outer loop leads past this one too.
        let inner = if self.dialect == Dialect::Groups && style != 5 { Some(register) } else { None };
        for outer in &mut self.loops {
            outer.inner.extend(inner);
            outer.depth += usize::from(around.pushed == "SSY" || around.counted);
        }
        self.loops.push(around.clone());
        self.letters(0);
        let tested_first = self.random.one_in(3) && around.pushed.is_empty();
        if tested_first {
            self.branch(out);
        }
        self.sequence();
        if around.counted {
            self.push("CONT");
        }
        self.put(again);
        if !tested_first {
            self.letters(0);
        }
        let forever = self.random.one_in(8);
        if tested_first || forever || around.pushed == "PBK" && self.random.one_in(2) {
            if around.pushed == "PBK" && !forever {
                self.guarded("BRK");
            }
            let bra = self.word("bra");
            self.items.push(jump(None, bra, head));
        } else {
            self.branch(head);
            match around.pushed {
                "PBK" => self.push("BRK"),
                "SSY" => self.sync(),
                _ => {}
            }
        }
        self.put(out);
        self.loops.pop();
        for outer in &mut self.loops {
            if inner.is_some() {
                outer.inner.pop();
            }
            outer.depth -= usize::from(around.pushed == "SSY" || around.counted);
        }
        if self.dialect == Dialect::Groups && style != 5 {
            self.registers -= 1;
            if style != 4 {
                self.push(&format!("BSYNC B{register}"));
            }
            self.put(behind);
        }
    }

    /// Has threads wait for each other at a label from here on; the barrier register.
    pub(super) fn open(&mut self, merge: usize) -> usize {
        let register = self.registers;
        match self.dialect {
            Dialect::Ptx => {}
            Dialect::Stack => {
                self.items.push(jump(None, "SSY", merge));
                self.loops.iter_mut().for_each(|around| around.depth += 1);
            }
            Dialect::Groups => {
                self.items.push(jump(None, &format!("BSSY B{register},"), merge));
                self.registers += 1;
                self.loops.iter_mut().for_each(|around| around.inner.push(register));
            }
        }
        register
    }

    /// The end of a way to the label that was opened.
    fn goes_to(&mut self, merge: usize) {
        match self.dialect {
            Dialect::Stack => self.sync(),
            _ => self.items.push(jump(None, self.word("bra"), merge)),
        }
    }

    pub(super) fn close(&mut self, merge: usize, register: usize) {
        if self.dialect == Dialect::Stack {
            self.sync();
        }
        self.put(merge);
        match self.dialect {
            Dialect::Ptx => {}
            Dialect::Stack => self.loops.iter_mut().for_each(|around| around.depth -= 1),
            Dialect::Groups => {
                self.push(&format!("BSYNC B{register}"));
                self.registers -= 1;
                self.loops.iter_mut().for_each(|around| {
                    around.inner.pop();
                });
            }
        }
    }

    /// Two conditions with one way in common.
    pub(super) fn shared(&mut self) {
        let (other, merge) = (self.label(), self.label());
        let register = self.open(merge);
        self.branch(other);
        self.letters(0);
        self.branch(other);
        self.arm();
        if self.random.one_in(2) {
            self.goes_to(merge);
        }
        self.put(other);
        self.arm();
        self.close(merge, register);
    }

    /// A loop with two ways out, each with something to do.
    pub(super) fn two_ways_out(&mut self) {
        let (head, other, merge) = (self.label(), self.label(), self.label());
        let register = self.open(merge);
        self.put(head);
        self.letters(0);
        self.branch(other);
        self.sequence();
        self.branch(head);
        self.arm();
        self.goes_to(merge);
        self.put(other);
        self.arm();
        self.close(merge, register);
    }

    /// A break out of a loop around.
    pub(super) fn leave(&mut self) {
        let level = if self.random.one_in(4) { 0 } else { self.loops.len().saturating_sub(1) };
        let Some(around) = self.loops.get(level).cloned() else { return self.letters(1) };
        match self.dialect {
            Dialect::Ptx => self.branch(around.out),
            Dialect::Stack if around.pushed == "PBK" => self.guarded("BRK"),
            Dialect::Stack if around.pushed == "SSY" && around.depth == 0 && self.capability >= 50 => {
                self.guarded("SYNC");
            }
            Dialect::Stack => self.letters(1),
            Dialect::Groups => self.jump_out(around.out, &around.inner),
        }
    }

    pub(super) fn again(&mut self) {
        let level = if self.random.one_in(4) { 0 } else { self.loops.len().saturating_sub(1) };
        let Some(around) = self.loops.get(level).cloned() else { return self.letters(1) };
        match self.dialect {
            Dialect::Ptx => self.branch(around.again),
            Dialect::Stack if around.counted => self.guarded("CONT"),
            Dialect::Stack => self.letters(1),
            Dialect::Groups => self.jump_out(around.again, &around.inner),
        }
    }

    /// Out of branches whose barriers the threads have to be taken out of first.
    fn jump_out(&mut self, to: usize, inner: &[usize]) {
        if inner.is_empty() || self.random.one_in(8) {
            return self.branch(to);
        }
        if self.random.one_in(2) {
            // All by one predicate, now and then with something in between.
            let guard = Some(self.guard());
            for register in inner {
                self.items.push(Item::Ins {
                    guard,
                    op: format!("BREAK B{register}"),
                    to: vec![],
                    uniform: false,
                });
                if self.random.one_in(3) {
                    self.letters(1);
                }
            }
            return self.items.push(jump(guard, "BRA", to));
        }
        let stay = self.label();
        self.branch(stay);
        for register in inner {
            self.push(&format!("BREAK B{register}"));
        }
        self.items.push(jump(None, "BRA", to));
        self.put(stay);
    }
}
