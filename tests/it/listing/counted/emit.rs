//! The text of a kernel in PTX and in SASS.

use super::super::executor::random::Random;
use super::generate::{Kernel, Line, Op, Test, Value};

const RELATIONS: [&str; 6] = ["lt", "le", "gt", "ge", "eq", "ne"];

/// PTX: registers of all lengths, and special registers of 32 bits, which longer or shorter ones are made of. The names of registers say how long
/// they are.
pub(super) fn ptx(kernel: &Kernel, random: &mut Random) -> String {
    let bits = kernel.bits;
    let r = match bits {
        16 => "%rs",
        32 => "%r",
        _ => "%rd",
    };
    let mut out = vec![
        ".version 7.0".to_owned(),
        ".target sm_61".into(),
        format!(".visible .entry k(.param .u{bits} n0, .param .u{bits} n1)"),
        "{".into(),
        ".reg .pred %p<60>; .reg .b16 %rs<60>; .reg .b32 %r<60>; .reg .b64 %rd<60>;".into(),
        // A value is only taken for a parameter that the kernel reads.
        format!("ld.param.u{bits} {r}38, [n0];"),
        format!("ld.param.u{bits} {r}39, [n1];"),
    ];
    // A number or a register stands for itself; all else is loaded first.
    let operand = |value: Value, which: usize, out: &mut Vec<String>| {
        let special = match value {
            Value::Register(register) => return format!("{r}{register}"),
            Value::Number(number) => return number.to_string(),
            Value::Parameter(parameter) => {
                out.push(format!("ld.param.u{bits} {r}{}, [n{parameter}];", 30 + which));
                return format!("{r}{}", 30 + which);
            }
            Value::Threads => "%ntid.x",
            Value::Blocks => "%nctaid.x",
            Value::Thread => "%tid.x",
            Value::Block => "%ctaid.x",
        };
        if bits == 32 {
            return special.to_owned();
        }
        out.push(format!("mov.u32 %r{}, {special};", 50 + which));
        out.push(format!("cvt.u{bits}.u32 {r}{}, %r{};", 30 + which, 50 + which));
        format!("{r}{}", 30 + which)
    };
    let guarded = |condition: Option<(usize, bool)>| match condition {
        Some((predicate, true)) => format!("@%p{predicate} "),
        Some((predicate, false)) => format!("@!%p{predicate} "),
        None => String::new(),
    };
    for line in &kernel.code {
        match line {
            Line::Result { guard, register, op, from } => {
                let given: Vec<String> =
                    from.iter().enumerate().map(|(which, &one)| operand(one, which, &mut out)).collect();
                let kind = format!("{}{bits}", random.pick(&["s", "u"]));
                let of = |signed: bool| format!("{}{bits}", if signed { "s" } else { "u" });
                let name = match op {
                    Op::Move => format!("mov.{kind}"),
                    Op::Add => format!("add.{kind}"),
                    Op::Subtract => format!("sub.{kind}"),
                    Op::Multiply => format!("mul.lo.{kind}"),
                    Op::MultiplyAdd => format!("mad.lo.{kind}"),
                    Op::ShiftLeft => format!("shl.b{bits}"),
                    Op::ShiftRight(signed) => format!("shr.{}", of(*signed)),
                    Op::And => format!("and.b{bits}"),
                    Op::Least(signed) => format!("min.{}", of(*signed)),
                    Op::Most(signed) => format!("max.{}", of(*signed)),
                    Op::Select => format!("selp.b{bits}"),
                    Op::Load => format!("ld.global.u{bits}"),
                    Op::LoadPair => format!("ld.global.v2.u{bits}"),
                };
                let target = match op {
                    Op::LoadPair => format!("{{{r}{register}, {r}{}}}", register + 1),
                    _ => format!("{r}{register}"),
                };
                let from = match op {
                    Op::Load | Op::LoadPair => "[%rd51]".to_owned(),
                    Op::Select => format!("{}, %p7", given.join(", ")),
                    _ => given.join(", "),
                };
                out.push(format!("{}{name} {target}, {from};", guarded(*guard)));
            }
            Line::Compare { predicate, test: Test { relation, signed, left, right, with } } => {
                let (left, right) = (operand(*left, 0, &mut out), operand(*right, 1, &mut out));
                let kind = format!("{}{bits}", if *signed { "s" } else { "u" });
                let relation = RELATIONS[*relation];
                let (with, other) = match with {
                    Some((other, true)) => (".and", format!(", %p{other}")),
                    Some((other, false)) => (".or", format!(", %p{other}")),
                    None => ("", String::new()),
                };
                out.push(format!("setp.{relation}{with}.{kind} %p{predicate}, {left}, {right}{other};"));
            }
            Line::Enter(_) => {}
            Line::Header(number) => {
                out.push(format!("L{number}:"));
                out.push("st.global.u32 [%rd51], %r58;".into());
            }
            Line::Label(number) => {
                out.push(format!("M{number}:"));
                out.push("st.global.u32 [%rd51], %r57;".into());
            }
            Line::Back { number, condition } => out.push(format!("{}bra L{number};", guarded(*condition))),
            Line::Jump { to, condition } => out.push(format!("{}bra M{to};", guarded(*condition))),
            Line::Exit { condition } => out.push(format!("{}exit;", guarded(*condition))),
        }
    }
    out.push("}".into());
    out.join("\n") + "\n"
}

