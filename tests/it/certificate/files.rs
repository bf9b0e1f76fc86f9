//! The files in `instances`, and the kernels of the errata.

use std::path::PathBuf;

use super::*;

/// `solve FILE --certificate CERTIFICATE`: the certificate, or what is said instead.
fn solved(file: &Path, ending: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join(format!("certificate.{ending}"));
    let mut warpspan = Command::new(env!("CARGO_BIN_EXE_warpspan"));
    let output = warpspan.arg("solve").arg(file).arg("--certificate").arg(&to).output().unwrap();
    if output.status.success() {
        Ok(std::fs::read_to_string(&to).unwrap())
    } else {
        assert!(!to.exists(), "{}: refused, and yet a file", file.display());
        Err(String::from_utf8(output.stderr).unwrap())
    }
}

/// Every file of kernel strings has a certificate that closes both ends; every other file is refused in one line.
#[test]
fn all_instances() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/instances");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut proved = 0;
    for file in files.iter().filter(|file| file.extension().is_none_or(|ending| ending != "csv")) {
        match solved(file, "json") {
            Ok(text) => {
                proved += 1;
                let file: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(file["at_most"]["cycles"], file["at_least"]["cycles"], "{text}");
                assert!(!checker_is_here() || checker_accepts(&text), "{text}");
            }
            Err(said) => {
                let lines = said.lines().count();
                assert_eq!(lines, 1, "{}: {said}", file.display());
            }
        }
    }
    assert_eq!(proved, 25, "files of kernel strings in instances");
    if coq_is_here() {
        for name in ["template-w48", "two-kernels", "cccc-sigma4-w8"] {
            let text = solved(&Path::new(folder).join(format!("{name}.toml")), "v").unwrap();
            assert!(accepted(&text), "{name}");
        }
    }
}

/// What the errata of Be12 say is the worst case, proved.
#[test]
fn the_errata() {
    let cases = [
        ("LCL", 2, ("1", "1"), 4),
        ("LCL", 4, ("1", "1"), 9),
        ("LCLCL", 2, ("1", "1"), 6),
        ("LCLCL", 4, ("1", "1"), 14),
        ("LL", 4, ("2", "1"), 5),
        ("CCCC", 8, ("1", "4"), 11),
        ("LC", 2, ("1", "1"), 3),
        ("LCLC", 2, ("1", "1"), 5),
    ];
    let of_case = |&(kernel, warps, sigma, worst): &(_, _, _, u64)| {
        let certificate = certified(&workload(&[(kernel, warps)], sigma));
        assert_eq!(ends(&certificate), (Some(worst), worst), "{kernel} {warps} {sigma:?}");
        certificate
    };
    let certificates: Vec<Certificate> = cases.iter().map(of_case).collect();
    assert_accepted("an erratum", &certificates);
}

/// What has no certificate is refused, with the reason.
#[test]
fn what_is_refused() {
    let refused = |flags: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("certificate.json");
        let mut warpspan = Command::new(env!("CARGO_BIN_EXE_warpspan"));
        let output = warpspan.arg("solve").args(flags).arg("--certificate").arg(&to).output().unwrap();
        assert!(!output.status.success() && !to.exists(), "{flags:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let cases: [(&[&str], &str); 3] = [
        (&["--kernel", "L{C/L}", "--warps", "2"], "branches or loops"),
        (
            &["--kernel", "LCL|LC", "--warps-per-block", "2", "--blocks", "2", "--multiprocessors", "2"],
            "blocks without barriers",
        ),
        (
            &["--kernel", "LCL|LC", "--warps-per-block", "2", "--blocks", "3", "--resident", "2"],
            "blocks without barriers",
        ),
    ];
    for (flags, reason) in cases {
        let said = refused(flags);
        assert!(said.contains(reason) && said.lines().count() == 1, "{said}");
    }
}
