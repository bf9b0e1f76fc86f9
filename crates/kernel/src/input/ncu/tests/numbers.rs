//! Numbers with their units and separators.

use super::*;

fn dram(unit: &str, value: &str) -> Option<u64> {
    read_ncu("f", &table(&[("dram__bytes.sum", unit, value)]), "k").unwrap().dram_bytes
}

fn refused_dram(unit: &str, value: &str) -> String {
    refused(&table(&[("dram__bytes.sum", unit, value)]), "k")
}

#[test]
fn a_rounded_number_counts_as_the_largest_that_it_may_stand_for() {
    assert_eq!(dram("byte", "123"), Some(123));
    assert_eq!(dram("byte", "123.00"), Some(124), "printed with decimals, it is rounded");
    assert_eq!(dram("Kbyte", "1.50"), Some(1505));
    assert_eq!(dram("Mbyte", "213.68"), Some(213_685_000));
    assert_eq!(dram("Mbyte", "0.123"), Some(123_500));
    assert_eq!(dram("Mbyte", "640"), Some(640_500_000));
    assert_eq!(dram("Gbyte", "1.2345678912"), Some(1_234_567_892), "up to a whole byte");
    assert_eq!(dram("Gbyte", "0"), Some(500_000_000));
}

#[test]
fn separators_are_those_of_the_locale_where_it_can_be_told() {
    assert_eq!(dram("byte", "27.595.520"), Some(27_595_520));
    assert_eq!(dram("byte", "27,595,520"), Some(27_595_520));
    assert_eq!(dram("byte", "27.520"), Some(27_520), "bytes are whole");
    assert_eq!(dram("Mbyte", "1,5"), Some(1_550_000));
    assert_eq!(dram("Kbyte", "1.234,56"), Some(1_234_565));
    assert_eq!(dram("Kbyte", "1,234.56"), Some(1_234_565));
    let error = refused_dram("Mbyte", "1.234");
    assert!(
        error.starts_with("ncu.csv:2: dram__bytes.sum = \"1.234\" Mbyte: three decimals or thousands"),
        "{error}"
    );
    let with = |shown, unit, value| {
        table(&[("dram__bytes.sum", unit, value), ("sm__throughput.avg.pct", "%", shown)])
    };
    let read = |text: String| read_ncu("f", &text, "k").unwrap().dram_bytes;
    assert_eq!(read(with("65.77", "Mbyte", "1.234")), Some(1_234_500));
    assert_eq!(read(with("65,77", "Mbyte", "1.234")), Some(1_234_500_000));
    assert_eq!(read(with("65,77", "byte", "1.234")), Some(1234));
    assert!(refused(&with("65.77", "byte", "1.234"), "k").contains("three decimals or thousands"));
    let error = refused(&with("65.77", "byte", "1.234.567"), "k");
    let want = "ncu.csv:3: 65.77 here and 1.234.567 on line 2: want numbers of one locale";
    assert_eq!(error, want);
}

#[test]
fn numbers_that_are_none_are_refused_with_their_line() {
    for value in
        ["nan", "NaN", "inf", "", "-", "1e9", "1 234", "1,23,456", "12,3456.7", "1.2,3.4", ".5", "5.", "0x1"]
    {
        let error = refused_dram("byte", value);
        let want =
            format!("ncu.csv:2: dram__bytes.sum = {value:?}: want a number, such as 1234567 or 1,234,567");
        assert_eq!(error, want);
    }
    assert!(
        refused_dram("", "n/a").starts_with("ncu.csv:2: dram__bytes.sum = \"n/a\": want a number: this GPU")
    );
    assert_eq!(refused_dram("byte", "-5"), "ncu.csv:2: dram__bytes.sum = \"-5\": want 0 or more");
    let large = refused_dram("Gbyte", "18,446,744,074");
    assert_eq!(large, "ncu.csv:2: dram__bytes.sum = \"18,446,744,074\" Gbyte: want less than 2^64");
    assert!(refused_dram("byte", &"9".repeat(60)).ends_with("want less than 2^64"));
    assert!(refused_dram("byte", &format!("0.{}", "0".repeat(60))).ends_with("want less than 2^64"));
    let sectors = refused(&table(&[("lts__t_sectors.sum", "sector", "18446744073709551615")]), "k");
    assert!(sectors.ends_with("want less than 2^64 bytes in all"), "{sectors}");
    let half = "9223372036854775808";
    let both = [("dram__bytes_read.sum", "byte", half), ("dram__bytes_write.sum", "byte", half)];
    assert!(refused(&table(&both), "k").starts_with("ncu.csv:3: dram__bytes_write.sum = "));
    let unit = refused_dram("MB", "5");
    let want = "in \"MB\": want byte, Kbyte, Mbyte or Gbyte: run ncu with --print-units base";
    assert_eq!(unit, format!("ncu.csv:2: dram__bytes.sum {want}"));
}
