//! Every way to prove an end, and the text of each.

use super::*;

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

/// What the file says is proved of the ends, but for schedules.
fn claims(certificate: &Certificate) -> Vec<String> {
    let text = coq(certificate);
    let claims = text.lines().filter(|line| line.starts_with("Theorem") || line.starts_with("Proof"));
    claims.map(|line| line.trim_end_matches(" vm_cast_no_check (eq_refl true). Qed.").to_owned()).collect()
}

/// Every way to prove an end, and inputs that need the expansion or a smaller sigma. The numbers are known from the
/// engines.
#[test]
fn each_kind_is_accepted() {
    let cases: [(&[(&str, u64)], _, _, &str); 13] = [
        (&[("LLCLL", 600)], ("1", "1"), (Some(2401), 2401), "theorem_sound"),
        (&[("LCLLCL", 2)], ("1", "1"), (Some(9), 9), "theorem_sound"),
        (&[("LCLLC", 1), ("CCL", 1)], ("1", "1"), (Some(6), 6), "theorem_sound"),
        (&[("LCLCL", 4)], ("1/2", "1"), (Some(26), 26), "theorem_sound"),
        (&[("LC", 3)], ("1000000000000", "2"), (Some(3), 3), "(phases_sound"),
        (&[("CCCCCC", 3), ("LCCCCC", 6)], ("1", "4"), (Some(16), 16), "(phases_sound"),
        (&[("LCLCC", 4)], ("1", "2"), (Some(11), 11), "(searched_sound"),
        (&[("LLCCLC", 8), ("CCLLC", 6)], ("14", "4"), (Some(14), 14), "(searched_sound"),
        (&[("LLC|CLLC", 5)], ("1", "1"), (Some(23), 23), "barrier_theorem_sound"),
        (&[("LLC|CLLC", 2), ("CL|LC", 3)], ("1", "2"), (Some(17), 17), "(barrier_phases_sound"),
        (&[("LCC|CL", 7)], ("2", "2"), (Some(14), 14), "(barrier_phases_sound"),
        (&[("LCCC|LCCCL", 4)], ("1", "2"), (Some(19), 19), "(barrier_parts_sound"),
        (&[("LCC|CC", 2), ("CC|CL", 3)], ("1", "2"), (Some(12), 12), "barrier_searched_sound"),
    ];
    let of_case = |(groups, sigma, expected, by): &(&[(&str, u64)], _, _, &str)| {
        let certificate = certified(&workload(groups, *sigma));
        assert_eq!(ends(&certificate), *expected, "{groups:?} {sigma:?}");
        let claims = claims(&certificate);
        assert!(claims[1].starts_with(&format!("Proof. apply {by}")), "{claims:?}");
        certificate
    };
    let certificates: Vec<Certificate> = cases.iter().map(of_case).collect();
    assert_accepted("a kind", &certificates);
}

/// Blocks that follow one another, on one or several multiprocessors: the bound of the chapter on relays, which may be above
/// a worst case that a search found.
#[test]
fn grids_are_accepted() {
    let cases = [
        ("LCCL", ("1", "1"), [1, 4, 1, 2], (Some(12), 12)),
        ("LCL", ("1", "1"), [1, 4, 1, 2], (Some(9), 9)), // the rule for odd strings
        ("CCL", ("1", "3"), [1, 5, 1, 1], (Some(15), 15)),
        ("CLCC", ("1/2", "3"), [2, 5, 1, 2], (Some(27), 31)),
        ("LCL", ("1", "1"), [2, 2, 1, 4], (Some(9), 9)), // all start together
        ("LCL|LC", ("1", "1"), [2, 2, 1, 2], (Some(14), 14)),
        ("LL", ("1", "1"), [1, 12, 2, 3], (Some(14), 14)),
        ("LCC", ("1", "2"), [1, 5, 2, 2], (Some(6), 7)),
        ("LCL", ("1", "1"), [1, 4, 3, 2], (Some(4), 5)), // all start together, on three multiprocessors
    ];
    let of_case = |&(kernel, sigma, numbers, expected): &(_, _, _, _)| {
        let certificate = of_grid(kernel, sigma, numbers);
        assert_eq!(ends(&certificate), expected, "{kernel} {sigma:?} {numbers:?}");
        certificate
    };
    let certificates: Vec<Certificate> = cases.iter().map(of_case).collect();
    assert_eq!(
        claims(&certificates[0])[..2],
        ["Theorem upper_end : grid_at_most asked 12.", "Proof. apply (relay_sound _ [(1, 1)]%Z 0)."]
    );
    assert_accepted("a grid", &certificates);
}

/// `bound --certificate`: no schedule and no search, and the fullest unit below.
#[test]
fn bounds_are_accepted() {
    let workloads = [
        (workload(&[("LCCLCC", 40)], ("1", "2")), (Some(80), 85)),
        (workload(&[("LCCC", 4), ("CCL", 3)], ("1", "2")), (Some(9), 12)),
        (workload(&[("LCCLCC", 4)], ("1", "1")), (Some(18), 18)),
        (workload(&[("LCCLCC|LCL", 4)], ("1", "2")), (None, 22)),
    ];
    let of_case = |(workload, expected): &(Workload, _)| {
        let certificate = Certificate::of_bounds(workload).unwrap();
        assert_eq!(ends(&certificate), *expected, "{workload:?}");
        certificate
    };
    let mut certificates: Vec<Certificate> = workloads.iter().map(of_case).collect();
    let grid = Grid::new("LCCL".parse::<Code>().unwrap(), Multiprocessor::default(), 1, 40).unwrap();
    certificates.push(Certificate::of_grid_bounds(&grid.on(1, 2).unwrap()).unwrap());
    assert_eq!(ends(&certificates[4]), (None, 120));
    assert_accepted("bounds", &certificates);
}
