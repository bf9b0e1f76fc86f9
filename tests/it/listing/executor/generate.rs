//! Random listings: structures as compilers make them, with some instructions changed, and wholly arbitrary ones.

use super::random::Random;
use super::structures::Structures;
use super::{Code, Dialect, Op};

/// A line of a listing to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Label(usize),
    /// Where a routine begins; all but the first are functions.
    Function(usize),
    Ins {
        guard: Option<&'static str>,
        op: String,
        to: Vec<usize>,
        uniform: bool,
    },
}

pub(crate) fn ins(op: &str) -> Item {
    Item::Ins { guard: None, op: op.to_owned(), to: vec![], uniform: false }
}

pub(crate) fn jump(guard: Option<&'static str>, op: &str, to: usize) -> Item {
    Item::Ins { guard, op: op.to_owned(), to: vec![to], uniform: false }
}

/// A listing and the capability that it is for.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) capability: u32,
    pub(crate) dialect: Dialect,
    pub(crate) items: Vec<Item>,
}

/// The address of the instruction behind another one, or of the first one: before 7.0 words of control fields stand among them.
fn behind(capability: u32, before: Option<u32>) -> u32 {
    let (bytes, words) = match capability {
        70.. => (16, None),
        50.. => (8, Some(0x20)),
        _ => (8, Some(0x40)),
    };
    let next = before.map_or(0, |before| before + bytes);
    if words.is_some_and(|words| next.is_multiple_of(words)) { next + bytes } else { next }
}

impl Case {
    pub(crate) fn random(dialect: Dialect, random: &mut Random) -> Self {
        let capability = *random.pick(match dialect {
            Dialect::Ptx => &[20, 52, 52, 61, 75],
            Dialect::Stack => &[35, 50, 50, 52, 61],
            Dialect::Groups => &[70, 75, 80, 86],
        });
        let mut made = Structures::new(dialect, capability, random);
        let items = if made.random.one_in(12) { made.arbitrary() } else { made.structured() };
        Self { capability, dialect, items }
    }

    /// The listing; a routine that does not end in an end is given one.
    pub(crate) fn text(&self) -> String {
        let ptx = self.dialect == Dialect::Ptx;
        let mut text = if ptx {
            format!(".version 7.0\n.target sm_{}\n", self.capability)
        } else {
            let sm = self.capability;
            format!(
                "\tcode for sm_{sm}\n\t\tFunction : k\n\t.headerflags    @\"EF_CUDA_SM{sm} EF_CUDA_PTX_SM(EF_CUDA_SM{sm})\"\n"
            )
        };
        let (mut functions, mut ended, mut tables) = (0, true, 0);
        let end = |functions: usize| if functions > 1 { "ret" } else { "exit" };
        let mut address = None;
        let mut line = |text: &mut String, what: &str| {
            if ptx {
                text.push_str(&format!("{what};\n"));
            } else {
                let at = behind(self.capability, address);
                address = Some(at);
                text.push_str(&format!("        /*{at:04x}*/                   {what} ;\n"));
            }
        };
        for item in &self.items {
            match item {
                Item::Function(label) => {
                    if functions > 0 {
                        if !ended {
                            line(&mut text, &case(end(functions), ptx));
                        }
                        text.push_str(if ptx { "}\n" } else { "" });
                    }
                    functions += 1;
                    match (ptx, functions) {
                        (true, 1) => text.push_str(".visible .entry k()\n{\n"),
                        (true, _) => text.push_str(&format!(".func f{label}()\n{{\n")),
                        (false, 1) => {}
                        (false, _) => text.push_str(&format!(".L_{label}:\n")),
                    }
                    ended = false;
                }
                Item::Label(label) => {
                    text.push_str(&format!("{}{label}:\n", if ptx { "L" } else { ".L_" }));
                    ended = false;
                }
                Item::Ins { guard, op, to, .. } => {
                    let name = match (op.as_str(), &to[..]) {
                        ("brx.idx", list) => {
                            let list = list.iter().map(|to| format!("L{to}")).collect::<Vec<_>>().join(", ");
                            tables += 1;
                            text.push_str(&format!("T{tables}: .branchtargets {list};\n"));
                            format!("brx.idx %r1, T{tables}")
                        }
                        ("call", [to]) => format!("call f{to}"),
                        (op, [to]) if ptx => format!("{op} L{to}"),
                        (op, [to]) => format!("{op} `(.L_{to})"),
                        (op, _) => op.to_owned(),
                    };
                    let guard = guard.map_or(String::new(), |guard| format!("{guard} "));
                    line(&mut text, &format!("{guard}{name}"));
                    ended = guard.is_empty() && ["exit", "ret", "EXIT", "RET"].contains(&op.as_str());
                }
            }
        }
        if !ended {
            line(&mut text, &case(end(functions), ptx));
        }
        text.push_str(if ptx { "}\n" } else { "\t\t.....\n" });
        text
    }

    /// Says of the branches of the code which were made uniform.
    pub(crate) fn mark(&self, mut code: Code) -> Code {
        let branches = self.items.iter().filter_map(|item| match item {
            Item::Ins { op, uniform, .. } if op == "bra" || op == "BRA" => Some(*uniform),
            _ => None,
        });
        let insts = code.insts.iter_mut().filter(|inst| matches!(inst.op, Op::Bra(_)));
        insts.zip(branches).for_each(|(inst, uniform)| inst.uniform |= uniform && inst.guarded);
        code
    }
}

fn case(text: &str, ptx: bool) -> String {
    if ptx { text.to_owned() } else { text.to_uppercase() }
}
