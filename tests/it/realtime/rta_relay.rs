//! The bounds on response times of kernels of code and of measured kernels, against a GPU that is played cycle
//! by cycle under schedules, placements and releases that try to delay one of them.
//!
//! `WARPSPAN_CASES` sets the number of systems.

use crate::common::cases::{self, cases};
use std::sync::LazyLock;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::model::device::{Gpu, Resources};
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::model::{Code, Multiprocessor};
use warpspan::realtime::rta::{
    Execution, Measured, NoBound, Source, Stream, System, Task, bound, executions, read_system,
};

use crate::realtime::gpu::cycles::{Adversary, Body, Order, Units, play};

/// A random system, with what its blocks run.
pub(super) struct Case {
    pub(super) system: System,
    pub(super) bodies: Vec<Body>,
    pub(super) sigma: [usize; 2],
}

impl Case {
    /// Changes all kernels alike.
    pub(super) fn change(&mut self, change: impl Fn(&mut Task)) {
        self.system = with(&self.system, |_, task| change(task));
    }
}

fn string(rng: &mut ChaCha8Rng, barriers: bool) -> String {
    let length = rng.random_range(1..=5);
    let share = [0.2, 0.5, 0.8][rng.random_range(0..3)];
    let mut string = String::new();
    for at in 0..length {
        if barriers && at > 0 && rng.random_bool(0.3) {
            string.push('|');
        }
        string.push(if rng.random_bool(share) { 'L' } else { 'C' });
    }
    string
}

pub(super) fn case(rng: &mut ChaCha8Rng) -> Case {
    let sigma = [[1, 1], [1, 1], [1, 2], [2, 1], [2, 3]][rng.random_range(0..5)];
    let kernels = rng.random_range(1..=4_usize);
    let simple = rng.random_bool(0.6);
    let (measured, barriers) = (rng.random_bool(0.3), rng.random_bool(0.3));
    let slots = rng.random_range(1..=4_u64);
    let warps = rng.random_range(1..=4_u64);
    let (mut tasks, mut bodies, mut streams) = (Vec::new(), Vec::new(), Vec::new());
    // Periods of few common divisors or of many.
    let periods: &[u64] = if rng.random_bool(0.5) { &[12, 18, 24, 36] } else { &[9, 13, 17, 25, 40] };
    for kernel in 0..kernels {
        let block = rng.random_range(1..=warps);
        let (execution, body) = if measured && rng.random_bool(0.5) {
            let c = rng.random_range(1..=6);
            (Source::Given(Duration(c)), Body::Measured(c))
        } else {
            let string = string(rng, barriers);
            let code: Code = string.parse().unwrap();
            (Source::Code(code), Body::Code(string, usize::try_from(block).unwrap()))
        };
        let stream = if simple || rng.random_bool(0.6) || streams.is_empty() {
            let priority = if simple { 0 } else { rng.random_range(0..=1) };
            streams.push(Stream { name: kernel.to_string(), priority });
            streams.len() - 1
        } else {
            rng.random_range(0..streams.len())
        };
        let period = periods[rng.random_range(0..periods.len())] * [1, 2, 2, 4][rng.random_range(0..4)];
        tasks.push(Task {
            name: format!("K{kernel}"),
            period: rng.random_bool(0.8).then_some(Duration(period)),
            sporadic: false,
            jitter: Duration(if rng.random_bool(0.4) { rng.random_range(1..=period / 2) } else { 0 }),
            deadline: None,
            release: Duration(if rng.random_bool(0.5) { 0 } else { rng.random_range(0..12) }),
            fixed: rng.random_bool(0.5),
            execution,
            measured: Measured::BesideOthers,
            blocks: rng.random_range(1..=5),
            threads: block * 32,
            block: Resources { threads: block * 32, shared_memory: 0, registers: 0, blocks: 1 },
            least: Resources { threads: block * 32, shared_memory: 0, registers: 0, blocks: 1 },
            stream,
            copy_in: Duration(0),
            copy_out: Duration(0),
            traffic: Vec::new(),
        });
        bodies.push(body);
    }
    for task in &mut tasks {
        task.sporadic = task.period.is_some() && rng.random_bool(0.3);
    }
    let resources =
        Resources { threads: warps.max(slots) * 32, shared_memory: 0, registers: 0, blocks: slots };
    let multiprocessors = rng.random_range(1..=3);
    let gpu = Gpu { multiprocessors, resources, register_parts: 1, clock: None };
    let of = |sigma: usize| sigma.to_string().parse().unwrap();
    let multiprocessor = Multiprocessor::new(of(sigma[0]), of(sigma[1]));
    let system = System::new(gpu, TimeUnit::Cycles, streams, tasks).unwrap();
    Case { system: system.with_throughput(multiprocessor, multiprocessor), bodies, sigma }
}

