//! Bounds of launches: the records of `time`, and the kernels of `budget`.

use num_traits::ToPrimitive;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::BudgetKernel;
use crate::compare::Of;
use crate::compared::head::Head;
use crate::compared::items::{Adds, Items, ItemsError, for_every_input, number};
use crate::compared::ledger::{Ledger, Size};
use crate::extract::{LineCost, SourceCost};

/// What is read of a record of `time`. What older versions have otherwise is left out.
#[derive(Debug, Deserialize)]
pub(super) struct Time {
    #[serde(default)]
    of_input: Vec<String>,
    #[serde(default)]
    file: String,
    entry: String,
    gpu: Option<String>,
    machine: Option<String>,
    compute_capability: Option<String>,
    multiprocessors: Option<u64>,
    blocks: u64,
    threads_per_block: u64,
    #[serde(default)]
    clock: Value,
    deadline_ns: Option<Number>,
    reason: Option<String>,
    bound_ns: Option<u64>,
    cycles: Option<Cycles>,
    #[serde(default)]
    assumptions: Value,
}

/// What lines add to the cycles of the kernel.
#[derive(Debug, Deserialize)]
struct Cycles {
    lines: Vec<LineCost>,
    #[serde(default)]
    source: Vec<SourceCost>,
}

#[derive(Debug, Deserialize)]
struct Clock {
    slowest_mhz: Number,
    fastest_mhz: Number,
}

/// A value, if it is what this version takes it for.
fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

/// The value of an option in the words of a command line.
fn option(words: Option<&[String]>, name: &str) -> Option<String> {
    let words = words?;
    let apart = words.iter().position(|word| word == name).and_then(|at| words.get(at + 1)).cloned();
    let joined =
        || words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned));
    apart.or_else(joined)
}

impl Items {
    /// The bound of a record of `time`.
    pub(super) fn add_time(&mut self, head: &Head, time: Time) -> Result<(), ItemsError> {
        let name = time.entry.clone();
        self.add_launch(head, &name, time, head.arguments.as_deref())
    }

    fn add_launch(
        &mut self,
        head: &Head,
        name: &str,
        time: Time,
        words: Option<&[String]>,
    ) -> Result<(), ItemsError> {
        for_every_input(&time.of_input)?;
        let upper = time.bound_ns.map(Number::from);
        let upper = upper.ok_or_else(|| time.reason.clone().unwrap_or_else(|| "it has no bound".to_owned()));
        let item = self.add(name, upper, "ns", String::new())?;
        item.capability.clone_from(&time.compute_capability);
        item.ledger = Some(time.ledger(head, words));
        item.adds = time.cycles.map(Cycles::adds).unwrap_or_default();
        Ok(())
    }

    /// A kernel of a budget, by its name there.
    pub(super) fn add_kernel(&mut self, head: &Head, kernel: BudgetKernel) -> Result<(), ItemsError> {
        let Some(time) = kernel.time else {
            let reason = kernel.error.unwrap_or_else(|| "it has no bound".to_owned());
            return self.add(&kernel.name, Err(reason), "ns", String::new()).map(|_| ());
        };
        let value = |part: Result<Value, serde_json::Error>| part.unwrap_or_default();
        let time = Time {
            of_input: time.of_input,
            file: kernel.listing,
            entry: time.entry,
            gpu: time.gpu,
            machine: Some(time.machine),
            compute_capability: Some(time.compute_capability),
            multiprocessors: Some(time.multiprocessors),
            blocks: time.blocks,
            threads_per_block: time.threads_per_block,
            clock: value(serde_json::to_value(&time.clock)),
            deadline_ns: time.deadline_ns,
            reason: time.reason,
            bound_ns: time.bound_ns,
            cycles: time.cycles.map(|cycles| Cycles { lines: cycles.lines, source: cycles.source }),
            assumptions: value(serde_json::to_value(&time.assumptions)),
        };
        self.add_launch(head, &kernel.name, time, Some(&kernel.arguments))
    }
}

impl Time {
    /// The GPU of a file of a system, which has no name.
    fn gpu_of_file(&self) -> String {
        let machine = self.machine.clone().unwrap_or_default();
        match self.multiprocessors {
            Some(count) => format!("{machine} with {count} multiprocessors"),
            None => machine,
        }
    }

    /// What the record says besides the bound.
    fn ledger(&self, head: &Head, words: Option<&[String]>) -> Ledger {
        let clock = read(&self.clock).map(|Clock { slowest_mhz, fastest_mhz }| [slowest_mhz, fastest_mhz]);
        Ledger {
            version: head.version.clone().unwrap_or_default(),
            entry: self.entry.clone(),
            grid: Size { count: self.blocks, shape: option(words, "--grid") },
            block: Size { count: self.threads_per_block, shape: option(words, "--block") },
            gpu: self.gpu.clone().unwrap_or_else(|| self.gpu_of_file()),
            machine: self.machine.clone(),
            clock,
            deadline_ns: self.deadline_ns.clone(),
            assumptions: read(&self.assumptions),
            inputs: head.inputs(&self.file, words),
        }
    }
}

impl Cycles {
    /// What lines add, unless the list was cut: a cut list does not tell about the lines that it lacks. Shares are
    /// rounded down to tenths.
    fn adds(self) -> Adds {
        let count = self.lines.len().to_f64().unwrap_or_default();
        let shares: f64 = self.lines.iter().map(|one| one.cost.share).sum();
        if shares + 0.1 * count < 99.9 {
            return Adds::default();
        }
        let mut adds = Adds { of: Some(Of::Kernel), ..Adds::default() };
        for LineCost { line, instruction, cost, .. } in self.lines {
            adds.lines.push((line, instruction, number(&cost.adds)));
        }
        adds.lines.sort_by_key(|line| line.0);
        self.source.iter().for_each(|one| adds.source(&one.file, one.line, number(&one.cost.adds)));
        adds
    }
}
