//! What is read: listings of every printer and capability, several object files in one listing, opcodes of no class, and
//! files that are no listings.
use assert_cmd::Command;
use serde_json::Value;
use warpspan::listing::{Options, Text, extract};
use warpspan::model::Unit;

use crate::common::assumption;

fn warpspan(args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("warpspan").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(std::time::Duration::from_secs(120));
    let output = command.args(args).write_stdin(input.to_vec()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// `nvdisasm -c` of CUDA 12.8 prints control fields as text for 12.0. They are those of the encodings, which
/// `listing::sass::control` tests.
#[test]
fn code_for_12_0() {
    let bytes = include_bytes!("../../data/code/tri.sm_120.sass").to_vec();
    let text = Text::new("tri", bytes).unwrap();
    let listing = text.listing().unwrap();
    let routine = &listing.routines[0];
    assert_eq!((routine.name, routine.target.as_deref()), ("reduce", Some("12.0")));
    let with_field = routine.instructions.iter().filter(|one| one.control.is_some()).count();
    // All but the filling at the end.
    assert!(with_field + 3 >= routine.instructions.len(), "{with_field}");
    assert!(routine.instructions.iter().all(|one| !one.operands.contains(['&', '?'])));
    let entry = extract(&text, &Options { strict: true, ..Options::default() }).unwrap().remove(0);
    assert!(entry.letters[Unit::LoadStore] > 20 && entry.barriers == 9);
}

fn one_file(capability: &str, body: &str) -> String {
    format!(
        "Fatbin elf code:\n================\narch = sm_{capability}\n\n\tcode for sm_{capability}\n\t\tFunction : k\n{body}\n\t\t..........\n"
    )
}

/// A kernel for two capabilities: three instructions for 6.1, two for 8.6.
fn fatbin() -> String {
    let old = "  /*0008*/ MOV R1, R2 ;\n  /*0010*/ MOV R1, R2 ;\n  /*0018*/ EXIT ;";
    let new = "  /*0000*/ MOV R1, R2 ;\n  /*0010*/ EXIT ;";
    one_file("61", old) + &one_file("86", new)
}

#[test]
fn a_kernel_for_several_capabilities() {
    let text = fatbin();
    let (code, out, _) = warpspan(&["extract", "-", "--format", "json"], text.as_bytes());
    assert_eq!(code, Some(0));
    let record: Value = serde_json::from_str(&out).unwrap();
    let found: Vec<_> = record["entries"].as_array().unwrap().iter().collect();
    let versions: Vec<_> = found.iter().map(|entry| entry["compute_capability"].as_str().unwrap()).collect();
    assert_eq!(versions, ["6.1", "8.6"]);
    let of = |flags: &[&str]| {
        let (code, out, err) = warpspan(&[&["extract", "-"], flags].concat(), text.as_bytes());
        (code, if code == Some(0) { out } else { err })
    };
    let (code, chosen) = of(&["--compute-capability", "8.6"]);
    assert!(code == Some(0) && chosen.contains("instructions  2:") && !chosen.contains("instructions  3:"));
    let (code, error) = of(&["--compute-capability", "7.5"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("k is there for capabilities 6.1, 8.6: want one of them"), "{error}");
    let (code, _, error) = warpspan(&["bound", "--ptx", "-", "--warps", "2"], text.as_bytes());
    assert_eq!(code, Some(2));
    assert!(error.contains("k is there for capabilities 6.1, 8.6"), "{error}");
    // Two files for one capability.
    let twice = one_file("86", "  /*0000*/ MOV R1, R2 ;\n  /*0010*/ EXIT ;").repeat(2);
    let (code, _, error) = warpspan(&["bound", "--ptx", "-", "--warps", "2"], twice.as_bytes());
    assert_eq!(code, Some(2));
    assert!(error.contains("k begins in lines 6, 15: want the listing of one object file"), "{error}");
}

fn sass(body: &str) -> String {
    format!("\tcode for sm_86\n\t\tFunction : k\n{body}\n")
}

#[test]
fn an_opcode_of_no_class_counts_as_the_dearest() {
    let text = sass("  /*0000*/ FROB R1, R2 ;\n  /*0010*/ FROB R1, R3 ;\n  /*0020*/ EXIT ;");
    let (code, out, err) = warpspan(&["extract", "-", "--format", "json"], text.as_bytes());
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(err.lines().count(), 1);
    assert!(err.starts_with("warpspan: standard input:3: opcode FROB is not known"), "{err}");
    let record: Value = serde_json::from_str(&out).unwrap();
    let entry = &record["entries"][0];
    assert_eq!(entry["unknown_opcodes"], serde_json::json!([{"opcode": "FROB", "line": 3}]));
    // At 8.6 nothing is slower than a match of 64 bits: 128 cores, a result a cycle, four times.
    assert_eq!(entry["program"], "C512LC512L");
    let (code, out, err) = warpspan(&["extract", "-", "--strict"], text.as_bytes());
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(
        err,
        "warpspan: standard input:3: opcode FROB is not known: give it a class with --classes FILE\n"
    );
    // On a machine: no known instruction has a larger bound than the unknown one.
    let bound = |opcode: &str| {
        let text = sass(&format!("  /*0000*/ {opcode} R1, [R2] ;\n  /*0010*/ EXIT ;"));
        let flags = ["extract", "-", "--machine", "8.6", "--warps", "8", "--format", "json"];
        let (code, out, err) = warpspan(&flags, text.as_bytes());
        assert_eq!(code, Some(0), "{err}");
        let record: Value = serde_json::from_str(&out).unwrap();
        record["entries"][0]["machine"]["bound"]["upper"].as_u64().unwrap()
    };
    let unknown = bound("FROB");
    for opcode in
        ["LDG.E.128", "ATOMG.E.ADD", "TEX", "DFMA", "MUFU.RCP", "IMAD.WIDE", "F2F.F64.F32", "S2R", "LDS"]
    {
        assert!(bound(opcode) <= unknown, "{opcode}");
    }
}

#[test]
fn what_may_change_where_threads_go_is_never_unknown() {
    for opcode in [
        "BRZ 0x30",
        "JMPX R2",
        "CALLX R2",
        "RETX",
        "SYNCX",
        "BSX B0",
        "KILLX",
        "FOO `(.L_x_1)",
        "XBARX",
        "NEWSLEEP",
        "QMMAX",
    ] {
        let text = sass(&format!("  /*0000*/ {opcode} ;\n  /*0010*/ EXIT ;"));
        let (code, _, err) = warpspan(&["extract", "-"], text.as_bytes());
        assert_eq!(code, Some(2), "{opcode}: {err}");
    }
}

#[test]
fn files_that_are_no_listings() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let (code, out, err) = warpspan(&["extract", path.to_str().unwrap()], b"");
        (code, out, err.replace(folder.path().to_str().unwrap(), "D"))
    };
    let elf = b"\x7fELF\x02\x01\x01\x33";
    for (name, bytes, command) in [
        (
            "k.cu",
            &b"__global__ void k() {}"[..],
            "-arch=sm_87 -o D/k.cubin D/k.cu && cuobjdump -sass D/k.cubin > D/k.sass",
        ),
        ("k.cubin", elf, "cuobjdump -sass D/k.cubin > D/k.sass"),
        ("k.txt", elf, "cuobjdump -sass D/k.txt > D/k.txt.sass"),
        ("a b.fatbin", b"\x50\xed\x55\xba\x01\x00", "cuobjdump -sass 'D/a b.fatbin' > 'D/a b.sass'"),
    ] {
        let (code, out, err) = file(name, bytes);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}");
        assert!(err.contains(command), "{name}: {err}");
        assert_eq!(err.lines().count(), 1);
    }
    let listing = sass("  /*0000*/ EXIT ;");
    for name in ["k.s", "k.asm", "k.txt", "k.sass", "k.cuasm", "k"] {
        assert_eq!(file(name, listing.as_bytes()).0, Some(0), "{name}");
    }
}

