//! The names of engines.

use warpspan_model::words;

words! {
    /// The name of the engine that answered, or whose schedule it is.
    #[derive(Hash)]
    EngineName {
        /// The closed form, or the phase bound and the search that it guides.
        Phase = "phase",
        /// The exhaustive search over states.
        States = "states",
        /// A search by a single beam.
        Beam = "beam",
        /// The binary ILP.
        Ilp = "ilp",
        /// Several engines, which solved the segments between barriers.
        Segments = "segments",
        /// The bound of structured programs.
        Program = "program",
        /// The bound of blocks that follow one another, and schedules of simple rules.
        Relay = "relay",
        /// A simulated policy.
        Simulate = "simulate",
        /// The bounds of machines with latency and issue width.
        Latency = "latency",
    }
}
