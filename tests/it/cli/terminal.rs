//! What a person sees on a terminal: lines as wide as it is, colours that say nothing of their own, and a line of
//! progress that leaves nothing behind.

use std::process::{Output, Stdio};

use assert_cmd::Command;

/// A command with this environment, which knows of no terminal by itself.
fn run(line: &str, environment: &[(&str, &str)]) -> Output {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.envs(environment.iter().copied());
    command.args(line.split(' ')).output().unwrap()
}

fn out(line: &str, environment: &[(&str, &str)]) -> String {
    String::from_utf8(run(line, environment).stdout).unwrap()
}

/// A line for each command that tells a person something.
const LINES: [&str; 18] = [
    "solve instances/llcll-w4.toml",
    "solve --kernel LLCLLCCLLC --warps 7 --engine states",
    "solve --kernel LC{L/C} --warps 48",
    "solve instances/machine-lcsfu-w4.toml",
    "solve --kernel LC --warps-per-block 2 --blocks 9 --resident 3",
    "bound instances/llcll-w600.toml",
    "simulate --kernel LLCLL --warps 4",
    "rta instances/tx2-chain.toml --explain --margins",
    "rta instances/pa19-section-3-6.toml",
    "rta instances/camera.amxmi --explain",
    "time docs/tutorial/conv.sm_87.sass --gpu jetson-orin --grid 60x135 --block 32x8 --loop-bound .L_x_2=3",
    "extract tests/data/code/flow.ptx --entry counted --warps 8",
    "extract tests/data/code/flow.ptx --entry counted --warps 8 --machine jetson-orin --explain",
    "compare tests/data/code/flow.ptx tests/data/code/flow.ptx --entry counted --warps 8",
    "prem instances/kr19-isolated.toml",
    "partition instances/si21-partition-table.toml",
    "verify",
    "gpus",
];

/// Without what sets colours.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn lines_are_as_wide_as_the_screen() {
    for line in LINES {
        for width in ["80", "100"] {
            let text = out(line, &[("COLUMNS", width)]);
            assert!(!text.is_empty(), "{line}");
            let most: usize = width.parse().unwrap();
            // One word may be wider: a kernel, an address.
            // It may stand behind the name of its row.
            let wide = |text: &&str| text.chars().count() > most && text.split_whitespace().count() > 2;
            let wide: Vec<&str> = text.lines().filter(wide).collect();
            assert!(wide.is_empty(), "{line}, {width}: {wide:#?}");
        }
    }
}