/// SASS of capability 8.0. Some kernels have all their registers in the uniform data path, as far as that has
/// the instruction.
pub(super) fn sass(kernel: &Kernel, random: &mut Random) -> String {
    let uniform = random.one_in(4)
        && kernel.code.iter().all(|line| match line {
            Line::Result { op, from, .. } => {
                !matches!(op, Op::Load | Op::LoadPair | Op::Least(_) | Op::Most(_))
                    && !from.iter().any(|one| matches!(one, Value::Thread | Value::Block))
            }
            Line::Compare { test, .. } => {
                !matches!(test.left, Value::Thread | Value::Block)
                    && !matches!(test.right, Value::Thread | Value::Block)
            }
            _ => true,
        });
    let u = if uniform { "U" } else { "" };
    let (mut out, mut address) = (vec!["\tcode for sm_80".to_owned(), "\t\tFunction : k".into()], 0);
    let mut line_of = |text: String, out: &mut Vec<String>| {
        out.push(format!("        /*{address:04x}*/ {text} ;"));
        address += 16;
    };
    for parameter in 0..2 {
        line_of(format!("MOV R{}, c[0x0][{:#x}]", 18 + parameter, 0x160 + 4 * parameter), &mut out);
    }
    // Predicate 7 is number 6 there, since P7 is PT; loops have the numbers up to 4.
    let predicate = |number: usize| format!("{u}P{}", if number == 7 { 6 } else { number });
    let guarded = |condition: Option<(usize, bool)>| match condition {
        Some((number, true)) => format!("@{} ", predicate(number)),
        Some((number, false)) => format!("@!{} ", predicate(number)),
        None => String::new(),
    };
    let name = |register: usize| format!("{u}R{register}");
    let mut functions: Vec<usize> = Vec::new();
    for line in &kernel.code {
        let mut before: Vec<String> = Vec::new();
        let mut operand = |value: Value, which: usize| {
            let scratch = name(24 + which);
            match value {
                Value::Register(register) => name(register),
                Value::Number(number) => {
                    let word = u32::try_from(number.cast_unsigned() & 0xffff_ffff).unwrap();
                    if word == 0 { format!("{u}RZ") } else { format!("{word:#x}") }
                }
                Value::Parameter(parameter) if uniform => {
                    before.push(format!("ULDC {scratch}, c[0x0][{:#x}]", 0x160 + 4 * parameter));
                    scratch
                }
                Value::Parameter(parameter) => format!("c[0x0][{:#x}]", 0x160 + 4 * parameter),
                Value::Threads if uniform => {
                    before.push(format!("ULDC {scratch}, c[0x0][0x0]"));
                    scratch
                }
                Value::Blocks if uniform => {
                    before.push(format!("ULDC.64 {scratch}, c[0x0][0xc]"));
                    scratch
                }
                Value::Threads => "c[0x0][0x0]".into(),
                Value::Blocks => "c[0x0][0xc]".into(),
                Value::Thread => {
                    before.push(format!("S2R {scratch}, SR_TID.X"));
                    scratch
                }
                Value::Block => {
                    before.push(format!("S2R {scratch}, SR_CTAID.X"));
                    scratch
                }
            }
        };
        let negative = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => {
                let word = u32::from_str_radix(digits, 16).unwrap();
                format!("{:#x}", word.wrapping_neg())
            }
            None => format!("-{text}"),
        };
        let zero = format!("{u}RZ");
        let text = match line {
            Line::Result { guard, register, op, from } => {
                let given: Vec<String> =
                    from.iter().enumerate().map(|(which, &one)| operand(one, 2 * which)).collect();
                let to = name(*register);
                let which = random.index(3);
                let text = match (op, &given[..]) {
                    (Op::Move, [a]) => match which {
                        0 if !uniform => format!("IMAD.MOV.U32 {to}, RZ, RZ, {a}"),
                        1 => format!("{u}IADD3 {to}, {a}, {zero}, {zero}"),
                        _ => format!("{u}MOV {to}, {a}"),
                    },
                    (Op::Add, [a, b]) => match which {
                        0 if !uniform => format!("IMAD.IADD {to}, {a}, 0x1, {b}"),
                        1 if !uniform => format!("VIADD {to}, {a}.reuse, {b}").replace("c[0x0]", "c[0x0]"),
                        _ => format!("{u}IADD3 {to}, {a}, {b}, {zero}"),
                    },
                    (Op::Subtract, [a, b]) => format!("{u}IADD3 {to}, {a}, {}, {zero}", negative(b)),
                    (Op::Multiply, [a, b]) => format!("{u}IMAD {to}, {a}, {b}, {zero}"),
                    (Op::MultiplyAdd, [a, b, c]) => format!("{u}IMAD {to}, {a}, {b}, {c}"),
                    (Op::ShiftLeft, [a, b]) => {
                        let by = if *b == zero { "0x0" } else { b };
                        let times = 1_u32 << u32::from_str_radix(by.trim_start_matches("0x"), 16).unwrap();
                        match which {
                            0 if !uniform => format!("IMAD.SHL.U32 {to}, {a}, {times:#x}, RZ"),
                            1 if !uniform => format!("LEA {to}, {a}, RZ, {by}"),
                            _ => format!("{u}SHF.L.U32 {to}, {a}, {by}, {zero}"),
                        }
                    }
                    (Op::ShiftRight(signed), [a, b]) => {
                        let by = if *b == zero { "0x0" } else { b };
                        let kind = if *signed { "S32" } else { "U32" };
                        format!("{u}SHF.R.{kind}.HI {to}, {zero}, {by}, {a}")
                    }
                    (Op::And, [a, b]) => format!("{u}LOP3.LUT {to}, {a}, {b}, {zero}, 0xc0, !{u}PT"),
                    (Op::Least(signed) | Op::Most(signed), [a, b]) => {
                        let kind = if *signed { "" } else { ".U32" };
                        let which = if matches!(op, Op::Least(_)) { "PT" } else { "!PT" };
                        format!("IMNMX{kind} {to}, {a}, {b}, {which}")
                    }
                    (Op::Select, [a, b]) => format!("{u}SEL {to}, {a}, {b}, {}", predicate(7)),
                    // A function that is called may give the result too.
                    (Op::Load, _) if !uniform && guard.is_none() && which == 0 => {
                        functions.push(*register);
                        format!("CALL.REL.NOINC `(F{})", functions.len())
                    }
                    (Op::Load, _) => format!("LDG.E {to}, [R28.64]"),
                    (Op::LoadPair, _) => format!("LDG.E.64 {to}, [R28.64]"),
                    other => panic!("{other:?}"),
                };
                format!("{}{text}", guarded(*guard))
            }
            Line::Compare { predicate: to, test: Test { relation, signed, left, right, with } } => {
                let (left, right) = (operand(*left, 0), operand(*right, 2));
                let kind = if *signed { "" } else { ".U32" };
                let relation = RELATIONS[*relation].to_uppercase();
                let (how, other) = match with {
                    Some((other, true)) => ("AND", predicate(*other)),
                    Some((other, false)) => ("OR", predicate(*other)),
                    None => ("AND", format!("{u}PT")),
                };
                format!("{u}ISETP.{relation}{kind}.{how} {}, {u}PT, {left}, {right}, {other}", predicate(*to))
            }
            Line::Enter(_) => continue,
            Line::Header(number) => {
                out.push(format!("L{number}:"));
                "STG.E [R28.64], R30".into()
            }
            Line::Label(number) => {
                out.push(format!("M{number}:"));
                "STG.E [R28.64], R31".into()
            }
            Line::Back { number, condition } => format!("{}BRA `(L{number})", guarded(*condition)),
            Line::Jump { to, condition } => format!("{}BRA `(M{to})", guarded(*condition)),
            Line::Exit { condition } => format!("{}EXIT", guarded(*condition)),
        };
        before.into_iter().for_each(|text| line_of(text, &mut out));
        line_of(text, &mut out);
    }
    for (register, number) in functions.into_iter().zip(1..) {
        out.push(format!("F{number}:"));
        line_of("MOV R27, R31".into(), &mut out);
        line_of(format!("LDG.E R{register}, [R28.64]"), &mut out);
        line_of("RET.REL.NODEC R26 `(k)".into(), &mut out);
    }
    out.push("\t\t.....".into());
    out.join("\n") + "\n"
}

