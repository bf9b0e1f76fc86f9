//! One line of SASS, as `cuobjdump`, `nvdisasm` and CuAssembler print it.

use crate::sass::control;
use warpspan_isa::instruction::Control;

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Nothing to be read: a blank line, a comment or a directive.
    Nothing,
    /// `Function : name`, or `.section .text.name`.
    Function(&'a str),
    /// The beginning of another section, or the end of a function.
    Elsewhere,
    /// A label.
    Label(&'a str),
    /// A name, and whether it is that of a kernel: `.other name,@"... STO_CUDA_ENTRY ..."`.
    Other(&'a str, bool),
    /// How long a function, or a part of one, is: `.size name,(label - name)`.
    Size(Size<'a>),
    /// An instruction at an address.
    Instruction {
        /// In bytes from the beginning of the function, if it is printed.
        address: Option<u64>,
        /// Its text without comments, control codes, braces and semicolon.
        text: &'a str,
        /// What nvdisasm adds, between `(*"` and `"*)`.
        note: &'a str,
        /// The first 64 bits of its encoding.
        word: Option<u64>,
        /// What CuAssembler prints before it.
        control: Option<Control>,
    },
    /// 64 bits of an encoding without an instruction.
    Encoding(u64),
    /// What is none of these.
    Unknown,
}

/// How long a function, or a part of one, is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The length as it is written: a number of bytes, or the difference of two labels.
    text: &'a str,
}

impl<'a> Size<'a> {
    fn of(rest: &'a str) -> Option<Self> {
        let (name, text) = rest.split_once(',')?;
        Some(Self { name: name.trim(), text: text.trim() })
    }

    /// The number of bytes, if it is one.
    pub(super) fn bytes(&self) -> Option<u64> {
        match self.text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => self.text.parse().ok(),
        }
    }

    /// The labels between which it is, the later one first.
    pub(super) fn labels(&self) -> Option<(&'a str, &'a str)> {
        let inside = self.text.strip_prefix('(')?.strip_suffix(')')?;
        let (to, from) = inside.split_once(" - ")?;
        Some((to.trim(), from.trim()))
    }
}

/// The digits of a capability on this line: `EF_CUDA_SM80`, `code for sm_20`, `arch = sm_61`, `.target
/// sm_75`.
pub(super) fn capability(line: &str) -> Option<String> {
    let digits = match line.find("EF_CUDA_SM") {
        Some(at) => &line[at + "EF_CUDA_SM".len()..],
        None => {
            let at = line.find("sm_")?;
            let before = line[..at].trim();
            matches!(before, "code for" | "arch =" | ".target").then(|| &line[at + 3..])?
        }
    };
    crate::capability::capability_of(digits)
}

/// Whether this is the first line of what is printed of an object file, or one of its first.
pub(super) fn begins_a_file(line: &str) -> bool {
    let line = line.trim_start();
    ["Fatbin elf code", "code for sm_", ".elftype"].iter().any(|start| line.starts_with(start))
}

/// What a line says.
pub(super) fn parse(line: &str) -> Line<'_> {
    let line = line.trim();
    if line.is_empty() || line.starts_with("//") || line.bytes().all(|byte| byte == b'.') {
        return if line.starts_with("..") { Line::Elsewhere } else { Line::Nothing };
    }
    if let Some(name) = line.strip_prefix("Function").and_then(|rest| rest.trim_start().strip_prefix(':')) {
        return Line::Function(name.trim());
    }
    if line.starts_with("Fatbin") || line.starts_with("====") {
        return Line::Elsewhere;
    }
    if let Some(rest) = line.strip_prefix(".section").filter(|rest| rest.starts_with(char::is_whitespace)) {
        let name = rest.trim().trim_start_matches('"');
        let name = name.split([',', '"']).next().unwrap_or_default().trim();
        return name.strip_prefix(".text.").map_or(Line::Elsewhere, Line::Function);
    }
    if let Some(rest) = line.strip_prefix(".other") {
        let (name, flags) = rest.split_once(',').unwrap_or((rest, ""));
        return Line::Other(name.trim(), flags.contains("STO_CUDA_ENTRY"));
    }
    let rest = line.strip_prefix(".size").filter(|rest| rest.starts_with(char::is_whitespace));
    if let Some(size) = rest.and_then(|rest| Size::of(rest.split("//").next().unwrap_or(rest))) {
        return Line::Size(size);
    }
    // CuAssembler prints control codes such as [B01---5:R-:W2:Y:S04] first.
    let is_code = |code: &str| {
        code.starts_with('B') || code.split_once(":B").is_some_and(|(reuse, _)| control::is_reuse(reuse))
    };
    let (code, control) = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((control, rest)) if is_code(control) => (rest.trim_start(), control::of_text(control)),
        _ => (line, None),
    };
    if let Some(comment) = code.strip_prefix("/*") {
        let Some((inside, rest)) = comment.split_once("*/") else { return Line::Unknown };
        return match u64::from_str_radix(inside, 16) {
            Ok(address) => instruction(Some(address), rest, control),
            Err(_) if inside.trim_start().starts_with("0x") && rest.trim().is_empty() => {
                word(inside).map_or(Line::Nothing, Line::Encoding)
            }
            Err(_) => Line::Unknown,
        };
    }
    // A second thing on the line, behind a label or a directive, would be lost.
    let alone = |text: &str| {
        !text.contains("/*") && !text.split_whitespace().next().unwrap_or_default().ends_with(':')
    };
    match line.strip_suffix(':') {
        Some(label) if !label.contains(char::is_whitespace) => Line::Label(label),
        _ if line.starts_with('.') && alone(line) => Line::Nothing,
        _ => Line::Unknown,
    }
}

