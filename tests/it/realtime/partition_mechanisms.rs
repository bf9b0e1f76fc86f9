//! Partitions by the mechanisms that set them up: masks and calls against values worked out by hand, all methods against
//! all divisions, places of MIG against all placements, and the command line.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{assumption, assumptions};
use crate::realtime::partition_command::{here, refused_with, stdout, warpspan};
use crate::realtime::partitions::{limits, rng, set};
use rand::RngExt;
use serde_json::Value;
use warpspan::model::device::{Capability, Instances};
use warpspan::model::time::Millionths;
use warpspan::realtime::partition::{
    Ended, Execution, Factor, Heuristic, Kind, Mechanism, Partition, Structure, Task, TaskSet, Test,
    Violation, exact, one_partition, verify,
};

fn of_preset(name: &'static str, multiprocessors: u64, capability: &str) -> Structure {
    Structure {
        preset: Some((name, multiprocessors)),
        capability: Some(capability.parse::<Capability>().unwrap()),
        multiprocessors_per_tpc: None,
    }
}

fn of_tpcs(multiprocessors_per_tpc: u64) -> Structure {
    Structure { multiprocessors_per_tpc: Some(multiprocessors_per_tpc), ..Structure::default() }
}

/// Tasks that meet their deadlines on any number of multiprocessors, one for each partition.
fn idle(count: usize, multiprocessors: usize) -> TaskSet {
    let time = |units: u64| Millionths(units * 1_000_000);
    let one = |number: usize| {
        let execution = Execution::amdahl(time(1), time(0), Factor::ONE, multiprocessors).unwrap();
        Task::new(format!("t{number}"), time(100), time(100), Kind::Compute, execution).unwrap()
    };
    TaskSet::new((0..count).map(one).collect(), multiprocessors).unwrap()
}

/// What sets partitions of these sizes up.
fn setup(
    mechanism: Mechanism,
    gpu: Structure,
    multiprocessors: usize,
    sizes: &[usize],
) -> (Vec<String>, Vec<warpspan::realtime::partition::PartSetup>) {
    let set = idle(sizes.len(), multiprocessors).on(gpu, None).set_up_by(mechanism).unwrap();
    let part = |(task, &multiprocessors): (usize, &usize)| Partition { multiprocessors, tasks: vec![task] };
    let partitions: Vec<Partition> = sizes.iter().enumerate().map(part).collect();
    let verified = verify(&set, Test::Edf, &partitions, &limits()).unwrap();
    let setup = set.division().unwrap().setup(&verified);
    (setup.steps, setup.parts)
}

/// A set bit of a mask disables a TPC. Jetson Orin: 16 multiprocessors in 8 TPCs. Jetson TX2: two TPCs of one.
#[test]
fn masks_by_hand() {
    let masks = |gpu: Structure, multiprocessors, sizes: &[usize]| {
        let (steps, parts) = setup(Mechanism::Libsmctrl, gpu, multiprocessors, sizes);
        assert!(steps.is_empty());
        for part in &parts {
            let mask = part.mask.clone().unwrap();
            let short = format!("libsmctrl_set_stream_mask(stream, {mask})");
            let long = "libsmctrl_set_stream_mask_ext(stream, (uint128_t)0x";
            assert!(part.call == short || part.call.starts_with(long), "{}", part.call);
        }
        parts.into_iter().map(|part| (part.tpcs.unwrap(), part.mask.unwrap())).collect::<Vec<_>>()
    };
    let orin = || of_preset("jetson-orin", 16, "8.7");
    let tx2 = || of_preset("jetson-tx2", 2, "6.2");
    let expected = |all: &[([usize; 2], &str)]| -> Vec<([usize; 2], String)> {
        all.iter().map(|&(tpcs, mask)| (tpcs, mask.to_owned())).collect()
    };
    for (gpu, multiprocessors, sizes, by_hand) in [
        (
            orin(),
            16,
            vec![4, 2, 10],
            vec![
                ([0, 1], "0xfffffffffffffffc"),
                ([2, 2], "0xfffffffffffffffb"),
                ([3, 7], "0xffffffffffffff07"),
            ],
        ),
        (orin(), 16, vec![16], vec![([0, 7], "0xffffffffffffff00")]),
        (tx2(), 2, vec![1, 1], vec![([0, 0], "0xfffffffffffffffe"), ([1, 1], "0xfffffffffffffffd")]),
        (tx2(), 2, vec![2], vec![([0, 1], "0xfffffffffffffffc")]),
        // 64 TPCs fill a mask of 64 bits.
        (
            of_tpcs(2),
            128,
            vec![126, 2],
            vec![([0, 62], "0x8000000000000000"), ([63, 63], "0x7fffffffffffffff")],
        ),
        (of_tpcs(2), 128, vec![128], vec![([0, 63], "0x0000000000000000")]),
        // 100 TPCs: 70 are bits 0 to 69, and 30 are bits 6 to 35 of the upper half.
        (
            of_tpcs(1),
            100,
            vec![70, 30],
            vec![
                ([0, 69], "0xffffffffffffffc00000000000000000"),
                ([70, 99], "0xfffffff00000003fffffffffffffffff"),
            ],
        ),
    ] {
        assert_eq!(masks(gpu, multiprocessors, &sizes), expected(&by_hand), "{sizes:?}");
    }
    let (_, parts) = setup(Mechanism::Libsmctrl, of_tpcs(1), 100, &[70, 30]);
    let calls: Vec<&str> = parts.iter().map(|part| part.call.as_str()).collect();
    let call =
        "libsmctrl_set_stream_mask_ext(stream, (uint128_t)0xfffffff00000003f << 64 | 0xffffffffffffffff)";
    assert_eq!(calls[1], call);
}

