//! What `report` reads of a record of `rta`.

use serde::Deserialize;
use serde_json::Number;

use crate::cli::rta::caution::{Seen, caution};
use crate::cli::rta::record::StayRecord;
use crate::figures::Run;
use crate::realtime::rta::{Method, Occupancy, Stay, Unit, WARP};

/// What `report` reads of a record.
#[derive(Debug, Deserialize)]
pub(in crate::cli) struct Drawn {
    unit: String,
    method: String,
    gpu: DrawnGpu,
    kernels: Vec<DrawnKernel>,
    schedule: Option<Vec<StayRecord>>,
}

#[derive(Debug, Deserialize)]
struct DrawnGpu {
    multiprocessors: usize,
    threads: u64,
}

#[derive(Debug, Deserialize)]
struct DrawnKernel {
    name: String,
    threads_per_block: u64,
    response_bound: Option<Number>,
    response_estimate: Option<Number>,
    simulated_estimate: Option<Number>,
}

impl Drawn {
    /// What is to be drawn of the record.
    pub(in crate::cli) fn run(&self) -> Result<Run, String> {
        let unit = Unit::ALL.into_iter().find_map(|(unit, name)| (name == self.unit).then_some(unit));
        let unit = unit.ok_or_else(|| format!("unit {:?} is not known", self.unit))?;
        let records = self.schedule.as_ref();
        let records = records.ok_or("the record has nothing to draw: run rta with --with-schedule")?;
        let time =
            |number: &Number| unit.read(&number.to_string()).map_err(|what| format!("{number}: {what}"));
        let stay = |record: &StayRecord| -> Result<Stay, String> {
            let kernel = self.kernels.iter().position(|kernel| kernel.name == record.kernel);
            let within = (1..=self.gpu.multiprocessors).contains(&record.multiprocessor);
            let wrong = || {
                format!(
                    "{} on multiprocessor {}: no such kernel or multiprocessor",
                    record.kernel, record.multiprocessor
                )
            };
            let (start, end) = (time(&record.start)?, time(&record.end)?);
            Ok(Stay {
                kernel: kernel.filter(|_| within && start < end && record.launch > 0).ok_or_else(wrong)?,
                launch: record.launch - 1,
                multiprocessor: record.multiprocessor - 1,
                start,
                end,
                blocks: record.blocks.min(self.gpu.threads),
                rounds: record.rounds,
            })
        };
        let kernel = |kernel: &DrawnKernel| {
            let warps = kernel.threads_per_block.div_ceil(WARP);
            (kernel.name.clone(), warps.saturating_mul(WARP).min(self.gpu.threads))
        };
        let occupancy = Occupancy {
            unit,
            multiprocessors: self.gpu.multiprocessors.min(1 << 10),
            threads: self.gpu.threads.max(1),
            kernels: self.kernels.iter().map(kernel).collect(),
            stays: records.iter().map(stay).collect::<Result<_, _>>()?,
        };
        let seen = |kernel: &DrawnKernel| -> Result<Seen, String> {
            let is_simulated = self.method == Method::Simulate.name();
            let simulated = if is_simulated { &kernel.response_estimate } else { &kernel.simulated_estimate };
            let [bound, longest] =
                [&kernel.response_bound, simulated].map(|one| one.as_ref().map(time).transpose());
            Ok(Seen { name: kernel.name.clone(), bound: bound?, longest: longest? })
        };
        let seen = self.kernels.iter().map(seen).collect::<Result<Vec<Seen>, String>>()?;
        Ok(Run { method: self.method.clone(), caution: caution(&occupancy, &seen), occupancy })
    }
}
