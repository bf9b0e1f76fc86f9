//! Uniformity in SASS: which predicates are the same for all threads of a warp that stand together.
//!
//! Compilers use a register for many values, so the analysis follows the flow of control. At each location a
//! register either certainly holds the same value in all threads that are there together, or it *varies*. What
//! a block finds is what all blocks before it leave. A branch that may diverge makes every register
//! vary that is written between it and its join,
//!
//! - at the join, where threads come together that took other paths, or left a loop in other passes; and
//! - inside, at the blocks that two of its paths lead to.
//!
//! Threads that load from one address in one instruction get the same. That is used where all threads of the warp
//! are together, since memory may change in between where they are not.
//!
//! A branch that decides whether, or how often, a barrier of the block is passed cannot diverge: CUDA demands
//! that all threads of a block decide it alike, and compilers rely on it. (The barriers for which they need not,
//! `barrier.sync` without `.aligned`, are compiled to code that asks whether the warp is together, `BRA.CONV`
//! or `BRA.DIV`.) The bound of a program names this assumption. In the same way CUDA demands that all threads of a warp
//! come to a shuffle, vote, match or reduction of all lanes, or none does.
//!
//! `docs/extract.md` has the proof.

use std::collections::{BTreeSet, HashMap};

use crate::flow::analysis::convergence::reconvergence_block;
use crate::flow::analysis::convergence_queries::{Asked, asked_for};
use crate::flow::analysis::convergent_branches::Together;
use crate::flow::analysis::effects::{Registers, effects};
use crate::flow::analysis::group_registers::GroupRegisters;
use crate::flow::analysis::warp_uniform::State;
use crate::flow::analysis::{Function, FunctionId, callees};
use crate::flow::graph::{BlockId, Edge, Node};
use crate::isa::operand;
use crate::isa::row::Fact;
use crate::isa::sass::row;
use crate::routine::{Flow, Instruction};

/// Larger graphs are not analysed: their branches count as divergent.
const MOST_BLOCKS: usize = 5000;

/// What is found of a function.
#[derive(Debug, Default)]
pub(super) struct Inferred {
    /// Whether each instruction is uniform: all threads of a warp that are there together have the same predicate, and go the
    /// same way. What the listing or the user says is taken for granted.
    pub(super) uniform: Vec<bool>,
    /// The branches of which only a shuffle of all lanes says so.
    pub(super) of_shuffles: Vec<usize>,
    /// What is called, with the registers that hold the same there in all threads that call together.
    pub(super) calls: Vec<(FunctionId, Registers)>,
}

/// Looks at a function.
pub(super) fn inferred(function: &Function<'_, '_>) -> Inferred {
    let routine = function.routine;
    let uniform = (0..routine.instructions.len()).map(|at| function.uniform_at(at)).collect();
    let mut found = Inferred { uniform, ..Inferred::default() };
    let graph = function.graph;
    if graph.len() > MOST_BLOCKS || graph.len() < 2 {
        let callees = graph.blocks().flat_map(|(_, block)| block.instructions.clone());
        let callees = callees.filter_map(|at| function.callee(at));
        found.calls.extend(callees.map(|callee| (callee, Registers::default())));
        return found;
    }
    let mut threads = Threads::new(function);
    // Compilers ask whether the warp is together before a barrier to which its threads may come apart.
    let mut shuffles = vec![false; routine.instructions.len()];
    let mut asks_at_barrier = false;
    for (_, block) in graph.blocks() {
        match asked_for(routine, block.instructions.clone()) {
            Some(Asked::AllLanes) => shuffles[block.last()] = true,
            Some(Asked::Other) => asks_at_barrier = true,
            Some(Asked::SomeLanes) | None => {}
        }
    }
    let barriers = if asks_at_barrier { &[] } else { function.barriers() };
    let (whole, may_end) = (&function.whole.subgraph, |at| function.may_end_in_call(at));
    // Threads may pass by a barrier under a predicate.
    let is_barrier =
        |at: usize| barriers.get(at).copied().unwrap_or(false) && !routine.instructions[at].conditional;
    let barriers = Together::new(routine, whole, is_barrier, may_end);
    let all_lanes = Together::new(routine, whole, |at| shuffles[at], may_end);
    threads.solve(&barriers, &all_lanes, &shuffles);
    for (block, contents) in graph.blocks() {
        let Some(mut state) = threads.before[block.index()] else { continue };
        for at in contents.instructions.clone() {
            let instruction = &routine.instructions[at];
            found.uniform[at] |= state.decides(instruction);
            if let Some(callee) = function.callee(at) {
                // The call may write the register of the return address.
                let own = effects(instruction);
                found.calls.push((callee, state.same.without(own.touches.with(own.writes))));
            }
            threads.step(&mut state, block, at);
        }
        if threads.decides_shuffle[block.index()] && !found.uniform[contents.last()] {
            found.of_shuffles.push(contents.last());
        }
        found.uniform[contents.last()] |= threads.decides(block);
    }
    found
}

