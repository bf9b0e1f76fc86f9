//! Runs HiGHS on a model: options, limits, names, the dual bound, and numbers back to integers.
//!
//! This file holds the crate's only unsafe code: callbacks, names and the writing of models are in HiGHS's C interface
//! but not in the `highs` crate.
#![expect(unsafe_code, reason = "HiGHS's C interface")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use highs::{HighsModelStatus, HighsSolutionStatus};

use crate::engines::ilp::model::{Column, Model};
use crate::engines::ilp::{IlpError, ModelSize, Options, Outcome};
use crate::limits::{Limits, Stop, resident_memory};
use crate::model::Cycles;
use crate::schedule::Schedule;

/// Where HiGHS stands.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Nodes of the branch and bound done.
    pub nodes: i64,
    /// Makespan of the best solution found, if any.
    pub found: Option<u64>,
    /// What the makespan cannot exceed within the horizon, once HiGHS knows.
    pub bound: Option<u64>,
}

/// Is told of progress, ten times a second.
pub type Observer<'a> = &'a dyn Fn(Progress);

/// What HiGHS answered, in integers.
pub(super) struct Raw {
    values: Option<Vec<bool>>,
    objective: Option<Cycles>,
    dual_bound: Option<Cycles>,
    infeasible: bool,
    stop: Stop,
    size: ModelSize,
}

impl Raw {
    /// Whether a variable is 1.
    pub(super) fn is_one(&self, column: Column) -> bool {
        self.values.as_ref().is_some_and(|values| values[column.index])
    }

    /// The outcome, with the schedule that `decode` reads from the values.
    pub(super) fn outcome(&self, horizon: Cycles, decode: impl FnOnce(&Self) -> Schedule) -> Outcome {
        Outcome {
            schedule: self.values.as_ref().map(|_| decode(self)),
            objective: self.objective,
            dual_bound: self.dual_bound,
            infeasible: self.infeasible,
            stop: self.stop,
            size: self.size,
            horizon,
        }
    }
}

/// Whether HiGHS may simplify the model first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presolve {
    On,
    Off,
}

/// How far a value of HiGHS may be from an integer: ten times its tolerance.
const TOLERANCE: f64 = 1e-5;

/// Solves a model.
pub(super) fn run(
    model: Model,
    options: &Options,
    presolve: Presolve,
    limits: &Limits,
    progress: Option<Observer<'_>>,
) -> Result<Raw, IlpError> {
    let (size, binaries) = (model.size, model.binaries);
    let names = model.column_names.zip(Some(model.row_names));
    let failed = |what: &str| IlpError::Solver(what.to_owned());
    let mut highs = model.problem.try_into_inner().map_err(|error| IlpError::Solver(error.to_string()))?;
    // SAFETY: a live HiGHS pointer; a number.
    unsafe { highs_sys::Highs_changeObjectiveOffset(highs.as_mut_ptr(), model.constant) };

    if let (Some(path), Some((columns, rows))) = (&options.write_model, names) {
        pass_names(highs.as_mut_ptr(), &columns, &rows).ok_or_else(|| failed("names are not accepted"))?;
        write_model(highs.as_mut_ptr(), path)?;
    }
    set_options(&mut highs, options, limits)?;
    if presolve == Presolve::Off {
        highs.try_set_option("presolve", "off").map_err(|_| failed("presolve cannot be switched off"))?;
    }
    if size.columns == 0 {
        // The windows decided everything, and rows without variables are kept only if they do not hold.
        let infeasible = size.rows > 0;
        let dual_bound = at_most(model.constant).filter(|_| !infeasible);
        let values = (!infeasible).then(Vec::new);
        return Ok(Raw { values, objective: dual_bound, dual_bound, infeasible, stop: Stop::Proved, size });
    }

    let watch = Arc::new(Watch::default());
    let (model, theirs) = (Owned(highs), Arc::clone(&watch));
    let (sender, answer) = mpsc::channel();
    let work = move || {
        let _ = sender.send(optimise(model, &theirs, binaries, size));
    };
    let thread = std::thread::Builder::new().name("HiGHS".into()).stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| IlpError::Solver(error.to_string()))?;
    wait(&answer, thread, &watch, limits, progress, size)
}

/// A model that moves to the thread that solves it.
struct Owned(highs::Model);
// SAFETY: HiGHS ties no instance to the thread that made it, and only one thread uses this one.
unsafe impl Send for Owned {}

const STACK: usize = 64 << 20;

