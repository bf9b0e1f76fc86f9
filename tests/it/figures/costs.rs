//! Pages of records of `time`, `extract` and `compare`: what adds up to a bound, what lines cost, and what has changed.

use std::path::Path;

use crate::figures::answers::{cells, title};
use crate::figures::report::{figure, names, page, printed, warpspan};
use serde_json::Value;

const CONV: [&str; 20] = [
    "time",
    "docs/tutorial/conv.sm_87.sass",
    "--entry",
    "conv",
    "--gpu",
    "jetson-orin",
    "--grid",
    "60x135",
    "--block",
    "32x8",
    "--loop-bound",
    ".L_x_2=3",
    "--dram-bytes",
    "50MB:lines",
    "--launch-overhead",
    "20us",
    "--deadline",
    "10ms",
    "--format",
    "json",
];

/// The sums of the rows of a table of costs, each row over its reasons.
fn rows(folder: &tempfile::TempDir, name: &str) -> Vec<(String, f64)> {
    let text = figure(folder, name);
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let sum = |row: csv::StringRecord| {
        let numbers = row.iter().skip(1).filter_map(|cell| cell.parse::<f64>().ok());
        (row[0].to_owned(), numbers.sum())
    };
    table.records().map(|row| sum(row.unwrap())).collect()
}

fn sum(rows: &[(String, f64)]) -> f64 {
    rows.iter().map(|(_, number)| number).sum()
}

fn close(a: f64, b: f64, by: f64) {
    assert!((a - b).abs() <= by, "{a} {b}");
}

