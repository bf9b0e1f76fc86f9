//! The errata of docs/errata.md: each test computes what is *published*, as it is published, and shows that
//! it is wrong.
//!
//! The result of this tool stands beside it. docs/errata.md says what `Be12`, `Pa19`, `Si21` and `Kr19` are.

use crate::brute;
use std::cmp::Ordering;

use approx::assert_relative_eq;
use num_rational::Ratio;
use warpspan::bound::{min_over_y, pessimistic};
use warpspan::engines::portfolio::{Solver, terms};
use warpspan::model::Instance;
use warpspan::model::time::{Duration, Nanoseconds};
use warpspan::realtime::partition::{
    Execution, Factor, Kind, Task, TaskSet, Test, one_partition, read_time, verify,
};
use warpspan::realtime::prem::{
    Mode, Offsets, Phase, Phases, Schedule, ScheduleError, Slot, TileSet, TiledKernel,
};
use warpspan::realtime::rta::{Algorithm2, Request, closed_form};

use crate::common::{limits, single};
use crate::engines::policy_readings::{First, Pair};

/// Be12 Eq. 5-7: T = ceil(W / sigma_L) I_L + ceil(W / sigma_C) I_C.
fn published_pessimistic(kernel: &str, warps: u64, sigma_l: u64, sigma_c: u64) -> u64 {
    let letters = |letter| kernel.chars().filter(|&c| c == letter).count() as u64;
    warps.div_ceil(sigma_l) * letters('L') + warps.div_ceil(sigma_c) * letters('C')
}

/// The exact worst case by the tool.
fn worst(instance: &Instance) -> u64 {
    let solution = Solver::new().limits(&limits()).solve(instance).unwrap();
    assert!(solution.worst_case().is_exact());
    solution.worst_case().lower().cycles().0
}

/// E1, Be12 Eq. 42-43: min over y of ceil(W / y) T(y) "can be safely approximated" by small y.
#[test]
fn e1_the_estimate_is_below_the_worst_case() {
    for (kernel, exact) in [("LCL", 9), ("LCLCL", 14)] {
        let few = |y: u64| 4_u64.div_ceil(y) * brute::makespans(&single(kernel, y, "1", "1")).1;
        let published = (1..=2).map(few).min().unwrap();
        let instance = single(kernel, 4, "1", "1");
        assert_eq!(brute::makespans(&instance).1, exact);
        assert!(published < exact, "{kernel}: {published}");
        // Here the same value is an estimate, and the worst case is found.
        let terms = terms(&instance, 2, &limits(), || ()).unwrap().unwrap();
        assert_eq!(min_over_y(4, &terms.exact).unwrap().cycles.0, published);
        assert_eq!(worst(&instance), exact);
    }
}

/// E2, Be12 Eq. 5-7: the pessimistic makespan is too low above sigma 1.
#[test]
fn e2_the_pessimistic_makespan_is_below_the_worst_case() {
    for (kernel, warps, l, c, exact) in [("LL", 4, 2, 1, 5), ("CCCC", 8, 1, 4, 11)] {
        let published = published_pessimistic(kernel, warps, l, c);
        let instance = single(kernel, warps, &l.to_string(), &c.to_string());
        assert_eq!(brute::makespans(&instance).1, exact);
        assert!(published < exact, "{kernel}: {published}");
        // Here the same value is not an upper bound.
        assert_eq!(pessimistic(&instance).cycles().0, published);
        assert!(pessimistic(&instance).upper().is_none());
        assert_eq!(worst(&instance), exact);
    }
}

/// E3, Be12 section 5: "the schedule for which the worst-case makespan is observed can be no longer than T".
/// Above sigma 1 it can be longer, so an ILP over T cycles cannot find it. Nothing reveals this, since there
/// still are schedules within T.
#[test]
fn e3_the_worst_schedule_does_not_fit_into_the_horizon() {
    for (kernel, warps, l, c) in [("LL", 4, 2, 1), ("CCCC", 8, 1, 4)] {
        let instance = single(kernel, warps, &l.to_string(), &c.to_string());
        let (best, worst) = brute::makespans(&instance);
        let horizon = published_pessimistic(kernel, warps, l, c);
        assert!(best <= horizon && horizon < worst, "{kernel}: {best}, {horizon}, {worst}");
    }
}

