//! The rules of the GPU once more, tick by tick and block by block, for tests: nothing is shared with the
//! simulator.

pub(crate) mod cycles;
mod machine;

use rand::{Rng, RngExt};
use warpspan::model::device::Resources;
use warpspan::model::time::Duration;
use warpspan::realtime::rta::System;

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
    /// Launches may be more than a period apart.
    pub(crate) later: bool,
    /// What is released at a time comes before what is complete at it.
    pub(crate) releases_first: bool,
    /// Of all this.
    pub(crate) rng: &'a mut R,
}

impl<R> Freedom<'_, R> {
    /// None: what the rules leave open is as in the simulator.
    pub(crate) fn none(rng: &mut R) -> Freedom<'_, R> {
        Freedom { shorter: false, anywhere: false, later: false, releases_first: false, rng }
    }
}

/// How long is played on after `until`.
const PATIENCE: u64 = 3000;

/// Release and completion of every launch before `until`, kernel by kernel; plays on until all of them are
/// complete, or for long: what is then still running is as if it were complete.
pub(crate) fn play<R: Rng>(
    system: &System,
    executions: &[Duration],
    until: u64,
    freedom: &mut Freedom<'_, R>,
) -> Vec<Vec<(u64, u64)>> {
    let mut gpu = Gpu {
        system,
        executions,
        until,
        freedom,
        completions: vec![Vec::new(); system.tasks().len()],
        free: vec![system.gpu().resources; usize::try_from(system.gpu().multiprocessors).unwrap()],
        streams: vec![Vec::new(); system.streams().len()],
        next: system.tasks().iter().map(|task| Some(task.release.0)).collect(),
        kernels: Vec::new(),
        copies: Vec::new(),
        copying: None,
        arrivals: 0,
        open: 0,
        at_head: Vec::new(),
    };
    if gpu.freedom.later {
        for (next, task) in gpu.next.iter_mut().zip(system.tasks()).filter(|(_, task)| task.period.is_some())
        {
            *next = Some(task.release.0 + gpu.freedom.rng.random_range(0..=3));
        }
    }
    for now in 0..until + PATIENCE {
        if gpu.freedom.releases_first {
            gpu.launch(now);
            gpu.queue();
            gpu.place(now);
            gpu.end(now);
        } else {
            gpu.end(now);
            gpu.launch(now);
        }
        gpu.queue();
        gpu.copy(now);
        gpu.place(now);
        let over = gpu.next.iter().flatten().all(|&next| next >= until);
        if over && gpu.open == 0 && now >= until.min(10_000) {
            return gpu.completions;
        }
    }
    for launch in gpu.streams.iter().flatten().filter(|launch| launch.release < until) {
        gpu.completions[launch.task].push((launch.release, until + PATIENCE));
    }
    gpu.completions
}

struct Gpu<'a, 'b, R> {
    system: &'a System,
    executions: &'a [Duration],
    until: u64,
    freedom: &'a mut Freedom<'b, R>,
    completions: Vec<Vec<(u64, u64)>>,
    free: Vec<Resources>,
    streams: Vec<Vec<Launch>>,
    /// The next release of each kernel.
    next: Vec<Option<u64>>,
    /// Priority, arrival and stream of kernels whose blocks are not all placed.
    kernels: Vec<(i64, usize, usize)>,
    /// Arrival and stream of copies.
    copies: Vec<(usize, usize)>,
    copying: Option<(u64, usize)>,
    arrivals: usize,
    /// Launches before `until` that are not complete.
    open: u64,
    /// Streams whose head is new.
    at_head: Vec<usize>,
}

impl<R: Rng> Gpu<'_, '_, R> {
    /// What ends now.
    fn end(&mut self, now: u64) {
        for stream in 0..self.streams.len() {
            let Some(launch) = self.streams[stream].first_mut() else { continue };
            if launch.stage != 1 {
                continue;
            }
            let block = self.system.tasks()[launch.task].block;
            for &(_, place) in launch.ends.iter().filter(|(end, _)| *end == now) {
                add(&mut self.free[place], &block, true);
            }
            let before = launch.ends.len();
            launch.ends.retain(|&(end, _)| end != now);
            if launch.left == 0 && launch.ends.is_empty() && before > 0 {
                self.step(stream, now);
            }
        }
        if let Some((_, stream)) = self.copying.take_if(|(end, _)| *end == now) {
            self.step(stream, now);
        }
    }

