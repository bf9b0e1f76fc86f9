//! The memory term: for how many cycles the servers behind the multiprocessors may keep a launch waiting.
//!
//! Let Q_j be what is asked of server j in a window, by all warps of all multiprocessors, and beta_j its rate. A cycle
//! in which a result is late because of server j is one in which that server works at its full rate, and there are
//! at most `floor(Q_j / beta_j)` of them. So each bound that counts cycles of issue, of latency and of waiting for
//! others holds with
//!
//! ```text
//! S = sum over the servers j of floor(Q_j / beta_j)
//! ```
//!
//! added once, to the whole bound. Where others ask something too, at most b + r R in a window of R cycles, or where a
//! server pauses for p cycles in every I, up to k of which are put off, the bound is an R with
//!
//! ```text
//! R >= bound without memory + sum over j of (floor((Q_j + b_j + r_j R) / beta_j) + (floor(R / I_j) + 1 + k_j) p_j)
//! ```
//!
//! because as long as the launch is not over, the cycles so far are fewer than the right-hand side for them.
//! `docs/servers.md` has the statements and the proofs. Bounds that need to know when latencies end (Theorems 2 and 3
//! of `docs/machines.md`) do not hold with memory.

use num_rational::Ratio;

use crate::latency::LatencyError;
use crate::latency::error::{plus, times};
use crate::latency::most::along;
use warpspan_model::machine::{Declared, Machine, MachineWorkload, Server, Step};
use warpspan_model::program::Piece;

/// What is asked of each server in a window, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traffic(Vec<Asked>);

/// What is asked of one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Asked {
    amount: i128,
    /// The most that the requests trigger of the work that the server owes from before.
    displaced: i128,
}

impl Traffic {
    /// The most that so many warps ask that run this code: for each server the most along any path.
    ///
    /// # Errors
    /// If the code is no valid program, or numbers do not fit.
    pub fn of(machine: &Machine, code: &Piece<Step>, warps: u128) -> Result<Self, LatencyError> {
        let warps = i128::try_from(warps).map_err(|_| LatencyError::Overflow)?;
        let asked = |(number, server): (usize, &Server)| {
            let letter = |step: &Step| machine.letter(step.letter).request(number);
            let amount = times(along(code, &|step| letter(step).amount.into())?, warps)?;
            let displaces = machine.letters().iter().any(|letter| letter.request(number).displaces > 0);
            let displaced = if displaces { along(code, &|step| letter(step).displaces.into())? } else { 0 };
            let displaced = times(displaced, warps)?;
            Ok(Asked { amount, displaced: displaced.min(server.before.into()) })
        };
        machine.servers().iter().enumerate().map(asked).collect::<Result<_, _>>().map(Self)
    }

