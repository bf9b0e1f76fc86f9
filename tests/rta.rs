//! Tables of Pa19, the rules of the GPU one by one, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use warpspan::input::{read_examiner, read_system};
use warpspan::limits::Limits;
use warpspan::rta::{
    Analysis, AnalysisError, Breach, Company, CourseError, Covers, Event, Method, System, Time, analyse,
    executions, replay,
};

fn read(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances").join(name);
    read_system(name, &std::fs::read_to_string(path).unwrap()).unwrap()
}

fn analysed(system: &System, method: Method) -> Analysis {
    let executions = executions(system, &Limits::generous()).unwrap();
    analyse(system, &executions, method, None, &Limits::generous()).unwrap()
}

fn completions(system: &System, method: Method) -> Vec<u64> {
    analysed(system, method).responses.iter().map(|response| response.unwrap().completion.0).collect()
}

const TX2: &str = "[gpu]\npreset = \"jetson-tx2\"\n";

/// A system of the TX2 with these kernels: lines of TOML each.
fn tx2(kernels: &[&str]) -> System {
    let kernels: Vec<String> = kernels.iter().map(|lines| format!("[[kernel]]\n{lines}\n")).collect();
    read_system("test", &format!("{TX2}{}", kernels.concat())).unwrap()
}

/// A GPU each of whose two multiprocessors a block of 1024 threads fills.
fn small(kernels: &[&str]) -> System {
    let kernels: Vec<String> = kernels.iter().map(|lines| format!("[[kernel]]\n{lines}\n")).collect();
    read_system("test", &format!("[gpu]\nmultiprocessors = 2\nthreads = 1024\n{}", kernels.concat())).unwrap()
}

