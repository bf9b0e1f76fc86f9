//! Files of declarations: what is written, filled in, says the same as flags do; what is stale is refused.

use std::sync::Arc;

use warpspan::input::find_machine;
use warpspan::listing::{Entry, Options, Text, declare, extract, read_declarations};
use warpspan::model::machine::Machine;

const FLOW: &str = "tests/data/code/flow.ptx";

fn text(path: &str) -> Text {
    Text::new(path, std::fs::read(path).unwrap()).unwrap()
}

/// Options with the declarations of a file of this content.
fn declared(options: &Options, content: &str) -> Options {
    let declarations = read_declarations("d.toml", content, options.machine.as_deref()).unwrap();
    Options { declarations: Some(Arc::new(declarations)), ..options.clone() }
}

/// What became of the entries: programs, bounds of loops, letters on the machine.
fn outcome(entries: &[Entry]) -> Vec<String> {
    let one = |entry: &Entry| {
        let on = entry.on_machine.as_ref().map(|on| (&on.program, on.machine.letters(), &on.worst_case));
        format!("{} {:?} {:?} {:?} {on:?}", entry.name, entry.loops, entry.kernel, entry.program)
    };
    entries.iter().map(one).collect()
}

/// A machine of the program.
fn machine() -> Arc<Machine> {
    Arc::new(find_machine("8.6").unwrap().machine)
}

/// A file with every open number filled in, and the same as options by lines of the listing, which stand in the
/// comments of the file.
fn filled(written: &str, options: &Options) -> (String, Options) {
    let (mut content, mut flags) = (String::new(), options.clone());
    let (mut line, mut number) = (String::new(), 2);
    for text in written.lines() {
        if let Some((_, rest)) = text.split_once("line ").filter(|_| text.starts_with("# ")) {
            let digits = rest.chars().take_while(char::is_ascii_digit).collect::<String>();
            if ["# Loop", "# Branch", "# Memory"].iter().any(|start| text.starts_with(start)) {
                line = digits;
            }
        }
        match text {
            "# most = ?" => {
                number += 1;
                flags.loop_bounds.add(&format!("{line}={number}")).unwrap();
                content.push_str(&format!("most = {number}\n"));
            }
            "# transactions = ?" => {
                flags.transactions.add(&format!("{line}=3")).unwrap();
                content.push_str("transactions = 3\n");
            }
            "# uniform = true" => {
                flags.uniform.insert(line.clone());
                content.push_str("uniform = true\n");
            }
            other => content.push_str(&format!("{other}\n")),
        }
    }
    (content, flags)
}

#[test]
fn what_is_filled_in_says_the_same_as_flags() {
    let mut asked = 0;
    for file in std::fs::read_dir("tests/data/code").unwrap() {
        let path = file.unwrap().path();
        let text = text(path.to_str().unwrap());
        for machine in [None, Some(machine())] {
            let options = Options { machine, capability: Some("6.1".parse().unwrap()), ..Options::default() };
            let written = declare(&text, &options).unwrap();
            let untouched = extract(&text, &declared(&options, &written.text)).unwrap();
            assert_eq!(
                outcome(&untouched),
                outcome(&extract(&text, &options).unwrap()),
                "{}",
                path.display()
            );
            let (content, flags) = filled(&written.text, &options);
            asked += usize::from(content != written.text);
            let by_file = extract(&text, &declared(&options, &content)).unwrap();
            let by_flags = extract(&text, &flags).unwrap();
            assert_eq!(outcome(&by_file), outcome(&by_flags), "{}\n{content}", path.display());
        }
    }
    assert!(asked > 10, "{asked}");
}

/// With everything said that may be said, nothing that a declaration helps against is left.
#[test]
fn one_file_is_enough() {
    for path in
        [FLOW, "tests/data/code/nvdisasm.sass", "tests/data/code/tri.sm_87.sass", "tests/data/code/bs.sass"]
    {
        let text = text(path);
        let options = Options { capability: Some("8.6".parse().unwrap()), ..Options::default() };
        let written = declare(&text, &options).unwrap();
        let (content, _) = filled(&written.text, &options);
        for entry in extract(&text, &declared(&options, &content)).unwrap() {
            if let Err(error) = entry.program {
                assert_eq!(error.message().remedies().count(), 0, "{path} {}: {error}", entry.name);
            }
        }
    }
}