/// No TPC is enabled in two masks, and each mask enables as many as its partition has.
#[test]
fn masks_are_disjoint() {
    for seed in 0..200 {
        let rng = &mut rng(seed);
        let (per_tpc, tpcs) = (rng.random_range(1..=3_usize), rng.random_range(1..=128_usize));
        let mut sizes = Vec::new();
        let mut left = tpcs;
        while left > 0 && sizes.len() < 12 {
            let of = rng.random_range(1..=left);
            sizes.push(of * per_tpc);
            left -= of;
        }
        let (_, parts) = setup(Mechanism::Libsmctrl, of_tpcs(per_tpc as u64), tpcs * per_tpc, &sizes);
        let bits = if tpcs <= 64 { 64 } else { 128 };
        let enabled: Vec<u128> = parts
            .iter()
            .map(|part| {
                let mask = u128::from_str_radix(&part.mask.as_ref().unwrap()[2..], 16).unwrap();
                !mask & if bits == 64 { u128::from(u64::MAX) } else { u128::MAX }
            })
            .collect();
        let mut all = 0_u128;
        for (enabled, size) in enabled.iter().zip(&sizes) {
            assert_eq!((all & enabled, enabled.count_ones() as usize * per_tpc), (0, *size), "seed {seed}");
            all |= enabled;
        }
    }
}

#[test]
fn calls_by_hand() {
    let calls = |mechanism, gpu: Structure, multiprocessors, sizes: &[usize]| {
        let (steps, parts) = setup(mechanism, gpu, multiprocessors, sizes);
        (steps, parts.into_iter().map(|part| part.call).collect::<Vec<_>>())
    };
    let orin = || of_preset("jetson-orin", 16, "8.7");
    let (steps, parts) = calls(Mechanism::Nvtaskset, orin(), 16, &[4, 2, 10]);
    assert_eq!(steps, [""; 0]);
    assert_eq!(parts, ["nvtaskset -t 0-1 PROGRAM", "nvtaskset -t 2 PROGRAM", "nvtaskset -t 3-7 PROGRAM"]);
    // One size: as many groups as partitions. Two of which one divides the other: the larger takes several groups.
    let by_count = |groups: usize, size: usize| {
        [
            format!("unsigned int nbGroups = {groups}"),
            format!("cuDevSmResourceSplitByCount(result, &nbGroups, &device, &remaining, 0, {size})"),
        ]
    };
    let desc =
        |first: usize, groups: usize| format!("cuDevResourceGenerateDesc(&desc, &result[{first}], {groups})");
    let green = |multiprocessors, sizes: &[usize], capability: &str| {
        let gpu = Structure { capability: Some(capability.parse().unwrap()), ..Structure::default() };
        calls(Mechanism::GreenContext, gpu, multiprocessors, sizes)
    };
    assert_eq!(green(16, &[8, 8], "8.7"), (by_count(2, 8).to_vec(), vec![desc(0, 1), desc(1, 1)]));
    assert_eq!(green(16, &[4, 8], "8.7"), (by_count(3, 4).to_vec(), vec![desc(0, 1), desc(1, 2)]));
    assert_eq!(green(132, &[24, 8, 16], "9.0").1, [desc(0, 3), desc(3, 1), desc(4, 2)]);
    // A group of two is too small at 8.7, so the sizes are given one by one.
    let (steps, parts) = green(16, &[4, 6], "8.7");
    assert_eq!(
        steps,
        [
            "groupParams[0].smCount = 4",
            "groupParams[1].smCount = 6",
            "cuDevSmResourceSplit(result, 2, &device, &remaining, 0, groupParams)"
        ]
    );
    assert_eq!(parts, [desc(0, 1), desc(1, 1)]);
    // 4 of 16 are a quarter; 6 of 108 are 5.6 percent, and 6 percent of 108 are 6.48.
    let mps = |gpu, multiprocessors, sizes: &[usize]| calls(Mechanism::Mps, gpu, multiprocessors, sizes).1;
    let share = |percent: usize| format!("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE={percent} PROGRAM");
    assert_eq!(mps(orin(), 16, &[4, 12]), [share(25), share(75)]);
    assert_eq!(mps(of_preset("a100", 108, "8.0"), 108, &[6, 54]), [share(6), share(50)]);
    // 42 take four parts of the memory, 28 two and 14 one.
    let (steps, parts) = calls(Mechanism::Mig, of_preset("a100", 108, "8.0"), 108, &[14, 42, 28]);
    assert_eq!(steps, ["nvidia-smi -mig 1"]);
    let call = |tuple: &str| format!("nvidia-smi mig -cgi {tuple} -C");
    assert_eq!(parts, [call("19:6"), call("9:0"), call("14:4")]);
}

