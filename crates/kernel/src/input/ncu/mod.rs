//! The memory traffic of one launch of a kernel, from what Nsight Compute (`ncu`) prints.
//!
//! Three forms are read: `ncu --csv` with a row for each metric, `ncu --csv --page raw` with a row for each launch, and
//! the text of `ncu --page raw` or `--print-details all`. Lines of the profiler (`==PROF== ...`) and of the program may
//! precede the table.
//!
//! The numbers are bounds from above on what was counted: where the profiler printed a rounded number, the largest
//! number that it may stand for is taken.

mod kernel;
mod metric;
mod number;
mod table;
#[cfg(test)]
mod tests;
mod text;

use self::kernel::Wanted;
use self::metric::{DRAM, L1, L2, Way};
use self::number::Notation;
use warpspan_model::source::{InputError, Message, disturbs};

/// What to run for a file with what is wanted.
const RUN: &str = "ncu --metrics dram__bytes.sum,lts__t_sectors.sum --print-units base --csv";
/// The most names of kernels in a message.
const NAMES: usize = 8;

/// The traffic of one launch of a kernel, as Nsight Compute counted it. Of several launches it is the largest of each
/// number, so the numbers need not be of the same launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The kernel as the file names it, at its first launch.
    pub kernel: String,
    /// The number of its launches in the file.
    pub launches: u64,
    /// The blocks of the grid, if the file tells them and all launches have the same.
    pub grid: Option<[u64; 3]>,
    /// The threads of a block, if the file tells them and all launches have the same.
    pub block: Option<[u64; 3]>,
    /// The bytes that were read from and written to device memory.
    pub dram_bytes: Option<u64>,
    /// The bytes that were asked of the L2 cache, in whole sectors.
    pub l2_bytes: Option<u64>,
    /// The requests to the L1 cache.
    pub l1_requests: Option<u64>,
}

/// What a file says of a launch.
#[derive(Debug, Default)]
struct Launch {
    kernel: String,
    /// The first line about it.
    line: usize,
    /// The sizes as they are printed; empty where they are not.
    grid: String,
    block: String,
    cells: Vec<Cell>,
}

/// A value of a metric that is read.
#[derive(Debug)]
struct Cell {
    line: usize,
    metric: &'static str,
    unit: String,
    value: String,
}

/// The launches of a file, and how it writes numbers.
#[derive(Debug, Default)]
struct Launches {
    all: Vec<Launch>,
    notation: Notation,
}

/// Reads the traffic of a launch of `kernel` from what Nsight Compute printed. `kernel` is the name of a listing's entry,
/// mangled or not. A name without its template arguments stands for all kernels of that name.
///
/// # Errors
/// If the text is not of Nsight Compute, has no launch of the kernel, or has no metric that gives its traffic, and if a
/// number cannot be told for certain, or is there for some launches of the kernel and not for others.
pub fn read_ncu(place: &str, text: &str, kernel: &str) -> Result<Counted, InputError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let launches = match table::header(text) {
        Some(header) => table::read(place, text, &header)?,
        None => text::read(place, text)?,
    };
    if launches.all.is_empty() {
        return Err(without_launch(place, text));
    }
    let wanted = Wanted::new(kernel);
    let of_kernel: Vec<&Launch> =
        launches.all.iter().filter(|launch| wanted.is_named(&launch.kernel)).collect();
    let Some(first) = of_kernel.first() else {
        return Err(another_kernel(place, kernel, &launches));
    };
    let largest = |ways| largest(place, &of_kernel, &launches.notation, ways);
    let (dram_bytes, l2_bytes, l1_requests) = (largest(DRAM)?, largest(L2)?, largest(L1)?);
    if [dram_bytes, l2_bytes, l1_requests] == [None; 3] {
        let what = format!("nothing that tells the traffic of {}: run {RUN}", plain(&first.kernel));
        return Err(InputError::new(place, what));
    }
    if !text.ends_with('\n') {
        let what = "the last line has no end, so that its number may be cut off: want all that Nsight Compute printed";
        return Err(wrong(place, text.lines().count(), what));
    }
    Ok(Counted {
        kernel: first.kernel.clone(),
        launches: of_kernel.len() as u64,
        grid: same_size(place, &of_kernel, "grid", |launch| &launch.grid)?,
        block: same_size(place, &of_kernel, "block", |launch| &launch.block)?,
        dram_bytes,
        l2_bytes,
        l1_requests,
    })
}

/// The largest of a number over all launches. A launch without it might have the largest, so either all have it or none.
fn largest(
    place: &str,
    launches: &[&Launch],
    notation: &Notation,
    ways: &'static [Way],
) -> Result<Option<u64>, InputError> {
    let mut totals = Vec::new();
    for launch in launches {
        totals.push((launch, metric::total(place, &launch.cells, notation, ways)?));
    }
    let most = totals.iter().filter_map(|&(_, total)| total).max();
    match (most, totals.iter().find(|(_, total)| total.is_none())) {
        (Some(_), Some((launch, _))) => {
            let metric = ways[0].metrics[0];
            let what = format!(
                "this launch of {} has no {metric}, or what gives it, and another has: want it for all launches",
                plain(&launch.kernel)
            );
            Err(wrong(place, launch.line, what))
        }
        (most, _) => Ok(most),
    }
}

/// The size that all launches have.
fn same_size(
    place: &str,
    launches: &[&Launch],
    of: &str,
    printed: impl Fn(&Launch) -> &str,
) -> Result<Option<[u64; 3]>, InputError> {
    let mut sizes = Vec::new();
    for launch in launches {
        let size = printed(launch);
        let read = number::size(size).map_err(|what| wrong(place, launch.line, format!("{of} {what}")))?;
        sizes.push(read);
    }
    let first = sizes.first().copied().flatten();
    Ok(first.filter(|&first| sizes.iter().all(|&size| size == Some(first))))
}

/// Why a text has no launch: the profiler's own words, if it has said so.
fn without_launch(place: &str, text: &str) -> InputError {
    let failed = |line: &str| {
        line.starts_with("==ERROR==") || line.starts_with("==WARNING== No kernels were profiled")
    };
    match text.lines().enumerate().find(|(_, line)| failed(line)) {
        Some((at, line)) => wrong(place, at + 1, format!("no launch: {}", plain(line))),
        None => InputError::new(
            place,
            format!("no launch of a kernel: want what Nsight Compute prints: run {RUN}"),
        ),
    }
}

fn another_kernel(place: &str, kernel: &str, launches: &Launches) -> InputError {
    let mut names: Vec<String> = Vec::new();
    let mut more = 0_usize;
    for launch in &launches.all {
        let name = plain(&launch.kernel);
        match names.contains(&name) {
            true => {}
            false if names.len() < NAMES => names.push(name),
            false => more += 1,
        }
    }
    let more = if more > 0 { ", and others" } else { "" };
    InputError::new(place, format!("no launch of {}: the file has {}{more}", plain(kernel), names.join(", ")))
}

/// A text of a file as part of a message of one line.
fn plain(text: &str) -> String {
    text.trim().chars().map(|character| if disturbs(character) { '?' } else { character }).collect()
}

fn wrong(place: &str, line: usize, what: impl Into<Message>) -> InputError {
    InputError { place: place.to_owned(), line: Some(line), what: what.into() }
}