/// The declarations of the entry `asked`, whose loop makes four passes.
fn asked() -> String {
    let options = Options { entry: Some("asked".into()), ..Options::default() };
    let written = declare(&text(FLOW), &options).unwrap();
    assert_eq!((written.loops, written.branches, written.opcodes), (1, 0, 0));
    written.text.replace("# most = ?", "most = 4")
}

fn program(content: &str, options: &Options) -> Result<String, String> {
    let text = Text::new("k.ptx", content.as_bytes().to_vec()).unwrap();
    let entry = extract(&text, options).map_err(|error| error.to_string())?.remove(0);
    let code = entry.program.map_err(|error| error.to_string())?;
    Ok(warpspan::model::Code::Program(code).to_string())
}

#[test]
fn another_code_is_refused_and_comments_and_blanks_are_not_another_code() {
    let listing = std::fs::read_to_string(FLOW).unwrap();
    let options = declared(&Options { entry: Some("asked".into()), ..Options::default() }, &asked());
    let expected = Ok("CC(CCCLCC)0..3CCC".to_owned());
    assert_eq!(program(&listing, &options), expected);
    // The lines move, so that line 54 is in the middle of another kernel.
    let moved = listing.replace(".entry counted", "// moved\n\n\n\n\n\n\n.entry counted");
    assert_eq!(program(&moved, &options), expected);
    let other = listing.replace("add.s32 %r1, %r1, 32;", "add.s32 %r1, %r1, 16;");
    let error = program(&other, &options).unwrap_err();
    assert!(error.starts_with("d.toml:"), "{error}");
    assert!(error.contains("asked has other instructions in k.ptx"), "{error}");
    // Another kernel may change.
    let elsewhere = listing.replace("mov.u32 %r4, 30;", "mov.u32 %r4, 60;");
    assert_eq!(program(&elsewhere, &options), expected);
}

#[test]
fn of_a_flag_and_the_file_the_smaller_bound_counts() {
    let listing = std::fs::read_to_string(FLOW).unwrap();
    for label in ["HEAD", "54"] {
        // The file says 4.
        for (of_flag, most) in [(9, 3), (3, 2)] {
            let mut options =
                declared(&Options { entry: Some("asked".into()), ..Options::default() }, &asked());
            options.loop_bounds.add(&format!("{label}={of_flag}")).unwrap();
            assert_eq!(program(&listing, &options), Ok(format!("CC(CCCLCC)0..{most}CCC")), "{label}");
        }
    }
}

#[test]
fn what_does_not_exist_is_named_with_its_line() {
    let text = text(FLOW);
    let error = |content: &str| {
        let options = declared(&Options { entry: Some("asked".into()), ..Options::default() }, content);
        extract(&text, &options).unwrap_err().to_string()
    };
    let asked = asked();
    let line = |part: &str| asked.lines().position(|line| line.contains(part)).unwrap() + 1;
    let at_loop = line("[[entry.loop]]");
    for (from, to, message) in [
        ("label = \"HEAD\"", "label = \"NONE\"", "no label \"NONE\" in asked"),
        ("label = \"HEAD\"", "label = \"DONE\"", "label \"DONE\" in asked is no loop"),
        ("label = \"HEAD\"", "instruction = 1", "instruction 1 in asked is no loop"),
        ("label = \"HEAD\"", "instruction = 99", "no instruction 99 in asked: it has 8"),
        (
            "label = \"HEAD\"",
            "function = \"twice\"\nlabel = \"HEAD\"",
            "function \"twice\": asked calls no such function",
        ),
    ] {
        assert_eq!(error(&asked.replace(from, to)), format!("d.toml:{at_loop}: {message}"));
    }
    let no_branch = asked.clone() + "[[entry.branch]]\ninstruction = 1\nuniform = true\n";
    assert!(error(&no_branch).ends_with(": instruction 1 in asked is no conditional branch"));
    let no_memory = asked.clone() + "[[entry.memory]]\ninstruction = 1\ntransactions = 1\n";
    assert!(error(&no_memory).ends_with(": instruction 1 in asked is no memory instruction"));
    let no_entry = asked.replace("name = \"asked\"", "name = \"none\"");
    assert_eq!(error(&no_entry), format!("d.toml:{}: no entry \"none\" in {FLOW}", line("name = ")));
}

