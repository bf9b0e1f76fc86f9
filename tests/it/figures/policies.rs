//! Charts of `simulate`: the example's schedules (Si21 Fig. 4.1) and the bars of response times (Fig. 4.2, 4.3).

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;

const STAND_INS: [&str; 8] = ["pc", "pf", "2dconv", "dxtc", "vadd", "gemm", "hist", "atax"];

fn warpspan(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(120));
    command.args(args).output().unwrap()
}

fn stand_ins() -> Vec<String> {
    let mut args = vec!["simulate".to_owned()];
    args.extend(STAND_INS.map(|name| format!("instances/si21-stand-in-{name}.toml")));
    args.extend(["--policy", "lrr,gto,rt-paws", "--launch", "0,1", "--priority", "1,8"].map(str::to_owned));
    args
}

/// What `simulate` draws with these arguments.
fn drawn(args: &[&str], flag: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("figure.svg");
    let output = warpspan(&[args, &[flag, path.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(path).unwrap()
}

fn tips(svg: &str) -> Vec<String> {
    let tips = svg.split("<title>").skip(1).map(|rest| rest.split("</title>").next().unwrap());
    tips.map(|tip| tip.trim().to_owned()).collect()
}

/// The rows of the tables of a page that begin with the name of a kernel, by table and name.
fn rows(page: &str) -> BTreeMap<(usize, String), Vec<String>> {
    let mut found = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if STAND_INS.contains(&cells[0].as_str()) {
            let table = (0..).find(|&table| !found.contains_key(&(table, cells[0].clone()))).unwrap();
            found.insert((table, cells[0].clone()), cells);
        }
    }
    found
}

/// The bars are those of the tables, which examples/policies.rs prints from kernels that it draws itself.
#[test]
fn bars_of_the_stand_ins_are_those_of_the_tables() {
    let args = stand_ins();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let svg = drawn(&args, "--chart");
    let tips = tips(&svg);
    assert_eq!(tips.len(), 8 * (6 + 3));
    let share = |begin: &str| {
        let tip = tips.iter().find(|tip| tip.starts_with(begin)).unwrap_or_else(|| panic!("{begin}"));
        tip.rsplit(' ').next().unwrap().to_owned()
    };
    let tables = rows(&std::fs::read_to_string("docs/policies.md").unwrap());
    for name in STAND_INS {
        let instance = format!("si21-stand-in-{name}");
        let responses = ["lrr", "gto", "rt-paws"]
            .map(|policy| [1, 2].map(|group| share(&format!("{instance}, {policy}, group {group}:"))));
        assert_eq!(responses.concat(), tables[&(0, name.to_owned())][4..10], "{name}");
        let means = ["lrr", "gto", "rt-paws"].map(|policy| share(&format!("{instance}, {policy}, mean")));
        assert_eq!(means[..], tables[&(1, name.to_owned())][2..], "{name}");
    }
    assert_eq!(
        svg,
        std::fs::read_to_string("docs/policies/fig4-2.svg").unwrap(),
        "the page shows what is drawn"
    );
}

/// The completions that the drawing of the example shows are those of Si21 section 4.4.3 as far as it gives them:
/// means of 25, 21.5 and 22.5.
#[test]
fn the_schedules_of_the_example_are_drawn() {
    let example = ["simulate", "instances/si21-example.toml", "--issue-width", "1", "--latency-c", "6"];
    let scenario = ["--launch", "0,1", "--priority", "1,2", "--policy", "lrr,gto,rt-paws"];
    let svg = drawn(&[&example[..], &scenario].concat(), "--schedule");
    let mut last: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut instructions = 0;
    for tip in tips(&svg) {
        let Some((policy, rest)) = tip.split_once(": group ") else { continue };
        instructions += 1;
        let end: u64 = tip.rsplit(' ').next().unwrap().parse().unwrap();
        let group = rest.split(',').next().unwrap().to_owned();
        let found = last.entry((policy.to_owned(), group)).or_default();
        *found = end.max(*found);
    }
    // Three policies, four warps, six instructions, and again the C for its latency.
    assert_eq!(instructions, 3 * 4 * (6 + 1));
    let sum = |policy: &str| {
        ["1", "2"].map(|group| last[&(policy.to_owned(), group.to_owned())]).iter().sum::<u64>()
    };
    assert_eq!(["lrr", "gto", "rt-paws"].map(sum), [50, 43, 45]);
    assert_eq!(
        svg,
        std::fs::read_to_string("docs/policies/fig4-1.svg").unwrap(),
        "the page shows what is drawn"
    );
}

/// `report` draws the same bars from the records.
#[test]
fn report_draws_response_times() {
    let folder = tempfile::tempdir().unwrap();
    let args = stand_ins();
    let args: Vec<&str> = args.iter().map(String::as_str).chain(["--format", "json"]).collect();
    let records = folder.path().join("runs.json");
    let single = warpspan(&["simulate", "--kernel", "LC", "--warps", "2", "--format", "json"]).stdout;
    std::fs::write(&records, [warpspan(&args).stdout, single].concat()).unwrap();
    let out = folder.path().join("report");
    let output = warpspan(&["report", records.to_str().unwrap(), "-o", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let ours = std::fs::read_to_string(out.join("responses-01.svg")).unwrap();
    let commands = drawn(&args[..args.len() - 2], "--chart");
    assert_eq!(tips(&ours), tips(&commands));
    assert!(!Path::new(&out.join("responses-02.svg")).exists(), "one group has nothing to compare");
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("Simulated response times under lrr, gto, rt-paws"));
    assert!(page.contains("none is a bound"));
}

#[test]
fn several_policies_in_one_run() {
    let two = ["simulate", "--group", "LC:2", "--group", "CL:1", "--format", "json"];
    let names = |policy: &str| -> Vec<String> {
        let output = warpspan(&[&two[..], &["--policy", policy]].concat());
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let runs = record["runs"].as_array().unwrap().iter();
        runs.map(|run| run["policy"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("gto,lrr,gto"), ["gto", "lrr"]);
    assert_eq!(names("gto,all").len(), 6);
    for (flags, message) in [
        (&["--policy", "lrr,gto", "--schedule", "s.csv"][..], "s.csv: one file for several policies"),
        (&["--policy", "lrr,fifo"], "possible values"),
        (&["--chart", "s.png"], "s.png: want a name that ends in .svg"),
        (&["--policy", "lrr,worst", "--latency-l", "2"], "worst: not of this machine"),
    ] {
        let output = warpspan(&[&two[..], flags].concat());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{flags:?}: {stderr}");
    }
}
