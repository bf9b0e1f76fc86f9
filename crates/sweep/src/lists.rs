//! Lists of items and of numbers, as flags and grid files write them.

use std::str::FromStr;

/// Parses the items between commas.
pub(super) fn items<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<Vec<T>, String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    let items: Vec<T> = items
        .map(|item| item.parse().map_err(|error| format!("{item:?}: {error}")))
        .collect::<Result<_, _>>()?;
    if items.is_empty() {
        return Err("an empty list".into());
    }
    Ok(items)
}

/// The longest list of numbers that is accepted.
const MOST: usize = 1_000_000;

/// Parses numbers of 1 or more: `7`, `1..64`, `1..600/50` (which is 1, 51, 101, ...), and lists of these. The
/// numbers keep the order in which they are given, and each stands once.
pub fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    let mut known = rustc_hash::FxHashSet::default();
    for item in items::<String>(text)? {
        let wrong = || format!("{item:?}: want N, A..B or A..B/STEP with 1 <= A <= B");
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(wrong()),
        };
        let (range, step) = match item.split_once('/') {
            Some((range, step)) if range.contains("..") => (range, number(step)?),
            Some(_) => return Err(wrong()),
            None => (item.as_str(), 1),
        };
        let (first, last) = match range.split_once("..") {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(range)?, number(range)?),
        };
        if first > last {
            return Err(wrong());
        }
        if (last - first) / step >= MOST as u64 || numbers.len() > MOST {
            return Err(format!("{item:?}: more than {MOST} numbers"));
        }
        let mut number = Some(first);
        while let Some(at) = number.filter(|&at| at <= last) {
            if known.insert(at) {
                numbers.push(at);
            }
            number = at.checked_add(step);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(numbers("1..4, 9,3").unwrap_or_default(), [1, 2, 3, 4, 9]);
        assert_eq!(numbers("1..600/250").unwrap_or_default(), [1, 251, 501]);
        for wrong in ["", "0", "4..1", "1..", "x", "5/2", "1..9/0", "-3", "1..99999999999"] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }
}
