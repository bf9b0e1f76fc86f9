//! From the tables of a file to a machine.

use std::collections::BTreeMap;

use crate::input::gpu::megahertz;
use crate::input::machine::tables::{MachineFile, MachineTables};
use crate::input::machine::{Holds, IdlePauses, NamedMachine, Number, Origin};
use crate::input::memory::NamedServer;
use warpspan_model::machine::{Latency, Letter, Machine, MachineError, Request, Unit};
use warpspan_model::source::{InputError, Source, Spanned};

/// Reads a file that holds a machine alone.
///
/// # Errors
/// If it does not; the error gives the first thing that is wrong, with its line.
pub fn read_machine(place: &str, text: &str) -> Result<NamedMachine, InputError> {
    let source = Source { place, text };
    let file: MachineFile = source.toml()?;
    let (table, at) = (file.machine.get_ref(), file.machine.span().start);
    let tables =
        MachineTables { machine: table, units: &file.unit, letters: &file.letter, servers: &file.server };
    let named = named_machine(&source, at, &tables, "")?;
    Ok(NamedMachine { sources: file.sources, ..named })
}

/// The machine of tables, the first of which stands at `at`.
pub(crate) fn named_machine(
    source: &Source<'_>,
    at: usize,
    tables: &MachineTables<'_>,
    name: &str,
) -> Result<NamedMachine, InputError> {
    let &MachineTables { machine: table, units, letters, servers } = tables;
    let memory = servers.iter().map(|server| server.get_ref().named(source));
    let memory = memory.collect::<Result<Vec<(NamedServer, u64)>, InputError>>()?;
    let number = |key, value: &Option<Spanned<i64>>, default| match value {
        Some(value) => source.positive(key, value),
        None => Ok(default),
    };
    let mut all = Vec::new();
    for unit in units {
        let unit = unit.get_ref();
        all.push(Unit {
            name: unit.name.get_ref().clone(),
            instances: number("instances", &unit.instances, 1)?,
            shared: unit.shared,
            occupancy: number("hold", &unit.hold, 1)?,
            latency: latency(source, unit.latency.as_ref(), Latency::ONE)?,
            requests: requests(source, unit.requests.as_ref(), &memory)?,
        });
    }
    let mut further = Vec::new();
    for letter in letters {
        let letter = letter.get_ref();
        let at = all.iter().position(|unit| unit.name.eq_ignore_ascii_case(letter.unit.get_ref()));
        let at = at.ok_or_else(|| {
            let names = all.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>().join(", ");
            let what = format!(
                "unit = {:?}: the machine has no such unit: want one of {names}",
                letter.unit.get_ref()
            );
            source.error(letter.unit.span().start, what)
        })?;
        further.push(Letter {
            name: letter.name.get_ref().clone(),
            unit: at,
            occupancy: number("hold", &letter.hold, all[at].occupancy)?,
            latency: latency(source, letter.latency.as_ref(), all[at].latency)?,
            requests: requests(source, letter.requests.as_ref(), &memory)?,
        });
    }
    // The line of the unit or letter that an error is about, or else that of the machine.
    let line_of = |error: &MachineError| {
        let named = |wanted: &str| {
            let unit = units.iter().map(|unit| &unit.get_ref().name);
            let mut all = unit.chain(letters.iter().map(|letter| &letter.get_ref().name));
            all.rfind(|name| name.get_ref() == wanted).map(|name| name.span().start)
        };
        error.part().and_then(named).unwrap_or(at)
    };
    let schedulers = number("schedulers", &table.schedulers, 1)?;
    let clock = table.clock_mhz.as_ref().map(|value| megahertz(source, "clock_mhz", value));
    let clock = clock.transpose()?;
    let at_clock = |server: &NamedServer| server.at(clock);
    let of_memory =
        || -> Result<Vec<_>, String> { memory.iter().map(|(server, _)| at_clock(server)).collect() };
    let server_line = |name: &str| {
        let named = servers.iter().find(|server| server.get_ref().name.get_ref() == name);
        named.map_or(at, |server| server.span().start)
    };
    let found = Machine::new(schedulers, width(source, &table.issue_width)?, all, further);
    let found = found.map_err(|error| source.error(line_of(&error), &error))?;
    let found = if table.spread.unwrap_or(true) { found } else { found.without_spread() };
    let ptx_stall = table.ptx_stall.as_ref().map(|value| {
        let stall = source.positive("ptx_stall", value)?;
        u32::try_from(stall)
            .map_err(|_| source.error(value.span().start, format!("ptx_stall = {stall}: too large")))
    });
    let found = found.with_ptx_stall(ptx_stall.transpose()?);
    let idle_pauses = table.idle_dram.as_ref().map(|idle| {
        let length = source.positive("pause", &idle.pause)?;
        let every = source.positive("pause_every", &idle.pause_every)?;
        if length >= every {
            let what = format!("idle_dram: a pause of {length} cycles in each {every}: want a shorter one");
            return Err(source.error(idle.pause.span().start, what));
        }
        Ok(IdlePauses { length, every })
    });
    let origin = |sources: &String, assumed: &[Number], asks: bool| Origin {
        sources: sources.clone(),
        assumed: assumed.to_vec(),
        given: Vec::new(),
        asks,
        in_l2: None,
        in_idle_dram: None,
    };
    let of_units = units.iter().map(|unit| {
        let unit = unit.get_ref();
        (unit.name.get_ref().clone(), origin(&unit.sources, &unit.assumed, unit.requests.is_some()))
    });
    let mut of_letters = Vec::new();
    for letter in letters {
        let letter = letter.get_ref();
        let most = |key, most: &Option<Spanned<i64>>| {
            most.as_ref().map(|most| source.positive(key, most)).transpose()
        };
        let origin = origin(&letter.sources, &letter.assumed, letter.requests.is_some());
        let origin = Origin {
            in_l2: most("latency_in_l2", &letter.latency_in_l2)?,
            in_idle_dram: most("latency_in_idle_dram", &letter.latency_in_idle_dram)?,
            ..origin
        };
        of_letters.push((letter.name.get_ref().clone(), origin));
    }
    let named = NamedMachine {
        name: table.name.clone().unwrap_or_else(|| name.to_owned()),
        capability: table.capability.clone(),
        known: false,
        machine: found,
        letters: of_units.chain(of_letters).collect(),
        sources: BTreeMap::new(),
        memory: Vec::new(),
        clock: None,
        preset: None,
        holds: Holds::Nothing,
        idle_pauses: idle_pauses.transpose()?,
        is_idle: false,
    };
    let by_second = of_memory().is_err();
    let memory: Vec<NamedServer> = memory.into_iter().map(|(server, _)| server).collect();
    if memory.is_empty() || by_second {
        // Rates by the second become cycles when the clock is known.
        return Ok(NamedMachine { memory, ..named });
    }
    named
        .with_memory(memory, clock.map(|clock| (clock, false)))
        .map_err(|error| source.error(server_line(error.part().unwrap_or_default()), error))
}

