//! Second computations of the numbers of `solve`, `bound` and `sweep`, by the checker of `check`.

use crate::bound::{Bound, Side};
use crate::check::{Judged, Judgement};
use crate::explain::conditions::Subject;
use crate::explain::{Explain, of_solve, schedule};
use crate::solve::Basis;
use crate::{Claim, Group, Instance, ReadError, Solve, SweepRow};
use warpspan_check::bound::bottleneck;
use warpspan_check::record::{self, BasisClaim, Report};
use warpspan_check::schedule::file::from_records;
use warpspan_model::Cycles;

impl Explain {
    /// The conditions of what each number follows from.
    fn conditions(&mut self, subject: &Subject<'_>) {
        for reason in &mut self.reasons {
            reason.conditions = reason.by.iter().flat_map(|name| subject.of(name)).collect();
        }
    }

    pub(crate) fn solve(&mut self, solve: &Solve, line: &[u8]) -> Result<(), ReadError> {
        let subject = Subject::new(&solve.instance, Some(solve));
        self.conditions(&subject);
        match report(&subject, Claim::read(line)?) {
            Ok(report) => {
                for one in report.judged {
                    let claim = match one.claim {
                        "schedule" | "evidence.lower" => "lower",
                        "evidence.upper" | "verdict" => "upper",
                        "phase.theta" | "phase.rates" | "phase.labels" => "phase.upper",
                        other => other,
                    };
                    if let Some(reason) = self.reason(claim) {
                        reason.judged.push(one.into());
                    }
                }
            }
            Err(why) => self.notes.push(format!("nothing was computed a second time: {why}")),
        }
        match of_solve(solve) {
            Some(Ok(activity)) => self.division = Some(schedule::division(&activity, activity.last())),
            Some(Err(why)) => self.notes.push(format!("the schedule is not explained: {why}")),
            None => {}
        }
        Ok(())
    }

    pub(crate) fn bound(&mut self, bound: &Bound) {
        let subject = Subject::new(&bound.instance, None);
        self.conditions(&subject);
        let Some(instance) = &subject.straight else { return };
        for row in bound.bounds.iter().filter(|row| row.safe) {
            let (Some(Basis { name, checked }), Some(reason)) =
                (row.evidence, self.reason(&format!("bounds: {}", row.name)))
            else {
                continue;
            };
            let evidence = BasisClaim { name: name.name().to_owned(), checked: checked.name().to_owned() };
            match row.side {
                Side::Upper => {
                    reason.judged.push(record::judge_upper(instance, Cycles(row.value), &evidence).into());
                }
                Side::Lower if row.name == "bottleneck" => {
                    reason.judged.push(same("bottleneck", row.value, bottleneck(instance).cycles().0));
                }
                Side::Lower | Side::Estimate => {}
            }
        }
        let rows = |side| bound.bounds.iter().filter(move |row| row.safe && row.side == side);
        let least = rows(Side::Upper).map(|row| row.value).min();
        if let (Some(upper), Some(least), Some(reason)) = (bound.upper, least, self.reason("upper")) {
            reason.judged.push(same("the smallest safe upper bound of the table", upper, least));
        }
        let most = rows(Side::Lower).map(|row| row.value).max();
        if let (Some(most), Some(reason)) = (most, self.reason("lower")) {
            reason.judged.push(same("the largest safe lower bound of the table", bound.lower, most));
        }
    }

    pub(crate) fn sweep_row(&mut self, row: &SweepRow) {
        let record = Instance {
            groups: vec![Group::plain(row.kernel.clone(), row.warps)],
            sigma_l: Some(row.sigma_l.clone()),
            sigma_c: Some(row.sigma_c.clone()),
            machine: None,
            warps_per_block: None,
            same_path: false,
            grid: None,
        };
        let subject = Subject::new(&record, None);
        self.conditions(&subject);
        let Some(instance) = &subject.straight else { return };
        for (field, evidence, value) in
            [("critical_path", "critical-path", row.critical_path), ("phase", "phase", row.phase)]
        {
            let evidence = BasisClaim { name: evidence.to_owned(), checked: "machine".to_owned() };
            let judged = record::judge_upper(instance, Cycles(value), &evidence).into();
            if let Some(reason) = self.reason(field) {
                reason.judged.push(judged);
            }
        }
        if let Some(reason) = self.reason("bottleneck") {
            reason.judged.push(same("bottleneck", row.bottleneck, bottleneck(instance).cycles().0));
        }
    }
}

/// What the checker says of the claims of a record of `solve`, or why it says nothing.
fn report(subject: &Subject<'_>, mut claim: Claim) -> Result<Report, String> {
    if claim.instance.machine.is_some() {
        let (_, workload) = claim.instance.on_machine()?;
        let records = claim.machine_schedule.take();
        let records =
            records.ok_or("on a machine that takes the schedule, which the record does not carry")?;
        let schedule = from_records(&workload, &records).map_err(|error| error.to_string())?;
        let claims = claim.claims();
        return record::judge_on_machine(&workload, schedule, Some(&claims))
            .map_err(|error| error.to_string());
    }
    let Some(instance) = &subject.straight else {
        return Err("the checker takes only straight lines that start together".to_owned());
    };
    match claim.schedule.take() {
        Some(records) => {
            let schedule = from_records(instance, &records).map_err(|error| error.to_string())?;
            Ok(record::judge(instance, schedule, Some(&claim.claims())))
        }
        None => Ok(record::judge_claims(instance, &claim.claims())),
    }
}

/// A number that was computed again and has to be the same.
pub(super) fn same(what: &str, claimed: impl ToString, found: impl ToString) -> Judged {
    let (claimed, found) = (claimed.to_string(), found.to_string());
    let (judgement, why) = match claimed == found {
        true => (Judgement::Confirmed, format!("it is {found}")),
        false => (Judgement::Refuted, format!("the record says {claimed}, but {what} is {found}")),
    };
    Judged { claim: what.to_owned(), judgement, why }
}
