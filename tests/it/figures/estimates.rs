//! The figures of the estimate and its last term.

use crate::common::tables::lcl;
use crate::figures::report::{figure, page, page as page_of, warpspan};

/// Be12 Eq. 43: the last term of the estimate, by the worst cases of an exhaustive search outside this project. It
/// rises where the estimate, a minimum, stays.
#[test]
fn the_last_term_of_the_estimate_is_drawn() {
    let worst = |warps: u64| {
        let rows = crate::common::oracle();
        let of = |row: &crate::common::Row| {
            row.kernel == "LCL" && row.sigma_l == "1" && row.sigma_c == "1" && row.warps == warps
        };
        rows.into_iter().find(of).unwrap().worst
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv").display().to_string();
    let output = warpspan(
        folder.path(),
        &["sweep", "--kernels", "LCL", "--warps", "7", "--up-to", "1..6", "-o", &path],
    );
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let table = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<std::collections::HashMap<String, String>> =
        csv::Reader::from_reader(table.as_bytes()).into_deserialize().collect::<Result<_, _>>().unwrap();
    let terms: Vec<u64> = rows.iter().map(|row| row["term"].parse().unwrap()).collect();
    let expected: Vec<u64> = (1..=6).map(|x| 7_u64.div_ceil(x) * worst(x)).collect();
    assert_eq!(terms, expected);
    let rises = terms.windows(2).filter(|pair| pair[1] > pair[0]).count();
    assert!(rises > 0);
    let (folder, page) = page(&[("t.csv", &table)]);
    assert!(page.contains(&format!("T^(W, x) itself rises in {rises} of 5 steps.")));
    let svg = figure(&folder, "estimate-01.svg");
    assert!(
        svg.contains("T^(W, x) itself (Be12 Eq. 43)") && svg.contains(&format!("T^(W, x) {}", expected[2]))
    );
    // A table from before there was this column has no such line.
    let (folder, page) = page_of(&[("t.csv", &lcl())]);
    assert!(
        !page.contains("itself rises") && !figure(&folder, "estimate-01.svg").contains("T^(W, x) itself")
    );
}

/// The tables of Be12 Fig. 6 and 7 that the book shows: T^(W, x) rises in 9 and in 10 of 29 steps, of which
/// 9 and 8 lead to an x above 8.
#[test]
fn terms_of_fig_6_and_7_rise_also_for_large_x() {
    for (name, expected, late) in [("fig6", 9, 9), ("fig7", 10, 8)] {
        let path = format!("{}/docs/reproduction/{name}.csv", env!("CARGO_MANIFEST_DIR"));
        let rows: Vec<std::collections::HashMap<String, String>> =
            csv::Reader::from_path(path).unwrap().into_deserialize().collect::<Result<_, _>>().unwrap();
        let terms: std::collections::BTreeMap<u64, u64> =
            rows.iter().map(|row| (row["up_to"].parse().unwrap(), row["term"].parse().unwrap())).collect();
        let terms: Vec<(u64, u64)> = terms.into_iter().collect();
        assert_eq!(terms.len(), 30);
        let rises: Vec<u64> =
            terms.windows(2).filter(|pair| pair[1].1 > pair[0].1).map(|pair| pair[1].0).collect();
        assert_eq!((rises.len(), rises.iter().filter(|&&x| x > 8).count()), (expected, late), "{rises:?}");
        let running = terms.iter().scan(u64::MAX, |least, &(_, term)| {
            *least = term.min(*least);
            Some(*least)
        });
        for (least, row) in running.zip(&rows) {
            assert_eq!(row["min_over_y"], least.to_string());
        }
    }
}
