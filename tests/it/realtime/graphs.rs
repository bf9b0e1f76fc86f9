//! Bounds of graphs against a simulator that shares no code with them: random graphs, any placement and order, nodes that
//! take less than they may; and tiny graphs in every way in which they can run.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::graph::{Analysis, analyse, is_proved, read_graphs};
use warpspan::realtime::rta::{Verdict, executions};

/// A system as the simulator sees it.
#[derive(Debug, Clone)]
struct Systems {
    multiprocessors: u64,
    threads: u64,
    cores: usize,
    cores_by_priority: bool,
    copies_by_priority: bool,
    engines: usize,
    kernels: Vec<Kernel>,
    graphs: Vec<Graph>,
}

#[derive(Debug, Clone, Copy)]
struct Kernel {
    blocks: u64,
    threads: u64,
    c: u64,
}

#[derive(Debug, Clone)]
struct Graph {
    period: u64,
    jitter: u64,
    priority: i64,
    own: Option<u64>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
struct Node {
    work: Work,
    after: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Kernel(usize),
    Copy(usize, u64),
    Host(u64),
    Nothing,
}

impl Systems {
    fn toml(&self) -> String {
        let mut text = format!(
            "[gpu]\nmultiprocessors = {}\nthreads = {}\nblocks = 64\nshared_memory = 65536\nregisters = 65536\n",
            self.multiprocessors, self.threads
        );
        let policy = |by: bool| if by { "fixed-priority" } else { "any" };
        let engines: Vec<String> = (0..self.engines).map(|engine| format!("\"e{engine}\"")).collect();
        let _ = write!(
            text,
            "[cores]\ncount = {}\npolicy = \"{}\"\n[copies]\nengines = [{}]\npolicy = \"{}\"\n",
            self.cores,
            policy(self.cores_by_priority),
            engines.join(", "),
            policy(self.copies_by_priority)
        );
        for (number, kernel) in self.kernels.iter().enumerate() {
            let _ = write!(
                text,
                "[[kernel]]\nname = \"k{number}\"\nblocks = {}\nthreads_per_block = {}\nexecution = {}\nshared_memory = 0\nregisters_per_thread = 0\n",
                kernel.blocks, kernel.threads, kernel.c
            );
        }
        for (number, graph) in self.graphs.iter().enumerate() {
            let _ = write!(
                text,
                "[[graph]]\nname = \"g{number}\"\nperiod = {}\njitter = {}\npriority = {}\n",
                graph.period, graph.jitter, graph.priority
            );
            if let Some(own) = graph.own {
                let _ = writeln!(text, "multiprocessors = {own}");
            }
            for (number, node) in graph.nodes.iter().enumerate() {
                let after: Vec<String> = node.after.iter().map(|after| format!("\"n{after}\"")).collect();
                let _ =
                    write!(text, "[[graph.node]]\nname = \"n{number}\"\nafter = [{}]\n", after.join(", "));
                let _ = match node.work {
                    Work::Kernel(kernel) => writeln!(text, "kernel = \"k{kernel}\""),
                    Work::Copy(engine, time) => writeln!(text, "copy = {time}\nengine = \"e{engine}\""),
                    Work::Host(time) => writeln!(text, "host = {time}"),
                    Work::Nothing => Ok(()),
                };
            }
        }
        text
    }

