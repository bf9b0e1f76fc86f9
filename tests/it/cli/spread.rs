//! A bound that counts on how warps are spread over the schedulers says so, and what it is without that.

use assert_cmd::Command;
use tempfile::TempDir;

const MACHINE: &str = "
[machine]
schedulers = 4
issue_width = 1
";

const UNITS: [[&str; 3]; 2] = [["A", "2", "[4, 6]"], ["S", "4", "[20, 30]"]];

/// The machine, whose units are of tables of this name.
fn machine(spread: &str, table: &str) -> String {
    let unit = |[name, occupancy, latency]: [&str; 3]| {
        let shared = name == "S";
        format!(
            "[[{table}]]\nname = {name:?}\noccupancy = {occupancy}\nlatency = {latency}\nshared = {shared}\n"
        )
    };
    format!("{MACHINE}{spread}\n{}", UNITS.map(unit).concat())
}

/// The standard output of a command on a file with this text.
fn run(command: &str, text: &str) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file.toml");
    std::fs::write(&file, text).unwrap();
    let output =
        Command::cargo_bin("warpspan").unwrap().args([command, "--assumptions"]).arg(&file).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bounds_of_grids_say_what_they_count_on() {
    let launch = "[launch]\nwarps_per_block = 8\nblocks = 40\nresident = 6\nmultiprocessors = 4\n";
    let of = |command: &str, spread: &str| {
        run(command, &format!("{launch}{}[kernel]\nstring = \"(A8S)200\"\n", machine(spread, "unit")))
    };
    for command in ["bound", "solve"] {
        let spread = of(command, "");
        assert!(spread.contains("and 215171 cycles"), "{spread}");
        let note = "no scheduler has more than 2 of the 8 warps of a block; without that the last issue is in cycle 471171";
        assert!(spread.contains(note), "{spread}");
        let any = of(command, "spread = false");
        assert!(any.contains("and 471171 cycles") && !any.contains("no scheduler has"), "{any}");
    }
}

#[test]
fn response_bounds_say_what_they_count_on() {
    let of = |spread: &str| {
        let kernel = |name: &str, code: &str, blocks: u64, threads: u64| {
            format!(
                "[[kernel]]\nname = {name:?}\ncode = {code:?}\nblocks = {blocks}\nthreads_per_block = {threads}\n\
                 period = 100000\ndeadline = 50000\n"
            )
        };
        let gpu = "unit = \"us\"\n[gpu]\nmultiprocessors = 4\nthreads = 1536\nclock_mhz = 1000\n";
        let kernels = kernel("one", "(A8S)200", 40, 256) + &kernel("two", "A300", 16, 128);
        run("rta", &format!("{gpu}{}{kernels}", machine(spread, "machine.unit")))
    };
    let condition = "warps: no scheduler has more than its share of the warps of a block";
    let (spread, any) = (of(""), of("spread = false"));
    assert!(spread.contains(condition) && spread.contains("382.633273"), "{spread}");
    assert!(!any.contains("no scheduler") && any.contains("534.59691"), "{any}");
}
