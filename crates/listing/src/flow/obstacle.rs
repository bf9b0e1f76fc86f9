//! What stands in the way of a structured program.

use thiserror::Error;

use crate::message::one_line;
use warpspan_isa::opcode::Opcode;
use warpspan_isa::waits;
use warpspan_model::source::{Message, Remedy};

/// What stands in the way of a structured program at a line. The [`Display`](std::fmt::Display) of it is what
/// was found, without the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// A bound that cannot be multiplied.
    #[error("the bound {most} of loop {label} is too large")]
    BoundTooLarge {
        /// The bound.
        most: u64,
        /// The header of the loop.
        label: String,
    },
    /// A loop whose passes are given for all warps together, and whose threads go on apart.
    #[error(
        "the threads of a warp leave this loop apart, so that a total of its iterations is of no use: want a bound of one warp"
    )]
    TotalApart,
    /// A loop whose passes are given for all warps together, with barriers that some passes leave out.
    #[error(
        "a barrier inside of a branch or loop of an iteration, so that a total of the iterations is of no use: want a bound of one warp"
    )]
    TotalBarriers,
    /// A loop that is no natural one.
    #[error("a loop entered both at {0} and at {1}: not supported")]
    TwoEntries(String, String),
    /// A loop that nothing leaves.
    #[error("the loop at {0} has no way out")]
    Endless(String),
    /// A branch whose ways leave an inner and an outer loop.
    #[error("the ways of the branch at {0} leave two loops at once")]
    LeavesTwoLoops(String),
    /// Ways out of a loop that threads of one warp may take in turns with later passes.
    #[error(
        "the paths of this branch leave the loop without meeting, and may alternate with later iterations"
    )]
    LeavesApart,
    /// The same, where threads wait for each other inside of the loop.
    #[error(
        "the ways of this branch leave the loop without meeting, in which threads wait for each other elsewhere"
    )]
    LeavesBesideWaits,
    /// Tail duplication would not end.
    #[error("branches that share too much code for a structured program")]
    SharedCode,
    /// A recursion.
    #[error("{0} calls itself: a recursion is not supported")]
    Recursion(String),
    /// Too large a graph.
    #[error("more than {0} basic blocks: not supported")]
    Blocks(usize),
    /// Too deep a graph.
    #[error("loops, branches and calls nested deeper than {0}")]
    Depth(u32),
    /// What is wrong with the routine itself.
    #[error("{0}")]
    Fault(String),
    /// A branch whose only target is the next line.
    #[error("a branch to the next line may part the threads of a warp")]
    BranchToNext,
    /// A wait of which it is not known whom it waits for.
    #[error(
        "{opcode} {register}: not every way to it has a BSSY of {register} whose place is behind it, so it is not known \
         whom it waits for"
    )]
    UnknownWait {
        /// The wait.
        opcode: String,
        /// Its register.
        register: String,
    },
    /// A jump to what only the hardware knows.
    #[error("{0} goes where the listing does not tell: want code with direct branches and calls")]
    UnknownTarget(String),
    /// A jump by a table.
    #[error(
        "{0} jumps by a table that the listing does not show: want that of nvdisasm -c, which has the targets"
    )]
    UnknownTable(String),
    /// A call by a pointer, as of `printf` and `assert`.
    #[error("{0} calls what a pointer says, as printf and assert do, and no listing shows what it runs")]
    UnknownCall(String),
    /// A routine of another file.
    #[error("{0} is called, but its body is not in this listing")]
    NoBody(String),
    /// A call under a predicate.
    #[error("{0} may part the threads of a warp, and nothing says where they wait for each other")]
    ConditionalCall(String),
    /// A barrier that only some threads of a warp may come to, beside others that end.
    #[error("a barrier on one way of a branch whose other way ends, and from 7.0 on may alternate with it")]
    BarrierBesideEnd(String),
    /// A barrier behind a branch that may end the pass of a loop.
    #[error("a barrier behind the branch to {0}, which may part the threads of a warp")]
    BarrierBehind(String),
    /// A barrier in an arm of a branch.
    #[error("a barrier under the branch to {0}, which may part the threads of a warp")]
    BarrierUnder(String),
    /// A barrier in a loop that some threads of a warp may leave.
    #[error("a barrier in a loop that the branch to {0} leaves, which may part the threads of a warp")]
    BarrierInLoop(String),
    /// Arms with different numbers of barriers.
    #[error("the ways of the branch to {0} have different numbers of barriers: not supported")]
    DifferentBarriers(String),
    /// A routine with a barrier behind a return.
    #[error("{0} may return here before a barrier: want it inlined, or one return behind its barriers")]
    EarlyReturn(String),
    /// A loop with a barrier and a call in which threads may end.
    #[error("a call in a loop with a barrier, in which threads may end: not supported")]
    EndsInCall,
    /// A barrier under a predicate.
    #[error(
        "{0} under a predicate, to which the threads of a warp may come one by one: want a barrier that all warps of the block come to"
    )]
    PredicatedBarrier(String),
    /// A barrier of some threads of a block.
    #[error("{0} for a number of threads: want a barrier of the whole block")]
    PartialBarrier(String),
    /// An opcode of no class.
    #[error("{0} is in no class")]
    NoClass(String),
    /// An opcode of a class without a number of letters.
    #[error("how many letters {0} is, no table says")]
    Unrated(String),
    /// An opcode for which a machine has no letter.
    #[error("the machine has no letter for {opcode}, which would be one of {names}")]
    NoLetter {
        /// The opcode.
        opcode: String,
        /// The letters that would do.
        names: String,
    },
    /// An opcode that the model leaves out.
    #[error("{opcode} {reason}: the model does not cover that")]
    Refused {
        /// The opcode.
        opcode: String,
        /// What it does.
        reason: String,
    },
    /// Threads that return from a routine at different places.
    #[error("the threads that this branch parts may return one group after the other, and go on apart")]
    ReturnApart,
    /// A place where ways meet only because others end.
    #[error(
        "the ways of this branch meet in a pass of a loop that only ends of the threads leave, and may part the threads of \
         a warp"
    )]
    MeetsInPass,
    /// A branch with different `BSSY` before it.
    #[error(
        "a branch that may part the threads of a warp, and which SSY, PBK or BSSY are before it depends on the path"
    )]
    UnknownPoint,
    /// A branch without any point of reconvergence.
    #[error(
        "a branch that may part the threads of a warp, and no SSY, BSSY or PBK before it says where they wait for each other"
    )]
    NoPoint,
    /// Ways that meet before the threads wait.
    #[error(
        "the ways of this branch meet before line {0}, where the listing has its threads wait for each other"
    )]
    MeetsBefore(u32),
    /// Ways that meet where the threads do not wait.
    #[error("the ways of this branch meet in line {0}, where its threads do not wait for each other")]
    MeetsWithoutWait(u32),
    /// Ways to a wait that some threads may pass by.
    #[error("the threads that this branch parts may come to line {0} without waiting for each other there")]
    MayPassWait(u32),
}