/// The sizes that a mechanism can give, worked out by hand.
#[test]
fn sizes_by_hand() {
    let sizes = |mechanism, gpu: Structure, multiprocessors| {
        let set = idle(1, multiprocessors).on(gpu, None).set_up_by(mechanism).unwrap();
        (set.sizes().to_vec(), set.unused())
    };
    let capability = |version: &str| Structure {
        capability: Some(version.parse::<Capability>().unwrap()),
        ..Structure::default()
    };
    use Mechanism::{GreenContext, Libsmctrl, Mig, Mps, Nvtaskset};
    for (mechanism, gpu, multiprocessors, expected, unused) in [
        (Libsmctrl, capability("6.2"), 2, vec![1, 2], 0),
        (Nvtaskset, capability("8.7"), 8, vec![2, 4, 6, 8], 0),
        (Libsmctrl, capability("7.0"), 7, vec![2, 4, 6], 1),
        (Libsmctrl, of_tpcs(3), 8, vec![3, 6], 2),
        (GreenContext, capability("6.1"), 3, vec![1, 2, 3], 0),
        (GreenContext, capability("7.5"), 7, vec![2, 4, 6], 1),
        (GreenContext, capability("8.7"), 9, vec![4, 6, 8], 1),
        (GreenContext, capability("9.0"), 30, vec![8, 16, 24], 6),
        (Mps, capability("8.7"), 8, vec![2, 4, 6, 8], 0),
        // A percent of 400 are four, so two TPCs.
        (Mps, of_tpcs(2), 400, (1..=100).map(|percent| 4 * percent).collect(), 0),
        (Mig, of_preset("a100", 108, "8.0"), 108, vec![14, 28, 42, 56, 98], 10),
        (Mig, of_preset("h100", 132, "9.0"), 132, vec![16, 26, 32, 60, 64, 132], 0),
    ] {
        assert_eq!(sizes(mechanism, gpu, multiprocessors), (expected, unused), "{mechanism}");
    }
}

/// Whether instances of these sizes have a place, by trying all beginnings of all of them.
fn has_places(gpu: &Instances, sizes: &[usize], taken: u32) -> bool {
    let Some((&size, rest)) = sizes.split_first() else { return true };
    let Some(instance) = gpu.profiles().find(|of| of.multiprocessors == size as u64) else { return false };
    (0..8).any(|start| {
        let parts = (start..start + instance.parts).fold(0, |all, part| all | 1 << part);
        instance.starts.contains(&start) && taken & parts == 0 && has_places(gpu, rest, taken | parts)
    })
}

/// Which instances fit together, by hand, and against all placements.
#[test]
fn instances_have_places() {
    let by_mig = |preset, multiprocessors: u16, capability| {
        let gpu = of_preset(preset, multiprocessors.into(), capability);
        idle(1, multiprocessors.into()).on(gpu, None).set_up_by(Mechanism::Mig).unwrap()
    };
    let a100 = by_mig("a100", 108, "8.0");
    let fits = |sizes: &[usize]| a100.division().unwrap().fits(sizes);
    for (sizes, expected) in [
        (&[98][..], true),
        (&[98, 14], false),
        (&[42, 42], true),
        (&[42, 42, 14], false), // two instances of three slices take all eight parts of the memory
        (&[56, 42], true),
        (&[56, 56], false),
        (&[56, 28, 14], true),
        (&[42, 28, 14, 14], true),
        (&[28, 28, 28, 14], true),
        (&[28, 28, 28, 28], false),
        (&[14; 7], true),
        (&[14; 8], false),
        (&[70], false),
    ] {
        assert_eq!(fits(sizes), expected, "{sizes:?}");
    }
    for (preset, multiprocessors, capability) in
        [("a100", 108, "8.0"), ("h100", 132, "9.0"), ("h200", 132, "9.0")]
    {
        let (set, gpu) = (by_mig(preset, multiprocessors, capability), Instances::of(preset).unwrap());
        let division = set.division().unwrap();
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        let mut fitting = 0;
        while let Some(sizes) = all.pop() {
            let expected = has_places(&gpu, &sizes, 0);
            assert_eq!(division.fits(&sizes), expected, "{preset} {sizes:?}");
            fitting += usize::from(expected);
            if sizes.len() < 5 {
                all.extend(set.sizes().iter().map(|&size| [&sizes[..], &[size]].concat()));
            }
        }
        assert!(fitting > 100, "{fitting}");
    }
}

