//! The rules that compare blocks with what the host saw: G1, G4, C1 and C4.

use crate::measured::rules::{Tally, beyond, by_start, earliest, latest};
use crate::measured::{Finding, Measurement, Rule};
use warpspan_model::time::Duration;

pub(super) fn findings(run: &Measurement, tolerance: Duration) -> [Finding; 4] {
    let [mut called, mut seen, mut copied_out, mut copied_in] =
        [Rule::G1, Rule::G4, Rule::C1, Rule::C4].map(|rule| Tally::new(rule, tolerance));
    for (number, launch) in run.launches.iter().enumerate() {
        let first = by_start(launch).first().copied().unwrap_or_default();
        let (start, (end, last)) = (launch.start(), launch.last_end());
        called.judge([number, first], start, beyond(earliest(launch.called), start), || {
            let (block, start) = (run.block(number, first), run.time(start));
            format!("{block} starts at {start}, before its launch is called at {}", run.time(launch.called))
        });
        if let Some(waited) = launch.synchronised {
            seen.judge([number, last], end, beyond(end, latest(waited)), || {
                let (block, end) = (run.block(number, last), run.time(end));
                format!("{block} ends at {end}, after the host saw its stream empty at {}", run.time(waited))
            });
        }
        let Some([copy_in, copy_out]) = launch.copies else { continue };
        copied_out.judge([number, last], end, beyond(end, latest(copy_out)), || {
            let (block, end) = (run.block(number, last), run.time(end));
            format!(
                "{block} ends at {end}, after the copy out behind it was complete at {}",
                run.time(copy_out)
            )
        });
        copied_in.judge([number, first], start, beyond(earliest(copy_in), start), || {
            let (block, start) = (run.block(number, first), run.time(start));
            format!(
                "{block} starts at {start}, before the copy in ahead of it was complete at {}",
                run.time(copy_in)
            )
        });
    }
    [called.end(), seen.end(), copied_out.end(), copied_in.end()]
}
