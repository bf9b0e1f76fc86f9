//! The command `report`: the content of the page and its figures, and one clear line and exit code 2 for bad
//! input.

use std::path::Path;
use std::process::Output;

use crate::common::tables::{HEADER, lcl, row, table};
use assert_cmd::Command;

fn warpspan(folder: &Path, args: &[&str]) -> Output {
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
fn page(files: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let (folder, output) = report(files);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let figures = names(&folder, ".svg").len();
    assert_eq!(names(&folder, ".tex").len(), figures, "a picture of TikZ beside each");
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
fn names(folder: &tempfile::TempDir, end: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder.path().join("out")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    names
}

fn figure(folder: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join("out").join(name)).unwrap()
}

/// Checks that the command prints one line on stderr that begins with `message`, nothing on stdout, and exits
/// with this code.
fn refused(files: &[(&str, &str)], code: i32, message: &str) {
    let (_folder, output) = report(files);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(stderr.starts_with(&format!("warpspan: {message}")), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

/// The table of LLCLL at sigma 1, in which every estimate is safe.
fn safe() -> String {
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
    assert!(svg.contains("Estimate for LCL, sigma_L = 1, sigma_C = 1, W = 4"), "unsafe ones come first");
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
    let header = HEADER.to_owned() + ",policies";
    let rows: String = (1..5)
        .map(|w| {
            let worst = 1 + 4 * w;
            row(("LLCLL", w, "1", "auto", worst, worst, 5 * w, 4, worst, "proved")).trim_end().to_owned()
                + &format!(",lrr={};gto={worst}\n", worst - 1)
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
    let above = format!("{header}\n{}", rows.replace("gto=17", "gto=18"));
    refused(
        &[("t.csv", &above)],
        4,
        "LLCLL, sigma_L = 1, sigma_C = 1, W = 4: one row says the worst case is at least 18",
    );
}

/// What a command prints in JSON.
fn printed(args: &[&str]) -> String {
    let output = warpspan(Path::new(env!("CARGO_MANIFEST_DIR")), args);
    assert!(output.stdout.ends_with(b"}\n"), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The title and the heading of a page, which are the same.
fn title(page: &str) -> &str {
    let between = |from: &str, to: &str| page.split_once(from).unwrap().1.split_once(to).unwrap().0;
    let title = between("<title>", "</title>");
    assert_eq!(title.strip_suffix(" - warpspan").unwrap(), between("<h1>", "</h1>"));
    title
}

/// The cells of the first row of a table whose first cell is this.
fn cells<'a>(page: &'a str, first: &str) -> Vec<&'a str> {
    let row = page.split("<tr>").find(|row| row.starts_with(&format!("<td>{first}</td>"))).unwrap();
    row.split("</td>")
        .filter_map(|cell| Some(cell.rsplit_once('>')?.1))
        .take_while(|cell| !cell.is_empty())
        .collect()
}

#[test]
fn response_times_have_a_verdict_a_table_and_arrows() {
    let record = printed(&["rta", "instances/pa19-section-3-6.toml", "--format", "json", "--with-schedule"]);
    let (folder, page) = page(&[("r.json", &record)]);
    assert_eq!(title(&page), "Response times of K1, K2, K3, K4 - warpspan");
    assert_eq!(page.matches("proved, by Algorithm 2: all deadlines are met").count(), 1);
    assert!(page.contains("<span class=\"good\">all deadlines proved</span>"), "the summary");
    assert!(page.contains("12 of 15 ticks, K3"), "the response bound closest to its deadline");
    assert_eq!(cells(&page, "K2"), ["K2", "yes", "6", "7", "512", "0", "15", "15", "10", "10", "10"]);
    let svg = figure(&folder, "occupancy-01.svg");
    // The run ends at 12, and soon after that come the deadlines at 15.
    assert_eq!(svg.matches("release of K").count(), 4);
    assert!(svg.contains("release of K3, launch 1: 0") && svg.contains("deadline of K3, launch 1: 15"));

    let chain = printed(&["rta", "instances/tx2-chain.toml", "--format", "json", "--with-schedule"]);
    let (folder, _) = self::page(&[("r.json", &chain)]);
    let svg = figure(&folder, "occupancy-01.svg");
    // Released at 0, 1 and 2, and due a period of 1 later; the other one is due at 2.3.
    assert_eq!(svg.matches("deadline of increment").count(), 3);
    assert!(
        svg.contains("deadline of increment, launch 2: 2")
            && svg.contains("deadline of template, launch 1: 2.3")
    );
    // Boxes have the number of their launch where there are several.
    assert_eq!([1, 2, 3, 4].map(|launch| svg.matches(&format!("\n#{launch}\n")).count()), [2, 2, 2, 0]);

    // Without a schedule there is a table, and a miss is named.
    let late = std::fs::read_to_string("instances/pa19-section-3-6.toml")
        .unwrap()
        .replace("execution = 5", "execution = 14");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.toml").display().to_string();
    std::fs::write(&path, late).unwrap();
    let record = printed(&["rta", &path, "--format", "json"]);
    let (folder, page) = self::page(&[("r.json", &record)]);
    assert!(page.contains("<dt>verdict</dt><dd>refuted: "), "{page}");
    assert_eq!(cells(&page, "K4")[..3], ["K4", "no", "14"]);
    assert!(page.contains("<li>K4: launch 1, released at "));
    assert_eq!(std::fs::read_dir(folder.path().join("out")).unwrap().count(), 1, "no figure");
}

#[test]
fn tiles_policies_and_measured_runs_are_shown() {
    let tiles = printed(&["prem", "instances/kr19-least.toml", "--format", "json"]);
    let (folder, page) = page(&[("p.json", &tiles)]);
    assert_eq!(title(&page), "Time-triggered tiles of K1, K2, K3, K4 - warpspan");
    let record: serde_json::Value = serde_json::from_str(&tiles).unwrap();
    let bound = format!("at most {} ns, from the launch", record["execution_ns"]);
    assert!(page.contains(&bound), "{bound}");
    let svg = figure(&folder, "tiles-01.svg");
    let alone = tempfile::tempdir().unwrap();
    let path = alone.path().join("p.svg").display().to_string();
    printed(&["prem", "instances/kr19-least.toml", "--format", "json", "--schedule", &path]);
    let drawn = std::fs::read_to_string(&path).unwrap();
    // The same boxes as in the drawing of the command.
    let boxes = |svg: &str| svg.matches("ns</title>").count();
    assert_eq!(boxes(&svg), boxes(&drawn));
    assert!(svg.contains("K2, block 1, tile 1: prefetch, ") && boxes(&svg) > 20);

    let runs = printed(&["simulate", "instances/llcll-w4.toml", "--format", "json"]);
    let (folder, page) = self::page(&[("s.json", &runs)]);
    assert_eq!(
        title(&page),
        "Warp-scheduling policies on LLCLL, 4 warps; sigma_L = 1, sigma_C = 1 - warpspan"
    );
    assert_eq!(cells(&page, "lrr")[..4], ["lrr", "yes", "16", "94.1 %"]);
    assert!(
        page.contains("<dt>best case</dt><dd>16 cycles</dd>")
            && page.contains("<dt>worst case</dt><dd>17 cycles</dd>")
    );
    assert!(figure(&folder, "runs-01.svg").contains("gto: 17 cycles"));

    let logs: Vec<String> = (1..=4).map(|log| format!("tests/data/tx2/concurrent_1st_{log}.json")).collect();
    let args = ["rta", "--format", "json", "--measured"].into_iter().chain(logs.iter().map(String::as_str));
    let measured = printed(&args.collect::<Vec<_>>());
    let (_folder, page) = self::page(&[("m.json", &measured)]);
    assert_eq!(title(&page), "A measured run of Kernel 2, Kernel 3, Kernel 4, Kernel 1 - warpspan");
    assert_eq!(cells(&page, "X1")[2..], ["yes", "3", "0"]);

    // Several at once: the first three subjects, and every table.
    let (_folder, page) =
        self::page(&[("p.json", &tiles), ("s.json", &runs), ("m.json", &measured), ("t.csv", &safe())]);
    let expected = "Worst-case makespans of LLCLL; A measured run of Kernel 2, Kernel 3, Kernel 4, Kernel 1; \
                    Time-triggered tiles of K1, K2, K3, K4; and more - warpspan";
    assert_eq!(title(&page), expected);
    for id in ["measured-01-table", "prem-01-table", "simulated-01-table", "tiles-01", "runs-01"] {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
}

/// A record of tiles is checked again; one that is no schedule is refused.
#[test]
fn tiles_that_are_no_schedule_are_refused() {
    let record = printed(&["prem", "instances/kr19-least.toml", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&record).unwrap();
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = value.clone();
        change(&mut value);
        value.to_string()
    };
    let of = |key: &'static str, new: serde_json::Value| changed(&move |value| value[key] = new.clone());
    for (record, message) in [
        (of("slots", serde_json::json!([])), "the record has no slots or no hyperperiod"),
        (of("hyperperiod_ns", 0.into()), "the record has no slots or no hyperperiod"),
        (of("hyperperiod_ns", 3.into()), "kernel K1"),
        (of("hyperperiod_ns", u64::MAX.into()), "18446744073709551615 ns: want a time of"),
        (of("kernels", serde_json::json!([])), ""),
        (of("timer_ns", 0.into()), "a timer of 0 ns"),
        (changed(&|value| value["slots"][0]["kernel"] = 9.into()), "a slot of kernel 9: there is none"),
        (changed(&|value| value["slots"][0]["kernel"] = 0.into()), "a slot of kernel 0: there is none"),
        (
            changed(&|value| value["slots"][0]["block"] = 99.into()),
            "a slot of a block that kernel 1 does not have",
        ),
        (changed(&|value| value["kernels"][0]["prefetch_ns"] = 0.into()), ""),
    ] {
        refused(&[("p.json", &record)], 2, &format!("p.json:1: {message}"));
    }
}

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
    let (folder, page) = self::page(&[("t.csv", &lcl())]);
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

/// A record of `solve` without a schedule has a verdict and no figure.
#[test]
fn an_answer_without_a_schedule_is_shown() {
    let record = printed(&["solve", "instances/llcll-w4.toml", "--format", "json"]);
    let (folder, page) = page(&[("s.json", &record)]);
    assert_eq!(title(&page), "The worst case of LLCLL, 4 warps; sigma_L = 1, sigma_C = 1 - warpspan");
    assert!(page.contains("<span class=\"good\">exact</span>") && page.contains(">17 cycles<"), "{page}");
    assert!(names(&folder, ".svg").is_empty());
}

/// The bar of a share is as long as the share is of the largest one.
#[test]
fn shares_are_drawn_relative_to_the_largest() {
    let args =
        ["extract", "tests/data/compare/old.ptx", "--entry", "filter", "--warps", "32", "--format", "json"];
    let (_folder, page) = page(&[("k.json", &printed(&args))]);
    let bars: Vec<f64> = page
        .split("style=\"width:")
        .skip(1)
        .map(|rest| rest.split_once('%').unwrap().0.parse().unwrap())
        .collect();
    let shares: Vec<f64> =
        page.split("</span> ").skip(1).filter_map(|rest| rest.split_once("%</td>")?.0.parse().ok()).collect();
    assert_eq!(bars.len(), shares.len());
    let largest = shares.iter().copied().fold(0.0, f64::max);
    assert!(largest < 90.0 && bars.len() > 5);
    for (bar, share) in bars.iter().zip(&shares) {
        // Shares are rounded to a tenth of a percent.
        assert!((bar - 100.0 * share / largest).abs() < 100.0 * 0.2 / largest, "{bar} {share}");
    }
}

/// LLC|LLC|LLC on 8 warps in blocks of 4: two barriers of each block, where the schedule says that its last warp
/// arrives; and as many idle slots as the issues leave.
#[test]
fn barriers_and_idle_slots_are_drawn() {
    let args = ["solve", "--kernel", "(LLC|)3", "--warps", "8", "--warps-per-block", "4"];
    let record = printed(&[&args[..], &["--format", "json", "--with-schedule"]].concat());
    let (folder, _) = page(&[("s.json", &record)]);
    let svg = figure(&folder, "schedule-01.svg");
    let value: serde_json::Value = serde_json::from_str(&record).unwrap();
    let issues: Vec<(u64, u64, u64)> = value["schedule"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| ["warp", "instruction", "cycle"].map(|key| issue[key].as_u64().unwrap()).into())
        .collect();
    for block in [1, 2] {
        for barrier in [1, 2] {
            let of = |&&(warp, instruction, _): &&(u64, u64, u64)| {
                warp.div_ceil(4) == block && instruction == 3 * barrier
            };
            let last = issues.iter().filter(of).map(|issue| issue.2).max().unwrap();
            let tip = format!("barrier {barrier} of block {block} opens at the end of cycle {last}");
            assert_eq!(svg.matches(&tip).count(), 1, "{tip}");
        }
    }
    assert_eq!(svg.matches(" opens at the end of cycle ").count(), 4);
    let cycles = issues.iter().map(|issue| issue.2).max().unwrap();
    // Six of nine letters are L, and each unit has a slot a cycle.
    for (unit, used) in [("L", 8 * 6), ("C", 8 * 3)] {
        let idle: u64 = svg
            .split("<title>")
            .filter_map(|rest| rest.trim_start().split_once(&format!(": 1 of 1 slots for {unit} idle")))
            .map(|(cycles, _)| {
                let numbers: Vec<u64> = cycles.split(' ').filter_map(|word| word.parse().ok()).collect();
                numbers[numbers.len() - 1] - numbers[0] + 1
            })
            .sum();
        assert_eq!(idle, cycles - used, "{unit}");
    }
}

/// 600 warps are drawn as a density that fits a screen; a window of it has a box for each instruction.
#[test]
fn long_schedules_are_densities_and_windows_are_not() {
    let args = ["solve", "instances/llcll-w600.toml", "--format", "json", "--with-schedule"];
    let record = printed(&args);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.json"), &record).unwrap();
    let drawn = |args: &[&str]| {
        let output = warpspan(folder.path(), &[&["report", "s.json", "-o", "out"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        figure(&folder, "schedule-01.svg")
    };
    let svg = drawn(&[]);
    let height: f64 = svg.split_once(" height=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    assert!(height < 700.0, "{height}");
    // Every instruction is counted in one of the columns.
    let counted = |unit: &str| -> u64 {
        svg.split(&format!("\n{unit}: "))
            .skip(1)
            .map(|rest| rest.split(' ').next().unwrap().parse::<u64>().unwrap())
            .sum()
    };
    assert_eq!([counted("L"), counted("C")], [4 * 600, 600]);
    assert!(svg.contains("A column is 12 cycles, a row 10 warps"));
    for (args, message) in [
        (["--from", "9", "--to", "8"], "s.json:1: nothing from cycle 9 to 8: want --from before --to"),
        (["--from", "x", "--to", "8"], "s.json:1: --from x: want a cycle, a whole number"),
    ] {
        let output = warpspan(folder.path(), &[&["report", "s.json", "-o", "out"], &args[..]].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.starts_with(&format!("warpspan: {message}")), "{stderr}");
    }
}

/// A window of a run: what lies in it, with the launches that are released or due there.
#[test]
fn a_window_of_a_run_has_only_what_lies_in_it() {
    let chain = printed(&["rta", "instances/tx2-chain.toml", "--format", "json", "--with-schedule"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.json"), &chain).unwrap();
    let output = warpspan(folder.path(), &["report", "r.json", "-o", "out", "--from", "0.9", "--to", "1.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let svg = figure(&folder, "occupancy-01.svg");
    for (part, count) in [
        ("increment, launch 2: 4 blocks on multiprocessor", 2),
        ("release of increment, launch 2: 1", 1),
        ("deadline of increment, launch 1: 1", 1),
        ("release of", 1),
        ("deadline of", 1),
        ("template, launch", 0),
    ] {
        assert_eq!(svg.matches(part).count(), count, "{part}");
    }
}

/// Two of four kernels' memory phases overlap: the stretches that are marked are those of the phases as planned.
#[test]
fn overlaps_of_memory_phases_are_marked() {
    let drawn = |file: &str| {
        let (folder, page) = page(&[("p.json", &printed(&["prem", file, "--format", "json"]))]);
        (figure(&folder, "tiles-01.svg"), page)
    };
    let (svg, page) = drawn("instances/kr19-offset-1300.toml");
    assert!(page.contains("5629 overlaps of memory phases") && svg.contains("\noverlap\n"));
    let tiles: Vec<(String, u64, u64)> = svg
        .split("<title>")
        .filter_map(|rest| {
            let (name, rest) = rest.trim_start().split_once(", block ")?;
            let (phase, rest) = rest.split_once(": ")?.1.split_once(", ")?;
            let (from, rest) = rest.split_once(" to ")?;
            let span = (from.parse().unwrap(), rest.split_once(" ns")?.0.parse().unwrap());
            (phase != "compute").then(|| (name.to_owned(), span.0, span.1))
        })
        .collect();
    assert_eq!(tiles.len(), 4 * 2 * 2 * 2, "kernels, blocks, tiles, memory phases");
    let mut expected = 0;
    for (name, from, to) in &tiles {
        let overlaps =
            |other: &&(String, u64, u64)| &other.0 != name && other.1.max(*from) < other.2.min(*to);
        expected += tiles.iter().filter(overlaps).count();
    }
    assert!(expected > 0);
    assert_eq!(svg.matches("overlaps a memory phase of K").count(), expected);
    let (svg, _) = drawn("instances/kr19-least.toml");
    assert!(!svg.contains("overlap"));
}

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