/// The analysis of a function.
struct Threads<'a, 'f> {
    function: &'f Function<'a, 'f>,
    /// What is known before each block; none if it was not looked at yet.
    before: Vec<Option<State>>,
    /// What varies at the beginning of each block, whatever the blocks before it leave.
    lost: Vec<Registers>,
    /// The blocks whose last instruction may diverge.
    parts: Vec<bool>,
    /// The blocks in which some threads of the warp may be elsewhere.
    apart: Vec<bool>,
    /// The blocks whose last instruction decides about a barrier.
    decides_barrier: Vec<bool>,
    /// Those whose last instruction decides about a shuffle of all lanes.
    decides_shuffle: Vec<bool>,
    /// What the blocks may write, calls included.
    written: Vec<Registers>,
    /// What calls may write, by what they call.
    clobbers: HashMap<FunctionId, Registers>,
    /// Whether instructions may wait for the warp, of those that were looked at.
    waits: HashMap<usize, bool>,
    /// The uniform registers that are written where threads may have diverged.
    group_registers: GroupRegisters,
    /// The blocks whose last instruction sends each group along one path, but perhaps not all groups the same.
    by_group: Vec<bool>,
}

impl<'a, 'f> Threads<'a, 'f> {
    fn new(function: &'f Function<'a, 'f>) -> Self {
        let graph = function.graph;
        let length = graph.len();
        let mut all = Self {
            function,
            apart: vec![false; length],
            before: vec![None; length],
            lost: vec![Registers::default(); length],
            parts: vec![false; length],
            decides_barrier: vec![false; length],
            decides_shuffle: vec![false; length],
            written: vec![Registers::default(); length],
            clobbers: HashMap::new(),
            waits: HashMap::new(),
            group_registers: GroupRegisters::new(function.called),
            by_group: vec![false; length],
        };
        for (block, contents) in graph.blocks() {
            let written = contents.instructions.clone().map(|at| all.written_at(at));
            all.written[block.index()] = written.fold(Registers::default(), Registers::with);
        }
        for node in function.whole.subgraph.nodes() {
            for at in function.whole.subgraph.block(node).instructions.clone() {
                if function.comes_back_apart(at) {
                    all.set_apart(function.whole.subgraph.block_id(node));
                    _ = all.go_apart(node, at);
                }
            }
        }
        // The condition code is that of the compiler's additions. Where none writes it, none reads it.
        let any = all.written.iter().copied().fold(Registers::default(), Registers::with);
        let own = Registers::condition().without(any);
        let known = if function.called { function.same_at_entry() } else { own };
        all.before[BlockId::ENTRY.index()] = Some(State::new(known));
        all
    }

    /// Whether the last instruction of a block decides about a barrier or a shuffle.
    fn decides(&self, block: BlockId) -> bool {
        self.decides_barrier[block.index()] || self.decides_shuffle[block.index()]
    }

