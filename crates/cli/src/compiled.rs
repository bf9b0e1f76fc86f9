//! Sources of CUDA, which `nvcc` compiles for the GPU that is asked about.

use std::path::Path;
use std::process::{Command, Stdio};

use warpspan_kernel::input::{disassembly, tool};
use warpspan_model::source::{InputError, name};

/// The listing of what `nvcc` makes of a source for a compute capability; none if the file is no source of CUDA, or if there is no
/// `nvcc`, whose absence the reader of listings then explains.
///
/// # Errors
/// If the source does not compile, or nothing can list its machine code.
pub(crate) fn compiled(source: &Path, capability: &str) -> Result<Option<Vec<u8>>, InputError> {
    let is_source = source.extension().is_some_and(|end| end == "cu") && source.is_file();
    let Some(nvcc) = Some("nvcc").filter(|_| is_source).and_then(tool) else { return Ok(None) };
    let place = name(source);
    let error = |what: String| InputError::new(&place, what);
    // It is removed when the answer is there, and when a signal ends nvcc, which fails then.
    let folder =
        tempfile::tempdir().map_err(|why| error(format!("no folder for its machine code: {why}")))?;
    let cubin = folder.path().join("code.cubin");
    let mut command = Command::new(nvcc);
    command.args(["-cubin", "-lineinfo"]).arg(format!("-arch=sm_{}", capability.replace('.', "")));
    let done = command.arg("-o").arg(&cubin).arg(source).stdin(Stdio::null()).output();
    let done = done.map_err(|why| error(format!("nvcc cannot be run: {why}")))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&[done.stderr, done.stdout].concat()).into_owned();
        let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines().find(|line| line.contains("error")).or_else(|| lines().next());
        return Err(error(format!(
            "nvcc cannot compile it for {capability}: {}",
            first.unwrap_or("it says nothing")
        )));
    }
    let want = "nvcc compiled it, and nothing lists the machine code: want cuobjdump or nvdisasm on the PATH";
    disassembly(&cubin).map(Some).ok_or_else(|| error(want.to_owned()))
}
