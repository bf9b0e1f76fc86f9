//! What memory instructions of listings ask of the servers behind the multiprocessors.
//!
//! No hit in a cache is taken for granted, so each access goes to L2 and to DRAM. A transaction that is declared or
//! inferred is a whole line. Where the code shows which sectors of which lines an access touches, it is what costs less, these
//! lines or each of these sectors alone. Of an instruction whose pattern is not known each lane may be at another place, a sector
//! that comes alone in its line. What is written makes a line dirty: it is read first, unless it is whole, and
//! written back later, so it counts twice at DRAM. Atomic operations count every lane, whatever is declared, since all
//! lanes may be at one address, and then they are done one after the other.

use warpspan_isa::instruction::Instruction;
use warpspan_isa::memory::prefetched;
use warpspan_isa::row::Moves;
use warpspan_model::machine::{LINE, Machine, Request, Role, SECTOR, Server};

/// The lanes of a warp.
const LANES: u64 = 32;

/// What the accesses of a warp look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// So many lines, of which any part may move.
    Lines(u64),
    /// So many sectors, each alone in its line.
    LoneSectors(u64),
    /// So many sectors, all of which lie in so many lines.
    Sectors {
        /// The sectors.
        sectors: u64,
        /// The lines.
        lines: u64,
    },
}

impl Pattern {
    /// The same with what L2 fetches besides.
    pub(super) fn fetched_by(self, one: &Instruction<'_>) -> Self {
        let Some(bytes) = prefetched(one) else { return self };
        let (sectors, lines) = match self {
            Self::Lines(0) => return self,
            Self::Lines(lines) => (lines.saturating_mul(4), lines),
            Self::LoneSectors(sectors) => (sectors, sectors),
            Self::Sectors { sectors, lines } => (sectors, lines),
        };
        let lines = lines.saturating_mul(bytes.div_ceil(LINE).max(1));
        let sectors = sectors.saturating_mul(bytes.div_ceil(SECTOR).max(1)).min(lines.saturating_mul(4));
        Self::Sectors { sectors, lines }
    }
}

impl Pattern {
    /// What stands behind the name of a letter that moves this.
    pub(super) fn suffix(self, moves: Moves) -> String {
        let name = match moves {
            Moves::Nothing => return "-no-traffic".to_owned(),
            Moves::Atomic => return "-lanes".to_owned(),
            Moves::Load => "-load",
            Moves::Store => "-store",
        };
        match self {
            Self::Lines(_) => name.to_owned(),
            Self::LoneSectors(_) => format!("{name}-sectors"),
            Self::Sectors { sectors, lines } => format!("{name}-{sectors}-of-{lines}"),
        }
    }

    /// What each server of a machine is asked. `own` is what one pass of the letter of the machine asks, which passes
    /// `passes` times: it counts for servers of other roles. A lane holds `words` of 4 bytes.
    pub(super) fn requests(
        self,
        moves: Moves,
        machine: &Machine,
        own: &[Request],
        [passes, words]: [u64; 2],
    ) -> Vec<Request> {
        let of = |(number, server): (usize, &Server)| match server.role() {
            Role::Other => {
                let own = own.get(number).copied().unwrap_or_default();
                Request {
                    amount: own.amount.saturating_mul(passes),
                    displaces: own.displaces.saturating_mul(passes),
                }
            }
            role => self.of_role(moves, server, role, words),
        };
        machine.servers().iter().enumerate().map(of).collect()
    }

