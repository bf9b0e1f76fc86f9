//! Sets of sectors, so small that those of a launch fit: a word of bits for each KiB of which something is touched, and pages of them.

use std::collections::HashMap;

use warpspan_model::machine::SECTOR;

/// The sectors of a page, a bit each.
const WORDS: usize = 32;
const SECTORS: u64 = WORDS as u64 * 64;

/// Different sectors of 32 bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Sectors(HashMap<u64, Box<[u64; WORDS]>>);

impl Sectors {
    /// Adds those of some bytes from an address on.
    pub(super) fn add(&mut self, address: i64, bytes: u32) {
        let first = address.unsigned_abs();
        let last = first + u64::from(bytes.max(1)) - 1;
        for sector in first / SECTOR..=last / SECTOR {
            let page = self.0.entry(sector / SECTORS).or_insert_with(|| Box::new([0; WORDS]));
            let at = sector % SECTORS;
            page[usize::try_from(at / 64).unwrap_or(0)] |= 1 << (at % 64);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// How many sectors there are, and in how many lines of 128 bytes.
    pub(super) fn count(&self) -> [u64; 2] {
        let words = || self.0.values().flat_map(|page| page.iter());
        let lines = |word: &u64| {
            let either = word | word >> 1;
            let of_four = (either | either >> 2) & 0x1111_1111_1111_1111;
            u64::from(of_four.count_ones())
        };
        [words().map(|word| u64::from(word.count_ones())).sum(), words().map(lines).sum()]
    }
}
