//! Every bound and estimate of an instance as rows of one table.

use crate::portfolio::row::{Row, Side, Value};
use crate::portfolio::{Terms, grid};
use warpspan_check::bound::{Estimate, Lower, Theorem, bottleneck, critical_path, min_over_y, pessimistic};
use warpspan_check::seal::SEAL;
use warpspan_engines::program::ProgramError;
use warpspan_engines::{phase, relay};
use warpspan_model::limits::Limits;
use warpspan_model::{Grid, Instance};

/// The table of a grid: the bounds that hold for blocks that follow one another, and no other.
///
/// # Errors
/// If a program has no bound.
pub fn grid_table(grid: &Grid) -> Result<Vec<Row>, ProgramError> {
    let (upper, lower) = (relay::bound(grid)?, grid::bottleneck(grid)?);
    let source = if grid.starts_together() {
        "the phase bound of the blocks that one multiprocessor holds"
    } else {
        "sum over the blocks of what each costs, present or followed"
    };
    let relay = Row::upper("relay", upper, source);
    let source = "max of ceil(x B I_U / sigma_U), x blocks on one multiprocessor";
    Ok(vec![relay, Row::lower("bottleneck", lower, source)])
}

/// The table of an instance. `terms` are given if the estimate is wanted.
pub fn table(instance: &Instance, terms: Option<&Terms>, limits: &Limits) -> Vec<Row> {
    let eq_5_7 = pessimistic(instance);
    let source = "Be12 Eq. 5-7";
    let mut rows = vec![
        match eq_5_7.upper() {
            Some(upper) => Row::upper("pessimistic", upper, source),
            None => Row::unsafe_value("pessimistic", Side::Upper, eq_5_7.cycles(), source),
        },
        Row::upper("critical-path", critical_path(instance), "I + sum of floor((W-1) I_U / sigma_U)"),
    ];
    let bound = phase::bound_while(instance, &|| limits.stopped().is_none());
    let more = Value::Phase {
        rates: bound.rates.iter().map(ToString::to_string).collect(),
        labels: bound.labels,
        finish: bound.finish,
    };
    let closed = phase::solve(instance, limits);
    let attained = closed.as_ref().ok().map(|closed| closed.upper);
    let (upper, source) = match closed {
        Ok(closed) if closed.upper.theorem() == Theorem::LongestPair => {
            (closed.upper, "longest path over pairs of positions; exact")
        }
        Ok(closed) => (closed.upper, "closed form I + (W-1) a; exact"),
        Err(_) if instance.has_barriers() => {
            (bound.makespan, "I + n c + sum of the others' a, barriers apart")
        }
        Err(_) => (bound.makespan, "I + n c + sum of the others' a"),
    };
    rows.push(Row::upper("phase", upper, source).with(more));
    if let Some(upper) = phase::by_segments(instance, limits) {
        rows.push(Row::upper("segments", upper, "sum over the segments between barriers"));
    }
    let warps = instance.total_warps();
    if let Some(Estimate { cycles, terms }) = terms.and_then(|terms| min_over_y(warps, &terms.exact)) {
        let estimate = Row::unsafe_value("min-over-y", Side::Estimate, cycles, "Be12 Eq. 42-43");
        rows.push(estimate.with(Value::Terms { terms }));
    }
    if let Some(exact) = attained {
        let lower = Lower::proved(exact.cycles(), exact.theorem(), SEAL);
        rows.push(Row::lower("phase", lower, "the same; a schedule attains it"));
    }
    rows.push(Row::lower("bottleneck", bottleneck(instance), "max of ceil(W I_U / sigma_U)"));
    rows
}
