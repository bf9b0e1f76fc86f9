//! Any text, and any number.

use proptest::prelude::*;

use super::*;

/// Texts that look like those of the profiler.
fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n".to_owned()),
        Just("ID,Kernel Name,Grid Size,dram__bytes.sum,lts__t_sectors.sum\n".to_owned()),
        Just(",,,byte,sector\n".to_owned()),
        Just("\n k<(int)1>(int) (1, 1, 1)x(1, 1, 1), Context 1, Stream 7\n".to_owned()),
        ("[k(<0-9.,]{1,6}", "[0-9.,n/a-]{0,40}")
            .prop_map(|(k, v)| format!("0,{k},dram__bytes.sum,Gbyte,\"{v}\"\n")),
        "[0-9.,]{0,30}".prop_map(|value| format!("lts__t_sectors.sum sector {value}\n")),
        "\\PC{0,20}",
        Just("\"".to_owned()),
        Just("==PROF== \"x\n".to_owned()),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in texts(), any in ".*", kernel in "_Z[0-9a-zA-Z_]{0,12}|[k(<>,) ]{0,6}") {
        let _like = read_ncu("f", &text, &kernel);
        let _like = read_ncu("f", &text, "k");
        let _any = read_ncu("f", &any, &kernel);
    }

    /// Whatever is rounded as the profiler rounds it is read as no less.
    #[test]
    fn what_is_read_is_no_less_than_what_was_counted(bytes in 0..1_u64 << 60, places in 0..4_u32, unit in 0..3_usize) {
        let (unit, factor) = [("Kbyte", 1000), ("Mbyte", 1_000_000), ("Gbyte", 1_000_000_000)][unit];
        let scale = 10_u128.pow(places);
        let rounded = (u128::from(bytes) * scale * 2 + factor) / (2 * factor);
        let decimals = format!("{:0>width$}", rounded % scale, width = places as usize);
        let value = if places == 0 { rounded.to_string() } else { format!("{}.{decimals}", rounded / scale) };
        // A throughput shows the decimal separator.
        let text = table(&[("dram__bytes.sum", unit, &value), ("dram__throughput.avg.pct", "%", "7.27")]);
        let read = read_ncu("f", &text, "k").unwrap().dram_bytes.unwrap();
        prop_assert!(read >= bytes && u128::from(read - bytes) <= factor / scale + 1);
    }
}