/// Folded lines and tables hold every word that they hold on no screen.
#[test]
fn nothing_is_cut() {
    // What a search finds may depend on the time that it has, so the two runs of one may differ.
    let searches = ["solve", "simulate", "rta instances/tx2-chain.toml"];
    for line in LINES.into_iter().filter(|line| !searches.iter().any(|search| line.starts_with(search))) {
        let words = |text: &str| {
            let mut words: Vec<String> =
                text.split(|c: char| c.is_whitespace() || c == '|').map(str::to_owned).collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        let (free, narrow) = (out(line, &[]), out(line, &[("COLUMNS", "80")]));
        let narrow_text: String = narrow.split_whitespace().collect();
        for word in words(&free) {
            let is_time = word.parse::<f64>().is_ok() || word.chars().all(|c| "-=#:".contains(c));
            let is_long = word.chars().count() > 24; // it may be broken within a cell
            assert!(is_time || is_long || narrow_text.contains(&word), "{line}: {word:?}\n{narrow}");
        }
    }
}

#[test]
fn colours_repeat_what_words_say() {
    let lines = [
        "bound instances/llcll-w4.toml",
        "rta instances/tx2-chain.toml",
        "gpus jetson-orin",
        "check tests/data/none.csv",
    ];
    for line in lines {
        let coloured = run(&format!("{line} --color always"), &[]);
        let without = run(line, &[]);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(plain(&text(&coloured.stdout)), text(&without.stdout), "{line}");
        assert_eq!(plain(&text(&coloured.stderr)), text(&without.stderr), "{line}");
        assert!(
            !text(&without.stdout).contains('\u{1b}') && !text(&without.stderr).contains('\u{1b}'),
            "{line}"
        );
        assert_eq!(coloured.status.code(), without.status.code());
    }
    let rta = "rta instances/tx2-chain.toml";
    let has = |text: String| text.contains('\u{1b}');
    assert!(has(out(rta, &[("CLICOLOR_FORCE", "1")])));
    assert!(!has(out(rta, &[("NO_COLOR", "1")])));
    assert!(!has(out(&format!("{rta} --color never"), &[("CLICOLOR_FORCE", "1")])));
    assert!(!has(out(&format!("{rta} --color always --format json"), &[])), "JSON has no colours");
}

/// Whatever a user calls a thing, its name begins no line, moves no cursor and has no colour.
#[test]
fn names_are_shown_without_characters_that_disturb() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let disturbs = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    let mut files = Vec::new();
    for (command, file, name) in [
        ("rta --explain --margins", "tx2-copies", "SFM"),
        ("rta", "gcaps-table-4", "histogram"),
        ("rta --explain", "graph-chains", "fast"),
        ("rta --explain", "graph-chains", "track"),
        ("rta", "processes-tx2", "Debayer"),
        ("rta", "processes-tx2", "detector"),
        ("partition", "si21-partition-table", "hotspot"),
        ("prem", "kr19-different", "long"),
    ] {
        let text = std::fs::read_to_string(format!("instances/{file}.toml")).unwrap();
        let quoted = format!("\"{name}\"");
        assert!(text.contains(&quoted), "{file} has no {name}");
        let file = path(&format!("{file}-{name}.toml"));
        std::fs::write(&file, text.replace(&quoted, &format!("\"{name}\\n|\\u001b[31m\\u202e\""))).unwrap();
        let shown = run(&format!("{command} {file}"), &[]);
        let text = String::from_utf8(shown.stdout).unwrap() + &String::from_utf8(shown.stderr).unwrap();
        // A name that is no name anywhere is refused in a line.
        assert!(text.contains(&format!("{name}\\n|\\u{{1b}}[31m\\u{{202e}}")), "{command} {file}: {text}");
        assert!(
            !text.contains(disturbs) && !text.lines().any(|line| line.starts_with("|\u{1b}")),
            "{text:?}"
        );
        let record = out(&format!("{command} {file} --format json"), &[]);
        if !record.is_empty() {
            assert!(
                record.contains(&format!("{name}\\n|\\u001b[31m\u{202e}")),
                "the record has the name: {record}"
            );
            let saved = path(&format!("{}.json", files.len()));
            std::fs::write(&saved, record).unwrap();
            files.push(saved);
        }
    }
    assert!(files.len() > 6, "{files:?}");
    // The record of some of them can be drawn on a page.
    let page = path("page");
    let shown = run(&format!("report {} {} -o {page}", files[0], files[6]), &[]);
    assert_eq!(shown.status.code(), Some(0), "{}", String::from_utf8_lossy(&shown.stderr));
    for entry in std::fs::read_dir(&page).unwrap() {
        let path = entry.unwrap().path();
        // The lines of a PDF end as its format wants it.
        if path.extension().is_none_or(|ending| ending != "pdf") {
            let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            assert!(!text.contains(|c| disturbs(c) && c != '\t'), "{text:?}");
        }
    }
    // Files that are written have them in words too.
    let model = path("model.amxmi");
    let text = std::fs::read_to_string("instances/camera.amxmi").unwrap();
    let task = text.split("<tasks name=\"").nth(1).unwrap().split('"').next().unwrap();
    let text = text.replace(&format!("\"{task}\""), &format!("\"{task}&#x202e;\""));
    std::fs::write(&model, text.replace(&format!("{task}?"), &format!("{task}%E2%80%AE?"))).unwrap();
    let (drawing, table) = (path("drawing.svg"), path("table.csv"));
    let drawn = path("tx2-copies-SFM.toml");
    for line in [format!("rta {model} --csv {table}"), format!("rta {drawn} --schedule {drawing}")] {
        let shown = run(&line, &[]);
        assert!(shown.status.code() != Some(2), "{line}: {}", String::from_utf8_lossy(&shown.stderr));
    }
    for file in [table, drawing] {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("\\u{202e}") && !text.contains(|c| disturbs(c) && c != '\t'), "{text:?}");
    }
    // So are names of files.
    let file = path("a\u{1b}[31m\nb.toml");
    std::fs::write(
        &file,
        "[kernel]\nstring = \"LC\"\n[launch]\nwarps = 2\n[multiprocessor]\nsigma_l = 1\nsigma_c = 1\n",
    )
    .unwrap();
    let mut command = Command::cargo_bin("warpspan").unwrap();
    let shown = command.args(["solve", &file, &file]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("a\\u{1b}[31m\\nb.toml") && !text.contains(disturbs), "{text:?}");
}

