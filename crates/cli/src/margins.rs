//! How far numbers of a file may be wrong: the command is answered again for the same file with another number.

use toml::Value;

use crate::{Exit, Failure};
use warpspan_kernel::input::Rate;
use warpspan_model::assumption::Id;
use warpspan_model::device::Preset;
use warpspan_model::limits::Limits;
use warpspan_model::machine::Role;
use warpspan_model::source::decimal;
use warpspan_model::time::{self, Clock, Duration, TimeUnit};
use warpspan_records::Assumption;
use warpspan_records::margin::{Judged, Quantity, add_margins};
use warpspan_rta::{System, Verdict};

/// No time is longer.
pub(crate) const LONGEST: u64 = Duration::MAX.0;
/// A factor of 1, in millionths; none above a thousand is tried.
const ONCE: u64 = 1_000_000;
/// No number of code is larger.
const MOST: u64 = u32::MAX as u64;

/// A key, the names of the rows that may have its number, and its best and its worst value.
type Key = (&'static str, &'static [Id], [u64; 2]);

/// The keys with times that an answer may rest on, which are the sources of their rows.
const TIMES: [Key; 16] = [
    ("a", &[Id::ExecutionGiven], [0, LONGEST]),
    ("b", &[Id::ExecutionGiven], [0, LONGEST]),
    ("k", &[Id::ExecutionGiven], [ONCE, 1000 * ONCE]),
    ("conflict", &[Id::ExecutionGiven], [1, LONGEST]),
    ("execution", &[Id::ExecutionGiven, Id::ExecutionAlone], [1, LONGEST]),
    ("period", &[Id::LaunchArrivals, Id::GraphArrivals], [LONGEST, 1]),
    ("jitter", &[Id::LaunchJitter, Id::GraphArrivals], [0, LONGEST]),
    ("copy_in", &[Id::LaunchCopyIn], [0, LONGEST]),
    ("copy_out", &[Id::LaunchCopyOut], [0, LONGEST]),
    ("copy", &[Id::CopyEngine], [1, LONGEST]),
    ("host", &[Id::CoreScheduling], [1, LONGEST]),
    ("cpu", &[Id::ExecutionGiven], [0, LONGEST]),
    ("misc", &[Id::ExecutionGiven], [0, LONGEST]),
    ("pure", &[Id::ExecutionAlone], [1, LONGEST]),
    ("switch", &[Id::ProcessSlices], [0, LONGEST]),
    ("update", &[Id::ProcessUpdate], [0, LONGEST]),
];

/// The tables of numbers of code.
const NUMBERS: [Key; 2] =
    [("loop_bounds", &[Id::LoopBound], [1, MOST]), ("transactions", &[Id::Transactions], [1, MOST])];

/// A step from a value of a file to one in it.
#[derive(Clone)]
enum Step {
    Key(String),
    At(usize),
}

/// A file, as other numbers are tried in it.
pub(crate) struct NumbersOf<'a> {
    /// The file as it is.
    pub(crate) file: Value,
    /// The unit of its times. Where none is known, they have six places.
    pub(crate) unit: Option<TimeUnit>,
    /// The GPU that its kernels run on.
    pub(crate) system: Option<&'a System>,
}

