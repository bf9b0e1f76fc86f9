//! Blocks that follow one another on multiprocessors that share servers.

use std::sync::Arc;

use rand::RngExt;
use warpspan::engines::latency::{Block, Blocks, completion, followed, grid, grid_followed};
use warpspan::model::machine::{Machine, Step};
use warpspan::model::program::Piece;
use warpspan::realtime::time::{Launch, Lone, Multiprocessors, Residency};

use super::flaws::{self, Flaw, asked};
use super::oracle::{Member, System};
use super::random::{MOST, Shape, code, lines, machine};

/// Blocks on multiprocessors, with the worst cycles until the last issue and until the last result.
pub(super) struct Case {
    machine: Arc<Machine>,
    pub(super) code: Piece<Step>,
    warps: u64,
    blocks: u64,
    pub(super) resident: u64,
    multiprocessors: u64,
    /// For how many cycles units are held at the start.
    pub(super) held: u64,
    /// The most that each server is asked, if that is declared.
    declared: Vec<Option<u64>>,
    /// Whether the schedulers get equally many warps of each block; otherwise the first one gets all.
    spread: bool,
    pub(super) worst: [u64; 2],
}

fn of(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

impl Case {
    pub(super) fn new(seed: u64, shape: Shape, is_declared: bool) -> Self {
        let mut rng = crate::common::cases::random(seed);
        loop {
            let machine = Arc::new(machine(&mut rng, shape));
            let code = code(&mut rng, shape, 2);
            let multiprocessors = rng.random_range(1..=2);
            let all = rng.random_range(1..=3 - u64::from(shape == Shape::Others)) + multiprocessors - 1;
            let (warps, resident) = (if rng.random_bool(0.7) { 1 } else { 2 }, rng.random_range(1..=2));
            let held = if rng.random_bool(0.2) { rng.random_range(1..=2) } else { 0 };
            let declared = machine.servers().iter().map(|_| is_declared.then(|| rng.random_range(0..=4)));
            let (declared, blocks) = (declared.collect(), all);
            let spread = rng.random_bool(0.5);
            let case = Self {
                machine,
                code,
                warps,
                blocks,
                resident,
                multiprocessors,
                held,
                declared,
                spread,
                worst: [0; 2],
            };
            if let Some(worst) = case.search() {
                return Self { worst, ..case };
            }
        }
    }

    /// The worst case of warps that stay with their schedulers.
    fn search(&self) -> Option<[u64; 2]> {
        let schedulers = of(self.machine.schedulers());
        let scheduler = |warp: usize| if self.spread { warp % schedulers } else { 0 };
        let block = (0..of(self.warps)).map(|warp| Member { line: 0, class: 0, scheduler: scheduler(warp) });
        let lines = lines(&self.code);
        assert!(lines.len() == 1, "a straight line");
        let system = System {
            machine: &self.machine,
            lines,
            start: vec![vec![]; of(self.multiprocessors)],
            queue: block.collect(),
            waiting: of(self.blocks),
            places: of(self.resident),
            held: self.held,
            classes: 1,
            declared: self.declared.clone(),
            every_service: false,
        };
        Some(system.worst(MOST)?[0])
    }

    fn queue(&self) -> Blocks<'_> {
        Blocks {
            block: Block { code: &self.code, warps: self.warps },
            number: self.blocks,
            resident: self.resident,
            multiprocessors: self.multiprocessors,
            spread: false,
        }
    }

    pub(super) fn text(&self) -> String {
        format!(
            "{:?}: {} blocks of {} warps, {} on each of {}, held {}, declared {:?}: {:?}",
            lines(&self.code),
            self.blocks,
            self.warps,
            self.resident,
            self.multiprocessors,
            self.held,
            self.declared,
            self.machine
        )
    }

    /// The bounds with the traffic that is declared.
    pub(super) fn check(&self) {
        let [issue, result] = self.worst;
        let mut traffic = self.queue().traffic(&self.machine).unwrap();
        for (server, most) in self.declared.iter().enumerate() {
            traffic = most.map_or(traffic.clone(), |most| traffic.at_most(server, most.into()));
        }
        let upper = followed(&self.machine, &self.queue(), self.held, &traffic).unwrap();
        assert!(result <= upper.upper.cycles().0, "{result} > {upper:?} until the end: {}", self.text());
        if self.declared.iter().all(Option::is_none) {
            let same = completion(&self.machine, &self.queue(), self.held).unwrap();
            assert_eq!(same, upper.upper);
        }
        if self.code.has_barrier() || self.held > 0 {
            return;
        }
        let upper = grid_followed(&self.machine, &self.queue(), 0, &traffic).unwrap();
        assert!(issue <= upper.upper.cycles().0, "{issue} > {upper:?}: {}", self.text());
        let longest = self.machine.letters().iter().map(|letter| letter.latency.most).max().unwrap();
        let upper = grid_followed(&self.machine, &self.queue(), longest - 1, &traffic).unwrap();
        assert!(result <= upper.upper.cycles().0, "{result} > {upper:?} with results: {}", self.text());
        if self.declared.iter().all(Option::is_none) {
            let upper = grid(&self.machine, &self.queue()).unwrap().cycles().0;
            assert!(issue <= upper, "{issue} > {upper}: {}", self.text());
        }
    }

    /// A launch of this code that has the GPU for itself.
    fn lone<'a>(&'a self, launch: &'a Launch, residency: &'a Residency, on: Multiprocessors) -> Lone<'a> {
        let (machine, code) = (&self.machine, &self.code);
        Lone { machine, code, launch, residency, on, declared: &[], in_all: &[] }
    }

    /// The bound of a launch that has the GPU for itself.
    pub(super) fn check_alone(&self) {
        if self.held > 0 || self.declared.iter().any(Option::is_some) {
            return;
        }
        let launch = Launch { blocks: self.blocks, threads: 32 * self.warps };
        let residency = Residency { least: self.resident, most: self.resident, limits: vec![] };
        let most_warps = self.warps * self.resident;
        let on = Multiprocessors { number: self.multiprocessors, most_warps, dealt_evenly: false };
        let found = self.lone(&launch, &residency, on).bound().unwrap();
        let (result, upper) = (self.worst[1], found.cycles.0);
        // Only a spread block has the bound of spread blocks, where this differs from that of any.
        let bound = if self.spread { upper } else { found.without_spread.map_or(upper, |cycles| cycles.0) };
        assert!(result <= bound, "{result} > {bound} alone, {found:?}: {}", self.text());
        let parts = found.parts.own + found.parts.others;
        let servers = found.parts.servers.iter().sum::<i128>();
        assert_eq!(parts + servers, i128::from(upper).into(), "{}", self.text());
    }

    /// Whether each multiprocessor has room for no more blocks than it gets where they are dealt evenly, so that they are in every schedule.
    pub(super) fn is_dealt_evenly(&self) -> bool {
        self.held == 0
            && self.declared.iter().all(Option::is_none)
            && self.resident == self.blocks.div_ceil(self.multiprocessors)
    }

    /// The bound of blocks that are dealt evenly, and that of those of one multiprocessor with `blocks` and nothing else.
    pub(super) fn dealt_evenly(&self, blocks: u64) -> [u64; 2] {
        let threads = 32 * self.warps;
        let residency = Residency { least: self.resident, most: self.resident, limits: vec![] };
        let of = |blocks, number, dealt_evenly| {
            let on = Multiprocessors { number, most_warps: self.warps * self.resident, dealt_evenly };
            let launch = Launch { blocks, threads };
            let found = self.lone(&launch, &residency, on).bound().unwrap();
            if self.spread {
                found.cycles.0
            } else {
                found.without_spread.map_or(found.cycles.0, |cycles| cycles.0)
            }
        };
        [of(self.blocks, self.multiprocessors, true), of(blocks, 1, false)]
    }

    /// The bound until the last issue with a flaw.
    pub(super) fn flawed(&self, flaw: Flaw) -> u64 {
        let free = Arc::new(Machine::clone(&self.machine).without_servers());
        let base = grid(&free, &self.queue()).unwrap().cycles().0;
        let blocks = match flaw {
            Flaw::OtherMultiprocessors => self.blocks.div_ceil(self.multiprocessors),
            _ => self.blocks,
        };
        let asked = asked(&self.machine, &[(lines(&self.code), self.warps * blocks)]);
        flaws::bound(self.machine.servers(), &asked, base, flaw)
    }
}
