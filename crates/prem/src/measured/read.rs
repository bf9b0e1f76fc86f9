//! Reading a file of measured times.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::{LONGEST, MOST_BLOCKS, Phase};
use warpspan_model::source::{InputError, json};
use warpspan_model::time::Nanoseconds;

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The number of kernels.
    pub kernels: usize,
    /// The blocks of each kernel.
    pub blocks: usize,
    /// The threads of a block.
    pub threads: u64,
    /// The tiles of a block, where phases were recorded.
    pub tiles: Option<usize>,
    /// For each run, the start and the end of each block on the timer, kernel by kernel.
    pub runs: Vec<Vec<(Nanoseconds, Nanoseconds)>>,
    /// The phases of prefetch, computation and writeback, where they were recorded: kernel by kernel, block by
    /// block, tile by tile.
    pub phases: Option<[Vec<Recorded>; 3]>,
    /// The multiprocessor of each block in each run, where it was recorded.
    pub multiprocessors: Vec<u64>,
}

/// A phase that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// When it began, where that was recorded.
    pub start: Option<Nanoseconds>,
    /// How long it took.
    pub time: Nanoseconds,
}

/// A whole number, or a text that says one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Whole(u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Want;
        impl Visitor<'_> for Want {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of 0 or more")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(value))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Whole, E> {
                text.parse().map(Whole).map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Want)
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "nofThreads")]
    threads: Whole,
    #[serde(rename = "nofBlocks")]
    blocks: Whole,
    #[serde(rename = "nofKernel")]
    kernels: Whole,
    #[serde(rename = "nof_repetitions")]
    repetitions: Whole,
    #[serde(rename = "tileCount")]
    tiles: Option<Whole>,
    prefetchtimes: Option<Vec<Whole>>,
    computetimes: Option<Vec<Whole>>,
    writebacktimes: Option<Vec<Whole>>,
    blocktimes: Vec<Whole>,
    #[serde(default)]
    smid: Vec<Whole>,
}

/// The most numbers of one list that are sensible: far more than a file of 1 GiB holds.
const MOST: u64 = 1 << 30;

/// Reads a file of measured times; `place` is its name in messages.
///
/// Lists of phases hold a duration of each tile, or the start and the end. The files of Kr19's experiments hold
/// one number more, which is left out.
///
/// # Errors
/// The first thing that is wrong.
pub fn read_measured(place: &str, text: &str) -> Result<Measured, InputError> {
    let file: File = json(text.as_bytes(), "").map_err(|error| error.within(place))?;
    let wrong = |what: String| InputError::new(place, what);
    let count = |key: &str, value: Whole, most: u64| match value.0 {
        0 => Err(wrong(format!("{key} = 0: want 1 or more"))),
        many if many > most => Err(wrong(format!("{key} = {many}: want {most} or less"))),
        many => usize::try_from(many).map_err(|_| wrong(format!("{key} = {many}: want less"))),
    };
    let kernels = count("nofKernel", file.kernels, MOST_BLOCKS)?;
    let blocks = count("nofBlocks", file.blocks, MOST_BLOCKS)?;
    let repetitions = count("nof_repetitions", file.repetitions, MOST)?;
    let tiles = file.tiles.map(|tiles| count("tileCount", tiles, MOST)).transpose()?;
    let together = kernels * blocks;
    if together as u64 > MOST_BLOCKS {
        return Err(wrong(format!("{together} blocks in all: want {MOST_BLOCKS} or fewer")));
    }
    let wanted = 2 * together as u64 * repetitions as u64;
    let found = file.blocktimes.len();
    if found as u64 != wanted {
        let what = format!(
            "blocktimes has {found} numbers: want {wanted}, the start and the end of each block of each run"
        );
        return Err(wrong(what));
    }
    let pairs = pairs("blocktimes", &file.blocktimes).map_err(wrong)?;
    // The runs of a kernel stand together, so those of a run do not.
    let of_run = |run: usize| {
        let of = |kernel: usize| pairs[(kernel * repetitions + run) * blocks..][..blocks].iter().copied();
        (0..kernels).flat_map(of).collect()
    };
    let lists = [
        (Phase::Prefetch, file.prefetchtimes),
        (Phase::Compute, file.computetimes),
        (Phase::Writeback, file.writebacktimes),
    ];
    let phases = match lists {
        [(_, None), (_, None), (_, None)] => None,
        [(_, Some(prefetch)), (_, Some(compute)), (_, Some(writeback))] => {
            let tiles = tiles.ok_or_else(|| wrong("no tileCount: want the tiles of a block".into()))?;
            let many = together as u64 * tiles as u64;
            let list = |phase: Phase, list: &[Whole]| recorded(phase, list, many).map_err(wrong);
            Some([
                list(Phase::Prefetch, &prefetch)?,
                list(Phase::Compute, &compute)?,
                list(Phase::Writeback, &writeback)?,
            ])
        }
        lists => {
            let missing = lists.iter().find(|(_, list)| list.is_none()).map_or("", |(phase, _)| phase.name());
            return Err(wrong(format!("no {missing}times: want those of all three phases, or of none")));
        }
    };
    let multiprocessors = file.smid.into_iter().map(|id| id.0).collect();
    let runs = (0..repetitions).map(of_run).collect();
    Ok(Measured { kernels, blocks, threads: file.threads.0, tiles, runs, phases, multiprocessors })
}

fn time(key: &str, value: Whole) -> Result<Nanoseconds, String> {
    let time = Nanoseconds(value.0);
    if time > LONGEST {
        Err(format!("{key} holds {}: want {} ns or less", value.0, LONGEST.0))
    } else {
        Ok(time)
    }
}

/// Starts and ends.
fn pairs(key: &str, list: &[Whole]) -> Result<Vec<(Nanoseconds, Nanoseconds)>, String> {
    let pair = |pair: &[Whole]| {
        let (start, end) = (time(key, pair[0])?, time(key, pair[1])?);
        if end < start {
            return Err(format!(
                "{key} holds an end of {} after a start of {}: want none before",
                end.0, start.0
            ));
        }
        Ok((start, end))
    };
    list.chunks_exact(2).map(pair).collect()
}

fn recorded(phase: Phase, list: &[Whole], many: u64) -> Result<Vec<Recorded>, String> {
    let key = format!("{phase}times");
    let found = list.len() as u64;
    // Of one tile two numbers are a start and an end, and not a duration and one more.
    if found == 2 * many || found == 2 * many + 1 {
        let pairs = pairs(&key, list)?;
        let one = |(start, end)| Recorded { start: Some(start), time: end - start };
        return Ok(pairs.into_iter().map(one).collect());
    }
    if found == many || found == many + 1 {
        let one = |&value: &Whole| Ok(Recorded { start: None, time: time(&key, value)? });
        return list[..list.len().min(usize::try_from(many).unwrap_or(usize::MAX))].iter().map(one).collect();
    }
    Err(format!("{key} has {found} numbers: want {many} durations, or {} starts and ends", 2 * many))
}
