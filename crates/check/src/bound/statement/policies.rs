//! Statements of warps under an order of their schedulers, and of what others can have issued.

use super::{Coq, Statement};
use crate::bound::Checked;

/// The critical path where others are cut to what they can have issued.
pub const REACHABLE: Statement = Statement {
    name: "reachable",
    says: "a warp alone, and the weights of the letters that other warps can have issued by then, with smaller weights where one is \
           issued in a cycle",
    checked: Checked::Paper,
    page: "policy-bounds",
    section: "Theorem D",
    coq: &[],
    rest: "",
};

/// Loose round robin.
pub const ROUND_ROBIN: Statement = Statement {
    name: "lrr",
    says: "a warp alone, and of each other warp of its scheduler no more letters than the warp has waits, in loose round robin",
    checked: Checked::Paper,
    page: "policy-bounds",
    section: "Theorem A",
    coq: coq! { "Machine/Policies.v": lrr_bound lrr_bound_simple; },
    rest: "on paper only: occupancies above 1 and shared units of the warp, several issues in a cycle, scoreboards, several paths, \
           memory, and the time to the last result",
};

/// Oldest first.
pub const OLDEST_FIRST: Statement = Statement {
    name: "oldest",
    says: "a warp alone, and the weights of older warps, where the oldest warp goes first",
    checked: Checked::Paper,
    page: "policy-bounds",
    section: "Theorem B",
    coq: coq! { "Machine/Policies.v": oldest_bound; },
    rest: "on paper only: occupancies above 1 of the units of the warp, turns of schedulers, scoreboards, several paths, memory, and \
           the time to the last result",
};

/// Greedy, then oldest.
pub const GREEDY_OLDEST: Statement = Statement {
    name: "gto",
    says: "a warp alone, the weights of older warps, and what younger ones may issue in a row before each of its letters, where the \
           warp that issued last goes first, and then the oldest",
    checked: Checked::Paper,
    page: "policy-bounds",
    section: "Theorem C",
    coq: &[],
    rest: "",
};

/// Greedy, then youngest.
pub const GREEDY_YOUNGEST: Statement = Statement {
    name: "cggty",
    says: "a warp alone, the weights of younger warps, and what older ones may issue in a row before each of its letters, where the \
           warp that issued last goes first, and then the youngest",
    checked: Checked::Paper,
    page: "policy-bounds",
    section: "Theorem C",
    coq: &[],
    rest: "",
};
