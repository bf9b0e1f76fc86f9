//! Kernels of several processes: the bounds against a simulator of turns and blocks, and files that are refused.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::model::assumption::Id;
use warpspan::realtime::processes::kernels::{NoBound, examine};
use warpspan::realtime::rta::{
    DeadlineMet, Kernels, Shared, Verdict, read_examiner, read_examiner_kernels, read_kernels, read_system,
};

use crate::common::limits;

/// A kernel of a random system: its process, period, blocks, warps of a block, and C.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    process: usize,
    period: u64,
    blocks: u64,
    warps: u64,
    execution: u64,
}

const HEAD: &str =
    "[gpu]\nmultiprocessors = 2\nthreads = 64\nshared_memory = 1024\nregisters = 65536\nblocks = 8\n";

fn system(kernels: &[Kernel], [slice, switch]: [u64; 2]) -> Shared {
    let mut text = format!("{HEAD}[processes]\nslice = {slice}\nswitch = {switch}\n");
    for Kernel { process, period, blocks, warps, execution } in kernels {
        text += &format!(
            "[[kernel]]\nprocess = \"P{process}\"\nperiod = {period}\nblocks = {blocks}\nthreads_per_block = {}\nexecution = {execution}\n\
             registers_per_thread = 0\nshared_memory = 0\n",
            32 * warps
        );
    }
    match read_kernels("f.toml", &text).unwrap() {
        Kernels::Shared(shared) => shared,
        Kernels::One(_) => panic!("{text}"),
    }
}

/// A launch: its kernel, its arrival, its blocks to come, and the time left of its blocks on each multiprocessor.
#[derive(Debug)]
struct Launch {
    kernel: usize,
    arrival: u64,
    left: u64,
    there: Vec<(usize, u64)>,
    end: Option<u64>,
}

/// Plays launches; blocks take C or less, and each stream is in order.
fn play(
    kernels: &[Kernel],
    [slice, switch]: [u64; 2],
    mut launches: Vec<Launch>,
    until: u64,
    rng: &mut ChaCha8Rng,
) -> Vec<Launch> {
    let processes = kernels.iter().map(|kernel| kernel.process).max().unwrap() + 1;
    let (mut turn, mut left, mut change) = (0, slice, None::<(usize, u64)>);
    let shorter = rng.random_bool(0.4);
    for time in 0..until {
        let under_way = |launch: &Launch| launch.arrival <= time && launch.end.is_none();
        let works = |launches: &[Launch], process: usize| {
            launches.iter().any(|launch| under_way(launch) && kernels[launch.kernel].process == process)
        };
        if let Some((to, 0)) = change {
            (turn, left, change) = (to, slice, None);
        }
        if change.is_none() && !(works(&launches, turn) && left > 0) {
            let mut others = (1..processes).map(|step| (turn + step) % processes);
            match others.find(|&process| works(&launches, process)) {
                Some(process) if switch == 0 => (turn, left) = (process, slice),
                Some(process) => change = Some((process, switch)),
                None if left == 0 && works(&launches, turn) => left = slice,
                None => {}
            }
        }
        if let Some((_, left)) = &mut change {
            *left -= 1;
            continue;
        }
        if !works(&launches, turn) {
            continue;
        }
        left -= 1;
        // The launches at the heads of their streams, in the order of their releases: one queue.
        let mut order: Vec<usize> = (0..launches.len())
            .filter(|&at| under_way(&launches[at]) && kernels[launches[at].kernel].process == turn)
            .collect();
        order.sort_by_key(|&at| (launches[at].arrival, launches[at].kernel));
        let heads: Vec<usize> = order
            .iter()
            .copied()
            .filter(|&at| {
                let before = |&other: &usize| {
                    launches[other].kernel == launches[at].kernel
                        && launches[other].arrival < launches[at].arrival
                };
                !order.iter().any(before)
            })
            .collect();
        'queue: for at in heads {
            while launches[at].left > 0 {
                let kernel = kernels[launches[at].kernel];
                let used = |sm: usize| -> u64 {
                    let of = |at: &usize| {
                        let there = launches[*at].there.iter().filter(|(on, _)| *on == sm).count() as u64;
                        there * kernels[launches[*at].kernel].warps
                    };
                    order.iter().map(of).sum()
                };
                let room: Vec<usize> = (0..2).filter(|&sm| used(sm) + kernel.warps <= 2).collect();
                if room.is_empty() {
                    break 'queue;
                }
                let sm = room[rng.random_range(0..room.len())];
                let takes = if shorter { rng.random_range(1..=kernel.execution) } else { kernel.execution };
                launches[at].there.push((sm, takes));
                launches[at].left -= 1;
            }
        }
        for &at in &order {
            let launch = &mut launches[at];
            launch.there.iter_mut().for_each(|(_, left)| *left -= 1);
            launch.there.retain(|(_, left)| *left > 0);
            if launch.left == 0 && launch.there.is_empty() {
                launch.end = Some(time + 1);
            }
        }
    }
    launches
}