#[test]
fn pa19_section_3_6_and_scenarios_of_4_2() {
    for (file, expected) in [
        ("pa19-section-3-6.toml", vec![4, 10, 12, 11]),
        ("pa19-scenario-1.toml", vec![6, 12, 11, 10]),
        ("pa19-scenario-2.toml", vec![6, 11, 10, 12]),
        ("pa19-scenario-3.toml", vec![6, 8, 12, 11]),
        ("pa19-closed-form-16-2.toml", vec![10, 15]),
        ("pa19-closed-form-3-5-4.toml", vec![5, 5, 10]),
    ] {
        let system = read(file);
        for method in [Method::Algorithm2, Method::Simulate] {
            assert_eq!(completions(&system, method), expected, "{file} {method:?}");
        }
        let found = analysed(&system, Method::Algorithm2);
        assert!(found.safe && found.schedulable() && found.covers == Covers::All, "{file}");
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
        found.responses.iter().map(|response| response.unwrap().completion.0).collect();
    assert_eq!(completions, [10, 5, 6]);
    assert_eq!(found.breaches, [Breach::Sizes("K1".into(), "K2".into())]);
    assert!(!found.safe);
}

#[test]
fn a2_blocks_of_less_urgent_kernels_wait_while_a_more_urgent_queue_is_not_empty() {
    // Amert et al. Fig. 7 in tenths of a second: K3 is urgent and goes before the rest of K1, but not before its blocks end.
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
    // 75 registers a thread are given as 80, 2560 a warp: six warps in each quarter of 65536, 24 in all, one block of 16 at a time.
    let registers = "blocks = 4\nthreads_per_block = 512\nexecution = 3\nregisters_per_thread = 75";
    let registers =
        format!("[gpu]\npreset = \"jetson-xavier\"\nmultiprocessors = 2\n[[kernel]]\n{registers}\n");
    let registers = read_system("test", &registers).unwrap();
    assert_eq!(registers.gpu.room.fits(&registers.tasks[0].block), 1);
    assert_eq!(completions(&registers, Method::Simulate), [6]);
    let slots = tx2(&["blocks = 65\nthreads_per_block = 32\nexecution = 3"]);
    assert_eq!(completions(&slots, Method::Simulate), [6]);
    assert_eq!(analysed(&slots, Method::Algorithm2).breaches, [Breach::Resources("K1".into(), 32, 64)]);
    assert_eq!(completions(&slots, Method::Algorithm2), [3], "Algorithm 2 knows threads only");
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
    // Pa19 Fig. 2.4: a block of 140 threads takes five warps, 160 threads, so 12 fit where 14 would by threads.
    let system = tx2(&["blocks = 28\nthreads_per_block = 140\nexecution = 2"]);
    assert_eq!(completions(&system, Method::Simulate), [4]);
}

#[test]
fn shorter_blocks_can_make_others_later_where_sizes_differ() {
    // K1 fills one multiprocessor, and K2 shares the other, so that K3 has the first as soon as K1 ends. If K1 ends early, K2 is
    // spread over both, and K3, which needs one for itself, waits for it.
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
    assert!(found.bounds.unwrap()[2] >= Time(3), "from 1 to 4");
}

#[test]
fn all_launches_until_the_state_repeats() {
    // K1 every 4 takes the GPU for 3, K2 every 6 for 1: released together once in 12, where K2 waits for K1.
    let system = small(&[
        "period = 4\nblocks = 2\nthreads_per_block = 1024\nexecution = 3",
        "period = 6\nblocks = 2\nthreads_per_block = 1024\nexecution = 1",
    ]);
    let found = analysed(&system, Method::Algorithm2);
    let worst: Vec<u64> = found.responses.iter().map(|response| response.unwrap().worst.0).collect();
    assert_eq!(worst, [3, 4]);
    assert_eq!(found.covers, Covers::All);
    assert!(found.schedulable() && found.safe);
    // at 0: K1 until 3, K2 until 4; at 4: K1 until 7; at 6: K2 from 7; at 8: K1
    assert_eq!(found.responses[0].unwrap().launches, 3);
}

#[test]
fn an_overload_is_seen_before_anything_is_played() {
    let system = small(&["period = 4\nblocks = 2\nthreads_per_block = 1024\nexecution = 5"]);
    let found = analysed(&system, Method::Algorithm2);
    assert!(found.overloaded && !found.schedulable() && !found.safe);
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
    let all = analyse(&system, &executions, Method::Algorithm2, None, &Limits::generous());
    assert!(matches!(all, Err(AnalysisError::Course(CourseError::Hyperperiod))));
    let some = analyse(&system, &executions, Method::Algorithm2, Some(Time(5_000_000)), &Limits::generous())
        .unwrap();
    assert_eq!(some.responses[0].unwrap().launches, 5);
    assert!(!some.safe);
}

#[test]
fn c_of_a_string_is_the_upper_end_for_the_warps_of_a_multiprocessor() {
    // 2048 threads of 512: four blocks of 16 warps, of which the kernel has three: 48 warps, 5 + 47 * 4 = 193 cycles (Be12's
    // LLCLL at sigma 1, exact).
    let text = "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[[kernel]]\nblocks = 3\nthreads_per_block = 512\ncode = \"LLCLL\"\n";
    let system = read_system("test", text).unwrap();
    let found = executions(&system, &Limits::generous()).unwrap();
    assert_eq!(found[0].time, Time(193));
    // a block of its own: 5 + 15 * 4
    assert_eq!(found[0].solved.as_ref().unwrap().serial, Time(65));
    let analysis = analysed(&system, Method::Algorithm2);
    assert!(analysis.company.is_empty() && analysis.safe);
}

#[test]
fn company_is_noticed() {
    let head = "unit = \"cycles\"\n[gpu]\npreset = \"jetson-tx2\"\n";
    let kernel =
        |blocks: u64| format!("[[kernel]]\nblocks = {blocks}\nthreads_per_block = 512\ncode = \"LLCLL\"\n");
    let two = read_system("test", &format!("{head}{}{}", kernel(2), kernel(2))).unwrap();
    let found = analysed(&two, Method::Algorithm2);
    assert_eq!(found.company, [Company::Other { task: 0, beside: 1 }, Company::Other { task: 1, beside: 0 }]);
    assert!(!found.safe && found.bounds.is_some());
    let many = read_system("test", &format!("{head}{}", kernel(9))).unwrap();
    assert_eq!(analysed(&many, Method::Algorithm2).company, [Company::Waited { task: 0 }]);
}

#[test]
fn two_rounds_of_the_exact_worst_case_are_too_short() {
    // LCL in blocks of a warp, two at a time on one multiprocessor: T(2) = 4, four blocks can take 9 cycles (exhaustive search
    // over all schedules in which a block follows as soon as one ends). Two rounds of C are 8; the bound is not below 9.
    let text = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 64\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n[[kernel]]\nblocks = 4\nthreads_per_block = 32\ncode = \"LCL\"\n";
    let found = analysed(&read_system("test", text).unwrap(), Method::Algorithm2);
    assert_eq!(found.responses[0].unwrap().completion, Time(8));
    assert!(!found.safe);
    assert!(found.bounds.unwrap()[0] >= Time(9));
}

#[test]
fn the_judge_refuses_what_breaks_a_rule() {
    let system = read("pa19-section-3-6.toml");
    let executions = executions(&system, &Limits::generous()).unwrap();
    let times: Vec<Time> = executions.iter().map(|execution| execution.time).collect();
    let events = analysed(&system, Method::Simulate).events.unwrap();
    assert_eq!(replay(&system, &times, &events), Ok(()));
    let places: Vec<usize> = (0..events.len()).filter(|&at| matches!(events[at], Event::Placed(_))).collect();
    let with = |at: usize, change: &dyn Fn(&mut warpspan::rta::Occupation)| {
        let mut events = events.clone();
        if let Event::Placed(placed) = &mut events[at] {
            change(placed);
        }
        replay(&system, &times, &events)
    };
    for &at in &places {
        assert!(with(at, &|placed| placed.start = placed.start + Time(1)).is_err(), "later {at}");
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

    let several = "{\"benchmarks\": [{\"filename\": \"multikernel.so\", \"thread_count\": 0, \"block_count\": 0, \
        \"stream_priority\": -1, \"release_time\": 0.5, \"additional_info\": [\
        {\"kernel_label\": \"A\", \"duration\": 1000, \"block_count\": 4, \"thread_count\": [32, 32]}, \
        {\"kernel_label\": \"B\", \"duration\": 500, \"block_count\": 1, \"thread_count\": 32, \"delay\": 0.25}]}]}";
    let system = read_examiner("several.json", several).unwrap();
    assert_eq!(system.streams.len(), 1);
    assert_eq!(system.streams[0].priority, 1);
    assert_eq!(system.tasks[0].threads, 1024);
    assert_eq!(system.unit.write(system.tasks[1].release), "750000000");
    let wrong = |text: &str| read_examiner("f.json", text).unwrap_err().to_string();
    let copies = several.replace("\"delay\": 0.25", "\"copy_in_count\": 7");
    assert!(wrong(&copies).contains("copies are given in bytes"));
    assert!(wrong("{\"benchmarks\": [").starts_with("f.json:1: "));
    let mandelbrot = "{\"benchmarks\": [{\"filename\": \"mandelbrot.so\"}]}";
    assert!(wrong(mandelbrot).contains("C is known only of timer_spin and multikernel"));
    assert_eq!(wrong("{\"benchmarks\": []}"), "f.json: no kernel is given: want a [[kernel]] table");
}
