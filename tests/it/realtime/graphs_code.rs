//! Graphs of kernels of code: chains side by side, against the GPU that is played cycle by cycle; beside what `rta` says of
//! one kernel; and the memory by hand.

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::graph::{Analysis, analyse, read_graphs};
use warpspan::realtime::rta::{Source, bound, executions, read_system};

use crate::realtime::gpu::cycles::{Adversary, Order, Units, play};
use crate::realtime::rta_relay::{case, solved};

/// A graph of the kernels of a case, where those of one stream follow one another.
fn graph(case: &crate::realtime::rta_relay::Case) -> String {
    let (system, gpu) = (&case.system, case.system.gpu());
    let mut text = format!(
        "unit = \"cycles\"\n[gpu]\nmultiprocessors = {}\nthreads = {}\nblocks = {}\nshared_memory = 65536\nregisters = 65536\n\
         [multiprocessor]\nsigma_l = {}\nsigma_c = {}\n",
        gpu.multiprocessors, gpu.resources.threads, gpu.resources.blocks, case.sigma[0], case.sigma[1]
    );
    let mut nodes = "[[graph]]\n".to_owned();
    for (number, task) in system.tasks().iter().enumerate() {
        let _ = write!(
            text,
            "[[kernel]]\nname = \"K{number}\"\nblocks = {}\nthreads_per_block = {}\nshared_memory = 0\nregisters_per_thread = 0\n",
            task.blocks, task.threads
        );
        let _ = match &task.execution {
            Source::Given(time) => writeln!(text, "execution = {}", time.0),
            Source::Code(code) => writeln!(text, "code = \"{code}\""),
            Source::Listing(_) | Source::OnMachine(_) => unreachable!(),
        };
        let before = (0..number).rfind(|&before| system.tasks()[before].stream == task.stream);
        let after = before.map(|before| format!("after = [\"K{before}\"]\n")).unwrap_or_default();
        let _ = write!(nodes, "[[graph.node]]\nkernel = \"K{number}\"\n{after}");
    }
    text + &nodes
}

