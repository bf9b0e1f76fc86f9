//! What the Python package needs of the Rust crate: to run a command, to draw its records, and to know its flags.
//!
//! The package runs the commands of the command line inside the process (`warpspan::embedded`) and links clap for it.
//! Almost all of what a user can ask is flags: which go together, what each means without the others, what the
//! notes of an answer say. A second reader of all this would drift from the first one.

#![warn(missing_docs)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use warpspan::embedded::{self, Answer, Failed, Flag, Host, Standing};

/// How long a command that is stopped may take to its next look at the flag. After that Python goes on without it.
const GRACE: Duration = Duration::from_secs(1);
/// How often Python looks for Ctrl-C and calls the callback.
const TICK: Duration = Duration::from_millis(50);
/// The stack of a command; searches over deep programs recurse.
const STACK: usize = 64 << 20;

/// Why there is no answer: message, place, line, remedies.
type Failure = (String, Option<String>, Option<usize>, Vec<String>);

fn failure(Failed { message, place, line, remedies }: Failed) -> Failure {
    (message, place, line, remedies)
}

/// What is printed, what is said beside it, the exit code, and why there is no answer.
type Printed = (String, Vec<String>, u8, Option<Failure>);

/// Runs a command of the command line without its signals.
///
/// The command runs in a thread of its own and without the GIL. This thread meanwhile looks for Ctrl-C and tells
/// `progress` how far it is: two numbers, `(lower, upper)` of an interval or `(done, all)` of steps. `False` from it
/// stops the command, which then answers with what it has. Ctrl-C stops it too and raises `KeyboardInterrupt`, and so
/// does any exception of `progress`.
///
/// `texts` are read in place of the files of these names, and of standard input for `-`.
#[pyfunction]
#[pyo3(signature = (arguments, progress=None, texts=None))]
fn run(
    py: Python<'_>,
    arguments: Vec<String>,
    progress: Option<Py<PyAny>>,
    texts: Option<BTreeMap<String, String>>,
) -> PyResult<Printed> {
    let texts: BTreeMap<_, _> =
        texts.into_iter().flatten().map(|(name, text)| (name.into(), text.into_bytes())).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let latest: Arc<Mutex<Option<Standing>>> = Arc::default();
    let (send, receive) = channel();
    let worker = {
        let (stop, latest) = (Arc::clone(&stop), Arc::clone(&latest));
        let observer = move |standing| {
            *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing);
        };
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let answer = embedded::run(&arguments, Host { stop, observer: Arc::new(observer), texts });
            // Nobody listens any more only if this process ends.
            let _ = send.send(answer);
        })?
    };
    let receive = Mutex::new(receive);
    let mut raised: Option<(PyErr, Instant)> = None;
    let mut told = None;
    let answer = loop {
        let waited = py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK));
        let ended = !matches!(waited, Err(RecvTimeoutError::Timeout));
        let standing = *latest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut call = || -> PyResult<()> {
            py.check_signals()?;
            // Once more at the end, so that the last state is told.
            if let (Some(progress), Some(standing)) = (&progress, standing)
                && (!ended || told != Some(standing))
            {
                told = Some(standing);
                let (first, second) = match standing {
                    Standing::Interval { lower, upper } => (lower, upper),
                    Standing::Steps { done, steps } => (done, steps),
                };
                let goes_on = progress.call1(py, (first, second))?;
                if goes_on.bind(py).is(pyo3::types::PyBool::new(py, false)) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        };
        if raised.is_none()
            && let Err(error) = call()
        {
            stop.store(true, Ordering::Relaxed);
            raised = Some((error, Instant::now()));
        }
        // The worker ends by itself at its next look, and nobody waits for what it would say.
        if let Some((error, _)) = raised.take_if(|(_, since)| !ended && since.elapsed() > GRACE) {
            return Err(error);
        }
        match waited {
            Ok(answer) => break Some(answer),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    let ended = py.detach(|| worker.join());
    if let Some((error, _)) = raised {
        return Err(error);
    }
    let Some(Answer { code, out, messages, failure: why }) = answer else {
        let what = ended.err().and_then(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        });
        return Err(PyRuntimeError::new_err(
            what.unwrap_or_else(|| "the command ended without an answer".into()),
        ));
    };
    Ok((out, messages, code, why.map(failure)))
}

/// The drawings of records, one a line of JSON: the name of each file and its SVG, or why there are none.
#[pyfunction]
fn figures(py: Python<'_>, lines: &str) -> (Vec<(String, String)>, Option<Failure>) {
    match py.detach(|| embedded::figures(lines)) {
        Ok(figures) => (figures, None),
        Err(why) => (Vec::new(), Some(failure(why))),
    }
}

/// What a record on a line tells, a document each: in a few words, and as HTML.
#[pyfunction]
fn told(py: Python<'_>, line: &str) -> Vec<(String, String)> {
    py.detach(|| embedded::told(line))
}

/// A flag: its name, what it does, whether its name is written before its value, the name of its value if it takes
/// one, the words that it takes, what stands between several values.
type Described = (String, String, bool, Option<String>, Vec<String>, Option<char>);

/// What a command of the command line takes, in the order of `--help`.
#[pyfunction]
fn flags(command: &str) -> Vec<Described> {
    let described =
        |Flag { name, help, named, value, words, several }| (name, help, named, value, words, several);
    embedded::flags(command).into_iter().map(described).collect()
}

/// The part of the package that is in Rust.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // As the command does, so that its records and those of the package can be compared.
    let named = std::env::var("WARPSPAN_COMMIT").ok();
    let built = git_version::git_version!(
        args = ["--always", "--dirty=+", "--abbrev=40", "--exclude=*"],
        fallback = "unknown"
    );
    warpspan::records::Build::set(named.as_deref().unwrap_or(built));
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("HAS_HIGHS", cfg!(feature = "highs"))?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(figures, module)?)?;
    module.add_function(wrap_pyfunction!(told, module)?)?;
    module.add_function(wrap_pyfunction!(flags, module)?)
}
