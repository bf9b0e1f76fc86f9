//! `warpspan rta` of graphs: what is printed, and what is refused.

use assert_cmd::Command;
use serde_json::Value;

const GPU: &str = "[gpu]\nmultiprocessors = 2\nthreads = 64\nshared_memory = 65536\nregisters = 65536\n";
const KERNEL: &str = "[[kernel]]\nname = \"k\"\nblocks = 4\nthreads_per_block = 32\nshared_memory = 0\nregisters_per_thread = 0\nexecution = 8\n";

fn rta(text: &str, flags: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.args(["rta", "-"]).args(flags).write_stdin(text).assert()
}

fn record(text: &str, code: i32) -> Value {
    let assert = rta(text, &["--format", "json", "--explain"]).code(code);
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn graph(keys: &str) -> String {
    format!("{GPU}{KERNEL}[[graph]]\nname = \"g\"\n{keys}\n[[graph.node]]\nkernel = \"k\"\n")
}

#[test]
fn verdicts_have_their_exit_codes() {
    let proved = record(&graph("period = 8"), 0);
    assert_eq!(proved["schema"], "warpspan/rta-graphs/2");
    assert_eq!((&proved["verdict"], &proved["by"]), (&"proved".into(), &"bound".into()));
    assert_eq!(proved["graphs"][0]["response_bound"], 8);
    assert_eq!(proved["graphs"][0]["explanation"]["path"], serde_json::json!(["k"]));
    let refuted = record(&graph("period = 7"), 5);
    assert_eq!((&refuted["verdict"], &refuted["by"]), (&"refuted".into(), &"least-response".into()));
    assert!(refuted["graphs"][0]["reason"].as_str().unwrap().contains("takes 8 ticks or more"));
    let five = graph("period = 16").replace("blocks = 4", "blocks = 5");
    // 8 + 4 · 8 / 4, and two rounds of 8.
    assert_eq!(record(&five, 0)["graphs"][0]["response_bound"], 16);
    let five = five.replace("period = 16", "period = 100\ndeadline = 16");
    let pair = format!("{five}[[graph]]\nperiod = 400\n[[graph.node]]\nkernel = \"k\"\n");
    let undecided = record(&pair, 3);
    assert_eq!((&undecided["verdict"], &undecided["by"]), (&"undecided".into(), &Value::Null));
    // One launch of the other graph adds 5 · 8 / 4.
    let reason = undecided["graphs"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("bound 26 ticks > deadline 16 ticks"), "{reason}");
    assert!(record(&pair.replace("deadline = 16", "deadline = 26"), 0)["schedulable"].as_bool().unwrap());
}

/// A jitter is in the response, and a graph without a period is launched once.
#[test]
fn jitter_and_one_launch() {
    let late = record(&graph("jitter = 3\ndeadline = 11"), 0);
    assert_eq!(late["graphs"][0]["response_bound"], 11);
    assert_eq!(late["graphs"][0]["period"], Value::Null);
    assert_eq!(late["graphs"][0]["explanation"]["jitter"], 3);
}

/// Of two graphs that want multiprocessors of their own, the one with four blocks needs both of two.
#[test]
fn multiprocessors_are_searched() {
    let two = |multiprocessors: u64| {
        let gpu = GPU.replace("multiprocessors = 2", &format!("multiprocessors = {multiprocessors}"));
        let graph = "[[graph]]\nperiod = 8\nmultiprocessors = \"search\"\n[[graph.node]]\nkernel = \"k\"\n";
        let small = "[[kernel]]\nname = \"s\"\nblocks = 1\nthreads_per_block = 32\nshared_memory = 0\nregisters_per_thread = 0\nexecution = 8\n";
        format!("{gpu}{KERNEL}{small}{graph}{}", graph.replace("\"k\"", "\"s\""))
    };
    let found = record(&two(3), 0);
    let of = |graph: usize| found["graphs"][graph]["multiprocessors"].as_u64().unwrap();
    assert_eq!([of(0), of(1)], [2, 1]);
    assert_eq!(found["search"]["found"], true);
    let none = record(&two(2), 3);
    assert_eq!((&none["search"]["found"], &none["search"]["complete"]), (&false.into(), &true.into()));
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let node = |keys: &str| format!("{}{keys}", graph("period = 9"));
    for (text, message) in [
        (node("after = [\"x\"]"), "after = \"x\": the graph has no node of this name"),
        (node("after = [\"k\"]"), "node k: it, or a node that it comes after, comes after itself"),
        (node("host = 3"), "both kernel and host: want one of them"),
        (node("engine = \"copy\""), "the node copies nothing: want copy = TIME"),
        (node("[[graph.node]]\nkernel = \"k\""), "node k: another node of the graph has this name"),
        (node("[[graph.node]]\nkernel = \"z\""), "kernel = \"z\": no [[kernel]] has this name"),
        (node("[[graph.node]]\ncopy = 0"), "copy = 0: want more than 0"),
        (node("[[graph.node]]\ncopy = 1\nengine = \"up\""), "engine = \"up\": want one of copy"),
        (
            node("[[graph]]\nname = \"g\"\n[[graph.node]]\nhost = 1"),
            "name = \"g\": another graph has this name",
        ),
        (node("[[graph]]"), "graph G2: it has no nodes"),
        (node("[cores]\ncount = 0"), "count = 0: want 1 or more"),
        (node("[cores]\npolicy = \"edf\""), "policy = \"edf\": want \"any\" or \"fixed-priority\""),
        (node("[copies]\nengines = [\"a\", \"a\"]"), "engines: \"a\" is there twice"),
        (node("[copies]\nengines = [\" \"]"), "engines: a name without letters: want one such as \"copy\""),
        (
            node("[copies]\nengines = [\"a\"]\n[cores]\ncount = 340282366920938463463374607431768211456"),
            "count = 340282366920938463463374607431768211456: want a number, 9223372036854775807 or less",
        ),
        (node("[copies]\nengines = []"), "engines = []: want the name of one or more"),
        (graph("multiprocessors = 0"), "multiprocessors = 0: want 1 or more, or \"search\""),
        (graph("multiprocessors = 3"), "more multiprocessors of their own than the 2 of the GPU"),
        (
            format!("{}[[graph]]\n[[graph.node]]\nkernel = \"k\"", graph("multiprocessors = 2")),
            "graph G2: other graphs have all 2 multiprocessors of their own",
        ),
        (
            graph("").replace("execution", "period = 5\nexecution"),
            "period: the kernel is launched by nodes of graphs",
        ),
        (format!("{}{}", graph(""), KERNEL.replace("\"k\"", "\"z\"")), "kernel z: no node launches it"),
        (format!("{GPU}{KERNEL}[cores]\ncount = 2"), "no graph: want a [[graph]] table"),
        (node("[[stream]]\nname = \"a\""), "[[stream]]: the edges of a graph are the order of its nodes"),
        (graph("color = 1"), "unknown field `color`"),
    ] {
        let assert = rta(&text, &[]).code(2);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(stderr.contains(message), "{message}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    rta(&graph(""), &["--with-schedule"]).code(2);
    rta(&graph(""), &["--chain", "a,b"]).code(2);
}