/// All divisions of tasks into groups.
fn groups(count: usize) -> Vec<Vec<Vec<usize>>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for before in groups(count - 1) {
        for at in 0..before.len() {
            let mut more = before.clone();
            more[at].push(count - 1);
            all.push(more);
        }
        all.push([before, vec![vec![count - 1]]].concat());
    }
    all
}

/// The fewest multiprocessors over all groups and all sizes of each, where `allowed` are the sizes and `fits` judges them
/// together. Each group is judged alone, on a GPU of its own size that knows no mechanism.
fn brute_force(
    set: &TaskSet,
    test: Test,
    allowed: &[usize],
    fits: impl Fn(&[usize]) -> bool,
) -> Option<usize> {
    let holds = |tasks: &[usize], multiprocessors: usize| {
        let tasks: Vec<Task> = tasks.iter().map(|&task| set.tasks()[task].clone()).collect();
        let part = Partition { multiprocessors, tasks: (0..tasks.len()).collect() };
        let alone = TaskSet::new(tasks, multiprocessors).unwrap();
        verify(&alone, test, &[part], &limits()).is_ok()
    };
    let mut best: Option<usize> = None;
    for groups in groups(set.tasks().len()) {
        let sizes: Vec<Vec<usize>> = groups
            .iter()
            .map(|group| allowed.iter().copied().filter(|&size| holds(group, size)).collect())
            .collect();
        // All choices of one size for each group.
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for of_group in &sizes {
            choices = choices
                .iter()
                .flat_map(|choice| of_group.iter().map(move |&size| [&choice[..], &[size]].concat()))
                .collect();
        }
        let used = choices.iter().filter(|choice| fits(choice)).map(|choice| choice.iter().sum());
        best = best.into_iter().chain(used).min();
    }
    best
}

