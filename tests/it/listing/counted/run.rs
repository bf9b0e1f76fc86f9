//! What one thread does, as the text of a kernel says.

use super::super::executor::random::Random;
use super::generate::Kernel;
use crate::interpreter::ptx::Registers;
use crate::interpreter::text::Code;
use crate::interpreter::thread::{Position, Thread};
use crate::interpreter::warp::{Passes, Watch, run};

#[derive(Debug, Clone, Copy)]
pub(super) struct Launch {
    pub(super) parameters: [i64; 2],
    pub(super) threads: i64,
    pub(super) blocks: i64,
    pub(super) thread: i64,
    pub(super) block: i64,
}

struct Watched<'c, 'r> {
    passes: Passes<'c>,
    random: &'r mut Random,
}

impl Watch for Watched<'_, '_> {
    fn step(&mut self, at: usize, here: &[usize], active: &[usize]) {
        self.passes.step(at, here, active);
    }

    /// Memory may hold anything.
    fn held(&mut self, _: u64, _: bool) -> u64 {
        if self.random.one_in(2) { u64::from(self.random.below(20)) } else { self.random.next() }
    }
}

/// The passes of each loop, by each time that the thread comes to it from outside, and whether the thread came to its end.
pub(super) fn passes(
    (kernel, listing): (&Kernel, &str),
    launch: &Launch,
    random: &mut Random,
    limit: usize,
) -> (Vec<Vec<u64>>, bool) {
    let code = Code::read(listing);
    let labels: Vec<String> = (0..kernel.loops).map(|number| format!("L{number}")).collect();
    let known = labels.iter().filter_map(|label| code.labels.get_key_value(label.as_str()));
    let passes = Passes::new(&code, known.map(|(label, _)| *label));
    let number = |number: i64| u32::try_from(number).unwrap();
    let place = Position {
        thread: [number(launch.thread), 0, 0],
        block: [number(launch.block), 0, 0],
        threads: [number(launch.threads), 1, 1],
        blocks: [number(launch.blocks), 1, 1],
        lane: number(launch.thread % 32),
    };
    let ended = match listing.starts_with(".version") {
        true => {
            let [one, two] = launch.parameters.map(i64::cast_unsigned);
            let mut thread = Registers::new(place, &[("n0", one), ("n1", two)]);
            for register in 0..60 {
                for (class, bits) in [("rs", 16), ("r", 32), ("rd", 64), ("p", 1)] {
                    thread.held.insert(format!("%{class}{register}"), random.next() >> (64 - bits));
                }
            }
            let mut watched = Watched { passes, random };
            let ended = run(&code, &mut [thread], limit, &mut watched);
            (watched.passes, ended)
        }
        false => {
            let thread = thread(place, kernel.bits, listing.contains("sm_120"), launch, random);
            let mut watched = Watched { passes, random };
            let ended = run(&code, &mut [thread], limit, &mut watched);
            (watched.passes, ended)
        }
    };
    let of = |label: &String| {
        if code.labels.contains_key(label.as_str()) { ended.0.of(label).to_vec() } else { vec![] }
    };
    (labels.iter().map(of).collect(), ended.1)
}

fn thread(place: Position, bits: u32, of_12: bool, launch: &Launch, random: &mut Random) -> Thread {
    let mut thread = Thread::new(place);
    let mut word = || u32::try_from(random.next() >> 32).unwrap();
    thread.general.fill_with(&mut word);
    thread.uniform.fill_with(&mut word);
    thread.predicates.fill_with(|| word() % 2 == 0);
    thread.uniform_predicates.fill_with(|| word() % 2 == 0);
    let (first, threads, blocks) = if of_12 { (0x380, 0x360, 0x370) } else { (0x160, 0x0, 0xc) };
    let words = launch
        .parameters
        .iter()
        .flat_map(|one| [*one, one >> 32])
        .map(|word| u32::try_from(word & 0xffff_ffff).unwrap());
    let step = if bits == 32 { 2 } else { 1 };
    thread.give(first, &words.step_by(step).collect::<Vec<_>>());
    thread.give(threads, &place.threads);
    thread.give(blocks, &place.blocks);
    thread
}