#[test]
fn no_chain_of_code_exceeds_its_makespan() {
    let cases = std::env::var("WARPSPAN_GRAPHS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400);
    let (mut wrong, mut reached) = (Vec::new(), 0);
    for seed in 0..cases {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut case = case(&mut rng);
        // All are launched once, together.
        case.change(|task| {
            task.period = None;
            task.sporadic = false;
            task.jitter = Duration(0);
            task.release = Duration(0);
            task.fixed = true;
        });
        let graphs = read_graphs("random", &graph(&case)).unwrap();
        let analysis = analyse(&graphs, &solved(graphs.system()), &Limits::generous());
        let most = analysis.graphs[0].makespan.clone().unwrap().0;
        for _ in 0..12 {
            let adversary = Adversary {
                victim: rng.random_range(0..case.bodies.len()),
                order: match rng.random_range(0..4) {
                    0 => Order::Random,
                    1 => Order::Fixed,
                    _ => Order::VictimLast { longest_first: rng.random_bool(0.5) },
                },
                pack: rng.random_bool(0.5),
                extreme: rng.random_bool(0.6),
            };
            let done =
                play(&case.system, &case.bodies, Units::Sigma(case.sigma), [90, 400], &adversary, &mut rng);
            let end = done.iter().flatten().map(|(_, end)| *end).max().unwrap_or(0);
            reached += u64::from(end == most);
            if end > most {
                wrong.push((seed, end, most));
            }
        }
    }
    assert!(wrong.is_empty(), "{} exceeded: {:?}", wrong.len(), &wrong[..wrong.len().min(5)]);
    assert!(reached > 0);
}

fn analysis(text: &str) -> Analysis {
    let graphs = read_graphs("test", text).unwrap();
    let limits = Limits::generous();
    analyse(&graphs, &executions(graphs.system(), &limits).unwrap(), &limits)
}

/// The example by hand of the memory: each kernel is a graph of one node. In the window the servers are asked by both.
#[test]
fn the_memory_by_hand() {
    let machine = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 32\nblocks = 1\nclock_mhz = 1\n[machine]\nissue_width = 1\n\
        [[machine.unit]]\nname = \"L\"\nlatency = [1, 4]\nrequests = { D = 1 }\n\
        [[machine.server]]\nname = \"D\"\nrate = \"0.5 /cycle\"\nrequest = 1\nbefore = \"3\"\n";
    let kernel = |code: &str, more: &str| {
        format!(
            "[[kernel]]\nname = \"{code}\"\nblocks = 1\nthreads_per_block = 32\nshared_memory = 0\nregisters_per_thread = 0\ncode = \"{code}\"\n{more}"
        )
    };
    let of_graph = |code: &str, period: u64| {
        format!("[[graph]]\nperiod = {period}\n[[graph.node]]\nkernel = \"{code}\"\n")
    };
    for period in [60, 40] {
        let text =
            [machine, &kernel("L", ""), &kernel("LL", ""), &of_graph("L", 1000), &of_graph("LL", period)]
                .concat();
        let found = analysis(&text);
        let graphs: Vec<u64> = found.graphs.iter().map(|graph| graph.bound.clone().unwrap().0).collect();
        let sporadic = |period: u64| format!("sporadic = true\nperiod = {period}\n");
        let text = [machine, &kernel("L", &sporadic(1000)), &kernel("LL", &sporadic(period))].concat();
        let system = read_system("test", &text).unwrap();
        let limits = Limits::generous();
        let of_rta = bound(&system, &executions(&system, &limits).unwrap(), &limits);
        let of_rta: Vec<u64> = of_rta.into_iter().map(|bound| bound.response.unwrap().0).collect();
        // One block at a time on one multiprocessor: both add up the same with one launch of `LL` in the window of `L`. Of two,
        // `rta` knows that one is behind and costs 4 instead of 8; that takes an order of launches, which graphs do not use.
        assert_eq!(of_rta, [if period == 60 { 24 } else { 30 }, 24], "{period}");
        assert_eq!(graphs, [if period == 60 { 24 } else { 36 }, 24], "{period}");
        let explanation = found.graphs[0].explanation.clone().unwrap();
        assert_eq!(explanation.memory, Duration(if period == 60 { 12 } else { 16 }));
    }
}

/// A chain of a copy, one kernel and a copy is what `rta` calls a kernel with copies; where all blocks have room at once, the
/// graph is known to take no more than C.
#[test]
fn a_chain_is_a_kernel_with_copies() {
    for blocks in [1, 3, 4, 5, 9] {
        let gpu = "unit = \"us\"\n[gpu]\nmultiprocessors = 2\nthreads = 64\n";
        let kernel =
            format!("[[kernel]]\nname = \"K\"\nblocks = {blocks}\nthreads_per_block = 32\nexecution = 8\n");
        let chain = format!(
            "{gpu}{kernel}[[graph]]\nperiod = 100\n[[graph.node]]\nname = \"in\"\ncopy = 3\n[[graph.node]]\nkernel = \"K\"\nafter = [\"in\"]\n\
             [[graph.node]]\nname = \"out\"\ncopy = 2\nafter = [\"K\"]\n"
        );
        let alone = format!("{gpu}{kernel}period = 100\ncopy_in = 3\ncopy_out = 2\n");
        let system = read_system("test", &alone).unwrap();
        let limits = Limits::generous();
        let of_rta =
            bound(&system, &executions(&system, &limits).unwrap(), &limits).remove(0).response.unwrap();
        let found = analysis(&chain).graphs.remove(0).bound.unwrap();
        let whole = Duration(13_000_000);
        assert_eq!(found, if blocks <= 4 { whole } else { of_rta }, "{blocks}");
        if blocks > 4 {
            assert_eq!(of_rta, Duration(13_000_000 + (blocks - 1) * 2_000_000), "{blocks}");
        }
    }
}
