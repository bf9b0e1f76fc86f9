//! Tables of Pa19, the rules of the GPU one by one, and what is refused.

use crate::realtime::gpu;
use std::path::Path;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::limits::{Limits, Stop};
use warpspan::model::time::Duration;
use warpspan::realtime::rta::{
    Analysis, Basis, Breach, Covers, DeadlineMet, Event, Execution, Method, Missing, NoBound, NotAlone,
    Occupation, RunEnd, RunError, System, Verdict, analyse, bound, executions, replay,
};
use warpspan::realtime::rta::{read_examiner, read_system};

fn read(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances").join(name);
    read_system(name, &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn analysed(system: &System, method: Method) -> Analysis {
    let executions = executions(system, &Limits::generous()).unwrap();
    analyse(system, &executions, method, None, &Limits::generous()).unwrap()
}

fn completions(system: &System, method: Method) -> Vec<u64> {
    analysed(system, method).estimates.iter().map(|response| response.unwrap().completion.0).collect()
}

const TX2: &str = "[gpu]\npreset = \"jetson-tx2\"\n";

/// A system of the TX2 with these kernels: lines of TOML each.
/// A table of a kernel: what the lines do not give is 0.
fn kernel(lines: &str) -> String {
    let keys = ["release", "registers_per_thread", "shared_memory"];
    let missing = keys.iter().filter(|key| !lines.contains(*key)).map(|key| format!("{key} = 0\n"));
    format!("[[kernel]]\n{}{lines}\n", missing.collect::<String>())
}

fn tx2(kernels: &[&str]) -> System {
    let kernels: Vec<String> = kernels.iter().map(|lines| kernel(lines)).collect();
    read_system("test", &format!("{TX2}{}", kernels.concat())).unwrap()
}

/// A GPU each of whose two multiprocessors a block of 1024 threads fills.
fn small(kernels: &[&str]) -> System {
    let kernels: Vec<String> = kernels.iter().map(|lines| kernel(lines)).collect();
    read_system("test", &format!("[gpu]\nmultiprocessors = 2\nthreads = 1024\n{}", kernels.concat())).unwrap()
}

#[test]
fn pa19_section_3_6_and_scenarios_of_4_2() {
    for (file, expected) in [
        ("pa19-section-3-6.toml", vec![4, 10, 12, 11]),
        ("pa19-scenario-1.toml", vec![6, 12, 11, 10]),
        ("pa19-scenario-2.toml", vec![6, 11, 10, 12]),
        ("pa19-scenario-3.toml", vec![6, 8, 12, 11]),
        ("pa19-scenario-4.toml", vec![1, 11, 9, 11, 11]),
        ("pa19-scenario-5.toml", [25, 40, 65, 55, 70].map(|tenths| tenths * 100_000_000_000).to_vec()),
        ("pa19-closed-form-16-2.toml", vec![10, 15]),
        ("pa19-closed-form-3-5-4.toml", vec![5, 5, 10]),
    ] {
        let system = read(file);
        for method in [Method::Algorithm2, Method::Simulate] {
            assert_eq!(completions(&system, method), expected, "{file} {method:?}");
        }
        let found = analysed(&system, Method::Algorithm2);
        assert!(found.safe && found.covers == Covers::All, "{file}");
        assert_eq!((found.verdict, found.by), (Verdict::Proved, Some(Basis::Algorithm2)), "{file}");
    }
    for (file, expected) in
        [("pa19-closed-form-16-2.toml", vec![10, 15]), ("pa19-closed-form-3-5-4.toml", vec![5, 5, 10])]
    {
        assert_eq!(completions(&read(file), Method::ClosedForm), expected);
    }
}

#[test]
fn pa19_fig_3_3_release_times() {
    // K4 waits where it is released before room is free, and begins at its release where there is room.
    let with = |release: u64| {
        tx2(&[
            "blocks = 5\nthreads_per_block = 512\nexecution = 4",
            "blocks = 3\nthreads_per_block = 512\nexecution = 7",
            &format!("blocks = 2\nthreads_per_block = 512\nexecution = 3\nrelease = {release}"),
        ])
    };
    assert_eq!(completions(&with(2), Method::Algorithm2), [4, 7, 7]);
    assert_eq!(completions(&with(6), Method::Algorithm2), [4, 7, 9]);
    assert_eq!(completions(&with(6), Method::Simulate), [4, 7, 9]);
}

#[test]
fn x1_only_the_kernel_at_the_head_is_eligible() {
    // Half of each multiprocessor is free: too little for a block of K2, enough for K3, which is behind it.
    let system = small(&[
        "blocks = 2\nthreads_per_block = 512\nexecution = 10",
        "blocks = 1\nthreads_per_block = 1024\nexecution = 5",
        "blocks = 1\nthreads_per_block = 64\nexecution = 1",
    ]);
    assert_eq!(completions(&system, Method::Simulate), [10, 15, 11]);
    // In the same way by Algorithm 2, whose big multiprocessor has room for both: too early, and so not safe.
    let found = analysed(&system, Method::Algorithm2);
    let completions: Vec<u64> =
        found.estimates.iter().map(|response| response.unwrap().completion.0).collect();
    assert_eq!(completions, [10, 5, 6]);
    assert_eq!(found.breaches, [Breach::Sizes("K1".into(), "K2".into())]);
    assert!(!found.safe);
}

#[test]
fn a2_blocks_of_less_urgent_kernels_wait_while_a_more_urgent_queue_is_not_empty() {
    // Amert et al. Fig. 7 in tenths of a second: K3 is urgent and goes before the rest of K1, but not before
    // its blocks end.
    let system = tx2(&[
        "blocks = 8\nthreads_per_block = 1024\nexecution = 5",
        "blocks = 8\nthreads_per_block = 1024\nexecution = 5\nrelease = 2",
        "blocks = 8\nthreads_per_block = 1024\nexecution = 5\nrelease = 3\npriority = 1",
    ]);
    assert_eq!(completions(&system, Method::Simulate), [20, 30, 15]);
    // Blocks of the urgent K2 have no room from 1 to 10; that of K3 has, and waits.
    let system = small(&[
        "blocks = 2\nthreads_per_block = 512\nexecution = 10",
        "blocks = 2\nthreads_per_block = 1024\nexecution = 5\npriority = 7\nrelease = 1",
        "blocks = 1\nthreads_per_block = 32\nexecution = 1\nrelease = 2",
    ]);
    assert_eq!(completions(&system, Method::Simulate), [10, 15, 16]);
}

#[test]
fn r3_shared_memory_limits_blocks() {
    let system = tx2(&["blocks = 4\nthreads_per_block = 32\nexecution = 3\nshared_memory = 40_000"]);
    assert_eq!(completions(&system, Method::Simulate), [6]);
    // 75 registers a thread are given as 80, 2560 a warp: six warps in each quarter of 65536, 24 in all, one
    // block of 16 at a time.
    let registers = "blocks = 4\nthreads_per_block = 512\nexecution = 3\nregisters_per_thread = 75";
    let registers =
        format!("[gpu]\npreset = \"jetson-xavier\"\nmultiprocessors = 2\n[[kernel]]\n{registers}\n");
    let registers = read_system("test", &registers).unwrap();
    assert_eq!(registers.gpu().resources.fits(&registers.tasks()[0].block), 1);
    assert_eq!(completions(&registers, Method::Simulate), [6]);
    let slots = tx2(&["blocks = 65\nthreads_per_block = 32\nexecution = 3"]);
    assert_eq!(completions(&slots, Method::Simulate), [6]);
    assert_eq!(analysed(&slots, Method::Algorithm2).breaches, [Breach::Resources("K1".into(), 32, 64)]);
    assert_eq!(completions(&slots, Method::Algorithm2), [3], "Algorithm 2 knows threads only");
}

/// A Jetson TX2 runs 16 kernels at once (Kr19 section 4.1.3), so the seventeenth waits although there is room for its block.
#[test]
fn more_streams_than_kernels_that_run() {
    let in_streams = |streams: usize| {
        let kernel = |number: usize| {
            format!(
                "blocks = 1\nthreads_per_block = 32\nexecution = 10\nperiod = 15\nstream = \"{}\"",
                number % streams
            )
        };
        let kernels: Vec<String> = (0..17).map(kernel).collect();
        tx2(&kernels.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let found = analysed(&in_streams(17), Method::Simulate);
    assert_eq!(found.verdict, Verdict::Undecided);
    assert!(found.bounds.iter().all(|bound| bound.response == Err(NoBound::TooManyStreams(17, 16))));
    assert!(found.breaches.contains(&Breach::Streams(17, 16)));
    // By the rules alone all of them would run at once, and 16 streams do.
    assert_eq!(completions(&in_streams(17), Method::Simulate), [10; 17]);
    let found = analysed(&in_streams(16), Method::Simulate);
    assert!(found.bounds.iter().all(|bound| bound.response != Err(NoBound::TooManyStreams(16, 16))));
    // Copies make the last kernels late. That refutes where the GPU can have this run, and nothing else.
    let late = "blocks = 1\nthreads_per_block = 32\nexecution = 10\nperiod = 40\ndeadline = 20\ncopy_in = 1";
    assert_eq!(analysed(&tx2(&[late; 16]), Method::Simulate).verdict, Verdict::Refuted);
    assert_eq!(analysed(&tx2(&[late; 17]), Method::Simulate).verdict, Verdict::Undecided);
}

#[test]
fn c3_copies_follow_one_another_and_streams_keep_their_order() {
    // K1 copies 2, runs 4, copies 3; K2 copies from 2 to 4; K3 is behind K1 in its stream.
    let system = tx2(&[
        "blocks = 1\nthreads_per_block = 32\nexecution = 4\ncopy_in = 2\ncopy_out = 3\nstream = \"a\"",
        "blocks = 1\nthreads_per_block = 32\nexecution = 1\ncopy_in = 2\ncopy_out = 4",
        "blocks = 1\nthreads_per_block = 32\nexecution = 1\nstream = \"a\"",
    ]);
    // K2: copy 2..4, kernel 4..5, copy 5..9; K1: copy 0..2, kernel 2..6, copy 9..12; K3: 12..13
    assert_eq!(completions(&system, Method::Simulate), [12, 9, 13]);
}

#[test]
fn half_warps_take_whole_warps() {
    // Pa19 Fig. 2.4: a block of 140 threads takes five warps, 160 threads, so 12 fit where 14 would by
    // threads.
    let system = tx2(&["blocks = 28\nthreads_per_block = 140\nexecution = 2"]);
    assert_eq!(completions(&system, Method::Simulate), [4]);
}

#[test]
fn shorter_blocks_can_make_others_later_where_sizes_differ() {
    // K1 fills one multiprocessor, and K2 shares the other, so that K3 has the first as soon as K1 ends. If
    // K1 ends early, K2 is spread over both, and K3, which needs one for itself, waits for it.
    let with = |c: u64| {
        small(&[
            &format!("blocks = 1\nthreads_per_block = 1024\nexecution = {c}"),
            "blocks = 2\nthreads_per_block = 512\nexecution = 2\nrelease = 1",
            "blocks = 1\nthreads_per_block = 1024\nexecution = 1\nrelease = 1",
        ])
    };
    assert_eq!(completions(&with(2), Method::Simulate), [2, 3, 3]);
    assert_eq!(completions(&with(1), Method::Simulate), [1, 3, 4]);
    let found = analysed(&with(2), Method::Simulate);
    assert!(!found.safe);
    assert!(found.kernels[2].bound.unwrap() >= Duration(3), "from 1 to 4");
}

#[test]
fn all_launches_until_the_state_repeats() {
    // K1 every 4 takes the GPU for 3, K2 every 6 for 1: released together once in 12, where K2 waits for K1.
    let system = small(&[
        "period = 4\nblocks = 2\nthreads_per_block = 1024\nexecution = 3",
        "period = 6\nblocks = 2\nthreads_per_block = 1024\nexecution = 1",
    ]);
    let found = analysed(&system, Method::Algorithm2);
    let worst: Vec<u64> = found.estimates.iter().map(|response| response.unwrap().worst.0).collect();
    assert_eq!(worst, [3, 4]);
    assert_eq!(found.covers, Covers::All);
    assert!(found.verdict == Verdict::Proved && found.safe);
    // at 0: K1 until 3, K2 until 4; at 4: K1 until 7; at 6: K2 from 7; at 8: K1
    assert_eq!(found.estimates[0].unwrap().launches, 3);
}

#[test]
fn an_overload_is_seen_before_anything_is_played() {
    let system = small(&["period = 4\nblocks = 2\nthreads_per_block = 1024\nexecution = 5"]);
    let found = analysed(&system, Method::Algorithm2);
    assert!(found.overloaded && found.verdict == Verdict::Refuted && !found.safe);
    assert!(matches!(found.covers, Covers::Before(_)));
}

#[test]
fn hyperperiods_that_overflow_want_a_horizon() {
    let primes = [1_000_003_u64, 1_000_033, 1_000_037, 1_000_039];
    let kernels: Vec<String> = primes
        .iter()
        .map(|period| format!("period = {period}\nblocks = 1\nthreads_per_block = 32\nexecution = 1"))
        .collect();
    let system = tx2(&kernels.iter().map(String::as_str).collect::<Vec<_>>());
    let executions = executions(&system, &Limits::generous()).unwrap();
    let all = analyse(&system, &executions, Method::Algorithm2, None, &Limits::generous()).unwrap();
    assert_eq!(all.missing, Some(Missing::Run(RunError::Hyperperiod)));
    // Four blocks of a warp: the bounds need no hyperperiod.
    assert_eq!((all.verdict, all.by), (Verdict::Proved, Some(Basis::Bound)));
    let some =
        analyse(&system, &executions, Method::Algorithm2, Some(Duration(5_000_000)), &Limits::generous())
            .unwrap();
    assert_eq!(some.estimates[0].unwrap().launches, 5);
    assert!(!some.safe);
}

#[test]
fn c_of_a_string_is_the_upper_end_for_the_warps_of_a_multiprocessor() {
    // 2048 threads of 512: four blocks of 16 warps, of which the kernel has three: 48 warps, 5 + 47 * 4 = 193
    // cycles (Be12's LLCLL at sigma 1, exact).
    let text = "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[[kernel]]\nblocks = 3\nthreads_per_block = 512\nregisters_per_thread = 0\nshared_memory = 0\ncode = \"LLCLL\"\n";
    let system = read_system("test", text).unwrap();
    let found = executions(&system, &Limits::generous()).unwrap();
    assert_eq!(found[0].time, Duration(193));
    // a block of its own: 5 + 15 * 4
    assert_eq!(found[0].solved.as_ref().unwrap().serial, Duration(65));
    let analysis = analysed(&system, Method::Algorithm2);
    assert!(analysis.not_alone.is_empty() && analysis.safe);
}

#[test]
fn co_runners_are_noticed() {
    let head = "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n";
    let kernel = |blocks: u64| {
        format!(
            "[[kernel]]\nblocks = {blocks}\nthreads_per_block = 512\nregisters_per_thread = 0\nshared_memory = 0\ncode = \"LLCLL\"\n"
        )
    };
    let two = read_system("test", &format!("{head}{}{}", kernel(2), kernel(2))).unwrap();
    let found = analysed(&two, Method::Algorithm2);
    assert_eq!(
        found.not_alone,
        [NotAlone::Beside { task: 0, beside: 1 }, NotAlone::Beside { task: 1, beside: 0 }]
    );
    assert!(!found.safe && found.kernels.iter().all(|kernel| kernel.bound.is_some()));
    // One block each: the simulator puts them on two multiprocessors, and the GPU may put both on one.
    let apart = analysed(
        &read_system("test", &format!("{head}{}{}", kernel(1), kernel(1))).unwrap(),
        Method::Algorithm2,
    );
    assert_eq!(apart.not_alone.len(), 2);
    assert!(
        !apart.safe
            && apart.kernels.iter().all(|kernel| kernel.bound > Some(apart.estimates[0].unwrap().worst))
    );
    let many = read_system("test", &format!("{head}{}", kernel(9))).unwrap();
    assert_eq!(analysed(&many, Method::Algorithm2).not_alone, [NotAlone::Waited { task: 0 }]);
}

#[test]
fn two_rounds_of_the_exact_worst_case_are_too_short() {
    // LCL in blocks of a warp, two at a time on one multiprocessor: T(2) = 4, four blocks can take 9 cycles
    // (exhaustive search over all schedules in which a block follows as soon as one ends). Two rounds of C
    // are 8; the bound is not below 9.
    let text = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 64\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[[kernel]]\nblocks = 4\nthreads_per_block = 32\ncode = \"LCL\"\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Algorithm2);
    assert_eq!(found.estimates[0].unwrap().completion, Duration(8));
    assert!(!found.safe);
    assert!(found.kernels[0].bound.unwrap() >= Duration(9));
}

/// One slot. K1 takes 4 of every 6, K2 2 at first, K3 3 from 6 on. K1 completes at 6 for the first time, just
/// as its next launch comes, together with K3: if the release comes before the completion, K3 goes first, and
/// K1 takes until 13.
#[test]
fn a_release_may_come_before_a_completion_at_the_same_time() {
    let text = "[gpu]\nmultiprocessors = 1\nthreads = 32\n\
        [[kernel]]\nperiod = 60\nrelease = 0\nblocks = 1\nthreads_per_block = 32\nexecution = 2\n\
        [[kernel]]\nperiod = 6\nrelease = 0\nblocks = 1\nthreads_per_block = 32\nexecution = 4\n\
        [[kernel]]\nperiod = 60\nrelease = 6\nblocks = 1\nthreads_per_block = 32\nexecution = 3\n";
    let system = read_system("test", text).unwrap();
    let found = analysed(&system, Method::Algorithm2);
    assert_eq!(found.estimates[1].unwrap().worst, Duration(6), "completions first");
    let times = [Duration(2), Duration(4), Duration(3)];
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut freedom = gpu::Freedom { releases_first: true, ..gpu::Freedom::none(&mut rng) };
    assert!(gpu::play(&system, &times, 30, &mut freedom)[1].contains(&(6, 13)), "releases first");
    assert!(!found.safe && found.kernels[1].meets == DeadlineMet::Unknown);
    assert_eq!(found.breaches, [Breach::Stream("K2".into())]);
}

/// Four slots. K1 takes the whole period of 12, so that each of its launches comes as the one before it
/// completes: at the end of a hyperperiod the GPU is idle as it was in the beginning, and yet the order
/// counts.
#[test]
fn a_release_may_come_before_a_completion_at_the_end_of_a_hyperperiod() {
    let text = "[gpu]\nmultiprocessors = 1\nthreads = 128\n\
        [[kernel]]\nperiod = 12\nblocks = 5\nthreads_per_block = 32\nexecution = 6\n\
        [[kernel]]\nperiod = 12\nblocks = 4\nthreads_per_block = 32\nexecution = 1\n";
    let system = read_system("test", text).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut freedom = gpu::Freedom { releases_first: true, ..gpu::Freedom::none(&mut rng) };
    let launches = gpu::play(&system, &[Duration(6), Duration(1)], 13, &mut freedom);
    assert!(launches[0].contains(&(12, 25)), "the second launch of K2 is ahead: {launches:?}");
    assert!(!analysed(&system, Method::Algorithm2).safe);
}

/// The same alone: whoever comes first, nobody else is in the queue.
#[test]
fn a_gpu_that_is_always_busy_with_one_kernel_is_proved() {
    let system = tx2(&["period = 4\nblocks = 8\nthreads_per_block = 512\nexecution = 4"]);
    let found = analysed(&system, Method::Algorithm2);
    assert_eq!((found.verdict, found.by), (Verdict::Proved, Some(Basis::Algorithm2)));
}

/// Kernels of the TX2 that copy: SFM every `period`, Det every 200.
fn copying(period: u64) -> System {
    let text = format!(
        "unit = \"us\"\n{TX2}[[kernel]]\nname = \"SFM\"\nperiod = {period}\nblocks = 8\nthreads_per_block = 512\nregisters_per_thread = 0\nshared_memory = 0\n\
         execution = 5\ncopy_in = 1\ncopy_out = 0.5\n[[kernel]]\nname = \"Det\"\nperiod = 200\nblocks = 16\n\
         threads_per_block = 512\nregisters_per_thread = 0\nshared_memory = 0\nexecution = 7\ncopy_in = 2\ncopy_out = 0.5\n"
    );
    read_system("test", &text).unwrap()
}

/// By hand: w = 512 / 2048. SFM: 1.5 + 5 of its own, 2.5 of copies, (8 * 5 - 5 + 16 * 7) / 4 / 2 of waits.
/// Det, in whose window of 63 there are two launches of SFM: 2.5 + 7, 2 * 1.5, (16 * 7 - 7 + 2 * 8 * 5) / 4 /
/// 2. Launches of Det 200 apart do not fit into it.
#[test]
fn launches_are_counted_over_the_whole_window() {
    let of = |system: &System| -> Vec<String> {
        let found = bound(system, &executions(system, &Limits::generous()).unwrap(), &Limits::generous());
        found.iter().map(|bound| system.unit().write(bound.response.unwrap())).collect()
    };
    let bounds = |period: u64| of(&copying(period));
    assert_eq!(bounds(33), ["27.375", "35.625"]);
    assert_eq!(bounds(50), ["27.375", "35.625"]);
    // Of launches exactly 50 and 200 apart, one of SFM comes with each of Det and the next ones 50 from it.
    let (gpu, mut tasks) = (copying(50), copying(50).tasks().to_vec());
    tasks.iter_mut().for_each(|task| task.fixed = true);
    let fixed = System::new(gpu.gpu().clone(), gpu.unit(), gpu.streams().to_vec(), tasks).unwrap();
    assert_eq!(of(&fixed), ["27.375", "29.125"]);
    // Two launches of SFM are no longer in the window of 57.
    assert_eq!(bounds(60), ["27.375", "29.125"]);
    assert_eq!(analysed(&copying(33), Method::Algorithm2).verdict, Verdict::Proved);
}

/// A kernel whose bound exceeds its period, and one that is late for certain, leave the others theirs.
#[test]
fn a_late_kernel_leaves_the_others_their_bounds() {
    let found = analysed(&copying(22), Method::Algorithm2);
    let (sfm, det) = (found.kernels[0], found.kernels[1]);
    assert!(sfm.meets == DeadlineMet::Unknown && sfm.bound.unwrap() > Duration(22_000_000));
    assert!(det.meets == DeadlineMet::Yes && det.bound.is_some());
    assert_eq!(found.verdict, Verdict::Undecided);

    // K1 takes half of the GPU all the time and more. K2 has the rest, but the blocks of K1 come before it
    // once.
    let system = tx2(&[
        "period = 10\nblocks = 4\nthreads_per_block = 512\nexecution = 1000",
        "period = 100\nblocks = 4\nthreads_per_block = 512\nexecution = 7",
    ]);
    let found = analysed(&system, Method::Algorithm2);
    assert!(matches!(found.bounds[0].response, Err(NoBound::Grows(_))));
    assert_eq!(found.bounds[0].most, Some((0, 99)), "of itself");
    assert_eq!((found.kernels[0].meets, found.kernels[1].meets), (DeadlineMet::No, DeadlineMet::Yes));
    assert_eq!((found.verdict, found.by), (Verdict::Refuted, Some(Basis::Schedule)));
    // If it can fill the GPU it can keep the others out for ever.
    let system = tx2(&[
        "period = 10\nblocks = 8\nthreads_per_block = 512\nexecution = 1000",
        "period = 100\nblocks = 4\nthreads_per_block = 512\nexecution = 7",
    ]);
    let found = analysed(&system, Method::Algorithm2);
    assert!(found.kernels[1].bound.is_none());
    assert_eq!(found.bounds[1].most, Some((0, 99)), "of K1");
}

/// An overload: K2 is launched again and again while its first launch runs. Both methods see what they see of
/// it, and agree.
#[test]
fn an_overload_is_no_disagreement() {
    let system = tx2(&[
        "period = 20\nblocks = 3\nthreads_per_block = 512\nexecution = 5",
        "period = 20\nblocks = 5\nthreads_per_block = 512\nexecution = 100000000",
        "period = 20\nblocks = 4\nthreads_per_block = 512\nexecution = 5",
    ]);
    for method in [Method::Algorithm2, Method::Simulate] {
        let found = analysed(&system, method);
        assert_eq!((found.verdict, found.kernels[1].meets), (Verdict::Refuted, DeadlineMet::No));
    }
}

/// A launch every tick, each a billion long: what is proved does not wait for them, and limits hold.
#[test]
fn launches_that_pile_up_stop_at_the_limits() {
    let system = tx2(&["period = 1\nblocks = 1\nthreads_per_block = 32\nexecution = 1000000000"]);
    let found = analysed(&system, Method::Simulate);
    assert_eq!((found.verdict, found.by), (Verdict::Refuted, Some(Basis::LeastResponse)));
    assert_eq!((found.cut, found.stop), (Some(RunEnd::Launches), None));
    let mut small = Limits::generous();
    small.memory = 1 << 20;
    let executions = executions(&system, &small).unwrap();
    let found = analyse(&system, &executions, Method::Simulate, None, &small).unwrap();
    assert_eq!(found.stop, Some(Stop::MemoryLimit));
    assert_eq!(found.missing, Some(Missing::Stopped(Stop::MemoryLimit)));
    assert_eq!(found.estimates, [None]);
}

/// The simulator gives up in the middle of a hyperperiod, as launches pile up slowly. Such a run has no state
/// at the end of it.
#[test]
fn a_run_that_is_cut_before_the_end_of_a_hyperperiod_is_judged_all_the_same() {
    let one = |lines: &str| format!("[[kernel]]\nblocks = 1\nthreads_per_block = 1024\n{lines}\n");
    let text = format!(
        "[gpu]\nmultiprocessors = 1\nthreads = 1024\n{}{}{}",
        one("execution = 1\nperiod = 26"),
        one("execution = 1\nperiod = 199"),
        one("execution = 2\nperiod = 5\ncopy_in = 2\ncopy_out = 1")
    );
    let found = analysed(&read_system("test", &text).unwrap(), Method::Simulate);
    assert_eq!(found.verdict, Verdict::Refuted);
}

/// Registers lie in four parts. A block of K1 on each multiprocessor, five warps of 4352, leaves room for
/// three warps of 8192 of K2, while the sum of what is free would do for its four: K2 may have to wait for
/// K1.
#[test]
fn registers_that_are_left_over_in_parts_are_no_room() {
    let text = "[gpu]\npreset = \"jetson-tx2\"\n\
        [[kernel]]\nperiod = 1000\nblocks = 2\nthreads_per_block = 160\nregisters_per_thread = 136\nexecution = 100\n\
        [[kernel]]\nperiod = 1000\ndeadline = 50\nblocks = 1\nthreads_per_block = 128\nregisters_per_thread = 255\n\
        execution = 1\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Algorithm2);
    assert_eq!(found.verdict, Verdict::Undecided);
    assert!(found.kernels[1].bound >= Some(Duration(101)), "{:?}", found.kernels[1]);
}

/// Of 16384 registers two warps of 5632 leave 5120: always enough for the warp of K2. The simulator, for
/// which registers add up, has none left; that is no run of the GPU and refutes nothing.
#[test]
fn a_run_in_which_registers_do_not_add_up_refutes_nothing() {
    let text = "[gpu]\npreset = \"jetson-tx2\"\n\
        [[kernel]]\nperiod = 1000\nblocks = 4\nthreads_per_block = 128\nregisters_per_thread = 176\nshared_memory = 0\nexecution = 100\n\
        [[kernel]]\nperiod = 1000\ndeadline = 50\nblocks = 1\nthreads_per_block = 32\nregisters_per_thread = 8\nshared_memory = 0\nexecution = 1\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Simulate);
    assert_eq!(found.estimates[1].unwrap().worst, Duration(101));
    assert_eq!((found.verdict, found.kernels[1].meets), (Verdict::Undecided, DeadlineMet::Unknown));
}

/// Where registers do not matter, since threads run out first, runs refute as ever.
#[test]
fn few_registers_of_different_sizes_do_not_matter() {
    let text = "[gpu]\npreset = \"jetson-tx2\"\n\
        [[kernel]]\nperiod = 1000\nblocks = 8\nthreads_per_block = 512\nregisters_per_thread = 32\nshared_memory = 0\nexecution = 100\n\
        [[kernel]]\nperiod = 1000\ndeadline = 50\nblocks = 1\nthreads_per_block = 512\nregisters_per_thread = 8\nshared_memory = 0\nexecution = 1\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Algorithm2);
    assert_eq!((found.verdict, found.by), (Verdict::Refuted, Some(Basis::Schedule)));
}

/// The load/store units of 8.7 are 16 to 32. What makes bounds longer makes no lower end: 32 warps of LL take
/// 128 cycles on 16 of them, but 64 on 32, so a deadline of 100 cycles is not missed for certain.
#[test]
fn units_that_are_open_refute_at_their_most() {
    let with = |deadline: &str| {
        let text = format!(
            "unit = \"us\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n[[kernel]]\nperiod = 1000\n\
             deadline = {deadline}\nblocks = 1\nthreads_per_block = 1024\ncode = \"LL\"\n"
        );
        analysed(&read_system("test", &text).unwrap(), Method::Algorithm2).verdict
    };
    assert_eq!(with("0.1"), Verdict::Undecided);
    assert_eq!(with("0.06"), Verdict::Refuted);
    assert_eq!(with("0.2"), Verdict::Proved);
}

/// Launches of K1 take longer than their period, one after the other in their stream: the threads that are
/// free all the time do not help them.
#[test]
fn a_stream_whose_launches_pile_up_is_not_proved() {
    let text = "[gpu]\nmultiprocessors = 2\nthreads = 1024\n\
        [[kernel]]\nrelease = 2\nperiod = 14\ndeadline = 17\nblocks = 2\nthreads_per_block = 512\nexecution = 16\n\
        [[kernel]]\nblocks = 2\nthreads_per_block = 512\nexecution = 4\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Algorithm2);
    assert_ne!(found.verdict, Verdict::Proved);
}

/// C of a string is an upper end, which no run need take: a miss in a run with it refutes nothing. What its
/// fullest unit needs does.
#[test]
fn strings_are_refuted_by_what_they_need_only() {
    let with = |deadline: u64| {
        let text = format!(
            "unit = \"cycles\"\n{TX2}[[kernel]]\nblocks = 16\nthreads_per_block = 1024\ndeadline = {deadline}\n\
             code = \"LC\"\n"
        );
        analysed(&read_system("test", &text).unwrap(), Method::Algorithm2)
    };
    // 32 warps of LC take 32 cycles at least, and the GPU holds four of such blocks at once.
    let late = with(127);
    assert_eq!((late.verdict, late.by), (Verdict::Refuted, Some(Basis::LeastResponse)));
    let perhaps = with(129);
    assert!(perhaps.estimates[0].unwrap().worst > Duration(129));
    assert_eq!((perhaps.verdict, perhaps.kernels[0].meets), (Verdict::Undecided, DeadlineMet::Unknown));
}

#[test]
fn the_judge_refuses_what_breaks_a_rule() {
    let system = read("pa19-section-3-6.toml");
    let executions = executions(&system, &Limits::generous()).unwrap();
    let times: Vec<Duration> = executions.iter().map(|execution| execution.time).collect();
    let events = analysed(&system, Method::Simulate).events.unwrap();
    assert_eq!(replay(&system, &times, &events), Ok(()));
    let places: Vec<usize> = (0..events.len()).filter(|&at| matches!(events[at], Event::Placed(_))).collect();
    let with = |at: usize, change: &dyn Fn(&mut warpspan::realtime::rta::Occupation)| {
        let mut events = events.clone();
        if let Event::Placed(placed) = &mut events[at] {
            change(placed);
        }
        replay(&system, &times, &events)
    };
    for &at in &places {
        assert!(with(at, &|placed| placed.start = placed.start + Duration(1)).is_err(), "later {at}");
        assert!(with(at, &|placed| placed.blocks += 1).is_err(), "more {at}");
        assert!(
            with(at, &|placed| placed.multiprocessor = 1 - placed.multiprocessor).is_err(),
            "elsewhere {at}"
        );
    }
    let mut fewer = events.clone();
    fewer.remove(places[3]);
    assert!(replay(&system, &times, &fewer).is_err());
}

#[test]
fn the_examiner_is_imported() {
    let spin = |label: &str, blocks: u64, seconds: u64| {
        format!(
            "{{\"filename\": \"./bin/timer_spin.so\", \"log_name\": \"{label}.json\", \"label\": \"{label}\", \"thread_count\": 512, \
             \"block_count\": {blocks}, \"additional_info\": {}}}",
            seconds * 1_000_000_000
        )
    };
    let all = [spin("K2", 7, 6), spin("K3", 2, 6), spin("K4", 5, 5), spin("K1", 2, 4)].join(",");
    let text = format!(
        "{{\"name\": \"scenario 1\", \"max_iterations\": 1, \"max_time\": 0, \"benchmarks\": [{all}]}}"
    );
    let system = read_examiner("scenario.json", &text).unwrap();
    let seconds: Vec<u64> =
        completions(&system, Method::Algorithm2).iter().map(|time| time / 1_000_000_000_000).collect();
    assert_eq!(seconds, [6, 12, 11, 10]);

    let several = "{\"max_iterations\": 1, \"benchmarks\": [{\"filename\": \"multikernel.so\", \"thread_count\": 0, \"block_count\": 0, \
        \"stream_priority\": -1, \"release_time\": 0.5, \"additional_info\": [\
        {\"kernel_label\": \"A\", \"duration\": 1000, \"block_count\": 4, \"thread_count\": [32, 32]}, \
        {\"kernel_label\": \"B\", \"duration\": 500, \"block_count\": 1, \"thread_count\": 32, \"delay\": 0.25}]}]}";
    let system = read_examiner("several.json", several).unwrap();
    assert_eq!(system.streams().len(), 1);
    assert_eq!(system.streams()[0].priority, 1);
    assert_eq!(system.tasks()[0].threads, 1024);
    assert_eq!(system.unit().write(system.tasks()[1].release), "750000000");
    let wrong = |text: &str| read_examiner("f.json", text).unwrap_err().to_string();
    let copies = several.replace("\"delay\": 0.25", "\"copy_in_count\": 7");
    assert!(wrong(&copies).contains("copies are given in bytes"));
    assert!(wrong("{\"max_iterations\": 1, \"benchmarks\": [").starts_with("f.json:1: "));
    let mandelbrot = "{\"max_iterations\": 1, \"benchmarks\": [{\"filename\": \"mandelbrot.so\"}]}";
    assert!(
        wrong(mandelbrot).contains("C is known only of timer_spin, sharedmem_timer_spin and multikernel")
    );
    // A key that changes what is launched is refused, and so is one that nobody knows.
    let with = |from: &str, to: &str| {
        assert!(several.contains(from), "{from}");
        wrong(&several.replacen(from, to, 1))
    };
    for (to, message) in [
        ("\"max_iterations\": 3", "f.json: max_iterations = 3: only the first launch"),
        ("\"max_iterations\": 0", "f.json: max_iterations = 0: only the first launch"),
        (
            "\"use_processes\": false",
            "f.json: benchmark 1 (benchmark 1): no max_iterations: only the first launch",
        ),
        ("\"iterations\": 1", "f.json:1: unknown field `iterations`"),
    ] {
        let found = with("\"max_iterations\": 1", to);
        assert!(found.starts_with(message), "{found}");
    }
    for (from, number) in [("[32, 32]", "thread_count"), ("4, \"thread", "block_count")] {
        let to = from.replace("[32, 32]", "99999999999999999999").replace('4', "99999999999999999999");
        let found = with(from, &to);
        assert!(
            found.contains(&format!("{number} = 1e+20: want a whole number, 1 to 1099511627776")),
            "{found}"
        );
    }
    for (key, message) in [
        ("\"max_iterations\": 2", "benchmark 1 (benchmark 1): max_iterations = 2: only the first launch"),
        (
            "\"sm_mask\": \"0xf\"",
            "benchmark 1 (benchmark 1): sm_mask = \"0xf\": it leaves none of the 2 TPCs of a Jetson TX2",
        ),
        (
            "\"sm_mask\": \"~0xaaaaaaaaaaaaaaa8\"",
            "it leaves none of the 2 TPCs of a Jetson TX2, of 1 multiprocessor",
        ),
        ("\"sm_mask\": \"0x10000000000000000\"", "want a number in hexadecimal"),
        ("\"sm_mask\": \"all\"", "sm_mask = \"all\": want a number in hexadecimal"),
        (
            "\"mps_thread_percentage\": 50",
            "mps_thread_percentage = 50: a share is a limit, so blocks may wait while multiprocessors are free",
        ),
        ("\"release_time\": -0.5", "a time of -0.5 seconds: want a number, 0 or more"),
        ("\"stream_priorities\": 1", "unknown field `stream_priorities`"),
    ] {
        let found = if key.contains("release_time") {
            with("\"release_time\": 0.5", key)
        } else {
            with("\"thread_count\": 0", &format!("{key}, \"thread_count\": 0"))
        };
        assert!(found.contains(message), "{found}");
    }
    let part = with("\"duration\": 500", "\"duration\": 500, \"sm_mask\": \"0xfffffffffffffffe\"");
    let different = "f.json: benchmark 1 (benchmark 1): sm_mask: it leaves B the TPCs 0, and A has 0, 1: the rules do not say";
    assert!(part.starts_with(different), "{part}");
    let two = format!("{{\"max_iterations\": 1, \"use_processes\": true, \"benchmarks\": [{all}]}}");
    assert_eq!(
        wrong(&two),
        "f.json: kernels of 4 processes, which take turns on the GPU: want those of one process"
    );
    for idle in [
        "\"sm_mask\": \"0x0\"",
        "\"sm_mask\": \"0xaaaaaaaaaaaaaaa0\"",
        "\"mps_thread_percentage\": 100",
        "\"max_iterations\": 1",
        "\"cpu_core\": 3",
    ] {
        let same = several.replacen("\"thread_count\": 0", &format!("{idle}, \"thread_count\": 0"), 1);
        assert_eq!(read_examiner("f.json", &same).unwrap(), system, "{idle}");
    }
    let null_stream =
        "{\"max_iterations\": 1, \"benchmarks\": [{\"filename\": \"./bin/timer_spin_default_stream.so\"}]}";
    assert!(wrong(null_stream).contains("it launches into the NULL stream, which is not covered"));
    assert_eq!(wrong("{\"benchmarks\": []}"), "f.json: no kernel is given: want a [[kernel]] table");
}

/// The examiner counts shared memory in integers of 32 bits: 10240 of them are 40 KiB, so that one block and no more is on a
/// multiprocessor of the Jetson TX2 with its 64 KiB at a time, and four blocks of 128 threads take two rounds on two.
#[test]
fn shared_memory_of_the_examiner_counts_integers() {
    let spin = |info: &str| {
        format!(
            "{{\"max_iterations\": 1, \"benchmarks\": [{{\"filename\": \"./bin/sharedmem_timer_spin.so\", \"thread_count\": 128, \"block_count\": 4, \"additional_info\": {info}}}]}}"
        )
    };
    let multikernel = "{\"max_iterations\": 1, \"benchmarks\": [{\"filename\": \"multikernel.so\", \"additional_info\": [{\"duration\": 1000, \"thread_count\": 128, \
                       \"block_count\": 4, \"shared_memory_size\": 10240}]}]}";
    for text in [&spin("{\"duration\": 1000, \"shared_memory_size\": 10240}"), multikernel] {
        let system = read_examiner("f.json", text).unwrap();
        assert_eq!(system.tasks()[0].block.shared_memory, 40 << 10);
        assert_eq!(completions(&system, Method::Simulate), [2_000_000], "{text}");
        let found = bound(&system, &executions(&system, &Limits::generous()).unwrap(), &Limits::generous());
        assert!(found[0].response.unwrap() >= Duration(2_000_000));
    }
    let wrong = |info: &str| read_examiner("f.json", &spin(info)).unwrap_err().to_string();
    assert!(wrong("{\"duration\": 1000}").contains("additional_info: missing field `shared_memory_size`"));
    assert!(
        wrong("{\"duration\": 1000, \"shared_memory_size\": 262145}")
            .contains("want 262144 or less, in integers of 32 bits")
    );
    assert!(wrong("500").contains("additional_info: "), "{}", wrong("500"));
}

/// What the examiner is told in comments changes nothing, however many there are; of other keys there is one.
#[test]
fn comments_of_the_examiner_may_be_repeated() {
    let text = |more: &str| {
        format!(
            "{{{more}\"benchmarks\": [{{{more}\"max_iterations\": 1, \"filename\": \"timer_spin.so\", \"thread_count\": 32, \"block_count\": 1, \"additional_info\": 5}}]}}"
        )
    };
    let plain = read_examiner("f.json", &text("")).unwrap();
    let comments = "\"comment\": \"a\",\n\"comment\": [\"b\", {\"comment\": 3}],";
    assert_eq!(read_examiner("f.json", &text(comments)).unwrap(), plain);
    let twice = read_examiner("f.json", &text("\"max_iterations\": 1,\n\"max_iterations\": 1,")).unwrap_err();
    assert_eq!(
        twice.to_string(),
        "f.json:2: duplicate field `max_iterations`: want a configuration of the CUDA scheduling examiner"
    );
    let large = read_examiner(
        "f.json",
        &text("\n\"max_time\": 1,")
            .replace("\"thread_count\"", "\n\"stream_priority\": 99999999999999999999, \"thread_count\""),
    )
    .unwrap_err();
    assert_eq!(
        large.to_string(),
        "f.json:4: stream_priority = 99999999999999999999: want a whole number, 9223372036854775807 or less"
    );
}

/// A mask of the examiner disables TPCs by set bits, and enables them by set bits after `~`. Eight blocks of 1024 threads:
/// two at once on a multiprocessor of the Jetson TX2, so four rounds on one and two rounds on both.
#[test]
fn masks_of_the_examiner() {
    let kernel = |mask: Option<&str>| {
        let mask = mask.map_or_else(String::new, |mask| format!(", \"sm_mask\": \"{mask}\""));
        format!("{{\"duration\": 250000000, \"thread_count\": 1024, \"block_count\": 8{mask}}}")
    };
    let read = |of_benchmark: Option<&str>, masks: &[Option<&str>]| {
        let mask = of_benchmark.map_or_else(String::new, |mask| format!(", \"sm_mask\": \"{mask}\""));
        let kernels: Vec<String> = masks.iter().map(|&mask| kernel(mask)).collect();
        let text = format!(
            "{{\"max_iterations\": 1, \"benchmarks\": [{{\"filename\": \"multikernel.so\"{mask}, \"additional_info\": [{}]}}]}}",
            kernels.join(", ")
        );
        read_examiner("f.json", &text)
    };
    let time = |of_benchmark, mask| {
        let system = read(of_benchmark, &[mask]).unwrap();
        let times: Vec<u64> =
            completions(&system, Method::Simulate).iter().map(|time| time / 1_000_000_000).collect();
        (system.gpu().multiprocessors, times[0])
    };
    let (one, both) = ((1, 1000), (2, 500));
    for (of_benchmark, mask, expected) in [
        (None, None, both),
        (None, Some("0xfffffffffffffffe"), one),
        (None, Some("fffffffffffffffe"), one),
        (None, Some("~0x1"), one),
        (None, Some("~0x2"), one),
        (None, Some("0x1"), one),
        (None, Some("~0x3"), both),
        (None, Some("0xfffffffffffffffc"), both),
        (Some("0x1"), None, one),
        (Some("0x1"), Some("0x0"), one), // no bit of its own: that of the benchmark
        (Some("0x1"), Some("~0x3"), both),
        (Some("0x3"), Some("0x1"), one),
    ] {
        assert_eq!(time(of_benchmark, mask), expected, "{of_benchmark:?} {mask:?}");
    }
    // Masks are the same if what they leave is.
    let same = read(None, &[Some("0x2"), Some("~0x1"), Some("0xfffffffffffffffe")]).unwrap();
    assert_eq!(same.gpu().multiprocessors, 1);
    let said = "all kernels run on: TPC 0 of a Jetson TX2 alone, each of 1 multiprocessor";
    assert_eq!(same.rests().on.last().map(ToString::to_string).as_deref(), Some(said));
    let other = read(None, &[Some("0x2"), Some("0x1")]).unwrap_err().to_string();
    assert!(
        other.contains("sm_mask: it leaves K2 the TPCs 1, and K1 has 0: the rules do not say how launches"),
        "{other}"
    );
    let none = read(Some("0x3"), &[None]).unwrap_err().to_string();
    assert!(none.contains("sm_mask = \"0x3\": it leaves none of the 2 TPCs"), "{none}");
}

/// What callers hand in may not fit together; it is refused, and nothing panics.
#[test]
fn what_is_not_of_the_system_is_refused() {
    let system = small(&["blocks = 2\nthreads_per_block = 512\nexecution = 4"]);
    let known = executions(&system, &Limits::generous()).unwrap();
    let analyse = |known: &[Execution]| analyse(&system, known, Method::Simulate, None, &Limits::generous());
    let twice = [known.clone(), known.clone()].concat();
    let wrong = analyse(&twice).unwrap_err().to_string();
    assert_eq!(wrong, "2 execution times for 1 kernels: want one for each");
    assert!(analyse(&[]).is_err());
    let instant = Execution { time: Duration(0), solved: None };
    assert_eq!(analyse(&[instant]).unwrap_err().to_string(), "an execution time of 0: want more than 0");
    assert_eq!(bound(&system, &twice, &Limits::generous())[0].response, Err(NoBound::Executions));

    let events = analyse(&known).unwrap().events.unwrap();
    assert_eq!(replay(&system, &[Duration(4)], &events), Ok(()));
    assert_eq!(replay(&system, &[], &events), Err("0 execution times for 1 kernels".to_owned()));
    let of_another = |change: fn(&mut Occupation)| {
        let change = |event: &Event| match *event {
            Event::Placed(mut placed) => {
                change(&mut placed);
                Event::Placed(placed)
            }
            other => other,
        };
        let events: Vec<Event> = events.iter().map(change).collect();
        replay(&system, &[Duration(4)], &events).unwrap_err()
    };
    assert_eq!(of_another(|placed| placed.job.task = 7), "there is no kernel 8");
    assert_eq!(of_another(|placed| placed.multiprocessor = 9), "there is no multiprocessor 10");
    of_another(|placed| placed.rounds = u64::MAX);
    of_another(|placed| placed.start = Duration(u64::MAX));
}

/// Releases of one instant come in the order of the file. But here B, which is first in it, waits for A of its stream, which
/// may end at just that instant, before B or J is released or after it. So J may be ahead: B takes up to 5 + 1.
#[test]
fn the_order_of_the_file_counts_only_where_nothing_ends_at_a_release() {
    let kernel = |name: &str, execution: u64, release: u64, stream: &str| {
        format!(
            "[[kernel]]\nname = \"{name}\"\nperiod = 100\nblocks = 1\nthreads_per_block = 32\n\
             execution = {execution}\nrelease = {release}\nstream = \"{stream}\"\n"
        )
    };
    let (a, b, j) = (kernel("A", 2, 0, "s"), kernel("B", 1, 2, "s"), kernel("J", 5, 2, "t"));
    let text = format!("[gpu]\nmultiprocessors = 1\nthreads = 32\n{a}{b}{j}");
    let system = read_system("s.toml", &text).unwrap();
    let found = bound(&system, &executions(&system, &Limits::generous()).unwrap(), &Limits::generous());
    assert_eq!(found[1].response, Ok(Duration(6)));
}
