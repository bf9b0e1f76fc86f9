//! The scheduling rules on measured blocks: the real logs keep them, and each rule catches a log that was made
//! wrong by hand.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::device::{Gpu, Resources};
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::realtime::rta::{
    Block, Event, Finding, Log, Logged, Measured, Measurement, Method, Rule, Source, Stream, System, Task,
    analyse, executions, read_log, read_system,
};

/// Ten microseconds.
const TOLERANCE: Duration = Duration(10_000_000);

/// The text of the log of a kernel of the Jetson TX2.
fn real(number: usize) -> String {
    let path = format!("tests/data/tx2/concurrent_1st_{number}.json");
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// What is found in the four real logs after these replacements, each of which must change its log.
fn changed(changes: &[(usize, &str, &str)]) -> Vec<Finding> {
    let mut logs: Vec<String> = (1..=4).map(real).collect();
    for (number, old, new) in changes {
        assert_eq!(logs[number - 1].matches(old).count(), 1, "{old}");
        logs[number - 1] = logs[number - 1].replace(old, new);
    }
    found(&logs, None)
}

fn found(logs: &[String], file: Option<&str>) -> Vec<Finding> {
    let logs: Vec<Log> = logs.iter().map(|text| read_log("log", text).unwrap()).collect();
    let file = file.map(|text| read_system("system", text).unwrap());
    Measurement::new(&logs, file.as_ref()).unwrap().findings(TOLERANCE)
}

/// The only rule that is broken, and the sentence that names the first block that breaks it.
fn broken(findings: &[Finding]) -> (Rule, String) {
    let mut broken = findings.iter().filter_map(|finding| Some((finding.rule, finding.breach.clone()?)));
    let (rule, breach) = broken.next().unwrap();
    let more: Vec<_> = broken.collect();
    assert!(more.is_empty(), "{more:?}");
    (rule, breach.what)
}

/// The start and the end of a block, and its multiprocessor.
type Ran = (f64, f64, u64);

/// A launch: its call, threads and shared memory of a block, and the blocks.
type Called<'a> = (f64, u64, u64, &'a [Ran]);

/// A log of one stream.
fn log(label: &str, launches: &[Called<'_>]) -> String {
    let launch = |&(called, threads, shared, blocks): &Called<'_>| {
        let times: Vec<f64> = blocks.iter().flat_map(|&(start, end, _)| [start, end]).collect();
        let on: Vec<u64> = blocks.iter().map(|&(_, _, on)| on).collect();
        format!(
            "{{\"kernel_name\": \"spin\", \"block_count\": {}, \"thread_count\": {threads}, \"shared_memory\": {shared}, \
             \"cuda_launch_times\": [{called}, {called}, 0], \"block_times\": {times:?}, \"block_smids\": {on:?}}}",
            blocks.len()
        )
    };
    let launches: Vec<String> = launches.iter().map(launch).collect();
    format!(
        "{{\"benchmark_name\": \"Spin\", \"label\": \"{label}\", \"max_resident_threads\": 4096, \"PID\": 1, \"times\": [{{}}, {}]}}",
        launches.join(",\n")
    )
}

#[test]
fn the_real_logs_keep_every_rule() {
    let findings = changed(&[]);
    assert!(findings.iter().all(|finding| finding.breach.is_none()), "{findings:?}");
    let judged: Vec<(&str, u64, u64)> =
        findings.iter().map(|finding| (finding.rule.name(), finding.judged, finding.off.0)).collect();
    // Counted by hand. The timer advances in steps of about a microsecond: the second block of Kernel 1 starts 0.96
    // microseconds after there is room.
    let expected = [
        ("G1", 4, 0),
        ("G2", 0, 0),
        ("G3", 16, 960_000),
        ("G4", 4, 0),
        ("X1", 3, 0),
        ("R1", 16, 0),
        ("R2", 16, 0),
        ("R3", 0, 0),
        ("C1", 4, 0),
        ("C4", 4, 0),
        ("A2", 0, 0),
    ];
    assert_eq!(judged, expected);
}

#[test]
fn g1_a_block_before_its_launch() {
    let late = (1, "[0.068093312, 0.068721376, 10.068711424]", "[7.5, 7.6, 10.068711424]");
    let what = "block 1 of Kernel 1 on multiprocessor 2 starts at 6.068823573 s, before its launch is called at 7.5 s";
    assert_eq!(broken(&changed(&[late])), (Rule::G1, what.to_owned()));
}

