//! `prem --emit-cuda`: the files, and that compilers take them where there are any.

use std::path::Path;
use std::process::Command as Process;

use assert_cmd::Command;

fn warpspan(args: &[&str]) -> (i32, String) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn emit(folder: &Path, more: &[&str]) -> (i32, String) {
    let folder = folder.to_str().unwrap();
    warpspan(&[&["prem", "instances/kr19-plan.toml", "--emit-cuda", folder], more].concat())
}

#[test]
fn the_artefact_has_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("new");
    assert_eq!(emit(&there, &[]), (0, String::new()));
    let read = |name: &str| std::fs::read_to_string(there.join(name)).unwrap();
    // Kr19 section 4.2.3: 1024 tiles side by side in pairs, 512 of each block of 512 threads.
    for line in [
        "PLAN_TILES 1024u",
        "PLAN_ACROSS 2u",
        "PLAN_TILES_OF_BLOCK 512u",
        "PLAN_THREADS 512u",
        "PLAN_RESULTS_WIDTH 1020u",
    ] {
        assert!(read("plan.h").contains(&format!("#define {line}\n")), "{line}");
    }
    assert!(read("prem.h").contains("NOT proved") && read("Makefile").contains("kernels.cu"));
    assert!(read("main.cu").contains("#include \"kernels.cu\""));
    // What is there is not overwritten.
    std::fs::write(there.join("plan.h"), "mine").unwrap();
    let (code, stderr) = emit(&there, &[]);
    assert_eq!((code, stderr.lines().count()), (2, 1), "{stderr}");
    assert!(stderr.contains("it is there already: want another folder"), "{stderr}");
    assert_eq!(read("plan.h"), "mine");
    let (code, stderr) =
        warpspan(&["prem", "instances/kr19-least.toml", "--emit-cuda", there.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(stderr.contains("--emit-cuda: no [plan]: want the image that is cut into tiles"), "{stderr}");
}

/// NVRTC and ptxas, as `scripts/make-listings` has installed them, compile the kernels for capabilities 6.2, 7.0 and 8.7,
/// and `extract` reads what they make.
#[test]
fn compilers_take_the_kernels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("target/nvidia-tools").exists() {
        eprintln!("skipped: scripts/make-listings has not installed NVRTC and ptxas");
        return;
    }
    for mode in ["tile-kernel", "phase-block"] {
        let folder = tempfile::tempdir().unwrap();
        let more = ["--mode", mode, "--prefetch-offset", "1920"];
        assert_eq!(emit(folder.path(), &more).0, 0);
        let source = folder.path().join("kernels.cu");
        let script = root.join("scripts/make-listings");
        let mut process = Process::new(script);
        process.args(["--arch", "6.2", "7.0", "8.7", "--out"]).arg(folder.path()).arg(source);
        let output = process.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for architecture in ["6.2", "7.0", "8.7"] {
            let listing = folder.path().join(architecture).join("kernels.sass");
            let output =
                Command::cargo_bin("warpspan").unwrap().arg("extract").arg(&listing).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            for entry in ["convolution_tiled", "walk", "timer_steps"] {
                assert!(text.lines().any(|line| line.starts_with(entry)), "{architecture}: {entry}\n{text}");
            }
        }
    }
}

/// nvcc builds the harness, where it is.
#[test]
fn nvcc_builds_the_harness() {
    if Process::new("nvcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no nvcc");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(emit(folder.path(), &[]).0, 0);
    let output = Process::new("make").arg("ARCH=75").current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