/// All methods by all mechanisms, against all divisions: the optimum is the same, what the heuristics find can be set up
/// and is not better, and what is impossible is so.
#[test]
fn methods_by_mechanisms() {
    let orin = of_preset("jetson-orin-nano", 8, "8.7");
    let volta = Structure { capability: Some("7.0".parse().unwrap()), ..Structure::default() };
    let (mut impossible, mut found, mut none) = (0, 0, 0);
    for seed in 0..60 {
        for (mechanism, gpu, multiprocessors) in [
            (Mechanism::Libsmctrl, of_tpcs(3), 10),
            (Mechanism::Nvtaskset, orin.clone(), 8),
            (Mechanism::GreenContext, orin.clone(), 8),
            (Mechanism::GreenContext, volta.clone(), 7),
            (Mechanism::Mps, orin.clone(), 8),
            (Mechanism::Mig, of_preset("a100", 108, "8.0"), 108),
            (Mechanism::Mig, of_preset("h100", 132, "9.0"), 132),
        ] {
            let whole = match mechanism {
                Mechanism::Mig => heavy(seed, multiprocessors),
                _ => set(&mut rng(seed), 4, multiprocessors),
            };
            let by = whole.clone().on(gpu.clone(), None).set_up_by(mechanism).unwrap();
            let instances = gpu.preset.and_then(|(name, _)| Instances::of(name));
            // The rules of each mechanism once more.
            let allowed: Vec<usize> = (1..=multiprocessors)
                .filter(|&size| match mechanism {
                    Mechanism::GreenContext if multiprocessors == 8 => size >= 4 && size % 2 == 0,
                    Mechanism::Mig => instances.unwrap().with(size as u64).is_some(),
                    _ if multiprocessors == 10 => size % 3 == 0,
                    _ => size % 2 == 0,
                })
                .collect();
            assert_eq!(by.sizes(), allowed);
            let fits = |sizes: &[usize]| match mechanism {
                Mechanism::Mig => has_places(&instances.unwrap(), sizes, 0),
                _ => sizes.iter().sum::<usize>() <= multiprocessors,
            };
            let test = Test::ALL[usize::try_from(seed).unwrap() % 3];
            let context = format!("seed {seed}, {mechanism} on {multiprocessors}, {test}");
            let expected = brute_force(&whole, test, &allowed, fits);
            match exact(&by, test, &limits()) {
                Ok(optimum) => {
                    let least = optimum.partitions.as_ref().filter(|all| by.fits(all));
                    let used = least.map(|all| all.iter().map(|part| part.multiprocessors).sum::<usize>());
                    assert_eq!(used, expected, "{context}");
                    match least {
                        Some(partitions) => {
                            verify(&by, test, partitions, &limits()).unwrap();
                            found += 1;
                        }
                        None => {
                            assert!(
                                optimum.at_least.is_none_or(|least| least > by.multiprocessors()),
                                "{context}"
                            );
                            none += 1;
                        }
                    }
                }
                Err(Ended::Impossible(_)) => {
                    assert_eq!(expected, None, "{context}");
                    impossible += 1;
                    continue;
                }
                Err(other) => panic!("{context}: {other:?}"),
            }
            for heuristic in Heuristic::ALL {
                let there = by.multiprocessors();
                let partitions = heuristic.partition(&by, test, there, &limits()).unwrap().partitions;
                assert!(partitions.iter().all(|part| allowed.contains(&part.multiprocessors)), "{context}");
                if by.fits(&partitions) {
                    let used = verify(&by, test, &partitions, &limits()).unwrap().used();
                    assert!(expected.is_some_and(|least| least <= used), "{context}");
                }
            }
            if let Some(one) = one_partition(&by, test, &limits()).unwrap() {
                assert_eq!(one.multiprocessors, *allowed.last().unwrap(), "{context}");
                verify(&by, test, &[one], &limits()).unwrap();
            }
        }
    }
    assert!(impossible > 10 && found > 200 && none > 20, "{impossible} {found} {none}");
}

/// A set whose tasks need many of the multiprocessors of a large GPU.
fn heavy(seed: u64, multiprocessors: usize) -> TaskSet {
    let rng = &mut rng(seed);
    let unit = |units: u64| Millionths(units * 1_000_000);
    let one = |number: usize| {
        let period = [50, 80, 100, 200][rng.random_range(0..4)];
        let kind = Kind::ALL[rng.random_range(0..2)];
        let a = rng.random_range(period * 4..=period * 36);
        let k = Factor::from_millionths([1_200_000, 2_300_000][rng.random_range(0..2)]).unwrap();
        let execution = Execution::amdahl(unit(a), unit(period / 20), k, multiprocessors).unwrap();
        let deadline = rng.random_range(period / 2..=period);
        Task::new(format!("t{number}"), unit(period), unit(deadline), kind, execution).unwrap()
    };
    TaskSet::new((0..4).map(one).collect(), multiprocessors).unwrap()
}

/// Two tasks need instances of 42 multiprocessors on an A100 and a third one of 14. The sum is 98, which there are, but these
/// have no place together. The heuristics go on: the third task shares an instance.
#[test]
fn heuristics_go_on_until_partitions_have_a_place() {
    let unit = |units: u64| Millionths(units * 1_000_000);
    let one = |(name, a): (&str, u64)| {
        let execution = Execution::amdahl(unit(a), unit(0), Factor::ONE, 108).unwrap();
        Task::new(name.to_owned(), unit(100), unit(100), Kind::Compute, execution).unwrap()
    };
    let tasks = [("x", 3000), ("y", 3000), ("z", 700)].map(one).to_vec();
    let set = TaskSet::new(tasks, 108).unwrap();
    let set = set.on(of_preset("a100", 108, "8.0"), None).set_up_by(Mechanism::Mig).unwrap();
    for heuristic in Heuristic::ALL {
        let found = heuristic.partition(&set, Test::Edf, 98, &limits()).unwrap();
        assert!(set.fits(&found.partitions), "{}: {:?}", heuristic.name(), found.partitions);
        assert_eq!(verify(&set, Test::Edf, &found.partitions, &limits()).unwrap().used(), 84);
    }
    let optimum = exact(&set, Test::Edf, &limits()).unwrap();
    assert_eq!(optimum.at_least, Some(84));
}

