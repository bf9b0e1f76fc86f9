//! Why the numbers of a line are what they are.

mod ending;

use crate::explain::{Condition, Ended, Explain};
use crate::verify::How;
use crate::verify::evidence::without_doubts;
use crate::{ReadError, Record, Verify, read};

impl Explain {
    /// Why the numbers of a line are what they are.
    ///
    /// # Errors
    /// If the line is no record; `Ok(None)` if its record holds no number that is explained.
    pub fn of(line: &[u8]) -> Result<Option<Self>, ReadError> {
        let Some(verify) = Verify::of(line)? else { return Ok(None) };
        let Verify { of, numbers, contradictions, assumptions, notes, theorems, weakest: _ } = verify;
        let reasons = numbers.into_iter().map(Into::into).collect();
        let mut found = Self { reasons, assumptions, notes, theorems, ..Self::empty(of.unwrap_or_default()) };
        let record = read(&without_doubts(line).0)?;
        found.ended = ending::of(&record);
        match &record {
            Record::Solve(solve) => found.solve(&solve.record, line)?,
            Record::Bound(bound) => found.bound(&bound.record),
            Record::SweepRow(row) => found.sweep_row(row),
            Record::Rta(rta) => found.rta(&rta.record),
            Record::Time(time) => found.time(&time.record),
            Record::Partition(partition) => found.partition(&partition.record),
            _ => {}
        }
        for one in contradictions {
            let condition = Condition::of("the record agrees with itself", false, one.why);
            found
                .reason(&one.number)
                .into_iter()
                .for_each(|reason| reason.conditions.push(condition.clone()));
        }
        for reason in &mut found.reasons {
            if reason.is_refuted() {
                reason.checked = How::Unknown;
                reason.why = Some("nothing proves it: see what does not hold".to_owned());
            }
        }
        if let Some(ended) = found.ended.take() {
            let why = match found.is_refuted() {
                true => {
                    format!("{}; that is what the record says, and something below contradicts it", ended.why)
                }
                false => ended.why,
            };
            found.ended = Some(Ended { why, ..ended });
        }
        Ok(Some(found))
    }
}
