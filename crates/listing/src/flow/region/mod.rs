//! The region tree of a function: its blocks, nested into branches and loops.
//!
//! The tree ends at the first location that has no structure, with the reason there. The lowering goes through
//! the tree in the same order and comes to that reason, unless something before it stands in the way.

mod branches;
mod divergence;
mod loops;
mod passes;
mod steps;
mod ways_out;

pub(crate) use branches::{DEEPEST, Most, build};

use std::ops::Range;

use crate::flow::graph::BlockId;
use crate::flow::{LoopBound, Obstacle, StructureError};
use warpspan_model::program::Divergence;

/// A part of a function that has one entry and goes on at one location. Branches are named by their instruction.
#[derive(Debug)]
pub(crate) enum Region {
    /// Instructions of a block.
    Block(BlockId, Range<usize>),
    /// Threads may end, or begin the next pass of a loop, at this branch while others go on behind it.
    EarlyEnd { branch: usize },
    /// What is left of the pass of a loop behind a branch that may end the pass, if there may be barriers in
    /// it.
    RestOfPass { branch: usize, body: Vec<Region> },
    /// A branch with an arm for each path.
    Branch(Branch),
    /// A loop.
    Loop(Box<Loop>),
    /// Where groups of threads diverge, and what each of them issues before they wait for each other.
    Divergent(Divergent),
    /// What each thread may issue by itself.
    Threads(Threads),
    /// A branch with its code, of which nothing is copied.
    Steps(Steps),
    /// A block at which the structure ends, and why.
    Refused(BlockId, StructureError),
}

/// A branch and what is executed on each of its paths up to their join.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) branch: usize,
    pub(crate) arms: Vec<Vec<Region>>,
    pub(crate) divergence: Divergence,
    /// Whether the paths do not join, so that each arm goes up to the end of the threads.
    pub(crate) ends_threads: bool,
}

/// A loop with a single entry, the header.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) header: BlockId,
    /// How often the header is passed, as the user says or as is inferred.
    pub(crate) bound: LoopBound,
    /// The label and the line, as far as the user gave the bound by them.
    pub(crate) given_as: Vec<String>,
    /// One pass: everything from the header to where the loop is left or begins again.
    pub(crate) body: Vec<Region>,
    /// What is issued once, behind the last pass, if that is not in the body: an arm for each way out.
    pub(crate) way_out: Option<Branch>,
    /// Where the body is left, by the number of regions before, if that is at a single location that every pass
    /// comes to.
    pub(crate) exit: Option<usize>,
    /// How many edges leave the loop, ends of the routine included.
    pub(crate) exit_edges: usize,
    /// How many groups may leave it in one pass, where each of those waits behind it.
    pub(crate) leaving: u64,
    /// How many parts of a pass may be issued later; see
    /// [`SplitPasses`](crate::flow::analysis::split_passes::SplitPasses).
    pub(crate) later_parts: u64,
    /// The calls in the body.
    pub(crate) calls: Vec<usize>,
    /// A branch at which some threads of a warp may leave while others come to the header again.
    pub(crate) parting: Option<usize>,
    /// Whether some threads of a warp may leave before others.
    pub(crate) leaves_apart: bool,
    /// Whether there are loops in the body.
    pub(crate) nested: bool,
    /// The `BSYNC` behind the loop, which each group of threads that leaves issues.
    pub(crate) wait: Option<usize>,
}

/// Where groups of threads diverge, up to the location where they wait for each other.
#[derive(Debug)]
pub(crate) struct Divergent {
    /// The instruction at which they diverge.
    pub(crate) branch: usize,
    /// What they issue until one group is left, which comes out of it last.
    pub(crate) first: Vec<Region>,
    /// Paths by which another group may come out of it, each with what it issues on the path.
    pub(crate) paths: Vec<Vec<Region>>,
    /// What each group issues behind it.
    pub(crate) rest: Vec<Region>,
    /// How many groups there are at most.
    pub(crate) groups: u64,
}

/// Code in which nothing is known of where threads wait: in the tree of it a branch has an arm for each path
/// that a single thread may go.
#[derive(Debug)]
pub(crate) struct Threads {
    /// A branch at which threads part.
    pub(crate) branch: usize,
    /// Why it is not known where they wait for each other.
    pub(crate) obstacle: Obstacle,
    pub(crate) body: Vec<Region>,
}

