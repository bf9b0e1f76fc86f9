//! Reading a kernel string: letters, counts, brackets.

use std::str::FromStr;

use thiserror::Error;

use crate::model::{Kernel, MAX_KERNEL_LENGTH, Unit};

/// Why a text is not a kernel string. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KernelError {
    /// No instruction at all.
    #[error("the kernel is empty: want at least one L or C")]
    Empty,
    /// A character that means nothing here.
    #[error(
        "character {position} is '{found}': want L, C, '|', a count after a letter or a bracket, or brackets"
    )]
    Unexpected {
        /// Where, from 1.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// A bracket without its partner.
    #[error("the bracket at character {0} has no partner")]
    Bracket(usize),
    /// A count of zero.
    #[error("the count at character {0} is zero: want 1 or more")]
    ZeroCount(usize),
    /// Too many instructions.
    #[error("more than {MAX_KERNEL_LENGTH} instructions at character {0}: shorten the kernel or its counts")]
    TooLong(usize),
}

impl FromStr for Kernel {
    type Err = KernelError;

    /// Reads L and C in either case, `|` for a barrier, counts after a letter or a bracket, nested brackets; spaces and
    /// `_` are ignored.
    fn from_str(text: &str) -> Result<Self, KernelError> {
        let mut items: Vec<Option<Unit>> = Vec::new(); // `None` is a barrier
        let mut open: Vec<(usize, usize)> = Vec::new(); // position of '(' and length before it
        let mut last: Option<usize> = None; // where the item that a count would repeat begins in `items`
        let mut characters = text.chars().enumerate().map(|(at, c)| (at + 1, c)).peekable();
        while let Some((position, found)) = characters.next() {
            match found {
                _ if found.is_whitespace() || found == '_' => {}
                '(' => {
                    open.push((position, items.len()));
                    last = None;
                }
                ')' => {
                    let (_, start) = open.pop().ok_or(KernelError::Bracket(position))?;
                    last = Some(start);
                }
                '0'..='9' => {
                    let start = last.take().ok_or(KernelError::Unexpected { position, found })?;
                    let mut digits = String::from(found);
                    while let Some((_, digit)) = characters.next_if(|(_, c)| c.is_ascii_digit()) {
                        digits.push(digit);
                    }
                    let count: usize = digits.parse().map_err(|_| KernelError::TooLong(position))?;
                    repeat_tail(&mut items, start, count, position)?;
                }
                '|' => {
                    items.push(None);
                    last = None;
                }
                _ => {
                    let unit = Unit::from_letter(found).ok_or(KernelError::Unexpected { position, found })?;
                    last = Some(items.len());
                    items.push(Some(unit));
                }
            }
            if items.len() > MAX_KERNEL_LENGTH {
                return Err(KernelError::TooLong(position));
            }
        }
        if let Some((position, _)) = open.pop() {
            return Err(KernelError::Bracket(position));
        }
        let mut units = Vec::with_capacity(items.len());
        let mut barriers = Vec::new();
        for item in items {
            match item {
                Some(unit) => units.push(unit),
                None => barriers.push(units.len()),
            }
        }
        Self::with_barriers(units, barriers).ok_or(KernelError::Empty)
    }
}

/// Makes `items[start..]` stand there `count` times.
fn repeat_tail(
    items: &mut Vec<Option<Unit>>,
    start: usize,
    count: usize,
    position: usize,
) -> Result<(), KernelError> {
    if count == 0 {
        return Err(KernelError::ZeroCount(position));
    }
    let tail = items[start..].to_vec();
    let length = tail.len().checked_mul(count).and_then(|n| n.checked_add(start));
    if length.is_none_or(|n| n > MAX_KERNEL_LENGTH) {
        return Err(KernelError::TooLong(position));
    }
    items.extend(std::iter::repeat_n(tail, count - 1).flatten());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, KernelError> {
        text.parse::<Kernel>().map(|kernel| kernel.to_string())
    }

    #[test]
    fn counts_brackets_case_and_blanks() {
        assert_eq!(parse("L2CL2").unwrap(), "LLCLL");
        assert_eq!(parse(" ll_c\tLL ").unwrap(), "LLCLL");
        assert_eq!(parse("(LLC)3").unwrap(), "LLCLLCLLC");
        assert_eq!(parse("((LC)2 L)2").unwrap(), "LCLCLLCLCL");
        assert_eq!(parse("()L").unwrap(), "L");
        assert_eq!(parse("L 3").unwrap(), "LLL");
    }

    #[test]
    fn barriers() {
        assert_eq!(parse("(LC|)3 L").unwrap(), "LC|LC|LC|L");
        assert_eq!(parse("|LL||C|").unwrap(), "LL|C");
        let kernel: Kernel = "L|CC|L".parse().unwrap();
        assert_eq!(kernel.barriers(), [1, 3]);
        assert_eq!(kernel.segments().map(<[Unit]>::len).collect::<Vec<_>>(), [1, 2, 1]);
        let times = crate::model::PerUnit::from_fn(|unit| if unit == Unit::LoadStore { 2 } else { 1 });
        assert_eq!(kernel.repeat(&times).unwrap().to_string(), "LL|CC|LL");
    }

    #[test]
    fn errors_name_the_character() {
        assert_eq!(parse(""), Err(KernelError::Empty));
        assert_eq!(parse("()5"), Err(KernelError::Empty));
        assert_eq!(parse("LLX"), Err(KernelError::Unexpected { position: 3, found: 'X' }));
        assert_eq!(parse("2L"), Err(KernelError::Unexpected { position: 1, found: '2' }));
        assert_eq!(parse("(2L)"), Err(KernelError::Unexpected { position: 2, found: '2' }));
        assert_eq!(parse("L2 3"), Err(KernelError::Unexpected { position: 4, found: '3' }));
        assert_eq!(parse("L(C"), Err(KernelError::Bracket(2)));
        assert_eq!(parse("LC)"), Err(KernelError::Bracket(3)));
        assert_eq!(parse("L0"), Err(KernelError::ZeroCount(2)));
        assert_eq!(parse("L|2"), Err(KernelError::Unexpected { position: 3, found: '2' }));
        assert_eq!(parse("||"), Err(KernelError::Empty));
    }

    #[test]
    fn huge_counts_are_refused_without_being_built() {
        assert_eq!(parse("L99999999999999999999999"), Err(KernelError::TooLong(2)));
        assert_eq!(parse("L1000000000"), Err(KernelError::TooLong(2)));
        assert_eq!(parse("((((L10000)10000)10000)10000)10000"), Err(KernelError::TooLong(12)));
        assert_eq!(parse(&"(".repeat(100_000)), Err(KernelError::Bracket(100_000)));
    }
}