    /// The most that all warps of a workload ask.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_workload(workload: &MachineWorkload) -> Result<Self, LatencyError> {
        let mut all = Self::default();
        for group in workload.groups() {
            all.add(&Self::of(workload.machine(), &group.code, group.warps.into())?)?;
        }
        Ok(all)
    }

    /// Adds what others ask in the same window.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn add(&mut self, other: &Self) -> Result<(), LatencyError> {
        self.add_times(other, 1)
    }

    /// Adds what so many launches ask in the same window, each of which asks as much.
    ///
    /// # Errors
    /// If numbers do not fit.
    pub fn add_times(&mut self, other: &Self, launches: u64) -> Result<(), LatencyError> {
        let launches = i128::from(launches);
        self.0.resize(self.0.len().max(other.0.len()), Asked::default());
        for (sum, one) in self.0.iter_mut().zip(&other.0) {
            sum.amount = plus(sum.amount, times(one.amount, launches)?)?;
            sum.displaced = plus(sum.displaced, times(one.displaced, launches)?)?;
        }
        Ok(())
    }

    /// These amounts, by the numbers of the servers, each with what it triggers of the work that the server owes from
    /// before.
    pub fn given(amounts: impl IntoIterator<Item = [u128; 2]>) -> Self {
        let most = |amount| i128::try_from(amount).unwrap_or(i128::MAX);
        let asked = |of: [u128; 2]| Asked { amount: most(of[0]), displaced: most(of[1]) };
        Self(amounts.into_iter().map(asked).collect())
    }

    /// The same where at most so much is asked of a server, what is owed from before included.
    pub fn at_most(mut self, server: usize, amount: u128) -> Self {
        if let Some(asked) = self.0.get_mut(server) {
            let most = i128::try_from(amount).unwrap_or(i128::MAX);
            if asked.amount.saturating_add(asked.displaced) > most {
                *asked = Asked { amount: most, displaced: 0 };
            }
        }
        self
    }

    /// The same where something is asked of each server for whose [pauses](warpspan_model::machine::Pauses::of_all) all launches wait.
    pub fn with_pauses(mut self, machine: &Machine) -> Self {
        for (asked, server) in self.0.iter_mut().zip(machine.servers()) {
            if server.pauses.is_some_and(|pauses| pauses.of_all) {
                asked.amount = asked.amount.max(1);
            }
        }
        self
    }

    /// The most that so many warps ask that run this code: what the code asks, or less where that is declared.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_launch(
        machine: &Machine,
        code: &Piece<Step>,
        warps: u128,
        declared: &[Declared],
    ) -> Result<Self, LatencyError> {
        Ok(Self::of(machine, code, warps)?.declared(machine, declared))
    }

    /// What is asked, or less where that is declared.
    pub fn declared(self, machine: &Machine, declared: &[Declared]) -> Self {
        let most = |traffic: Self, declared: &Declared| match machine.server(declared.role) {
            Some(server) => traffic.at_most(server, declared.amount(&machine.servers()[server])),
            None => traffic,
        };
        declared.iter().fold(self, most)
    }

    /// Whether no server gets a request.
    pub fn is_none(&self) -> bool {
        self.0.iter().all(|asked| asked.amount == 0 && asked.displaced == 0)
    }

    /// What is asked of a server, with what it owes from before at most.
    pub fn amount(&self, machine: &Machine, server: usize) -> i128 {
        let before = machine.servers().get(server).map_or(0, |server| i128::from(server.before));
        self.0.get(server).map_or(0, |asked| asked.amount.saturating_add(asked.displaced.min(before)))
    }
}

/// A window of cycles that is as long as a bound without memory and all that servers add.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    /// Its cycles.
    pub cycles: i128,
    /// For how many of them each server may keep results waiting, by their numbers, pauses included.
    pub servers: Vec<i128>,
}

impl Window {
    /// The cycles that servers add.
    pub fn stalled(&self) -> i128 {
        self.servers.iter().sum()
    }
}

/// The window in which a launch ends that would take at most `base` cycles if no server kept it waiting, and in which
/// this is asked of the servers: the shortest of Theorem W in docs/servers.md, unless servers have so little left that it takes too many steps.
///
/// # Errors
/// If numbers do not fit.
pub fn window(machine: &Machine, traffic: &Traffic, base: i128) -> Result<Window, LatencyError> {
    let servers = machine.servers();
    if traffic.is_none() {
        return Ok(Window { cycles: base, servers: vec![0; servers.len()] });
    }
    let asked: Vec<i128> = (0..servers.len()).map(|server| traffic.amount(machine, server)).collect();
    let after = |cycles: i128| -> Result<Window, LatencyError> {
        let servers = stalls(machine, traffic, cycles)?;
        let cycles = servers.iter().try_fold(base, |sum, &more| plus(sum, more))?;
        Ok(Window { cycles, servers })
    };
    // From one that is too short on, the first that is long enough is the shortest.
    let mut found = after(base)?;
    for _ in 0..MOST_ROUNDS {
        let next = after(found.cycles)?;
        if next.cycles == found.cycles {
            return Ok(next);
        }
        found = next;
    }
    // Servers that have little left take more steps. From a window that is long enough on, a shorter one that is long enough too is looked for.
    let mut found = after(enough(servers, &asked, base)?)?;
    for _ in 0..MOST_ROUNDS {
        let next = after(found.cycles)?;
        if next.cycles >= found.cycles {
            break;
        }
        found = next;
    }
    // The last window was computed for a longer one, so its parts are no less than its own.
    Ok(found)
}

