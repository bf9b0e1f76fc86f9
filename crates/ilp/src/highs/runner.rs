//! Running HiGHS on a model: options, limits and the dual bound.
//!
//! This file and `interface` hold the crate's only unsafe code. Callbacks, names and the writing of models
//! are in HiGHS's C interface, but not in the `highs` crate.
#![expect(unsafe_code, reason = "HiGHS's C interface")]

use std::ffi::{c_int, c_void};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use highs::{HighsModelStatus, HighsSolutionStatus};

use crate::highs::interface::{INTERRUPTS, Log, Watch, callback, pass_names, write_model};
use crate::highs::model::{Column, Model};
use crate::highs::numbers::{at_most, binary, integer};
use crate::{IlpError, ModelSize, Observer, Options};
use warpspan_model::Cycles;
use warpspan_model::limits::{Limits, Stop, resident_memory};

/// The answer of HiGHS, in integers.
pub(super) struct Raw {
    values: Option<Vec<bool>>,
    pub(super) objective: Option<Cycles>,
    pub(super) dual_bound: Option<Cycles>,
    pub(super) infeasible: bool,
    /// What stopped it, if it did not end by itself.
    pub(super) stop: Option<Stop>,
    pub(super) size: ModelSize,
}

impl Raw {
    /// Whether a variable is 1.
    pub(super) fn is_one(&self, column: Column) -> bool {
        self.values.as_ref().is_some_and(|values| values[column.index])
    }

    /// Whether HiGHS gave values of variables.
    pub(super) fn has_solution(&self) -> bool {
        self.values.is_some()
    }
}

/// Whether HiGHS may simplify the model first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presolve {
    On,
    Off,
}

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
    // SAFETY: the pointer is a live HiGHS pointer, and the other argument is a number.
    unsafe { highs_sys::Highs_changeObjectiveOffset(highs.as_mut_ptr(), model.constant) };

    if let (Some(path), Some((columns, rows))) = (&options.write_model, names) {
        pass_names(highs.as_mut_ptr(), &columns, &rows).ok_or_else(|| failed("names are not accepted"))?;
        write_model(highs.as_mut_ptr(), path)?;
    }
    set_options(&mut highs, options, limits)?;
    if presolve == Presolve::Off {
        highs.try_set_option("presolve", "off").map_err(|_| failed("presolve cannot be switched off"))?;
    }
    let unlogged = |path: &PathBuf| IlpError::Write { path: path.clone(), what: "log", hint: "" };
    let file = options.log.as_ref().map(|path| File::create(path).map_err(|_| unlogged(path))).transpose()?;
    if size.columns == 0 {
        // The windows decided everything. Rows without variables are kept only if they do not hold.
        let infeasible = size.rows > 0;
        let dual_bound = at_most(model.constant).filter(|_| !infeasible);
        let values = (!infeasible).then(Vec::new);
        return Ok(Raw { values, objective: dual_bound, dual_bound, infeasible, stop: None, size });
    }

    let watch = Arc::new(Watch::default());
    if let (Some(file), Ok(mut log)) = (file, watch.log.lock()) {
        *log = Some(Log { file, failed: false });
    }
    let (model, theirs) = (Owned(highs), Arc::clone(&watch));
    let (sender, answer) = mpsc::channel();
    let work = move || {
        let _ = sender.send(optimise(model, &theirs, binaries, size));
    };
    let thread = std::thread::Builder::new().name("HiGHS".into()).stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| IlpError::Solver(error.to_string()))?;
    let raw = wait(&answer, thread, &watch, limits, progress, size)?;
    let is_cut = || watch.log.lock().is_ok_and(|log| log.as_ref().is_some_and(|log| log.failed));
    match &options.log {
        Some(path) if is_cut() => Err(IlpError::Cut { path: path.clone(), what: "log" }),
        _ => Ok(raw),
    }
}

/// A model that moves to the thread that solves it.
struct Owned(highs::Model);
// SAFETY: HiGHS ties no instance to the thread that made it, and only one thread uses this one.
unsafe impl Send for Owned {}

const STACK: usize = 64 << 20;

/// Runs HiGHS to its end and reads its results.
fn optimise(model: Owned, watch: &Watch, binaries: usize, size: ModelSize) -> Result<Raw, IlpError> {
    let Owned(mut highs) = model;
    let data = std::ptr::from_ref(watch).cast_mut().cast::<c_void>();
    let is_logged = watch.log.lock().is_ok_and(|log| log.is_some());
    // SAFETY: `watch` outlives the run below, and the callbacks end with the run.
    unsafe {
        highs_sys::Highs_setCallback(highs.as_mut_ptr(), Some(callback), data);
        for kind in INTERRUPTS {
            highs_sys::Highs_startCallback(highs.as_mut_ptr(), kind);
        }
        if is_logged {
            highs_sys::Highs_startCallback(highs.as_mut_ptr(), highs_sys::kHighsCallbackLogging);
        }
        // The thread pool keeps the number of threads of its first use.
        highs_sys::Highs_resetGlobalScheduler(1);
    }
    let solved = highs.try_solve().map_err(|error| IlpError::Solver(format!("{error:?}")))?;
    let asked = watch.stop.lock().ok().and_then(|stop| *stop);
    let (stop, infeasible) = match solved.status() {
        HighsModelStatus::Optimal => (None, false),
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => (None, true),
        HighsModelStatus::ReachedTimeLimit => (Some(Stop::TimeLimit), false),
        HighsModelStatus::ReachedMemoryLimit => (Some(Stop::MemoryLimit), false),
        HighsModelStatus::ReachedInterrupt => (Some(asked.unwrap_or(Stop::Interrupted)), false),
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
        // nothing to branch on, so HiGHS solves an LP, and the bound of the MIP stays at 0
        0 => Ok(solved.objective_value()),
        _ => solved.double_info_value(c"mip_dual_bound"),
    };
    let dual = dual.map_err(|_| IlpError::Solver("no dual bound".to_owned()))?;
    Ok(Raw { values, objective, dual_bound: at_most(dual), infeasible, stop, size })
}

/// The time that HiGHS has to stop once it is asked to. It gets no more than it has taken to solve so far.
/// Inside a large linear program it does not call back for minutes. Then it is left behind, and what it has
/// found is lost.
const GRACE: Duration = Duration::from_secs(3);
const LEAST_GRACE: Duration = Duration::from_millis(100);
/// The time between two checks of the limits.
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
                // The thread is joined, not detached: glibc reads a thread after detaching it, when a stack
                // of this size may have been unmapped (its bug 19951), and a solve may end before the handle
                // is dropped.
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
                    stop: Some(stop),
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
    Ok(())
}