/// The answer is the first line, and no label stands for two things.
#[test]
fn the_first_line_is_the_answer() {
    let first = |line: &str| out(line, &[]).lines().next().unwrap_or_default().to_owned();
    let solved = out("solve instances/llcll-w4.toml", &[]);
    assert!(solved.starts_with("worst case  17 cycles, exact (closed form, machine-checked)\n"), "{solved}");
    assert!(!solved.contains("checked  "), "{solved}");
    assert_eq!(solved.matches("\ncross-check ").count(), 1, "{solved}");
    // One rule for headlines: the number of `bound` is that of `solve`.
    assert_eq!(
        first("bound instances/llcll-w4.toml"),
        "worst case  17 cycles, exact (closed form, machine-checked)"
    );
    assert_eq!(
        first("bound --kernel LLCLL --warps 600"),
        "worst case  2401 cycles, exact (closed form, machine-checked)"
    );
    let answer = "schedulable proved: by Algorithm 2, of all launches";
    assert_eq!(first("rta instances/tx2-chain.toml"), answer);
    // What is only tested is not called proved.
    let tested = first("solve --kernel LLCLCL --warps 5 --sigma-c 2 --engine states");
    assert!(tested.contains("cycles, exact (") && tested.ends_with("tested only)"), "{tested}");
}

/// On a terminal of 80 columns, the line of progress takes one line, and is gone at the end.
#[test]
fn progress_stays_on_its_line() {
    let program = Command::cargo_bin("warpspan").unwrap().get_program().to_str().unwrap().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "stty rows 24 cols 80; {program} solve --kernel LLCLLCLCCLLCLLCLC --warps 12 --sigma-c 2 --engine states --time-limit 2s; {program} sweep --kernels LLCLL \
         --warps 1..9 --engines states -o t.csv"
    );
    let Some(text) = on_a_terminal(&line, folder.path()) else { return };
    assert!(text.contains("worst case  ") && text.contains("9 of 9 cells"), "{text}");
    assert!(["% ", "%,", "%;"].iter().any(|share| text.contains(share)), "no progress was shown: {text}");
    // What a terminal shows: a carriage return begins the line again, and the next text replaces it.
    for line in text.split(['\r', '\n']) {
        let line = line.replace("\u{1b}[2K", "");
        assert!(plain(&line).chars().count() <= 80, "{line:?}");
        let percent = line.split('%').next().and_then(|start| start.rsplit(' ').next()?.parse::<u64>().ok());
        assert!(percent.is_none_or(|percent| percent <= 100), "{line:?}");
    }
    assert_no_debris(&text);
}

/// Nor does anything stay where a second signal ends the program at once.
#[test]
fn a_second_interrupt_takes_the_line_along() {
    let program = Command::cargo_bin("warpspan").unwrap().get_program().to_str().unwrap().to_owned();
    let line = format!(
        "stty rows 24 cols 80; {program} solve --kernel LLCLLCLL --warps 44 --engine states --memory-limit 4G & \
         sleep 1.5; kill -INT $!; kill -TERM $!; wait $!; echo code $?"
    );
    let Some(text) = on_a_terminal(&line, std::env::temp_dir().as_path()) else { return };
    assert!(text.ends_with("code 130\r\n"), "{text}");
    assert!(text.contains('\r') && text.contains("[2K"), "no progress was shown: {text:?}");
    assert_no_debris(&text);
}

/// What a terminal gets from a line of the shell; `None` where no program gives a terminal.
fn on_a_terminal(line: &str, folder: &std::path::Path) -> Option<String> {
    let script = std::process::Command::new("script")
        .args(["-qec", line, "/dev/null"])
        .current_dir(folder)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output();
    let Ok(script) = script else {
        println!("there is no program script, which gives a terminal: nothing is tested");
        return None;
    };
    Some(String::from_utf8(script.stdout).unwrap())
}

/// No line of progress is still to be seen.
fn assert_no_debris(text: &str) {
    let shown: Vec<&str> =
        text.split('\n').map(|line| line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or("")).collect();
    for bar in ["states of", " left"] {
        let debris: Vec<&&str> =
            shown.iter().filter(|line| line.contains(bar) && !line.contains("\u{1b}[2K")).collect();
        assert!(debris.is_empty(), "{debris:#?}");
    }
}