/// E4, Be12 Eq. 33 and 36: TL (and TC) is the sum of three terms, of which two can be 1 where the instruction
/// is for the other unit. With this sum, schedules that are not work-conserving satisfy the long constraints.
#[test]
fn e4_the_long_constraints_let_idle_schedules_through() {
    for (kernel, published, exact) in [("LC", 4, 3), ("LCLC", 8, 5)] {
        assert_eq!(brute::makespans(&single(kernel, 2, "1", "1")).1, exact);
        let letters: Vec<char> = kernel.chars().collect();
        let horizon = published_pessimistic(kernel, 2, 1, 1);
        let rows = increasing(letters.len(), horizon);
        let pairs = rows.iter().flat_map(|first| rows.iter().map(move |second| [first, second]));
        let feasible = pairs.filter(|warps| satisfies_long_constraints(&letters, warps, horizon));
        let longest = feasible.map(|warps| warps.iter().map(|row| *row.last().unwrap()).max().unwrap()).max();
        assert_eq!(longest, Some(published), "{kernel}");
    }
}

/// E4: with the same sum no schedule at all satisfies the short constraints, Be12 Eq. 34 and 37: half of TL + E is at
/// most the expression in their middle, which is 1, so TL + E is at most 2.
#[test]
fn e4_the_short_constraints_leave_no_schedule() {
    for (kernel, schedules) in [("LC", 2), ("LCLC", 2)] {
        let letters: Vec<char> = kernel.chars().collect();
        let horizon = published_pessimistic(kernel, 2, 1, 1);
        let rows = increasing(letters.len(), horizon);
        let satisfying = |most: u64| {
            let pairs = rows.iter().flat_map(|first| rows.iter().map(move |second| [first, second]));
            pairs.filter(|warps| satisfies_short_constraints(&letters, warps, horizon, most)).count()
        };
        assert_eq!(satisfying(3), 0, "{kernel}");
        // As a boolean, TL is 1 at most.
        assert_eq!(satisfying(1), schedules, "{kernel}");
    }
}

/// The same for the short constraints, where TL counts up to `most`.
fn satisfies_short_constraints(letters: &[char], warps: &[&Vec<u64>], horizon: u64, most: u64) -> bool {
    (1..=horizon).all(|t| {
        ['L', 'C'].into_iter().all(|unit| {
            let here = |row: &&Vec<u64>| (0..letters.len()).any(|i| row[i] == t && letters[i] == unit);
            let full = warps.iter().copied().filter(here).count() as u64;
            let all = warps.iter().all(|row| {
                (0..letters.len()).all(|i| {
                    let before = i > 0 && row[i - 1] >= t;
                    let sum = u64::from(letters[i] != unit) + u64::from(row[i] <= t) + u64::from(before);
                    (1..=2).contains(&(sum.min(most) + full))
                })
            });
            full <= 1 && all
        })
    })
}

/// Every increasing sequence of so many cycles up to `last`.
fn increasing(length: usize, last: u64) -> Vec<Vec<u64>> {
    let mut rows = vec![vec![]];
    for _ in 0..length {
        let longer = |row: Vec<u64>| {
            let from = row.last().copied().unwrap_or(0) + 1;
            (from..=last).map(move |cycle| [&row[..], &[cycle]].concat())
        };
        rows = rows.into_iter().flat_map(longer).collect();
    }
    rows
}

/// Capacity (Eq. 14-15) and the long constraints (Eq. 33, 36) at sigma 1, where the expression in their
/// middle is true: 1/2 ((-(I-1)/I + 1/I sum of TL) + E) <= 1 <= 1/I sum of TL + E. A row holds the cycles Y
/// of a warp.
fn satisfies_long_constraints(letters: &[char], warps: &[&Vec<u64>], horizon: u64) -> bool {
    let most = letters.len() as u64;
    (1..=horizon).all(|t| {
        ['L', 'C'].into_iter().all(|unit| {
            let here = |row: &&Vec<u64>| (0..letters.len()).any(|i| row[i] == t && letters[i] == unit);
            let full = match warps.iter().copied().filter(here).count() {
                0 => 0,
                1 => 1, // E_t and G_t say that all of sigma = 1 is used.
                _ => return false,
            };
            warps.iter().all(|row| {
                let term = |i: usize| {
                    let before = i > 0 && row[i - 1] >= t;
                    u64::from(letters[i] != unit) + u64::from(row[i] <= t) + u64::from(before)
                };
                let sum: u64 = (0..letters.len()).map(term).sum();
                sum + most * full >= most && sum + most * full < 3 * most
            })
        })
    })
}

