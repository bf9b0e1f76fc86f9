//! Runs the analyses of functions, in their order.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::classes::Classes;
use crate::flow::FlowOptions;
use crate::flow::analysis::callees::{self, FunctionId};
use crate::flow::analysis::convergence::apart;
use crate::flow::analysis::counts::{Numbers, NumbersOf};
use crate::flow::analysis::definitions::ambiguous;
use crate::flow::analysis::entries::{Entries, Entry};
use crate::flow::analysis::function::{Function, Program, branch_names, control_flow_graph};
use crate::flow::analysis::known::ListingWith;
use crate::flow::analysis::known::{Inferred, UniformOf};
use crate::flow::analysis::{Scope, threads, uniformity};
use crate::flow::graph::{BlockId, ControlFlowGraph};
use warpspan_isa::effects::Registers;
use warpspan_isa::instruction::Language;
use warpspan_isa::opcode::Opcode;

impl<'a, 'g> Function<'a, 'g> {
    /// Runs the analyses. `graph` is that of the function.
    pub(crate) fn new(
        program: Program<'a, 'g>,
        id: FunctionId,
        graph: &'g ControlFlowGraph,
        classes: &mut Classes,
        called: bool,
    ) -> Self {
        let routine = &program.listing.routines[id.routine];
        let whole = Scope::whole(graph);
        let ambiguous = ambiguous(routine);
        let is_barrier = |opcode: &Opcode<'_>, classes: &mut Classes| {
            classes.class(opcode).is_some_and(|class| class.letters.has_barrier())
        };
        let barriers: Vec<bool> =
            routine.instructions.iter().map(|one| is_barrier(&one.opcode(), classes)).collect();
        let mut uniform = match program.listing.language {
            Language::Ptx => {
                let may_end = |at| callees::may_end(program.listing, (id.routine, routine), at);
                uniformity::inferred(routine, &whole, &ambiguous, &barriers, may_end)
            }
            Language::Sass => routine.instructions.iter().map(|one| one.uniform).collect(),
        };
        let declared = program.options.uniform;
        if !declared.is_empty() {
            for (at, uniform) in uniform.iter_mut().enumerate() {
                *uniform |= branch_names(routine, at).iter().any(|name| declared.contains(name));
            }
        }
        let mut function = Self {
            program,
            id,
            routine,
            graph,
            whole,
            numbers: OnceCell::new(),
            numbers_of_groups: OnceCell::new(),
            uniform,
            of_shuffles: Vec::new(),
            calls: Vec::new(),
            barriers,
            called,
        };
        function.branch_behind_barriers();
        if !function.is_ptx() {
            let found = function.inferred();
            function.uniform.clone_from(&found.uniform);
            function.of_shuffles.clone_from(&found.of_shuffles);
            function.calls.clone_from(&found.calls);
        }
        function
    }

    /// What the analysis of SASS finds. It is kept where it depends on no other function.
    fn inferred(&self) -> Rc<Inferred> {
        if !self.program.entries.is_empty() {
            return Rc::new(threads::inferred(self));
        }
        let of = UniformOf {
            id: self.id,
            graph: self.graph.clone(),
            called: self.called,
            independent_threads: self.program.options.independent_threads,
            said: self.uniform.clone(),
            barriers: self.barriers.clone(),
        };
        self.program.known.uniform.get(of, |_| threads::inferred(self))
    }

    /// What is known of the numbers in its registers. It is looked for when a loop first asks.
    pub(crate) fn numbers(&self) -> &Numbers<'a> {
        self.numbers.get_or_init(|| {
            let calls = |at| !self.is_ptx() && self.comes_back_apart(at);
            let apart =
                if self.is_ptx() { HashSet::new() } else { apart(self, |at| self.uniform[at], calls) };
            self.find_numbers(Some(apart))
        })
    }

    /// The same if each group of threads reads in uniform registers what it wrote there itself; none where that says no more.
    pub(crate) fn numbers_of_groups(&self) -> Option<&Numbers<'a>> {
        let more = !self.is_ptx() && self.numbers().has_shared_registers();
        more.then(|| &**self.numbers_of_groups.get_or_init(|| self.find_numbers(None)))
    }

    fn find_numbers(&self, apart: Option<HashSet<usize>>) -> Rc<Numbers<'a>> {
        let Program { listing, known, options, .. } = self.program;
        let (graph, launch) = (self.graph.clone(), options.launch.clone());
        let of = NumbersOf { id: self.id, graph, launch, called: self.called, apart };
        let find = |of: &NumbersOf| Numbers::new(listing, of).with_counts(self.routine, &self.whole);
        // Expressions are kept for one question only.
        if options.launch.symbolic { Rc::new(find(&of)) } else { known.numbers.get(of, find) }
    }

    /// Whether each thread of the kernel comes to a block before it ends, whatever its way is. Of a function that is called nobody knows
    /// whether a thread comes to it at all.
    pub(crate) fn every_thread_reaches(&self, block: BlockId) -> bool {
        let (mut seen, mut open) = (HashSet::from([block]), vec![BlockId::ENTRY]);
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let block = &self.graph[at];
            let may_go = |to: Option<BlockId>| self.numbers().may_go((self.routine, self.graph), (at, to));
            let in_call = block.instructions.clone().any(|one| self.may_end_in_call(one));
            if in_call || block.ends && may_go(None) {
                return false;
            }
            open.extend(block.successors.iter().copied().filter(|&to| may_go(Some(to))));
        }
        !self.called
    }
}

impl Entries {
    /// Those of all functions that an entry calls. PTX has none, since its calls pass parameters.
    pub(crate) fn new(
        (listing, known): ListingWith<'_, '_>,
        options: FlowOptions<'_>,
        entry: FunctionId,
        classes: &mut Classes,
    ) -> Self {
        let mut functions = vec![entry];
        let mut next = 0;
        while let Some(&id) = functions.get(next).filter(|_| listing.language == Language::Sass) {
            next += 1;
            let routine = &listing.routines[id.routine];
            for at in 0..routine.instructions.len() {
                let callee = callees::callee(listing, (id.routine, routine), at);
                functions.extend(callee.filter(|callee| !functions.contains(callee)));
            }
        }
        let callees = &functions[1..];
        let first = Entry { same: Registers::ALL, parts: false };
        let mut all = Self(callees.iter().map(|&id| (id, first)).collect());
        let mut changed = !callees.is_empty();
        while std::mem::take(&mut changed) {
            for &id in &functions {
                if id.entry >= listing.routines[id.routine].instructions.len() {
                    continue;
                }
                let is_called = id != entry;
                let graph = control_flow_graph(listing, id, |_| false, is_called);
                let program = Program { listing, known, options, entries: &all };
                let function = Function::new(program, id, &graph, classes, is_called);
                let (calls, parts) = (function.calls().to_vec(), function.may_part());
                for (callee, same) in calls {
                    changed |= all.lower(callee, Entry { same, parts: false });
                }
                changed |= is_called && all.lower(id, Entry { same: Registers::ALL, parts });
            }
        }
        all
    }
}
