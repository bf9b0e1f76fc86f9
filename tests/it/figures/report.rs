//! The command `report`: the content of the page and its figures, and one clear line and exit code 2 for bad
//! input.

use std::path::Path;
use std::process::Output;

use crate::common::tables::{HEADER, lcl, row, table};
use assert_cmd::Command;

pub(super) fn warpspan(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(folder).timeout(std::time::Duration::from_secs(60)).args(args).output().unwrap()
}

/// Runs `report` in a new folder on files of these names and contents.
fn report(files: &[(&str, &str)]) -> (tempfile::TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let names = files.iter().map(|(name, _)| *name);
    let args: Vec<&str> = std::iter::once("report").chain(names).chain(["-o", "out"]).collect();
    let output = warpspan(folder.path(), &args);
    (folder, output)
}

/// Runs `report` where it succeeds, and returns the folder and the page.
pub(super) fn page(files: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let (folder, output) = report(files);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let figures = names(&folder, ".svg").len();
    assert_eq!(names(&folder, ".tex").len(), figures, "a picture of TikZ beside each");
    assert_eq!(names(&folder, ".pdf").len(), figures, "a PDF file beside each");
    let said = String::from_utf8(output.stdout).unwrap();
    let plural = if figures == 1 { "" } else { "s" };
    assert_eq!(
        said,
        format!("{}: {figures} figure{plural}\n", Path::new("out").join("index.html").display())
    );
    let page = std::fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    (folder, page)
}

/// The files of a report whose names end like this, in order.
pub(super) fn names(folder: &tempfile::TempDir, end: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder.path().join("out")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    names
}

pub(super) fn figure(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join("out").join(name)).unwrap()
}

