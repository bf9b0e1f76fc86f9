//! What the `highs` crate does not wrap of HiGHS's C interface: names, the writing of models, and callbacks.
#![expect(unsafe_code, reason = "HiGHS's C interface")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::highs::numbers::{at_most, whole};
use crate::{IlpError, Progress};
use warpspan_model::limits::Stop;
use warpspan_model::source::write_whole;

pub(super) fn pass_names(highs: *mut c_void, columns: &[String], rows: &[String]) -> Option<()> {
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

/// The version of HiGHS.
pub fn version() -> String {
    // SAFETY: these three functions read constants.
    let [major, minor, patch] = unsafe {
        [highs_sys::Highs_versionMajor(), highs_sys::Highs_versionMinor(), highs_sys::Highs_versionPatch()]
    };
    format!("{major}.{minor}.{patch}")
}

/// Writes the model. HiGHS does not say when a disk is full, so it writes a file of its own, whose end is looked at, and
/// that is copied.
pub(super) fn write_model(highs: *mut c_void, path: &Path) -> Result<(), IlpError> {
    let wrong =
        || IlpError::Write { path: path.to_owned(), what: "model", hint: " that ends in .lp or .mps" };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let folder = Folder::new().map_err(|_| wrong())?;
    let file = folder.0.join(format!("model.{ending}"));
    let name = file.to_str().and_then(|text| CString::new(text).ok()).ok_or_else(wrong)?;
    // SAFETY: a live HiGHS pointer, a string that lives through the call.
    if unsafe { highs_sys::Highs_writeModel(highs, name.as_ptr()) } == highs_sys::STATUS_ERROR {
        return Err(wrong());
    }
    let text = std::fs::read(&file).map_err(|_| wrong())?;
    let last = text.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let whole = last.eq_ignore_ascii_case(b"end") || last.eq_ignore_ascii_case(b"endata");
    let cut = |path: &Path| IlpError::Cut { path: path.to_owned(), what: "model" };
    if !whole {
        return Err(cut(&file));
    }
    write_whole(path, |out| out.write_all(&text)).map_err(|_| cut(path))
}

/// A folder for temporary files, which is removed with all that it holds.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("warpspan-{}-{number}", std::process::id()));
        std::fs::create_dir(&path)?; // fails if anyone has made it before
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // nothing better is left to do
    }
}

pub(super) const INTERRUPTS: [c_int; 3] = [
    highs_sys::kHighsCallbackSimplexInterrupt,
    highs_sys::kHighsCallbackIpmInterrupt,
    highs_sys::kHighsCallbackMipInterrupt,
];

/// What the thread that waits and the thread of HiGHS tell each other.
#[derive(Default)]
pub(super) struct Watch {
    pub(super) stop: Mutex<Option<Stop>>,
    pub(super) progress: Mutex<Option<Progress>>,
    pub(super) log: Mutex<Option<Log>>,
}

/// The log of HiGHS, which does not say when a disk is full. So this file is written here.
pub(super) struct Log {
    pub(super) file: File,
    /// Whether a line could not be written.
    pub(super) failed: bool,
}

impl Log {
    fn line(&mut self, line: &[u8]) {
        self.failed |= self.file.write_all(line).is_err();
    }
}

/// The callback by which HiGHS asks, often, whether to go on.
pub(super) unsafe extern "C" fn callback(
    kind: c_int,
    message: *const c_char,
    out: *const highs_sys::HighsCallbackDataOut,
    input: *mut highs_sys::HighsCallbackDataIn,
    data: *mut c_void,
) {
    // SAFETY: HiGHS passes back the pointer it was given, to a `Watch` that lives through the run, and its
    // own records.
    let (watch, out, input) = unsafe { (&*data.cast::<Watch>(), out.as_ref(), input.as_mut()) };
    if kind == highs_sys::kHighsCallbackLogging {
        if let (false, Ok(mut log)) = (message.is_null(), watch.log.lock())
            && let Some(log) = log.as_mut()
        {
            // SAFETY: HiGHS passes a string that ends with a zero and lives through the call.
            log.line(unsafe { CStr::from_ptr(message) }.to_bytes());
        }
        return;
    }
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
