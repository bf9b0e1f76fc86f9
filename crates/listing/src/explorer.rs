//! Listings as Compiler Explorer shows them, and others with names that were demangled.
//!
//! Its window for a device holds what `nvdisasm` printed, less the header, the addresses, the encodings and the semicolons; a
//! label at the margin begins each function. Names are demangled there, in PTX too:
//!
//! ```text
//! saxpy(int, float, float const*, float*):
//!  IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]
//!  @P0 EXIT
//! .L_x_0:
//!  BRA `(.L_x_0)
//! ```
//!
//! Here such a text becomes one that the readers take, line by line, so that messages name the lines of the file.

use std::collections::BTreeSet;

/// The distance of instructions whose addresses were left out. Nothing but their order depends on it.
const STEP: usize = 16;

/// The SASS of a window as `cuobjdump` would print it, if the text is such a window.
pub(super) fn sass(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let begins = lines().next().is_some_and(|line| function(line).is_some());
    let ends = lines().any(|line| matches!(instruction(line), Some("EXIT" | "RET")));
    let is_window = begins && ends && lines().all(|line| is_label(line) || instruction(line).is_some());
    is_window.then(|| {
        let (mut names, mut address) = (Names::default(), 0);
        let line = |line: &str| {
            if let Some(name) = function(line) {
                address = 0;
                return format!("Function : {}", names.of(name));
            }
            match instruction(line) {
                Some(_) => {
                    address += STEP;
                    format!("/*{:04x}*/ {} ;", address - STEP, line.trim())
                }
                None => line.trim().to_owned(),
            }
        };
        text.lines().map(line).collect::<Vec<_>>().join("\n")
    })
}

/// The PTX with a plain name for each kernel and function that has its C++ signature for a name.
pub(super) fn ptx(text: &str) -> Option<String> {
    let mut names = Names::default();
    let found: BTreeSet<&str> = text.lines().filter_map(signature).collect();
    // The longest first, since one may be a part of another.
    let mut found: Vec<&str> = found.into_iter().collect();
    found.sort_by_key(|signature| std::cmp::Reverse(signature.len()));
    let replaced = found.iter().fold(None, |text_so_far: Option<String>, signature| {
        Some(text_so_far.as_deref().unwrap_or(text).replace(signature, &names.of(signature)))
    });
    replaced
}

/// The name in a line that begins a function.
fn function(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_').then_some(name)
}

fn is_label(line: &str) -> bool {
    line.trim_end().ends_with(':') && !line.starts_with(char::is_whitespace)
}

/// The opcode without its modifiers, if the line is an instruction without an address.
fn instruction(line: &str) -> Option<&str> {
    let text = line.strip_prefix(char::is_whitespace)?.trim();
    let text = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace)?.1.trim_start(),
        None => text,
    };
    let opcode = text.split(char::is_whitespace).next()?.split('.').next()?;
    let is_opcode = opcode.starts_with(|c: char| c.is_ascii_uppercase())
        && opcode.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    (is_opcode && !text.contains([';', ':'])).then_some(opcode)
}

/// The signature in a line such as `.visible .entry f(int, float*)(`, which has the list of parameters behind it.
fn signature(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(".entry ").or_else(|| line.split_once(".func "))?;
    // A function may have what it returns before its name.
    let rest = match rest.trim_start().strip_prefix("(.param") {
        Some(returned) => returned.split_once(')')?.1.trim_start(),
        None => rest.trim_start(),
    };
    let rest = rest.trim_end();
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
        let found = ptx(text).unwrap();
        assert_eq!(
            found,
            ".version 8.5\n.visible .entry f(\n.param .u64 f_param_0\n)\n.func (.param .b32 r) g(\n"
        );
        assert_eq!(ptx(".visible .entry _Z1fPi(\n.param .u64 _Z1fPi_param_0\n)\n"), None);
        assert_eq!(ptx(".entry f()()\n{ }\n").unwrap(), ".entry f()\n{ }\n");
    }

    #[test]
    fn prose_and_other_assembly_are_no_windows() {
        assert!(sass("k(int):\n MOV R1, R2 \n EXIT \n").is_some());
        for other in
            ["k:\n MOV R1, R2 ;\n EXIT ;\n", "main:\n mov eax, 1\n ret\n", "Note:\n READ this text\n", ""]
        {
            assert!(sass(other).is_none(), "{other}");
        }
    }
}