/// A branch that cannot diverge, or of a single thread, and the locations up to where its paths join. A path passes some
/// of them, in this order.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) branch: usize,
    pub(crate) steps: Vec<Vec<Region>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Work;
    use crate::flow::analysis::groups::Returns;
    use crate::flow::analysis::testing::{kernel, sass, with_function};

    /// A tree as text: blocks by number, `[arm/arm]`, `(body)`, with `^` where the loop is left, `.` for an
    /// early end, `?` for the rest of a pass, `{first;paths;rest}groups`, `<what each thread issues>`, `|step|step|` and
    /// `#` where the tree ends.
    fn show(regions: &[Region]) -> String {
        let one = |region: &Region| match region {
            Region::Block(block, _) => block.index().to_string(),
            Region::EarlyEnd { .. } => ".".to_owned(),
            Region::RestOfPass { body, .. } => format!("?{}", show(body)),
            Region::Branch(branch) => {
                format!("[{}]", branch.arms.iter().map(|arm| show(arm)).collect::<Vec<_>>().join("/"))
            }
            Region::Loop(one) => {
                let (before, behind) = one.body.split_at(one.exit.unwrap_or(0));
                let exit = if one.exit.is_some() { "^" } else { "" };
                let arms =
                    one.way_out.iter().map(|way| way.arms.iter().map(|arm| show(arm)).collect::<Vec<_>>());
                let way_out: String = arms.map(|arms| format!("[{}]", arms.join("/"))).collect();
                format!("({}{exit}{}){way_out}", show(before), show(behind))
            }
            Region::Divergent(one) => {
                let paths: Vec<String> = one.paths.iter().map(|path| show(path)).collect();
                format!("{{{};{};{}}}{}", show(&one.first), paths.join("/"), show(&one.rest), one.groups)
            }
            Region::Threads(one) => format!("<{}>", show(&one.body)),
            Region::Steps(one) => {
                one.steps.iter().map(|step| format!("|{}", show(step))).chain(["|".to_owned()]).collect()
            }
            Region::Refused(..) => "#".to_owned(),
        };
        regions.iter().map(one).collect()
    }

    fn tree(text: &str, capability: &str, most_pieces: usize) -> String {
        with_function(text, capability, |function, _| {
            show(&build(
                function,
                &Returns::new(),
                Most { pieces: most_pieces, copies: most_pieces },
                false,
                &mut Work::default(),
            ))
        })
    }

    #[test]
    fn branches_and_loops_of_ptx() {
        let add = "add.s32 %r2, %r1, 1;";
        let tree = |body: &str| tree(&kernel(body), "6.1", 100);
        assert_eq!(
            tree(&format!("{add}\n@%p1 bra A;\n{add}\nbra B;\nA:\n{add}\nB:\n{add}\nexit;")),
            "0[1/2]3"
        );
        assert_eq!(tree(&format!("@%p1 exit;\n{add}\nexit;")), "0.1");
        assert_eq!(tree(&format!("L:\n{add}\n@%p1 bra L;\n{add}\nexit;")), "(0^)1");
        assert_eq!(tree(&format!("L:\n{add}\n@%p1 bra O;\n{add}\nbra L;\nO:\n{add}\nexit;")), "(0^1)2");
        // Code on the way out stands behind the loop if it is longer than what a pass may still have.
        let out = |way: &str| {
            tree(&format!(
                "L:\n{add}\n@%p1 bra.uni C;\n{way}\nbra.uni O;\nC:\n{add}\n{add}\n@%p2 bra.uni L;\nO:\n{add}\nexit;"
            ))
        };
        assert_eq!(out(add), "(0[1/2])3");
        assert_eq!(out(&[add; 4].join("\n")), "(02)[1/]3");
        // A pass may end before the barrier.
        assert_eq!(
            tree(&format!("L:\n{add}\n@%p1 bra.uni L;\nbar.sync 0;\n@%p2 bra.uni L;\nexit;")),
            "(0.?1)"
        );
    }

    #[test]
    fn the_tree_ends_where_there_is_no_structure() {
        let add = "add.s32 %r2, %r1, 1;";
        let two_entries = format!("@%p1 bra B;\nA:\n{add}\nB:\n{add}\n@%p2 bra A;\n{add}\nexit;");
        assert_eq!(tree(&kernel(&two_entries), "6.1", 100), "0[#/]");
        let shared = format!("@%p1 bra A;\n{add}\nA:\n{add}\n@%p2 bra B;\n{add}\nB:\n{add}\nexit;");
        assert_eq!(tree(&kernel(&shared), "6.1", 100), "0[1/]2[3/]4");
        assert_eq!(tree(&kernel(&shared), "6.1", 5), "0[1/]2[#/]");
    }

    #[test]
    fn code_that_too_many_ways_share_is_not_copied() {
        // Each branch goes to the next block or to the one behind it.
        let ladder = |most: usize, uniform: bool| {
            let branch = if uniform { "UP0" } else { "P0" };
            let line = |at: usize| format!("@{branch} BRA {:#x}", 16 * (at + 2));
            let lines = (0..4).flat_map(|at| [line(at), "MOV R1, R2".to_owned()]);
            let end = ["MOV R1, R3", "MOV R1, R4", "MOV R1, R5", "EXIT"].map(str::to_owned);
            let waits = (!uniform).then(|| "BSSY B0, 0x60".to_owned());
            let lines: Vec<String> = waits.into_iter().chain(lines).chain(end).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            with_function(&sass("75", &lines), "7.5", |function, _| {
                let most = Most { pieces: 1000, copies: most };
                show(&build(function, &Returns::new(), most, false, &mut Work::default()))
            })
        };
        assert_eq!(ladder(1000, true).matches('|').count(), 0);
        let steps = ladder(0, true);
        assert!(steps.starts_with("0|") && steps.matches('|').count() > 2, "{steps}");
    }

    #[test]
    fn each_group_issues_the_wait_behind_a_branch_in_its_arm() {
        let lines = ["BSSY B0, 0x20", "@P0 BRA 0x18", "MOV R1, R2", "BSYNC B0", "MOV R1, R4", "EXIT"];
        assert_eq!(tree(&sass("75", &lines), "7.5", 100), "0[12/2]3");
    }
}