    fn of_role(self, moves: Moves, server: &Server, role: Role, words: u64) -> Request {
        // A lane may hold several numbers that are changed one after the other.
        let lanes = LANES.saturating_mul(words);
        let (once, places) = match (moves, self) {
            (Moves::Nothing, _) => return Request::default(),
            (Moves::Atomic, _) => (server.lone_sector.saturating_mul(LANES), LANES),
            (_, Self::Lines(number)) => (server.line.saturating_mul(number), number),
            (_, Self::LoneSectors(number)) => (server.lone_sector.saturating_mul(number), number),
            // A line costs no more than all of it, and no more than each of its sectors alone.
            (_, Self::Sectors { sectors, lines }) => {
                let [of_lines, of_sectors] = [(server.line, lines), (server.lone_sector, sectors)]
                    .map(|(cost, number)| cost.saturating_mul(number));
                (of_lines.min(of_sectors), lines)
            }
        };
        let written = matches!(moves, Moves::Store | Moves::Atomic);
        match role {
            Role::Atomics if moves == Moves::Atomic => Request { amount: lanes, displaces: 0 },
            Role::Dram => Request {
                amount: if written { once.saturating_mul(2) } else { once },
                displaces: server.line.max(server.lone_sector).saturating_mul(places),
            },
            Role::L2 => Request { amount: once, displaces: 0 },
            // As at DRAM, what is written in part may be read first.
            Role::Host => {
                Request { amount: if written { once.saturating_mul(2) } else { once }, displaces: 0 }
            }
            Role::Atomics | Role::Other => Request::default(),
        }
    }
}

/// Whether letters of this name stand for instructions that may move data behind the multiprocessors, however often they pass. Names of
/// letters are the same in either case.
pub fn is_of_memory(name: &str) -> bool {
    let kind = name.split(['.', '-']).next().unwrap_or_default().to_ascii_uppercase();
    matches!(kind.as_str(), "GLOBAL" | "STORE" | "LOCAL" | "TEXTURE" | "ATOMIC" | "LSU" | "L")
}

/// What one pass of a letter of a machine asks whose name is that of memory instructions, and of which a machine file
/// says nothing else: as much as any instruction of one transaction with this letter.
pub fn of_letter(name: &str, servers: &[Server]) -> Vec<Request> {
    let moves = match name.to_ascii_uppercase().as_str() {
        "GLOBAL" | "STORE" | "LOCAL" | "TEXTURE" => Moves::Store,
        "ATOMIC" => Moves::Atomic,
        _ => Moves::Nothing,
    };
    let of = |server: &Server| Pattern::Lines(1).of_role(moves, server, server.role(), 1);
    if moves == Moves::Nothing { vec![] } else { servers.iter().map(of).collect() }
}

#[cfg(test)]
mod tests {
    use num_rational::Ratio;

    use super::*;

    fn servers() -> Vec<Server> {
        let dram = Server { lone_sector: 96, before: 4096, ..Server::simple("DRAM", Ratio::from(100)) };
        let at_once = Server { line: 1, lone_sector: 1, ..Server::simple("ATOMICS", Ratio::from(1)) };
        vec![dram, Server::simple("L2", Ratio::from(512)), at_once]
    }

    /// What is written back of a line that costs more costs more.
    #[test]
    fn lines_that_are_displaced_cost_what_lines_cost() {
        let wide = Server { line: 256, ..servers()[0].clone() };
        let load = Pattern::Lines(2).of_role(Moves::Load, &wide, Role::Dram, 2);
        assert_eq!(load, Request { amount: 512, displaces: 512 });
    }

    fn asked(moves: Moves, pattern: Pattern, passes: u64) -> Vec<[u64; 2]> {
        let of = |server: &Server| pattern.of_role(moves, server, server.role(), passes);
        servers().iter().map(of).map(|request| [request.amount, request.displaces]).collect()
    }

    #[test]
    fn lines_sectors_and_lanes() {
        assert_eq!(asked(Moves::Load, Pattern::Lines(4), 4), [[512, 512], [512, 0], [0, 0]]);
        assert_eq!(asked(Moves::Store, Pattern::Lines(1), 1), [[256, 128], [128, 0], [0, 0]]);
        let sectors = Pattern::LoneSectors(32);
        assert_eq!(asked(Moves::Load, sectors, 32), [[32 * 96, 4096], [1024, 0], [0, 0]]);
        // Whatever is declared, each lane of an atomic operation counts.
        assert_eq!(asked(Moves::Atomic, Pattern::Lines(1), 1), [[2 * 32 * 96, 4096], [1024, 0], [32, 0]]);
        assert_eq!(asked(Moves::Nothing, Pattern::Lines(1), 1), [[0; 2]; 3]);
    }
}