/// Whether a text has the form in which Compiler Explorer shows SASS: the name of a function and a colon, which begin the
/// text, and instructions without addresses. An instruction that ends a thread tells it from the assembly of CPUs.
pub(crate) fn is_bare(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let ends = |line: &str| {
        let instruction = line.trim().trim_start_matches("@!").trim_start_matches('@');
        instruction.split([' ', '.', ';']).take(2).any(|word| matches!(word, "EXIT" | "RET"))
    };
    first.and_then(heading).is_some() && !text.contains("/*") && text.lines().any(ends)
}

/// What a line says in a text without addresses.
pub(super) fn parse_bare(line: &str) -> Line<'_> {
    if let Some(name) = heading(line) {
        return Line::Function(name);
    }
    let trimmed = line.trim();
    match trimmed.strip_suffix(':') {
        _ if trimmed.is_empty() => Line::Nothing,
        Some(label) if !label.contains(char::is_whitespace) => Line::Label(label),
        Some(_) => Line::Unknown,
        None => instruction(None, trimmed, None),
    }
}

/// The name of a function, which begins its line and may have been demangled: `saxpy(int, float const*):`. Labels inside
/// of a function begin with a dot or a dollar sign.
fn heading(line: &str) -> Option<&str> {
    let name = line.trim_end().strip_suffix(':')?;
    name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '(').then_some(name)
}

/// The 64 bits in a comment, if it is an encoding.
fn word(comment: &str) -> Option<u64> {
    u64::from_str_radix(comment.trim().strip_prefix("0x")?, 16).ok()
}

