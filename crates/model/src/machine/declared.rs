//! What a person declares of the traffic of a launch.

use crate::machine::{LINE, Role, SECTOR, Server};

/// The most bytes that a launch moves through a server of the memory, as a person declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// The server.
    pub role: Role,
    /// The bytes of the whole launch.
    pub bytes: u128,
    /// Whether they are known to move in whole lines. If not, each sector may come alone in its line.
    pub in_lines: bool,
    /// What it is asked besides, in its own amounts.
    pub further: u128,
}

impl Declared {
    /// What the server is asked at most, in its own amounts.
    pub fn amount(&self, server: &Server) -> u128 {
        let (size, cost) = if self.in_lines {
            (LINE, server.line)
        } else {
            (SECTOR, server.lone_sector.max(server.line / 4))
        };
        self.bytes.div_ceil(size.into()).saturating_mul(cost.into()).saturating_add(self.further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::Ratio;

    #[test]
    fn lone_sectors_cost_what_a_row_costs() {
        let server = Server { lone_sector: 96, ..Server::simple("DRAM", Ratio::from(32)) };
        let of = |bytes, in_lines| Declared { role: Role::Dram, bytes, in_lines, further: 0 }.amount(&server);
        assert_eq!(of(1280, true), 1280);
        assert_eq!(of(1280, false), 3840);
        // A part of a line moves as a whole one.
        assert_eq!((of(129, true), of(33, false)), (256, 192));
    }
}
