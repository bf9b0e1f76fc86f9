//! Rows of tables side by side: `report --by`.

use crate::common::tables::table;
use crate::figures::report::{figure, names, warpspan};

/// Rows of several kernels in one figure, in the cells, the size and under the title that are asked for, and the
/// numbers of the table beside it.
#[test]
fn rows_are_compared_in_one_figure() {
    let cell =
        |kernel, warps, sigma, worst| (kernel, warps, sigma, "auto", worst, worst, 99, 1, 99, "proved");
    let open = ("LC", 3, "1", "bounds", 4, 6, 99, 1, 99, "proved");
    let cells = [
        cell("LCL", 1, "1", 3),
        cell("LCL", 2, "1", 4),
        cell("LCL", 3, "1", 7),
        cell("LC", 1, "1", 2),
        cell("LC", 2, "1", 3),
        open,
        cell("LCL", 1, "2", 3),
        cell("LCL", 2, "2", 3),
        cell("C", 1, "1", 1),
    ];
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), table(&cells)).unwrap();
    let run = |args: &[&str]| warpspan(folder.path(), &[&["report", "t.csv", "-o", "out"], args].concat());
    let rows = |args: &[&str], name: &str| -> Vec<String> {
        std::fs::remove_dir_all(folder.path().join("out")).ok();
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        figure(&folder, name).lines().map(str::to_owned).collect()
    };
    let asked = [
        "--by",
        "kernel",
        "--kernels",
        "LCL,LC",
        "--warps",
        "2..3",
        "--sigma-c",
        "1",
        "--title",
        "Two & more",
        "--size",
        "700x300",
    ];
    let expected = [
        "series,warps W,cycles",
        "LCL,2,4",
        "LCL,3,7",
        "LC,2,3",
        "LC,3,6",
        "\"band, lower end\",2,3",
        "\"band, upper end\",2,3",
        "\"band, lower end\",3,4",
        "\"band, upper end\",3,6",
    ];
    assert_eq!(rows(&asked, "by-01.csv"), expected);
    assert_eq!(names(&folder, ".svg"), ["by-01.svg"]);
    let svg = figure(&folder, "by-01.svg");
    assert!(
        svg.contains("width=\"700\"") && svg.contains("height=\"300\"") && svg.contains("Two &amp; more")
    );
    assert!(figure(&folder, "by-01.tex").contains("{Two \\& more}"));
    let page = figure(&folder, "index.html");
    assert!(page.contains("<h1>Two &amp; more</h1>") && page.contains("href=\"by-01.csv\""));
    assert!(!page.contains("id=\"makespan\""));

    let by_sigma = rows(&["--by", "sigma", "--kernels", "LCL"], "by-01.csv");
    assert_eq!(by_sigma.len(), 1 + 5, "{by_sigma:?}");
    assert!(by_sigma.contains(&"\"sigma_L = 2, sigma_C = 2\",2,3".to_owned()), "{by_sigma:?}");
    let by_warps = rows(&["--by", "warps", "--sigma-c", "1"], "by-01.csv");
    assert_eq!(by_warps[..4], ["series,kernel,cycles", "W = 1,LCL,3", "W = 1,LC,2", "W = 1,C,1"]);

    let usage = |args: &[&str], message: &str| {
        let output = run(args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    };
    usage(&["--kernels", "CCC"], "none of 9 rows");
    usage(&["--by", "kernel", "--kernels", "C"], "nothing to compare");
    usage(&["--by", "policy"], "nothing to compare");
    usage(&["--by", "kernel", "--size", "10x10"], "want WxH");
    usage(&["--warps", "2..1"], "want N, A..B");
}
