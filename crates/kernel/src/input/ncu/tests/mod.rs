//! The forms that are read, and what is refused.

mod any;
mod numbers;

use super::*;

const METRICS: &str = include_str!("../../../../../../tests/data/ncu/metrics.csv");
const RAW: &str = include_str!("../../../../../../tests/data/ncu/raw.csv");
const DETAILS: &str = include_str!("../../../../../../tests/data/ncu/details.txt");

/// The error of a reading, as it is printed.
fn refused(text: &str, kernel: &str) -> String {
    let error = read_ncu("ncu.csv", text, kernel).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// A table with a row for each of these values of one launch of `k`; the first row is on line 2.
fn table(rows: &[(&str, &str, &str)]) -> String {
    let mut text = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n".to_owned();
    for (metric, unit, value) in rows {
        text += &format!("\"0\",\"k(int)\",\"{metric}\",\"{unit}\",\"{value}\"\n");
    }
    text
}

#[test]
fn of_a_row_for_each_metric_the_largest_over_launches_counts() {
    let counted = Counted {
        kernel: "scale(float *, int)".into(),
        launches: 2,
        grid: Some([96, 1, 1]),
        block: Some([256, 1, 1]),
        dram_bytes: Some(98_336),
        l2_bytes: Some(6144 * 32),
        l1_requests: Some(768),
    };
    for kernel in ["scale", "_Z5scalePfi", "scale(float *, int)", "scale(float*, int)"] {
        assert_eq!(read_ncu("f", METRICS, kernel).unwrap(), counted);
    }
    let windows = METRICS.replace('\n', "\r\n");
    assert_eq!(read_ncu("f", &("\u{feff}".to_owned() + &windows), "scale").unwrap(), counted);
    let fill = read_ncu("f", METRICS, "_Z4fillILi4EfEvPT0_").unwrap_err();
    assert!(fill.to_string().contains("the file has scale(float *, int), void fill<(int)4>(T1 *)"), "{fill}");
    let fill = read_ncu("f", METRICS, "_Z4fillILi4EEvPf").unwrap();
    assert_eq!((fill.dram_bytes, fill.l2_bytes, fill.grid), (Some(1_234_567), None, Some([8, 1, 1])));
}

/// At every byte and line: a file that was cut has no smaller numbers, unless it lacks whole launches, which its answer assumes not.
#[test]
fn a_file_that_was_cut_is_refused_or_lacks_whole_launches() {
    for text in [METRICS, RAW, DETAILS] {
        let whole = read_ncu("f", text, "scale").unwrap();
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let Ok(cut) = read_ncu("f", &text[..at], "scale") else { continue };
            assert!(text[..at].ends_with('\n'), "{at}");
            let no_less =
                |of: fn(&Counted) -> Option<u64>| of(&cut).is_none_or(|cut| Some(cut) >= of(&whole));
            let all =
                [no_less(|one| one.dram_bytes), no_less(|one| one.l2_bytes), no_less(|one| one.l1_requests)];
            assert!(cut.launches < whole.launches || all == [true; 3], "{at}: {cut:?}");
        }
    }
    let error = refused(METRICS.trim_end(), "scale");
    assert!(error.contains("the last line has no end"), "{error}");
}

#[test]
fn of_a_row_for_each_launch_the_second_line_has_the_units() {
    let scale = read_ncu("f", RAW, "scale").unwrap();
    assert_eq!((scale.launches, scale.dram_bytes, scale.l1_requests), (1, Some(98_304), None));
    assert_eq!((scale.l2_bytes, scale.block), (Some((8 + 4096 + 4 + 2048) * 32), Some([256, 1, 1])));
    let fill = read_ncu("f", RAW, "fill").unwrap();
    assert_eq!((fill.dram_bytes, fill.l2_bytes), (Some(8192), None), "empty fields are not zero");
    let twice = read_ncu("f", &format!("{RAW}{RAW}"), "scale").unwrap();
    assert_eq!((twice.launches, twice.dram_bytes), (2, Some(98_304)));
    let lines: Vec<&str> = RAW.lines().filter(|line| !line.contains("register/thread")).collect();
    let error = refused(&lines.join("\n"), "scale");
    assert!(error.starts_with("ncu.csv:4: no row of units before the first launch: run ncu"), "{error}");
}

