//! Certificates: their text, and what Coq says of them.
//!
//! Coq is asked where `coqc` is installed and the proofs are compiled (`proofs/check.sh`); with the variable
//! `WARPSPAN_CI` set it must be asked. Several certificates are checked in one run of `coqc`, since it takes longer
//! to start than to check a small one.

use std::path::Path;
use std::process::Command;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use warpspan::certificate::{Certificate, coq, json};
use warpspan::engines::portfolio::{EngineChoice, Solver};
use warpspan::model::{Code, Group, Multiprocessor, Workload};

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

/// Whether the extracted checker accepts a certificate. It is there where Coq is.
fn checker_accepts(text: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.json");
    std::fs::write(&path, text).unwrap();
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/proofs/checker/checker");
    let output = Command::new(checker).arg(&path).output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

/// Several certificates as one text: each is a module of its own.
fn together(certificates: &[String]) -> String {
    let module = |(at, text): (usize, &String)| format!("Module M{at}.\n{}\nEnd M{at}.\n", body(text));
    let import = "From Warpspan Require Import Certificate.\n";
    import.to_owned() + &certificates.iter().enumerate().map(module).collect::<String>()
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

fn ends(certificate: &Certificate) -> (Option<u64>, u64) {
    (certificate.at_least().map(|cycles| cycles.0), certificate.at_most().0)
}

const LCL: &str =
    "(* A certificate of warpspan 0.1.0. Once the proofs are compiled (proofs/check.sh), this checks it:
       coqc -Q proofs Warpspan FILE.v
   It states the input and what is proved of its worst case, in cycles. *)
From Warpspan Require Import Certificate.

Open Scope N_scope.

Definition asked : input := Input (Sigma 1 1) (Sigma 1 1)
  [(kernel \"LCL\", 4)].

Theorem both_ends : worst asked 9.
Proof. apply theorem_sound. vm_cast_no_check (eq_refl true). Qed.
Print Assumptions both_ends.

Theorem lower_end : at_least asked 9.
Proof. apply (schedule_sound _ [
";

/// Every character of a small certificate but its schedule.
#[test]
fn the_text_of_a_certificate() {
    let certificate = certified(&workload(&[("LCL", 4)], ("1", "1")));
    let text = coq(&certificate);
    let (head, schedule) = text.split_at(LCL.len());
    assert_eq!(head, LCL);
    assert_eq!(schedule.lines().count(), 9 + 2, "{schedule}");
    assert_eq!(ends(&certificate), (Some(9), 9));
    if coq_is_here() {
        assert!(accepted(&text));
    }
}

/// Every way to prove an end, and inputs that need the expansion or a smaller sigma.
#[test]
fn coq_accepts_each_kind() {
    let cases: [(&[(&str, u64)], _, _); 10] = [
        (&[("LLCLL", 600)], ("1", "1"), (Some(2401), 2401)),
        (&[("LCLLCL", 2)], ("1", "1"), (Some(9), 9)),
        (&[("LCLLC", 1), ("CCL", 1)], ("1", "1"), (Some(6), 6)),
        (&[("LCLCL", 4)], ("1/2", "1"), (Some(26), 26)),
        (&[("LC", 3)], ("1000000000000", "2"), (Some(3), 3)),
        (&[("CCCCCC", 3), ("LCCCCC", 6)], ("1", "4"), (Some(16), 16)),
        (&[("LLCCLC", 8), ("CCLLC", 6)], ("14", "4"), (Some(14), 14)),
        (&[("LLC|CLLC", 5)], ("1", "1"), (Some(23), 23)),
        (&[("LLC|CLLC", 2), ("CL|LC", 3)], ("1", "2"), (Some(17), 17)),
        (&[("LCC|CL", 7)], ("2", "2"), (Some(14), 14)),
    ];
    let certificates: Vec<Certificate> = cases
        .iter()
        .map(|(groups, sigma, expected)| {
            let certificate = certified(&workload(groups, *sigma));
            assert_eq!(ends(&certificate), *expected, "{groups:?} {sigma:?}");
            certificate
        })
        .collect();
    if coq_is_here() {
        for (case, certificate) in cases.iter().zip(&certificates) {
            assert!(accepted(&coq(certificate)), "{case:?}: {}", coq(certificate));
            assert!(checker_accepts(&json(certificate)), "{case:?}: {}", json(certificate));
        }
    }
}

/// Two hundred random instances, with and without barriers.
#[test]
fn coq_accepts_random_certificates() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut random = || {
        let sigma = ["1", "1", "2", "3", "1/2", "4"];
        let sigma = (sigma[rng.random_range(0..6)], sigma[rng.random_range(0..6)]);
        let groups = rng.random_range(1..=2);
        let mut kernel = |letters: usize| -> String {
            let letter = |_| ["L", "C", "L", "C", "L", "C", "L", "C", "|"][rng.random_range(0..9)];
            (0..letters).map(letter).collect()
        };
        let kernels: Vec<String> = (0..groups).map(|_| format!("L{}", kernel(5))).collect();
        let groups: Vec<(&str, u64)> =
            kernels.iter().map(|kernel| (kernel.as_str(), rng.random_range(1..=4))).collect();
        let workload = workload(&groups, sigma);
        if rng.random_bool(0.5) { workload.in_blocks_of(2).unwrap() } else { workload }
    };
    let workloads: Vec<Workload> = (0..200).map(|_| random()).collect();
    let certificates: Vec<Certificate> = workloads.par_iter().map(certified).collect();
    let texts: Vec<String> = certificates.iter().map(coq).collect();
    if coq_is_here() {
        for certificate in &certificates {
            assert!(checker_accepts(&json(certificate)), "{}", json(certificate));
        }
        let refused: Vec<&[String]> = texts.chunks(50).filter(|chunk| !accepted(&together(chunk))).collect();
        for chunk in refused {
            chunk.iter().for_each(|certificate| assert!(accepted(certificate), "{certificate}"));
        }
    }
}

/// What was tampered with is refused: a bound lowered by one, another makespan, an issue removed or in another
/// cycle, another kernel, another number of warps, a price out of range that is left alone.
#[test]
fn coq_refuses_what_was_tampered_with() {
    let phases = coq(&certified(&workload(&[("LCCC", 4)], ("1", "2"))));
    let theorem = coq(&certified(&workload(&[("LLCLL", 4)], ("1", "1"))));
    let barriers = coq(&certified(&workload(&[("LLC|CL", 2), ("CL", 3)], ("1", "2"))));
    let changed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        text.replacen(from, to, 1)
    };
    let first_cycle = |text: &str| {
        let cycle = text.split("_sound _ [\n").last().unwrap().lines().next().unwrap().to_owned();
        changed(text, &format!("{cycle}\n"), "  [];\n")
    };
    let tampered = [
        changed(&phases, "at_most asked 9", "at_most asked 8"),
        changed(&phases, "at_least asked 9", "at_least asked 10"),
        changed(&phases, "\"LCCC\", 4", "\"LCCC\", 5"),
        changed(&phases, "\"LCCC\"", "\"LCLC\""),
        first_cycle(&phases),
        changed(&theorem, "worst asked 17", "worst asked 16"),
        changed(&theorem, "worst asked 17", "worst asked 18"),
        changed(&theorem, "Sigma 1 1", "Sigma 2 1"),
        changed(&theorem, "\"LLCLL\"", "\"LLXLL\""),
        first_cycle(&barriers),
        changed(&barriers, "LLC|CL", "LLCCL"),
    ];
    if coq_is_here() {
        for text in [&phases, &theorem, &barriers] {
            assert!(accepted(text), "{text}");
        }
        tampered.par_iter().for_each(|text| assert!(!accepted(text), "{text}"));
        let only = phases.split("[(").nth(2).unwrap().split(']').next().unwrap();
        assert!(
            !accepted(&changed(&phases, only, "3, 1)")),
            "a price out of range proves no bound of its own"
        );
    }
}
