//! Response times of many kernels by Algorithm 2 and by the simulator of the rules, against the number of
//! kernels.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use warpspan::limits::Limits;
use warpspan::model::device::{Gpu, Resources};
use warpspan::model::time::{Duration, TimeUnit};
use warpspan::realtime::rta::{
    Algorithm2, Measured, Method, Request, Source, Stream, System, Task, analyse, bound, executions,
};

/// The C of a kernel, which differs for most kernels, and its 1 to 199 blocks, 100 on average.
fn kernel(index: u64) -> (u64, u64) {
    (1000 + index * 7919 % 9973, 1 + index * 104_729 % 199)
}

fn system(kernels: u64) -> System {
    let task = |index: u64| {
        let (c, blocks) = kernel(index);
        Task {
            name: format!("K{index}"),
            period: None,
            sporadic: false,
            jitter: Duration(0),
            deadline: None,
            release: Duration(0),
            fixed: true,
            execution: Source::Given(Duration(c)),
            measured: Measured::BesideOthers,
            blocks,
            threads: 512,
            block: Resources { threads: 512, shared_memory: 0, registers: 0, blocks: 1 },
            least: Resources { threads: 512, shared_memory: 0, registers: 0, blocks: 1 },
            stream: usize::try_from(index).expect("few kernels"),
            copy_in: Duration(0),
            copy_out: Duration(0),
            traffic: Vec::new(),
        }
    };
    let streams = (0..kernels).map(|_| Stream { name: String::new(), priority: 0 }).collect();
    let tasks = (0..kernels).map(task).collect();
    System::new(Gpu::JETSON_TX2, TimeUnit::Ticks, streams, tasks).expect("blocks fit")
}

/// Kernels that are launched again and again at a load of about 40 %, each of one of 20 strings or with a
/// given C; a third of them are sporadic or have a jitter.
fn periodic(kernels: u64, code: bool) -> System {
    let task = |index: u64| {
        let (c, blocks) = kernel(index);
        let (blocks, letters) = (1 + blocks % 8, usize::try_from(1 + index % 20).expect("few letters"));
        let string = "LLCLCCLLCCCLLLCLCCLL".get(..letters).expect("20 letters");
        let source = if code {
            Source::Code(string.parse().expect("a kernel string"))
        } else {
            Source::Given(Duration(1 + c % 200))
        };
        Task {
            name: format!("K{index}"),
            period: Some(Duration(kernels * (400 + index * 7919 % 997))),
            sporadic: index.is_multiple_of(3),
            jitter: Duration(if index % 3 == 1 { c } else { 0 }),
            deadline: None,
            release: Duration(index),
            fixed: true,
            execution: source,
            measured: Measured::BesideOthers,
            blocks,
            threads: 256,
            block: Resources { threads: 256, shared_memory: 0, registers: 0, blocks: 1 },
            least: Resources { threads: 256, shared_memory: 0, registers: 0, blocks: 1 },
            stream: usize::try_from(index).expect("few kernels"),
            copy_in: Duration(0),
            copy_out: Duration(0),
            traffic: Vec::new(),
        }
    };
    let streams = (0..kernels).map(|_| Stream { name: String::new(), priority: 0 }).collect();
    let tasks = (0..kernels).map(task).collect();
    System::new(Gpu::JETSON_TX2, TimeUnit::Cycles, streams, tasks).expect("blocks fit")
}

/// The safe bounds alone.
fn bounds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rta bound");
    group.sample_size(10);
    for kernels in [100_u64, 1_000, 10_000] {
        for (name, code) in [("measured", false), ("code", true)] {
            let system = periodic(kernels, code);
            let executions = executions(&system, &Limits::generous()).expect("times");
            let found = bound(&system, &executions, &Limits::generous());
            assert!(found.iter().all(|bound| bound.response.is_ok()), "all have bounds");
            group.bench_with_input(BenchmarkId::new(name, kernels), &system, |bencher, system| {
                bencher.iter(|| bound(system, &executions, &Limits::generous()));
            });
        }
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rta");
    group.sample_size(10);
    for kernels in [1_000_u64, 10_000, 100_000] {
        let blocks = (0..kernels).map(|index| kernel(index).1).sum();
        group.throughput(Throughput::Elements(blocks));
        group.bench_with_input(BenchmarkId::new("algorithm2", kernels), &kernels, |bencher, &kernels| {
            bencher.iter(|| {
                let mut gpu = Algorithm2::new(4096);
                for index in 0..kernels {
                    let (c, blocks) = kernel(index);
                    let request =
                        Request { release: Duration(0), execution: Duration(c), blocks, threads: 512 };
                    black_box(gpu.launch(request));
                }
            });
        });
        let system = system(kernels);
        let executions = executions(&system, &Limits::generous()).expect("times are given");
        group.bench_with_input(BenchmarkId::new("analysis", kernels), &system, |bencher, system| {
            bencher.iter(|| analyse(system, &executions, Method::Algorithm2, None, &Limits::generous()));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("rta one kernel");
    for blocks in [1_u64 << 10, 1 << 20, 1 << 40] {
        group.bench_with_input(BenchmarkId::new("algorithm2", blocks), &blocks, |bencher, &blocks| {
            bencher.iter(|| {
                let mut gpu = Algorithm2::new(4096);
                gpu.launch(Request { release: Duration(0), execution: Duration(3), blocks: 3, threads: 512 });
                gpu.launch(Request { release: Duration(0), execution: Duration(7), blocks, threads: 512 })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, growth, bounds);
criterion_main!(benches);