impl NumbersOf<'_> {
    /// Adds to what an answer rests on how far each number of the file may be wrong, or what would do, and a note where the limits have
    /// left something out. `judge` answers for another text.
    pub(crate) fn add(
        &self,
        (verdict, assumptions, notes): (Verdict, &mut Vec<Assumption>, &mut Vec<String>),
        limits: &Limits,
        judge: impl Fn(&str) -> Result<(Verdict, Vec<Assumption>), Failure>,
    ) -> Result<(), Failure> {
        if verdict == Verdict::Refuted {
            return Ok(());
        }
        let answer = |other: &Value| -> Result<_, Failure> {
            let judged = judge(&toml::to_string(other).map_err(Failure::internal)?);
            // What was stopped is not proved for that alone.
            if limits.stopped().is_some() {
                return Ok(None);
            }
            Ok(Some(match judged {
                // Such as a time that is too long.
                Err(failure) if failure.code == Exit::WrongInput as u8 => Judged::default(),
                judged => of_verdict(judged?),
            }))
        };
        let found = (verdict == Verdict::Proved, assumptions, notes);
        add_margins(found, &self.file, self.quantities(), answer)
    }

    fn quantities(&self) -> Vec<Quantity<Value>> {
        let mut all = Vec::new();
        self.walk(&self.file, &mut Vec::new(), &mut all);
        all.extend(self.of_gpu());
        all
    }

    /// Adds the numbers in a value, to which these steps lead.
    fn walk(&self, value: &Value, path: &mut Vec<Step>, all: &mut Vec<Quantity<Value>>) {
        match value {
            Value::Table(table) => {
                for (key, value) in table {
                    path.push(Step::Key(key.clone()));
                    self.walk(value, path, all);
                    path.pop();
                }
            }
            Value::Array(_) if is_list(value) => all.extend(self.list(path)),
            Value::Array(values) => {
                for (place, value) in values.iter().enumerate() {
                    path.push(Step::At(place));
                    self.walk(value, path, all);
                    path.pop();
                }
            }
            Value::Integer(_) | Value::Float(_) => all.extend(self.number(value, path)),
            Value::String(_) | Value::Boolean(_) | Value::Datetime(_) => {}
        }
    }

    fn number(&self, value: &Value, path: &[Step]) -> Option<Quantity<Value>> {
        let mut keys = path.iter().rev().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::At(_) => None,
        });
        let (key, table) = (keys.next()?, keys.next());
        let path = path.to_vec();
        if let Some((_, ids, [best, worst])) = NUMBERS.into_iter().find(|of| Some(of.0) == table) {
            let now = u64::try_from(value.as_integer()?).ok()?;
            let with = move |file: &mut Value, number| set(file, &path, whole(number));
            return Some(Quantity::new(ids, [best, now, worst], with, |number| number.to_string()));
        }
        let (key, ids, [best, worst]) = TIMES.into_iter().find(|of| of.0 == key)?;
        let (unit, of_file, old) = (self.unit.unwrap_or(TimeUnit::Microseconds), self.unit, value.clone());
        let now = unit.read(&decimal(value)).ok()?.0;
        let with = move |file: &mut Value, grains| {
            set(file, &path, of_decimal(&unit.write(Duration(grains))));
            if key == "period" && of_file.is_some() {
                apart(file, &path, &old);
            }
        };
        let shown = move |grains| {
            let unit_of_file = of_file.map_or_else(String::new, |unit| format!(" {unit}"));
            unit.write(Duration(grains)) + &unit_of_file
        };
        Some(Quantity::new(ids, [best, now, worst], with, shown).by(key.to_owned()))
    }

    /// A list of times, all of which are longer or shorter by one factor, in thousandths. Those in conflict change with those without.
    fn list(&self, path: &[Step]) -> Option<Quantity<Value>> {
        let Step::Key(key) = path.last()? else { return None };
        let (key, ids, _) = TIMES.into_iter().find(|of| of.0 == key)?;
        let unit = self.unit.unwrap_or(TimeUnit::Microseconds);
        let mut keys = vec![path.to_vec()];
        if key == "execution" {
            keys.push([&path[..path.len() - 1], &[Step::Key("conflict".to_owned())]].concat());
        }
        let with = move |file: &mut Value, thousandths: u64| {
            for path in &keys {
                let Some(Value::Array(values)) = at(file, path) else { continue };
                for value in values {
                    let old = unit.read(&decimal(value)).unwrap_or_default().0;
                    let new = (u128::from(old) * u128::from(thousandths)).div_ceil(1000);
                    *value = of_decimal(&unit.write(Duration(u64::try_from(new).unwrap_or(LONGEST))));
                }
            }
        };
        let shown = |thousandths| format!("{} times that", time::decimal::write(thousandths, 3));
        Some(Quantity::new(ids, [1, 1000, ONCE], with, shown).by(key.to_owned()))
    }

    /// The clock, the multiprocessors and the rate of the DRAM, which `[gpu]` may leave to a preset.
    fn of_gpu(&self) -> Vec<Quantity<Value>> {
        let (Some(table), Some(system)) = (self.file.get("gpu"), self.system) else { return Vec::new() };
        let preset = table.get("preset").and_then(Value::as_str).and_then(Preset::named);
        let at = |key: &str| [Step::Key("gpu".to_owned()), Step::Key(key.to_owned())];
        let mut all = Vec::new();
        if let Some(clock) = system.gpu().clock.map(Clock::hertz) {
            let highest = preset
                .as_ref()
                .and_then(Preset::highest_clock)
                .map_or(MOST, |clock| clock.hertz() / 1_000_000);
            let path = at("clock_mhz");
            let ids = &[Id::ClockDeclared, Id::ClockOverclocked];
            let with = move |file: &mut Value, megahertz| set(file, &path, whole(megahertz));
            let now = clock / 1_000_000;
            all.push(Quantity::new(ids, [highest.max(now), now, 1], with, |megahertz| {
                format!("{megahertz} MHz")
            }));
        }
        let count = system.gpu().multiprocessors;
        let best = preset.as_ref().map_or(count, |preset| preset.multiprocessors);
        let path = at("multiprocessors");
        let with = move |file: &mut Value, count| set(file, &path, whole(count));
        all.push(Quantity::new(&[Id::GpuMultiprocessors], [best, count, 1], with, |count| count.to_string()));
        let dram = system.machine().and_then(|machine| Some(&machine.servers()[machine.server(Role::Dram)?]));
        if let (Some(dram), Some(clock), Some(preset)) = (dram, system.gpu().clock, preset) {
            let path = at("dram_rate");
            let per_second =
                u128::from(*dram.rate.numer()) * u128::from(clock.hertz()) / u128::from(*dram.rate.denom());
            let steps = u64::try_from(per_second).unwrap_or(u64::MAX) / STEP;
            let shown = |steps| format!("{} GB/s", time::decimal::write(steps, 1));
            let with = move |file: &mut Value, steps| set(file, &path, Value::String(shown(steps)));
            let best = preset.memory.dram_bytes_per_second / STEP;
            all.push(Quantity::new(&[Id::DramRate], [best, steps, 0], with, shown));
            let given = table.get("dram_others").and_then(Value::as_str).map(Rate::read);
            let others =
                given.and_then(|rate| rate.ok()?.per_second(Some(clock))).unwrap_or(0).div_ceil(STEP);
            let path = at("dram_others");
            // Where they take nothing, there is no such key.
            let with = move |file: &mut Value, steps| match steps {
                0 => drop(
                    file.get_mut("gpu")
                        .and_then(Value::as_table_mut)
                        .and_then(|gpu| gpu.remove("dram_others")),
                ),
                _ => set(file, &path, Value::String(shown(steps))),
            };
            all.push(Quantity::new(&[Id::DramOthers], [0, others, best], with, shown));
        }
        all
    }
}