#[test]
fn g2_a_block_before_the_launch_ahead_in_its_stream_ends() {
    let stream = |second: f64| {
        log("A", &[(0.2, 512, 0, &[(0.2, 1.2, 0), (0.2, 1.4, 1)]), (0.2, 512, 0, &[(second, 2.4, 1)])])
    };
    assert!(found(&[stream(1.4)], None).iter().all(|finding| finding.breach.is_none()));
    let what = "block 1 of launch 2 of A on multiprocessor 2 starts at 1.3 s, before block 2 of launch 1 of A on \
                multiprocessor 2, of the launch ahead in its stream, ends at 1.4 s";
    assert_eq!(broken(&found(&[stream(1.3)], None)), (Rule::G2, what.to_owned()));
}

#[test]
fn g3_a_block_that_waits_while_it_fits() {
    let late = (1, "6.068857334", "6.069057334");
    let what = "block 2 of Kernel 1 on multiprocessor 2 starts at 6.069057334 s only, although multiprocessor 2 had \
                room for it from 6.068856374 s to 6.069057334 s";
    assert_eq!(broken(&changed(&[late])), (Rule::G3, what.to_owned()));
}

#[test]
fn g4_a_stream_that_is_empty_before_its_blocks_end() {
    let early = (1, "10.068711424]", "10.06]");
    let what = "block 2 of Kernel 1 on multiprocessor 2 ends at 10.068992886 s, after the host saw its stream empty at 10.06 s";
    assert_eq!(broken(&changed(&[early])), (Rule::G4, what.to_owned()));
}

#[test]
fn x1_a_block_that_overtakes_the_queue() {
    // B is called when the call of A has returned.
    let logs = |called: [f64; 2], [a, b]: [[f64; 2]; 2]| {
        let blocks =
            |starts: [f64; 2]| starts.map(|start| (start, start + 0.5, u64::from(start.fract() > 0.0)));
        let one = |label, called, starts| log(label, &[(called, 1024, 0, &blocks(starts))]);
        [one("A", called[0], a), one("B", called[1], b)]
    };
    let findings = found(&logs([0.1, 0.2], [[1.5, 2.0], [1.0, 2.5]]), None);
    let x1 = findings.into_iter().find(|finding| finding.rule == Rule::X1).unwrap();
    let what = "block 1 of B on multiprocessor 1 starts at 1 s, before block 2 of A on multiprocessor 1, which is ahead \
                in the queue, at 2 s";
    assert_eq!(x1.breach.map(|breach| breach.what).as_deref(), Some(what));
    // If the calls overlap, B may be ahead: then only blocks that mix break the rule.
    let overlapping = |starts| {
        let long = logs([0.1, 0.2], starts).map(|text| text.replace("[0.2, 0.2, 0]", "[0.05, 0.2, 0]"));
        let finding = found(&long, None).into_iter().find(|finding| finding.rule == Rule::X1).unwrap();
        assert_eq!(finding.judged, 1);
        finding.breach.map(|breach| breach.what)
    };
    assert_eq!(overlapping([[1.5, 2.0], [0.5, 1.0]]), None);
    assert_eq!(overlapping([[0.5, 1.0], [1.5, 2.0]]), None);
    let what = "block 1 of B on multiprocessor 1 starts at 1 s, before block 2 of A on multiprocessor 1, which mixes its \
                blocks with those of this kernel, at 2 s";
    assert_eq!(overlapping([[1.5, 2.0], [1.0, 2.5]]).as_deref(), Some(what));
    assert_eq!(overlapping([[0.5, 2.0], [1.0, 2.5]]).as_deref(), Some(what));
    // All four calls of the real logs overlap: of Kernel 1 and Kernel 4 either may be ahead.
    let swapped = [
        (1, "6.068857334,10.068992886", "6.068822517,10.068958069"),
        (4, "6.068822517,11.068992533], ", "6.068857334,11.069027350], "),
    ];
    assert!(changed(&swapped).iter().all(|finding| finding.breach.is_none()));
}