/// Checks that the command prints one line on stderr that begins with `message`, nothing on stdout, and exits
/// with this code.
pub(super) fn refused(files: &[(&str, &str)], code: i32, message: &str) {
    let (_folder, output) = report(files);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(stderr.starts_with(&format!("warpspan: {message}")), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

/// The table of LLCLL at sigma 1, in which every estimate is safe.
pub(super) fn safe() -> String {
    let cells: Vec<_> = (1..5)
        .map(|w| ("LLCLL", w, "1", "auto", 1 + 4 * w, 1 + 4 * w, 5 * w, 4, 1 + 4 * w, "proved"))
        .collect();
    table(&cells)
}

#[test]
fn the_page_has_every_section_and_asks_for_nothing() {
    let solved = warpspan(
        Path::new("."),
        &[
            "solve",
            "--kernel",
            "LLCLL",
            "--warps",
            "4",
            "--engine",
            "phase",
            "--format",
            "json",
            "--with-schedule",
        ],
    );
    let solved = String::from_utf8(solved.stdout).unwrap();
    let other = row(("LCL", 1, "2", "auto", 3, 3, 3, 1, 3, "proved"))
        + &row(("LCL", 2, "2", "auto", 3, 3, 3, 1, 3, "proved"));
    let (_folder, page) = page(&[("t.csv", &(lcl() + &other)), ("s.jsonl", &solved)]);
    for name in ["summary", "lines", "contents", "makespan", "ratio", "solve-time", "estimate", "schedule"] {
        assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
    }
    for text in
        ["t.csv", "18 cells exact, 0 bounded", "in 2 of 18 cells the estimate is below the worst case"]
    {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.contains("warp 4: instruction 1 (L), cycle 1<"), "hover titles of the schedule");
    assert!(page.contains("W = 4\nworst case 9, exact\n"), "hover titles of points");
    assert_eq!(page.matches("<svg").count(), page.matches("role=\"img\" ").count());
    assert_eq!(page.matches("<figure").count(), page.matches("<svg").count());
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(page.contains("content=\"default-src 'none'; "), "the browser allows no request");
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("<script>"), "the script is within the page");
    for ask in [
        "http:", "https:", "//www", "fetch(", "XMLHttp", "import(", "<link", "<img", "<iframe", "@import",
        "url(",
    ] {
        assert!(!outside.contains(ask), "{ask}");
    }
}

/// Erratum E1: at W = 4 with x = 3 the estimate is 8, but the worst case is 9.
#[test]
fn an_estimate_below_the_worst_case_is_marked() {
    let (folder, page) = page(&[("t.csv", &lcl())]);
    let svg = figure(&folder, "makespan-01.svg");
    assert!(svg.contains("estimate below the worst case"));
    assert_eq!(svg.matches("#D55E00").count(), 2, "a cross in the legend, a cross at W = 4");
    assert!(page.contains("The estimate is below it at W = 4: unsafe."));
    assert!(svg.contains("estimate 8 (x = 3), unsafe"));
    let svg = figure(&folder, "estimate-01.svg");
    assert!(svg.contains("Estimate for LCL, σ_L = 1, σ_C = 1, W = 4"), "unsafe ones come first");
    assert_eq!(svg.matches("#D55E00").count(), 2, "x = 3 and the legend");
    assert!(!figure(&folder, "estimate-02.svg").contains("#D55E00"));
}

#[test]
fn a_safe_estimate_is_not_marked() {
    let (folder, page) = page(&[("t.csv", &safe())]);
    let svg = figure(&folder, "makespan-01.svg");
    assert!(!svg.contains("#D55E00") && !svg.contains("unsafe"));
    assert!(page.contains("in none of 4 cells the estimate is below the worst case"));
}

/// Erratum E2: for CCCC at sigma 4 with 8 warps, the pessimistic makespan is below the worst case.
#[test]
fn a_pessimistic_makespan_below_the_worst_case_is_marked() {
    let cells = [
        ("CCCC", 4, "4", "auto", 4, 4, 4, 1, 4, "proved"),
        ("CCCC", 8, "4", "auto", 11, 11, 8, 1, 11, "proved"),
    ];
    let (folder, page) = page(&[("t.csv", &table(&cells))]);
    assert!(figure(&folder, "makespan-01.svg").contains("pessimistic below the worst case"));
    assert!(page.contains("in 1 of 2 cells pessimistic is below the worst case"));
}

/// The caption says what the ratios are, even where they are too close to each other for the scale of
/// colours.
#[test]
fn the_caption_of_the_ratios_is_true() {
    let cell = |warps, sigma| ("LCL", warps, sigma, "auto", 9, 9, 9, 1, 9, "proved");
    let cells = [cell(1, "1"), cell(2, "1"), cell(1, "2"), cell(2, "2")];
    let (folder, page) = page(&[("t.csv", &table(&cells))]);
    assert!(page.contains("The mean ratio lies between 1.00 and 1.00."));
    let svg = figure(&folder, "ratio-01.svg");
    assert_eq!(svg.matches("ratio 1.000, mean of 1").count(), 4, "a cell for each");
    assert!(!svg.contains("#D55E00"), "none is unsafe");
}

#[test]
fn what_is_bounded_or_stopped_is_drawn_as_such() {
    let stop = |w| ["proved", "proved", "time-limit", "memory-limit"][usize::try_from(w).unwrap() - 1];
    let cells: Vec<_> =
        (1..5).map(|w| ("LC", w, "1", "ilp-short", w + 1, w + 1 + w / 3, 2 * w, 1, 2 * w, stop(w))).collect();
    let (folder, _) = page(&[("t.csv", &table(&cells))]);
    let svg = figure(&folder, "makespan-01.svg");
    assert!(svg.contains("at most (upper bound)") && svg.contains("the worst case is in this band"));
    let svg = figure(&folder, "solve-time-01.svg");
    assert!(svg.contains("stopped by the time limit") && svg.contains("ended otherwise without a proof"));
}

/// The bounds of other engines may meet although the time limit stopped the engine of the row.
#[test]
fn an_exact_row_of_a_stopped_engine_is_no_proof_by_it() {
    let solve_time = |engine: &str, stop: &str| {
        let cells: Vec<_> =
            (1..5).map(|w| ("LC", w, "1", engine, w + 1, w + 1, 2 * w, 1, 2 * w, stop)).collect();
        let (folder, _) = page(&[("t.csv", &table(&cells))]);
        figure(&folder, "solve-time-01.svg")
    };
    assert!(solve_time("ilp-short", "time-limit").contains("stopped by the time limit"));
    assert!(solve_time("ilp-short", "memory-limit").contains("ended otherwise without a proof"));
    for (engine, stop) in [("ilp-short", "proved"), ("ilp-short", ""), ("auto", "time-limit")] {
        let svg = solve_time(engine, stop);
        assert!(!svg.contains("stopped by") && !svg.contains("without a proof"), "{engine} {stop}");
    }
}

/// Of 29 kernels, those with the largest gaps are drawn, also if they come last, and of equal ones the first. The
/// table on top has a row for each.
#[test]
fn of_too_many_figures_those_with_the_largest_gaps_are_drawn() {
    let kernels: Vec<String> = (1..30).map(|count| "L".repeat(count)).collect();
    // The last three have gaps, the largest at 28.
    let upper = |length: usize| match length {
        27 => 12,
        28 => 15,
        29 => 13,
        _ => 10,
    };
    let cell = |kernel, warps, upper| (kernel, warps, "1", "bounds", 10, upper, 99, 1, 99, "proved");
    let cells: Vec<_> = kernels
        .iter()
        .flat_map(|kernel| [1, 2].map(|warps| cell(kernel.as_str(), warps, upper(kernel.len()))))
        .collect();
    let (folder, page) = page(&[("t.csv", &table(&cells))]);
    assert!(page.contains("24 of 29 are drawn, first those with the largest gaps"));
    assert_eq!(page.matches("<figure").count(), 24);
    let drawn = |number: u64| {
        let svg = figure(&folder, &format!("makespan-{number:02}.svg"));
        svg.split_once("Makespan of ").unwrap().1.split_once(',').unwrap().0.len()
    };
    let order: Vec<usize> = (1..=24).map(drawn).collect();
    assert_eq!(order[..3], [28, 29, 27]);
    assert_eq!(order[3..], (1..=21).collect::<Vec<_>>());
    let summary = page.split_once("id=\"summary\"").unwrap().1.split_once("</section>").unwrap().0;
    assert_eq!(summary.matches("<tr><th scope=\"row\">").count(), 29);
    assert!(summary.contains(", <strong class=\"open\">3 not settled</strong>"), "{summary}");
    // The largest gap comes first: 10 to 15 are 50 percent.
    let first = summary.split("<tr><th scope=\"row\">").nth(1).unwrap();
    assert!(
        first.contains(&kernels[27]) && first.contains("0 of 2 exact") && first.contains(">50.0<"),
        "{first}"
    );
}

#[test]
fn text_of_a_table_is_text_on_the_page() {
    let kernel = "<script>alert(1)</script>";
    let cells = [1, 2].map(|w| (kernel, w, "1", "auto", 9, 9, 9, 1, 9, "proved"));
    let (_folder, page) = page(&[("a&b.csv", &table(&cells))]);
    assert!(!page.contains("<script>alert"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("a&amp;b.csv"));
}

#[test]
fn tables_are_put_together_and_must_agree() {
    let cell = |warps, worst| ("LCL", warps, "1", "auto", worst, worst, 12, 1, 12, "proved");
    let (two, three) = (table(&[cell(2, 4)]), table(&[cell(3, 7)]));
    let (_folder, page) = page(&[("two.csv", &two), ("three.csv", &three)]);
    assert!(page.contains("2, of 2 cases") && page.contains("id=\"makespan-01\""));
    let wrong = table(&[cell(2, 5)]);
    let message =
        "LCL, sigma_L = 1, sigma_C = 1, W = 2: one row says the worst case is at least 5, another at most 4";
    refused(&[("two.csv", &two), ("wrong.csv", &wrong)], 4, message);
}

#[test]
fn a_page_without_figures_says_why() {
    let (_folder, page) = page(&[("t.csv", &table(&[("LCL", 4, "1", "auto", 9, 9, 12, 3, 8, "proved")]))]);
    assert!(page.contains("No figure: "));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let damaged = lcl().replacen("LCL,2,", "LCL,two,", 1);
    refused(&[("t.csv", &damaged)], 2, "t.csv:6: warps \"two\": invalid digit");
    refused(&[("t.csv", &lcl().replacen(",7,7,", ",7,6,", 1))], 2, "t.csv:10: lower 7 above upper 6: want");
    refused(&[("t.csv", "")], 2, "t.csv:1: no column grid, ");
    refused(&[("t.csv", &format!("{HEADER}\n"))], 2, "t.csv: no rows: want");
    refused(&[("t.jsonl", "\n")], 2, "t.jsonl: no rows: want");
    refused(&[("t.jsonl", "{\"kernel\": 3}")], 2, "t.jsonl:1: ");
    refused(&[("t.jsonl", "\n{}\n")], 2, "t.jsonl:2: missing field `grid`: want");
    refused(
        &[("t.jsonl", "{\"schema\": \"warpspan/bound/1\"}")],
        2,
        "t.jsonl:1: schema \"warpspan/bound/1\": want",
    );
    refused(&[("t.txt", "LCL")], 2, "t.txt: of no known kind: want");
    let no_schedule = "{\"schema\":\"warpspan/solve/1\",\"instance\":{\"groups\":[{\"kernel\":\"L\",\"warps\":1}],\
                       \"sigma_l\":\"1\",\"sigma_c\":\"1\"},\"lower\":1,\"upper\":1,\"phase\":null}";
    refused(&[("s.json", no_schedule)], 2, "s.json:1: the record has no schedule to draw: solve with");
    let schedule = "\"schedule\":[{\"cycle\":2,\"group\":1,\"warp\":1,\"instruction\":1,\"unit\":\"L\"}]}";
    let idle = no_schedule.trim_end_matches('}').to_owned() + "," + schedule;
    refused(&[("s.json", &idle)], 2, "s.json:1: not a schedule of its instance: ");
}

#[test]
fn a_missing_file_and_an_unwritable_folder_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), lcl()).unwrap();
    for (args, message) in [
        (["report", "none.csv", "-o", "out"], "none.csv: cannot be read: "),
        (["report", "t.csv", "-o", "t.csv"], "t.csv: cannot be made: "),
        (["report", "t.csv", "-o", "t.csv/out"], "t.csv/out: cannot be made: "),
    ] {
        let output = warpspan(folder.path(), &args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with(&format!("warpspan: {message}")), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// The policies of a table have a figure, above the bottleneck and within the worst case; a table without
/// policies has no such section.
#[test]
fn policies_have_a_figure() {
    let header = HEADER.to_owned() + ",lrr,gto";
    let rows: String = (1..5)
        .map(|w| {
            let worst = 1 + 4 * w;
            row(("LLCLL", w, "1", "auto", worst, worst, 5 * w, 4, worst, "proved")).trim_end().to_owned()
                + &format!(",{},{worst}\n", worst - 1)
        })
        .collect();
    let (folder, text) = page(&[("t.csv", &format!("{header}\n{rows}"))]);
    assert!(text.contains("id=\"policies\""));
    let svg = figure(&folder, "policies-01.svg");
    for part in [
        "Policies on LLCLL",
        "cycles above the bottleneck",
        "\nlrr\n",
        "\ngto\n",
        "W = 4\nworst case 17, exact\ngto 17\nlrr 16",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(text.contains("as long as the worst case is at least in 4 of 4 numbers of warps"));
    let (_folder, text) = page(&[("t.csv", &safe())]);
    assert!(!text.contains("id=\"policies\""));
    let above = format!("{header}\n{}", rows.replace(",16,17\n", ",16,18\n"));
    refused(
        &[("t.csv", &above)],
        4,
        "LLCLL, sigma_L = 1, sigma_C = 1, W = 4: one row says the worst case is at least 18",
    );
}

/// What a command prints in JSON.
pub(super) fn printed(args: &[&str]) -> String {
    let output = warpspan(Path::new(env!("CARGO_MANIFEST_DIR")), args);
    assert!(output.stdout.ends_with(b"}\n"), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