    /// What an instruction may write, with what it calls.
    fn written_at(&mut self, at: usize) -> Registers {
        let instruction = &self.function.routine.instructions[at];
        let own = effects(instruction);
        let own = own.touches.with(own.writes).with(carry(instruction));
        let callee = self.function.callee(at);
        let unknown = match &instruction.flow {
            Flow::Call(_) => callee.is_none(),
            flow => *flow == Flow::Unknown,
        };
        if unknown {
            return Registers::ALL;
        }
        own.with(callee.map_or(Registers::default(), |callee| self.clobbered_by(callee)))
    }

    /// What a function that is called may write.
    fn clobbered_by(&mut self, callee: FunctionId) -> Registers {
        if let Some(known) = self.clobbers.get(&callee) {
            return *known;
        }
        let listing = self.function.program.listing;
        let found = callees::instructions(listing, callee).map_or(Registers::ALL, |all| {
            all.into_iter().fold(Registers::default(), |found, id| {
                let instruction = &listing.routines[id.routine].instructions[id.entry];
                let own = effects(instruction);
                found.with(own.touches).with(own.writes).with(carry(instruction))
            })
        });
        self.clobbers.insert(callee, found);
        found
    }

    /// Whether an instruction, or what it calls, may wait for all threads of the warp.
    fn waits_for_warp(&mut self, at: usize) -> bool {
        let function = self.function;
        *self.waits.entry(at).or_insert_with(|| function.may_wait_for_warp(at))
    }

    /// What is known behind an instruction.
    fn step(&mut self, state: &mut State, block: BlockId, at: usize) {
        let instruction = &self.function.routine.instructions[at];
        // What waits for the warp may bring threads together that have come here on any paths.
        let mixes = (self.apart[block.index()] || self.function.called) && self.waits_for_warp(at);
        if mixes {
            *state = State::new(state.same.both(Registers::condition()));
        }
        if !matches!(instruction.flow, Flow::Next) {
            state.lose(self.written_at(at));
            // Threads may come back from a call at other times than they left.
            state.together = state.same;
            return;
        }
        let mut effects = effects(instruction);
        let apart = self.apart[block.index()];
        effects.writes = effects.writes.with(carry(instruction));
        effects.varies |= effects.varies_apart && apart;
        // A vote of the whole warp gives all of its threads the same.
        let votes = effects.varies && effects.together != Registers::default();
        if votes && !apart && instruction.guard.is_none() {
            effects.varies = false;
            effects.writes = effects.writes.with(effects.together);
        }
        state.execute(instruction, &effects, apart && self.group_registers.reads(instruction));
        let waits = row(instruction.name()).is_some_and(|row| row.has(Fact::Regroups));
        if waits {
            state.together = state.same;
        }
    }

    /// Looks at the blocks until nothing changes any more.
    fn solve(&mut self, barriers: &Together<'_, '_>, all_lanes: &Together<'_, '_>, shuffles: &[bool]) {
        let graph = self.function.graph;
        let mut open = BTreeSet::from([BlockId::ENTRY]);
        while let Some(block) = open.pop_first() {
            let number = block.index();
            let Some(mut state) = self.before[number] else { continue };
            let contents = &graph[block];
            let last = contents.last();
            for at in contents.first()..last {
                self.step(&mut state, block, at);
            }
            let instruction = &self.function.routine.instructions[last];
            let uniform = self.function.uniform_at(last) || state.decides(instruction) || self.decides(block);
            let asks = instruction.has_any(&["DIV", "CONV"]);
            let for_all =
                state.decides_for_all(instruction) && !asks && !self.group_registers.reads(instruction);
            let for_all = for_all || self.decides(block) || !self.apart[number];
            self.step(&mut state, block, last);
            if contents.successors.len() > 1 && !uniform && !self.parts[number] {
                if barriers.decides(block) {
                    self.decides_barrier[number] = true;
                } else if all_lanes.decides(block) && one_way_waits_for_none(self.function, block, shuffles) {
                    self.decides_shuffle[number] = true;
                } else {
                    self.parts[number] = true;
                    self.part(block, &mut open);
                }
            } else if contents.successors.len() > 1 && !for_all && !self.by_group[number] {
                self.by_group[number] = true;
                self.lose_on_ways(block, &mut open);
            }
            for &to in &contents.successors {
                let mut along = match instruction.flow {
                    Flow::Branch(target) if contents.successors.len() == 2 => {
                        state.along(instruction, graph[to].first() == target)
                    }
                    // Those that go on have not ended.
                    Flow::End => state.along(instruction, false),
                    _ => state,
                };
                along.lose(self.lost[to.index()]);
                along.together = along.same;
                let before = &mut self.before[to.index()];
                let joined = Some(before.map_or(along, |known| known.joined(&along)));
                if *before != joined {
                    *before = joined;
                    open.insert(to);
                }
            }
        }
    }

