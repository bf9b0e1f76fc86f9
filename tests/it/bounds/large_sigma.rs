//! Sigmas above the number of warps: no more letters issue in a cycle than there are warps, so they change
//! nothing.

use crate::brute;
use std::time::Duration;

use assert_cmd::Command;
use warpspan::bound::{bottleneck, critical_path};
use warpspan::engines::phase;
use warpspan::engines::policy::{Policy, Scenario, of_model, simulate};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor, Unit, WarpGroup};

const VAST: [&str; 4] = ["5", "4294967296", "1000000000000", "18446744073709551615"];

fn sigmas(l: &str, c: &str) -> Multiprocessor {
    Multiprocessor::new(l.parse().unwrap(), c.parse().unwrap())
}

fn instance(groups: &[(&str, u64)], multiprocessor: Multiprocessor) -> Instance {
    let group = |&(kernel, warps): &(&str, u64)| WarpGroup { kernel: kernel.parse().unwrap(), warps };
    Instance::new(groups.iter().map(group).collect(), multiprocessor).unwrap()
}

/// For vast sigmas every engine and bound gives what it gives where sigma is the number of warps. The brute
/// force over named warps agrees; its sigmas are given here, not by the library.
#[test]
fn a_sigma_above_the_number_of_warps_changes_nothing() {
    let limits = Limits::new(Some(Duration::from_secs(60)), 1 << 28, 1, Default::default());
    let mixes: [&[(&str, u64)]; 6] = [
        &[("LCC", 4)],
        &[("LLCCLC", 3)],
        &[("CLCL", 2)],
        &[("LLC", 1)],
        &[("LC", 2), ("CCL", 2)],
        &[("L", 3), ("LLCC", 1)],
    ];
    for groups in mixes {
        let warps: u64 = groups.iter().map(|group| group.1).sum();
        let all = warps.to_string();
        for other in ["1", "2"] {
            let capped = instance(groups, sigmas(&all, other));
            let other_sigma = other.parse::<u64>().unwrap().min(warps);
            let (best, worst) = brute::makespans_with(&capped, [warps, other_sigma]);
            for vast in VAST.iter().filter(|vast| vast.parse::<u64>().unwrap() >= warps) {
                let same = instance(groups, sigmas(vast, other));
                assert_eq!(critical_path(&same).cycles(), critical_path(&capped).cycles());
                assert_eq!(bottleneck(&same).cycles(), bottleneck(&capped).cycles());
                let (a, b) = (phase::bound(&same), phase::bound(&capped));
                assert_eq!(a, b, "{groups:?} {vast}");
                assert!(a.makespan.cycles().0 >= worst && critical_path(&same).cycles().0 >= worst);
                assert!(bottleneck(&same).cycles().0 <= best);
                for engine in [EngineChoice::Auto, EngineChoice::States, EngineChoice::Phase] {
                    let found = Solver::new().engine(engine.clone()).limits(&limits).solve(&same).unwrap();
                    assert!(found.worst_case().is_exact(), "{groups:?} {vast} {engine:?}");
                    assert_eq!(found.worst_case().upper().cycles().0, worst, "{groups:?} {vast} {engine:?}");
                    assert!(found.best_case().is_none_or(|found| found.0 == best));
                }
                let workload = of_model(&same).unwrap();
                for policy in [Policy::Lrr, Policy::Gto, Policy::Random] {
                    let run = simulate(&workload, policy, &Scenario::of(&workload), &limits).unwrap();
                    assert!((best..=worst).contains(&run.makespan().0), "{groups:?} {vast} {policy}");
                }
            }
        }
    }
}

/// A unit that takes every warp makes none wait: the result is I plus the waits for the other unit.
#[test]
fn no_warp_waits_for_a_unit_that_takes_them_all() {
    for vast in VAST {
        let free = instance(&[("LLCLL", 5)], sigmas(vast, vast));
        assert_eq!(critical_path(&free).cycles().0, 5);
        assert_eq!(phase::bound(&free).makespan.cycles().0, 5);
        assert_eq!(Unit::ALL.map(|unit| free.sigma(unit)), [5, 5]);
        let one = instance(&[("LLCLL", 5)], sigmas(vast, "1"));
        assert_eq!(critical_path(&one).cycles().0, 5 + 4);
    }
}

/// On the command line no command hangs or aborts, with the threads and memory of a small machine.
#[test]
fn vast_sigmas_and_warps_are_answered_at_once() {
    let quick = |args: &[&str], code: i32| {
        let mut command = Command::cargo_bin("warpspan").unwrap();
        let limits = ["--time-limit", "2s", "--memory-limit", "64M"];
        let output = command.args(args).args(limits).timeout(Duration::from_secs(60)).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for sigma in ["4294967296", "1000000000000", "18446744073709551615"] {
        let out = quick(&["solve", "--kernel", "LCC", "--warps", "4", "--sigma-l", sigma], 0);
        assert!(out.contains("worst case  9 cycles, exact"), "{out}");
        let out = quick(&["bound", "--kernel", "LCC", "--warps", "4", "--sigma-c", sigma], 0);
        assert!(out.contains("| critical-path |      6 |"), "{out}");
        quick(&["simulate", "--kernel", "LCC", "--warps", "4", "--sigma-l", sigma, "--sigma-c", sigma], 0);
        let out = quick(
            &["solve", "--engine", "states", "--group", "LCC:2", "--group", "CL:2", "--sigma-c", sigma],
            0,
        );
        assert!(out.contains("exact"), "{out}");
    }
    // These commands once looked at the limits too seldom, or not at all.
    quick(&["simulate", "--kernel", "LC", "--warps", "1000000", "--sigma-l", "2", "--policy", "lrr"], 2);
    let vast = ["--warps", "1000000000000000000", "--sigma-l", "2"];
    quick(&[&["bound", "--kernel", "LC", "--up-to", "100000"], &vast[..]].concat(), 3);
    quick(&[&["solve", "--kernel", "LC"], &vast[..]].concat(), 3);
    quick(&["solve", "--kernel", "(LC)1000000", "--warps", "3", "--sigma-l", "2"], 3);
}
