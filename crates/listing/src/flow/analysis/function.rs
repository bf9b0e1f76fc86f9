//! A routine, or the part of it that a call enters, with all that is known of it before its structure is
//! looked for.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::flow::FlowOptions;
use crate::flow::analysis::callees::FunctionId;
use crate::flow::analysis::convergence_queries::{Asked, asked_for};
use crate::flow::analysis::counts::Numbers;
use crate::flow::analysis::entries::Entries;
use crate::flow::analysis::known::KnownFunctions;
use crate::flow::analysis::{Scope, callees};
use crate::flow::graph::{BlockId, ControlFlowGraph, Node};
use crate::routine::{Listing, Routine};
use warpspan_isa::block_barrier::is_aligned;
use warpspan_isa::effects::Registers;
use warpspan_isa::instruction::{Flow, Instruction, Language};
use warpspan_isa::opcode::Opcode;
use warpspan_isa::operand::Operand;
use warpspan_model::program::Divergence;

/// The listing, and what the user and the machine say of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program<'a, 'l> {
    pub(crate) listing: &'l Listing<'a>,
    /// What is known of its functions.
    pub(crate) known: &'l KnownFunctions<'a>,
    pub(crate) options: FlowOptions<'l>,
    pub(crate) entries: &'l Entries,
}

/// The results of the analyses of a routine.
#[derive(Debug)]
pub(crate) struct Function<'a, 'g> {
    pub(crate) program: Program<'a, 'g>,
    pub(crate) id: FunctionId,
    pub(crate) routine: &'g Routine<'a>,
    pub(crate) graph: &'g ControlFlowGraph,
    /// All of the graph.
    pub(crate) whole: Scope<'g>,
    pub(super) numbers: OnceCell<Rc<Numbers<'a>>>,
    pub(super) numbers_of_groups: OnceCell<Rc<Numbers<'a>>>,
    /// Of each instruction: whether all threads of a warp do the same there.
    pub(super) uniform: Vec<bool>,
    /// The branches that are uniform only because a shuffle of all lanes is on one of their paths.
    pub(super) of_shuffles: Vec<usize>,
    /// What it calls, with the registers that hold the same there in all threads that call together.
    pub(super) calls: Vec<(FunctionId, Registers)>,
    /// Of each instruction: whether it is a barrier of the block.
    pub(super) barriers: Vec<bool>,
    /// Whether it is called, so that its ends do not end the threads.
    pub(crate) called: bool,
}

