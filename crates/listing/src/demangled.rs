//! PTX with names that were demangled, as Compiler Explorer shows it, or `cu++filt`:
//!
//! ```text
//! .visible .entry saxpy(int, float, float const*, float*)(
//!         .param .u32 saxpy(int, float, float const*, float*)_param_0,
//! ```
//!
//! Here each signature becomes a plain name, so that the reader finds names where it looks for them. Lines stay where they are.

use std::collections::BTreeSet;

/// The PTX with a plain name for each kernel and function that has its C++ signature for a name.
pub(super) fn with_plain_names(text: &str) -> Option<String> {
    let plain = |line| function(line)?.split('(').next().map(|name| name.trim().to_owned());
    let taken = text.lines().filter(|line| signature(line).is_none()).filter_map(plain).collect();
    let mut names = Names { taken };
    let found: BTreeSet<&str> = text.lines().filter_map(signature).collect();
    // The longest first, since one may be a part of another.
    let mut found: Vec<&str> = found.into_iter().collect();
    found.sort_by_key(|signature| std::cmp::Reverse(signature.len()));
    found.iter().fold(None, |so_far: Option<String>, signature| {
        Some(so_far.as_deref().unwrap_or(text).replace(signature, &names.of(signature)))
    })
}

/// What stands from its name on in a line that begins a kernel or a function.
fn function(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(".entry ").or_else(|| line.split_once(".func "))?;
    // A function may have what it returns before its name.
    match rest.trim_start().strip_prefix("(.param") {
        Some(returned) => Some(returned.split_once(')')?.1.trim()),
        None => Some(rest.trim()),
    }
}

/// The signature in a line such as `.visible .entry f(int, float*)(`, which has the list of parameters behind it.
fn signature(line: &str) -> Option<&str> {
    let rest = function(line)?;
    let name = rest.strip_suffix("()").or_else(|| rest.strip_suffix('('))?.trim_end();
    name.ends_with([')', '>']).then_some(name)
}

/// Plain names for signatures.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// What stands before the parameters, in characters of a plain name; with a number if another one has that.
    fn of(&mut self, signature: &str) -> String {
        let mut depth = 0;
        let mut name = String::new();
        for c in signature.chars() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                '(' if depth == 0 => break,
                // What is before is the type that a template returns.
                ' ' if depth == 0 => {
                    name.clear();
                    continue;
                }
                _ => {}
            }
            let plain = if c.is_ascii_alphanumeric() || c == '$' { c } else { '_' };
            if plain != '_' || c == '_' || !name.ends_with('_') {
                name.push(plain);
            }
        }
        let name = if name.is_empty() { "kernel" } else { name.as_str() };
        let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name}_{number}") };
        let free = (1..).map(numbered).find(|name| self.taken.insert(name.clone()));
        free.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_become_plain_names() {
        let mut names = Names::default();
        for (signature, name) in [
            ("saxpy(int, float, float const*, float*)", "saxpy"),
            ("saxpy(int, double, double const*, double*)", "saxpy_2"),
            ("void tile<float, 16>(float*, int)", "tile_float_16_"),
            ("void app::scale<(int)4>(float*)", "app_scale_int_4_"),
            ("__plain_c", "__plain_c"),
        ] {
            assert_eq!(names.of(signature), name);
        }
    }

    #[test]
    fn ptx_has_one_name_for_each_signature() {
        let text = ".version 8.5\n.visible .entry f(int*)(\n.param .u64 f(int*)_param_0\n)\n.func (.param .b32 r) g(int)(\n";
        let found = with_plain_names(text).unwrap();
        assert_eq!(
            found,
            ".version 8.5\n.visible .entry f(\n.param .u64 f_param_0\n)\n.func (.param .b32 r) g(\n"
        );
        assert_eq!(with_plain_names(".visible .entry _Z1fPi(\n.param .u64 _Z1fPi_param_0\n)\n"), None);
        let both = ".entry f(\n)\n.entry f(int)(\n)\n";
        assert_eq!(with_plain_names(both).unwrap(), ".entry f(\n)\n.entry f_2(\n)\n");
        assert_eq!(with_plain_names(".entry f()()\n{ }\n").unwrap(), ".entry f()\n{ }\n");
    }
}
