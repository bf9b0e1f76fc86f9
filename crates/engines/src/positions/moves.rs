//! The adversary's choices in a state, and the states that they lead to.

use crate::positions::layout::{Action, Class, Layout};
use warpspan_model::limits::{Limits, Stop};

/// The warps of a class that stand on one cell, ready for its letter.
#[derive(Debug, Clone, Copy)]
struct Pool<'a> {
    action: &'a Action,
    scheduler: usize,
    instances: usize,
    /// The place of the first of them. The others follow, since the places of a class are sorted.
    first: usize,
    count: u32,
    issuing: u32,
}

/// An issue: the place of the warp, its letter and the latency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Issued<'a> {
    pub(super) place: usize,
    pub(super) action: &'a Action,
    pub(super) latency: u32,
}

/// Between two looks at the limits, so many steps of the enumeration are done.
const STEPS_A_LOOK: u64 = 1 << 16;

/// Enumerates the choices of states.
pub(super) struct Moves<'a> {
    layout: &'a Layout,
    limits: &'a Limits,
    steps: u64, // done so far
    pools: Vec<Pool<'a>>,
    slots: Vec<u32>, // by scheduler: the slots that are left
    free: Vec<u32>,  // by instances: how many are free
    next: Vec<u32>,  // the state after the choice that is being built
    taken: Vec<usize>,
    issued: Vec<Issued<'a>>,
    hindmost: Vec<u32>, // by block with barriers: the least position of its warps
}

impl<'a> Moves<'a> {
    pub(super) fn new(layout: &'a Layout, limits: &'a Limits) -> Self {
        Self {
            layout,
            limits,
            steps: 0,
            pools: Vec::new(),
            slots: vec![layout.width; layout.seen.len()],
            free: Vec::new(),
            next: Vec::new(),
            taken: Vec::new(),
            issued: Vec::new(),
            hindmost: vec![0; layout.blocks.len()],
        }
    }

