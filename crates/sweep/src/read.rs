//! Reading tables of CSV or JSON lines.
//!
//! Reading proves nothing again; a row is refused only where it contradicts itself.

use num_rational::Ratio;

use crate::Row;
use warpspan_model::source::{InputError, json};
use warpspan_model::tables::csv_rows;

/// The columns that a table must have. Other columns may be missing, and unknown ones are ignored.
const REQUIRED: [&str; 18] = [
    "grid",
    "cell",
    "kernel",
    "warps",
    "sigma_l",
    "sigma_c",
    "asked",
    "lower",
    "upper",
    "verdict",
    "pessimistic",
    "critical_path",
    "phase",
    "bottleneck",
    "engine",
    "stop",
    "seconds",
    "version",
];

/// No instance has more warps or takes more cycles than this.
const LARGEST: u64 = 1 << 62;

/// Reads a table: it is CSV where the name ends in .csv, and JSON lines where it ends in .jsonl or .json.
///
/// # Errors
/// If the name ends otherwise, a column is missing, or a row cannot be read or contradicts itself; the error
/// names the file and the line.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<Row>, InputError> {
    match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("csv") => read_csv(name, bytes),
        Some("jsonl" | "json") => {
            lines(bytes).map(|(line, text)| read_row(text).map_err(|what| error(name, line, what))).collect()
        }
        _ => Err(InputError::new(name, "of no known kind: want a name that ends in .csv, .jsonl or .json")),
    }
}

/// The lines of a text that are not blank, with their numbers from 1.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// Reads a table of comma-separated values whose first line names the columns.
pub fn read_csv(name: &str, bytes: &[u8]) -> Result<Vec<Row>, InputError> {
    let headers = csv::Reader::from_reader(bytes).headers().cloned().unwrap_or_default();
    let missing = REQUIRED.iter().filter(|&&column| headers.iter().all(|h| h != column));
    let missing: Vec<&str> = missing.copied().collect();
    if !missing.is_empty() {
        let what = format!("no column {}: want the columns of a table of sweep", missing.join(", "));
        return Err(error(name, 1, what));
    }
    let rows = csv_rows(name, bytes, &"a table of sweep".into())?.into_iter();
    rows.map(|(line, row)| checked(row).map_err(|what| error(name, line, what))).collect()
}

/// Reads one line of JSON lines.
pub fn read_row(text: &[u8]) -> Result<Row, String> {
    checked(json(text, "a row of a table of sweep, one JSON object a line").map_err(|error| error.what)?)
}

/// The row with the columns of today, if it does not contradict itself.
fn checked(mut row: Row) -> Result<Row, String> {
    if let Some(older) = row.policies.take() {
        let wrong = || format!("policies {older:?}: want makespans by name, as lrr=19;gto=17");
        row.spread_policies(&older).ok_or_else(wrong)?;
    }
    contradicts_itself(&row)?;
    Ok(row)
}

fn error(name: &str, line: usize, what: String) -> InputError {
    InputError { place: name.to_owned(), line: Some(line), what: what.into() }
}

/// Says in which way a row contradicts itself, and what would be right.
fn contradicts_itself(row: &Row) -> Result<(), String> {
    if row.warps == 0 {
        return Err("warps 0: want 1 or more".to_owned());
    }
    for (column, text) in [("sigma_l", &row.sigma_l), ("sigma_c", &row.sigma_c)] {
        if sigma(text).is_none() {
            return Err(format!("{column} {text:?}: want a whole number or a ratio p/q above 0"));
        }
    }
    let numbers = [row.warps, row.upper, row.pessimistic, row.critical_path, row.phase, row.bottleneck];
    let known = numbers.into_iter().chain(row.up_to).chain(row.min_over_y).chain(row.term);
    if let Some(number) =
        known.chain(row.makespans().map(|(_, cycles)| cycles)).find(|&number| number > LARGEST)
    {
        return Err(format!("{number}: want numbers up to {LARGEST}"));
    }
    let (lower, upper) = (row.lower, row.upper);
    if lower > upper {
        return Err(format!("lower {lower} above upper {upper}: want a proved interval"));
    }
    if !["exact", "bounded"].contains(&row.verdict.as_str()) || (row.verdict == "exact" && lower < upper) {
        return Err(format!(
            "verdict {:?} of {lower} to {upper}: want bounded, or exact and one number",
            row.verdict
        ));
    }
    if !(0.0..=1e9).contains(&row.seconds) {
        return Err(format!("seconds {:?}: want a time from 0 to 1e9", row.seconds));
    }
    Ok(())
}

