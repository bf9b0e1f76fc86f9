//! Answers of commands on the page of `report`: verdicts, facts and tables.

use crate::common::assumption;
use crate::figures::report::{figure, names, page, page as page_of, printed, refused, safe};

/// The title and the heading of a page, which are the same.
pub(super) fn title(page: &str) -> &str {
    let between = |from: &str, to: &str| page.split_once(from).unwrap().1.split_once(to).unwrap().0;
    let title = between("<title>", "</title>");
    assert_eq!(title.strip_suffix(" - warpspan").unwrap(), between("<h1>", "</h1>"));
    title
}

/// The cells of the first row of a table whose first cell is this.
pub(super) fn cells(page: &str, first: &str) -> Vec<String> {
    let rows = page.split("<tr>").skip(1).map(|row| row.split("</tr>").next().unwrap());
    let words = |cell: &str| -> String {
        cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
    };
    let mut rows = rows.map(|row| row.split("</td>").map(words).collect::<Vec<_>>());
    let mut row = rows.find(|row| row[0] == first).unwrap_or_else(|| panic!("no row {first}"));
    row.pop();
    row
}

#[test]
fn response_times_have_a_verdict_a_table_and_arrows() {
    let record = printed(&["rta", "instances/pa19-section-3-6.toml", "--format", "json", "--with-schedule"]);
    let (folder, page) = page(&[("r.json", &record)]);
    assert_eq!(title(&page), "Response times of K1, K2, K3, K4 - warpspan");
    assert!(page.contains("<dt>schedulable</dt><dd><span class=\"good\">proved</span>: by Algorithm 2"));
    assert!(page.contains("<span class=\"good\">all deadlines proved</span>"), "the summary");
    assert!(page.contains("12 of 15 ticks, K3"), "the response bound closest to its deadline");
    assert_eq!(cells(&page, "K2"), ["K2", "6", "7", "512", "0", "15", "yes", "10", "10", "10"]);
    let svg = figure(&folder, "occupancy-01.svg");
    // The run ends at 12, and soon after that come the deadlines at 15.
    assert_eq!(svg.matches("release of K").count(), 4);
    assert!(svg.contains("release of K3, launch 1: 0") && svg.contains("deadline of K3, launch 1: 15"));

    let chain = printed(&["rta", "instances/tx2-chain.toml", "--format", "json", "--with-schedule"]);
    let (folder, _) = page_of(&[("r.json", &chain)]);
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
    let (folder, page) = page_of(&[("r.json", &record)]);
    assert!(page.contains("<span class=\"bad\">refuted</span>: K4 misses its deadline"), "{page}");
    let row = cells(&page, "K4");
    assert_eq!((&*row[1], &*row[6]), ("14", "no"));
    assert_eq!(names(&folder, ".svg"), ["deadlines-met-01.svg"], "no figure of a run");
}

