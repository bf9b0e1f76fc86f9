//! C(m) of a task whose kernels are cut into tiles: the bound of their time-triggered schedule
//! ([`prem`](warpspan_prem)).
//!
//! Other partitions use the memory meanwhile, so the bound is that by durations under contention, which hold whatever
//! co-runs with a phase, with conflict and without. It needs all blocks of the file on the multiprocessors at once.
//! Where m multiprocessors do not hold these, there is no bound, and C(m) is the longest time that can be represented,
//! so that no deadline can be met.

use crate::LONGEST;
use crate::hardware::Hardware;
use warpspan_model::assumption::Rests;
use warpspan_model::device::{Between, Gpu, WARP, fit_anyhow};
use warpspan_model::source::{Source, text_of};
use warpspan_model::time::Millionths;
use warpspan_prem::{KernelDraft, read_bounded};

/// C(m) for m from 1 to this number of multiprocessors, and what it assumes, a sentence each.
///
/// What is wrong is a sentence, too.
pub(super) fn times(
    source: &Source<'_>,
    file: &str,
    hardware: &Hardware<'_>,
    multiprocessors: usize,
) -> Result<(Vec<Millionths>, Rests), String> {
    let path = source.beside(file);
    let text = text_of(&path, "kernels cut into tiles, in TOML").map_err(|what| what.to_string())?;
    let bounded = read_bounded(&path.display().to_string(), &text).map_err(|what| what.to_string())?;
    let missing = "other partitions may use the memory meanwhile: want [contended] durations";
    let executions = bounded.beside.as_ref().ok_or(missing)?;
    let longest = executions.iter().map(|execution| execution.time()).max().unwrap_or_default();
    let time = longest.millionths().filter(|&time| time < LONGEST);
    let time = time.ok_or_else(|| format!("{} ns: want less", longest.0))?;
    if bounded.kernels.iter().any(|kernel| kernel.block[0] == 0) {
        return Err("the file does not say how large blocks are: want threads_per_block in it".into());
    }
    let demand = |kernel: &KernelDraft| {
        let [threads, shared_memory] = kernel.block;
        let demand = hardware.device.demand(threads, WARP, shared_memory, Between::exactly(0));
        (kernel.blocks, demand.most())
    };
    let demands: Vec<_> = bounded.kernels.iter().map(demand).collect();
    let on = |gpu: &Gpu| if fit_anyhow(gpu, &demands) { time } else { LONGEST };
    let times: Vec<Millionths> =
        (1..=multiprocessors as u64).map(|m| on(&hardware.device.gpu_of(m))).collect();
    if times.iter().all(|&time| time == LONGEST) {
        return Err(format!(
            "its blocks do not fit on {multiprocessors} multiprocessors at once: want smaller ones"
        ));
    }
    let mut rests = bounded.rests;
    rests.add(Vec::from_iter(executions.first().map(|it| it.assumption().rests_on())).into());
    Ok((times, rests.of(file)))
}
