//! What was tampered with is refused: for each kind of certificate a bound lowered by one, an issue removed, another
//! kernel, prices out of range, another sigma.

use rayon::prelude::*;

use super::*;

/// A text with something replaced, which must be in it.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}: {text}");
    text.replacen(from, to, 1)
}

/// A text without its first issue.
fn first_issue_removed(text: &str) -> String {
    let at = text.find("\"schedule\":[[").unwrap() + "\"schedule\":[[".len();
    let end = at + text[at..].find([',', ']']).unwrap();
    let rest = text[end..].strip_prefix(',').unwrap_or(&text[end..]);
    format!("{}{rest}", &text[..at])
}

/// Each kind in JSON, with what is changed in it.
#[test]
fn the_checker_refuses_each_kind() {
    let lowered = |cycles: u64| {
        (format!("\"at_most\":{{\"cycles\":{cycles},"), format!("\"at_most\":{{\"cycles\":{},", cycles - 1))
    };
    let solved = |groups: &[(&str, u64)], sigma| certified(&workload(groups, sigma));
    let half = "\"thetas\":[[1,2],[1,1]]";
    let out = "\"thetas\":[[1,3],[3,1]]";
    type Kind<'a> = (&'a str, Certificate, &'a [(&'a str, &'a str)]);
    let kinds: [Kind<'_>; 9] = [
        (
            "theorem",
            solved(&[("LLCLL", 4)], ("1", "1")),
            &[("\"LLCLL\"", "\"LLCLC\""), ("\"sigma_l\":[1,1]", "\"sigma_l\":[2,1]")],
        ),
        (
            "phases",
            solved(&[("LCCC", 4)], ("1", "2")),
            &[("\"LCCC\"", "\"LCLC\""), (half, out), ("\"sigma_c\":[2,1]", "\"sigma_c\":[1,1]")],
        ),
        (
            "search",
            solved(&[("LCLCC", 4)], ("1", "2")),
            &[("\"LCLCC\"", "\"LCLCL\""), ("\"sigma_c\":[2,1]", "\"sigma_c\":[2,2]")],
        ),
        (
            "theorem",
            solved(&[("LLC|CLLC", 5)], ("1", "1")),
            &[("LLC|CLLC", "LLC|CLLL"), ("\"warps_per_block\":0", "\"warps_per_block\":2")],
        ),
        ("phases", solved(&[("LLC|CLLC", 2), ("CL|LC", 3)], ("1", "2")), &[("CL|LC", "CLL|C"), (half, out)]),
        (
            "segments",
            solved(&[("LCCC|LCCCL", 4)], ("1", "2")),
            &[("LCCC|LCCCL", "LCCCL|CCCL"), ("\"cycles\":10,", "\"cycles\":9,")],
        ),
        ("search", solved(&[("LCC|CC", 2), ("CC|CL", 3)], ("1", "2")), &[("LCC|CC", "LC|CCC")]),
        (
            "relay",
            of_grid("LCCL", ("1", "1"), [1, 4, 1, 2]),
            &[
                ("\"LCCL\"", "\"LCLL\""),
                ("[[1,1]]", "[[1,2]]"),
                ("\"resident\":2", "\"resident\":1"),
                ("\"blocks\":4", "\"blocks\":5"),
                ("\"slots\":[0,1,", "\"slots\":[0,0,"),
            ],
        ),
        (
            "relay",
            of_grid("LL", ("1", "1"), [1, 12, 2, 3]),
            &[
                ("\"multiprocessors\":2", "\"multiprocessors\":3"),
                ("\"blocks\":12", "\"blocks\":13"),
                ("\"most\":7", "\"most\":2"),
                ("\"most\":7", "\"most\":12"),
            ],
        ),
    ];
    for (by, certificate, changes) in kinds {
        let text = json(&certificate);
        assert!(text.contains(&format!("\"by\":\"{by}\"")), "{text}");
        let (from, to) = lowered(certificate.at_most().0);
        let mut files = vec![changed(&text, &from, &to), first_issue_removed(&text)];
        files.extend(changes.iter().map(|(from, to)| changed(&text, from, to)));
        if checker_is_here() {
            assert!(checker_accepts(&text), "{text}");
            files.iter().for_each(|file| assert!(!checker_accepts(file), "{file}"));
        }
    }
    let bounds = Certificate::of_bounds(&workload(&[("LCC", 5)], ("1", "2"))).unwrap();
    let text = json(&bounds);
    let higher = changed(&text, "\"no_less\":{\"cycles\":5}", "\"no_less\":{\"cycles\":6}");
    if checker_is_here() {
        assert!(checker_accepts(&text) && !checker_accepts(&higher), "{text}");
    }
}

/// Some of them as Coq reads them.
#[test]
fn coq_refuses_what_was_tampered_with() {
    let phases = coq(&certified(&workload(&[("LCCC", 4)], ("1", "2"))));
    let theorem = coq(&certified(&workload(&[("LLCLL", 4)], ("1", "1"))));
    let segments = coq(&certified(&workload(&[("LCCC|LCCCL", 4)], ("1", "2"))));
    let relay = coq(&of_grid("LCCL", ("1", "1"), [1, 4, 1, 2]));
    let first_cycle = |text: &str| {
        let cycle = text.split("_sound _ [\n").last().unwrap().lines().next().unwrap().to_owned();
        changed(text, &format!("{cycle}\n"), "  [];\n")
    };
    let only = phases.split("[(").nth(2).unwrap().split(']').next().unwrap();
    let tampered = [
        changed(&phases, "at_most asked 9", "at_most asked 8"),
        changed(&phases, only, "3, 1)"),
        first_cycle(&phases),
        changed(&theorem, "worst asked 17", "worst asked 18"),
        changed(&theorem, "\"LLCLL\"", "\"LLXLL\""),
        changed(&segments, "LCCC|LCCCL", "LCCCLCCCL"),
        changed(&relay, "grid_at_most asked 12", "grid_at_most asked 11"),
        changed(&relay, "1 4 1 2.", "1 5 1 2."),
    ];
    if coq_is_here() {
        assert!(accepted(&together(&[phases, theorem, segments, relay])));
        tampered.par_iter().for_each(|text| assert!(!accepted(text), "{text}"));
    }
}