    /// Notes that threads may have diverged in a block; whether that was not known.
    fn set_apart(&mut self, block: BlockId) -> bool {
        let is_new = !std::mem::replace(&mut self.apart[block.index()], true);
        for at in self.function.graph[block].instructions.clone().filter(|_| is_new) {
            self.group_registers.note(&self.function.routine.instructions[at]);
        }
        is_new
    }

    /// Notes that threads may have diverged behind an instruction, up to where they wait for each other. The result
    /// are the blocks of which that was not known.
    fn go_apart(&mut self, node: Node, at: usize) -> Vec<BlockId> {
        let whole = &self.function.whole;
        let place = reconvergence_block(self.function, whole, (node, at), whole.joins.join(node)).ok();
        let targets = whole.subgraph.edges(node).iter().copied().filter_map(Edge::node);
        let inside = targets.flat_map(|to| whole.subgraph.reached(to, place));
        let mut found: Vec<BlockId> = inside.map(|node| whole.subgraph.block_id(node)).collect();
        found.retain(|&block| self.set_apart(block));
        found
    }

    /// Notes that a block may diverge.
    fn part(&mut self, block: BlockId, open: &mut BTreeSet<BlockId>) {
        let subgraph = &self.function.whole.subgraph;
        let Some(node) = subgraph.node_of(block) else { return };
        let apart = self.go_apart(node, subgraph.block(node).last());
        if !apart.is_empty() {
            // What was found where threads have diverged may hang on uniform registers that are now written there.
            let graph = self.function.graph;
            open.extend(graph.blocks().map(|(id, _)| id).filter(|id| self.apart[id.index()]));
        }
        self.lose_on_ways(block, open);
    }

    /// Makes vary what is written between a block, whose paths are not taken by all alike, and its join.
    fn lose_on_ways(&mut self, block: BlockId, open: &mut BTreeSet<BlockId>) {
        let subgraph = &self.function.whole.subgraph;
        let Some(node) = subgraph.node_of(block) else { return };
        let join = self.function.whole.joins.join(node);
        let targets: Vec<Node> = subgraph.edges(node).iter().copied().filter_map(Edge::node).collect();
        let paths: Vec<Vec<Node>> = targets.iter().map(|&to| subgraph.reached(to, join)).collect();
        let mut count: HashMap<Node, usize> = HashMap::new();
        for &inside in paths.iter().flatten() {
            *count.entry(inside).or_default() += 1;
        }
        let written = count.keys().map(|&inside| self.written[subgraph.block_id(inside).index()]);
        let written = written.fold(Registers::default(), Registers::with);
        let meets = count.iter().filter(|&(_, &paths)| paths > 1).map(|(&inside, _)| inside);
        for at in meets.chain(join) {
            let id = subgraph.block_id(at);
            let lost = &mut self.lost[id.index()];
            *lost = lost.with(written);
            if let Some(before) = &mut self.before[id.index()] {
                before.lose(written);
                open.insert(id);
            }
        }
    }
}

