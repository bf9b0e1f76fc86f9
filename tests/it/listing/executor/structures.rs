//! Structures as compilers make them: branches, loops with breaks and continues, exits, calls and early returns, written
//! with the reconvergence points of their dialect in the ways that are seen, and in some that are wrong.

use super::Dialect;
use super::generate::{Item, ins, jump};
use super::random::Random;

/// A loop that statements inside may leave.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) out: usize,
    pub(super) again: usize,
    /// `PBK` or `SSY` of the loop, and whether `PCNT` is there.
    pub(super) pushed: &'static str,
    pub(super) counted: bool,
    /// Barrier registers of the branches between.
    pub(super) inner: Vec<usize>,
    /// `SSY`s pushed between.
    pub(super) depth: usize,
}

pub(crate) struct Structures<'a> {
    pub(crate) random: &'a mut Random,
    pub(super) dialect: Dialect,
    pub(super) capability: u32,
    pub(super) items: Vec<Item>,
    labels: usize,
    budget: usize,
    pub(super) loops: Vec<Around>,
    pub(super) registers: usize,
    function: bool,
    functions: Vec<usize>,
    known: Vec<usize>,
    /// One letter in so many comes with a barrier, and one branch in so many is taken by all threads alike.
    barriers: u32,
    uniform: u32,
}

const GUARDS: [&str; 4] = ["@P0", "@!P1", "@P2", "@!P3"];
const PTX_GUARDS: [&str; 4] = ["@%p0", "@!%p1", "@%p2", "@!%p3"];

impl<'a> Structures<'a> {
    pub(crate) fn new(dialect: Dialect, capability: u32, random: &'a mut Random) -> Self {
        let most = if random.one_in(5) { 10 } else { 5 };
        let budget = 1 + random.index(most);
        let barriers = if random.one_in(4) { 8 } else { 60 };
        let uniform = *random.pick(&[2, 12, 12]);
        Self {
            random,
            dialect,
            capability,
            items: vec![],
            labels: 0,
            budget,
            loops: vec![],
            registers: 0,
            function: false,
            functions: vec![],
            known: vec![],
            barriers,
            uniform,
        }
    }

    pub(crate) fn structured(&mut self) -> Vec<Item> {
        let kernel = self.label();
        self.items.push(Item::Function(kernel));
        self.sequence();
        self.letters(1);
        self.end();
        self.called();
        if self.random.one_in(3) {
            (0..=self.random.index(3)).for_each(|_| self.mutate());
        }
        std::mem::take(&mut self.items)
    }

    /// The functions that are called.
    pub(super) fn called(&mut self) {
        while let Some(name) = self.functions.pop() {
            (self.function, self.registers) = (true, if self.random.one_in(8) { 0 } else { 8 });
            self.budget = 1 + self.random.index(2);
            self.items.push(Item::Function(name));
            self.sequence();
            self.items.push(ins(self.word("ret")));
        }
    }

