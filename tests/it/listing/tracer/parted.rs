//! Small kernels and traces, written by hand, in which lanes part where a mask alone does not show it, or an instruction has two lines.

use std::io::{BufRead, Cursor};

use warpspan::listing::Text;
use warpspan::listing::trace::{Traced, trace};

/// A listing of capability 7.5: an instruction each line, 16 bytes apart.
fn listing(instructions: &[&str]) -> String {
    let mut out = "\tcode for sm_75\n\t\tFunction : k\n\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n".to_owned();
    for (at, text) in instructions.iter().enumerate() {
        out += &format!("        /*{:04x}*/                   {text} ;\n", at * 16);
    }
    out + "\t\t..........................\n"
}

/// A trace of one warp of 32 lanes: the number of an instruction, the mask, and the first address of lanes that are 4 bytes apart.
fn traced(instructions: &[&str], version: u64, steps: &[(usize, u32, Option<u64>)]) -> String {
    let mut out = format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = {version}\n\
         -cuda stream id = 0\n-shmem base_addr = 0x00007f5a7a000000\n-local mem base_addr = 0x00007f5a7c000000\n-nvbit version = 1.7.1\n\
         -accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num \
         [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = {}\n",
        steps.len()
    );
    for &(at, mask, address) in steps {
        let text = instructions[at];
        let text = if text.starts_with('@') { text.split_once(' ').unwrap().1 } else { text };
        let opcode = text.split(' ').next().unwrap();
        let memory = match address {
            None => "0".to_owned(),
            Some(first) => {
                let all: Vec<String> = (0..32)
                    .filter(|lane| mask >> lane & 1 == 1)
                    .map(|lane| format!("0x{:016x}", first + 4 * lane))
                    .collect();
                format!("4 0 {}", all.join(" "))
            }
        };
        out += &format!("{:04x} {mask:08x} 1 R5 {opcode} 2 R4 R255 {} 0 \n", at * 16, memory.trim());
    }
    out + "\n#END_TB\n"
}

fn read(instructions: &[&str], version: u64, steps: &[(usize, u32, Option<u64>)]) -> Result<Traced, String> {
    let text = Text::new("k.sass", listing(instructions).into_bytes()).unwrap();
    let content = traced(instructions, version, steps);
    let open = |_: &str| Ok(Box::new(Cursor::new(content.clone().into_bytes())) as Box<dyn BufRead>);
    trace(&text, None, &["k.traceg".to_owned()], open).map_err(|error| error.to_string())
}

const ALL: u32 = u32::MAX;
const LOW: u32 = 0xffff;
const HIGH: u32 = 0xffff_0000;

/// All lanes pass the guard of a branch that has a condition as an operand too, and go on behind it.
#[test]
fn a_branch_with_a_guard_and_an_operand() {
    let code = ["S2R R0, SR_TID.X", "@P0 BRA !P1, 0x30", "FMUL R4, R4, R4", "STG.E [R8], R4", "EXIT"];
    let steps = [0, 1, 2, 3, 4].map(|at| (at, ALL, (at == 3).then_some(0x7f00_0000_0000)));
    let found = read(&code, 75, &steps).unwrap();
    // Which lanes the operand lets pass does not show.
    assert_eq!(found.branches[0].diverged, 1, "{found:?}");
}

/// Groups that come apart meet at a `WARPSYNC`, behind which all of them part again.
#[test]
fn groups_meet_and_part() {
    let code = [
        "S2R R0, SR_TID.X",
        "@P0 BRA 0x30",
        "IADD3 R0, R0, 0x1, RZ",
        "WARPSYNC R7",
        "@P1 BRA 0x60",
        "BRA 0x70",
        "NOP",
        "EXIT",
    ];
    let steps = [(0, ALL), (1, HIGH), (3, HIGH), (2, LOW), (3, LOW), (4, LOW), (5, HIGH), (6, LOW), (7, ALL)]
        .map(|(at, mask)| (at, mask, None));
    let found = read(&code, 75, &steps).unwrap();
    assert!(found.branches.iter().all(|branch| branch.diverged == 1), "{found:?}");
}

