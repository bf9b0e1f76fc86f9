//! What a record is about, in words.

use std::fmt::Write;

use crate::Document;
use crate::words::several;
use warpspan_records::Instance;

/// Codes longer than this are cut short, and kernel strings are shown with counts.
const LONG: usize = 60;

/// An instance in a few words.
pub fn title(instance: &Instance) -> String {
    let of = |kernel: &str| match instance.machine {
        Some(_) => cut(kernel),
        // one group with branches or loops makes programs of all
        None if is_straight(instance) => counted(kernel),
        None => format!("program {}", cut(kernel)),
    };
    let launch = match &instance.grid {
        Some(grid) => {
            let code: String = instance.groups.iter().map(|group| of(&group.kernel)).collect();
            let (blocks, warps) = (several(grid.blocks, "block"), several(grid.warps_per_block, "warp"));
            let room = match grid.multiprocessors {
                1 => format!("{} at once", grid.resident.min(grid.blocks)),
                many => format!("{} at once on each of {many} multiprocessors", grid.resident),
            };
            format!("{code}, {blocks} of {warps}, {room}")
        }
        None => {
            let group = |group: &warpspan_records::Group| {
                format!("{}, {}", of(&group.kernel), several(group.warps, "warp"))
            };
            let groups: Vec<String> = instance.groups.iter().map(group).collect();
            let block = instance.warps_per_block.map(|block| format!(", blocks of {block}"));
            groups.join(" + ") + &block.unwrap_or_default()
        }
    };
    match &instance.machine {
        Some(machine) => {
            let name = if machine.name.is_empty() { "the file's" } else { &machine.name };
            let width =
                machine.issue_width.map_or_else(|| "any number".to_owned(), |width| width.to_string());
            format!("{launch}; machine {name}: {}, {width} a cycle", several(machine.schedulers, "scheduler"))
        }
        None => {
            let sigmas = sigmas(instance).map(|(unit, sigma)| format!("sigma_{unit} = {sigma}"));
            format!("{launch}; {}", sigmas.join(", "))
        }
    }
}

/// An instance in full: with its expansion to sub-warps where kernels are straight lines.
pub fn heading(instance: &Instance) -> String {
    let mut out = title(instance);
    if instance.machine.is_some() || !is_straight(instance) {
        return out;
    }
    let kernels = expanded(instance);
    let ratios = sigmas(instance).map(|(unit, sigma)| (unit, sigma, ratio(sigma)));
    if !instance.groups.iter().zip(&kernels).all(|(group, kernel)| group.kernel == *kernel) {
        let kernels: Vec<String> = kernels.iter().map(|kernel| counted(kernel)).collect();
        let whole = ratios.map(|(unit, _, (p, _))| format!("sigma_{unit} = {p}")).join(", ");
        let _ = write!(out, "\nexpanded to sub-warps (Be12 section 3): {}; {whole}", kernels.join(" + "));
    }
    for (unit, sigma, (p, q)) in ratios.into_iter().filter(|(.., (p, q))| *p > 1 && *q > 1) {
        let _ = write!(
            out,
            "\nsigma_{unit} = {sigma} is outside Be12: taken as {q} sub-warps a warp, {p} of them a cycle, each in a \
             cycle of its own"
        );
    }
    out
}

/// Rates and labellings of the phase bound: which parts of a kernel act as one phase.
pub(crate) fn phases(out: &mut Document, instance: &Instance, rates: &[String], labels: &[String]) {
    // the rate of a closed form is that of one kernel in one block, at sigma 1 after the expansion
    let is_closed = instance.groups.len() == 1
        && instance.warps_per_block.is_none()
        && sigmas(instance).iter().all(|(_, sigma)| ratio(sigma).0 == 1);
    let adds = match (is_straight(instance), is_closed) {
        (false, _) => "cycles that a further warp of a block adds at most",
        (true, true) => "cycles that each warp adds, from the third on",
        (true, false) => "cycles that a further warp adds at most",
    };
    out.fact("phases", format!("a = {}: {adds}", rates.join(", ")));
    for (kernel, labels) in expanded(instance).iter().zip(labels) {
        if length(kernel) <= LONG {
            out.fact("  kernel", kernel);
            out.fact("  acts as", labels);
        }
    }
}

/// The sigmas as the record has them; none on a machine.
fn sigmas(instance: &Instance) -> [(char, &str); 2] {
    [('L', &instance.sigma_l), ('C', &instance.sigma_c)]
        .map(|(unit, sigma)| (unit, sigma.as_deref().unwrap_or_default()))
}

/// Numerator and denominator of a sigma: the letters that a unit issues a cycle, and those of an instruction.
fn ratio(sigma: &str) -> (u64, usize) {
    let (p, q) = sigma.split_once('/').unwrap_or((sigma, "1"));
    (p.parse().unwrap_or(1), q.parse().unwrap_or(1))
}

/// The most letters of an instruction: a record that somebody else wrote may have any number.
const MOST_LETTERS: usize = 1 << 12;

/// Kernel strings expanded to sub-warps: each letter comes as often as an instruction of its unit has letters.
fn expanded(instance: &Instance) -> Vec<String> {
    let times = sigmas(instance).map(|(unit, sigma)| (unit, ratio(sigma).1.min(MOST_LETTERS)));
    let of = |letter| times.iter().find(|(unit, _)| *unit == letter).map_or(1, |(_, times)| *times);
    let letters = |letter| std::iter::repeat_n(letter, of(letter));
    instance.groups.iter().map(|group| group.kernel.chars().flat_map(letters).collect()).collect()
}

/// Whether all kernels are kernel strings, without branches or loops.
fn is_straight(instance: &Instance) -> bool {
    instance.groups.iter().all(|group| group.kernel.chars().all(|letter| "LC|".contains(letter)))
}

/// The instructions of a kernel string, of which a barrier is none.
fn length(kernel: &str) -> usize {
    kernel.chars().filter(|&letter| letter != '|').count()
}

/// A kernel string, with counts if it is long.
pub(crate) fn counted(kernel: &str) -> String {
    if length(kernel) <= LONG {
        return kernel.to_owned();
    }
    let mut text = String::new();
    for run in kernel.as_bytes().chunk_by(|a, b| a == b && *a != b'|') {
        text.push(run[0].into());
        if run.len() > 1 {
            let _ = write!(text, "{}", run.len());
        }
        if text.len() > LONG {
            return format!("{}... ({} instructions)", &text[..LONG], length(kernel));
        }
    }
    text
}

/// A text, cut short if it is long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
