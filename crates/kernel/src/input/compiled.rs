//! Compiled programs, which `cuobjdump` of the CUDA toolkit turns into listings.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use warpspan_listing::is_object;
use warpspan_model::source::{InputError, bytes};

/// Where the wheels of `scripts/make-listings` have the program, below the folder of Python's packages.
const IN_WHEELS: &str = "triton/backends/nvidia/bin";

/// The bytes of a listing: those of a file, or what `cuobjdump` prints of a cubin, a fatbin or a program with one.
///
/// Registers and shared memory come with the code, and the words that say what each instruction waits for.
///
/// # Errors
/// If the file cannot be read.
#[doc(hidden)]
pub fn listing_bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    let read = bytes(path)?;
    let is_file = path != Path::new("-");
    let program = Some(()).filter(|()| is_file && is_object(&read)).and_then(|()| cuobjdump());
    // Where there is no SASS, whoever reads the bytes says how to make some.
    Ok(program.and_then(|program| disassembled(&program, path)).unwrap_or(read))
}

/// The program, on the search path, in a toolkit, or in the wheels of this folder.
fn cuobjdump() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let toolkits = toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|folder| folder.join("bin"));
    let python = std::fs::read_dir("target/nvidia-tools/lib").into_iter().flatten().flatten();
    let wheels = python.map(|one| one.path().join("site-packages").join(IN_WHEELS));
    let mut folders = std::env::split_paths(&path).chain(toolkits).chain(wheels);
    let name = format!("cuobjdump{}", std::env::consts::EXE_SUFFIX);
    folders.find_map(|folder| Some(folder.join(&name)).filter(|program| program.is_file()))
}

/// What the program prints of a file, if it finds SASS there.
fn disassembled(program: &Path, path: &Path) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let done = command.args(["-sass", "-res-usage"]).arg(path).stdin(Stdio::null()).output().ok()?;
    let has_code = done.stdout.windows(10).any(|window| window == b"Function :");
    (done.status.success() && has_code).then_some(done.stdout)
}
