//! Reading the table `[sharing]` of a file of `prem`.

use crate::sharing::{Capacity, Sharing};
use crate::tables::SharingTable;
use crate::{LONGEST, MOST_BLOCKS, TileSet};
use warpspan_model::source::{InputError, Source, decimal};
use warpspan_model::time::Nanoseconds;

/// What a file says of sharing. The capacity may still have to be fitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharingDraft {
    capacity: Option<Capacity>,
    /// The measured time without a schedule, and its line in the file.
    unscheduled: Option<(Nanoseconds, Option<usize>)>,
    at_least: Option<u64>,
}

impl SharingDraft {
    /// The sharing, once the durations of the phases are known. `place` is the name of the file in messages.
    ///
    /// # Errors
    /// If the measured time does not fit to the durations.
    pub fn fitted(&self, place: &str, tile_set: &TileSet) -> Result<Sharing, InputError> {
        let &Self { mut capacity, at_least, .. } = self;
        if let Some((time, line)) = self.unscheduled {
            let work = super::memory_work(tile_set).0;
            let wrong = || {
                let what = format!(
                    "unscheduled_ns = {}: all memory phases one after the other take {work} ns; want no more than that, and \
                     {MOST_BLOCKS} times as much or more",
                    time.0
                );
                InputError { place: place.to_owned(), line, what: what.into() }
            };
            capacity = Some(Capacity::fitted(tile_set, time).ok_or_else(wrong)?);
        }
        Ok(Sharing { capacity, at_least })
    }
}

/// Reads the table.
pub(crate) fn read(source: &Source<'_>, table: &SharingTable) -> Result<SharingDraft, InputError> {
    let mut draft = SharingDraft::default();
    if let Some(value) = &table.unscheduled_ns {
        let time = source.plausible("unscheduled_ns", value, LONGEST.0)?;
        draft.unscheduled = Some((Nanoseconds(time), source.error(value.span().start, "").line));
    }
    if let Some(value) = &table.capacity {
        let error = |what| source.error(value.span().start, what);
        if draft.unscheduled.is_some() {
            return Err(error(
                "both capacity and unscheduled_ns, to which it would be fitted: want one of them".into(),
            ));
        }
        let text = decimal(value.get_ref());
        let read = Capacity::read(&text).map_err(|what| error(format!("capacity = {text}: {what}")))?;
        draft.capacity = Some(read);
    }
    let at_least = table.at_least.as_ref();
    draft.at_least = at_least.map(|value| source.plausible("at_least", value, MOST_BLOCKS)).transpose()?;
    Ok(draft)
}
