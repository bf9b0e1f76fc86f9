//! Certificates of response bounds: what they state, and what Coq says of them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{Certificate, Refused, System, bound, executions, read_system};

use super::{accepted, coq_is_here};

const TX2: &str = "[gpu]\npreset = \"jetson-tx2\"\n";

fn system(text: &str) -> System {
    read_system("test", text).unwrap()
}

fn instance(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("instances").join(name);
    system(&std::fs::read_to_string(path).unwrap())
}

fn certified(system: &System) -> Result<Certificate<'_>, Refused> {
    let limits = Limits::generous();
    Certificate::new(system, &executions(system, &limits).unwrap(), &limits)
}

/// The bounds that the program prints where nothing but the equation of the manual stands behind them.
fn bounds(system: &System) -> Vec<Option<Duration>> {
    let limits = Limits::generous();
    let found = bound(system, &executions(system, &limits).unwrap(), &limits);
    found.into_iter().map(|bound| bound.response.ok()).collect()
}

#[test]
fn the_file_states_the_system_and_its_bounds() {
    let copies = instance("tx2-copies.toml");
    let text = certified(&copies).unwrap().coq();
    for line in [
        "   launches are released at whole picoseconds, the first ones at any time;",
        "   launches of a kernel: a period or more apart;",
        "   a block whose C is given: takes no longer while other blocks run, whatever they do;",
        "Definition asked : system := System 2 [2048; 65536; 65536; 32] false [",
        "  (* SFM *) Kernel (Some 33000000) 0 5000000 8 [512; 0; 16384; 1] 0 1000000 500000;",
        "  (* Det *) Kernel (Some 200000000) 0 7000000 16 [512; 0; 16384; 1] 1 2000000 500000",
        // By hand in docs/response-times.md: 27.375 and 35.625 us.
        "Definition bounds : list Z := [27375000; 35625000].",
        "Theorem response_0 : response asked 0 27375000.",
        "Theorem response_1 : response asked 1 35625000.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    let jitter = "[[kernel]]\nname = \"a*)\\\"\"\nperiod = 50\njitter = 3\nblocks = 3\nthreads_per_block = 1000\nregisters_per_thread = 0\nshared_memory = 0\nexecution = 4\n";
    let once = "[[kernel]]\nblocks = 1\nthreads_per_block = 32\nregisters_per_thread = 0\nshared_memory = 0\nexecution = 2\n";
    let text = certified(&system(&format!("{TX2}{jitter}{once}"))).unwrap().coq();
    assert!(text.contains("System 2 [2048; 65536; 65536; 32] true ["), "{text}");
    assert!(text.contains("(* a___ *) Kernel (Some 50) 3 4 3 [1024; 0; 0; 1] 0 0 0;"), "{text}");
    assert!(text.contains("(* K2 *) Kernel None 0 2 1 [32; 0; 0; 1] 1 0 0"), "{text}");
}

/// Streams without kernels have no number in the file: the checker takes none that is as large as that of the kernels.
#[test]
fn streams_are_numbered_in_the_order_of_the_kernels() {
    let stream = |name: &str| format!("[[stream]]\nname = \"{name}\"\n");
    let kernel = |stream: &str| {
        format!(
            "[[kernel]]\nperiod = 100\nblocks = 2\nthreads_per_block = 512\nregisters_per_thread = 0\nshared_memory = 0\nexecution = 4\nstream = \"{stream}\"\n"
        )
    };
    let streams: String = ["a", "b", "c", "d"].into_iter().map(stream).collect();
    let kernels: String = ["d", "b", "d"].into_iter().map(kernel).collect();
    let text = certified(&system(&format!("{TX2}{streams}{kernels}"))).unwrap().coq();
    for (kernel, stream) in [("K1", 0), ("K2", 1), ("K3", 0)] {
        let row = format!("(* {kernel} *) Kernel (Some 100) 0 4 2 [512; 0; 0; 1] {stream} 0 0");
        assert!(text.contains(&row), "{row}: {text}");
    }
    if coq_is_here() {
        assert!(accepted(&text), "{text}");
    }
}

#[test]
fn what_is_outside_is_named() {
    let code = instance("tx2-chain.toml");
    assert_eq!(certified(&code).unwrap_err(), Refused::Code("increment".to_owned()));
    let kernel = "[[kernel]]\nperiod = 1000\nblocks = 1\nthreads_per_block = 32\nexecution = 1\n";
    let many = system(&format!("[gpu]\nmultiprocessors = 2\nthreads = 2048\n{}", kernel.repeat(31)));
    assert_eq!(certified(&many).unwrap_err(), Refused::Kernels(31));
    let full = "[[kernel]]\nperiod = 10\nblocks = 8\nthreads_per_block = 1024\nexecution = 6\n";
    let full = system(&format!("{TX2}{full}"));
    assert_eq!(certified(&full).unwrap_err(), Refused::NoBound("K1".to_owned()));
    let alone = "[[kernel]]\nperiod = 1000\nblocks = 2\nthreads_per_block = 32\nexecution = 6\nmeasured = \"alone\"\n";
    let alone = system(&format!("{TX2}{alone}"));
    assert_eq!(certified(&alone).unwrap_err(), Refused::NotAlone("K1".to_owned()));
    let copies = instance("tx2-copies.toml");
    let (limits, stopped) = (Limits::generous(), Limits::generous());
    stopped.interrupt();
    let found = Certificate::new(&copies, &executions(&copies, &limits).unwrap(), &stopped);
    assert_eq!(found.unwrap_err(), Refused::Stopped);
}

/// Where releases are exact, the certificate does not use it.
#[test]
fn no_bound_uses_exact_releases() {
    let kernel = |release: u64| {
        format!(
            "[[kernel]]\nperiod = 100\nrelease = {release}\nblocks = 5\nthreads_per_block = 1024\nexecution = 7\n"
        )
    };
    let exact = system(&format!("{TX2}{}{}", kernel(0), kernel(50)));
    let any =
        system(&format!("{TX2}{}{}", kernel(0), kernel(50)).replace("release", "sporadic = true\nrelease"));
    let proved = |system: &System| {
        certified(system).unwrap().bounds().iter().map(|&bound| Some(bound)).collect::<Vec<_>>()
    };
    assert_eq!(proved(&exact), proved(&any));
    assert_ne!(proved(&exact), bounds(&exact));
}

/// A system at random, in which each kernel has a bound.
fn random(random: &mut ChaCha8Rng) -> System {
    loop {
        let kernels = random.random_range(1..=4_u64);
        let (copies, streams) = (random.random_bool(0.4), random.random_range(1..=kernels));
        let mut text = format!(
            "[gpu]\nmultiprocessors = {}\nthreads = 1024\nshared_memory = 100\n",
            random.random_range(1..=3)
        );
        let shared = random.random_bool(0.6);
        if shared {
            (0..streams).for_each(|stream| {
                text += &format!("[[stream]]\nname = \"{stream}\"\npriority = {}\n", stream % 2)
            });
        }
        for _ in 0..kernels {
            text += &format!(
                "[[kernel]]\nblocks = {}\nthreads_per_block = {}\nexecution = {}\nshared_memory = {}\n",
                random.random_range(1..=6),
                32 * random.random_range(1..=32),
                random.random_range(1..=9),
                random.random_range(0..=60),
            );
            if random.random_bool(0.8) {
                text += &format!(
                    "period = {}\njitter = {}\n",
                    random.random_range(20..=90),
                    random.random_range(0..=9)
                );
            }
            if copies {
                text += &format!(
                    "copy_in = {}\ncopy_out = {}\n",
                    random.random_range(0..=3),
                    random.random_range(0..=3)
                );
            }
            if shared {
                text += &format!("stream = \"{}\"\n", random.random_range(0..streams));
            }
        }
        let system = system(&text);
        if certified(&system).is_ok() {
            return system;
        }
    }
}

/// Coq accepts the bounds of random systems, one after another in one file.
#[test]
fn coq_accepts_random_systems() {
    if !coq_is_here() {
        return;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let mut text = "From Coq Require Import List ZArith Bool.\nImport ListNotations.\n\
                    From Warpspan.Realtime Require Import Launches Priorities.\n\
                    From Warpspan.Checker Require Import ResponseInput PriorityInput.\nOpen Scope Z_scope.\n"
        .to_owned();
    let mut by_windows = 0;
    for at in 0..80 {
        let system = random(&mut rng);
        let certificate = certified(&system).unwrap().coq();
        let (_, body) = certificate.split_once("Open Scope Z_scope.").unwrap();
        by_windows += usize::from(body.contains("priorities_checked"));
        let body = body.lines().filter(|line| !line.starts_with("Print Assumptions"));
        text += &format!("Module M{at}.\n{}\nEnd M{at}.\n", body.collect::<Vec<_>>().join("\n"));
    }
    assert!((8..70).contains(&by_windows), "{by_windows}");
    assert!(accepted(&text), "{text}");
}

/// What was tampered with is refused: a bound lowered by one, a kernel's bound removed, more blocks, a longer C, a longer jitter.
#[test]
fn coq_refuses_what_was_tampered_with() {
    if !coq_is_here() {
        return;
    }
    let copies = instance("tx2-copies.toml");
    let text = certified(&copies).unwrap().coq();
    assert!(accepted(&text), "{text}");
    for (from, to) in [
        ("27375000", "27374999"),
        ("35625000", "35624999"),
        ("[27375000; 35625000]", "[27375000]"),
        ("5000000 8 [512", "5000000 9 [512"),
        ("0 7000000 16", "0 7000008 16"),
        ("(Some 33000000) 0", "(Some 33000000) 10000000"),
        ("1000000 500000;", "1000001 500000;"),
        ("System 2", "System 1"),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(!accepted(&text.replace(from, to)), "{from}: {to}");
    }
    let claim = "response asked 0 27375000";
    assert!(!accepted(&text.replace(claim, "response asked 0 27374999")));
}

/// Three kernels of one block that fills the only multiprocessor: the hand calculation of `proofs/ExamplePriorities.v`, where a run takes as
/// long. The equation for any order has no bound below 100.
#[test]
fn priorities_lower_bounds() {
    let stream = |at: usize| format!("[[stream]]\nname = \"{at}\"\npriority = {}\n", 2 - at);
    let kernel = |at: usize, period: u64| {
        format!(
            "[[kernel]]\nperiod = {period}\nsporadic = true\nblocks = 1\nthreads_per_block = 1024\nexecution = 2\nstream = \"{at}\"\n"
        )
    };
    let streams: String = (0..3).map(stream).collect();
    let kernels: String = [5, 7, 7].into_iter().enumerate().map(|(at, period)| kernel(at, period)).collect();
    let three = system(&format!("[gpu]\nmultiprocessors = 1\nthreads = 1024\n{streams}{kernels}"));
    let text = certified(&three).unwrap().coq();
    for line in [
        "   a block starts only while every more urgent queue is empty, each queue is first come, first served,",
        "   and a head that finds no room lets no less urgent block pass. *)",
        "Definition bounds : list Z := [4; 6; 7].",
        "Definition priorities : list Z := [(2); (1); (0)].",
        "Definition ways : list (list (list Z)) := [[[]]; [[]]; [[]]].",
        "Theorem response_2 : response_by_priority asked (priority priorities) 2 7.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    if coq_is_here() {
        assert!(accepted(&text), "{text}");
        for (from, to) in [
            ("bounds : list Z := [4; 6; 7]", "bounds : list Z := [3; 6; 7]"),
            ("bounds : list Z := [4; 6; 7]", "bounds : list Z := [4; 5; 7]"),
            ("bounds : list Z := [4; 6; 7]", "bounds : list Z := [4; 6; 6]"),
            ("(Some 5) 0", "(Some 5) 1"),
            ("[(2); (1); (0)]", "[(1); (2); (0)]"),
            ("[[[]]; [[]]; [[]]]", "[[[]]; [[]]; []]"),
            ("0 2 1 [1024", "0 3 1 [1024"),
        ] {
            assert!(text.contains(from), "{from}");
            assert!(!accepted(&text.replace(from, to)), "{from}: {to}");
        }
    }
}

/// In one queue the theorem is that of runs without priorities. The first kernel's launches may be complete only after the next one
/// arrives, so the equation for any order counts two of them before the second kernel, 6 in all. But they cannot both enter its window at
/// once: the second one is released 4 after the first one at the soonest, and enters no sooner than 2 after it.
#[test]
fn windows_lower_bounds_of_one_queue() {
    let kernel = |period: u64, jitter: u64, time: u64| {
        format!(
            "[[kernel]]\nperiod = {period}\njitter = {jitter}\nsporadic = true\nblocks = 1\nthreads_per_block = 1024\nexecution = {time}\n"
        )
    };
    let queue = system(&format!(
        "[gpu]\nmultiprocessors = 1\nthreads = 1024\n{}{}",
        kernel(10, 6, 1),
        kernel(40, 0, 4)
    ));
    let certificate = certified(&queue).unwrap();
    let text = certificate.coq();
    assert_eq!(certificate.bounds(), [Duration(12), Duration(5)], "{text}");
    assert!(text.contains("Theorem response_1 : response asked 1 5."), "{text}");
    if coq_is_here() {
        assert!(accepted(&text), "{text}");
        assert!(!accepted(&text.replace("[12; 5]", "[12; 4]")));
    }
}
