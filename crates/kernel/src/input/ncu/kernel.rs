//! Which of the kernels that Nsight Compute names is the wanted one.
//!
//! The profiler prints `ns::scale<(int)4>(const float *, int)`, the listing has `_ZN2ns5scaleILi4EEEvPKfi`, and this
//! demangles to `void ns::scale<4>(float const*, int)`. So the parts of names are compared as bags of words.

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

/// The longest name that is read, demangled or not, in bytes.
const LONGEST: usize = 1 << 16;

/// The kernel that is wanted.
pub(super) struct Wanted<'a> {
    given: &'a str,
    name: Name,
}

/// The parts of a name.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    /// What stands before the arguments.
    base: String,
    template: Option<Vec<String>>,
    parameters: Option<Vec<String>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(given: &'a str) -> Self {
        Self { given, name: Name::of(given) }
    }

    /// Whether this is the name of the wanted kernel. Parts that one of both does not have are not compared.
    pub(super) fn is_named(&self, printed: &str) -> bool {
        if printed == self.given {
            return true;
        }
        let (wanted, printed) = (&self.name, Name::of(printed));
        let bare = printed.template.is_none() && printed.parameters.is_none();
        // Only the function's own name, without its namespace, is printed with `--print-kernel-base function`.
        let own = wanted.base.rsplit("::").next() == Some(&printed.base);
        if wanted.base.is_empty() || !(printed.base == wanted.base || (bare && own)) {
            return false;
        }
        if bare || (wanted.template.is_none() && wanted.parameters.is_none()) {
            return true;
        }
        match (&wanted.template, &printed.template) {
            // The parameters of a template's instance are printed in terms of the template's.
            (Some(wanted), Some(printed)) => wanted == printed,
            (None, None) => {
                wanted.parameters.is_none()
                    || printed.parameters.is_none()
                    || wanted.parameters == printed.parameters
            }
            _ => false,
        }
    }
}

impl Name {
    fn of(name: &str) -> Self {
        let name = demangled(name).unwrap_or_else(|| name.to_owned());
        let name = name.replace("(anonymous namespace)::", "").replace("<unnamed>::", "");
        let name = name.trim();
        let name = name.strip_prefix("void ").unwrap_or(name).trim_start();
        let (base, rest) = name.split_at(name.find(['(', '<']).unwrap_or(name.len()));
        let (template, rest) = match rest.starts_with('<') {
            true => {
                let (inner, rest) = within(rest);
                (Some(words(inner)), rest.trim_start())
            }
            false => (None, rest),
        };
        let parameters = rest.starts_with('(').then(|| words(within(rest).0));
        Self { base: base.trim_end().to_owned(), template, parameters }
    }
}

/// The text in the bracket at the beginning, and the text after it.
fn within(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'<' | b'[' | b'{' => depth += 1,
            b')' | b'>' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
    }
    (text.get(1..).unwrap_or_default(), "")
}

/// The words and marks of arguments in the order of the alphabet: `const float *` and `float const*` have the same ones.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    for character in text.chars() {
        let part = character.is_alphanumeric() || character == '_';
        match words.last_mut().filter(|_| part && in_word) {
            Some(last) => last.push(character),
            None if !character.is_whitespace() => words.push(character.into()),
            None => {}
        }
        in_word = part;
    }
    let mut plain: Vec<String> = Vec::new();
    for mut word in words {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        if is_number || word == "-" {
            without_cast(&mut plain);
        }
        if is_number {
            word.truncate(word.trim_end_matches(['u', 'l']).len());
        }
        plain.push(match word.as_str() {
            "true" => "1".into(),
            "false" => "0".into(),
            _ => word,
        });
    }
    if plain == ["void"] {
        plain.clear();
    }
    plain.sort_unstable();
    plain
}

/// Takes away a type in parentheses at the end, with which a number may be printed: `(int)4` is `4` and `(bool)1` is
/// `true`.
fn without_cast(words: &mut Vec<String>) {
    let is_word =
        |word: &&String| word.starts_with(|first: char| first.is_alphabetic() || "_:".contains(first));
    let Some((")", before)) = words.split_last().map(|(last, before)| (last.as_str(), before)) else {
        return;
    };
    let inside = before.iter().rev().take_while(is_word).count();
    let from = before.len() - inside;
    if inside > 0 && from > 0 && before[from - 1] == "(" {
        words.truncate(from - 1);
    }
}

/// Collects a text of limited length: mangled names may stand for much longer ones.
struct Limited(String);

impl DemangleWrite for Limited {
    fn write_string(&mut self, part: &str) -> std::fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

/// What a mangled name stands for.
fn demangled(name: &str) -> Option<String> {
    let symbol =
        Symbol::new(Some(name).filter(|name| name.starts_with("_Z") && name.len() <= LONGEST)?).ok()?;
    let mut out = Limited(String::new());
    symbol.structured_demangle(&mut out, &DemangleOptions::default()).ok()?;
    Some(out.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_parts() {
        let same = |entry: &str, printed: &str| Wanted::new(entry).is_named(printed);
        for (entry, printed) in [
            ("_ZN2ns5scaleILi4ELb1EEEvPKfj", "void ns::scale<(int)4, (bool)1>(const T1 *, unsigned int)"),
            ("_ZN2ns5scaleEPKfS1_m", "ns::scale(const float *, const float *, unsigned long)"),
            ("_ZN2ns5scaleEPKf", "scale"),
            ("_Z5scalev", "scale()"),
            ("_Z5scalev", "scale(void)"),
            ("scale", "_Z5scalePf"),
            ("scale", "void scale<float>(T1 *)"),
            ("_ZN12_GLOBAL__N_15scaleEi", "<unnamed>::scale(int)"),
            ("_Znonsense", "_Znonsense"),
        ] {
            assert!(same(entry, printed), "{entry} {printed}");
        }
        for (entry, printed) in [
            ("_Z5scaleIfEvPT_", "void scale<double>(T1 *)"),
            ("_Z5scaleILin1EEvv", "void scale<(int)1>()"),
            ("_Z5scalePf", "scale(double *)"),
            ("_Z5scalePf", "void scale<float>(T1 *)"),
            ("scale", "ns::scale(int)"),
            ("scale", "rescale(int)"),
            ("", "(int)"),
        ] {
            assert!(!same(entry, printed), "{entry} {printed}");
        }
    }
}