/// For how many cycles of a window of so many each server keeps results waiting at most, by their numbers, pauses
/// included.
///
/// # Errors
/// If numbers do not fit.
pub fn stalls(machine: &Machine, traffic: &Traffic, cycles: i128) -> Result<Vec<i128>, LatencyError> {
    let servers = machine.servers();
    if traffic.is_none() {
        return Ok(vec![0; servers.len()]);
    }
    let of = |(number, server): (usize, &Server)| stalled(server, traffic.amount(machine, number), cycles);
    servers.iter().enumerate().map(of).collect()
}

/// How often a window is made longer, or else shorter.
const MOST_ROUNDS: usize = 64;

/// The most cycles of a window for which a server keeps results waiting of which so much is asked.
fn stalled(server: &Server, asked: i128, cycles: i128) -> Result<i128, LatencyError> {
    let ratio = |ratio: Ratio<u64>| [i128::from(*ratio.numer()), i128::from(*ratio.denom())];
    let [rate, per] = ratio(server.rate);
    let [others, of] = ratio(server.others.rate);
    if asked == 0 && others == 0 && server.others.burst == 0 {
        return Ok(0); // Nothing waits there that a pause could keep waiting.
    }
    let mut amount = asked;
    if others > 0 || server.others.burst > 0 {
        let more = times(cycles, others)?.div_euclid(of);
        amount = plus(plus(amount, server.others.burst.into())?, plus(more, i128::from(others > 0))?)?;
    }
    let waits = times(amount, per)?.div_euclid(rate);
    let Some(pauses) = server.pauses else { return Ok(waits) };
    let number = plus(cycles / i128::from(pauses.every), 1 + i128::from(pauses.postponed))?;
    plus(waits, times(number, pauses.length)?)
}

/// A number of cycles for which all that servers add to `base` is no more: that of the line above the steps.
fn enough(servers: &[Server], asked: &[i128], base: i128) -> Result<i128, LatencyError> {
    type Number = Ratio<i128>;
    use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
    let number = |ratio: Ratio<u64>| Number::new((*ratio.numer()).into(), (*ratio.denom()).into());
    let overflow = || LatencyError::Overflow;
    let mut sum = Number::from(plus(base, 1)?);
    let mut rest = Number::from(1);
    for (server, &asked) in servers.iter().zip(asked) {
        let more = i128::from(server.others.burst) + i128::from(*server.others.rate.numer() > 0);
        let waits =
            Number::from(plus(asked, more)?).checked_div(&number(server.rate)).ok_or_else(overflow)?;
        sum = sum.checked_add(&waits.ceil()).ok_or_else(overflow)?;
        let share = number(server.others.rate).checked_div(&number(server.rate)).ok_or_else(overflow)?;
        rest = rest.checked_sub(&share).ok_or_else(overflow)?;
        if let Some(pauses) = server.pauses {
            let length = Number::from(i128::from(pauses.length));
            let first = length.checked_mul(&Number::from(1 + i128::from(pauses.postponed)));
            sum = sum.checked_add(&first.ok_or_else(overflow)?).ok_or_else(overflow)?;
            let share = length / i128::from(pauses.every);
            rest = rest.checked_sub(&share).ok_or_else(overflow)?;
        }
    }
    if rest <= Number::from(0) {
        return Err(LatencyError::Starved);
    }
    let cycles = sum.checked_div(&rest).ok_or_else(overflow)?;
    Ok(cycles.ceil().to_integer())
}