/// What an issue asks of servers, by their numbers.
fn requests(
    source: &Source<'_>,
    given: Option<&Spanned<BTreeMap<String, Spanned<i64>>>>,
    memory: &[(NamedServer, u64)],
) -> Result<Vec<Request>, InputError> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut all = vec![Request::default(); memory.len()];
    for (name, number) in given.get_ref() {
        let at = memory.iter().position(|(server, _)| server.name == *name).ok_or_else(|| {
            let names: Vec<&str> = memory.iter().map(|(server, _)| server.name.as_str()).collect();
            let names = if names.is_empty() { "a [[server]]".to_owned() } else { names.join(", ") };
            source.error(
                given.span().start,
                format!("requests: the machine has no server {name:?}: want {names}"),
            )
        })?;
        let number = source.natural(name, number, 1 << 32)?;
        let (server, bytes) = &memory[at];
        // Nothing is known of where these requests fall, so each may make the server do all that is owed.
        let displaces = if number > 0 { server.before } else { 0 };
        all[at] = Request { amount: number.saturating_mul(*bytes), displaces };
    }
    Ok(all)
}

/// The issue width: a number, or none for `unlimited`.
fn width(source: &Source<'_>, value: &Spanned<toml::Value>) -> Result<Option<u64>, InputError> {
    match value.get_ref() {
        toml::Value::String(text) if text == "unlimited" => Ok(None),
        &toml::Value::Integer(number) if number > 0 => Ok(u64::try_from(number).ok()),
        other => {
            let what = format!("issue_width = {other}: want 1 or more, or \"unlimited\"");
            Err(source.error(value.span().start, what))
        }
    }
}

