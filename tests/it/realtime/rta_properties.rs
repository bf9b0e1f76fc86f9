//! Random systems: Algorithm 2, the closed form, the simulator, the bounds, against each other and against
//! the rules played tick by tick.

use crate::realtime::gpu;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::device::{Gpu, Resources};
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::realtime::rta::{
    Algorithm2, Analysis, Covers, DeadlineMet, Execution, Measured, Method, Request, Source, Stream, System,
    Task, Verdict, analyse, bound, closed_form, executions,
};

/// A kernel: release, C, blocks, warps of a block, period, stream, copy in, copy out, shared memory.
type Parts = (u64, u64, u64, u64, Option<u64>, usize, u64, u64, u64);

fn system(multiprocessors: u64, warps: u64, priorities: &[i64], kernels: &[Parts]) -> System {
    let task = |(index, &(release, c, blocks, block, period, stream, copy_in, copy_out, shared)): (
        usize,
        &Parts,
    )| Task {
        name: format!("K{}", index + 1),
        period: period.map(Duration),
        sporadic: false,
        jitter: Duration(0),
        deadline: period.map(Duration),
        release: Duration(release),
        fixed: true,
        execution: Source::Given(Duration(c)),
        measured: Measured::BesideOthers,
        blocks,
        threads: block * 32,
        block: Resources { threads: block * 32, shared_memory: shared, registers: 0, blocks: 1 },
        least: Resources { threads: block * 32, shared_memory: shared, registers: 0, blocks: 1 },
        stream,
        copy_in: Duration(copy_in),
        copy_out: Duration(copy_out),
        traffic: Vec::new(),
    };
    let resources = Resources { threads: warps * 32, shared_memory: 4, registers: 1, blocks: 6 };
    let gpu = Gpu { multiprocessors, resources, register_parts: 1, clock: None };
    let streams = priorities.iter().map(|&priority| Stream { name: String::new(), priority }).collect();
    let tasks = kernels.iter().enumerate().map(task).collect();
    System::new(gpu, TimeUnit::Ticks, streams, tasks).unwrap()
}

fn solved(system: &System) -> Vec<Execution> {
    executions(system, &Limits::generous()).unwrap()
}

/// The same system, whose launches may be more than a period apart.
pub(super) fn sporadic(system: &System) -> System {
    let mut tasks = system.tasks().to_vec();
    tasks.iter_mut().for_each(|task| task.sporadic = task.period.is_some());
    System::new(system.gpu().clone(), system.unit(), system.streams().to_vec(), tasks).unwrap()
}

/// Enough for a small system.
fn soon() -> Limits {
    Limits::generous().within(std::time::Duration::from_millis(300))
}

fn analysed(system: &System, method: Method) -> Analysis {
    analyse(system, &solved(system), method, None, &Limits::generous()).unwrap()
}

/// Kernels as the thesis assumes them: equal blocks of a warp, each in its own stream, launched once.
fn assumed(kernels: &[(u64, u64, u64)], multiprocessors: u64, slots: u64) -> System {
    let parts: Vec<Parts> = kernels
        .iter()
        .enumerate()
        .map(|(index, &(release, c, blocks))| (release, c, blocks, 1, None, index, 0, 0, 0))
        .collect();
    system(multiprocessors, slots, &vec![0; kernels.len()], &parts)
}

