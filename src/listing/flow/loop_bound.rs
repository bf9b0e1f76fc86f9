//! What is known of how often a loop is passed.

use crate::listing::flow::Formula;

/// How often a warp passes the header of a loop at most, each time it comes to the loop from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoopBound {
    /// The label of the header, or its line.
    pub label: String,
    /// The line of the header.
    pub line: u32,
    /// The bound; none if it is not known.
    pub most: Option<u64>,
    /// Whether it was found in the code rather than given.
    pub evident: bool,
    /// Whether the code shows that it is passed no less often, unless it is left in another way.
    pub exact: bool,
    /// The bound as an expression, where parameters are symbols.
    pub(in crate::listing) formula: Option<Formula>,
}
