//! A bound of PTX is no less than that of the SASS that `ptxas` made of it, for instructions of which it makes many.

use assert_cmd::Command;
use serde_json::Value;

fn upper(kernel: &str, capability: &str, language: &str) -> u64 {
    let short = capability.replace('.', "");
    let file = format!("tests/data/ptx-against-sass/{kernel}.sm_{short}.{language}");
    let launch =
        "--transactions *=1 --warps-per-block 32 --blocks 2 --resident 2 --multiprocessors 1 --format json";
    let flags = format!("bound --ptx {file} --machine {capability} {launch}");
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(flags.split(' '));
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    let record: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{flags}: {err}"));
    record["upper"].as_u64().unwrap_or_else(|| panic!("{flags}: {err}"))
}

#[test]
fn ptx_is_not_counted_below_what_ptxas_makes_of_it() {
    for (kernel, capability) in [
        ("red_shared_max", "7.5"),
        ("atom_shared_one", "8.7"),
        ("cvt_ftz_f32_f64", "8.7"),
        ("dp4a", "6.2"),
        ("suld_b32", "8.7"),
    ] {
        let [ptx, sass] = ["ptx", "sass"].map(|language| upper(kernel, capability, language));
        assert!(ptx >= sass, "{kernel} at {capability}: {ptx} from PTX, {sass} from SASS");
    }
}
