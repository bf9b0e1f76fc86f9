//! States as numbers, which are small and quick to look up.

use std::hash::Hash;

/// A state in its shortest form.
pub(super) trait Key: Clone + Ord + Hash {
    /// The form of a state whose numbers have these numbers of bits.
    fn pack(state: &[u32], bits: &[u32]) -> Self;
    /// Writes the state out.
    fn unpack(&self, bits: &[u32], state: &mut [u32]);
    /// The bytes that the form takes outside of itself.
    fn bytes(&self) -> u64;
}

macro_rules! packed {
    ($($integer:ty),*) => {$(
        impl Key for $integer {
            fn pack(state: &[u32], bits: &[u32]) -> Self {
                state.iter().zip(bits).fold(0, |key, (&number, &bits)| (key << bits) | Self::from(number))
            }

            #[expect(clippy::cast_possible_truncation, reason = "the other bits are masked")]
            fn unpack(&self, bits: &[u32], state: &mut [u32]) {
                let mut key = *self;
                for (number, &bits) in state.iter_mut().zip(bits).rev() {
                    *number = (key & ((1 << bits) - 1)) as u32;
                    key >>= bits;
                }
            }

            fn bytes(&self) -> u64 {
                0
            }
        }
    )*};
}
packed!(u64, u128);

impl Key for Box<[u32]> {
    fn pack(state: &[u32], _: &[u32]) -> Self {
        state.into()
    }

    fn unpack(&self, _: &[u32], state: &mut [u32]) {
        state.copy_from_slice(self);
    }

    fn bytes(&self) -> u64 {
        size_of_val::<[u32]>(self) as u64 + 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back() {
        let (state, bits) = ([5, 0, 31, 1, u32::MAX, 7], [3, 1, 5, 1, 32, 22]);
        fn back<K: Key>(state: &[u32], bits: &[u32]) -> Vec<u32> {
            let mut back = vec![9; state.len()];
            K::pack(state, bits).unpack(bits, &mut back);
            back
        }
        assert_eq!(back::<u64>(&state, &bits), state);
        assert_eq!(back::<u128>(&state, &bits), state);
        assert_eq!(back::<Box<[u32]>>(&state, &bits), state);
    }
}
