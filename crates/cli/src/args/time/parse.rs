//! Co-running kernels as flags of `time` name them.

use std::path::PathBuf;

use warpspan_launch::{Sizes, block, grid, time};
use warpspan_model::time::Duration;

/// A co-running kernel: `FILE:ENTRY:GRID:BLOCK`, and how often it is launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Other {
    pub(crate) file: PathBuf,
    pub(crate) entry: String,
    pub(crate) grid: Sizes,
    pub(crate) block: Sizes,
    pub(crate) period: Option<Duration>,
}

pub(crate) fn other(text: &str) -> Result<Other, String> {
    let want = || "want FILE:ENTRY:GRID:BLOCK, or FILE:ENTRY:GRID:BLOCK:PERIOD".to_owned();
    let (rest, last) = text.rsplit_once(':').ok_or_else(want)?;
    let (rest, period, last) = match time(last) {
        Ok(period) => {
            let (rest, block) = rest.rsplit_once(':').ok_or_else(want)?;
            (rest, Some(period), block)
        }
        Err(_) => (rest, None, last),
    };
    let (rest, blocks) = rest.rsplit_once(':').ok_or_else(want)?;
    let (file, entry) = rest
        .rsplit_once(':')
        .filter(|(file, entry)| !file.is_empty() && !entry.is_empty())
        .ok_or_else(want)?;
    let of = |what: &str, error: String| format!("{what}: {error}");
    if period == Some(Duration::ZERO) {
        return Err("the period: want more than 0".to_owned());
    }
    Ok(Other {
        file: file.into(),
        entry: entry.to_owned(),
        grid: grid(blocks).map_err(|error| of("the grid", error))?,
        block: block(last).map_err(|error| of("the block", error))?,
        period,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_beside() {
        let found = other("a:b/k.sass:blur:64x2:256").unwrap();
        assert_eq!((found.file.to_str(), found.entry.as_str()), (Some("a:b/k.sass"), "blur"));
        assert_eq!((found.grid.all(), found.block.all(), found.period), (128, 256, None));
        assert_eq!(other("k.sass:blur:64:256:10ms").unwrap().period, Some(Duration(10_000_000_000)));
        for wrong in ["k.sass", "k.sass:64:256", ":blur:64:256", "k:b:0:1", "k:b:1:2048", "k:b:1:1:0ms"] {
            assert!(other(wrong).is_err(), "{wrong}");
        }
    }
}