/// E5: solvers answer in floats, and call a solution optimal that is within a relative gap, by default 1e-4.
#[test]
fn e5_an_optimum_of_a_solver_may_be_a_cycle_short() {
    let answer = 16.999_999_999_999_92_f64; // HiGHS gave this for a makespan of 17.
    assert_relative_eq!(answer.floor(), 16.0);
    assert_relative_eq!(answer.round(), 17.0);
    let (incumbent, optimum) = (19_999.0_f64, 20_000.0);
    assert_relative_eq!(incumbent, optimum, max_relative = 1e-4);
}

/// E6, Pa19 Eq. 3.12 to 3.15, then Algorithm 2's f = t_a + C: completions of kernels with these blocks.
fn published_closed_form(most: i64, c: i64, blocks: &[i64]) -> Vec<Ratio<i64>> {
    let (mut now, mut free) = (Ratio::from(0), Ratio::from(most));
    let mut completions = Vec::new();
    for &g in blocks {
        let over = Ratio::from(g) - free;
        let k = (if over < Ratio::from(0) { -over } else { over } / most).floor();
        let sign = match over.cmp(&Ratio::from(0)) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        };
        let alpha = Ratio::new(sign + 1, 2);
        now += alpha * c + k * c;
        free = alpha * most - (over - k * most);
        completions.push(now + c);
    }
    completions
}

/// Completions when blocks take the places of the GPU in order, each as soon as one is free.
fn block_by_block(most: usize, kernels: &[(u64, u64)]) -> Vec<u64> {
    let mut places = vec![0_u64; most];
    let mut last_begin = 0;
    let mut completions = Vec::new();
    for &(blocks, c) in kernels {
        let mut completion = 0;
        for _ in 0..blocks {
            let place = places.iter_mut().min().unwrap();
            last_begin = last_begin.max(*place);
            *place = last_begin + c;
            completion = completion.max(*place);
        }
        completions.push(completion);
    }
    completions
}

/// E6: Pa19 Eq. 3.12 to 3.15 add half a C where `g_i` = `g_f`, and a whole C where `g_i - g_f` is a multiple
/// of `g_max`. Their number of free blocks is then wrong too, so a later kernel may complete after the
/// published time.
#[test]
fn e6_the_equations_for_equal_c_are_wrong_on_both_sides() {
    let half = |numbers: &[i64]| numbers.iter().map(|&n| Ratio::new(n, 2)).collect::<Vec<_>>();
    let launched = |blocks: &[i64]| {
        let mut gpu = Algorithm2::new(8);
        let launch = |&g: &i64| {
            let request = Request {
                release: Duration(0),
                execution: Duration(5),
                blocks: g.unsigned_abs(),
                threads: 1,
            };
            gpu.launch(request).0
        };
        blocks.iter().map(launch).collect::<Vec<u64>>()
    };
    for (blocks, published, truth) in [
        // This is too long: it says 15 instead of 10.
        (&[16, 2][..], half(&[30, 30]), vec![10, 15]),
        // This is too long for the first kernel and too short for the second, so it is unsafe.
        (&[8, 2], half(&[15, 15]), vec![5, 10]),
    ] {
        assert_eq!(published_closed_form(8, 5, blocks), published, "{blocks:?}");
        let kernels: Vec<(u64, u64)> = blocks.iter().map(|&g| (g.unsigned_abs(), 5)).collect();
        assert_eq!(block_by_block(8, &kernels), truth, "{blocks:?}");
        assert_eq!(launched(blocks), truth, "{blocks:?}");
        let counts = blocks.iter().map(|&g| g.unsigned_abs());
        let corrected = closed_form(8, Duration(5), Duration(0), counts).unwrap();
        assert_eq!(corrected.iter().map(|time| time.0).collect::<Vec<_>>(), truth, "{blocks:?}");
    }
    // Already by Eq. 3.8 to 3.10, for 16 blocks where eight are free: K = 1, t_a = 0 + 5 + K 5, and f = t_a + 5.
    let rounds = (16 - 8) / 8;
    assert_eq!(5 + rounds * 5 + 5, 15);
    // Where neither happens, the equations are right.
    assert_eq!(published_closed_form(8, 5, &[3, 4, 4]), half(&[10, 10, 20]));
}