impl Obstacle {
    /// The branch at a line that would have to be uniform, by the name that a declaration takes; none if that would
    /// not do.
    pub(crate) fn branch(&self, line: u32) -> Option<String> {
        self.message(line).remedies().find_map(|remedy| match remedy {
            Remedy::Uniform(branch) => Some(branch.clone()),
            _ => None,
        })
    }

    /// Whether it is a call of what the listing does not show.
    pub(crate) const fn is_unknown_call(&self) -> bool {
        matches!(self, Self::UnknownCall(_) | Self::NoBody(_))
    }

    /// What was found at a line, and what would do.
    pub(crate) fn message(&self, line: u32) -> Message {
        let found = Message::text(one_line(self));
        let uniform = |branch: &dyn std::fmt::Display, condition: &str| {
            let declared = found.clone().then(": declare it ").remedy(Remedy::Uniform(one_line(&branch)));
            declared.then(", if ").then(condition)
        };
        let never = |found: Message, what: &str| {
            found
                .then(what)
                .remedy(Remedy::Unreachable(line.to_string()))
                .then(", if control never comes to it")
        };
        match self {
            Self::NoClass(opcode) => {
                found.then(": give it one with ").remedy(Remedy::Classes(vec![one_line(opcode)]))
            }
            Self::NoLetter { opcode, .. } => found
                .then(": add one, or give it a class with ")
                .remedy(Remedy::Classes(vec![one_line(opcode)])),
            Self::Unrated(opcode) => {
                found.then(": give it with ").remedy(Remedy::Classes(vec![one_line(opcode)]))
            }
            Self::UnknownCall(_) => never(found, ": want code without it, or declare it "),
            Self::NoBody(_) => never(found, ": want a listing of linked code, or declare it "),
            Self::BarrierBesideEnd(branch) => uniform(branch, "it parts no threads of a warp"),
            Self::BarrierBehind(branch) | Self::BarrierUnder(branch) | Self::BarrierInLoop(branch) => {
                uniform(branch, "it does not")
            }
            Self::LeavesTwoLoops(_) | Self::LeavesApart | Self::LeavesBesideWaits => {
                uniform(&line, "it is so")
            }
            Self::BranchToNext
            | Self::ConditionalCall(_)
            | Self::ReturnApart
            | Self::MeetsInPass
            | Self::UnknownPoint
            | Self::NoPoint
            | Self::MeetsBefore(_)
            | Self::MeetsWithoutWait(_)
            | Self::MayPassWait(_) => uniform(&line, "it does not part them"),
            Self::Refused { opcode, .. } => {
                match waits::of(&Opcode::new(opcode)).and_then(|one| one.covered.unless()) {
                    Some(unless) => {
                        let given = found.then(": want code without it, or a class for it with ");
                        given.remedy(Remedy::Classes(vec![one_line(opcode)])).then(", if ").then(unless)
                    }
                    None => found.then(": want code without it"),
                }
            }
            _ => found,
        }
    }
}
