//! What the servers add to a bound, once more from its formula, and with something left out.

use num_rational::Ratio;
use warpspan::model::machine::{Machine, Request, Server};

use super::oracle::Line;

/// What is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Flaw {
    /// Nothing.
    None,
    /// The whole term.
    Term,
    /// What all warps but the followed one ask.
    OtherWarps,
    /// What the followed warp asks.
    Own,
    /// All servers but that which adds most.
    SmallerServers,
    /// The rate of each server: all amounts are served at the mean rate.
    EachRate,
    /// The fractions of rates, which are rounded up.
    FractionOfRate,
    /// What others ask.
    Others,
    /// What others ask at once.
    Burst,
    /// What others ask while servers keep results waiting.
    OthersMeanwhile,
    /// All pauses.
    Pauses,
    /// The pause that may begin at once.
    FirstPause,
    /// The pauses that were put off.
    Postponed,
    /// What is owed from before.
    Before,
    /// What blocks on other multiprocessors ask.
    OtherMultiprocessors,
}

/// What warps ask of a server, in all and of that the followed one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    pub(crate) all: u64,
    pub(crate) own: u64,
    pub(crate) displaced: u64,
}

/// What groups of warps ask of each server at most, where the lines of each and its warps are given. The first one
/// has the followed warp.
pub(crate) fn asked(machine: &Machine, groups: &[(Vec<Line>, u64)]) -> Vec<Asked> {
    let of = |server: usize| {
        let most = |lines: &[Line], number: &dyn Fn(Request) -> u64| {
            let steps = |line: &Line| line.iter().flatten().cloned().collect::<Vec<_>>();
            let sum = |line| {
                steps(line)
                    .iter()
                    .map(|step| number(machine.letter(step.letter).request(server)))
                    .sum::<u64>()
            };
            lines.iter().map(sum).max().unwrap_or(0)
        };
        let amount = |request: Request| request.amount;
        Asked {
            all: groups.iter().map(|(lines, warps)| warps * most(lines, &amount)).sum(),
            own: groups.first().map_or(0, |(lines, _)| most(lines, &amount)),
            displaced: groups.iter().map(|(lines, warps)| warps * most(lines, &|one| one.displaces)).sum(),
        }
    };
    (0..machine.servers().len()).map(of).collect()
}

/// The bound with what the servers add to `base`, with a flaw: the least window that is long enough.
pub(crate) fn bound(servers: &[Server], asked: &[Asked], base: u64, flaw: Flaw) -> u64 {
    let mut window = base;
    loop {
        let seen = if flaw == Flaw::OthersMeanwhile { base } else { window };
        let next = base + term(servers, asked, seen, window, flaw);
        if next <= window {
            return window;
        }
        window = next;
    }
}

fn term(servers: &[Server], asked: &[Asked], seen: u64, window: u64, flaw: Flaw) -> u64 {
    let amount = |(server, asked): (&Server, &Asked)| {
        let mut amount = Ratio::from(asked.all);
        match flaw {
            Flaw::OtherWarps => amount = asked.own.into(),
            Flaw::Own => amount -= asked.own,
            _ => {}
        }
        if flaw != Flaw::Before {
            amount += asked.displaced.min(server.before);
        }
        if flaw != Flaw::Others {
            let burst = if flaw == Flaw::Burst { 0 } else { server.others.burst };
            amount += server.others.rate * seen + burst;
        }
        amount
    };
    let each = servers.iter().zip(asked);
    let pauses = each.clone().map(|(server, _)| {
        let Some(pauses) = server.pauses else { return 0 };
        let number = window / pauses.every
            + u64::from(flaw != Flaw::FirstPause)
            + if flaw == Flaw::Postponed { 0 } else { pauses.postponed };
        number * pauses.length
    });
    let pauses: u64 = if flaw == Flaw::Pauses { 0 } else { pauses.sum() };
    let rate = |server: &Server| if flaw == Flaw::FractionOfRate { server.rate.ceil() } else { server.rate };
    let waits = each.clone().map(|(server, asked)| (amount((server, asked)) / rate(server)).to_integer());
    match flaw {
        Flaw::Term => 0,
        Flaw::SmallerServers => waits.max().unwrap_or(0) + pauses,
        Flaw::EachRate => {
            let number = servers.len() as u64;
            let rates: Ratio<u64> = servers.iter().map(|server| server.rate).sum();
            let all: Ratio<u64> = each.map(amount).sum();
            (all * number / rates).to_integer() + pauses
        }
        _ => waits.sum::<u64>() + pauses,
    }
}