/// Pa19 Algorithm 2, line by line as it is printed. `removes` adds the step of the example and of the program
/// on the slides, which takes the picked pair out of h. The completions, and how often the loop is passed.
fn published_algorithm_2(most: u64, kernels: &[(u64, u64)], removes: bool) -> (Vec<u64>, u64) {
    let (mut now, mut free, mut h) = (0, most, Vec::<(u64, u64)>::new());
    let (mut completions, mut passes) = (Vec::new(), 0);
    for &(mut g, c) in kernels {
        passes += 1;
        while free < g {
            passes += 1;
            g -= free;
            h.push((now + c, free));
            let index = (0..h.len()).min_by_key(|&row| h[row].0).unwrap();
            (now, free) = h[index];
            if removes {
                h.remove(index);
            }
        }
        completions.push(now + c);
        h.push((now + c, g));
        free -= g;
    }
    (completions, passes)
}

/// E9: Algorithm 2 as printed never removes from h the pair that it picks, so the same blocks become free
/// again and again.
#[test]
fn e9_algorithm_2_as_printed_frees_blocks_twice() {
    let kernels = [(2, 4), (7, 6), (2, 6), (5, 5)]; // Pa19 section 3.6
    assert_eq!(published_algorithm_2(8, &kernels, false).0, [4, 10, 10, 9]);
    assert_eq!(published_algorithm_2(8, &kernels, true).0, [4, 10, 12, 11]); // The text of the example gives these values.
    assert_eq!(block_by_block(8, &kernels), [4, 10, 12, 11]);
    let mut gpu = Algorithm2::new(8);
    let launch = |&(blocks, c): &(u64, u64)| {
        gpu.launch(Request { release: Duration(0), execution: Duration(c), blocks, threads: 1 }).0
    };
    assert_eq!(kernels.iter().map(launch).collect::<Vec<_>>(), [4, 10, 12, 11]);
}

/// E13: the loop of Algorithm 2 is said to be passed g / g_max times. Where blocks end one at a time, each pass places one
/// block, so that it is passed g times, whatever g_max is.
#[test]
fn e13_the_loop_of_algorithm_2_may_place_one_block_a_pass() {
    for most in [8, 16, 64] {
        let one_by_one = (1..=most).map(|c| (1, c));
        let kernels: Vec<(u64, u64)> = one_by_one.chain([(1000 * most, most)]).collect();
        let (completions, passes) = published_algorithm_2(most, &kernels, true);
        assert_eq!(completions.last(), Some(&(1001 * most)), "it is the right answer");
        let blocks: u64 = kernels.iter().map(|kernel| kernel.0).sum();
        assert!(passes >= blocks && blocks / most == 1001, "{passes}");
    }
}

/// E10, Pa19 section 3.4: a response time is the completion time where the release is t_a, and else R >= f. By section 3.2
/// it is R = f - r.
#[test]
fn e10_a_response_time_is_no_longer_than_a_completion_time() {
    let request = Request { release: Duration(6), execution: Duration(3), blocks: 1, threads: 1 };
    let completion = Algorithm2::new(8).launch(request).0;
    assert_eq!(completion, 9);
    let response = completion - request.release.0;
    assert!(response < completion, "{response}");
}

/// E7: progress never makes the worst case worse, it says. With one warp of LCL before its first instruction
/// and one before its second, at most 3 cycles are left; with the second warp one instruction further, 4 are
/// left.
#[test]
fn e7_progress_can_make_the_worst_case_longer() {
    let states = brute::all_states(&single("LCL", 2, "1", "1"));
    let left = |at: &[usize]| states.iter().find(|(state, _)| state == at).unwrap().1;
    assert_eq!((left(&[0, 1]), left(&[0, 2])), (3, 4));
}

