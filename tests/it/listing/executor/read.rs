//! Reads the listings that the tests write: PTX and SASS, one instruction or label a line.

use super::{Code, Dialect, Inst, Kind, Op};

struct Raw<'a> {
    line: u32,
    guarded: bool,
    guard: Option<(&'a str, bool)>,
    uniform: bool,
    opcode: &'a str,
    operands: Vec<&'a str>,
    routine: usize,
}

pub(crate) fn read(text: &str) -> Code {
    let sass = text.contains("Function :");
    let digits = text.split(if sass { "code for sm_" } else { ".target sm_" }).nth(1).unwrap();
    let digits: u32 = digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
    let volta = digits >= 70;
    let dialect = match (sass, volta) {
        (false, _) => Dialect::Ptx,
        (true, false) => Dialect::Stack,
        (true, true) => Dialect::Groups,
    };
    let (mut raws, mut labels, mut starts, mut tables) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, full) in text.lines().enumerate() {
        let mut line = full.trim();
        if sass && let Some(at) = line.find("*/") {
            line = line[at + 2..].trim();
        }
        if let Some(name) = line.strip_prefix("Function :") {
            starts.push((raws.len(), true));
            labels.push((name.trim().to_owned(), raws.len()));
        } else if line.contains(".entry ") || line.starts_with(".func ") {
            let name = line.split(".entry ").nth(1).unwrap_or(&line[6..]);
            let name = name.split('(').next().unwrap().trim();
            starts.push((raws.len(), line.contains(".entry ")));
            labels.push((name.to_owned(), raws.len()));
        } else if let Some((name, list)) = line.split_once(": .branchtargets ") {
            tables.push((name.to_owned(), list.trim_end_matches(';').to_owned()));
        } else if let Some(label) = line.strip_suffix(':') {
            labels.push((label.to_owned(), raws.len()));
        } else if line.ends_with(';')
            && !line.starts_with(".reg")
            && !line.starts_with("code ")
            && !starts.is_empty()
        {
            raws.push(raw(u32::try_from(number + 1).unwrap(), line, starts.len() - 1));
        }
    }
    // In the files of the tests all functions stand in one Function section of SASS: labels are of the whole file.
    let find = |name: &str| {
        let name = name.trim().trim_start_matches("`(").trim_end_matches(')');
        labels.iter().find(|label| label.0 == name).unwrap_or_else(|| panic!("no label {name}\n{text}")).1
    };
    let insts = raws.iter().map(|raw| {
        let mut parts = raw.opcode.split('.');
        let name = parts.next().unwrap();
        let last = raw.operands.last().copied().unwrap_or_default();
        let register = || raw.operands[0].trim_start_matches('B').parse().unwrap();
        let op = match name {
            "bra" | "BRA" => Op::Bra(find(last)),
            "brx" => {
                let list = &tables.iter().find(|table| table.0 == last).unwrap().1;
                Op::Switch(list.split(',').map(find).collect())
            }
            "exit" | "EXIT" | "KIL" => Op::Exit,
            "ret" | "RET" => Op::Ret,
            "call" | "CAL" | "CALL" | "JCAL" => {
                Op::Call(find(raw.operands[0].trim_start_matches('(').split(',').next().unwrap()))
            }
            "SSY" => Op::Push(Kind::Ssy, find(last)),
            "PBK" => Op::Push(Kind::Pbk, find(last)),
            "PCNT" => Op::Push(Kind::Pcnt, find(last)),
            "PRET" => Op::Push(Kind::Pret, find(last)),
            "SYNC" => Op::Pop(Kind::Ssy),
            "BRK" => Op::Pop(Kind::Pbk),
            "CONT" => Op::Pop(Kind::Pcnt),
            "BSSY" => Op::Bssy(register(), find(last)),
            "BSYNC" => Op::Bsync(register()),
            "BREAK" => Op::Break(register()),
            "bar" | "barrier" | "BAR" => Op::Bar,
            _ => Op::Plain,
        };
        let memory = matches!(name, "ld" | "st" | "LDG" | "STG" | "LD" | "ST");
        let uniform = raw.opcode.ends_with(".uni") || raw.opcode.ends_with(".U") || raw.uniform;
        let pops = parts.next_back() == Some("S");
        let guard = raw.guard.map(|(name, negated)| (name.to_owned(), negated));
        Inst { line: raw.line, op, guarded: raw.guarded, guard, uniform, pops, memory }
    });
    let insts = insts.collect();
    let routine = raws.iter().map(|raw| raw.routine).collect();
    Code { dialect, volta, insts, routine, starts, labels }
}

fn raw(line: u32, text: &str, routine: usize) -> Raw<'_> {
    let text = text.trim_end_matches(';').trim();
    let guarded = text.starts_with('@') && !text.starts_with("@PT ");
    let guard = text.strip_prefix('@').and_then(|rest| rest.split_once(' ')).map(|(guard, _)| guard);
    let guard = guard.map(|guard| (guard.trim_start_matches('!'), guard.starts_with('!')));
    let uniform = text.starts_with("@UP") || text.starts_with("@!UP");
    let text = if text.starts_with('@') { text.split_once(' ').unwrap().1.trim() } else { text };
    let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = operands.split(", ").map(str::trim).collect();
    Raw { line, guarded, guard, uniform, opcode, operands, routine }
}
