//! A schedule as text: columns are cycles and rows are warps, as in Be12 Fig. 2.

use std::fmt::Write;

use crate::schedule::Schedule;
use warpspan_model::Instance;

/// Draws the schedule with at most `columns` characters a line. Longer schedules continue in further bands.
pub fn chart(instance: &Instance, schedule: &Schedule, columns: usize) -> String {
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let cell = makespan.to_string().len() + 1;
    let heads = heads(instance);
    let margin = heads.iter().map(String::len).max().unwrap_or(0).max("cycle".len());
    let band = ((columns.saturating_sub(margin)) / cell).max(1) as u64;
    let mut out = String::new();
    let mut issues = schedule.issues();
    let mut first = 1;
    while first <= makespan {
        let last = makespan.min(first + band - 1);
        let (here, rest) = issues.split_at(issues.partition_point(|issue| issue.cycle <= last));
        issues = rest;
        let _ = write!(out, "{:<margin$}", "cycle");
        for cycle in first..=last {
            let _ = write!(out, "{cycle:>cell$}");
        }
        out.push('\n');
        let mut rows = vec![vec![' '; usize::try_from(last - first + 1).unwrap_or(usize::MAX)]; heads.len()];
        for issue in here {
            let column = usize::try_from(issue.cycle - first).unwrap_or(usize::MAX);
            let group = issue.group as usize;
            let letter = instance.groups()[group].kernel.units()[issue.instruction as usize].letter();
            rows[row(instance, group, issue.warp)][column] = letter;
        }
        for (head, row) in heads.iter().zip(rows) {
            let line: String = row.iter().map(|letter| format!("{letter:>cell$}")).collect();
            out.push_str(format!("{head:<margin$}{line}").trim_end());
            out.push('\n');
        }
        if last < makespan {
            out.push('\n');
        }
        first = last + 1;
    }
    out
}

/// The number of characters that a line needs to show the schedule in one band.
pub fn chart_width(instance: &Instance, schedule: &Schedule) -> usize {
    let makespan = schedule.issues().last().map_or(0, |issue| issue.cycle);
    let margin = heads(instance).iter().map(String::len).max().unwrap_or(0).max("cycle".len());
    margin + usize::try_from(makespan).unwrap_or(usize::MAX).saturating_mul(makespan.to_string().len() + 1)
}

/// The row of a warp. Rows are in the order of groups, then of warps.
#[doc(hidden)]
pub fn row(instance: &Instance, group: usize, warp: u32) -> usize {
    let before: u64 = instance.groups()[..group].iter().map(|group| group.warps).sum();
    usize::try_from(before + u64::from(warp)).unwrap_or(usize::MAX)
}

/// The names of all warps in the order of rows.
#[doc(hidden)]
pub fn heads(instance: &Instance) -> Vec<String> {
    let one = instance.groups().len() == 1;
    (1..)
        .zip(instance.groups())
        .flat_map(|(number, group)| {
            (1..=group.warps).map(
                move |warp| {
                    if one { format!("warp {warp}") } else { format!("{number}: warp {warp}") }
                },
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Issue;
    use warpspan_model::Multiprocessor;

    #[test]
    fn bands_hold_what_fits() {
        let instance = Instance::single("LC".parse().unwrap(), 2, Multiprocessor::default()).unwrap();
        let issue = |cycle, warp, instruction| Issue { cycle, group: 0, warp, instruction };
        let schedule = Schedule::new(vec![issue(1, 0, 0), issue(2, 0, 1), issue(2, 1, 0), issue(3, 1, 1)]);
        assert_eq!(chart(&instance, &schedule, 80), "cycle  1 2 3\nwarp 1 L C\nwarp 2   L C\n");
        assert_eq!(chart_width(&instance, &schedule), 12);
        assert_eq!(
            chart(&instance, &schedule, 10),
            "cycle  1 2\nwarp 1 L C\nwarp 2   L\n\ncycle  3\nwarp 1\nwarp 2 C\n"
        );
    }
}
