//! A loop of a million rounds against one of ten: a product of matrices for each binary digit of the count.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use criterion::{Criterion, criterion_group, criterion_main};
use warpspan::engines::program::{ProgramGroup, bound};
use warpspan::model::Multiprocessor;
use warpspan::model::program::Piece;

fn programs(criterion: &mut Criterion) {
    let sigmas = Multiprocessor::new("1".parse().unwrap(), "4".parse().unwrap());
    for rounds in [10, 1_000_000] {
        let text = format!("CCLC(LLC{{LC/C}}(LC)0..{rounds}|)0..{rounds}CL");
        let program: Piece = text.parse().unwrap();
        let groups = [ProgramGroup::new(program, 48)];
        criterion.bench_function(&format!("two nested loops of {rounds} rounds"), |bencher| {
            bencher.iter(|| bound(&groups, sigmas).unwrap());
        });
    }
    let straight: Piece =
        "(LCLLCCC)1000".parse::<warpspan::model::Kernel>().unwrap().to_string().parse().unwrap();
    let groups = [ProgramGroup::new(straight, 48)];
    criterion.bench_function("7,000 letters in a row", |bencher| {
        bencher.iter(|| bound(&groups, sigmas).unwrap());
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = programs
}
criterion_main!(benches);
