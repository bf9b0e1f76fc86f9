//! Machines with latency and issue width: the exhaustive search over positions, and the bounds.
//!
//! `cargo bench --bench machine`. The searches are single-threaded.

use std::hint::black_box;
use std::sync::Arc;

use criterion::Criterion;
use warpspan::engines::latency::bounds;
use warpspan::engines::positions::solve;
use warpspan::limits::Limits;
use warpspan::model::Group;
use warpspan::model::machine::{Latency, Machine, MachineWorkload, Unit};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("search over positions");
    group.sample_size(10);
    // I letters, and Lambda idle cells after all of them but the last.
    for (name, width, text, latencies, warps) in [
        ("I = 5, Lambda = 12, W = 8, latencies 1 to 4", 2, "LCLCC", [[1, 4], [1, 4]], 8),
        ("I = 5, Lambda = 12, W = 8, latencies of 4", 2, "LCLCC", [[4, 4], [4, 4]], 8),
        ("I = 8, Lambda = 35, W = 4, latencies 1 to 6", 1, "LCLCLCLC", [[1, 6], [1, 6]], 4),
    ] {
        let workload = workload(width, text, latencies, warps);
        group.bench_function(name, |bencher| {
            bencher.iter(|| solve(black_box(&workload), &Limits::generous(), &|_| {}));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("bounds");
    for warps in [32, 1_000_000_000] {
        let workload = workload(2, "(LCCLC)1000", [[1, 400], [4, 6]], warps);
        group.bench_function(format!("5,000 letters, {warps} warps"), |bencher| {
            bencher.iter(|| bounds(black_box(&workload)));
        });
    }
    group.finish();
    criterion.final_summary();
}

/// One scheduler with a unit L and a unit C.
fn workload(width: u64, text: &str, latencies: [[u64; 2]; 2], warps: u64) -> MachineWorkload {
    let unit =
        |name: &str, [least, most]: [u64; 2]| Unit { latency: Latency { least, most }, ..Unit::simple(name) };
    let units = vec![unit("L", latencies[0]), unit("C", latencies[1])];
    let machine = Machine::new(1, Some(width), units, vec![]).expect("a machine");
    let code = machine.code(text).expect("code");
    MachineWorkload::new(Arc::new(machine), vec![Group { code, warps }]).expect("a workload")
}