#[test]
fn of_text_each_heading_begins_a_launch() {
    let scale = read_ncu("f", DETAILS, "_Z5scalePfi").unwrap();
    assert_eq!((scale.kernel.as_str(), scale.launches), ("scale(float *, int)", 1));
    assert_eq!((scale.grid, scale.block), (Some([96, 1, 1]), Some([256, 1, 1])));
    // The sectors are 542,976 bytes; what is printed may stand for as many as this.
    assert_eq!((scale.dram_bytes, scale.l2_bytes), (Some(542_985), Some(2_125_500)));
    assert_eq!(scale.l1_requests, Some(1024));
    let error = refused(DETAILS, "fill");
    assert!(error.starts_with("ncu.csv:21: dram__bytes.sum = \"n/a\": want a number: this GPU"), "{error}");
    let old =
        "  blur(char *, float), 2022-Oct-24 21:34:00, Context 1, Stream 7\n dram__bytes.sum byte 1,234,567\n";
    let blur = read_ncu("f", old, "_Z4blurPcf").unwrap();
    assert_eq!(
        (blur.kernel.as_str(), blur.grid, blur.dram_bytes),
        ("blur(char *, float)", None, Some(1_234_567))
    );
}

#[test]
fn parts_that_are_no_whole_are_not_taken() {
    let of = |rows: &[(&str, &str, &str)]| read_ncu("f", &table(rows), "k").unwrap();
    let requests = ("l1tex__t_requests.sum", "request", "7");
    let parts = [
        requests,
        ("dram__bytes_read.sum", "byte", "1"),
        ("lts__t_sectors_op_read.sum", "sector", "1"),
        ("lts__t_sectors_op_write.sum", "sector", "1"),
    ];
    assert_eq!((of(&parts).dram_bytes, of(&parts).l2_bytes, of(&parts).l1_requests), (None, None, Some(7)));
    let sectors = [("dram__sectors_read.sum", "sector", "2"), ("dram__sectors_write.sum", "sector", "3")];
    assert_eq!(of(&sectors).dram_bytes, Some(160));
    let error = refused(&table(&[("dram__bytes.avg", "byte", "1"), ("dram__bytes.max", "byte", "1")]), "k");
    let run = "run ncu --metrics dram__bytes.sum,lts__t_sectors.sum --print-units base --csv";
    assert_eq!(error, format!("ncu.csv: nothing that tells the traffic of k(int): {run}"));
    let missing = table(&[("dram__bytes.sum", "byte", "1")]) + "\"1\",\"k(int)\",\"x\",\"\",\"\"\n";
    let error = refused(&missing, "k");
    assert!(error.starts_with("ncu.csv:3: this launch of k(int) has no dram__bytes.sum, or"), "{error}");
}

#[test]
fn other_texts_and_broken_tables_are_refused() {
    let error = refused("==PROF== x\nhello\n", "k");
    assert!(
        error.starts_with("ncu.csv: no launch of a kernel: want what Nsight Compute prints: run"),
        "{error}"
    );
    let error = refused("==PROF== x\n==ERROR== ERR_NVGPUCTRPERM\u{7}\n", "k");
    assert_eq!(error, "ncu.csv:2: no launch: ==ERROR== ERR_NVGPUCTRPERM?");
    assert_eq!(
        refused(&table(&[("x", "", "")]), "other"),
        "ncu.csv: no launch of other: the file has k(int)"
    );
    let good = table(&[("dram__bytes.sum", "byte", "1")]);
    assert_eq!(
        refused(&(good.clone() + "\n==PROF== a\n\"1\",2\n"), "k"),
        "ncu.csv:5: 2 fields: want 5, as the header has"
    );
    assert!(refused(&(good.clone() + "\"1,\n2\n"), "k").starts_with("ncu.csv:3: a quote that"));
    let other = good.clone() + "\"ID\",\"Kernel Name\"\n";
    assert!(refused(&other, "k").starts_with("ncu.csv:3: a second table"));
    let summary = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\"\n";
    assert!(refused(summary, "k").starts_with("ncu.csv:1: no column of units or of values"));
    let size = "k(int) (1.024, 1)x(1, 1, 1), Context 1, Stream 7\ndram__bytes.sum byte 1\n";
    assert_eq!(
        refused(size, "k"),
        "ncu.csv:1: grid \"(1.024, 1)\": want three whole numbers, such as (96, 1, 1)"
    );
    let sizes = "k() (2, 1, 1)x(1, 1, 1), Context 1, Stream 7\ndram__bytes.sum byte 1\n\
                 k() (3, 1, 1)x(1, 1, 1), Context 1, Stream 7\ndram__bytes.sum byte 5\n";
    let counted = read_ncu("f", sizes, "k").unwrap();
    assert_eq!((counted.grid, counted.block, counted.dram_bytes), (None, Some([1, 1, 1]), Some(5)));
}