    /// Calls `visit` with the state after each choice, in the next cycle, and with the issues of the choice.
    /// Of choices that differ only by the names of warps it takes one. The places of each class must be
    /// sorted in `state`.
    ///
    /// A state may have very many choices, so it gives up, and is of no further use, if a limit is reached or
    /// `visit` says so.
    pub(super) fn each(
        &mut self,
        state: &[u32],
        visit: &mut impl FnMut(&[u32], &[Issued<'a>]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let layout = self.layout;
        self.look_at_barriers(state);
        self.free.clear();
        self.free.extend(layout.instances.iter().map(|instances| {
            let held = state[instances.places.clone()].iter().filter(|&&cycles| cycles > 0).count();
            instances.count - u32::try_from(held).unwrap_or(u32::MAX)
        }));
        self.pools.clear();
        for class in &layout.classes {
            let mut place = class.places.start;
            for alike in state[class.places.clone()].chunk_by(|a, b| a == b) {
                if let Some(action) = self.ready(class, alike[0]) {
                    self.pools.push(Pool {
                        action,
                        scheduler: class.scheduler,
                        instances: layout.seen[class.scheduler][action.unit],
                        first: place,
                        count: u32::try_from(alike.len()).unwrap_or(u32::MAX),
                        issuing: 0,
                    });
                }
                place += alike.len();
            }
        }
        self.next.clear();
        self.next.extend_from_slice(state);
        pass(layout, &mut self.next, 1);
        self.choose(0, visit)
    }

    /// Moves a state in which no warp can issue to the first one in which some warp can, or in which all have
    /// finished. Returns the number of cycles that pass.
    pub(super) fn wait(&mut self, state: &mut [u32]) -> u32 {
        let mut cycles = 0;
        while let Some(pause) = self.pause(state) {
            pass(self.layout, state, pause);
            cycles += pause;
        }
        cycles
    }

    /// The number of cycles until something changes that may let a warp issue. It is `None` if some warp can
    /// issue now. If all warps have finished, it is `None` too, and all instances are set free.
    fn pause(&mut self, state: &mut [u32]) -> Option<u32> {
        self.look_at_barriers(state);
        let mut pause: Option<u32> = None;
        let mut is_finished = true;
        for class in &self.layout.classes {
            let cells = &self.layout.tracks[class.group].cells;
            for &at in &state[class.places.clone()] {
                let Some(cell) = cells.get(at as usize) else { continue };
                is_finished = false;
                let left = match cell {
                    Err(left) => *left,
                    Ok(action) if self.ready(class, at).is_some() => {
                        let instances =
                            &self.layout.instances[self.layout.seen[class.scheduler][action.unit]];
                        match state[instances.places.clone()].iter().min() {
                            None | Some(0) => return None,
                            Some(&soonest) => soonest,
                        }
                    }
                    Ok(_) => continue, // some other warp is to come to the barrier, and goes on
                };
                pause = Some(pause.map_or(left, |pause| pause.min(left)));
            }
        }
        if is_finished {
            self.layout.instances.iter().for_each(|instances| state[instances.places.clone()].fill(0));
        }
        pause
    }

    /// The letter of a position at which a warp is ready.
    fn ready(&self, class: &Class, at: u32) -> Option<&'a Action> {
        let action = self.layout.tracks[class.group].cells.get(at as usize)?.as_ref().ok()?;
        let is_closed = action.is_gate && class.block.is_some_and(|block| self.hindmost[block] < at);
        (!is_closed).then_some(action)
    }

    fn look_at_barriers(&mut self, state: &[u32]) {
        for (least, classes) in self.hindmost.iter_mut().zip(&self.layout.blocks) {
            let places = classes.iter().flat_map(|&class| self.layout.classes[class].places.clone());
            *least = places.map(|place| state[place]).min().unwrap_or(0);
        }
    }

    /// Tries every number of issues of each pool from one on.
    fn choose(
        &mut self,
        at: usize,
        visit: &mut impl FnMut(&[u32], &[Issued<'a>]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.look()?;
        let Some(&Pool { scheduler, instances, count, .. }) = self.pools.get(at) else {
            let may_wait = |pool: &Pool<'_>| {
                pool.issuing == pool.count
                    || self.slots[pool.scheduler] == 0
                    || self.free[pool.instances] == 0
            };
            if self.pools.iter().all(may_wait) {
                self.hold();
                self.land(0, 0, visit)?;
                self.taken.drain(..).for_each(|place| self.next[place] = 0);
            }
            return Ok(());
        };
        let most = count.min(self.slots[scheduler]).min(self.free[instances]);
        for issuing in (0..=most).rev() {
            self.pools[at].issuing = issuing;
            self.slots[scheduler] -= issuing;
            self.free[instances] -= issuing;
            self.choose(at + 1, visit)?;
            self.slots[scheduler] += issuing;
            self.free[instances] += issuing;
        }
        Ok(())
    }

    /// Looks at the limits now and then.
    fn look(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_A_LOOK) { self.limits.go_on() } else { Ok(()) }
    }

    /// Lets the issues hold instances beyond this cycle. It does not matter which of the free ones they are.
    fn hold(&mut self) {
        for pool in &self.pools {
            let mut places = self.layout.instances[pool.instances].places.clone();
            if places.is_empty() || pool.action.occupancy == 1 {
                continue;
            }
            for _ in 0..pool.issuing {
                if let Some(place) = places.find(|&place| self.next[place] == 0) {
                    self.next[place] = pool.action.occupancy - 1;
                    self.taken.push(place);
                }
            }
        }
    }

    /// Tries every latency of the issues of each pool from one on, beginning with its `done`-th issue. Within
    /// a pool latencies rise, since its warps are interchangeable.
    fn land(
        &mut self,
        at: usize,
        done: u32,
        visit: &mut impl FnMut(&[u32], &[Issued<'a>]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.look()?;
        let Some(&Pool { action, first, issuing, .. }) = self.pools.get(at) else {
            return visit(&self.next, &self.issued);
        };
        if done == issuing {
            return self.land(at + 1, 0, visit);
        }
        let place = first + done as usize;
        let cell = self.next[place];
        let least = match self.issued.last() {
            Some(before) if done > 0 => before.latency,
            _ => action.least,
        };
        for latency in least..=action.most {
            self.next[place] = action.lands(latency);
            self.issued.push(Issued { place, action, latency });
            self.land(at, done + 1, visit)?;
            self.issued.pop();
        }
        self.next[place] = cell;
        Ok(())
    }
}

/// Lets cycles pass, no more than until the next warp comes to a letter, in which no warp issues.
fn pass(layout: &Layout, state: &mut [u32], cycles: u32) {
    for class in &layout.classes {
        let cells = &layout.tracks[class.group].cells;
        for at in &mut state[class.places.clone()] {
            if let Some(Err(_)) = cells.get(*at as usize) {
                *at += cycles;
            }
        }
    }
    for instances in &layout.instances {
        state[instances.places.clone()].iter_mut().for_each(|held| *held = held.saturating_sub(cycles));
    }
}
