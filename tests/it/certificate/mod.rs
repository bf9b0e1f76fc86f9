//! Certificates: their text, and what Coq and the extracted checker say of them.
//!
//! They are asked where they are: `coqc` with the compiled proofs (`proofs/check.sh`), and the checker that is built
//! with them. With the variable `WARPSPAN_CI` set they must be asked. Coq takes longer to start than to check a small
//! certificate, so it checks few files, some with several certificates; the checker takes milliseconds.

mod files;
mod kinds;
mod random;
mod responses;
mod tampered;

use std::path::Path;
use std::process::Command;

use warpspan::certificate::{Certificate, coq, json};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::model::{Code, Grid, Group, Multiprocessor, Workload};

use crate::common::limits;

/// Whether Coq can be asked.
fn coq_is_here() -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = Command::new("coqc").arg("--version").output().is_ok_and(|output| output.status.success())
        && root.join("proofs/Certificate.vo").exists();
    assert!(
        here || std::env::var_os("WARPSPAN_CI").is_none(),
        "coqc or the compiled proofs are missing: run proofs/check.sh"
    );
    if !here {
        eprintln!("skipped: coqc or the compiled proofs (proofs/check.sh) are missing");
    }
    here
}

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/proofs/checker/checker");

/// Whether the extracted checker can be asked.
fn checker_is_here() -> bool {
    let here = Path::new(CHECKER).exists();
    assert!(
        here || std::env::var_os("WARPSPAN_CI").is_none(),
        "the checker is missing: run proofs/checker/build.sh"
    );
    if !here {
        eprintln!("skipped: the checker (proofs/checker/build.sh) is missing");
    }
    here
}

/// Whether Coq accepts a file. The text may hold several certificates, one after another.
fn accepted(text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.v");
    std::fs::write(&path, text).unwrap();
    let mut coqc = Command::new("coqc");
    coqc.args(["-q", "-Q", concat!(env!("CARGO_MANIFEST_DIR"), "/proofs"), "Warpspan"]).arg(&path);
    let output = coqc.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let theorems = text.matches("Print Assumptions").count();
    if output.status.success() {
        assert_eq!(said.matches("Closed under the global context").count(), theorems, "{said}");
    }
    output.status.success()
}

/// Whether the extracted checker accepts a certificate.
fn checker_accepts(text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.json");
    std::fs::write(&path, text).unwrap();
    let output = Command::new(CHECKER).arg(&path).output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

/// Several certificates as one text: each is a module of its own. Coq is asked once for the axioms of all, since it
/// takes half a second for each question.
fn together(certificates: &[String]) -> String {
    let mut text = "From Warpspan Require Import Certificate.\n".to_owned();
    let mut theorems = Vec::new();
    for (at, certificate) in certificates.iter().enumerate() {
        text += &format!("Module M{at}.\n");
        for line in body(certificate).lines() {
            match line.strip_prefix("Print Assumptions ") {
                Some(theorem) => theorems.push(format!("M{at}.{}", theorem.trim_end_matches('.'))),
                None => text += &format!("{line}\n"),
            }
        }
        text += &format!("End M{at}.\n");
    }
    text + &format!("Definition all := ({}).\nPrint Assumptions all.\n", theorems.join(", "))
}

/// A certificate without its comment and its import.
fn body(text: &str) -> &str {
    text.split_once("From Warpspan Require Import Certificate.\n").unwrap().1
}

fn workload(groups: &[(&str, u64)], sigma: (&str, &str)) -> Workload {
    let group = |&(kernel, warps): &(&str, u64)| Group { code: kernel.parse::<Code>().unwrap(), warps };
    let multiprocessor = Multiprocessor::new(sigma.0.parse().unwrap(), sigma.1.parse().unwrap());
    Workload::new(groups.iter().map(group).collect(), multiprocessor).unwrap()
}

fn certified(workload: &Workload) -> Certificate {
    let limits = limits();
    let solved = Solver::new().engine(EngineChoice::Phase).limits(&limits).solve(workload).unwrap();
    Certificate::new(workload, solved.worst_case(), solved.witness()).unwrap()
}

/// The certificate of a grid.
fn of_grid(
    kernel: &str,
    sigma: (&str, &str),
    [warps, blocks, multiprocessors, resident]: [u64; 4],
) -> Certificate {
    let multiprocessor = Multiprocessor::new(sigma.0.parse().unwrap(), sigma.1.parse().unwrap());
    let grid = Grid::new(kernel.parse::<Code>().unwrap(), multiprocessor, warps, blocks).unwrap();
    let grid = grid.on(multiprocessors, resident).unwrap();
    let limits = limits();
    let solved = Solver::new().limits(&limits).solve(&grid).unwrap();
    Certificate::of_grid(&grid, solved.worst_case(), solved.witness()).unwrap()
}

fn ends(certificate: &Certificate) -> (Option<u64>, u64) {
    (certificate.at_least().map(|cycles| cycles.0), certificate.at_most().0)
}

/// Where the checkers are, both accept a certificate.
fn assert_accepted(what: &str, certificates: &[Certificate]) {
    if checker_is_here() {
        for text in certificates.iter().map(json) {
            assert!(checker_accepts(&text), "{what}: {text}");
        }
    }
    if coq_is_here() {
        let texts: Vec<String> = certificates.iter().map(coq).collect();
        if !accepted(&together(&texts)) {
            texts.iter().for_each(|text| assert!(accepted(text), "{what}: {text}"));
        }
    }
}