#[test]
fn tiles_policies_and_measured_runs_are_shown() {
    let tiles = printed(&["prem", "instances/kr19-least.toml", "--format", "json"]);
    let (folder, page) = page(&[("p.json", &tiles)]);
    assert_eq!(title(&page), "Time-triggered tiles of K1, K2, K3, K4 - warpspan");
    let record: serde_json::Value = serde_json::from_str(&tiles).unwrap();
    let bound = format!("<dt>execution</dt><dd>at most {} ns (", record["execution_ns"]);
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
    let (folder, page) = page_of(&[("s.json", &runs)]);
    assert_eq!(title(&page), "Warp-scheduling policies on LLCLL, 4 warps; σ_L = 1, σ_C = 1 - warpspan");
    let row = cells(&page, "lrr");
    assert_eq!((&*row[1], row.last().unwrap().as_str()), ("16", "yes"));
    assert!(
        page.contains("<dt>best case</dt><dd>16 cycles</dd>")
            && page.contains("<dt>worst case</dt><dd>17 cycles, exact</dd>")
    );
    assert!(figure(&folder, "runs-01.svg").contains("gto: 17 cycles"));

    let logs: Vec<String> = (1..=4).map(|log| format!("tests/data/tx2/concurrent_1st_{log}.json")).collect();
    let args = ["rta", "--format", "json", "--measured"].into_iter().chain(logs.iter().map(String::as_str));
    let measured = printed(&args.collect::<Vec<_>>());
    let (_folder, page) = page_of(&[("m.json", &measured)]);
    assert_eq!(title(&page), "A measured run of Kernel 2, Kernel 3, Kernel 4, Kernel 1 - warpspan");
    assert_eq!(cells(&page, "X1")[2..], ["3", "0", "yes"]);

    // Several at once: the first three subjects, and every table.
    let (_folder, page) =
        page_of(&[("p.json", &tiles), ("s.json", &runs), ("m.json", &measured), ("t.csv", &safe())]);
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

/// A record of `solve` without a schedule has a verdict and no figure.
#[test]
fn an_answer_without_a_schedule_is_shown() {
    let record = printed(&["solve", "instances/llcll-w4.toml", "--format", "json"]);
    let (folder, page) = page(&[("s.json", &record)]);
    assert_eq!(title(&page), "The worst case of LLCLL, 4 warps; σ_L = 1, σ_C = 1 - warpspan");
    assert!(page.contains("<b>17 cycles</b>, <span class=\"good\">exact</span>"), "{page}");
    assert!(names(&folder, ".svg").is_empty());
}

/// The bar of a share is as long as the share is of the largest one.
#[test]
fn shares_are_drawn_relative_to_the_largest() {
    let args =
        ["extract", "tests/data/compare/old.ptx", "--entry", "filter", "--warps", "32", "--format", "json"];
    let (_folder, page) = page(&[("k.json", &printed(&args))]);
    let (_, page) = page.split_once("id=\"kernels\"").unwrap();
    let number = |text: &str| -> f64 { text.parse().unwrap() };
    let mut all = 0;
    for table in page.split("<table").skip(1) {
        let rows: Vec<(f64, f64)> = table
            .split("%</td><td><span class=\"share\"><i style=\"width:")
            .collect::<Vec<_>>()
            .windows(2)
            .map(|two| {
                (number(two[0].rsplit_once('>').unwrap().1), number(two[1].split_once('%').unwrap().0))
            })
            .collect();
        let largest = rows.iter().map(|(share, _)| *share).fold(0.0, f64::max);
        for (share, bar) in &rows {
            // Shares are rounded to a tenth of a percent.
            assert!((bar - 100.0 * share / largest).abs() < 100.0 * 0.2 / largest, "{bar} {share}");
        }
        all += rows.len();
    }
    assert!(all > 2, "{page}");
}

/// A budget has a row for each kernel, with the verdict and the condition next to the numbers.
#[test]
fn deadlines_have_a_table() {
    let record = printed(&["budget", "docs/ci/budget.toml", "--format", "json"]);
    let (_, page) = page_of(&[("b.json", &record)]);
    assert_eq!(title(&page), "Deadlines of docs/ci/budget.toml - warpspan");
    assert!(page.contains("2 of 2 deadlines met"), "{page}");
    let row = cells(&page, "conv");
    assert_eq!(row[1..4], ["10 ms", "met", "4.492225 ms"]);
    let found: serde_json::Value = serde_json::from_str(&record).unwrap();
    let rate = assumption(&found["kernels"][0]["time"], "dram.rate").unwrap();
    assert!(row[4].contains(" declarations and ") && row[4].ends_with(" assumptions"), "{row:?}");
    let note =
        format!("<dt>assumed</dt><dd>all kernels: DRAM: {} [dram.rate]", rate["value"].as_str().unwrap());
    assert!(page.contains(&note.replace('\'', "&#39;")) || page.contains(&note), "{note}");
}

/// Bounds keep their marks, and partitions their multiprocessors.
#[test]
fn bounds_and_partitions_have_tables() {
    let record = printed(&["bound", "--kernel", "LL", "--warps", "4", "--sigma-l", "2", "--format", "json"]);
    let (_, page) = page_of(&[("b.json", &record)]);
    assert!(title(&page).starts_with("Bounds of LL, 4 warps"), "{}", title(&page));
    assert_eq!(cells(&page, "pessimistic")[2..4], ["upper", "NOT SAFE"]);
    assert_eq!(cells(&page, "bottleneck")[2..4], ["lower", "paper"]);
    let record = printed(&["partition", "instances/si21-partition-table.toml", "--format", "json"]);
    let (_, page) = page_of(&[("p.json", &record)]);
    assert!(title(&page).starts_with("Partitions for "), "{}", title(&page));
    let found: serde_json::Value = serde_json::from_str(&record).unwrap();
    let part = &found["partitions"][0];
    let task = part["tasks"][0].as_str().unwrap();
    assert_eq!(cells(&page, task)[3], part["multiprocessors"].to_string());
}