/// Any system: sizes, streams, priorities, copies, shared memory, periods from a short list.
pub(super) fn anything(periods: Vec<u64>) -> impl Strategy<Value = System> {
    let kernel = (
        0..8_u64,
        1..7_u64,
        1..6_u64,
        1..5_u64,
        prop_oneof![Just(None), prop::sample::select(periods).prop_map(Some)],
        0..3_usize,
        prop_oneof![3 => Just(0), 1 => 1..4_u64],
        prop_oneof![3 => Just(0), 1 => 1..4_u64],
        prop_oneof![2 => Just(0), 1 => 1..4_u64],
    );
    (1..4_u64, 4..7_u64, prop::collection::vec(-1..2_i64, 3), prop::collection::vec(kernel, 1..6)).prop_map(
        |(multiprocessors, warps, priorities, kernels)| system(multiprocessors, warps, &priorities, &kernels),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    /// Ten thousand sets under the assumptions of the thesis. `analyse` itself refuses two methods that
    /// differ, and replays the simulator; here they are compared once more.
    #[test]
    fn simulator_is_algorithm_2_under_its_assumptions(
        kernels in prop::collection::vec((0..20_u64, 1..12_u64, 1..40_u64), 1..8),
        multiprocessors in 1..4_u64,
        slots in 1..7_u64,
    ) {
        let system = assumed(&kernels, multiprocessors, slots);
        let (one, other) = (analysed(&system, Method::Algorithm2), analysed(&system, Method::Simulate));
        prop_assert!(one.breaches.is_empty());
        prop_assert_eq!(one.estimates, other.estimates);
        prop_assert_eq!((one.verdict, one.by, one.kernels), (other.verdict, other.by, other.kernels));
    }

    #[test]
    fn closed_form_is_algorithm_2_where_all_are_equal(
        blocks in prop::collection::vec(1..60_u64, 1..12),
        slots in 1..20_u64,
        c in 1..9_u64,
        release in 0..5_u64,
    ) {
        let mut gpu = Algorithm2::new(slots * 512);
        let launch = |&blocks: &u64| {
            gpu.launch(Request { release: Duration(release), execution: Duration(c), blocks, threads: 512 })
        };
        let completions: Vec<Duration> = blocks.iter().map(launch).collect();
        prop_assert_eq!(closed_form(slots, Duration(c), Duration(release), blocks), Some(completions));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    /// Whatever the system, the simulator is the rules tick by tick, launch by launch.
    #[test]
    fn simulator_is_the_rules_tick_by_tick(system in anything(vec![36, 48, 72])) {
        let until = Duration(60);
        let found = analyse(&system, &solved(&system), Method::Simulate, Some(until), &soon());
        let found = found.unwrap();
        prop_assume!(found.missing.is_none()); // where urgent kernels never leave room there is no end
        let times: Vec<Duration> = solved(&system).iter().map(|execution| execution.time).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let launches = gpu::play(&system, &times, until.0, &mut gpu::Freedom::none(&mut rng));
        for (response, launches) in found.estimates.iter().zip(launches) {
            let response = response.unwrap();
            prop_assert_eq!(response.launches, launches.len() as u64);
            prop_assert_eq!(response.completion.0, launches[0].1);
            let worst = launches.iter().map(|(release, completion)| completion - release).max();
            prop_assert_eq!(Some(response.worst.0), worst);
        }
    }

    /// Blocks that take less than C and go anywhere, launches more than a period apart, releases before
    /// completions or after them: no response time exceeds the bounds. Nor, with strict periods where its
    /// assumptions hold, that of Algorithm 2 over all launches. Periods are so short that some kernels are
    /// late, or pile up without end.
    #[test]
    fn bounds_hold_whatever_blocks_do(
        system in prop_oneof![anything(vec![36, 48, 72]), anything(vec![7, 11, 30, 60])],
        seed in any::<u64>(),
    ) {
        let found = analyse(&system, &solved(&system), Method::Algorithm2, Some(Duration(150)), &soon()).unwrap();
        let sporadic = sporadic(&system);
        let of_sporadic = bound(&sporadic, &solved(&sporadic), &Limits::generous());
        let times: Vec<Duration> = solved(&system).iter().map(|execution| execution.time).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (shorter, later, releases_first) in
            [(false, false, false), (false, false, true), (true, false, false), (true, true, true), (false, true, false)]
        {
            let mut freedom = gpu::Freedom { shorter, anywhere: true, later, releases_first, rng: &mut rng };
            let launches = gpu::play(&system, &times, 150, &mut freedom);
            for (index, launches) in launches.iter().enumerate() {
                let worst = launches.iter().map(|(release, completion)| completion - release).max();
                let Some(worst) = worst else { continue };
                let bounds = if later { &of_sporadic } else { &found.bounds };
                if let Ok(bound) = bounds[index].response {
                    prop_assert!(worst <= bound.0, "kernel {index}: {worst} > {bound:?}");
                }
                if found.safe && !later {
                    prop_assert!(worst <= found.kernels[index].bound.unwrap().0);
                }
            }
        }
    }

    /// What is called missed is late in the rules played tick by tick, and what is called met is not.
    #[test]
    fn what_is_refuted_is_missed(system in anything(vec![7, 11, 30, 60])) {
        let found = analyse(&system, &solved(&system), Method::Algorithm2, Some(Duration(150)), &soon()).unwrap();
        let times: Vec<Duration> = solved(&system).iter().map(|execution| execution.time).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let launches = gpu::play(&system, &times, 150, &mut gpu::Freedom::none(&mut rng));
        for ((kernel, task), launches) in found.kernels.iter().zip(system.tasks()).zip(launches) {
            let Some(deadline) = task.deadline else { continue };
            let late: Vec<&(u64, u64)> =
                launches.iter().filter(|(release, completion)| completion - release > deadline.0).collect();
            match (kernel.meets, kernel.miss) {
                (DeadlineMet::Yes, _) => prop_assert!(late.is_empty()),
                (DeadlineMet::No, Some(miss)) if miss.release < Duration(150) => {
                    prop_assert!(late.iter().any(|(release, _)| *release == miss.release.0));
                }
                (DeadlineMet::No, None) => prop_assert!(!late.is_empty()),
                _ => {}
            }
        }
    }

    /// A longer period of any sporadic kernel raises no bound, and takes none away.
    #[test]
    fn bounds_fall_as_periods_grow(
        system in prop_oneof![anything(vec![9, 20, 50]), anything(vec![36, 48, 72])],
        longer in prop::collection::vec(prop_oneof![2 => Just(0_u64), 1 => 1..5_u64, 1 => 5..60_u64], 6),
    ) {
        let limits = Limits::generous();
        let system = sporadic(&system);
        let before = bound(&system, &solved(&system), &limits);
        let mut tasks = system.tasks().to_vec();
        for (task, more) in tasks.iter_mut().zip(longer) {
            task.period = task.period.map(|period| Duration(period.0 + more));
        }
        let slower = System::new(system.gpu().clone(), system.unit(), system.streams().to_vec(), tasks).unwrap();
        let after = bound(&slower, &solved(&slower), &limits);
        for (before, after) in before.iter().zip(&after) {
            if let Ok(before) = before.response {
                prop_assert!(after.response.is_ok_and(|after| after <= before), "{before:?} {after:?}");
            }
        }
    }

    /// The same under the assumptions, with periods: Algorithm 2 is safe for shorter blocks.
    #[test]
    fn algorithm_2_is_safe_for_shorter_blocks(
        kernels in prop::collection::vec((0..9_u64, 1..7_u64, 1..9_u64, prop::sample::select(vec![12_u64, 18, 36])), 1..6),
        multiprocessors in 1..3_u64,
        seed in any::<u64>(),
    ) {
        let parts: Vec<Parts> = kernels
            .iter()
            .enumerate()
            .map(|(index, &(release, c, blocks, period))| (release, c, blocks, 1, Some(period), index, 0, 0, 0))
            .collect();
        let system = system(multiprocessors, 4, &vec![0; parts.len()], &parts);
        let found = analysed(&system, Method::Algorithm2);
        prop_assume!(found.safe);
        prop_assert_eq!(found.covers, Covers::All);
        let times: Vec<Duration> = parts.iter().map(|parts| Duration(parts.1)).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (shorter, releases_first) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut freedom = gpu::Freedom { shorter, anywhere: true, later: false, releases_first, rng: &mut rng };
            for (index, launches) in gpu::play(&system, &times, 120, &mut freedom).iter().enumerate() {
                for (release, completion) in launches {
                    prop_assert!(completion - release <= found.estimates[index].unwrap().worst.0);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// The method chooses columns.
    #[test]
    fn the_verdict_is_that_of_no_method(system in anything(vec![12, 36, 60])) {
        let all = [Method::Algorithm2, Method::ClosedForm, Method::Simulate].map(|method| {
            let found = analyse(&system, &solved(&system), method, None, &Limits::generous()).unwrap();
            (found.verdict, found.by, found.kernels)
        });
        prop_assert!(all[0] == all[1] && all[1] == all[2]);
        let meets = |meets: DeadlineMet| all[0].2.iter().any(|kernel| kernel.meets == meets);
        match all[0].0 {
            Verdict::Proved => prop_assert!(!meets(DeadlineMet::No) && !meets(DeadlineMet::Unknown)),
            Verdict::Undecided => prop_assert!(!meets(DeadlineMet::No) && meets(DeadlineMet::Unknown)),
            Verdict::Refuted => {}
        }
    }
}
