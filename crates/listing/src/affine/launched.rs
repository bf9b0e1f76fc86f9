//! What a warp knows of its launch: the indexes of its threads and blocks, sizes and parameters.

use crate::affine::atom::{Atom, Key};
use crate::affine::context::{Context, limits};
use crate::affine::form::Form;
use crate::affine::lanes::{LANES, Lanes};
use crate::interval::Interval;
use crate::params::Launch;

/// The threads of a warp.
#[derive(Debug, Clone)]
pub(super) struct Warp {
    /// The indexes of the threads in their block along each axis, where they are known.
    pub(super) threads: [Option<Lanes>; 3],
    /// The lanes that have a thread.
    pub(super) mask: u32,
}

/// The warps of a block, as far as its sizes are known; none if it is not known which threads form a warp.
pub(super) fn warps(launch: &Launch) -> Option<Vec<Warp>> {
    let sizes: Vec<Option<i64>> =
        (0..3).map(|axis| launch.size(false, axis).only().and_then(|size| size.try_into().ok())).collect();
    // Where the threads of the first axes are whole warps, the others only say which of them it is.
    let mut known = 1_i64;
    let mut axes = 0;
    for size in sizes.iter().map_while(|size| *size) {
        known = known.checked_mul(size)?;
        axes += 1;
    }
    if axes < 3 && (axes == 0 || known % 32 != 0) || !(1..=1024).contains(&known) {
        return None;
    }
    let lanes = i64::try_from(LANES).ok()?;
    let warp = |first: i64| {
        let mut mask = 0;
        let mut threads = [None; 3];
        for (axis, thread) in threads.iter_mut().enumerate().take(axes) {
            let before: i64 = sizes[..axis].iter().flatten().product();
            let mut table = [0; LANES];
            for (lane, own) in (0..).zip(table.iter_mut()) {
                let number = (first + lane).min(known - 1);
                mask |= u32::from(first + lane < known) << lane;
                *own = number / before % sizes[axis].unwrap_or(1);
            }
            *thread = Some(table);
        }
        Warp { threads, mask }
    };
    Some((0..(known + lanes - 1) / lanes).map(|number| warp(lanes * number)).collect())
}

impl Context {
    /// The index of threads in their block along an axis.
    pub(super) fn thread(&mut self, warp: &Warp, launch: &Launch, axis: usize) -> Form {
        match warp.threads[axis] {
            Some(table) => Form::lanes(table),
            None => self.unknown(Key::Index { grid: false, axis }, launch.index(false, axis)),
        }
    }

    /// The index of the block in the grid along an axis.
    pub(super) fn block_index(&mut self, launch: &Launch, axis: usize) -> Form {
        self.unknown(Key::Index { grid: true, axis }, launch.index(true, axis))
    }

    /// How many threads or blocks there are along an axis.
    pub(super) fn size(&mut self, launch: &Launch, grid: bool, axis: usize) -> Form {
        self.unknown(Key::Size { grid, axis }, launch.size(grid, axis))
    }

    /// A number in a range that is the same for the whole launch.
    pub(super) fn unknown(&mut self, key: Key, range: Interval) -> Form {
        if range.low == range.high {
            return Form::number(range.low);
        }
        let atom = Atom { low: range.low, high: range.high, twos: 0, changes: 0, of_lane: None };
        Form::atom(self.atoms.make(key, atom))
    }

    /// A parameter of so many bits.
    pub(super) fn parameter(&mut self, number: usize, known: Option<Interval>, bits: u32) -> Form {
        let (least, end) = limits(bits, bits >= 32);
        let any = Interval::new(least, end - 1);
        self.unknown(Key::Parameter(number), known.unwrap_or(any))
    }
}
