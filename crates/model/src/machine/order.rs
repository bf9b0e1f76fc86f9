//! What is known of the order in which a scheduler tries its warps.

words! {
    /// The order in which a scheduler tries its warps in a cycle. Warps are numbered over all groups in their order, and a
    /// smaller number is older.
    #[derive(Default)]
    Order {
        /// Any, and another one in each cycle: the worst case over all schedules.
        #[default]
        Any = "worst",
        /// Loose round robin: from the warp behind the one that issued last, and so on around; behind the first of them if several
        /// issued in a cycle.
        RoundRobin = "lrr",
        /// The oldest warp first.
        Oldest = "oldest",
        /// Greedy, then oldest: the warp that issued last, the first of them if several issued in a cycle, and then the oldest.
        GreedyOldest = "gto",
        /// Greedy, then youngest: the same, and then the youngest.
        GreedyYoungest = "cggty",
    }
}