/// Whether some path from a block to its join has a shuffle of all lanes, and another has no instruction for which lanes wait for one
/// another. Where each path has one, they might be meant to serve each other.
fn one_way_waits_for_none(function: &Function<'_, '_>, block: BlockId, shuffles: &[bool]) -> bool {
    let subgraph = &function.whole.subgraph;
    let Some(node) = subgraph.node_of(block) else { return false };
    let Some(join) = function.whole.joins.join(node) else { return false };
    let targets = subgraph.edges(node).iter().copied().filter_map(Edge::node);
    let paths: Vec<Vec<Node>> = targets.map(|to| subgraph.reached(to, Some(join))).collect();
    let has =
        |path: &[Node], such: &dyn Fn(usize) -> bool| subgraph.instructions(path.iter().copied()).any(such);
    let waits = |at: usize| {
        let instruction = &function.routine.instructions[at];
        let lanes = row(instruction.name()).is_some_and(|row| row.has(Fact::Lanes));
        lanes || instruction.is_warp_sync() || function.callee(at).is_some()
    };
    paths.iter().any(|path| has(path, &|at| shuffles[at])) && paths.iter().any(|path| !has(path, &waits))
}

/// The condition code, if the instruction writes it.
fn carry(instruction: &Instruction<'_>) -> Registers {
    let writes = instruction.operands().iter().any(|one| one.names_code && one.kind != operand::Kind::Code)
        || instruction.opcode.contains(".CC");
    if writes { Registers::condition() } else { Registers::default() }
}

#[cfg(test)]
mod tests {
    use crate::flow::analysis::testing::{sass, with_function};

    /// Whether the branch by P3, the first to X, cannot diverge. Names in braces are those of lines such as `X:`.
    fn uniform(capability: &str, lines: &[&str]) -> bool {
        let places: Vec<(String, usize)> = (0..lines.len())
            .filter(|&at| lines[at].ends_with(':'))
            .map(|at| {
                (
                    format!("{{{}}}", &lines[at][..1]),
                    lines[..at].iter().filter(|one| !one.ends_with(':')).count(),
                )
            })
            .collect();
        let code: Vec<String> = lines
            .iter()
            .filter(|line| !line.ends_with(':'))
            .map(|line| {
                places.iter().fold((*line).to_owned(), |line, (name, at)| {
                    line.replace(name, &format!("{:#x}", 8 * at))
                })
            })
            .collect();
        let branch =
            lines.iter().filter(|line| !line.ends_with(':')).position(|line| *line == "@P3 BRA {X}").unwrap();
        let code: Vec<&str> = code.iter().map(String::as_str).collect();
        let dots = format!("{}.{}", &capability[..1], &capability[1..]);
        with_function(&sass(capability, &code), &dots, |function, _| function.uniform_at(branch))
    }

    /// The lines, a test of R1 (unless P3 is what they give) and a branch.
    fn then(lines: &[&str], test: &[&str]) -> Vec<String> {
        let tail = ["@P3 BRA {X}", "FADD R5, R5, R5", "X:", "FADD R5, R5, R5", "EXIT"];
        lines.iter().chain(test).chain(&tail).map(|line| (*line).to_owned()).collect()
    }