#[test]
fn no_launch_takes_longer_than_its_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut judged, mut near) = (0, 0);
    for _ in 0..100 {
        let times = [rng.random_range(1..=5), rng.random_range(0..=3)];
        let kernels: Vec<Kernel> = (0..rng.random_range(2..=4))
            .map(|number| Kernel {
                process: if number < 2 { number } else { rng.random_range(0..=2.min(number)) },
                period: rng.random_range(30..=150),
                blocks: rng.random_range(1..=5),
                warps: rng.random_range(1..=2),
                execution: rng.random_range(1..=6),
            })
            .collect();
        let shared = system(&kernels, times);
        let (_, outcomes) = examine(&shared, &limits());
        let mut longest = vec![0; kernels.len()];
        for _ in 0..6 {
            let until = 600;
            let dense = rng.random_bool(0.6);
            let mut launches = Vec::new();
            for (kernel, of) in kernels.iter().enumerate() {
                let mut arrival = rng.random_range(0..30);
                while arrival < until {
                    launches.push(Launch { kernel, arrival, left: of.blocks, there: Vec::new(), end: None });
                    arrival += of.period + if dense { 0 } else { rng.random_range(0..of.period) };
                }
            }
            for launch in play(&kernels, times, launches, until, &mut rng) {
                let response = launch.end.unwrap_or(until) - launch.arrival;
                longest[launch.kernel] = response.max(longest[launch.kernel]);
                let Ok(bound) = outcomes[launch.kernel].bound else { continue };
                judged += 1;
                assert!(
                    response <= bound.0,
                    "{response} > {} of {}\n{kernels:?} {times:?}",
                    bound.0,
                    launch.kernel
                );
            }
        }
        let close = |(longest, outcome): (&u64, &warpspan::realtime::processes::kernels::Outcome)| {
            outcome.bound.is_ok_and(|bound| longest * 4 >= bound.0 * 3)
        };
        near += longest.iter().zip(&outcomes).filter(|&pair| close(pair)).count();
    }
    assert!(judged > 1_000 && near > 10, "{judged} {near}");
}

/// One block of 5 in turns of 2 beside another process: three visits of ours, each behind a turn and two changes of 1.
#[test]
fn a_bound_by_hand() {
    let kernel = |process, execution| Kernel { process, period: 1000, blocks: 1, warps: 2, execution };
    let found = |other| {
        let (verdict, outcomes) = examine(&system(&[kernel(0, 5), kernel(1, other)], [2, 1]), &limits());
        assert_eq!(verdict, Verdict::Proved);
        outcomes[0].bound.unwrap().0
    };
    // The other one may fill all its turns: 5 + 3 (2 + 1) + 3.
    assert_eq!(found(50), 17);
    // It has 1 for a turn: 5 + 3, and 1 + (0 + 1 + 1) changes.
    assert_eq!(found(1), 11);
}

#[test]
fn processes_of_the_examiner_take_turns() {
    let spin = |label: &str, more: &str| {
        format!(
            "{{\"filename\": \"timer_spin.so\", \"label\": \"{label}\", \"thread_count\": 1024, \"block_count\": 2, \
             \"additional_info\": 100000000{more}}}"
        )
    };
    let file = |more: &str| {
        format!(
            "{{\"max_iterations\": 1, \"use_processes\": true, \"benchmarks\": [{},{}]}}",
            spin("K1", more),
            spin("K2", more)
        )
    };
    let Kernels::Shared(shared) = read_examiner_kernels("f.json", &file("")).unwrap() else { panic!() };
    assert_eq!(shared.processes(), ["K1", "K2"]);
    let (verdict, outcomes) = examine(&shared, &limits());
    assert_eq!(verdict, Verdict::Proved);
    // 100 ms of service in 100 turns, each behind 1.2 + 0.2 ms.
    let written: Vec<String> =
        outcomes.iter().map(|of| shared.system().unit().write(of.bound.unwrap())).collect();
    assert_eq!(written, ["240000000", "240000000"]);
    let wrong = read_examiner("f.json", &file("")).unwrap_err().to_string();
    assert_eq!(
        wrong,
        "f.json: kernels of 2 processes, which take turns on the GPU: want those of one process"
    );
    // Clients of MPS without a limit are as one process, and a limit is refused.
    let Kernels::One(one) =
        read_examiner_kernels("f.json", &file(", \"mps_thread_percentage\": 100")).unwrap()
    else {
        panic!()
    };
    assert!(one.rests().on.iter().any(|what| what.id == Id::ProcessMps));
    let wrong =
        read_examiner_kernels("f.json", &file(", \"mps_thread_percentage\": 50")).unwrap_err().to_string();
    assert!(
        wrong.starts_with(
            "f.json: benchmark 1 (K1): mps_thread_percentage = 50: a share is a limit, so blocks may wait"
        ),
        "{wrong}"
    );
}