/// Executions of which the bounds read no more than the code: nothing is solved.
pub(super) fn solved(system: &System) -> Vec<Execution> {
    static TEMPLATE: LazyLock<Execution> = LazyLock::new(|| {
        let system = read_system("test", &format!("{TWO}{}", kernel("blocks = 1\ncode = \"L\""))).unwrap();
        executions(&system, &Limits::generous()).unwrap().remove(0)
    });
    let of = |task: &Task| match &task.execution {
        Source::Given(time) => Execution { time: *time, solved: None },
        Source::Code(_) | Source::Listing(_) => TEMPLATE.clone(),
        Source::OnMachine(_) => unreachable!("the cases have no machine"),
    };
    system.tasks().iter().map(of).collect()
}

/// The first response time of some runs that exceeds its bound, and the number of bounds and of launches.
fn attack(case: &Case, runs: u64, rng: &mut ChaCha8Rng) -> Result<(usize, usize), String> {
    let bounds = bound(&case.system, &solved(&case.system), &Limits::generous());
    let bounded = bounds.iter().filter(|bound| bound.response.is_ok()).count();
    if bounded == 0 {
        return Ok((0, 0));
    }
    let mut launches = 0;
    for _ in 0..runs {
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
        let done = play(&case.system, &case.bodies, Units::Sigma(case.sigma), [90, 400], &adversary, rng);
        for (kernel, (done, bound)) in done.iter().zip(&bounds).enumerate() {
            let Ok(most) = bound.response else { continue };
            launches += done.len();
            if let Some((arrival, end)) = done.iter().find(|(arrival, end)| end - arrival > most.0) {
                return Err(format!(
                    "kernel {kernel} arrives at {arrival} and completes at {end}, bound {most:?}, {adversary:?}"
                ));
            }
        }
    }
    Ok((bounded, launches))
}

#[test]
fn no_schedule_exceeds_the_bounds() {
    let cases = cases(2000);
    let (mut bounded, mut launches, mut wrong) = (0, 0, Vec::new());
    for seed in 0..cases {
        let mut rng = cases::random(seed);
        let case = case(&mut rng);
        match attack(&case, 8, &mut rng) {
            Ok((of, seen)) => {
                bounded += of;
                launches += seen;
            }
            Err(what) => wrong.push(format!("seed {seed}: {what}")),
        }
    }
    println!("{cases} systems, {bounded} bounds, {launches} launches, {} violations", wrong.len());
    assert!(wrong.is_empty(), "{} of {cases} systems: {}", wrong.len(), wrong[0]);
    assert!(bounded > usize::try_from(cases).unwrap(), "most systems have bounds");
}

/// The same system with one thing changed.
fn with(system: &System, change: impl Fn(usize, &mut Task)) -> System {
    let mut tasks = system.tasks().to_vec();
    tasks.iter_mut().enumerate().for_each(|(kernel, task)| change(kernel, task));
    let gpu = system.gpu().clone();
    let changed = System::new(gpu, system.unit(), system.streams().to_vec(), tasks).unwrap();
    changed.with_throughput(system.multiprocessor(), system.fastest())
}