/// A partition of Si21: its tasks and its size.
type Partition = (Vec<usize>, u64);

/// Si21 Algorithm 2 for tasks whose C does not depend on the size: schedulable if the utilisation is at most
/// 1.
fn published_merge(percent: &[u64], one: &Partition, other: &Partition) -> Option<Partition> {
    let mut tasks = [&one.0[..], &other.0].concat();
    tasks.sort_unstable();
    tasks.dedup(); // This makes it a union.
    let fits = tasks.iter().map(|&task| percent[task]).sum::<u64>() <= 100;
    (one.1.max(other.1)..one.1 + other.1).find(|_| fits).map(|size| (tasks, size))
}

/// E8, Si21 Algorithm 3: the eligible partitions are all but the forbidden ones, so P itself is among them.
/// It merges with itself at once, "validly" by Definition 2, and Algorithm 1 goes on with the same partitions
/// for ever.
#[test]
fn e8_a_partition_is_eligible_to_merge_with_itself() {
    let percent = [90, 90]; // These two tasks do not fit into one partition.
    let mut partitions: Vec<Partition> = vec![(vec![0], 1), (vec![1], 1)];
    let before = partitions.clone();
    for _ in 0..1000 {
        let required: u64 = partitions.iter().map(|partition| partition.1).sum();
        assert!(required > 1, "Algorithm 1 ends only where the partitions fit on the one multiprocessor");
        let chosen = partitions[0].clone();
        let merges = partitions.iter().filter_map(|other| published_merge(&percent, &chosen, other));
        let merged = merges.min_by_key(|merged| merged.1).expect("never empty: P itself is eligible");
        partitions.retain(|partition| *partition != chosen);
        partitions.insert(0, merged);
    }
    assert_eq!(partitions, before);
    assert_eq!(published_merge(&percent, &before[0], &before[1]), None);
}

/// E8, Si21 Algorithm 3: the loop runs `until pars is empty`, but only the candidates shrink, so it goes on
/// to choose from none.
#[test]
fn e8_the_selection_never_ends() {
    let pars = vec!["P1", "P2"];
    let mut candidates = pars.clone();
    let forbidden = |_: &str, _: &str| true;
    let ended = (0..1000).find_map(|pass| {
        let Some(chosen) = candidates.pop() else { return Some(("nothing to choose from", pass)) };
        let eligible = pars.iter().filter(|&&other| other != chosen && !forbidden(chosen, other));
        match (eligible.count(), pars.is_empty()) {
            (0, false) => None,
            _ => Some(("as printed", pass)),
        }
    });
    assert_eq!(ended, Some(("nothing to choose from", 2)));
}

/// E8, Si21 Definition 4: the utilisation sums C, not C / T, and so prefers the merge that overloads the
/// partition.
#[test]
fn e8_the_utilisation_lacks_the_period() {
    let published = |tasks: &[(u64, u64)]| tasks.iter().map(|task| task.0).sum::<u64>();
    let utilisation = |tasks: &[(u64, u64)]| tasks.iter().map(|&(c, t)| Ratio::new(c, t)).sum::<Ratio<u64>>();
    let (often, seldom) = ([(1, 2), (2, 2)], [(1, 2), (3, 30)]); // These are C and T.
    assert!(published(&often) < published(&seldom));
    assert!(utilisation(&often) > Ratio::from(1) && utilisation(&seldom) < Ratio::from(1));
}

/// E8, Si21 Lemma 1: a task set is said not to be schedulable if the sum of C(1) / T exceeds M. But it is
/// schedulable where two multiprocessors are more than twice as fast as one.
#[test]
fn e8_lemma_1_refuses_what_is_schedulable() {
    let (period, c) = (9, [10, 4]); // These are C(1) and C(2).
    let published = Ratio::new(2 * c[0], period);
    assert!(published > Ratio::from(2), "Lemma 1 says that two of these tasks are not schedulable on M = 2");
    let time = |units: u64| read_time(&units.to_string()).unwrap();
    let task = |name: &str| {
        let execution = Execution::with_factor(c.map(time).to_vec(), Factor::ONE).unwrap();
        Task::new(name.to_owned(), time(period), time(period), Kind::Compute, execution).unwrap()
    };
    let set = TaskSet::new(vec![task("one"), task("other")], 2).unwrap();
    let partition = one_partition(&set, Test::Edf, &limits()).unwrap().expect("2 * 4 / 9 < 1");
    assert!(verify(&set, Test::Edf, &[partition], &limits()).is_ok());
}

