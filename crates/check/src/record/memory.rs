//! What the memory that all multiprocessors share adds to a bound, by a simple computation of its own.

use warpspan_model::Cycles;
use warpspan_model::machine::{MachineWorkload, Server, Step};

/// A bound without memory, with all that the servers add. Starting from the bound, the window grows for as long as the
/// servers need more for it; it is none if it does not fit or does not end within a million steps.
pub(super) fn late(workload: &MachineWorkload, lines: &[Vec<Step>], bound: Cycles) -> Option<Cycles> {
    let servers = workload.machine().servers();
    let mut asked = Vec::with_capacity(servers.len());
    for number in 0..servers.len() {
        asked.push(all_asked(workload, lines, number)?);
    }
    if asked.iter().all(|amount| *amount == 0) {
        return Some(bound);
    }
    let mut window = bound.0;
    for _ in 0..1_000_000 {
        let mut next = u128::from(bound.0);
        for (server, &asked) in servers.iter().zip(&asked) {
            next = next.checked_add(needed(server, asked, window.into())?)?;
        }
        let next = u64::try_from(next).ok()?;
        if next == window {
            return Some(Cycles(window));
        }
        window = next;
    }
    None
}

/// What all warps ask of a server, with what they make it do of what it owes from before.
fn all_asked(workload: &MachineWorkload, lines: &[Vec<Step>], number: usize) -> Option<u128> {
    let (mut amount, mut displaced) = (0_u128, 0_u128);
    for (line, group) in lines.iter().zip(workload.groups()) {
        for step in line {
            let request = workload.machine().letter(step.letter).request(number);
            let warps = u128::from(group.warps);
            amount = amount.checked_add(warps.checked_mul(request.amount.into())?)?;
            displaced = displaced.checked_add(warps.checked_mul(request.displaces.into())?)?;
        }
    }
    amount.checked_add(displaced.min(workload.machine().servers()[number].before.into()))
}

/// The cycles that a server needs in a window: for what is asked, for what others ask, and for its pauses.
fn needed(server: &Server, asked: u128, window: u128) -> Option<u128> {
    let others = server.others;
    let mut amount = asked.checked_add(others.burst.into())?;
    if *others.rate.numer() > 0 {
        let more = window.checked_mul((*others.rate.numer()).into())? / u128::from(*others.rate.denom());
        amount = amount.checked_add(more + 1)?;
    }
    let cycles = amount.checked_mul((*server.rate.denom()).into())? / u128::from(*server.rate.numer());
    match server.pauses {
        None => Some(cycles),
        Some(pauses) => {
            let number = window / u128::from(pauses.every) + 1 + u128::from(pauses.postponed);
            cycles.checked_add(number.checked_mul(pauses.length.into())?)
        }
    }
}