/// The words of a page without its marks.
fn read(page: &str) -> String {
    page.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn bars_add_up_to_the_bound_of_a_launch() {
    let record = printed(&CONV);
    let (folder, page) = page(&[("t.json", &record)]);
    let found: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(title(&page), "The time of conv on jetson-orin - warpspan");
    let bound = found["bound_ns"].as_f64().unwrap();
    let parts = rows(&folder, "adds-up-01.csv");
    // A cycle is 1000/1300 ns; own latency, contention and two servers, and the overhead of the launch.
    assert_eq!(parts.len(), 5);
    close(sum(&parts), bound, 1.0);
    let cycle = 1000.0 / 1300.0;
    let own: f64 = found["cycles"]["own"].as_str().unwrap().parse().unwrap();
    close(parts[0].1, own * cycle, 1e-3);
    let kernel = found["bound_cycles"].as_f64().unwrap() * cycle;
    for name in ["adds-up-02.csv", "lines-01.csv", "lines-02.csv"] {
        close(sum(&rows(&folder, name)), kernel, 1.0);
    }
    let svg = figure(&folder, "adds-up-01.svg");
    assert!(svg.contains("deadline 10 ms") && svg.contains("\nms\n"), "{svg}");
    assert!(!svg.contains("\nns\n"), "nanoseconds cannot be read here");
    assert!(svg.contains("memory: L2: 1.745 ms"), "2268000 cycles at 1300 MHz\n{svg}");
    assert_eq!(names(&folder, ".svg").len(), 4);
}

#[test]
fn a_bound_has_its_conditions_below_it() {
    let record = printed(&CONV);
    let (_, page) = page(&[("t.json", &record)]);
    let found: Value = serde_json::from_str(&record).unwrap();
    let page = read(&page);
    let section = page.split_once("id=\"times\"").unwrap().1;
    let answer =
        "conv on jetson-orin: <b>at most 4.512225 ms</b>; deadline 10 ms <span class=\"good\">met</span>";
    let mut at = section.find(answer).unwrap_or_else(|| panic!("{section}"));
    let assumptions = found["assumptions"].as_array().unwrap();
    assert!(assumptions.len() > 10);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let said = |one: &Value| [&one["subject"], &one["value"], &one["id"]].map(text);
    let rests = assumptions.iter().map(|one| {
        let [subject, value, id] = said(one);
        format!("<dd>{subject}: {value} [{id}")
    });
    let of = |key: &str, name: &str| -> Vec<String> {
        let all = found[key].as_array().unwrap().iter();
        all.map(|what| format!("<dt>{name}</dt><dd>{}</dd>", text(what))).collect()
    };
    let all: Vec<_> = rests.chain(of("notes", "note")).chain(of("not_covered", "not covered")).collect();
    for row in all {
        let next = section.find(&row).unwrap_or_else(|| panic!("{row}\n{section}"));
        assert!(next > at, "in this order");
        at = next;
    }
    assert!(page.contains("<span class=\"good\">met</span>"), "the summary");
}

/// The page has the lines of the source with their text, and links to the file where that is.
#[test]
fn lines_of_the_source_are_links() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("src");
    std::fs::create_dir(&inside).unwrap();
    for name in ["conv.cu", "conv.sm_87.sass"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial").join(name);
        std::fs::copy(from, inside.join(name)).unwrap();
    }
    let args: Vec<&str> =
        CONV.iter().map(|word| word.strip_prefix("docs/tutorial/").unwrap_or(word)).collect();
    let args = [&["time", "src/conv.sm_87.sass"], &args[2..]].concat();
    let record = warpspan(folder.path(), &args);
    std::fs::write(folder.path().join("t.json"), &record.stdout).unwrap();
    let output = warpspan(folder.path(), &["report", "t.json", "-o", "a/out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("a/out/index.html")).unwrap();
    for line in ["href=\"../../src/conv.cu#L15\">conv.cu:15</a>", "href=\"../../src/conv.sm_87.sass#L164\">"]
    {
        assert!(page.contains(line), "{line}");
    }
    // The line that costs most is the warmest, and the three lines around it are there too.
    assert!(
        page.contains("id=\"code-01-L15\" style=\"background:rgb(230 159 0/42%)\"")
            && page.contains("id=\"code-01-L18\"")
    );
    assert!(page.contains("sum += weights[9 * plane + 3 * (j + 1) + i + 1]"), "the text of the source");

    // Without the source there is neither a text nor a link to nothing.
    std::fs::remove_file(inside.join("conv.cu")).unwrap();
    let output = warpspan(folder.path(), &["report", "t.json", "-o", "b"]);
    assert!(output.status.success());
    let page = std::fs::read_to_string(folder.path().join("b/index.html")).unwrap();
    assert!(
        page.contains("<td class=\"place\">conv.cu:15</td>") && !page.contains("sum += weights"),
        "{page}"
    );
}

/// With co-running kernels the record has parts alone, and no cycles.
#[test]
fn parts_of_co_running_kernels_add_up() {
    let record = printed(&[
        "time",
        "docs/tutorial/conv.sm_62.sass",
        "--gpu",
        "jetson-tx2",
        "--grid",
        "64",
        "--block",
        "256",
        "--loop-bound",
        ".L_x_1=3",
        "--transactions",
        "*=2",
        "--co-running",
        "docs/tutorial/vote.sm_62.sass:vote:16:64:10ms",
        "--clock",
        "1300",
        "--format",
        "json",
    ]);
    let (folder, page) = page(&[("t.json", &record)]);
    let found: Value = serde_json::from_str(&record).unwrap();
    let parts = rows(&folder, "adds-up-01.csv");
    assert!(parts.iter().any(|(name, _)| name == "vote (co-running 1)"), "{parts:?}");
    close(sum(&parts), found["bound_ns"].as_f64().unwrap(), 1.0);
    assert_eq!(names(&folder, ".svg"), ["adds-up-01.svg"]);
    assert!(!page.contains("id=\"code\""));
    assert!(figure(&folder, "adds-up-01.svg").contains("\nus\n"));
}

#[test]
fn a_launch_without_a_bound_has_the_reason() {
    let mut record: Value = serde_json::from_str(&printed(&CONV)).unwrap();
    for key in ["bound_ns", "bound_cycles", "cycles", "evidence"] {
        record[key] = Value::Null;
    }
    record["verdict"] = "undecided".into();
    record["reason"] = "a wait that may not end".into();
    let (folder, page) = page(&[("t.json", &record.to_string())]);
    assert!(
        page.contains("conv on jetson-orin: <span class=\"open\">no bound</span>; deadline 10 ms "),
        "{page}"
    );
    assert!(page.contains("<dd>a wait that may not end</dd>") && page.contains("class=\"open\">undecided<"));
    assert!(names(&folder, ".svg").is_empty());
}

#[test]
fn changes_have_a_table_and_bars() {
    let args = [
        "compare",
        "tests/data/compare/old.ptx",
        "tests/data/compare/new.ptx",
        "--warps",
        "32",
        "--compute-capability",
        "6.2",
    ];
    let record = printed(&[&args[..], &["--worse-than", "5%", "--format", "json"]].concat());
    let (folder, page) = page(&[("c.json", &record)]);
    let found: Value = serde_json::from_str(&record).unwrap();
    assert!(title(&page).starts_with("Changes of tests/data/compare/new.ptx since "), "{}", title(&page));
    let filter = &found["entries"][0];
    let (old, new) = (filter["old"].as_f64().unwrap(), filter["new"].as_f64().unwrap());
    let row = cells(&page, "filter");
    assert_eq!(row[4], "larger by more than 5%");
    assert_eq!(row[3], format!("{:+.1}%", (new - old) / old * 100.0));
    assert!(page.contains("<span class=\"bad\">a bound rises too much</span>"), "the summary");
    let points = figure(&folder, "changes-01.csv");
    let percent: f64 = points.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse().unwrap();
    close(percent, (new - old) / old * 100.0, 1e-9);
    // What the line of the source takes more, a bar to the right; the other way round one to the left.
    assert!(figure(&folder, "changes-02.svg").contains("filter.cu:11, line 11: 0 cycles before, 32 now"));
    let back = printed(&[&["compare", args[2], args[1]], &args[3..], &["--format", "json"]].concat());
    let (folder, page) = crate::figures::report::page(&[("c.json", &back)]);
    assert!(figure(&folder, "changes-02.svg").contains("\n-32\n"));
    assert!(page.contains("<span class=\"good\">all bounds known</span>"));
}

#[test]
fn versions_without_bounds_are_compared_as_far_as_they_go() {
    let args = ["compare", "tests/data/code/straight.ptx", "tests/data/code/tile.ptx", "--warps", "8"];
    let record =
        printed(&[&args[..], &["--allow-gone", "--compute-capability", "2.0", "--format", "json"]].concat());
    let (folder, page) = page(&[("c.json", &record)]);
    assert!(page.contains("<dt>no bound</dt><dd>open, new version: no bound for loop AGAIN"), "{page}");
    assert_eq!(cells(&page, "swap")[4], "gone");
    assert!(
        page.contains("class=\"open\">not all bounds can be compared<") && names(&folder, ".svg").is_empty()
    );
}

#[test]
fn listings_are_shown_with_and_without_bounds() {
    let listing = "docs/tutorial/conv.sm_62.sass";
    let record = printed(&["extract", listing, "--format", "json"]);
    let (folder, page) = page(&[("e.json", &record)]);
    assert_eq!(title(&page), "The listing of conv - warpspan");
    assert!(page.contains("read, no bound asked for") && page.contains("no bound for loop .L_x_1"), "{page}");
    assert!(names(&folder, ".svg").is_empty());

    let args = [
        "extract",
        listing,
        "--entry",
        "conv",
        "--loop-bound",
        ".L_x_1=3",
        "--warps",
        "8",
        "--format",
        "json",
    ];
    let record = printed(&[&args[..], &["--machine", "jetson-tx2"]].concat());
    let (folder, page) = crate::figures::report::page(&[("e.json", &record)]);
    let found: Value = serde_json::from_str(&record).unwrap();
    let bound = &found["entries"][0]["machine"]["bound"];
    let path = bound["critical_path"].as_f64().unwrap();
    let parts = rows(&folder, "adds-up-01.csv");
    close(sum(&parts), path, 0.5);
    let overlap: f64 = bound["overlap"].as_str().unwrap().parse().unwrap();
    assert!(overlap < 0.0 && parts.contains(&("latencies that overlap".to_owned(), overlap)), "{parts:?}");
    assert!(page.contains("conv.cu:15"), "lines of the source");
    for (name, key) in [("lines-01.csv", "source"), ("lines-02.csv", "lines")] {
        assert_eq!(rows(&folder, name).len(), bound[key].as_array().unwrap().len(), "{key}");
    }
}

#[test]
fn response_times_and_partitions_are_drawn_from_their_records() {
    let record = printed(&["rta", "instances/pa19-section-3-6.toml", "--format", "json"]);
    let (folder, _) = page(&[("r.json", &record)]);
    let svg = figure(&folder, "deadlines-met-01.svg");
    assert!(svg.contains("K3: 12 of 15 ticks") && svg.contains("\ndeadline\n"), "{svg}");
    // Four bounds that are as long as the estimates are drawn as bounds, in the colour of the legend.
    assert_eq!(svg.matches("fill=\"#0072B2\"").count(), 5, "{svg}");
    let record = printed(&["partition", "instances/si21-partition-table.toml", "--format", "json"]);
    let (folder, _) = page(&[("p.json", &record)]);
    let chart = folder.path().join("chart.svg").display().to_string();
    printed(&["partition", "instances/si21-partition-table.toml", "--format", "json", "--chart", &chart]);
    assert_eq!(std::fs::read_to_string(chart).unwrap(), figure(&folder, "partitioning-01.svg"));
    assert!(figure(&folder, "partitioning-01.svg").contains("transpose"));
}