/// The value of a sigma as tables write it: a whole number or p/q.
#[doc(hidden)]
pub fn sigma(text: &str) -> Option<Ratio<u64>> {
    text.parse().ok().filter(|ratio| *ratio > Ratio::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "grid,cell,kernel,warps,sigma_l,sigma_c,asked,lower,upper,verdict,best_case,pessimistic,\
                          critical_path,phase,bottleneck,up_to,min_over_y,engine,stop,seconds,states,rows,columns,\
                          nonzeros,version,not_exact,entry,term,lrr,gto,oldest,rt_paws,random,cggty";
    const ROW: &str = "g,1,LCL,4,1,1/2,auto,9,9,exact,,12,12,9,8,3,8,phase,,0.001,,,,,0.1.0,,,,9,8,,,,";

    fn one(row: &str) -> Result<Row, String> {
        let read = read("t.csv", format!("{HEADER}\n{row}\n").as_bytes());
        read.map(|mut rows| rows.remove(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn csv_and_json_lines_say_the_same() {
        let row = one(ROW).unwrap();
        assert_eq!((row.min_over_y, row.best_case), (Some(8), None));
        let line = serde_json::to_string(&row).unwrap();
        assert_eq!(
            read("t.jsonl", format!("{line}\n\n{line}\n").as_bytes()).unwrap(),
            [row.clone(), row.clone()]
        );
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(&row).unwrap();
        let written = writer.into_inner().unwrap();
        assert!(written.starts_with(HEADER.as_bytes()), "new columns stand behind");
        assert_eq!(read("t.csv", &written).unwrap(), [row]);
    }

    #[test]
    fn every_required_column_is_one_of_a_row() {
        let json = serde_json::to_value(one(ROW).unwrap()).unwrap();
        for column in REQUIRED {
            assert!(json.get(column).is_some(), "{column}");
        }
    }

    fn policies(row: &Row) -> Vec<(&'static str, u64)> {
        row.makespans().map(|(policy, cycles)| (policy.name(), cycles)).collect()
    }

    /// The table was written before there were policies, when the column `stop` also said why a cell was not
    /// exact.
    #[test]
    fn the_columns_behind_the_version_may_be_missing() {
        let behind = &HEADER[HEADER.find(",not_exact").unwrap()..];
        let (header, row) = (HEADER.replace(behind, ""), ROW.replace(",,,,9,8,,,,", ""));
        let old = row.replacen("phase,,0.001", "phase,proved,0.001", 1);
        let rows = read("t.csv", format!("{header}\n{old}\n").as_bytes()).unwrap();
        assert_eq!((rows[0].stop.as_deref(), rows[0].not_exact.as_deref()), (Some("proved"), None));
        let rows = read("t.csv", format!("{header}\n{row}\n").as_bytes()).unwrap();
        assert_eq!(policies(&rows[0]), []);
        assert_eq!(policies(&one(ROW).unwrap()), [("lrr", 9), ("gto", 8)]);
        let mut json = serde_json::to_value(one(ROW).unwrap()).unwrap();
        for column in behind.split(',').skip(1) {
            json.as_object_mut().unwrap().remove(column).unwrap();
        }
        assert_eq!(read("t.jsonl", format!("{json}\n").as_bytes()).unwrap(), rows);
    }

    /// Older tables have all policies in one column.
    #[test]
    fn the_one_column_of_policies_is_spread_over_those_of_today() {
        let behind = &HEADER[HEADER.find(",not_exact").unwrap()..];
        let header = HEADER.replace(behind, ",policies,not_exact");
        let older = |policies: &str| {
            let row = ROW.replace(",,,,9,8,,,,", &format!(",{policies},"));
            read("t.csv", format!("{header}\n{row}\n").as_bytes()).map_err(|error| error.to_string())
        };
        assert_eq!(older("lrr=9;gto=8").unwrap(), [one(ROW).unwrap()]);
        assert_eq!(policies(&older("rt-paws=9").unwrap()[0]), [("rt-paws", 9)]);
        assert_eq!(policies(&older("").unwrap()[0]), []);
        for wrong in ["lrr=9;gto", "lrr=x", "fifo=9", "worst=9"] {
            let message = format!("t.csv:2: policies {wrong:?}: want makespans by name, as lrr=19;gto=17");
            assert_eq!(older(wrong).unwrap_err(), message);
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let refused = |from: &str, to: &str, message: &str| {
            assert_eq!(one(&ROW.replacen(from, to, 1)).unwrap_err(), message);
        };
        refused("9,9,exact", "9,8,exact", "t.csv:2: lower 9 above upper 8: want a proved interval");
        refused(
            "9,9,exact",
            "8,9,exact",
            "t.csv:2: verdict \"exact\" of 8 to 9: want bounded, or exact and one number",
        );
        refused("1/2", "0", "t.csv:2: sigma_c \"0\": want a whole number or a ratio p/q above 0");
        refused("LCL,4", "LCL,0", "t.csv:2: warps 0: want 1 or more");
        refused("0.001", "NaN", "t.csv:2: seconds NaN: want a time from 0 to 1e9");
        refused(",0.1.0", "", "t.csv:2: 33 fields: want 34, as the header has");
        refused(
            "9,8,,,,",
            "9,4611686018427387905,,,,",
            "t.csv:2: 4611686018427387905: want numbers up to 4611686018427387904",
        );
        let wrong = one(&ROW.replacen("9,9", "x,9", 1)).unwrap_err();
        assert!(wrong.starts_with("t.csv:2: lower \"x\": invalid digit"), "{wrong}");
        let windows = format!("{HEADER}\r\n{ROW}\r\n{}\r\n", ROW.replacen("9,9", "9,8", 1));
        assert!(read("t.csv", windows.as_bytes()).unwrap_err().to_string().starts_with("t.csv:3: lower 9"));
        let missing = read("t.csv", b"kernel,warps\nLCL,4\n").unwrap_err().to_string();
        assert!(missing.starts_with("t.csv:1: no column grid, cell, sigma_l"), "{missing}");
        let wrong = read("t.jsonl", b"\n{\"grid\": \"g\"}").unwrap_err().to_string();
        assert!(wrong.starts_with("t.jsonl:2: missing field `cell`: want"), "{wrong}");
        assert!(read("t.txt", b"").unwrap_err().to_string().starts_with("t.txt: of no known kind"));
    }
}