/// SASS whose registers are pairs, for kernels of 64 bits: of capability 8.0, in which an instruction has one word of a sum
/// or comparison, or of 12.0, which has some of both. What neither has in one form is taken from memory.
pub(super) fn wide_sass(kernel: &Kernel, random: &mut Random) -> String {
    let native = random.one_in(2);
    let (target, first) = if native { ("sm_120", 0x380) } else { ("sm_80", 0x160) };
    let [threads, blocks] = if native { [0x360, 0x370] } else { [0x0, 0xc] };
    let (mut out, mut address) = (vec![format!("\tcode for {target}"), "\t\tFunction : _Z1kxx".into()], 0);
    let mut line_of = |text: String, out: &mut Vec<String>| {
        out.push(format!("        /*{address:04x}*/ {text} ;"));
        address += 16;
    };
    for word in 0..4 {
        line_of(format!("MOV R{}, c[0x0][{:#x}]", 70 + word, first + 4 * word), &mut out);
    }
    let predicate = |number: usize| format!("P{}", if number == 7 { 6 } else { number });
    let guarded = |condition: Option<(usize, bool)>| match condition {
        Some((number, true)) => format!("@{} ", predicate(number)),
        Some((number, false)) => format!("@!{} ", predicate(number)),
        None => String::new(),
    };
    let pair = |first: usize| [format!("R{first}"), format!("R{}", first + 1)];
    for line in &kernel.code {
        let mut lines: Vec<String> = Vec::new();
        // The two words of an operand; a special register is read into one of a pair.
        let mut words = |value: Value, which: usize| match value {
            Value::Register(register) => pair(2 * register),
            Value::Number(number) => {
                let word = |bits: u64| if bits == 0 { "RZ".to_owned() } else { format!("{bits:#x}") };
                let bits = number.cast_unsigned();
                [word(bits & 0xffff_ffff), word(bits >> 32)]
            }
            Value::Parameter(parameter) => {
                [0, 4].map(|word| format!("c[0x0][{:#x}]", first + 8 * parameter + word))
            }
            Value::Threads => [format!("c[0x0][{threads:#x}]"), "RZ".into()],
            Value::Blocks => [format!("c[0x0][{blocks:#x}]"), "RZ".into()],
            Value::Thread | Value::Block => {
                let name = if value == Value::Thread { "SR_TID.X" } else { "SR_CTAID.X" };
                lines.push(format!("S2R R{}, {name}", 60 + 2 * which));
                [format!("R{}", 60 + 2 * which), "RZ".into()]
            }
        };
        // What one operand names both words of, if anything does.
        let both = |value: Value| match value {
            Value::Register(register) => Some(format!("R{}", 2 * register)),
            Value::Number(0) => Some("RZ".to_owned()),
            Value::Number(number) if (1..1 << 31).contains(&number) => Some(format!("{number:#x}")),
            Value::Parameter(parameter) => Some(format!("c[0x0][{:#x}]", first + 8 * parameter)),
            _ => None,
        };
        match line {
            Line::Result { guard, register, op, from } => {
                let given: Vec<[String; 2]> =
                    from.iter().enumerate().map(|(which, &one)| words(one, which)).collect();
                let [low, high] = pair(2 * register);
                let guard = guarded(*guard);
                let text = match (op, &given[..], &from[..]) {
                    (Op::Move, [_], &[a]) if native && both(a).is_some() => {
                        vec![format!("MOV.64 {low}, {}", both(a).unwrap())]
                    }
                    (Op::Move, [a], _) => {
                        vec![format!("MOV {low}, {}", a[0]), format!("MOV {high}, {}", a[1])]
                    }
                    (Op::Add, [_, _], &[a, b]) if native && both(a).zip(both(b)).is_some() => {
                        vec![format!("IADD.64 {low}, {}, {}", both(a).unwrap(), both(b).unwrap())]
                    }
                    (Op::Add, [a, b], _) if a[1] != low && b[1] != low => {
                        let upper = match random.one_in(2) && a[1] == "RZ" {
                            true => format!("IMAD.X {high}, RZ, RZ, {}, P5", b[1]),
                            false => format!("IADD3.X {high}, {}, {}, RZ, P5, !PT", a[1], b[1]),
                        };
                        vec![format!("IADD3 {low}, P5, {}, {}, RZ", a[0], b[0]), upper]
                    }
                    (
                        Op::MultiplyAdd,
                        _,
                        &[
                            a @ (Value::Threads | Value::Blocks | Value::Thread | Value::Block),
                            b @ (Value::Threads | Value::Blocks | Value::Thread | Value::Block),
                            c,
                        ],
                    ) if both(c).is_some() && a != b => {
                        let kind = random.pick(&["", ".U32"]);
                        vec![format!(
                            "IMAD.WIDE{kind} {low}, {}, {}, {}",
                            given[0][0],
                            given[1][0],
                            both(c).unwrap()
                        )]
                    }
                    (Op::LoadPair, ..) => vec![format!("LDG.E.128 {low}, [R78.64]")],
                    _ => vec![format!("LDG.E.64 {low}, [R78.64]")],
                };
                lines.extend(text.into_iter().map(|text| format!("{guard}{text}")));
            }
            Line::Compare { predicate: to, test: Test { relation, signed, left, right, with } } => {
                let name = RELATIONS[*relation].to_uppercase();
                let pairs = both(*left).filter(|_| native && with.is_none()).zip(both(*right));
                let (a, b) = (words(*left, 0), words(*right, 1));
                let to = predicate(*to);
                match pairs {
                    Some((left, right)) => {
                        let kind = if *signed { "S64" } else { "U64" };
                        lines.push(format!("ISETP.{name}.{kind}.AND {to}, PT, {left}, {right}, PT"));
                    }
                    None => {
                        let kind = if *signed { "" } else { ".U32" };
                        let (how, other) = match with {
                            Some((other, true)) => ("AND", predicate(*other)),
                            Some((other, false)) => ("OR", predicate(*other)),
                            None => ("AND", "PT".to_owned()),
                        };
                        lines.push(format!("ISETP.{name}.U32.AND P5, PT, {}, {}, PT", a[0], b[0]));
                        lines.push(format!(
                            "ISETP.{name}{kind}.{how}.EX {to}, PT, {}, {}, {other}, P5",
                            a[1], b[1]
                        ));
                    }
                }
            }
            Line::Enter(_) => {}
            Line::Header(number) => {
                out.push(format!("L{number}:"));
                lines.push("STG.E [R78.64], R30".into());
            }
            Line::Label(number) => {
                out.push(format!("M{number}:"));
                lines.push("STG.E [R78.64], R31".into());
            }
            Line::Back { number, condition } => {
                lines.push(format!("{}BRA `(L{number})", guarded(*condition)))
            }
            Line::Jump { to, condition } => lines.push(format!("{}BRA `(M{to})", guarded(*condition))),
            Line::Exit { condition } => lines.push(format!("{}EXIT", guarded(*condition))),
        }
        lines.into_iter().for_each(|text| line_of(text, &mut out));
    }
    out.push("\t\t.....".into());
    out.join("\n") + "\n"
}
