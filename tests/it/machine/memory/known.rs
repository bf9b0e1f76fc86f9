//! Small cases of servers that were found by hand, and what holds of each account and of each window.

use std::sync::Arc;

use num_rational::Ratio;
use warpspan::engines::latency::{account, bounds};
use warpspan::engines::phase::Rational;
use warpspan::model::machine::{Machine, MachineGroup, MachineWorkload, Pauses, Request, Server, Unit};

use super::flaws::{Flaw, bound};
use super::pauses::most_paused;
use super::workloads::worst;
use super::{asked_of, text};

/// The parts of the account are its bound, the servers' among them.
pub(super) fn adds_up(workload: &MachineWorkload) {
    let found = account(workload).unwrap();
    let mut sum = found.overlap + found.several_paths + found.rounding;
    let mut memory = Rational::from(0);
    for parts in found.places.values() {
        sum += parts.sum().unwrap();
        memory += parts.memory;
    }
    assert_eq!(sum, Rational::from(i128::from(found.bound.cycles().0)), "{}", text(workload));
    let servers = Rational::from(found.servers.iter().sum::<i128>());
    assert!(memory <= servers, "{}", text(workload));
    assert!(found.rounding <= Rational::from(0), "{:?}:\n{}", found.rounding, text(workload));
}

/// A slow server beside a fast one keeps a result for longer than the mean of their rates says.
#[test]
fn each_server_has_its_rate() {
    let asked = [1, 0].map(|amount| Request { amount, displaces: 0 }).to_vec();
    let load = Unit { requests: asked, ..Unit::simple("L") };
    let servers = vec![Server::simple("DRAM", Ratio::new(1, 2)), Server::simple("L2", 2.into())];
    let machine = Machine::new(1, Some(1), vec![load], vec![]).unwrap().with_servers(servers).unwrap();
    let code = machine.code("LL").unwrap();
    let workload = MachineWorkload::new(Arc::new(machine), vec![MachineGroup { code, warps: 1 }]).unwrap();
    // The first result is two cycles late.
    assert_eq!(worst(&workload, false).unwrap(), vec![[4, 6]]);
    let (servers, asked) = (workload.machine().servers(), asked_of(&workload, 0));
    assert_eq!(bound(servers, &asked, 2, Flaw::EachRate), 3);
    assert_eq!(bounds(&workload).unwrap().makespan.cycles().0, 6);
}

/// A server of which nothing is asked adds no pause: nothing waits there. What pauses of the other one add is in the account.
#[test]
fn the_account_of_two_servers_is_whole() {
    let asks =
        |server: usize| (0..=server).map(move |at| Request { amount: u64::from(at == server), displaces: 0 });
    let load = Unit { requests: asks(0).collect(), ..Unit::simple("L") };
    let pauses = Some(Pauses { length: 2, every: 9, postponed: 1, of_all: false });
    let others = Server { pauses, ..Server::simple("L2", 1.into()) };
    let servers = vec![Server { pauses, ..Server::simple("DRAM", 1.into()) }, others];
    let machine = Machine::new(1, None, vec![load], vec![]).unwrap().with_servers(servers).unwrap();
    let code = machine.code("LL").unwrap();
    let workload = MachineWorkload::new(Arc::new(machine), vec![MachineGroup { code, warps: 2 }]).unwrap();
    adds_up(&workload);
    // Two letters of one warp and the two of the other one, 4 amounts, and two pauses of 2 cycles, then one more.
    assert_eq!(account(&workload).unwrap().bound.cycles().0, 2 + 2 + 4 + 3 * 2);
}

#[test]
fn no_window_has_more_pauses() {
    for (length, every) in [(1, 2), (1, 3), (2, 3), (2, 5), (3, 4), (3, 7)] {
        for postponed in 0..4 {
            let pauses = Pauses { length, every, postponed, of_all: false };
            let most = |cycles: u64| (cycles / every + 1 + postponed) * length;
            let exact = (0..40).filter(|&cycles| {
                let paused = most_paused(pauses, cycles);
                assert!(paused <= most(cycles), "{paused} of {cycles} cycles: {pauses:?}");
                paused == most(cycles)
            });
            assert!(exact.count() > 0, "{pauses:?}");
        }
    }
}
