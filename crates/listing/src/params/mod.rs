//! What the user says of a launch: the values of parameters, and how many threads and blocks there are.
//!
//! | file | is |
//! |---|---|
//! | `launch` | what that means for one entry |
//! | `layout` | the places of parameters in the constant bank of SASS |
//! | `pieces` | what loads of PTX read of the parameters |

mod launch;
mod layout;
mod pieces;

use std::collections::{BTreeMap, BTreeSet};

pub use launch::compiled_for;
pub(crate) use launch::{Launch, has_parameter, parameter_of_word};

/// Values of the parameters of a kernel and the sizes of its launch, by their names.
///
/// A name is that of a parameter of PTX, its place in the list of parameters, counted from 0 (`2` or `param_2`), an address of
/// the constant bank as SASS writes it (`c[0x0][0x160]`), or `blockDim.x`, `gridDim.x` and their like. Of `pointers` no value is
/// given, but what each of them is a multiple of: `*256`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params {
    values: BTreeMap<String, Range>,
    /// The power of two that divides each pointer among the parameters.
    pointers: u32,
    /// Names whose values stay open within their ranges, so that counts are expressions in them.
    symbols: BTreeSet<String>,
    /// Whether the sizes are those of a launch. Who has a launch says itself which block an entry is compiled for.
    of_launch: bool,
}

/// The least and the largest value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: i128,
    /// The largest value.
    pub high: i128,
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { low, high } = self;
        if low == high { write!(f, "{low}") } else { write!(f, "{low}..{high}") }
    }
}

impl Params {
    /// Adds `NAME=N` or `NAME=LEAST..MOST`, which replaces an earlier value of the same name.
    ///
    /// # Errors
    /// If it is not of this form, or the numbers fit into no parameter of 64 bits.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.rsplit_once('=').ok_or("want NAME=N or NAME=LEAST..MOST")?;
        let name = spelled(name);
        if name.is_empty() {
            return Err("no name: want NAME=N or NAME=LEAST..MOST".into());
        }
        let value = value.trim();
        if let Some(multiple) = value.strip_prefix('*') {
            let wrong = || {
                format!("{value:?}: want pointers=*N, where each pointer is a multiple of N, a power of two")
            };
            let multiple: u32 = multiple.trim().parse().map_err(|_| wrong())?;
            if name != "pointers" || !multiple.is_power_of_two() {
                return Err(wrong());
            }
            self.pointers = multiple.trailing_zeros();
            return Ok(());
        }
        let (low, high) = value.split_once("..").unwrap_or((value, value));
        let wrong = || format!("{value:?}: want a whole number of up to 64 bits, or LEAST..MOST");
        let range = Range { low: number(low).ok_or_else(wrong)?, high: number(high).ok_or_else(wrong)? };
        if range.low > range.high {
            return Err(format!("{value:?}: want the lesser number first"));
        }
        if let Some((grid, axis)) = size_of(&name)
            && let most = MOST[usize::from(grid)][axis]
            && !(range.low >= 1 && range.high <= most)
        {
            return Err(format!("{value:?}: want a number from 1 to {most}"));
        }
        self.values.insert(name, range);
        Ok(())
    }

    /// Adds the sizes of a launch.
    ///
    /// # Errors
    /// If one of them has another value already.
    pub fn add_sizes(&mut self, grid: [u64; 3], block: [u64; 3]) -> Result<(), String> {
        for (what, sizes) in [("gridDim", grid), ("blockDim", block)] {
            for (axis, size) in ["x", "y", "z"].into_iter().zip(sizes) {
                let (name, size) = (format!("{what}.{axis}"), i128::from(size));
                let range = Range { low: size, high: size };
                if let Some(other) = self.values.insert(name.clone(), range).filter(|&other| other != range) {
                    return Err(format!("{name} = {other}, but the launch has {size}"));
                }
            }
        }
        self.of_launch = true;
        Ok(())
    }

    /// Adds values of names that have none yet.
    pub(crate) fn extend_unless_given(&mut self, others: Self) {
        for (name, range) in others.values {
            self.values.entry(name).or_insert(range);
        }
        if self.pointers == 0 {
            self.pointers = others.pointers;
        }
    }

    /// The power of two that divides each pointer among the parameters, as the user says.
    pub fn pointers(&self) -> u32 {
        self.pointers
    }

    /// Makes a symbol of a name. Where it has no value yet it has this range, as far as that is one of a size.
    pub(crate) fn open(&mut self, name: &str, range: Range) {
        let range = match size_of(name) {
            Some((grid, axis)) => {
                Range { low: range.low.max(1), high: range.high.min(MOST[usize::from(grid)][axis]) }
            }
            None => range,
        };
        self.values.entry(name.to_owned()).or_insert(range);
        self.symbols.insert(name.to_owned());
    }

    /// The values of a name.
    pub(crate) fn get(&self, name: &str) -> Option<Range> {
        self.values.get(name).copied()
    }

    /// Keeps the values of such names.
    #[doc(hidden)]
    pub fn retain(&mut self, such: impl Fn(&str) -> bool) {
        self.values.retain(|name, _| such(name));
    }

    /// The names, each with its values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Range)> {
        self.values.iter().map(|(name, &range)| (&**name, range))
    }
}

/// A name without the blanks in and around it.
pub(crate) fn spelled(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A number in decimal or hexadecimal digits that fits into 64 bits, with or without a sign.
fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None if digits.starts_with('+') => return None,
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    let value = if negative { -value } else { value };
    (value >= i128::from(i64::MIN)).then_some(value)
}

/// The size of a launch that a name means: whether it is that of the grid, and its axis.
fn size_of(name: &str) -> Option<(bool, usize)> {
    let (what, axis) = name.split_once('.')?;
    let axis = ["x", "y", "z"].into_iter().position(|known| known == axis)?;
    match what {
        "blockDim" => Some((false, axis)),
        "gridDim" => Some((true, axis)),
        _ => None,
    }
}

/// The most threads of a block along each axis, and the most blocks of a grid.
const MOST: [[i128; 3]; 2] = [[1024, 1024, 64], [0x7fff_ffff, 0xffff, 0xffff]];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_write() {
        let mut params = Params::default();
        for text in ["n=1024", " m = -3", "c[0x0][0x160]=0x10", "k=1..8", "blockDim.x=256"] {
            params.add(text).unwrap();
        }
        let values: Vec<String> = params.iter().map(|(name, range)| format!("{name}={range}")).collect();
        assert_eq!(values, ["blockDim.x=256", "c[0x0][0x160]=16", "k=1..8", "m=-3", "n=1024"]);
        for wrong in ["n", "=1", "n=x", "n=5..1", "blockDim.x=0", "gridDim.y=-1", "n=99999999999999999999"] {
            assert!(params.add(wrong).is_err(), "{wrong}");
        }
    }
}