/// What a text in TOML says.
pub(crate) fn toml_of(text: &str) -> Result<Value, Failure> {
    toml::from_str(text)
        .map_err(|_| Failure::usage("--margins changes numbers of a file in TOML: want such a file"))
}

/// Whether a value is a list of numbers.
fn is_list(value: &Value) -> bool {
    let is_number = |value: &Value| value.is_integer() || value.is_float();
    value.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(is_number))
}

fn of_verdict((verdict, assumptions): (Verdict, Vec<Assumption>)) -> Judged {
    Judged { proved: verdict == Verdict::Proved, assumptions }
}

/// The bytes a second of a step of a rate.
const STEP: u64 = 100_000_000;

fn whole(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A decimal number as a file has it.
fn of_decimal(text: &str) -> Value {
    let float = || text.parse().map(Value::Float);
    text.parse().map(Value::Integer).or_else(|_| float()).unwrap_or(Value::Integer(0))
}

/// Where steps lead.
fn at<'a>(file: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter().try_fold(file, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::At(place) => value.get_mut(place),
    })
}

/// Gives a file another value; its last key may be new.
fn set(file: &mut Value, path: &[Step], new: Value) {
    let Some((last, tables)) = path.split_last() else { return };
    match (last, at(file, tables)) {
        (Step::Key(key), Some(Value::Table(table))) => drop(table.insert(key.clone(), new)),
        (Step::At(place), Some(Value::Array(values))) => values[*place] = new,
        _ => {}
    }
}

/// Keeps the deadline that a period was, and takes launches of kernels to be so far apart or more: exactly a longer period may be worse.
fn apart(file: &mut Value, path: &[Step], old: &Value) {
    let (of_kernel, tables) =
        (matches!(&path[0], Step::Key(key) if key == "kernel"), &path[..path.len() - 1]);
    let Some(Value::Table(table)) = at(file, tables) else { return };
    table.entry("deadline").or_insert_with(|| old.clone());
    if of_kernel {
        table.insert("sporadic".to_owned(), Value::Boolean(true));
    }
}
