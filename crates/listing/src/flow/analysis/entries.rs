//! What is known of the functions of SASS that an entry calls, from all of their calls: the registers that hold the same in all
//! threads that call together, and whether such threads may return separately.
//!
//! The two hang together: threads come back together if they take one path at each branch, since these hang on registers that hold the
//! same, and that is so if the threads were together at the call. At first all functions are taken to keep threads together, and to
//! begin with whatever their calls agree on; those of which that turns out to be wrong are not, until all is consistent. Then it
//! is true: a first call that broke it would have come behind calls that did not.

use std::collections::HashMap;

use crate::classes::Classes;
use crate::flow::FlowOptions;
use crate::flow::analysis::effects::Registers;
use crate::flow::analysis::{Function, FunctionId, Program, callees, control_flow_graph};
use crate::routine::{Language, Listing};

/// What is known of a function.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The registers that hold the same in all threads that come to its beginning together.
    same: Registers,
    /// Whether threads that come there together may return separately.
    parts: bool,
}

/// What is known of functions; nothing of those that are not there.
#[derive(Debug, Default)]
pub(crate) struct Entries(HashMap<FunctionId, Entry>);

impl Entries {
    /// Whether nothing is known of any function.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The registers that hold the same in all threads that come to the beginning of a function together.
    pub(super) fn same(&self, id: FunctionId) -> Registers {
        self.0.get(&id).map_or(Registers::default(), |known| known.same)
    }

    /// Whether threads that call a function together may return separately.
    pub(super) fn parts(&self, id: FunctionId) -> bool {
        self.0.get(&id).is_none_or(|known| known.parts)
    }

    /// Those of all functions that an entry calls. PTX has none, since its calls pass parameters.
    pub(crate) fn new(
        listing: &Listing<'_>,
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
                let program = Program { listing, options, entries: &all };
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

    /// Keeps only what is also so in another case; whether that is less than before.
    fn lower(&mut self, id: FunctionId, other: Entry) -> bool {
        let Some(known) = self.0.get_mut(&id) else { return false };
        let both = Entry { same: known.same.both(other.same), parts: known.parts || other.parts };
        let changed = both.same != known.same || both.parts != known.parts;
        *known = both;
        changed
    }
}
