//! The worst case of LLCLL on four warps, which is 17 cycles, and a schedule of this length.

use warpspan::prelude::*;
use warpspan::schedule::chart;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let one_warp_a_cycle = Multiprocessor::default();
    let workload = Workload::single("LLCLL".parse::<Code>()?, 4, one_warp_a_cycle)?;
    let solution = Solver::new().solve(&workload)?;

    let worst_case = solution.worst_case();
    assert!(worst_case.is_exact());
    assert_eq!(worst_case.upper().cycles(), Cycles(17));

    let instance = workload.instance().expect("a kernel string has one path");
    let worst = solution.witness().expect("small schedules are written out");
    assert_eq!(
        chart(instance, worst.schedule(), 80),
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