#[test]
fn forms_of_printers() {
    let read = |text: &str| {
        let text = Text::new("k", text.as_bytes().to_vec()).unwrap();
        extract(&text, &Options::default())
            .map(|entries| entries[0].instructions)
            .map_err(|error| error.to_string())
    };
    // CuAssembler with the operand caches first, and a target in brackets.
    let cuasm = "\t.headerflags @\"EF_CUDA_SM50\"\n.section .text.k, \"ax\"\n\
                 [----:B------:R-:W-:-:S06] /*0008*/ MOV R1, c[0x0][0x20] ;\n[----:B------:R-:W-:Y:S05] /*0010*/ BRA [0x18] ;\n\
                 [R---:B0-----:R-:W-:-:S06] /*0018*/ EXIT ;\n";
    assert_eq!(read(cuasm), Ok(3));
    // Instructions are missing.
    let cut = sass("  /*0000*/ MOV R1, R2 ;\n  /*0050*/ EXIT ;");
    assert!(read(&cut).unwrap_err().starts_with("k:4: address 0x50 where 0x10 is next"));
    let one = sass("  /*0000*/ MOV R1, R2 ; /* 0x1 */\n  /*0020*/ EXIT ; /* 0x1 */");
    assert!(read(&one).unwrap_err().starts_with("k:4: address 0x20 where 0x10 is next"));
    let begin = sass("  /*0050*/ MOV R1, R2 ;\n  /*0060*/ EXIT ;");
    assert!(read(&begin).unwrap_err().starts_with("k:3: address 0x50 where 0x0 is next"));
    // Directives of PTX on one line, which lose no instruction.
    let line = ".version 7.0 .target sm_80, debug .address_size 64 .file 1 \"a;b .x\", 1, 2 .visible .entry k() { \
                .loc 1 2 3 mov.u32 %r1, 1; .loc 1 2 3, function_name $L + 5, inlined_at 1 4 5 mov.u32 %r2, 1; ret; }";
    assert_eq!(read(line), Ok(3));
    assert_eq!(read(".version 7.0\n.target sm_80\n.entry k() {\n.loc 1 2 mov.u32 %r1, 1;\nret; }"), Ok(2));
}

