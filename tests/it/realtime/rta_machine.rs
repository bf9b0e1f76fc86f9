//! Response times and C(m) of code on machines with latency and issue width: the files, and the bounds against
//! a GPU of such machines that is played cycle by cycle under schedules, latencies, placements and releases that
//! try to delay one kernel.
//!
//! `WARPSPAN_CASES` sets the number of systems.

use crate::common::cases::{self, cases};
use std::path::Path;
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::limits::Limits;
use warpspan::model::machine::Machine;
use warpspan::model::time::Duration;
use warpspan::realtime::partition::{kernel_times, read_tasks};
use warpspan::realtime::rta::{
    Execution, Method, Source, System, analyse, bound, executions, explain, read_system,
};

use crate::machine::blocks::machine;
use crate::realtime::gpu::cycles::{Adversary, Body, Order, Units, play};
use crate::realtime::rta_relay;

/// A random system on a random machine.
struct Case {
    system: System,
    machine: Arc<Machine>,
    bodies: Vec<Body>,
}

fn case(rng: &mut ChaCha8Rng) -> Case {
    let base = rta_relay::case(rng);
    let machine = Arc::new(machine(rng));
    let mut bodies = base.bodies;
    let mut tasks = base.system.tasks().to_vec();
    for (task, body) in tasks.iter_mut().zip(&mut bodies) {
        // Latencies make code longer.
        task.period = task.period.map(|period| period * 3);
        if let Body::Code(string, _) = body {
            let letter = |letter| if letter == 'C' && rng.random_bool(0.3) { 'X' } else { letter };
            *string = string.chars().map(letter).collect();
            task.execution = Source::OnMachine(machine.code(string).unwrap());
        }
    }
    let (gpu, streams) = (base.system.gpu().clone(), base.system.streams().to_vec());
    let system = System::on_machine(gpu, base.system.unit(), streams, tasks, Arc::clone(&machine)).unwrap();
    Case { system, machine, bodies }
}

/// Response times that exceed their bounds in some runs, and the number of bounds and of launches.
fn attack(seed: u64) -> (usize, usize, Vec<String>) {
    let mut rng = cases::random(seed);
    let case = case(&mut rng);
    let limits = Limits::generous();
    let bounds = bound(&case.system, &executions(&case.system, &limits).unwrap(), &limits);
    let bounded = bounds.iter().filter(|bound| bound.response.is_ok()).count();
    let (mut launches, mut wrong) = (0, Vec::new());
    for _ in 0..if bounded == 0 { 0 } else { 8 } {
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
        let units = Units::Machine(&case.machine);
        let done = play(&case.system, &case.bodies, units, [240, 1000], &adversary, &mut rng);
        for (kernel, (done, bound)) in done.iter().zip(&bounds).enumerate() {
            let Ok(most) = bound.response else { continue };
            launches += done.len();
            if let Some((arrival, end)) = done.iter().find(|(arrival, end)| end - arrival > most.0) {
                wrong.push(format!(
                    "seed {seed}: kernel {kernel} arrives at {arrival} and completes at {end}, bound {most:?}, \
                     {adversary:?}, {:?}, {:?}",
                    case.bodies, case.machine
                ));
            }
        }
    }
    (bounded, launches, wrong)
}

#[test]
fn no_schedule_exceeds_the_bounds() {
    let cases = cases(1500);
    let found: Vec<_> = (0..cases).into_par_iter().map(attack).collect();
    let bounded: usize = found.iter().map(|found| found.0).sum();
    let launches: usize = found.iter().map(|found| found.1).sum();
    let wrong: Vec<&String> = found.iter().flat_map(|found| &found.2).collect();
    println!("{cases} systems, {bounded} bounds, {launches} launches, {} violations", wrong.len());
    assert!(wrong.is_empty(), "{} of {cases} systems: {}", wrong.len(), wrong[0]);
    assert!(bounded > usize::try_from(cases).unwrap(), "most systems have bounds");
}

const GPU: &str = "[gpu]\nmultiprocessors = 2\nthreads = 64\nblocks = 16\nclock_mhz = 1\n";
const MACHINE: &str = "[machine]\nissue_width = 2\n[[machine.unit]]\nname = \"L\"\nlatency = [1, 10]\n[[machine.unit]]\n\
                       name = \"C\"\n";

fn kernel(lines: &str) -> String {
    format!("[[kernel]]\n{lines}\nthreads_per_block = 32\n")
}

fn system(text: &str) -> System {
    read_system("test", &format!("unit = \"cycles\"\n{text}")).unwrap()
}

fn solved(system: &System) -> Vec<Execution> {
    executions(system, &Limits::generous()).unwrap()
}

fn bounds(system: &System) -> Vec<Option<u64>> {
    let found = bound(system, &solved(system), &Limits::generous());
    found.into_iter().map(|bound| bound.response.ok().map(|time| time.0)).collect()
}