/// Where the end of one launch and the call of another are too close to tell which kernel came first, the pair is
/// not judged; where they are far apart, it is.
#[test]
fn x1_is_judged_only_where_the_order_is_known() {
    let overtaken = |called: f64, [again, other]: [f64; 2]| {
        let logs = [
            log(
                "A",
                &[
                    (0.2, 1024, 0, &[(0.2, 1.2, 0), (0.2, 1.2, 0), (0.2, 1.2, 1), (0.2, 1.2, 1)]),
                    (0.3, 1024, 0, &[(again, 2.2, 0)]),
                ],
            ),
            log("B", &[(called, 1024, 0, &[(other, 2.2, 1)])]),
        ];
        let findings = found(&logs, None);
        let finding = findings.into_iter().find(|finding| finding.rule == Rule::X1).unwrap();
        finding.breach.map(|breach| breach.what)
    };
    // The second launch of A comes to the head of its stream at 1.2 s, by the clock of the GPU.
    assert_eq!(overtaken(1.19999, [1.20005, 1.2]), None);
    assert_eq!(overtaken(1.19999, [1.2, 1.20005]), None);
    let what = "block 1 of launch 2 of A on multiprocessor 1 starts at 1.2 s, before block 1 of B on multiprocessor 2, \
                which is ahead in the queue, at 1.20005 s";
    assert_eq!(overtaken(0.9, [1.2, 1.20005]).as_deref(), Some(what));
    assert_eq!(overtaken(0.9, [1.20005, 1.2]), None);
}

#[test]
fn r1_more_blocks_than_slots() {
    let block = (0.2, 1.2, 0);
    let many = |count: usize| log("A", &[(0.2, 32, 0, &vec![block; count])]);
    assert!(found(&[many(32)], None).iter().all(|finding| finding.breach.is_none()));
    let what = "block 33 of A on multiprocessor 1 starts at 0.2 s, where the blocks then need 33 block slots of 32: too \
                many for 1 s more";
    assert_eq!(broken(&found(&[many(33)], None)), (Rule::R1, what.to_owned()));
}

#[test]
fn r2_more_threads_than_there_are() {
    let early = (3, "6.068822517", "6.06");
    let what = "block 2 of Kernel 3 on multiprocessor 1 starts at 6.06 s, where the blocks then need 2560 threads of \
                2048: too many for 0.008821493 s more";
    assert_eq!(broken(&changed(&[early])), (Rule::R2, what.to_owned()));
}

#[test]
fn r3_more_shared_memory_than_there_is() {
    let blocks: [&[Ran]; 2] = [&[(0.2, 1.2, 0), (0.2, 1.2, 1)], &[(0.2, 1.2, 0), (0.2, 1.2, 0)]];
    let both = |blocks| log("A", &[(0.2, 64, 40_000, blocks)]);
    assert!(found(&[both(blocks[0])], None).iter().all(|finding| finding.breach.is_none()));
    let (rule, what) = broken(&found(&[both(blocks[1])], None));
    assert_eq!(rule, Rule::R3);
    assert!(what.starts_with("block 2 of A on multiprocessor 1 starts at 0.2 s"), "{what}");
}

#[test]
fn c1_a_copy_out_before_the_blocks_end() {
    let early = (1, "[10.068713344,10.068781440]", "[10.04,10.05]");
    let what = "block 2 of Kernel 1 on multiprocessor 2 ends at 10.068992886 s, after the copy out behind it was complete at 10.05 s";
    assert_eq!(broken(&changed(&[early])), (Rule::C1, what.to_owned()));
}

#[test]
fn c4_a_block_before_its_copy_in_is_complete() {
    let late = (1, "\"copy_in_times\": [0.068092000,0.068092320]", "\"copy_in_times\": [0.068,7.5]");
    let what = "block 1 of Kernel 1 on multiprocessor 2 starts at 6.068823573 s, before the copy in ahead of it was complete at 7.5 s";
    assert_eq!(broken(&changed(&[late])), (Rule::C4, what.to_owned()));
}