/// What stands behind the address of an instruction.
fn instruction(address: Option<u64>, rest: &str, control: Option<Control>) -> Line<'_> {
    let mut text = rest.split("//").next().unwrap_or_default().trim();
    let mut encoding = None;
    // Old versions of cuobjdump print the encoding before the instruction, newer ones print it behind.
    while let Some((inside, after)) = text.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
        (text, encoding) = (after.trim_start(), word(inside).or(encoding));
    }
    let (text, mut behind) = text.split_once("/*").map_or((text, ""), |(text, behind)| (text.trim(), behind));
    while let Some((inside, after)) = behind.split_once("*/") {
        encoding = word(inside).or(encoding);
        let after = after.trim();
        behind = match after.strip_prefix("/*") {
            Some(comment) => comment,
            None if after.is_empty() => after,
            None => return Line::Unknown,
        };
    }
    // Who prints addresses ends an instruction too, so that without an end it may have been cut off.
    if address.is_some() && !text.is_empty() && !text.ends_with([';', '}']) {
        return Line::Unknown;
    }
    let (text, note) = match text.split_once("(*\"") {
        Some((text, note)) => (text, note.split("\"*)").next().unwrap_or_default()),
        None => (text, ""),
    };
    // Braces are printed around two instructions that issue together.
    let text = text.trim_start_matches(['{', ' ', '\t']).trim_end_matches(['}', ';', ' ', '\t']);
    let Ok((text, printed)) = control::of_fields(text) else { return Line::Unknown };
    let control = control.or(printed);
    match text {
        "" => Line::Nothing,
        _ if text.starts_with('.') || text.contains(';') => Line::Unknown,
        _ => Line::Instruction { address, text, note, word: encoding, control },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printer_s_way() {
        let is = |line, text, note| match parse(line) {
            Line::Instruction { address: Some(0x48), text: found, note: beside, .. } => {
                assert_eq!((found, beside), (text, note), "{line}");
            }
            other => panic!("{line}: {other:?}"),
        };
        is(
            "        /*0048*/                   MOV R1, c[0x0][0x28] ;   /* 0x00000a0000017a02 */",
            "MOV R1, c[0x0][0x28]",
            "",
        );
        is("  /*0048*/     /*0x00005de428004404*/ \tMOV R1, c [0x1] [0x100];", "MOV R1, c [0x1] [0x100]", "");
        is("  [B------:R-:W-:Y:S08]   /*0048*/  {    @P0 FADD R3, -R3, -RZ ;", "@P0 FADD R3, -R3, -RZ", "");
        is("  /*0048*/       RET         }", "RET", "");
        is(
            "  /*0048*/  BRX R2 -0x110   (*\"BRANCH_TARGETS .L_1,.L_2\"*);",
            "BRX R2 -0x110",
            "BRANCH_TARGETS .L_1,.L_2",
        );
        for lost in [
            "/*0100*/ MOV R1, R2 ; /*0110*/ LDG R3, [R4] ;",
            "/*0100*/ MOV R1, R2; LDG R3, [R4]",
            ".L_9: /*0120*/ LDG R3, [R4] ;",
            ".align 8 /*0120*/ LDG R3, [R4] ;",
            ".L_9: .L_10:",
            "/*0100*/ ISETP.LT.AND P1, PT, R0, 0x5, PT",
            "/*0100*/ ISETP.LT.AND P1, PT,",
        ] {
            assert_eq!(parse(lost), Line::Unknown, "{lost}");
        }
        assert_eq!(parse("   /* 0x000fc40000000f00 */"), Line::Encoding(0x000f_c400_0000_0f00));
        assert_eq!(parse("   /* 0x */"), Line::Nothing);
        assert_eq!(parse("\t.section\t.text.k,\"ax\",@progbits"), Line::Function("k"));
        assert_eq!(parse(".section \".rel.text.k\", 0"), Line::Elsewhere);
        assert_eq!(parse("\t\tFunction : k"), Line::Function("k"));
        assert_eq!(parse("  .L_x_1:"), Line::Label(".L_x_1"));
        assert_eq!(parse("MOV R1, R2"), Line::Unknown);
        assert_eq!(capability("\t.headerflags\t@\"EF_CUDA_SM61 EF\"").as_deref(), Some("6.1"));
        assert_eq!(capability("code for sm_20").as_deref(), Some("2.0"));
    }
}
