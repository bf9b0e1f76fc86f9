//! What is said where a value of a TOML file has another type than its key wants.

/// What was found and what to write, in place of the reader's words for the types of this program.
///
/// `text` is the file, `at` the byte offset of the value or of the header of the table, and `message` what the
/// reader says. The result is `None` if the message is about something else.
pub(super) fn wrong_type(text: &str, at: usize, message: &str) -> Option<String> {
    let key = text.get(..at).map(key_before).filter(|key| !key.is_empty());
    let value = text.get(at..)?.split(['\n', ',', '}', ']', '#']).next().unwrap_or_default();
    if let Some(what) = beyond(message, Some((key, value.trim()))) {
        return Some(what);
    }
    let (found, wanted) = message.strip_prefix("invalid type: ")?.rsplit_once(", expected ")?;
    if let Some(name) = header(text, at) {
        return match wanted {
            "a sequence" => Some(format!("[{name}]: want [[{name}]], once for each")),
            _ => Some(format!("[{name}] is a table: want {}", kind(wanted, name)?)),
        };
    }
    let key = key?;
    let value = match found {
        "sequence" => format!("{key} is a list"),
        "map" => format!("{key} is a table"),
        _ => format!("{key} = {}", written(found)?),
    };
    let number = found.strip_prefix("string ").and_then(|string| number(string.trim_matches('"'), wanted));
    Some(match number {
        Some(number) => format!("{value}: want a number without quotes, such as {key} = {number}"),
        None => format!("{value}: want {}", kind(wanted, key)?),
    })
}

/// The key of the value that begins where this text ends; empty in a list.
fn key_before(text: &str) -> &str {
    let start = text.rfind(['\n', ',', '{']).map_or(0, |before| before + 1);
    text[start..].split('=').next().unwrap_or_default().trim()
}

/// What is said of a number that is beyond the range of its type, or has a fraction in place of a whole one. `written` is the
/// key and the number as the file has them. `None` if the message is about something else.
pub(super) fn beyond(message: &str, written: Option<(Option<&str>, &str)>) -> Option<String> {
    // What the reader says where it takes numbers of any type.
    let is_too_large = ["u64 value was too large", "integer number overflowed"].contains(&message);
    if let (true, Some((key, number))) = (is_too_large, written) {
        let of_key = key.map(|key| format!("{key} = ")).unwrap_or_default();
        let range = match number.starts_with('-') {
            true => format!("{} or more", i64::MIN),
            false => format!("{} or less", i64::MAX),
        };
        return Some(format!("{of_key}{number}: want a number, {range}"));
    }
    let (found, wanted) = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))?
        .rsplit_once(", expected ")?;
    let is_integer = found.starts_with("integer ");
    let is_any = wanted == "any valid TOML value";
    if !(is_integer && (is_any || is_whole(wanted))
        || found.starts_with("floating point ") && is_whole(wanted))
    {
        return None;
    }
    let said = found.split('`').nth(1)?;
    let (key, number) = written.unwrap_or((None, said));
    let of_key = key.map(|key| format!("{key} = ")).unwrap_or_default();
    // JSON takes an integer that is too large for a real number.
    let is_large = number.parse::<f64>().is_ok_and(|number| number.abs() > 9e15);
    if !is_integer && !is_large {
        return Some(format!("{of_key}{number}: want a whole number"));
    }
    let range = match (said.starts_with('-'), wanted) {
        (true, _) if wanted.starts_with('u') => "0 or more".to_owned(),
        (true, _) => format!("{} or more", i64::MIN),
        (false, "u8") => format!("{} or less", u8::MAX),
        (false, "u16") => format!("{} or less", u16::MAX),
        (false, "u32") => format!("{} or less", u32::MAX),
        (false, "u64" | "usize") => format!("{} or less", u64::MAX),
        (false, _) => format!("{} or less", i64::MAX),
    };
    let kind = if is_any { "a number" } else { "a whole number" };
    Some(format!("{of_key}{number}: want {kind}, {range}"))
}

/// The name in the header of a table that begins here.
fn header(text: &str, at: usize) -> Option<&str> {
    let line = text.get(at..)?.lines().next()?.trim();
    let before = text.get(..at)?.rsplit('\n').next().unwrap_or_default();
    let name = line.strip_prefix('[').filter(|_| before.trim().is_empty())?;
    Some(name.split(']').next()?.trim()).filter(|name| !name.is_empty() && !name.starts_with('['))
}

/// The value as the file has it, of a message such as "integer `3`".
fn written(found: &str) -> Option<&str> {
    match found.strip_prefix("string ") {
        Some(string) => Some(string),
        None => found.split('`').nth(1),
    }
}