/// What Compiler Explorer shows of a listing: labels, instructions and names of functions without their mangling.
pub(super) fn shown(listing: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("/*") {
        Some(rest) => {
            let (address, rest) = rest.split_once("*/")?;
            let text = rest.split("/*").next()?.trim().trim_start_matches('{').trim_end_matches(['}', ';']);
            u64::from_str_radix(address, 16).ok().map(|_| format!(" {}\n", text.trim_start()))
        }
        None if line.starts_with(".text.") => None,
        None if line.starts_with(char::is_whitespace) => None,
        None => line.strip_suffix(':').map(|label| match label {
            _ if label.starts_with(['.', '$']) => format!("{label}:\n"),
            name => format!("ns::{name}(int, float const*):\n"),
        }),
    };
    listing.lines().filter_map(line).collect()
}

/// Neither addresses, header nor encodings are in what Compiler Explorer shows. It has the same letters as the listing,
/// and nothing is taken from it that would need what it lacks.
#[test]
fn what_compiler_explorer_shows_is_read() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/code/explorer");
    let folder = tempfile::tempdir().unwrap();
    let gpu = [("sm_62", "jetson-tx2"), ("sm_87", "jetson-orin"), ("sm_90", "h100")];
    for (architecture, gpu) in gpu {
        let path = format!("{data}.{architecture}.sass");
        let text = shown(&std::fs::read_to_string(&path).unwrap());
        assert!(text.starts_with("ns::root(int, float const*):\n "), "{text}");
        assert!(!text.contains("/*") && text.contains("\n.L_x_"), "{text}");
        let poorer = folder.path().join(architecture);
        std::fs::write(&poorer, &text).unwrap();
        let run = |path: &str, rest: &[&str]| {
            let launch = ["--gpu", gpu, "--grid", "64", "--block", "256", "--format", "json"];
            let output = assert_cmd::Command::cargo_bin("warpspan")
                .unwrap()
                .args(["time", path])
                .args(launch)
                .args(rest)
                .output()
                .unwrap();
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert_eq!(output.status.code(), Some(0), "{text}");
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        };
        let poorer = poorer.to_str().unwrap();
        let (rich, poor) = (run(&path, &[]), run(poorer, &["--entry", "ns::root"]));
        let cycles = |of: &serde_json::Value| of["bound_cycles"].as_u64().unwrap();
        assert!(cycles(&poor) >= cycles(&rich), "{architecture}: {poor} {rich}");
        assert!(assumption(&poor, "listing.whole").is_some(), "{architecture}");
        assert!(assumption(&rich, "listing.whole").is_none(), "{architecture}");
    }
    // A number is no target where no line has an address, and the assembly of a CPU is not meant.
    let refuses = |text: &str, what: &str| {
        let path = folder.path().join("bad");
        std::fs::write(&path, text).unwrap();
        let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
        let output = command.arg("extract").arg(path).args(["--compute-capability", "8.7"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(what), "{said}");
    };
    refuses("k:\n MOV R1, R2 \n @P0 BRA 0x10 \n EXIT \n", "is neither a label nor an address");
    refuses("k:\n MOV R1, R2 \n @P0 BRA `(.L_x_9) \n EXIT \n", "is neither a label nor an address");
    refuses("k:\n MOV R1, R2 ; EXIT \n EXIT \n", "want an instruction");
    refuses("main:\n  mov eax, 1\n  ret\n", "neither PTX");
}