#[test]
fn what_is_not_covered_is_refused() {
    let kernel = |more: &str| {
        format!(
            "[[kernel]]\nblocks = 1\nthreads_per_block = 32\nregisters_per_thread = 0\nshared_memory = 0\n{more}"
        )
    };
    let file = |processes: &str, kernels: &[&str]| {
        let kernels: String = kernels.iter().map(|more| kernel(more)).collect();
        format!("{HEAD}{processes}{kernels}")
    };
    let wrong = |processes: &str, kernels: &[&str]| {
        read_kernels("f.toml", &file(processes, kernels)).unwrap_err().to_string()
    };
    let slices = "[processes]\nslice = 2\nswitch = 1\n";
    let [a, b] = ["process = \"a\"\nexecution = 3\n", "process = \"b\"\nexecution = 3\n"];
    assert!(wrong("", &[a, b]).contains("process = \"a\" and no [processes]"));
    assert!(
        wrong(slices, &[a, "execution = 3\n"])
            .contains("kernel K2: no process, although there is a table [processes]")
    );
    assert!(wrong("[processes]\nslice = 0\nswitch = 1\n", &[a, b]).contains("slice = 0: want more than 0"));
    assert!(wrong("[processes]\n", &[a, b]).contains("want slice = TIME and switch = TIME"));
    assert!(
        wrong("[processes]\nscheduling = \"fair\"\n", &[a, b]).contains("want \"time-slices\" or \"mps\"")
    );
    assert!(wrong("[processes]\nscheduling = \"preemptive\"\n", &[a, b]).contains("want [[task]] tables"));
    assert!(
        wrong("[processes]\nscheduling = \"mps\"\nslice = 1\n", &[a, b])
            .contains("want slice and switch left out")
    );
    assert!(wrong("[processes]\nshares = 2\n", &[a, b]).contains("unknown field `shares`"));
    assert!(
        wrong(slices, &[a, "process = \"b\"\nexecution = 3\ncopy_in = 1\n"])
            .contains("kernel K2: how processes share the copy engine")
    );
    let stream = |process: &str| format!("process = \"{process}\"\nexecution = 3\nstream = \"s\"\n");
    assert!(
        wrong(slices, &[&stream("a"), &stream("b")])
            .contains("its stream is that of K1, which is of another process")
    );
    let code = "[multiprocessor]\ncompute_capability = \"6.2\"\n";
    let code = file(&format!("{code}{slices}"), &[a, "process = \"b\"\ncode = \"LCL\"\n"]);
    assert!(
        read_kernels("f.toml", &code)
            .unwrap_err()
            .to_string()
            .contains("kernel K2: code is not covered where other processes take turns")
    );
    // One process alone, and clients of MPS, are a system like any other.
    assert!(read_system("f.toml", &file(slices, &[a, a])).is_ok_and(|system| system.tasks().len() == 2));
    assert!(read_system("f.toml", &file("[processes]\nscheduling = \"mps\"\n", &[a, b])).is_ok());
    assert!(
        read_system("f.toml", &file(slices, &[a, b]))
            .unwrap_err()
            .to_string()
            .contains("kernels of 2 processes")
    );
}

/// Launches that pile up have no bound, and do not take others' bounds away.
#[test]
fn launches_that_pile_up_have_no_bound() {
    let kernel = |process, period, blocks| Kernel { process, period, blocks, warps: 2, execution: 4 };
    let shared = system(&[kernel(0, 100, 1), kernel(1, 9, 4)], [2, 1]);
    let (verdict, outcomes) = examine(&shared, &limits());
    assert_eq!(verdict, Verdict::Undecided);
    // Two visits, each behind a whole turn: 4 + 2 (2 + 1) + 2.
    assert_eq!(outcomes[0].bound.unwrap().0, 12);
    assert!(matches!(outcomes[1].bound, Err(NoBound::Grows(_) | NoBound::TooMany)), "{outcomes:?}");
    assert_eq!(outcomes[1].meets, DeadlineMet::Unknown);
}
