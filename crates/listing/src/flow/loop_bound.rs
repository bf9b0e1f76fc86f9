//! What is known of how often a loop is passed.

use crate::flow::{Wait, WaitKind};
use crate::formula::Formula;
use crate::message::one_line;
use crate::user::declared_larger;
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::source::Remedy;

/// The passes that a program has of a loop whose passes are counted over all warps: the first one and the last one, with the code
/// between a test in the middle and the next pass.
pub(crate) const PASSES_OF_TOTAL: u64 = 2;

/// How often a warp passes the header of a loop at most, each time it reaches the loop from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoopBound {
    /// The label of the header, or its line.
    pub label: String,
    /// The line of the header.
    pub line: u32,
    /// The bound: the smaller one of what is declared and what is counted; none if neither is known.
    pub most: Option<u64>,
    /// Whether it was found in the code rather than given.
    pub inferred: bool,
    /// What the user says.
    pub declared: Option<u64>,
    /// What the code shows.
    pub counted: Option<u64>,
    /// A larger number that the user says too, in the same way.
    pub declared_too: Option<u64>,
    /// Whether that takes for granted that each group of threads reads in uniform registers what it wrote there itself.
    pub of_groups: bool,
    /// How often the code shows that it is passed at least, unless it is left in another way.
    pub least: u64,
    /// How often all warps of a launch pass the header together at most, if the user says so. The program then has two passes of it
    /// at most, and each pass beyond them has to be counted beside it.
    pub total: Option<u64>,
    /// The memory that other blocks write and that its exit depends on, so that the code alone bounds it in no way.
    pub wait: Option<Wait>,
    /// The bound as an expression, where parameters are symbols.
    pub(crate) formula: Option<Formula>,
    /// The parameters of which values would give it a bound, if it has none and the code shows that.
    pub parameters: Vec<String>,
}

impl LoopBound {
    /// The loop in messages.
    pub(crate) fn named(&self) -> String {
        format!("loop {} (line {})", one_line(&self.label), self.line)
    }

    /// That no bound follows from code that waits so.
    pub(crate) fn why_no_bound(&self, wait: &Wait) -> String {
        let Wait { kind, line, opcode } = wait;
        let (named, opcode) = (self.named(), one_line(opcode));
        match kind {
            WaitKind::Queue => format!(
                "{named} takes numbers from a counter that all blocks share ({opcode} in line {line}), so its exit depends on \
                 memory that other blocks write, and no bound on its iterations follows from this code"
            ),
            WaitKind::Retry => format!(
                "{named} repeats {opcode} in line {line} until no other thread was faster, so its exit depends on memory that \
                 other blocks write, and no bound on its iterations follows from this code"
            ),
            WaitKind::Limit | WaitKind::Spin => format!(
                "the exit of {named} depends on memory that other blocks write ({opcode} in line {line}), so no bound on its \
                 iterations follows from this code"
            ),
        }
    }

    /// The passes that a thread makes which reaches the loop, if the code shows their number and nothing else leaves the loop.
    pub(crate) fn exactly(&self) -> Option<u64> {
        self.counted.filter(|&counted| counted == self.least)
    }

    /// The passes that the user gives it: of a warp, or of all warps together.
    pub(crate) fn said(&self) -> Option<u64> {
        self.declared.or(self.total)
    }

    fn whose_passes(&self) -> &'static str {
        if self.total.is_some() { "all warps together" } else { "a warp" }
    }

    /// That the user says less than what the code does for certain.
    pub(crate) fn declared_too_small(&self, said: u64, least: u64) -> String {
        format!(
            "loop {}: {said} is declared for the iterations of {}, and the code makes {least}: want {least} or more",
            one_line(&self.label),
            self.whose_passes()
        )
    }

    /// That the user says less than what each warp does that reaches the loop, so that none does.
    pub(crate) fn unreached(&self, said: u64, least: u64) -> Assumption {
        let value = format!(
            "no warp reaches it, since {said} is declared for the iterations of {} and each that does makes {least}",
            self.whose_passes()
        );
        Assumption::declared(Id::LoopUnreached, self.named(), value)
    }

    /// That the user says several numbers, if that is so.
    pub(crate) fn declared_twice(&self) -> Option<String> {
        let (said, more) = (self.said()?, self.declared_too?);
        Some(format!(
            "[declared.twice] {}: {said} and {more} iterations are declared: the smaller number counts",
            self.named()
        ))
    }

    /// That the user says more than the code shows, if that is so.
    pub fn declared_larger(&self) -> Option<String> {
        let (declared, counted) = (self.declared?, self.counted?);
        (declared > counted).then(|| declared_larger(&self.named(), declared, counted))
    }

    /// That the iterations of all warps together that the user says give a larger bound than those of each warp that the code shows.
    pub fn total_larger(&self) -> Option<String> {
        let (total, counted) = (self.total?, self.counted?);
        Some(format!(
            "[declared.larger] {}: your declaration of {total} iterations of all warps gives a larger bound than what the code shows \
             ({counted} of each warp), which counts",
            self.named()
        ))
    }

    /// How many passes the program has of it at most, each time a warp reaches it.
    pub(crate) fn in_program(&self) -> Option<u64> {
        if self.total.is_some() { self.most.map(|most| most.min(PASSES_OF_TOTAL)) } else { self.most }
    }

    /// What a number rests on if somebody gave the bound of the loop, for a warp or for all of them together, or if the code shows it under
    /// a condition.
    pub fn assumption(&self) -> Option<Assumption> {
        let subject = self.named();
        if self.of_groups {
            let value = "its bound is counted as if each group of threads read in uniform registers what it wrote there itself";
            let bound = Remedy::LoopBounds(vec![self.label.clone()]);
            return Some(Assumption::assumed(Id::RegistersOwn, subject, value).unless(bound));
        }
        if let Some(total) = self.total {
            let value = format!("at most {total} iterations, of all warps of the launch together");
            return Some(Assumption::declared(Id::LoopTotal, subject, value));
        }
        let most = self.most?;
        let Some(wait) = &self.wait else {
            let value = format!("at most {most} iteration{}", if most == 1 { "" } else { "s" });
            return (!self.inferred).then(|| Assumption::declared(Id::LoopBound, subject, value));
        };
        let value = format!(
            "at most {most} iterations, whatever other blocks do: it waits for memory that they write ({} in line {})",
            one_line(&wait.opcode),
            wait.line
        );
        Some(Assumption::declared(Id::LoopWaits, subject, value))
    }
}