/// Runs HiGHS to its end and reads what it has.
fn optimise(model: Owned, watch: &Watch, binaries: usize, size: ModelSize) -> Result<Raw, IlpError> {
    let Owned(mut highs) = model;
    let data = std::ptr::from_ref(watch).cast_mut().cast::<c_void>();
    // SAFETY: `watch` outlives the run below, and callbacks end with it.
    unsafe {
        highs_sys::Highs_setCallback(highs.as_mut_ptr(), Some(callback), data);
        for kind in INTERRUPTS {
            highs_sys::Highs_startCallback(highs.as_mut_ptr(), kind);
        }
        // The thread pool keeps the number of threads of its first use.
        highs_sys::Highs_resetGlobalScheduler(1);
    }
    let solved = highs.try_solve().map_err(|error| IlpError::Solver(format!("{error:?}")))?;
    let asked = watch.stop.lock().ok().and_then(|stop| *stop);
    let (stop, infeasible) = match solved.status() {
        HighsModelStatus::Optimal => (Stop::Proved, false),
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => (Stop::Proved, true),
        HighsModelStatus::ReachedTimeLimit => (Stop::TimeLimit, false),
        HighsModelStatus::ReachedMemoryLimit => (Stop::MemoryLimit, false),
        HighsModelStatus::ReachedInterrupt => (asked.unwrap_or(Stop::Interrupted), false),
        status => return Err(IlpError::Solver(format!("status {status:?}"))),
    };
    let (values, objective) = match solved.primal_solution_status() {
        HighsSolutionStatus::Feasible => (
            Some(binary(&solved.get_solution().columns()[..binaries])?),
            Some(integer(solved.objective_value())?),
        ),
        _ => (None, None),
    };
    let dual = match binaries {
        0 => Ok(solved.objective_value()), // nothing to branch on: an LP, and the MIP's bound stays at 0
        _ => solved.double_info_value(c"mip_dual_bound"),
    };
    let dual = dual.map_err(|_| IlpError::Solver("no dual bound".to_owned()))?;
    Ok(Raw { values, objective, dual_bound: at_most(dual), infeasible, stop, size })
}

