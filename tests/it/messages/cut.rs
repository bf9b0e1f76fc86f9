//! Files of other programs whose form has a mark of its end: one that was cut is refused, unless only blanks are missing.

use std::io::{BufRead, Cursor};

use warpspan::listing::Text;
use warpspan::listing::trace::trace;
use warpspan::realtime::amalthea::read_model;
use warpspan::realtime::rta::{read_examiner, read_log};

/// Cuts a text behind each byte.
fn is_refused(name: &str, text: &str, read: impl Fn(&str) -> bool) {
    assert!(read(text), "{name}");
    for at in (0..text.len()).filter(|&at| text.is_char_boundary(at) && !text[at..].trim().is_empty()) {
        assert!(!read(&text[..at]), "{name}: cut behind byte {at}");
    }
}

fn file(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn models_of_amalthea() {
    is_refused("model", &file("amalthea/trigger-first.amxmi"), |text| read_model("f", text).is_ok());
}

#[test]
fn configurations_and_logs_of_the_examiner() {
    is_refused("log", &file("tx2/concurrent_1st_1.json"), |text| read_log("f", text).is_ok());
    let scenario = "{\"name\": \"n\", \"max_iterations\": 1, \"max_time\": 0, \"benchmarks\": [{\"filename\": \"./bin/timer_spin.so\", \
                    \"log_name\": \"k.json\", \"thread_count\": 512, \"block_count\": 2, \"additional_info\": 1000}]}\n";
    is_refused("configuration", scenario, |text| read_examiner("f", text).is_ok());
}

#[test]
fn traces() {
    let listing = Text::new("k", file("trace/gather.sass").into_bytes()).unwrap();
    let read = |text: &str| {
        let open = |_: &str| Ok(Box::new(Cursor::new(text.as_bytes().to_vec())) as Box<dyn BufRead>);
        trace(&listing, None, &["f".to_owned()], open).is_ok()
    };
    let text = file("trace/kernel-1.traceg");
    // The end of each block; what stands before is refused while the block is read, whatever follows.
    let last = text.trim_end().rfind("#END_TB").unwrap();
    is_refused("trace", &text, |cut| {
        (cut.len() >= last - 100 || cut.len() % 97 == 0 || cut.ends_with('\n')) && read(cut)
    });
}