/// The control-flow graph of a routine, or of the part of it that a call enters. `end_has_letters` says of an
/// opcode that ends threads or the routine whether it has letters.
pub(crate) fn control_flow_graph(
    listing: &Listing<'_>,
    id: FunctionId,
    mut end_has_letters: impl FnMut(&Opcode<'_>) -> bool,
    called: bool,
) -> ControlFlowGraph {
    let routine = &listing.routines[id.routine];
    let mut lettered_ends = HashSet::new();
    for (at, instruction) in routine.instructions.iter().enumerate() {
        if instruction.flow == Flow::End && end_has_letters(&instruction.opcode()) {
            lettered_ends.insert(at);
        }
    }
    ControlFlowGraph::new(routine, listing.language, id.entry, &lettered_ends, called)
}

impl<'a, 'g> Function<'a, 'g> {
    /// What is called, with the registers that hold the same there in all threads that call together.
    pub(super) fn calls(&self) -> &[(FunctionId, Registers)] {
        &self.calls
    }

    /// The registers that hold the same in all threads that come to its beginning together.
    pub(super) fn same_at_entry(&self) -> Registers {
        if self.called { self.program.entries.same(self.id) } else { Registers::default() }
    }

    /// Whether threads that come to its beginning together may come to its end, or the ends of what it calls, apart.
    pub(super) fn may_part(&self) -> bool {
        let jumps = |at: usize| {
            let one = &self.routine.instructions[at];
            one.conditional && one.flow != Flow::Next || matches!(one.flow, Flow::Switch(_) | Flow::Unknown)
        };
        let mut all = self.graph.blocks().flat_map(|(_, block)| block.instructions.clone());
        all.any(|at| jumps(at) && !self.uniform[at] || self.comes_back_apart(at))
    }

    /// Whether threads may come back one after the other from what an instruction calls.
    pub(super) fn comes_back_apart(&self, instruction: usize) -> bool {
        let callee = self.callee(instruction);
        callee.is_some_and(|callee| {
            // Up to 6.x those that return first wait for the others at the location that the call pushed.
            let waits = !self.is_ptx() && !self.program.options.independent_threads;
            self.routine.instructions[instruction].conditional || !waits && self.program.entries.parts(callee)
        })
    }

    /// Whether it is PTX, which does not say where threads wait for each other.
    pub(crate) fn is_ptx(&self) -> bool {
        self.program.listing.language == Language::Ptx
    }

    /// Of each instruction: whether it is a barrier of the block.
    pub(crate) fn barriers(&self) -> &[bool] {
        &self.barriers
    }

    /// A branch directly behind a barrier under the same predicate cannot diverge, since that is the same in all threads that come
    /// by the barrier. Nobody may come to it in another way.
    pub(super) fn branch_behind_barriers(&mut self) {
        let list = &self.routine.instructions;
        let comes = |to: usize| {
            list.iter().any(|one| match &one.flow {
                Flow::Branch(at) | Flow::CallInside(at) => *at == to,
                Flow::Switch(all) => all.contains(&to),
                _ => false,
            })
        };
        let behind = |&at: &usize| {
            let same = |next: &Instruction<'_>| {
                let alone = !next.operands().iter().any(Operand::is_condition) && next.is_jump();
                let [one, other] = [next, &list[at]].map(|one| one.guard.map(|guard| guard.register));
                alone && one == other
            };
            let barrier = self.barriers[at] && list[at].conditional && self.is_for_all(at);
            barrier && list.get(at + 1).is_some_and(same) && !comes(at + 1)
        };
        let behind: Vec<usize> = (0..list.len()).filter(behind).map(|at| at + 1).collect();
        behind.into_iter().for_each(|at| self.uniform[at] = true);
    }

    /// Whether all threads of a warp come to a barrier under a predicate, or none: its predicate is inferred to be the same, or CUDA demands
    /// that it is. That is not so of `barrier.sync` without `.aligned`; in SASS such code asks first whether the warp is together.
    /// Nothing is taken from the demand where threads that pass it by end at once.
    pub(crate) fn is_for_all(&self, barrier: usize) -> bool {
        if self.uniform[barrier] {
            return true;
        }
        let next = self.routine.instructions.get(barrier + 1);
        if next.is_none_or(|next| next.flow == Flow::End && !next.conditional) {
            return false;
        }
        if self.is_ptx() {
            return is_aligned(&self.routine.instructions[barrier]);
        }
        let mut blocks = self.graph.blocks().map(|(_, block)| block.instructions.clone());
        !blocks.any(|block| asked_for(self.routine, block) == Some(Asked::Other))
    }

    /// Whether all threads of a warp do the same at an instruction.
    pub(crate) fn uniform_at(&self, instruction: usize) -> bool {
        self.uniform[instruction]
    }

    /// The lines of the branches that are uniform only because a shuffle of all lanes is on one of their paths.
    pub(crate) fn lines_of_shuffles(&self) -> impl Iterator<Item = u32> {
        self.of_shuffles.iter().map(|&at| self.routine.instructions[at].line)
    }

    /// Whether all threads of a warp leave a node on the same path.
    pub(crate) fn uniform(&self, scope: &Scope<'_>, node: Node) -> bool {
        self.uniform[scope.subgraph.block(node).last()]
    }

    /// How the threads of a warp may issue the arms of a branch.
    pub(crate) const fn divergence(&self, uniform: bool) -> Divergence {
        if uniform {
            Divergence::Uniform
        } else if self.program.options.independent_threads {
            Divergence::Interleaved
        } else {
            Divergence::Divergent
        }
    }

    /// The labels and lines that the user declares uniform and that are those of a conditional branch here.
    pub(crate) fn declared_branches(&self) -> Vec<String> {
        let declared = self.program.options.uniform;
        let mut found = Vec::new();
        if !declared.is_empty() {
            let conditional = (0..self.routine.instructions.len())
                .filter(|&at| self.routine.instructions[at].conditional)
                .flat_map(|at| branch_names(self.routine, at));
            found.extend(conditional.filter(|name| declared.contains(name)));
        }
        found
    }

    /// What an instruction calls: another routine, or a part of this one.
    pub(crate) fn callee(&self, instruction: usize) -> Option<FunctionId> {
        callees::callee(self.program.listing, (self.id.routine, self.routine), instruction)
    }

    /// Whether threads may end in what an instruction calls.
    pub(super) fn may_end_in_call(&self, instruction: usize) -> bool {
        callees::may_end(self.program.listing, (self.id.routine, self.routine), instruction)
    }

    /// Whether an instruction may be, or lead to, a barrier of the block. A call may.
    pub(crate) fn may_have_barrier(&self, instruction: usize) -> bool {
        self.barriers[instruction] || self.callee(instruction).is_some()
    }

    /// Whether a block is a `BSYNC` or the like, which is always a block of its own.
    pub(crate) fn is_wait(&self, block: BlockId) -> bool {
        self.routine.instructions[self.graph[block].first()].is_wait()
    }

    /// Whether a `WARPSYNC` may be executed at an instruction, or in what it calls.
    pub(crate) fn may_wait_for_warp(&self, instruction: usize) -> bool {
        let waits = |routine: &Routine<'_>| routine.instructions.iter().any(|one| one.is_warp_sync());
        match self.callee(instruction) {
            None => self.routine.instructions[instruction].is_warp_sync(),
            Some(callee) if callee.routine != self.id.routine => {
                let called = &self.program.listing.routines[callee.routine];
                waits(called) || called.instructions.iter().any(|one| matches!(one.flow, Flow::Call(_)))
            }
            Some(callee) => {
                let graph = control_flow_graph(self.program.listing, callee, |_| false, true);
                let mut inside = graph.blocks().flat_map(|(_, block)| block.instructions.clone());
                inside.any(|at| {
                    let one = &self.routine.instructions[at];
                    one.is_warp_sync() || !matches!(one.flow, Flow::Next | Flow::Branch(_) | Flow::End)
                })
            }
        }
    }

    /// The line of the first instruction of a block.
    pub(crate) fn line(&self, block: BlockId) -> u32 {
        self.routine.line_of(self.graph[block].first())
    }

    /// What to call a block in messages: its label or its line.
    pub(crate) fn place(&self, block: BlockId) -> String {
        self.routine.place(self.graph[block].first())
    }

    /// What to call a branch in messages: its target or its line.
    pub(crate) fn branch_name(&self, branch: usize) -> String {
        branch_names(self.routine, branch).swap_remove(0)
    }
}

