//! Bounds for several numbers of warps, all of them formulas, so that a whole curve is there at once.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use warpspan::engines::portfolio::{Side, table};

use crate::ask::Ask;
use crate::json;

/// What is asked: an instance, for each number of warps in place of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Curve {
    ask: Ask,
    warps: Vec<u64>,
}

/// What is known of so many warps, in cycles.
#[derive(Debug, Serialize)]
struct Point {
    warps: u64,
    /// A safe lower bound.
    lower: u64,
    /// A safe upper bound.
    upper: u64,
    /// Whether the upper bound is the worst case.
    exact: bool,
    /// Be12 Eq. 5-7.
    pessimistic: u64,
    pessimistic_is_safe: bool,
}

pub(crate) fn curve(curve: &Curve) -> Result<Value, String> {
    let point = |&warps: &u64| -> Result<Point, String> {
        let ask = Ask { warps: Some(warps), ..curve.ask.clone() };
        let (_, instance, _) = ask.straight()?;
        let rows = table(&instance, None, &ask.limits());
        let safe = |side| rows.iter().filter(move |row| row.safe && row.side == side).map(|row| row.value.0);
        let pessimistic = rows.iter().find(|row| row.name == "pessimistic").ok_or("no pessimistic bound")?;
        let is_closed =
            |row: &warpspan::engines::portfolio::Row| row.name == "phase" && row.source.ends_with("; exact");
        Ok(Point {
            warps,
            lower: safe(Side::Lower).max().unwrap_or_default(),
            upper: safe(Side::Upper).min().ok_or("no upper bound")?,
            exact: rows.iter().any(is_closed),
            pessimistic: pessimistic.value.0,
            pessimistic_is_safe: pessimistic.safe,
        })
    };
    json(curve.warps.iter().map(point).collect::<Result<Vec<_>, String>>()?)
}