#[test]
fn a2_a_block_while_a_more_urgent_kernel_waits() {
    let system = |priority: i64| {
        let kernel = |name: &str, priority: i64, blocks: u64| {
            format!(
                "[[kernel]]\nname = \"{name}\"\nexecution = 1\nblocks = {blocks}\nthreads_per_block = 1024\npriority = {priority}\n"
            )
        };
        let gpu = "unit = \"s\"\n[gpu]\npreset = \"jetson-tx2\"\n";
        format!("{gpu}{}{}{}", kernel("A", 0, 4), kernel("B", 0, 1), kernel("C", priority, 1))
    };
    // A fills the GPU. B waits, then C; both fit from 1.1 s on, but the block of C starts later.
    let logs = [
        log("A", &[(0.05, 1024, 0, &[(0.1, 1.1, 0), (0.1, 1.1, 0), (0.1, 1.2, 1), (0.1, 1.3, 1)])]),
        log("B", &[(0.2, 1024, 0, &[(1.1, 2.1, 0)])]),
        log("C", &[(0.3, 1024, 0, &[(1.10005, 2.1, 0)])]),
    ];
    let what = "block 1 of B on multiprocessor 1 starts at 1.1 s, while block 1 of C on multiprocessor 1, which is more \
                urgent, waits until 1.10005 s";
    let findings = found(&logs, Some(&system(1)));
    let urgent = findings.iter().find(|finding| finding.rule == Rule::A2).unwrap();
    assert_eq!(urgent.breach.as_ref().unwrap().what, what);
    // Of equal priority the launch decides. The block of C is then 50 microseconds late.
    let equal = found(&logs, Some(&system(0)));
    let broken: Vec<Rule> = equal.iter().filter(|f| f.breach.is_some()).map(|finding| finding.rule).collect();
    assert_eq!(broken, [Rule::G3]);
}

/// A system of launches at different times on a small GPU.
fn random(rng: &mut ChaCha8Rng) -> System {
    let task = |number: usize, rng: &mut ChaCha8Rng| {
        let warps = rng.random_range(1..5);
        let time = |ms: u64| Duration(ms * 1_000_000_000);
        let shared_memory = rng.random_range(0..4);
        let block = Resources { threads: warps * 32, shared_memory, registers: 0, blocks: 1 };
        Task {
            name: format!("K{number}"),
            period: None,
            sporadic: false,
            jitter: Duration(0),
            deadline: None,
            // No two are released together, since logs do not tell which is first then.
            release: time(20 * rng.random_range(0..15) + number as u64),
            fixed: true,
            execution: Source::Given(time(rng.random_range(1..60))),
            measured: Measured::BesideOthers,
            blocks: rng.random_range(1..9),
            threads: warps * 32,
            block,
            least: block,
            stream: rng.random_range(0..3),
            copy_in: Duration(0),
            copy_out: Duration(0),
            traffic: Vec::new(),
        }
    };
    let tasks = (0..rng.random_range(1..9)).map(|number| task(number, rng)).collect();
    let stream = |number: usize, rng: &mut ChaCha8Rng| Stream {
        name: format!("S{number}"),
        priority: rng.random_range(0..3),
    };
    let streams = (0..3).map(|number| stream(number, rng)).collect();
    let resources = Resources { threads: 160, shared_memory: 6, registers: 1, blocks: 4 };
    let gpu = Gpu { multiprocessors: rng.random_range(1..4), resources, register_parts: 1, clock: None };
    System::new(gpu, TimeUnit::Seconds, streams, tasks).unwrap()
}

/// The logs of a run of the simulator, one for each stream.
fn logs_of(system: &System) -> Vec<Log> {
    let solved = executions(system, &Limits::generous()).unwrap();
    let events =
        analyse(system, &solved, Method::Simulate, None, &Limits::generous()).unwrap().events.unwrap();
    let mut logs: Vec<Log> = (system.streams().iter())
        .map(|stream| Log {
            place: "log".to_owned(),
            label: stream.name.clone(),
            process: 1,
            threads: system.gpu().multiprocessors * system.gpu().resources.threads,
            launches: Vec::new(),
        })
        .collect();
    let mut order: Vec<usize> = (0..system.tasks().len()).collect();
    order.sort_by_key(|&task| system.tasks()[task].release);
    for number in order {
        let task = &system.tasks()[number];
        let mut blocks = Vec::new();
        for event in &events {
            let Event::Placed(placed) = event else { continue };
            for round in 0..placed.rounds * u64::from(placed.job.task == number) {
                let start = placed.start + solved[number].time * round;
                let block =
                    Block { start, end: start + solved[number].time, multiprocessor: placed.multiprocessor };
                blocks.extend((0..placed.blocks).map(|_| block));
            }
        }
        logs[task.stream].launches.push(Logged {
            line: 1,
            name: task.name.clone(),
            threads: task.threads,
            shared_memory: task.block.shared_memory,
            called: task.release,
            returned: task.release,
            synchronised: None,
            copies: None,
            blocks,
        });
    }
    logs
}