/// What the user may call a branch: its target, or its line.
pub(super) fn branch_names(routine: &Routine<'_>, branch: usize) -> Vec<String> {
    let instruction = &routine.instructions[branch];
    let target = if let Flow::Branch(to) = instruction.flow { Some(routine.place(to)) } else { None };
    target.into_iter().chain([instruction.line.to_string()]).collect()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::classes::Classes;
    use crate::known::Studied;
    use crate::params::Launch;
    use crate::{LoopBounds, Text};

    /// Looks at the first routine of a listing, an entry, at a capability.
    pub(crate) fn with_function<R>(
        text: &str,
        capability: &str,
        look: impl FnOnce(&Function<'_, '_>, &mut Classes) -> R,
    ) -> R {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        let Studied { listing, functions, .. } = &Studied::from(text.listing().unwrap());
        let mut classes = Classes::new(listing.language, capability.parse().unwrap(), vec![]);
        let (loop_bounds, uniform, launch) = (LoopBounds::default(), HashSet::new(), Launch::default());
        let independent_threads = capability >= "7.0";
        let options = FlowOptions {
            loop_bounds: &loop_bounds,
            loop_totals: &loop_bounds,
            uniform: &uniform,
            launch: &launch,
            independent_threads,
        };
        let (entries, id) = (Entries::default(), FunctionId { routine: 0, entry: 0 });
        let program = Program { listing, known: functions, options, entries: &entries };
        let graph = control_flow_graph(listing, id, |_| false, false);
        look(&Function::new(program, id, &graph, &mut classes, false), &mut classes)
    }

    /// The text of a kernel of PTX.
    pub(crate) fn kernel(body: &str) -> String {
        format!(".version 7.0\n.target sm_61\n.visible .entry k(.param .u32 n)\n{{\n{body}\n}}\n")
    }

    /// The text of a function of SASS. A target is 8 times the number of its instruction, whatever the capability.
    pub(crate) fn sass(capability: &str, lines: &[&str]) -> String {
        let address = |number: usize| match capability.as_bytes()[0] {
            b'2' => 8 * number,
            b'3' => 8 * (number + number / 7 + 1),
            b'5' | b'6' => 8 * (number + number / 3 + 1),
            _ => 16 * number,
        };
        let moved = |text: &str| {
            let jumps = ["BRA", "BSSY", "SSY", "PBK", "PCNT", "CALL", "CAL", "JMP"];
            let (before, target) = text.rsplit_once(" 0x")?;
            let is_jump = text.split([' ', '.']).any(|word| jumps.contains(&word));
            let number = usize::from_str_radix(target, 16).ok().filter(|_| is_jump)? / 8;
            Some(format!("{before} {:#x}", address(number)))
        };
        let line = |(at, &text): (usize, &&str)| {
            let moved = moved(text).unwrap_or_else(|| text.to_owned());
            format!("        /*{:04x}*/ {moved} ;\n", address(at))
        };
        let code: String = lines.iter().enumerate().map(line).collect();
        format!("\tcode for sm_{capability}\n\t\tFunction : k\n{code}\t\t.....\n")
    }
}