#[test]
fn the_verifier_knows_mechanisms() {
    let gpu = of_preset("a100", 108, "8.0");
    let by = |mechanism| idle(3, 108).on(gpu.clone(), None).set_up_by(mechanism).unwrap();
    let judge = |mechanism, sizes: [usize; 3]| {
        let part = |(task, multiprocessors)| Partition { multiprocessors, tasks: vec![task] };
        let parts: Vec<Partition> = sizes.into_iter().enumerate().map(part).collect();
        verify(&by(mechanism), Test::Edf, &parts, &limits()).map(|verified| verified.used())
    };
    assert_eq!(judge(Mechanism::Libsmctrl, [2, 4, 6]), Ok(12));
    let odd = judge(Mechanism::Nvtaskset, [2, 3, 6]);
    assert!(matches!(odd, Err(Violation::Size { partition: 2, multiprocessors: 3, .. })), "{odd:?}");
    let small = judge(Mechanism::GreenContext, [4, 6, 2]);
    assert!(matches!(small, Err(Violation::Size { partition: 3, multiprocessors: 2, .. })), "{small:?}");
    let many = judge(Mechanism::Libsmctrl, [100, 6, 4]);
    assert_eq!(many, Err(Violation::TooMany { used: 110, there: 108 }));
    assert_eq!(judge(Mechanism::Mig, [42, 28, 14]), Ok(84));
    let crowded = judge(Mechanism::Mig, [42, 42, 14]);
    let sizes = "42, 42, 14".to_owned();
    assert_eq!(crowded, Err(Violation::NoPlace { mechanism: Mechanism::Mig, sizes }));
}

/// A file of three tasks with more keys and tables.
fn file(keys: &str, tables: &str) -> String {
    let task = |name: &str, a: u32| {
        format!("[[task]]\nname = \"{name}\"\nperiod = 100\nkind = \"compute\"\na = {a}\nb = 1\nk = 1\n")
    };
    format!("{keys}\n{}{}{}{tables}", task("a", 290), task("b", 100), task("c", 100))
}

fn run(content: &str, more: &[&str]) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.toml"), content).unwrap();
    warpspan(folder.path(), &[&["partition", "f.toml"], more].concat())
}

fn record(content: &str, more: &[&str]) -> serde_json::Value {
    serde_json::from_slice(&run(content, &[more, &["--format", "json"]].concat()).stdout).unwrap()
}

fn refused(content: &str, more: &[&str], message: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("f.toml"), content).unwrap();
    refused_with(folder.path(), &[&["partition", "f.toml"], more].concat(), message);
}

const ORIN: &str = "[gpu]\npreset = \"jetson-orin\"\n";

/// The key of the file and the option, which is stronger; the record; the text.
#[test]
fn mechanisms_on_the_command_line() {
    // a takes 97.7 on three multiprocessors, and 146 on two: with whole TPCs it gets four.
    let with_key = file("mechanism = \"libsmctrl\"", ORIN);
    let of_key = record(&with_key, &["--exact", "--test", "edf"]);
    assert_eq!(of_key["schema"], "warpspan/partition/2");
    let mechanism = serde_json::json!({"name": "libsmctrl", "sizes": [2, 4, 6, 8, 10, 12, 14, 16],
        "multiprocessors_per_tpc": 2, "unused": 0, "steps": []});
    assert_eq!(of_key["mechanism"], mechanism);
    let setup = &of_key["partitions"][0]["setup"];
    assert_eq!(setup["tpcs"][0], 0);
    assert!(setup["call"].as_str().unwrap().starts_with("libsmctrl_set_stream_mask(stream, 0xffffffff"));
    let stronger = record(&with_key, &["--mechanism", "nvtaskset"]);
    assert_eq!(stronger["mechanism"]["name"], "nvtaskset");
    assert_eq!(stronger["partitions"][0]["setup"]["mask"], serde_json::Value::Null);
    let none = record(&file("", ORIN), &[]);
    assert_eq!((&none["mechanism"], &none["partitions"][0]["setup"]), (&none["slices"], &none["slices"]));
    assert!(none["partitions"][0]["multiprocessors"].as_u64().is_some_and(|m| m % 2 == 1), "{none}");
    let text = stdout(&run(&with_key, &[]));
    assert!(text.contains("on 16 multiprocessors by libsmctrl; ") && text.contains("| TPCs"), "{text}");
    assert!(text.contains("note: a set bit of a mask disables its TPC"), "{text}");
    let green = record(&with_key, &["--mechanism", "green-context"]);
    let apart = assumption(&green, "clients.apart").unwrap();
    assert_eq!(
        (&apart["subject"], &apart["value"]),
        (&"kernels of different green contexts".into(), &"run at once".into())
    );
    let mps = stdout(&run(&with_key, &["--mechanism", "mps", "--assumptions"]));
    assert!(mps.contains("clients of MPS: run on different multiprocessors [clients.apart]\n"), "{mps}");
    let csv = stdout(&run(&with_key, &["--format", "csv"]));
    assert!(csv.starts_with("task,kind,partition,multiprocessors,conflict,execution,deadline,period\n"));
}