/// A group is at the header of a loop, kept from it by a predicate, while another leaves the loop.
#[test]
fn a_hidden_group_stays_in_its_loop() {
    let code = [
        "S2R R0, SR_TID.X",
        "@P0 BRA 0x30",
        "NOP",
        "@P1 FADD R1, R1, R1",
        "IADD3 R7, R7, 0x1, RZ",
        "@P2 BRA 0x30",
        "NOP",
        "EXIT",
    ];
    let mut steps =
        vec![(0, ALL), (1, HIGH), (2, LOW), (3, 0), (4, LOW), (3, 0), (5, 0), (6, LOW), (4, HIGH)];
    // The high lanes have come to the header once already, and come four times more.
    for _ in 0..4 {
        steps.extend([(5, HIGH), (3, 0), (4, HIGH)]);
    }
    steps.extend([(5, 0), (6, HIGH), (7, ALL)]);
    let steps: Vec<_> = steps.into_iter().map(|(at, mask)| (at, mask, None)).collect();
    let found = read(&code, 75, &steps).unwrap();
    assert!(found.loops[0].passes.most >= 5, "{found:?}");
}

/// A loop that is left in the first pass of its header: without its body, which is not reached, it is no loop and has no bound.
#[test]
fn a_loop_whose_body_is_not_reached() {
    let code = [
        "S2R R0, SR_TID.X",
        "ISETP.GE.AND P0, PT, R3, R4, PT",
        "@P0 BRA 0x50",
        "IADD3 R3, R3, 0x1, RZ",
        "BRA 0x10",
        "EXIT",
    ];
    let steps = [0, 1, 2, 5].map(|at| (at, ALL, None));
    let found = read(&code, 75, &steps).unwrap();
    assert_eq!((found.loops.len(), found.unreached.len()), (1, 1), "{found:?}");
    assert!(
        found.loops[0].undeclared.is_some() && !found.declarations.contains("[[entry.loop]]"),
        "{}",
        found.declarations
    );
    let folder = tempfile::tempdir().unwrap();
    let [sass, toml] = ["k.sass", "k.toml"].map(|name| folder.path().join(name));
    std::fs::write(&sass, listing(&code)).unwrap();
    std::fs::write(&toml, &found.declarations).unwrap();
    let mut command = assert_cmd::Command::cargo_bin("warpspan").unwrap();
    command.arg("extract").arg(&sass).arg("--declare").arg(&toml).args(["--warps", "1"]).assert().success();
}

/// What other warps write decides how often a lock is tried, so that one run does not tell it.
#[test]
fn passes_of_a_lock_are_not_declared() {
    let code = [
        "MOV R2, R3",
        "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5",
        "ISETP.NE.AND P0, PT, R6, RZ, PT",
        "@P0 BRA 0x10",
        "EXIT",
    ];
    let steps = [(0, None), (1, Some(0x7f00_0000_0000)), (2, None), (3, None), (4, None)];
    let steps = steps.map(|(at, address)| (at, if at == 3 { 0 } else { ALL }, address));
    let found = read(&code, 75, &steps).unwrap();
    assert!(found.loops[0].undeclared.is_some_and(|why| why.contains("other warps")), "{found:?}");
    assert!(!found.declarations.contains("most ="), "{}", found.declarations);
}

/// A copy from global to shared memory has two addresses, and some versions of the tracer write a line for each: it is one instruction.
#[test]
fn a_copy_has_two_lines() {
    let code = ["S2R R0, SR_TID.X", "LDGSTS.E [R10], [R4.64]", "LDGDEPBAR", "EXIT"];
    let one = [(0, None), (1, Some(0x7f00_0000_0000)), (2, None), (3, None)];
    let two = [(0, None), (1, Some(0)), (1, Some(0x7f00_0000_0000)), (2, None), (3, None)];
    for steps in [&one[..], &two] {
        let steps: Vec<_> = steps.iter().map(|&(at, address)| (at, ALL, address)).collect();
        let found = read(&code, 75, &steps).unwrap();
        assert_eq!((found.most_of_a_warp, found.launches[0].instructions), (4, 4));
        // 32 lanes of 4 bytes next to one another.
        assert_eq!(found.launches[0].all, [4, 1], "{found:?}");
    }
}

/// The header says for which capability the binary was that ran.
#[test]
fn another_capability_is_refused() {
    let code = ["S2R R0, SR_TID.X", "EXIT"];
    let steps = [(0, ALL, None), (1, ALL, None)];
    assert!(read(&code, 75, &steps).is_ok());
    let what = read(&code, 80, &steps).unwrap_err();
    assert!(what.contains("7.5") && what.contains("8.0") && what.contains("want the listing"), "{what}");
}
