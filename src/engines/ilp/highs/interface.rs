//! What the `highs` crate does not wrap of HiGHS's C interface: names, the writing of models, and callbacks.
#![expect(unsafe_code, reason = "HiGHS's C interface")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Mutex;

use crate::engines::ilp::highs::numbers::{at_most, whole};
use crate::engines::ilp::{IlpError, Progress};
use crate::limits::Stop;

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
pub(crate) fn version() -> String {
    // SAFETY: these three functions read constants.
    let [major, minor, patch] = unsafe {
        [highs_sys::Highs_versionMajor(), highs_sys::Highs_versionMinor(), highs_sys::Highs_versionPatch()]
    };
    format!("{major}.{minor}.{patch}")
}

pub(super) fn write_model(highs: *mut c_void, path: &Path) -> Result<(), IlpError> {
    let wrong =
        || IlpError::Write { path: path.to_owned(), what: "model", hint: " that ends in .lp or .mps" };
    let name = path.to_str().and_then(|text| CString::new(text).ok()).ok_or_else(wrong)?;
    // SAFETY: a live HiGHS pointer, a string that lives through the call.
    match unsafe { highs_sys::Highs_writeModel(highs, name.as_ptr()) } {
        highs_sys::STATUS_ERROR => Err(wrong()),
        _ => Ok(()),
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
}

/// The callback by which HiGHS asks, often, whether to go on.
pub(super) unsafe extern "C" fn callback(
    kind: c_int,
    _message: *const c_char,
    out: *const highs_sys::HighsCallbackDataOut,
    input: *mut highs_sys::HighsCallbackDataIn,
    data: *mut c_void,
) {
    // SAFETY: HiGHS passes back the pointer it was given, to a `Watch` that lives through the run, and its
    // own records.
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