#[test]
fn what_no_mechanism_can_do() {
    let on = |preset: &str| file("", &format!("[gpu]\npreset = \"{preset}\"\n"));
    let number = file("multiprocessors = 8", "");
    let by = |name| ["--mechanism", name];
    refused(
        &number,
        &by("libsmctrl"),
        "f.toml: mechanism = \"libsmctrl\": it is not known how many multiprocessors a TPC has: want multiprocessors_per_tpc",
    );
    refused(&number, &by("nvtaskset"), "f.toml: mechanism = \"nvtaskset\": it is not known how many");
    refused(&number, &by("mps"), "f.toml: mechanism = \"mps\": it is not known how many");
    refused(&number, &by("green-context"), "f.toml: mechanism = \"green-context\": what a green context may");
    refused(&number, &by("mig"), "f.toml: mechanism = \"mig\": instances are known of named GPUs only: want");
    refused(
        &on("h100"),
        &by("libsmctrl"),
        "f.toml: mechanism = \"libsmctrl\": on compute capability 9.0 the bits of a mask are not the numbers of TPCs",
    );
    refused(
        &on("jetson-nano"),
        &by("green-context"),
        "f.toml: mechanism = \"green-context\": compute capability 5.3 has no green contexts: want 6.0 or later",
    );
    refused(&on("jetson-tx2"), &by("mps"), "f.toml: mechanism = \"mps\": MPS limits no client on compute");
    refused(
        &on("jetson-orin"),
        &by("mig"),
        "f.toml: mechanism = \"mig\": no instances of the preset \"jetson-orin\" are known: want [gpu] with one of the \
         presets \"a100\", \"h100\", \"h200\"",
    );
    let fewer = file("multiprocessors = 100", "[gpu]\npreset = \"a100\"\n");
    refused(
        &fewer,
        &by("mig"),
        "f.toml: mechanism = \"mig\": it divides all 108 multiprocessors of the GPU, and",
    );
    let small = file("multiprocessors = 2", ORIN);
    refused(
        &small,
        &by("green-context"),
        "f.toml: mechanism = \"green-context\": 2 multiprocessors are fewer",
    );
    let wide = file("multiprocessors = 200\nmultiprocessors_per_tpc = 1", "");
    refused(&wide, &by("libsmctrl"), "f.toml: mechanism = \"libsmctrl\": a mask has bits for 128 TPCs");
    let other = file("multiprocessors_per_tpc = 1", ORIN);
    refused(
        &other,
        &by("libsmctrl"),
        "f.toml: mechanism = \"libsmctrl\": multiprocessors_per_tpc = 1: compute capability 8.7 has 2: want that",
    );
    refused(&file("multiprocessors_per_tpc = 0", ORIN), &[], "f.toml:1: multiprocessors_per_tpc = 0");
    let unknown = file("mechanism = \"masks\"", ORIN);
    refused(
        &unknown,
        &[],
        "f.toml:1: mechanism = \"masks\": want one of libsmctrl, nvtaskset, green-context, mig",
    );
    let key = file("mechanism = \"mps\"", ORIN);
    refused(
        &key,
        &["--slices", "8x2"],
        "f.toml: mechanism = \"mps\" with --slices: want one without the other",
    );
    let both =
        ["partition", "instances/si21-partition-formula.toml", "--mechanism", "mps", "--slices", "5x2"];
    let output = warpspan(here(), &both);
    assert_eq!(output.status.code(), Some(2));
    let old = file(
        "multiprocessors = 4\nmultiprocessors_per_tpc = 1\n[multiprocessor]\ncompute_capability = \"3.0\"",
        "",
    );
    refused(
        &old,
        &by("libsmctrl"),
        "f.toml: mechanism = \"libsmctrl\": compute capability 3.0 has no masks of TPCs",
    );
    // The number of a file without a capability is enough for masks, and no share is claimed of other mechanisms.
    let tpcs = file("multiprocessors = 9\nmultiprocessors_per_tpc = 3", "");
    let found = record(&tpcs, &by("libsmctrl"));
    assert_eq!(found["mechanism"]["sizes"], serde_json::json!([3, 6, 9]));
    let apart: Vec<&Value> =
        assumptions(&found, "clients.apart").into_iter().map(|one| &one["subject"]).collect();
    assert_eq!(apart, ["the bits of a mask", "streams of different partitions"]);
    let given = assumptions(&found, "gpu.multiprocessors").into_iter().map(|one| &one["source"]);
    assert_eq!(given.collect::<Vec<_>>(), ["multiprocessors_per_tpc", "multiprocessors"]);
}

