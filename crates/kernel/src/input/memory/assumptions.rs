//! The assumptions of numbers that rest on the memory that all multiprocessors share.

use crate::input::memory::NamedServer;
use warpspan_model::source::{Message, Remedy};
use warpspan_model::time::Clock;

/// What is assumed of the memory, in a sentence; none where nothing is known of it. Rates by the second count at a
/// clock, which may be assumed.
pub(crate) fn says(memory: &[NamedServer], clock: Option<(Clock, bool)>) -> Option<Message> {
    let rate = |server: &NamedServer| {
        let from = if server.sources.is_empty() { String::new() } else { format!(" ({})", server.sources) };
        let rate = server.rate.text();
        let rate = if server.name == "ATOMICS" {
            rate.replace(" B/cycle", " a cycle").replace(" B in", " in")
        } else {
            rate
        };
        format!("{} {rate}{from}", server.name)
    };
    let rates: Vec<String> = memory.iter().map(rate).collect();
    let dram = memory.iter().find(|server| server.name == "DRAM");
    let at_clock = clock.filter(|(_, assumed)| *assumed);
    let at_clock = at_clock.map(|(clock, _)| format!("a clock of {} MHz", clock.megahertz()));
    let one_bank = dram.is_none_or(|dram| dram.lone_sector >= dram.line);
    let spread = (!one_bank).then(|| "addresses spread over channels and banks".to_owned());
    let others = dram.is_some_and(|dram| dram.others.is_none());
    let others = others.then(|| "nobody else on the DRAM, such as the cores of a CPU".to_owned());
    let also: Vec<String> = at_clock.into_iter().chain(spread).chain(others).collect();
    let also = if also.is_empty() { String::new() } else { format!("; {}", also.join("; ")) };
    let all = rates.join(", ");
    let what = format!("assumes that whenever requests wait at least so much is served: {all}{also}");
    let message = Message::text(what);
    let message = match dram {
        Some(_) => message.then("; want ").remedy(Remedy::Dram).then(" if you know better"),
        None => message,
    };
    (!rates.is_empty()).then_some(message)
}
