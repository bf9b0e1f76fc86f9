//! What a row of the table of SASS says of an opcode.
//!
//! NVIDIA documents the opcodes by name only, so that whatever a row does not say is taken to be the worst: an opcode
//! may write any register, and what it gives may differ from thread to thread.

use crate::class::Use;

/// What is known of an opcode of SASS.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The opcode without modifiers.
    pub(crate) name: &'static str,
    /// What it uses, unless a modifier of [`field@Self::with`] says otherwise; none for an opcode that has no class.
    pub class: Option<Use>,
    /// The reason for the class, where its kind alone does not give it.
    pub note: &'static str,
    /// What it uses with some modifiers; the first that an instruction has counts.
    pub with: &'static [With],
    /// Where its results lie.
    pub output: Output,
    /// What its results are.
    pub value: Value,
    /// Where control goes.
    pub transfer: Transfer,
    /// The letter of a machine, if its class is one of the cores.
    pub letter: Letter,
    /// What it does to memory.
    pub access: Access,
    /// Whether it touches shared memory.
    pub shared: Shared,
    /// What else is known of it.
    pub facts: &'static [Fact],
}

/// A class that depends on a modifier.
#[derive(Debug, Clone, Copy)]
pub struct With {
    /// Any of these.
    pub modifiers: &'static [&'static str],
    /// What the instruction uses then.
    pub class: Use,
    /// Why.
    pub note: &'static str,
}

/// The registers that an instruction may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// None.
    Nothing,
    /// The predicates that are its first operands.
    Predicates,
    /// Its first operand that is no predicate, as so many registers, and the predicates before it and directly behind it.
    Register(Width),
    /// The predicates that a mask names, the last operand, or the condition code.
    Mask,
    /// Some of the registers that it names, and of the seven behind each of these.
    Named,
    /// Any register.
    Anything,
}

/// How many registers of 32 bits a result has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One.
    One,
    /// Two.
    Two,
    /// Four at most.
    Four,
    /// Eight at most.
    Eight,
    /// One, or two where a modifier says 64 bits or `WIDE`.
    Wide,
    /// One, or two where a modifier says 64 bits.
    Long,
    /// As many as the modifiers of an access of memory say.
    Loaded,
}

/// What the results of an instruction are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The same for all threads that read the same.
    Function,
    /// What the threads that execute it together answer. The first operand is the answer.
    Vote,
    /// What memory holds at an address that it reads.
    Memory,
    /// A special register: the same for all threads of a block, or not.
    Special,
    /// Anything.
    Varies,
}

/// A place where threads wait for one another up to capability 6.x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `SSY`, `SYNC`.
    Join,
    /// `PBK`, `BRK`.
    Break,
    /// `PCNT`, `CONT`.
    Continue,
    /// `PRET`, `RET`.
    Return,
}

/// What an instruction does to the flow of control and to the places where threads wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// Nothing.
    Next,
    /// Control goes to the place that the last operand names.
    Jump,
    /// Control goes where a register says.
    Indirect,
    /// A function is called.
    Call,
    /// The threads end.
    End,
    /// A place is pushed.
    Push(Mark),
    /// A place is taken off, and control goes there.
    Pop(Mark),
    /// `BSSY`: a barrier register gets the threads that are together.
    Enter,
    /// `BSYNC`: threads wait for those in the barrier register.
    Reconverge,
    /// `BREAK`: threads leave the barrier register.
    Leave,
    /// `BMOV`: a barrier register is moved.
    Move,
}

/// Which letter of a machine an instruction of the cores has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letter {
    /// That of its kind.
    OfKind,
    /// That of control: it says where threads go on, or waits.
    Control,
    /// That of special registers.
    Special,
    /// That of the uniform data path.
    Uniform,
}

/// What a memory instruction reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Shared memory of the block.
    Shared,
    /// Global memory, also by generic addresses.
    Global,
    /// Local memory of the thread.
    Local,
    /// The constant banks.
    Constant,
    /// Textures and surfaces.
    Texture,
    /// Read, changed and written at one go, in any memory.
    Atomic,
    /// A fence, which moves no data.
    Fence,
}