    pub(super) fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    pub(super) fn guard(&mut self) -> &'static str {
        let guards = if self.dialect == Dialect::Ptx { PTX_GUARDS } else { GUARDS };
        guards[self.random.index(4)]
    }

    pub(super) fn word(&self, word: &'static str) -> &'static str {
        match (self.dialect, word) {
            (Dialect::Ptx, _) => word,
            (_, "bra") => "BRA",
            (_, "exit") => "EXIT",
            (Dialect::Groups, "ret") => "RET.REL.NODEC R20",
            _ => "RET",
        }
    }

    pub(super) fn push(&mut self, op: &str) {
        self.items.push(ins(op));
    }

    pub(super) fn put(&mut self, label: usize) {
        self.items.push(Item::Label(label));
    }

    pub(super) fn letter(&mut self) -> Item {
        ins(match (self.dialect, self.random.below(3)) {
            (Dialect::Ptx, 0) => "ld.global.u32 %r1, [%rd1]",
            (Dialect::Ptx, 1) => "st.global.u32 [%rd1], %r1",
            (Dialect::Ptx, _) => "add.u32 %r2, %r1, 1",
            (_, 0) => "LDG.E R2, [R4]",
            (_, 1) => "STG.E [R4], R2",
            (_, _) => "FADD R5, R2, R3",
        })
    }

    pub(super) fn letters(&mut self, least: usize) {
        if self.random.one_in(self.barriers) {
            self.push(if self.dialect == Dialect::Ptx { "bar.sync 0" } else { "BAR.SYNC 0x0" });
        }
        for _ in 0..least + self.random.index(2) {
            let item = self.letter();
            self.items.push(item);
        }
    }

    fn end(&mut self) {
        self.push(if self.function { self.word("ret") } else { self.word("exit") });
    }

    /// A conditional branch; now and then one that all threads take alike.
    pub(super) fn branch(&mut self, to: usize) {
        let (guard, bra) = (self.guard(), self.word("bra"));
        let uniform = self.random.one_in(self.uniform);
        self.items.push(Item::Ins { guard: Some(guard), op: bra.into(), to: vec![to], uniform });
    }

    pub(super) fn guarded(&mut self, op: &str) {
        let guard = Some(self.guard());
        self.items.push(Item::Ins { guard, op: op.into(), to: vec![], uniform: false });
    }

    pub(super) fn sequence(&mut self) {
        for _ in 0..1 + self.random.index(2) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        if self.budget == 0 {
            return self.letters(1);
        }
        self.budget -= 1;
        match self.random.below(22) {
            20 | 21 => self.two_ways_out(),
            0..=5 => self.a_branch(),
            6..=10 => self.a_loop(),
            11..=12 => self.leave(),
            13 => self.again(),
            14..=15 => {
                let exit = self.word("exit");
                self.guarded(exit);
            }
            16 if self.function => {
                let ret = self.word("ret");
                self.guarded(ret);
            }
            16 | 17 if self.known.len() < 3 => self.call(),
            18 if self.dialect == Dialect::Ptx => self.switch(),
            19 => self.shared(),
            _ => self.letters(1),
        }
    }

    fn call(&mut self) {
        // From the kernel a function may be called again.
        let name = match self.known.last() {
            Some(&known) if !self.function && self.random.one_in(3) => known,
            _ => self.label(),
        };
        if !self.known.contains(&name) {
            self.known.push(name);
            self.functions.push(name);
        }
        let op = match self.dialect {
            Dialect::Ptx => "call",
            Dialect::Stack => "CAL",
            Dialect::Groups => "CALL.REL.NOINC",
        };
        let guard = self.random.one_in(6).then(|| self.guard());
        self.items.push(jump(guard, op, name));
    }

    fn switch(&mut self) {
        let (one, two, out) = (self.label(), self.label(), self.label());
        self.items.push(Item::Ins {
            guard: None,
            op: "brx.idx".into(),
            to: vec![one, two, out],
            uniform: false,
        });
        self.put(one);
        self.sequence();
        if self.random.one_in(2) {
            self.items.push(jump(None, "bra", out));
        }
        self.put(two);
        self.sequence();
        self.put(out);
    }

    /// How an arm may end in place of going on to the merge.
    pub(super) fn arm(&mut self) {
        self.sequence();
        if self.random.one_in(8) {
            self.end();
        }
    }

    fn a_branch(&mut self) {
        let (other, merge) = (self.label(), self.label());
        let two = self.random.one_in(2);
        match self.dialect {
            Dialect::Ptx => {
                self.branch(other);
                self.arm();
                if two {
                    self.items.push(jump(None, "bra", merge));
                }
                self.put(other);
                if two {
                    self.arm();
                    self.put(merge);
                }
            }
            Dialect::Stack => self.stack_branch(two, other, merge),
            Dialect::Groups => self.groups_branch(two, other, merge),
        }
    }

    /// `SYNC`, or the suffix that is one.
    pub(super) fn sync(&mut self) {
        if self.capability < 50 {
            self.push("NOP.S");
        } else {
            self.push("SYNC");
        }
    }
}
