//! A number for each lane of a warp, and arithmetic modulo a power of two.

/// The lanes of a warp.
pub(super) const LANES: usize = 32;

/// A number for each lane.
pub(super) type Lanes = [i64; LANES];

/// The lanes of a mask.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> + Clone {
    (0..LANES).filter(move |&lane| mask >> lane & 1 == 1)
}

/// The mask of lanes for which something holds.
pub(super) fn mask_of(holds: impl Fn(usize) -> bool) -> u32 {
    (0..LANES).filter(|&lane| holds(lane)).fold(0, |mask, lane| mask | 1 << lane)
}

/// The lower 64 bits of a number.
pub(super) fn low(value: i128) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = value.to_le_bytes();
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// The number with a sign that the lower bits of a value are. There are 1 to 64 of them.
pub(super) fn signed(value: i128, bits: u32) -> i128 {
    let half = 1_i128 << (bits - 1);
    (value + half).rem_euclid(2 * half) - half
}

/// The number without a sign that the lower bits of a value are.
pub(super) fn unsigned(value: i128, bits: u32) -> i128 {
    value.rem_euclid(1 << bits)
}

/// The number that the lower bits of a value are.
pub(super) fn as_type(value: i128, bits: u32, is_signed: bool) -> i128 {
    if is_signed { signed(value, bits) } else { unsigned(value, bits) }
}

/// Which power of two divides a number; 64 for zero.
pub(super) const fn twos(value: i64) -> u32 {
    if value == 0 { 64 } else { value.trailing_zeros() }
}