/// How long HiGHS may take to stop when it is asked to, and no longer than it had to solve. Inside a large linear program it does
/// not ask back for minutes; then it is left behind, and what it has found so far is lost.
const GRACE: Duration = Duration::from_secs(3);
const LEAST_GRACE: Duration = Duration::from_millis(100);
/// How often the limits are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Waits for the answer, watching the limits.
fn wait(
    answer: &mpsc::Receiver<Result<Raw, IlpError>>,
    thread: JoinHandle<()>,
    watch: &Watch,
    limits: &Limits,
    progress: Option<Observer<'_>>,
    size: ModelSize,
) -> Result<Raw, IlpError> {
    let base = resident_memory();
    let grace = limits.time_left().unwrap_or(GRACE).clamp(LEAST_GRACE, GRACE);
    let mut asked: Option<(Stop, Instant)> = None;
    loop {
        let left = limits.time_left().filter(|left| !left.is_zero());
        match answer.recv_timeout(left.unwrap_or(LOOK).min(LOOK)) {
            Ok(raw) => {
                // Joined, not detached: glibc reads a thread after detaching it, when a stack of this size may have been
                // unmapped (its bug 19951), and a solve may end before the handle is dropped.
                let _ = thread.join();
                return raw;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(IlpError::Solver("its thread died".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let (Some(observer), Ok(latest)) = (progress, watch.progress.lock())
            && let Some(latest) = *latest
        {
            observer(latest);
        }
        let full = resident_memory().saturating_sub(base) > limits.memory;
        let stop = limits.stopped().or(full.then_some(Stop::MemoryLimit));
        match (asked, stop) {
            (None, Some(stop)) => {
                asked = Some((stop, Instant::now()));
                if let Ok(mut shared) = watch.stop.lock() {
                    *shared = Some(stop);
                }
            }
            (Some((stop, since)), _) if since.elapsed() > grace => {
                return Ok(Raw {
                    values: None,
                    objective: None,
                    dual_bound: None,
                    infeasible: false,
                    stop,
                    size,
                });
            }
            _ => {}
        }
    }
}

fn set_options(highs: &mut highs::Model, options: &Options, limits: &Limits) -> Result<(), IlpError> {
    let refused = |name: &str| IlpError::Solver(format!("option {name} is not accepted"));
    let threads = c_int::try_from(limits.threads).unwrap_or(c_int::MAX);
    let mut set = |name: &str, value: f64| highs.try_set_option(name, value).map_err(|_| refused(name));
    set("mip_rel_gap", 0.0)?;
    if let Some(left) = limits.time_left() {
        set("time_limit", left.as_secs_f64())?;
    }
    highs.try_set_option("threads", threads).map_err(|_| refused("threads"))?;
    highs.try_set_option("log_to_console", false).map_err(|_| refused("log_to_console"))?;
    highs.try_set_option("output_flag", options.log.is_some()).map_err(|_| refused("output_flag"))?;
    if let Some(path) = &options.log {
        let wrong = || IlpError::Write { path: path.clone(), what: "log", hint: "" };
        let text = path.to_str().ok_or_else(wrong)?;
        highs.try_set_option("log_file", text).map_err(|_| wrong())?;
    }
    Ok(())
}

fn pass_names(highs: *mut c_void, columns: &[String], rows: &[String]) -> Option<()> {
    let each = |names: &[String],
                pass: unsafe extern "C" fn(*const c_void, c_int, *const c_char) -> c_int| {
        for (at, name) in (0..).zip(names) {
            let name = CString::new(name.as_str()).ok()?;
            // SAFETY: a live HiGHS pointer, an index of the model, a string that lives through the call.
            if unsafe { pass(highs, at, name.as_ptr()) } == highs_sys::STATUS_ERROR {
                return None;
            }
        }
        Some(())
    };
    each(columns, highs_sys::Highs_passColName)?;
    each(rows, highs_sys::Highs_passRowName)
}

fn write_model(highs: *mut c_void, path: &Path) -> Result<(), IlpError> {
    let wrong =
        || IlpError::Write { path: path.to_owned(), what: "model", hint: " that ends in .lp or .mps" };
    let name = path.to_str().and_then(|text| CString::new(text).ok()).ok_or_else(wrong)?;
    // SAFETY: a live HiGHS pointer, a string that lives through the call.
    match unsafe { highs_sys::Highs_writeModel(highs, name.as_ptr()) } {
        highs_sys::STATUS_ERROR => Err(wrong()),
        _ => Ok(()),
    }
}

/// Values of 0/1 variables; HiGHS returns numbers like 0.9999999.
fn binary(values: &[f64]) -> Result<Vec<bool>, IlpError> {
    let bit = |&value: &f64| match value {
        _ if value.abs() <= TOLERANCE => Ok(false),
        _ if (value - 1.0).abs() <= TOLERANCE => Ok(true),
        _ => Err(IlpError::Solver(format!("a 0/1 variable is {value}"))),
    };
    values.iter().map(bit).collect()
}

/// An objective value that must be an integer.
fn integer(value: f64) -> Result<Cycles, IlpError> {
    let near = (value - value.round()).abs() <= TOLERANCE;
    let cycles = whole(value.round()).filter(|_| near).map(Cycles);
    cycles.ok_or_else(|| IlpError::Solver(format!("the makespan is {value}")))
}

/// The largest makespan that a bound allows; `None` if it is not finite, or is the 0 that stands for none, since every
/// makespan is 1 or more.
fn at_most(bound: f64) -> Option<Cycles> {
    whole((bound + TOLERANCE).floor()).filter(|&cycles| cycles > 0).map(Cycles)
}

fn whole(value: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be within 0..2^53"
    )]
    (0.0..9e15).contains(&value).then_some(value as u64)
}

const INTERRUPTS: [c_int; 3] = [
    highs_sys::kHighsCallbackSimplexInterrupt,
    highs_sys::kHighsCallbackIpmInterrupt,
    highs_sys::kHighsCallbackMipInterrupt,
];

/// What the thread that waits and the thread of HiGHS tell each other.
#[derive(Default)]
struct Watch {
    stop: Mutex<Option<Stop>>,
    progress: Mutex<Option<Progress>>,
}

/// HiGHS asks here, often, whether to go on.
unsafe extern "C" fn callback(
    kind: c_int,
    _message: *const c_char,
    out: *const highs_sys::HighsCallbackDataOut,
    input: *mut highs_sys::HighsCallbackDataIn,
    data: *mut c_void,
) {
    // SAFETY: HiGHS passes back the pointer it was given, to a `Watch` that lives through the run, and its own records.
    let (watch, out, input) = unsafe { (&*data.cast::<Watch>(), out.as_ref(), input.as_mut()) };
    if let (highs_sys::kHighsCallbackMipInterrupt, Some(out), Ok(mut progress)) =
        (kind, out, watch.progress.lock())
    {
        *progress = Some(Progress {
            nodes: out.mip_node_count,
            found: whole(out.mip_primal_bound.round()),
            bound: at_most(out.mip_dual_bound).map(|cycles| cycles.0),
        });
    }
    if let (Ok(stop), Some(input)) = (watch.stop.lock(), input)
        && stop.is_some()
    {
        input.user_interrupt = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E5: HiGHS returns 16.99999999999992 for 17.
    #[test]
    fn floats_become_integers_or_nothing() {
        assert_eq!(at_most(16.999_999_999_999_92), Some(Cycles(17)));
        assert_eq!(at_most(17.4), Some(Cycles(17)));
        assert_eq!(integer(16.999_999_999_999_92).unwrap(), Cycles(17));
        assert!(integer(16.9).is_err());
        assert_eq!(at_most(f64::INFINITY), None);
        assert_eq!(at_most(f64::NAN), None);
        assert_eq!(at_most(-3.0), None);
        assert_eq!(at_most(0.0), None);
        assert_eq!(binary(&[0.0, 0.999_999_9, -1e-9]).unwrap(), [false, true, false]);
        assert!(binary(&[0.5]).is_err());
    }
}
