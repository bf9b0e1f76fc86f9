//! The rules of the GPU once more, tick by tick and block by block, for tests: nothing is shared with the simulator.

use rand::{Rng, RngExt};
use warpspan::rta::{Room, System, Time};

/// One launch, as the test sees it.
#[derive(Debug, Clone)]
struct Launch {
    task: usize,
    release: u64,
    stage: usize,
    left: u64,
    ends: Vec<(u64, usize)>,
}

/// How blocks behave and where they go.
pub(crate) struct Freedom<'a, R> {
    /// A block may take less than C.
    pub(crate) shorter: bool,
    /// A block may go to any multiprocessor with room, instead of the one with room for most.
    pub(crate) anywhere: bool,
    /// Of both.
    pub(crate) rng: &'a mut R,
}

/// Release and completion of every launch before `until`, kernel by kernel; plays on until all of them are complete.
pub(crate) fn play<R: Rng>(
    system: &System,
    executions: &[Time],
    until: u64,
    freedom: &mut Freedom<'_, R>,
) -> Vec<Vec<(u64, u64)>> {
    let mut completions = vec![Vec::new(); system.tasks.len()];
    let mut free = vec![system.gpu.room; usize::try_from(system.gpu.multiprocessors).unwrap()];
    let mut streams: Vec<Vec<Launch>> = vec![Vec::new(); system.streams.len()];
    // (priority, arrival, stream) of kernels whose blocks are not all placed; copies by arrival
    let mut kernels: Vec<(i64, usize, usize)> = Vec::new();
    let mut copies: Vec<(usize, usize)> = Vec::new();
    let mut copying: Option<(u64, usize)> = None;
    let mut arrivals = 0;
    let mut open = 0_u64;
    for now in 0..100_000 {
        // what ends now
        let mut at_head: Vec<usize> = Vec::new();
        let mut step = |streams: &mut Vec<Vec<Launch>>, stream: usize, open: &mut u64| {
            let launch = &mut streams[stream][0];
            launch.stage += 1;
            while launch.stage < 3 && length(system, launch) == Some(0) {
                launch.stage += 1;
            }
            if launch.stage == 3 {
                if launch.release < until {
                    completions[launch.task].push((launch.release, now));
                    *open -= 1;
                }
                streams[stream].remove(0);
            }
            if !streams[stream].is_empty() {
                at_head.push(stream);
            }
        };
        for stream in 0..streams.len() {
            let Some(launch) = streams[stream].first_mut() else { continue };
            if launch.stage != 1 {
                continue;
            }
            let block = system.tasks[launch.task].block;
            for &(_, place) in launch.ends.iter().filter(|(end, _)| *end == now) {
                add(&mut free[place], &block, true);
            }
            let before = launch.ends.len();
            launch.ends.retain(|&(end, _)| end != now);
            if launch.left == 0 && launch.ends.is_empty() && before > 0 {
                step(&mut streams, stream, &mut open);
            }
        }
        if let Some((_, stream)) = copying.take_if(|(end, _)| *end == now) {
            step(&mut streams, stream, &mut open);
        }
        // what is launched now
        for (index, task) in system.tasks.iter().enumerate() {
            let due = match (now.checked_sub(task.release.0), task.period) {
                (Some(0), _) => true,
                (Some(since), Some(period)) => since % period.0 == 0,
                _ => false,
            };
            if due && (now < until || open > 0) {
                let mut launch =
                    Launch { task: index, release: now, stage: 0, left: task.blocks, ends: Vec::new() };
                if length(system, &launch) == Some(0) {
                    launch.stage = 1;
                }
                open += u64::from(now < until);
                streams[task.stream].push(launch);
                if streams[task.stream].len() == 1 {
                    at_head.push(task.stream);
                }
            }
        }
        at_head.sort_by_key(|&stream| (streams[stream][0].release, streams[stream][0].task));
        at_head.dedup();
        for stream in at_head {
            arrivals += 1;
            match streams[stream][0].stage {
                1 => kernels.push((-system.streams[stream].priority, arrivals, stream)),
                _ => copies.push((arrivals, stream)),
            }
        }
        // copies, then blocks
        copies.sort_unstable();
        if copying.is_none() && !copies.is_empty() {
            let (_, stream) = copies.remove(0);
            copying = Some((now + length(system, &streams[stream][0]).unwrap(), stream));
        }
        kernels.sort_unstable();
        while let Some(&(_, _, stream)) = kernels.first() {
            let launch = &mut streams[stream][0];
            let block = system.tasks[launch.task].block;
            let fits: Vec<usize> = (0..free.len()).filter(|&place| holds(&free[place], &block) > 0).collect();
            if fits.is_empty() {
                break;
            }
            let place = match freedom.anywhere {
                true => fits[freedom.rng.random_range(0..fits.len())],
                false => *fits.iter().rev().max_by_key(|&&place| holds(&free[place], &block)).unwrap(),
            };
            let most = executions[launch.task].0;
            let time = if freedom.shorter { freedom.rng.random_range(1..=most) } else { most };
            add(&mut free[place], &block, false);
            launch.ends.push((now + time, place));
            launch.left -= 1;
            if launch.left == 0 {
                kernels.remove(0);
            }
        }
        let over = system.tasks.iter().all(|task| task.release.0 < now || task.release.0 >= until);
        if over && open == 0 && now >= until.min(10_000) {
            return completions;
        }
    }
    panic!("the kernels do not come to an end");
}

/// Time of a copy; none for the kernel itself.
fn length(system: &System, launch: &Launch) -> Option<u64> {
    match launch.stage {
        0 => Some(system.tasks[launch.task].copy_in.0),
        1 => None,
        _ => Some(system.tasks[launch.task].copy_out.0),
    }
}

fn holds(room: &Room, block: &Room) -> u64 {
    let mut copy = *room;
    let mut blocks = 0;
    while copy.threads >= block.threads
        && copy.shared_memory >= block.shared_memory
        && copy.registers >= block.registers
        && copy.blocks >= 1
    {
        add(&mut copy, block, false);
        blocks += 1;
    }
    blocks
}

fn add(room: &mut Room, block: &Room, back: bool) {
    let change = |room: &mut u64, need: u64| if back { *room += need } else { *room -= need };
    change(&mut room.threads, block.threads);
    change(&mut room.shared_memory, block.shared_memory);
    change(&mut room.registers, block.registers);
    change(&mut room.blocks, 1);
}