/// A compiled program is read by way of `cuobjdump`, which a script stands for here, and what it prints is as if it were the file.
#[cfg(unix)]
#[test]
fn compiled_programs_are_disassembled() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let listing = sass("  /*0000*/ MOV R1, R2 ;\n  /*0010*/ EXIT ;");
    std::fs::write(path("k.sass"), &listing).unwrap();
    std::fs::write(path("k.cubin"), b"\x7fELF\x02\x01\x01\x33").unwrap();
    let script = |text: &str| {
        std::fs::write(path("cuobjdump"), text).unwrap();
        std::fs::set_permissions(path("cuobjdump"), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let extract = |name: &str| {
        let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
        let system = std::env::var_os("PATH").unwrap();
        let all = std::env::join_paths(
            std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&system)),
        );
        let output = command.env("PATH", all.unwrap()).arg("extract").arg(path(name)).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    script("#!/bin/sh\n[ \"$1 $2\" = '-sass -res-usage' ] && cat \"${3%.cubin}.sass\"\n");
    let (code, found) = extract("k.cubin");
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found.replace("k.cubin", "k.sass"), extract("k.sass").1);
    // Where that one finds nothing, the other is asked.
    script("#!/bin/sh\nexit 1\n");
    let other = "#!/bin/sh\n[ \"$1 $2\" = '-hex -g' ] && cat \"${3%.cubin}.sass\"\n";
    std::fs::write(path("nvdisasm"), other).unwrap();
    std::fs::set_permissions(path("nvdisasm"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(extract("k.cubin"), (code, found));
    std::fs::remove_file(path("nvdisasm")).unwrap();
    // A program that fails, or finds no SASS, leaves the file as it is.
    for text in ["#!/bin/sh\necho no kernel >&2; exit 1\n", "#!/bin/sh\necho nothing\n"] {
        script(text);
        let (code, said) = extract("k.cubin");
        assert!(code == Some(2) && said.contains("want its listing, as of cuobjdump -sass"), "{said}");
    }
}

/// A source of CUDA is compiled by `nvcc` for the GPU that is asked about; scripts stand for the compiler and the disassembler.
#[cfg(unix)]
#[test]
fn a_source_is_compiled_for_the_gpu() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let script = |name: &str, text: &str| {
        std::fs::write(path(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let listing = sass("  /*0000*/ MOV R1, R2 ;\n  /*0010*/ EXIT ;").replace("sm_86", "sm_87");
    std::fs::write(path("k.sass"), listing).unwrap();
    std::fs::write(path("k.cu"), "__global__ void k() {}\n").unwrap();
    let time = || {
        let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
        let system = std::env::var_os("PATH").unwrap();
        let own = std::iter::once(folder.path().to_owned());
        let all = std::env::join_paths(own.chain(std::env::split_paths(&system))).unwrap();
        command.env("PATH", all).env("TMPDIR", folder.path().join("tmp")).arg("time").arg(path("k.cu"));
        let output = command.args(["--gpu", "orin", "--grid", "4", "--block", "32"]).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    std::fs::create_dir(path("tmp")).unwrap();
    script("cuobjdump", &format!("cat {}", path("k.sass").display()));
    script(
        "nvcc",
        "[ \"$1 $2 $3 $4\" = '-cubin -lineinfo -arch=sm_87 -o' ] && [ -f \"$6\" ] && echo code > \"$5\"",
    );
    let (code, said) = time();
    assert!(code == Some(0) && said.contains(" on jetson-orin: at most "), "{said}");
    script(
        "nvcc",
        "echo; echo 'k.cu(1): error: expected a semicolon' >&2; echo '1 error detected' >&2; exit 2",
    );
    let (code, said) = time();
    assert_eq!((code, said.lines().count()), (Some(2), 1), "{said}");
    assert!(
        said.contains("k.cu: nvcc cannot compile it for 8.7: k.cu(1): error: expected a semicolon"),
        "{said}"
    );
    script("nvcc", "touch \"$5\"");
    script("cuobjdump", "exit 1");
    let (code, said) = time();
    assert!(code == Some(2) && said.contains("want cuobjdump or nvdisasm on the PATH"), "{said}");
    assert_eq!(std::fs::read_dir(path("tmp")).unwrap().count(), 0, "nothing is left behind");
}