    fn step(&mut self, stream: usize, now: u64) {
        let launch = &mut self.streams[stream][0];
        launch.stage += 1;
        while launch.stage < 3 && length(self.system, launch) == Some(0) {
            launch.stage += 1;
        }
        if launch.stage == 3 {
            if launch.release < self.until {
                self.completions[launch.task].push((launch.release, now));
                self.open -= 1;
            }
            self.streams[stream].remove(0);
        }
        if !self.streams[stream].is_empty() {
            self.at_head.push(stream);
        }
    }

    /// What is launched now.
    fn launch(&mut self, now: u64) {
        for (index, task) in self.system.tasks().iter().enumerate() {
            if self.next[index] != Some(now) {
                continue;
            }
            let late = if self.freedom.later { self.freedom.rng.random_range(0..=5) } else { 0 };
            self.next[index] = task.period.map(|period| now + period.0 + late);
            if now >= self.until && self.open == 0 {
                continue;
            }
            let mut launch =
                Launch { task: index, release: now, stage: 0, left: task.blocks, ends: Vec::new() };
            if length(self.system, &launch) == Some(0) {
                launch.stage = 1;
            }
            self.open += u64::from(now < self.until);
            self.streams[task.stream].push(launch);
            if self.streams[task.stream].len() == 1 {
                self.at_head.push(task.stream);
            }
        }
    }

    /// What is new at the head of its stream enters a queue.
    fn queue(&mut self) {
        let mut at_head = std::mem::take(&mut self.at_head);
        at_head.sort_by_key(|&stream| (self.streams[stream][0].release, self.streams[stream][0].task));
        at_head.dedup();
        for stream in at_head {
            self.arrivals += 1;
            match self.streams[stream][0].stage {
                1 => self.kernels.push((-self.system.streams()[stream].priority, self.arrivals, stream)),
                _ => self.copies.push((self.arrivals, stream)),
            }
        }
    }

    fn copy(&mut self, now: u64) {
        self.copies.sort_unstable();
        if self.copying.is_none() && !self.copies.is_empty() {
            let (_, stream) = self.copies.remove(0);
            self.copying = Some((now + length(self.system, &self.streams[stream][0]).unwrap(), stream));
        }
    }

    fn place(&mut self, now: u64) {
        self.kernels.sort_unstable();
        while let Some(&(_, _, stream)) = self.kernels.first() {
            let launch = &mut self.streams[stream][0];
            let block = self.system.tasks()[launch.task].block;
            let free = &self.free;
            let fits: Vec<usize> = (0..free.len()).filter(|&place| holds(&free[place], &block) > 0).collect();
            if fits.is_empty() {
                break;
            }
            let place = if self.freedom.anywhere {
                fits[self.freedom.rng.random_range(0..fits.len())]
            } else {
                *fits.iter().rev().max_by_key(|&&place| holds(&free[place], &block)).unwrap()
            };
            let most = self.executions[launch.task].0;
            let time = if self.freedom.shorter { self.freedom.rng.random_range(1..=most) } else { most };
            add(&mut self.free[place], &block, false);
            launch.ends.push((now + time, place));
            launch.left -= 1;
            if launch.left == 0 {
                self.kernels.remove(0);
            }
        }
    }
}

/// Time of a copy; none for the kernel itself.
fn length(system: &System, launch: &Launch) -> Option<u64> {
    match launch.stage {
        0 => Some(system.tasks()[launch.task].copy_in.0),
        1 => None,
        _ => Some(system.tasks()[launch.task].copy_out.0),
    }
}

fn holds(room: &Resources, block: &Resources) -> u64 {
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

fn add(room: &mut Resources, block: &Resources, back: bool) {
    let change = |room: &mut u64, need: u64| if back { *room += need } else { *room -= need };
    change(&mut room.threads, block.threads);
    change(&mut room.shared_memory, block.shared_memory);
    change(&mut room.registers, block.registers);
    change(&mut room.blocks, 1);
}