/// Whatever the simulator does keeps the rules, without any tolerance.
#[test]
fn runs_of_the_simulator_keep_every_rule() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut judged = [0_u64; Rule::ALL.len()];
    for _ in 0..600 {
        let system = random(&mut rng);
        let run = Measurement::new(&logs_of(&system), Some(&system)).unwrap();
        for (sum, finding) in judged.iter_mut().zip(run.findings(Duration(0))) {
            assert_eq!(finding.breach, None, "{system:?}");
            *sum += finding.judged;
        }
    }
    let seen = Rule::ALL.iter().zip(judged).filter(|(_, judged)| *judged > 100);
    let seen: Vec<Rule> = seen.map(|(&rule, _)| rule).collect();
    assert_eq!(seen, [Rule::G1, Rule::G2, Rule::G3, Rule::X1, Rule::R1, Rule::R2, Rule::R3, Rule::A2]);
}

/// Blocks anywhere at any time: the resources are exceeded where a count at every start says so.
#[test]
fn resources_are_those_of_a_count() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut broken = 0;
    for _ in 0..600 {
        let system = random(&mut rng);
        let mut logs = logs_of(&system);
        let mut blocks = Vec::new();
        for log in &mut logs {
            for launch in &mut log.launches {
                for block in &mut launch.blocks {
                    let length = block.end - block.start;
                    block.start = Duration(rng.random_range(0..300) * 1_000_000_000);
                    block.end = block.start + length;
                    blocks.push((*block, launch.threads, launch.shared_memory));
                }
            }
        }
        let count = |what: fn(&(Block, u64, u64)) -> u64, most: u64| {
            blocks.iter().any(|(at, ..)| {
                let present = blocks.iter().filter(|(block, ..)| {
                    block.multiprocessor == at.multiprocessor
                        && block.start <= at.start
                        && at.start < block.end
                });
                present.map(what).sum::<u64>() > most
            })
        };
        let expected = [count(|_| 1, 4), count(|block| block.1, 160), count(|block| block.2, 6)];
        let findings = Measurement::new(&logs, Some(&system)).unwrap().findings(Duration(0));
        let of = |rule: Rule| findings.iter().any(|finding| finding.rule == rule && finding.breach.is_some());
        assert_eq!([Rule::R1, Rule::R2, Rule::R3].map(of), expected);
        broken += usize::from(expected[1]);
    }
    assert!((50..550).contains(&broken), "{broken}");
}

/// Whatever is in a log, it is read or refused, and nothing panics: 20,000 logs of the TX2 with characters changed,
/// taken out or doubled, and numbers replaced.
#[test]
fn damaged_logs_are_read_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let numbers =
        ["0", "1", "-1", "1e18", "1e300", "18446744073709551615", "6.068822517", "4096", "null", "[]"];
    let (mut read, mut refused) = (0, 0);
    let real: Vec<String> = (1..=4).map(real).collect();
    for round in 0..20_000 {
        let mut text = real[round % 4].clone();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..text.len());
            match rng.random_range(0..3) {
                0 => text.replace_range(at..=at, ["", "9", "[", "}", ",", " ", "\n"][rng.random_range(0..7)]),
                1 => text.insert(at, text.as_bytes()[at].into()),
                _ => {
                    let from = text[at..].find(|c: char| c.is_ascii_digit()).map_or(at, |found| at + found);
                    let more = text[from..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(0);
                    text.replace_range(from..from + more, numbers[rng.random_range(0..numbers.len())]);
                }
            }
        }
        let Ok(log) = read_log("log", &text) else {
            refused += 1;
            continue;
        };
        if let Ok(run) = Measurement::new(&[log], None) {
            run.findings(TOLERANCE);
            run.occupancy();
            read += 1;
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}