    fn analysis(&self) -> Analysis {
        let text = self.toml();
        let graphs = read_graphs("random", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let limits = Limits::generous();
        let executions = executions(graphs.system(), &limits).unwrap();
        let analysis = analyse(&graphs, &executions, &limits);
        // What margins ask says the same, though it stops at the first deadline that is not met.
        let proved = is_proved(&graphs, &executions, &limits);
        assert_eq!(proved, analysis.verdict == Verdict::Proved, "{text}");
        analysis
    }

    /// The multiprocessors of each graph: a range of them.
    fn places(&self) -> Vec<std::ops::Range<usize>> {
        let own: u64 = self.graphs.iter().filter_map(|graph| graph.own).sum();
        let shared = usize::try_from(self.multiprocessors - own).unwrap();
        let mut next = shared;
        let of = |graph: &Graph| match graph.own {
            None => 0..shared,
            Some(own) => {
                next += usize::try_from(own).unwrap();
                next - usize::try_from(own).unwrap()..next
            }
        };
        self.graphs.iter().map(of).collect()
    }
}

fn random(rng: &mut ChaCha8Rng) -> Systems {
    let threads = 32 * rng.random_range(1..=4);
    let multiprocessors = rng.random_range(1..=3);
    let kernels: Vec<Kernel> = (0..rng.random_range(1..=4))
        .map(|_| Kernel {
            blocks: rng.random_range(1..=5),
            threads: 32 * rng.random_range(1..=threads / 32),
            c: rng.random_range(1..=6),
        })
        .collect();
    let engines = rng.random_range(1..=2);
    let number = rng.random_range(1..=3);
    let mut graphs = Vec::new();
    let mut left = multiprocessors;
    for _ in 0..number {
        let density = rng.random_range(0..=3);
        let nodes: Vec<Node> = (0..rng.random_range(1..=6))
            .map(|node| Node {
                work: match rng.random_range(0..8) {
                    0..4 => Work::Kernel(rng.random_range(0..kernels.len())),
                    4 | 5 => Work::Copy(rng.random_range(0..engines), rng.random_range(1..=4)),
                    6 => Work::Host(rng.random_range(1..=5)),
                    _ => Work::Nothing,
                },
                after: (0..node).filter(|_| rng.random_range(0..4) < density).collect(),
            })
            .collect();
        let has_kernels = nodes.iter().any(|node| matches!(node.work, Work::Kernel(_)));
        let own = (has_kernels && left > 1 && rng.random_bool(0.2)).then_some(1);
        left -= own.unwrap_or(0);
        graphs.push(Graph {
            period: rng.random_range(10..=60),
            jitter: if rng.random_bool(0.3) { rng.random_range(1..=8) } else { 0 },
            priority: rng.random_range(0..=2),
            own,
            nodes,
        });
    }
    // Every kernel is launched by some node.
    let used: BTreeSet<usize> = graphs
        .iter()
        .flat_map(|graph| &graph.nodes)
        .filter_map(|node| match node.work {
            Work::Kernel(kernel) => Some(kernel),
            _ => None,
        })
        .collect();
    for kernel in 0..kernels.len() {
        if !used.contains(&kernel) {
            let shared = graphs.iter().position(|graph| graph.own.is_none());
            let graph = shared.unwrap_or(0);
            graphs[graph].nodes.push(Node { work: Work::Kernel(kernel), after: Vec::new() });
        }
    }
    Systems {
        multiprocessors,
        threads,
        cores: rng.random_range(1..=2),
        cores_by_priority: rng.random_bool(0.5),
        copies_by_priority: rng.random_bool(0.5),
        engines,
        kernels,
        graphs,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Ready,
    Done,
}

/// A launch that is under way.
#[derive(Debug)]
struct Launch {
    arrival: u64,
    states: Vec<State>,
    /// What is left of each node: of a kernel, blocks to place and blocks that run; else time.
    to_place: Vec<u64>,
    running: Vec<u64>,
    left: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    graph: usize,
    node: usize,
    threads: u64,
    left: u64,
}

/// Plays the system tick by tick, and gives the longest response time of each graph.
#[expect(clippy::too_many_lines, reason = "one tick after the other, in order")]
fn play(system: &Systems, horizon: u64, all_of_c: bool, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let count = system.graphs.len();
    let places = system.places();
    let mut arrivals: Vec<u64> = system.graphs.iter().map(|_| rng.random_range(0..=30)).collect();
    // Launches that have been released, and those that have arrived with the time of their release.
    let mut waiting: Vec<Vec<(u64, u64)>> = vec![Vec::new(); count];
    let mut now_running: Vec<Option<Launch>> = (0..count).map(|_| None).collect();
    let mut on: Vec<Vec<Block>> = vec![Vec::new(); usize::try_from(system.multiprocessors).unwrap()];
    let mut copying: Vec<Option<(usize, usize)>> = vec![None; system.engines];
    let mut worst = vec![0; count];
    let in_order = rng.random_bool(0.5);
    let mut queue: Vec<(usize, usize)> = Vec::new();
    let favoured = rng.random_range(0..count);
    let time = |most: u64, rng: &mut ChaCha8Rng| {
        if all_of_c || rng.random_bool(0.6) { most } else { rng.random_range(1..=most) }
    };
    for now in 0..horizon {
        for graph in 0..count {
            if now >= arrivals[graph] {
                let of = &system.graphs[graph];
                let release =
                    now + if rng.random_bool(0.5) { of.jitter } else { rng.random_range(0..=of.jitter) };
                let release = release.max(waiting[graph].last().map_or(0, |last| last.1));
                waiting[graph].push((now, release));
                arrivals[graph] =
                    now + of.period + if rng.random_bool(0.7) { 0 } else { rng.random_range(0..=5) };
            }
        }
        // Nodes that begin, and launches that end, until nothing changes at this time.
        loop {
            let mut changed = false;
            let mut order: Vec<usize> = (0..count).collect();
            order.shuffle(rng);
            for graph in order {
                let nodes = &system.graphs[graph].nodes;
                if now_running[graph].is_none() && waiting[graph].first().is_some_and(|first| first.1 <= now)
                {
                    let (arrival, _) = waiting[graph].remove(0);
                    let blocks = |node: &Node| match node.work {
                        Work::Kernel(kernel) => system.kernels[kernel].blocks,
                        _ => 0,
                    };
                    let left = |node: &Node| match node.work {
                        Work::Copy(_, most) | Work::Host(most) => most,
                        _ => 0,
                    };
                    now_running[graph] = Some(Launch {
                        arrival,
                        states: vec![State::Open; nodes.len()],
                        to_place: nodes.iter().map(blocks).collect(),
                        running: vec![0; nodes.len()],
                        left: nodes
                            .iter()
                            .map(left)
                            .map(|most| if most == 0 { 0 } else { time(most, rng) })
                            .collect(),
                    });
                    changed = true;
                }
                let Some(launch) = &mut now_running[graph] else { continue };
                for (node, of) in nodes.iter().enumerate() {
                    let before = of.after.iter().all(|&before| launch.states[before] == State::Done);
                    if launch.states[node] == State::Open && before {
                        launch.states[node] = State::Ready;
                        if matches!(of.work, Work::Kernel(_)) {
                            queue.push((graph, node));
                        }
                        changed = true;
                    }
                    let nothing_left = launch.to_place[node] + launch.running[node] + launch.left[node] == 0;
                    if launch.states[node] == State::Ready && nothing_left {
                        launch.states[node] = State::Done;
                        changed = true;
                    }
                }
                if launch.states.iter().all(|state| *state == State::Done) {
                    worst[graph] = worst[graph].max(now - launch.arrival);
                    now_running[graph] = None;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Blocks are placed: those at the head of the queue only, or any that fit.
        if !in_order {
            queue.shuffle(rng);
            if rng.random_bool(0.5) {
                queue.sort_by_key(|&(graph, _)| graph == favoured);
            }
        }
        let mut at = 0;
        let mut blocked: BTreeSet<usize> = BTreeSet::new();
        while at < queue.len() {
            let (graph, node) = queue[at];
            let Work::Kernel(kernel) = system.graphs[graph].nodes[node].work else { unreachable!() };
            let kernel = system.kernels[kernel];
            let launch = now_running[graph].as_mut().unwrap();
            let head = places[graph].start;
            if in_order && blocked.contains(&head) {
                at += 1;
                continue;
            }
            let room = |blocks: &Vec<Block>| {
                blocks.iter().map(|block| block.threads).sum::<u64>() + kernel.threads <= system.threads
            };
            let free: Vec<usize> = places[graph].clone().filter(|&place| room(&on[place])).collect();
            match free.choose(rng) {
                Some(&place) => {
                    let left = time(kernel.c, rng);
                    on[place].push(Block { graph, node, threads: kernel.threads, left });
                    launch.to_place[node] -= 1;
                    launch.running[node] += 1;
                    if launch.to_place[node] == 0 {
                        queue.remove(at);
                    }
                }
                None => {
                    blocked.insert(head);
                    at += 1;
                }
            }
        }
        // Copies and cores.
        let ready = |launches: &[Option<Launch>], is: &dyn Fn(&Work) -> bool| -> Vec<(usize, usize)> {
            let mut all = Vec::new();
            for (graph, launch) in launches.iter().enumerate() {
                let Some(launch) = launch else { continue };
                for (node, of) in system.graphs[graph].nodes.iter().enumerate() {
                    if launch.states[node] == State::Ready && is(&of.work) {
                        all.push((graph, node));
                    }
                }
            }
            all
        };
        for (engine, now) in copying.iter_mut().enumerate() {
            if now.is_none() {
                let mut all = ready(&now_running, &|work| matches!(work, Work::Copy(on, _) if *on == engine));
                all.shuffle(rng);
                if rng.random_bool(0.5) {
                    all.sort_by_key(|&(graph, _)| graph == favoured);
                }
                if system.copies_by_priority {
                    all.sort_by_key(|&(graph, _)| -system.graphs[graph].priority);
                }
                *now = all.first().copied();
            }
        }
        let mut hosts = ready(&now_running, &|work| matches!(work, Work::Host(_)));
        hosts.shuffle(rng);
        if rng.random_bool(0.5) {
            hosts.sort_by_key(|&(graph, _)| graph == favoured);
        }
        if system.cores_by_priority {
            hosts.sort_by_key(|&(graph, _)| -system.graphs[graph].priority);
        }
        hosts.truncate(system.cores);
        // One tick passes.
        for engine in &mut copying {
            if let Some((graph, node)) = *engine {
                let launch = now_running[graph].as_mut().unwrap();
                launch.left[node] -= 1;
                if launch.left[node] == 0 {
                    *engine = None;
                }
            }
        }
        for (graph, node) in hosts {
            now_running[graph].as_mut().unwrap().left[node] -= 1;
        }
        for blocks in &mut on {
            blocks.iter_mut().for_each(|block| block.left -= 1);
            for block in blocks.iter().filter(|block| block.left == 0) {
                now_running[block.graph].as_mut().unwrap().running[block.node] -= 1;
            }
            blocks.retain(|block| block.left > 0);
        }
    }
    // What is still under way has taken so long already.
    for (graph, launch) in now_running.iter().enumerate() {
        if let Some(launch) = launch {
            worst[graph] = worst[graph].max(horizon - launch.arrival);
        }
    }
    worst
}

#[test]
fn no_response_exceeds_its_bound() {
    let systems = std::env::var("WARPSPAN_GRAPHS").ok().and_then(|number| number.parse().ok()).unwrap_or(400);
    let (mut bounded, mut reached, mut launches) = (0, 0, 0);
    let (mut worst_misses, mut proved) = (Vec::new(), 0);
    for seed in 0..systems {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let system = random(&mut rng);
        let analysis = system.analysis();
        proved += u64::from(analysis.verdict == Verdict::Proved);
        let bounds: Vec<Option<u64>> =
            analysis.graphs.iter().map(|graph| graph.bound.as_ref().ok().map(|bound| bound.0)).collect();
        for run in 0..6 {
            launches += 1;
            for (graph, worst) in play(&system, 400, run % 3 == 0, &mut rng).into_iter().enumerate() {
                if let Some(bound) = bounds[graph] {
                    bounded += 1;
                    reached += u64::from(worst == bound);
                    if worst > bound {
                        worst_misses.push((seed, graph, worst, bound));
                    }
                }
            }
        }
        // Alone.
        for (graph, result) in analysis.graphs.iter().enumerate() {
            let Ok(Duration(makespan)) = result.makespan else { continue };
            let mut alone = system.clone();
            alone.graphs =
                vec![Graph { period: 10_000, jitter: 0, own: None, ..system.graphs[graph].clone() }];
            alone.multiprocessors = result.multiprocessors.max(1);
            for run in 0..3 {
                let worst = play(&alone, 300, run == 0, &mut rng)[0];
                if worst > makespan {
                    worst_misses.push((seed, graph, worst, makespan));
                }
            }
        }
    }
    assert!(
        worst_misses.is_empty(),
        "{} exceeded: {:?}",
        worst_misses.len(),
        &worst_misses[..worst_misses.len().min(5)]
    );
    assert!(bounded > launches / 2 && reached > 0, "{bounded} of {launches}, {reached} reached");
    assert!(proved > 20 && systems - proved > 20, "{proved} of {systems} are proved");
}

/// The longest makespan over all orders, placements and times of one graph of kernels.
fn exhaustive(system: &Systems) -> u64 {
    type Blocks = Vec<(usize, u64)>;
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Now {
        to_place: Vec<u64>,
        on: Vec<Blocks>,
    }
    fn longest(system: &Systems, now: &Now, known: &mut HashMap<Now, u64>) -> u64 {
        if let Some(&found) = known.get(now) {
            return found;
        }
        let nodes = &system.graphs[0].nodes;
        let running = |node: usize| now.on.iter().flatten().any(|(of, _)| *of == node);
        let done = |node: usize| now.to_place[node] == 0 && !running(node);
        let kernel = |node: usize| match nodes[node].work {
            Work::Kernel(kernel) => system.kernels[kernel],
            _ => unreachable!(),
        };
        let mut worst = None;
        for (node, of) in nodes.iter().enumerate() {
            // What a node waits for is transitive: a node that is not done keeps those after it waiting.
            if now.to_place[node] == 0 || !of.after.iter().all(|&before| done(before)) {
                continue;
            }
            for place in 0..now.on.len() {
                let taken: u64 = now.on[place].iter().map(|(of, _)| kernel(*of).threads).sum();
                if taken + kernel(node).threads > system.threads {
                    continue;
                }
                for time in 1..=kernel(node).c {
                    let mut next = now.clone();
                    next.to_place[node] -= 1;
                    next.on[place].push((node, time));
                    next.on[place].sort_unstable();
                    next.on.sort_unstable();
                    let found = longest(system, &next, known);
                    worst = Some(worst.map_or(found, |worst: u64| worst.max(found)));
                }
            }
        }
        // A tick passes only where nothing fits.
        let found = worst.unwrap_or_else(|| {
            let mut next = now.clone();
            if next.on.iter().all(Vec::is_empty) {
                return 0;
            }
            for blocks in &mut next.on {
                blocks.iter_mut().for_each(|block| block.1 -= 1);
                blocks.retain(|block| block.1 > 0);
            }
            1 + longest(system, &next, known)
        });
        known.insert(now.clone(), found);
        found
    }
    let nodes = &system.graphs[0].nodes;
    let blocks = |node: &Node| match node.work {
        Work::Kernel(kernel) => system.kernels[kernel].blocks,
        _ => unreachable!(),
    };
    let now = Now {
        to_place: nodes.iter().map(blocks).collect(),
        on: vec![Vec::new(); usize::try_from(system.multiprocessors).unwrap()],
    };
    longest(system, &now, &mut HashMap::new())
}

#[test]
fn tiny_graphs_in_every_way() {
    let (mut reached, mut all) = (0, 0);
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let nodes = rng.random_range(1..=3);
        let kernels: Vec<Kernel> = (0..nodes)
            .map(|_| Kernel {
                blocks: rng.random_range(1..=2),
                threads: 32 * rng.random_range(1..=2),
                c: rng.random_range(1..=3),
            })
            .collect();
        let nodes: Vec<Node> = (0..nodes)
            .map(|node| Node {
                work: Work::Kernel(node),
                after: (0..node).filter(|_| rng.random_bool(0.4)).collect(),
            })
            .collect();
        let graph = Graph { period: 1000, jitter: 0, priority: 0, own: None, nodes };
        let system = Systems {
            multiprocessors: rng.random_range(1..=2),
            threads: 64,
            cores: 1,
            cores_by_priority: false,
            copies_by_priority: false,
            engines: 1,
            kernels,
            graphs: vec![graph],
        };
        let worst = exhaustive(&system);
        let result = &system.analysis().graphs[0];
        let bound = result.bound.clone().unwrap();
        assert_eq!(result.makespan, Ok(bound), "{seed}");
        assert!(worst <= bound.0, "{seed}: {worst} > {}\n{}", bound.0, system.toml());
        assert!(result.worst_at_least.unwrap().0 <= worst, "{seed}");
        all += 1;
        reached += u64::from(worst == bound.0);
    }
    // Graham's bound is reached by many of them.
    assert!(reached * 3 > all, "{reached} of {all}");
}

fn bounds(text: &str) -> Vec<u64> {
    let graphs = read_graphs("test", text).unwrap();
    let limits = Limits::generous();
    let executions = executions(graphs.system(), &limits).unwrap();
    analyse(&graphs, &executions, &limits).graphs.into_iter().map(|graph| graph.bound.unwrap().0).collect()
}

fn kernel(name: &str, c: u64) -> String {
    format!(
        "[[kernel]]\nname = \"{name}\"\nblocks = 1\nthreads_per_block = 32\nshared_memory = 0\nregisters_per_thread = 0\nexecution = {c}\n"
    )
}

/// One slot. Two launches of a graph, 8 of whose 10 between arrivals may be lost to jitter, go before one that waits: 2 + 2 + 1.
#[test]
fn jitter_lets_more_launches_go_first() {
    let gpu = "[gpu]\nmultiprocessors = 1\nthreads = 32\n";
    let calm = "[[graph]]\nperiod = 1000\n[[graph.node]]\nkernel = \"one\"\n";
    let other = "[[graph]]\nperiod = 10\njitter = 8\n[[graph.node]]\nkernel = \"two\"\n";
    let found = bounds(&[gpu, &kernel("one", 1), &kernel("two", 2), calm, other].concat());
    assert_eq!(found[0], 5);
}

/// A copy of up to 5 lets host work of 2 begin 5 later or at once. So it comes at 0, 5, 15 and 25, and host work of 20 that
/// is less urgent takes 28; where it came 10 apart, that would be 26.
#[test]
fn a_launch_before_the_window_counts() {
    let gpu = "[gpu]\nmultiprocessors = 1\nthreads = 32\n[cores]\npolicy = \"fixed-priority\"\n";
    let calm = "[[graph]]\nperiod = 1000\n[[graph.node]]\nname = \"long\"\nhost = 20\n";
    let urgent = "[[graph]]\nperiod = 10\npriority = 1\n[[graph.node]]\nname = \"c\"\ncopy = 5\n[[graph.node]]\nhost = 2\nafter = [\"c\"]\n";
    // A kernel must be there; it runs after all that counts here.
    let last = "[[graph]]\nperiod = 1000\npriority = -1\n[[graph.node]]\nkernel = \"one\"\n";
    let found = bounds(&[gpu, &kernel("one", 1), calm, urgent, last].concat());
    assert_eq!(found[..2], [28, 7]);
}
