//! How far the heuristics of `partition` are from the exact optimum on 500 small task sets. The program
//! prints the table of docs/partitions.md.
//!
//! Sets of 8 tasks are drawn as in the experiments of Si21, for 16 multiprocessors, 50 at each utilisation
//! from 1 to 10. Each heuristic merges as long as it can, and the number of multiprocessors that it then
//! needs is compared with the smallest number for any partitioning.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use warpspan::limits::Limits;
use warpspan::realtime::partition::{
    Generator, Heuristic, Parameters, Partition, Test, exact, one_partition, verify,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::generous();
    let parameters = Parameters { multiprocessors: 16, ..Parameters::default() };
    let needed = |partitions: &[Partition]| partitions.iter().map(|p| p.multiprocessors).sum::<usize>();
    for test in Test::ALL {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut sets, mut possible, mut one) = (0, 0, 0);
        // How many sets were found schedulable, how many of these need no more than the optimum, the sum of
        // the excesses, and the largest excess.
        let mut lost = [(0, 0, 0, 0); Heuristic::ALL.len()];
        for utilisation in 1..=10_u32 {
            let utilisation = f64::from(utilisation);
            let generator = Generator { tasks: 8, utilisation, parameters: &parameters };
            for _ in 0..50 {
                let set = generator.draw(&mut rng)?;
                sets += 1;
                let best = exact(&set, test, &limits).ok().and_then(|found| found.partitions);
                let Some(best) = best.filter(|best| needed(best) <= 16) else { continue };
                verify(&set, test, &best, &limits)?;
                possible += 1;
                one += u32::from(matches!(one_partition(&set, test, &limits), Ok(Some(_))));
                for (heuristic, lost) in Heuristic::ALL.into_iter().zip(&mut lost) {
                    let found =
                        heuristic.partition(&set, test, 0, &limits).map_err(|why| format!("{why:?}"))?;
                    let more = found.required() - needed(&best);
                    lost.0 += u32::from(found.required() <= 16);
                    lost.1 += u32::from(more == 0);
                    lost.2 += more;
                    lost.3 = more.max(lost.3);
                }
            }
        }
        println!("\n{test}: {possible} of {sets} sets are schedulable; 1G finds {one}\n");
        println!(
            "| heuristic | schedulable | as few as the optimum | mean more | most more |\n|---|---|---|---|---|"
        );
        for (heuristic, (schedulable, same, more, most)) in Heuristic::ALL.into_iter().zip(lost) {
            let mean = f64::from(u32::try_from(more)?) / f64::from(possible);
            println!("| {} | {schedulable} | {same} | {mean:.3} | {most} |", heuristic.name());
        }
    }
    Ok(())
}