/// The number to write in place of a string, where a number is wanted.
fn number(string: &str, wanted: &str) -> Option<String> {
    let string = string.trim();
    let parsed = string.parse().ok().filter(|number: &f64| number.is_finite());
    is_number(wanted).then(|| parsed.map_or_else(|| "1".to_owned(), |_| string.to_owned()))
}

fn is_number(wanted: &str) -> bool {
    is_whole(wanted) || ["f64", "f32"].contains(&wanted)
}

fn is_whole(wanted: &str) -> bool {
    ["i64", "u64", "u32", "u16", "u8", "usize"].contains(&wanted)
}

/// The type that the reader wants, in words.
fn kind(wanted: &str, key: &str) -> Option<String> {
    Some(match wanted {
        "a sequence" => format!("a list, or tables that begin with [[{key}]]"),
        "a string" => "a text in quotes".to_owned(),
        "a boolean" => "true or false".to_owned(),
        _ if is_whole(wanted) => "a whole number".to_owned(),
        _ if is_number(wanted) => "a number".to_owned(),
        _ if wanted == "a map" || wanted.starts_with("struct ") => {
            format!("a table, which begins with [{key}]")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use crate::source::toml::Source;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct File {
        kernel: Kernel,
        task: Vec<Kernel>,
        names: BTreeMap<String, u64>,
        fast: bool,
        any: Option<toml::Value>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Kernel {
        string: String,
        warps: u64,
        share: f64,
    }

    #[test]
    fn what_was_found_and_what_to_write() {
        for (text, said) in [
            ("kernel = \"LLCLL\"", "1: kernel = \"LLCLL\": want a table, which begins with [kernel]"),
            ("kernel = 3", "1: kernel = 3: want a table, which begins with [kernel]"),
            ("names = [1]", "1: names is a list: want a table, which begins with [names]"),
            ("[kernel]\nstring = 3", "2: string = 3: want a text in quotes"),
            ("[kernel]\nstring = [\"LL\"]", "2: string is a list: want a text in quotes"),
            ("[kernel.string]\na = 1", "1: [kernel.string] is a table: want a text in quotes"),
            ("[kernel]\nwarps = \"4\"", "2: warps = \"4\": want a number without quotes, such as warps = 4"),
            ("[kernel]\nwarps = \"x\"", "2: warps = \"x\": want a number without quotes, such as warps = 1"),
            ("[kernel]\nwarps = 0.5", "2: warps = 0.5: want a whole number"),
            ("[kernel]\nwarps = -1", "2: warps = -1: want a whole number, 0 or more"),
            (
                "[kernel]\nwarps = 99999999999999999999 # many",
                "2: warps = 99999999999999999999: want a whole number, 18446744073709551615 or less",
            ),
            (
                "names = { a = 0x10000000000000000 }",
                "1: a = 0x10000000000000000: want a whole number, 18446744073709551615 or less",
            ),
            (
                "any = 9223372036854775808",
                "1: any = 9223372036854775808: want a number, 9223372036854775807 or less",
            ),
            (
                "any = -9223372036854775809",
                "1: any = -9223372036854775809: want a number, -9223372036854775808 or more",
            ),
            // 2 to the power of 128.
            (
                "[kernel]\nwarps = 340282366920938463463374607431768211456",
                "2: warps = 340282366920938463463374607431768211456: want a number, 9223372036854775807 or less",
            ),
            (
                "any = -340282366920938463463374607431768211456",
                "1: any = -340282366920938463463374607431768211456: want a number, -9223372036854775808 or more",
            ),
            ("[kernel]\nwarps = true", "2: warps = true: want a whole number"),
            ("kernel = { warps = 1.5, share = 1 }", "1: warps = 1.5: want a whole number"),
            ("[kernel]\nshare = false", "2: share = false: want a number"),
            ("fast = true\n\n[task]\nwarps = 4", "3: [task]: want [[task]], once for each"),
            ("task = 3", "1: task = 3: want a list, or tables that begin with [[task]]"),
            ("names = 3", "1: names = 3: want a table, which begins with [names]"),
            ("fast = \"true\"", "1: fast = \"true\": want true or false"),
        ] {
            let error = Source { place: "f.toml", text }.toml::<File>().unwrap_err();
            assert_eq!(error.to_string(), format!("f.toml:{said}"));
        }
    }

    /// The reader's own words are better than none.
    #[test]
    fn other_messages_stay() {
        let of = |text| Source { place: "f.toml", text }.toml::<File>().unwrap_err().to_string();
        assert!(of("kernel = ").starts_with("f.toml:1: "));
    }
}