/// What a memory instruction does to the memory behind the multiprocessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// Nothing: it stays on its multiprocessor, or moves no data.
    Nothing,
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads, changes and writes.
    Atomic,
}

/// What an instruction does to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing that is known.
    None,
    /// One access.
    One(Space, Moves),
    /// An asynchronous copy from global to shared memory.
    Copy,
    /// A copy whose size only a register knows.
    Bulk,
}

/// Whether an instruction touches shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// It does not.
    No,
    /// It reads it.
    Reads,
    /// It writes it, or reads and writes it.
    Writes,
    /// Its address may lie there.
    Maybe,
}

/// Further facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The next instruction waits for its result although no control field says so, since the instruction waits by itself.
    /// All that change the flow of control do so, too.
    Holds,
    /// It waits for all that was before it, and what comes next waits for it.
    Fence,
    /// It belongs to the counter of asynchronous copies.
    Copies,
    /// With the modifier `RED` it may write registers that it names, with the answer of the whole block.
    Answers,
    /// Lanes of the warp exchange something, for which those that take part have reconverged.
    Lanes,
    /// Threads of the warp may reconverge or diverge while it waits.
    Regroups,
    /// It writes uniform registers.
    OfWarp,
    /// A counter of a loop may be counted by it.
    Counts,
    /// Its operands at capability 2.x are known.
    Fermi,
}

impl Row {
    /// An opcode of which only the class is known.
    pub(super) const fn new(name: &'static str, class: Option<Use>, note: &'static str) -> Self {
        Self {
            name,
            class,
            note,
            with: &[],
            output: Output::Anything,
            value: Value::Varies,
            transfer: Transfer::Next,
            letter: Letter::OfKind,
            access: Access::None,
            shared: Shared::No,
            facts: &[],
        }
    }

    pub(super) const fn with(self, with: &'static [With]) -> Self {
        Self { with, ..self }
    }

    /// It writes no register.
    pub(super) const fn quiet(self) -> Self {
        Self { output: Output::Nothing, ..self }
    }

    /// It writes predicates, and nothing else.
    pub(super) const fn compares(self) -> Self {
        Self { output: Output::Predicates, value: Value::Function, ..self }
    }

    pub(super) const fn gives(self, width: Width) -> Self {
        Self { output: Output::Register(width), ..self }
    }

    pub(super) const fn computes(self, width: Width) -> Self {
        Self { output: Output::Register(width), value: Value::Function, ..self }
    }

    pub(super) const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    pub(super) const fn named(self) -> Self {
        Self { output: Output::Named, ..self }
    }

    pub(super) const fn value(self, value: Value) -> Self {
        Self { value, ..self }
    }

    pub(super) const fn goes(self, transfer: Transfer) -> Self {
        Self { transfer, letter: Letter::Control, ..self }
    }

    pub(super) const fn letter(self, letter: Letter) -> Self {
        Self { letter, ..self }
    }

    pub(super) const fn access(self, space: Space, moves: Moves) -> Self {
        Self { access: Access::One(space, moves), ..self }
    }

    pub(super) const fn copies(self, access: Access) -> Self {
        Self { access, ..self }
    }

    pub(super) const fn shared(self, shared: Shared) -> Self {
        Self { shared, ..self }
    }

    pub(super) const fn facts(self, facts: &'static [Fact]) -> Self {
        Self { facts, ..self }
    }

    /// Whether something else is known of it.
    pub fn has(&self, fact: Fact) -> bool {
        self.facts.contains(&fact)
    }

    /// What an instruction with these modifiers uses, and why.
    pub(crate) fn class_with(&self, opcode: &str) -> Option<(Use, &'static str)> {
        let has = |one: &&With| opcode.split('.').skip(1).any(|part| one.modifiers.contains(&part));
        match self.with.iter().find(has) {
            Some(with) => Some((with.class, with.note)),
            None => self.class.map(|class| (class, self.note)),
        }
    }

    /// All that instructions with this opcode may use.
    pub(crate) fn classes(&self) -> impl Iterator<Item = Use> + use<> {
        self.with.iter().map(|with| with.class).chain(self.class)
    }
}