/// A loop in a function that two kernels call has a bound of its own in each of them.
#[test]
fn a_loop_of_a_function_is_bounded_for_each_caller() {
    let kernel = |name: &str| format!(".entry {name}()\n{{\ncall walk;\nexit;\n}}\n");
    let listing = format!(
        ".version 7.0\n.target sm_60\n{}{}.func walk()\n{{\nSTEP: st.global.u32 [%rd1], %r1;\n@%p1 bra STEP;\nret;\n}}\n",
        kernel("one"),
        kernel("two")
    );
    let text = Text::new("k.ptx", listing.clone().into_bytes()).unwrap();
    let written = declare(&text, &Options::default()).unwrap();
    assert_eq!(written.loops, 2);
    assert_eq!(written.text.matches("function = \"walk\"\nlabel = \"STEP\"").count(), 2);
    let content = written.text.replacen("# most = ?", "most = 3", 1).replacen("# most = ?", "most = 5", 1);
    let programs: Vec<String> = ["one", "two"]
        .map(|name| {
            program(
                &listing,
                &declared(&Options { entry: Some(name.into()), ..Options::default() }, &content),
            )
        })
        .map(Result::unwrap)
        .into();
    assert!(programs[0].contains(")1..3") && programs[1].contains(")1..5"), "{programs:?}");
}

/// Two places on a line cannot be told apart by their line, so nothing is said of either.
#[test]
fn two_loops_on_a_line_are_refused() {
    let listing = ".version 7.0\n.target sm_60\n.entry k()\n{\nA: add.s32 %r1, %r1, 1; @%p1 bra A; B: add.s32 %r1, %r1, 1; @%p2 bra B;\nexit;\n}\n";
    let text = Text::new("k.ptx", listing.as_bytes().to_vec()).unwrap();
    let written = declare(&text, &Options::default()).unwrap();
    assert!(!written.text.contains("[[entry.loop]]"), "{}", written.text);
    assert_eq!(
        written.text.matches("# Line 5 holds several such places: want an instruction a line").count(),
        4
    );
    let content = written.text + "[[entry.loop]]\nlabel = \"A\"\nmost = 3\n";
    let error = program(listing, &declared(&Options::default(), &content)).unwrap_err();
    assert!(
        error.ends_with("line 5 of the listing holds several such places: want an instruction a line"),
        "{error}"
    );
}

/// A file for two capabilities may have the same instructions for both.
#[test]
fn one_table_for_the_same_code_of_two_capabilities() {
    let function = |target: &str, register: &str| {
        format!(
            "\tcode for sm_{target}\n\t\tFunction : k\n        /*0008*/ IADD {register}, {register}, 0x1 ;\n        /*0010*/ EXIT ;\n\t\t.....\n"
        )
    };
    let tables = |other: &str| {
        let listing = function("61", "R0") + &function("62", other);
        let text = Text::new("k.sass", listing.into_bytes()).unwrap();
        let written = declare(&text, &Options::default()).unwrap().text;
        assert!(extract(&text, &declared(&Options::default(), &written)).is_ok(), "{written}");
        written.matches("[[entry]]").count()
    };
    assert_eq!((tables("R0"), tables("R1")), (1, 2));
}

#[test]
fn opcodes_without_letters_are_left_open() {
    let listing = ".version 7.0\n.target sm_80\n.entry k()\n{\nfrob.u32 %r1;\nmma.sync.aligned.m8n8k4 %r1, %r2;\nL: add.s32 %r1, %r1, 1;\n\
                   @%p1 bra L;\nmma.sync.aligned.m16n8k8 %r1, %r2;\nexit;\n}\n";
    let text = Text::new("k.ptx", listing.as_bytes().to_vec()).unwrap();
    let written = declare(&text, &Options::default()).unwrap();
    assert_eq!((written.loops, written.opcodes), (1, 3), "{}", written.text);
    let content = written.text.replace("# most = ?", "most = 2").replace("# letters = ?", "letters = 4");
    let content =
        content.replace("# [[class]]", "[[class]]").replace("# opcode", "opcode").replace("# unit", "unit");
    let program = program(listing, &declared(&Options::default(), &content)).unwrap();
    assert!(program.starts_with("CCCCCCCC") && program.ends_with("CCCC"), "{program}");
}
