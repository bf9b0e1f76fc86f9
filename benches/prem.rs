//! The interval check of a million tiles: four kernels of two blocks, in each mode, on a timer that divides
//! the hyperperiod and on one that does not.
//!
//! `cargo bench --bench prem`.

use std::hint::black_box;

use criterion::Criterion;
use warpspan::limits::Limits;
use warpspan::model::time::Nanoseconds;
use warpspan::realtime::prem::{
    Durations, Jitter, Mode, Offsets, Phases, Schedule, TileSet, TiledKernel, check, simulate,
};

fn main() {
    let phases =
        Phases { prefetch: Nanoseconds(1781), compute: Nanoseconds(506), writeback: Nanoseconds(421) };
    let kernel = TiledKernel { name: "K".into(), blocks: 2, tiles: 1_000_000, phases, contended: None };
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for (timer, offset) in [(1, 1300), (160, 1300), (1000, 1301)] {
        let tile_set =
            TileSet::new(vec![kernel.clone(); 4], Nanoseconds(timer), Nanoseconds::ZERO, Nanoseconds::ZERO);
        let tile_set = tile_set.expect("a tile_set");
        for mode in Mode::ALL {
            let offsets = Offsets { prefetch: Nanoseconds(offset), writeback: Nanoseconds(offset) };
            let schedule = Schedule::uniform(&tile_set, mode, offsets).expect("a schedule");
            let pattern = schedule.pattern();
            let name = format!("check, {mode}, timer {timer} ns, pattern of {pattern}");
            criterion.bench_function(&name, |bencher| {
                bencher.iter(|| check(black_box(&schedule), Durations::Planned));
            });
            if timer == 160 && !mode.is_block_wise() {
                let jitter = Jitter { low: 80, high: 105 };
                criterion.bench_function(&format!("simulate, {mode}"), |bencher| {
                    bencher.iter(|| simulate(black_box(&schedule), jitter, 1, 0, &Limits::generous()));
                });
            }
        }
    }
    criterion.final_summary();
}
