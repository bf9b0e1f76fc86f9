//! What is known of the functions of SASS that an entry calls, from all of their calls: the registers that hold the same in all
//! threads that call together, and whether such threads may return separately.
//!
//! The two hang together: threads come back together if they take one path at each branch, since these hang on registers that hold the
//! same, and that is so if the threads were together at the call. At first all functions are taken to keep threads together, and to
//! begin with whatever their calls agree on; those of which that turns out to be wrong are not, until all is consistent. Then it
//! is true: a first call that broke it would have come behind calls that did not.

use std::collections::HashMap;

use crate::flow::analysis::callees::FunctionId;
use warpspan_isa::effects::Registers;

/// What is known of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The registers that hold the same in all threads that come to its beginning together.
    pub(super) same: Registers,
    /// Whether threads that come there together may return separately.
    pub(super) parts: bool,
}

/// What is known of functions; nothing of those that are not there.
#[derive(Debug, Default)]
pub(crate) struct Entries(pub(super) HashMap<FunctionId, Entry>);

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

    /// Keeps only what is also so in another case; whether that is less than before.
    pub(super) fn lower(&mut self, id: FunctionId, other: Entry) -> bool {
        let Some(known) = self.0.get_mut(&id) else { return false };
        let both = Entry { same: known.same.both(other.same), parts: known.parts || other.parts };
        let changed = both.same != known.same || both.parts != known.parts;
        *known = both;
        changed
    }
}