/// C(m) of a listing on an A100 counts its whole DRAM and L2, of which an instance has a part: no deadline is claimed.
#[test]
fn code_in_instances_is_undecided() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(here().join("tests/data/code/straight.ptx"), folder.path().join("s.ptx")).unwrap();
    let content = "[gpu]\npreset = \"a100\"\nclock_mhz = 1000\n[[task]]\nname = \"x\"\nperiod = 4000\nkind = \"compute\"\n\
                   ptx = \"s.ptx\"\nentry = \"swap\"\nblocks = 64\nthreads_per_block = 64\nk = 1\n";
    std::fs::write(folder.path().join("f.toml"), content).unwrap();
    let verdict = |mechanism: &str| {
        let args = ["partition", "f.toml", "--format", "json", "--mechanism", mechanism];
        let output = warpspan(folder.path(), &args);
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), record["verdict"].clone(), record["reason"].clone())
    };
    let reason =
        "undecided, each instance has a part of the DRAM and of the L2, and C of code is for all of both";
    assert_eq!(verdict("mig"), (Some(3), "not-found".into(), reason.into()));
    assert_eq!(verdict("libsmctrl").1, "schedulable");
}

/// Partitions of the file are judged: by the deadlines, and by what the mechanism can set up.
#[test]
fn partitions_that_a_file_gives() {
    let part = |multiprocessors: i32, tasks: &str| {
        format!("[[partition]]\nmultiprocessors = {multiprocessors}\ntasks = [{tasks}]\n")
    };
    let of = |parts: &[(i32, &str)]| {
        let parts: String = parts.iter().map(|&(m, tasks)| part(m, tasks)).collect();
        file("test = \"edf\"", &format!("{parts}{ORIN}"))
    };
    let good = of(&[(4, "\"a\""), (6, "\"c\", \"b\"")]);
    let found = record(&good, &["--mechanism", "libsmctrl"]);
    assert_eq!((&found["method"], &found["verdict"]), (&"given".into(), &"schedulable".into()));
    assert_eq!((&found["used"], &found["required"]), (&10.into(), &10.into()));
    assert_eq!(found["partitions"][1]["tasks"], serde_json::json!(["b", "c"]));
    assert_eq!(found["partitions"][1]["setup"]["mask"], "0xffffffffffffffe3");
    // The search does not look at them.
    assert_eq!(record(&good, &["--exact"])["method"], "exact");
    // By deadlines alone any size will do: C(3) = 97.7 of a is in time, and C(2) = 146 is not.
    assert_eq!(record(&of(&[(3, "\"a\""), (5, "\"b\", \"c\"")]), &[])["verdict"], "schedulable");
    let late = run(&of(&[(2, "\"a\""), (5, "\"b\", \"c\"")]), &[]);
    assert_eq!(late.status.code(), Some(3));
    let text = String::from_utf8(late.stdout).unwrap();
    assert!(text.contains("not found: partition 1: its tasks need more than all the time"), "{text}");
    let by = |name| ["--mechanism", name];
    // A file begins with its key and three tables of seven lines.
    let odd = of(&[(4, "\"a\""), (5, "\"b\", \"c\"")]);
    refused(
        &odd,
        &by("libsmctrl"),
        "f.toml:26: partition 2 has 5 multiprocessors, which libsmctrl cannot set up: want one of 2, 4, 6, 8, 10, 12, 14, 16",
    );
    let two = of(&[(4, "\"a\""), (2, "\"b\", \"c\"")]);
    refused(
        &two,
        &by("green-context"),
        "f.toml:26: partition 2 has 2 multiprocessors, which green-context cannot",
    );
    let many = of(&[(12, "\"a\""), (6, "\"b\", \"c\"")]);
    refused(&many, &[], "f.toml: the partitions take 18 multiprocessors, there are 16");
    let twice = of(&[(4, "\"a\""), (6, "\"b\", \"a\"")]);
    refused(&twice, &[], "f.toml:28: tasks = [\"a\"]: this task is in a partition already");
    refused(&of(&[(4, "\"a\""), (6, "\"b\"")]), &[], "f.toml: task \"c\" is in no [[partition]]");
    refused(&of(&[(4, "\"x\"")]), &[], "f.toml:25: tasks = [\"x\"]: there is no such task");
    refused(&of(&[(4, "")]), &[], "f.toml:25: tasks = []: a partition without tasks");
    refused(&of(&[(0, "\"a\"")]), &[], "f.toml:24: multiprocessors = 0");
    refused(&good, &["--co-located"], "f.toml: [[partition]] with --co-located: want one without the other");
}