/// LCCL takes 22 cycles alone. Two warps of it that start together take 24 at most, by the phase bound.
#[test]
fn a_bound_by_hand() {
    let one = system(&format!("{GPU}{MACHINE}{}", kernel("blocks = 1\ncode = \"LCCL\"")));
    let found = &solved(&one)[0];
    assert_eq!((found.time, found.least()), (Duration(22), Duration(0)));
    let found = found.solved.as_ref().unwrap();
    assert_eq!((found.warps, found.lower), (1, None));
    assert_eq!(one.written(&one.tasks()[0]).as_deref(), Some("LCCL"));
    assert_eq!((found.upper.cycles().0, found.serial), (22, Duration(22)));
    assert_eq!(bounds(&one), [Some(22)]);
    // Two blocks, w = 1/2: A = 4 and C = 18, so (4 + 18/2) / 2 for the first, and 22 + 4/2 for the other.
    let two = system(&format!("{GPU}{MACHINE}{}", kernel("blocks = 2\ncode = \"LCCL\"")));
    assert_eq!(bounds(&two), [Some(30)]);
    let limits = Limits::generous();
    let found = solved(&two);
    assert_eq!(found[0].time, Duration(24));
    let explained = explain(&two, &found, &limits)[0].clone().unwrap();
    assert_eq!((explained.theta, explained.total()), (None, Duration(30)));
    let periodic = format!("{GPU}{MACHINE}{}", kernel("blocks = 2\ncode = \"LCCL\"\nperiod = 40"));
    let analysis = analyse(&system(&periodic), &found, Method::Algorithm2, None, &limits).unwrap();
    assert_eq!(analysis.kernels[0].least, Some(Duration(0)));
}

/// A unit that is held beyond the end of a block delays what comes after it.
#[test]
fn what_is_held_after_the_end_counts() {
    let slow = "[machine]\nissue_width = 1\n[[machine.unit]]\nname = \"L\"\noccupancy = 5\n";
    let one = kernel("blocks = 1\ncode = \"L\"");
    let alone = system(&format!("{GPU}{slow}{one}"));
    // The launch may come when the unit is held for 4 cycles more.
    assert!(bounds(&alone)[0] >= Some(5));
    assert_eq!(solved(&alone)[0].time, Duration(9));
    let beside = system(&format!("{GPU}{slow}{one}{}", kernel("blocks = 1\nexecution = 3")));
    assert!(bounds(&beside)[0] >= Some(3 + 4 + 5));
}

/// A machine that is the paper's multiprocessor gives the numbers of the paper's multiprocessor.
#[test]
fn the_paper_as_a_machine() {
    let kernels = [kernel("blocks = 5\ncode = \"LCL[LC/C]\""), kernel("blocks = 1\ncode = \"LLC\"")].concat();
    let paper = system(&format!("{GPU}[multiprocessor]\nsigma_l = 1\nsigma_c = 2\n{kernels}"));
    let units = "[[machine.unit]]\nname = \"C\"\ninstances = 2\n[[machine.unit]]\nname = \"L\"\n";
    let same = system(&format!("{GPU}[machine]\nissue_width = \"unlimited\"\n{units}{kernels}"));
    let run =
        |of: &System| (of.tasks().to_vec(), of.gpu().clone(), of.multiprocessor(), of.machine().is_some());
    assert_eq!(run(&paper), run(&same));
    let other = system(&format!("{GPU}[machine]\nissue_width = 2\n{units}{kernels}"));
    assert!(other.machine().is_some());
    assert!(bounds(&other).iter().zip(bounds(&paper)).all(|(other, paper)| *other >= paper));
    let task = "[[task]]\nname = \"a\"\nperiod = 1000\nkind = \"compute\"\nk = 1.2\ncode = \"LCLLC\"\nblocks = 5\n\
                threads_per_block = 32\n";
    let times = |machine: &str| {
        let text =
            format!("multiprocessors = 2\n{}{machine}{task}", GPU.replace("multiprocessors = 2\n", ""));
        let set = read_tasks("test", &text, |launch, gpu| kernel_times(launch, gpu, &Limits::generous()));
        let set = set.unwrap();
        [1, 2].map(|m| set.tasks()[0].execution().on(m, false).0 / 1_000_000)
    };
    let machine = format!("[machine]\nissue_width = \"unlimited\"\n{units}");
    assert_eq!(times("[multiprocessor]\nsigma_l = 1\nsigma_c = 2\n"), times(&machine));
    // LCLLC has A = 5 and C = 32 - 5: five blocks, two at once, of which three are followed; or on two
    // multiprocessors P(3) = 3 * 5 + 2 * 27 and L + Q(1) = 37 + 5.
    assert_eq!(times(MACHINE), [5 * 5 + 3 * 27, 69]);
}

