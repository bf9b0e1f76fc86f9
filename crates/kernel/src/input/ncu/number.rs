//! Numbers as Nsight Compute prints them: with a unit, rounded, and with the separators of the user's locale.

/// What a metric counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Bytes,
    Sectors,
    Requests,
}

/// The most digits that are read, before and after the decimal separator together. With the factor of a unit they fit
/// into 128 bits.
const DIGITS: usize = 27;

/// How a file writes numbers, as far as they show it.
#[derive(Debug, Default)]
pub(super) struct Notation {
    /// The decimal separator, with the number and the line that show it.
    decimal: Option<(char, String, usize)>,
}

/// What the separators of a number say.
enum Separators {
    /// There is none.
    None,
    /// The decimal separator is this one.
    Decimal(char),
    /// Groups of three digits, with this between them.
    Groups(char),
    /// Either of both: there is one, with three digits behind it.
    Either(char),
}

impl Notation {
    /// Learns from any number of the file.
    pub(super) fn observe(&mut self, value: &str, line: usize) -> Result<(), String> {
        let shown = match separators(value) {
            Some(Separators::Decimal(decimal)) => decimal,
            Some(Separators::Groups(group)) => other(group),
            _ => return Ok(()),
        };
        match &self.decimal {
            Some((decimal, first, at)) if *decimal != shown => {
                Err(format!("{value} here and {first} on line {at}: want numbers of one locale"))
            }
            Some(_) => Ok(()),
            None => {
                self.decimal = Some((shown, value.to_owned(), line));
                Ok(())
            }
        }
    }
}

fn other(separator: char) -> char {
    if separator == ',' { '.' } else { ',' }
}

/// The separators of a number, or `None` of a text that is none.
fn separators(value: &str) -> Option<Separators> {
    let parts: Vec<&str> = value.split([',', '.']).collect();
    if !parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let found: Vec<char> = value.chars().filter(|character| !character.is_ascii_digit()).collect();
    let grouped = |parts: &[&str]| parts[0].len() <= 3 && parts[1..].iter().all(|part| part.len() == 3);
    match found[..] {
        [] => Some(Separators::None),
        [one] if grouped(&parts) && !parts[0].starts_with('0') => Some(Separators::Either(one)),
        [one] => Some(Separators::Decimal(one)),
        [ref groups @ .., last] => {
            let (integer, group) = (&parts[..parts.len() - 1], groups[0]);
            let uniform = groups.iter().all(|&separator| separator == group);
            if group == last {
                (uniform && grouped(&parts)).then_some(Separators::Groups(group))
            } else {
                (uniform && grouped(integer)).then_some(Separators::Decimal(last))
            }
        }
    }
}

/// A number of bytes, sectors or requests, or the smallest whole number of them that is not below any number that the
/// text may stand for.
pub(super) fn amount(value: &str, unit: &str, of: Of, notation: &Notation) -> Result<u64, String> {
    let want = |what: &str| Err(format!("= {value:?}: want {what}"));
    if value.ends_with("n/a") {
        return want("a number: this GPU does not count it, or not in this run");
    }
    if value.strip_prefix('-').is_some_and(|rest| separators(rest).is_some()) {
        return want("0 or more");
    }
    let Some(separators) = separators(value) else {
        return want("a number, such as 1234567 or 1,234,567");
    };
    let factor = factor(unit, of)?;
    let decimal = match separators {
        Separators::None | Separators::Groups(_) => None,
        Separators::Decimal(decimal) => Some(decimal),
        Separators::Either(separator) => match notation.decimal {
            Some((decimal, ..)) if decimal != separator => None,
            Some(_) if factor != 1 => Some(separator),
            // What is counted in its own unit is whole: three digits behind a separator are a group of it.
            None if factor == 1 => None,
            _ => {
                let either = "three decimals or thousands, by the locale: run ncu with --print-units base";
                return Err(format!("= {value:?} {unit}: {either}"));
            }
        },
    };
    let (whole, decimals) = decimal.and_then(|mark| value.rsplit_once(mark)).unwrap_or((value, ""));
    let digits: String = whole.chars().chain(decimals.chars()).filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    let too_large = || format!("= {value:?} {unit}: want less than 2^64");
    if digits.len().max(decimals.len()) > DIGITS {
        return Err(too_large());
    }
    let units: u128 = if digits.is_empty() { 0 } else { digits.parse().map_err(|_| too_large())? };
    // A number with decimals, or with a unit other than its own, is rounded to the last place that is printed: what was
    // counted is at most half a unit of that place above it. The traffic is used as a bound from above, so this half is
    // added, and what is left of a byte counts as a byte.
    let half = u128::from(!decimals.is_empty() || factor != 1);
    let places = u32::try_from(decimals.len()).map_err(|_| too_large())?;
    let scaled = ((2 * units + half) * factor).div_ceil(2 * 10_u128.pow(places));
    u64::try_from(scaled).map_err(|_| too_large())
}

/// How many of what is counted a unit stands for. The prefixes are powers of 1000: 14,988 and 1,980 sectors of 32 bytes
/// are printed as 542.98 Kbyte.
fn factor(unit: &str, of: Of) -> Result<u128, String> {
    let want = match (unit, of) {
        ("byte", Of::Bytes) | ("sector", Of::Sectors) | ("request" | "", Of::Requests) => return Ok(1),
        ("Kbyte", Of::Bytes) => return Ok(1_000),
        ("Mbyte", Of::Bytes) => return Ok(1_000_000),
        ("Gbyte", Of::Bytes) => return Ok(1_000_000_000),
        (_, Of::Bytes) => "byte, Kbyte, Mbyte or Gbyte",
        (_, Of::Sectors) => "sector",
        (_, Of::Requests) => "request",
    };
    Err(format!("in {unit:?}: want {want}: run ncu with --print-units base"))
}

/// A size such as `(96, 1, 1)`, or `None` if it is empty.
pub(super) fn size(text: &str) -> Result<Option<[u64; 3]>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let read: Option<Vec<u64>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
    match read.as_deref() {
        Some(&[x, y, z]) => Ok(Some([x, y, z])),
        _ => Err(format!("{text:?}: want three whole numbers, such as (96, 1, 1)")),
    }
}
