//! What numbers rest on that depend on the memory that all multiprocessors share.

use crate::input::memory::flags::BURST;
use crate::input::memory::host::has_host;
use crate::input::memory::server::HOST;
use crate::input::memory::{NamedServer, Rate};
use warpspan_model::assumption::{Assumption, Id};
use warpspan_model::source::Remedy;
use warpspan_model::time::decimal;

/// What is declared or assumed of a server: the least rate at which it serves while requests wait.
fn of_server(server: &NamedServer) -> Assumption {
    let NamedServer { name, sources, .. } = server;
    let rate = if server.given { exact(server.rate) } else { server.rate.text() };
    let (id, rate) = match (name.as_str(), server.rate) {
        ("DRAM", _) => (Id::DramRate, format!("{rate} in lines")),
        (HOST, _) => (Id::MemoryHost, format!("{rate} in lines")),
        ("ATOMICS", Rate::PerCycle(_)) => (Id::ServerRate, rate.replace(" B/cycle", " a cycle")),
        _ => (Id::ServerRate, rate),
    };
    // What a user gives has no other source, but the rates of a link and of what goes over it have its time.
    let is_plain = sources.is_empty() || server.given && name == "DRAM";
    let value = if is_plain { rate } else { format!("{rate} ({sources})") };
    let said = match server.assumed {
        _ if server.given => Assumption::declared(id, name, value),
        true => Assumption::assumed(id, name, value),
        false => Assumption::sourced(id, name, value, sources),
    };
    if id == Id::DramRate && !server.given { said.unless(Remedy::Dram) } else { said }
}

/// A rate as a person gave it, to the byte.
fn exact(rate: Rate) -> String {
    match rate {
        Rate::PerSecond(bytes) => format!("{} GB/s", decimal::write(bytes, 9)),
        Rate::PerCycle(_) => rate.text(),
    }
}

/// What numbers rest on that depend on servers of this memory, by their places: those that are needed.
pub fn of_memory<'m>(
    memory: &'m [NamedServer],
    needs: &'m dyn Fn(usize) -> bool,
) -> impl Iterator<Item = Assumption> + 'm {
    let needed = memory.iter().enumerate().filter(|(place, _)| needs(*place)).map(|(_, server)| server);
    needed.flat_map(|server| {
        let is_dram = server.name == "DRAM";
        let spread = (is_dram && server.lone_sector < server.line).then(|| {
            Assumption::assumed(Id::DramSpread, "addresses", "spread over channels and banks of the DRAM")
                .unless(Remedy::Dram)
        });
        // Where its pauses are those of an idle one, somebody declares that there are none.
        let is_idle = server.pauses.is_some_and(|pauses| pauses.of_all);
        let others = (is_dram && !is_idle).then(|| match server.others {
            Some((rate, burst)) => {
                let at_once = (burst != BURST).then(|| format!(", and {burst} bytes at once"));
                let value = format!("at most {}{}", exact(rate), at_once.unwrap_or_default());
                Assumption::declared(Id::DramOthers, "others on the DRAM", value)
            }
            None => {
                Assumption::assumed(Id::DramOthers, "others on the DRAM", "none, such as the cores of a CPU")
                    .unless(Remedy::Dram)
            }
        });
        [of_server(server)].into_iter().chain(server.declared.iter().cloned()).chain(spread).chain(others)
    })
}

/// Where the pointers of code may be to that reaches this memory.
pub fn of_pointers(memory: &[NamedServer]) -> Assumption {
    let driver = "and no pages that the driver moves (managed memory)";
    if has_host(memory) {
        let value = format!("to memory of this GPU or of the host: none to that of another GPU, {driver}");
        return Assumption::assumed(Id::MemoryDevice, "pointers", value);
    }
    let value = format!("all to memory of the GPU: none to that of the host or of another GPU, {driver}");
    Assumption::assumed(Id::MemoryDevice, "pointers", value).unless(Remedy::HostMemory)
}
