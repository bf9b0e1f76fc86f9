//! A schedule on a machine as text: columns are cycles and rows are warps.

use std::fmt::Write;

use crate::schedule::machine::{MachineWitness, records};
use warpspan_model::machine::MachineWorkload;

/// Draws the schedule with at most `columns` characters a line. Each issue is shown by the name of its letter,
/// and the cycles of its latency in which the warp waits by dots. Longer schedules continue in further bands.
pub fn chart(workload: &MachineWorkload, witness: &MachineWitness, columns: usize) -> String {
    let records = records(workload, witness.schedule());
    let last = witness.makespan().0;
    let names = records.iter().map(|record| record.letter.len()).max().unwrap_or(0);
    let cell = last.to_string().len().max(names) + 1;
    let one = workload.groups().len() == 1;
    let head =
        |group: u32, warp: u32| if one { format!("warp {warp}") } else { format!("{group}: warp {warp}") };
    let heads: Vec<(u32, u32, String)> = (1..)
        .zip(workload.groups())
        .flat_map(|(group, of)| {
            // a witness has an issue of every warp with code, so their numbers fit
            let warps = u32::try_from(of.warps).unwrap_or(u32::MAX);
            (1..=warps).map(move |warp| (group, warp, head(group, warp)))
        })
        .collect();
    let margin = heads.iter().map(|(_, _, head)| head.len()).max().unwrap_or(0).max("cycle".len());
    let band = (columns.saturating_sub(margin) / cell).max(1) as u64;
    let mut out = String::new();
    let mut from = 1;
    while from <= last {
        let until = last.min(from + band - 1);
        let _ = write!(out, "{:<margin$}", "cycle");
        (from..=until).for_each(|cycle| _ = write!(out, "{cycle:>cell$}"));
        out.push('\n');
        for (group, warp, head) in &heads {
            let mut line = format!("{head:<margin$}");
            let own = records.iter().filter(|record| (record.group, record.warp) == (*group, *warp));
            let own: Vec<_> = own.collect();
            for cycle in from..=until {
                let latest = own.iter().rev().find(|record| record.cycle <= cycle);
                let shown = match latest {
                    Some(record) if record.cycle == cycle => &record.letter,
                    Some(record) if cycle - record.cycle < record.latency => ".",
                    _ => "",
                };
                let _ = write!(line, "{shown:>cell$}");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if until < last {
            out.push('\n');
        }
        from = until + 1;
    }
    out
}
