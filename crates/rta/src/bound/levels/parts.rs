//! What a wait consists of.

use std::collections::HashMap;

use crate::bound::levels::row::Row;

/// What a wait consists of, kernel by kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::bound) struct Wait {
    /// The number of parts in the multiprocessors: so many make a grain of time.
    pub(in crate::bound) capacity: u128,
    /// How long before the entry of the launch its window begins, in grains: the wait is so much less than its parts.
    pub(in crate::bound) before: u64,
    pub(in crate::bound) parts: Vec<Part>,
    /// Where the part of each kernel is.
    places: HashMap<usize, usize>,
}

/// What a kernel adds to a wait, in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::bound) struct Part {
    pub(in crate::bound) kernel: usize,
    /// The launches that count; `None` if there may be any number.
    pub(in crate::bound) launches: Option<u64>,
    /// What their blocks take while ours wait.
    pub(in crate::bound) ahead: u128,
    /// What blocks take that were there when the window, or the wait, began.
    pub(in crate::bound) resident: u128,
    /// What stays free after a launch has come to the head of its queue.
    pub(in crate::bound) lost: u128,
    /// Whether less counts than the blocks would take, since one launch of a stream at a time is on the multiprocessors.
    pub(in crate::bound) limited: bool,
}

impl Wait {
    pub(super) fn new(capacity: u128, before: u64) -> Self {
        Self { capacity, before, parts: Vec::new(), places: HashMap::new() }
    }

    /// The part of a kernel.
    pub(super) fn of(&mut self, kernel: usize) -> &mut Part {
        let at = *self.places.entry(kernel).or_insert(self.parts.len());
        if at == self.parts.len() {
            self.parts.push(Part { kernel, launches: Some(0), ..Part::default() });
        }
        &mut self.parts[at]
    }

    /// Limits what the blocks of each stream take to what one launch at a time can take until v.
    pub(super) fn share_streams(&mut self, rows: &[Row], fill: &[u128], v: u64) {
        let mut at = 0;
        while at < rows.len() {
            let of_stream: Vec<usize> =
                (at..rows.len()).take_while(|&other| rows[other].stream == rows[at].stream).collect();
            at += of_stream.len();
            let most = of_stream.iter().map(|&at| fill[at]).max().unwrap_or(0).saturating_mul(v.into());
            let kernels: Vec<usize> = of_stream.iter().map(|&at| rows[at].kernel).collect();
            let all = kernels.iter().map(|&kernel| self.of(kernel).ahead).fold(0, u128::saturating_add);
            if most < all {
                for kernel in kernels {
                    let part = self.of(kernel);
                    part.ahead = share(part.ahead, most, all);
                    part.limited = true;
                }
            }
        }
    }
}

/// a b / c, where b < c, rounded down.
pub(super) fn share(a: u128, b: u128, c: u128) -> u128 {
    a.checked_mul(b).map_or_else(|| a / c * b, |product| product / c)
}