/// E8, Si21 section 3.6: the single partition of all 68 multiprocessors holds up to a utilisation of 35. By
/// the published formula C(m) = k (a / m + b), with k and b of tasks in conflict, it is loaded more than five
/// times over there.
#[test]
fn e8_one_partition_cannot_hold_a_utilisation_of_35() {
    let loaded = |k: f64, b: f64| k * (1.0 / 68.0 + b); // This is for a / T = 1.
    let load = 35.0 * (loaded(2.3, 0.1) + loaded(1.2, 0.02)) / 2.0;
    assert!(load > 5.0, "{load}");
}

/// The phases P, C and W of Kr19 section 4.2.4, with a timer of one nanosecond.
/// E11: the text of Si21 says that `Q_prev` is the order of the cycle before, but line 14 of Algorithm 4 keeps an order
/// only if its head was passed over. The example's kernel (docs/policies.md) shows the difference: by the line K1 and K2
/// end at 20 and 25, with a mean of 22.5 as published; by the text at 29 and 20, with a mean of 24.5.
#[test]
fn e11_the_order_of_every_cycle_gives_another_mean() {
    let pair = Pair::example("LLLCLL", [1, 6], [1, 2]);
    assert_eq!(pair.ends(First::Text, false), [20, 25]);
    assert_eq!(pair.ends(First::Text, true), [29, 20]);
}

/// E12: line 11 of Si21 Algorithm 5 takes `g_0` from a list that no line changes. The kernel that came first would be
/// `g_0` for ever, whatever the priorities: here K2, twice as urgent, ends last instead of first.
#[test]
fn e12_a_list_that_no_line_changes_has_one_first_group() {
    let pair = Pair::example("LCLL", [1, 7], [1, 2]);
    assert_eq!(pair.ends(First::Text, false), [17, 16]);
    assert_eq!(pair.ends(First::Fixed, false), [14, 17]);
}

fn tiles(kernels: &[u64]) -> TileSet {
    let phases =
        Phases { prefetch: Nanoseconds(1781), compute: Nanoseconds(506), writeback: Nanoseconds(421) };
    let kernel =
        |&blocks: &u64| TiledKernel { name: "K".into(), blocks, tiles: 512, phases, contended: None };
    TileSet::new(kernels.iter().map(kernel).collect(), Nanoseconds(1), Nanoseconds::ZERO, Nanoseconds::ZERO)
        .unwrap()
}

fn offsets(prefetch: u64, writeback: u64) -> Offsets {
    Offsets { prefetch: Nanoseconds(prefetch), writeback: Nanoseconds(writeback) }
}

/// K2, Kr19 section 3.2.5 ii: block-wise, `T_hyper` = kernels * `PF_off`, so that the fifth of eight blocks
/// begins together with the second tile of the first.
#[test]
fn k2_a_hyperperiod_has_a_place_for_each_block() {
    let (kernels, blocks, offset) = (4, 2, 1300);
    let published =
        |kernel: u64, block: u64, n: u64| (n - 1) * (kernels * offset) + (kernel * blocks + block) * offset;
    assert_eq!(published(2, 0, 1), published(0, 0, 2));
    let schedule = Schedule::uniform(&tiles(&[2; 4]), Mode::TileBlock, offsets(offset, 0)).unwrap();
    assert_eq!(schedule.hyperperiod(), Nanoseconds(8 * offset));
    // In schedule iv, `T_WBoff` = (kernels - 1) * `PF_off` + `T_PF` comes before the last block has even
    // begun.
    let published = (kernels - 1) * 1781 + 1781 + 7 * 421;
    assert!(published < 7 * 1781 + 1781 + 506);
    let schedule = Schedule::uniform(&tiles(&[2; 4]), Mode::PhaseBlock, offsets(1781, 421)).unwrap();
    assert!(schedule.slots()[7].writeback >= Nanoseconds(7 * 1781 + 1781 + 506));
}