/// Whether no bound of `more` is smaller than that of `less`, and none is there that `less` lacks.
fn at_least(less: &System, more: &System) -> Result<(), String> {
    let limits = Limits::generous();
    let of = |system: &System| bound(system, &solved(system), &limits);
    for (kernel, (less, more)) in of(less).iter().zip(of(more)).enumerate() {
        if let Ok(more) = more.response
            && !less.response.is_ok_and(|less| less <= more)
        {
            return Err(format!("kernel {kernel}: {:?} and then {more:?}", less.response));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn bounds_never_fall_as_work_or_jitter_grow(seed in any::<u64>(), which in 0..4_usize, more in 1..9_u64) {
        let system = case(&mut ChaCha8Rng::seed_from_u64(seed)).system;
        let which = which % system.tasks().len();
        let changed = |change: &dyn Fn(&mut Task)| {
            with(&system, |kernel, task| if kernel == which { change(task) })
        };
        let blocks = changed(&|task| task.blocks += more);
        prop_assert_eq!(at_least(&system, &blocks), Ok(()));
        let jitter = changed(&|task| task.jitter = task.jitter + Duration(more));
        prop_assert_eq!(at_least(&system, &jitter), Ok(()));
        let longer = changed(&|task| match &mut task.execution {
            Source::Given(time) => *time = *time + Duration(more),
            Source::Code(code) => *code = format!("{code}LC").parse().unwrap(),
            Source::Listing(_) | Source::OnMachine(_) => {}
        });
        prop_assert_eq!(at_least(&system, &longer), Ok(()));
    }

    #[test]
    fn bounds_never_rise_as_periods_grow_or_releases_become_known(
        seed in any::<u64>(),
        which in 0..4_usize,
        more in 1..30_u64,
    ) {
        let system = case(&mut ChaCha8Rng::seed_from_u64(seed)).system;
        let which = which % system.tasks().len();
        let sporadic = with(&system, |_, task| task.sporadic = task.period.is_some());
        prop_assert_eq!(at_least(&system, &sporadic), Ok(()));
        let slower = with(&sporadic, |kernel, task| {
            task.period = task.period.map(|period| period + Duration(if kernel == which { more } else { 0 }));
        });
        prop_assert_eq!(at_least(&slower, &sporadic), Ok(()));
    }
}

fn bounds(text: &str) -> Vec<Result<u64, NoBound>> {
    let system = read_system("test", text).unwrap();
    let found = bound(&system, &solved(&system), &Limits::generous());
    found.into_iter().map(|bound| bound.response.map(|time| time.0)).collect()
}

const TWO: &str = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 2\nthreads = 64\n\
    [multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";

fn kernel(lines: &str) -> String {
    format!("[[kernel]]\n{lines}\nthreads_per_block = 32\n")
}

/// LCL has I = 3 and a = 2. One block is beside one other: its own 3, and half of the other's 2 (the other
/// half would be on the other multiprocessor).
#[test]
fn a_bound_by_hand() {
    let one = bounds(&format!("{TWO}{}", kernel("blocks = 1\ncode = \"LCL\"")));
    assert_eq!(one, [Ok(3)]);
    // Two blocks, w = 1/2: (2 + 1/2) / 2 for the first, and 3 + 2/2 for the other.
    let two = bounds(&format!("{TWO}{}", kernel("blocks = 2\ncode = \"LCL\"")));
    assert_eq!(two, [Ok(5)]);
}

/// A kernel of code and a measured one have bounds together: C counts fully beside the code.
#[test]
fn measured_blocks_run_beside_code() {
    let mixed = bounds(&format!(
        "{TWO}{}{}",
        kernel("blocks = 1\ncode = \"LCL\""),
        kernel("blocks = 1\nexecution = 9")
    ));
    // The measured block may be behind and still beside the other; that one, ahead, makes nobody wait long.
    assert_eq!(mixed, [Ok(3 + 9), Ok(9 + 1)]);
}

/// A C that was measured alone counts where no two blocks can meet, and nowhere else.
#[test]
fn measured_alone() {
    let of = |threads: u64, streams: [&str; 2]| {
        let kernel = |stream: &str| {
            format!(
                "[[kernel]]\nrelease = 0\nblocks = 1\nthreads_per_block = {threads}\nexecution = 9\nmeasured = \"alone\"\nstream = \"{stream}\"\n"
            )
        };
        bounds(&format!("{TWO}{}{}", kernel(streams[0]), kernel(streams[1])))
    };
    let refused = Err(NoBound::NotAlone { kernel: 0, beside: 1 });
    assert_eq!(of(32, ["a", "b"]), [refused, refused]);
    assert_eq!(of(64, ["a", "b"]), [Ok(9), Ok(9)]);
    assert_eq!(of(32, ["a", "a"]), [Ok(9), Ok(18)]);
}

/// Two kernels of one period whose releases are given, and are apart, do not delay each other, unless one of
/// them is sporadic or has a jitter.
#[test]
fn offsets_keep_launches_apart() {
    let with = |key: &str| {
        let first = kernel("blocks = 4\nexecution = 5\nperiod = 20\nrelease = 0\nstream = \"a\"");
        let second = kernel(&format!("blocks = 4\nexecution = 5\nperiod = 20\nrelease = 10\n{key}"));
        bounds(&format!("[gpu]\nmultiprocessors = 2\nthreads = 64\n{first}{second}"))
    };
    let apart = with("");
    assert_eq!(apart[0], apart[1]);
    assert!(with("sporadic = true")[0].ok() > apart[0].ok());
    assert!(with("jitter = 1")[1].ok() > apart[1].ok());
}

/// Code issues at the edges of cycles, here microseconds, and measured blocks of half a cycle end between them.
/// One slot, in the order of the file: L in [0, 1), a block to 1.5, L in [2, 3), a block to 3.5, L in [4, 5).
#[test]
fn measured_blocks_that_end_between_edges() {
    let one = "unit = \"us\"\n[gpu]\nmultiprocessors = 1\nthreads = 32\nclock_mhz = 1\n\
               [multiprocessor]\nsigma_l = 1\nsigma_c = 1\n";
    let code = kernel("blocks = 1\ncode = \"L\"");
    let half = kernel("blocks = 1\nexecution = 0.5");
    let found = bounds(&[one, &code, &half, &code, &half, &code].concat());
    assert!(found[4].ok() >= Some(5_000_000), "{found:?}");
}

/// One slot. Two launches of the urgent kernel, 4 of whose 10 between arrivals may be lost to jitter, go before
/// one that waits: the bound of 5 is attained, and without the jitter in the number of launches it would be 3.
#[test]
fn jitter_lets_more_launches_go_before_others() {
    let one = "unit = \"cycles\"\n[gpu]\nmultiprocessors = 1\nthreads = 32\n";
    for jitter in [8, 9, 10, 11] {
        let calm = kernel("blocks = 1\nexecution = 1\nperiod = 1000\nsporadic = true\npriority = 0");
        let urgent = kernel(&format!(
            "blocks = 1\nexecution = 2\nperiod = 10\nsporadic = true\njitter = {jitter}\npriority = 1"
        ));
        assert_eq!(bounds(&[one, &calm, &urgent].concat())[0], Ok(5), "{jitter}");
    }
}
