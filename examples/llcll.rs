//! The worst case of LLCLL on four warps: 17 cycles, and the schedule that takes so long.

use warpspan::engines::portfolio::{Engine, IlpOptions, solve};
use warpspan::limits::Limits;
use warpspan::model::{Instance, Multiprocessor};
use warpspan::schedule::chart;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let one_warp_a_cycle = Multiprocessor::default();
    let instance = Instance::single("LLCLL".parse()?, 4, one_warp_a_cycle)?;
    let solution = solve(&instance, Engine::Auto, &IlpOptions::default(), &Limits::generous(), None)?;

    assert!(solution.interval.is_exact());
    assert_eq!(solution.interval.upper().cycles().0, 17);

    let worst = solution.witness.expect("small schedules are written out");
    assert_eq!(
        chart(&instance, worst.schedule(), 80),
        "\
cycle   1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17
warp 1     L        L  C     L        L
warp 2        L        L  C     L        L
warp 3           L        L  C     L        L
warp 4  L                                      L  C  L  L
"
    );
    Ok(())
}
