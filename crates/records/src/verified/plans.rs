//! The numbers of `prem` and `partition`.

use crate::prem::{OffsetRow, PremMeasured, PremOffsets, SharedRuns};
use crate::verify::Side;
use crate::verify::findings::{Found, NO_EVIDENCE};
use crate::{CoLocated, Partition, Prem, partition, prem};
use warpspan_check::bound::statement as all;

/// What a time that came with the file, or was solved from its code, assumes.
const GIVEN: &str =
    "as the file gives it; if it was solved from code, the record does not say how that is checked";

impl Found {
    pub(crate) fn prem(&mut self, prem: &Prem) {
        self.execution_of_tiles("execution_ns", prem.execution_ns);
        for kernel in &prem.kernels {
            self.execution_of_tiles(&format!("{}: execution_ns", kernel.name), kernel.execution_ns);
        }
        if let Some(sharing) = &prem.sharing {
            self.shared(
                ["sharing.bound_ns", "sharing.estimate"],
                sharing.bound_ns,
                sharing.estimate.as_ref(),
            );
        }
        // For equal kernels there is a formula; else offsets are tried one after the other.
        let same =
            |a: &prem::Kernel, b: &prem::Kernel| prem::Kernel { name: b.name.clone(), ..a.clone() } == *b;
        let equal = prem.kernels.windows(2).all(|pair| same(&pair[0], &pair[1]));
        let least = if equal { &all::TILES } else { &all::TILES_SEARCH };
        if let Some(offset) = prem.minimal_offset_ns {
            self.by("minimal_offset_ns", offset, Side::Exact, &[least]);
        }
        if let Some(offset) = prem.minimal_writeback_offset_ns {
            self.by("minimal_writeback_offset_ns", offset, Side::Exact, &[least]);
        }
        if let Some(search) = &prem.search {
            let least = search.least_hyperperiod_ns;
            self.by("search.least_hyperperiod_ns", least, Side::Lower, &[&all::TILES_SEARCH]);
        }
        self.estimate("planned_ns", Some(prem.planned_ns));
        self.estimate("composed_ns", Some(prem.composed_ns));
        self.estimate("isolated_ns", Some(prem.isolated_ns));
        self.estimate("one_after_other_ns", Some(prem.one_after_other_ns));
        self.estimate("simulation.longest_ns", prem.simulation.as_ref().map(|seen| seen.longest_ns));
        for kernel in &prem.kernels {
            let times = format!("{}, {}, {}", kernel.prefetch_ns, kernel.compute_ns, kernel.writeback_ns);
            self.given(format!("{}: durations", kernel.name), times, Some(GIVEN));
        }
        self.rests_on(prem.assumptions.iter().cloned());
        self.notes.extend_from_slice(&prem.notes);
        self.notes.extend(prem.no_bound.iter().cloned());
    }

    fn execution_of_tiles(&mut self, name: &str, value: Option<u64>) {
        if let Some(value) = value {
            self.by(name, value, Side::Upper, &[&all::TILES]);
        }
    }

    fn shared(&mut self, [bound, estimate]: [&str; 2], value: Option<u64>, seen: Option<&SharedRuns>) {
        if let Some(value) = value {
            self.by(bound, value, Side::Upper, &[&all::TILES_SHARED]);
        }
        self.estimate(estimate, seen.map(|seen| seen.longest_ns));
    }

    pub(crate) fn prem_offsets(&mut self, offsets: &PremOffsets) {
        for row in &offsets.rows {
            self.offset(row);
        }
        self.rests_on(offsets.assumptions.iter().cloned());
        self.notes.extend_from_slice(&offsets.notes);
    }

    fn offset(&mut self, row: &OffsetRow) {
        let name = |field: &str| format!("offset {}: {field}", row.prefetch_ns);
        self.execution_of_tiles(&name("execution_ns"), row.execution_ns);
        let (bound, estimate) = (name("shared_bound_ns"), name("estimate"));
        self.shared([&bound, &estimate], row.shared_bound_ns, row.estimate.as_ref());
        self.estimate(name("planned_ns"), row.planned_ns);
    }

    pub(crate) fn prem_measured(&mut self, measured: &PremMeasured) {
        self.execution_of_tiles("execution_ns", measured.execution_ns);
        self.estimate("longest_ns", Some(measured.longest_ns));
        self.estimate("planned_ns", Some(measured.planned_ns));
        self.rests_on(measured.assumptions.iter().cloned());
        if measured.exceeds || measured.breaks {
            self.notes.push("the measured run refutes what the bound assumes".to_owned());
        }
    }

    pub(crate) fn partition(&mut self, found: &Partition) {
        let exact = found.method == "exact";
        match found.verdict {
            partition::Verdict::Schedulable => {
                self.by("verdict", "schedulable", Side::Verdict, &[&all::PARTITION]);
            }
            partition::Verdict::Impossible if exact => {
                self.by("verdict", "impossible", Side::Verdict, &[&all::FEWEST_MULTIPROCESSORS]);
            }
            partition::Verdict::Impossible => {
                self.by("verdict", "impossible", Side::Verdict, &[&all::PARTITION]);
            }
            partition::Verdict::NotFound => {}
        }
        if let Some(used) = found.used {
            self.by("used", used, Side::Upper, &[&all::PARTITION]);
        }
        if let Some(required) = found.required.filter(|_| exact) {
            self.by("required", required, Side::Exact, &[&all::FEWEST_MULTIPROCESSORS]);
        }
        for part in &found.partitions {
            for (task, time) in &part.execution {
                let name = format!("{task}: execution on {}", part.multiprocessors);
                self.given(name, time, Some(GIVEN));
            }
        }
        self.of_listing(&found.assumptions);
        self.rests_on(found.assumptions.iter().cloned());
        self.notes.extend_from_slice(&found.notes);
        self.notes.extend(found.reason.iter().cloned());
    }

    pub(crate) fn co_located(&mut self, found: &CoLocated) {
        if found.schedulable {
            self.by("verdict", "schedulable", Side::Verdict, &[&all::CO_LOCATED]);
        }
        if let Some(used) = found.used {
            self.by("used", used, Side::Upper, &[&all::CO_LOCATED]);
        }
        if let Some(used) = found.one_at_a_time {
            self.unknown("one_at_a_time", used, Side::Upper, NO_EVIDENCE);
        }
        for task in &found.tasks {
            let name = |field: &str| format!("{}: {field}", task.name);
            self.by(name("response"), &task.response, Side::Upper, &[&all::CO_LOCATED]);
            self.unknown(name("alone"), &task.alone, Side::Upper, NO_EVIDENCE);
            self.estimate(name("rt_paws"), task.rt_paws.as_ref());
        }
        self.of_listing(&found.assumptions);
        self.rests_on(found.assumptions.iter().cloned());
        self.notes.extend_from_slice(&found.notes);
        self.notes.extend(found.reason.iter().cloned());
    }
}
