//! A loop of a million rounds against one of ten. The bound costs one product of matrices for each binary
//! digit of the count.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use criterion::{Criterion, criterion_group, criterion_main};
use warpspan::engines::program::bound;
use warpspan::model::{Code, Multiprocessor, Workload};

fn programs(criterion: &mut Criterion) {
    let sigmas = Multiprocessor::new("1".parse().unwrap(), "4".parse().unwrap());
    for rounds in [10, 1_000_000] {
        let text = format!("CCLC(LLC{{LC/C}}(LC)0..{rounds}|)0..{rounds}CL");
        let workload = Workload::single(text.parse::<Code>().unwrap(), 48, sigmas).unwrap();
        criterion.bench_function(&format!("two nested loops of {rounds} rounds"), |bencher| {
            bencher.iter(|| bound(&workload).unwrap());
        });
    }
    let straight = Workload::single("(LCLLCCC)1000".parse::<Code>().unwrap(), 48, sigmas).unwrap();
    criterion.bench_function("7,000 letters in a row", |bencher| {
        bencher.iter(|| bound(&straight).unwrap());
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = programs
}
criterion_main!(benches);
