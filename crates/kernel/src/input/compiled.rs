//! Compiled programs, which `cuobjdump` or `nvdisasm` of the CUDA toolkit turns into listings.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use warpspan_listing::is_object;
use warpspan_model::source::{InputError, bytes};

/// Where the wheels of `scripts/make-listings` have the programs, below the folder of Python's packages.
const IN_WHEELS: &str = "triton/backends/nvidia/bin";

/// The program and its options, first the one that reads every kind of file and also says registers and shared memory.
const PROGRAMS: [(&str, &[&str]); 2] =
    [("cuobjdump", &["-sass", "-res-usage"]), ("nvdisasm", &["-hex", "-g"])];

/// The bytes of a listing: those of a file, or what `cuobjdump` prints of a cubin, a fatbin or a program with one. Where
/// that program is missing or finds nothing, `nvdisasm` is asked, which reads cubins only.
///
/// The words that say what each instruction waits for come with the code.
///
/// # Errors
/// If the file cannot be read.
pub fn listing_bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    let read = bytes(path)?;
    let is_file = path != Path::new("-");
    if !(is_file && is_object(&read)) {
        return Ok(read);
    }
    // Where there is no SASS, whoever reads the bytes says how to make some.
    Ok(disassembly(path).unwrap_or(read))
}

/// The listing of an object file by the first disassembler that finds SASS in it; none if no disassembler does.
pub fn disassembly(path: &Path) -> Option<Vec<u8>> {
    let listed = |(name, options): (&str, &[&str])| disassembled(&tool(name)?, options, path);
    PROGRAMS.into_iter().find_map(listed)
}

/// The program of this name, on the search path, in a toolkit, or in the wheels of this folder.
pub fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let toolkits = toolkits.chain([PathBuf::from("/usr/local/cuda")]).map(|folder| folder.join("bin"));
    let python = std::fs::read_dir("target/nvidia-tools/lib").into_iter().flatten().flatten();
    let wheels = python.map(|one| one.path().join("site-packages").join(IN_WHEELS));
    let mut folders = std::env::split_paths(&path).chain(toolkits).chain(wheels);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.find_map(|folder| Some(folder.join(&name)).filter(|program| program.is_file()))
}

/// What the program prints of a file, if it finds SASS there.
fn disassembled(program: &Path, options: &[&str], path: &Path) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let done = command.args(options).arg(path).stdin(Stdio::null()).output().ok()?;
    let has = |text: &[u8]| done.stdout.windows(text.len()).any(|window| window == text);
    let has_code = has(b"Function :") || has(b".text.");
    (done.status.success() && has_code).then_some(done.stdout)
}