/// An interval of latency: one number, or the least and the greatest.
fn latency(
    source: &Source<'_>,
    value: Option<&Spanned<toml::Value>>,
    default: Latency,
) -> Result<Latency, InputError> {
    let Some(value) = value else { return Ok(default) };
    let number = |value: &toml::Value| value.as_integer().and_then(|number| u64::try_from(number).ok());
    let both = match value.get_ref() {
        toml::Value::Array(ends) => match &ends[..] {
            [least, most] => number(least).zip(number(most)),
            _ => None,
        },
        one => number(one).map(|one| (one, one)),
    };
    let both = both.filter(|&(least, most)| 1 <= least && least <= most);
    let (least, most) = both.ok_or_else(|| {
        let what = format!("latency = {}: want a number, or [least, most], of 1 or more", value.get_ref());
        source.error(value.span().start, what)
    })?;
    Ok(Latency { least, most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::find_machine;

    const PAIR: &str =
        "[machine]\nissue_width = 2\n[[unit]]\nname = \"L\"\nlatency = [1, 4]\n[[unit]]\nname = \"C\"\n";

    fn wrong(text: &str) -> String {
        read_machine("m.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn every_key() {
        let text =
            format!("{PAIR}[[letter]]\nname = \"G\"\nunit = \"l\"\noccupancy = 4\nassumed = [\"latency\"]\n");
        let named = read_machine("m.toml", &text).unwrap();
        assert_eq!((named.machine.schedulers(), named.machine.width()), (1, Some(2)));
        let g = named.machine.letter(named.machine.find("g").unwrap()).clone();
        assert_eq!((g.unit, g.occupancy, g.latency), (0, 4, Latency { least: 1, most: 4 }));
        assert_eq!(named.letters["G"].assumed, [Number::Latency]);
        let named = named.with_latency("G", Latency { least: 30, most: 800 }).unwrap();
        assert_eq!(named.letters["G"].assumed, []);
        assert_eq!(named.machine.letter(named.machine.find("G").unwrap()).latency.most, 800);
    }

    #[test]
    fn errors_name_the_line() {
        assert!(wrong("[[unit]]\nname = \"L\"\n").contains("missing field `machine`"));
        assert_eq!(wrong("[machine]\nissue_width = 1\n"), "m.toml:1: no unit: want one [[unit]] or more");
        let with = |line: &str| wrong(&format!("{PAIR}{line}\n"));
        assert_eq!(with("instances = 0"), "m.toml:8: instances = 0: want 1 or more");
        assert_eq!(
            with("latency = [5, 2]"),
            "m.toml:8: latency = [5, 2]: want a number, or [least, most], of 1 or more"
        );
        assert_eq!(
            with("latency = 0"),
            "m.toml:8: latency = 0: want a number, or [least, most], of 1 or more"
        );
        assert_eq!(
            with("[[unit]]\nname = \"c\""),
            "m.toml:9: letter c: there are two of this name, in either case: want another name"
        );
        assert_eq!(
            with("[[letter]]\nname = \"G\"\nunit = \"X\""),
            "m.toml:10: unit = \"X\": the machine has no such unit: want one of L, C"
        );
        assert_eq!(
            wrong("[machine]\nissue_width = 0\n[[unit]]\nname = \"L\"\n"),
            "m.toml:2: issue_width = 0: want 1 or more, or \"unlimited\""
        );
        // A rate alone says nothing of the time that a link adds.
        assert_eq!(
            with("[[server]]\nname = \"HOST\"\nrate = \"1000 GB/s\""),
            "m.toml:9: server HOST: a link to memory of the host has a time that it adds to each access: want the rate and the latency of its \
             link, which says both"
        );
        assert!(
            find_machine("no-such").unwrap_err().to_string().starts_with("machine no-such: no such machine")
        );
    }
}