/// K3, Kr19 section 3.2.5 iii: `WB_off` is `T_WB` / (kernels - 1) at the shortest. The last kernel would then
/// write back before it has computed.
#[test]
fn k3_the_writeback_offset_must_cover_the_computation() {
    let (p, c, w) = (1781_u64, 506, 421_u64);
    let published = w.div_ceil(3);
    let due = 3 * p + p + 3 * published; // This is T_WBoff + 3 WB_off.
    assert_eq!(3 * p + p + c - due, 83);
    let uniform = |offset| Schedule::uniform(&tiles(&[2; 4]), Mode::PhaseKernel, offsets(p, offset));
    for offset in [published, 168] {
        let refused = uniform(offset).unwrap_err();
        assert!(
            matches!(refused, ScheduleError::Offset { phase: Phase::Writeback, least: Nanoseconds(169), .. }),
            "{refused}"
        );
    }
    assert_eq!(uniform(169).unwrap().hyperperiod(), Nanoseconds(3 * p + p + 3 * 169 + w));
}

/// K4, Kr19 section 3.2.5 iii: `T_WBoff` = (kernels - 1) * `PF_off` + `T_PF`; one kernel would write back
/// when its prefetch ends.
#[test]
fn k4_a_single_kernel_computes_before_its_writeback() {
    let (p, c) = (1781, 506);
    let published = |kernels: u64| (kernels - 1) * p + p;
    assert!(published(1) < p + c);
    let schedule = Schedule::uniform(&tiles(&[1]), Mode::PhaseKernel, offsets(p, 421)).unwrap();
    assert_eq!(schedule.slots()[0].writeback, Nanoseconds(p + c));
}

/// K5, Kr19 section 3.2.5 ii and iv: a block's slot is kernel * blocks of the kernel + block.
#[test]
fn k5_slots_are_numbered_through() {
    let blocks = [2, 1];
    let published = |kernel: usize, block: u64| kernel as u64 * blocks[kernel] + block;
    assert_eq!(published(0, 1), published(1, 0));
    let schedule = Schedule::uniform(&tiles(&blocks), Mode::TileBlock, offsets(2708, 0)).unwrap();
    let mut places: Vec<Nanoseconds> = schedule.slots().iter().map(|slot: &Slot| slot.prefetch).collect();
    places.dedup();
    assert_eq!(places.len(), 3);
}

/// K6, Kr19 section 4.2.3: 512 tiles of 4 x 512 elements for 1026 x 1022 elements and a mask of 3 x 3. A tile
/// has 2 x 510 results.
#[test]
fn k6_512_tiles_are_half_of_the_data() {
    let results = (1026 - 2) * (1022 - 2);
    assert_eq!(2 * 512 * (4 - 2) * (512 - 2), results);
}

/// K7, Kr19 section 4.2.3: the longest run of four legacy kernels is said to be shorter than that of one, four times in a
/// row. The averages of Table 4.1 are the other way round, and so are the longest runs in the published data (in ns).
#[test]
fn k7_four_legacy_kernels_take_longer_than_one_four_times() {
    let (one, four, scheduled) = (657_u64, 2675_u64, 2670_u64); // Table 4.1, in us
    assert!(four > 4 * one);
    assert!(scheduled < four, "the schedule of 1300 ns takes no longer on average");
    let (longest_of_one, longest_of_four) = (663_296_u64, 2_795_040_u64);
    assert!(longest_of_four > 4 * longest_of_one);
}

/// The page names every test of this file, and no other.
#[test]
fn the_page_names_every_erratum() {
    let (page, tests) = (include_str!("../../../docs/errata.md"), include_str!("errata.rs"));
    let is_erratum =
        |name: &&str| name.starts_with(['e', 'k']) && name[1..].starts_with(|c: char| c.is_ascii_digit());
    let mut named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_erratum).collect();
    let functions = tests.split("\nfn ").skip(1).filter_map(|rest| rest.split('(').next());
    let mut there: Vec<&str> = functions.filter(is_erratum).collect();
    named.sort_unstable();
    there.sort_unstable();
    assert_eq!(named, there);
}
