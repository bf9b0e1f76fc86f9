//! What `warpspan partition` prints as CSV.

use crate::Failure;
use warpspan_document::partition::{COLUMNS, rows};
use warpspan_records::Partition;

pub(super) fn csv(found: &Partition) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(Failure::internal)?;
    rows(found, ["true", "false"]).try_for_each(|row| writer.write_record(row)).map_err(Failure::internal)?;
    let bytes = writer.into_inner().map_err(Failure::internal)?;
    String::from_utf8(bytes).map_err(Failure::internal)
}