fn refused(text: &str) -> String {
    read_system("test", &format!("unit = \"cycles\"\n{text}")).unwrap_err().to_string()
}

#[test]
fn what_is_wrong_with_a_machine_in_one_line() {
    let one = kernel("blocks = 1\ncode = \"LXC\"");
    assert!(
        refused(&format!("{GPU}{MACHINE}{one}"))
            .starts_with("test:16: code = \"LXC\": character 2 is 'X': want")
    );
    assert_eq!(
        refused(&format!("{GPU}[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n{MACHINE}{one}")),
        "test:10: both [multiprocessor] and a machine: want one of them"
    );
    let top = |machine: &str, rest: &str| refused(&format!("machine = {machine}\n{GPU}{rest}{one}"));
    assert!(top("\"no-such\"", "").starts_with("test:2: machine no-such: no such machine"));
    assert!(top("\"no-such.toml\"", "").starts_with("test:2: no-such.toml: "));
    assert!(top("7", "").starts_with("test:2: "));
    assert!(refused(&format!("{GPU}[machine]\nissue_width = 1\n{one}")).contains("no unit: want one"));
    let preset = "[gpu]\npreset = \"jetson-tx2\"\n";
    let newer = MACHINE.replace("issue_width", "capability = \"8.7\"\nissue_width");
    assert_eq!(
        refused(&format!("{preset}{newer}{one}")),
        "test:4: a machine of capability \"8.7\": preset \"jetson-tx2\" has 6.2: want one of them"
    );
}

/// A machine in a file of its own lies beside the file that names it.
#[test]
fn a_machine_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let machine = MACHINE.replace("machine.unit", "unit");
    std::fs::write(folder.path().join("m.toml"), machine).unwrap();
    let place = folder.path().join("system.toml");
    let one = kernel("blocks = 1\ncode = \"LCCL\"");
    let text = format!("unit = \"cycles\"\nmachine = \"m.toml\"\n{GPU}{one}");
    let found = read_system(place.to_str().unwrap(), &text).unwrap();
    // The numbers are those of another file, by its name.
    let named = |system: System| {
        format!("{system:?}").replace(&folder.path().join("m.toml").display().to_string(), "the file")
    };
    assert_eq!(named(found), named(system(&format!("{GPU}{MACHINE}{one}"))));
    assert!(!Path::new("m.toml").exists());
}

/// Listings are read over the letters of the machine. Several accesses of memory in one instruction are letters of
/// their own.
#[test]
fn listings_on_a_machine() {
    let folder = tempfile::tempdir().unwrap();
    let listing = |name: &str, body: &str| {
        let text = format!(".version 7.0\n.target sm_87\n.visible .entry {name}()\n{{\n{body}ret;\n}}\n");
        std::fs::write(folder.path().join(format!("{name}.ptx")), text).unwrap();
    };
    listing("one", "ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\nbar.sync 0;\n");
    listing("two", "ld.shared.f32 %f1, [%r1];\nst.global.f32 [%rd1], %f1;\n");
    let kernel = |name: &str| {
        format!("[[kernel]]\nblocks = 2\nthreads_per_block = 64\nptx = \"{name}.ptx\"\nperiod = 100000\n")
    };
    let text = format!(
        "unit = \"cycles\"\nmachine = \"8.7\"\n[gpu]\npreset = \"jetson-orin\"\n{}{}",
        kernel("one"),
        kernel("two")
    );
    let place = folder.path().join("system.toml");
    let found = read_system(place.to_str().unwrap(), &text).unwrap();
    assert!(solved(&found).iter().all(|execution| execution.solved.is_some()));
    let written: Vec<String> = found.tasks().iter().filter_map(|task| found.written(task)).collect();
    assert_eq!(
        written,
        ["<GLOBAL.32-load-sectors><FP32><BARRIER>|<BRANCH>", "<SHARED.32><GLOBAL.32-store-sectors><BRANCH>"]
    );
    assert_eq!((found.tasks()[0].name.as_str(), found.tasks()[1].name.as_str()), ("one", "two"));
    assert!(found.rests().on.iter().any(|one| {
        one.to_string().starts_with("instructions: each waits for the result of the one before")
    }));
    assert!(bounds(&found).iter().all(Option::is_some));
    let task = "[[task]]\nname = \"a\"\nperiod = 1000\nkind = \"compute\"\nk = 1.2\nptx = \"one.ptx\"\nblocks = 5\n\
                threads_per_block = 64\n";
    let text = format!("machine = \"8.7\"\n[gpu]\npreset = \"jetson-orin\"\nclock_mhz = 1000\n{task}");
    let times = read_tasks(place.to_str().unwrap(), &text, |launch, gpu| {
        kernel_times(launch, gpu, &Limits::generous())
    });
    assert!(times.unwrap().tasks()[0].execution().on(1, false).0 > 0);
}