    fn holds(capability: &str, lines: &[&str], test: &[&str]) -> bool {
        let all = then(lines, test);
        uniform(capability, &all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    const R1: &[&str] = &["ISETP.EQ.AND P3, PT, R1, 0x1, PT"];

    /// The groups of a branch come to different results, and wait for each other behind.
    #[test]
    fn what_only_a_group_agrees_on() {
        let parted = |inside: &[&str]| {
            let before = [
                "S2R R0, SR_TID.X",
                "BSSY B0, {E}",
                "ISETP.EQ.AND P0, PT, R0, RZ, PT",
                "@P0 BRA {A}",
                "MOV R9, RZ",
                "A:",
            ];
            holds("75", &[&before[..], inside, &["BSYNC B0", "E:"]].concat(), R1)
        };
        assert!(parted(&["MOV R1, 0x1"]));
        assert!(parted(&["MOV R1, UR4"]));
        assert!(!parted(&["VOTEU.ANY UR4, UPT, PT", "MOV R1, UR4"]));
        assert!(!parted(&["R2UR UR4, R0", "MOV R1, UR4"]));
        let paths = |branch| {
            ["MOV R1, 0x1", "BRA {C}", "B:", "MOV R1, 0x2", "C:"].into_iter().fold(
                vec![branch],
                |mut all, one| {
                    all.push(one);
                    all
                },
            )
        };
        assert!(!parted(&[&["VOTE.ANY P1, P0"], &paths("@P1 BRA {B}")[..]].concat()));
        assert!(!parted(&[&["VOTEU.ANY UP0, P0"], &paths("@UP0 BRA {B}")[..]].concat()));
        assert!(!parted(&paths("BRA.DIV UR4, {B}")));
        assert!(parted(
            &[&["ISETP.EQ.AND P1, PT, RZ, c[0x0][0x160], PT"], &paths("@P1 BRA {B}")[..]].concat()
        ));
        // In the block of a call from which the threads return separately.
        let call = [
            "S2R R0, SR_TID.X",
            "BSSY B0, {E}",
            "CALL.REL.NOINC {F}",
            "R2UR UR4, R0",
            "MOV R1, UR4",
            "BSYNC B0",
            "E:",
        ];
        let function = [
            "F:",
            "ISETP.EQ.AND P0, PT, R0, RZ, PT",
            "@P0 RET.REL.NODEC R20 0x0",
            "MOV R9, RZ",
            "RET.REL.NODEC R20 0x0",
        ];
        let all: Vec<String> = then(&call, R1).into_iter().chain(function.map(str::to_owned)).collect();
        assert!(!uniform("75", &all.iter().map(String::as_str).collect::<Vec<_>>()));
        // Without the first branch all threads agree.
        let whole = [
            &["S2R R0, SR_TID.X", "ISETP.EQ.AND P0, PT, R0, RZ, PT", "VOTE.ANY P1, P0"],
            &paths("@P1 BRA {B}")[..],
        ]
        .concat();
        assert!(holds("75", &whole, R1));
        // What the whole warp votes holds behind a barrier too, but not what some threads vote, or what others keep.
        let behind = |vote: &'static str| [&[vote, "BAR.SYNC 0x0"], &paths("@P1 BRA {B}")[..]].concat();
        let first = ["S2R R0, SR_TID.X", "ISETP.EQ.AND P0, PT, R0, RZ, PT"];
        assert!(!parted(&behind("VOTE.ANY P1, P0")));
        assert!(holds("75", &[&first[..], &behind("VOTE.ANY P1, P0")].concat(), R1));
        assert!(!holds("75", &[&first[..], &behind("@P0 VOTE.ANY P1, P0")].concat(), R1));
    }

    #[test]
    fn results_that_are_easily_missed() {
        let tid = [
            "S2R R0, SR_TID.X",
            "MOV R1, RZ",
            "ISETP.EQ.AND P3, PT, R0, 0x1, PT",
            "ISETP.EQ.AND P0, PT, R0, 0x1, PT",
        ];
        let with = |capability, lines: &[&str], test| holds(capability, &[&tid, lines].concat(), test);
        assert!(with("61", &[], R1));
        assert!(!with("75", &["MOV R2, c[0x0][0x160]", "R2P PR, R2, 0x1"], &[]));
        assert!(with("75", &["MOV R2, c[0x0][0x160]", "R2P PR, R2, 0x8"], &[]));
        assert!(!with("61", &["R2P CC, R0, 0xf", "IADD.X R1, RZ, RZ"], R1));
        assert!(!with("61", &["PSET.BF.AND.AND R1, PT, PT, P0"], R1));
        assert!(!with("61", &["MOV R1, R0", "HADD2.MRG_H0 R1, RZ, RZ"], R1));
        assert!(!with(
            "61",
            &["IMNMX.U32.XLO R4.CC, R0, 0x5, PT", "IMNMX.XHI R1, RZ, c[0x0][0x140], PT"],
            R1
        ));
        let world = ["ISETP.EQ.AND P0, PT, RZ, c[0x0][0x160], PT", "MOV R1, R0", "@P0 MOV R1, 0x1"];
        let result = ["BAR.RED.OR.DEFER_BLOCKING 0x0, P5", "B2R.RESULT RZ, P0", "@!P0 MOV R1, 0x2"];
        assert!(!with("75", &[&world[..], &result].concat(), R1));
        assert!(with("75", &[&world[..], &result[2..]].concat(), R1));
    }
}
